#include "workloads/trace/percentile.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

/* Epochs read at a time. */
#define BATCH 256

/* The value at `rank` (from 0) of the sorted order. Found byte by byte from the top, which takes eight passes whatever
 * the values are: no order of the input makes it slow, and nothing is moved. */
static uint64_t order_statistic(const uint64_t *values, size_t nr, size_t rank)
{
	uint64_t prefix = 0;
	for (int shift = 56; shift >= 0; shift -= 8) {
		size_t with_byte[256] = {0}, below = 0;
		unsigned byte = 0;
		for (size_t i = 0; i < nr; i++)
			if (shift == 56 || values[i] >> (shift + 8) == prefix)
				with_byte[values[i] >> shift & 0xff]++;
		while (below + with_byte[byte] <= rank)
			below += with_byte[byte++];
		rank -= below;
		prefix = prefix << 8 | byte;
	}
	return prefix;
}

uint64_t percentile_of(const uint64_t *values, size_t nr, uint64_t ppb)
{
	u128 place = (u128)(nr - 1) * ppb;
	size_t rank = (size_t)(place / PPB_ONE), up_to = 0;
	uint64_t rest = (uint64_t)(place % PPB_ONE), low = order_statistic(values, nr, rank), high = UINT64_MAX;
	if (rest == 0)
		return low;
	/* The next one in order: the same value again, or the smallest above it. */
	for (size_t i = 0; i < nr; i++) {
		up_to += values[i] <= low;
		if (values[i] > low && values[i] < high)
			high = values[i];
	}
	if (up_to > rank + 1)
		return low;
	return low + (uint64_t)(((u128)(high - low) * rest + PPB_ONE / 2) / PPB_ONE);
}

/* Appends the metric's values in one trace to values[*nr]. */
static enum sahm_status gather(struct trace *trace, enum component c, uint64_t *values, size_t *nr,
			       struct sahm_err *err)
{
	struct epoch_counts batch[BATCH];
	uint64_t nr_epochs = trace_nr_epochs(trace);
	for (uint64_t e = 0; e < nr_epochs; e += BATCH) {
		uint64_t nr_read = nr_epochs - e < BATCH ? nr_epochs - e : BATCH;
		enum sahm_status status = trace_read(trace, e, nr_read, batch, err);
		if (status != SAHM_OK)
			return status;
		for (uint64_t i = 0; i < nr_read; i++)
			*nr += cuts_metric_ppb(c, &batch[i], &values[*nr]);
	}
	return SAHM_OK;
}

static enum sahm_status settle_cut(enum component c, const uint64_t *values, size_t nr, uint64_t ppb, struct cuts *cuts,
				   struct sahm_err *err)
{
	const struct metric_row *m = &metric_rows[c];
	if (nr == 0)
		return sahm_fail(
			err, SAHM_RANGE,
			"no percentile of '%s': '%s' is 0 in every epoch of the traces; give this threshold a value",
			m->key, counter_rows[m->denominator].name);
	uint64_t cut = percentile_of(values, nr, ppb);
	if (cut > (uint64_t)MAX_CUT * m->ppb_per_unit)
		return sahm_fail(err, SAHM_RANGE, "the percentile of '%s' is above %.10g %s, the largest threshold",
				 m->key, MAX_CUT, m->unit);
	cuts->ppb[c] = cut;
	return SAHM_OK;
}

enum sahm_status percentile_cuts(struct trace *const *traces, size_t nr, uint64_t ppb, unsigned components,
				 struct cuts *cuts, struct sahm_err *err)
{
	uint64_t nr_epochs = 0;
	for (size_t t = 0; t < nr; t++)
		nr_epochs += trace_nr_epochs(traces[t]);
	uint64_t *values = nr_epochs <= SIZE_MAX / sizeof(*values) ? malloc(nr_epochs * sizeof(*values)) : NULL;
	enum sahm_status status = values ? SAHM_OK : sahm_fail_nomem(err);
	for (int c = 0; c < NR_COMPONENTS && status == SAHM_OK; c++) {
		size_t nr_values = 0;
		if (!(components >> c & 1u))
			continue;
		for (size_t t = 0; t < nr && status == SAHM_OK; t++)
			status = gather(traces[t], (enum component)c, values, &nr_values, err);
		if (status == SAHM_OK)
			status = settle_cut((enum component)c, values, nr_values, ppb, cuts, err);
	}
	free(values);
	return status;
}
