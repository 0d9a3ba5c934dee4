/* What a run's report warns of. */
#include "results/run_report.h"
#include "sim/base/units.h"
#include "tests/unit/test.h"

/* Inserts that were ignored are told. */
static void test_ignored(void **state)
{
	struct run_config config = {.policy = sched_policy_find("sahm")};
	struct run_result result = {0};
	struct textbuf out;
	(void)state;
	textbuf_init(&out);
	assert_false(run_report_ignored(&config, &result, &out));
	assert_int_equal(out.len, 0);
	result.nr_ignored = 2;
	assert_true(run_report_ignored(&config, &result, &out));
	assert_string_equal(out.text, "policy 'sahm' inserted threads that it did not have 2 times; these inserts were "
				      "ignored");
	textbuf_release(&out);
}

/* So is a thread that had waited for long when the run ended: for half of it, or for a quarter with the policy, and for
 * longer than threads wait for one another. */
static void test_waiting(void **state)
{
	static const struct {
		uint64_t run_ms, waited_ms;
		bool is_kept, is_told;
	} rows[] = {
		{20000, 10000, false, true}, {20000, 9999, false, false}, {20000, 5000, true, true},
		{20000, 4999, true, false},  {200, 121, false, true},	  {200, 120, false, false},
		{200, 0, true, false},
	};
	struct run_thread threads[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
	struct run_config config = {.policy = sched_policy_find("fair"), .threads = threads};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run_result result = {.nr_simulations = 1,
					    .nr_threads = 3,
					    .timestep_ns = 10 * NS_PER_MS,
					    .simulated_ns = rows[i].run_ms * NS_PER_MS,
					    .waiting = {1, rows[i].is_kept, rows[i].waited_ms * NS_PER_MS}};
		struct textbuf out;
		textbuf_init(&out);
		assert_int_equal(run_report_waiting(&config, &result, &out), rows[i].is_told);
		assert_int_equal(out.len > 0, rows[i].is_told);
		if (i == 2)
			assert_string_equal(out.text, "policy 'fair' has let thread 1 (b) wait for the last 5.000 s of "
						      "the run, and put it in no queue");
		textbuf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ignored),
		cmocka_unit_test(test_waiting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
