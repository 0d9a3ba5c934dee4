/* Speed of policies that work an assignment out, and of the ordered pass by both ways, on the study's realistic system:
 * against the array sweep that only advances epochs, timed in the same run. The traces are synthetic: those of the
 * shipped suite's profile, made NR_EPOCHS long. */
#include <stdio.h>

#include "sched/policies/transport.h"
#include "sim/base/array.h"
#include "sim/base/rng.h"
#include "sim/engine/sim.h"
#include "tests/bench/bench_suite.h"

#define NR_THREADS NR_TRACES
#define NR_TIMESTEPS ((uint64_t)NR_EPOCHS * STEPS_PER_EPOCH)
#define NR_CHANGES 2000000u

#define GOAL_M_PER_S 20 /* of assign and the published policies */

/* The study's: 7 baseline cores and 8 of each kind. */
static struct chip make_chip(void)
{
	static struct core_type types[1 + NR_COMPONENTS];
	static const struct core_type *cores[NR_THREADS];
	static const int32_t ppm[NR_COMPONENTS] = {300000, 300000, 300000, 300000};
	core_type_baseline(&types[0], "baseline");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		core_type_specialised(&types[1 + c], "specialised", 1u << c, ppm);
	for (uint32_t c = 0; c < NR_THREADS; c++)
		cores[c] = &types[c < 7 ? 0 : 1 + (c - 7) / 8];
	return (struct chip){NR_THREADS, cores};
}

struct row {
	const char *name, *policy;
	bool through_pass; /* without its promise, so that the simulator calls its pass */
	bool oracle;
	bool has_goal;
};

struct speed {
	double seconds, of_sweep;
	double speedup_pct;
	uint64_t moves;
};

static double run(const struct row *row, const struct chip *chip, const struct sim_thread *threads, struct speed *speed)
{
	static struct sim_thread_result results[NR_THREADS];
	struct sched_ext_ops policy = *sched_policy_find(row->policy);
	struct sim_result result;
	struct sahm_err err;
	if (row->through_pass)
		policy.sahm_rules = NULL;
	struct sim_config config = {
		.chip = chip,
		.threads = threads,
		.nr_threads = NR_THREADS,
		.policy = &policy,
		.oracle = row->oracle,
		.inertia = 5,
		.timestep_ns = TIMESTEP_NS,
		.distances.cost_ns = NS_PER_MS,
		.duration_ns = NR_TIMESTEPS * TIMESTEP_NS,
		.engine = SIM_EVENT,
	};
	double start = now(), completed_ns = 0;
	must(sim_run(&config, &result, results, NULL, &err), &err);
	double seconds = now() - start;
	speed->moves = 0;
	for (uint32_t t = 0; t < NR_THREADS; t++) {
		speed->moves += results[t].migrations;
		completed_ns += (double)results[t].completed_ns;
	}
	speed->speedup_pct = 100 * (completed_ns / NR_THREADS / (double)result.simulated_ns - 1);
	return seconds;
}

static struct speed measure(const struct row *row, const struct chip *chip, const struct sim_thread *threads)
{
	struct speed speed = {0};
	double seconds[RUNS], of_sweep[RUNS];
	volatile uint64_t sink;
	for (int i = 0; i < RUNS; i++) {
		double base = sweep(NR_THREADS, NR_TIMESTEPS, &sink);
		seconds[i] = run(row, chip, threads, &speed);
		of_sweep[i] = base / seconds[i];
	}
	speed.seconds = median(seconds);
	speed.of_sweep = median(of_sweep);
	return speed;
}

/* Only the solver, 39 threads and five classes: ns per change of one thread's values, values as states make them. */
static double time_solver(void)
{
	static const uint32_t capacity[] = {7, 8, 8, 8, 8};
	double ns[RUNS];
	for (int i = 0; i < RUNS; i++) {
		struct arena a;
		struct rng r;
		arena_init(&a);
		rng_init(&r, 1, "bench", "transport");
		struct transport *tp = transport_new(&a, NR_THREADS, NR_THREADS, 5, capacity);
		double start = now();
		for (uint32_t change = 0; tp && change < NR_CHANGES; change++) {
			uint64_t state = rng_below(&r, NR_STATES), t = rng_below(&r, NR_THREADS);
			int64_t values[5] = {1000};
			for (unsigned k = 1; k < 5; k++)
				values[k] = state >> (k - 1) & 1 ? 1300 : 1000;
			transport_set(tp, (uint32_t)t, values, TRANSPORT_NOWHERE);
		}
		ns[i] = 1e9 * (now() - start) / NR_CHANGES;
		arena_release(&a);
	}
	return median(ns);
}

int main(void)
{
	static const struct row rows[] = {
		{"sahm, by its rules", "sahm", false, false, false},
		{"sahm, through its pass", "sahm", true, false, false},
		{"assign", "assign", false, false, true},
		{"assign, oracle", "assign", false, true, true},
		{"keen", "keen", false, false, false},
		{"pie", "pie", false, false, true},
		{"bias", "bias", false, false, true},
		{"equal-time", "equal-time", false, false, true},
		{"equal-progress", "equal-progress", false, false, true},
		{"thread-director", "thread-director", false, false, true},
	};
	struct sim_thread threads[NR_THREADS];
	struct chip chip = make_chip();
	bool missed = false;
	generate();
	for (uint32_t t = 0; t < NR_THREADS; t++)
		threads[t] = (struct sim_thread){.states = states[t], .nr_epochs = NR_EPOCHS, .epoch_ns = EPOCH_NS};
	printf("policies, 39 threads on 39 cores, 1 ms per migration, timesteps of 10 ms, synthetic traces of %u "
	       "epochs\n",
	       NR_EPOCHS);
	printf("medians of %d runs; the array sweep only advances epochs\n", RUNS);
	printf("%-28s %14s %9s %9s %10s %10s\n", "", "M thread-", "of sweep", "cost to", "migr. per", "mean");
	printf("%-28s %14s %9s %9s %10s %10s\n", "policy", "timesteps/s", "", "the first", "second", "speedup");
	double first = 0, all = (double)NR_TIMESTEPS * NR_THREADS;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].through_pass && !sched_policy_find(rows[i].policy)->sahm_pass)
			continue;
		struct speed s = measure(&rows[i], &chip, threads);
		first = i == 0 ? s.seconds : first;
		missed |= rows[i].has_goal && all / s.seconds < GOAL_M_PER_S * 1e6;
		printf("%-28s %14.1f %9.3f %9.2f %10.1f %9.2f %%\n", rows[i].name, 1e-6 * all / s.seconds, s.of_sweep,
		       s.seconds / first, (double)s.moves / ((double)NR_TIMESTEPS * 1e-9 * TIMESTEP_NS), s.speedup_pct);
	}
	printf("solver alone, 39 threads, 5 classes: %.0f ns per change of a thread's values\n", time_solver());
	printf("goal: assign and published policies at least %d M thread-timesteps/s: %s\n", GOAL_M_PER_S,
	       missed ? "missed" : "met");
	return 0;
}
