/* The study's claims about 39 threads on its realistic chips (figure 4.10), measured from records of these runs.
 *
 * Chips are All-30 %, Branch-10 % and Branch-0 % (limit_named_names[]); settings are Oracle, Ideal, Cost, Inertia,
 * Inertia+5ms and Inertia+9ms, which configs/studies/paper/realistic.cfg describes. A speedup is the mean over threads.
 *   - Differences of speedups are in points of All-30 %.
 *   - What inertia recovers is (Inertia - Cost) / (Ideal - Cost). Where the cost takes less than 0.05 points there is
 *     nothing to recover, and the claim is not known.
 *   - The study gives one matched share for all pairs of chip and setting: that one counts here which is farthest from
 *     it, and it is known when all of them are.
 * Source: dissertation, section 4.6.
 */
#ifndef SAHM_RESULTS_CLAIMS_RUNS_H
#define SAHM_RESULTS_CLAIMS_RUNS_H

#include <stdbool.h>

#include "results/store/run_record.h"
#include "results/studies/claims.h"

/* Runs of every chip in every setting, found by their names; those that the claims do not speak of are ignored. */
struct claims_realistic {
	const char *const *chips; /* [nr_chips] */
	uint32_t nr_chips;
	const char *const *settings; /* [nr_settings] */
	uint32_t nr_settings;
	const struct record *records; /* [nr_chips][nr_settings] */
};

/* Measures the claims CLAIMS_OF_RUNS; of ours[] only these are set: to NAN where a run is missing, failed or has no
 * such metric. */
void claims_of_runs(const struct claims_realistic *r, double ours[NR_CLAIMS]);

/* Whether the study names a setting so; of the eight that it counts it names six, and the others are ours. */
bool claims_setting_is_of_study(const char *name);

#endif
