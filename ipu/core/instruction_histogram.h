/* How often each instruction was executed, and each pair of neighbours within straight-line code. */
#ifndef SAHM_IPU_CORE_INSTRUCTION_HISTOGRAM_H
#define SAHM_IPU_CORE_INSTRUCTION_HISTOGRAM_H

#include <stdint.h>

#include "ipu/core/hart.h"
#include "sim/base/textbuf.h"

struct instruction_histogram {
	/* By enum instruction_id; after them, instructions that retired where memory no longer holds one. */
	uint64_t nr[NR_INSTRUCTIONS + 1];
	uint64_t nr_pairs[NR_INSTRUCTIONS][NR_INSTRUCTIONS]; /* [first][second], the second executed right after it */
	uint8_t last;	  /* instruction_id of the last one, INSTRUCTION_ILLEGAL when no pair can begin with it */
	uint32_t next_pc; /* the slot after the last one */
};

void histogram_init(struct instruction_histogram *g);

/* Runs as hart_run() does, and counts every instruction that retires, by the word that memory holds; where code was
 * changed without fence.i this is not the one that was decoded. A pair is two instructions that were executed one after
 * the other and stand so in memory, the first of which does not end a block (OP_ENDS_BLOCK). */
enum hart_cause histogram_run(struct instruction_histogram *g, struct hart *h, uint64_t budget);

/* Appends a table: instructions by falling count, those of one count in the order of the list, then the `nr_pairs` most
 * frequent pairs; both with their share of all instructions. */
void histogram_write(const struct instruction_histogram *g, unsigned nr_pairs, struct textbuf *out);

#endif
