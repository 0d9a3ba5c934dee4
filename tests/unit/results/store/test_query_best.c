/* Best points and Pareto fronts against a look at every row. */
#include "sim/base/array.h"
#include "tests/unit/made_sweep.h"

static const unsigned sizes[][3] = {{1, 1, 1}, {2, 3, 1}, {4, 5, 3}, {7, 1, 9}, {8, 8, 8}};
#define NR_SIZES ARRAY_SIZE(sizes)

/* Whether point `x` comes before `y` among the best. */
static bool comes_before(const struct made_sweep *made, enum run_metric m, int direction, uint64_t x, uint64_t y)
{
	double a = made->points[x].values[m] * direction, b = made->points[y].values[m] * direction;
	return a > b || (a == b && x < y);
}

static void check_best(struct made_sweep *made, enum run_metric m, int direction, uint64_t wanted, int only_x)
{
	struct query_answer a;
	uint64_t nr = 0;
	query_answer_init(&a);
	assert_int_equal(query_best(&made->q, m, direction, wanted, &a, NULL), SAHM_OK);
	json_t *root = json_of_answer(&a), *rows = json_object_get(root, "best");
	for (uint64_t i = 0; i < made->nr_points; i++) {
		uint64_t rank = 0;
		const struct query_axis *x = &made->q.axes[0];
		if (!counts(&made->points[i], m) || (only_x >= 0 && i / x->stride % x->nr_values != (uint64_t)only_x))
			continue;
		for (uint64_t k = 0; k < made->nr_points; k++)
			rank += counts(&made->points[k], m) && comes_before(made, m, direction, k, i) &&
				(only_x < 0 || k / x->stride % x->nr_values == (uint64_t)only_x);
		nr++;
		if (rank >= wanted)
			continue;
		const json_t *row = json_array_get(rows, rank);
		assert_int_equal(json_integer_value(json_object_get(row, "position")), i);
		assert_true(json_number_of(row, run_metric_rows[m].name) == made->points[i].values[m]);
		assert_true(json_number_of(row, "nr_cores") == made->points[i].nr_cores);
		assert_int_equal(json_integer_value(json_object_get(row, "a.x")), i / x->stride % x->nr_values);
	}
	assert_int_equal(json_array_size(rows), nr < wanted ? nr : wanted);
	json_decref(root);
	query_answer_release(&a);
}

static void test_best(void **state)
{
	static struct made_sweep made;
	(void)state;
	for (unsigned i = 0; i < NR_SIZES; i++) {
		make_sweep(&made, i, sizes[i], 3, false);
		check_best(&made, RUN_METRIC_speedup_mean, 1, 10, -1);
		check_best(&made, RUN_METRIC_antt, -1, 1, -1);
		check_best(&made, RUN_METRIC_migrations_per_s, -1, 100000, -1);
		check_best(&made, RUN_METRIC_jain, 1, 64, -1);
		assert_int_equal(query_where(&made.q, "x=0", NULL), SAHM_OK);
		check_best(&made, RUN_METRIC_speedup_mean, 1, 10, 0);
		end_sweep(&made);
	}
}

/* The value of an objective, the less the better. */
static double key_of(const struct made_point *p, const struct query_objective *o)
{
	return -o->direction * (o->kind == OBJECTIVE_METRIC  ? p->values[o->metric]
				: o->kind == OBJECTIVE_CORES ? p->nr_cores
				: o->kind == OBJECTIVE_AREA  ? (p->nr_cores - 1) * 1.5 + 4
							     : (p->nr_cores - 1) * 0.25 + 8);
}

static bool has_all(const struct made_point *p, const struct query_objective *o, uint32_t nr)
{
	bool all = p->is_there && p->state == RUN_DONE;
	for (uint32_t i = 0; i < nr; i++)
		all &= !isnan(key_of(p, &o[i]));
	return all;
}

/* Whether `a` is better in one and as good in all others: 2; as good in all: 1; else 0. */
static int compare(const struct made_point *a, const struct made_point *b, const struct query_objective *o, uint32_t nr)
{
	int better = 1;
	for (uint32_t i = 0; i < nr; i++) {
		double x = key_of(a, &o[i]), y = key_of(b, &o[i]);
		if (x > y)
			return 0;
		better = x < y ? 2 : better;
	}
	return better;
}

static enum sahm_status price(void *ctx, const char *type, const char *speedups, enum query_objective_kind which,
			      double *value, struct sahm_err *err)
{
	bool area = which == OBJECTIVE_AREA;
	(void)err;
	++*(unsigned *)ctx;
	if (strcmp(type, "baseline") == 0) {
		assert_string_equal(speedups, "");
		*value = area ? 1.5 : 0.25;
	} else {
		assert_string_equal(speedups, "30");
		*value = area ? 4 : 8;
	}
	return SAHM_OK;
}

static void check_pareto(struct made_sweep *made, const struct query_objective *o, uint32_t nr)
{
	struct query_answer a;
	size_t nr_front = 0;
	unsigned nr_prices = 0;
	struct query_prices prices = {price, &nr_prices};
	query_answer_init(&a);
	assert_int_equal(query_pareto(&made->q, o, nr, &prices, &a, NULL), SAHM_OK);
	json_t *root = json_of_answer(&a), *rows = json_object_get(root, "front");
	for (uint64_t i = 0; i < made->nr_points; i++) {
		bool beaten = !has_all(&made->points[i], o, nr), first = true;
		uint64_t alike = 0;
		for (uint64_t k = 0; k < made->nr_points && !beaten; k++) {
			int how = has_all(&made->points[k], o, nr) ? compare(&made->points[k], &made->points[i], o, nr)
								   : 0;
			beaten |= how == 2;
			alike += how == 1;
			first &= how != 1 || k >= i;
		}
		if (beaten || !first)
			continue;
		const json_t *row = NULL;
		for (size_t r = 0; r < json_array_size(rows) && !row; r++)
			if ((uint64_t)json_integer_value(json_object_get(json_array_get(rows, r), "position")) == i)
				row = json_array_get(rows, r);
		if (!row)
			fail_msg("point %llu is not on the front", (unsigned long long)i);
		assert_int_equal(json_integer_value(json_object_get(row, "alike")), alike);
		nr_front++;
	}
	assert_int_equal(json_array_size(rows), nr_front);
	/* A chip is looked up once. */
	assert_true(nr_prices <= 16 * 2 * 2);
	json_decref(root);
	query_answer_release(&a);
}

static void test_pareto(void **state)
{
	static struct made_sweep made;
	static const char *const names[] = {"speedup_mean",	    "cores",	"antt",
					    "migrations_per_s:max", "area_mm2", "power_w:max"};
	struct query_objective o[6];
	(void)state;
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(query_read_objective(names[i], &o[i], NULL), SAHM_OK);
	for (unsigned i = 0; i < NR_SIZES; i++) {
		make_sweep(&made, 50 + i, sizes[i], 3, false);
		for (uint32_t nr = 1; nr <= 6; nr++)
			for (uint32_t first = 0; first + nr <= 6; first++)
				check_pareto(&made, o + first, nr);
		end_sweep(&made);
	}
}

static void test_objectives(void **state)
{
	struct query_objective o;
	struct sahm_err err;
	(void)state;
	assert_int_equal(query_read_objective("latency_p99_ns", &o, NULL), SAHM_OK);
	assert_true(o.kind == OBJECTIVE_METRIC && o.metric == RUN_METRIC_latency_p99_ns && o.direction == -1);
	assert_int_equal(query_read_objective("cores:max", &o, NULL), SAHM_OK);
	assert_true(o.kind == OBJECTIVE_CORES && o.direction == 1);
	assert_int_equal(query_read_objective("transition_share:min", &o, NULL), SAHM_OK);
	assert_int_equal(query_read_objective("transition_share", &o, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "neither more nor less of 'transition_share' is better: say "
				     "transition_share:min or transition_share:max");
	assert_int_equal(query_read_objective("speedup_meen", &o, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "unknown objective 'speedup_meen'; did you mean 'speedup_mean'?");
	assert_int_equal(query_read_objective("cores:least", &o, &err), SAHM_USAGE);
}

/* Prices that are not there are asked for, and an objective counts once. */
static void test_refused_objectives(void **state)
{
	static struct made_sweep made;
	struct query_objective two[2] = {{OBJECTIVE_AREA, (enum run_metric)0, -1},
					 {OBJECTIVE_AREA, (enum run_metric)0, 1}};
	struct query_answer a;
	struct sahm_err err;
	unsigned nr = 0;
	struct query_prices prices = {price, &nr};
	(void)state;
	make_sweep(&made, 1, sizes[1], 3, true);
	query_answer_init(&a);
	assert_int_equal(query_pareto(&made.q, two, 1, NULL, &a, &err), SAHM_USAGE);
	assert_int_equal(query_pareto(&made.q, two, 2, &prices, &a, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "objective 'area_mm2' is named twice");
	query_answer_release(&a);
	end_sweep(&made);
}

static void test_names(void **state)
{
	static struct made_sweep made;
	struct sahm_err err;
	enum run_metric m;
	(void)state;
	make_sweep(&made, 2, sizes[2], 3, true);
	assert_int_equal(query_metric("sped_mean", &m, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "unknown metric 'sped_mean'; did you mean 'speedup_mean'?");
	assert_int_equal(query_where(&made.q, "a.y=1", &err), SAHM_USAGE);
	assert_string_equal(err.msg, "the sweep has no axis 'a.y'; did you mean 'a.x'?");
	assert_int_equal(query_where(&made.q, "a.x", &err), SAHM_USAGE);
	assert_int_equal(query_where(&made.q, "a.x=4", &err), SAHM_USAGE);
	assert_int_equal(query_where(&made.q, "a.x=3.0", NULL), SAHM_OK); /* a number is one however it is written */
	assert_true(query_where(&made.q, "z=2", NULL) == SAHM_OK && made.q.axes[2].chosen[2] &&
		    !made.q.axes[2].chosen[0]);
	end_sweep(&made);
}

/* Text, of which shares and speedups are in %, and what is left out is counted. */
static void test_text(void **state)
{
	static struct made_sweep made;
	struct query_answer a;
	struct textbuf out;
	static const unsigned one[] = {1, 2, 1};
	(void)state;
	make_sweep(&made, 3, one, 3, true);
	sql(made.db,
	    "UPDATE run SET speedup_mean = 0.25, served_share = 0.5, migrations_per_s = 12, synthetic = 1, nr_cores "
	    "= 4, chip = 4");
	sql(made.db, "UPDATE run SET speedup_mean = NULL WHERE id = (SELECT run FROM point WHERE position = 1)");
	query_answer_init(&a);
	textbuf_init(&out);
	assert_int_equal(query_best(&made.q, RUN_METRIC_speedup_mean, 1, 10, &a, NULL), SAHM_OK);
	assert_true(query_answer_text(&a, false, &out));
	assert_string_equal(out.text, "made: the 1 point with the highest speedup_mean, of 1 (synthetic)\n"
				      "\n"
				      "chip made of                 3 baseline + 1 branch 30 %\n"
				      "\n"
				      "position  speedup_mean  a.x  b.y  c.z   served  migrations per second\n"
				      "---------------------------------------------------------------------\n"
				      "       0      +25.00 %    0    0    0  50.00 %                  12.00\n"
				      "\n"
				      "left out: 1 point without a value\n");
	textbuf_release(&out);
	query_answer_release(&a);
	/* Of three points that are done, the traces of one have nominal time. */
	sql(made.db, "UPDATE run SET synthetic = 0, nominal_time = id = (SELECT run FROM point WHERE position = 0)");
	query_answer_init(&a);
	textbuf_init(&out);
	assert_int_equal(query_best(&made.q, RUN_METRIC_speedup_mean, 1, 10, &a, NULL), SAHM_OK);
	assert_true(query_answer_text(&a, false, &out));
	assert_non_null(strstr(out.text, "speedup_mean, of 1 (assumed time base)\n"));
	textbuf_release(&out);
	textbuf_init(&out);
	assert_true(query_answer_json(&a, &out));
	assert_non_null(strstr(out.text, "\"synthetic\": false,\n  \"nominal_time\": true,\n"));
	textbuf_release(&out);
	query_answer_release(&a);
	end_sweep(&made);
}

static void write_best(struct made_sweep *made, struct textbuf *out)
{
	struct query_answer a;
	query_answer_init(&a);
	textbuf_init(out);
	assert_int_equal(query_best(&made->q, RUN_METRIC_speedup_mean, 1, 10, &a, NULL), SAHM_OK);
	assert_true(query_answer_text(&a, false, out));
	query_answer_release(&a);
}

/* Chips with several points are cut after a whole part where the table is too wide, and the number of cores has a
 * column where it differs. */
static void test_width(void **state)
{
	static struct made_sweep made;
	struct textbuf out;
	static const unsigned two[] = {1, 2, 1};
	(void)state;
	make_sweep(&made, 3, two, 3, true);
	sql(made.db, "UPDATE run SET nr_cores = 9, chip = 1 + id %% 2");
	sql(made.db, "UPDATE run SET chip = (SELECT 3 + position FROM point WHERE run = id)");
	write_best(&made, &out);
	assert_non_null(
		strstr(out.text, "\ncores                        9\nall chips have               1 branch 30 %\n\n"));
	assert_non_null(strstr(out.text, "  2 baseline\n"));
	assert_non_null(strstr(out.text, "  3 baseline\n"));
	textbuf_release(&out);
	/* Differences between chips are never cut, however wide the table becomes. */
	sql(made.db, "UPDATE chip SET name = id || ' baseline + 1 branch 30 %% + ' || id || ' l1i 30 %% + ' || id || "
		     "' l1d 30 %% + ' || id || ' l2 30 %%'");
	write_best(&made, &out);
	assert_non_null(strstr(out.text, "  3 baseline + 3 l1i 30 % + 3 l1d 30 % + 3 l2 30 %\n"));
	assert_non_null(strstr(out.text, "\nall chips have               1 branch 30 %\n"));
	assert_null(strstr(out.text, "..."));
	textbuf_release(&out);
	sql(made.db, "UPDATE run SET nr_cores = chip");
	write_best(&made, &out);
	assert_non_null(strstr(out.text, "migrations per second  cores  made of\n"));
	textbuf_release(&out);
	end_sweep(&made);
}

TEST_FILE(test_query_best)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best),	   cmocka_unit_test(test_pareto),
		cmocka_unit_test(test_objectives), cmocka_unit_test(test_refused_objectives),
		cmocka_unit_test(test_names),	   cmocka_unit_test(test_text),
		cmocka_unit_test(test_width),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
