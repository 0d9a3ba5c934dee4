#include "workloads/characterize.h"

#include <stdlib.h>

void characterize_states(const uint8_t *states, uint64_t nr_epochs, struct characterization *c)
{
	*c = (struct characterization){.nr_epochs = nr_epochs};
	for (uint64_t e = 0; e < nr_epochs; e++) {
		bool same = e > 0 && states[e] == states[e - 1];
		c->in_state[states[e]]++;
		c->nr_same += same;
		c->intervals[states[e]] += !same;
	}
}

enum sahm_status characterize_trace(struct trace *trace, const struct cuts *cuts, struct characterization *c,
				    struct sahm_err *err)
{
	uint64_t nr = trace_nr_epochs(trace);
	uint8_t *states = malloc(nr);
	if (!states)
		return sahm_fail_nomem(err);
	enum sahm_status status = trace_states(trace, cuts, states, err);
	if (status == SAHM_OK)
		characterize_states(states, nr, c);
	free(states);
	return status;
}
