/* The half of a benchmark kernel that all have in common: from the argument to the line that is written. */
#include "kernel.h"

#define STDOUT 1

void write_all(int fd, const void *bytes, size_t n);
int run(int argc, char *const *argv);

/* A loop that a compiler must not take for a call of the function that it is the body of. */
#define OWN_LOOP __attribute__((optimize("no-tree-loop-distribute-patterns")))

OWN_LOOP void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	char *t = to;
	const char *f = from;
	if (((uintptr_t)t | (uintptr_t)f) % sizeof(uint32_t) == 0)
		for (; n >= sizeof(uint32_t); n -= sizeof(uint32_t)) {
			*(uint32_t *)(void *)t = *(const uint32_t *)(const void *)f;
			t += sizeof(uint32_t);
			f += sizeof(uint32_t);
		}
	while (n--)
		*t++ = *f++;
	return to;
}

OWN_LOOP void *memset(void *to, int byte, size_t n)
{
	uint8_t *t = to;
	if ((uintptr_t)t % sizeof(uint32_t) == 0)
		for (; n >= sizeof(uint32_t); n -= sizeof(uint32_t)) {
			*(uint32_t *)(void *)t = (uint8_t)byte * 0x01010101u;
			t += sizeof(uint32_t);
		}
	while (n--)
		*t++ = (uint8_t)byte;
	return to;
}

static uint32_t number(const char *digits)
{
	uint32_t n = 0;
	while (*digits >= '0' && *digits <= '9')
		n = n * 10 + (uint32_t)(*digits++ - '0');
	return n;
}

/* Returns what the program exits with. */
int run(int argc, char *const *argv)
{
	char line[9];
	uint32_t checksum = 0;
	bool ok = kernel_run(argc > 1 ? number(argv[1]) : kernel_iterations, &checksum);
	for (int i = 0; i < 8; i++)
		line[i] = "0123456789abcdef"[checksum >> (28 - 4 * i) & 15];
	line[8] = '\n';
	write_all(STDOUT, line, sizeof(line));
	return !ok;
}
