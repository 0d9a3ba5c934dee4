# Which files make what.

# The rooms of the library, lowest first. Code that can change a result is in those of the model, up to the engine.
MODEL_ROOMS := sim/base $(addprefix cores/,isa uarch chip) $(addprefix sched/,host ordered policies) $(addprefix workloads/,trace synth bursts import stream record) $(addprefix ipu/,core jit trust soft soft/modules unit studies) sim/engine sim/engine/config
LIB_ROOMS := $(MODEL_ROOMS) cores/uarch/graph $(addprefix results/,metrics cores chart timeline store page studies report) sim/sweep sim/queue
# Code in other languages lies beside the C that uses it; the program has its text (mk/build.mk).
LANGUAGES := lua sql css bash zsh fish
sources = $(sort $(wildcard $(foreach language,c $(LANGUAGES),$(1:%=%/*.$(language)))))
LIB_SRCS := $(call sources,$(LIB_ROOMS))
CLI_SRCS := $(call sources,sim/cli)
TEXTS := $(filter-out %.c,$(LIB_SRCS) $(CLI_SRCS))
FIT_SRCS := $(sort $(wildcard sim/fit/*.c))
HELPER_SRCS := $(sort $(wildcard tests/helper/*.c tests/reference/*.c))
UNIT_SRCS := $(sort $(shell find tests/unit -name 'test_*.c'))
FUZZ_SRCS := $(sort $(wildcard tests/fuzz/fuzz_*.c))
DRAW_SRCS := $(sort $(wildcard tests/draw/*.c))
BENCH_SRCS := $(sort $(wildcard tests/bench/*.c))

objs = $(patsubst %,$(B)/obj/%.o,$(1:.c=))

LIB_OBJS := $(call objs,$(LIB_SRCS))
CLI_OBJS := $(call objs,$(CLI_SRCS))
FIT_OBJS := $(call objs,$(FIT_SRCS))
HELPER_OBJS := $(call objs,$(HELPER_SRCS))
# A test program per room: tests/unit/sim/base/test_*.c make sim_base.
room_of = $(subst /,_,$(patsubst tests/unit/%/,%,$(dir $(1))))
room_srcs = $(foreach f,$(UNIT_SRCS),$(if $(filter $(1),$(call room_of,$(f))),$(f)))
UNIT_ROOMS := $(sort $(foreach f,$(UNIT_SRCS),$(call room_of,$(f))))
UNIT_PROGS := $(UNIT_ROOMS:%=$(B)/tests/%)
DRAW_PROGS := $(patsubst tests/draw/%.c,$(B)/tests/%,$(DRAW_SRCS))
BENCH_PROGS := $(patsubst tests/bench/%.c,$(B)/bench/%,$(BENCH_SRCS))
