/* Introspection programs made ready: where routines stand, what they need, variables set by name. */
#include "sim/base/array.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/introspection.h"

enum { OBJECT = 1, FUNCTION = 2 };
enum { READABLE = 4, WRITABLE = 2, EXECUTABLE = 1 };

/* A program with code from 0 to 0x40 and from `finish` on, data in the scratchpad, and these symbols. */
static enum sahm_status load_made(const struct made_symbol *symbols, size_t nr, const char *setting,
				  struct ipu_program **program, struct sahm_err *err)
{
	static const uint8_t code[64], data[32];
	static const struct made_segment segments[] = {
		{.address = 0, .bytes = code, .nr_bytes = 64, .flags = READABLE | EXECUTABLE},
		{.address = IPU_FINISH, .bytes = code, .nr_bytes = 4, .flags = READABLE | EXECUTABLE},
		{.address = IPU_SCRATCHPAD_BASE,
		 .bytes = data,
		 .nr_bytes = 32,
		 .nr_more = 32,
		 .flags = READABLE | WRITABLE},
	};
	struct made_elf elf;
	*program = NULL;
	made_elf(&elf, 0, segments, 3, symbols, nr);
	enum sahm_status status =
		ipu_load(program, "p.elf", elf.bytes, elf.nr_bytes, NULL, &setting, setting ? 1 : 0, err);
	made_elf_free(&elf);
	return status;
}

/* A loaded program runs translated where there is a translator, until it must be interpreted. */
static void test_engine(void **state)
{
	static struct ipu ipu;
	static const struct made_symbol symbol = {"_main", 0, 8, FUNCTION, 1};
	struct ipu_program *program;
	struct sahm_err err;
	(void)state;
	assert_int_equal(load_made(&symbol, 1, NULL, &program, &err), SAHM_OK);
	ipu_init(&ipu, program);
	assert_int_equal(ipu.hart.translation != NULL, translation_is_available());
	ipu_program_interpret(program);
	ipu_init(&ipu, program);
	assert_null(ipu.hart.translation);
	ipu_program_free(program);
}

static void test_routines(void **state)
{
	(void)state;
	static const struct {
		struct made_symbol symbols[2];
		const char *message;
	} rows[] = {
		{{{"_main", 0, 8, FUNCTION, 1}}, NULL},
		{{{"_main", 0x3e, 2, FUNCTION, 1}}, NULL},
		{{{"_main", 8, 8, FUNCTION, 1}, {"init", 0, 8, FUNCTION, 1}}, NULL},
		{{{"_main", 8, 8, FUNCTION, 1}, {"finish", IPU_FINISH, 8, FUNCTION, 1}}, NULL},
		{{{"other", 0, 8, FUNCTION, 1}}, "p.elf: it has no function '_main', which runs for each input set"},
		{{{"main", 0, 8, FUNCTION, 1}},
		 "p.elf: it has no function '_main', which runs for each input set; did you mean 'main'?"},
		{{{"main", IPU_SCRATCHPAD_BASE, 8, OBJECT, 1}},
		 "p.elf: it has no function '_main', which runs for each input set"},
		{{{"_main", 0, 8, OBJECT, 1}},
		 "p.elf: its symbol '_main' is no function (in assembly: .type _main, @function)"},
		{{{"_main", 0x40, 8, FUNCTION, 1}},
		 "p.elf: its function '_main' stands at 0x00000040, where it has no code"},
		{{{"_main", 3, 8, FUNCTION, 1}},
		 "p.elf: its function '_main' stands at 0x00000003, where it has no code"},
		{{{"_main", IPU_SCRATCHPAD_BASE, 8, FUNCTION, 1}},
		 "p.elf: its function '_main' stands at 0x00010000, where it has no code"},
		{{{"_main", 0, 8, FUNCTION, 1}, {"init", 8, 8, FUNCTION, 1}},
		 "p.elf: its function 'init' stands at 0x00000008, must be at 0x00000000: include introspect.h, and "
		 "link it "
		 "with ipu.ld"},
		{{{"_main", 8, 8, FUNCTION, 1}, {"init", 0, 8, 0, 1}},
		 "p.elf: its symbol 'init' is no function, which the name is kept for"},
		{{{"_main", 0, 8, FUNCTION, 1}, {"finish", 8, 8, FUNCTION, 1}},
		 "p.elf: its function 'finish' stands at 0x00000008, must be at 0x00001fc0: include introspect.h, and "
		 "link it "
		 "with ipu.ld"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ipu_program *program;
		struct sahm_err err = {.msg = ""};
		enum sahm_status status =
			load_made(rows[i].symbols, rows[i].symbols[1].name ? 2 : 1, NULL, &program, &err);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : "");
		assert_int_equal(status, rows[i].message ? SAHM_FORMAT : SAHM_OK);
		assert_int_equal(program != NULL, status == SAHM_OK);
		ipu_program_free(program);
	}
}

static const struct made_symbol variables[] = {
	{"_main", 0, 8, FUNCTION, 1},		{"byte", 0x10001, 1, OBJECT, 1},    {"half", 0x10002, 2, OBJECT, 1},
	{"word", 0x10004, 4, OBJECT, 1},	{"wide", 0x10008, 8, OBJECT, 1},    {"table", 0x10010, 12, OBJECT, 1},
	{"behind", 0x1003c, 4, OBJECT, 1},	{"outside", 0x17ffe, 4, OBJECT, 1}, {"empty", 0x10020, 0, OBJECT, 1},
	{"constant", 0xf0000000, 4, OBJECT, 0},
};

static void test_settings(void **state)
{
	(void)state;
	static const struct {
		const char *setting;
		uint32_t at;
		uint64_t value; /* of 8 bytes there; all others are 0 */
	} rows[] = {
		{"byte=255", 1, 255},
		{"byte=-128", 1, 128},
		{"half=0xabcd", 2, 0xabcd},
		{"half=-1", 2, 0xffff},
		{"word=4294967295", 4, UINT32_MAX},
		{"word=-2147483648", 4, UINT64_C(0x80000000)},
		{"word=0", 4, 0},
		{"wide=0x123456789abcdef0", 8, UINT64_C(0x123456789abcdef0)},
		{"wide=-2", 8, UINT64_MAX - 1},
		{"wide=18446744073709551615", 8, UINT64_MAX},
		{"wide=-9223372036854775808", 8, UINT64_C(1) << 63},
		{"table[0]=7", 16, 7},
		{"table[2]=0x80000001", 24, UINT64_C(0x80000001)},
		{"wide[1]=5", 12, 5},
		{"word[0]=6", 4, 6},
		{"behind=9", 0x3c, 9},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ipu_program *program;
		struct sahm_err err;
		uint8_t expected[IPU_SCRATCHPAD_BYTES] = {0};
		if (load_made(variables, ARRAY_SIZE(variables), rows[i].setting, &program, &err))
			fail_msg("%s", err.msg);
		made_put(expected + rows[i].at, 8, rows[i].value);
		assert_memory_equal(ipu_program_scratchpad(program), expected, sizeof(expected));
		ipu_program_free(program);
	}
}

static void test_refused_settings(void **state)
{
	(void)state;
#define FORM "must be SYMBOL=VALUE or SYMBOL[INDEX]=VALUE"
#define VALUE "the value must be a whole number, such as 10000000, 0x80000000 or -1"
#define INDEX "the index must be a whole number, as in table[3]=7"
	static const char *const rows[][2] = {
		{"", FORM},
		{"word", FORM},
		{"=5", FORM},
		{"[0]=5", FORM},
		{"word=", VALUE},
		{"word=x", VALUE},
		{"word=1.5", VALUE},
		{"word=--1", VALUE},
		{"word= 1", VALUE},
		{"byte=256", "the value does not fit into 1 byte"},
		{"byte=-129", "the value does not fit into 1 byte"},
		{"half=65536", "the value does not fit into 2 bytes"},
		{"word=4294967296", "the value does not fit into 4 bytes"},
		{"word=-2147483649", "the value does not fit into 4 bytes"},
		{"wide=18446744073709551616", "the value does not fit into 8 bytes"},
		{"wide=-9223372036854775809", "the value does not fit into 8 bytes"},
		{"table[3]=0", "it has 3 elements of 4 bytes, from 0 on"},
		{"table[0]=4294967296", "the value does not fit into 4 bytes"},
		{"half[0]=1", "it has 0 elements of 4 bytes, from 0 on"},
		{"word[1]=1", "it has 1 element of 4 bytes, from 0 on"},
		{"table=1", "it has 12 bytes, so it is set by elements of 4, as in table[0]=1"},
		{"table[]=1", INDEX},
		{"table[-1]=1", INDEX},
		{"table[1=1", INDEX},
		{"table[0x1]=1", INDEX},
		{"table[99999999999999999999]=1", INDEX},
		{"wrod=1", "p.elf has no variable 'wrod'; did you mean 'word'?"},
		{"zzzzz=1", "p.elf has no variable 'zzzzz'"},
		{"_main=1", "'_main' of p.elf is no variable in the scratchpad"},
		{"constant=1", "'constant' of p.elf is no variable in the scratchpad"},
		{"outside=1", "'outside' of p.elf is no variable in the scratchpad"},
		{"empty=1", "'empty' of p.elf is no variable in the scratchpad"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ipu_program *program;
		struct sahm_err err = {.msg = ""};
		char message[256];
		enum sahm_status status = load_made(variables, ARRAY_SIZE(variables), rows[i][0], &program, &err);
		snprintf(message, sizeof(message), "setting '%s': %s", rows[i][0], rows[i][1]);
		assert_string_equal(err.msg, message);
		assert_int_equal(status, SAHM_USAGE);
		assert_null(program);
	}
}

static void test_files(void **state)
{
	(void)state;
	static const char *const programs[][2] = {
		{"classify", "core"},	    {"classify-ewma", "core"},	 {"predict", "core"},
		{"histogram", "l1d_write"}, {"overlap", "gpu_activity"}, {"watch", "memory_access"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct introspection t;
		uint32_t entry;
		introspection_new(&t, programs[i][0], programs[i][1], NULL, 0);
		assert_true(ipu_program_main(t.program, &entry));
		assert_int_equal(ipu_program_has_init(t.program), i < 3);
		assert_int_equal(ipu_program_has_finish(t.program), i >= 3);
		introspection_free(&t);
	}
	struct ipu_program *program;
	struct sahm_err err;
	assert_int_equal(ipu_load_file(&program, "ipu/programs/prebuilt/nothing.elf", NULL, NULL, 0, NULL, &err),
			 SAHM_IO);
	assert_int_equal(ipu_load_file(&program, "ipu/programs/ipu.ld", NULL, NULL, 0, NULL, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, "ipu/programs/ipu.ld: not an ELF file");
	char bytes[1] = "";
	assert_int_equal(ipu_load(&program, "p.elf", bytes, IPU_MAX_IMAGE_BYTES + 1, NULL, NULL, 0, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, "p.elf: its 1048577 bytes are too many for a program: at most 1048576");
}

/* A program on a HIT that it was not written for. */
static void test_other_abi(void **state)
{
	(void)state;
	struct arena a = {0};
	struct abi abi;
	struct ipu_program *program;
	struct sahm_err err;
	assert_int_equal(abi_read(&a, "ipu/abi/memory_access.cfg", &abi, &err), SAHM_OK);
	assert_int_equal(ipu_load_file(&program, "ipu/programs/prebuilt/overlap.elf", &abi, NULL, 0, NULL, &err),
			 SAHM_FORMAT);
	assert_string_equal(err.msg, "ipu/programs/prebuilt/overlap.elf: it reads 'simt_active', which the ABI spec "
				     "'memory_access' lacks (ipu/abi/memory_access.cfg)");
	arena_release(&a);
}

/* The last of two settings of one variable counts; programs with other settings have other hashes. */
static void test_last_setting(void **state)
{
	(void)state;
	static const char *const settings[] = {"watch_period=7", "watch_first=0x100", "watch_period=9"};
	struct introspection t, plain;
	uint8_t one[HASH_BYTES], other[HASH_BYTES];
	struct hash h;
	introspection_new(&t, "watch", "memory_access", settings, 3);
	introspection_new(&plain, "watch", "memory_access", NULL, 0);
	hash_init(&h);
	ipu_program_hash(t.program, &h);
	hash_end(&h, one);
	hash_init(&h);
	ipu_program_hash(plain.program, &h);
	hash_end(&h, other);
	assert_memory_not_equal(one, other, HASH_BYTES);
	uint32_t nr_nines = 0;
	for (uint32_t at = 0; at < 64; at++) {
		assert_int_not_equal(ipu_program_scratchpad(t.program)[at], 7);
		nr_nines += ipu_program_scratchpad(t.program)[at] == 9;
	}
	assert_int_equal(nr_nines, 1);
	introspection_free(&t);
	introspection_free(&plain);
}

TEST_FILE(test_ipu_load)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engine),	     cmocka_unit_test(test_routines),
		cmocka_unit_test(test_settings),     cmocka_unit_test(test_refused_settings),
		cmocka_unit_test(test_files),	     cmocka_unit_test(test_other_abi),
		cmocka_unit_test(test_last_setting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
