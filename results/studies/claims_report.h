/* The study's claims about traces beside what was found, as text for people and as CSV for programs.
 *
 * A text table shows a claim that is ours, not the study's, with "-" under "paper" and its bound under "tolerance". CSV
 * has a row per claim: id, whose (paper, ours), source, claim, unit, judged (within, relative, exactly, above, at
 * least), expected, tolerance (in force; empty where there is none), ours (empty where it is not known; ours_<seed> for
 * each of several seeds), holds, synthetic (yes, no).
 */
#ifndef SAHM_RESULTS_CLAIMS_REPORT_H
#define SAHM_RESULTS_CLAIMS_REPORT_H

#include "results/studies/claims.h"
#include "sim/base/textbuf.h"

/* Most seeds in one table. */
#define MAX_CLAIM_SEEDS 16u

/* What was found with one seed of a generator of traces. */
struct claims_of_seed {
	uint64_t seed;
	struct claim_result results[NR_CLAIMS];
};

/* Each appends a report on the results of claims_evaluate() with tolerance factor 1; false when memory was short.
 * `synthetic`: whether any trace is; `bold` sets headings in bold. */
bool claims_report_text(const struct claim_result results[NR_CLAIMS], bool synthetic, bool bold, struct textbuf *out);
bool claims_report_csv(const struct claim_result results[NR_CLAIMS], bool synthetic, struct textbuf *out);

/* The same for seeds[nr], nr 1 to MAX_CLAIM_SEEDS, evaluated with CLAIMS_SEED_FACTOR: a claim holds when it does with
 * every seed. */
bool claims_report_seeds_text(const struct claims_of_seed *seeds, unsigned nr, bool synthetic, bool bold,
			      struct textbuf *out);
bool claims_report_seeds_csv(const struct claims_of_seed *seeds, unsigned nr, bool synthetic, struct textbuf *out);

#endif
