#include "workloads/stays.h"

/* Epochs at which a run begins, in begins[]; returns how many. Without a branch: what it would depend on is what cannot
 * be foretold. */
static uint64_t find_runs(const uint8_t *states, uint64_t nr_epochs, uint64_t *begins)
{
	uint64_t nr = 1;
	begins[0] = 0;
	for (uint64_t e = 1; e < nr_epochs; e++) {
		begins[nr] = e;
		nr += states[e] != states[e - 1];
	}
	return nr;
}

uint32_t *stays_make(struct arena *a, const uint8_t *states, uint64_t nr_epochs, uint64_t epoch_ns, uint64_t *scratch,
		     uint32_t *nr_stays)
{
	uint64_t most = (uint64_t)MAX_STAY_PROGRESS / (epoch_ns * (uint64_t)PROGRESS_PER_NS), nr = 0;
	if (most > UINT32_MAX / NR_STATES)
		most = UINT32_MAX / NR_STATES;
	uint64_t nr_runs = find_runs(states, nr_epochs, scratch);
	for (uint64_t r = 0; r < nr_runs && nr_epochs > most; r++) {
		uint64_t end = r + 1 < nr_runs ? scratch[r + 1] : nr_epochs;
		nr += (end - scratch[r] - 1) / most;
	}
	nr += nr_runs;
	uint32_t *stays = nr < UINT32_MAX ? arena_alloc(a, nr, sizeof(*stays)) : NULL;
	if (!stays)
		return NULL;
	*nr_stays = (uint32_t)nr;
	nr = 0;
	for (uint64_t r = 0; r < nr_runs; r++) {
		uint64_t end = r + 1 < nr_runs ? scratch[r + 1] : nr_epochs, left = end - scratch[r];
		uint8_t state = states[scratch[r]];
		for (; left > most; left -= most)
			stays[nr++] = (uint32_t)(most * NR_STATES + state);
		stays[nr++] = (uint32_t)(left * NR_STATES + state);
	}
	return stays;
}
