/* Parts of tests that are carried out in a separate process. */
#ifndef SAHM_TESTS_UNIT_RESULTS_STORE_MADE_CHILD_H
#define SAHM_TESTS_UNIT_RESULTS_STORE_MADE_CHILD_H

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/err.h"
#include "tests/unit/made_store.h"

/* In a child: its return value is its exit code. */
static inline int in_child(int (*what)(const struct made_folder *f), const struct made_folder *f)
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(what(f));
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Children tell what they found on standard error. */
#define CHILD_MUST(condition)                                                                                          \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, err.msg);                   \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

#endif
