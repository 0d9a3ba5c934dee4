#include "results/studies/suite.h"

#include <stdlib.h>

#include "workloads/synth/synth.h"
#include "workloads/trace/percentile.h"

#define ALL_COMPONENTS (NR_STATES - 1)

static enum sahm_status judge(struct trace **traces, const struct characterized *rows, size_t nr,
			      const struct cuts *cuts, unsigned tolerance_factor,
			      struct claim_result results[NR_CLAIMS], struct sahm_err *err)
{
	const struct characterize_study study = {rows, nr, cuts, DEFAULT_CUTS, false};
	struct claims_input input = {.study = &study};
	enum sahm_status status = percentile_cuts(traces, nr, 25 * PPB_PER_PCT, ALL_COMPONENTS, &input.p25, err);
	if (status == SAHM_OK)
		status = percentile_cuts(traces, nr, 50 * PPB_PER_PCT, ALL_COMPONENTS, &input.p50, err);
	return status == SAHM_OK ? claims_evaluate(&input, tolerance_factor, results, err) : status;
}

enum sahm_status suite_evaluate(const struct profile *profile, uint64_t seed, unsigned tolerance_factor,
				struct claim_result results[NR_CLAIMS], struct sahm_err *err)
{
	size_t nr = profile->nr_rows;
	struct trace **traces = calloc(nr, sizeof(struct trace *));
	struct characterized *rows = calloc(nr, sizeof(*rows));
	struct cuts cuts;
	enum sahm_status status = traces && rows ? SAHM_OK : sahm_fail_nomem(err);
	cuts_named(DEFAULT_CUTS, &cuts);
	for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
		status = synth_trace(profile, i, seed, &traces[i], NULL, err);
		if (status != SAHM_OK)
			break;
		rows[i] = (struct characterized){
			.name = trace_name(traces[i]), .epoch_ns = profile->epoch_ns, .synthetic = true};
		status = characterize_trace(traces[i], &cuts, &rows[i].counts, err);
	}
	if (status == SAHM_OK)
		status = judge(traces, rows, nr, &cuts, tolerance_factor, results, err);
	for (size_t i = 0; traces && i < nr; i++)
		trace_free(traces[i]);
	free(traces);
	free(rows);
	return status;
}
