/* Figures of characterisations: sizes, data, and the texts that stand for the pictures. */
#include <string.h>

#include "results/report/characterize_plot.h"
#include "sim/base/units.h"
#include "tests/unit/made_chip.h"

#define NR_TRACES 3

static const char *const names[NR_TRACES] = {"a", "b,\"c\"", "d"};
static const uint8_t states_a[] = {LOW, L2, L2, L2, LOW, L2, L2, L2};
static const uint8_t states_b[] = {L2, L2, L2, L2, L2, L2, L2, L2};
static const uint8_t states_d[] = {LOW, LOW, LOW, BRANCH};

static struct characterized rows[NR_TRACES];
static struct cuts cuts;
static struct characterize_study study;

static void make_row(size_t t, const uint8_t *states, size_t nr)
{
	rows[t] = (struct characterized){.name = names[t], .epoch_ns = 100 * NS_PER_MS};
	characterize_states(states, nr, &rows[t].counts);
	for (unsigned set = 0; set < NR_CUT_SETS; set++)
		rows[t].counts.in_state_by_set[set][set == 1 ? LOW : NR_STATES - 1] = nr;
}

static int make_study(void **state)
{
	(void)state;
	make_row(0, states_a, sizeof(states_a));
	make_row(1, states_b, sizeof(states_b));
	make_row(2, states_d, sizeof(states_d));
	rows[1].synthetic = true;
	cuts_named(DEFAULT_CUTS, &cuts);
	study = (struct characterize_study){rows, NR_TRACES, &cuts, DEFAULT_CUTS, false};
	return 0;
}

static void expect_alt(enum characterize_figure which, const char *wanted)
{
	struct figure f;
	figure_init(&f, "name");
	characterize_figure(&study, which, NULL, 0, &f);
	assert_string_equal(f.alt.text, wanted);
	figure_release(&f);
}

static void test_alt(void **state)
{
	(void)state;
	expect_alt(CHARACTERIZE_BY_CUTS,
		   "Stacked bars of mean shares of time in states, a bar per set of thresholds, 3 traces, 1 of them "
		   "synthetic. Under p25, most time is in L2+L1D+L1I+Branch, 100.0 %; in Low it is 0.0 %. Under p50, "
		   "most time is in Low, 100.0 %. Under intuitive, most time is in L2+L1D+L1I+Branch, 100.0 %; in Low "
		   "it is 0.0 %.");
	/* L2: (0.75 + 1 + 0) / 3; Low: (0.25 + 0 + 0.75) / 3; Branch: 0.25 / 3 */
	expect_alt(
		CHARACTERIZE_OCCUPANCY,
		"Bars of mean shares of time, a bar per state, 3 traces, 1 of them synthetic, thresholds: intuitive. Most "
		"occupied: L2 58.3 %, Low 33.3 %, Branch 8.3 %. States that never occur: 13 of 16.");
	expect_alt(
		CHARACTERIZE_BY_TRACE,
		"Stacked bars of shares of time in states, a bar per trace, 3 traces, 1 of them synthetic, thresholds: "
		"intuitive. The state that leads in most traces is L2, in 2. a has 75.0 % in L2, the smallest share "
		"that leads a trace. b 'c' has 100.0 % in L2, the largest.");
	/* a: 4 of 7 stay, Low to L2 twice, L2 to Low once; b: all; d: 2 of 3, Low to Branch once of 3 */
	expect_alt(
		CHARACTERIZE_TRANSITIONS,
		"Map of transitions from state to state, mean shares of all transitions, 3 traces, 1 of them "
		"synthetic, thresholds: intuitive. Epochs in the state of the one before: 74.6 %. The most frequent change "
		"is from Low to Branch, 11.1 %. Never seen: 237 of 240 changes.");
	/* a: 2 of 4 intervals are single epochs, of 8, and 2 have 3; b: one of 8; d: 1 of 2, of 4 */
	expect_alt(
		CHARACTERIZE_INTERVALS,
		"Pairs of bars per length of intervals in one state, mean shares of all intervals and of time, 3 "
		"traces, 1 of them synthetic, thresholds: intuitive. The shortest, 1 epoch (100 ms), are 33.3 % of "
		"intervals and 16.7 % of time. Those with most time, 2-4 epochs (200 ms and more), are 33.3 % of "
		"intervals and 50.0 % of time. The longest, 5-9 epochs (500 ms and more), are 33.3 % of intervals and "
		"33.3 % of time.");
}

/* A single trace, of one epoch or in one state; other cuts; nothing of the time where traces differ in epochs. */
static void test_alt_of_little(void **state)
{
	(void)state;
	study.nr = 1;
	make_row(0, states_d, 1);
	cuts.ppb[0]++;
	study.cuts_name = "mine";
	expect_alt(
		CHARACTERIZE_BY_CUTS,
		"Stacked bars of mean shares of time in states, a bar per set of thresholds, 1 trace. Under p25, most time "
		"is in L2+L1D+L1I+Branch, 100.0 %; in Low it is 0.0 %. Under p50, most time is in Low, 100.0 %. "
		"Under intuitive, most time is in L2+L1D+L1I+Branch, 100.0 %; in Low it is 0.0 %. Under mine, most "
		"time is in Low, 100.0 %.");
	expect_alt(CHARACTERIZE_OCCUPANCY,
		   "Bars of mean shares of time, a bar per state, 1 trace, thresholds: mine. Most "
		   "occupied: Low 100.0 %. States that never occur: 15 of 16.");
	expect_alt(CHARACTERIZE_BY_TRACE,
		   "Stacked bars of shares of time in states, a bar per trace, 1 trace, thresholds: "
		   "mine. a has 100.0 % in Low, its largest share.");
	expect_alt(CHARACTERIZE_TRANSITIONS, "Map of transitions from state to state, mean shares of all transitions, "
					     "1 trace, thresholds: mine. There are no transitions between states.");
	expect_alt(
		CHARACTERIZE_INTERVALS,
		"Pairs of bars per length of intervals in one state, mean shares of all intervals and of time, 1 "
		"trace, thresholds: mine. The shortest, 1 epoch (100 ms), are 100.0 % of intervals and 100.0 % of time.");
	make_study(NULL);
	rows[2].epoch_ns++;
	rows[0].synthetic = rows[2].synthetic = true;
	rows[0].nominal = true;
	study.nr = 3;
	expect_alt(
		CHARACTERIZE_INTERVALS,
		"Pairs of bars per length of intervals in one state, mean shares of all intervals and of time, 3 "
		"traces, synthetic, 1 of them with an assumed time base, thresholds: intuitive. The shortest, 1 epoch, are 33.3 % "
		"of intervals and 16.7 % of "
		"time. Those with most time, 2-4 epochs, are 33.3 % of intervals and 50.0 % of time. The longest, "
		"5-9 epochs, are 33.3 % of intervals and 33.3 % of time.");
}

/* Six states at most are named, in order; a tiny share is not shown as nothing. */
static void test_alt_of_many(void **state)
{
	(void)state;
	study.nr = 1;
	rows[0].counts.nr_epochs = 0;
	for (unsigned s = 0; s < 7; s++)
		rows[0].counts.nr_epochs += rows[0].counts.in_state[s] = 100000u >> 2 * s;
	rows[0].counts.in_state[L2] = 0;
	expect_alt(
		CHARACTERIZE_OCCUPANCY,
		"Bars of mean shares of time, a bar per state, 1 trace, thresholds: intuitive. Most occupied: Low 75.0 %, "
		"Branch 18.8 %, L1I 4.7 %, L1I+Branch 1.2 %, L1D 0.3 %, L1D+Branch 0.1 %. States that never occur: 9 "
		"of 16.");
	rows[0].counts.in_state[5] = 0;
	expect_alt(
		CHARACTERIZE_OCCUPANCY,
		"Bars of mean shares of time, a bar per state, 1 trace, thresholds: intuitive. Most occupied: Low 75.0 %, "
		"Branch 18.8 %, L1I 4.7 %, L1I+Branch 1.2 %, L1D 0.3 %, L1D+L1I less than 0.1 %. States that never "
		"occur: 10 of 16.");
}

/* A figure goes by the name that it was given, and is as large as its script says. */
static void test_figures(void **state)
{
	(void)state;
	static const char *const in_data[NR_CHARACTERIZE_FIGURES] = {
		"place,synthetic_occupancy_Low_pct,", "place,state,synthetic_occupancy_pct,name\n",
		"place,synthetic_occupancy_Low_pct,", "from,to,synthetic_share_of_transitions_pct,",
		"min_epochs,max_epochs,synthetic_share_of_intervals_pct,"};
	for (unsigned i = 0; i < NR_CHARACTERIZE_FIGURES; i++) {
		struct figure f;
		char size[80];
		figure_init(&f, "my_figure");
		characterize_figure(&study, (enum characterize_figure)i, NULL, 0, &f);
		snprintf(size, sizeof(size), "width_px = %u\nheight_px = %u\n", f.width_px, f.height_px);
		assert_non_null(strstr(f.script.text, size));
		assert_non_null(strstr(f.script.text, "data = 'my_figure.csv'\n"));
		assert_ptr_equal(strstr(f.data.text, in_data[i]), f.data.text);
		assert_true(f.width_px >= 500 && f.height_px >= 300);
		figure_release(&f);
	}
}

#define FRESH(test) cmocka_unit_test_setup(test, make_study)

TEST_FILE(test_characterize_plot)
{
	const struct CMUnitTest tests[] = {
		FRESH(test_alt),
		FRESH(test_alt_of_little),
		FRESH(test_alt_of_many),
		FRESH(test_figures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
