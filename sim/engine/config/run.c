#include "sim/engine/config/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"
#include "sim/engine/config/run_config_internal.h"
#include "sim/engine/config/run_demand.h"
#include "sim/engine/config/run_energy.h"
#include "sim/engine/sim_internal.h"

void run_result_release(struct run_result *result)
{
	for (uint32_t i = 0; result->samples && i < result->nr_samples; i++)
		run_result_release(&result->samples[i]);
	free(result->samples);
	free(result->threads);
	free(result->cores);
	free(result->probes);
	free(result->residency);
	free(result->over_ns);
	*result = (struct run_result){0};
}

static enum sahm_status result_init(struct run_result *result, const struct run_config *config, struct sahm_err *err)
{
	*result = (struct run_result){
		.threads = calloc(config->nr_threads, sizeof(*result->threads)),
		.nr_threads = config->nr_threads,
		.cores = calloc(config->chip.nr_cores, sizeof(*result->cores)),
		.nr_cores = config->chip.nr_cores,
		.residency = calloc(config->nr_points, sizeof(*result->residency)),
		.over_ns = calloc(config->nr_shared + 1, sizeof(*result->over_ns)),
		.timestep_ns = config->timestep_ns,
		.nr_samples = 1,
	};
	if (config->introspection)
		result->probes = calloc(config->chip.nr_cores, sizeof(*result->probes));
	bool has_room = result->threads && result->cores && result->residency && result->over_ns &&
			(result->probes || !config->introspection);
	return has_room ? SAHM_OK : sahm_fail_nomem(err);
}

/* Makes room for the results of the samples if there are several. */
static enum sahm_status samples_init(struct run_result *result, const struct run_config *config, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	if (config->nr_samples <= 1)
		return SAHM_OK;
	result->samples = calloc(config->nr_samples, sizeof(*result->samples));
	if (!result->samples)
		return sahm_fail_nomem(err);
	result->nr_samples = config->nr_samples;
	for (uint32_t i = 0; i < config->nr_samples && status == SAHM_OK; i++)
		status = result_init(&result->samples[i], config, err);
	return status;
}

enum sahm_status run_states(const struct run_config *config, uint32_t i, uint8_t *own, const uint8_t **states,
			    struct sahm_err *err)
{
	const struct run_trace *trace = &config->traces[i];
	if (config->cache)
		return run_cache_states(config->cache, trace->row, &config->cuts, states, err);
	*states = own;
	return trace_states(trace->trace, &config->cuts, own, err);
}

enum sahm_status run_classify(const struct run_config *config, struct arena *a, const uint8_t **states,
			      struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (uint32_t i = 0; i < config->nr_traces && status == SAHM_OK; i++) {
		uint64_t room = config->cache ? 0 : trace_nr_epochs(config->traces[i].trace);
		uint8_t *own = arena_alloc(a, room, 1);
		status = own ? run_states(config, i, own, &states[i], err) : sahm_fail_nomem(err);
	}
	return status;
}

/* What IPUs see of every trace, likewise; NULL without introspection. */
static enum sahm_status read_inputs(const struct run_config *config, struct arena *a, struct probe_inputs **inputs,
				    struct sahm_err *err)
{
	uint64_t room = MAX_PROBE_BYTES;
	enum sahm_status status = SAHM_OK;
	*inputs = NULL;
	if (!config->introspection)
		return SAHM_OK;
	*inputs = arena_alloc(a, config->nr_traces, sizeof(**inputs));
	if (!*inputs)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < config->nr_traces && status == SAHM_OK; i++)
		status = probe_inputs_read(&config->introspection->probe.wiring, config->traces[i].trace, a, &room,
					   &(*inputs)[i], err);
	return status;
}

struct wait_summary wait_summary_of(const struct histogram *h)
{
	static const uint32_t ranks_ppm[NR_WAIT_RANKS] = {
		[WAIT_P50] = 500000,
		[WAIT_P95] = 950000,
		[WAIT_P99] = 990000,
	};
	struct wait_summary s = {.nr = h->nr};
	for (unsigned i = 0; i < NR_WAIT_RANKS; i++)
		s.ns[i] = histogram_percentile(h, ranks_ppm[i]);
	return s;
}

/* What one simulation puts out, and room for it; waits also of those before it in its sample, and in all samples. */
struct output {
	struct sim_result sum;
	struct sim_waits *waits, *of_sample, *of_all;
	struct sim_thread_result *threads; /* [nr_threads] */
	struct sim_counts *cores;	   /* [nr_cores] */
	struct probe_counts *probes;	   /* [nr_cores] */
	uint64_t *residency;		   /* [nr_points] */
	uint64_t *over_ns;		   /* [nr_shared] */
};

/* Adds to a sum; false when it exceeds 64 bits. */
static bool add(uint64_t *sum, uint64_t value)
{
	return !__builtin_add_overflow(*sum, value, sum);
}

/* Timesteps are at least 1 ns long, so their number fits where their time does. */
static void add_counts(struct sim_counts *sum, const struct sim_counts *counts)
{
	sum->executed += counts->executed;
	sum->served += counts->served;
	sum->matched += counts->matched;
}

/* Paid and executed time of a thread is part of its simulated time. */
static bool add_thread(struct run_thread_result *sum, const struct sim_thread_result *c, uint64_t simulated_ns,
		       uint64_t arrived_ns)
{
	sum->counts.executed += c->executed;
	sum->counts.served += c->served;
	sum->counts.matched += c->matched;
	sum->counts.transitions += c->transitions;
	sum->counts.paid_ns += c->paid_ns;
	sum->counts.present_ns += c->present_ns;
	sum->counts.slept_ns += c->slept_ns;
	sum->arrived_ns = arrived_ns;
	sum->left_ns += c->left ? arrived_ns + c->present_ns : 0;
	sum->nr_left += c->left;
	sum->nr_simulations++;
	sum->counts.left = sum->nr_left == sum->nr_simulations;
	return add(&sum->counts.completed_ns, c->completed_ns) && add(&sum->counts.migrations, c->migrations) &&
	       add(&sum->simulated_ns, simulated_ns);
}

static void merge_waits(struct sim_waits *sum, const struct sim_waits *waits)
{
	histogram_merge(&sum->latency, &waits->latency);
	histogram_merge(&sum->wait, &waits->wait);
}

static void summarise_waits(struct run_result *result, const struct sim_waits *waits)
{
	result->latency = wait_summary_of(&waits->latency);
	result->wait = wait_summary_of(&waits->wait);
}

/* Adds what a simulation of threads first to first + nr - 1 put out; false when a sum exceeds 64 bits. */
static bool add_output(const struct run_config *config, struct run_result *result, const struct output *out,
		       const struct sim_thread *threads, uint32_t first, uint32_t nr)
{
	const struct sim_result *sum = &out->sum;
	bool fits = add(&result->simulated_ns, sum->simulated_ns) && add(&result->decisions, sum->decisions) &&
		    add(&result->thread_timesteps, sum->present_timesteps) && add(&result->nr_ignored, sum->nr_ignored);
	result->is_continuous = sum->is_continuous;
	result->nr_simulations++;
	if (sum->waiting.ns > result->waiting.ns) {
		result->waiting = sum->waiting;
		result->waiting.thread += first;
	}
	result->nr_given_up += sum->given_up;
	result->nr_timesteps += sum->nr_timesteps;
	result->capacity_ns += (double)sum->capacity_timesteps * (double)run_unit_ns(result);
	for (unsigned s = 0; s < NR_STATES; s++)
		add_counts(&result->states[s], &sum->states[s]);
	for (uint32_t c = 0; c < result->nr_cores; c++)
		add_counts(&result->cores[c], &out->cores[c]);
	for (uint32_t c = 0; c < result->nr_cores && result->probes; c++)
		fits &= probe_counts_add(&result->probes[c], &out->probes[c]);
	for (uint32_t p = 0; p < config->nr_points; p++)
		fits &= add(&result->residency[p], out->residency[p]);
	for (uint32_t g = 0; g < config->nr_shared; g++)
		fits &= add(&result->over_ns[g], out->over_ns[g]);
	for (uint32_t t = 0; t < nr; t++) {
		result->threads[first + t].weight = threads[first + t].weight;
		uint64_t arrives = timesteps_of(threads[first + t].arrive_ns, result->timestep_ns);
		fits &= add_thread(&result->threads[first + t], &out->threads[t], sum->simulated_ns,
				   arrives * result->timestep_ns);
	}
	return fits;
}

/* Seed of a simulation: the configured one, or one for each of several samples and single threads. */
static uint64_t seed_of(const struct run_config *config, uint32_t sample, uint32_t first)
{
	char whose[32], what[32];
	struct rng r;
	if (sample == 0 && first == 0)
		return config->seed;
	snprintf(whose, sizeof(whose), "simulation %u", first);
	snprintf(what, sizeof(what), "seed %u", sample);
	rng_init(&r, config->seed, whose, what);
	return rng_next(&r);
}

/* A configuration being carried out. */
struct running {
	const struct run_config *config;
	enum sim_engine engine;
	struct timeline_sink *timeline;
	struct host_listener *listener;
	struct sim_thread *threads;	  /* [nr_threads] */
	struct burst_model *models;	  /* [nr_threads] */
	const struct sim_change *changes; /* [nr_changes] */
	struct output *out;
	const struct probe_config *probe; /* NULL without introspection */
	struct run_energy *energy;	  /* NULL: not known */
};

/* Simulates threads first to first + nr - 1 together. */
static enum sahm_status simulate(const struct running *running, struct timeline_sink *timeline,
				 struct host_listener *listener, uint32_t first, uint32_t nr, uint64_t seed,
				 struct sahm_err *err)
{
	const struct run_config *config = running->config;
	struct output *out = running->out;
	const struct sim_config sim = {
		.chip = &config->chip,
		.threads = running->threads + first,
		.nr_threads = nr,
		.tenants = config->tenants,
		.nr_tenants = config->nr_tenants,
		.policy = config->policy,
		.oracle = config->oracle,
		.inertia = config->inertia,
		.timestep_ns = config->timestep_ns,
		.distances = config->distances,
		.warmup_ns = config->warmup_ns,
		.duration_ns = config->duration_ns,
		.engine = running->engine,
		.seed = seed,
		.settings = config->scx_settings,
		.nr_settings = config->nr_scx_settings,
		.changes = running->changes,
		.nr_changes = config->nr_changes,
		.timeline = timeline,
		.listener = listener,
		.probe = running->probe,
		.probe_counts = out->probes,
		.waits = out->waits,
		.activity = running->energy ? running->energy->activity : NULL,
		.residency = config->core_points ? out->residency : NULL,
		.over_ns = out->over_ns,
		.core_groups = config->core_points,
		.nr_groups = config->nr_points,
		.levels = running->energy      ? running->energy->levels
			  : config->has_levels ? config->levels
					       : NULL,
		.governor = config->has_levels && config->governor == GOVERNOR_SCHEDUTIL,
		.shared_of = config->shared_of,
		.capacity = config->capacity,
		.nr_shared = config->nr_shared,
	};
	enum sahm_status status = sim_run(&sim, &out->sum, out->threads, out->cores, err);
	if (status == SAHM_OK && out->sum.is_continuous) {
		merge_waits(out->of_sample, out->waits);
		merge_waits(out->of_all, out->waits);
		*out->waits = (struct sim_waits){0};
	}
	return status;
}

/* Where in its trace thread `t` begins in a sample. */
static uint64_t offset_ns(const struct run_config *config, uint32_t t, uint32_t sample)
{
	const struct run_thread *th = &config->threads[t];
	const struct trace *trace = config->traces[th->trace].trace;
	uint64_t length_ns = trace_nr_epochs(trace) * trace_epoch_ns(trace);
	char whose[32], what[32];
	struct rng r;
	if (sample == 0 || th->once)
		return th->offset_ns;
	snprintf(whose, sizeof(whose), "thread %u", t);
	snprintf(what, sizeof(what), "offset %u", sample);
	rng_init(&r, config->seed, whose, what);
	return (th->offset_ns + rng_below(&r, length_ns)) % length_ns;
}

/* Where in its list of bursts thread `t` begins in a sample; *model is its room for that. */
static const struct burst_model *bursts_of(const struct run_config *config, uint32_t t, uint32_t sample,
					   struct burst_model *model)
{
	const struct burst_model *configured = config->threads[t].bursts;
	char whose[32], what[32];
	struct rng r;
	if (sample == 0 || !configured || !configured->list)
		return configured;
	snprintf(whose, sizeof(whose), "thread %u", t);
	snprintf(what, sizeof(what), "first burst %u", sample);
	rng_init(&r, config->seed, whose, what);
	*model = *configured;
	model->first = (configured->first + rng_below(&r, configured->nr)) % configured->nr;
	return model;
}

/* One sample: all simulations of it, added to `result` and to `whole`, if that is another. */
static enum sahm_status run_sample(const struct running *running, uint32_t sample, struct run_result *result,
				   struct run_result *whole, struct sahm_err *err)
{
	const struct run_config *config = running->config;
	/* Only the first sample is reported. */
	struct timeline_sink *timeline = sample == 0 ? running->timeline : NULL;
	struct host_listener *listener = sample == 0 ? running->listener : NULL;
	struct sim_thread *threads = running->threads;
	struct run_result *const results[] = {result, whole};
	uint32_t nr = config->nr_threads, step = config->alone ? 1 : nr;
	for (uint32_t t = 0; t < nr; t++) {
		threads[t].offset_ns = offset_ns(config, t, sample);
		threads[t].bursts = bursts_of(config, t, sample, &running->models[t]);
	}
	for (uint32_t t = 0; t < nr; t += step) {
		if (timeline)
			timeline->begin(timeline, t, step);
		enum sahm_status status =
			simulate(running, timeline, listener, t, step, seed_of(config, sample, t), err);
		if (status != SAHM_OK)
			return status;
		if (!add_output(config, result, running->out, threads, t, step) ||
		    (whole != result && !add_output(config, whole, running->out, threads, t, step)))
			return sahm_fail(err, SAHM_RANGE, "all simulations together last too long to be counted");
		if (running->energy)
			run_energy_add(running->energy, &running->out->sum, running->out->threads,
				       running->out->residency, t, step, results, whole != result ? 2 : 1);
		memset(running->out->residency, 0, config->nr_points * sizeof(uint64_t));
		memset(running->out->over_ns, 0, config->nr_shared * sizeof(uint64_t));
	}
	if (result->is_continuous) {
		summarise_waits(result, running->out->of_sample);
		*running->out->of_sample = (struct sim_waits){0};
	}
	return SAHM_OK;
}

enum sahm_status run_execute(const struct run_config *config, enum sim_engine engine, struct run_result *result,
			     struct sahm_err *err)
{
	return run_execute_with_listeners(config, engine, NULL, NULL, result, err);
}

enum sahm_status run_execute_with_listeners(const struct run_config *config, enum sim_engine engine,
					    struct timeline_sink *timeline, struct host_listener *listener,
					    struct run_result *result, struct sahm_err *err)
{
	struct arena a;
	uint32_t nr = config->nr_threads;
	arena_init(&a);
	const uint8_t **states = arena_alloc(&a, config->nr_traces, sizeof(*states));
	struct sim_thread *threads = arena_alloc(&a, nr, sizeof(*threads));
	struct burst_model *models = arena_alloc(&a, nr, sizeof(*models));
	struct sim_change *changes = arena_alloc(&a, config->nr_changes, sizeof(*changes));
	struct output out = {.threads = arena_alloc(&a, nr, sizeof(*out.threads)),
			     .cores = arena_alloc(&a, config->chip.nr_cores, sizeof(*out.cores)),
			     .probes = arena_alloc(&a, config->chip.nr_cores, sizeof(*out.probes)),
			     .residency = arena_alloc(&a, config->nr_points, sizeof(*out.residency)),
			     .over_ns = arena_alloc(&a, config->nr_shared, sizeof(*out.over_ns)),
			     .waits = arena_alloc(&a, 1, sizeof(*out.waits)),
			     .of_sample = arena_alloc(&a, 1, sizeof(*out.of_sample)),
			     .of_all = arena_alloc(&a, 1, sizeof(*out.of_all))};
	bool has_room = states && threads && models && out.threads && out.cores && out.probes && out.residency &&
			out.over_ns && out.waits && out.of_sample && out.of_all;
	struct probe_inputs *inputs = NULL;
	uint64_t(*demand)[NR_STATES] = NULL;
	enum sahm_status status = result_init(result, config, err);
	if (status == SAHM_OK)
		status = samples_init(result, config, err);
	if (status == SAHM_OK)
		status = has_room ? run_classify(config, &a, states, err) : sahm_fail_nomem(err);
	if (status == SAHM_OK)
		status = read_inputs(config, &a, &inputs, err);
	if (status == SAHM_OK)
		status = run_demand(config, states, &a, &demand, err);
	for (uint32_t t = 0; t < nr && status == SAHM_OK; t++) {
		const struct run_thread *th = &config->threads[t];
		const struct trace *trace = config->traces[th->trace].trace;
		threads[t] = (struct sim_thread){
			.states = states[th->trace],
			.nr_epochs = trace_nr_epochs(trace),
			.epoch_ns = trace_epoch_ns(trace),
			.arrive_ns = config->alone ? 0 : th->arrive_ns,
			.once = th->once,
			.allowed = th->allowed,
			.weight = th->weight,
			.tenant = th->tenant_number,
			.name = th->name,
		};
		if (inputs)
			threads[t].inputs = inputs[th->trace];
		if (demand)
			threads[t].demand = demand[th->trace];
	}
	for (uint32_t i = 0; i < config->nr_changes && status == SAHM_OK; i++)
		changes[i] = config->changes[i].change;
	struct run_soft soft = {.soft = NULL};
	struct probe_config probe = {0};
	if (config->introspection)
		probe = config->introspection->probe;
	if (status == SAHM_OK && config->introspection && config->introspection->soft) {
		status = run_soft_open(&soft, config->introspection, err);
		probe.maker = &soft.pro.maker;
	}
	struct run_energy energy;
	if (status == SAHM_OK && config->costs.power)
		status = run_energy_init(&energy, config, states, &a, err);
	const struct running running = {config,
					engine,
					timeline,
					listener,
					threads,
					models,
					changes,
					&out,
					config->introspection ? &probe : NULL,
					config->costs.power ? &energy : NULL};
	for (uint32_t i = 0; i < result->nr_samples && status == SAHM_OK; i++)
		status = run_sample(&running, i, result->samples ? &result->samples[i] : result, result, err);
	if (status == SAHM_OK && result->is_continuous)
		summarise_waits(result, out.of_all);
	run_soft_close(&soft);
	arena_release(&a);
	if (status != SAHM_OK)
		run_result_release(result);
	return status;
}
