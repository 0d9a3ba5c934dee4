#include "sim/cli/core_runs.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/core_signals.h"

/* A value of an axis is not told as if it had been given by --set. */
static void name_axis(const struct core_runs *r, size_t point, struct sahm_err *err)
{
	static const char option[] = "--set ";
	const size_t before = strlen(option);
	for (unsigned k = 0; k < r->axes.nr && strncmp(err->msg, option, before) == 0; k++) {
		const char *argument = r->axes.axes[k].arguments[core_axes_value(&r->axes, point, k)];
		struct sahm_err cause = *err;
		if (strncmp(cause.msg + before, argument, strlen(argument)) == 0 &&
		    cause.msg[before + strlen(argument)] == ':')
			sahm_fail(err, SAHM_USAGE, "--axis %s", cause.msg + before);
	}
}

/* Configuration `i`: combination `point` on core `name`. */
static enum sahm_status read_core(struct core_runs *r, size_t i, const char *name, size_t point,
				  const struct option_list *settings, struct sahm_err *err)
{
	struct option_list all = {0};
	enum sahm_status status = SAHM_OK;
	r->names[i] = name;
	for (size_t k = 0; k < settings->nr && status == SAHM_OK; k++)
		status = option_list_add(&all, settings->items[k], err);
	for (unsigned k = 0; k < r->axes.nr && status == SAHM_OK; k++) {
		const struct core_axis *axis = &r->axes.axes[k];
		size_t value = core_axes_value(&r->axes, point, k);
		r->settings[i * r->axes.nr + k] = axis->values[value];
		status = option_list_add(&all, axis->arguments[value], err);
	}
	if (status == SAHM_OK)
		status = core_request_model(name, &all, &r->models[i], err);
	if (status == SAHM_USAGE)
		name_axis(r, point, err);
	if (status == SAHM_USAGE && r->nr_cores > r->axes.nr_points) {
		struct sahm_err cause = *err;
		status = sahm_fail(err, status, "%s (core %s)", cause.msg, name);
	}
	if (status == SAHM_OK)
		status = core_model_hash(&r->models[i], r->hashes[i], err);
	r->listed[i] = &r->models[i];
	free(all.items);
	return status;
}

enum sahm_status core_runs_read(struct core_runs *r, const struct option_list *cores,
				const struct option_list *settings, const struct option_list *axes,
				struct sahm_err *err)
{
	static const char *const usual[] = {DEFAULT_CORE};
	const char *const *names = cores->nr > 0 ? cores->items : usual;
	size_t nr_names = cores->nr > 0 ? cores->nr : 1;
	enum sahm_status status = core_axes_read(&r->axes, axes, nr_names, err);
	if (status != SAHM_OK)
		return status;
	r->nr_cores = nr_names * r->axes.nr_points;
	r->names = calloc(r->nr_cores, sizeof(*r->names));
	r->models = calloc(r->nr_cores, sizeof(*r->models));
	r->listed = calloc(r->nr_cores, sizeof(*r->listed));
	r->hashes = calloc(r->nr_cores, sizeof(*r->hashes));
	r->settings = calloc(r->nr_cores * (r->axes.nr + 1), sizeof(*r->settings));
	if (!r->names || !r->models || !r->listed || !r->hashes || !r->settings)
		return sahm_fail_nomem(err);
	for (size_t i = 0; i < r->nr_cores && status == SAHM_OK; i++)
		status = read_core(r, i, names[i / r->axes.nr_points], i % r->axes.nr_points, settings, err);
	return status;
}

enum sahm_status core_runs_check_ports(const struct core_runs *r, struct sahm_err *err)
{
	for (size_t i = 0; i < r->nr_cores; i++) {
		const struct core_timing *t = &r->models[i].timing;
		unsigned nr = 0;
		for (unsigned q = 0; q < t->nr_queues; q++)
			nr += t->queues[q].issue;
		if (nr > MAX_SIGNAL_LANES)
			return sahm_fail(err, SAHM_USAGE, "%s has %u issue ports, more than %u", r->names[i], nr,
					 MAX_SIGNAL_LANES);
	}
	return SAHM_OK;
}

enum sahm_status core_runs_read_watched(struct core_runs *r, const char *command, const struct core_operands *o,
					struct stream_sampling *sampling, const char *of_warm,
					const struct option_list *cores, const struct option_list *settings,
					struct sahm_err *err)
{
	static const struct option_list no_axes;
	enum sahm_status status = core_operands_check(o, command, err);
	if (status == SAHM_OK)
		status = core_request_sampling(sampling, of_warm, err);
	if (status == SAHM_OK)
		status = core_runs_read(r, cores, settings, &no_axes, err);
	return status == SAHM_OK ? core_runs_check_ports(r, err) : status;
}

enum sahm_status core_runs_begin(struct core_runs *r, const struct core_operands *o,
				 const struct stream_sampling *sampling, struct core_jobs *jobs, struct sahm_err *err)
{
	const struct option_list *streams = &o->streams;
	uint64_t *nr_sampled = calloc(streams->nr, sizeof(*nr_sampled));
	r->results = calloc(r->nr_cores * streams->nr, sizeof(*r->results));
	enum sahm_status status = r->results && nr_sampled ? SAHM_OK : sahm_fail_nomem(err);
	jobs->streams = streams->items;
	jobs->nr_streams = streams->nr;
	jobs->models = r->listed;
	jobs->nr_models = r->nr_cores;
	jobs->sampling = sampling;
	if (status == SAHM_OK)
		status = core_operands_look(o, sampling, nr_sampled, &jobs->total, err);
	if (status == SAHM_OK)
		r->nr = r->nr_cores * streams->nr;
	for (size_t i = 0; i < r->nr; i++) {
		size_t stream = i / r->nr_cores, core = i % r->nr_cores;
		r->results[i] = (struct core_result){.stream = core_operands_label(o, stream),
						     .core = r->names[core],
						     .nr_sampled = nr_sampled[stream],
						     .has_measured_clock = jobs->measures_clock,
						     .sampling = *sampling,
						     .model = &r->models[core],
						     .config_hash = r->hashes[core],
						     .settings = &r->settings[core * r->axes.nr],
						     .nr_settings = r->axes.nr};
	}
	free(nr_sampled);
	return status;
}

enum sahm_status core_runs_finish(struct core_runs *r, const struct core_jobs *jobs, struct sahm_err *err)
{
	struct core_counts *counts = calloc(r->nr, sizeof(*counts));
	enum sahm_status status = counts ? core_jobs_run(jobs, counts, err) : sahm_fail_nomem(err);
	for (size_t i = 0; i < r->nr && status == SAHM_OK; i++)
		r->results[i].counts = counts[i];
	free(counts);
	return status;
}

void core_runs_release(struct core_runs *r)
{
	for (size_t i = 0; i < r->nr; i++)
		free(r->results[i].epochs);
	core_axes_release(&r->axes);
	free(r->names);
	free(r->models);
	free(r->listed);
	free(r->hashes);
	free(r->settings);
	free(r->results);
}
