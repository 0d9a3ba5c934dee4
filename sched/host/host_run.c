/* Who runs where: slices, dispatch queues, idle cores, and cores that look for work. */
#include "sched/host/host_internal.h"

/* Rounds of dispatch() in which a core finds nothing that it can run before it gives up, as in the kernel; and looks
 * for work of all cores at one point in time, each, before a policy is accused of not letting time pass. */
#define MAX_DISPATCH_ROUNDS 32
#define MAX_LOOKS_PER_CORE 1024u

/* Slices */

void host_look(struct host *h, u32 cpu)
{
	bitset_add(h->resched, cpu);
}

void host_begin_slice(struct host *h, u32 cpu, u64 slice)
{
	if (slice > 0 && slice < SAHM_SLICE_MIN_NS && !h->has_queues)
		slice = SAHM_SLICE_MIN_NS;
	h->cpus[cpu].slice_end_ns = slice > NEVER - h->now ? NEVER : h->now + slice;
}

void host_tell_slice(const struct host *h, struct host_task *p)
{
	const struct host_cpu *c = &h->cpus[p->cpu];
	if (!p->is_running)
		return;
	if (c->slice_end_ns == NEVER)
		p->pub.scx.slice = SCX_SLICE_INF;
	else
		p->pub.scx.slice = c->slice_end_ns > h->now ? c->slice_end_ns - h->now : 0;
}

void host_take_slice(struct host *h, struct host_task *p)
{
	struct host_cpu *c = &h->cpus[p->cpu];
	u64 slice = p->pub.scx.slice, left = c->slice_end_ns > h->now ? c->slice_end_ns - h->now : 0;
	if (!p->is_running || slice == (c->slice_end_ns == NEVER ? SCX_SLICE_INF : left))
		return;
	/* In run queues turns have their length; a policy can but end one. */
	if (h->has_queues && slice != 0 && slice != h->timestep_ns) {
		host_tell_slice(h, p);
		return;
	}
	host_begin_slice(h, (u32)p->cpu, slice);
	if (slice == 0)
		host_look(h, (u32)p->cpu);
	h->engine->slice(h->engine_data, (u32)p->cpu);
}

void host_set_slice(struct host *h, struct host_task *p, u64 slice)
{
	p->pub.scx.slice = slice;
	host_take_slice(h, p);
}

void host_use_up_slice(struct host *h, u32 cpu)
{
	if (h->cpus[cpu].curr)
		host_set_slice(h, h->cpus[cpu].curr, 0);
	host_look(h, cpu);
}

void host_end_turn(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	if (h->has_queues && c->slice_end_ns <= h->now)
		c->slice_end_ns += ((h->now - c->slice_end_ns) / h->timestep_ns + 1) * h->timestep_ns;
	h->engine->slice(h->engine_data, cpu);
}

/* Dispatch queues, and inserts into them */

/* Thread `p`, which nobody has, joins the local queue of `cpu`. */
static void join_local(struct host *h, struct host_task *p, u32 cpu, u64 flags)
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
				  "thread %s (pid %d) was inserted into the local queue of core %lld, on which it may "
				  "not run",
				  p->name, p->pub.pid, (long long)cpu);
			cpu = p->cpu;
		}
		join_local(h, p, (u32)cpu, insert->flags);
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

bool host_check_queue(struct host *h, const struct host_insert *insert)
{
	u64 id = insert->id;
	s64 cpu = local_core(id, 0);
	if (cpu >= (s64)h->nr_cpus) {
		host_fail(
			h, SCX_EXIT_ERROR,
			"thread %s (pid %d) was inserted into the local queue of core %lld, which does not exist (cores "
			"0 to %u)",
			insert->p->name, insert->p->pub.pid, (long long)cpu, h->nr_cpus - 1);
		return false;
	}
	if (cpu < 0 && id != SCX_DSQ_GLOBAL && !host_find_queue(h, id)) {
		host_fail(h, SCX_EXIT_ERROR, "thread %s (pid %d) was inserted into queue %llu, which does not exist",
			  insert->p->name, insert->p->pub.pid, (unsigned long long)id);
		return false;
	}
	if (insert->is_vtime && (cpu >= 0 || id == SCX_DSQ_GLOBAL)) {
		host_fail(
			h, SCX_EXIT_ERROR,
			"thread %s (pid %d) was inserted by vtime into a built-in queue, which is first in, first out",
			insert->p->name, insert->p->pub.pid);
		return false;
	}
	return true;
}

bool host_insert(struct host *h, const struct host_insert *insert)
{
	struct host_task *p = insert->p;
	if (!host_check_queue(h, insert))
		return false;
	if (h->at_hand) { /* select_cpu() or host_enqueue() */
		if (p != h->at_hand) {
			host_fail(h, SCX_EXIT_ERROR,
				  "it inserted thread %s (pid %d) where only thread %s (pid %d) is at hand", p->name,
				  p->pub.pid, h->at_hand->name, h->at_hand->pub.pid);
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

/* Lets the inserts of the dispatch() under way take effect. */
static void flush(struct host *h)
{
	for (u32 i = 0; i < h->nr_inserts; i++)
		host_commit(h, &h->inserts[i], h->dispatching);
	h->nr_flushed += h->nr_inserts;
	h->nr_inserts = 0;
}

bool host_move_to_local(struct host *h, u64 id, u64 flags)
{
	struct dsq *q = host_find_queue(h, id);
	flush(h);
	if (!q) {
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_dsq_move_to_local() for queue %llu, which %s",
			  (unsigned long long)id, id & SCX_DSQ_FLAG_BUILTIN ? "is built in" : "does not exist");
		return false;
	}
	struct host_task *p = dsq_first_for(q, (u32)h->dispatching);
	if (!p)
		return false;
	dsq_remove(p);
	join_local(h, p, (u32)h->dispatching, flags);
	h->nr_flushed++;
	return true;
}

/* Idle cores */

static inline void set_idle(struct host *h, u32 cpu, bool idle)
{
	struct host_cpu *c = &h->cpus[cpu];
	if (idle)
		h->free[cpu / 64] |= UINT64_C(1) << cpu % 64;
	else
		h->free[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
	if (c->is_idle == idle)
		return;
	c->is_idle = idle;
	CALL_OP_IF(h, update_idle, (s32)cpu, idle);
}

bool host_take_idle(struct host *h, u32 cpu)
{
	u64 bit = UINT64_C(1) << cpu % 64;
	bool was_free = h->free[cpu / 64] & bit;
	h->free[cpu / 64] &= ~bit;
	return was_free;
}

s32 host_pick_idle(struct host *h, const struct cpumask *mask, const struct cpumask *also)
{
	u32 nr_words = mask ? host_mask_words(mask) : 0;
	for (u32 i = 0; i < nr_words; i++) {
		u64 found = h->free[i] & host_mask_word(mask, i) & (also ? host_mask_word(also, i) : UINT64_MAX);
		if (found) {
			h->free[i] &= ~(found & -found);
			return (s32)(64 * i) + __builtin_ctzll(found);
		}
	}
	return -1;
}

s32 host_select_default(struct host *h, struct host_task *p, s32 prev_cpu, bool *is_idle)
{
	*is_idle = true;
	if (host_may_run(p, (u32)prev_cpu) && host_take_idle(h, (u32)prev_cpu))
		return prev_cpu;
	s32 cpu = host_pick_idle(h, &p->mask, NULL);
	if (cpu >= 0)
		return cpu;
	*is_idle = false;
	return prev_cpu;
}

void host_kick(struct host *h, u32 cpu, u64 flags)
{
	if (flags & SCX_KICK_PREEMPT && !(flags & SCX_KICK_IDLE))
		host_use_up_slice(h, cpu);
	else if (!h->cpus[cpu].curr || !(flags & SCX_KICK_IDLE))
		host_look(h, cpu);
}

/* Who runs */

void host_count_runtime(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	c->curr->pub.se.sum_exec_runtime += h->now - c->ran_to_ns;
	c->curr->pub.utime = c->curr->pub.se.sum_exec_runtime;
	c->ran_to_ns = h->now;
}

struct host_task *host_stop(struct host *h, u32 cpu, bool is_runnable)
{
	struct host_cpu *c = &h->cpus[cpu];
	struct host_task *p = c->curr;
	host_tell_slice(h, p);
	host_count_runtime(h, cpu);
	if (is_runnable)
		p->pub.nivcsw++;
	else
		p->pub.nvcsw++;
	h->engine->end(h->engine_data, p, cpu);
	CALL_OP_IF(h, stopping, &p->pub, is_runnable);
	c->curr = NULL;
	p->is_running = false;
	p->ready_ns = h->now;
	/* stopping() may have asked for the thread's debt or set its slice. */
	if (h->ops->stopping)
		h->engine->slice(h->engine_data, cpu);
	host_look(h, cpu);
	return p;
}

/* Thread `p`, in no queue, begins to run on `cpu`. */
static void start(struct host *h, struct host_task *p, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	u64 slice = h->has_queues ? h->timestep_ns : p->pub.scx.slice;
	set_idle(h, cpu, false);
	if (p->has_run && p->home != (s32)cpu) {
		host_charge(h, p, (u32)p->home, cpu);
		h->decisions++;
	}
	p->home = p->cpu = (s32)cpu;
	c->curr = p;
	c->ran_to_ns = h->now;
	p->is_running = p->has_run = true;
	h->events.SCX_EV_REFILL_SLICE_DFL += slice == 0;
	p->pub.scx.slice = slice ? slice : SCX_SLICE_DFL;
	host_begin_slice(h, cpu, p->pub.scx.slice);
	h->engine->begin(h->engine_data, p, cpu);
	p->is_waking = p->is_new = false;
	if (h->ops->running) {
		CALL_OP(h, running, &p->pub);
		host_take_slice(h, p);
	}
}

void host_enqueue(struct host *h, struct host_task *p, u64 flags)
{
	struct host_insert insert = {.p = p};
	if (h->has_queues) {
		join_local(h, p, (u32)p->cpu, 0);
		return;
	}
	if (!h->ops->enqueue) {
		insert.id = SCX_DSQ_GLOBAL;
		insert.slice = SCX_SLICE_DFL;
		host_commit(h, &insert, p->cpu);
		for (u32 cpu = 0; cpu < h->nr_cpus; cpu++)
			if (!h->cpus[cpu].curr && host_may_run(p, cpu))
				host_look(h, cpu);
		return;
	}
	p->owner = HOST_QUEUEING;
	p->is_direct = false;
	h->at_hand = p;
	CALL_OP(h, enqueue, &p->pub, flags);
	h->at_hand = NULL;
	if (!p->is_direct) {
		p->owner = HOST_QUEUED;
		return;
	}
	insert = (struct host_insert){
		p, p->direct_id, p->direct_slice, p->direct_vtime, p->direct_flags, p->is_direct_vtime};
	host_commit(h, &insert, p->cpu);
}

/* Looking for work */

static bool take_from(struct host *h, struct dsq *q, u32 cpu)
{
	struct host_task *p = dsq_first_for(q, cpu);
	if (!p)
		return false;
	dsq_remove(p);
	join_local(h, p, cpu, 0);
	return true;
}

/* Lets dispatch() fill the local queue of `cpu`; whether the thread that runs there is to go on, having got a slice. */
static bool dispatch(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	struct host_task *prev = c->curr;
	for (int round = 0; round < MAX_DISPATCH_ROUNDS && h->ops->dispatch && !h->has_failed; round++) {
		h->dispatching = (s32)cpu;
		h->nr_flushed = 0;
		CALL_OP(h, dispatch, (s32)cpu, prev ? &prev->pub : NULL);
		flush(h);
		h->dispatching = -1;
		if (prev && prev->pub.scx.slice > 0) {
			host_take_slice(h, prev);
			return true;
		}
		if (c->local.nr || take_from(h, &h->global, cpu) || h->nr_flushed == 0)
			return false;
	}
	/* It has found work only for others, round after round: so the next time it is this core's turn. */
	if (h->ops->dispatch)
		host_look(h, cpu);
	return false;
}

/* Takes `next` out of the local queue of `cpu` and lets the thread that runs there go: it is not to overtake it. */
static void make_room(struct host *h, u32 cpu, struct host_task *next)
{
	dsq_remove(next);
	if (h->cpus[cpu].curr)
		host_enqueue(h, host_stop(h, cpu, true), 0);
}

static void look_for_work(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	struct host_task *prev = c->curr;
	if (prev) {
		host_tell_slice(h, prev);
		if (prev->pub.scx.slice > 0)
			return;
	}
	if (c->local.nr == 0 && !take_from(h, &h->global, cpu) && dispatch(h, cpu))
		return;
	struct host_task *next = c->local.first;
	if (!next && prev && h->ops->flags & SCX_OPS_ENQ_LAST && h->ops->enqueue) {
		host_enqueue(h, host_stop(h, cpu, true), SCX_ENQ_LAST);
		next = c->local.first;
		prev = NULL;
	}
	if (next) {
		make_room(h, cpu, next);
		start(h, next, cpu);
	} else if (prev) {
		h->events.SCX_EV_DISPATCH_KEEP_LAST++;
		h->events.SCX_EV_REFILL_SLICE_DFL++;
		host_set_slice(h, prev, h->has_queues ? h->timestep_ns : SCX_SLICE_DFL);
	} else {
		set_idle(h, cpu, true);
	}
}

__attribute__((flatten)) void host_settle(struct host *h)
{
	u64 nr_looks = 0;
	while (!h->has_failed) {
		u32 cpu = bitset_first(h->resched);
		if (cpu == BITSET_END)
			return;
		for (; cpu != BITSET_END && !h->has_failed; cpu = bitset_next(h->resched, cpu + 1)) {
			bitset_remove(h->resched, cpu);
			look_for_work(h, cpu);
			nr_looks++;
			if (cpu + 1 >= h->nr_cpus)
				break;
		}
		if (nr_looks > (u64)h->nr_cpus * MAX_LOOKS_PER_CORE)
			host_fail(h, SCX_EXIT_ERROR_STALL,
				  "it does not let time pass: cores have looked for work %llu times at this moment",
				  (unsigned long long)nr_looks);
	}
}
