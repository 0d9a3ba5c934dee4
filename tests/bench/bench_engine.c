/* Speed of the event-driven engine on the study's realistic system and on larger ones: against the plain engine, and
 * against an array sweep that only advances epochs, both timed in the same run. Policies through the interface run on
 * the engine for those, whose time is given beside that of the event-driven engine that knows the policy's rules. The
 * traces are synthetic: those of the shipped suite's profile, made NR_EPOCHS long. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/engine/sim.h"
#include "tests/bench/bench_suite.h"

#define MAX_TENANTS 8u
#define MANY_RUNS 15

/* The study's proportions: 7 baseline cores to 8 of each kind. */
static struct chip make_chip(uint32_t nr_cores)
{
	static struct core_type types[1 + NR_COMPONENTS];
	static const int32_t ppm[NR_COMPONENTS] = {300000, 300000, 300000, 300000};
	const struct core_type **cores = calloc(nr_cores, sizeof(*cores));
	core_type_baseline(&types[0], "baseline");
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		core_type_specialised(&types[1 + c], "specialised", 1u << c, ppm);
	for (uint32_t c = 0; c < nr_cores; c++) {
		uint32_t place = (uint32_t)((uint64_t)c * NR_TRACES / nr_cores);
		cores[c] = &types[place < 7 ? 0 : 1 + (place - 7) / 8];
	}
	return (struct chip){nr_cores, cores};
}

struct size {
	const char *name;
	uint32_t nr_cores, nr_threads;
	uint64_t nr_timesteps;
	const char *policy;
	uint32_t nr_tenants;
	uint64_t warmup_ns;
	bool is_hooked;	   /* through the interface */
	bool has_activity; /* counts what energy follows from */
	bool has_governor;
	uint32_t sharing_cores; /* that share, 0: none do */
};

/* Threads replay the traces by turns, each beginning elsewhere. */
static struct sim_thread *make_threads(const struct size *size)
{
	static uint64_t sets[MAX_TENANTS][MAX_CORES / 64];
	uint32_t nr_threads = size->nr_threads;
	struct sim_thread *threads = calloc(nr_threads, sizeof(*threads));
	memset(sets, 0, sizeof(sets));
	for (uint32_t c = 0; c < size->nr_cores && size->nr_tenants; c++)
		sets[c % size->nr_tenants][c / 64] |= UINT64_C(1) << c % 64;
	for (uint32_t t = 0; t < nr_threads; t++)
		threads[t] = (struct sim_thread){
			.states = states[t % NR_TRACES],
			.nr_epochs = NR_EPOCHS,
			.epoch_ns = EPOCH_NS,
			.offset_ns = t / NR_TRACES * 13 % NR_EPOCHS * EPOCH_NS,
			.allowed = size->nr_tenants ? sets[t % size->nr_tenants] : NULL,
		};
	return threads;
}

struct speed {
	double event;		     /* seconds */
	double over_plain, of_sweep; /* ratios */
	double over_simple;	     /* of the time of the same by the policy's rules and without activity */
	uint64_t present, executed;  /* thread-timesteps */
	uint64_t moves;
};

static double run(struct sim_config *config, enum sim_engine engine, struct speed *speed)
{
	static struct sim_thread_result results[MAX_THREADS];
	struct sim_result result;
	struct sahm_err err;
	config->engine = engine;
	double start = now();
	must(sim_run(config, &result, results, NULL, &err), &err);
	double seconds = now() - start;
	speed->present = result.present_timesteps;
	speed->executed = speed->moves = 0;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		speed->executed += results[t].executed;
		speed->moves += results[t].migrations;
	}
	return seconds;
}

/* The policy without its promise to follow rules that the engine knows: its operations are called. */
static const struct sched_ext_ops *hooked(const char *policy)
{
	static struct sched_ext_ops ops;
	ops = *sched_policy_find(policy);
	ops.sahm_rules = NULL;
	return &ops;
}

static struct sim_config make_config(const struct size *size, const struct chip *chip, const struct sim_thread *threads)
{
	return (struct sim_config){
		.chip = chip,
		.threads = threads,
		.nr_threads = size->nr_threads,
		.policy = sched_policy_find(size->policy),
		.inertia = 5,
		.timestep_ns = TIMESTEP_NS,
		.distances.cost_ns = NS_PER_MS,
		.warmup_ns = size->warmup_ns,
		.duration_ns = size->nr_timesteps * TIMESTEP_NS,
	};
}

/* Lets the run count activity, by as many groups of cores as there are types. */
static void want_activity(struct sim_config *config)
{
	static uint32_t groups[MAX_CORES];
	const struct core_type *first = config->chip->cores[0];
	for (uint32_t c = 0; c < config->chip->nr_cores; c++)
		groups[c] = (uint32_t)(config->chip->cores[c] - first);
	config->core_groups = groups;
	config->nr_groups = 1 + NR_COMPONENTS;
	config->activity =
		calloc((size_t)config->nr_threads * config->nr_groups * NR_STATES, sizeof(*config->activity));
}

/* Three levels under a governor, which busy cores leave at the fastest. */
static void want_governor(struct sim_config *config)
{
	static struct core_level rows[1 + NR_COMPONENTS][3];
	static struct core_levels levels[MAX_CORES];
	const struct core_type *first = config->chip->cores[0];
	for (uint32_t c = 0; c < config->chip->nr_cores; c++) {
		const struct core_type *type = config->chip->cores[c];
		struct core_level *row = rows[type - first];
		for (uint32_t l = 0; l < 3; l++) {
			row[l].mhz = 1000 * (l + 1);
			for (unsigned s = 0; s < NR_STATES; s++)
				row[l].speedup_ppm[s] =
					(int32_t)((1000000 + type->speedup_ppm[s]) * ((int)l + 1) / 3 - 1000000);
		}
		levels[c] = (struct core_levels){3, row, 0};
	}
	config->levels = levels;
	config->governor = true;
}

/* Groups of consecutive cores, above capacity about half of the time: a thread that stresses the L2 demands ten times
 * as much as others. */
static void want_sharing(struct sim_config *config, uint32_t nr_cores)
{
	static uint64_t demand[NR_STATES], capacity[MAX_CORES];
	static uint32_t shared_of[MAX_CORES];
	struct sim_thread *threads = (struct sim_thread *)(uintptr_t)config->threads;
	uint64_t stressed = 0, epochs = 0;
	for (unsigned s = 0; s < NR_STATES; s++)
		demand[s] = s >> COMPONENT_L2 & 1 ? 1000000 : 100000;
	for (uint32_t t = 0; t < config->nr_threads; t++)
		threads[t].demand = demand;
	for (size_t e = 0; e < NR_TRACES * (size_t)NR_EPOCHS; e++, epochs++)
		stressed += states[e / NR_EPOCHS][e % NR_EPOCHS] >> COMPONENT_L2 & 1;
	config->nr_shared = (config->chip->nr_cores + nr_cores - 1) / nr_cores;
	for (uint32_t c = 0; c < config->chip->nr_cores; c++)
		shared_of[c] = c / nr_cores;
	for (uint32_t g = 0; g < config->nr_shared; g++)
		capacity[g] = nr_cores * (100000 + 900000 * stressed / epochs);
	config->shared_of = shared_of;
	config->capacity = capacity;
}

static struct speed measure(const struct size *size)
{
	struct chip chip = make_chip(size->nr_cores);
	struct sim_thread *threads = make_threads(size);
	struct speed speed = {0};
	double event[MANY_RUNS], over_plain[MANY_RUNS], of_sweep[MANY_RUNS], over_row[MANY_RUNS], plain = 0;
	volatile uint64_t sink;
	struct sim_config config = make_config(size, &chip, threads), own = config;
	bool small = size->nr_threads <= NR_TRACES;
	int nr = small ? MANY_RUNS : RUNS;
	bool is_compared = size->is_hooked || size->has_activity || size->has_governor || size->sharing_cores;
	if (size->is_hooked)
		own.policy = hooked(size->policy);
	if (size->has_activity)
		want_activity(&own);
	if (size->has_governor)
		want_governor(&own);
	if (size->sharing_cores)
		want_sharing(&own, size->sharing_cores);
	for (int i = 0; i < nr; i++) {
		double base = sweep(size->nr_threads, size->nr_timesteps, &sink);
		double without = is_compared ? run(&config, SIM_EVENT, &speed) : 0;
		event[i] = run(&own, SIM_EVENT, &speed);
		over_row[i] = is_compared ? event[i] / without : 1;
		/* Seconds, where there are many cores: once must do. */
		if (small || i == 0)
			plain = run(&config, SIM_PLAIN, &speed);
		over_plain[i] = plain / event[i];
		of_sweep[i] = base / event[i];
	}
	speed.event = median_of(event, (size_t)nr);
	speed.over_plain = median_of(over_plain, (size_t)nr);
	speed.of_sweep = median_of(of_sweep, (size_t)nr);
	speed.over_simple = median_of(over_row, (size_t)nr);
	free(own.activity);
	free(threads);
	free((void *)chip.cores);
	return speed;
}

/* For a profiler: the event-driven engine and nothing else, `nr` times. */
static int repeat(const struct size *size, int nr)
{
	struct chip chip = make_chip(size->nr_cores);
	struct sim_thread *threads = make_threads(size);
	struct sim_config config = make_config(size, &chip, threads);
	struct speed speed;
	double seconds = 0;
	if (size->is_hooked)
		config.policy = hooked(size->policy);
	if (size->has_activity)
		want_activity(&config);
	if (size->has_governor)
		want_governor(&config);
	if (size->sharing_cores)
		want_sharing(&config, size->sharing_cores);
	for (int i = 0; i < nr; i++)
		seconds += run(&config, SIM_EVENT, &speed);
	printf("%s: %.3f ms a run\n", size->name, seconds / nr * 1e3);
	free(config.activity);
	free(threads);
	free((void *)chip.cores);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct size sizes[] = {
		{"39, 39, sahm (the paper)", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm", .is_hooked = false},
		{"39, 39, sahm, interface", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm", .is_hooked = true},
		{"39, 39, sahm, activity", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm", .has_activity = true},
		{"39, 39, governor", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm", .has_governor = true},
		{"39, 39, 8 cores share", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm", .sharing_cores = 8},
		{"39, 39, all cores share", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm", .sharing_cores = 39},
		{"39, 39, sahm-strict", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm-strict", .is_hooked = false},
		{"39, 39, sahm-listing", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm-listing", .is_hooked = false},
		{"39, 39, static", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "static", .is_hooked = false},
		{"39, 39, sahm, warm-up 50 ms", 39, 39, NR_EPOCHS * STEPS_PER_EPOCH, "sahm",
		 .warmup_ns = 50 * NS_PER_MS},
		{"1,000, 45, sahm", 45, 1000, 6000, "sahm", .is_hooked = false},
		{"1,024, 1,024, sahm", 1024, 1024, 6000, "sahm", .is_hooked = false},
		{"1,024, 1,024, activity", 1024, 1024, 6000, "sahm", .has_activity = true},
		{"1,024, 1,024, 8 cores share", 1024, 1024, 6000, "sahm", .sharing_cores = 8},
		{"1,024, 1,024, all share", 1024, 1024, 6000, "sahm", .sharing_cores = 1024},
		{"1,024, 1,024, 4 tenants", 1024, 1024, 6000, "sahm", .nr_tenants = 4},
		{"1,024, 1,024, interface", 1024, 1024, 6000, "sahm", .is_hooked = true},
		{"16,384, 4,096, sahm", 4096, 16384, 2000, "sahm", .is_hooked = false},
	};
	double first = 0, first_executed = 0;
	generate();
	if (argc > 2)
		return repeat(&sizes[strtoul(argv[1], NULL, 10) % ARRAY_SIZE(sizes)], atoi(argv[2]));
	printf("event-driven engine, inertia 5, 1 ms per migration, timesteps of 10 ms, synthetic traces of %u "
	       "epochs\n",
	       NR_EPOCHS);
	printf("medians of %d runs, of %d with more than %u threads, and there one of the plain engine; the array "
	       "sweep only "
	       "advances epochs\n",
	       MANY_RUNS, RUNS, NR_TRACES);
	printf("%-28s %14s %9s %9s %11s %11s %10s %10s\n", "", "M thread-", "x plain", "of sweep", "cost to the",
	       "... per", "migr. per", "x without");
	printf("%-28s %14s %9s %9s %11s %11s %10s %10s\n", "threads, cores, policy", "timesteps/s", "engine", "",
	       "first", "executed", "1,000", "it");
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct speed s = measure(&sizes[i]);
		double per_step = s.event / (double)s.present, per_executed = s.event / (double)s.executed;
		if (i == 0) {
			first = per_step;
			first_executed = per_executed;
		}
		printf("%-28s %14.1f %9.1f %9.3f %11.2f %11.2f %10.1f %10.2f\n", sizes[i].name, 1e-6 / per_step,
		       s.over_plain, s.of_sweep, per_step / first, per_executed / first_executed,
		       1e3 * (double)s.moves / (double)s.executed, s.over_simple);
	}
	return 0;
}
