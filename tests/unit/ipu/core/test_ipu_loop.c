/* The hardware loop: how often and where it stops for inputs, what ends an iteration and what the whole, budgets, and
 * what it must not be. */
#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

#define START (MADE_CODE_BASE + 4)

/* ipu.loop x5 over the words that are added next; x5 is `times`. */
static void begin(struct made_hart *m, const uint32_t *words, unsigned nr_words, unsigned nr_body, uint32_t times,
		  unsigned flags)
{
	made_hart_init(m);
	made_hart_add(m, encode_loop(5, 4 * nr_body));
	for (unsigned i = 0; i < nr_words; i++)
		made_hart_add(m, words[i]);
	made_hart_begin_with(m, MADE_CODE_BYTES, flags);
	hart_set_register(&m->h, 5, times);
}

static void assert_at(const struct hart *h, enum hart_cause cause, uint32_t pc, uint64_t nr_retired, uint32_t left)
{
	assert_string_equal(hart_cause_text((enum hart_cause)h->cause), hart_cause_text(cause));
	assert_int_equal(h->pc, pc);
	assert_int_equal(h->nr_retired, nr_retired);
	assert_int_equal(h->loop_left, left);
}

/* Two instructions, which would be fused, three times; each time with other inputs. */
static void test_iterations(void **state)
{
	const uint32_t words[] = {encode_i(OP_SYSTEM, 2, 7, 0, HART_INPUT_CSR + 3), encode_r(OP_REG, 0, 0, 6, 6, 7),
				  ENCODED_EBREAK};

	(void)state;
	for (unsigned flags = 0; flags < 4; flags++) {
		uint64_t inputs[32] = {0};
		struct made_hart m;
		begin(&m, words, 3, 2, 3, flags);
		m.h.inputs = inputs;
		for (uint32_t i = 0; i < 3; i++) {
			assert_int_equal(made_run(&m.h, 100), HART_INPUT);
			assert_at(&m.h, HART_INPUT, START, 1 + 2 * i, 3 - i);
			assert_int_equal(m.h.loop_start, START);
			assert_int_equal(m.h.loop_end, START + 8);
			inputs[3] = UINT64_C(1) << 4 * i;
		}
		assert_int_equal(made_run(&m.h, 100), HART_BREAKPOINT);
		assert_at(&m.h, HART_BREAKPOINT, START + 8, 7, 0);
		assert_int_equal(hart_register(&m.h, 6), 0x111);
		assert_int_equal(m.h.nr_extra, 0);
		made_hart_end(&m);
	}
}

static void test_no_iteration(void **state)
{
	const uint32_t words[] = {encode_addi(6, 6, 1), encode_addi(6, 6, 2), encode_addi(6, 6, 4)};
	struct made_hart m;

	(void)state;
	begin(&m, words, 3, 2, 0, CODE_FIXED);
	assert_int_equal(made_run(&m.h, 2), HART_BUDGET);
	assert_at(&m.h, HART_BUDGET, START + 12, 2, 0);
	assert_int_equal(hart_register(&m.h, 6), 4);
	made_hart_end(&m);
}

/* In slices of every length: budgets are kept, inputs go before budgets, and the end of the loop costs nothing. */
static void test_budgets(void **state)
{
	const uint32_t words[] = {encode_addi(6, 6, 1), encode_addi(7, 6, 1), encode_addi(8, 6, 1),
				  encode_addi(9, 9, 1)};

	(void)state;
	for (unsigned flags = 0; flags < 4; flags++) {
		for (uint64_t slice = 1; slice < 9; slice++) {
			struct made_hart m;
			unsigned nr_stops = 0;
			begin(&m, words, 4, 3, 4, flags);
			while (m.h.nr_retired < 13) {
				uint64_t before = m.h.nr_retired, most = slice < 13 - before ? slice : 13 - before;
				enum hart_cause cause = made_run(&m.h, most);
				uint64_t body = m.h.nr_retired - 1;
				bool is_start = body % 3 == 0 && body < 12;
				nr_stops += cause == HART_INPUT;
				assert_int_equal(cause, is_start ? HART_INPUT : HART_BUDGET);
				assert_true(m.h.nr_retired - before <= most);
				assert_true(cause == HART_INPUT || m.h.nr_retired - before == most);
				assert_int_equal(m.h.pc, START + (body < 12 ? 4 * (body % 3) : 12));
				assert_int_equal(m.h.loop_left, body < 12 ? 4 - body / 3 : 0);
			}
			assert_int_equal(nr_stops, 4);
			assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
			assert_at(&m.h, HART_BUDGET, START + 16, 14, 0);
			assert_int_equal(hart_register(&m.h, 8), 5);
			made_hart_end(&m);
		}
	}
}

/* One branch in the middle of a body of three: where it leads, and what the loop makes of that. x6 counts the part
 * before it, x7 the part after it. */
static void test_branches(void **state)
{
	static const struct {
		int32_t offset; /* of the branch, which is at START + 4 */
		uint32_t pc, left;
		enum hart_cause cause;
		uint64_t budget, nr_retired;
	} rows[] = {
		{8, START, 1, HART_INPUT, 100, 3},	/* to the end: done */
		{4, START, 1, HART_INPUT, 100, 4},	/* to the last instruction */
		{-4, START, 2, HART_BUDGET, 2, 3},	/* to the beginning: still the same iteration */
		{-8, START - 4, 0, HART_BUDGET, 2, 3},	/* in front of the body: left */
		{10, START + 14, 0, HART_BUDGET, 2, 3}, /* after the end: left */
		{12, START + 16, 0, HART_BUDGET, 2, 3}, /* farther after it */
		{16, START + 20, 0, HART_BUDGET, 2, 3},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const uint32_t words[] = {encode_addi(6, 6, 1), encode_b(0, 0, 0, (uint32_t)rows[i].offset),
					  encode_addi(7, 7, 1)};
		for (unsigned flags = 0; flags < 4; flags++) {
			struct made_hart m;
			begin(&m, words, 3, 3, 2, flags);
			assert_int_equal(made_run(&m.h, 100), HART_INPUT);
			assert_int_equal(made_run(&m.h, rows[i].budget), rows[i].cause);
			assert_at(&m.h, rows[i].cause, rows[i].pc, rows[i].nr_retired, rows[i].left);
			assert_int_equal(hart_register(&m.h, 7), rows[i].offset == 4);
			made_hart_end(&m);
		}
	}
}

/* Having been left, it does not come back when control falls out of what was its body. */
static void test_left_for_good(void **state)
{
	const uint32_t words[] = {encode_addi(6, 6, 1), encode_b(0, 6, 8, 12),	  encode_addi(7, 7, 1),
				  ENCODED_EBREAK,	encode_addi(8, 0, 0x100), encode_jal(0, (uint32_t)-12)};

	(void)state;
	for (unsigned flags = 0; flags < 4; flags++) {
		struct made_hart m;
		begin(&m, words, 6, 3, 5, flags);
		hart_set_register(&m.h, 8, 2);
		assert_int_equal(made_run(&m.h, 100), HART_INPUT);
		assert_int_equal(made_run(&m.h, 100), HART_INPUT);
		/* The second time the branch leads out, and the jump there back to the last instruction. */
		assert_int_equal(made_run(&m.h, 100), HART_BREAKPOINT);
		assert_at(&m.h, HART_BREAKPOINT, START + 12, 1 + 3 + 5, 0);
		assert_int_equal(hart_register(&m.h, 7), 2);
		made_hart_end(&m);
	}
}

/* A return ends it, and so does a call, which comes back to a body that is none any more. */
static void test_calls(void **state)
{
	const uint32_t back[] = {encode_addi(6, 6, 1), encode_jalr(0, 1, 0), encode_addi(7, 7, 1)};
	const uint32_t call[] = {encode_jal(1, 12), encode_addi(6, 6, 1), ENCODED_EBREAK, encode_jalr(0, 1, 0)};
	struct made_hart m;

	(void)state;
	begin(&m, back, 3, 3, 3, 0);
	hart_set_register(&m.h, 1, HART_RETURN_STUB);
	assert_int_equal(made_run(&m.h, 100), HART_INPUT);
	assert_int_equal(made_run(&m.h, 100), HART_RETURNED);
	assert_at(&m.h, HART_RETURNED, HART_RETURN_STUB, 3, 0);
	made_hart_end(&m);
	begin(&m, call, 4, 2, 3, 0);
	assert_int_equal(made_run(&m.h, 100), HART_INPUT);
	assert_int_equal(made_run(&m.h, 100), HART_BREAKPOINT);
	assert_at(&m.h, HART_BREAKPOINT, START + 8, 4, 0);
	made_hart_end(&m);
}

/* One within another is a fault, even of no iterations; one after another is not. */
static void test_nesting(void **state)
{
	const uint32_t words[] = {encode_addi(6, 6, 1), encode_loop(0, 4), encode_addi(7, 7, 1), encode_addi(7, 7, 1)};
	const uint32_t behind[] = {encode_addi(6, 6, 1), encode_loop(5, 4), encode_addi(7, 7, 1), ENCODED_EBREAK};
	struct made_hart m;

	(void)state;
	begin(&m, words, 4, 3, 2, 0);
	assert_int_equal(made_run(&m.h, 100), HART_INPUT);
	assert_int_equal(made_run(&m.h, 100), HART_NESTED_LOOP);
	assert_fault(&m.h, HART_NESTED_LOOP, START + 4, START + 4, 2);
	assert_int_equal(made_run(&m.h, 100), HART_NESTED_LOOP);
	hart_jump(&m.h, START); /* forgets it */
	assert_int_equal(m.h.loop_left, 0);
	assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
	assert_at(&m.h, HART_BUDGET, START + 16, 5, 0);
	made_hart_end(&m);
	begin(&m, behind, 4, 1, 2, 0);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(made_run(&m.h, 100), HART_INPUT);
		assert_int_equal(m.h.pc, i < 2 ? START : START + 8);
	}
	assert_int_equal(made_run(&m.h, 100), HART_BREAKPOINT);
	assert_at(&m.h, HART_BREAKPOINT, START + 12, 6, 0);
	made_hart_end(&m);
}

/* A body may reach to the last byte of the code; then nothing follows it. A byte pair less, and it is none. */
static void test_end_of_code(void **state)
{
	(void)state;
	for (uint32_t times = 0; times < 3; times++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_loop(5, 8));
		made_hart_add(&m, encode_addi(6, 6, 1));
		made_hart_add(&m, encode_addi(6, 6, 1));
		made_hart_begin_with(&m, 12, 0);
		hart_set_register(&m.h, 5, times);
		for (uint32_t i = 0; i < times; i++)
			assert_int_equal(made_run(&m.h, 100), HART_INPUT);
		assert_int_equal(made_run(&m.h, 100), HART_FETCH_OUTSIDE);
		assert_at(&m.h, HART_FETCH_OUTSIDE, START + 8, 1 + 2 * times, 0);
		made_hart_end(&m);
	}
	struct made_hart m;
	made_hart_init(&m);
	made_hart_add(&m, encode_loop(5, 8));
	made_hart_add(&m, encode_addi(6, 6, 1));
	made_hart_begin_with(&m, 10, 0);
	assert_int_equal(made_run(&m.h, 100), HART_ILLEGAL_INSTRUCTION);
	assert_fault(&m.h, HART_ILLEGAL_INSTRUCTION, MADE_CODE_BASE, MADE_CODE_BASE, 0);
	made_hart_end(&m);
}

/* Half-words at its end; an instruction that lies across it is the way out. */
static void test_half_words(void **state)
{
	struct made_hart m;

	(void)state;
	made_hart_init(&m);
	made_hart_add(&m, encode_loop(5, 4));
	made_hart_add(&m, encode_c_addi(6, 1));
	made_hart_add(&m, encode_c_addi(7, 2));
	made_hart_add(&m, ENCODED_C_EBREAK);
	made_hart_begin(&m);
	hart_set_register(&m.h, 5, 2);
	assert_int_equal(made_run(&m.h, 100), HART_INPUT);
	assert_int_equal(made_run(&m.h, 100), HART_INPUT);
	assert_int_equal(made_run(&m.h, 100), HART_BREAKPOINT);
	assert_at(&m.h, HART_BREAKPOINT, START + 4, 5, 0);
	assert_int_equal(hart_register(&m.h, 7), 4);
	made_hart_end(&m);
	made_hart_init(&m);
	made_hart_add(&m, encode_loop(5, 4));
	made_hart_add(&m, encode_c_addi(6, 1));
	made_hart_add(&m, encode_addi(7, 7, 2));
	made_hart_add(&m, ENCODED_C_EBREAK);
	made_hart_begin(&m);
	hart_set_register(&m.h, 5, 2);
	assert_int_equal(made_run(&m.h, 100), HART_INPUT);
	assert_int_equal(made_run(&m.h, 100), HART_BREAKPOINT);
	assert_at(&m.h, HART_BREAKPOINT, START + 6, 3, 0);
	made_hart_end(&m);
}

/* A fault in the body is where it is, and stays. */
static void test_faults(void **state)
{
	const uint32_t words[] = {encode_addi(6, 6, 1), encode_i(OP_LOAD, 2, 7, 0, 0), encode_addi(7, 7, 1)};
	struct made_hart m;

	(void)state;
	begin(&m, words, 3, 3, 2, 0);
	assert_int_equal(made_run(&m.h, 100), HART_INPUT);
	assert_int_equal(made_run(&m.h, 100), HART_LOAD_OUTSIDE);
	assert_fault(&m.h, HART_LOAD_OUTSIDE, START + 4, 0, 2);
	assert_int_equal(made_run(&m.h, 100), HART_LOAD_OUTSIDE);
	assert_false(hart_cause_is_fault(HART_INPUT));
	made_hart_end(&m);
}

TEST_FILE(test_ipu_loop)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_iterations),    cmocka_unit_test(test_no_iteration),
		cmocka_unit_test(test_budgets),	      cmocka_unit_test(test_branches),
		cmocka_unit_test(test_left_for_good), cmocka_unit_test(test_calls),
		cmocka_unit_test(test_nesting),	      cmocka_unit_test(test_end_of_code),
		cmocka_unit_test(test_half_words),    cmocka_unit_test(test_faults),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
