/* What timing models share: fetch, misses, commit and drain (docs/cores.md). */
#ifndef SAHM_CORES_UARCH_TIMING_INTERNAL_H
#define SAHM_CORES_UARCH_TIMING_INTERNAL_H

#include "cores/uarch/issue_calendar.h"
#include "cores/uarch/timing.h"

static inline uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The bound on the next dispatch that ends last, of equal ones the last that was taken in. */
struct stall_bound {
	uint64_t cycle;
	enum stall reason;
};

static inline void stall_bound_add(struct stall_bound *b, uint64_t cycle, enum stall reason)
{
	b->reason = cycle >= b->cycle ? reason : b->reason;
	b->cycle = cycle >= b->cycle ? cycle : b->cycle;
}

/* Times of the last uops, loads, stores and fills: a power of two, above every distance that is looked back. */
#define TIME_RING 1024u
_Static_assert(MAX_ROB <= TIME_RING && MAX_RENAME_REGISTERS <= TIME_RING && MAX_FETCH_BUFFER <= TIME_RING,
	       "it reaches");

struct time_ring {
	uint64_t nr; /* that were added */
	uint64_t at[TIME_RING];
};

static inline void time_ring_add(struct time_ring *r, uint64_t time)
{
	r->at[r->nr++ % TIME_RING] = time;
}

/* The `n`-th last time, 1 to TIME_RING. */
static inline uint64_t time_ring_last(const struct time_ring *r, uint64_t n)
{
	return r->at[(r->nr - n) % TIME_RING];
}

/* From which cycle on the next one can be had, where at most `entries` are held at once and each time is that of a
 * release. */
static inline uint64_t time_ring_free(const struct time_ring *r, uint64_t entries)
{
	return r->nr >= entries ? time_ring_last(r, entries) + 1 : 0;
}

/* `width` in a cycle, in order. */
struct in_order_slots {
	uint64_t cycle;
	uint32_t nr;
};

static inline uint64_t in_order_slots_take(struct in_order_slots *s, uint64_t cycle, uint32_t width)
{
	if (cycle > s->cycle) {
		s->cycle = cycle;
		s->nr = 0;
	} else if (s->nr == width) {
		s->cycle++;
		s->nr = 0;
	}
	s->nr++;
	return s->cycle;
}

struct fetch_stage {
	struct in_order_slots slots;
	uint64_t redirect, group_end;
	struct time_ring left; /* D (in-order: I) of the last uop of each instruction */
	struct time_ring fills;
};

struct miss_stage {
	uint64_t free_at[MAX_MSHRS]; /* a heap: the first MSHR to be free on top */
	uint64_t bus_free;
	uint64_t held;
	struct time_ring fills;
};

/* Units that are not pipelined: which is busy from when to when. */
struct busy_unit {
	uint64_t begin, end;
	uint32_t unit;
};

struct busy_units {
	uint32_t nr;
	struct busy_unit busy[MAX_ROB + MAX_WIDTH];
};

struct timing {
	struct core_timing t;
	struct fetch_stage fetch;
	struct miss_stage miss;
	struct in_order_slots commit, drain;
	struct time_ring drained;	/* S of stores */
	struct time_ring store_results; /* X of stores */
	uint64_t ready[256];		/* X of the last writer of each register; [NO_REGISTER] is 0 */
	uint64_t dispatched;		/* the last D */
	struct timing_result sum;
	struct issue_demand demand[NR_INSN_CLASSES];

	/* out-of-order */
	struct issue_calendar calendar;
	struct busy_units *unpipelined; /* [nr_groups] */
	struct in_order_slots dispatch;
	struct time_ring commits, load_commits, int_commits, fp_commits;
	uint32_t int_rename, fp_rename; /* registers beyond the architectural ones; 0: no limit */
	uint64_t all_stores;		/* the largest X of all stores */
	uint64_t violated[VIOLATION_BITS / 64];

	/* in-order */
	uint64_t issued;				/* the last I */
	uint32_t nr_issued, nr_memory;			/* in that cycle */
	uint16_t nr_units[MAX_UNIT_GROUPS];		/* taken in it, of pipelined groups */
	uint64_t unit_free[MAX_UNIT_GROUPS][MAX_WIDTH]; /* of the others */
	uint64_t blocked;				/* no uop issues before this */
};

void timing_out_of_order(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps);
void timing_in_order(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps);

/* A miss that is known at `time`: MSHR, bus and latency. When its line arrives. */
uint64_t timing_miss(struct timing *m, uint64_t time, unsigned level, unsigned row, unsigned nr_lines, bool releases);

/* Requests the prefetches of `u`; those of its fetch at `fetched`, those of its access at `accessed`. */
void timing_prefetch(struct timing *m, const struct uop *u, const struct uop_prefetch *prefetches, uint64_t fetched,
		     uint64_t accessed);

/* F of the instruction that begins with `u`. */
static inline uint64_t timing_fetch(struct timing *m, const struct uop *u)
{
	struct fetch_stage *f = &m->fetch;
	const struct core_timing *t = &m->t;
	uint64_t time = f->slots.nr == t->fetch_width ? f->slots.cycle + 1 : f->slots.cycle;
	uint64_t room = time_ring_free(&f->left, t->fetch_buffer);
	time = larger(larger(time, f->redirect), larger(f->group_end, room));
	if (__builtin_expect(u->fetch_lines > 0, 0)) {
		time += (uint64_t)t->icache_cycles[u->fetch_level] + t->itlb_cycles[u->fetch_tlb];
		if (u->fetch_fill > 0)
			time = larger(time, time_ring_last(&f->fills, u->fetch_fill));
		for (unsigned i = 0; i < u->fetch_fills; i++)
			time_ring_add(&f->fills, time);
	}
	if (time > f->slots.cycle) {
		f->slots.cycle = time;
		f->slots.nr = 0;
	}
	f->slots.nr++;
	return time;
}

/* `u` ends its fetch group if it is a taken branch, and redirects fetch if it is mispredicted: to `resolved`. */
static inline void timing_branch(struct timing *m, const struct uop *u, uint64_t fetched, uint64_t resolved)
{
	struct fetch_stage *f = &m->fetch;
	if (u->flags & UOP_TAKEN)
		f->group_end = fetched + 1 + (u->flags & UOP_BTB_MISS ? m->t.btb_miss_cycles : 0);
	if (u->flags & UOP_MISPREDICTED)
		f->redirect = larger(f->redirect, resolved + m->t.mispredict_cycles);
}

static inline bool timing_serializes(const struct timing *m, const struct uop *u)
{
	return u->flags & UOP_SYSTEM || (u->flags & UOP_FENCE && m->t.fence_flushes);
}

/* From which cycle on the first uop of a serialising instruction can be dispatched; 0 for other uops. */
static inline uint64_t timing_serial_bound(const struct timing *m, const struct uop *u)
{
	bool waits = timing_serializes(m, u) && u->flags & UOP_FIRST && m->sum.busy_cycles > 0;
	return __builtin_expect(waits, 0) ? m->commit.cycle + 1 : 0;
}

/* The last uop of an instruction left the front end at `left` (D; in-order: I) and committed at `commit`. */
static inline void timing_end_instruction(struct timing *m, const struct uop *u, uint64_t left, uint64_t commit)
{
	time_ring_add(&m->fetch.left, left);
	if (__builtin_expect(timing_serializes(m, u), 0))
		m->fetch.redirect = larger(m->fetch.redirect, commit + m->t.flush_cycles);
}

/* Counts the cycles from `before`, in which a uop was dispatched, to `cycle`, in which the next one is. */
static inline void timing_count_cycles(struct timing *m, uint64_t before, uint64_t cycle, enum stall reason)
{
	bool is_first = m->sum.busy_cycles == 0;
	if (!is_first && cycle == before)
		return;
	m->sum.stalls[reason] += is_first ? cycle : cycle - before - 1;
	m->sum.busy_cycles++;
}

/* When the line of an access that misses, known at `time`, or of a hit that is on its way arrives; 0: it is there. */
static inline uint64_t timing_line(struct timing *m, const struct uop *u, uint64_t time)
{
	if (__builtin_expect(u->level > LEVEL_L1, 0))
		return timing_miss(m, time, u->level, u->row, u->fills, u->releases);
	return u->fill > 0 ? time_ring_last(&m->miss.fills, u->fill) : 0;
}

/* Whether a load that issues at `issue` gets its data from the store that it names, which drains at `drained`. */
static inline bool timing_forwards(const struct uop *u, uint64_t issue, uint64_t drained)
{
	return u->forward > 0 && u->covers && drained >= issue;
}

/* X of that load; L1D answers at `access`. */
static inline uint64_t timing_load(struct timing *m, const struct uop *u, uint64_t issue, uint64_t drained,
				   uint64_t access)
{
	if (!timing_forwards(u, issue, drained))
		return larger(access, timing_line(m, u, access));
	uint64_t complete = issue + m->t.forward_cycles;
	for (unsigned i = 0; i < u->fills; i++)
		time_ring_add(&m->miss.fills, complete);
	return complete;
}

/* S of a store, whose other times are known. Its line is requested at *access; returned in *filled is when it arrives,
 * or 0. */
static inline uint64_t timing_store(struct timing *m, const struct uop *u, const struct uop_stamps *at,
				    uint64_t *access, uint64_t *filled)
{
	*access = (m->t.store_fill == FILL_AT_EXECUTE ? at->issue : at->commit) + m->t.dtlb_cycles[u->tlb];
	*filled = timing_line(m, u, *access);
	time_ring_add(&m->store_results, at->complete);
	uint64_t drain = in_order_slots_take(&m->drain, larger(at->commit + 1, *filled), m->t.drain_width);
	time_ring_add(&m->drained, drain);
	m->sum.store_queue_held += drain - at->dispatch + 1;
	return drain;
}

#endif
