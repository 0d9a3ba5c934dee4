/* No migration: every thread stays on the core where it starts. The baseline to compare policies with.
 *
 * Does badly: whenever a thread's states and its core's speciality have nothing to do with each other.
 */
#include "sched/policies/policies.h"

extern const struct sched_ext_ops sched_policy_static;
const struct sched_ext_ops sched_policy_static = {
	.name = "static",
	.flags = SAHM_OPS_RUN_QUEUES,
	.summary = "threads stay on the core where they start",
};
