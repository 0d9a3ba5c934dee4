# Library, program, man pages.

.PHONY: all program lib man clean format
all: $(if $(filter build/$(VARIANT),$(B)),build/sahm) program lib qemu-plugin
	@:

# build/sahm is always the release program, whatever else is being built.
ifeq ($(B),build/release)
build/sahm: $(B)/sahm build/sahm-qemu.so
	$(say) COPY $@
	$(Q)cp -f $< $@.tmp && mv -f $@.tmp $@

build/sahm-qemu.so: $(B)/sahm-qemu.so
	$(say) COPY $@
	$(Q)cp -f $< $@.tmp && mv -f $@.tmp $@
else
build/sahm: FORCE
	$(Q)$(MAKE) --no-print-directory VARIANT=release B=build/release build/sahm

build/release/libsahm.a: build/sahm ;
endif

program: $(B)/sahm
lib: $(B)/libsahm.a

$(B)/libsahm.a: $(LIB_OBJS) $(B)/objects
	$(say) AR $@
	$(Q)rm -f $@ && ar rcs $@ $(LIB_OBJS)

# Tests that run meanwhile find the old program or the new one.
$(B)/sahm: $(CLI_OBJS) $(if $(filter asan,$(VARIANT)),$(B)/obj/tests/helper/lsan.o) $(B)/libsahm.a
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@.tmp $^ $(pkg_libs) $(sys_libs) && mv -f $@.tmp $@

# The program that calibrates the synthetic suite; only `make suite` needs it.
$(B)/sahm-fit: $(FIT_OBJS) $(B)/libsahm.a
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(pkg_libs) $(sys_libs)

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A soft-logic module is a plug-in, and part of the library under a name that no other module has.
$(B)/obj/ipu/soft/modules/%.o: private CPPFLAGS += -Dsahm_soft_module=soft_module_$(*F)

# Code in another language becomes a string, named after its file: queue_take.lua is `extern const char queue_take_lua[]`.
# Lines that are nothing but a comment of C (of CSS and SQL, too) stay out.
$(call objs,$(TEXTS)): $(B)/obj/%.o: % $(B)/flags
	@mkdir -p $(@D)
	$(say) EMBED $@
	$(Q){ echo 'extern const char $(subst .,_,$(<F))[];' && echo 'const char $(subst .,_,$(<F))[] =' && \
	  LC_ALL=C sed '/^ *\/\*.*\*\/$$/d; s/[\\"?]/\\&/g; s/.*/"&\\n"/' $< && echo ';'; } | $(CC) $(ALL_CFLAGS) -x c -c -o $@ -

# Makes $@ what is piped in; it keeps its time where it is that already. Several makes may do so at once.
update = { cat > $@.$$$$ && if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi; }

# What can change a result; a digest of it tells programs apart whose results may differ.
MODEL_RESULTS := metrics/run_* metrics/trace_words* metrics/box* store/run_record* studies/evaluate* studies/limit*
MODEL_SRCS := $(sort $(wildcard $(MODEL_ROOMS:%=%/*.[ch]) \
	$(foreach f,$(MODEL_RESULTS),results/$(f).[ch])))
$(B)/obj/sim/engine/model.o: private CPPFLAGS += -I$(B)
$(B)/obj/sim/engine/model.o: $(B)/model_id.h
$(B)/model_id.h: $(MODEL_SRCS) FORCE
	@mkdir -p $(@D)
	@printf '#define SAHM_MODEL_ID "%s"\n' "$$(cat $(MODEL_SRCS) | sha256sum | cut -c1-12)" | $(update)

# Stamps that change when the compiler, its flags or the list of sources do, so that what depends on them is made again.
FLAGS_TEXT = $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS)
quote = '$(subst ','\'',$(1))'
stamp = @mkdir -p $(@D); printf '%s\n' $(call quote,$(1)) | cmp -s - $@ || printf '%s\n' $(call quote,$(1)) > $@
$(B)/flags: FORCE
	$(call stamp,$(FLAGS_TEXT))
$(B)/objects: FORCE
	$(call stamp,$(LIB_OBJS) $(CLI_OBJS))

.PHONY: FORCE
FORCE:

man: build/man/sahm.1 build/man/sahm-config.5

build/man/%: docs/man/%.in mk/man.sh build/sahm
	@mkdir -p $(@D)
	$(say) MAN $@
	$(Q)sh mk/man.sh build/sahm $< > $@

format:
	find sim cores workloads sched ipu results tests -name '*.[ch]' ! -name '*_list.h' ! -path 'workloads/suites/open/*' -exec clang-format -i {} +

clean:
	rm -rf build

# -include, so that a fresh tree has nothing to say
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
