/* Single points, failures, gaps, the overview; and stores that are not what they should be. */
#include "sim/base/array.h"
#include "tests/unit/made_sweep.h"

static const unsigned sizes[] = {4, 5, 3};

typedef enum sahm_status (*question)(struct query *q, struct query_answer *a, struct sahm_err *err);

static json_t *ask(struct made_sweep *made, question what)
{
	struct query_answer a;
	struct sahm_err err;
	query_answer_init(&a);
	if (what(&made->q, &a, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	json_t *root = json_of_answer(&a);
	query_answer_release(&a);
	return root;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in\n%s", part, text);
}

/* How to make a point's run again, in words that a shell takes as they are meant. */
static void test_point(void **state)
{
	static struct made_sweep made;
	struct query_answer a;
	struct sahm_err err;
	struct textbuf out;
	(void)state;
	make_sweep(&made, 1, sizes, 3, true);
	sql(made.db,
	    "UPDATE axis_value SET settings = 'scheduler.policy=\"it''s\"' || char(10) || 'seed=1' WHERE axis = 1 "
	    "AND value = 2");
	sql(made.db,
	    "UPDATE run SET speedup_mean = 0.125, energy_j = 1, message = 'given up' WHERE id = (SELECT run FROM point WHERE "
	    "position = 23)");
	sql(made.db, "INSERT INTO interval SELECT run, 'speedup_mean', 0.0625, 0.25 FROM point WHERE position = 23");
	sql(made.db, "INSERT INTO thread_name VALUES (1, 'only')");
	sql(made.db,
	    "INSERT INTO thread SELECT run, 0, 1, 0.5, NULL, 0.25, 1500000, 2000000, 7, 0.003, 2 FROM point WHERE position "
	    "= 23");
	query_answer_init(&a);
	textbuf_init(&out);
	assert_int_equal(query_point(&made.q, 23, &a, NULL), SAHM_OK);
	json_t *root = json_of_answer(&a);
	assert_string_equal(json_string_value(json_object_get(root, "command")),
			    "sahm run sweep.cfg --set a.x=1 --set 'scheduler.policy=\"it'\\''s\"' --set seed=1 "
			    "--set c.z=2");
	assert_int_equal(json_array_size(json_object_get(root, "settings")), 4);
	json_decref(root);
	assert_true(query_answer_text(&a, false, &out));
	expect(out.text, "made: point 23, done\n");
	expect(out.text, "remarks                      given up\n");
	expect(out.text, "speedup_mean       +12.50 %     +6.25 %     +25.00 %\n");
	expect(out.text,
	       "only    +50.00 %       -  25.00 %           7        1.50 ms  2.00 ms      0.003          2     1.5  2.667  3.556\n");
	query_answer_release(&a);
	textbuf_release(&out);
	query_answer_init(&a);
	assert_int_equal(query_point(&made.q, 60, &a, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "there is no point 60: the sweep has 60");
	assert_int_equal(query_point(&made.q, 59, &a, NULL), SAHM_OK);
	query_answer_release(&a);
	end_sweep(&made);
}

/* What a store says cannot drive a terminal. */
static void test_control_characters(void **state)
{
	static struct made_sweep made;
	struct query_answer a;
	struct textbuf out;
	(void)state;
	make_sweep(&made, 1, sizes, 3, true);
	query_release(&made.q);
	sql(made.db, "UPDATE axis SET name = char(27) || '[2J' WHERE axis = 0");
	sql(made.db, "UPDATE axis_value SET label = char(27) || 'x', settings = char(27) || '=' || char(155)");
	sql(made.db, "UPDATE sweep SET name = char(27) || 'name', evaluator = 'run'");
	sql(made.db, "UPDATE run SET message = char(27) || 'm', state = 2");
	assert_int_equal(query_begin_db(&made.q, made.db, "made", 1, NULL), SAHM_OK);
	textbuf_init(&out);
	for (unsigned i = 0; i < 5; i++) {
		query_answer_init(&a);
		assert_int_equal(i == 0	  ? query_overview(&made.q, &a, NULL)
				 : i == 1 ? query_point(&made.q, 1, &a, NULL)
				 : i == 2 ? query_failed(&made.q, &a, NULL)
				 : i == 3 ? query_axes(&made.q, RUN_METRIC_stp, &a, NULL)
					  : query_best(&made.q, RUN_METRIC_stp, 1, 3, &a, NULL),
				 SAHM_OK);
		assert_true(query_answer_text(&a, false, &out));
		query_answer_release(&a);
	}
	assert_null(strchr(out.text, '\033'));
	textbuf_release(&out);
	end_sweep(&made);
}

static void test_failed_and_missing(void **state)
{
	static struct made_sweep made;
	uint64_t nr_failed = 0, nr_missing = 0, at = 0;
	(void)state;
	make_sweep(&made, 3, sizes, 3, false);
	/* The end is missing, too. */
	sql(made.db, "DELETE FROM point WHERE position = 59");
	made.points[59].is_there = false;
	sql(made.db,
	    "UPDATE run SET message = 'it broke otherwise' WHERE id = (SELECT p.run FROM point p JOIN run r ON r.id "
	    "= p.run WHERE r.state = 2 ORDER BY p.position LIMIT 1)");
	json_t *root = ask(&made, query_failed);
	const json_t *points = json_object_get(root, "points"), *messages = json_object_get(root, "messages");
	for (uint64_t i = 0; i < made.nr_points; i++)
		if (made.points[i].is_there && made.points[i].state == RUN_FAILED) {
			const json_t *row = json_array_get(points, nr_failed++);
			assert_int_equal(json_integer_value(json_object_get(row, "position")), i);
		}
	assert_true(nr_failed > 2);
	assert_int_equal(json_array_size(points), nr_failed);
	assert_int_equal(json_array_size(messages), 2);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(messages, 0), "points")), nr_failed - 1);
	assert_string_equal(json_string_value(json_object_get(json_array_get(messages, 1), "message")),
			    "it broke otherwise");
	json_decref(root);

	root = ask(&made, query_missing);
	const json_t *gaps = json_object_get(root, "missing");
	for (size_t i = 0; i < json_array_size(gaps); i++) {
		const json_t *row = json_array_get(gaps, i);
		uint64_t from = (uint64_t)json_integer_value(json_object_get(row, "from"));
		uint64_t to = (uint64_t)json_integer_value(json_object_get(row, "to"));
		const char *why = json_string_value(json_object_get(row, "why"));
		assert_int_equal(json_integer_value(json_object_get(row, "points")), to - from + 1);
		for (; at < from; at++)
			assert_true(made.points[at].is_there && made.points[at].state == RUN_DONE);
		for (; at <= to; at++)
			assert_string_equal(why, !made.points[at].is_there	       ? "not in the results file"
						 : made.points[at].state == RUN_FAILED ? "failed"
										       : "planned");
		nr_missing += to - from + 1;
	}
	for (; at < made.nr_points; at++)
		assert_true(made.points[at].is_there && made.points[at].state == RUN_DONE);
	assert_int_equal(json_integer_value(json_object_get(root, "nr_missing")), nr_missing);
	assert_true(nr_missing > nr_failed);
	json_decref(root);
	end_sweep(&made);
}

/* Gaps in the text stand for the positions that are missing: each row is opened up again. */
static void check_strides(struct made_sweep *made, unsigned most_rows)
{
	struct query_answer a;
	struct textbuf out;
	static bool told[MADE_POINTS];
	unsigned nr_rows = 0;
	memset(told, 0, sizeof(told));
	query_answer_init(&a);
	textbuf_init(&out);
	assert_int_equal(query_missing(&made->q, &a, NULL), SAHM_OK);
	assert_true(query_answer_text(&a, false, &out));
	bool has_which = strstr(out.text, "which") != NULL;
	const char *line = strstr(out.text, "---\n");
	assert_non_null(line);
	for (line += 4; *line && *line != '\n'; line += strcspn(line, "\n") + 1) {
		unsigned long long from, to, of = 1, every = 1, points;
		int at = 0, used = 0;
		nr_rows++;
		assert_int_equal(sscanf(line, "%llu %llu %n", &from, &to, &at), 2);
		if (has_which && strncmp(line + at, "all ", 4) == 0)
			at += 4;
		else if (has_which && sscanf(line + at, "%llu of every %llu%n", &of, &every, &used) == 2)
			at += used;
		else
			assert_false(has_which);
		assert_int_equal(sscanf(line + at, "%llu", &points), 1);
		for (unsigned long long i = from; i <= to; i++)
			if ((i - from) % every < of) {
				bool planned = made->points[i].is_there && made->points[i].state == RUN_PLANNED;
				assert_false(told[i]);
				assert_int_equal(planned, strstr(line, "planned") &&
								  strstr(line, "planned") < line + strcspn(line, "\n"));
				told[i] = true;
				points--;
			}
		assert_int_equal(points, 0);
	}
	assert_true(nr_rows <= most_rows);
	for (uint64_t i = 0; i < made->nr_points; i++)
		assert_int_equal(told[i], !made->points[i].is_there || made->points[i].state != RUN_DONE);
	query_answer_release(&a);
	textbuf_release(&out);
}

static void set_absent(struct made_sweep *made, uint64_t position)
{
	sql(made->db, "DELETE FROM point WHERE position = %llu", (unsigned long long)position);
	made->points[position].is_there = false;
}

static void test_strides(void **state)
{
	static struct made_sweep made;
	/* Every n-th point of `from` on is there, of these the first `nr_done` are done. */
	static const struct {
		unsigned n, from, nr_done, most_rows;
	} cases[] = {{3, 0, 20, 1}, {3, 0, 7, 2}, {3, 1, 20, 3}, {2, 1, 30, 1}, {5, 2, 4, 4}};
	(void)state;
	for (unsigned c = 0; c < ARRAY_SIZE(cases); c++) {
		make_sweep(&made, 1, sizes, 3, true);
		for (uint64_t i = 0; i < made.nr_points; i++) {
			if (i % cases[c].n != cases[c].from) {
				set_absent(&made, i);
			} else if (i / cases[c].n >= cases[c].nr_done) {
				sql(made.db,
				    "UPDATE run SET state = 0 WHERE id = (SELECT run FROM point WHERE position = %llu)",
				    (unsigned long long)i);
				made.points[i].state = RUN_PLANNED;
			}
		}
		check_strides(&made, cases[c].most_rows);
		end_sweep(&made);
	}
	/* Gaps at 0, 10, 13, 16, 17: the second of two that are alike begins a stride. */
	make_sweep(&made, 1, sizes, 3, true);
	static const unsigned gaps[] = {0, 10, 13, 16, 19, 21, 23, 30, 31, 59};
	for (unsigned i = 0; i < ARRAY_SIZE(gaps); i++)
		set_absent(&made, gaps[i]);
	check_strides(&made, 6);
	end_sweep(&made);
}

/* However a store is damaged or cut up, people see some rows, and how many more there are. */
static void test_many_gaps(void **state)
{
	static struct made_sweep made;
	struct query_answer a;
	struct textbuf out;
	static const unsigned many[] = {16, 16, 8};
	uint64_t nr_absent = 0, nr_rows = 0;
	(void)state;
	make_sweep(&made, 1, many, 3, true);
	for (uint64_t gap = 1, i = 0; i < made.nr_points; gap++, i += gap) {
		set_absent(&made, i);
		nr_absent++;
	}
	query_answer_init(&a);
	textbuf_init(&out);
	assert_int_equal(query_missing(&made.q, &a, NULL), SAHM_OK);
	assert_true(query_answer_text(&a, false, &out));
	for (const char *at = out.text; (at = strstr(at, "not in the results file\n")); at++)
		nr_rows++;
	assert_int_equal(nr_rows, 20);
	char note[128];
	snprintf(note, sizeof(note), "\n%u more rows, of %u points: --csv and --json have all\n",
		 (unsigned)nr_absent - 20, (unsigned)nr_absent - 20);
	expect(out.text, note);
	json_t *root = json_of_answer(&a);
	assert_int_equal(json_array_size(json_object_get(root, "missing")), nr_absent);
	json_decref(root);
	textbuf_release(&out);
	query_answer_release(&a);
	end_sweep(&made);
}

static void test_overview(void **state)
{
	static struct made_sweep made;
	uint64_t best = 0, nr[3] = {0};
	(void)state;
	make_sweep(&made, 12, sizes, 3, false);
	sql(made.db, "INSERT INTO timing SELECT id, 1, 3000000, 2000000, id %% 2 FROM run WHERE state = 1");
	while (!counts(&made.points[best], RUN_METRIC_speedup_mean))
		best++;
	for (uint64_t i = 0; i < made.nr_points; i++) {
		nr[made.points[i].state] += made.points[i].is_there;
		if (counts(&made.points[i], RUN_METRIC_speedup_mean) &&
		    made.points[i].values[RUN_METRIC_speedup_mean] > made.points[best].values[RUN_METRIC_speedup_mean])
			best = i;
	}
	json_t *root = ask(&made, query_overview), *sweep = json_array_get(json_object_get(root, "sweeps"), 0);
	assert_int_equal(json_integer_value(json_object_get(root, "best_position")), best);
	assert_true(json_number_of(root, "cpu_ns") == 2e6 * (double)nr[RUN_DONE]);
	assert_true(json_number_of(root, "workers") == 2);
	assert_int_equal(json_integer_value(json_object_get(sweep, "done")), nr[RUN_DONE]);
	assert_int_equal(json_integer_value(json_object_get(sweep, "failed")), nr[RUN_FAILED]);
	assert_int_equal(json_integer_value(json_object_get(sweep, "planned")), nr[RUN_PLANNED]);
	assert_int_equal(json_integer_value(json_object_get(sweep, "absent")),
			 made.nr_points - nr[RUN_DONE] - nr[RUN_FAILED] - nr[RUN_PLANNED]);
	assert_string_equal(json_string_value(json_object_get(sweep, "programs")), "sahm-test");
	assert_int_equal(json_array_size(json_object_get(root, "values")), 4 + 5 + 3);
	json_decref(root);
	struct textbuf config;
	textbuf_init(&config);
	assert_int_equal(query_config(&made.q, &config, NULL), SAHM_OK);
	assert_string_equal(config.text, "seed = 1;\n");
	textbuf_release(&config);
	end_sweep(&made);
}

/* All questions at once: some status, and no answer that cannot be written. */
static enum sahm_status ask_all(sqlite3 *db, struct sahm_err *err)
{
	static const struct query_objective objectives[] = {{OBJECTIVE_METRIC, RUN_METRIC_speedup_mean, 1},
							    {OBJECTIVE_CORES, (enum run_metric)0, -1}};
	struct query q;
	enum sahm_status status = query_begin_db(&q, db, "made", 1, err);
	for (unsigned i = 0; i < 8 && status == SAHM_OK; i++) {
		struct query_answer a;
		query_answer_init(&a);
		status = i == 0	  ? query_overview(&q, &a, err)
			 : i == 1 ? query_best(&q, RUN_METRIC_speedup_mean, 1, 10, &a, err)
			 : i == 2 ? query_axes(&q, RUN_METRIC_speedup_mean, &a, err)
			 : i == 3 ? query_pareto(&q, objectives, 2, NULL, &a, err)
			 : i == 4 ? query_point(&q, 7, &a, err)
			 : i == 5 ? query_failed(&q, &a, err)
			 : i == 6 ? query_missing(&q, &a, err)
				  : query_threads(&q, "speedup", &a, err);
		if (status == SAHM_OK)
			json_decref(json_of_answer(&a));
		query_answer_release(&a);
	}
	query_release(&q);
	return status;
}

static void test_damaged(void **state)
{
	static const struct {
		const char *name, *damage;
		enum sahm_status status;
	} rows[] = {
		{"nothing", "SELECT 1", SAHM_OK},
		{"stride of 0", "UPDATE axis SET stride = 0 WHERE axis = 1", SAHM_FORMAT},
		{"negative stride", "UPDATE axis SET stride = -3 WHERE axis = 1", SAHM_FORMAT},
		{"no values", "UPDATE axis SET nr_values = 0 WHERE axis = 1", SAHM_FORMAT},
		{"more values than there are", "UPDATE axis SET nr_values = 6 WHERE axis = 1", SAHM_FORMAT},
		{"many values", "UPDATE axis SET nr_values = 9223372036854775807", SAHM_FORMAT},
		{"values that are a text", "UPDATE axis SET nr_values = 'five' WHERE axis = 1", SAHM_FORMAT},
		{"a value in another place", "UPDATE axis_value SET value = 100 WHERE value = 0", SAHM_FORMAT},
		{"an axis in another place", "UPDATE axis SET axis = 9 WHERE axis = 1", SAHM_FORMAT},
		{"a position too far", "UPDATE point SET position = 60 WHERE position = 59", SAHM_FORMAT},
		{"a negative position", "UPDATE point SET position = -1 WHERE position = 59", SAHM_FORMAT},
		{"a position that is a text", "UPDATE point SET position = 'last' WHERE position = 59", SAHM_FORMAT},
		{"a point without a run", "UPDATE point SET run = 123456 WHERE position = 7", SAHM_FORMAT},
		{"a state that is none", "UPDATE run SET state = 3", SAHM_FORMAT},
		{"a state that is a text", "UPDATE run SET state = 'done'", SAHM_FORMAT},
		{"a metric that is a text", "UPDATE run SET speedup_mean = 'much'", SAHM_OK}, /* none is known */
		{"infinite metrics", "UPDATE run SET speedup_mean = 9e999", SAHM_OK},
		{"greatest metrics", "UPDATE run SET speedup_mean = 1.7e308 * (1 - 2 * (id % 2))", SAHM_OK},
		{"cores that are a text", "UPDATE run SET nr_cores = 'many'", SAHM_OK},
		{"a chip that is not there", "UPDATE run SET chip = 99", SAHM_OK},
		{"a name that is a number of bytes", "UPDATE chip SET name = x'00ff' || id", SAHM_OK},
		{"no sweep", "DELETE FROM sweep", SAHM_FORMAT},
		{"no points", "UPDATE sweep SET nr_points = 0", SAHM_FORMAT},
		{"a number of points that is negative", "UPDATE sweep SET nr_points = -1", SAHM_FORMAT},
		{"a huge number of points", "UPDATE sweep SET nr_points = 9223372036854775807", SAHM_OK},
		{"no table", "DROP TABLE chip", SAHM_FORMAT},
		{"another table", "DROP TABLE thread; CREATE TABLE thread (a)", SAHM_FORMAT},
		{"a label of bytes", "UPDATE axis_value SET label = x'00' WHERE value = 1", SAHM_FORMAT},
		{"an infinite label", "UPDATE axis_value SET label = 9e999 WHERE value = 1", SAHM_OK},
		{"a thread without a name", "INSERT INTO thread SELECT run, 0, 77, 0, 0, 0, 0, 0, 0, 0, 0 FROM point",
		 SAHM_FORMAT},
		{"a negative thread",
		 "INSERT INTO thread_name VALUES (1, 'a'); INSERT INTO thread SELECT run, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0 "
		 "FROM point",
		 SAHM_FORMAT},
		{"second results of other columns", "CREATE TABLE second_result (a)", SAHM_FORMAT},
		{"second results of anything",
		 "CREATE TABLE second_result (run); INSERT INTO second_result VALUES (1), ('x')", SAHM_OK},
		{"second results that are a view", "CREATE VIEW second_result AS SELECT 1 AS run", SAHM_OK},
		{"times beyond 64 bits", "UPDATE timing SET wall_ns = 9223372036854775807, cpu_ns = 'x'", SAHM_OK},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		static struct made_sweep made;
		struct sahm_err err = {0};
		make_sweep(&made, 3, sizes, 3, true);
		query_release(&made.q);
		sql(made.db, "INSERT INTO timing SELECT id, 1, 3000000, 2000000, 0 FROM run");
		if (sqlite3_exec(made.db, rows[i].damage, NULL, NULL, NULL) != SQLITE_OK)
			fail_msg("%s: %s", rows[i].name, sqlite3_errmsg(made.db));
		enum sahm_status status = ask_all(made.db, &err);
		if (status != rows[i].status)
			fail_msg("%s: status %d, %s", rows[i].name, status, err.msg);
		if (status != SAHM_OK)
			expect(err.msg, "results file 'made' is damaged: ");
		assert_int_equal(sqlite3_close(made.db), SQLITE_OK);
	}
}

TEST_FILE(test_query_point)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_point),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_failed_and_missing),
		cmocka_unit_test(test_strides),
		cmocka_unit_test(test_many_gaps),
		cmocka_unit_test(test_overview),
		cmocka_unit_test(test_damaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
