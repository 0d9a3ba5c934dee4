# Installation. Paths are quoted: DESTDIR and prefix may hold spaces.
# Documents lie as in the source tree, so that their links lead to one another.

PUBLIC_HEADERS := $(filter-out %_internal.h,$(sort sched/ext.h $(wildcard $(LIB_ROOMS:%=%/*.h))))
# Headers had no rooms once. Each old path is installed as well: as a file that includes the header at its new one, or, where a
# table is no header of its own any more, as one that says where it went.
RENAMED := sim/engine/timeline.h:sim/engine/timeline_listener.h results/record.h:results/store/run_record.h results/figure.h:results/chart/plot.h \
	results/claims_cells.h:results/studies/claims_report.h results/claims_table.h:results/studies/claims_report.h \
	results/claims_runs.h:results/studies/claims.h cores/space.h:cores/chip/study_space.h ipu/histogram.h:ipu/core/instruction_histogram.h \
	sim/base/histogram.h:sim/base/time_histogram.h ipu/call_list.h:ipu/unit/session_call_list.h \
	ipu/policy_list.h:ipu/trust/trust_policy_list.h ipu/status_list.h:ipu/unit/unit_status_list.h
MERGED := cores/core_cost_key_list.h:cores/chip/core_costs.c cores/cpu_key_list.h:cores/uarch/cpu.c cores/literature_list.h:cores/chip/core_spec.c \
	cores/register_name_list.h:cores/isa/insn.c cores/rv64_format_list.h:cores/isa/riscv_format_list.h cores/rv64_list.h:cores/isa/riscv_list.h \
	cores/x86_register_list.h:cores/isa/decode_x86.c cores/x86_vector_class_list.h:cores/isa/x86_class_list.h \
	ipu/abi_key_list.h:ipu/unit/abi.c ipu/csr_list.h:cores/isa/riscv_text.h ipu/device_command_list.h:ipu/unit/device.h \
	ipu/event_list.h:ipu/unit/unit.h ipu/format_list.h:cores/isa/riscv_format_list.h ipu/instruction_list.h:cores/isa/riscv_list.h \
	ipu/linux_call_list.h:ipu/core/flat.c ipu/trust_key_list.h:ipu/trust/trust_read.c \
	results/state_colour_list.h:results/report/characterize_plot.c results/timeline_cname_list.h:results/timeline/timeline_chrome.c \
	results/timeline_form_list.h:results/timeline/timeline.h sim/engine/wait_rank_list.h:sim/engine/config/run.c \
	sim/sweep/bundle_key_list.h:sim/queue/bundle.c sim/sweep/manifest_key_list.h:sim/sweep/manifest.c \
	workloads/pmu_code_list.h:workloads/record/pmu.c \
	workloads/pmu_event_list.h:workloads/record/pmu.c workloads/pmu_match_list.h:workloads/record/pmu_machine.c \
	workloads/profile_key_list.h:workloads/synth/profile.c workloads/stream_part_list.h:workloads/stream/stream_internal.h
old_path = $(subst sim/queue/,sim/sweep/,$(if $(filter sim/%,$(1)),$(1:sim/engine/config/%=sim/engine/%),$(firstword $(subst /, ,$(1)))/$(notdir $(1))))
FORWARDS = $(RENAMED) $(foreach h,$(PUBLIC_HEADERS),$(if $(filter $(call old_path,$(h)),$(PUBLIC_HEADERS)),,$(call old_path,$(h)):$(h)))

DOCUMENTS := README.md CHANGELOG.md LICENSE ARCHITECTURE.md CONTRIBUTING.md workloads/FORMAT.md ipu/README.md ipu/abi/README.md $(wildcard docs/*.md docs/pictures/* docs/examples/*/*)
PROFILES := $(wildcard workloads/suites/synthetic/*.profile workloads/suites/synthetic/*.character)

CONFIG_FOLDERS := configs configs/studies configs/studies/paper configs/studies/measured configs/suites configs/costs configs/cores configs/cpus configs/trust

# Sources for programs of the IPU, and the shipped ones; as in the source tree.
IPU_DATA := ipu/programs/ipu.ld $(wildcard ipu/programs/*.[ch] ipu/programs/new/* ipu/programs/prebuilt/*.elf ipu/programs/prebuilt/*.sig ipu/programs/keys/* ipu/abi/*.cfg)

# Sources for policies: templates, examples, and the headers that they include.
POLICY_DATA := sched/ext.h sched/host/ext.h sched/host/bpf_calls.h sched/host/bpf_program.h \
	$(wildcard sched/scx/*.h sched/scx/*/*.h sched/new/* sched/examples/*) \
	$(addprefix cores/chip/,counters.h counter_list.h state.h component_list.h)
# Soft-logic modules: what the harness for Verilog is made of, the start of one, and those that come with sahm.
SOFT_DATA := ipu/soft/module.h ipu/soft/harness.cpp $(wildcard ipu/soft/new/* ipu/soft/modules/*.v ipu/soft/modules/*.c)
DATA := $(IPU_DATA) $(POLICY_DATA) $(SOFT_DATA)

# Everything that is looked for in the data folder; `sahm doctor` knows their digests.
SHIPPED_FILES := $(sort $(wildcard $(CONFIG_FOLDERS:%=%/*.cfg) configs/*.inc configs/*.json configs/cores/*.inc configs/studies/measured/epochs.csv workloads/suites/small/*.csv workloads/suites/open/*.csv.zst \
	workloads/suites/synthetic/*.csv workloads/suites/synthetic/spec2017/*.trc.zst) $(PROFILES) $(DATA))
$(B)/obj/sim/cli/doctor_shipped.o: private CPPFLAGS += -I$(B)
$(B)/obj/sim/cli/doctor_shipped.o: $(B)/shipped_file_list.h
$(B)/shipped_file_list.h: FORCE
	@mkdir -p $(@D)
	@sha256sum $(SHIPPED_FILES) | sed 's/^\([0-9a-f]*\)  \(.*\)$$/SHIPPED_FILE("\2", "\1")/' | $(update)

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

# Files by their paths in the source tree, below a folder of ours; and away again, with the folders that are empty then.
install_files = for f in $(2); do \
	  install -d "$(DESTDIR)$(1)/$$(dirname $$f)" && install -m 644 "$$f" "$(DESTDIR)$(1)/$$f" || exit 1; done
uninstall_files = for f in $(2); do \
	  rm -f "$(DESTDIR)$(1)/$$f"; \
	  while case $$f in */*) f=$${f%/*} ;; *) false ;; esac; do printf '%s\n' "$$f"; done; done | \
	  sort -ru | while read -r d; do rmdir "$(DESTDIR)$(1)/$$d" 2>/dev/null || :; done; rmdir "$(DESTDIR)$(1)" 2>/dev/null || :

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
	$(call install_files,$(docdir),$(DOCUMENTS))
	printf '%s\n' '# A plug-in needs Cflags alone. A program that loads some has to export what they call, so link it with -rdynamic.' \
	  'prefix=$(prefix)' 'includedir=$(includedir)/sahm' 'datadir=$(pkgdatadir)' \
	  'Name: sahm' 'Description: simulator of chips of specialised cores' \
	  "Version: $$(build/sahm --version | cut -d' ' -f2)" 'Requires: $(PKGS)' \
	  'Cflags: -I"$(includedir)/sahm"' 'Libs: -L"$(libdir)" -lsahm $(sys_libs)' > "$(DESTDIR)$(libdir)/pkgconfig/sahm.pc"
	$(call install_files,$(pkgdatadir),$(SHIPPED_FILES))
	$(call install_files,$(includedir)/sahm,$(PUBLIC_HEADERS))
	@forward() { printf "$$1\n" "$${2%%:*}" "$${2#*:}" > "$(DESTDIR)$(includedir)/sahm/$${2%%:*}" && \
	  chmod 644 "$(DESTDIR)$(includedir)/sahm/$${2%%:*}"; }; \
	for f in $(FORWARDS); do forward '/* %s */\n#include "%s"' "$$f" || exit 1; done; \
	for f in $(MERGED); do forward '#error "%s is part of %s now, and no header of its own"' "$$f" || exit 1; done
else
# The release program is installed, whatever else is being built.
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
	$(call uninstall_files,$(docdir),$(DOCUMENTS))
	$(call uninstall_files,$(pkgdatadir),$(SHIPPED_FILES))
	$(call uninstall_files,$(includedir)/sahm,$(PUBLIC_HEADERS) $(foreach f,$(FORWARDS) $(MERGED),$(firstword $(subst :, ,$(f)))))
