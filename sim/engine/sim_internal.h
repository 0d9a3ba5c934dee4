/* What the engines share. */
#ifndef SAHM_SIM_ENGINE_SIM_INTERNAL_H
#define SAHM_SIM_ENGINE_SIM_INTERNAL_H

#include "sim/base/arena.h"
#include "sim/base/units.h"
#include "sim/engine/probe_internal.h"
#include "sim/engine/sim.h"

/* When a run ends: after `limit` timesteps, or, if `until_left`, when all threads have arrived and left before that. */
struct sim_span {
	uint64_t limit;
	bool until_left;
};

static inline uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* `ns` in timesteps, rounded up to whole ones. */
static inline uint64_t timesteps_of(uint64_t ns, uint64_t timestep_ns)
{
	return ns / timestep_ns + (ns % timestep_ns != 0);
}

/* Timestep in which a thread with this arrival joins. */
static inline uint64_t arrival_step(const struct sim_config *config, uint32_t t)
{
	return timesteps_of(config->threads[t].arrive_ns, config->timestep_ns);
}

/* The engines. The configuration has been checked; all memory is from `a`, none taken once time runs. With
 * introspection `probes` are its IPUs, else NULL. SAHM_NOMEM. */
enum sahm_status sim_run_plain(const struct sim_config *config, struct arena *a, const struct sim_span *span,
			       struct probes *probes, struct sim_result *result, struct sim_thread_result *threads,
			       struct sim_counts *cores, struct sahm_err *err);
enum sahm_status sim_run_event(const struct sim_config *config, struct arena *a, const struct sim_span *span,
			       struct sim_result *result, struct sim_thread_result *threads, struct sim_counts *cores,
			       struct sahm_err *err);

/* In continuous time (ext_internal.h): any policy, and threads that sleep; `probes` as above. Fails with SAHM_POLICY
 * when the policy breaks a rule. */
enum sahm_status sim_run_ext(const struct sim_config *config, struct arena *a, const struct sim_span *span,
			     struct probes *probes, struct sim_result *result, struct sim_thread_result *threads,
			     struct sim_counts *cores, struct sahm_err *err);

/* Whether only that engine can carry out the configuration. */
bool sim_needs_ext(const struct sim_config *config);

/* With introspection: the same as the plain engine, with less work. The policy has no pass. */
enum sahm_status sim_run_introspected(const struct sim_config *config, struct arena *a, const struct sim_span *span,
				      struct probes *probes, struct sim_result *result,
				      struct sim_thread_result *threads, struct sim_counts *cores,
				      struct sahm_err *err);

/* All threads by timestep of arrival, then index: the order in which they join (arrivals.c). */
struct arrivals {
	uint32_t *threads; /* [nr] */
	uint32_t nr;
	uint32_t next; /* the first that has not joined yet */
};

enum sahm_status arrivals_init(struct arrivals *arrivals, struct arena *a, const struct sim_config *config,
			       struct sahm_err *err);

/* Timestep in which the next thread joins, NEVER when none is left. */
static inline uint64_t arrivals_step(const struct arrivals *arrivals, const struct sim_config *config)
{
	return arrivals->next < arrivals->nr ? arrival_step(config, arrivals->threads[arrivals->next]) : NEVER;
}

/* Baseline time completed by a thread that is `epochs` epochs after the beginning of its trace, laps included, and
 * `progress` further; cut to whole ns. */
static inline uint64_t completed_ns(const struct sim_thread *th, uint64_t epochs, int64_t progress)
{
	return epochs * th->epoch_ns + (uint64_t)(progress / PROGRESS_PER_NS) - th->offset_ns;
}

/* Kinds of what is executed: SERVED and MATCHED added up. Counted by kind, it takes one addition. */
enum { KIND_SERVED = 1, KIND_MATCHED = 2, NR_KINDS = 4 };

static inline unsigned kind_of(const struct core_type *type, unsigned state)
{
	return (core_serves(type, state) ? KIND_SERVED : 0) | (core_matches(type, state) ? KIND_MATCHED : 0);
}

static inline struct sim_counts sum_of_kinds(const uint64_t kinds[NR_KINDS])
{
	struct sim_counts counts = {0};
	for (unsigned k = 0; k < NR_KINDS; k++) {
		counts.executed += kinds[k];
		counts.served += k & KIND_SERVED ? kinds[k] : 0;
		counts.matched += k & KIND_MATCHED ? kinds[k] : 0;
	}
	return counts;
}

/* Activity, where it is wanted: the first cell of `core` among those of a thread, and the thread's cells, else NULL. */
static inline uint32_t activity_of_core(const struct sim_config *config, uint32_t core)
{
	return config->activity ? config->core_groups[core] * NR_STATES : 0;
}

static inline struct activity *activity_of_thread(const struct sim_config *config, uint32_t t)
{
	return config->activity ? &config->activity[(size_t)t * config->nr_groups * NR_STATES] : NULL;
}

static inline struct activity *activity_row(const struct sim_config *config, uint32_t t, uint32_t core)
{
	struct activity *cells = activity_of_thread(config, t);
	return cells ? cells + activity_of_core(config, core) : NULL;
}

/* Levels of core `core`: one where it has no others. */
static inline uint32_t nr_levels_of(const struct sim_config *config, uint32_t core)
{
	return config->levels ? config->levels[core].nr : 1;
}

/* Counts a timestep of `nr` threads present, `steps` times. */
static inline void count_present(struct sim_result *result, const struct sim_config *config, uint32_t nr,
				 uint64_t steps)
{
	result->present_timesteps += nr * steps;
	result->capacity_timesteps += (nr < config->chip->nr_cores ? nr : config->chip->nr_cores) * steps;
}

#endif
