/* Counter registers: the rules of hpm.h one by one, and what each kind of counter makes of several sources. */
#include "cores/uarch/hpm.h"

#include "tests/unit/cores/uarch/counted_run.h"

/* ---- Registers ---- */

/* Counters that the core has, the first and the last; those that it lacks. */
static void test_lacked_counters(void **state)
{
	(void)state;
	static const unsigned nrs[] = {0, 2, HPM_COUNTERS};
	for (size_t k = 0; k < ARRAY_SIZE(nrs); k++) {
		struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, nrs[k]);
		for (unsigned i = 0; i < HPM_COUNTERS; i++) {
			bool is_there = i < nrs[k];
			assert_int_equal(rewritten(h, CSR_MHPMCOUNTER + i, UINT64_MAX), is_there ? UINT64_MAX : 0);
			assert_int_equal(rewritten(h, CSR_MHPMEVENT + i, 0x4000), is_there ? 0x4000 : 0);
			assert_int_equal(rewritten(h, CSR_MHPMMTHRESHOLD + i, 5), is_there ? 5 : 0);
			assert_int_equal(read_csr(h, CSR_HPMCOUNTER + i), is_there ? UINT64_MAX : 0);
		}
		pass_signal(h, SIGNAL_INSTRUCTION, 0x7, 10);
		assert_int_equal(read_csr(h, CSR_MCYCLE), 10);
		assert_int_equal(read_csr(h, CSR_MINSTRET), 30);
		assert_int_equal(rewritten(h, CSR_MHPMMAPPED, 3), nrs[k] ? 3 : 0);
		assert_int_equal(rewritten(h, CSR_MHPMMSIZE, 3), nrs[k] ? 3 : 0);
		assert_int_equal(rewritten(h, CSR_MHPMMOFFSET, 3), nrs[k] ? 3 : 0);
		assert_int_equal(rewritten(h, CSR_MCOUNTINHIBIT, UINT64_MAX), 5 | ((UINT64_C(1) << nrs[k]) - 1) << 3);
		hpm_free(h);
	}
}

static void test_selectors(void **state)
{
	(void)state;
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, ~UINT64_C(0xff)), 0x3ffff00);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, ~UINT64_C(0xff) | 1), 0x7ff01);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, ~UINT64_C(0xff) | 2), 0x3f02);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, UINT64_C(1) << 14 | 2), 0); /* no event is left */
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, ~UINT64_C(0xff) | 3), 0);	 /* no such set */
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, UINT64_MAX), 0);
	hpm_free(h);
	/* A bit without an event within a set. */
	h = counters(FAMILY_BOOM, HPM_ADD, 29);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, 0xffff01), 0x1e01);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, 0xffff04), 0x104);
	hpm_free(h);
	/* Of one event, and lane by lane: dispatch has 4, issue 5, commit 4. */
	h = counters(FAMILY_BOOM, HPM_DISTRIBUTED, 29);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, 0xffff05), 0x105);
	hpm_free(h);
	h = counters(FAMILY_BOOM, HPM_SCALAR, 29);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, ~UINT64_C(0xff) | 4), 0x5504);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, ~UINT64_C(0xff) | 5), 0xfff05);
	assert_int_equal(rewritten(h, CSR_MHPMEVENT, ~UINT64_C(0xff) | 6), 0x1f06);
	hpm_free(h);
}

static void test_wrap(void **state)
{
	(void)state;
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	write_csr(h, CSR_MHPMEVENT, 0x201);
	for (unsigned i = 0; i < 4; i++)
		if (i != 1)
			write_csr(h, CSR_MCYCLE + i, UINT64_MAX - 2);
	struct signal_run run = {.nr = 5};
	run.lanes[SIGNAL_INSTRUCTION] = run.lanes[SIGNAL_INTERLOCK_LONG] = 1;
	hpm_run(h, &run);
	assert_int_equal(read_csr(h, CSR_MCYCLE), 2);
	assert_int_equal(read_csr(h, CSR_MINSTRET), 2);
	assert_int_equal(read_csr(h, CSR_MHPMCOUNTER), 2);
	hpm_free(h);
}

/* Inhibited counters miss exactly the cycles from the write on; each has its own bit. */
static void test_inhibit(void **state)
{
	(void)state;
	static const unsigned csrs[] = {CSR_MCYCLE, CSR_MINSTRET, CSR_MHPMCOUNTER, CSR_MHPMCOUNTER + 1};
	static const unsigned bits[] = {0, 2, 3, 4};
	for (size_t k = 0; k < ARRAY_SIZE(csrs); k++) {
		struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
		write_csr(h, CSR_MHPMEVENT, 0x2000);
		write_csr(h, CSR_MHPMEVENT + 1, 0x2000);
		struct signal_run run = {.nr = 1};
		run.lanes[SIGNAL_INSTRUCTION] = run.lanes[SIGNAL_ARITHMETIC] = 1;
		hpm_run(h, &run);
		write_csr(h, CSR_MCOUNTINHIBIT, 1u << bits[k]);
		hpm_run(h, &run);
		hpm_run(h, &run);
		write_csr(h, CSR_MCOUNTINHIBIT, 0);
		hpm_run(h, &run);
		for (size_t i = 0; i < ARRAY_SIZE(csrs); i++)
			assert_int_equal(read_csr(h, csrs[i]), i == k ? 2 : 4);
		hpm_free(h);
	}
}

/* A user reads a shadow that both registers enable; a supervisor needs mcounteren; a machine always may. A refused read
 * returns no value. Shadows ignore writes. */
static void test_shadows(void **state)
{
	(void)state;
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct sahm_err err;
	write_csr(h, CSR_MCYCLE, 70);
	write_csr(h, CSR_MINSTRET, 72);
	write_csr(h, CSR_MHPMCOUNTER, 73);
	for (unsigned i = 0; i < 32; i++) {
		uint64_t value = i < 2 ? 70 : i == 2 ? 72 : i == 3 ? 73 : 0;
		for (unsigned enabled = 0; enabled < 4; enabled++) {
			write_csr(h, CSR_MCOUNTEREN, enabled & 1 ? 1u << i : ~(1u << i));
			write_csr(h, CSR_SCOUNTEREN, enabled & 2 ? 1u << i : ~(1u << i));
			static const unsigned privileges[] = {HPM_USER, HPM_SUPERVISOR, HPM_MACHINE};
			for (unsigned p = 0; p < 3; p++) {
				uint64_t read = 1234;
				bool may = p == 2 || (p == 1 ? enabled & 1 : enabled == 3);
				enum sahm_status status = hpm_read(h, privileges[p], CSR_CYCLE + i, &read, &err);
				assert_int_equal(status, may ? SAHM_OK : SAHM_RANGE);
				assert_int_equal(read, may ? value : 1234);
			}
		}
		write_csr(h, CSR_CYCLE + i, 99);
		assert_int_equal(read_csr(h, CSR_CYCLE + i), value);
	}
	hpm_free(h);
}

/* Numbers without a register, and registers of a higher privilege, are refused and change nothing. */
static void test_numbers(void **state)
{
	(void)state;
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct sahm_err err;
	unsigned nr = 0;
	for (unsigned csr = 0; csr < 0x1100; csr++) {
		uint64_t value = 1234;
		bool is_there = hpm_read(h, HPM_MACHINE, csr, &value, &err) == SAHM_OK;
		assert_int_equal(hpm_write(h, HPM_MACHINE, csr, UINT64_MAX - csr, &err),
				 is_there ? SAHM_OK : SAHM_RANGE);
		assert_true(is_there || value == 1234);
		nr += is_there;
		if (csr < CSR_CYCLE && csr != CSR_SCOUNTEREN) {
			assert_int_equal(hpm_read(h, HPM_SUPERVISOR, csr, &value, &err), SAHM_RANGE);
			assert_int_equal(hpm_write(h, HPM_SUPERVISOR, csr, 0, &err), SAHM_RANGE);
		}
	}
	assert_int_equal(nr, 3 + 29 + 3 + 29 + 31 + 32);
	assert_int_equal(hpm_write(h, HPM_USER, CSR_SCOUNTEREN, 0, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "counter register 0x106 (scounteren) is not open to this privilege");
	assert_int_equal(hpm_read(h, HPM_MACHINE, 0xB01, &(uint64_t){0}, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "no counter register has the number 0xb01");
	hpm_free(h);
}

/* ---- Boundaries ---- */

/* Four instructions retire in a cycle, the second and third are loads. After the second, cycles and misses have seen
 * the cycle, instructions and loads two and one. What is written there counts from the third on, or from the next
 * cycle. */
static void test_boundary_in_a_cycle(void **state)
{
	(void)state;
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct signal_run run = {.nr = 1};
	run.lanes[SIGNAL_INSTRUCTION] = 0xf;
	run.lanes[SIGNAL_LOAD] = 0x6;
	run.lanes[SIGNAL_DCACHE_MISS] = 1;
	write_csr(h, CSR_MHPMEVENT, 0x200);
	write_csr(h, CSR_MHPMEVENT + 1, 0x202);
	hpm_run_lanes(h, &run, 0, 2);
	assert_int_equal(read_csr(h, CSR_MCYCLE), 1);
	assert_int_equal(read_csr(h, CSR_MINSTRET), 2);
	assert_int_equal(read_csr(h, CSR_MHPMCOUNTER), 1);
	assert_int_equal(read_csr(h, CSR_MHPMCOUNTER + 1), 1);
	write_csr(h, CSR_MHPMCOUNTER, 10);
	write_csr(h, CSR_MHPMCOUNTER + 1, 20);
	write_csr(h, CSR_MINSTRET, 0);
	hpm_run_lanes(h, &run, 2, MAX_SIGNAL_LANES);
	assert_int_equal(read_csr(h, CSR_MCYCLE), 1);
	assert_int_equal(read_csr(h, CSR_MINSTRET), 2);
	assert_int_equal(read_csr(h, CSR_MHPMCOUNTER), 11);
	assert_int_equal(read_csr(h, CSR_MHPMCOUNTER + 1), 20);
	hpm_free(h);
}

/* ---- Kinds ---- */

/* Loads retire in three lanes, one of them is an FP load: instructions are counted, not cycles. Where all of an event
 * are counted, only one of another event can be missed for each. */
static void test_instructions(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_HPM_KINDS; kind++) {
		struct hpm *h = counters(FAMILY_U74, kind, 2);
		struct hpm_undercount one, two;
		struct signal_run run = {.nr = 100};
		run.lanes[SIGNAL_INSTRUCTION] = 0x7;
		run.lanes[SIGNAL_LOAD] = 0x5;
		run.lanes[SIGNAL_FP_LOAD] = 0x2;
		write_csr(h, CSR_MHPMEVENT, 1 << 9);
		write_csr(h, CSR_MHPMEVENT + 1, 1 << 9 | 1 << 19);
		hpm_run(h, &run);
		write_csr(h, CSR_MCOUNTINHIBIT, UINT64_MAX);
		assert_int_equal(read_csr(h, CSR_MHPMCOUNTER), 200);
		assert_int_equal(read_csr(h, CSR_MHPMCOUNTER + 1), kind == HPM_DISTRIBUTED ? 200 : 300);
		hpm_undercount(h, HPM_FIRST, &one);
		hpm_undercount(h, HPM_FIRST + 1, &two);
		assert_int_equal(one.bound, kind == HPM_DISTRIBUTED ? 12 : 0);
		assert_int_equal(two.bound, kind == HPM_DISTRIBUTED ? 12 : kind == HPM_ADD ? 0 : 300);
		hpm_free(h);
	}
}

/* Bubbles in 1, 2, 3 and 4 of 4 slots, 10 cycles each: 100. Plain counters miss the overlaps. Distributed ones have
 * local counters of 2 bits, in which 0 or 2 of 10, 20, 30 and 40 stay. */
static void test_lanes(void **state)
{
	(void)state;
	static const uint64_t expected[NR_HPM_KINDS] = {
		[HPM_PLAIN] = 40, [HPM_SCALAR] = 40, [HPM_ADD] = 100, [HPM_DISTRIBUTED] = 96};
	static const uint64_t bound[NR_HPM_KINDS] = {
		[HPM_PLAIN] = 120, [HPM_SCALAR] = 0, [HPM_ADD] = 0, [HPM_DISTRIBUTED] = 12};
	for (unsigned kind = 0; kind < NR_HPM_KINDS; kind++) {
		struct hpm *h = counters(FAMILY_BOOM, kind, 29);
		struct hpm_undercount u;
		write_csr(h, CSR_MHPMEVENT + 28, 0x104);
		for (unsigned lanes = 1; lanes < 16; lanes = 2 * lanes + 1)
			pass_signal(h, SIGNAL_FETCH_BUBBLE, lanes, 10);
		write_csr(h, CSR_MCOUNTINHIBIT, UINT64_MAX);
		hpm_undercount(h, HPM_FIRST + 28, &u);
		assert_int_equal(read_csr(h, CSR_MHPMCOUNTER + 28), expected[kind]);
		assert_int_equal(u.counted, expected[kind]);
		assert_int_equal(u.truth, kind == HPM_SCALAR ? 40 : 100);
		assert_int_equal(u.bound, bound[kind]);
		hpm_free(h);
	}
}

/* Scalar counters, one per lane: their sum is the truth. Some events need more counters than there are. */
static void test_scalar(void **state)
{
	(void)state;
	struct hpm *h = counters(FAMILY_BOOM, HPM_SCALAR, 4);
	const struct core_event *blocked = core_event_find(FAMILY_BOOM, "DCACHE_BLOCKED");
	assert_int_equal(hpm_counters_for(h, blocked), 4);
	assert_int_equal(hpm_counters_for(h, core_event_find(FAMILY_BOOM, "UOP_ISSUED")), 0);
	assert_int_equal(hpm_counters_for(h, core_event_find(FAMILY_BOOM, "ICACHE_MISS")), 1);
	for (unsigned i = 0; i < 4; i++)
		write_csr(h, CSR_MHPMEVENT + i, hpm_selector(h, blocked, i));
	assert_int_equal(read_csr(h, CSR_MHPMEVENT + 3), UINT64_C(1) << (8 + 3 * 3 + 2) | 5);
	pass_signal(h, SIGNAL_DCACHE_BLOCKED, 0xf, 1);
	pass_signal(h, SIGNAL_DCACHE_BLOCKED, 0xe, 10);
	pass_signal(h, SIGNAL_DCACHE_BLOCKED, 0x8, 100);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(read_csr(h, CSR_MHPMCOUNTER + i), i == 0 ? 1 : i < 3 ? 11 : 111);
	/* Two lanes in one counter: cycles with either. */
	write_csr(h, CSR_MHPMCOUNTER, 0);
	write_csr(h, CSR_MHPMEVENT, hpm_selector(h, blocked, 0) | hpm_selector(h, blocked, 1));
	pass_signal(h, SIGNAL_DCACHE_BLOCKED, 0x3, 10);
	pass_signal(h, SIGNAL_DCACHE_BLOCKED, 0x1, 10);
	assert_int_equal(read_csr(h, CSR_MHPMCOUNTER), 20);
	hpm_free(h);
	/* A core that issues more than a selector has bits, and other kinds. */
	struct core_timing t = counted_core;
	t.nr_queues = 5;
	for (unsigned i = 0; i < t.nr_queues; i++)
		t.queues[i].issue = MAX_WIDTH;
	h = hpm_new(&(struct hpm_spec){FAMILY_BOOM, HPM_SCALAR, 29, &t});
	assert_int_equal(hpm_counters_for(h, core_event_find(FAMILY_BOOM, "UOP_ISSUED")), 0);
	hpm_free(h);
	h = hpm_new(&(struct hpm_spec){FAMILY_BOOM, HPM_ADD, 1, &t});
	assert_int_equal(hpm_counters_for(h, core_event_find(FAMILY_BOOM, "UOP_ISSUED")), 1);
	hpm_free(h);
}

/* Events of one set in one counter: cycles with either, or both added up. */
static void test_overlaps(void **state)
{
	(void)state;
	for (unsigned kind = HPM_PLAIN; kind <= HPM_ADD; kind++) {
		struct hpm *h = counters(FAMILY_U74, kind, 2);
		struct hpm_undercount u;
		struct signal_run run = {.nr = 7};
		write_csr(h, CSR_MHPMEVENT, 0x302);
		pass_signal(h, SIGNAL_ICACHE_MISS, 1, 3);
		pass_signal(h, SIGNAL_DCACHE_MISS, 1, 5);
		run.lanes[SIGNAL_ICACHE_MISS] = run.lanes[SIGNAL_DCACHE_MISS] = 1;
		hpm_run(h, &run);
		hpm_undercount(h, HPM_FIRST, &u);
		assert_int_equal(u.truth, 22);
		assert_int_equal(read_csr(h, CSR_MHPMCOUNTER), kind == HPM_ADD ? 22 : 15);
		hpm_free(h);
	}
	/* Signals of one event are no overlap. */
	struct hpm *h = counters(FAMILY_BOOM, HPM_ADD, 29);
	struct signal_run run = {.nr = 1};
	run.lanes[SIGNAL_MISPREDICTED_BRANCH] = run.lanes[SIGNAL_MISPREDICTED_TARGET] = 1;
	write_csr(h, CSR_MHPMEVENT, 0x201);
	hpm_run(h, &run);
	assert_int_equal(read_csr(h, CSR_MHPMCOUNTER), 1);
	hpm_free(h);
}

TEST_FILE(test_hpm)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lacked_counters),
		cmocka_unit_test(test_selectors),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_inhibit),
		cmocka_unit_test(test_shadows),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_boundary_in_a_cycle),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_scalar),
		cmocka_unit_test(test_overlaps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
