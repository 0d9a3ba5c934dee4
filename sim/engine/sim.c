/* The plain engine: every timestep of every core, one after the other. */
#include "sim/engine/sim.h"

#include "sim/base/arena.h"
#include "sim/base/units.h"
#include "workloads/cursor.h"

struct sim {
	const struct sim_config *config;
	struct sched sched;
	struct cursor *cursors;		   /* [nr_threads] */
	struct sim_thread_result *results; /* [nr_threads] */
	uint8_t *began_in; /* [nr_threads]: state in which the last executed timestep began, or STATE_NONE */
};

static enum sahm_status check(const struct sim_config *config, struct sahm_err *err)
{
	if (config->nr_threads < 1 || config->nr_threads > MAX_THREADS)
		return sahm_fail(err, SAHM_RANGE, "%u threads, must be from 1 to %u", config->nr_threads, MAX_THREADS);
	if (config->chip->nr_cores < 1 || config->chip->nr_cores > MAX_CORES)
		return sahm_fail(err, SAHM_RANGE, "%u cores, must be from 1 to %u", config->chip->nr_cores, MAX_CORES);
	if (config->timestep_ns < 1 || config->timestep_ns > MAX_RUN_NS)
		return sahm_fail(err, SAHM_RANGE, "a timestep of %llu ns, must be from 1 to %llu",
				 (unsigned long long)config->timestep_ns, (unsigned long long)MAX_RUN_NS);
	if (config->duration_ns > MAX_RUN_NS)
		return sahm_fail(err, SAHM_RANGE, "the run is longer than %g s", (double)MAX_RUN_NS / (double)NS_PER_S);
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct sim_thread *th = &config->threads[t];
		if (th->epoch_ns < MIN_EPOCH_NS || th->epoch_ns > MAX_EPOCH_NS || th->nr_epochs < 1 ||
		    th->nr_epochs > MAX_RUN_NS / th->epoch_ns || th->offset_ns / th->epoch_ns >= th->nr_epochs)
			return sahm_fail(
				err, SAHM_RANGE,
				"thread %u: epochs, epoch length or offset out of range (a trace lasts at most %g s)",
				t, (double)MAX_RUN_NS / (double)NS_PER_S);
	}
	return SAHM_OK;
}

/* Run time in whole timesteps. */
static uint64_t count_timesteps(const struct sim_config *config)
{
	uint64_t ns = config->duration_ns;
	for (uint32_t t = 0; t < config->nr_threads && config->duration_ns == 0; t++) {
		uint64_t trace_ns = config->threads[t].nr_epochs * config->threads[t].epoch_ns;
		if (trace_ns > ns)
			ns = trace_ns;
	}
	return ns / config->timestep_ns + (ns % config->timestep_ns != 0);
}

static enum sahm_status sim_init(struct sim *sim, struct arena *a, const struct sim_config *config,
				 struct sahm_err *err)
{
	uint32_t nr_threads = config->nr_threads, nr_cores = config->chip->nr_cores;
	*sim = (struct sim){
		.config = config,
		.sched = {.chip = config->chip,
			  .queues = arena_alloc(a, nr_cores, sizeof(*sim->sched.queues)),
			  .threads = arena_alloc(a, nr_threads, sizeof(*sim->sched.threads)),
			  .nr_threads = nr_threads,
			  .inertia = config->inertia,
			  .migration_ns = config->migration_ns},
		.cursors = arena_alloc(a, nr_threads, sizeof(*sim->cursors)),
		.results = arena_alloc(a, nr_threads, sizeof(*sim->results)),
		.began_in = arena_alloc(a, nr_threads, sizeof(*sim->began_in)),
	};
	if (!sim->sched.queues || !sim->sched.threads || !sim->cursors || !sim->results || !sim->began_in)
		return sahm_fail_nomem(err);
	for (uint32_t c = 0; c < nr_cores; c++)
		sim->sched.queues[c] = (struct sched_queue){.head = NO_THREAD, .tail = NO_THREAD};
	for (uint32_t t = 0; t < nr_threads; t++) {
		const struct sim_thread *th = &config->threads[t];
		cursor_init(&sim->cursors[t], th->states, th->nr_epochs, th->epoch_ns, th->offset_ns);
		sim->sched.threads[t].observed = STATE_NONE;
		sim->began_in[t] = STATE_NONE;
		sched_enqueue(&sim->sched, t, t % nr_cores);
	}
	return SAHM_OK;
}

/* Lets policies see the state in which each thread's coming timestep begins. */
static void consult_oracle(struct sim *sim)
{
	for (uint32_t t = 0; t < sim->sched.nr_threads; t++)
		sim->sched.threads[t].observed = (uint8_t)cursor_state(&sim->cursors[t]);
}

/* One timestep of the thread at the head of `core`'s queue. */
static void execute(struct sim *sim, uint32_t core)
{
	uint32_t t = sim->sched.queues[core].head;
	if (t == NO_THREAD)
		return;
	struct sched_thread *th = &sim->sched.threads[t];
	struct sim_thread_result *r = &sim->results[t];
	const struct core_type *type = sim->config->chip->cores[core];
	unsigned state = cursor_state(&sim->cursors[t]);

	r->executed++;
	r->served += core_serves(type, state);
	r->matched += core_matches(type, state);
	r->transitions += sim->began_in[t] != STATE_NONE && sim->began_in[t] != state;
	sim->began_in[t] = (uint8_t)state;
	th->observed = (uint8_t)state;

	uint64_t ns = sim->config->timestep_ns;
	uint64_t paid = th->debt_ns < ns ? th->debt_ns : ns;
	th->debt_ns -= paid;
	cursor_advance(&sim->cursors[t], ns - paid, type->speedup_ppm);
	sched_rotate(&sim->sched, core);
}

/* Baseline time completed since the start of the run, cut to whole ns. */
static uint64_t completed_ns(const struct cursor *c, const struct sim_thread *th)
{
	return c->nr_crossed * th->epoch_ns + (uint64_t)(c->progress / PROGRESS_PER_NS) - th->offset_ns % th->epoch_ns;
}

enum sahm_status sim_run(const struct sim_config *config, struct sim_result *result, struct sim_thread_result *threads,
			 struct sahm_err *err)
{
	struct arena a;
	struct sim sim;
	arena_init(&a);
	enum sahm_status status = check(config, err);
	if (status == SAHM_OK)
		status = sim_init(&sim, &a, config, err);
	if (status != SAHM_OK)
		goto out;

	uint64_t nr_timesteps = count_timesteps(config);
	for (uint64_t step = 0; step < nr_timesteps; step++) {
		if (config->oracle)
			consult_oracle(&sim);
		sim.sched.pass = step + 1;
		if (config->policy->pass)
			config->policy->pass(&sim.sched);
		for (uint32_t c = 0; c < config->chip->nr_cores; c++)
			execute(&sim, c);
	}

	result->nr_timesteps = nr_timesteps;
	result->simulated_ns = nr_timesteps * config->timestep_ns;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		threads[t] = sim.results[t];
		threads[t].completed_ns = completed_ns(&sim.cursors[t], &config->threads[t]);
		threads[t].migrations = sim.sched.threads[t].migrations;
	}
out:
	arena_release(&a);
	return status;
}
