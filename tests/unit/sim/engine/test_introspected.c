/* Introspection on random systems: with IPUs that tell at once what the built-in classifier would, the outcome is the
 * same to the last field; and whatever they tell, when, and of whom, the engine for introspection does the same as the
 * plain one.
 *
 * A system is a function of a seed and an index. In the environment: SAHM_INTROSPECTED_SYSTEMS, how many small ones
 * (a tenth as many large ones); SAHM_INTROSPECTED_INDEX, only one.
 */
#include <inttypes.h>

#include "tests/helper/environment.h"
#include "tests/helper/large_system.h"
#include "tests/helper/random.h"
#include "tests/helper/random_system.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/sim/engine/made_ipu.h"

#define NR_SYSTEMS 6000u
#define SMALL_SEED 77
#define LARGE_SEED 78

/* What each thread's epochs have in the two registers. */
static uint64_t values[LARGE_TOP_THREADS][2 * LARGE_TOP_EPOCHS];
static struct sim_thread threads[LARGE_TOP_THREADS];
static struct sim_thread_result results[3][LARGE_TOP_THREADS];
static struct sim_counts cores[3][LARGE_TOP_CORES];
static struct activity activity[3][LARGE_TOP_THREADS * OUTCOME_CELLS];
static struct probe_counts counts[2][LARGE_TOP_CORES];

/* The system with IPUs that see the states themselves. */
static struct sim_config with_inputs(const struct sim_config *config)
{
	struct sim_config with = *config;
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		assert_true(config->threads[t].nr_epochs <= LARGE_TOP_EPOCHS);
		for (uint64_t e = 0; e < config->threads[t].nr_epochs; e++)
			values[t][2 * e] = config->threads[t].states[e];
		threads[t] = config->threads[t];
		threads[t].inputs = (struct probe_inputs){.values = values[t], .valid = 3};
	}
	with.threads = threads;
	with.oracle = false;
	return with;
}

static void run(const struct sim_config *config, enum sim_engine engine, int i, struct sim_outcome *o)
{
	struct sahm_err err;
	*o = (struct sim_outcome){.threads = results[i], .cores = cores[i], .activity = activity[i]};
	if (run_engine(config, engine, o, &err) != SAHM_OK)
		fail_msg("%s refuses a valid system: %s", o->from, err.msg);
}

static bool same_counts(const struct probe_counts *a, const struct probe_counts *b)
{
	return a->arrived == b->arrived && a->invocations == b->invocations && a->instructions == b->instructions &&
	       a->dropped == b->dropped && a->ignored == b->ignored && a->skipped == b->skipped &&
	       a->packets == b->packets && a->bytes == b->bytes && a->rejected == b->rejected &&
	       a->busy_cycles == b->busy_cycles && a->accurate == b->accurate && a->nr_faults == b->nr_faults;
}

/* Both engines with IPUs; the plain one's outcome is outcomes[1]. False: they differ. */
static bool engines_agree(struct sim_config *config, const struct probe_config *probe, struct sim_outcome outcomes[3])
{
	uint32_t nr_cores = config->chip->nr_cores;
	bool ok;
	config->probe = probe;
	config->probe_counts = counts[0];
	run(config, SIM_PLAIN, 1, &outcomes[1]);
	config->probe_counts = counts[1];
	run(config, SIM_EVENT, 2, &outcomes[2]);
	ok = same_outcome(&outcomes[1], &outcomes[2], config->nr_threads, nr_cores);
	for (uint32_t c = 0; ok && c < nr_cores; c++) {
		ok = same_counts(&counts[0][c], &counts[1][c]);
		if (!ok)
			print_error("core %u: what its IPU did\n", c);
	}
	return ok;
}

struct programs {
	struct ipu_program *tell, *tell_raw, *flaky;
};

/* The states themselves, at once: as without IPUs. */
static bool tells_the_same(const struct sim_config *from, const struct programs *programs)
{
	struct sim_config config = with_inputs(from);
	struct probe_config probe = made_probe(programs->tell);
	struct sim_outcome outcomes[3];
	uint64_t executed = 0, arrived = 0;
	run(&config, SIM_EVENT, 0, &outcomes[0]);
	if (!engines_agree(&config, &probe, outcomes) ||
	    !same_outcome(&outcomes[0], &outcomes[1], config.nr_threads, config.chip->nr_cores))
		return false;
	for (uint32_t c = 0; c < config.chip->nr_cores; c++) {
		executed += cores[0][c].executed;
		arrived += counts[0][c].arrived;
	}
	return executed == arrived;
}

/* Anything: late, rarely, of other threads, with faults. */
static bool agree_on_anything(const struct sim_config *from, const struct programs *programs, uint64_t *rng,
			      uint64_t *nr_late)
{
	struct sim_config config = with_inputs(from);
	uint64_t kind = between(rng, 0, 2);
	struct probe_config probe = made_probe(kind == 0   ? programs->tell
					       : kind == 1 ? programs->tell_raw
							   : programs->flaky);
	struct sim_outcome outcomes[3];
	if (config.timestep_ns < MAX_PROBE_LATENCY_NS / 4)
		probe.latency_ns = between(rng, 0, 4 * config.timestep_ns);
	probe.sampling = (uint32_t)between(rng, 1, 3);
	if (one_in(rng, 3))
		probe.ipu_mhz = (uint32_t)between(rng, 1, 3000);
	if (one_in(rng, 3))
		probe.hit_mhz = (uint32_t)between(rng, 1, 5000);
	for (uint32_t t = 0; t < config.nr_threads; t++)
		for (uint64_t e = 0; e < config.threads[t].nr_epochs && kind == 1; e++)
			values[t][2 * e] = between(rng, 0, config.nr_threads) << STATE_WORD_THREAD_BIT |
					   between(rng, 0, NR_STATES);
	*nr_late += probe.latency_ns > config.timestep_ns;
	return engines_agree(&config, &probe, outcomes);
}

static struct programs make_programs(void)
{
	const uint32_t tell[] = {TELL}, raw[] = {TELL_RAW};
	/* every third state ends it */
	const uint32_t flaky[] = {csrr(A0, CSR_VALUE), li(A1, 13), encode_b(1, A0, A1, 8), EBREAK, TELL};
	return (struct programs){MADE_PROGRAM(tell), MADE_PROGRAM(raw), MADE_PROGRAM(flaky)};
}

static void free_programs(struct programs *p)
{
	ipu_program_free(p->tell);
	ipu_program_free(p->tell_raw);
	ipu_program_free(p->flaky);
}

/* Only one index, or all. */
static bool is_wanted(uint64_t index)
{
	return environment_number("SAHM_INTROSPECTED_INDEX", index) == index;
}

static void test_small_systems(void **state)
{
	static struct random_system system;
	static struct product_system product;
	struct programs programs = make_programs();
	uint64_t nr_late = 0, nr = environment_number("SAHM_INTROSPECTED_SYSTEMS", NR_SYSTEMS);

	(void)state;
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t rng = i;
		if (!is_wanted(i))
			continue;
		random_system(&system, SMALL_SEED, i);
		product_system(&product, &system);
		if (!tells_the_same(&product.config, &programs) ||
		    !agree_on_anything(&product.config, &programs, &rng, &nr_late)) {
			random_system_describe(&system);
			fail_msg("system %" PRIu64, i);
		}
	}
	assert_true(nr < NR_SYSTEMS || nr_late > nr / 10);
	free_programs(&programs);
}

static void test_large_systems(void **state)
{
	static struct large_system system;
	struct programs programs = make_programs();
	uint64_t nr_late = 0;

	(void)state;
	uint64_t nr = environment_number("SAHM_INTROSPECTED_SYSTEMS", NR_SYSTEMS) / 20;
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t rng = i;
		if (!is_wanted(i))
			continue;
		large_system(&system, LARGE_SEED, i);
		if (!tells_the_same(&system.config, &programs) ||
		    !agree_on_anything(&system.config, &programs, &rng, &nr_late)) {
			large_system_describe(&system);
			fail_msg("system %" PRIu64, i);
		}
	}
	free_programs(&programs);
}

static void test_refused(void **state)
{
	static const uint8_t low[] = {0};
	struct programs programs = make_programs();
	struct core_type type;
	const struct core_type *list[] = {&type};
	const struct chip chip = {.nr_cores = 1, .cores = list};
	const struct sim_thread thread = {.states = low, .nr_epochs = 1, .epoch_ns = 1000000};
	struct sim_config config = {.chip = &chip,
				    .threads = &thread,
				    .nr_threads = 1,
				    .policy = sched_policy_find("sahm"),
				    .timestep_ns = 1000000,
				    .probe_counts = counts[0]};
	struct sim_result result;
	struct sahm_err err;

	(void)state;
	core_type_baseline(&type, "baseline");
	for (int i = 0; i < 6; i++) {
		struct probe_config probe = made_probe(programs.tell);
		config = with_inputs(&config);
		config.probe = &probe;
		config.oracle = i == 0;
		probe.sampling = i == 1 ? 0 : 1;
		probe.max_cycles = i == 2 ? 0 : i == 3 ? UINT64_C(1000000000001) : 1000;
		probe.latency_ns = i == 4 ? MAX_PROBE_LATENCY_NS + 1 : 0;
		probe.hit_mhz = i == 5 ? 0 : 1;
		assert_int_equal(sim_run(&config, &result, results[0], NULL, &err), SAHM_RANGE);
	}
	free_programs(&programs);
}

TEST_FILE(test_introspected)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_small_systems),
		cmocka_unit_test(test_large_systems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
