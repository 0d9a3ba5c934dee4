#include "workloads/trace/stays.h"

#include <string.h>

/* How often the state changes. Eight epochs at a time: states are below 128, so that adding 127 to what two differ by
 * sets the highest bit of a byte unless they are the same. */
static uint64_t count_changes(const uint8_t *states, uint64_t nr_epochs)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t nr = 0, e = 1;
	for (; e + 8 <= nr_epochs; e += 8) {
		uint64_t here, before;
		memcpy(&here, states + e, 8);
		memcpy(&before, states + e - 1, 8);
		nr += ((((here ^ before) + 127 * ones) >> 7 & ones) * ones) >> 56;
	}
	for (; e < nr_epochs; e++)
		nr += states[e] != states[e - 1];
	return nr;
}

/* Writes a stay per run; no run is longer than a stay can be. First where each begins, and without a branch: its
 * outcome cannot be predicted. */
static void write_runs(const uint8_t *states, uint64_t nr_epochs, uint32_t *stays, uint64_t nr_stays)
{
	uint64_t nr = 1;
	for (uint64_t e = 1; e < nr_epochs && nr < nr_stays; e++) {
		stays[nr] = (uint32_t)e;
		nr += states[e] != states[e - 1];
	}
	stays[0] = 0;
	for (uint64_t i = 0; i < nr_stays; i++) {
		uint64_t end = i + 1 < nr_stays ? stays[i + 1] : nr_epochs;
		stays[i] = (uint32_t)((end - stays[i]) * NR_STATES + states[stays[i]]);
	}
}

/* The same with runs cut to `most` epochs; only counts if `stays` is NULL. Returns the number of stays. */
static uint64_t cut_runs(const uint8_t *states, uint64_t nr_epochs, uint64_t most, uint32_t *stays)
{
	uint64_t nr = 0, length = 0;
	for (uint64_t e = 0; e < nr_epochs; e++) {
		length++;
		if (e + 1 < nr_epochs && states[e + 1] == states[e] && length < most)
			continue;
		if (stays)
			stays[nr] = (uint32_t)(length * NR_STATES + states[e]);
		nr++;
		length = 0;
	}
	return nr;
}

uint32_t *stays_make(struct arena *a, const uint8_t *states, uint64_t nr_epochs, uint64_t epoch_ns, uint32_t *nr_stays)
{
	uint64_t most = (uint64_t)MAX_STAY_PROGRESS / (epoch_ns * (uint64_t)PROGRESS_PER_NS);
	if (most > UINT32_MAX / NR_STATES)
		most = UINT32_MAX / NR_STATES;
	bool fits = nr_epochs <= most;
	uint64_t nr = fits ? 1 + count_changes(states, nr_epochs) : cut_runs(states, nr_epochs, most, NULL);
	uint32_t *stays = nr < UINT32_MAX ? arena_alloc(a, nr, sizeof(*stays)) : NULL;
	if (!stays)
		return NULL;
	*nr_stays = (uint32_t)nr;
	if (fits)
		write_runs(states, nr_epochs, stays, nr);
	else
		cut_runs(states, nr_epochs, most, stays);
	return stays;
}
