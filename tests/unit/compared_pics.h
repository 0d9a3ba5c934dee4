/* Rows of a pass over what a core shows for cycle stacks, compared one by one with the slow reference. */
#ifndef SAHM_TESTS_UNIT_COMPARED_PICS_H
#define SAHM_TESTS_UNIT_COMPARED_PICS_H

#include <string.h>

#include "tests/helper/random.h"
#include "tests/reference/refpics.h"
#include "tests/unit/test.h"

/* Which rows the pass is expected to pass on. */
enum pics_rows { PICS_ROWS_ALL, PICS_ROWS_FLAGS, PICS_ROWS_PERIOD, PICS_ROWS_RANDOM, NR_PICS_ROWS };

struct compared_pics {
	const char *what;
	const struct refpics *slow;
	enum pics_rows rows;
	uint64_t period; /* PICS_ROWS_PERIOD asks for its multiples, PICS_ROWS_RANDOM for one of the `period` next
			    cycles */
	uint64_t rng;
	uint64_t asked, next; /* next: the first cycle that was not looked at */
	uint64_t nr_rows, before[NR_PICS_SIGNALS];
};

static inline bool pics_row_is_due(const struct compared_pics *p, uint64_t c)
{
	if (p->rows == PICS_ROWS_ALL)
		return refpics_has_row(p->slow, c);
	return p->slow->cycles[c].flags != 0 || c == p->asked;
}

/* The first cycle of [p->next, end) that was due, or `end`. */
static inline uint64_t next_due(const struct compared_pics *p, uint64_t end)
{
	uint64_t c = p->next;
	while (c < end && !pics_row_is_due(p, c))
		c++;
	return c;
}

/* The next cycle that is asked for, `from` or later. */
static inline uint64_t next_asked(struct compared_pics *p, uint64_t from)
{
	switch (p->rows) {
	case PICS_ROWS_PERIOD:
		return (from + p->period - 1) / p->period * p->period;
	case PICS_ROWS_RANDOM:
		return from + between(&p->rng, 0, p->period - 1);
	default:
		return UINT64_MAX;
	}
}

static inline uint64_t compare_pics_row(void *ctx, const struct pics_row *row)
{
	struct compared_pics *p = ctx;
	const struct pics_row *expected = &p->slow->cycles[row->cycle];
	uint32_t changed = 0;
	if (row->cycle < p->next || row->cycle >= p->slow->counts.cycles)
		fail_msg("%s: row of cycle %llu, past %llu of %llu", p->what, (unsigned long long)row->cycle,
			 (unsigned long long)p->next, (unsigned long long)p->slow->counts.cycles);
	if (next_due(p, row->cycle + 1) != row->cycle)
		fail_msg("%s: row of cycle %llu, not %llu", p->what, (unsigned long long)row->cycle,
			 (unsigned long long)next_due(p, row->cycle + 1));
	if (row->flags != expected->flags)
		fail_msg("%s: cycle %llu has flags %#x, not %#x", p->what, (unsigned long long)row->cycle, row->flags,
			 expected->flags);
	for (unsigned k = PICS_ROB_EMPTY; k < NR_PICS_SIGNALS; k++) {
		if (row->values[k] != expected->values[k])
			fail_msg("%s: in cycle %llu %s is %#llx, not %#llx", p->what, (unsigned long long)row->cycle,
				 pics_signal_name((enum pics_signal)k), (unsigned long long)row->values[k],
				 (unsigned long long)expected->values[k]);
		if (p->nr_rows == 0 || expected->values[k] != p->before[k])
			changed |= 1u << k;
		p->before[k] = expected->values[k];
	}
	if (row->changed != changed)
		fail_msg("%s: in cycle %llu levels %#x changed, not %#x", p->what, (unsigned long long)row->cycle,
			 row->changed, changed);
	p->nr_rows++;
	p->next = row->cycle + 1;
	return p->asked = next_asked(p, p->next);
}

/* The options with which a pass is compared; `p` is used until the end. */
static inline struct pics_options compared_pics_options(struct compared_pics *p)
{
	p->asked = next_asked(p, 0);
	return (struct pics_options){
		.has_all = p->rows == PICS_ROWS_ALL, .asked = p->asked, .take = compare_pics_row, .ctx = p};
}

/* After pics_pass_end(): no row is missing, and the counts are equal. */
static inline void compare_pics_end(const struct compared_pics *p, const struct pics_counts *fast)
{
	const struct pics_counts *slow = &p->slow->counts;
	if (next_due(p, slow->cycles) != slow->cycles)
		fail_msg("%s: no row of cycle %llu", p->what, (unsigned long long)next_due(p, slow->cycles));
	if (memcmp(fast, slow, sizeof(*fast)) != 0)
		fail_msg("%s: %llu cycles, %llu with events, lost %llu, %llu, %llu; not %llu, %llu, %llu, %llu, %llu",
			 p->what, (unsigned long long)fast->cycles, (unsigned long long)fast->event_cycles,
			 (unsigned long long)fast->lost_fetch, (unsigned long long)fast->lost_access,
			 (unsigned long long)fast->lost_flush, (unsigned long long)slow->cycles,
			 (unsigned long long)slow->event_cycles, (unsigned long long)slow->lost_fetch,
			 (unsigned long long)slow->lost_access, (unsigned long long)slow->lost_flush);
}

#endif
