/* The out-of-order core: ROB, issue queues with exact occupancy, load and store queues, renaming, memory order.
 *
 * A part of recurrences.h: a form defines what is listed there, before it includes this file. */
#ifndef SAHM_CORES_UARCH_RECURRENCES_OUT_OF_ORDER_INTERNAL_H
#define SAHM_CORES_UARCH_RECURRENCES_OUT_OF_ORDER_INTERNAL_H

#include "cores/uarch/recurrences_internal.h"

static inline T rule_dispatch(struct model *m, const struct uop *u, T fetched)
{
	const struct parameters *p = &m->p;
	struct stall_bound d = {fetched + p->decode_cycles, t_of(STALL_FETCH)};
	stall_bound_add(&d, ring_back(&m->commits, &p->rob), STALL_ROB);
	if (u->destination != NO_REGISTER) {
		if (!uop_register_is_fp(u->destination))
			stall_bound_add(&d, ring_back(&m->int_commits, &p->int_rename), STALL_INT_REGISTERS);
		else
			stall_bound_add(&d, ring_back(&m->fp_commits, &p->fp_rename), STALL_FP_REGISTERS);
	}
	if (u->class == INSN_LOAD)
		stall_bound_add(&d, ring_back(&m->load_commits, &p->load_queue), STALL_LOAD_QUEUE);
	if (u->class == INSN_STORE)
		stall_bound_add(&d, ring_back(&m->drained, &p->store_queue), STALL_STORE_QUEUE);
	if (__builtin_expect(u->flags & (UOP_SYSTEM | UOP_FENCE), 0))
		stall_bound_add(&d, rule_serial_bound(m, u), STALL_SERIALIZE);
	/* In order: a bound that the uop before met already holds up nothing. */
	T cycle = calendar_wait(m, u->class, t_max(d.cycle, m->dispatched), &d.reason);
	cycle = slots_take(&m->dispatch, cycle, p->dispatch_width);
	calendar_advance(m, cycle);
	count_cycles(m, m->dispatched, cycle, d.reason);
	return m->dispatched = cycle;
}

/* R, E and X of a load that is ready as far as its operands are; its prefetches are requested at *access. */
static inline void rule_issue_load(struct model *m, const struct uop *u, struct times *at, T *access)
{
	const struct parameters *p = &m->p;
	M *violated = &m->violated[u->pc % VIOLATION_BITS], forwards;
	M waits = m_or(p->is_conservative, m_and(p->is_speculative, *violated));
	at->ready = t_if(waits, t_max(at->ready, m->all_stores), at->ready);
	if (__builtin_expect(u->forward == 0, 1)) {
		at->issue = calendar_find(m, INSN_LOAD, at->ready);
		calendar_take(m, INSN_LOAD, at->issue);
		at->complete = rule_load(m, u, at, access, &forwards);
		return;
	}
	T result = ring_last(&m->store_results, u->forward), drained = rule_source_drained(m, u);
	at->ready = t_if(p->is_perfect, t_max(at->ready, result), at->ready);
	at->issue = calendar_find(m, INSN_LOAD, at->ready);
	M violates = t_gt(result, at->issue);
	if (__builtin_expect(m_any(violates), 0)) {
		*violated = m_or(*violated, violates);
		sum_add(&m->sums.violations, t_one_if(violates));
		at->issue = calendar_find_if(m, violates, INSN_LOAD, result, at->issue);
	}
	if (!u->covers) {
		M late = t_gt(drained, at->issue);
		if (m_any(late))
			at->issue = calendar_find_if(m, late, INSN_LOAD, drained, at->issue);
	}
	calendar_take(m, INSN_LOAD, at->issue);
	at->complete = rule_load(m, u, at, access, &forwards);
	if (__builtin_expect(m_any(violates), 0))
		m->redirect = t_if(violates, t_max(m->redirect, at->complete + p->flush_cycles), m->redirect);
}

static inline void rule_issue_other(struct model *m, const struct uop *u, struct times *at)
{
	at->issue = calendar_find(m, u->class, at->ready);
	calendar_take(m, u->class, at->issue);
	at->complete = at->issue + (u->class == INSN_STORE ? t_of(1) : m->p.latency[u->class]);
}

static inline void count_commit(struct model *m, const struct uop *u, const struct times *at)
{
	T free = at->commit + t_of(1);
	ring_add(&m->commits, free);
	if (u->class == INSN_LOAD) {
		ring_add(&m->load_commits, free);
		sum_add(&m->sums.load_queue_held, free - at->dispatch);
	}
	if (u->destination != NO_REGISTER)
		ring_add(uop_register_is_fp(u->destination) ? &m->fp_commits : &m->int_commits, free);
	sum_add(&m->sums.rob_held, free - at->dispatch);
	sum_add(&m->sums.class_held[u->class], at->issue - at->dispatch + t_of(1));
}

/* uops[nr]; their prefetches begin at `prefetches`. Returns where those of the next uop do. */
static const struct uop_prefetch *run_out_of_order(struct model *m, const struct uop *uops, uint32_t nr,
						   const struct uop_prefetch *prefetches, struct uop_stamps *stamps)
{
	const struct parameters *p = &m->p;
	struct times at = {.fetch = m->fetch.cycle};
	for (uint32_t i = 0; i < nr; i++) {
		const struct uop *u = &uops[i];
		T access = t_of(0), filled;
		if (u->flags & UOP_FIRST)
			at.fetch = rule_fetch(m, u);
		if (__builtin_expect(m->nr_uops % VIOLATION_PERIOD == 0, 0))
			memset(m->violated, 0, sizeof(m->violated));
		at.dispatch = rule_dispatch(m, u, at.fetch);
		at.ready = t_max(at.dispatch + p->dispatch_cycles, rule_operands(m, u));
		if (u->class == INSN_LOAD)
			rule_issue_load(m, u, &at, &access);
		else
			rule_issue_other(m, u, &at);
		at.commit = slots_take(&m->commit, at.complete + p->commit_cycles, p->commit_width);
		if (u->class == INSN_STORE) {
			at.drained = rule_store(m, u, &at, &access, &filled);
			m->all_stores = t_max(m->all_stores, at.complete);
		}
		if (__builtin_expect(u->nr_prefetches > 0, 0)) {
			rule_prefetch(m, u, prefetches, at.fetch, access);
			prefetches += u->nr_prefetches;
		}
		count_commit(m, u, &at);
		m->ready[u->destination] = at.complete;
		m->ready[NO_REGISTER] = t_of(0);
		if (u->flags & UOP_BRANCH)
			rule_branch(m, u, at.fetch, at.complete);
		if (u->flags & UOP_LAST)
			rule_end_instruction(m, u, at.dispatch, at.commit);
		if (stamps)
			write_stamps(&stamps[i], u, &at);
		m->nr_uops++;
	}
	return prefetches;
}

#endif
