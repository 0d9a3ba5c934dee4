# Policies as plug-ins: the examples, and those that break a rule each for the tests.

EXAMPLES := $(patsubst sched/examples/%.c,$(B)/examples/%.so,$(sort $(filter-out %.bpf.c,$(wildcard sched/examples/*.c))))
TEST_PLUGINS := $(patsubst tests/plugins/%.c,$(B)/tests/plugins/%.so,$(sort $(wildcard tests/plugins/*.c)))

# Soft-logic modules for tests: one that keeps the rules, and those that break one each.
TEST_SOFT := $(patsubst tests/soft/%.c,$(B)/tests/soft/%.so,$(sort $(wildcard tests/soft/*.c)))

# As a user would build them, but for the flags of the variant: a program and its plug-ins have the same sanitizers.
PLUGIN_WARNINGS := $(filter-out -Wmissing-prototypes -Wstrict-prototypes,$(WARNINGS)) -Wno-unused-parameter
ALL_PLUGIN_CFLAGS = -std=gnu17 -fPIC -fvisibility=hidden -shared $(OPT) -g $(PLUGIN_WARNINGS) $(if $(WERROR),-Werror) \
	$(SANITIZE_$(VARIANT)) -I. $(CFLAGS)

.PHONY: examples
examples: $(EXAMPLES)
	@:

build_plugin = $(Q)mkdir -p $(@D) $(B)/obj/plugins && \
	$(CC) $(ALL_PLUGIN_CFLAGS) -MMD -MP -MF $(B)/obj/plugins/$(subst /,_,$(@D))_$(*F).d -o $@ $<

$(B)/examples/%.so: sched/examples/%.c $(B)/plugin_flags
	$(say) PLUGIN $@
	$(build_plugin)

$(B)/tests/plugins/%.so: tests/plugins/%.c $(B)/plugin_flags
	$(say) PLUGIN $@
	$(build_plugin)

$(B)/tests/soft/%.so: tests/soft/%.c $(B)/plugin_flags
	$(say) MODULE $@
	$(build_plugin)

$(B)/plugin_flags: FORCE
	$(call stamp,$(CC) $(ALL_PLUGIN_CFLAGS))

$(B)/obj/tests/unit/sched/host/test_plugin.o $(B)/obj/tests/unit/sim/sweep/test_sweep_plugins.o: private CPPFLAGS += -DPLUGIN_FOLDER='"$(B)/tests/plugins"'
$(B)/obj/tests/unit/sim/queue/test_bundle.o: private CPPFLAGS += -DEXAMPLE_FOLDER='"$(B)/examples"'
$(B)/obj/tests/unit/ipu/soft/%.o: private CPPFLAGS += -DSOFT_FOLDER='"$(B)/tests/soft"'
$(B)/tests/sched_host $(B)/tests/sim_sweep: | $(TEST_PLUGINS)
$(B)/tests/sim_queue: | $(EXAMPLES)
$(B)/tests/ipu_soft: | $(TEST_SOFT)

# A scheduler for the kernel, built as a user would.
$(B)/examples/%.bpf.so: sched/examples/%.bpf.c $(wildcard sched/scx/*.h sched/scx/*/*.h) sched/host/ext.h \
		sched/host/bpf_calls.h sched/host/bpf_program.h $(B)/sahm
	$(say) PLUGIN $@
	$(Q)mkdir -p $(@D) && SAHM_DATA=. $(B)/sahm policy build --cc '$(CC)' -o $@ $< 2>/dev/null

$(B)/obj/tests/bench/bench_scx.o: private CPPFLAGS += -DHAND='"$(B)/examples/simple.so"' -DBUILT='"$(B)/examples/simple.bpf.so"'
$(B)/bench/bench_scx: | $(B)/examples/simple.so $(B)/examples/simple.bpf.so
