/* Words of RV64GC: every one is at most one instruction, and means what the specification says. */
#include <string.h>

#include "cores/isa/insn.h"
#include "cores/isa/riscv.h"
#include "cores/isa/rv64_internal.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define PC UINT64_C(0x10000)
#define N NO_REGISTER
#define F(n) (32 + (n))

static bool decode(uint64_t pc, uint32_t word, struct insn *out)
{
	const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
	return decode_rv64(pc, bytes, sizeof(bytes), out);
}

/* Rows of wide instructions, whose conditions are all in their masks: bits in which they differ. */
static void test_wide_rows_are_disjoint(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RV64_C_ADDI4SPN; i++) {
		const struct rv64_row *a = &rv64_rows[i];
		assert_int_equal(a->match & 3, 3);
		assert_int_equal(a->match & ~a->mask, 0);
		for (unsigned j = i + 1; j < RV64_C_ADDI4SPN; j++) {
			const struct rv64_row *b = &rv64_rows[j];
			if (((a->match ^ b->match) & a->mask & b->mask) == 0)
				fail_msg("%s and %s have words in common", a->name, b->name);
		}
	}
}

/* How many half-words the specification gives to each compressed instruction, hints included: 2 to the number of its
 * free bits, less those that are reserved or another instruction's. */
static const struct {
	enum rv64_id id;
	unsigned nr_words;
} shares[] = {
	{RV64_C_ADDI4SPN, 2048 - 8},
	{RV64_C_FLD, 2048},
	{RV64_C_LW, 2048},
	{RV64_C_LD, 2048},
	{RV64_C_FSD, 2048},
	{RV64_C_SW, 2048},
	{RV64_C_SD, 2048},
	{RV64_C_NOP, 64},
	{RV64_C_ADDI, 2048 - 64},
	{RV64_C_ADDIW, 2048 - 64},
	{RV64_C_LI, 2048},
	{RV64_C_ADDI16SP, 64 - 1},
	{RV64_C_LUI, 31 * 63},
	{RV64_C_SRLI, 8 * 64},
	{RV64_C_SRAI, 8 * 64},
	{RV64_C_ANDI, 8 * 64},
	{RV64_C_SUB, 64},
	{RV64_C_XOR, 64},
	{RV64_C_OR, 64},
	{RV64_C_AND, 64},
	{RV64_C_SUBW, 64},
	{RV64_C_ADDW, 64},
	{RV64_C_J, 2048},
	{RV64_C_BEQZ, 2048},
	{RV64_C_BNEZ, 2048},
	{RV64_C_SLLI, 2048},
	{RV64_C_FLDSP, 2048},
	{RV64_C_LWSP, 2048 - 64},
	{RV64_C_LDSP, 2048 - 64},
	{RV64_C_JR, 31},
	{RV64_C_MV, 32 * 31},
	{RV64_C_EBREAK, 1},
	{RV64_C_JALR, 31},
	{RV64_C_ADD, 32 * 31},
	{RV64_C_FSDSP, 2048},
	{RV64_C_SWSP, 2048},
	{RV64_C_SDSP, 2048},
};

static void test_every_half_word(void **state)
{
	unsigned nr_words[NR_RV64 + 1] = {0};
	(void)state;
	for (uint32_t word = 0; word < 0x10000; word++) {
		unsigned owner = NR_RV64;
		for (unsigned i = RV64_C_ADDI4SPN; i < NR_RV64; i++) {
			if (!rv64_matches(&rv64_rows[i], word))
				continue;
			if (owner != NR_RV64)
				fail_msg("0x%04x is %s and %s", (unsigned)word, rv64_rows[owner].name,
					 rv64_rows[i].name);
			owner = i;
		}
		if ((word & 3) == 3) {
			assert_int_equal(owner, NR_RV64);
			continue;
		}
		/* The following bytes do not matter. */
		struct insn in;
		if (rv64_find(word | 0xa5a50000) != owner || decode(PC, word | 0xa5a50000, &in) != (owner != NR_RV64) ||
		    (owner != NR_RV64 && in.length != 2))
			fail_msg("0x%04x is not decoded as %u", (unsigned)word, owner);
		nr_words[owner]++;
	}
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		if (nr_words[shares[i].id] != shares[i].nr_words)
			fail_msg("%s has %u half-words", rv64_rows[shares[i].id].name, nr_words[shares[i].id]);
	assert_int_equal(ARRAY_SIZE(shares), NR_RV64 - RV64_C_ADDI4SPN);
}

/* Immediates of formats that only RV64 has; those of RV32 are in test_ipu_instruction.c. */
static void test_immediates(void **state)
{
	static const struct {
		const char *name;
		uint32_t word;
		int32_t immediate;
	} immediate_rows[] = {
		{"slli a0,a1,63", 0x03f59513, 63},  {"srai a0,a1,33", 0x4215d513, 33},
		{"c.slli a0,63", 0x157e, 63},	    {"c.srli a0,32", 0x9101, 32},
		{"c.ld a0,248(a1)", 0x7de8, 248},   {"c.sd a0,8(a1)", 0xe588, 8},
		{"c.fld fa0,64(a1)", 0x21a8, 64},   {"c.ldsp a0,504(sp)", 0x757e, 504},
		{"c.sdsp a0,504(sp)", 0xffaa, 504}, {"c.fsdsp fa0,64(sp)", 0xa0aa, 64},
		{"fsd fa0,-8(sp)", 0xfea13c27, -8},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(immediate_rows); i++) {
		enum rv64_id id = rv64_find(immediate_rows[i].word);
		assert_int_not_equal(id, NR_RV64);
		if (riscv_immediate((enum riscv_format)rv64_rows[id].format, immediate_rows[i].word) !=
		    immediate_rows[i].immediate)
			fail_msg("%s: another immediate", immediate_rows[i].name);
	}
}

/* In the GNU assembler's notation; the words are its. */
static const struct {
	const char *name;
	uint32_t word;
	enum insn_class class;
	uint8_t source[MAX_SOURCES], destination;
	uint64_t target;
} rows[] = {
	{"lui a0,0x1", 0x00001537, INSN_INTEGER, {N, N, N}, 10, 0},
	{"auipc t6,0x0", 0x00000f97, INSN_INTEGER, {N, N, N}, 31, 0},
	{"addi a0,a1,1", 0x00158513, INSN_INTEGER, {11, N, N}, 10, 0},
	{"addi zero,zero,0", 0x00000013, INSN_INTEGER, {N, N, N}, N, 0},
	{"add a0,a1,a2", 0x00c58533, INSN_INTEGER, {11, 12, N}, 10, 0},
	{"add a0,a1,a1", 0x00b58533, INSN_INTEGER, {11, N, N}, 10, 0},
	{"add a0,zero,a2", 0x00c00533, INSN_INTEGER, {12, N, N}, 10, 0},
	{"slli a0,a1,63", 0x03f59513, INSN_INTEGER, {11, N, N}, 10, 0},
	{"sraiw a0,a1,31", 0x41f5d51b, INSN_INTEGER, {11, N, N}, 10, 0},
	{"subw a0,a1,a2", 0x40c5853b, INSN_INTEGER, {11, 12, N}, 10, 0},
	{"mulh a0,a1,a2", 0x02c59533, INSN_MULTIPLY, {11, 12, N}, 10, 0},
	{"mulw a0,a1,a2", 0x02c5853b, INSN_MULTIPLY, {11, 12, N}, 10, 0},
	{"divu a0,a1,a2", 0x02c5d533, INSN_DIVIDE, {11, 12, N}, 10, 0},
	{"remuw a0,a1,a2", 0x02c5f53b, INSN_DIVIDE, {11, 12, N}, 10, 0},
	{"ld a0,8(sp)", 0x00813503, INSN_LOAD, {2, N, N}, 10, 0},
	{"lwu a0,0(a1)", 0x0005e503, INSN_LOAD, {11, N, N}, 10, 0},
	{"sd a0,8(sp)", 0x00a13423, INSN_STORE, {2, 10, N}, N, 0},
	{"sb zero,0(a1)", 0x00058023, INSN_STORE, {11, N, N}, N, 0},
	{"fld fa0,8(sp)", 0x00813507, INSN_LOAD, {2, N, N}, F(10), 0},
	{"fsw fa0,8(sp)", 0x00a12427, INSN_STORE, {2, F(10), N}, N, 0},
	{"lr.d.aqrl a0,(a1)", 0x1605b52f, INSN_ATOMIC, {11, N, N}, 10, 0},
	{"sc.w a0,a2,(a1)", 0x18c5a52f, INSN_ATOMIC, {11, 12, N}, 10, 0},
	{"amoadd.w.aq zero,a2,(a1)", 0x04c5a02f, INSN_ATOMIC, {11, 12, N}, N, 0},
	{"amomaxu.d a0,a2,(a1)", 0xe0c5b52f, INSN_ATOMIC, {11, 12, N}, 10, 0},
	{"fadd.d fa0,fa1,fa2", 0x02c5f553, INSN_FP_ADD, {F(11), F(12), N}, F(10), 0},
	{"fadd.d ft0,ft0,ft0", 0x02007053, INSN_FP_ADD, {F(0), N, N}, F(0), 0},
	{"fmin.s fa0,fa1,fa2", 0x28c58553, INSN_FP_ADD, {F(11), F(12), N}, F(10), 0},
	{"fmul.s fa0,fa1,fa2", 0x10c5f553, INSN_FP_MULTIPLY, {F(11), F(12), N}, F(10), 0},
	{"fmadd.d fa0,fa1,fa2,fa3", 0x6ac5f543, INSN_FP_MULTIPLY_ADD, {F(11), F(12), F(13)}, F(10), 0},
	{"fnmsub.s ft0,ft1,ft2,ft11", 0xf820f04b, INSN_FP_MULTIPLY_ADD, {F(1), F(2), F(31)}, F(0), 0},
	{"fdiv.d fa0,fa1,fa2", 0x1ac5f553, INSN_FP_DIVIDE, {F(11), F(12), N}, F(10), 0},
	{"fsqrt.s fa0,fa1", 0x5805f553, INSN_FP_DIVIDE, {F(11), N, N}, F(10), 0},
	{"fcvt.d.l fa0,a1", 0xd225f553, INSN_FP_CONVERT, {11, N, N}, F(10), 0},
	{"fcvt.lu.s a0,fa1", 0xc035f553, INSN_FP_CONVERT, {F(11), N, N}, 10, 0},
	{"fcvt.s.d fa0,fa1", 0x4015f553, INSN_FP_CONVERT, {F(11), N, N}, F(10), 0},
	{"fsgnjx.d fa0,fa1,fa1", 0x22b5a553, INSN_FP_OTHER, {F(11), N, N}, F(10), 0},
	{"feq.d a0,fa1,fa2", 0xa2c5a553, INSN_FP_OTHER, {F(11), F(12), N}, 10, 0},
	{"fclass.s a0,fa1", 0xe0059553, INSN_FP_OTHER, {F(11), N, N}, 10, 0},
	{"fmv.x.d a0,fa1", 0xe2058553, INSN_FP_OTHER, {F(11), N, N}, 10, 0},
	{"fmv.w.x fa0,a1", 0xf0058553, INSN_FP_OTHER, {11, N, N}, F(10), 0},
	{"fence", 0x0ff0000f, INSN_FENCE, {N, N, N}, N, 0},
	{"fence.i", 0x0000100f, INSN_FENCE, {N, N, N}, N, 0},
	{"ecall", 0x00000073, INSN_SYSTEM, {N, N, N}, N, 0},
	{"ebreak", 0x00100073, INSN_SYSTEM, {N, N, N}, N, 0},
	{"csrrw a0,fcsr,a1", 0x00359573, INSN_SYSTEM, {11, N, N}, 10, 0},
	{"csrrsi a0,fflags,3", 0x0011e573, INSN_SYSTEM, {N, N, N}, 10, 0},
	{"beq a0,a1,.+4094", 0x7eb50fe3, INSN_BRANCH, {10, 11, N}, N, PC + 4094},
	{"bgeu zero,a1,.-4096", 0x80b07063, INSN_BRANCH, {11, N, N}, N, PC - 4096},
	{"jal zero,.-1048576", 0x8000006f, INSN_JUMP, {N, N, N}, N, PC - 1048576},
	{"jal ra,.+1048574", 0x7ffff0ef, INSN_CALL, {N, N, N}, 1, PC + 1048574},
	{"jal t0,.+2048", 0x001002ef, INSN_CALL, {N, N, N}, 5, PC + 2048},
	{"jal a0,.+2048", 0x0010056f, INSN_JUMP, {N, N, N}, 10, PC + 2048},
	{"jalr zero,0(ra)", 0x00008067, INSN_RETURN, {1, N, N}, N, 0},
	{"jalr zero,0(t0)", 0x00028067, INSN_RETURN, {5, N, N}, N, 0},
	{"jalr a0,0(ra)", 0x00008567, INSN_RETURN, {1, N, N}, 10, 0},
	{"jalr zero,0(a0)", 0x00050067, INSN_INDIRECT_JUMP, {10, N, N}, N, 0},
	{"jalr a0,0(a0)", 0x00050567, INSN_INDIRECT_JUMP, {10, N, N}, 10, 0},
	{"jalr zero,0(zero)", 0x00000067, INSN_INDIRECT_JUMP, {N, N, N}, N, 0},
	{"jalr ra,0(a0)", 0x000500e7, INSN_INDIRECT_CALL, {10, N, N}, 1, 0},
	{"jalr ra,0(ra)", 0x000080e7, INSN_INDIRECT_CALL, {1, N, N}, 1, 0},
	{"jalr t0,0(ra)", 0x000082e7, INSN_INDIRECT_CALL, {1, N, N}, 5, 0},
	/* compressed */
	{"c.addi4spn a0,sp,4", 0x0048, INSN_INTEGER, {2, N, N}, 10, 0},
	{"c.fld fs0,0(s1)", 0x2080, INSN_LOAD, {9, N, N}, F(8), 0},
	{"c.ld a5,0(a4)", 0x631c, INSN_LOAD, {14, N, N}, 15, 0},
	{"c.fsd fs0,0(s1)", 0xa080, INSN_STORE, {9, F(8), N}, N, 0},
	{"c.sd a5,0(a4)", 0xe31c, INSN_STORE, {14, 15, N}, N, 0},
	{"c.nop", 0x0001, INSN_INTEGER, {N, N, N}, N, 0},
	{"c.addi sp,-16", 0x1141, INSN_INTEGER, {2, N, N}, 2, 0},
	{"c.addiw a0,0", 0x2501, INSN_INTEGER, {10, N, N}, 10, 0},
	{"c.li a0,-1", 0x557d, INSN_INTEGER, {N, N, N}, 10, 0},
	{"c.addi16sp sp,16", 0x6141, INSN_INTEGER, {2, N, N}, 2, 0},
	{"c.lui a0,0x1", 0x6505, INSN_INTEGER, {N, N, N}, 10, 0},
	{"c.srai a5,63", 0x97fd, INSN_INTEGER, {15, N, N}, 15, 0},
	{"c.subw a5,a4", 0x9f99, INSN_INTEGER, {15, 14, N}, 15, 0},
	{"c.and a5,a4", 0x8ff9, INSN_INTEGER, {15, 14, N}, 15, 0},
	{"c.j .-2048", 0xb001, INSN_JUMP, {N, N, N}, N, PC - 2048},
	{"c.j .+2046", 0xaffd, INSN_JUMP, {N, N, N}, N, PC + 2046},
	{"c.beqz a5,.-256", 0xd381, INSN_BRANCH, {15, N, N}, N, PC - 256},
	{"c.bnez s0,.+254", 0xec7d, INSN_BRANCH, {8, N, N}, N, PC + 254},
	{"c.slli a0,1", 0x0506, INSN_INTEGER, {10, N, N}, 10, 0},
	{"c.fldsp fa0,0(sp)", 0x2502, INSN_LOAD, {2, N, N}, F(10), 0},
	{"c.ldsp ra,8(sp)", 0x60a2, INSN_LOAD, {2, N, N}, 1, 0},
	{"c.jr ra", 0x8082, INSN_RETURN, {1, N, N}, N, 0},
	{"c.jr t0", 0x8282, INSN_RETURN, {5, N, N}, N, 0},
	{"c.jr a5", 0x8782, INSN_INDIRECT_JUMP, {15, N, N}, N, 0},
	{"c.jalr a5", 0x9782, INSN_INDIRECT_CALL, {15, N, N}, 1, 0},
	{"c.mv a0,a1", 0x852e, INSN_INTEGER, {11, N, N}, 10, 0},
	{"c.ebreak", 0x9002, INSN_SYSTEM, {N, N, N}, N, 0},
	{"c.add a0,a1", 0x952e, INSN_INTEGER, {10, 11, N}, 10, 0},
	{"c.fsdsp fa0,0(sp)", 0xa02a, INSN_STORE, {2, F(10), N}, N, 0},
	{"c.sdsp ra,8(sp)", 0xe406, INSN_STORE, {2, 1, N}, N, 0},
};

static void test_instructions(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct insn in;
		unsigned length = (rows[i].word & 3) == 3 ? 4 : 2;
		if (!decode(PC, rows[i].word, &in))
			fail_msg("%s is not known", rows[i].name);
		if (in.pc != PC || in.length != length || in.class != rows[i].class || in.target != rows[i].target ||
		    memcmp(in.source, rows[i].source, MAX_SOURCES) != 0 || in.destination != rows[i].destination)
			fail_msg("%s: %s, %u bytes, target 0x%llx, registers %u %u %u %u", rows[i].name,
				 insn_class_name((enum insn_class)in.class), in.length, (unsigned long long)in.target,
				 in.source[0], in.source[1], in.source[2], in.destination);
	}
}

/* Reserved, other extensions, and nothing at all. */
static void test_unknown(void **state)
{
	static const uint32_t words[] = {0x00000000,
					 0xffffffff,
					 0x0000707f,
					 0x00002063,
					 0x00007003,
					 0x0e000033,
					 0x02001033 ^ 0x04000000,
					 0x00004023,
					 0x1005a52f ^ 0x00100000,
					 0x10500073,
					 0x30200073,
					 0x5a15f553,
					 0x00000057};
	static const uint16_t short_words[] = {0x0000,
					       0x8000 /* reserved */,
					       0x2001 /* c.addiw zero */,
					       0x6101,
					       0x6001,
					       0x4002,
					       0x6002,
					       0x8002,
					       0x9c41,
					       0x9c61};
	struct insn in;
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (decode(PC, words[i], &in) || in.length != 4 || in.class != INSN_UNKNOWN || in.pc != PC ||
		    in.destination != N || in.source[0] != N || in.target != 0)
			fail_msg("0x%08x is taken for %s", words[i], insn_class_name((enum insn_class)in.class));
	for (size_t i = 0; i < ARRAY_SIZE(short_words); i++)
		if (decode(PC, short_words[i], &in))
			fail_msg("0x%04x is taken for %s", short_words[i], insn_class_name((enum insn_class)in.class));
}

static void test_cut(void **state)
{
	static const uint8_t wide[] = {0x33, 0x85, 0xc5, 0x00}, narrow[] = {0x2e, 0x85};
	struct insn in;
	(void)state;
	for (size_t len = 1; len < 4; len++) {
		assert_false(decode_rv64(PC, wide, len, &in));
		assert_int_equal(in.length, len);
		assert_int_equal(in.class, INSN_UNKNOWN);
	}
	assert_true(decode_rv64(PC, wide, 4, &in));
	assert_false(decode_rv64(PC, narrow, 1, &in));
	assert_true(decode_rv64(PC, narrow, 2, &in));
}

/* Random words: known instructions match one row, and their registers are there. */
static void test_random_words(void **state)
{
	uint64_t rng = 1;
	unsigned nr_known = 0;
	(void)state;
	for (unsigned i = 0; i < 300000; i++) {
		struct insn in;
		/* Rows are hit rarely by chance. */
		const struct rv64_row *row = &rv64_rows[next_random(&rng) % NR_RV64];
		uint32_t word = (uint32_t)next_random(&rng);
		if (!one_in(&rng, 4))
			word = (word & ~row->mask) | row->match;
		unsigned nr = 0;
		for (unsigned r = 0; r < NR_RV64; r++)
			nr += rv64_matches(&rv64_rows[r], (word & 3) == 3 ? word : word & 0xffff);
		assert_true(nr <= 1);
		assert_int_equal(decode(next_random(&rng), word, &in), nr == 1);
		nr_known += nr;
		assert_true(in.class < NR_INSN_CLASSES && in.length >= 2 && in.length <= 4);
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			assert_true(in.source[s] == NO_REGISTER ||
				    machine_register_name(MACHINE_RV64, in.source[s]) != NULL);
		assert_true(in.destination == NO_REGISTER ||
			    machine_register_name(MACHINE_RV64, in.destination) != NULL);
	}
	assert_true(nr_known > 200000);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(machine_name(MACHINE_RV64), "riscv64");
	assert_string_equal(machine_name(MACHINE_X86_64), "x86-64");
	assert_string_equal(machine_register_name(MACHINE_RV64, 10), "a0");
	assert_string_equal(machine_register_name(MACHINE_RV64, 63), "ft11");
	assert_null(machine_register_name(MACHINE_RV64, 0));
	assert_null(machine_register_name(MACHINE_RV64, 64));
	assert_null(machine_register_name(MACHINE_RV64, NO_REGISTER));
	assert_string_equal(machine_register_name(MACHINE_X86_64, 4), "rsp");
	assert_string_equal(machine_register_name(MACHINE_X86_64, 16), "flags");
	assert_null(machine_register_name(MACHINE_X86_64, 17));
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++) {
		enum insn_class class = (enum insn_class)i;
		assert_non_null(insn_class_name(class));
		assert_true(insn_is_branch(class) || !insn_has_target(class));
	}
}

TEST_FILE(test_decode_rv64)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wide_rows_are_disjoint),
		cmocka_unit_test(test_every_half_word),
		cmocka_unit_test(test_immediates),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_random_words),
		cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
