/* Streams that are compressed by zstd: the one place that knows the library.
 *
 * A reader stands between a stream and who reads it. Data that begin like a zstd frame (a skippable one too) are
 * decompressed on the way: all frames, one after another, in memory that does not depend on the size of the output;
 * bytes that are no frame may not follow them. Everything else passes as it is. A fault of the compressed data
 * ends the stream as a read error does; the error is reported when the reader is freed. So does a file that became
 * shorter since the reader began.
 *
 * A writer stands between who writes and a stream, which gets one frame. The library's version decides which bytes
 * those are; what they decompress to does not depend on it.
 */
#ifndef SAHM_SIM_BASE_ZSTD_STREAM_H
#define SAHM_SIM_BASE_ZSTD_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/base/err.h"

/* How the names of compressed files end. */
#define COMPRESSED_SUFFIX ".zst"

/* Largest window (the stretch of decompressed bytes that is kept to copy from) that a reader grants, as a power of two:
 * what zstd itself grants unless told otherwise. */
#define MAX_WINDOW_LOG 27

/* How hard a writer tries. Level 19 takes 0.5 s and more for each MB, which is too long for what is much. */
#define COMPRESSION_LEVEL 19
#define FAST_COMPRESSION_LEVEL 3

/* More bytes than this are compressed at FAST_COMPRESSION_LEVEL. */
#define MAX_SLOW_BYTES ((uint64_t)16 << 20)

/* A frame of at most this many bytes, which it states, is decompressed at once. */
#define MAX_WHOLE_BYTES ((uint64_t)1 << 20)

struct zstd_reader;

/* What a thread that reads one stream after another keeps for the next: a new one takes as long as 15 KB. Zeros at
 * first. */
struct zstd_spare {
	struct ZSTD_DCtx_s *context;
};

void zstd_spare_release(struct zstd_spare *spare);

/* Begins to read `in`, which may be a pipe and stays the caller's; `file` stands in messages and must outlive the
 * reader. NULL when memory is short. */
struct zstd_reader *zstd_reader_new(FILE *in, const char *file);

/* The same with `spare`, which outlives the reader. */
struct zstd_reader *zstd_reader_new_with(FILE *in, const char *file, struct zstd_spare *spare);

/* The stream to read instead of `in`; the reader's. It cannot be seeked in. */
FILE *zstd_reader_stream(const struct zstd_reader *r);

/* Where what was compressed is MAX_WHOLE_BYTES at most and already here: all of it, *len bytes. NULL: read the stream.
 */
const uint8_t *zstd_reader_whole(const struct zstd_reader *r, size_t *len);

/* The same in malloc'ed memory, which becomes the caller's, who has read and will read nothing of the stream. */
uint8_t *zstd_reader_take_whole(struct zstd_reader *r);

/* Ends reading, of which `status` (with *err) is what came of it, and frees `r`. Returns `status`, unless that is a
 * failure and the compressed data have a fault, which then explains it: SAHM_FORMAT when they are damaged, cut short or
 * beyond MAX_WINDOW_LOG, SAHM_CHECKSUM when they differ from their checksum, SAHM_IO when `in` cannot be read,
 * SAHM_NOMEM. */
enum sahm_status zstd_reader_free(struct zstd_reader *r, enum sahm_status status, struct sahm_err *err);

/* The size for a writer that does not know how much will be written. It then takes COMPRESSION_LEVEL, and memory as
 * for the longest of inputs, some 86 MB: who can count first had better. */
#define UNKNOWN_SIZE UINT64_MAX

/* The same where it will be much: FAST_COMPRESSION_LEVEL, and a few MB. */
#define UNKNOWN_LARGE_SIZE (UINT64_MAX - 1)

struct zstd_writer;

/* Begins a frame, with a checksum, on `out`, which stays the caller's. Exactly `size` bytes will be written, unless
 * that is UNKNOWN_SIZE or UNKNOWN_LARGE_SIZE; the frame then says so, and level and memory go by it. NULL when memory
 * is short. */
struct zstd_writer *zstd_writer_new(FILE *out, uint64_t size);

/* The stream to write instead of `out`; the writer's. */
FILE *zstd_writer_stream(const struct zstd_writer *w);

/* Completes the frame, if `status` is SAHM_OK, and frees `w`; flushing `out` is the caller's. Returns `status`, or
 * SAHM_IO when something could not be compressed or written; `file` stands in the message. */
enum sahm_status zstd_writer_free(struct zstd_writer *w, const char *file, enum sahm_status status,
				  struct sahm_err *err);

#endif
