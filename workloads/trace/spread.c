#include "workloads/trace/spread.h"

#include <string.h>

void spread_begin(struct spread *s, const struct epoch_counts *counts, uint64_t weight)
{
	s->flows = *counts;
	s->given = (struct epoch_counts){0};
	s->weight = weight;
	s->done = 0;
	/* Each counter with a part becomes the remainder. A counter has one part at most, and a part none. */
	for (int c = 0; c < NR_COUNTERS; c++)
		if ((int)counter_rows[c].part_of != c)
			s->flows.count[counter_rows[c].part_of] -= s->flows.count[c];
}

void spread_take(struct spread *s, uint64_t weight)
{
	s->done += weight;
	for (int c = 0; c < NR_COUNTERS; c++) {
		uint64_t v = s->flows.count[c];
		/* At most (2^64 - 1)^2 + 2^63, which fits; what is whole needs no division. */
		uint64_t upto =
			s->done == s->weight ? v : (uint64_t)(((spread_sum)v * s->done + s->weight / 2) / s->weight);
		s->sum[c] += upto - s->given.count[c];
		s->given.count[c] = upto;
	}
}

enum counter spread_close(struct spread *s, struct epoch_counts *e)
{
	for (int c = 0; c < NR_COUNTERS; c++)
		if ((int)counter_rows[c].part_of != c)
			s->sum[counter_rows[c].part_of] += s->sum[c];
	for (int c = 0; c < NR_COUNTERS; c++) {
		if (s->sum[c] > UINT64_MAX)
			return (enum counter)c;
		e->count[c] = (uint64_t)s->sum[c];
	}
	memset(s->sum, 0, sizeof(s->sum));
	return NR_COUNTERS;
}
