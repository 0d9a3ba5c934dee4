/* Code that is hot: loops of random instructions, and such as are known to be hard to translate, by the interpreter and
 * by the translator, in slices of all sizes. Skips (exit code 77) where there is no translator.
 *
 * In the environment: SAHM_IPU_LOOPS, how many random loops; SAHM_IPU_SEED, the seed; SAHM_IPU_INDEX, only one loop.
 */
#include <stdio.h>

#include "ipu/core/bytes_internal.h"
#include "sim/base/array.h"
#include "tests/helper/environment.h"
#include "tests/unit/ipu/jit/made_twin.h"

#define NR_LOOPS 12000u
#define MOST_TIMES 60u

/* Uses of the registers of a loop. */
enum {
	VALUE = 5,    /* to 12: anything */
	POINTER = 13, /* to 16: into the data, or past its ends */
	TIMES = 17,
	INNER = 18,
	SPARE = 19, /* to 21 */
	LINK = 1
};

static const uint64_t slices[] = {1, 2, 3, 5, 7, 13, 40, 200, 1000};

static uint32_t value_of(uint64_t *rng)
{
	return (uint32_t)between(rng, VALUE, VALUE + 7);
}

static uint32_t source_of(uint64_t *rng)
{
	return one_in(rng, 12) ? 0 : one_in(rng, 12) ? POINTER : value_of(rng);
}

static uint32_t pointer_of(uint64_t *rng)
{
	return (uint32_t)between(rng, POINTER, POINTER + 3);
}

static uint32_t small(uint64_t *rng)
{
	static const uint32_t values[] = {
		0, 1, 2, 3, 4, 8, 12, 16, 31, 2047, UINT32_MAX, (uint32_t)-4, (uint32_t)-8, (uint32_t)-2048};
	return PICK(rng, values);
}

static void add_alu(struct twin *t, uint64_t *rng)
{
	uint32_t rd = one_in(rng, 16) ? 0 : value_of(rng), funct3 = (uint32_t)between(rng, 0, 7);
	if (one_in(rng, 2)) {
		uint32_t funct7 = one_in(rng, 3) ? 1 : (funct3 == 0 || funct3 == 5) && one_in(rng, 2) ? 0x20 : 0;
		twin_add(t, encode_r(OP_REG, funct3, funct7, rd, source_of(rng), source_of(rng)));
	} else if (funct3 == 1 || funct3 == 5) {
		uint32_t shift = (uint32_t)between(rng, 0, 31) | (funct3 == 5 && one_in(rng, 2) ? 0x400 : 0);
		twin_add(t, encode_i(OP_IMM, funct3, rd, source_of(rng), shift));
	} else {
		twin_add(t, encode_i(OP_IMM, funct3, rd, source_of(rng), small(rng)));
	}
}

static void add_compressed(struct twin *t, uint64_t *rng)
{
	uint32_t rd = value_of(rng), rs = value_of(rng);
	switch (between(rng, 0, 3)) {
	case 0:
		twin_add(t, encode_c_addi(rd, (uint32_t)between(rng, 0, 31)));
		break;
	case 1:
		twin_add(t, encode_c_reg(8, rd, rs));
		break;
	case 2:
		twin_add(t, encode_c_reg(9, rd, rs));
		break;
	default:
		twin_add(t, encode_c_li(rd, (uint32_t)between(rng, 0, 31)));
	}
}

static const uint32_t load_kinds[] = {0, 1, 2, 2, 4, 5};

static void add_access(struct twin *t, uint64_t *rng, uint32_t base, uint32_t offset)
{
	if (one_in(rng, 2))
		twin_add(t,
			 encode_i(OP_LOAD, PICK(rng, load_kinds), one_in(rng, 20) ? 0 : value_of(rng), base, offset));
	else
		twin_add(t, encode_s(OP_STORE, (uint32_t)between(rng, 0, 2), base, source_of(rng), offset));
}

/* Several accesses by one pointer, which may move among them. */
static void add_accesses(struct twin *t, uint64_t *rng)
{
	uint32_t base = pointer_of(rng), nr = (uint32_t)between(rng, 1, 4);
	bool are_words = one_in(rng, 2);
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t offset = (uint32_t)between(rng, 0, 40) - 12;
		add_access(t, rng, base, are_words ? offset / 4 * 4 : offset);
		if (one_in(rng, 4))
			twin_add(t, encode_addi(base, base, are_words ? 4 : small(rng)));
		if (one_in(rng, 8)) /* a load through itself, or a new pointer near the old one */
			twin_add(t, encode_addi((uint32_t)between(rng, POINTER, POINTER + 3), base, 8));
	}
}

static void add_constant_access(struct twin *t, uint64_t *rng)
{
	static const uint32_t places[] = {TWIN_DATA_BASE,
					  TWIN_DATA_BASE + 64,
					  TWIN_DATA_BASE + TWIN_DATA_BYTES - 4,
					  TWIN_DATA_BASE + 3,
					  TWIN_DEVICE_MEDDLER,
					  TWIN_DEVICE,
					  TWIN_CODE_BASE,
					  TWIN_CODE_BASE + TWIN_CODE_BYTES - 8};
	uint32_t place = one_in(rng, 40) ? TWIN_DEVICE_END : PICK(rng, places);
	twin_add(t, encode_lui(SPARE, upper_part(place)));
	add_access(t, rng, SPARE, place);
}

static void add_rotation(struct twin *t, uint64_t *rng)
{
	uint32_t a = value_of(rng), by = (uint32_t)between(rng, 0, 31), rd = value_of(rng), rest = (32 - by) & 31;
	uint32_t left = one_in(rng, 4) ? rd : SPARE, right = one_in(rng, 4) ? a : SPARE + 1;
	uint32_t how = (uint32_t)between(rng, 0, 2);
	if (one_in(rng, 6))
		rest = (uint32_t)between(rng, 0, 31);
	twin_add(t, encode_i(OP_IMM, 1, left, a, by));
	if (one_in(rng, 5))
		add_alu(t, rng);
	twin_add(t, encode_i(OP_IMM, 5, right, a, rest));
	if (one_in(rng, 5))
		add_alu(t, rng);
	twin_add(t, encode_r(OP_REG,
			     how == 0	? 6
			     : how == 1 ? 4
					: 0,
			     0, rd, one_in(rng, 2) ? left : right, one_in(rng, 2) ? right : left));
}

/* Branches over what is added next. */
static void add_branch(struct twin *t, uint64_t *rng)
{
	static const uint32_t conditions[] = {0, 1, 4, 5, 6, 7};
	uint32_t at = t->at, condition = PICK(rng, conditions), a = source_of(rng), b = source_of(rng);
	struct twin_side *s = t->sides;
	if (one_in(rng, 3)) { /* taken at times */
		twin_add(t, encode_i(OP_IMM, 7, SPARE, TIMES, (uint32_t)between(rng, 1, 7)));
		condition &= 1;
		a = SPARE;
		b = 0;
		at = t->at;
	}
	twin_add(t, 0x13);
	for (uint64_t i = between(rng, 0, 3); i > 0; i--)
		add_alu(t, rng);
	if (one_in(rng, 2))
		add_accesses(t, rng);
	uint32_t word = encode_b(condition, a, b, t->at - at);
	for (unsigned i = 0; i < 4; i++)
		s[0].code_bytes[at + i] = s[1].code_bytes[at + i] = (uint8_t)(word >> 8 * i);
}

/* A call over a routine that follows it: call, jump after it, routine. Now and then the routine returns elsewhere. */
static void add_call(struct twin *t, uint64_t *rng)
{
	uint32_t link = one_in(rng, 5) ? SPARE : LINK, at;
	if (one_in(rng, 3)) {
		twin_add(t, encode_u(OP_AUIPC, link, 0));
		twin_add(t, encode_jalr(link, link, 12));
	} else {
		twin_add(t, encode_jal(link, 8));
	}
	at = t->at;
	twin_add(t, 0x13);
	add_alu(t, rng);
	if (one_in(rng, 3))
		add_accesses(t, rng);
	if (one_in(rng, 5)) /* to itself, once: ra is after the jump then */
		twin_add(t, encode_r(OP_REG, 0, 0, link, link, 0));
	if (one_in(rng, 10)) {
		twin_add(t, encode_i(OP_IMM, 7, SPARE + 1, TIMES, 1));
		twin_add(t, encode_i(OP_IMM, 1, SPARE + 1, SPARE + 1, 0));
		twin_add(t, encode_r(OP_REG, 0, 0, link, link, SPARE + 1)); /* odd: bit 0 is lost */
	}
	twin_add(t, one_in(rng, 3) ? encode_c_reg(8, link, 0) : encode_jalr(0, link, 0));
	uint32_t word = encode_jal(0, t->at - at);
	for (unsigned i = 0; i < 4; i++)
		t->sides[0].code_bytes[at + i] = t->sides[1].code_bytes[at + i] = (uint8_t)(word >> 8 * i);
}

/* A jump to one of two places by what a register says. */
static void add_switch(struct twin *t, uint64_t *rng)
{
	uint32_t selector = one_in(rng, 2) ? TIMES : value_of(rng);
	twin_add(t, encode_i(OP_IMM, 7, SPARE, selector, 4));
	twin_add(t, encode_u(OP_AUIPC, SPARE + 1, 0));
	twin_add(t, encode_r(OP_REG, 0, 0, SPARE, SPARE, SPARE + 1));
	twin_add(t, encode_jalr(one_in(rng, 3) ? SPARE + 2 : 0, SPARE, 12));
	twin_add(t, encode_addi(value_of(rng), value_of(rng), 1));
	twin_add(t, encode_addi(value_of(rng), value_of(rng), 3));
}

static void add_inner_loop(struct twin *t, uint64_t *rng)
{
	twin_add(t, encode_addi(INNER, 0, (uint32_t)between(rng, 1, 5)));
	uint32_t at = t->at;
	add_alu(t, rng);
	if (one_in(rng, 2))
		add_accesses(t, rng);
	twin_add(t, encode_addi(INNER, INNER, UINT32_MAX));
	twin_add(t,
		 encode_b(one_in(rng, 2) ? 1 : 4, one_in(rng, 2) ? INNER : 0, one_in(rng, 2) ? 0 : INNER, at - t->at));
}

static void add_csr(struct twin *t, uint64_t *rng)
{
	static const uint32_t csrs[] = {0xc00, 0xc02, 0xc80, 0xcc0, 0xcc5, 0xcdf, 0xce0, 0xcff};
	if (one_in(rng, 6))
		twin_add(t, encode_i(OP_SYSTEM, 1, value_of(rng), value_of(rng), 0x801));
	else
		twin_add(t, encode_i(OP_SYSTEM, 2, value_of(rng), 0, PICK(rng, csrs)));
}

static void add_piece(struct twin *t, uint64_t *rng)
{
	switch (between(rng, 0, 19)) {
	case 0:
	case 1:
	case 2:
		add_accesses(t, rng);
		break;
	case 3:
		add_constant_access(t, rng);
		break;
	case 4:
		add_rotation(t, rng);
		break;
	case 5:
	case 6:
		add_branch(t, rng);
		break;
	case 7:
		add_call(t, rng);
		break;
	case 8:
		add_switch(t, rng);
		break;
	case 9:
		add_inner_loop(t, rng);
		break;
	case 10:
		add_csr(t, rng);
		break;
	case 11:
		twin_li(t, value_of(rng), (uint32_t)next_random(rng));
		break;
	case 12:
		twin_add(t, encode_hash(value_of(rng), source_of(rng), source_of(rng)));
		break;
	case 13:
		add_compressed(t, rng);
		break;
	case 14:
		if (one_in(rng, 4))
			twin_add(t, t->kind == TWIN_FLAT && one_in(rng, 2) ? ENCODED_FENCE_I : 0x0ff0000f);
		if (one_in(rng, 6))
			twin_add(t, ENCODED_ECALL);
		twin_add(t, encode_u(OP_AUIPC, value_of(rng), (uint32_t)next_random(rng) & 0xfffff000));
		break;
	default:
		add_alu(t, rng);
	}
}

static void set_registers(struct twin *t, uint64_t *rng)
{
	static const uint32_t values[] = {0, 1, 2, 5, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678};
	for (unsigned i = 0; i < 8; i++)
		twin_set(t, VALUE + i, one_in(rng, 2) ? PICK(rng, values) : (uint32_t)next_random(rng));
	for (unsigned i = 0; i < 4; i++) {
		uint32_t base = t->kind == TWIN_FLAT ? TWIN_CODE_BASE + 2048 : TWIN_DATA_BASE;
		uint32_t offset = (uint32_t)between(rng, 0, TWIN_DATA_BYTES - 1);
		const uint32_t places[] = {
			base + offset / 4 * 4,	    base + offset / 4 * 4, base + 32 + offset / 8 * 4, base + offset,
			base + TWIN_DATA_BYTES - 8, TWIN_DEVICE + 64,	   base + offset / 2 * 2,      0xfffffffc};
		twin_set(t, POINTER + i, PICK(rng, places));
	}
	twin_set(t, TIMES, (uint32_t)between(rng, 1, MOST_TIMES));
	twin_set(t, SPARE, (uint32_t)next_random(rng));
	twin_set(t, LINK, HART_RETURN_STUB);
}

/* Continues after the stop. False: there is no way. */
static bool go_on(struct twin *t, enum hart_cause cause)
{
	const struct hart *h = &t->sides[0].h;
	if (cause == HART_INPUT)
		return true;
	if (!code_holds(h->code, h->pc + 4) || cause == HART_RETURNED)
		return false;
	uint32_t skipped = cause == HART_EXITED ? 0 : (code_word(h->code, h->pc) & 3) == 3 ? 4 : 2;
	twin_jump(t, h->pc + skipped - TWIN_CODE_BASE);
	return true;
}

static uint64_t check_loop(uint64_t seed, uint64_t index)
{
	static struct twin t;
	uint64_t rng = random_of_index(seed, index);
	struct twin_shape shape = {.traps_misaligned = one_in(&rng, 2), .has_host = one_in(&rng, 2)};
	if (one_in(&rng, 3)) {
		shape.first_store = (uint32_t)between(&rng, 0, 60);
		shape.end_of_stores = shape.first_store + (uint32_t)between(&rng, 1, 190);
	}
	twin_init(&t, (enum twin_kind)(index % NR_TWIN_KINDS));
	t.name = "SAHM_IPU_INDEX";
	t.index = index;
	for (uint64_t i = between(&rng, 1, 16); i > 0; i--)
		add_piece(&t, &rng);
	twin_add(&t, encode_addi(TIMES, TIMES, UINT32_MAX));
	twin_add(&t, encode_b(1, TIMES, 0, 0 - t.at));
	if (one_in(&rng, 2))
		twin_add(&t, encode_jalr(0, LINK, 0));
	else
		twin_add(&t, ENCODED_EBREAK);
	if (one_in(&rng, 4))
		t.kind = (enum twin_kind)(t.kind == TWIN_FLAT ? TWIN_FLAT : TWIN_FIXED);
	twin_begin(&t, &shape);
	for (uint64_t round = between(&rng, 1, 4); round > 0; round--) {
		uint64_t slice = PICK(&rng, slices);
		uint64_t left = slice < 5 ? 600 : 3000;
		set_registers(&t, &rng);
		twin_jump(&t, 0);
		for (unsigned nr_stops = 0; left > 0 && nr_stops < 60; nr_stops++) {
			uint64_t before = t.sides[0].h.nr_retired;
			enum hart_cause cause = twin_run_in(&t, one_in(&rng, 3) ? PICK(&rng, slices) : slice, left);
			uint64_t done = t.sides[0].h.nr_retired - before;
			left -= done < left ? done : left;
			if (cause != HART_BUDGET && !go_on(&t, cause))
				break;
		}
		if (t.kind == TWIN_CHANGING && one_in(&rng, 4))
			twin_discard(&t);
	}
	uint64_t nr_traces = twin_counts(&t).nr_traces;
	twin_end(&t);
	return nr_traces;
}

static void test_random_loops(void **state)
{
	uint64_t nr = environment_number("SAHM_IPU_LOOPS", NR_LOOPS), seed = environment_number("SAHM_IPU_SEED", 1);
	uint64_t nr_traces = 0;

	(void)state;
	if (getenv("SAHM_IPU_INDEX")) {
		check_loop(seed, environment_number("SAHM_IPU_INDEX", 0));
		return;
	}
	for (uint64_t i = 0; i < nr; i++)
		nr_traces += check_loop(seed, i);
	assert_true(nr_traces > nr / 2);
}

/* A loop of every kind of end of a block, of which each instruction is the last of some slice. */
static void add_known_loop(struct twin *t)
{
	twin_li(t, POINTER, t->kind == TWIN_FLAT ? TWIN_CODE_BASE + 2048 : TWIN_DATA_BASE);
	twin_add(t, encode_addi(TIMES, 0, 30));
	uint32_t head = t->at;
	twin_add(t, encode_i(OP_LOAD, 2, VALUE, POINTER, 0));
	twin_add(t, encode_addi(VALUE + 1, VALUE + 1, 3));
	twin_add(t, encode_addi(VALUE + 1, VALUE + 1, 4)); /* earlier writes are dead, unless the run stops there */
	twin_add(t, encode_r(OP_REG, 0, 0, VALUE, VALUE, VALUE + 1));
	twin_add(t, encode_i(OP_IMM, 7, SPARE, TIMES, 3));
	twin_add(t, encode_b(1, SPARE, 0, 8));
	twin_add(t, encode_i(OP_IMM, 4, VALUE, VALUE, 0x55));
	twin_add(t, encode_jal(LINK, 8));
	twin_add(t, encode_jal(0, 16));
	twin_add(t, encode_s(OP_STORE, 2, POINTER, VALUE, 0));
	twin_add(t, encode_r(OP_REG, 4, 1, VALUE + 2, VALUE, TIMES));
	twin_add(t, encode_jalr(0, LINK, 0));
	twin_add(t, encode_c_addi(VALUE + 3, 1));
	twin_add(t, encode_addi(TIMES, TIMES, UINT32_MAX));
	twin_add(t, encode_b(1, TIMES, 0, head - t->at));
	twin_add(t, ENCODED_EBREAK);
}

static void test_every_budget(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_TWIN_KINDS; kind++) {
		for (uint64_t slice = 1; slice < 60; slice++) {
			static struct twin t;
			twin_init(&t, (enum twin_kind)kind);
			add_known_loop(&t);
			twin_begin(&t, &(struct twin_shape){0});
			for (unsigned round = 0; round < 3; round++) {
				twin_jump(&t, 0);
				assert_int_equal(twin_run_in(&t, round == 1 ? 1000 : slice, 1000), HART_BREAKPOINT);
			}
			/* And a budget that ends at each instruction of what is hot. */
			for (uint64_t budget = 0; budget < 45; budget++) {
				twin_jump(&t, 0);
				assert_int_equal(twin_run(&t, 100 + budget), HART_BUDGET);
			}
			twin_end(&t);
		}
	}
}

/* A pointer that runs out of the memory while the loop is hot: upwards, downwards, in steps that miss the edge. */
static void test_faults_of_hot_loops(void **state)
{
	static const struct {
		uint32_t first, step;
		bool is_store;
		uint32_t funct3;
	} rows[] = {
		{0, 4, false, 2},
		{0, 4, true, 2},
		{252, (uint32_t)-4, false, 2},
		{252, (uint32_t)-4, true, 2},
		{1, 4, false, 2},
		{2, 4, true, 1},
		{1, 3, false, 5},
		{0, 1, true, 0},
		{255, UINT32_MAX, false, 4},
		{0, 8, false, 2},
		{0, 12, true, 2},
		{4, 7, false, 1},
	};

	(void)state;
	for (unsigned kind = 0; kind < TWIN_FLAT; kind++) {
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			for (unsigned way = 0; way < 8; way++) {
				static struct twin t;
				twin_init(&t, (enum twin_kind)kind);
				twin_add(&t, encode_addi(VALUE, VALUE, 1));
				twin_add(&t, rows[i].is_store
						     ? encode_s(OP_STORE, rows[i].funct3, POINTER, VALUE, 0)
						     : encode_i(OP_LOAD, rows[i].funct3, VALUE + 1, POINTER, 0));
				if (way & 4) /* another access, which the same check may see to */
					twin_add(&t, encode_i(OP_LOAD, 4, VALUE + 2, POINTER, 4));
				twin_add(&t, encode_addi(VALUE, VALUE, 2));
				twin_add(&t, encode_addi(POINTER, POINTER, rows[i].step));
				twin_add(&t, encode_jal(0, 0 - t.at));
				twin_begin(&t, &(struct twin_shape){.traps_misaligned = way & 1, .has_host = way & 2});
				for (unsigned round = 0; round < 3; round++) {
					twin_set(&t, POINTER, TWIN_DATA_BASE + rows[i].first);
					twin_jump(&t, 0);
					enum hart_cause cause = twin_run_in(&t, round == 1 ? 3 : 5000, 5000);
					assert_true(hart_cause_is_fault(cause));
				}
				twin_end(&t);
			}
		}
	}
}

/* Returns that do not go where the calls came from. */
static void test_returns_elsewhere(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_TWIN_KINDS; kind++) {
		static struct twin t;
		twin_init(&t, (enum twin_kind)kind);
		twin_add(&t, encode_jal(LINK, 20)); /* to the routine */
		twin_add(&t, encode_addi(VALUE, VALUE, 1));
		twin_add(&t, encode_addi(VALUE + 1, VALUE + 1, 1));
		twin_add(&t, encode_jal(0, 0 - t.at));
		twin_add(&t, ENCODED_EBREAK);
		twin_add(&t, encode_addi(TIMES, TIMES, 1));
		twin_add(&t, encode_i(OP_IMM, 7, SPARE, TIMES, 7)); /* one time in eight 4 bytes later, */
		twin_add(&t, encode_i(OP_IMM, 3, SPARE, SPARE, 1));
		twin_add(&t, encode_i(OP_IMM, 1, SPARE, SPARE, 2));
		twin_add(&t, encode_r(OP_REG, 0, 0, LINK, LINK, SPARE));
		twin_add(&t, encode_i(OP_IMM, 2, SPARE, TIMES, 200)); /* and at last to where there is nothing */
		twin_add(&t, encode_b(1, SPARE, 0, 8));
		twin_add(&t, encode_addi(LINK, 0, 0x44));
		twin_add(&t, encode_jalr(0, LINK, 0));
		twin_begin(&t, &(struct twin_shape){0});
		assert_int_equal(twin_run_in(&t, 1000, 10000), HART_JUMP_OUTSIDE);
		assert_int_equal(t.sides[1].h.address, 0x44);
		assert_int_equal(hart_register(&t.sides[1].h, VALUE), 199 - 199 / 8);
		assert_int_equal(hart_register(&t.sides[1].h, VALUE + 1), 199);
		twin_end(&t);
	}
}

/* Actions of a host while the loop is hot: changes data, ends the run; it sees everything up to date. */
static void test_hosts_of_hot_loops(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < TWIN_FLAT; kind++) {
		for (unsigned way = 0; way < 6; way++) {
			static struct twin t;
			static const uint32_t places[] = {TWIN_DEVICE, TWIN_DEVICE_MEDDLER, TWIN_DEVICE_END};
			twin_init(&t, (enum twin_kind)kind);
			twin_li(&t, POINTER, places[way % 3]);
			twin_li(&t, POINTER + 1, TWIN_DATA_BASE);
			twin_add(&t, encode_addi(TIMES, 0, 100));
			uint32_t head = t.at;
			for (unsigned i = 0; i < 8; i++)
				twin_add(&t, encode_r(OP_REG, 0, 0, VALUE + i, VALUE + (i + 1) % 8, TIMES));
			if (way < 3)
				twin_add(&t, encode_i(OP_LOAD, 2, VALUE, POINTER, 0));
			else
				twin_add(&t, encode_s(OP_STORE, 2, POINTER, VALUE, 0));
			twin_add(&t, encode_i(OP_LOAD, 2, VALUE + 3, POINTER + 1, 8));
			twin_add(&t, encode_i(OP_SYSTEM, 2, VALUE + 4, 0, 0xc02));
			twin_add(&t, encode_addi(TIMES, TIMES, UINT32_MAX));
			twin_add(&t, encode_b(1, TIMES, 0, head - t.at));
			twin_add(&t, ENCODED_EBREAK);
			twin_begin(&t, &(struct twin_shape){.has_host = true});
			unsigned nr_ends = 0;
			enum hart_cause cause;
			while ((cause = twin_run_in(&t, 7 + 100 * (nr_ends % 2), 5000)) == HART_EXITED) {
				twin_jump(&t, t.sides[0].h.pc - TWIN_CODE_BASE);
				nr_ends++;
			}
			assert_int_equal(nr_ends, way == 5 ? 100 : 0);
			assert_int_equal(cause, HART_BREAKPOINT);
			twin_end(&t);
		}
	}
}

/* A list is followed: what was checked of one pointer says nothing of the next. */
static void test_pointers_that_are_loaded(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < TWIN_FLAT; kind++) {
		static struct twin t;
		twin_init(&t, (enum twin_kind)kind);
		twin_li(&t, TIMES, 60);
		twin_li(&t, POINTER, TWIN_DATA_BASE);
		uint32_t head = t.at;
		twin_add(&t, encode_i(OP_LOAD, 2, VALUE, POINTER, 0));
		twin_add(&t, encode_i(OP_LOAD, 2, POINTER, POINTER, 4));
		twin_add(&t, encode_i(OP_LOAD, 2, VALUE + 1, POINTER, 8));
		twin_add(&t, encode_addi(TIMES, TIMES, UINT32_MAX));
		twin_add(&t, encode_b(1, TIMES, 0, head - t.at));
		twin_add(&t, ENCODED_EBREAK);
		for (unsigned i = 0; i < 2; i++)
			poke(t.sides[i].data + 4, 4, TWIN_DATA_BASE);
		twin_begin(&t, &(struct twin_shape){0});
		assert_int_equal(twin_run(&t, 10000), HART_BREAKPOINT);
		for (unsigned i = 0; i < 2; i++)
			poke(t.sides[i].data + 4, 4, 0x7fff0000);
		/* Straight into what has been translated. */
		twin_set(&t, TIMES, 60);
		twin_set(&t, POINTER, TWIN_DATA_BASE);
		twin_jump(&t, head);
		assert_int_equal(twin_run(&t, 10000), HART_LOAD_OUTSIDE);
		assert_int_equal(t.sides[1].h.address, 0x7fff0008);
		twin_end(&t);
	}
}

/* A run that ends in front of code that has not been reached yet has looked at it all the same: later changes there are
 * not seen without fence.i. */
static void test_budgets_that_end_at_new_code(void **state)
{
	static struct twin t;
	(void)state;
	twin_init(&t, TWIN_CHANGING);
	twin_add(&t, encode_addi(TIMES, 0, 50));
	uint32_t head = t.at;
	twin_add(&t, encode_addi(TIMES, TIMES, UINT32_MAX));
	twin_add(&t, encode_b(1, TIMES, 0, head - t.at));
	uint32_t behind = t.at;
	twin_add(&t, encode_addi(VALUE, 0, 1));
	twin_add(&t, ENCODED_EBREAK);
	twin_begin(&t, &(struct twin_shape){0});
	assert_int_equal(twin_run(&t, 101), HART_BUDGET);
	assert_int_equal(t.sides[1].h.pc, TWIN_CODE_BASE + behind);
	for (unsigned i = 0; i < 2; i++)
		poke(t.sides[i].code_bytes + behind, 4, encode_addi(VALUE, 0, 2));
	assert_int_equal(twin_run(&t, 100), HART_BREAKPOINT);
	assert_int_equal(hart_register(&t.sides[1].h, VALUE), 1);
	twin_end(&t);
}

/* Environment calls that change one register while the loop is hot, whatever was known of it: that it is constant, that
 * addresses near it have been checked, that it is this far from another one, that it has been computed and not been
 * written. */
static void test_calls_that_change_registers(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < TWIN_FLAT; kind++) {
		for (uint32_t changed = 1; changed < NR_REGISTERS; changed++) {
			static struct twin t;
			twin_init(&t, (enum twin_kind)kind);
			twin_li(&t, TIMES, 40);
			uint32_t head = t.at;
			twin_li(&t, POINTER, TWIN_DATA_BASE + 8);
			twin_add(&t, encode_i(OP_LOAD, 2, VALUE, POINTER, 0));
			twin_add(&t, encode_addi(POINTER + 1, POINTER, 16));
			twin_add(&t, encode_addi(VALUE + 1, 0, 77));
			twin_add(&t, encode_r(OP_REG, 0, 0, VALUE + 2, VALUE, VALUE + 1));
			twin_add(&t, encode_r(OP_REG, 0, 0, POINTER + 2, POINTER + 3, 0));
			twin_add(&t, encode_i(OP_LOAD, 2, VALUE + 3, POINTER + 2, 4));
			/* Once in a while; the counter is kept elsewhere, since a7 says which register it is. */
			twin_add(&t, encode_r(OP_REG, 0, 0, SPARE, TIMES, 0));
			twin_add(&t, encode_i(OP_IMM, 7, SPARE + 1, TIMES, 3));
			twin_add(&t, encode_b(1, SPARE + 1, 0, 12));
			twin_add(&t, encode_addi(HART_A7, 0, changed));
			twin_add(&t, ENCODED_ECALL);
			if (changed != SPARE)
				twin_add(&t, encode_r(OP_REG, 0, 0, TIMES, SPARE, 0));
			else
				twin_add(&t, encode_i(OP_IMM, 7, TIMES, SPARE, 1));
			twin_add(&t, encode_r(OP_REG, 0, 0, VALUE + 5, VALUE + 5, VALUE + 1));
			twin_add(&t, encode_r(OP_REG, 0, 0, VALUE + 5, VALUE + 5, VALUE + 2));
			twin_add(&t, encode_i(OP_LOAD, 2, VALUE + 6, POINTER, 4));
			twin_add(&t, encode_i(OP_LOAD, 2, VALUE + 7, POINTER + 1, 8));
			twin_add(&t, encode_s(OP_STORE, 2, POINTER + 2, VALUE + 7, 8));
			twin_add(&t, encode_addi(TIMES, TIMES, UINT32_MAX));
			twin_add(&t, encode_b(1, TIMES, 0, head - t.at));
			twin_add(&t, ENCODED_EBREAK);
			twin_begin(&t, &(struct twin_shape){.has_host = true});
			t.name = "register";
			t.index = changed;
			for (unsigned round = 0; round < 4; round++) {
				twin_set(&t, POINTER + 3, TWIN_DATA_BASE + 128);
				twin_jump(&t, 0);
				twin_run_in(&t, round % 2 ? 11 : 4000, 4000);
			}
			twin_end(&t);
		}
	}
}

/* A hot loop that changes an instruction of itself, with fence.i or, decoded as it is, without. */
static void test_loops_that_change_themselves(void **state)
{
	(void)state;
	for (unsigned has_fence = 0; has_fence < 2; has_fence++) {
		for (uint64_t slice = 1; slice < 2000; slice = 3 * slice + 1) {
			static struct twin t;
			twin_init(&t, TWIN_FLAT);
			twin_li(&t, POINTER, TWIN_CODE_BASE);
			twin_li(&t, VALUE, encode_addi(VALUE + 1, VALUE + 1, 1));
			twin_add(&t, encode_lui(VALUE + 2, 0x100000));
			twin_add(&t, encode_addi(TIMES, 0, 200));
			uint32_t head = t.at;
			twin_add(&t, encode_addi(VALUE + 1, VALUE + 1, 1)); /* one more each time that it is changed */
			twin_add(&t, encode_i(OP_IMM, 7, SPARE, TIMES, 31));
			twin_add(&t, encode_b(1, SPARE, 0, 16));
			twin_add(&t, encode_r(OP_REG, 0, 0, VALUE, VALUE, VALUE + 2));
			twin_add(&t, encode_s(OP_STORE, 2, POINTER, VALUE, head));
			twin_add(&t, has_fence ? ENCODED_FENCE_I : 0x0ff0000f);
			twin_add(&t, encode_addi(TIMES, TIMES, UINT32_MAX));
			twin_add(&t, encode_b(1, TIMES, 0, head - t.at));
			twin_add(&t, ENCODED_EBREAK);
			twin_begin(&t, &(struct twin_shape){0});
			assert_int_equal(twin_run_in(&t, slice, 5000), HART_BREAKPOINT);
			assert_int_equal(hart_register(&t.sides[1].h, VALUE + 1),
					 has_fence ? 9 + 32 * (2 + 3 + 4 + 5 + 6) + 31 * 7 : 200);
			twin_end(&t);
		}
	}
}

/* Stores to the very instructions that are being executed: they are what they were up to code_discard(). */
static void test_discarded_while_hot(void **state)
{
	static struct twin t;

	(void)state;
	twin_init(&t, TWIN_CHANGING);
	twin_add(&t, encode_addi(VALUE, VALUE, 1));
	twin_add(&t, encode_jal(0, (uint32_t)-4));
	twin_begin(&t, &(struct twin_shape){0});
	for (uint32_t i = 1; i < 40; i++) {
		twin_run(&t, 400);
		assert_int_equal(hart_register(&t.sides[1].h, VALUE), 200 * i * (i + 1) / 2);
		t.at = 0;
		twin_add(&t, encode_addi(VALUE, VALUE, i + 1));
		/* Not yet: */
		twin_run(&t, 20);
		twin_set(&t, VALUE, 200 * i * (i + 1) / 2);
		twin_discard(&t);
	}
	twin_end(&t);
}

TEST_FILE(test_ipu_hot)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_budget),
		cmocka_unit_test(test_faults_of_hot_loops),
		cmocka_unit_test(test_returns_elsewhere),
		cmocka_unit_test(test_hosts_of_hot_loops),
		cmocka_unit_test(test_pointers_that_are_loaded),
		cmocka_unit_test(test_budgets_that_end_at_new_code),
		cmocka_unit_test(test_calls_that_change_registers),
		cmocka_unit_test(test_loops_that_change_themselves),
		cmocka_unit_test(test_discarded_while_hot),
		cmocka_unit_test(test_random_loops),
	};

	if (!tests_translator()) {
		puts("there is no translator for this host, or it is not wanted");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
