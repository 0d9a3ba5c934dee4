/* Cycle stacks and their samplers, a second time: docs/pics.md, slow and obvious.
 *
 * Derives the signature of each uop again from its stamps (refobserved.h), goes through all cycles one by one, and
 * looks in each for whom it is charged to.
 *
 * Readings, where the rules leave a question open:
 * - Ideal parts of a core change the program: a branch that IDEAL_BRANCH makes predicted is no FL-MB and has no wrong
 *   path, and an access that IDEAL_L1D makes hit is neither ST-L1 nor ST-LLC.
 * - A load that forwards misses nothing, but can miss the TLB.
 * - A store with a destination is a conditional store (RV64's SC), thus an atomic: it has ST-L1 where its level is past
 *   L1D. ST-LLC is of loads only.
 * - DR-SQ, in-order: the other bounds are those of D, not of I.
 * - A sample that is both skipped and lost is skipped; one that is past the last D (F) is late on a wrong path, too.
 */
#ifndef SAHM_TESTS_REFERENCE_REFSTACKS_H
#define SAHM_TESTS_REFERENCE_REFSTACKS_H

#include "cores/uarch/cycle_stacks.h"

/* An instruction with a signature. */
struct refstacks_cell {
	uint64_t pc, cycles, executions; /* cycles: in units */
	uint16_t signature;
};

/* A cycle is charged to uops[nr] from `first` on, in equal parts. */
struct refstacks_cycle {
	enum commit_state state;
	unsigned nr;
	size_t first;
};

struct refstacks {
	size_t nr; /* uops */
	const struct uop_stamps *stamps;
	const struct uop *uops;
	unsigned units;
	uint16_t *signatures;	      /* [nr]: of the instruction */
	struct refstacks_cell *cells; /* [nr_cells], by pc, then signature */
	size_t *cell;		      /* [nr]: of each uop */
	size_t nr_cells, nr_instructions;
	struct refstacks_cycle *cycles; /* [nr_cycles] */
	uint64_t nr_cycles;
	uint64_t *stalled;	      /* [nr]: cycles in which uop i was stalled */
	bool *no_dispatch, *no_fetch; /* [nr_cycles]: the next uop to be dispatched or fetched is on a wrong path */
	uint64_t states[NR_COMMIT_STATES];
};

enum refsample_fate { REFSAMPLE_TAKEN, REFSAMPLE_WRONG_PATH, REFSAMPLE_SKIPPED, REFSAMPLE_LATE, NR_REFSAMPLE_FATES };

struct refsample {
	uint64_t cycle; /* TEA has the uops of cycles[cycle] */
	size_t next;	/* NCI's uop */
	struct {
		enum refsample_fate fate;
		size_t uop; /* if it is taken */
	} dispatch, fetch;
};

struct refobserved;

/* The signature bits of uop i's own events. */
unsigned refstacks_events(const struct refobserved *o, size_t i);

/* Of uops[nr], whole instructions, with all their prefetches and stamps; uops and stamps are kept. NULL when memory is
 * short. */
struct refstacks *refstacks_new(const struct core_timing *t, const struct uop *uops, size_t nr,
				const struct uop_prefetch *prefetches, const struct uop_stamps *stamps);
void refstacks_free(struct refstacks *s);

/* The samples up to the last cycle: *nr of them, to be freed. NULL when memory is short. */
struct refsample *refstacks_sample(const struct refstacks *s, const struct stack_sampling *sampling, size_t *nr);

#endif
