/* Predecoding. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/core/code_internal.h"
#include "ipu/core/hart.h"

#define NO_EXECUTOR 0

const struct executor_row executor_rows[NR_EXECUTORS] = {
	[EXECUTOR_undecoded] = {EXECUTOR_undecoded, 0, NR_OPERATIONS},
	[EXECUTOR_illegal] = {EXECUTOR_illegal, 1, NR_OPERATIONS},
	[EXECUTOR_end] = {EXECUTOR_end, 1, NR_OPERATIONS},
#define WIDE(name, of) [EXECUTOR_##name##_4] = {EXECUTOR_##name##_4, 2, OPERATION_##of},
#define BOTH(name, of) WIDE(name, of)[EXECUTOR_##name##_2] = {EXECUTOR_##name##_2, 1, OPERATION_##of},
#define OPERATION(name, sizes, properties) sizes(name, name)
#include "ipu/core/operation_list.h"
#undef OPERATION
#define OUTWARD(name, sizes) sizes(name##_out, name)
#include "ipu/core/outward_list.h"
#undef OUTWARD
#undef WIDE
#undef BOTH
#define STORE_PAIR(first, second) [EXECUTOR_##first##_##second] = {EXECUTOR_##first##_4, 2, OPERATION_##first},
#define PAIR(first, second)                                                                                            \
	STORE_PAIR(first, second)[EXECUTOR_##first##_to_##second] = {EXECUTOR_##first##_4, 2, OPERATION_##first},
#include "ipu/core/fusion_list.h"
#undef STORE_PAIR
#undef PAIR
};

/* Executors by operation and size, and those of jumps and branches that lead out of the code. */
static const struct executors {
	uint16_t wide, compressed, wide_outward, compressed_outward;
} executors[NR_OPERATIONS] = {
#define WIDE(name, of) [OPERATION_##of].wide = EXECUTOR_##name##_4,
#define BOTH(name, of) WIDE(name, of)[OPERATION_##of].compressed = EXECUTOR_##name##_2,
#define OPERATION(name, sizes, properties) sizes(name, name)
#include "ipu/core/operation_list.h"
#undef OPERATION
#undef WIDE
#undef BOTH
#define WIDE(name, of) [OPERATION_##of].wide_outward = EXECUTOR_##name##_4,
#define BOTH(name, of) WIDE(name, of)[OPERATION_##of].compressed_outward = EXECUTOR_##name##_2,
#define OUTWARD(name, sizes) sizes(name##_out, name)
#include "ipu/core/outward_list.h"
#undef OUTWARD
#undef WIDE
#undef BOTH
};

/* What two wide operations become together: apart, and when the value is handed on. */
static const struct fusion {
	uint16_t apart, handed_on;
} fusions[NR_OPERATIONS][NR_OPERATIONS] = {
#define STORE_PAIR(first, second) [OPERATION_##first][OPERATION_##second] = {.apart = EXECUTOR_##first##_##second},
#define PAIR(first, second)                                                                                            \
	[OPERATION_##first][OPERATION_##second] = {EXECUTOR_##first##_##second, EXECUTOR_##first##_to_##second},
#include "ipu/core/fusion_list.h"
#undef STORE_PAIR
#undef PAIR
};

static bool has_two_sources(enum riscv_format format)
{
	return format == FORMAT_R || format == FORMAT_HIST || format == FORMAT_CA || format == FORMAT_C_MV ||
	       format == FORMAT_C_ADD;
}

uint32_t code_word(const struct code *code, uint32_t address)
{
	uint32_t word = 0, at = address - code->base;
	for (uint32_t i = 0; i < 4; i++)
		if (at < code->nr_bytes && i < code->nr_bytes - at)
			word |= (uint32_t)code->bytes[at + i] << 8 * i;
	return word;
}

bool code_holds(const struct code *code, uint32_t address)
{
	return address % 2 == 0 && address - code->base < code->nr_bytes;
}

static uint32_t operands(uint32_t rd, uint32_t rs1, uint32_t upper)
{
	return rd | rs1 << 8 | upper << 16;
}

/* What the instruction at `pc` does, where the code and operands allow another operation than the row's. */
static enum operation choose_operation(const struct code *code, const struct instruction *in, uint32_t pc)
{
	enum operation operation = (enum operation)instruction_rows[in->id].operation;
	uint32_t csr = (uint32_t)in->imm;
	/* Of these, rs1 or the immediate in its place is what is set or cleared. */
	bool only_reads = in->id != INSTRUCTION_CSRRW && in->id != INSTRUCTION_CSRRWI && in->rs1 == 0;
	if (operation == OPERATION_csr && only_reads && csr - HART_INPUT_CSR < NR_INPUTS)
		return OPERATION_input_low;
	if (operation == OPERATION_csr && only_reads && csr - HART_INPUT_HIGH_CSR < NR_INPUTS)
		return OPERATION_input_high;
	if (operation == OPERATION_loop && code->nr_bytes - (pc - code->base) - 4 < (uint32_t)in->imm)
		return NR_OPERATIONS;
	return operation;
}

/* Writes the slot of the instruction at `index`, without what depends on its neighbours. Returns whether a block ends
 * there. */
static bool decode_slot(struct code *code, uint32_t index)
{
	struct slot *s = &code->slots[index];
	struct instruction in;
	uint32_t pc = code->base + 2 * index;
	*s = (struct slot){.executor = EXECUTOR_illegal};
	instruction_decode(code_word(code, pc), &in);
	if (in.nr_bytes > code->nr_bytes - 2 * index) {
		s->executor = EXECUTOR_end;
		return true;
	}
	if (in.id == INSTRUCTION_ILLEGAL)
		return true;
	const struct instruction_row *row = &instruction_rows[in.id];
	enum operation operation = choose_operation(code, &in, pc);
	if (operation == NR_OPERATIONS)
		return true;
	bool wide = in.nr_bytes == 4;
	unsigned properties = operation_properties[operation];
	bool is_branch = properties & OP_ENDS_BLOCK && properties & OP_RS2_FOR_RD;
	uint8_t rd = in.rd ? in.rd : NOWHERE;
	const struct executors *e = &executors[operation];
	uint16_t executor = wide ? e->wide : e->compressed;
	if ((is_branch || operation == OPERATION_jal) && !code_holds(code, pc + (uint32_t)in.imm))
		executor = wide ? e->wide_outward : e->compressed_outward;
	if (executor == NO_EXECUTOR)
		return true;
	s->executor = executor;
	int32_t upper = in.imm;
	if (has_two_sources((enum riscv_format)row->format))
		upper = in.rs2;
	else if (row->operation == OPERATION_csr)
		upper |= (int32_t)(in.word >> 12 & 7) << 12;
	else if (is_branch)
		upper /= 2;
	if (operation == OPERATION_lui || operation == OPERATION_auipc)
		s->operands = (uint32_t)in.imm | rd;
	else if (operation == OPERATION_jal)
		s->operands = (uint32_t)(in.imm / 2) << 8 | rd;
	else
		s->operands = operands(properties & OP_RS2_FOR_RD ? in.rs2 : rd, in.rs1, (uint32_t)upper);
	return properties & OP_ENDS_BLOCK;
}

/* Whether rs1 of `s` is `wanted`, after its sources were exchanged if that helps and changes nothing. */
static bool takes_first(struct slot *s, unsigned properties, uint8_t wanted)
{
	uint8_t rs1 = slot_rs1(s);
	uint32_t rs2 = properties & OP_RS2_FOR_RD ? slot_rd(s) : slot_rs2(s);
	if (rs1 == wanted || !(properties & OP_SYMMETRIC) || rs2 != wanted)
		return rs1 == wanted;
	s->operands = properties & OP_RS2_FOR_RD ? operands(rs1, wanted, s->operands >> 16)
						 : operands(slot_rd(s), wanted, rs1);
	return true;
}

/* Fuses `s` with the next slot if there is an executor for both. Nobody else can have been fused with that one: it
 * would have to end where `s` does. */
static void fuse(struct slot *s)
{
	const struct executor_row *row = &executor_rows[s->executor];
	struct slot *next = s + row->nr_slots;
	if (next->executor >= CHAINED || row->operation == NR_OPERATIONS)
		return;
	const struct executor_row *next_row = &executor_rows[next->executor];
	if (next_row->operation == NR_OPERATIONS || s->executor != executors[row->operation].wide ||
	    next_row->alone != executors[next_row->operation].wide)
		return;
	const struct fusion *f = &fusions[row->operation][next_row->operation];
	if (f->handed_on != NO_EXECUTOR && takes_first(next, operation_properties[next_row->operation], slot_rd(s)))
		s->executor = f->handed_on;
	else if (f->apart != NO_EXECUTOR)
		s->executor = f->apart;
}

static void touch(struct code *code, uint32_t index)
{
	uint32_t stretch = index / STRETCH_SLOTS;
	if (code->is_touched[stretch])
		return;
	code->is_touched[stretch] = 1;
	code->touched[code->nr_touched++] = stretch;
}

void code_decode_block(struct code *code, uint32_t first)
{
	uint32_t i = first, nr = 0, last = first, behind = 0;
	bool is_end = false;
	while (!is_end && nr < MAX_BLOCK) {
		struct slot *s = &code->slots[i];
		if (s->executor != EXECUTOR_undecoded) {
			behind = s->nr_left;
			break;
		}
		is_end = decode_slot(code, i);
		touch(code, i);
		last = i;
		i += executor_rows[s->executor].nr_slots;
		nr++;
	}
	if (!is_end && (behind == 0 || nr + behind > MAX_BLOCK)) {
		code->slots[last].executor += CHAINED;
		behind = 0;
	}
	for (uint32_t k = 0, at = first; k < nr; k++) {
		struct slot *s = &code->slots[at];
		s->nr_left = (uint16_t)(nr + behind - k);
		at += executor_rows[s->executor % CHAINED].nr_slots;
		if (s->executor < CHAINED && !(is_end && k == nr - 1) && !(code->flags & CODE_UNFUSED))
			fuse(s);
	}
}

void code_discard(struct code *code)
{
	if (code->flags & CODE_FIXED)
		return;
	if (code->translation)
		code->translation->ops->discard(code->translation);
	for (uint32_t k = 0; k < code->nr_touched; k++) {
		uint32_t first = code->touched[k] * STRETCH_SLOTS, nr = code_nr_slots(code) - first;
		if (nr > STRETCH_SLOTS)
			nr = STRETCH_SLOTS;
		memset(&code->slots[first], 0, nr * sizeof(code->slots[0]));
		code->is_touched[code->touched[k]] = 0;
	}
	code->nr_touched = 0;
}

enum sahm_status code_new(struct code **code, uint32_t base, const uint8_t *bytes, uint32_t nr_bytes, unsigned flags,
			  struct sahm_err *err)
{
	if (base % 2 != 0 || nr_bytes % 2 != 0 || nr_bytes == 0 || nr_bytes > CODE_MAX_BYTES ||
	    (uint64_t)base + nr_bytes > UINT64_C(1) << 32)
		return sahm_fail(err, SAHM_RANGE, "no code can be %" PRIu32 " bytes at 0x%08" PRIx32, nr_bytes, base);
	struct code *c = calloc(1, sizeof(*c));
	if (!c)
		return sahm_fail_nomem(err);
	c->base = base;
	c->bytes = bytes;
	c->nr_bytes = nr_bytes;
	c->flags = flags;
	/* Large ones cost memory only where they are decoded. */
	size_t nr_stretches = code_nr_slots(c) / STRETCH_SLOTS + 1;
	c->slots = calloc((size_t)code_nr_slots(c) + 1, sizeof(c->slots[0]));
	c->touched = calloc(nr_stretches, sizeof(c->touched[0]));
	c->is_touched = calloc(nr_stretches, 1);
	if (!c->slots || !c->touched || !c->is_touched) {
		code_free(c);
		return sahm_fail_nomem(err);
	}
	c->slots[code_nr_slots(c)] = (struct slot){.executor = EXECUTOR_end, .nr_left = 1};
	if (flags & CODE_FIXED)
		for (uint32_t i = 0; i < code_nr_slots(c); i++)
			if (c->slots[i].executor == EXECUTOR_undecoded)
				code_decode_block(c, i);
	*code = c;
	return SAHM_OK;
}

void code_free(struct code *code)
{
	if (!code)
		return;
	free(code->slots);
	free(code->touched);
	free(code->is_touched);
	free(code);
}

uint32_t code_base(const struct code *code)
{
	return code->base;
}
