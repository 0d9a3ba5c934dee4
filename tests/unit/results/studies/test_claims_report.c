/* Claims as tables and as CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/studies/claims_report.h"
#include "tests/unit/results/studies/table_lines.h"

/* Of traces, and not in these reports. */
#define NR_PREDICTED 2

/* Every claim holds: the expected value was found, or 1 more. */
static void make_results(struct claim_result results[NR_CLAIMS])
{
	for (unsigned c = 0; c < NR_CLAIMS; c++) {
		double more = claim_rows[c].judged == JUDGED_ABOVE ? 1 : 0;
		results[c] = claim_judge((enum claim)c, strtod(claim_rows[c].expected, NULL) + more, 1);
	}
}

static void miss(struct claim_result *result, double ours)
{
	*result = (struct claim_result){ours, NAN, NAN, NAN, !isnan(ours), false};
}

/* Runs of blanks become one, so that only the words count. */
static void test_text(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"claims of the paper, compared with synthetic traces\n",
		"id claim paper ours tolerance verdict\n",
		"4.2 time in Low 8 % 8.62 % +-0.5 misses\n",
		"4.2 p25: time with two or more components stressed above 50 % 51.00 % - holds\n",
		"4.3 the paper's six states among the six most occupied 6 6 none holds\n",
		"4.4 nab: time in Low above 50 % none - misses\n",
		"t4.3 25th percentile of l1i_mpki 0.004 MPKI 0.0040 MPKI +-10 % holds\n",
		"4.9 25th percentile of Branch-0 % against 5 % everywhere at least 3 x 3.00 x - holds\n",
		"ours difference in states of the two most similar traces - 2.00 points at least 2 points holds\n",
		"ours traces that change state in more than a third of their epochs - 3 at least 3 holds\n",
		"32 of 34 claims hold\n",
		NULL,
	};
	struct claim_result results[NR_CLAIMS];
	struct textbuf out;
	make_results(results);
	miss(&results[CLAIM_LOW_SHARE], 8.62);
	miss(&results[CLAIM_NAB], NAN);
	textbuf_init(&out);
	assert_true(claims_report_text(results, true, false, &out));
	squeeze(&out);
	expect_lines(&out, lines);
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(claims_report_text(results, false, false, &out));
	assert_null(strstr(out.text, "synthetic"));
	textbuf_release(&out);
}

static void test_csv(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"id,whose,source,claim,unit,judged,expected,tolerance,ours,holds,synthetic\n",
		"4.2,paper,figure 4.2 in section 4.2,time in Low,%,within,8,0.5,8.625,no,yes\n",
		"4.3,paper,figure 4.3 in section 4.2,the paper's six states among the six most "
		"occupied,\"\",exactly,6,,6,"
		"yes,yes\n",
		"4.4,paper,figure 4.4 in section 4.2,nab: time in Low,%,above,50,,,no,yes\n",
		"t4.3,paper,table 4.3 in section 4.2,25th percentile of l2_pct,%,relative,3.64,10,3.64,yes,yes\n",
		"ours,ours,\"\",traces with more than half of their time in one state,\"\",at least,3,,3,yes,yes\n",
		NULL,
	};
	struct claim_result results[NR_CLAIMS];
	struct textbuf out;
	make_results(results);
	miss(&results[CLAIM_LOW_SHARE], 8.625);
	miss(&results[CLAIM_NAB], NAN);
	textbuf_init(&out);
	assert_true(claims_report_csv(results, true, &out));
	expect_lines(&out, lines);
	assert_int_equal(nr_lines(&out), claims_nr_from(CLAIMS_OF_TRACES) - NR_PREDICTED + 1);
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(claims_report_csv(results, false, &out));
	expect_lines(&out,
		     (const char *const[]){
			     "4.2,paper,figure 4.2 in section 4.2,time in Low,%,within,8,0.5,8.625,no,no\n", NULL});
	textbuf_release(&out);
}

/* A claim holds when it does with every seed; each seed shows what was found. */
static void test_seeds(void **state)
{
	(void)state;
	static const char *const text_lines[] = {
		"claims of the paper, compared with synthetic traces of 3 seeds, a column each; tolerances times 2\n",
		"id claim paper 1 18446744073709551615 7 tolerance verdict\n",
		"4.2 time in Low 8 % 8.00 9.25 8.00 +-1 misses\n",
		"4.5 epochs in the state of the one before 84 % 84.00 84.00 84.00 +-1 holds\n",
		"4.4 nab: time in Low above 50 % 51.00 51.00 none - misses\n",
		"t4.3 50th percentile of l2_pct 18.47 % 18.4700 18.4700 18.4700 +-20 % holds\n",
		NULL,
	};
	static const char *const csv_lines[] = {
		"id,whose,source,claim,unit,judged,expected,tolerance,ours_1,ours_18446744073709551615,ours_7,holds,"
		"synthetic\n",
		"4.2,paper,figure 4.2 in section 4.2,time in Low,%,within,8,1,8,9.25,8,no,yes\n",
		"4.4,paper,figure 4.4 in section 4.2,nab: time in Low,%,above,50,,51,51,,no,yes\n",
		NULL,
	};
	struct claims_of_seed seeds[MAX_CLAIM_SEEDS] = {{.seed = 1}, {.seed = UINT64_MAX}, {.seed = 7}};
	struct textbuf out;
	for (unsigned i = 0; i < MAX_CLAIM_SEEDS; i++)
		make_results(seeds[i].results);
	miss(&seeds[1].results[CLAIM_LOW_SHARE], 9.25);
	miss(&seeds[2].results[CLAIM_NAB], NAN);
	textbuf_init(&out);
	assert_true(claims_report_seeds_csv(seeds, 3, true, &out));
	expect_lines(&out, csv_lines);
	assert_int_equal(nr_lines(&out), claims_nr_from(CLAIMS_OF_TRACES) - NR_PREDICTED + 1);
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(claims_report_seeds_text(seeds, 3, true, false, &out));
	squeeze(&out);
	expect_lines(&out, text_lines);
	textbuf_release(&out);
	/* There is room for all columns of the most seeds. */
	textbuf_init(&out);
	assert_true(claims_report_seeds_text(seeds, MAX_CLAIM_SEEDS, true, true, &out));
	squeeze(&out);
	assert_non_null(strstr(out.text, " 0 0 tolerance verdict\033[0m\n"));
	textbuf_release(&out);
}

/* When memory is short a report says so. */
static void test_no_memory(void **state)
{
	(void)state;
	struct claim_result results[NR_CLAIMS];
	struct textbuf out;
	make_results(results);
	textbuf_init(&out);
	out.failed = true;
	assert_false(claims_report_text(results, true, false, &out));
	assert_false(claims_report_csv(results, true, &out));
	textbuf_release(&out);
}

TEST_FILE(test_claims_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
