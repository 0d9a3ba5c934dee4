/* Claims of a reproduction as tables, CSV and JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/studies/claims_report.h"
#include "tests/unit/results/studies/table_lines.h"

static struct claim_result results[NR_CLAIMS];
static bool chosen[NR_CLAIMS];
static struct claims_shown shown;

static void found(enum claim claim, double ours)
{
	results[claim] = claim_judge(claim, ours, 1);
}

/* All claims of the paper hold: the expected value was found, or 1 more or less. */
static int make_results(void **state)
{
	(void)state;
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		enum claim_judged judged = claim_rows[c].judged;
		double more = judged == JUDGED_ABOVE ? 1 : judged == JUDGED_BELOW ? -1 : 0;
		found((enum claim)c, strtod(claim_rows[c].expected, NULL) + more);
		assert_true(results[c].holds);
		chosen[c] = claim_rows[c].whose == CLAIMS_PAPER;
	}
	shown = (struct claims_shown){results, chosen, true, true, false};
	return 0;
}

static void test_text(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"claims of the paper, compared with synthetic traces\n",
		"id claim paper ours tolerance kind basis verdict\n",
		"4.2 time in Low 8 % 8.62 % +-0.5 required fitted misses\n",
		"4.4 nab: time in Low above 50 % none - required fitted misses\n",
		"4.3 the paper's six states among the six most occupied 6 6 none required fitted holds\n",
		"t4.3 25th percentile of l1i_mpki 0.004 MPKI 0.0040 MPKI +-10 % required fitted holds\n",
		"4.7 upper bound of the canonical chip: mean speedup 27 % 27.00 % +-0.5 required implied holds\n",
		"4.10 All-30 %, Ideal: mean speedup 20 % 18.70 % +-2 reported predicted holds\n",
		"4.10 All-30 %: lead of Oracle over Ideal below 1 point 0.00 points - reported predicted holds\n",
		"4.10 All-30 %: part of the cost of 1 ms that inertia recovers above 50 % 10.50 % - reported predicted "
		"misses\n",
		"4.10 All-30 %: lead of Ideal over Inertia+9ms at most 1.5 points 1.50 points - reported predicted "
		"holds\n",
		"4.10 matched share, the farthest of 3 chips in 6 settings 70 % 71.00 % (served 63.50) +-4 reported "
		"predicted holds\n",
		"A.3 configurations in the figure 255 255 none shown implied shown\n",
		"id predicted ours 95 % known verdict\n",
		"4.10 All-30 %, Ideal: mean speedup 18.70 % 18.25 to 19.12 18.7196 +-0.05 as known\n",
		"4.10 matched share, the farthest of 3 chips in 6 settings 71.00 % - 71.4445 +-0.05 differs\n",
		"29 of 31 required claims hold, 36 of 37 reported claims hold, 1 of 1 figure is complete; 1 of 37 "
		"predicted values are as known\n",
		NULL,
	};
	struct textbuf out;
	found(CLAIM_LOW_SHARE, 8.62);
	found(CLAIM_NAB, NAN);
	found(CLAIM_RUN_RECOVERED, 10.5);
	found(CLAIM_RUN_IDEAL, 18.7);
	results[CLAIM_RUN_IDEAL].low = 18.25;
	results[CLAIM_RUN_IDEAL].high = 19.125;
	found(CLAIM_RUN_MATCHED, 71);
	results[CLAIM_RUN_MATCHED].served = 63.5;
	textbuf_init(&out);
	assert_true(claims_table_text(&shown, false, &out));
	squeeze(&out);
	expect_lines(&out, lines);
	assert_null(strstr(out.text, "ours difference"));
	textbuf_release(&out);
	shown.synthetic = false;
	textbuf_init(&out);
	assert_true(claims_table_text(&shown, false, &out));
	assert_null(strstr(out.text, "synthetic"));
	assert_null(strstr(out.text, "nominal"));
	textbuf_release(&out);
	shown.nominal = true;
	textbuf_init(&out);
	assert_true(claims_table_text(&shown, false, &out));
	expect_lines(&out, (const char *const[]){
				   "claims of the paper, compared with traces with an assumed time base\n", NULL});
	textbuf_release(&out);
	shown.is_target = false;
	textbuf_init(&out);
	assert_true(claims_table_text(&shown, false, &out));
	expect_lines(&out, (const char *const[]){
				   "the paper's values beside ours; some traces have an assumed time base\n", NULL});
	textbuf_release(&out);
}

/* Below the table: the reported claims that miss, and nobody else, in lines of at most 100 characters. */
static void test_reasons(void **state)
{
	(void)state;
	struct textbuf out, reason;
	found(CLAIM_LOW_SHARE, 9);
	found(CLAIM_SPACE_FIGURE, 254);
	found(CLAIM_RUN_RECOVERED, 10);
	found(CLAIM_RUN_MATCHED, NAN);
	found(CLAIM_RUN_IDEAL, 1);
	chosen[CLAIM_RUN_IDEAL] = false;
	textbuf_init(&out);
	textbuf_init(&reason);
	assert_true(claims_table_text(&shown, false, &out));
	char *below = strstr(out.text, "\n\n4.10 ");
	assert_non_null(below);
	/* Wrapped, and otherwise as it stands. */
	for (char *line = below + 2, *end; (end = strchr(line, '\n')); line = end + 1)
		assert_true(end - line <= 100);
	for (size_t i = (size_t)(below - out.text); i + 1 < out.len; i++)
		if (out.text[i] == '\n' && out.text[i + 1] == ' ')
			out.text[i] = ' ';
	squeeze(&out);
	textbuf_printf(&reason, "\n\n4.10 %s: %s\n\n4.10 %s: It is not known: there is nothing to measure it by.\n",
		       claim_rows[CLAIM_RUN_RECOVERED].text, claim_rows[CLAIM_RUN_RECOVERED].why,
		       claim_rows[CLAIM_RUN_MATCHED].text);
	below = strstr(out.text, "\n\n4.10 ");
	assert_string_equal(below, reason.text);
	textbuf_release(&out);
	textbuf_release(&reason);
}

/* Values only, of other traces: no verdict, no reason, nothing broken. */
static void test_context(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"the paper's values beside ours\n",
		"id claim paper ours\n",
		"4.2 time in Low 8 % 20.00 %\n",
		"4.10 All-30 %, Ideal: mean speedup 20 % 3.00 %\n",
		"A.3 configurations in the figure 255 255\n",
		"the paper's values are about other traces: nothing is checked\n",
		NULL,
	};
	struct textbuf out;
	found(CLAIM_LOW_SHARE, 20);
	found(CLAIM_RUN_IDEAL, 3);
	shown.is_target = shown.synthetic = false;
	textbuf_init(&out);
	assert_true(claims_table_text(&shown, false, &out));
	squeeze(&out);
	expect_lines(&out, lines);
	assert_null(strstr(out.text, " holds"));
	assert_null(strstr(out.text, claim_rows[CLAIM_RUN_IDEAL].why));
	assert_int_equal(claims_nr_broken(&shown), 0);
	assert_null(claims_why(&shown, CLAIM_RUN_IDEAL));
	textbuf_release(&out);
}

/* Only required claims break a reproduction, and only those that were chosen. */
static void test_broken(void **state)
{
	(void)state;
	assert_int_equal(claims_nr_broken(&shown), 0);
	found(CLAIM_RUN_IDEAL, 0);
	found(CLAIM_SPACE_FIGURE, 0);
	found(CLAIM_STEADY, 0);
	assert_int_equal(claims_nr_broken(&shown), 0);
	found(CLAIM_LIMIT, 26.4);
	found(CLAIM_BRANCH_0, NAN);
	assert_int_equal(claims_nr_broken(&shown), 2);
	chosen[CLAIM_LIMIT] = false;
	assert_int_equal(claims_nr_broken(&shown), 1);
}

static void expect_count(const char *wanted)
{
	struct textbuf out;
	textbuf_init(&out);
	claims_write_count(&shown, &out);
	assert_string_equal(out.text, wanted);
	textbuf_release(&out);
}

static void test_count(void **state)
{
	(void)state;
	memset(chosen, 0, sizeof(chosen));
	expect_count("no claims");
	chosen[CLAIM_LIMIT] = true;
	expect_count("1 of 1 required claim holds");
	found(CLAIM_SPACE_FIGURE, 254);
	chosen[CLAIM_SPACE_FIGURE] = true;
	expect_count("1 of 1 required claim holds, 0 of 1 figure is complete");
	assert_string_equal(claims_verdict(&shown, CLAIM_SPACE_FIGURE), "misses");
	assert_null(claims_why(&shown, CLAIM_SPACE_FIGURE));
	chosen[CLAIM_LIMIT] = chosen[CLAIM_SPACE_FIGURE] = false;
	chosen[CLAIM_RUN_IDEAL] = chosen[CLAIM_RUN_ORACLE] = true;
	expect_count("2 of 2 reported claims hold; 0 of 2 predicted values are as known");
	found(CLAIM_RUN_IDEAL, 18.72);
	expect_count("2 of 2 reported claims hold; 1 of 2 predicted values are as known");
	assert_string_equal(claims_known_verdict(&shown, CLAIM_RUN_IDEAL), "as known");
	assert_string_equal(claims_known_verdict(&shown, CLAIM_RUN_ORACLE), "differs");
	assert_null(claims_known_verdict(&shown, CLAIM_LIMIT));
	assert_int_equal(claims_nr_changed(&shown), 1);
	shown.is_target = false;
	assert_null(claims_known_verdict(&shown, CLAIM_RUN_IDEAL));
	assert_int_equal(claims_nr_changed(&shown), 0);
}

static void test_csv(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"id,source,claim,unit,judged,expected,tolerance,ours,low,high,served_pct,kind,basis,verdict,known,"
		"known_tolerance,known_verdict,synthetic,nominal_time\n",
		"4.2,figure 4.2 in section 4.2,time in "
		"Low,%,within,8,0.5,8.625,,,,required,fitted,misses,,,\"\",yes,no\n",
		"4.4,figure 4.4 in section 4.2,nab: time in Low,%,above,50,,,,,,required,fitted,misses,,,\"\",yes,no\n",
		"4.10,section 4.6 on figure 4.10,All-30 %: lead of Oracle over "
		"Ideal,points,below,1,,0,-0.25,0.25,,reported,predicted,holds,0.1313,0.02,differs,yes,no\n",
		"A.3,figure A.3 in appendix A.2,configurations in the "
		"figure,\"\",exactly,255,,255,,,,shown,implied,shown,,,\"\",yes,no\n",
		NULL,
	};
	struct textbuf out;
	found(CLAIM_LOW_SHARE, 8.625);
	found(CLAIM_NAB, NAN);
	results[CLAIM_RUN_ORACLE].low = -0.25;
	results[CLAIM_RUN_ORACLE].high = 0.25;
	textbuf_init(&out);
	assert_true(claims_table_csv(&shown, &out));
	expect_lines(&out, lines);
	assert_int_equal(nr_lines(&out), 69 + 1);
	textbuf_release(&out);
	memset(chosen, 0, sizeof(chosen));
	chosen[CLAIM_LOW_SHARE] = true;
	shown.synthetic = shown.is_target = false;
	shown.nominal = true;
	textbuf_init(&out);
	assert_true(claims_table_csv(&shown, &out));
	expect_lines(&out, (const char *const[]){"4.2,figure 4.2 in section 4.2,time in "
						 "Low,%,within,8,0.5,8.625,,,,required,fitted,context,,,\"\",no,yes\n",
						 NULL});
	assert_int_equal(nr_lines(&out), 2);
	textbuf_release(&out);
}

static void test_json(void **state)
{
	(void)state;
	static const char wanted[] =
		"{ \"claims\": [ { "
		"\"id\": \"4.4\", \"source\": \"figure 4.4 in section 4.2\", \"claim\": \"nab: time in Low\", "
		"\"unit\": \"%\", \"judged\": \"above\", \"expected\": 50.0, \"tolerance\": null, "
		"\"ours\": null, \"low\": null, \"high\": null, \"served_pct\": null, \"kind\": \"required\", "
		"\"basis\": \"fitted\", \"verdict\": \"misses\", "
		"\"synthetic\": true, \"nominal_time\": false }, { "
		"\"id\": \"4.10\", \"source\": \"figure 4.10 in section 4.6\", "
		"\"claim\": \"All-30 %, Ideal: mean speedup\", "
		"\"unit\": \"%\", \"judged\": \"within\", \"expected\": 20.0, \"tolerance\": 2.0, "
		"\"ours\": 10.5, \"low\": null, \"high\": null, \"served_pct\": null, \"kind\": \"reported\", "
		"\"basis\": \"predicted\", \"verdict\": \"misses\", "
		"\"known\": 18.7196, \"known_tolerance\": 0.05, \"known_verdict\": \"differs\", "
		"\"synthetic\": true, \"nominal_time\": false, \"why\": \"";
	struct textbuf out;
	memset(chosen, 0, sizeof(chosen));
	chosen[CLAIM_NAB] = chosen[CLAIM_RUN_IDEAL] = true;
	found(CLAIM_NAB, NAN);
	found(CLAIM_RUN_IDEAL, 10.5);
	textbuf_init(&out);
	assert_true(claims_table_json(&shown, &out));
	for (size_t i = 0; i < out.len; i++)
		if (out.text[i] == '\n')
			out.text[i] = ' ';
	squeeze(&out);
	if (strncmp(out.text, wanted, strlen(wanted)) != 0)
		fail_msg("%s", out.text);
	assert_non_null(strstr(out.text, claim_rows[CLAIM_RUN_IDEAL].why));
	textbuf_release(&out);
	found(CLAIM_RUN_IDEAL, 20);
	textbuf_init(&out);
	assert_true(claims_table_json(&shown, &out));
	assert_null(strstr(out.text, "\"why\""));
	textbuf_release(&out);
}

/* When memory is short a report says so. */
static void test_no_memory(void **state)
{
	(void)state;
	struct textbuf out;
	textbuf_init(&out);
	out.failed = true;
	assert_false(claims_table_text(&shown, true, &out));
	assert_false(claims_table_csv(&shown, &out));
	assert_false(claims_table_json(&shown, &out));
	textbuf_release(&out);
}

#define FRESH(test) cmocka_unit_test_setup(test, make_results)

TEST_FILE(test_claims_table)
{
	const struct CMUnitTest tests[] = {
		FRESH(test_text),  FRESH(test_reasons), FRESH(test_context), FRESH(test_broken),
		FRESH(test_count), FRESH(test_csv),	FRESH(test_json),    FRESH(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
