#include "results/studies/claims_report.h"

#include <inttypes.h>

#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "results/studies/claims_cells.h"

/* What either report is made from: results side by side. */
struct columns {
	const struct claim_result *results[MAX_CLAIM_SEEDS];
	uint64_t seeds[MAX_CLAIM_SEEDS];
	unsigned nr;
	bool of_seeds; /* they have headings of their own */
	unsigned tolerance_factor;
	bool synthetic;
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

/* Beside its like the value alone will do: the paper's names the unit. */
static void text_row(struct table *t, const struct columns *cols, enum claim claim)
{
	struct textbuf text;
	textbuf_init(&text);
	table_row(t, claim == 0);
	table_cell(t, "%s", claim_rows[claim].id);
	table_cell(t, "%s", claim_rows[claim].text);
	claims_write_paper(claim, &text);
	table_cell_text(t, &text);
	for (unsigned i = 0; i < cols->nr; i++) {
		if (cols->of_seeds)
			claims_write_ours_bare(claim, &cols->results[i][claim], &text);
		else
			claims_write_ours(claim, &cols->results[i][claim], &text);
		table_cell_text(t, &text);
	}
	claims_write_tolerance_times(claim, cols->tolerance_factor, &text);
	table_cell_text(t, &text);
	table_cell(t, all_hold(cols, claim) ? "holds" : "misses");
	textbuf_release(&text);
}

static bool write_text(const struct columns *cols, bool bold, struct textbuf *out)
{
	unsigned nr_held = 0;
	struct table t;
	table_init(&t);
	text_headings(&t, cols);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (claim_rows[c].from != CLAIMS_OF_TRACES)
			continue;
		text_row(&t, cols, (enum claim)c);
		nr_held += all_hold(cols, c);
	}
	textbuf_printf(out, "claims of the study, held against %straces", cols->synthetic ? "synthetic " : "");
	if (cols->of_seeds)
		textbuf_printf(out, " of %u seed%s, a column each; tolerances times %u", cols->nr,
			       cols->nr == 1 ? "" : "s", cols->tolerance_factor);
	textbuf_puts(out, "\n\n");
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	textbuf_printf(out, "\n%u of %u claims hold\n", nr_held, claims_nr_from(CLAIMS_OF_TRACES));
	return ok && !textbuf_failed(out);
}

static void csv_row(const struct columns *cols, enum claim claim, struct textbuf *out)
{
	const struct claim_row *row = &claim_rows[claim];
	csv_string(out, row->id);
	csv_string(out, row->whose == CLAIMS_PAPER ? "paper" : "ours");
	csv_string(out, row->source);
	csv_string(out, row->text);
	csv_string(out, row->unit);
	csv_string(out, claims_judged_name(claim));
	csv_string(out, row->expected);
	csv_double(out, claims_tolerance(claim, cols->tolerance_factor));
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
		if (claim_rows[c].from == CLAIMS_OF_TRACES)
			csv_row(cols, (enum claim)c, out);
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
