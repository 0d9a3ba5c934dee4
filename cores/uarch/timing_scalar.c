/* The timing models of one core: times are numbers of 64 bits. */
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/busy_units.h"
#include "cores/uarch/issue_calendar.h"
#include "cores/uarch/slots_internal.h"
#include "cores/uarch/stack_signature.h"
#include "cores/uarch/timing.h"

typedef uint64_t T;
typedef bool M;

static inline T t_of(uint64_t n)
{
	return n;
}

static inline T t_max(T a, T b)
{
	return a > b ? a : b;
}

static inline T t_if(M condition, T a, T b)
{
	return condition ? a : b;
}

static inline T t_one_if(M condition)
{
	return condition;
}

static inline M t_gt(T a, T b)
{
	return a > b;
}

static inline M t_ge(T a, T b)
{
	return a >= b;
}

static inline M t_eq(T a, T b)
{
	return a == b;
}

static inline M t_test(T a, T b)
{
	return (a & b) != 0;
}

static inline M m_and(M a, M b)
{
	return a && b;
}

static inline M m_or(M a, M b)
{
	return a || b;
}

static inline M m_not(M a)
{
	return !a;
}

static inline M m_any(M a)
{
	return a;
}

static inline M m_all(void)
{
	return true;
}

static inline unsigned m_bits(M a)
{
	return a;
}

struct distance {
	unsigned entries; /* 0: no limit */
};

struct sum {
	uint64_t total;
};

struct mshrs {
	unsigned nr;
	uint64_t free_at[MAX_MSHRS]; /* a heap: the first MSHR to be free on top */
};

struct calendar {
	const struct core_timing *t;
	struct issue_calendar slots;
	struct issue_demand demand[NR_INSN_CLASSES];
	uint8_t queue[NR_INSN_CLASSES];
	struct busy_units *unpipelined; /* [nr_groups] */
	uint32_t unit;			/* that the last search in one of these found */
};

struct issue_stage {
	const struct core_timing *t;
	uint64_t cycle;					/* the last I */
	uint32_t nr_issued, nr_memory;			/* in that cycle */
	uint16_t nr_units[MAX_UNIT_GROUPS];		/* taken in it, of pipelined groups */
	uint64_t unit_free[MAX_UNIT_GROUPS][MAX_WIDTH]; /* of the others */
	unsigned unit;					/* as in struct calendar */
};

#include "cores/uarch/recurrences_internal.h"

static inline T ring_back(const struct ring *r, const struct distance *d)
{
	return d->entries > 0 ? ring_last(r, d->entries) : 0;
}

static inline void sum_add(struct sum *s, T more)
{
	s->total += more;
}

static inline void sum_add_if(struct sum *s, M which, T more)
{
	s->total += which ? more : 0;
}

static inline void stall_add(struct model *m, T reason, T cycles)
{
	m->sums.stalls[reason].total += cycles;
}

RULE void write_stamps(struct uop_stamps *stamps, const struct uop *u, const struct times *at)
{
	*stamps = (struct uop_stamps){at->fetch,
				      at->dispatch,
				      at->ready,
				      at->issue,
				      at->complete,
				      at->commit,
				      u->class == INSN_STORE ? at->drained - 1 : NO_DRAIN};
}

static inline struct timing_notes *notes_of(const struct model *m)
{
	return m->notes;
}

RULE void write_note(struct uop_note *n, const struct times *at)
{
	n->held = at->held;
	n->begin = at->begin;
	n->fill = at->fill;
	n->btb = (uint16_t)at->btb;
	n->tlb = (uint16_t)at->tlb;
	n->line = (uint16_t)at->line;
	n->held_by = (uint8_t)at->held_by;
	n->waits_in_queue = at->waits_in_queue;
	n->forwards = at->forwards;
	n->violates = at->violates;
}

static inline struct slot_pass *slots_of(const struct model *m)
{
	return m->slots;
}

static inline bool has_gap(const struct slot_pass *slots, T cycle)
{
	return slot_pass_has_gap(slots, cycle);
}

RULE void copy_uop(const struct uop *u, const struct times *at, struct uop_stamps *stamps, struct uop_note *note)
{
	write_stamps(stamps, u, at);
	write_note(note, at);
}

RULE void watch_gap(struct slot_pass *slots, const struct uop *u, const struct times *at, T cycle)
{
	struct uop_note note;
	write_note(&note, at);
	slot_pass_gap(slots, u, at->fetch, &note, cycle);
}

RULE void watch_uop(struct slot_pass *slots, const struct uop *u, const struct times *at, T cycle, bool is_in_order)
{
	struct uop_stamps stamps;
	struct uop_note note;
	uint8_t slot = NO_SLOT;
	slot_pass_take(slots, cycle);
	if (__builtin_expect(slot_pass_sees_flush(slots, u, at->violates), 0)) {
		copy_uop(u, at, &stamps, &note);
		slot_pass_flush(slots, u, &stamps, &note);
	}
	if (__builtin_expect(slot_pass_sees_access(u, is_in_order), 0)) {
		copy_uop(u, at, &stamps, &note);
		slot = slot_pass_access(slots, u, &stamps, &note);
	}
	slot_pass_keep(slots, u, at->ready, at->issue, at->complete, at->commit, slot, is_in_order);
}

static inline uint16_t *signatures_of(const struct model *m)
{
	return m->signatures;
}

/* Of an access whose line is not there, or not yet. A load that gets its data from a store misses nothing. */
static unsigned miss_signature(const struct model *m, const struct uop *u, const struct times *at)
{
	bool is_load = u->class == INSN_LOAD, is_conditional = !is_load && u->destination != NO_REGISTER;
	if (m->p.has_ideal_l1d || at->forwards || !(is_load || is_conditional))
		return 0;
	if (u->level == LEVEL_MEMORY && is_load)
		return SIGNATURE_ST_L1 | SIGNATURE_ST_LLC;
	bool is_late = is_load && at->complete > at->issue + m->p.dtlb_cycles[u->tlb] + m->p.l1d_cycles;
	return u->level > LEVEL_L1 || is_late ? SIGNATURE_ST_L1 : 0;
}

__attribute__((noinline)) static uint16_t events_of(const struct model *m, const struct uop *u, const struct times *at)
{
	unsigned s = 0;
	if (u->flags & UOP_FIRST && u->fetch_lines > 0) {
		s |= u->fetch_level > LEVEL_L1 || at->line_on_way ? SIGNATURE_DR_L1 : 0;
		s |= u->fetch_tlb > TLB_HIT ? SIGNATURE_DR_TLB : 0;
	}
	s |= u->flags & UOP_MISPREDICTED && !m->p.has_ideal_branches ? SIGNATURE_FL_MB : 0;
	s |= u->flags & UOP_SYSTEM || (u->flags & UOP_FENCE && m->p.fences_flush) ? SIGNATURE_FL_EX : 0;
	s |= at->violates ? SIGNATURE_FL_MO : 0;
	s |= at->drains ? SIGNATURE_DR_SQ : 0;
	if (u->class != INSN_LOAD && u->class != INSN_STORE)
		return (uint16_t)s;
	s |= u->tlb > TLB_HIT ? SIGNATURE_ST_TLB : 0;
	return (uint16_t)(s | miss_signature(m, u, at));
}

/* Few uops have an event. */
RULE void write_signature(const struct model *m, const struct uop *u, const struct times *at, uint16_t *signature)
{
	_Static_assert(LEVEL_L1 == 0 && TLB_HIT == 0, "0: it hits");
	bool may = u->fetch_lines | u->level | u->tlb | u->fill |
		   (u->flags & (UOP_MISPREDICTED | UOP_SYSTEM | UOP_FENCE)) | at->violates | at->drains;
	*signature = __builtin_expect(may, 0) ? events_of(m, u, at) : 0;
}

static inline void write_prefetch_note(struct timing_notes *notes, T begin, T fill)
{
	notes->prefetches[notes->nr_prefetches++] = (struct prefetch_note){begin, fill};
}

/* ---- MSHRs ---- */

static inline T mshrs_first(const struct mshrs *s)
{
	return s->free_at[0];
}

/* The MSHR on top of the heap becomes free at `free` instead. */
static void mshrs_replace(struct mshrs *s, M which, T first, T free)
{
	uint64_t *heap = s->free_at;
	unsigned at = 0;
	(void)first;
	if (!which)
		return;
	for (unsigned child = 1; child < s->nr; child = 2 * at + 1) {
		if (child + 1 < s->nr && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= free)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = free;
}

/* ---- Issue, out of order ---- */

static uint64_t find_unpipelined(struct calendar *c, unsigned class, uint64_t cycle)
{
	unsigned group = c->t->group[class];
	for (;;) {
		uint64_t slot = issue_calendar_find(&c->slots, cycle, &c->demand[class]);
		cycle = busy_units_find(&c->unpipelined[group], slot, c->t->groups[group].units, c->t->latency[class],
					&c->unit);
		if (cycle == slot)
			return cycle;
	}
}

/* The first cycle at or past `cycle` in which the issue queue has room; *reason says so if it is later. */
static inline T calendar_wait(struct model *m, unsigned class, T cycle, T *reason)
{
	struct calendar *c = &m->calendar;
	unsigned queue = c->queue[class];
	issue_calendar_advance(&c->slots, cycle);
	while (__builtin_expect(c->slots.held[queue] >= c->slots.limit[queue], 0)) {
		cycle = issue_calendar_next(&c->slots) + 1;
		*reason = STALL_QUEUE;
		issue_calendar_advance(&c->slots, cycle);
	}
	return cycle;
}

static inline void calendar_advance(struct model *m, T cycle)
{
	issue_calendar_advance(&m->calendar.slots, cycle);
}

static inline T calendar_find(struct model *m, unsigned class, T cycle)
{
	struct calendar *c = &m->calendar;
	if (__builtin_expect(c->demand[class].group == 0, 0))
		return find_unpipelined(c, class, cycle);
	return issue_calendar_find(&c->slots, cycle, &c->demand[class]);
}

static inline T calendar_find_if(struct model *m, M which, unsigned class, T cycle, T otherwise)
{
	return which ? calendar_find(m, class, cycle) : otherwise;
}

/* Whether no issue slot is left in `cycle`. */
static M calendar_is_full(struct model *m, unsigned class, T cycle)
{
	struct calendar *c = &m->calendar;
	struct issue_demand slot = {.queue_full = c->demand[class].queue_full};
	return issue_calendar_find(&c->slots, cycle, &slot) != cycle;
}

static inline void calendar_take(struct model *m, unsigned class, T cycle)
{
	struct calendar *c = &m->calendar;
	issue_calendar_take(&c->slots, cycle, &c->demand[class], c->queue[class]);
	if (__builtin_expect(c->demand[class].group == 0, 0))
		busy_units_take(&c->unpipelined[c->t->group[class]], c->slots.base, cycle, c->t->latency[class],
				c->unit);
}

/* ---- Issue, in order ---- */

/* Whether a unit of `group` is free in the cycle of the stage; of a group that is not pipelined, which one. */
static inline bool has_unit(struct issue_stage *s, unsigned group)
{
	const struct unit_group *g = &s->t->groups[group];
	s->unit = 0;
	if (g->is_pipelined)
		return s->nr_units[group] < g->units;
	while (s->unit < g->units && s->unit_free[group][s->unit] > s->cycle)
		++s->unit;
	return s->unit < g->units;
}

static inline void go_to(struct issue_stage *s, uint64_t cycle)
{
	s->cycle = cycle;
	s->nr_issued = s->nr_memory = 0;
	memset(s->nr_units, 0, sizeof(s->nr_units));
}

static inline bool has_slot(const struct issue_stage *s, unsigned class)
{
	bool is_access = class == INSN_LOAD || class == INSN_STORE;
	return s->nr_issued < s->t->issue_width && !(is_access && s->nr_memory == s->t->same_cycle_memory);
}

/* The first cycle at or past `cycle` with a slot and a unit. No later uop issues before it. *was_full: there was no
 * slot in the last cycle that was tried. */
static inline T issue_find(struct model *m, unsigned class, T cycle, M *was_full)
{
	struct issue_stage *s = &m->issue;
	*was_full = false;
	if (cycle > s->cycle)
		go_to(s, cycle);
	while (!has_slot(s, class) || !has_unit(s, s->t->group[class])) {
		*was_full = !has_slot(s, class);
		go_to(s, s->cycle + 1);
	}
	return s->cycle;
}

static inline T issue_slot(const struct model *m, unsigned class)
{
	const struct issue_stage *s = &m->issue;
	bool is_access = class == INSN_LOAD || class == INSN_STORE;
	return is_access && s->nr_memory == s->t->same_cycle_memory ? s->cycle + 1 : 0;
}

static inline T issue_unit(const struct model *m, unsigned class)
{
	const struct issue_stage *s = &m->issue;
	unsigned group = s->t->group[class];
	const struct unit_group *g = &s->t->groups[group];
	uint64_t first = s->unit_free[group][0];
	if (g->is_pipelined)
		return s->nr_units[group] < g->units ? 0 : s->cycle + 1;
	for (unsigned i = 1; i < g->units; i++)
		first = s->unit_free[group][i] < first ? s->unit_free[group][i] : first;
	return first;
}

static inline void issue_take(struct model *m, unsigned class)
{
	struct issue_stage *s = &m->issue;
	unsigned group = s->t->group[class];
	s->nr_issued++;
	s->nr_memory += class == INSN_LOAD || class == INSN_STORE;
	if (s->t->groups[group].is_pipelined)
		s->nr_units[group]++;
	else
		s->unit_free[group][s->unit] = s->cycle + s->t->latency[class];
}

/* A prefetch instruction issues as a load does, at or past `cycle`, but is in no queue: when it does. */
static T soft_issue(struct model *m, T cycle, bool is_in_order)
{
	struct calendar *c = &m->calendar;
	bool was_full;
	if (is_in_order) {
		uint64_t at = issue_find(m, INSN_LOAD, cycle, &was_full);
		issue_take(m, INSN_LOAD);
		return at;
	}
	cycle = calendar_find(m, INSN_LOAD, cycle);
	issue_calendar_take_soft(&c->slots, cycle, &c->demand[INSN_LOAD]);
	if (c->demand[INSN_LOAD].group == 0)
		busy_units_take(&c->unpipelined[c->t->group[INSN_LOAD]], c->slots.base, cycle, c->t->latency[INSN_LOAD],
				c->unit);
	return cycle;
}

/* ---- The model ---- */

static inline void t_put(T *to, unsigned lane, uint32_t n)
{
	(void)lane;
	*to = n;
}

static inline void m_put(M *to, unsigned lane, bool truth)
{
	(void)lane;
	*to = truth;
}

static inline void distance_put(struct distance *to, unsigned lane, unsigned entries)
{
	(void)lane;
	to->entries = entries;
}

static inline uint64_t sum_get(const struct sum *s, unsigned lane)
{
	(void)lane;
	return s->total;
}

struct timing {
	struct core_timing t;
	struct model m;
};

struct timing *timing_new(const struct core_timing *t)
{
	struct timing *x = calloc(1, sizeof(*x));
	if (!x)
		return NULL;
	x->t = *t;
	x->m.calendar.t = x->m.issue.t = &x->t;
	x->m.mshrs.nr = t->mshrs;
	put_parameters(&x->m.p, 0, t);
	take_predictions(&x->m, NULL);
	if (t->kind == CORE_IN_ORDER)
		return x;
	struct calendar *c = &x->m.calendar;
	issue_calendar_init(&c->slots, t);
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		c->demand[i] = issue_demand_of(t, t->group[i]);
		c->queue[i] = t->groups[t->group[i]].queue;
	}
	c->unpipelined = calloc(t->nr_groups, sizeof(*c->unpipelined));
	if (!c->unpipelined) {
		free(x);
		return NULL;
	}
	return x;
}

void timing_free(struct timing *x)
{
	if (!x)
		return;
	free(x->m.calendar.unpipelined);
	free(x);
}

void timing_record(struct timing *x, struct path_rows *path)
{
	x->m.path = path;
}

void timing_take_notes(struct timing *x, struct timing_notes *notes)
{
	x->m.notes = notes;
}

void timing_take_slots(struct timing *x, struct slot_pass *slots)
{
	x->m.slots = slots;
}

void timing_take_signatures(struct timing *x, uint16_t *signatures)
{
	x->m.signatures = signatures;
}

void timing_take_predictions(struct timing *x, const struct load_predictions *p, unsigned core)
{
	take_predictions(&x->m, p);
	t_put(&x->m.core, 0, UINT32_C(1) << core);
}

void timing_batch(struct timing *x, const struct uop_batch *batch, struct uop_stamps *stamps)
{
	if (x->m.slots)
		slot_pass_begin_batch(x->m.slots);
	if (x->m.notes)
		x->m.notes->nr_prefetches = 0;
	x->m.batch_begin = x->m.nr_uops;
	run_uops(&x->m, x->t.kind == CORE_IN_ORDER, batch->uops, batch->nr, batch->prefetches, stamps);
	x->m.nr_instructions += batch->nr_instructions;
}

void timing_result(const struct timing *x, struct timing_result *out)
{
	model_result(&x->m, 0, &x->t, x->m.commit.cycle, out);
}

const char *stall_name(enum stall stall)
{
	static const char *const names[NR_STALLS] = {
#define STALL(suffix, name, help) [STALL_##suffix] = name,
#include "cores/uarch/stall_list.h"
#undef STALL
	};
	return names[stall];
}
