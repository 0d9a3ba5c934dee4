/* Berti-like: per pc, the distances between its lines that would have been in time (A. Navarro-Torres et al., "Berti:
 * an accurate local-delta data prefetcher", MICRO 2022).
 *
 * An access is new if its line missed or is used first after a prefetch. At each, the accesses of the same pc among the
 * last new ones that are at least `latency` old are searched: a request at their time would have arrived by now. The
 * distances from them to this line, at most NR_FOUND from the youngest on, each gain a point. After NR_SEARCHES
 * searches the pc's distances with more than 65 % of points possible prefetch into L1D, those with more than 35 % into
 * L2, and points begin again at 0. Every access whose line is not that of the pc's access before requests its line plus
 * each of these distances.
 *
 * Does badly on random addresses, where a pc's distance changes from phase to phase, and in the first NR_SEARCHES
 * misses of a pc; tables are small, so that pcs of large loops replace each other. docs/cores.md lists what the paper
 * leaves open. */
#include <string.h>

#include "cores/uarch/prefetcher_internal.h"

#define PC_BITS 10u
#define SET_BITS 3u
#define WAYS 16u
#define LINE_BITS 24u
#define TIME_BITS 16u
#define NR_PCS 16u
#define NR_DELTAS 16u
#define DELTA_BITS 13u
#define NR_FOUND 8u
#define NR_SEARCHES 16u
#define MAX_COVERAGE 15u
#define HIGH_PCT 65u
#define MEDIUM_PCT 35u

/* An access that was new. */
struct past {
	uint32_t line; /* low LINE_BITS */
	uint16_t time; /* low TIME_BITS of the clock */
	uint8_t tag;   /* of the pc */
	bool is_there;
};

struct past_set {
	struct past ways[WAYS]; /* a ring */
	uint32_t next;
};

enum delta_use { DELTA_NOT, DELTA_L2, DELTA_L1D };

/* A pc's distances. */
struct deltas {
	uint32_t line;		  /* of its latest access, low LINE_BITS */
	uint16_t pc;		  /* its PC_BITS */
	uint8_t nr_searches;	  /* of this phase */
	uint8_t nr_used;	  /* deltas in use */
	int16_t delta[NR_DELTAS]; /* 0: the place is free */
	uint8_t coverage[NR_DELTAS], use[NR_DELTAS];
};

struct berti {
	struct past_set sets[1u << SET_BITS];
	struct deltas pcs[NR_PCS]; /* a ring */
	uint32_t next;
	uint8_t where[1u << PC_BITS]; /* number of the pc's deltas + 1; 0: it has none */
};

/* Latencies of three levels are registers of 12 bits; which of them is a line's takes 2 bits of L1D. */
#define PAST_BITS (PC_BITS - SET_BITS + LINE_BITS + TIME_BITS + 1)
#define DELTAS_BITS (PC_BITS + 1 + 4 + LINE_BITS + NR_DELTAS * (DELTA_BITS + 4 + 2))
#define STORAGE_BITS ((1u << SET_BITS) * (WAYS * PAST_BITS + 4) + NR_PCS * DELTAS_BITS + 4 + 3 * 12)

static uint32_t pc_of(const struct prefetch_trigger *t)
{
	return (uint32_t)(t->pc >> 1 ^ t->pc >> (1 + PC_BITS) ^ t->pc >> (1 + 2 * PC_BITS)) % (1u << PC_BITS);
}

/* A distance of lines that fits in DELTA_BITS; 0: it does not, or is none. */
static int32_t delta_of(uint32_t line, uint32_t before)
{
	const uint32_t sign = 1u << (LINE_BITS - 1);
	int32_t delta = (int32_t)((line - before) % (1u << LINE_BITS) ^ sign) - (int32_t)sign;
	return delta >= -(1 << (DELTA_BITS - 1)) && delta < 1 << (DELTA_BITS - 1) ? delta : 0;
}

/* The distances from accesses of the pc that are old enough, each once: how many. */
static unsigned search(const struct past_set *s, uint8_t tag, uint32_t line, const struct prefetch_trigger *t,
		       int32_t found[NR_FOUND])
{
	unsigned nr = 0;
	for (unsigned i = 1; i <= WAYS && nr < NR_FOUND; i++) {
		const struct past *p = &s->ways[(s->next - i) % WAYS];
		if (!p->is_there || p->tag != tag || (uint16_t)(t->clock - p->time) < t->sight.latency)
			continue;
		int32_t delta = delta_of(line, p->line);
		unsigned k = 0;
		while (k < nr && found[k] != delta)
			k++;
		if (delta != 0 && k == nr)
			found[nr++] = delta;
	}
	return nr;
}

/* Its place: its own, else the first one of the lowest coverage that is not in use; NR_DELTAS: there is none. */
static unsigned place_of(const struct deltas *d, int32_t delta)
{
	unsigned place = NR_DELTAS;
	for (unsigned i = 0; i < NR_DELTAS; i++) {
		if (d->delta[i] == delta)
			return i;
		if (d->use[i] == DELTA_NOT && (place == NR_DELTAS || d->coverage[i] < d->coverage[place]))
			place = i;
	}
	return place;
}

static void end_phase(struct deltas *d)
{
	d->nr_searches = d->nr_used = 0;
	for (unsigned i = 0; i < NR_DELTAS; i++) {
		unsigned share = 100u * d->coverage[i];
		d->use[i] = share > HIGH_PCT * NR_SEARCHES     ? DELTA_L1D
			    : share > MEDIUM_PCT * NR_SEARCHES ? DELTA_L2
							       : DELTA_NOT;
		if (d->use[i] != DELTA_NOT)
			d->nr_used++;
		d->coverage[i] = 0;
	}
}

static void gain_points(struct deltas *d, const int32_t *found, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		unsigned place = place_of(d, found[i]);
		if (place == NR_DELTAS)
			continue;
		if (d->delta[place] != found[i]) {
			d->delta[place] = (int16_t)found[i];
			d->coverage[place] = 0;
		}
		if (d->coverage[place] < MAX_COVERAGE)
			d->coverage[place]++;
	}
	if (++d->nr_searches == NR_SEARCHES)
		end_phase(d);
}

/* The pc's deltas; those of the pc that has had its own for longest are replaced. */
static struct deltas *make_deltas(struct berti *b, uint32_t pc)
{
	uint32_t number = b->next++ % NR_PCS;
	struct deltas *d = &b->pcs[number];
	if (b->where[d->pc] == number + 1)
		b->where[d->pc] = 0;
	memset(d, 0, sizeof(*d));
	d->pc = (uint16_t)pc;
	b->where[pc] = (uint8_t)(number + 1);
	return d;
}

static void learn(struct berti *b, uint32_t pc, uint32_t line, const struct prefetch_trigger *t)
{
	struct past_set *s = &b->sets[pc % (1u << SET_BITS)];
	uint8_t tag = (uint8_t)(pc >> SET_BITS);
	int32_t found[NR_FOUND];
	unsigned nr = search(s, tag, line, t, found);
	if (b->where[pc] != 0)
		gain_points(&b->pcs[b->where[pc] - 1], found, nr);
	else if (nr > 0)
		gain_points(make_deltas(b, pc), found, nr);
	s->ways[s->next++ % WAYS] = (struct past){line, (uint16_t)t->clock, tag, true};
}

static unsigned watch(void *state, const struct prefetcher_spec *spec, const struct prefetch_trigger *t,
		      struct prefetch_request *requests)
{
	struct berti *b = state;
	uint64_t line = t->address >> t->line_shift;
	uint32_t low = (uint32_t)(line % (1u << LINE_BITS)), pc = pc_of(t);
	unsigned nr = 0;
	(void)spec;
	if (t->sight.is_new)
		learn(b, pc, low, t);
	if (b->where[pc] == 0)
		return 0;
	struct deltas *d = &b->pcs[b->where[pc] - 1];
	if (d->line == low)
		return 0;
	d->line = low;
	for (unsigned i = 0; d->nr_used > 0 && i < NR_DELTAS; i++)
		if (d->use[i] != DELTA_NOT)
			requests[nr++] = (struct prefetch_request){.line = line + (uint64_t)d->delta[i],
								   .is_beyond = d->use[i] == DELTA_L2};
	return nr;
}

static uint64_t more_storage_bits(const struct prefetcher_spec *spec, uint32_t nr_lines)
{
	(void)spec;
	return 2 * (uint64_t)nr_lines;
}

const struct prefetcher_ops prefetch_berti = {.cache = "l1d",
					      .needs_clock = true,
					      .state_bytes = sizeof(struct berti),
					      .storage_bits = STORAGE_BITS,
					      .more_storage_bits = more_storage_bits,
					      .watch = watch};
