/* Predicted targets: returns by a stack, indirect branches by tables. Directions: test_predictor.c. */
#include <math.h>

#include "cores/uarch/predictor.h"
#include "tests/helper/random.h"
#include "tests/unit/cores/uarch/made_cpu.h"

#define PC UINT64_C(0x401000)

/* With both tables of targets, with one, and as it is where nobody says how many. */
#define NR_SPECS 3
enum { BY_HISTORY, BY_PC, SMALL };

static struct predictor_spec spec_of(int which)
{
	struct predictor_spec spec = {
		.kind = PREDICTOR_GSHARE, .base_bits = 10, .gshare_history = 8, .return_stack = 8};
	spec.target_bits = which == SMALL ? 0 : 10;
	spec.targets_by_pc = which == BY_PC;
	return spec;
}

static struct predictor *make(int which)
{
	const struct predictor_spec spec = spec_of(which);
	assert_null(predictor_spec_fault(&spec));
	struct predictor *p = predictor_new(&spec);
	assert_non_null(p);
	return p;
}

/* Whether the branch at `pc` to `next` was missed; it is 5 bytes long, as calls are on x86. */
static bool miss(struct predictor *p, enum insn_class class, uint64_t pc, uint64_t next)
{
	return !predictor_branch(p, class, pc, pc + 5, true, next);
}

static uint64_t target(uint64_t i)
{
	return UINT64_C(0x7f0000000000) + i * 0x140;
}

/* A target in the instruction is always right: the first time, and wherever it leads. */
static void test_direct(void **state)
{
	(void)state;
	struct predictor *p = make(BY_HISTORY);
	for (uint64_t i = 0; i < 1000; i++) {
		assert_false(miss(p, INSN_JUMP, PC + 10 * i, target(i)));
		assert_false(miss(p, INSN_CALL, PC + 10 * i + 5, target(i)));
	}
	predictor_free(p);
}

/* Calls `depth` deep, each from a different place, and back; the misses of the returns. */
static uint32_t nest(struct predictor *p, enum insn_class call, uint32_t depth)
{
	uint32_t misses = 0;
	for (uint32_t d = 0; d < depth; d++)
		miss(p, call, PC + 100 * d, PC + 100 * (d + 1) - 50);
	for (uint32_t d = depth; d-- > 0;)
		misses += miss(p, INSN_RETURN, PC + 100 * (d + 1) - 10, PC + 100 * d + 5);
	return misses;
}

/* The stack keeps the last n calls, in a ring. Calls up to n deep: no return is missed. Deeper by d: the first n
 * returns are right, and the d after them find popped entries, of calls other than theirs: d misses, every time. */
static void test_returns(void **state)
{
	(void)state;
	static const enum insn_class calls[] = {INSN_CALL, INSN_INDIRECT_CALL};
	for (size_t i = 0; i < NR_SHIPPED_CPUS; i++) {
		const struct predictor_spec spec = shipped_cpu(shipped_cpu_names[i]).predictor;
		uint32_t n = spec.return_stack;
		for (size_t c = 0; c < 2; c++)
			for (uint32_t depth = 1; depth <= 3 * n + 1; depth++) {
				struct predictor *p = predictor_new(&spec);
				for (int round = 0; round < 3; round++)
					assert_int_equal(nest(p, calls[c], depth), depth > n ? depth - n : 0);
				predictor_free(p);
			}
	}
}

/* Recursion: a call from outside and d - 1 from one place within. The second pop gives the same address again: however
 * deep, only the return to the outside is missed, once that has left the stack. */
static void test_recursion(void **state)
{
	(void)state;
	const uint32_t n = spec_of(BY_PC).return_stack;
	for (uint32_t depth = 1; depth <= 3 * n; depth++) {
		struct predictor *p = make(BY_PC);
		for (int round = 0; round < 3; round++) {
			uint32_t misses = 0;
			miss(p, INSN_CALL, PC, PC + 0x100);
			for (uint32_t d = 1; d < depth; d++)
				miss(p, INSN_CALL, PC + 0x120, PC + 0x100);
			for (uint32_t d = 1; d < depth; d++)
				misses += miss(p, INSN_RETURN, PC + 0x140, PC + 0x125);
			misses += miss(p, INSN_RETURN, PC + 0x140, PC + 5);
			assert_int_equal(misses, depth > n);
		}
		predictor_free(p);
	}
}

/* A return without a call has nothing to go by; one that goes elsewhere (a switch of stacks) is missed. */
static void test_odd_returns(void **state)
{
	(void)state;
	struct predictor *p = make(BY_PC);
	assert_true(miss(p, INSN_RETURN, PC, target(1)));
	miss(p, INSN_CALL, PC, PC + 100);
	assert_true(miss(p, INSN_RETURN, PC + 110, PC + 6));
	miss(p, INSN_CALL, PC, PC + 100);
	assert_false(miss(p, INSN_RETURN, PC + 110, PC + 5));
	predictor_free(p);
}

/* Misses of an indirect branch that goes through `nr` targets in turn: the first `warm_up` left out. */
static uint32_t cycle(int which, enum insn_class class, uint64_t nr, uint32_t warm_up, uint32_t n)
{
	struct predictor *p = make(which);
	uint32_t misses = 0;
	for (uint32_t i = 0; i < warm_up + n; i++)
		misses += miss(p, class, PC, target(i % nr)) && i >= warm_up;
	predictor_free(p);
	return misses;
}

/* One target: missed once, when it is new. Several in turn: the last target is never the next one, so that with only
 * the pc everything is missed; by history, nothing is missed once it has been seen. */
static void test_indirect(void **state)
{
	(void)state;
	static const enum insn_class classes[] = {INSN_INDIRECT_JUMP, INSN_INDIRECT_CALL};
	for (int which = 0; which < NR_SPECS; which++)
		for (size_t c = 0; c < 2; c++) {
			assert_int_equal(cycle(which, classes[c], 1, 0, 1000), 1);
			assert_int_equal(cycle(which, classes[c], 1, 1, 1000), 0);
			for (uint64_t nr = 2; nr <= 8; nr++)
				assert_int_equal(cycle(which, classes[c], nr, 200, 1000),
						 which == BY_HISTORY ? 0 : 1000);
		}
}

/* Targets at random, k of them: whatever is predicted, and it is one of them, is right once in k, independently of all
 * else. By pc, what is predicted is always a target that was seen; by history, too, where there is an entry, and else
 * the table by pc is asked. Misses are binomial, but for the first branch. */
static void test_random_targets(void **state)
{
	(void)state;
	static const uint64_t nrs[] = {2, 4, 16};
	for (int which = 0; which < NR_SPECS; which++)
		for (size_t i = 0; i < 3; i++) {
			const double n = 100000, chance = 1 - 1.0 / (double)nrs[i];
			struct predictor *p = make(which);
			uint64_t rng = 37;
			uint32_t misses = 0;
			miss(p, INSN_INDIRECT_JUMP, PC, target(0));
			for (int k = 0; k < (int)n; k++)
				misses += miss(p, INSN_INDIRECT_JUMP, PC, target(between(&rng, 0, nrs[i] - 1)));
			assert_true(fabs(misses - n * chance) < 5 * sqrt(n * chance * (1 - chance)));
			predictor_free(p);
		}
}

/* A branch that goes astray once in a while: by pc, the target that was confirmed stays, and only the stray one is
 * missed. */
static void test_stray_target(void **state)
{
	(void)state;
	struct predictor *p = make(BY_PC);
	uint32_t misses = 0;
	for (int i = 0; i < 1000; i++)
		misses += miss(p, INSN_INDIRECT_JUMP, PC, target(i % 10 == 9));
	assert_int_equal(misses, 1 + 100);
	/* Twice in a row, and it is believed: both are missed, then the first one again. */
	misses = 0;
	for (int i = 0; i < 1000; i++)
		misses += miss(p, INSN_INDIRECT_JUMP, PC, target(i % 10 >= 8));
	assert_true(misses > 200 && misses <= 400);
	predictor_free(p);
}

/* A switch whose case is what two conditional branches said: by history it is known, by pc three in four are missed.
 * The history of targets is a part of the context: jumps to the same place stand in between, as many as it remembers,
 * so that the random targets before do not count. */
static void test_target_by_branches(void **state)
{
	(void)state;
	const int n = 20000;
	const double chance = 0.75;
	for (int which = 0; which < NR_SPECS; which++) {
		struct predictor *p = make(which);
		uint64_t rng = 41;
		uint32_t misses = 0;
		for (int i = 0; i < 2 * n; i++) {
			uint64_t value = between(&rng, 0, 3);
			/* The history is the same each time: only the two branches tell. */
			for (uint64_t k = 0; k < 16; k++)
				miss(p, INSN_INDIRECT_JUMP, PC + 0x1000, target(9));
			for (uint64_t k = 0; k < 2; k++)
				predictor_branch(p, INSN_BRANCH, PC + 0x200 + 16 * k, PC + 0x240, value >> k & 1,
						 PC + 0x280);
			misses += miss(p, INSN_INDIRECT_JUMP, PC, target(value)) && i >= n;
		}
		if (which == BY_HISTORY)
			assert_int_equal(misses, 0);
		else
			assert_true(fabs(misses - n * chance) < 5 * sqrt(n * chance * (1 - chance)));
		predictor_free(p);
	}
}

/* Each of several branches keeps its own target. */
static void test_several(void **state)
{
	(void)state;
	for (int which = 0; which < NR_SPECS; which++) {
		struct predictor *p = make(which);
		uint32_t misses = 0;
		for (int i = 0; i < 4000; i++)
			misses += miss(p, INSN_INDIRECT_CALL, PC + 16 * (uint64_t)(i % 4), target((uint64_t)i % 4));
		assert_in_range(misses, 4, 8);
		predictor_free(p);
	}
}

/* As callgrind's manual describes it: returns are right, a target is the last one of any branch with the same 9 bits, a
 * direction depends on low bits of the address and on the last branches. */
static void test_callgrind(void **state)
{
	(void)state;
	const struct predictor_spec spec = predictor_callgrind();
	assert_null(predictor_spec_fault(&spec));
	struct predictor *p = predictor_new(&spec);
	assert_non_null(p);
	for (uint64_t i = 0; i < 600; i++)
		assert_false(miss(p, INSN_RETURN, PC, target(i)));
	assert_true(miss(p, INSN_INDIRECT_CALL, PC, target(1)));
	assert_false(miss(p, INSN_INDIRECT_CALL, PC, target(1)));
	assert_false(miss(p, INSN_INDIRECT_JUMP, PC + 512, target(1)));
	assert_true(miss(p, INSN_INDIRECT_JUMP, PC + 511, target(1)));
	assert_true(miss(p, INSN_INDIRECT_JUMP, PC, target(2)));
	/* Alternating: both histories are learnt. */
	uint32_t misses = 0;
	for (int i = 0; i < 100; i++)
		misses += !predictor_branch(p, INSN_BRANCH, PC, PC + 2, i % 2, i % 2 ? PC + 50 : PC + 2);
	assert_in_range(misses, 1, 20);
	predictor_free(p);
}

TEST_FILE(test_predictor_targets)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct),	     cmocka_unit_test(test_returns),
		cmocka_unit_test(test_recursion),    cmocka_unit_test(test_odd_returns),
		cmocka_unit_test(test_indirect),     cmocka_unit_test(test_random_targets),
		cmocka_unit_test(test_stray_target), cmocka_unit_test(test_target_by_branches),
		cmocka_unit_test(test_several),	     cmocka_unit_test(test_callgrind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
