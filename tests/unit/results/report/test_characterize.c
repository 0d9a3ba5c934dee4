/* What is counted over states, and percentiles as cuts. Expected values are worked out by hand. */
#include <math.h>
#include <string.h>

#include "results/chart/plot.h"
#include "results/metrics/characterize_means.h"
#include "sim/base/array.h"
#include "tests/unit/trace_cases.h"
#include "workloads/trace/characterize.h"
#include "workloads/trace/percentile.h"

#define PCT(n) ((uint64_t)(n)*PPB_PER_PCT)

static void test_transitions(void **state)
{
	(void)state;
	const uint8_t states[] = {0, 0, 5, 5, 5, 0, 15, 15, 0, 0};
	static const struct {
		unsigned from, to;
		uint64_t nr;
	} rows[] = {{0, 0, 2}, {0, 5, 1}, {5, 5, 2}, {5, 0, 1}, {0, 15, 1}, {15, 15, 1}, {15, 0, 1}};
	struct characterization c;
	uint64_t sum = 0;
	characterize_states(states, sizeof(states), &c);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (c.transitions[rows[i].from][rows[i].to] != rows[i].nr)
			fail_msg("%u to %u: %" PRIu64, rows[i].from, rows[i].to,
				 c.transitions[rows[i].from][rows[i].to]);
		sum += rows[i].nr;
	}
	/* These are all: every epoch but the first has one before it. */
	assert_int_equal(sum, sizeof(states) - 1);
	assert_int_equal(c.nr_same, 2 + 2 + 1);
	assert_int_equal(c.intervals[0], 3);
	assert_int_equal(c.intervals[5], 1);
	assert_int_equal(c.intervals[15], 1);
}

static void test_one_epoch(void **state)
{
	(void)state;
	static const struct characterization nothing;
	const uint8_t states[] = {7};
	struct characterization c;
	characterize_states(states, 1, &c);
	assert_int_equal(c.nr_epochs, 1);
	assert_int_equal(c.nr_same, 0);
	assert_memory_equal(c.transitions, nothing.transitions, sizeof(c.transitions));
	assert_int_equal(c.intervals_of_length[0], 1);
	assert_int_equal(c.epochs_of_length[0], 1);
}

static void test_bin_edges(void **state)
{
	(void)state;
	static const uint64_t bounds[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
	for (unsigned bin = 0; bin < ARRAY_SIZE(bounds); bin++) {
		assert_int_equal(interval_bin_epochs(bin), bounds[bin]);
		assert_int_equal(interval_bin_of(bounds[bin]), bin);
		if (bin > 0)
			assert_int_equal(interval_bin_of(bounds[bin] - 1), bin - 1);
	}
	/* The longest possible interval has a bin that is not too narrow for it. */
	assert_int_equal(interval_bin_of(MAX_TRACE_EPOCHS), NR_INTERVAL_BINS - 1);
	assert_true(interval_bin_epochs(NR_INTERVAL_BINS) > MAX_TRACE_EPOCHS);
}

/* Both sides of an edge, from states: 99 epochs, then 100, then 1. */
static void test_interval_lengths(void **state)
{
	(void)state;
	uint8_t states[200] = {0};
	struct characterization c;
	memset(states + 99, 3, 100);
	states[199] = 1;
	characterize_states(states, sizeof(states), &c);
	assert_int_equal(c.intervals_of_length[interval_bin_of(99)], 1);
	assert_int_equal(c.epochs_of_length[interval_bin_of(99)], 99);
	assert_int_equal(c.intervals_of_length[interval_bin_of(100)], 1);
	assert_int_equal(c.epochs_of_length[interval_bin_of(100)], 100);
	assert_int_equal(c.intervals_of_length[0], 1);
	assert_true(interval_bin_of(99) != interval_bin_of(100));
}

/* Traces weigh the same; one without transitions has no say in theirs. */
static void test_means(void **state)
{
	(void)state;
	const uint8_t single[] = {0}, changing[] = {0, 1, 1, 1, 1}, longer[] = {0, 0, 1};
	struct characterized rows[3] = {{.name = "a", .epoch_ns = 5}, {.name = "b", .epoch_ns = 5}, {.name = "c"}};
	struct cuts cuts;
	struct characterize_means m;
	struct characterize_study study = {rows, 2, &cuts, "p25", false};
	characterize_states(single, 1, &rows[0].counts);
	characterize_states(changing, 5, &rows[1].counts);
	characterize_states(longer, 3, &rows[2].counts);
	characterize_means(&study, &m);
	assert_true(m.occupancy[0] == (1 + 0.2) / 2);
	assert_true(m.transitions[0][1] == 0.25);
	assert_true(m.transitions[1][1] == 0.75);
	assert_true(isnan(m.transitions[1][0]));
	assert_true(m.intervals_of_length[0] == (1 + 0.5) / 2);
	assert_true(m.time_of_length[1] == 0.8 / 2);
	assert_int_equal(m.nr_bins, 2);
	assert_int_equal(characterize_epoch_ns(&study), 5);
	study.nr = 3;
	characterize_means(&study, &m);
	assert_true(m.transitions[0][1] == (0.25 + 0.5) / 2);
	assert_true(m.transitions[0][0] == 0.5 / 2);
	assert_int_equal(characterize_epoch_ns(&study), 0);
	for (unsigned set = 0; set < NR_CUT_SETS; set++) {
		cuts_named(cut_set_names[set], &cuts);
		assert_int_equal(characterize_set_of(&study), set);
	}
	cuts.ppb[0]++;
	assert_int_equal(characterize_set_of(&study), NR_CUT_SETS);
}

static void test_percentiles(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t values[5];
		size_t nr;
		uint64_t ppb, expected;
	} rows[] = {
		{"one value", {7}, 1, PCT(50), 7},
		{"one value, near the end", {7}, 1, PPB_ONE - 1, 7},
		{"the middle one", {30, 10, 20}, 3, PCT(50), 20},
		{"halfway between two", {10, 21}, 2, PCT(50), 16}, /* 15.5, halves up */
		{"a quarter of the way", {400, 100, 300, 200}, 4, PCT(25), 175},
		{"on an order statistic", {5, 1, 3, 2, 4}, 5, PCT(75), 4},
		{"ties at the place", {1, 2, 2, 2, 9}, 5, PCT(60), 2},
		{"from ties to the next", {2, 2, 2, 10, 10}, 5, 625000000, 6},
		{"all the same", {6, 6, 6, 6}, 4, PCT(33), 6},
		{"least above 0", {0, PPB_ONE}, 2, 1, 1},
		{"most below 100", {0, PPB_ONE}, 2, PPB_ONE - 1, PPB_ONE - 1},
		{"the whole range", {0, UINT64_MAX}, 2, PCT(50), UINT64_C(1) << 63},
		{"every byte counts",
		 {UINT64_MAX, UINT64_C(0x0102030405060708), UINT64_C(0x0102030405060709)},
		 3,
		 PCT(50),
		 UINT64_C(0x0102030405060709)},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t got = percentile_of(rows[i].values, rows[i].nr, rows[i].ppb);
		if (got != rows[i].expected)
			fail_msg("%s: %" PRIu64 " instead of %" PRIu64, rows[i].name, got, rows[i].expected);
	}
}

static void test_metric_ppb(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t misses, per;
		bool has;
		uint64_t ppb;
	} rows[] = {
		{"a third, down", 1, 3, true, 333333333},	 {"two thirds, up", 2, 3, true, 666666667},
		{"a half of a ppb, up", 1, 2000000000, true, 1}, {"less than half", 1, 2000000001, true, 0},
		{"all", UINT64_MAX, UINT64_MAX, true, PPB_ONE},	 {"too much", UINT64_MAX, 1, true, UINT64_MAX},
		{"misses of nothing", 5, 0, false, 42},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct epoch_counts e = {{0}};
		uint64_t ppb = 42;
		e.count[COUNTER_L1I_MISSES] = rows[i].misses;
		e.count[COUNTER_INSTRUCTIONS] = rows[i].per;
		if (cuts_metric_ppb(COMPONENT_L1I, &e, &ppb) != rows[i].has || ppb != rows[i].ppb)
			fail_msg("%s: %" PRIu64, rows[i].name, ppb);
	}
}

/* Branches: 1, 2 and 3 % in the one trace, no branches and 8 % in the other: the median of four values is 2.5 %. */
static void test_percentile_cuts(void **state)
{
	(void)state;
	struct trace *traces[2] = {
		must_read(HEAD "1000,100,1,1,100,0,10,0\n1000,100,2,1,100,0,10,0\n1000,100,3,1,100,0,10,0\n"),
		must_read(HEAD "1000,0,0,1,100,0,10,0\n1000,100,8,1,100,50,10,0\n"),
	};
	struct cuts cuts = {{1, 2, 3, 4}};
	struct sahm_err err = untouched;
	unsigned all = NR_STATES - 1;
	assert_int_equal(percentile_cuts(traces, 2, PCT(50), all & ~(1u << COMPONENT_L2), &cuts, &err), SAHM_OK);
	assert_string_equal(err.msg, "untouched");
	assert_int_equal(cuts.ppb[COMPONENT_BRANCH], 25000000);
	assert_int_equal(cuts.ppb[COMPONENT_L1I], 1000000);
	assert_int_equal(cuts.ppb[COMPONENT_L1D], 0);
	assert_int_equal(cuts.ppb[COMPONENT_L2], 4);
	assert_int_equal(percentile_cuts(&traces[1], 1, PCT(50), all, &cuts, &err), SAHM_OK);
	assert_int_equal(cuts.ppb[COMPONENT_BRANCH], 80000000);
	assert_int_equal(cuts.ppb[COMPONENT_L1D], 250000000);
	trace_free(traces[0]);
	trace_free(traces[1]);
}

static void test_percentile_cuts_without_values(void **state)
{
	(void)state;
	struct trace *trace = must_read(HEAD "1000,0,0,1,100,0,10,0\n1,0,0,2000,100,50,10,0\n1,0,0,2000,1,1,1,1\n");
	struct cuts cuts;
	struct sahm_err err;
	assert_int_equal(percentile_cuts(&trace, 1, PCT(50), 1u << COMPONENT_BRANCH, &cuts, &err), SAHM_RANGE);
	assert_string_equal(err.msg,
			    "no percentile of 'branch_pct': 'branches' is 0 in every epoch of the traces; give "
			    "this threshold a value");
	assert_int_equal(percentile_cuts(&trace, 1, PCT(50), 1u << COMPONENT_L1I, &cuts, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "the percentile of 'l1i_mpki' is above 1000000 MPKI, the largest threshold");
	trace_free(trace);
}

/* A streamed trace is counted as its states are, across batches and blocks, and under the named sets too. */
static void test_trace_as_states(void **state)
{
	(void)state;
	struct textbuf csv;
	textbuf_init(&csv);
	textbuf_puts(&csv, HEAD);
	for (unsigned e = 0; e < 5000; e++)
		textbuf_printf(&csv, "1000,1000,%u,0,1000,%u,1000,%u\n", e / 7 % 13, e / 3 % 25, e / 700 % 2 * 300);
	struct trace *trace = must_read(csv.text);
	struct characterization streamed, whole;
	struct sahm_err err;
	static uint8_t states[5000];
	struct cuts cuts;
	for (unsigned set = 0; set < NR_CUT_SETS; set++) {
		cuts_named(cut_set_names[set], &cuts);
		assert_int_equal(trace_states(trace, &cuts, states, &err), SAHM_OK);
		characterize_states(states, 5000, &whole);
		assert_int_equal(characterize_trace(trace, &cuts, &streamed, &err), SAHM_OK);
		assert_memory_equal(streamed.in_state_by_set[set], whole.in_state, sizeof(whole.in_state));
		memset(streamed.in_state_by_set, 0, sizeof(streamed.in_state_by_set));
		assert_memory_equal(&streamed, &whole, sizeof(whole));
	}
	trace_free(trace);
	textbuf_release(&csv);
}

static void test_labels(void **state)
{
	(void)state;
	static const struct {
		const char *text, *label;
	} rows[] = {
		{"cactuBSSN_s", "cactuBSSN_s"},
		{"a\"b\\c%d,e\nf", "a'b/c_d e?f"},
		{"x]]>", "x))>"},
		{"\xff\xef\xbf\xbf\xe6\xbc\xa2", "??\xe6\xbc\xa2"},
		{"012345678901234567890123456789", "012345678901234567890123456789"},
		{"0123456789012345678901234567-synthetic", "012345678901234\xe2\x80\xa6"
							   "4567-synthetic"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct textbuf b;
		textbuf_init(&b);
		plot_label(&b, rows[i].text);
		assert_string_equal(b.text, rows[i].label);
		textbuf_release(&b);
	}
}

TEST_FILE(test_characterize)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_transitions),
		cmocka_unit_test(test_one_epoch),
		cmocka_unit_test(test_bin_edges),
		cmocka_unit_test(test_interval_lengths),
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_metric_ppb),
		cmocka_unit_test(test_percentile_cuts),
		cmocka_unit_test(test_percentile_cuts_without_values),
		cmocka_unit_test(test_trace_as_states),
		cmocka_unit_test(test_labels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
