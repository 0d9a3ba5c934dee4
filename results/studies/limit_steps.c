#include "results/studies/limit_steps.h"

#include <math.h>
#include <stdlib.h>

#include "results/studies/limit.h"
#include "sim/engine/config/run.h"

static enum sahm_status simulate(const struct run_config *config, const struct sim_thread *thread, uint64_t timestep_ns,
				 double *speedup, struct sahm_err *err)
{
	struct sim_thread_result counts;
	struct sim_result result;
	struct sim_config sim = {
		.chip = &config->chip,
		.threads = thread,
		.nr_threads = 1,
		.policy = sched_policy_find(LIMIT_STEPS_POLICY),
		.oracle = true,
		.timestep_ns = timestep_ns,
		.seed = config->seed,
	};
	enum sahm_status status = sim_run(&sim, &result, &counts, NULL, err);
	if (status == SAHM_OK)
		*speedup = counts.left ? (double)counts.completed_ns / (double)counts.present_ns - 1 : NAN;
	return status;
}

/* Every thread that replays trace `trace`. Those alike, one after the other, do alike. */
static enum sahm_status simulate_trace(const struct run_config *config, uint32_t trace, const uint8_t *states,
				       const uint64_t *timesteps_ns, size_t nr, double *speedups, struct sahm_err *err)
{
	const double *same = NULL;
	const uint64_t *same_allowed = NULL;
	int32_t speedup_ppm[NR_STATES];
	enum sahm_status status = SAHM_OK;
	for (uint32_t t = 0; t < config->nr_threads && status == SAHM_OK; t++) {
		const struct run_thread *th = &config->threads[t];
		double *row = speedups + t * nr;
		if (th->trace != trace)
			continue;
		struct sim_thread thread = {
			.states = states,
			.nr_epochs = trace_nr_epochs(config->traces[trace].trace),
			.epoch_ns = trace_epoch_ns(config->traces[trace].trace),
			.once = true,
			.allowed = th->allowed,
			.name = th->name,
		};
		bool any = limit_of_chip(&config->chip, th->allowed, speedup_ppm);
		bool is_like = same && same_allowed == th->allowed;
		for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
			row[i] = is_like ? same[i] : NAN;
			if (any && !is_like)
				status = simulate(config, &thread, timesteps_ns[i], &row[i], err);
		}
		same = row;
		same_allowed = th->allowed;
	}
	return status;
}

enum sahm_status limit_simulate(const struct run_config *config, const uint64_t *timesteps_ns, size_t nr,
				double *speedups, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	uint64_t most = 1;
	for (uint32_t i = 0; i < config->nr_traces; i++)
		if (trace_nr_epochs(config->traces[i].trace) > most)
			most = trace_nr_epochs(config->traces[i].trace);
	uint8_t *own = config->cache ? NULL : malloc(most);
	if (!own && !config->cache)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < config->nr_traces && status == SAHM_OK; i++) {
		const uint8_t *states = NULL;
		status = run_states(config, i, own, &states, err);
		if (status == SAHM_OK)
			status = simulate_trace(config, i, states, timesteps_ns, nr, speedups, err);
	}
	free(own);
	return status;
}
