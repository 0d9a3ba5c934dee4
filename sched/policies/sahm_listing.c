/* The study's listing 4.1 taken literally: only idle cores are available, nobody swaps.
 *
 * Does badly: in a full system, where it never migrates at all.
 */
#include "sched/ordered/sahm_ordered.h"
#include "sched/policies/policies.h"

static u64 pass(u64 now)
{
	return sahm_ordered_pass(now, SWAP_NEVER);
}

extern const struct sched_ext_ops sched_policy_sahm_listing;
const struct sched_ext_ops sched_policy_sahm_listing = {
	.name = "sahm-listing",
	.summary = "sahm without swaps: moves to idle cores only",
	SAHM_ORDERED_OPS,
	.sahm_pass = pass,
	.sahm_rules = &(const struct sahm_rules){.swaps = SWAP_NEVER},
};
