#include "sim/engine/config/run_energy.h"

#include <string.h>

#include "sim/base/units.h"

#define J_PER_PJ 1e-12
#define J_PER_UJ 1e-6
#define S_PER_NS 1e-9

/* Of a level, as policies see it: 1 MW. */
#define MAX_LEVEL_POWER_UW 1e12

/* Epochs that are read at once. */
#define CHUNK 512u

/* Averages over the epochs of a trace, by state. */
static enum sahm_status read_events(const struct run_trace *from, const uint8_t *states,
				    double events[NR_STATES][NR_COUNTERS], struct sahm_err *err)
{
	uint64_t nr = trace_nr_epochs(from->trace), nr_epochs[NR_STATES] = {0};
	double epoch_ns = (double)trace_epoch_ns(from->trace);
	struct epoch_counts chunk[CHUNK];
	for (uint64_t e = 0; e < nr; e++) {
		enum sahm_status status = SAHM_OK;
		if (e % CHUNK == 0)
			status = trace_read(from->trace, e, nr - e < CHUNK ? nr - e : CHUNK, chunk, err);
		if (status != SAHM_OK)
			return status;
		nr_epochs[states[e]]++;
		for (int c = 0; c < NR_COUNTERS; c++)
			events[states[e]][c] += (double)chunk[e % CHUNK].count[c];
	}
	for (unsigned s = 0; s < NR_STATES; s++)
		for (int c = 0; c < NR_COUNTERS && nr_epochs[s]; c++)
			events[s][c] /= (double)nr_epochs[s] * epoch_ns;
	return SAHM_OK;
}

/* uW that a core draws in state `s` besides its static power, at the average rates of events of all traces that are
 * ever in that state. */
static uint64_t power_uw(const struct run_energy *e, const struct core_power *power, const int32_t *speedup_ppm,
			 unsigned s)
{
	double pj_per_ns = 0, speed = 1 + (double)speedup_ppm[s] / (double)PROGRESS_PER_NS;
	uint32_t nr = 0;
	for (uint32_t i = 0; i < e->config->nr_traces; i++) {
		nr += e->events[i][s][COUNTER_INSTRUCTIONS] > 0;
		for (int c = 0; c < NR_COUNTERS; c++)
			pj_per_ns += e->events[i][s][c] * power->event_pj[c];
	}
	double uw = power->dynamic_w[s] * 1e6 + (nr ? pj_per_ns / nr * speed * 1e3 : 0);
	return uw < MAX_LEVEL_POWER_UW ? (uint64_t)uw : (uint64_t)MAX_LEVEL_POWER_UW;
}

/* What policies see: levels and their power. */
static enum sahm_status tabulate_levels(struct run_energy *e, struct arena *a, struct sahm_err *err)
{
	const struct run_config *config = e->config;
	uint32_t core = 0;
	struct core_level *all = arena_alloc(a, config->nr_points, sizeof(*all));
	e->levels = arena_alloc(a, config->chip.nr_cores, sizeof(*e->levels));
	if (!all || !e->levels)
		return sahm_fail_nomem(err);
	for (uint32_t g = 0; g < config->nr_groups; g++) {
		const struct core_group *group = &config->groups[g];
		struct core_level *levels = all + group->first_point;
		const struct core_power *power = config->costs.power + group->first_point;
		for (uint32_t l = 0; l < group_nr_points(group); l++) {
			if (group->levels.nr)
				levels[l] = group->levels.levels[l];
			else
				memcpy(levels[l].speedup_ppm, group->type.speedup_ppm, sizeof(levels[l].speedup_ppm));
			for (unsigned s = 0; s < NR_STATES; s++)
				levels[l].power_uw[s] = power_uw(e, &power[l], levels[l].speedup_ppm, s);
		}
		for (uint32_t i = 0; i < group->count; i++)
			e->levels[core++] =
				(struct core_levels){group_nr_points(group), levels, group->levels.transition_ns};
	}
	return SAHM_OK;
}

enum sahm_status run_energy_init(struct run_energy *e, const struct run_config *config, const uint8_t *const *states,
				 struct arena *a, struct sahm_err *err)
{
	uint64_t nr_cells = (uint64_t)config->nr_threads * config->nr_points * NR_STATES;
	enum sahm_status status = SAHM_OK;
	*e = (struct run_energy){.config = config};
	if (nr_cells > MAX_ACTIVITY_CELLS)
		return sahm_fail(err, SAHM_RANGE,
				 "energy of %u threads on %u groups and levels of cores takes too much memory: equal "
				 "cores can be one group of chip.cores, with a count",
				 config->nr_threads, config->nr_points);
	e->activity = arena_alloc(a, nr_cells, sizeof(*e->activity));
	e->events = arena_alloc(a, config->nr_traces, sizeof(*e->events));
	if (!e->activity || !e->events)
		return sahm_fail_nomem(err);
	for (uint32_t i = 0; i < config->nr_traces && status == SAHM_OK; i++)
		status = read_events(&config->traces[i], states[i], e->events[i], err);
	return status == SAHM_OK ? tabulate_levels(e, a, err) : status;
}

/* Of one thread in one simulation. */
struct thread_energy {
	double dynamic_j, static_j, instructions;
};

static struct thread_energy energy_of(const struct run_energy *e, uint32_t thread, const struct activity *cells,
				      double unit_s)
{
	const struct run_config *config = e->config;
	struct thread_energy sum = {0};
	for (uint32_t p = 0; p < config->nr_points; p++, cells += NR_STATES) {
		const struct core_power *power = &config->costs.power[p];
		for (unsigned s = 0; s < NR_STATES; s++) {
			const double *events = e->events[config->threads[thread].trace][s];
			double executed_s = (double)cells[s].executed * unit_s;
			double work_ns = (double)cells[s].progress / (double)PROGRESS_PER_NS;
			sum.static_j += executed_s * power->static_w;
			sum.dynamic_j += executed_s * power->dynamic_w[s];
			sum.instructions += work_ns * events[COUNTER_INSTRUCTIONS];
			for (int c = 0; c < NR_COUNTERS; c++)
				sum.dynamic_j += work_ns * events[c] * power->event_pj[c] * J_PER_PJ;
		}
	}
	return sum;
}

void run_energy_add(struct run_energy *e, const struct sim_result *sum, const struct sim_thread_result *threads,
		    const uint64_t *residency, uint32_t first, uint32_t nr, struct run_result *const *results,
		    unsigned nr_results)
{
	const struct run_config *config = e->config;
	double unit_s = (sum->is_continuous ? 1 : (double)config->timestep_ns) * S_PER_NS;
	double static_j = 0;
	size_t nr_cells = (size_t)config->nr_points * NR_STATES;
	for (uint32_t p = 0; p < config->nr_points; p++)
		static_j += (double)residency[p] * S_PER_NS * config->costs.power[p].static_w;
	for (uint32_t t = 0; t < nr; t++) {
		struct thread_energy own = energy_of(e, first + t, e->activity + t * nr_cells, unit_s);
		double migration_j = (double)threads[t].migrations * config->costs.migration_uj * J_PER_UJ;
		for (unsigned i = 0; i < nr_results; i++) {
			struct run_thread_result *to = &results[i]->threads[first + t];
			to->energy_j += own.dynamic_j + own.static_j + migration_j;
			to->instructions += own.instructions;
			results[i]->energy.dynamic_j += own.dynamic_j;
			results[i]->energy.migration_j += migration_j;
			results[i]->energy.instructions += own.instructions;
		}
	}
	for (unsigned i = 0; i < nr_results; i++) {
		results[i]->energy.is_known = true;
		results[i]->energy.static_j += static_j;
	}
	memset(e->activity, 0, nr * nr_cells * sizeof(*e->activity));
}
