/* Results files after faults: a process that is killed, a disk that is full, a medium that
 * cannot be written. */
#include <signal.h>
#include <sys/resource.h>

#include "tests/unit/made_store.h"
#include "tests/unit/results/store/made_child.h"

#define NOBODY 65534

/* Puts runs and commits each, until it is killed. */
static int put_for_ever(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store *store;
	struct store_job job;
	struct made_record made;
	size_t nr;
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_WRITE, &err) == SAHM_OK);
	for (int64_t after = 0;; after = job.run) {
		CHILD_MUST(store_jobs(store, STORE_WHOLE(1), after, &job, 1, &nr, &err) == SAHM_OK);
		if (nr == 0)
			pause();
		CHILD_MUST(store_put(store, job.run, make_record(&made, job.position), true, &err) == SAHM_OK);
		CHILD_MUST(job.run % 3 || store_commit(store, &err) == SAHM_OK);
	}
}

/* Killed at any moment: committed rows are there, and the rest can be done. */
static void test_killed(void **state)
{
	struct made_folder f = make_folder();
	struct store_counts counts;
	struct made_sweep sweep = {.nr_x = 3000, .step = 1};
	uint64_t done = 0;
	(void)state;
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	plan_sweep(store, &sweep);
	MUST_WORK(store_close(store, ERR));
	for (unsigned i = 0; i < 20; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(put_for_ever(&f));
		usleep(1000 + i * 2311 % 17000);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
		store = open_store(in_folder(&f, "s.db"), STORE_READ);
		MUST_WORK(store_count(store, STORE_WHOLE(1), &counts, ERR));
		MUST_WORK(store_close(store, ERR));
		assert_int_equal(counts.points, 6000);
		assert_int_equal(counts.planned + counts.done, 6000);
		assert_true(counts.done >= done);
		done = counts.done;
	}
	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	assert_int_equal(do_jobs(store, 1, 10000, true), 6000 - done);
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* A file that may not grow is like a disk that is full. */
static int fill_up(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store *store;
	struct store_job jobs[64];
	struct made_record made;
	char expected[256];
	size_t nr;
	enum sahm_status status = SAHM_OK;
	int64_t after = 0;
	signal(SIGXFSZ, SIG_IGN);
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_WRITE, &err) == SAHM_OK);
	CHILD_MUST(setrlimit(RLIMIT_FSIZE, &(struct rlimit){400000, 400000}) == 0);
	while (status == SAHM_OK) {
		CHILD_MUST(store_jobs(store, STORE_WHOLE(1), after, jobs, 64, &nr, &err) == SAHM_OK && nr > 0);
		for (size_t i = 0; i < nr && status == SAHM_OK; i++) {
			after = jobs[i].run;
			status = store_put(store, after, make_record(&made, jobs[i].position), true, &err);
		}
		if (status == SAHM_OK)
			status = store_commit(store, &err);
	}
	snprintf(expected, sizeof(expected), "cannot write results file '%s': database or disk is full",
		 in_folder(f, "s.db"));
	CHILD_MUST(status == SAHM_IO && strcmp(err.msg, expected) == 0);
	store_abandon(store);
	return 0;
}

static void test_full_disk(void **state)
{
	struct made_folder f = make_folder();
	struct store_counts counts;
	(void)state;
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	int64_t id = plan_sweep(store, &(struct made_sweep){.nr_x = 1000, .step = 1});
	MUST_WORK(store_close(store, ERR));
	assert_int_equal(in_child(fill_up, &f), 0);
	store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	MUST_WORK(store_count(store, STORE_WHOLE(id), &counts, ERR));
	assert_true(counts.done >= 64 && counts.done % 64 == 0 && counts.planned == 2000 - counts.done);
	assert_int_equal(do_jobs(store, id, 10000, true), counts.planned);
	MUST_WORK(store_close(store, ERR));
	remove_folder(&f);
}

/* No room at all: nothing is left. */
static int make_without_room(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store *store;
	char expected[256];
	signal(SIGXFSZ, SIG_IGN);
	CHILD_MUST(setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0}) == 0);
	CHILD_MUST(store_open(&store, in_folder(f, "new.db"), STORE_WRITE, &err) == SAHM_IO);
	snprintf(expected, sizeof(expected), "cannot write '%s': File too large", in_folder(f, "new.db"));
	CHILD_MUST(strcmp(err.msg, expected) == 0);
	CHILD_MUST(access(in_folder(f, "new.db"), F_OK) != 0);
	return 0;
}

static void test_no_room(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	assert_int_equal(in_child(make_without_room, &f), 0);
	remove_folder(&f);
}

/* As somebody to whom permissions apply. */
static int read_only(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store *store;
	struct store_counts counts;
	char expected[256];
	if (geteuid() == 0)
		CHILD_MUST(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_READ, &err) == SAHM_OK);
	CHILD_MUST(store_count(store, STORE_WHOLE(1), &counts, &err) == SAHM_OK && counts.done == 3);
	CHILD_MUST(store_close(store, &err) == SAHM_OK);
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_WRITE, &err) == SAHM_IO);
	snprintf(expected, sizeof(expected), "cannot write results file '%s': Permission denied", in_folder(f, "s.db"));
	CHILD_MUST(strcmp(err.msg, expected) == 0);
	CHILD_MUST(store_open(&store, in_folder(f, "new.db"), STORE_WRITE, &err) == SAHM_IO);
	/* It can be added to another one. */
	CHILD_MUST(store_open(&store, NULL, STORE_WRITE, &err) == SAHM_OK);
	CHILD_MUST(store_merge(store, in_folder(f, "s.db"), false, &err) == SAHM_OK);
	CHILD_MUST(store_close(store, &err) == SAHM_OK);
	return 0;
}

/* The file can be written, but nothing beside it. */
static int folder_only(const struct made_folder *f)
{
	struct sahm_err err = {0};
	struct store *store;
	if (geteuid() == 0)
		CHILD_MUST(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_READ, &err) == SAHM_OK);
	CHILD_MUST(store_close(store, &err) == SAHM_OK);
	CHILD_MUST(store_open(&store, in_folder(f, "s.db"), STORE_WRITE, &err) == SAHM_IO);
	CHILD_MUST(strstr(err.msg, "the file or its folder is read-only"));
	return 0;
}

static void test_read_only(void **state)
{
	struct made_folder f = make_folder();
	(void)state;
	struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
	assert_int_equal(do_jobs(store, plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1}), 3, true), 3);
	MUST_WORK(store_close(store, ERR));
	assert_int_equal(chmod(in_folder(&f, "s.db"), 0444), 0);
	assert_int_equal(chmod(f.path, 0555), 0);
	assert_int_equal(in_child(read_only, &f), 0);
	assert_int_equal(chmod(in_folder(&f, "s.db"), 0666), 0);
	assert_int_equal(in_child(folder_only, &f), 0);
	assert_int_equal(chmod(f.path, 0755), 0);
	remove_folder(&f);
}

TEST_FILE(test_store_crash)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_read_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
