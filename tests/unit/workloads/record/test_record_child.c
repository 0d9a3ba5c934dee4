/* Commands of recorders: when they begin, how they end, what they see of the recorder. */
#include "workloads/record/record_child.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/base/clock.h"
#include "sim/base/units.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

static char script[512];

/* A shell that runs the text, in which @ stands for the test's folder. */
static char **shell(const char *text)
{
	static char *command[] = {"sh", "-c", script, NULL};
	size_t at = 0;
	for (; *text; text++)
		at += (size_t)snprintf(script + at, sizeof(script) - at, *text == '@' ? "%s" : "%.1s",
				       *text == '@' ? own_folder : text);
	return command;
}

static bool is_there(const char *name)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", own_folder, name);
	return access(path, F_OK) == 0;
}

static void wait_for(const char *name)
{
	uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + 60 * NS_PER_S;
	while (!is_there(name)) {
		if (clock_ns(CLOCK_MONOTONIC) > end_ns)
			fail_msg("'%s' does not appear", name);
		usleep(1000);
	}
}

static void start(struct record_child *c, char **command, int keep_fd)
{
	struct sahm_err err;
	if (record_child_start(c, command, keep_fd, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static void go(struct record_child *c)
{
	struct sahm_err err;
	if (record_child_go(c, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* Runs it to its end. */
static struct recording run(char **command)
{
	struct record_child c;
	struct recording r = {0};
	start(&c, command, -1);
	go(&c);
	while (record_child_wait(&c, NEVER, NULL) == CHILD_RUNS)
		;
	record_child_end(&c, NULL);
	record_child_tell(&c, &r);
	return r;
}

static void test_ends(void **state)
{
	static const struct {
		const char *text;
		int exit_code, signal;
	} rows[] = {
		{"exit 0", 0, 0},	   {"exit 7", 7, 0},	     {"exit 255", 255, 0},
		{"kill -TERM $$", -1, 15}, {"kill -KILL $$", -1, 9},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		print_message("%s\n", rows[i].text);
		struct recording r = run(shell(rows[i].text));
		assert_int_equal(r.exit_code, rows[i].exit_code);
		assert_int_equal(r.signal, rows[i].signal);
	}
}

/* Nothing of it runs before it is let go, and counters are attached to the process that becomes it. */
static void test_begins_when_told(void **state)
{
	struct record_child c;
	char path[256], text[32] = "";
	(void)state;
	start(&c, shell("echo $$ > @/begun"), -1);
	pid_t pid = c.pid;
	assert_int_equal(record_child_wait(&c, clock_ns(CLOCK_MONOTONIC) + ns_of_ms(30), NULL), CHILD_RUNS);
	assert_false(is_there("begun"));
	go(&c);
	while (record_child_wait(&c, NEVER, NULL) == CHILD_RUNS)
		;
	record_child_end(&c, NULL);
	snprintf(path, sizeof(path), "%s/begun", own_folder);
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	assert_non_null(fgets(text, sizeof(text), in));
	fclose(in);
	assert_int_equal(atoi(text), pid);
}

static void test_given_up_before(void **state)
{
	struct record_child c;
	struct recording r = {0};
	(void)state;
	start(&c, shell(": > @/never"), -1);
	record_child_end(&c, NULL);
	record_child_tell(&c, &r);
	assert_false(is_there("never"));
	assert_int_equal(r.signal, 0);
}

static void test_cannot_run(void **state)
{
	static const struct {
		const char *name, *message;
	} rows[] = {
		{"sahm-no-such-command", "cannot run 'sahm-no-such-command': No such file or directory"},
		{"/dev/null", "cannot run '/dev/null': Permission denied"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record_child c;
		struct sahm_err err;
		char name[64], *command[] = {name, NULL};
		print_message("%s\n", rows[i].name);
		snprintf(name, sizeof(name), "%s", rows[i].name);
		start(&c, command, -1);
		assert_int_equal(record_child_go(&c, &err), SAHM_IO);
		assert_string_equal(err.msg, rows[i].message);
		record_child_end(&c, NULL);
	}
}

static void test_deadline(void **state)
{
	struct record_child c;
	(void)state;
	start(&c, shell("exec sleep 100"), -1);
	go(&c);
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC), deadline_ns = begin_ns + ns_of_ms(20);
	while (clock_ns(CLOCK_MONOTONIC) < deadline_ns)
		assert_int_equal(record_child_wait(&c, deadline_ns, NULL), CHILD_RUNS);
	/* One that is over already returns at once. */
	assert_int_equal(record_child_wait(&c, begin_ns, NULL), CHILD_RUNS);
	record_child_end(&c, NULL);
	struct recording r = {0};
	record_child_tell(&c, &r);
	assert_int_equal(r.signal, SIGTERM);
}

/* A kernel without files for processes makes it slower, not wrong. */
static void test_without_pid_fd(void **state)
{
	struct record_child c;
	struct recording r = {0};
	(void)state;
	start(&c, shell("sleep 0.05; exit 3"), -1);
	close(c.pid_fd);
	c.pid_fd = -1;
	go(&c);
	while (record_child_wait(&c, NEVER, NULL) == CHILD_RUNS)
		;
	record_child_end(&c, NULL);
	record_child_tell(&c, &r);
	assert_int_equal(r.exit_code, 3);
}

static void test_stop_asks(void **state)
{
	static const volatile sig_atomic_t once = 1;
	struct record_child c;
	struct recording r = {0};
	(void)state;
	start(&c, shell("trap 'exit 5' TERM; : > @/asked; while :; do sleep 0.01; done"), -1);
	go(&c);
	wait_for("asked");
	assert_int_equal(record_child_wait(&c, NEVER, &once), CHILD_HAS_ENDED);
	record_child_end(&c, &once);
	record_child_tell(&c, &r);
	assert_int_equal(r.exit_code, 5);
}

static void test_stop_kills(void **state)
{
	static const volatile sig_atomic_t once = 1, twice = 2;
	static const struct {
		const char *marker;
		const volatile sig_atomic_t *stop;
		double least_ms, most_ms;
	} rows[] = {
		{"twice", &twice, 0, CHILD_GRACE_MS / 2},
		{"once", &once, CHILD_GRACE_MS, 60000},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record_child c;
		struct recording r = {0};
		char text[128];
		print_message("%s\n", rows[i].marker);
		snprintf(text, sizeof(text), "trap '' TERM; : > @/%s; exec sleep 100", rows[i].marker);
		start(&c, shell(text), -1);
		go(&c);
		wait_for(rows[i].marker);
		uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
		assert_int_equal(record_child_wait(&c, NEVER, rows[i].stop), CHILD_HAS_ENDED);
		double took_ms = ms_of_ns(clock_ns(CLOCK_MONOTONIC) - begin_ns);
		record_child_end(&c, rows[i].stop);
		record_child_tell(&c, &r);
		assert_int_equal(r.signal, SIGKILL);
		assert_true(took_ms >= rows[i].least_ms && took_ms < rows[i].most_ms);
	}
}

static void do_nothing(int number)
{
	(void)number;
}

/* Handlers of the recorder are none of the command's; ignored signals stay ignored, and the recorder's own are as
 * before.
 */
static void test_signals(void **state)
{
	struct sigaction before, now, action = {.sa_handler = do_nothing};
	(void)state;
	sigaction(SIGUSR1, &action, &before);
	assert_int_equal(run(shell("kill -USR1 $$; exit 4")).signal, SIGUSR1);
	sigaction(SIGUSR1, NULL, &now);
	assert_true(now.sa_handler == do_nothing);
	action.sa_handler = SIG_IGN;
	sigaction(SIGUSR1, &action, NULL);
	assert_int_equal(run(shell("kill -USR1 $$; exit 4")).exit_code, 4);
	sigaction(SIGUSR1, &before, NULL);
	sigset_t mask;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	assert_false(sigismember(&mask, SIGTERM));
}

/* Only the file to keep, and no other one. */
static void test_files(void **state)
{
	int ends[2], others[2];
	char got[16] = "";
	struct record_child c;
	struct recording r = {0};
	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(pipe2(others, O_CLOEXEC), 0);
	char text[128];
	snprintf(text, sizeof(text), "printf kept >&%d && ! test -e /proc/self/fd/%d", ends[1], others[1]);
	start(&c, shell(text), ends[1]);
	go(&c);
	while (record_child_wait(&c, NEVER, NULL) == CHILD_RUNS)
		;
	record_child_end(&c, NULL);
	record_child_tell(&c, &r);
	assert_int_equal(r.exit_code, 0);
	assert_int_equal(read(ends[0], got, sizeof(got) - 1), 4);
	assert_string_equal(got, "kept");
	for (int i = 0; i < 2; i++) {
		close(ends[i]);
		close(others[i]);
	}
}

/* Nothing stays open, however it goes. */
static void test_leaves_no_files(void **state)
{
	struct record_child c;
	struct sahm_err err;
	char *missing[] = {"sahm-no-such-command", NULL};
	(void)state;
	int first = dup(0);
	close(first);
	run(shell("exit 0"));
	start(&c, missing, -1);
	record_child_go(&c, &err);
	record_child_end(&c, NULL);
	start(&c, missing, -1);
	record_child_end(&c, NULL);
	int after = dup(0);
	close(after);
	assert_int_equal(after, first);
}

TEST_FILE(test_record_child)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_begins_when_told),
		cmocka_unit_test(test_given_up_before),
		cmocka_unit_test(test_cannot_run),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_without_pid_fd),
		cmocka_unit_test(test_stop_asks),
		cmocka_unit_test(test_stop_kills),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_leaves_no_files),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
