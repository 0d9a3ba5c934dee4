/* Dispatch queues: first in, first out, or ordered by vtime.
 *
 * A FIFO is a doubly linked list; the other kind a pairing heap, first come first served on a tie. Neither allocates:
 * links stand in the threads. Any thread can be taken out at any time. A queue is of one kind at a time: that of what
 * is in it.
 */
#ifndef SAHM_SCHED_HOST_DSQ_H
#define SAHM_SCHED_HOST_DSQ_H

#include "sched/host/ext.h"

struct host_task;

/* A thread's place in a queue. */
struct dsq_node {
	struct dsq *dsq;	       /* NULL: in none */
	struct host_task *next, *prev; /* FIFO: neighbours; heap: siblings, prev of the first being the parent */
	struct host_task *child;       /* heap: the first */
	u64 vtime;		       /* heap: its order, and then that of `seq` */
	u64 seq;		       /* of those that have joined the queue */
};

struct dsq {
	u64 id;
	u32 nr;
	bool is_vtime;
	u64 seq;
	struct host_task *first, *last; /* FIFO; heap: `first` is the root */
};

/* Puts thread `p`, which is in no queue, at the end, or at the front, of a FIFO. */
void dsq_append(struct dsq *q, struct host_task *p);
void dsq_prepend(struct dsq *q, struct host_task *p);

/* Puts it into a queue ordered by vtime, at p's dsq_vtime. */
void dsq_add_vtime(struct dsq *q, struct host_task *p);

/* Takes it out of its queue. */
void dsq_remove(struct host_task *p);

/* Lets two threads of FIFOs, the same or different ones, trade places. */
void dsq_trade(struct host_task *a, struct host_task *b);

/* The first thread of `q` that may run on core `cpu`, NULL when there is none; the queue stays as it is. */
struct host_task *dsq_first_for(struct dsq *q, u32 cpu);

#endif
