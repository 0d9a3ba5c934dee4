/* Distributed counters: cases worked out by hand, what can be missing, and the registers and wires of
 * tests/reference. */
#include "cores/uarch/distributed_counter.h"

#include "tests/helper/random.h"
#include "tests/reference/refdistributed.h"
#include "tests/unit/test.h"

#define MAX_TRIED 9u

/* The same counter twice. */
struct pair {
	struct distributed_counter d;
	struct refdistributed r;
	uint64_t global, truth;
};

/* Phases other than 0 are reached in cycles without events. */
static void begin(struct pair *p, unsigned nr_sources, unsigned phase)
{
	*p = (struct pair){0};
	distributed_counter_init(&p->d, nr_sources);
	refdistributed_init(&p->r, nr_sources, phase);
	p->global = distributed_counter_run(&p->d, 0, phase);
}

static uint64_t value(const struct pair *p)
{
	return p->global << p->d.local_bits;
}

static void run(struct pair *p, uint64_t high, uint64_t nr)
{
	bool event[64];
	for (unsigned j = 0; j < 64; j++)
		event[j] = high >> j & 1;
	for (unsigned j = 0; j < p->d.nr_sources; j++)
		p->truth += event[j] ? nr : 0;
	for (uint64_t c = 0; c < nr; c++)
		refdistributed_clock(&p->r, event);
	p->global += distributed_counter_run(&p->d, high, nr);
	if (value(p) != refdistributed_value(&p->r))
		fail_msg("%u sources: %ju, the reference %ju", p->d.nr_sources, (uintmax_t)value(p),
			 (uintmax_t)refdistributed_value(&p->r));
	assert_in_range(p->truth - value(p), 0, distributed_counter_bound(p->d.nr_sources, false));
}

static void stop(struct pair *p)
{
	refdistributed_stop(&p->r);
	p->global += distributed_counter_drain(&p->d);
	assert_int_equal(value(p), refdistributed_value(&p->r));
	assert_in_range(p->truth - value(p), 0, distributed_counter_bound(p->d.nr_sources, true));
}

/* Single cycles, short runs, and runs longer than all sources' turns and wraps. */
static void test_agrees(void **state)
{
	(void)state;
	for (unsigned nr_sources = 1; nr_sources <= MAX_TRIED; nr_sources++)
		for (unsigned phase = 0; phase < nr_sources; phase++) {
			struct pair p;
			uint64_t rng = nr_sources * 100 + phase;
			begin(&p, nr_sources, phase);
			for (unsigned i = 0; i < 2000; i++) {
				const uint64_t longest[] = {1, 1, 3, 20, 400};
				uint64_t high = next_random(&rng) | (one_in(&rng, 3) ? UINT64_MAX : 0);
				run(&p, high & ((UINT64_C(1) << nr_sources) - 1) & next_random(&rng),
				    between(&rng, 0, PICK(&rng, longest)));
				if (one_in(&rng, 50))
					stop(&p);
			}
		}
}

/* Every source stops one event before it wraps. Paper 000 has the 12. */
static void test_worst_case(void **state)
{
	(void)state;
	static const unsigned missing[MAX_TRIED + 1] = {
		[1] = 0, [2] = 2, [3] = 9, [4] = 12, [5] = 35, [6] = 42, [7] = 49, [8] = 56, [9] = 135};
	for (unsigned nr_sources = 1; nr_sources <= MAX_TRIED; nr_sources++)
		for (unsigned phase = 0; phase < nr_sources; phase++) {
			struct pair p;
			begin(&p, nr_sources, phase);
			uint64_t all = (UINT64_C(1) << nr_sources) - 1, step = UINT64_C(1) << p.d.local_bits;
			run(&p, all, 10 * step - 1);
			stop(&p);
			assert_int_equal(p.truth - value(&p), missing[nr_sources]);
			assert_int_equal(distributed_counter_bound(p.d.nr_sources, true), missing[nr_sources]);
		}
}

/* Before the turn has come, wraps are missing as well: here all of S = 4 but one, whose turn it is. */
static void test_missing_while_running(void **state)
{
	(void)state;
	struct pair p;
	begin(&p, 4, 0);
	run(&p, 0xf, 4);
	assert_int_equal(value(&p), 0);
	run(&p, 0, 1);
	assert_int_equal(value(&p), 4);
	stop(&p);
	assert_int_equal(value(&p), 16);
	assert_int_equal(distributed_counter_bound(p.d.nr_sources, false), 12 + 16);
}

/* One source has no local counter: its events are seen a cycle later. */
static void test_one_source(void **state)
{
	(void)state;
	struct pair p;
	begin(&p, 1, 0);
	run(&p, 1, 5);
	assert_int_equal(value(&p), 4);
	run(&p, 0, 1);
	assert_int_equal(value(&p), 5);
}

/* Runs that nobody can step through: 2^62 cycles are as good as none when they are a multiple of turns and wraps. */
static void test_long_runs(void **state)
{
	(void)state;
	for (unsigned nr_sources = 1; nr_sources <= MAX_DISTRIBUTED_SOURCES; nr_sources++) {
		struct distributed_counter a, b;
		uint64_t all = UINT64_MAX >> (64 - nr_sources), cycles = (UINT64_C(1) << 40) * nr_sources;
		distributed_counter_init(&a, nr_sources);
		distributed_counter_init(&b, nr_sources);
		uint64_t short_run = distributed_counter_run(&a, all, 64 * nr_sources + 5);
		uint64_t long_run = distributed_counter_run(&b, all, 64 * nr_sources + 5 + cycles);
		assert_memory_equal(&a, &b, sizeof(a));
		assert_int_equal(long_run - short_run, (cycles >> a.local_bits) * nr_sources);
	}
}

/* A cycle in parts is the same cycle. */
static void test_parts(void **state)
{
	(void)state;
	struct distributed_counter whole, parts;
	uint64_t rng = 1;
	distributed_counter_init(&whole, 5);
	distributed_counter_init(&parts, 5);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t high = next_random(&rng) & 0x1f, first = next_random(&rng);
		uint64_t taken = distributed_counter_run(&whole, high, 1);
		assert_int_equal(distributed_counter_run(&parts, high & first, 1), taken);
		distributed_counter_add(&parts, high & ~first);
		assert_memory_equal(&whole, &parts, sizeof(whole));
	}
}

TEST_FILE(test_distributed_counter)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agrees),
		cmocka_unit_test(test_worst_case),
		cmocka_unit_test(test_missing_while_running),
		cmocka_unit_test(test_one_source),
		cmocka_unit_test(test_long_runs),
		cmocka_unit_test(test_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
