/* What tables say of a claim, cell by cell; text is appended. */
#ifndef SAHM_RESULTS_CLAIMS_CELLS_H
#define SAHM_RESULTS_CLAIMS_CELLS_H

#include "results/studies/claims.h"
#include "sim/base/textbuf.h"

/* "within", "relative", "exactly", "above", "at least", "below", "at most" */
const char *claims_judged_name(enum claim claim);

/* "required", "reported", "shown" */
const char *claims_kind_name(enum claim claim);

/* What the paper says: "8 %", "above 50 %", "at most 1.5 points"; "-" when the claim is ours. */
void claims_write_paper(enum claim claim, struct textbuf *out);

/* What was measured: "8.12 %", and "8.12" without its unit; "none" when it is not known. */
void claims_write_ours(enum claim claim, const struct claim_result *result, struct textbuf *out);
void claims_write_ours_bare(enum claim claim, const struct claim_result *result, struct textbuf *out);

/* "+-0.5" (in the claim's unit; of unit % in points), "+-10 %" (of what is expected), "none" where the number is exact,
 * "-" where the paper gives a bound; the bound when the claim is ours. The second: widened by `factor`. */
void claims_write_tolerance(enum claim claim, struct textbuf *out);
void claims_write_tolerance_times(enum claim claim, unsigned factor, struct textbuf *out);

/* The claim's tolerance as a number, widened by `factor`; NAN where it has none. */
double claims_tolerance(enum claim claim, unsigned factor);

#endif
