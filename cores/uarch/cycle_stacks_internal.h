/* What cycle stacks and their samplers share. */
#ifndef SAHM_CORES_UARCH_CYCLE_STACKS_INTERNAL_H
#define SAHM_CORES_UARCH_CYCLE_STACKS_INTERNAL_H

#include "cores/uarch/cycle_stacks.h"

struct static_insn;

/* An instruction with a signature. */
struct cell {
	uint64_t cycles, executions;
	struct static_insn *insn;
	struct cell *next; /* of the same instruction */
	uint32_t number;   /* among all cells, from 0 */
	uint16_t signature;
};

struct static_insn {
	uint64_t pc;
	struct static_insn *follower; /* the instruction that came after it last; NULL: none has */
	struct cell *recent;	      /* the last cell that was found, or NULL */
	struct cell *cells;	      /* all, the newest first */
	struct stack_insn facts;
	uint32_t number; /* in the order of pc, at the end */
};

/* Cycles before the next uop: those up to the last commit. */
struct commit_edge {
	uint64_t next;		       /* the cycle after the last commit; 0: no uop came */
	struct cell *group[MAX_WIDTH]; /* [nr]: uops that commit in the last cycle so far, in order */
	unsigned nr;
	struct cell *last;   /* of the uop before; NULL: there is none */
	bool is_instruction; /* the next uop begins an instruction */
};

/* A batch for samplers: the cell of each of its uops. */
struct stack_batch {
	const struct uop_batch *uops;
	const struct uop_stamps *stamps;
	struct cell *const *cells;
	const uint32_t *flushing; /* [nr_flushing]: mispredicted branches among them */
	uint32_t nr_flushing;
	struct commit_edge before;
	uint64_t shadow; /* the cycle after the largest X of mispredicted branches before; 0: none */
};

/* The next sample time of a sampler. */
struct sample_clock {
	uint64_t k, cycle;
};

struct stack_sampler {
	struct stack_samples out; /* cells are made at the end */
	struct sample_clock clocks[NR_SAMPLER_KINDS];
	uint64_t busy_until[NR_SAMPLER_KINDS]; /* a tagged uop commits; of DISPATCH and FETCH */
	bool is_busy[NR_SAMPLER_KINDS];
	unsigned units;
	uint64_t *weights[NR_SAMPLER_KINDS]; /* [room], by number of cell */
	uint32_t room;
};

void stack_sampler_init(struct stack_sampler *s, const struct stack_sampling *sampling, unsigned units);
void stack_sampler_release(struct stack_sampler *s);

/* Takes the samples whose uops are known with the batch. There are `nr_cells` cells. False when memory is short. */
bool stack_sampler_run(struct stack_sampler *s, const struct stack_batch *b, uint32_t nr_cells);

/* Takes the samples of the last cycle, counts those that come too late, and makes the cells of the samples: cells[i] is
 * that of number i. False when memory is short. */
bool stack_sampler_end(struct stack_sampler *s, const struct commit_edge *edge, struct cell *const *cells,
		       uint32_t nr_cells);

#endif
