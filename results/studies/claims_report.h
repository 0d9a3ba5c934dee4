/* The study's claims about traces beside what was found, as text for people and as CSV for programs.
 *
 * A text table shows a claim that is ours, not the study's, with "-" under "paper" and its bound under "tolerance". CSV
 * has a row per claim: id, whose (paper, ours), source, claim, unit, judged (within, relative, exactly, above, at
 * least), expected, tolerance (in force; empty where there is none), ours (empty where it is not known; ours_<seed> for
 * each of several seeds), holds, synthetic (yes, no).
 */
#ifndef SAHM_RESULTS_STUDIES_CLAIMS_REPORT_H
#define SAHM_RESULTS_STUDIES_CLAIMS_REPORT_H

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

/* Columns of a claim, cell by cell; text is appended. */

/* "required", "reported", "shown" */
const char *claims_kind_name(enum claim claim);

/* What the paper says: "8 %", "above 50 %", "at most 1.5 points"; "-" when the claim is ours. */
void claims_write_paper(enum claim claim, struct textbuf *out);

/* What was measured: "8.12 %"; "none" when it is not known. */
void claims_write_ours(enum claim claim, const struct claim_result *result, struct textbuf *out);

/* "+-0.5" (in the claim's unit; of unit % in points), "+-10 %" (of what is expected), "none" where the number is exact,
 * "-" where the paper gives a bound; the bound when the claim is ours. */
void claims_write_tolerance(enum claim claim, struct textbuf *out);

/* A reproduction's claims: the paper's number beside ours, its tolerance, kind and verdict; for people and for
 * programs.
 *
 * Text has the columns id, claim, paper, ours, tolerance, kind, verdict; below them how many claims hold, and why the
 * reported ones that miss may do so. CSV has a row per claim: id, source, claim, unit, judged, expected, tolerance
 * (empty where there is none), ours (empty where it is not known), kind, verdict, synthetic (yes, no), nominal_time
 * (yes, no). JSON has an array `claims` of objects with the same members, null for what is empty, and `why` where the
 * text has it.
 *
 * Where the paper's numbers are not targets (they are about other traces than ours), nothing is checked: text has the
 * first four columns only, and the verdict of CSV and JSON is "context".
 */
struct claims_shown {
	const struct claim_result *results; /* [NR_CLAIMS] */
	const bool *chosen;		    /* [NR_CLAIMS]: the table has these */
	bool is_target;			    /* the paper's numbers are targets, else context */
	bool synthetic, nominal;	    /* some trace is: trace_words.h */
};

/* "holds", "misses", "shown" for a figure that has all that belongs in it; "context" when the paper is no target. */
const char *claims_verdict(const struct claims_shown *shown, enum claim claim);

/* Why a chosen claim misses: in sentences for a reported one, NULL for all that are not reported or do not miss. */
const char *claims_why(const struct claims_shown *shown, enum claim claim);

/* How many required claims were chosen and do not hold; 0 when the paper is no target. */
unsigned claims_nr_broken(const struct claims_shown *shown);

/* Appends the line below a table, without a line end: how many of the chosen claims hold, by kind, or that nothing is
 * checked. */
void claims_write_count(const struct claims_shown *shown, struct textbuf *out);

/* Each appends the claims; false when memory was short. `bold` sets headings in bold. */
bool claims_table_text(const struct claims_shown *shown, bool bold, struct textbuf *out);
bool claims_table_csv(const struct claims_shown *shown, struct textbuf *out);
bool claims_table_json(const struct claims_shown *shown, struct textbuf *out);

#endif
