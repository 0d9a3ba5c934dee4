#include "tests/reference/refpics.h"

#include <stdlib.h>

#include "tests/reference/refobserved.h"
#include "tests/reference/refstacks.h"

enum kind { KIND_FETCH, KIND_ACCESS, KIND_FLUSH, NR_KINDS };

struct walk {
	const struct refobserved *o;
	struct refpics *s;
	uint64_t nr;		 /* cycles, and as many more as an access can last after the last commit */
	size_t *shown[NR_KINDS]; /* [nr]: the uop whose events a cycle shows, or NONE */
	size_t *accesses;	 /* [nr]: the oldest access, or NONE */
};

static size_t instruction_of(const struct walk *w, size_t i)
{
	return w->o->p.links[i].instruction;
}

/* ---- Events ---- */

/* The uops come in program order: what a cycle shows already is older. */
static void show(struct walk *w, enum kind kind, uint64_t c, size_t i, uint32_t flags)
{
	uint64_t *lost[NR_KINDS] = {&w->s->counts.lost_fetch, &w->s->counts.lost_access, &w->s->counts.lost_flush};
	if (flags == 0)
		return;
	size_t *shown = &w->shown[kind][c];
	if (*shown == NONE)
		*shown = i;
	if (instruction_of(w, *shown) == instruction_of(w, i))
		w->s->cycles[c].flags |= flags;
	else
		++*lost[kind];
}

static void show_access(struct walk *w, size_t i, unsigned events)
{
	const struct core_timing *t = w->o->t;
	const struct uop *u = &w->o->p.uops[i];
	uint64_t c = w->o->p.out[i].issue + t->dtlb_cycles[u->tlb] + t->l1d_cycles;
	uint32_t flags = 0;
	if (!is_load(u) && !is_store(u))
		return;
	if (events & SIGNATURE_ST_TLB)
		flags |= 1u << PICS_DTLB;
	if (events & SIGNATURE_ST_L1)
		flags |= 1u << PICS_DCACHE;
	if (events & SIGNATURE_ST_LLC)
		flags |= 1u << PICS_LLC;
	show(w, KIND_ACCESS, c, i, flags);
	if (w->accesses[c] == NONE)
		w->accesses[c] = i;
}

static void show_fetch(struct walk *w, size_t i, unsigned events)
{
	uint32_t flags = 0;
	if (events & SIGNATURE_DR_TLB)
		flags |= 1u << PICS_ITLB;
	if (events & SIGNATURE_DR_L1)
		flags |= 1u << PICS_ICACHE;
	show(w, KIND_FETCH, w->o->p.out[i].fetch, i, flags);
}

static void show_flushes(struct walk *w, size_t i, unsigned events)
{
	const struct uop_stamps *at = &w->o->p.out[i];
	if (events & SIGNATURE_FL_MB)
		show(w, KIND_FLUSH, at->complete, i, 1u << PICS_MISPREDICTED);
	if (events & SIGNATURE_FL_MO)
		show(w, KIND_FLUSH, at->complete, i, 1u << PICS_VIOLATION);
	if (events & SIGNATURE_FL_EX && w->o->p.uops[i].flags & UOP_LAST)
		show(w, KIND_FLUSH, at->commit, i, 1u << PICS_EXCEPTION);
}

static void show_dispatch(struct walk *w, size_t i, unsigned events)
{
	const struct uop_stamps *out = w->o->p.out;
	size_t rob = w->o->is_in_order ? PICS_IN_ORDER_ROB : w->o->t->rob;
	if (events & SIGNATURE_DR_SQ)
		w->s->cycles[later(out[i - 1].commit + 1, refobserved_decoded(w->o, i))].flags |= 1u << PICS_SQ_FULL;
	if (i > 0 && i % rob == 0)
		w->s->cycles[out[i].dispatch].flags |= 1u << PICS_RECYCLE;
}

static void show_events(struct walk *w)
{
	for (size_t i = 0; i < w->o->p.nr; i++) {
		unsigned events = refstacks_events(w->o, i);
		show_fetch(w, i, events);
		show_access(w, i, events);
		show_flushes(w, i, events);
		show_dispatch(w, i, events);
	}
}

/* ---- Levels ---- */

/* The next uops to be fetched, dispatched and committed. */
struct next {
	size_t fetch, dispatch, commit;
};

static void find_next(const struct refobserved *o, uint64_t c, struct next *n)
{
	const struct uop_stamps *out = o->p.out;
	while (n->fetch < o->p.nr && out[n->fetch].fetch < c)
		n->fetch++;
	while (n->dispatch < o->p.nr && out[n->dispatch].dispatch < c)
		n->dispatch++;
	while (n->commit < o->p.nr && out[n->commit].commit < c)
		n->commit++;
}

static void find_levels(const struct walk *w, uint64_t c, const struct next *n)
{
	const struct refobserved *o = w->o;
	const struct uop *uops = o->p.uops;
	const struct uop_stamps *out = o->p.out;
	uint64_t *values = w->s->cycles[c].values;
	size_t access = w->shown[KIND_ACCESS][c] != NONE ? w->shown[KIND_ACCESS][c] : w->accesses[c];
	size_t flush = w->shown[KIND_FLUSH][c];
	/* Older uops have committed, and younger ones are dispatched no earlier. */
	bool is_empty = n->commit == o->p.nr || out[n->commit].dispatch >= c;

	values[PICS_ROB_EMPTY] = is_empty;
	if (n->fetch < o->p.nr)
		values[PICS_FETCH] = uops[n->fetch].pc;
	if (n->dispatch < o->p.nr && out[n->dispatch].fetch < c)
		values[PICS_DISPATCH] = uops[n->dispatch].pc;
	if (access != NONE)
		values[PICS_LSQ] = uops[access].pc;
	else if (c > 0)
		values[PICS_LSQ] = w->s->cycles[c - 1].values[PICS_LSQ];
	if (!is_empty)
		values[PICS_HEAD] = uops[n->commit].pc;
	else if (n->commit > 0)
		values[PICS_HEAD] = uops[n->commit - 1].pc;
	if (flush != NONE)
		values[PICS_FLUSH] = uops[flush].pc;
	else if (c > 0)
		values[PICS_FLUSH] = w->s->cycles[c - 1].values[PICS_FLUSH];
	if (n->commit < o->p.nr && out[n->commit].commit == c)
		values[PICS_COMMIT] = uops[n->commit].pc;
}

static void walk_cycles(struct walk *w)
{
	struct pics_row *cycles = w->s->cycles;
	struct next n = {0};
	for (uint64_t c = 0; c < w->s->counts.cycles; c++) {
		find_next(w->o, c, &n);
		find_levels(w, c, &n);
		cycles[c].cycle = c;
		for (unsigned k = PICS_ROB_EMPTY; k < NR_PICS_SIGNALS; k++)
			if (c == 0 || cycles[c].values[k] != cycles[c - 1].values[k])
				cycles[c].changed |= 1u << k;
		w->s->counts.event_cycles += (cycles[c].flags & PICS_EVENTS) != 0;
	}
}

/* ---- All of it ---- */

static size_t *new_uops(uint64_t nr)
{
	size_t *of = malloc(nr * sizeof(*of));
	for (uint64_t c = 0; of && c < nr; c++)
		of[c] = NONE;
	return of;
}

static bool has_memory(struct walk *w)
{
	bool ok = (w->s->cycles = calloc(w->nr, sizeof(*w->s->cycles))) != NULL;
	for (unsigned kind = 0; kind < NR_KINDS; kind++)
		ok &= (w->shown[kind] = new_uops(w->nr)) != NULL;
	return (w->accesses = new_uops(w->nr)) != NULL && ok;
}

struct refpics *refpics_new(const struct core_timing *t, const struct uop *uops, size_t nr,
			    const struct uop_prefetch *prefetches, const struct uop_stamps *stamps)
{
	struct refobserved *o = refobserved_new(t, uops, nr, prefetches, stamps);
	struct refpics *s = calloc(1, sizeof(*s));
	struct walk w = {.o = o, .s = s};
	bool ok = o && s;
	if (ok) {
		s->counts.cycles = o->nr_cycles;
		w.nr = o->nr_cycles + 2 * MAX_LATENCY + 1;
		ok = has_memory(&w);
	}
	if (ok) {
		show_events(&w);
		walk_cycles(&w);
	}
	for (unsigned kind = 0; kind < NR_KINDS; kind++)
		free(w.shown[kind]);
	free(w.accesses);
	refobserved_free(o);
	if (!ok) {
		refpics_free(s);
		return NULL;
	}
	return s;
}

void refpics_free(struct refpics *s)
{
	if (!s)
		return;
	free(s->cycles);
	free(s);
}

bool refpics_has_row(const struct refpics *s, uint64_t c)
{
	const struct pics_row *row = &s->cycles[c];
	return c == 0 || c + 1 == s->counts.cycles || row->flags != 0 || row->changed != 0;
}
