/* Signals of a window in each form: where rows begin and end, lanes, and what is asked for by name. */
#include "results/cores/waves.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static const struct core_timing core = {
	.kind = CORE_IN_ORDER, .fetch_width = 2, .issue_width = 2, .dispatch_width = 2, .commit_width = 2};

static struct signal_run run_of(uint64_t first, uint64_t nr, uint64_t bubbles, bool recovering, bool flush)
{
	struct signal_run run = {.first = first, .nr = nr};
	run.lanes[SIGNAL_FETCH_BUBBLE] = bubbles;
	run.lanes[SIGNAL_RECOVERING] = recovering;
	run.lanes[SIGNAL_FLUSH_SYSTEM] = flush;
	return run;
}

/* The rows of a window of runs that change in cycles 5, 8 and 20; 25 cycles. */
static char *write_window(enum waves_form form, const char *names, uint64_t from, uint64_t cycles, uint64_t *nr)
{
	const struct signal_run runs[] = {run_of(0, 5, 0, false, false), run_of(5, 3, 3, true, false),
					  run_of(8, 12, 2, true, false), run_of(20, 5, 0, false, true)};
	const struct waves_window window = {.from = from, .cycles = cycles, .stream = "$end of\na stream", .core = "x"};
	struct waves waves = {0};
	struct sahm_err err;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	assert_non_null(out);
	if (waves_add(&waves, names, &core, FAMILY_ROCKET, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	struct waves_writer *w = waves_writer_new(out, form, &waves, &window);
	assert_non_null(w);
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++)
		waves_take(w, &runs[i]);
	assert_int_equal(waves_is_done(w), from + cycles <= 25);
	*nr = waves_end(w);
	waves_writer_free(w);
	fclose(out);
	return text;
}

static void check(enum waves_form form, const char *names, uint64_t from, uint64_t cycles, uint64_t expected_nr,
		  const char *expected)
{
	uint64_t nr;
	char *text = write_window(form, names, from, cycles, &nr);
	assert_string_equal(text, expected);
	assert_int_equal(nr, expected_nr);
	free(text);
}

static void test_rows_of_windows(void **state)
{
	static const char names[] = "fetch-bubble,recovering,FLUSH";
	(void)state;
	check(WAVES_CSV, names, 0, 100, 25,
	      "cycle,fetch_bubble,recovering,flush\n0,0,0,0\n5,3,1,0\n8,2,1,0\n20,0,0,1\n24,0,0,1\n");
	check(WAVES_CSV, names, 6, 13, 13, "cycle,fetch_bubble,recovering,flush\n6,3,1,0\n8,2,1,0\n18,2,1,0\n");
	check(WAVES_CSV, names, 8, 1, 1, "cycle,fetch_bubble,recovering,flush\n8,2,1,0\n");
	check(WAVES_CSV, names, 7, 2, 2, "cycle,fetch_bubble,recovering,flush\n7,3,1,0\n8,2,1,0\n");
	check(WAVES_CSV, names, 25, 2, 0, "");
	/* Only what is written can change. */
	check(WAVES_CSV, "recovering", 0, 20, 20, "cycle,recovering\n0,0\n5,1\n19,1\n");
}

static void test_value_change_dump(void **state)
{
	(void)state;
	check(WAVES_VCD, "FLUSH,fetch_bubble", 6, 17, 17,
	      "$comment _end of_a stream on x, a cycle of the core in each ns $end\n"
	      "$timescale 1 ns $end\n"
	      "$scope module core $end\n"
	      "$var wire 1 ! flush $end\n"
	      "$var wire 2 \" fetch_bubble [1:0] $end\n"
	      "$upscope $end\n"
	      "$enddefinitions $end\n"
	      "#6\n$dumpvars\n0!\nb11 \"\n$end\n"
	      "#8\nb10 \"\n"
	      "#20\n1!\nb0 \"\n"
	      "#23\n");
}

/* An event in upper case is not the signal that is called like it. */
static void test_names(void **state)
{
	struct waves w = {0};
	struct sahm_err err;
	(void)state;
	assert_int_equal(waves_add(&w, "uop_issued,dcache-blocked", &core, FAMILY_BOOM, &err), SAHM_OK);
	assert_int_equal(waves_add(&w, "FETCH_BUBBLE", &core, FAMILY_ROCKET, &err), SAHM_OK);
	assert_int_equal(w.nr, 3);
	assert_string_equal(w.of[1].name, "dcache_blocked");
	assert_int_equal(w.of[1].nr_lanes, 2);
	assert_int_equal(w.of[2].nr_lanes, 1); /* Rocket's has one source */
	assert_int_equal(waves_add(&w, "UTLB_MISS", &core, FAMILY_ROCKET, &err), SAHM_USAGE);
	assert_int_equal(waves_add(&w, "", &core, FAMILY_ROCKET, &err), SAHM_USAGE);
	assert_int_equal(waves_add(&w, "fetch-bubble", &core, FAMILY_ROCKET, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "'fetch_bubble' is named twice");
}

/* What is usual fits into all forms; all signals do not. */
static void test_room(void **state)
{
	struct waves w = {0};
	struct sahm_err err;
	(void)state;
	waves_usual(&w, &core);
	for (enum waves_form form = WAVES_CSV; form <= WAVES_BINARY; form++)
		assert_int_equal(waves_check(&w, form, &err), SAHM_OK);
	w.nr = 0;
	assert_int_equal(waves_add(&w, "all", &core, FAMILY_ROCKET, &err), SAHM_OK);
	assert_int_equal(waves_check(&w, WAVES_CSV, &err), SAHM_USAGE);
	assert_int_equal(waves_check(&w, WAVES_VCD, &err), SAHM_OK);
}

TEST_FILE(test_waves)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_windows),
		cmocka_unit_test(test_value_change_dump),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
