/* Stores as files: whose they are, who may write them, and what is refused. */
#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "tests/unit/made_store.h"
#include "tests/unit/results/store/made_child.h"
#include "tests/unit/results/store/run_sql.h"

static void write_file(const char *path, const void *bytes, size_t len)
{
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

static size_t read_bytes(const char *path, char *bytes, size_t room)
{
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	size_t len = fread(bytes, 1, room, in);
	fclose(in);
	return len;
}

/* A store with a sweep. */
static void make_store(const char *path)
{
	struct store *store = open_store(path, STORE_WRITE);
	plan_sweep(store, &(struct made_sweep){2, 0, 1, 0, 0});
	MUST_WORK(store_close(store, ERR));
}

/* A file that was made for a store goes again when nothing was planned in it; one that was there stays. */
static void test_vain_store(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	MUST_WORK(store_close(open_store(in_folder(&f, "s.db"), STORE_WRITE), ERR));
	assert_int_not_equal(access(in_folder(&f, "s.db"), F_OK), 0);
	store_abandon(open_store(in_folder(&f, "s.db"), STORE_WRITE));
	assert_int_not_equal(access(in_folder(&f, "s.db"), F_OK), 0);
	write_file(in_folder(&f, "empty"), "", 0);
	MUST_WORK(store_close(open_store(in_folder(&f, "empty"), STORE_WRITE), ERR));
	assert_int_equal(access(in_folder(&f, "empty"), F_OK), 0);
	make_store(in_folder(&f, "s.db"));
	assert_int_equal(access(in_folder(&f, "s.db"), F_OK), 0);
	remove_folder(&f);
}

/* Triggers, foreign keys and functions in the schema of a file from elsewhere do nothing, SQLite's own tables cannot be
 * written, and cells that do not fit their page are damage: however it is opened. */
static void test_guards(void **state)
{
	static const struct {
		const char *name;
		int option, expected;
	} guards[] = {
		{"defensive", SQLITE_DBCONFIG_DEFENSIVE, 1},
		{"trusted schema", SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{"triggers", SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
		{"foreign keys", SQLITE_DBCONFIG_ENABLE_FKEY, 0},
	};
	static const enum store_access ways[] = {STORE_READ, STORE_WRITE};
	struct made_folder f = make_folder();
	(void)state;
	make_store(in_folder(&f, "s.db"));
	for (size_t w = 0; w < ARRAY_SIZE(ways); w++) {
		struct store *store = open_store(in_folder(&f, "s.db"), ways[w]);
		int64_t cells = 0;
		for (size_t i = 0; i < ARRAY_SIZE(guards); i++) {
			int value = -1;
			assert_int_equal(sqlite3_db_config(store_db(store), guards[i].option, -1, &value), SQLITE_OK);
			if (value != guards[i].expected)
				fail_msg("%s: %d", guards[i].name, value);
		}
		MUST_WORK(store_ask(store, "PRAGMA cell_size_check", &cells, ERR));
		assert_int_equal(cells, 1);
		MUST_WORK(store_close(store, ERR));
	}
	remove_folder(&f);
}

/* A results file that is taken away while it is written is reported, and the file in its place is not touched. */
static void test_removed(void **state)
{
	struct made_folder f = make_folder();
	struct sahm_err err;
	char expected[256], byte;
	(void)state;
	snprintf(expected, sizeof(expected), "results file '%s' was removed or replaced while it was written",
		 in_folder(&f, "s.db"));
	for (int replaced = 0; replaced < 2; replaced++) {
		struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
		int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1});
		assert_int_equal(do_jobs(store, id, 2, true), 2);
		MUST_WORK(store_check_place(store, ERR));
		assert_int_equal(unlink(in_folder(&f, "s.db")), 0);
		if (replaced)
			write_file(in_folder(&f, "s.db"), "x", 1);
		expect_failure(store_check_place(store, &err), &err, SAHM_IO, expected);
		expect_failure(store_close(store, &err), &err, SAHM_IO, expected);
		assert_int_equal(access(in_folder(&f, "s.db"), F_OK), replaced ? 0 : -1);
		unlink(in_folder(&f, "s.db-wal"));
		unlink(in_folder(&f, "s.db-shm"));
	}
	unlink(in_folder(&f, "s.db"));
	/* Nor is that removed for want of a sweep. */
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	assert_int_equal(unlink(in_folder(&f, "s.db")), 0);
	write_file(in_folder(&f, "s.db"), "x", 1);
	store_abandon(store);
	assert_int_equal(read_bytes(in_folder(&f, "s.db"), &byte, 1), 1);
	store = open_store(NULL, STORE_WRITE);
	MUST_WORK(store_check_place(store, ERR));
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

static void expect_refused(const char *path, enum store_access access, enum sahm_status status, const char *before,
			   const char *behind)
{
	struct store *store = NULL;
	struct sahm_err err;
	char expected[512];
	snprintf(expected, sizeof(expected), "%s'%s'%s", before, path, behind);
	expect_failure(store_open(&store, path, access, &err), &err, status, expected);
	assert_null(store);
}

/* Files of another kind are refused, and stay as they are. */
static void test_foreign_files(void **state)
{
	struct made_folder f = make_folder();
	char before[16384], after[16384];
	(void)state;
	static const char text[] = "This is no database, but it is long enough to have a header of a hundred bytes, "
				   "were it one; so that SQLite reads it all and finds that it is none.\n";
	write_file(in_folder(&f, "text"), text, sizeof(text) - 1);
	write_file(in_folder(&f, "short"), "x", 1);
	run_sql(in_folder(&f, "other"), "CREATE TABLE t (x); INSERT INTO t VALUES (1);");
	run_sql(in_folder(&f, "marked"), "PRAGMA application_id = 7;");
	static const char *const names[] = {"text", "short", "other", "marked"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = read_bytes(in_folder(&f, names[i]), before, sizeof(before));
		expect_refused(in_folder(&f, names[i]), STORE_READ, SAHM_FORMAT, "",
			       " is not a results database; `sahm sweep CONFIG -o FILE` makes one");
		expect_refused(in_folder(&f, names[i]), STORE_WRITE, SAHM_FORMAT, "",
			       " is not a results database; `sahm sweep CONFIG -o FILE` makes one");
		assert_int_equal(read_bytes(in_folder(&f, names[i]), after, sizeof(after)), len);
		assert_memory_equal(before, after, len);
	}
	expect_refused(in_folder(&f, "none"), STORE_READ, SAHM_IO, "cannot read results file ",
		       ": No such file or directory; `sahm sweep CONFIG -o FILE` makes one");
	expect_refused(in_folder(&f, "none/s.db"), STORE_WRITE, SAHM_IO, "cannot write results file ",
		       ": No such file or directory");
	expect_refused(f.path, STORE_READ, SAHM_IO, "cannot read results file ", ": it is not a regular file");
	expect_refused(f.path, STORE_WRITE, SAHM_IO, "cannot write results file ", ": Is a directory");
	expect_refused("/dev/null", STORE_WRITE, SAHM_IO, "cannot write results file ", ": it is not a regular file");
	remove_folder(&f);
}

/* A store that was cut short is found out, and never taken for an empty one. */
static void test_truncated(void **state)
{
	static const off_t lengths[] = {1, 50, 100, 511, 512, 4095, 4096, 8191, 8192, 20000};
	struct made_folder f = make_folder();
	struct sahm_err err;
	struct stat st;
	struct store *store;
	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_SIZE(lengths); i++) {
		off_t length = lengths[i / 2];
		struct store_counts counts;
		store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
		do_jobs(store, plan_sweep(store, &(struct made_sweep){.nr_x = 5, .step = 1}), 4, true);
		MUST_WORK(store_close(store, ERR));
		assert_int_equal(truncate(in_folder(&f, "s.db"), length), 0);
		enum sahm_status status =
			store_open(&store, in_folder(&f, "s.db"), i % 2 ? STORE_WRITE : STORE_READ, &err);
		if (status == SAHM_OK) {
			status = store_count(store, STORE_WHOLE(1), &counts, &err);
			store_abandon(store);
		}
		if (status != SAHM_FORMAT)
			fail_msg("cut to %ld: status %d", (long)length, status);
		assert_int_equal(stat(in_folder(&f, "s.db"), &st), 0);
		assert_int_equal(st.st_size, length);
		assert_int_equal(unlink(in_folder(&f, "s.db")), 0);
	}
	remove_folder(&f);
}

static void test_other_version(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	make_store(in_folder(&f, "s.db"));
	run_sql(in_folder(&f, "s.db"), "PRAGMA user_version = 5;");
	expect_refused(in_folder(&f, "s.db"), STORE_READ, SAHM_FORMAT, "results file ",
		       " was made by a later sahm: its schema has version 5, known is 4");
	expect_refused(in_folder(&f, "s.db"), STORE_WRITE, SAHM_FORMAT, "results file ",
		       " was made by a later sahm: its schema has version 5, known is 4");
	run_sql(in_folder(&f, "s.db"), "PRAGMA user_version = 1;");
	expect_refused(in_folder(&f, "s.db"), STORE_READ, SAHM_FORMAT, "results file ",
		       " was made by an earlier sahm: its schema has version 1, known is 4");
	expect_refused(in_folder(&f, "s.db"), STORE_WRITE, SAHM_FORMAT, "results file ",
		       " was made by an earlier sahm: its schema has version 1, known is 4");
	remove_folder(&f);
}

/* An empty file is a store in which nothing is: a crash while one was made leaves such. Names mean only files. */
static void test_empty_and_odd_names(void **state)
{
	struct made_folder f = make_folder();
	static const char *const names[] = {"empty", "file:x?mode=memory", ":memory:", "50%3f #1", "gr\xc3\xbcn"};
	char folder[512];
	(void)state;
	assert_non_null(getcwd(folder, sizeof(folder)));
	assert_int_equal(chdir(f.path), 0);
	write_file("empty", "", 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct store *store = open_store(names[i], STORE_WRITE);
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
		MUST_WORK(store_close(store, ERR));
		assert_int_equal(access(names[i], F_OK), 0);
		store = open_store(names[i], STORE_READ);
		expect_counts(store, 1, &(struct store_counts){2, 2, 0, 0, 0});
		MUST_WORK(store_close(store, ERR));
	}
	assert_int_equal(chdir(folder), 0);
	remove_folder(&f);
}

static int write_meanwhile(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store *store;
	struct store_counts counts;
	char expected[256];
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_WRITE, &err) == SAHM_IO);
	snprintf(expected, sizeof(expected), "results file '%s' is written by another process (PID %ld)",
		 in_folder(f, "s.db"), (long)getppid());
	CHILD_MUST(strcmp(err.msg, expected) == 0);
	/* It can be read, what is committed. */
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_READ, &err) == SAHM_OK);
	CHILD_MUST(store_count(store, STORE_WHOLE(1), &counts, &err) == SAHM_OK);
	CHILD_MUST(counts.points == 4 && counts.done == 1);
	CHILD_MUST(store_close(store, &err) == SAHM_OK);
	return 0;
}

/* What the parent holds: a leak checker finds it here in children, too, which never return to the frame that has it. */
static struct store *volatile held;

static void test_one_writer(void **state)
{
	struct made_folder f = make_folder();
	struct made_record made;
	struct sahm_err err;
	(void)state;
	struct store *store = held = open_store(in_folder(&f, "s.db"), STORE_WRITE), *second;
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1});
	assert_int_equal(do_jobs(store, id, 1, true), 1);
	MUST_WORK(store_put(store, 2, make_record(&made, 1), true, ERR));
	if (access("/proc/locks", R_OK) == 0)
		assert_int_equal(in_child(write_meanwhile, &f), 0);
	else
		print_message("/proc/locks cannot be read: who has the lock is not known\n");
	assert_int_equal(store_open(&second, in_folder(&f, "s.db"), STORE_WRITE, &err), SAHM_IO);
	assert_non_null(strstr(err.msg, "already in this process"));
	MUST_WORK(store_close(store, ERR));
	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	expect_counts(store, id, &(struct store_counts){4, 2, 2, 0, 0});
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* A forked process that left the store outlives the one that has it: the next writer need not wait. */
static void test_left_by_children(void **state)
{
	struct made_folder f = make_folder();
	int ends[2], left[2];
	char byte;
	(void)state;
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1});
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(left), 0);
	pid_t child = fork();
	if (child == 0) {
		/* It ends with its parent, however that ends. */
		close(ends[1]);
		store_leave(store);
		store_abandon(store);
		if (write(left[1], "x", 1) != 1)
			_exit(2);
		_exit(read(ends[0], &byte, 1) == 1 ? 0 : 1);
	}
	assert_int_equal(do_jobs(store, id, 2, true), 2);
	/* Until it has left, the lock is its own, too. */
	assert_int_equal(read(left[0], &byte, 1), 1);
	MUST_WORK(store_close(store, ERR));
	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	expect_counts(store, id, &(struct store_counts){4, 2, 2, 0, 0});
	MUST_WORK(store_close(store, ERR));
	int status;
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(ends[0]);
	close(ends[1]);
	close(left[0]);
	close(left[1]);
	remove_folder(&f);
}

TEST_FILE(test_store_files)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vain_store),    cmocka_unit_test(test_removed),
		cmocka_unit_test(test_foreign_files), cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_other_version), cmocka_unit_test(test_empty_and_odd_names),
		cmocka_unit_test(test_one_writer),    cmocka_unit_test(test_left_by_children),
		cmocka_unit_test(test_guards),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
