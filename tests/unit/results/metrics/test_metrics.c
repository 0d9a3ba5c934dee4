/* Metrics from counts: every expected value is worked out by hand from the definitions. */
#include <math.h>
#include <stdio.h>

#include "results/metrics/run_samples.h"
#include "sim/base/units.h"
#include "tests/unit/test.h"

#define S(n) ((uint64_t)(n)*NS_PER_S)
#define STEP_NS (10 * NS_PER_MS)

static void expect_about(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-12))
		fail_msg("%.17g, not %.17g", value, expected);
}

static void measure(const struct run_result *result, struct run_metrics *m)
{
	assert_int_equal(run_metrics_of(result, m, NULL), SAHM_OK);
}

/* A thread that has done `completed_ns` of its trace in `present_ns`. */
static struct run_thread_result done(uint64_t completed_ns, uint64_t present_ns)
{
	return (struct run_thread_result){.counts = {.completed_ns = completed_ns, .present_ns = present_ns}};
}

static struct run_result result_of(struct run_thread_result *threads, uint32_t nr)
{
	return (struct run_result){.threads = threads,
				   .nr_threads = nr,
				   .timestep_ns = STEP_NS,
				   .simulated_ns = S(10),
				   .capacity_ns = 10e9,
				   .nr_samples = 1};
}

/* "Speedup of a thread = baseline time completed / time present - 1. System speedup = sum of baseline time completed /
 * (min(threads, cores) x simulated time) - 1. Migration rate = moves per second of the whole system." */
static void test_counts(void **state)
{
	/* two threads on one core for 10 s, 1000 timesteps */
	struct run_thread_result threads[] = {
		{.counts = {.completed_ns = UINT64_C(6500000000),
			    .executed = 500,
			    .served = 500,
			    .matched = 500,
			    .transitions = 10,
			    .migrations = 1,
			    .paid_ns = 3 * NS_PER_MS,
			    .present_ns = S(10)}},
		{.counts = {.completed_ns = UINT64_C(5000000000),
			    .executed = 500,
			    .served = 0,
			    .matched = 200,
			    .transitions = 5,
			    .migrations = 2,
			    .paid_ns = 7 * NS_PER_MS,
			    .present_ns = S(10)}},
	};
	struct run_result result = result_of(threads, 2);
	struct thread_metrics tm;
	struct run_metrics m;

	(void)state;
	result.thread_timesteps = 2000;
	result.decisions = 2;
	run_metrics_of_thread(&result, 0, &tm);
	expect_about(tm.speedup, -0.35); /* 6.5 / 10 - 1 */
	expect_about(tm.served_share, 1);
	assert_int_equal(tm.mismatched_ns, 0);
	run_metrics_of_thread(&result, 1, &tm);
	expect_about(tm.speedup, -0.5);
	expect_about(tm.served_share, 0);
	expect_about(tm.matched_share, 0.4);
	assert_int_equal(tm.mismatched_ns, S(3)); /* 300 timesteps of 10 ms */
	measure(&result, &m);
	expect_about(m.speedup_mean, -0.425);
	expect_about(m.speedup_system, 0.15); /* (6.5 + 5) / (1 x 10) - 1 */
	expect_about(m.served_share, 0.5);
	expect_about(m.matched_share, 0.7);
	expect_about(m.running_share, 0.5);
	expect_about(m.transition_share, 0.015);
	expect_about(m.migrations_per_s, 0.3);
	expect_about(m.decisions_per_s, 0.2);
	assert_true(m.mismatched_ns == 3e9);
	assert_true(m.paid_ns == 10e6);
	expect_about(m.paid_share, 0.001); /* 10 ms of 1,000 timesteps of 10 ms */
}

/* NP of 2, 1 and 0.5: ANTT (0.5 + 1 + 2) / 3, Jain 3.5^2 / (3 x 5.25); means 7/6, 6/7, 1. */
static void test_progress(void **state)
{
	struct run_thread_result threads[] = {done(S(20), S(10)), done(S(3), S(3)), done(S(5), S(10))};
	struct run_result result = result_of(threads, 3);
	struct run_metrics m;

	(void)state;
	measure(&result, &m);
	assert_int_equal(m.nr_present, 3);
	assert_true(m.stp == 2.8); /* 28 s in 10 s */
	expect_about(m.antt, 3.5 / 3);
	expect_about(m.jain, 12.25 / 15.75);
	assert_true(m.jain_weighted == m.jain && m.slowdown_max == 2 && m.unfairness == 4);
	expect_about(m.speedup_mean, 1.0 / 6);
	expect_about(m.speedup_harmonic, 6.0 / 7 - 1);
	assert_true(m.speedup_geometric == 0);
	expect_about(m.present_ns, 23e9);
}

/* By weight all three are alike, though NP is 0.6, 0.2 and 0.1: a weight of 0 stands for 100. */
static void test_fairness(void **state)
{
	struct run_thread_result threads[] = {done(S(6), S(10)), done(S(2), S(10)), done(S(1), S(10)), done(0, S(10))};
	struct run_result result = result_of(threads, 3);
	struct run_metrics m;

	(void)state;
	threads[0].weight = 600;
	threads[1].weight = 200;
	measure(&result, &m);
	expect_about(m.jain, 0.81 / (3 * 0.41));
	expect_about(m.jain_weighted, 1);
	expect_about(m.slowdown_max, 10);
	expect_about(m.unfairness, 6);
	/* The weight of the first counts for it: NP by weight of 1, 2 and 1. */
	threads[1].weight = 0;
	measure(&result, &m);
	expect_about(m.jain_weighted, 16.0 / (3 * 6));
	result.nr_threads = 4;
	measure(&result, &m);
	assert_true(isinf(m.slowdown_max) && isinf(m.unfairness) && isfinite(m.jain_weighted));
	result.nr_threads = 0;
	measure(&result, &m);
	assert_true(isnan(m.slowdown_max) && isnan(m.unfairness) && isnan(m.jain_weighted));
}

/* STP is what all get done per time: the sum of NP where all are there throughout, and no more than one core's worth
 * where each has had the core to itself, one after the other. */
static void test_throughput(void **state)
{
	struct run_thread_result threads[] = {done(S(12), S(10)), done(S(8), S(10))};
	struct run_result result = result_of(threads, 2);
	struct run_metrics m;

	(void)state;
	measure(&result, &m);
	assert_true(m.stp == 2);
	result.simulated_ns = S(20);
	measure(&result, &m);
	assert_true(m.stp == 1);
	expect_about(m.antt, (1 / 1.2 + 1 / 0.8) / 2);
}

/* A thread has half of its trace done in the time that it was there: it is half as fast, however long the run. */
static void test_time_present_counts(void **state)
{
	struct run_thread_result threads[] = {done(S(2), S(4))};
	struct run_result result = result_of(threads, 1);
	struct thread_metrics tm;

	(void)state;
	run_metrics_of_thread(&result, 0, &tm);
	assert_true(tm.speedup == -0.5);
}

/* Who never arrived has no speedup and no part in a mean; nobody but such threads leaves nothing to tell. */
static void test_never_present(void **state)
{
	struct run_thread_result threads[] = {done(S(12), S(10)), done(0, 0)};
	struct run_result result = result_of(threads, 2);
	struct thread_metrics tm;
	struct run_metrics m;

	(void)state;
	run_metrics_of_thread(&result, 1, &tm);
	assert_true(isnan(tm.speedup) && isnan(tm.served_share) && isnan(tm.matched_share));
	measure(&result, &m);
	assert_int_equal(m.nr_present, 1);
	expect_about(m.speedup_mean, 0.2);
	expect_about(m.speedup_harmonic, 0.2);
	assert_true(m.speedup_geometric == 1.2 - 1);
	expect_about(m.stp, 1.2);
	expect_about(m.antt, 1 / 1.2);
	assert_true(m.jain == 1);
	assert_true(isnan(m.served_share) && isnan(m.paid_share)); /* nothing was executed */

	threads[0] = done(0, 0);
	result.capacity_ns = 0;
	measure(&result, &m);
	assert_int_equal(m.nr_present, 0);
	assert_true(isnan(m.speedup_mean) && isnan(m.speedup_harmonic) && isnan(m.speedup_geometric) &&
		    isnan(m.speedup_system) && isnan(m.stp) && isnan(m.antt) && isnan(m.jain));
}

/* A thread that was there and got nothing done: its turnaround is infinite, means that multiply or divide are 0. */
static void test_nothing_done(void **state)
{
	struct run_thread_result threads[] = {done(S(10), S(10)), done(0, S(10))};
	struct run_result result = result_of(threads, 2);
	struct run_metrics m;

	(void)state;
	measure(&result, &m);
	assert_true(isinf(m.antt));
	assert_true(m.stp == 1);
	assert_true(m.jain == 0.5); /* one has everything: 1 / n */
	assert_true(m.speedup_mean == -0.5);
	assert_true(m.speedup_harmonic == -1);
	assert_true(m.speedup_geometric == -1);
	threads[0] = done(0, S(10));
	measure(&result, &m);
	assert_true(isnan(m.jain)); /* 0 / 0 */
}

static void test_parts(void **state)
{
	struct run_thread_result threads[] = {done(S(10), S(10))};
	struct sim_counts cores[] = {{.executed = 250, .served = 100, .matched = 200}, {.executed = 0}};
	struct run_result result = result_of(threads, 1);
	struct part_metrics m;

	(void)state;
	result.cores = cores;
	result.nr_cores = 2;
	result.nr_timesteps = 1000;
	result.states[0] = (struct sim_counts){.executed = 50, .served = 0, .matched = 50};
	result.states[15] = (struct sim_counts){.executed = 200, .served = 100, .matched = 150};
	run_metrics_of_core(&result, 0, &m);
	expect_about(m.share, 0.25);
	expect_about(m.served_share, 0.4);
	expect_about(m.matched_share, 0.8);
	run_metrics_of_core(&result, 1, &m);
	assert_true(m.share == 0 && isnan(m.served_share) && isnan(m.matched_share));
	run_metrics_of_state(&result, 0, &m);
	expect_about(m.share, 0.2);
	assert_true(m.served_share == 0 && m.matched_share == 1);
	run_metrics_of_state(&result, 15, &m);
	expect_about(m.share, 0.8);
	expect_about(m.matched_share, 0.75);
	run_metrics_of_state(&result, 7, &m);
	assert_true(m.share == 0 && isnan(m.served_share));
}

/* In continuous time a thread that sleeps is measured by the time in which it was awake; counts are of ns, and those of
 * timesteps are of a timestep's worth of time. */
static void test_continuous(void **state)
{
	struct run_thread_result threads[] = {
		{.counts = {.completed_ns = S(3),
			    .executed = S(2),
			    .served = S(1),
			    .matched = UINT64_C(1500000000),
			    .transitions = 3,
			    .migrations = 4,
			    .paid_ns = 20 * NS_PER_MS,
			    .present_ns = S(10),
			    .slept_ns = S(6)}},
		{.counts = {.executed = 0, .present_ns = S(10), .slept_ns = S(10)}},
	};
	struct sim_counts cores[] = {{.executed = S(2), .served = S(1), .matched = UINT64_C(1500000000)}};
	struct run_result result = result_of(threads, 2);
	struct thread_metrics tm;
	struct part_metrics pm;
	struct run_metrics m;

	(void)state;
	result.is_continuous = true;
	result.thread_timesteps = S(4); /* in which threads could run */
	result.nr_timesteps = 1000;
	result.cores = cores;
	result.nr_cores = 1;
	run_metrics_of_thread(&result, 0, &tm);
	expect_about(tm.speedup, -0.25); /* 3 s done in 4 s awake */
	expect_about(tm.served_share, 0.5);
	assert_int_equal(tm.mismatched_ns, S(1) / 2);
	run_metrics_of_thread(&result, 1, &tm);
	assert_true(isnan(tm.speedup)); /* it slept all the time */
	run_metrics_of_core(&result, 0, &pm);
	expect_about(pm.share, 0.2); /* 2 s of 10 */
	expect_about(pm.matched_share, 0.75);
	measure(&result, &m);
	assert_int_equal(m.nr_present, 2);
	expect_about(m.speedup_mean, -0.25);
	expect_about(m.antt, 4.0 / 3);
	assert_true(m.jain == 1);
	expect_about(m.running_share, 0.5);
	expect_about(m.transition_share, 3.0 / 200); /* 2 s are 200 timesteps of 10 ms */
	expect_about(m.paid_share, 0.01);
	assert_true(m.mismatched_ns == 0.5e9 && m.slept_ns == 16e9);
	assert_true(run_timesteps(&result, S(1) / 8) == 12.5);
	/* Nobody waited. */
	assert_true(isnan(m.latency_p50_ns) && isnan(m.wait_p99_ns));
	result.latency = (struct wait_summary){.nr = 3, .ns = {10, 20, 30}};
	result.wait = (struct wait_summary){.nr = 1, .ns = {0, 0, 0}};
	measure(&result, &m);
	assert_true(m.latency_p50_ns == 10 && m.latency_p95_ns == 20 && m.latency_p99_ns == 30);
	assert_true(m.wait_p50_ns == 0 && m.wait_p95_ns == 0 && m.wait_p99_ns == 0);
}

/* 60 J for 30 s of work in 10 s: 2 J a unit, a third of a second each. The first thread does 20 s in 8 s with 40 J. */
static void test_energy(void **state)
{
	struct run_thread_result threads[] = {done(S(20), S(8)), done(S(10), S(10)), done(0, S(4)), done(0, 0)};
	struct run_result result = result_of(threads, 4);
	struct thread_metrics tm;
	struct run_metrics m;

	(void)state;
	threads[0].energy_j = 40;
	threads[0].instructions = 4e9;
	threads[2].energy_j = 1;
	result.energy = (struct run_energy_sum){true, 10, 45, 5, 6e9};
	measure(&result, &m);
	expect_about(m.energy_j, 60);
	expect_about(m.instruction_nj, 10);
	expect_about(m.power_w, 6);
	expect_about(m.edp, 2.0 / 3);
	expect_about(m.ed2p, 2.0 / 9);
	run_metrics_of_thread(&result, 0, &tm);
	assert_true(tm.energy.energy_j == 40);
	expect_about(tm.energy.instruction_nj, 10);
	expect_about(tm.energy.power_w, 5);
	expect_about(tm.energy.edp, 0.8); /* 2 J a unit, 0.4 s each */
	expect_about(tm.energy.ed2p, 0.32);
	/* It did nothing, and it was never there. */
	run_metrics_of_thread(&result, 2, &tm);
	assert_true(tm.energy.power_w == 0.25 && isnan(tm.energy.edp) && isnan(tm.energy.instruction_nj));
	run_metrics_of_thread(&result, 3, &tm);
	assert_true(tm.energy.energy_j == 0 && isnan(tm.energy.power_w) && isnan(tm.energy.ed2p));
	result.energy.is_known = false;
	measure(&result, &m);
	assert_true(isnan(m.energy_j) && isnan(m.instruction_nj) && isnan(m.power_w) && isnan(m.ed2p));
	run_metrics_of_thread(&result, 0, &tm);
	assert_true(isnan(tm.energy.energy_j) && isnan(tm.energy.instruction_nj) && isnan(tm.energy.edp));
}

/* Waits are metrics only of runs in continuous time. */
static void test_which_apply(void **state)
{
	struct run_result result = {.timestep_ns = STEP_NS};
	(void)state;
	for (int i = 0; i < 2; i++, result.is_continuous = true) {
		assert_true(run_metric_applies(&result, RUN_METRIC_speedup_mean));
		assert_true(run_metric_applies(&result, RUN_METRIC_paid_share));
		assert_int_equal(run_metric_applies(&result, RUN_METRIC_latency_p50_ns), i);
		assert_int_equal(run_metric_applies(&result, RUN_METRIC_wait_p99_ns), i);
	}
	result.is_continuous = false;
	assert_true(run_timesteps(&result, 7) == 7);
}

/* The percentiles in reports, of a hundred waits of 1 to 100 ns. */
static void test_wait_summary(void **state)
{
	static struct histogram h;
	(void)state;
	assert_int_equal(wait_summary_of(&h).nr, 0);
	for (uint64_t ns = 100; ns > 0; ns--)
		histogram_add(&h, ns);
	struct wait_summary s = wait_summary_of(&h);
	assert_int_equal(s.nr, 100);
	assert_int_equal(s.ns[WAIT_P50], 50);
	assert_int_equal(s.ns[WAIT_P95], 95);
	assert_int_equal(s.ns[WAIT_P99], 99);
}

/* Every row stands for the member of its name. */
static void test_rows(void **state)
{
	const struct run_metrics m = {.speedup_mean = 1, .stp = 2, .paid_share = 3};

	(void)state;
	assert_true(run_metric(&m, RUN_METRIC_speedup_mean) == 1);
	assert_true(run_metric(&m, RUN_METRIC_stp) == 2);
	assert_true(run_metric(&m, RUN_METRIC_paid_share) == 3);
	assert_string_equal(run_metric_rows[RUN_METRIC_jain].name, "jain");
}

/* Metrics of samples come from each separately; where one of them has no such metric, there is no interval. */
static void test_samples(void **state)
{
	struct run_thread_result threads[3][1] = {{done(S(10), S(10))}, {done(S(12), S(10))}, {done(S(14), S(10))}};
	struct run_thread_result all[] = {done(S(36), S(30))};
	struct run_result result = result_of(all, 1), samples[3];
	struct run_samples s;

	(void)state;
	assert_int_equal(run_samples_of(&result, 1, &s, NULL), SAHM_OK);
	assert_null(s.metrics);
	for (uint32_t i = 0; i < 3; i++)
		samples[i] = result_of(threads[i], 1);
	result.samples = samples;
	result.nr_samples = 3;
	assert_int_equal(run_samples_of(&result, 1, &s, NULL), SAHM_OK);
	assert_int_equal(s.nr, 3);
	expect_about(s.metrics[2].speedup_mean, 0.4);
	const struct stats_interval *i = &s.intervals[RUN_METRIC_speedup_mean];
	expect_about(i->mean, 0.2);
	/* Drawn: 0.2 and 0.4, 0.3 give or take 12.706205 times 0.1. */
	expect_about(i->low, 0.3 - 1.2706205);
	expect_about(i->high, 0.3 + 1.2706205);
	assert_true(isnan(s.intervals[RUN_METRIC_served_share].mean));
	run_samples_release(&s);
	threads[1][0] = done(0, S(10));
	assert_int_equal(run_samples_of(&result, 1, &s, NULL), SAHM_OK);
	assert_true(isnan(s.intervals[RUN_METRIC_antt].low) && isfinite(s.intervals[RUN_METRIC_stp].low));
	run_samples_release(&s);
}

/* The bounds follow from the seed that is given; the whole run has the means over samples, not what their pooled counts
 * come to: threads that take turns at being slow are unequal in each sample. */
static void test_means_over_samples(void **state)
{
	enum { NR = 12 };
	struct run_thread_result threads[NR][2];
	struct run_thread_result all[] = {done(S(15 * NR), S(10 * NR)), done(S(15 * NR), S(10 * NR))};
	struct run_result result = result_of(all, 2), samples[NR];
	struct run_samples s, other;
	struct run_metrics m;

	(void)state;
	for (uint32_t i = 0; i < NR; i++) {
		threads[i][i % 2] = done(S(20) + S(i) / 10, S(10));
		threads[i][1 - i % 2] = done(S(10), S(10));
		samples[i] = result_of(threads[i], 2);
	}
	assert_int_equal(run_metrics_of(&result, &m, NULL), SAHM_OK);
	expect_about(m.jain, 1);
	double alone = m.jain;
	result.samples = samples;
	result.nr_samples = 1;
	run_samples_of(&(struct run_result){.nr_samples = 1}, 1, &s, NULL);
	run_samples_put_means(&s, &m);
	assert_true(m.jain == alone); /* of one sample nothing changes */

	result.nr_samples = NR;
	assert_int_equal(run_samples_of(&result, 1, &s, NULL), SAHM_OK);
	assert_int_equal(run_samples_of(&result, 2, &other, NULL), SAHM_OK);
	run_samples_put_means(&s, &m);
	assert_true(m.jain < 0.92 && m.jain == s.intervals[RUN_METRIC_jain].mean);
	assert_true(m.antt == s.intervals[RUN_METRIC_antt].mean);
	assert_true(s.intervals[RUN_METRIC_jain].mean == other.intervals[RUN_METRIC_jain].mean);
	assert_true(s.intervals[RUN_METRIC_stp].low != other.intervals[RUN_METRIC_stp].low ||
		    s.intervals[RUN_METRIC_stp].high != other.intervals[RUN_METRIC_stp].high);
	run_samples_release(&s);
	run_samples_release(&other);
}

/* "Utilisation: of their cycles those in which they executed", at most all of them; nothing without cycles. */
static void test_utilisation(void **state)
{
	static const struct {
		uint64_t simulated_ns, busy_cycles;
		uint32_t mhz, nr_ipus;
		double expected;
	} rows[] = {
		{S(10), 220, 1000, 1, 0.022},	    {S(10), 220, 1000, 2, 0.011}, {S(10), 1, 1, 1, 0.1},
		{S(10), 20000000000, 2000, 1, 1e6}, {NS_PER_MS, 700, 7, 1, 1e5},  {100, 0, 1, 1, NAN},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_introspection in = {.probe = {.ipu_mhz = rows[i].mhz}};
		const struct run_config config = {.introspection = &in};
		const struct run_result result = {.simulated_ns = rows[i].simulated_ns};
		const struct probe_counts counts = {.busy_cycles = rows[i].busy_cycles};
		struct probe_metrics m;
		run_metrics_of_probe(&config, &result, &counts, rows[i].nr_ipus, &m);
		if (isnan(rows[i].expected))
			assert_true(isnan(m.utilisation_ppm));
		else
			expect_about(m.utilisation_ppm, rows[i].expected);
		assert_true(isnan(m.accurate_share) && isnan(m.instructions_per_invocation));
	}
}

TEST_FILE(test_metrics)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_fairness),
		cmocka_unit_test(test_throughput),
		cmocka_unit_test(test_time_present_counts),
		cmocka_unit_test(test_never_present),
		cmocka_unit_test(test_nothing_done),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_continuous),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_which_apply),
		cmocka_unit_test(test_wait_summary),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_utilisation),
		cmocka_unit_test(test_means_over_samples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
