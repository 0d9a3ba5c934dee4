/* Writes a comparison of policies: the best first, and how far the others trail it. */
#include <inttypes.h>
#include <math.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/metric_text.h"
#include "results/metrics/table.h"
#include "sim/sweep/versus.h"

#define SCHEMA "sahm-compare-policies/1"

static const struct versus_cell *cell_of(const struct versus *v, size_t policy, size_t system)
{
	return &v->cells[policy * v->request->nr_systems + system];
}

static void value_cell(const struct versus *v, double value, struct table *t)
{
	char text[METRIC_TEXT_BYTES];
	table_cell(t, "%s", metric_text(run_metric_rows[v->request->metric].form, value, value, text));
}

static void difference_cell(const struct versus *v, double value, struct table *t)
{
	char text[METRIC_TEXT_BYTES];
	table_cell(t, "%s", metric_difference_text(run_metric_rows[v->request->metric].form, value, value, text));
}

/* Means over systems, in the order of the struct. */
static void mean_cells(const struct versus *v, size_t policy, struct table *t)
{
	double antt = 0, jain = 0, rate = 0, nr = (double)v->request->nr_systems;
	char text[METRIC_TEXT_BYTES];
	for (size_t s = 0; s < v->request->nr_systems; s++) {
		const struct versus_cell *c = cell_of(v, policy, s);
		antt += c->antt / nr;
		jain += c->jain / nr;
		rate += c->migrations_per_s / nr;
	}
	table_cell(t, "%s", metric_text(RUN_NUMBER, antt, antt, text));
	table_cell(t, "%s", metric_text(RUN_NUMBER, jain, jain, text));
	table_cell(t, "%s", metric_text(RUN_RATE, rate, rate, text));
}

static void fill(const struct versus *v, struct table *t)
{
	const struct versus_request *q = v->request;
	size_t nr_columns = q->nr_systems > 1 && q->nr_systems <= MAX_VERSUS_COLUMNS ? q->nr_systems : 0;
	t->left = 1u << 1;
	table_row(t, false);
	table_cell(t, "rank");
	table_cell(t, "policy");
	table_cell(t, "%s", q->metric == RUN_METRIC_speedup_system ? "speedup" : run_metric_rows[q->metric].name);
	for (size_t s = 0; s < nr_columns; s++)
		table_cell(t, "on %zu", s + 1);
	table_cell(t, "vs %.24s", v->names[v->ranks[0].policy]);
	table_cell(t, "low (%u %%)", BOOTSTRAP_PCT);
	table_cell(t, "high (%u %%)", BOOTSTRAP_PCT);
	table_cell(t, "ANTT");
	table_cell(t, "fairness");
	table_cell(t, "migrations/s");
	for (size_t r = 0; r < q->nr_policies; r++) {
		const struct versus_rank *rank = &v->ranks[r];
		table_row(t, r == 0);
		table_cell(t, "%zu", r + 1);
		table_cell(t, "%s", v->names[rank->policy]);
		value_cell(v, rank->value, t);
		for (size_t s = 0; s < nr_columns; s++)
			value_cell(v, cell_of(v, rank->policy, s)->value, t);
		difference_cell(v, r ? rank->distance.mean : NAN, t);
		difference_cell(v, r ? rank->distance.low : NAN, t);
		difference_cell(v, r ? rank->distance.high : NAN, t);
		mean_cells(v, rank->policy, t);
	}
}

static bool has_few_samples(const struct versus_request *q)
{
	for (size_t s = 0; s < q->nr_systems; s++)
		if (q->systems[s].can_be_sampled && q->systems[s].nr_samples < MIN_DRAWN_SAMPLES)
			return true;
	return false;
}

/* Names the policies whose interval includes no difference from the best. */
static void write_even(const struct versus *v, struct textbuf *out)
{
	unsigned nr = 0;
	for (size_t r = 1; r < v->request->nr_policies; r++) {
		const struct stats_interval *d = &v->ranks[r].distance;
		if (!(d->low <= 0 && d->high >= 0))
			continue;
		textbuf_printf(out, "%s%s", nr++ ? ", " : "no difference from the best is shown for: ",
			       v->names[v->ranks[r].policy]);
	}
	if (nr)
		textbuf_putc(out, '\n');
}

bool versus_text(const struct versus *v, bool bold, struct textbuf *out)
{
	const struct versus_request *q = v->request;
	struct table t;
	for (size_t s = 0; s < q->nr_systems; s++) {
		const struct versus_system *system = &q->systems[s];
		textbuf_printf(out, "%-10s ", s ? "" : "system");
		if (q->nr_systems > 1)
			textbuf_printf(out, "%zu: ", s + 1);
		textbuf_printf(out, "%s; %u thread%s, %u core%s, %u sample%s%s%s\n", system->title, system->nr_threads,
			       system->nr_threads == 1 ? "" : "s", system->nr_cores, system->nr_cores == 1 ? "" : "s",
			       system->nr_samples, system->nr_samples == 1 ? "" : "s",
			       system->synthetic ? ", synthetic" : "", system->nominal ? ", assumed time base" : "");
	}
	textbuf_printf(out, "%-10s %s, %s is better\n\n", "metric", run_metric_rows[q->metric].words,
		       q->direction > 0 ? "more" : "less");
	table_init(&t);
	fill(v, &t);
	out->failed |= !table_write(&t, bold, out);
	table_release(&t);
	textbuf_putc(out, '\n');
	if (v->nr_pairs > 1 && q->nr_policies > 1) {
		textbuf_printf(
			out,
			"vs %s: mean difference over %" PRIu64
			" samples with the same offsets under each policy, and the 95 %% interval of drawn ones: "
			"all but the first\n",
			v->names[v->ranks[0].policy], v->nr_pairs);
		if (has_few_samples(q))
			textbuf_printf(
				out,
				"a system with fewer than %d samples gives no interval: raise workload.samples, or "
				"--samples where a configuration does not set it\n",
				MIN_DRAWN_SAMPLES);
	}
	bool shared = false;
	for (size_t s = 0; s < q->nr_systems; s++)
		shared |= cell_of(v, 0, s)->nr_awake > q->systems[s].nr_cores;
	if (shared && run_metric_rows[q->metric].form == RUN_SPEEDUP && q->metric != RUN_METRIC_speedup_system)
		textbuf_printf(out, "%s\n", why_below_zero);
	write_even(v, out);
	return !textbuf_failed(out);
}

/* The metric that is compared has no second column. */
bool versus_csv(const struct versus *v, struct textbuf *out)
{
	const struct versus_request *q = v->request;
	const bool has_antt = q->metric != RUN_METRIC_antt, has_jain = q->metric != RUN_METRIC_jain,
		   has_migrations = q->metric != RUN_METRIC_migrations_per_s;
	textbuf_printf(out,
		       "rank,policy,system,threads,cores,samples,synthetic,nominal_time,%s,behind,low,high%s%s%s\n",
		       run_metric_rows[q->metric].name, has_antt ? ",antt" : "", has_jain ? ",jain" : "",
		       has_migrations ? ",migrations_per_s" : "");
	for (size_t r = 0; r < q->nr_policies; r++) {
		const struct versus_rank *rank = &v->ranks[r];
		for (size_t s = 0; s < q->nr_systems; s++) {
			const struct versus_system *system = &q->systems[s];
			const struct versus_cell *c = cell_of(v, rank->policy, s);
			csv_u64(out, r + 1);
			csv_string(out, v->names[rank->policy]);
			csv_string(out, system->title);
			csv_u64(out, system->nr_threads);
			csv_u64(out, system->nr_cores);
			csv_u64(out, system->nr_samples);
			csv_string(out, system->synthetic ? "true" : "false");
			csv_string(out, system->nominal ? "true" : "false");
			csv_double(out, c->value);
			csv_double(out, rank->distance.mean);
			csv_double(out, rank->distance.low);
			csv_double(out, rank->distance.high);
			if (has_antt)
				csv_double(out, c->antt);
			if (has_jain)
				csv_double(out, c->jain);
			if (has_migrations)
				csv_double(out, c->migrations_per_s);
			csv_end_row(out);
		}
	}
	return !textbuf_failed(out);
}

bool versus_json(const struct versus *v, struct textbuf *out)
{
	const struct versus_request *q = v->request;
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_string(&j, "metric", run_metric_rows[q->metric].name);
	jwrite_bool(&j, "more_is_better", q->direction > 0);
	jwrite_u64(&j, "pairs", v->nr_pairs);
	jwrite_begin_array(&j, "systems", false);
	for (size_t s = 0; s < q->nr_systems; s++) {
		const struct versus_system *system = &q->systems[s];
		jwrite_begin_object(&j, NULL);
		jwrite_string(&j, "system", system->title);
		jwrite_u64(&j, "threads", system->nr_threads);
		jwrite_u64(&j, "cores", system->nr_cores);
		jwrite_u64(&j, "samples", system->nr_samples);
		jwrite_bool(&j, "synthetic", system->synthetic);
		jwrite_bool(&j, "nominal_time", system->nominal);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_begin_array(&j, "policies", false);
	for (size_t r = 0; r < q->nr_policies; r++) {
		const struct versus_rank *rank = &v->ranks[r];
		jwrite_begin_object(&j, NULL);
		jwrite_u64(&j, "rank", r + 1);
		jwrite_string(&j, "policy", v->names[rank->policy]);
		jwrite_double(&j, "value", rank->value);
		jwrite_double(&j, "behind", rank->distance.mean);
		jwrite_double(&j, "low", rank->distance.low);
		jwrite_double(&j, "high", rank->distance.high);
		jwrite_begin_array(&j, "systems", false);
		for (size_t s = 0; s < q->nr_systems; s++) {
			const struct versus_cell *c = cell_of(v, rank->policy, s);
			jwrite_begin_object(&j, NULL);
			jwrite_double(&j, "value", c->value);
			jwrite_double(&j, "antt", c->antt);
			jwrite_double(&j, "jain", c->jain);
			jwrite_double(&j, "migrations_per_s", c->migrations_per_s);
			jwrite_begin_array(&j, "samples", true);
			for (uint32_t i = 0; i < q->systems[s].nr_samples; i++)
				jwrite_double(&j, NULL, v->values[rank->policy * q->nr_systems + s][i]);
			jwrite_end_array(&j);
			jwrite_end_object(&j);
		}
		jwrite_end_array(&j);
		jwrite_end_object(&j);
	}
	jwrite_end_array(&j);
	jwrite_end_object(&j);
	jwrite_finish(&j);
	return !textbuf_failed(out);
}
