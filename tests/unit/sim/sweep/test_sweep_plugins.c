/* Sweeps over plug-ins that break rules: what they cost. */
#include "tests/unit/sim/sweep/sweep_trial.h"

/* Policies that crash or give up cost their own runs alone. */
static void test_failing_runs(void **state)
{
	const struct space_argument axes[] = {
		{"scheduler.policy=sahm," PLUGIN_FOLDER "/crashes.so," PLUGIN_FOLDER "/gives_up.so,keen", false},
		{"scheduler.inertia=0..9", false}};
	struct trial t;
	(void)state;
	begin_trial(&t, axes, 2, NULL);
	carry_out(&t);
	assert_int_equal(t.outcome.done, 20);
	assert_int_equal(t.outcome.failed, 20);
	sweep_plan_release(&t.plan);
	/* They are not tried again unless that is asked for. */
	carry_out(&t);
	assert_int_equal(t.outcome.done + t.outcome.failed, 0);
	assert_int_equal(t.plan.counts.failed, 20);
	sweep_plan_release(&t.plan);
	t.options.retry_failed = true;
	carry_out(&t);
	assert_int_equal(t.plan.nr_retried, 20);
	assert_int_equal(t.outcome.failed, 20);
	end_trial(&t);
}

/* The end of the process of a run is its message. */
static void test_messages(void **state)
{
	static const struct {
		const char *axis, *why;
	} rows[] = {
		{"scheduler.policy=" PLUGIN_FOLDER "/exits.so", "its process ended with exit code 0"},
		{"scheduler.policy=" PLUGIN_FOLDER "/ends.so",
		 "its process ended with exit code 127: linker: ends.so: words"},
		{"scheduler.policy=" PLUGIN_FOLDER "/kills.so", "its process was ended by signal 9 (Killed)"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct space_argument axis = {rows[i].axis, false};
		struct trial t;
		begin_trial(&t, &axis, 1, NULL);
		carry_out(&t);
		assert_int_equal(t.outcome.failed, 1);
		assert_string_equal(t.outcome.why, rows[i].why);
		end_trial(&t);
	}
}

TEST_FILE(test_sweep_plugins)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failing_runs),
		cmocka_unit_test(test_messages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
