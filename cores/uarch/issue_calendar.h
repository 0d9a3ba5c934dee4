/* Which issue slots and units are taken in which cycle to come, and how many uops each issue queue holds.
 *
 * Uops take slots in program order, at any cycle at or past their dispatch. A slot is known from the time it is taken
 * until dispatch has passed it: exactly, however far ahead it is. Near slots are in a ring, which is a word of counts
 * per cycle for queues and one for unit groups; those beyond it are in a list. Both are bounded by the ROB.
 */
#ifndef SAHM_CORES_UARCH_ISSUE_CALENDAR_H
#define SAHM_CORES_UARCH_ISSUE_CALENDAR_H

#include <string.h>

#include "cores/uarch/core_timing.h"

#define CALENDAR_CYCLES 4096u /* of the ring; a power of two */
#define QUEUE_LANE_BITS 8u
#define GROUP_LANE_BITS 5u
_Static_assert(QUEUE_LANE_BITS *MAX_ISSUE_QUEUES <= 64 && GROUP_LANE_BITS * MAX_UNIT_GROUPS <= 64, "lanes fit");
_Static_assert(MAX_WIDTH <= 1u << (GROUP_LANE_BITS - 1), "the top bit of a lane shows that it is full");

/* Slots of prefetch instructions, which are in no queue, are counted in the lane of a queue that the core does not
 * have. */
#define SOFT_LANE (MAX_ISSUE_QUEUES - 1)

/* What a uop takes of a cycle: a count in the lane of its queue and one in that of its unit group. */
struct issue_demand {
	uint64_t queue, group;		 /* to add; group 0: units that are not pipelined */
	uint64_t queue_full, group_full; /* the top bits of these lanes */
};

struct issue_cycle {
	uint64_t queues, groups;
};

struct far_issue {
	uint64_t cycle;
	struct issue_cycle taken;
};

struct issue_calendar {
	uint64_t base;		 /* no uop is dispatched before this cycle any more */
	struct issue_cycle bias; /* added to counts, it sets the top bit of a full lane */
	uint32_t nr_held;	 /* uops that issue at or past `base`: of all queues, and by queue */
	uint16_t held[MAX_ISSUE_QUEUES];
	/* Of queues: the uops that `held` has when they are full, which includes prefetch instructions. */
	uint16_t limit[MAX_ISSUE_QUEUES];
	unsigned soft_queue; /* whose slots they take */
	uint32_t nr_far;
	uint64_t first_far; /* the earliest cycle of `far` */
	uint64_t is_taken[CALENDAR_CYCLES / 64];
	struct issue_cycle ring[CALENDAR_CYCLES];
	struct far_issue far[2 * MAX_ROB]; /* uops in the ROB, and as many prefetch instructions */
};

static inline void issue_calendar_init(struct issue_calendar *c, const struct core_timing *t)
{
	memset(c, 0, sizeof(*c));
	c->first_far = UINT64_MAX;
	c->soft_queue = t->groups[t->group[INSN_LOAD]].queue;
	for (unsigned i = 0; i < t->nr_queues; i++) {
		c->limit[i] = t->queues[i].entries;
		c->bias.queues |= (uint64_t)((1u << (QUEUE_LANE_BITS - 1)) - t->queues[i].issue) << i * QUEUE_LANE_BITS;
	}
	for (unsigned i = 0; i < t->nr_groups; i++)
		if (t->groups[i].is_pipelined)
			c->bias.groups |= (uint64_t)((1u << (GROUP_LANE_BITS - 1)) - t->groups[i].units)
					  << i * GROUP_LANE_BITS;
}

static inline struct issue_demand issue_demand_of(const struct core_timing *t, unsigned group)
{
	unsigned queue = t->groups[group].queue;
	struct issue_demand d = {.queue = UINT64_C(1) << queue * QUEUE_LANE_BITS};
	d.queue_full = d.queue << (QUEUE_LANE_BITS - 1);
	if (t->groups[group].is_pipelined) {
		d.group = UINT64_C(1) << group * GROUP_LANE_BITS;
		d.group_full = d.group << (GROUP_LANE_BITS - 1);
	}
	return d;
}

static inline struct issue_cycle issue_calendar_far(const struct issue_calendar *c, uint64_t cycle)
{
	struct issue_cycle sum = {0, 0};
	for (uint32_t i = 0; i < c->nr_far; i++)
		if (c->far[i].cycle == cycle) {
			sum.queues += c->far[i].taken.queues;
			sum.groups += c->far[i].taken.groups;
		}
	return sum;
}

/* The first cycle at or past `cycle`, which is not before the base, with a slot left for `d`. */
static inline uint64_t issue_calendar_find(const struct issue_calendar *c, uint64_t cycle, const struct issue_demand *d)
{
	for (;; cycle++) {
		struct issue_cycle at;
		if (__builtin_expect(cycle - c->base < CALENDAR_CYCLES, 1))
			at = c->ring[cycle % CALENDAR_CYCLES];
		else
			at = issue_calendar_far(c, cycle);
		if ((((at.queues + c->bias.queues) & d->queue_full) | ((at.groups + c->bias.groups) & d->group_full)) ==
		    0)
			return cycle;
	}
}

static inline void issue_calendar_put(struct issue_calendar *c, uint64_t cycle, struct issue_cycle more)
{
	struct issue_cycle *at = &c->ring[cycle % CALENDAR_CYCLES];
	at->queues += more.queues;
	at->groups += more.groups;
	c->is_taken[cycle % CALENDAR_CYCLES / 64] |= UINT64_C(1) << cycle % 64;
}

/* A uop of issue queue `queue` takes a slot of `cycle`: it is in that queue until then. */
static inline void issue_calendar_take(struct issue_calendar *c, uint64_t cycle, const struct issue_demand *d,
				       unsigned queue)
{
	struct issue_cycle more = {d->queue, d->group};
	c->nr_held++;
	c->held[queue]++;
	if (__builtin_expect(cycle - c->base < CALENDAR_CYCLES, 1)) {
		issue_calendar_put(c, cycle, more);
		return;
	}
	c->far[c->nr_far++] = (struct far_issue){cycle, more};
	if (cycle < c->first_far)
		c->first_far = cycle;
}

/* A prefetch instruction takes one; `d` is a load's. The core has fewer than MAX_ISSUE_QUEUES. */
static inline void issue_calendar_take_soft(struct issue_calendar *c, uint64_t cycle, const struct issue_demand *d)
{
	struct issue_demand both = *d;
	both.queue += UINT64_C(1) << SOFT_LANE * QUEUE_LANE_BITS;
	issue_calendar_take(c, cycle, &both, c->soft_queue);
	c->limit[c->soft_queue]++;
	c->held[SOFT_LANE]++;
	c->nr_held++;
}

/* Far slots that the ring reaches by now move there. */
__attribute__((noinline)) static void issue_calendar_approach(struct issue_calendar *c)
{
	uint32_t nr = 0;
	c->first_far = UINT64_MAX;
	for (uint32_t i = 0; i < c->nr_far; i++) {
		struct far_issue f = c->far[i];
		if (f.cycle - c->base < CALENDAR_CYCLES) {
			issue_calendar_put(c, f.cycle, f.taken);
			continue;
		}
		c->far[nr++] = f;
		if (f.cycle < c->first_far)
			c->first_far = f.cycle;
	}
	c->nr_far = nr;
}

/* The uops of a cycle have left their queues. */
static inline void issue_calendar_leave(struct issue_calendar *c, unsigned at)
{
	uint64_t left = c->ring[at].queues;
	for (unsigned i = 0; left != 0; i++, left >>= QUEUE_LANE_BITS) {
		unsigned nr = left & ((1u << QUEUE_LANE_BITS) - 1);
		c->held[i] = (uint16_t)(c->held[i] - nr);
		c->nr_held -= nr;
		if (__builtin_expect(i == SOFT_LANE && c->limit[i] == 0, 0))
			c->limit[c->soft_queue] = (uint16_t)(c->limit[c->soft_queue] - nr);
	}
	c->ring[at] = (struct issue_cycle){0, 0};
}

/* Dispatch has come to cycle `to`: what issues before it is forgotten. */
static inline void issue_calendar_advance(struct issue_calendar *c, uint64_t to)
{
	while (c->base < to) {
		/* Far slots have to be in the ring before the base passes them. */
		uint64_t reach = c->base + CALENDAR_CYCLES;
		if (c->nr_held == 0) {
			c->base = to;
			return;
		}
		uint64_t end = to < reach ? to : reach;
		while (c->base < end) {
			unsigned word = c->base % CALENDAR_CYCLES / 64, bit = c->base % 64;
			uint64_t span = end - c->base < 64 - bit ? end - c->base : 64 - bit;
			uint64_t mask = (span < 64 ? (UINT64_C(1) << span) - 1 : UINT64_MAX) << bit;
			uint64_t taken = c->is_taken[word] & mask;
			c->is_taken[word] &= ~mask;
			for (; taken != 0; taken &= taken - 1)
				issue_calendar_leave(c, word * 64 + (unsigned)__builtin_ctzll(taken));
			c->base += span;
		}
		if (__builtin_expect(c->nr_far > 0, 0) && c->first_far - c->base < CALENDAR_CYCLES)
			issue_calendar_approach(c);
	}
}

/* The first cycle at or past the base in which a uop issues; one must. */
static inline uint64_t issue_calendar_next(const struct issue_calendar *c)
{
	for (unsigned i = 0; i <= CALENDAR_CYCLES / 64; i++) {
		uint64_t first = (c->base / 64 + i) * 64, taken = c->is_taken[first % CALENDAR_CYCLES / 64];
		/* The word of the base is met twice: first from its bit on, then what is before that, a ring later. */
		if (i == 0)
			taken &= UINT64_MAX << c->base % 64;
		else if (i == CALENDAR_CYCLES / 64)
			taken &= ~(UINT64_MAX << c->base % 64);
		if (taken != 0)
			return first + (unsigned)__builtin_ctzll(taken);
	}
	return c->first_far;
}

#endif
