/* Energy of runs: closed forms on a recorded trace, and figures that are missing. All figures are made up. */
#include <math.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/engine/config/run.h"
#include "tests/unit/config_text.h"
#include "workloads/trace/trace.h"

#define COSTS                                                                                                          \
	"cores=("                                                                                                      \
	"{name=\"still\";static_w=0.25;dynamic_w=0;source=\"made up\";},"                                              \
	"{name=\"timed\";static_w=0.5;dynamic_w=2;source=\"made up\";},"                                               \
	"{name=\"events\";static_w=0;event_pj:{instructions=70;l2_misses=1300;};source=\"made up\";},"                 \
	"{name=\"dark\";dynamic_w=1;source=\"made up\";},"                                                             \
	"{name=\"blank\";});"
#define THREAD "workload:{traces=({file=\"workloads/suites/small/cc1.csv\";repeat=false;});};"
#define ALWAYS_30 "type=\"table\";speedup_pct=[30,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30];"

/* Runs a chip of these cores, with `more` in the configuration, and the table above. */
static void run(const char *cores, const char *more, struct run_config *config, struct run_result *result)
{
	char path[] = "/tmp/sahm-costs-XXXXXX", text[2048];
	struct sahm_err err;
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, COSTS, strlen(COSTS)) == (ssize_t)strlen(COSTS) && close(fd) == 0);
	snprintf(text, sizeof(text), "chip:{cores=(%s);costs=\"%s\";};%s", cores, path, more);
	load(config, text);
	if (run_execute(config, SIM_EVENT, result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	remove(path);
}

static void expect(const char *what, double value, double expected)
{
	if (fabs(value - expected) > 1e-12 * fabs(expected))
		fail_msg("%s is %.17g, must be %.17g", what, value, expected);
}

static void end(struct run_config *config, struct run_result *result)
{
	run_result_release(result);
	run_config_release(config);
}

/* What the events of the whole trace take, in J; its instructions. */
static double events_j(struct trace *trace, double *instructions)
{
	double j = 0;
	struct sahm_err err;
	*instructions = 0;
	for (uint64_t e = 0; e < trace_nr_epochs(trace); e++) {
		struct epoch_counts counts;
		assert_int_equal(trace_read(trace, e, 1, &counts, &err), SAHM_OK);
		*instructions += (double)counts.count[COUNTER_INSTRUCTIONS];
		j += (double)counts.count[COUNTER_INSTRUCTIONS] * 70e-12;
		j += (double)counts.count[COUNTER_L2_MISSES] * 1300e-12;
	}
	return j;
}

/* One thread for its trace; a core that nobody uses draws static power, which no thread has. */
static void test_time(void **state)
{
	(void)state;
	struct run_config config;
	struct run_result r;
	run("{type=\"baseline\";name=\"timed\";},{type=\"baseline\";name=\"still\";count=2;}", THREAD, &config, &r);
	double s = (double)r.simulated_ns / (double)NS_PER_S;
	assert_true(r.energy.is_known);
	expect("dynamic", r.energy.dynamic_j, 2 * s);
	expect("static", r.energy.static_j, (0.5 + 2 * 0.25) * s);
	expect("the thread's", r.threads[0].energy_j, 2.5 * s);
	assert_true(r.energy.migration_j == 0);
	end(&config, &r);
}

/* The same work takes the same energy of events on a faster core, and less static energy. */
static void test_events(void **state)
{
	(void)state;
	static const char *const cores[] = {"{type=\"baseline\";name=\"events\";}", "{" ALWAYS_30 "name=\"events\";}"};
	uint64_t simulated_ns[2];
	for (unsigned i = 0; i < 2; i++) {
		struct run_config config;
		struct run_result r;
		double instructions;
		run(cores[i], THREAD, &config, &r);
		double j = events_j(config.traces[0].trace, &instructions);
		expect("events", r.energy.dynamic_j, j);
		expect("instructions", r.energy.instructions, instructions);
		expect("the thread's", r.threads[0].energy_j, j);
		assert_true(r.energy.static_j == 0);
		simulated_ns[i] = r.simulated_ns;
		end(&config, &r);
	}
	assert_true(simulated_ns[1] < simulated_ns[0]);
}

/* Each move of a thread takes its energy, besides that of the core that waits for it. */
static void test_migrations(void **state)
{
	(void)state;
	struct run_config config;
	struct run_result r;
	run("{type=\"baseline\";name=\"timed\";count=2;}",
	    THREAD "scheduler:{policy=\"rotate\";};migration:{energy_uj=1000.0;cost_ms=5.0;};", &config, &r);
	double s = (double)r.simulated_ns / (double)NS_PER_S;
	assert_true(r.threads[0].counts.migrations > 3);
	expect("migrations", r.energy.migration_j, (double)r.threads[0].counts.migrations * 1e-3);
	expect("static", r.energy.static_j, 2 * 0.5 * s);
	assert_true(r.energy.dynamic_j <= 2 * s);
	end(&config, &r);
}

/* In several samples the energy is that of all together; each has its own. */
static void test_samples(void **state)
{
	(void)state;
	struct run_config config;
	struct run_result r;
	run("{type=\"baseline\";name=\"timed\";}", "workload:{samples=3;traces=[\"workloads/suites/small/cc1.csv\"];};",
	    &config, &r);
	double sum = 0;
	assert_int_equal(r.nr_samples, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(r.samples[i].energy.is_known && r.samples[i].threads[0].energy_j > 0);
		sum += r.samples[i].energy.dynamic_j;
	}
	expect("all samples'", r.energy.dynamic_j, sum);
	end(&config, &r);
}

/* Without figures the run is the same, and the configuration says which are missing, each once. */
static void test_missing(void **state)
{
	(void)state;
	struct run_config config;
	struct run_result r;
	run("{type=\"baseline\";name=\"dark\";},{type=\"baseline\";name=\"still\";},{type=\"l2\";speedup_pct=30;},"
	    "{type=\"branch\";speedup_pct=30;name=\"dark\";},{type=\"baseline\";name=\"blank\";}",
	    THREAD, &config, &r);
	assert_false(r.energy.is_known);
	static const char *const missing[] = {
		":1: static_w of cores called 'dark' is empty",
		": no row for core type 'l2'",
		":1: static_w and dynamic_w of cores called 'blank' are empty, and so is event_pj",
	};
	assert_null(config.costs.power);
	assert_int_equal(config.costs.nr_missing, ARRAY_SIZE(missing));
	for (unsigned i = 0; i < ARRAY_SIZE(missing); i++)
		assert_non_null(strstr(config.costs.missing[i], missing[i]));
	end(&config, &r);
}

TEST_FILE(test_run_energy)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_time), cmocka_unit_test(test_events),
					   cmocka_unit_test(test_migrations), cmocka_unit_test(test_samples),
					   cmocka_unit_test(test_missing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
