#include "results/studies/claims_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"
#include "sim/base/array.h"

static const char *const judged_names[] = {
	[JUDGED_WITHIN] = "within",   [JUDGED_RELATIVE] = "relative", [JUDGED_EXACTLY] = "exactly",
	[JUDGED_ABOVE] = "above",     [JUDGED_AT_LEAST] = "at least", [JUDGED_BELOW] = "below",
	[JUDGED_AT_MOST] = "at most",
};

static const char *const kind_names[] = {
	[CLAIMS_REQUIRED] = "required", [CLAIMS_REPORTED] = "reported", [CLAIMS_SHOWN] = "shown"};

static const char *const basis_names[] = {
	[CLAIMS_FITTED] = "fitted", [CLAIMS_IMPLIED] = "implied", [CLAIMS_PREDICTED] = "predicted"};

static const char *judged_name(enum claim claim)
{
	return judged_names[claim_rows[claim].judged];
}

const char *claims_kind_name(enum claim claim)
{
	return kind_names[claim_rows[claim].duty];
}

const char *claims_basis_name(enum claim claim)
{
	return basis_names[claim_rows[claim].basis];
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
	const bool is_one_point = strcmp(row->expected, "1") == 0 && strcmp(row->unit, "points") == 0;
	textbuf_printf(out, "%s%s%s", row->expected, *row->unit ? " " : "", is_one_point ? "point" : row->unit);
}

void claims_write_paper(enum claim claim, struct textbuf *out)
{
	if (claim_rows[claim].whose == CLAIMS_PAPER)
		write_expected(&claim_rows[claim], out);
	else
		textbuf_puts(out, "-");
}

/* What was measured: "8.12 %"; "none" when it is not known. Adding 0 turns -0 into 0. */
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
	if (!isnan(result->served))
		textbuf_printf(out, " (served %.*f)", claim_rows[claim].digits, result->served);
}

void claims_write_interval(enum claim claim, const struct claim_result *result, struct textbuf *out)
{
	int digits = claim_rows[claim].digits;
	if (isnan(result->low) || isnan(result->high))
		textbuf_puts(out, "-");
	else
		textbuf_printf(out, "%.*f to %.*f", digits, result->low + 0.0, digits, result->high + 0.0);
}

void claims_write_known(enum claim claim, struct textbuf *out)
{
	textbuf_printf(out, "%s +-%s", claim_rows[claim].known, claim_rows[claim].known_tolerance);
}

/* The tolerance as a number, widened by `factor`; NAN where there is none. */
static double tolerance_of(enum claim claim, unsigned factor)
{
	const char *tolerance = claim_rows[claim].tolerance;
	return *tolerance ? strtod(tolerance, NULL) * factor : NAN;
}

/* claims_write_tolerance(), widened by `factor`. */
static void write_tolerance(enum claim claim, unsigned factor, struct textbuf *out)
{
	const struct claim_row *row = &claim_rows[claim];
	if (row->whose == CLAIMS_OURS)
		write_expected(row, out);
	else if (*row->tolerance)
		textbuf_printf(out, "+-%g%s", tolerance_of(claim, factor), row->judged == JUDGED_RELATIVE ? " %" : "");
	else
		textbuf_puts(out, row->judged == JUDGED_EXACTLY ? "none" : "-");
}

void claims_write_tolerance(enum claim claim, struct textbuf *out)
{
	write_tolerance(claim, 1, out);
}

/* Input of either report: results side by side. */
struct columns {
	const struct claim_result *results[MAX_CLAIM_SEEDS];
	uint64_t seeds[MAX_CLAIM_SEEDS];
	unsigned nr;
	bool of_seeds; /* they have separate headings */
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

/* Beside its like, only the value is needed: the paper's names the unit. */
static void report_row(struct table *t, const struct columns *cols, enum claim claim)
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
			write_ours(claim, &cols->results[i][claim], "", &text);
		else
			claims_write_ours(claim, &cols->results[i][claim], &text);
		table_cell_text(t, &text);
	}
	write_tolerance(claim, cols->tolerance_factor, &text);
	table_cell_text(t, &text);
	table_cell(t, all_hold(cols, claim) ? "holds" : "misses");
	textbuf_release(&text);
}

static bool write_text(const struct columns *cols, bool bold, struct textbuf *out)
{
	unsigned nr_held = 0, nr = 0;
	struct table t;
	table_init(&t);
	text_headings(&t, cols);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (!claim_is_of_suite((enum claim)c))
			continue;
		report_row(&t, cols, (enum claim)c);
		nr++;
		nr_held += all_hold(cols, c);
	}
	textbuf_printf(out, "claims of the paper, compared with %straces", cols->synthetic ? "synthetic " : "");
	if (cols->of_seeds)
		textbuf_printf(out, " of %u seed%s, a column each; tolerances times %u", cols->nr,
			       cols->nr == 1 ? "" : "s", cols->tolerance_factor);
	textbuf_puts(out, "\n\n");
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	textbuf_printf(out, "\n%u of %u claims hold\n", nr_held, nr);
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
	csv_string(out, judged_name(claim));
	csv_string(out, row->expected);
	csv_double(out, tolerance_of(claim, cols->tolerance_factor));
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
		if (claim_is_of_suite((enum claim)c))
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

/* Longest line of text below the table, in characters, but for a word that is longer. */
#define WRAP_COLUMNS 100u

const char *claims_verdict(const struct claims_shown *shown, enum claim claim)
{
	if (!shown->is_target)
		return "context";
	if (!shown->results[claim].holds)
		return "misses";
	return claim_rows[claim].duty == CLAIMS_SHOWN ? "shown" : "holds";
}

bool claims_has_known(const struct claims_shown *shown, enum claim claim)
{
	return shown->is_target && shown->chosen[claim] && claim_rows[claim].basis == CLAIMS_PREDICTED;
}

const char *claims_known_verdict(const struct claims_shown *shown, enum claim claim)
{
	if (!shown->is_target || claim_rows[claim].basis != CLAIMS_PREDICTED)
		return NULL;
	return claim_is_as_known(claim, shown->results[claim].ours) ? "as known" : "differs";
}

const char *claims_why(const struct claims_shown *shown, enum claim claim)
{
	bool misses = shown->is_target && shown->chosen[claim] && !shown->results[claim].holds;
	if (!misses || claim_rows[claim].duty != CLAIMS_REPORTED)
		return NULL;
	return shown->results[claim].known ? claim_rows[claim].why
					   : "It is not known: there is nothing to measure it by.";
}

/* How many of the kind `duty` were chosen, and how many of these hold. */
static unsigned count(const struct claims_shown *shown, enum claim_duty duty, unsigned *nr_held)
{
	unsigned nr = 0;
	*nr_held = 0;
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (!shown->chosen[c] || claim_rows[c].duty != duty)
			continue;
		nr++;
		*nr_held += shown->results[c].holds;
	}
	return nr;
}

unsigned claims_nr_broken(const struct claims_shown *shown)
{
	unsigned nr_held, nr = count(shown, CLAIMS_REQUIRED, &nr_held);
	return shown->is_target ? nr - nr_held : 0;
}

/* How many chosen claims have a known value, and how many are as known. */
static unsigned count_known(const struct claims_shown *shown, unsigned *nr_as_known)
{
	unsigned nr = 0;
	*nr_as_known = 0;
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (!claims_has_known(shown, (enum claim)c))
			continue;
		nr++;
		*nr_as_known += claim_is_as_known((enum claim)c, shown->results[c].ours);
	}
	return nr;
}

unsigned claims_nr_changed(const struct claims_shown *shown)
{
	unsigned nr_as_known, nr = count_known(shown, &nr_as_known);
	return nr - nr_as_known;
}

void claims_write_count(const struct claims_shown *shown, struct textbuf *out)
{
	static const struct {
		enum claim_duty duty;
		const char *word, *words, *holds, *hold;
	} kinds[] = {
		{CLAIMS_REQUIRED, "required claim", "required claims", "holds", "hold"},
		{CLAIMS_REPORTED, "reported claim", "reported claims", "holds", "hold"},
		{CLAIMS_SHOWN, "figure", "figures", "is complete", "are complete"},
	};
	const char *before = "";
	if (!shown->is_target) {
		textbuf_puts(out, "the paper's values are about other traces: nothing is checked");
		return;
	}
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		unsigned nr_held, nr = count(shown, kinds[k].duty, &nr_held);
		if (nr == 0)
			continue;
		textbuf_printf(out, "%s%u of %u %s %s", before, nr_held, nr, nr == 1 ? kinds[k].word : kinds[k].words,
			       nr == 1 ? kinds[k].holds : kinds[k].hold);
		before = ", ";
	}
	if (!*before)
		textbuf_puts(out, "no claims");
	unsigned nr_as_known, nr = count_known(shown, &nr_as_known);
	if (nr > 0)
		textbuf_printf(out, "; %u of %u predicted value%s as known", nr_as_known, nr,
			       nr == 1 ? " is" : "s are");
}

/* Appends `text` word by word, lines after the first one indented. */
static void write_wrapped(const char *text, unsigned indent, struct textbuf *out)
{
	unsigned column = 0;
	while (*text) {
		unsigned len = (unsigned)strcspn(text, " ");
		if (column > 0 && column + 1 + len > WRAP_COLUMNS) {
			textbuf_printf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > 0) {
			textbuf_putc(out, ' ');
			column++;
		}
		textbuf_add(out, text, len);
		column += len;
		text += len + strspn(text + len, " ");
	}
	textbuf_putc(out, '\n');
}

void claims_write_why(const struct claims_shown *shown, enum claim claim, struct textbuf *out)
{
	const char *why = claims_why(shown, claim);
	for (unsigned c = 0; c < NR_CLAIMS && why; c++) {
		const char *other = claims_why(shown, (enum claim)c);
		if (!other || strcmp(other, why) != 0)
			continue;
		if (c < claim)
			return;
		if (c == claim)
			textbuf_printf(out, "%s %s", claim_rows[c].id, claim_rows[c].text);
		else
			textbuf_printf(out, "; %s", claim_rows[c].text);
	}
	if (why)
		textbuf_printf(out, ": %s", why);
}

static void write_reasons(const struct claims_shown *shown, struct textbuf *out)
{
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		struct textbuf line;
		textbuf_init(&line);
		claims_write_why(shown, (enum claim)c, &line);
		if (line.len > 0) {
			textbuf_putc(out, '\n');
			write_wrapped(line.text, 2, out);
		}
		out->failed |= textbuf_failed(&line);
		textbuf_release(&line);
	}
}

static void text_row(struct table *t, const struct claims_shown *shown, enum claim c)
{
	struct textbuf text;
	textbuf_init(&text);
	table_cell(t, "%s", claim_rows[c].id);
	table_cell(t, "%s", claim_rows[c].text);
	claims_write_paper(c, &text);
	table_cell_text(t, &text);
	claims_write_ours(c, &shown->results[c], &text);
	table_cell_text(t, &text);
	if (shown->is_target) {
		claims_write_tolerance(c, &text);
		table_cell_text(t, &text);
		table_cell(t, "%s", claims_kind_name(c));
		table_cell(t, "%s", claims_basis_name(c));
		table_cell(t, "%s", claims_verdict(shown, c));
	}
	textbuf_release(&text);
}

static void known_row(struct table *t, const struct claims_shown *shown, enum claim c)
{
	struct textbuf text;
	textbuf_init(&text);
	table_cell(t, "%s", claim_rows[c].id);
	table_cell(t, "%s", claim_rows[c].text);
	write_ours(c, &shown->results[c], claim_rows[c].unit, &text);
	table_cell_text(t, &text);
	claims_write_interval(c, &shown->results[c], &text);
	table_cell_text(t, &text);
	claims_write_known(c, &text);
	table_cell_text(t, &text);
	table_cell(t, "%s", claims_known_verdict(shown, c));
	textbuf_release(&text);
}

/* The predicted claims a second time, beside what this version is known to find; nothing where there are none. */
static bool known_table(const struct claims_shown *shown, bool bold, struct textbuf *out)
{
	static const char *const headings[] = {"id", "predicted", "ours", "95 %", "known", "verdict"};
	struct table t;
	bool ruled = true;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 5; /* claim and verdict */
	table_row(&t, false);
	table_words(&t, headings, ARRAY_SIZE(headings));
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (!claims_has_known(shown, (enum claim)c))
			continue;
		table_row(&t, ruled);
		ruled = false;
		known_row(&t, shown, (enum claim)c);
	}
	if (!ruled)
		textbuf_puts(out, "\npredicted values, compared with those that this version is known to find\n\n");
	bool ok = ruled || table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

bool claims_table_text(const struct claims_shown *shown, bool bold, struct textbuf *out)
{
	static const char *const headings[] = {"id", "claim", "paper", "ours", "tolerance", "kind", "basis", "verdict"};
	const size_t nr_values = 4; /* the first columns: all where nothing is checked */
	struct table t;
	bool ruled = true;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 5 | 1u << 6 | 1u << 7; /* claim, kind, basis and verdict */
	table_row(&t, false);
	table_words(&t, headings, shown->is_target ? ARRAY_SIZE(headings) : nr_values);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (!shown->chosen[c])
			continue;
		table_row(&t, ruled);
		ruled = false;
		text_row(&t, shown, (enum claim)c);
	}
	if (shown->is_target)
		textbuf_printf(out, "claims of the paper, compared with %s\n\n",
			       trace_words_traces(shown->synthetic, shown->nominal));
	else
		textbuf_printf(out, "the paper's values beside ours%s%s\n\n",
			       shown->synthetic ? "; some traces are synthetic" : "",
			       shown->nominal ? "; some traces have an assumed time base" : "");
	bool ok = table_write(&t, bold, out) && known_table(shown, bold, out);
	table_release(&t);
	textbuf_putc(out, '\n');
	claims_write_count(shown, out);
	textbuf_putc(out, '\n');
	write_reasons(shown, out);
	return ok && !textbuf_failed(out);
}

bool claims_table_csv(const struct claims_shown *shown, struct textbuf *out)
{
	textbuf_puts(out,
		     "id,source,claim,unit,judged,expected,tolerance,ours,low,high,served_pct,kind,basis,verdict,known,"
		     "known_tolerance,known_verdict,synthetic,nominal_time");
	csv_end_row(out);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		const struct claim_row *row = &claim_rows[c];
		if (!shown->chosen[c])
			continue;
		csv_string(out, row->id);
		csv_string(out, row->source);
		csv_string(out, row->text);
		csv_string(out, row->unit);
		csv_string(out, judged_name((enum claim)c));
		csv_string(out, row->expected);
		csv_double(out, tolerance_of((enum claim)c, 1));
		csv_double(out, shown->results[c].ours);
		csv_double(out, shown->results[c].low);
		csv_double(out, shown->results[c].high);
		csv_double(out, shown->results[c].served);
		csv_string(out, claims_kind_name((enum claim)c));
		csv_string(out, claims_basis_name((enum claim)c));
		csv_string(out, claims_verdict(shown, (enum claim)c));
		bool has_known = claims_has_known(shown, (enum claim)c);
		csv_double(out, has_known ? strtod(row->known, NULL) : NAN);
		csv_double(out, has_known ? strtod(row->known_tolerance, NULL) : NAN);
		csv_string(out, has_known ? claims_known_verdict(shown, (enum claim)c) : "");
		csv_string(out, shown->synthetic ? "yes" : "no");
		csv_string(out, shown->nominal ? "yes" : "no");
		csv_end_row(out);
	}
	return !textbuf_failed(out);
}

static void write_claims(const struct claims_shown *shown, struct jwriter *j)
{
	jwrite_begin_array(j, "claims", false);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		const struct claim_row *row = &claim_rows[c];
		const char *why = claims_why(shown, (enum claim)c);
		if (!shown->chosen[c])
			continue;
		jwrite_begin_object(j, NULL);
		jwrite_string(j, "id", row->id);
		jwrite_string(j, "source", row->source);
		jwrite_string(j, "claim", row->text);
		jwrite_string(j, "unit", row->unit);
		jwrite_string(j, "judged", judged_name((enum claim)c));
		jwrite_double(j, "expected", strtod(row->expected, NULL));
		jwrite_double(j, "tolerance", tolerance_of((enum claim)c, 1));
		jwrite_double(j, "ours", shown->results[c].ours);
		jwrite_double(j, "low", shown->results[c].low);
		jwrite_double(j, "high", shown->results[c].high);
		jwrite_double(j, "served_pct", shown->results[c].served);
		jwrite_string(j, "kind", claims_kind_name((enum claim)c));
		jwrite_string(j, "basis", claims_basis_name((enum claim)c));
		jwrite_string(j, "verdict", claims_verdict(shown, (enum claim)c));
		if (claims_has_known(shown, (enum claim)c)) {
			jwrite_double(j, "known", strtod(row->known, NULL));
			jwrite_double(j, "known_tolerance", strtod(row->known_tolerance, NULL));
			jwrite_string(j, "known_verdict", claims_known_verdict(shown, (enum claim)c));
		}
		jwrite_bool(j, "synthetic", shown->synthetic);
		jwrite_bool(j, "nominal_time", shown->nominal);
		if (why)
			jwrite_string(j, "why", why);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

bool claims_table_json(const struct claims_shown *shown, struct textbuf *out)
{
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	write_claims(shown, &j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}
