/* A second timing model: the rules of docs/cores.md in program order, over arrays as long as the program. Nothing is
 * kept but what each older uop did; slots, entries and units are found by looking at all of them. Slow and obvious. */
#ifndef SAHM_TESTS_REFERENCE_REFCORE_H
#define SAHM_TESTS_REFERENCE_REFCORE_H

#include <stdbool.h>
#include <stddef.h>

#include "cores/uarch/core_timing.h"

/* What occurred, for tests that must not compare empty runs. */
struct refcore_seen {
	size_t violations, forwards, drained_first, rob, queue, registers, load_queue, store_queue, mshr, bus, units,
		redirects, serialized, in_flight, prefetches, blocked;
};

/* The times of uops[nr]; prefetches are those of all uops, in order. False when memory is short. */
bool refcore_run(const struct core_timing *t, const struct uop *uops, size_t nr, const struct uop_prefetch *prefetches,
		 struct uop_stamps *out, struct refcore_seen *seen);

#endif
