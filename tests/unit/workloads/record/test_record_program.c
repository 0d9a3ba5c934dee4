/* Which file a command runs: PATH, scripts that lead to scripts, machines, and what is no program. */
#include "workloads/record/record_program.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

static char path[128];

/* A file in our folder that can be run; its path is valid until the next call. */
static char *make(const char *name, const void *bytes, size_t len)
{
	snprintf(path, sizeof(path), "%s/%s", own_folder, name);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	fclose(f);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

static char *make_text(const char *name, const char *text)
{
	return make(name, text, strlen(text));
}

static char *make_elf(const char *name, uint16_t machine, uint8_t class)
{
	Elf64_Ehdr h = {.e_machine = machine};
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = class;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	return make(name, &h, sizeof(h));
}

static enum sahm_status find(struct arena *a, struct record_program *p, struct sahm_err *err, char *first, char *second)
{
	char **command = arena_alloc(a, 3, sizeof(*command));
	command[0] = arena_strdup(a, first);
	command[1] = second;
	return record_program_find(a, command, p, err);
}

static void test_machines(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint16_t machine;
		uint8_t class;
		enum sahm_status status;
		enum machine is;
	} rows[] = {
		{"x86-64", EM_X86_64, ELFCLASS64, SAHM_OK, MACHINE_X86_64},
		{"riscv64", EM_RISCV, ELFCLASS64, SAHM_OK, MACHINE_RV64},
		{"riscv32", EM_RISCV, ELFCLASS32, SAHM_FORMAT, 0},
		{"i386", EM_386, ELFCLASS32, SAHM_FORMAT, 0},
		{"x32", EM_X86_64, ELFCLASS32, SAHM_FORMAT, 0},
		{"aarch64", EM_AARCH64, ELFCLASS64, SAHM_FORMAT, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a;
		struct record_program p;
		struct sahm_err err = {.status = SAHM_OK};
		arena_init(&a);
		enum sahm_status status =
			find(&a, &p, &err, make_elf(rows[i].name, rows[i].machine, rows[i].class), NULL);
		if (status != rows[i].status || (status == SAHM_OK && p.machine != rows[i].is))
			fail_msg("%s: status %d, machine %d", rows[i].name, status, p.machine);
		if (status != SAHM_OK)
			assert_non_null(strstr(err.msg, "another machine"));
		arena_release(&a);
	}
}

static void test_path(void **state)
{
	(void)state;
	struct arena a;
	struct record_program p;
	struct sahm_err err;
	char folders[256], program[] = "own-program", nothing[] = "own-nothing", argument[] = "x";
	arena_init(&a);
	make_elf("own-program", EM_X86_64, ELFCLASS64);
	snprintf(folders, sizeof(folders), "/nowhere:%s:/usr/bin", own_folder);
	assert_int_equal(setenv("PATH", folders, 1), 0);
	assert_int_equal(find(&a, &p, &err, program, argument), SAHM_OK);
	assert_string_equal(p.path, path);
	assert_string_equal(p.args[0], "own-program");
	assert_string_equal(p.args[1], "x");
	assert_null(p.args[2]);
	assert_int_equal(find(&a, &p, &err, nothing, NULL), SAHM_IO);
	assert_string_equal(err.msg, "cannot run 'own-nothing': No such file or directory");
	/* A file that cannot be run is passed over in PATH, and reported when it is named. */
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(find(&a, &p, &err, program, NULL), SAHM_IO);
	assert_int_equal(find(&a, &p, &err, path, NULL), SAHM_IO);
	assert_non_null(strstr(err.msg, "it cannot be executed (chmod +x?)"));
	/* A folder is none, an empty name neither. */
	assert_int_equal(find(&a, &p, &err, own_folder, NULL), SAHM_IO);
	char empty[] = "";
	assert_int_equal(find(&a, &p, &err, empty, NULL), SAHM_IO);
	arena_release(&a);
}

static void test_scripts(void **state)
{
	(void)state;
	struct arena a;
	struct record_program p;
	struct sahm_err err;
	char elf[128], one[128], text[300], argument[] = "x";
	arena_init(&a);
	snprintf(elf, sizeof(elf), "%s", make_elf("elf", EM_RISCV, ELFCLASS64));
	/* The rest of the line is one argument, blanks around it gone. */
	snprintf(text, sizeof(text), "#! %s  -a -b  \nrest\n", elf);
	snprintf(one, sizeof(one), "%s", make_text("one", text));
	assert_int_equal(find(&a, &p, &err, one, argument), SAHM_OK);
	assert_string_equal(p.path, elf);
	assert_string_equal(p.args[0], elf);
	assert_string_equal(p.args[1], "-a -b");
	assert_string_equal(p.args[2], one);
	assert_string_equal(p.args[3], "x");
	assert_null(p.args[4]);
	/* A script of a script. */
	snprintf(text, sizeof(text), "#!%s", one);
	assert_int_equal(find(&a, &p, &err, make_text("two", text), NULL), SAHM_OK);
	assert_string_equal(p.path, elf);
	assert_string_equal(p.args[1], "-a -b");
	assert_string_equal(p.args[2], one);
	assert_string_equal(p.args[3], path);
	/* One that leads to itself. */
	snprintf(text, sizeof(text), "#!%s/self\n", own_folder);
	assert_int_equal(find(&a, &p, &err, make_text("self", text), NULL), SAHM_IO);
	assert_non_null(strstr(err.msg, "too many scripts"));
	/* An interpreter that is not there, and none at all. */
	assert_int_equal(find(&a, &p, &err, make_text("lost", "#!/nowhere/at/all\n"), NULL), SAHM_IO);
	assert_non_null(strstr(err.msg, "'/nowhere/at/all' cannot be executed"));
	assert_int_equal(find(&a, &p, &err, make_text("bare", "#!\n"), NULL), SAHM_IO);
	arena_release(&a);
}

static void test_no_programs(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "#", "echo\n", "\177ELF", "\177ELF\2\1\1 and so on"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct arena a;
		struct record_program p;
		struct sahm_err err;
		arena_init(&a);
		assert_int_equal(find(&a, &p, &err, make_text("text", texts[i]), NULL), SAHM_FORMAT);
		assert_non_null(strstr(err.msg, "neither an ELF program nor a script"));
		arena_release(&a);
	}
}

TEST_FILE(test_record_program)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_no_programs),
	};
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
