#include "results/claims_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "results/csv.h"
#include "results/table.h"
#include "sim/base/number.h"

/* What either report is made from: results side by side. */
struct columns {
	const struct claim_result *results[MAX_CLAIM_SEEDS];
	uint64_t seeds[MAX_CLAIM_SEEDS];
	unsigned nr;
	bool of_seeds; /* they have headings of their own */
	unsigned tolerance_factor;
	bool synthetic;
};

static const char *const judged_names[] = {
	[JUDGED_WITHIN] = "within", [JUDGED_RELATIVE] = "relative", [JUDGED_EXACTLY] = "exactly",
	[JUDGED_ABOVE] = "above",   [JUDGED_AT_LEAST] = "at least",
};

static struct columns columns_of(const struct claim_result results[NR_CLAIMS], bool synthetic)
{
	return (struct columns){.results = {results}, .nr = 1, .tolerance_factor = 1, .synthetic = synthetic};
}

static struct columns columns_of_seeds(const struct claims_of_seed *seeds, unsigned nr, bool synthetic)
{
	struct columns cols = {
		.nr = nr, .of_seeds = true, .tolerance_factor = CLAIMS_SEED_FACTOR, .synthetic = synthetic};
	for (unsigned i = 0; i < nr; i++) {
		cols.results[i] = seeds[i].results;
		cols.seeds[i] = seeds[i].seed;
	}
	return cols;
}

static bool all_hold(const struct columns *cols, unsigned claim)
{
	for (unsigned i = 0; i < cols->nr; i++)
		if (!cols->results[i][claim].holds)
			return false;
	return true;
}

static double tolerance_of(const struct columns *cols, const struct claim_row *row)
{
	return strtod(row->tolerance, NULL) * cols->tolerance_factor;
}

/* "8 %", "above 50 %", "at least 3 x" */
static void expected_cell(struct table *t, const struct claim_row *row)
{
	bool is_bound = row->judged == JUDGED_ABOVE || row->judged == JUDGED_AT_LEAST;
	table_cell(t, "%s%s%s%s%s", is_bound ? judged_names[row->judged] : "", is_bound ? " " : "", row->expected,
		   *row->unit ? " " : "", row->unit);
}

static void tolerance_cell(struct table *t, const struct columns *cols, const struct claim_row *row)
{
	if (row->whose == CLAIMS_OURS)
		expected_cell(t, row);
	else if (*row->tolerance)
		table_cell(t, "+-%g%s", tolerance_of(cols, row), row->judged == JUDGED_RELATIVE ? " %" : "");
	else
		table_cell(t, row->judged == JUDGED_EXACTLY ? "none" : "-");
}

/* Beside its like the value alone will do: the paper's names the unit. */
static void ours_cell(struct table *t, const struct claim_row *row, const struct claim_result *result, bool with_unit)
{
	const char *unit = with_unit ? row->unit : "";
	if (result->known)
		table_cell(t, "%.*f%s%s", row->digits, result->ours + 0.0, *unit ? " " : "", unit);
	else
		table_cell(t, "none");
}

static void text_headings(struct table *t, const struct columns *cols)
{
	t->left |= 1u << 1 | 1u << (cols->nr + 4); /* claim and verdict */
	table_row(t, false);
	table_cell(t, "id");
	table_cell(t, "claim");
	table_cell(t, "paper");
	for (unsigned i = 0; i < cols->nr; i++) {
		if (cols->of_seeds)
			table_cell(t, "%" PRIu64, cols->seeds[i]);
		else
			table_cell(t, "ours");
	}
	table_cell(t, "tolerance");
	table_cell(t, "verdict");
}

static void text_row(struct table *t, const struct columns *cols, unsigned claim)
{
	const struct claim_row *row = &claim_rows[claim];
	table_row(t, claim == 0);
	table_cell(t, "%s", row->id);
	table_cell(t, "%s", row->text);
	if (row->whose == CLAIMS_PAPER)
		expected_cell(t, row);
	else
		table_cell(t, "-");
	for (unsigned i = 0; i < cols->nr; i++)
		ours_cell(t, row, &cols->results[i][claim], !cols->of_seeds);
	tolerance_cell(t, cols, row);
	table_cell(t, all_hold(cols, claim) ? "holds" : "misses");
}

static bool write_text(const struct columns *cols, bool bold, struct textbuf *out)
{
	unsigned nr_held = 0;
	struct table t;
	table_init(&t);
	text_headings(&t, cols);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		text_row(&t, cols, c);
		nr_held += all_hold(cols, c);
	}
	textbuf_printf(out, "claims of the study, held against %straces", cols->synthetic ? "synthetic " : "");
	if (cols->of_seeds)
		textbuf_printf(out, " of %u seed%s, a column each; tolerances times %u", cols->nr,
			       cols->nr == 1 ? "" : "s", cols->tolerance_factor);
	textbuf_puts(out, "\n\n");
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	textbuf_printf(out, "\n%u of %u claims hold\n", nr_held, (unsigned)NR_CLAIMS);
	return ok && !textbuf_failed(out);
}

static void csv_row(const struct columns *cols, unsigned claim, struct textbuf *out)
{
	const struct claim_row *row = &claim_rows[claim];
	csv_string(out, row->id);
	csv_string(out, row->whose == CLAIMS_PAPER ? "paper" : "ours");
	csv_string(out, row->source);
	csv_string(out, row->text);
	csv_string(out, row->unit);
	csv_string(out, judged_names[row->judged]);
	csv_string(out, row->expected);
	csv_double(out, *row->tolerance ? tolerance_of(cols, row) : NAN);
	for (unsigned i = 0; i < cols->nr; i++)
		csv_double(out, cols->results[i][claim].ours);
	csv_string(out, all_hold(cols, claim) ? "yes" : "no");
	csv_string(out, cols->synthetic ? "yes" : "no");
	csv_end_row(out);
}

static bool write_csv(const struct columns *cols, struct textbuf *out)
{
	textbuf_puts(out, "id,whose,source,claim,unit,judged,expected,tolerance");
	for (unsigned i = 0; i < cols->nr; i++) {
		textbuf_puts(out, ",ours");
		if (cols->of_seeds)
			textbuf_printf(out, "_%" PRIu64, cols->seeds[i]);
	}
	textbuf_puts(out, ",holds,synthetic");
	csv_end_row(out);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		csv_row(cols, c, out);
	return !textbuf_failed(out);
}

bool claims_report_text(const struct claim_result results[NR_CLAIMS], bool synthetic, bool bold, struct textbuf *out)
{
	struct columns cols = columns_of(results, synthetic);
	return write_text(&cols, bold, out);
}

bool claims_report_csv(const struct claim_result results[NR_CLAIMS], bool synthetic, struct textbuf *out)
{
	struct columns cols = columns_of(results, synthetic);
	return write_csv(&cols, out);
}

bool claims_report_seeds_text(const struct claims_of_seed *seeds, unsigned nr, bool synthetic, bool bold,
			      struct textbuf *out)
{
	struct columns cols = columns_of_seeds(seeds, nr, synthetic);
	return write_text(&cols, bold, out);
}

bool claims_report_seeds_csv(const struct claims_of_seed *seeds, unsigned nr, bool synthetic, struct textbuf *out)
{
	struct columns cols = columns_of_seeds(seeds, nr, synthetic);
	return write_csv(&cols, out);
}
