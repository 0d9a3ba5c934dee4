#include <string.h>

#include "tests/helper/random_program_internal.h"

/* How far a structured program grows: the end of the room is kept free for what closes it. */
#define MOST_CODE_BYTES (RANDOM_CODE_BYTES - 2048u)
#define MOST_STEPS (RANDOM_MOST_STEPS / 8)

uint32_t random_value(uint64_t *rng)
{
	static const uint32_t edges[] = {
		0,	    1,		2,	    3,		0xffffffff, 0xfffffffe, 0x80000000,
		0x80000001, 0x7fffffff, 0x7ffffffe, 0x7f,	0x80,	    0xff,	0xffffff80,
		0x7fff,	    0x8000,	0xffff,	    0xffff8000, 0x00010000, 0x7ff,	0x800,
		0xfffff800, 0xfffff7ff, 31,	    32,		33,	    0xaaaaaaaa, 0x55555555,
	};

	switch (between(rng, 0, 5)) {
	case 0:
	case 1:
		return PICK(rng, edges);
	case 2:
		return UINT32_C(1) << between(rng, 0, 31);
	case 3:
		return (UINT32_C(1) << between(rng, 0, 31)) - 1;
	case 4:
		return (uint32_t)between(rng, 0, 4095) - 2048;
	default:
		return (uint32_t)next_random(rng);
	}
}

void put(struct maker *m, uint32_t at, uint32_t word)
{
	uint32_t nr_bytes = (word & 3) == 3 ? 4 : 2;

	for (uint32_t i = 0; i < nr_bytes; i++)
		m->p->bytes[at + i] = (uint8_t)(word >> 8 * i);
}

static void bind(struct maker *m, const struct pending *jump)
{
	uint32_t offset = m->at - jump->from;
	uint32_t word = 0;

	switch (jump->form) {
	case PENDING_BRANCH:
		word = encode_b(jump->funct3, jump->rs1, jump->rs2, offset);
		break;
	case PENDING_JUMP:
		word = encode_jal(jump->rd, offset);
		break;
	case PENDING_C_BRANCH:
		word = encode_c_branch(jump->funct3, jump->rs1, offset);
		break;
	case PENDING_C_JUMP:
		word = encode_c_jump(jump->funct3, offset);
		break;
	case PENDING_INDIRECT:
		word = encode_jalr(jump->rd, jump->rs1, offset | jump->odd);
		break;
	}
	put(m, jump->at, word);
}

void bind_all(struct maker *m)
{
	for (unsigned i = 0; i < m->nr_pending; i++)
		bind(m, &m->pending[i]);
	m->nr_pending = 0;
}

void emit(struct maker *m, uint32_t word)
{
	for (unsigned i = 0; !m->whole && i < m->nr_pending;) {
		if (m->pending[i].countdown-- > 0) {
			i++;
			continue;
		}
		bind(m, &m->pending[i]);
		m->pending[i] = m->pending[--m->nr_pending];
	}
	put(m, m->at, word);
	m->at += (word & 3) == 3 ? 4 : 2;
	m->steps += m->weight;
}

void emit_pending(struct maker *m, const struct pending *jump)
{
	if (m->nr_pending == MOST_PENDING)
		return;
	bool compressed = jump->form == PENDING_C_BRANCH || jump->form == PENDING_C_JUMP;
	emit(m, compressed ? ENCODED_C_NOP : encode_addi(0, 0, 0));
	struct pending *to = &m->pending[m->nr_pending++];
	*to = *jump;
	to->at = m->at - (compressed ? 2 : 4);
	if (jump->form != PENDING_INDIRECT)
		to->from = to->at;
}

uint32_t pick_rd(struct maker *m)
{
	if (one_in(&m->rng, 12))
		return 0;
	if (one_in(&m->rng, 4) && !(m->reserved >> m->last & 1))
		return m->last;
	for (;;) {
		uint32_t rd = (uint32_t)between(&m->rng, 1, 31);
		if (!(m->reserved >> rd & 1))
			return m->last = rd;
	}
}

uint32_t pick_short_rd(struct maker *m)
{
	if (m->last >= 8 && m->last < 16 && !(m->reserved >> m->last & 1) && one_in(&m->rng, 3))
		return m->last;
	for (;;) {
		uint32_t rd = (uint32_t)between(&m->rng, 8, 15);
		if (!(m->reserved >> rd & 1))
			return m->last = rd;
	}
}

uint32_t pick_rs(struct maker *m)
{
	return one_in(&m->rng, 3) ? m->last : (uint32_t)between(&m->rng, 0, 31);
}

uint32_t pick_short_rs(struct maker *m)
{
	return m->last >= 8 && m->last < 16 && one_in(&m->rng, 3) ? m->last : (uint32_t)between(&m->rng, 8, 15);
}

uint32_t pick_scratch(struct maker *m, uint32_t other)
{
	for (;;) {
		uint32_t rd = (uint32_t)between(&m->rng, 1, 31);
		if (!(m->reserved >> rd & 1) && rd != other)
			return m->last = rd;
	}
}

void emit_li(struct maker *m, uint32_t rd, uint32_t value)
{
	uint32_t upper = upper_part(value), lower = value - upper;

	if (upper == 0) {
		emit(m, rd != 0 && value + 32 < 64 ? encode_c_li(rd, value) : encode_addi(rd, 0, value));
		return;
	}
	bool fits = upper < 0x20000 || upper >= 0xfffe0000u;
	emit(m, fits && rd != 0 && rd != 2 && one_in(&m->rng, 2) ? encode_c_lui(rd, upper) : encode_lui(rd, upper));
	if (lower != 0 && rd != 0 && lower + 32 < 64 && one_in(&m->rng, 2))
		emit(m, encode_c_addi(rd, lower));
	else if (lower != 0 || one_in(&m->rng, 2))
		emit(m, encode_addi(rd, rd, lower));
}

/* A function that nothing falls into, and that calls nothing. */
static void emit_function(struct maker *m)
{
	static const uint32_t links[] = {1, 1, 1, 5, 12, 15, 30};
	uint32_t link;

	do
		link = PICK(&m->rng, links);
	while (m->reserved >> link & 1);
	bind_all(m);
	uint32_t over = m->at;
	emit(m, encode_jal(0, 0));

	struct function *f = &m->functions[m->nr_functions];
	uint64_t before = m->steps;
	*f = (struct function){m->at, link, 0};
	uint32_t reserved = m->reserved;
	m->reserved |= UINT32_C(1) << link;
	for (unsigned i = 0; i < MOST_DEPTH; i++)
		m->reserved |= UINT32_C(1) << loop_registers[0][i][0] | UINT32_C(1) << loop_registers[0][i][1];
	m->last = 0;
	m->in_function = true;
	for (unsigned i = (unsigned)between(&m->rng, 0, 8); i > 0; i--)
		emit_item(m);
	bind_all(m);
	m->whole++;
	emit(m, one_in(&m->rng, 2) ? encode_c_reg(8, link, 0) : encode_jalr(0, link, (uint32_t)between(&m->rng, 0, 1)));
	m->whole--;
	m->in_function = false;
	m->reserved = reserved;
	m->last = 0;
	f->steps = m->steps - before;
	m->steps = before;
	m->nr_functions++;
	put(m, over, encode_jal(0, m->at - over));
}

/* write(1, data, RANDOM_DATA_BYTES) with the registers at the beginning of the data, and exit. */
static void emit_end_of_linux(struct maker *m)
{
	static const uint32_t write_call = 64, exit_call = 93;

	m->whole++;
	emit(m, encode_c_addi16sp((uint32_t)-128)); /* sp was in the middle */
	for (uint32_t i = 1; i < 32; i++)
		emit(m, encode_s(OP_STORE, 2, 2, i, 4 * i - 2048));
	emit(m, encode_addi(11, 2, (uint32_t)-2048));
	emit_li(m, 10, 1);
	emit_li(m, 12, RANDOM_DATA_BYTES);
	emit_li(m, 17, write_call);
	emit(m, ENCODED_ECALL);
	emit(m, encode_i(OP_LOAD, 4, 10, 2, (uint32_t)-2048 + (uint32_t)between(&m->rng, 4, RANDOM_DUMP_BYTES - 1)));
	emit_li(m, 17, exit_call);
	emit(m, ENCODED_ECALL);
	m->whole--;
}

/* Ways to end a program that no host ends. */
static void emit_end(struct maker *m)
{
	m->whole++;
	switch (between(&m->rng, 0, 5)) {
	case 0:
		emit(m, ENCODED_EBREAK);
		break;
	case 1:
		emit(m, ENCODED_C_EBREAK);
		break;
	case 2:
		emit(m, ENCODED_ECALL);
		break;
	case 3: /* to the return stub */
		emit(m, encode_addi(6, 0, (uint32_t)-16));
		emit(m,
		     one_in(&m->rng, 2) ? encode_c_reg(9, 6, 0) : encode_jalr(6, 6, (uint32_t)between(&m->rng, 0, 1)));
		break;
	case 4: /* half an instruction, where the code ends here */
		emit(m, encode_c_li(0, 1));
		put(m, m->at, 0xffffffff);
		m->at += 2;
		break;
	default: /* the rest is 0 or nothing */
		break;
	}
	m->whole--;
}

static void structured(struct maker *m)
{
	static const uint32_t short_bases[] = {8, 9, 10, 11, 12, 13, 14, 15};
	struct random_program *p = m->p;
	uint32_t middle = p->data_base + RANDOM_DUMP_BYTES + 2048;

	m->bases[0] = 2;
	m->bases[1] = PICK(&m->rng, short_bases);
	m->bases[2] = (uint32_t)between(&m->rng, 16, 29);
	for (unsigned i = 0; i < 3; i++) {
		p->x[m->bases[i]] = middle;
		m->reserved |= UINT32_C(1) << m->bases[i];
	}
	for (uint32_t i = 1; p->kind == RANDOM_LINUX && i < 32; i++)
		emit_li(m, i, p->x[i]);
	uint32_t least = p->kind == RANDOM_LINUX ? 2048 : 16;
	uint32_t most = one_in(&m->rng, 4) ? MOST_CODE_BYTES : least + 1024;
	uint32_t nr_bytes = (uint32_t)between(&m->rng, least, most);
	while (m->at < nr_bytes && m->steps < MOST_STEPS) {
		if (m->nr_functions < MOST_FUNCTIONS && one_in(&m->rng, 12))
			emit_function(m);
		else
			emit_item(m);
	}
	bind_all(m);
	if (p->kind == RANDOM_LINUX)
		emit_end_of_linux(m);
	else
		emit_end(m);
}

/* A word that has the opcode of an instruction, most of its other fields at random. */
static uint32_t raw_word(uint64_t *rng)
{
	static const uint32_t opcodes[] = {OP_LOAD, OP_LOAD, OP_STORE,	OP_STORE,    OP_IMM,	 OP_IMM,
					   OP_REG,  OP_REG,  OP_BRANCH, OP_BRANCH,   OP_LUI,	 OP_AUIPC,
					   OP_JALR, OP_JAL,  OP_SYSTEM, OP_MISC_MEM, OP_CUSTOM_0};
	uint32_t opcode = PICK(rng, opcodes);
	uint32_t word = ((uint32_t)next_random(rng) & ~UINT32_C(0x7f)) | opcode;
	uint32_t rd = (uint32_t)between(rng, 0, 31), rs1 = (uint32_t)between(rng, 0, 31);
	uint32_t near = ((uint32_t)between(rng, 0, 63) - 32) * 2;
	static const uint32_t csrs[] = {0xc00, 0xc01, 0xc02, 0xc80, 0xc81, 0xc82,
					0xc02, 0xc03, 0xcc5, 0xcf5, 0xcbf, 0xd00};
	static const uint32_t funct7[] = {0, 0, 1, 1, 0x20};
	uint32_t funct3 = (uint32_t)between(rng, 0, 5), csr = PICK(rng, csrs);

	if (one_in(rng, 16))
		return word;
	switch (opcode) {
	case OP_REG:
		return (word & 0x01ffffff) | PICK(rng, funct7) << 25;
	case OP_BRANCH:
		return encode_b(word >> 12 & 7, rs1, rd, near);
	case OP_JAL:
		return encode_jal(rd, near);
	case OP_JALR: /* mostly to where ra, which holds the address of some code, points */
		return encode_jalr(rd, 1, near);
	case OP_LOAD:
		return encode_i(opcode, funct3, rd, rs1 & 1 ? 2 : rs1, word >> 20);
	case OP_STORE:
		return encode_s(opcode, funct3 % 3, rs1 & 1 ? 2 : rs1, rd, word >> 20);
	case OP_CUSTOM_0:
		if (funct3 == 3)
			return encode_loop(rs1, near & 60);
		if (funct3 == 0)
			return encode_hash(rd, rs1, word >> 20 & 31);
		return encode_r(opcode, funct3, one_in(rng, 8) ? word >> 25 : 0, one_in(rng, 8) ? rd : 0,
				rs1 & 1 ? 8 : rs1, word >> 20 & 31);
	case OP_SYSTEM:
		return encode_i(opcode, word >> 12 & 7, rd, one_in(rng, 4) ? rs1 : 0, csr);
	default:
		return word;
	}
}

static void raw(struct maker *m)
{
	struct random_program *p = m->p;
	uint32_t nr_bytes = (uint32_t)between(&m->rng, 1, 200) * 2;
	uint64_t wide_of_4 = between(&m->rng, 0, 4);

	while (m->at < nr_bytes) {
		bool wide = next_random(&m->rng) % 4 < wide_of_4;
		uint32_t word = wide ? raw_word(&m->rng) : (uint32_t)next_random(&m->rng) & 0xffff;
		if (!wide && (word & 3) == 3)
			word ^= (uint32_t)between(&m->rng, 1, 3);
		put(m, m->at, word);
		m->at += wide ? 4 : 2;
	}
	m->at = nr_bytes; /* cuts the last one now and then */
	p->x[2] = p->data_base + (uint32_t)between(&m->rng, 0, RANDOM_DATA_BYTES);
	p->x[8] = p->data_base;
	p->x[1] = p->x[9] = p->base + (uint32_t)between(&m->rng, 0, nr_bytes);
}

void random_program(struct random_program *p, enum random_program_kind kind, uint64_t seed, uint64_t index)
{
	struct maker m = {.p = p, .rng = random_of_index(seed, index), .weight = 1};
	bool linux_program = kind == RANDOM_LINUX;
	static const uint32_t bases[] = {0x10000, 0, 0x80000000, 0x7ffffffe};
	static const uint32_t data_bases[] = {0x10000, 0, 0x80000000, -RANDOM_DATA_BYTES, 0x12344};

	next_random(&m.rng); /* neighbours begin alike */
	memset(p, 0, sizeof(*p));
	p->seed = seed;
	p->index = index;
	p->kind = kind;
	p->flat = linux_program || (kind != RANDOM_RAW && one_in(&m.rng, 2));
	p->traps_misaligned = !linux_program && one_in(&m.rng, 4);
	p->modifies_code = p->flat && one_in(&m.rng, 3);
	p->base = PICK(&m.rng, bases);
	p->data_base = PICK(&m.rng, data_bases);
	if (p->flat) {
		p->base = linux_program ? 0x10000 : p->base & ~UINT32_C(3);
		p->data_base = p->base + RANDOM_CODE_BYTES;
	}
	for (unsigned i = 1; i < 32; i++)
		p->x[i] = random_value(&m.rng);
	for (uint32_t i = 0; i < RANDOM_DATA_BYTES; i++)
		p->bytes[RANDOM_CODE_BYTES + i] = (uint8_t)next_random(&m.rng);
	p->has_inputs = !linux_program && !one_in(&m.rng, 4);
	for (unsigned i = 0; i < 32; i++)
		p->inputs[i] = one_in(&m.rng, 2) ? random_value(&m.rng) : next_random(&m.rng);
	if (kind == RANDOM_RAW)
		raw(&m);
	else
		structured(&m);
	p->nr_code_bytes = p->flat || one_in(&m.rng, 2) ? RANDOM_CODE_BYTES : m.at;
	if (p->nr_code_bytes < 2)
		p->nr_code_bytes = 2;
}
