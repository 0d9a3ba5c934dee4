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

#endif
