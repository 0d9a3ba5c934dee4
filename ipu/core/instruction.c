/* Words taken apart. */

#include "ipu/core/instruction.h"

/* Conditions under which a row's pattern is another instruction, or reserved. */
enum unless {
	UNLESS_NEVER,
	UNLESS_RD_IS_0,
	UNLESS_RS2_IS_0,
	UNLESS_IMM6_IS_0,
	UNLESS_IMM8_IS_0,
	UNLESS_RD_IS_2_OR_IMM6_IS_0,
	UNLESS_IMM12_IS_0,
};

/* The same fields of compressed instructions, as masks. */
#define FIELD_RD 0x0f80u
#define FIELD_RS2 0x007cu
#define FIELD_IMM6 0x107cu
#define FIELD_IMM8 0x1fe0u

/* The immediate of I formats. */
#define FIELD_IMM12 0xfff00000u

const struct instruction_row instruction_rows[NR_INSTRUCTIONS] = {
#define INSTRUCTION(symbol, text, match, mask, format, unless, operation)                                              \
	[INSTRUCTION_##symbol] = {text, match, mask, FORMAT_##format, UNLESS_##unless, OPERATION_##operation},
#include "ipu/core/instruction_list.h"
#undef INSTRUCTION
};

const uint8_t operation_properties[NR_OPERATIONS] = {
#define OPERATION(name, sizes, properties) [OPERATION_##name] = properties,
#include "ipu/core/operation_list.h"
#undef OPERATION
};

static bool is_excluded(enum unless unless, uint32_t word)
{
	switch (unless) {
	case UNLESS_NEVER:
		return false;
	case UNLESS_RD_IS_0:
		return (word & FIELD_RD) == 0;
	case UNLESS_RS2_IS_0:
		return (word & FIELD_RS2) == 0;
	case UNLESS_IMM6_IS_0:
		return (word & FIELD_IMM6) == 0;
	case UNLESS_IMM8_IS_0:
		return (word & FIELD_IMM8) == 0;
	case UNLESS_RD_IS_2_OR_IMM6_IS_0:
		return (word & FIELD_RD) == 2u << 7 || (word & FIELD_IMM6) == 0;
	case UNLESS_IMM12_IS_0:
		return (word & FIELD_IMM12) == 0;
	}
	return true;
}

bool instruction_matches(const struct instruction_row *row, uint32_t word)
{
	return (word & row->mask) == row->match && !is_excluded((enum unless)row->unless, word);
}

/* `nr` bits of `word` from bit `at` on. */
static uint32_t bits(uint32_t word, unsigned at, unsigned nr)
{
	return word >> at & ((1u << nr) - 1);
}

/* The number in the lowest `nr` bits of `value`, sign-extended. */
static int32_t extend(uint32_t value, unsigned nr)
{
	uint32_t sign = 1u << (nr - 1);
	return (int32_t)((value ^ sign) - sign);
}

/* The immediate of CI: bit 12 and bits 6 to 2. */
static uint32_t ci_immediate(uint32_t w)
{
	return bits(w, 12, 1) << 5 | bits(w, 2, 5);
}

/* The target of C.J and C.JAL. */
static int32_t cj_offset(uint32_t w)
{
	return extend(bits(w, 12, 1) << 11 | bits(w, 11, 1) << 4 | bits(w, 9, 2) << 8 | bits(w, 8, 1) << 10 |
			      bits(w, 7, 1) << 6 | bits(w, 6, 1) << 7 | bits(w, 3, 3) << 1 | bits(w, 2, 1) << 5,
		      12);
}

static void take_wide_apart(enum instruction_format format, uint32_t w, struct instruction *out)
{
	uint8_t rd = (uint8_t)bits(w, 7, 5), rs1 = (uint8_t)bits(w, 15, 5), rs2 = (uint8_t)bits(w, 20, 5);
	switch (format) {
	case FORMAT_R:
		out->rd = rd, out->rs1 = rs1, out->rs2 = rs2;
		break;
	case FORMAT_I:
	case FORMAT_LOAD:
	case FORMAT_JALR:
		out->rd = rd, out->rs1 = rs1;
		out->imm = extend(w >> 20, 12);
		break;
	case FORMAT_SHIFT:
		out->rd = rd, out->rs1 = rs1;
		out->imm = rs2;
		break;
	case FORMAT_STORE:
		out->rs1 = rs1, out->rs2 = rs2;
		out->imm = extend(bits(w, 25, 7) << 5 | bits(w, 7, 5), 12);
		break;
	case FORMAT_B:
		out->rs1 = rs1, out->rs2 = rs2;
		out->imm = extend(bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1,
				  13);
		break;
	case FORMAT_U:
		out->rd = rd;
		out->imm = (int32_t)(w & 0xfffff000u);
		break;
	case FORMAT_J:
		out->rd = rd;
		out->imm = extend(
			bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 | bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1, 21);
		break;
	case FORMAT_FENCE:
		/* Its registers are reserved and to be ignored; which accesses are ordered stands in the immediate. */
		out->imm = (int32_t)(w >> 20);
		break;
	case FORMAT_CSR:
	case FORMAT_CSRI:
		out->rd = rd, out->rs1 = rs1;
		out->imm = (int32_t)(w >> 20);
		break;
	case FORMAT_HIST:
		out->rs1 = rs1, out->rs2 = rs2;
		break;
	case FORMAT_HISTIN:
	case FORMAT_LOOP:
		out->rs1 = rs1;
		out->imm = (int32_t)(w >> 20);
		break;
	default:
		break;
	}
}

static void take_compressed_apart(enum instruction_format format, uint32_t w, struct instruction *out)
{
	uint8_t rd = (uint8_t)bits(w, 7, 5), rs2 = (uint8_t)bits(w, 2, 5);
	uint8_t short_rd = (uint8_t)(8 + bits(w, 7, 3)), short_rs2 = (uint8_t)(8 + bits(w, 2, 3));
	switch (format) {
	case FORMAT_CIW:
		out->rd = short_rs2, out->rs1 = 2;
		out->imm =
			(int32_t)(bits(w, 11, 2) << 4 | bits(w, 7, 4) << 6 | bits(w, 6, 1) << 2 | bits(w, 5, 1) << 3);
		break;
	case FORMAT_CL:
	case FORMAT_CS:
		out->rs1 = short_rd;
		*(format == FORMAT_CL ? &out->rd : &out->rs2) = short_rs2;
		out->imm = (int32_t)(bits(w, 10, 3) << 3 | bits(w, 6, 1) << 2 | bits(w, 5, 1) << 6);
		break;
	case FORMAT_C_NOP:
	case FORMAT_CI:
		out->rd = out->rs1 = rd;
		out->imm = extend(ci_immediate(w), 6);
		break;
	case FORMAT_CI_SHIFT:
		out->rd = out->rs1 = rd;
		out->imm = rs2;
		break;
	case FORMAT_C_LI:
		out->rd = rd;
		out->imm = extend(ci_immediate(w), 6);
		break;
	case FORMAT_C_ADDI16SP:
		out->rd = out->rs1 = 2;
		out->imm = extend(bits(w, 12, 1) << 9 | bits(w, 6, 1) << 4 | bits(w, 5, 1) << 6 | bits(w, 3, 2) << 7 |
					  bits(w, 2, 1) << 5,
				  10);
		break;
	case FORMAT_C_LUI:
		out->rd = rd;
		out->imm = extend(ci_immediate(w) << 12, 18);
		break;
	case FORMAT_CB_SHIFT:
		out->rd = out->rs1 = short_rd;
		out->imm = rs2;
		break;
	case FORMAT_CB_IMM:
		out->rd = out->rs1 = short_rd;
		out->imm = extend(ci_immediate(w), 6);
		break;
	case FORMAT_CA:
		out->rd = out->rs1 = short_rd;
		out->rs2 = short_rs2;
		break;
	case FORMAT_CJ:
	case FORMAT_CJAL:
		out->rd = format == FORMAT_CJAL;
		out->imm = cj_offset(w);
		break;
	case FORMAT_CB:
		out->rs1 = short_rd;
		out->imm = extend(bits(w, 12, 1) << 8 | bits(w, 10, 2) << 3 | bits(w, 5, 2) << 6 | bits(w, 3, 2) << 1 |
					  bits(w, 2, 1) << 5,
				  9);
		break;
	case FORMAT_C_LWSP:
		out->rd = rd, out->rs1 = 2;
		out->imm = (int32_t)(bits(w, 12, 1) << 5 | bits(w, 4, 3) << 2 | bits(w, 2, 2) << 6);
		break;
	case FORMAT_C_SWSP:
		out->rs1 = 2, out->rs2 = rs2;
		out->imm = (int32_t)(bits(w, 9, 4) << 2 | bits(w, 7, 2) << 6);
		break;
	case FORMAT_C_JR:
	case FORMAT_C_JALR:
		out->rd = format == FORMAT_C_JALR;
		out->rs1 = rd;
		break;
	case FORMAT_C_MV:
		out->rd = rd, out->rs2 = rs2;
		break;
	case FORMAT_C_ADD:
		out->rd = out->rs1 = rd;
		out->rs2 = rs2;
		break;
	default:
		break;
	}
}

void instruction_decode(uint32_t word, struct instruction *out)
{
	bool wide = instruction_is_wide(word);
	/* The compressed ones stand at the end of the list. */
	unsigned first = wide ? 0 : INSTRUCTION_C_ADDI4SPN, end = wide ? INSTRUCTION_C_ADDI4SPN : NR_INSTRUCTIONS;
	*out = (struct instruction){.word = wide ? word : word & 0xffff, .id = INSTRUCTION_ILLEGAL};
	out->nr_bytes = wide ? 4 : 2;
	for (unsigned id = first; id < end; id++) {
		const struct instruction_row *row = &instruction_rows[id];
		if (!instruction_matches(row, out->word))
			continue;
		out->id = (uint8_t)id;
		(wide ? take_wide_apart : take_compressed_apart)((enum instruction_format)row->format, out->word, out);
		return;
	}
}
