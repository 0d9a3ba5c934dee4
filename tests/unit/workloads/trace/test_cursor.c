/* Progress: boundaries, surpluses, rates. Expected values are worked out by hand; n ns of simulated time at a rate r
 * make n x r ns of baseline time, and r is 1 plus the speedup. */
#include <inttypes.h>

#include "cores/chip/state.h"
#include "tests/unit/test.h"
#include "workloads/trace/cursor.h"

#define LOW 0
#define L1D 4
#define L2 8

/* Progress of `ns` of baseline time, and of thousandths of one. */
#define NS(ns) ((int64_t)(ns)*PROGRESS_PER_NS)
#define PS(ps) ((int64_t)(ps)*PROGRESS_PER_NS / 1000)
#define PCT(pct) ((pct)*PPM_PER_PCT)

/* Speedups in Low, L1D and L2, in ppm; states that no test here uses stop the clock almost entirely. */
struct speedups {
	int32_t ppm[NR_STATES];
};

static struct speedups speedups(int32_t low, int32_t l1d, int32_t l2)
{
	struct speedups s;

	for (unsigned i = 0; i < NR_STATES; i++)
		s.ppm[i] = -999999;
	s.ppm[LOW] = low;
	s.ppm[L1D] = l1d;
	s.ppm[L2] = l2;
	return s;
}

static void expect(const char *when, const struct cursor *c, uint64_t epoch, int64_t progress, uint64_t nr_crossed)
{
	if (c->epoch != epoch || c->progress != progress || c->nr_crossed != nr_crossed)
		fail_msg("%s: epoch %" PRIu64 ", progress %" PRId64 ", %" PRIu64 " boundaries; expected %" PRIu64
			 ", %" PRId64 ", %" PRIu64,
			 when, c->epoch, c->progress, c->nr_crossed, epoch, progress, nr_crossed);
	assert_int_equal(cursor_state(c), c->states[epoch]);
}

/* "A boundary is reached at the first ns at which progress is at or past it": the last ns before it, and it, in epochs
 * of one state. */
static void test_first_ns_at_or_past(void **state)
{
	static const struct {
		const char *name;
		int32_t ppm;
		uint64_t epoch_ns;
		uint64_t boundary_ns; /* first at or past it */
		int64_t before;	      /* progress 1 ns before */
		int64_t surplus;
	} rows[] = {
		{"baseline", 0, 1000, 1000, NS(999), 0},
		/* 769 x 1.3 = 999.7; 770 x 1.3 = 1001 */
		{"30 %", PCT(30), 1000, 770, PS(999700), NS(1)},
		/* 1000 x 1.3 = 1300, to the ns */
		{"30 %, exactly", PCT(30), 1300, 1000, PS(1298700), 0},
		/* 1 ns longer: 1000 x 1.3 = 1300, 1001 x 1.3 = 1301.3 */
		{"30 %, 1 ns longer", PCT(30), 1301, 1001, NS(1300), PS(300)},
		/* 1 ns shorter: 999 x 1.3 = 1298.7, 1000 x 1.3 = 1300 */
		{"30 %, 1 ns shorter", PCT(30), 1299, 1000, PS(1298700), NS(1)},
		/* 934 x 1.07 = 999.38; 935 x 1.07 = 1000.45 */
		{"7 %", PCT(7), 1000, 935, PS(999380), PS(450)},
		/* 750 x 1.333333 = 999.99975; 751 x 1.333333 = 1001.333083 */
		{"33.3333 %", 333333, 1000, 751, 999999750, 1333083},
		/* 749 x 1.333334 = 998.667166; 750 x 1.333334 = 1000.0005 */
		{"33.3334 %", 333334, 1000, 750, 998667166, 500},
		/* 999 x 1.000001 = 999.000999 + 1.000001 = 1000.001 */
		{"0.0001 %", 1, 1000, 1000, 999000999, 1000},
		/* 1000 x 0.999999 = 999.999; 1001 x 0.999999 = 1000.998999 */
		{"-0.0001 %", -1, 1000, 1001, PS(999999), 998999},
		/* 1999 x 0.5 = 999.5 */
		{"-50 %", PCT(-50), 1000, 2000, PS(999500), 0},
		/* 1428 x 0.7 = 999.6; 1429 x 0.7 = 1000.3 */
		{"-30 %", PCT(-30), 1000, 1429, PS(999600), PS(300)},
		/* a millionth of a ns per ns */
		{"-99.9999 %", -999999, 1000, 1000000000, 999999999, 0},
		/* 1000 ns per ns: the highest rate, the shortest epoch */
		{"99,900 %", PCT(99900), 1000, 1, 0, 0},
		{"99,900 %, 1 ns longer", PCT(99900), 1001, 2, NS(1000), NS(999)},
		/* the longest epoch */
		{"longest, baseline", 0, MAX_EPOCH_NS, MAX_EPOCH_NS, NS(MAX_EPOCH_NS - 1), 0},
		/* 10^12 / 1.3 = 769,230,769,230.77; 769,230,769,231 x 1.3 = 1,000,000,000,000.3 */
		{"longest, 30 %", PCT(30), MAX_EPOCH_NS, UINT64_C(769230769231), INT64_C(999999999999000000), PS(300)},
		{"longest, 99,900 %", PCT(99900), MAX_EPOCH_NS, MAX_EPOCH_NS / 1000, NS(MAX_EPOCH_NS - 1000), 0},
	};
	static const uint8_t states[] = {L2, L2, L2};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct speedups s = speedups(0, 0, rows[i].ppm);
		struct cursor start, c;
		cursor_init(&start, states, 3, rows[i].epoch_ns, 0);
		c = start;
		cursor_advance(&c, rows[i].boundary_ns - 1, s.ppm);
		expect(rows[i].name, &c, 0, rows[i].before, 0);
		cursor_advance(&c, 1, s.ppm);
		expect(rows[i].name, &c, 1, rows[i].surplus, 1);
		c = start;
		cursor_advance(&c, rows[i].boundary_ns, s.ppm);
		expect(rows[i].name, &c, 1, rows[i].surplus, 1);
	}
}

static void test_no_time_no_progress(void **state)
{
	static const uint8_t states[] = {L2, LOW};
	struct speedups s = speedups(0, 0, PCT(30));
	struct cursor c;

	(void)state;
	cursor_init(&c, states, 2, 1000, 999);
	cursor_advance(&c, 0, s.ppm);
	expect("0 ns", &c, 0, NS(999), 0);
}

/* "the surplus carries over": three epochs of 1000 ns at 30 %. n ns make 1.3 n, so the boundaries are at 770 (1001),
 * 1539 (2000.7) and 2308 (3000.4). */
static void test_surplus_carries_over(void **state)
{
	static const uint8_t states[] = {L2, L2, L2, L2};
	struct speedups s = speedups(0, 0, PCT(30));
	struct cursor c;

	(void)state;
	cursor_init(&c, states, 4, 1000, 0);
	cursor_advance(&c, 770, s.ppm);
	expect("770 ns", &c, 1, NS(1), 1);
	cursor_advance(&c, 768, s.ppm);
	expect("1538 ns", &c, 1, PS(999400), 1);
	cursor_advance(&c, 1, s.ppm);
	expect("1539 ns", &c, 2, PS(700), 2);
	cursor_advance(&c, 768, s.ppm);
	expect("2307 ns", &c, 2, PS(999100), 2);
	cursor_advance(&c, 1, s.ppm);
	expect("2308 ns", &c, 3, PS(400), 3);
}

/* "A timestep that crosses an epoch boundary changes rate at the boundary". */
static void test_rate_changes_at_boundary(void **state)
{
	static const uint8_t down[] = {L2, LOW}, up[] = {LOW, L2};
	struct speedups s = speedups(0, 0, PCT(30));
	struct cursor c;

	(void)state;
	/* boundary at 770 with 1 ns more; what is left, 230 ns, at baseline speed: 231, not 1300 - 1000 = 300 */
	cursor_init(&c, down, 2, 1000, 0);
	cursor_advance(&c, 1000, s.ppm);
	expect("from L2 to Low", &c, 1, NS(231), 1);
	/* boundary at 1000; 500 ns at 30 %: 650, not 500 */
	cursor_init(&c, up, 2, 1000, 0);
	cursor_advance(&c, 1500, s.ppm);
	expect("from Low to L2", &c, 1, NS(650), 1);
}

/* The surplus has been made at the old rate and stays what it is. */
static void test_surplus_keeps_its_rate(void **state)
{
	static const uint8_t states[] = {L2, L1D};
	struct speedups s = speedups(0, PCT(-50), PCT(400));
	struct cursor c;

	(void)state;
	/* 5 ns per ns: 1001 are reached at 201, with 4 ns more */
	cursor_init(&c, states, 2, 1001, 0);
	cursor_advance(&c, 201, s.ppm);
	expect("201 ns", &c, 1, NS(4), 1);
	cursor_advance(&c, 1, s.ppm);
	expect("202 ns", &c, 1, PS(4500), 1);
}

/* "a step that starts exactly on a boundary starts in the new epoch" */
static void test_start_on_boundary(void **state)
{
	static const uint8_t states[] = {LOW, L2, L1D};
	struct speedups s = speedups(0, PCT(-20), PCT(30));
	struct cursor c;

	(void)state;
	cursor_init(&c, states, 3, 1300, 0);
	cursor_advance(&c, 1299, s.ppm);
	assert_int_equal(cursor_state(&c), LOW);
	cursor_advance(&c, 1, s.ppm);
	assert_int_equal(cursor_state(&c), L2);
	expect("in L2", &c, 1, 0, 1);
	cursor_advance(&c, 1, s.ppm);
	expect("1 ns at 30 %", &c, 1, PS(1300), 1);
	cursor_advance(&c, 999, s.ppm);
	assert_int_equal(cursor_state(&c), L1D);
	expect("in L1D", &c, 2, 0, 2);
	cursor_advance(&c, 10, s.ppm);
	expect("10 ns at -20 %", &c, 2, NS(8), 2);
}

/* 1000 ns in Low; 770 ns in L2, with 1 ns more; in L1D, at 0.8, 1248 ns make 1 + 998.4, one more 1000.2. */
static void test_several_epochs_in_one_step(void **state)
{
	static const uint8_t states[] = {LOW, L2, L1D, LOW};
	struct speedups s = speedups(0, PCT(-20), PCT(30));
	struct cursor c;

	(void)state;
	cursor_init(&c, states, 4, 1000, 0);
	cursor_advance(&c, 1000 + 770 + 1248, s.ppm);
	expect("1 ns before", &c, 2, PS(999400), 2);
	cursor_init(&c, states, 4, 1000, 0);
	cursor_advance(&c, 1000 + 770 + 1249, s.ppm);
	expect("at the boundary", &c, 3, PS(200), 3);
	cursor_init(&c, states, 4, 1000, 0);
	cursor_advance(&c, 1000 + 770 + 1249 + 100, s.ppm);
	expect("100 ns later", &c, 3, PS(100200), 3);
}

/* "when the trace ends it restarts at once" */
static void test_restart(void **state)
{
	static const uint8_t states[] = {LOW, L2};
	static const uint8_t alone[] = {L2};
	struct speedups s = speedups(0, 0, PCT(30));
	struct cursor c;

	(void)state;
	/* 1000 + 770 ns, with 1 ns more, which counts in Low */
	cursor_init(&c, states, 2, 1000, 0);
	cursor_advance(&c, 1769, s.ppm);
	expect("1 ns before", &c, 1, PS(999700), 1);
	cursor_advance(&c, 1, s.ppm);
	expect("at the end", &c, 0, NS(1), 2);
	cursor_advance(&c, 998, s.ppm);
	expect("1 ns before the first boundary", &c, 0, NS(999), 2);
	cursor_advance(&c, 1, s.ppm);
	expect("the first boundary again", &c, 1, 0, 3);

	/* one epoch: 10,000,000 x 1.3 = 13,000 times 1000 */
	cursor_init(&c, alone, 1, 1000, 0);
	cursor_advance(&c, 10000000, s.ppm);
	expect("one epoch, again and again", &c, 0, 0, 13000);
}

static void test_offset(void **state)
{
	static const uint8_t states[] = {LOW, L2, L1D};
	static const struct {
		const char *name;
		uint64_t offset_ns, epoch;
		int64_t progress;
		uint64_t ns; /* to the next boundary: in Low at 1, in L2 at 1.3, in L1D at 0.8 */
		int64_t surplus;
	} rows[] = {
		{"none", 0, 0, 0, 1000, 0},
		{"1 ns", 1, 0, NS(1), 999, 0},
		{"an epoch less 1 ns", 999, 0, NS(999), 1, 0},
		{"an epoch", 1000, 1, 0, 770, NS(1)},
		{"an epoch and 1 ns", 1001, 1, NS(1), 769, PS(700)}, /* 769 x 1.3 = 999.7 */
		{"in the last", 2500, 2, NS(500), 625, 0},	     /* 625 x 0.8 = 500 */
		{"all but 1 ns", 2999, 2, NS(999), 2, PS(600)},	     /* 2 x 0.8 = 1.6 */
	};
	struct speedups s = speedups(0, PCT(-20), PCT(30));

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cursor c;
		cursor_init(&c, states, 3, 1000, rows[i].offset_ns);
		expect(rows[i].name, &c, rows[i].epoch, rows[i].progress, 0);
		cursor_advance(&c, rows[i].ns - 1, s.ppm);
		assert_int_equal(c.nr_crossed, 0);
		cursor_advance(&c, 1, s.ppm);
		expect(rows[i].name, &c, (rows[i].epoch + 1) % 3, rows[i].surplus, 1);
	}
}

/* 2^63 ns at baseline speed are 9,223,372 epochs of 10^12 ns and 36,854,775,808 ns; 9,223,372 = 3 x 3,074,457 + 1. */
static void test_long_step(void **state)
{
	static const uint8_t states[] = {LOW, LOW, LOW};
	struct speedups s = speedups(0, 0, 0);
	struct cursor c;

	(void)state;
	cursor_init(&c, states, 3, MAX_EPOCH_NS, 0);
	cursor_advance(&c, UINT64_C(1) << 63, s.ppm);
	expect("2^63 ns", &c, 1, NS(36854775808), 9223372);
}

/* Time has no grain but the ns: a step equals its ns one by one, however it is cut. The slow way asks after each ns
 * whether progress is at or past the boundary. */
static void test_steps_add_up(void **state)
{
	static const uint8_t states[] = {LOW, L2, L1D, L2, L2, LOW, L1D};
	static const struct {
		const char *name;
		uint64_t epoch_ns;
		int32_t low, l1d, l2;
	} rows[] = {
		{"paper", 1300, 0, PCT(20), PCT(30)},
		{"uneven", 1009, 12345, -333333, 777777},
		{"fast", 1000, PCT(99900), PCT(99899), PCT(5000)},
		{"slow", 1001, PCT(-90), PCT(-50), PCT(-99)},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct speedups s = speedups(rows[i].low, rows[i].l1d, rows[i].l2);
		struct cursor start, step, single;
		uint64_t epoch = 0, nr_crossed = 0;
		int64_t progress = 0;
		cursor_init(&start, states, 7, rows[i].epoch_ns, 0);
		step = single = start;
		for (uint64_t ns = 1; ns <= 20000; ns++) {
			progress += PROGRESS_PER_NS + s.ppm[states[epoch]];
			if (progress >= NS(rows[i].epoch_ns)) {
				progress -= NS(rows[i].epoch_ns);
				nr_crossed++;
				epoch = (epoch + 1) % 7;
			}
			cursor_advance(&single, 1, s.ppm);
			expect(rows[i].name, &single, epoch, progress, nr_crossed);
			if (ns % 617 == 0) {
				cursor_advance(&step, 617, s.ppm);
				expect(rows[i].name, &step, epoch, progress, nr_crossed);
			}
			if (ns % 1999 == 0) {
				struct cursor whole = start;
				cursor_advance(&whole, ns, s.ppm);
				expect(rows[i].name, &whole, epoch, progress, nr_crossed);
			}
		}
	}
}

/* A trace that is not repeated ends for good: 1000 ns in Low, 770 in L2, where 1001 ns are made of 1000. */
static void test_once(void **state)
{
	static const uint8_t states[] = {LOW, L2};
	struct speedups s = speedups(0, 0, PCT(30));
	struct cursor c;

	(void)state;
	cursor_init(&c, states, 2, 1000, 0);
	c.once = true;
	assert_int_equal(cursor_advance(&c, 1769, s.ppm), 0);
	assert_false(c.ended);
	expect("1 ns before", &c, 1, PS(999700), 1);
	assert_int_equal(cursor_advance(&c, 1, s.ppm), 0);
	assert_true(c.ended);
	expect("at the end", &c, 0, 0, 2);
	assert_int_equal(cursor_advance(&c, 5, s.ppm), 5);
	expect("after it", &c, 0, 0, 2);

	cursor_init(&c, states, 2, 1000, 1999);
	c.once = true;
	assert_int_equal(cursor_advance(&c, 10, s.ppm), 9);
	assert_true(c.ended);
	expect("the last ns", &c, 0, 0, 1);
}

/* "Part i begins at the first whole ns at or past i / WARMUP_PARTS of the time." */
static void test_warmup_parts(void **state)
{
	static const struct {
		const char *name;
		uint64_t warmup_ns, behind_ns;
		unsigned part;
		uint64_t left_ns;
	} rows[] = {
		{"the first of equal parts", 1600, 0, 0, 100},
		{"its last ns", 1600, 99, 0, 1},
		{"the second", 1600, 100, 1, 100},
		{"the last", 1600, 1500, 15, 100},
		{"the last ns", 1600, 1599, 15, 1},
		/* parts of 6.25 ns begin at 0, 7, 13, 19, 25 ... 94 */
		{"6.25 ns: the first", 100, 0, 0, 7},
		{"6.25 ns: 1 ns before the second", 100, 6, 0, 1},
		{"6.25 ns: the second", 100, 7, 1, 6},
		{"6.25 ns: the third", 100, 13, 2, 6},
		{"6.25 ns: 1 ns before the fifth", 100, 24, 3, 1},
		{"6.25 ns: the fifth", 100, 25, 4, 7},
		{"6.25 ns: the last", 100, 94, 15, 6},
		{"a ns each", 16, 7, 7, 1},
		/* parts of 0.3125 ns: 0 at 0, 3 at 0.9375, 6 at 1.875, 9 at 2.8125, 12 at 3.75 */
		{"5 ns: the first", 5, 0, 0, 1},
		{"5 ns: the second", 5, 1, 3, 1},
		{"5 ns: the fifth", 5, 4, 12, 1},
		{"1 ns", 1, 0, 0, 1},
		{"longest", MAX_WARMUP_NS, MAX_WARMUP_NS - 1, 15, 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t cold_ns = rows[i].warmup_ns - rows[i].behind_ns;
		if (warmup_part(cold_ns, rows[i].warmup_ns) != rows[i].part)
			fail_msg("%s: part %u, not %u", rows[i].name, warmup_part(cold_ns, rows[i].warmup_ns),
				 rows[i].part);
		if (warmup_part_left_ns(rows[i].part, cold_ns, rows[i].warmup_ns) != rows[i].left_ns)
			fail_msg("%s: %" PRIu64 " ns left, not %" PRIu64, rows[i].name,
				 warmup_part_left_ns(rows[i].part, cold_ns, rows[i].warmup_ns), rows[i].left_ns);
	}
}

/* "in part i it is (2 i + 1) / WARMUP_SHARES of the full one", "cut towards 0 to whole millionths". */
static void test_warmup_speedup(void **state)
{
	(void)state;
	assert_int_equal(warmup_speedup_ppm(PCT(32), 0), PCT(1));
	assert_int_equal(warmup_speedup_ppm(PCT(32), 1), PCT(3));
	assert_int_equal(warmup_speedup_ppm(PCT(32), 15), PCT(31));
	assert_int_equal(warmup_speedup_ppm(PCT(32), WARMUP_PARTS), PCT(32));
	assert_int_equal(warmup_speedup_ppm(PCT(-32), 2), PCT(-5));
	/* 100 x 3 / 32 = 9.375 */
	assert_int_equal(warmup_speedup_ppm(100, 1), 9);
	assert_int_equal(warmup_speedup_ppm(-100, 1), -9);
	assert_int_equal(warmup_speedup_ppm(PCT(99900), 15), 967781250);
}

/* At 32 %, parts 0 and 1 are at 1.01 and 1.03; at -32 % they are at 0.99 and 0.97. */
static void test_warming(void **state)
{
	static const uint8_t states[] = {L2, L1D};
	struct speedups s = speedups(0, PCT(-32), PCT(32));
	struct cursor c;

	(void)state;
	cursor_init(&c, states, 2, 1000, 0);
	cursor_advance_warming(&c, 100, s.ppm, 0);
	expect("part 0", &c, 0, NS(101), 0);
	cursor_advance_warming(&c, 100, s.ppm, 1);
	expect("part 1", &c, 0, NS(204), 0);
	cursor_advance(&c, 100, s.ppm);
	expect("warm", &c, 0, NS(336), 0);
	/* 664 left: 657 x 1.01 = 663.57, 658 x 1.01 = 664.58; then 0.99 in L1D */
	cursor_advance_warming(&c, 657, s.ppm, 0);
	expect("1 ns before a boundary", &c, 0, PS(999570), 0);
	cursor_advance_warming(&c, 1, s.ppm, 0);
	expect("at it", &c, 1, PS(580), 1);
	cursor_advance_warming(&c, 100, s.ppm, 0);
	expect("behind it", &c, 1, PS(99580), 1);
	cursor_advance_warming(&c, 100, s.ppm, 1);
	expect("in part 1", &c, 1, PS(196580), 1);
}

TEST_FILE(test_cursor)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_ns_at_or_past),
		cmocka_unit_test(test_no_time_no_progress),
		cmocka_unit_test(test_surplus_carries_over),
		cmocka_unit_test(test_rate_changes_at_boundary),
		cmocka_unit_test(test_surplus_keeps_its_rate),
		cmocka_unit_test(test_start_on_boundary),
		cmocka_unit_test(test_several_epochs_in_one_step),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_offset),
		cmocka_unit_test(test_long_step),
		cmocka_unit_test(test_steps_add_up),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_warmup_parts),
		cmocka_unit_test(test_warmup_speedup),
		cmocka_unit_test(test_warming),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
