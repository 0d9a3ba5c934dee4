/* Dispatch queues against arrays that are kept in order. */
#include "sched/host/dsq.h"
#include "sched/host/host.h"
#include "tests/helper/random.h"
#include "tests/unit/test.h"

#define NR_TASKS 40u
#define NR_STEPS 20000u

struct pair {
	struct dsq q;
	struct host_task tasks[NR_TASKS];
	uint64_t masks[NR_TASKS];
	struct host_task *order[NR_TASKS]; /* what the queue has, first to last */
	uint32_t nr;
};

static void put(struct pair *p, uint32_t at, struct host_task *t)
{
	for (uint32_t i = p->nr++; i > at; i--)
		p->order[i] = p->order[i - 1];
	p->order[at] = t;
}

static void take_out(struct pair *p, struct host_task *t)
{
	uint32_t at = 0;
	while (p->order[at] != t)
		at++;
	for (p->nr--; at < p->nr; at++)
		p->order[at] = p->order[at + 1];
}

/* After all that do not come later. */
static uint32_t place_by_vtime(const struct pair *p, const struct host_task *t)
{
	uint32_t at = 0;
	while (at < p->nr && !time_before64(t->pub.scx.dsq_vtime, p->order[at]->node.vtime))
		at++;
	return at;
}

static struct host_task *first_for(const struct pair *p, uint32_t cpu)
{
	for (uint32_t i = 0; i < p->nr; i++)
		if (p->masks[p->order[i] - p->tasks] >> cpu & 1)
			return p->order[i];
	return NULL;
}

static void run_random(uint64_t seed, bool is_vtime, uint64_t vtimes)
{
	static struct pair p;
	uint64_t rng = random_of_index(seed, is_vtime), base = next_random(&rng);
	p = (struct pair){.q.id = 5};
	for (uint32_t i = 0; i < NR_TASKS; i++) {
		p.masks[i] = between(&rng, 1, 15);
		p.tasks[i].mask = (struct cpumask){&p.masks[i], 4};
	}
	for (uint32_t step = 0; step < NR_STEPS; step++) {
		struct host_task *t = &p.tasks[between(&rng, 0, NR_TASKS - 1)];
		bool at_front = !is_vtime && one_in(&rng, 3);
		if (t->node.dsq) {
			dsq_remove(t);
			take_out(&p, t);
			assert_null(t->node.dsq);
		} else if (one_in(&rng, 3)) { /* else the queue stays half full */
			struct host_task *first = dsq_first_for(&p.q, (uint32_t)between(&rng, 0, 3));
			if (first && one_in(&rng, 2)) {
				dsq_remove(first);
				take_out(&p, first);
			}
		} else if (is_vtime) {
			t->pub.scx.dsq_vtime = base + between(&rng, 0, vtimes);
			put(&p, place_by_vtime(&p, t), t);
			dsq_add_vtime(&p.q, t);
		} else {
			put(&p, at_front ? 0 : p.nr, t);
			(at_front ? dsq_prepend : dsq_append)(&p.q, t);
		}
		assert_int_equal(p.q.nr, p.nr);
		assert_ptr_equal(p.q.first, p.nr ? p.order[0] : NULL);
		for (uint32_t cpu = 0; cpu < 4; cpu++)
			assert_ptr_equal(dsq_first_for(&p.q, cpu), first_for(&p, cpu));
	}
	while (p.nr) { /* to the last one, in order */
		assert_ptr_equal(p.q.first, p.order[0]);
		take_out(&p, p.q.first);
		dsq_remove(p.q.first);
	}
	assert_null(p.q.first);
}

static void test_fifo(void **state)
{
	(void)state;
	run_random(1, false, 0);
}

/* Also where the clock runs over: the first number is any. */
static void test_vtime(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		run_random(seed, true, 5); /* many ties */
		run_random(seed, true, UINT64_C(1) << 62);
	}
}

static void expect_order(const struct dsq *q, const struct host_task *tasks, const char *order)
{
	const struct host_task *t = q->first, *before = NULL;
	for (; *order; order++, before = t, t = t->node.next) {
		assert_non_null(t);
		assert_int_equal(t - tasks, *order - 'a');
		assert_ptr_equal(t->node.prev, before);
		assert_ptr_equal(t->node.dsq, q);
	}
	assert_null(t);
	assert_ptr_equal(q->last, before);
}

/* Threads that trade places, neighbours included. */
static void test_trade(void **state)
{
	struct host_task tasks[5] = {0};
	struct dsq q = {.id = 1}, other = {.id = 2};
	(void)state;
	for (int i = 0; i < 3; i++)
		dsq_append(&q, &tasks[i]);
	for (int i = 3; i < 5; i++)
		dsq_append(&other, &tasks[i]);
	dsq_trade(&tasks[0], &tasks[1]);
	expect_order(&q, tasks, "bac");
	dsq_trade(&tasks[2], &tasks[0]);
	expect_order(&q, tasks, "bca");
	dsq_trade(&tasks[1], &tasks[0]);
	expect_order(&q, tasks, "acb");
	dsq_trade(&tasks[0], &tasks[4]);
	expect_order(&q, tasks, "ecb");
	expect_order(&other, tasks, "da");
	dsq_trade(&tasks[2], &tasks[3]);
	expect_order(&q, tasks, "edb");
	expect_order(&other, tasks, "ca");
}

TEST_FILE(test_dsq)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_vtime),
		cmocka_unit_test(test_trade),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
