/* The state of who writes a stream, shared by the files that do: stream_writer.c, and stream_blocks.c (blocks as they
 * are announced). */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_WRITER_INTERNAL_H
#define SAHM_WORKLOADS_STREAM_STREAM_WRITER_INTERNAL_H

#include <zstd.h>

#include "workloads/stream/stream_internal.h"

struct part {
	uint8_t *bytes;
	size_t len, room;
};

struct written_block {
	struct stream_block block;
	struct insn *instructions;
	uint64_t stamp;	     /* the model that it has an id in */
	uint32_t next_equal; /* the next block with the same place in the table, or NO_BLOCK */
};

struct pending {
	uint64_t address;
	uint32_t bytes;
	uint16_t instruction;
	bool is_store;
};

struct stream_writer {
	char *path, *part_path;
	uint8_t *header;
	enum sahm_status status;
	struct sahm_err err;

	struct written_block **blocks;
	uint32_t nr_blocks, blocks_room;
	uint32_t *table; /* by content, for blocks that are announced again */
	uint32_t table_mask;

	struct stream_model model;
	uint64_t stamp; /* of the model, grows when it is reset */
	struct written_block *current;
	struct pending *pending; /* accesses of the current block */
	uint32_t nr_pending, pending_room, first_of_instruction;
	uint32_t last_of_kind[2];

	/* the chunk */
	struct part parts[NR_STREAM_PARTS];
	uint64_t sequence_run, shape_run, hit_run;
	uint32_t instructions, entries;
	int64_t allowance; /* bytes that can be added before their sum has to be looked at */
	uint64_t omitted;
	bool fresh, ends, warms;
	ZSTD_CCtx *compressor;
	uint8_t *body;
	size_t body_room;

	/* the file */
	uint64_t offset, epochs_room;
	struct stream_index index;
	uint64_t epoch_omitted;	   /* of the present epoch's chunks before this one */
	struct stream_epoch epoch; /* the present one */
	struct hash epoch_hash;
};

void stream_fail_nomem(struct stream_writer *w);

#endif
