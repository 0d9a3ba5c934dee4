/* Fuzz targets: one entry point per parser, run by libFuzzer (tests/tools/fuzz.sh) and, on the files of its corpus, by
 * replay.c. A target may refuse an input, but what it accepts must keep the promises of the headers: MUST().
 */
#ifndef SAHM_TESTS_FUZZ_FUZZ_H
#define SAHM_TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/err.h"

/* The entry point: runs the target on `size` bytes; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts when a promise is broken. */
#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition);                \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

/* A message as it should be: begins with `place`, followed by a message, without control characters. */
static inline void must_explain(const struct sahm_err *err, enum sahm_status status, const char *place)
{
	MUST(err->status == status);
	MUST(strlen(err->msg) < SAHM_ERR_BYTES);
	MUST(strncmp(err->msg, place, strlen(place)) == 0 || strlen(place) >= SAHM_ERR_BYTES - 1);
	MUST(strlen(err->msg) > strlen(place) || strlen(place) >= SAHM_ERR_BYTES - 1);
	for (const char *p = err->msg; *p; p++)
		MUST((unsigned char)*p >= 0x20 && *p != 0x7f);
}

#endif
