/* Comparing policies: results that follow from given speedups, and that a comparison's runs are those of `sahm run`. */
#include "results/studies/compare.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/metrics/run_metrics.h"
#include "sim/engine/config/run.h"
#include "tests/unit/test.h"

/* Three policies, two suites, two costs. */
#define MADE                                                                                                           \
	"costs_ms = [0, 9];\n"                                                                                         \
	"suites = ( { name = \"one\"; config = \"configs/canonical.cfg\"; },\n"                                        \
	"           { name = \"two\"; config = \"configs/canonical.cfg\"; } );\n"                                      \
	"policies = ( { policy = \"sahm\"; name = \"a\"; }, { policy = \"sahm\"; name = \"b\"; },\n"                   \
	" { policy = \"sahm\"; name = \"c\"; } );\n"                                                                   \
	"subject = \"a\"; reference = \"c\";\n"                                                                        \
	"claims = ( { above = \"b\"; }, { above = \"b\"; suite = \"two\"; }, { policy = \"b\"; above = \"a\"; },\n"    \
	"           { max_loss_points = 1.5; }, { max_loss_points = 1.25; required = false; },\n"                      \
	"           { min_share_pct = 75; }, { min_share_pct = 75.5; } );\n"

static void must_read(struct study *study, const char *text)
{
	struct sahm_err err;
	if (study_read_text(study, "t.study", text, strlen(text), ".", &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static void make(struct study *study, struct comparison *c)
{
	/* in 1/64, so that all differences are exact */
	static const int speedups[2][3][2] = {{{12, 11}, {10, 11}, {16, 8}}, {{12, 4}, {8, 2}, {-4, 1}}};
	must_read(study, MADE);
	assert_int_equal(compare_init(study, c, NULL), SAHM_OK);
	for (uint32_t s = 0; s < 2; s++)
		for (uint32_t p = 0; p < 3; p++)
			for (uint32_t i = 0; i < 2; i++)
				*compare_cell(c, s, p, i) =
					(struct compare_cell){.metrics = {.speedup_mean = speedups[s][p][i] / 64.0,
									  .migrations_per_s = 10 * p + i,
									  .jain = 0.5}};
	c->traces[1] = (struct trace_counts){.nr = 2, .nr_synthetic = 1};
	c->traces[0] = (struct trace_counts){.nr = 2};
	compare_judge(c);
}

static void end(struct study *study, struct comparison *c)
{
	compare_release(c);
	study_release(study);
}

static void test_differences(void **state)
{
	struct study study;
	struct comparison c;
	(void)state;
	make(&study, &c);
	assert_true(compare_loss(&c, 0, 0) == 1 / 64.0);
	assert_true(compare_loss(&c, 0, 1) == -1 / 64.0);
	assert_true(compare_share(&c, 0, 0, 2) == 0.75);
	assert_true(compare_share(&c, 0, 2, 2) == 1);
	assert_true(isnan(compare_share(&c, 1, 0, 2))); /* of a reference that reaches nothing */
	end(&study, &c);
}

/* Losses count like wins, and what is equal is neither. */
static void test_records(void **state)
{
	struct study study;
	struct comparison c;
	(void)state;
	make(&study, &c);
	struct compare_record r = compare_against(&c, 0, 1, 0, 2);
	assert_int_equal(r.won, 3);
	assert_int_equal(r.lost, 0);
	assert_int_equal(r.even, 1);
	assert_true(r.margin == 0 && r.suite == 0 && r.cost == 1);
	r = compare_against(&c, 1, 0, 0, 2);
	assert_int_equal(r.won, 0);
	assert_int_equal(r.lost, 3);
	assert_true(r.margin == -4 / 64.0 && r.suite == 1 && r.cost == 0);
	r = compare_against(&c, 0, 2, 0, 1);
	assert_true(r.won == 1 && r.lost == 1 && r.even == 0 && r.margin == -4 / 64.0 && r.cost == 0);
	end(&study, &c);
}

/* Both sides of each claim's edge; "above" is above at every cost. */
static void test_claims(void **state)
{
	static const bool holds[] = {false, true, false, false, false, true, false};
	struct study study;
	struct comparison c;
	(void)state;
	make(&study, &c);
	assert_int_equal(study.nr_claims, ARRAY_SIZE(holds));
	/* a loses 1/64, which is 1.5625 points */
	for (uint32_t i = 0; i < study.nr_claims; i++)
		if (c.verdicts[i].holds != holds[i])
			fail_msg("claim %u", i);
	assert_int_equal(compare_nr_broken(&c), 4); /* of five that do not hold, one is only wanted */
	study.claims[3].bound = 1.5625;
	compare_judge(&c);
	assert_true(c.verdicts[3].holds);
	compare_cell(&c, 0, 1, 1)->metrics.speedup_mean = 10 / 64.0;
	compare_judge(&c);
	assert_true(c.verdicts[0].holds && c.verdicts[0].value == 1 / 64.0 && c.verdicts[0].worst == 1);
	compare_cell(&c, 0, 1, 1)->metrics.speedup_mean = NAN;
	compare_judge(&c);
	assert_false(c.verdicts[0].holds); /* nothing is above what is not there */
	end(&study, &c);
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in\n%s", part, text);
}

/* A claim about the best of those who do not have the oracle, and claims of publications in other metrics, where less
 * may be better. */
static void test_other_claims(void **state)
{
	static const char text[] =
		"costs_ms = [0, 9];\n"
		"suites = ( { name = \"one\"; config = \"configs/canonical.cfg\"; } );\n"
		"policies = ( { policy = \"sahm\"; }, { policy = \"fair\"; }, { policy = \"keen\"; oracle = true; } );\n"
		"subject = \"sahm\";\n"
		"claims = ( { max_below_best_points = 3.125; }, { max_below_best_points = 3; },\n"
		"  { policy = \"keen\"; max_below_best_points = 0; },\n"
		"  { above = \"fair\"; metric = \"antt\"; source = \"A, 2012\"; published = \"5 %\"; },\n"
		"  { above = \"fair\"; metric = \"jain\"; source = \"B, 2013\"; } );\n";
	static const double speedups[3][2] = {{2 / 64.0, 4 / 64.0}, {1 / 64.0, 6 / 64.0}, {8 / 64.0, 8 / 64.0}};
	static const double antts[3][2] = {{1, 1.5}, {1.25, 1.625}, {1, 1}};
	static const bool holds[] = {true, false, true, true, false};
	struct study study;
	struct comparison c;
	struct textbuf out;
	(void)state;
	must_read(&study, text);
	assert_int_equal(compare_init(&study, &c, NULL), SAHM_OK);
	for (uint32_t p = 0; p < 3; p++)
		for (uint32_t i = 0; i < 2; i++)
			compare_cell(&c, 0, p, i)->metrics =
				(struct run_metrics){.speedup_mean = speedups[p][i], .antt = antts[p][i], .jain = 0.5};
	compare_judge(&c);
	for (uint32_t i = 0; i < ARRAY_SIZE(holds); i++)
		if (c.verdicts[i].holds != holds[i])
			fail_msg("claim %u", i);
	/* One required claim does not hold; what publications claim is never required. */
	assert_int_equal(compare_nr_broken(&c), 1);
	assert_true(c.verdicts[0].value == 2 / 64.0 && c.verdicts[0].worst == 1);
	assert_true(c.verdicts[2].value == -2 / 64.0); /* the oracle's are above the best of the others */
	assert_true(c.verdicts[3].value == 0.125 && c.verdicts[3].worst == 1);
	struct compare_summary sum = compare_summarize(&c, 0);
	assert_true(sum.speedup == 3 / 64.0 && sum.jain == 0.5 && sum.below_best == 2 / 64.0 && sum.cost == 1);
	assert_true(compare_summarize(&c, 1).below_best == 1 / 64.0);
	textbuf_init(&out);
	assert_true(compare_text(&c, "t.study", false, &out));
	expect(out.text, "sahm better than fair in 'turnaround, ANTT' at every cost on one          holds ");
	expect(out.text, "+0.1250, at 9 ms                5 %  A, 2012\n");
	expect(out.text, "+0.0000, at 0 ms  (no number found)  B, 2013\n");
	expect(out.text,
	       "DOES NOT HOLD   required  sahm at most 3 points below the best policy without the oracle on one: "
	       "3.125 points, at 9 ms\n");
	textbuf_release(&out);
	end(&study, &c);
}

static void test_text(void **state)
{
	struct study study;
	struct comparison c;
	struct textbuf out;
	(void)state;
	make(&study, &c);
	textbuf_init(&out);
	assert_true(compare_text(&c, "t.study", false, &out));
	expect(out.text, "policies   3, on 2 suites, with 2 costs of a migration: 12 runs\n");
	expect(out.text, "\ntwo, synthetic\n");
	expect(out.text, "\none\n");
	expect(out.text, "suites of synthetic traces, which are not measurements: 1 of 2\n");
	expect(out.text, " -6.25 ");
	expect(out.text, "3:0 (1 even)  ");
	expect(out.text, "+0.000, 9 ms, one\n");
	expect(out.text,
	       "DOES NOT HOLD   required  a above b at every cost on one: smallest margin +0.000 points, at 9 ms\n");
	expect(out.text,
	       "holds           required  a above b at every cost on two, synthetic: smallest margin +3.125 points");
	expect(out.text, "DOES NOT HOLD   wanted    a loses at most 1.25 points from 0 to 9 ms on one: 1.562 points\n");
	expect(out.text, "holds           required  a reaches at least 75 % of c at 0 ms on one: 75.00 %\n");
	textbuf_release(&out);
	end(&study, &c);
}

/* Traces of nominal time: no suite's (above), some suites', all suites'; with synthetic ones, and where a name says so.
 */
static void test_nominal(void **state)
{
	struct study study;
	struct comparison c;
	struct textbuf out;
	(void)state;
	make(&study, &c);
	textbuf_init(&out);
	assert_true(compare_text(&c, "t.study", false, &out));
	assert_null(strstr(out.text, "nominal"));
	textbuf_release(&out);
	textbuf_init(&out);
	c.traces[0].nr_nominal = 1;
	assert_true(compare_text(&c, "t.study", false, &out));
	expect(out.text, "\none, assumed time base\n");
	expect(out.text, "\ntwo, synthetic\n");
	expect(out.text, "suites of traces with an assumed time base: 1 of 2\n");
	expect(out.text, "+0.000, 9 ms, one, assumed time base\n");
	expect(out.text, "a above b at every cost on one, assumed time base: smallest");
	textbuf_release(&out);
	textbuf_init(&out);
	c.traces[1].nr_nominal = 2;
	assert_true(compare_text(&c, "t.study", false, &out));
	expect(out.text, "\ntwo, synthetic, assumed time base\n");
	expect(out.text, "suites of traces with an assumed time base: 2 of 2\n");
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(compare_csv(&c, &out));
	expect(out.text, "scope,suite,synthetic,nominal_time,policy,");
	expect(out.text, "\nrun,two,true,true,c,");
	textbuf_release(&out);
	textbuf_init(&out);
	study.suites[0].name = "all nominal";
	compare_write_suite(&c, 0, &out);
	assert_string_equal(out.text, "all nominal");
	textbuf_release(&out);
	end(&study, &c);
}

static void test_csv(void **state)
{
	struct study study;
	struct comparison c;
	struct textbuf out;
	unsigned columns = 0, fields = 0, rows = 0;
	(void)state;
	make(&study, &c);
	textbuf_init(&out);
	assert_true(compare_csv(&c, &out));
	for (const char *p = out.text; *p != '\n'; p++)
		columns += *p == ',';
	bool quoted = false;
	for (const char *p = out.text; *p; p++) {
		quoted ^= *p == '"';
		fields += *p == ',' && !quoted;
		if (*p != '\n')
			continue;
		assert_int_equal(fields, columns);
		fields = 0;
		rows++;
	}
	assert_int_equal(rows, 1 + 12 + 6 + 4 + 7);
	expect(out.text, "\nrun,two,true,false,c,,9,0.015625,21,0,0,,,,,,,,,,,0.046875,0.5,,\n");
	expect(out.text, "\npolicy,one,false,false,a,c,,,,,,0.015625,0.75,,,,,,,,,,,,\n");
	expect(out.text, "\nagainst,one,false,false,a,b,,,,,,,,1,0,1,0,,,,,,,,\n");
	expect(out.text, "\nclaim,one,false,false,a,b,,,,,,,,,,,,a above b at every cost on one,true,false,0,,,,\n");
	textbuf_release(&out);
	end(&study, &c);
}

static void test_json(void **state)
{
	struct study study;
	struct comparison c;
	struct textbuf out;
	json_error_t where;
	(void)state;
	make(&study, &c);
	textbuf_init(&out);
	assert_true(compare_json(&c, &out));
	json_t *root = json_loads(out.text, JSON_REJECT_DUPLICATES, &where);
	if (!root)
		fail_msg("line %d: %s", where.line, where.text);
	assert_string_equal(json_string_value(json_object_get(root, "subject")), "a");
	assert_string_equal(json_string_value(json_object_get(root, "reference")), "c");
	const json_t *suite = json_array_get(json_object_get(root, "suites"), 1);
	assert_true(json_is_true(json_object_get(suite, "synthetic")));
	assert_true(json_is_false(json_object_get(suite, "nominal_time")));
	assert_int_equal(json_array_size(json_object_get(suite, "against")), 2);
	const json_t *policy = json_array_get(json_object_get(suite, "policies"), 2);
	assert_true(json_is_number(json_object_get(policy, "loss")) && json_is_null(json_object_get(policy, "share")));
	const json_t *run = json_array_get(json_object_get(policy, "runs"), 1);
	assert_true(json_number_value(json_object_get(run, "speedup")) == 1 / 64.0);
	assert_int_equal(json_array_size(json_object_get(root, "claims")), 7);
	json_decref(root);
	textbuf_release(&out);
	end(&study, &c);
}

static void test_list(void **state)
{
	struct study study;
	struct textbuf out;
	(void)state;
	must_read(&study, "costs_ms = [0.5, 9.0]; suites = ( { name = \"one\"; config = \"configs/canonical.cfg\"; } );"
			  "policies = ( { policy = \"static\"; name = \"a\"; } );");
	textbuf_init(&out);
	compare_list(&study, &out);
	assert_string_equal(out.text, "one: a, 0.5 ms\none: a, 9 ms\n2 runs\n");
	textbuf_release(&out);
	study_release(&study);
}

static void count_run(void *ctx, uint64_t nr_done, uint64_t nr_runs)
{
	uint64_t *seen = ctx;
	assert_int_equal(nr_done, seen[0] + 1);
	assert_true(nr_done <= nr_runs);
	seen[0] = nr_done;
	seen[1] = nr_runs;
}

static void compare(struct study *study, const char *text, struct comparison *c)
{
	struct sahm_err err = {0};
	uint64_t seen[2] = {0, 1};
	must_read(study, text);
	if (compare_run(study, ".", &(struct compare_watch){count_run, seen}, c, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	/* Every run was reported, up to the last one. */
	assert_int_equal(seen[0], (uint64_t)study->nr_suites * study->nr_policies * study->nr_costs);
	assert_int_equal(seen[1], seen[0]);
}

/* The mean speedup of a configuration with these settings. */
static double speedup_of(const char *path, const char *const *settings, size_t nr)
{
	struct run_config config;
	struct run_result result;
	struct run_metrics m;
	assert_int_equal(run_config_load(&config, path, settings, nr, ".", NULL), SAHM_OK);
	assert_int_equal(run_execute(&config, SIM_EVENT, &result, NULL), SAHM_OK);
	assert_int_equal(run_metrics_of(&result, &m, NULL), SAHM_OK);
	run_result_release(&result);
	run_config_release(&config);
	return m.speedup_mean;
}

/* A cell is what `sahm run` finds with the same settings; the policy's own win. */
static void test_runs(void **state)
{
	static const char text[] =
		"costs_ms = [0, 9];"
		"suites = ( { name = \"one\"; config = \"configs/realistic-39.cfg\";"
		"             set = [ \"workload.duration_ms=3000\", \"scheduler.inertia=4\" ]; } );"
		"policies = ( { policy = \"sahm\"; }, { policy = \"sahm\"; name = \"free\"; inertia = 0; },"
		" { policy = \"sahm\"; name = \"seer\"; oracle = true; set = [ \"scheduler.inertia=2\" ]; } );";
	static const char *const settings[3][4] = {
		{"workload.duration_ms=3000", "migration.cost_ms=9", "scheduler.inertia=4", "scheduler.oracle=false"},
		{"workload.duration_ms=3000", "migration.cost_ms=9", "scheduler.inertia=0", "scheduler.oracle=false"},
		{"workload.duration_ms=3000", "migration.cost_ms=9", "scheduler.inertia=2", "scheduler.oracle=true"},
	};
	struct study study;
	struct comparison c;
	(void)state;
	compare(&study, text, &c);
	assert_int_equal(c.traces[0].nr_synthetic, 0);
	assert_int_equal(c.traces[0].nr_nominal, c.traces[0].nr);
	for (uint32_t p = 0; p < 3; p++) {
		assert_true(compare_cell(&c, 0, p, 1)->metrics.speedup_mean ==
			    speedup_of("configs/realistic-39.cfg", settings[p], 4));
		assert_true(compare_cell(&c, 0, p, 0)->metrics.speedup_mean !=
			    compare_cell(&c, 0, p, 1)->metrics.speedup_mean);
		assert_true(compare_cell(&c, 0, p, 1)->metrics.migrations_per_s > 0);
	}
	end(&study, &c);
}

/* A suite from a profile has separate traces: those of the profile's seed are the shipped ones, others are not, and
 * all are synthetic. */
static void test_generated(void **state)
{
	static const char text[] =
		"costs_ms = 1;"
		"suites = ("
		" { name = \"shipped\"; config = \"configs/synthetic-39.cfg\"; set = [ \"workload.duration_ms=4000\" "
		"]; },"
		" { name = \"same\"; config = \"configs/synthetic-39.cfg\"; set = [ \"workload.duration_ms=4000\" ];"
		"   profile = \"workloads/suites/synthetic/spec2017.profile\"; },"
		" { name = \"other\"; config = \"configs/synthetic-39.cfg\"; set = [ \"workload.duration_ms=4000\" ];"
		"   profile = \"workloads/suites/synthetic/spec2017.profile\"; seed = 7; } );"
		"policies = ( { policy = \"sahm\"; }, { policy = \"static\"; } );";
	struct study study;
	struct comparison c;
	(void)state;
	compare(&study, text, &c);
	for (uint32_t p = 0; p < 2; p++) {
		assert_true(compare_cell(&c, 0, p, 0)->metrics.speedup_mean ==
			    compare_cell(&c, 1, p, 0)->metrics.speedup_mean);
		assert_true(compare_cell(&c, 0, p, 0)->metrics.speedup_mean !=
			    compare_cell(&c, 2, p, 0)->metrics.speedup_mean);
	}
	for (uint32_t s = 0; s < 3; s++) {
		assert_true(c.traces[s].nr_synthetic > 0);
		assert_int_equal(c.traces[s].nr_nominal, 0);
	}
	end(&study, &c);
}

/* Errors are reported with their line, before any run, and in dry runs. */
static void test_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"costs_ms = 1; suites = ( { name = \"one\"; config = \"configs/canonical.cfg\"; } );\n"
		 "policies = ( { policy = \"static\"; },\n { policy = \"./no/such.so\"; } );",
		 "t.study:3: policy 'such', suite 'one': "},
		{"costs_ms = 1; suites = ( { name = \"one\"; config = \"configs/canonical.cfg\"; } );\n"
		 "policies = ( { policy = \"static\"; set = [ \"scheduler.inertai=1\" ]; } );",
		 "did you mean 'scheduler.inertia'?"},
		{"costs_ms = 1;\nsuites = ( { name = \"one\"; config = \"configs/canonical.cfg\";\n"
		 " profile = \"workloads/suites/synthetic/phone.profile\"; } ); policies = ( { policy = \"static\"; } );",
		 "t.study:2: suite 'one': profile 'workloads/suites/synthetic/phone.profile' has no benchmark 'cc1'"},
		{"costs_ms = 1; suites = ( { name = \"one\"; config = \"configs/canonical.cfg\";\n"
		 " profile = \"configs/canonical.cfg\"; } ); policies = ( { policy = \"static\"; } );",
		 "not a profile"},
		{"costs_ms = 1; suites = ( { name = \"one\"; config = \"configs/canonical.cfg\";\n"
		 " set = [ \"chip.cores=({type=\\\"baseline\\\";},{type=\\\"general\\\";})\",\n"
		 "         \"migration={matrix_ms=((0,1),(1,0));}\" ]; } ); policies = ( { policy = \"static\"; } );",
		 "migration.matrix_ms says what every migration costs"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct study study;
		struct comparison c;
		struct sahm_err err = {0};
		must_read(&study, rows[i].text);
		if (compare_run(&study, ".", NULL, &c, &err) != SAHM_CONFIG)
			fail_msg("%s", rows[i].text);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("'%s' for\n%s", err.msg, rows[i].text);
		struct sahm_err checked = {0};
		assert_int_equal(compare_check(&study, ".", &checked), SAHM_CONFIG);
		assert_string_equal(checked.msg, err.msg);
		study_release(&study);
	}
}

TEST_FILE(test_compare)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences), cmocka_unit_test(test_records), cmocka_unit_test(test_claims),
		cmocka_unit_test(test_text),	    cmocka_unit_test(test_nominal), cmocka_unit_test(test_csv),
		cmocka_unit_test(test_json),	    cmocka_unit_test(test_list),    cmocka_unit_test(test_runs),
		cmocka_unit_test(test_generated),   cmocka_unit_test(test_refused), cmocka_unit_test(test_other_claims),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
