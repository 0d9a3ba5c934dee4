/* Files that a fuzzed configuration must not reach: other folders, standard input. */
#ifndef SAHM_TESTS_FUZZ_REACH_H
#define SAHM_TESTS_FUZZ_REACH_H

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

/* Whether the text could include a file from another folder: it may not, or an input could wait for a terminal or read
 * without end from a device. What can be included has no '/' in its name. */
static inline bool reaches_out(const char *text, size_t len)
{
	static const char word[] = "@include";
	const char *end = text + len;
	for (const char *p = text; (p = memmem(p, (size_t)(end - p), word, sizeof(word) - 1)); p++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		if (memchr(p, '/', (size_t)((eol ? eol : end) - p)))
			return true;
	}
	return false;
}

/* Standard input is empty: "-" names it. */
static inline void close_stdin(void)
{
	static bool done;
	int fd = done ? -1 : open("/dev/null", O_RDONLY);
	if (fd > 0) {
		MUST(dup2(fd, 0) == 0);
		close(fd);
	}
	done = true;
}

#endif
