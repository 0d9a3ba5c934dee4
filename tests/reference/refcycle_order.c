/* Both kinds of core in program order, for what refcycle_step.c cannot do. Each uop takes the first cycles that older
 * ones have left in tables by cycle. */
#include <stdlib.h>

#include "tests/reference/refcycle_issue.h"

/* Uops that take something held, in order. */
enum holder { HOLDS_INTEGER, HOLDS_FP, HOLDS_LOAD, HOLDS_STORE, NR_HOLDERS };

struct order {
	struct refcycle_program *p;
	const struct core_timing *t; /* the program's, as `out` */
	struct uop_stamps *out;
	struct refcycle_seen *seen;
	bool is_in_order;

	uint64_t redirect;
	struct refcycle_last dispatched, committed, drained;
	size_t *holders[NR_HOLDERS], nr_holders[NR_HOLDERS];

	struct refcycle_issue issue;
	bool table[VIOLATION_BITS]; /* loads that violated, by pc */
	uint64_t stores_complete;   /* last X of a store */

	uint64_t unblocked; /* in-order */

	uint64_t mshr_free[MAX_MSHRS], bus_free; /* from which cycle */
};

/* Memory. */

/* Rules 3.5.7 and 3.5.11: the cycle in which the line takes the bus. */
static uint64_t take_bus(struct order *o, uint64_t at, unsigned level, bool releases)
{
	uint64_t from = later(at, o->bus_free);
	if (level != LEVEL_MEMORY || o->t->line_cycles == 0)
		return at;
	o->seen->bus += from > at;
	o->bus_free = from + (releases ? 2 : 1) * (uint64_t)o->t->line_cycles;
	return from;
}

/* Rules 3.5.6 to 3.5.8: the fill of a line that misses at `at`. */
static uint64_t miss(struct order *o, uint64_t at, unsigned level, unsigned row, bool releases)
{
	unsigned mshr = 0;
	for (unsigned k = 1; k < o->t->mshrs; k++)
		if (o->mshr_free[k] < o->mshr_free[mshr])
			mshr = k;
	o->seen->mshr += o->mshr_free[mshr] > at;
	at = later(at, o->mshr_free[mshr]);
	uint64_t fill = take_bus(o, at, level, releases) + line_latency(o->t, level, row);
	o->mshr_free[mshr] = fill + 1;
	o->p->held.mshrs += o->mshr_free[mshr] - at;
	return fill;
}

/* The fill of uop i's own lines, requested at `at`. */
static uint64_t demand(struct order *o, size_t i, uint64_t at)
{
	const struct uop *u = &o->p->uops[i];
	uint64_t fill = miss(o, at, u->level, u->row, u->releases);
	refcycle_enter_fill(o->p, i, fill);
	return fill;
}

/* A prefetch instruction after load i: it issues as a load does, at or past that one. When its line is requested. */
static uint64_t issue_soft(struct order *o, size_t i, const struct uop_prefetch *f)
{
	const struct uop load = {.class = INSN_LOAD};
	uint16_t unit = 0;
	uint64_t at = refcycle_find_issue(&o->issue, &load, o->out[i].issue, &unit);
	/* Dispatched after its issue: it is in no queue. */
	refcycle_take_issue(&o->issue, &load, at + 1, at, unit);
	o->seen->soft++;
	return at + o->t->dtlb_cycles[f->tlb] + o->t->l1d_cycles;
}

/* Rules 3.5.12 and 3.5.13: data prefetches of uop i. */
static void prefetch(struct order *o, size_t i, uint64_t at)
{
	size_t entry = o->p->links[i].l1d + nr_demand_fills(&o->p->uops[i]);
	for (unsigned n = 0; n < o->p->uops[i].nr_prefetches; n++) {
		const struct uop_prefetch *f = &o->p->prefetches[o->p->links[i].prefetch + n];
		if (f->is_code)
			continue;
		if (f->is_soft)
			at = issue_soft(o, i, f);
		if (f->level == LEVEL_L1)
			continue;
		o->seen->prefetches++;
		if (f->target == PREFETCH_L1D)
			o->p->l1d[entry++] = miss(o, at, f->level, f->row, false);
		else
			take_bus(o, at, f->level, false);
	}
}

/* The fill that `fill` names, if later than `at`. */
static uint64_t named_fill(struct order *o, size_t i, uint64_t at)
{
	size_t named = o->p->links[i].l1d_named;
	if (named == NONE || o->p->l1d[named] <= at)
		return at;
	o->seen->in_flight++;
	return o->p->l1d[named];
}

/* Fetch and dispatch. */

static void fetch(struct order *o, size_t k)
{
	const size_t *first = o->p->first;
	size_t buffer = o->t->fetch_buffer;
	uint64_t at = o->redirect;
	if (k > 0)
		at = later(at, refcycle_next_fetch(o->p, k - 1));
	if (k >= buffer) {
		const struct uop_stamps *left = &o->out[first[k - buffer + 1] - 1];
		at = later(at, (o->is_in_order ? left->issue : left->dispatch) + 1);
	}
	refcycle_fetch(o->p, k, at, o->seen);
}

/* Moves *at past the release of the last of `entries`, where older uops of a kind hold all of them. */
static void bound(struct order *o, enum holder kind, size_t entries, uint64_t *at, size_t *seen)
{
	if (o->nr_holders[kind] < entries)
		return;
	const struct uop_stamps *s = &o->out[o->holders[kind][o->nr_holders[kind] - entries]];
	uint64_t from = (kind == HOLDS_STORE ? s->drain : s->commit) + 1;
	*seen += from > *at;
	*at = later(*at, from);
}

static uint64_t serialized(struct order *o, size_t i, uint64_t at)
{
	const struct uop *u = &o->p->uops[i];
	if (!is_serializing(o->t, u) || !(u->flags & UOP_FIRST) || i == 0 || o->out[i - 1].commit < at)
		return at;
	o->seen->serialized++;
	return o->out[i - 1].commit + 1;
}

static uint64_t dispatch(struct order *o, size_t i)
{
	const struct core_timing *t = o->t;
	const struct uop *u = &o->p->uops[i];
	uint64_t at = o->out[i].fetch + t->decode_cycles;
	at = later(at, o->dispatched.cycle);
	if (i >= t->rob) {
		uint64_t from = o->out[i - t->rob].commit + 1;
		o->seen->rob += from > at;
		at = later(at, from);
	}
	if (u->destination != NO_REGISTER) {
		bool is_fp = uop_register_is_fp(u->destination);
		unsigned registers = is_fp ? t->fp_registers : t->int_registers;
		if (registers > 0)
			bound(o, is_fp ? HOLDS_FP : HOLDS_INTEGER, registers - ARCHITECTURAL_REGISTERS, &at,
			      &o->seen->registers);
	}
	if (is_load(u))
		bound(o, HOLDS_LOAD, t->load_queue, &at, &o->seen->load_queue);
	if (is_store(u))
		bound(o, HOLDS_STORE, t->store_queue, &at, &o->seen->store_queue);
	at = serialized(o, i, at);

	uint64_t from = at;
	at = refcycle_find_room(&o->issue, u, at);
	o->seen->queue += at > from;
	at = refcycle_first_in_order(&o->dispatched, t->dispatch_width, at);
	refcycle_take_in_order(&o->dispatched, at);
	return at;
}

/* Rule 4.2. */
static uint64_t arrive(struct order *o, size_t i)
{
	uint64_t at = later(o->out[i].fetch + o->t->decode_cycles, i > 0 ? o->out[i - 1].dispatch : 0);
	if (is_store(&o->p->uops[i]))
		bound(o, HOLDS_STORE, o->t->store_queue, &at, &o->seen->store_queue);
	return serialized(o, i, at);
}

/* Issue. */

static uint64_t ready(struct order *o, size_t i, bool waits)
{
	const struct refcycle_link *l = &o->p->links[i];
	uint64_t at = o->out[i].dispatch + (o->is_in_order ? 0 : o->t->dispatch_cycles);
	for (size_t s = 0; s < MAX_SOURCES; s++)
		if (l->writer[s] != NONE)
			at = later(at, o->out[l->writer[s]].complete);
	if ((o->is_in_order || o->t->memory_order == ORDER_PERFECT) && l->store != NONE)
		at = later(at, o->out[l->store].complete);
	return waits ? later(at, o->stores_complete) : at;
}

static uint64_t find_issue(struct order *o, size_t i, uint64_t at, uint16_t *unit)
{
	return refcycle_find_issue(&o->issue, &o->p->uops[i], later(at, o->unblocked), unit);
}

/* Rules 3.4 and 3.6: E. Whether load i violated memory order. */
static bool issue(struct order *o, size_t i, bool waits)
{
	const struct uop *u = &o->p->uops[i];
	struct uop_stamps *s = &o->out[i];
	size_t store = o->p->links[i].store;
	uint16_t unit = 0;
	bool violates = false;
	uint64_t at = find_issue(o, i, s->ready, &unit);
	o->seen->units += at > s->ready;
	if (store != NONE && !waits && at < o->out[store].complete) {
		violates = true;
		o->seen->violations++;
		o->table[u->pc % VIOLATION_BITS] = true;
		at = find_issue(o, i, o->out[store].complete, &unit);
	}
	if (store != NONE && !u->covers && o->out[store].drain >= at) {
		o->seen->drained_first++;
		at = find_issue(o, i, o->out[store].drain + 1, &unit);
	}
	refcycle_take_issue(&o->issue, u, s->dispatch, at, unit);
	s->issue = at;
	return violates;
}

/* Completion. */

/* Rule 4.7. */
static void block(struct order *o, uint64_t fill)
{
	if (!o->is_in_order || !o->t->is_blocking)
		return;
	o->seen->blocked += fill > o->unblocked;
	o->unblocked = later(o->unblocked, fill);
}

static void finish_load(struct order *o, size_t i)
{
	const struct uop *u = &o->p->uops[i];
	struct uop_stamps *s = &o->out[i];
	size_t store = o->p->links[i].store;
	uint64_t at = s->issue + o->t->dtlb_cycles[u->tlb] + o->t->l1d_cycles;
	if (store != NONE && u->covers && o->out[store].drain >= s->issue) {
		s->complete = s->issue + o->t->forward_cycles;
		refcycle_enter_fill(o->p, i, s->complete);
		o->seen->forwards++;
	} else if (u->level == LEVEL_L1) {
		s->complete = named_fill(o, i, at);
	} else {
		s->complete = demand(o, i, at);
		block(o, s->complete);
	}
	prefetch(o, i, at);
}

static void commit(struct order *o, size_t i)
{
	struct uop_stamps *s = &o->out[i];
	uint64_t at = s->complete + (o->is_in_order ? 0 : o->t->commit_cycles);
	s->commit = refcycle_first_in_order(&o->committed, o->t->commit_width, at);
	refcycle_take_in_order(&o->committed, s->commit);
}

/* A store's fill and drain, after its commit. Its place among other misses is that of the uop, not of this cycle. */
static void finish_store(struct order *o, size_t i)
{
	const struct uop *u = &o->p->uops[i];
	struct uop_stamps *s = &o->out[i];
	uint64_t at = (o->t->store_fill == FILL_AT_COMMIT ? s->commit : s->issue) + o->t->dtlb_cycles[u->tlb];
	uint64_t drain = s->commit + 1;
	if (u->level == LEVEL_L1) {
		drain = named_fill(o, i, drain);
	} else {
		uint64_t fill = demand(o, i, at);
		block(o, fill);
		drain = later(drain, fill);
	}
	prefetch(o, i, at);
	s->drain = refcycle_first_in_order(&o->drained, o->t->drain_width, drain);
	refcycle_take_in_order(&o->drained, s->drain);
	o->stores_complete = later(o->stores_complete, s->complete);
}

static void redirect(struct order *o, size_t i, bool violates)
{
	const struct core_timing *t = o->t;
	const struct uop *u = &o->p->uops[i];
	const struct uop_stamps *s = &o->out[i];
	uint64_t before = o->redirect;
	if (u->flags & UOP_MISPREDICTED)
		o->redirect = later(o->redirect, t->mispredict_cycles +
							 (o->is_in_order ? s->issue + t->resolve_cycles : s->complete));
	if (violates || o->p->links[i].is_wrong)
		o->redirect = later(o->redirect, s->complete + t->flush_cycles);
	if (is_serializing(t, u) && u->flags & UOP_LAST)
		o->redirect = later(o->redirect, s->commit + t->flush_cycles);
	o->seen->redirects += o->redirect > before;
}

static void hold(struct order *o, enum holder kind, size_t i)
{
	o->holders[kind][o->nr_holders[kind]++] = i;
}

static void time_uop(struct order *o, size_t i)
{
	const struct core_timing *t = o->t;
	const struct uop *u = &o->p->uops[i];
	struct uop_stamps *s = &o->out[i];
	if (u->flags & UOP_FIRST)
		fetch(o, o->p->links[i].instruction);
	if (i % VIOLATION_PERIOD == 0)
		for (size_t k = 0; k < VIOLATION_BITS; k++)
			o->table[k] = false;
	bool waits = is_load(u) && !o->is_in_order &&
		     (t->memory_order == ORDER_CONSERVATIVE ||
		      (t->memory_order == ORDER_SPECULATIVE && o->table[u->pc % VIOLATION_BITS]));
	s->dispatch = o->is_in_order ? arrive(o, i) : dispatch(o, i);
	s->ready = ready(o, i, waits);
	bool violates = issue(o, i, waits);
	if (is_load(u))
		finish_load(o, i);
	else
		s->complete = s->issue + (is_store(u) ? 1 : t->latency[u->class]);
	commit(o, i);
	if (is_store(u))
		finish_store(o, i);
	redirect(o, i, violates);

	if (u->destination != NO_REGISTER)
		hold(o, uop_register_is_fp(u->destination) ? HOLDS_FP : HOLDS_INTEGER, i);
	if (is_load(u))
		hold(o, HOLDS_LOAD, i);
	if (is_store(u))
		hold(o, HOLDS_STORE, i);
}

bool refcycle_order(struct refcycle_program *p, struct refcycle_seen *seen)
{
	struct order *o = calloc(1, sizeof(*o));
	bool ok = o != NULL;
	if (!o)
		return false;
	*o = (struct order){.p = p,
			    .t = p->t,
			    .out = p->out,
			    .seen = seen,
			    .is_in_order = p->t->kind == CORE_IN_ORDER,
			    .issue = {.t = p->t}};
	for (unsigned k = 0; k < NR_HOLDERS; k++) {
		o->holders[k] = calloc(p->nr + 1, sizeof(*o->holders[k]));
		ok = ok && o->holders[k];
	}
	refcycle_reset(p);
	for (size_t i = 0; i < p->nr && ok; i++) {
		time_uop(o, i);
		ok = !o->issue.has_failed;
	}
	for (unsigned k = 0; k < NR_HOLDERS; k++)
		free(o->holders[k]);
	free(o->issue.rows);
	free(o);
	return ok;
}
