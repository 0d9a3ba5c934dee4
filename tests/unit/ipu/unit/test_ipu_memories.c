/* The IPU's own memories: what goes where, where they end, and what many processors share. */
#include <stdlib.h>

#include "ipu/core/ipu.h"
#include "sim/base/array.h"
#include "tests/helper/encode.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/engine.h"

enum { T0 = 5, A0 = 10, A1 = 11 };
enum { READABLE = 4, WRITABLE = 2, EXECUTABLE = 1 };

#define RET encode_jalr(0, HART_RA, 0)
#define LW(rd, rs1, imm) encode_i(OP_LOAD, 2, rd, rs1, imm)
#define LH(rd, rs1, imm) encode_i(OP_LOAD, 1, rd, rs1, imm)
#define SW(rs2, rs1, imm) encode_s(OP_STORE, 2, rs1, rs2, imm)

static enum sahm_status make_program(struct ipu_program **program, const struct made_segment *segments, size_t nr,
				     struct sahm_err *err)
{
	struct made_elf elf;
	struct elf_image *image;
	made_elf(&elf, 0, segments, nr, NULL, 0);
	assert_int_equal(elf_image_new(&image, "a.elf", elf.bytes, elf.nr_bytes, err), SAHM_OK);
	enum sahm_status status = ipu_program_new(program, image, err);
	elf_image_free(image);
	made_elf_free(&elf);
	return status;
}

/* A program of nr words at 0, and the word `data` at the beginning of the scratchpad. */
static struct ipu_program *program_of(const uint32_t *words, size_t nr, uint32_t data)
{
	uint8_t code[64], scratchpad[4];
	struct sahm_err err;
	struct ipu_program *program;
	assert_true(nr * 4 <= sizeof(code));
	for (size_t i = 0; i < nr; i++)
		made_put(code + 4 * i, 4, words[i]);
	made_put(scratchpad, 4, data);
	struct made_segment segments[] = {
		{.address = 0, .bytes = code, .nr_bytes = (uint32_t)(4 * nr), .flags = READABLE | EXECUTABLE},
		{.address = IPU_SCRATCHPAD_BASE, .bytes = scratchpad, .nr_bytes = 4, .flags = READABLE | WRITABLE},
	};
	assert_int_equal(make_program(&program, segments, 2, &err), SAHM_OK);
	if (tested_engine == HART_JIT)
		ipu_program_translate(program, &host_translator);
	return program;
}

static struct ipu *ipu_of(const struct ipu_program *program)
{
	struct ipu *ipu = malloc(sizeof(*ipu));
	assert_non_null(ipu);
	ipu_init(ipu, program);
	return ipu;
}

/* Segments at, over and after the ends of the two memories. */
static void test_placement(void **state)
{
	(void)state;
	static const uint8_t bytes[8];
	static const struct {
		const char *name;
		uint32_t address, nr_bytes, nr_more, flags;
		const char *message;
	} rows[] = {
		{"last word of code", 0x1ffc, 4, 0, READABLE | EXECUTABLE, NULL},
		{"code to the end", 0, 8, 0x1ff8, READABLE | EXECUTABLE, NULL},
		{"code beyond the end", 0, 8, 0x1ff9, READABLE | EXECUTABLE,
		 "a.elf: executable segment of 8193 bytes at 0x00000000 does not fit into the instruction memory, "
		 "0x00000000 to 0x00001fff"},
		{"code behind the end", 0x2000, 4, 0, READABLE | EXECUTABLE,
		 "a.elf: executable segment of 4 bytes at 0x00002000 does not fit into the instruction memory, "
		 "0x00000000 to 0x00001fff"},
		{"code in the scratchpad", 0x10000, 4, 0, READABLE | EXECUTABLE,
		 "a.elf: executable segment of 4 bytes at 0x00010000 does not fit into the instruction memory, "
		 "0x00000000 to 0x00001fff"},
		{"data to the end", 0x10000, 8, 0x7ff8, READABLE | WRITABLE, NULL},
		{"constants at the end", 0x17ffc, 4, 0, READABLE, NULL},
		{"data beyond the end", 0x10000, 8, 0x7ff9, READABLE | WRITABLE,
		 "a.elf: data segment of 32769 bytes at 0x00010000 does not fit into the scratchpad, 0x00010000 "
		 "to 0x00017fff"},
		{"data in front", 0xfffc, 8, 0, READABLE | WRITABLE,
		 "a.elf: data segment of 8 bytes at 0x0000fffc does not fit into the scratchpad, 0x00010000 "
		 "to 0x00017fff"},
		{"data among the code", 0x100, 4, 0, READABLE | WRITABLE,
		 "a.elf: data segment of 4 bytes at 0x00000100 does not fit into the scratchpad, 0x00010000 "
		 "to 0x00017fff"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_segment segment = {.address = rows[i].address,
					       .bytes = bytes,
					       .nr_bytes = rows[i].nr_bytes,
					       .nr_more = rows[i].nr_more,
					       .flags = rows[i].flags};
		struct ipu_program *program = NULL;
		struct sahm_err err;
		enum sahm_status status = make_program(&program, &segment, 1, &err);
		if (status != (rows[i].message ? SAHM_FORMAT : SAHM_OK))
			fail_msg("%s: status %d", rows[i].name, status);
		if (rows[i].message)
			assert_string_equal(err.msg, rows[i].message);
		ipu_program_free(program);
	}
}

/* The scratchpad begins as the program says, belongs to one processor, and persists from call to call. */
static void test_scratchpads(void **state)
{
	(void)state;
	const uint32_t count[] = {encode_lui(T0, IPU_SCRATCHPAD_BASE), LW(A0, T0, 0), encode_addi(A0, A0, 1),
				  SW(A0, T0, 0), RET};
	struct ipu_program *program = program_of(count, 5, 41);
	struct ipu *one = ipu_of(program), *other = ipu_of(program);
	assert_int_equal(hart_register(&one->hart, HART_SP), 0x18000);
	for (uint32_t i = 42; i < 45; i++) {
		assert_int_equal(made_call(&one->hart, 0, 100), HART_RETURNED);
		assert_int_equal(hart_register(&one->hart, A0), i);
	}
	assert_int_equal(made_call(&other->hart, 0, 100), HART_RETURNED);
	assert_int_equal(hart_register(&other->hart, A0), 42);
	/* Power-on again. */
	ipu_init(one, program);
	assert_int_equal(made_call(&one->hart, 0, 100), HART_RETURNED);
	assert_int_equal(hart_register(&one->hart, A0), 42);
	assert_int_equal(one->hart.nr_retired, 5);
	free(one);
	free(other);
	ipu_program_free(program);
}

/* Loads at both ends of the scratchpad, and of what is not there for loads: code, the gap, the window of the host. */
static void test_bounds(void **state)
{
	(void)state;
	static const struct {
		uint32_t address;
		bool is_half;
		enum hart_cause cause;
	} rows[] = {
		{0x10000, false, HART_RETURNED},	{0x17ffc, false, HART_RETURNED},
		{0x17ffe, true, HART_RETURNED},		{0x17ffe, false, HART_LOAD_OUTSIDE},
		{0x18000, false, HART_LOAD_OUTSIDE},	{0xffff, true, HART_LOAD_OUTSIDE},
		{0xfffe, true, HART_LOAD_OUTSIDE},	{0, false, HART_LOAD_OUTSIDE},
		{0x1ffc, false, HART_LOAD_OUTSIDE},	{0x80000000, false, HART_LOAD_OUTSIDE},
		{0xfffffffe, false, HART_LOAD_OUTSIDE}, {0x10001, true, HART_LOAD_MISALIGNED},
		{0x10002, false, HART_LOAD_MISALIGNED}, {0x17ffd, true, HART_LOAD_MISALIGNED},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const uint32_t load[] = {rows[i].is_half ? LH(A0, A1, 0) : LW(A0, A1, 0), RET};
		struct ipu_program *program = program_of(load, 2, 7);
		struct ipu *ipu = ipu_of(program);
		hart_set_register(&ipu->hart, A1, rows[i].address);
		enum hart_cause cause = made_call(&ipu->hart, 0, 100);
		if (cause != rows[i].cause)
			fail_msg("0x%08x: %s", rows[i].address, hart_cause_text(cause));
		if (hart_cause_is_fault(cause)) {
			assert_int_equal(ipu->hart.pc, 0);
			assert_int_equal(ipu->hart.address, rows[i].address);
			assert_int_equal(ipu->hart.nr_retired, 0);
		}
		free(ipu);
		ipu_program_free(program);
	}
}

/* Code cannot be stored to, and fence.i changes nothing. */
static void test_code_is_fixed(void **state)
{
	(void)state;
	const uint32_t words[] = {ENCODED_FENCE_I, encode_addi(A0, 0, 5), SW(A0, 0, 4), RET};
	struct ipu_program *program = program_of(words, 4, 0);
	struct ipu *ipu = ipu_of(program);
	assert_int_equal(made_call(&ipu->hart, 0, 100), HART_STORE_OUTSIDE);
	assert_int_equal(ipu->hart.pc, 8);
	assert_int_equal(ipu->hart.address, 4);
	assert_int_equal(hart_register(&ipu->hart, A0), 5);
	free(ipu);
	ipu_program_free(program);
}

/* Memory that no segment covers holds 0, which is no instruction. */
static void test_empty_code(void **state)
{
	(void)state;
	const uint32_t words[] = {RET};
	struct ipu_program *program = program_of(words, 1, 0);
	struct ipu *ipu = ipu_of(program);
	assert_int_equal(made_call(&ipu->hart, 0x1fc0, 100), HART_ILLEGAL_INSTRUCTION);
	assert_int_equal(made_call(&ipu->hart, 0x2000, 100), HART_FETCH_OUTSIDE);
	assert_int_equal(made_call(&ipu->hart, 0x2002, 100), HART_JUMP_OUTSIDE);
	assert_int_equal(made_call(&ipu->hart, 0x10000, 100), HART_JUMP_OUTSIDE);
	free(ipu);
	ipu_program_free(program);
}

TEST_FILE(test_ipu_memories)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_placement),     cmocka_unit_test(test_scratchpads), cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_code_is_fixed), cmocka_unit_test(test_empty_code),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
