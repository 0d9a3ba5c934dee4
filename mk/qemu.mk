# The recorder's plug-in for qemu-user: a shared object with the parts of the library that it needs, built for itself, since
# those of the library are not made for shared objects. QEMU loads it, which has no sanitizers: undefined behaviour ends
# the program there where a variant looks for it, without their library.

QEMU_SRCS := $(wildcard workloads/record/qemu/*.c) $(addprefix workloads/record/,record_program.c qemu_line.c) $(addprefix cores/uarch/,cache.c replacement_pdp.c predictor.c predictor_corrector.c predictor_loop.c counted_core.c) \
	$(addprefix cores/isa/,insn.c riscv.c decode_rv64.c decode_x86.c) $(addprefix workloads/stream/stream_,writer.c blocks.c file.c layout.c model.c) \
	$(addprefix sim/base/,err.c arena.c clean.c textbuf.c hash.c file.c hold.c late_library.c number.c shell.c utf8.c)
QEMU_OBJS := $(patsubst %.c,$(B)/pic/%.o,$(QEMU_SRCS))
QEMU_SANITIZE := $(if $(filter asan ubsan,$(VARIANT)),-fsanitize=undefined -fsanitize-undefined-trap-on-error)
QEMU_OPT := $(if $(filter debug coverage,$(VARIANT)),$(OPT),-O2)
ALL_QEMU_CFLAGS = -std=c17 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(QEMU_OPT) -g -ffp-contract=off -fPIC -fvisibility=hidden $(WARNINGS) \
	$(if $(WERROR),-Werror) $(QEMU_SANITIZE) -I. $(pkg_cflags) $(CPPFLAGS) $(CFLAGS)
QEMU_LIBS := libzstd libsodium
qemu_libs = $(eval qemu_libs := $(call pkg,--libs,$(QEMU_LIBS)))$(qemu_libs)

.PHONY: qemu-plugin
qemu-plugin: $(B)/sahm-qemu.so
	@:

# QEMU's symbols are found when it loads the plug-in; all else must be there now.
$(B)/sahm-qemu.so: $(QEMU_OBJS) $(B)/qemu_objects
	$(say) LINK $@
	$(Q)$(CC) -shared $(QEMU_SANITIZE) $(PLACED_LDFLAGS) $(LDFLAGS) -o $@ $(QEMU_OBJS) $(qemu_libs) -ldl

$(B)/pic/%.o: %.c $(B)/qemu_flags
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_QEMU_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/qemu_flags: FORCE
	$(call stamp,$(CC) $(ALL_QEMU_CFLAGS) $(LDFLAGS))

$(B)/qemu_objects: FORCE
	$(call stamp,$(QEMU_OBJS))

-include $(shell find $(B)/pic -name '*.d' 2>/dev/null)

# What tests and benchmarks run: a program, also for RISC-V where there is a compiler, and a plug-in that counts in another way.
RISCV_LINUX_CC ?= riscv64-linux-gnu-gcc
QEMU_TESTS := $(B)/qemu/work $(B)/qemu/count.so

.PHONY: qemu-tests
qemu-tests: $(QEMU_TESTS)
	@if command -v "$(RISCV_LINUX_CC)" > /dev/null 2>&1; then $(MAKE) --no-print-directory $(B)/qemu/work-riscv64; \
	else echo 'no program for RISC-V: $(RISCV_LINUX_CC) is not installed (Debian: gcc-riscv64-linux-gnu libc6-dev-riscv64-cross)'; fi

$(B)/qemu/work: tests/qemu/work.c $(B)/qemu_flags
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE -O2 $(WARNINGS) $(if $(WERROR),-Werror) -o $@ $<

$(B)/qemu/work-riscv64: tests/qemu/work.c
	@mkdir -p $(@D)
	$(say) RISCV $@
	$(Q)$(RISCV_LINUX_CC) -std=c17 -D_GNU_SOURCE -O2 -static -o $@ $<

$(B)/qemu/count.so: $(B)/pic/tests/qemu/count.o
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) -shared $(QEMU_SANITIZE) $(LDFLAGS) -o $@ $^

$(B)/obj/tests/bench/bench_record.o: private CPPFLAGS += -DQEMU_PLUGIN='"$(B)/sahm-qemu.so"' -DCOUNT_PLUGIN='"$(B)/qemu/count.so"' \
	-DWORK_PROGRAM='"$(B)/qemu/work"'
$(addprefix $(B)/obj/tests/bench/bench_,core.o counters.o ipu_pics.o lanes.o pics.o soft_ab.o specialize.o): private CPPFLAGS += -DQEMU_PLUGIN='"$(B)/sahm-qemu.so"'
$(addprefix $(B)/bench/bench_,core counters lanes pics soft_ab specialize): | $(B)/sahm-qemu.so
$(B)/bench/bench_record: | $(B)/sahm-qemu.so $(QEMU_TESTS)
