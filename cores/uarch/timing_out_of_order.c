/* The out-of-order core: ROB, issue queues with exact occupancy, load and store queues, renaming, memory order. */
#include "cores/uarch/timing_internal.h"

/* ---- Dispatch ---- */

static inline uint64_t dispatch(struct timing *m, const struct uop *u, uint64_t fetched, unsigned queue)
{
	const struct core_timing *t = &m->t;
	struct stall_bound d = {fetched + t->decode_cycles, STALL_FETCH};
	stall_bound_add(&d, time_ring_free(&m->commits, t->rob), STALL_ROB);
	if (u->destination != NO_REGISTER) {
		if (!uop_register_is_fp(u->destination)) {
			if (m->int_rename > 0)
				stall_bound_add(&d, time_ring_free(&m->int_commits, m->int_rename),
						STALL_INT_REGISTERS);
		} else if (m->fp_rename > 0) {
			stall_bound_add(&d, time_ring_free(&m->fp_commits, m->fp_rename), STALL_FP_REGISTERS);
		}
	}
	if (u->class == INSN_LOAD)
		stall_bound_add(&d, time_ring_free(&m->load_commits, t->load_queue), STALL_LOAD_QUEUE);
	if (u->class == INSN_STORE)
		stall_bound_add(&d, time_ring_free(&m->drained, t->store_queue), STALL_STORE_QUEUE);
	stall_bound_add(&d, timing_serial_bound(m, u), STALL_SERIALIZE);
	/* In order: a bound that the uop before met already holds up nothing. */
	uint64_t cycle = larger(d.cycle, m->dispatched);
	issue_calendar_advance(&m->calendar, cycle);
	while (__builtin_expect(m->calendar.held[queue] >= t->queues[queue].entries, 0)) {
		cycle = issue_calendar_next(&m->calendar) + 1;
		d.reason = STALL_QUEUE;
		issue_calendar_advance(&m->calendar, cycle);
	}
	cycle = in_order_slots_take(&m->dispatch, cycle, t->dispatch_width);
	issue_calendar_advance(&m->calendar, cycle);
	timing_count_cycles(m, m->dispatched, cycle, d.reason);
	return m->dispatched = cycle;
}

/* ---- Issue ---- */

/* The first cycle at or past `cycle` in which a unit is free for `latency` cycles; the unit in *unit. */
static uint64_t find_unit(const struct busy_units *b, uint64_t cycle, unsigned nr_units, unsigned latency,
			  uint32_t *unit)
{
	for (;;) {
		uint32_t busy = 0;
		uint64_t next = UINT64_MAX;
		for (uint32_t i = 0; i < b->nr; i++) {
			const struct busy_unit *u = &b->busy[i];
			if (u->begin >= cycle + latency || u->end <= cycle)
				continue;
			busy |= 1u << u->unit;
			next = u->end < next ? u->end : next;
		}
		*unit = (uint32_t)__builtin_ctz(~busy);
		if (*unit < nr_units)
			return cycle;
		cycle = next;
	}
}

static void take_unit(struct busy_units *b, uint64_t base, uint64_t cycle, unsigned latency, uint32_t unit)
{
	uint32_t nr = 0;
	for (uint32_t i = 0; i < b->nr; i++)
		if (b->busy[i].end > base)
			b->busy[nr++] = b->busy[i];
	b->busy[nr++] = (struct busy_unit){cycle, cycle + latency, unit};
	b->nr = nr;
}

static uint64_t find_unpipelined(const struct timing *m, uint64_t cycle, const struct uop *u, uint32_t *unit)
{
	unsigned group = m->t.group[u->class];
	for (;;) {
		uint64_t slot = issue_calendar_find(&m->calendar, cycle, &m->demand[u->class]);
		cycle = find_unit(&m->unpipelined[group], slot, m->t.groups[group].units, m->t.latency[u->class], unit);
		if (cycle == slot)
			return cycle;
	}
}

/* The first cycle at or past `cycle` in which `u` could issue. */
static inline uint64_t find_issue(const struct timing *m, uint64_t cycle, const struct uop *u, uint32_t *unit)
{
	if (__builtin_expect(m->demand[u->class].group == 0, 0))
		return find_unpipelined(m, cycle, u, unit);
	return issue_calendar_find(&m->calendar, cycle, &m->demand[u->class]);
}

static inline void take_issue(struct timing *m, uint64_t cycle, const struct uop *u, unsigned queue, uint32_t unit)
{
	unsigned group = m->t.group[u->class];
	issue_calendar_take(&m->calendar, cycle, &m->demand[u->class], queue);
	if (__builtin_expect(m->demand[u->class].group == 0, 0))
		take_unit(&m->unpipelined[group], m->calendar.base, cycle, m->t.latency[u->class], unit);
}

/* ---- Loads ---- */

static inline bool has_violated(const struct timing *m, uint64_t pc)
{
	return m->violated[pc % VIOLATION_BITS / 64] >> pc % 64 & 1;
}

/* R, E and X of a load that is ready as far as its operands are; its prefetches are requested at *access. */
static inline void issue_load(struct timing *m, const struct uop *u, struct uop_stamps *at, unsigned queue,
			      uint64_t *access)
{
	const struct core_timing *t = &m->t;
	uint64_t result = 0, drained = 0;
	uint32_t unit = 0;
	bool waits = t->memory_order == ORDER_CONSERVATIVE;
	if (u->forward > 0) {
		result = time_ring_last(&m->store_results, u->forward);
		drained = time_ring_last(&m->drained, u->forward);
	}
	if (t->memory_order == ORDER_SPECULATIVE)
		waits = has_violated(m, u->pc);
	else if (t->memory_order == ORDER_PERFECT)
		at->ready = larger(at->ready, result);
	if (waits)
		at->ready = larger(at->ready, m->all_stores);
	at->issue = find_issue(m, at->ready, u, &unit);
	bool violates = at->issue < result;
	if (__builtin_expect(violates, 0)) {
		m->violated[u->pc % VIOLATION_BITS / 64] |= UINT64_C(1) << u->pc % 64;
		m->sum.violations++;
		at->issue = find_issue(m, result, u, &unit);
	}
	if (u->forward > 0 && !u->covers && drained >= at->issue)
		at->issue = find_issue(m, drained + 1, u, &unit);
	take_issue(m, at->issue, u, queue, unit);
	*access = at->issue + t->dtlb_cycles[u->tlb] + t->l1d_cycles;
	at->complete = timing_load(m, u, at->issue, drained, *access);
	if (__builtin_expect(violates, 0))
		m->fetch.redirect = larger(m->fetch.redirect, at->complete + t->flush_cycles);
}

/* ---- Everything else ---- */

static inline void issue_other(struct timing *m, const struct uop *u, struct uop_stamps *at, unsigned queue)
{
	uint32_t unit = 0;
	at->issue = find_issue(m, at->ready, u, &unit);
	take_issue(m, at->issue, u, queue, unit);
	at->complete = at->issue + (u->class == INSN_STORE ? 1 : m->t.latency[u->class]);
}

static inline void count_commit(struct timing *m, const struct uop *u, const struct uop_stamps *at, unsigned queue)
{
	time_ring_add(&m->commits, at->commit);
	if (u->class == INSN_LOAD) {
		time_ring_add(&m->load_commits, at->commit);
		m->sum.load_queue_held += at->commit - at->dispatch + 1;
	}
	if (u->destination != NO_REGISTER)
		time_ring_add(uop_register_is_fp(u->destination) ? &m->fp_commits : &m->int_commits, at->commit);
	m->sum.rob_held += at->commit - at->dispatch + 1;
	m->sum.queue_held[queue] += at->issue - at->dispatch + 1;
}

void timing_out_of_order(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps)
{
	const struct core_timing *t = &m->t;
	const struct uop_prefetch *prefetches = batch->prefetches;
	struct uop_stamps at = {.fetch = m->fetch.slots.cycle};
	for (uint32_t i = 0; i < batch->nr; i++) {
		const struct uop *u = &batch->uops[i];
		unsigned queue = t->groups[t->group[u->class]].queue;
		uint64_t access = 0, filled;
		if (u->flags & UOP_FIRST)
			at.fetch = timing_fetch(m, u);
		if (m->commits.nr % VIOLATION_PERIOD == 0)
			memset(m->violated, 0, sizeof(m->violated));
		at.dispatch = dispatch(m, u, at.fetch, queue);
		at.ready = at.dispatch + t->dispatch_cycles;
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			at.ready = larger(at.ready, m->ready[u->source[s]]);
		if (u->class == INSN_LOAD)
			issue_load(m, u, &at, queue, &access);
		else
			issue_other(m, u, &at, queue);
		at.commit = in_order_slots_take(&m->commit, at.complete + t->commit_cycles, t->commit_width);
		at.drain = NO_DRAIN;
		if (u->class == INSN_STORE) {
			at.drain = timing_store(m, u, &at, &access, &filled);
			m->all_stores = larger(m->all_stores, at.complete);
		}
		if (__builtin_expect(u->nr_prefetches > 0, 0)) {
			timing_prefetch(m, u, prefetches, at.fetch, access);
			prefetches += u->nr_prefetches;
		}
		count_commit(m, u, &at, queue);
		m->ready[u->destination] = at.complete;
		m->ready[NO_REGISTER] = 0;
		if (u->flags & UOP_BRANCH)
			timing_branch(m, u, at.fetch, at.complete);
		if (u->flags & UOP_LAST)
			timing_end_instruction(m, u, at.dispatch, at.commit);
		if (stamps)
			stamps[i] = at;
	}
}
