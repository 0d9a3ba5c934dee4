/* The in-order core: uops issue in program order, and a stalled one holds up all after it. */
#include "cores/uarch/timing_internal.h"

/* Whether a unit of `group` is free in cycle m->issued; of a group that is not pipelined, which one: *unit. */
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

/* When what `u` reads is there: its registers and, of a load, the store that wrote a byte of it. */
static inline uint64_t operands_of(const struct timing *m, const struct uop *u)
{
	uint64_t ready = 0;
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		ready = larger(ready, m->ready[u->source[s]]);
	if (u->forward > 0)
		ready = larger(ready, time_ring_last(&m->store_results, u->forward));
	return ready;
}

/* From which cycle on a load can issue whose store does not have all its bytes: once that has drained. Else 0. */
static inline uint64_t drain_bound(const struct timing *m, const struct uop *u)
{
	return u->forward > 0 && !u->covers ? time_ring_last(&m->drained, u->forward) + 1 : 0;
}

/* X of the load that issues at m->issued; its prefetches are requested at *access. */
static inline uint64_t complete_load(struct timing *m, const struct uop *u, uint64_t *access)
{
	uint64_t drained = u->forward > 0 ? time_ring_last(&m->drained, u->forward) : 0;
	*access = m->issued + m->t.dtlb_cycles[u->tlb] + m->t.l1d_cycles;
	uint64_t complete = timing_load(m, u, m->issued, drained, *access);
	if (u->level > LEVEL_L1 && m->t.is_blocking && !timing_forwards(u, m->issued, drained))
		m->blocked = larger(m->blocked, complete);
	return complete;
}

void timing_in_order(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps)
{
	const struct core_timing *t = &m->t;
	const struct uop_prefetch *prefetches = batch->prefetches;
	struct uop_stamps at = {.fetch = m->fetch.slots.cycle, .dispatch = m->dispatched};
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		uint64_t before = m->issued, access = 0, filled;
		unsigned unit;
		if (u->flags & UOP_FIRST)
			at.fetch = timing_fetch(m, u);
		/* D is the arrival at the issue stage. */
		struct stall_bound b = {at.fetch + t->decode_cycles, STALL_FETCH};
		if (u->class == INSN_STORE)
			stall_bound_add(&b, time_ring_free(&m->drained, t->store_queue), STALL_STORE_QUEUE);
		stall_bound_add(&b, timing_serial_bound(m, u), STALL_SERIALIZE);
		at.dispatch = larger(at.dispatch, b.cycle);
		uint64_t operands = operands_of(m, u);
		at.ready = larger(at.dispatch, operands);
		stall_bound_add(&b, larger(operands, drain_bound(m, u)), STALL_OPERANDS);
		stall_bound_add(&b, m->blocked, STALL_BLOCKED);
		find_issue(m, u, b.cycle, &unit);
		if (u->class == INSN_LOAD)
			at.complete = complete_load(m, u, &access);
		else
			at.complete = m->issued + (u->class == INSN_STORE ? 1 : t->latency[u->class]);
		take_issue(m, u, unit);
		at.issue = m->issued;
		if (at.issue > larger(b.cycle, before + 1))
			b.reason = STALL_UNITS;
		timing_count_cycles(m, before, at.issue, b.reason);
		at.commit = in_order_slots_take(&m->commit, at.complete, t->commit_width);
		at.drain = NO_DRAIN;
		if (u->class == INSN_STORE) {
			at.drain = timing_store(m, u, &at, &access, &filled);
			if (u->level > LEVEL_L1 && t->is_blocking)
				m->blocked = larger(m->blocked, filled);
		}
		if (__builtin_expect(u->nr_prefetches > 0, 0)) {
			timing_prefetch(m, u, prefetches, at.fetch, access);
			prefetches += u->nr_prefetches;
		}
		m->ready[u->destination] = at.complete;
		m->ready[NO_REGISTER] = 0;
		if (u->flags & UOP_BRANCH)
			timing_branch(m, u, at.fetch, at.issue + t->resolve_cycles);
		if (u->flags & UOP_LAST)
			timing_end_instruction(m, u, at.issue, at.commit);
		if (stamps)
			stamps[i] = at;
	}
	m->dispatched = at.dispatch;
}
