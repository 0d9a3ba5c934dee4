/* The study's pass written as a policy against the same pass carried out by the engine, which the rules promise: every
 * count must be the same, on random systems. Where threads never sleep, the policies' tables differ only in the
 * promise.
 */
#include "sched/ordered/sahm_ordered.h"
#include "tests/helper/large_system.h"
#include "tests/helper/random.h"
#include "tests/helper/random_system.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/test.h"

#define NR_SMALL 4000u
#define NR_LARGE 200u
#define TOP(a, b) ((a) > (b) ? (a) : (b))
#define TOP_CORES TOP(RANDOM_TOP_CORES, LARGE_TOP_CORES)
#define TOP_THREADS TOP(RANDOM_TOP_THREADS, LARGE_TOP_THREADS)

/* Lets both configurations run, for the same chip and threads; what they say must be the same. */
static void compare(const struct sim_config configs[2], const char *from_a, const char *from_b, uint64_t *decisions)
{
	static struct sim_thread_result threads[2][TOP_THREADS];
	static struct sim_counts cores[2][TOP_CORES];
	struct sim_outcome outcomes[2];
	struct sahm_err err;

	for (int i = 0; i < 2; i++) {
		outcomes[i] = (struct sim_outcome){.threads = threads[i], .cores = cores[i]};
		if (run_engine(&configs[i], SIM_PLAIN, &outcomes[i], &err) != SAHM_OK)
			fail_msg("%s", err.msg);
	}
	outcomes[0].from = from_a;
	outcomes[1].from = from_b;
	if (!same_outcome(&outcomes[0], &outcomes[1], configs[0].nr_threads, configs[0].chip->nr_cores))
		fail_msg("'%s' does not follow its rules", configs[0].policy->name);
	*decisions += outcomes[0].whole.decisions;
}

/* False: there is nothing to compare. */
static bool compare_with_rules(const struct sim_config *config, uint64_t *decisions)
{
	struct sched_ext_ops ops = *config->policy;
	struct sim_config configs[2] = {*config, *config};

	if (!ops.sahm_rules)
		return false;
	ops.sahm_rules = NULL;
	configs[1].policy = &ops;
	compare(configs, "the rules", "the policy", decisions);
	return true;
}

static void test_small_systems(void **state)
{
	static struct random_system system;
	static struct product_system product;
	uint64_t decisions = 0;
	unsigned nr = 0;

	(void)state;
	for (uint64_t i = 0; i < NR_SMALL; i++) {
		random_system(&system, 8, i);
		product_system(&product, &system);
		nr += compare_with_rules(&product.config, &decisions);
	}
	assert_true(nr > NR_SMALL / 2);
	assert_true(decisions > NR_SMALL);
}

static void test_large_systems(void **state)
{
	static struct large_system system;
	uint64_t decisions = 0;

	(void)state;
	for (uint64_t i = 0; i < NR_LARGE; i++) {
		large_system(&system, 8, i);
		compare_with_rules(&system.config, &decisions);
	}
	assert_true(decisions > NR_LARGE);
}

static u64 pass_always(u64 now)
{
	sahm_ordered_pass(now, SWAP_UNSERVED);
	return 0;
}

static struct burst_times random_times(uint64_t *rng, uint64_t timestep_ns)
{
	uint64_t mean_ns = timestep_ns * between(rng, 1, 40) / 4 + between(rng, 0, 1);

	return (struct burst_times){.shape = one_in(rng, 2) ? BURST_FIXED : BURST_EXPONENTIAL,
				    .mean_ns = clamp(mean_ns, MIN_BURST_RUN_NS, MAX_BURST_NS)};
}

/* The passes that it leaves out would have changed nothing, nor do they count for inertia any less: of threads that
 * sleep, and of others. */
static void test_passes_left_out(void **state)
{
	static struct random_system system;
	static struct product_system product;
	uint64_t decisions = 0, rng = 8;

	(void)state;
	for (uint64_t i = 0; i < NR_SMALL; i++) {
		struct burst_model bursts[RANDOM_TOP_THREADS];
		random_system(&system, 9, i);
		product_system(&product, &system);
		struct sim_config *config = &product.config;
		for (uint32_t t = 0; t < config->nr_threads; t++) {
			bursts[t] = (struct burst_model){.run = random_times(&rng, config->timestep_ns),
							 .sleep = random_times(&rng, config->timestep_ns)};
			product.threads[t].bursts = one_in(&rng, 3) ? &bursts[t] : NULL;
		}
		struct sched_ext_ops ops[2] = {*sched_policy_find("sahm"), *sched_policy_find("sahm")};
		ops[0].sahm_pass = pass_always;
		ops[0].sahm_rules = ops[1].sahm_rules = NULL;
		struct sim_config configs[2] = {*config, *config};
		configs[0].policy = &ops[0];
		configs[1].policy = &ops[1];
		compare(configs, "all passes", "some passes", &decisions);
	}
	assert_true(decisions > NR_SMALL);
}

TEST_FILE(test_policy_ordered)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_systems),
		cmocka_unit_test(test_large_systems),
		cmocka_unit_test(test_passes_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
