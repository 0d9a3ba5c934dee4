#include <string.h>

#include "cores/uarch/timing_lanes_internal.h"

struct field {
	unsigned shift, bits;
};

/* A field that is full with `limit`; *next is the first free bit. */
static struct field add_field(struct lane_words *w, unsigned *next, unsigned limit)
{
	struct field f = {*next, 1};
	while (1u << (f.bits - 1) < limit)
		f.bits++;
	*next += f.bits;
	if (*next <= 32)
		w->bias |= ((1u << (f.bits - 1)) - limit) << f.shift;
	return f;
}

static void demand(struct lane_words *w, unsigned class, struct field f, bool is_slot)
{
	uint32_t top = 1u << (f.shift + f.bits - 1);
	w->demand[class] |= 1u << f.shift;
	w->full[class] |= top;
	w->slots[class] |= is_slot ? top : 0;
}

/* Limits that another one implies have no field. */
static unsigned queue_limit(const struct core_timing *t, unsigned queue, unsigned *nr_groups)
{
	unsigned units = 0;
	*nr_groups = 0;
	for (unsigned i = 0; i < t->nr_groups; i++)
		if (t->groups[i].queue == queue) {
			++*nr_groups;
			units = t->groups[i].is_pipelined ? t->groups[i].units : MAX_WIDTH;
		}
	return *nr_groups == 1 && units < t->queues[queue].issue ? units : t->queues[queue].issue;
}

static bool init_out_of_order(struct lane_words *w, const struct core_timing *t)
{
	struct field queues[MAX_ISSUE_QUEUES], groups[MAX_UNIT_GROUPS] = {{0}};
	unsigned next = 0, nr_groups[MAX_ISSUE_QUEUES];
	for (unsigned i = 0; i < t->nr_queues; i++) {
		queues[i] = add_field(w, &next, queue_limit(t, i, &nr_groups[i]));
		w->shift[i] = (uint8_t)queues[i].shift;
		w->mask[i] = (1u << queues[i].bits) - 1;
	}
	for (unsigned i = 0; i < t->nr_groups; i++) {
		const struct unit_group *g = &t->groups[i];
		if (g->is_pipelined && g->units < t->queues[g->queue].issue && nr_groups[g->queue] > 1)
			groups[i] = add_field(w, &next, g->units);
	}
	if (next > 32)
		return false;
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		unsigned queue = t->groups[t->group[i]].queue, nr;
		demand(w, i, queues[queue], queue_limit(t, queue, &nr) == t->queues[queue].issue);
		if (groups[t->group[i]].bits > 0)
			demand(w, i, groups[t->group[i]], false);
	}
	return true;
}

static bool init_in_order(struct lane_words *w, const struct core_timing *t)
{
	struct field issue, memory = {0}, groups[MAX_UNIT_GROUPS] = {{0}};
	unsigned next = 0;
	issue = add_field(w, &next, t->issue_width);
	if (t->same_cycle_memory < t->issue_width)
		memory = add_field(w, &next, t->same_cycle_memory);
	for (unsigned i = 0; i < t->nr_groups; i++)
		if (t->groups[i].is_pipelined && t->groups[i].units < t->issue_width)
			groups[i] = add_field(w, &next, t->groups[i].units);
	if (next > 32)
		return false;
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		demand(w, i, issue, true);
		if (memory.bits > 0 && (i == INSN_LOAD || i == INSN_STORE))
			demand(w, i, memory, true);
		if (groups[t->group[i]].bits > 0)
			demand(w, i, groups[t->group[i]], false);
	}
	return true;
}

bool lane_words_init(struct lane_words *w, const struct core_timing *t)
{
	memset(w, 0, sizeof(*w));
	return t->kind == CORE_IN_ORDER ? init_in_order(w, t) : init_out_of_order(w, t);
}
