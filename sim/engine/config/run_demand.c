#include "sim/engine/config/run_demand.h"

#include "sim/base/units.h"

/* Epochs that are read at once. */
#define CHUNK 512u

__extension__ typedef unsigned __int128 wide;

/* L2 misses per s of one trace by state. */
static enum sahm_status read_demand(const struct run_trace *from, const uint8_t *states, uint64_t demand[NR_STATES],
				    struct sahm_err *err)
{
	uint64_t nr = trace_nr_epochs(from->trace), nr_epochs[NR_STATES] = {0};
	wide misses[NR_STATES] = {0};
	struct epoch_counts chunk[CHUNK];
	for (uint64_t e = 0; e < nr; e++) {
		enum sahm_status status = SAHM_OK;
		if (e % CHUNK == 0)
			status = trace_read(from->trace, e, nr - e < CHUNK ? nr - e : CHUNK, chunk, err);
		if (status != SAHM_OK)
			return status;
		nr_epochs[states[e]]++;
		misses[states[e]] += chunk[e % CHUNK].count[COUNTER_L2_MISSES];
	}
	for (unsigned s = 0; s < NR_STATES; s++) {
		wide per_s =
			nr_epochs[s] ? misses[s] * NS_PER_S / ((wide)nr_epochs[s] * trace_epoch_ns(from->trace)) : 0;
		if (per_s > MAX_MISSES_PER_S)
			return sahm_fail(err, SAHM_RANGE,
					 "%s: more than %llu L2 misses per s are too many for chip.shared", from->path,
					 (unsigned long long)MAX_MISSES_PER_S);
		demand[s] = (uint64_t)per_s;
	}
	return SAHM_OK;
}

enum sahm_status run_demand(const struct run_config *config, const uint8_t *const *states, struct arena *a,
			    uint64_t (**demand)[NR_STATES], struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	*demand = NULL;
	if (config->nr_shared == 0)
		return SAHM_OK;
	*demand = arena_alloc(a, config->nr_traces, sizeof(**demand));
	if (!*demand)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < config->nr_traces && status == SAHM_OK; i++)
		status = read_demand(&config->traces[i], states[i], (*demand)[i], err);
	return status;
}
