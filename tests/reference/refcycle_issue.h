/* The issue stages of both kinds of core in program order: each uop takes the first slot and unit that older uops have
 * left. Out of order, tables by cycle say what they have taken; in order, only the last cycle matters. */
#ifndef SAHM_TESTS_REFERENCE_REFCYCLE_ISSUE_H
#define SAHM_TESTS_REFERENCE_REFCYCLE_ISSUE_H

#include "tests/reference/refcycle_internal.h"

/* What the uops so far take of a cycle, in an out-of-order core. */
struct refcycle_row {
	uint16_t held[MAX_ISSUE_QUEUES];   /* entries of queues */
	uint16_t issued[MAX_ISSUE_QUEUES]; /* slots */
	uint16_t busy[MAX_UNIT_GROUPS];	   /* units, a bit each */
};

/* The last cycle taken by something that goes in order, and how often. */
struct refcycle_last {
	uint64_t cycle;
	unsigned nr;
};

struct refcycle_issue {
	const struct core_timing *t;
	bool has_failed; /* memory is short: no result counts */

	/* Out-of-order. */
	struct refcycle_row *rows; /* by cycle */
	size_t nr_rows;

	/* In-order. */
	struct refcycle_last issued;
	unsigned nr_memory; /* loads and stores in that cycle */
	uint64_t unit_free[MAX_UNIT_GROUPS][MAX_WIDTH];
};

/* "Width w in order": the first cycle at or past `at`. */
static inline uint64_t refcycle_first_in_order(const struct refcycle_last *l, unsigned width, uint64_t at)
{
	if (at > l->cycle)
		return at;
	return l->nr < width ? l->cycle : l->cycle + 1;
}

static inline void refcycle_take_in_order(struct refcycle_last *l, uint64_t cycle)
{
	l->nr = cycle == l->cycle ? l->nr + 1 : 1;
	l->cycle = cycle;
}

/* The issue queue of a uop. */
static inline unsigned refcycle_queue_of(const struct core_timing *t, const struct uop *u)
{
	return t->groups[t->group[u->class]].queue;
}

/* Makes the tables have cycle `cycle`. */
bool refcycle_has_row(struct refcycle_issue *s, uint64_t cycle);

/* Rule 3.2.7: the first cycle at or past `at` in which the uop's queue has room. */
uint64_t refcycle_find_room(struct refcycle_issue *s, const struct uop *u, uint64_t at);

/* Rules 3.4 and 4.5: the first cycle at or past `at` with a slot and a unit, of which *unit has the bit. */
uint64_t refcycle_find_issue(struct refcycle_issue *s, const struct uop *u, uint64_t at, uint16_t *unit);

/* Whether `cycle`, which older uops may have taken, has no slot for `u`. */
bool refcycle_has_no_slot(struct refcycle_issue *s, const struct uop *u, uint64_t cycle);

/* The uop, dispatched in cycle `dispatched`, issues in cycle `at`, which was found for it with `unit`. */
void refcycle_take_issue(struct refcycle_issue *s, const struct uop *u, uint64_t dispatched, uint64_t at,
			 uint16_t unit);

#endif
