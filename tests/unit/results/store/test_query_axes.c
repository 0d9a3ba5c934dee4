/* Effects of axes and the per-thread view, against a direct computation from the rows. */
#include "sim/base/array.h"
#include "sim/base/stats.h"
#include "tests/unit/made_sweep.h"

static const unsigned sizes[][3] = {{1, 1, 1}, {2, 3, 1}, {4, 5, 3}, {7, 1, 9}, {8, 8, 8}};
#define NR_SIZES ARRAY_SIZE(sizes)

static void near(double a, double b, const char *what)
{
	if (isnan(a) != isnan(b) || fabs(a - b) > 1e-12)
		fail_msg("%s: %.17g and %.17g", what, a, b);
}

/* Number, mean and sum of squares of the points that have `value` on `axis` and `other` on `beside`; UINT64_MAX: any.
 */
struct direct {
	double nr, mean, squares, least, most;
};

static struct direct look_at(const struct made_sweep *made, enum run_metric m, uint32_t axis, uint64_t value,
			     uint32_t beside, uint64_t other)
{
	struct direct d = {.least = INFINITY, .most = -INFINITY};
	const struct query_axis *x = made->q.axes;
	for (int pass = 0; pass < 2; pass++)
		for (uint64_t i = 0; i < made->nr_points; i++) {
			double v = made->points[i].values[m];
			if (!counts(&made->points[i], m) ||
			    (value != UINT64_MAX && i / x[axis].stride % x[axis].nr_values != value) ||
			    (other != UINT64_MAX && i / x[beside].stride % x[beside].nr_values != other))
				continue;
			if (pass == 0) {
				d.nr++;
				d.mean += v;
				d.least = fmin(d.least, v);
				d.most = fmax(d.most, v);
			} else {
				d.squares += (v - d.mean / d.nr) * (v - d.mean / d.nr);
			}
		}
	d.mean /= d.nr;
	return d;
}

static double between(const struct made_sweep *made, enum run_metric m, uint32_t a, uint32_t b)
{
	struct direct all = look_at(made, m, 0, UINT64_MAX, 0, UINT64_MAX);
	double sum = 0;
	for (uint64_t v = 0; v < made->q.axes[a].nr_values; v++)
		for (uint64_t w = 0; w < made->q.axes[b].nr_values; w++) {
			struct direct d = look_at(made, m, a, v, b, w);
			if (d.nr > 0 && (a != b || v == w))
				sum += d.nr * (d.mean - all.mean) * (d.mean - all.mean);
		}
	return all.squares > 0 ? sum / all.squares : NAN;
}

static uint32_t axis_called(const struct made_sweep *made, const char *name)
{
	for (uint32_t i = 0; i < made->q.nr_axes; i++)
		if (strcmp(made->q.axes[i].name, name) == 0)
			return i;
	fail_msg("no axis '%s'", name);
	return 0;
}

static const char *string_of(const json_t *row, const char *key)
{
	return json_string_value(json_object_get(row, key));
}

static void check_values(const struct made_sweep *made, enum run_metric m, const json_t *values)
{
	struct direct all = look_at(made, m, 0, UINT64_MAX, 0, UINT64_MAX);
	size_t nr = 0;
	for (uint32_t i = 0; i < made->q.nr_axes; i++)
		nr += made->q.axes[i].nr_values;
	assert_int_equal(json_array_size(values), nr);
	for (size_t i = 0; i < nr; i++) {
		const json_t *row = json_array_get(values, i);
		uint32_t axis = axis_called(made, string_of(row, "axis"));
		uint64_t value = (uint64_t)json_integer_value(json_object_get(row, "value"));
		struct direct d = look_at(made, m, axis, value, axis, value);
		near(json_number_of(row, "points"), d.nr, "points");
		if (d.nr == 0)
			continue;
		near(json_number_of(row, "mean"), d.mean, "mean");
		near(json_number_of(row, "difference"), d.mean - all.mean, "difference");
		near(json_number_of(row, "min"), d.least, "min");
		near(json_number_of(row, "max"), d.most, "max");
	}
}

static void check_axes(struct made_sweep *made, enum run_metric m, bool whole)
{
	struct query_answer a;
	double last = INFINITY;
	query_answer_init(&a);
	assert_int_equal(query_axes(&made->q, m, &a, NULL), SAHM_OK);
	json_t *root = json_of_answer(&a), *axes = json_object_get(root, "axes");
	const json_t *pairs = json_object_get(root, "pairs");
	assert_int_equal(json_array_size(axes), 3);
	for (size_t i = 0; i < 3; i++) {
		const json_t *row = json_array_get(axes, i);
		uint32_t axis = axis_called(made, string_of(row, "axis"));
		double share = json_number_of(row, "explained_share"), least = INFINITY, most = -INFINITY;
		for (uint64_t v = 0; v < made->q.axes[axis].nr_values; v++) {
			struct direct d = look_at(made, m, axis, v, axis, v);
			least = d.nr > 0 ? fmin(least, d.mean) : least;
			most = d.nr > 0 ? fmax(most, d.mean) : most;
		}
		near(share, between(made, m, axis, axis), "explained");
		if (most >= least)
			near(json_number_of(row, "range"), most - least, "range");
		assert_true(isnan(share) || share <= last);
		last = share;
	}
	check_values(made, m, json_object_get(root, "values"));
	assert_true(!whole || made->nr_points == 1 || json_array_size(pairs) == 3);
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *row = json_array_get(pairs, i);
		uint32_t x = axis_called(made, string_of(row, "axis")), y = axis_called(made, string_of(row, "other"));
		for (uint64_t v = 0; v < made->q.axes[x].nr_values; v++)
			for (uint64_t w = 0; w < made->q.axes[y].nr_values; w++)
				assert_true(look_at(made, m, x, v, y, w).nr == look_at(made, m, x, 0, y, 0).nr);
		near(json_number_of(row, "explained_share"),
		     fmax(0, between(made, m, x, y) - between(made, m, x, x) - between(made, m, y, y)), "pair");
	}
	json_decref(root);
	query_answer_release(&a);
}

static void test_axes(void **state)
{
	static struct made_sweep made;
	(void)state;
	for (unsigned i = 0; i < 2 * NR_SIZES; i++) {
		make_sweep(&made, 100 + i, sizes[i / 2], 3, i % 2);
		check_axes(&made, RUN_METRIC_speedup_mean, i % 2);
		check_axes(&made, RUN_METRIC_wait_p99_ns, i % 2);
		end_sweep(&made);
	}
}

/* Values that follow from only one axis are explained by it, exactly; what is the same everywhere by none. */
static void test_clear_effects(void **state)
{
	static struct made_sweep made;
	struct query_answer a;
	(void)state;
	make_sweep(&made, 5, sizes[2], 3, true);
	sql(made.db,
	    "UPDATE run SET stp = 0.1, jain = (SELECT p.position / 3 %% 5 FROM point p WHERE p.run = run.id) / 4.0");
	query_answer_init(&a);
	assert_int_equal(query_axes(&made.q, RUN_METRIC_jain, &a, NULL), SAHM_OK);
	json_t *root = json_of_answer(&a), *axes = json_object_get(root, "axes");
	assert_string_equal(string_of(json_array_get(axes, 0), "axis"), "b.y");
	near(json_number_of(json_array_get(axes, 0), "explained_share"), 1, "alone");
	assert_true(json_number_of(json_array_get(axes, 0), "range") == 1);
	near(json_number_of(json_array_get(axes, 1), "explained_share"), 0, "no effect");
	json_decref(root);
	query_answer_release(&a);
	query_answer_init(&a);
	assert_int_equal(query_axes(&made.q, RUN_METRIC_stp, &a, NULL), SAHM_OK);
	root = json_of_answer(&a);
	axes = json_object_get(root, "axes");
	for (size_t i = 0; i < 3; i++) {
		assert_true(isnan(json_number_of(json_array_get(axes, i), "explained_share")));
		assert_true(json_number_of(json_array_get(axes, i), "range") == 0);
	}
	assert_true(json_number_of(root, "mean") == 0.1);
	json_decref(root);
	query_answer_release(&a);
	end_sweep(&made);
}

#define NR_THREADS 3

static void test_threads(void **state)
{
	static struct made_sweep made;
	static double values[NR_THREADS][MADE_POINTS];
	uint64_t best[NR_THREADS] = {0};
	size_t nr[NR_THREADS] = {0};
	double most[NR_THREADS], sums[NR_THREADS] = {0};
	struct query_answer a;
	(void)state;
	make_sweep(&made, 6, sizes[4], 3, true);
	/* Names were met in another order than that of threads. */
	sql(made.db, "INSERT INTO thread_name VALUES (1, 'late'), (2, 'mid'), (3, 'early')");
	for (uint64_t i = 0; i < made.nr_points; i++)
		for (int t = 0; t < NR_THREADS; t++) {
			double v = rand() % 64 / 64.0;
			/* A thread that some points have not got. */
			if (t == 1 && i % 5 == 0)
				continue;
			sql(made.db,
			    "INSERT INTO thread SELECT run, %d, %d, %!.17g, 0.5, NULL, 1, 2, 3, 0.5, NULL FROM point WHERE "
			    "position = %llu",
			    t, 3 - t, v, (unsigned long long)i);
			if (nr[t] == 0 || v > most[t]) {
				most[t] = v;
				best[t] = i;
			}
			sums[t] += v;
			values[t][nr[t]++] = v;
		}
	query_answer_init(&a);
	assert_int_equal(query_threads(&made.q, "speedup", &a, NULL), SAHM_OK);
	json_t *root = json_of_answer(&a), *rows = json_object_get(root, "threads");
	static const char *const names[] = {"early", "mid", "late"};
	assert_int_equal(json_array_size(rows), NR_THREADS);
	for (size_t t = 0; t < NR_THREADS; t++) {
		const json_t *row = json_array_get(rows, t);
		stats_sort(values[t], nr[t]);
		assert_string_equal(string_of(row, "name"), names[t]);
		assert_int_equal(json_integer_value(json_object_get(row, "points")), nr[t]);
		near(json_number_of(row, "mean"), sums[t] / (double)nr[t], "mean");
		assert_true(json_number_of(row, "p25") == stats_percentile(values[t], nr[t], 25));
		assert_true(json_number_of(row, "median") == stats_percentile(values[t], nr[t], 50));
		assert_true(json_number_of(row, "p75") == stats_percentile(values[t], nr[t], 75));
		assert_true(json_number_of(row, "best") == most[t]);
		assert_int_equal(json_integer_value(json_object_get(row, "position")), best[t]);
	}
	json_decref(root);
	query_answer_release(&a);
	query_answer_init(&a);
	struct sahm_err err;
	assert_int_equal(query_threads(&made.q, "speedups", &a, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "threads have no metric 'speedups'; did you mean 'speedup'?");
	assert_int_equal(query_threads(&made.q, "matched_share", &a, NULL), SAHM_OK); /* all NULL */
	query_answer_release(&a);
	/* 0.5 J for 1 ns of work in 2 ns. */
	query_answer_init(&a);
	assert_int_equal(query_threads(&made.q, "ed2p", &a, NULL), SAHM_OK);
	root = json_of_answer(&a);
	near(json_number_of(json_array_get(json_object_get(root, "threads"), 0), "mean") / 1e9, 2, "ed2p");
	json_decref(root);
	query_answer_release(&a);
	end_sweep(&made);
}

TEST_FILE(test_query_axes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_clear_effects),
		cmocka_unit_test(test_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
