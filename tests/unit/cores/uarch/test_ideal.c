/* Ideal parts of cores: cases worked by hand, and the settings that say the same. */
#include "cores/uarch/ideal.h"

#include <stdio.h>

#include "cores/uarch/core_model.h"
#include "tests/unit/cores/uarch/timed_core.h"

static struct core_timing ideal_core(unsigned kind, unsigned ideals)
{
	struct core_timing t = wide((enum core_kind)kind);
	ideal_apply(&t, ideals);
	return t;
}

/* A mispredicted branch of latency 1 delays the instruction after it by the pipeline and the redirect, or not at all:
 * a taken one then ends its fetch group as any other. */
static void test_branch(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned taken = 0; taken < 2; taken++) {
			begin();
			add(INSN_BRANCH, NONE, NONE)->flags |=
				(uint8_t)(UOP_BRANCH | UOP_MISPREDICTED | (taken ? UOP_TAKEN : 0));
			add(INSN_INTEGER, 1, NONE);
			struct core_timing t = ideal_core(kind, 0);
			run(&t);
			check("redirected", p.at[1].fetch, first_issue(kind) + 1 + REDIRECT);
			t = ideal_core(kind, 1u << IDEAL_BRANCH);
			run(&t);
			check("not redirected", p.at[1].fetch, taken);
		}
}

/* Loads and stores that miss, hit a line on its way or release one: each takes L1D's latency and no MSHR, also after a
 * load that forwards and would have filled a line. A prefetch delays nothing. */
static void test_l1d(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (unsigned blocking = 0; blocking < 2; blocking++) {
			struct core_timing t = wide((enum core_kind)kind);
			t.mshrs = 1;
			t.line_cycles = 20;
			t.is_blocking = blocking;
			ideal_apply(&t, 1u << IDEAL_L1D);
			begin();
			add_access(INSN_STORE, NONE)->level = LEVEL_MEMORY;
			struct uop *u = add_miss(LEVEL_MEMORY, 1, NONE);
			u->forward = 1;
			u->covers = true;
			u = add_miss(LEVEL_MEMORY, 2, NONE);
			u->releases = true;
			u->nr_prefetches = 1;
			batch->prefetches[0] = (struct uop_prefetch){
				.line = 0x2000, .target = PREFETCH_L1D, .level = LEVEL_MEMORY, .row = ROW_HIT};
			batch->nr_prefetches = 1;
			for (unsigned fill = 1; fill <= 3; fill++)
				add_hit(fill, 2 + fill);
			add_miss(LEVEL_L2, 6, NONE);
			run(&t);
			check("store", p.at[0].drain, p.at[0].commit + 1);
			check("forwarded", p.at[1].complete, p.at[1].issue + FORWARD);
			for (unsigned i = 2; i < batch->nr; i++) {
				check("issue", p.at[i].issue, first_issue(kind) + (kind == CORE_IN_ORDER ? 1 : 0));
				check("hit", p.at[i].complete, p.at[i].issue + L1D);
			}
			check("MSHRs", p.result.mshrs_held, 0);
		}
}

/* From L2 on, all lines come at its latency: 3 misses to memory of a chain of loads. */
static void test_levels(void **state)
{
	(void)state;
	static const struct {
		unsigned ideals, hop;
	} rows[] = {{0, L1D + MEMORY + 11},
		    {1u << IDEAL_L2, L1D + L2},
		    {1u << IDEAL_LLC, L1D + 30},
		    {1u << IDEAL_LLC | 1u << IDEAL_L2, L1D + L2},
		    {1u << IDEAL_L1D | 1u << IDEAL_L2, L1D}};
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			begin();
			for (unsigned k = 0; k < 3; k++)
				add_miss(LEVEL_MEMORY, 1, 1)->row = ROW_CONFLICT;
			struct core_timing t = wide((enum core_kind)kind);
			t.line_cycles = 3;
			ideal_apply(&t, rows[i].ideals);
			run(&t);
			check("chain", p.at[2].complete - p.at[0].issue, 3 * (uint64_t)rows[i].hop);
		}
}

/* A chain of 40 loads, of which each needs the last one's value, runs as fast as 16 are fetched in a cycle. */
static void test_value_prediction(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++) {
		struct core_timing t = ideal_core(kind, 1u << IDEAL_VALUE_PREDICTION);
		begin();
		for (unsigned i = 0; i < 40; i++)
			add_miss(LEVEL_MEMORY, 1, 1);
		run(&t);
		for (unsigned i = 0; i < 40; i++) {
			check("issue", p.at[i].issue, first_issue(kind) + i / 16);
			check("loaded as before", p.at[i].complete, p.at[i].issue + L1D + MEMORY);
		}
		t = ideal_core(kind, 0);
		run(&t);
		check("not predicted", p.at[39].issue, first_issue(kind) + 39 * (L1D + MEMORY));
	}
}

/* A wrong value costs the flush and the way through the front end, after its load has completed; the flush of others
 * nothing. */
static void test_wrong_value(void **state)
{
	(void)state;
	static struct load_predictions predictions;
	for (unsigned kind = 0; kind < NR_CORE_KINDS; kind++) {
		struct core_timing t = wide((enum core_kind)kind);
		struct timing *m = timing_new(&t);
		assert_non_null(m);
		memset(&predictions, 0, sizeof(predictions));
		predictions.right[0] = predictions.wrong[1] = UINT32_C(1) << 3;
		predictions.wrong[2] = UINT32_C(1) << 4;
		begin();
		for (unsigned i = 0; i < 4; i++)
			add_miss(LEVEL_L2, 1, 1);
		timing_take_predictions(m, &predictions, 3);
		timing_batch(m, batch, p.at);
		uint64_t known = first_issue(kind) + L1D + L2;
		check("predicted", p.at[1].issue, first_issue(kind));
		check("fetched again", p.at[2].fetch, known + FLUSH);
		check("after a wrong one", p.at[2].issue, known + FLUSH + first_issue(kind));
		check("not predicted", p.at[3].issue, p.at[2].complete);
		timing_free(m);
	}
}

#define MAX_SETTINGS 20u

static void read_core(const char *name, const char *const *settings, struct core_model *c)
{
	char path[128];
	struct sahm_err err;
	size_t nr = 0;
	while (settings[nr])
		nr++;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", name);
	if (core_model_read(path, settings, nr, "configs/cpus", c, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

/* Those that are other values of keys. */
static void test_settings(void **state)
{
	(void)state;
	static const struct {
		const char *core, *ideal, *settings[MAX_SETTINGS];
	} rows[] = {
		{"golden-cove",
		 "ideal=fetch",
		 {"icache_cycles.l1=0", "icache_cycles.l2=0", "icache_cycles.llc=0", "icache_cycles.memory=0",
		  "itlb_cycles.hit=0", "itlb_cycles.second=0", "itlb_cycles.walk=0", "btb_miss_cycles=0"}},
		{"golden-cove",
		 "ideal=l2",
		 {"data_cycles.llc=10", "data_cycles.memory=10", "row_cycles.hit=0", "row_cycles.closed=0",
		  "row_cycles.conflict=0", "line_cycles=0"}},
		{"golden-cove",
		 "ideal=llc",
		 {"data_cycles.memory=65", "row_cycles.hit=0", "row_cycles.closed=0", "row_cycles.conflict=0",
		  "line_cycles=0"}},
		{"golden-cove",
		 "ideal=tlb",
		 {"itlb_cycles.second=0", "itlb_cycles.walk=0", "dtlb_cycles.second=0", "dtlb_cycles.walk=0"}},
		{"rocket", "ideal=l1d", {"blocking=false"}},
		{"rocket",
		 "ideal=[\"units\"]",
		 {"units[0].units=16", "units[1].units=16", "units[1].pipelined=true", "units[2].units=16",
		  "units[3].units=16", "units[3].pipelined=true", "units[4].units=16"}},
		{"boom-mega",
		 "ideal=(\"queues\")",
		 {"rob=1024", "fetch_buffer=1024", "load_queue=256", "store_queue=256", "mshrs=64", "int_registers=0",
		  "fp_registers=0", "queues[0].entries=256", "queues[1].entries=256", "queues[2].entries=256"}},
		{"boom-mega",
		 "ideal=widths",
		 {"fetch_width=16", "dispatch_width=16", "commit_width=16", "drain_width=16", "queues[0].issue=16",
		  "queues[1].issue=16", "queues[2].issue=16"}},
		{"rocket",
		 "ideal=widths",
		 {"fetch_width=16", "issue_width=16", "same_cycle_memory=16", "commit_width=16", "drain_width=16"}},
		/* Names in any order; an ideal part wins over a value. */
		{"rocket",
		 "ideal=tlb,fetch",
		 {"ideal=[\"fetch\", \"tlb\"]", "icache_cycles.l2=9", "dtlb_cycles.walk=9"}},
		{"rocket", "ideal=[]", {NULL}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *const ideal[] = {rows[i].ideal, NULL};
		struct core_model a, b;
		struct textbuf x, y;
		read_core(rows[i].core, ideal, &a);
		read_core(rows[i].core, rows[i].settings, &b);
		a.timing.ideal = b.timing.ideal = 0;
		textbuf_init(&x);
		textbuf_init(&y);
		core_model_write(&a, &x);
		core_model_write(&b, &y);
		if (strcmp(x.text, y.text) != 0)
			fail_msg("%s with %s:\n%s\ninstead of\n%s", rows[i].core, rows[i].ideal, x.text, y.text);
		textbuf_release(&x);
		textbuf_release(&y);
	}
}

TEST_FILE(test_ideal)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branch),	    cmocka_unit_test(test_l1d),
		cmocka_unit_test(test_levels),	    cmocka_unit_test(test_value_prediction),
		cmocka_unit_test(test_wrong_value), cmocka_unit_test(test_settings),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
