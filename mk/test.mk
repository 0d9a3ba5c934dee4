# Tests, fuzzers, benchmarks, the demo.

RUN_TESTS := bash tests/tools/run_tests.sh

.PHONY: demo check check-ci check-full check-long check-built tests-built bench fuzz fuzz-continuous lint

# Who calls make without -j has as many jobs as processors all the same; the tests' own calls of make do not inherit them.
parallel = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

demo:
	@sh mk/packages.sh build
	@$(MAKE) $(parallel) --no-print-directory VARIANT=release build/sahm
	@printf '\nThe open suite: real programs of Debian, recorded in QEMU under a model of a core (workloads/suites/open).\n'
	@printf '$$ build/sahm characterize workloads/suites/open/*.csv.zst\n\n'
	@build/sahm characterize workloads/suites/open/*.csv.zst
	@printf '\n39 threads that compete for 39 cores:\n$$ build/sahm run configs/open-39.cfg | tail -n 5\n\n'
	@build/sahm run configs/open-39.cfg | tail -n 5
	@printf '\nEach program alone on the canonical chip:\n$$ build/sahm run configs/open.cfg\n\n'
	@build/sahm run configs/open.cfg
	@printf '\nTo call it as sahm: PATH="%s/build:$$PATH"\n' '$(subst ','\'',$(CURDIR))'

# Missing packages are installed first; make then starts again, since it looks for packages when it reads its rules.
check:
	@sh mk/packages.sh build test
	@$(MAKE) $(parallel) --no-print-directory VARIANT=release check-built
	@$(RUN_TESTS) check

check-ci check-full: check-%:
	@sh mk/packages.sh build test
	@$(MAKE) $(parallel) --no-print-directory VARIANT=release build/sahm man tests-built $(if $(filter full,$*),build/release/sahm-fit)
	@$(MAKE) $(parallel) --no-print-directory VARIANT=asan tests-built build/asan/sahm-alloc
	@$(RUN_TESTS) $*

check-long:
	@sh mk/packages.sh build test
	@$(MAKE) $(parallel) --no-print-directory VARIANT=release build/sahm tests-built
	@$(RUN_TESTS) long

# What unit tests, transcripts and corpora need; and what all others do.
check-built: $(if $(filter build/release,$(B)),build/sahm) $(B)/sahm $(UNIT_PROGS) $(B)/tests/replay $(EXAMPLES) $(TEST_PLUGINS) $(TEST_SOFT)
tests-built: check-built $(B)/sahm-qemu.so qemu-tests $(DRAW_PROGS) $(B)/tests/fail_calls
check-built tests-built:
	@:

# Rows of an X-macro list, made again when they change.
rows = @mkdir -p $(@D); printf '$(1)(%s)\n' $(2) | cmp -s - $@ || printf '$(1)(%s)\n' $(2) > $@

# tests/unit/run_room.c with the files of a room.
$(UNIT_ROOMS:%=$(B)/tests/%_list.h): $(B)/tests/%_list.h: FORCE
	$(call rows,FILE_ROW,$(basename $(notdir $(call room_srcs,$*))))

$(UNIT_ROOMS:%=$(B)/obj/tests/unit/run_%.o): $(B)/obj/tests/unit/run_%.o: tests/unit/run_room.c $(B)/tests/%_list.h $(B)/flags
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) -DROOM_LIST='"$(B)/tests/$*_list.h"' -MMD -MP -c -o $@ $<

.SECONDEXPANSION:
$(UNIT_PROGS): $(B)/tests/%: $$(call objs,$$(call room_srcs,$$*)) $(B)/obj/tests/unit/run_%.o $(HELPER_OBJS) $(B)/libsahm.a
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(pkg_libs) $(test_libs) $(sys_libs)

# run_room.c counts the tests that match.
$(UNIT_PROGS): private ALL_LDFLAGS += -Wl,--wrap=_cmocka_run_group_tests

# test_sim_memory and test_stream_memory count what is allocated, and let it fail; the others of their rooms do not notice.
$(B)/tests/sim_engine $(B)/tests/workloads_stream: private ALL_LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
$(B)/tests/workloads_stream: private ALL_LDFLAGS += -Wl,--wrap=aligned_alloc

# The program, whose own allocations fail as tests/alloc/fail_alloc.c is configured.
ALLOC_CALLS := malloc calloc realloc aligned_alloc strdup strndup realpath fopen fdopen fmemopen fopencookie opendir scandir mmap fopen64 scandir64 mmap64 fdopendir
comma := ,
$(B)/sahm-alloc: $(CLI_OBJS) $(B)/obj/tests/alloc/fail_alloc.o $(if $(filter asan,$(VARIANT)),$(B)/obj/tests/helper/lsan.o) $(B)/libsahm.a
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) $(ALLOC_CALLS:%=-Wl$(comma)--wrap=%) -o $@ $^ $(pkg_libs) $(sys_libs)

# Makes a system call of a program fail (tests/tools/fail_calls.sh).
$(B)/tests/fail_calls: $(B)/obj/tests/torture/fail_calls.o
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^

$(B)/obj/tests/%.o: private CPPFLAGS += $(test_cflags)

# One program replays the corpora of all fuzz targets, whose entry points have their files' names there. A fuzzer (tests/tools/fuzz.sh)
# is a program per target, with the name that libFuzzer calls.
FUZZ_TARGETS := $(basename $(notdir $(FUZZ_SRCS)))
ifndef FUZZER
$(call objs,$(FUZZ_SRCS)): private CPPFLAGS += -DLLVMFuzzerTestOneInput=$(*F)
endif
$(B)/tests/fuzz_list.h: FORCE
	$(call rows,TARGET_ROW,$(FUZZ_TARGETS))
$(B)/obj/tests/fuzz/replay.o: private CPPFLAGS += -DTARGET_LIST='"$(B)/tests/fuzz_list.h"'
$(B)/obj/tests/fuzz/replay.o: $(B)/tests/fuzz_list.h

$(B)/tests/replay: $(call objs,$(FUZZ_SRCS)) $(B)/obj/tests/fuzz/replay.o $(HELPER_OBJS) $(B)/libsahm.a
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(pkg_libs) $(sys_libs)

# Programs that draw hostile inputs (tests/tools/extreme_configs.py).
$(B)/tests/draw_%: $(B)/obj/tests/draw/draw_%.o $(HELPER_OBJS) $(B)/libsahm.a
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(pkg_libs) $(sys_libs)

# libFuzzer: make fuzz FUZZ_SECONDS=600
FUZZ_SECONDS ?= 60
fuzz:
	@sh tests/tools/fuzz.sh $(FUZZ_SECONDS) || [ $$? = 77 ]

# For a machine to spare, until it is stopped: make fuzz-continuous FUZZ_HOURS=8 FUZZ_SLICE=300. No shell stands between make and the
# script: a signal to make reaches it.
FUZZ_HOURS ?=
FUZZ_SLICE ?= 120
fuzz-continuous:
	@FUZZ_HOURS=$(FUZZ_HOURS) FUZZ_SLICE=$(FUZZ_SLICE) exec sh tests/tools/fuzz.sh --continuous

$(B)/bench/%: $(B)/obj/tests/bench/%.o $(HELPER_OBJS) $(B)/libsahm.a
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(pkg_libs) $(sys_libs)

# Where the event-driven engine spends its time, by source file (PROFILE: a row of bench_engine, from 0)
PROFILE ?= 0
.PHONY: profile
profile: $(B)/bench/bench_engine
	@sh tests/tools/profile.sh $(B)/bench/bench_engine $(PROFILE) || [ $$? = 77 ]

# All of them, or some: make bench BENCH=ipu
BENCH ?=
BENCH_CHOSEN := $(if $(BENCH),$(patsubst %,$(B)/bench/bench_%,$(BENCH)),$(BENCH_PROGS))
bench: $(BENCH_CHOSEN)
	@for b in $(BENCH_CHOSEN); do "$$b" || exit 1; done

# The programs that the interpreter runs for it, where there is a compiler for them; bench_ipu says so where there is none.
RISCV_CC ?= riscv64-unknown-elf-gcc
RISCV_CFLAGS ?= -O2
ALL_RISCV_CFLAGS = -std=c17 -march=rv32im -mabi=ilp32 -ffreestanding -static -nostdlib $(RISCV_CFLAGS) -Wall -Wextra \
	$(if $(WERROR),-Werror)
KERNEL_PARTS := tests/ipu/bench/start.S tests/ipu/bench/runtime.c
KERNELS := $(patsubst tests/ipu/bench/kernel_%.c,$(B)/ipu/bench/%.elf,$(sort $(wildcard tests/ipu/bench/kernel_*.c)))

$(B)/obj/tests/bench/bench_ipu.o: private CPPFLAGS += -DKERNEL_FOLDER='"$(B)/ipu/bench"'
$(B)/bench/bench_ipu: | kernels

.PHONY: kernels kernels-built
kernels:
	@if command -v "$(RISCV_CC)" > /dev/null 2>&1; then $(MAKE) --no-print-directory kernels-built; \
	else echo 'no kernels: $(RISCV_CC) is not installed (Debian: gcc-riscv64-unknown-elf)'; fi

kernels-built: $(KERNELS)
	@:

$(B)/ipu/bench/%.elf: tests/ipu/bench/kernel_%.c $(KERNEL_PARTS) tests/ipu/bench/kernel.h tests/ipu/bench/kernel.ld $(B)/riscv_flags
	@mkdir -p $(@D)
	$(say) RISCV $@
	$(Q)$(RISCV_CC) $(ALL_RISCV_CFLAGS) -T tests/ipu/bench/kernel.ld -o $@ $< $(KERNEL_PARTS) -lgcc

$(B)/riscv_flags: FORCE
	$(call stamp,$(RISCV_CC) $(ALL_RISCV_CFLAGS))

lint:
	@sh tests/tools/check_layers.sh
	@sh tests/tools/check_headers.sh
	@sh tests/tools/check_architecture.sh
	@sh tests/tools/check_language.sh
	@sh tests/tools/check_format.sh

# From the character table to the shipped traces, and what they come to. SUITE: where to, for a look at another table.
SUITE ?= workloads/suites/synthetic
.PHONY: suite
suite:
	@sh mk/packages.sh build
	@$(MAKE) $(parallel) --no-print-directory VARIANT=release B=build/release build/sahm build/release/sahm-fit
	@sh mk/suite.sh build/release/sahm-fit build/sahm "$(SUITE)"
