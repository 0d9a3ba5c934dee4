/* The in-order core: uops issue in program order, and a stalled one holds up all after it.
 *
 * A part of recurrences.h: a form defines what is listed there, before it includes this file. */
#ifndef SAHM_CORES_UARCH_RECURRENCES_IN_ORDER_INTERNAL_H
#define SAHM_CORES_UARCH_RECURRENCES_IN_ORDER_INTERNAL_H

#include "cores/uarch/recurrences_internal.h"

/* As run_out_of_order(). */
static const struct uop_prefetch *run_in_order(struct model *m, const struct uop *uops, uint32_t nr,
					       const struct uop_prefetch *prefetches, struct uop_stamps *stamps)
{
	const struct parameters *p = &m->p;
	struct times at = {.fetch = m->fetch.cycle, .dispatch = m->dispatched};
	for (uint32_t i = 0; i < nr; i++) {
		const struct uop *u = &uops[i];
		T access = t_of(0), filled, before = m->issue.cycle;
		if (u->flags & UOP_FIRST)
			at.fetch = rule_fetch(m, u);
		/* D is the arrival at the issue stage. */
		struct stall_bound b = {at.fetch + p->decode_cycles, t_of(STALL_FETCH)};
		if (u->class == INSN_STORE)
			stall_bound_add(&b, ring_back(&m->drained, &p->store_queue), STALL_STORE_QUEUE);
		if (__builtin_expect(u->flags & (UOP_SYSTEM | UOP_FENCE), 0))
			stall_bound_add(&b, rule_serial_bound(m, u), STALL_SERIALIZE);
		at.dispatch = t_max(at.dispatch, b.cycle);
		/* A load waits for the store that wrote a byte of it, and for its drain if that did not write all. */
		T operands = rule_operands(m, u), waits;
		if (u->forward > 0)
			operands = t_max(operands, ring_last(&m->store_results, u->forward));
		at.ready = t_max(at.dispatch, operands);
		waits = u->covers ? operands : t_max(operands, rule_source_drained(m, u));
		stall_bound_add(&b, waits, STALL_OPERANDS);
		stall_bound_add(&b, m->blocked, STALL_BLOCKED);
		at.issue = issue_find(m, u->class, b.cycle);
		if (u->class == INSN_LOAD) {
			M forwards;
			at.complete = rule_load(m, u, &at, &access, &forwards);
			if (u->level > LEVEL_L1)
				m->blocked = t_if(m_and(p->blocks, m_not(forwards)), t_max(m->blocked, at.complete),
						  m->blocked);
		} else {
			at.complete = at.issue + (u->class == INSN_STORE ? t_of(1) : p->latency[u->class]);
		}
		issue_take(m, u->class);
		b.reason = t_if(t_gt(at.issue, t_max(b.cycle, before + t_of(1))), t_of(STALL_UNITS), b.reason);
		count_cycles(m, before, at.issue, b.reason);
		at.commit = slots_take(&m->commit, at.complete, p->commit_width);
		if (u->class == INSN_STORE) {
			at.drained = rule_store(m, u, &at, &access, &filled);
			if (u->level > LEVEL_L1)
				m->blocked = t_if(p->blocks, t_max(m->blocked, filled), m->blocked);
		}
		if (__builtin_expect(u->nr_prefetches > 0, 0)) {
			rule_prefetch(m, u, prefetches, at.fetch, access);
			prefetches += u->nr_prefetches;
		}
		m->ready[u->destination] = at.complete;
		m->ready[NO_REGISTER] = t_of(0);
		if (u->flags & UOP_BRANCH)
			rule_branch(m, u, at.fetch, at.issue + p->resolve_cycles);
		if (u->flags & UOP_LAST)
			rule_end_instruction(m, u, at.issue, at.commit);
		if (stamps)
			write_stamps(&stamps[i], u, &at);
		m->nr_uops++;
	}
	m->dispatched = at.dispatch;
	return prefetches;
}

#endif
