/* The in-order core: uops issue in program order, and a stalled one holds up all after it.
 *
 * A part of recurrences.h: a form defines what is listed there, before it includes this file. */
#ifndef SAHM_CORES_UARCH_RECURRENCES_IN_ORDER_INTERNAL_H
#define SAHM_CORES_UARCH_RECURRENCES_IN_ORDER_INTERNAL_H

#include "cores/uarch/recurrences_internal.h"

/* The bounds on I besides the front end, the I before and the width; a slot and a unit are free from `slot` and `unit`
 * on. */
RULE void rule_held_issue(const struct model *m, const struct uop *u, struct times *at, T slot, T unit)
{
	at->held = at->held_by = t_of(0);
	if (u->class == INSN_STORE)
		bound_held(at, ring_back(&m->drained, &m->p.store_queue), STALL_STORE_QUEUE);
	if (__builtin_expect(u->flags & (UOP_SYSTEM | UOP_FENCE), 0))
		bound_held(at, rule_serial_bound(m, u), STALL_SERIALIZE);
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		bound_held(at, m->ready[u->source[s]], STALL_OPERANDS);
	if (u->forward > 0)
		bound_held(at, ring_last(&m->store_results, u->forward), STALL_OPERANDS);
	if (!u->covers)
		bound_held(at, rule_source_drained(m, u), STALL_OPERANDS);
	bound_held(at, m->blocked, STALL_BLOCKED);
	bound_held(at, slot, STALL_QUEUE);
	bound_held(at, unit, STALL_UNITS);
}

/* As run_uops(). */
RULE const struct uop_prefetch *run_in_order(struct model *m, const struct uop *uops, uint32_t nr,
					     const struct uop_prefetch *prefetches, struct uop_stamps *stamps,
					     struct path_rows *path, struct timing_notes *notes,
					     struct slot_pass *slots, uint16_t *signatures)
{
	const struct parameters *p = &m->p;
	struct times at = {.fetch = m->fetch.cycle, .dispatch = m->dispatched};
	for (uint32_t i = 0; i < nr; i++) {
		const struct uop *u = &uops[i];
		T access = t_of(0), filled, before = m->issue.cycle, slot = t_of(0), unit = t_of(0);
		M was_full;
		if (path)
			path_begin_uop(path, m->nr_uops);
		at.fill = t_of(0);
		at.forwards = m_not(m_all());
		if (u->flags & UOP_FIRST)
			at.fetch = rule_fetch(m, u, &at);
		if (signatures)
			at.drains = rule_drains(m, u, &at);
		/* D is the arrival at the issue stage. */
		struct bound b = {at.fetch + p->decode_cycles, t_of(STALL_FETCH)};
		bound_add(&b, at.dispatch, BOUND_ORDER);
		if (u->class == INSN_STORE)
			bound_add(&b, ring_back(&m->drained, &p->store_queue), STALL_STORE_QUEUE);
		if (__builtin_expect(u->flags & (UOP_SYSTEM | UOP_FENCE), 0))
			bound_add(&b, rule_serial_bound(m, u), STALL_SERIALIZE);
		at.dispatch = b.cycle;
		at.why = WHY_DISPATCH(b.reason);
		at.hops[HOP_DISPATCH] = t_eq(b.reason, t_of(BOUND_ORDER));
		/* A load waits for the store that wrote a byte of it, and for its drain if that did not write all. */
		rule_operands(m, u, &b);
		if (u->forward > 0)
			bound_add(&b, ring_last(&m->store_results, u->forward), BOUND_RESULT);
		at.ready = b.cycle;
		bound_add(&b, before, BOUND_ISSUE_ORDER);
		if (!u->covers)
			bound_add(&b, rule_source_drained(m, u), BOUND_DRAINED);
		bound_add(&b, m->blocked, STALL_BLOCKED);
		at.searched = b.cycle;
		if (notes || slots) {
			slot = issue_slot(m, u->class);
			unit = issue_unit(m, u->class);
		}
		at.issue = issue_find(m, u->class, b.cycle, &was_full);
		bool gap = slots && has_gap(slots, at.issue);
		if (notes || gap)
			rule_held_issue(m, u, &at, slot, unit);
		if (gap)
			watch_gap(slots, u, &at, at.issue);
		at.why = at.why | WHY_ISSUE(b.reason);
		if (path && m_any(t_gt(at.issue, at.searched)))
			record_wait(m, path, &at, was_full);
		if (u->class == INSN_LOAD) {
			at.complete = rule_load(m, u, &at, &access, &at.forwards, path);
			if (u->level > LEVEL_L1)
				m->blocked = t_if(m_and(p->blocks, m_not(at.forwards)), t_max(m->blocked, at.complete),
						  m->blocked);
		} else {
			at.complete = at.issue + (u->class == INSN_STORE ? t_of(1) : p->latency[u->class]);
		}
		issue_take(m, u->class);
		T reason = t_if(t_gt(at.issue, t_max(b.cycle, before + t_of(1))), t_of(STALL_UNITS),
				b.reason & t_of(BOUND_STALL));
		count_cycles(m, before, at.issue, reason);
		at.commit = rule_commit(&m->commit, at.complete, p->commit_width, &at);
		if (u->class == INSN_STORE) {
			at.drained = rule_store(m, u, &at, &access, &filled, path);
			if (u->level > LEVEL_L1)
				m->blocked = t_if(p->blocks, t_max(m->blocked, filled), m->blocked);
		}
		if (__builtin_expect(u->nr_prefetches > 0, 0)) {
			rule_prefetch(m, u, prefetches, &at, access, true, path, notes);
			prefetches += u->nr_prefetches;
		}
		rule_result(m, u, &at);
		if (u->flags & UOP_BRANCH)
			rule_branch(m, u, at.fetch, at.issue + p->resolve_cycles, path);
		if (u->flags & UOP_LAST)
			rule_end_instruction(m, u, at.issue, at.commit, path);
		record_uop(m, path, &at);
		if (notes)
			write_note(&notes->uops[i], &at);
		if (slots)
			watch_uop(slots, u, &at, at.issue, true);
		if (signatures)
			write_signature(m, u, &at, &signatures[i]);
		if (stamps)
			write_stamps(&stamps[i], u, &at);
		m->nr_uops++;
	}
	m->dispatched = at.dispatch;
	return prefetches;
}

#endif
