/* Charts as gnuplot draws them: it has nothing to complain of, and pictures are well-formed. Skipped without gnuplot.
 * SAHM_CHARTS=FOLDER (which is there) keeps the pictures, to be looked at. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "results/chart/plot.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/unit/results/chart/chart_cases.h"

static void bars_39(struct figure *f)
{
	make_bars(f, 40, 1, 4, 3, false, 0, 40);
}

static void bars_grouped(struct figure *f)
{
	make_bars(f, 3, 0, 8, 0, true, 2, 30);
}

static void bars_ten(struct figure *f)
{
	make_bars(f, 2, 0, 10, 0, true, -5, 30);
}

static void bars_300(struct figure *f)
{
	make_bars(f, 301, 1, 2, 1, false, -10, 30);
}

static void bars_16384(struct figure *f)
{
	make_bars(f, 16385, 1, 1, 0, false, -1, 3);
}

static void bars_numbers_negative(struct figure *f)
{
	make_bars(f, 12, 0, 1, 0, true, -20, 30);
}

static void bars_below_zero(struct figure *f)
{
	make_bars(f, 5, 1, 2, 1, true, -40, 30);
}

static void bars_zero(struct figure *f)
{
	make_bars(f, 5, 0, 2, 1, true, 0, 0);
}

static void bars_none(struct figure *f)
{
	make_bars(f, 5, 0, 3, 1, true, (double)NAN, 0);
}

static void bars_infinite(struct figure *f)
{
	make_bars(f, 1, 0, 1, 0, true, (double)INFINITY, 0);
}

static void bars_empty(struct figure *f)
{
	make_bars(f, 0, 0, 1, 0, false, 0, 0);
}

static void bars_one(struct figure *f)
{
	make_bars(f, 1, 0, 1, 0, false, 7, 0);
}

static void bars_tiny(struct figure *f)
{
	make_bars(f, 3, 0, 1, 0, true, 1e-300, 1e-301);
}

static void bars_huge(struct figure *f)
{
	make_bars(f, 3, 0, 1, 0, true, -1e99, 3e99);
}

static void boxes_39(struct figure *f)
{
	make_boxes(f, 40, 1, true, 2, 50);
}

static void boxes_4(struct figure *f)
{
	make_boxes(f, 4, 0, false, 2, 50);
}

static void boxes_equal(struct figure *f)
{
	make_boxes(f, 4, 1, true, 7, 0);
}

static void boxes_zero(struct figure *f)
{
	make_boxes(f, 2, 0, true, 0, 0);
}

static void boxes_negative(struct figure *f)
{
	make_boxes(f, 12, 2, true, -30, 40);
}

static void boxes_none(struct figure *f)
{
	make_boxes(f, 3, 0, true, (double)NAN, 0);
}

static void boxes_5000(struct figure *f)
{
	make_boxes(f, 5000, 1, false, 0, 40);
}

static void panels_64(struct figure *f)
{
	make_panels(f, 64, 0.5, 50);
}

static void panels_3(struct figure *f)
{
	make_panels(f, 3, -10, 50);
}

static void panels_1000(struct figure *f)
{
	make_panels(f, 1000, 0, 1e-4);
}

static void panels_none(struct figure *f)
{
	make_panels(f, 5, (double)NAN, 1);
}

static void panels_empty(struct figure *f)
{
	make_panels(f, 0, 0, 1);
}

static void means_20(struct figure *f)
{
	make_means(f, 20, 4);
}

static void means_2000(struct figure *f)
{
	make_means(f, 2000, 50);
}

static void means_empty(struct figure *f)
{
	make_means(f, 0, 1);
}

static void means_one(struct figure *f)
{
	const struct chart_mean rows[] = {{"axis", "value", 5, (double)NAN, (double)NAN, 1},
					  {"axis", "none", (double)NAN, (double)NAN, (double)NAN, 0}};
	chart_means(&made_chart, rows, 2, NULL, f);
}

static void draw_heat(struct figure *f, size_t nr_rows, size_t nr_columns, double from, double span)
{
	const char **labels = made_labels("value", nr_rows > nr_columns ? nr_rows : nr_columns);
	double *values = calloc(nr_rows * nr_columns, sizeof(*values));
	assert_non_null(values);
	for (size_t i = 0; i < nr_rows * nr_columns; i++)
		values[i] = i % 7 == 3 ? (double)NAN : from + span * made_number(i);
	chart_heat(&made_chart,
		   &(struct chart_heat){"policy", "cost_ms", labels, labels, nr_rows, nr_columns, values, from < 0}, f);
	free(values);
	release_labels(labels);
}

static void heat_4(struct figure *f)
{
	draw_heat(f, 2, 2, -3, 10);
}

static void heat_2400(struct figure *f)
{
	draw_heat(f, MAX_HEAT_ROWS, MAX_HEAT_COLUMNS, 0, 1);
}

static void heat_equal(struct figure *f)
{
	draw_heat(f, 3, 4, 5, 0);
}

static void heat_none(struct figure *f)
{
	draw_heat(f, 2, 2, (double)NAN, 0);
}

static void histogram_1000(struct figure *f)
{
	make_histogram(f, 1000, -5, 40);
}

static void histogram_5(struct figure *f)
{
	make_histogram(f, 5, 1e6, 40);
}

static void histogram_equal(struct figure *f)
{
	make_histogram(f, 50, 3, 0);
}

static void histogram_zero(struct figure *f)
{
	make_histogram(f, 50, 0, 0);
}

static void histogram_empty(struct figure *f)
{
	make_histogram(f, 0, 0, 0);
}

static void histogram_none(struct figure *f)
{
	make_histogram(f, 5, (double)INFINITY, 0);
}

static const struct chart hostile_chart = {
	.title = "Hostile `touch PWNED` ]]> 'title' \xff @x",
	.subtitle = "of \"cuts\\n\" that are `touch PWNED` and ]]> so long that no line holds them all, which is why "
		    "they go on "
		    "and on and on in a second line, and even beyond that, in smaller letters, as long as it takes",
	.value_axis = "value 'axis' (%), `touch PWNED` ]]>",
	.value_key = "value",
	.row_key = "name",
	.row_words = "names",
	.unit = "",
	.synthetic = true,
};

static void hostile_bars(struct figure *f)
{
	double values[NR_HOSTILE * NR_HOSTILE];
	for (size_t i = 0; i < NR_HOSTILE * NR_HOSTILE; i++)
		values[i] = i % 5 == 0 ? (double)NAN : (double)i;
	struct chart_bars b = {.labels = hostile_labels,
			       .nr_rows = NR_HOSTILE,
			       .series = hostile_labels,
			       .nr_series = NR_HOSTILE,
			       .nr_marks = 7,
			       .values = values,
			       .numbers = true};
	chart_bars(&hostile_chart, &b, f);
}

static void hostile_boxes(struct figure *f)
{
	struct box boxes[NR_HOSTILE];
	double marks[NR_HOSTILE];
	for (size_t i = 0; i < NR_HOSTILE; i++) {
		boxes[i] = made_box(i, i % 4 == 1 ? (double)NAN : -3, 30);
		marks[i] = i % 3 == 0 ? (double)NAN : (double)i;
	}
	struct chart_boxes b = {.labels = hostile_labels,
				.boxes = boxes,
				.nr = NR_HOSTILE,
				.marks = marks,
				.mark_words = hostile_labels[8],
				.box_words = hostile_labels[16]};
	chart_boxes(&hostile_chart, &b, f);
}

static void hostile_panels(struct figure *f)
{
	struct box boxes[NR_HOSTILE * NR_HOSTILE];
	for (size_t i = 0; i < NR_HOSTILE * NR_HOSTILE; i++)
		boxes[i] = made_box(i, i % 4 == 1 ? (double)NAN : 3, 30);
	struct chart_panels p = {.panels = hostile_labels,
				 .nr_panels = NR_HOSTILE,
				 .labels = hostile_labels,
				 .boxes = boxes,
				 .nr = NR_HOSTILE,
				 .box_words = hostile_labels[8]};
	chart_panels(&hostile_chart, &p, f);
}

static void hostile_means(struct figure *f)
{
	struct chart_mean rows[NR_HOSTILE];
	for (size_t i = 0; i < NR_HOSTILE; i++)
		rows[i] = (struct chart_mean){.group = hostile_labels[i / 2],
					      .label = hostile_labels[i],
					      .mean = i % 5 == 1 ? (double)NAN : (double)i,
					      .low = i % 3 == 0 ? (double)NAN : (double)i - 1,
					      .high = (double)i + 1,
					      .nr = i};
	chart_means(&hostile_chart, rows, NR_HOSTILE, hostile_labels[8], f);
}

static void hostile_steps(struct figure *f)
{
	struct chart_step_point points[3 * MAX_STEPS_SERIES];
	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		points[i] = (struct chart_step_point){(unsigned)i / 3, 10 * (double)(i % 3), (double)i};
	struct chart_steps s = {.points = points,
				.nr = ARRAY_SIZE(points),
				.series = hostile_labels,
				.nr_series = MAX_STEPS_SERIES,
				.x_axis = hostile_labels[8],
				.x_key = "x"};
	chart_steps(&hostile_chart, &s, f);
}

static void hostile_heat(struct figure *f)
{
	double values[NR_HOSTILE * NR_HOSTILE];
	for (size_t i = 0; i < NR_HOSTILE * NR_HOSTILE; i++)
		values[i] = made_number(i);
	chart_heat(&hostile_chart,
		   &(struct chart_heat){hostile_labels[0], hostile_labels[1], hostile_labels, hostile_labels,
					NR_HOSTILE, NR_HOSTILE, values, false},
		   f);
}

static void hostile_histogram(struct figure *f)
{
	double values[] = {3, (double)NAN, 1, -(double)INFINITY, 2, 1e200};
	chart_histogram(&hostile_chart, values, 6, hostile_labels[8], f);
}

static const struct {
	const char *name;
	void (*make)(struct figure *f);
} cases[] = {
	{"bars_39", bars_39},
	{"bars_grouped", bars_grouped},
	{"bars_ten", bars_ten},
	{"bars_300", bars_300},
	{"bars_16384", bars_16384},
	{"bars_numbers_negative", bars_numbers_negative},
	{"bars_below_zero", bars_below_zero},
	{"bars_zero", bars_zero},
	{"bars_none", bars_none},
	{"bars_infinite", bars_infinite},
	{"bars_empty", bars_empty},
	{"bars_one", bars_one},
	{"bars_tiny", bars_tiny},
	{"bars_huge", bars_huge},
	{"boxes_39", boxes_39},
	{"boxes_4", boxes_4},
	{"boxes_equal", boxes_equal},
	{"boxes_zero", boxes_zero},
	{"boxes_negative", boxes_negative},
	{"boxes_none", boxes_none},
	{"boxes_5000", boxes_5000},
	{"panels_64", panels_64},
	{"panels_3", panels_3},
	{"panels_1000", panels_1000},
	{"panels_none", panels_none},
	{"panels_empty", panels_empty},
	{"means_20", means_20},
	{"means_2000", means_2000},
	{"means_empty", means_empty},
	{"means_one", means_one},
	{"heat_4", heat_4},
	{"heat_2400", heat_2400},
	{"heat_equal", heat_equal},
	{"heat_none", heat_none},
	{"histogram_1000", histogram_1000},
	{"histogram_5", histogram_5},
	{"histogram_equal", histogram_equal},
	{"histogram_zero", histogram_zero},
	{"histogram_empty", histogram_empty},
	{"histogram_none", histogram_none},
	{"hostile_bars", hostile_bars},
	{"hostile_boxes", hostile_boxes},
	{"hostile_panels", hostile_panels},
	{"hostile_means", hostile_means},
	{"hostile_steps", hostile_steps},
	{"hostile_heat", hostile_heat},
	{"hostile_histogram", hostile_histogram},
};

#define NR_CASES ARRAY_SIZE(cases)

/* Removes the figure's files; whatever else is in the folder is what a script did. */
static void remove_figure(const char *folder, const char *name)
{
	static const char *const suffixes[] = {"csv", "gp", "svg", "png"};
	char path[512];
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s.%s", folder, name, suffixes[i]);
		unlink(path);
	}
}

/* Every case is made; without gnuplot, none is drawn. */
static void test_drawn(void **state)
{
	(void)state;
	const char *kept = getenv("SAHM_CHARTS");
	char made[] = "/tmp/sahm-charts-XXXXXX";
	const char *folder = kept ? kept : mkdtemp(made);
	bool draws = system("command -v gnuplot >/dev/null 2>&1") == 0;
	unsigned nr_bad = 0;
	assert_non_null(folder);
	for (size_t i = 0; i < NR_CASES; i++) {
		struct sahm_err err = {0};
		struct textbuf notes;
		struct figure f;
		textbuf_init(&notes);
		figure_init(&f, cases[i].name);
		cases[i].make(&f);
		assert_true(f.width_px > 0 && f.width_px <= MAX_PLOT_PX);
		assert_true(f.height_px > 0 && f.height_px <= MAX_PLOT_PX);
		assert_true(f.alt.len > 0 && f.data.len > 0);
		assert_int_equal(figure_write(&f, folder, &err), SAHM_OK);
		if (draws && plot_draw(folder, f.name, &notes, &err) != SAHM_OK) {
			print_error("%s: %s\n", f.name, err.msg);
			nr_bad++;
		} else if (notes.len > 0) {
			print_error("%s: %s\n", f.name, notes.text);
			nr_bad++;
		}
		if (!kept)
			remove_figure(folder, f.name);
		figure_release(&f);
		textbuf_release(&notes);
	}
	/* No label was run: nothing else is there. */
	if (!kept)
		assert_int_equal(rmdir(folder), 0);
	assert_int_equal(nr_bad, 0);
	if (!draws) {
		print_message("gnuplot is not installed: no chart was drawn\n");
		skip();
	}
}

TEST_FILE(test_chart_draw)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drawn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
