#include "sim/sweep/versus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/metrics/metric_text.h"
#include "results/metrics/run_samples.h"
#include "results/metrics/trace_words.h"
#include "sim/base/file.h"
#include "sim/engine/config/run_config.h"
#include "sim/sweep/pool.h"

/* A comparison in the making. A job is a policy on a system. */
struct match {
	const struct versus_request *request;
	struct versus *result;
	uint64_t nr_jobs, next, nr_done;
};

/* What a worker answers: the cell and a value for each sample, or why there are none. */
struct answer {
	enum sahm_status status;
	uint32_t nr_samples;
	struct versus_cell cell;
};

static size_t policy_of(const struct match *m, uint64_t job)
{
	return (size_t)(job / m->request->nr_systems);
}

static struct versus_system *system_of(const struct match *m, uint64_t job)
{
	return &m->request->systems[job % m->request->nr_systems];
}

/* The system under one policy; NULL: its own. */
static enum sahm_status make(const struct versus_request *q, const struct versus_system *system, const char *policy,
			     struct run_config *config, struct sahm_err *err)
{
	struct textbuf samples, setting;
	const char **settings = calloc(q->nr_settings + 2, sizeof(*settings));
	size_t nr = 0;
	textbuf_init(&samples);
	textbuf_init(&setting);
	textbuf_printf(&samples, "workload.samples=%u", system->nr_samples);
	textbuf_puts(&setting, "scheduler.policy=");
	cfg_write_string(&setting, policy ? policy : "");
	enum sahm_status status =
		settings && !textbuf_failed(&samples) && !textbuf_failed(&setting) ? SAHM_OK : sahm_fail_nomem(err);
	for (size_t i = 0; i < q->nr_settings && settings; i++)
		settings[nr++] = q->settings[i];
	if (status == SAHM_OK && system->nr_samples)
		settings[nr++] = samples.text;
	if (status == SAHM_OK && policy)
		settings[nr++] = setting.text;
	if (status == SAHM_OK)
		status = run_config_make(config, system->root, settings, nr, q->data_folder, NULL, err);
	textbuf_release(&samples);
	textbuf_release(&setting);
	free(settings);
	return status;
}

/* Whether samples would differ: some thread repeats its trace, or sleeps. */
static bool can_be_sampled(const struct run_config *config)
{
	for (uint32_t t = 0; t < config->nr_threads; t++)
		if (!config->threads[t].once || config->threads[t].bursts)
			return true;
	return false;
}

/* Reads each system once: what is wrong with it shows here, and how many samples it has. */
static enum sahm_status look_at(const struct versus_request *q, struct versus_system *system, struct versus *v,
				struct sahm_err *err)
{
	struct run_config config;
	system->nr_samples = 0;
	enum sahm_status status = make(q, system, q->policies[0], &config, err);
	if (status != SAHM_OK)
		return status;
	const struct trace_counts traces = trace_counts_of(&config);
	system->nr_threads = config.nr_threads;
	system->nr_cores = config.chip.nr_cores;
	system->synthetic = traces.nr_synthetic > 0;
	system->nominal = traces.nr_nominal > 0;
	system->can_be_sampled = can_be_sampled(&config);
	system->nr_samples = config.nr_samples > 1 ? config.nr_samples : system->can_be_sampled ? q->nr_samples : 1;
	v->nr_pairs += system->nr_samples;
	textbuf_add(&v->notes, config.notes.text, config.notes.len);
	run_config_release(&config);
	return SAHM_OK;
}

static enum sahm_status fail_without(const struct run_metric_row *row, struct sahm_err *err)
{
	const char *why = why_no_metric(row->form);
	return sahm_fail(err, SAHM_RANGE, "the run has no value of '%s' (%s)%s%s", row->name, row->words,
			 why ? ": " : "", why ? why : "");
}

static enum sahm_status measure(const struct match *m, const struct run_config *config, double *values,
				struct versus_cell *cell, struct sahm_err *err)
{
	struct run_result result;
	struct run_samples samples;
	struct run_metrics whole;
	enum sahm_status status = run_execute(config, SIM_EVENT, &result, err);
	if (status != SAHM_OK)
		return status;
	status = run_metrics_of(&result, &whole, err);
	if (status == SAHM_OK)
		status = run_samples_of(&result, config->seed, &samples, err);
	if (status == SAHM_OK) {
		run_samples_put_means(&samples, &whole);
		for (uint32_t s = 0; s < config->nr_samples; s++)
			values[s] = run_metric(samples.metrics ? &samples.metrics[s] : &whole, m->request->metric);
		*cell = (struct versus_cell){run_metric(&whole, m->request->metric), whole.antt, whole.jain,
					     whole.migrations_per_s, run_metrics_awake(config, &whole, &result)};
		run_samples_release(&samples);
	}
	run_result_release(&result);
	for (uint32_t s = 0; s < config->nr_samples && status == SAHM_OK; s++)
		if (!isfinite(values[s]))
			status = fail_without(&run_metric_rows[m->request->metric], err);
	return status;
}

static enum sahm_status play(const struct match *m, uint64_t job, double *values, struct versus_cell *cell,
			     struct sahm_err *err)
{
	const struct versus_system *system = system_of(m, job);
	const char *policy = m->request->policies[policy_of(m, job)];
	struct run_config config;
	struct sahm_err cause;
	enum sahm_status status = make(m->request, system, policy, &config, &cause);
	if (status == SAHM_OK) {
		status = measure(m, &config, values, cell, &cause);
		run_config_release(&config);
	}
	return status == SAHM_OK ? SAHM_OK
				 : sahm_fail(err, status, "%.100s on %.100s: %s", policy, system->title, cause.msg);
}

static void begin(void *ctx, uint32_t worker)
{
	const struct match *m = ctx;
	(void)worker;
	if (m->request->worker_begin)
		m->request->worker_begin();
}

static void work(void *ctx, uint64_t job, struct textbuf *answer)
{
	const struct match *m = ctx;
	struct sahm_err err;
	struct answer a = {.nr_samples = system_of(m, job)->nr_samples};
	double *values = calloc(a.nr_samples, sizeof(*values));
	a.status = values ? play(m, job, values, &a.cell, &err) : sahm_fail_nomem(&err);
	textbuf_add(answer, (const char *)&a, sizeof(a));
	if (a.status == SAHM_OK)
		textbuf_add(answer, (const char *)values, a.nr_samples * sizeof(*values));
	else
		textbuf_puts(answer, err.msg);
	free(values);
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct match *m = ctx;
	size_t nr = 0;
	while (nr < room && m->next < m->nr_jobs)
		jobs[nr++] = m->next++;
	return nr;
}

static void report_progress(const struct match *m)
{
	if (m->request->progress)
		m->request->progress(m->request->progress_ctx, m->nr_done, m->nr_jobs);
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct match *m = ctx;
	struct answer a;
	memcpy(&a, answer, sizeof(a));
	if (a.status != SAHM_OK)
		return sahm_fail(err, a.status, "%.*s", (int)(len - sizeof(a)), answer + sizeof(a));
	memcpy(m->result->values[job], answer + sizeof(a), a.nr_samples * sizeof(double));
	m->result->cells[job] = a.cell;
	m->nr_done++;
	return SAHM_OK;
}

static enum sahm_status lost(void *ctx, uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	const struct match *m = ctx;
	return sahm_fail(err, cause, "%.100s on %.100s: %s", m->request->policies[policy_of(m, job)],
			 system_of(m, job)->title, why);
}

static bool tick(void *ctx)
{
	report_progress(ctx);
	return true;
}

static enum sahm_status play_all(struct match *m, struct sahm_err *err)
{
	static const struct pool_ops ops = {
		.begin = begin, .work = work, .next = next, .take = take, .lost = lost, .tick = tick};
	const struct pool_options options = {.nr_workers = m->request->nr_workers, .batch = 1};
	bool stopped;
	enum sahm_status status = SAHM_OK;
	if (options.nr_workers > 1)
		return pool_run(&ops, &options, m, &stopped, err);
	begin(m, 0);
	for (uint64_t job = 0; job < m->nr_jobs && status == SAHM_OK; job++) {
		status = play(m, job, m->result->values[job], &m->result->cells[job], err);
		m->nr_done++;
		report_progress(m);
	}
	return status;
}

/* The differences of a policy from another, sample by sample. Each system counts the same, as in the ranking, however
 * many samples it has. */
static enum sahm_status distance(const struct match *m, size_t policy, size_t from, struct stats_interval *interval,
				 struct sahm_err *err)
{
	const struct versus_request *q = m->request;
	double *pairs = calloc(m->result->nr_pairs, sizeof(*pairs));
	size_t *sizes = calloc(q->nr_systems, sizeof(*sizes)), nr = 0;
	if (!pairs || !sizes) {
		free(pairs);
		free(sizes);
		return sahm_fail_nomem(err);
	}
	for (size_t s = 0; s < q->nr_systems; sizes[s] = q->systems[s].nr_samples, s++)
		for (uint32_t i = 0; i < q->systems[s].nr_samples; i++)
			pairs[nr++] = m->result->values[policy * q->nr_systems + s][i] -
				      m->result->values[from * q->nr_systems + s][i];
	enum sahm_status status = stats_of_samples(pairs, sizes, q->nr_systems, 1, q->policies[policy], interval, err);
	free(pairs);
	free(sizes);
	return status;
}

static enum sahm_status rank(const struct match *m, struct sahm_err *err)
{
	const struct versus_request *q = m->request;
	struct versus *v = m->result;
	enum sahm_status status = SAHM_OK;
	for (size_t p = 0; p < q->nr_policies; p++) {
		double sum = 0;
		for (size_t s = 0; s < q->nr_systems; s++)
			sum += v->cells[p * q->nr_systems + s].value;
		struct versus_rank here = {.policy = p, .value = sum / (double)q->nr_systems};
		size_t at = p;
		/* Of equal ones the first that was named stays in front. */
		for (; at > 0 && q->direction * (here.value - v->ranks[at - 1].value) > 0; at--)
			v->ranks[at] = v->ranks[at - 1];
		v->ranks[at] = here;
	}
	for (size_t r = 1; r < q->nr_policies && status == SAHM_OK; r++)
		status = distance(m, v->ranks[r].policy, v->ranks[0].policy, &v->ranks[r].distance, err);
	return status;
}

static enum sahm_status prepare(struct match *m, struct sahm_err *err)
{
	const struct versus_request *q = m->request;
	struct versus *v = m->result;
	enum sahm_status status = SAHM_OK;
	for (size_t s = 0; s < q->nr_systems && status == SAHM_OK; s++)
		status = look_at(q, &q->systems[s], v, err);
	if (status != SAHM_OK)
		return status;
	m->nr_jobs = (uint64_t)q->nr_policies * q->nr_systems;
	v->names = arena_alloc(&v->arena, q->nr_policies, sizeof(*v->names));
	v->ranks = arena_alloc(&v->arena, q->nr_policies, sizeof(*v->ranks));
	v->cells = arena_alloc(&v->arena, m->nr_jobs, sizeof(*v->cells));
	m->result->values = arena_alloc(&v->arena, m->nr_jobs, sizeof(*m->result->values));
	if (!v->names || !v->ranks || !v->cells || !m->result->values)
		return sahm_fail_nomem(err);
	for (size_t p = 0; p < q->nr_policies; p++)
		v->names[p] = base_name(q->policies[p]);
	for (uint64_t job = 0; job < m->nr_jobs; job++) {
		m->result->values[job] = arena_alloc(&v->arena, system_of(m, job)->nr_samples, sizeof(double));
		if (!m->result->values[job])
			return sahm_fail_nomem(err);
	}
	return SAHM_OK;
}

enum sahm_status versus_run(const struct versus_request *request, struct versus *v, struct sahm_err *err)
{
	struct match m = {.request = request, .result = v};
	*v = (struct versus){.request = request};
	textbuf_init(&v->notes);
	arena_init(&v->arena);
	enum sahm_status status = prepare(&m, err);
	if (status == SAHM_OK)
		status = play_all(&m, err);
	if (status == SAHM_OK)
		status = rank(&m, err);
	if (status != SAHM_OK)
		versus_release(v);
	return status;
}

void versus_release(struct versus *v)
{
	textbuf_release(&v->notes);
	arena_release(&v->arena);
}
