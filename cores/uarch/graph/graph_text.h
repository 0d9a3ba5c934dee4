/* Calipers' text traces.
 *
 * An instruction is a line `@I PC DISASSEMBLY [@A ADDRESS]`, in hexadecimal, followed by the lines that the
 * configuration takes from the trace: `@F TICKS` (fetch), `@B 0` (mispredicted) or `@B 1`, and after an access to
 * memory `@M TICKS`. GRAPH_TICKS ticks are a cycle. As in the released program, a line @F, @B or @M that nothing asks
 * for is ignored, and a missing @M counts as 1 cycle; both are counted in the notes.
 */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_TEXT_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_TEXT_H

#include <stdio.h>

#include "cores/uarch/graph/graph_config.h"
#include "cores/uarch/graph/graph_insn.h"

struct graph_text;

#define GRAPH_NOTE_WORD_BYTES 24u

/* Lines that a reader accepts although they may not be meant: how many, and the first one. */
struct graph_text_note {
	uint64_t nr, line;
	char word[GRAPH_NOTE_WORD_BYTES]; /* an operand in it, cut; "" of other notes */
};

struct graph_text_notes {
	struct graph_text_note ignored;	    /* lines @F, @B, @M that nothing asks for */
	struct graph_text_note no_cycles;   /* accesses without a line @M */
	struct graph_text_note not_branch;  /* mispredictions of instructions that are no branches */
	struct graph_text_note no_register; /* operands that are not names of registers */
	/* Registers at the end of a line that ends in CR LF. The released program takes the CR for a part of their
	 * name, which it does not know, and so does this reader. */
	struct graph_text_note carriage_return;
};

/* Begins to read `stream`, which stays the caller's and is called `file` in messages; `c` says which lines are
 * expected. SAHM_NOMEM. */
enum sahm_status graph_text_open(FILE *stream, const char *file, const struct graph_config *c, struct graph_text **t,
				 struct sahm_err *err);
void graph_text_close(struct graph_text *t);

/* The next instruction; *more is false after the last one. SAHM_FORMAT (the message has file, line and offset),
 * SAHM_IO. */
enum sahm_status graph_text_next(struct graph_text *t, struct graph_insn *out, bool *more, struct sahm_err *err);

const struct graph_text_notes *graph_text_notes(const struct graph_text *t);

#endif
