/* Instructions of x86-64, put together: as many as the translator needs. Source: Intel 64 and IA-32 Architectures
 * Software Developer's Manual, volume 2, chapter 2 (formats) and 3 to 5 (opcodes).
 *
 * The emitter has made sure that there is room. */
#ifndef SAHM_IPU_JIT_X86_INTERNAL_H
#define SAHM_IPU_JIT_X86_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum x86_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, NR_X86_REGISTERS };

/* Conditions, as instructions encode them. */
enum x86_condition {
	X86_BELOW = 2,
	X86_NOT_BELOW = 3,
	X86_EQUAL = 4,
	X86_NOT_EQUAL = 5,
	X86_NOT_ABOVE = 6,
	X86_ABOVE = 7,
	X86_LESS = 12,
	X86_NOT_LESS = 13,
	X86_NOT_GREATER = 14,
	X86_GREATER = 15
};

/* Opcodes of the form that computes `reg = reg op place`; those above 0xff begin with 0x0f. */
enum x86_opcode {
	X86_ADD = 0x03,
	X86_OR = 0x0b,
	X86_AND = 0x23,
	X86_SUB = 0x2b,
	X86_XOR = 0x33,
	X86_CMP = 0x3b,
	X86_MOV = 0x8b,
	X86_LEA = 0x8d,
	X86_TEST = 0x85,
	X86_MOVSXD = 0x63,
	X86_IMUL = 0x1af,
	X86_MOVZX_BYTE = 0x1b6,
	X86_MOVZX_WORD = 0x1b7,
	X86_MOVSX_BYTE = 0x1be,
	X86_MOVSX_WORD = 0x1bf,
	X86_CMOVZ = 0x144,
	/* Those that write to the place. */
	X86_STORE = 0x89,
	X86_STORE_BYTE = 0x88,
	X86_COMPARE_PLACE = 0x39
};

/* Operations on a place and an immediate, and shifts by one: the digit that stands for them. */
enum { X86_I_ADD = 0, X86_I_OR = 1, X86_I_AND = 4, X86_I_SUB = 5, X86_I_XOR = 6, X86_I_CMP = 7 };
enum { X86_S_ROL = 0, X86_S_ROR = 1, X86_S_SHL = 4, X86_S_SHR = 5, X86_S_SAR = 7 };

/* How wide; BYTE_REGISTER: `reg` or the place is one of the lower halves of RSP to RDI, which takes a prefix. */
enum { X86_64_BITS = 1, X86_16_BITS = 2, X86_BYTE_REGISTER = 4 };

struct x86_emitter {
	uint8_t *base;
	uint32_t at, size;
};

/* A register, or memory at base + (index << log_scale) + displacement. */
struct x86_place {
	bool is_memory;
	uint8_t base, index; /* RSP as index: none */
	uint8_t log_scale;
	int32_t displacement;
};

static inline struct x86_place x86_in(unsigned reg)
{
	return (struct x86_place){.base = (uint8_t)reg};
}

static inline struct x86_place x86_at(unsigned base, int32_t displacement)
{
	return (struct x86_place){true, (uint8_t)base, RSP, 0, displacement};
}

static inline struct x86_place x86_indexed(unsigned base, unsigned index, unsigned log_scale, int32_t displacement)
{
	return (struct x86_place){true, (uint8_t)base, (uint8_t)index, (uint8_t)log_scale, displacement};
}

static inline void x86_byte(struct x86_emitter *e, unsigned byte)
{
	e->base[e->at++] = (uint8_t)byte;
}

static inline void x86_bytes(struct x86_emitter *e, const void *bytes, uint32_t nr)
{
	memcpy(e->base + e->at, bytes, nr);
	e->at += nr;
}

static inline void x86_word(struct x86_emitter *e, uint32_t word)
{
	x86_bytes(e, &word, sizeof(word));
}

void x86_operate(struct x86_emitter *e, unsigned width, unsigned opcode, unsigned reg, struct x86_place place);

/* place op= imm; the shift or rotation of a register by `nr` bits. */
void x86_operate_imm(struct x86_emitter *e, unsigned width, unsigned digit, struct x86_place place, int32_t imm);
void x86_shift(struct x86_emitter *e, unsigned width, unsigned digit, unsigned reg, unsigned nr);

/* reg = imm, as short as that can be said. */
void x86_move_imm(struct x86_emitter *e, unsigned reg, uint32_t imm);
void x86_move_imm64(struct x86_emitter *e, unsigned reg, uint64_t imm);

/* reg = index << log_scale */
void x86_scale(struct x86_emitter *e, unsigned reg, unsigned index, unsigned log_scale);

/* Memory = imm, 1, 2 or 4 bytes. */
void x86_store_imm(struct x86_emitter *e, unsigned nr_bytes, struct x86_place place, uint32_t imm);

/* BMI2: reg = place rotated to the right by nr; reg = place shifted by the register `by`, `digit` as above. */
void x86_rotate_into(struct x86_emitter *e, unsigned reg, struct x86_place place, unsigned nr);
void x86_shift_into(struct x86_emitter *e, unsigned digit, unsigned reg, struct x86_place place, unsigned by);

/* Jumps to an offset that is not known yet: where it has to be written. */
uint32_t x86_jump(struct x86_emitter *e);
uint32_t x86_jump_if(struct x86_emitter *e, enum x86_condition condition);
void x86_patch(struct x86_emitter *e, uint32_t site, uint32_t target);
void x86_jump_to(struct x86_emitter *e, uint32_t target);

#endif
