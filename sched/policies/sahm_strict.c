/* `sahm` that does not touch threads where they match: a thread in Low keeps its baseline core.
 *
 * Does badly: where a thread in Low holds the baseline core that another Low thread, on a core wanted by a third, would
 * have to be swapped to; otherwise like `sahm`, with fewer moves.
 */
#include "sched/ordered/sahm_ordered.h"
#include "sched/policies/policies.h"

static u64 pass(u64 now)
{
	return sahm_ordered_pass(now, SWAP_UNMATCHED);
}

extern const struct sched_ext_ops sched_policy_sahm_strict;
const struct sched_ext_ops sched_policy_sahm_strict = {
	.name = "sahm-strict",
	.summary = "sahm, but swaps only with threads that do not match their own core",
	SAHM_ORDERED_OPS,
	.sahm_pass = pass,
	.sahm_rules = &(const struct sahm_rules){.swaps = SWAP_UNMATCHED},
};
