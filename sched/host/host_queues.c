/* Dispatch queues, and inserts into them. */
#include "sched/host/host_internal.h"

struct dsq *host_find_queue(const struct host *h, u64 id)
{
	u32 from = 0, to = h->nr_user;
	while (from < to) {
		u32 middle = (from + to) / 2;
		if (h->user[middle]->id < id)
			from = middle + 1;
		else
			to = middle;
	}
	return from < h->nr_user && h->user[from]->id == id ? h->user[from] : NULL;
}

void host_join_local(struct host *h, struct host_task *p, u32 cpu, u64 flags)
{
	struct host_cpu *c = &h->cpus[cpu];
	p->cpu = (s32)cpu;
	p->owner = HOST_NONE;
	if (flags & (SCX_ENQ_HEAD | SCX_ENQ_PREEMPT))
		dsq_prepend(&c->local, p);
	else
		dsq_append(&c->local, p);
	if (!c->curr)
		host_look(h, cpu);
	else if (flags & SCX_ENQ_PREEMPT)
		host_use_up_slice(h, cpu);
	else if (h->has_queues && c->local.nr == 1)
		host_end_turn(h, cpu);
}

/* The core whose local queue `id` is, for a thread inserted on behalf of core `own`; below 0: it is none. */
static s64 local_core(u64 id, s32 own)
{
	if (id == SCX_DSQ_LOCAL)
		return own;
	if ((id & SCX_DSQ_LOCAL_ON) == SCX_DSQ_LOCAL_ON)
		return (s64)(id & SCX_DSQ_LOCAL_CPU_MASK);
	return -1;
}

void host_commit(struct host *h, const struct host_insert *insert, s32 own)
{
	struct host_task *p = insert->p;
	s64 cpu = local_core(insert->id, own);
	if (insert->slice)
		p->pub.scx.slice = insert->slice;
	else if (p->pub.scx.slice == 0)
		p->pub.scx.slice = 1;
	if (insert->is_vtime)
		p->pub.scx.dsq_vtime = insert->vtime;
	if (cpu >= 0) {
		if (!host_may_run(p, (u32)cpu)) {
			host_fail(h, SCX_EXIT_ERROR,
				  "thread %u (%s) was inserted into the local queue of core %lld, on which it may "
				  "not run",
				  p->index, p->name, (long long)cpu);
			cpu = p->cpu;
		}
		host_join_local(h, p, (u32)cpu, insert->flags);
		return;
	}
	struct dsq *q = insert->id == SCX_DSQ_GLOBAL ? &h->global : host_find_queue(h, insert->id);
	p->owner = HOST_QUEUED;
	if (!q || (q->nr && q->is_vtime != insert->is_vtime)) {
		host_fail(h, SCX_EXIT_ERROR,
			  q ? "queue %llu holds threads in order of vtime and others at once"
			    : "queue %llu does not exist any more",
			  (unsigned long long)insert->id);
		return;
	}
	if (insert->is_vtime)
		dsq_add_vtime(q, p);
	else if (insert->flags & (SCX_ENQ_HEAD | SCX_ENQ_PREEMPT))
		dsq_prepend(q, p);
	else
		dsq_append(q, p);
}

/* Whether there is such a queue. */
static bool check_queue(struct host *h, const struct host_insert *insert)
{
	u64 id = insert->id;
	s64 cpu = local_core(id, 0);
	if (cpu >= (s64)h->nr_cpus) {
		host_fail(h, SCX_EXIT_ERROR,
			  "thread %u (%s) was inserted into the local queue of core %lld, which does not exist (cores "
			  "0 to %u)",
			  insert->p->index, insert->p->name, (long long)cpu, h->nr_cpus - 1);
		return false;
	}
	if (cpu < 0 && id != SCX_DSQ_GLOBAL && !host_find_queue(h, id)) {
		host_fail(h, SCX_EXIT_ERROR, "thread %u (%s) was inserted into queue %llu, which does not exist",
			  insert->p->index, insert->p->name, (unsigned long long)id);
		return false;
	}
	if (insert->is_vtime && (cpu >= 0 || id == SCX_DSQ_GLOBAL)) {
		host_fail(h, SCX_EXIT_ERROR,
			  "thread %u (%s) was inserted by vtime into a built-in queue, which is first in, first out",
			  insert->p->index, insert->p->name);
		return false;
	}
	return true;
}

bool host_insert(struct host *h, const struct host_insert *insert)
{
	struct host_task *p = insert->p;
	if (!check_queue(h, insert))
		return false;
	if (h->at_hand) { /* select_cpu() or host_enqueue() */
		if (p != h->at_hand) {
			host_fail(h, SCX_EXIT_ERROR, "it inserted thread %u (%s) where only thread %u (%s) is at hand",
				  p->index, p->name, h->at_hand->index, h->at_hand->name);
			return false;
		}
		if (p->owner != HOST_QUEUEING || p->is_direct) {
			h->nr_ignored++;
			return false;
		}
		p->is_direct = true;
		p->direct_id = insert->id;
		p->direct_slice = insert->slice;
		p->direct_vtime = insert->vtime;
		p->is_direct_vtime = insert->is_vtime;
		p->direct_flags = insert->flags;
		return true;
	}
	if (p->owner != HOST_QUEUED || p->node.dsq) {
		h->nr_ignored++;
		return false;
	}
	if (h->nr_inserts == h->max_batch) {
		host_fail(h, SCX_EXIT_ERROR, "it inserted more than %u threads in one dispatch (dispatch_max_batch)",
			  h->max_batch);
		return false;
	}
	p->owner = HOST_DISPATCHING;
	h->inserts[h->nr_inserts++] = *insert;
	return true;
}

void host_flush(struct host *h)
{
	for (u32 i = 0; i < h->nr_inserts; i++)
		host_commit(h, &h->inserts[i], h->dispatching);
	h->nr_flushed += h->nr_inserts;
	h->nr_inserts = 0;
}

bool host_move_to_local(struct host *h, u64 id, u64 flags)
{
	struct dsq *q = host_find_queue(h, id);
	host_flush(h);
	if (!q) {
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_dsq_move_to_local() for queue %llu, which %s",
			  (unsigned long long)id, id & SCX_DSQ_FLAG_BUILTIN ? "is built in" : "does not exist");
		return false;
	}
	struct host_task *p = dsq_first_for(q, (u32)h->dispatching);
	if (!p)
		return false;
	dsq_remove(p);
	host_join_local(h, p, (u32)h->dispatching, flags);
	h->nr_flushed++;
	return true;
}
