#include "sim/engine/run.h"

#include <stdlib.h>

void run_result_release(struct run_result *result)
{
	free(result->threads);
	*result = (struct run_result){0};
}

/* States of every trace, classified once; [nr_traces], from the arena. */
static enum sahm_status classify(const struct run_config *config, struct arena *a, const uint8_t **states,
				 struct sahm_err *err)
{
	for (uint32_t i = 0; i < config->nr_traces; i++) {
		struct trace *trace = config->traces[i].trace;
		uint8_t *out = arena_alloc(a, trace_nr_epochs(trace), 1);
		if (!out)
			return sahm_fail_nomem(err);
		enum sahm_status status = trace_states(trace, &config->cuts, out, err);
		if (status != SAHM_OK)
			return status;
		states[i] = out;
	}
	return SAHM_OK;
}

/* Simulates threads first to first + nr - 1 together and adds what comes out to the result. */
static enum sahm_status simulate(const struct run_config *config, enum sim_engine engine,
				 const struct sim_thread *threads, uint32_t first, uint32_t nr,
				 struct sim_thread_result *scratch, struct run_result *result, struct sahm_err *err)
{
	struct sim_result sum;
	struct sim_config sim = {
		.chip = &config->chip,
		.threads = threads + first,
		.nr_threads = nr,
		.policy = config->policy,
		.oracle = config->oracle,
		.inertia = config->inertia,
		.timestep_ns = config->timestep_ns,
		.distances = config->distances,
		.warmup_ns = config->warmup_ns,
		.duration_ns = config->duration_ns,
		.engine = engine,
	};
	enum sahm_status status = sim_run(&sim, &sum, scratch, NULL, err);
	if (status != SAHM_OK)
		return status;
	result->simulated_ns += sum.simulated_ns;
	result->thread_timesteps += sum.present_timesteps;
	result->capacity_ns += (double)sum.capacity_timesteps * (double)config->timestep_ns;
	for (uint32_t t = 0; t < nr; t++)
		result->threads[first + t] =
			(struct run_thread_result){.counts = scratch[t], .simulated_ns = sum.simulated_ns};
	return SAHM_OK;
}

enum sahm_status run_execute(const struct run_config *config, enum sim_engine engine, struct run_result *result,
			     struct sahm_err *err)
{
	struct arena a;
	uint32_t nr = config->nr_threads, step = config->alone ? 1 : nr;
	arena_init(&a);
	*result = (struct run_result){.threads = calloc(nr, sizeof(*result->threads)), .nr_threads = nr};
	const uint8_t **states = arena_alloc(&a, config->nr_traces, sizeof(*states));
	struct sim_thread *threads = arena_alloc(&a, nr, sizeof(*threads));
	struct sim_thread_result *scratch = arena_alloc(&a, nr, sizeof(*scratch));
	enum sahm_status status = result->threads && states && threads && scratch ? classify(config, &a, states, err)
										  : sahm_fail_nomem(err);
	for (uint32_t t = 0; t < nr && status == SAHM_OK; t++) {
		const struct run_thread *th = &config->threads[t];
		const struct trace *trace = config->traces[th->trace].trace;
		threads[t] = (struct sim_thread){
			.states = states[th->trace],
			.nr_epochs = trace_nr_epochs(trace),
			.epoch_ns = trace_epoch_ns(trace),
			.offset_ns = th->offset_ns,
			.arrive_ns = config->alone ? 0 : th->arrive_ns,
			.once = th->once,
			.allowed = th->allowed,
		};
	}
	for (uint32_t t = 0; t < nr && status == SAHM_OK; t += step)
		status = simulate(config, engine, threads, t, step, scratch, result, err);
	arena_release(&a);
	if (status != SAHM_OK)
		run_result_release(result);
	return status;
}
