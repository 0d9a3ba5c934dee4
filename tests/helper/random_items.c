/* The items of random programs that lead elsewhere, and the choice of all. */
#include "sim/base/array.h"
#include "tests/helper/random_program_internal.h"

/* What can still be reached by the shortest branch when another item has come in between. */
#define SHORT_OF_REACH 150u

/* A comparison or computation, and a branch on it. */
static void forward_branch(struct maker *m)
{
	static const uint32_t conditions[] = {0, 1, 4, 5, 6, 7};
	struct pending jump = {.form = PENDING_BRANCH, .countdown = pick_number(m, 0, 9)};
	uint32_t a = pick_rs(m), b = pick_rs(m), imm = random_value(&m->rng), compare = pick_number(m, 2, 3);

	switch (between(&m->rng, 0, 5)) {
	case 0:
		emit(m, encode_r(OP_REG, compare, 0, pick_rd(m), a, b));
		break;
	case 1:
		emit(m, encode_i(OP_IMM, compare, pick_rd(m), a, imm));
		break;
	case 2:
		emit(m, encode_addi(pick_rd(m), a, (b & 3) - 1));
		break;
	case 3:
		emit(m, encode_i(OP_IMM, 7, pick_rd(m), a, 1 + (b & 7)));
		break;
	default:
		break;
	}
	if (one_in(&m->rng, 3)) {
		jump.form = PENDING_C_BRANCH;
		jump.funct3 = pick_number(m, 6, 7);
		jump.rs1 = pick_short_rs(m);
	} else {
		jump.funct3 = PICK(&m->rng, conditions);
		jump.rs1 = one_in(&m->rng, 2) ? m->last : pick_rs(m);
		jump.rs2 = one_in(&m->rng, 2) ? 0 : pick_rs(m);
		if (one_in(&m->rng, 4)) {
			uint32_t rs1 = jump.rs1;
			jump.rs1 = jump.rs2;
			jump.rs2 = rs1;
		}
	}
	emit_pending(m, &jump);
}

static void forward_jump(struct maker *m)
{
	struct pending jump = {.form = PENDING_C_JUMP, .funct3 = 5, .countdown = pick_number(m, 0, 4)};

	if (one_in(&m->rng, 2)) {
		jump.form = PENDING_JUMP;
		jump.rd = pick_rd(m);
	} else if (!(m->reserved >> 1 & 1) && one_in(&m->rng, 2)) {
		jump.funct3 = 1; /* C.JAL */
	}
	emit_pending(m, &jump);
}

/* auipc and jalr with an offset, which may be odd; rd may be the register that is jumped through. */
static void indirect_jump(struct maker *m)
{
	uint32_t t = pick_scratch(m, 0);
	struct pending jump = {
		.form = PENDING_INDIRECT,
		.rs1 = t,
		.odd = one_in(&m->rng, 3),
	};

	if (m->nr_pending == MOST_PENDING)
		return;
	m->whole++;
	emit(m, encode_u(OP_AUIPC, t, 0));
	jump.from = m->at - 4;
	jump.countdown = pick_number(m, 0, 4);
	jump.rd = one_in(&m->rng, 2) ? t : pick_rd(m);
	emit_pending(m, &jump);
	m->whole--;
}

static void call(struct maker *m)
{
	if (m->nr_functions == 0 || m->in_function)
		return;
	const struct function *f = &m->functions[between(&m->rng, 0, m->nr_functions - 1)];
	uint32_t t = pick_scratch(m, f->link);
	if (m->reserved >> f->link & 1 || m->steps + m->weight * f->steps > RANDOM_MOST_STEPS / 2)
		return;
	m->steps += m->weight * f->steps;
	m->whole++;
	uint32_t offset = f->at - m->at;
	switch (between(&m->rng, 0, 3)) {
	case 0: /* auipc and jalr, by the link register itself or not */
		if (one_in(&m->rng, 2))
			t = f->link;
		emit(m, encode_u(OP_AUIPC, t, upper_part(offset)));
		emit(m, encode_jalr(f->link, t, offset));
		break;
	case 1:
		emit(m, encode_u(OP_AUIPC, t, upper_part(offset)));
		emit(m, encode_addi(t, t, offset));
		emit(m, f->link == 1 ? encode_c_reg(9, t, 0) : encode_jalr(f->link, t, 0));
		break;
	default:
		if (f->link == 1 && offset + 2048 < 4096)
			emit(m, encode_c_jump(1, offset));
		else
			emit(m, encode_jal(f->link, offset));
		break;
	}
	m->whole--;
	m->last = one_in(&m->rng, 2) ? f->link : m->last;
}

/* A body that is gone through a few times, counted down or up to a limit. */
static void loop(struct maker *m)
{
	if (m->depth == MOST_DEPTH)
		return;
	uint64_t times = between(&m->rng, 1, 6);
	uint32_t counter = loop_registers[m->in_function][m->depth][0];
	uint32_t limit = loop_registers[m->in_function][m->depth][1];
	bool up = one_in(&m->rng, 3);

	if (m->weight * times * 16 > MOST_LOOP_STEPS || m->reserved >> counter & 1 || m->reserved >> limit & 1)
		return;
	bind_all(m);
	m->whole++;
	emit_li(m, counter, up ? 0 : (uint32_t)times);
	emit_li(m, limit, up ? (uint32_t)times : random_value(&m->rng));
	m->whole--;
	m->reserved |= UINT32_C(1) << counter | (up ? UINT32_C(1) << limit : 0);
	m->depth++;
	m->weight *= times;
	m->last = counter;
	uint32_t first = m->at;
	for (unsigned i = pick_number(m, 1, 8); i > 0; i--)
		emit_item(m);
	bind_all(m);
	m->whole++;
	if (one_in(&m->rng, 2))
		emit(m, encode_c_addi(counter, up ? 1 : (uint32_t)-1));
	else
		emit(m, encode_addi(counter, counter, up ? 1 : (uint32_t)-1));
	uint32_t offset = first - m->at;
	if (up)
		emit(m, encode_b(between(&m->rng, 0, 1) ? 4 : 6, counter, limit, offset));
	else if (counter < 16 && offset + 256 < 512 && one_in(&m->rng, 2))
		emit(m, encode_c_branch(7, counter, offset));
	else
		emit(m, one_in(&m->rng, 2) ? encode_b(1, counter, 0, offset) : encode_b(4, 0, counter, offset));
	m->whole--;
	m->weight /= times;
	m->depth--;
	m->reserved &= ~(UINT32_C(1) << counter | (up ? UINT32_C(1) << limit : 0));
}

/* An instruction, replaced as a whole or in part; executed before, afterwards, or both. */
static void self_modification(struct maker *m)
{
	/* A hardware loop may end between the store and the fence. */
	if (!m->p->modifies_code || m->in_hardware_loop)
		return;
	uint32_t was = random_computation(m), is = random_computation(m);
	uint32_t value = pick_scratch(m, 0), at = pick_scratch(m, value), target = m->at;
	bool before = one_in(&m->rng, 2);
	m->whole++;
	if (before)
		emit(m, was);
	else
		bind_all(m);
	emit_li(m, value, is);
	uint32_t auipc = m->at;
	emit(m, encode_u(OP_AUIPC, at, 0));
	uint32_t store = m->at;
	emit(m, encode_addi(0, 0, 0));
	emit(m, ENCODED_FENCE_I);
	if (!before) {
		target = m->at;
		emit(m, was);
	}
	/* Only the lower half can be anything, and only when the upper is the new one as well: so it comes as a whole,
	 * or only the upper byte, which is part of an immediate that may have any value. */
	bool byte_may_change = (was & 0x7f) == OP_IMM && (was >> 12 & 3) != 1;
	uint32_t offset = target - auipc;
	if (byte_may_change && one_in(&m->rng, 3))
		put(m, store, encode_s(OP_STORE, 0, at, value, offset + 3));
	else
		put(m, store, encode_s(OP_STORE, 2, at, value, offset));
	m->whole--;
}

static void counter_read(struct maker *m)
{
	static const uint32_t counters[] = {0xc00, 0xc01, 0xc02, 0xc80, 0xc81, 0xc82};
	static const uint32_t hows[] = {2, 3, 6, 7}; /* csrrs, csrrc by x0, csrrsi, csrrci by 0: none writes */
	uint32_t counter = PICK(&m->rng, counters), how = PICK(&m->rng, hows);

	if (m->p->kind != RANDOM_LINUX) {
		emit(m, encode_i(OP_SYSTEM, how, pick_rd(m), 0, counter));
		return;
	}
	/* Elsewhere they count something else, so the value is lost at once. */
	uint32_t t = pick_scratch(m, 0);
	m->whole++;
	emit(m, encode_i(OP_SYSTEM, how, t, 0, counter));
	emit(m, encode_addi(t, 0, pick_number(m, 0, 2000)));
	m->whole--;
}

/* What must fault, or would elsewhere. */
static void mischief(struct maker *m)
{
	static const uint32_t illegal[] = {0x0000,     0xffffffff, 0x0000007f, 0x00002063, 0x00003003, 0x00003023,
					   0x02001013, 0x40001013, 0x00001067, 0x30200073, 0x10500073, 0x00004073,
					   0x04000033, 0x40001033, 0x0000200f, 0x4002,	   0x6101,     0x6001,
					   0x8002,     0x9001,	   0x9c01,     0x1002,	   0x2000,     0xc0201073};
	uint32_t t = pick_scratch(m, 0), size = pick_number(m, 0, 2);
	uint32_t end = m->p->data_base + RANDOM_DATA_BYTES, first = m->p->flat ? m->p->base : m->p->data_base;

	if (m->p->kind != RANDOM_WILD || !one_in(&m->rng, 4))
		return;
	m->whole++;
	switch (between(&m->rng, 0, 6)) {
	case 0:
		emit(m, PICK(&m->rng, illegal));
		break;
	case 1:
		emit(m, one_in(&m->rng, 2) ? ENCODED_EBREAK : ENCODED_ECALL);
		break;
	case 2: /* about the end of the memory, one way or the other */
		emit_li(m, t, end - pick_number(m, 0, 5));
		emit(m, encode_s(OP_STORE, size, t, pick_rs(m), 0));
		break;
	case 3:
		emit_li(m, t, end - pick_number(m, 0, 5));
		emit(m, encode_i(OP_LOAD, size, pick_rd(m), t, 0));
		break;
	case 4:
		emit_li(m, t, first - pick_number(m, 0, 5));
		emit(m, encode_i(OP_LOAD, size, pick_rd(m), t, 0));
		break;
	case 5: /* far outside, or exactly at the end of the code */
		emit_li(m, t, m->p->base + (one_in(&m->rng, 2) ? RANDOM_CODE_BYTES + RANDOM_DATA_BYTES : 0x8000000));
		emit(m, encode_jalr(pick_rd(m), t, size));
		break;
	default:
		emit(m, encode_jal(pick_rd(m), 0x80000 + 2 * size));
		break;
	}
	m->whole--;
}

void emit_one_of(struct maker *m, const struct item *items, unsigned nr)
{
	uint32_t sum = 0, i = 0;

	for (unsigned k = 0; k < nr; k++)
		sum += items[k].weight;
	uint32_t choice = pick_number(m, 0, sum - 1);
	while (choice >= items[i].weight)
		choice -= items[i++].weight;
	items[i].fn(m);
}

void emit_item(struct maker *m)
{
	static const struct item items[] = {
		{emit_straight, 66}, {forward_branch, 8}, {forward_jump, 2},	  {indirect_jump, 1},
		{call, 3},	     {loop, 3},		  {self_modification, 2}, {counter_read, 1},
		{mischief, 1},	     {input_or_hash, 4},  {histogram_update, 1},  {hardware_loop, 2},
	};

	if (m->at > RANDOM_CODE_BYTES - 512)
		return;
	for (unsigned i = 0; i < m->nr_pending; i++) {
		if (m->at - m->pending[i].from > SHORT_OF_REACH)
			bind_all(m);
	}
	if (m->steps > RANDOM_MOST_STEPS / 2)
		emit(m, random_computation(m));
	else
		emit_one_of(m, items, ARRAY_SIZE(items));
}
