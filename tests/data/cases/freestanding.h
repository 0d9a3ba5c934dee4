/* A program without a C library: start() is its main function, and returns its exit code. Its stack is an array, so
 * that addresses do not depend on the environment. */
#ifndef SAHM_TESTS_DATA_CASES_FREESTANDING_H
#define SAHM_TESTS_DATA_CASES_FREESTANDING_H

#include <stdint.h>

int start(void);

__attribute__((aligned(64), used)) char stack[4096];
__asm__(".globl _start\n_start:\n\tla sp, stack + 4096\n\tcall start\n\tli a7, 93\n\tecall");

static inline uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

#endif
