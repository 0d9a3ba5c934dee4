#include "tests/reference/refobserved.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/refcycle_issue.h"

/* What older uops have done, as far as younger ones depend on it. */
struct walk {
	struct refobserved *o;
	struct refcycle_issue issue;
	uint64_t redirect;
	bool table[VIOLATION_BITS];
	uint64_t stores_complete; /* last X of a store */
	uint64_t mshr_free[MAX_MSHRS], bus_free;
	uint64_t unblocked;
	size_t blocker;
};

/* ---- Fetch ---- */

/* Rule 3.1.1, with a BTB miss that costs `btb_cycles`. */
static uint64_t turn(const struct walk *w, size_t k, uint64_t btb_cycles)
{
	const struct refcycle_program *p = &w->o->p;
	const struct core_timing *t = w->o->t;
	size_t buffer = t->fetch_buffer;
	uint64_t at = w->redirect;
	if (k > 0) {
		uint64_t before = p->out[p->first[k - 1]].fetch;
		size_t together = 0;
		while (together < k && p->out[p->first[k - 1 - together]].fetch == before)
			together++;
		at = later(at, before + (together >= t->fetch_width));
		for (size_t i = p->first[k - 1]; i < p->first[k]; i++) {
			uint64_t cost = p->uops[i].flags & UOP_BTB_MISS ? btb_cycles : 0;
			if (p->uops[i].flags & UOP_BRANCH && p->uops[i].flags & UOP_TAKEN)
				at = later(at, before + 1 + cost);
		}
	}
	if (k >= buffer)
		at = later(at, refobserved_taken(w->o, p->first[k - buffer + 1] - 1) + 1);
	return at;
}

static void observe_fetch(struct walk *w, size_t k)
{
	struct refcycle_program *p = &w->o->p;
	const struct core_timing *t = w->o->t;
	const struct uop *u = &p->uops[p->first[k]];
	struct refcycle_seen seen = {0};
	uint64_t at = turn(w, k, t->btb_miss_cycles), btb = at - turn(w, k, 0), tlb = 0, line = 0;
	uint64_t fetch = p->out[p->first[k]].fetch, cost = 0;
	refcycle_fetch(p, k, at, &seen);
	assert(p->out[p->first[k]].fetch == fetch);
	if (u->fetch_lines > 0) {
		uint64_t hit = at + t->icache_cycles[LEVEL_L1] + t->itlb_cycles[TLB_HIT];
		uint64_t more = fetch > hit ? fetch - hit : 0;
		if (t->itlb_cycles[u->fetch_tlb] > t->itlb_cycles[TLB_HIT])
			tlb = (uint64_t)t->itlb_cycles[u->fetch_tlb] - t->itlb_cycles[TLB_HIT];
		tlb = tlb < more ? tlb : more;
		line = more - tlb;
		cost = t->icache_cycles[u->fetch_level] + (uint64_t)t->itlb_cycles[u->fetch_tlb];
	}
	w->o->of[p->first[k]].line_on_its_way = fetch > at + cost;
	for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
		w->o->of[i].btb = btb;
		w->o->of[i].tlb = tlb;
		w->o->of[i].line = line;
	}
}

/* ---- Bounds ---- */

/* The cycle after which the n-th last older uop of a kind gives its entry back; 0: there are fewer. */
static uint64_t release(const struct refobserved *o, size_t i, size_t n, bool (*is_kind)(const struct uop *))
{
	while (i-- > 0)
		if (is_kind(&o->p.uops[i]) && --n == 0)
			return (is_kind == is_store ? o->p.out[i].drain : o->p.out[i].commit) + 1;
	return 0;
}

static bool is_any(const struct uop *u)
{
	(void)u;
	return true;
}

static bool writes_integer(const struct uop *u)
{
	return u->destination != NO_REGISTER && !uop_register_is_fp(u->destination);
}

static bool writes_fp(const struct uop *u)
{
	return u->destination != NO_REGISTER && uop_register_is_fp(u->destination);
}

/* Rules 3.2.2 to 3.2.6; in-order only those of 4.2. */
static void bound_dispatch(const struct refobserved *o, size_t i, uint64_t *bounds)
{
	const struct core_timing *t = o->t;
	const struct uop *u = &o->p.uops[i];
	if (is_store(u))
		bounds[REFBOUND_STORE_QUEUE] = release(o, i, t->store_queue, is_store);
	if (is_serializing(t, u) && u->flags & UOP_FIRST && i > 0)
		bounds[REFBOUND_SERIAL] = o->p.out[i - 1].commit + 1;
	if (o->is_in_order)
		return;
	bounds[REFBOUND_ROB] = release(o, i, t->rob, is_any);
	if (writes_integer(u) && t->int_registers > 0)
		bounds[REFBOUND_REGISTERS] = release(o, i, t->int_registers - ARCHITECTURAL_REGISTERS, writes_integer);
	if (writes_fp(u) && t->fp_registers > 0)
		bounds[REFBOUND_REGISTERS] = release(o, i, t->fp_registers - ARCHITECTURAL_REGISTERS, writes_fp);
	if (is_load(u))
		bounds[REFBOUND_LOAD_QUEUE] = release(o, i, t->load_queue, is_load);
}

/* The largest of the bounds so far, of F + decode_cycles and of the D before: that of the queue, if it has no room. */
static void bound_queue(struct walk *w, size_t i)
{
	struct refobserved *o = w->o;
	uint64_t at = later(refobserved_decoded(o, i), i > 0 ? o->p.out[i - 1].dispatch : 0);
	for (unsigned b = 0; b < REFBOUND_QUEUE; b++)
		at = later(at, o->of[i].bounds[b]);
	uint64_t room = refcycle_find_room(&w->issue, &o->p.uops[i], at);
	assert(room <= o->p.out[i].dispatch);
	if (room > at) {
		assert(room == o->p.out[i].dispatch);
		o->of[i].bounds[REFBOUND_QUEUE] = room;
	}
}

/* Rules 4.4, 4.5 and 4.7. */
static void bound_issue(struct walk *w, size_t i)
{
	struct refobserved *o = w->o;
	const struct refcycle_link *l = &o->p.links[i];
	const struct uop *u = &o->p.uops[i];
	const struct refcycle_issue *s = &w->issue;
	uint64_t *bounds = o->of[i].bounds, *operand = &bounds[REFBOUND_OPERAND];
	for (unsigned n = 0; n < MAX_SOURCES; n++) {
		if (l->writer[n] == NONE || o->p.out[l->writer[n]].complete <= *operand)
			continue;
		*operand = o->p.out[l->writer[n]].complete;
		o->of[i].operand = l->writer[n];
	}
	if (l->store != NONE) {
		const struct uop_stamps *store = &o->p.out[l->store];
		uint64_t end = u->covers ? store->complete : later(store->complete, store->drain + 1);
		if (end > *operand) {
			*operand = end;
			o->of[i].operand = NONE;
		}
	}
	bounds[REFBOUND_BLOCKED] = w->unblocked;
	o->of[i].blocker = w->blocker;
	if ((is_load(u) || is_store(u)) && s->nr_memory == o->t->same_cycle_memory)
		bounds[REFBOUND_SLOT] = s->issued.cycle + 1;
	uint64_t unit = UNKNOWN;
	for (unsigned k = 0; k < o->t->groups[o->t->group[u->class]].units; k++)
		if (s->unit_free[o->t->group[u->class]][k] < unit)
			unit = s->unit_free[o->t->group[u->class]][k];
	bounds[REFBOUND_UNIT] = unit;
}

/* ---- Issue ---- */

/* Rules 3.6.1 to 3.6.5: finds the slot of uop i, and whether it violates memory order. */
static void observe_issue(struct walk *w, size_t i)
{
	struct refobserved *o = w->o;
	const struct core_timing *t = o->t;
	const struct uop *u = &o->p.uops[i];
	const struct uop_stamps *s = &o->p.out[i];
	size_t store = o->p.links[i].store;
	bool waits = o->is_in_order || t->memory_order == ORDER_CONSERVATIVE ||
		     (t->memory_order == ORDER_SPECULATIVE && w->table[u->pc % VIOLATION_BITS]);
	uint64_t from = s->ready > w->unblocked ? s->ready : w->unblocked;
	uint16_t unit = 0;
	uint64_t at = refcycle_find_issue(&w->issue, u, from, &unit);
	if (store != NONE && !waits && at < o->p.out[store].complete) {
		o->of[i].violates = true;
		w->table[u->pc % VIOLATION_BITS] = true;
		at = refcycle_find_issue(&w->issue, u, o->p.out[store].complete, &unit);
	}
	if (store != NONE && !u->covers && o->p.out[store].drain >= at)
		at = refcycle_find_issue(&w->issue, u, o->p.out[store].drain + 1, &unit);
	assert(w->issue.has_failed || at == s->issue);
	refcycle_take_issue(&w->issue, u, s->dispatch, at, unit);
}

/* ---- Misses ---- */

static uint64_t take_bus(struct walk *w, uint64_t at, unsigned level, bool releases)
{
	uint64_t line = w->o->t->line_cycles, start = later(at, w->bus_free);
	if (level != LEVEL_MEMORY || line == 0)
		return at;
	w->bus_free = start + (releases ? 2 * line : line);
	return start;
}

/* Rules 3.5.6 to 3.5.8. */
static uint64_t miss(struct walk *w, uint64_t at, unsigned level, unsigned row, bool releases)
{
	struct refobserved_miss *m = &w->o->misses[w->o->nr_misses++];
	unsigned mshr = 0;
	for (unsigned k = 1; k < w->o->t->mshrs; k++)
		if (w->mshr_free[k] < w->mshr_free[mshr])
			mshr = k;
	m->start = later(at, w->mshr_free[mshr]);
	m->fill = take_bus(w, m->start, level, releases) + line_latency(w->o->t, level, row);
	w->mshr_free[mshr] = m->fill + 1;
	return m->fill;
}

/* Rules 3.5.3 to 3.5.5, 3.6.6 and 3.7.3: fills, and checks X of loads and S of stores. */
static void observe_access(struct walk *w, size_t i)
{
	struct refobserved *o = w->o;
	const struct uop *u = &o->p.uops[i];
	const struct uop_stamps *s = &o->p.out[i];
	const struct refcycle_link *l = &o->p.links[i];
	uint64_t at = (is_store(u) && o->t->store_fill == FILL_AT_COMMIT ? s->commit : s->issue) +
		      o->t->dtlb_cycles[u->tlb] + (is_load(u) ? o->t->l1d_cycles : 0);
	struct refobserved_uop *to = &o->of[i];
	to->forwards = is_load(u) && l->store != NONE && u->covers && o->p.out[l->store].drain >= s->issue;
	if (u->level != LEVEL_L1) {
		to->fill = to->forwards ? s->complete : miss(w, at, u->level, u->row, u->releases);
		assert(is_load(u) ? to->fill == s->complete : to->fill <= s->drain);
		refcycle_enter_fill(&o->p, i, to->fill);
	} else if (is_load(u) && !to->forwards) {
		to->hits_on_its_way = l->l1d_named != NONE && o->p.l1d[l->l1d_named] > at;
		assert(s->complete == (to->hits_on_its_way ? o->p.l1d[l->l1d_named] : at));
	}
	if (refobserved_misses(o, i) && o->is_in_order && o->t->is_blocking && to->fill > w->unblocked) {
		w->unblocked = to->fill;
		w->blocker = i;
	}
	size_t entry = l->l1d + nr_demand_fills(u);
	for (unsigned n = 0; n < u->nr_prefetches; n++) {
		const struct uop_prefetch *f = &o->p.prefetches[l->prefetch + n];
		if (f->is_code)
			continue;
		if (f->target == PREFETCH_L1D)
			o->p.l1d[entry++] = miss(w, at, f->level, f->row, false);
		else
			take_bus(w, at, f->level, false);
	}
}

/* ---- Flushes ---- */

static void add_flush(struct walk *w, enum refflush why, size_t i, uint64_t at, uint64_t redirect)
{
	w->o->flushes[w->o->nr_flushes++] = (struct refobserved_flush){why, i, at};
	w->redirect = later(w->redirect, redirect);
}

/* Rules 3.8 and 4.10. */
static void observe_flushes(struct walk *w, size_t i)
{
	const struct core_timing *t = w->o->t;
	const struct uop *u = &w->o->p.uops[i];
	const struct uop_stamps *s = &w->o->p.out[i];
	if (u->flags & UOP_MISPREDICTED)
		add_flush(w, REFFLUSH_MISPREDICTION, i, s->complete,
			  (w->o->is_in_order ? s->issue + t->resolve_cycles : s->complete) + t->mispredict_cycles);
	if (w->o->of[i].violates)
		add_flush(w, REFFLUSH_VIOLATION, i, s->complete, s->complete + t->flush_cycles);
	if (is_serializing(t, u) && u->flags & UOP_LAST)
		add_flush(w, u->flags & UOP_SYSTEM ? REFFLUSH_SYSTEM : REFFLUSH_FENCE, i, s->commit,
			  s->commit + t->flush_cycles);
}

/* ---- All of it ---- */

static void observe(struct walk *w, size_t i)
{
	struct refobserved *o = w->o;
	const struct uop *u = &o->p.uops[i];
	o->of[i].operand = o->of[i].blocker = NONE;
	o->of[i].fill = UNKNOWN;
	if (i % VIOLATION_PERIOD == 0)
		memset(w->table, 0, sizeof(w->table));
	if (u->flags & UOP_FIRST)
		observe_fetch(w, o->p.links[i].instruction);
	bound_dispatch(o, i, o->of[i].bounds);
	if (o->is_in_order)
		bound_issue(w, i);
	else
		bound_queue(w, i);
	observe_issue(w, i);
	if (is_load(u) || is_store(u))
		observe_access(w, i);
	observe_flushes(w, i);
	o->nr_cycles = o->p.out[i].commit + 1;
}

static bool has_memory(struct refobserved *o, const struct uop_stamps *stamps)
{
	size_t nr = o->p.nr, nr_misses = nr;
	for (size_t i = 0; i < nr; i++)
		nr_misses += o->p.uops[i].nr_prefetches;
	o->p.out = malloc((nr + 1) * sizeof(*o->p.out));
	o->of = calloc(nr + 1, sizeof(*o->of));
	o->flushes = calloc(3 * nr + 1, sizeof(*o->flushes));
	o->misses = calloc(nr_misses + 1, sizeof(*o->misses));
	if (!o->p.out || !o->of || !o->flushes || !o->misses)
		return false;
	memcpy(o->p.out, stamps, nr * sizeof(*stamps));
	return true;
}

struct refobserved *refobserved_new(const struct core_timing *t, const struct uop *uops, size_t nr,
				    const struct uop_prefetch *prefetches, const struct uop_stamps *stamps)
{
	struct refobserved *o = calloc(1, sizeof(*o));
	struct walk *w = calloc(1, sizeof(*w));
	bool ok = o && w && refcycle_open(&o->p, t, uops, nr, prefetches, NULL) && has_memory(o, stamps);
	if (ok) {
		o->t = t;
		o->is_in_order = t->kind == CORE_IN_ORDER;
		*w = (struct walk){.o = o, .issue = {.t = t}, .blocker = NONE};
	}
	for (size_t i = 0; ok && i < nr; i++) {
		observe(w, i);
		ok = !w->issue.has_failed;
	}
	free(w ? w->issue.rows : NULL);
	free(w);
	if (!ok) {
		refobserved_free(o);
		return NULL;
	}
	return o;
}

void refobserved_free(struct refobserved *o)
{
	if (!o)
		return;
	free(o->p.out);
	refcycle_close(&o->p);
	free(o->of);
	free(o->flushes);
	free(o->misses);
	free(o);
}

uint64_t refobserved_bound(const struct refobserved *o, size_t i)
{
	uint64_t end = 0;
	for (unsigned b = 0; b < NR_REFBOUNDS; b++)
		if (b != REFBOUND_QUEUE)
			end = later(end, o->of[i].bounds[b]);
	return end;
}

enum refbound refobserved_last_bound(const struct refobserved *o, size_t i, uint64_t c)
{
	unsigned last = NR_REFBOUNDS;
	for (unsigned b = 0; b < NR_REFBOUNDS; b++) {
		uint64_t end = o->of[i].bounds[b];
		if (end > c && (last == NR_REFBOUNDS || end > o->of[i].bounds[last]))
			last = b;
	}
	return (enum refbound)last;
}

bool refobserved_misses(const struct refobserved *o, size_t i)
{
	const struct uop *u = &o->p.uops[i];
	return (is_load(u) || is_store(u)) && u->level != LEVEL_L1 && !o->of[i].forwards;
}

unsigned refobserved_width(const struct core_timing *t)
{
	return t->kind == CORE_IN_ORDER ? t->issue_width : t->dispatch_width;
}
