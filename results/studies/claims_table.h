/* A reproduction's claims: the paper's number beside ours, its tolerance, kind and verdict; for people and for
 * programs.
 *
 * Text has the columns id, claim, paper, ours, tolerance, kind, verdict; below them how many claims hold, and why the
 * reported ones that miss may do so. CSV has a row per claim: id, source, claim, unit, judged, expected, tolerance
 * (empty where there is none), ours (empty where it is not known), kind, verdict, synthetic (yes, no), nominal_time
 * (yes, no). JSON has an array `claims` of objects with the same members, null for what is empty, and `why` where the
 * text has it.
 *
 * Where the paper's numbers are no targets (they are about other traces than ours), they stand there as context, and
 * nothing is judged.
 */
#ifndef SAHM_RESULTS_CLAIMS_TABLE_H
#define SAHM_RESULTS_CLAIMS_TABLE_H

#include "results/studies/claims_cells.h"

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
 * judged. */
void claims_write_count(const struct claims_shown *shown, struct textbuf *out);

/* Each appends the claims; false when memory was short. `bold` sets headings in bold. */
bool claims_table_text(const struct claims_shown *shown, bool bold, struct textbuf *out);
bool claims_table_csv(const struct claims_shown *shown, struct textbuf *out);
bool claims_table_json(const struct claims_shown *shown, struct textbuf *out);

#endif
