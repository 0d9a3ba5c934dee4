/* The test program of a room, which consists of the test files of a folder below tests/unit:
 *   PROGRAM                                every file, each in a process of its own
 *   PROGRAM test_FILE[:test_NAME]...       those files only; of a file only the tests whose names match (* and ?)
 *   PROGRAM --list                         the names of the files
 * A single file runs in the program's own process, so that a debugger needs to follow no fork. The exit code is 0 when
 * all tests passed, 77 when none could run, 1 when one failed, 2 when a name matches none. */
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* ROOM_LIST, made by mk/test.mk, has a row per file of the room. */
#define FILE_ROW(name) int name##_file(void);
#include ROOM_LIST
#undef FILE_ROW

static const struct test_file {
	const char *name;
	int (*run)(void);
} files[] = {
#define FILE_ROW(name) {#name, name##_file},
#include ROOM_LIST
#undef FILE_ROW
};

#define NR_FILES ARRAY_SIZE(files)

/* The request; `tests` is NULL for all tests of the file. */
struct choice {
	const struct test_file *file;
	const char *tests;
};

static bool find(const char *word, struct choice *c)
{
	size_t len = strcspn(word, ":");
	for (size_t i = 0; i < NR_FILES; i++)
		if (strlen(files[i].name) == len && memcmp(files[i].name, word, len) == 0) {
			*c = (struct choice){&files[i], word[len] ? word + len + 1 : NULL};
			return true;
		}
	return false;
}

/* What a group of tests calls instead of cmocka's function (mk/test.mk): cmocka does not report how many tests its
 * filter lets through. */
int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t nr,
				   CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t nr,
				   CMFixtureFunction setup, CMFixtureFunction teardown);

static const char *filter = "*";
static bool has_matched;

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t nr,
				   CMFixtureFunction setup, CMFixtureFunction teardown)
{
	for (size_t i = 0; i < nr; i++)
		has_matched |= fnmatch(filter, tests[i].name, 0) == 0;
	return __real__cmocka_run_group_tests(group, tests, nr, setup, teardown);
}

static int run(const struct choice *c)
{
	if (c->tests)
		cmocka_set_test_filter(filter = c->tests);
	int result = c->file->run();
	if (result == TEST_SKIPPED)
		return TEST_SKIPPED;
	if (c->tests && !has_matched) {
		fprintf(stderr, "%s has no test '%s'\n", c->file->name, filter);
		return 2;
	}
	return result != 0;
}

/* In a separate process: neither what a file changes nor a crash reaches the others. */
static int run_apart(const struct choice *c)
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		exit(run(c));
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror(c->file->name);
		return 1;
	}
	int result = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	if (WIFSIGNALED(status))
		printf("%s: signal %d\n", c->file->name, WTERMSIG(status));
	printf("%-7s %s\n", result == 0 ? "ok" : result == TEST_SKIPPED ? "skipped" : "FAILED", c->file->name);
	return result;
}

static int run_all(const struct choice *chosen, size_t nr)
{
	size_t nr_failed = 0, nr_skipped = 0;
	for (size_t i = 0; i < nr; i++) {
		int result = run_apart(&chosen[i]);
		nr_skipped += result == TEST_SKIPPED;
		nr_failed += result != 0 && result != TEST_SKIPPED;
	}
	return nr_failed > 0 ? 1 : nr_skipped == nr ? TEST_SKIPPED : 0;
}

int main(int argc, char **argv)
{
	struct choice chosen[NR_FILES];
	size_t nr = 0;
	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < NR_FILES; i++)
			puts(files[i].name);
		return 0;
	}
	for (int i = 1; i < argc; i++)
		if (nr == NR_FILES || !find(argv[i], &chosen[nr++])) {
			fprintf(stderr, "no test file '%s' here; `%s --list` lists them\n", argv[i], argv[0]);
			return 2;
		}
	for (size_t i = 0; argc == 1 && i < NR_FILES; i++)
		chosen[nr++] = (struct choice){.file = &files[i]};
	return nr == 1 ? run(&chosen[0]) : run_all(chosen, nr);
}
