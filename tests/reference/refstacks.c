#include "tests/reference/refstacks.h"

#include <stdlib.h>

#include "tests/reference/refobserved.h"

/* ---- Signatures ---- */

/* Rule 3.2 or 4.2: the store queue's bound is larger than all others, and nothing older is in the ROB before it ends.
 */
static bool waits_for_store_queue(const struct refobserved *o, size_t i)
{
	const uint64_t *bounds = o->of[i].bounds, end = bounds[REFBOUND_STORE_QUEUE];
	if (!is_store(&o->p.uops[i]) || end == 0 || refobserved_decoded(o, i) >= end || bounds[REFBOUND_SERIAL] >= end)
		return false;
	if (o->p.out[i - 1].dispatch >= end || o->p.out[i - 1].commit >= end - 1)
		return false;
	for (unsigned b = 0; b <= REFBOUND_QUEUE && !o->is_in_order; b++)
		if (b != REFBOUND_STORE_QUEUE && bounds[b] >= end)
			return false;
	return true;
}

static unsigned events_of_access(const struct refobserved *o, size_t i)
{
	const struct uop *u = &o->p.uops[i];
	const struct refobserved_uop *f = &o->of[i];
	bool misses = u->level != LEVEL_L1 && !f->forwards;
	bool is_atomic_store = is_store(u) && u->destination != NO_REGISTER;
	unsigned events = 0;
	if (!is_load(u) && !is_store(u))
		return 0;
	if (u->tlb != TLB_HIT)
		events |= SIGNATURE_ST_TLB;
	if ((is_load(u) && (misses || f->hits_on_its_way)) || (is_atomic_store && misses))
		events |= SIGNATURE_ST_L1;
	if (is_load(u) && misses && u->level == LEVEL_MEMORY)
		events |= SIGNATURE_ST_LLC;
	return events;
}

unsigned refstacks_events(const struct refobserved *o, size_t i)
{
	const struct uop *u = &o->p.uops[i];
	unsigned events = events_of_access(o, i);
	if (u->flags & UOP_FIRST && u->fetch_lines > 0) {
		if (u->fetch_level != LEVEL_L1 || o->of[i].line_on_its_way)
			events |= SIGNATURE_DR_L1;
		if (u->fetch_tlb != TLB_HIT)
			events |= SIGNATURE_DR_TLB;
	}
	if (waits_for_store_queue(o, i))
		events |= SIGNATURE_DR_SQ;
	if (u->flags & UOP_MISPREDICTED)
		events |= SIGNATURE_FL_MB;
	if (is_serializing(o->t, u))
		events |= SIGNATURE_FL_EX;
	if (o->of[i].violates)
		events |= SIGNATURE_FL_MO;
	return events;
}

static void sign(const struct refobserved *o, struct refstacks *s)
{
	for (size_t k = 0; k < o->p.nr_instructions; k++) {
		unsigned events = 0;
		for (size_t i = o->p.first[k]; i < o->p.first[k + 1]; i++)
			events |= refstacks_events(o, i);
		for (size_t i = o->p.first[k]; i < o->p.first[k + 1]; i++)
			s->signatures[i] = (uint16_t)events;
	}
}

/* ---- Instructions ---- */

static int by_key(const void *a, const void *b)
{
	const struct refstacks_cell *x = a, *y = b;
	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return (x->signature > y->signature) - (x->signature < y->signature);
}

static void find_cells(struct refstacks *s)
{
	size_t nr = 0;
	for (size_t i = 0; i < s->nr; i++)
		s->cells[i] = (struct refstacks_cell){.pc = s->uops[i].pc, .signature = s->signatures[i]};
	qsort(s->cells, s->nr, sizeof(*s->cells), by_key);
	for (size_t i = 0; i < s->nr; i++)
		if (i == 0 || by_key(&s->cells[i], &s->cells[nr - 1]) != 0)
			s->cells[nr++] = s->cells[i];
	s->nr_cells = nr;
	for (size_t i = 0; i < s->nr; i++) {
		const struct refstacks_cell key = {.pc = s->uops[i].pc, .signature = s->signatures[i]};
		struct refstacks_cell *cell = bsearch(&key, s->cells, nr, sizeof(*cell), by_key);
		s->cell[i] = (size_t)(cell - s->cells);
		cell->executions += s->uops[i].flags & UOP_FIRST ? 1 : 0;
		s->nr_instructions += s->uops[i].flags & UOP_FIRST ? 1 : 0;
	}
}

/* ---- Cycles ---- */

/* Whom cycle c is charged to; i is the next uop to commit. */
static struct refstacks_cycle charged(const struct refstacks *s, size_t i, uint64_t c)
{
	unsigned nr = 0;
	while (i + nr < s->nr && s->stamps[i + nr].commit == c)
		nr++;
	if (nr > 0)
		return (struct refstacks_cycle){STATE_COMPUTE, nr, i};
	if (c > s->stamps[i].dispatch)
		return (struct refstacks_cycle){STATE_STALLED, 1, i};
	if (i > 0 && s->uops[i - 1].flags & UOP_LAST && s->signatures[i - 1] & SIGNATURE_FLUSHES)
		return (struct refstacks_cycle){STATE_FLUSHED, 1, i - 1};
	return (struct refstacks_cycle){STATE_DRAINED, 1, i};
}

static void walk(struct refstacks *s)
{
	size_t i = 0;
	for (uint64_t c = 0; c < s->nr_cycles; c++) {
		while (s->stamps[i].commit < c)
			i++;
		struct refstacks_cycle charge = s->cycles[c] = charged(s, i, c);
		s->states[charge.state] += s->units;
		for (unsigned n = 0; n < charge.nr; n++)
			s->cells[s->cell[charge.first + n]].cycles += s->units / charge.nr;
		if (charge.state == STATE_STALLED)
			s->stalled[charge.first]++;
	}
}

static void find_wrong_paths(const struct refobserved *o, struct refstacks *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct uop_stamps *at = &s->stamps[i];
		if (!(o->p.uops[i].flags & UOP_MISPREDICTED))
			continue;
		for (uint64_t c = at->dispatch + 1; c <= at->complete && c < s->nr_cycles; c++)
			s->no_dispatch[c] = true;
		for (uint64_t c = at->fetch + 1; c <= at->complete && c < s->nr_cycles; c++)
			s->no_fetch[c] = true;
	}
}

/* ---- All of it ---- */

/* The least common multiple of 1 to `width`. */
static unsigned units_of(unsigned width)
{
	unsigned units = 1;
	for (unsigned n = 2; n <= width; n++) {
		unsigned before = units;
		while (units % n != 0)
			units += before;
	}
	return units;
}

static bool has_memory(struct refstacks *s)
{
	s->signatures = calloc(s->nr + 1, sizeof(*s->signatures));
	s->cells = calloc(s->nr + 1, sizeof(*s->cells));
	s->cell = calloc(s->nr + 1, sizeof(*s->cell));
	s->stalled = calloc(s->nr + 1, sizeof(*s->stalled));
	s->cycles = calloc(s->nr_cycles + 1, sizeof(*s->cycles));
	s->no_dispatch = calloc(s->nr_cycles + 1, sizeof(*s->no_dispatch));
	s->no_fetch = calloc(s->nr_cycles + 1, sizeof(*s->no_fetch));
	return s->signatures && s->cells && s->cell && s->stalled && s->cycles && s->no_dispatch && s->no_fetch;
}

struct refstacks *refstacks_new(const struct core_timing *t, const struct uop *uops, size_t nr,
				const struct uop_prefetch *prefetches, const struct uop_stamps *stamps)
{
	struct refobserved *o = refobserved_new(t, uops, nr, prefetches, stamps);
	struct refstacks *s = calloc(1, sizeof(*s));
	bool ok = o && s;
	if (ok) {
		*s = (struct refstacks){.nr = nr, .uops = uops, .stamps = stamps, .nr_cycles = o->nr_cycles};
		s->units = units_of(t->commit_width);
		ok = has_memory(s);
	}
	if (ok) {
		sign(o, s);
		find_cells(s);
		walk(s);
		find_wrong_paths(o, s);
	}
	refobserved_free(o);
	if (!ok) {
		refstacks_free(s);
		return NULL;
	}
	return s;
}

void refstacks_free(struct refstacks *s)
{
	if (!s)
		return;
	free(s->signatures);
	free(s->cells);
	free(s->cell);
	free(s->stalled);
	free(s->cycles);
	free(s->no_dispatch);
	free(s->no_fetch);
	free(s);
}

/* ---- Samples ---- */

/* One that samples by tagging a uop. */
struct tagger {
	const struct refstacks *s;
	uint64_t period;
	bool is_fetch;
	bool has_tagged;
	uint64_t until; /* the cycle in which the tagged uop commits */
	size_t next;	/* no uop before it can be tagged any more */
};

/* The cycle in which the instruction of uop i commits. */
static uint64_t last_commit(const struct refstacks *s, size_t i)
{
	while (!(s->uops[i].flags & UOP_LAST))
		i++;
	return s->stamps[i].commit;
}

static enum refsample_fate tag(struct tagger *g, uint64_t c, size_t *uop)
{
	const struct refstacks *s = g->s;
	if (g->has_tagged && g->period > 1 && g->until >= c)
		return REFSAMPLE_SKIPPED;
	while (g->next < s->nr && (g->is_fetch ? s->stamps[g->next].fetch : s->stamps[g->next].dispatch) < c)
		g->next++;
	if (g->next == s->nr)
		return REFSAMPLE_LATE;
	if (g->is_fetch ? s->no_fetch[c] : s->no_dispatch[c])
		return REFSAMPLE_WRONG_PATH;
	*uop = g->next;
	g->has_tagged = true;
	g->until = g->is_fetch ? last_commit(s, g->next) : s->stamps[g->next].commit;
	return REFSAMPLE_TAKEN;
}

struct refsample *refstacks_sample(const struct refstacks *s, const struct stack_sampling *sampling, size_t *nr)
{
	size_t room = s->nr_cycles / sampling->period + 2, next = 0;
	struct refsample *samples = calloc(room, sizeof(*samples));
	struct tagger dispatch = {.s = s, .period = sampling->period}, fetch = dispatch;
	fetch.is_fetch = true;
	*nr = 0;
	for (uint64_t k = 0; samples && stack_sampling_cycle(sampling, k) < s->nr_cycles; k++) {
		struct refsample *sample = &samples[(*nr)++];
		sample->cycle = stack_sampling_cycle(sampling, k);
		while (s->stamps[next].commit < sample->cycle)
			next++;
		sample->next = next;
		sample->dispatch.fate = tag(&dispatch, sample->cycle, &sample->dispatch.uop);
		sample->fetch.fate = tag(&fetch, sample->cycle, &sample->fetch.uop);
	}
	return samples;
}
