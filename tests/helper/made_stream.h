/* Programs that were never run: blocks that follow one another by chance, accesses with and without a pattern, and what
 * a reader of their stream must find, kept as plain arrays. */
#ifndef SAHM_TESTS_HELPER_MADE_STREAM_H
#define SAHM_TESTS_HELPER_MADE_STREAM_H

#include "workloads/stream/stream.h"

/* One instruction executed. */
struct made_executed {
	struct insn instruction;
	struct access accesses[MAX_ACCESSES];
	unsigned nr_accesses;
	bool taken;
	uint64_t next_pc;
};

struct made_stream {
	struct made_executed *executed;
	size_t nr, room;
	uint64_t *epochs; /* how many instructions were before each */
	size_t nr_epochs;
};

struct made_options {
	uint64_t seed;
	unsigned nr_blocks, max_instructions; /* of a block */
	unsigned nr_epochs, entries;	      /* executions of blocks in an epoch */
	unsigned wild_pct;		      /* accesses without a pattern */
	unsigned odd_pct;		      /* executions whose accesses are others than usual */
	unsigned max_accesses;		      /* of an instruction */
	bool omit_record;		      /* do not keep what was executed, for long ones */
};

/* Writes one with `w`, which stays open; what must be read of it: *out, for made_stream_release(). */
void made_stream_write(struct stream_writer *w, const struct made_options *o, struct made_stream *out);
void made_stream_release(struct made_stream *m);

/* An instruction without registers. */
struct insn made_instruction(uint64_t pc, unsigned length, enum insn_class kind, uint64_t target);

#endif
