/* Spreading: counts of one stretch shared out over others that begin and end elsewhere.
 *
 * A stretch has a weight, its length in ns or instructions, and its counts lie evenly on it: of v events, the first x
 * of a weight w hold v * x / w, rounded to the nearest integer, halves up, and what lies between two points is the
 * difference. So no event is lost or made, whatever the lengths, and the result does not depend on the machine. A
 * counter that is part of another (cores/chip/counter_list.h) is shared out beside the remainder of its whole, and the
 * two are added: the part cannot exceed the whole then. What is taken thus differs from an even share by less than one
 * event, and for wholes with a part by less than two.
 */
#ifndef SAHM_WORKLOADS_TRACE_SPREAD_H
#define SAHM_WORKLOADS_TRACE_SPREAD_H

#include "cores/chip/counters.h"
#include "sim/base/err.h"

__extension__ typedef unsigned __int128 spread_sum;

struct spread {
	struct epoch_counts flows, given; /* of the stretch: counts without parts, and how much of them was taken */
	uint64_t weight, done;
	spread_sum sum[NR_COUNTERS]; /* taken since the last spread_close(), as flows */
};

/* Begins the stretch of `counts` and `weight`; the rest of the one before is dropped. Zeroed storage is an
 * empty spread. `counts` may not contradict themselves. */
void spread_begin(struct spread *s, const struct epoch_counts *counts, uint64_t weight);

/* The part of the stretch that is not taken yet. A stretch of weight 0 is a point: taking anything takes all of it. */
static inline uint64_t spread_left(const struct spread *s)
{
	return s->weight - s->done;
}

/* Takes the next `weight` (at most spread_left()) of the stretch. */
void spread_take(struct spread *s, uint64_t weight);

/* Writes the parts taken since the last call to `e`, and restarts. The counter whose sum does not fit 64 bits, or
 * NR_COUNTERS when all do. */
enum counter spread_close(struct spread *s, struct epoch_counts *e);

#endif
