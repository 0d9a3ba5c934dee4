#include "tests/reference/refcycle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/reference/refcycle_internal.h"

/* How many entries a uop adds to the rings by prefetches into L1I and L1D. */
static size_t nr_prefetches_into(const struct refcycle_program *p, size_t i, unsigned target)
{
	size_t nr = 0;
	for (unsigned k = 0; k < p->uops[i].nr_prefetches; k++)
		nr += p->prefetches[p->links[i].prefetch + k].target == target &&
		      p->prefetches[p->links[i].prefetch + k].level != LEVEL_L1;
	return nr;
}

/* The n-th last of `nr` things; NONE where n is 0, or the thing is older than the program. */
static size_t nth_last(size_t nr, size_t n)
{
	return n == 0 || n > nr ? NONE : nr - n;
}

/* Who wrote what each uop reads, and which entries of the rings are whose: this depends on no time. */
static void link_program(struct refcycle_program *p, const uint8_t *predictions)
{
	size_t writer[NR_UOP_REGISTERS], nr_prefetches = 0;
	for (size_t r = 0; r < NR_UOP_REGISTERS; r++)
		writer[r] = NONE;
	for (size_t i = 0; i < p->nr; i++) {
		const struct uop *u = &p->uops[i];
		struct refcycle_link *l = &p->links[i];
		if (u->flags & UOP_FIRST)
			p->first[p->nr_instructions++] = i;
		l->instruction = p->nr_instructions - 1;
		for (size_t s = 0; s < MAX_SOURCES; s++)
			l->writer[s] = u->source[s] == NO_REGISTER ? NONE : writer[u->source[s]];
		if (is_load(u) && u->destination != NO_REGISTER) {
			enum refcycle_prediction made = predictions ? predictions[i] : REFCYCLE_NONE;
			l->is_right = core_is_ideal(p->t, IDEAL_VALUE_PREDICTION) || made == REFCYCLE_RIGHT;
			l->is_wrong = !l->is_right && made == REFCYCLE_WRONG;
		}
		if (u->destination != NO_REGISTER)
			writer[u->destination] = l->is_right ? NONE : i;

		size_t store = is_load(u) ? nth_last(p->nr_stores, u->forward) : NONE;
		l->store = store == NONE ? NONE : p->stores[store];
		l->nr_stores = p->nr_stores;
		if (is_store(u))
			p->stores[p->nr_stores++] = i;

		l->prefetch = nr_prefetches;
		nr_prefetches += u->nr_prefetches;
		l->l1i = p->nr_l1i;
		l->l1i_named = nth_last(p->nr_l1i, u->fetch_fill);
		p->nr_l1i += (u->fetch_level == LEVEL_L1 ? 0 : u->fetch_fills) + nr_prefetches_into(p, i, PREFETCH_L1I);
		l->l1d = p->nr_l1d;
		l->l1d_named = nth_last(p->nr_l1d, u->fill);
		p->nr_l1d += nr_demand_fills(u) + nr_prefetches_into(p, i, PREFETCH_L1D);
	}
	p->first[p->nr_instructions] = p->nr;
}

void refcycle_reset(struct refcycle_program *p)
{
	/* UNKNOWN is all ones. */
	memset(p->out, 0xff, p->nr * sizeof(*p->out));
	memset(p->l1i, 0xff, p->nr_l1i * sizeof(*p->l1i));
	memset(p->l1d, 0xff, p->nr_l1d * sizeof(*p->l1d));
	p->held = (struct refcycle_held){0};
}

void refcycle_fetch(struct refcycle_program *p, size_t k, uint64_t start, struct refcycle_seen *seen)
{
	const struct core_timing *t = p->t;
	const struct uop *u = &p->uops[p->first[k]];
	const struct refcycle_link *l = &p->links[p->first[k]];
	uint64_t at = start;
	if (u->fetch_lines > 0) {
		at += t->icache_cycles[u->fetch_level] + (uint64_t)t->itlb_cycles[u->fetch_tlb];
		if (l->l1i_named != NONE)
			at = later(at, p->l1i[l->l1i_named]);
	}
	for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
		size_t entry = p->links[i].l1i;
		p->out[i].fetch = at;
		if (i == p->first[k] && u->fetch_level != LEVEL_L1)
			for (unsigned n = 0; n < u->fetch_fills; n++)
				p->l1i[entry++] = at;
		for (unsigned n = 0; n < p->uops[i].nr_prefetches; n++) {
			const struct uop_prefetch *f = &p->prefetches[p->links[i].prefetch + n];
			if (f->target != PREFETCH_L1I)
				continue;
			p->l1i[entry++] = at + t->icache_cycles[f->level];
			seen->prefetches++;
		}
	}
}

uint64_t refcycle_next_fetch(const struct refcycle_program *p, size_t k)
{
	uint64_t last = p->out[p->first[k]].fetch, at = last;
	size_t together = 1;
	while (together <= k && p->out[p->first[k - together]].fetch == last)
		together++;
	if (together >= p->t->fetch_width)
		at = last + 1;
	for (size_t i = p->first[k]; i < p->first[k + 1]; i++)
		if (p->uops[i].flags & UOP_BRANCH && p->uops[i].flags & UOP_TAKEN)
			at = later(at, last + 1 + (p->uops[i].flags & UOP_BTB_MISS ? p->t->btb_miss_cycles : 0));
	return at;
}

void refcycle_enter_fill(struct refcycle_program *p, size_t i, uint64_t fill)
{
	for (size_t n = 0; n < nr_demand_fills(&p->uops[i]); n++)
		p->l1d[p->links[i].l1d + n] = fill;
}

/* Whether a unit or the bus is taken for several cycles, or a prefetch instruction takes a slot. Program order then
 * decides who gets it, even where a younger uop comes first, so that cores which only know the cycle that they are in
 * cannot follow. */
static bool plans_ahead(const struct refcycle_program *p)
{
	const struct core_timing *t = p->t;
	for (size_t i = 0; i < p->nr; i++) {
		const struct uop *u = &p->uops[i];
		if (!t->groups[t->group[u->class]].is_pipelined && t->latency[u->class] > 1)
			return true;
		for (size_t k = 0; k < u->nr_prefetches; k++)
			if (p->prefetches[p->links[i].prefetch + k].is_soft)
				return true;
		if (t->line_cycles == 0)
			continue;
		if ((is_load(u) || is_store(u)) && u->level == LEVEL_MEMORY)
			return true;
		for (size_t k = 0; k < u->nr_prefetches; k++) {
			const struct uop_prefetch *f = &p->prefetches[p->links[i].prefetch + k];
			if (!f->is_code && f->level == LEVEL_MEMORY)
				return true;
		}
	}
	return false;
}

static void add(struct refcycle_seen *sum, const struct refcycle_seen *part)
{
	size_t *to = (size_t *)sum;
	const size_t *from = (const size_t *)part;
	for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += from[i];
}

static bool run(struct refcycle_program *p, struct refcycle_seen *seen)
{
	struct refcycle_seen stepped = {0};
	bool exact;
	if (p->t->kind == CORE_IN_ORDER || plans_ahead(p))
		return refcycle_order(p, seen);
	if (!refcycle_step(p, &stepped, &exact))
		return false;
	if (!exact) {
		seen->inexact++;
		return refcycle_order(p, seen);
	}
	stepped.stepped = 1;
	stepped.stepped_uops = p->nr;
	add(seen, &stepped);
	return true;
}

/* Cycles from `first` through `last`. */
static uint64_t through(uint64_t first, uint64_t last)
{
	return last - first + 1;
}

/* What each uop holds, besides MSHRs. An in-order core has only a store buffer. */
static void count_held(struct refcycle_program *p)
{
	const struct core_timing *t = p->t;
	for (size_t i = 0; i < p->nr; i++) {
		const struct uop *u = &p->uops[i];
		const struct uop_stamps *s = &p->out[i];
		if (is_store(u))
			p->held.store_queue += through(s->dispatch, s->drain);
		if (t->kind == CORE_IN_ORDER)
			continue;
		p->held.rob += through(s->dispatch, s->commit);
		p->held.queues[t->groups[t->group[u->class]].queue] += through(s->dispatch, s->issue);
		if (is_load(u))
			p->held.load_queue += through(s->dispatch, s->commit);
	}
}

/* With ideal parts of the core, the program is another one: without mispredictions, or with accesses that all hit L1D.
 * Prefetches into L1D then go to L2, where they take neither a place in the ring nor time. */
static void idealize(const struct core_timing *t, struct uop *uops, size_t nr, struct uop_prefetch *prefetches)
{
	for (size_t i = 0; i < nr; i++) {
		struct uop *u = &uops[i];
		if (core_is_ideal(t, IDEAL_BRANCH))
			u->flags &= (uint8_t)~UOP_MISPREDICTED;
		for (unsigned k = 0; k < u->nr_prefetches; k++, prefetches++)
			if (core_is_ideal(t, IDEAL_L1D) && prefetches->target == PREFETCH_L1D)
				prefetches->target = PREFETCH_L2;
		if (!core_is_ideal(t, IDEAL_L1D) || (!is_load(u) && !is_store(u)))
			continue;
		u->level = LEVEL_L1;
		u->fill = 0;
		u->fills = 0;
		u->releases = false;
	}
}

static bool link_own(struct refcycle_program *p, const uint8_t *predictions)
{
	size_t nr_l1i = 1, nr_l1d = 1;
	for (size_t i = 0; i < p->nr; i++) {
		nr_l1i += (size_t)p->uops[i].fetch_fills + p->uops[i].nr_prefetches;
		nr_l1d += (size_t)p->uops[i].fills + p->uops[i].nr_prefetches;
	}
	p->links = calloc(p->nr + 1, sizeof(*p->links));
	p->first = calloc(p->nr + 1, sizeof(*p->first));
	p->stores = calloc(p->nr + 1, sizeof(*p->stores));
	p->l1i = calloc(nr_l1i, sizeof(*p->l1i));
	p->l1d = calloc(nr_l1d, sizeof(*p->l1d));
	if (!p->links || !p->first || !p->stores || !p->l1i || !p->l1d)
		return false;
	link_program(p, predictions);
	return true;
}

bool refcycle_open(struct refcycle_program *p, const struct core_timing *t, const struct uop *uops, size_t nr,
		   const struct uop_prefetch *prefetches, const uint8_t *predictions)
{
	size_t nr_prefetches = 0;
	for (size_t i = 0; i < nr; i++)
		nr_prefetches += uops[i].nr_prefetches;
	*p = (struct refcycle_program){.t = t, .nr = nr};
	p->uops = malloc((nr + 1) * sizeof(*p->uops));
	p->prefetches = malloc((nr_prefetches + 1) * sizeof(*p->prefetches));
	if (!p->uops || !p->prefetches)
		return false;
	memcpy(p->uops, uops, nr * sizeof(*uops));
	memcpy(p->prefetches, prefetches, nr_prefetches * sizeof(*prefetches));
	idealize(t, p->uops, nr, p->prefetches);
	return link_own(p, predictions);
}

void refcycle_close(struct refcycle_program *p)
{
	free(p->uops);
	free(p->prefetches);
	free(p->links);
	free(p->first);
	free(p->stores);
	free(p->l1i);
	free(p->l1d);
}

bool refcycle_run(const struct core_timing *t, const struct uop *uops, size_t nr, const struct uop_prefetch *prefetches,
		  struct uop_stamps *out, struct refcycle_held *held, struct refcycle_seen *seen)
{
	return refcycle_run_predicted(t, uops, nr, prefetches, NULL, out, held, seen);
}

bool refcycle_run_predicted(const struct core_timing *t, const struct uop *uops, size_t nr,
			    const struct uop_prefetch *prefetches, const uint8_t *predictions, struct uop_stamps *out,
			    struct refcycle_held *held, struct refcycle_seen *seen)
{
	struct refcycle_program p;
	bool ok = refcycle_open(&p, t, uops, nr, prefetches, predictions);
	p.out = out;
	ok = ok && run(&p, seen);
	if (ok)
		count_held(&p);
	for (size_t i = 0; ok && i < nr; i++) {
		seen->predicted += p.links[i].is_right;
		seen->wrong += p.links[i].is_wrong;
	}
	*held = p.held;
	refcycle_close(&p);
	return ok;
}
