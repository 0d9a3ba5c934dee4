#include "workloads/trace/characterize.h"

/* Epochs read at a time. */
#define BATCH 256

/* The interval that an epoch may carry on. */
struct interval {
	unsigned state;
	uint64_t epochs;
};

uint64_t interval_bin_epochs(unsigned bin)
{
	static const uint64_t steps[] = {1, 2, 5};
	uint64_t bound = steps[bin % 3];
	for (unsigned decade = bin / 3; decade > 0; decade--)
		bound *= 10;
	return bound;
}

unsigned interval_bin_of(uint64_t epochs)
{
	unsigned bin = 0;
	while (bin + 1 < NR_INTERVAL_BINS && epochs >= interval_bin_epochs(bin + 1))
		bin++;
	return bin;
}

static void close_interval(struct characterization *c, const struct interval *i)
{
	unsigned bin = interval_bin_of(i->epochs);
	c->intervals[i->state]++;
	c->intervals_of_length[bin]++;
	c->epochs_of_length[bin] += i->epochs;
}

static void add_epoch(struct characterization *c, struct interval *i, unsigned state)
{
	c->nr_epochs++;
	c->in_state[state]++;
	if (i->epochs > 0)
		c->transitions[i->state][state]++;
	if (i->epochs > 0 && i->state == state) {
		c->nr_same++;
		i->epochs++;
		return;
	}
	if (i->epochs > 0)
		close_interval(c, i);
	*i = (struct interval){state, 1};
}

void characterize_states(const uint8_t *states, uint64_t nr_epochs, struct characterization *c)
{
	struct interval i = {0};
	*c = (struct characterization){0};
	for (uint64_t e = 0; e < nr_epochs; e++)
		add_epoch(c, &i, states[e]);
	close_interval(c, &i);
}

enum sahm_status characterize_trace(struct trace *trace, const struct cuts *cuts, struct characterization *c,
				    struct sahm_err *err)
{
	struct epoch_counts batch[BATCH];
	struct cuts named[NR_CUT_SETS];
	struct interval interval = {0};
	uint64_t nr_epochs = trace_nr_epochs(trace);
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		cuts_named(cut_set_names[set], &named[set]);
	*c = (struct characterization){0};
	for (uint64_t e = 0; e < nr_epochs; e += BATCH) {
		uint64_t nr = nr_epochs - e < BATCH ? nr_epochs - e : BATCH;
		enum sahm_status status = trace_read(trace, e, nr, batch, err);
		if (status != SAHM_OK)
			return status;
		for (uint64_t i = 0; i < nr; i++) {
			add_epoch(c, &interval, cuts_classify(cuts, &batch[i]));
			for (unsigned set = 0; set < NR_CUT_SETS; set++)
				c->in_state_by_set[set][cuts_classify(&named[set], &batch[i])]++;
		}
	}
	close_interval(c, &interval);
	return SAHM_OK;
}
