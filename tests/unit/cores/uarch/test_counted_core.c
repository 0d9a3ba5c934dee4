/* Counts of a core: lines fetched, accesses, what reaches L2, branches. The models below it have separate tests. */
#include "cores/uarch/counted_core.h"

#include "tests/unit/test.h"

/* L1I of 4 lines, L1D of 2 lines, L2 of 16, 64 bytes each. */
static const struct cpu small = {
	.l1i = {256, 2, 64},
	.l1d = {128, 2, 64},
	.l2 = {1024, 2, 64},
	.predictor = {.kind = PREDICTOR_GSHARE, .base_bits = 4, .return_stack = 2},
};

struct counted {
	struct counted_core core;
	struct epoch_counts counts;
};

static int setup(void **state)
{
	static struct counted c;
	struct sahm_err err;
	c.counts = (struct epoch_counts){0};
	*state = &c;
	return counted_core_init(&c.core, &small, &c.counts, &err) == SAHM_OK ? 0 : -1;
}

static int teardown(void **state)
{
	counted_core_release(&((struct counted *)*state)->core);
	return 0;
}

static void check(const struct counted *c, enum counter counter, uint64_t count)
{
	if (c->counts.count[counter] != count)
		fail_msg("%s: %llu instead of %llu", counter_rows[counter].name,
			 (unsigned long long)c->counts.count[counter], (unsigned long long)count);
}

/* A line is fetched when it is another one than before, all lines of a block are. */
static void test_fetch(void **state)
{
	struct counted *c = *state;
	counted_core_fetch(&c->core, 0, 63);
	check(c, COUNTER_L1I_MISSES, 1);
	counted_core_fetch(&c->core, 10, 20);
	check(c, COUNTER_L1I_MISSES, 1);
	counted_core_fetch(&c->core, 60, 64);
	check(c, COUNTER_L1I_MISSES, 2);
	counted_core_fetch(&c->core, 0, 255);
	check(c, COUNTER_L1I_MISSES, 4);
	check(c, COUNTER_L2_ACCESSES, 4);
	check(c, COUNTER_L2_MISSES, 4);
	check(c, COUNTER_L1D_ACCESSES, 0);
	/* A set holds two lines: the third one throws out the one that was not used longest, of lines 0, 2 that is 0.
	 */
	counted_core_fetch(&c->core, 256, 256);
	check(c, COUNTER_L1I_MISSES, 5);
	counted_core_fetch(&c->core, 128, 128);
	check(c, COUNTER_L1I_MISSES, 5);
	counted_core_fetch(&c->core, 0, 0);
	check(c, COUNTER_L1I_MISSES, 6);
	/* It is in L2 still. */
	check(c, COUNTER_L2_MISSES, 5);
}

/* Data and instructions meet in L2. */
static void test_data(void **state)
{
	struct counted *c = *state;
	for (int round = 0; round < 2; round++)
		for (uint64_t line = 0; line < 3; line++)
			counted_core_data(&c->core, line);
	/* Three lines in turn in a set of two. */
	check(c, COUNTER_L1D_ACCESSES, 6);
	check(c, COUNTER_L1D_MISSES, 6);
	check(c, COUNTER_L2_ACCESSES, 6);
	check(c, COUNTER_L2_MISSES, 3);
	counted_core_data(&c->core, 2);
	check(c, COUNTER_L1D_MISSES, 6);
	counted_core_fetch(&c->core, 64, 64);
	check(c, COUNTER_L1I_MISSES, 1);
	check(c, COUNTER_L2_MISSES, 3);
}

static void test_branches(void **state)
{
	struct counted *c = *state;
	for (int i = 0; i < 100; i++)
		counted_core_branch(&c->core, INSN_BRANCH, 16, 20, true, 8);
	check(c, COUNTER_BRANCHES, 100);
	/* The counter begins weakly not taken. */
	check(c, COUNTER_BRANCH_MISSES, 1);
	counted_core_branch(&c->core, INSN_CALL, 32, 36, true, 80);
	counted_core_branch(&c->core, INSN_RETURN, 80, 84, true, 36);
	check(c, COUNTER_BRANCH_MISSES, 1);
	counted_core_branch(&c->core, INSN_RETURN, 80, 84, true, 36);
	check(c, COUNTER_BRANCHES, 103);
	check(c, COUNTER_BRANCH_MISSES, 2);
}

TEST_FILE(test_counted_core)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_fetch, setup, teardown),
		cmocka_unit_test_setup_teardown(test_data, setup, teardown),
		cmocka_unit_test_setup_teardown(test_branches, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
