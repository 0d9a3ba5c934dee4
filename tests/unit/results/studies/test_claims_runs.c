/* Claims about runs on the realistic chips, from records made up for this. */
#include <math.h>
#include <string.h>

#include "results/studies/claims.h"
#include "tests/unit/test.h"

enum { ALL_30, BRANCH_10, BRANCH_0, NR_CHIPS };
enum { ORACLE, IDEAL, COST, INERTIA, INERTIA_5, INERTIA_9, NR_OF_STUDY, COST_5 = NR_OF_STUDY, COST_9, NR_SETTINGS };

/* In a different order, with others among them. */
static const char *const chips[] = {"else", "All-30 %", "Branch-0 %", "Branch-10 %"};
static const char *const settings[] = {"Cost+9ms", "Oracle", "Oracle+1ms", "Inertia+9ms", "Inertia+5ms",
				       "Inertia",  "Ideal",  "Cost",	   "Cost+5ms"};
static const char *const sizes[] = {CLAIMS_TWO_COMPONENTS, CLAIMS_64_CORES, CLAIMS_32_CORES};
#define NR_ALL_CHIPS ARRAY_SIZE(chips)
#define NR_ALL_SETTINGS ARRAY_SIZE(settings)

static const unsigned chip_at[NR_CHIPS] = {1, 3, 2};
static const unsigned setting_at[NR_SETTINGS] = {1, 6, 7, 5, 4, 3, 8, 0};

#define NR_SAMPLES 4

static struct record records[NR_ALL_CHIPS][NR_ALL_SETTINGS];
static double samples[NR_ALL_CHIPS][NR_ALL_SETTINGS][NR_SAMPLES];
/* The study's chips, and with the same rows, others. */
static struct claims_realistic studies[2];
static struct claim_measured measured[NR_CLAIMS];

static struct record *record(unsigned chip, unsigned setting)
{
	return &records[chip_at[chip]][setting_at[setting]];
}

static double *speedup(unsigned setting)
{
	return &record(ALL_30, setting)->metrics[RUN_METRIC_speedup_mean];
}

static int make_records(void **state)
{
	static const double speedups[NR_SETTINGS] = {0.1975, 0.19, 0.18, 0.186, 0.182, 0.175, 0.17, 0.155};
	(void)state;
	for (size_t c = 0; c < NR_ALL_CHIPS; c++) {
		for (size_t s = 0; s < NR_ALL_SETTINGS; s++) {
			for (unsigned m = 0; m < NR_RUN_METRICS; m++)
				records[c][s].metrics[m] = -1;
			records[c][s].failed = records[c][s].has_intervals = false;
			records[c][s].metrics[RUN_METRIC_matched_share] = 0;
		}
	}
	for (unsigned c = 0; c < NR_CHIPS; c++) {
		for (unsigned s = 0; s < NR_SETTINGS; s++) {
			struct record *r = record(c, s);
			r->metrics[RUN_METRIC_matched_share] = s < NR_OF_STUDY ? 0.71 : 0.9;
			r->metrics[RUN_METRIC_served_share] = 0.65;
			r->metrics[RUN_METRIC_speedup_mean] = speedups[s];
			/* A sample moves all of its runs. */
			for (unsigned i = 0; i < NR_SAMPLES; i++)
				samples[chip_at[c]][setting_at[s]][i] = 100 * speedups[s] + i * i;
		}
	}
	record(BRANCH_0, INERTIA_5)->metrics[RUN_METRIC_matched_share] = 0.6875;
	record(BRANCH_0, INERTIA_5)->metrics[RUN_METRIC_served_share] = 0.625;
	record(ALL_30, IDEAL)->metrics[RUN_METRIC_transition_share] = 0.0225;
	studies[0] = (struct claims_realistic){chips,	   NR_ALL_CHIPS,  settings,  NR_ALL_SETTINGS,
					       records[0], samples[0][0], NR_SAMPLES};
	studies[1] = (struct claims_realistic){sizes,	   ARRAY_SIZE(sizes), settings,	 NR_ALL_SETTINGS,
					       records[1], samples[1][0],     NR_SAMPLES};
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		measured[c] = (struct claim_measured){0.25, 0.25, 0.25, 0.25};
	return 0;
}

static void measure(void)
{
	struct sahm_err err = {.msg = "untouched"};
	assert_int_equal(claims_of_runs(studies, ARRAY_SIZE(studies), measured, &err), SAHM_OK);
	assert_string_equal(err.msg, "untouched");
}

static double ours(enum claim claim)
{
	return measured[claim].ours;
}

static void expect_near(enum claim claim, double wanted)
{
	if (!(fabs(ours(claim) - wanted) < 1e-9))
		fail_msg("%s: %.17g", claim_rows[claim].text, ours(claim));
}

static void test_measured(void **state)
{
	(void)state;
	measure();
	expect_near(CLAIM_RUN_IDEAL, 19);
	expect_near(CLAIM_RUN_ORACLE, 0.75);
	expect_near(CLAIM_RUN_INERTIA, 0.4);
	expect_near(CLAIM_RUN_INERTIA_5_BRANCH_10, 0.8);
	expect_near(CLAIM_RUN_INERTIA_9_32, 1.5);
	expect_near(CLAIM_RUN_RECOVERED, 60);
	expect_near(CLAIM_RUN_RECOVERED_5, 60);
	expect_near(CLAIM_RUN_RECOVERED_9_BRANCH_0, 100 * 20 / 35.0);
	expect_near(CLAIM_RUN_MATCHED, 68.75);
	assert_true(measured[CLAIM_RUN_MATCHED].served == 62.5);
	expect_near(CLAIM_RUN_TRANSITIONS, 2.25);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		if (c == CLAIM_RUN_TRANSITIONS || claim_rows[c].from != CLAIMS_OF_RUNS)
			assert_true(c == CLAIM_RUN_TRANSITIONS || ours((enum claim)c) == 0.25);
		else if (!claim_judge((enum claim)c, ours((enum claim)c), 1).holds)
			fail_msg("%s: %g", claim_rows[c].text, ours((enum claim)c));
}

/* Each chip has claims that are measured on it, and on no other. */
static void test_chips(void **state)
{
	(void)state;
	record(BRANCH_10, ORACLE)->metrics[RUN_METRIC_speedup_mean] = 0.195;
	record(BRANCH_0, IDEAL)->metrics[RUN_METRIC_speedup_mean] = 0.191; /* also that of 64 cores */
	measure();
	expect_near(CLAIM_RUN_ORACLE, 0.75);
	expect_near(CLAIM_RUN_ORACLE_BRANCH_10, 0.5);
	expect_near(CLAIM_RUN_ORACLE_BRANCH_0, 0.65);
	expect_near(CLAIM_RUN_ORACLE_64, 0.65);
	expect_near(CLAIM_RUN_ORACLE_32, 0.5);
	expect_near(CLAIM_RUN_IDEAL_BRANCH_10, 19);
	expect_near(CLAIM_RUN_IDEAL_BRANCH_0, 19.1);
	expect_near(CLAIM_RUN_IDEAL_64, 19.1);
	expect_near(CLAIM_RUN_IDEAL_TWO, 19);
}

static void expect_interval(enum claim claim, double low, double high)
{
	const struct claim_measured *m = &measured[claim];
	if (!(fabs(m->low - low) < 1e-9 && fabs(m->high - high) < 1e-9))
		fail_msg("%s: %.17g to %.17g", claim_rows[claim].text, m->low, m->high);
}

/* Samples are drawn with all of their runs: what moves all runs of a sample moves no difference. Without several
 * samples there is no interval. */
static void test_intervals(void **state)
{
	struct record *ideal = record(ALL_30, IDEAL);
	(void)state;
	ideal->has_intervals = true;
	ideal->intervals[RUN_METRIC_speedup_mean].low = 0.125;
	ideal->intervals[RUN_METRIC_speedup_mean].high = 0.25;
	measure();
	expect_interval(CLAIM_RUN_IDEAL, 12.5, 25);
	expect_interval(CLAIM_RUN_ORACLE, 0.75, 0.75);
	expect_interval(CLAIM_RUN_INERTIA_9_64, 1.5, 1.5);
	expect_interval(CLAIM_RUN_RECOVERED, 60, 60);
	assert_true(isnan(measured[CLAIM_RUN_MATCHED].low) && isnan(measured[CLAIM_RUN_IDEAL_32].low));
	samples[chip_at[ALL_30]][setting_at[ORACLE]][0] += 1;
	measure();
	assert_true(measured[CLAIM_RUN_ORACLE].high > 1 && measured[CLAIM_RUN_ORACLE].low < 1);
	expect_interval(CLAIM_RUN_RECOVERED, 60, 60);
	studies[0].nr_samples = studies[1].nr_samples = 0;
	measure();
	assert_true(isnan(measured[CLAIM_RUN_ORACLE].low) && isnan(measured[CLAIM_RUN_RECOVERED].high));
	expect_near(CLAIM_RUN_ORACLE, 0.75);
}

/* The matched share that counts is the farthest one, above or below, of every chip in every setting. */
static void test_matched(void **state)
{
	(void)state;
	for (unsigned c = 0; c < NR_CHIPS; c++) {
		for (unsigned s = 0; s < NR_OF_STUDY; s++) {
			make_records(NULL);
			record(c, s)->metrics[RUN_METRIC_matched_share] = 0.65;
			measure();
			expect_near(CLAIM_RUN_MATCHED, 65);
			record(c, s)->metrics[RUN_METRIC_matched_share] = 0.75;
			measure();
			expect_near(CLAIM_RUN_MATCHED, 75);
			record(c, s)->metrics[RUN_METRIC_matched_share] = NAN;
			measure();
			assert_true(isnan(ours(CLAIM_RUN_MATCHED)));
		}
	}
}

/* Where the cost takes nothing, nothing can be recovered of it. */
static void test_nothing_to_recover(void **state)
{
	(void)state;
	*speedup(COST) = 0.19;
	measure();
	assert_true(isnan(ours(CLAIM_RUN_RECOVERED)));
	*speedup(COST) = 0.2;
	measure();
	assert_true(isnan(ours(CLAIM_RUN_RECOVERED)));
	expect_near(CLAIM_RUN_IDEAL, 19);
	*speedup(COST) = 0.1896;
	measure();
	assert_true(isnan(ours(CLAIM_RUN_RECOVERED)));
	*speedup(COST) = 0.1894;
	measure();
	assert_true(!isnan(ours(CLAIM_RUN_RECOVERED)));
}

/* Sources of a claim, a bit per setting of All-30 %. */
static const struct {
	enum claim claim;
	unsigned settings;
} needs[] = {
	{CLAIM_RUN_IDEAL, 1u << IDEAL},
	{CLAIM_RUN_ORACLE, 1u << IDEAL | 1u << ORACLE},
	{CLAIM_RUN_RECOVERED, 1u << IDEAL | 1u << COST | 1u << INERTIA},
	{CLAIM_RUN_RECOVERED_5, 1u << IDEAL | 1u << COST_5 | 1u << INERTIA_5},
	{CLAIM_RUN_RECOVERED_9, 1u << IDEAL | 1u << COST_9 | 1u << INERTIA_9},
	{CLAIM_RUN_INERTIA, 1u << IDEAL | 1u << INERTIA},
	{CLAIM_RUN_INERTIA_5, 1u << IDEAL | 1u << INERTIA_5},
	{CLAIM_RUN_INERTIA_9, 1u << IDEAL | 1u << INERTIA_9},
	{CLAIM_RUN_MATCHED, (1u << NR_OF_STUDY) - 1},
	{CLAIM_RUN_TRANSITIONS, 1u << IDEAL},
};

/* Those claims are not known that need a setting that is not there. */
static void expect_without(unsigned setting, const char *what)
{
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		if (isnan(ours(needs[i].claim)) != (needs[i].settings >> setting & 1u))
			fail_msg("%s %u: %s is %g", what, setting, claim_rows[needs[i].claim].text,
				 ours(needs[i].claim));
}

static void test_missing(void **state)
{
	(void)state;
	for (unsigned s = 0; s < NR_SETTINGS; s++) {
		const char *renamed[NR_ALL_SETTINGS];
		make_records(NULL);
		record(ALL_30, s)->failed = true;
		measure();
		expect_without(s, "failed");
		make_records(NULL);
		memcpy(renamed, settings, sizeof(renamed));
		renamed[setting_at[s]] = "oracle";
		studies[0].settings = renamed;
		measure();
		expect_without(s, "missing");
	}
	/* Without the canonical chip nothing is known; without another, all but what is about all chips. */
	make_records(NULL);
	studies[0].nr_chips = 1;
	measure();
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		assert_true(isnan(ours(needs[i].claim)));
	make_records(NULL);
	studies[0].nr_chips = 2;
	measure();
	assert_true(isnan(ours(CLAIM_RUN_MATCHED)));
	expect_near(CLAIM_RUN_IDEAL, 19);
}

#define FRESH(test) cmocka_unit_test_setup(test, make_records)

TEST_FILE(test_claims_runs)
{
	const struct CMUnitTest tests[] = {
		FRESH(test_measured),		FRESH(test_chips),   FRESH(test_intervals), FRESH(test_matched),
		FRESH(test_nothing_to_recover), FRESH(test_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
