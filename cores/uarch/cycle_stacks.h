/* Time-proportional cycle stacks of instructions, for each cycle: which instruction each cycle is charged to, and the
 * signature of that instruction (paper TEA, section 2).
 *
 * Cycles are integers, in units of 1/U of a cycle, U being the least common multiple of 1 to the core's commit width.
 * In each cycle the first of these states that applies says who is charged (docs/pics.md):
 * compute, the uops that commit, in equal parts; stalled, the next uop to commit, which has been dispatched; flushed,
 * the last uop that committed, which caused a flush; drained, the next uop to commit. The sum over all is U times the
 * cycles up to the last commit. "In the ROB" means of an in-order core: dispatched and not committed.
 *
 * Memory grows with the number of static instructions, not with the length of the stream.
 */
#ifndef SAHM_CORES_UARCH_CYCLE_STACKS_H
#define SAHM_CORES_UARCH_CYCLE_STACKS_H

#include <stddef.h>

#include "cores/uarch/stack_signature.h"
#include "cores/uarch/timing.h"

enum commit_state { STATE_COMPUTE, STATE_STALLED, STATE_FLUSHED, STATE_DRAINED, NR_COMMIT_STATES };

/* "compute": constant storage. */
const char *commit_state_name(enum commit_state state);

/* A static instruction. */
struct stack_insn {
	uint64_t pc;
	uint8_t length; /* bytes */
	uint8_t class;	/* enum insn_class: LOAD or STORE only where no uop of another class is part of it */
	bool is_branch; /* of a branch class */
	bool is_target; /* a branch has led to it */
};

/* What is known of an instruction with one signature. */
struct stack_cell {
	uint32_t insn; /* of insns[] */
	uint16_t signature;
	uint64_t cycles;     /* in units */
	uint64_t executions; /* dynamic instructions */
};

/* Stalls of uops without events are counted by length, up to this many cycles. */
#define MAX_BASE_STALL 4096u

struct stacks {
	unsigned units;	 /* U */
	uint64_t cycles; /* up to the last commit, and one more */
	uint64_t instructions;
	uint64_t states[NR_COMMIT_STATES]; /* in units */
	struct stack_insn *insns;	   /* [nr_insns], by pc */
	size_t nr_insns;
	struct stack_cell *cells; /* [nr_cells], by insn, then signature; all that have executions */
	size_t nr_cells;
	/* Uops with signature 0 that were stalled for n cycles, by n; the last entry: for as many or more. [0] is 0. */
	uint64_t base_stalls[MAX_BASE_STALL + 1];
};

/* Units of a core's cycles. */
unsigned stack_units(const struct core_timing *t);

/* When samples are taken: at cycles P - 1, 2P - 1, ...; with jitter the k-th, from 0, at k P + h mod P, where h is a
 * hash of the seed and k. All are `delay` cycles later. */
struct stack_sampling {
	uint64_t period; /* P, cycles, at least 1 */
	uint64_t delay;
	bool has_jitter;
	uint64_t seed;
};

/* The cycle of the k-th sample. */
uint64_t stack_sampling_cycle(const struct stack_sampling *s, uint64_t k);

/* Who looks for a uop: the schemes of one such kind differ only in the events that they record. */
enum sampler_kind { SAMPLER_TEA, SAMPLER_NCI, SAMPLER_DISPATCH, SAMPLER_FETCH, NR_SAMPLER_KINDS };

enum sampler_kind stack_scheme_kind(enum stack_scheme scheme);

/* Samples with one signature, which has all events. */
struct sample_cell {
	uint32_t insn; /* of insns[] of the stacks */
	uint16_t signature;
	uint64_t weight; /* samples; of SAMPLER_TEA in units, U per sample */
};

struct stack_samples {
	struct stack_sampling sampling;
	uint64_t nr_due; /* sample times up to the last commit */
	struct {
		uint64_t taken;
		uint64_t wrong_path;	   /* lost: the tagged uop is on a wrong path */
		uint64_t skipped;	   /* a uop was still tagged */
		uint64_t late;		   /* lost: no uop is dispatched (fetched) any more */
		struct sample_cell *cells; /* [nr_cells], by insn, then signature */
		size_t nr_cells;
	} of[NR_SAMPLER_KINDS];
};

struct stack_pass;

/* With samplings[nr], which may be none: all sample the same run. `t` is copied. NULL when memory is short. */
struct stack_pass *stack_pass_new(const struct core_timing *t, const struct stack_sampling *samplings, unsigned nr);
void stack_pass_free(struct stack_pass *p);

/* Where the timing model leaves the signature bits of each uop (timing_take_signatures()), [BATCH_UOPS]. The pass gives
 * each uop that of its whole instruction. */
uint16_t *stack_pass_signatures(struct stack_pass *p);

/* Takes the uops of a batch, whose signatures are there. False when memory is short; that never gets better. */
bool stack_pass_run(struct stack_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps);

/* No uop follows. False when memory was short. */
bool stack_pass_end(struct stack_pass *p);

/* After stack_pass_end(), valid until `p` is freed: the stacks, and the samples of samplings[i]. */
const struct stacks *stack_pass_stacks(const struct stack_pass *p);
const struct stack_samples *stack_pass_samples(const struct stack_pass *p, unsigned i);

#endif
