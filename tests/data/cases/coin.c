/* A branch on random bits, which no predictor learns. Drawing a word costs little beside the 32 branches on it. */
#include "freestanding.h"

#define WORDS 1024u

int start(void)
{
	uint32_t state = 1;
	uint64_t heads = 0;
	for (unsigned i = 0; i < WORDS; i++)
		for (uint64_t bits = draw(&state) | 1ull << 32; bits != 1; bits >>= 1)
			if (bits & 1)
				__asm__ volatile("addi %0, %0, 1" : "+r"(heads));
	return heads == 0;
}
