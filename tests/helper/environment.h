/* Numbers from the environment that set the amount of work of tests. */
#ifndef SAHM_TESTS_HELPER_ENVIRONMENT_H
#define SAHM_TESTS_HELPER_ENVIRONMENT_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t environment_number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

#endif
