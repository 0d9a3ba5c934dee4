/* Introspection programs on a bare processor: inputs set by hand, packets caught. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_INTROSPECTION_H
#define SAHM_TESTS_UNIT_INTROSPECTION_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/unit/load.h"
#include "tests/unit/engine.h"

#define MAX_CAUGHT 1024

struct introspection {
	struct ipu_program *program;
	struct ipu *ipu;
	uint64_t inputs[NR_IOREGS];
	uint8_t bytes[MAX_CAUGHT]; /* of the packet in the making, or of the last one that was sent */
	uint32_t nr_bytes;
	bool is_sent;
	unsigned nr_packets;
};

static bool catch_store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct introspection *t = h->context;
	if (address < IPU_WINDOW_BASE || address >= IPU_WINDOW_BASE + IPU_WINDOW_BYTES)
		return false;
	if (address >= IPU_WINDOW_SEND) {
		t->is_sent = true;
		t->nr_packets++;
		return true;
	}
	if (t->is_sent)
		t->nr_bytes = 0;
	t->is_sent = false;
	for (unsigned i = 0; i < nr_bytes; i++) {
		assert_true(t->nr_bytes < MAX_CAUGHT);
		t->bytes[t->nr_bytes++] = (uint8_t)(value >> 8 * i);
	}
	return true;
}

/* Where the processor has no input registers. */
static bool serve_inputs(struct hart *h, uint32_t csr, uint32_t *value)
{
	const struct introspection *t = h->context;
	if (csr - HART_INPUT_CSR < NR_IOREGS)
		*value = (uint32_t)t->inputs[csr - HART_INPUT_CSR];
	else if (csr - HART_INPUT_HIGH_CSR < NR_IOREGS)
		*value = (uint32_t)(t->inputs[csr - HART_INPUT_HIGH_CSR] >> 32);
	else
		return false;
	return true;
}

/* Calls the routine at `entry`. In hardware loops `next` makes the next set of inputs; false ends the call there. */
static inline void introspection_call(struct introspection *t, uint32_t entry,
				      bool (*next)(struct introspection *t, void *context), void *context)
{
	struct hart *h = &t->ipu->hart;
	hart_set_register(h, HART_SP, IPU_STACK_TOP);
	enum hart_cause cause = hart_call(h, entry, 1000000);
	while (cause == HART_INPUT && next && next(t, context))
		cause = hart_run(h, 1000000);
	if (cause != HART_RETURNED && !(cause == HART_INPUT && next))
		fail_msg("%s at pc 0x%08x, address 0x%08x", hart_cause_text(cause), (unsigned)h->pc,
			 (unsigned)h->address);
}

static inline void introspection_main(struct introspection *t)
{
	uint32_t entry;
	assert_true(ipu_program_main(t->program, &entry));
	introspection_call(t, entry, NULL, NULL);
}

/* Loads a shipped program with its ABI spec, and runs its init. */
static inline void introspection_new(struct introspection *t, const char *program, const char *spec,
				     const char *const *settings, size_t nr_settings)
{
	static const struct hart_host host = {.store = catch_store, .csr_read = serve_inputs};
	struct arena a = {0};
	struct abi abi;
	struct sahm_err err;
	char path[128];
	*t = (struct introspection){0};
	snprintf(path, sizeof(path), "ipu/abi/%s.cfg", spec);
	if (abi_read(&a, path, &abi, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	snprintf(path, sizeof(path), "ipu/programs/prebuilt/%s.elf", program);
	if (ipu_load_file(&t->program, path, &abi, settings, nr_settings, NULL, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	arena_release(&a);
	if (tested_engine == HART_INTERP)
		ipu_program_interpret(t->program);
	t->ipu = malloc(sizeof(*t->ipu));
	assert_non_null(t->ipu);
	ipu_init(t->ipu, t->program);
	t->ipu->hart.host = &host;
	t->ipu->hart.context = t;
	t->ipu->hart.inputs = t->inputs;
	if (ipu_program_has_init(t->program))
		introspection_call(t, IPU_INIT, NULL, NULL);
}

static inline void introspection_finish(struct introspection *t)
{
	assert_true(ipu_program_has_finish(t->program));
	introspection_call(t, IPU_FINISH, NULL, NULL);
}

static inline void introspection_free(struct introspection *t)
{
	ipu_program_free(t->program);
	free(t->ipu);
}

/* A little-endian number of the last packet. */
static inline uint32_t packet_number(const struct introspection *t, uint32_t at, unsigned nr_bytes)
{
	uint32_t value = 0;
	assert_true(t->is_sent && at + nr_bytes <= t->nr_bytes);
	for (unsigned i = 0; i < nr_bytes; i++)
		value |= (uint32_t)t->bytes[at + i] << 8 * i;
	return value;
}

#endif
