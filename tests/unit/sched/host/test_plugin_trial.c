/* Ends of a child process that loads a plug-in for trial: each comes back as an error with a message. */
#include "tests/unit/test.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/host/plugin_trial.h"

static enum sahm_status succeed(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	return SAHM_OK;
}

static enum sahm_status refuse(void *ctx, struct sahm_err *err)
{
	return sahm_fail(err, SAHM_CONFIG, "refused: %s", (const char *)ctx);
}

static enum sahm_status crash(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	raise(SIGSEGV);
	return SAHM_OK;
}

static enum sahm_status end_silently(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	_exit(0);
}

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(99);
}

static enum sahm_status end_with_words(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	say("x.so: first line\nx.so: lost\033[1m symbol\n\n");
	_exit(127);
}

/* More than a pipe holds: nobody reads it until the child has ended. */
static enum sahm_status talk(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	for (int i = 0; i < 100000; i++)
		if (write(STDERR_FILENO, "word ", 5) < 0)
			break;
	_exit(3);
}

static void close_all(void)
{
	for (int fd = 0; fd < 256; fd++)
		close(fd);
}

static enum sahm_status close_and_end(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	close_all();
	_exit(5);
}

static enum sahm_status close_and_sleep(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	close_all();
	pause();
	_exit(0);
}

static enum sahm_status spin(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	for (volatile bool goes_on = true; goes_on;)
		;
	return SAHM_OK;
}

/* Its own child keeps the pipes open, and is ended along with it. */
static enum sahm_status fork_and_end(void *ctx, struct sahm_err *err)
{
	(void)ctx;
	(void)err;
	if (fork() == 0)
		pause();
	_exit(6);
}

static void test_ends(void **state)
{
	static const struct {
		const char *name;
		enum sahm_status (*load)(void *ctx, struct sahm_err *err);
		enum sahm_status status;
		const char *message; /* its beginning */
	} rows[] = {
		{"succeed", succeed, SAHM_OK, ""},
		{"refuse", refuse, SAHM_CONFIG, "refused: so"},
		{"crash", crash, SAHM_FORMAT,
		 "a.so: cannot be loaded: its process was ended by signal 11 (Segmentation fault)"},
		{"end silently", end_silently, SAHM_FORMAT,
		 "a.so: cannot be loaded: its process ended with exit code 0"},
		{"end with words", end_with_words, SAHM_FORMAT,
		 "a.so: cannot be loaded: its process ended with exit code 127: x.so: lost?[1m symbol"},
		{"talk", talk, SAHM_FORMAT, "a.so: cannot be loaded: its process ended with exit code 3: word "},
		{"close and end", close_and_end, SAHM_FORMAT,
		 "a.so: cannot be loaded: its process ended with exit code 5"},
		{"close and sleep", close_and_sleep, SAHM_FORMAT, "a.so: cannot be loaded: it took longer than 1 s"},
		{"spin", spin, SAHM_FORMAT, "a.so: cannot be loaded: it took longer than 1 s of processor time"},
		{"fork and end", fork_and_end, SAHM_FORMAT,
		 "a.so: cannot be loaded: its process ended with exit code 6"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct plugin_trial_limits limits = {.cpu_s = 1,
							   .wall_s = rows[i].load == close_and_sleep ? 1 : 60};
		struct sahm_err err = {0};
		char ctx[] = "so";
		print_message("%s\n", rows[i].name);
		enum sahm_status status = plugin_trial("a.so", limits, rows[i].load, ctx, &err);
		assert_int_equal(status, rows[i].status);
		if (strncmp(err.msg, rows[i].message, strlen(rows[i].message)) != 0)
			fail_msg("%s: '%s'", rows[i].name, err.msg);
		/* No child is left, nor anything to wait for. */
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
}

TEST_FILE(test_plugin_trial)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
