/* The state of who reads a stream: stream.c (epochs, what was executed) and stream_decode.c (chunks, blocks, accesses).
 */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_READER_INTERNAL_H
#define SAHM_WORKLOADS_STREAM_STREAM_READER_INTERNAL_H

#include <zstd.h>

#include "sim/base/arena.h"
#include "workloads/stream/stream_file_internal.h"

/* What is left of a part. */
struct rest {
	const uint8_t *at, *end;
};

/* Symbols that are not as expected, and how many before the next are. */
struct symbols {
	uint64_t left;
	unsigned symbol; /* after them; 0: not read yet */
};

struct stream {
	struct stream_file file;
	struct stream_model model;
	struct arena arena; /* blocks of the model */

	/* the epoch */
	uint64_t epoch, offset; /* of its next chunk */
	uint64_t instructions;	/* of its chunks so far */
	uint64_t warm;		/* of these, those that only warm */
	uint64_t successor;
	struct hash hash;
	bool started, ended; /* the epoch; the stream */

	/* the chunk */
	bool is_last;
	uint32_t entries, chunk_instructions; /* left */
	struct rest parts[NR_STREAM_PARTS];
	struct symbols sequence, shapes, hits;
	ZSTD_DCtx *decompressor;
	uint8_t *body, *raw;
	size_t body_room, raw_room;

	/* the current block, and the one after it (NULL: none) */
	const struct stream_block *current;
	struct stream_block *following;
	struct stream_block kept; /* the current one, when its model has been reset */
	unsigned at;
	struct access *accesses;
	uint32_t access_at, accesses_room;
	struct stream_shape *shape;
	uint32_t shape_room;
};

/* Frees the blocks of the model, but for the current one, of which a copy is kept, and resets it. */
enum sahm_status stream_forget_blocks(struct stream *s, struct sahm_err *err);

/* Which block follows, at the latest now that the current one is known to the end: s->following, NULL after the last
 * one of the epoch. */
enum sahm_status stream_look_ahead(struct stream *s, struct sahm_err *err);

/* The accesses of `b`, which is executed: s->accesses. */
enum sahm_status stream_read_accesses(struct stream *s, struct stream_block *b, struct sahm_err *err);

/* The next block becomes the current one; s->ended: there is none. */
enum sahm_status stream_enter(struct stream *s, struct sahm_err *err);

static inline bool stream_is_taken(const struct insn *in, uint64_t next_pc)
{
	if (in->class == INSN_BRANCH)
		return next_pc != 0 && next_pc != in->pc + in->length;
	return insn_is_branch((enum insn_class)in->class);
}

/* stream_next(), inline for those that read whole streams. */
static inline enum sahm_status stream_step(struct stream *s, struct executed *out, bool *more, struct sahm_err *err)
{
	if (__builtin_expect(!s->current || s->at == s->current->nr, 0)) {
		enum sahm_status status = stream_enter(s, err);
		*more = status == SAHM_OK && !s->ended;
		if (!*more)
			return status;
	}
	const struct stream_block *b = s->current;
	const struct insn *in = &b->instructions[s->at];
	uint32_t first = s->access_at, at = first;
	while (at < b->nr_slots && b->slots[at].instruction == s->at)
		at++;
	s->access_at = at;
	out->instruction = in;
	out->nr_accesses = at - first;
	out->accesses = at > first ? &s->accesses[first] : NULL;
	s->at++;
	if (s->at < b->nr)
		out->next_pc = in[1].pc;
	else
		out->next_pc = s->following ? s->following->instructions[0].pc : s->successor;
	out->taken = stream_is_taken(in, out->next_pc);
	*more = true;
	return SAHM_OK;
}

#endif
