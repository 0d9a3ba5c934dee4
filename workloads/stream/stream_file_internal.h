/* A stream's file, as who reads it finds it: header, epochs, chunks. */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_FILE_INTERNAL_H
#define SAHM_WORKLOADS_STREAM_STREAM_FILE_INTERNAL_H

#include "workloads/stream/stream_internal.h"

struct stream_file {
	int fd;
	char *path;
	uint64_t bytes;
	uint8_t *header;  /* followed by the program, and a NUL */
	uint64_t content; /* where chunks end */
	unsigned version;
	struct stream_index index;
	uint64_t nr_instructions;
	bool complete; /* has an index */
};

/* A chunk's header, taken apart. */
struct stream_chunk {
	uint64_t epoch, successor, omitted, body_bytes;
	uint32_t flags, instructions, entries;
	uint32_t raw[NR_STREAM_PARTS], stored[NR_STREAM_PARTS];
	uint8_t body_digest[DIGEST_BYTES], digest[DIGEST_BYTES];
};

/* Opens `path`, checks header and index; where there is none, all chunks are checked for whole epochs. On failure there
 * is nothing to release. SAHM_IO, SAHM_FORMAT, SAHM_CHECKSUM, SAHM_NOMEM. */
enum sahm_status stream_file_open(const char *path, int flags, struct stream_file *f, struct sahm_err *err);
void stream_file_release(struct stream_file *f);

/* Reads and checks the header of the chunk at `offset`, which begins before `end` and has to end there or before. */
enum sahm_status stream_file_chunk(const struct stream_file *f, uint64_t offset, uint64_t end,
				   struct stream_chunk *chunk, struct sahm_err *err);

/* Reads and checks its body into *body (malloc'ed, of *room bytes, grown as it needs). */
enum sahm_status stream_file_body(const struct stream_file *f, uint64_t offset, const struct stream_chunk *chunk,
				  uint8_t **body, size_t *room, struct sahm_err *err);

#endif
