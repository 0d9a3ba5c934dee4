/* What each instruction computes, by the RISC-V unprivileged specification: operands, and what comes out. Memory,
 * jumps and faults are in test_ipu_memory.c, test_ipu_jump.c and test_ipu_faults.c.
 */
#include "sim/base/array.h"
#include "tests/unit/ipu/core/ipu_cases.h"

#define INT_MIN_BITS 0x80000000u
#define INT_MAX_BITS 0x7fffffffu
#define ALL_ONES 0xffffffffu

/* Runs only `word` with rs1 and rs2 set, fixed and not, and returns the value of `rd` then. The next bytes are no
 * instruction. */
static uint32_t execute(uint32_t word, unsigned rd, unsigned rs1, uint32_t a, unsigned rs2, uint32_t b)
{
	uint32_t results[2];

	for (unsigned i = 0; i < 2; i++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, word);
		made_hart_begin_with(&m, MADE_CODE_BYTES, i ? CODE_FIXED : 0);
		hart_set_register(&m.h, rd, 0x5a5a5a5a);
		hart_set_register(&m.h, rs2, b);
		hart_set_register(&m.h, rs1, a);
		assert_int_equal(made_run(&m.h, 1), HART_BUDGET);
		assert_int_equal(m.h.pc, MADE_CODE_BASE + ((word & 3) == 3 ? 4 : 2));
		assert_int_equal(m.h.nr_retired, 1);
		assert_int_equal(hart_register(&m.h, 0), 0);
		results[i] = hart_register(&m.h, rd);
		for (unsigned r = 1; r < 32; r++) {
			if (r != rd && r != rs1 && r != rs2)
				assert_int_equal(hart_register(&m.h, r), 0);
		}
		made_hart_end(&m);
	}
	assert_int_equal(results[0], results[1]);
	return results[0];
}

static void expect(const char *name, const char *how, uint32_t a, uint32_t b, uint32_t is, uint32_t wanted)
{
	if (is != wanted)
		fail_msg("%s (%s) of 0x%x and 0x%x is 0x%x, expected 0x%x", name, how, a, b, is, wanted);
}

struct register_row {
	const char *name;
	uint32_t funct7, funct3, a, b, result;
};

static const struct register_row register_rows[] = {
	{"add", 0x00, 0, 2, 3, 5},
	{"add", 0x00, 0, ALL_ONES, 1, 0},
	{"add", 0x00, 0, INT_MAX_BITS, 1, INT_MIN_BITS},
	{"sub", 0x20, 0, 2, 3, ALL_ONES},
	{"sub", 0x20, 0, 0, INT_MIN_BITS, INT_MIN_BITS},
	{"sub", 0x20, 0, 0x12345678, 0x12345678, 0},
	{"sll", 0x00, 1, 1, 0, 1},
	{"sll", 0x00, 1, 1, 31, INT_MIN_BITS},
	{"sll", 0x00, 1, 0x80000001, 1, 2},
	{"sll", 0x00, 1, 0x1234, 32, 0x1234}, /* only the lowest 5 bits count */
	{"sll", 0x00, 1, 0x1234, 0xffffffe4, 0x12340},
	{"slt", 0x00, 2, INT_MIN_BITS, INT_MAX_BITS, 1},
	{"slt", 0x00, 2, INT_MAX_BITS, INT_MIN_BITS, 0},
	{"slt", 0x00, 2, ALL_ONES, 0, 1},
	{"slt", 0x00, 2, 7, 7, 0},
	{"sltu", 0x00, 3, INT_MIN_BITS, INT_MAX_BITS, 0},
	{"sltu", 0x00, 3, 0, ALL_ONES, 1},
	{"sltu", 0x00, 3, ALL_ONES, ALL_ONES, 0},
	{"xor", 0x00, 4, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
	{"srl", 0x00, 5, INT_MIN_BITS, 31, 1},
	{"srl", 0x00, 5, ALL_ONES, 0, ALL_ONES},
	{"srl", 0x00, 5, ALL_ONES, 4, 0x0fffffff},
	{"srl", 0x00, 5, 0x1234, 32, 0x1234},
	{"sra", 0x20, 5, INT_MIN_BITS, 31, ALL_ONES},
	{"sra", 0x20, 5, INT_MIN_BITS, 0, INT_MIN_BITS},
	{"sra", 0x20, 5, INT_MAX_BITS, 30, 1},
	{"sra", 0x20, 5, 0x80000010, 0x24, 0xf8000001},
	{"or", 0x00, 6, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
	{"and", 0x00, 7, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
	{"mul", 0x01, 0, 7, 6, 42},
	{"mul", 0x01, 0, ALL_ONES, ALL_ONES, 1},
	{"mul", 0x01, 0, 0x10000, 0x10000, 0},
	{"mulh", 0x01, 1, ALL_ONES, ALL_ONES, 0},
	{"mulh", 0x01, 1, INT_MIN_BITS, INT_MIN_BITS, 0x40000000},
	{"mulh", 0x01, 1, ALL_ONES, 1, ALL_ONES},
	{"mulh", 0x01, 1, INT_MIN_BITS, INT_MAX_BITS, 0xc0000000},
	{"mulhsu", 0x01, 2, ALL_ONES, ALL_ONES, ALL_ONES}, /* -1 x (2^32 - 1) */
	{"mulhsu", 0x01, 2, 1, ALL_ONES, 0},
	{"mulhsu", 0x01, 2, INT_MIN_BITS, ALL_ONES, INT_MIN_BITS},
	{"mulhsu", 0x01, 2, INT_MAX_BITS, INT_MIN_BITS, 0x3fffffff},
	{"mulhu", 0x01, 3, ALL_ONES, ALL_ONES, 0xfffffffe},
	{"mulhu", 0x01, 3, INT_MIN_BITS, 2, 1},
	{"mulhu", 0x01, 3, 0xffff, 0xffff, 0},
	{"div", 0x01, 4, 7, 2, 3},
	{"div", 0x01, 4, 0xfffffff9, 2, 0xfffffffd}, /* to 0: -7 / 2 = -3 */
	{"div", 0x01, 4, 7, 0xfffffffe, 0xfffffffd},
	{"div", 0x01, 4, 7, 0, ALL_ONES},
	{"div", 0x01, 4, INT_MIN_BITS, 0, ALL_ONES},
	{"div", 0x01, 4, 0, 0, ALL_ONES},
	{"div", 0x01, 4, INT_MIN_BITS, ALL_ONES, INT_MIN_BITS},
	{"div", 0x01, 4, INT_MAX_BITS, ALL_ONES, 0x80000001},
	{"divu", 0x01, 5, 0xfffffff9, 2, 0x7ffffffc},
	{"divu", 0x01, 5, INT_MIN_BITS, ALL_ONES, 0},
	{"divu", 0x01, 5, 7, 0, ALL_ONES},
	{"rem", 0x01, 6, 7, 2, 1},
	{"rem", 0x01, 6, 0xfffffff9, 2, ALL_ONES}, /* the dividend's sign */
	{"rem", 0x01, 6, 7, 0xfffffffe, 1},
	{"rem", 0x01, 6, 7, 0, 7},
	{"rem", 0x01, 6, INT_MIN_BITS, 0, INT_MIN_BITS},
	{"rem", 0x01, 6, INT_MIN_BITS, ALL_ONES, 0},
	{"remu", 0x01, 7, 0xfffffff9, 2, 1},
	{"remu", 0x01, 7, INT_MIN_BITS, ALL_ONES, INT_MIN_BITS},
	{"remu", 0x01, 7, 0xfffffff9, 0, 0xfffffff9},
};

static void test_registers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(register_rows); i++) {
		const struct register_row *r = &register_rows[i];
#define WORD(rd, rs1, rs2) encode_r(OP_REG, r->funct3, r->funct7, rd, rs1, rs2)
		expect(r->name, "all different", r->a, r->b, execute(WORD(5, 6, 7), 5, 6, r->a, 7, r->b), r->result);
		expect(r->name, "high ones", r->a, r->b, execute(WORD(31, 17, 28), 31, 17, r->a, 28, r->b), r->result);
		expect(r->name, "rd is rs1", r->a, r->b, execute(WORD(6, 6, 7), 6, 6, r->a, 7, r->b), r->result);
		expect(r->name, "rd is rs2", r->a, r->b, execute(WORD(7, 6, 7), 7, 6, r->a, 7, r->b), r->result);
		expect(r->name, "rd is x0", r->a, r->b, execute(WORD(0, 6, 7), 0, 6, r->a, 7, r->b), 0);
		if (r->a == 0)
			expect(r->name, "rs1 is x0", 0, r->b, execute(WORD(5, 0, 7), 5, 0, 0, 7, r->b), r->result);
		if (r->b == 0)
			expect(r->name, "rs2 is x0", r->a, 0, execute(WORD(5, 6, 0), 5, 6, r->a, 0, 0), r->result);
		if (r->a == r->b)
			expect(r->name, "the same", r->a, r->b, execute(WORD(5, 6, 6), 5, 6, r->a, 6, r->b), r->result);
#undef WORD
	}
}

struct immediate_row {
	const char *name;
	uint32_t funct3, a, imm, result;
};

static const struct immediate_row immediate_rows[] = {
	{"addi", 0, 5, (uint32_t)-6, ALL_ONES},
	{"addi", 0, 0x1000, 2047, 0x17ff},
	{"addi", 0, 0x1000, (uint32_t)-2048, 0x800},
	{"addi", 0, INT_MAX_BITS, 1, INT_MIN_BITS},
	{"slti", 2, INT_MIN_BITS, (uint32_t)-2048, 1},
	{"slti", 2, 0, (uint32_t)-1, 0},
	{"slti", 2, 0xfffff7ff, (uint32_t)-2048, 1},
	{"slti", 2, 2046, 2047, 1},
	{"slti", 2, 2047, 2047, 0},
	{"sltiu", 3, 0, 1, 1},
	{"sltiu", 3, 1, 1, 0},
	{"sltiu", 3, 0x7fffffff, (uint32_t)-1, 1}, /* the immediate is sign-extended, then unsigned */
	{"sltiu", 3, 0xfffffffe, (uint32_t)-1, 1},
	{"sltiu", 3, ALL_ONES, (uint32_t)-1, 0},
	{"sltiu", 3, 0xfffff7ff, (uint32_t)-2048, 1},
	{"sltiu", 3, 0xfffff800, (uint32_t)-2048, 0},
	{"xori", 4, 0x0f0f, (uint32_t)-1, 0xfffff0f0},
	{"xori", 4, 0, 0x7ff, 0x7ff},
	{"ori", 6, 0x0f00, (uint32_t)-2048, 0xffffff00},
	{"ori", 6, 0x0f00, 0x0f, 0x0f0f},
	{"andi", 7, ALL_ONES, (uint32_t)-2048, 0xfffff800},
	{"andi", 7, 0x12345678, 0xff, 0x78},
	{"slli", 1, 0x80000001, 0, 0x80000001},
	{"slli", 1, 0x80000001, 1, 2},
	{"slli", 1, 3, 31, INT_MIN_BITS},
	{"srli", 5, INT_MIN_BITS, 31, 1},
	{"srli", 5, INT_MIN_BITS, 0, INT_MIN_BITS},
	{"srli", 5, 0xf0000000, 4, 0x0f000000},
	{"srai", 5, INT_MIN_BITS, 0x400 | 31, ALL_ONES},
	{"srai", 5, INT_MIN_BITS, 0x400, INT_MIN_BITS},
	{"srai", 5, 0xf0000000, 0x400 | 4, 0xff000000},
	{"srai", 5, 0x70000000, 0x400 | 4, 0x07000000},
};

static void test_immediates(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(immediate_rows); i++) {
		const struct immediate_row *r = &immediate_rows[i];
#define WORD(rd, rs1) encode_i(OP_IMM, r->funct3, rd, rs1, r->imm)
		expect(r->name, "rd, rs1", r->a, r->imm, execute(WORD(5, 6), 5, 6, r->a, 6, r->a), r->result);
		expect(r->name, "rd is rs1", r->a, r->imm, execute(WORD(30, 30), 30, 30, r->a, 30, r->a), r->result);
		expect(r->name, "rd is x0", r->a, r->imm, execute(WORD(0, 6), 0, 6, r->a, 6, r->a), 0);
		if (r->a == 0)
			expect(r->name, "rs1 is x0", 0, r->imm, execute(WORD(5, 0), 5, 0, 0, 0, 0), r->result);
#undef WORD
	}
}

/* Loads of constants, and what is relative to pc. */
static void test_upper_immediates(void **state)
{
	static const uint32_t values[] = {0, 0x1000, 0x7ffff000, 0x80000000, 0xfffff000, 0x12345000};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		uint32_t v = values[i];
		expect("lui", "", v, 0, execute(encode_u(OP_LUI, 9, v), 9, 0, 0, 0, 0), v);
		expect("auipc", "", v, 0, execute(encode_u(OP_AUIPC, 9, v), 9, 0, 0, 0, 0), MADE_CODE_BASE + v);
		expect("lui", "rd is x0", v, 0, execute(encode_u(OP_LUI, 0, v), 0, 0, 0, 0, 0), 0);
		expect("auipc", "rd is x0", v, 0, execute(encode_u(OP_AUIPC, 0, v), 0, 0, 0, 0, 0), 0);
	}
}

/* Compressed instructions that compute. Those that need not be are hints: with x0, or nothing, as the destination. */
static void test_compressed(void **state)
{
	const struct {
		const char *name;
		uint32_t word;
		unsigned rd, rs1;
		uint32_t a;
		unsigned rs2;
		uint32_t b, result;
	} rows[] = {
		{"c.addi4spn, least", encode_c_addi4spn(8, 4), 8, 2, 0x100, 2, 0x100, 0x104},
		{"c.addi4spn, 8", encode_c_addi4spn(9, 8), 9, 2, 0x100, 2, 0x100, 0x108},
		{"c.addi4spn, most", encode_c_addi4spn(15, 1020), 15, 2, 0x100, 2, 0x100, 0x100 + 1020},
		{"c.addi4spn, 64", encode_c_addi4spn(10, 64), 10, 2, 0, 2, 0, 64},
		{"c.addi, most", encode_c_addi(31, 31), 31, 31, 1, 31, 1, 32},
		{"c.addi, least", encode_c_addi(1, (uint32_t)-32), 1, 1, 0, 1, 0, (uint32_t)-32},
		{"c.addi, hint", encode_c_addi(5, 0), 5, 5, 77, 5, 77, 77},
		{"c.nop", ENCODED_C_NOP, 0, 5, 77, 5, 77, 0},
		{"c.nop, hint", encode_c_addi(0, 5), 0, 5, 77, 5, 77, 0},
		{"c.li, most", encode_c_li(20, 31), 20, 0, 0, 0, 0, 31},
		{"c.li, least", encode_c_li(20, (uint32_t)-32), 20, 0, 0, 0, 0, (uint32_t)-32},
		{"c.li, hint", encode_c_li(0, 3), 0, 0, 0, 0, 0, 0},
		{"c.addi16sp, most", encode_c_addi16sp(496), 2, 2, 0x1000, 2, 0x1000, 0x1000 + 496},
		{"c.addi16sp, least", encode_c_addi16sp((uint32_t)-512), 2, 2, 0x1000, 2, 0x1000, 0x1000 - 512},
		{"c.addi16sp, 16", encode_c_addi16sp(16), 2, 2, 0x1000, 2, 0x1000, 0x1010},
		{"c.addi16sp, 32", encode_c_addi16sp(32), 2, 2, 0x1000, 2, 0x1000, 0x1020},
		{"c.addi16sp, 128", encode_c_addi16sp(128), 2, 2, 0x1000, 2, 0x1000, 0x1080},
		{"c.lui, most", encode_c_lui(5, 0x1f000), 5, 0, 0, 0, 0, 0x1f000},
		{"c.lui, least", encode_c_lui(5, 0xfffe0000), 5, 0, 0, 0, 0, 0xfffe0000},
		{"c.lui, -4096", encode_c_lui(1, 0xfffff000), 1, 0, 0, 0, 0, 0xfffff000},
		{"c.lui, hint", encode_c_lui(0, 0x1000), 0, 0, 0, 0, 0, 0},
		{"c.srli", encode_c_short_imm(0, 8, 31), 8, 8, INT_MIN_BITS, 8, INT_MIN_BITS, 1},
		{"c.srli, hint", encode_c_short_imm(0, 8, 0), 8, 8, INT_MIN_BITS, 8, INT_MIN_BITS, INT_MIN_BITS},
		{"c.srai", encode_c_short_imm(1, 15, 31), 15, 15, INT_MIN_BITS, 15, INT_MIN_BITS, ALL_ONES},
		{"c.srai, 4", encode_c_short_imm(1, 9, 4), 9, 9, 0x70000000, 9, 0x70000000, 0x07000000},
		{"c.andi", encode_c_short_imm(2, 12, 31), 12, 12, ALL_ONES, 12, ALL_ONES, 31},
		{"c.andi, least", encode_c_short_imm(2, 12, 32), 12, 12, ALL_ONES, 12, ALL_ONES, (uint32_t)-32},
		{"c.sub", encode_c_short_reg(0, 8, 15), 8, 8, 3, 15, 5, (uint32_t)-2},
		{"c.sub, the same", encode_c_short_reg(0, 8, 8), 8, 8, 3, 8, 3, 0},
		{"c.xor", encode_c_short_reg(1, 9, 14), 9, 9, 0xff00, 14, 0x0ff0, 0xf0f0},
		{"c.or", encode_c_short_reg(2, 10, 13), 10, 10, 0xff00, 13, 0x0ff0, 0xfff0},
		{"c.and", encode_c_short_reg(3, 11, 12), 11, 11, 0xff00, 12, 0x0ff0, 0x0f00},
		{"c.slli", encode_c_slli(30, 31), 30, 30, 3, 30, 3, INT_MIN_BITS},
		{"c.slli, hint", encode_c_slli(30, 0), 30, 30, 3, 30, 3, 3},
		{"c.slli, x0", encode_c_slli(0, 4), 0, 5, 1, 5, 1, 0},
		{"c.mv", encode_c_reg(8, 31, 17), 31, 17, 99, 17, 99, 99},
		{"c.mv, hint", encode_c_reg(8, 0, 17), 0, 17, 99, 17, 99, 0},
		{"c.add", encode_c_reg(9, 31, 17), 31, 31, ALL_ONES, 17, 3, 2},
		{"c.add, the same", encode_c_reg(9, 31, 31), 31, 31, 21, 31, 21, 42},
		{"c.add, hint", encode_c_reg(9, 0, 17), 0, 17, 99, 17, 99, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect(rows[i].name, "", rows[i].a, rows[i].b,
		       execute(rows[i].word, rows[i].rd, rows[i].rs1, rows[i].a, rows[i].rs2, rows[i].b),
		       rows[i].result);
}

/* The same program, and how it would be written with a pair in mind; nothing may tell that there are pairs. */
static void test_pairs_hand_on_what_was_written(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= (CODE_FIXED | CODE_UNFUSED); flags++) {
		struct made_hart m;
		made_hart_init(&m);
		made_hart_add(&m, encode_addi(0, 0, 5)); /* lost: */
		made_hart_add(&m, encode_addi(5, 0, 6));
		made_hart_add(&m, encode_addi(6, 5, 1)); /* in x6, and x5 is there too */
		made_hart_add(&m, encode_lui(7, 0x12345000));
		made_hart_add(&m, encode_addi(7, 7, 0x678));
		made_hart_add(&m, encode_i(OP_IMM, 1, 8, 7, 4));
		made_hart_add(&m, encode_r(OP_REG, 0, 0, 9, 6, 8)); /* the second source is the one handed on */
		made_hart_add(&m, encode_r(OP_REG, 0, 0x20, 10, 6, 9));
		made_hart_begin_with(&m, MADE_CODE_BYTES, flags);
		assert_int_equal(made_run(&m.h, 8), HART_BUDGET);
		assert_int_equal(hart_register(&m.h, 5), 6);
		assert_int_equal(hart_register(&m.h, 6), 7);
		assert_int_equal(hart_register(&m.h, 7), 0x12345678);
		assert_int_equal(hart_register(&m.h, 8), 0x23456780);
		assert_int_equal(hart_register(&m.h, 9), 0x23456787);
		assert_int_equal(hart_register(&m.h, 10), 0xdcba9880);
		made_hart_end(&m);
	}
}

/* Fences order nothing here; other fields are ignored. */
static void test_fences(void **state)
{
	static const uint32_t words[] = {
		0x0ff0000f,			    /* fence iorw, iorw */
		0x8330000f,			    /* fence.tso */
		0x0000000f, 0xfff0000f, 0x0ff2838f, /* with registers, which are reserved */
		0x0000100f,			    /* fence.i */
		0xfff2938f,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		expect("fence", "", words[i], 0, execute(words[i], 7, 5, 3, 5, 3), 0x5a5a5a5a);
}

TEST_FILE(test_ipu_execute)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_immediates),
		cmocka_unit_test(test_upper_immediates),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_pairs_hand_on_what_was_written),
		cmocka_unit_test(test_fences),
	};

	return RUN_BY_EACH_ENGINE(tests);
}
