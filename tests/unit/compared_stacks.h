/* Cycle stacks and samples of a pass, compared with those of the slow reference. */
#ifndef SAHM_TESTS_UNIT_COMPARED_STACKS_H
#define SAHM_TESTS_UNIT_COMPARED_STACKS_H

#include <stdlib.h>
#include <string.h>

#include "tests/reference/refstacks.h"
#include "tests/unit/test.h"

static inline void compare_cells(const char *what, const struct stacks *fast, const struct refstacks *slow)
{
	assert_int_equal(fast->nr_cells, slow->nr_cells);
	for (size_t i = 0; i < slow->nr_cells; i++) {
		const struct stack_cell *a = &fast->cells[i];
		const struct refstacks_cell *b = &slow->cells[i];
		uint64_t pc = fast->insns[a->insn].pc;
		if (pc != b->pc || a->signature != b->signature || a->cycles != b->cycles ||
		    a->executions != b->executions)
			fail_msg("%s: cell %zu is %#llx, signature %#x, %llu units, %llu times; not %#llx, %#x, %llu, "
				 "%llu",
				 what, i, (unsigned long long)pc, a->signature, (unsigned long long)a->cycles,
				 (unsigned long long)a->executions, (unsigned long long)b->pc, b->signature,
				 (unsigned long long)b->cycles, (unsigned long long)b->executions);
	}
}

static inline void compare_base_stalls(const struct stacks *fast, const struct refstacks *slow)
{
	uint64_t *counts = calloc(MAX_BASE_STALL + 1, sizeof(*counts));
	assert_non_null(counts);
	for (size_t i = 0; i < slow->nr; i++)
		if (slow->stalled[i] > 0 && slow->signatures[i] == 0)
			counts[slow->stalled[i] < MAX_BASE_STALL ? slow->stalled[i] : MAX_BASE_STALL]++;
	assert_memory_equal(counts, fast->base_stalls, sizeof(fast->base_stalls));
	free(counts);
}

static inline void compare_stacks(const char *what, const struct stacks *fast, const struct refstacks *slow)
{
	uint64_t sum = 0, states = 0;
	assert_int_equal(fast->units, slow->units);
	assert_int_equal(fast->cycles, slow->nr_cycles);
	assert_int_equal(fast->instructions, slow->nr_instructions);
	compare_cells(what, fast, slow);
	for (unsigned k = 0; k < NR_COMMIT_STATES; k++) {
		if (fast->states[k] != slow->states[k])
			fail_msg("%s: %llu units are %s, not %llu", what, (unsigned long long)fast->states[k],
				 commit_state_name((enum commit_state)k), (unsigned long long)slow->states[k]);
		states += fast->states[k];
	}
	for (size_t i = 0; i < fast->nr_cells; i++)
		sum += fast->cells[i].cycles;
	assert_int_equal(sum, fast->units * fast->cycles);
	assert_int_equal(states, sum);
	compare_base_stalls(fast, slow);
}

/* weights[slow->nr_cells]: of each cell, in a kind's samples. */
static inline void compare_weights(const char *what, const struct stack_samples *fast, enum sampler_kind kind,
				   const struct stacks *stacks, const struct refstacks *slow, const uint64_t *weights)
{
	size_t at = 0;
	for (size_t i = 0; i < slow->nr_cells; i++) {
		const struct sample_cell *a = at < fast->of[kind].nr_cells ? &fast->of[kind].cells[at] : NULL;
		bool is_there =
			a && stacks->insns[a->insn].pc == slow->cells[i].pc && a->signature == slow->cells[i].signature;
		uint64_t weight = is_there ? a->weight : 0;
		if (weight != weights[i])
			fail_msg("%s: sampler %u gives %#llx, signature %#x, weight %llu, not %llu", what, kind,
				 (unsigned long long)slow->cells[i].pc, slow->cells[i].signature,
				 (unsigned long long)weight, (unsigned long long)weights[i]);
		at += is_there;
	}
	assert_int_equal(at, fast->of[kind].nr_cells);
}

static inline void compare_fates(const char *what, const struct stack_samples *fast, enum sampler_kind kind,
				 const uint64_t *fates)
{
	const uint64_t counts[NR_REFSAMPLE_FATES] = {
		[REFSAMPLE_TAKEN] = fast->of[kind].taken,
		[REFSAMPLE_WRONG_PATH] = fast->of[kind].wrong_path,
		[REFSAMPLE_SKIPPED] = fast->of[kind].skipped,
		[REFSAMPLE_LATE] = fast->of[kind].late,
	};
	for (unsigned f = 0; f < NR_REFSAMPLE_FATES; f++)
		if (counts[f] != fates[f])
			fail_msg("%s: sampler %u has %llu samples of fate %u, not %llu", what, kind,
				 (unsigned long long)counts[f], f, (unsigned long long)fates[f]);
}

/* Each sample's cycle and uop, by how often each cell is hit. */
static inline void compare_samples(const char *what, const struct stack_samples *fast, const struct stacks *stacks,
				   const struct refstacks *slow)
{
	size_t nr;
	struct refsample *samples = refstacks_sample(slow, &fast->sampling, &nr);
	uint64_t *weights[NR_SAMPLER_KINDS], fates[NR_SAMPLER_KINDS][NR_REFSAMPLE_FATES] = {{nr}, {nr}};
	assert_non_null(samples);
	assert_int_equal(fast->nr_due, nr);
	for (unsigned k = 0; k < NR_SAMPLER_KINDS; k++) {
		weights[k] = calloc(slow->nr_cells + 1, sizeof(uint64_t));
		assert_non_null(weights[k]);
	}
	for (size_t i = 0; i < nr; i++) {
		const struct refsample *s = &samples[i];
		const struct refstacks_cycle *charge = &slow->cycles[s->cycle];
		for (unsigned n = 0; n < charge->nr; n++)
			weights[SAMPLER_TEA][slow->cell[charge->first + n]] += slow->units / charge->nr;
		weights[SAMPLER_NCI][slow->cell[s->next]]++;
		weights[SAMPLER_DISPATCH][slow->cell[s->dispatch.uop]] += s->dispatch.fate == REFSAMPLE_TAKEN;
		weights[SAMPLER_FETCH][slow->cell[s->fetch.uop]] += s->fetch.fate == REFSAMPLE_TAKEN;
		fates[SAMPLER_DISPATCH][s->dispatch.fate]++;
		fates[SAMPLER_FETCH][s->fetch.fate]++;
	}
	for (unsigned k = 0; k < NR_SAMPLER_KINDS; k++) {
		compare_fates(what, fast, (enum sampler_kind)k, fates[k]);
		compare_weights(what, fast, (enum sampler_kind)k, stacks, slow, weights[k]);
		free(weights[k]);
	}
	free(samples);
}

/* Samples of each cycle give the stacks. */
static inline void check_sampled_exactly(const struct stack_samples *all, const struct stacks *s)
{
	size_t at = 0;
	assert_int_equal(all->sampling.period, 1);
	for (size_t i = 0; i < s->nr_cells; i++) {
		const struct stack_cell *a = &s->cells[i];
		if (a->cycles == 0)
			continue;
		assert_true(at < all->of[SAMPLER_TEA].nr_cells);
		const struct sample_cell *b = &all->of[SAMPLER_TEA].cells[at++];
		assert_int_equal(a->insn, b->insn);
		assert_int_equal(a->signature, b->signature);
		assert_int_equal(a->cycles, b->weight);
	}
	assert_int_equal(at, all->of[SAMPLER_TEA].nr_cells);
}

#endif
