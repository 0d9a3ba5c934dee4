/* What instructions compute: RESULT_<operation>(a, b) of rs1 and of rs2 or the immediate. */
#ifndef SAHM_IPU_CORE_RESULTS_INTERNAL_H
#define SAHM_IPU_CORE_RESULTS_INTERNAL_H

#include <stdint.h>

#include "ipu/core/bytes_internal.h"

/* Arithmetic shift to the right, which C leaves to the compiler for negative numbers. */
ALWAYS_INLINE uint32_t shift_right_signed(uint32_t value, uint32_t nr)
{
	return (uint32_t)((int32_t)value >> (nr & 31));
}

/* Division as the specification wants it: by 0 gives all ones and the dividend, and the one overflow gives INT_MIN and
 * 0.
 */
ALWAYS_INLINE uint32_t divide_signed(uint32_t a, uint32_t b)
{
	if (b == 0)
		return UINT32_MAX;
	return b == UINT32_MAX ? 0 - a : (uint32_t)((int32_t)a / (int32_t)b);
}

/* MurmurHash3's 32-bit finaliser (public domain, Austin Appleby). */
ALWAYS_INLINE uint32_t finalise(uint32_t h)
{
	h ^= h >> 16;
	h *= UINT32_C(0x85ebca6b);
	h ^= h >> 13;
	h *= UINT32_C(0xc2b2ae35);
	return h ^ h >> 16;
}

ALWAYS_INLINE uint32_t remainder_signed(uint32_t a, uint32_t b)
{
	if (b == 0)
		return a;
	return b == UINT32_MAX ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}

/* Results of the operations that make one from rs1 (`a`) and rs2 or an immediate (`b`). */
#define RESULT_add(a, b) ((a) + (b))
#define RESULT_sub(a, b) ((a) - (b))
#define RESULT_sll(a, b) ((a) << ((b)&31))
#define RESULT_slt(a, b) ((int32_t)(a) < (int32_t)(b))
#define RESULT_sltu(a, b) ((a) < (b))
#define RESULT_xor(a, b) ((a) ^ (b))
#define RESULT_srl(a, b) ((a) >> ((b)&31))
#define RESULT_sra(a, b) shift_right_signed(a, b)
#define RESULT_or(a, b) ((a) | (b))
#define RESULT_and(a, b) ((a) & (b))
#define RESULT_mul(a, b) ((a) * (b))
#define RESULT_mulh(a, b) ((uint32_t)((uint64_t)((int64_t)(int32_t)(a) * (int32_t)(b)) >> 32))
#define RESULT_mulhsu(a, b) ((uint32_t)((uint64_t)((int64_t)(int32_t)(a) * (int64_t)(b)) >> 32))
#define RESULT_mulhu(a, b) ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define RESULT_div(a, b) divide_signed(a, b)
#define RESULT_divu(a, b) ((b) == 0 ? UINT32_MAX : (a) / (b))
#define RESULT_rem(a, b) remainder_signed(a, b)
#define RESULT_remu(a, b) ((b) == 0 ? (a) : (a) % (b))
#define RESULT_hash(a, b) finalise((a) ^ (b))
#define RESULT_addi RESULT_add
#define RESULT_slti RESULT_slt
#define RESULT_sltiu RESULT_sltu
#define RESULT_xori RESULT_xor
#define RESULT_ori RESULT_or
#define RESULT_andi RESULT_and
#define RESULT_slli RESULT_sll
#define RESULT_srli RESULT_srl
#define RESULT_srai RESULT_sra

#endif
