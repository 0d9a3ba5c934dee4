#include "tests/reference/refberti.h"

#include <stdlib.h>

#define MOST_FOUND 8
#define PLACES 16
#define PCS 16
#define SEARCHES 16

/* An access of any kind, and what its search found. */
struct access {
	unsigned pc; /* 10 bits */
	uint64_t line, clock;
	bool is_new;
	bool makes_record; /* the pc had none, and does from now on */
	int nr_found, found[MOST_FOUND];
};

struct refberti {
	unsigned nr;
	struct access accesses[];
};

struct refberti *refberti_new(unsigned most)
{
	return calloc(1, sizeof(struct refberti) + most * sizeof(struct access));
}

void refberti_free(struct refberti *b)
{
	free(b);
}

static unsigned hash_of(uint64_t pc)
{
	return (pc / 2 ^ pc / 2048 ^ pc / 2097152) & 1023;
}

static bool was_found(const struct access *a, int delta)
{
	for (int i = 0; i < a->nr_found; i++)
		if (a->found[i] == delta)
			return true;
	return false;
}

static void search(const struct refberti *b, struct access *a, unsigned latency)
{
	unsigned nr_of_set = 0;
	for (unsigned n = b->nr; n-- > 0 && a->nr_found < MOST_FOUND;) {
		const struct access *old = &b->accesses[n];
		if (!old->is_new || (old->pc & 7) != (a->pc & 7))
			continue;
		if (++nr_of_set > 16)
			return;
		int64_t delta = (int64_t)((a->line - old->line) & 0xffffff);
		delta = delta >= 1 << 23 ? delta - (1 << 24) : delta;
		bool is_near = delta >= -4096 && delta <= 4095 && delta != 0;
		if (old->pc == a->pc && ((a->clock - old->clock) & 0xffff) >= latency && is_near &&
		    !was_found(a, (int)delta))
			a->found[a->nr_found++] = (int)delta;
	}
}

/* Number of the access that made the pc's record; -1: it has none. Sixteen younger records push it out. */
static int record_of(const struct refberti *b, unsigned pc)
{
	unsigned younger = 0;
	for (unsigned n = b->nr; n-- > 0 && younger < PCS;) {
		if (b->accesses[n].makes_record && b->accesses[n].pc == pc)
			return (int)n;
		younger += b->accesses[n].makes_record;
	}
	return -1;
}

struct place {
	int delta, points, use; /* 2: L1D, 1: L2 */
};

static void score(struct place *places, int delta)
{
	int best = -1;
	for (int i = 0; i < PLACES; i++)
		if (places[i].delta == delta) {
			places[i].points++;
			return;
		}
	for (int i = PLACES - 1; i >= 0; i--)
		if (places[i].use == 0 && (best < 0 || places[i].points <= places[best].points))
			best = i;
	if (best >= 0)
		places[best] = (struct place){delta, 1, 0};
}

/* Plays a pc's searches since its record was made. */
static void replay(const struct refberti *b, unsigned pc, unsigned from, struct place *places)
{
	int nr = 0;
	for (unsigned n = from; n < b->nr; n++) {
		const struct access *a = &b->accesses[n];
		if (!a->is_new || a->pc != pc)
			continue;
		for (int i = 0; i < a->nr_found; i++)
			score(places, a->found[i]);
		if (++nr % SEARCHES != 0)
			continue;
		for (int i = 0; i < PLACES; i++) {
			double share = places[i].points > 15 ? 15.0 / SEARCHES : (double)places[i].points / SEARCHES;
			places[i].use = share > 0.65 ? 2 : share > 0.35 ? 1 : 0;
			places[i].points = 0;
		}
	}
}

/* The line of the pc's access before this one, if that had a record already. */
static bool is_same_line(const struct refberti *b, const struct access *a, int record)
{
	for (unsigned n = b->nr - 1; n-- > (unsigned)record;)
		if (b->accesses[n].pc == a->pc)
			return ((b->accesses[n].line ^ a->line) & 0xffffff) == 0;
	return false;
}

unsigned refberti_watch(struct refberti *b, const struct prefetch_trigger *t, struct prefetch_request *requests)
{
	struct access *a = &b->accesses[b->nr];
	struct place places[PLACES] = {{0, 0, 0}};
	unsigned nr = 0;
	*a = (struct access){.pc = hash_of(t->pc),
			     .line = t->address >> t->line_shift,
			     .clock = t->clock,
			     .is_new = t->sight.is_new};
	if (a->is_new) {
		search(b, a, t->sight.latency);
		a->makes_record = a->nr_found > 0 && record_of(b, a->pc) < 0;
	}
	b->nr++;
	int record = record_of(b, a->pc);
	if (record < 0 || is_same_line(b, a, record))
		return 0;
	replay(b, a->pc, (unsigned)record, places);
	for (int i = 0; i < PLACES; i++)
		if (places[i].use > 0)
			requests[nr++] = (struct prefetch_request){.line = a->line + (uint64_t)places[i].delta,
								   .is_beyond = places[i].use == 1};
	return nr;
}
