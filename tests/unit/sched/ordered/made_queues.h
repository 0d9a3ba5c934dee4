/* Queues in a few words, for single passes, and what is expected of them. */
#ifndef SAHM_TESTS_UNIT_SCHED_ORDERED_MADE_QUEUES_H
#define SAHM_TESTS_UNIT_SCHED_ORDERED_MADE_QUEUES_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sched/ordered/sahm_pass.h"
#include "sched/policies/policies.h"
#include "sim/base/array.h"
#include "tests/unit/made_chip.h"

#define UNSEEN STATE_NONE

struct place {
	uint32_t core; /* in the order in which they are queued */
	unsigned observed;
	uint32_t inertia;
};

struct system {
	struct made_chip made;
	struct sched_queue queues[TOP_CORES];
	struct sched_thread threads[TOP_THREADS];
	struct distances distances;
	struct sched s;
};

#define COST_NS 1000
#define INERTIA 5

static inline void make_system(struct system *sys, const struct way *ways, uint32_t nr_cores,
			       const struct place *places, uint32_t nr_threads)
{
	assert_true(nr_threads <= TOP_THREADS);
	make_chip(&sys->made, ways, nr_cores);
	sys->s = (struct sched){.chip = &sys->made.chip,
				.queues = sys->queues,
				.threads = sys->threads,
				.nr_threads = nr_threads,
				.inertia = INERTIA,
				.distances = &sys->distances};
	sys->distances = (struct distances){.cost_ns = COST_NS};
	for (uint32_t c = 0; c < nr_cores; c++)
		sys->queues[c] = (struct sched_queue){.head = NO_THREAD, .tail = NO_THREAD};
	for (uint32_t t = 0; t < nr_threads; t++) {
		sys->threads[t] =
			(struct sched_thread){.observed = (uint8_t)places[t].observed, .inertia = places[t].inertia};
		sched_enqueue(&sys->s, t, places[t].core);
	}
}

/* System `sys` with cores `ways` and threads `places`, both arrays. */
#define MAKE(sys, ways, places) make_system(sys, ways, ARRAY_SIZE(ways), places, ARRAY_SIZE(places))

static inline void pass(struct system *sys, const char *policy)
{
	const struct sched_ext_ops *p = sched_policy_find(policy);

	assert_non_null(p);
	sys->s.pass++;
	if (p->sahm_rules)
		sahm_pass(&sys->s, p->sahm_rules->swaps);
}

/* The queues as text, head first: "1,0 - 2" is thread 1 before thread 0 on core 0, nobody on core 1, thread 2 on core
 * 2. Fails when the links contradict each other. */
static inline void expect_queues(const struct system *sys, const char *expected)
{
	char text[256] = "";
	size_t len = 0;

	for (uint32_t c = 0; c < sys->s.chip->nr_cores; c++) {
		const struct sched_queue *q = &sys->queues[c];
		uint32_t previous = NO_THREAD, nr = 0;
		if (c > 0)
			text[len++] = ' ';
		for (uint32_t t = q->head; t != NO_THREAD; t = sys->threads[t].next) {
			assert_true(nr++ < sys->s.nr_threads);
			assert_int_equal(sys->threads[t].core, c);
			assert_int_equal(sys->threads[t].prev, previous);
			len += (size_t)sprintf(text + len, "%s%u", previous == NO_THREAD ? "" : ",", t);
			previous = t;
		}
		if (nr == 0)
			text[len++] = '-';
		text[len] = '\0';
		assert_int_equal(q->length, nr);
		assert_int_equal(q->tail, previous);
	}
	assert_string_equal(text, expected);
}

/* Inertia and number of moves of each thread, as text: "5/1 0/0". Threads moved in the pass under way owe the cost and
 * are known to have moved. */
static inline void expect_counters(const struct system *sys, const char *expected)
{
	char text[256] = "";
	size_t len = 0;

	for (uint32_t t = 0; t < sys->s.nr_threads; t++) {
		const struct sched_thread *th = &sys->threads[t];
		len += (size_t)sprintf(text + len, "%s%u/%" PRIu64, t ? " " : "", th->inertia, th->migrations);
		assert_int_equal(th->debt_ns, th->migrations * COST_NS);
	}
	assert_string_equal(text, expected);
}

#endif
