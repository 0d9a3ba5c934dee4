/* Texts of instructions that programs of compilers seldom have (test_decode_rv64_objdump.c compares the others). */
#include "cores/isa/insn_text.h"

#include <string.h>

#include "tests/unit/test.h"

static void test_rv64(void **state)
{
	static const struct {
		uint32_t word;
		const char *text;
	} rows[] = {
		{0x06b6252f, "amoadd.w.aqrl a0,a1,(a2)"},
		{0x1405a52f, "lr.w.aq a0,(a1)"},
		{0x1ab6352f, "sc.d.rl a0,a1,(a2)"},
		{0x02c5f553, "fadd.d fa0,fa1,fa2"},
		{0x02c58553, "fadd.d fa0,fa1,fa2,rne"},
		{0x02c5d553, "fadd.d fa0,fa1,fa2,unknown"},
		{0x6ac59543, "fmadd.d fa0,fa1,fa2,fa3,rtz"},
		{0xc2051553, "fcvt.w.d a0,fa0,rtz"},
		{0xd2050553, "fcvt.d.w fa0,a0"},
		{0xd2057553, "fcvt.d.w fa0,a0"},
		{0xd0053553, "fcvt.s.w fa0,a0,rup"},
		{0x22b58553, "fsgnj.d fa0,fa1,fa1"},
		{0x00051513, "slli a0,a0,0x0"},
		{0x03f51513, "slli a0,a0,0x3f"},
		{0xfc1ff0ef, "jal ra,0xffffffffffffffd0"},
		{0x157e, "c.slli a0,0x3f"},
		{0x0502, "c.slli64 a0"},
		{0xa508, "c.fsd fa0,8(a0)"},
		{0x2522, "c.fldsp fa0,8(sp)"},
		{0x00000073, "ecall"},
		{0xffffffff, ""},
		{0x0000, ""},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[INSN_TEXT_BYTES];
		uint32_t word = rows[i].word;
		const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
					 (uint8_t)(word >> 24)};
		unsigned len = insn_text_rv64(0x10, bytes, sizeof(bytes), text);
		assert_string_equal(text, rows[i].text);
		assert_int_equal(len, !*rows[i].text ? 0 : (word & 3) == 3 ? 4 : 2);
		assert_int_equal(insn_text_rv64(0x10, bytes, 1, text), 0);
		assert_string_equal(text, "");
	}
}

static void test_x86(void **state)
{
	static const struct {
		const char *bytes;
		unsigned len;
		const char *text;
	} rows[] = {
		{"\x48\x8b\x43\x08", 4, "mov rax, qword ptr [rbx + 8]"},
		{"\xc3", 1, "ret"},
		{"\xeb\xfe", 2, "jmp 0x1000"},
		{"\xc4\xe2\x7d\x5a\x03", 5, "vbroadcasti128 ymm0, xmmword ptr [rbx]"},
		{"\x06", 0, ""},
		{"\x48\x8b", 0, ""},
	};
	struct x86_decoder *d;
	(void)state;
	assert_int_equal(x86_decoder_new(&d, NULL), SAHM_OK);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[INSN_TEXT_BYTES];
		assert_int_equal(insn_text_x86(d, 0x1000, (const uint8_t *)rows[i].bytes, strlen(rows[i].bytes), text),
				 rows[i].len);
		assert_string_equal(text, rows[i].text);
	}
	x86_decoder_free(d);
}

TEST_FILE(test_insn_text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rv64),
		cmocka_unit_test(test_x86),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
