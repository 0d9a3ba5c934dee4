/* Suites: the traces of a profile, generated and compared with the paper's claims, all in memory. */
#ifndef SAHM_RESULTS_STUDIES_SUITE_H
#define SAHM_RESULTS_STUDIES_SUITE_H

#include "results/studies/claims.h"
#include "workloads/synth/profile.h"

/* Generates every trace of `profile` with `seed` and checks the claims, +-tolerances widened by `tolerance_factor`.
 * Holds all traces at a time. Fails as synth_trace(), percentile_cuts() and claims_evaluate() do. */
enum sahm_status suite_evaluate(const struct profile *profile, uint64_t seed, unsigned tolerance_factor,
				struct claim_result results[NR_CLAIMS], struct sahm_err *err);

#endif
