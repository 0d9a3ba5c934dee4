#include "results/studies/level_study.h"

#include "sim/base/units.h"
#include "sim/engine/config/run.h"
#include "sim/engine/config/run_energy.h"

/* Shares of the work by state. */
static void count_states(const struct run_config *config, const uint8_t *const *states, double shares[NR_STATES])
{
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		uint32_t i = config->threads[t].trace;
		uint64_t nr = trace_nr_epochs(config->traces[i].trace), in_state[NR_STATES] = {0};
		for (uint64_t e = 0; e < nr; e++)
			in_state[states[i][e]]++;
		for (unsigned s = 0; s < NR_STATES; s++)
			shares[s] += (double)in_state[s] / (double)nr / config->nr_threads;
	}
}

/* pJ of events per ns of baseline time in a state: the mean over threads of those whose traces are ever in it. */
static double events_pj(const struct run_energy *e, const struct core_power *power, unsigned s)
{
	double sum = 0;
	uint32_t nr = 0;
	for (uint32_t t = 0; t < e->config->nr_threads; t++) {
		const double *events = e->events[e->config->threads[t].trace][s];
		nr += events[COUNTER_INSTRUCTIONS] > 0;
		for (int c = 0; c < NR_COUNTERS; c++)
			sum += events[c] * power->event_pj[c];
	}
	return nr ? sum / nr : 0;
}

static struct level_cost cost_of(const struct run_energy *e, const struct core_power *power,
				 const struct core_level *level, unsigned s)
{
	double seconds = 1 / (1 + (double)level->speedup_ppm[s] / (double)PROGRESS_PER_NS);
	/* pJ per ns are mW. */
	double j = (power->static_w + power->dynamic_w[s]) * seconds + events_pj(e, power, s) * 1e-3;
	return (struct level_cost){j, seconds};
}

/* The first level with the minimum of energy or, with `edp`, of energy times time. */
static uint32_t least(const struct level_cost *costs, size_t stride, uint32_t nr, bool edp)
{
	uint32_t best = 0;
	for (uint32_t l = 1; l < nr; l++) {
		struct level_cost a = costs[l * stride], b = costs[best * stride];
		if (edp ? level_edp(a) < level_edp(b) : a.j < b.j)
			best = l;
	}
	return best;
}

static void add(struct level_cost *sum, struct level_cost cost, double share)
{
	sum->j += share * cost.j;
	sum->s += share * cost.s;
}

static enum sahm_status study_group(const struct run_energy *e, const struct core_group *group,
				    const double shares[NR_STATES], struct arena *a, struct level_group *g,
				    struct sahm_err *err)
{
	uint32_t nr = group->levels.nr;
	*g = (struct level_group){.group = group,
				  .cost = arena_alloc(a, nr, sizeof(*g->cost)),
				  .whole = arena_alloc(a, nr, sizeof(*g->whole))};
	if (!g->cost || !g->whole)
		return sahm_fail_nomem(err);
	for (unsigned s = 0; s < NR_STATES; s++) {
		for (uint32_t l = 0; l < nr; l++) {
			g->cost[l][s] = cost_of(e, &e->config->costs.power[group->first_point + l],
						&group->levels.levels[l], s);
			add(&g->whole[l], g->cost[l][s], shares[s]);
		}
		g->least_j[s] = least(&g->cost[0][s], NR_STATES, nr, false);
		g->least_edp[s] = least(&g->cost[0][s], NR_STATES, nr, true);
		add(&g->by_state_j, g->cost[g->least_j[s]][s], shares[s]);
		add(&g->by_state_edp, g->cost[g->least_edp[s]][s], shares[s]);
	}
	g->whole_least_j = least(g->whole, 1, nr, false);
	g->whole_least_edp = least(g->whole, 1, nr, true);
	return SAHM_OK;
}

enum sahm_status level_study(const struct run_config *config, struct arena *a, struct level_study *study,
			     struct sahm_err *err)
{
	struct run_energy e;
	const uint8_t **states = arena_alloc(a, config->nr_traces, sizeof(*states));
	*study = (struct level_study){.groups = arena_alloc(a, config->nr_groups, sizeof(*study->groups))};
	if (!states || !study->groups)
		return sahm_fail_nomem(err);
	if (!config->has_levels)
		return sahm_fail(err, SAHM_CONFIG,
				 "no core of this chip has levels to choose from (chip.cores[].levels)");
	if (!config->costs.power)
		return sahm_fail(err, SAHM_CONFIG, "the energy of these levels is not known: %s",
				 config->costs.nr_missing ? config->costs.missing[0] : "chip.costs names no table");
	enum sahm_status status = run_classify(config, a, states, err);
	if (status == SAHM_OK)
		status = run_energy_init(&e, config, states, a, err);
	if (status == SAHM_OK)
		count_states(config, states, study->shares);
	for (uint32_t g = 0; g < config->nr_groups && status == SAHM_OK; g++)
		if (config->groups[g].count > 0 && config->groups[g].levels.nr > 1)
			status = study_group(&e, &config->groups[g], study->shares, a,
					     &study->groups[study->nr_groups++], err);
	return status;
}
