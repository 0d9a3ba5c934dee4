/* Traces in files, pipes and compressed streams: whatever way a trace comes, it is the same. */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "tests/unit/trace_cases.h"
#include "tests/unit/zstd_cases.h"
#include "workloads/import/import.h"
#include "workloads/trace/trace_internal.h"

static enum sahm_status open_bytes(const void *data, size_t len, struct trace **trace, struct sahm_err *err)
{
	FILE *in = stream_of(data, len);
	enum sahm_status status = trace_open_stream(in, "t.zst", NULL, trace, err);
	fclose(in);
	return status;
}

/* A trace that is damaged, for which any message that names the file will do. */
static bool is_refused_stream(struct bytes data, struct sahm_err *err)
{
	struct trace *trace = NULL;
	*err = untouched;
	enum sahm_status status = open_bytes(data.data, data.len, &trace, err);
	if (status == SAHM_OK)
		status = trace_verify(trace, err);
	trace_free(trace);
	assert_true(status == SAHM_OK || status == SAHM_FORMAT || status == SAHM_CHECKSUM);
	assert_true(status == SAHM_OK || strncmp(err->msg, "t.zst:", 6) == 0);
	return status != SAHM_OK;
}

static void expect_refused(const char *name, struct bytes data, enum sahm_status status, const char *message)
{
	struct sahm_err err;
	if (!is_refused_stream(data, &err))
		fail_msg("%s: taken for a trace", name);
	if (err.status != status || strcmp(err.msg, message) != 0)
		fail_msg("%s: status %d,\n  '%s', expected\n  '%s'", name, err.status, err.msg, message);
}

enum form { CSV, BINARY, CSV_PACKED, BINARY_PACKED, NR_FORMS };

/* A trace of two blocks in each form, and what it is. */
struct forms {
	struct trace *trace;
	struct bytes bytes[NR_FORMS];
};

static struct forms make_forms(void)
{
	struct forms f = {.trace = build(BLOCK_EPOCHS + 10, true)};
	char *csv = csv_of(f.trace);
	f.bytes[CSV] = (struct bytes){(uint8_t *)csv, strlen(csv)};
	f.bytes[BINARY].data = image_of(f.trace, &f.bytes[BINARY].len);
	for (int i = 0; i < 2; i++)
		f.bytes[CSV_PACKED + i] = packed(f.bytes[i].data, f.bytes[i].len, i ? f.bytes[i].len : UNKNOWN_SIZE);
	return f;
}

static void free_forms(struct forms *f)
{
	trace_free(f->trace);
	for (int i = 0; i < NR_FORMS; i++)
		free(f->bytes[i].data);
}

/* Takes over `trace`, which must be the same as the one that the forms are of. */
static void expect_same(const struct forms *f, int form, struct trace *trace)
{
	struct sahm_err err = untouched;
	if (trace_verify(trace, &err) != SAHM_OK)
		fail_msg("form %d: %s", form, err.msg);
	assert_memory_equal(trace_hash(trace), trace_hash(f->trace), HASH_BYTES);
	char *csv = csv_of(trace);
	assert_string_equal(csv, (const char *)f->bytes[CSV].data);
	free(csv);
	trace_free(trace);
}

static void write_file(const char *path, struct bytes bytes)
{
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes.data, 1, bytes.len, out), bytes.len);
	assert_int_equal(fclose(out), 0);
}

static void test_files(void **state)
{
	(void)state;
	char folder[] = "/tmp/sahm-test-XXXXXX", path[64];
	struct forms f = make_forms();
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/t", folder);
	for (int i = 0; i < NR_FORMS; i++) {
		struct trace *trace;
		struct sahm_err err = untouched;
		write_file(path, f.bytes[i]);
		assert_int_equal(trace_open(path, NULL, &trace, &err), SAHM_OK);
		assert_string_equal(err.msg, "untouched");
		assert_string_equal(trace_file(trace), path);
		expect_same(&f, i, trace);
		assert_true(trace_is_one(path));
		/* Its first bytes do not suffice to recognise it. */
		f.bytes[i].data[i < CSV_PACKED ? 2 : f.bytes[i].len / 2] ^= 0xff;
		write_file(path, f.bytes[i]);
		assert_int_equal(trace_is_one(path), i >= CSV_PACKED);
		f.bytes[i].data[i < CSV_PACKED ? 2 : f.bytes[i].len / 2] ^= 0xff;
	}
	struct bytes other = packed("chip : { };\n", 12, 12);
	write_file(path, other);
	assert_false(trace_is_one(path));
	free(other.data);
	unlink(path);
	assert_false(trace_is_one(path));
	rmdir(folder);
	free_forms(&f);
}

/* Whatever is done to the file of a trace that is open - cut short, written over, removed - is nothing to the trace. */
static void test_file_changes(void **state)
{
	char path[] = "/tmp/sahm-changes-XXXXXX";
	struct forms f = make_forms();
	struct sahm_err err = untouched;
	struct trace *trace = NULL;
	size_t len;
	(void)state;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, f.bytes[BINARY].data, f.bytes[BINARY].len), (ssize_t)f.bytes[BINARY].len);
	assert_int_equal(trace_open(path, NULL, &trace, &err), SAHM_OK);
	/* Right from its head on, and in whole pages, of which a mapping would be left with none. */
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(trace_verify(trace, &err), SAHM_OK);
	assert_int_equal(ftruncate(fd, (off_t)f.bytes[BINARY].len), 0);
	unlink(path);
	assert_int_equal(trace_verify(trace, &err), SAHM_OK);
	uint8_t *image = image_of(trace, &len);
	assert_int_equal(len, f.bytes[BINARY].len);
	assert_memory_equal(image, f.bytes[BINARY].data, len);
	free(image);
	trace_free(trace);
	close(fd);
	free_forms(&f);
}

/* Opens a file as if its image were a long one. */
static enum sahm_status open_lazily(const char *path, size_t len, struct trace **trace, struct sahm_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	return trace_open_file("late.trc", fd, len, trace, err);
}

/* Of a long image blocks are read when they are used: right, or not at all. */
static void test_blocks_are_read_late(void **state)
{
	char path[] = "/tmp/sahm-late-XXXXXX";
	struct forms f = make_forms();
	const uint8_t *data = f.bytes[BINARY].data;
	size_t len = f.bytes[BINARY].len, again;
	struct sahm_err err = untouched;
	struct trace *trace = NULL;
	(void)state;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), (ssize_t)len);
	assert_int_equal(open_lazily(path, len, &trace, &err), SAHM_OK);
	uint8_t *image = image_of(trace, &again);
	assert_int_equal(again, len);
	assert_memory_equal(image, data, len);
	/* What has been read stays. */
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(trace_verify(trace, &err), SAHM_OK);
	free(image);
	trace_free(trace);

	assert_int_equal(pwrite(fd, data, len, 0), (ssize_t)len);
	assert_int_equal(open_lazily(path, len, &trace, &err), SAHM_OK);
	assert_int_equal(ftruncate(fd, (off_t)len - 1), 0);
	assert_int_equal(trace_verify(trace, &err), SAHM_FORMAT);
	assert_string_equal(err.msg, "late.trc: damaged binary trace: it was cut short while it was in use");
	uint8_t other = (uint8_t)(data[len - 1] ^ 1);
	assert_int_equal(pwrite(fd, &other, 1, (off_t)len - 1), 1);
	assert_int_equal(trace_verify(trace, &err), SAHM_CHECKSUM);
	/* Put right, it can be used again. */
	assert_int_equal(pwrite(fd, data, len, 0), (ssize_t)len);
	assert_int_equal(trace_verify(trace, &err), SAHM_OK);
	trace_free(trace);

	for (size_t cut = 0; cut < len; cut += cut < 512 ? 1 : 97) {
		assert_int_equal(ftruncate(fd, (off_t)cut), 0);
		/* Cut short before its length was asked for, and after. */
		if (cut > 0)
			assert_int_not_equal(open_lazily(path, cut, &trace, &err), SAHM_OK);
		if (open_lazily(path, len, &trace, &err) == SAHM_OK) {
			assert_int_not_equal(trace_verify(trace, &err), SAHM_OK);
			trace_free(trace);
		}
		assert_int_equal(pwrite(fd, data, len, 0), (ssize_t)len);
	}
	/* Longer than it says: only its head takes memory. */
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	assert_int_equal(open_lazily(path, (size_t)1 << 40, &trace, &err), SAHM_FORMAT);
	assert_non_null(strstr(err.msg, "bytes that its header says"));
	/* No head can be as long as this one says. */
	static const uint8_t far[4] = {0xff, 0xff, 0xff, 0x7f};
	assert_int_equal(ftruncate(fd, (off_t)1 << 32), 0);
	assert_int_equal(pwrite(fd, far, sizeof(far), HEADER_PROVENANCE_BYTES), (ssize_t)sizeof(far));
	assert_int_equal(open_lazily(path, (size_t)1 << 32, &trace, &err), SAHM_FORMAT);
	close(fd);
	unlink(path);
	free_forms(&f);
}

/* A long image, through the door that everybody uses. */
static void test_long_image(void **state)
{
	enum { NR = 700000 };
	char path[] = "/tmp/sahm-long-XXXXXX";
	struct sahm_err err = untouched;
	struct trace *trace = NULL;
	(void)state;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	struct trace *made = build(NR, true);
	FILE *out = fdopen(fd, "w");
	assert_int_equal(trace_write_binary(made, out, &err), SAHM_OK);
	fflush(out);
	assert_true(trace_image_bytes(made) > 4u << 20);
	assert_int_equal(trace_open(path, NULL, &trace, &err), SAHM_OK);
	for (uint64_t i = NR; i > 0; i -= NR / 7) {
		struct epoch_counts a, b;
		assert_int_equal(trace_read(trace, i - 1, 1, &a, &err), SAHM_OK);
		assert_int_equal(trace_read(made, i - 1, 1, &b, &err), SAHM_OK);
		assert_memory_equal(&a, &b, sizeof(a));
	}
	assert_memory_equal(trace_hash(trace), trace_hash(made), HASH_BYTES);
	/* Half of it is gone: the error is reported, and the data read before it are there. */
	assert_int_equal(ftruncate(fd, (off_t)(trace_image_bytes(made) / 2)), 0);
	assert_int_equal(trace_verify(trace, &err), SAHM_FORMAT);
	trace_free(trace);
	trace_free(made);
	fclose(out);
	unlink(path);
}

/* As "-", standard input being a pipe that is filled by another process. */
static void test_standard_input(void **state)
{
	(void)state;
	struct forms f = make_forms();
	for (int i = 0; i < NR_FORMS; i++) {
		char path[] = "/tmp/sahm-test-XXXXXX", command[64];
		struct trace *trace;
		struct sahm_err err = untouched;
		int fd = mkstemp(path), before = dup(STDIN_FILENO);
		assert_true(fd >= 0);
		write_file(path, f.bytes[i]);
		snprintf(command, sizeof(command), "exec cat %s", path);
		FILE *pipe = popen(command, "r");
		assert_non_null(pipe);
		assert_true(dup2(fileno(pipe), STDIN_FILENO) >= 0);
		if (trace_open("-", NULL, &trace, &err) != SAHM_OK)
			fail_msg("form %d: %s", i, err.msg);
		assert_string_equal(trace_file(trace), STDIN_LABEL);
		expect_same(&f, i, trace);
		if (before >= 0) {
			dup2(before, STDIN_FILENO);
			close(before);
		}
		pclose(pipe);
		close(fd);
		unlink(path);
	}
	free_forms(&f);
}

/* Frames end where they like: within a line, within the image's header. */
static void test_several_frames(void **state)
{
	(void)state;
	struct forms f = make_forms();
	for (int i = 0; i < 2; i++) {
		const struct bytes *whole = &f.bytes[i];
		const size_t cuts[] = {0, 5, 70, 70, whole->len / 2, whole->len};
		struct bytes all = joined((struct bytes){NULL, 0}, SKIPPABLE, SKIPPABLE_BYTES);
		struct trace *trace;
		struct sahm_err err = untouched;
		for (size_t c = 0; c + 1 < ARRAY_SIZE(cuts); c++) {
			struct bytes part = packed(whole->data + cuts[c], cuts[c + 1] - cuts[c], cuts[c + 1] - cuts[c]);
			all = joined(all, part.data, part.len);
			free(part.data);
		}
		if (open_bytes(all.data, all.len, &trace, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		expect_same(&f, i, trace);
		free(all.data);
	}
	free_forms(&f);
}

/* The line of an error is that of the decompressed file, wherever frames and buffers end. */
static void test_line_numbers(void **state)
{
	(void)state;
	static const unsigned lines[] = {2, 3, 4096, 20000};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct bytes csv = joined((struct bytes){NULL, 0}, HEAD, strlen(HEAD));
		char message[96];
		for (unsigned line = 2; line < lines[i]; line++)
			csv = joined(csv, ROW, strlen(ROW));
		csv = joined(csv, "1,2,-3,4,5,6,7,8\n", 17);
		size_t half = csv.len / 2, other = csv.len - half;
		struct bytes frame = packed(csv.data, half, half), rest = packed(csv.data + half, other, other);
		frame = joined(frame, rest.data, rest.len);
		snprintf(message, sizeof(message), "t.zst:%u: negative count '-3' in column 'branch_misses'", lines[i]);
		expect_refused("line", frame, SAHM_FORMAT, message);
		free(frame.data);
		free(rest.data);
		free(csv.data);
	}
}

/* FULL, compressed as CSV (0) or in binary form (1). */
static struct bytes small(int binary)
{
	struct trace *trace = must_read(FULL);
	size_t len;
	uint8_t *image = image_of(trace, &len);
	struct bytes frame = binary ? packed(image, len, len) : packed(FULL, strlen(FULL), UNKNOWN_SIZE);
	free(image);
	trace_free(trace);
	return frame;
}

static void test_cut_short(void **state)
{
	(void)state;
	for (int binary = 0; binary < 2; binary++) {
		struct bytes frame = small(binary);
		struct sahm_err err;
		for (size_t kept = 0; kept < frame.len; kept++) {
			if (!is_refused_stream((struct bytes){frame.data, kept}, &err))
				fail_msg("%zu of %zu bytes are taken for a trace", kept, frame.len);
			if (kept >= 4)
				assert_string_equal(err.msg, "t.zst: compressed data is cut short");
		}
		assert_false(is_refused_stream(frame, &err));
		free(frame.data);
	}
}

/* A trace that is read in spite of a flipped bit is the same trace. */
static void test_every_bit(void **state)
{
	(void)state;
	struct trace *whole = must_read(FULL);
	for (int binary = 0; binary < 2; binary++) {
		struct bytes frame = small(binary);
		for (size_t bit = 0; bit < 8 * frame.len; bit++) {
			struct trace *trace = NULL;
			struct sahm_err err;
			frame.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
			if (!is_refused_stream(frame, &err)) {
				assert_int_equal(open_bytes(frame.data, frame.len, &trace, &err), SAHM_OK);
				assert_memory_equal(trace_hash(trace), trace_hash(whole), HASH_BYTES);
				assert_string_equal(trace_name(trace), trace_name(whole));
			}
			trace_free(trace);
			frame.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		free(frame.data);
	}
	trace_free(whole);
}

static void test_nothing_in_it(void **state)
{
	(void)state;
	struct bytes frame = packed("", 0, 0);
	expect_refused("empty frame", frame, SAHM_FORMAT, "t.zst: empty trace: there is no header row");
	expect_refused("skippable frame", (struct bytes){(uint8_t *)(uintptr_t)SKIPPABLE, SKIPPABLE_BYTES}, SAHM_FORMAT,
		       "t.zst: empty trace: there is no header row");
	free(frame.data);
	frame = joined(small(1), "\n", 1);
	expect_refused("trailing byte", frame, SAHM_FORMAT, "t.zst: compressed data is damaged: other bytes follow it");
	free(frame.data);
}

/* Maximum memory that this process ever had, in bytes. */
static size_t most_memory(void)
{
	struct rusage use;
	assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
	return (size_t)use.ru_maxrss * 1024;
}

#define LITTLE_MEMORY ((size_t)64 << 20)

/* A GB of zeros after something is refused as soon as it cannot be a trace any more. */
static void expect_defused(const char *name, const void *head, size_t len, enum sahm_status status, const char *message)
{
	struct bytes frame = bomb(head, len);
	size_t before = most_memory();
	expect_refused(name, frame, status, message);
	if (most_memory() - before > LITTLE_MEMORY)
		fail_msg("%s takes %zu MB", name, (most_memory() - before) >> 20);
	free(frame.data);
}

static void fix_head(uint8_t *image)
{
	uint64_t nr_blocks = (get_le(image + HEADER_NR_EPOCHS, 8) + BLOCK_EPOCHS - 1) / BLOCK_EPOCHS;
	uint64_t head = HEADER_BYTES + pad8(get_le(image + HEADER_PROVENANCE_BYTES, 4)) + nr_blocks * INDEX_ENTRY_BYTES;
	trace_head_digest(image, head, image + HEADER_DIGEST);
}

static void test_bombs(void **state)
{
	(void)state;
	static const char impossible[] = "t.zst: damaged binary trace: its header holds impossible values";
	static const char head_differs[] = "t.zst: damaged binary trace: header or index differ from their checksum";
	char message[128];
	struct trace *trace = must_read(FULL);
	size_t len;
	uint8_t *image = image_of(trace, &len);
	trace_free(trace);
	expect_defused("in place of all", "", 0, SAHM_FORMAT, "t.zst:1: line is longer than 65535 characters");
	expect_defused("behind a header row", HEAD ROW, strlen(HEAD ROW), SAHM_FORMAT,
		       "t.zst:3: line is longer than 65535 characters");
	snprintf(message, sizeof(message), "t.zst: damaged binary trace: more than the %zu bytes that its header says",
		 len);
	expect_defused("behind an image", image, len, SAHM_FORMAT, message);
	/* Headers that promise more than there is, each more credible than the one before. */
	put_le(image + HEADER_FILE_BYTES, UINT64_C(1) << 60, 8);
	expect_defused("a long file", image, len, SAHM_CHECKSUM, head_differs);
	put_le(image + HEADER_NR_EPOCHS, MAX_TRACE_EPOCHS + 1, 8);
	expect_defused("impossibly many epochs", image, len, SAHM_FORMAT, impossible);
	put_le(image + HEADER_NR_EPOCHS, 1, 8);
	fix_head(image);
	snprintf(message, sizeof(message), "t.zst: damaged binary trace: %zu bytes, its header says %llu",
		 HEADER_BYTES + pad8(get_le(image + HEADER_PROVENANCE_BYTES, 4)) + INDEX_ENTRY_BYTES +
			 NR_COUNTERS * (COLUMN_BYTES + (size_t)8 * BLOCK_EPOCHS) + 1,
		 1ULL << 60);
	expect_defused("a long file, checksummed", image, len, SAHM_FORMAT, message);
	put_le(image + HEADER_PROVENANCE_BYTES, UINT32_MAX, 4);
	expect_defused("a long provenance", image, len, SAHM_FORMAT,
		       "t.zst: damaged binary trace: it ends within its index");
	put_le(image + HEADER_PROVENANCE_BYTES, 8, 4);
	put_le(image + HEADER_NR_EPOCHS, UINT64_C(1) << 31, 8);
	expect_defused("many epochs", image, len, SAHM_CHECKSUM, head_differs);
	free(image);
}

/* Lengths that are wrong by a byte, and versions that are not known, in a stream as in a file. */
static void test_wrong_lengths(void **state)
{
	(void)state;
	struct trace *trace = must_read(FULL);
	size_t len;
	struct sahm_err of_file, of_stream;
	uint8_t *image = image_of(trace, &len);
	trace_free(trace);
	image = joined((struct bytes){image, len}, "\0", 1).data;
	for (int more = -1; more <= 1; more++) {
		size_t kept = (size_t)((long long)len + more);
		struct bytes frame = packed(image, kept, kept);
		assert_int_equal(is_refused_stream(frame, &of_stream), more != 0);
		assert_int_equal(is_refused(image, kept, &of_file), more != 0);
		if (more)
			assert_string_equal(strchr(of_stream.msg, ':'), strchr(of_file.msg, ':'));
		free(frame.data);
	}
	put_le(image + HEADER_VERSION, 2, 4);
	expect_refused("version", (struct bytes){image, len}, SAHM_FORMAT,
		       "t.zst: binary trace of version 2, this program reads version 1");
	free(image);
}

static struct trace *must_import(struct bytes data)
{
	static const struct import_options none;
	FILE *in = stream_of(data.data, data.len);
	struct trace **traces, *trace;
	struct sahm_err err;
	size_t nr;
	if (trace_import_stream(in, "t.zst", &none, NULL, &traces, &nr, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(nr, 1);
	trace = traces[0];
	free(traces);
	fclose(in);
	return trace;
}

/* Tables of other tools, and our own CSV form. */
static void test_importing(void **state)
{
	(void)state;
	static const struct import_options none;
	for (char separator = ','; separator <= ';'; separator += ';' - ',') {
		char text[] = HEAD ROW ROW "7,6,5,4,3,2,1,0\n";
		struct bytes plain = {(uint8_t *)text, strlen(text)};
		struct trace **traces = NULL;
		struct sahm_err err;
		size_t nr;
		for (char *p = text; *p; p++)
			*p = *p == ',' ? separator : *p;
		struct bytes frame = packed(text, plain.len, plain.len);
		struct trace *a = must_import(plain), *b = must_import(frame);
		assert_int_equal(trace_nr_epochs(b), 3);
		assert_memory_equal(trace_hash(a), trace_hash(b), HASH_BYTES);
		assert_string_equal(trace_name(b), "t");
		trace_free(a);
		trace_free(b);
		FILE *in = stream_of(frame.data, frame.len - 1);
		assert_int_equal(trace_import_stream(in, "t.zst", &none, NULL, &traces, &nr, &err), SAHM_FORMAT);
		assert_string_equal(err.msg, "t.zst: compressed data is cut short");
		fclose(in);
		free(frame.data);
	}
}

TEST_FILE(test_trace_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks_are_read_late),
		cmocka_unit_test(test_long_image),
		cmocka_unit_test(test_file_changes),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_standard_input),
		cmocka_unit_test(test_several_frames),
		cmocka_unit_test(test_line_numbers),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_every_bit),
		cmocka_unit_test(test_nothing_in_it),
		cmocka_unit_test(test_bombs),
		cmocka_unit_test(test_wrong_lengths),
		cmocka_unit_test(test_importing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
