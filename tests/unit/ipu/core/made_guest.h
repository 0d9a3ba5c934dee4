/* Small programs for the flat machine: words of code in one segment, and the machine that runs them. */
#ifndef SAHM_TESTS_UNIT_IPU_CORE_MADE_GUEST_H
#define SAHM_TESTS_UNIT_IPU_CORE_MADE_GUEST_H

#include <stdlib.h>
#include <string.h>

#include "ipu/core/flat.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/engine.h"

enum { X0 = 0, SP = 2, T0 = 5, T1 = 6, A0 = 10, A1 = 11, A2 = 12, A7 = 17 };

#define ECALL UINT32_C(0x73)
#define FENCE_I UINT32_C(0x100f)

static inline uint32_t addi(unsigned rd, unsigned rs1, int32_t imm)
{
	return (uint32_t)imm << 20 | rs1 << 15 | rd << 7 | 0x13;
}

/* Upper part of `value`, followed by an addi of its lower 12 bits. */
static inline uint32_t lui(unsigned rd, uint32_t value)
{
	return ((value + 0x800) & 0xfffff000) | rd << 7 | 0x37;
}

static inline int32_t low(uint32_t value)
{
	return (int32_t)(value & 0xfff) - (int32_t)((value & 0x800) << 1);
}

static inline uint32_t load_word(unsigned rd, unsigned rs1)
{
	return rs1 << 15 | 2u << 12 | rd << 7 | 0x03;
}

/* Stores rs2 at 0(rs1): 1, 2 or 4 bytes. */
static inline uint32_t store(unsigned nr_bytes, unsigned rs1, unsigned rs2)
{
	return rs2 << 20 | rs1 << 15 | (nr_bytes >> 1) << 12 | 0x23;
}

/* A program being written. */
struct guest {
	uint32_t address; /* of its segment and entry; 0: GUEST_ADDRESS */
	uint8_t code[512];
	uint32_t nr_bytes, nr_more; /* of code, and of memory after it */
	struct made_symbol symbols[4];
	size_t nr_symbols;
};
#define GUEST_ADDRESS UINT32_C(0x80000000)

static inline void guest_add(struct guest *g, uint32_t word)
{
	assert_true(g->nr_bytes + 4 <= sizeof(g->code));
	made_put(g->code + g->nr_bytes, 4, word);
	g->nr_bytes += 4;
}

static inline void guest_set(struct guest *g, unsigned rd, uint32_t value)
{
	guest_add(g, lui(rd, value));
	guest_add(g, addi(rd, rd, low(value)));
}

static inline void guest_exit(struct guest *g, uint32_t code)
{
	guest_set(g, A0, code);
	guest_add(g, addi(A7, X0, 93));
	guest_add(g, ECALL);
}

/* By the engine under test, whatever the options say. */
static inline enum sahm_status guest_load(const struct guest *g, const struct flat_options *options, struct flat **flat,
					  struct sahm_err *err)
{
	struct made_elf elf;
	struct elf_image *image;
	uint32_t address = g->address ? g->address : GUEST_ADDRESS;
	struct made_segment segment = {.address = address, .bytes = g->code, .nr_bytes = g->nr_bytes};
	segment.nr_more = g->nr_more;
	made_elf(&elf, address, &segment, 1, g->symbols, g->nr_symbols);
	assert_int_equal(elf_image_new(&image, "a.elf", elf.bytes, elf.nr_bytes, err), SAHM_OK);
	struct flat_options by_engine = *options;
	by_engine.translator = tested_engine == HART_JIT ? &host_translator : NULL;
	enum sahm_status status = flat_new(flat, image, &by_engine, err);
	elf_image_free(image);
	made_elf_free(&elf);
	if (status != SAHM_OK)
		return status;
	/* Code where calls return to is not translated. */
	const struct hart *h = flat_hart(*flat);
	bool holds_stub = HART_RETURN_STUB - h->data_base < h->data_bytes;
	assert_int_equal(h->translation != NULL, tested_engine == HART_JIT && !holds_stub);
	return status;
}

/* The same, which has to go well. */
static inline struct flat *guest_machine(const struct guest *g, const struct flat_options *options)
{
	struct flat *flat;
	struct sahm_err err;
	if (guest_load(g, options, &flat, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return flat;
}

#endif
