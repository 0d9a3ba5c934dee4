/* Checking a simulation, and choosing the engine that carries it out. */
#include "sim/engine/sim.h"

#include "sched/host/host.h"
#include "sim/base/units.h"
#include "sim/engine/sim_internal.h"

/* Whether a set, as in struct sim_thread, has a core of the chip. */
static bool has_core(const struct chip *chip, const uint64_t *set)
{
	bool has = !set;
	for (uint32_t c = 0; c < chip->nr_cores && !has; c++)
		has = core_set_has(set, c);
	return has;
}

static enum sahm_status check_thread(const struct sim_config *config, uint32_t t, struct sahm_err *err)
{
	const struct sim_thread *th = &config->threads[t];
	if (th->epoch_ns < MIN_EPOCH_NS || th->epoch_ns > MAX_EPOCH_NS || th->nr_epochs < 1 ||
	    th->nr_epochs > MAX_RUN_NS / th->epoch_ns || th->offset_ns / th->epoch_ns >= th->nr_epochs)
		return sahm_fail(err, SAHM_RANGE,
				 "thread %u: epochs, epoch length or offset out of range (a trace lasts at most %g s)",
				 t, (double)MAX_RUN_NS / (double)NS_PER_S);
	if (th->arrive_ns > MAX_RUN_NS)
		return sahm_fail(err, SAHM_RANGE, "thread %u arrives after %g s, the longest run", t,
				 (double)MAX_RUN_NS / (double)NS_PER_S);
	if (!has_core(config->chip, th->allowed))
		return sahm_fail(err, SAHM_RANGE, "thread %u may run on no core", t);
	if (th->weight > MAX_WEIGHT)
		return sahm_fail(err, SAHM_RANGE, "thread %u has a weight of %u, must be from 1 to %u", t, th->weight,
				 MAX_WEIGHT);
	if (th->tenant > config->nr_tenants)
		return sahm_fail(err, SAHM_RANGE, "thread %u is of tenant %u, and there are %u", t, th->tenant,
				 config->nr_tenants);
	return SAHM_OK;
}

static enum sahm_status check_tenant(const struct sim_config *config, uint32_t i, struct sahm_err *err)
{
	uint32_t weight = config->tenants[i].weight;
	return weight >= 1 && weight <= MAX_WEIGHT
		       ? SAHM_OK
		       : sahm_fail(err, SAHM_RANGE, "tenant %u has a weight of %u, must be from 1 to %u", i + 1, weight,
				   MAX_WEIGHT);
}

static enum sahm_status check_change(const struct sim_config *config, uint32_t i, struct sahm_err *err)
{
	const struct sim_change *change = &config->changes[i];
	if (change->tenant > config->nr_tenants || (change->is_of_tenant && change->tenant == 0))
		return sahm_fail(err, SAHM_RANGE, "change %u is of tenant %u, and there are %u, from 1", i,
				 change->tenant, config->nr_tenants);
	if (change->is_of_tenant && change->weight == 0)
		return sahm_fail(err, SAHM_RANGE, "change %u is of nothing", i);
	if (!change->is_of_tenant && change->thread >= config->nr_threads)
		return sahm_fail(err, SAHM_RANGE, "change %u is of thread %u, and there are %u", i, change->thread,
				 config->nr_threads);
	if (change->at_ns > MAX_RUN_NS || (i > 0 && change->at_ns < config->changes[i - 1].at_ns))
		return sahm_fail(err, SAHM_RANGE, "change %u comes after %g s, or before the one in front of it", i,
				 (double)MAX_RUN_NS / (double)NS_PER_S);
	if (change->weight > MAX_WEIGHT)
		return sahm_fail(err, SAHM_RANGE, "change %u is to a weight of %u, must be from 1 to %u", i,
				 change->weight, MAX_WEIGHT);
	if (change->sets_allowed && !has_core(config->chip, change->allowed))
		return sahm_fail(err, SAHM_RANGE, "by change %u thread %u may run on no core", i, change->thread);
	return SAHM_OK;
}

static enum sahm_status check_core(const struct chip *chip, uint32_t c, struct sahm_err *err)
{
	for (unsigned s = 0; s < NR_STATES; s++) {
		int32_t ppm = chip->cores[c]->speedup_ppm[s];
		if (ppm < ppm_of_pct(MIN_SPEEDUP_PCT) || ppm > ppm_of_pct(MAX_SPEEDUP_PCT))
			return sahm_fail(err, SAHM_RANGE, "core %u: a speedup of %g %%, must be from %g to %g", c,
					 pct_of_ppm(ppm), MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT);
	}
	return SAHM_OK;
}

static enum sahm_status check_levels(const struct sim_config *config, uint32_t c, struct sahm_err *err)
{
	const struct core_levels *levels = &config->levels[c];
	if (levels->nr < 1 || levels->nr > MAX_LEVELS || levels->transition_ns > MAX_TRANSITION_NS)
		return sahm_fail(err, SAHM_RANGE,
				 "core %u: %u levels, must be from 1 to %u, with transitions of at most %g s", c,
				 levels->nr, MAX_LEVELS, (double)MAX_TRANSITION_NS / (double)NS_PER_S);
	for (uint32_t l = 0; l < levels->nr; l++) {
		const struct core_level *level = &levels->levels[l];
		if (l > 0 && level->mhz <= levels->levels[l - 1].mhz)
			return sahm_fail(err, SAHM_RANGE, "core %u: level %u is no faster than the one before it", c,
					 l);
		for (unsigned s = 0; s < NR_STATES; s++)
			if (level->speedup_ppm[s] < ppm_of_pct(MIN_SPEEDUP_PCT) ||
			    level->speedup_ppm[s] > ppm_of_pct(MAX_SPEEDUP_PCT))
				return sahm_fail(err, SAHM_RANGE,
						 "core %u: level %u: a speedup of %g %%, must be from %g to %g", c, l,
						 pct_of_ppm(level->speedup_ppm[s]), MIN_SPEEDUP_PCT, MAX_SPEEDUP_PCT);
	}
	return SAHM_OK;
}

static enum sahm_status check_sharing(const struct sim_config *config, struct sahm_err *err)
{
	for (uint32_t g = 0; g < config->nr_shared; g++)
		if (config->capacity[g] < 1 || config->capacity[g] > MAX_MISSES_PER_S)
			return sahm_fail(err, SAHM_RANGE,
					 "shared group %u: a capacity of %llu misses per s, must be from 1 to %llu", g,
					 (unsigned long long)config->capacity[g], (unsigned long long)MAX_MISSES_PER_S);
	for (uint32_t t = 0; t < config->nr_threads && config->nr_shared; t++)
		for (unsigned s = 0; s < NR_STATES; s++)
			if (!config->threads[t].demand || config->threads[t].demand[s] > MAX_MISSES_PER_S)
				return sahm_fail(err, SAHM_RANGE,
						 "thread %u: its demand is not known, or above %llu misses per s", t,
						 (unsigned long long)MAX_MISSES_PER_S);
	return SAHM_OK;
}

static enum sahm_status check_distances(const struct distances *d, struct sahm_err *err)
{
	if (d->nr_levels > MAX_DISTANCE_LEVELS)
		return sahm_fail(err, SAHM_RANGE, "%u levels of distance, at most %u", d->nr_levels,
				 MAX_DISTANCE_LEVELS);
	for (uint32_t i = 0; i < d->nr_levels; i++) {
		uint32_t inner = i ? d->levels[i - 1].nr_cores : 1, nr = d->levels[i].nr_cores;
		if (nr <= inner || nr % inner)
			return sahm_fail(err, SAHM_RANGE,
					 "level %u of distance: blocks of %u cores do not hold several of %u", i, nr,
					 inner);
	}
	return SAHM_OK;
}

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
	if (config->warmup_ns > MAX_WARMUP_NS)
		return sahm_fail(err, SAHM_RANGE, "the warm-up is longer than %g s",
				 (double)MAX_WARMUP_NS / (double)NS_PER_S);
	if (config->probe && config->oracle)
		return sahm_fail(err, SAHM_RANGE, "introspection tells what was, an oracle what comes: not both");
	if (config->policy->sahm_rules && config->pass)
		return sahm_fail(err, SAHM_RANGE, "policy '%s' has both rules and a pass", config->policy->name);
	enum sahm_status status = check_distances(&config->distances, err);
	for (uint32_t c = 0; c < config->chip->nr_cores && status == SAHM_OK; c++)
		status = check_core(config->chip, c, err);
	for (uint32_t c = 0; c < config->chip->nr_cores && status == SAHM_OK && config->levels; c++)
		status = check_levels(config, c, err);
	if (status == SAHM_OK)
		status = check_sharing(config, err);
	for (uint32_t t = 0; t < config->nr_threads && status == SAHM_OK; t++)
		status = check_thread(config, t, err);
	for (uint32_t i = 0; i < config->nr_tenants && status == SAHM_OK; i++)
		status = check_tenant(config, i, err);
	for (uint32_t i = 0; i < config->nr_changes && status == SAHM_OK; i++)
		status = check_change(config, i, err);
	return status;
}

/* The lesser of a + b and MAX_RUN_NS. */
static uint64_t add_within_run(uint64_t a, uint64_t b)
{
	return a >= MAX_RUN_NS || b > MAX_RUN_NS - a ? MAX_RUN_NS : a + b;
}

static struct sim_span span_of(const struct sim_config *config)
{
	struct sim_span span = {.until_left = config->duration_ns == 0};
	uint64_t longest_ns = 0, latest_ns = 0, sum_ns = 0;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct sim_thread *th = &config->threads[t];
		uint64_t trace_ns = th->nr_epochs * th->epoch_ns, end_ns = add_within_run(th->arrive_ns, trace_ns);
		longest_ns = end_ns > longest_ns ? end_ns : longest_ns;
		latest_ns = th->arrive_ns > latest_ns ? th->arrive_ns : latest_ns;
		sum_ns = add_within_run(sum_ns, trace_ns);
		span.until_left &= th->once;
	}
	uint64_t ns = config->duration_ns ? config->duration_ns : longest_ns;
	if (span.until_left) {
		ns = add_within_run(latest_ns, sum_ns);
		ns = ns > MAX_RUN_NS / GIVE_UP_FACTOR ? MAX_RUN_NS : ns * GIVE_UP_FACTOR;
	}
	span.limit = timesteps_of(ns, config->timestep_ns);
	return span;
}

/* Whether every timestep has to be carried out: that is asked for, or the pass works on the queues themselves, or a
 * timeline needs each one. */
static bool needs_plain(const struct sim_config *config)
{
	return config->engine == SIM_PLAIN || config->pass || config->timeline;
}

/* With IPUs. */
static enum sahm_status run_with_probes(const struct sim_config *config, struct arena *a, const struct sim_span *span,
					struct sim_result *result, struct sim_thread_result *threads,
					struct sim_counts *cores, struct sahm_err *err)
{
	struct probes probes;
	enum sahm_status status = probes_init(&probes, config->probe, config->chip->nr_cores, config->nr_threads,
					      config->timestep_ns, err);
	if (status != SAHM_OK)
		return status;
	status = (sim_needs_ext(config) ? sim_run_ext
		  : needs_plain(config) ? sim_run_plain
					: sim_run_introspected)(config, a, span, &probes, result, threads, cores, err);
	probes_release(&probes);
	return status;
}

enum sahm_status sim_run(const struct sim_config *config, struct sim_result *result, struct sim_thread_result *threads,
			 struct sim_counts *cores, struct sahm_err *err)
{
	struct arena a;
	arena_init(&a);
	enum sahm_status status = check(config, err);
	bool is_ext = status == SAHM_OK && sim_needs_ext(config);
	if (status == SAHM_OK) {
		struct sim_span span = span_of(config);
		if (config->probe)
			status = run_with_probes(config, &a, &span, result, threads, cores, err);
		else if (sim_needs_ext(config))
			status = sim_run_ext(config, &a, &span, NULL, result, threads, cores, err);
		else if (needs_plain(config))
			status = sim_run_plain(config, &a, &span, NULL, result, threads, cores, err);
		else
			status = sim_run_event(config, &a, &span, result, threads, cores, err);
	}
	for (uint32_t c = 0; status == SAHM_OK && config->residency && !is_ext && c < config->chip->nr_cores; c++)
		config->residency[config->core_groups[c]] += result->simulated_ns;
	arena_release(&a);
	return status;
}
