/* An out-of-order core, cycle by cycle, for programs whose units and bus need no plan (refcycle.c).
 *
 * The core fetches past a load before it can know whether that load will violate memory order. When it does, all
 * younger instructions are removed and fetched again. They have taken nothing from older uops, because the oldest ready
 * uop always goes first, so they leave no trace.
 *
 * In one case a violation is found too late. The bit that it sets in the table also makes younger loads of the same
 * instruction wait, and these are not fetched again. If one has issued, the run is stepped again from its start, and
 * the violations found so far are known: their bits count from the beginning, and fetch waits after them.
 *
 * Misses never wait for an MSHR here. Whether one had to shows only at the end, because MSHRs are assigned in program
 * order: see mshrs_suffice().
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/refcycle_internal.h"

_Static_assert(NO_DRAIN == UNKNOWN, "uops other than stores never drain");

struct queue {
	size_t uops[MAX_QUEUE_ENTRIES]; /* oldest first */
	size_t nr;
};

struct stepper {
	struct refcycle_program *p;
	const struct core_timing *t; /* the program's, as `out` */
	struct uop_stamps *out;
	struct refcycle_seen *seen;
	uint64_t cycle;

	size_t next_fetch; /* instruction */
	/* The ROB has the uops from rob_head to before next_dispatch. Those before next_commit leave it after this
	 * cycle. */
	size_t rob_head, next_commit, next_dispatch;
	/* The store queue in the same way, in numbers of stores. */
	size_t sq_head, next_drain, sq_tail;
	size_t nr_loads, nr_registers[2]; /* of uops in the ROB; integer and FP registers */
	struct queue queues[MAX_ISSUE_QUEUES];
	size_t waiting[MAX_ROB], nr_waiting; /* issued loads that hit a line on its way, until its fill is known */
	size_t *held_by;		     /* counter of what last held back next_dispatch, or NULL */

	size_t *violators, nr_violators; /* loads known to violate memory order */
	bool *violates;			 /* by uop: it is one of them */
	bool *has_violated;		 /* by uop: in this attempt, already */
	bool needs_replay;
};

/* Whether `cost` cycles have passed since `time`. */
static bool passed(const struct stepper *m, uint64_t time, uint64_t cost)
{
	return time != UNKNOWN && time + cost <= m->cycle;
}

/* What a uop holds from dispatch to commit, besides its ROB entry. */
static void hold(struct stepper *m, size_t i, bool takes)
{
	const struct uop *u = &m->p->uops[i];
	size_t change = takes ? 1 : SIZE_MAX;
	if (is_load(u))
		m->nr_loads += change;
	if (u->destination != NO_REGISTER)
		m->nr_registers[uop_register_is_fp(u->destination)] += change;
}

/* Frees what was released in older cycles: this cycle releases nothing before commit() and drain(). */
static void release(struct stepper *m)
{
	for (; m->rob_head < m->next_commit; m->rob_head++)
		hold(m, m->rob_head, false);
	m->sq_head = m->next_drain;
}

/* Commit and drain. */

/* Rule 3.5.12: data prefetches, requested at `at` by uop i. Those into outer caches take no time. */
static void prefetch(struct stepper *m, size_t i, uint64_t at)
{
	size_t entry = m->p->links[i].l1d + nr_demand_fills(&m->p->uops[i]);
	for (unsigned n = 0; n < m->p->uops[i].nr_prefetches; n++) {
		const struct uop_prefetch *f = &m->p->prefetches[m->p->links[i].prefetch + n];
		if (f->target != PREFETCH_L1D)
			continue;
		m->p->l1d[entry++] = at + line_latency(m->t, f->level, f->row);
		m->seen->prefetches++;
	}
}

/* Rule 3.7.3: in the cycle of E or C. */
static void request_store(struct stepper *m, size_t i)
{
	const struct uop *u = &m->p->uops[i];
	uint64_t at = m->cycle + m->t->dtlb_cycles[u->tlb];
	if (u->level != LEVEL_L1)
		refcycle_enter_fill(m->p, i, at + line_latency(m->t, u->level, u->row));
	prefetch(m, i, at);
}

static void commit(struct stepper *m)
{
	for (unsigned n = 0; n < m->t->commit_width && m->next_commit < m->next_dispatch; n++) {
		size_t i = m->next_commit;
		const struct uop *u = &m->p->uops[i];
		if (!passed(m, m->out[i].complete, m->t->commit_cycles))
			break;
		m->out[i].commit = m->cycle;
		m->next_commit++;
		if (is_store(u) && m->t->store_fill == FILL_AT_COMMIT)
			request_store(m, i);
		m->seen->redirects += is_serializing(m->t, u) && u->flags & UOP_LAST;
	}
}

static bool line_is_there(const struct stepper *m, size_t store)
{
	const struct uop *u = &m->p->uops[store];
	const struct uop_stamps *s = &m->out[store];
	if (u->level != LEVEL_L1)
		return passed(m, m->t->store_fill == FILL_AT_COMMIT ? s->commit : s->issue,
			      m->t->dtlb_cycles[u->tlb] + line_latency(m->t, u->level, u->row));
	size_t named = m->p->links[store].l1d_named;
	return named == NONE || passed(m, m->p->l1d[named], 0);
}

static void drain(struct stepper *m)
{
	for (unsigned n = 0; n < m->t->drain_width && m->next_drain < m->sq_tail; n++) {
		size_t i = m->p->stores[m->next_drain];
		if (!passed(m, m->out[i].commit, 1) || !line_is_there(m, i))
			break;
		m->out[i].drain = m->cycle;
		m->next_drain++;
	}
}

/* Fetch. */

/* Whether fetch waits for a redirect by uop i. Only uops of the last instruction that was fetched can matter: fetch has
 * waited for all others. */
static bool redirects_later(const struct stepper *m, size_t i)
{
	const struct uop *u = &m->p->uops[i];
	const struct uop_stamps *s = &m->out[i];
	return (u->flags & UOP_MISPREDICTED && !passed(m, s->complete, m->t->mispredict_cycles)) ||
	       ((m->violates[i] || m->p->links[i].is_wrong) && !passed(m, s->complete, m->t->flush_cycles)) ||
	       (is_serializing(m->t, u) && u->flags & UOP_LAST && !passed(m, s->commit, m->t->flush_cycles));
}

static bool can_fetch(const struct stepper *m)
{
	const struct refcycle_program *p = m->p;
	size_t k = m->next_fetch, buffer = m->t->fetch_buffer;
	if (k == p->nr_instructions)
		return false;
	if (k == 0)
		return true;
	if (refcycle_next_fetch(p, k - 1) > m->cycle)
		return false;
	for (size_t i = p->first[k - 1]; i < p->first[k]; i++)
		if (redirects_later(m, i))
			return false;
	/* The buffer holds an instruction until its last uop has been dispatched. */
	return k < buffer || passed(m, m->out[p->first[k - buffer + 1] - 1].dispatch, 1);
}

static void fetch(struct stepper *m)
{
	while (can_fetch(m))
		refcycle_fetch(m->p, m->next_fetch++, m->cycle, m->seen);
}

/* Dispatch. */

static unsigned queue_of(const struct stepper *m, size_t i)
{
	return m->t->groups[m->t->group[m->p->uops[i].class]].queue;
}

/* The counter of what holds uop i back; NULL: it can be dispatched. */
static size_t *obstacle(const struct stepper *m, size_t i)
{
	const struct core_timing *t = m->t;
	const struct uop *u = &m->p->uops[i];
	unsigned queue = queue_of(m, i);
	if (m->next_dispatch - m->rob_head == t->rob)
		return &m->seen->rob;
	if (u->destination != NO_REGISTER) {
		bool is_fp = uop_register_is_fp(u->destination);
		size_t registers = is_fp ? t->fp_registers : t->int_registers;
		if (registers > 0 && m->nr_registers[is_fp] == registers - ARCHITECTURAL_REGISTERS)
			return &m->seen->registers;
	}
	if (is_load(u) && m->nr_loads == t->load_queue)
		return &m->seen->load_queue;
	if (is_store(u) && m->sq_tail - m->sq_head == t->store_queue)
		return &m->seen->store_queue;
	if (is_serializing(t, u) && u->flags & UOP_FIRST && i > 0 && !passed(m, m->out[i - 1].commit, 1))
		return &m->seen->serialized;
	if (m->queues[queue].nr == t->queues[queue].entries)
		return &m->seen->queue;
	return NULL;
}

static void dispatch(struct stepper *m)
{
	for (unsigned n = 0; n < m->t->dispatch_width && m->next_dispatch < m->p->nr; n++) {
		size_t i = m->next_dispatch;
		struct queue *q = &m->queues[queue_of(m, i)];
		if (!passed(m, m->out[i].fetch, m->t->decode_cycles))
			break;
		size_t *held_by = obstacle(m, i);
		if (held_by) {
			m->held_by = held_by;
			break;
		}
		if (m->held_by)
			++*m->held_by;
		m->held_by = NULL;
		m->out[i].dispatch = m->cycle;
		m->next_dispatch++;
		hold(m, i, true);
		m->sq_tail += is_store(&m->p->uops[i]);
		q->uops[q->nr++] = i;
	}
}

/* Issue. */

/* Removes the uops from `end` on. */
static void cut(size_t *uops, size_t *nr, size_t end)
{
	size_t kept = 0;
	for (size_t k = 0; k < *nr; k++)
		if (uops[k] < end)
			uops[kept++] = uops[k];
	*nr = kept;
}

/* Removes all instructions after that of uop i. */
static void squash(struct stepper *m, size_t i)
{
	struct refcycle_program *p = m->p;
	size_t next = p->links[i].instruction + 1, end = p->first[next], fetched = p->first[m->next_fetch];
	for (; m->next_dispatch > end; m->next_dispatch--) {
		hold(m, m->next_dispatch - 1, false);
		m->sq_tail -= is_store(&p->uops[m->next_dispatch - 1]);
	}
	for (unsigned q = 0; q < m->t->nr_queues; q++)
		cut(m->queues[q].uops, &m->queues[q].nr, end);
	cut(m->waiting, &m->nr_waiting, end);
	for (size_t u = end; u < fetched; u++) {
		memset(&m->out[u], 0xff, sizeof(m->out[u]));
		m->has_violated[u] = false;
		m->seen->squashed++;
	}
	/* The lines that the removed uops requested. Those of L1I are requested again before anything looks at them. */
	if (end < fetched)
		memset(p->l1d + p->links[end].l1d, 0xff, (p->nr_l1d - p->links[end].l1d) * sizeof(*p->l1d));
	m->next_fetch = next;
	m->held_by = NULL;
}

/* The table of violations is cleared between periods. */
static bool is_same_period(size_t a, size_t b)
{
	return a / VIOLATION_PERIOD == b / VIOLATION_PERIOD;
}

/* Load i has violated memory order. */
static void violate(struct stepper *m, size_t i)
{
	m->has_violated[i] = true;
	m->seen->violations++;
	if (m->violates[i])
		return; /* known from the attempt before: nothing younger was fetched */
	m->violates[i] = true;
	m->violators[m->nr_violators++] = i;
	squash(m, i);

	/* In program order, younger loads of the same instruction have not looked at the table yet. */
	for (size_t u = i + 1; u < m->next_dispatch; u++) {
		if (!is_load(&m->p->uops[u]) || !is_same_period(i, u))
			continue;
		m->needs_replay |= m->out[u].issue != UNKNOWN;
		m->out[u].ready = UNKNOWN;
		m->has_violated[u] = false;
	}
	/* The violations of all these loads are void. */
	size_t end = m->p->first[m->next_fetch], kept = 0;
	for (size_t n = 0; n < m->nr_violators; n++) {
		size_t v = m->violators[n];
		if (v <= i || (v < end && !is_same_period(i, v)))
			m->violators[kept++] = v;
		else
			m->violates[v] = false;
	}
	m->nr_violators = kept;
}

/* The table of rule 3.6.3: whether an older load of the same period has set the bit of load i. */
static bool bit_is_set(const struct stepper *m, size_t i)
{
	const struct uop *uops = m->p->uops;
	for (size_t n = 0; n < m->nr_violators; n++) {
		size_t v = m->violators[n];
		if (v < i && is_same_period(v, i) && uops[v].pc % VIOLATION_BITS == uops[i].pc % VIOLATION_BITS)
			return true;
	}
	return false;
}

static bool waits_for_stores(const struct stepper *m, size_t i)
{
	return m->t->memory_order == ORDER_CONSERVATIVE ||
	       (m->t->memory_order == ORDER_SPECULATIVE && bit_is_set(m, i));
}

static bool is_ready(const struct stepper *m, size_t i)
{
	const struct refcycle_link *l = &m->p->links[i];
	if (!passed(m, m->out[i].dispatch, m->t->dispatch_cycles))
		return false;
	for (size_t s = 0; s < MAX_SOURCES; s++)
		if (l->writer[s] != NONE && !passed(m, m->out[l->writer[s]].complete, 0))
			return false;
	if (!is_load(&m->p->uops[i]))
		return true;
	if (m->t->memory_order == ORDER_PERFECT)
		return l->store == NONE || passed(m, m->out[l->store].complete, 0);
	if (waits_for_stores(m, i))
		for (size_t n = m->sq_head; n < l->nr_stores; n++)
			if (!passed(m, m->out[m->p->stores[n]].complete, 0))
				return false;
	return true;
}

/* Rules 3.6.4 and 3.6.5, for a load that has a slot and a unit: whether it takes them. */
static bool can_take_slot(struct stepper *m, size_t i)
{
	size_t store = m->p->links[i].store;
	if (store == NONE)
		return true;
	if (!passed(m, m->out[store].complete, 0)) {
		/* Loads that wait for stores do not get here before that. */
		if (!m->has_violated[i])
			violate(m, i);
		return false;
	}
	return m->p->uops[i].covers || passed(m, m->out[store].drain, 1);
}

static void start_load(struct stepper *m, size_t i)
{
	struct refcycle_program *p = m->p;
	const struct uop *u = &p->uops[i];
	const struct refcycle_link *l = &p->links[i];
	struct uop_stamps *s = &m->out[i];
	uint64_t at = m->cycle + m->t->dtlb_cycles[u->tlb] + m->t->l1d_cycles;
	m->seen->drained_first += l->store != NONE && !u->covers && m->out[l->store].drain >= s->ready;
	if (l->store != NONE && u->covers && !passed(m, m->out[l->store].drain, 1)) {
		s->complete = m->cycle + m->t->forward_cycles;
		refcycle_enter_fill(p, i, s->complete);
		m->seen->forwards++;
	} else if (u->level != LEVEL_L1) {
		s->complete = at + line_latency(m->t, u->level, u->row);
		refcycle_enter_fill(p, i, s->complete);
	} else if (l->l1d_named == NONE) {
		s->complete = at;
	} else {
		m->waiting[m->nr_waiting++] = i;
	}
	prefetch(m, i, at);
}

static void start(struct stepper *m, size_t i)
{
	const struct uop *u = &m->p->uops[i];
	struct uop_stamps *s = &m->out[i];
	s->issue = m->cycle;
	m->seen->redirects += (u->flags & UOP_MISPREDICTED) != 0;
	if (is_load(u)) {
		start_load(m, i);
	} else if (is_store(u)) {
		s->complete = m->cycle + 1;
		if (m->t->store_fill == FILL_AT_EXECUTE)
			request_store(m, i);
	} else {
		s->complete = m->cycle + m->t->latency[u->class];
		m->seen->units += s->issue > s->ready;
	}
}

/* The oldest ready uops of a queue take its slots and the units. */
static void issue(struct stepper *m, unsigned number)
{
	struct queue *q = &m->queues[number];
	unsigned slots = m->t->queues[number].issue, units[MAX_UNIT_GROUPS];
	size_t kept = 0;
	for (unsigned g = 0; g < m->t->nr_groups; g++)
		units[g] = m->t->groups[g].units;
	/* A violation shortens the queue after the uop that is looked at. */
	for (size_t k = 0; k < q->nr; k++) {
		size_t i = q->uops[k];
		unsigned *units_left = &units[m->t->group[m->p->uops[i].class]];
		struct uop_stamps *s = &m->out[i];
		if (s->ready == UNKNOWN && is_ready(m, i))
			s->ready = m->cycle;
		if (s->ready == UNKNOWN)
			continue;
		if (slots > 0 && *units_left > 0 && (!is_load(&m->p->uops[i]) || can_take_slot(m, i))) {
			slots--;
			--*units_left;
			start(m, i);
		}
	}
	for (size_t k = 0; k < q->nr; k++)
		if (m->out[q->uops[k]].issue == UNKNOWN)
			q->uops[kept++] = q->uops[k];
	q->nr = kept;
}

/* Completes the loads that hit a line on its way, once its fill is known. */
static void complete_waiting(struct stepper *m)
{
	size_t kept = 0;
	for (size_t k = 0; k < m->nr_waiting; k++) {
		size_t i = m->waiting[k];
		uint64_t fill = m->p->l1d[m->p->links[i].l1d_named];
		uint64_t hit = m->out[i].issue + m->t->dtlb_cycles[m->p->uops[i].tlb] + m->t->l1d_cycles;
		if (fill == UNKNOWN) {
			m->waiting[kept++] = i;
			continue;
		}
		m->out[i].complete = later(hit, fill);
		m->seen->in_flight += fill > hit;
	}
	m->nr_waiting = kept;
}

/* A resource that is released in a cycle can be taken in the next one, hence release() first. Latencies of 0 let a uop
 * commit, have its successor fetched and that one dispatched and issued in one cycle: the order of the rest. */
static void step(struct stepper *m)
{
	release(m);
	complete_waiting(m);
	commit(m);
	drain(m);
	fetch(m);
	dispatch(m);
	for (unsigned q = 0; q < m->t->nr_queues; q++)
		issue(m, q);
	m->cycle++;
}

/* Whether rules 3.5.6 and 3.5.9 let each miss have an MSHR at once: counts what they hold. If not, the first miss in
 * program order that finds none had the right times until then, because no uop depends on a younger one. */
static bool mshrs_suffice(struct refcycle_program *p)
{
	const struct core_timing *t = p->t;
	uint64_t free_from[MAX_MSHRS] = {0};
	for (size_t i = 0; i < p->nr; i++) {
		const struct uop *u = &p->uops[i];
		const struct uop_stamps *s = &p->out[i];
		size_t store = p->links[i].store;
		if (!is_load(u) && !is_store(u))
			continue;
		bool forwards = store != NONE && u->covers && p->out[store].drain >= s->issue;
		uint64_t at = t->dtlb_cycles[u->tlb] + (is_load(u)			  ? s->issue + t->l1d_cycles
							: t->store_fill == FILL_AT_COMMIT ? s->commit
											  : s->issue);
		/* The uop's own miss, then its prefetches. */
		for (unsigned n = 0; n <= u->nr_prefetches; n++) {
			const struct uop_prefetch *f = n > 0 ? &p->prefetches[p->links[i].prefetch + n - 1] : NULL;
			unsigned mshr = 0;
			if (f ? f->target != PREFETCH_L1D : u->level == LEVEL_L1 || forwards)
				continue;
			for (unsigned k = 1; k < t->mshrs; k++)
				if (free_from[k] < free_from[mshr])
					mshr = k;
			if (free_from[mshr] > at)
				return false;
			free_from[mshr] =
				at + 1 + (f ? line_latency(t, f->level, f->row) : line_latency(t, u->level, u->row));
			p->held.mshrs += free_from[mshr] - at;
		}
	}
	return true;
}

bool refcycle_step(struct refcycle_program *p, struct refcycle_seen *seen, bool *exact)
{
	struct stepper *m = calloc(1, sizeof(*m));
	size_t *violators = calloc(p->nr + 1, sizeof(*violators));
	bool *violates = calloc(p->nr + 1, sizeof(*violates)), *has_violated = calloc(p->nr + 1, sizeof(*has_violated));
	bool ok = m && violators && violates && has_violated;
	size_t nr_known = 0;
	if (!ok)
		goto out;
	do {
		*m = (struct stepper){.p = p,
				      .t = p->t,
				      .out = p->out,
				      .seen = seen,
				      .violators = violators,
				      .nr_violators = nr_known,
				      .violates = violates,
				      .has_violated = has_violated};
		memset(has_violated, 0, p->nr * sizeof(*has_violated));
		refcycle_reset(p);
		while ((m->next_commit < p->nr || m->next_drain < p->nr_stores) && !m->needs_replay)
			step(m);
		nr_known = m->nr_violators;
		seen->replayed += m->needs_replay;
	} while (m->needs_replay);
	for (size_t i = 0; i < p->nr; i++)
		assert(violates[i] == has_violated[i]);
	*exact = mshrs_suffice(p);
out:
	free(m);
	free(violators);
	free(violates);
	free(has_violated);
	return ok;
}
