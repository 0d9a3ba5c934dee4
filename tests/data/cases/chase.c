/* A chase of loads of which each misses all caches, through 4 MiB. An element holds its distance from the next one,
 * less one, so that memory of zeros needs no preparation. Each begins two lines after the one before it: a next-line
 * prefetcher fetches the second. */
#include "freestanding.h"

#define ELEMENTS 32768u

struct element {
	uint64_t skip;
	uint64_t unused[15];
};

struct element elements[ELEMENTS];

int start(void)
{
	for (uint64_t i = 0; i < ELEMENTS;)
		i += 1 + elements[i].skip;
	return 0;
}
