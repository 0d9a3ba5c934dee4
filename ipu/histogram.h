/* How often each instruction was executed, and each pair of neighbours within straight-line code. */
#ifndef SAHM_IPU_HISTOGRAM_H
#define SAHM_IPU_HISTOGRAM_H

#include <stdint.h>

#include "ipu/hart.h"
#include "sim/base/textbuf.h"

struct histogram {
	uint64_t nr[NR_INSTRUCTIONS];			     /* by enum instruction_id */
	uint64_t nr_pairs[NR_INSTRUCTIONS][NR_INSTRUCTIONS]; /* [first][second], the second executed right behind it */
	uint8_t last; /* instruction_id of the last one, or INSTRUCTION_ILLEGAL */
};

void histogram_init(struct histogram *g);

/* Runs as hart_run() does, and counts every instruction that retires. */
enum hart_cause histogram_run(struct histogram *g, struct hart *h, uint64_t budget);

/* Appends a table: instructions by falling count, with shares, then the `nr_pairs` most frequent pairs. */
void histogram_write(const struct histogram *g, unsigned nr_pairs, struct textbuf *out);

#endif
