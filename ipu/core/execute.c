/* The interpreter: threaded code over predecoded slots.
 *
 * Each executor does what its slot says and jumps to the executor of the next slot. Work that an instruction must not
 * pay for is counted by blocks: on entry to a block all of its instructions are taken off `left`. At any slot, the
 * instructions that may still run are therefore left + nr_left. When the budget ends within a block, `left` goes below
 * 0 and the rest is stepped: `labels` is then a table that leads back to one place after every instruction. The same
 * trick ends a block that has no control transfer at its end. Straight-line executors need to know of neither.
 *
 * A hardware loop uses the same trick: while one is under way, a table leads to `looped` before every instruction,
 * which is executed singly if it is in the body. So no other code asks whether there is a loop, and loops pay for it.
 *
 * A load or store that the fast path refuses, whatever the reason, is repeated by access_memory() from its slot, and
 * the run continues after it or stops.
 */
#include "ipu/core/access_internal.h"
#include "ipu/core/execute_internal.h"
#include "ipu/core/hart.h"
#include "ipu/core/lanes_internal.h"

#if defined(__GNUC__) && !defined(__clang__)
/* One place that all executors jump through, or that several end in, would be one place to predict them all from. */
#pragma GCC optimize("no-gcse", "no-crossjumping", "no-schedule-insns2")
#endif

/* Position of the loop, which the hart must know before others may look at it. */
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

/* CSRs. */
enum { CSR_CYCLE = 0xc00, CSR_TIME = 0xc01, CSR_INSTRET = 0xc02, CSR_HIGH = 0x80 };
enum { CSR_WRITE = 1, CSR_SET = 2, CSR_CLEAR = 3, CSR_IMMEDIATE = 4 };

static bool csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	uint32_t counter = csr & ~(uint32_t)CSR_HIGH;
	if (counter == CSR_CYCLE || counter == CSR_TIME || counter == CSR_INSTRET) {
		uint64_t nr = h->nr_retired + (counter == CSR_CYCLE ? h->nr_extra : 0);
		*value = (uint32_t)(csr & CSR_HIGH ? nr >> 32 : nr);
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
		h->written_csr = csr;
		h->written_value = written;
	}
	h->x[slot_rd(s)] = value;
	return true;
}

#ifdef __clang__
/* It would take minutes to instrument this; gcc does it in seconds. */
__attribute__((no_sanitize("undefined")))
#endif
enum hart_cause
hart_interpret(struct hart *h, uint64_t budget)
{
	static const void *const normal_labels[2 * NR_EXECUTORS] = {
		[CHAINED... 2 * NR_EXECUTORS - 1] = &&chained,
		[EXECUTOR_undecoded] = &&undecoded,
		[EXECUTOR_illegal] = &&illegal,
		[EXECUTOR_end] = &&end,
#define WIDE(name) [EXECUTOR_##name##_4] = &&do_##name##_4,
#define BOTH(name) WIDE(name)[EXECUTOR_##name##_2] = &&do_##name##_2,
#define OPERATION(name, sizes, properties) sizes(name)
#include "ipu/core/operation_list.h"
#undef OPERATION
#define OUTWARD(name, sizes) sizes(name##_out)
#include "ipu/core/outward_list.h"
#undef OUTWARD
#undef WIDE
#undef BOTH
#define STORE_PAIR(first, second) [EXECUTOR_##first##_##second] = &&do_##first##_##second,
#define PAIR(first, second) STORE_PAIR(first, second)[EXECUTOR_##first##_to_##second] = &&do_##first##_to_##second,
#include "ipu/core/fusion_list.h"
#undef STORE_PAIR
#undef PAIR
	};
	static const void *const step_labels[2 * NR_EXECUTORS] = {[0 ... 2 * NR_EXECUTORS - 1] = &&stepped};
	static const void *const chain_labels[2 * NR_EXECUTORS] = {[0 ... 2 * NR_EXECUTORS - 1] = &&chain_done};
	static const void *const loop_labels[2 * NR_EXECUTORS] = {[0 ... 2 * NR_EXECUTORS - 1] = &&looped};

	struct code *code = h->code;
	const struct slot *slots = code->slots, *ip;
	const void *const *labels = normal_labels;
	uint32_t *x = h->x;
	uintptr_t memory = (uintptr_t)h->data - h->data_base;
	uint32_t v, target = h->pc;
	int64_t left = budget > INT64_MAX ? INT64_MAX : (int64_t)budget;
	uint64_t nr_at_end = h->nr_retired + (uint64_t)left;
	enum hart_cause cause = (enum hart_cause)h->cause;

	if (cause > HART_INPUT)
		return cause;
	if (left == 0)
		return stop(h, HART_BUDGET);
	/* A run may have ended just after the last instruction: there is a slot for that. */
	if (target - code->base > code->nr_bytes) {
		h->address = target;
		return stop(h, HART_JUMP_OUTSIDE);
	}
	h->cause = HART_NONE;
	ip = slots + (target - code->base) / 2;
	if (h->loop_left > 0)
		labels = loop_labels;
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
#include "ipu/core/operation_list.h"
#undef OPERATION
#define OUTWARD(name, sizes) sizes(name##_out)
#include "ipu/core/outward_list.h"
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
#include "ipu/core/fusion_list.h"
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
	labels = h->loop_left > 0 ? loop_labels : normal_labels;
	ENTER_BLOCK();

short_of_budget:
	if (h->loop_left > 0)
		goto looped;
	labels = step_labels;
stepped:
	/* The last slot of the block, the only one that may be chained, is not reached. */
	if (left + ip->nr_left == 0) {
		cause = HART_BUDGET;
		goto stop_here;
	}
	goto *normal_labels[executor_rows[ip->executor].alone];

loop:
	if (h->loop_left > 0) {
		cause = HART_NESTED_LOOP;
		goto stop_here;
	}
	target = immediate(ip); /* the bytes of the body */
	ip += executor_rows[EXECUTOR_loop_4].nr_slots;
	if (v == 0) {
		ip += target / 2;
		ENTER_BLOCK();
	}
	h->loop_left = v;
	h->loop_start = h->pc = PC(ip);
	h->loop_end = h->loop_start + target;
	/* It was the last instruction of its block, so nothing was taken off `left` for what is next. */
	h->nr_retired = nr_at_end - (uint64_t)left;
	return stop(h, HART_INPUT);

looped:
	if (PC(ip) - h->loop_start >= h->loop_end - h->loop_start)
		goto behind_body;
	if (left + ip->nr_left == 0) {
		cause = HART_BUDGET;
		goto stop_here;
	}
	if (ip->executor >= CHAINED)
		goto chained;
	goto *normal_labels[executor_rows[ip->executor].alone];
behind_body:
	if (PC(ip) == h->loop_end && --h->loop_left > 0) {
		h->pc = h->loop_start;
		h->nr_retired = NR_RETIRED();
		return stop(h, HART_INPUT);
	}
	h->loop_left = 0;
	labels = left < 0 ? step_labels : normal_labels;
	DISPATCH();

slow:
	bring_up_to_date(h, ip, NR_RETIRED());
	if (!access_memory(h, ip))
		return (enum hart_cause)h->cause;
	if (h->cause != HART_NONE)
		goto ended_by_host;
	ip += executor_rows[ip->executor % CHAINED].nr_slots;
	DISPATCH();

input_of_host:
	bring_up_to_date(h, ip, NR_RETIRED());
	if (!access_csr(h, ip))
		goto illegal;
	if (h->cause != HART_NONE)
		goto ended_by_host;
	ip += executor_rows[ip->executor % CHAINED].nr_slots;
	DISPATCH();

not_counted:
	bring_up_to_date(h, ip, NR_RETIRED());
	return stop(h, cause);

environment_call:
	bring_up_to_date(h, ip, NR_RETIRED());
	if (!h->host || !h->host->environment_call || !h->host->environment_call(h)) {
		cause = HART_ENVIRONMENT_CALL;
		goto stop_here;
	}
	if (h->cause != HART_NONE)
		goto ended_by_host;
	ip += executor_rows[EXECUTOR_ecall_4].nr_slots;
	ENTER_BLOCK();

ended_by_host:
	h->nr_retired++;
	h->pc += 2 * executor_rows[ip->executor % CHAINED].nr_slots;
	return (enum hart_cause)h->cause;

indirect_jump_outside:
	if (target == HART_RETURN_STUB) {
		x[slot_rd(ip)] = v;
		h->loop_left = 0;
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
	goto stop_here;
end:
	cause = HART_FETCH_OUTSIDE;
stop_here:
	bring_up_to_date(h, ip, NR_RETIRED());
	h->address = h->pc;
	return stop(h, cause);
}
