/* ELF images: contents taken from a file, and every reason for a refusal. */
#include "ipu/core/elf_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/helper/made_elf.h"
#include "tests/unit/test.h"

static const uint8_t code[8] = {0x13, 0, 0, 0, 0x73, 0, 0, 0};

/* Two segments, the higher one first, and a few symbols. */
static void make(struct made_elf *elf)
{
	static const struct made_segment segments[] = {
		{.address = 0x80002000, .bytes = "data", .nr_bytes = 4, .nr_more = 12, .flags = 6},
		{.address = 0x80000000, .bytes = code, .nr_bytes = 8, .flags = 5},
	};
	static const struct made_symbol symbols[] = {
		{"tohost", 0x80002008, 4, 1, 1},
		{"_start", 0x80000000, 8, 2, 1},
	};
	made_elf(elf, 0x80000000, segments, 2, symbols, 2);
}

static enum sahm_status take(const struct made_elf *elf, struct elf_image **image, struct sahm_err *err)
{
	*err = (struct sahm_err){.msg = "untouched"};
	return elf_image_new(image, "a.elf", elf->bytes, elf->nr_bytes, err);
}

static void expect_taken(const char *name, struct made_elf *elf)
{
	struct elf_image *image;
	struct sahm_err err;
	if (take(elf, &image, &err) != SAHM_OK)
		fail_msg("%s: %s", name, err.msg);
	assert_string_equal(err.msg, "untouched");
	elf_image_free(image);
	made_elf_free(elf);
}

static void expect_refused(const char *name, struct made_elf *elf, const char *message)
{
	struct elf_image *image;
	struct sahm_err err;
	char whole[256];
	snprintf(whole, sizeof(whole), "a.elf: %s", message);
	enum sahm_status status = take(elf, &image, &err);
	if (status != SAHM_FORMAT || strcmp(err.msg, whole) != 0)
		fail_msg("%s: status %d, '%s' instead of '%s'", name, status, err.msg, whole);
	made_elf_free(elf);
}

static void test_what_is_taken(void **state)
{
	(void)state;
	struct made_elf elf;
	struct elf_image *image;
	struct sahm_err err;
	size_t nr;
	make(&elf);
	assert_int_equal(take(&elf, &image, &err), SAHM_OK);
	assert_string_equal(elf_image_file(image), "a.elf");
	assert_int_equal(elf_image_entry(image), 0x80000000);
	const struct elf_segment *s = elf_image_segments(image, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(s[0].address, 0x80000000);
	assert_int_equal(s[0].file_bytes, 8);
	assert_int_equal(s[0].memory_bytes, 8);
	assert_true(s[0].is_executable && !s[0].is_writable);
	assert_memory_equal(s[0].bytes, code, 8);
	assert_int_equal(s[1].address, 0x80002000);
	assert_int_equal(s[1].file_bytes, 4);
	assert_int_equal(s[1].memory_bytes, 16);
	assert_true(s[1].is_writable && !s[1].is_executable);
	assert_memory_equal(s[1].bytes, "data", 4);
	const struct elf_symbol *symbols = elf_image_symbols(image, &nr);
	assert_int_equal(nr, 2);
	assert_string_equal(symbols[0].name, "_start");
	assert_true(symbols[0].is_function);
	assert_string_equal(symbols[1].name, "tohost");
	assert_false(symbols[1].is_function);
	assert_int_equal(symbols[1].nr_bytes, 4);
	assert_ptr_equal(elf_image_find(image, "tohost"), &symbols[1]);
	assert_null(elf_image_find(image, "tohos"));
	elf_image_free(image);
	elf_image_free(NULL);
	made_elf_free(&elf);
}

/* By address, then by name; without what nobody named, or what is nowhere. */
static void test_symbols(void **state)
{
	(void)state;
	static const struct made_segment segments[] = {
		{.address = 0x1000, .bytes = code, .nr_bytes = 8, .nr_more = 0x100},
		{.address = 0x3000, .bytes = code, .nr_bytes = 8},
	};
	static const struct made_symbol symbols[] = {
		{"late", 0x1010, 0, 0, 1},    {"zero", 0x1004, 0, 0, 0},
		{"also", 0x1004, 0, 2, 1},    {"extern", 0, 0, 0, MADE_UNDEFINED},
		{"a.c", 0x1004, 0, 4, 0},     {".text", 0x1000, 0, 3, 1},
		{"common", 4, 4, 1, 0xfff2},  {"$x", 0x1004, 0, 0, 1},
		{".L1", 0x1004, 0, 0, 1},     {"", 0x1004, 0, 0, 1},
		{"end", 0xffffffff, 0, 0, 0},
	};
	static const char *const expected[] = {"also", "zero", "late", "end"};
	struct made_elf elf;
	struct elf_image *image;
	struct sahm_err err;
	size_t nr;
	made_elf(&elf, 0x1000, segments, 2, symbols, ARRAY_SIZE(symbols));
	assert_int_equal(take(&elf, &image, &err), SAHM_OK);
	const struct elf_symbol *s = elf_image_symbols(image, &nr);
	assert_int_equal(nr, 4);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(s[i].name, expected[i]);
	/* The nearest one below in the same segment, functions first. */
	assert_null(elf_image_symbol_at(image, 0x1003));
	assert_string_equal(elf_image_symbol_at(image, 0x1004)->name, "also");
	assert_string_equal(elf_image_symbol_at(image, 0x100f)->name, "also");
	assert_string_equal(elf_image_symbol_at(image, 0x1010)->name, "late");
	assert_string_equal(elf_image_symbol_at(image, 0x1107)->name, "late");
	assert_null(elf_image_symbol_at(image, 0x1108));
	assert_null(elf_image_symbol_at(image, 0x3000));
	assert_null(elf_image_symbol_at(image, 0xfff));
	elf_image_free(image);
	made_elf_free(&elf);
}

/* Of several symbols of one name, the one that reaches farthest counts, wherever it is. */
static void test_bindings(void **state)
{
	(void)state;
	static const struct made_segment segment = {.address = 0x1000, .bytes = code, .nr_bytes = 8};
	static const struct made_symbol symbols[] = {
		{"all", 0x1000, 0, 1 | MADE_LOCAL, 1},
		{"all", 0x1001, 0, 1 | MADE_WEAK, 1},
		{"all", 0x1002, 0, 1, 1},
		{"all", 0x1003, 0, 1, 1},
		{"weak", 0x1004, 0, 1 | MADE_LOCAL, 1},
		{"weak", 0x1005, 0, 1 | MADE_WEAK, 1},
		{"local", 0x1007, 0, 1 | MADE_LOCAL, 1},
		{"local", 0x1006, 0, 1 | MADE_LOCAL, 1},
		{"first", 0x1000, 0, 1, 1},
		{"first", 0x1001, 0, 1 | MADE_LOCAL, 1},
	};
	struct made_elf elf;
	struct elf_image *image;
	struct sahm_err err;
	made_elf(&elf, 0x1000, &segment, 1, symbols, ARRAY_SIZE(symbols));
	assert_int_equal(take(&elf, &image, &err), SAHM_OK);
	assert_int_equal(elf_image_find(image, "all")->address, 0x1002);
	assert_int_equal(elf_image_find(image, "weak")->address, 0x1005);
	assert_int_equal(elf_image_find(image, "local")->address, 0x1006);
	assert_int_equal(elf_image_find(image, "first")->address, 0x1000);
	elf_image_free(image);
	made_elf_free(&elf);
}

/* Work that would take minutes if done one by one or for whole names. */
#define MANY 400000u
#define MANY_NAMES 20000u
#define LONG_NAME_BYTES 2000000u
#define MOST_SECONDS 20u

static struct elf_image *take_many(struct made_elf *elf, struct made_symbol *symbols, size_t nr)
{
	static const struct made_segment segment = {
		.address = 0x1000, .bytes = code, .nr_bytes = 8, .nr_more = 2 * MANY};
	struct elf_image *image;
	struct sahm_err err;
	made_elf(elf, 0x1000, &segment, 1, symbols, nr);
	/* A name of just one symbol is that of all others too, or its end. */
	for (size_t i = 1; i < nr && symbols[0].name[1]; i++)
		made_put(elf->bytes + elf->symbols + (i + 1) * MADE_SYMBOL_BYTES + SYM_NAME, 4, 1 + i / 2);
	assert_int_equal(take(elf, &image, &err), SAHM_OK);
	return image;
}

static void test_many_symbols(void **state)
{
	(void)state;
	struct made_elf elf;
	size_t nr;
	struct made_symbol *symbols = calloc(MANY, sizeof(*symbols));
	char *name = malloc(LONG_NAME_BYTES + 1);
	assert_true(symbols && name);
	memset(name, 'a', LONG_NAME_BYTES);
	name[LONG_NAME_BYTES] = '\0';
	alarm(MOST_SECONDS);
	/* Each at a different place, by falling address. */
	for (uint32_t i = 0; i < MANY; i++)
		symbols[i] = (struct made_symbol){"s", 0x1000 + 2 * (MANY - i), 0, 2, 1};
	struct elf_image *image = take_many(&elf, symbols, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(elf_image_symbol_at(image, 0x1003 + 2 * i)->address, 0x1002 + 2 * i);
	elf_image_free(image);
	made_elf_free(&elf);
	/* All at one place, with one long name or its ends; the last one is a function. */
	for (uint32_t i = 0; i < MANY_NAMES; i++)
		symbols[i] = (struct made_symbol){i ? "s" : name, 0x1000, 0, i == MANY_NAMES - 1 ? 2 : 1, 1};
	image = take_many(&elf, symbols, MANY_NAMES);
	const struct elf_symbol *s = elf_image_symbols(image, &nr);
	assert_int_equal(nr, MANY_NAMES);
	assert_true(s[0].is_function);
	for (size_t i = 2; i < nr; i++)
		assert_true(s[i - 1].name <= s[i].name && !s[i].is_function);
	for (uint32_t i = 0; i < MANY_NAMES; i++)
		assert_ptr_equal(elf_image_symbol_at(image, 0x1000 + i), s);
	elf_image_free(image);
	made_elf_free(&elf);
	alarm(0);
	free(symbols);
	free(name);
}

/* Each address belongs to its own segment, also at the ends of many. */
static void test_many_segments(void **state)
{
	(void)state;
	enum { NR = 9 };
	struct made_segment segments[NR];
	struct made_symbol symbols[NR];
	struct made_elf elf;
	struct elf_image *image;
	struct sahm_err err;
	for (uint32_t i = 0; i < NR; i++) {
		segments[i] = (struct made_segment){.address = 0x1000 * i, .bytes = code, .nr_bytes = 8};
		symbols[i] = (struct made_symbol){"s", 0x1000 * i + 2, 0, 2, 1};
	}
	segments[NR - 1].address = symbols[NR - 1].address = 0xfffffff8;
	made_elf(&elf, 0, segments, NR, symbols, NR);
	assert_int_equal(take(&elf, &image, &err), SAHM_OK);
	for (uint32_t i = 0; i < NR; i++) {
		uint32_t from = segments[i].address, named = symbols[i].address;
		assert_int_equal(elf_image_symbol_at(image, named)->address, named);
		assert_int_equal(elf_image_symbol_at(image, from + 7)->address, named);
		assert_null(elf_image_symbol_at(image, from + 8 == 0 ? 8 : from + 8));
		assert_null(elf_image_symbol_at(image, from - 1 == UINT32_MAX ? 9 : from - 1));
		assert_true(named == from || !elf_image_symbol_at(image, from + 1));
	}
	elf_image_free(image);
	made_elf_free(&elf);
}

/* There is one symbol table, and segments are not made of the same bytes over and over. */
static void test_small_file_that_is_large(void **state)
{
	(void)state;
	struct made_elf elf;
	make(&elf);
	elf.bytes = realloc(elf.bytes, elf.nr_bytes + MADE_SECTION_BYTES);
	assert_non_null(elf.bytes);
	memcpy(elf.bytes + elf.nr_bytes, elf.bytes + elf.sections + MADE_SECTION_BYTES, MADE_SECTION_BYTES);
	elf.nr_bytes += MADE_SECTION_BYTES;
	made_put(elf.bytes + EH_SHNUM, 2, 4);
	expect_refused("two symbol tables", &elf, "it has more than one symbol table: section 3 is another");
	for (uint32_t more = 0; more < 2; more++) {
		make(&elf);
		for (size_t i = 0; i < 2; i++) {
			char *h = elf.bytes + elf.segments + i * MADE_SEGMENT_BYTES;
			made_put(h + PH_OFFSET, 4, 100);
			made_put(h + PH_FILESZ, 4, 156 + i * more);
			made_put(h + PH_MEMSZ, 4, 200);
		}
		if (more)
			expect_refused("a byte too many", &elf,
				       "segments share bytes: those up to number 1 have 313, the file 312");
		else
			expect_taken("all bytes", &elf);
	}
}

/* A change to the file of make(): `value`, of `nr_bytes`, at `offset` from one of its parts. */
struct change {
	const char *name;
	enum { HEADER, FIRST_SEGMENT, SECOND_SEGMENT, SYMBOLS, SYMBOL_SECTION, NAME_SECTION, LAST_SYMBOL } part;
	size_t offset;
	unsigned nr_bytes;
	uint64_t value;
	const char *message; /* NULL: it is taken */
};

static void change(struct made_elf *elf, const struct change *c)
{
	size_t at = c->offset;
	switch (c->part) {
	case HEADER:
		break;
	case FIRST_SEGMENT:
		at += elf->segments;
		break;
	case SECOND_SEGMENT:
		at += elf->segments + MADE_SEGMENT_BYTES;
		break;
	case SYMBOLS:
		at += elf->symbols;
		break;
	case SYMBOL_SECTION:
		at += elf->sections + MADE_SECTION_BYTES;
		break;
	case NAME_SECTION:
		at += elf->sections + (size_t)2 * MADE_SECTION_BYTES;
		break;
	case LAST_SYMBOL:
		at += elf->symbols + (size_t)2 * MADE_SYMBOL_BYTES;
		break;
	}
	made_put(elf->bytes + at, c->nr_bytes, c->value);
}

static void test_refusals(void **state)
{
	(void)state;
	/* The file: header to 52, program headers to 116, bytes to 128, symbols to 176, names to 191, sections from 192
	 * to 312. */
	static const struct change rows[] = {
		{"magic", HEADER, 0, 1, 0x7e, "not an ELF file"},
		{"64-bit", HEADER, EH_CLASS, 1, 2,
		 "a 64-bit ELF file, must be for 32-bit RISC-V (-march=rv32imc -mabi=ilp32)"},
		{"class 0", HEADER, EH_CLASS, 1, 0, "not a 32-bit ELF file: its class is 0"},
		{"class 255", HEADER, EH_CLASS, 1, 255, "not a 32-bit ELF file: its class is 255"},
		{"big-endian", HEADER, EH_DATA, 1, 2, "a big-endian ELF file, must be little-endian"},
		{"data 3", HEADER, EH_DATA, 1, 3, "not a little-endian ELF file: its data encoding is 3"},
		{"i386", HEADER, EH_MACHINE, 2, 3, "not for RISC-V: its machine is 3, must be 243"},
		{"no type", HEADER, EH_TYPE, 2, 0, "not an executable: its type is 0, must be 2"},
		{"object", HEADER, EH_TYPE, 2, 1, "an object file, must be an executable: link it"},
		{"position-independent", HEADER, EH_TYPE, 2, 3,
		 "position-independent, must be linked to fixed addresses (-static -no-pie)"},
		{"core dump", HEADER, EH_TYPE, 2, 4, "not an executable: its type is 4, must be 2"},
		{"version", HEADER, EH_VERSION, 4, 2, "its ELF version is 2, must be 1"},
		{"compressed code, single floats", HEADER, EH_FLAGS, 4, 3, NULL},
		{"double floats, total order", HEADER, EH_FLAGS, 4, 0x14, NULL},
		{"RV32E", HEADER, EH_FLAGS, 4, 8, "compiled for RV32E, must be RV32I (-march=rv32imc -mabi=ilp32)"},
		{"odd entry", HEADER, EH_ENTRY, 4, 0x80000001, "its entry 0x80000001 is odd"},
		{"entry elsewhere", HEADER, EH_ENTRY, 4, 2, NULL},
		{"size of program headers", HEADER, EH_PHENTSIZE, 2, 56,
		 "its program headers have 56 bytes, must be 32"},
		{"program headers behind the end", HEADER, EH_PHOFF, 4, 313,
		 "cut short: its program headers lie beyond its 312 bytes"},
		{"program headers across the end", HEADER, EH_PHOFF, 4, 249,
		 "cut short: its program headers lie beyond its 312 bytes"},
		{"too many program headers", HEADER, EH_PHNUM, 2, 9,
		 "cut short: its program headers lie beyond its 312 bytes"},
		{"no program headers", HEADER, EH_PHNUM, 2, 0, NULL},
		{"no section headers", HEADER, EH_SHOFF, 4, 0, NULL},
		{"section headers behind the end", HEADER, EH_SHOFF, 4, 193,
		 "cut short: its section headers lie beyond its 312 bytes"},
		{"size of section headers", HEADER, EH_SHENTSIZE, 2, 64,
		 "its section headers have 64 bytes, must be 40"},
		{"interpreter", FIRST_SEGMENT, PH_TYPE, 4, 3, "dynamically linked, must be static (-static)"},
		{"note", FIRST_SEGMENT, PH_TYPE, 4, 4, NULL},
		{"as much in the file as in memory", FIRST_SEGMENT, PH_MEMSZ, 4, 4, NULL},
		{"more in the file than in memory", FIRST_SEGMENT, PH_MEMSZ, 4, 3,
		 "segment 0 has 4 bytes in the file, more than its 3 in memory"},
		{"nothing in memory", FIRST_SEGMENT, PH_MEMSZ, 4, 0,
		 "segment 0 has 4 bytes in the file, more than its 0 in memory"},
		{"last bytes of the file", SECOND_SEGMENT, PH_OFFSET, 4, 304, NULL},
		{"a byte behind the file", SECOND_SEGMENT, PH_OFFSET, 4, 305,
		 "cut short: segment 1 ends at byte 313, the file has 312"},
		{"offset behind the file", SECOND_SEGMENT, PH_OFFSET, 4, 0xffffffff,
		 "cut short: segment 1 ends at byte 4294967303, the file has 312"},
		{"up to 2^32", FIRST_SEGMENT, PH_VADDR, 4, 0xfffffff0, NULL},
		{"beyond 2^32", FIRST_SEGMENT, PH_VADDR, 4, 0xfffffff1,
		 "segment 0 of 0x10 bytes at 0xfffffff1 ends beyond 2^32"},
		{"behind one another", FIRST_SEGMENT, PH_VADDR, 4, 0x80000008, NULL},
		{"overlap", FIRST_SEGMENT, PH_VADDR, 4, 0x80000007,
		 "segments overlap: 0x8 bytes at 0x80000000 and 0x10 bytes at 0x80000007"},
		{"in front of one another", FIRST_SEGMENT, PH_VADDR, 4, 0x7ffffff0, NULL},
		{"overlap in front", FIRST_SEGMENT, PH_VADDR, 4, 0x7ffffff1,
		 "segments overlap: 0x10 bytes at 0x7ffffff1 and 0x8 bytes at 0x80000000"},
		{"the same address", FIRST_SEGMENT, PH_VADDR, 4, 0x80000000,
		 "segments overlap: 0x8 bytes at 0x80000000 and 0x10 bytes at 0x80000000"},
		{"last name", LAST_SYMBOL, SYM_NAME, 4, 14, NULL},
		{"name behind the names", LAST_SYMBOL, SYM_NAME, 4, 15,
		 "the name of symbol 2 lies outside the table of names"},
		{"name far behind", LAST_SYMBOL, SYM_NAME, 4, 0xffffffff,
		 "the name of symbol 2 lies outside the table of names"},
		{"names without an end", NAME_SECTION, SH_SIZE, 4, 13,
		 "the name of symbol 2 lies outside the table of names"},
		{"no names", SYMBOL_SECTION, SH_LINK, 4, 0, "the name of symbol 1 lies outside the table of names"},
		{"names in no section", SYMBOL_SECTION, SH_LINK, 4, 3,
		 "the name of symbol 1 lies outside the table of names"},
		{"names that are none", NAME_SECTION, SH_TYPE, 4, 1,
		 "the name of symbol 1 lies outside the table of names"},
		{"compressed names", NAME_SECTION, SH_FLAGS, 4, 0x800,
		 "the name of symbol 1 lies outside the table of names"},
		{"names behind the end", NAME_SECTION, SH_OFFSET, 4, 312,
		 "the name of symbol 1 lies outside the table of names"},
		{"size of symbols", SYMBOL_SECTION, SH_ENTSIZE, 4, 24,
		 "its symbol table of 48 bytes has entries of 24, must be 16"},
		{"a symbol in part", SYMBOL_SECTION, SH_SIZE, 4, 47,
		 "its symbol table of 47 bytes has entries of 16, must be 16"},
		{"no symbols", SYMBOL_SECTION, SH_SIZE, 4, 0, NULL},
		{"symbols behind the end", SYMBOL_SECTION, SH_OFFSET, 4, 265,
		 "cut short: its symbol table lies beyond its 312 bytes"},
		{"symbols in a compressed section", SYMBOL_SECTION, SH_FLAGS, 4, 0x800, NULL},
		{"symbols in a section of another kind", SYMBOL_SECTION, SH_TYPE, 4, 0x70000003, NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_elf elf;
		make(&elf);
		assert_int_equal(elf.nr_bytes, 312);
		change(&elf, &rows[i]);
		if (rows[i].message)
			expect_refused(rows[i].name, &elf, rows[i].message);
		else
			expect_taken(rows[i].name, &elf);
	}
}

/* A file that ends too soon is refused, wherever that is. */
static void test_cut_short(void **state)
{
	(void)state;
	struct made_elf elf;
	make(&elf);
	for (size_t len = 0; len < elf.nr_bytes; len++) {
		struct elf_image *image;
		struct sahm_err err;
		char *part = malloc(len ? len : 1); /* so that a sanitizer sees where it ends */
		assert_non_null(part);
		memcpy(part, elf.bytes, len);
		assert_int_equal(elf_image_new(&image, "a.elf", part, len, &err), SAHM_FORMAT);
		if (!strstr(err.msg, len < 4 ? "a.elf: not an ELF file" : "a.elf: cut short"))
			fail_msg("%zu bytes: %s", len, err.msg);
		free(part);
	}
	made_elf_free(&elf);
}

TEST_FILE(test_ipu_elf)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_taken), cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_bindings),      cmocka_unit_test(test_many_symbols),
		cmocka_unit_test(test_many_segments), cmocka_unit_test(test_small_file_that_is_large),
		cmocka_unit_test(test_refusals),      cmocka_unit_test(test_cut_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
