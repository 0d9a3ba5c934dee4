#include "sched/host/host_internal.h"

/* Changes of a thread's properties: it is taken back from where it waits, and enqueued again. */

void host_take_back(struct host *h, struct host_task *p)
{
	if (p->owner == HOST_QUEUED)
		CALL_OP_IF(h, dequeue, &p->pub, SCX_DEQ_SAVE);
	if (p->node.dsq)
		dsq_remove(p);
	p->owner = HOST_NONE;
}

void host_requeue(struct host *h, struct host_task *p)
{
	host_enqueue(h, p, 0);
	if (!h->cpus[p->cpu].curr)
		host_look(h, (u32)p->cpu);
}

void host_set_weight(struct host *h, struct host_task *p, u32 weight)
{
	bool waits = p->is_runnable && !p->is_running;
	p->pub.scx.weight = weight;
	if (!p->is_present)
		return;
	if (waits && !h->has_queues)
		host_take_back(h, p);
	CALL_OP_IF(h, set_weight, &p->pub, weight);
	if (waits && !h->has_queues)
		host_requeue(h, p);
}

void host_set_allowed(struct host *h, struct host_task *p, const uint64_t *allowed)
{
	p->mask.words = allowed;
	p->pub.nr_cpus_allowed = (s32)host_count_allowed(h, p);
	if (!p->is_present)
		return;
	bool may_stay = host_may_run(p, (u32)p->cpu);
	if (p->is_running && !may_stay)
		host_stop(h, (u32)p->cpu, true);
	/* In a run queue it keeps its place. */
	bool is_taken = p->is_runnable && !p->is_running && !(h->has_queues && may_stay);
	if (is_taken)
		host_take_back(h, p);
	CALL_OP_IF(h, set_cpumask, &p->pub, &p->mask);
	h->is_changed = true;
	if (!may_stay)
		p->cpu = (s32)(h->has_queues ? host_emptiest_core(h, p) : host_first_allowed(h, p));
	/* In run queues a place is a core: passes move it on from there. */
	if (!may_stay && h->has_queues && p->has_run) {
		host_charge(h, p, (u32)p->home, (u32)p->cpu);
		h->decisions++;
	}
	if (is_taken)
		host_requeue(h, p);
}
