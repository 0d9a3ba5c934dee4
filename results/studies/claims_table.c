#include "results/studies/claims_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"

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
		textbuf_puts(out, "the paper's column is context: nothing is judged");
		return;
	}
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		unsigned nr_held, nr = count(shown, kinds[k].duty, &nr_held);
		if (nr == 0)
			continue;
		textbuf_printf(out, "%s%u of %u %s %s", before, nr_held, nr, nr == 1 ? kinds[k].word : kinds[k].words,
			       nr == 1 ? kinds[k].holds : kinds[k].hold);
		before = ", ";
	}
	if (!*before)
		textbuf_puts(out, "no claims");
}

/* Appends `text` word by word, lines behind the first one indented. */
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

static void write_reasons(const struct claims_shown *shown, struct textbuf *out)
{
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		struct textbuf line;
		const char *why = claims_why(shown, (enum claim)c);
		if (!why)
			continue;
		textbuf_init(&line);
		textbuf_printf(&line, "%s %s: %s", claim_rows[c].id, claim_rows[c].text, why);
		textbuf_putc(out, '\n');
		write_wrapped(line.text, 2, out);
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
	claims_write_tolerance(c, &text);
	table_cell_text(t, &text);
	table_cell(t, "%s", claims_kind_name(c));
	table_cell(t, "%s", claims_verdict(shown, c));
	textbuf_release(&text);
}

bool claims_table_text(const struct claims_shown *shown, bool bold, struct textbuf *out)
{
	static const char *const headings[] = {"id", "claim", "paper", "ours", "tolerance", "kind", "verdict"};
	struct table t;
	bool ruled = true;
	table_init(&t);
	t.left |= 1u << 1 | 1u << 5 | 1u << 6; /* claim, kind and verdict */
	table_row(&t, false);
	for (size_t h = 0; h < sizeof(headings) / sizeof(headings[0]); h++)
		table_cell(&t, "%s", headings[h]);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		if (!shown->chosen[c])
			continue;
		table_row(&t, ruled);
		ruled = false;
		text_row(&t, shown, (enum claim)c);
	}
	if (shown->is_target)
		textbuf_printf(out, "claims of the study, held against %s\n\n",
			       trace_words_traces(shown->synthetic, shown->nominal));
	else
		textbuf_printf(out, "claims of the study, as context%s%s\n\n",
			       shown->synthetic ? "; some traces are synthetic" : "",
			       shown->nominal ? "; some traces have nominal time" : "");
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	textbuf_putc(out, '\n');
	claims_write_count(shown, out);
	textbuf_putc(out, '\n');
	write_reasons(shown, out);
	return ok && !textbuf_failed(out);
}

bool claims_table_csv(const struct claims_shown *shown, struct textbuf *out)
{
	textbuf_puts(out, "id,source,claim,unit,judged,expected,tolerance,ours,kind,verdict,synthetic,nominal_time");
	csv_end_row(out);
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		const struct claim_row *row = &claim_rows[c];
		if (!shown->chosen[c])
			continue;
		csv_string(out, row->id);
		csv_string(out, row->source);
		csv_string(out, row->text);
		csv_string(out, row->unit);
		csv_string(out, claims_judged_name((enum claim)c));
		csv_string(out, row->expected);
		csv_double(out, claims_tolerance((enum claim)c, 1));
		csv_double(out, shown->results[c].ours);
		csv_string(out, claims_kind_name((enum claim)c));
		csv_string(out, claims_verdict(shown, (enum claim)c));
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
		jwrite_string(j, "judged", claims_judged_name((enum claim)c));
		jwrite_double(j, "expected", strtod(row->expected, NULL));
		jwrite_double(j, "tolerance", claims_tolerance((enum claim)c, 1));
		jwrite_double(j, "ours", shown->results[c].ours);
		jwrite_string(j, "kind", claims_kind_name((enum claim)c));
		jwrite_string(j, "verdict", claims_verdict(shown, (enum claim)c));
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
