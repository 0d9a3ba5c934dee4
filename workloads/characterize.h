/* What a trace does: how much of its time it spends in which state, and how often it changes.
 *
 * An interval is a run of consecutive epochs in the same state (the first and the last epoch bound one too). Source:
 * dissertation, section 4.2.
 */
#ifndef SAHM_WORKLOADS_CHARACTERIZE_H
#define SAHM_WORKLOADS_CHARACTERIZE_H

#include "workloads/trace.h"

struct characterization {
	uint64_t nr_epochs;
	uint64_t in_state[NR_STATES];  /* epochs in each state */
	uint64_t nr_same;	       /* epochs in the state of the one before; nr_epochs - 1 could be */
	uint64_t intervals[NR_STATES]; /* intervals in each state */
};

/* Counts over states[nr_epochs], nr_epochs at least 1. */
void characterize_states(const uint8_t *states, uint64_t nr_epochs, struct characterization *c);

/* Classifies and counts a trace. Fails as trace_states() does, or SAHM_NOMEM. */
enum sahm_status characterize_trace(struct trace *trace, const struct cuts *cuts, struct characterization *c,
				    struct sahm_err *err);

#endif
