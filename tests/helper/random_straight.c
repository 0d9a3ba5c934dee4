/* The items of random programs that lead nowhere: arithmetic, loads and stores. */
#include "sim/base/array.h"
#include "tests/helper/random_program_internal.h"

/* `rd`, or another register to write. */
static uint32_t pick_either(struct maker *m, uint32_t rd)
{
	return one_in(&m->rng, 2) ? rd : pick_rd(m);
}

static uint32_t random_imm12(struct maker *m)
{
	return one_in(&m->rng, 2) ? random_value(&m->rng) : pick_number(m, 0, 63) - 32;
}

static uint32_t any_op(struct maker *m)
{
	uint32_t funct3 = pick_number(m, 0, 7);
	bool other = (funct3 == 0 || funct3 == 5) && one_in(&m->rng, 2);
	uint32_t rs1 = pick_rs(m), rs2 = pick_rs(m);

	return encode_r(OP_REG, funct3, other ? 0x20 : 0, pick_rd(m), rs1, rs2);
}

static uint32_t any_op_imm(struct maker *m)
{
	uint32_t funct3 = pick_number(m, 0, 7), rs1 = pick_rs(m), imm = random_imm12(m);

	if (funct3 == 1 || funct3 == 5)
		imm = (imm & 31) | (funct3 == 5 && one_in(&m->rng, 2) ? 0x400 : 0);
	return encode_i(OP_IMM, funct3, pick_rd(m), rs1, imm);
}

uint32_t random_computation(struct maker *m)
{
	return one_in(&m->rng, 2) ? any_op(m) : any_op_imm(m);
}

static void computation(struct maker *m)
{
	emit(m, random_computation(m));
}

static void multiplication(struct maker *m)
{
	uint32_t rs1 = pick_rs(m), rs2 = one_in(&m->rng, 8) ? 0 : pick_rs(m);

	uint32_t funct3 = pick_number(m, 0, 7);

	emit(m, encode_r(OP_REG, funct3, 1, pick_rd(m), rs1, rs2));
}

/* Dividend and divisor at the edges of the specification. */
static void edge_division(struct maker *m)
{
	static const uint32_t edges[][2] = {{0x80000000, 0xffffffff}, {0x80000000, 0}, {5, 0},
					    {0xfffffff9, 2},	      {7, 0xfffffffe}, {0x80000000, 1}};
	uint32_t a = pick_scratch(m, 0), b = pick_scratch(m, a), row = pick_number(m, 0, 5);
	uint32_t funct3 = pick_number(m, 0, 7);

	emit_li(m, a, edges[row][0]);
	emit_li(m, b, edges[row][1]);
	emit(m, encode_r(OP_REG, funct3, 1, pick_rd(m), a, b));
}

static void edge_value(struct maker *m)
{
	uint32_t value = random_value(&m->rng);

	emit_li(m, pick_rd(m), value);
}

static void compressed_computation(struct maker *m)
{
	uint32_t imm = pick_number(m, 0, 63);
	uint32_t rs2 = pick_rs(m), short_rs2 = pick_short_rs(m);
	uint32_t rd = pick_rd(m), short_rd = pick_short_rd(m);

	switch (between(&m->rng, 0, 10)) {
	case 0:
		emit(m, encode_c_addi(rd, imm));
		break;
	case 1:
		emit(m, encode_c_li(rd, imm));
		break;
	case 2:
		emit(m, rd == 2 ? ENCODED_C_NOP : encode_c_lui(rd, (imm ? imm : 1) << 12));
		break;
	case 3:
		emit(m, encode_c_slli(rd, imm & 31));
		break;
	case 4:
	case 5:
		emit(m, encode_c_short_imm(imm & 1, short_rd, imm >> 1));
		break;
	case 6:
		emit(m, encode_c_short_imm(2, short_rd, imm));
		break;
	case 7:
		emit(m, encode_c_short_reg(imm & 3, short_rd, short_rs2));
		break;
	case 8:
		emit(m, rs2 == 0 ? ENCODED_C_NOP : encode_c_reg(9, rd, rs2));
		break;
	case 9:
		emit(m, rs2 == 0 ? ENCODED_C_NOP : encode_c_reg(8, rd, rs2));
		break;
	default:
		emit(m, encode_c_addi4spn(short_rd, 4 * pick_number(m, 1, 255)));
		break;
	}
}

/* An upper immediate, and what is made of it. */
static void upper(struct maker *m)
{
	uint32_t value = random_value(&m->rng);
	uint32_t opcode = one_in(&m->rng, 2) ? OP_LUI : OP_AUIPC;
	uint32_t rd = pick_rd(m);

	emit(m, encode_u(opcode, rd, value));
	if (one_in(&m->rng, 2))
		emit(m, encode_addi(pick_either(m, rd), rd, value));
}

/* A base register and an offset that stay within the data for an access of `width`. */
static uint32_t pick_place(struct maker *m, uint32_t width, uint32_t *base)
{
	uint32_t offset = pick_number(m, 0, 4095) - 2048;
	bool aligned = m->p->traps_misaligned ? !one_in(&m->rng, 64) : !one_in(&m->rng, 8);

	*base = PICK(&m->rng, m->bases);
	if (one_in(&m->rng, 3))
		offset = offset & 0x3f; /* so that what is stored is read again */
	return aligned ? offset & -width : offset;
}

static void load(struct maker *m)
{
	static const uint32_t kinds[] = {0, 1, 2, 2, 2, 4, 5};
	uint32_t funct3 = PICK(&m->rng, kinds), base, offset = pick_place(m, 1u << (funct3 & 3), &base);

	emit(m, encode_i(OP_LOAD, funct3, pick_rd(m), base, offset));
}

static void store(struct maker *m)
{
	uint32_t funct3 = pick_number(m, 0, 2), base, offset = pick_place(m, 1u << funct3, &base);

	emit(m, encode_s(OP_STORE, funct3, base, pick_rs(m), offset));
}

static void compressed_access(struct maker *m)
{
	uint32_t offset = 4 * pick_number(m, 0, 31);

	switch (between(&m->rng, 0, 3)) {
	case 0:
		emit(m, encode_c_access(2, pick_short_rd(m), m->bases[1], offset));
		break;
	case 1:
		emit(m, encode_c_access(6, pick_short_rs(m), m->bases[1], offset));
		break;
	case 2: {
		uint32_t rd = pick_rd(m);
		emit(m, encode_c_lwsp(rd ? rd : pick_scratch(m, 0), 2 * offset + 4));
		break;
	}
	default:
		emit(m, encode_c_swsp(pick_rs(m), 2 * offset + 4));
		break;
	}
}

/* Element of an array: slli, add, access. */
static void indexed(struct maker *m)
{
	uint32_t t = pick_scratch(m, 0), size = pick_number(m, 0, 2);

	uint32_t data = pick_either(m, t), value = pick_rs(m);

	m->whole++;
	emit(m, encode_i(OP_IMM, 7, t, pick_rs(m), 0xff));
	if (one_in(&m->rng, 2))
		emit(m, encode_i(OP_IMM, 1, t, t, size));
	else
		emit(m, encode_c_slli(t, size));
	if (one_in(&m->rng, 2))
		emit(m, encode_r(OP_REG, 0, 0, t, t, m->bases[1]));
	else
		emit(m, encode_r(OP_REG, 0, 0, t, m->bases[0], t));
	if (m->p->traps_misaligned)
		emit(m, encode_i(OP_IMM, 7, t, t, (uint32_t)-4));
	if (one_in(&m->rng, 2))
		emit(m, encode_i(OP_LOAD, size, data, t, 0));
	else
		emit(m, encode_s(OP_STORE, size, t, value, 4));
	m->whole--;
}

static void load_and_use(struct maker *m)
{
	load(m);
	uint32_t loaded = m->last, other = pick_rs(m);
	if (one_in(&m->rng, 2))
		emit(m, encode_r(OP_REG, 0, 0, pick_rd(m), loaded, other));
	else
		computation(m);
}

/* The two shifts of a rotation, and their sum in one of three ways. */
static void rotation(struct maker *m)
{
	static const uint32_t sums[] = {0, 4, 6};
	uint32_t sum = PICK(&m->rng, sums);
	uint32_t rs = pick_rs(m), by = pick_number(m, 0, 31);
	uint32_t a = pick_scratch(m, rs), b = pick_scratch(m, a);

	if (one_in(&m->rng, 2)) {
		emit(m, encode_i(OP_IMM, 1, a, rs, by));
		emit(m, encode_i(OP_IMM, 5, b, rs, (32 - by) & 31));
	} else {
		emit(m, encode_i(OP_IMM, 5, a, rs, by));
		emit(m, encode_i(OP_IMM, 1, b, rs, (32 - by) & 31));
	}
	if (one_in(&m->rng, 2))
		emit(m, encode_r(OP_REG, sum, 0, pick_rd(m), a, b));
	else
		emit(m, encode_r(OP_REG, sum, 0, pick_rd(m), b, a));
}

/* A field taken out by two shifts, or scaled and added. */
static void shift_pair(struct maker *m)
{
	uint32_t rs = pick_rs(m), other = pick_rs(m), rd = pick_rd(m), by = pick_number(m, 0, 31);

	emit(m, encode_i(OP_IMM, 1, rd, rs, by));
	switch (between(&m->rng, 0, 2)) {
	case 0:
		emit(m, encode_i(OP_IMM, 5, rd, rd, by));
		break;
	case 1:
		emit(m, encode_i(OP_IMM, 5, rd, rd, by | 0x400));
		break;
	default:
		emit(m, encode_r(OP_REG, 0, 0, pick_rd(m), rd, other));
		break;
	}
}

static void move_or_nothing(struct maker *m)
{
	uint32_t rs = pick_rs(m);

	switch (between(&m->rng, 0, 4)) {
	case 0:
		emit(m, encode_addi(pick_rd(m), rs, 0));
		break;
	case 1:
		emit(m, encode_r(OP_REG, 0, 0, pick_rd(m), 0, rs));
		break;
	case 2:
		emit(m, encode_addi(0, 0, 0));
		break;
	case 3: /* any fence; its registers are ignored */
		emit(m, encode_i(OP_MISC_MEM, 0, pick_rd(m), rs, pick_number(m, 0, 0xfff)));
		break;
	default:
		emit(m, ENCODED_C_NOP);
		break;
	}
}

void emit_straight(struct maker *m)
{
	static const struct item items[] = {
		{computation, 12},
		{multiplication, 4},
		{edge_division, 1},
		{edge_value, 3},
		{upper, 3},
		{load, 6},
		{store, 6},
		{compressed_computation, 12},
		{indexed, 2},
		{load_and_use, 4},
		{compressed_access, 5},
		{rotation, 2},
		{shift_pair, 3},
		{move_or_nothing, 3},
	};

	emit_one_of(m, items, ARRAY_SIZE(items));
}
