#include "cores/uarch/distributed_counter.h"

#include <string.h>

static unsigned bits_for(unsigned nr_sources)
{
	unsigned bits = 0;
	while (1u << bits < nr_sources)
		bits++;
	return bits;
}

void distributed_counter_init(struct distributed_counter *d, unsigned nr_sources)
{
	memset(d, 0, sizeof(*d));
	d->nr_sources = (uint8_t)nr_sources;
	d->local_bits = (uint8_t)bits_for(nr_sources);
}

void distributed_counter_add(struct distributed_counter *d, uint64_t high)
{
	for (; high; high &= high - 1) {
		unsigned source = (unsigned)__builtin_ctzll(high);
		if (++d->local[source] >> d->local_bits == 0)
			continue;
		d->local[source] = 0;
		d->pending |= UINT64_C(1) << source;
	}
}

static uint64_t run_cycle(struct distributed_counter *d, uint64_t high)
{
	uint64_t taken = d->pending >> d->turn & 1;
	d->pending ^= taken << d->turn;
	d->turn = (uint8_t)(d->turn + 1u == d->nr_sources ? 0 : d->turn + 1);
	distributed_counter_add(d, high);
	return taken;
}

/* The source's part of what distributed_counter_run() does, cycles being numbered from 0: its wraps are taken except
 * for the last, if no turn follows it. */
static uint64_t run_source(struct distributed_counter *d, unsigned source, bool is_high, uint64_t nr)
{
	uint64_t first_turn = (source + d->nr_sources - d->turn) % d->nr_sources, last_turn = 0, last_wrap = 0;
	uint64_t wraps = 0, was_pending = d->pending >> source & 1;
	bool has_turn = first_turn < nr, stays;
	if (has_turn)
		last_turn = nr - 1 - (nr - 1 - first_turn) % d->nr_sources;
	if (is_high) {
		uint64_t local_max = (UINT64_C(1) << d->local_bits) - 1;
		uint64_t low = d->local[source] + (nr & local_max);
		wraps = (nr >> d->local_bits) + (low >> d->local_bits);
		last_wrap = (wraps << d->local_bits) - d->local[source] - 1;
		d->local[source] = (uint8_t)(low & local_max);
	}
	/* In a cycle the turn comes before the count. */
	stays = wraps > 0 ? !has_turn || last_turn <= last_wrap : was_pending && !has_turn;
	d->pending = (d->pending & ~(UINT64_C(1) << source)) | (uint64_t)stays << source;
	return was_pending + wraps - stays;
}

uint64_t distributed_counter_run(struct distributed_counter *d, uint64_t high, uint64_t nr)
{
	uint64_t taken = 0;
	if (nr == 1)
		return run_cycle(d, high);
	for (uint64_t sources = high | d->pending; sources; sources &= sources - 1) {
		unsigned source = (unsigned)__builtin_ctzll(sources);
		taken += run_source(d, source, high >> source & 1, nr);
	}
	d->turn = (uint8_t)((d->turn + nr % d->nr_sources) % d->nr_sources);
	return taken;
}

uint64_t distributed_counter_drain(struct distributed_counter *d)
{
	uint64_t taken = 0;
	/* The turn ends where it began. */
	for (; d->pending; d->pending &= d->pending - 1)
		taken++;
	return taken;
}

uint64_t distributed_counter_bound(unsigned nr_sources, bool is_drained)
{
	uint64_t step = UINT64_C(1) << bits_for(nr_sources);
	return nr_sources * (step - 1 + (is_drained ? 0 : step));
}
