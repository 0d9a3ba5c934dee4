/* The one header through which cmocka enters: it wants these four in front. */
#ifndef SAHM_TESTS_UNIT_TEST_H
#define SAHM_TESTS_UNIT_TEST_H

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "sim/base/array.h"

/* A file test_<module>.c ends with the function that runs its tests, TEST_FILE(test_<module>) { ... }. It returns the
 * number of tests that failed, or TEST_SKIPPED after a line on stdout that says why none can run. tests/unit/run_room.c
 * calls it. */
#define TEST_FILE(name)                                                                                                \
	int name##_file(void);                                                                                         \
	int name##_file(void)

#define TEST_SKIPPED 77

#endif
