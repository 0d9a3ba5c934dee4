/* A run's result as one JSON object. */
#include <math.h>

#include "results/metrics/json.h"
#include "results/report/run_report_internal.h"

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
	write_cores(&j, report);
	write_states(&j, report);
	run_report_write_probe_json(report, &j);
	if (report->samples.metrics)
		write_samples(&j, result, &report->samples);
	jwrite_end_object(&j);
	jwrite_finish(&j);
}
