#include "tests/reference/refcycle_issue.h"

#include <stdlib.h>

bool refcycle_has_row(struct refcycle_issue *s, uint64_t cycle)
{
	size_t nr = s->nr_rows;
	if (cycle < nr)
		return true;
	while (cycle >= nr)
		nr = nr ? nr * 2 : 4096;
	struct refcycle_row *rows = realloc(s->rows, nr * sizeof(*rows));
	if (!rows) {
		s->has_failed = true;
		return false;
	}
	for (size_t c = s->nr_rows; c < nr; c++)
		rows[c] = (struct refcycle_row){0};
	s->rows = rows;
	s->nr_rows = nr;
	return true;
}

uint64_t refcycle_find_room(struct refcycle_issue *s, const struct uop *u, uint64_t at)
{
	unsigned queue = refcycle_queue_of(s->t, u);
	while (refcycle_has_row(s, at) && s->rows[at].held[queue] == s->t->queues[queue].entries)
		at++;
	return at;
}

/* Rules 3.4.2 and 3.4.3: for how many cycles a uop takes its unit. */
static unsigned occupation(const struct refcycle_issue *s, const struct uop *u)
{
	return s->t->groups[s->t->group[u->class]].is_pipelined ? 1 : s->t->latency[u->class];
}

static uint64_t find_out_of_order(struct refcycle_issue *s, const struct uop *u, uint64_t at, uint16_t *unit)
{
	unsigned group = s->t->group[u->class], queue = refcycle_queue_of(s->t, u), cycles = occupation(s, u);
	for (; refcycle_has_row(s, at + cycles); at++) {
		uint32_t free = (UINT32_C(1) << s->t->groups[group].units) - 1;
		if (s->rows[at].issued[queue] == s->t->queues[queue].issue)
			continue;
		for (unsigned k = 0; k < cycles && free; k++)
			free &= ~s->rows[at + k].busy[group];
		*unit = (uint16_t)(free & (~free + 1));
		if (free)
			break;
	}
	return at;
}

static uint64_t find_in_order(const struct refcycle_issue *s, const struct uop *u, uint64_t at)
{
	unsigned group = s->t->group[u->class];
	uint64_t unit_free = UNKNOWN;
	at = refcycle_first_in_order(&s->issued, s->t->issue_width, at);
	if ((is_load(u) || is_store(u)) && at == s->issued.cycle && s->nr_memory == s->t->same_cycle_memory)
		at++;
	for (unsigned k = 0; k < s->t->groups[group].units; k++)
		if (s->unit_free[group][k] < unit_free)
			unit_free = s->unit_free[group][k];
	return later(at, unit_free);
}

uint64_t refcycle_find_issue(struct refcycle_issue *s, const struct uop *u, uint64_t at, uint16_t *unit)
{
	return s->t->kind == CORE_IN_ORDER ? find_in_order(s, u, at) : find_out_of_order(s, u, at, unit);
}

bool refcycle_has_no_slot(struct refcycle_issue *s, const struct uop *u, uint64_t cycle)
{
	unsigned queue = refcycle_queue_of(s->t, u);
	if (s->t->kind == CORE_OUT_OF_ORDER)
		return refcycle_has_row(s, cycle) && s->rows[cycle].issued[queue] == s->t->queues[queue].issue;
	return cycle == s->issued.cycle && (s->issued.nr >= s->t->issue_width ||
					    ((is_load(u) || is_store(u)) && s->nr_memory == s->t->same_cycle_memory));
}

static void take_out_of_order(struct refcycle_issue *s, const struct uop *u, uint64_t dispatched, uint64_t at,
			      uint16_t unit)
{
	unsigned queue = refcycle_queue_of(s->t, u), cycles = occupation(s, u);
	if (!refcycle_has_row(s, at + cycles))
		return;
	s->rows[at].issued[queue]++;
	for (unsigned k = 0; k < cycles; k++)
		s->rows[at + k].busy[s->t->group[u->class]] |= unit;
	for (uint64_t c = dispatched; c <= at; c++)
		s->rows[c].held[queue]++;
}

static void take_in_order(struct refcycle_issue *s, const struct uop *u, uint64_t at)
{
	uint64_t *unit = s->unit_free[s->t->group[u->class]];
	if (at > s->issued.cycle)
		s->nr_memory = 0;
	s->nr_memory += is_load(u) || is_store(u);
	refcycle_take_in_order(&s->issued, at);
	while (*unit > at)
		unit++;
	*unit = at + occupation(s, u);
}

void refcycle_take_issue(struct refcycle_issue *s, const struct uop *u, uint64_t dispatched, uint64_t at, uint16_t unit)
{
	if (s->t->kind == CORE_IN_ORDER)
		take_in_order(s, u, at);
	else
		take_out_of_order(s, u, dispatched, at, unit);
}
