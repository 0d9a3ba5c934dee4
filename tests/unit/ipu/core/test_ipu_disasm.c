/* Texts of instructions: what GNU objdump prints without aliases (tests/tools/objdump.sh compares many more with it).
 */
#include "tests/unit/test.h"

#include <stdbool.h>
#include <string.h>

#include "ipu/core/disasm.h"

static void disassemble(uint32_t word, uint32_t pc, char text[DISASM_BYTES])
{
	struct instruction in;
	memset(text, '#', DISASM_BYTES);
	instruction_decode(word, &in);
	disasm(&in, pc, text);
}

static void test_texts(void **state)
{
	(void)state;
	static const struct {
		uint32_t word, pc;
		const char *text;
	} rows[] = {
		{0xfffff537, 0, "lui\ta0,0xfffff"},
		{0x00001037, 0, "lui\tzero,0x1"},
		{0x00000297, 0x80000000, "auipc\tt0,0x0"},
		{0x7ffff0ef, 0x80000000, "jal\tra,0x800ffffe"},
		{0x8000006f, 0x80000000, "jal\tzero,0x7ff00000"},
		{0x8000006f, 0x00000000, "jal\tzero,0xfff00000"},
		{0x0000006f, 0x00000000, "jal\tzero,0x0"},
		{0x7ff500e7, 0, "jalr\tra,2047(a0)"},
		{0x00008067, 0, "jalr\tzero,0(ra)"},
		{0x7eb50fe3, 0x1000, "beq\ta0,a1,0x1ffe"},
		{0x80b51063, 0x1000, "bne\ta0,a1,0x0"},
		{0x80011503, 0, "lh\ta0,-2048(sp)"},
		{0x00004f83, 0, "lbu\tt6,0(zero)"},
		{0xfea52fa3, 0, "sw\ta0,-1(a0)"},
		{0xfff00513, 0, "addi\ta0,zero,-1"},
		{0x00000013, 0, "addi\tzero,zero,0"},
		{0xfff5b513, 0, "sltiu\ta0,a1,-1"},
		{0x4010d093, 0, "srai\tra,ra,0x1"},
		{0x00051513, 0, "slli\ta0,a0,0x0"},
		{0x40c58533, 0, "sub\ta0,a1,a2"},
		{0x03df7fb3, 0, "remu\tt6,t5,t4"},
		{0x0ff0000f, 0, "fence\tiorw,iorw"},
		{0x0310000f, 0, "fence\trw,w"},
		{0x0080000f, 0, "fence\tunknown,i"},
		{0x8330000f, 0, "fence.tso"},
		{0x8ff0000f, 0, "fence\tiorw,iorw"},
		{0x0ff50f8f, 0, "fence\tiorw,iorw"},
		{0x0000100f, 0, "fence.i"},
		{0x00000073, 0, "ecall"},
		{0x00100073, 0, "ebreak"},
		{0xc0002573, 0, "csrrs\ta0,cycle,zero"},
		{0xc0001073, 0, "unimp"},
		{0xc00010f3, 0, "csrrw\tra,cycle,zero"},
		{0x800fd073, 0, "csrrwi\tzero,0x800,31"},
		{0x00006573, 0, "csrrsi\ta0,0x0,0"},
		{0x00c5850b, 0, "ipu.hash\ta0,a1,a2"},
		{0x01f5100b, 0, "ipu.hist\ta0,t6"},
		{0x01f5200b, 0, "ipu.histin\ta0,31"},
		{0x7fcfb00b, 0, "ipu.loop\tt6,2044"},
		{0x0005300b, 0, ".4byte\t0x5300b"},
		{0x0040, 0, "c.addi4spn\ts0,sp,4"},
		{0x5ffc, 0, "c.lw\ta5,124(a5)"},
		{0xc3dc, 0, "c.sw\ta5,4(a5)"},
		{0x0001, 0, "c.addi\tzero,0"},
		{0x107d, 0, "c.addi\tzero,-1"},
		{0x1081, 0, "c.addi\tra,-32"},
		{0x2001, 0x80000000, "c.jal\t0x80000000"},
		{0x5f81, 0, "c.li\tt6,-32"},
		{0x7101, 0, "c.addi16sp\tsp,-512"},
		{0x707d, 0, "c.lui\tzero,0xfffff"},
		{0x6085, 0, "c.lui\tra,0x1"},
		{0x807d, 0, "c.srli\ts0,0x1f"},
		{0x8001, 0, "c.srli64\ts0"},
		{0x8781, 0, "c.srai64\ta5"},
		{0x9b81, 0, "c.andi\ta5,-32"},
		{0x8c1d, 0, "c.sub\ts0,a5"},
		{0xa001, 0xfffffffe, "c.j\t0xfffffffe"},
		{0xa009, 0xfffffffe, "c.j\t0x0"},
		{0xdf81, 0x200, "c.beqz\ta5,0x118"},
		{0xe001, 0x10, "c.bnez\ts0,0x10"},
		{0x0ffe, 0, "c.slli\tt6,0x1f"},
		{0x0082, 0, "c.slli64\tra"},
		{0x50fe, 0, "c.lwsp\tra,252(sp)"},
		{0x8082, 0, "c.jr\tra"},
		{0x8006, 0, "c.mv\tzero,ra"},
		{0x9002, 0, "c.ebreak"},
		{0x9f82, 0, "c.jalr\tt6"},
		{0x9f86, 0, "c.add\tt6,ra"},
		{0xdffe, 0, "c.swsp\tt6,252(sp)"},
		{0x0000, 0, ".2byte\t0x0"},
		{0x6001, 0, ".2byte\t0x6001"},
		{0xffffffff, 0, ".4byte\t0xffffffff"},
		{0x02051513, 0, ".4byte\t0x2051513"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[DISASM_BYTES];
		disassemble(rows[i].word, rows[i].pc, text);
		assert_string_equal(text, rows[i].text);
	}
}

/* Every instruction has its name in front, but where objdump knows another one. */
static bool is_name(const char *text, const char *name)
{
	size_t len = strcspn(text, "\t");
	if (strlen(name) == len && memcmp(text, name, len) == 0)
		return true;
	return strcmp(name, "c.nop") == 0 && strncmp(text, "c.addi\tzero,", 12) == 0;
}

static void test_names(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NR_INSTRUCTIONS; i++) {
		const struct instruction_row *row = &instruction_rows[i];
		/* All other bits set: no row's exception covers that. */
		uint32_t word = row->match | ~row->mask;
		struct instruction in;
		char text[DISASM_BYTES];
		instruction_decode(word, &in);
		disasm(&in, 0, text);
		if (in.id != i || !is_name(text, row->name))
			fail_msg("%s is shown as '%s'", row->name, text);
	}
}

static void test_targets(void **state)
{
	(void)state;
	static const struct {
		uint32_t word;
		bool has_target;
		uint32_t target;
	} rows[] = {
		{0x7ffff0ef, true, 0x10fffe}, /* jal */
		{0x80b51063, true, 0xf000},   /* bne */
		{0xa009, true, 0x10002},      /* c.j */
		{0x2001, true, 0x10000},      /* c.jal */
		{0xe001, true, 0x10000},      /* c.bnez */
		{0x7ff500e7, false, 0},	      /* jalr */
		{0x8082, false, 0},	      /* c.jr */
		{0x00000297, false, 0},	      /* auipc */
		{0xfff00513, false, 0},	      /* addi */
		{0xffffffff, false, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct instruction in;
		uint32_t target = 0;
		instruction_decode(rows[i].word, &in);
		if (disasm_target(&in, 0x10000, &target) != rows[i].has_target || target != rows[i].target)
			fail_msg("0x%x", (unsigned)rows[i].word);
	}
}

static void test_registers_and_csrs(void **state)
{
	(void)state;
	static const char *const names[] = {
		"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
		"a6",	"a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
	};
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(riscv_register_name(i), names[i]);
	assert_string_equal(riscv_csr_name(0xc00), "cycle");
	assert_string_equal(riscv_csr_name(0xc82), "instreth");
	assert_string_equal(riscv_csr_name(0x003), "fcsr");
	assert_null(riscv_csr_name(0));
	assert_null(riscv_csr_name(0xcc0));
	assert_null(riscv_csr_name(UINT32_MAX));
}

TEST_FILE(test_ipu_disasm)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_registers_and_csrs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
