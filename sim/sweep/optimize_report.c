/* What a search found, for people and for programs. */
#include <inttypes.h>
#include <math.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/metric_text.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"
#include "sim/base/array.h"
#include "sim/base/units.h"
#include "sim/sweep/optimize.h"

static void value_cell(struct table *t, const struct optimize_report *r, double value)
{
	switch (run_metric_rows[r->metric].form) {
	case RUN_SPEEDUP:
		table_cell(t, "%+.3f %%", value * 100 + 0.0);
		return;
	case RUN_SHARE:
		table_cell(t, "%.3f %%", value * 100 + 0.0);
		return;
	case RUN_TIME:
	case RUN_WAIT:
		table_cell(t, "%.3f ms", value / (double)NS_PER_MS + 0.0);
		return;
	default:
		table_cell(t, "%.4f", value + 0.0);
	}
}

static void write_label(const struct optimize_report *r, const struct optimize_chip *chip, struct textbuf *text)
{
	textbuf_init(text);
	mix_write_label(&r->problem->space, chip->counts, text);
}

static bool write_table(const struct optimize_report *r, struct textbuf *out)
{
	const struct mix_space *space = &r->problem->space;
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "%s", "");
	table_cell(&t, "%s", run_metric_rows[r->metric].name);
	table_cell(&t, "cores");
	if (r->has_area)
		table_cell(&t, "mm2");
	if (r->has_power)
		table_cell(&t, "W");
	t.left |= 1u << (3 + r->has_area + r->has_power);
	table_cell(&t, "chip");
	for (uint32_t i = 0; i < r->result->nr_best; i++) {
		const struct optimize_chip *chip = &r->result->best[i];
		struct textbuf label;
		table_row(&t, false);
		table_cell(&t, "%u", i + 1);
		value_cell(&t, r, chip->value);
		table_cell(&t, "%u", mix_cores(space, chip->counts));
		if (r->has_area)
			table_cell(&t, "%g", mix_area_mm2(space, chip->counts));
		if (r->has_power)
			table_cell(&t, "%g", mix_power_w(space, chip->counts));
		write_label(r, chip, &label);
		table_cell(&t, "%s", label.text);
		textbuf_release_part(&label, out);
	}
	bool ok = table_write(&t, r->bold, out) && !textbuf_failed(out);
	table_release(&t);
	return ok;
}

/* "1,287 of ..." without the commas: a lower bound, where they were not counted. */
static void write_size(const struct optimize_result *r, struct textbuf *out)
{
	textbuf_printf(out, "%s%" PRIu64, r->is_counted ? "" : "more than ", r->nr_mixes - !r->is_counted);
}

bool optimize_report_text(const struct optimize_report *r, struct textbuf *out)
{
	const struct optimize_result *result = r->result;
	char traces[64] = "";
	if (r->synthetic || r->nominal)
		snprintf(traces, sizeof(traces), " (%s)", trace_words_traces(r->synthetic, r->nominal));
	textbuf_printf(out, "%s: %s, %s is better%s\n\n", r->title, run_metric_rows[r->metric].words,
		       r->problem->minimize ? "less" : "more", traces);
	if (!write_table(r, out))
		return false;
	if (r->bound)
		textbuf_printf(out, "\nbound      %s", r->bound);
	textbuf_printf(out, "\nsearch     %s, evaluator %s: %" PRIu64 " of ", optimize_method_names[result->method],
		       evaluator_names[r->evaluator], result->nr_evaluated);
	write_size(result, out);
	textbuf_puts(out, " chips within the budget evaluated\n");
	if (result->is_proven)
		textbuf_puts(out, "           the first is the best: all others were evaluated\n");
	else
		textbuf_printf(out,
			       "           the first is the best that was seen (seed %" PRIu64
			       "), which does not prove that none is better\n",
			       r->options->anneal.seed);
	if (r->is_shared && run_metric_rows[r->metric].form == RUN_SPEEDUP)
		textbuf_printf(out, "speedups   %s\n", why_below_zero);
	textbuf_printf(out, "%s  %s\n", r->evaluator == EVALUATE_RUN ? "repeat it" : "run it   ", r->command);
	return !textbuf_failed(out);
}

static void json_chip(struct jwriter *j, const struct optimize_report *r, uint32_t rank)
{
	const struct mix_space *space = &r->problem->space;
	const struct optimize_chip *chip = &r->result->best[rank];
	struct textbuf text;
	jwrite_begin_object(j, NULL);
	jwrite_u64(j, "rank", rank + 1);
	jwrite_double(j, "value", chip->value);
	jwrite_u64(j, "cores", mix_cores(space, chip->counts));
	jwrite_double(j, "area_mm2", r->has_area ? mix_area_mm2(space, chip->counts) : NAN);
	jwrite_double(j, "power_w", r->has_power ? mix_power_w(space, chip->counts) : NAN);
	write_label(r, chip, &text);
	jwrite_string(j, "chip", text.text);
	textbuf_release_part(&text, j->out);
	textbuf_init(&text);
	mix_write_setting(space, chip->counts, &text);
	jwrite_string(j, "setting", text.text);
	textbuf_release_part(&text, j->out);
	jwrite_end_object(j);
}

bool optimize_report_json(const struct optimize_report *r, struct textbuf *out)
{
	const struct optimize_result *result = r->result;
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "config", r->title);
	jwrite_bool(&j, "synthetic", r->synthetic);
	jwrite_bool(&j, "nominal_time", r->nominal);
	jwrite_string(&j, "metric", run_metric_rows[r->metric].name);
	jwrite_bool(&j, "minimize", r->problem->minimize);
	jwrite_string(&j, "evaluator", evaluator_names[r->evaluator]);
	if (r->bound)
		jwrite_string(&j, "bound", r->bound);
	jwrite_string(&j, "method", optimize_method_names[result->method]);
	jwrite_u64(&j, "seed", r->options->anneal.seed);
	jwrite_u64(&j, "evaluated", result->nr_evaluated);
	jwrite_u64(&j, "mixes", result->nr_mixes);
	jwrite_bool(&j, "mixes_counted", result->is_counted);
	jwrite_bool(&j, "proven", result->is_proven);
	jwrite_begin_array(&j, "chips", false);
	for (uint32_t i = 0; i < result->nr_best; i++)
		json_chip(&j, r, i);
	jwrite_end_array(&j);
	jwrite_string(&j, "command", r->command);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}

bool optimize_report_csv(const struct optimize_report *r, struct textbuf *out)
{
	static const char *const columns[] = {"rank", "metric",	 "value",     "cores",	      "area_mm2", "power_w",
					      "chip", "setting", "synthetic", "nominal_time", "proven"};
	const struct mix_space *space = &r->problem->space;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		csv_string(out, columns[i]);
	csv_end_row(out);
	for (uint32_t i = 0; i < r->result->nr_best; i++) {
		const struct optimize_chip *chip = &r->result->best[i];
		struct textbuf text;
		csv_u64(out, i + 1);
		csv_string(out, run_metric_rows[r->metric].name);
		csv_double(out, chip->value);
		csv_u64(out, mix_cores(space, chip->counts));
		csv_double(out, r->has_area ? mix_area_mm2(space, chip->counts) : NAN);
		csv_double(out, r->has_power ? mix_power_w(space, chip->counts) : NAN);
		write_label(r, chip, &text);
		csv_string(out, text.text);
		textbuf_release_part(&text, out);
		textbuf_init(&text);
		mix_write_setting(space, chip->counts, &text);
		csv_string(out, text.text);
		textbuf_release_part(&text, out);
		csv_string(out, r->synthetic ? "true" : "false");
		csv_string(out, r->nominal ? "true" : "false");
		csv_string(out, r->result->is_proven ? "true" : "false");
		csv_end_row(out);
	}
	return !textbuf_failed(out);
}
