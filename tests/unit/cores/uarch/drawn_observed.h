/* Random cores and programs (drawn.h) whose signals and slots are compared: with classes, addresses and pcs as decoders
 * make them, where drawn.h has any, since timing models do not look at them. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_DRAWN_OBSERVED_H
#define SAHM_TESTS_UNIT_CORES_UARCH_DRAWN_OBSERVED_H

#include <stdlib.h>

#include "cores/uarch/core_signals.h"
#include "cores/uarch/timing.h"
#include "tests/unit/cores/uarch/drawn.h"
#include "tests/unit/test.h"

/* With no more issue ports than a signal has lanes. */
static inline struct core_timing draw_observed_core(void)
{
	struct core_timing t;
	unsigned nr;
	do {
		t = draw_core();
		nr = 0;
		for (unsigned q = 0; q < t.nr_queues; q++)
			nr += t.queues[q].issue;
	} while (nr > MAX_SIGNAL_LANES);
	return t;
}

static inline void draw_observed_program(void)
{
	static const enum insn_class branches[] = {INSN_BRANCH, INSN_BRANCH,	    INSN_JUMP,	       INSN_CALL,
						   INSN_RETURN, INSN_INDIRECT_JUMP, INSN_INDIRECT_CALL};
	draw_program(0);
	/* Half of the long ones mispredict nothing until near the end, after more uops than a ROB holds. */
	size_t calm = program.nr > MAX_ROB + 400 && one_in(&rng, 2) ? program.nr - 200 : 0;
	for (size_t i = 0; i < program.nr; i++) {
		struct uop *u = &program.uops[i];
		if (i < calm)
			u->flags &= (uint8_t)~UOP_MISPREDICTED;
		bool is_marked =
			insn_is_branch((enum insn_class)u->class) || u->class == INSN_SYSTEM || u->class == INSN_FENCE;
		if (u->flags & UOP_BRANCH)
			u->class = (uint8_t)PICK(&rng, branches);
		else if (is_marked && !(u->flags & (UOP_SYSTEM | UOP_FENCE)))
			u->class = INSN_INTEGER;
		if (u->bytes > 0)
			u->address = 8 * (uint64_t)pick(1, 1000);
	}
}

/* The stamps of the program, in batches of whole instructions, of any number. */
static inline void time_program(const struct core_timing *t, struct uop_stamps *out, struct timing_result *result)
{
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	while (from < program.nr) {
		struct uop_stamps *to = out + from;
		draw_batch(b, pick(1, BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		timing_batch(m, b, to);
	}
	timing_result(m, result);
	free(b);
	timing_free(m);
}

#endif
