/* The rules of scheduling, one test each: single passes over queues built by hand. test_scheduling_sets.c has
 * those of sets of cores and of costs, test_sim.c what only runs show.
 */
#include "sim/base/array.h"
#include "tests/unit/sched/ordered/made_queues.h"

/* "none before the first: it stays" */
static void test_nothing_observed_stays(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 30}};
	static const struct place places[] = {{0, UNSEEN, 0}, {0, L2, 0}, {1, LOW, 0}};
	static const char *const policies[] = {"sahm", "sahm-strict", "sahm-listing", "static"};
	struct system sys;

	(void)state;
	/* even with an idle core, and one to swap with; thread 2 sees nothing to swap with either, as 0 is unknown */
	for (size_t i = 0; i < ARRAY_SIZE(policies); i++) {
		MAKE(&sys, ways, places);
		pass(&sys, policies[i]);
		expect_queues(&sys, "0,1 2 -");
		expect_counters(&sys, "0/0 0/0 0/0");
	}
}

/* Rule 1: "If t's inertia is above 0: decrement it, t stays." */
static void test_rule_1_inertia(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct place two[] = {{0, L2, 2}}, matched[] = {{1, L2, 1}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, two);
	pass(&sys, "sahm");
	expect_queues(&sys, "0 -");
	expect_counters(&sys, "1/0");
	pass(&sys, "sahm");
	expect_queues(&sys, "0 -");
	expect_counters(&sys, "0/0");
	pass(&sys, "sahm");
	expect_queues(&sys, "- 0");
	expect_counters(&sys, "5/1");

	/* it falls where the thread would stay anyway, and then no further */
	MAKE(&sys, ways, matched);
	pass(&sys, "sahm");
	expect_counters(&sys, "0/0");
	pass(&sys, "sahm");
	expect_queues(&sys, "- 0");
	expect_counters(&sys, "0/0");
}

/* Rule 2: "If c matches s, t stays", whatever else there is; "A specialised core matches when it serves a component
 * stressed in s; a baseline core matches Low alone." The other core, idle, matches everything and gains more. */
static void test_rule_2_match(void **state)
{
	/* a 0 % core still serves; a table serves where it speeds up */
	static const struct way owns[] = {
		{BASE, 0}, {BRANCH, 10}, {L1I, 0}, {L1D, -20}, {L2 | BRANCH, 30}, {TABLE, 5}, {TABLE, 0}, {TABLE, -5},
	};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(owns); i++) {
		for (unsigned s = 0; s < NR_STATES; s++) {
			const struct way own = owns[i], ways[] = {own, {TABLE, 90}};
			const struct place places[] = {{0, s, 0}};
			bool stays = own.mask == TABLE ? own.pct > 0 : own.mask ? s & own.mask : s == LOW;
			MAKE(&sys, ways, places);
			pass(&sys, "sahm");
			expect_queues(&sys, stays ? "0 -" : "- 0");
			expect_counters(&sys, stays ? "0/0" : "5/1");
		}
	}
}

/* Rule 3: "one idle at that moment, if any (largest speedup for s, then lowest index)" */
static void test_rule_3_largest_speedup(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 10}, {L2, 30}, {L1D, 90}, {L2, 30}, {L2, 20}};
	static const struct place low_core[] = {{0, L2, 0}}, high_core[] = {{3, L2, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, low_core);
	pass(&sys, "sahm");
	expect_queues(&sys, "- - 0 - - -");
	MAKE(&sys, ways, high_core);
	pass(&sys, "sahm");
	expect_queues(&sys, "- - 0 - - -");
}

static void test_rule_3_lowest_index(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}, {BASE, 0}, {L1D, 30}, {BASE, 0}};
	static const struct place places[] = {{3, LOW, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm-listing");
	expect_queues(&sys, "- 0 - - -");
}

/* The speedup that counts is the one for the observed state: of two components stressed, the larger. */
static void test_rule_3_speedup_for_state(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 10}, {BRANCH, 20}, {L1D, 90}};
	static const struct place places[] = {{0, L2 | BRANCH, 0}};
	static const struct way useless[] = {{BASE, 0}, {L2, -10}, {L2, 0}, {L2, -5}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	expect_queues(&sys, "- - 0 -");
	/* matching depends only on the specialisation; -10 < -5 < 0 */
	MAKE(&sys, useless, places);
	pass(&sys, "sahm");
	expect_queues(&sys, "- - 0 -");
}

/* An idle core comes before a swap that would gain more. */
static void test_rule_3_before_4(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 10}};
	static const struct place places[] = {{0, L2, 0}, {1, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	expect_queues(&sys, "- 1 0");
	expect_counters(&sys, "5/1 0/0");
}

/* "idle at that moment": a core left earlier in the pass is, one joined is no longer. */
static void test_rule_3_at_that_moment(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BRANCH, 30}, {L2, 30}};
	static const struct place left[] = {{0, L2, 0}, {1, LOW, 0}};
	static const struct way wanted[] = {{BASE, 0}, {BASE, 0}, {L2, 30}};
	static const struct place joined[] = {{0, L2, 0}, {1, L2, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, left);
	pass(&sys, "sahm");
	expect_queues(&sys, "1 - 0");
	expect_counters(&sys, "5/1 5/1");
	/* core 2 runs a thread that gains there: thread 1 stays, its own core preferred to core 0, idle too */
	MAKE(&sys, wanted, joined);
	pass(&sys, "sahm");
	expect_queues(&sys, "- 1 0");
	expect_counters(&sys, "5/1 0/0");
}

/* Rule 4: "Else one whose head thread gains nothing there: ... the two threads swap." */
static void test_rule_4_swap(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct place places[] = {{0, L2, 0}, {1, BRANCH, 0}};
	static const struct place reversed[] = {{1, LOW, 0}, {0, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0");
	/* "Each thread that moves owes the migration cost and gets its inertia counter set" */
	expect_counters(&sys, "5/1 5/1");
	MAKE(&sys, ways, places);
	pass(&sys, "sahm-strict");
	expect_queues(&sys, "1 0");
	expect_counters(&sys, "5/1 5/1");
	/* with a core of lower index, whose thread has been considered and found nothing */
	MAKE(&sys, ways, reversed);
	pass(&sys, "sahm");
	expect_queues(&sys, "0 1");
	expect_counters(&sys, "5/1 5/1");
}

/* "its observed state is known" */
static void test_rule_4_victim_observed(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct place places[] = {{0, L2, 0}, {1, UNSEEN, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	pass(&sys, "sahm-strict");
	expect_queues(&sys, "0 1");
	expect_counters(&sys, "0/0 0/0");
}

/* "... and not served by that core": only specialisation decides, not the gain. */
static void test_rule_4_victim_served(void **state)
{
	static const struct {
		struct way core;
		unsigned victim;
		bool swapped;
	} rows[] = {
		{{L2, 30}, L2, false},	    {{L2, 30}, L2 | BRANCH, false}, {{L2, 30}, BRANCH, true},
		{{L2, 30}, LOW, true},	    {{L2, 0}, L2, false},	    {{L2, -10}, L2 | L1D, false},
		{{L2, 0}, L1D | L1I, true}, {{L2 | L1D, 30}, L1D, false},   {{L2 | L1D, 30}, L1I, true},
	};
	static const char *const policies[] = {"sahm", "sahm-strict"};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct way ways[] = {{BASE, 0}, rows[i].core};
		const struct place places[] = {{0, L2, 0}, {1, rows[i].victim, 0}};
		for (size_t p = 0; p < 2; p++) {
			MAKE(&sys, ways, places);
			pass(&sys, policies[p]);
			expect_queues(&sys, rows[i].swapped ? "1 0" : "0 1");
		}
	}
}

/* "for a measured table: when its speedup is above 0" */
static void test_rule_4_victim_on_table(void **state)
{
	int32_t ppm[NR_STATES] = {[L2] = 30 * PPM_PER_PCT, [L1D] = 1, [L1I] = 0, [BRANCH] = -1};
	static const struct {
		unsigned victim;
		bool swapped;
	} rows[] = {{L2, false}, {L1D, false}, {L1I, true}, {BRANCH, true}, {LOW, true}};
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct place places[] = {{0, L2, 0}, {1, rows[i].victim, 0}};
		MAKE(&sys, ways, places);
		core_type_table(&sys.made.types[1], "measured", ppm);
		pass(&sys, "sahm");
		expect_queues(&sys, rows[i].swapped ? "1 0" : "0 1");
	}
}

/* "its inertia counter stands at 0 now": the one of a core of lower index has been decremented in this pass. */
static void test_rule_4_victim_inertia(void **state)
{
	static const struct way up[] = {{BASE, 0}, {L2, 30}}, down[] = {{L2, 30}, {BASE, 0}};
	static const struct place later[] = {{0, L2, 0}, {1, BRANCH, 1}};
	static const struct place earlier[] = {{1, L2, 0}, {0, BRANCH, 1}};
	static const struct place earlier_2[] = {{1, L2, 0}, {0, BRANCH, 2}};
	struct system sys;

	(void)state;
	MAKE(&sys, up, later);
	pass(&sys, "sahm");
	expect_queues(&sys, "0 1");
	expect_counters(&sys, "0/0 0/0");
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0");

	MAKE(&sys, down, earlier);
	pass(&sys, "sahm");
	expect_queues(&sys, "0 1");
	expect_counters(&sys, "5/1 5/1");

	MAKE(&sys, down, earlier_2);
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0");
	expect_counters(&sys, "0/0 1/0");
}

/* "it has not moved in this pass": thread 1, swapped to core 0, gains nothing there and has no inertia, and yet thread
 * 2 must wait for the next pass. */
static void test_rule_4_victim_moved(void **state)
{
	static const struct way ways[] = {{L1D, 30}, {L2, 30}, {BASE, 0}};
	static const struct place places[] = {{0, L2, 0}, {1, BRANCH, 0}, {2, L1D, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sys.s.inertia = 0;
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0 2");
	expect_counters(&sys, "0/1 0/1 0/0");
	pass(&sys, "sahm");
	expect_queues(&sys, "2 0 1");
	expect_counters(&sys, "0/1 0/2 0/1");
}

/* "(largest speedup for s, then lowest index)", among those that let their threads go */
static void test_rule_4_which_victim(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 10}, {L2, 30}, {L2, 30}, {L2, 40}};
	static const struct place lowest[] = {{0, L2, 0}, {1, BRANCH, 0}, {2, L1D, 0}, {3, L1I, 0}, {4, L2, 0}};
	static const struct place next[] = {{0, L2, 0}, {1, BRANCH, 0}, {2, L1D, 1}, {3, L1I, 0}, {4, L2, 0}};
	static const struct place last[] = {{0, L2, 0}, {1, BRANCH, 0}, {2, L2, 0}, {3, UNSEEN, 0}, {4, L2, 0}};
	static const struct place own_last[] = {{1, LOW, 0}, {0, BRANCH, 0}, {2, L2, 0}, {3, L2, 0}, {4, L2, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, lowest);
	pass(&sys, "sahm");
	expect_queues(&sys, "2 1 0 3 4");
	MAKE(&sys, ways, next);
	pass(&sys, "sahm");
	expect_queues(&sys, "3 1 2 0 4");
	MAKE(&sys, ways, last);
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0 2 3 4");
	MAKE(&sys, ways, own_last);
	pass(&sys, "sahm");
	expect_queues(&sys, "0 1 2 3 4");
}

/* "A baseline core serves nothing, so its thread never gains there, not even in Low": `sahm` swaps it, `sahm-strict`
 * "swaps only with a thread that does not match its own core". */
static void test_rule_4_low_on_baseline(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct place low[] = {{1, LOW, 0}, {0, LOW, 0}};
	static const struct place branch[] = {{1, LOW, 0}, {0, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, low);
	pass(&sys, "sahm");
	expect_queues(&sys, "0 1");
	expect_counters(&sys, "5/1 5/1");
	MAKE(&sys, ways, low);
	pass(&sys, "sahm-strict");
	expect_queues(&sys, "1 0");
	expect_counters(&sys, "0/0 0/0");
	/* a thread that does not match the baseline core is swapped by both */
	MAKE(&sys, ways, branch);
	pass(&sys, "sahm-strict");
	expect_queues(&sys, "0 1");
}

/* "sahm-listing (step 4 left out)": in a full system nobody ever moves. */
static void test_listing_never_swaps(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L1D, 30}};
	static const struct place places[] = {{0, L2, 0}, {1, LOW, 0}, {2, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm-listing");
	expect_queues(&sys, "0 1 2");
	expect_counters(&sys, "0/0 0/0 0/0");
}

/* Rule 5: "Else t goes to the most idle core (fewest threads, its own counted without t and preferred on a tie, then
 * lowest index)". Threads 1 and above fill the queues; no core serves branches. */
static void test_rule_5_fewest_threads(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}, {BASE, 0}, {BASE, 0}};
	/* own without thread 0: 3; others 2, 1, 1 */
	static const struct place places[] = {{0, BRANCH, 0}, {0, L2, 0},  {0, L2, 0},	{1, LOW, 0},
					      {1, LOW, 0},    {2, LOW, 0}, {3, LOW, 0}, {0, L2, 0}};
	static const char *const policies[] = {"sahm", "sahm-strict", "sahm-listing"};
	struct system sys;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		MAKE(&sys, ways, places);
		pass(&sys, policies[i]);
		/* at the tail, and charged; the next of its queue is the head now */
		expect_queues(&sys, "1,2,7 3,4 5,0 6");
		expect_counters(&sys, "5/1 0/0 0/0 0/0 0/0 0/0 0/0 0/0");
	}
}

static void test_rule_5_own_preferred(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 30}};
	/* own without t 1, others 1: a tie, on a core of higher index than the others and of lower */
	static const struct place last[] = {{2, BRANCH, 0}, {2, L2, 0}, {0, LOW, 0}, {1, L2, 0}};
	static const struct place first[] = {{0, BRANCH, 0}, {0, LOW, 0}, {1, L2, 0}, {2, L2, 0}};
	/* single: own without t 0, others idle but of no use */
	static const struct place alone[] = {{1, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, last);
	pass(&sys, "sahm");
	expect_queues(&sys, "2 3 0,1");
	MAKE(&sys, ways, first);
	pass(&sys, "sahm");
	expect_queues(&sys, "0,1 2 3");
	MAKE(&sys, ways, alone);
	pass(&sys, "sahm");
	expect_queues(&sys, "- 0 -");
	expect_counters(&sys, "0/0");
}

static void test_rule_5_one_fewer(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}, {L2, 30}};
	/* own without t 1; cores 1 and 2 idle, neither matches */
	static const struct place places[] = {{0, BRANCH, 0}, {0, L2, 0}};
	static const struct place up[] = {{2, BRANCH, 0}, {2, L2, 0}, {1, LOW, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0 -");
	/* core 0, idle, comes before */
	MAKE(&sys, ways, up);
	pass(&sys, "sahm");
	expect_queues(&sys, "0 2 1");
	expect_counters(&sys, "5/1 0/0 0/0");
}

/* "in a full system it stays" */
static void test_rule_5_full_system(void **state)
{
	static const struct way ways[] = {{L2, 30}, {L1D, 30}, {BASE, 0}};
	static const struct place places[] = {{0, BRANCH, 0}, {1, L1I, 0}, {2, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	pass(&sys, "sahm-strict");
	pass(&sys, "sahm-listing");
	expect_queues(&sys, "0 1 2");
	expect_counters(&sys, "0/0 0/0 0/0");
}

/* "a thread that has moved in this pass is skipped for the rest of it, undecremented": core 1 comes after core 0,
 * and its head is the thread that has just come from there. */
static void test_moved_is_undecremented(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct place alone[] = {{0, L2, 0}}, pair[] = {{0, L2, 0}, {1, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, alone);
	pass(&sys, "sahm");
	expect_queues(&sys, "- 0");
	expect_counters(&sys, "5/1");
	MAKE(&sys, ways, pair);
	pass(&sys, "sahm");
	expect_queues(&sys, "1 0");
	expect_counters(&sys, "5/1 5/1");
	pass(&sys, "sahm");
	expect_counters(&sys, "4/1 4/1");
}

/* Thread 0 joins core 2, the most idle; thread 1 leaves core 1, which would serve thread 0; core 2 comes next. */
static void test_moved_is_skipped(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L1I, 30}, {BRANCH, 30}};
	static const struct place places[] = {{0, L2, 0}, {1, BRANCH, 0}, {0, LOW, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sys.s.inertia = 0;
	pass(&sys, "sahm-listing");
	expect_queues(&sys, "2 - 0 1");
	expect_counters(&sys, "0/1 0/1 0/0");
	pass(&sys, "sahm-listing");
	expect_queues(&sys, "2 0 - 1");
	expect_counters(&sys, "0/2 0/1 0/0");
}

/* More threads than cores */

/* "a core's threads run round-robin" */
static void test_rotate(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}};
	static const struct place places[] = {{0, LOW, 0}, {0, LOW, 0}, {0, LOW, 0}, {1, LOW, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sched_rotate(&sys.s, 0);
	sched_rotate(&sys.s, 1);
	expect_queues(&sys, "1,2,0 3");
	sched_rotate(&sys.s, 0);
	expect_queues(&sys, "2,0,1 3");
	expect_counters(&sys, "0/0 0/0 0/0 0/0");
}

/* "Only heads are considered in a pass"; "Queued threads keep observed state, inertia and debt; inertia falls only at
 * the head." Thread 1 wants core 1, which serves its head and would let thread 3 go. */
static void test_only_heads_considered(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct place places[] = {{0, LOW, 2}, {0, L2, 3}, {1, L2, 0}, {1, BRANCH, 1}};
	static const struct place ready[] = {{0, LOW, 0}, {0, L2, 0}, {1, L2, 0}, {1, BRANCH, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sys.threads[1].debt_ns = sys.threads[3].debt_ns = 7;
	pass(&sys, "sahm");
	expect_queues(&sys, "0,1 2,3");
	assert_int_equal(sys.threads[0].inertia, 1);
	assert_int_equal(sys.threads[1].inertia, 3);
	assert_int_equal(sys.threads[3].inertia, 1);
	assert_int_equal(sys.threads[1].observed, L2);
	assert_int_equal(sys.threads[3].observed, BRANCH);
	assert_int_equal(sys.threads[1].debt_ns, 7);
	assert_int_equal(sys.threads[3].debt_ns, 7);

	/* "Swapped threads trade places" once they are heads */
	MAKE(&sys, ways, ready);
	pass(&sys, "sahm");
	expect_queues(&sys, "0,1 2,3");
	sched_rotate(&sys.s, 0);
	sched_rotate(&sys.s, 1);
	pass(&sys, "sahm");
	expect_queues(&sys, "3,0 1,2");
	expect_counters(&sys, "0/0 5/1 0/0 5/1");
}

/* "the next thread of the queue that it left runs": it is the head, and a core is considered once in a pass. */
static void test_next_of_queue_runs(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 20}};
	static const struct place places[] = {{0, L2, 0}, {0, L2, 0}, {0, LOW, 2}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	expect_queues(&sys, "1,2 0 -");
	expect_counters(&sys, "5/1 0/0 2/0");
}

/* The head of a queue is the one at that moment: thread 1, after thread 0 before the pass, is swapped away. */
static void test_next_of_queue_can_be_swapped(void **state)
{
	static const struct way ways[] = {{L1D, 30}, {L2, 30}, {BASE, 0}};
	static const struct place places[] = {{0, L2, 0}, {0, BRANCH, 0}, {2, L1D, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	pass(&sys, "sahm");
	expect_queues(&sys, "2 0 1");
	expect_counters(&sys, "5/1 5/1 5/1");
}

/* Swapping and moving keep the places of everyone else. */
static void test_swap_inside_queues(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {BASE, 0}, {BASE, 0}};
	static const struct place places[] = {{0, LOW, 0}, {0, LOW, 0}, {0, LOW, 0}, {1, LOW, 0}, {1, LOW, 0}};
	struct system sys;

	(void)state;
	MAKE(&sys, ways, places);
	sys.s.pass = 1;
	sched_swap(&sys.s, 1, 4);
	expect_queues(&sys, "0,4,2 3,1 -");
	sched_swap(&sys.s, 0, 3);
	expect_queues(&sys, "3,4,2 0,1 -");
	sched_move(&sys.s, 4, 2);
	expect_queues(&sys, "3,2 0,1 4");
	sched_move(&sys.s, 2, 2);
	expect_queues(&sys, "3 0,1 4,2");
	sched_swap(&sys.s, 3, 0);
	expect_queues(&sys, "0 3,1 4,2");
	/* "Each thread that moves owes the migration cost", and again each time */
	expect_counters(&sys, "5/2 5/1 5/1 5/2 5/2");
	for (uint32_t t = 0; t < 5; t++)
		assert_true(sched_has_moved(&sys.s, t));
	sys.s.pass = 2;
	for (uint32_t t = 0; t < 5; t++)
		assert_false(sched_has_moved(&sys.s, t));
}

static void test_policies(void **state)
{
	static const char *const names[] = {"sahm", "sahm-strict", "sahm-listing", "static"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct sched_ext_ops *p = sched_policy_find(names[i]);
		assert_non_null(p);
		assert_string_equal(p->name, names[i]);
	}
	assert_null(sched_policy_find(""));
	assert_null(sched_policy_find("sahm-"));
	assert_null(sched_policy_find("Sahm"));
}

TEST_FILE(test_scheduling)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_observed_stays),
		cmocka_unit_test(test_rule_1_inertia),
		cmocka_unit_test(test_rule_2_match),
		cmocka_unit_test(test_rule_3_largest_speedup),
		cmocka_unit_test(test_rule_3_lowest_index),
		cmocka_unit_test(test_rule_3_speedup_for_state),
		cmocka_unit_test(test_rule_3_before_4),
		cmocka_unit_test(test_rule_3_at_that_moment),
		cmocka_unit_test(test_rule_4_swap),
		cmocka_unit_test(test_rule_4_victim_observed),
		cmocka_unit_test(test_rule_4_victim_served),
		cmocka_unit_test(test_rule_4_victim_on_table),
		cmocka_unit_test(test_rule_4_victim_inertia),
		cmocka_unit_test(test_rule_4_victim_moved),
		cmocka_unit_test(test_rule_4_which_victim),
		cmocka_unit_test(test_rule_4_low_on_baseline),
		cmocka_unit_test(test_listing_never_swaps),
		cmocka_unit_test(test_rule_5_fewest_threads),
		cmocka_unit_test(test_rule_5_own_preferred),
		cmocka_unit_test(test_rule_5_one_fewer),
		cmocka_unit_test(test_rule_5_full_system),
		cmocka_unit_test(test_moved_is_undecremented),
		cmocka_unit_test(test_moved_is_skipped),
		cmocka_unit_test(test_rotate),
		cmocka_unit_test(test_only_heads_considered),
		cmocka_unit_test(test_next_of_queue_runs),
		cmocka_unit_test(test_next_of_queue_can_be_swapped),
		cmocka_unit_test(test_swap_inside_queues),
		cmocka_unit_test(test_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
