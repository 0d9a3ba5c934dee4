/* Limits by hand: of threads with affinities and tenants, of chips, of the matrix and of figure 4.9. */
#include "results/metrics/run_metrics.h"
#include "results/studies/claims.h"
#include "results/studies/limit_study.h"
#include "tests/unit/made_chip.h"
#include "tests/unit/results/studies/limit_cases.h"

static void expect_near(const char *name, double got, double expected)
{
	if (!(fabs(got - expected) < 1e-12))
		fail_msg("%s: %.17g instead of %.17g", name, got, expected);
}

/* Half of the time Low, half L2. */
static const uint8_t half[] = {LOW, L2};

/* With a core that is 30 % faster there. */
#define HALF_30 (1 / (0.5 + 0.5 / 1.3) - 1)

struct loaded {
	struct run_config config;
	struct record record;
	struct arena arena;
	char path[32];
};

static void load_half(struct loaded *l, const char *format)
{
	char text[1024];
	struct sahm_err err;
	memcpy(l->path, "/tmp/sahm-limit-XXXXXX", sizeof("/tmp/sahm-limit-XXXXXX"));
	write_states(half, sizeof(half), 100 * NS_PER_MS, true, l->path);
	snprintf(text, sizeof(text), format, l->path, l->path, l->path);
	load(&l->config, text);
	arena_init(&l->arena);
	if (record_of_limit(&l->arena, &l->config, &l->record, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static void unload(struct loaded *l)
{
	run_config_release(&l->config);
	arena_release(&l->arena);
	remove(l->path);
}

static void test_affinity(void **state)
{
	(void)state;
	struct loaded l;
	load_half(&l, "chip: { cores: ({ type=\"baseline\"; }, { type=\"l2\"; speedup_pct=30; },"
		      "{ type=\"table\"; speedup_pct=[-10,0,0,0,0,0,0,0,-10,0,0,0,0,0,0,0]; }); };"
		      "workload: { traces: (\"%s\", { file=\"%s\"; affinity=\"2\"; },"
		      "{ file=\"%s\"; affinity=\"0,2\"; }); };");
	expect_near("any core", l.record.threads[0].speedup, HALF_30);
	expect_near("the slow core alone", l.record.threads[1].speedup, -0.1);
	expect_near("baseline or slow", l.record.threads[2].speedup, 0);
	const double sum = HALF_30 - 0.1;
	expect_near("mean", l.record.metrics[RUN_METRIC_speedup_mean], sum / 3);
	expect_near("harmonic", l.record.metrics[RUN_METRIC_speedup_harmonic],
		    3 / (1 / (1 + HALF_30) + 1 / 0.9 + 1) - 1);
	expect_near("geometric", l.record.metrics[RUN_METRIC_speedup_geometric], cbrt((1 + HALF_30) * 0.9) - 1);
	assert_true(isnan(l.record.metrics[RUN_METRIC_speedup_system]));
	unload(&l);
}

/* A tenant's threads have only its cores; those without a tenant, what belongs to nobody. */
static void test_tenants(void **state)
{
	(void)state;
	struct loaded l;
	load_half(&l,
		  "chip: { cores: ({ type=\"l2\"; speedup_pct=30; tenant=\"a\"; }, { type=\"baseline\"; count=2; },"
		  "{ type=\"l2\"; speedup_pct=10; tenant=\"b\"; }); };"
		  "workload: { traces: ({ file=\"%s\"; tenant=\"a\"; }, \"%s\", { file=\"%s\"; tenant=\"b\"; }); };");
	expect_near("tenant a", l.record.threads[0].speedup, HALF_30);
	expect_near("no tenant", l.record.threads[1].speedup, 0);
	expect_near("tenant b", l.record.threads[2].speedup, 1 / (0.5 + 0.5 / 1.1) - 1);
	unload(&l);
}

/* Where a thread begins, what moves cost, and who else is there say nothing; nor does where it may run when. */
static void test_what_does_not_count(void **state)
{
	(void)state;
	struct loaded l;
	load_half(&l,
		  "chip: { cores: ({ type=\"baseline\"; }, { type=\"l2\"; speedup_pct=30; }); };"
		  "migration: { cost_ms=9; warmup_ms=50; }; scheduler: { policy=\"static\"; inertia=100; };"
		  "workload: { duration_ms=10; traces: ({ file=\"%s\"; offset_ms=100; }, { file=\"%s\"; arrive_ms=70;"
		  "repeat=false; }, \"%s\"); changes: ({ at_ms=1; thread=2; affinity=\"0\"; }); };");
	for (unsigned t = 0; t < 3; t++)
		expect_near("thread", l.record.threads[t].speedup, HALF_30);
	unload(&l);
}

/* A thread that may run nowhere has no upper bound, and no part in the means. */
static void test_nowhere(void **state)
{
	(void)state;
	const uint64_t none[1] = {0};
	int32_t ppm[NR_STATES] = {17};
	struct loaded l;
	struct sahm_err err;
	load_half(&l, "chip: { cores: ({ type=\"l2\"; speedup_pct=30; }); }; workload: { traces: (\"%s\", \"%s\"); };");
	assert_false(limit_of_chip(&l.config.chip, none, ppm));
	assert_int_equal(ppm[0], 17);
	l.config.threads[1].allowed = none;
	assert_int_equal(record_of_limit(&l.arena, &l.config, &l.record, &err), SAHM_OK);
	expect_near("who may", l.record.threads[0].speedup, HALF_30);
	assert_true(isnan(l.record.threads[1].speedup));
	expect_near("mean", l.record.metrics[RUN_METRIC_speedup_mean], HALF_30);
	l.config.threads[0].allowed = none;
	assert_int_equal(record_of_limit(&l.arena, &l.config, &l.record, &err), SAHM_OK);
	assert_true(isnan(l.record.threads[0].speedup) && isnan(l.record.metrics[RUN_METRIC_speedup_mean]));
	unload(&l);
}

/* Sets that begin and end between equal cores, and in another word. */
static void test_sets(void **state)
{
	(void)state;
	enum { NR_CORES = 130 };
	struct core_type slow, fast;
	const struct core_type *cores[NR_CORES];
	const struct chip chip = {NR_CORES, cores};
	const int32_t ten[NR_COMPONENTS] = {100000, 100000, 100000, 100000};
	int32_t ppm[NR_STATES];
	core_type_baseline(&slow, "baseline");
	core_type_specialised(&fast, "branch", 1u << COMPONENT_BRANCH, ten);
	for (unsigned c = 0; c < NR_CORES; c++)
		cores[c] = c == 128 ? &fast : &slow;
	for (unsigned c = 126; c < NR_CORES; c++) {
		uint64_t set[3] = {0};
		core_set_add(set, c, c);
		assert_true(limit_of_chip(&chip, set, ppm));
		assert_int_equal(ppm[BRANCH], c == 128 ? 100000 : 0);
		core_set_add(set, 0, c);
		assert_true(limit_of_chip(&chip, set, ppm));
		assert_int_equal(ppm[BRANCH], c >= 128 ? 100000 : 0);
		assert_int_equal(ppm[LOW], 0);
	}
}

static const struct limit_trace two[] = {
	{.name = "half", .nr_epochs = 2, .weights = {[LOW] = 1, [L2] = 1}},
	{.name = "branch", .nr_epochs = 3, .weights = {[BRANCH] = 3}},
};

/* Two traces on two chips, of which the first is in no trace's box. */
static void test_matrix(void **state)
{
	(void)state;
	const int32_t chips[2][NR_STATES] = {{[L2] = -500000}, {[LOW] = 1000000, [BRANCH] = 250000, [L2] = 250000}};
	const double expected[2][2] = {{2.0 / 3 - 1, 0}, {2 / (0.5 + 0.8) - 1, 0.25}};
	struct limit_study study;
	struct sahm_err err;
	assert_int_equal(limit_study_make(&study, chips, 2, 1, two, 2, &err), SAHM_OK);
	for (unsigned i = 0; i < 2; i++) {
		const struct box *box = &study.of_chips[i];
		for (unsigned t = 0; t < 2; t++) {
			expect_near("cell", study.speedups[i * 2 + t], expected[i][t]);
			assert_true(study.speedups[i * 2 + t] == limit_speedup(two[t].weights, chips[i]));
		}
		expect_near("mean of a chip", box->mean, (expected[i][0] + expected[i][1]) / 2);
		expect_near("p25 of a chip", box->p25,
			    fmin(expected[i][0], expected[i][1]) + fabs(expected[i][0] - expected[i][1]) / 4);
	}
	expect_near("least of the first", study.of_traces[0].least, expected[1][0]);
	expect_near("most of the first", study.of_traces[0].most, expected[1][0]);
	expect_near("mean", study.mean.mean, (expected[1][0] + 0.25) / 2);
	expect_near("mean of 25th percentiles", study.mean.p25, (expected[1][0] + 0.25) / 2);
	limit_study_release(&study);
	assert_int_equal(limit_study_make(&study, chips, 2, 0, two, 2, &err), SAHM_OK);
	expect_near("least with all chips", study.of_traces[0].least, expected[0][0]);
	expect_near("most with all chips", study.of_traces[0].most, expected[1][0]);
	limit_study_release(&study);
}

/* The matrix over the space says what limit_breadth() says of each trace, bit by bit. */
static void test_space(void **state)
{
	(void)state;
	struct limit_study study;
	struct sahm_err err;
	assert_int_equal(limit_study_of_space(&study, two, 2, &err), SAHM_OK);
	assert_int_equal(study.nr_chips, NR_SPACE_CONFIGS);
	for (unsigned t = 0; t < 2; t++) {
		struct box box = limit_breadth(two[t].weights);
		assert_memory_equal(&box, &study.of_traces[t], sizeof(box));
		assert_true(study.speedups[t] == 0);
	}
	expect_near("canonical", study.speedups[SPACE_CANONICAL * 2], HALF_30);
	expect_near("canonical, over traces", study.of_chips[SPACE_CANONICAL].mean, (HALF_30 + 0.3) / 2);
	expect_near("25th percentiles", study.mean.p25, ((1 / (0.5 + 0.5 / 1.1) - 1) + 0.1) / 2);
	limit_study_release(&study);
}

/* Two chips that treat a thread alike by different cores have the same limit, to the last bit. */
static void test_ties(void **state)
{
	(void)state;
	const int32_t one[NR_STATES] = {[BRANCH] = 300000, [L1I] = 200000, [L1D] = 100000};
	const int32_t other[NR_STATES] = {[BRANCH] = 100000, [L1D] = 200000, [L2] = 300000};
	for (unsigned i = 1; i < 300; i++) {
		const double weights[NR_STATES] = {[LOW] = 7, [BRANCH] = i, [L1I] = 13, [L1D] = i, [L2] = 2 * i};
		const double alike[NR_STATES] = {[LOW] = 7 + i, [BRANCH] = i, [L1I] = i, [L1D] = 13, [L2] = i};
		assert_true(limit_speedup(weights, one) == limit_speedup(alike, other));
	}
	assert_true(limit_speedup((const double[NR_STATES]){3, 5, 7, 11, 13},
				  (const int32_t[NR_STATES]){300000, 300000, 300000, 300000, 300000}) == 1.3 - 1);
}

/* A branch core of 10 % leaves a thread in Branch 10 %, and what stresses L2 its 30 %; claims say the same. */
static void test_against(void **state)
{
	(void)state;
	const double branch[NR_LIMIT_NAMED] = {0.3, 0.1, 0};
	const enum claim claims[NR_LIMIT_NAMED] = {CLAIM_ALL_30, CLAIM_BRANCH_10, CLAIM_BRANCH_0};
	struct limit_against rows[NR_LIMIT_NAMED];
	double weights[2][NR_STATES], speedups[2], ours[NR_CLAIMS];
	struct sahm_err err;
	for (unsigned t = 0; t < 2; t++)
		memcpy(weights[t], two[t].weights, sizeof(weights[t]));
	claims_of_shares((const double(*)[NR_STATES])weights, 2, speedups, ours);
	assert_int_equal(limit_against(two, 2, 5, rows, &err), SAHM_OK);
	for (unsigned i = 0; i < NR_LIMIT_NAMED; i++) {
		double p25 = fmin(branch[i], HALF_30) + fabs(branch[i] - HALF_30) / 4;
		expect_near(limit_named_names[i], rows[i].box.p25, p25);
		expect_near(limit_named_names[i], rows[i].ratio, p25 / 0.05);
		assert_true(rows[i].ratio == ours[claims[i]]);
	}
	assert_int_equal(limit_against(two, 2, 2.5, rows, &err), SAHM_OK);
	expect_near("against 2.5 %", rows[LIMIT_BRANCH_0].ratio, HALF_30 / 4 / 0.025);
}

TEST_FILE(test_limit_study)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_affinity),
		cmocka_unit_test(test_tenants),
		cmocka_unit_test(test_what_does_not_count),
		cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_matrix),
		cmocka_unit_test(test_space),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_against),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
