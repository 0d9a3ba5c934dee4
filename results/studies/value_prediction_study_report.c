/* The study of value prediction as text, CSV and JSON. */
#include <math.h>

#include "results/cores/core_report.h"
#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/studies/value_prediction_study_internal.h"
#include "sim/base/array.h"

/* ---- Text ---- */

static void write_most(const struct value_program *p, struct textbuf *out)
{
	for (unsigned aware = 0; aware < 2; aware++) {
		double pct = value_most_pct(p, aware);
		textbuf_printf(out, "%s%s ", aware ? ", " : "", aware ? "aware" : "unaware");
		if (isnan(pct))
			textbuf_puts(out, "never");
		else
			textbuf_printf(out, "at %.1f %% of loads", pct);
	}
}

static bool write_points(const struct value_program *p, bool bold, struct textbuf *out)
{
	static const char *const words[] = {"way", "pass", "share %", "covered %", "CPI", "gain %"};
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_words(&t, words, ARRAY_SIZE(words));
	for (unsigned i = 0; i < NR_VALUE_POINTS; i++) {
		unsigned pass = value_point_pass(i);
		table_row(&t, i == 0 || i == NR_UNAWARE_POINTS);
		table_cell(&t, "%s", value_point_way(i));
		if (pass == 0)
			table_cell(&t, "%s", "");
		else if (pass <= AWARE_PASSES)
			table_cell(&t, "%u", pass);
		else
			table_cell(&t, "rest");
		table_cell(&t, "%u", value_point_share_pct(i));
		table_cell(&t, "%.2f", value_coverage_pct(p, i));
		table_cell(&t, "%.3f", value_cpi(p, i));
		table_cell(&t, "%.2f", value_gain_pct(p, i));
	}
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok;
}

static bool write_program(const struct value_program *p, bool bold, struct textbuf *out)
{
	textbuf_printf(out, "%s: %llu loads in %llu instructions\n", p->stream, (unsigned long long)p->loads,
		       (unsigned long long)p->instructions);
	bool ok = write_points(p, bold, out);
	if (value_holds(p) == VALUE_SAYS_NOTHING) {
		textbuf_printf(out, "No point saves %.0f %% of the cycles.\n\n", VALUE_SMALL_PCT);
		return ok;
	}
	textbuf_printf(out, "%.0f %% of the cycles that the best point saves: ", VALUE_MOST_PCT);
	write_most(p, out);
	textbuf_puts(out, ".\n\n");
	return ok;
}

static void write_published(struct textbuf *out)
{
	textbuf_puts(out, "Published, of other programs and cores:\n");
	for (unsigned i = 0; i < NR_VALUE_PUBLISHED; i++)
		textbuf_printf(out, "- %s: %.0f %% of loads, +%.1f %%\n", value_published[i].name,
			       value_published[i].coverage_pct, value_published[i].speedup_pct);
}

static void write_streams(const char *words, const struct value_program *programs, size_t nr,
			  enum value_verdict verdict, struct textbuf *out)
{
	const char *before = words;
	for (size_t i = 0; i < nr; i++) {
		if (value_holds(&programs[i]) != verdict)
			continue;
		textbuf_printf(out, "%s%s", before, programs[i].stream);
		if (verdict == VALUE_HOLDS_NOT)
			textbuf_printf(out, " (%.2f %%)", value_most_pct(&programs[i], true));
		before = ", ";
	}
	if (before != words)
		textbuf_putc(out, '\n');
}

static void write_claim(const struct value_program *all, const struct value_program *programs, size_t nr,
			struct textbuf *out)
{
	size_t holds = 0, silent = 0;
	for (size_t i = 0; i < nr; i++) {
		holds += value_holds(&programs[i]) == VALUE_HOLDS;
		silent += value_holds(&programs[i]) == VALUE_SAYS_NOTHING;
	}
	textbuf_printf(
		out,
		"\nDo %.0f %% of loads, chosen by the critical path, bring most of the gain (paper)? Most is %.0f "
		"%% of the cycles that the best point saves, our definition.\n",
		VALUE_PAPER_PCT, VALUE_MOST_PCT);
	textbuf_puts(out, "- all streams together: ");
	if (value_holds(all) == VALUE_SAYS_NOTHING)
		textbuf_printf(out, "no point saves %.0f %% of the cycles\n", VALUE_SMALL_PCT);
	else
		textbuf_printf(out, "%s, it takes %.1f %% of the loads\n",
			       value_holds(all) == VALUE_HOLDS ? "yes" : "no", value_most_pct(all, true));
	textbuf_printf(out, "- by stream: in %zu of %zu", holds, nr - silent);
	textbuf_puts(out, silent > 0 ? " that say something\n" : "\n");
	write_streams("  not in: ", programs, nr, VALUE_HOLDS_NOT, out);
	write_streams("  saying nothing, because predictions save too little: ", programs, nr, VALUE_SAYS_NOTHING, out);
}

bool value_study_text(const struct value_study *s, const struct value_program *programs, size_t nr, bool bold,
		      struct textbuf *out)
{
	struct value_program all = value_study_all(programs, nr);
	bool ok = true;
	textbuf_printf(out, "Value prediction of loads on %s (figure 17); %.4g %% of the predictions are right.\n\n",
		       s->core, 100 * s->accuracy);
	for (size_t i = 0; i < nr && ok; i++)
		ok = write_program(&programs[i], bold, out);
	if (nr > 1)
		ok = ok && write_program(&all, bold, out);
	write_published(out);
	write_claim(&all, programs, nr, out);
	const char *before = "\n";
	core_report_sampling(&s->sampling, out);
	for (size_t i = 0; i < nr; i++)
		core_report_sample(programs[i].stream, programs[i].nr_sampled, &before, out);
	return ok;
}

/* ---- CSV ---- */

void value_study_csv(const struct value_study *s, const struct value_program *programs, size_t nr, struct textbuf *out)
{
	textbuf_puts(out, "stream,core,config_hash,sampled_epochs,seed,accuracy,instructions,loads,way,pass,share_pct,"
			  "covered_loads,covered_pct,cycles,cpi,gain_pct\n");
	for (size_t n = 0; n < nr * NR_VALUE_POINTS; n++) {
		const struct value_program *p = &programs[n / NR_VALUE_POINTS];
		unsigned i = (unsigned)(n % NR_VALUE_POINTS);
		csv_string(out, p->stream);
		csv_string(out, s->core);
		csv_string(out, s->config_hash);
		core_report_csv_sample(p->nr_sampled, out);
		csv_u64(out, s->seed);
		csv_double(out, s->accuracy);
		csv_u64(out, p->instructions);
		csv_u64(out, p->loads);
		csv_string(out, value_point_way(i));
		csv_u64(out, value_point_pass(i));
		csv_u64(out, value_point_share_pct(i));
		csv_u64(out, p->points[i].covered);
		csv_double(out, value_coverage_pct(p, i));
		csv_u64(out, p->points[i].cycles);
		csv_double(out, value_cpi(p, i));
		csv_double(out, value_gain_pct(p, i));
		csv_end_row(out);
	}
}

/* ---- JSON ---- */

static void json_points(struct jwriter *j, const struct value_program *p)
{
	jwrite_begin_array(j, "points", false);
	for (unsigned i = 0; i < NR_VALUE_POINTS; i++) {
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "way", value_point_way(i));
		jwrite_u64(j, "pass", value_point_pass(i));
		jwrite_u64(j, "share_pct", value_point_share_pct(i));
		jwrite_u64(j, "covered_loads", p->points[i].covered);
		jwrite_u64(j, "cycles", p->points[i].cycles);
		jwrite_double(j, "cpi", value_cpi(p, i));
		jwrite_double(j, "gain_pct", value_gain_pct(p, i));
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

static void json_most(struct jwriter *j, const char *key, double pct)
{
	if (!isnan(pct))
		jwrite_double(j, key, pct);
}

static void json_program(struct jwriter *j, const struct value_program *p)
{
	jwrite_u64(j, "instructions", p->instructions);
	jwrite_u64(j, "loads", p->loads);
	json_points(j, p);
	json_most(j, "most_unaware_pct", value_most_pct(p, false));
	json_most(j, "most_aware_pct", value_most_pct(p, true));
	if (value_holds(p) != VALUE_SAYS_NOTHING)
		jwrite_bool(j, "holds", value_holds(p) == VALUE_HOLDS);
	jwrite_end_object(j);
}

void value_study_json(const struct value_study *s, const struct value_program *programs, size_t nr, struct textbuf *out)
{
	struct value_program all = value_study_all(programs, nr);
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", VALUE_STUDY_SCHEMA);
	jwrite_string(&j, "core", s->core);
	jwrite_string(&j, "config_hash", s->config_hash);
	jwrite_u64(&j, "seed", s->seed);
	jwrite_double(&j, "accuracy", s->accuracy);
	jwrite_double(&j, "most_pct", VALUE_MOST_PCT);
	jwrite_begin_array(&j, "runs", false);
	for (size_t i = 0; i < nr; i++) {
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "stream", programs[i].stream);
		core_report_json_sampling(&j, programs[i].nr_sampled, &s->sampling);
		json_program(&j, &programs[i]);
	}
	jwrite_end_array(&j);
	if (nr > 1) {
		jwrite_begin_object(&j, "all");
		json_program(&j, &all);
	}
	jwrite_begin_array(&j, "published", false);
	for (unsigned i = 0; i < NR_VALUE_PUBLISHED; i++) {
		jwrite_begin_flat_object(&j, NULL);
		jwrite_string(&j, "name", value_published[i].name);
		jwrite_double(&j, "covered_pct", value_published[i].coverage_pct);
		jwrite_double(&j, "gain_pct", value_published[i].speedup_pct);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	textbuf_putc(out, '\n');
}
