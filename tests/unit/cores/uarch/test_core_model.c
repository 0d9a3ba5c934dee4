/* The shipped models of cores against the tables that they are from. Messages are in tests/golden/core.t. */
#include "cores/uarch/core_model.h"

#include <stdio.h>
#include <string.h>

#include "cores/uarch/core_event.h"
#include "sim/base/array.h"
#include "tests/unit/test.h"

static void read_core(const char *name, struct core_model *c)
{
	char path[128];
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", name);
	if (core_model_read(path, NULL, 0, "configs/cpus", c, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static void check_cache(const struct cache_spec *c, unsigned kib, unsigned ways)
{
	assert_int_equal(c->bytes, kib * 1024);
	assert_int_equal(c->line_bytes, 64);
	if (ways > 0)
		assert_int_equal(c->ways, ways);
}

static void check_table(const struct table_spec *t, unsigned entries, unsigned ways)
{
	assert_int_equal(t->entries, entries);
	assert_int_equal(t->ways, ways);
}

/* Units of the group that executes `class`. */
static unsigned units_of(const struct core_timing *t, enum insn_class class)
{
	return t->groups[t->group[class]].units;
}

static bool is_pipelined(const struct core_timing *t, enum insn_class class)
{
	return t->groups[t->group[class]].is_pipelined;
}

/* Icicle paper, table IV: of all cores, and of each BOOM. */
static void check_icicle(const struct core_geometry *g)
{
	check_cache(&g->l1i, 32, 8);
	check_cache(&g->l1d, 32, 8);
	check_cache(&g->l2, 512, 8);
	assert_int_equal(g->llc.bytes, 0);
}

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
		check_icicle(&c.geometry);
		assert_int_equal(c.geometry.predictor.kind, PREDICTOR_TAGE);
	}
	struct core_model rocket;
	read_core("rocket", &rocket);
	assert_int_equal(rocket.timing.kind, CORE_IN_ORDER);
	assert_int_equal(rocket.timing.fetch_width, 2);
	assert_int_equal(rocket.timing.issue_width, 1);
	check_icicle(&rocket.geometry);
	assert_int_equal(rocket.geometry.predictor.base_bits, 9); /* a BHT of 512 */
	check_table(&rocket.geometry.btb, 28, 28);
}

/* TEA paper, table 2. At 3.2 GHz, 14 cycles of 1 GHz are 44.8, and 64 bytes at 16 GB/s take 12.8. */
static void test_tea(void **state)
{
	(void)state;
	static const unsigned entries[] = {48, 80, 48}, issue[] = {2, 4, 2};
	enum { CAS = 45, RCD = 45, RP = 45 };
	struct core_model c;
	read_core("tea", &c);
	const struct core_timing *t = &c.timing;
	const struct core_geometry *g = &c.geometry;
	assert_int_equal(t->fetch_width, 8);
	assert_int_equal(t->fetch_buffer, 48);
	assert_int_equal(t->dispatch_width, 4);
	assert_int_equal(t->rob, 192);
	assert_int_equal(t->int_registers, 192);
	assert_int_equal(t->fp_registers, 192);
	assert_int_equal(t->load_queue + t->store_queue, 64);
	assert_int_equal(t->nr_queues, 3);
	for (unsigned q = 0; q < 3; q++) {
		assert_int_equal(t->queues[q].entries, entries[q]);
		assert_int_equal(t->queues[q].issue, issue[q]);
	}
	assert_int_equal(t->mshrs, 16);
	check_cache(&g->l1i, 32, 8);
	check_cache(&g->l1d, 32, 8);
	check_cache(&g->l2, 2048, 16);
	assert_int_equal(g->llc.bytes, 0);
	assert_int_equal(g->l1i_prefetchers[0].kind, PREFETCHER_NEXT_LINE);
	assert_int_equal(g->l1d_prefetchers[0].kind, PREFETCHER_NEXT_LINE);
	check_table(&g->itlb, 32, 32);
	check_table(&g->dtlb, 32, 32);
	check_table(&g->second_tlb, 1024, 1);
	assert_int_equal(t->line_cycles, 13);
	assert_int_equal(t->row_cycles[ROW_HIT], CAS);
	assert_int_equal(t->row_cycles[ROW_CLOSED], RCD + CAS);
	assert_int_equal(t->row_cycles[ROW_CONFLICT], RP + RCD + CAS);
	assert_int_equal(g->dram.banks, 4 * 8); /* DDR3 has 8 banks in a rank */
}

/* Calipers paper, table 2; latencies of its published code. */
static void test_gem5(void **state)
{
	(void)state;
	/* By class: units in order, out of order; latency in order, out of order; whether pipelined in order, out of
	 * order. Integer operations take 3 cycles in order, but a bypass gives their result to the next one. */
	static const struct {
		enum insn_class class;
		unsigned units[2], latency[2];
		bool is_pipelined[2];
	} rows[] = {
		{INSN_INTEGER, {2, 6}, {1, 1}, {true, true}},	  {INSN_MULTIPLY, {2, 2}, {3, 3}, {true, true}},
		{INSN_DIVIDE, {2, 2}, {9, 20}, {false, false}},	  {INSN_FP_ADD, {2, 4}, {6, 2}, {true, true}},
		{INSN_FP_CONVERT, {2, 4}, {6, 2}, {true, true}},  {INSN_FP_MULTIPLY, {2, 2}, {6, 4}, {true, true}},
		{INSN_FP_DIVIDE, {2, 2}, {6, 12}, {true, false}}, {INSN_LOAD, {2, 4}, {1, 1}, {true, true}},
		{INSN_STORE, {2, 4}, {1, 1}, {true, true}},
	};
	static const char *const names[] = {"gem5-inorder", "gem5-ooo"};
	struct core_model c[2];
	for (unsigned k = 0; k < 2; k++) {
		read_core(names[k], &c[k]);
		check_cache(&c[k].geometry.l1i, 32, 0);
		check_cache(&c[k].geometry.l1d, 32, 0);
		check_cache(&c[k].geometry.l2, 1024, 0);
		assert_int_equal(c[k].geometry.llc.bytes, 0);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			const struct core_timing *t = &c[k].timing;
			const char *class = insn_class_name(rows[i].class);
			if (units_of(t, rows[i].class) != rows[i].units[k] ||
			    t->latency[rows[i].class] != rows[i].latency[k] ||
			    is_pipelined(t, rows[i].class) != rows[i].is_pipelined[k])
				fail_msg("%s: %s", names[k], class);
		}
	}
	const struct core_timing *i = &c[0].timing, *o = &c[1].timing;
	assert_int_equal(i->kind, CORE_IN_ORDER);
	assert_int_equal(i->issue_width, 2);
	assert_int_equal(i->store_queue, 2);
	assert_int_equal(i->same_cycle_memory, 2);
	assert_int_equal(i->decode_cycles, 2 + 1); /* decode, dispatch */
	assert_int_equal(i->resolve_cycles, 3);
	assert_int_equal(o->kind, CORE_OUT_OF_ORDER);
	assert_int_equal(o->nr_queues, 1);
	assert_int_equal(o->queues[0].issue, 8);
	assert_int_equal(o->rob, 192);
	assert_int_equal(o->load_queue, 32);
	assert_int_equal(o->store_queue, 32);
	assert_int_equal(o->decode_cycles, 1);
	assert_int_equal(o->dispatch_cycles, 3);
	assert_int_equal(o->commit_cycles, 1);
}

/* The dissertation's table 3.4, and what the manufacturer says about Golden Cove. */
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
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		read_core(rows[i].name, &c);
		const struct core_timing *t = &c.timing;
		assert_int_equal(t->fetch_width, rows[i].width);
		assert_int_equal(t->dispatch_width, rows[i].width);
		assert_int_equal(t->commit_width, rows[i].width);
		assert_int_equal(t->rob, rows[i].rob);
		assert_int_equal(t->int_registers, rows[i].registers);
		assert_int_equal(units_of(t, INSN_LOAD), rows[i].memory_units);
		assert_int_equal(t->load_queue + t->store_queue, rows[i].lsq);
		check_cache(&c.geometry.l1d, rows[i].l1d_kib, 0);
		check_cache(&c.geometry.l1i, 64, 0);
		check_cache(&c.geometry.l2, 8192, 0);
	}
	read_core("golden-cove", &c);
	assert_int_equal(c.timing.fetch_width, 8);
	assert_int_equal(c.timing.dispatch_width, 6);
	assert_int_equal(c.timing.commit_width, 8);
	assert_int_equal(c.timing.rob, 512);
	assert_int_equal(c.timing.load_queue, 192);
	assert_int_equal(c.timing.store_queue, 114);
	assert_int_equal(c.timing.mshrs, 16);
	assert_int_equal(c.geometry.itlb.entries, 256);
	assert_int_equal(c.geometry.dtlb.entries, 96);
	assert_int_equal(c.geometry.second_tlb.entries, 2048);
	assert_int_equal(c.geometry.btb.entries, 12 * 1024);
}

/* What specialised cores change of golden-cove: sizes, latencies by the rule of docs/cores.md, and structures. */
static void test_specialised(void **state)
{
	(void)state;
	enum {
		NO = PREFETCHER_NONE,
		EN = PREFETCHER_ENTANGLING,
		L1D = PREFETCHER_STRIDE,
		BERTI = PREFETCHER_BERTI,
		L2 = PREFETCHER_NEXT_LINE,
		BO = PREFETCHER_BEST_OFFSET,
		ST = PREFETCHER_STREAM
	};
	static const struct {
		const char *name;
		unsigned l1i_kib, l1d_kib, l2_kib, predictor_kb; /* 0: golden-cove's */
		unsigned decode, l1d_cycles, l2_cycles;		 /* the last two from load to use */
		unsigned l1i, l1d, l2[2];			 /* prefetchers */
	} rows[] = {
		{"golden-cove", 32, 48, 1280, 0, 8, 5, 15, NO, L1D, {L2}},
		{"special-branch", 32, 48, 1280, 64, 8, 5, 15, NO, L1D, {L2}},
		{"special-branch-256", 32, 48, 1280, 256, 8, 5, 15, NO, L1D, {L2}},
		{"special-l1i", 64, 48, 1280, 0, 9, 5, 15, EN, L1D, {L2}},
		{"special-l1i-size", 64, 48, 1280, 0, 9, 5, 15, NO, L1D, {L2}},
		{"special-l1i-entangling", 32, 48, 1280, 0, 8, 5, 15, EN, L1D, {L2}},
		{"special-l1d", 32, 96, 1280, 0, 8, 6, 16, NO, BERTI, {L2}},
		{"special-l1d-size", 32, 96, 1280, 0, 8, 6, 16, NO, L1D, {L2}},
		{"special-l1d-berti", 32, 48, 1280, 0, 8, 5, 15, NO, BERTI, {L2}},
		{"special-l2", 32, 48, 4096, 0, 8, 5, 18, NO, L1D, {BO, ST}},
		{"special-l2-size", 32, 48, 4096, 0, 8, 5, 18, NO, L1D, {L2}},
		{"special-l2-best-offset", 32, 48, 1280, 0, 8, 5, 15, NO, L1D, {BO}},
		{"special-l2-stream", 32, 48, 1280, 0, 8, 5, 15, NO, L1D, {ST}},
		{"general", 32, 48, 1280, 64, 8, 5, 15, EN, BERTI, {BO, ST}},
	};
	struct core_model base, c;
	read_core("golden-cove", &base);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		read_core(rows[i].name, &c);
		const struct core_geometry *g = &c.geometry;
		struct core_timing t = c.timing;
		print_message("%s\n", rows[i].name);
		check_cache(&g->l1i, rows[i].l1i_kib, 0);
		check_cache(&g->l1d, rows[i].l1d_kib, 0);
		check_cache(&g->l2, rows[i].l2_kib, 0);
		assert_int_equal(g->l1i_prefetchers[0].kind, rows[i].l1i);
		assert_int_equal(g->l1d_prefetchers[0].kind, rows[i].l1d);
		for (unsigned n = 0; n < 2; n++)
			assert_int_equal(g->l2_prefetchers[n].kind, rows[i].l2[n]);
		const struct predictor_storage s = predictor_storage(&g->predictor);
		uint64_t bits = s.directions + s.corrector + s.loops;
		assert_int_equal(g->predictor.kind, rows[i].predictor_kb ? PREDICTOR_TAGE_SC_L : PREDICTOR_TAGE);
		if (rows[i].predictor_kb)
			assert_in_range(bits, rows[i].predictor_kb * 7782, rows[i].predictor_kb * 8192);
		assert_int_equal(t.decode_cycles, rows[i].decode);
		assert_int_equal(t.l1d_cycles, rows[i].l1d_cycles);
		assert_int_equal(t.forward_cycles, rows[i].l1d_cycles);
		assert_int_equal(t.l1d_cycles + t.data_cycles[LEVEL_L2], rows[i].l2_cycles);
		/* Lines from beyond a slower L2 are later by as much; nothing else differs. */
		unsigned later = t.data_cycles[LEVEL_L2] - base.timing.data_cycles[LEVEL_L2];
		t.decode_cycles = base.timing.decode_cycles;
		t.l1d_cycles = base.timing.l1d_cycles;
		t.forward_cycles = base.timing.forward_cycles;
		for (unsigned level = LEVEL_L2; level <= LEVEL_MEMORY; level++) {
			t.data_cycles[level] = (uint16_t)(t.data_cycles[level] - later);
			t.icache_cycles[level] = (uint16_t)(t.icache_cycles[level] - later);
		}
		assert_memory_equal(&t, &base.timing, sizeof(t));
	}
}

/* Every member of a model that changes cycles is in its text: one that differs has another hash. */
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
		"seed=2",
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

/* A core has the events of its kind, or those that it names, and the same hash with any. */
static void test_events(void **state)
{
	(void)state;
	static const struct {
		const char *core, *setting;
		enum event_family family;
	} rows[] = {
		{"rocket", "seed=1", FAMILY_ROCKET},
		{"golden-cove", "seed=1", FAMILY_BOOM},
		{"u74", "seed=1", FAMILY_U74},
		{"rocket", "events=boom", FAMILY_BOOM},
		{"golden-cove", "events=u74", FAMILY_U74},
		{"u74", "events=rocket", FAMILY_ROCKET},
	};
	char usual[HASH_HEX_BYTES], hash[HASH_HEX_BYTES], path[64];
	struct core_model c;
	struct sahm_err err;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		read_core(rows[i].core, &c);
		assert_int_equal(core_model_hash(&c, usual, &err), SAHM_OK);
		snprintf(path, sizeof(path), "configs/cores/%s.cfg", rows[i].core);
		assert_int_equal(core_model_read(path, &rows[i].setting, 1, "configs/cpus", &c, &err), SAHM_OK);
		assert_int_equal(c.events, rows[i].family);
		assert_int_equal(core_model_hash(&c, hash, &err), SAHM_OK);
		assert_string_equal(hash, usual);
	}
}

/* Latencies, ideal ones too, count in the geometry of cores that have a prefetcher that needs time, and of no others.
 * Of golden-cove: memory with a closed row takes 180 + 90 cycles. */
static void test_clock(void **state)
{
	(void)state;
	static const struct {
		const char *settings[2], *changed;
		bool is_same;
	} rows[] = {
		{{"l1i.prefetcher=none", "l1d.prefetcher=stride"}, "data_cycles.l2=11", true},
		{{"l1i.prefetcher=none", "l1d.prefetcher=berti"}, "icache_cycles.l2=11", true},
		{{"l1i.prefetcher=none", "l1d.prefetcher=berti"}, "data_cycles.l2=11", false},
		{{"l1i.prefetcher=none", "l1d.prefetcher=berti"}, "clock_cpi=900", false},
		{{"l1i.prefetcher=none", "l1d.prefetcher=berti"}, "ideal=llc", false},
		{{"l1i.prefetcher=entangling", "l1d.prefetcher=stride"}, "data_cycles.l2=11", true},
		{{"l1i.prefetcher=entangling", "l1d.prefetcher=stride"}, "ideal=fetch", false},
	};
	static struct core_model c, changed;
	struct sahm_err err;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *const settings[] = {rows[i].settings[0], rows[i].settings[1], rows[i].changed};
		assert_int_equal(
			core_model_read("configs/cores/golden-cove.cfg", settings, 2, "configs/cpus", &c, &err),
			SAHM_OK);
		assert_int_equal(
			core_model_read("configs/cores/golden-cove.cfg", settings, 3, "configs/cpus", &changed, &err),
			SAHM_OK);
		if (core_geometry_is_same(&c.geometry, &changed.geometry) != rows[i].is_same)
			fail_msg("%s %s %s", settings[0], settings[1], settings[2]);
		assert_int_equal(c.geometry.clock.data[LEVEL_MEMORY], strstr(settings[1], "berti") ? 270 : 0);
		assert_int_equal(c.geometry.clock.code[LEVEL_L2], strstr(settings[0], "entangling") ? 15 : 0);
	}
}

TEST_FILE(test_core_model)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_icicle), cmocka_unit_test(test_tea),	   cmocka_unit_test(test_gem5),
		cmocka_unit_test(test_others), cmocka_unit_test(test_specialised), cmocka_unit_test(test_settings),
		cmocka_unit_test(test_events), cmocka_unit_test(test_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
