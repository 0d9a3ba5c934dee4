#include "tests/reference/refpredictor.h"

#include <stdlib.h>
#include <string.h>

/* Counters of every kind are kept by what finds them. */
struct cell {
	uint64_t table, index;
	int value;
};

struct match { /* an entry of a tagged table */
	uint64_t table, index, tag;
	int counter, useful;
};

struct loop {
	uint64_t set, way, tag;
	int limit, count, confidence, age;
	bool direction, exists;
};

/* The largest number of new ones a branch. */
#define NEW_CELLS (1 + MAX_CORRECTOR_TABLES)
#define NEW_LOOPS 4 /* a set */

struct refpredictor {
	struct predictor_spec spec;
	uint32_t nr_outcomes, nr_cells, nr_matches, nr_loops;
	bool *outcomes; /* the first branch's first */
	struct cell *cells;
	struct match *matches;
	struct loop *loops;
	int trust_in_others, missed, loop_trust, threshold, steps, trusts[3];
};

struct refpredictor *refpredictor_new(const struct predictor_spec *spec, uint32_t nr_branches)
{
	struct refpredictor *r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->spec = *spec;
	r->threshold = 35;
	r->outcomes = calloc(nr_branches, sizeof(*r->outcomes));
	r->cells = calloc((size_t)nr_branches * NEW_CELLS, sizeof(*r->cells));
	r->matches = calloc(nr_branches, sizeof(*r->matches));
	r->loops = calloc((size_t)nr_branches * NEW_LOOPS, sizeof(*r->loops));
	if (r->outcomes && r->cells && r->matches && r->loops)
		return r;
	refpredictor_free(r);
	return NULL;
}

void refpredictor_free(struct refpredictor *r)
{
	if (!r)
		return;
	free(r->outcomes);
	free(r->cells);
	free(r->matches);
	free(r->loops);
	free(r);
}

/* ---- Hashes, which the specification of a predictor includes ---- */

static uint64_t spread(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ (x >> 32);
}

/* Outcomes `from` to `to` - 1 branches ago, as a number whose bit 0 is the newest. */
static uint64_t recent(const struct refpredictor *r, unsigned from, unsigned to)
{
	uint64_t bits = 0;
	for (unsigned ago = from; ago < to; ago++)
		if (ago < r->nr_outcomes && r->outcomes[r->nr_outcomes - 1 - ago])
			bits |= UINT64_C(1) << (ago - from);
	return bits;
}

/* Of a branch in a tagged table: whole words of history are hashed one after the other, the last one, which may be a
 * part, with a factor of the table. */
static uint64_t tage_hash(const struct refpredictor *r, uint64_t place, unsigned table)
{
	unsigned from = 0, all = r->spec.tables[table].history_bits;
	uint64_t hash = spread(place);
	for (; all - from > 64; from += 64)
		hash = spread(hash ^ recent(r, from, from + 64));
	hash = (hash ^ recent(r, from, all)) * (spread(table + 1) | 1);
	hash ^= hash >> 29;
	return hash * UINT64_C(0xbf58476d1ce4e5b9);
}

/* ---- Entries ---- */

static uint64_t low(uint64_t x, unsigned bits)
{
	return x % (UINT64_C(1) << bits);
}

/* The counter in this place, which begins with `first`. */
static int *cell(struct refpredictor *r, uint64_t table, uint64_t index, int first)
{
	for (uint32_t i = 0; i < r->nr_cells; i++)
		if (r->cells[i].table == table && r->cells[i].index == index)
			return &r->cells[i].value;
	r->cells[r->nr_cells] = (struct cell){table, index, first};
	return &r->cells[r->nr_cells++].value;
}

/* The entry in the branch's place of a table, whatever its tag; NULL if nothing was ever put there. */
static struct match *at_place(struct refpredictor *r, uint64_t place, unsigned table)
{
	uint64_t index = low(tage_hash(r, place, table) >> 40, r->spec.tables[table].entries_bits);
	for (uint32_t i = 0; i < r->nr_matches; i++)
		if (r->matches[i].table == table && r->matches[i].index == index)
			return &r->matches[i];
	return NULL;
}

static uint64_t tag_of(const struct refpredictor *r, uint64_t place, unsigned table)
{
	uint64_t tag = low(tage_hash(r, place, table) >> 24, r->spec.tables[table].tag_bits);
	return tag == 0 ? 1 : tag;
}

static void put(struct refpredictor *r, uint64_t place, unsigned table, bool taken)
{
	struct match *m = at_place(r, place, table);
	if (!m)
		m = &r->matches[r->nr_matches++];
	m->table = table;
	m->index = low(tage_hash(r, place, table) >> 40, r->spec.tables[table].entries_bits);
	m->tag = tag_of(r, place, table);
	m->counter = taken ? 0 : -1;
	m->useful = 0;
}

static void step(int *counter, bool up, int min, int max)
{
	*counter += up ? 1 : -1;
	*counter = *counter < min ? min : *counter > max ? max : *counter;
}

/* ---- TAGE ---- */

static void make_entry(struct refpredictor *r, uint64_t place, unsigned from, bool taken)
{
	unsigned vacant[MAX_TAGE_TABLES], nr = 0;
	bool skips = ++r->missed % 4 == 0;
	for (unsigned t = from; t < r->spec.nr_tables; t++) {
		struct match *m = at_place(r, place, t);
		if (!m || m->useful == 0)
			vacant[nr++] = t;
	}
	if (nr > 0)
		put(r, place, skips && nr > 1 ? vacant[1] : vacant[0], taken);
	for (unsigned t = from; t < r->spec.nr_tables && nr == 0; t++)
		at_place(r, place, t)->useful--;
}

/* Twice TAGE's counter plus one, by which it predicts. Learns. */
static int tage(struct refpredictor *r, uint64_t place, bool taken)
{
	int *base = cell(r, 0, low(place, r->spec.base_bits), 1);
	struct match *longest = NULL, *next = NULL;
	for (unsigned t = 0; t < r->spec.nr_tables; t++) {
		struct match *m = at_place(r, place, t);
		if (!m || m->tag != tag_of(r, place, t))
			continue;
		next = longest;
		longest = m;
	}
	int second = next ? 2 * next->counter + 1 : 4 * *base - 6;
	int first = longest ? 2 * longest->counter + 1 : second, said = first;
	unsigned from = longest ? (unsigned)longest->table + 1 : 0;
	bool agree = (first > 0) == (second > 0);
	if (longest && longest->useful == 0 && abs(first) == 1) {
		said = r->trust_in_others >= 0 ? second : first;
		if (!agree)
			step(&r->trust_in_others, (second > 0) == taken, -8, 7);
	}
	if (longest && !agree)
		step(&longest->useful, (first > 0) == taken, 0, 3);
	if (longest && longest->useful == 0 && next)
		step(&next->counter, taken, -4, 3);
	if (!longest || (longest->useful == 0 && !next))
		step(base, taken, 0, 3);
	if (longest)
		step(&longest->counter, taken, -4, 3);
	if ((said > 0) != taken && from < r->spec.nr_tables)
		make_entry(r, place, from, taken);
	return said;
}

/* ---- Corrector ---- */

static bool correct(struct refpredictor *r, uint64_t place, int said, bool taken)
{
	static const unsigned lengths[] = {0, 0, 4, 9, 14, 20, 27, 35, 46, 63};
	int *counters[MAX_CORRECTOR_TABLES], sum = 4 * said;
	for (unsigned t = 0; t < r->spec.corrector_tables; t++) {
		uint64_t opinion = t == 1 ? (uint64_t)(said + 7) : said > 0 ? 1 : 0;
		uint64_t hash = spread(spread(place * 16 + opinion) ^ recent(r, 0, lengths[t]));
		counters[t] = cell(r, 1 + t, low(hash >> 32, r->spec.corrector_bits), 0);
		sum += 2 * *counters[t] + 1;
	}
	bool own = sum >= 0, result = said > 0;
	int size = sum < 0 ? -sum : sum;
	if (own != result && size * 2 >= r->threshold) {
		int *trust = &r->trusts[abs(said) <= 2 ? 0 : abs(said) <= 5 ? 1 : 2];
		if (*trust >= 0)
			result = own;
		step(trust, own == taken, -32, 31);
	}
	if (own == taken && size >= r->threshold)
		return result;
	r->steps += own == taken ? -1 : 1;
	if (r->steps == 32 || r->steps == -33) {
		step(&r->threshold, r->steps > 0, 1, 1023);
		r->steps = 0;
	}
	for (unsigned t = 0; t < r->spec.corrector_tables; t++)
		step(counters[t], taken, -32, 31);
	return result;
}

/* ---- Loops ---- */

static struct loop *loop_at(struct refpredictor *r, uint64_t set, uint64_t way)
{
	for (uint32_t i = 0; i < r->nr_loops; i++)
		if (r->loops[i].set == set && r->loops[i].way == way)
			return &r->loops[i];
	r->loops[r->nr_loops] = (struct loop){.set = set, .way = way};
	return &r->loops[r->nr_loops++];
}

static void forget(struct loop *l)
{
	*l = (struct loop){.set = l->set, .way = l->way};
}

static void iterate(struct loop *l, bool taken)
{
	bool ends = taken != l->direction;
	l->count++;
	if ((ends && l->count < 3) || (!ends && l->count == 16383)) {
		forget(l);
	} else if (ends && l->count == l->limit) {
		step(&l->confidence, true, 0, 7);
		l->age = 7;
		l->count = 0;
	} else if (ends) {
		l->age = l->limit ? 0 : l->age;
		l->confidence = 0;
		l->limit = l->count;
		l->count = 0;
	} else if (l->limit && l->count >= l->limit) {
		l->confidence = 0;
	}
}

static bool follow_loop(struct refpredictor *r, uint64_t place, bool other, bool taken)
{
	uint64_t set = low(spread(place) >> 20, r->spec.loop_bits - 2u), tag = low(spread(place) >> 40, 14);
	struct loop *found = NULL, *vacant = NULL;
	for (uint64_t way = 4; way-- > 0;) {
		struct loop *l = loop_at(r, set, way);
		if (l->exists && l->tag == tag)
			found = l;
		if (l->age == 0)
			vacant = l;
	}
	bool result = other;
	if (found && found->confidence == 7) {
		bool own = found->count + 1 == found->limit ? !found->direction : found->direction;
		result = r->loop_trust >= 0 ? own : other;
		if (own != other)
			step(&r->loop_trust, own == taken, -64, 63);
	}
	if (found) {
		iterate(found, taken);
	} else if (other != taken && vacant) {
		forget(vacant);
		vacant->exists = true;
		vacant->tag = tag;
		vacant->direction = !taken;
		vacant->age = 7;
	} else if (other != taken) {
		for (uint64_t way = 0; way < 4; way++)
			loop_at(r, set, way)->age--;
	}
	return result;
}

bool refpredictor_branch(struct refpredictor *r, uint64_t pc, bool taken)
{
	uint64_t place = pc / 2;
	int said = tage(r, place, taken);
	bool result = said > 0;
	if (r->spec.kind == PREDICTOR_TAGE_SC_L) {
		result = correct(r, place, said, taken);
		result = follow_loop(r, place, result, taken);
	}
	r->outcomes[r->nr_outcomes++] = taken;
	return result == taken;
}
