#include "tests/helper/counting_module.h"

#include <stdlib.h>
#include <string.h>

#define MOST_IDLE 5000u

struct counting {
	const struct soft_outside *outside;
	uint64_t next; /* cycle */
	uint64_t values[3];
	uint32_t word, hash, nr_idle, nr_sets;
};

static const struct soft_input inputs[] = {{"a", 64}, {"b", 32}, {"c", 1}};
static const struct soft_register registers[] = {
	{"word", 0x0, SOFT_READ | SOFT_WRITE}, {"hash", 0x4, SOFT_READ}, {"idle", 0x8, SOFT_READ}};

static void reset(void *m)
{
	struct counting *c = m;
	*c = (struct counting){.outside = c->outside, .next = c->next};
}

static void *make(const struct soft_outside *outside)
{
	struct counting *c = calloc(1, sizeof(*c));
	if (c)
		c->outside = outside;
	return c;
}

static void release(void *m)
{
	free(m);
}

static void mix(struct counting *c, uint64_t value)
{
	c->hash = (c->hash ^ (uint32_t)value ^ (uint32_t)(value >> 32)) * 16777619u + c->word;
}

static void send(struct counting *c, uint64_t cycle)
{
	uint8_t bytes[12] = {0};
	memcpy(bytes, &c->hash, sizeof(c->hash));
	c->outside->emit(c->outside->ctx, cycle, bytes, 1 + c->hash % sizeof(bytes));
}

/* There can be millions of millions of them, so counting ends at some time. */
static void idle(struct counting *c, uint64_t end)
{
	while (c->next < end && c->nr_idle < MOST_IDLE) {
		c->next++;
		if (++c->nr_idle % 50 == 0)
			send(c, c->next - 1);
	}
	c->next = end > c->next ? end : c->next;
}

static void step(void *m, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	struct counting *c = m;
	idle(c, valid ? cycle : cycle + 1);
	if (!valid)
		return;
	for (unsigned i = 0; i < 3; i++) {
		if (valid >> i & 1)
			c->values[i] = values[i];
		mix(c, c->values[i]);
	}
	mix(c, cycle);
	c->next = cycle + 1;
	if (++c->nr_sets % 7 == 0)
		send(c, cycle);
}

static uint32_t read(void *m, uint32_t offset)
{
	const struct counting *c = m;
	return offset == 0 ? c->word : offset == 4 ? c->hash : c->nr_idle;
}

static void write(void *m, uint32_t offset, uint32_t value)
{
	struct counting *c = m;
	(void)offset;
	c->word = value;
}

const struct soft_module counting_module = {.abi = SOFT_ABI,
					    .bytes = sizeof(struct soft_module),
					    .name = "counting",
					    .version = "1",
					    .nr_inputs = 3,
					    .nr_registers = 3,
					    .inputs = inputs,
					    .registers = registers,
					    .packet_bytes = 12,
					    .make = make,
					    .release = release,
					    .reset = reset,
					    .step = step,
					    .read = read,
					    .write = write};
