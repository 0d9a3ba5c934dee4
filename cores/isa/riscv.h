/* Words of RISC-V taken apart, for all that execute or record it: how instructions are recognised (riscv_list.h), and
 * where their operands are (riscv_format_list.h). Source: RISC-V unprivileged specification, version 20191213. */
#ifndef SAHM_CORES_ISA_RISCV_H
#define SAHM_CORES_ISA_RISCV_H

#include <stdbool.h>
#include <stdint.h>

enum riscv_format {
#define RISCV_FORMAT(name, destination, first, second, third, immediate) FORMAT_##name,
#include "cores/isa/riscv_format_list.h"
#undef RISCV_FORMAT
	NR_FORMATS
};

/* Conditions under which a row's pattern is another instruction, or reserved. */
enum riscv_unless {
	UNLESS_NOTHING,
	UNLESS_RD_IS_0,
	UNLESS_RS2_IS_0,
	UNLESS_IMM6_IS_0,
	UNLESS_IMM8_IS_0,
	UNLESS_RD_IS_2_OR_IMM6_IS_0,
	UNLESS_IMM12_IS_0,
};

/* Whether the instruction that begins with the half-word `low` takes 4 bytes (else 2). */
static inline bool riscv_is_wide(uint32_t low)
{
	return (low & 3) == 3;
}

bool riscv_is_excluded(enum riscv_unless unless, uint32_t word);

/* Whether `word` is the instruction of a row. */
static inline bool riscv_matches(uint32_t match, uint32_t mask, enum riscv_unless unless, uint32_t word)
{
	return (word & mask) == match && !riscv_is_excluded(unless, word);
}

#define RISCV_SOURCES 3u

/* Registers are 0 to 31 of the integer file and 32 to 63 of the floating-point file; 0 where there is none, too. */
struct riscv_registers {
	uint8_t destination, source[RISCV_SOURCES];
};
struct riscv_registers riscv_registers(enum riscv_format format, uint32_t word);

/* The immediate, sign-extended if it has a sign; of U formats the value that is added or loaded; 0 where there is none.
 */
int32_t riscv_immediate(enum riscv_format format, uint32_t word);

/* `nr` bits of `word` from bit `at` on, at most 31. */
static inline uint32_t riscv_bits(uint32_t word, unsigned at, unsigned nr)
{
	return word >> at & ((UINT32_C(1) << nr) - 1);
}

#endif
