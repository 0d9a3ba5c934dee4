/* The timing wheel against a plain list of who is found when. */
#include "sim/base/units.h"
#include "sim/engine/wheel.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define NR_THREADS 60u
#define FAR (WHEEL_BUCKETS - 1) /* as far ahead as there is a bucket */

struct pair {
	struct arena arena;
	struct wheel wheel;
	uint64_t found_at[NR_THREADS]; /* the list: timestep in which a thread is found, NEVER if it is out */
};

static void init(struct pair *p)
{
	*p = (struct pair){0};
	assert_true(wheel_init(&p->wheel, &p->arena, NR_THREADS));
	for (uint32_t t = 0; t < NR_THREADS; t++)
		p->found_at[t] = NEVER;
}

static void add(struct pair *p, uint32_t t, uint64_t due, uint64_t now)
{
	wheel_add(&p->wheel, t, due, now);
	p->found_at[t] = due < now + FAR ? due : now + FAR;
}

static void expect_same(const struct pair *p, uint64_t now)
{
	uint64_t next = NEVER;

	for (uint32_t t = 0; t < NR_THREADS; t++) {
		assert_int_equal(wheel_has(&p->wheel, t), p->found_at[t] != NEVER);
		next = p->found_at[t] < next ? p->found_at[t] : next;
	}
	assert_true(wheel_next(&p->wheel, now) == next);
}

static void take_out(struct pair *p, uint32_t t)
{
	wheel_remove(&p->wheel, t);
	p->found_at[t] = NEVER;
}

/* Takes everybody who is found at `now`; those from `leaver` on leave before their turn. */
static void take_all(struct pair *p, uint64_t now, uint32_t leaver)
{
	uint32_t t;

	while ((t = wheel_take(&p->wheel, now)) != WHEEL_NOBODY) {
		assert_in_range(t, 0, NR_THREADS - 1);
		assert_true(p->found_at[t] == now);
		p->found_at[t] = NEVER;
		expect_same(p, now);
		if (leaver < NR_THREADS)
			take_out(p, leaver++);
	}
	for (t = 0; t < NR_THREADS; t++)
		assert_true(p->found_at[t] != now);
}

static uint64_t random_due(uint64_t *rng, uint64_t now)
{
	const uint64_t dues[] = {
		now,
		now + 1,
		now + between(rng, 0, 20),
		now + between(rng, 0, 3 * FAR),
		now + FAR - 1,
		now + FAR,
		now + FAR + 1,
		now + 2 * WHEEL_BUCKETS,
		NEVER,
		now + 1000000,
	};

	return PICK(rng, dues);
}

static void change(struct pair *p, uint64_t *rng, uint64_t now)
{
	uint32_t t = (uint32_t)between(rng, 0, NR_THREADS - 1);
	bool is_in = p->found_at[t] != NEVER;
	uint64_t due = random_due(rng, now);

	if (one_in(rng, 3)) {
		take_out(p, t);
	} else if (!is_in && one_in(rng, 2)) {
		add(p, t, due, now);
	} else {
		wheel_ensure(&p->wheel, t, due, now);
		if (!is_in)
			p->found_at[t] = due < now + FAR ? due : now + FAR;
	}
	expect_same(p, now);
}

/* Full and nearly empty by turns; time goes on to the next timestep that finds somebody, or part of the way. */
static void run_random(uint64_t seed, uint64_t now)
{
	struct pair p;

	init(&p);
	for (int round = 0; round < 4000; round++) {
		uint64_t nr = between(&seed, 0, round / 500 % 2 ? 2 : 12);
		for (uint64_t i = 0; i < nr; i++)
			change(&p, &seed, now);
		uint64_t next = wheel_next(&p.wheel, now);
		if (next != NEVER && !one_in(&seed, 4))
			now = next;
		else
			now = between(&seed, now, next == NEVER ? now + 5 * WHEEL_BUCKETS : next);
		take_all(&p, now, (uint32_t)between(&seed, 0, 2 * NR_THREADS));
		expect_same(&p, now);
		now += one_in(&seed, 2);
	}
	arena_release(&p.arena);
}

static void test_random(void **state)
{
	(void)state;
	run_random(1, 0);
	run_random(2, WHEEL_BUCKETS - 1);
	run_random(3, UINT64_C(1000000000000000));
}

/* Each distance from each place about the wheel's end: it is found when it is due, or as late as there is a bucket. */
static void test_distances(void **state)
{
	static const uint64_t distances[] = {0, 1, 63, 64, 65, FAR - 1, FAR, FAR + 1, 2 * FAR, NEVER / 2};
	struct pair p;

	(void)state;
	init(&p);
	for (uint64_t now = WHEEL_BUCKETS - 70; now < WHEEL_BUCKETS + 70; now++) {
		for (size_t i = 0; i < ARRAY_SIZE(distances); i++) {
			uint64_t due = now + (distances[i] < FAR ? distances[i] : FAR);
			wheel_add(&p.wheel, 7, now + distances[i], now);
			assert_true(wheel_next(&p.wheel, now) == due);
			assert_int_equal(wheel_take(&p.wheel, due), 7);
			assert_int_equal(wheel_take(&p.wheel, due), WHEEL_NOBODY);
			assert_true(wheel_next(&p.wheel, now) == NEVER);
		}
	}
	arena_release(&p.arena);
}

/* Of several in one bucket, the first, the last and one between can be taken out; the others are still found. */
static void test_same_bucket(void **state)
{
	(void)state;
	for (uint32_t out = 0; out < 4; out++) {
		struct pair p;
		init(&p);
		for (uint32_t t = 0; t < 4; t++)
			add(&p, t, 5, 0);
		take_out(&p, out);
		take_out(&p, out);
		expect_same(&p, 0);
		take_all(&p, 5, NR_THREADS);
		expect_same(&p, 5);
		arena_release(&p.arena);
	}
}

TEST_FILE(test_wheel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_same_bucket),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
