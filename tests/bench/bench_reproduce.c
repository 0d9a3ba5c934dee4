/* Speed of reproducing the study: everything, and only figure 4.10, on one core, without pictures; beside the runs of
 * figure 4.10 by the engine that goes timestep by timestep, timed in the same run. The traces are synthetic. */
#include <stdio.h>
#include <string.h>

#include "sim/engine/config/run.h"
#include "sim/sweep/reproduce.h"
#include "sim/sweep/sweep_internal.h"
#include "tests/bench/bench.h"

#define FOLDER "/tmp/sahm-bench-reproduce"
#define GOAL_ALL_S 10
#define GOAL_RUNS_S 1

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

/* Studies, claims, figures as data and scripts, all of it written, and the page; `id` NULL: all. */
static double time_reproduction(const char *id, uint64_t *nr_points)
{
	struct reproduce_request request = {.suite = REPRODUCE_SUITE, .data_folder = "."};
	struct reproduction r;
	struct sahm_err err;
	for (unsigned i = 0; i < NR_REPRODUCED; i++)
		request.wanted[i] = !id || strcmp(id, reproduced_rows[i].id) == 0;
	double start = now();
	must(reproduce(&request, &r, &err), &err);
	must(reproduction_write(&r, FOLDER, true, false, NULL, &err), &err);
	double seconds = now() - start;
	*nr_points = 0;
	for (unsigned s = 0; s < NR_PAPER_STUDIES; s++)
		*nr_points += r.nr_points[s];
	reproduction_release(&r);
	return seconds;
}

/* Only the runs of figure 4.10, by `engine`; reading traces left out. */
static double time_runs(enum sim_engine engine, uint64_t *nr_runs)
{
	const struct sweep_request request = {.config = "configs/studies/paper/realistic.cfg", .data_folder = "."};
	struct sweep sweep;
	struct sahm_err err;
	double seconds = 0;
	must(sweep_read(&sweep, &request, &err), &err);
	*nr_runs = sweep.space.nr_points;
	for (uint64_t i = 0; i < *nr_runs; i++) {
		struct run_config config;
		struct run_result result;
		struct arena a;
		arena_init(&a);
		must(sweep_point(&sweep, i, &a, &config, &err), &err);
		double start = now();
		must(run_execute(&config, engine, &result, &err), &err);
		seconds += now() - start;
		run_result_release(&result);
		run_config_release(&config);
		arena_release(&a);
	}
	sweep_release(&sweep);
	return seconds;
}

int main(void)
{
	double all[RUNS], runs[RUNS], event[RUNS], ratio[RUNS], plain[RUNS];
	uint64_t nr_all, nr_4_10, nr_runs;
	allow_own_includes();
	for (int i = 0; i < RUNS; i++) {
		all[i] = time_reproduction(NULL, &nr_all);
		runs[i] = time_reproduction("4.10", &nr_4_10);
		event[i] = time_runs(SIM_EVENT, &nr_runs);
		plain[i] = time_runs(SIM_PLAIN, &nr_runs);
		ratio[i] = plain[i] / event[i];
	}
	double all_s = median(all), runs_s = median(runs);
	printf("reproducing the study on its 39 traces (synthetic), one core, no pictures; medians of %d\n", RUNS);
	printf("everything, %llu points, page too  %7.3f s; goal: below %d s: %s\n", (unsigned long long)nr_all, all_s,
	       GOAL_ALL_S, all_s < GOAL_ALL_S ? "met" : "missed");
	printf("figure 4.10, page too              %7.3f s; goal: below %d s: %s\n", runs_s, GOAL_RUNS_S,
	       runs_s < GOAL_RUNS_S ? "met" : "missed");
	printf("its %llu simulations alone           %7.3f s, plain engine %.3f s, %.1f times as long\n",
	       (unsigned long long)nr_runs, median(event), median(plain), median(ratio));
	return system("rm -rf " FOLDER) == 0 ? 0 : 1;
}
