/* Sweeps end to end: planned and finished runs, and the contents of the results file then. */
#include "sim/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "sim/engine/config/run.h"
#include "sim/engine/model.h"
#include "sim/sweep/manifest.h"
#include "tests/unit/sim/sweep/sweep_trial.h"

static void digest(struct trial *t, char hex[HASH_HEX_BYTES])
{
	uint8_t hash[HASH_BYTES];
	struct sahm_err err;
	must(store_digest(t->store, t->plan.part.sweep, 0, t->sweep.space.nr_points - 1, true, hash, &err), &err);
	hash_hex(hash, hex);
}

static const struct space_argument two_axes[] = {{"scheduler.inertia=0..6", false}, {"migration.cost_ms=0,1,5", false}};

/* The record of a point is that of a run of the same configuration. */
static void test_as_single_runs(void **state)
{
	struct trial t, single;
	char of_sweep[HASH_HEX_BYTES], of_runs[HASH_HEX_BYTES];
	struct sahm_err err;
	struct store_job job;
	int64_t after = 0;
	(void)state;
	begin_trial(&t, two_axes, 2, NULL);
	carry_out(&t);
	assert_int_equal(t.plan.counts.points, 21);
	assert_int_equal(t.outcome.done, 21);
	assert_int_equal(t.plan.nr_inputs, 8);
	digest(&t, of_sweep);

	begin_trial(&single, two_axes, 2, NULL);
	must(sweep_plan(&single.sweep, &single.options, single.store, &single.plan, &err), &err);
	for (uint64_t nr = 1; nr; after = job.run) {
		must(store_jobs(single.store, STORE_WHOLE(single.plan.part.sweep), after, &job, 1, &nr, &err), &err);
		if (nr == 0)
			break;
		char inertia[64], cost[64];
		static const int costs[] = {0, 1, 5};
		snprintf(inertia, sizeof(inertia), "scheduler.inertia=%d", (int)job.position / 3);
		snprintf(cost, sizeof(cost), "migration.cost_ms=%d", costs[job.position % 3]);
		const char *settings[] = {SHORT, inertia, cost};
		struct run_config config;
		struct run_result result;
		struct record record;
		struct arena a;
		arena_init(&a);
		must(run_config_load(&config, CONFIG, settings, 3, ".", &err), &err);
		must(run_execute(&config, SIM_PLAIN, &result, &err), &err);
		must(record_of_run(&a, &config, &result, &record, &err), &err);
		must(store_put(single.store, job.run, &record, true, &err), &err);
		run_result_release(&result);
		run_config_release(&config);
		arena_release(&a);
	}
	must(store_commit(single.store, &err), &err);
	digest(&single, of_runs);
	assert_string_equal(of_sweep, of_runs);
	assert_memory_equal(t.plan.identity, single.plan.identity, HASH_BYTES);
	end_trial(&t);
	end_trial(&single);
}

static void test_any_number_of_workers(void **state)
{
	static const uint32_t workers[] = {1, 2, 16};
	char first[HASH_HEX_BYTES], hex[HASH_HEX_BYTES];
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(workers); i++) {
		struct trial t;
		begin_trial(&t, two_axes, 2, NULL);
		t.options.nr_workers = workers[i];
		carry_out(&t);
		digest(&t, i ? hex : first);
		if (i)
			assert_string_equal(hex, first);
		end_trial(&t);
	}
}

/* Points are resolved by several processes at a time, and planned in the order of their positions. */
static void test_planned_in_order(void **state)
{
	static const struct space_argument axes[] = {{"scheduler.inertia=0..149", false},
						     {"migration.cost_ms=0..19", false}};
	static const uint32_t workers[] = {1, 5};
	uint8_t identities[2][HASH_BYTES];
	struct store_job first[2][200];
	struct sahm_err err;
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct trial t;
		size_t nr;
		begin_trial(&t, axes, 2, NULL);
		t.options.nr_workers = workers[i];
		must(sweep_plan(&t.sweep, &t.options, t.store, &t.plan, &err), &err);
		assert_int_equal(t.plan.counts.planned, 3000);
		memcpy(identities[i], t.plan.identity, HASH_BYTES);
		must(store_jobs(t.store, &t.plan.part, 2000, first[i], 200, &nr, &err), &err);
		assert_int_equal(nr, 200);
		end_trial(&t);
	}
	assert_memory_equal(identities[0], identities[1], HASH_BYTES);
	for (int k = 0; k < 200; k++)
		assert_true(first[0][k].position == 2000 + (uint64_t)k && first[1][k].position == 2000 + (uint64_t)k);
}

/* Three ways to write one type make one chip. */
static void test_equal_points_share_a_run(void **state)
{
	const struct space_argument axes[] = {{"chip.cores[1].type=branch,Branch,BRANCH", false},
					      {"scheduler.inertia=0,5", false}};
	struct trial t;
	(void)state;
	begin_trial(&t, axes, 2, NULL);
	carry_out(&t);
	assert_int_equal(t.plan.counts.points, 6);
	assert_int_equal(t.outcome.done, 2);
	end_trial(&t);
}

static bool stop_after_five(void *ctx, const struct sweep_progress *p)
{
	(void)ctx;
	return p->planning || p->before + p->done + p->failed < 5;
}

static void test_resumed(void **state)
{
	char whole[HASH_HEX_BYTES], parts[HASH_HEX_BYTES], path[] = "/tmp/sahm-test-sweep-XXXXXX";
	struct trial t;
	(void)state;
	begin_trial(&t, two_axes, 2, NULL);
	carry_out(&t);
	digest(&t, whole);
	end_trial(&t);

	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	begin_trial(&t, two_axes, 2, path);
	t.options.nr_workers = 1;
	t.options.progress = stop_after_five;
	carry_out(&t);
	assert_true(t.outcome.interrupted);
	uint64_t done = t.outcome.done;
	assert_true(done >= 5 && done <= 21);
	end_trial(&t);

	begin_trial(&t, two_axes, 2, path);
	carry_out(&t);
	assert_false(t.outcome.interrupted);
	assert_int_equal(t.plan.counts.done, done);
	assert_int_equal(t.outcome.done, 21 - done);
	digest(&t, parts);
	assert_string_equal(whole, parts);
	end_trial(&t);

	/* Done is done; a larger sweep runs what is new. */
	begin_trial(&t, two_axes, 2, path);
	carry_out(&t);
	assert_int_equal(t.outcome.done, 0);
	end_trial(&t);
	const struct space_argument more[] = {{"scheduler.inertia=0..7", false}, {"migration.cost_ms=0,1,5", false}};
	begin_trial(&t, more, 2, path);
	carry_out(&t);
	assert_int_equal(t.plan.counts.done, 21);
	assert_int_equal(t.outcome.done, 3);
	end_trial(&t);
	unlink(path);
}

/* The same axes over another base are another sweep, whose runs are others. */
static void test_another_base(void **state)
{
	const char *settings[] = {"workload.duration_ms=600"};
	const struct sweep_request request = {.config = CONFIG,
					      .settings = settings,
					      .nr_settings = 1,
					      .axes = two_axes,
					      .nr_axes = 2,
					      .data_folder = "."};
	struct trial t;
	struct sahm_err err;
	(void)state;
	begin_trial(&t, two_axes, 2, NULL);
	carry_out(&t);
	int64_t first = t.plan.part.sweep;
	sweep_plan_release(&t.plan);
	sweep_release(&t.sweep);
	must(sweep_read(&t.sweep, &request, &err), &err);
	carry_out(&t);
	assert_int_not_equal(t.plan.part.sweep, first);
	assert_int_equal(t.plan.counts.points, 21);
	assert_int_equal(t.outcome.done, 21);
	end_trial(&t);
}

/* Runs that were kept without their threads are made again where these are wanted, and no others. */
static void test_threads_wanted(void **state)
{
	const struct space_argument more[] = {{"scheduler.inertia=0..7", false}, {"migration.cost_ms=0,1,5", false}};
	char with[HASH_HEX_BYTES], later[HASH_HEX_BYTES];
	struct trial t;
	(void)state;
	begin_trial(&t, more, 2, NULL);
	carry_out(&t);
	digest(&t, with);
	end_trial(&t);
	begin_trial(&t, two_axes, 2, NULL);
	t.options.keep_threads = false;
	carry_out(&t);
	assert_int_equal(t.plan.counts.threadless, 0);
	for (int again = 0; again < 3; again++) {
		sweep_plan_release(&t.plan);
		sweep_release(&t.sweep);
		read_sweep(&t.sweep, more, 2);
		t.options.keep_threads = again > 0;
		carry_out(&t);
		/* First what is new, without threads; then all; then none. */
		assert_int_equal(t.plan.counts.threadless, again == 1 ? 24 : 0);
		assert_int_equal(t.outcome.done, again == 0 ? 3 : again == 1 ? 24 : 0);
	}
	digest(&t, later);
	assert_string_equal(with, later);
	end_trial(&t);
}

static void test_shards(void **state)
{
	uint64_t points = 0;
	uint8_t identity[HASH_BYTES];
	(void)state;
	for (uint64_t i = 0; i < 4; i++) {
		struct trial t;
		begin_trial(&t, two_axes, 2, NULL);
		t.options.shard = (struct sweep_shard){i, 4};
		carry_out(&t);
		assert_int_equal(t.plan.counts.points, i == 0 ? 6 : 5);
		assert_int_equal(t.outcome.done, t.plan.counts.points);
		points += t.plan.counts.points;
		if (i)
			assert_memory_equal(identity, t.plan.identity, HASH_BYTES);
		memcpy(identity, t.plan.identity, HASH_BYTES);
		end_trial(&t);
	}
	assert_int_equal(points, 21);
}

/* An error in any point shows before the first run, and the lowest position is named. */
static void test_wrong_points(void **state)
{
	const struct space_argument axes[] = {{"scheduler.inertia=0..99", false},
					      {"chip.cores[1].count=1,5000,9000", false}};
	struct trial t;
	struct sahm_err err;
	(void)state;
	begin_trial(&t, axes, 2, NULL);
	assert_int_not_equal(sweep_plan(&t.sweep, &t.options, t.store, &t.plan, &err), SAHM_OK);
	assert_non_null(strstr(err.msg, "point 1 (scheduler.inertia=0, chip.cores[1].count=5000): "));
	assert_non_null(strstr(err.msg, "must be"));
	/* Nothing was planned. */
	int64_t sweep;
	assert_int_not_equal(store_find_sweep(t.store, NULL, &sweep, &err), SAHM_OK);
	end_trial(&t);
}

static void test_programs_are_not_mixed(void **state)
{
	uint8_t hash[HASH_BYTES] = {1}, identity[HASH_BYTES] = {2};
	const struct store_sweep other = {"other.cfg", "run", "", 1};
	struct trial t;
	struct sahm_err err;
	int64_t id;
	(void)state;
	begin_trial(&t, two_axes, 2, NULL);
	must(store_set_program(t.store, "0.0.1-0123456789ab", false, &err), &err);
	must(store_plan_begin(t.store, &other, &err), &err);
	must(store_plan_point(t.store, 0, hash, &err), &err);
	must(store_plan_end(t.store, identity, &id, &err), &err);
	assert_int_equal(sweep_plan(&t.sweep, &t.options, t.store, &t.plan, &err), SAHM_CONFIG);
	assert_non_null(strstr(err.msg, "0.0.1-0123456789ab"));
	assert_non_null(strstr(err.msg, model_version()));
	t.options.mix_versions = true;
	carry_out(&t);
	assert_int_equal(t.outcome.done, 21);
	end_trial(&t);
}

static void read_manifest(struct sweep *sweep, struct manifest *m, const char *path)
{
	const struct sweep_request request = {.config = path, .data_folder = "."};
	struct sahm_err err;
	must(sweep_read(sweep, &request, &err), &err);
	must(manifest_read(sweep, m, &err), &err);
}

/* A manifest reads to the sweep that it was made of, and stands for its results and no others. */
static void test_manifest(void **state)
{
	char path[] = "/tmp/sahm-test-manifest-XXXXXX";
	struct trial t;
	struct sweep again;
	struct sweep_plan plan;
	struct manifest m;
	struct textbuf text;
	struct sahm_err err;
	uint32_t nr_differing;
	uint64_t first, last;
	(void)state;
	begin_trial(&t, two_axes, 2, NULL);
	t.options.timeout_s = 77;
	carry_out(&t);
	textbuf_init(&text);
	must(manifest_write(&t.sweep, &t.options, t.store, &t.plan, &text, &err), &err);
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, text.text, text.len) == (ssize_t)text.len);
	close(fd);
	read_manifest(&again, &m, path);
	assert_string_equal(m.program, model_version());
	assert_int_equal(m.nr_points, 21);
	assert_int_equal(m.timeout_s, 77);
	assert_int_equal(m.nr_inputs, 8);
	assert_int_equal(m.nr_results, 21);
	must(sweep_plan(&again, &t.options, t.store, &plan, &err), &err);
	assert_int_equal(plan.part.sweep, t.plan.part.sweep);
	must(manifest_check_plan(&m, &plan, &err), &err);
	must(manifest_check_results(&m, t.store, plan.part.sweep, 21, &nr_differing, &first, &last, &err), &err);
	assert_int_equal(nr_differing, 0);
	m.results[7] = m.results[8];
	must(manifest_check_results(&m, t.store, plan.part.sweep, 21, &nr_differing, &first, &last, &err), &err);
	assert_int_equal(nr_differing, 1);
	assert_int_equal(first, 7);
	assert_int_equal(last, 7);
	m.inputs[3].hash = m.inputs[4].hash;
	assert_int_equal(manifest_check_plan(&m, &plan, &err), SAHM_CHECKSUM);
	assert_non_null(strstr(err.msg, m.inputs[3].path));
	m.nr_inputs = 0;
	m.identity = "0";
	assert_int_equal(manifest_check_plan(&m, &plan, &err), SAHM_CHECKSUM);
	m.program = "another";
	must(manifest_check_plan(&m, &plan, &err), &err);
	sweep_plan_release(&plan);
	sweep_release(&again);
	textbuf_release(&text);
	unlink(path);
	end_trial(&t);
}

/* A digest covers everything that was found, and nothing else. */
static void test_digests(void **state)
{
	static const struct {
		const char *change;
		bool shows;
	} rows[] = {
		{"UPDATE run SET speedup_mean = speedup_mean + 1e-12 WHERE id = 2", true},
		{"UPDATE run SET antt = NULL WHERE id = 1", true},
		{"UPDATE run SET message = 'x' WHERE id = 3", true},
		{"UPDATE run SET state = 2 WHERE id = 3", true},
		{"UPDATE run SET synthetic = 1 WHERE id = 1", true},
		{"UPDATE run SET nominal_time = 1 - nominal_time WHERE id = 1", true},
		{"UPDATE chip SET name = 'another' WHERE id = 1", true},
		{"UPDATE thread SET migrations = migrations + 1 WHERE run = 2 AND thread = 7", true},
		{"UPDATE thread_name SET name = 'x' WHERE id = 1", true},
		{"UPDATE interval SET low = 0 WHERE run = 1 AND metric = 'stp'", true},
		{"UPDATE timing SET wall_ns = 0", false},
		{"UPDATE run SET hash = x'00' WHERE id = 1", false},
		{"UPDATE program SET version = 'x'", false},
		{"UPDATE sweep SET config = ''", false},
	};
	const struct space_argument axes[] = {{"scheduler.inertia=0..2", false}, {"workload.samples=3", false}};
	struct trial t;
	struct sahm_err err;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char before[HASH_HEX_BYTES], after[HASH_HEX_BYTES];
		begin_trial(&t, axes, 2, NULL);
		carry_out(&t);
		digest(&t, before);
		must(store_exec(t.store, rows[i].change, &err), &err);
		digest(&t, after);
		if ((strcmp(before, after) != 0) != rows[i].shows)
			fail_msg("%s", rows[i].change);
		end_trial(&t);
	}
}

/* Another evaluator, or other names of cores and threads, make another run. */
static void test_what_makes_a_run(void **state)
{
	struct cfg_node *root;
	struct arena a;
	struct sahm_err err;
	static const struct {
		const char *setting;
		enum evaluator evaluator;
		bool same;
	} rows[] = {
		{"chip.cores=({type=\"baseline\";count=2;},{type=\"L2\";speedup_pct=30;})", EVALUATE_RUN, true},
		{"chip.cores=({type=\"baseline\";},{type=\"baseline\";},{type=\"l2\";speedup_pct=30.0;})", EVALUATE_RUN,
		 true},
		{"chip.cores=({type=\"baseline\";count=2;},{type=\"l2\";speedup_pct=30;},"
		 "{type=\"l1d\";speedup_pct=1;count=0;})",
		 EVALUATE_RUN, true},
		{"chip.cores=({type=\"baseline\";count=2;},{type=\"l2\";speedup_pct=30;})", EVALUATE_LIMIT, false},
		{"chip.cores=({type=\"l2\";speedup_pct=30;},{type=\"baseline\";count=2;})", EVALUATE_RUN, false},
	};
	uint8_t first[HASH_BYTES], hash[HASH_BYTES];
	(void)state;
	arena_init(&a);
	must(cfg_read_file(&a, CONFIG, &root, &err), &err);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run_config config;
		must(run_config_make(&config, root, &rows[i].setting, 1, ".", NULL, &err), &err);
		must(evaluate_hash(&config, rows[i].evaluator, i ? hash : first, &err), &err);
		if (i && (memcmp(hash, first, HASH_BYTES) == 0) != rows[i].same)
			fail_msg("%s", rows[i].setting);
		if (i == 0) {
			config.threads[3].name = "another";
			must(evaluate_hash(&config, EVALUATE_RUN, hash, &err), &err);
			assert_memory_not_equal(hash, first, HASH_BYTES);
		}
		run_config_release(&config);
	}
	arena_release(&a);
}

/* A file that is replaced between planning and running must not put its results where those of the other belong. */
static void test_inputs_that_change(void **state)
{
	char folder[] = "/tmp/sahm-test-inputs-XXXXXX", text[512], axis[256];
	struct trial t;
	struct sahm_err err;
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(text, sizeof(text), "cp workloads/suites/small/gzip.csv %s/a.csv", folder);
	assert_int_equal(system(text), 0);
	snprintf(axis, sizeof(axis), "workload.traces[0]=%s/a.csv", folder);
	const struct space_argument axes[] = {{"scheduler.inertia=0..3", false}, {axis, false}};
	begin_trial(&t, axes, 2, NULL);
	must(sweep_plan(&t.sweep, &t.options, t.store, &t.plan, &err), &err);
	snprintf(text, sizeof(text), "cp workloads/suites/small/xz.csv %s/a.csv", folder);
	assert_int_equal(system(text), 0);
	/* As another process would have it, which has not opened the trace yet. */
	run_cache_clear(t.sweep.cache);
	assert_int_equal(sweep_carry_out(&t.sweep, &t.options, t.store, &t.plan, &t.outcome, &err), SAHM_CHECKSUM);
	assert_non_null(strstr(err.msg, "has changed since it was planned"));
	assert_int_equal(t.outcome.done, 0);
	/* Gone for a moment it is no failure of the run. */
	snprintf(text, sizeof(text), "rm -r %s", folder);
	assert_int_equal(system(text), 0);
	run_cache_clear(t.sweep.cache);
	assert_int_equal(sweep_carry_out(&t.sweep, &t.options, t.store, &t.plan, &t.outcome, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "could be resolved when it was planned, but not now"));
	assert_int_equal(t.outcome.failed, 0);
	end_trial(&t);
}

static void test_shard_texts(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t index, nr;
	} rows[] = {{"1/1", true, 0, 1},  {"4/4", true, 3, 4},	{"0/4", false, 0, 0}, {"5/4", false, 0, 0},
		    {"1", false, 0, 0},	  {"1/", false, 0, 0},	{"/2", false, 0, 0},  {"-1/2", false, 0, 0},
		    {"1/0", false, 0, 0}, {"1/2 ", false, 0, 0}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sweep_shard s = {99, 99};
		assert_int_equal(sweep_shard_read(rows[i].text, &s), rows[i].ok);
		if (rows[i].ok && (s.index != rows[i].index || s.nr != rows[i].nr))
			fail_msg("%s", rows[i].text);
	}
}

static void test_estimate(void **state)
{
	struct trial t;
	struct sweep_estimate e;
	struct sahm_err err;
	(void)state;
	begin_trial(&t, two_axes, 2, NULL);
	must(sweep_plan(&t.sweep, &t.options, t.store, &t.plan, &err), &err);
	must(sweep_estimate(&t.sweep, &t.options, t.store, &t.plan, &e, &err), &err);
	assert_true(e.nr_tried >= 1 && e.nr_tried <= 16);
	assert_true(e.seconds > 0 && e.bytes > 21 * 100 && e.bytes < 21 * 10000);
	/* A new store with a few runs is not much larger than one without any. */
	char path[] = "/tmp/sahm-test-sweep-XXXXXX";
	struct stat st;
	struct trial real;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	begin_trial(&real, two_axes, 2, path);
	carry_out(&real);
	end_trial(&real);
	assert_int_equal(stat(path, &st), 0);
	unlink(path);
	if ((double)st.st_size < e.new_bytes || (double)st.st_size > 1.5 * (e.new_bytes + e.bytes))
		fail_msg("%.0f + %.0f estimated, %lld taken", e.new_bytes, e.bytes, (long long)st.st_size);
	/* Nothing was run. */
	struct store_counts counts;
	must(store_count(t.store, STORE_WHOLE(t.plan.part.sweep), &counts, &err), &err);
	assert_int_equal(counts.planned, 21);
	end_trial(&t);
}

TEST_FILE(test_sweep)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_single_runs),	 cmocka_unit_test(test_any_number_of_workers),
		cmocka_unit_test(test_planned_in_order), cmocka_unit_test(test_equal_points_share_a_run),
		cmocka_unit_test(test_resumed),		 cmocka_unit_test(test_another_base),
		cmocka_unit_test(test_threads_wanted),	 cmocka_unit_test(test_shards),
		cmocka_unit_test(test_wrong_points),	 cmocka_unit_test(test_programs_are_not_mixed),
		cmocka_unit_test(test_manifest),	 cmocka_unit_test(test_digests),
		cmocka_unit_test(test_what_makes_a_run), cmocka_unit_test(test_inputs_that_change),
		cmocka_unit_test(test_shard_texts),	 cmocka_unit_test(test_estimate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
