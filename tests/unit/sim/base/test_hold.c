/* Signals that are held back: none is lost, none comes early, and what was blocked before stays so. */
#include "sim/base/hold.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "tests/unit/test.h"

static volatile sig_atomic_t nr_seen;

static void see(int number)
{
	(void)number;
	nr_seen = nr_seen + 1;
}

static void test_held_and_let_go(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction action = {.sa_handler = see}, before;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		struct signal_hold outer, inner;
		sigaction(signals[i], &action, &before);
		nr_seen = 0;
		signal_hold_begin(&outer);
		assert_false(signal_hold_has_caught(&outer));
		raise(signals[i]);
		assert_int_equal(nr_seen, 0);
		assert_true(signal_hold_has_caught(&outer));
		/* An inner hold lets nothing go that the outer one has. */
		signal_hold_begin(&inner);
		assert_false(signal_hold_has_caught(&inner));
		signal_hold_end(&inner);
		assert_int_equal(nr_seen, 0);
		signal_hold_end(&outer);
		assert_int_equal(nr_seen, 1);
		sigaction(signals[i], &before, NULL);
	}
}

/* Others come at once. */
static void test_other_signals(void **state)
{
	struct sigaction action = {.sa_handler = see}, before;
	struct signal_hold hold;
	(void)state;
	sigaction(SIGUSR1, &action, &before);
	nr_seen = 0;
	signal_hold_begin(&hold);
	raise(SIGUSR1);
	assert_int_equal(nr_seen, 1);
	assert_false(signal_hold_has_caught(&hold));
	signal_hold_end(&hold);
	sigaction(SIGUSR1, &before, NULL);
}

/* Whether the file system of `folder` has files without names; on others the temporary file of a process that is
 * killed stays. */
static bool has_nameless_files(const char *folder)
{
	int fd = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Makes `folder`; the test is skipped where it cannot have files without names. */
static void begin_folder(char *folder)
{
	assert_non_null(mkdtemp(folder));
	if (has_nameless_files(folder))
		return;
	rmdir(folder);
	print_message("/tmp has no files without names\n");
	skip();
}

/* The child was ended by `number`, and `path` holds `text` now. */
static void expect_end(pid_t pid, int number, const char *path, const char *text)
{
	struct sahm_err err;
	char *found;
	size_t len;
	int how;
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_true(WIFSIGNALED(how));
	assert_int_equal(WTERMSIG(how), number);
	assert_int_equal(file_read(path, 100, &found, &len, &err), SAHM_OK);
	assert_string_equal(found, text);
	free(found);
}

static void expect_out_alone(const char *folder)
{
	char command[128];
	snprintf(command, sizeof(command), "[ \"$(ls -A %s)\" = out ]", folder);
	assert_int_equal(system(command), 0);
}

/* Nothing is left of an output that was being written when its process ended, be it by SIGKILL, and the output of
 * before is whole. */
static void test_killed_while_writing(void **state)
{
	static const int signals[] = {SIGKILL, SIGTERM, SIGINT};
	char folder[] = "/tmp/sahm-hold-XXXXXX", path[64];
	struct sahm_err err;
	(void)state;
	begin_folder(folder);
	snprintf(path, sizeof(path), "%s/out", folder);
	assert_int_equal(file_write(path, "whole", 5, &err), SAHM_OK);
	/* Another one over it: for a moment there were two names. */
	assert_int_equal(file_write(path, "anew", 4, &err), SAHM_OK);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		pid_t pid = fork();
		if (pid == 0) {
			struct atomic_file f;
			struct sahm_err child_err;
			signal(signals[i], SIG_DFL);
			if (atomic_file_open(&f, path, &child_err) != SAHM_OK)
				_exit(2);
			fputs("half", f.stream);
			fflush(f.stream);
			raise(signals[i]);
			_exit(3);
		}
		expect_end(pid, signals[i], path, "anew");
	}
	expect_out_alone(folder);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

/* Calls of the library while a file is put in its place; it finds these instead of the C library's. */
static unsigned nr_synced;
static bool was_synced_first;
static int signal_at_link;

int fsync(int fd)
{
	nr_synced++;
	return (int)syscall(SYS_fsync, fd);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	int failed = (int)syscall(SYS_linkat, from_fd, from, to_fd, to, flags);
	if (!failed) {
		was_synced_first = nr_synced > 0;
		if (signal_at_link)
			raise(signal_at_link);
	}
	return failed;
}

/* The contents of a file are on the disk before it has a name. A signal between the name beside and that in its place
 * waits: nothing lies about, and the new file is there. */
static void test_put_in_place(void **state)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE};
	char folder[] = "/tmp/sahm-hold-XXXXXX", path[64];
	struct sahm_err err;
	(void)state;
	begin_folder(folder);
	snprintf(path, sizeof(path), "%s/out", folder);
	nr_synced = 0;
	assert_int_equal(file_write(path, "old", 3, &err), SAHM_OK);
	assert_true(was_synced_first);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		assert_int_equal(file_write(path, "old", 3, &err), SAHM_OK);
		pid_t pid = fork();
		if (pid == 0) {
			signal(signals[i], SIG_DFL);
			signal_at_link = signals[i];
			_exit(file_write(path, "new", 3, &err) == SAHM_OK ? 2 : 3);
		}
		expect_end(pid, signals[i], path, "new");
		expect_out_alone(folder);
	}
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

TEST_FILE(test_hold)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_held_and_let_go),
		cmocka_unit_test(test_other_signals),
		cmocka_unit_test(test_killed_while_writing),
		cmocka_unit_test(test_put_in_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
