/* Studies as they are written: accepted files, and refused ones with their places. */
#include "results/studies/study.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

/* Beside no file, so that what a study names is looked for in the current folder. */
#define FILE_NAME "t.study"

#define COSTS "costs_ms = (0, 1.5, 9);\n"
#define SUITES "suites = ( { name = \"one\"; config = \"configs/canonical.cfg\"; } );\n"
#define POLICIES "policies = ( { policy = \"sahm\"; }, { policy = \"sahm\"; name = \"seer\"; oracle = true; } );\n"

static enum sahm_status read_text(struct study *s, const char *text, struct sahm_err *err)
{
	return study_read_text(s, FILE_NAME, text, strlen(text), ".", err);
}

static void must_read(struct study *s, const char *text)
{
	struct sahm_err err = {.msg = "untouched"};
	if (read_text(s, text, &err) != SAHM_OK)
		fail_msg("%s: %s", text, err.msg);
	assert_string_equal(err.msg, "untouched");
}

static void test_all_keys(void **state)
{
	struct study s;
	(void)state;
	must_read(&s, COSTS "suites = (\n"
			    "	{ name = \"shipped\"; config = \"../synthetic-39.cfg\"; },\n"
			    "	{ name = \"other\"; config = \"configs/synthetic-39.cfg\";\n"
			    "	  profile = \"../../workloads/suites/synthetic/phone.profile\"; seed = 5000000000L;\n"
			    "	  set = [ \"workload.duration_ms=50\" ]; } );\n"
			    "policies = (\n"
			    "	{ policy = \"keen\"; inertia = 0; set = ( \"scheduler.timestep_ms=5\", \"a=1\" ); },\n"
			    "	{ policy = \"plugins/mine.so\"; },\n"
			    "	{ policy = \"other.so\"; oracle = true; name = \"seer\"; } );\n"
			    "subject = \"mine\"; reference = \"seer\";\n"
			    "claims = (\n"
			    "	{ above = \"seer\"; },\n"
			    "	{ policy = \"seer\"; suite = \"other\"; max_loss_points = 0.5; required = false; },\n"
			    "	{ min_share_pct = 96; } );\n");
	assert_int_equal(s.nr_costs, 3);
	assert_true(s.costs_ms[0] == 0 && s.costs_ms[1] == 1.5 && s.costs_ms[2] == 9);

	assert_int_equal(s.nr_suites, 2);
	/* Not beside the study: found in the data folder, where "../" leads nowhere, and its configs/. */
	assert_string_equal(s.suites[0].config, "./configs/synthetic-39.cfg");
	assert_string_equal(s.suites[1].config, "configs/synthetic-39.cfg");
	assert_null(s.suites[0].profile);
	assert_false(s.suites[0].has_seed);
	assert_string_equal(s.suites[1].profile, "./workloads/suites/synthetic/phone.profile");
	assert_true(s.suites[1].has_seed && s.suites[1].seed == 5000000000);
	assert_int_equal(s.suites[1].settings.nr, 1);
	assert_string_equal(s.suites[1].settings.text[0], "workload.duration_ms=50");

	assert_int_equal(s.nr_policies, 3);
	assert_string_equal(s.policies[0].name, "keen");
	assert_string_equal(s.policies[0].policy, "keen");
	assert_true(s.policies[0].has_inertia && s.policies[0].inertia == 0 && !s.policies[0].oracle);
	assert_int_equal(s.policies[0].settings.nr, 2);
	assert_string_equal(s.policies[0].settings.text[1], "a=1");
	assert_string_equal(s.policies[1].name, "mine");
	assert_string_equal(s.policies[1].policy, "plugins/mine.so");
	assert_false(s.policies[1].has_inertia);
	assert_string_equal(s.policies[2].policy, "./other.so");
	assert_true(s.policies[2].oracle);

	assert_int_equal(s.subject, 1);
	assert_int_equal(s.reference, 2);
	assert_int_equal(s.nr_claims, 3);
	assert_true(s.claims[0].kind == CLAIM_ABOVE && s.claims[0].policy == 1 && s.claims[0].other == 2 &&
		    s.claims[0].suite == 0 && s.claims[0].required);
	assert_true(s.claims[1].kind == CLAIM_LOSS && s.claims[1].policy == 2 && s.claims[1].suite == 1 &&
		    s.claims[1].bound == 0.5 && !s.claims[1].required);
	assert_true(s.claims[2].kind == CLAIM_SHARE && s.claims[2].other == 2 && s.claims[2].bound == 96);
	study_release(&s);
}

static void test_least(void **state)
{
	struct study s;
	(void)state;
	must_read(&s, "costs_ms = 3;" SUITES POLICIES);
	assert_int_equal(s.nr_costs, 1);
	assert_true(s.costs_ms[0] == 3);
	assert_int_equal(s.nr_claims, 0);
	assert_int_equal(s.subject, STUDY_NONE);
	assert_int_equal(s.reference, STUDY_NONE);
	study_release(&s);
}

/* Paths are those of who wrote the study, wherever it is read from. */
static void test_beside_the_study(void **state)
{
	static const char text[] = COSTS "suites = ( { name = \"one\"; config = \"../configs/canonical.cfg\"; } );\n"
					 "policies = ( { policy = \"./mine.so\"; } );\n";
	struct study s;
	(void)state;
	assert_int_equal(study_read_text(&s, "docs/t.study", text, strlen(text), NULL, NULL), SAHM_OK);
	assert_string_equal(s.suites[0].config, "docs/../configs/canonical.cfg");
	assert_string_equal(s.policies[0].policy, "docs/./mine.so");
	study_release(&s);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"\nchip : { };", ":2: a configuration, not a comparison; a comparison names it in suites[].config"},
		{SUITES POLICIES, FILE_NAME ": missing key 'costs_ms'"},
		{"costs_ms = [];" SUITES POLICIES, ":1: 'costs_ms' is empty"},
		{"costs_ms = [0, 0];" SUITES POLICIES, ":1: a cost of 0 ms after 0 ms: costs must rise"},
		{"costs_ms = [2, 1];" SUITES POLICIES, "a cost of 1 ms after 2 ms"},
		{"costs_ms = [-1];" SUITES POLICIES, "is -1, must be from 0 to"},
		{"costs_ms = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17];" SUITES POLICIES, "more than 16 costs"},
		{"costs_ms = \"1\";" SUITES POLICIES, "'costs_ms' must be"},
		{COSTS POLICIES, "missing key 'suites'"},
		{COSTS "suites = ();" POLICIES, ":2: 0 suites, must be from 1 to 32"},
		{COSTS "suites = ( { config = \"configs/canonical.cfg\"; } );" POLICIES,
		 ":2: missing key 'suites[].name'"},
		{COSTS "suites = ( { name = \"\"; config = \"configs/canonical.cfg\"; } );" POLICIES,
		 "'suites[].name' is empty"},
		{COSTS "suites = ( { name = \"a\"; } );" POLICIES, "missing key 'suites[].config'"},
		{COSTS "suites = ( { name = \"a\"; config = \"configs/nowhere.cfg\"; } );" POLICIES,
		 ":2: there is no configuration 'configs/nowhere.cfg' beside the comparison or in the data folder"},
		{COSTS "suites = ( { name = \"a\"; config = \"configs/canonical.cfg\"; seed = 1; } );" POLICIES,
		 ":2: 'seed' has no effect without a profile"},
		{COSTS "suites = ( { name = \"a\"; config = \"configs/canonical.cfg\"; profile = \"no\"; } );" POLICIES,
		 "there is no profile 'no'"},
		{COSTS "suites = ( { name = \"a\"; config = \"configs/canonical.cfg\"; },\n"
		       "{ name = \"a\"; config = \"configs/canonical.cfg\"; } );" POLICIES,
		 ":3: two suites are called 'a'"},
		{COSTS "suites = ( { name = \"a\"; confg = \"x\"; } );" POLICIES,
		 ":2: unknown key 'suites[0].confg'; did you mean 'config'?"},
		{COSTS SUITES, "missing key 'policies'"},
		{COSTS SUITES "policies = ();", ":3: 0 policies, must be from 1 to 256"},
		{COSTS SUITES "policies = ( { name = \"a\"; } );", "missing key 'policies[].policy'"},
		{COSTS SUITES "policies = ( { policy = \"sahm\"; },\n{ policy = \"sahm\"; oracle = true; } );",
		 ":4: two policies are called 'sahm': give one another 'name'"},
		{COSTS SUITES "policies = ( { policy = \"sahm\"; inertia = 1000001; } );",
		 "'policies[0].inertia' is 1000001, must be from 0 to 1000000 scheduling passes"},
		{COSTS SUITES "policies = ( { policy = \"sahm\"; set = [ 1 ]; } );",
		 "'policies[0].set[0]' must be a string, such as \"scheduler.timestep_ms=5\""},
		{COSTS SUITES POLICIES "subject = \"sam\";",
		 ":4: no policy of the comparison is called 'sam'; did you mean 'sahm'?"},
		{COSTS SUITES POLICIES "reference = \"assign\";", "no policy of the comparison is called 'assign'"},
		{COSTS SUITES POLICIES "claims = ( { above = \"sahm\"; } );",
		 ":4: the claim names no policy, and the comparison has no 'subject'"},
		{COSTS SUITES POLICIES "claims = (\n{ above = \"seer\"; policy = \"seer\"; } );",
		 "no policy is above itself: 'seer'"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { above = \"seer\"; } );",
		 "no policy is above itself: 'seer'"},
		/* A name that is not there comes before what follows from it. */
		{COSTS SUITES
		 "policies = ( { policy = \"fairr\"; } ); subject = \"fair\"; claims = ( { above = \"fair\"; } );",
		 "unknown policy 'fairr' (sahm, "},
		{COSTS SUITES "policies = ( { policy = \"fairr\"; } );", "; did you mean 'fair'?"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { above = \"seeer\"; } );",
		 "called 'seeer'; did you mean 'seer'?"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { above = \"sahm\"; suite = \"two\"; } );",
		 ":4: no suite of the comparison is called 'two'"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { } );",
		 "a claim has one of 'above', 'max_loss_points', 'min_share_pct' and 'max_below_best_points', not 0"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { max_loss_points = 1; metric = \"antt\"; } );",
		 "'metric' goes with 'above'"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { above = \"sahm\"; published = \"5 %\"; } );",
		 "'published' needs a 'source'"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { above = \"sahm\"; metric = \"jian\"; } );",
		 "no metric is called 'jian'; did you mean 'jain'?"},
		{COSTS SUITES POLICIES
		 "subject = \"seer\"; claims = ( { above = \"sahm\"; metric = \"transition_share\"; } );",
		 "neither more nor less of 'transition_share' is better"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { above = \"sahm\"; max_loss_points = 1; } );",
		 "not 2"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { min_share_pct = 1; } );",
		 "'min_share_pct' is of the reference, and the comparison has no 'reference'"},
		{COSTS SUITES POLICIES "subject = \"seer\"; claims = ( { max_loss_points = -1; } );",
		 "'claims[0].max_loss_points' is -1, must be from 0"},
		{COSTS SUITES "policies = ( { policy = \"keen\"; oracle = true; } );\n"
			      "subject = \"keen\"; claims = ( { max_below_best_points = 1; } );",
		 "'max_below_best_points' needs a policy without the oracle"},
		{COSTS SUITES POLICIES "costs_ms = 1;", "duplicate key 'costs_ms'"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct study s;
		struct sahm_err err = {0};
		if (read_text(&s, rows[i].text, &err) != SAHM_CONFIG)
			fail_msg("'%s' was not refused", rows[i].text);
		assert_int_equal(err.status, SAHM_CONFIG);
		if (!strstr(err.msg, rows[i].message) || strncmp(err.msg, FILE_NAME, strlen(FILE_NAME)) != 0)
			fail_msg("'%s' for\n%s", err.msg, rows[i].text);
	}
}

/* The study that is shipped names files that are there. */
static void test_shipped(void **state)
{
	struct study s;
	struct sahm_err err;
	(void)state;
	if (study_read(&s, "configs/studies/policies.cfg", ".", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(s.nr_costs, 7);
	assert_int_equal(s.nr_suites, 17);
	assert_string_equal(s.policies[s.subject].name, "keen");
	study_release(&s);
	assert_int_equal(study_read(&s, "configs/studies/nowhere.cfg", ".", &err), SAHM_IO);
}

TEST_FILE(test_study)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_keys),	 cmocka_unit_test(test_least),
		cmocka_unit_test(test_beside_the_study), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_shipped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
