/* Traces that configurations share: opened once, classified by the cuts that are asked for. */
#include "sim/engine/config/run_cache.h"

#include <stdlib.h>

#include "sim/engine/config/run.h"
#include "tests/unit/test.h"

#define TRACE "workloads/suites/small/gzip.csv"

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status != SAHM_OK)
		fail_msg("%s", err->msg);
}

static void test_opened_once(void **state)
{
	struct run_cache *c = run_cache_new();
	uint32_t row;
	struct trace *first, *again, *other;
	struct sahm_err err = {.msg = "untouched"};
	(void)state;
	must(run_cache_trace(c, &(struct trace_ahead){.path = TRACE}, NULL, &row, &first, &err), &err);
	must(run_cache_trace(c, &(struct trace_ahead){.path = "workloads/suites/small/xz.csv"}, NULL, &row, &other,
			     &err),
	     &err);
	must(run_cache_trace(c, &(struct trace_ahead){.path = TRACE}, NULL, &row, &again, &err), &err);
	assert_ptr_equal(first, again);
	assert_ptr_not_equal(first, other);
	assert_true(run_cache_bytes(c) >= trace_image_bytes(first) + trace_image_bytes(other));
	assert_int_equal(run_cache_trace(c, &(struct trace_ahead){.path = "workloads/suites/small/none.csv"}, NULL,
					 &row, &other, &err),
			 SAHM_IO);
	run_cache_clear(c);
	assert_int_equal(run_cache_bytes(c), 0);
	must(run_cache_trace(c, &(struct trace_ahead){.path = TRACE}, NULL, &row, &first, &err), &err);
	assert_string_equal(trace_name(first), "gzip");
	run_cache_free(c);
}

/* More sets of cuts than are kept, twice over: each gives what trace_states() gives. */
static void test_states(void **state)
{
	struct run_cache *c = run_cache_new();
	uint32_t row;
	struct trace *trace;
	struct sahm_err err;
	(void)state;
	must(run_cache_trace(c, &(struct trace_ahead){.path = TRACE}, NULL, &row, &trace, &err), &err);
	uint64_t nr = trace_nr_epochs(trace);
	uint8_t *expected = malloc(nr);
	assert_non_null(expected);
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < RUN_CACHE_CUTS + 2; i++) {
			struct cuts cuts;
			const uint8_t *states, *again;
			cuts_named("intuitive", &cuts);
			cuts_set(&cuts, COMPONENT_L1D, 0.2 * i);
			must(run_cache_states(c, row, &cuts, &states, &err), &err);
			must(run_cache_states(c, row, &cuts, &again, &err), &err);
			assert_ptr_equal(states, again);
			must(trace_states(trace, &cuts, expected, &err), &err);
			assert_memory_equal(states, expected, nr);
		}
	free(expected);
	run_cache_free(c);
}

/* With a cache and without one a configuration has the same hash and gives the same result. */
static void test_configurations(void **state)
{
	struct run_cache *c = run_cache_new();
	struct arena a;
	struct cfg_node *root;
	struct sahm_err err;
	(void)state;
	arena_init(&a);
	must(cfg_read_file(&a, "configs/shared-16.cfg", &root, &err), &err);
	for (int i = 0; i < 3; i++) {
		const char *settings[] = {i ? "scheduler.inertia=2" : "scheduler.inertia=7"};
		struct run_config own, cached;
		struct run_result of_own, of_cached;
		uint8_t hash_own[HASH_BYTES], hash_cached[HASH_BYTES];
		must(run_config_load(&own, "configs/shared-16.cfg", settings, 1, ".", &err), &err);
		must(run_config_make(&cached, root, settings, 1, ".", c, &err), &err);
		run_config_hash(&own, hash_own);
		run_config_hash(&cached, hash_cached);
		assert_memory_equal(hash_own, hash_cached, HASH_BYTES);
		must(run_execute(&own, SIM_EVENT, &of_own, &err), &err);
		must(run_execute(&cached, SIM_EVENT, &of_cached, &err), &err);
		assert_int_equal(of_own.nr_timesteps, of_cached.nr_timesteps);
		for (uint32_t t = 0; t < of_own.nr_threads; t++)
			assert_int_equal(of_own.threads[t].counts.completed_ns,
					 of_cached.threads[t].counts.completed_ns);
		run_result_release(&of_own);
		run_result_release(&of_cached);
		run_config_release(&own);
		run_config_release(&cached);
	}
	arena_release(&a);
	run_cache_free(c);
}

TEST_FILE(test_run_cache)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opened_once),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_configurations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
