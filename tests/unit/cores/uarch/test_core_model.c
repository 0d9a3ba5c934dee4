/* The shipped models of cores against the tables that they are from. Messages are in tests/golden/core.t. */
#include "cores/uarch/core_model.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

static void read_core(const char *name, struct core_model *c)
{
	char path[128];
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", name);
	if (core_model_read(path, NULL, 0, "configs/cpus", c, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* Icicle paper, table IV. */
static void test_icicle(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned fetch, decode, rob, queues[3], issue[3], loads, stores, mshrs;
	} rows[] = {
		{"boom-small", 4, 1, 32, {8, 8, 8}, {1, 1, 1}, 8, 8, 2},
		{"boom-medium", 4, 2, 64, {12, 20, 16}, {1, 2, 1}, 16, 16, 2},
		{"boom-large", 8, 3, 96, {16, 32, 24}, {1, 3, 1}, 24, 24, 4},
		{"boom-mega", 8, 4, 128, {24, 40, 32}, {2, 4, 2}, 32, 32, 8},
		{"boom-giga", 8, 5, 130, {24, 40, 32}, {2, 5, 2}, 32, 32, 8},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct core_model c;
		read_core(rows[i].name, &c);
		const struct core_timing *t = &c.timing;
		assert_int_equal(t->kind, CORE_OUT_OF_ORDER);
		assert_int_equal(t->fetch_width, rows[i].fetch);
		assert_int_equal(t->dispatch_width, rows[i].decode);
		assert_int_equal(t->rob, rows[i].rob);
		assert_int_equal(t->load_queue, rows[i].loads);
		assert_int_equal(t->store_queue, rows[i].stores);
		assert_int_equal(t->mshrs, rows[i].mshrs);
		assert_int_equal(t->nr_queues, 3);
		for (unsigned q = 0; q < 3; q++) {
			assert_int_equal(t->queues[q].entries, rows[i].queues[q]);
			assert_int_equal(t->queues[q].issue, rows[i].issue[q]);
		}
		assert_int_equal(c.geometry.l1i.bytes, 32768);
		assert_int_equal(c.geometry.l1d.bytes, 32768);
		assert_int_equal(c.geometry.l2.bytes, 524288);
		assert_int_equal(c.geometry.llc.bytes, 0);
	}
	struct core_model rocket;
	read_core("rocket", &rocket);
	assert_int_equal(rocket.timing.kind, CORE_IN_ORDER);
	assert_int_equal(rocket.timing.fetch_width, 2);
	assert_int_equal(rocket.timing.issue_width, 1);
	assert_int_equal(rocket.geometry.l1d.bytes, 32768);
}

/* TEA paper, table 2, and the dissertation's table 3.4. */
static void test_others(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned width, rob, registers, memory_units, lsq, l1d_kib;
	} rows[] = {
		{"ns-8w", 8, 192, 256, 1, 32, 64},	{"ns-6w-ls", 6, 192, 256, 2, 32, 64},
		{"ns-rob", 8, 384, 512, 1, 32, 64},	{"ns-lsq", 8, 192, 256, 2, 64, 64},
		{"ns-4w-mem", 4, 192, 256, 2, 32, 128},
	};
	struct core_model c;
	read_core("tea", &c);
	assert_int_equal(c.timing.fetch_width, 8);
	assert_int_equal(c.timing.fetch_buffer, 48);
	assert_int_equal(c.timing.dispatch_width, 4);
	assert_int_equal(c.timing.rob, 192);
	assert_int_equal(c.timing.queues[1].entries, 80);
	assert_int_equal(c.timing.mshrs, 16);
	assert_int_equal(c.geometry.l2.bytes, 2 << 20);
	assert_int_equal(c.geometry.l1d_prefetcher.kind, PREFETCHER_NEXT_LINE);
	assert_int_equal(c.geometry.second_tlb.entries, 1024);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		read_core(rows[i].name, &c);
		const struct core_timing *t = &c.timing;
		assert_int_equal(t->dispatch_width, rows[i].width);
		assert_int_equal(t->rob, rows[i].rob);
		assert_int_equal(t->int_registers, rows[i].registers);
		assert_int_equal(t->groups[t->group[INSN_LOAD]].units, rows[i].memory_units);
		assert_int_equal(t->load_queue + t->store_queue, rows[i].lsq);
		assert_int_equal(c.geometry.l1d.bytes, rows[i].l1d_kib * 1024);
		assert_int_equal(c.geometry.l1i.bytes, 65536);
		assert_int_equal(c.geometry.l2.bytes, 8 << 20);
	}
}

/* Every member of a model is in its text: one that differs has another hash. */
static void test_settings(void **state)
{
	(void)state;
	static const char *const settings[] = {
		"rob=100",
		"l1d.size_kib=24",
		"cpu=zen4",
		"units[0].units=3",
		"queues[1].entries=7",
		"latency.fp-add=9",
		"icache_cycles.memory=1",
		"memory_order=perfect",
		"store_fill=commit",
		"fence_flushes=true",
		"l2.replacement=random",
		"l1d.prefetcher=none",
		"dram.banks=8",
		"predictor.counters=64",
		"name=other",
	};
	char first[HASH_HEX_BYTES], hash[HASH_HEX_BYTES];
	struct core_model c;
	struct sahm_err err;
	read_core("golden-cove", &c);
	assert_int_equal(core_model_hash(&c, first, &err), SAHM_OK);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		if (core_model_read("configs/cores/golden-cove.cfg", &settings[i], 1, "configs/cpus", &c, &err) !=
		    SAHM_OK)
			fail_msg("%s", err.msg);
		assert_int_equal(core_model_hash(&c, hash, &err), SAHM_OK);
		if (strcmp(hash, first) == 0)
			fail_msg("%s changes nothing", settings[i]);
	}
}

TEST_FILE(test_core_model)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_icicle),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_settings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
