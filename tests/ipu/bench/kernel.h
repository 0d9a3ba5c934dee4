/* A benchmark kernel: a freestanding RV32IM program that any RISC-V Linux, and whatever serves its calls write and
 * exit, can run. start.S and runtime.c are the same for all; a kernel is the file with kernel_run().
 *
 *	kernel.elf [ITERATIONS]
 *
 * writes its checksum as eight hexadecimal digits and exits with 0, or with 1 when the kernel finds its results wrong.
 */
#ifndef SAHM_TESTS_IPU_BENCH_KERNEL_H
#define SAHM_TESTS_IPU_BENCH_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Default number of runs: some tenths of a second under qemu-riscv32. */
extern const uint32_t kernel_iterations;

/* Does the work `nr_iterations` times; *checksum depends on all of it. False: a result that is known is not met. */
bool kernel_run(uint32_t nr_iterations, uint32_t *checksum);

/* The next of a sequence of numbers (xorshift; Marsaglia, Journal of Statistical Software 8(14), 2003); `state` is not
 * 0. */
static inline uint32_t kernel_random(uint32_t *state)
{
	uint32_t x = *state;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}

/* Puts `value` into a checksum. */
static inline uint32_t kernel_mix(uint32_t checksum, uint32_t value)
{
	return (checksum << 5 | checksum >> 27) + value;
}

/* For compilers, which may call them, and for kernels. */
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int byte, size_t n);

#endif
