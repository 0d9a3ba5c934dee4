/* Claims about runs on the realistic chips, from records made up for this. */
#include <math.h>
#include <string.h>

#include "results/studies/claims.h"
#include "tests/unit/test.h"

enum { ALL_30, BRANCH_10, BRANCH_0, NR_CHIPS };
enum { ORACLE, IDEAL, COST, INERTIA, INERTIA_5, INERTIA_9, NR_SETTINGS };

/* In a different order, with others among them. */
static const char *const chips[] = {"else", "All-30 %", "Branch-0 %", "Branch-10 %"};
static const char *const settings[] = {"Cost+9ms",    "Oracle",	 "Oracle+1ms", "Inertia+9ms",
				       "Inertia+5ms", "Inertia", "Ideal",      "Cost"};
#define NR_ALL_CHIPS ARRAY_SIZE(chips)
#define NR_ALL_SETTINGS ARRAY_SIZE(settings)

static const unsigned chip_at[NR_CHIPS] = {1, 3, 2};
static const unsigned setting_at[NR_SETTINGS] = {1, 6, 7, 5, 4, 3};

static struct record records[NR_ALL_CHIPS][NR_ALL_SETTINGS];
static struct claims_realistic realistic;
static double ours[NR_CLAIMS];

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
	(void)state;
	for (size_t c = 0; c < NR_ALL_CHIPS; c++) {
		for (size_t s = 0; s < NR_ALL_SETTINGS; s++) {
			for (unsigned m = 0; m < NR_RUN_METRICS; m++)
				records[c][s].metrics[m] = -1;
			records[c][s].failed = false;
			records[c][s].metrics[RUN_METRIC_matched_share] = 0;
		}
	}
	for (unsigned c = 0; c < NR_CHIPS; c++)
		for (unsigned s = 0; s < NR_SETTINGS; s++)
			record(c, s)->metrics[RUN_METRIC_matched_share] = 0.71;
	record(BRANCH_0, INERTIA_5)->metrics[RUN_METRIC_matched_share] = 0.6875;
	*speedup(ORACLE) = 0.1975;
	*speedup(IDEAL) = 0.19;
	*speedup(COST) = 0.18;
	*speedup(INERTIA) = 0.186;
	*speedup(INERTIA_9) = 0.175;
	record(ALL_30, IDEAL)->metrics[RUN_METRIC_transition_share] = 0.0225;
	realistic = (struct claims_realistic){chips, NR_ALL_CHIPS, settings, NR_ALL_SETTINGS, records[0]};
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		ours[c] = 0.25;
	return 0;
}

static void expect_near(enum claim claim, double wanted)
{
	if (!(fabs(ours[claim] - wanted) < 1e-9))
		fail_msg("%s: %.17g", claim_rows[claim].text, ours[claim]);
}

static void test_measured(void **state)
{
	(void)state;
	claims_of_runs(&realistic, ours);
	expect_near(CLAIM_RUN_IDEAL, 19);
	expect_near(CLAIM_RUN_ORACLE, 0.75);
	expect_near(CLAIM_RUN_RECOVERED, 60);
	expect_near(CLAIM_RUN_INERTIA_9, 1.5);
	expect_near(CLAIM_RUN_MATCHED, 68.75);
	expect_near(CLAIM_RUN_TRANSITIONS, 2.25);
	for (unsigned c = 0; c < NR_CLAIMS; c++)
		if (claim_rows[c].from == CLAIMS_OF_RUNS) {
			assert_true(claim_judge((enum claim)c, ours[c], 1).holds);
		} else {
			assert_true(ours[c] == 0.25);
		}
}

/* The matched share that counts is the farthest one, above or below, of every chip in every setting. */
static void test_matched(void **state)
{
	(void)state;
	for (unsigned c = 0; c < NR_CHIPS; c++) {
		for (unsigned s = 0; s < NR_SETTINGS; s++) {
			make_records(NULL);
			record(c, s)->metrics[RUN_METRIC_matched_share] = 0.65;
			claims_of_runs(&realistic, ours);
			expect_near(CLAIM_RUN_MATCHED, 65);
			record(c, s)->metrics[RUN_METRIC_matched_share] = 0.75;
			claims_of_runs(&realistic, ours);
			expect_near(CLAIM_RUN_MATCHED, 75);
			record(c, s)->metrics[RUN_METRIC_matched_share] = NAN;
			claims_of_runs(&realistic, ours);
			assert_true(isnan(ours[CLAIM_RUN_MATCHED]));
		}
	}
}

/* Where the cost takes nothing, nothing can be recovered of it. */
static void test_nothing_to_recover(void **state)
{
	(void)state;
	*speedup(COST) = 0.19;
	claims_of_runs(&realistic, ours);
	assert_true(isnan(ours[CLAIM_RUN_RECOVERED]));
	*speedup(COST) = 0.2;
	claims_of_runs(&realistic, ours);
	assert_true(isnan(ours[CLAIM_RUN_RECOVERED]));
	expect_near(CLAIM_RUN_IDEAL, 19);
	*speedup(COST) = 0.1896;
	claims_of_runs(&realistic, ours);
	assert_true(isnan(ours[CLAIM_RUN_RECOVERED]));
	*speedup(COST) = 0.1894;
	claims_of_runs(&realistic, ours);
	assert_true(!isnan(ours[CLAIM_RUN_RECOVERED]));
}

/* Sources of a claim, a bit per setting of All-30 %. */
static const struct {
	enum claim claim;
	unsigned settings;
} needs[] = {
	{CLAIM_RUN_IDEAL, 1u << IDEAL},
	{CLAIM_RUN_ORACLE, 1u << IDEAL | 1u << ORACLE},
	{CLAIM_RUN_RECOVERED, 1u << IDEAL | 1u << COST | 1u << INERTIA},
	{CLAIM_RUN_INERTIA_9, 1u << IDEAL | 1u << INERTIA_9},
	{CLAIM_RUN_MATCHED, (1u << NR_SETTINGS) - 1},
	{CLAIM_RUN_TRANSITIONS, 1u << IDEAL},
};

/* Those claims are not known that need a setting that is not there. */
static void expect_without(unsigned setting, const char *what)
{
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		if (isnan(ours[needs[i].claim]) != (needs[i].settings >> setting & 1u))
			fail_msg("%s %u: %s is %g", what, setting, claim_rows[needs[i].claim].text,
				 ours[needs[i].claim]);
}

static void test_missing(void **state)
{
	(void)state;
	for (unsigned s = 0; s < NR_SETTINGS; s++) {
		const char *renamed[NR_ALL_SETTINGS];
		make_records(NULL);
		record(ALL_30, s)->failed = true;
		claims_of_runs(&realistic, ours);
		expect_without(s, "failed");
		make_records(NULL);
		memcpy(renamed, settings, sizeof(renamed));
		renamed[setting_at[s]] = "oracle";
		realistic.settings = renamed;
		claims_of_runs(&realistic, ours);
		expect_without(s, "missing");
	}
	/* Without the canonical chip nothing is known; without another, all but what is about all chips. */
	make_records(NULL);
	realistic.nr_chips = 1;
	claims_of_runs(&realistic, ours);
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		assert_true(isnan(ours[needs[i].claim]));
	make_records(NULL);
	realistic.nr_chips = 2;
	claims_of_runs(&realistic, ours);
	assert_true(isnan(ours[CLAIM_RUN_MATCHED]));
	expect_near(CLAIM_RUN_IDEAL, 19);
}

#define FRESH(test) cmocka_unit_test_setup(test, make_records)

TEST_FILE(test_claims_runs)
{
	const struct CMUnitTest tests[] = {
		FRESH(test_measured),
		FRESH(test_matched),
		FRESH(test_nothing_to_recover),
		FRESH(test_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
