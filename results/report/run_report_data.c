/* A run's result for programs: CSV and JSON. */
#include <math.h>
#include <stdio.h>

#include "results/metrics/csv.h"
#include "results/metrics/json.h"
#include "results/metrics/origins_json.h"
#include "results/metrics/trace_words.h"
#include "results/report/run_report_internal.h"

/* Columns that only some rows have. A row has all columns; those that say nothing of it are empty. */
enum { COLUMNS_OF_THREADS = 5, COLUMNS_OF_MEANS = 10, COLUMNS_OF_SAMPLES = 3 };

/* Longest name of a core. */
#define PART_BYTES 128

static const char header[] =
	"scope,name,speedup,served_share,matched_share,migrations,executed_timesteps,"
	"transition_timesteps,completed_ns,simulated_ns,"
	"present_ns,paid_ns,mismatched_ns,arrived_ns,left_ns,"
	"share,decisions,speedup_harmonic,speedup_geometric,stp,antt,jain,jain_weighted,slowdown_max,unfairness,"
	"mean,low,high,tenant";

/* Further columns, which runs in continuous time have. */
enum { COLUMNS_OF_WAITS = 1 + 2 * NR_WAIT_RANKS };

static const char waits_header[] = ",slept_ns,latency_p50_ns,latency_p95_ns,latency_p99_ns,"
				   "wait_p50_ns,wait_p95_ns,wait_p99_ns";

/* And those of runs whose energy is known. */
static const char energy_header[] = ",energy_j,instruction_nj,power_w,edp,ed2p";

static void empty(struct textbuf *out, unsigned nr)
{
	while (nr-- > 0)
		csv_double(out, NAN);
}

static void head(struct textbuf *out, const char *scope, const char *name, double speedup, double served,
		 double matched)
{
	csv_string(out, scope);
	csv_string(out, name);
	csv_double(out, speedup);
	csv_double(out, served);
	csv_double(out, matched);
}

static void moment(struct textbuf *out, bool known, uint64_t ns)
{
	if (known)
		csv_u64(out, ns);
	else
		csv_double(out, NAN);
}

/* Whole timesteps, or, in continuous time, time in timesteps. */
static void timesteps(struct textbuf *out, const struct run_report *report, uint64_t count)
{
	if (report->result->is_continuous)
		csv_double(out, run_timesteps(report->result, count));
	else
		csv_u64(out, count);
}

/* What a row says of sleep (NAN: nothing), and whether it says something of waits. */
struct slept {
	double ns;
	bool with_waits;
};

static const struct slept nothing_slept = {NAN, false};

/* What a row says of energy: of thread `thread`, of the chip, or nothing. */
enum { ENERGY_OF_CHIP = -1, ENERGY_NOWHERE = -2 };

static void energy(struct textbuf *out, const struct run_report *report, int64_t of)
{
	const struct run_metrics *m = &report->metrics;
	struct thread_metrics tm;
	if (!report->result->energy.is_known)
		return;
	if (of == ENERGY_OF_CHIP) {
		for (int which = 0; which < NR_RUN_METRICS; which++)
			if (run_metric_rows[which].form == RUN_ENERGY)
				csv_double(out, run_metric(m, (enum run_metric)which));
		return;
	}
	if (of == ENERGY_NOWHERE) {
		empty(out, 5);
		return;
	}
	run_metrics_of_thread(report->result, (uint32_t)of, &tm);
	csv_double(out, tm.energy.energy_j);
	csv_double(out, tm.energy.instruction_nj);
	csv_double(out, tm.energy.power_w);
	csv_double(out, tm.energy.edp);
	csv_double(out, tm.energy.ed2p);
}

static void waits(struct textbuf *out, const struct run_report *report, const struct slept *slept)
{
	if (!report->result->is_continuous)
		return;
	csv_double(out, slept->ns);
	for (int which = 0; which < NR_RUN_METRICS && slept->with_waits; which++)
		if (run_metric_rows[which].form == RUN_WAIT)
			csv_double(out, run_metric(&report->metrics, (enum run_metric)which));
	empty(out, slept->with_waits ? 0 : COLUMNS_OF_WAITS - 1);
}

/* The last fields but for those of introspection, and with these the row. */
static void end_row(struct textbuf *out, const struct run_report *report, const char *tenant, const struct slept *slept,
		    int64_t energy_of, enum probe_row row, uint32_t core)
{
	if (tenant)
		csv_string(out, tenant);
	else
		empty(out, 1);
	waits(out, report, slept);
	energy(out, report, energy_of);
	run_report_write_probe_fields(report, row, core, out);
	csv_end_row(out);
}

static void thread_row(struct textbuf *out, const struct run_report *report, uint32_t t)
{
	const struct run_thread_result *r = &report->result->threads[t];
	struct thread_metrics m;
	uint64_t ns;
	run_metrics_of_thread(report->result, t, &m);
	head(out, "thread", report->config->threads[t].name, m.speedup, m.served_share, m.matched_share);
	csv_u64(out, r->counts.migrations);
	timesteps(out, report, r->counts.executed);
	csv_u64(out, r->counts.transitions);
	csv_u64(out, r->counts.completed_ns);
	csv_u64(out, r->simulated_ns);
	csv_u64(out, r->counts.present_ns);
	csv_u64(out, r->counts.paid_ns);
	csv_u64(out, m.mismatched_ns);
	bool known = run_facts_arrived(r, &ns);
	moment(out, known, ns);
	known = run_facts_left(r, &ns);
	moment(out, known, ns);
	empty(out, COLUMNS_OF_MEANS + COLUMNS_OF_SAMPLES);
	const struct slept slept = {(double)r->counts.slept_ns, false};
	end_row(out, report, report->config->threads[t].tenant, &slept, t, PROBE_ROW_EMPTY, 0);
}

/* A core or a state, but for the end of the row. */
static void part_row(struct textbuf *out, const struct run_report *report, const char *scope, const char *name,
		     const struct part_metrics *m, const struct sim_counts *counts)
{
	const struct run_result *result = report->result;
	head(out, scope, name, NAN, m->served_share, m->matched_share);
	empty(out, 1);
	timesteps(out, report, counts->executed);
	empty(out, 2);
	csv_u64(out, result->simulated_ns);
	empty(out, 2);
	csv_double(out, (double)(counts->executed - counts->matched) * (double)run_unit_ns(result));
	empty(out, 2);
	csv_double(out, m->share);
	empty(out, COLUMNS_OF_MEANS - 1 + COLUMNS_OF_SAMPLES);
}

static void part_rows(struct textbuf *out, const struct run_report *report)
{
	const struct run_result *result = report->result;
	struct part_metrics m;
	char name[PART_BYTES];
	for (uint32_t c = 0; c < result->nr_cores; c++) {
		snprintf(name, sizeof(name), "%u %s", c, report->config->chip.cores[c]->name);
		run_metrics_of_core(result, c, &m);
		part_row(out, report, "core", name, &m, &result->cores[c]);
		end_row(out, report, run_facts_core_tenant(report->config, c), &nothing_slept, ENERGY_NOWHERE,
			PROBE_ROW_CORE, c);
	}
	for (unsigned s = 0; s < NR_STATES; s++) {
		run_metrics_of_state(result, s, &m);
		part_row(out, report, "state", state_name(s), &m, &result->states[s]);
		end_row(out, report, NULL, &nothing_slept, ENERGY_NOWHERE, PROBE_ROW_EMPTY, 0);
	}
}

static void sample_row(struct textbuf *out, const struct run_report *report, const char *name,
		       const struct stats_interval *interval)
{
	csv_string(out, "samples");
	csv_string(out, name);
	empty(out, 8 + COLUMNS_OF_THREADS + COLUMNS_OF_MEANS);
	csv_double(out, interval->mean);
	csv_double(out, interval->low);
	csv_double(out, interval->high);
	end_row(out, report, NULL, &nothing_slept, ENERGY_NOWHERE, PROBE_ROW_EMPTY, 0);
}

/* What the rows of the whole have in common: totals, divided by `by`. */
static void totals(struct textbuf *out, const struct run_report *report, double by)
{
	const struct run_metrics *m = &report->metrics;
	csv_double(out, (double)m->migrations / by);
	csv_double(out, run_timesteps(report->result, m->executed) / by);
	csv_double(out, (double)m->transitions / by);
	csv_double(out, m->completed_ns / by);
	csv_u64(out, report->result->simulated_ns);
	csv_double(out, m->present_ns / by);
	csv_double(out, m->paid_ns / by);
	csv_double(out, m->mismatched_ns / by);
	empty(out, 3);
}

void run_report_write_csv(const struct run_report *report, bool details, struct textbuf *out)
{
	char all[48];
	snprintf(all, sizeof(all), "all%s",
		 trace_words_in_brackets(report->traces.nr_synthetic > 0, report->traces.nr_nominal > 0));
	const struct run_metrics *m = &report->metrics;
	textbuf_puts(out, header);
	if (report->result->is_continuous)
		textbuf_puts(out, waits_header);
	if (report->result->energy.is_known)
		textbuf_puts(out, energy_header);
	if (report->result->probes)
		run_report_write_probe_columns(out);
	textbuf_putc(out, '\n');
	for (uint32_t t = 0; t < report->result->nr_threads; t++)
		thread_row(out, report, t);
	if (details)
		part_rows(out, report);
	for (int which = 0; which < NR_RUN_METRICS && report->samples.metrics; which++)
		if (run_metric_applies(report->result, (enum run_metric)which))
			sample_row(out, report, run_metric_rows[which].name, &report->samples.intervals[which]);
	head(out, "mean", all, m->thread_mean, m->served_mean, m->matched_mean);
	totals(out, report, m->nr_present);
	empty(out, 1);
	csv_double(out, m->speedup_harmonic);
	csv_double(out, m->speedup_geometric);
	empty(out, 6 + COLUMNS_OF_SAMPLES);
	const struct slept of_mean = {m->nr_present ? m->slept_ns / m->nr_present : NAN, false};
	end_row(out, report, NULL, &of_mean, ENERGY_NOWHERE, PROBE_ROW_EMPTY, 0);
	head(out, "system", all, m->speedup_system, m->served_share, m->matched_share);
	totals(out, report, 1);
	csv_u64(out, report->result->decisions);
	empty(out, 2);
	csv_double(out, m->stp);
	csv_double(out, m->antt);
	csv_double(out, m->jain);
	csv_double(out, m->jain_weighted);
	csv_double(out, m->slowdown_max);
	csv_double(out, m->unfairness);
	empty(out, COLUMNS_OF_SAMPLES);
	const struct slept in_all = {m->slept_ns, true};
	end_row(out, report, NULL, &in_all, ENERGY_OF_CHIP, PROBE_ROW_ALL, 0);
}

/* One JSON object. */
#define SCHEMA "sahm-run/1"

/* A time that may exceed 64 bits: whole where it does not. */
static void write_ns(struct jwriter *j, const char *key, double ns)
{
	if (ns < 0x1p64)
		jwrite_u64(j, key, (uint64_t)ns);
	else
		jwrite_double(j, key, ns);
}

/* Whole timesteps, or, in continuous time, time in timesteps. */
static void write_timesteps(struct jwriter *j, const char *key, const struct run_result *result, uint64_t count)
{
	if (result->is_continuous)
		jwrite_double(j, key, run_timesteps(result, count));
	else
		jwrite_u64(j, key, count);
}

static void write_metric(struct jwriter *j, const struct run_result *result, const struct run_metrics *m,
			 enum run_metric which)
{
	const struct run_metric_row *row = &run_metric_rows[which];
	if (!run_metric_applies(result, which))
		return;
	if (row->form == RUN_TIME || row->form == RUN_WAIT)
		write_ns(j, row->name, run_metric(m, which));
	else
		jwrite_double(j, row->name, run_metric(m, which));
}

/* A time, or null. */
static void write_moment(struct jwriter *j, const char *key, bool known, uint64_t ns)
{
	if (known)
		jwrite_u64(j, key, ns);
	else
		jwrite_double(j, key, NAN);
}

/* A string, or null. */
static void write_tenant(struct jwriter *j, const char *tenant)
{
	if (tenant)
		jwrite_string(j, "tenant", tenant);
	else
		jwrite_double(j, "tenant", NAN);
}

static void write_thread(struct jwriter *j, const struct run_report *report, uint32_t t)
{
	const struct run_thread_result *r = &report->result->threads[t];
	struct thread_metrics m;
	uint64_t ns;
	run_metrics_of_thread(report->result, t, &m);
	jwrite_begin_object(j, NULL);
	jwrite_string(j, "name", report->config->threads[t].name);
	write_tenant(j, report->config->threads[t].tenant);
	jwrite_double(j, "speedup", m.speedup);
	jwrite_double(j, "served_share", m.served_share);
	jwrite_double(j, "matched_share", m.matched_share);
	jwrite_u64(j, "migrations", r->counts.migrations);
	jwrite_u64(j, "completed_ns", r->counts.completed_ns);
	jwrite_u64(j, "present_ns", r->counts.present_ns);
	if (report->result->is_continuous)
		jwrite_u64(j, "slept_ns", r->counts.slept_ns);
	jwrite_u64(j, "paid_ns", r->counts.paid_ns);
	jwrite_u64(j, "mismatched_ns", m.mismatched_ns);
	if (report->result->energy.is_known) {
		jwrite_double(j, "energy_j", m.energy.energy_j);
		jwrite_double(j, "instructions", r->instructions);
		jwrite_double(j, "instruction_nj", m.energy.instruction_nj);
		jwrite_double(j, "power_w", m.energy.power_w);
		jwrite_double(j, "edp", m.energy.edp);
		jwrite_double(j, "ed2p", m.energy.ed2p);
	}
	jwrite_bool(j, "left", r->counts.left);
	bool known = run_facts_arrived(r, &ns);
	write_moment(j, "arrived_ns", known, ns);
	known = run_facts_left(r, &ns);
	write_moment(j, "left_ns", known, ns);
	jwrite_end_object(j);
}

static void write_part(struct jwriter *j, const char *share, const struct part_metrics *m)
{
	jwrite_double(j, share, m->share);
	jwrite_double(j, "served_share", m->served_share);
	jwrite_double(j, "matched_share", m->matched_share);
	jwrite_end_object(j);
}

/* States whose speedups come from few epochs, or from other states. */
static void write_scarce(struct jwriter *j, uint16_t scarce)
{
	struct textbuf names;
	if (!scarce)
		return;
	textbuf_init(&names);
	states_write(scarce, ", ", &names);
	jwrite_string(j, "scarce_states", names.text);
	textbuf_release_part(&names, j->out);
}

static void write_cores(struct jwriter *j, const struct run_report *report)
{
	jwrite_begin_array(j, "cores", false);
	for (uint32_t c = 0; c < report->result->nr_cores; c++) {
		struct part_metrics m;
		run_metrics_of_core(report->result, c, &m);
		jwrite_begin_flat_object(j, NULL);
		jwrite_u64(j, "core", c);
		jwrite_string(j, "type", report->config->chip.cores[c]->name);
		write_tenant(j, run_facts_core_tenant(report->config, c));
		write_scarce(j, run_facts_core_group(report->config, c)->scarce);
		write_timesteps(j, "executed_timesteps", report->result, report->result->cores[c].executed);
		write_part(j, "utilisation", &m);
	}
	jwrite_end_array(j);
}

static void write_states(struct jwriter *j, const struct run_report *report)
{
	jwrite_begin_array(j, "states", false);
	for (unsigned s = 0; s < NR_STATES; s++) {
		struct part_metrics m;
		run_metrics_of_state(report->result, s, &m);
		jwrite_begin_flat_object(j, NULL);
		jwrite_u64(j, "state", s);
		jwrite_string(j, "name", state_name(s));
		write_timesteps(j, "executed_timesteps", report->result, report->result->states[s].executed);
		write_part(j, "share", &m);
	}
	jwrite_end_array(j);
}

static void write_samples(struct jwriter *j, const struct run_result *result, const struct run_samples *samples)
{
	jwrite_begin_array(j, "samples", false);
	for (uint32_t i = 0; i < samples->nr; i++) {
		jwrite_begin_flat_object(j, NULL);
		for (int which = 0; which < NR_RUN_METRICS; which++)
			write_metric(j, result, &samples->metrics[i], (enum run_metric)which);
		jwrite_end_object(j);
	}
	jwrite_end_array(j);
	jwrite_begin_object(j, "intervals");
	for (int which = 0; which < NR_RUN_METRICS; which++) {
		if (!run_metric_applies(result, (enum run_metric)which))
			continue;
		jwrite_begin_flat_object(j, run_metric_rows[which].name);
		jwrite_double(j, "mean", samples->intervals[which].mean);
		jwrite_double(j, "low", samples->intervals[which].low);
		jwrite_double(j, "high", samples->intervals[which].high);
		jwrite_end_object(j);
	}
	jwrite_end_object(j);
}

/* By where the energy goes, or which figures are missing. */
static void write_energy(struct jwriter *j, const struct run_report *report)
{
	const struct run_energy_sum *e = &report->result->energy;
	const struct run_costs *costs = &report->config->costs;
	if (!costs->path)
		return;
	jwrite_begin_flat_object(j, "energy");
	if (e->is_known) {
		jwrite_double(j, "static_j", e->static_j);
		jwrite_double(j, "dynamic_j", e->dynamic_j);
		jwrite_double(j, "migration_j", e->migration_j);
		jwrite_double(j, "instructions", e->instructions);
	} else {
		jwrite_begin_array(j, "missing", true);
		for (uint32_t i = 0; i < costs->nr_missing; i++)
			jwrite_string(j, NULL, costs->missing[i]);
		jwrite_end_array(j);
	}
	jwrite_end_object(j);
}

/* Shares of time at each level of groups of cores, and above the capacity of those that share. */
static void write_levels(struct jwriter *j, const struct run_report *report)
{
	const struct run_config *config = report->config;
	double ns = (double)report->result->simulated_ns;
	bool has_levels = false;
	for (uint32_t g = 0; g < config->nr_groups; g++)
		has_levels |= config->groups[g].count > 0 && config->groups[g].levels.nr > 0;
	if (has_levels)
		jwrite_begin_array(j, "levels", false);
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		for (uint32_t l = 0; l < group->levels.nr && group->count; l++) {
			jwrite_begin_flat_object(j, NULL);
			jwrite_string(j, "cores", group->type.name);
			jwrite_u64(j, "mhz", group->levels.levels[l].mhz);
			jwrite_double(j, "share",
				      (double)report->result->residency[group->first_point + l] / ns / group->count);
			jwrite_end_object(j);
		}
	}
	if (has_levels)
		jwrite_end_array(j);
	if (config->nr_shared)
		jwrite_begin_array(j, "shared", false);
	for (uint32_t g = 0; g < config->nr_shared; g++) {
		jwrite_begin_flat_object(j, NULL);
		jwrite_string(j, "cores", config->shared[g].cores);
		jwrite_u64(j, "l2_misses_per_s", config->capacity[g]);
		jwrite_double(j, "over_capacity_share", (double)report->result->over_ns[g] / ns);
		jwrite_end_object(j);
	}
	if (config->nr_shared)
		jwrite_end_array(j);
}

void run_report_write_json(const struct run_report *report, struct textbuf *out)
{
	const struct run_config *config = report->config;
	const struct run_result *result = report->result;
	struct jwriter j;
	jwrite_init(&j, out);
	jwrite_begin_object(&j, NULL);
	jwrite_string(&j, "schema", SCHEMA);
	jwrite_string(&j, "config_hash", report->hash);
	jwrite_string(&j, "policy", config->policy->name);
	jwrite_bool(&j, "plug_in", config->plugin);
	jwrite_bool(&j, "oracle", config->oracle);
	jwrite_bool(&j, "synthetic", report->traces.nr_synthetic > 0);
	jwrite_bool(&j, "nominal_time", report->traces.nr_nominal > 0);
	origins_write_json(report->traces.origins, &j);
	jwrite_begin_array(&j, "threads", false);
	for (uint32_t t = 0; t < result->nr_threads; t++)
		write_thread(&j, report, t);
	jwrite_end_array(&j);
	for (int which = 0; which < NR_RUN_METRICS; which++)
		write_metric(&j, result, &report->metrics, (enum run_metric)which);
	jwrite_u64(&j, "migrations", report->metrics.migrations);
	jwrite_u64(&j, "decisions", result->decisions);
	jwrite_u64(&j, "simulated_ns", result->simulated_ns);
	write_timesteps(&j, "thread_timesteps", result, report->metrics.executed);
	jwrite_bool(&j, "given_up", result->nr_given_up > 0);
	write_energy(&j, report);
	write_levels(&j, report);
	write_cores(&j, report);
	write_states(&j, report);
	run_report_write_probe_json(report, &j);
	if (report->samples.metrics)
		write_samples(&j, result, &report->samples);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}
