/* Random sets of cores for the lanes of timing_lanes.h, in the forms that this processor has. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_DRAWN_LANES_H
#define SAHM_TESTS_UNIT_CORES_UARCH_DRAWN_LANES_H

#include <limits.h>
#include <malloc.h>

#include "cores/uarch/timing_lanes.h"
#include "tests/unit/cores/uarch/drawn.h"
#include "tests/unit/test.h"

/* Keeps memory that was freed, instead of getting fresh pages from the system for each set of cores: without this,
 * three quarters of a test's time go by in the kernel. */
static inline void keep_memory(void)
{
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

static inline bool is_skipped(enum lane_form form)
{
	static bool said[NR_LANE_FORMS];
	if (lane_form_is_there(form))
		return false;
	if (!said[form])
		print_message("this processor has no %s: not compared\n", lane_form_name(form));
	said[form] = true;
	return true;
}

/* Every second set has cores of one make, which differ in a few sizes and latencies. */
static inline void draw_cores(struct core_timing *t, unsigned nr)
{
	bool is_alike = one_in(&rng, 2), has_misfits = one_in(&rng, 8);
	for (unsigned i = 0; i < nr; i++) {
		if (i > 0 && is_alike) {
			t[i] = t[0];
			t[i].rob = size(1, MAX_ROB);
			t[i].mshrs = size(1, MAX_MSHRS);
			t[i].load_queue = size(1, MAX_QUEUE_ENTRIES);
			t[i].dispatch_width = size(1, MAX_WIDTH);
			t[i].l1d_cycles = cycles(1);
			t[i].queues[0].entries = size(1, MAX_QUEUE_ENTRIES);
			t[i].memory_order = (uint8_t)pick(0, NR_MEMORY_ORDERS - 1);
			continue;
		}
		/* Most that are drawn have too many queues and groups of units for a word. */
		do
			t[i] = draw_core();
		while (!has_misfits && !timing_lanes_take(&t[i]));
	}
}

#endif
