/* Compressed streams: what goes in comes out, and no damage to compressed data goes unnoticed. */
#include "sim/base/array.h"
#include "sim/base/zstd_stream.h"

#include <errno.h>
#include <unistd.h>

#include "tests/unit/zstd_cases.h"

/* Reads `in` up to its end or a failure, as readers do; *out is malloc'ed. `spare` may be NULL. */
static enum sahm_status unpack_stream(FILE *in, struct zstd_spare *spare, struct bytes *out, struct sahm_err *err)
{
	char part[1000], *all = NULL;
	size_t got;
	struct zstd_reader *r = zstd_reader_new_with(in, "t.zst", spare);
	assert_non_null(r);
	FILE *sink = open_memstream(&all, &out->len);
	assert_non_null(sink);
	*err = (struct sahm_err){.msg = "untouched"};
	while ((got = fread(part, 1, sizeof(part), zstd_reader_stream(r))) > 0)
		fwrite(part, 1, got, sink);
	bool failed = ferror(zstd_reader_stream(r));
	assert_int_equal(fclose(sink), 0);
	out->data = (uint8_t *)all;
	return zstd_reader_free(r, failed ? sahm_fail(err, SAHM_IO, "%s", strerror(errno)) : SAHM_OK, err);
}

static enum sahm_status unpack(const void *data, size_t len, struct bytes *out, struct sahm_err *err)
{
	FILE *in = stream_of(data, len);
	enum sahm_status status = unpack_stream(in, NULL, out, err);
	fclose(in);
	return status;
}

static void expect(const char *name, const void *data, size_t len, const void *expected, size_t expected_len)
{
	struct bytes out;
	struct sahm_err err;
	if (unpack(data, len, &out, &err) != SAHM_OK)
		fail_msg("%s: %s", name, err.msg);
	assert_string_equal(err.msg, "untouched");
	if (out.len != expected_len || memcmp(out.data, expected, expected_len) != 0)
		fail_msg("%s: %zu bytes that differ from the %zu expected", name, out.len, expected_len);
	free(out.data);
}

static void expect_fault(const char *name, const void *data, size_t len, enum sahm_status status, const char *message)
{
	struct bytes out;
	struct sahm_err err;
	enum sahm_status is = unpack(data, len, &out, &err);
	if (is != status || err.status != status || strcmp(err.msg, message) != 0)
		fail_msg("%s: status %d,\n  '%s', expected\n  '%s'", name, is, err.msg, message);
	free(out.data);
}

/* Bytes without a pattern, or with one. */
static uint8_t *made(size_t len, bool is_plain)
{
	uint8_t *data = malloc(len + 1);
	uint32_t x = 1;
	assert_non_null(data);
	for (size_t i = 0; i < len; i++) {
		x = x * 1664525u + 1013904223u;
		data[i] = is_plain ? (uint8_t)(i / 100) : (uint8_t)(x >> 24);
	}
	return data;
}

static void test_round_trip(void **state)
{
	(void)state;
	static const size_t lengths[] = {0, 1, 4, 1000, 8191, 8192, 8193, LARGEST_BLOCK, LARGEST_BLOCK + 1, 3000000};
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (int way = 0; way < 2; way++) {
			uint8_t *data = made(lengths[i], way);
			struct bytes frame = packed(data, lengths[i], way ? lengths[i] : UNKNOWN_SIZE);
			char name[64];
			snprintf(name, sizeof(name), "%zu bytes, way %d", lengths[i], way);
			expect(name, frame.data, frame.len, data, lengths[i]);
			free(frame.data);
			free(data);
		}
	}
}

/* A short frame that states its length and has no other frame after it is there at once. */
static void test_whole(void **state)
{
	(void)state;
	static const struct {
		size_t len;
		bool is_known, is_followed, is_whole;
	} rows[] = {{5, true, false, true},
		    {5, false, false, false},
		    {5, true, true, false},
		    {MAX_WHOLE_BYTES, true, false, true},
		    {MAX_WHOLE_BYTES + 1, true, false, false}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t len;
		uint8_t *data = made(rows[i].len, true);
		struct bytes frame = packed(data, rows[i].len, rows[i].is_known ? rows[i].len : UNKNOWN_SIZE);
		if (rows[i].is_followed)
			frame = joined(frame, "\n", 1);
		FILE *in = stream_of(frame.data, frame.len);
		struct zstd_reader *r = zstd_reader_new(in, "t.zst");
		assert_non_null(r);
		const uint8_t *whole = zstd_reader_whole(r, &len);
		assert_int_equal(whole != NULL, rows[i].is_whole);
		if (whole) {
			assert_int_equal(len, rows[i].len);
			uint8_t *taken = zstd_reader_take_whole(r);
			assert_memory_equal(taken, data, len);
			free(taken);
		}
		assert_int_equal(zstd_reader_free(r, SAHM_OK, NULL), SAHM_OK);
		fclose(in);
		free(frame.data);
		free(data);
	}
}

/* Flags of the frame: bit 2 of its fifth byte, there is a checksum; bit 5, its length comes next. */
static void test_frame_header(void **state)
{
	(void)state;
	struct bytes known = packed("hello", 5, 5), unknown = packed("hello", 5, UNKNOWN_SIZE);
	assert_memory_equal(known.data, FRAME_MAGIC "\x24\x05", 6);
	assert_memory_equal(unknown.data, FRAME_MAGIC "\x04", 5);
	free(known.data);
	free(unknown.data);
}

/* The binary logarithm of the window that a frame of this number of zeros asks for, as its sixth byte says. */
static int window_log(const uint8_t *zeros, size_t len)
{
	struct bytes frame = packed(zeros, len, len);
	assert_int_equal(frame.data[4] & 0x20, 0);
	int log = 10 + (frame.data[5] >> 3);
	free(frame.data);
	return log;
}

/* Much is compressed faster: how the frame is made shows in its window, which goes with the level. */
static void test_level(void **state)
{
	(void)state;
	uint8_t *zeros = calloc(1, MAX_SLOW_BYTES + 1);
	assert_non_null(zeros);
	assert_true(window_log(zeros, MAX_SLOW_BYTES) > window_log(zeros, MAX_SLOW_BYTES + 1));
	free(zeros);
}

static void test_not_compressed(void **state)
{
	(void)state;
	static const char short_ones[] = "\x28\xb5\x2f";
	uint8_t *data = made(300000, false);
	for (size_t len = 0; len <= 3; len++)
		expect("the beginning of a frame's beginning", short_ones, len, short_ones, len);
	expect("text", "name,count\n", 11, "name,count\n", 11);
	expect("nearly a frame", "\x28\xb5\x2f\xfc....", 8, "\x28\xb5\x2f\xfc....", 8);
	expect("nearly skippable", "\x4a\x2a\x4d\x18....", 8, "\x4a\x2a\x4d\x18....", 8);
	expect("much", data, 300000, data, 300000);
	free(data);
}

static void test_frames_in_a_row(void **state)
{
	(void)state;
	struct bytes one = packed("one ", 4, 4), two = packed("two", 3, UNKNOWN_SIZE), none = packed("", 0, 0);
	struct bytes all = joined((struct bytes){NULL, 0}, SKIPPABLE, SKIPPABLE_BYTES);
	expect("skippable alone", all.data, all.len, "", 0);
	expect("empty frame", none.data, none.len, "", 0);
	all = joined(all, one.data, one.len);
	expect("behind a skippable one", all.data, all.len, "one ", 4);
	all = joined(all, none.data, none.len);
	all = joined(all, two.data, two.len);
	all = joined(all, SKIPPABLE, SKIPPABLE_BYTES);
	expect("all kinds", all.data, all.len, "one two", 7);
	/* Frames that are shorter than their beginning is looked at for, at every place of the buffer. */
	for (unsigned i = 0; i < 40000; i++)
		all = joined(all, none.data, none.len);
	all = joined(all, one.data, one.len);
	expect("many", all.data, all.len,
	       "one two"
	       "one ",
	       11);
	free(all.data);
	free(one.data);
	free(two.data);
	free(none.data);
}

static void test_cut_short(void **state)
{
	(void)state;
	uint8_t *data = made(2000, false);
	struct bytes frame = packed(data, 2000, 2000), out;
	struct sahm_err err;
	size_t first = frame.len;
	frame = joined(frame, SKIPPABLE, SKIPPABLE_BYTES);
	for (size_t kept = 4; kept < frame.len; kept++) {
		if (kept == first)
			expect("a whole frame", frame.data, kept, data, 2000);
		else
			expect_fault("cut", frame.data, kept, SAHM_FORMAT, "t.zst: compressed data is cut short");
	}
	/* Existing data are passed on. */
	assert_int_equal(unpack(frame.data, first - 1, &out, &err), SAHM_FORMAT);
	assert_int_equal(out.len, 2000);
	assert_memory_equal(out.data, data, 2000);
	free(out.data);
	free(frame.data);
	free(data);
}

/* A frame that was cut in its middle leaves nothing in the context for the stream that is read next with it. */
static void test_spare_after_cut(void **state)
{
	(void)state;
	uint8_t *data = made(2 * MAX_WHOLE_BYTES, false);
	struct bytes frame = packed(data, 2 * MAX_WHOLE_BYTES, UNKNOWN_SIZE), out;
	struct zstd_spare spare = {0};
	struct sahm_err err;
	for (int is_whole = 0; is_whole < 2; is_whole++) {
		FILE *in = stream_of(frame.data, is_whole ? frame.len : frame.len / 2);
		enum sahm_status status = unpack_stream(in, &spare, &out, &err);
		if (status != (is_whole ? SAHM_OK : SAHM_FORMAT))
			fail_msg("%s: '%s'", is_whole ? "whole" : "cut", err.msg);
		assert_non_null(spare.context);
		assert_true(is_whole ? out.len == 2 * MAX_WHOLE_BYTES : out.len < 2 * MAX_WHOLE_BYTES);
		assert_memory_equal(out.data, data, out.len);
		free(out.data);
		fclose(in);
	}
	zstd_spare_release(&spare);
	free(frame.data);
	free(data);
}

/* A bit that may be flipped changes nothing; but for those of the magic number, which say whether it is a frame. */
static void test_every_bit(void **state)
{
	(void)state;
	static const char text[] = "to be or not to be, to be or not to be";
	struct bytes frame = packed(text, sizeof(text), sizeof(text));
	for (size_t bit = 32; bit < 8 * frame.len; bit++) {
		struct bytes out;
		struct sahm_err err;
		frame.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		enum sahm_status status = unpack(frame.data, frame.len, &out, &err);
		if (status == SAHM_OK && (out.len != sizeof(text) || memcmp(out.data, text, sizeof(text)) != 0))
			fail_msg("bit %zu of byte %zu goes unnoticed", bit % 8, bit / 8);
		if (status != SAHM_OK && (err.status != status || strncmp(err.msg, "t.zst: compressed ", 18) != 0))
			fail_msg("bit %zu of byte %zu: '%s'", bit % 8, bit / 8, err.msg);
		free(out.data);
		frame.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	frame.data[frame.len - 1] ^= 1;
	expect_fault("checksum", frame.data, frame.len, SAHM_CHECKSUM,
		     "t.zst: compressed data is damaged: it differs from its checksum");
	free(frame.data);
}

static void test_trailing_bytes(void **state)
{
	(void)state;
	static const char message[] = "t.zst: compressed data is damaged: other bytes follow it";
	static const struct {
		const char *name, *bytes;
		size_t len;
		const char *message;
	} rows[] = {
		{"line end", "\n", 1, message},
		{"zeros", "\0\0\0\0\0\0\0\0", 8, message},
		{"text", "name,count\n", 11, message},
		{"of another format", "\x1f\x8b\x08\x00", 4, message},
		{"nearly a frame", "\x28\xb5\x2f\xfc", 4, message},
		{"two bytes of a frame", "\x28\xb5", 2, "t.zst: compressed data is cut short"},
		{"a byte of a skippable one", "\x50", 1, "t.zst: compressed data is cut short"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bytes frame = joined(packed("hello", 5, 5), rows[i].bytes, rows[i].len);
		expect_fault(rows[i].name, frame.data, frame.len, SAHM_FORMAT, rows[i].message);
		free(frame.data);
	}
}

/* Frames that are whole, but ask for what is not granted. */
static void test_refused_frames(void **state)
{
	(void)state;
	static const struct {
		const char *name, *head;
		size_t len;
		const char *message; /* NULL: accepted */
	} rows[] = {
		{"window of 2^27", FRAME_MAGIC "\x00\x88", 6, NULL},
		{"window of 9/8 * 2^27", FRAME_MAGIC "\x00\x89", 6,
		 "t.zst: compressed with a window of more than 128 MB; compress it with --long=27 at most"},
		{"dictionary", FRAME_MAGIC "\x01\x38\x07", 7,
		 "t.zst: compressed with a dictionary; compress it without"},
		{"reserved bit", FRAME_MAGIC "\x08\x38", 6,
		 "t.zst: compressed data is damaged: zstd says 'Unsupported frame parameter'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bytes frame = joined((struct bytes){NULL, 0}, rows[i].head, rows[i].len);
		frame = with_block(frame, BLOCK_RAW, 5, true, "hello");
		if (rows[i].message)
			expect_fault(rows[i].name, frame.data, frame.len, SAHM_FORMAT, rows[i].message);
		else
			expect(rows[i].name, frame.data, frame.len, "hello", 5);
		free(frame.data);
	}
}

/* Gives what `cookie` holds, then fails. */
static ssize_t read_and_fail(void *cookie, char *buf, size_t size)
{
	struct bytes *left = cookie;
	size_t nr = left->len < size ? left->len : size;
	memcpy(buf, left->data, nr);
	left->data += nr;
	left->len -= nr;
	errno = ENXIO;
	return nr ? (ssize_t)nr : -1;
}

static void test_unreadable(void **state)
{
	(void)state;
	struct bytes frame = packed("hello", 5, 5), out;
	struct sahm_err err;
	char text[] = "text";
	struct bytes lefts[] = {
		{frame.data, frame.len - 1}, {frame.data, frame.len}, {(uint8_t *)text, 4}, {(uint8_t *)text, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(lefts); i++) {
		FILE *in = fopencookie(&lefts[i], "r", (cookie_io_functions_t){.read = read_and_fail});
		assert_non_null(in);
		assert_int_equal(unpack_stream(in, NULL, &out, &err), SAHM_IO);
		/* What is not compressed passes errno on; ThreadSanitizer's fread() changes that. */
#ifdef __SANITIZE_THREAD__
		const bool is_known = i < 2;
#else
		const bool is_known = true;
#endif
		if (is_known)
			assert_string_equal(err.msg, i < 2 ? "cannot read 't.zst': No such device or address"
							   : "No such device or address");
		free(out.data);
		fclose(in);
	}
	free(frame.data);
}

/* Of a file that is cut short while it is read, nobody knows whether what came of it ends where a line does. */
static void test_shrinks(void **state)
{
	(void)state;
	static const struct {
		long kept;
		const char *message; /* NULL: nothing is wrong */
	} rows[] = {{0, "'t.csv' became shorter while it was read"},
		    {50000, "'t.csv' became shorter while it was read"},
		    {99999, "'t.csv' became shorter while it was read"},
		    {100000, NULL},
		    {200000, NULL}};
	char first[8], buf[4096];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		FILE *in = tmpfile();
		assert_non_null(in);
		for (int c = 0; c < 100000; c++)
			putc('1', in);
		rewind(in);
		struct zstd_reader *r = zstd_reader_new(in, "t.csv");
		assert_non_null(r);
		FILE *stream = zstd_reader_stream(r);
		assert_int_equal(fread(first, 1, sizeof(first), stream), sizeof(first));
		assert_int_equal(ftruncate(fileno(in), rows[i].kept), 0);
		while (fread(buf, 1, sizeof(buf), stream) > 0)
			;
		struct sahm_err err = {.msg = ""};
		assert_int_equal(ferror(stream) != 0, rows[i].message != NULL);
		enum sahm_status status = zstd_reader_free(r, rows[i].message ? SAHM_FORMAT : SAHM_OK, &err);
		assert_int_equal(status, rows[i].message ? SAHM_IO : SAHM_OK);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : "");
		fclose(in);
	}
}

/* A fault explains a failure, and only that. */
static void test_fault_and_status(void **state)
{
	(void)state;
	struct bytes frame = joined(packed("hello", 5, 5), "\n", 1);
	for (int failed = 0; failed < 2; failed++) {
		FILE *in = stream_of(frame.data, frame.len);
		struct zstd_reader *r = zstd_reader_new(in, "t.zst");
		struct sahm_err err = {.status = SAHM_RANGE, .msg = "mine"};
		char text[10];
		assert_int_equal(fread(text, 1, sizeof(text), zstd_reader_stream(r)), 5);
		enum sahm_status status = zstd_reader_free(r, failed ? SAHM_RANGE : SAHM_OK, &err);
		assert_int_equal(status, failed ? SAHM_FORMAT : SAHM_OK);
		if (!failed)
			assert_string_equal(err.msg, "mine");
		fclose(in);
	}
	FILE *in = stream_of("hello", 5);
	struct sahm_err err = {.status = SAHM_RANGE, .msg = "mine"};
	assert_int_equal(zstd_reader_free(zstd_reader_new(in, "t.zst"), SAHM_RANGE, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "mine");
	fclose(in);
	free(frame.data);
}

static void test_unwritable(void **state)
{
	(void)state;
	uint8_t *data = made(1000000, false);
	struct sahm_err err;
	FILE *out = fopen("/dev/full", "w");
	assert_non_null(out);
	setvbuf(out, NULL, _IONBF, 0);
	struct zstd_writer *w = zstd_writer_new(out, UNKNOWN_SIZE);
	assert_non_null(w);
	fwrite(data, 1, 1000000, zstd_writer_stream(w));
	assert_int_equal(zstd_writer_free(w, "t.zst", SAHM_OK, &err), SAHM_IO);
	assert_string_equal(err.msg, "cannot write 't.zst': No space left on device");
	/* Earlier failures are not reported again. */
	w = zstd_writer_new(out, UNKNOWN_SIZE);
	assert_non_null(w);
	err = (struct sahm_err){.status = SAHM_RANGE, .msg = "mine"};
	assert_int_equal(zstd_writer_free(w, "t.zst", SAHM_RANGE, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "mine");
	fclose(out);
	free(data);
}

/* A frame that says how long it is must be that long. */
static void test_wrong_size(void **state)
{
	(void)state;
	for (unsigned size = 4; size <= 6; size++) {
		struct sahm_err err;
		FILE *out = tmpfile();
		assert_non_null(out);
		struct zstd_writer *w = zstd_writer_new(out, size);
		assert_non_null(w);
		fputs("hello", zstd_writer_stream(w));
		assert_int_equal(zstd_writer_free(w, "t.zst", SAHM_OK, &err), size == 5 ? SAHM_OK : SAHM_IO);
		fclose(out);
	}
}

TEST_FILE(test_zstd_stream)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),	 cmocka_unit_test(test_whole),
		cmocka_unit_test(test_frame_header),	 cmocka_unit_test(test_level),
		cmocka_unit_test(test_not_compressed),	 cmocka_unit_test(test_frames_in_a_row),
		cmocka_unit_test(test_cut_short),	 cmocka_unit_test(test_every_bit),
		cmocka_unit_test(test_trailing_bytes),	 cmocka_unit_test(test_refused_frames),
		cmocka_unit_test(test_shrinks),		 cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_fault_and_status), cmocka_unit_test(test_unwritable),
		cmocka_unit_test(test_wrong_size),	 cmocka_unit_test(test_spare_after_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
