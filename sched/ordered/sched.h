/* Run queues of the engines that go by timesteps.
 *
 * Once per timestep, before the cores execute, the ordered pass (sahm_pass.h) reads the chip, the run queues and each
 * thread's observed state, and moves threads only with sched_move() and sched_swap(); these keep the queues, charge the
 * migration cost and set the inertia counter.
 *
 * A run queue is a FIFO of thread indices per core; its head runs in the coming timestep. A thread is in exactly one
 * queue from its arrival until it leaves. `observed` is the state in which the thread's last executed timestep began
 * (STATE_NONE before the first), or, under the oracle, the state in which its coming timestep begins. The engine owns
 * everything here.
 */
#ifndef SAHM_SCHED_ORDERED_SCHED_H
#define SAHM_SCHED_ORDERED_SCHED_H

#include <stddef.h>

#include "cores/chip/core.h"
#include "cores/chip/core_list.h"
#include "cores/chip/distance.h"

#define NO_THREAD UINT32_MAX
#define NO_CORE UINT32_MAX

struct sched_thread {
	uint32_t core;	     /* whose queue holds it */
	uint32_t next, prev; /* neighbours in that queue, NO_THREAD at the ends */
	uint32_t inertia;    /* passes at a queue's head that it still stays put */
	uint8_t observed;    /* state, or STATE_NONE */
	uint64_t moved_pass; /* number of the pass in which it last moved; 0 = never */
	uint64_t debt_ns;    /* migration cost that it still owes */
	uint64_t cold_ns;    /* of the warm-up after its last move, still ahead */
	uint64_t migrations; /* moves so far */
	/* Set of the cores that it may run on (cores/chip/core_list.h), NULL: all. The configuration's. */
	const uint64_t *allowed;
};

struct sched_queue {
	uint32_t head, tail; /* NO_THREAD when empty */
	uint32_t length;
};

struct sched {
	const struct chip *chip;
	struct sched_queue *queues;   /* [chip->nr_cores] */
	struct sched_thread *threads; /* [nr_threads] */
	uint32_t nr_threads;
	uint32_t inertia;		   /* counter that a move sets */
	const struct distances *distances; /* debt that a move adds */
	uint64_t warmup_ns;		   /* warm-up that a move begins (cores/chip/warmup.h); 0: none */
	uint64_t pass;			   /* number of the pass under way, from 1 */
	uint64_t decisions;		   /* moves and swaps so far, a swap counting one */
};

/* Whether thread `t` has moved in the pass under way. */
static inline bool sched_has_moved(const struct sched *s, uint32_t t)
{
	return s->threads[t].moved_pass == s->pass;
}

/* Whether thread `t` may run on core `core`. */
static inline bool sched_may_run(const struct sched *s, uint32_t t, uint32_t core)
{
	return core_set_has(s->threads[t].allowed, core);
}

/* Appends thread `t`, which is in no queue, to core `core`'s queue. Free of charge: for the engine's placement. */
void sched_enqueue(struct sched *s, uint32_t t, uint32_t core);

/* Takes thread `t` out of its queue: it leaves the chip. */
void sched_dequeue(struct sched *s, uint32_t t);

/* Puts the head of `core`'s queue at its tail: the next thread's turn. */
void sched_rotate(struct sched *s, uint32_t core);

/* Moves thread `t` to the tail of another core's queue, one that it may run on: it owes the migration cost, has the
 * warm-up ahead of it, and its inertia counter is set. */
void sched_move(struct sched *s, uint32_t t, uint32_t core);

/* Lets two threads of different cores, each allowed on the other's, trade places in their queues; both have moved, as
 * above. */
void sched_swap(struct sched *s, uint32_t a, uint32_t b);

#endif
