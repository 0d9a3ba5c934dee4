/* The transportation problem: what is asked of an assignment, by hand and against the reference on random problems. */
#include <stdbool.h>

#include "sched/policies/transport.h"
#include "sim/base/rng.h"
#include "tests/reference/reftransport.h"
#include "tests/unit/test.h"

#define MAX_THREADS_HERE 24
#define MAX_CLASSES_HERE 8
#define NO TRANSPORT_FORBIDDEN
#define OUT TRANSPORT_NOWHERE

struct problem {
	int nr_threads, nr_classes;
	int capacity[MAX_CLASSES_HERE];
	long long value[MAX_THREADS_HERE * MAX_CLASSES_HERE];
	int home[MAX_THREADS_HERE];
	bool active[MAX_THREADS_HERE];
};

static void tell(struct transport *tp, const struct problem *p, int t)
{
	int64_t values[MAX_CLASSES_HERE];
	for (int k = 0; k < p->nr_classes; k++)
		values[k] = p->value[t * p->nr_classes + k];
	if (p->active[t])
		transport_set(tp, (uint32_t)t, values, p->home[t] < 0 ? OUT : (uint32_t)p->home[t]);
	else
		transport_drop(tp, (uint32_t)t);
}

static struct transport *make(struct arena *a, const struct problem *p)
{
	uint32_t capacity[MAX_CLASSES_HERE];
	for (int k = 0; k < p->nr_classes; k++)
		capacity[k] = (uint32_t)p->capacity[k];
	struct transport *tp =
		transport_new(a, (uint32_t)p->nr_threads, (uint32_t)p->nr_threads, (uint32_t)p->nr_classes, capacity);
	assert_non_null(tp);
	return tp;
}

/* The assignment is possible, has the sum and the number of threads at home that the reference finds, and its prices
 * prove it: nobody would rather be elsewhere. */
static void expect_best(const struct transport *tp, const struct problem *p)
{
	long long value[MAX_THREADS_HERE * MAX_CLASSES_HERE], sum = 0;
	int taken[MAX_CLASSES_HERE] = {0}, home[MAX_THREADS_HERE], nr = 0, nr_home = 0, best_home;
	for (int t = 0; t < p->nr_threads; t++) {
		uint32_t k = transport_class(tp, (uint32_t)t);
		if (!p->active[t]) {
			assert_int_equal(k, OUT);
			continue;
		}
		for (int i = 0; i < p->nr_classes; i++)
			value[nr * p->nr_classes + i] = p->value[t * p->nr_classes + i];
		home[nr++] = p->home[t];
		nr_home += k == (p->home[t] < 0 ? OUT : (uint32_t)p->home[t]);
		if (k == OUT)
			continue;
		assert_true(k < (uint32_t)p->nr_classes);
		assert_true(++taken[k] <= p->capacity[k]);
		assert_true(p->value[t * p->nr_classes + (int)k] != NO);
		sum += p->value[t * p->nr_classes + (int)k];
	}
	assert_int_equal(ref_transport(nr, p->nr_classes, p->capacity, value, NO, home, &best_home), sum);
	assert_int_equal(transport_total(tp), sum);
	assert_int_equal(nr_home, best_home);
}

/* "a thread stressed in two components holds the only core that a third could use": a chain of three. */
static void test_chain(void **state)
{
	/* thread 0 can use both classes, thread 1 only the first one; class 2 is worth nothing to them */
	const struct problem p = {3, 3, {1, 1, 1}, {30, 30, 0, 30, 0, 0, 1, 1, 1}, {0, 2, 1}, {true, true, true}};
	struct arena a;
	(void)state;
	arena_init(&a);
	struct transport *tp = make(&a, &p);
	for (int t = 0; t < 3; t++)
		tell(tp, &p, t);
	assert_int_equal(transport_class(tp, 0), 1);
	assert_int_equal(transport_class(tp, 1), 0);
	assert_int_equal(transport_class(tp, 2), 2);
	expect_best(tp, &p);
	arena_release(&a);
}

/* Equal sums: everybody stays; one more unit elsewhere: somebody goes. */
static void test_tie_stays(void **state)
{
	struct problem p = {3, 2, {2, 2}, {7, 7, 7, 7, 7, 7}, {0, 1, 1}, {true, true, true}};
	struct arena a;
	(void)state;
	arena_init(&a);
	struct transport *tp = make(&a, &p);
	for (int i = 0; i < 2; i++) {
		for (int t = 0; t < 3; t++)
			tell(tp, &p, t);
		for (uint32_t t = 0; t < 3; t++)
			assert_int_equal(transport_class(tp, t), p.home[t]);
	}
	p.value[5] = 6;
	tell(tp, &p, 2);
	assert_int_equal(transport_class(tp, 2), 0);
	expect_best(tp, &p);
	p.value[5] = 7;
	tell(tp, &p, 2);
	assert_int_equal(transport_class(tp, 2), 1);
	arena_release(&a);
}

/* Negative values are not taken; what is forbidden neither, however the others stand. */
static void test_nothing(void **state)
{
	struct problem p = {2, 2, {1, 1}, {-1, NO, 5, 3}, {-1, -1}, {true, true}};
	struct arena a;
	(void)state;
	arena_init(&a);
	struct transport *tp = make(&a, &p);
	tell(tp, &p, 0);
	assert_int_equal(transport_class(tp, 0), OUT);
	p.value[0] = 1;
	tell(tp, &p, 0);
	tell(tp, &p, 1);
	assert_int_equal(transport_class(tp, 0), OUT);
	assert_int_equal(transport_class(tp, 1), 0);
	assert_in_range(transport_price(tp, 0), 1, 2);
	assert_int_equal(transport_price(tp, 1), 0);
	p.value[0] = 3;
	tell(tp, &p, 0);
	assert_int_equal(transport_class(tp, 0), 0);
	assert_int_equal(transport_class(tp, 1), 1);
	p.value[0] = NO;
	tell(tp, &p, 0);
	assert_int_equal(transport_class(tp, 0), OUT);
	assert_int_equal(transport_class(tp, 1), 0);
	transport_drop(tp, 1);
	transport_drop(tp, 1);
	assert_int_equal(transport_total(tp), 0);
	arena_release(&a);
}

static int below(struct rng *r, int end)
{
	return (int)rng_below(r, (uint64_t)end);
}

static void draw_thread(struct rng *r, struct problem *p, int t, int range)
{
	p->active[t] = below(r, 8) > 0;
	p->home[t] = below(r, p->nr_classes + 1) - 1;
	for (int k = 0; k < p->nr_classes; k++)
		p->value[t * p->nr_classes + k] = below(r, 10) == 0 ? NO : below(r, range) - range / 4;
}

static void draw_problem(struct rng *r, struct problem *p, int range)
{
	*p = (struct problem){.nr_threads = 1 + below(r, MAX_THREADS_HERE),
			      .nr_classes = 1 + below(r, MAX_CLASSES_HERE)};
	/* few seats, as many as threads, or many */
	for (int k = 0; k < p->nr_classes; k++)
		p->capacity[k] = below(r, 2 + p->nr_threads / p->nr_classes * (1 + below(r, 2)) / (1 + below(r, 2)));
	for (int t = 0; t < p->nr_threads; t++)
		draw_thread(r, p, t, range);
}

/* After each of many changes the sum is that of the reference, and that of a problem solved from nothing. */
static void test_random(void **state)
{
	struct problem p;
	struct rng r;
	(void)state;
	rng_init(&r, 1, "test", "transport");
	for (int i = 0; i < 400; i++) {
		struct arena a;
		/* small ranges make ties */
		int range = i % 3 == 0 ? 4 : i % 3 == 1 ? 20 : 1000000000;
		arena_init(&a);
		draw_problem(&r, &p, range);
		struct transport *warm = make(&a, &p);
		for (int t = 0; t < p.nr_threads; t++)
			tell(warm, &p, t);
		expect_best(warm, &p);
		for (int step = 0; step < 20; step++) {
			for (int change = 0; change < 1 + step % 3; change++) {
				int t = below(&r, p.nr_threads);
				draw_thread(&r, &p, t, range);
				tell(warm, &p, t);
			}
			expect_best(warm, &p);
		}
		struct transport *cold = make(&a, &p);
		for (int t = p.nr_threads; t-- > 0;)
			tell(cold, &p, t);
		expect_best(cold, &p);
		arena_release(&a);
	}
}

/* One problem after the other, with other classes, in the memory of the first. */
static void test_restart(void **state)
{
	enum { MOST_SEATS = 60 };
	struct problem p;
	struct arena a;
	struct rng r;
	(void)state;
	arena_init(&a);
	rng_init(&r, 1, "test", "restart");
	struct transport *tp = transport_new_for(&a, MAX_THREADS_HERE, MAX_THREADS_HERE, MAX_CLASSES_HERE, MOST_SEATS);
	assert_non_null(tp);
	for (uint32_t t = 0; t < MAX_THREADS_HERE; t++)
		assert_false(transport_is_active(tp, t));
	for (int i = 0; i < 400; i++) {
		uint32_t capacity[MAX_CLASSES_HERE];
		int seats = 0;
		draw_problem(&r, &p, 20);
		for (int k = 0; k < p.nr_classes; k++) {
			p.capacity[k] += p.capacity[k] == 0;
			capacity[k] = (uint32_t)p.capacity[k];
			seats += p.capacity[k];
		}
		if (seats > MOST_SEATS)
			continue;
		transport_restart(tp, (uint32_t)p.nr_classes, capacity, NULL);
		for (int t = 0; t < p.nr_threads; t++) {
			assert_false(transport_is_active(tp, (uint32_t)t));
			tell(tp, &p, t);
		}
		expect_best(tp, &p);
	}
	arena_release(&a);
}

/* Values of the largest size that is allowed, both signs, for long: nothing overflows. */
static void test_largest_values(void **state)
{
	struct problem p = {12, 4, {3, 3, 3, 3}, {0}, {0}, {0}};
	struct arena a;
	struct rng r;
	(void)state;
	arena_init(&a);
	rng_init(&r, 1, "test", "largest");
	struct transport *tp = make(&a, &p);
	int64_t max = transport_max_value(tp);
	assert_true(max >= INT64_C(1) << 48);
	for (int i = 0; i < 20000; i++) {
		int64_t values[4];
		for (int k = 0; k < 4; k++)
			values[k] = below(&r, 2) ? max - below(&r, 3) : -max + below(&r, 3);
		transport_set(tp, (uint32_t)below(&r, 12), values, (uint32_t)below(&r, 4));
		assert_true(transport_total(tp) >= 0);
		for (uint32_t k = 0; k < 4; k++)
			assert_in_range(transport_price(tp, k), 0, 8 * max);
	}
	arena_release(&a);
}

/* Many threads, and as many classes as cores: the sum is known. */
static void test_many(void **state)
{
	enum { NR = 300 };
	static uint32_t capacity[NR];
	static int64_t values[NR];
	struct arena a;
	(void)state;
	arena_init(&a);
	for (uint32_t k = 0; k < NR; k++)
		capacity[k] = 1;
	struct transport *tp = transport_new(&a, 4 * NR, NR, NR, capacity);
	assert_non_null(tp);
	/* everybody wants the seats with high numbers, those with high numbers more: the order of seats is theirs */
	for (uint32_t t = 0; t < NR; t++) {
		for (uint32_t k = 0; k < NR; k++)
			values[k] = (int64_t)(t + 1) * (k + 1);
		transport_set(tp, 4 * NR - 1 - t, values, NR - 1 - t);
	}
	int64_t sum = 0;
	for (uint32_t t = 0; t < NR; t++) {
		assert_int_equal(transport_class(tp, 4 * NR - 1 - t), t);
		sum += (int64_t)(t + 1) * (t + 1);
	}
	assert_int_equal(transport_total(tp), sum);
	arena_release(&a);
}

TEST_FILE(test_transport)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),	cmocka_unit_test(test_tie_stays),      cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_random),	cmocka_unit_test(test_largest_values), cmocka_unit_test(test_many),
		cmocka_unit_test(test_restart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
