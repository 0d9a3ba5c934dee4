/* What stops a hart: reserved encodings, the end of the code, budgets, breakpoints, CSRs; how it goes on afterwards. */
#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

/* Encodings that the specification reserves, or that belong to extensions which are not there. */
static const struct {
	const char *name;
	uint32_t word;
} illegal_rows[] = {
	{"all zeros", 0x00000000},
	{"all ones", 0xffffffff},
	{"branch, funct3 2", 0x00002063},
	{"branch, funct3 3", 0x00003063},
	{"ld", 0x00003003},
	{"lwu", 0x00006003},
	{"load, funct3 7", 0x00007003},
	{"sd", 0x00003023},
	{"store, funct3 4", 0x00004023},
	{"jalr, funct3 1", 0x00001067},
	{"slli by 32", 0x02001013},
	{"slli, funct7 0x20", 0x40001013},
	{"srli by 32", 0x02005013},
	{"srai by 32", 0x42005013},
	{"srli, funct7 0x10", 0x20005013},
	{"slt, funct7 0x20", 0x40002033},
	{"and, funct7 0x20", 0x40007033},
	{"sll, funct7 0x20", 0x40001033},
	{"OP, funct7 2", 0x04000033},
	{"OP, funct7 0x21", 0x42000033},
	{"fence, funct3 2", 0x0000200f},
	{"system, funct3 4", 0x00004073},
	{"ecall with rd", 0x000000f3},
	{"ecall with rs1", 0x00008073},
	{"uret", 0x00200073},
	{"mret", 0x30200073},
	{"wfi", 0x10500073},
	{"lr.w", 0x1000202f},
	{"flw", 0x00002007},
	{"addiw", 0x0000001b},
	{"addw", 0x0000003b},
	{"ipu.hash, funct7 1", 0x0200000b},
	{"ipu.hist with rd", 0x0000108b},
	{"ipu.hist, funct7 1", 0x0200100b},
	{"ipu.histin with rd", 0x0000208b},
	{"ipu.histin of input 32", 0x0200200b},
	{"ipu.histin without inputs", 0x0000200b},
	{"ipu.loop of no bytes", 0x0000300b},
	{"ipu.loop with rd", 0x0040308b},
	{"ipu.loop of 2 bytes", 0x0020300b},
	{"ipu.loop of 6 bytes", 0x0060300b},
	{"ipu.loop of -4 bytes", 0xffc0300b},
	{"ipu.loop of -2048 bytes", 0x8000300b},
	{"ipu.loop beyond the end of the code", 0x03c0300b},
	{"custom-0, funct3 4", 0x0000400b},
	{"custom-1", 0x0000002b},
	{"c.addi4spn of 0", 0x0004},
	{"c.fld", 0x2000},
	{"c.flw", 0x6000},
	{"quadrant 0, funct3 4", 0x8000},
	{"c.fsd", 0xa000},
	{"c.fsw", 0xe000},
	{"c.addi16sp of 0", 0x6101},
	{"c.lui of 0", 0x6281},
	{"c.lui of 0 to x0", 0x6001},
	{"c.srli by 32", 0x9001},
	{"c.srai by 32", 0x9401},
	{"c.subw", 0x9c01},
	{"c.addw", 0x9c21},
	{"reserved beside c.addw", 0x9c41},
	{"c.slli by 32", 0x1002},
	{"c.fldsp", 0x2002},
	{"c.lwsp to x0", 0x4002},
	{"c.flwsp", 0x6002},
	{"c.jr x0", 0x8002},
	{"c.fsdsp", 0xa002},
	{"c.fswsp", 0xe002},
};

static void test_reserved_encodings(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(illegal_rows); i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_addi(5, 0, 1));
		made_hart_add(&m, illegal_rows[i].word);
		made_hart_begin(&m);
		for (unsigned r = 1; r < 32; r++)
			hart_set_register(&m.h, r, MADE_DATA_BASE);
		if (made_run(&m.h, 2) != HART_ILLEGAL_INSTRUCTION)
			fail_msg("%s: %s", illegal_rows[i].name, hart_cause_text((enum hart_cause)m.h.cause));
		assert_fault(&m.h, HART_ILLEGAL_INSTRUCTION, MADE_CODE_BASE + 4, MADE_CODE_BASE + 4, 1);
		assert_int_equal(hart_register(&m.h, 5), 1);
		assert_int_equal(hart_register(&m.h, 6), MADE_DATA_BASE);
		made_hart_end(&m);
	}
}

static void test_breakpoints(void **state)
{
	const uint32_t words[] = {ENCODED_EBREAK, ENCODED_C_EBREAK};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, ENCODED_C_NOP);
		made_hart_add(&m, words[i]);
		made_hart_begin(&m);
		assert_int_equal(made_run(&m.h, 100), HART_BREAKPOINT);
		assert_fault(&m.h, HART_BREAKPOINT, MADE_CODE_BASE + 2, MADE_CODE_BASE + 2, 1);
		made_hart_end(&m);
	}
}

/* A fault stays until hart_jump(); it takes nothing from what comes afterwards. */
static void test_faults_stay(void **state)
{
	struct made_hart m;

	(void)state;
	made_hart_init(&m);
	made_hart_add(&m, encode_i(OP_LOAD, 2, 5, 0, 0));
	made_hart_add(&m, encode_addi(6, 0, 1));
	made_hart_begin(&m);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(made_run(&m.h, 100), HART_LOAD_OUTSIDE);
		assert_fault(&m.h, HART_LOAD_OUTSIDE, MADE_CODE_BASE, 0, 0);
		assert_true(hart_cause_is_fault((enum hart_cause)m.h.cause));
	}
	hart_jump(&m.h, MADE_CODE_BASE + 5); /* bit 0 does not count */
	assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
	assert_false(hart_cause_is_fault((enum hart_cause)m.h.cause));
	assert_int_equal(hart_register(&m.h, 6), 1);
	assert_int_equal(m.h.nr_retired, 1);
	made_hart_end(&m);
}

/* The second of two neighbours faults: the first has been done. And the other way round. */
static void test_faults_within_pairs(void **state)
{
	const uint32_t words[] = {encode_i(OP_LOAD, 2, 7, 6, 0), encode_s(OP_STORE, 2, 6, 7, 0), encode_jalr(7, 6, 0)};
	static const enum hart_cause causes[] = {HART_LOAD_OUTSIDE, HART_STORE_OUTSIDE, HART_JUMP_OUTSIDE};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (unsigned flags = 0; flags <= (CODE_FIXED | CODE_UNFUSED); flags++) {
			struct made_hart m;
			made_hart_init(&m);
			made_hart_add(&m, encode_addi(6, 6, 16));
			made_hart_add(&m, words[i]);
			made_hart_begin_with(&m, MADE_CODE_BYTES, flags);
			hart_set_register(&m.h, 6, 0x100);
			assert_int_equal(made_run(&m.h, 100), causes[i]);
			assert_fault(&m.h, causes[i], MADE_CODE_BASE + 4, 0x110, 1);
			assert_int_equal(hart_register(&m.h, 6), 0x110);
			assert_int_equal(hart_register(&m.h, 7), 0);
			made_hart_end(&m);
		}
	}
}

static void test_first_of_a_pair_faults(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= (CODE_FIXED | CODE_UNFUSED); flags++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_i(OP_LOAD, 2, 7, 6, 0));
		made_hart_add(&m, encode_addi(8, 7, 1));
		made_hart_begin_with(&m, MADE_CODE_BYTES, flags);
		hart_set_register(&m.h, 7, 5);
		assert_int_equal(made_run(&m.h, 100), HART_LOAD_OUTSIDE);
		assert_fault(&m.h, HART_LOAD_OUTSIDE, MADE_CODE_BASE, 0, 0);
		assert_int_equal(hart_register(&m.h, 7), 5);
		assert_int_equal(hart_register(&m.h, 8), 0);
		made_hart_end(&m);
	}
}

/* The end of the code: complete instructions are executed, missing and partial ones are not; in one run or several. */
static void test_end_of_code(void **state)
{
	static const struct {
		uint32_t nr_bytes, pc;
		uint64_t nr_retired;
	} rows[] = {
		{2, 0, 0},			     /* half of the first */
		{4, 4, 1},   {6, 6, 2},	  {8, 6, 2}, /* half of the third, which straddles a word, too */
		{10, 10, 3}, {12, 12, 4},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (unsigned steps = 0; steps < 2; steps++) {
			struct made_hart m;
			enum hart_cause cause;
			made_hart_init(&m);
			made_hart_add(&m, encode_addi(5, 5, 1));
			made_hart_add(&m, encode_c_addi(5, 1));
			made_hart_add(&m, encode_addi(5, 5, 1));
			made_hart_add(&m, encode_c_addi(5, 1));
			made_hart_begin_with(&m, rows[i].nr_bytes, 0);
			do
				cause = made_run(&m.h, steps ? 1 : 100);
			while (steps && cause == HART_BUDGET);
			assert_fault(&m.h, HART_FETCH_OUTSIDE, MADE_CODE_BASE + rows[i].pc, MADE_CODE_BASE + rows[i].pc,
				     rows[i].nr_retired);
			assert_int_equal(hart_register(&m.h, 5), rows[i].nr_retired);
			made_hart_end(&m);
		}
	}
}

static void test_budgets(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= (CODE_FIXED | CODE_UNFUSED); flags++) {
		for (uint64_t budget = 0; budget <= 12; budget++) {
			struct made_hart m;
			made_hart_init(&m);
			for (unsigned i = 0; i < 3; i++)
				made_hart_add(&m, encode_addi(5, 5, 1));
			made_hart_add(&m, encode_jal(0, (uint32_t)-12)); /* over and over */
			made_hart_begin_with(&m, MADE_CODE_BYTES, flags);
			assert_int_equal(made_run(&m.h, budget), HART_BUDGET);
			assert_int_equal(m.h.nr_retired, budget);
			assert_int_equal(hart_register(&m.h, 5), budget / 4 * 3 + budget % 4);
			assert_int_equal(m.h.pc, MADE_CODE_BASE + budget % 4 * 4);
			assert_int_equal(made_run(&m.h, 0), HART_BUDGET);
			assert_int_equal(made_run(&m.h, 12 - budget), HART_BUDGET);
			assert_int_equal(m.h.nr_retired, 12);
			assert_int_equal(m.h.pc, MADE_CODE_BASE);
			assert_int_equal(hart_register(&m.h, 5), 9);
			made_hart_end(&m);
		}
	}
}

/* A budget that ends just before what stops the hart anyway comes first. */
static void test_budget_before_fault(void **state)
{
	struct made_hart m;

	(void)state;
	made_hart_init(&m);
	made_hart_add(&m, encode_addi(5, 5, 1));
	made_hart_add(&m, ENCODED_EBREAK);
	made_hart_begin(&m);
	assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
	assert_int_equal(made_run(&m.h, 1), HART_BREAKPOINT);
	made_hart_end(&m);
	/* The largest budget is one. */
	made_hart_begin(&m);
	assert_int_equal(made_run(&m.h, UINT64_MAX), HART_BREAKPOINT);
	assert_int_equal(m.h.nr_retired, 1);
	made_hart_end(&m);
}

static void test_fence_i(void **state)
{
	static const unsigned flags[] = {0, CODE_UNFUSED, CODE_FIXED};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct made_hart m;
		uint32_t word = encode_addi(6, 6, 100);
		made_hart_init(&m);
		made_hart_add(&m, encode_addi(6, 6, 1));
		made_hart_add(&m, encode_s(OP_STORE, 2, 5, 7, 0));
		made_hart_add(&m, ENCODED_FENCE_I);
		made_hart_add(&m, encode_jal(0, (uint32_t)-12));
		made_hart_begin_with(&m, MADE_CODE_BYTES, flags[i]);
		hart_set_memory(&m.h, MADE_CODE_BASE, m.code_bytes, MADE_CODE_BYTES);
		hart_set_register(&m.h, 5, MADE_CODE_BASE);
		hart_set_register(&m.h, 7, word);
		assert_int_equal(made_run(&m.h, 5), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 6), flags[i] == CODE_FIXED ? 2 : 101);
		made_hart_end(&m);
	}
}

/* Counters: what has retired before, and nothing that can be written. */
static void test_counters(void **state)
{
	static const uint32_t low[] = {0xc00, 0xc01, 0xc02},
			      others[] = {0xc03, 0xc83, 0xbff, 0x000, 0x300, 0xfff, 0x800};
	struct made_hart m;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (uint32_t how = 1; how < 8; how++) {
			for (uint32_t source = 0; source < 2; source++) {
				bool is_legal = (how & 3) >= 2 && source == 0;
				if (how == 4)
					continue;
				made_hart_init(&m);
				made_hart_add(&m, ENCODED_C_NOP);
				made_hart_add(&m, encode_i(OP_SYSTEM, how, 5, source, low[i]));
				made_hart_add(&m, encode_i(OP_SYSTEM, how, 6, source, low[i] + 0x80));
				made_hart_begin(&m);
				m.h.nr_retired = UINT64_C(0x123456789a);
				if (is_legal) {
					assert_int_equal(made_run(&m.h, 3), HART_BUDGET);
					assert_int_equal(hart_register(&m.h, 5), 0x3456789b);
					assert_int_equal(hart_register(&m.h, 6), 0x12);
				} else {
					assert_int_equal(made_run(&m.h, 3), HART_ILLEGAL_INSTRUCTION);
					assert_fault(&m.h, HART_ILLEGAL_INSTRUCTION, MADE_CODE_BASE + 2,
						     MADE_CODE_BASE + 2, UINT64_C(0x123456789b));
					assert_int_equal(hart_register(&m.h, 5), 0);
				}
				made_hart_end(&m);
			}
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		made_hart_init(&m);
		made_hart_add(&m, encode_i(OP_SYSTEM, 2, 5, 0, others[i]));
		made_hart_begin(&m);
		assert_int_equal(made_run(&m.h, 3), HART_ILLEGAL_INSTRUCTION);
		made_hart_end(&m);
	}
}

/* Stretches of memory that can be code, and those that cannot. */
static void test_where_code_can_be(void **state)
{
	static const uint8_t bytes[4] = {0x82, 0x80, 0x82, 0x80};
	static const struct {
		uint32_t base, nr_bytes;
		bool is_fine;
	} rows[] = {
		{0, 2, true},		{0xfffffffe, 2, true},
		{0xfffffffc, 4, true},	{0, 0, false},
		{1, 2, false},		{0, 3, false},
		{0xfffffffe, 4, false}, {0, 0x80000002, false},
		{0, 0xfffffffe, false}, {0x80000002, 0x80000000, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct code *code = NULL;
		struct sahm_err err;
		enum sahm_status status = code_new(&code, rows[i].base, bytes, rows[i].nr_bytes, 0, &err);
		if (status != (rows[i].is_fine ? SAHM_OK : SAHM_RANGE))
			fail_msg("0x%x bytes at 0x%x: status %d", rows[i].nr_bytes, rows[i].base, status);
		code_free(code);
	}
}

TEST_FILE(test_ipu_faults)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reserved_encodings),
		cmocka_unit_test(test_breakpoints),
		cmocka_unit_test(test_faults_stay),
		cmocka_unit_test(test_faults_within_pairs),
		cmocka_unit_test(test_first_of_a_pair_faults),
		cmocka_unit_test(test_end_of_code),
		cmocka_unit_test(test_budgets),
		cmocka_unit_test(test_budget_before_fault),
		cmocka_unit_test(test_fence_i),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_where_code_can_be),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
