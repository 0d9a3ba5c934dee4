/* Reports of counts: which of them say how far a count can be off, and which have a metric. */
#include "results/cores/stat_report.h"

#include <string.h>

#include "tests/unit/cores/uarch/counted_run.h"
#include "tests/unit/text_parts.h"

static struct core_model model = {.name = "Core"};
static const struct core_result run = {.stream = "a.stream", .core = "boom", .config_hash = "hash", .model = &model};

/* In two epochs of four cycles each, two slots of four are bubbles; in the first, four instructions retire, in the
 * second none. Counters are plain; where there is only one, events take turns of two cycles. */
static void write_report(unsigned nr_counters, bool has_truth, bool per_window,
			 void (*write)(const struct stat_report *, struct textbuf *), struct textbuf *out)
{
	struct hpm *hpm = counters(FAMILY_BOOM, HPM_PLAIN, nr_counters);
	struct hpm_set *set = hpm_set_new(hpm);
	model.events = FAMILY_BOOM;
	assert_non_null(set);
	assert_int_equal(hpm_set_add(set, "instructions", NULL), SAHM_OK);
	assert_int_equal(hpm_set_add(set, "FETCH_BUBBLE", NULL), SAHM_OK);
	assert_int_equal(hpm_set_add(set, "ICACHE_MISS", NULL), SAHM_OK);
	assert_int_equal(hpm_set_multiplex(set, 2, NULL), SAHM_OK);
	assert_int_equal(hpm_set_start(set, NULL), SAHM_OK);
	struct hpm_windows *w = hpm_windows_new(&(struct hpm_windows_options){.set = set});
	struct signal_run cycles = {.nr = 4};
	assert_true(hpm_windows_cut(w, 4, 7));
	cycles.lanes[SIGNAL_FETCH_BUBBLE] = 3;
	cycles.lanes[SIGNAL_INSTRUCTION] = 1;
	hpm_windows_run(w, &cycles);
	cycles.lanes[SIGNAL_INSTRUCTION] = 0;
	hpm_windows_run(w, &cycles);
	assert_true(hpm_windows_end(w));
	const struct stat_result result = {&run, set, w};
	const struct stat_report report = {.results = &result,
					   .nr_streams = 1,
					   .counters = "plain",
					   .separator = ",",
					   .mhz = per_window ? 1 : 0,
					   .per_window = per_window,
					   .has_truth = has_truth};
	textbuf_init(out);
	write(&report, out);
	hpm_windows_free(w);
	hpm_set_free(set);
	hpm_free(hpm);
}

static void test_text(void **state)
{
	(void)state;
	struct textbuf out;
	write_report(2, true, true, stat_text, &out);
	assert_string_equal(
		out.text,
		"#            time             counts unit events\n"
		"      0.000004000                  4      instructions                        # truth               4   0.00 %\n"
		"      0.000004000                  4      FETCH_BUBBLE                        # truth               8  -50.00 %, at "
		"most 12 off\n"
		"      0.000004000                  0      ICACHE_MISS                         # truth               0   0.00 %\n"
		"      0.000008000                  0      instructions                        # truth               0   0.00 %\n"
		"      0.000008000                  4      FETCH_BUBBLE                        # truth               8  -50.00 %, at "
		"most 12 off\n"
		"      0.000008000                  0      ICACHE_MISS                         # truth               0   0.00 %\n");
	textbuf_release(&out);
	write_report(2, false, false, stat_text, &out);
	assert_string_equal(out.text,
			    "\n Performance counter stats for 'a.stream' on boom (events of boom, plain counters):\n\n"
			    "                 4      instructions                        #     0.50  insn per cycle\n"
			    "                 8      FETCH_BUBBLE\n"
			    "                 0      ICACHE_MISS\n\n");
	textbuf_release(&out);
}

/* The bound is another metric. */
static void test_csv(void **state)
{
	(void)state;
	struct textbuf out;
	write_report(2, true, false, stat_csv, &out);
	assert_string_equal(out.text, "4,,instructions,8,100.00,4,truth\n"
				      "8,,FETCH_BUBBLE,8,100.00,16,truth\n"
				      ",,,,,24,bound\n"
				      "0,,ICACHE_MISS,8,100.00,0,truth\n");
	textbuf_release(&out);
	write_report(2, false, false, stat_csv, &out);
	assert_string_equal(out.text, "4,,instructions,8,100.00,0.50,insn per cycle\n"
				      "8,,FETCH_BUBBLE,8,100.00,,\n"
				      "0,,ICACHE_MISS,8,100.00,,\n");
	textbuf_release(&out);
}

/* Bubbles were counted in six cycles of eight: an estimate. */
static void test_estimates(void **state)
{
	(void)state;
	struct textbuf out;
	write_report(1, true, false, stat_text, &out);
	has(&out, " %, no bound  (75.00%)\n");
	has_not(&out, "off");
	textbuf_release(&out);
	write_report(1, true, false, stat_csv, &out);
	has(&out, ",,FETCH_BUBBLE,6,75.00,");
	has_not(&out, "bound");
	textbuf_release(&out);
	write_report(1, false, false, stat_json, &out);
	has(&out, "\"event\": \"instructions\", \"counters\": 0, \"supported\": true, \"count\": 4, \"bound\": 0,");
	has(&out, "\"count\": 8, \"bound\": null, \"counted\": 6,");
	textbuf_release(&out);
	write_report(2, false, false, stat_json, &out);
	has(&out, "\"count\": 8, \"bound\": 24, \"counted\": 8,");
	textbuf_release(&out);
}

TEST_FILE(test_stat_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_estimates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
