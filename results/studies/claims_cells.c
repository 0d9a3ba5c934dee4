#include "results/studies/claims_cells.h"

#include <math.h>
#include <stdlib.h>

static const char *const judged_names[] = {
	[JUDGED_WITHIN] = "within",   [JUDGED_RELATIVE] = "relative", [JUDGED_EXACTLY] = "exactly",
	[JUDGED_ABOVE] = "above",     [JUDGED_AT_LEAST] = "at least", [JUDGED_BELOW] = "below",
	[JUDGED_AT_MOST] = "at most",
};

static const char *const kind_names[] = {
	[CLAIMS_REQUIRED] = "required", [CLAIMS_REPORTED] = "reported", [CLAIMS_SHOWN] = "shown"};

const char *claims_judged_name(enum claim claim)
{
	return judged_names[claim_rows[claim].judged];
}

const char *claims_kind_name(enum claim claim)
{
	return kind_names[claim_rows[claim].duty];
}

static bool is_bound(enum claim_judged judged)
{
	return judged == JUDGED_ABOVE || judged == JUDGED_AT_LEAST || judged == JUDGED_BELOW ||
	       judged == JUDGED_AT_MOST;
}

static void write_expected(const struct claim_row *row, struct textbuf *out)
{
	if (is_bound(row->judged))
		textbuf_printf(out, "%s ", judged_names[row->judged]);
	textbuf_printf(out, "%s%s%s", row->expected, *row->unit ? " " : "", row->unit);
}

void claims_write_paper(enum claim claim, struct textbuf *out)
{
	if (claim_rows[claim].whose == CLAIMS_PAPER)
		write_expected(&claim_rows[claim], out);
	else
		textbuf_puts(out, "-");
}

/* Adding 0 turns -0 into 0. */
static void write_ours(enum claim claim, const struct claim_result *result, const char *unit, struct textbuf *out)
{
	if (result->known)
		textbuf_printf(out, "%.*f%s%s", claim_rows[claim].digits, result->ours + 0.0, *unit ? " " : "", unit);
	else
		textbuf_puts(out, "none");
}

void claims_write_ours(enum claim claim, const struct claim_result *result, struct textbuf *out)
{
	write_ours(claim, result, claim_rows[claim].unit, out);
}

void claims_write_ours_bare(enum claim claim, const struct claim_result *result, struct textbuf *out)
{
	write_ours(claim, result, "", out);
}

double claims_tolerance(enum claim claim, unsigned factor)
{
	const char *tolerance = claim_rows[claim].tolerance;
	return *tolerance ? strtod(tolerance, NULL) * factor : NAN;
}

void claims_write_tolerance_times(enum claim claim, unsigned factor, struct textbuf *out)
{
	const struct claim_row *row = &claim_rows[claim];
	if (row->whose == CLAIMS_OURS)
		write_expected(row, out);
	else if (*row->tolerance)
		textbuf_printf(out, "+-%g%s", claims_tolerance(claim, factor),
			       row->judged == JUDGED_RELATIVE ? " %" : "");
	else
		textbuf_puts(out, row->judged == JUDGED_EXACTLY ? "none" : "-");
}

void claims_write_tolerance(enum claim claim, struct textbuf *out)
{
	claims_write_tolerance_times(claim, 1, out);
}
