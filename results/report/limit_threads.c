/* The limits of a configuration's threads, beside simulations (limit_report.h). */
#include <math.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"
#include "results/report/limit_report.h"
#include "results/report/run_report_internal.h"
#include "results/studies/limit_steps.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

#define SCHEMA "sahm-limit-threads/1"

static double simulated(const struct limit_threads *l, size_t thread, size_t i)
{
	return l->simulated[thread * l->nr_timesteps + i];
}

/* Over threads that have one; NAN when none has. */
static double simulated_mean(const struct limit_threads *l, size_t i)
{
	double sum = 0;
	size_t nr = 0;
	for (size_t t = 0; t < l->record->nr_threads; t++) {
		double value = simulated(l, t, i);
		if (isnan(value))
			continue;
		sum += value;
		nr++;
	}
	return nr ? sum / (double)nr : NAN;
}

static void cell(struct table *t, double fraction)
{
	if (isnan(fraction))
		table_cell(t, "-");
	else
		table_cell(t, "%+.4f %%", 100 * fraction);
}

static void write_heading(const struct limit_threads *l, const char *title, struct textbuf *out)
{
	const struct run_config *config = l->config;
	const struct trace_counts traces = trace_counts_of(config);
	textbuf_printf(out, "configuration  %s\nchip           ", title);
	run_facts_write_chip(config, out);
	textbuf_printf(out, "workload       %u thread%s; %u trace%s", config->nr_threads,
		       config->nr_threads == 1 ? "" : "s", config->nr_traces, config->nr_traces == 1 ? "" : "s");
	trace_words_write_numbers(&traces, out);
	textbuf_puts(out, "\nlimit          speedup alone on the best core at every instant, moves free\n");
	if (l->nr_timesteps)
		textbuf_puts(out, "timesteps      the same, simulated: " LIMIT_STEPS_POLICY ", oracle, inertia 0\n");
	textbuf_putc(out, '\n');
}

bool limit_threads_text(const struct limit_threads *l, const char *title, bool bold, struct textbuf *out)
{
	const struct record *r = l->record;
	struct table t;
	write_heading(l, title, out);
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "thread");
	table_cell(&t, "limit");
	for (size_t i = 0; i < l->nr_timesteps; i++)
		table_cell(&t, "%.13g ms", ms_of_ns(l->timesteps_ns[i]));
	for (size_t n = 0; n < r->nr_threads; n++) {
		table_row(&t, n == 0);
		table_cell(&t, "%s", r->threads[n].name);
		cell(&t, r->threads[n].speedup);
		for (size_t i = 0; i < l->nr_timesteps; i++)
			cell(&t, simulated(l, n, i));
	}
	table_row(&t, true);
	table_cell(&t, "mean");
	cell(&t, r->metrics[RUN_METRIC_speedup_mean]);
	for (size_t i = 0; i < l->nr_timesteps; i++)
		cell(&t, simulated_mean(l, i));
	bool ok = table_write(&t, bold, out);
	table_release(&t);
	return ok && !textbuf_failed(out);
}

bool limit_threads_json(const struct limit_threads *l, struct textbuf *out)
{
	static const enum run_metric means[] = {RUN_METRIC_speedup_mean, RUN_METRIC_speedup_harmonic,
						RUN_METRIC_speedup_geometric};
	const struct record *r = l->record;
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_bool(&j, "synthetic", r->synthetic);
	jwrite_bool(&j, "nominal_time", r->nominal);
	jwrite_begin_array(&j, "timesteps_ms", true);
	for (size_t i = 0; i < l->nr_timesteps; i++)
		jwrite_double(&j, NULL, ms_of_ns(l->timesteps_ns[i]));
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "threads", false);
	for (size_t n = 0; n < r->nr_threads; n++) {
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "name", r->threads[n].name);
		jwrite_double(&j, "limit", r->threads[n].speedup);
		jwrite_begin_array(&j, "simulated", true);
		for (size_t i = 0; i < l->nr_timesteps; i++)
			jwrite_double(&j, NULL, simulated(l, n, i));
		jwrite_end_array(&j);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	for (size_t i = 0; i < ARRAY_SIZE(means); i++)
		jwrite_double(&j, run_metric_rows[means[i]].name, r->metrics[means[i]]);
	jwrite_begin_array(&j, "simulated_mean", true);
	for (size_t i = 0; i < l->nr_timesteps; i++)
		jwrite_double(&j, NULL, simulated_mean(l, i));
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}

bool limit_threads_csv(const struct limit_threads *l, struct textbuf *out)
{
	const struct record *r = l->record;
	textbuf_puts(out, "scope,name,limit");
	for (size_t i = 0; i < l->nr_timesteps; i++)
		textbuf_printf(out, ",simulated_%.13g_ms", ms_of_ns(l->timesteps_ns[i]));
	textbuf_puts(out, ",synthetic,nominal_time\n");
	for (size_t n = 0; n <= r->nr_threads; n++) {
		bool is_mean = n == r->nr_threads;
		csv_string(out, is_mean ? "mean" : "thread");
		csv_string(out, is_mean ? "mean" : r->threads[n].name);
		csv_double(out, is_mean ? r->metrics[RUN_METRIC_speedup_mean] : r->threads[n].speedup);
		for (size_t i = 0; i < l->nr_timesteps; i++)
			csv_double(out, is_mean ? simulated_mean(l, i) : simulated(l, n, i));
		const struct run_trace *of = is_mean ? NULL : &l->config->traces[l->config->threads[n].trace];
		const struct provenance *p = of ? trace_provenance(of->trace) : NULL;
		csv_string(out, (p ? provenance_is_synthetic(p) : r->synthetic) ? "yes" : "no");
		csv_string(out, (p ? provenance_is_nominal(p) : r->nominal) ? "yes" : "no");
		csv_end_row(out);
	}
	return !textbuf_failed(out);
}
