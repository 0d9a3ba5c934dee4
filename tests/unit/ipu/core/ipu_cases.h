/* A hart with separate code and data, for tests that execute a few instructions. */
#ifndef SAHM_TESTS_UNIT_IPU_CORE_IPU_CASES_H
#define SAHM_TESTS_UNIT_IPU_CORE_IPU_CASES_H

#include <string.h>

#include "ipu/core/hart.h"
#include "tests/helper/encode.h"
#include "tests/unit/engine.h"

#define MADE_CODE_BASE 0x1000u
#define MADE_CODE_BYTES 64u
#define MADE_DATA_BASE 0x20000u
#define MADE_DATA_BYTES 32u

struct made_hart {
	struct hart h;
	struct code *code;
	uint8_t code_bytes[MADE_CODE_BYTES];
	uint8_t data[MADE_DATA_BYTES];
	uint32_t at; /* how much code there is */
};

/* All of the code is 0, which is no instruction; data byte i is 0x80 + i. */
static inline void made_hart_init(struct made_hart *m)
{
	memset(m, 0, sizeof(*m));
	for (unsigned i = 0; i < MADE_DATA_BYTES; i++)
		m->data[i] = (uint8_t)(0x80 + i);
}

/* Appends an instruction. */
static inline void made_hart_add(struct made_hart *m, uint32_t word)
{
	for (unsigned i = 0; i < ((word & 3) == 3 ? 4 : 2); i++) {
		assert_true(m->at < MADE_CODE_BYTES);
		m->code_bytes[m->at++] = (uint8_t)(word >> 8 * i);
	}
}

/* Makes the code, of `nr_bytes`, and puts the hart at its beginning. */
static inline void made_hart_begin_with(struct made_hart *m, uint32_t nr_bytes, unsigned flags)
{
	struct sahm_err err;

	assert_int_equal(code_new(&m->code, MADE_CODE_BASE, m->code_bytes, nr_bytes, flags, &err), SAHM_OK);
	hart_init(&m->h, m->code);
	hart_set_memory(&m->h, MADE_DATA_BASE, m->data, MADE_DATA_BYTES);
}

static inline void made_hart_begin(struct made_hart *m)
{
	made_hart_begin_with(m, MADE_CODE_BYTES, CODE_FIXED);
}

static inline void made_hart_end(struct made_hart *m)
{
	made_translation_free(&m->h);
	code_free(m->code);
}

/* The state after a fault: where, of what address, how many instructions before. */
static inline void assert_fault(const struct hart *h, enum hart_cause cause, uint32_t pc, uint32_t address,
				uint64_t nr_retired)
{
	assert_string_equal(hart_cause_text((enum hart_cause)h->cause), hart_cause_text(cause));
	assert_int_equal(h->pc, pc);
	assert_int_equal(h->address, address);
	assert_int_equal(h->nr_retired, nr_retired);
}

#endif
