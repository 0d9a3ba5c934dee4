/* The study's listing 4.1 taken literally: only idle cores are available, nobody swaps.
 *
 * Does badly: in a full system, where it never migrates at all.
 */
#include "sched/policies.h"

extern const struct sched_ext_ops sched_policy_sahm_listing;
const struct sched_ext_ops sched_policy_sahm_listing = {
	.name = "sahm-listing",
	.summary = "sahm without swaps: moves to idle cores only",
	.sahm_rules = &(const struct sahm_rules){.swaps = SWAP_NEVER},
};
