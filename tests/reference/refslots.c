#include "tests/reference/refslots.h"

#include <assert.h>
#include <stdlib.h>

#include "tests/reference/refobserved.h"

struct maker {
	const struct refobserved *o;
	struct refslots *s;
	uint16_t (*busy)[MAX_UNIT_GROUPS]; /* [nr_cycles]: units */
};

/* ---- Backend: rule 3 ---- */

static unsigned group_of(const struct maker *m, size_t i)
{
	return m->o->t->group[m->o->p.uops[i].class];
}

static bool has_free_unit(const struct maker *m, size_t i, uint64_t c)
{
	unsigned group = group_of(m, i);
	return m->busy[c][group] < m->o->t->groups[group].units;
}

/* The oldest uop with C >= c. */
static size_t head(const struct maker *m, uint64_t c)
{
	size_t i = 0;
	while (m->o->p.out[i].commit < c)
		i++;
	return i;
}

/* The oldest uop with E >= c of the queue of uop i. */
static size_t first_in_queue(const struct maker *m, size_t i, uint64_t c)
{
	const struct core_timing *t = m->o->t;
	unsigned queue = t->groups[group_of(m, i)].queue;
	size_t j = 0;
	while (t->groups[group_of(m, j)].queue != queue || m->o->p.out[j].issue < c)
		j++;
	assert(j < i);
	return j;
}

/* The producer that uop i waits for in cycle c; without one, uop i. */
static size_t producer_of(const struct maker *m, size_t i, uint64_t c)
{
	size_t producer = i;
	uint64_t last = c;
	for (unsigned n = 0; n < MAX_SOURCES; n++) {
		size_t writer = m->o->p.links[i].writer[n];
		if (writer == NONE || m->o->p.out[writer].complete <= last)
			continue;
		last = m->o->p.out[writer].complete;
		producer = writer;
	}
	return producer;
}

/* MemBound's child of uop i; NR_REFSLOTS: it is not MemBound. */
static enum refslot memory_slot(const struct maker *m, size_t i, uint64_t c)
{
	static const enum refslot of_level[] = {REFSLOT_L1, REFSLOT_L2, REFSLOT_LLC, REFSLOT_MEMORY};
	const struct refobserved_uop *f = &m->o->of[i];
	const struct uop *u = &m->o->p.uops[i];
	if (m->o->p.out[i].issue > c || f->forwards)
		return NR_REFSLOTS;
	if (u->level != LEVEL_L1)
		return of_level[u->level];
	if (u->tlb != TLB_HIT)
		return REFSLOT_TLB;
	return f->hits_on_its_way ? REFSLOT_L1 : NR_REFSLOTS;
}

/* Steps 3 to 5: everything waits for uop i, which waits for an operand or not. */
static enum refslot slot_of_uop(const struct maker *m, size_t i, uint64_t c, bool waits, bool blocks)
{
	size_t found = waits ? producer_of(m, i, c) : i;
	enum refslot slot = NR_REFSLOTS;
	if (is_load(&m->o->p.uops[found]) || blocks)
		slot = memory_slot(m, found, c);
	if (slot != NR_REFSLOTS)
		return slot;
	if (waits)
		return REFSLOT_DEPENDENCE;
	if (c < m->o->p.out[i].issue && has_free_unit(m, i, c))
		return REFSLOT_QUEUE;
	return REFSLOT_UNIT + group_of(m, i);
}

/* Uop i could be there, or a resource of it is not free. */
static enum refslot backend(const struct maker *m, size_t i, uint64_t c)
{
	const struct refobserved *o = m->o;
	size_t for_uop = i;
	enum refbound bound = refobserved_last_bound(o, i, c);
	switch (bound) {
	case REFBOUND_STORE_QUEUE:
		return REFSLOT_STORE;
	case REFBOUND_SERIAL:
		return REFSLOT_SERIAL;
	case REFBOUND_ROB:
	case REFBOUND_REGISTERS:
	case REFBOUND_LOAD_QUEUE:
		for_uop = head(m, c);
		break;
	case REFBOUND_QUEUE:
		for_uop = first_in_queue(m, i, c);
		break;
	case REFBOUND_BLOCKED:
		for_uop = o->of[i].blocker;
		break;
	default:
		assert(o->is_in_order && bound != NR_REFBOUNDS);
		break;
	}
	bool waits = o->is_in_order ? bound == REFBOUND_OPERAND : c < o->p.out[for_uop].ready;
	return slot_of_uop(m, for_uop, c, waits, bound == REFBOUND_BLOCKED);
}

static enum refslot after_last(const struct maker *m, uint64_t c)
{
	size_t i = head(m, c);
	return slot_of_uop(m, i, c, c < m->o->p.out[i].ready, false);
}

/* ---- Rules 2 and 4 ---- */

/* The last flush of the instruction before uop i; NULL: there is none, or i is a later uop of its
 * instruction. */
static const struct refobserved_flush *flush_before(const struct refobserved *o, size_t i)
{
	const struct refobserved_flush *last = NULL;
	for (size_t n = 0; n < o->nr_flushes && o->p.uops[i].flags & UOP_FIRST; n++) {
		const struct refobserved_flush *f = &o->flushes[n];
		if (o->p.links[f->uop].instruction + 1 == o->p.links[i].instruction && (!last || f->at >= last->at))
			last = f;
	}
	return last;
}

static enum refslot bad_speculation(const struct refobserved_flush *f, uint64_t c)
{
	if (f->why == REFFLUSH_MISPREDICTION)
		return c <= f->at ? REFSLOT_MISPREDICT_RESTEER : REFSLOT_MISPREDICT_RECOVERY;
	return c <= f->at ? REFSLOT_CLEAR_RESTEER : REFSLOT_CLEAR_RECOVERY;
}

static enum refslot frontend(const struct refobserved *o, size_t i, uint64_t c)
{
	const struct refobserved_uop *f = &o->of[i];
	uint64_t decoded = refobserved_decoded(o, i);
	if (c >= decoded - f->line)
		return REFSLOT_FETCH_LINE;
	if (c >= decoded - f->line - f->tlb)
		return REFSLOT_FETCH_TLB;
	if (c >= decoded - f->line - f->tlb - f->btb)
		return REFSLOT_FETCH_BTB;
	return REFSLOT_FETCH_BANDWIDTH;
}

/* ---- All of them ---- */

/* The cause of the slots of cycle c that no uop takes; i is the first uop after it. */
static enum refslot slot_of_gap(struct maker *m, size_t i, uint64_t c)
{
	const struct refobserved *o = m->o;
	if (i == o->p.nr)
		return after_last(m, c);
	uint64_t decoded = refobserved_decoded(o, i), of_fetch = o->of[i].line + o->of[i].tlb;
	const struct refobserved_flush *f = flush_before(o, i);
	if (f && c < decoded - of_fetch)
		return bad_speculation(f, c);
	if (f && c < decoded) {
		m->s->is_after_flush[c] = true;
		return frontend(o, i, c);
	}
	if (i > 0 && (c >= decoded || c < refobserved_bound(o, i)))
		return backend(m, i, c);
	return frontend(o, i, c);
}

static void make(struct maker *m)
{
	const struct refobserved *o = m->o;
	struct refslots *s = m->s;
	for (size_t i = 0; i < o->p.nr; i++) {
		const struct uop *u = &o->p.uops[i];
		bool is_pipelined = o->t->groups[group_of(m, i)].is_pipelined;
		uint64_t end = o->p.out[i].issue + (is_pipelined ? 1u : o->t->latency[u->class]);
		for (uint64_t c = o->p.out[i].issue; c < end && c < s->nr_cycles; c++)
			m->busy[c][group_of(m, i)]++;
	}
	size_t i = 0;
	for (uint64_t c = 0; c < s->nr_cycles; c++) {
		unsigned nr = 0;
		for (; i < o->p.nr && refobserved_taken(o, i) == c; i++)
			nr++;
		assert(nr <= s->width);
		enum refslot others = nr < s->width ? slot_of_gap(m, i, c) : REFSLOT_RETIRING;
		for (unsigned lane = 0; lane < s->width; lane++) {
			enum refslot slot = lane < nr ? REFSLOT_RETIRING : others;
			s->slots[c * s->width + lane] = (uint8_t)slot;
			s->totals[slot]++;
		}
	}
}

struct refslots *refslots_new(const struct core_timing *t, const struct uop *uops, size_t nr,
			      const struct uop_prefetch *prefetches, const struct uop_stamps *stamps)
{
	struct refobserved *o = refobserved_new(t, uops, nr, prefetches, stamps);
	struct refslots *s = calloc(1, sizeof(*s));
	struct maker m = {.o = o, .s = s};
	bool ok = o && s;
	if (ok) {
		s->nr_cycles = o->nr_cycles;
		s->width = refobserved_width(t);
		s->slots = calloc(s->nr_cycles * s->width + 1, sizeof(*s->slots));
		s->is_after_flush = calloc(s->nr_cycles + 1, sizeof(*s->is_after_flush));
		m.busy = calloc(s->nr_cycles + 1, sizeof(*m.busy));
		ok = s->slots && s->is_after_flush && m.busy;
	}
	if (ok)
		make(&m);
	free(m.busy);
	refobserved_free(o);
	if (!ok) {
		refslots_free(s);
		return NULL;
	}
	return s;
}

void refslots_free(struct refslots *s)
{
	if (!s)
		return;
	free(s->slots);
	free(s->is_after_flush);
	free(s);
}
