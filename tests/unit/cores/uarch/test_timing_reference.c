/* Timing models against the second model of tests/reference: every time of every uop, and the entries held, of random
 * programs on random cores.
 *
 * SAHM_TIMING_CASES=n compares n random cases, SAHM_TIMING_SEED=s other ones. SAHM_TIMING_COVERAGE prints how often
 * each mechanism occurred. */
#include <limits.h>
#include <stdlib.h>

#include "cores/uarch/timing.h"
#include "tests/helper/environment.h"
#include "tests/reference/refcycle.h"
#include "tests/unit/cores/uarch/drawn.h"
#include "tests/unit/test.h"

#define NR_CASES 5000u

/* Nothing is predicted. */
#define NO_CORE UINT_MAX

/* In batches of whole instructions, of any number; with the predictions of a core. */
static void run_first(const struct core_timing *t, unsigned core, struct uop_stamps *out, struct timing_result *result)
{
	static struct load_predictions predictions;
	struct timing *m = timing_new(t);
	struct uop_batch *b = calloc(1, sizeof(*b));
	size_t from = 0, prefetches = 0;
	assert_true(m && b);
	if (core != NO_CORE)
		timing_take_predictions(m, &predictions, core);
	while (from < program.nr) {
		struct uop_stamps *to = out + from;
		size_t first = from;
		draw_batch(b, pick(1, BATCH_UOPS - MAX_INSN_UOPS), &from, &prefetches);
		copy_predictions(&predictions, first, from);
		timing_batch(m, b, to);
	}
	timing_result(m, result);
	free(b);
	timing_free(m);
}

static void compare(unsigned number, const struct core_timing *t, const struct uop_stamps *a,
		    const struct uop_stamps *b)
{
	static const char *const names[] = {"fetch", "dispatch", "ready", "issue", "complete", "commit", "drain"};
	for (size_t i = 0; i < program.nr; i++) {
		const uint64_t x[] = {a[i].fetch,    a[i].dispatch, a[i].ready, a[i].issue,
				      a[i].complete, a[i].commit,   a[i].drain};
		const uint64_t y[] = {b[i].fetch,    b[i].dispatch, b[i].ready, b[i].issue,
				      b[i].complete, b[i].commit,   b[i].drain};
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (x[k] != y[k])
				fail_msg("case %u, kind %u, uop %zu of %zu (%s): %s is %llu, by the second model %llu",
					 number, t->kind, i, program.nr,
					 insn_class_name((enum insn_class)program.uops[i].class), names[k],
					 (unsigned long long)x[k], (unsigned long long)y[k]);
	}
}

/* Every second program has predicted loads. */
static unsigned draw_core_number(void)
{
	if (one_in(&rng, 2))
		return NO_CORE;
	draw_predictions();
	return pick(0, 31);
}

static void compare_case(unsigned number, const struct core_timing *t, unsigned core, struct refcycle_seen *seen)
{
	static struct uop_stamps first[MAX_UOPS], second[MAX_UOPS];
	struct timing_result result;
	struct refcycle_held held;
	run_first(t, core, first, &result);
	assert_true(refcycle_run_predicted(t, program.uops, program.nr, program.prefetches,
					   core == NO_CORE ? NULL : predictions_of(core), second, &held, seen));
	compare(number, t, first, second);
	if (!refcycle_held_equal(&held, &result))
		fail_msg("case %u, kind %u: entries held differ from the second model", number, t->kind);
}

static const struct {
	const char *name;
	size_t member, fewest; /* in NR_CASES */
} mechanisms[] = {
#define MECHANISM(name, fewest)                                                                                        \
	{                                                                                                              \
#name, offsetof(struct refcycle_seen, name), fewest                                                    \
	}
	MECHANISM(stepped, NR_CASES / 4),
	MECHANISM(stepped_uops, NR_CASES / 4 * 200),
	MECHANISM(replayed, 100),
	MECHANISM(inexact, 20),
	MECHANISM(violations, 2000),
	MECHANISM(squashed, 2000),
	MECHANISM(forwards, 2000),
	MECHANISM(drained_first, 2000),
	MECHANISM(rob, 2000),
	MECHANISM(queue, 2000),
	MECHANISM(registers, 2000),
	MECHANISM(load_queue, 2000),
	MECHANISM(store_queue, 2000),
	MECHANISM(mshr, 2000),
	MECHANISM(bus, 2000),
	MECHANISM(units, 2000),
	MECHANISM(redirects, 2000),
	MECHANISM(serialized, 2000),
	MECHANISM(in_flight, 2000),
	MECHANISM(prefetches, 2000),
	MECHANISM(soft, 2000),
	MECHANISM(blocked, 2000),
	MECHANISM(predicted, 2000),
	MECHANISM(wrong, 2000),
#undef MECHANISM
};

static void test_random(void **state)
{
	(void)state;
	struct refcycle_seen seen = {0};
	uint64_t nr_cases = environment_number("SAHM_TIMING_CASES", NR_CASES);
	uint64_t seed = environment_number("SAHM_TIMING_SEED", 0);
	for (unsigned i = 0; i < nr_cases; i++) {
		rng = random_of_index(seed, i);
		struct core_timing t = draw_core();
		program.has_soft = i % 4 == 0 && t.nr_queues < MAX_ISSUE_QUEUES;
		draw_program(0);
		compare_case(i, &t, draw_core_number(), &seen);
	}
	program.has_soft = false;
	assert_int_equal(ARRAY_SIZE(mechanisms), sizeof(seen) / sizeof(size_t));
	for (size_t k = 0; k < ARRAY_SIZE(mechanisms); k++) {
		size_t nr = *(const size_t *)((const char *)&seen + mechanisms[k].member);
		if (getenv("SAHM_TIMING_COVERAGE"))
			print_message("%-16s %zu\n", mechanisms[k].name, nr);
		else if (nr_cases >= NR_CASES && nr < mechanisms[k].fewest)
			fail_msg("'%s' occurred %zu times only", mechanisms[k].name, nr);
	}
}

/* Each load may violate memory order. */
static const struct core_timing speculative = {
	.kind = CORE_OUT_OF_ORDER,
	.fetch_width = 4,
	.fetch_buffer = 16,
	.decode_cycles = 2,
	.dispatch_width = 4,
	.dispatch_cycles = 1,
	.rob = 64,
	.load_queue = 16,
	.store_queue = 16,
	.commit_width = 4,
	.drain_width = 1,
	.flush_cycles = 5,
	.memory_order = ORDER_SPECULATIVE,
	.nr_queues = 1,
	.queues = {{.entries = 32, .issue = 4}},
	.nr_groups = 1,
	.groups = {{.units = 4, .is_pipelined = true}},
	.l1d_cycles = 4,
	.forward_cycles = 4,
	.data_cycles = {0, 10, 20, 40},
	.mshrs = MAX_MSHRS,
};

/* Loads of a loop that run into a late store, in a program with more uops than the table of violations is kept for. It
 * is cleared between the two loads of an instruction. */
static void test_table_is_cleared(void **state)
{
	(void)state;
	struct core_timing t = speculative;
	for (size_t i = 0; i < NR_INSN_CLASSES; i++)
		t.latency[i] = i == INSN_DIVIDE ? 9 : 1;
	program.nr = program.nr_prefetches = 0;
	add_uop(INSN_INTEGER, 0x0ff0, UOP_FIRST | UOP_LAST);
	while (program.nr < VIOLATION_PERIOD + LONG_UOPS / 2) {
		add_uop(INSN_DIVIDE, 0x1000, UOP_FIRST | UOP_LAST)->destination = 1;
		add_uop(INSN_STORE, 0x1004, UOP_FIRST | UOP_LAST)->source[0] = 1;
		for (unsigned i = 0; i < 2; i++) {
			struct uop *u = add_uop(INSN_LOAD, 0x1008, i == 0 ? UOP_FIRST : UOP_LAST);
			u->forward = 1;
			u->covers = true;
		}
		add_uop(INSN_LOAD, 0x100c, UOP_FIRST | UOP_LAST)->forward = 1;
		add_uop(INSN_INTEGER, 0x1010, UOP_FIRST | UOP_LAST);
		add_uop(INSN_BRANCH, 0x1014, UOP_FIRST | UOP_LAST | UOP_BRANCH | UOP_TAKEN);
	}
	assert_int_equal(program.uops[VIOLATION_PERIOD].class, INSN_LOAD);
	assert_int_equal(program.uops[VIOLATION_PERIOD].flags, UOP_LAST);
	for (unsigned is_pipelined = 0; is_pipelined < 2; is_pipelined++) {
		struct refcycle_seen seen = {0};
		t.groups[0].is_pipelined = is_pipelined;
		compare_case(is_pipelined, &t, NO_CORE, &seen);
		assert_int_equal(seen.stepped, is_pipelined);
		assert_int_equal(seen.violations, 4); /* each instruction, twice */
	}
}

/* Random programs in the middle of which it is cleared. */
static void test_table_is_cleared_random(void **state)
{
	(void)state;
	struct refcycle_seen seen = {0};
	uint64_t nr_cases = environment_number("SAHM_TIMING_CASES", NR_CASES) / 500;
	uint64_t seed = environment_number("SAHM_TIMING_SEED", 0);
	program.nr = program.nr_prefetches = 0;
	while (program.nr < VIOLATION_PERIOD)
		add_uop(INSN_INTEGER, 0x0ff0, UOP_FIRST | UOP_LAST);
	for (unsigned i = 0; i < nr_cases; i++) {
		struct core_timing t = speculative;
		rng = random_of_index(seed, i);
		for (size_t k = 0; k < NR_INSN_CLASSES; k++)
			t.latency[k] = (uint16_t)(k == INSN_INTEGER ? 1 : pick(1, 20));
		size_t nr_before = VIOLATION_PERIOD - pick(0, 60);
		draw_program(nr_before);
		compare_case(i, &t, draw_core_number(), &seen);
		while (nr_before < VIOLATION_PERIOD)
			program.uops[nr_before++] = program.uops[0];
	}
	assert_int_equal(seen.stepped, nr_cases);
}

TEST_FILE(test_timing_reference)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_table_is_cleared),
		cmocka_unit_test(test_table_is_cleared_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
