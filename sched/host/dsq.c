#include "sched/host/dsq.h"

#include "sched/host/host.h"

/* Joins a FIFO between two neighbours, NULL where there is none. */
static void link_in(struct dsq *q, struct host_task *p, struct host_task *prev, struct host_task *next)
{
	p->node.dsq = q;
	p->node.prev = prev;
	p->node.next = next;
	p->node.seq = q->seq++;
	q->nr++;
	q->is_vtime = false;
}

void dsq_append(struct dsq *q, struct host_task *p)
{
	link_in(q, p, q->last, NULL);
	if (q->last)
		q->last->node.next = p;
	else
		q->first = p;
	q->last = p;
}

void dsq_prepend(struct dsq *q, struct host_task *p)
{
	link_in(q, p, NULL, q->first);
	if (q->first)
		q->first->node.prev = p;
	else
		q->last = p;
	q->first = p;
}

/* The heap: a root with children, each the root of a heap. */

static bool comes_before(const struct host_task *a, const struct host_task *b)
{
	if (a->node.vtime != b->node.vtime)
		return time_before64(a->node.vtime, b->node.vtime);
	return a->node.seq < b->node.seq;
}

static struct host_task *merge(struct host_task *a, struct host_task *b)
{
	if (!a || !b)
		return a ? a : b;
	if (comes_before(b, a)) {
		struct host_task *c = a;
		a = b;
		b = c;
	}
	b->node.next = a->node.child;
	b->node.prev = a;
	if (a->node.child)
		a->node.child->node.prev = b;
	a->node.child = b;
	return a;
}

/* Makes one heap of siblings: in pairs from the left, then from the right. */
static struct host_task *merge_siblings(struct host_task *first)
{
	struct host_task *pairs = NULL, *root = NULL;
	while (first) {
		struct host_task *a = first, *b = a->node.next;
		first = b ? b->node.next : NULL;
		a->node.next = a->node.prev = NULL;
		if (b)
			b->node.next = b->node.prev = NULL;
		a = merge(a, b);
		a->node.next = pairs;
		pairs = a;
	}
	while (pairs) {
		struct host_task *next = pairs->node.next;
		pairs->node.next = NULL;
		root = merge(root, pairs);
		pairs = next;
	}
	return root;
}

void dsq_add_vtime(struct dsq *q, struct host_task *p)
{
	p->node = (struct dsq_node){.dsq = q, .vtime = p->pub.scx.dsq_vtime, .seq = q->seq++};
	q->nr++;
	q->is_vtime = true;
	q->first = merge(q->first, p);
}

static void remove_vtime(struct dsq *q, struct host_task *p)
{
	struct host_task *children = merge_siblings(p->node.child);
	if (p == q->first) {
		q->first = children;
		return;
	}
	if (p->node.prev->node.child == p)
		p->node.prev->node.child = p->node.next;
	else
		p->node.prev->node.next = p->node.next;
	if (p->node.next)
		p->node.next->node.prev = p->node.prev;
	q->first = merge(q->first, children);
}

void dsq_remove(struct host_task *p)
{
	struct dsq *q = p->node.dsq;
	if (q->is_vtime) {
		remove_vtime(q, p);
	} else {
		if (p->node.prev)
			p->node.prev->node.next = p->node.next;
		else
			q->first = p->node.next;
		if (p->node.next)
			p->node.next->node.prev = p->node.prev;
		else
			q->last = p->node.prev;
	}
	q->nr--;
	p->node.dsq = NULL;
}

/* Makes the neighbours and the queue of `p` point at it. */
static void relink(struct host_task *p)
{
	struct dsq *q = p->node.dsq;
	if (p->node.prev)
		p->node.prev->node.next = p;
	else
		q->first = p;
	if (p->node.next)
		p->node.next->node.prev = p;
	else
		q->last = p;
}

void dsq_trade(struct host_task *a, struct host_task *b)
{
	struct dsq_node node = a->node;
	a->node = b->node;
	b->node = node;
	/* Neighbours: each has got itself as a neighbour. */
	if (a->node.next == a) {
		a->node.next = b;
		b->node.prev = a;
	} else if (a->node.prev == a) {
		a->node.prev = b;
		b->node.next = a;
	}
	relink(a);
	relink(b);
}

/* The first of a heap that may run on `cpu`: those before it are taken out and put back, in their order. */
static struct host_task *first_of_heap(struct dsq *q, u32 cpu)
{
	struct host_task *found, *out = NULL;
	while ((found = q->first) && !host_may_run(found, cpu)) {
		q->first = merge_siblings(found->node.child);
		found->node.child = NULL;
		found->node.next = out;
		found->node.prev = NULL;
		out = found;
	}
	while (out) {
		struct host_task *next = out->node.next;
		out->node.next = NULL;
		q->first = merge(q->first, out);
		out = next;
	}
	return found;
}

struct host_task *dsq_first_for(struct dsq *q, u32 cpu)
{
	if (q->is_vtime)
		return first_of_heap(q, cpu);
	struct host_task *p = q->first;
	while (p && !host_may_run(p, cpu))
		p = p->node.next;
	return p;
}
