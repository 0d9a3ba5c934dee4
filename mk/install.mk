# Installation. Paths are quoted: DESTDIR and prefix may hold spaces.
# Documents lie as in the source tree, so that their links lead to one another.

PUBLIC_HEADERS := $(filter-out %_internal.h,$(sort sched/ext.h $(wildcard $(LIB_ROOMS:%=%/*.h))))
# Headers had no rooms once: a file that includes the right one stands where each was, old:new. It says so only here.
FOLDER_OF = $(if $(filter sim/queue/%,$(1)),sim/sweep,$(if $(filter sim/%,$(1)),$(patsubst %/,%,$(dir $(1:sim/engine/config/%=sim/engine/%))),$(firstword $(subst /, ,$(1)))))
RENAMED := sim/engine/timeline_listener.h:sim/engine/timeline_listener.h results/store/run_record.h:results/store/run_record.h \
	cores/chip/study_space.h:cores/chip/study_space.h ipu/core/instruction_histogram.h:ipu/core/instruction_histogram.h
FORWARDS = $(RENAMED) $(foreach h,$(PUBLIC_HEADERS),$(if $(filter $(h),$(call FOLDER_OF,$(h))/$(notdir $(h))),,$(call FOLDER_OF,$(h))/$(notdir $(h)):$(h)))

DOCUMENTS := README.md CHANGELOG.md LICENSE ARCHITECTURE.md CONTRIBUTING.md workloads/FORMAT.md ipu/README.md ipu/abi/README.md $(wildcard docs/*.md docs/pictures/* docs/examples/*/*)
PROFILES := $(wildcard workloads/suites/synthetic/*.profile workloads/suites/synthetic/*.character)

CONFIG_FOLDERS := configs configs/studies configs/studies/paper configs/suites configs/costs configs/cpus configs/trust

# What programs for the IPU are made with, and those that are made already; as in the source tree.
IPU_DATA := ipu/programs/ipu.ld $(wildcard ipu/programs/*.[ch] ipu/programs/new/* ipu/programs/prebuilt/*.elf ipu/programs/prebuilt/*.sig ipu/programs/keys/* ipu/abi/*.cfg)

# What policies are made with: templates, examples, and the headers that they include.
POLICY_DATA := sched/ext.h sched/host/ext.h $(wildcard sched/new/* sched/examples/*) \
	$(addprefix cores/chip/,counters.h counter_list.h state.h component_list.h)
DATA := $(IPU_DATA) $(POLICY_DATA)

# Everything that is looked for in the data folder; `sahm doctor` knows their digests.
SHIPPED_FILES := $(sort $(wildcard $(CONFIG_FOLDERS:%=%/*.cfg) workloads/suites/small/*.csv workloads/suites/open/*.csv.zst \
	workloads/suites/synthetic/spec2017/*.csv.zst) $(PROFILES) $(DATA))
$(B)/obj/sim/cli/doctor_shipped.o: private CPPFLAGS += -I$(B)
$(B)/obj/sim/cli/doctor_shipped.o: $(B)/shipped_file_list.h
$(B)/shipped_file_list.h: FORCE
	@mkdir -p $(@D)
	@sha256sum $(SHIPPED_FILES) | sed 's/^\([0-9a-f]*\)  \(.*\)$$/SHIPPED_FILE("\2", "\1")/' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# Where shells look for completions of programs that are installed: shell:folder:name.
COMPLETIONS := bash:bash-completion/completions:sahm zsh:zsh/site-functions:_sahm fish:fish/vendor_completions.d:sahm.fish

# The program that is installed has the folders of the installation compiled in. It is linked apart, so that build/sahm stays the
# one of the source tree. PLACE: where; installations that are made at the same time need one each.
PLACE ?= $(B)/placed
PLACED := sim/cli/output sim/cli/qemu_plugin
PLACED_OBJS := $(PLACED:%=$(PLACE)/obj/%.o)

$(PLACE)/sahm: $(filter-out $(PLACED:%=$(B)/obj/%.o),$(CLI_OBJS)) $(PLACED_OBJS) $(B)/libsahm.a
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) $(PLACED_LDFLAGS) -o $@ $^ $(pkg_libs) $(sys_libs)

$(PLACE)/obj/%.o: private CPPFLAGS += -DSAHM_DATADIR='"$(pkgdatadir)"' -DSAHM_LIBDIR='"$(libdir)"'
$(PLACE)/obj/%.o: %.c $(B)/flags $(PLACE)/folders
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(PLACE)/folders: FORCE
	$(call stamp,$(pkgdatadir) $(libdir))

-include $(wildcard $(PLACED_OBJS:.o=.d))

.PHONY: install uninstall
ifeq ($(B),build/release)
install: $(PLACE)/sahm build/sahm-qemu.so $(B)/libsahm.a man
	install -d "$(DESTDIR)$(bindir)" "$(DESTDIR)$(libdir)" "$(DESTDIR)$(mandir)/man1" "$(DESTDIR)$(mandir)/man5"
	install -m 755 $(PLACE)/sahm "$(DESTDIR)$(bindir)/sahm"
	install -m 644 build/release/libsahm.a "$(DESTDIR)$(libdir)/libsahm.a"
	install -d "$(DESTDIR)$(libdir)/sahm"
	install -m 755 build/sahm-qemu.so "$(DESTDIR)$(libdir)/sahm/sahm-qemu.so"
	install -m 644 build/man/sahm.1 "$(DESTDIR)$(mandir)/man1/sahm.1"
	install -m 644 build/man/sahm-config.5 "$(DESTDIR)$(mandir)/man5/sahm-config.5"
	for c in $(COMPLETIONS); do \
	  shell=$${c%%:*} name=$${c##*:} && folder=$${c#*:} && folder="$(DESTDIR)$(datadir)/$${folder%:*}" && \
	  install -d "$$folder" && build/sahm completion $$shell > "$$folder/$$name" && chmod 644 "$$folder/$$name" || exit 1; done
	install -d "$(DESTDIR)$(libdir)/pkgconfig"
	for f in $(DOCUMENTS); do \
	  install -d "$(DESTDIR)$(docdir)/$$(dirname $$f)" && \
	  install -m 644 "$$f" "$(DESTDIR)$(docdir)/$$f" || exit 1; done
	printf '%s\n' '# A plug-in needs Cflags alone. A program that loads some has to export what they call, so link it with -rdynamic.' \
	  'prefix=$(prefix)' 'includedir=$(includedir)/sahm' 'datadir=$(pkgdatadir)' \
	  'Name: sahm' 'Description: simulator of chips of specialised cores' \
	  "Version: $$(build/sahm --version | cut -d' ' -f2)" 'Requires: $(PKGS)' \
	  'Cflags: -I"$(includedir)/sahm"' 'Libs: -L"$(libdir)" -lsahm $(sys_libs)' > "$(DESTDIR)$(libdir)/pkgconfig/sahm.pc"
	install -d "$(DESTDIR)$(pkgdatadir)/workloads/suites/small" "$(DESTDIR)$(pkgdatadir)/workloads/suites/open" \
	  "$(DESTDIR)$(pkgdatadir)/workloads/suites/synthetic/spec2017"
	for d in $(CONFIG_FOLDERS); do \
	  install -d "$(DESTDIR)$(pkgdatadir)/$$d" && \
	  install -m 644 $$d/*.cfg "$(DESTDIR)$(pkgdatadir)/$$d/" || exit 1; done
	install -m 644 workloads/suites/small/*.csv "$(DESTDIR)$(pkgdatadir)/workloads/suites/small/"
	install -m 644 workloads/suites/open/*.csv.zst "$(DESTDIR)$(pkgdatadir)/workloads/suites/open/"
	install -m 644 $(PROFILES) "$(DESTDIR)$(pkgdatadir)/workloads/suites/synthetic/"
	install -m 644 workloads/suites/synthetic/spec2017/*.csv.zst "$(DESTDIR)$(pkgdatadir)/workloads/suites/synthetic/spec2017/"
	for f in $(DATA); do \
	  install -d "$(DESTDIR)$(pkgdatadir)/$$(dirname $$f)" && \
	  install -m 644 "$$f" "$(DESTDIR)$(pkgdatadir)/$$f" || exit 1; done
	for h in $(PUBLIC_HEADERS); do \
	  install -d "$(DESTDIR)$(includedir)/sahm/$$(dirname $$h)" && \
	  install -m 644 "$$h" "$(DESTDIR)$(includedir)/sahm/$$h" || exit 1; done
	for f in $(FORWARDS); do \
	  printf '#include "%s"\n' "$${f#*:}" > "$(DESTDIR)$(includedir)/sahm/$${f%%:*}" && \
	  chmod 644 "$(DESTDIR)$(includedir)/sahm/$${f%%:*}" || exit 1; done
else
# What is installed is the release program, whatever else is being built.
install:
	$(Q)$(MAKE) --no-print-directory VARIANT=release B=build/release install
endif

# Only what was installed, and folders that are empty then: a folder of ours may have been given as one of the system's.
uninstall:
	rm -f "$(DESTDIR)$(bindir)/sahm" "$(DESTDIR)$(libdir)/libsahm.a" "$(DESTDIR)$(libdir)/pkgconfig/sahm.pc" "$(DESTDIR)$(libdir)/sahm/sahm-qemu.so"
	rmdir "$(DESTDIR)$(libdir)/sahm" 2>/dev/null || :
	rm -f "$(DESTDIR)$(mandir)/man1/sahm.1" "$(DESTDIR)$(mandir)/man5/sahm-config.5"
	for c in $(COMPLETIONS); do name=$${c##*:}; folder=$${c#*:}; folder="$(DESTDIR)$(datadir)/$${folder%:*}"; \
	  rm -f "$$folder/$$name"; rmdir "$$folder" "$${folder%/*}" 2>/dev/null || :; done
	for f in $(DOCUMENTS); do rm -f "$(DESTDIR)$(docdir)/$$f"; done
	for f in $(wildcard $(CONFIG_FOLDERS:%=%/*.cfg) workloads/suites/small/*.csv workloads/suites/open/*.csv.zst workloads/suites/synthetic/spec2017/*) $(PROFILES); do rm -f "$(DESTDIR)$(pkgdatadir)/$$f"; done
	for h in $(PUBLIC_HEADERS) $(foreach f,$(FORWARDS),$(firstword $(subst :, ,$(f)))); do rm -f "$(DESTDIR)$(includedir)/sahm/$$h"; done
	for f in $(DATA); do rm -f "$(DESTDIR)$(pkgdatadir)/$$f"; done
	for d in sched/new sched/examples sched/host sched cores/chip cores ipu/programs/prebuilt ipu/programs/keys ipu/programs/new ipu/programs ipu/abi ipu configs/studies/paper configs/studies configs/suites configs/costs configs/cpus configs/trust configs workloads/suites/small workloads/suites/open workloads/suites/synthetic/spec2017 workloads/suites/synthetic workloads/suites workloads .; do rmdir "$(DESTDIR)$(pkgdatadir)/$$d" 2>/dev/null || :; done
	for d in $(sort $(dir $(PUBLIC_HEADERS))) cores sched sim .; do rmdir "$(DESTDIR)$(includedir)/sahm/$$d" 2>/dev/null || :; done
	for d in "$(docdir)/docs/examples/slurm" "$(docdir)/docs/examples/systemd" "$(docdir)/docs/examples" "$(docdir)/docs/pictures" "$(docdir)/docs" "$(docdir)/ipu/abi" "$(docdir)/ipu" "$(docdir)/workloads" "$(docdir)" "$(pkgdatadir)" "$(includedir)/sahm"; do rmdir "$(DESTDIR)$$d" 2>/dev/null || :; done
