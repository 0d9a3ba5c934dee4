/* The event engine against the plain one on random larger systems: every field of every result must be the same. Small
 * ones, and the reference, are in test_agree.c.
 *
 * A system is a function of a seed and an index. In the environment: SAHM_ENGINES_SYSTEMS, how many systems;
 * SAHM_ENGINES_SEED, one seed instead of the list below; SAHM_ENGINES_INDEX, with it, only one system;
 * SAHM_ENGINES_COVERAGE prints how many systems have what.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/engine/event_internal.h"
#include "tests/helper/environment.h"
#include "tests/helper/large_system.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/test.h"

#define NR_SYSTEMS 2000u

static const uint64_t seeds[] = {2, 43, 20170613};

/* What there must be enough of among the systems. */
enum feature {
	ONE_WORD, /* sets of cores */
	SEVERAL_WORDS,
	ONE_TYPE,
	MANY_TYPES,
	FEWER_THREADS,
	HUNDREDS_OF_THREADS,
	QUEUES_IN_VIEW,
	CROWDS,
	ARRIVALS,
	DEPARTURES,
	UNTIL_ALL_LEFT,
	WARMUP,
	MATRIX,
	LEVELS,
	ORACLE,
	HUGE_INERTIA,
	MOVES,
	THOUSAND_TIMESTEPS,
	NR_FEATURES
};

#define FEATURE(name) [name] = #name
static const char *const feature_names[NR_FEATURES] = {
	FEATURE(ONE_WORD),	 FEATURE(SEVERAL_WORDS),  FEATURE(ONE_TYPE),
	FEATURE(MANY_TYPES),	 FEATURE(FEWER_THREADS),  FEATURE(HUNDREDS_OF_THREADS),
	FEATURE(QUEUES_IN_VIEW), FEATURE(CROWDS),	  FEATURE(ARRIVALS),
	FEATURE(DEPARTURES),	 FEATURE(UNTIL_ALL_LEFT), FEATURE(WARMUP),
	FEATURE(MATRIX),	 FEATURE(LEVELS),	  FEATURE(ORACLE),
	FEATURE(HUGE_INERTIA),	 FEATURE(MOVES),	  FEATURE(THOUSAND_TIMESTEPS),
};

static void cover(uint64_t features[NR_FEATURES], const struct large_system *system, const struct sim_outcome *outcome)
{
	const struct sim_config *config = &system->config;
	uint32_t nr_late = 0, nr_left = 0;

	for (uint32_t t = 0; t < config->nr_threads; t++) {
		nr_late += config->threads[t].arrive_ns > 0 && outcome->threads[t].present_ns > 0;
		nr_left += outcome->threads[t].left;
	}
	features[ONE_WORD] += system->chip.nr_cores <= 64;
	features[SEVERAL_WORDS] += system->chip.nr_cores > 64;
	features[ONE_TYPE] += system->nr_types == 1;
	features[MANY_TYPES] += system->nr_types > 16;
	features[FEWER_THREADS] += config->nr_threads < system->chip.nr_cores;
	features[HUNDREDS_OF_THREADS] += config->nr_threads >= 200;
	features[QUEUES_IN_VIEW] += system->longest_pinned > 1 && system->longest_pinned <= LONGEST_VIEW;
	features[CROWDS] += system->longest_pinned > LONGEST_VIEW;
	features[ARRIVALS] += nr_late > 0;
	features[DEPARTURES] += nr_left > 0;
	features[UNTIL_ALL_LEFT] += config->duration_ns == 0 && nr_left == config->nr_threads;
	features[WARMUP] += config->warmup_ns > 0;
	features[MATRIX] += config->distances.matrix_ns != NULL;
	features[LEVELS] += !config->distances.matrix_ns && config->distances.nr_levels > 0;
	features[ORACLE] += config->oracle;
	features[HUGE_INERTIA] += config->inertia > 20;
	features[MOVES] += outcome->whole.decisions > 0;
	features[THOUSAND_TIMESTEPS] += outcome->whole.nr_timesteps >= 1000;
}

static void check_system(uint64_t seed, uint64_t index, uint64_t features[NR_FEATURES])
{
	static struct large_system system;
	static struct sim_thread_result threads[2][LARGE_TOP_THREADS];
	static struct sim_counts cores[2][LARGE_TOP_CORES];
	static struct activity activity[2][LARGE_TOP_THREADS * OUTCOME_CELLS];
	struct sim_outcome outcomes[2];

	large_system(&system, seed, index);
	for (int i = 0; i < 2; i++) {
		struct sahm_err err;
		outcomes[i] = (struct sim_outcome){.threads = threads[i], .cores = cores[i], .activity = activity[i]};
		if (run_engine(&system.config, i ? SIM_EVENT : SIM_PLAIN, &outcomes[i], &err) != SAHM_OK) {
			print_error("%s\n", err.msg);
			large_system_describe(&system);
			fail_msg("%s refuses a valid system", outcomes[i].from);
		}
	}
	if (!same_outcome(&outcomes[0], &outcomes[1], system.config.nr_threads, system.chip.nr_cores)) {
		large_system_describe(&system);
		fail_msg("the engines disagree");
	}
	cover(features, &system, &outcomes[0]);
}

static void test_large_systems(void **state)
{
	const bool one_seed = getenv("SAHM_ENGINES_SEED") != NULL;
	uint64_t nr_systems = environment_number("SAHM_ENGINES_SYSTEMS", NR_SYSTEMS);
	uint64_t nr_seeds = one_seed ? 1 : ARRAY_SIZE(seeds);
	uint64_t features[NR_FEATURES] = {0};

	(void)state;
	if (one_seed && getenv("SAHM_ENGINES_INDEX")) {
		check_system(environment_number("SAHM_ENGINES_SEED", 0), environment_number("SAHM_ENGINES_INDEX", 0),
			     features);
		return;
	}
	for (uint64_t i = 0; i < nr_systems; i++) {
		uint64_t seed = environment_number("SAHM_ENGINES_SEED", seeds[i % nr_seeds]);
		check_system(seed, i / nr_seeds, features);
	}
	for (int f = 0; f < NR_FEATURES; f++) {
		if (getenv("SAHM_ENGINES_COVERAGE"))
			print_message("%-20s %" PRIu64 " of %" PRIu64 "\n", feature_names[f], features[f], nr_systems);
		else if (nr_systems >= 200 && features[f] < nr_systems / 50)
			fail_msg("'%s' in %" PRIu64 " of %" PRIu64 " systems only", feature_names[f], features[f],
				 nr_systems);
	}
}

/* Whose turn comes later than the wheel reaches is looked at when it comes. */
static void test_turns_beyond_the_wheel(void **state)
{
	enum { NR_THREADS = 2 * WHEEL_BUCKETS + 200 };
	static const uint8_t branch[] = {1}, l2[] = {8};
	static const int32_t ppm[NR_COMPONENTS] = {300000, 300000, 300000, 300000};
	static struct sim_thread threads[NR_THREADS];
	static struct sim_thread_result results[2][NR_THREADS];
	struct sim_counts cores[2][2];
	struct sim_outcome outcomes[2];
	struct core_type types[2];
	const struct core_type *list[] = {&types[0], &types[1]};
	const struct chip chip = {.nr_cores = 2, .cores = list};

	(void)state;
	core_type_specialised(&types[0], "Branch", 1, ppm);
	core_type_specialised(&types[1], "L2", 8, ppm);
	/* by turns at home and abroad, so that the first lap is about who has been seen yet */
	for (uint32_t t = 0; t < NR_THREADS; t++)
		threads[t] = (struct sim_thread){
			.states = t / 2 % 2 == t % 2 ? branch : l2, .nr_epochs = 1, .epoch_ns = 100000000};
	struct sim_config config = {
		.chip = &chip,
		.threads = threads,
		.nr_threads = NR_THREADS,
		.policy = sched_policy_find("sahm"),
		.inertia = 1,
		.timestep_ns = 10000000,
		.duration_ns = 3 * WHEEL_BUCKETS * UINT64_C(10000000),
	};
	for (int i = 0; i < 2; i++) {
		struct sahm_err err;
		outcomes[i] = (struct sim_outcome){.threads = results[i], .cores = cores[i]};
		assert_int_equal(run_engine(&config, i ? SIM_EVENT : SIM_PLAIN, &outcomes[i], &err), SAHM_OK);
	}
	assert_true(outcomes[0].whole.decisions > 0);
	assert_true(same_outcome(&outcomes[0], &outcomes[1], NR_THREADS, 2));
}

TEST_FILE(test_engines)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns_beyond_the_wheel),
		cmocka_unit_test(test_large_systems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
