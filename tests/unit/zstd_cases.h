/* Compressed data for tests: frames as the writer makes them, and frames made by hand. Failures end the test. */
#ifndef SAHM_TESTS_UNIT_ZSTD_CASES_H
#define SAHM_TESTS_UNIT_ZSTD_CASES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/zstd_stream.h"
#include "tests/unit/test.h"

#define FRAME_MAGIC "\x28\xb5\x2f\xfd"
/* A skippable frame of three bytes. */
#define SKIPPABLE "\x5a\x2a\x4d\x18\x03\x00\x00\x00(-;"
#define SKIPPABLE_BYTES 11u

struct bytes {
	uint8_t *data;
	size_t len;
};

/* One frame with the `len` bytes at `data`, malloc'ed. */
static inline struct bytes packed(const void *data, size_t len, uint64_t size)
{
	char *frame = NULL;
	size_t frame_len = 0;
	struct sahm_err err;
	FILE *out = open_memstream(&frame, &frame_len);
	assert_non_null(out);
	struct zstd_writer *w = zstd_writer_new(out, size);
	assert_non_null(w);
	fwrite(data, 1, len, zstd_writer_stream(w));
	assert_int_equal(zstd_writer_free(w, "packed", SAHM_OK, &err), SAHM_OK);
	assert_int_equal(fclose(out), 0);
	return (struct bytes){(uint8_t *)frame, frame_len};
}

/* `a` and, after it, `len` bytes; `a` is gone. */
static inline struct bytes joined(struct bytes a, const void *data, size_t len)
{
	a.data = realloc(a.data, a.len + len + 1);
	assert_non_null(a.data);
	memcpy(a.data + a.len, data, len);
	a.len += len;
	return a;
}

#define BLOCK_RAW 0u
#define BLOCK_REPEATED 1u
#define LARGEST_BLOCK (128u * 1024)

static inline struct bytes with_block(struct bytes frame, unsigned type, unsigned size, bool is_last, const void *data)
{
	unsigned head = size << 3 | type << 1 | is_last;
	const uint8_t bytes[] = {(uint8_t)head, (uint8_t)(head >> 8), (uint8_t)(head >> 16)};
	frame = joined(frame, bytes, sizeof(bytes));
	return joined(frame, data, type == BLOCK_REPEATED ? 1 : size);
}

/* A bomb: a frame of `len` bytes at `head`, LARGEST_BLOCK at most, and 1 GB of zeros; malloc'ed. */
static inline struct bytes bomb(const void *head, size_t len)
{
	/* No checksum, no size; a window of LARGEST_BLOCK. */
	struct bytes frame = joined((struct bytes){NULL, 0}, FRAME_MAGIC "\x00\x38", 6);
	frame = with_block(frame, BLOCK_RAW, (unsigned)len, false, head);
	const unsigned nr = (1u << 30) / LARGEST_BLOCK;
	for (unsigned i = 0; i < nr; i++)
		frame = with_block(frame, BLOCK_REPEATED, LARGEST_BLOCK, i + 1 == nr, "");
	return frame;
}

static inline FILE *stream_of(const void *data, size_t len)
{
	FILE *in = fmemopen((void *)(uintptr_t)data, len, "r");
	assert_non_null(in);
	return in;
}

#endif
