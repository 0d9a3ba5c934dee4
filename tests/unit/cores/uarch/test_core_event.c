/* Tables of events: the selectors of papers 000 and 003, and what events are made of. */
#include "cores/uarch/core_event.h"

#include "tests/unit/test.h"

#define BIT(suffix) (UINT64_C(1) << SIGNAL_##suffix)

/* One event of each set that the papers number, the last of the set where they leave doubt; and what families read
 * differently. */
static const struct {
	const char *name;
	enum event_family family;
	uint64_t selector, signals;
} known[] = {
	/* Examples of paper 003. */
	{"CONDITIONAL_BRANCH_RETIRED", FAMILY_U74, 0x4000, BIT(BRANCH)},
	{"BRANCH_DIRECTION_MISPREDICTION", FAMILY_U74, 0x2001, BIT(MISPREDICTED_BRANCH)},
	{"DCACHE_MISS_MMIO_ACCESSES", FAMILY_U74, 0x202, BIT(DCACHE_MISS)},
	{"OTHER_FP_RETIRED", FAMILY_U74, 1 << 25, BIT(FP_OTHER)},
	{"ADDRESSGEN_INTERLOCK", FAMILY_U74, 0x101, BIT(INTERLOCK_ADDRESS)},
	{"PIPE_FLUSH_CSR_WRITE", FAMILY_U74, 0x8001, BIT(FLUSH_SYSTEM)},
	{"PIPE_FLUSH_OTHER_EVENT", FAMILY_U74, 0x10001, BIT(FLUSH_FENCE) | BIT(FLUSH_ORDER)},
	{"FP_INTERLOCK", FAMILY_U74, 0x40001, BIT(INTERLOCK_FP)},
	{"UTLB_MISS", FAMILY_U74, 0x2002, BIT(TLB_WALK)},
	{"EXCEPTION", FAMILY_ROCKET, 0x100, 0},
	{"FENCE", FAMILY_ROCKET, 1 << 26, BIT(FENCE)},
	{"LOAD_USE_INTERLOCK", FAMILY_ROCKET, 0x101, BIT(INTERLOCK_LOAD)},
	{"BRANCH_MISPREDICTION", FAMILY_ROCKET, 0x2001, BIT(MISPREDICTED_BRANCH)},
	{"TARGET_MISPREDICTION", FAMILY_ROCKET, 0x4001, BIT(MISPREDICTED_DIRECT) | BIT(MISPREDICTED_TARGET)},
	{"REPLAY", FAMILY_ROCKET, 0x10001, 0},
	{"L2_TLB_MISS", FAMILY_ROCKET, 0x2002, BIT(TLB_WALK)},
	{"RECOVERING", FAMILY_ROCKET, 0x404, BIT(RECOVERING)},
	{"BRANCH_MISPREDICTION", FAMILY_BOOM, 0x201,
	 BIT(MISPREDICTED_BRANCH) | BIT(MISPREDICTED_DIRECT) | BIT(MISPREDICTED_TARGET)},
	{"TARGET_MISPREDICTION", FAMILY_BOOM, 0x401, BIT(MISPREDICTED_TARGET)},
	{"BRANCH_RESOLVED", FAMILY_BOOM, 0x1001, BIT(BRANCH_RESOLVED)},
	{"RECOVERING", FAMILY_BOOM, 0x203, BIT(RECOVERING)},
	{"FETCH_BUBBLE", FAMILY_BOOM, 0x104, BIT(FETCH_BUBBLE)},
	{"DCACHE_BLOCKED", FAMILY_BOOM, 0x405, BIT(DCACHE_BLOCKED)},
	{"UOP_ISSUED", FAMILY_BOOM, 0x106, BIT(UOP_ISSUED)},
};

static void test_selectors(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct core_event *e = core_event_find(known[i].family, known[i].name);
		if (!e || core_event_selector(e) != known[i].selector || e->signals != known[i].signals)
			fail_msg("%s of %s", known[i].name, event_family_name(known[i].family));
	}
	assert_ptr_equal(core_event_find(FAMILY_U74, "fp_load_retired"), core_event_at(FAMILY_U74, 0, 19));
	assert_null(core_event_find(FAMILY_U74, "UOP_ISSUED"));
	/* Bits of a set without an event, and a set that there is not. */
	assert_null(core_event_at(FAMILY_BOOM, 1, 8));
	assert_null(core_event_at(FAMILY_BOOM, 4, 9));
	assert_int_equal(event_set_places(FAMILY_BOOM, 4), 2);
	assert_int_equal(event_set_places(FAMILY_ROCKET, 3), 0);
	assert_int_equal(event_family_counters(FAMILY_U74), 2);
	assert_int_equal(event_family_counters(FAMILY_BOOM), 29);
}

/* Rows are in order, none twice, and in their sets; what families have together is all signals but those that only
 * formulas and counters of fixed events read. */
static void test_rows(void **state)
{
	(void)state;
	uint64_t signals = BIT(INSTRUCTION) | BIT(ICACHE_REFILL);
	unsigned nr[NR_EVENT_FAMILIES] = {0};
	for (unsigned f = 0; f < NR_EVENT_FAMILIES; f++) {
		const struct core_event *last = NULL;
		for (const struct core_event *e = NULL; (e = core_event_next(f, e)); last = e) {
			if (last && last->set * 64 + last->bit >= e->set * 64 + e->bit)
				fail_msg("%s", e->name);
			assert_ptr_equal(core_event_find(f, e->name), e);
			assert_ptr_equal(core_event_at(f, e->set, e->bit), e);
			assert_in_range(e->bit, EVENT_FIRST_BIT, EVENT_FIRST_BIT + event_set_places(f, e->set) - 1);
			signals |= e->signals;
			nr[f]++;
		}
	}
	assert_int_equal(nr[FAMILY_ROCKET], 19 + 11 + 6 + 3);
	assert_int_equal(nr[FAMILY_BOOM], 1 + 4 + 6 + 2 + 1 + 3 + 1);
	assert_int_equal(nr[FAMILY_U74], 18 + 11 + 6);
	assert_int_equal(signals, (UINT64_C(1) << NR_SIGNALS) - 1);
}

static void test_join(void **state)
{
	(void)state;
	uint64_t selector = 0;
	assert_true(core_event_join(&selector, core_event_find(FAMILY_U74, "FP_LOAD_RETIRED")));
	assert_true(core_event_join(&selector, core_event_find(FAMILY_U74, "INTEGER_LOAD_RETIRED")));
	assert_int_equal(selector, 1 << 19 | 1 << 9);
	assert_false(core_event_join(&selector, core_event_find(FAMILY_U74, "DATA_TLB_MISS")));
	assert_int_equal(selector, 1 << 19 | 1 << 9);
}

static void test_lanes(void **state)
{
	(void)state;
	struct core_timing t = {.kind = CORE_OUT_OF_ORDER, .nr_queues = 2};
	const struct core_event *issued = core_event_find(FAMILY_BOOM, "UOP_ISSUED");
	const struct core_event *bubble = core_event_find(FAMILY_BOOM, "FETCH_BUBBLE");
	t.dispatch_width = 3;
	t.commit_width = 5;
	t.issue_width = 2;
	t.queues[0].issue = 4;
	t.queues[1].issue = 3;
	assert_int_equal(core_event_nr_lanes(issued, &t), 7);
	assert_int_equal(core_event_nr_lanes(bubble, &t), 3);
	assert_int_equal(core_event_nr_lanes(core_event_find(FAMILY_BOOM, "UOP_RETIRED"), &t), 5);
	assert_int_equal(core_event_nr_lanes(core_event_find(FAMILY_BOOM, "RECOVERING"), &t), 1);
	/* Rocket's have one source. */
	assert_int_equal(core_event_nr_lanes(core_event_find(FAMILY_ROCKET, "FETCH_BUBBLE"), &t), 1);
	t.kind = CORE_IN_ORDER;
	assert_int_equal(core_event_nr_lanes(issued, &t), 2);
	assert_int_equal(core_event_nr_lanes(bubble, &t), 2);
	t.kind = CORE_OUT_OF_ORDER;
	t.nr_queues = MAX_ISSUE_QUEUES;
	for (unsigned i = 0; i < MAX_ISSUE_QUEUES; i++)
		t.queues[i].issue = MAX_WIDTH;
	assert_int_equal(core_event_nr_lanes(issued, &t), MAX_SIGNAL_LANES);
}

static void test_lacks(void **state)
{
	(void)state;
	struct core_timing t = {.kind = CORE_OUT_OF_ORDER};
	const struct core_event *interlock = core_event_find(FAMILY_U74, "FP_INTERLOCK");
	const struct core_event *flush = core_event_find(FAMILY_BOOM, "FLUSH");
	t.fence_flushes = true;
	t.memory_order = ORDER_SPECULATIVE;
	assert_int_equal(core_event_lacks(flush, &t), 0);
	assert_int_equal(core_event_lacks(interlock, &t), interlock->signals);
	t.memory_order = ORDER_CONSERVATIVE;
	t.fence_flushes = false;
	assert_int_equal(core_event_lacks(flush, &t), BIT(FLUSH_ORDER) | BIT(FLUSH_FENCE));
	t.kind = CORE_IN_ORDER;
	t.memory_order = ORDER_SPECULATIVE;
	assert_int_equal(core_event_lacks(flush, &t), BIT(FLUSH_ORDER) | BIT(FLUSH_FENCE));
	assert_int_equal(core_event_lacks(interlock, &t), 0);
}

TEST_FILE(test_core_event)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_selectors), cmocka_unit_test(test_rows),	cmocka_unit_test(test_join),
		cmocka_unit_test(test_lanes),	  cmocka_unit_test(test_lacks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
