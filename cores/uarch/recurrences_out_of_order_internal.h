/* The out-of-order core: ROB, issue queues with exact occupancy, load and store queues, renaming, memory order.
 *
 * A part of recurrences.h: a form defines what is listed there, before it includes this file. */
#ifndef SAHM_CORES_UARCH_RECURRENCES_OUT_OF_ORDER_INTERNAL_H
#define SAHM_CORES_UARCH_RECURRENCES_OUT_OF_ORDER_INTERNAL_H

#include "cores/uarch/recurrences_internal.h"

/* To `d`, or to what `at` knows for notes. The other one is NULL. */
RULE void dispatch_bound(struct bound *d, struct times *at, T cycle, uint32_t reason)
{
	if (d)
		bound_add(d, cycle, reason);
	else
		bound_held(at, cycle, reason);
}

/* The bounds on D besides the front end, the uop before, the issue queue and the width. */
RULE void dispatch_bounds(const struct model *m, const struct uop *u, struct bound *d, struct times *at)
{
	const struct parameters *p = &m->p;
	dispatch_bound(d, at, ring_back(&m->commits, &p->rob), STALL_ROB);
	if (u->destination != NO_REGISTER) {
		if (!uop_register_is_fp(u->destination))
			dispatch_bound(d, at, ring_back(&m->int_commits, &p->int_rename), STALL_INT_REGISTERS);
		else
			dispatch_bound(d, at, ring_back(&m->fp_commits, &p->fp_rename), STALL_FP_REGISTERS);
	}
	if (u->class == INSN_LOAD)
		dispatch_bound(d, at, ring_back(&m->load_commits, &p->load_queue), STALL_LOAD_QUEUE);
	if (u->class == INSN_STORE)
		dispatch_bound(d, at, ring_back(&m->drained, &p->store_queue), STALL_STORE_QUEUE);
	if (__builtin_expect(u->flags & (UOP_SYSTEM | UOP_FENCE), 0))
		dispatch_bound(d, at, rule_serial_bound(m, u), STALL_SERIALIZE);
}

RULE void rule_held_dispatch(const struct model *m, const struct uop *u, struct times *at)
{
	at->held = at->held_by = t_of(0);
	dispatch_bounds(m, u, NULL, at);
}

RULE T rule_dispatch(struct model *m, const struct uop *u, struct times *at)
{
	const struct parameters *p = &m->p;
	struct bound d = {at->fetch + p->decode_cycles, t_of(STALL_FETCH)};
	dispatch_bounds(m, u, &d, NULL);
	/* In order: a bound that the uop before met already holds up nothing. Of equal ones it comes after the first.
	 */
	M follows = m_or(t_gt(m->dispatched, d.cycle),
			 m_and(t_eq(m->dispatched, d.cycle), t_eq(d.reason, t_of(STALL_FETCH))));
	T bounds = t_max(d.cycle, m->dispatched), winner = t_if(follows, t_of(BOUND_ORDER), d.reason);
	T free = calendar_wait(m, u->class, bounds, &d.reason);
	T cycle = slots_take(&m->dispatch, free, p->dispatch_width);
	at->waits_in_queue = t_gt(free, bounds);
	winner = t_if(at->waits_in_queue, t_of(STALL_QUEUE), winner);
	at->why = WHY_DISPATCH(winner) | why_if(t_gt(cycle, free), WHY_DISPATCH_FULL);
	at->hops[HOP_DISPATCH] = m_and(follows, t_eq(cycle, m->dispatched));
	calendar_advance(m, cycle);
	count_cycles(m, m->dispatched, cycle, d.reason);
	return m->dispatched = cycle;
}

/* The winner of E, and what the uop waited for from then on. */
RULE void rule_wait(struct model *m, unsigned class, T winner, struct times *at, struct path_rows *path)
{
	at->why = at->why | WHY_ISSUE(winner);
	if (path && m_any(t_gt(at->issue, at->searched)))
		record_wait(m, path, at, calendar_is_full(m, class, at->issue - t_of(1)));
}

/* R, E and X of a load that is ready as far as its operands are; its prefetches are requested at *access. */
RULE void rule_issue_load(struct model *m, const struct uop *u, struct bound *ready, struct times *at, T *access,
			  struct path_rows *path)
{
	const struct parameters *p = &m->p;
	M *violated = &m->violated[u->pc % VIOLATION_BITS];
	M waits = m_or(p->is_conservative, m_and(p->is_speculative, *violated));
	bound_add_if(ready, waits, m->all_stores, BOUND_STORES);
	if (__builtin_expect(u->forward == 0, 1)) {
		at->ready = at->searched = ready->cycle;
		at->issue = calendar_find(m, INSN_LOAD, at->ready);
		rule_wait(m, INSN_LOAD, ready->reason, at, path);
		calendar_take(m, INSN_LOAD, at->issue);
		at->complete = rule_load(m, u, at, access, &at->forwards, path);
		return;
	}
	T result = ring_last(&m->store_results, u->forward), drained = rule_source_drained(m, u);
	bound_add_if(ready, p->is_perfect, result, BOUND_RESULT);
	at->ready = at->searched = ready->cycle;
	at->issue = calendar_find(m, INSN_LOAD, at->ready);
	M violates = at->violates = t_gt(result, at->issue);
	if (__builtin_expect(m_any(violates), 0)) {
		*violated = m_or(*violated, violates);
		sum_add(&m->sums.violations, t_one_if(violates));
		at->issue = calendar_find_if(m, violates, INSN_LOAD, result, at->issue);
		at->searched = t_if(violates, result, at->searched);
		ready->reason = t_if(violates, t_of(BOUND_RESULT), ready->reason);
	}
	if (!u->covers) {
		M late = t_gt(drained, at->issue);
		if (m_any(late)) {
			at->issue = calendar_find_if(m, late, INSN_LOAD, drained, at->issue);
			at->searched = t_if(late, drained, at->searched);
			ready->reason = t_if(late, t_of(BOUND_DRAINED), ready->reason);
		}
	}
	rule_wait(m, INSN_LOAD, ready->reason, at, path);
	calendar_take(m, INSN_LOAD, at->issue);
	at->complete = rule_load(m, u, at, access, &at->forwards, path);
	record_redirect(m, path, REDIRECT_LOAD, violates, at->complete + p->flush_cycles);
	if (__builtin_expect(m_any(violates), 0))
		m->redirect = t_if(violates, t_max(m->redirect, at->complete + p->flush_cycles), m->redirect);
}

RULE void rule_issue_other(struct model *m, const struct uop *u, const struct bound *ready, struct times *at,
			   struct path_rows *path)
{
	at->ready = at->searched = ready->cycle;
	at->issue = calendar_find(m, u->class, at->ready);
	rule_wait(m, u->class, ready->reason, at, path);
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

/* As run_uops(). */
RULE const struct uop_prefetch *run_out_of_order(struct model *m, const struct uop *uops, uint32_t nr,
						 const struct uop_prefetch *prefetches, struct uop_stamps *stamps,
						 struct path_rows *path, struct timing_notes *notes,
						 struct slot_pass *slots, uint16_t *signatures)
{
	const struct parameters *p = &m->p;
	struct times at = {.fetch = m->fetch.cycle};
	for (uint32_t i = 0; i < nr; i++) {
		const struct uop *u = &uops[i];
		T access = t_of(0), filled;
		if (path)
			path_begin_uop(path, m->nr_uops);
		at.fill = t_of(0);
		at.forwards = at.violates = m_not(m_all());
		if (u->flags & UOP_FIRST)
			at.fetch = rule_fetch(m, u, &at);
		if (__builtin_expect(m->nr_uops % VIOLATION_PERIOD == 0, 0))
			memset(m->violated, 0, sizeof(m->violated));
		if (signatures)
			at.drains = rule_drains(m, u, &at);
		at.dispatch = rule_dispatch(m, u, &at);
		bool gap = slots && has_gap(slots, at.dispatch);
		if (notes || gap)
			rule_held_dispatch(m, u, &at);
		if (gap)
			watch_gap(slots, u, &at, at.dispatch);
		struct bound ready = {at.dispatch + p->dispatch_cycles, t_of(BOUND_DISPATCH)};
		rule_operands(m, u, &ready);
		if (u->class == INSN_LOAD)
			rule_issue_load(m, u, &ready, &at, &access, path);
		else
			rule_issue_other(m, u, &ready, &at, path);
		at.commit = rule_commit(&m->commit, at.complete + p->commit_cycles, p->commit_width, &at);
		if (u->class == INSN_STORE) {
			at.drained = rule_store(m, u, &at, &access, &filled, path);
			m->all_stores = t_max(m->all_stores, at.complete);
		}
		if (__builtin_expect(u->nr_prefetches > 0, 0)) {
			rule_prefetch(m, u, prefetches, &at, access, false, path, notes);
			prefetches += u->nr_prefetches;
		}
		count_commit(m, u, &at);
		rule_result(m, u, &at);
		if (u->flags & UOP_BRANCH)
			rule_branch(m, u, at.fetch, at.complete, path);
		if (u->flags & UOP_LAST)
			rule_end_instruction(m, u, at.dispatch, at.commit, path);
		record_uop(m, path, &at);
		if (notes)
			write_note(&notes->uops[i], &at);
		if (slots)
			watch_uop(slots, u, &at, at.dispatch, false);
		if (signatures)
			write_signature(m, u, &at, &signatures[i]);
		if (stamps)
			write_stamps(&stamps[i], u, &at);
		m->nr_uops++;
	}
	return prefetches;
}

#endif
