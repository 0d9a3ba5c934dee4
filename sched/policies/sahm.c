/* The study's scheduler: threads follow their observed state, swapping places where the chip is full.
 *
 * Does badly: with a high migration cost and no inertia (two threads that want the same core take it from each other at
 * every change of state); with more threads than cores (queue lengths never even out, so shares of time differ); with a
 * thread stressed in two components that sits on the only core which a third thread could use.
 */
#include "sched/ordered/sahm_ordered.h"
#include "sched/policies/policies.h"

static u64 pass(u64 now)
{
	return sahm_ordered_pass(now, SWAP_UNSERVED);
}

extern const struct sched_ext_ops sched_policy_sahm;
const struct sched_ext_ops sched_policy_sahm = {
	.name = "sahm",
	.summary = "the paper's scheduler: follow the observed state, swap with threads that gain nothing",
	SAHM_ORDERED_OPS,
	.sahm_pass = pass,
	.sahm_rules = &(const struct sahm_rules){.swaps = SWAP_UNSERVED},
};
