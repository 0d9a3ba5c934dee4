/* What a trace does: how much of its time it spends in which state, and how often it changes.
 *
 * An interval is a run of consecutive epochs in the same state (the first and the last epoch bound one too). Source:
 * dissertation, section 4.2, figures 4.2 to 4.6.
 */
#ifndef SAHM_WORKLOADS_TRACE_CHARACTERIZE_H
#define SAHM_WORKLOADS_TRACE_CHARACTERIZE_H

#include "workloads/trace/trace.h"

/* Intervals are sorted by length into bins whose lower bounds are 1, 2, 5, 10, 20, 50, ... epochs; a bin ends below the
 * next one's bound. The last holds the longest interval that a trace can have, MAX_TRACE_EPOCHS. */
#define NR_INTERVAL_BINS 29

/* Lower bound of bin `bin` in epochs; of NR_INTERVAL_BINS, the bound that no interval reaches. */
uint64_t interval_bin_epochs(unsigned bin);

/* Bin of an interval of `epochs`, 1 to MAX_TRACE_EPOCHS. */
unsigned interval_bin_of(uint64_t epochs);

struct characterization {
	uint64_t nr_epochs;
	uint64_t in_state[NR_STATES];		    /* epochs in each state */
	uint64_t nr_same;			    /* epochs in the state of the one before; nr_epochs - 1 could be */
	uint64_t intervals[NR_STATES];		    /* intervals in each state */
	uint64_t transitions[NR_STATES][NR_STATES]; /* [of the one before][of the epoch]; nr_epochs - 1 */
	uint64_t intervals_of_length[NR_INTERVAL_BINS];	  /* intervals in each bin */
	uint64_t epochs_of_length[NR_INTERVAL_BINS];	  /* epochs in these intervals */
	uint64_t in_state_by_set[NR_CUT_SETS][NR_STATES]; /* epochs in each state under the cuts cut_set_names[set] */
};

/* Counts over states[nr_epochs], nr_epochs at least 1. in_state_by_set stays 0: states do not tell of other cuts. */
void characterize_states(const uint8_t *states, uint64_t nr_epochs, struct characterization *c);

/* Classifies and counts a trace, batch by batch. Fails as trace_read() does. */
enum sahm_status characterize_trace(struct trace *trace, const struct cuts *cuts, struct characterization *c,
				    struct sahm_err *err);

#endif
