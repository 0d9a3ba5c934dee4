/* Names of instructions: functions, source lines and texts of small programs that compilers make, by the stream's
 * modules and by a file that is given. Without a compiler for the machine its tests are skipped. */
#include "workloads/stream/code_names.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/file.h"
#include "tests/helper/made_stream.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"
#include "workloads/stream/source_lines.h"

#define ENTRY_AT 24 /* of the entry point in a header of ELF */
#define PAGE UINT64_C(0x1000)
#define FAR_AWAY UINT64_C(0x555555554000)

/* A compiler, a program of two instructions, and what they are. */
struct program {
	enum machine machine;
	const char *compiler, *options, *first, *second; /* in assembly */
	unsigned nr_bytes[2];
	const char *texts[2];
};

static const struct program programs[] = {
	{MACHINE_X86_64,
	 "gcc",
	 "-fcf-protection=none",
	 "mov 8(%rbx), %rax",
	 "ret",
	 {4, 1},
	 {"mov rax, qword ptr [rbx + 8]", "ret"}},
	{MACHINE_RV64,
	 "riscv64-linux-gnu-gcc",
	 "",
	 "c.ld a0, 8(a1)",
	 "amoadd.d a0, a1, (a2)",
	 {2, 4},
	 {"c.ld a0,8(a1)", "amoadd.d a0,a1,(a2)"}},
};

#define FIRST_LINE 3u

static char elf_path[96], stream_path[96];

static int make_folder(void **state)
{
	int failed = make_own_folder(state);
	snprintf(elf_path, sizeof(elf_path), "%s/program", own_folder);
	snprintf(stream_path, sizeof(stream_path), "%s/a.stream", own_folder);
	return failed;
}

static bool can_compile(const struct program *p)
{
	char command[128];
#ifndef __x86_64__
	if (p->machine == MACHINE_X86_64)
		return false;
#endif
	snprintf(command, sizeof(command), "command -v %s >/dev/null", p->compiler);
	return system(command) == 0;
}

/* Returns the entry point, where the first instruction is. */
static uint64_t compile(const struct program *p, const char *options)
{
	char text[512], *elf;
	size_t len;
	struct sahm_err err;
	uint64_t entry = 0;
	snprintf(text, sizeof(text), "%s/p.c", own_folder);
	FILE *f = fopen(text, "w");
	assert_non_null(f);
	fprintf(f, "__attribute__((naked)) void _start(void)\n{\n\t__asm__(\"%s\");\n\t__asm__(\"%s\");\n}\n", p->first,
		p->second);
	fclose(f);
	snprintf(text, sizeof(text), "cd %s && %s -g -O0 -nostdlib -ffreestanding %s %s -o program p.c", own_folder,
		 p->compiler, p->options, options);
	assert_int_equal(system(text), 0);
	assert_int_equal(file_read(elf_path, 1 << 20, &elf, &len, &err), SAHM_OK);
	memcpy(&entry, elf + ENTRY_AT, sizeof(entry));
	free(elf);
	return entry;
}

/* A stream that begins at `pc`, with `module` (may be NULL). */
static struct stream *make_stream(enum machine machine, uint64_t pc, const struct stream_module *module)
{
	struct sahm_err err;
	struct stream *s;
	struct stream_writer *w = stream_writer_new(stream_path, machine, "made up", &err);
	const struct insn nop = made_instruction(pc, 4, INSN_INTEGER, 0);
	assert_non_null(w);
	stream_writer_enter(w, stream_writer_block(w, &nop, 1));
	if (module)
		stream_writer_module(w, module);
	assert_int_equal(stream_writer_finish(w, &err), SAHM_OK);
	assert_int_equal(stream_open(stream_path, NULL, &s, &err), SAHM_OK);
	return s;
}

/* The program that is linked for `entry`, as the given one or by the module, and began at `pc`. */
static void expect_names(const struct program *p, struct stream *s, const struct code_file *elf, uint64_t pc)
{
	struct code_names *names;
	struct code_name x;
	struct sahm_err err;
	if (code_names_new(s, elf, &names, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(code_names_of(names, pc, p->nr_bytes[i], &x, &err), SAHM_OK);
		assert_string_equal(x.place.module, elf_path);
		assert_non_null(x.place.function);
		assert_string_equal(x.place.function, "_start");
		assert_int_equal(x.place.function_offset, i * p->nr_bytes[0]);
		assert_non_null(x.text);
		assert_string_equal(x.text, p->texts[i]);
		if (source_lines_are_built_in()) {
			assert_non_null(x.file);
			assert_string_equal(x.file, "p.c");
			assert_int_equal(x.line, FIRST_LINE + i);
		} else {
			assert_null(x.file);
		}
		/* The file has something else than the stream. */
		assert_int_equal(code_names_of(names, pc, p->nr_bytes[i] + 1, &x, &err), SAHM_OK);
		assert_null(x.text);
		pc += p->nr_bytes[i];
	}
	assert_string_equal(code_names_notes(names)->text, "");
	assert_int_equal(code_names_of(names, pc + (1 << 30), 4, &x, &err), SAHM_OK);
	assert_null(x.place.module);
	assert_null(x.file);
	assert_null(x.text);
	code_names_free(names);
	stream_free(s);
}

static void test_module_of_the_stream(const struct program *p)
{
	uint64_t entry = compile(p, "-static -no-pie -Wl,-z,noseparate-code"), low = entry & ~(PAGE - 1);
	struct stat st;
	assert_int_equal(stat(elf_path, &st), 0);
	struct stream_module module = {low, (uint64_t)st.st_size, 0, elf_path};
	expect_names(p, make_stream(p->machine, entry, &module), NULL, entry);
	/* The same file in another folder. */
	module.path = "/nowhere/program";
	const struct code_file given = {.path = elf_path};
	module.address += FAR_AWAY;
	expect_names(p, make_stream(p->machine, 0x100, &module), &given, entry + FAR_AWAY);
}

static void test_given_files(const struct program *p)
{
	uint64_t entry = compile(p, "-static -no-pie");
	struct code_file given = {.path = elf_path};
	expect_names(p, make_stream(p->machine, entry + p->nr_bytes[0], NULL), &given, entry);
	entry = compile(p, "-fPIE -pie -Wl,--no-dynamic-linker");
	expect_names(p, make_stream(p->machine, entry + FAR_AWAY, NULL), &given, entry + FAR_AWAY);
	given.has_base = true;
	given.base = FAR_AWAY + PAGE;
	expect_names(p, make_stream(p->machine, 0x123456, NULL), &given, entry + FAR_AWAY + PAGE);
	/* A base is taken before a module that is called alike, which it replaces. */
	const struct stream_module module = {entry + given.base, 0x1000, 0, "/nowhere/program"};
	expect_names(p, make_stream(p->machine, 0x123456, &module), &given, entry + FAR_AWAY + PAGE);
}

static void expect_refusal(struct stream *s, const struct code_file *elf, enum sahm_status status, const char *message)
{
	struct code_names *names;
	struct sahm_err err;
	assert_int_equal(code_names_new(s, elf, &names, &err), status);
	if (!strstr(err.msg, message) || !strstr(err.msg, elf->path))
		fail_msg("'%s' instead of '%s'", err.msg, message);
	stream_free(s);
}

static void test_refused_files(const struct program *p)
{
	const enum machine other = p->machine == MACHINE_RV64 ? MACHINE_X86_64 : MACHINE_RV64;
	uint64_t entry = compile(p, "-fPIE -pie -Wl,--no-dynamic-linker");
	const struct code_file given = {.path = elf_path}, gone = {.path = "/nowhere/program"};
	expect_refusal(make_stream(other, entry, NULL), &given, SAHM_FORMAT, "is for another machine");
	expect_refusal(make_stream(p->machine, entry + FAR_AWAY + 2, NULL), &given, SAHM_USAGE, "give --base ADDR");
	expect_refusal(make_stream(p->machine, entry, NULL), &gone, SAHM_IO, "No such file");
}

/* However much of a file is missing, names are those of the whole one, or none. */
static void test_cut_files(const struct program *p)
{
	uint64_t entry = compile(p, "-static -no-pie");
	struct code_file given = {.path = elf_path};
	struct stat st;
	unsigned nr_opened = 0;
	assert_int_equal(stat(elf_path, &st), 0);
	for (off_t len = st.st_size; len > 0; len -= 1 + st.st_size / 64) {
		struct stream *s = make_stream(p->machine, entry, NULL);
		struct code_names *names;
		struct code_name x;
		struct sahm_err err;
		assert_int_equal(truncate(elf_path, len), 0);
		if (code_names_new(s, &given, &names, &err) == SAHM_OK) {
			nr_opened++;
			assert_int_equal(code_names_of(names, entry, p->nr_bytes[0], &x, &err), SAHM_OK);
			assert_true(!x.text || strcmp(x.text, p->texts[0]) == 0);
			assert_true(!x.file || (strcmp(x.file, "p.c") == 0 && x.line == FIRST_LINE));
			code_names_free(names);
		}
		stream_free(s);
	}
	assert_true(nr_opened > 1);
}

static void for_each_program(void (*check)(const struct program *))
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		if (can_compile(&programs[i]))
			check(&programs[i]);
		else
			print_message("skipped: no %s for %s\n", programs[i].compiler,
				      machine_name(programs[i].machine));
	}
}

static void test_modules(void **state)
{
	(void)state;
	if (!source_lines_are_built_in())
		print_message("without source lines: built without libdw\n");
	for_each_program(test_module_of_the_stream);
}

static void test_given(void **state)
{
	(void)state;
	for_each_program(test_given_files);
}

static void test_refused(void **state)
{
	(void)state;
	for_each_program(test_refused_files);
}

static void test_cut(void **state)
{
	(void)state;
	for_each_program(test_cut_files);
}

static void test_missing_and_other_files(void **state)
{
	const struct stream_module module = {0x1000, 0x1000, 0, "/nowhere/library"};
	const struct code_file given = {.path = elf_path};
	struct code_names *names;
	struct code_name x;
	struct sahm_err err;
	(void)state;
	struct stream *s = make_stream(MACHINE_RV64, 0x1000, &module);
	assert_int_equal(code_names_new(s, NULL, &names, &err), SAHM_OK);
	assert_int_equal(code_names_of(names, 0x1010, 4, &x, &err), SAHM_OK);
	assert_string_equal(x.place.module, "/nowhere/library");
	assert_int_equal(x.place.module_offset, 0x10);
	assert_null(x.text);
	assert_null(x.file);
	assert_non_null(strstr(code_names_notes(names)->text, "No such file"));
	code_names_free(names);
	stream_free(s);
	assert_int_equal(file_write(elf_path, "#!/bin/sh\n", 10, &err), SAHM_OK);
	expect_refusal(make_stream(MACHINE_RV64, 0x1000, &module), &given, SAHM_FORMAT, "is no ELF file");
}

TEST_FILE(test_code_names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_missing_and_other_files),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_own_folder);
}
