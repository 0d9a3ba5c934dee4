/* The rules of both timing models, each written once (docs/cores.md): for one core, or for several in the lanes of a
 * vector, which see the same uops.
 *
 * A form of the models (timing_scalar.c, vector_lanes_internal.h) defines, before it includes this file:
 *   T        times and counts: a number, or a number per lane
 *   M        conditions: a truth, or one per lane
 *   t_of(n), t_max(a, b), t_if(condition, a, b), t_one_if(condition)
 *   t_gt(a, b), t_ge(a, b), t_eq(a, b)     conditions
 *   t_test(a, b)                           a condition: they have a bit in common
 *   m_and(a, b), m_or(a, b), m_not(a), m_any(a), m_all(), m_bits(a): a bit per lane
 *   struct distance, ring_back()           how far back in a ring, which can differ by lane
 *   struct sum, sum_add(), sum_get()       sums over a whole run
 *   t_put(), m_put(), distance_put()       the value of one lane
 *   struct mshrs, mshrs_first(), mshrs_replace()
 *   struct calendar, calendar_wait(), calendar_advance(), calendar_find(), calendar_take()   out-of-order
 *   calendar_is_full()                                     whether no issue slot is left
 *   struct issue_stage, issue_find(), issue_slot(), issue_unit(), issue_take()    in-order
 *   notes_of(), write_note(), write_prefetch_note(), write_stamps()
 *   slots_of(), has_gap(), watch_gap(), watch_uop()
 *   signatures_of(), write_signature(), soft_issue()
 * Functions that take `struct model` are defined after it, by the form. */
#ifndef SAHM_CORES_UARCH_RECURRENCES_INTERNAL_H
#define SAHM_CORES_UARCH_RECURRENCES_INTERNAL_H

#include "cores/uarch/path_rows_internal.h"
#include "cores/uarch/timing.h"

/* The rules are compiled for models that record winners for critical paths, for each kind of watcher, and for none.
 * `path`, `notes`, `slots` or `signatures` are the constant NULL in the others, and compilers leave out whatever only
 * they need. */
#define RULE static inline __attribute__((always_inline))

/* ---- State ---- */

/* Times of the last uops, loads, stores or fills: a power of two, at or above every distance that is looked back. */
#define TIME_RING 1024u
_Static_assert(MAX_ROB <= TIME_RING && MAX_RENAME_REGISTERS <= TIME_RING && MAX_FETCH_BUFFER <= TIME_RING,
	       "it reaches");

struct ring {
	uint64_t nr;
	T at[TIME_RING]; /* 0 where nothing is yet */
};

static inline void ring_add(struct ring *r, T time)
{
	r->at[r->nr++ % TIME_RING] = time;
}

/* The `n`-th last time, 1 to TIME_RING. */
static inline T ring_last(const struct ring *r, unsigned n)
{
	return r->at[(r->nr - n) % TIME_RING];
}

/* Of a number in a cycle, in order. */
struct slots {
	T cycle, nr;
};

/* The first cycle that is not full. */
static inline T slots_next(const struct slots *s, T width)
{
	return s->cycle + t_one_if(t_eq(s->nr, width));
}

/* One more in `cycle`, which is that one or a later one. */
static inline T slots_enter(struct slots *s, T cycle)
{
	s->nr = t_if(t_gt(cycle, s->cycle), t_of(1), s->nr + t_of(1));
	return s->cycle = cycle;
}

static inline T slots_take(struct slots *s, T cycle, T width)
{
	return slots_enter(s, t_max(cycle, slots_next(s, width)));
}

/* struct core_timing, by lane. */
struct parameters {
	T fetch_width, icache_cycles[NR_MEMORY_LEVELS], itlb_cycles[NR_TLB_LEVELS];
	T btb_miss_cycles, decode_cycles, mispredict_cycles, flush_cycles;
	T dispatch_width, dispatch_cycles, commit_cycles, resolve_cycles, commit_width, drain_width;
	T latency[NR_INSN_CLASSES], l1d_cycles, dtlb_cycles[NR_TLB_LEVELS], forward_cycles;
	T data_cycles[NR_MEMORY_LEVELS], row_cycles[NR_ROW_STATES], line_cycles;
	struct distance fetch_buffer, rob, int_rename, fp_rename, load_queue, store_queue;
	M is_perfect, is_conservative, is_speculative; /* memory order */
	M fills_at_execute, fences_flush, blocks, has_bus, has_ideal_branches, has_ideal_l1d;
	M has_ideal_values;
	bool any_ideal_values; /* in any lane */
};

/* Only struct sum is in it. */
struct sums {
	struct sum busy_cycles, stalls[NR_STALLS + 1], violations; /* the last stall is BOUND_ORDER: none */
	/* Over cycles, of the entries held; of issue queues by class of uop. */
	struct sum rob_held, class_held[NR_INSN_CLASSES], load_queue_held, store_queue_held, mshrs_held;
};

struct model {
	struct parameters p;
	uint64_t nr_uops, nr_instructions;

	/* fetch */
	struct slots fetch;
	T redirect, group_end, group_btb; /* group_btb: the part of group_end that is a BTB miss */
	struct ring left;		  /* D + 1 (in-order: I + 1) of the last uop of each instruction */
	struct ring fetch_fills;

	/* misses */
	struct mshrs mshrs;
	T bus_free;
	struct ring fills;

	struct slots commit, drain;
	struct ring drained;	   /* S + 1 of stores */
	struct ring store_results; /* X of stores */
	T ready[256];		   /* X of the last writer of each register; [NO_REGISTER] stays 0 */
	T dispatched;		   /* the last D */

	/* out-of-order */
	struct calendar calendar;
	struct slots dispatch;
	struct ring commits, load_commits, int_commits, fp_commits; /* C + 1 */
	T all_stores;						    /* the largest X of all stores */
	M violated[VIOLATION_BITS];

	/* in-order */
	struct issue_stage issue;
	T blocked; /* no uop issues before this */

	/* predicted loads */
	bool predicts;
	uint64_t batch_begin;			    /* the first uop of the batch */
	const struct load_predictions *predictions; /* NULL: of ideal cores only */
	T core;					    /* the lane's bit there */

	struct sums sums;
	struct path_rows *path; /* NULL: nothing is recorded */
	struct timing_notes *notes;
	struct slot_pass *slots;
	uint16_t *signatures;
};

/* Times of a uop. */
struct times {
	T fetch, dispatch, ready, issue, complete, commit, drained; /* drained: S + 1, of a store */
	T searched;						    /* from when on the issue found a slot */
	T fetch_why, why;					    /* winners: see path_rows_internal.h */
	M hops[NR_PATH_HOPS];
	/* For notes: as in struct uop_note. */
	T held, held_by, begin, fill, btb, tlb, line;
	M waits_in_queue, forwards, violates;
	/* For signatures: the line of a hit in L1I was still on its way; a store waited for the store queue with an
	 * empty ROB. */
	M line_on_way, drains;
};

/* Filled in by the form. */
static T ring_back(const struct ring *r, const struct distance *d);
static void sum_add(struct sum *s, T more);
static void sum_add_if(struct sum *s, M which, T more);
static void stall_add(struct model *m, T reason, T cycles);
static T mshrs_first(const struct mshrs *s);
static void mshrs_replace(struct mshrs *s, M which, T first, T free);
static T calendar_wait(struct model *m, unsigned class, T cycle, T *reason);
static void calendar_advance(struct model *m, T cycle);
static T calendar_find(struct model *m, unsigned class, T cycle);
static T calendar_find_if(struct model *m, M which, unsigned class, T cycle, T otherwise);
static void calendar_take(struct model *m, unsigned class, T cycle);
static M calendar_is_full(struct model *m, unsigned class, T cycle);
static T issue_find(struct model *m, unsigned class, T cycle, M *was_full);
static T issue_slot(const struct model *m, unsigned class); /* for notes: when a slot for memory is free; 0: now */
static T issue_unit(const struct model *m, unsigned class); /* for notes: when a unit is free; 0: now */
static void issue_take(struct model *m, unsigned class);
static T soft_issue(struct model *m, T cycle, bool is_in_order); /* of a prefetch instruction */
static struct timing_notes *notes_of(const struct model *m);	 /* NULL: none are taken */
static void write_note(struct uop_note *note, const struct times *at);
static void write_prefetch_note(struct timing_notes *notes, T begin, T fill);
static struct slot_pass *slots_of(const struct model *m); /* NULL: nobody asks */
static bool has_gap(const struct slot_pass *slots, T cycle);
static void watch_gap(struct slot_pass *slots, const struct uop *u, const struct times *at, T cycle);
static void watch_uop(struct slot_pass *slots, const struct uop *u, const struct times *at, T cycle, bool is_in_order);
static uint16_t *signatures_of(const struct model *m); /* NULL: nobody asks */
static void write_signature(const struct model *m, const struct uop *u, const struct times *at, uint16_t *signature);
static void write_stamps(struct uop_stamps *stamps, const struct uop *u, const struct times *at);
static void t_put(T *to, unsigned lane, uint32_t n);
static void m_put(M *to, unsigned lane, bool truth);
static void distance_put(struct distance *to, unsigned lane, unsigned entries /* 0: no limit */);
static uint64_t sum_get(const struct sum *s, unsigned lane);

/* ---- Bounds and winners ---- */

/* The bound that ends last, of equal ones the last that was taken in. */
struct bound {
	T cycle, reason;
};

RULE void bound_add(struct bound *b, T cycle, uint32_t reason)
{
	b->reason = t_if(t_ge(cycle, b->cycle), t_of(reason), b->reason);
	b->cycle = t_max(cycle, b->cycle);
}

RULE void bound_add_if(struct bound *b, M which, T cycle, uint32_t reason)
{
	which = m_and(which, t_ge(cycle, b->cycle));
	b->reason = t_if(which, t_of(reason), b->reason);
	b->cycle = t_if(which, cycle, b->cycle);
}

/* A bound that `held` knows; of equal ones the first. */
RULE void bound_held(struct times *at, T cycle, uint32_t reason)
{
	at->held_by = t_if(t_gt(cycle, at->held), t_of(reason), at->held_by);
	at->held = t_max(cycle, at->held);
}

/* A condition as a bit of a word of winners. */
RULE T why_if(M condition, uint32_t bit)
{
	return t_if(condition, t_of(bit), t_of(0));
}

/* C of a uop that can commit at `cycle`. */
RULE T rule_commit(struct slots *s, T cycle, T width, struct times *at)
{
	M follows = t_ge(s->cycle, cycle), is_full = m_and(follows, t_eq(s->nr, width));
	at->why = at->why | why_if(follows, WHY_COMMIT_ORDER) | why_if(is_full, WHY_COMMIT_FULL);
	at->hops[HOP_COMMIT] = m_and(follows, m_not(is_full));
	return slots_take(s, cycle, width);
}

RULE void row_put(void *rows, uint64_t number, uint32_t nr_rows, T value)
{
	((T *)rows)[number % nr_rows] = value;
}

/* Fetch is redirected to `time`, in lanes `which`. */
RULE void record_redirect(const struct model *m, struct path_rows *path, enum path_redirect kind, M which, T time)
{
	if (path)
		row_put(path->redirect, path_redirect_number(path, m->nr_uops, kind), REDIRECT_RING,
			t_if(which, time, t_of(0)));
}

RULE void record_miss(struct path_rows *path, T fill, T why)
{
	if (!path)
		return;
	row_put(path->fill, path->miss, MISS_RING, fill);
	row_put(path->fill_why, path->miss, MISS_RING, why);
	path->miss++;
}

/* A uop waits for a slot or a unit; in lanes `is_full` a slot was missing last. */
RULE void record_wait(const struct model *m, struct path_rows *path, struct times *at, M is_full)
{
	T wait = at->issue - at->searched;
	M is_long = t_ge(wait, t_of(LONG_WAIT));
	at->why = at->why | WHY_WAIT(t_if(is_long, t_of(LONG_WAIT), wait)) |
		  why_if(m_and(is_full, t_gt(wait, t_of(0))), WHY_ISSUE_FULL);
	if (__builtin_expect(m_any(is_long), 0))
		row_put(path->searched, m->nr_uops, PATH_RING, at->searched);
}

/* A uop, whose times are known. */
RULE void record_uop(const struct model *m, struct path_rows *path, const struct times *at)
{
	if (!path)
		return;
	row_put(path->issue, m->nr_uops, PATH_RING, at->issue);
	row_put(path->why, m->nr_uops, PATH_RING, at->why | at->fetch_why);
	for (unsigned i = 0; i < NR_PATH_HOPS; i++)
		path->hops[m->nr_uops % PATH_RING][i] = m_bits(at->hops[i]);
}

/* ---- Fetch ---- */

/* F of the instruction that begins with `u`. */
RULE T rule_fetch(struct model *m, const struct uop *u, struct times *at)
{
	const struct parameters *p = &m->p;
	struct bound b = {slots_next(&m->fetch, p->fetch_width), why_if(t_eq(m->fetch.nr, p->fetch_width), FETCH_FULL)};
	bound_add(&b, m->redirect, FETCH_REDIRECT);
	T buffer = ring_back(&m->left, &p->fetch_buffer), others = t_max(b.cycle, buffer);
	bound_add(&b, m->group_end, FETCH_GROUP);
	bound_add(&b, buffer, FETCH_BUFFER);
	at->btb = b.cycle - t_max(others, m->group_end - m->group_btb);
	at->tlb = at->line = t_of(0);
	if (__builtin_expect(u->fetch_lines > 0, 0)) {
		T hit = b.cycle + p->icache_cycles[LEVEL_L1] + p->itlb_cycles[TLB_HIT];
		b.cycle = b.cycle + p->icache_cycles[u->fetch_level] + p->itlb_cycles[u->fetch_tlb];
		at->line_on_way = m_not(m_all());
		if (u->fetch_fill > 0) {
			T fill = ring_last(&m->fetch_fills, u->fetch_fill);
			at->line_on_way = t_gt(fill, b.cycle);
			bound_add(&b, fill, FETCH_LINE);
		}
		for (unsigned i = 0; i < u->fetch_fills; i++)
			ring_add(&m->fetch_fills, b.cycle);
		T more = t_max(b.cycle, hit) - hit, hits = p->itlb_cycles[TLB_HIT];
		at->tlb = t_max(p->itlb_cycles[u->fetch_tlb], hits) - hits;
		at->tlb = t_if(t_gt(at->tlb, more), more, at->tlb);
		at->line = more - at->tlb;
	}
	at->fetch_why = b.reason;
	at->hops[HOP_FETCH] = u->fetch_lines > 0 ? m_not(m_all()) : t_eq(b.reason, t_of(FETCH_AFTER));
	return slots_enter(&m->fetch, b.cycle);
}

/* `u` ends its fetch group if it is a taken branch, and redirects fetch if it is mispredicted: to `resolved`. */
RULE void rule_branch(struct model *m, const struct uop *u, T fetched, T resolved, struct path_rows *path)
{
	if (u->flags & UOP_TAKEN) {
		m->group_btb = u->flags & UOP_BTB_MISS ? m->p.btb_miss_cycles : t_of(0);
		m->group_end = fetched + t_of(1) + m->group_btb;
	}
	if (u->flags & UOP_MISPREDICTED) {
		T time = resolved + m->p.mispredict_cycles;
		m->redirect = t_if(m->p.has_ideal_branches, m->redirect, t_max(m->redirect, time));
		record_redirect(m, path, REDIRECT_BRANCH, m_not(m->p.has_ideal_branches), time);
	}
}

static inline M rule_serializes(const struct model *m, const struct uop *u)
{
	return u->flags & UOP_SYSTEM ? m_all() : m->p.fences_flush;
}

/* From which cycle on the first uop of a serialising instruction can be dispatched; 0 for other uops. */
static inline T rule_serial_bound(const struct model *m, const struct uop *u)
{
	bool may = u->flags & (UOP_SYSTEM | UOP_FENCE) && u->flags & UOP_FIRST && m->nr_uops > 0;
	return __builtin_expect(may, 0) ? t_if(rule_serializes(m, u), m->commit.cycle + t_of(1), t_of(0)) : t_of(0);
}

/* The last uop of an instruction left the front end at `left` (D; in-order: I) and committed at `commit`. */
RULE void rule_end_instruction(struct model *m, const struct uop *u, T left, T commit, struct path_rows *path)
{
	ring_add(&m->left, left + t_of(1));
	if (__builtin_expect(u->flags & (UOP_SYSTEM | UOP_FENCE), 0)) {
		T time = commit + m->p.flush_cycles;
		m->redirect = t_if(rule_serializes(m, u), t_max(m->redirect, time), m->redirect);
		record_redirect(m, path, REDIRECT_SYSTEM, rule_serializes(m, u), time);
	}
}

/* Whether a store waits for nothing but the store queue while the ROB is empty: it is free, at S + 1 of an older store,
 * past F + decode_cycles and after the cycle of the last commit, which ends all other bounds on D. */
RULE M rule_drains(const struct model *m, const struct uop *u, const struct times *at)
{
	if (u->class != INSN_STORE)
		return m_not(m_all());
	T entry = ring_back(&m->drained, &m->p.store_queue);
	return m_and(t_gt(entry, m->commit.cycle + t_of(1)), t_gt(entry, at->fetch + m->p.decode_cycles));
}

/* Adds the bounds of the operands. */
RULE void rule_operands(const struct model *m, const struct uop *u, struct bound *ready)
{
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		bound_add(ready, m->ready[u->source[s]], BOUND_SOURCE(s));
}

/* ---- Why nothing is dispatched ---- */

/* Counts the cycles from `before`, in which a uop was dispatched, to `cycle`, in which the next one is. */
static inline void count_cycles(struct model *m, T before, T cycle, T reason)
{
	if (__builtin_expect(m->nr_uops == 0, 0)) {
		stall_add(m, reason, cycle);
		sum_add(&m->sums.busy_cycles, t_of(1));
		return;
	}
	M moves = t_gt(cycle, before);
	stall_add(m, reason, t_if(moves, cycle - before - t_of(1), t_of(0)));
	sum_add(&m->sums.busy_cycles, t_one_if(moves));
}

/* ---- Misses ---- */

/* A miss that is known at `time`: MSHR, bus and latency, in lanes `which`. It takes its MSHR at *taken. When its line
 * arrives; 0: with an ideal L1D. */
RULE T rule_miss(struct model *m, M which, T time, unsigned level, unsigned row, bool releases, T *taken,
		 struct path_rows *path)
{
	const struct parameters *p = &m->p;
	which = m_and(which, m_not(p->has_ideal_l1d));
	T first = mshrs_first(&m->mshrs), begin = t_max(time, first), fill = begin;
	T why = t_if(t_ge(first, time), t_of(MISS_MSHR), t_of(MISS_ACCESS));
	*taken = begin;
	if (level == LEVEL_MEMORY) {
		if (m_any(p->has_bus)) {
			M uses = m_and(which, p->has_bus);
			why = t_if(m_and(uses, t_ge(m->bus_free, begin)), t_of(MISS_BUS), why);
			fill = t_if(uses, t_max(begin, m->bus_free), begin);
			T end = fill + p->line_cycles + (releases ? p->line_cycles : t_of(0));
			m->bus_free = t_if(uses, end, m->bus_free);
		}
		fill = fill + p->row_cycles[row];
	}
	fill = fill + p->data_cycles[level];
	mshrs_replace(&m->mshrs, which, first, fill + t_of(1));
	sum_add_if(&m->sums.mshrs_held, which, fill - begin + t_of(1));
	record_miss(path, fill, t_if(which, why, t_of(MISS_NOT)));
	return t_if(p->has_ideal_l1d, t_of(0), fill);
}

/* When the line of an access that misses, known at `time`, or of a hit that is on its way arrives; 0: it is there. */
RULE T rule_line(struct model *m, M which, const struct uop *u, T time, struct times *at, struct path_rows *path)
{
	if (__builtin_expect(u->level > LEVEL_L1, 0)) {
		T fill = rule_miss(m, which, time, u->level, u->row, u->releases, &at->begin, path);
		at->fill = t_if(which, fill, t_of(0));
		return fill;
	}
	return u->fill > 0 ? ring_last(&m->fills, u->fill) : t_of(0);
}

/* ---- Predicted results of loads ---- */

/* The results of lanes `right` are ready before any uop that reads them is, and for nothing else: at 0. */
static __attribute__((noinline)) void predict_load(struct model *m, const struct uop *u, T complete, M violates)
{
	M right = m->p.has_ideal_values;
	if (m->predictions) {
		uint64_t i = m->nr_uops - m->batch_begin;
		M wrong = m_and(t_test(t_of(m->predictions->wrong[i]), m->core), m_not(right));
		T time = complete + m->p.flush_cycles;
		right = m_or(right, t_test(t_of(m->predictions->right[i]), m->core));
		m->redirect = t_if(wrong, t_max(m->redirect, time), m->redirect);
		if (m->path && m->predictions->wrong[i] != 0)
			record_redirect(m, m->path, REDIRECT_LOAD, m_or(wrong, violates), time);
	}
	m->ready[u->destination] = t_if(right, t_of(0), m->ready[u->destination]);
}

/* The result of a uop that is known at at->complete. */
RULE void rule_result(struct model *m, const struct uop *u, const struct times *at)
{
	m->ready[u->destination] = at->complete;
	if (__builtin_expect(m->predicts, 0) && uop_can_be_predicted(u))
		predict_load(m, u, at->complete, at->violates);
	m->ready[NO_REGISTER] = t_of(0);
}

static inline void take_predictions(struct model *m, const struct load_predictions *p)
{
	m->predictions = p;
	m->predicts = p || m->p.any_ideal_values;
}

/* When the line of a prefetch instruction is requested. */
RULE T rule_soft_prefetch(struct model *m, const struct uop_prefetch *f, const struct times *at, bool is_in_order)
{
	T issue = soft_issue(m, at->issue, is_in_order);
	if (is_in_order)
		count_cycles(m, at->issue, issue, t_of(STALL_UNITS));
	return issue + m->p.dtlb_cycles[f->tlb] + m->p.l1d_cycles;
}

/* Requests the prefetches of `u`; those of its fetch at at->fetch, those of its access at `accessed`. */
RULE void rule_prefetch(struct model *m, const struct uop *u, const struct uop_prefetch *prefetches,
			const struct times *at, T accessed, bool is_in_order, struct path_rows *path,
			struct timing_notes *notes)
{
	for (unsigned i = 0; i < u->nr_prefetches; i++) {
		const struct uop_prefetch *f = &prefetches[i];
		if (__builtin_expect(f->is_soft, 0)) {
			accessed = rule_soft_prefetch(m, f, at, is_in_order);
			if (f->level == LEVEL_L1)
				continue;
		}
		if (f->target == PREFETCH_L1I) {
			ring_add(&m->fetch_fills, at->fetch + m->p.icache_cycles[f->level]);
		} else if (f->target == PREFETCH_L1D) {
			T begin, fill = rule_miss(m, m_all(), accessed, f->level, f->row, false, &begin, path);
			ring_add(&m->fills, fill);
			if (notes)
				write_prefetch_note(notes, begin, fill);
		} else if (f->level == LEVEL_MEMORY && !f->is_code) {
			T end = t_max(accessed, m->bus_free) + m->p.line_cycles;
			T why = t_if(t_ge(m->bus_free, accessed), t_of(MISS_BUS), t_of(MISS_ACCESS));
			m->bus_free = t_if(m->p.has_bus, end, m->bus_free);
			record_miss(path, end, t_if(m->p.has_bus, why, t_of(MISS_NOT)));
		}
	}
}

/* ---- Loads and stores ---- */

/* S + 1 of the store that the load `u` reads from, or 0. */
static inline T rule_source_drained(const struct model *m, const struct uop *u)
{
	return u->forward > 0 ? ring_last(&m->drained, u->forward) : t_of(0);
}

/* X of a load that issues at at->issue; its line is requested, and its prefetches are, at *access. In lanes *forwards
 * it gets its data from the store that it names. */
RULE T rule_load(struct model *m, const struct uop *u, struct times *at, T *access, M *forwards, struct path_rows *path)
{
	*access = at->issue + m->p.dtlb_cycles[u->tlb] + m->p.l1d_cycles;
	if (u->forward == 0 || !u->covers) {
		T line = rule_line(m, m_all(), u, *access, at, path);
		*forwards = m_not(m_all());
		for (unsigned i = 0; i < u->fills; i++)
			ring_add(&m->fills, line);
		at->why = at->why | why_if(t_ge(line, *access), WHY_LINE);
		return t_max(*access, line);
	}
	*forwards = t_gt(rule_source_drained(m, u), at->issue);
	T line = rule_line(m, m_not(*forwards), u, *access, at, path), forwarded = at->issue + m->p.forward_cycles;
	for (unsigned i = 0; i < u->fills; i++)
		ring_add(&m->fills, t_if(m_and(*forwards, m_not(m->p.has_ideal_l1d)), forwarded, line));
	at->why = at->why | t_if(*forwards, t_of(WHY_FORWARD), why_if(t_ge(line, *access), WHY_LINE));
	return t_if(*forwards, forwarded, t_max(*access, line));
}

/* S + 1 of a store, whose other times are known. Its line is requested at *access; returned in *filled is when it
 * arrives, or 0. */
RULE T rule_store(struct model *m, const struct uop *u, struct times *at, T *access, T *filled, struct path_rows *path)
{
	const struct parameters *p = &m->p;
	*access = t_if(p->fills_at_execute, at->issue, at->commit) + p->dtlb_cycles[u->tlb];
	*filled = rule_line(m, m_all(), u, *access, at, path);
	for (unsigned i = 0; i < u->fills; i++)
		ring_add(&m->fills, *filled);
	ring_add(&m->store_results, at->complete);
	struct bound b = {at->commit + t_of(1), t_of(0)};
	bound_add(&b, m->drain.cycle, WHY_DRAIN_ORDER);
	bound_add(&b, *filled, WHY_DRAIN_LINE);
	T cycle = slots_take(&m->drain, t_max(at->commit + t_of(1), *filled), p->drain_width),
	  drained = cycle + t_of(1);
	at->why = at->why | b.reason | why_if(t_gt(cycle, b.cycle), WHY_DRAIN_FULL);
	ring_add(&m->drained, drained);
	sum_add(&m->sums.store_queue_held, drained - at->dispatch);
	return drained;
}

/* ---- Parameters and results ---- */

static void put_each(T *to, unsigned lane, const uint16_t *from, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		t_put(&to[i], lane, from[i]);
}

static unsigned rename_registers(unsigned registers)
{
	return registers > 0 ? registers - ARCHITECTURAL_REGISTERS : 0;
}

/* Makes `lane` the core `t`. */
static void put_parameters(struct parameters *p, unsigned lane, const struct core_timing *t)
{
	t_put(&p->fetch_width, lane, t->fetch_width);
	put_each(p->icache_cycles, lane, t->icache_cycles, NR_MEMORY_LEVELS);
	put_each(p->itlb_cycles, lane, t->itlb_cycles, NR_TLB_LEVELS);
	t_put(&p->btb_miss_cycles, lane, t->btb_miss_cycles);
	t_put(&p->decode_cycles, lane, t->decode_cycles);
	t_put(&p->mispredict_cycles, lane, t->mispredict_cycles);
	t_put(&p->flush_cycles, lane, t->flush_cycles);
	t_put(&p->dispatch_width, lane, t->dispatch_width);
	t_put(&p->dispatch_cycles, lane, t->dispatch_cycles);
	t_put(&p->commit_cycles, lane, t->commit_cycles);
	t_put(&p->resolve_cycles, lane, t->resolve_cycles);
	t_put(&p->commit_width, lane, t->commit_width);
	t_put(&p->drain_width, lane, t->drain_width);
	put_each(p->latency, lane, t->latency, NR_INSN_CLASSES);
	t_put(&p->l1d_cycles, lane, t->l1d_cycles);
	put_each(p->dtlb_cycles, lane, t->dtlb_cycles, NR_TLB_LEVELS);
	t_put(&p->forward_cycles, lane, t->forward_cycles);
	put_each(p->data_cycles, lane, t->data_cycles, NR_MEMORY_LEVELS);
	put_each(p->row_cycles, lane, t->row_cycles, NR_ROW_STATES);
	t_put(&p->line_cycles, lane, t->line_cycles);
	distance_put(&p->fetch_buffer, lane, t->fetch_buffer);
	distance_put(&p->rob, lane, t->rob);
	distance_put(&p->int_rename, lane, rename_registers(t->int_registers));
	distance_put(&p->fp_rename, lane, rename_registers(t->fp_registers));
	distance_put(&p->load_queue, lane, t->load_queue);
	distance_put(&p->store_queue, lane, t->store_queue);
	m_put(&p->is_perfect, lane, t->memory_order == ORDER_PERFECT);
	m_put(&p->is_conservative, lane, t->memory_order == ORDER_CONSERVATIVE);
	m_put(&p->is_speculative, lane, t->memory_order == ORDER_SPECULATIVE);
	m_put(&p->fills_at_execute, lane, t->store_fill == FILL_AT_EXECUTE);
	m_put(&p->fences_flush, lane, t->fence_flushes);
	m_put(&p->blocks, lane, t->is_blocking);
	m_put(&p->has_bus, lane, t->line_cycles > 0);
	m_put(&p->has_ideal_branches, lane, core_is_ideal(t, IDEAL_BRANCH));
	m_put(&p->has_ideal_l1d, lane, core_is_ideal(t, IDEAL_L1D));
	m_put(&p->has_ideal_values, lane, core_is_ideal(t, IDEAL_VALUE_PREDICTION));
	p->any_ideal_values |= core_is_ideal(t, IDEAL_VALUE_PREDICTION);
}

/* The result of `lane`, the core `t`, so far; `last_commit` is its last C. */
static void model_result(const struct model *m, unsigned lane, const struct core_timing *t, uint64_t last_commit,
			 struct timing_result *out)
{
	*out = (struct timing_result){.uops = m->nr_uops,
				      .instructions = m->nr_instructions,
				      .cycles = m->nr_uops > 0 ? last_commit + 1 : 0,
				      .busy_cycles = sum_get(&m->sums.busy_cycles, lane),
				      .rob_held = sum_get(&m->sums.rob_held, lane),
				      .load_queue_held = sum_get(&m->sums.load_queue_held, lane),
				      .store_queue_held = sum_get(&m->sums.store_queue_held, lane),
				      .mshrs_held = sum_get(&m->sums.mshrs_held, lane),
				      .violations = sum_get(&m->sums.violations, lane)};
	uint64_t counted = out->busy_cycles;
	for (unsigned i = 0; i < NR_STALLS; i++) {
		out->stalls[i] = sum_get(&m->sums.stalls[i], lane);
		counted += out->stalls[i];
	}
	out->stalls[STALL_END] = out->cycles - counted;
	if (t->kind == CORE_OUT_OF_ORDER)
		for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
			out->queue_held[t->groups[t->group[i]].queue] += sum_get(&m->sums.class_held[i], lane);
}

#include "cores/uarch/recurrences_in_order_internal.h"
#include "cores/uarch/recurrences_out_of_order_internal.h"

/* uops[nr]; their prefetches begin at `prefetches`. Returns where those of the next uop do. */
static inline const struct uop_prefetch *run_uops(struct model *m, bool is_in_order, const struct uop *uops,
						  uint32_t nr, const struct uop_prefetch *prefetches,
						  struct uop_stamps *stamps)
{
	struct timing_notes *notes = notes_of(m);
	struct slot_pass *slots = slots_of(m);
	uint16_t *signatures = signatures_of(m);
#define RUN(path, notes, slots, signatures)                                                                            \
	(is_in_order ? run_in_order(m, uops, nr, prefetches, stamps, path, notes, slots, signatures)                   \
		     : run_out_of_order(m, uops, nr, prefetches, stamps, path, notes, slots, signatures))
	return m->path		? RUN(m->path, NULL, NULL, NULL)
	       : signatures	? RUN(NULL, NULL, NULL, signatures)
	       : notes && slots ? RUN(NULL, notes, slots, NULL)
	       : notes		? RUN(NULL, notes, NULL, NULL)
	       : slots		? RUN(NULL, NULL, slots, NULL)
				: RUN(NULL, NULL, NULL, NULL);
#undef RUN
}

#endif
