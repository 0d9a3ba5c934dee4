/* Counts addresses in 256 counters, by a hash of their lines of 64 bytes, and finds the fullest one as it goes. An
 * introspection program that looks for hot data reads `hottest` and `hottest_count`.
 *
 * Input: address, of 64 bits. A counter stops at its highest value.
 * The register count is that of the counter in the register index.
 */
#include <stdlib.h>

#include "ipu/soft/module.h"

#define NR_COUNTERS 256u
#define LINE_SHIFT 6u

struct hash_counter {
	uint32_t counts[NR_COUNTERS];
	uint32_t index, hottest, addresses;
};

enum { ADDRESSES = 0x00, INDEX = 0x04, COUNT = 0x08, HOTTEST = 0x0c, HOTTEST_COUNT = 0x10 };

/* The upper byte of a product: Fibonacci hashing (D. Knuth, The Art of Computer Programming, volume 3, 6.4). */
static uint32_t hash(uint64_t line)
{
	return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

static void *make(const struct soft_outside *outside)
{
	(void)outside; /* it sends no packets */
	return calloc(1, sizeof(struct hash_counter));
}

static void reset(void *module)
{
	struct hash_counter *m = module;
	*m = (struct hash_counter){.index = 0};
}

static void step(void *module, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	struct hash_counter *m = module;
	(void)cycle;
	if (!(valid & 1))
		return;
	uint32_t h = hash(values[0] >> LINE_SHIFT);
	m->addresses++;
	m->counts[h] += m->counts[h] < UINT32_MAX;
	if (m->counts[h] > m->counts[m->hottest])
		m->hottest = h;
}

static uint32_t read_register(void *module, uint32_t offset)
{
	const struct hash_counter *m = module;
	switch (offset) {
	case ADDRESSES:
		return m->addresses;
	case INDEX:
		return m->index;
	case COUNT:
		return m->counts[m->index];
	case HOTTEST:
		return m->hottest;
	case HOTTEST_COUNT:
		return m->counts[m->hottest];
	default:
		return 0;
	}
}

static void write_register(void *module, uint32_t offset, uint32_t value)
{
	struct hash_counter *m = module;
	if (offset == INDEX)
		m->index = value % NR_COUNTERS;
}

static const struct soft_input inputs[] = {{"address", 64}};

static const struct soft_register registers[] = {
	{"addresses", ADDRESSES, SOFT_READ}, {"index", INDEX, SOFT_READ | SOFT_WRITE},	  {"count", COUNT, SOFT_READ},
	{"hottest", HOTTEST, SOFT_READ},     {"hottest_count", HOTTEST_COUNT, SOFT_READ},
};

static const struct soft_module hash_counter = {
	.abi = SOFT_ABI,
	.bytes = sizeof(struct soft_module),
	.name = "hash-counter",
	.version = "1.0.0",
	.nr_inputs = sizeof(inputs) / sizeof(inputs[0]),
	.nr_registers = sizeof(registers) / sizeof(registers[0]),
	.inputs = inputs,
	.registers = registers,
	.make = make,
	.release = free,
	.reset = reset,
	.step = step,
	.read = read_register,
	.write = write_register,
};

const struct soft_module *sahm_soft_module(void)
{
	return &hash_counter;
}
