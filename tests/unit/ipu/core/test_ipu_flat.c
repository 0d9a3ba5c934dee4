/* The flat machine: how programs come into it, what they find, how they end. Its Linux calls are in test_ipu_linux.c.
 */
#include <stdio.h>

#include "sim/base/array.h"
#include "tests/unit/ipu/core/made_guest.h"

static const struct flat_options plain = {.ram_bytes = 1 << 16};

static uint32_t word_at(struct flat *flat, uint32_t address)
{
	const uint8_t *p = hart_bytes(flat_hart(flat), address, 4);
	assert_non_null(p);
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Stores at, across and beside tohost; the word counts, and whether it is 0. */
static void test_tohost(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int32_t offset; /* from tohost */
		unsigned nr_bytes;
		uint32_t value;
		bool ends;
		uint32_t code;
	} rows[] = {
		{"word 0", 0, 4, 0, false, 0},
		{"word 1", 0, 4, 1, true, 0},
		{"word 2", 0, 4, 2, true, 1},
		{"word 3", 0, 4, 3, true, 1},
		{"all ones", 0, 4, 0xffffffff, true, 0x7fffffff},
		{"word in front", -4, 4, 0xffffffff, false, 0},
		{"word behind", 4, 4, 0xffffffff, false, 0},
		{"half-word", 0, 2, 0x10003, true, 1},
		{"half-word 0", 0, 2, 0x10000, false, 0},
		{"upper half-word", 2, 2, 3, true, 0x18000},
		{"half-word in front", -2, 2, 0xffff, false, 0},
		{"half-word behind", 4, 2, 0xffff, false, 0},
		{"byte", 0, 1, 0x1ff, true, 0x7f},
		{"byte 0", 0, 1, 0x100, false, 0},
		{"second byte", 1, 1, 1, true, 0x80},
		{"last byte", 3, 1, 0x80, true, 0x40000000},
		{"byte in front", -1, 1, 0xff, false, 0},
		{"byte behind", 4, 1, 0xff, false, 0},
		{"word across its first byte", -3, 4, 0x03ffffff, true, 1},
		{"word across its first byte, which is 0", -3, 4, 0x00ffffff, false, 0},
		{"word across its first half", -2, 4, 0x0005ffff, true, 2},
		{"word across its last byte", 3, 4, 0xffffff01, true, 0x00800000},
		{"word across its last byte, which is 0", 3, 4, 0xffffff00, false, 0},
		{"half-word across its first byte", -1, 2, 0x07ff, true, 3},
		{"half-word across its last byte", 3, 2, 0xff02, true, 0x01000000},
		{"half-word in the middle", 1, 2, 0x0102, true, 0x8100},
	};
	/* Where tohost is in 64 KiB of RAM: stores beside it go past the host above it, or below it. */
	static const uint32_t places[] = {0x1000, 0x7ffc, 0x8000, 0xf000, 0x1001, 0x1002, 0xf003, 0xeffe};
	for (size_t i = 0; i < ARRAY_SIZE(rows) * 8; i++) {
		const uint32_t tohost = GUEST_ADDRESS + places[i % 8], address = tohost + (uint32_t)rows[i / 8].offset;
		struct guest g = {.symbols = {{"tohost", tohost, 4, 1, 1}}, .nr_symbols = 1};
		guest_set(&g, T0, address);
		guest_set(&g, T1, rows[i / 8].value);
		guest_add(&g, store(rows[i / 8].nr_bytes, T0, T1));
		guest_exit(&g, 77);
		struct flat *flat = guest_machine(&g, &plain);
		struct hart *h = flat_hart(flat);
		assert_int_equal(flat_end(flat), FLAT_RUNS);
		enum hart_cause cause = hart_run(h, 1000);
		enum flat_end end = rows[i / 8].ends ? FLAT_TOLD_HOST : FLAT_EXITED;
		uint32_t code = rows[i / 8].ends ? rows[i / 8].code : 77;
		if (cause != HART_EXITED || flat_end(flat) != end || flat_exit_code(flat) != code)
			fail_msg("%s, tohost at 0x%x: cause %d, end %d, code 0x%x", rows[i / 8].name, tohost, cause,
				 flat_end(flat), flat_exit_code(flat));
		/* The store itself is done, and counts as retired. */
		for (unsigned b = 0; b < rows[i / 8].nr_bytes; b++)
			assert_int_equal(*hart_bytes(h, address + b, 1), rows[i / 8].value >> 8 * b & 0xff);
		assert_int_equal(h->nr_retired, rows[i / 8].ends ? 5 : 9);
		flat_free(flat);
	}
}

/* Bytes that are stored one after the other make one word. */
static void test_tohost_in_parts(void **state)
{
	(void)state;
	struct guest g = {.nr_more = 0x1000, .symbols = {{"tohost", GUEST_ADDRESS + 0x800, 4, 1, 1}}, .nr_symbols = 1};
	guest_set(&g, T0, GUEST_ADDRESS + 0x803);
	guest_add(&g, store(1, T0, X0));
	guest_add(&g, store(4, T0, X0)); /* across its end */
	guest_set(&g, T1, 9);
	guest_add(&g, addi(T0, T0, -3));
	guest_add(&g, store(1, T0, T1));
	guest_exit(&g, 77);
	struct flat *flat = guest_machine(&g, &plain);
	assert_int_equal(hart_run(flat_hart(flat), 1000), HART_EXITED);
	assert_int_equal(flat_end(flat), FLAT_TOLD_HOST);
	assert_int_equal(flat_exit_code(flat), 4);
	/* It stays so. */
	assert_int_equal(hart_run(flat_hart(flat), 1000), HART_EXITED);
	assert_int_equal(flat_hart(flat)->nr_retired, 8);
	flat_free(flat);
}

static void test_misaligned(void **state)
{
	(void)state;
	for (int traps = 0; traps < 2; traps++) {
		const struct flat_options options = {.ram_bytes = 1 << 16, .traps_misaligned = traps};
		struct guest g = {.nr_more = 0x1000};
		guest_set(&g, T0, GUEST_ADDRESS + 0x801);
		guest_set(&g, T1, 0x12345678);
		guest_add(&g, store(4, T0, T1));
		guest_add(&g, load_word(A1, T0));
		guest_exit(&g, 0);
		struct flat *flat = guest_machine(&g, &options);
		struct hart *h = flat_hart(flat);
		enum hart_cause cause = hart_run(h, 1000);
		if (traps) {
			assert_int_equal(cause, HART_STORE_MISALIGNED);
			assert_int_equal(h->pc, GUEST_ADDRESS + 16);
			assert_int_equal(h->address, GUEST_ADDRESS + 0x801);
			assert_int_equal(word_at(flat, GUEST_ADDRESS + 0x801), 0);
			assert_int_equal(flat_end(flat), FLAT_RUNS);
		} else {
			assert_int_equal(cause, HART_EXITED);
			assert_int_equal(hart_register(h, A1), 0x12345678);
			assert_int_equal(word_at(flat, GUEST_ADDRESS + 0x800), 0x34567800);
		}
		flat_free(flat);
	}
}

/* The first and the last byte of the RAM, and those beside them. */
static void test_edges_of_ram(void **state)
{
	(void)state;
	static const struct {
		uint32_t offset;
		unsigned nr_bytes;
		bool is_there;
	} rows[] = {
		{0, 4, true},		{0xfffffffc, 4, false}, {0xffffffff, 1, false}, {0xffffffff, 4, false},
		{0xfffc, 4, true},	{0xfffd, 4, false},	{0xfffe, 2, true},	{0xffff, 2, false},
		{0xffff, 1, true},	{0x10000, 1, false},	{0x10000, 4, false},	{0x10002, 2, false},
		{0x7fffffff, 1, false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct guest g = {.symbols = {{"tohost", GUEST_ADDRESS + 0x9000, 4, 1, 1}}, .nr_symbols = i % 2};
		struct guest loads = {0};
		guest_set(&g, T0, GUEST_ADDRESS + rows[i].offset);
		loads = g;
		guest_add(&g, store(rows[i].nr_bytes, T0, X0));
		guest_add(&loads, load_word(T1, T0));
		guest_exit(&g, 0);
		struct flat *flat = guest_machine(&g, &plain);
		enum hart_cause cause = hart_run(flat_hart(flat), 1000);
		if (cause != (rows[i].is_there ? HART_EXITED : HART_STORE_OUTSIDE))
			fail_msg("%u bytes at 0x%x: cause %d", rows[i].nr_bytes, rows[i].offset, cause);
		assert_int_equal(flat_hart(flat)->address,
				 rows[i].is_there ? flat_hart(flat)->address : GUEST_ADDRESS + rows[i].offset);
		flat_free(flat);
		if (rows[i].nr_bytes != 4)
			continue;
		guest_exit(&loads, 0);
		flat = guest_machine(&loads, &plain);
		cause = hart_run(flat_hart(flat), 1000);
		assert_int_equal(cause, rows[i].is_there ? HART_EXITED : HART_LOAD_OUTSIDE);
		flat_free(flat);
	}
}

/* sp points at argc, argv, an empty environment, the auxiliary vector; what argv names stands above. */
static void test_arguments(void **state)
{
	(void)state;
	static char *const some[] = {"prog", "", "two words", NULL};
	static char *const none[] = {NULL};
	static char *const by_name[] = {"a.elf", NULL};
	static char *const *const given[] = {some, none, NULL};
	for (size_t row = 0; row < 3; row++) {
		const struct flat_options options = {.ram_bytes = 1 << 16, .arguments = given[row]};
		char *const *expected = given[row] ? given[row] : by_name;
		struct guest g = {0};
		guest_exit(&g, 0);
		struct flat *flat = guest_machine(&g, &options);
		struct hart *h = flat_hart(flat);
		uint32_t sp = hart_register(h, SP), nr = word_at(flat, sp);
		assert_int_equal(sp % 16, 0);
		for (uint32_t i = 0; i < nr; i++) {
			uint32_t at = word_at(flat, sp + 4 + 4 * i);
			assert_true(at > sp + 4 * nr);
			assert_string_equal((char *)hart_bytes(h, at, 1), expected[i]);
		}
		assert_null(expected[nr]);
		static const uint32_t behind[] = {0, 0, 6, 4096, 0};
		for (uint32_t i = 0; i < 5; i++)
			assert_int_equal(word_at(flat, sp + 4 + 4 * nr + 4 * i), behind[i]);
		for (unsigned i = 0; i < 32; i++)
			assert_true(i == SP || hart_register(h, i) == (i == HART_RA ? HART_RETURN_STUB : 0));
		assert_int_equal(h->pc, GUEST_ADDRESS);
		flat_free(flat);
	}
}

static void test_budget(void **state)
{
	(void)state;
	struct guest g = {0};
	guest_exit(&g, 5);
	struct flat *flat = guest_machine(&g, &plain);
	struct hart *h = flat_hart(flat);
	assert_int_equal(hart_run(h, 3), HART_BUDGET);
	assert_int_equal(flat_end(flat), FLAT_RUNS);
	assert_int_equal(flat_exit_code(flat), 0);
	assert_int_equal(hart_run(h, 1), HART_EXITED);
	assert_int_equal(flat_exit_code(flat), 5);
	assert_int_equal(h->nr_retired, 4);
	flat_free(flat);
}

/* Code that was overwritten is executed after fence.i. */
static void test_code_that_changes(void **state)
{
	(void)state;
	for (unsigned flags = 0; flags <= CODE_UNFUSED; flags += CODE_UNFUSED) {
		const struct flat_options options = {.ram_bytes = 1 << 16, .code_flags = flags};
		struct guest g = {0};
		/* Twice through the loop: first addi a1, a1, 1, then addi a1, a1, 100 in its place. */
		guest_set(&g, T0, GUEST_ADDRESS + 16);
		guest_set(&g, T1, addi(A1, A1, 100));
		guest_add(&g, addi(A1, A1, 1));
		guest_add(&g, store(4, T0, T1));
		guest_add(&g, FENCE_I);
		guest_add(&g, addi(A2, A2, 1));
		guest_add(&g, addi(28, A2, -1)); /* t3 */
		guest_add(&g, 0xfe0e06e3);	 /* beq t3, zero, -20 */
		guest_exit(&g, 0);
		struct flat *flat = guest_machine(&g, &options);
		assert_int_equal(hart_run(flat_hart(flat), 1000), HART_EXITED);
		assert_int_equal(hart_register(flat_hart(flat), A1), 101);
		flat_free(flat);
	}
}

/* Where the RAM is and what fits it: a row is a machine and its error, NULL if there is none. */
static void test_placement(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct flat_options options;
		uint32_t address, nr_more;
		const char *message;
	} rows[] = {
		{"as it comes", {0}, 0x80000000, 0, NULL},
		{"room for the arguments", {.ram_bytes = 16 << 20}, 0x80000000, (16 << 20) - 16 - 54, NULL},
		{"a byte less",
		 {.ram_bytes = 16 << 20},
		 0x80000000,
		 (16 << 20) - 16 - 53,
		 "its segments leave 53 bytes of the RAM of 16M, too few for its arguments: it needs a larger --ram"},
		{"RAM filled",
		 {.ram_bytes = 16 << 20},
		 0x80000000,
		 (16 << 20) - 16,
		 "its segments leave 0 bytes of the RAM of 16M, too few for its arguments: it needs a larger --ram"},
		{"RAM overfull",
		 {.ram_bytes = 16 << 20},
		 0x80000000,
		 (16 << 20) - 15,
		 "its segment of 16777217 bytes at 0x80000000 ends beyond the RAM of 16M at 0x80000000: it needs "
		 "--ram 18M"},
		{"small RAM overfull",
		 {.ram_bytes = 4096},
		 0x80000ff0,
		 4096,
		 "its segment of 4112 bytes at 0x80000ff0 ends beyond the RAM of 4K at 0x80000000: it needs --ram 2M"},
		{"two pages", {.ram_bytes = 8192}, 0x80000ff0, 0, NULL},
		{"odd size",
		 {.ram_bytes = 4097},
		 0x80000000,
		 0,
		 "a RAM of 4097 bytes (--ram), must be a multiple of 4096 and 2048M at most"},
		{"too large",
		 {.ram_bytes = 0x80001000},
		 0x1000,
		 0,
		 "a RAM of 2147487744 bytes (--ram), must be a multiple of 4096 and 2048M at most"},
		{"odd base",
		 {.has_base = true, .base = 0x80000010},
		 0x80000010,
		 0,
		 "a RAM at 0x80000010 (--base), must be at a multiple of 4096"},
		{"base below", {.has_base = true, .base = 0x7ffff000}, 0x80000000, 0, NULL},
		{"base 0", {.has_base = true}, 0xffff00, 0, NULL},
		{"base 0, a byte too far",
		 {.has_base = true, .ram_bytes = 16 << 20},
		 0xfffff0,
		 1,
		 "its segment of 17 bytes at 0x00fffff0 ends beyond the RAM of 16M at 0x00000000: it needs --ram 18M"},
		{"base far below",
		 {.has_base = true},
		 0xc0000010,
		 0,
		 "its segment of 16 bytes at 0xc0000010 ends beyond the RAM of 2048M at 0x00000000: it needs "
		 "--base 0xc0000000"},
		{"base above",
		 {.has_base = true, .base = 0x80001000},
		 0x80000010,
		 0,
		 "its segment of 16 bytes at 0x80000010 begins below the RAM at 0x80001000: it needs "
		 "--base 0x80000000"},
		{"up to 2^32", {.ram_bytes = 16 << 20}, 0xff000000, 0, NULL},
		{"beyond 2^32",
		 {.ram_bytes = 16 << 20},
		 0xff001000,
		 0,
		 "a RAM of 16M at 0xff001000 ends beyond 2^32: it needs --ram 16380K or less there"},
		{"at the end", {.ram_bytes = 4096}, 0xfffff000, 0, NULL},
		{"no room to grow",
		 {.ram_bytes = 4096},
		 0xffffe000,
		 0x1ff0,
		 "its segment of 8192 bytes at 0xffffe000 ends beyond the RAM of 4K at 0xffffe000: it needs --ram 8K"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct guest g = {.address = rows[i].address, .nr_more = rows[i].nr_more};
		struct flat *flat;
		struct sahm_err err = {.msg = "untouched"};
		char whole[256];
		guest_exit(&g, 3);
		enum sahm_status status = guest_load(&g, &rows[i].options, &flat, &err);
		snprintf(whole, sizeof(whole), "a.elf: %s", rows[i].message ? rows[i].message : "");
		if (rows[i].message && (status != SAHM_RANGE || strcmp(err.msg, whole) != 0))
			fail_msg("%s: status %d, '%s'", rows[i].name, status, err.msg);
		if (rows[i].message)
			continue;
		if (status != SAHM_OK)
			fail_msg("%s: %s", rows[i].name, err.msg);
		assert_int_equal(hart_run(flat_hart(flat), 100), HART_EXITED);
		assert_int_equal(flat_exit_code(flat), 3);
		flat_free(flat);
	}
}

/* The RAM for which nobody has asked. */
static void test_default_size(void **state)
{
	(void)state;
	enum { MIB = 1 << 20 };
	static const struct {
		const char *name;
		struct flat_options options;
		uint32_t address, nr_bytes, ram_bytes;
	} rows[] = {
		{"small", {0}, 0x80000000, 16, FLAT_RAM_BYTES},
		{"with all that is to spare", {0}, 0x80000000, FLAT_RAM_BYTES - FLAT_SPARE_BYTES, FLAT_RAM_BYTES},
		{"a byte more", {0}, 0x80000000, FLAT_RAM_BYTES - FLAT_SPARE_BYTES + 1, FLAT_RAM_BYTES + MIB},
		{"large", {0}, 0x80000ff0, 50 * MIB, 52 * MIB},
		{"far above the base", {.has_base = true, .base = 0x10000}, 0x2000000, 16, 33 * MIB},
		{"at the end", {0}, 0xfffff000, 4096 - 64, 4096},
		{"below the end", {0}, 0xff001000, 16, 16 * MIB - 4096},
		{"just fits", {0}, 0xff000000, 16, FLAT_RAM_BYTES},
		{"large, at the end", {0}, 0xfe000000, 32 * MIB - 100, 32 * MIB},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct guest g = {.address = rows[i].address};
		guest_exit(&g, 3);
		g.nr_more = rows[i].nr_bytes - g.nr_bytes;
		struct flat *flat = guest_machine(&g, &rows[i].options);
		if (flat_hart(flat)->data_bytes != rows[i].ram_bytes)
			fail_msg("%s: %u bytes", rows[i].name, flat_hart(flat)->data_bytes);
		assert_int_equal(hart_run(flat_hart(flat), 100), HART_EXITED);
		flat_free(flat);
	}
}

/* What an image can have that no machine runs. */
static void test_images_that_cannot_run(void **state)
{
	(void)state;
	static const uint32_t word = 0x13;
	static const struct {
		const char *name;
		uint32_t entry;
		struct made_segment segments[2];
		size_t nr_segments;
		uint32_t tohost; /* 0: none */
		const char *message;
	} rows[] = {
		{"nothing", 0x1000, {{0}}, 0, 0, "it has no segments to load"},
		{"nothing to load", 0x1000, {{0x1000, &word, 4, 0, 4, 0}}, 1, 0, "it has no segments to load"},
		{"at the entry", 0x1002, {{0x1000, &word, 4, 0, 0, 0}}, 1, 0, NULL},
		{"entry in front",
		 0xffe,
		 {{0x1000, &word, 4, 0, 0, 0}},
		 1,
		 0,
		 "its entry 0x00000ffe lies in none of its segments"},
		{"entry behind",
		 0x1004,
		 {{0x1000, &word, 4, 0, 0, 0}},
		 1,
		 0,
		 "its entry 0x00001004 lies in none of its segments"},
		{"far apart",
		 0x1000,
		 {{0x1000, &word, 4, 0, 0, 0}, {0xc0000000, &word, 4, 0, 0, 0}},
		 2,
		 0,
		 "its segment of 4 bytes at 0xc0000000 ends beyond the RAM of 8K at 0x00001000: its segments lie more "
		 "than 2048M apart"},
		{"tohost at the top", 0x1000, {{0x1000, &word, 4, 0, 0, 0}}, 1, 0x2ffc, NULL},
		{"tohost across the top",
		 0x1000,
		 {{0x1000, &word, 4, 0, 0, 0}},
		 1,
		 0x2ffd,
		 "its symbol 'tohost', 0x00002ffd, lies outside the RAM of 8K at 0x00001000"},
		{"tohost below",
		 0x1000,
		 {{0x1000, &word, 4, 0, 0, 0}},
		 1,
		 0xfff,
		 "its symbol 'tohost', 0x00000fff, lies outside the RAM of 8K at 0x00001000"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct flat_options options = {.ram_bytes = 8192};
		const struct made_symbol symbol = {"tohost", rows[i].tohost, 4, 1, 0};
		struct made_elf elf;
		struct elf_image *image;
		struct flat *flat = NULL;
		struct sahm_err err;
		char whole[256];
		made_elf(&elf, rows[i].entry, rows[i].segments, rows[i].nr_segments, &symbol, rows[i].tohost ? 1 : 0);
		assert_int_equal(elf_image_new(&image, "a.elf", elf.bytes, elf.nr_bytes, &err), SAHM_OK);
		enum sahm_status status = flat_new(&flat, image, &options, &err);
		snprintf(whole, sizeof(whole), "a.elf: %s", rows[i].message ? rows[i].message : "");
		if ((status == SAHM_OK) != !rows[i].message)
			fail_msg("%s: status %d", rows[i].name, status);
		if (rows[i].message)
			assert_string_equal(err.msg, whole);
		flat_free(flat);
		elf_image_free(image);
		made_elf_free(&elf);
	}
}

TEST_FILE(test_ipu_flat)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tohost),
		cmocka_unit_test(test_tohost_in_parts),
		cmocka_unit_test(test_misaligned),
		cmocka_unit_test(test_edges_of_ram),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_code_that_changes),
		cmocka_unit_test(test_placement),
		cmocka_unit_test(test_default_size),
		cmocka_unit_test(test_images_that_cannot_run),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
