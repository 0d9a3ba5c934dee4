/* The study of what an IPU costs as text, JSON and CSV. */
#include "ipu/studies/study_cost.h"
#include "results/metrics/csv.h"
#include "results/metrics/table.h"
#include "sim/base/array.h"
#include "sim/cli/ipu_study_report.h"
#include "sim/cli/output.h"

#define QUOTED                                                                                                         \
	"All figures and parts are quoted from the dissertation, chapter 2; \"computed\" is arithmetic on the parts, " \
	"not a\nsynthesis or a measurement."

static unsigned count_slips(void)
{
	unsigned nr = 0;
	for (unsigned i = 0; i < NR_COST_FIGURES; i++)
		nr += !cost_figure(i).agrees;
	return nr;
}

static void write_published(const struct cost_figure *f, struct textbuf *out)
{
	textbuf_printf(out, "%s%s%s %s", f->relation, *f->relation ? " " : "", f->text, f->unit);
}

static void write_slips(struct textbuf *out)
{
	textbuf_printf(out, "\n%u of %u published figures are not what their parts give:\n", count_slips(),
		       (unsigned)NR_COST_FIGURES);
	for (unsigned i = 0; i < NR_COST_FIGURES; i++) {
		struct cost_figure f = cost_figure(i);
		if (f.agrees)
			continue;
		textbuf_printf(out, "- %s, %s: %.4g %s, not ", f.kind, f.name, f.computed, f.unit);
		write_published(&f, out);
		textbuf_printf(out, "; %s\n", f.note);
	}
}

static void write_inferred(struct textbuf *out)
{
	textbuf_puts(out, "\nThe text leaves out these parts; its own figures imply them:\n");
	for (unsigned i = 0; i < NR_COST_PARTS; i++) {
		struct cost_part p = cost_part(i);
		if (p.source == COST_INFERRED)
			textbuf_printf(out, "- %s: %s%s%s (%s)\n", p.name, p.text, *p.unit ? " " : "", p.unit, p.place);
	}
}

bool study_cost_text(struct textbuf *out)
{
	static const char *const heads[] = {"cost",	 "figure", "parts",	  "computed",
					    "published", "agrees", "dissertation"};
	enum { NR_HEADS = ARRAY_SIZE(heads) };
	struct table t;
	struct textbuf cell;
	const char *kind = NULL;
	textbuf_init(&cell);
	table_init(&t);
	t.left = (1u << NR_HEADS) - 1;
	table_row(&t, false);
	table_words(&t, heads, NR_HEADS);
	for (unsigned i = 0; i < NR_COST_FIGURES; i++) {
		struct cost_figure f = cost_figure(i);
		table_row(&t, f.kind != kind);
		table_cell(&t, "%s", f.kind != kind ? f.kind : "");
		table_cell(&t, "%s", f.name);
		cost_write_formula(i, &cell);
		table_cell_text(&t, &cell);
		table_cell(&t, "%.4g %s", f.computed, f.unit);
		write_published(&f, &cell);
		table_cell_text(&t, &cell);
		table_cell(&t, "%s", f.agrees ? "yes" : "no");
		table_cell(&t, "%s", f.place);
		kind = f.kind;
	}
	bool ok = table_write(&t, bold_output(NULL), out) && !textbuf_failed(&cell);
	table_release(&t);
	textbuf_release(&cell);
	write_slips(out);
	write_inferred(out);
	textbuf_puts(out, "\n" QUOTED "\n");
	return ok;
}

void study_cost_csv(struct textbuf *out)
{
	static const char *const heads[] = {"cost",	"figure",    "parts",  "computed", "unit",
					    "relation", "published", "agrees", "place",	   "note"};
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		csv_string(out, heads[i]);
	csv_end_row(out);
	for (unsigned i = 0; i < NR_COST_FIGURES; i++) {
		struct cost_figure f = cost_figure(i);
		struct textbuf formula;
		textbuf_init(&formula);
		cost_write_formula(i, &formula);
		csv_string(out, f.kind);
		csv_string(out, f.name);
		csv_string(out, formula.text);
		csv_double(out, f.computed);
		csv_string(out, f.unit);
		csv_string(out, f.relation);
		csv_string(out, f.text);
		csv_string(out, f.agrees ? "yes" : "no");
		csv_string(out, f.place);
		csv_string(out, f.note ? f.note : "");
		csv_end_row(out);
		textbuf_release_part(&formula, out);
	}
}

static void jwrite_figure(struct jwriter *j, unsigned i)
{
	struct cost_figure f = cost_figure(i);
	struct textbuf formula;
	textbuf_init(&formula);
	cost_write_formula(i, &formula);
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "cost", f.kind);
	jwrite_string(j, "figure", f.name);
	jwrite_string(j, "parts", formula.text);
	jwrite_string(j, "unit", f.unit);
	jwrite_double(j, "computed", f.computed);
	jwrite_string(j, "relation", f.relation);
	jwrite_double(j, "published", f.published);
	jwrite_bool(j, "agrees", f.agrees);
	jwrite_string(j, "place", f.place);
	if (f.note)
		jwrite_string(j, "note", f.note);
	jwrite_end_object(j);
	textbuf_release_part(&formula, j->out);
}

void study_cost_json(struct jwriter *j)
{
	jwrite_begin_array(j, "parts", false);
	for (unsigned i = 0; i < NR_COST_PARTS; i++) {
		struct cost_part p = cost_part(i);
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "part", p.name);
		jwrite_double(j, "value", p.value);
		jwrite_string(j, "unit", p.unit);
		jwrite_bool(j, "inferred", p.source == COST_INFERRED);
		jwrite_string(j, "place", p.place);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_u64(j, "slips", count_slips());
	jwrite_begin_array(j, "figures", false);
	for (unsigned i = 0; i < NR_COST_FIGURES; i++)
		jwrite_figure(j, i);
	jwrite_end_array(j);
}
