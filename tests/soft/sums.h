/* A soft-logic module for tests, which adds up its inputs. Modules that break a rule are this one with another function
 * or another description. */
#ifndef SAHM_TESTS_SOFT_SUMS_H
#define SAHM_TESTS_SOFT_SUMS_H

#include <stdlib.h>

#include "ipu/soft/module.h"

/* Offsets of registers. */
enum { SUMS_LOW = 0x0, SUMS_HIGH = 0x4, SUMS_PERIOD = 0x8, SUMS_SETS = 0x10, SUMS_START = 0xffc };

struct sums {
	const struct soft_outside *outside;
	uint64_t sum, nr_sets, next_cycle;
	uint32_t period; /* cycles from packet to packet; 0: there are none */
};

static void sums_reset(void *m)
{
	struct sums *s = m;
	s->sum = s->nr_sets = s->period = 0;
}

static void *sums_make(const struct soft_outside *outside)
{
	struct sums *s = calloc(1, sizeof(*s));
	if (s)
		s->outside = outside;
	return s;
}

static void sums_release(void *m)
{
	free(m);
}

/* Sends the packets of the cycles from the next one to `cycle`: the sum, at the end of each cycle that `period`
 * divides.
 */
static void sums_send(struct sums *s, uint64_t cycle)
{
	uint64_t first = s->period ? (s->next_cycle + s->period - 1) / s->period * s->period : UINT64_MAX;
	for (uint64_t c = first; c <= cycle; c += s->period)
		s->outside->emit(s->outside->ctx, c, &s->sum, 1 + (uint32_t)(c % sizeof(s->sum)));
	s->next_cycle = cycle + 1;
}

static void sums_step(void *m, uint64_t cycle, uint32_t valid, const uint64_t *values)
{
	struct sums *s = m;
	if (cycle > s->next_cycle)
		sums_send(s, cycle - 1);
	s->nr_sets += valid != 0;
	if (valid & 1)
		s->sum += values[0];
	if (valid & 2)
		s->sum += 3 * values[1];
	sums_send(s, cycle);
}

static uint32_t sums_read(void *m, uint32_t offset)
{
	const struct sums *s = m;
	switch (offset) {
	case SUMS_LOW:
		return (uint32_t)s->sum;
	case SUMS_HIGH:
		return (uint32_t)(s->sum >> 32);
	case SUMS_PERIOD:
		return s->period;
	default:
		return (uint32_t)s->nr_sets;
	}
}

static void sums_write(void *m, uint32_t offset, uint32_t value)
{
	struct sums *s = m;
	if (offset == SUMS_PERIOD)
		s->period = value;
	else
		s->sum = value;
}

static const struct soft_input sums_inputs[] = {{"a", 8}, {"b_2", 64}};

static const struct soft_register sums_registers[] = {{"sum_low", SUMS_LOW, SOFT_READ},
						      {"sum_high", SUMS_HIGH, SOFT_READ},
						      {"period", SUMS_PERIOD, SOFT_READ | SOFT_WRITE},
						      {"sets", SUMS_SETS, SOFT_READ},
						      {"start", SUMS_START, SOFT_WRITE}};

/* Its description; `...` are members that differ. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define SUMS_MODULE(...)                                                                                               \
	{                                                                                                              \
		.abi = SOFT_ABI, .bytes = sizeof(struct soft_module), .name = "sums", .version = "1.0",                \
		.nr_inputs = 2, .nr_registers = 5, .inputs = sums_inputs, .registers = sums_registers,                 \
		.packet_bytes = SOFT_MAX_PACKET_BYTES, .make = sums_make, .release = sums_release,                     \
		.reset = sums_reset, .step = sums_step, .read = sums_read, .write = sums_write, __VA_ARGS__            \
	}

/* What the shared object of such a module defines. */
#define SUMS_OBJECT(...)                                                                                               \
	__attribute__((visibility("default"))) const struct soft_module *sahm_soft_module(void)                        \
	{                                                                                                              \
		static const struct soft_module m = SUMS_MODULE(__VA_ARGS__);                                          \
		return &m;                                                                                             \
	}

#endif
