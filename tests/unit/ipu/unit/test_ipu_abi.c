/* ABI specs: those that come with the program, what is refused and where, what programs need. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/chip/counters.h"
#include "ipu/unit/abi_internal.h"
#include "sim/base/file.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/test.h"

#define SIGNAL(name, bits, reg)                                                                                        \
	"{ name = \"" name "\"; bits = " bits "; register = " reg "; rate = 0; semantics = \"s\"; }"
#define SPEC(signals) "name = \"t\";\nsignals = (\n" signals "\n);\n"

static enum sahm_status read_text(struct arena *a, const char *text, struct abi *abi, struct sahm_err *err)
{
	struct cfg_node *root;
	enum sahm_status status = cfg_read_text(a, "t.cfg", text, strlen(text), &root, err);
	return status == SAHM_OK ? abi_of_tree(root, abi, err) : status;
}

static void must_read(struct arena *a, const char *text, struct abi *abi)
{
	struct sahm_err err;
	if (read_text(a, text, abi, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static const struct abi_signal *must_find(const struct abi *abi, const char *name)
{
	const struct abi_signal *s = abi_find(abi, name);
	if (!s)
		fail_msg("%s has no signal '%s'", abi->file, name);
	return s;
}

static void test_core(void **state)
{
	(void)state;
	struct arena a = {0};
	struct abi abi;
	assert_int_equal(abi_read(&a, "ipu/abi/core.cfg", &abi, NULL), SAHM_OK);
	assert_string_equal(abi.name, "core");
	assert_string_equal(abi.file, "ipu/abi/core.cfg");
	assert_int_equal(abi.nr_signals, NR_COUNTERS + 1);
	assert_null(abi.addr);
	for (unsigned c = 0; c < NR_COUNTERS; c++) {
		const struct abi_signal *s = must_find(&abi, counter_rows[c].name);
		assert_int_equal(s->reg, c);
		assert_int_equal(s->bits, 64);
		assert_int_equal(s->rate, 0);
		assert_ptr_equal(s, &abi.signals[c]);
	}
	assert_int_equal(must_find(&abi, "thread")->reg, 9);
	assert_int_equal(must_find(&abi, "thread")->bits, 32);
	assert_null(abi_find(&abi, "Thread"));
	arena_release(&a);
}

static void test_shipped(void **state)
{
	(void)state;
	static const struct {
		const char *file;
		unsigned nr_signals, nr_bits;
		const char *addr;
		uint64_t rate;
	} rows[] = {
		{"core", 10, 9 * 64 + 32, NULL, 0},
		{"gpu_activity", 4, 3 + 64, "pc", 1},
		{"l1d_write", 5, 256 + 64, "address", 1},
		{"memory_access", 2, 65, "address", 0},
		{"pics", 17, 215, "fetch", 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char path[64];
		struct arena a = {0};
		struct abi abi;
		struct sahm_err err;
		unsigned nr_bits = 0;
		snprintf(path, sizeof(path), "ipu/abi/%s.cfg", rows[i].file);
		if (abi_read(&a, path, &abi, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		assert_string_equal(abi.name, rows[i].file);
		assert_int_equal(abi.nr_signals, rows[i].nr_signals);
		for (unsigned s = 0; s < abi.nr_signals; s++) {
			nr_bits += abi.signals[s].bits;
			assert_int_equal(abi.signals[s].rate, abi.signals[s].is_level ? 1 : rows[i].rate);
		}
		assert_int_equal(nr_bits, rows[i].nr_bits);
		assert_int_equal(abi.addr != NULL, rows[i].addr != NULL);
		if (rows[i].addr)
			assert_string_equal(abi.addr->name, rows[i].addr);
		arena_release(&a);
	}
}

/* Widths, registers and rates at their bounds; the rate's default. */
static void test_accepted(void **state)
{
	(void)state;
	struct arena a = {0};
	struct abi abi;
	must_read(&a,
		  "name = \"x9_\"; addr = \"b\"; signals = (" SIGNAL("a", "1", "0") "," SIGNAL(
			  "b", "64", "31") ", { name = \"c_2\"; bits = 2; register = 7; semantics = \"t\"; },"
					   "{ name = \"d\"; bits = 2; register = 8; rate = 1000000000000000L; "
					   "semantics = \"t\"; });",
		  &abi);
	assert_int_equal(abi.nr_signals, 4);
	assert_ptr_equal(abi.addr, &abi.signals[1]);
	assert_int_equal(abi.signals[1].bits, 64);
	assert_int_equal(abi.signals[1].reg, 31);
	assert_int_equal(abi.signals[2].rate, 1);
	assert_string_equal(abi.signals[2].semantics, "t");
	assert_int_equal(abi.signals[3].rate, UINT64_C(1000000000000000));
	arena_release(&a);
}

static void test_refused(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"", "t.cfg: missing key 'name': name of the HIT; required"},
		{"name = \"t\";", "t.cfg: missing key 'signals': the signals; required"},
		{SPEC(""), "t.cfg:2: signals is empty"},
		{"name = 5;", "t.cfg:1: 'name' must be a string"},
		{"nome = \"t\";", "t.cfg:1: unknown key 'nome'; did you mean 'name'?"},
		{"name = \"t\";\nsignals = 1;", "t.cfg:2: 'signals' must be a list in ()"},
		{SPEC("1"), "t.cfg:3: 'signals[0]' must be a group"},
		{SPEC("{ nam = \"a\"; }"), "t.cfg:3: unknown key 'signals[0].nam'; did you mean 'name'?"},
		{SPEC(SIGNAL("a", "1", "0") ",\n{ bits = 1; }"),
		 "t.cfg:4: missing key 'signals[].name': lower-case letters, digits, _; neither cycle nor "
		 "hit_mhz; required"},
		{SPEC("{ name = \"a\"; }"), "t.cfg:3: missing key 'signals[].bits': its width; required"},
		{SPEC("{ name = \"a\"; bits = 1; }"),
		 "t.cfg:3: missing key 'signals[].register': the input register that it is wired to; required"},
		{SPEC("{ name = \"a\"; bits = 1; register = 1; }"),
		 "t.cfg:3: missing key 'signals[].semantics': what it says, in a sentence; required"},
		{SPEC("{ name = \"a\"; bits = 1; register = 1;\nsemantics = \"\"; }"),
		 "t.cfg:4: 'signals[].semantics' is empty"},
		{SPEC(SIGNAL("a", "0", "0")), "t.cfg:3: 'signals[0].bits' is 0, must be from 1 to 64 bits"},
		{SPEC(SIGNAL("a", "65", "0")), "t.cfg:3: 'signals[0].bits' is 65, must be from 1 to 64 bits"},
		{SPEC(SIGNAL("a", "1.5", "0")), "t.cfg:3: 'signals[0].bits' must be an integer"},
		{SPEC(SIGNAL("a", "1", "32")), "t.cfg:3: 'signals[0].register' is 32, must be from 0 to 31"},
		{SPEC(SIGNAL("a", "1", "-1")), "t.cfg:3: 'signals[0].register' is -1, must be from 0 to 31"},
		{SPEC("{ name = \"a\"; bits = 1; register = 0;\nrate = -1; }"),
		 "t.cfg:4: 'signals[0].rate' is -1, must be from 0 to 1e+15 HIT cycles"},
		{SPEC(SIGNAL("a", "1", "3") ",\n" SIGNAL("b", "1", "4") ",\n" SIGNAL("a", "1", "5")),
		 "t.cfg:5: there is a signal 'a' already, in line 3"},
		{SPEC(SIGNAL("a", "1", "3") ",\n" SIGNAL("b", "1", "4") ",\n" SIGNAL("c", "1", "4")),
		 "t.cfg:5: 'c' cannot be wired to register 4, which has 'b', in line 4"},
		{"addr = \"fetch\";\n" SPEC(SIGNAL("fetched", "1", "3")),
		 "t.cfg:1: addr is 'fetch', which is no signal of this spec; did you mean 'fetched'?"},
		{"addr = \"\";\n" SPEC(SIGNAL("fetched", "1", "3")),
		 "t.cfg:1: addr is '', which is no signal of this spec"},
#define NAME_RULE ", must be up to 32 lower-case letters, digits and _, a letter first"
		{"name = \"T\";", "t.cfg:1: bad name 'T'" NAME_RULE},
		{"name = \"\";", "t.cfg:1: 'name' is empty"},
		{SPEC(SIGNAL("a-b", "1", "0")), "t.cfg:3: bad name 'a-b'" NAME_RULE},
		{SPEC(SIGNAL("1a", "1", "0")), "t.cfg:3: bad name '1a'" NAME_RULE},
		{SPEC(SIGNAL("cycle", "1", "0")),
		 "t.cfg:3: bad name 'cycle', which recorded signals use for another column"},
		{SPEC(SIGNAL("hit_mhz", "1", "0")),
		 "t.cfg:3: bad name 'hit_mhz', which recorded signals use for another column"},
		{SPEC("{ name = \"a\"; bits = 1; register = 0; level = true;\nrate = 0; semantics = \"s\"; }"),
		 "t.cfg:4: rate of 'a' must be 1 or absent: a level has a value in every cycle"},
		{SPEC("{ name = \"a\"; bits = 1; register = 0; level = 1; semantics = \"s\"; }"),
		 "t.cfg:3: 'signals[0].level' must be true or false"},
		{SPEC("{ name = \"a\"; bits = 1; register = 0; level = true; semantics = \"s\"; }"),
		 "t.cfg:2: all signals are levels: one must have data points, which start programs"},
		{"former = (\"b\",\n\"a\");\n" SPEC(SIGNAL("a", "1", "0")),
		 "t.cfg:2: former name 'a' is that of a signal of this spec"},
		{"former = (\"B\");\n" SPEC(SIGNAL("a", "1", "0")), "t.cfg:1: bad name 'B'" NAME_RULE},
		{"former = (\"\");\n" SPEC(SIGNAL("a", "1", "0")), "t.cfg:1: bad name ''" NAME_RULE},
		{"former = (\"cycle\");\n" SPEC(SIGNAL("a", "1", "0")),
		 "t.cfg:1: bad name 'cycle', which recorded signals use for another column"},
		{"former = \"b\";\n" SPEC(SIGNAL("a", "1", "0")), "t.cfg:1: 'former' must be a list in ()"},
		{SPEC(SIGNAL("a23456789012345678901234567890123", "1", "0")),
		 "t.cfg:3: bad name 'a23456789012345678901234567890123'" NAME_RULE},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct arena a = {0};
		struct abi abi;
		struct sahm_err err;
		if (read_text(&a, rows[i][0], &abi, &err) != SAHM_CONFIG)
			fail_msg("accepted: %s", rows[i][0]);
		assert_string_equal(err.msg, rows[i][1]);
		arena_release(&a);
	}
}

#define LEVEL(name, reg, more)                                                                                         \
	"{ name = \"" name "\"; bits = 8; register = " reg "; level = true;" more " semantics = \"s\"; }"

static void test_levels(void **state)
{
	(void)state;
	struct arena a = {0};
	struct abi abi;
	must_read(&a,
		  "addr = \"pc\"; former = (\"old\", \"old\", \"older_2\"); " SPEC(SIGNAL("a", "1", "0") "," LEVEL(
			  "pc", "1", "") "," LEVEL("full", "2", "\nrate = 1;") ", { name = \"b\"; bits = 2; register = "
									       "3; level = false; semantics = "
									       "\"s\"; }"),
		  &abi);
	static const bool are_levels[] = {false, true, true, false};
	for (unsigned i = 0; i < abi.nr_signals; i++) {
		assert_int_equal(abi.signals[i].is_level, are_levels[i]);
		assert_int_equal(abi.signals[i].rate, i > 0);
	}
	assert_ptr_equal(abi.addr, &abi.signals[1]);
	assert_true(abi_is_former(&abi, "old") && abi_is_former(&abi, "older_2"));
	assert_false(abi_is_former(&abi, "a") || abi_is_former(&abi, "older"));
	arena_release(&a);
}

/* As many former names as there may be, and one more. */
static void test_most_former(void **state)
{
	(void)state;
	char text[4096] = "former = (";
	for (unsigned i = 0; i <= ABI_MAX_FORMER; i++) {
		struct arena a = {0};
		struct abi abi;
		struct sahm_err err;
		char whole[sizeof(text) + 256];
		size_t len = strlen(text);
		snprintf(text + len, sizeof(text) - len, "%s\"f%u\"", i ? "," : "", i);
		snprintf(whole, sizeof(whole), "%s); " SPEC(SIGNAL("a", "1", "0")), text);
		assert_int_equal(read_text(&a, whole, &abi, &err), i < ABI_MAX_FORMER ? SAHM_OK : SAHM_CONFIG);
		if (i == ABI_MAX_FORMER)
			assert_string_equal(err.msg, "t.cfg:1: more than 64 former names");
		arena_release(&a);
	}
}

/* As many signals as there are registers, and one more. */
static void test_most(void **state)
{
	(void)state;
	char text[8192] = "name = \"t\"; signals = (";
	for (unsigned i = 0; i <= NR_IOREGS; i++) {
		struct arena a = {0};
		struct abi abi;
		struct sahm_err err;
		char whole[sizeof(text) + 8];
		size_t len = strlen(text);
		snprintf(text + len, sizeof(text) - len, "%s" SIGNAL("s%u", "1", "%u"), i ? ",\n" : "", i,
			 i % NR_IOREGS);
		snprintf(whole, sizeof(whole), "%s);", text);
		assert_int_equal(read_text(&a, whole, &abi, &err), i < NR_IOREGS ? SAHM_OK : SAHM_CONFIG);
		if (i < NR_IOREGS)
			assert_int_equal(abi.nr_signals, i + 1);
		else
			assert_string_equal(err.msg,
					    "t.cfg:33: more than 32 signals: an IPU has no more input registers");
		arena_release(&a);
	}
}

static void test_no_file(void **state)
{
	(void)state;
	struct arena a = {0};
	struct abi abi;
	struct sahm_err err;
	assert_int_equal(abi_read(&a, "ipu/abi/nothing.cfg", &abi, &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot open 'ipu/abi/nothing.cfg': No such file or directory");
	arena_release(&a);
}

static enum sahm_status check(const struct abi *abi, const char *name, uint32_t need, struct sahm_err *err)
{
	const struct made_symbol symbols[] = {{.name = "ipu.inputs"}, {.name = name, .address = need}};
	struct made_segment segment = {.bytes = "", .nr_bytes = 1};
	struct made_elf elf;
	struct elf_image *image;
	made_elf(&elf, 0, &segment, 1, symbols, 2);
	assert_int_equal(elf_image_new(&image, "p.elf", elf.bytes, elf.nr_bytes, err), SAHM_OK);
	enum sahm_status status = abi_check(abi, image, err);
	elf_image_free(image);
	made_elf_free(&elf);
	return status;
}

static void test_needs(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t need;
		const char *message;
	} rows[] = {
		{"ipu.input.branches", 0xf0004003, NULL},
		{"ipu.input.flag", 0xf000011f, NULL},
		{"branches", 5, NULL},
		{"ipu.input.brances", 0xf0004003,
		 "p.elf: it reads 'brances', which the ABI spec 't' lacks (t.cfg); did you mean 'branches'?"},
		{"ipu.input.zzz", 0xf0004003, "p.elf: it reads 'zzz', which the ABI spec 't' lacks (t.cfg)"},
		{"ipu.input.branches", 0xf0004004,
		 "p.elf: it reads 'branches' in register 4, the ABI spec 't' has it in register 3 (t.cfg)"},
		{"ipu.input.branches", 0xf0003f03,
		 "p.elf: it reads 'branches' with 63 bits, the ABI spec 't' has it with 64 (t.cfg)"},
		{"ipu.input.branches", 0xf0000103,
		 "p.elf: it reads 'branches' with 1 bit, the ABI spec 't' has it with 64 (t.cfg)"},
#define NO_NEED ", which is not how IPU_INPUT() of introspect.h does it"
		{"ipu.input.branches", 0xe0004003, "p.elf: its input 'branches' is declared by 0xe0004003" NO_NEED},
		{"ipu.input.branches", 0xf0014003, "p.elf: its input 'branches' is declared by 0xf0014003" NO_NEED},
		{"ipu.input.branches", 0xf0004120, "p.elf: its input 'branches' is declared by 0xf0004120" NO_NEED},
		{"ipu.input.branches", 0xf0004020, "p.elf: its input 'branches' is declared by 0xf0004020" NO_NEED},
		{"ipu.input.branches", 0xf0000003, "p.elf: its input 'branches' is declared by 0xf0000003" NO_NEED},
		{"ipu.input.flags", 0xf0004003,
		 "p.elf: it reads 'flags' of an earlier version of the ABI spec 't' (t.cfg): build it again for the "
		 "present one"},
		{"ipu.input.", 0xf0004003, "p.elf: it reads '', which the ABI spec 't' lacks (t.cfg)"},
	};
	struct arena a = {0};
	struct abi abi;
	must_read(&a, "former = (\"flags\"); " SPEC(SIGNAL("branches", "64", "3") "," SIGNAL("flag", "1", "31")), &abi);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = {.msg = ""};
		enum sahm_status status = check(&abi, rows[i].name, rows[i].need, &err);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : "");
		assert_int_equal(status, rows[i].message ? SAHM_FORMAT : SAHM_OK);
	}
	arena_release(&a);
}

static void hash_text(const char *text, uint8_t out[HASH_BYTES])
{
	struct arena a = {0};
	struct abi abi;
	struct hash h;
	must_read(&a, text, &abi);
	hash_init(&h);
	abi_hash(&abi, &h);
	hash_end(&h, out);
	arena_release(&a);
}

/* Properties visible to a program are in the hash, nothing else. */
static void test_hash(void **state)
{
	(void)state;
#define A SIGNAL("a", "8", "0")
	static const struct {
		const char *text;
		bool is_same;
	} rows[] = {
		{SPEC(A "," SIGNAL("b", "9", "1")), true},
		{SPEC(SIGNAL("b", "9", "1") "," A), true},
		{"name = \"u\"; signals = (" A
		 ", { name = \"b\"; bits = 9; register = 1; rate = 0; semantics = \"other\"; });",
		 true},
		{SPEC(A "," SIGNAL("c", "9", "1")), false},
		{SPEC(A "," SIGNAL("b", "10", "1")), false},
		{SPEC(A "," SIGNAL("b", "9", "2")), false},
		{SPEC(A ", { name = \"b\"; bits = 9; register = 1; semantics = \"s\"; }"), false},
		{SPEC(A), false},
		{"former = (\"c\");" SPEC(A "," SIGNAL("b", "9", "1")), true},
		{SPEC(A ", { name = \"b\"; bits = 9; register = 1; rate = 0; level = false; semantics = \"s\"; }"),
		 true},
		{"addr = \"a\";" SPEC(A "," SIGNAL("b", "9", "1")), false},
	};
	uint8_t first[HASH_BYTES], other[HASH_BYTES];
	hash_text(rows[0].text, first);
	for (size_t i = 1; i < ARRAY_SIZE(rows); i++) {
		hash_text(rows[i].text, other);
		if ((memcmp(first, other, HASH_BYTES) == 0) != rows[i].is_same)
			fail_msg("%s", rows[i].text);
	}
	hash_text(SPEC(A ", { name = \"b\"; bits = 8; register = 1; rate = 1; semantics = \"s\"; }"), first);
	hash_text(SPEC(A "," LEVEL("b", "1", "")), other);
	assert_memory_not_equal(first, other, HASH_BYTES);
}

TEST_FILE(test_ipu_abi)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_core),	    cmocka_unit_test(test_shipped), cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_refused),	    cmocka_unit_test(test_most),    cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_needs),	    cmocka_unit_test(test_hash),    cmocka_unit_test(test_levels),
		cmocka_unit_test(test_most_former),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
