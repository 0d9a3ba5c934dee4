/* Short runs, every number of which is worked out beside it: placement, what policies observe, debts, run time, counts.
 * test_sim_presence.c has arrivals, departures and warm-up.
 */
#include <inttypes.h>
#include <string.h>

#include "tests/unit/made_run.h"
#include "tests/unit/test.h"

/* "Thread i starts on core i modulo the number of cores, free of charge." */
static void test_placement(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {
		TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
		TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100)),
	};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .cost_ns = MS(1), .steps = 6}, &o);
	/* three share core 0, two timesteps each at 30 %; two share core 1, three each at baseline speed */
	for (uint32_t t = 0; t < 5; t += 2)
		expect_thread(&o, t, MS(26), 2, 2, 2, 0, 0);
	for (uint32_t t = 1; t < 5; t += 2)
		expect_thread(&o, t, MS(30), 3, 0, 0, 0, 0);
}

/* "none before the first: it stays", though there is an idle core that matches. */
static void test_first_timestep_stays(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .steps = 1}, &o);
	expect_thread(&o, 0, MS(10), 1, 0, 0, 0, 0);
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .steps = 2}, &o);
	expect_thread(&o, 0, MS(23), 2, 1, 1, 0, 1);
}

/* A thread that moves by step 3 runs on its new core in this timestep, and a match is not left again. */
static void test_moved_runs_at_once(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 10}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	/* one timestep at 1, three at 1.3 */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm-listing", .steps = 4}, &o);
	expect_thread(&o, 0, MS(49), 4, 3, 3, 0, 1);
}

/* "Read literally (only idle cores are "available") a full system never migrates." */
static void test_listing_in_full_system(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L1D, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_branch, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm-listing", .oracle = true}, &o);
	for (uint32_t t = 0; t < 3; t++)
		expect_thread(&o, t, MS(100), 10, 0, 0, 0, 0);
}

static void test_static_never_moves(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L1D, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .oracle = true}, &o);
	for (uint32_t t = 0; t < 2; t++)
		expect_thread(&o, t, MS(100), 10, 0, 0, 0, 0);
}

/* Inertia 5: a thread that has moved stays for five passes. Two threads in Low and one baseline core, which `sahm`
 * lets them take from each other whenever it may: in pass 2, the first with something observed, and every inertia + 1
 * passes after. */
static void test_inertia_set_on_move(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(1000)), TRACE(all_low, MS(1000))};
	static const struct {
		uint32_t inertia;
		uint64_t steps, migrations; /* of each thread */
	} rows[] = {
		{0, 1, 0}, {0, 2, 1}, {0, 3, 2}, {0, 14, 13}, {1, 3, 1},  {1, 4, 2},  {1, 5, 2},
		{1, 6, 3}, {5, 2, 1}, {5, 7, 1}, {5, 8, 2},   {5, 13, 2}, {5, 14, 3},
	};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct setup setup = {CORES(ways), THREADS(threads), .policy = "sahm", .inertia = rows[i].inertia,
				      .steps = rows[i].steps};
		simulate(&setup, &o);
		assert_int_equal(o.threads[0].migrations, rows[i].migrations);
		assert_int_equal(o.threads[1].migrations, rows[i].migrations);
		setup.policy = "sahm-strict";
		simulate(&setup, &o);
		assert_int_equal(o.threads[0].migrations + o.threads[1].migrations, 0);
	}
}

/* "the oracle knows, from the first pass on, the state in which the coming timestep begins": with epochs of one
 * timestep, in turn L2 and Low, it is always right and the last timestep always wrong. */
static void test_oracle(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 0}};
	static const uint8_t trace[] = {L2, LOW};
	static const struct sim_thread threads[] = {TRACE(trace, STEP_NS)};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .oracle = true, .steps = 4}, &o);
	expect_thread(&o, 0, MS(40), 4, 2, 4, 3, 4);
	/* starts on the baseline core in L2, then goes where it should have been before */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .steps = 4}, &o);
	expect_thread(&o, 0, MS(40), 4, 0, 0, 3, 3);
}

/* "the one in which its last executed timestep began", not ended: with epochs of 15 ms, the second timestep begins in
 * L2 and ends in Low. */
static void test_observed_at_begin(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 0}};
	static const uint8_t trace[] = {L2, LOW};
	static const struct sim_thread threads[] = {TRACE(trace, MS(15))};
	struct outcome o;

	(void)state;
	/* moved before the second, stays in the third, which begins in Low */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .steps = 3}, &o);
	expect_thread(&o, 0, MS(30), 3, 1, 1, 1, 1);
	/* moved before the first, and back before the third */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .oracle = true, .steps = 3}, &o);
	expect_thread(&o, 0, MS(30), 3, 2, 3, 1, 2);
}

/* More threads than cores */

/* "a core's threads run round-robin, one timestep each" */
static void test_round_robin(void **state)
{
	static const struct way ways[] = {{BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_low, MS(100)), TRACE(all_low, MS(100)),
						    TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	for (uint64_t steps = 1; steps <= 7; steps++) {
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .steps = steps}, &o);
		for (uint32_t t = 0; t < 3; t++) {
			uint64_t n = (steps + 2 - t) / 3;
			expect_thread(&o, t, n * STEP_NS, n, 0, n, 0, 0);
		}
	}
}

/* Two threads per core. Timesteps 1 and 2 show each one's state. In pass 3, threads 0 and 1 are heads: thread 1, in
 * L2, takes thread 0's place and runs there at once; in pass 4 thread 3 takes thread 2's. */
static void test_swap_with_queues(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_branch, MS(100)), TRACE(all_l2, MS(100)),
						    TRACE(all_branch, MS(100)), TRACE(all_l2, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .steps = 8}, &o);
	/* four timesteps each; in L2, 10 + 3 x 13 */
	for (uint32_t t = 0; t < 4; t += 2)
		expect_thread(&o, t, MS(40), 4, 0, 0, 0, 1);
	for (uint32_t t = 1; t < 4; t += 2)
		expect_thread(&o, t, MS(49), 4, 3, 3, 0, 1);

	/* debts of 13 ms, paid as far as 10 in the timestep of the swap; the rest waits in the queue with the thread:
	 * 10 + 0 + (10 - 3) + 10, and in L2 10 + 0 + (10 - 3) x 1.3 + 13 */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(13), .steps = 8}, &o);
	for (uint32_t t = 0; t < 4; t += 2)
		expect_thread(&o, t, MS(27), 4, 0, 0, 0, 1);
	for (uint32_t t = 1; t < 4; t += 2)
		expect_thread(&o, t, US(32100), 4, 3, 3, 0, 1);
}

/* Migration cost */

/* One thread in L2 that goes to a core of 30 % before its second timestep and pays at the start of it. */
static void test_cost_and_timestep(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100))};
	static const struct {
		const char *name;
		uint64_t cost_ns;
		uint64_t completed_ns[5]; /* after 1 to 5 timesteps */
	} rows[] = {
		{"none", 0, {MS(10), MS(23), MS(36), MS(49), MS(62)}},
		/* 9 x 1.3 = 11.7 */
		{"1 ms", MS(1), {MS(10), US(21700), US(34700), US(47700), US(60700)}},
		/* 1 x 1.3 = 1.3 */
		{"9 ms", MS(9), {MS(10), US(11300), US(24300), US(37300), US(50300)}},
		/* 1 ns x 1.3 = 1.3, cut to whole ns */
		{"timestep - 1 ns", STEP_NS - 1, {MS(10), MS(10) + 1, MS(23) + 1, MS(36) + 1, MS(49) + 1}},
		{"timestep", STEP_NS, {MS(10), MS(10), MS(23), MS(36), MS(49)}},
		/* 1 ns less of the third: 13,000,000 - 1.3 = 12,999,998.7 */
		{"timestep + 1 ns", STEP_NS + 1, {MS(10), MS(10), MS(23) - 2, MS(36) - 2, MS(49) - 2}},
		/* "what exceeds a timestep carries over": 10 + 10 + 5, then 5 x 1.3 */
		{"25 ms", MS(25), {MS(10), MS(10), MS(10), US(16500), US(29500)}},
		{"more than can be paid", UINT64_MAX, {MS(10), MS(10), MS(10), MS(10), MS(10)}},
	};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (uint64_t steps = 1; steps <= 5; steps++) {
			simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm",
						 .cost_ns = rows[i].cost_ns, .steps = steps},
				 &o);
			if (o.threads[0].completed_ns != rows[i].completed_ns[steps - 1])
				print_error("cost: %s\n", rows[i].name);
			/* "a step spent wholly on debt is executed and observed like any other" */
			expect_thread(&o, 0, rows[i].completed_ns[steps - 1], steps, steps - 1, steps - 1, 0,
				      steps > 1);
		}
	}
}

/* "Debts add up": thread 1, in Branch, which nobody serves, is swapped away in pass 2 by thread 0, in L2, and in pass
 * 3 by thread 2, in L1D. It pays 10 of 15, 10 of 5 + 15, 10 of 10. */
static void test_debts_add_up(void **state)
{
	static const struct way ways[] = {{L1D, 30}, {L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_branch, MS(100)),
						    TRACE(all_l1d, MS(100))};
	static const uint64_t completed_ns[5][3] = {
		{MS(10), MS(10), MS(10)},
		{MS(10), MS(10), MS(20)},
		/* thread 0: half a timestep at 1.3 */
		{US(16500), MS(10), MS(20)},
		{US(29500), MS(10), US(26500)},
		{US(42500), MS(20), US(39500)},
	};
	struct outcome o;

	(void)state;
	for (uint64_t n = 1; n <= 5; n++) {
		const uint64_t *ns = completed_ns[n - 1];
		simulate(
			&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(15), .steps = n},
			&o);
		uint64_t since_2 = n - 1, since_3 = n > 2 ? n - 2 : 0;
		expect_thread(&o, 0, ns[0], n, since_2, since_2, 0, n >= 2);
		expect_thread(&o, 1, ns[1], n, 0, 0, 0, n < 3 ? n - 1 : 2);
		expect_thread(&o, 2, ns[2], n, since_3, since_3, 0, n >= 3);
	}

	/* thread 1 owes 2^63 - 2 ms when as much again and 8 ms are added: more than 64 bits hold, and never paid */
	const uint64_t half = UINT64_C(1) << 63;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = half + MS(8), .steps = 9},
		 &o);
	expect_thread(&o, 0, MS(10), 9, 8, 8, 0, 1);
	expect_thread(&o, 1, MS(10), 9, 0, 0, 0, 2);
	expect_thread(&o, 2, MS(20), 9, 7, 7, 0, 1);
}

/* A timestep spent wholly on debt is observed: the thread goes to the L2 core for what it did in its first timestep,
 * is in Low by then, pays, and goes back for it. */
static void test_debt_step_is_observed(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 0}};
	static const uint8_t trace[] = {L2, LOW, LOW, LOW, LOW, LOW, LOW, LOW, LOW, LOW};
	static const struct sim_thread threads[] = {TRACE(trace, STEP_NS)};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = STEP_NS, .steps = 4}, &o);
	/* L2 on baseline; Low on L2, in debt; Low on baseline, in debt; Low on baseline */
	expect_thread(&o, 0, MS(20), 4, 0, 2, 1, 2);
}

/* "While paying, the thread makes no progress and the core is busy": it reaches no boundary meanwhile. */
static void test_no_progress_while_paying(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}};
	static const uint8_t trace[] = {L2, L2, LOW};
	/* 10 at 1, then 4 ms of debt, 6 x 1.3 = 7.8; 2.2 ms to the boundary are 1.692307.. ms at 1.3, that is 1692308
	 * ns (2.2000004 ms), then 8.307692 ms of Low */
	static const struct sim_thread threads[] = {TRACE(trace, STEP_NS)};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(4), .steps = 2}, &o);
	expect_thread(&o, 0, US(17800), 2, 1, 1, 0, 1);
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(4), .steps = 3}, &o);
	expect_thread(&o, 0, MS(20) + 8307692, 3, 2, 2, 0, 1);
}

/* Run time */

/* "A run lasts as long as the longest trace of its workload (baseline time), or a given time"; it is "rounded up to
 * whole timesteps". */
static void test_run_time(void **state)
{
	static const struct way ways[] = {{L2, 30}, {BASE, 0}, {BASE, 0}};
	static const uint8_t ten[10] = {LOW}, three[3] = {LOW};
	static const struct {
		const char *name;
		struct sim_thread threads[3];
		uint64_t duration_ns, nr_timesteps;
	} rows[] = {
		{"whole timesteps", {TRACE(ten, MS(10)), TRACE(three, MS(10)), TRACE(all_l2, MS(90))}, 0, 10},
		{"1 ns more", {TRACE(all_low, MS(100) + 1), TRACE(three, MS(10)), TRACE(all_l2, MS(90))}, 0, 11},
		{"1 ns less", {TRACE(all_low, MS(100) - 1), TRACE(three, MS(10)), TRACE(all_l2, MS(90))}, 0, 10},
		{"not most epochs", {TRACE(ten, MS(10)), TRACE(three, MS(50)), TRACE(all_l2, MS(90))}, 0, 15},
		{"not longest epoch", {TRACE(all_l2, MS(90)), TRACE(three, MS(20)), TRACE(ten, MS(10))}, 0, 10},
		{"shorter than a timestep", {TRACE(all_low, 1000), TRACE(three, 1000), TRACE(all_l2, 1000)}, 0, 1},
		{"as given", {TRACE(ten, MS(10)), TRACE(three, MS(10)), TRACE(all_l2, MS(90))}, MS(30), 3},
		{"1 ns more than given",
		 {TRACE(ten, MS(10)), TRACE(three, MS(10)), TRACE(all_l2, MS(90))},
		 MS(30) + 1,
		 4},
		{"1 ns less than given",
		 {TRACE(ten, MS(10)), TRACE(three, MS(10)), TRACE(all_l2, MS(90))},
		 MS(30) - 1,
		 3},
		{"1 ns", {TRACE(ten, MS(10)), TRACE(three, MS(10)), TRACE(all_l2, MS(90))}, 1, 1},
		{"beyond the longest", {TRACE(ten, MS(10)), TRACE(three, MS(10)), TRACE(all_l2, MS(90))}, MS(250), 25},
		{"an offset changes nothing",
		 {{.states = ten, .nr_epochs = 10, .epoch_ns = MS(10), .offset_ns = MS(99)},
		  TRACE(three, MS(10)),
		  TRACE(all_l2, MS(90))},
		 0,
		 10},
	};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		simulate(&(struct setup){CORES(ways), THREADS(rows[i].threads), .policy = "static",
					 .duration_ns = rows[i].duration_ns},
			 &o);
		if (o.whole.nr_timesteps != rows[i].nr_timesteps)
			fail_msg("%s: %" PRIu64 " timesteps, not %" PRIu64, rows[i].name, o.whole.nr_timesteps,
				 rows[i].nr_timesteps);
		/* the last timestep is a whole one: nobody stops at the end of a trace or of the given time */
		for (uint32_t t = 0; t < 3; t++) {
			assert_int_equal(o.threads[t].executed, rows[i].nr_timesteps);
			if (t > 0 || rows[i].threads[0].states[0] == LOW)
				assert_int_equal(o.threads[t].completed_ns, rows[i].nr_timesteps * STEP_NS);
		}
	}
}

/* "when the trace ends it restarts at once", and all of it counts; an offset does not. */
static void test_restart_and_offset(void **state)
{
	static const struct way ways[] = {{L2, 30}};
	static const uint8_t trace[] = {L2, LOW};
	static const struct sim_thread threads[] = {
		{.states = trace, .nr_epochs = 2, .epoch_ns = MS(13), .offset_ns = MS(19)}};
	struct outcome o;

	(void)state;
	/* Low from 6 to 13 ms of its epoch: 7 ms at 1; 10 ms at 1.3 to the next boundary; 13 ms at 1; 10 ms at 1.3 */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 4}, &o);
	/* the timesteps begin in Low, L2 (3 ms in), Low (3 ms in), L2 (exactly at its beginning) */
	expect_thread(&o, 0, MS(46), 4, 2, 2, 3, 0);
}

/* Counts */

/* "Served share = executed timesteps whose core serves a component stressed in the state in which the timestep began;
 * matched share adds Low on a baseline core." */
static void test_served_and_matched(void **state)
{
	static const uint8_t trace[] = {LOW, BRANCH, L2 | BRANCH, L2};
	static const struct sim_thread threads[] = {TRACE(trace, STEP_NS)};
	static const struct {
		const char *name;
		struct way way;
		uint64_t served, matched;
	} rows[] = {
		{"baseline", {BASE, 0}, 0, 1},	  {"branch, 0 %", {BRANCH, 0}, 2, 2},
		{"l1i, 0 %", {L1I, 0}, 0, 0},	  {"l2+branch, 0 %", {L2 | BRANCH, 0}, 3, 3},
		{"table, 0 %", {TABLE, 0}, 0, 0},
	};
	struct outcome o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct way ways[] = {rows[i].way};
		simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static"}, &o);
		if (o.threads[0].served != rows[i].served || o.threads[0].matched != rows[i].matched)
			print_error("core: %s\n", rows[i].name);
		expect_thread(&o, 0, MS(40), 4, rows[i].served, rows[i].matched, 3, 0);
	}
}

/* A core that serves and slows down still serves; a table that speeds up everywhere serves Low too. */
static void test_served_at_other_speeds(void **state)
{
	static const struct way slow[] = {{BRANCH, -50}}, general[] = {{TABLE, 5}};
	static const struct sim_thread branch[] = {TRACE(all_branch, MS(100))}, low[] = {TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(slow), THREADS(branch), .policy = "static"}, &o);
	expect_thread(&o, 0, MS(50), 10, 10, 10, 0, 0);
	simulate(&(struct setup){CORES(general), THREADS(low), .policy = "static"}, &o);
	expect_thread(&o, 0, MS(105), 10, 10, 10, 0, 0);
}

/* The state in which the timestep began counts for all of it, and where it begins exactly on a boundary that is the new
 * one. */
static void test_counted_by_begin(void **state)
{
	static const struct way ways[] = {{L2, 0}};
	static const uint8_t trace[] = {L2, LOW};
	static const struct sim_thread threads[] = {TRACE(trace, MS(15))};
	struct outcome o;

	(void)state;
	/* begin at 0 (L2), 10 (L2), 20 (Low), 30 (L2, on the boundary), 40 (L2), 50 (Low) */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "static", .steps = 6}, &o);
	expect_thread(&o, 0, MS(60), 6, 4, 4, 3, 0);
}

/* Timesteps that begin in another state than the thread's last executed one did; the first has none before it. */
static void test_transitions(void **state)
{
	static const struct way ways[] = {{BASE, 0}};
	static const uint8_t slow[] = {L2, L2, LOW, LOW, L1D, L2}, fast[] = {L2, LOW};
	static const struct sim_thread alone[] = {TRACE(slow, STEP_NS)};
	/* epochs of 5 ms: every timestep begins in L2 */
	static const struct sim_thread hidden[] = {TRACE(fast, MS(5))};
	/* thread 0 runs in timesteps 1, 3 and 5, in L2, Low and L2; thread 1 does not matter to it */
	static const struct sim_thread shared[] = {TRACE(fast, STEP_NS), TRACE(all_branch, STEP_NS)};
	struct outcome o;

	(void)state;
	simulate(&(struct setup){CORES(ways), THREADS(alone), .policy = "static", .steps = 1}, &o);
	expect_thread(&o, 0, MS(10), 1, 0, 0, 0, 0);
	simulate(&(struct setup){CORES(ways), THREADS(alone), .policy = "static", .steps = 6}, &o);
	expect_thread(&o, 0, MS(60), 6, 0, 2, 3, 0);
	simulate(&(struct setup){CORES(ways), THREADS(hidden), .policy = "static", .steps = 6}, &o);
	expect_thread(&o, 0, MS(60), 6, 0, 0, 0, 0);
	simulate(&(struct setup){CORES(ways), THREADS(shared), .policy = "static", .steps = 5}, &o);
	expect_thread(&o, 0, MS(30), 3, 0, 1, 2, 0);
	expect_thread(&o, 1, MS(20), 2, 0, 0, 0, 0);
}

/* Moves: "each thread that moves counting one", so that a swap counts two. */
static void test_migrations(void **state)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 30}, {L1I, 30}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_branch, MS(100)),
						    TRACE(all_low, MS(100))};
	struct outcome o;

	(void)state;
	/* pass 2: thread 0 takes thread 1's place; thread 2, in Low, then finds thread 1 moved on the baseline core.
	 * Pass 3: it takes that. */
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(1), .steps = 2}, &o);
	expect_thread(&o, 0, US(21700), 2, 1, 1, 0, 1);
	expect_thread(&o, 1, MS(19), 2, 0, 0, 0, 1);
	expect_thread(&o, 2, MS(20), 2, 0, 0, 0, 0);
	simulate(&(struct setup){CORES(ways), THREADS(threads), .policy = "sahm", .cost_ns = MS(1), .steps = 5}, &o);
	expect_thread(&o, 0, US(60700), 5, 4, 4, 0, 1);
	expect_thread(&o, 1, MS(48), 5, 0, 0, 0, 2);
	expect_thread(&o, 2, MS(49), 5, 0, 3, 0, 1);
}

/* Swaps the heads of cores 0 and 1 in every third timestep, whatever they are in. */
static void swap_by_turns(struct sched *s)
{
	if (s->pass % 3 == 0)
		sched_swap(s, s->queues[0].head, s->queues[1].head);
}

/* A policy with a pass of its own is asked in every timestep, whichever engine is wanted. */
static void test_pass_of_its_own(void **state)
{
	static const struct sched_ext_ops policy = {.name = "turns"};
	static const struct way ways[] = {{L2, 30}, {BASE, 0}};
	static const struct sim_thread threads[] = {TRACE(all_l2, MS(100)), TRACE(all_l2, MS(100))};
	struct made_chip made;
	struct sim_thread_result results[2];
	struct sim_result whole;
	struct sahm_err err;

	(void)state;
	make_chip(&made, ways, 2);
	for (int engine = SIM_EVENT; engine <= SIM_PLAIN; engine++) {
		const struct sim_config config = {.chip = &made.chip,
						  .threads = threads,
						  .nr_threads = 2,
						  .policy = &policy,
						  .pass = swap_by_turns,
						  .timestep_ns = STEP_NS,
						  .duration_ns = 9 * STEP_NS,
						  .engine = (enum sim_engine)engine};
		assert_int_equal(sim_run(&config, &whole, results, NULL, &err), SAHM_OK);
		/* passes 3, 6 and 9 swap: timesteps 1, 2, 6, 7 and 8 on the L2 core, and for the other 3, 4, 5 and 9 */
		assert_int_equal(whole.decisions, 3);
		assert_int_equal(results[0].completed_ns, 5 * MS(13) + 4 * MS(10));
		assert_int_equal(results[1].completed_ns, 4 * MS(13) + 5 * MS(10));
	}
	const struct sahm_rules rules = {.swaps = SWAP_NEVER};
	const struct sched_ext_ops both = {.name = "both", .sahm_rules = &rules};
	const struct sim_config config = {.chip = &made.chip,
					  .threads = threads,
					  .nr_threads = 2,
					  .policy = &both,
					  .pass = swap_by_turns,
					  .timestep_ns = STEP_NS};
	assert_int_equal(sim_run(&config, &whole, results, NULL, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "policy 'both' has both rules and a pass");
}

/* Arguments that sim_run() refuses, without changing its outputs. */
static void test_bounds(void **state)
{
	static const struct core_type *const no_cores[1];
	static const uint8_t trace[2] = {L2, LOW};
	struct core_type type;
	const struct core_type *cores[] = {&type};
	struct chip chip = {.nr_cores = 1, .cores = cores}, empty = {.nr_cores = 0, .cores = no_cores};
	struct sim_thread good = {.states = trace, .nr_epochs = 2, .epoch_ns = MS(100), .offset_ns = MS(200) - 1};
	struct sim_thread late = good, none = good, brief = good, lengthy = good;
	const struct sim_config fine = {.chip = &chip,
					.threads = &good,
					.nr_threads = 1,
					.policy = sched_policy_find("sahm"),
					.timestep_ns = STEP_NS};
	struct sim_thread beyond = good, nowhere = good;
	static const uint64_t other_core[] = {2}; /* the chip has one */
	struct sim_config wrong[16];
	const size_t nr = ARRAY_SIZE(wrong);

	(void)state;
	core_type_baseline(&type, "baseline");
	late.offset_ns = MS(200);
	none.nr_epochs = none.offset_ns = 0;
	brief.epoch_ns = MIN_EPOCH_NS - 1;
	brief.offset_ns = 0;
	lengthy.epoch_ns = MAX_EPOCH_NS + 1;
	for (size_t i = 0; i < nr; i++)
		wrong[i] = fine;
	wrong[0].nr_threads = 0;
	wrong[1].nr_threads = MAX_THREADS + 1;
	wrong[2].chip = &empty;
	wrong[3].timestep_ns = 0;
	wrong[4].threads = &late;
	wrong[5].threads = &none;
	wrong[6].threads = &brief;
	wrong[7].threads = &lengthy;
	wrong[8].duration_ns = UINT64_MAX;
	beyond.arrive_ns = MAX_RUN_NS + 1;
	wrong[9].threads = &beyond;
	nowhere.allowed = other_core;
	wrong[10].threads = &nowhere;
	wrong[11].warmup_ns = MAX_WARMUP_NS + 1;
	wrong[12].distances.nr_levels = MAX_DISTANCE_LEVELS + 1;
	for (uint32_t i = 0; i < MAX_DISTANCE_LEVELS; i++)
		wrong[12].distances.levels[i].nr_cores = 2u << i;
	wrong[13].distances = (struct distances){.nr_levels = 1, .levels = {{1, 0}}};
	wrong[14].distances = (struct distances){.nr_levels = 2, .levels = {{2, 0}, {2, 0}}};
	wrong[15].distances = (struct distances){.nr_levels = 2, .levels = {{2, 0}, {5, 0}}};

	struct sim_result result;
	struct sim_thread_result thread;
	struct sahm_err err = {.status = SAHM_OK};
	assert_int_equal(sim_run(&fine, &result, &thread, NULL, &err), SAHM_OK);
	assert_int_equal(err.status, SAHM_OK);
	assert_int_equal(result.nr_timesteps, 20);
	assert_int_equal(thread.completed_ns, MS(200));
	/* all of these at their bounds */
	static const uint64_t this_core[] = {1};
	struct sim_thread last = good;
	struct sim_config widest = fine;
	last.arrive_ns = MAX_RUN_NS;
	last.allowed = this_core;
	widest.threads = &last;
	widest.warmup_ns = MAX_WARMUP_NS;
	widest.duration_ns = STEP_NS;
	widest.distances.nr_levels = MAX_DISTANCE_LEVELS;
	for (uint32_t i = 0; i < MAX_DISTANCE_LEVELS; i++)
		widest.distances.levels[i].nr_cores = 2u << i;
	assert_int_equal(sim_run(&widest, &result, &thread, NULL, &err), SAHM_OK);
	struct sim_result before;
	struct sim_thread_result thread_before;
	memset(&before, 0xa5, sizeof(before));
	memset(&thread_before, 0xa5, sizeof(thread_before));
	memcpy(&result, &before, sizeof(result));
	memcpy(&thread, &thread_before, sizeof(thread));
	for (size_t i = 0; i < nr; i++) {
		err = (struct sahm_err){.status = SAHM_OK};
		if (sim_run(&wrong[i], &result, &thread, NULL, &err) != SAHM_RANGE || err.status != SAHM_RANGE)
			fail_msg("wrong configuration %zu is taken", i);
		assert_true(err.msg[0] != '\0');
		assert_memory_equal(&result, &before, sizeof(result));
		assert_memory_equal(&thread, &thread_before, sizeof(thread));
	}
	static const int32_t speedups_ppm[][2] = {{-999999, -1000000}, {999000000, 999000001}};
	for (size_t i = 0; i < 2; i++) {
		type.speedup_ppm[NR_STATES - 1] = speedups_ppm[i][0];
		assert_int_equal(sim_run(&fine, &result, &thread, NULL, &err), SAHM_OK);
		type.speedup_ppm[NR_STATES - 1] = speedups_ppm[i][1];
		assert_int_equal(sim_run(&fine, &result, &thread, NULL, &err), SAHM_RANGE);
	}
}

TEST_FILE(test_sim)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_placement),
		cmocka_unit_test(test_first_timestep_stays),
		cmocka_unit_test(test_moved_runs_at_once),
		cmocka_unit_test(test_listing_in_full_system),
		cmocka_unit_test(test_static_never_moves),
		cmocka_unit_test(test_inertia_set_on_move),
		cmocka_unit_test(test_oracle),
		cmocka_unit_test(test_observed_at_begin),
		cmocka_unit_test(test_round_robin),
		cmocka_unit_test(test_swap_with_queues),
		cmocka_unit_test(test_cost_and_timestep),
		cmocka_unit_test(test_debts_add_up),
		cmocka_unit_test(test_debt_step_is_observed),
		cmocka_unit_test(test_no_progress_while_paying),
		cmocka_unit_test(test_run_time),
		cmocka_unit_test(test_restart_and_offset),
		cmocka_unit_test(test_served_and_matched),
		cmocka_unit_test(test_served_at_other_speeds),
		cmocka_unit_test(test_counted_by_begin),
		cmocka_unit_test(test_transitions),
		cmocka_unit_test(test_migrations),
		cmocka_unit_test(test_pass_of_its_own),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
