/* Iterators over queues, and moves of the threads to which they come. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sched/host/host_calls_internal.h"
#include "sched/host/host_internal.h"

/* In struct bpf_iter_scx_dsq. A FIFO is followed from thread to thread; the threads of a queue ordered by vtime, or of
 * one that is read from its end, are put into a list first. */
struct iterator {
	struct dsq *q;		 /* NULL: it has ended */
	struct host_task *at;	 /* FIFO: the next one */
	struct host_task **list; /* [nr]; NULL: a FIFO */
	u32 nr, next;
	u64 end;    /* of the numbers with which threads have joined the queue before */
	u64 number; /* of the iterator */
	u64 slice, vtime;
	bool has_slice, has_vtime;
};

_Static_assert(sizeof(struct iterator) <= sizeof(struct bpf_iter_scx_dsq), "an iterator has room");

static struct iterator *iterator_of(struct bpf_iter_scx_dsq *it)
{
	return (struct iterator *)it;
}

static int by_place(const void *a, const void *b)
{
	const struct dsq_node *x = &(*(struct host_task *const *)a)->node, *y = &(*(struct host_task *const *)b)->node;
	if (x->dsq->is_vtime && x->vtime != y->vtime)
		return time_before64(x->vtime, y->vtime) ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* All threads of a heap below and right of `p`, without recursion: children are visited first. */
static u32 list_heap(struct host_task *p, struct host_task **list)
{
	u32 nr = 0, done = 0;
	for (; p; p = p->node.next)
		list[nr++] = p;
	for (; done < nr; done++)
		for (struct host_task *child = list[done]->node.child; child; child = child->node.next)
			list[nr++] = child;
	return nr;
}

/* A list for the threads of `q`, in the order in which they are to come. */
static bool make_list(struct host *h, struct iterator *i, u64 flags)
{
	struct host_task ***room = &h->iterated[h->nr_iterators];
	if (!*room)
		*room = arena_alloc(h->arena, h->nr_tasks, sizeof(**room));
	if (!*room)
		return false;
	i->list = *room;
	if (i->q->is_vtime) {
		i->nr = list_heap(i->q->first, i->list);
		qsort((void *)i->list, i->nr, sizeof(i->list[0]), by_place);
	} else {
		for (struct host_task *p = i->q->first; p; p = p->node.next)
			i->list[i->nr++] = p;
	}
	for (u32 k = 0; flags & SCX_DSQ_ITER_REV && k < i->nr / 2; k++) {
		struct host_task *p = i->list[k];
		i->list[k] = i->list[i->nr - 1 - k];
		i->list[i->nr - 1 - k] = p;
	}
	return true;
}

s32 bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *it, u64 id, u64 flags)
{
	memset(it, 0, sizeof(*it));
	BEGIN(s32, bpf_iter_scx_dsq_new, -1, it, id, flags);
	struct iterator *i = iterator_of(it);
	struct dsq *q = host_find_queue(h, id);
	if (!q)
		return -ENOENT;
	if (h->nr_iterators == MAX_DSQ_ITERATORS) {
		host_fail(h, SCX_EXIT_ERROR, "it iterates over queues within %u others", MAX_DSQ_ITERATORS);
		return -EBUSY;
	}
	*i = (struct iterator){.q = q, .end = q->seq, .at = q->first, .number = ++h->nr_iterations};
	if ((q->is_vtime || flags & SCX_DSQ_ITER_REV) && q->nr > 0 && !make_list(h, i, flags)) {
		i->q = NULL;
		return -ENOMEM;
	}
	h->nr_iterators++;
	return 0;
}

static bool is_there(const struct iterator *i, const struct host_task *p)
{
	return p->node.dsq == i->q && p->node.seq < i->end;
}

static struct host_task *next_of_list(struct iterator *i)
{
	while (i->next < i->nr) {
		struct host_task *p = i->list[i->next++];
		if (is_there(i, p))
			return p;
	}
	return NULL;
}

static struct host_task *next_of_fifo(struct iterator *i)
{
	struct host_task *p = i->at;
	/* The next one has left the queue, or joined it again: from the beginning, past those that have been seen. */
	if (p && !is_there(i, p))
		p = i->q->first;
	while (p && (!is_there(i, p) || p->iterated_by == i->number))
		p = p->node.next;
	if (!p)
		return NULL;
	p->iterated_by = i->number;
	i->at = p->node.next;
	return p;
}

struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *it)
{
	BEGIN(struct task_struct *, bpf_iter_scx_dsq_next, NULL, it);
	(void)h;
	struct iterator *i = iterator_of(it);
	struct host_task *p = !i->q ? NULL : i->list ? next_of_list(i) : next_of_fifo(i);
	return p ? &p->pub : NULL;
}

void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *it)
{
	BEGIN_VOID(bpf_iter_scx_dsq_destroy, it);
	if (iterator_of(it)->q)
		h->nr_iterators--;
	iterator_of(it)->q = NULL;
}

static bool move(struct host *h, struct iterator *i, struct host_task *p, struct host_insert insert)
{
	insert.p = p;
	insert.slice = i->has_slice ? i->slice : 0;
	insert.vtime = i->has_vtime ? i->vtime : p->pub.scx.dsq_vtime;
	i->has_slice = i->has_vtime = false;
	if (!i->q || !is_there(i, p))
		return false;
	if (!host_check_queue(h, &insert))
		return false;
	dsq_remove(p);
	p->owner = HOST_DISPATCHING;
	host_commit(h, &insert, h->this_cpu);
	/* So that dispatch() is not called again although the core has work. */
	h->nr_flushed++;
	return true;
}

bool scx_bpf_dsq_move(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 id, u64 enq_flags)
{
	BEGIN(bool, scx_bpf_dsq_move, false, it, p, id, enq_flags);
	NEED_TASK(scx_bpf_dsq_move, p, false);
	return move(h, iterator_of(it), host_task_of(p), (struct host_insert){.id = id, .flags = enq_flags});
}

bool scx_bpf_dsq_move_vtime(struct bpf_iter_scx_dsq *it, struct task_struct *p, u64 id, u64 enq_flags)
{
	BEGIN(bool, scx_bpf_dsq_move_vtime, false, it, p, id, enq_flags);
	NEED_TASK(scx_bpf_dsq_move_vtime, p, false);
	return move(h, iterator_of(it), host_task_of(p),
		    (struct host_insert){.id = id, .flags = enq_flags, .is_vtime = true});
}

void scx_bpf_dsq_move_set_slice(struct bpf_iter_scx_dsq *it, u64 slice)
{
	BEGIN_VOID(scx_bpf_dsq_move_set_slice, it, slice);
	(void)h;
	iterator_of(it)->slice = slice;
	iterator_of(it)->has_slice = true;
}

void scx_bpf_dsq_move_set_vtime(struct bpf_iter_scx_dsq *it, u64 vtime)
{
	BEGIN_VOID(scx_bpf_dsq_move_set_vtime, it, vtime);
	(void)h;
	iterator_of(it)->vtime = vtime;
	iterator_of(it)->has_vtime = true;
}
