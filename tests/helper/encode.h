/* RV32 instructions put together from their fields, as the formats of the RISC-V unprivileged specification (version
 * 20191213, sections 2.2, 2.3 and 16.2) draw them. Immediates are values, not fields: bits that a format cannot hold
 * are dropped. Registers are 0 to 31, those of three bits (named short_*) 8 to 15.
 */
#ifndef SAHM_TESTS_HELPER_ENCODE_H
#define SAHM_TESTS_HELPER_ENCODE_H

#include <stdint.h>

enum encode_opcode {
	OP_LOAD = 0x03,
	OP_CUSTOM_0 = 0x0b,
	OP_MISC_MEM = 0x0f,
	OP_IMM = 0x13,
	OP_AUIPC = 0x17,
	OP_STORE = 0x23,
	OP_REG = 0x33,
	OP_LUI = 0x37,
	OP_BRANCH = 0x63,
	OP_JALR = 0x67,
	OP_JAL = 0x6f,
	OP_SYSTEM = 0x73,
};

/* Bits `high` to `low` of `value`, moved to bit `at`. */
static inline uint32_t field(uint32_t value, unsigned high, unsigned low, unsigned at)
{
	return (value >> low & ((UINT32_C(2) << (high - low)) - 1)) << at;
}

static inline uint32_t encode_r(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1,
				uint32_t rs2)
{
	return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static inline uint32_t encode_i(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, uint32_t imm)
{
	return field(imm, 11, 0, 20) | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static inline uint32_t encode_s(uint32_t opcode, uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t imm)
{
	return field(imm, 11, 5, 25) | rs2 << 20 | rs1 << 15 | funct3 << 12 | field(imm, 4, 0, 7) | opcode;
}

static inline uint32_t encode_b(uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t offset)
{
	return field(offset, 12, 12, 31) | field(offset, 10, 5, 25) | rs2 << 20 | rs1 << 15 | funct3 << 12 |
	       field(offset, 4, 1, 8) | field(offset, 11, 11, 7) | OP_BRANCH;
}

/* `value`: loaded or added value, of which the lower 12 bits are dropped. */
static inline uint32_t encode_u(uint32_t opcode, uint32_t rd, uint32_t value)
{
	return (value & 0xfffff000u) | rd << 7 | opcode;
}

static inline uint32_t encode_jal(uint32_t rd, uint32_t offset)
{
	return field(offset, 20, 20, 31) | field(offset, 10, 1, 21) | field(offset, 11, 11, 20) |
	       field(offset, 19, 12, 12) | rd << 7 | OP_JAL;
}

static inline uint32_t encode_jalr(uint32_t rd, uint32_t rs1, uint32_t offset)
{
	return encode_i(OP_JALR, 0, rd, rs1, offset);
}

static inline uint32_t encode_addi(uint32_t rd, uint32_t rs1, uint32_t imm)
{
	return encode_i(OP_IMM, 0, rd, rs1, imm);
}

static inline uint32_t encode_lui(uint32_t rd, uint32_t value)
{
	return encode_u(OP_LUI, rd, value);
}

/* What has to be in the LUI in front of an ADDI, or the AUIPC in front of anything with a 12-bit offset, for the two
 * to make `value`. */
static inline uint32_t upper_part(uint32_t value)
{
	return (value + 0x800u) & 0xfffff000u;
}

/* The IPU's own */

static inline uint32_t encode_hash(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
	return encode_r(OP_CUSTOM_0, 0, 0, rd, rs1, rs2);
}

static inline uint32_t encode_hist(uint32_t rs1, uint32_t rs2)
{
	return encode_r(OP_CUSTOM_0, 1, 0, 0, rs1, rs2);
}

static inline uint32_t encode_histin(uint32_t rs1, uint32_t input)
{
	return encode_r(OP_CUSTOM_0, 2, 0, 0, rs1, input);
}

static inline uint32_t encode_loop(uint32_t rs1, uint32_t nr_bytes)
{
	return encode_i(OP_CUSTOM_0, 3, 0, rs1, nr_bytes);
}

#define ENCODED_ECALL 0x00000073u
#define ENCODED_EBREAK 0x00100073u
#define ENCODED_FENCE_I 0x0000100fu

/* Compressed */

#define ENCODED_C_NOP 0x0001u
#define ENCODED_C_EBREAK 0x9002u

static inline uint32_t encode_c_addi4spn(uint32_t short_rd, uint32_t imm)
{
	return field(imm, 5, 4, 11) | field(imm, 9, 6, 7) | field(imm, 2, 2, 6) | field(imm, 3, 3, 5) |
	       (short_rd - 8) << 2;
}

/* C.LW and C.SW: `funct3` 2 and 6. */
static inline uint32_t encode_c_access(uint32_t funct3, uint32_t short_data, uint32_t short_base, uint32_t imm)
{
	return funct3 << 13 | field(imm, 5, 3, 10) | (short_base - 8) << 7 | field(imm, 2, 2, 6) | field(imm, 6, 6, 5) |
	       (short_data - 8) << 2;
}

/* CI with a plain immediate of 6 bits: C.ADDI, C.LI, C.LUI (of quadrant 1; `imm` of C.LUI is in units of 4096), C.SLLI
 * (of quadrant 2). */
static inline uint32_t encode_c_i(uint32_t quadrant, uint32_t funct3, uint32_t rd, uint32_t imm)
{
	return funct3 << 13 | field(imm, 5, 5, 12) | rd << 7 | field(imm, 4, 0, 2) | quadrant;
}

static inline uint32_t encode_c_addi(uint32_t rd, uint32_t imm)
{
	return encode_c_i(1, 0, rd, imm);
}

static inline uint32_t encode_c_li(uint32_t rd, uint32_t imm)
{
	return encode_c_i(1, 2, rd, imm);
}

static inline uint32_t encode_c_lui(uint32_t rd, uint32_t value)
{
	return encode_c_i(1, 3, rd, value >> 12);
}

static inline uint32_t encode_c_slli(uint32_t rd, uint32_t shift)
{
	return encode_c_i(2, 0, rd, shift);
}

static inline uint32_t encode_c_addi16sp(uint32_t imm)
{
	return 3u << 13 | field(imm, 9, 9, 12) | 2u << 7 | field(imm, 4, 4, 6) | field(imm, 6, 6, 5) |
	       field(imm, 8, 7, 3) | field(imm, 5, 5, 2) | 1;
}

/* C.SRLI, C.SRAI and C.ANDI: `funct2` 0, 1 and 2. */
static inline uint32_t encode_c_short_imm(uint32_t funct2, uint32_t short_rd, uint32_t imm)
{
	return 4u << 13 | field(imm, 5, 5, 12) | funct2 << 10 | (short_rd - 8) << 7 | field(imm, 4, 0, 2) | 1;
}

/* C.SUB, C.XOR, C.OR and C.AND: `funct2` 0 to 3. */
static inline uint32_t encode_c_short_reg(uint32_t funct2, uint32_t short_rd, uint32_t short_rs2)
{
	return 4u << 13 | 3u << 10 | (short_rd - 8) << 7 | funct2 << 5 | (short_rs2 - 8) << 2 | 1;
}

/* C.JAL and C.J: `funct3` 1 and 5. */
static inline uint32_t encode_c_jump(uint32_t funct3, uint32_t offset)
{
	return funct3 << 13 | field(offset, 11, 11, 12) | field(offset, 4, 4, 11) | field(offset, 9, 8, 9) |
	       field(offset, 10, 10, 8) | field(offset, 6, 6, 7) | field(offset, 7, 7, 6) | field(offset, 3, 1, 3) |
	       field(offset, 5, 5, 2) | 1;
}

/* C.BEQZ and C.BNEZ: `funct3` 6 and 7. */
static inline uint32_t encode_c_branch(uint32_t funct3, uint32_t short_rs1, uint32_t offset)
{
	return funct3 << 13 | field(offset, 8, 8, 12) | field(offset, 4, 3, 10) | (short_rs1 - 8) << 7 |
	       field(offset, 7, 6, 5) | field(offset, 2, 1, 3) | field(offset, 5, 5, 2) | 1;
}

static inline uint32_t encode_c_lwsp(uint32_t rd, uint32_t imm)
{
	return 2u << 13 | field(imm, 5, 5, 12) | rd << 7 | field(imm, 4, 2, 4) | field(imm, 7, 6, 2) | 2;
}

static inline uint32_t encode_c_swsp(uint32_t rs2, uint32_t imm)
{
	return 6u << 13 | field(imm, 5, 2, 9) | field(imm, 7, 6, 7) | rs2 << 2 | 2;
}

/* C.JR and C.MV (`funct4` 8), C.JALR and C.ADD (9); the jumps have rs2 0. */
static inline uint32_t encode_c_reg(uint32_t funct4, uint32_t rd, uint32_t rs2)
{
	return funct4 << 12 | rd << 7 | rs2 << 2 | 2;
}

#endif
