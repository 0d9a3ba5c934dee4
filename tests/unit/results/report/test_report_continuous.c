/* Reports of runs in continuous time: units, waits, and what they warn of. */
#include <stdlib.h>
#include <string.h>

#include "results/metrics/run_facts.h"
#include "sim/base/array.h"
#include "sim/base/units.h"
#include "tests/unit/reports.h"

/* The same result as if an engine in continuous time had found it: timesteps become ns. */
static void make_continuous(struct run_result *r)
{
	r->is_continuous = true;
	r->thread_timesteps *= r->timestep_ns;
	for (unsigned s = 0; s < NR_STATES; s++) {
		r->states[s].executed *= r->timestep_ns;
		r->states[s].served *= r->timestep_ns;
		r->states[s].matched *= r->timestep_ns;
	}
	for (uint32_t c = 0; c < r->nr_cores; c++) {
		r->cores[c].executed *= r->timestep_ns;
		r->cores[c].served *= r->timestep_ns;
		r->cores[c].matched *= r->timestep_ns;
	}
	for (uint32_t t = 0; t < r->nr_threads; t++) {
		r->threads[t].counts.executed *= r->timestep_ns;
		r->threads[t].counts.served *= r->timestep_ns;
		r->threads[t].counts.matched *= r->timestep_ns;
	}
	for (uint32_t i = 0; r->samples && i < r->nr_samples; i++)
		make_continuous(&r->samples[i]);
}

static void expect_line(const struct run_config *config, const struct run_result *result, const char *line, bool wanted)
{
	const struct run_report_look look = {"a title", false, false};
	struct textbuf out;
	textbuf_init(&out);
	assert_true(run_report_text(config, result, &look, &out));
	if ((strstr(out.text, line) != NULL) != wanted)
		fail_msg("'%s' in\n%s", line, out.text);
	textbuf_release(&out);
}

/* Counting ns instead of timesteps changes no member but by adding those of continuous time. */
static void test_units(void **state)
{
	const char *setting = "workload.duration_ms=2000";
	struct run_config config;
	struct run_result result;
	const char *key;
	json_t *value;
	(void)state;
	for (uint32_t nr_samples = 1; nr_samples <= 3; nr_samples += 2) {
		load(&config, "configs/realistic-39.cfg", &setting, 1);
		config.nr_samples = nr_samples;
		assert_int_equal(run_execute(&config, SIM_EVENT, &result, NULL), SAHM_OK);
		json_t *before = json_of(&config, &result);
		expect_line(&config, &result, "thread-timesteps", nr_samples == 1);
		make_continuous(&result);
		json_t *after = json_of(&config, &result);
		json_object_foreach(before, key, value)
		{
			const json_t *other = json_object_get(after, key);
			if (strcmp(key, "threads") == 0 || strcmp(key, "samples") == 0 || strcmp(key, "intervals") == 0)
				continue;
			if (json_is_number(value) ? json_number_value(value) != number(after, key)
						  : !json_is_array(value) && !json_equal(value, other))
				fail_msg("%s", key);
		}
		assert_true(number(json_array_get(json_object_get(after, "cores"), 3), "executed_timesteps") ==
			    200 * nr_samples);
		assert_int_equal(json_object_size(after), json_object_size(before) + 6);
		assert_null(json_object_get(before, "latency_p50_ns"));
		assert_true(json_is_null(json_object_get(after, "latency_p50_ns"))); /* nobody waited */
		assert_null(json_object_get(json_array_get(json_object_get(before, "threads"), 0), "slept_ns"));
		assert_true(number(json_array_get(json_object_get(after, "threads"), 0), "slept_ns") == 0);
		if (nr_samples > 1)
			assert_int_equal(json_object_size(json_object_get(after, "intervals")), 25);
		json_decref(before);
		json_decref(after);
		run_result_release(&result);
		run_config_release(&config);
	}
}

/* Waits and sleep, where there are some. */
static void test_waits(void **state)
{
	const char *setting = "workload.duration_ms=2000";
	struct run_config config;
	struct run_result result;
	struct textbuf out;
	(void)state;
	load(&config, "configs/realistic-39.cfg", &setting, 1);
	assert_int_equal(run_execute(&config, SIM_EVENT, &result, NULL), SAHM_OK);
	make_continuous(&result);
	expect_line(&config, &result, "wake-up latency", false);
	expect_line(&config, &result, "run-queue wait", false);
	expect_line(&config, &result, "slept", false);
	expect_line(&config, &result, "100.00 % of 78.00 s in which threads were awake\n", true);
	result.latency = (struct wait_summary){.nr = 9, .ns = {0, 12300, 20 * 1000000}};
	result.threads[1].counts.slept_ns = 500000000;
	expect_line(&config, &result, "\nwake-up latency, p99         20.00 ms\n", true);
	expect_line(&config, &result, "run-queue wait", false);
	expect_line(&config, &result, "  slept\n", true);
	json_t *root = json_of(&config, &result);
	assert_true(number(root, "latency_p50_ns") == 0 && number(root, "latency_p99_ns") == 20e6);
	assert_true(json_is_null(json_object_get(root, "wait_p50_ns")));
	json_decref(root);
	textbuf_init(&out);
	assert_true(run_report_csv(&config, &result, true, &out));
	if (!strstr(out.text, ",tenant,slept_ns,latency_p50_ns,latency_p95_ns,latency_p99_ns,wait_p50_ns,wait_p95_ns,"
			      "wait_p99_ns\n"))
		fail_msg("%s", out.text);
	/* Of the system: no tenant, half a second, three percentiles, no waits. */
	assert_non_null(strstr(out.text, ",,500000000,0,12300,20000000,,,\n"));
	unsigned columns = 0, fields = 0;
	for (const char *c = out.text; *c != '\n'; c++)
		columns += *c == ',';
	for (const char *c = out.text; *c; c++) {
		fields += *c == ',';
		if (*c == '\n') {
			assert_int_equal(fields, columns);
			fields = 0;
		}
	}
	textbuf_release(&out);
	run_result_release(&result);
	run_config_release(&config);
}

/* Ignored inserts are reported. */
static void test_ignored(void **state)
{
	struct run_config config = {.policy = sched_policy_find("sahm")};
	struct run_result result = {0};
	struct textbuf out;
	(void)state;
	textbuf_init(&out);
	assert_false(run_facts_ignored(&config, &result, &out));
	assert_int_equal(out.len, 0);
	result.nr_ignored = 2;
	assert_true(run_facts_ignored(&config, &result, &out));
	assert_string_equal(out.text, "policy 'sahm' inserted threads that it did not have 2 times; these inserts "
				      "were ignored");
	textbuf_release(&out);
}

/* So is a thread that had waited for long when the run ended: for half of it, or for a quarter with the policy, and for
 * longer than threads wait for one another. */
static void test_waiting(void **state)
{
	static const struct {
		uint64_t run_ms, waited_ms;
		bool is_kept, is_told, is_alone;
	} rows[] = {
		{20000, 10000, false, true, false}, {20000, 9999, false, false, false},
		{20000, 5000, true, true, false},   {20000, 5000, true, true, true},
		{20000, 4999, true, false, false},  {200, 121, false, true, false},
		{200, 120, false, false, false},    {200, 0, true, false, false},
	};
	struct run_thread threads[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
	struct run_config config = {.policy = sched_policy_find("fair"), .threads = threads};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_result result = {.nr_simulations = 1,
					    .nr_threads = 3,
					    .timestep_ns = 10 * NS_PER_MS,
					    .simulated_ns = rows[i].run_ms * NS_PER_MS,
					    .waiting = {1, rows[i].is_kept, rows[i].waited_ms * NS_PER_MS}};
		struct textbuf out;
		textbuf_init(&out);
		config.alone = rows[i].is_alone;
		assert_int_equal(run_facts_waiting(&config, &result, &out), rows[i].is_told);
		assert_int_equal(out.len > 0, rows[i].is_told);
		/* The pid that the policy saw: in mode `alone`, every thread is the first of its simulation. */
		if (rows[i].is_alone)
			assert_non_null(strstr(out.text, "thread b (pid 1)"));
		if (i == 2)
			assert_string_equal(out.text,
					    "policy 'fair' has let thread b (pid 2) wait for the last 5.000 s of "
					    "the run, and put it in no queue");
		textbuf_release(&out);
	}
}

TEST_FILE(test_report_continuous)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_ignored),
		cmocka_unit_test(test_waiting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
