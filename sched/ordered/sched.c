/* Run queues and moves. */
#include "sched/ordered/sched.h"

void sched_enqueue(struct sched *s, uint32_t t, uint32_t core)
{
	struct sched_queue *q = &s->queues[core];
	struct sched_thread *th = &s->threads[t];
	th->core = core;
	th->prev = q->tail;
	th->next = NO_THREAD;
	if (q->tail == NO_THREAD)
		q->head = t;
	else
		s->threads[q->tail].next = t;
	q->tail = t;
	q->length++;
}

void sched_dequeue(struct sched *s, uint32_t t)
{
	struct sched_thread *th = &s->threads[t];
	struct sched_queue *q = &s->queues[th->core];
	if (th->prev == NO_THREAD)
		q->head = th->next;
	else
		s->threads[th->prev].next = th->next;
	if (th->next == NO_THREAD)
		q->tail = th->prev;
	else
		s->threads[th->next].prev = th->prev;
	q->length--;
}

void sched_rotate(struct sched *s, uint32_t core)
{
	uint32_t t = s->queues[core].head;
	if (s->queues[core].length < 2)
		return;
	sched_dequeue(s, t);
	sched_enqueue(s, t, core);
}

/* Thread `t` has come from core `from`. */
static void charge(struct sched *s, uint32_t t, uint32_t from)
{
	struct sched_thread *th = &s->threads[t];
	uint64_t cost_ns = distance_cost_ns(s->distances, s->chip->nr_cores, from, th->core);
	th->debt_ns = debt_after_move_ns(th->debt_ns, cost_ns);
	th->cold_ns = s->warmup_ns;
	th->inertia = s->inertia;
	th->moved_pass = s->pass;
	th->migrations++;
}

void sched_move(struct sched *s, uint32_t t, uint32_t core)
{
	uint32_t from = s->threads[t].core;
	sched_dequeue(s, t);
	sched_enqueue(s, t, core);
	charge(s, t, from);
	s->decisions++;
}

/* Makes the neighbours and the queue of `t` point at it. */
static void relink(struct sched *s, uint32_t t)
{
	struct sched_thread *th = &s->threads[t];
	struct sched_queue *q = &s->queues[th->core];
	if (th->prev == NO_THREAD)
		q->head = t;
	else
		s->threads[th->prev].next = t;
	if (th->next == NO_THREAD)
		q->tail = t;
	else
		s->threads[th->next].prev = t;
}

void sched_swap(struct sched *s, uint32_t a, uint32_t b)
{
	struct sched_thread *ta = &s->threads[a], *tb = &s->threads[b];
	uint32_t core = ta->core, next = ta->next, prev = ta->prev;
	ta->core = tb->core;
	ta->next = tb->next;
	ta->prev = tb->prev;
	tb->core = core;
	tb->next = next;
	tb->prev = prev;
	relink(s, a);
	relink(s, b);
	charge(s, a, tb->core);
	charge(s, b, ta->core);
	s->decisions++;
}
