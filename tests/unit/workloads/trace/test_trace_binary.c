/* Binary traces: how they are laid out, and that no damage to them goes unnoticed. */
#include <inttypes.h>

#include "sim/base/array.h"
#include "sim/base/units.h"
#include "tests/unit/trace_cases.h"

/* The widths that the columns of counts_at() were meant to have. */
static void test_column_widths(void **state)
{
	(void)state;
	static const uint8_t widths[] = {8, 4, 2, 1, 0, 8, 1, 0, 2};
	struct trace *trace = build(BLOCK_EPOCHS, true);
	size_t len;
	uint8_t *image = image_of(trace, &len);
	const uint8_t *index = image + HEADER_BYTES + pad8(get_le(image + HEADER_PROVENANCE_BYTES, 4));
	const uint8_t *block = image + get_le(index + INDEX_OFFSET, 8);
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (block[c * COLUMN_BYTES + COLUMN_WIDTH] != widths[c])
			fail_msg("%s: width %u", counter_rows[c].name, block[c * COLUMN_BYTES + COLUMN_WIDTH]);
	free(image);
	trace_free(trace);
}

static void test_width_bounds(void **state)
{
	(void)state;
	static const struct {
		uint64_t low, high;
		unsigned width;
	} rows[] = {
		{0, 0, 0},
		{UINT64_MAX, UINT64_MAX, 0},
		{5, 6, 1},
		{0, 0xff, 1},
		{1, 0x101, 2},
		{0, 0xffff, 2},
		{0, 0x10000, 4},
		{7, UINT64_C(0x100000006), 4},
		{7, UINT64_C(0x100000007), 8},
		{0, UINT64_MAX, 8},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char csv[512];
		snprintf(csv, sizeof(csv), HEAD "%" PRIu64 ",0,0,0,0,0,0,0\n%" PRIu64 ",0,0,0,0,0,0,0\n", rows[i].low,
			 rows[i].high);
		struct trace *trace = must_read(csv);
		size_t len;
		uint8_t *image = image_of(trace, &len);
		struct epoch_counts low = {.count = {rows[i].low}}, high = {.count = {rows[i].high}};
		size_t block = len - 8 * COLUMN_BYTES - pad8((uint64_t)rows[i].width * 2);
		if (image[block + COLUMN_WIDTH] != rows[i].width)
			fail_msg("%" PRIu64 " to %" PRIu64 ": width %u", rows[i].low, rows[i].high,
				 image[block + COLUMN_WIDTH]);
		expect_epoch("low", trace, 0, &low);
		expect_epoch("high", trace, 1, &high);
		free(image);
		trace_free(trace);
	}
}

/* A small image with all that an image can have. */
static uint8_t *small_image(size_t *len)
{
	struct trace *trace = must_read(FULL);
	uint8_t *image = image_of(trace, len);
	trace_free(trace);
	return image;
}

static void test_truncated(void **state)
{
	(void)state;
	size_t len;
	uint8_t *image = small_image(&len);
	for (size_t kept = 0; kept < len; kept++) {
		struct sahm_err err = untouched;
		if (!is_refused(image, kept, &err))
			fail_msg("%zu of %zu bytes are taken for a trace", kept, len);
		if (strncmp(err.msg, "t.trc: ", 7) != 0)
			fail_msg("%zu of %zu bytes: '%s'", kept, len, err.msg);
	}
	free(image);
}

static void test_every_bit(void **state)
{
	(void)state;
	size_t len;
	uint8_t *image = small_image(&len);
	struct sahm_err err = untouched;
	assert_false(is_refused(image, len, &err));
	for (size_t bit = 0; bit < 8 * len; bit++) {
		image[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (!is_refused(image, len, &err))
			fail_msg("bit %zu of byte %zu does not matter", bit % 8, bit / 8);
		image[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	free(image);
}

static uint64_t index_at(const uint8_t *image)
{
	return HEADER_BYTES + pad8(get_le(image + HEADER_PROVENANCE_BYTES, 4));
}

/* Sets the digest of each of `nr` blocks, then the header's, to what they should be. */
static void fix_digests(uint8_t *image, uint64_t nr)
{
	uint64_t at = index_at(image);
	for (uint64_t b = 0; b < nr; b++) {
		uint8_t *entry = image + at + b * INDEX_ENTRY_BYTES;
		digest_of(image + get_le(entry + INDEX_OFFSET, 8), get_le(entry + INDEX_BYTES, 8),
			  entry + INDEX_DIGEST);
	}
	trace_head_digest(image, at + nr * INDEX_ENTRY_BYTES, image + HEADER_DIGEST);
}

static void expect_refused(const char *name, const uint8_t *image, size_t len, enum sahm_status status,
			   const char *message)
{
	struct sahm_err err = untouched;
	if (!is_refused(image, len, &err))
		fail_msg("%s: taken for a trace", name);
	if (err.status != status || strcmp(err.msg, message) != 0)
		fail_msg("%s: status %d,\n  '%s', expected\n  '%s'", name, err.status, err.msg, message);
}

/* Heads that are wrong in a way that their digest does not show. */
static void test_wrong_heads(void **state)
{
	(void)state;
	static const char impossible[] = "t.trc: damaged binary trace: its header holds impossible values";
	static const struct {
		const char *name;
		unsigned offset, bytes;
		uint64_t value;
		const char *message;
	} rows[] = {
		{"version 2", HEADER_VERSION, 4, 2, "t.trc: binary trace of version 2, this program reads version 1"},
		{"version 0", HEADER_VERSION, 4, 0, "t.trc: binary trace of version 0, this program reads version 1"},
		{"unknown flag", HEADER_FLAGS, 4, 3, impossible},
		{"no epochs", HEADER_NR_EPOCHS, 8, 0, impossible},
		{"too many epochs", HEADER_NR_EPOCHS, 8, MAX_TRACE_EPOCHS + 1, impossible},
		{"short epochs", HEADER_EPOCH_NS, 8, MIN_EPOCH_NS - 1, impossible},
		{"long epochs", HEADER_EPOCH_NS, 8, MAX_EPOCH_NS + 1, impossible},
		{"other blocks", HEADER_BLOCK_EPOCHS, 4, BLOCK_EPOCHS - 1, impossible},
		{"provenance beyond the end", HEADER_PROVENANCE_BYTES, 4, UINT32_MAX,
		 "t.trc: damaged binary trace: it ends within its index"},
		{"index beyond the end", HEADER_NR_EPOCHS, 8, MAX_TRACE_EPOCHS,
		 "t.trc: damaged binary trace: it ends within its index"},
		{"other magic", HEADER_MAGIC, 1, 'S', "t.trc: not a binary trace"},
	};
	size_t len;
	uint8_t *image = small_image(&len);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t before = get_le(image + rows[i].offset, rows[i].bytes);
		put_le(image + rows[i].offset, rows[i].value, rows[i].bytes);
		if (index_at(image) + INDEX_ENTRY_BYTES <= len)
			fix_digests(image, 1);
		expect_refused(rows[i].name, image, len, SAHM_FORMAT, rows[i].message);
		put_le(image + rows[i].offset, before, rows[i].bytes);
		fix_digests(image, 1);
	}
	struct sahm_err err = untouched;
	assert_false(is_refused(image, len, &err));
	free(image);
}

static void test_wrong_indexes(void **state)
{
	(void)state;
	static const char inconsistent[] = "t.trc: damaged binary trace: its index is inconsistent";
	size_t len;
	uint8_t *image = small_image(&len);
	uint8_t *entry = image + index_at(image);
	uint64_t offset = get_le(entry + INDEX_OFFSET, 8), bytes = get_le(entry + INDEX_BYTES, 8);
	const struct {
		const char *name;
		uint64_t offset, bytes;
		const char *message;
	} rows[] = {
		{"block elsewhere", offset - 8, bytes, inconsistent},
		{"block far away", UINT64_MAX, bytes, inconsistent},
		{"block too long", offset, bytes + 8, inconsistent},
		{"block of enormous length", offset, UINT64_MAX - 7, inconsistent},
		{"odd length", offset, bytes - 1, inconsistent},
		{"block too short", offset, bytes - 8, "t.trc: damaged binary trace: bytes follow its last block"},
		{"no block", offset, 0, "t.trc: damaged binary trace: bytes follow its last block"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		put_le(entry + INDEX_OFFSET, rows[i].offset, 8);
		put_le(entry + INDEX_BYTES, rows[i].bytes, 8);
		trace_head_digest(image, index_at(image) + INDEX_ENTRY_BYTES, image + HEADER_DIGEST);
		expect_refused(rows[i].name, image, len, SAHM_FORMAT, rows[i].message);
	}
	free(image);
}

static void test_trailing_bytes(void **state)
{
	(void)state;
	size_t len;
	uint8_t *image = small_image(&len), *longer = calloc(1, len + 8);
	char message[128];
	assert_non_null(longer);
	memcpy(longer, image, len);
	for (size_t more = 1; more <= 8; more++) {
		snprintf(message, sizeof(message),
			 "t.trc: damaged binary trace: more than the %zu bytes that its header says", len);
		expect_refused("trailing bytes", longer, len + more, SAHM_FORMAT, message);
	}
	put_le(longer + HEADER_FILE_BYTES, len + 8, 8);
	fix_digests(longer, 1);
	expect_refused("trailing bytes, admitted", longer, len + 8, SAHM_FORMAT,
		       "t.trc: damaged binary trace: bytes follow its last block");
	free(longer);
	free(image);
}

/* Blocks that are wrong in a way that their digests do not show. A trace is written in one way only: any other would
 * have another hash than its CSV form. */
static void test_wrong_blocks(void **state)
{
	(void)state;
	size_t len;
	uint8_t *image = small_image(&len);
	uint64_t at = get_le(image + index_at(image) + INDEX_OFFSET, 8);
	const unsigned last = (NR_COUNTERS - 1) * COLUMN_BYTES;
	const struct {
		const char *name;
		uint64_t byte;
		uint8_t value;
		const char *message; /* NULL: any that names the file */
	} rows[] = {
		{"width 3", at + COLUMN_WIDTH, 3, "t.trc: damaged binary trace: a column has an impossible width"},
		{"width 16", at + COLUMN_WIDTH, 16, "t.trc: damaged binary trace: a column has an impossible width"},
		{"width 255", at + last + COLUMN_WIDTH, 255,
		 "t.trc: damaged binary trace: a column has an impossible width"},
		{"narrow column", at + last + COLUMN_WIDTH, 1, "t.trc: damaged binary trace: a block is too long"},
		{"reserved byte", at + COLUMN_WIDTH + 1, 1, NULL},
		{"padding", index_at(image) - 1, 1, NULL},
		{"base beyond the values", at + COLUMN_BASE, 1, NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t before = image[rows[i].byte];
		struct sahm_err err = untouched;
		image[rows[i].byte] = rows[i].value;
		fix_digests(image, 1);
		if (rows[i].message) {
			expect_refused(rows[i].name, image, len, SAHM_FORMAT, rows[i].message);
		} else {
			if (!is_refused(image, len, &err))
				fail_msg("%s: taken for a trace", rows[i].name);
			if (strncmp(err.msg, "t.trc: damaged binary trace: ", 29) != 0)
				fail_msg("%s: '%s'", rows[i].name, err.msg);
		}
		image[rows[i].byte] = before;
	}
	free(image);
}

/* Wide columns where narrow ones would do. */
static void test_wasteful_blocks(void **state)
{
	(void)state;
	struct trace *trace = must_read(NAMED HEAD "1,1,1,1,1,1,1,1\n");
	size_t len;
	uint8_t *image = image_of(trace, &len), *wide = calloc(1, len + 8);
	assert_non_null(wide);
	memcpy(wide, image, len);
	uint8_t *entry = wide + index_at(wide);
	wide[get_le(entry + INDEX_OFFSET, 8) + COLUMN_WIDTH] = 1;
	put_le(entry + INDEX_BYTES, get_le(entry + INDEX_BYTES, 8) + 8, 8);
	put_le(wide + HEADER_FILE_BYTES, len + 8, 8);
	fix_digests(wide, 1);
	struct sahm_err err = untouched;
	if (!is_refused(wide, len + 8, &err))
		fail_msg("a block that the CSV form would not be written as is taken");
	assert_int_equal(strncmp(err.msg, "t.trc: damaged binary trace: ", 29), 0);
	free(wide);
	free(image);
	trace_free(trace);
}

/* Counts that contradict each other must not come in by the binary form either: they could not be exported. */
static void test_contradictions(void **state)
{
	(void)state;
	static const enum counter parts[] = {COUNTER_BRANCH_MISSES, COUNTER_L1D_MISSES, COUNTER_L2_MISSES};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		struct trace *trace = must_read(NAMED HEAD "9,8,8,8,8,8,8,8\n");
		size_t len;
		uint8_t *image = image_of(trace, &len);
		uint64_t at = get_le(image + index_at(image) + INDEX_OFFSET, 8);
		struct sahm_err err = untouched;
		image[at + parts[i] * COLUMN_BYTES + COLUMN_BASE] = 9;
		fix_digests(image, 1);
		if (!is_refused(image, len, &err))
			fail_msg("%s above %s is taken", counter_rows[parts[i]].name,
				 counter_rows[counter_rows[parts[i]].part_of].name);
		assert_int_equal(strncmp(err.msg, "t.trc: damaged binary trace: ", 29), 0);
		free(image);
		trace_free(trace);
	}
}

/* `text` in place of the provenance "name: t\n" plus filling. */
static void test_wrong_provenance(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text; /* as long as the one that it replaces */
		const char *message;	 /* NULL: accepted */
	} rows[] = {
		{"as it was", "name: aa\nnote: bb\n", NULL},
		{"no name", "tool: aa\nnote: bb\n", "t.trc: damaged binary trace: it has no name"},
		{"unknown key", "name: aa\nnoet: bb\n",
		 "t.trc: damaged binary trace: unknown provenance key 'noet'; did you mean 'note'?"},
		{"no colon", "name: aa\nnote, bb\n", "t.trc: damaged binary trace: provenance is malformed"},
		{"no blank", "name: aa\nnote:bbb\n", "t.trc: damaged binary trace: provenance is malformed"},
		{"no line end", "name: aa\nnote: bbb", "t.trc: damaged binary trace: provenance is malformed"},
		{"NUL byte", "name: aa\nnote: b\0\n", "t.trc: damaged binary trace: provenance is malformed"},
		{"control character", "name: aa\nnote: b\t\n", "t.trc: damaged binary trace: provenance is malformed"},
		{"other order", "note: bb\nname: aa\n", "t.trc: damaged binary trace: provenance is malformed"},
		{"key twice", "name: aa\nname: bb\n", "t.trc: damaged binary trace: provenance is malformed"},
		{"empty line", "name: aaa\nnote: \n\n", "t.trc: damaged binary trace: provenance is malformed"},
	};
	struct trace *trace = must_read("# sahm trace 1\n# name: aa\n# note: bb\n" HEAD ROW);
	size_t len, text_len = strlen(rows[0].text);
	uint8_t *image = image_of(trace, &len);
	assert_int_equal(get_le(image + HEADER_PROVENANCE_BYTES, 4), text_len);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sahm_err err = untouched;
		memcpy(image + HEADER_BYTES, rows[i].text, text_len);
		fix_digests(image, 1);
		if (rows[i].message)
			expect_refused(rows[i].name, image, len, SAHM_FORMAT, rows[i].message);
		else if (is_refused(image, len, &err))
			fail_msg("%s: %s", rows[i].name, err.msg);
	}
	free(image);
	trace_free(trace);
}

/* A block is verified when it is first read, not before. */
static void test_lazy_verification(void **state)
{
	(void)state;
	struct trace *whole = build(2 * BLOCK_EPOCHS + 10, true);
	size_t len;
	uint8_t *image = image_of(whole, &len);
	const uint8_t *entry = image + index_at(image) + INDEX_ENTRY_BYTES;
	image[get_le(entry + INDEX_OFFSET, 8) + get_le(entry + INDEX_BYTES, 8) - 1] ^= 0x10;
	struct trace *trace = must_open(image, len);
	struct epoch_counts two[2];
	struct sahm_err err = untouched;
	struct cuts cuts;
	static uint8_t states[2 * BLOCK_EPOCHS + 10];
	static const char message[] = "t.trc: damaged binary trace: epochs 4096 to 8191 differ from their checksum";

	assert_int_equal(trace_read(trace, 0, 2, two, &err), SAHM_OK);
	assert_int_equal(trace_read(trace, BLOCK_EPOCHS - 2, 2, two, &err), SAHM_OK);
	assert_int_equal(trace_read(trace, 2 * BLOCK_EPOCHS, 2, two, &err), SAHM_OK);
	assert_string_equal(err.msg, "untouched");
	for (int again = 0; again < 2; again++) {
		assert_int_equal(trace_read(trace, BLOCK_EPOCHS, 1, two, &err), SAHM_CHECKSUM);
		assert_string_equal(err.msg, message);
		assert_int_equal(err.status, SAHM_CHECKSUM);
	}
	err = untouched;
	assert_int_equal(trace_read(trace, BLOCK_EPOCHS - 1, 2, two, &err), SAHM_CHECKSUM);
	assert_string_equal(err.msg, message);
	assert_true(cuts_named(DEFAULT_CUTS, &cuts));
	err = untouched;
	assert_int_equal(trace_states(trace, &cuts, states, &err), SAHM_CHECKSUM);
	assert_string_equal(err.msg, message);
	err = untouched;
	assert_int_equal(trace_verify(trace, &err), SAHM_CHECKSUM);
	assert_string_equal(err.msg, message);
	char *csv = NULL;
	size_t csv_len;
	FILE *out = open_memstream(&csv, &csv_len);
	assert_non_null(out);
	err = untouched;
	assert_int_equal(trace_write_csv(trace, out, &err), SAHM_CHECKSUM);
	assert_string_equal(err.msg, message);
	fclose(out);
	free(csv);
	trace_free(trace);
	trace_free(whole);
	free(image);
}

/* The time that a trace lasts must fit 64 bits of ns: everything that asks for it multiplies. */
static void test_endless_trace(void **state)
{
	(void)state;
	enum { NR_BLOCKS = 5000 };
	struct trace *one = must_read(NAMED HEAD "0,0,0,0,0,0,0,0\n");
	size_t len;
	uint8_t *image = image_of(one, &len);
	uint64_t head = index_at(image), block_bytes = get_le(image + head + INDEX_BYTES, 8);
	size_t all = (size_t)(head + NR_BLOCKS * (INDEX_ENTRY_BYTES + block_bytes));
	uint8_t *endless = calloc(1, all);
	struct sahm_err err = untouched;
	assert_non_null(endless);
	memcpy(endless, image, head);
	put_le(endless + HEADER_NR_EPOCHS, (uint64_t)NR_BLOCKS * BLOCK_EPOCHS, 8);
	put_le(endless + HEADER_EPOCH_NS, MAX_EPOCH_NS, 8);
	put_le(endless + HEADER_FILE_BYTES, all, 8);
	for (uint64_t b = 0; b < NR_BLOCKS; b++) {
		uint8_t *entry = endless + head + b * INDEX_ENTRY_BYTES;
		put_le(entry + INDEX_OFFSET, head + NR_BLOCKS * INDEX_ENTRY_BYTES + b * block_bytes, 8);
		put_le(entry + INDEX_BYTES, block_bytes, 8);
	}
	fix_digests(endless, NR_BLOCKS);
	if (!is_refused(endless, all, &err))
		fail_msg("%u epochs of %" PRIu64 " ns do not fit 64 bits", NR_BLOCKS * BLOCK_EPOCHS, MAX_EPOCH_NS);
	free(endless);
	free(image);
	trace_free(one);
}

TEST_FILE(test_trace_binary)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_column_widths),	 cmocka_unit_test(test_width_bounds),
		cmocka_unit_test(test_truncated),	 cmocka_unit_test(test_every_bit),
		cmocka_unit_test(test_wrong_heads),	 cmocka_unit_test(test_wrong_indexes),
		cmocka_unit_test(test_trailing_bytes),	 cmocka_unit_test(test_wrong_blocks),
		cmocka_unit_test(test_wasteful_blocks),	 cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_wrong_provenance), cmocka_unit_test(test_lazy_verification),
		cmocka_unit_test(test_endless_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
