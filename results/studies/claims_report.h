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

/* Each appends a report on the results of claims_evaluate() with tolerance factor 1, predicted claims left out: the
 * suite was not made to meet them. False when memory was short.
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

/* "fitted", "implied", "predicted" */
const char *claims_basis_name(enum claim claim);

/* What the paper says: "8 %", "above 50 %", "at most 1.5 points"; "-" when the claim is ours. */
void claims_write_paper(enum claim claim, struct textbuf *out);

/* What was measured: "8.12 %"; "none" when it is not known; with its served share, "71.45 % (served 63.14)". */
void claims_write_ours(enum claim claim, const struct claim_result *result, struct textbuf *out);

/* "+-0.5" (in the claim's unit; of unit % in points), "+-10 %" (of what is expected), "none" where the number is exact,
 * "-" where the paper gives a bound; the bound when the claim is ours. */
void claims_write_tolerance(enum claim claim, struct textbuf *out);

/* The interval of 95 %: "-12.30 to 14.52"; "-" without one. */
void claims_write_interval(enum claim claim, const struct claim_result *result, struct textbuf *out);

/* The known value of a predicted claim and its tolerance: "18.72 +-0.05". */
void claims_write_known(enum claim claim, struct textbuf *out);

/* A reproduction's claims: the paper's number beside ours, its tolerance, kind, basis and verdict; for people and for
 * programs.
 *
 * Text has the columns id, claim, paper, ours, tolerance, kind, basis, verdict. A second table has the predicted
 * claims: id, claim, ours, interval of 95 %, known value, verdict (as known, differs). Below them is how many claims
 * hold, and why the reported ones that miss may do so. CSV has a row per claim: id, source, claim, unit, judged,
 * expected, tolerance (empty where there is none), ours (empty where it is not known), low, high (interval of 95 %),
 * served_pct (of the matched share), kind, basis, verdict, known, known_tolerance, known_verdict (empty but for
 * predicted claims), synthetic (yes, no), nominal_time (yes, no). JSON has an array `claims` of objects with the same
 * members, null for what is empty; what is about known values, and `why`, are there only where the text has them.
 *
 * Where the paper's numbers are not targets (they are about other traces than ours), nothing is checked: text has the
 * first four columns of the first table only, the verdict of CSV and JSON is "context", and what is about known values
 * is empty.
 */
struct claims_shown {
	const struct claim_result *results; /* [NR_CLAIMS] */
	const bool *chosen;		    /* [NR_CLAIMS]: the table has these */
	bool is_target;			    /* the paper's numbers are targets, else context */
	bool synthetic, nominal;	    /* some trace is: trace_words.h */
};

/* "holds", "misses", "shown" for a figure that has all that belongs in it; "context" when the paper is no target. */
const char *claims_verdict(const struct claims_shown *shown, enum claim claim);

/* "as known" or "differs"; NULL when the claim is not predicted or the paper is no target. */
const char *claims_known_verdict(const struct claims_shown *shown, enum claim claim);

/* Whether a claim has a known verdict and is among those chosen. */
bool claims_has_known(const struct claims_shown *shown, enum claim claim);

/* Why a chosen claim misses: in sentences for a reported one, NULL for all that are not reported or do not miss. */
const char *claims_why(const struct claims_shown *shown, enum claim claim);

/* How many required claims were chosen and do not hold; 0 when the paper is no target. */
unsigned claims_nr_broken(const struct claims_shown *shown);

/* How many predicted claims were chosen and are not as known; 0 when the paper is no target. */
unsigned claims_nr_changed(const struct claims_shown *shown);

/* Appends the reason why chosen claims miss, "4.10 claim; claim: reason", with all those that have it; nothing where
 * `claim` is not the first that has it. */
void claims_write_why(const struct claims_shown *shown, enum claim claim, struct textbuf *out);

/* Appends the line below a table, without a line end: how many of the chosen claims hold, by kind, and how many are as
 * known, or that nothing is checked. */
void claims_write_count(const struct claims_shown *shown, struct textbuf *out);

/* Each appends the claims; false when memory was short. `bold` sets headings in bold. */
bool claims_table_text(const struct claims_shown *shown, bool bold, struct textbuf *out);
bool claims_table_csv(const struct claims_shown *shown, struct textbuf *out);
bool claims_table_json(const struct claims_shown *shown, struct textbuf *out);

#endif
