/* Reports of sweeps: their numbers compared with a look at every row, and the fate of the page. */
#include <sys/stat.h>
#include <unistd.h>

#include "results/page/page_folder.h"
#include "results/page/report_internal.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/unit/made_sweep.h"

static const unsigned sizes[][3] = {{1, 1, 1}, {2, 3, 1}, {4, 5, 3}, {7, 1, 9}, {8, 8, 8}};
#define NR_SIZES ARRAY_SIZE(sizes)

static struct report *make_report(struct made_sweep *made, enum run_metric metric)
{
	static const struct report_options usual = {
		.nr_best = 10, .origin = {.store = "made.sqlite", .path = "/", .results = "feed", .threads = "beef"}};
	struct report_options o = usual;
	struct report *r;
	struct sahm_err err;
	o.metric = metric;
	if (report_new(&r, &made->q, &o, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return r;
}

static void test_intervals(void **state)
{
	double values[MAX_REPORT_BOOTSTRAP + 2];
	struct stats_interval i, again;
	(void)state;
	values[0] = 3;
	assert_int_equal(report_interval(values, 1, &i, NULL), SAHM_OK);
	assert_true(i.mean == 3 && isnan(i.low) && isnan(i.high));
	for (size_t k = 0; k < MAX_REPORT_BOOTSTRAP + 2; k++)
		values[k] = k % 2 ? 1 : -1;
	/* By bootstrap: within the values, around their mean, the same each time. */
	assert_int_equal(report_interval(values, MAX_REPORT_BOOTSTRAP, &i, NULL), SAHM_OK);
	assert_int_equal(report_interval(values, MAX_REPORT_BOOTSTRAP, &again, NULL), SAHM_OK);
	assert_true(i.mean == 0 && i.low < -0.07 && i.low > -0.11 && i.high > 0.07 && i.high < 0.11);
	assert_memory_equal(&i, &again, sizeof(i));
	/* By the standard error, sqrt(502 / 501 / 502). */
	assert_int_equal(report_interval(values, MAX_REPORT_BOOTSTRAP + 2, &i, NULL), SAHM_OK);
	assert_true(i.mean == 0 && i.high == -i.low);
	assert_true(fabs(i.high - 1.959963984540054 * sqrt(1.0 / 501)) < 1e-15);
}

static void test_choice(void **state)
{
	static const double means[] = {5, 1, 9, 5, 7, 3};
	static const size_t greatest[] = {2, 4, 5, 1}, least[] = {1, 5, 4, 2};
	size_t order[6];
	(void)state;
	assert_int_equal(report_choose(means, 6, 1, 6, 2, order), 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(order[i], i);
	assert_int_equal(report_choose(means, 6, 1, 5, 2, order), 4);
	assert_memory_equal(order, greatest, sizeof(greatest));
	assert_int_equal(report_choose(means, 6, -1, 5, 2, order), 4);
	assert_memory_equal(order, least, sizeof(least));
}

/* Groups of an axis: all points with a value, and no others. */
static void check_groups(const struct made_sweep *made, enum run_metric m, const struct report *r)
{
	for (uint32_t x = 0; x < made->q.nr_axes; x++) {
		const struct report_axis *axis = &r->axes[x];
		size_t g = 0;
		for (uint64_t v = 0; v < made->q.axes[x].nr_values; v++) {
			size_t nr = 0;
			double sum = 0;
			for (uint64_t i = 0; i < made->nr_points; i++) {
				if (!counts(&made->points[i], m) || query_value_at(&made->q.axes[x], i) != v)
					continue;
				assert_true(axis->groups[g].values[nr] == made->points[i].values[m]);
				sum += made->points[i].values[m];
				nr++;
			}
			if (nr == 0)
				continue;
			assert_int_equal(axis->groups[g].value, v);
			assert_int_equal(axis->groups[g].nr, nr);
			assert_true(fabs(axis->groups[g].mean - sum / (double)nr) < 1e-12);
			g++;
		}
		assert_int_equal(axis->nr, g);
		assert_true((axis->figure != NULL) == (g > 1));
	}
}

static void check_numbers(struct made_sweep *made, enum run_metric m)
{
	struct report *r = make_report(made, m);
	const struct report_summary *s = report_summary(r);
	uint64_t nr = 0, done = 0, failed = 0, best = made->nr_points;
	double sum = 0, sign = run_metric_direction(m) < 0 ? -1 : 1;
	for (uint64_t i = 0; i < made->nr_points; i++) {
		const struct made_point *p = &made->points[i];
		done += p->is_there && p->state == RUN_DONE;
		failed += p->is_there && p->state == RUN_FAILED;
		if (!counts(p, m))
			continue;
		nr++;
		sum += p->values[m];
		if (best == made->nr_points || sign * p->values[m] > sign * made->points[best].values[m])
			best = i;
	}
	assert_int_equal(r->nr, nr);
	assert_int_equal(s->nr_points, made->nr_points);
	assert_int_equal(s->nr_done, done);
	assert_int_equal(s->nr_failed, failed);
	assert_int_equal(s->nr_missing, made->nr_points - done - failed);
	assert_true(s->any == (nr > 0));
	assert_false(s->synthetic);
	if (nr > 0) {
		assert_int_equal(s->position, best);
		assert_true(s->value == made->points[best].values[m]);
		assert_true(fabs(r->interval.mean - sum / (double)nr) < 1e-12);
	}
	check_groups(made, m, r);
	report_free(r);
}

static void test_numbers(void **state)
{
	static struct made_sweep made;
	(void)state;
	for (unsigned i = 0; i < NR_SIZES; i++) {
		make_sweep(&made, i, sizes[i], 3, false);
		check_numbers(&made, RUN_METRIC_speedup_mean);
		check_numbers(&made, RUN_METRIC_antt);
		check_numbers(&made, RUN_METRIC_transition_share);
		end_sweep(&made);
	}
}

/* Rows of CSV, the headings apart. */
static size_t nr_rows(const struct textbuf *csv)
{
	size_t nr = 0;
	for (const char *p = csv->text; *p; p++)
		nr += *p == '\n';
	return nr - 1;
}

static const char *caption_of(const struct report_figure *f)
{
	assert_non_null(f);
	return f->caption.text;
}

/* An axis of 61 values shows 20 and 20, one of 60 all of them. */
static void test_long_axes(void **state)
{
	static const unsigned lengths[] = {60, 61};
	static struct made_sweep made;
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const unsigned size[] = {lengths[i], 3, 1};
		make_sweep(&made, 5, size, 3, true);
		struct report *r = make_report(&made, RUN_METRIC_speedup_mean);
		size_t shown = i ? 2 * NR_REPORT_EXTREMES : 60;
		assert_int_equal(nr_rows(&r->axes[0].figure->figure.data), shown);
		assert_int_equal(nr_rows(&r->means->figure.data), shown + 3);
		assert_true((strstr(caption_of(r->axes[0].figure), "the 20 best and") != NULL) == i);
		assert_true((strstr(caption_of(r->means), "20 worst") != NULL) == i);
		assert_null(r->axes[2].figure);
		report_free(r);
		end_sweep(&made);
	}
}

/* gnuplot runs what stands in backquotes, in scripts. */
static void test_titles(void **state)
{
	static const unsigned size[] = {2, 2, 2};
	static struct made_sweep made;
	(void)state;
	make_sweep(&made, 15, size, 3, true);
	query_release(&made.q);
	sql(made.db, "UPDATE axis SET name = '`touch PWNED`' WHERE axis = 1");
	assert_int_equal(query_begin_db(&made.q, made.db, "made", 1, NULL), SAHM_OK);
	struct report *r = make_report(&made, RUN_METRIC_speedup_mean);
	for (unsigned i = 0; i < r->nr_figures; i++)
		assert_null(strstr(r->figures[i].figure.script.text, "PWNED"));
	assert_non_null(strstr(r->axes[0].figure->figure.alt.text, ": a.x"));
	assert_non_null(strstr(r->axes[1].figure->figure.alt.text, ": Axis 2"));
	assert_null(r->heat);
	report_free(r);
	end_sweep(&made);
}

/* Two axes that vary: a cell for each point, rows of the longer axis; names of axes as in titles. */
static void test_heat(void **state)
{
	static const unsigned size[] = {2, 3, 1};
	static struct made_sweep made;
	(void)state;
	make_sweep(&made, 15, size, 3, true);
	query_release(&made.q);
	sql(made.db, "UPDATE axis SET name = '`touch PWNED`' WHERE axis = 1");
	assert_int_equal(query_begin_db(&made.q, made.db, "made", 1, NULL), SAHM_OK);
	struct report *r = make_report(&made, RUN_METRIC_speedup_mean);
	assert_non_null(r->heat);
	const struct figure *f = &r->heat->figure;
	assert_int_equal(nr_rows(&f->data), 6);
	assert_null(strstr(f->script.text, "PWNED"));
	assert_non_null(strstr(f->script.text, "set ylabel 'Axis 2'"));
	assert_non_null(strstr(f->script.text, "set xlabel 'a.x'"));
	/* Rows are values of the second axis: the second cell is its first value at the first axis' second one. */
	char row[160];
	const struct query_axis *x = &r->axes[0].axis[0], *y = &r->axes[1].axis[0];
	uint64_t second = 0;
	while (query_value_at(x, second) != 1 || query_value_at(y, second) != 0)
		second++;
	const char *line = strchr(strchr(f->data.text, '\n') + 1, '\n') + 1;
	snprintf(row, sizeof(row), "%s,%s,", y->labels[0].text, x->labels[1].text);
	assert_memory_equal(line, row, strlen(row));
	assert_true(fabs(strtod(line + strlen(row), NULL) - 100 * made.points[second].values[RUN_METRIC_speedup_mean]) <
		    1e-9);
	report_free(r);
	end_sweep(&made);
}

/* Nine values are dots, ten a box. */
static void test_dots(void **state)
{
	static const unsigned lengths[] = {9, 10};
	static struct made_sweep made;
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const unsigned size[] = {2, lengths[i], 1};
		make_sweep(&made, 15, size, 3, true);
		struct report *r = make_report(&made, RUN_METRIC_speedup_mean);
		const struct figure *f = &r->axes[0].figure->figure;
		assert_int_equal(r->axes[0].groups[0].nr, lengths[i]);
		assert_true((strstr(f->data.text, ",value9_speedup_mean_pct") != NULL) == (i == 0));
		assert_true((strstr(f->script.text, "boxxyerror") != NULL) == (i == 1));
		report_free(r);
		end_sweep(&made);
	}
}

/* Many axes with many values: the figure of all of them stays one that can be looked at. */
static void test_many_rows(void **state)
{
	static const unsigned size[] = {60, 60, 1};
	static struct made_sweep made;
	(void)state;
	make_sweep(&made, 6, size, 3, true);
	struct report *r = make_report(&made, RUN_METRIC_speedup_mean);
	assert_int_equal(nr_rows(&r->means->figure.data), 120);
	report_free(r);
	end_sweep(&made);
}

/* Threads 0 to nr - 1 of every point that is done; thread t has the speedup t / 1024 more than the point's number. */
static void make_threads(struct made_sweep *made, unsigned nr)
{
	query_release(&made->q);
	for (unsigned t = 0; t < nr; t++) {
		sql(made->db, "INSERT INTO thread_name VALUES (%u, 'thread <%u>')", t + 1, t);
		sql(made->db,
		    "INSERT INTO thread SELECT run, %u, %u, position + %u / 1024.0, 0, 0, 0, 0, 0, NULL, NULL FROM point",
		    t, t + 1, t);
	}
	assert_int_equal(query_begin_db(&made->q, made->db, "made", 1, NULL), SAHM_OK);
}

static void test_threads(void **state)
{
	static const unsigned size[] = {2, 2, 1}, numbers[] = {MAX_REPORT_THREADS, MAX_REPORT_THREADS + 1};
	static struct made_sweep made;
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		make_sweep(&made, 7, size, 3, true);
		make_threads(&made, numbers[i]);
		struct report *r = make_report(&made, RUN_METRIC_speedup_mean);
		size_t shown = i ? 2 * NR_REPORT_THREADS : MAX_REPORT_THREADS;
		const struct query_table *t = report_table(&r->threads, "threads");
		assert_int_equal(r->nr_threads, numbers[i]);
		assert_int_equal(nr_rows(&r->by_thread->figure.data), shown);
		assert_int_equal(t->nr_cells, shown * t->nr_columns);
		/* In their order, whatever their means. */
		const char *rows = strchr(r->by_thread->figure.data.text, '\n');
		assert_memory_equal(rows, "\nthread <0>,", strlen("\nthread <0>,"));
		assert_string_equal(t->cells[0].text, "thread <0>");
		assert_string_equal(t->cells[(shown - 1) * t->nr_columns].text, i ? "thread <100>" : "thread <99>");
		assert_true((strstr(caption_of(r->by_thread), "Of 101 threads") != NULL) == i);
		report_free(r);
		end_sweep(&made);
	}
}

/* Of a sweep by size: its report in a separate folder, without pictures. */
static char *page_of(struct made_sweep *made, enum run_metric metric, const char *folder)
{
	char path[128], *text;
	size_t len;
	struct textbuf notes;
	struct sahm_err err;
	struct report *r = make_report(made, metric);
	textbuf_init(&notes);
	if (report_write(r, folder, false, false, &notes, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(notes.len, 0);
	textbuf_release(&notes);
	report_free(r);
	snprintf(path, sizeof(path), "%s/" PAGE_FILE, folder);
	assert_int_equal(file_read(path, SIZE_MAX / 2, &text, &len, NULL), SAHM_OK);
	return text;
}

struct made_folder {
	char path[64], report[96];
};

static struct made_folder make_folder(void)
{
	struct made_folder f = {.path = "/tmp/sahm-report-XXXXXX"};
	assert_non_null(mkdtemp(f.path));
	snprintf(f.report, sizeof(f.report), "%s/it", f.path);
	return f;
}

static void remove_folder(const struct made_folder *f)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", f->path);
	assert_int_equal(system(command), 0);
}

static void expect(const char *page, const char *text, bool wanted)
{
	if ((strstr(page, text) != NULL) != wanted)
		fail_msg("the page %s '%s'", wanted ? "lacks" : "has", text);
}

/* Names are those of somebody who means ill; the second page is the same. */
static void test_page(void **state)
{
	static const unsigned size[] = {8, 8, 4};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 8, size, 3, false);
	query_release(&made.q);
	sql(made.db, "UPDATE axis SET name = '<script>alert(1)</script>' WHERE axis = 0");
	sql(made.db, "UPDATE axis_value SET label = '\"><img src=x>`id`' WHERE axis = 1 AND value = 1");
	sql(made.db, "UPDATE sweep SET name = 'a & b', config = '</code><b>c</b>'");
	sql(made.db, "UPDATE run SET synthetic = 1, message = '<i>broken</i>'");
	assert_int_equal(query_begin_db(&made.q, made.db, "made", 1, NULL), SAHM_OK);
	char *page = page_of(&made, RUN_METRIC_speedup_mean, f.report);
	expect(page, "<title>Sweep a &amp; b (synthetic)</title>", true);
	expect(page, "nominal", false);
	expect(page, "<script", false);
	expect(page, "<img src=x", false);
	expect(page, "</code><b>", false);
	expect(page, "<i>", false);
	expect(page, "synthetic: generated, not recorded", true);
	expect(page, "sahm query made.sqlite config", true);
	expect(page, "sahm report made.sqlite", true);
	expect(page, "There is no manifest", true);
	expect(page, "id=\"failed\"", true);
	expect(page, "id=\"missing\"", true);
	expect(page, "id=\"cores\"", true);
	expect(page, "feed", true);
	char *again = page_of(&made, RUN_METRIC_speedup_mean, f.report);
	assert_string_equal(page, again);
	free(again);
	free(page);
	end_sweep(&made);
	remove_folder(&f);
}

/* The first section has the best point, and each axis' share: of four points at 10, 20, 30 and 40 %, in which the first
 * axis makes 20 points and the second one 10, 80 % and 20 %. */
static void test_answer(void **state)
{
	static const unsigned size[] = {2, 2, 1};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 9, size, 3, true);
	for (unsigned i = 0; i < 4; i++) {
		unsigned first = (unsigned)query_value_at(&made.q.axes[0], i);
		unsigned second = (unsigned)query_value_at(&made.q.axes[1], i);
		sql(made.db,
		    "UPDATE run SET speedup_mean = %u / 100.0 WHERE id = (SELECT run FROM point WHERE position = %u)",
		    10 + 20 * first + 10 * second, i);
	}
	char *page = page_of(&made, RUN_METRIC_speedup_mean, f.report);
	expect(page, "The best of 4 points is point 3, with ", true);
	expect(page, "Its value is +40.00 % (speedup, arithmetic mean); the worst is +10.00 %.", true);
	expect(page, "This is about", false);
	expect(page, "is best (mean +35.00 %), ", true);
	expect(page, "is worst (mean +15.00 %); it explains 80 % of the variance", true);
	expect(page, "is best (mean +30.00 %), ", true);
	expect(page, "is worst (mean +20.00 %); it explains 20 % of the variance", true);
	assert_true(strstr(page, "id=\"answer\"") < strstr(page, "id=\"axes\""));
	free(page);
	end_sweep(&made);
	remove_folder(&f);
}

/* The answer about points with these values, in percent, in the order of positions; 0: the point failed. */
static char *answer_of(struct made_sweep *made, const char *folder, const unsigned *values)
{
	for (unsigned i = 0; i < made->nr_points; i++)
		sql(made->db,
		    "UPDATE run SET state = %d, speedup_mean = %u / 100.0 WHERE id = (SELECT run FROM point WHERE "
		    "position = %u)",
		    values[i] ? RUN_DONE : RUN_FAILED, values[i], i);
	char *page = page_of(made, RUN_METRIC_speedup_mean, folder);
	char *end = strstr(page, "</section>");
	assert_non_null(end);
	*end = '\0';
	return page;
}

/* No effect, one point, no point, and points that failed: the answer is about the others. */
static void test_answer_of_few(void **state)
{
	static const unsigned size[] = {2, 2, 1};
	static const struct {
		unsigned values[4];
		const char *wanted[3], *unwanted;
	} cases[] = {
		{{20, 20, 20, 20},
		 {"All 4 points have the same value: +20.00 % (speedup, arithmetic mean).", "has no effect"},
		 "best"},
		{{0, 30, 0, 0},
		 {"Only point 1 has a value: +30.00 % (speedup, arithmetic mean), with ",
		  "This is about 1 of 4 points: 3 failed, 0 are missing, 0 finished without a value of this metric.<",
		  "has one value only"},
		 "best"},
		{{10, 20, 30, 0},
		 {"The best of 3 points is point 2, with ", "This is about 3 of 4 points: 1 failed, ",
		  "Without them an axis can show part of the effect of another one."},
		 "All "},
		{{0, 0, 0, 0},
		 {"No point is finished: there is nothing to show yet (4 failed, 0 are missing)."},
		 "best"},
	};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 9, size, 3, true);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *page = answer_of(&made, f.report, cases[i].values);
		const char *answer = strstr(page, "id=\"answer\"");
		assert_non_null(answer);
		for (size_t w = 0; w < 3 && cases[i].wanted[w]; w++)
			expect(answer, cases[i].wanted[w], true);
		expect(answer, cases[i].unwanted, false);
		free(page);
	}
	end_sweep(&made);
	remove_folder(&f);
}

/* Of some points the traces have nominal time: pages, captions and columns say so. */
static void test_nominal(void **state)
{
	static const unsigned size[] = {2, 2, 1};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 9, size, 3, true);
	sql(made.db, "UPDATE run SET nominal_time = 1 WHERE id = (SELECT max(id) FROM run)");
	char *page = page_of(&made, RUN_METRIC_jain, f.report);
	expect(page, "<title>Sweep made (assumed time base)</title>", true);
	expect(page, "The time base of traces is assumed: their epochs are not stretches of measured time.", true);
	expect(page, "recorded; assumed time base: epochs are not stretches", true);
	expect(page, "points (assumed time base) have a", true);
	expect(page, "synthetic", false);
	free(page);
	end_sweep(&made);
	remove_folder(&f);
}

/* Runs with different results are reported, and nothing where there are none. */
static void test_second_results(void **state)
{
	static const unsigned size[] = {2, 2, 1};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 9, size, 3, true);
	for (int nr = 0; nr < 2; nr++) {
		if (nr)
			sql(made.db, "CREATE TABLE second_result (run); INSERT INTO second_result SELECT max(run) "
				     "FROM point");
		char *page = page_of(&made, RUN_METRIC_jain, f.report);
		expect(page, "1 run has given different results at different times: table second_result.", nr);
		expect(page, "different results", nr);
		free(page);
	}
	end_sweep(&made);
	remove_folder(&f);
}

/* Times stand nowhere. */
static void test_no_times(void **state)
{
	static const unsigned size[] = {2, 2, 1};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 9, size, 3, true);
	char *before = page_of(&made, RUN_METRIC_jain, f.report);
	sql(made.db, "INSERT INTO timing SELECT id, 1, 3000000, 2000000, 0 FROM run");
	char *after = page_of(&made, RUN_METRIC_jain, f.report);
	assert_string_equal(before, after);
	free(before);
	free(after);
	end_sweep(&made);
	remove_folder(&f);
}

static void test_intervals_of_points(void **state)
{
	static const unsigned size[] = {2, 1, 1};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 10, size, 3, true);
	char *page = page_of(&made, RUN_METRIC_jain, f.report);
	expect(page, "intervals of the single points", false);
	free(page);
	sql(made.db, "INSERT INTO interval SELECT id, 'jain', 0.125, 0.375 FROM run");
	page = page_of(&made, RUN_METRIC_jain, f.report);
	expect(page, "intervals of the single points", true);
	expect(page, "0.125", true);
	expect(page, "0.375", true);
	free(page);
	sql(made.db, "UPDATE interval SET metric = 'paid_ns'");
	page = page_of(&made, RUN_METRIC_paid_ns, f.report);
	expect(page, "intervals of the single points", false);
	free(page);
	end_sweep(&made);
	remove_folder(&f);
}

/* Nothing is done, or nothing has such a value: still a page. */
static void test_nothing(void **state)
{
	static const unsigned size[] = {3, 2, 1};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	(void)state;
	make_sweep(&made, 11, size, 3, true);
	sql(made.db, "UPDATE run SET latency_p50_ns = NULL");
	char *page = page_of(&made, RUN_METRIC_latency_p50_ns, f.report);
	expect(page, "No finished point has a value of this metric", true);
	expect(page, "waits are measured only in continuous time", true);
	free(page);
	sql(made.db, "UPDATE run SET state = 2, message = 'it broke'");
	page = page_of(&made, RUN_METRIC_speedup_mean, f.report);
	expect(page, "No point is finished", true);
	expect(page, "it broke", true);
	expect(page, "id=\"distribution\"", false);
	expect(page, "<figure>", false);
	expect(page, "id=\"repeat\"", true);
	free(page);
	end_sweep(&made);
	remove_folder(&f);
}

/* A folder that cannot be one, and files that stand in the way. */
static void test_no_folder(void **state)
{
	static const unsigned size[] = {2, 1, 1};
	static struct made_sweep made;
	struct made_folder f = make_folder();
	struct sahm_err err = {0};
	struct textbuf notes;
	char path[128];
	(void)state;
	textbuf_init(&notes);
	make_sweep(&made, 12, size, 3, true);
	struct report *r = make_report(&made, RUN_METRIC_speedup_mean);
	FILE *file = fopen(f.report, "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(report_write(r, f.report, false, false, &notes, &err), SAHM_IO);
	expect(err.msg, "a file is called so", true);
	assert_int_equal(remove(f.report), 0);
	snprintf(path, sizeof(path), "%s/" PAGE_FILE, f.report);
	assert_true(mkdir(f.report, 0777) == 0 && mkdir(path, 0777) == 0);
	assert_int_equal(report_write(r, f.report, true, false, &notes, &err), SAHM_USAGE);
	expect(err.msg, "is not a page that sahm made", true);
	assert_int_equal(rmdir(path), 0);
	snprintf(path, sizeof(path), "%s/distribution.csv", f.report);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(report_write(r, f.report, true, false, &notes, &err), SAHM_USAGE);
	expect(err.msg, "distribution.csv' was not written with a page of that folder", true);
	report_free(r);
	end_sweep(&made);
	textbuf_release(&notes);
	remove_folder(&f);
}

static void test_manifests(void **state)
{
	static const unsigned size[] = {2, 1, 1};
	static const struct report_input inputs[] = {{"trace", "a\nb.csv", "00ff"}};
	static struct made_sweep made;
	(void)state;
	make_sweep(&made, 13, size, 3, true);
	for (unsigned i = 0; i < 2; i++) {
		struct made_folder f = make_folder();
		char path[128], *page;
		size_t len;
		struct textbuf notes;
		struct report *r;
		/* The sweep's identity is its id. */
		const struct report_options o = {.nr_best = 1,
						 .origin = {.store = "-it's",
							    .path = "/",
							    .results = "feed",
							    .threads = "beef",
							    .manifest = "m",
							    .identity = i ? "02" : "01",
							    .inputs = inputs,
							    .nr_inputs = 1}};
		textbuf_init(&notes);
		assert_int_equal(report_new(&r, &made.q, &o, NULL), SAHM_OK);
		assert_int_equal(report_write(r, f.report, false, false, &notes, NULL), SAHM_OK);
		report_free(r);
		snprintf(path, sizeof(path), "%s/" PAGE_FILE, f.report);
		assert_int_equal(file_read(path, SIZE_MAX / 2, &page, &len, NULL), SAHM_OK);
		expect(page, "sahm rerun m", i == 0);
		expect(page, "00ff  a?b.csv (trace)", i == 0);
		expect(page, "that of another sweep", i == 1);
		expect(page, "sahm report ./&#39;-it&#39;\\&#39;&#39;s&#39; --top 1", true);
		free(page);
		textbuf_release(&notes);
		remove_folder(&f);
	}
	end_sweep(&made);
}

static void test_damaged(void **state)
{
	static const unsigned size[] = {2, 1, 1};
	static const struct report_options o = {.nr_best = 1, .origin = {"made", "feed", "beef", NULL, NULL, NULL, 0}};
	static struct made_sweep made;
	struct report *r;
	struct sahm_err err;
	(void)state;
	make_sweep(&made, 14, size, 3, true);
	sql(made.db, "UPDATE sweep SET identity = 7");
	assert_int_equal(report_new(&r, &made.q, &o, &err), SAHM_FORMAT);
	expect(err.msg, "has no identity", true);
	end_sweep(&made);
}

TEST_FILE(test_report_sweep)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals), cmocka_unit_test(test_choice),
		cmocka_unit_test(test_numbers),	  cmocka_unit_test(test_long_axes),
		cmocka_unit_test(test_many_rows), cmocka_unit_test(test_titles),
		cmocka_unit_test(test_heat),	  cmocka_unit_test(test_dots),
		cmocka_unit_test(test_answer),	  cmocka_unit_test(test_answer_of_few),
		cmocka_unit_test(test_threads),	  cmocka_unit_test(test_page),
		cmocka_unit_test(test_nominal),	  cmocka_unit_test(test_second_results),
		cmocka_unit_test(test_no_times),  cmocka_unit_test(test_intervals_of_points),
		cmocka_unit_test(test_nothing),	  cmocka_unit_test(test_no_folder),
		cmocka_unit_test(test_manifests), cmocka_unit_test(test_damaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
