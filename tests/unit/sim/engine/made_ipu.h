/* Small programs for IPUs, instruction by instruction, and simulations with them: input register 0 has what the test
 * says for each epoch, register 1 the thread. */
#ifndef SAHM_TESTS_UNIT_SIM_ENGINE_MADE_IPU_H
#define SAHM_TESTS_UNIT_SIM_ENGINE_MADE_IPU_H

#include <stdlib.h>
#include <string.h>

#include "ipu/unit/load.h"
#include "sim/engine/probe.h"
#include "tests/helper/encode.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/test.h"

enum { X0 = 0, RA = 1, A0 = 10, A1, A2, A3 };
enum { CSR_VALUE = 0xcc0, CSR_THREAD = 0xcc1, CSR_VALID = 0x800, CSR_PERIOD = 0x802, CSR_HANDLER = 0x803 };

/* `init` at 0, up to 64 instructions; _main after it */
#define MADE_MAIN 0x100u
#define MADE_HANDLER 0x200u

static inline uint32_t csrr(uint32_t rd, uint32_t csr)
{
	return encode_i(OP_SYSTEM, 2, rd, X0, csr);
}

static inline uint32_t csrw(uint32_t csr, uint32_t rs)
{
	return encode_i(OP_SYSTEM, 1, X0, rs, csr);
}

static inline uint32_t li(uint32_t rd, uint32_t imm)
{
	return encode_i(OP_IMM, 0, rd, X0, imm);
}

static inline uint32_t shift_left(uint32_t rd, uint32_t rs, uint32_t nr)
{
	return encode_i(OP_IMM, 1, rd, rs, nr);
}

static inline uint32_t either(uint32_t rd, uint32_t a, uint32_t b)
{
	return encode_r(OP_REG, 6, 0, rd, a, b);
}

/* Appends a word to the packet; sends it. */
#define PUT(rs) encode_u(OP_LUI, A3, 0x80000000u), encode_s(OP_STORE, 2, A3, rs, 0)
#define SEND encode_u(OP_LUI, A3, 0x80010000u), encode_s(OP_STORE, 2, A3, X0, (uint32_t)-4)
#define RET encode_i(OP_JALR, 0, X0, RA, 0)
#define EBREAK UINT32_C(0x00100073)

/* The state in the first register, for the thread in the second: 9 instructions. */
#define TELL                                                                                                           \
	csrr(A0, CSR_VALUE), csrr(A1, CSR_THREAD), shift_left(A1, A1, STATE_WORD_THREAD_BIT), either(A0, A0, A1),      \
		PUT(A0), SEND, RET
/* The first register as it is. */
#define TELL_RAW csrr(A0, CSR_VALUE), PUT(A0), SEND, RET

/* What stands where; NULL: no such routine. */
struct made_routines {
	const uint32_t *init, *main, *handler;
	size_t nr_init, nr_main, nr_handler;
};

static inline void put_words(uint8_t *at, const uint32_t *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		made_put(at + 4 * i, 4, words[i]);
}

static inline struct ipu_program *made_program(const struct made_routines *r)
{
	static uint8_t code[0x300];
	struct made_symbol symbols[] = {{.name = "_main", .address = MADE_MAIN, .nr_bytes = 4, .type = 2},
					{.name = "init", .address = 0, .nr_bytes = 4, .type = 2}};
	const struct made_segment segment = {.bytes = code, .nr_bytes = sizeof(code)};
	struct ipu_program *program;
	struct made_elf elf;
	struct sahm_err err;

	memset(code, 0, sizeof(code));
	assert_true(r->nr_init <= MADE_MAIN / 4 && r->nr_main <= 0x40 && r->nr_handler <= 0x40);
	put_words(code, r->init, r->nr_init);
	put_words(code + MADE_MAIN, r->main, r->nr_main);
	put_words(code + MADE_HANDLER, r->handler, r->nr_handler);
	made_elf(&elf, MADE_MAIN, &segment, 1, symbols, r->nr_init ? 2 : 1);
	if (ipu_load(&program, "made.elf", elf.bytes, elf.nr_bytes, NULL, NULL, 0, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	made_elf_free(&elf);
	return program;
}

#define MADE_PROGRAM(words) made_program(&(struct made_routines){.main = (words), .nr_main = sizeof(words) / 4})

/* Registers 0 and 1, clocks so fast that a short routine takes less than a ns. */
static inline struct probe_config made_probe(const struct ipu_program *program)
{
	return (struct probe_config){
		.program = program,
		.wiring = {.valid = 3, .nr_values = 2, .thread = 1, .max = {UINT64_MAX, UINT32_MAX}},
		.hit_mhz = IPU_MAX_MHZ,
		.ipu_mhz = IPU_MAX_MHZ,
		.sampling = 1,
		.max_cycles = 100000,
	};
}

#endif
