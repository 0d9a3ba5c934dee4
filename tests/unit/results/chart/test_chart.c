/* Charts as data, scripts and text: their contents, whether gnuplot is there or not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/chart/chart_internal.h"
#include "results/chart/plot.h"
#include "sim/base/array.h"
#include "tests/unit/results/chart/chart_cases.h"
#include "tests/unit/text_parts.h"

#define NONE ((double)NAN)

static void begin(struct figure *f)
{
	figure_init(f, "chart");
}

/* cmocka takes messages for formats a second time, and some labels are no format. */
static size_t nr_lines(const struct textbuf *text)
{
	size_t nr = 0;
	for (const char *p = text->text; (p = strchr(p, '\n')); p++)
		nr++;
	return nr;
}

static const char *const three[] = {"mcf", "gcc 5 %", "mean"};

static void bars_of(struct figure *f, const double *values, size_t nr_apart, bool numbers)
{
	static const char *const series[] = {"idealised", "simulated at 10 ms"};
	struct chart_bars b = {.labels = three,
			       .nr_rows = 3,
			       .series = series,
			       .nr_series = 2,
			       .nr_marks = 1,
			       .values = values,
			       .nr_apart = nr_apart,
			       .numbers = numbers};
	begin(f);
	chart_bars(&made_chart, &b, f);
}

static void test_bars(void **state)
{
	(void)state;
	const double values[] = {12, 11.5, 20, NONE, 16, 5};
	struct figure f;
	bars_of(&f, values, 1, false);
	assert_string_equal(f.data.text,
			    "benchmark,synthetic_idealised_speedup_pct,synthetic_simulated_at_10_ms_speedup_pct\n"
			    "mcf,12,11.5\n"
			    "gcc 5 %,20,\n"
			    "mean,16,5\n");
	assert_string_equal(f.alt.text,
			    "Bar chart: Speedup of benchmarks on the canonical chip; 39 traces, synthetic. Values are "
			    "speedup (%). There are 2 benchmarks. idealised: least 12 % (mcf), most 20 % (gcc 5 %), "
			    "mean 16 %. simulated at 10 ms: least 11.5 % (mcf), most 11.5 % (mcf), mean 5 %.");
	/* From zero on; the mean's row begins half a row below the others, and a line is between them. */
	has(&f.script, "set xrange [0:20.8] noextend\n");
	has(&f.script, "at(row) = row + 1 + (row >= 2 ? 0.5 : 0)\n");
	has(&f.script, "from graph 0, first 2.75 to graph 1, first 2.75 nohead");
	has(&f.script, "39 traces, synthetic");
	has_not(&f.script, "mcf");
	has_not(&f.script, "with labels");
	figure_release(&f);
	/* Without a row apart, the mean is that of all that there are. */
	bars_of(&f, values, 0, true);
	has(&f.alt, "simulated at 10 ms: least 5 % (mean), most 11.5 % (mcf), mean 8.25 %.");
	has(&f.alt, "There are 3 benchmarks.");
	has(&f.script, "(sprintf('%.1f', $2)) with labels left");
	has_not(&f.script, "with labels right");
	has_not(&f.script, "nohead lw 1 lc rgb '#404040'\nplot");
	figure_release(&f);
}

/* Bars that continue each other: the axis reaches to the ends of stacks, on both sides of 0. */
static void test_bars_stacked(void **state)
{
	static const char *const series[] = {"fetch", "branch", "queues"};
	const double values[] = {10, 20, 5, 30, NONE, -4, 1, -2, -8};
	const struct chart_bars b = {
		.labels = three, .nr_rows = 3, .series = series, .nr_series = 3, .values = values, .is_stacked = true};
	struct figure f;
	(void)state;
	begin(&f);
	chart_bars(&made_chart, &b, &f);
	has(&f.script, "set xrange [-11.8:36.8] noextend\n"); /* -10 to 35, with room */
	has(&f.script, "(($4 < 0 ? below(2) : above(2)) + ($4 < 0 ? below(3) : above(3)) + ($4 < 0 ? $4 : 0)):"
		       "(($4 < 0 ? below(2) : above(2)) + ($4 < 0 ? below(3) : above(3)) + ($4 > 0 ? $4 : 0)):"
		       "(at($0) + half * -1):(at($0) + half * 1) with boxxyerror");
	figure_release(&f);
}

static void test_bars_from_zero(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double values[6];
		const char *range;
	} rows[] = {
		{"above", {100, 90, 101, 90, 102, 90}, "set xrange [0:112.2] noextend"},
		{"below", {-100, -90, -101, -90, -102, -90}, "set xrange [-112.2:0] noextend"},
		{"both", {-10, 0, 10, 0, 10, 0}, "set xrange [-12:12] noextend"},
		{"zero", {0, 0, 0, 0, 0, 0}, "set xrange [0:1] noextend"},
		{"none", {NONE, NONE, NONE, NONE, NONE, NONE}, "set xrange [0:1] noextend"},
		{"not drawn", {(double)INFINITY, 1e200, 10, 0, -1e101, 1}, "set xrange [0:11] noextend"},
		{"a mark", {10, 100, 10, 0, 10, 0}, "set xrange [0:110] noextend"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct figure f;
		print_message("%s\n", rows[i].name);
		bars_of(&f, rows[i].values, 0, true);
		has(&f.script, rows[i].range);
		figure_release(&f);
	}
}

/* Data that are not drawn are not in gnuplot's script either: it complains of elements without any point. */
static void test_nothing_to_draw(void **state)
{
	(void)state;
	const double values[] = {NONE, NONE, NONE, NONE, NONE, NONE};
	struct figure f;
	bars_of(&f, values, 0, true);
	has(&f.data, "mcf,,\n");
	has(&f.alt, "idealised: no values.");
	has_not(&f.script, "boxxyerror");
	has_not(&f.script, "with points");
	has_not(&f.script, "with labels");
	figure_release(&f);
}

static void test_boxes(void **state)
{
	(void)state;
	const struct box boxes[] = {{1, 2, 3, 4, 9, 3.5}, {NONE, NONE, NONE, NONE, NONE, NONE}, {5, 5, 5, 5, 5, 5}};
	const double marks[] = {2.5, 3, NONE};
	struct chart_boxes b = {.labels = three,
				.boxes = boxes,
				.nr = 3,
				.nr_apart = 1,
				.marks = marks,
				.mark_words = "simulated",
				.box_words = "255 configurations"};
	struct figure f;
	begin(&f);
	chart_boxes(&made_chart, &b, &f);
	assert_string_equal(
		f.data.text,
		"benchmark,synthetic_least_speedup_pct,synthetic_p25_speedup_pct,synthetic_median_speedup_pct,"
		"synthetic_p75_speedup_pct,synthetic_most_speedup_pct,synthetic_mean_speedup_pct,"
		"synthetic_simulated_speedup_pct\n"
		"mcf,1,2,3,4,9,3.5,2.5\n"
		"gcc 5 %,,,,,,,3\n"
		"mean,5,5,5,5,5,5,\n");
	assert_string_equal(f.alt.text,
			    "Box plots: Speedup of benchmarks on the canonical chip; 39 traces, synthetic. Values are "
			    "speedup (%). There are 2 benchmarks; boxes are of 255 configurations. Means: least 3.50 % "
			    "(mcf), most 3.50 % (mcf). Whole range: least 1 % (mcf), most 9 % (mcf). mcf: mean 3.50 %, "
			    "median 3 %, from 1 % to 9 %, simulated 2.50 %. gcc 5 %: no values. mean: mean 5 %, median "
			    "5 %, from 5 % to 5 %, simulated none.");
	has(&f.script, "set xrange [0:9.36] noextend\n");
	has(&f.script, "'boxes of 255 configurations'");
	has(&f.script, "'25th to 75th percentile'");
	has(&f.script, "'simulated'");
	has(&f.script, " data skip 1 using 8:(at($0)+half*0.6) notitle with points pt 6");
	figure_release(&f);
	b.marks = NULL;
	begin(&f);
	chart_boxes(&made_chart, &b, &f);
	has_not(&f.script, "'simulated'");
	has_not(&f.script, "pt 6");
	has(&f.data, "mcf,1,2,3,4,9,3.5\n");
	figure_release(&f);
	b.is_close = true;
	begin(&f);
	chart_boxes(&made_chart, &b, &f);
	has(&f.script, "set xrange [0.6799999999999999:9.32] noextend\n");
	has_not(&f.script, "set arrow from 0, graph 0");
	figure_release(&f);
}

static void test_panels(void **state)
{
	(void)state;
	static const char *const panels[] = {"no branch core", "10 %, \"all\""};
	const struct box boxes[] = {
		{1, 2, 3, 4, 9, 3.5}, {0, 0, 0, 0, 0, 0}, {2, 2, 2, 2, 2, 2}, {NONE, 0, 0, 0, 0, 0}};
	struct chart_panels p = {.panels = panels,
				 .nr_panels = 2,
				 .labels = three,
				 .boxes = boxes,
				 .nr = 2,
				 .box_words = "39 benchmarks"};
	struct figure f;
	begin(&f);
	chart_panels(&made_chart, &p, &f);
	has(&f.data, ",synthetic_mean_speedup_pct,panel\n"
		     "mcf,1,2,3,4,9,3.5,no branch core\n"
		     "gcc 5 %,0,0,0,0,0,0,no branch core\n"
		     "mcf,2,2,2,2,2,2,\"10 %, \"\"all\"\"\"\n"
		     "gcc 5 %,,,,,,,\"10 %, \"\"all\"\"\"\n");
	/* 9.45 is the height of each of two panels, with 0.16 of it between them. */
	has(&f.script, "set yrange [0:20.412] noextend\n");
	has(&f.script, "up(n) = (1 - int(n) / nr) * 10.96");
	has(&f.script, "'0' 10.96");
	has(&f.script, "'0' 0");
	has(&f.script, "plot data skip 1 every 1::0::1 using ($0*1+1):(0):xtic(1) with dots");
	has(&f.alt, " no branch core: means: least 0 % (gcc 5 %), most 3.50 % (mcf), mean of all 1.75 %.");
	assert_int_equal(nr_lines(&f.data), 5);
	figure_release(&f);
	begin(&f);
	make_panels(&f, 1000, 0, 1);
	has(&f.script, "every 11::0::999 using ($0*11+1)");
	figure_release(&f);
}

static void test_means(void **state)
{
	(void)state;
	const struct chart_mean rows[] = {{"cost", "1 ms", 100, 99, 101, 12},
					  {"cost", "2 ms", 104, NONE, NONE, 1},
					  {"policy", "sahm", NONE, 98, 99, 0}};
	struct figure f;
	begin(&f);
	chart_means(&made_chart, rows, 3, "95 % of resampled means", &f);
	assert_string_equal(f.data.text, "group,benchmark,synthetic_mean_speedup_pct,synthetic_low_speedup_pct,"
					 "synthetic_high_speedup_pct,nr_values\n"
					 "cost,1 ms,100,99,101,12\n"
					 "cost,2 ms,104,,,1\n"
					 "policy,sahm,,,,0\n");
	assert_string_equal(f.alt.text,
			    "Means with intervals: Speedup of benchmarks on the canonical chip; 39 traces, "
			    "synthetic. Values are speedup (%). Intervals: 95 % of resampled means. cost: 2 "
			    "benchmarks, least 100 % (1 ms), most 104 % (2 ms). policy: 1 benchmarks, no values.");
	/* Points need no zero. */
	has(&f.script, "set xrange [98.75:104.25] noextend\n");
	has(&f.script, "firsts = '0 2'\n");
	has(&f.script, "graph 0, first 3.5 to graph 1, first 4.5 back");
	has(&f.script, "set yrange [5.5:0.5] noextend\n");
	figure_release(&f);
}

/* Two rows, three columns, one cell without a value. */
static void test_heat(void **state)
{
	static const char *const rows[] = {"sahm", "fair"}, *const columns[] = {"0", "1", "5"};
	static const double values[] = {26, 25.5, 24, 20, NONE, 6};
	static const struct chart_heat h = {"policy", "cost_ms", rows, columns, 2, 3, values, false};
	struct figure f;
	(void)state;
	begin(&f);
	chart_heat(&made_chart, &h, &f);
	assert_string_equal(f.data.text, "row,column,synthetic_speedup_pct\n"
					 "sahm,0,26\n"
					 "sahm,1,25.5\n"
					 "sahm,5,24\n"
					 "fair,0,20\n"
					 "fair,1,\n"
					 "fair,5,6\n");
	assert_string_equal(f.alt.text,
			    "Heat map: Speedup of benchmarks on the canonical chip; 39 traces, synthetic. Values are "
			    "speedup (%). It has 2 rows (policy) and 3 columns (cost_ms). Lowest: 6 % at policy fair, "
			    "cost_ms 5. Highest: 26 % at policy sahm, cost_ms 0.");
	has(&f.script, "low = 6.0\nhigh = 26.0\n");
	has(&f.script, "set cblabel 'speedup (%)'");
	has(&f.script, "sprintf('%.1f', abs($3) < 0.5e-1 ? 0 : $3)");
	figure_release(&f);
	/* Of signed values, 0 is in the middle. */
	static const double signed_values[] = {-2, 1, 0, 0, NONE, 8};
	const struct chart_heat s = {"part", "part", rows, columns, 2, 3, signed_values, .is_signed = true};
	begin(&f);
	chart_heat(&made_chart, &s, &f);
	has(&f.script, "low = -8.0\nhigh = 8.0\n");
	has(&f.script, "0 '#f4f4f4'");
	figure_release(&f);
}

/* Fourteen columns have their values in the cells, fifteen do not. */
static void test_heat_text(void **state)
{
	static const char *const labels[15] = {"0", "1", "2", "3", "4", "5", "6", "7",
					       "8", "9", "a", "b", "c", "d", "e"};
	static const double values[15] = {1, 2};
	(void)state;
	for (size_t nr = 14; nr <= 15; nr++) {
		const struct chart_heat h = {"policy", "cost_ms", labels, labels, 1, nr, values, false};
		struct figure f;
		begin(&f);
		chart_heat(&made_chart, &h, &f);
		assert_true((strstr(f.script.text, "with labels") != NULL) == (nr == 14));
		figure_release(&f);
	}
}

/* A point for each row with both values; the last series has labels. From 20 times as much on, x is logarithmic, unless
 * there is 0. */
static void test_scatter(void **state)
{
	static const char *const series[] = {"all", "some"};
	const struct chart_point points[] = {
		{"small", 0, 10, 1}, {"small", 1, 10, 2}, {"large", 0, 201, -1}, {"large", 1, 201, NONE}};
	const struct chart_point crowded[] = {{"c", 1, 10, 5}, {"a", 1, 10, 2}, {"b", 1, 11, 2}, {"far", 1, 19, 2}};
	struct chart_scatter p = {points, 4, series, 2, "storage (KiB)", "extra_kib"};
	struct figure f;
	struct sahm_err err;
	(void)state;
	begin(&f);
	assert_int_equal(chart_scatter(&made_chart, &p, &f, &err), SAHM_OK);
	assert_string_equal(f.data.text, "benchmark,series,extra_kib,synthetic_speedup_pct\n"
					 "small,all,10,1\n"
					 "small,some,10,2\n"
					 "large,all,201,-1\n"
					 "large,some,,\n");
	assert_string_equal(
		f.alt.text,
		"Points: Speedup of benchmarks on the canonical chip; 39 traces, synthetic. Values are "
		"speedup (%). Across: storage (KiB). all: least -1 % (large), most 1 % (small). some: least "
		"2 % (small), most 2 % (small).");
	has(&f.script, "set logscale x\n");
	has(&f.script, " data skip 2 every ::0::0 using 3:(2.0):1 notitle with labels");
	assert_null(strstr(f.script.text, " data skip 4 "));
	figure_release(&f);
	p.nr = 2;
	begin(&f);
	assert_int_equal(chart_scatter(&made_chart, &p, &f, &err), SAHM_OK);
	assert_null(strstr(f.script.text, "logscale"));
	has(&f.script, "set yrange [0:");
	figure_release(&f);
	/* 404 px show 0 to 5.25: a label is 12 px high, 0.156. */
	p.points = crowded;
	p.nr = 4;
	begin(&f);
	assert_int_equal(chart_scatter(&made_chart, &p, &f, &err), SAHM_OK);
	has(&f.script, " data skip 1 every ::0::0 using 3:(5.0):1 ");
	has(&f.script, " data skip 2 every ::0::0 using 3:(2.0):1 ");
	has(&f.script, " data skip 3 every ::0::0 using 3:(2.15");
	has(&f.script, " data skip 4 every ::0::0 using 3:(2.0):1 ");
	figure_release(&f);
	p.nr = 0;
	begin(&f);
	assert_int_equal(chart_scatter(&made_chart, &p, &f, &err), SAHM_OK);
	has(&f.script, "set label 'no '.");
	figure_release(&f);
}

/* A line per series, from its first row of data on; both axes begin at zero, unless one is logarithmic, or if close. */
static void test_step_lines(void **state)
{
	static const char *const series[] = {"one", "other"};
	const struct chart_step_point points[] = {{0, 4, 70}, {0, 30, 100}, {1, 2, 50}, {1, 3, 75}, {1, 40, 100}};
	static const struct chart_step_point wide[] = {{0, 2, 50}, {0, 50, 100}};
	static const struct chart_point published[] = {{.label = "others", .x = 3, .value = 60}};
	struct chart_steps s = {.points = points,
				.nr = 5,
				.series = series,
				.nr_series = 2,
				.x_axis = "length (cycles)",
				.x_key = "length_cycles"};
	struct figure f;
	(void)state;
	begin(&f);
	chart_steps(&made_chart, &s, &f);
	assert_string_equal(f.data.text, "benchmark,length_cycles,synthetic_speedup_pct\n"
					 "one,4,70\n"
					 "one,30,100\n"
					 "other,2,50\n"
					 "other,3,75\n"
					 "other,40,100\n");
	has(&f.script, " data skip 1 every ::0::1 using 2:3 notitle with steps ");
	has(&f.script, " data skip 3 every ::0::2 using 2:3 notitle with steps ");
	has(&f.script, "set xrange [0:");
	has(&f.script, "set yrange [0:");
	has(&f.alt, " one: up to 100 % at 30. other: up to 100 % at 40.");
	figure_release(&f);
	begin(&f);
	s.points = wide;
	s.nr = 2;
	chart_steps(&made_chart, &s, &f);
	has(&f.script, "set logscale x\nset xrange [2:60]");
	figure_release(&f);
	s.is_close = true;
	begin(&f);
	chart_steps(&made_chart, &s, &f);
	has(&f.script, "set xrange [2:50] noextend\nset yrange [49:101]");
	figure_release(&f);
	s.is_line = true;
	s.published = published;
	s.nr_published = 1;
	begin(&f);
	chart_steps(&made_chart, &s, &f);
	has(&f.script, " with linespoints ");
	has(&f.script, "set label '' at first 3, first 60 point pt 2 ");
	has(&f.data, "one,50,100\nothers,3,60\n");
	figure_release(&f);
	s.nr = 0;
	begin(&f);
	chart_steps(&made_chart, &s, &f);
	has(&f.script, "set label 'no '.");
	figure_release(&f);
}

static void test_histogram(void **state)
{
	(void)state;
	/* 3 bins are asked for: steps of 5 are the smallest readable ones that 10 / 3 fits into. */
	double values[] = {10, NONE, 0, 4.9, 5, 9.999, 1e200, 3, 7, 6};
	struct figure f;
	begin(&f);
	chart_histogram(&made_chart, values, 10, "runs", &f);
	assert_string_equal(f.data.text, "synthetic_from_speedup_pct,synthetic_below_speedup_pct,nr_benchmarks\n"
					 "0,5,3\n"
					 "5,10,4\n"
					 "10,15,1\n");
	has(&f.alt,
	    "There are 8 benchmarks: least 0 %, median 5.50 %, mean 5.74 %, most 10 %. The fullest of 3 bins has 4, "
	    "from 5 % to below 10 %.");
	has(&f.script, "set yrange [0:4.2] noextend\n");
	has(&f.script, "set arrow from first 5.5, graph 0 to first 5.5, graph 1");
	has(&f.script, "set ytics 0, 1\n");
	figure_release(&f);
	double equal[] = {3, 3, 3, 3};
	begin(&f);
	chart_histogram(&made_chart, equal, 4, "runs", &f);
	has(&f.data, "\n3,3.2,4\n");
	assert_int_equal(nr_lines(&f.data), 2);
	figure_release(&f);
}

/* Never more bins than are asked for and one at each end, and every value in one of them. */
static void test_bins(void **state)
{
	(void)state;
	for (size_t nr = 1; nr < 3000; nr += 37) {
		struct figure f;
		double sum = 0, from, below;
		unsigned long count;
		begin(&f);
		make_histogram(&f, nr, -7.3, 1 + (double)nr / 7);
		double most = fmin(ceil(sqrt((double)nr)), 40) + 2;
		assert_true((double)nr_lines(&f.data) - 1 <= most);
		for (const char *line = strchr(f.data.text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
			assert_int_equal(sscanf(line, "%lf,%lf,%lu", &from, &below, &count), 3);
			assert_true(from < below);
			sum += (double)count;
		}
		assert_true(sum == (double)nr);
		figure_release(&f);
	}
}

static void test_steps(void **state)
{
	(void)state;
	static const struct {
		double least;
		int digit, exponent;
	} rows[] = {
		{1, 1, 0},    {1.0001, 2, 0},  {2, 2, 0},     {2.1, 5, 0},	 {5.1, 1, 1},	 {0.1, 1, -1},
		{0.3, 5, -1}, {0.0011, 2, -3}, {1e22, 1, 22}, {1.5e-90, 2, -90}, {7e99, 1, 100}, {99, 1, 2},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct chart_step step = chart_step(rows[i].least);
		assert_int_equal(step.digit, rows[i].digit);
		assert_int_equal(step.exponent, rows[i].exponent);
	}
	const struct chart_step tenth = {1, -1};
	assert_true(chart_multiple(&tenth, 3) == 0.3 && chart_multiple(&tenth, -7) == -0.7);
}

/* No picture is too large, and labels are left out once they would overlap. */
static void test_thinning(void **state)
{
	(void)state;
	static const struct {
		size_t nr;
		unsigned height_px;
		const char *labels;
	} rows[] = {
		{1, 204, "ytic(int($0) % 1 == 0 ?"},	  {39, 1115, "ytic(int($0) % 1 == 0 ?"},
		{300, 5240, "ytic(int($0) % 1 == 0 ?"},	  {1132, 15988, "ytic(int($0) % 1 == 0 ?"},
		{1133, 14869, "ytic(int($0) % 2 == 0 ?"}, {16384, 16000, "ytic(int($0) % 15 == 0 ?"},
	};
	struct figure f;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f);
		make_bars(&f, rows[i].nr, 0, 1, 0, false, 1, 1);
		has(&f.script, rows[i].labels);
		assert_int_equal(f.height_px, rows[i].height_px);
		assert_int_equal(nr_lines(&f.data), rows[i].nr + 1);
		figure_release(&f);
	}
	/* The row apart keeps its label, and none is close to it. */
	begin(&f);
	make_bars(&f, 16384, 1, 1, 0, false, 1, 1);
	has(&f.script, "ytic(($0 >= 16383 ? int($0-16383) % 15 == 0 : int($0) % 15 == 0 && $0 + 15 <= 16383) ?");
	figure_release(&f);
}

/* Labels are in data only, one line each, whole names last; nothing in a script can be run. */
static void test_hostile_labels(void **state)
{
	(void)state;
	double values[NR_HOSTILE] = {0};
	static const char *const series[] = {"a"};
	struct chart c = made_chart;
	struct chart_bars b = {
		.labels = hostile_labels, .nr_rows = NR_HOSTILE, .series = series, .nr_series = 1, .values = values};
	struct figure f;
	c.title = "a `b` 'c' ]]> \\ \xff";
	begin(&f);
	chart_bars(&c, &b, &f);
	has(&f.data, "benchmark_label,synthetic_speedup_pct,benchmark\n");
	has(&f.data, "\na b 'c' d,0,\"a,b,\"\"c\"\",d\"\n");
	has(&f.data, "\n100% %s %n %d %%,0,100% %s %n %d %%\n");
	has(&f.data, "\n(empty),0,\"\"\n");
	has(&f.data, "\ntwo?lines????more,0,\"two?lines????more\"\n");
	has(&f.data, "\nmany many many \xe2\x80\xa6many many many,0,many");
	assert_int_equal(nr_lines(&f.data), NR_HOSTILE + 1);
	has(&f.script, "'a \xe2\x80\x99"
		       "b\xe2\x80\x99 \xe2\x80\x99"
		       "c\xe2\x80\x99 ))> / ?'");
	has(&f.script, "set datafile commentschars ''");
	has_not(&f.script, "`");
	has_not(&f.script, "]]>");
	has_not(&f.script, "PWNED");
	figure_release(&f);
}

static void test_synthetic(void **state)
{
	(void)state;
	struct figure f;
	struct chart c = made_chart;
	double value = 3;
	c.subtitle = "20 synthetic traces";
	begin(&f);
	chart_histogram(&c, &value, 1, "runs", &f);
	has_not(&f.script, ", synthetic");
	has(&f.script, "'20 synthetic traces'");
	figure_release(&f);
	c.subtitle = NULL;
	begin(&f);
	chart_histogram(&c, &value, 1, "runs", &f);
	has(&f.script, ".'synthetic' at screen");
	figure_release(&f);
	c.synthetic = false;
	begin(&f);
	chart_histogram(&c, &value, 1, "runs", &f);
	has_not(&f.script, "synthetic");
	has_not(&f.data, "synthetic");
	has_not(&f.alt, "synthetic");
	has_not(&f.alt, "nominal");
	figure_release(&f);
}

/* The same with an assumed time base, without and with synthetic. */
static void test_nominal(void **state)
{
	(void)state;
	struct figure f;
	struct chart c = made_chart;
	double value = 3;
	c.nominal = true;
	c.subtitle = "8 traces";
	begin(&f);
	chart_histogram(&c, &value, 1, "runs", &f);
	has(&f.script, "'8 traces, synthetic, assumed time base'");
	has(&f.alt, "; 8 traces, synthetic, assumed time base. Values");
	has(&f.data, "synthetic_nominal_time_from_");
	figure_release(&f);
	c.subtitle = "8 traces, assumed time base";
	c.synthetic = false;
	begin(&f);
	chart_histogram(&c, &value, 1, "runs", &f);
	has(&f.script, "'8 traces, assumed time base'");
	has(&f.alt, "; 8 traces, assumed time base. Values");
	has(&f.data, "nominal_time_from_");
	has_not(&f.data, "synthetic");
	figure_release(&f);
	c.subtitle = NULL;
	begin(&f);
	chart_histogram(&c, &value, 1, "runs", &f);
	has(&f.script, ".'assumed time base' at screen");
	figure_release(&f);
}

TEST_FILE(test_chart)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bars),	       cmocka_unit_test(test_bars_stacked),
		cmocka_unit_test(test_bars_from_zero), cmocka_unit_test(test_nothing_to_draw),
		cmocka_unit_test(test_boxes),	       cmocka_unit_test(test_panels),
		cmocka_unit_test(test_means),	       cmocka_unit_test(test_heat),
		cmocka_unit_test(test_heat_text),      cmocka_unit_test(test_scatter),
		cmocka_unit_test(test_step_lines),     cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_bins),	       cmocka_unit_test(test_steps),
		cmocka_unit_test(test_thinning),       cmocka_unit_test(test_hostile_labels),
		cmocka_unit_test(test_synthetic),      cmocka_unit_test(test_nominal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
