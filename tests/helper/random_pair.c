/* Two neighbours and little else, for every pair of operations of 4 bytes. */
#include <string.h>

#include "sim/base/array.h"
#include "tests/helper/random_program_internal.h"

/* Every operation by its fields. */
struct shape {
	uint8_t opcode, funct3, funct7;
};

static const struct shape shapes[] = {
	{OP_REG, 0, 0},	     {OP_REG, 0, 0x20}, {OP_REG, 1, 0},	     {OP_REG, 2, 0},	  {OP_REG, 3, 0},
	{OP_REG, 4, 0},	     {OP_REG, 5, 0},	{OP_REG, 5, 0x20},   {OP_REG, 6, 0},	  {OP_REG, 7, 0},
	{OP_REG, 0, 1},	     {OP_REG, 1, 1},	{OP_REG, 2, 1},	     {OP_REG, 3, 1},	  {OP_REG, 4, 1},
	{OP_REG, 5, 1},	     {OP_REG, 6, 1},	{OP_REG, 7, 1},	     {OP_IMM, 0, 0},	  {OP_IMM, 2, 0},
	{OP_IMM, 3, 0},	     {OP_IMM, 4, 0},	{OP_IMM, 6, 0},	     {OP_IMM, 7, 0},	  {OP_IMM, 1, 0},
	{OP_IMM, 5, 0},	     {OP_IMM, 5, 0x20}, {OP_LOAD, 0, 0},     {OP_LOAD, 1, 0},	  {OP_LOAD, 2, 0},
	{OP_LOAD, 4, 0},     {OP_LOAD, 5, 0},	{OP_STORE, 0, 0},    {OP_STORE, 1, 0},	  {OP_STORE, 2, 0},
	{OP_LUI, 0, 0},	     {OP_AUIPC, 0, 0},	{OP_MISC_MEM, 0, 0}, {OP_SYSTEM, 2, 0},	  {OP_BRANCH, 0, 0},
	{OP_BRANCH, 1, 0},   {OP_BRANCH, 4, 0}, {OP_BRANCH, 5, 0},   {OP_BRANCH, 6, 0},	  {OP_BRANCH, 7, 0},
	{OP_JAL, 0, 0},	     {OP_JALR, 0, 0},	{OP_CUSTOM_0, 0, 0}, {OP_CUSTOM_0, 1, 0}, {OP_CUSTOM_0, 2, 0},
	{OP_CUSTOM_0, 3, 0}, {OP_SYSTEM, 3, 0}, {OP_SYSTEM, 6, 0},
};
#define NR_SHAPES ARRAY_SIZE(shapes)

const uint32_t random_nr_pairs = NR_SHAPES * NR_SHAPES;

/* Few registers, so that the two have to do with each other. */
static uint32_t some_register(uint64_t *rng)
{
	static const uint32_t registers[] = {0, 5, 6, 7, 8, 5, 6, 7};
	return PICK(rng, registers);
}

static uint32_t some_word(uint64_t *rng, const struct shape *s)
{
	static const uint32_t offsets[] = {4, 6, 8, 10, 12, 4, 8, 0x800, (uint32_t)-4};
	static const uint32_t counters[] = {0xc00, 0xc02, 0xc82, 0xc02, 0x123};
	static const uint32_t inputs[] = {0xcc0, 0xcc7, 0xcdf, 0xce0, 0xcff};
	uint32_t rd = some_register(rng), rs1 = some_register(rng), rs2 = some_register(rng);
	uint32_t imm = (uint32_t)between(rng, 0, 15) * 4, offset = PICK(rng, offsets), counter = PICK(rng, counters);

	if (one_in(rng, 4))
		imm = (uint32_t)next_random(rng);
	switch (s->opcode) {
	case OP_REG:
		return encode_r(s->opcode, s->funct3, s->funct7, rd, rs1, rs2);
	case OP_IMM:
		if (s->funct3 == 1 || s->funct3 == 5)
			imm = (imm & 31) | (uint32_t)s->funct7 << 5;
		return encode_i(s->opcode, s->funct3, rd, rs1, imm);
	case OP_STORE:
		return encode_s(s->opcode, s->funct3, rs1, rs2, imm);
	case OP_LUI:
	case OP_AUIPC:
		return encode_u(s->opcode, rd, one_in(rng, 2) ? imm << 12 : 0x20000);
	case OP_BRANCH:
		return encode_b(s->funct3, rs1, rs2, offset);
	case OP_JAL:
		return encode_jal(rd, offset);
	case OP_CUSTOM_0:
		if (s->funct3 == 3)
			return encode_loop(rs1, one_in(rng, 4) ? offset : 4);
		return encode_r(s->opcode, s->funct3, 0, s->funct3 == 0 ? rd : 0, rs1, rs2);
	case OP_SYSTEM:
		if (s->funct3 != 2)
			return encode_i(s->opcode, s->funct3, rd, one_in(rng, 8) ? rs1 : 0, PICK(rng, inputs));
		return encode_i(s->opcode, s->funct3, rd, one_in(rng, 8) ? rs1 : 0, counter);
	default:
		return encode_i(s->opcode, s->funct3, rd, rs1, imm);
	}
}

void random_pair(struct random_program *p, uint64_t seed, uint64_t index)
{
	struct maker m = {.p = p, .rng = random_of_index(seed, index)};
	static const uint32_t behind[] = {ENCODED_C_NOP, ENCODED_FENCE_I, ENCODED_EBREAK};
	uint64_t row = index % random_nr_pairs;

	next_random(&m.rng);
	memset(p, 0, sizeof(*p));
	p->seed = seed;
	p->index = index;
	p->kind = RANDOM_RAW;
	p->base = 0x10000;
	p->data_base = 0x20000;
	p->traps_misaligned = one_in(&m.rng, 2);
	for (unsigned i = 0; i < 32; i++) {
		bool points = one_in(&m.rng, 2);
		p->x[i] = points ? p->data_base + (uint32_t)between(&m.rng, 0, 255) : random_value(&m.rng);
		if (one_in(&m.rng, 8))
			p->x[i] = p->base + (uint32_t)between(&m.rng, 0, 32);
	}
	p->x[0] = 0;
	p->has_inputs = !one_in(&m.rng, 4);
	for (unsigned i = 0; i < 32; i++)
		p->inputs[i] = next_random(&m.rng);
	for (uint32_t i = 0; i < RANDOM_DATA_BYTES; i++)
		p->bytes[RANDOM_CODE_BYTES + i] = (uint8_t)(i * 37);
	if (one_in(&m.rng, 4))
		emit(&m, encode_c_jump(5, 6)); /* to the second */
	emit(&m, some_word(&m.rng, &shapes[row / NR_SHAPES]));
	emit(&m, some_word(&m.rng, &shapes[row % NR_SHAPES]));
	emit(&m, PICK(&m.rng, behind));
	emit(&m, ENCODED_EBREAK);
	p->nr_code_bytes = m.at;
}
