#include "results/report/run_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "results/metrics/metric_text.h"
#include "results/metrics/table.h"
#include "results/report/run_report_internal.h"
#include "sim/base/array.h"
#include "sim/base/clean.h"
#include "sim/base/number.h"
#include "sim/base/units.h"

/* The heading for people: what was run. */

static void write_ms(uint64_t ns, struct textbuf *out)
{
	number_write_double(out, ms_of_ns(ns), 0);
}

/* Minimum and maximum cost of a migration between two cores. */
static void matrix_range(const struct distances *d, uint32_t nr_cores, uint64_t *least_ns, uint64_t *most_ns)
{
	*least_ns = UINT64_MAX;
	*most_ns = 0;
	for (uint32_t from = 0; from < nr_cores; from++) {
		for (uint32_t to = 0; to < nr_cores; to++) {
			uint64_t ns = distance_cost_ns(d, nr_cores, from, to);
			if (from != to && ns < *least_ns)
				*least_ns = ns;
			if (from != to && ns > *most_ns)
				*most_ns = ns;
		}
	}
}

/* The costs that two cores of the chip can have between them by levels, nearest first, each once; their number. */
static unsigned costs_by_distance(const struct distances *d, uint32_t nr_cores, uint64_t costs[MAX_DISTANCE_LEVELS + 1])
{
	unsigned nr = 0;
	uint32_t inner = 1; /* within blocks of this number of cores, levels before this one apply */
	for (uint32_t i = 0; i <= d->nr_levels && inner < nr_cores; i++) {
		uint64_t ns = i < d->nr_levels ? d->levels[i].cost_ns : d->cost_ns;
		bool known = false;
		for (unsigned k = 0; k < nr; k++)
			known |= costs[k] == ns;
		if (!known)
			costs[nr++] = ns;
		inner = i < d->nr_levels ? d->levels[i].nr_cores : nr_cores;
	}
	return nr;
}

/* "3 ms per migration", "0.1, 0.5 or 3 ms per migration by distance", "2 to 6 ms per migration by matrix" */
static void write_costs(const struct run_config *config, struct textbuf *out)
{
	const struct distances *d = &config->distances;
	uint64_t costs[MAX_DISTANCE_LEVELS + 1], least_ns, most_ns;
	uint32_t nr_cores = config->chip.nr_cores;
	if (nr_cores == 1) {
		textbuf_puts(out, "no core to migrate to");
		return;
	}
	if (d->matrix_ns) {
		matrix_range(d, nr_cores, &least_ns, &most_ns);
		write_ms(least_ns, out);
		if (most_ns != least_ns) {
			textbuf_puts(out, " to ");
			write_ms(most_ns, out);
		}
		textbuf_puts(out, " ms per migration by matrix");
	} else {
		unsigned nr = costs_by_distance(d, nr_cores, costs);
		for (unsigned i = 0; i < nr; i++) {
			textbuf_puts(out, i == 0 ? "" : i + 1 < nr ? ", " : " or ");
			write_ms(costs[i], out);
		}
		textbuf_printf(out, " ms per migration%s", nr > 1 ? " by distance" : "");
	}
	if (config->warmup_ns) {
		textbuf_puts(out, ", warm-up ");
		write_ms(config->warmup_ns, out);
		textbuf_puts(out, " ms");
	}
}

/* Slowdown of a thread, compared with a whole core, if all awake threads shared the cores fairly. */
static double slowdown_of_fair_shares(const struct run_report *report)
{
	return run_metrics_awake(report->config, &report->metrics, report->result) / report->config->chip.nr_cores;
}

static bool is_overcommitted(const struct run_report *report)
{
	return slowdown_of_fair_shares(report) > 1;
}

/* Each thread is much slower than on a whole core: what the chip makes of them comes first. */
static void write_headline(const struct run_report *report, struct textbuf *out)
{
	const struct run_metrics *m = &report->metrics;
	double fair = slowdown_of_fair_shares(report);
	textbuf_printf(out, "throughput     STP %.3f baseline cores\nslow-down      ", m->stp);
	if (isfinite(m->antt))
		textbuf_printf(out, "mean %.2f (ANTT), %.1f %% %s than ", m->antt, fabs(m->antt / fair - 1) * 100,
			       m->antt <= fair ? "less" : "more");
	textbuf_printf(out, "%.2f by fair shares of %u baseline core%s\n", fair, report->config->chip.nr_cores,
		       report->config->chip.nr_cores == 1 ? "" : "s");
	textbuf_puts(out, "               (speedup compares with a whole core, gain with a fair share)\n");
}

static void write_heading(const struct run_report *report, const char *title, struct textbuf *out)
{
	const struct run_config *config = report->config;
	textbuf_printf(out, "configuration  %s (%.16s)\n", title, report->hash);
	textbuf_puts(out, "chip           ");
	run_facts_write_chip(config, out);
	uint32_t nr_cores = config->chip.nr_cores;
	textbuf_printf(out, "workload       %u thread%s", config->nr_threads, config->nr_threads == 1 ? "" : "s");
	if (config->alone)
		textbuf_puts(out, ", each with the whole chip");
	else if (config->nr_threads > nr_cores)
		textbuf_printf(out, " on %u core%s", nr_cores, nr_cores == 1 ? "" : "s");
	else if (config->nr_threads > 1)
		textbuf_puts(out, " together");
	textbuf_printf(out, "; %u trace%s", config->nr_traces, config->nr_traces == 1 ? "" : "s");
	trace_words_write_numbers(&report->traces, out);
	textbuf_putc(out, '\n');
	textbuf_printf(out, "scheduler      %s%s, inertia %u, timestep ", config->policy->name,
		       config->plugin ? " (plug-in)" : "", config->inertia);
	write_ms(config->timestep_ns, out);
	textbuf_printf(out, " ms, observes %s; ",
		       config->oracle	       ? "the coming timestep (oracle)"
		       : config->introspection ? "what IPUs tell"
					       : "the last timestep");
	write_costs(config, out);
	textbuf_putc(out, '\n');
	run_report_write_probe_heading(config, out);
	textbuf_printf(out, "simulated      %.2f s", (double)report->result->simulated_ns / (double)NS_PER_S);
	if (report->samples.metrics)
		textbuf_printf(out, " in %u samples, whose counts are added up", report->samples.nr);
	textbuf_putc(out, '\n');
	if (is_overcommitted(report))
		write_headline(report, out);
	textbuf_putc(out, '\n');
}

/* The result for people: a table of the threads, lines for the whole, tables by core and by state. */

static void value_cell(struct table *t, enum run_form form, double value)
{
	char text[METRIC_TEXT_BYTES];
	table_cell(t, "%s", metric_text(form, value, value, text));
}

/* A column of times is in s throughout. */
static void seconds_cell(struct table *t, bool known, uint64_t ns)
{
	if (known)
		table_cell(t, "%.2f s", (double)ns / (double)NS_PER_S);
	else
		table_cell(t, "-");
}

static void tenant_cell(struct table *t, const char *tenant)
{
	struct textbuf text;
	textbuf_init(&text);
	textbuf_puts(&text, tenant ? tenant : "-");
	if (!textbuf_failed(&text))
		clean_text(text.text);
	table_cell(t, "%s", text.text);
	t->failed |= textbuf_failed(&text);
	textbuf_release(&text);
}

/* Columns that are there only where the configuration gives them something to say. */
struct columns {
	bool tenant, gain, slept, arrived, left;
};

static struct columns columns_of(const struct run_report *report)
{
	const struct run_config *config = report->config;
	struct columns columns = {.gain = is_overcommitted(report), .slept = run_facts_any_slept(report->result)};
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct run_thread *th = &config->threads[t];
		columns.tenant |= th->tenant != NULL;
		columns.arrived |= th->arrive_ns > 0 && !config->alone;
		columns.left |= th->once;
	}
	return columns;
}

static void thread_row(const struct run_report *report, struct columns columns, uint32_t thread, struct table *t)
{
	const struct run_thread_result *r = &report->result->threads[thread];
	struct thread_metrics m;
	uint64_t ns = 0;
	run_metrics_of_thread(report->result, thread, &m);
	table_row(t, thread == 0);
	table_cell(t, "%s", report->config->threads[thread].name);
	if (columns.tenant)
		tenant_cell(t, report->config->threads[thread].tenant);
	value_cell(t, RUN_SPEEDUP, m.speedup);
	if (columns.gain)
		value_cell(t, RUN_SPEEDUP, (m.speedup + 1) * slowdown_of_fair_shares(report) - 1);
	value_cell(t, RUN_SHARE, m.served_share);
	value_cell(t, RUN_SHARE, m.matched_share);
	table_cell(t, "%" PRIu64, r->counts.migrations);
	seconds_cell(t, true, r->counts.completed_ns);
	if (report->result->energy.is_known) {
		value_cell(t, RUN_ENERGY, m.energy.energy_j);
		value_cell(t, RUN_ENERGY, m.energy.instruction_nj);
		value_cell(t, RUN_ENERGY, m.energy.power_w);
		value_cell(t, RUN_ENERGY, m.energy.edp);
		value_cell(t, RUN_ENERGY, m.energy.ed2p);
	}
	if (columns.slept)
		seconds_cell(t, true, r->counts.slept_ns);
	if (columns.arrived) {
		bool known = run_facts_arrived(r, &ns);
		seconds_cell(t, known, ns);
	}
	if (columns.left) {
		bool known = run_facts_left(r, &ns);
		seconds_cell(t, known, ns);
	}
}

static void thread_table(const struct run_report *report, struct table *t)
{
	static const char *const headings[] = {"served", "matched", "migrations", "baseline time"};
	static const char *const energy_headings[] = {"energy, J", "nJ/instr.", "mean W", "EDP", "ED2P"};
	const struct run_metrics *m = &report->metrics;
	struct columns columns = columns_of(report);
	table_row(t, false);
	table_cell(t, "thread");
	if (columns.tenant) {
		t->left |= 1u << 1;
		table_cell(t, "tenant");
	}
	table_cell(t, "speedup");
	if (columns.gain)
		table_cell(t, "gain");
	table_words(t, headings, ARRAY_SIZE(headings));
	if (report->result->energy.is_known)
		table_words(t, energy_headings, ARRAY_SIZE(energy_headings));
	if (columns.slept)
		table_cell(t, "slept");
	if (columns.arrived)
		table_cell(t, "arrived");
	if (columns.left)
		table_cell(t, "left");
	for (uint32_t i = 0; i < report->result->nr_threads; i++)
		thread_row(report, columns, i, t);
	table_row(t, true);
	table_cell(t, "%s", trace_words_mean(report->traces.nr_synthetic > 0, report->traces.nr_nominal > 0));
	if (columns.tenant)
		table_cell(t, "%s", "");
	value_cell(t, RUN_SPEEDUP, m->thread_mean);
	if (columns.gain)
		value_cell(t, RUN_SPEEDUP, (m->thread_mean + 1) * slowdown_of_fair_shares(report) - 1);
	value_cell(t, RUN_SHARE, m->served_mean);
	value_cell(t, RUN_SHARE, m->matched_mean);
	if (m->nr_present)
		table_cell(t, "%.1f", (double)m->migrations / m->nr_present);
	else
		table_cell(t, "-");
}

static void part_cells(struct table *t, const struct part_metrics *m)
{
	value_cell(t, RUN_SHARE, m->share);
	value_cell(t, RUN_SHARE, m->served_share);
	value_cell(t, RUN_SHARE, m->matched_share);
}

static void core_table(const struct run_report *report, struct table *t)
{
	const struct run_config *config = report->config;
	uint32_t core = 0;
	bool owned = false;
	for (uint32_t g = 0; g < config->nr_groups; g++)
		owned |= config->groups[g].count > 0 && config->groups[g].tenant;
	t->left = 1u << 1 | (owned ? 1u << 2 : 0); /* type and tenant, not the number */
	table_row(t, false);
	table_cell(t, "core");
	table_cell(t, "type");
	if (owned)
		table_cell(t, "tenant");
	table_cell(t, "utilisation");
	table_cell(t, "served");
	table_cell(t, "matched");
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		struct textbuf type;
		textbuf_init(&type);
		textbuf_puts(&type, config->groups[g].type.name);
		run_facts_write_speedups(&config->groups[g], &type);
		for (uint32_t i = 0; i < config->groups[g].count; i++, core++) {
			struct part_metrics m;
			run_metrics_of_core(report->result, core, &m);
			table_row(t, core == 0);
			table_cell(t, "%u", core);
			table_cell(t, "%s", type.text);
			if (owned)
				tenant_cell(t, config->groups[g].tenant);
			part_cells(t, &m);
		}
		t->failed |= textbuf_failed(&type);
		textbuf_release(&type);
	}
}

static void state_table(const struct run_report *report, struct table *t)
{
	table_row(t, false);
	table_cell(t, "state");
	table_cell(t, "executed");
	table_cell(t, "served");
	table_cell(t, "matched");
	for (unsigned s = 0; s < NR_STATES; s++) {
		struct part_metrics m;
		run_metrics_of_state(report->result, s, &m);
		table_row(t, s == 0);
		table_cell(t, "%s", state_name(s));
		part_cells(t, &m);
	}
}

/* Waits that nobody had are left out, energy that is not known, and fairness by weight where all weights are the same.
 */
static bool is_shown(const struct run_report *report, enum run_metric which)
{
	double value = run_metric(&report->metrics, which);
	return run_metric_applies(report->result, which) &&
	       !(why_no_metric(run_metric_rows[which].form) && isnan(value)) &&
	       !(which == RUN_METRIC_jain_weighted && value == report->metrics.jain);
}

static void sample_table(const struct run_report *report, struct table *t)
{
	table_row(t, false);
	table_cell(t, "of %u samples, %u drawn", report->samples.nr, report->samples.nr - 1);
	table_cell(t, "mean");
	table_cell(t, "low (%u %%)", BOOTSTRAP_PCT);
	table_cell(t, "high (%u %%)", BOOTSTRAP_PCT);
	for (int which = 0; which < NR_RUN_METRICS; which++) {
		const struct run_metric_row *row = &run_metric_rows[which];
		const struct stats_interval *interval = &report->samples.intervals[which];
		if (!is_shown(report, (enum run_metric)which))
			continue;
		table_row(t, which == 0);
		table_cell(t, "%s", row->words);
		const double values[] = {interval->mean, interval->low, interval->high};
		char text[METRIC_TEXT_BYTES];
		for (size_t i = 0; i < ARRAY_SIZE(values); i++)
			table_cell(t, "%s", metric_text(row->form, values[i], interval->high, text));
	}
}

/* The remark after a metric: the whole of which it is a share, or its count. */
static void write_context(const struct run_report *report, enum run_metric which, struct textbuf *out)
{
	const struct run_result *result = report->result;
	const struct run_metrics *m = &report->metrics;
	if (which == RUN_METRIC_stp)
		textbuf_printf(out, " with %.2f threads present", m->present_ns / (double)result->simulated_ns);
	else if (which == RUN_METRIC_served_share || which == RUN_METRIC_matched_share)
		textbuf_puts(out, " of executed timesteps");
	else if (which == RUN_METRIC_running_share && result->is_continuous)
		textbuf_printf(out, " of %.2f s in which threads were awake",
			       (double)result->thread_timesteps / (double)NS_PER_S);
	else if (which == RUN_METRIC_running_share)
		textbuf_printf(out, " of %" PRIu64 " thread-timesteps", result->thread_timesteps);
	else if (which == RUN_METRIC_transition_share)
		textbuf_printf(out, " of executed timesteps (%" PRIu64 ")", m->transitions);
	else if (which == RUN_METRIC_migrations_per_s)
		textbuf_printf(out, " (%" PRIu64 ")", m->migrations);
	else if (which == RUN_METRIC_decisions_per_s)
		textbuf_printf(out, " (%" PRIu64 ")", result->decisions);
}

/* Times of similar size have one unit: that of the longest of all waits, or of all other times, unless it is more than
 * 100 times as long. */
static double unit_reference(const struct run_metrics *m, enum run_metric of)
{
	double greatest = run_metric(m, of);
	for (int which = 0; which < NR_RUN_METRICS; which++) {
		double value = run_metric(m, (enum run_metric)which);
		if (run_metric_rows[which].form == run_metric_rows[of].form && value > greatest)
			greatest = value;
	}
	return greatest <= 100 * run_metric(m, of) ? greatest : run_metric(m, of);
}

/* A line for each metric; what the chip does as a whole comes first. */
static void write_lines(const struct run_report *report, struct textbuf *out)
{
	static const enum run_metric first[] = {RUN_METRIC_speedup_system, RUN_METRIC_stp, RUN_METRIC_antt};
	const struct run_metrics *m = &report->metrics;
	textbuf_putc(out, '\n');
	for (unsigned i = 0; i < ARRAY_SIZE(first) + NR_RUN_METRICS; i++) {
		enum run_metric which = i < ARRAY_SIZE(first) ? first[i] : (enum run_metric)(i - ARRAY_SIZE(first));
		const struct run_metric_row *row = &run_metric_rows[which];
		double value = run_metric(m, which);
		char text[METRIC_TEXT_BYTES];
		bool is_first = which == first[0] || which == first[1] || which == first[2];
		if ((is_first && i >= ARRAY_SIZE(first)) || !is_shown(report, which))
			continue;
		textbuf_printf(out, "%-28s %s", row->words,
			       metric_text(row->form, value, unit_reference(m, which), text));
		write_context(report, which, out);
		textbuf_putc(out, '\n');
	}
}

/* How many of the threads that do not repeat have left. */
static void write_left(const struct run_report *report, struct textbuf *out)
{
	uint32_t nr_once, nr_left;
	run_facts_count_left(report->config, report->result, &nr_once, &nr_left);
	if (nr_once)
		textbuf_printf(out, "%sleft                         %u of %u thread%s not repeat%s\n",
			       report->samples.metrics ? "\n" : "", nr_left, nr_once,
			       nr_once == 1 ? " that does" : "s that do",
			       report->samples.metrics ? ", in every sample" : "");
}

/* How long cores with levels were at each that they were ever at. */
static void write_levels(const struct run_report *report, struct textbuf *out)
{
	const struct run_config *config = report->config;
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		const uint64_t *residency = report->result->residency + group->first_point;
		double all = 0;
		for (uint32_t l = 0; l < group->levels.nr; l++)
			all += (double)residency[l];
		if (group->levels.nr == 0 || group->count == 0)
			continue;
		textbuf_printf(out, "frequency                    %s: ", group->type.name);
		const char *comma = "";
		for (uint32_t l = 0; l < group->levels.nr; l++) {
			if (residency[l] == 0)
				continue;
			textbuf_printf(out, "%s%u MHz %.1f %%", comma, group->levels.levels[l].mhz,
				       100 * (double)residency[l] / all);
			comma = ", ";
		}
		textbuf_puts(out, " of the time\n");
	}
}

static double over_share(const struct run_report *report, uint32_t g)
{
	return (double)report->result->over_ns[g] / (double)report->result->simulated_ns;
}

/* How often cores that share asked for more than there was. */
static void write_sharing(const struct run_report *report, struct textbuf *out)
{
	const struct run_config *config = report->config;
	for (uint32_t g = 0; g < config->nr_shared; g++)
		textbuf_printf(out, "shared by cores %-12s above %llu L2 misses per s %.1f %% of the time\n",
			       config->shared[g].cores, (unsigned long long)config->capacity[g],
			       100 * over_share(report, g));
}

/* Where the table of costs lacks figures. */
static void write_missing_energy(const struct run_report *report, struct textbuf *out)
{
	const struct run_costs *costs = &report->config->costs;
	for (uint32_t i = 0; i < costs->nr_missing; i++)
		textbuf_printf(out, "%-28s %s\n", i ? "" : "energy is not known", costs->missing[i]);
}

static void write_given_up(const struct run_report *report, struct textbuf *out)
{
	struct textbuf text;
	textbuf_init(&text);
	if (run_facts_given_up(report->config, report->result, &text))
		textbuf_printf(out, "given up                     %s\n", text.text);
	out->failed |= textbuf_failed(&text);
	textbuf_release(&text);
}

static void write_table(const struct run_report *report, void (*fill)(const struct run_report *report, struct table *t),
			bool bold, struct textbuf *out)
{
	struct table t;
	table_init(&t);
	fill(report, &t);
	out->failed |= !table_write(&t, bold, out);
	table_release(&t);
}

static void write_text(const struct run_report *report, const struct run_report_look *look, struct textbuf *out)
{
	write_heading(report, look->title, out);
	if (report->samples.metrics)
		textbuf_puts(out, "all samples together\n\n");
	write_table(report, thread_table, look->bold, out);
	if (report->samples.metrics) {
		textbuf_putc(out, '\n');
		write_table(report, sample_table, look->bold, out);
	} else {
		write_lines(report, out);
	}
	write_left(report, out);
	if (report->samples.metrics && report->result->probes)
		textbuf_putc(out, '\n');
	run_report_write_probe_line(report, out);
	if (look->details) {
		textbuf_putc(out, '\n');
		write_table(report, core_table, look->bold, out);
		textbuf_putc(out, '\n');
		write_table(report, state_table, look->bold, out);
	}
	if (look->details && report->result->probes) {
		textbuf_putc(out, '\n');
		write_table(report, run_report_fill_probe_table, look->bold, out);
	}
	struct textbuf last; /* where it stays in sight if only the end is read */
	textbuf_init(&last);
	write_levels(report, &last);
	write_sharing(report, &last);
	write_missing_energy(report, &last);
	write_given_up(report, &last);
	if (report->traces.nr_synthetic)
		textbuf_printf(&last, "synthetic                    %zu of %zu traces\n", report->traces.nr_synthetic,
			       report->traces.nr);
	if (report->traces.nr_nominal)
		textbuf_printf(&last, "assumed time base            %zu of %zu traces\n", report->traces.nr_nominal,
			       report->traces.nr);
	trace_words_config_origins(report->config, "counts                       ", &last);
	if (last.len && (look->details || report->samples.metrics))
		textbuf_putc(out, '\n');
	textbuf_add(out, last.text, last.len);
	out->failed |= textbuf_failed(&last);
	textbuf_release(&last);
}

/* False when memory was short; release it otherwise. */
static bool report_init(struct run_report *report, const struct run_config *config, const struct run_result *result)
{
	uint8_t hash[HASH_BYTES];
	*report = (struct run_report){.config = config, .result = result, .traces = trace_counts_of(config)};
	run_config_hash(config, hash);
	hash_hex(hash, report->hash);
	if (run_metrics_of(result, &report->metrics, NULL) != SAHM_OK ||
	    run_samples_of(result, config->seed, &report->samples, NULL) != SAHM_OK)
		return false;
	run_samples_put_means(&report->samples, &report->metrics);
	return true;
}

static void report_release(struct run_report *report)
{
	run_samples_release(&report->samples);
}

bool run_report_text(const struct run_config *config, const struct run_result *result,
		     const struct run_report_look *look, struct textbuf *out)
{
	struct run_report report;
	if (!report_init(&report, config, result))
		return false;
	write_text(&report, look, out);
	report_release(&report);
	return !textbuf_failed(out);
}

bool run_report_json(const struct run_config *config, const struct run_result *result, struct textbuf *out)
{
	struct run_report report;
	if (!report_init(&report, config, result))
		return false;
	run_report_write_json(&report, out);
	report_release(&report);
	return !textbuf_failed(out);
}

bool run_report_csv(const struct run_config *config, const struct run_result *result, bool details, struct textbuf *out)
{
	struct run_report report;
	if (!report_init(&report, config, result))
		return false;
	run_report_write_csv(&report, details, out);
	report_release(&report);
	return !textbuf_failed(out);
}
