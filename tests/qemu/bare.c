/* A program for comparisons of counts: without library or start-up code, at fixed addresses, and it computes the same
 * whatever runs it. It goes over memory in order, by a stride, at random and along a cycle of pointers, runs code that
 * does not fit into a first cache, and calls itself. -DREP: it also copies with rep movsb, and adds to memory. */
#include <stdint.h>

#define BYTES (4u << 20)
#define NODES (1u << 14) /* of 64 bytes: 1 MiB */

static uint64_t data[BYTES / 8];

static struct node {
	struct node *next;
	uint64_t value[7];
} nodes[NODES];

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* 16,000 instructions of 4 bytes in a row: 62.5 KiB. */
static void long_code(void)
{
	__asm__ volatile(".rept 16000\n\tlea 4(%%rax), %%rax\n\t.endr" ::: "rax");
}

static uint64_t deep(uint64_t n)
{
	/* Code after the call keeps it from becoming a jump. */
	return n == 0 ? 1 : deep(n - 1) * 3 + n;
}

static uint64_t memory(void)
{
	uint64_t sum = 0, state = 88172645463325252u;
	for (int round = 0; round < 3; round++)
		for (uint32_t i = 0; i < BYTES / 8; i++)
			data[i] = i + sum;
	for (int round = 0; round < 20; round++)
		for (uint32_t i = 0; i < BYTES / 8; i += 512)
			sum += data[i];
	for (uint32_t i = 0; i < 1000000; i++)
		sum += data[draw(&state) % (BYTES / 8)];
	return sum;
}

/* One cycle through all nodes, in a seeded order, and around it. */
static uint64_t chase(void)
{
	uint64_t state = 2463534242u, sum = 0;
	for (uint32_t i = 0; i < NODES; i++)
		nodes[i].value[0] = i;
	for (uint32_t i = NODES - 1; i > 0; i--) {
		uint64_t j = draw(&state) % i, swapped = nodes[i].value[0];
		nodes[i].value[0] = nodes[j].value[0];
		nodes[j].value[0] = swapped;
	}
	for (uint32_t i = 0; i < NODES; i++)
		nodes[i].next = &nodes[nodes[i].value[0]];
	const struct node *at = nodes;
	for (uint32_t i = 0; i < 20 * NODES; i++) {
		sum += at->value[3];
		at = at->next;
	}
	return sum;
}

#ifdef REP
/* 1,000 copies of 1,000 bytes, and 1,000,000 additions to memory. */
static void repeat(void)
{
	for (int i = 0; i < 1000; i++) {
		void *to = &data[8192], *from = data;
		uint64_t nr = 1000;
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(nr)::"memory");
	}
	for (int i = 0; i < 1000000; i++)
		__asm__ volatile("addq $1, %0" : "+m"(data[0]));
}
#endif

/* The stack is as the system leaves it: what is called finds it as any function does. */
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %rsp\n\tcall bare\n\tud2");

void bare(void);

__attribute__((noreturn)) void bare(void)
{
	uint64_t sum = memory() + chase();
	for (int i = 0; i < 50; i++)
		long_code();
	for (uint64_t i = 0; i < 1000; i++)
		sum += deep(100 + i % 7);
#ifdef REP
	repeat();
#endif
	/* exit_group(0); computed values go along, so that it is. */
	for (;;)
		__asm__ volatile("syscall" ::"a"(231), "D"(0), "S"(sum) : "rcx", "r11", "memory");
}
