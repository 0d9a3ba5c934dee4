/* How far sampled cycle stacks are from the exact ones (paper TEA, section 4), and what error chance would give; also
 * the correlation of events and cycles (section 5.3).
 *
 * Stacks are compared by units of a granularity: the caller says for each static instruction which unit it is part of.
 */
#ifndef SAHM_CORES_UARCH_STACK_ERROR_H
#define SAHM_CORES_UARCH_STACK_ERROR_H

#include "cores/uarch/cycle_stacks.h"

/* Cycles or samples of an instruction with a signature. */
struct stack_weight {
	uint32_t insn;
	uint16_t signature;
	uint64_t weight;
};

struct stack_profile {
	struct stack_weight *weights; /* [nr], by insn, then signature */
	size_t nr;
	uint64_t total;
};

/* Copies: the exact stacks, and the samples of a scheme, in units. Release both. False when memory is short. */
bool stack_profile_of_stacks(const struct stacks *s, struct stack_profile *out);
bool stack_profile_of_samples(const struct stack_samples *s, enum sampler_kind kind, struct stack_profile *out);
void stack_profile_release(struct stack_profile *p);

/* nr samples, each a whole cycle drawn at random from `exact`: also to be released. False when memory is short. */
bool stack_profile_draw(const struct stack_profile *exact, uint64_t nr, uint64_t seed, struct stack_profile *out);

/* Basic blocks of s->insns: units[nr_insns] become the number of each one's block, from 0. A block ends with a branch,
 * before a pc that a branch has led to, and where no instruction follows at once. */
void stack_blocks(const struct stacks *s, uint32_t *units);

/* The error, from 0 to 1, of `sampled` compared with `exact`, for the categories that remain of signatures with
 * `events` only; units[insn] is the unit of each instruction, NULL: each is one. Samples are scaled to the
 * total of `exact`; without any, the error is 1. False when memory is short. */
bool stack_error(const struct stack_profile *exact, const struct stack_profile *sampled, const uint32_t *units,
		 unsigned events, double *error);

/* Pearson's r, over the static instructions that have `event` at least once, between the dynamic instructions with it
 * and the cycles of all their categories with it. False where it is not defined: fewer than two such instructions, or
 * all alike. */
bool stack_correlation(const struct stacks *s, enum stack_event event, double *r);

/* Storage that TEA adds to a core, in bits (section 3). */
struct tea_storage {
	uint32_t fetch_buffer, rob, last_committed, lsu, front_end;
};
#define TIP_STORAGE_BITS (57u * 8)
struct tea_storage tea_storage_of(const struct core_timing *t);

#endif
