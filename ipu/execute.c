/* The interpreter: threaded code over predecoded slots.
 *
 * Each executor does what its slot says and jumps to the executor of the next slot. What it must not cost an
 * instruction is counted by blocks: on entry to a block all of its instructions are taken off `left`. At any slot, the
 * instructions that may still run are therefore left + nr_left. When the budget ends within a block, `left` goes below
 * 0 and the rest is stepped: `labels` is then a table that leads back to one place after every instruction. The same
 * trick ends a block that has no control transfer at its end. Straight-line executors need to know of neither.
 *
 * A load or store that the fast path does not let through, whatever the reason, is done over again by slow_access()
 * from its slot, and the run continues behind it or stops.
 */
#include <string.h>

#include "ipu/code_internal.h"
#include "ipu/hart.h"

#if defined(__GNUC__) && !defined(__clang__)
/* One place that all executors jump through, or that several end in, would be one place to predict them all from. */
#pragma GCC optimize("no-gcse", "no-crossjumping", "no-schedule-insns2")
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint32_t swap_on_big_endian(uint32_t value, unsigned nr_bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return nr_bytes == 4 ? __builtin_bswap32(value) : nr_bytes == 2 ? __builtin_bswap16((uint16_t)value) : value;
#else
	(void)nr_bytes;
	return value;
#endif
}

ALWAYS_INLINE uint32_t peek(const void *at, unsigned nr_bytes)
{
	uint16_t half;
	uint32_t word;
	if (nr_bytes == 1)
		return *(const uint8_t *)at;
	if (nr_bytes == 2) {
		memcpy(&half, at, sizeof(half));
		return swap_on_big_endian(half, 2);
	}
	memcpy(&word, at, sizeof(word));
	return swap_on_big_endian(word, 4);
}

ALWAYS_INLINE void poke(void *at, unsigned nr_bytes, uint32_t value)
{
	uint16_t half = (uint16_t)swap_on_big_endian(value & 0xffff, 2);
	uint32_t word = swap_on_big_endian(value, 4);
	if (nr_bytes == 1)
		*(uint8_t *)at = (uint8_t)value;
	else if (nr_bytes == 2)
		memcpy(at, &half, sizeof(half));
	else
		memcpy(at, &word, sizeof(word));
}

ALWAYS_INLINE uint32_t rotate_right(uint32_t value, unsigned nr)
{
	return nr ? value >> nr | value << (32 - nr) : value;
}

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

ALWAYS_INLINE uint32_t remainder_signed(uint32_t a, uint32_t b)
{
	if (b == 0)
		return a;
	return b == UINT32_MAX ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}

/* What an access is: bytes as a power of 2, sign, direction. */
static const struct access {
	uint8_t log_bytes;
	bool is_access, is_store, is_signed;
} accesses[NR_OPERATIONS] = {
	[OPERATION_lb] = {0, true, false, true},  [OPERATION_lbu] = {0, true, false, false},
	[OPERATION_lh] = {1, true, false, true},  [OPERATION_lhu] = {1, true, false, false},
	[OPERATION_lw] = {2, true, false, false}, [OPERATION_sb] = {0, true, true, false},
	[OPERATION_sh] = {1, true, true, false},  [OPERATION_sw] = {2, true, true, false},
};

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

/* What the hart needs to know of where the loop is before anyone else may look at it. */
ALWAYS_INLINE void bring_up_to_date(struct hart *h, const struct slot *at, uint64_t nr_retired)
{
	h->pc = h->code->base + 2 * (uint32_t)(at - h->code->slots);
	h->nr_retired = nr_retired;
}

ALWAYS_INLINE enum hart_cause stop(struct hart *h, enum hart_cause cause)
{
	h->cause = (uint8_t)cause;
	return cause;
}

/* The access of slot `s` for which the fast path found no way; the hart is up to date. True: done. */
static __attribute__((noinline)) bool slow_access(struct hart *h, const struct slot *s)
{
	const struct access *a = &accesses[executor_rows[s->executor % CHAINED].operation];
	unsigned nr_bytes = 1u << a->log_bytes;
	uint32_t address = h->x[slot_rs1(s)] + immediate(s);
	uint32_t mask = nr_bytes == 4 ? UINT32_MAX : (1u << 8 * nr_bytes) - 1, sign = mask ^ mask >> 1;
	uint32_t value = a->is_store ? h->x[slot_rd(s)] & mask : 0;
	uint8_t *bytes = hart_bytes(h, address, nr_bytes);
	if (h->traps_misaligned && address % nr_bytes != 0) {
		h->address = address;
		h->cause = bytes ? (a->is_store ? HART_STORE_MISALIGNED : HART_LOAD_MISALIGNED)
				 : (a->is_store ? HART_STORE_OUTSIDE : HART_LOAD_OUTSIDE);
		return false;
	}
	if (a->is_store) {
		if (h->host && h->host->store && h->host->store(h, address, nr_bytes, value))
			return true;
		if (bytes) {
			poke(bytes, nr_bytes, value);
			return true;
		}
		h->address = address;
		h->cause = HART_STORE_OUTSIDE;
		return false;
	}
	if (bytes) {
		value = peek(bytes, nr_bytes);
	} else if (!h->host || !h->host->load || !h->host->load(h, address, nr_bytes, &value)) {
		h->address = address;
		h->cause = HART_LOAD_OUTSIDE;
		return false;
	}
	value &= mask;
	h->x[slot_rd(s)] = a->is_signed ? (value ^ sign) - sign : value;
	return true;
}

/* CSRs. */
enum { CSR_CYCLE = 0xc00, CSR_TIME = 0xc01, CSR_INSTRET = 0xc02, CSR_HIGH = 0x80 };
enum { CSR_WRITE = 1, CSR_SET = 2, CSR_CLEAR = 3, CSR_IMMEDIATE = 4 };

static bool csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	uint32_t counter = csr & ~(uint32_t)CSR_HIGH;
	if (counter == CSR_CYCLE || counter == CSR_TIME || counter == CSR_INSTRET) {
		*value = (uint32_t)(csr & CSR_HIGH ? h->nr_retired >> 32 : h->nr_retired);
		return true;
	}
	return h->host && h->host->csr_read && h->host->csr_read(h, csr, value);
}

/* The CSR instruction of slot `s`; the hart is up to date. False: it is illegal. */
static __attribute__((noinline)) bool access_csr(struct hart *h, const struct slot *s)
{
	uint32_t csr = immediate(s) & 0xfff, how = immediate(s) >> 12 & 7;
	uint32_t source = how & CSR_IMMEDIATE ? slot_rs1(s) : h->x[slot_rs1(s)], value = 0;
	bool is_exchange = (how & 3) == CSR_WRITE;
	/* An exchange into x0 does not read, setting or clearing by x0 or 0 does not write. */
	bool reads = !is_exchange || slot_rd(s) != NOWHERE, writes = is_exchange || slot_rs1(s) != 0;
	bool is_read_only = csr >> 10 == 3;
	if ((writes && is_read_only) || (reads && !csr_read(h, csr, &value)))
		return false;
	if (writes) {
		uint32_t written = is_exchange ? source : (how & 3) == CSR_SET ? value | source : value & ~source;
		if (!h->host || !h->host->csr_write || !h->host->csr_write(h, csr, written))
			return false;
	}
	h->x[slot_rd(s)] = value;
	return true;
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
#define RESULT_addi RESULT_add
#define RESULT_slti RESULT_slt
#define RESULT_sltiu RESULT_sltu
#define RESULT_xori RESULT_xor
#define RESULT_ori RESULT_or
#define RESULT_andi RESULT_and
#define RESULT_slli RESULT_sll
#define RESULT_srli RESULT_srl
#define RESULT_srai RESULT_sra

/* Operations as statements: DO_<name>(at, a) for the slot `at`, whose rs1 holds `a`; those with a result leave it in
 * `v` too. */
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
	goto fault
#define DO_ecall(at, a, nr_slots)                                                                                      \
	ip = (at);                                                                                                     \
	goto environment_call
#define DO_csr(at, a, nr_slots)                                                                                        \
	ip = (at);                                                                                                     \
	bring_up_to_date(h, ip, NR_RETIRED());                                                                         \
	if (!access_csr(h, ip))                                                                                        \
	goto illegal

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

#ifdef __clang__
/* It would take minutes to instrument this; gcc does it in seconds. */
__attribute__((no_sanitize("undefined")))
#endif
enum hart_cause
hart_run(struct hart *h, uint64_t budget)
{
	static const void *const normal_labels[2 * NR_EXECUTORS] = {
		[CHAINED... 2 * NR_EXECUTORS - 1] = &&chained,
		[EXECUTOR_undecoded] = &&undecoded,
		[EXECUTOR_illegal] = &&illegal,
		[EXECUTOR_end] = &&end,
#define WIDE(name) [EXECUTOR_##name##_4] = &&do_##name##_4,
#define BOTH(name) WIDE(name)[EXECUTOR_##name##_2] = &&do_##name##_2,
#define OPERATION(name, sizes, properties) sizes(name)
#include "ipu/operation_list.h"
#undef OPERATION
#define OUTWARD(name, sizes) sizes(name##_out)
#include "ipu/outward_list.h"
#undef OUTWARD
#undef WIDE
#undef BOTH
#define STORE_PAIR(first, second) [EXECUTOR_##first##_##second] = &&do_##first##_##second,
#define PAIR(first, second) STORE_PAIR(first, second)[EXECUTOR_##first##_to_##second] = &&do_##first##_to_##second,
#include "ipu/fusion_list.h"
#undef STORE_PAIR
#undef PAIR
	};
	static const void *const step_labels[2 * NR_EXECUTORS] = {[0 ... 2 * NR_EXECUTORS - 1] = &&stepped};
	static const void *const chain_labels[2 * NR_EXECUTORS] = {[0 ... 2 * NR_EXECUTORS - 1] = &&chain_done};

	struct code *code = h->code;
	const struct slot *slots = code->slots, *ip;
	const void *const *labels = normal_labels;
	uint32_t *x = h->x;
	uintptr_t memory = (uintptr_t)h->data - h->data_base;
	uint32_t v, target = h->pc;
	int64_t left = budget > INT64_MAX ? INT64_MAX : (int64_t)budget;
	uint64_t nr_at_end = h->nr_retired + (uint64_t)left;
	enum hart_cause cause = (enum hart_cause)h->cause;

	if (cause > HART_BUDGET)
		return cause;
	if (left == 0)
		return stop(h, HART_BUDGET);
	/* A run may have ended just behind the last instruction: there is a slot for that. */
	if (target - code->base > code->nr_bytes) {
		h->address = target;
		return stop(h, HART_JUMP_OUTSIDE);
	}
	h->cause = HART_NONE;
	ip = slots + (target - code->base) / 2;
	ENTER_BLOCK();

#define WIDE(name)                                                                                                     \
	do_##name##_4 : DO_##name(ip, x[slot_rs1(ip)], 2);                                                             \
	ip += 2;                                                                                                       \
	DISPATCH();
#define BOTH(name)                                                                                                     \
	WIDE(name)                                                                                                     \
	do_##name##_2 : DO_##name(ip, x[slot_rs1(ip)], 1);                                                             \
	ip += 1;                                                                                                       \
	DISPATCH();
#define OPERATION(name, sizes, properties) sizes(name)
#include "ipu/operation_list.h"
#undef OPERATION
#define OUTWARD(name, sizes) sizes(name##_out)
#include "ipu/outward_list.h"
#undef OUTWARD
#undef WIDE
#undef BOTH
#define STORE_PAIR(first, second)                                                                                      \
	do_##first##_##second : DO_##first(ip, x[slot_rs1(ip)], 2);                                                    \
	DO_##second((ip + 2), x[slot_rs1(ip + 2)], 2);                                                                 \
	ip += 4;                                                                                                       \
	DISPATCH();
#define PAIR(first, second)                                                                                            \
	STORE_PAIR(first, second)                                                                                      \
	do_##first##_to_##second : DO_##first(ip, x[slot_rs1(ip)], 2);                                                 \
	DO_##second((ip + 2), v, 2);                                                                                   \
	ip += 4;                                                                                                       \
	DISPATCH();
#include "ipu/fusion_list.h"
#undef STORE_PAIR
#undef PAIR

undecoded:
	/* Nothing was taken off `left` for a slot that did not know its block yet. */
	code_decode_block(code, (uint32_t)(ip - slots));
	ENTER_BLOCK();

chained:
	labels = chain_labels;
	goto *normal_labels[ip->executor - CHAINED];
chain_done:
	labels = normal_labels;
	ENTER_BLOCK();

short_of_budget:
	labels = step_labels;
stepped:
	if (left + ip->nr_left == 0) {
		cause = HART_BUDGET;
		goto fault;
	}
	goto *normal_labels[executor_rows[ip->executor].alone];

slow:
	bring_up_to_date(h, ip, NR_RETIRED());
	if (!slow_access(h, ip))
		return (enum hart_cause)h->cause;
	if (h->cause != HART_NONE) {
		h->nr_retired++;
		h->pc += 2 * executor_rows[ip->executor % CHAINED].nr_slots;
		return (enum hart_cause)h->cause;
	}
	ip += executor_rows[ip->executor % CHAINED].nr_slots;
	DISPATCH();

environment_call:
	bring_up_to_date(h, ip, NR_RETIRED());
	if (!h->host || !h->host->environment_call || !h->host->environment_call(h)) {
		cause = HART_ENVIRONMENT_CALL;
		goto fault;
	}
	ip += 2;
	if (h->cause != HART_NONE) {
		h->nr_retired++;
		h->pc += 4;
		return (enum hart_cause)h->cause;
	}
	ENTER_BLOCK();

indirect_jump_outside:
	if (target == HART_RETURN_STUB) {
		x[slot_rd(ip)] = v;
		h->pc = target;
		h->nr_retired = nr_at_end - (uint64_t)left;
		return stop(h, HART_RETURNED);
	}
jump_outside:
	bring_up_to_date(h, ip, NR_RETIRED());
	h->address = target;
	return stop(h, HART_JUMP_OUTSIDE);

illegal:
	cause = HART_ILLEGAL_INSTRUCTION;
	goto fault;
end:
	cause = HART_FETCH_OUTSIDE;
fault:
	bring_up_to_date(h, ip, NR_RETIRED());
	h->address = h->pc;
	return stop(h, cause);
}
