#include "workloads/stream/stream_slice.h"

#include <stdlib.h>
#include <unistd.h>

#include "workloads/stream/stream_internal.h"

/* Accesses that are kept until their block is whole. */
#define MAX_BLOCK_ACCESSES (MAX_BLOCK_INSTRUCTIONS * MAX_ACCESSES)

struct slicer {
	struct stream_writer *w;
	/* The block: a straight run of code, as far as it has been read. */
	unsigned nr, nr_accesses;
	struct insn instructions[MAX_BLOCK_INSTRUCTIONS];
	unsigned instruction_of[MAX_BLOCK_ACCESSES];
	struct access accesses[MAX_BLOCK_ACCESSES];
};

static void write_block(struct slicer *b)
{
	if (b->nr == 0)
		return;
	stream_writer_enter(b->w, stream_writer_block(b->w, b->instructions, b->nr));
	for (unsigned i = 0; i < b->nr_accesses; i++)
		stream_writer_access(b->w, b->instruction_of[i], b->accesses[i].address, b->accesses[i].bytes,
				     b->accesses[i].is_store);
	b->nr = b->nr_accesses = 0;
}

static void add_instruction(struct slicer *b, const struct executed *e)
{
	const struct insn *in = e->instruction;
	for (unsigned i = 0; i < e->nr_accesses; i++) {
		b->instruction_of[b->nr_accesses] = b->nr;
		b->accesses[b->nr_accesses++] = e->accesses[i];
	}
	b->instructions[b->nr++] = *in;
	bool goes_on = e->next_pc == in->pc + in->length && !insn_is_branch((enum insn_class)in->class);
	if (!goes_on || b->nr == MAX_BLOCK_INSTRUCTIONS)
		write_block(b);
}

static enum sahm_status copy(struct stream *s, uint64_t from, uint64_t to, struct slicer *b, struct sahm_err *err)
{
	struct executed e = {.next_pc = 0};
	enum sahm_status status = stream_seek(s, from, err);
	for (uint64_t epoch = from; epoch < to && status == SAHM_OK; epoch++) {
		bool more = true;
		for (uint64_t left = stream_epoch_instructions(s, epoch); left > 0 && more && status == SAHM_OK;
		     left--) {
			status = stream_next(s, &e, &more, err);
			if (status == SAHM_OK && more)
				add_instruction(b, &e);
		}
		write_block(b);
		stream_writer_end_epoch(b->w);
	}
	stream_writer_succeed(b->w, e.next_pc);
	return status;
}

/* Removes what a failed copy has written. */
static void discard(const char *path)
{
	struct sahm_err err;
	char *whole, *part;
	if (stream_names(path, &whole, &part, &err) != SAHM_OK)
		return;
	unlink(part);
	free(whole);
	free(part);
}

enum sahm_status stream_slice(struct stream *s, uint64_t from, uint64_t to, const char *path, struct sahm_err *err)
{
	struct slicer *b = malloc(sizeof(*b));
	if (!b)
		return sahm_fail_nomem(err);
	b->nr = b->nr_accesses = 0;
	b->w = stream_writer_new(path, stream_machine(s), stream_program(s), err);
	enum sahm_status status = b->w ? copy(s, from, to, b, err) : err->status;
	if (status == SAHM_OK)
		status = stream_writer_finish(b->w, err);
	else if (b->w)
		stream_writer_abandon(b->w);
	if (status != SAHM_OK)
		discard(path);
	free(b);
	return status;
}
