/* Memory of a simulation: taken before time runs, given back whatever happens, in proportion to the traces. The linker
 * puts the functions below in the place of the library's (mk/test.mk); allocations of the C library itself are not
 * seen. */
#include <stdlib.h>
#include <string.h>

#include "sched/policies/policies.h"
#include "sim/base/array.h"
#include "sim/base/units.h"
#include "sim/engine/sim.h"
#include "tests/helper/random.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/made_chip.h"
#include "tests/unit/sim/engine/made_ipu.h"

#define STEP_NS (10 * NS_PER_MS)
#define TOP_SYSTEM_CORES 4096
#define TOP_SYSTEM_THREADS 2000
#define TOP_TRACE 100000

/* Allocations */

static struct {
	uint64_t nr, bytes;	/* asked for and got */
	uint64_t nr_live;	/* not given back yet */
	uint64_t first_to_fail; /* number of the first that fails, from 0 */
	uint64_t nr_to_fail;	/* how many fail from there on */
} heap;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t nr, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t nr, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void __wrap_free(void *p);

static bool grants(uint64_t bytes)
{
	uint64_t number = heap.nr++;

	if (number >= heap.first_to_fail && number - heap.first_to_fail < heap.nr_to_fail)
		return false;
	heap.bytes += bytes;
	heap.nr_live++;
	return true;
}

void *__wrap_malloc(size_t bytes)
{
	return grants(bytes) ? __real_malloc(bytes) : NULL;
}

void *__wrap_calloc(size_t nr, size_t bytes)
{
	return grants(nr * bytes) ? __real_calloc(nr, bytes) : NULL;
}

void *__wrap_realloc(void *p, size_t bytes)
{
	if (!grants(bytes))
		return NULL;
	heap.nr_live -= p != NULL;
	return __real_realloc(p, bytes);
}

void __wrap_free(void *p)
{
	heap.nr_live -= p != NULL;
	__real_free(p);
}

/* Systems */

struct system {
	struct sim_config config;
	struct chip chip;
	struct core_type types[5];
	const struct core_type *cores[TOP_SYSTEM_CORES];
	struct sim_thread threads[TOP_SYSTEM_THREADS];
	uint64_t sets[TOP_SYSTEM_THREADS][1]; /* for chips of up to 64 cores */
	struct core_levels levels[TOP_SYSTEM_CORES];
	uint32_t shared_of[TOP_SYSTEM_CORES];
};

static uint8_t trace[TOP_TRACE]; /* threads replay parts of it, each another */
static struct sim_thread_result threads[TOP_SYSTEM_THREADS];
static struct sim_counts cores[TOP_SYSTEM_CORES];

static void make_trace(void)
{
	uint64_t rng = 1;

	for (uint32_t e = 0; e < TOP_TRACE;) {
		uint8_t s = (uint8_t)(one_in(&rng, 3) ? LOW : 1u << between(&rng, 0, NR_COMPONENTS - 1));
		for (uint64_t end = e + between(&rng, 1, 8); e < end && e < TOP_TRACE; e++)
			trace[e] = s;
	}
}

/* Baseline cores and specialised ones by turns; threads that repeat 300 epochs each. */
static void make_system(struct system *system, uint32_t nr_cores, uint32_t nr_threads)
{
	const int32_t ppm[NR_COMPONENTS] = {300000, 300000, 300000, 300000};

	memset(system, 0, sizeof(*system));
	core_type_baseline(&system->types[0], "baseline");
	for (unsigned i = 1; i < 5; i++)
		core_type_specialised(&system->types[i], "special", 1u << (i - 1), ppm);
	for (uint32_t c = 0; c < nr_cores; c++)
		system->cores[c] = &system->types[c % 5];
	for (uint32_t t = 0; t < nr_threads; t++)
		system->threads[t] =
			(struct sim_thread){.states = trace + t * 7, .nr_epochs = 300, .epoch_ns = STEP_NS};
	system->chip = (struct chip){.nr_cores = nr_cores, .cores = system->cores};
	system->config = (struct sim_config){
		.chip = &system->chip,
		.threads = system->threads,
		.nr_threads = nr_threads,
		.policy = sched_policy_find("sahm"),
		.inertia = 3,
		.timestep_ns = STEP_NS,
		.distances.cost_ns = NS_PER_MS,
		.duration_ns = 100 * STEP_NS,
	};
}

static void system_full(struct system *system)
{
	make_system(system, 39, 39);
}

/* Moves to idle cores. */
static void system_idle(struct system *system)
{
	make_system(system, 39, 12);
}

/* Threads come and go during the longest run, and some in its first timesteps. */
static void system_changing(struct system *system)
{
	make_system(system, 16, 400);
	for (uint32_t t = 0; t < 400; t++) {
		system->threads[t].arrive_ns = (t < 40 ? t : 25 * t) * STEP_NS;
		system->threads[t].nr_epochs = t < 40 ? 30 : 300;
		system->threads[t].once = t % 4 != 0;
	}
	system->config.inertia = 0;
	system->config.warmup_ns = 3 * STEP_NS;
}

/* Queues of more threads than the event engine has views for, beside queues of other lengths. */
static void system_crowded(struct system *system)
{
	make_system(system, 5, 100);
	for (uint32_t t = 0; t < 100; t++) {
		system->sets[t][0] = t < 30 ? 1 : t < 40 ? 2 : t % 2 ? 31 : 28;
		system->threads[t].allowed = system->sets[t];
		system->threads[t].once = t % 10 == 0;
	}
}

/* A governor has levels to choose from; they take three timesteps. */
static void system_levels(struct system *system)
{
	static const struct core_level levels[] = {
		{.mhz = 500, .speedup_ppm = {[0 ... NR_STATES - 1] = -500000}},
		{.mhz = 1000},
	};

	system_idle(system);
	for (uint32_t c = 0; c < 39; c++)
		system->levels[c] = (struct core_levels){c % 3 ? ARRAY_SIZE(levels) : 1, levels, 3 * STEP_NS};
	system->config.levels = system->levels;
	system->config.governor = true;
}

/* Two groups of cores share, one of them much too little. */
static void system_sharing(struct system *system)
{
	static const uint64_t demand[NR_STATES] = {[0 ... NR_STATES - 1] = 1000}, capacity[] = {5000, 1000000};

	system_full(system);
	for (uint32_t c = 0; c < 39; c++)
		system->shared_of[c] = c % 3;
	for (uint32_t t = 0; t < 39; t++)
		system->threads[t].demand = demand;
	system->config.shared_of = system->shared_of;
	system->config.capacity = capacity;
	system->config.nr_shared = ARRAY_SIZE(capacity);
}

/* Nearly every object is a separate allocation. */
static void system_large(struct system *system)
{
	make_system(system, TOP_SYSTEM_CORES, TOP_SYSTEM_THREADS);
	system->config.duration_ns = STEP_NS;
	for (uint32_t t = 0; t < TOP_SYSTEM_THREADS; t++)
		system->threads[t].nr_epochs = t ? 300 : TOP_TRACE;
}

static const struct {
	const char *name;
	void (*make)(struct system *system);
} systems[] = {
	{"full", system_full},	     {"idle", system_idle},	{"changing", system_changing},
	{"crowded", system_crowded}, {"levels", system_levels}, {"sharing", system_sharing},
	{"large", system_large},
};

#define NR_SYSTEMS ARRAY_SIZE(systems)
#define NR_LASTING (NR_SYSTEMS - 1) /* those that are quick enough for long runs */

static enum sahm_status run(const struct system *system, struct sim_result *result, struct sahm_err *err)
{
	heap.nr = heap.bytes = 0;
	enum sahm_status status = sim_run(&system->config, result, threads, cores, err);
	heap.first_to_fail = NEVER;
	return status;
}

/* Bytes that a run that succeeds takes; how many allocations, and what it says, in the others where wanted. */
static uint64_t bytes_of(const struct system *system, uint64_t *nr, struct sim_result *result)
{
	struct sim_result own;
	struct sahm_err err;
	uint64_t live = heap.nr_live;

	assert_int_equal(run(system, result ? result : &own, &err), SAHM_OK);
	assert_int_equal(heap.nr_live, live);
	if (nr)
		*nr = heap.nr;
	return heap.bytes;
}

/* Tests */

static void test_none_per_timestep(void **state)
{
	static struct system system;

	(void)state;
	for (size_t i = 0; i < NR_LASTING * 4; i++) {
		struct sim_result few, many;
		uint64_t nr_few, nr_many, bytes;
		systems[i / 4].make(&system);
		system.config.engine = i & 1 ? SIM_PLAIN : SIM_EVENT;
		system.config.oracle = i & 2;
		bytes = bytes_of(&system, &nr_few, &few);
		system.config.duration_ns *= 100;
		assert_int_equal(bytes_of(&system, &nr_many, &many), bytes);
		if (nr_few != nr_many)
			fail_msg("%s: %u allocations in 100 timesteps, %u in 10000", systems[i / 4].name,
				 (unsigned)nr_few, (unsigned)nr_many);
		assert_int_equal(few.nr_timesteps, 100);
		assert_int_equal(many.nr_timesteps, 10000);
		assert_true(few.decisions > 0 && many.decisions > few.decisions);
		/* Somebody came and went meanwhile. */
		if (systems[i / 4].make == system_changing)
			assert_true(threads[1].left && threads[2].left && threads[399].present_ns > 0 &&
				    threads[399].present_ns < 100 * STEP_NS);
	}
}

/* The same of all policies that come with sahm, in whatever engine they run. */
static void test_policies(void **state)
{
	static struct system system;
	unsigned nr_continuous = 0;

	(void)state;
	for (const struct sched_ext_ops *const *policy = sched_policies; *policy; policy++) {
		struct sim_result few, many;
		uint64_t nr_few, nr_many, bytes;
		/* More threads than cores, so that those of queues wait and take turns. */
		make_system(&system, 8, 20);
		system.config.policy = *policy;
		bytes = bytes_of(&system, &nr_few, &few);
		system.config.duration_ns *= 20;
		if (bytes_of(&system, &nr_many, &many) != bytes || nr_few != nr_many)
			fail_msg("%s: %u allocations in 100 timesteps, %u in 2000", (*policy)->name, (unsigned)nr_few,
				 (unsigned)nr_many);
		assert_int_equal(many.simulated_ns, 20 * few.simulated_ns);
		nr_continuous += many.is_continuous;
	}
	assert_true(nr_continuous > 0);
}

static void expect_nomem(const struct system *system, uint64_t first, uint64_t nr)
{
	struct sim_result result, untouched;
	struct sahm_err err;
	uint64_t live = heap.nr_live;

	memset(&untouched, 0xa5, sizeof(untouched));
	memset(&result, 0xa5, sizeof(result));
	memset(threads, 0xa5, sizeof(threads));
	memset(cores, 0xa5, sizeof(cores));
	memset(&err, 0, sizeof(err));
	heap.first_to_fail = first;
	heap.nr_to_fail = nr;
	assert_int_equal(run(system, &result, &err), SAHM_NOMEM);
	assert_int_equal(heap.nr_live, live);
	assert_int_equal(err.status, SAHM_NOMEM);
	assert_string_equal(err.msg, "out of memory");
	assert_memory_equal(&result, &untouched, sizeof(result));
	for (size_t i = 0; i < sizeof(threads); i++)
		assert_int_equal(((const uint8_t *)threads)[i], 0xa5);
	for (size_t i = 0; i < sizeof(cores); i++)
		assert_int_equal(((const uint8_t *)cores)[i], 0xa5);
}

/* Each allocation fails once: only this one, and with all that come after it. */
static void test_each_fails(void **state)
{
	static struct system system;

	(void)state;
	for (size_t i = 0; i < NR_SYSTEMS * 2; i++) {
		uint64_t nr;
		systems[i / 2].make(&system);
		system.config.duration_ns = STEP_NS;
		system.config.engine = i & 1 ? SIM_PLAIN : SIM_EVENT;
		bytes_of(&system, &nr, NULL);
		assert_in_range(nr, 1, 1000);
		for (uint64_t n = 0; n < nr; n++) {
			expect_nomem(&system, n, 1);
			expect_nomem(&system, n, NEVER);
		}
		/* Nothing of it remains. */
		bytes_of(&system, NULL, NULL);
	}
}

/* IPUs take their memory before time runs, too, but for words that take longer than a timestep: those are as many as
 * are on their way. */
static void test_introspection(void **state)
{
	static struct system system;
	static uint64_t values[2 * 300];
	const uint32_t tell[] = {TELL};
	struct ipu_program *program = MADE_PROGRAM(tell);
	struct probe_counts counts[39];
	struct probe_config probe = made_probe(program);

	(void)state;
	for (uint64_t e = 0; e < 300; e++)
		values[2 * e] = trace[e];
	for (int i = 0; i < 4; i++) {
		struct sim_result few, many;
		uint64_t nr_few, nr_many, bytes;
		make_system(&system, 39, 39);
		for (uint32_t t = 0; t < 39; t++)
			system.threads[t].inputs = (struct probe_inputs){.values = values, .valid = 3};
		probe.latency_ns = i & 1 ? 4 * STEP_NS : 0;
		system.config.engine = i & 2 ? SIM_PLAIN : SIM_EVENT;
		system.config.probe = &probe;
		system.config.probe_counts = counts;
		bytes = bytes_of(&system, &nr_few, &few);
		system.config.duration_ns *= 10;
		assert_int_equal(bytes_of(&system, &nr_many, &many), bytes);
		assert_true(nr_few == nr_many && many.decisions > few.decisions);
		system.config.duration_ns = 6 * STEP_NS;
		for (uint64_t n = 0; n < nr_few; n++)
			expect_nomem(&system, n, 1);
	}
	ipu_program_free(program);
}

#define NR_SUITE 39u

/* The study's number of threads, `nr_epochs` each, in another state in each epoch: as many stays as there can be. */
static uint64_t bytes_of_suite(uint64_t nr_epochs, bool same_trace)
{
	static struct system system;
	static uint8_t restless[TOP_TRACE];

	make_system(&system, NR_SUITE, NR_SUITE);
	for (uint32_t e = 0; e < TOP_TRACE; e++)
		restless[e] = e % 2 ? L2 : LOW;
	for (uint32_t t = 0; t < NR_SUITE; t++) {
		system.threads[t].states = restless + (same_trace ? 0 : t);
		system.threads[t].nr_epochs = nr_epochs;
	}
	system.config.duration_ns = STEP_NS;
	return bytes_of(&system, NULL, NULL);
}

static void test_suite_is_small(void **state)
{
	(void)state;
	assert_in_range(bytes_of_suite(6000, false), 1, 16 << 20);
}

/* At most a word per epoch and trace, and the positions of one trace. Shared data are there once. */
static void test_linear(void **state)
{
	const uint64_t n = 32 * 1024, rounding = 16 * (NR_SUITE + 1), word = sizeof(uint32_t),
		       position = sizeof(uint64_t);

	(void)state;
	uint64_t once = bytes_of_suite(n, false), twice = bytes_of_suite(2 * n, false);
	assert_in_range(twice - once, 1, n * (word * NR_SUITE + position) + rounding);
	assert_in_range(bytes_of_suite(3 * n, false) - twice, 1, n * (word * NR_SUITE + position) + rounding);
	assert_in_range(bytes_of_suite(2 * n, true) - bytes_of_suite(n, true), 1, n * (word + position) + rounding);
}

TEST_FILE(test_sim_memory)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none_per_timestep), cmocka_unit_test(test_policies),
		cmocka_unit_test(test_each_fails),	  cmocka_unit_test(test_introspection),
		cmocka_unit_test(test_suite_is_small),	  cmocka_unit_test(test_linear),
	};

	make_trace();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
