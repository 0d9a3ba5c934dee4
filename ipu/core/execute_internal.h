/* The operations of instructions, only for execute.c: operations as statements, DO_<name>(at, a, nr_slots) for the slot
 * `at`, whose rs1 holds `a` and whose instruction is `nr_slots` long. They work on the variables of hart_interpret():
 * registers `x`, host address of guest address 0 `memory`, current slot `ip`, instructions left `left`; those with a
 * result leave it in `v`, too. A control transfer leaves by ENTER_BLOCK(), what goes wrong by a jump to one of
 * hart_interpret()'s labels.
 */
#ifndef SAHM_IPU_CORE_EXECUTE_INTERNAL_H
#define SAHM_IPU_CORE_EXECUTE_INTERNAL_H

#include "ipu/core/bytes_internal.h"
#include "ipu/core/code_internal.h"
#include "ipu/core/results_internal.h"

ALWAYS_INLINE uint32_t rotate_right(uint32_t value, unsigned nr)
{
	return nr ? value >> nr | value << (32 - nr) : value;
}

/* The immediate of a slot, as it is added. */
ALWAYS_INLINE uint32_t immediate(const struct slot *s)
{
	return (uint32_t)slot_immediate(s);
}

/* How far the jump of a slot leads, in slots. */
ALWAYS_INLINE int32_t distance(const struct slot *s)
{
	return (int32_t)s->operands >> 8;
}

/* The address of a slot, and what has retired when the instruction at `ip` has not. */
#define PC(at) (code->base + 2 * (uint32_t)((at)-slots))
#define NR_RETIRED() (nr_at_end - (uint64_t)(left + ip->nr_left))

#define DISPATCH() goto *labels[ip->executor]
#define ENTER_BLOCK()                                                                                                  \
	do {                                                                                                           \
		left -= ip->nr_left;                                                                                   \
		if (__builtin_expect(left < 0, 0))                                                                     \
			goto short_of_budget;                                                                          \
		DISPATCH();                                                                                            \
	} while (0)

#define DO_REGISTER(name, at, a) v = RESULT_##name(a, x[slot_rs2(at)]), x[slot_rd(at)] = v
#define DO_IMMEDIATE(name, at, a) v = RESULT_##name(a, immediate(at)), x[slot_rd(at)] = v

#define DO_LOAD(at, a, log_bytes, type)                                                                                \
	do {                                                                                                           \
		uint32_t address = (a) + immediate(at);                                                                \
		if (__builtin_expect(rotate_right(address - h->loads.base, log_bytes) >= h->loads.limit[log_bytes],    \
				     0)) {                                                                             \
			ip = (at);                                                                                     \
			goto slow;                                                                                     \
		}                                                                                                      \
		v = (uint32_t)(type)peek((const uint8_t *)(memory + address), 1u << (log_bytes));                      \
		x[slot_rd(at)] = v;                                                                                    \
	} while (0)
#define DO_STORE(at, a, log_bytes)                                                                                     \
	do {                                                                                                           \
		uint32_t address = (a) + immediate(at);                                                                \
		if (__builtin_expect(rotate_right(address - h->stores.base, log_bytes) >= h->stores.limit[log_bytes],  \
				     0)) {                                                                             \
			ip = (at);                                                                                     \
			goto slow;                                                                                     \
		}                                                                                                      \
		poke((uint8_t *)(memory + address), 1u << (log_bytes), x[slot_rd(at)]);                                \
	} while (0)
#define DO_BRANCH(at, condition, nr_slots)                                                                             \
	if (condition) {                                                                                               \
		ip = (at) + slot_immediate(at);                                                                        \
		ENTER_BLOCK();                                                                                         \
	}                                                                                                              \
	ip = (at) + (nr_slots);                                                                                        \
	ENTER_BLOCK()
#define DO_BRANCH_OUT(at, condition, nr_slots)                                                                         \
	if (condition) {                                                                                               \
		ip = (at);                                                                                             \
		target = PC(ip) + 2 * immediate(ip);                                                                   \
		goto jump_outside;                                                                                     \
	}                                                                                                              \
	ip = (at) + (nr_slots);                                                                                        \
	ENTER_BLOCK()

#define DO_add(at, a, nr_slots) DO_REGISTER(add, at, a)
#define DO_sub(at, a, nr_slots) DO_REGISTER(sub, at, a)
#define DO_sll(at, a, nr_slots) DO_REGISTER(sll, at, a)
#define DO_slt(at, a, nr_slots) DO_REGISTER(slt, at, a)
#define DO_sltu(at, a, nr_slots) DO_REGISTER(sltu, at, a)
#define DO_xor(at, a, nr_slots) DO_REGISTER(xor, at, a)
#define DO_srl(at, a, nr_slots) DO_REGISTER(srl, at, a)
#define DO_sra(at, a, nr_slots) DO_REGISTER(sra, at, a)
#define DO_or(at, a, nr_slots) DO_REGISTER(or, at, a)
#define DO_and(at, a, nr_slots) DO_REGISTER(and, at, a)
#define DO_mul(at, a, nr_slots) DO_REGISTER(mul, at, a)
#define DO_mulh(at, a, nr_slots) DO_REGISTER(mulh, at, a)
#define DO_mulhsu(at, a, nr_slots) DO_REGISTER(mulhsu, at, a)
#define DO_mulhu(at, a, nr_slots) DO_REGISTER(mulhu, at, a)
#define DO_div(at, a, nr_slots) DO_REGISTER(div, at, a)
#define DO_divu(at, a, nr_slots) DO_REGISTER(divu, at, a)
#define DO_rem(at, a, nr_slots) DO_REGISTER(rem, at, a)
#define DO_remu(at, a, nr_slots) DO_REGISTER(remu, at, a)
#define DO_hash(at, a, nr_slots) DO_REGISTER(hash, at, a)
#define DO_addi(at, a, nr_slots) DO_IMMEDIATE(addi, at, a)
#define DO_slti(at, a, nr_slots) DO_IMMEDIATE(slti, at, a)
#define DO_sltiu(at, a, nr_slots) DO_IMMEDIATE(sltiu, at, a)
#define DO_xori(at, a, nr_slots) DO_IMMEDIATE(xori, at, a)
#define DO_ori(at, a, nr_slots) DO_IMMEDIATE(ori, at, a)
#define DO_andi(at, a, nr_slots) DO_IMMEDIATE(andi, at, a)
#define DO_slli(at, a, nr_slots) DO_IMMEDIATE(slli, at, a)
#define DO_srli(at, a, nr_slots) DO_IMMEDIATE(srli, at, a)
#define DO_srai(at, a, nr_slots) DO_IMMEDIATE(srai, at, a)
#define DO_lb(at, a, nr_slots) DO_LOAD(at, a, 0, int8_t)
#define DO_lbu(at, a, nr_slots) DO_LOAD(at, a, 0, uint8_t)
#define DO_lh(at, a, nr_slots) DO_LOAD(at, a, 1, int16_t)
#define DO_lhu(at, a, nr_slots) DO_LOAD(at, a, 1, uint16_t)
#define DO_lw(at, a, nr_slots) DO_LOAD(at, a, 2, uint32_t)
#define DO_sb(at, a, nr_slots) DO_STORE(at, a, 0)
#define DO_sh(at, a, nr_slots) DO_STORE(at, a, 1)
#define DO_sw(at, a, nr_slots) DO_STORE(at, a, 2)
#define TAKEN_beq(at, a) ((a) == x[slot_rd(at)])
#define TAKEN_bne(at, a) ((a) != x[slot_rd(at)])
#define TAKEN_blt(at, a) ((int32_t)(a) < (int32_t)x[slot_rd(at)])
#define TAKEN_bge(at, a) ((int32_t)(a) >= (int32_t)x[slot_rd(at)])
#define TAKEN_bltu(at, a) ((a) < x[slot_rd(at)])
#define TAKEN_bgeu(at, a) ((a) >= x[slot_rd(at)])
#define DO_beq(at, a, nr_slots) DO_BRANCH(at, TAKEN_beq(at, a), nr_slots)
#define DO_bne(at, a, nr_slots) DO_BRANCH(at, TAKEN_bne(at, a), nr_slots)
#define DO_blt(at, a, nr_slots) DO_BRANCH(at, TAKEN_blt(at, a), nr_slots)
#define DO_bge(at, a, nr_slots) DO_BRANCH(at, TAKEN_bge(at, a), nr_slots)
#define DO_bltu(at, a, nr_slots) DO_BRANCH(at, TAKEN_bltu(at, a), nr_slots)
#define DO_bgeu(at, a, nr_slots) DO_BRANCH(at, TAKEN_bgeu(at, a), nr_slots)
#define DO_beq_out(at, a, nr_slots) DO_BRANCH_OUT(at, TAKEN_beq(at, a), nr_slots)
#define DO_bne_out(at, a, nr_slots) DO_BRANCH_OUT(at, TAKEN_bne(at, a), nr_slots)
#define DO_blt_out(at, a, nr_slots) DO_BRANCH_OUT(at, TAKEN_blt(at, a), nr_slots)
#define DO_bge_out(at, a, nr_slots) DO_BRANCH_OUT(at, TAKEN_bge(at, a), nr_slots)
#define DO_bltu_out(at, a, nr_slots) DO_BRANCH_OUT(at, TAKEN_bltu(at, a), nr_slots)
#define DO_bgeu_out(at, a, nr_slots) DO_BRANCH_OUT(at, TAKEN_bgeu(at, a), nr_slots)
#define DO_lui(at, a, nr_slots) v = ((at)->operands & 0xfffff000u), x[slot_rd(at)] = v
#define DO_auipc(at, a, nr_slots) v = PC(at) + ((at)->operands & 0xfffff000u), x[slot_rd(at)] = v
#define DO_jal(at, a, nr_slots)                                                                                        \
	x[slot_rd(at)] = PC(at) + 2 * (nr_slots);                                                                      \
	ip = (at) + distance(at);                                                                                      \
	ENTER_BLOCK()
#define DO_jal_out(at, a, nr_slots)                                                                                    \
	ip = (at);                                                                                                     \
	target = PC(ip) + 2 * (uint32_t)distance(ip);                                                                  \
	goto jump_outside
#define DO_jalr(at, a, nr_slots)                                                                                       \
	target = ((a) + immediate(at)) & ~UINT32_C(1);                                                                 \
	ip = (at);                                                                                                     \
	v = PC(ip) + 2 * (nr_slots);                                                                                   \
	if (__builtin_expect(target - code->base >= code->nr_bytes, 0))                                                \
		goto indirect_jump_outside;                                                                            \
	x[slot_rd(ip)] = v;                                                                                            \
	ip = slots + (target - code->base) / 2;                                                                        \
	ENTER_BLOCK()
#define DO_nop(at, a, nr_slots) (void)0
#define DO_fence_i(at, a, nr_slots)                                                                                    \
	code_discard(code);                                                                                            \
	ip = (at) + (nr_slots);                                                                                        \
	ENTER_BLOCK()
#define DO_ebreak(at, a, nr_slots)                                                                                     \
	ip = (at);                                                                                                     \
	cause = HART_BREAKPOINT;                                                                                       \
	goto stop_here
#define DO_ecall(at, a, nr_slots)                                                                                      \
	ip = (at);                                                                                                     \
	goto environment_call
#define DO_csr(at, a, nr_slots)                                                                                        \
	do {                                                                                                           \
		ip = (at);                                                                                             \
		bring_up_to_date(h, ip, NR_RETIRED());                                                                 \
		if (!access_csr(h, ip))                                                                                \
			goto illegal;                                                                                  \
		if (__builtin_expect(h->cause != HART_NONE, 0))                                                        \
			goto ended_by_host;                                                                            \
	} while (0)
/* The number of an input register is what its CSR's number has in its lowest bits. */
#define DO_INPUT(at, shift)                                                                                            \
	do {                                                                                                           \
		if (__builtin_expect(!h->inputs, 0)) {                                                                 \
			ip = (at);                                                                                     \
			goto input_of_host;                                                                            \
		}                                                                                                      \
		v = (uint32_t)(h->inputs[slot_rs2(at) & (NR_INPUTS - 1)] >> (shift));                                  \
		x[slot_rd(at)] = v;                                                                                    \
	} while (0)
#define DO_input_low(at, a, nr_slots) DO_INPUT(at, 0)
#define DO_input_high(at, a, nr_slots) DO_INPUT(at, 32)
#define DO_COUNT(at, a, value, nr_bits, input)                                                                         \
	do {                                                                                                           \
		ip = (at);                                                                                             \
		cause = lanes_count(h, a, value, nr_bits, input);                                                      \
		if (__builtin_expect(cause != HART_NONE, 0))                                                           \
			goto not_counted;                                                                              \
	} while (0)
#define DO_hist(at, a, nr_slots) DO_COUNT(at, a, x[slot_rs2(at)], 32, LANES_OF_VALUE)
#define DO_histin(at, a, nr_slots)                                                                                     \
	do {                                                                                                           \
		unsigned n = (unsigned)slot_immediate(at);                                                             \
		ip = (at);                                                                                             \
		if (!h->inputs)                                                                                        \
			goto illegal;                                                                                  \
		DO_COUNT(at, a, h->inputs[n], 64, n);                                                                  \
	} while (0)
#define DO_loop(at, a, nr_slots)                                                                                       \
	ip = (at);                                                                                                     \
	v = (a);                                                                                                       \
	goto loop

#endif
