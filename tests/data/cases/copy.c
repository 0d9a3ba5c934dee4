/* Copies 32 KiB by words, twice: the second time, the second-level cache has both places. */
#include "freestanding.h"

#define WORDS 4096u

uint64_t from[WORDS], to[WORDS];

int start(void)
{
	for (int round = 0; round < 2; round++)
		for (unsigned i = 0; i < WORDS; i += 4) {
			uint64_t a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];
			to[i] = a, to[i + 1] = b, to[i + 2] = c, to[i + 3] = d;
		}
	return 0;
}
