/* Speed of the engine on the realistic system, as a ratio against a baseline timed in the same run: an array sweep that
 * only advances each thread through its epochs. Medians of several runs; the states are generated (synthetic). */
#include <stdio.h>
#include <stdlib.h>

#include "sim/engine/sim.h"
#include "tests/bench/bench.h"

#define NR_THREADS 39u
#define NR_EPOCHS 6000u

/* States that stay with probability 84 %, as the study's traces do on average. */
static void generate(uint8_t *states, uint64_t seed)
{
	uint8_t state = 0;
	for (unsigned e = 0; e < NR_EPOCHS; e++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		if (seed >> 33 > (UINT64_C(1) << 31) / 100 * 84)
			state = (uint8_t)(seed >> 40 & (NR_STATES - 1));
		states[e] = state;
	}
}

/* The least that any engine has to do: look at every epoch of every thread. */
static double sweep(uint8_t (*states)[NR_EPOCHS], volatile uint64_t *sink)
{
	double start = now();
	uint64_t sum = 0;
	for (unsigned t = 0; t < NR_THREADS; t++)
		for (unsigned e = 0; e < NR_EPOCHS; e++)
			for (unsigned step = 0; step < 10; step++)
				sum += states[t][e] ^ step;
	*sink = sum;
	return now() - start;
}

int main(void)
{
	static uint8_t states[NR_THREADS][NR_EPOCHS];
	struct core_type types[1 + NR_COMPONENTS];
	const struct core_type *cores[NR_THREADS];
	const int32_t ppm[NR_COMPONENTS] = {300000, 300000, 300000, 300000};
	struct sim_thread threads[NR_THREADS];
	struct sim_thread_result results[NR_THREADS];
	struct sim_result result;
	struct sahm_err err;
	volatile uint64_t sink;
	core_type_baseline(&types[0], "baseline");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		core_type_specialised(&types[1 + c], "specialised", 1u << c, ppm);
	for (unsigned c = 0; c < NR_THREADS; c++)
		cores[c] = &types[c < 7 ? 0 : 1 + (c - 7) / 8];
	for (unsigned t = 0; t < NR_THREADS; t++) {
		generate(states[t], t + 1);
		threads[t] = (struct sim_thread){.states = states[t], .nr_epochs = NR_EPOCHS, .epoch_ns = 100000000};
	}
	const struct chip chip = {NR_THREADS, cores};
	printf("The array sweep only advances epochs: no engine can beat it; nearer to 1 is better.\n");
	printf("engine, 39 threads on 39 cores, synthetic states, 600 s (median of %d runs)\n", RUNS);
	for (const struct sched_policy *const *p = sched_policies; *p; p++) {
		double run[RUNS], base[RUNS];
		struct sim_config config = {
			.chip = &chip,
			.threads = threads,
			.nr_threads = NR_THREADS,
			.policy = *p,
			.inertia = 5,
			.timestep_ns = 10000000,
			.distances.cost_ns = 1000000,
			.engine = SIM_PLAIN,
		};
		for (int i = 0; i < RUNS; i++) {
			base[i] = sweep(states, &sink);
			double start = now();
			if (sim_run(&config, &result, results, NULL, &err) != SAHM_OK) {
				fprintf(stderr, "%s\n", err.msg);
				return 1;
			}
			run[i] = now() - start;
		}
		double steps = (double)result.nr_timesteps * NR_THREADS, ratio = median(base) / median(run);
		printf("  %-14s %7.1f million thread-timesteps/s, %.3f of the array sweep\n", (*p)->name,
		       steps / median(run) * 1e-6, ratio);
	}
	return 0;
}
