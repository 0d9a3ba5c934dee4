/* The in-order core: uops issue in program order, and a stalled one holds up all after it. */
#include "cores/uarch/timing_internal.h"

/* A unit of `group` that is free in cycle m->issued; NULL: none is. Of a pipelined group the count of that cycle. */
static inline bool has_unit(const struct timing *m, unsigned group, unsigned *unit)
{
	const struct unit_group *g = &m->t.groups[group];
	*unit = 0;
	if (g->is_pipelined)
		return m->nr_units[group] < g->units;
	while (*unit < g->units && m->unit_free[group][*unit] > m->issued)
		++*unit;
	return *unit < g->units;
}

static inline void go_to(struct timing *m, uint64_t cycle)
{
	m->issued = cycle;
	m->nr_issued = m->nr_memory = 0;
	memset(m->nr_units, 0, sizeof(m->nr_units));
}

/* The first cycle at or past `cycle` with a slot and a unit for `u`: m->issued. No later uop issues before it. */
static inline void find_issue(struct timing *m, const struct uop *u, uint64_t cycle, unsigned *unit)
{
	const struct core_timing *t = &m->t;
	bool is_access = u->class == INSN_LOAD || u->class == INSN_STORE;
	if (cycle > m->issued)
		go_to(m, cycle);
	while (m->nr_issued == t->issue_width || (is_access && m->nr_memory == t->same_cycle_memory) ||
	       !has_unit(m, t->group[u->class], unit))
		go_to(m, m->issued + 1);
}

static inline void take_issue(struct timing *m, const struct uop *u, unsigned unit)
{
	unsigned group = m->t.group[u->class];
	m->nr_issued++;
	m->nr_memory += u->class == INSN_LOAD || u->class == INSN_STORE;
	if (m->t.groups[group].is_pipelined)
		m->nr_units[group]++;
	else
		m->unit_free[group][unit] = m->issued + m->t.latency[u->class];
}

struct issue_bound {
	uint64_t cycle;
	enum stall reason;
};

static inline void bound(struct issue_bound *b, uint64_t cycle, enum stall reason)
{
	b->reason = cycle >= b->cycle ? reason : b->reason;
	b->cycle = cycle >= b->cycle ? cycle : b->cycle;
}

/* Waits for what `u` reads: its registers and, of a load, the store that wrote a byte of it. */
static inline uint64_t ready_of(const struct timing *m, const struct uop *u, uint64_t dispatched)
{
	uint64_t ready = dispatched;
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		ready = larger(ready, m->ready[u->source[s]]);
	if (u->forward > 0)
		ready = larger(ready, time_ring_last(&m->store_results, u->forward));
	return ready;
}

/* D, the arrival at the issue stage. */
static inline struct issue_bound arrive(struct timing *m, const struct uop *u, uint64_t fetched)
{
	struct issue_bound b = {fetched + m->t.decode_cycles, STALL_FETCH};
	if (u->class == INSN_STORE)
		bound(&b, time_ring_free(&m->drained, m->t.store_queue), STALL_STORE_QUEUE);
	if (__builtin_expect(timing_serializes(m, u) && u->flags & UOP_FIRST && m->sum.busy_cycles > 0, 0))
		bound(&b, m->commit.cycle + 1, STALL_SERIALIZE);
	return b;
}

/* X of the load that issues at m->issued, which it may delay; its prefetches are requested at *access. */
static inline uint64_t complete_load(struct timing *m, const struct uop *u, unsigned *unit, uint64_t *access)
{
	const struct core_timing *t = &m->t;
	uint64_t drained = u->forward > 0 ? time_ring_last(&m->drained, u->forward) : 0;
	if (u->forward > 0 && !u->covers && drained >= m->issued)
		find_issue(m, u, drained + 1, unit);
	*access = m->issued + t->dtlb_cycles[u->tlb] + t->l1d_cycles;
	if (u->forward > 0 && u->covers && drained >= m->issued) {
		uint64_t complete = m->issued + t->forward_cycles;
		for (unsigned i = 0; i < u->fills; i++)
			time_ring_add(&m->miss.fills, complete);
		return complete;
	}
	uint64_t complete = timing_load(m, u, *access);
	if (t->is_blocking && u->level > LEVEL_L1)
		m->blocked = larger(m->blocked, complete);
	return complete;
}

static inline uint64_t drain_store(struct timing *m, const struct uop *u, uint64_t committed, uint64_t *access)
{
	const struct core_timing *t = &m->t;
	uint64_t filled = 0;
	*access = (t->store_fill == FILL_AT_EXECUTE ? m->issued : committed) + t->dtlb_cycles[u->tlb];
	if (__builtin_expect(u->level > LEVEL_L1, 0)) {
		filled = timing_miss(m, *access, u->level, u->row, u->fills, u->releases);
		if (t->is_blocking)
			m->blocked = larger(m->blocked, filled);
	} else if (u->fill > 0) {
		filled = time_ring_last(&m->miss.fills, u->fill);
	}
	time_ring_add(&m->store_results, m->issued + 1);
	return timing_drain(m, committed, filled);
}

/* Cycles without an issue before that of the present uop, and the cycle itself. */
static inline void count_cycles(struct timing *m, uint64_t before, const struct issue_bound *b)
{
	bool is_first = m->sum.busy_cycles == 0;
	if (!is_first && m->issued == before)
		return;
	m->sum.stalls[b->reason] += is_first ? m->issued : m->issued - before - 1;
	m->sum.busy_cycles++;
}

void timing_in_order(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps)
{
	const struct core_timing *t = &m->t;
	const struct uop_prefetch *prefetches = batch->prefetches;
	uint64_t fetched = m->fetch.slots.cycle;
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		uint64_t before = m->issued, access = 0, complete, drain = NO_DRAIN;
		unsigned unit;
		if (u->flags & UOP_FIRST)
			fetched = timing_fetch(m, u);
		struct issue_bound b = arrive(m, u, fetched);
		m->dispatched = larger(m->dispatched, b.cycle);
		uint64_t ready = ready_of(m, u, m->dispatched);
		bound(&b, ready > m->dispatched ? ready : 0, STALL_OPERANDS);
		bound(&b, m->blocked > ready ? m->blocked : 0, STALL_BLOCKED);
		find_issue(m, u, larger(ready, m->blocked), &unit);
		if (u->class == INSN_LOAD)
			complete = complete_load(m, u, &unit, &access);
		else
			complete = m->issued + (u->class == INSN_STORE ? 1 : t->latency[u->class]);
		take_issue(m, u, unit);
		bound(&b, m->issued > larger(larger(ready, m->blocked), before + 1) ? m->issued : 0, STALL_UNITS);
		count_cycles(m, before, &b);
		uint64_t commit = in_order_slots_take(&m->commit, complete, t->commit_width);
		if (u->class == INSN_STORE) {
			drain = drain_store(m, u, commit, &access);
			m->sum.store_queue_held += drain - m->dispatched + 1;
		}
		if (__builtin_expect(u->nr_prefetches > 0, 0)) {
			timing_prefetch(m, u, prefetches, fetched, access);
			prefetches += u->nr_prefetches;
		}
		m->ready[u->destination] = complete;
		m->ready[NO_REGISTER] = 0;
		if (u->flags & UOP_BRANCH)
			timing_branch(m, u, fetched, m->issued + t->resolve_cycles);
		if (u->flags & UOP_LAST) {
			time_ring_add(&m->fetch.left, m->issued);
			if (__builtin_expect(timing_serializes(m, u), 0))
				m->fetch.redirect = larger(m->fetch.redirect, commit + t->flush_cycles);
		}
		if (stamps)
			stamps[i] =
				(struct uop_stamps){fetched, m->dispatched, ready, m->issued, complete, commit, drain};
	}
}
