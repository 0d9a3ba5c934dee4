/* Jumps, branches, calls and returns: where they lead, what they link, what is outside. */
#include <stdlib.h>

#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

/* Code of nothing but c.nop, in the middle of which an instruction stands. */
#define WIDE_BASE 0x40000000u
#define WIDE_BYTES 0x300000u
#define MIDDLE 0x180000u

struct wide_hart {
	struct hart h;
	struct code *code;
	uint8_t *bytes;
};

static void put(struct wide_hart *w, uint32_t at, uint32_t word)
{
	for (unsigned i = 0; i < ((word & 3) == 3 ? 4 : 2); i++)
		w->bytes[at + i] = (uint8_t)(word >> 8 * i);
}

static int make_wide_hart(void **state)
{
	struct wide_hart *w = calloc(1, sizeof(*w));
	struct sahm_err err;

	w->bytes = malloc(WIDE_BYTES);
	for (uint32_t i = 0; i < WIDE_BYTES; i += 2)
		put(w, i, ENCODED_C_NOP);
	*state = w;
	return code_new(&w->code, WIDE_BASE, w->bytes, WIDE_BYTES, 0, &err) != SAHM_OK;
}

static int free_wide_hart(void **state)
{
	struct wide_hart *w = *state;

	made_translation_free(&w->h);
	code_free(w->code);
	free(w->bytes);
	free(w);
	return 0;
}

/* The hart as it was made, but for the translation of its code. */
static void begin_again(struct wide_hart *w)
{
	struct translation *translation = w->h.translation;

	hart_init(&w->h, w->code);
	w->h.translation = translation;
}

/* Runs `word`, which stands in the middle, and compares where it leads. */
static void leads_to(struct wide_hart *w, uint32_t word, unsigned r1, uint32_t a, unsigned r2, uint32_t b,
		     uint32_t target)
{
	put(w, MIDDLE, word);
	put(w, MIDDLE + 4, ENCODED_C_NOP);
	code_discard(w->code);
	begin_again(w);
	hart_set_register(&w->h, r1, a);
	hart_set_register(&w->h, r2, b);
	hart_jump(&w->h, WIDE_BASE + MIDDLE);
	assert_int_equal(made_run(&w->h, 1), HART_BUDGET);
	assert_int_equal(w->h.nr_retired, 1);
	assert_int_equal(w->h.pc, WIDE_BASE + MIDDLE + target);
	put(w, MIDDLE, ENCODED_C_NOP);
	put(w, MIDDLE + 2, ENCODED_C_NOP);
}

static void test_branches(void **state)
{
	static const struct {
		const char *name;
		uint32_t funct3, a, b;
		bool taken;
	} rows[] = {
		{"beq", 0, 5, 5, true},		  {"beq", 0, 5, 6, false},
		{"beq", 0, 0x80000000, 0, false}, {"bne", 1, 5, 6, true},
		{"bne", 1, 5, 5, false},	  {"bne", 1, 0x80000005, 5, true},
		{"blt", 4, 0xffffffff, 0, true},  {"blt", 4, 0, 0xffffffff, false},
		{"blt", 4, 7, 7, false},	  {"blt", 4, 0x80000000, 0x7fffffff, true},
		{"bge", 5, 0, 0xffffffff, true},  {"bge", 5, 0xffffffff, 0, false},
		{"bge", 5, 7, 7, true},		  {"bge", 5, 0x80000000, 0x7fffffff, false},
		{"bltu", 6, 0, 0xffffffff, true}, {"bltu", 6, 0xffffffff, 0, false},
		{"bltu", 6, 7, 7, false},	  {"bltu", 6, 0x7fffffff, 0x80000000, true},
		{"bgeu", 7, 0xffffffff, 0, true}, {"bgeu", 7, 0, 0xffffffff, false},
		{"bgeu", 7, 7, 7, true},	  {"bgeu", 7, 0x7fffffff, 0x80000000, false},
	};
	static const uint32_t offsets[] = {
		2, 4, 6, 8, 32, 1024, 2048, 4094, (uint32_t)-2, (uint32_t)-4, (uint32_t)-2048, (uint32_t)-4096};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(offsets); k++)
			leads_to(*state, encode_b(rows[i].funct3, 11, 27, offsets[k]), 11, rows[i].a, 27, rows[i].b,
				 rows[i].taken ? offsets[k] : 4);
	}
	leads_to(*state, encode_b(0, 0, 0, 100), 1, 1, 2, 2, 100);
	leads_to(*state, encode_b(5, 11, 0, 100), 11, 0xffffffff, 2, 2, 4);
	leads_to(*state, encode_b(4, 0, 27, 100), 1, 1, 27, 1, 100);
}

static void test_compressed_branches(void **state)
{
	static const uint32_t offsets[] = {4, 6, 8, 16, 32, 64, 128, 254, (uint32_t)-2, (uint32_t)-64, (uint32_t)-256};

	for (size_t k = 0; k < ARRAY_SIZE(offsets); k++) {
		leads_to(*state, encode_c_branch(6, 8, offsets[k]), 8, 0, 0, 0, offsets[k]);
		leads_to(*state, encode_c_branch(6, 15, offsets[k]), 15, 0x80000000, 0, 0, 2);
		leads_to(*state, encode_c_branch(7, 8, offsets[k]), 8, 0, 0, 0, 2);
		leads_to(*state, encode_c_branch(7, 15, offsets[k]), 15, 0x80000000, 0, 0, offsets[k]);
	}
}

static void test_jumps_and_links(void **state)
{
	static const uint32_t offsets[] = {2,
					   4,
					   6,
					   32,
					   2046,
					   2048,
					   4096,
					   0x7f000,
					   0x80000,
					   0xffffe,
					   (uint32_t)-2,
					   (uint32_t)-2048,
					   (uint32_t)-4096,
					   (uint32_t)-0x100000};
	static const uint32_t near[] = {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2046, (uint32_t)-2, (uint32_t)-2048};
	struct wide_hart *w = *state;

	for (size_t k = 0; k < ARRAY_SIZE(offsets); k++) {
		leads_to(w, encode_jal(31, offsets[k]), 1, 0, 2, 0, offsets[k]);
		assert_int_equal(hart_register(&w->h, 31), WIDE_BASE + MIDDLE + 4);
		leads_to(w, encode_jal(0, offsets[k]), 1, 7, 2, 0, offsets[k]);
		assert_int_equal(hart_register(&w->h, 0), 0);
	}
	for (size_t k = 0; k < ARRAY_SIZE(near); k++) {
		leads_to(w, encode_c_jump(1, near[k]), 2, 0, 3, 0, near[k]);
		assert_int_equal(hart_register(&w->h, 1), WIDE_BASE + MIDDLE + 2);
		leads_to(w, encode_c_jump(5, near[k]), 1, 77, 3, 0, near[k]);
		assert_int_equal(hart_register(&w->h, 1), 77);
	}
}

static void test_jalr(void **state)
{
	struct wide_hart *w = *state;
	uint32_t here = WIDE_BASE + MIDDLE;

	leads_to(w, encode_jalr(1, 5, 0), 5, here + 100, 2, 0, 100);
	assert_int_equal(hart_register(&w->h, 1), here + 4);
	leads_to(w, encode_jalr(1, 5, 2047), 5, here - 1947, 2, 0, 100);
	leads_to(w, encode_jalr(1, 5, (uint32_t)-2048), 5, here + 2148, 2, 0, 100);
	/* bit 0 of the sum is cleared, whichever it comes from; two odd ones make an even one */
	leads_to(w, encode_jalr(1, 5, 0), 5, here + 101, 2, 0, 100);
	leads_to(w, encode_jalr(1, 5, 1), 5, here + 100, 2, 0, 100);
	leads_to(w, encode_jalr(1, 5, 1), 5, here + 99, 2, 0, 100);
	/* rs1 is read before rd is written */
	leads_to(w, encode_jalr(5, 5, 4), 5, here + 100, 2, 0, 104);
	assert_int_equal(hart_register(&w->h, 5), here + 4);
	leads_to(w, encode_jalr(0, 5, 0), 5, here + 100, 2, 0, 100);
	assert_int_equal(hart_register(&w->h, 0), 0);
	assert_int_equal(hart_register(&w->h, 5), here + 100);
	leads_to(w, encode_c_reg(8, 5, 0), 5, here + 101, 1, 3, 100);
	assert_int_equal(hart_register(&w->h, 1), 3);
	leads_to(w, encode_c_reg(9, 5, 0), 5, here + 101, 1, 3, 100);
	assert_int_equal(hart_register(&w->h, 1), here + 2);
	leads_to(w, encode_c_reg(9, 1, 0), 1, here + 100, 2, 0, 100);
	assert_int_equal(hart_register(&w->h, 1), here + 2);
}

/* auipc and jalr are the usual far call: the link counts from the jalr. */
static void test_far_call(void **state)
{
	struct wide_hart *w = *state;
	uint32_t here = WIDE_BASE + MIDDLE;

	put(w, MIDDLE, encode_u(OP_AUIPC, 1, 0x1000));
	put(w, MIDDLE + 4, encode_jalr(1, 1, (uint32_t)-16));
	code_discard(w->code);
	begin_again(w);
	hart_jump(&w->h, here);
	assert_int_equal(made_run(&w->h, 2), HART_BUDGET);
	assert_int_equal(w->h.pc, here + 0x1000 - 16);
	assert_int_equal(hart_register(&w->h, 1), here + 8);
	for (uint32_t i = 0; i < 8; i += 2)
		put(w, MIDDLE + i, ENCODED_C_NOP);
}

/* Blocks without any control transfer, longer than what a block can count. */
static void test_a_million_instructions_in_a_row(void **state)
{
	struct wide_hart *w = *state;
	uint64_t nr = WIDE_BYTES / 2;

	code_discard(w->code);
	for (uint64_t budget = 65533; budget <= 65538; budget++) {
		begin_again(w);
		assert_int_equal(made_run(&w->h, budget), HART_BUDGET);
		assert_int_equal(w->h.nr_retired, budget);
		assert_int_equal(w->h.pc, WIDE_BASE + 2 * budget);
		assert_int_equal(made_run(&w->h, 1), HART_BUDGET);
		assert_int_equal(w->h.pc, WIDE_BASE + 2 * budget + 2);
	}
	begin_again(w);
	assert_int_equal(made_run(&w->h, nr + 1), HART_FETCH_OUTSIDE);
	assert_fault(&w->h, HART_FETCH_OUTSIDE, WIDE_BASE + WIDE_BYTES, WIDE_BASE + WIDE_BYTES, nr);
}

/* Targets outside: nothing is linked, pc stays. The first that is outside, and the last that is not. */
static void test_targets_outside(void **state)
{
	const struct {
		uint32_t word, x5, target;
		bool is_outside;
	} rows[] = {
		{encode_jal(1, 62), 0, MADE_CODE_BASE + 62, false},
		{encode_jal(1, 64), 0, MADE_CODE_BASE + 64, true},
		{encode_jal(1, (uint32_t)-2), 0, MADE_CODE_BASE - 2, true},
		{encode_jal(1, 0xffffe), 0, MADE_CODE_BASE + 0xffffe, true},
		{encode_c_jump(1, 62), 0, MADE_CODE_BASE + 62, false},
		{encode_c_jump(1, 64), 0, MADE_CODE_BASE + 64, true},
		{encode_c_jump(5, (uint32_t)-2), 0, MADE_CODE_BASE - 2, true},
		{encode_jalr(1, 5, 0), MADE_CODE_BASE + 63, MADE_CODE_BASE + 62, false},
		{encode_jalr(1, 5, 0), MADE_CODE_BASE + 65, MADE_CODE_BASE + 64, true},
		{encode_jalr(1, 5, 1), MADE_CODE_BASE - 2, MADE_CODE_BASE - 2, true},
		{encode_jalr(5, 5, 0), 0xffffffff, 0xfffffffe, true},
		{encode_jalr(1, 0, 0), 0, 0, true},
		{encode_c_reg(9, 5, 0), MADE_CODE_BASE + 65, MADE_CODE_BASE + 64, true},
		{encode_c_reg(8, 5, 0), 3, 2, true},
		{encode_b(0, 0, 0, 62), 0, MADE_CODE_BASE + 62, false},
		{encode_b(0, 0, 0, 64), 0, MADE_CODE_BASE + 64, true},
		{encode_b(1, 5, 0, 64), 1, MADE_CODE_BASE + 64, true},
		{encode_b(1, 5, 0, 64), 0, MADE_CODE_BASE + 4, false}, /* not taken */
		{encode_b(4, 5, 0, (uint32_t)-4), 0x80000000, MADE_CODE_BASE - 4, true},
		{encode_b(5, 5, 0, (uint32_t)-4), 0, MADE_CODE_BASE - 4, true},
		{encode_b(6, 0, 5, (uint32_t)-4), 1, MADE_CODE_BASE - 4, true},
		{encode_b(7, 5, 0, (uint32_t)-4), 0, MADE_CODE_BASE - 4, true},
		{encode_b(7, 0, 5, (uint32_t)-4), 1, MADE_CODE_BASE + 4, false},
		{encode_c_branch(6, 8, 64), 0, MADE_CODE_BASE + 64, true},
		{encode_c_branch(6, 8, 62), 0, MADE_CODE_BASE + 62, false},
		{encode_c_branch(7, 8, 64), 0, MADE_CODE_BASE + 2, false},
		{encode_jal(1, 0xfffff000 & 0x1ffffe), 0, 0, true},
	};

	(void)state;
	for (unsigned flags = 0; flags <= CODE_FIXED; flags++) {
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct made_hart m;
			made_hart_init(&m);
			made_hart_add(&m, rows[i].word);
			made_hart_begin_with(&m, MADE_CODE_BYTES, flags);
			hart_set_register(&m.h, 5, rows[i].x5);
			enum hart_cause cause = made_run(&m.h, 1);
			if (rows[i].is_outside) {
				assert_int_equal(cause, HART_JUMP_OUTSIDE);
				assert_fault(&m.h, HART_JUMP_OUTSIDE, MADE_CODE_BASE, rows[i].target, 0);
				assert_int_equal(hart_register(&m.h, 1), 0);
				assert_int_equal(hart_register(&m.h, 5), rows[i].x5);
			} else {
				assert_int_equal(cause, HART_BUDGET);
				assert_int_equal(m.h.pc, rows[i].target);
			}
			made_hart_end(&m);
		}
	}
}

/* hart_call() */

static void test_call_and_return(void **state)
{
	const uint32_t returns[] = {encode_jalr(0, 1, 0), encode_c_reg(8, 1, 0), encode_jalr(0, 1, 1)};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, 0);
		made_hart_add(&m, encode_r(OP_REG, 0, 0, 10, 10, 11)); /* at 2 */
		made_hart_add(&m, returns[i]);
		made_hart_begin(&m);
		for (uint32_t n = 0; n < 3; n++) {
			hart_set_register(&m.h, HART_A0, n);
			hart_set_register(&m.h, 11, 40);
			hart_set_register(&m.h, HART_SP, 77);
			assert_int_equal(made_call(&m.h, MADE_CODE_BASE + 2, 2), HART_RETURNED);
			assert_int_equal(hart_register(&m.h, HART_A0), n + 40);
			assert_int_equal(hart_register(&m.h, HART_SP), 77);
			assert_int_equal(hart_register(&m.h, HART_RA), HART_RETURN_STUB);
			assert_int_equal(m.h.nr_retired, 2 * (n + 1));
			assert_false(hart_cause_is_fault((enum hart_cause)m.h.cause));
		}
		/* One instruction short; then the rest. */
		assert_int_equal(made_call(&m.h, MADE_CODE_BASE + 2, 1), HART_BUDGET);
		assert_int_equal(made_run(&m.h, 1), HART_RETURNED);
		assert_int_equal(made_run(&m.h, 1), HART_RETURNED);
		assert_int_equal(m.h.nr_retired, 8);
		made_hart_end(&m);
	}
}

static void test_calls_outside(void **state)
{
	static const uint32_t entries[] = {0, MADE_CODE_BASE - 2, MADE_CODE_BASE + MADE_CODE_BYTES + 2, 0xfffffffe};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_begin(&m);
		assert_int_equal(made_call(&m.h, entries[i], 10), HART_JUMP_OUTSIDE);
		assert_fault(&m.h, HART_JUMP_OUTSIDE, entries[i], entries[i], 0);
		made_hart_end(&m);
	}
}

TEST_FILE(test_ipu_jump)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_branches, make_wide_hart, free_wide_hart),
		cmocka_unit_test_setup_teardown(test_compressed_branches, make_wide_hart, free_wide_hart),
		cmocka_unit_test_setup_teardown(test_jumps_and_links, make_wide_hart, free_wide_hart),
		cmocka_unit_test_setup_teardown(test_jalr, make_wide_hart, free_wide_hart),
		cmocka_unit_test_setup_teardown(test_far_call, make_wide_hart, free_wide_hart),
		cmocka_unit_test_setup_teardown(test_a_million_instructions_in_a_row, make_wide_hart, free_wide_hart),
		cmocka_unit_test(test_targets_outside),
		cmocka_unit_test(test_call_and_return),
		cmocka_unit_test(test_calls_outside),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
