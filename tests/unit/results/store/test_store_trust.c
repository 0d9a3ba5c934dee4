/* What is taken for a store, and what SQLite may do to files for one: databases and companions that were made to do
 * harm. */
#include <fcntl.h>

#include "results/store/store_export.h"
#include "results/store/store_internal.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/unit/made_store.h"
#include "tests/unit/results/store/made_child.h"
#include "tests/unit/results/store/run_sql.h"

#define PAGE 4096u

static void write_file(const char *path, const void *bytes, size_t len)
{
	MUST_WORK(file_write(path, bytes, len, ERR));
}

/* A store with a sweep, and runs that are done. */
static void make_store(const char *path)
{
	struct store *store = open_store(path, STORE_WRITE);
	do_jobs(store, plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1}), 3, true);
	MUST_WORK(store_close(store, ERR));
}

/* Tries to open a store either way. Fails unless both are refused with a message that ends so. */
static void expect_refusal(const char *name, const char *path, const char *end)
{
	for (enum store_access how = STORE_READ; how <= STORE_WRITE; how++) {
		struct store *store = NULL;
		struct sahm_err err = {0};
		enum sahm_status status = store_open(&store, path, how, &err);
		size_t len = strlen(err.msg);
		if (status != SAHM_FORMAT || len < strlen(end) || strcmp(err.msg + len - strlen(end), end) != 0)
			fail_msg("%s, access %d: status %d, '%s'", name, how, status, err.msg);
	}
}

static off_t size_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? st.st_size : -1;
}

static uint32_t pages_of(const char *path)
{
	return (uint32_t)(size_of(path) / PAGE);
}

static void add_word(unsigned char *at, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(word >> (24 - 8 * i));
}

/* A rollback journal of no pages that names a super-journal, in ASCII (sqlite.org/fileformat2.html, "The Rollback
 * Journal"). Who replays it deletes that file. */
static void forge_journal(const char *path, uint32_t nr_pages, const char *victim)
{
	static const unsigned char magic[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
	unsigned char bytes[1024] = {0};
	size_t at = 512, len = strlen(victim);
	uint32_t sum = 0;
	memcpy(bytes, magic, sizeof(magic));
	add_word(bytes + 16, nr_pages);
	add_word(bytes + 20, 512); /* bytes of a sector */
	add_word(bytes + 24, 4096);
	for (size_t i = 0; i < len; i++)
		sum += (unsigned char)victim[i];
	add_word(bytes + at, 0x40000000 / 4096 + 1);
	memcpy(bytes + at + 4, victim, len);
	at += 4 + len;
	add_word(bytes + at, (uint32_t)len);
	add_word(bytes + at + 4, sum);
	memcpy(bytes + at + 8, magic, sizeof(magic));
	write_file(path, bytes, at + 16);
}

/* The journal deletes the file that it names when SQLite is let; not when it is opened as a store. */
static void test_forged_journal(void **state)
{
	struct made_folder f = make_folder();
	struct store *store;
	struct sahm_err err;
	(void)state;
	make_store(in_folder(&f, "s.db"));
	run_sql(in_folder(&f, "s.db"), "PRAGMA journal_mode = DELETE;");
	for (int trusted = 0; trusted < 2; trusted++) {
		write_file(in_folder(&f, "victim"), "secret", 6);
		forge_journal(in_folder(&f, "s.db-journal"), pages_of(in_folder(&f, "s.db")), in_folder(&f, "victim"));
		if (trusted)
			run_sql(in_folder(&f, "s.db"), "SELECT 1 FROM sqlite_schema;");
		else
			expect_refusal("a journal", in_folder(&f, "s.db"),
				       "s.db-journal' is a rollback journal, and sahm makes none");
		assert_int_equal(access(in_folder(&f, "victim"), F_OK), trusted ? -1 : 0);
	}
	/* Nor is a source of a merge, whose target is well. */
	unlink(in_folder(&f, "s.db"));
	make_store(in_folder(&f, "s.db"));
	write_file(in_folder(&f, "victim"), "secret", 6);
	forge_journal(in_folder(&f, "s.db-journal"), pages_of(in_folder(&f, "s.db")), in_folder(&f, "victim"));
	store = open_store(in_folder(&f, "all.db"), STORE_WRITE);
	assert_int_equal(store_merge(store, in_folder(&f, "s.db"), false, &err), SAHM_FORMAT);
	store_abandon(store);
	assert_int_equal(access(in_folder(&f, "victim"), F_OK), 0);
	remove_folder(&f);
}

/* Nor by SQLite in any of the ways in which stores are opened, should a journal come after it was looked for. */
static void test_layers(void **state)
{
	static const char *const layers[] = {STORE_VFS_WRITE, STORE_VFS_LIVE, STORE_VFS_STILL};
	struct made_folder f = make_folder();
	(void)state;
	make_store(in_folder(&f, "s.db"));
	run_sql(in_folder(&f, "s.db"), "PRAGMA journal_mode = DELETE;");
	write_file(in_folder(&f, "victim"), "secret", 6);
	forge_journal(in_folder(&f, "s.db-journal"), pages_of(in_folder(&f, "s.db")), in_folder(&f, "victim"));
	assert_int_equal(store_register_vfs(), SQLITE_OK);
	for (size_t i = 0; i < ARRAY_SIZE(layers); i++) {
		sqlite3 *db;
		assert_int_equal(sqlite3_open_v2(in_folder(&f, "s.db"), &db, SQLITE_OPEN_READWRITE, layers[i]),
				 SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, "SELECT 1 FROM run;", NULL, NULL, NULL), SQLITE_OK);
		/* Without a journal nothing is written either, nor to a temporary file. */
		assert_int_equal(sqlite3_exec(db, "PRAGMA temp_store = FILE; DELETE FROM run;", NULL, NULL, NULL),
				 i ? SQLITE_READONLY : SQLITE_CANTOPEN);
		sqlite3_close(db);
		assert_int_equal(access(in_folder(&f, "victim"), F_OK), 0);
		assert_int_equal(access(in_folder(&f, "s.db-journal"), F_OK), 0);
	}
	remove_folder(&f);
}

enum companion_kind { LINK, FIFO, FOLDER, NAMES, OTHERS, BYTES };

static void make_companion(const struct made_folder *f, const char *name, enum companion_kind kind, const char *bytes)
{
	const char *path = in_folder(f, name), *victim = in_folder(f, "victim");
	write_file(victim, "secret", 6);
	switch (kind) {
	case LINK:
		assert_int_equal(symlink(victim, path), 0);
		break;
	case FIFO:
		assert_int_equal(mkfifo(path, 0600), 0);
		break;
	case FOLDER:
		assert_int_equal(mkdir(path, 0700), 0);
		break;
	case NAMES:
		assert_int_equal(link(victim, path), 0);
		break;
	case OTHERS:
		write_file(path, "", 0);
		assert_int_equal(chown(path, 4321, 4321), 0);
		break;
	case BYTES:
		write_file(path, bytes, strlen(bytes));
		break;
	}
}

static void test_companions(void **state)
{
	static const struct {
		const char *name, *companion;
		enum companion_kind kind;
		const char *bytes, *end;
	} rows[] = {
		{"a link as journal", "s.db-journal", LINK, NULL, "s.db-journal' is a symbolic link"},
		{"a link as log", "s.db-wal", LINK, NULL, "s.db-wal' is a symbolic link"},
		{"a link as index", "s.db-shm", LINK, NULL, "s.db-shm' is a symbolic link"},
		{"a FIFO as journal", "s.db-journal", FIFO, NULL, "s.db-journal' is a FIFO"},
		{"a FIFO as log", "s.db-wal", FIFO, NULL, "s.db-wal' is a FIFO"},
		{"a FIFO as index", "s.db-shm", FIFO, NULL, "s.db-shm' is a FIFO"},
		{"a folder as log", "s.db-wal", FOLDER, NULL, "s.db-wal' is a folder"},
		{"a file with two names", "s.db-wal", NAMES, NULL, "s.db-wal' has other names (hard links)"},
		{"another user's log", "s.db-wal", OTHERS, NULL, "s.db-wal' belongs to another user"},
		{"another user's index", "s.db-shm", OTHERS, NULL, "s.db-shm' belongs to another user"},
		{"a text as log", "s.db-wal", BYTES, "This is not the log of a database, but 32 bytes long.",
		 "s.db-wal' is not the log of this database"},
		{"a short text as log", "s.db-wal", BYTES, "my notes", "s.db-wal' is not the log of this database"},
		{"a text as index", "s.db-shm", BYTES, "my notes", "s.db-shm' is not the index of a log"},
		{"a text as journal", "s.db-journal", BYTES, "x",
		 "s.db-journal' is a rollback journal, and sahm makes none"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_folder f = make_folder();
		char secret[8] = "";
		if (rows[i].kind == OTHERS && geteuid() != 0) {
			print_message("%s: not tried, only root can give files away\n", rows[i].name);
			remove_folder(&f);
			continue;
		}
		make_store(in_folder(&f, "s.db"));
		make_companion(&f, rows[i].companion, rows[i].kind, rows[i].bytes);
		expect_refusal(rows[i].name, in_folder(&f, "s.db"), rows[i].end);
		FILE *in = fopen(in_folder(&f, "victim"), "rb");
		assert_non_null(in);
		assert_non_null(fgets(secret, sizeof(secret), in));
		fclose(in);
		assert_string_equal(secret, "secret");
		remove_folder(&f);
	}
}

/* Logs of a power failure, whose header did not reach the disk, have nothing in them. */
static void test_torn_logs(void **state)
{
	static const size_t lengths[] = {1, 31, 32, 33, 4096};
	static const char zeros[4096];
	struct made_folder f = make_folder();
	(void)state;
	make_store(in_folder(&f, "s.db"));
	for (size_t i = 0; i < 2 * ARRAY_SIZE(lengths); i++) {
		write_file(in_folder(&f, "s.db-wal"), zeros, lengths[i / 2]);
		struct store *store = open_store(in_folder(&f, "s.db"), i % 2 ? STORE_WRITE : STORE_READ);
		expect_counts(store, 1, &(struct store_counts){6, 3, 3, 0, 0});
		MUST_WORK(store_close(store, ERR));
	}
	remove_folder(&f);
}

/* Objects that sahm does not make are refused, whatever their name; so is a store that lacks something. */
static void test_schemas(void **state)
{
	static const char endless[] =
		"CREATE VIEW sweep AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
		"SELECT i AS id, 'x' AS identity, 1 AS planned, 'x' AS name, 'run' AS evaluator, "
		"'' AS config, 1 AS nr_points FROM n;";
	char endless_sweep[1024];
	snprintf(endless_sweep, sizeof(endless_sweep), "DROP TABLE sweep; %s", endless);
	const struct {
		const char *name, *sql, *end;
	} rows[] = {
		{"an endless view in the place of a table", endless_sweep, "its table 'sweep' is missing"},
		{"a missing table", "DROP TABLE point;", "its table 'point' is missing"},
		{"a missing index", "DROP INDEX point_run;", "its index 'point_run' is missing"},
		{"a missing view", "DROP VIEW sweep_1;", "it has 1 sweeps and 0 views of sweeps"},
		{"a trigger", "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END;",
		 "its trigger 't' is not as sahm makes it"},
		{"another table", "CREATE TABLE t (x);", "its table 't' is not as sahm makes it"},
		{"another index", "CREATE INDEX i ON run (state);", "its index 'i' is not as sahm makes it"},
		{"another view", "CREATE VIEW v AS SELECT 1;", "its view 'v' is not as sahm makes it"},
		{"a view of no sweep", "CREATE VIEW sweep_2 AS SELECT 1;",
		 "its view 'sweep_2' is not as sahm makes it"},
		{"a view with another number", "CREATE VIEW sweep_01 AS SELECT 1;",
		 "its view 'sweep_01' is not as sahm makes it"},
		{"a view that tells something else",
		 "DROP VIEW sweep_1; CREATE VIEW sweep_1 AS SELECT position FROM point;",
		 "its view 'sweep_1' is not as sahm makes it"},
		{"another column", "ALTER TABLE run ADD COLUMN x;", "its table 'run' is not as sahm makes it"},
		{"statistics", "ANALYZE;", "its table 'sqlite_stat1' is not as sahm makes it"},
		{"a view of second results", "CREATE VIEW second_result AS SELECT 1 AS run;",
		 "its view 'second_result' is not as sahm makes it"},
		{"other second results", "CREATE TABLE second_result (run);",
		 "its table 'second_result' is not as sahm makes it"},
		{"other origins of counters", "CREATE TABLE counter_origin (sweep, counter, origin);",
		 "its table 'counter_origin' is not as sahm makes it"},
		{"other submissions", "CREATE TABLE submission (a);", "its table 'submission' is not as sahm makes it"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_folder f = make_folder();
		make_store(in_folder(&f, "s.db"));
		run_sql(in_folder(&f, "s.db"), rows[i].sql);
		expect_refusal(rows[i].name, in_folder(&f, "s.db"), rows[i].end);
		remove_folder(&f);
	}
}

/* A copy that SQLite has made has other white space at most, and no log. */
static void test_copies(void **state)
{
	struct made_folder f = make_folder();
	char sql[256];
	(void)state;
	make_store(in_folder(&f, "s.db"));
	snprintf(sql, sizeof(sql), "VACUUM INTO '%s'", in_folder(&f, "copy.db"));
	run_sql(in_folder(&f, "s.db"), sql);
	for (enum store_access how = STORE_READ; how <= STORE_WRITE; how++) {
		struct store *store = open_store(in_folder(&f, "copy.db"), how);
		expect_counts(store, 1, &(struct store_counts){6, 3, 3, 0, 0});
		if (how == STORE_WRITE)
			assert_int_equal(do_jobs(store, 1, 10, true), 3);
		MUST_WORK(store_close(store, ERR));
		assert_int_equal(access(in_folder(&f, "copy.db-journal"), F_OK), -1);
	}
	remove_folder(&f);
}

static void put_page(int fd, uint32_t number, const unsigned char *page)
{
	assert_int_equal(pwrite(fd, page, PAGE, (off_t)(number - 1) * PAGE), PAGE);
}

/* Makes page `number` an inner page of a table with 400 children, all of them page `child`. */
static void put_inner_page(int fd, uint32_t number, uint32_t child)
{
	unsigned char page[PAGE] = {5};
	const unsigned nr = 400;
	for (unsigned i = 0; i < nr; i++) {
		unsigned at = PAGE - 6 * (i + 1);
		add_word(page + at, child);
		page[at + 4] = (unsigned char)(0x80 | (i + 1) >> 7);
		page[at + 5] = (unsigned char)((i + 1) & 0x7f);
		page[12 + 2 * i] = (unsigned char)(at >> 8);
		page[12 + 2 * i + 1] = (unsigned char)at;
	}
	page[3] = (unsigned char)(nr >> 8);
	page[4] = (unsigned char)nr;
	page[5] = (unsigned char)((PAGE - 6 * nr) >> 8);
	page[6] = (unsigned char)(PAGE - 6 * nr);
	add_word(page + 8, child);
	put_page(fd, number, page);
}

/* A table of a few pages that lead to each other has 400^6 rows. Reading it ends; a writer looks at the pages first. */
static void test_endless_table(void **state)
{
	struct made_folder f = make_folder();
	struct store *store;
	struct sahm_err err;
	unsigned char page[PAGE];
	int64_t root, value;
	(void)state;
	make_store(in_folder(&f, "s.db"));
	store = open_store(in_folder(&f, "s.db"), STORE_READ);
	MUST_WORK(store_ask(store, "SELECT rootpage FROM sqlite_schema WHERE name = 'thread_name'", &root, ERR));
	store_abandon(store);
	int fd = open(in_folder(&f, "s.db"), O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	uint32_t end = pages_of(in_folder(&f, "s.db"));
	assert_int_equal(pread(fd, page, PAGE, (off_t)(root - 1) * PAGE), PAGE);
	put_page(fd, end + 6, page);
	for (uint32_t i = 1; i <= 5; i++)
		put_inner_page(fd, end + i, end + i + 1);
	put_inner_page(fd, (uint32_t)root, end + 1);
	unsigned char size[4];
	add_word(size, end + 6);
	assert_int_equal(pwrite(fd, size, 4, 28), 4);
	/* All pages of a small file are checked. */
	assert_int_equal(ftruncate(fd, (4 << 20) + 1), 0);
	close(fd);
	store = open_store(in_folder(&f, "s.db"), STORE_READ);
	assert_int_equal(store_ask(store, "SELECT sum(length(name)) FROM thread_name", &value, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "s.db' is damaged: a statement goes on without end"));
	store_abandon(store);
	assert_int_equal(store_open(&store, in_folder(&f, "s.db"), STORE_WRITE, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "s.db' is damaged: "));
	remove_folder(&f);
}

static int leave_log(const struct made_folder *f)
{
	struct store *store = open_store(in_folder(f, "s.db"), STORE_WRITE);
	_exit(do_jobs(store, 1, 2, true) == 2 ? 0 : 1);
}

static int leave_whole_log(const struct made_folder *f)
{
	struct store *store = open_store(in_folder(f, "s.db"), STORE_WRITE);
	plan_sweep(store, &(struct made_sweep){.nr_x = 9, .step = 1});
	_exit(do_jobs(store, 1, 18, true) == 18 ? 0 : 1);
}

/* Who reads a store changes nothing of it, nor of the log that a crash has left, and sees what is in both. */
static void test_reading_changes_nothing(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	make_store(in_folder(&f, "s.db"));
	assert_int_equal(in_child(leave_log, &f), 0);
	off_t size = size_of(in_folder(&f, "s.db")), log = size_of(in_folder(&f, "s.db-wal"));
	assert_true(log > 0);
	for (int has_index = 1; has_index >= 0; has_index--) {
		if (!has_index)
			assert_int_equal(unlink(in_folder(&f, "s.db-shm")), 0);
		struct store *store = open_store(in_folder(&f, "s.db"), STORE_READ);
		expect_counts(store, 1, &(struct store_counts){6, 1, 5, 0, 0});
		MUST_WORK(store_close(store, ERR));
		assert_int_equal(size_of(in_folder(&f, "s.db")), size);
		assert_int_equal(size_of(in_folder(&f, "s.db-wal")), log);
		assert_true((size_of(in_folder(&f, "s.db-shm")) >= 0) == has_index);
	}
	/* A merge finds it, too. */
	struct store *all = open_store(in_folder(&f, "all.db"), STORE_WRITE);
	MUST_WORK(store_merge(all, in_folder(&f, "s.db"), false, ERR));
	expect_counts(all, 1, &(struct store_counts){6, 1, 5, 0, 0});
	MUST_WORK(store_close(all, ERR));
	assert_int_equal(size_of(in_folder(&f, "s.db-wal")), log);
	/* The next writer folds the log in. */
	MUST_WORK(store_close(open_store(in_folder(&f, "s.db"), STORE_WRITE), ERR));
	assert_int_equal(size_of(in_folder(&f, "s.db-wal")), -1);
	remove_folder(&f);
}

/* Logs that another store has left are refused: one with a few pages, which do not fit the others, and one with all. */
static void test_other_log(void **state)
{
	struct made_folder f = make_folder();
	char command[512];
	(void)state;
	for (int all = 0; all < 2; all++) {
		if (!all)
			make_store(in_folder(&f, "s.db"));
		assert_int_equal(in_child(all ? leave_whole_log : leave_log, &f), 0);
		struct store *store = open_store(in_folder(&f, "other.db"), STORE_WRITE);
		do_jobs(store, plan_sweep(store, &(struct made_sweep){.nr_x = 9, .step = 1, .first_run = 50}), 3, true);
		MUST_WORK(store_close(store, ERR));
		snprintf(command, sizeof(command), "mv '%s' '%s'", in_folder(&f, "s.db-wal"),
			 in_folder(&f, "other.db-wal"));
		assert_int_equal(system(command), 0);
		for (enum store_access how = STORE_READ; how <= STORE_WRITE; how++) {
			struct sahm_err err = {0};
			assert_int_equal(store_open(&store, in_folder(&f, "other.db"), how, &err), SAHM_FORMAT);
			assert_non_null(strstr(err.msg, all ? "other.db-wal' is the log of another database"
							    : "other.db' is damaged: "));
		}
		assert_int_equal(unlink(in_folder(&f, "other.db-wal")), 0);
		store = open_store(in_folder(&f, "other.db"), STORE_READ);
		expect_counts(store, 1, &(struct store_counts){18, 15, 3, 0, 0});
		store_abandon(store);
		for (const char *const *name = (const char *const[]){"s.db", "s.db-shm", "other.db", NULL}; *name;
		     name++)
			unlink(in_folder(&f, *name));
	}
	remove_folder(&f);
}

/* Text in the place of a number is no zero. */
static void test_text_as_number(void **state)
{
	struct made_folder f = make_folder();
	struct export_counts counts;
	struct sahm_err err;
	(void)state;
	make_store(in_folder(&f, "s.db"));
	run_sql(in_folder(&f, "s.db"), "UPDATE run SET speedup_mean = 'abc' WHERE id = 2;");
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_READ);
	FILE *out = fopen("/dev/null", "w");
	assert_non_null(out);
	assert_int_equal(store_export(store, 1, EXPORT_POINTS, EXPORT_CSV, out, &counts, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "s.db' is damaged: a value of 'speedup_mean' is not a number"));
	fclose(out);
	store_abandon(store);
	remove_folder(&f);
}

static int merge_from(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store_counts counts;
	struct store *all = open_store(in_folder(f, "all.db"), STORE_WRITE);
	CHILD_MUST(store_merge(all, in_folder(f, "s.db"), false, &err) == SAHM_OK);
	CHILD_MUST(store_count(all, STORE_WHOLE(1), &counts, &err) == SAHM_OK);
	CHILD_MUST(counts.points == 6 && counts.done == 2);
	CHILD_MUST(store_close(all, &err) == SAHM_OK);
	return 0;
}

/* A merge takes what a writer has committed so far. */
static void test_merge_from_written(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	assert_int_equal(do_jobs(store, plan_sweep(store, &(struct made_sweep){.nr_x = 3, .step = 1}), 2, true), 2);
	assert_int_equal(in_child(merge_from, &f), 0);
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* A reader that came before the writer goes on seeing what was there; the writer's log waits for it to end. One that
 * comes later sees what has been committed. */
static void test_readers_and_writer(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	plan_sweep(store, &(struct made_sweep){.nr_x = 3000, .step = 1});
	MUST_WORK(store_close(store, ERR));
	off_t size = size_of(in_folder(&f, "s.db"));
	struct store *early = open_store(in_folder(&f, "s.db"), STORE_READ);
	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(do_jobs(store, 1, 30, true), 30);
	struct store *late = open_store(in_folder(&f, "s.db"), STORE_READ);
	expect_counts(early, 1, &(struct store_counts){6000, 6000, 0, 0, 0});
	expect_counts(late, 1, &(struct store_counts){6000, 3000, 3000, 0, 0});
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(do_jobs(store, 1, 30, true), 30);
	expect_counts(late, 1, &(struct store_counts){6000, 0, 6000, 0, 0});
	store_abandon(late);
	MUST_WORK(store_close(store, ERR));
	/* Twice as long as a log that is folded in. */
	assert_int_equal(size_of(in_folder(&f, "s.db")), size);
	assert_true(size_of(in_folder(&f, "s.db-wal")) > 2000 * PAGE);
	expect_counts(early, 1, &(struct store_counts){6000, 6000, 0, 0, 0});
	store_abandon(early);
	store = open_store(in_folder(&f, "s.db"), STORE_READ);
	expect_counts(store, 1, &(struct store_counts){6000, 0, 6000, 0, 0});
	store_abandon(store);
	MUST_WORK(store_close(open_store(in_folder(&f, "s.db"), STORE_WRITE), ERR));
	assert_int_equal(size_of(in_folder(&f, "s.db-wal")), -1);
	remove_folder(&f);
}

TEST_FILE(test_store_trust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forged_journal),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_companions),
		cmocka_unit_test(test_torn_logs),
		cmocka_unit_test(test_schemas),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_other_log),
		cmocka_unit_test(test_text_as_number),
		cmocka_unit_test(test_merge_from_written),
		cmocka_unit_test(test_endless_table),
		cmocka_unit_test(test_reading_changes_nothing),
		cmocka_unit_test(test_readers_and_writer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
