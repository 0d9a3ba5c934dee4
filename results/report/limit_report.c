#include "results/report/limit_report.h"

#include <math.h>
#include <stdlib.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/run_facts.h"
#include "results/metrics/table.h"
#include "results/metrics/trace_words.h"
#include "results/studies/limit_steps.h"
#include "sim/base/array.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

#define SCHEMA "sahm-limit/1"

const char *const limit_sort_names[NR_LIMIT_SORTS + 1] = {
	[LIMIT_SORT_MEAN] = "mean",	[LIMIT_SORT_LEAST] = "least", [LIMIT_SORT_P25] = "p25",
	[LIMIT_SORT_MEDIAN] = "median", [LIMIT_SORT_P75] = "p75",     [LIMIT_SORT_MOST] = "most",
	[LIMIT_SORT_INDEX] = "index",
};

/* Names of a box in CSV and JSON, in its order. */
static const char *const box_names[] = {"mean", "least", "p25", "median", "p75", "most"};
enum { NR_BOX = ARRAY_SIZE(box_names) };

static void box_numbers(const struct box *b, double numbers[NR_BOX])
{
	const double in_order[NR_BOX] = {b->mean, b->least, b->p25, b->median, b->p75, b->most};
	for (unsigned i = 0; i < NR_BOX; i++)
		numbers[i] = in_order[i];
}

/* A speedup by which configurations are sorted. */
struct ranked {
	double value;
	unsigned index;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Indices of the configurations in the order in which they are shown. */
static void rank(const struct limit_report *r, struct ranked order[NR_SPACE_CONFIGS])
{
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		double numbers[NR_BOX];
		box_numbers(&r->study->of_chips[i], numbers);
		order[i] = (struct ranked){r->sort == LIMIT_SORT_INDEX ? 0 : numbers[r->sort], i};
	}
	qsort(order, NR_SPACE_CONFIGS, sizeof(*order), by_rank);
}

static struct trace_counts count(const struct limit_study *study)
{
	struct trace_counts counts = {.nr = study->nr_traces};
	for (size_t t = 0; t < study->nr_traces; t++) {
		counts.nr_synthetic += study->traces[t].synthetic;
		counts.nr_nominal += study->traces[t].nominal;
	}
	return counts;
}

/* Speedup of trace `t` on the canonical chip. */
static double canonical(const struct limit_study *study, size_t t)
{
	return study->speedups[(size_t)SPACE_CANONICAL * study->nr_traces + t];
}

static void cell(struct table *t, double fraction)
{
	table_cell(t, "%+.2f %%", 100 * fraction);
}

static void box_cells(struct table *t, const struct box *b)
{
	double numbers[NR_BOX];
	box_numbers(b, numbers);
	for (unsigned i = 0; i < NR_BOX; i++)
		cell(t, numbers[i]);
}

static void box_headings(struct table *t)
{
	table_words(t, box_names, NR_BOX);
}

static bool end_table(struct table *t, bool bold, struct textbuf *out)
{
	bool ok = table_write(t, bold, out);
	table_release(t);
	return ok;
}

static bool traces_text(const struct limit_report *r, bool bold, struct textbuf *out)
{
	const struct limit_study *study = r->study;
	const struct trace_counts counts = count(study);
	struct table t;
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "trace");
	table_cell(&t, "epochs");
	table_cell(&t, "canonical");
	box_headings(&t);
	for (size_t i = 0; i < study->nr_traces; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", study->traces[i].name);
		table_cell(&t, "%llu", (unsigned long long)study->traces[i].nr_epochs);
		cell(&t, canonical(study, i));
		box_cells(&t, &study->of_traces[i]);
	}
	table_row(&t, true);
	table_cell(&t, "%s", trace_words_mean(counts.nr_synthetic > 0, counts.nr_nominal > 0));
	table_cell(&t, "%s", "");
	cell(&t, study->of_chips[SPACE_CANONICAL].mean);
	box_cells(&t, &study->mean);
	return end_table(&t, bold, out);
}

static bool configs_text(const struct limit_report *r, bool bold, struct textbuf *out)
{
	struct ranked order[NR_SPACE_CONFIGS];
	struct table t;
	rank(r, order);
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "index");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		table_cell(&t, "%s", component_name((enum component)c));
	box_headings(&t);
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(order[i].index);
		table_row(&t, i == 0);
		table_cell(&t, "%u", order[i].index);
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			if (config.components >> c & 1u)
				table_cell(&t, "%g %%", pct_of_ppm(config.speedup_ppm[c]));
			else
				table_cell(&t, "-");
		}
		box_cells(&t, &r->study->of_chips[order[i].index]);
	}
	return end_table(&t, bold, out);
}

/* Figure 4.9. */
static bool against_text(const struct limit_report *r, bool bold, struct textbuf *out)
{
	struct table t;
	textbuf_puts(out, "\nover traces, and the 25th percentile against a core that is ");
	number_write_double(out, r->against_pct, 0);
	textbuf_puts(out, " % better everywhere\n\n");
	table_init(&t);
	table_row(&t, false);
	table_cell(&t, "chip");
	box_headings(&t);
	table_cell(&t, "against");
	for (unsigned i = 0; i < NR_LIMIT_NAMED; i++) {
		table_row(&t, i == 0);
		table_cell(&t, "%s", limit_named_names[i]);
		box_cells(&t, &r->against[i].box);
		table_cell(&t, "%.2fx", r->against[i].ratio);
	}
	return end_table(&t, bold, out);
}

bool limit_report_text(const struct limit_report *r, bool bold, struct textbuf *out)
{
	size_t nr = r->study->nr_traces;
	const struct trace_counts counts = count(r->study);
	textbuf_printf(out,
		       "speedup of one thread on the best core at every instant, migrations free (thresholds: %s)\n",
		       r->cuts_name);
	if (r->by_config)
		textbuf_printf(out, "by configuration, over %zu trace%s", nr, nr == 1 ? "" : "s");
	else
		textbuf_printf(out, "by trace, %zu of them", nr);
	trace_words_write(&counts, out);
	textbuf_printf(out, "%s\n\n",
		       r->by_config ? "; -: no core for it"
				    : "; canonical: all four cores at 30 %; the others: over the 255 configurations");
	bool ok = r->by_config ? configs_text(r, bold, out) : traces_text(r, bold, out);
	return ok && against_text(r, bold, out) && !textbuf_failed(out);
}

static void json_box(struct jwriter *j, const char *key, const struct box *b)
{
	double numbers[NR_BOX];
	box_numbers(b, numbers);
	jwrite_begin_flat_object(j, key);
	for (unsigned i = 0; i < NR_BOX; i++)
		jwrite_double(j, box_names[i], numbers[i]);
	jwrite_end_object(j);
}

static void json_configs(struct jwriter *j, const struct limit_report *r)
{
	struct ranked order[NR_SPACE_CONFIGS];
	rank(r, order);
	jwrite_begin_array(j, "configs", false);
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(order[i].index);
		jwrite_begin_object(j, NULL);
		jwrite_u64(j, "index", order[i].index);
		jwrite_begin_flat_object(j, "speedup_pct");
		for (unsigned c = 0; c < NR_COMPONENTS; c++)
			if (config.components >> c & 1u)
				jwrite_double(j, component_key((enum component)c), pct_of_ppm(config.speedup_ppm[c]));
		jwrite_end_object(j);
		json_box(j, "over_traces", &r->study->of_chips[order[i].index]);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
}

bool limit_report_json(const struct limit_report *r, struct textbuf *out)
{
	const struct limit_study *study = r->study;
	const struct trace_counts counts = count(study);
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_string(&j, "cuts", r->cuts_name);
	jwrite_bool(&j, "synthetic", counts.nr_synthetic > 0);
	jwrite_bool(&j, "nominal_time", counts.nr_nominal > 0);
	jwrite_begin_array(&j, "traces", false);
	for (size_t t = 0; t < study->nr_traces; t++) {
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "name", study->traces[t].name);
		jwrite_bool(&j, "synthetic", study->traces[t].synthetic);
		jwrite_bool(&j, "nominal_time", study->traces[t].nominal);
		jwrite_u64(&j, "epochs", study->traces[t].nr_epochs);
		jwrite_double(&j, "canonical", canonical(study, t));
		json_box(&j, "over_configs", &study->of_traces[t]);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_begin_object(&j, "mean");
	jwrite_double(&j, "canonical", study->of_chips[SPACE_CANONICAL].mean);
	json_box(&j, "over_configs", &study->mean);
	jwrite_end_object(&j);
	jwrite_begin_object(&j, "against");
	jwrite_double(&j, "pct", r->against_pct);
	jwrite_begin_array(&j, "chips", false);
	for (unsigned i = 0; i < NR_LIMIT_NAMED; i++) {
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "name", limit_named_names[i]);
		json_box(&j, "over_traces", &r->against[i].box);
		jwrite_double(&j, "ratio", r->against[i].ratio);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	if (r->by_config)
		json_configs(&j, r);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}

static void csv_box(struct textbuf *out, const struct box *b)
{
	double numbers[NR_BOX];
	box_numbers(b, numbers);
	for (unsigned i = 0; i < NR_BOX; i++)
		csv_double(out, numbers[i]);
}

static void csv_box_names(struct textbuf *out)
{
	for (unsigned i = 0; i < NR_BOX; i++)
		textbuf_printf(out, ",%s", box_names[i]);
}

static void csv_words(struct textbuf *out, bool synthetic, bool nominal)
{
	csv_string(out, synthetic ? "yes" : "no");
	csv_string(out, nominal ? "yes" : "no");
}

static void csv_configs(const struct limit_report *r, struct textbuf *out)
{
	const struct trace_counts counts = count(r->study);
	struct ranked order[NR_SPACE_CONFIGS];
	rank(r, order);
	textbuf_puts(out, "index");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		textbuf_printf(out, ",%s_pct", component_key((enum component)c));
	csv_box_names(out);
	textbuf_puts(out, ",synthetic,nominal_time\n");
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(order[i].index);
		csv_u64(out, order[i].index);
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			if (config.components >> c & 1u)
				csv_double(out, pct_of_ppm(config.speedup_ppm[c]));
			else
				csv_double(out, NAN);
		}
		csv_box(out, &r->study->of_chips[order[i].index]);
		csv_words(out, counts.nr_synthetic > 0, counts.nr_nominal > 0);
		csv_end_row(out);
	}
}

bool limit_report_csv(const struct limit_report *r, struct textbuf *out)
{
	const struct limit_study *study = r->study;
	const struct trace_counts counts = count(study);
	const bool synthetic = counts.nr_synthetic > 0, nominal = counts.nr_nominal > 0;
	if (r->by_config) {
		csv_configs(r, out);
		return !textbuf_failed(out);
	}
	textbuf_puts(out, "scope,name,epochs,canonical");
	csv_box_names(out);
	textbuf_puts(out, ",against_pct,ratio,synthetic,nominal_time\n");
	for (size_t t = 0; t <= study->nr_traces; t++) {
		bool is_mean = t == study->nr_traces;
		csv_string(out, is_mean ? "mean" : "trace");
		csv_string(out, is_mean ? "mean" : study->traces[t].name);
		if (is_mean)
			csv_double(out, NAN);
		else
			csv_u64(out, study->traces[t].nr_epochs);
		csv_double(out, is_mean ? study->of_chips[SPACE_CANONICAL].mean : canonical(study, t));
		csv_box(out, is_mean ? &study->mean : &study->of_traces[t]);
		csv_double(out, NAN);
		csv_double(out, NAN);
		csv_words(out, is_mean ? synthetic : study->traces[t].synthetic,
			  is_mean ? nominal : study->traces[t].nominal);
		csv_end_row(out);
	}
	for (unsigned i = 0; i < NR_LIMIT_NAMED; i++) {
		csv_string(out, "chip");
		csv_string(out, limit_named_names[i]);
		csv_double(out, NAN);
		csv_double(out, NAN);
		csv_box(out, &r->against[i].box);
		csv_double(out, r->against_pct);
		csv_double(out, r->against[i].ratio);
		csv_words(out, synthetic, nominal);
		csv_end_row(out);
	}
	return !textbuf_failed(out);
}

/* The limits of a configuration's threads, beside simulations. */
#define THREADS_SCHEMA "sahm-limit-threads/1"

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

static void exact_cell(struct table *t, double fraction)
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
	textbuf_puts(out,
		     "\nupper bound    speedup without others on the best core at every instant, migrations free\n");
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
	table_cell(&t, "bound");
	for (size_t i = 0; i < l->nr_timesteps; i++)
		table_cell(&t, "%.13g ms", ms_of_ns(l->timesteps_ns[i]));
	for (size_t n = 0; n < r->nr_threads; n++) {
		table_row(&t, n == 0);
		table_cell(&t, "%s", r->threads[n].name);
		exact_cell(&t, r->threads[n].speedup);
		for (size_t i = 0; i < l->nr_timesteps; i++)
			exact_cell(&t, simulated(l, n, i));
	}
	table_row(&t, true);
	table_cell(&t, "mean");
	exact_cell(&t, r->metrics[RUN_METRIC_speedup_mean]);
	for (size_t i = 0; i < l->nr_timesteps; i++)
		exact_cell(&t, simulated_mean(l, i));
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
	jwrite_string(&j, "schema", THREADS_SCHEMA);
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
