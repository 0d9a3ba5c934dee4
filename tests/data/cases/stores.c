/* Stores of which each misses all caches: the store queue is full, and nothing else is in flight. They skip every
 * other line, which a next-line prefetcher would fetch. */
#include "freestanding.h"

#define PAIRS 32768u

struct pair_of_lines {
	uint64_t first;
	uint64_t unused[15];
};

struct pair_of_lines pairs[PAIRS];

int start(void)
{
	for (unsigned i = 0; i < PAIRS; i++)
		pairs[i].first = 1;
	return 0;
}
