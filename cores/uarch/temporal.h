/* Temporal analysis of signals (paper 000, section V-B): which slots two classes could both claim, and how long
 * recoveries take.
 *
 * A slot is in doubt between Frontend and BadSpec if it is a fetch bubble in a cycle that has, at most `padding` cycles
 * before or after it, both a line of instructions on its way and the core recovering. Together they bound the error
 * that the order of the two classes can make. A recovery is a run of recovering; one that begins where another ends
 * counts as its own: a flush begins a new one.
 */
#ifndef SAHM_CORES_UARCH_TEMPORAL_H
#define SAHM_CORES_UARCH_TEMPORAL_H

#include "cores/uarch/core_signals.h"

#define TEMPORAL_PADDING 50u /* cycles, the paper's */
#define MAX_TEMPORAL_PADDING 1000000u

struct temporal;

/* `padding` is at most MAX_TEMPORAL_PADDING. NULL when memory is short. */
struct temporal *temporal_new(unsigned padding);
void temporal_free(struct temporal *t);

/* The runs of a core in their order, from cycle 0. Memory depends on the padding, not on how many there are. */
void temporal_take(struct temporal *t, const struct signal_run *run);

struct temporal_counts {
	uint64_t cycles;
	uint64_t doubtful; /* slots */
	uint64_t recoveries;
	const uint64_t *of_length; /* [nr_lengths]: recoveries, by their cycles; the temporal's */
	size_t nr_lengths;	   /* the longest, plus one; 0: there is none */
};

/* No run follows. False when memory was short. */
bool temporal_end(struct temporal *t, struct temporal_counts *out);

#endif
