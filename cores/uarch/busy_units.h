/* Units that are not pipelined: which is busy from when to when. */
#ifndef SAHM_CORES_UARCH_BUSY_UNITS_H
#define SAHM_CORES_UARCH_BUSY_UNITS_H

#include "cores/uarch/core_timing.h"

struct busy_unit {
	uint64_t begin, end;
	uint32_t unit;
};

struct busy_units {
	uint32_t nr;
	struct busy_unit busy[MAX_ROB + MAX_WIDTH];
};

/* The first cycle at or past `cycle` in which a unit is free for `latency` cycles; the unit in *unit. */
static inline uint64_t busy_units_find(const struct busy_units *b, uint64_t cycle, unsigned nr_units, unsigned latency,
				       uint32_t *unit)
{
	for (;;) {
		uint32_t busy = 0;
		uint64_t next = UINT64_MAX;
		for (uint32_t i = 0; i < b->nr; i++) {
			const struct busy_unit *u = &b->busy[i];
			if (u->begin >= cycle + latency || u->end <= cycle)
				continue;
			busy |= 1u << u->unit;
			next = u->end < next ? u->end : next;
		}
		*unit = (uint32_t)__builtin_ctz(~busy);
		if (*unit < nr_units)
			return cycle;
		cycle = next;
	}
}

/* Unit `unit` is busy for `latency` cycles from `cycle` on; none is asked for before `base` any more. */
static inline void busy_units_take(struct busy_units *b, uint64_t base, uint64_t cycle, unsigned latency, uint32_t unit)
{
	uint32_t nr = 0;
	for (uint32_t i = 0; i < b->nr; i++)
		if (b->busy[i].end > base)
			b->busy[nr++] = b->busy[i];
	b->busy[nr++] = (struct busy_unit){cycle, cycle + latency, unit};
	b->nr = nr;
}

#endif
