/* Stays: a trace as runs of epochs in one state, for engines that look at it only where the state changes.
 *
 * A stay is a 32-bit word, number of epochs x NR_STATES + state. A run that lasts longer than a word or a progress
 * counter can hold is several stays in a row. The last stay and the first may have the same state.
 */
#ifndef SAHM_WORKLOADS_TRACE_STAYS_H
#define SAHM_WORKLOADS_TRACE_STAYS_H

#include "cores/chip/state.h"
#include "sim/base/arena.h"
#include "sim/base/units.h"

/* Longest stay, in progress (sim/base/units.h); an epoch is shorter. */
#define MAX_STAY_PROGRESS (INT64_C(1) << 60)

static inline unsigned stay_state(uint32_t stay)
{
	return stay % NR_STATES;
}

static inline uint32_t stay_epochs(uint32_t stay)
{
	return stay / NR_STATES;
}

/* Makes the stays of states[nr_epochs], nr_epochs at least 1, epochs of epoch_ns (MIN_EPOCH_NS to MAX_EPOCH_NS), in
 * memory from `a`, 4 bytes each. NULL when memory is short, or when there are UINT32_MAX or more. */
uint32_t *stays_make(struct arena *a, const uint8_t *states, uint64_t nr_epochs, uint64_t epoch_ns, uint32_t *nr_stays);

#endif
