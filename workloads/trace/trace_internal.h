/* The binary image of a trace, byte by byte; between the files that write and read it. Prose: FORMAT.md.
 *
 * All numbers are little-endian. After the header come the provenance text, padded to 8 bytes, then the index, one
 * entry a block, then the blocks, each a multiple of 8 bytes. A block holds BLOCK_EPOCHS epochs (the last one what is
 * left), column by column: first a descriptor per column, then per column its values, each `width` bytes above the
 * column's base, padded to 8 bytes.
 */
#ifndef SAHM_WORKLOADS_TRACE_TRACE_INTERNAL_H
#define SAHM_WORKLOADS_TRACE_TRACE_INTERNAL_H

#include "workloads/trace/trace.h"

#define TRACE_MAGIC "\x89SAHM\r\n\x1a"
#define TRACE_MAGIC_BYTES 8u
#define TRACE_VERSION 1u

#define TRACE_FLAG_CYCLES 1u

#define BLOCK_EPOCHS 4096u

/* Offsets in the header. */
enum {
	HEADER_MAGIC = 0,
	HEADER_VERSION = 8,	      /* u32 */
	HEADER_FLAGS = 12,	      /* u32 */
	HEADER_NR_EPOCHS = 16,	      /* u64 */
	HEADER_EPOCH_NS = 24,	      /* u64 */
	HEADER_BLOCK_EPOCHS = 32,     /* u32 */
	HEADER_PROVENANCE_BYTES = 36, /* u32, without padding */
	HEADER_FILE_BYTES = 40,	      /* u64 */
	HEADER_DIGEST = 48,	      /* of the bytes before it, then provenance (padded) and index */
	HEADER_BYTES = HEADER_DIGEST + DIGEST_BYTES,
};

/* Offsets in an index entry. */
enum {
	INDEX_OFFSET = 0, /* u64, of the block in the file */
	INDEX_BYTES = 8,  /* u64, of the block */
	INDEX_DIGEST = 16,
	INDEX_ENTRY_BYTES = INDEX_DIGEST + DIGEST_BYTES,
};

/* Offsets in a column descriptor. */
enum {
	COLUMN_BASE = 0,  /* u64: smallest value */
	COLUMN_WIDTH = 8, /* u8: 0, 1, 2, 4 or 8; seven zero bytes follow */
	COLUMN_BYTES = 16,
};

static inline uint64_t pad8(uint64_t n)
{
	return (n + 7) & ~UINT64_C(7);
}

/* Compilers make one load or store of these where `bytes` is a constant. */
static inline void put_le(uint8_t *p, uint64_t v, unsigned bytes)
{
#pragma GCC unroll 8
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static inline uint64_t get_le(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;
#pragma GCC unroll 8
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

/* Number of columns with these flags: the counters in list order, cycles last and only if flagged. */
static inline unsigned trace_nr_columns(uint32_t flags)
{
	return flags & TRACE_FLAG_CYCLES ? NR_COUNTERS : NR_COUNTERS - 1;
}

/* Smallest width of a column whose values reach `range` above its base. */
static inline unsigned trace_column_width(uint64_t range)
{
	if (range == 0)
		return 0;
	if (range <= UINT8_MAX)
		return 1;
	if (range <= UINT16_MAX)
		return 2;
	return range <= UINT32_MAX ? 4 : 8;
}

/* No provenance is longer as text: a key and its value a line. */
#define MAX_PROVENANCE_TEXT ((NR_PROVENANCE_KEYS + 2 * NR_COUNTERS) * (MAX_PROVENANCE_BYTES + 64))

/* Opens the image in the file `fd` whose first bytes, up to the end of its index, stand in `image`; the other ones are
 * read when they are first used. `image` is mapped memory of `room` bytes, which are all of its `len`, unless its
 * header says another length. It and `fd` are taken over, whatever happens. Fails as trace_open_image() does. */
enum sahm_status trace_open_lazily(const char *file, uint8_t *image, size_t room, size_t len, int fd,
				   struct trace **trace, struct sahm_err *err);

/* The same of a file of `len` bytes, whose head is read. */
enum sahm_status trace_open_file(const char *file, int fd, size_t len, struct trace **trace, struct sahm_err *err);

struct zstd_spare;

/* As trace_open(), with a spare of the thread's, or NULL. */
enum sahm_status trace_open_with(const char *path, struct textbuf *notes, struct zstd_spare *spare,
				 struct trace **trace, struct sahm_err *err);

/* Reads bytes at + 0 to at + nr - 1 of a file to the same place of `image`. False where that cannot be: errno says why,
 * or is 0 where the file ends before. */
bool trace_read_bytes(int fd, uint8_t *image, uint64_t at, uint64_t nr);

/* Takes all blocks for intact: of an image that was built from consistent epochs in this process. */
void trace_trust_blocks(struct trace *trace);

/* Digest that stands in the header of `image`, whose provenance and index end at `end`. */
void trace_head_digest(const uint8_t *image, size_t end, uint8_t digest[DIGEST_BYTES]);

#endif
