/* Both timing models for several cores at once, in the lanes of vectors: what recurrences.h leaves to a form, and the
 * functions of struct lane_model.
 *
 * A form (timing_avx512.c, timing_avx2.c, timing_portable.c) defines, before it includes this file:
 *   T, M, NR_LANES, and U, which is T without signs
 *   t_lanes()                                               the number of each lane
 *   t_of(), t_max(), t_min(), t_if(), t_one_if(), t_gt(), t_ge(), t_eq(), m_and(), m_or(), m_not(), m_any(), m_all(),
 * m_put() t_gather(base, index), t_scatter(base, index, value)    words of 32 bits t_test(a, b) a condition: a & b is
 * not 0 m_bits(a)                                               a bit per lane chunk_hits(words, field) a bit for each
 * of CHUNK words with a bit of `field`
 *
 * Times have 32 bits, from an origin of each lane that moves on (move_origin()). Work whose amount depends on the lane,
 * such as stepping over cycles, is done for one lane after another. */
#ifndef SAHM_CORES_UARCH_VECTOR_LANES_INTERNAL_H
#define SAHM_CORES_UARCH_VECTOR_LANES_INTERNAL_H

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/busy_units.h"
#include "cores/uarch/timing_lanes_internal.h"

/* The sum of words and counts that need all 32 bits. */
static inline T t_plus(T a, T b)
{
	return (T)((U)a + (U)b);
}

/* Of a number in each lane. */
static inline int32_t *lane_of(T *v, unsigned lane)
{
	return (int32_t *)v + lane;
}

static inline int32_t t_get(const T *v, unsigned lane)
{
	return ((const int32_t *)v)[lane];
}

/* Calls for each lane of a condition: for (LANES_IN(bits, lane)) */
#define LANES_IN(bits, lane)                                                                                           \
	unsigned left_ = (bits), lane = left_ ? (unsigned)__builtin_ctz(left_) : 0;                                    \
	left_ != 0;                                                                                                    \
	left_ &= left_ - 1, lane = left_ ? (unsigned)__builtin_ctz(left_) : 0

struct distance {
	bool is_same; /* `entries` of all lanes */
	unsigned entries;
	T by_lane, limited; /* limited: all bits, or none for a lane without limit */
};

/* `now` grows until it is added to the totals, before it can overflow. */
struct sum {
	T now;
	uint64_t total[NR_LANES];
};

/* Entries of which each user takes the one that is free first. */
#define MAX_POOL 64u
_Static_assert(MAX_MSHRS <= MAX_POOL, "all are in it");

struct pool {
	unsigned nr;	     /* of the lane with the most */
	T free_at[MAX_POOL]; /* NEVER where a lane has fewer */
};

#define NEVER INT32_MAX
#define MAX_SMALL_QUEUE 32u

struct mshrs {
	struct pool pool;
};

/* Slots of issue queues and unit groups, as in issue_calendar.h, but in one word of 32 bits per cycle and lane, whose
 * fields differ by lane. Uops of cycles before `base` have left their queues; it follows dispatch at a distance. */
#define LANE_CALENDAR 4096
#define LANE_LAG 512
#define LANE_WORDS (LANE_CALENDAR + CHUNK) /* lanes do not share sets of a cache */

struct far_slot {
	int32_t cycle;
	uint32_t word;
};

struct calendar {
	T base, first_far; /* the earliest cycle of `far` */
	T held[MAX_ISSUE_QUEUES];
	/* A queue has room past the issue of the uop that is, from the last one to issue, the `entries`-th. Small
	 * queues keep as many (their issue + 1), and need not be stepped through; nr is 0 for the others. */
	struct pool last[MAX_ISSUE_QUEUES];
	T first_of_last;
	T bias, found; /* the words of the last search */
	T demand[NR_INSN_CLASSES], full[NR_INSN_CLASSES], slots[NR_INSN_CLASSES], entries[NR_INSN_CLASSES];
	uint8_t queue[NR_INSN_CLASSES][NR_LANES];
	bool has_same_queue[NR_INSN_CLASSES];
	M is_slow[NR_INSN_CLASSES]; /* units that are not pipelined */
	uint8_t shift[NR_LANES][MAX_ISSUE_QUEUES];
	uint32_t mask[NR_LANES][MAX_ISSUE_QUEUES];
	uint32_t nr_far[NR_LANES];
	uint32_t unit[NR_LANES];	   /* that the last search found, of units that are not pipelined */
	struct busy_units *busy[NR_LANES]; /* [nr_groups]; their times are from the beginning of the run */
	struct far_slot far[NR_LANES][MAX_ROB];
	uint32_t words[NR_LANES][LANE_WORDS] __attribute__((aligned(64)));
};

struct issue_stage {
	T cycle, taken; /* taken: a word as in the calendar, of this cycle */
	T bias, demand[NR_INSN_CLASSES], full[NR_INSN_CLASSES], slots[NR_INSN_CLASSES];
	M is_slow[NR_INSN_CLASSES];
	uint32_t unit[NR_LANES];
	uint64_t unit_free[NR_LANES][MAX_UNIT_GROUPS][MAX_WIDTH]; /* from the beginning of the run */
};

#include "cores/uarch/recurrences_internal.h"

struct lanes {
	struct model m;
	bool is_in_order;
	unsigned nr; /* lanes that are used */
	uint64_t origin[NR_LANES];
	struct core_timing t[NR_LANES];
};

static inline struct lanes *lanes_of(struct model *m)
{
	return (struct lanes *)(void *)m;
}

/* ---- Rings and sums ---- */

static inline T ring_back(const struct ring *r, const struct distance *d)
{
	if (__builtin_expect(d->is_same, 1))
		return d->entries > 0 ? ring_last(r, d->entries) : t_of(0);
	T row = (t_of((uint32_t)r->nr) - d->by_lane) & t_of(TIME_RING - 1);
	return t_gather(r->at, row * t_of(NR_LANES) + t_lanes()) & d->limited;
}

static inline void sum_add(struct sum *s, T more)
{
	s->now = t_plus(s->now, more);
}

static inline void sum_add_if(struct sum *s, M which, T more)
{
	s->now = t_plus(s->now, t_if(which, more, t_of(0)));
}

static void sum_settle(struct sum *s)
{
	for (unsigned i = 0; i < NR_LANES; i++)
		s->total[i] += (uint32_t)t_get(&s->now, i);
	s->now = t_of(0);
}

static void settle(struct sums *sums)
{
	struct sum *all = (struct sum *)sums;
	for (size_t i = 0; i < sizeof(*sums) / sizeof(*all); i++)
		sum_settle(&all[i]);
}

static inline uint64_t sum_get(const struct sum *s, unsigned lane)
{
	return s->total[lane];
}

/* Lanes mostly wait for the same. */
static inline void stall_add(struct model *m, T reason, T cycles)
{
	for (unsigned left = m_bits(t_gt(cycles, t_of(0))); left != 0;) {
		int32_t first = t_get(&reason, (unsigned)__builtin_ctz(left));
		M same = t_eq(reason, t_of((uint32_t)first));
		sum_add_if(&m->sums.stalls[first], same, cycles);
		left &= ~m_bits(same);
	}
}

/* Notes are of one core. */
static inline struct timing_notes *notes_of(const struct model *m)
{
	(void)m;
	return NULL;
}

static inline void write_note(struct uop_note *note, const struct times *at)
{
	(void)note;
	(void)at;
}

/* So are slots. */
static inline struct slot_pass *slots_of(const struct model *m)
{
	(void)m;
	return NULL;
}

static inline bool has_gap(const struct slot_pass *slots, T cycle)
{
	(void)slots;
	(void)cycle;
	return false;
}

static inline void watch_gap(struct slot_pass *slots, const struct uop *u, const struct times *at, T cycle)
{
	(void)slots;
	(void)u;
	(void)at;
	(void)cycle;
}

static inline void watch_uop(struct slot_pass *slots, const struct uop *u, const struct times *at, T cycle,
			     bool is_in_order)
{
	(void)slots;
	(void)u;
	(void)at;
	(void)cycle;
	(void)is_in_order;
}

static inline uint16_t *signatures_of(const struct model *m)
{
	(void)m;
	return NULL;
}

static inline void write_signature(const struct model *m, const struct uop *u, const struct times *at,
				   uint16_t *signature)
{
	(void)m;
	(void)u;
	(void)at;
	(void)signature;
}

/* Cores with prefetch instructions are timed one by one. */
static inline T soft_issue(struct model *m, T cycle, bool is_in_order)
{
	(void)m;
	(void)is_in_order;
	return cycle;
}

static inline void write_prefetch_note(struct timing_notes *notes, T begin, T fill)
{
	(void)notes;
	(void)begin;
	(void)fill;
}

static inline T issue_slot(const struct model *m, unsigned class)
{
	(void)m;
	(void)class;
	return t_of(0);
}

static inline T issue_unit(const struct model *m, unsigned class)
{
	(void)m;
	(void)class;
	return t_of(0);
}

static inline void write_stamps(struct uop_stamps *stamps, const struct uop *u, const struct times *at)
{
	(void)stamps;
	(void)u;
	(void)at;
}

/* ---- Pools ---- */

static inline T pool_first(const struct pool *s)
{
	T first = s->free_at[0];
	for (unsigned i = 1; i < s->nr; i++)
		first = t_min(first, s->free_at[i]);
	return first;
}

/* In lanes `which`, an entry that was free at `first`, the first one, is free at `free` instead. */
static inline void pool_replace(struct pool *s, M which, T first, T free)
{
	for (unsigned i = 0; m_any(which) && i < s->nr; i++) {
		M hit = m_and(which, t_eq(s->free_at[i], first));
		s->free_at[i] = t_if(hit, free, s->free_at[i]);
		which = m_and(which, m_not(hit));
	}
}

static void pool_put(struct pool *s, unsigned lane, unsigned nr)
{
	for (unsigned i = nr; i < MAX_POOL; i++)
		*lane_of(&s->free_at[i], lane) = NEVER;
	s->nr = nr > s->nr ? nr : s->nr;
}

static void pool_move(struct pool *s, T by)
{
	for (unsigned i = 0; i < s->nr; i++)
		s->free_at[i] =
			t_if(t_eq(s->free_at[i], t_of(NEVER)), s->free_at[i], t_max(s->free_at[i] - by, t_of(0)));
}

static inline T mshrs_first(const struct mshrs *s)
{
	return pool_first(&s->pool);
}

static inline void mshrs_replace(struct mshrs *s, M which, T first, T free)
{
	pool_replace(&s->pool, which, first, free);
}

/* ---- The calendar of a lane ---- */

typedef uint32_t chunk __attribute__((vector_size(4 * CHUNK)));

/* Uops of the cycles from `from` to before `end` have left their queues. */
static void lane_leave(struct calendar *c, unsigned lane, unsigned nr_queues, int32_t from, int32_t end)
{
	uint32_t *words = c->words[lane];
	if (end - from < CHUNK / 2) {
		for (int32_t at = from; at < end; at++) {
			uint32_t word = words[at % LANE_CALENDAR];
			words[at % LANE_CALENDAR] = 0;
			for (unsigned q = 0; word != 0 && q < nr_queues; q++)
				*lane_of(&c->held[q], lane) -= (int32_t)(word >> c->shift[lane][q] & c->mask[lane][q]);
		}
		return;
	}
	static const chunk numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	chunk sums[MAX_ISSUE_QUEUES] = {{0}};
	for (int32_t at = from; at < end;) {
		unsigned first = (unsigned)at % CHUNK;
		unsigned nr = CHUNK - first < (unsigned)(end - at) ? CHUNK - first : (unsigned)(end - at);
		chunk *p = (chunk *)(void *)&words[(unsigned)at % LANE_CALENDAR - first], w = *p;
		at += (int32_t)nr;
		if (chunk_hits(p, UINT32_MAX) == 0)
			continue;
		if (nr < CHUNK) {
			chunk which = (chunk)(numbers - first < nr);
			*p = w & ~which;
			w &= which;
		} else {
			*p = (chunk){0};
		}
		for (unsigned q = 0; q < nr_queues; q++)
			sums[q] += w >> c->shift[lane][q] & c->mask[lane][q];
	}
	for (unsigned q = 0; q < nr_queues; q++) {
		uint32_t left = 0;
		for (unsigned i = 0; i < CHUNK; i++)
			left += sums[q][i];
		*lane_of(&c->held[q], lane) -= (int32_t)left;
	}
}

/* Far slots that the words reach by now move there. */
static void lane_approach(struct calendar *c, unsigned lane)
{
	uint32_t nr = 0;
	int32_t base = t_get(&c->base, lane), first = INT32_MAX;
	for (uint32_t i = 0; i < c->nr_far[lane]; i++) {
		struct far_slot f = c->far[lane][i];
		if (f.cycle - base < LANE_CALENDAR) {
			c->words[lane][f.cycle % LANE_CALENDAR] += f.word;
			continue;
		}
		c->far[lane][nr++] = f;
		first = f.cycle < first ? f.cycle : first;
	}
	c->nr_far[lane] = nr;
	*lane_of(&c->first_far, lane) = first;
}

/* No uop is dispatched before cycle `to` any more. */
static void lane_advance(struct lanes *l, unsigned lane, int32_t to)
{
	struct calendar *c = &l->m.calendar;
	unsigned nr_queues = l->t[lane].nr_queues;
	int32_t *base = lane_of(&c->base, lane);
	while (*base < to) {
		int32_t held = 0;
		for (unsigned q = 0; q < nr_queues; q++)
			held += t_get(&c->held[q], lane);
		if (held == 0) {
			*base = to;
			return;
		}
		/* Far slots have to be in the words before the base passes them. */
		int32_t end = to - *base < LANE_CALENDAR ? to : *base + LANE_CALENDAR;
		lane_leave(c, lane, nr_queues, *base, end);
		*base = end;
		if (c->nr_far[lane] > 0 && t_get(&c->first_far, lane) - end < LANE_CALENDAR)
			lane_approach(c, lane);
	}
}

static int32_t first_far(const struct calendar *c, unsigned lane, uint32_t field)
{
	int32_t first = INT32_MAX;
	for (uint32_t i = 0; i < c->nr_far[lane]; i++)
		if (c->far[lane][i].word & field && c->far[lane][i].cycle < first)
			first = c->far[lane][i].cycle;
	return first;
}

/* The first cycle at or past the base in which a uop leaves queue `queue`; one must. */
static int32_t lane_next(const struct calendar *c, unsigned lane, unsigned queue)
{
	uint32_t field = c->mask[lane][queue] << c->shift[lane][queue];
	int32_t base = t_get(&c->base, lane);
	for (int32_t at = base; at - base < LANE_CALENDAR;) {
		unsigned first = (unsigned)at % CHUNK;
		unsigned hits = chunk_hits(&c->words[lane][(unsigned)at % LANE_CALENDAR - first], field) >> first;
		if (hits != 0) {
			at += __builtin_ctz(hits);
			return at - base < LANE_CALENDAR ? at : first_far(c, lane, field);
		}
		at += (int32_t)(CHUNK - first);
	}
	return first_far(c, lane, field);
}
static uint32_t lane_word(const struct calendar *c, unsigned lane, int32_t cycle)
{
	uint32_t word = 0;
	if (cycle - t_get(&c->base, lane) < LANE_CALENDAR)
		return c->words[lane][cycle % LANE_CALENDAR];
	for (uint32_t i = 0; i < c->nr_far[lane]; i++)
		word += c->far[lane][i].cycle == cycle ? c->far[lane][i].word : 0;
	return word;
}

static int32_t lane_find_slot(const struct calendar *c, unsigned lane, unsigned class, int32_t cycle)
{
	uint32_t bias = (uint32_t)t_get(&c->bias, lane), full = (uint32_t)t_get(&c->full[class], lane);
	while ((lane_word(c, lane, cycle) + bias) & full)
		cycle++;
	return cycle;
}

static int32_t lane_find(struct lanes *l, unsigned lane, unsigned class, int32_t cycle)
{
	struct calendar *c = &l->m.calendar;
	const struct core_timing *t = &l->t[lane];
	const struct unit_group *g = &t->groups[t->group[class]];
	for (;;) {
		int32_t slot = lane_find_slot(c, lane, class, cycle);
		if (g->is_pipelined)
			return slot;
		uint64_t origin = l->origin[lane], at = origin + (uint64_t)slot;
		cycle = (int32_t)(busy_units_find(&c->busy[lane][t->group[class]], at, g->units, t->latency[class],
						  &c->unit[lane]) -
				  origin);
		if (cycle == slot)
			return slot;
	}
}

static void lane_take(struct lanes *l, unsigned lane, unsigned class, int32_t cycle)
{
	struct calendar *c = &l->m.calendar;
	const struct core_timing *t = &l->t[lane];
	unsigned group = t->group[class];
	uint32_t demand = (uint32_t)t_get(&c->demand[class], lane);
	if (!t->groups[group].is_pipelined)
		busy_units_take(&c->busy[lane][group], l->origin[lane] + (uint64_t)t_get(&l->m.dispatched, lane),
				l->origin[lane] + (uint64_t)cycle, t->latency[class], c->unit[lane]);
	if (cycle - t_get(&c->base, lane) < LANE_CALENDAR) {
		c->words[lane][cycle % LANE_CALENDAR] += demand;
		return;
	}
	c->far[lane][c->nr_far[lane]++] = (struct far_slot){cycle, demand};
	if (cycle < t_get(&c->first_far, lane))
		*lane_of(&c->first_far, lane) = cycle;
}

/* ---- The calendar of all lanes ---- */

static inline void calendar_advance(struct model *m, T cycle)
{
	unsigned late = m_bits(t_gt(cycle - m->calendar.base, t_of(LANE_LAG)));
	if (__builtin_expect(late != 0, 0))
		for (LANES_IN(late, lane))
			lane_advance(lanes_of(m), lane, t_get(&cycle, lane));
}

static inline T queue_held(const struct calendar *c, unsigned class)
{
	if (__builtin_expect(c->has_same_queue[class], 1))
		return c->held[c->queue[class][0]];
	T held;
	for (unsigned i = 0; i < NR_LANES; i++)
		*lane_of(&held, i) = t_get(&c->held[c->queue[class][i]], i);
	return held;
}

/* As calendar_wait(), of one lane whose queue may be full. */
static int32_t lane_wait(struct lanes *l, unsigned lane, unsigned class, int32_t cycle, int32_t *reason)
{
	struct calendar *c = &l->m.calendar;
	unsigned queue = c->queue[class][lane];
	lane_advance(l, lane, cycle);
	while (t_get(&c->held[queue], lane) >= t_get(&c->entries[class], lane)) {
		cycle = lane_next(c, lane, queue) + 1;
		*reason = STALL_QUEUE;
		lane_advance(l, lane, cycle);
	}
	return cycle;
}

/* The first cycle at or past `cycle` in which the issue queue has room; *reason says so if it is later. */
static inline T calendar_wait(struct model *m, unsigned class, T cycle, T *reason)
{
	struct calendar *c = &m->calendar;
	const struct pool *last = &c->last[c->queue[class][0]];
	if (c->has_same_queue[class] && last->nr > 0) {
		c->first_of_last = pool_first(last);
		*reason = t_if(t_gt(c->first_of_last, cycle), t_of(STALL_QUEUE), *reason);
		return t_max(cycle, c->first_of_last);
	}
	unsigned full = m_bits(t_ge(queue_held(c, class), c->entries[class]));
	if (__builtin_expect(full == 0, 1))
		return cycle;
	T out = cycle, why = *reason;
	for (LANES_IN(full, lane))
		*lane_of(&out, lane) = lane_wait(lanes_of(m), lane, class, t_get(&cycle, lane), lane_of(&why, lane));
	*reason = why;
	return out;
}

static inline T word_index(T cycle)
{
	return (cycle & t_of(LANE_CALENDAR - 1)) + t_lanes() * t_of(LANE_WORDS);
}

/* Lanes that cannot be searched together with the others. */
static inline M lanes_apart(const struct calendar *c, unsigned class, T cycle)
{
	return m_or(c->is_slow[class], t_ge(cycle - c->base, t_of(LANE_CALENDAR)));
}

static __attribute__((noinline)) T find_apart(struct model *m, M apart, unsigned class, T cycle, T found)
{
	for (LANES_IN(m_bits(apart), lane))
		*lane_of(&found, lane) = lane_find(lanes_of(m), lane, class, t_get(&cycle, lane));
	return found;
}

static inline T calendar_find(struct model *m, unsigned class, T cycle)
{
	struct calendar *c = &m->calendar;
	M apart = lanes_apart(c, class, cycle);
	T from = cycle;
	for (;;) {
		c->found = t_gather(c->words, word_index(cycle));
		M full = m_and(t_test(t_plus(c->found, c->bias), c->full[class]), m_not(apart));
		if (!m_any(full))
			break;
		cycle = cycle + t_one_if(full);
		apart = m_or(apart, m_and(full, lanes_apart(c, class, cycle)));
	}
	return __builtin_expect(m_any(apart), 0) ? find_apart(m, apart, class, from, cycle) : cycle;
}

static inline T calendar_find_if(struct model *m, M which, unsigned class, T cycle, T otherwise)
{
	return calendar_find(m, class, t_if(which, cycle, otherwise));
}

/* Whether no issue slot is left in `cycle`. */
static inline M calendar_is_full(struct model *m, unsigned class, T cycle)
{
	struct calendar *c = &m->calendar;
	unsigned far = m_bits(t_ge(cycle - c->base, t_of(LANE_CALENDAR)));
	T words = t_gather(c->words, word_index(cycle));
	if (__builtin_expect(far != 0, 0))
		for (LANES_IN(far, lane))
			*lane_of(&words, lane) = (int32_t)lane_word(c, lane, t_get(&cycle, lane));
	return t_test(t_plus(words, c->bias), c->slots[class]);
}

/* A uop takes a slot of the cycle that was found last: it is in its queue until then. */
static inline void calendar_take(struct model *m, unsigned class, T cycle)
{
	struct calendar *c = &m->calendar;
	if (__builtin_expect(c->has_same_queue[class], 1)) {
		unsigned queue = c->queue[class][0];
		c->held[queue] = c->held[queue] + t_of(1);
		if (c->last[queue].nr > 0)
			pool_replace(&c->last[queue], t_ge(cycle, c->first_of_last), c->first_of_last, cycle + t_of(1));
	} else {
		for (unsigned i = 0; i < NR_LANES; i++)
			*lane_of(&c->held[c->queue[class][i]], i) += 1;
	}
	M apart = lanes_apart(c, class, cycle);
	if (__builtin_expect(!m_any(apart), 1)) {
		t_scatter(c->words, word_index(cycle), t_plus(c->found, c->demand[class]));
		return;
	}
	for (unsigned i = 0; i < NR_LANES; i++)
		lane_take(lanes_of(m), i, class, t_get(&cycle, i));
}

/* ---- Issue, in order ---- */

/* Moves lanes whose units are all busy to the first cycle in which one is free. */
static __attribute__((noinline)) void find_units(struct lanes *l, unsigned class)
{
	struct issue_stage *s = &l->m.issue;
	for (LANES_IN(m_bits(s->is_slow[class]), lane)) {
		unsigned group = l->t[lane].group[class], nr = l->t[lane].groups[group].units, first = 0;
		const uint64_t *free_at = s->unit_free[lane][group];
		uint64_t cycle = l->origin[lane] + (uint64_t)t_get(&s->cycle, lane);
		for (unsigned i = 1; i < nr; i++)
			first = free_at[i] < free_at[first] ? i : first;
		if (free_at[first] > cycle) {
			*lane_of(&s->cycle, lane) = (int32_t)(free_at[first] - l->origin[lane]);
			*lane_of(&s->taken, lane) = 0;
		}
		/* Which of the free ones it is changes nothing. */
		s->unit[lane] = first;
	}
}

static inline T issue_find(struct model *m, unsigned class, T cycle, M *was_full)
{
	struct issue_stage *s = &m->issue;
	s->taken = t_if(t_gt(cycle, s->cycle), t_of(0), s->taken);
	s->cycle = t_max(cycle, s->cycle);
	M full = t_test(t_plus(s->taken, s->bias), s->full[class]);
	*was_full = t_test(t_plus(s->taken, s->bias), s->slots[class]);
	s->cycle = s->cycle + t_one_if(full);
	s->taken = t_if(full, t_of(0), s->taken);
	if (__builtin_expect(m_any(s->is_slow[class]), 0)) {
		T slot = s->cycle;
		find_units(lanes_of(m), class);
		*was_full = m_and(*was_full, t_eq(s->cycle, slot));
	}
	return s->cycle;
}

static inline void issue_take(struct model *m, unsigned class)
{
	struct issue_stage *s = &m->issue;
	const struct lanes *l = lanes_of(m);
	s->taken = t_plus(s->taken, s->demand[class]);
	if (__builtin_expect(m_any(s->is_slow[class]), 0))
		for (LANES_IN(m_bits(s->is_slow[class]), lane))
			s->unit_free[lane][l->t[lane].group[class]][s->unit[lane]] =
				l->origin[lane] + (uint64_t)t_get(&s->cycle, lane) + l->t[lane].latency[class];
}

/* ---- Time ---- */

/* Times grow by less than this with a uop: its own 16 latencies, and MSHR, bus and row of each prefetch. */
#define MAX_UOP_CYCLES (UINT32_C(1) * MAX_LATENCY * (3 * MAX_UOP_PREFETCHES + 16))
_Static_assert(MAX_UOP_CYCLES *BATCH_UOPS < UINT32_C(1) << 30, "a batch that begins below 2^30 ends below 2^31");
#define LATE (1 << 30)
/* Sums are settled after as many uops, if none of them can be in the core for longer than MAX_STAY cycles. */
#define SETTLE_UOPS 64u
#define MAX_STAY (1 << 25)

static inline T latest(const struct model *m)
{
	return t_max(t_max(m->commit.cycle, m->drain.cycle), t_max(m->bus_free, m->redirect));
}

/* Prefetches that nobody waits for can take MSHRs and the bus far ahead. */
static M is_late(const struct model *m)
{
	T last = latest(m);
	for (unsigned i = 0; i < m->mshrs.pool.nr; i++) {
		T free = m->mshrs.pool.free_at[i];
		last = t_max(last, t_if(t_eq(free, t_of(NEVER)), t_of(0), free));
	}
	return t_gt(last, t_of(LATE));
}

static void ring_move(struct ring *r, T by)
{
	for (unsigned i = 0; i < TIME_RING; i++)
		r->at[i] = t_max(r->at[i] - by, t_of(0));
}

static void move(T *time, T by)
{
	*time = t_max(*time - by, t_of(0));
}

/* Moves the origin of late lanes on. No time that is still compared with a later one is before the new origin, or at
 * it: what is before the last fetch bounds nothing any more, and becomes 0. */
static void move_origin(struct lanes *l)
{
	struct model *m = &l->m;
	struct calendar *c = &m->calendar;
	T by = t_of(0);
	unsigned late = m_bits(is_late(m));
	for (LANES_IN(late, lane)) {
		int32_t to = t_get(&m->fetch.cycle, lane);
		if (!l->is_in_order && t_get(&c->base, lane) < to)
			to = t_get(&c->base, lane);
		to -= to > 0;
		*lane_of(&by, lane) = to - to % LANE_CALENDAR;
		l->origin[lane] += (uint64_t)(to - to % LANE_CALENDAR);
		for (uint32_t i = 0; i < c->nr_far[lane]; i++)
			c->far[lane][i].cycle -= to - to % LANE_CALENDAR;
	}
	T *const times[] = {&m->fetch.cycle,  &m->redirect,    &m->group_end,  &m->bus_free,
			    &m->commit.cycle, &m->drain.cycle, &m->dispatched, &m->dispatch.cycle,
			    &m->all_stores,   &m->issue.cycle, &m->blocked,    &c->base};
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		move(times[i], by);
	for (unsigned i = 0; i < 256; i++)
		move(&m->ready[i], by);
	pool_move(&m->mshrs.pool, by);
	for (unsigned i = 0; i < MAX_ISSUE_QUEUES; i++)
		pool_move(&c->last[i], by);
	for (unsigned lane = 0; lane < NR_LANES; lane++)
		if (c->nr_far[lane] > 0)
			*lane_of(&c->first_far, lane) -= t_get(&by, lane);
	struct ring *const rings[] = {&m->left,	   &m->fetch_fills,  &m->fills,	      &m->drained,   &m->store_results,
				      &m->commits, &m->load_commits, &m->int_commits, &m->fp_commits};
	for (size_t i = 0; i < sizeof(rings) / sizeof(*rings); i++)
		ring_move(rings[i], by);
	if (m->path)
		path_rows_add_origin(m->path, m->nr_uops, l->origin);
}

static bool lanes_batch(void *ctx, const struct uop_batch *batch)
{
	struct lanes *l = ctx;
	struct model *m = &l->m;
	const struct uop_prefetch *prefetches = batch->prefetches;
	if (m_any(is_late(m))) {
		move_origin(l);
		if (m_any(is_late(m)))
			return false;
	}
	m->batch_begin = m->nr_uops;
	for (uint32_t i = 0; i < batch->nr;) {
		T stay = latest(m) - (l->is_in_order ? m->fetch.cycle : m->dispatched);
		bool is_long = m_any(t_gt(stay, t_of(MAX_STAY - SETTLE_UOPS * MAX_UOP_CYCLES)));
		uint32_t most = is_long ? 1 : SETTLE_UOPS, nr = most < batch->nr - i ? most : batch->nr - i;
		prefetches = run_uops(m, l->is_in_order, batch->uops + i, nr, prefetches, NULL);
		settle(&m->sums);
		i += nr;
	}
	m->nr_instructions += batch->nr_instructions;
	return true;
}

/* ---- Making ---- */

static inline void t_put(T *to, unsigned lane, uint32_t n)
{
	*lane_of(to, lane) = (int32_t)n;
}

static void distance_put(struct distance *to, unsigned lane, unsigned entries)
{
	to->is_same = lane == 0 || (to->is_same && to->entries == entries);
	to->entries = entries;
	t_put(&to->by_lane, lane, entries);
	t_put(&to->limited, lane, entries > 0 ? UINT32_MAX : 0);
}

static void put_out_of_order(struct lanes *l, unsigned lane, const struct lane_words *w)
{
	struct calendar *c = &l->m.calendar;
	const struct core_timing *t = &l->t[lane];
	t_put(&c->bias, lane, w->bias);
	t_put(&c->first_far, lane, INT32_MAX);
	for (unsigned q = 0; q < t->nr_queues; q++) {
		c->shift[lane][q] = w->shift[q];
		c->mask[lane][q] = w->mask[q];
	}
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		const struct unit_group *g = &t->groups[t->group[i]];
		t_put(&c->demand[i], lane, w->demand[i]);
		t_put(&c->full[i], lane, w->full[i]);
		t_put(&c->slots[i], lane, w->slots[i]);
		t_put(&c->entries[i], lane, t->queues[g->queue].entries);
		c->queue[i][lane] = g->queue;
		c->has_same_queue[i] = (lane == 0 || c->has_same_queue[i]) && g->queue == c->queue[i][0];
		m_put(&c->is_slow[i], lane, !g->is_pipelined);
	}
}

/* A queue whose uops are of other queues in other lanes is stepped through. */
static void put_pools(struct lanes *l)
{
	struct calendar *c = &l->m.calendar;
	unsigned most[MAX_ISSUE_QUEUES] = {0};
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		for (unsigned lane = 0; lane < NR_LANES; lane++) {
			unsigned queue = c->queue[i][lane], entries = l->t[lane].queues[queue].entries;
			entries = c->has_same_queue[i] ? entries : UINT32_MAX;
			most[queue] = entries > most[queue] ? entries : most[queue];
		}
	for (unsigned q = 0; q < MAX_ISSUE_QUEUES; q++)
		for (unsigned lane = 0; lane < NR_LANES && most[q] > 0 && most[q] <= MAX_SMALL_QUEUE; lane++)
			pool_put(&c->last[q], lane, l->t[lane].queues[q].entries);
}

static void put_in_order(struct lanes *l, unsigned lane, const struct lane_words *w)
{
	struct issue_stage *s = &l->m.issue;
	const struct core_timing *t = &l->t[lane];
	t_put(&s->bias, lane, w->bias);
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		t_put(&s->demand[i], lane, w->demand[i]);
		t_put(&s->full[i], lane, w->full[i]);
		t_put(&s->slots[i], lane, w->slots[i]);
		m_put(&s->is_slow[i], lane, !t->groups[t->group[i]].is_pipelined);
	}
}

static void lanes_free(void *ctx)
{
	struct lanes *l = ctx;
	if (!l)
		return;
	for (unsigned i = 0; i < NR_LANES; i++)
		free(l->m.calendar.busy[i]);
	free(l);
}

/* Lanes that are not used do what the last one does. */
static void *lanes_new(const struct core_timing *const *t, unsigned nr)
{
	struct lanes *l = aligned_alloc(_Alignof(struct lanes), sizeof(*l));
	if (!l)
		return NULL;
	memset(l, 0, sizeof(*l));
	l->is_in_order = t[0]->kind == CORE_IN_ORDER;
	l->nr = nr;
	for (unsigned i = 0; i < NR_LANES; i++) {
		struct lane_words words;
		l->t[i] = *t[i < nr ? i : nr - 1];
		pool_put(&l->m.mshrs.pool, i, l->t[i].mshrs);
		lane_words_init(&words, &l->t[i]);
		put_parameters(&l->m.p, i, &l->t[i]);
		if (l->is_in_order)
			put_in_order(l, i, &words);
		else
			put_out_of_order(l, i, &words);
		l->m.calendar.busy[i] = calloc(l->t[i].nr_groups, sizeof(**l->m.calendar.busy));
		if (!l->m.calendar.busy[i]) {
			lanes_free(l);
			return NULL;
		}
	}
	if (!l->is_in_order)
		put_pools(l);
	take_predictions(&l->m, NULL);
	return l;
}

static void lanes_record(void *ctx, struct path_rows *path)
{
	struct lanes *l = ctx;
	l->m.path = path;
}

static void lanes_predict(void *ctx, const struct load_predictions *p, const unsigned *cores)
{
	struct lanes *l = ctx;
	take_predictions(&l->m, p);
	for (unsigned i = 0; i < NR_LANES; i++)
		t_put(&l->m.core, i, UINT32_C(1) << cores[i < l->nr ? i : l->nr - 1]);
}

static void lanes_result(const void *ctx, unsigned lane, struct timing_result *out)
{
	const struct lanes *l = ctx;
	model_result(&l->m, lane, &l->t[lane], l->origin[lane] + (uint64_t)t_get(&l->m.commit.cycle, lane), out);
}

#endif
