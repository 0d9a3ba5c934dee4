/* Metrics and states: cuts, classification, names. Expected values are worked out by hand from the dissertation's
 * tables, in the form "this many misses of that many are exactly the cut". */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/cuts.h"
#include "tests/unit/test.h"
#include "workloads/trace/trace.h"

#define CUSTOM "custom"
#define HIGHEST UINT64_MAX
#define HALF (UINT64_C(1) << 63)

/* Which counters make which metric: table of the metrics, by component. */
static const struct {
	enum counter misses, per;
} metrics[NR_COMPONENTS] = {
	[COMPONENT_BRANCH] = {COUNTER_BRANCH_MISSES, COUNTER_BRANCHES},
	[COMPONENT_L1I] = {COUNTER_L1I_MISSES, COUNTER_INSTRUCTIONS},
	[COMPONENT_L1D] = {COUNTER_L1D_MISSES, COUNTER_L1D_ACCESSES},
	[COMPONENT_L2] = {COUNTER_L2_MISSES, COUNTER_L2_ACCESSES},
};

/* Cuts of the set CUSTOM, in the units of the metrics: %, MPKI, %, %. */
static const double custom_cuts[NR_COMPONENTS] = {0.25, 2.5, 12.5, 33.3};

/* `misses` of `per` are exactly the cut of `set`. */
static const struct cut_row {
	const char *name, *set;
	enum component component;
	uint64_t misses, per;
} cut_rows[] = {
	{"branch, 0.03 %", "p25", COMPONENT_BRANCH, 3, 10000},	{"branch, 0.34 %", "p50", COMPONENT_BRANCH, 34, 10000},
	{"branch, 1 %", "intuitive", COMPONENT_BRANCH, 1, 100}, {"branch, 0.25 %", CUSTOM, COMPONENT_BRANCH, 1, 400},
	{"L1I, 0.004 MPKI", "p25", COMPONENT_L1I, 4, 1000000},	{"L1I, 0.009 MPKI", "p50", COMPONENT_L1I, 9, 1000000},
	{"L1I, 1 MPKI", "intuitive", COMPONENT_L1I, 1, 1000},	{"L1I, 2.5 MPKI", CUSTOM, COMPONENT_L1I, 25, 10000},
	{"L1D, 0.5 %", "p25", COMPONENT_L1D, 5, 1000},		{"L1D, 0.99 %", "p50", COMPONENT_L1D, 99, 10000},
	{"L1D, 2 %", "intuitive", COMPONENT_L1D, 2, 100},	{"L1D, 12.5 %", CUSTOM, COMPONENT_L1D, 1, 8},
	{"L2, 3.64 %", "p25", COMPONENT_L2, 364, 10000},	{"L2, 18.47 %", "p50", COMPONENT_L2, 1847, 10000},
	{"L2, 10 %", "intuitive", COMPONENT_L2, 10, 100},	{"L2, 33.3 %", CUSTOM, COMPONENT_L2, 333, 1000},
};

#define NR_CUT_ROWS ARRAY_SIZE(cut_rows)

static struct cuts cuts_of(const char *set)
{
	struct cuts cuts = {{0}};

	if (strcmp(set, CUSTOM) != 0) {
		assert_true(cuts_named(set, &cuts));
		return cuts;
	}
	for (int c = 0; c < NR_COMPONENTS; c++)
		cuts_set(&cuts, (enum component)c, custom_cuts[c]);
	return cuts;
}

/* Classifies an epoch in which component `c` has `misses` of `per` and all others are LOW, then one in which all others
 * are HIGH; tells whether `c` is HIGH and fails when it depends on the others, or they on it. */
static bool is_high(const char *name, const struct cuts *cuts, enum component c, uint64_t misses, uint64_t per)
{
	struct epoch_counts low = {.count = {0}}, high = {.count = {0}};

	for (int other = 0; other < NR_COMPONENTS; other++) {
		low.count[metrics[other].per] = 1;
		high.count[metrics[other].per] = 1;
		high.count[metrics[other].misses] = HIGHEST;
	}
	low.count[metrics[c].misses] = high.count[metrics[c].misses] = misses;
	low.count[metrics[c].per] = high.count[metrics[c].per] = per;
	unsigned bit = 1u << c, rest = NR_STATES - 1 - bit;
	unsigned alone = cuts_classify(cuts, &low), joined = cuts_classify(cuts, &high);
	if ((alone != 0 && alone != bit) || joined != (alone | rest))
		fail_msg("%s, %" PRIu64 " of %" PRIu64 ": states %u and %u", name, misses, per, alone, joined);
	return alone == bit;
}

static void check(const char *name, const struct cuts *cuts, enum component c, uint64_t misses, uint64_t per, bool high)
{
	if (is_high(name, cuts, c, misses, per) != high)
		fail_msg("%s: %" PRIu64 " misses of %" PRIu64 " must be %s", name, misses, per, high ? "HIGH" : "LOW");
}

/* "HIGH means strictly above the cut", for small counts and for large ones, where one more or less is next to nothing.
 */
static void test_at_the_cut(void **state)
{
	static const uint64_t scales[] = {1, 3, 1000000, UINT64_C(1000000000000)};

	(void)state;
	for (size_t i = 0; i < NR_CUT_ROWS; i++) {
		const struct cut_row *row = &cut_rows[i];
		struct cuts cuts = cuts_of(row->set);
		for (size_t k = 0; k < ARRAY_SIZE(scales); k++) {
			uint64_t misses = row->misses * scales[k], per = row->per * scales[k];
			check(row->name, &cuts, row->component, misses - 1, per, false);
			check(row->name, &cuts, row->component, misses, per, false);
			check(row->name, &cuts, row->component, misses + 1, per, true);
			check(row->name, &cuts, row->component, misses, per + 1, false);
			check(row->name, &cuts, row->component, misses, per - 1, true);
		}
	}
}

static void test_zero_denominator_is_low(void **state)
{
	static const char *const sets[] = {"p25", "p50", "intuitive", CUSTOM};
	static const uint64_t misses[] = {0, 1, 5, HALF, HIGHEST};

	(void)state;
	for (int c = 0; c < NR_COMPONENTS; c++) {
		for (size_t m = 0; m < ARRAY_SIZE(misses); m++) {
			for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
				struct cuts cuts = cuts_of(sets[i]);
				check(sets[i], &cuts, (enum component)c, misses[m], 0, false);
			}
		}
	}
}

/* With cuts of 0 any miss is above the cut, and none is not. */
static void test_cuts_of_zero(void **state)
{
	struct cuts cuts = {{0}};

	(void)state;
	for (int c = 0; c < NR_COMPONENTS; c++) {
		check("0", &cuts, (enum component)c, 0, 1, false);
		check("0", &cuts, (enum component)c, 0, HIGHEST, false);
		check("0", &cuts, (enum component)c, 1, 1, true);
		check("0", &cuts, (enum component)c, 1, HIGHEST, true);
		check("0", &cuts, (enum component)c, 1, 0, false);
	}
}

static void test_large_counts(void **state)
{
	static const struct {
		const char *name;
		enum component component;
		double cut; /* in the unit of the metric */
		uint64_t misses, per;
		bool high;
	} rows[] = {
		/* 2 % of 2^63 are 184,467,440,737,095,516.16 */
		{"2 % of 2^63, below", COMPONENT_L1D, 2, UINT64_C(184467440737095516), HALF, false},
		{"2 % of 2^63, above", COMPONENT_L1D, 2, UINT64_C(184467440737095517), HALF, true},
		/* 2^62 of 2^63 are 50 % */
		{"50 % of 2^63, 1 below", COMPONENT_L2, 50, HALF / 2 - 1, HALF, false},
		{"50 % of 2^63", COMPONENT_L2, 50, HALF / 2, HALF, false},
		{"50 % of 2^63, 1 above", COMPONENT_L2, 50, HALF / 2 + 1, HALF, true},
		{"50 % of 2^63 - 1", COMPONENT_L2, 50, HALF / 2, HALF - 1, true},
		{"50 % of 2^63 + 1", COMPONENT_L2, 50, HALF / 2, HALF + 1, false},
		/* 10 % of 2^64 - 1 are 1,844,674,407,370,955,161.5 */
		{"10 % of 2^64 - 1, below", COMPONENT_BRANCH, 10, UINT64_C(1844674407370955161), HIGHEST, false},
		{"10 % of 2^64 - 1, above", COMPONENT_BRANCH, 10, UINT64_C(1844674407370955162), HIGHEST, true},
		/* 1 MPKI of 2^64 - 1 are 18,446,744,073,709,551.615 */
		{"1 MPKI of 2^64 - 1, below", COMPONENT_L1I, 1, UINT64_C(18446744073709551), HIGHEST, false},
		{"1 MPKI of 2^64 - 1, above", COMPONENT_L1I, 1, UINT64_C(18446744073709552), HIGHEST, true},
		{"all of 2^64 - 1, cut 100 %", COMPONENT_L2, 100, HIGHEST, HIGHEST, false},
		{"all of 2^64 - 1, cut 99 %", COMPONENT_L2, 99, HIGHEST, HIGHEST, true},
		{"all of 2^64 - 1, cut 1000 MPKI", COMPONENT_L1I, 1000, HIGHEST, HIGHEST, false},
		{"all of 2^64 - 1, cut 999 MPKI", COMPONENT_L1I, 999, HIGHEST, HIGHEST, true},
		/* the largest cut, 1,000,000 %, is 10,000 misses of 1 */
		{"cut 1,000,000 %", COMPONENT_BRANCH, MAX_CUT, 10000, 1, false},
		{"cut 1,000,000 %, 1 more", COMPONENT_BRANCH, MAX_CUT, 10001, 1, true},
		{"cut 1,000,000 % of 2^64 - 1", COMPONENT_BRANCH, MAX_CUT, HIGHEST, HIGHEST, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cuts cuts = cuts_of(DEFAULT_CUTS);
		cuts_set(&cuts, rows[i].component, rows[i].cut);
		struct epoch_counts e = {.count = {0}};
		e.count[metrics[rows[i].component].misses] = rows[i].misses;
		e.count[metrics[rows[i].component].per] = rows[i].per;
		unsigned expected = rows[i].high ? 1u << rows[i].component : STATE_LOW;
		if (cuts_classify(&cuts, &e) != expected)
			fail_msg("%s: state %u, not %u", rows[i].name, cuts_classify(&cuts, &e), expected);
	}
}

static void test_cycles_decide_nothing(void **state)
{
	struct cuts cuts = cuts_of(DEFAULT_CUTS);
	struct epoch_counts e = {.count = {0}};

	(void)state;
	e.count[COUNTER_CYCLES] = HIGHEST;
	assert_int_equal(cuts_classify(&cuts, &e), STATE_LOW);
	e.count[COUNTER_L2_ACCESSES] = 10;
	e.count[COUNTER_L2_MISSES] = 2;
	assert_int_equal(cuts_classify(&cuts, &e), 8);
}

/* A set of cuts in force is the table's, to the last ppb: 1 % are 10,000,000, 1 MPKI is 1,000,000. */
static void test_sets_of_cuts(void **state)
{
	static const struct {
		const char *name;
		uint64_t ppb[NR_COMPONENTS];
	} sets[] = {
		{"p25", {300000, 4000, 5000000, 36400000}},
		{"p50", {3400000, 9000, 9900000, 184700000}},
		{"intuitive", {10000000, 1000000, 20000000, 100000000}},
	};
	const size_t nr_sets = ARRAY_SIZE(sets);
	struct cuts cuts = {{7, 7, 7, 7}};

	(void)state;
	for (size_t i = 0; i < nr_sets; i++) {
		assert_non_null(cut_set_names[i]);
		assert_string_equal(cut_set_names[i], sets[i].name);
		assert_true(cuts_named(sets[i].name, &cuts));
		for (int c = 0; c < NR_COMPONENTS; c++) {
			if (cuts.ppb[c] != sets[i].ppb[c])
				fail_msg("%s, component %d: %" PRIu64 " ppb", sets[i].name, c, cuts.ppb[c]);
		}
	}
	assert_null(cut_set_names[nr_sets]);
	assert_string_equal(DEFAULT_CUTS, "intuitive");
	assert_false(cuts_named("p75", &cuts));
	assert_false(cuts_named("", &cuts));
}

static void test_set_and_get(void **state)
{
	struct cuts cuts = cuts_of(CUSTOM);

	(void)state;
	for (int c = 0; c < NR_COMPONENTS; c++) {
		if (cuts_get(&cuts, (enum component)c) < custom_cuts[c] ||
		    cuts_get(&cuts, (enum component)c) > custom_cuts[c])
			fail_msg("component %d: %g", c, cuts_get(&cuts, (enum component)c));
	}
	/* 1 MPKI is 1,000,000 ppb: 0.0000012 are 1.2, 0.0000018 are 1.8, rounded to 1 and 2 */
	cuts_set(&cuts, COMPONENT_L1I, 0.0000012);
	assert_int_equal(cuts.ppb[COMPONENT_L1I], 1);
	cuts_set(&cuts, COMPONENT_L1I, 0.0000018);
	assert_int_equal(cuts.ppb[COMPONENT_L1I], 2);
	cuts_set(&cuts, COMPONENT_BRANCH, MAX_CUT);
	assert_int_equal(cuts.ppb[COMPONENT_BRANCH], UINT64_C(10000000000000));
	cuts_set(&cuts, COMPONENT_BRANCH, 0);
	assert_int_equal(cuts.ppb[COMPONENT_BRANCH], 0);
}

static void test_units(void **state)
{
	(void)state;
	for (int c = 0; c < NR_COMPONENTS; c++) {
		const struct metric_row *row = &metric_rows[c];
		assert_int_equal(row->component, c);
		assert_int_equal(row->numerator, metrics[c].misses);
		assert_int_equal(row->denominator, metrics[c].per);
		assert_string_equal(row->unit, c == COMPONENT_L1I ? "MPKI" : "%");
	}
}

/* Names of components from the far end of the hierarchy inward, and their bits. */
static const struct {
	const char *name, *key;
	unsigned bit;
} inward[NR_COMPONENTS] = {
	{"L2", "l2", 8},
	{"L1D", "l1d", 4},
	{"L1I", "l1i", 2},
	{"Branch", "branch", 1},
};

static void test_state_names(void **state)
{
	(void)state;
	assert_int_equal(NR_STATES, 16);
	assert_int_equal(STATE_LOW, 0);
	for (unsigned s = 0; s < NR_STATES; s++) {
		char expected[64] = "";
		for (int i = 0; i < NR_COMPONENTS; i++) {
			if (!(s & inward[i].bit))
				continue;
			if (expected[0])
				strcat(expected, "+");
			strcat(expected, inward[i].name);
		}
		assert_string_equal(state_name(s), s == 0 ? "Low" : expected);
		assert_true(strlen(state_name(s)) < STATE_NAME_BYTES);
	}
	/* as the paper prints them */
	assert_string_equal(state_name(13), "L2+L1D+Branch");
	assert_string_equal(state_name(9), "L2+Branch");
	assert_string_equal(state_name(4), "L1D");
	assert_string_equal(state_name(0), "Low");
}

static void test_component_names(void **state)
{
	(void)state;
	assert_int_equal(1u << COMPONENT_BRANCH, 1);
	assert_int_equal(1u << COMPONENT_L1I, 2);
	assert_int_equal(1u << COMPONENT_L1D, 4);
	assert_int_equal(1u << COMPONENT_L2, 8);
	for (int i = 0; i < NR_COMPONENTS; i++) {
		enum component c = NR_COMPONENTS;
		assert_true(component_find(inward[i].name, strlen(inward[i].name), &c));
		assert_int_equal(1u << c, inward[i].bit);
		c = NR_COMPONENTS;
		assert_true(component_find(inward[i].key, strlen(inward[i].key), &c));
		assert_int_equal(1u << c, inward[i].bit);
		assert_string_equal(component_name(c), inward[i].name);
		assert_string_equal(component_key(c), inward[i].key);
	}
	enum component c = NR_COMPONENTS;
	assert_true(component_find("bRANCHes", 6, &c));
	assert_int_equal(c, COMPONENT_BRANCH);
	assert_false(component_find("branches", 8, &c));
	assert_false(component_find("branch", 5, &c));
	assert_false(component_find("l2", 0, &c));
	assert_false(component_find("l3", 2, &c));
	assert_int_equal(c, COMPONENT_BRANCH);
}

/* A state is known by its name, and by any other order of its components. */
static void test_find_state(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		unsigned state;
	} cases[] = {
		{"low", 0},	  {"Branch+L2", 9},	     {"l1d+l2", 12},
		{"L1I", 2},	  {"branch+l1i+l1d+l2", 15}, {"", NR_STATES},
		{"+", NR_STATES}, {"L2+", NR_STATES},	     {"L2+L2", NR_STATES},
		{"L", NR_STATES}, {"Low+L2", NR_STATES},     {"L2 + Branch", NR_STATES},
	};
	unsigned state;
	for (unsigned s = 0; s < NR_STATES; s++) {
		assert_true(state_find(state_name(s), strlen(state_name(s)), &state));
		assert_int_equal(state, s);
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool found = state_find(cases[i].text, strlen(cases[i].text), &state);
		if (found != (cases[i].state < NR_STATES) || (found && state != cases[i].state))
			fail_msg("'%s': %d, %u", cases[i].text, found, state);
	}
	assert_true(state_find("L2+Branchless", 9, &state));
	assert_int_equal(state, 9);
}

/* The shipped traces. Their expected states were worked out by another program from the same counts; it writes them
 * with the bits branch = 8, L1I = 4, L1D = 2, L2 = 1. */

#define EXPECTED_FILE "tests/data/callgrind_states.csv"
#define TOP_SHIPPED_EPOCHS 1024

struct expected_epoch {
	char trace[32];
	unsigned long epoch;
	unsigned state;
};

static unsigned mirrored(unsigned bidl)
{
	return (bidl >> 3 & 1) | (bidl >> 2 & 1) << 1 | (bidl >> 1 & 1) << 2 | (bidl & 1) << 3;
}

static size_t read_expected(struct expected_epoch rows[TOP_SHIPPED_EPOCHS])
{
	char line[128];
	size_t nr = 0;
	FILE *f = fopen(EXPECTED_FILE, "r");

	if (!f)
		fail_msg("cannot open '%s'; tests run from the top folder", EXPECTED_FILE);
	assert_non_null(fgets(line, sizeof(line), f));
	assert_string_equal(line, "trace,epoch,state_bidl\n");
	while (fgets(line, sizeof(line), f)) {
		unsigned bidl;
		assert_true(nr < TOP_SHIPPED_EPOCHS);
		if (sscanf(line, "%31[^,],%lu,%u", rows[nr].trace, &rows[nr].epoch, &bidl) != 3 || bidl >= NR_STATES)
			fail_msg("bad line in '%s': %s", EXPECTED_FILE, line);
		rows[nr++].state = mirrored(bidl);
	}
	fclose(f);
	return nr;
}

/* Compares one trace with its rows; returns how many there are. */
static size_t check_shipped(const char *path, const char *name, const struct expected_epoch *rows, size_t nr_rows)
{
	struct cuts cuts = cuts_of("intuitive");
	struct sahm_err err;
	struct trace *trace;
	size_t nr = 0;

	if (trace_open(path, NULL, &trace, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	uint64_t nr_epochs = trace_nr_epochs(trace);
	uint8_t *states = malloc(nr_epochs);
	assert_non_null(states);
	if (trace_states(trace, &cuts, states, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < nr_rows; i++) {
		if (strcmp(rows[i].trace, name) != 0)
			continue;
		if (rows[i].epoch != nr || nr >= nr_epochs)
			fail_msg("%s: epoch %lu of %" PRIu64 " is expected out of turn", name, rows[i].epoch,
				 nr_epochs);
		if (states[nr] != rows[i].state)
			fail_msg("%s, epoch %zu: %s, not %s", name, nr, state_name(states[nr]),
				 state_name(rows[i].state));
		nr++;
	}
	if (nr != nr_epochs)
		fail_msg("'%s': %zu of %" PRIu64 " epochs have expected states", path, nr, nr_epochs);
	free(states);
	trace_free(trace);
	return nr;
}

static void test_shipped_traces(void **state)
{
	static struct expected_epoch rows[TOP_SHIPPED_EPOCHS];
	size_t nr_rows = read_expected(rows), nr_checked = 0;
	glob_t found;

	(void)state;
	assert_int_equal(mirrored(13), 11); /* branch, L1I and L2 */
	assert_int_equal(glob("workloads/suites/small/*.csv", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char name[32];
		assert_int_equal(sscanf(found.gl_pathv[i], "workloads/suites/small/%31[^.].csv", name), 1);
		nr_checked += check_shipped(found.gl_pathv[i], name, rows, nr_rows);
	}
	globfree(&found);
	assert_int_equal(nr_checked, nr_rows);
	assert_true(nr_rows > 0);
}

TEST_FILE(test_states)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_the_cut),
		cmocka_unit_test(test_zero_denominator_is_low),
		cmocka_unit_test(test_cuts_of_zero),
		cmocka_unit_test(test_large_counts),
		cmocka_unit_test(test_cycles_decide_nothing),
		cmocka_unit_test(test_sets_of_cuts),
		cmocka_unit_test(test_set_and_get),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_state_names),
		cmocka_unit_test(test_component_names),
		cmocka_unit_test(test_find_state),
		cmocka_unit_test(test_shipped_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
