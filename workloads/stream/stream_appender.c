#include "workloads/stream/stream_appender.h"

#include <stdlib.h>

/* Accesses that are kept until their block is whole. */
#define MAX_BLOCK_ACCESSES (MAX_BLOCK_INSTRUCTIONS * MAX_ACCESSES)

struct stream_appender {
	struct stream_writer *w;
	/* The run, as far as it has been added. */
	unsigned nr, nr_accesses;
	struct insn instructions[MAX_BLOCK_INSTRUCTIONS];
	unsigned instruction_of[MAX_BLOCK_ACCESSES];
	struct access accesses[MAX_BLOCK_ACCESSES];
};

struct stream_appender *stream_appender_new(struct stream_writer *w)
{
	struct stream_appender *a = malloc(sizeof(*a));
	if (!a)
		return NULL;
	a->w = w;
	a->nr = a->nr_accesses = 0;
	return a;
}

void stream_appender_free(struct stream_appender *a)
{
	free(a);
}

void stream_appender_flush(struct stream_appender *a)
{
	if (a->nr == 0)
		return;
	stream_writer_enter(a->w, stream_writer_block(a->w, a->instructions, a->nr));
	for (unsigned i = 0; i < a->nr_accesses; i++)
		stream_writer_access(a->w, a->instruction_of[i], a->accesses[i].address, a->accesses[i].bytes,
				     a->accesses[i].is_store);
	a->nr = a->nr_accesses = 0;
}

void stream_appender_add(struct stream_appender *a, const struct executed *e)
{
	const struct insn *in = e->instruction;
	for (unsigned i = 0; i < e->nr_accesses; i++) {
		a->instruction_of[a->nr_accesses] = a->nr;
		a->accesses[a->nr_accesses++] = e->accesses[i];
	}
	a->instructions[a->nr++] = *in;
	bool goes_on = e->next_pc == in->pc + in->length && !insn_is_branch((enum insn_class)in->class);
	if (!goes_on || a->nr == MAX_BLOCK_INSTRUCTIONS)
		stream_appender_flush(a);
}
