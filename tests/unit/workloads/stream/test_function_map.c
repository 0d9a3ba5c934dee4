/* Function maps: the module map of a stream and ELF symbols name a pc, and say where a named function is. */
#include "workloads/stream/function_map.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/file.h"
#include "tests/helper/made_elf.h"
#include "tests/helper/made_stream.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

#define CODE_ADDRESS 0x10000u	 /* in the file */
#define CODE_BYTES 0x100u	 /* of the file */
#define MAPPED 0x7f0000000000ull /* where the program has the file */

static char elf_path[64], stream_path[64], gone_path[64];

static int make_folder(void **state)
{
	int failed = make_own_folder(state);
	snprintf(elf_path, sizeof(elf_path), "%s/program", own_folder);
	snprintf(gone_path, sizeof(gone_path), "%s/library", own_folder);
	snprintf(stream_path, sizeof(stream_path), "%s/a.stream", own_folder);
	return failed;
}

enum { FUNC = 2, LOCAL_FUNC = MADE_LOCAL | 2, WEAK_FUNC = MADE_WEAK | 2 };

#define TABLE_OF_EXPORTS 11u /* the type of its section */

/* Returns where its code begins in the file. */
static uint64_t write_elf(bool is_stripped)
{
	static const uint8_t code[CODE_BYTES];
	static const struct made_segment segment = {.address = CODE_ADDRESS, .bytes = code, .nr_bytes = CODE_BYTES};
	static const struct made_symbol symbols[] = {
		{"from_assembly", CODE_ADDRESS, 0, FUNC, 1},
		{"first", CODE_ADDRESS + 0x20, 0x10, FUNC, 1},
		{"a_local", CODE_ADDRESS + 0x40, 0x30, LOCAL_FUNC, 1},
		{"a_weak", CODE_ADDRESS + 0x40, 0x30, WEAK_FUNC, 1},
		{"__strong", CODE_ADDRESS + 0x40, 0x30, FUNC, 1},
		{"bystrong", CODE_ADDRESS + 0x40, 0x20, FUNC, 1},
		{"strong", CODE_ADDRESS + 0x40, 0x20, FUNC, 1},
		{"twice", CODE_ADDRESS + 0x80, 0x10, LOCAL_FUNC, 1},
		{"twice", CODE_ADDRESS + 0x90, 0x10, LOCAL_FUNC, 1},
		{"data", CODE_ADDRESS + 0xa0, 0x10, 1, 1},
		{"undefined", CODE_ADDRESS + 0xb0, 0x10, FUNC, MADE_UNDEFINED},
		{"beyond", CODE_ADDRESS + CODE_BYTES, 0x10, FUNC, 1},
		{"too_long", CODE_ADDRESS + 0xf0, 0x1000, FUNC, 1},
	};
	struct made_elf elf;
	struct sahm_err err;
	made_elf(&elf, CODE_ADDRESS, &segment, 1, symbols, ARRAY_SIZE(symbols));
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (symbols[i].section == MADE_UNDEFINED)
			made_put(elf.bytes + elf.symbols + (i + 1) * MADE_SYMBOL_BYTES + SYM_SHNDX, 2, 0);
	if (is_stripped)
		made_put(elf.bytes + elf.sections + MADE_SECTION_BYTES + SH_TYPE, 4, TABLE_OF_EXPORTS);
	assert_int_equal(file_write(elf_path, elf.bytes, elf.nr_bytes, &err), SAHM_OK);
	made_elf_free(&elf);
	return MADE_HEADER_BYTES + MADE_SEGMENT_BYTES;
}

static struct function_map *make_map(const struct stream_module *modules, size_t nr)
{
	struct sahm_err err;
	struct stream *s;
	struct function_map *m;
	struct stream_writer *w = stream_writer_new(stream_path, MACHINE_RV64, "made up", &err);
	const struct insn nop = made_instruction(MAPPED, 4, INSN_INTEGER, 0);
	assert_non_null(w);
	stream_writer_enter(w, stream_writer_block(w, &nop, 1));
	for (size_t i = 0; i < nr; i++)
		stream_writer_module(w, &modules[i]);
	assert_int_equal(stream_writer_finish(w, &err), SAHM_OK);
	assert_int_equal(stream_open(stream_path, NULL, &s, &err), SAHM_OK);
	assert_int_equal(function_map_new(s, &m, &err), SAHM_OK);
	stream_free(s);
	return m;
}

/* The whole file, mapped so that its code begins at MAPPED. */
static struct function_map *map_of_file(void)
{
	uint64_t offset = write_elf(false);
	const struct stream_module modules[] = {{0x5000, 0x1000, 0, gone_path},
						{MAPPED - offset, offset + CODE_BYTES, 0, elf_path}};
	return make_map(modules, ARRAY_SIZE(modules));
}

static void expect_place(struct function_map *m, uint64_t pc, const char *module, uint64_t module_offset,
			 const char *function, uint64_t function_offset)
{
	struct function_place p;
	struct sahm_err err;
	assert_int_equal(function_map_place(m, pc, &p, &err), SAHM_OK);
	if (p.module != module && (!p.module || !module || strcmp(p.module, module) != 0))
		fail_msg("%#lx is in '%s'", pc, p.module ? p.module : "none");
	if (p.function != function && (!p.function || !function || strcmp(p.function, function) != 0))
		fail_msg("%#lx is in function '%s'", pc, p.function ? p.function : "none");
	assert_int_equal(p.module_offset, module_offset);
	assert_int_equal(p.function_offset, function_offset);
}

static void test_functions_of_pcs(void **state)
{
	static const struct {
		uint64_t at;
		const char *function;
		uint64_t offset;
	} places[] = {
		{0, "from_assembly", 0}, {0x1f, "from_assembly", 0x1f},
		{0x20, "first", 0},	 {0x2f, "first", 0xf},
		{0x30, NULL, 0},	 {0x40, "strong", 0},
		{0x5f, "strong", 0x1f},	 {0x60, "__strong", 0x20}, /* as `strong` is shorter */
		{0x70, NULL, 0},	 {0x88, "twice", 8},
		{0x90, "twice", 0},	 {0xa0, NULL, 0},
		{0xb0, NULL, 0},	 {0xf0, "too_long", 0},
		{0xff, "too_long", 0xf},
	};
	const uint64_t offset = MADE_HEADER_BYTES + MADE_SEGMENT_BYTES;
	struct function_map *m = map_of_file();
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		expect_place(m, MAPPED + places[i].at, elf_path, offset + places[i].at, places[i].function,
			     places[i].offset);
	assert_string_equal(function_map_notes(m)->text, "");
	expect_place(m, MAPPED + CODE_BYTES, NULL, 0, NULL, 0);
	expect_place(m, MAPPED - offset - 1, NULL, 0, NULL, 0);
	expect_place(m, 0, NULL, 0, NULL, 0);
	function_map_free(m);
}

static void test_missing_file_is_noted_once(void **state)
{
	struct function_map *m = map_of_file();
	(void)state;
	expect_place(m, 0x5010, gone_path, 0x10, NULL, 0);
	expect_place(m, 0x5020, gone_path, 0x20, NULL, 0);
	const char *note = strstr(function_map_notes(m)->text, gone_path);
	assert_non_null(note);
	assert_non_null(strstr(note, "No such file"));
	assert_ptr_equal(strchr(note, '\n')[1], '\0');
	function_map_free(m);
}

static void test_changed_file_has_no_functions(void **state)
{
	const struct timespec later[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 4000000000}};
	struct function_map *m = map_of_file();
	(void)state;
	assert_int_equal(utimensat(AT_FDCWD, elf_path, later, 0), 0);
	expect_place(m, MAPPED, elf_path, MADE_HEADER_BYTES + MADE_SEGMENT_BYTES, NULL, 0);
	assert_non_null(strstr(function_map_notes(m)->text, "has changed since the stream was recorded"));
	function_map_free(m);
}

static void test_other_files_are_noted(void **state)
{
	struct sahm_err err;
	const struct stream_module module = {MAPPED, 0x100, 0, elf_path};
	(void)state;
	for (int cut = 0; cut < 2; cut++) {
		assert_int_equal(file_write(elf_path, cut ? "\177ELF\2\1\1" : "#!/bin/sh\n", cut ? 7 : 10, &err),
				 SAHM_OK);
		struct function_map *m = make_map(&module, 1);
		expect_place(m, MAPPED, elf_path, 0, NULL, 0);
		assert_non_null(strstr(function_map_notes(m)->text, "no ELF file"));
		function_map_free(m);
	}
}

static void test_ranges_of_functions(void **state)
{
	struct function_map *m = map_of_file();
	struct pc_range *ranges;
	size_t nr;
	struct sahm_err err;
	(void)state;
	assert_int_equal(function_map_ranges(m, "twice", &ranges, &nr, &err), SAHM_OK);
	assert_int_equal(nr, 2);
	assert_int_equal(ranges[0].begin, MAPPED + 0x80);
	assert_int_equal(ranges[0].end, MAPPED + 0x90);
	assert_int_equal(ranges[1].begin, MAPPED + 0x90);
	assert_int_equal(ranges[1].end, MAPPED + 0xa0);
	free(ranges);
	assert_int_equal(function_map_ranges(m, "a_local", &ranges, &nr, &err), SAHM_OK);
	assert_int_equal(nr, 1);
	assert_int_equal(ranges[0].end, MAPPED + 0x70);
	free(ranges);
	assert_int_equal(function_map_ranges(m, "firts", &ranges, &nr, &err), SAHM_USAGE);
	assert_non_null(strstr(err.msg, "no function 'firts'"));
	assert_non_null(strstr(err.msg, "did you mean 'first'?"));
	function_map_free(m);
}

/* Only where no function was found does it matter that a file has names of some. */
static void test_stripped_files_are_noted(void **state)
{
	(void)state;
	uint64_t offset = write_elf(true);
	const struct stream_module module = {MAPPED - offset, offset + CODE_BYTES, 0, elf_path};
	struct function_map *m = make_map(&module, 1);
	struct pc_range *ranges;
	size_t nr;
	struct sahm_err err;
	assert_int_equal(function_map_ranges(m, "first", &ranges, &nr, &err), SAHM_OK);
	free(ranges);
	assert_string_equal(function_map_notes(m)->text, "");
	assert_int_equal(function_map_ranges(m, "static_one", &ranges, &nr, &err), SAHM_USAGE);
	const char *note = strstr(function_map_notes(m)->text, "is stripped: functions that it does not export");
	assert_non_null(note);
	assert_ptr_equal(strchr(note, '\n')[1], '\0');
	function_map_free(m);
}

/* A file in two modules has the functions of each part where that is. */
static void test_parts_of_a_file(void **state)
{
	uint64_t offset = write_elf(false);
	const struct stream_module modules[] = {{0x9000, 0x30, offset, elf_path},
						{0x1000, CODE_BYTES - 0x40, offset + 0x40, elf_path}};
	struct function_map *m = make_map(modules, ARRAY_SIZE(modules));
	struct pc_range *ranges;
	size_t nr;
	struct sahm_err err;
	(void)state;
	expect_place(m, 0x9024, elf_path, offset + 0x24, "first", 4);
	expect_place(m, 0x1004, elf_path, offset + 0x44, "strong", 4);
	assert_int_equal(function_map_ranges(m, "strong", &ranges, &nr, &err), SAHM_OK);
	assert_int_equal(nr, 1);
	assert_int_equal(ranges[0].begin, 0x1000);
	free(ranges);
	function_map_free(m);
}

static void test_stream_without_modules(void **state)
{
	struct function_map *m = make_map(NULL, 0);
	struct pc_range *ranges;
	size_t nr;
	struct sahm_err err;
	(void)state;
	expect_place(m, MAPPED, NULL, 0, NULL, 0);
	assert_int_equal(function_map_ranges(m, "first", &ranges, &nr, &err), SAHM_USAGE);
	assert_non_null(strstr(err.msg, "it has no functions"));
	function_map_free(m);
}

TEST_FILE(test_function_map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_of_pcs),
		cmocka_unit_test(test_missing_file_is_noted_once),
		cmocka_unit_test(test_changed_file_has_no_functions),
		cmocka_unit_test(test_other_files_are_noted),
		cmocka_unit_test(test_ranges_of_functions),
		cmocka_unit_test(test_stripped_files_are_noted),
		cmocka_unit_test(test_parts_of_a_file),
		cmocka_unit_test(test_stream_without_modules),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_own_folder);
}
