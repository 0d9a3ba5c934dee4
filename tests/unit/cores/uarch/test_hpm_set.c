/* Event sets: names and codes, what they count, turns and their estimates, overflow, and PAPI's errors. */
#include "cores/uarch/hpm_set.h"

#include <string.h>

#include "sim/base/rng.h"
#include "tests/unit/cores/uarch/counted_run.h"

/* `nr` cycles, in each of which instructions of a class retire. */
static struct signal_run retiring(enum signal class, unsigned instructions, uint64_t nr)
{
	struct signal_run run = {.nr = nr};
	run.lanes[SIGNAL_INSTRUCTION] = run.lanes[class] = (UINT64_C(1) << instructions) - 1;
	return run;
}

static struct hpm_set *make_set(struct hpm *h, const char *const *names)
{
	struct sahm_err err;
	struct hpm_set *s = hpm_set_new(h);
	assert_non_null(s);
	for (; *names; names++)
		if (hpm_set_add(s, *names, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
	return s;
}

static void start(struct hpm_set *s)
{
	struct sahm_err err;
	if (hpm_set_start(s, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static void fails_with(enum sahm_status status, const struct sahm_err *err, const char *name)
{
	assert_int_equal(status, SAHM_USAGE);
	if (!strstr(err->msg, name))
		fail_msg("'%s' does not name %s", err->msg, name);
}

/* Presets and natives by name, in any case, and by code; sums, a difference and the fixed counters. */
static void test_names(void **state)
{
	(void)state;
	static const struct {
		const char *name, *listed;
		unsigned counters;
		int64_t count;
	} rows[] = {
		{"PAPI_TOT_CYC", "PAPI_TOT_CYC", 0, 36},
		{"papi_tot_ins", "PAPI_TOT_INS", 0, 60},
		{"cycles", "cycles", 0, 36},
		{"Instructions", "instructions", 0, 60},
		{"PAPI_BR_CN", "PAPI_BR_CN", 1, 20},
		{"PAPI_BR_MSP", "PAPI_BR_MSP", 1, 6},
		{"PAPI_BR_PRC", "PAPI_BR_PRC", 2, 14},
		{"PAPI_LD_INS", "PAPI_LD_INS", 1, 40},
		{"0x80000035", "PAPI_LD_INS", 1, 40},
		{"native:fp_load_retired", "FP_LOAD_RETIRED", 1, 30},
		{"0x80000", "0x80000", 1, 30},
		{"0x80200", "0x80200", 1, 40},
		{"r80200", "0x80200", 1, 40},
		{"FP_LOAD_RETIRED:u", "FP_LOAD_RETIRED", 1, 30},
		{"native:0x80000:u", "0x80000", 1, 30},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *const names[] = {rows[i].name, NULL};
		struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
		struct hpm_set *s = make_set(h, names);
		struct signal_run runs[] = {retiring(SIGNAL_FP_LOAD, 3, 10),
					    retiring(SIGNAL_LOAD, 1, 10),
					    retiring(SIGNAL_BRANCH, 2, 10),
					    {.nr = 6}};
		runs[3].lanes[SIGNAL_MISPREDICTED_BRANCH] = 1;
		int64_t value = -1;
		start(s);
		for (size_t k = 0; k < ARRAY_SIZE(runs); k++)
			hpm_set_run(s, &runs[k]);
		hpm_set_read(s, &value);
		if (value != rows[i].count || strcmp(hpm_set_event_name(s, 0), rows[i].listed) != 0 ||
		    hpm_set_event_counters(s, 0) != rows[i].counters)
			fail_msg("%s: %lld", rows[i].name, (long long)value);
		hpm_set_free(s);
		hpm_free(h);
	}
}

/* A preset of several events takes a counter for each where hardware counts one event only; two of them in one cycle
 * are one count of a plain counter and two of add wires. */
static void test_kinds(void **state)
{
	(void)state;
	static const struct {
		enum hpm_kind kind;
		unsigned counters;
		int64_t count;
	} rows[] = {{HPM_PLAIN, 1, 10}, {HPM_SCALAR, 1, 10}, {HPM_ADD, 1, 20}, {HPM_DISTRIBUTED, 2, 20}};
	static const char *const names[] = {"PAPI_L1_TCM", NULL};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct hpm *h = counters(FAMILY_U74, rows[i].kind, 2);
		struct hpm_set *s = make_set(h, names);
		struct signal_run run = {.nr = 10};
		struct hpm_set_count c;
		run.lanes[SIGNAL_ICACHE_MISS] = run.lanes[SIGNAL_DCACHE_MISS] = 1;
		assert_int_equal(hpm_set_event_counters(s, 0), rows[i].counters);
		start(s);
		hpm_set_run(s, &run);
		assert_int_equal(hpm_set_stop(s, NULL, NULL), SAHM_OK);
		hpm_set_count(s, 0, &c);
		assert_int_equal(c.value, rows[i].count);
		assert_int_equal(c.truth, 20);
		assert_true((uint64_t)(c.truth - c.counted) <= c.bound);
		hpm_set_free(s);
		hpm_free(h);
	}
	/* A scalar counter of 5 issue ports. */
	struct hpm *h = counters(FAMILY_BOOM, HPM_SCALAR, 29);
	static const char *const issued[] = {"UOP_ISSUED", NULL};
	struct hpm_set *s = make_set(h, issued);
	struct signal_run run = {.nr = 7};
	int64_t value;
	run.lanes[SIGNAL_UOP_ISSUED] = 0x15;
	start(s);
	hpm_set_run(s, &run);
	hpm_set_read(s, &value);
	assert_int_equal(hpm_set_event_counters(s, 0), 5);
	assert_int_equal(value, 21);
	hpm_set_free(s);
	hpm_free(h);
}

/* Start, read, accumulate, reset, stop, start again; what passes while the set does not run is not counted. */
static void test_life(void **state)
{
	(void)state;
	static const char *const names[] = {"cycles", "PAPI_BR_CN", NULL};
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct hpm_set *s = make_set(h, names);
	struct signal_run run = retiring(SIGNAL_BRANCH, 2, 5);
	int64_t values[2], sums[2] = {100, 100};
	hpm_set_run(s, &run);
	/* A counter that was sampled before is not while a set has it. */
	write_csr(h, CSR_MHPMMTHRESHOLD, 3);
	start(s);
	assert_int_equal(read_csr(h, CSR_MHPMMTHRESHOLD), 0);
	hpm_set_run(s, &run);
	hpm_set_read(s, values);
	assert_true(values[0] == 5 && values[1] == 10);
	hpm_set_accumulate(s, sums);
	assert_true(sums[0] == 105 && sums[1] == 110);
	hpm_set_run(s, &run);
	hpm_set_read(s, values);
	assert_true(values[0] == 5 && values[1] == 10);
	hpm_set_reset(s);
	hpm_set_run_lanes(s, &(struct signal_run){.nr = 1}, 0, MAX_SIGNAL_LANES);
	assert_int_equal(hpm_set_stop(s, values, NULL), SAHM_OK);
	assert_true(values[0] == 1 && values[1] == 0);
	hpm_set_run(s, &run);
	hpm_set_read(s, values);
	assert_true(values[0] == 1 && values[1] == 0);
	start(s);
	hpm_set_run(s, &run);
	hpm_set_read(s, values);
	assert_true(values[0] == 5 && values[1] == 10);
	hpm_set_free(s);
	hpm_free(h);
}

/* Two counters, three events: groups of 2 and 1 with slices of 10 cycles, of which the first ends in the middle of a
 * cycle that retires two instructions: the second of them is the other group's. */
static void test_turns(void **state)
{
	(void)state;
	static const char *const names[] = {"PAPI_BR_CN", "PAPI_L1_DCM", "cycles", "CONDITIONAL_BRANCH_RETIRED", NULL};
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct hpm_set *s = make_set(h, names);
	struct hpm_set_count c;
	assert_int_equal(hpm_set_multiplex(s, 10, NULL), SAHM_OK);
	start(s);
	struct signal_run branches = retiring(SIGNAL_BRANCH, 2, 14), wait = {.nr = 9};
	hpm_set_run(s, &branches);
	hpm_set_count(s, 0, &c);
	/* 19 branches in the first 10 cycles; the estimate is 19 * 14 / 10 = 26.6. */
	assert_true(c.counted == 19 && c.running_cycles == 10 && c.enabled_cycles == 14 && c.value == 27);
	hpm_set_count(s, 3, &c);
	assert_true(c.counted == 9 && c.running_cycles == 4 && c.value == 32); /* 31.5 */
	hpm_set_count(s, 2, &c);
	assert_true(c.value == 14 && c.running_cycles == 14);
	/* Without a boundary the slice goes on: to 14 cycles, with the next instruction. */
	hpm_set_run(s, &wait);
	branches.nr = 1;
	hpm_set_run(s, &branches);
	hpm_set_count(s, 3, &c);
	assert_true(c.counted == 10 && c.running_cycles == 14 && c.enabled_cycles == 24);
	hpm_set_count(s, 0, &c);
	assert_true(c.counted == 20 && c.running_cycles == 10);
	/* Estimates begin again with a reset. */
	hpm_set_reset(s);
	branches.nr = 4;
	hpm_set_run(s, &branches);
	hpm_set_count(s, 0, &c);
	assert_true(c.counted == 8 && c.running_cycles == 4 && c.enabled_cycles == 4 && c.value == 8);
	hpm_set_free(s);
	hpm_free(h);
}

/* Without a turn so far, an event has an estimate of 0 and has run for 0 cycles. */
static void test_no_turn(void **state)
{
	(void)state;
	static const char *const names[] = {"PAPI_BR_PRC", "PAPI_L1_DCM", NULL};
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct hpm_set *s = make_set(h, names);
	struct signal_run run = retiring(SIGNAL_BRANCH, 1, 10);
	struct hpm_set_count c;
	assert_int_equal(hpm_set_multiplex(s, 11, NULL), SAHM_OK);
	start(s);
	hpm_set_run(s, &run);
	hpm_set_count(s, 1, &c);
	assert_true(c.value == 0 && c.running_cycles == 0 && c.enabled_cycles == 10);
	hpm_set_free(s);
	hpm_free(h);
}

struct heard {
	unsigned nr;
	int64_t counts[16];
	uint64_t pcs[16];
};

static void hear(void *user, struct hpm_set *s, const struct hpm_overflow *o)
{
	struct heard *heard = user;
	(void)s;
	assert_int_equal(o->event, 1);
	heard->counts[heard->nr] = o->count;
	heard->pcs[heard->nr++] = o->pc;
}

/* Every third branch of 10, three of which retire in a cycle: at the boundary after it, with the pc of the next
 * instruction. In the end none. */
static void test_overflow(void **state)
{
	(void)state;
	static const char *const names[] = {"cycles", "PAPI_BR_CN", NULL};
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct hpm_set *s = make_set(h, names);
	struct heard heard = {0};
	struct signal_cause retired[4];
	struct signal_causes causes = {.retired = retired};
	assert_int_equal(hpm_set_overflow(s, 1, 3, hear, &heard, NULL), SAHM_OK);
	start(s);
	for (unsigned cycle = 0; cycle < 5; cycle++) {
		struct signal_run run = retiring(SIGNAL_BRANCH, 2, 1);
		for (unsigned i = 0; i < 2; i++)
			retired[i].pc = 100 + 2 * cycle + i;
		causes.next.pc = 100 + 2 * cycle + 2;
		run.causes = &causes;
		hpm_set_run(s, &run);
	}
	assert_int_equal(heard.nr, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_true(heard.counts[i] == 3 + 3 * (int64_t)i && heard.pcs[i] == 103 + 3 * i);
	/* The count of cycles that nothing retires in is reached at the next boundary, once. */
	assert_int_equal(hpm_set_stop(s, NULL, NULL), SAHM_OK);
	assert_int_equal(hpm_set_overflow(s, 1, 0, NULL, NULL, NULL), SAHM_OK);
	start(s);
	struct signal_run run = retiring(SIGNAL_BRANCH, 2, 100);
	hpm_set_run(s, &run);
	assert_int_equal(heard.nr, 3);
	hpm_set_free(s);
	hpm_free(h);
}

static void test_errors(void **state)
{
	(void)state;
	static const char *const three[] = {"PAPI_BR_PRC", "PAPI_L1_DCM", NULL};
	struct sahm_err err;
	struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
	struct hpm_set *s = hpm_set_new(h);
	fails_with(hpm_set_start(s, &err), &err, "(EINVAL)");
	fails_with(hpm_set_stop(s, NULL, &err), &err, "(ENOTRUN)");
	fails_with(hpm_set_add(s, "PAPI_L1_DMC", &err), &err,
		   "did you mean 'PAPI_L1_DCM'? sahm core events --core NAME lists all (ENOEVNT)");
	fails_with(hpm_set_add(s, "PAPI_STL_ICY", &err), &err, "not available on u74 (ENOEVNT)");
	fails_with(hpm_set_add(s, "0x4003", &err), &err, "u74 has no set 3 of events (ENOEVNT)");
	fails_with(hpm_set_add(s, "0x101ff02", &err), &err,
		   "set 2 of u74 (memory) has no event at bits 14-16, 24 (ENOEVNT)");
	fails_with(hpm_set_add(s, "r4002", &err), &err, "has no event at bit 14 (ENOEVNT)");
	fails_with(hpm_set_add(s, "0x2", &err), &err, "selects no events of set 2");
	fails_with(hpm_set_add(s, "cycles:k", &err), &err, "user code only");
	fails_with(hpm_set_add(s, "r", &err), &err, "(ENOEVNT)");
	fails_with(hpm_set_add(s, "0x80000100", &err), &err, "(ENOEVNT)");
	fails_with(hpm_set_multiplex(s, 0, &err), &err, "(EINVAL)");
	assert_int_equal(hpm_set_nr_events(s), 0);
	hpm_set_free(s);

	s = make_set(h, three);
	fails_with(hpm_set_start(s, &err), &err, "need 3 event counters, there are 2 (ECNFLCT)");
	fails_with(hpm_set_overflow(s, 0, 3, hear, NULL, &err), &err, "(EINVAL)");
	fails_with(hpm_set_overflow(s, 2, 3, hear, NULL, &err), &err, "(ENOEVNT)");
	assert_int_equal(hpm_set_multiplex(s, HPM_SLICE_CYCLES, &err), SAHM_OK);
	start(s);
	fails_with(hpm_set_start(s, &err), &err, "(EISRUN)");
	fails_with(hpm_set_add(s, "cycles", &err), &err, "(EISRUN)");
	fails_with(hpm_set_multiplex(s, 5, &err), &err, "(EISRUN)");
	/* Another set finds the counters in use, until the first is stopped. */
	struct hpm_set *other = make_set(h, (const char *const[]){"PAPI_L1_DCM", NULL});
	fails_with(hpm_set_start(other, &err), &err, "(ECNFLCT)");
	hpm_set_free(s);
	start(other);
	hpm_set_free(other);
	hpm_free(h);

	h = counters(FAMILY_U74, HPM_PLAIN, 1);
	s = hpm_set_new(h);
	fails_with(hpm_set_add(s, "PAPI_BR_PRC", &err), &err, "needs 2 event counters, there are 1 (ECNFLCT)");
	hpm_set_free(s);
	hpm_free(h);
	h = counters(FAMILY_BOOM, HPM_PLAIN, 29);
	s = hpm_set_new(h);
	fails_with(hpm_set_add(s, "PAPI_TOT_CYC", &err), &err, "(ENOEVNT)");
	hpm_set_free(s);
	hpm_free(h);
}

/* Any set on any runs counts what a naive count of each cycle and instruction gives, whichever way runs are cut. */
static void test_naive(void **state)
{
	(void)state;
	static const char *const names[] = {"PAPI_BR_CN",   "PAPI_L1_DCM", "PAPI_LD_INS",
					    "PAPI_INT_INS", "PAPI_BR_PRC", NULL};
	static const enum signal classes[] = {SIGNAL_BRANCH, SIGNAL_LOAD, SIGNAL_FP_LOAD, SIGNAL_ARITHMETIC,
					      SIGNAL_MULTIPLY};
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct rng rng;
		rng_init(&rng, seed, "hpm_set", "runs");
		struct hpm *h = counters(FAMILY_U74, HPM_PLAIN, 2);
		struct hpm_set *s = make_set(h, names);
		uint64_t slice = 1 + rng_below(&rng, 40), group = 0, left = slice;
		int64_t counted[5] = {0};
		uint64_t running[4] = {0};
		assert_int_equal(hpm_set_multiplex(s, slice, NULL), SAHM_OK);
		start(s);
		for (unsigned r = 0; r < 60; r++) {
			struct signal_run run = {.nr = 1 + rng_below(&rng, 30)};
			unsigned nr = (unsigned)rng_below(&rng, 3), of[2];
			run.lanes[SIGNAL_DCACHE_MISS] = rng_below(&rng, 2);
			run.lanes[SIGNAL_MISPREDICTED_BRANCH] = rng_below(&rng, 2);
			for (unsigned i = 0; i < nr; i++) {
				of[i] = (unsigned)rng_below(&rng, ARRAY_SIZE(classes));
				run.lanes[SIGNAL_INSTRUCTION] |= 1u << i;
				run.lanes[classes[of[i]]] |= 1u << i;
			}
			hpm_set_run(s, &run);
			for (uint64_t cycle = 0; cycle < run.nr; cycle++) {
				running[group]++;
				left -= left > 0;
				counted[1] += group == 0 && run.lanes[SIGNAL_DCACHE_MISS];
				counted[4] -= group == 2 && run.lanes[SIGNAL_MISPREDICTED_BRANCH];
				for (unsigned i = 0; i < nr; i++) {
					counted[0] += group == 0 && of[i] == 0;
					counted[2] += group == 1 && (of[i] == 1 || of[i] == 2);
					counted[3] += group == 1 && of[i] > 2;
					counted[4] += group == 2 && of[i] == 0;
					if (left == 0) {
						group = (group + 1) % 3;
						left = slice;
					}
				}
			}
		}
		for (unsigned i = 0; i < 5; i++) {
			struct hpm_set_count c;
			hpm_set_count(s, i, &c);
			if (c.counted != counted[i] || c.running_cycles != running[i / 2])
				fail_msg("seed %llu, %s", (unsigned long long)seed, names[i]);
		}
		hpm_set_free(s);
		hpm_free(h);
	}
}

TEST_FILE(test_hpm_set)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),  cmocka_unit_test(test_kinds),   cmocka_unit_test(test_life),
		cmocka_unit_test(test_turns),  cmocka_unit_test(test_no_turn), cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_errors), cmocka_unit_test(test_naive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
