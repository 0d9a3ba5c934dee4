/* What threads demand of what cores share (cores/chip/level.h): the rate of L2 misses of their traces. */
#ifndef SAHM_SIM_ENGINE_CONFIG_RUN_DEMAND_H
#define SAHM_SIM_ENGINE_CONFIG_RUN_DEMAND_H

#include "sim/engine/config/run_config.h"

/* Sets *demand to L2 misses per s of baseline time by trace and state, rounded down, from `a`; NULL where no cores
 * share. `states[i]` are those of the epochs of trace i. SAHM_RANGE above MAX_MISSES_PER_S, SAHM_NOMEM, and as
 * trace_read() fails. */
enum sahm_status run_demand(const struct run_config *config, const uint8_t *const *states, struct arena *a,
			    uint64_t (**demand)[NR_STATES], struct sahm_err *err);

#endif
