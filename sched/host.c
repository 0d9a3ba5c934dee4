/* The order in which a policy's operations are called. */
#include "sched/host.h"

#include <stdarg.h>
#include <stdio.h>

/* Rounds of dispatch() in which a core finds nothing that it can run before it gives up, as in the kernel; and looks
 * for work of all cores at one point in time, each, before a policy is said not to let time pass. */
#define MAX_DISPATCH_ROUNDS 32
#define MAX_LOOKS_PER_CORE 1024u

/* Shortest time, in timesteps, after which a thread that the policy keeps at the end of a run is lost. */
#define LOST_TIMESTEPS 10

/* Calls an operation; what it calls knows where it is. */
#define CALL_OP(h, name, ...)                                                                                          \
	do {                                                                                                           \
		enum host_op before_ = (h)->op;                                                                        \
		(h)->op = HOST_OP_##name;                                                                              \
		(h)->ops->name(__VA_ARGS__);                                                                           \
		(h)->op = before_;                                                                                     \
	} while (0)

/* The same where there is such an operation. */
#define CALL_OP_IF(h, name, ...)                                                                                       \
	do {                                                                                                           \
		if ((h)->ops->name)                                                                                    \
			CALL_OP(h, name, __VA_ARGS__);                                                                 \
	} while (0)

/* Which host a policy's calls mean: they have no argument for it, since the kernel's have none. */
static _Thread_local struct host *current;

struct host *host_current(void)
{
	return current;
}

struct host *host_enter(struct host *h)
{
	struct host *before = current;
	current = h;
	return before;
}

void host_exit(struct host *before)
{
	current = before;
}

void host_fail(struct host *h, enum scx_exit_kind kind, const char *fmt, ...)
{
	char text[SAHM_ERR_BYTES];
	va_list args;
	if (h->has_failed)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	h->has_failed = true;
	h->exit_kind = kind;
	sahm_fail(&h->err, SAHM_POLICY, "policy '%s' at %llu.%06llu ms: %s", h->ops->name,
		  (unsigned long long)(h->now / 1000000), (unsigned long long)(h->now % 1000000), text);
}

/* Places */

static void place_on(struct host *h, struct host_task *p, u32 cpu, bool is_charged)
{
	u32 from = (u32)p->cpu;
	if (from == cpu)
		return;
	p->cpu = (s32)cpu;
	if (is_charged || p->has_run) {
		p->debt_ns = debt_after_move_ns(p->debt_ns, distance_cost_ns(h->distances, h->nr_cpus, from, cpu));
		p->cold_ns = h->warmup_ns;
		p->migrations++;
		h->engine->moved(h->engine_data, p, from, cpu);
	}
}

/* The same for a thread that the policy has put there by a queue: each is a decision. */
static void place_by_queue(struct host *h, struct host_task *p, u32 cpu)
{
	h->decisions += p->has_run && (u32)p->cpu != cpu;
	place_on(h, p, cpu, false);
}

static void look(struct host *h, u32 cpu)
{
	bitset_add(h->resched, cpu);
}

u64 host_slice_event(const struct host *h, u32 cpu)
{
	const struct host_cpu *c = &h->cpus[cpu];
	if (!c->curr || (h->has_queues && c->local.nr == 0))
		return UINT64_MAX;
	return c->slice_end_ns;
}

/* The slice of who runs on `cpu` ends `slice` ns from now. */
static void begin_slice(struct host *h, u32 cpu, u64 slice)
{
	h->cpus[cpu].slice_end_ns = slice > UINT64_MAX - h->now ? UINT64_MAX : h->now + slice;
}

/* Brings p->scx.slice up to date for an operation. */
static void tell_slice(const struct host *h, struct host_task *p)
{
	const struct host_cpu *c = &h->cpus[p->cpu];
	if (!p->is_running)
		return;
	if (c->slice_end_ns == UINT64_MAX)
		p->pub.scx.slice = SCX_SLICE_INF;
	else
		p->pub.scx.slice = c->slice_end_ns > h->now ? c->slice_end_ns - h->now : 0;
}

/* Takes over what an operation has made of it. */
static void take_slice(struct host *h, struct host_task *p)
{
	struct host_cpu *c = &h->cpus[p->cpu];
	u64 slice = p->pub.scx.slice, left = c->slice_end_ns > h->now ? c->slice_end_ns - h->now : 0;
	if (!p->is_running || slice == (c->slice_end_ns == UINT64_MAX ? SCX_SLICE_INF : left))
		return;
	begin_slice(h, (u32)p->cpu, slice);
	if (slice == 0)
		look(h, (u32)p->cpu);
	h->engine->slice(h->engine_data, (u32)p->cpu);
}

void host_set_slice(struct host *h, struct host_task *p, u64 slice)
{
	p->pub.scx.slice = slice;
	take_slice(h, p);
}

static void use_up_slice(struct host *h, u32 cpu)
{
	if (h->cpus[cpu].curr)
		host_set_slice(h, h->cpus[cpu].curr, 0);
	look(h, cpu);
}

/* Idle cores */

static void set_idle(struct host *h, u32 cpu, bool idle)
{
	struct host_cpu *c = &h->cpus[cpu];
	c->is_free = idle;
	if (c->is_idle == idle)
		return;
	c->is_idle = idle;
	CALL_OP_IF(h, update_idle, (s32)cpu, idle);
}

s32 host_pick_idle(struct host *h, const struct cpumask *mask)
{
	for (u32 cpu = 0; cpu < h->nr_cpus; cpu++) {
		if (h->cpus[cpu].is_free && bpf_cpumask_test_cpu(cpu, mask)) {
			h->cpus[cpu].is_free = false;
			return (s32)cpu;
		}
	}
	return -1;
}

s32 host_select_default(struct host *h, struct host_task *p, s32 prev_cpu, bool *is_idle)
{
	*is_idle = true;
	if (h->cpus[prev_cpu].is_free && host_may_run(p, (u32)prev_cpu)) {
		h->cpus[prev_cpu].is_free = false;
		return prev_cpu;
	}
	s32 cpu = host_pick_idle(h, &p->mask);
	if (cpu >= 0)
		return cpu;
	*is_idle = false;
	return prev_cpu;
}

void host_kick(struct host *h, u32 cpu, u64 flags)
{
	if (flags & SCX_KICK_PREEMPT && !(flags & SCX_KICK_IDLE))
		use_up_slice(h, cpu);
	else if (!h->cpus[cpu].curr || !(flags & SCX_KICK_IDLE))
		look(h, cpu);
}

/* Queues */

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

/* Another thread waits in the run queue of `cpu` from now on: the turn under way ends, while alone the thread had turn
 * after turn. */
static void end_turn(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	if (h->has_queues && c->slice_end_ns <= h->now)
		c->slice_end_ns += ((h->now - c->slice_end_ns) / h->timestep_ns + 1) * h->timestep_ns;
	h->engine->slice(h->engine_data, cpu);
}

/* Thread `p`, which nobody has, joins the local queue of `cpu`. */
static void join_local(struct host *h, struct host_task *p, u32 cpu, u64 flags)
{
	struct host_cpu *c = &h->cpus[cpu];
	place_by_queue(h, p, cpu);
	p->owner = HOST_NONE;
	if (flags & SCX_ENQ_HEAD)
		dsq_prepend(&c->local, p);
	else
		dsq_append(&c->local, p);
	if (!c->curr)
		look(h, cpu);
	else if (flags & SCX_ENQ_PREEMPT)
		use_up_slice(h, cpu);
	else if (h->has_queues && c->local.nr == 1)
		end_turn(h, cpu);
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

/* Thread `p` joins the queue of `insert`; its policy has given it away. */
static void commit(struct host *h, const struct host_insert *insert, s32 own)
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
				  "thread %u (%s) was inserted into the local queue of core %lld, on which it may not "
				  "run",
				  p->index, p->name, (long long)cpu);
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
	else if (insert->flags & SCX_ENQ_HEAD)
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
	if (h->at_hand) { /* select_cpu() or enqueue() */
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

/* Lets the inserts of the dispatch() under way take effect. */
static void flush(struct host *h)
{
	for (u32 i = 0; i < h->nr_inserts; i++)
		commit(h, &h->inserts[i], h->dispatching);
	h->nr_flushed += h->nr_inserts;
	h->nr_inserts = 0;
}

bool host_move_to_local(struct host *h, u64 id, u64 flags)
{
	struct dsq *q = id == SCX_DSQ_GLOBAL ? &h->global : host_find_queue(h, id);
	flush(h);
	if (!q) {
		host_fail(h, SCX_EXIT_ERROR, "scx_bpf_dsq_move_to_local() of queue %llu, which does not exist",
			  (unsigned long long)id);
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

/* Who runs */

/* Takes the running thread off its core; what becomes of it is the caller's. */
static struct host_task *stop(struct host *h, u32 cpu, bool is_runnable)
{
	struct host_cpu *c = &h->cpus[cpu];
	struct host_task *p = c->curr;
	tell_slice(h, p);
	h->engine->end(h->engine_data, p, cpu);
	CALL_OP_IF(h, stopping, &p->pub, is_runnable);
	c->curr = NULL;
	p->is_running = false;
	p->ready_ns = h->now;
	look(h, cpu);
	return p;
}

/* Thread `p`, in no queue, begins to run on `cpu`. */
static void start(struct host *h, struct host_task *p, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	u64 slice = h->has_queues ? h->timestep_ns : p->pub.scx.slice;
	set_idle(h, cpu, false);
	c->curr = p;
	p->is_running = p->has_run = true;
	p->pub.scx.slice = slice ? slice : SCX_SLICE_DFL;
	begin_slice(h, cpu, p->pub.scx.slice);
	h->engine->begin(h->engine_data, p, cpu);
	p->is_waking = p->is_new = false;
	if (h->ops->running) {
		CALL_OP(h, running, &p->pub);
		take_slice(h, p);
	}
}

/* Offers the ready thread `p`, which is in no queue, to the policy. */
static void enqueue(struct host *h, struct host_task *p, u64 flags)
{
	struct host_insert insert = {.p = p};
	if (h->has_queues) {
		join_local(h, p, (u32)p->cpu, 0);
		return;
	}
	if (!h->ops->enqueue) {
		insert.id = SCX_DSQ_GLOBAL;
		insert.slice = SCX_SLICE_DFL;
		commit(h, &insert, p->cpu);
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
	commit(h, &insert, p->cpu);
}

/* The core with the fewest threads on which `p` may run, lowest index on a tie. */
static u32 emptiest_core(const struct host *h, const struct host_task *p)
{
	u32 best = UINT32_MAX, fewest = UINT32_MAX;
	for (u32 cpu = 0; cpu < h->nr_cpus; cpu++) {
		u32 nr = h->cpus[cpu].local.nr + (h->cpus[cpu].curr != NULL);
		if (nr < fewest && host_may_run(p, cpu)) {
			best = cpu;
			fewest = nr;
		}
	}
	return best;
}

static u32 first_allowed(const struct host *h, const struct host_task *p)
{
	u32 cpu = 0;
	while (cpu + 1 < h->nr_cpus && !host_may_run(p, cpu))
		cpu++;
	return cpu;
}

/* Where thread `p` is to wake; it may have been inserted on the way. */
static u32 select_core(struct host *h, struct host_task *p, u64 wake_flags)
{
	s32 prev = p->cpu, cpu = prev;
	bool is_idle = false;
	p->owner = HOST_QUEUEING;
	p->is_direct = false;
	if (h->has_queues)
		return wake_flags & SCX_WAKE_FORK ? emptiest_core(h, p) : (u32)prev;
	if (p->pub.nr_cpus_allowed == 1)
		return first_allowed(h, p);
	if (!h->ops->select_cpu && h->tracks_idle) {
		cpu = host_select_default(h, p, prev, &is_idle);
		if (is_idle) {
			p->is_direct = true;
			p->is_direct_vtime = false;
			p->direct_id = SCX_DSQ_LOCAL;
			p->direct_slice = SCX_SLICE_DFL;
			p->direct_flags = 0;
		}
	} else if (h->ops->select_cpu) {
		enum host_op before = h->op;
		h->op = HOST_OP_select_cpu;
		h->at_hand = p;
		cpu = h->ops->select_cpu(&p->pub, prev, wake_flags);
		h->at_hand = NULL;
		h->op = before;
	}
	if (cpu < 0 || (u32)cpu >= h->nr_cpus) {
		host_fail(h, SCX_EXIT_ERROR,
			  "select_cpu() chose core %d for thread %u (%s), which does not exist (cores 0 to %u)", cpu,
			  p->index, p->name, h->nr_cpus - 1);
		cpu = prev;
	}
	return host_may_run(p, (u32)cpu) ? (u32)cpu : first_allowed(h, p);
}

/* Thread `p` becomes runnable. */
static void come(struct host *h, struct host_task *p, u64 wake_flags)
{
	u32 cpu = select_core(h, p, wake_flags);
	p->is_runnable = true;
	p->ready_ns = h->now;
	h->is_changed = true;
	if (p->cpu != (s32)cpu) {
		h->decisions += p->has_run;
		place_on(h, p, cpu, false);
	}
	CALL_OP_IF(h, runnable, &p->pub, SCX_ENQ_WAKEUP);
	if (p->is_direct) {
		const struct host_insert insert = {
			p, p->direct_id, p->direct_slice, p->direct_vtime, p->direct_flags, p->is_direct_vtime};
		commit(h, &insert, p->cpu);
	} else {
		enqueue(h, p, SCX_ENQ_WAKEUP);
	}
	if (!h->cpus[cpu].curr)
		look(h, cpu);
}

void host_wake(struct host *h, struct host_task *p)
{
	p->is_waking = true;
	p->woke_ns = h->now;
	come(h, p, SCX_WAKE_TTWU);
}

static void init_task(struct host *h, struct host_task *p)
{
	p->is_present = true;
	if (h->ops->init_task) {
		struct scx_init_task_args args = {.fork = true};
		enum host_op before = h->op;
		h->op = HOST_OP_init_task;
		s32 code = h->ops->init_task(&p->pub, &args);
		h->op = before;
		if (code < 0)
			host_fail(h, SCX_EXIT_ERROR, "init_task() refused thread %u (%s): %d", p->index, p->name, code);
	}
	p->has_init = true;
}

void host_arrive(struct host *h, struct host_task *const *tasks, u32 nr)
{
	for (u32 i = 0; i < nr && !h->has_failed; i++)
		init_task(h, tasks[i]);
	for (u32 i = 0; i < nr && !h->has_failed; i++) {
		struct host_task *p = tasks[i];
		CALL_OP_IF(h, enable, &p->pub);
		CALL_OP_IF(h, set_weight, &p->pub, p->pub.scx.weight);
		CALL_OP_IF(h, set_cpumask, &p->pub, &p->mask);
	}
	for (u32 i = 0; i < nr && !h->has_failed; i++) {
		tasks[i]->cpu = (s32)first_allowed(h, tasks[i]);
		come(h, tasks[i], SCX_WAKE_FORK);
	}
}

static void go_quiet(struct host *h, u32 cpu, u64 deq_flags)
{
	struct host_task *p = stop(h, cpu, false);
	p->is_runnable = false;
	h->is_changed = true;
	CALL_OP_IF(h, quiescent, &p->pub, deq_flags);
}

void host_block(struct host *h, u32 cpu)
{
	go_quiet(h, cpu, SCX_DEQ_SLEEP);
}

static void exit_task(struct host *h, struct host_task *p)
{
	struct scx_exit_task_args args = {.cancelled = !p->has_run};
	CALL_OP_IF(h, disable, &p->pub);
	CALL_OP_IF(h, exit_task, &p->pub, &args);
	p->has_init = p->is_present = false;
}

void host_leave(struct host *h, u32 cpu)
{
	struct host_task *p = h->cpus[cpu].curr;
	go_quiet(h, cpu, 0);
	exit_task(h, p);
}

void host_yield(struct host *h, u32 cpu)
{
	struct host_task *p = h->cpus[cpu].curr;
	tell_slice(h, p);
	if (h->ops->yield) {
		CALL_OP(h, yield, &p->pub, NULL);
		take_slice(h, p);
	} else {
		use_up_slice(h, cpu);
	}
	if (h->has_queues)
		host_slice_over(h, cpu);
}

void host_slice_over(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	if (!h->has_queues) {
		look(h, cpu);
		return;
	}
	/* Turns; alone, a thread has turn after turn. */
	if (c->local.nr)
		enqueue(h, stop(h, cpu, true), 0);
	else
		begin_slice(h, cpu, h->timestep_ns);
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
			take_slice(h, prev);
			return true;
		}
		if (c->local.nr || take_from(h, &h->global, cpu) || h->nr_flushed == 0)
			break;
	}
	return false;
}

/* Takes `next` out of the local queue of `cpu` and lets the thread that runs there go: it is not to overtake it. */
static void make_room(struct host *h, u32 cpu, struct host_task *next)
{
	dsq_remove(next);
	if (h->cpus[cpu].curr)
		enqueue(h, stop(h, cpu, true), 0);
}

static void look_for_work(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	struct host_task *prev = c->curr;
	if (prev) {
		tell_slice(h, prev);
		if (prev->pub.scx.slice > 0)
			return;
	}
	if (c->local.nr == 0 && !take_from(h, &h->global, cpu) && dispatch(h, cpu))
		return;
	struct host_task *next = c->local.first;
	if (!next && prev && h->ops->flags & SCX_OPS_ENQ_LAST && h->ops->enqueue) {
		enqueue(h, stop(h, cpu, true), SCX_ENQ_LAST);
		next = c->local.first;
		prev = NULL;
	}
	if (next) {
		make_room(h, cpu, next);
		start(h, next, cpu);
	} else if (prev) {
		host_set_slice(h, prev, h->has_queues ? h->timestep_ns : SCX_SLICE_DFL);
	} else {
		set_idle(h, cpu, true);
	}
}

void host_settle(struct host *h)
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

void host_tick(struct host *h)
{
	for (u32 cpu = 0; cpu < h->nr_cpus && !h->has_failed; cpu++) {
		struct host_task *p = h->cpus[cpu].curr;
		if (!p)
			continue;
		tell_slice(h, p);
		CALL_OP(h, tick, &p->pub);
		take_slice(h, p);
	}
}

u64 host_pass(struct host *h)
{
	h->is_changed = false;
	h->op = HOST_OP_sahm_pass;
	u64 next = h->ops->sahm_pass(h->now);
	h->op = HOST_NO_OP;
	return next;
}

void host_observe(struct host *h, struct host_task *p, unsigned state)
{
	p->observed = (u8)state;
	h->is_changed = true;
	CALL_OP_IF(h, sahm_observed, &p->pub, state);
}

/* Moves */

struct host_task *host_head(const struct host *h, u32 cpu)
{
	const struct host_cpu *c = &h->cpus[cpu];
	return c->curr ? c->curr : c->local.first;
}

/* A thread that runs is put at the front of its queue, from where it can go elsewhere. */
static void lift(struct host *h, struct host_task *p)
{
	if (p->is_running)
		dsq_prepend(&h->cpus[p->cpu].local, stop(h, (u32)p->cpu, true));
}

static bool is_on_core(const struct host *h, const struct host_task *p)
{
	return p->is_running || (p->node.dsq && p->node.dsq == &h->cpus[p->cpu].local);
}

bool host_move(struct host *h, struct host_task *p, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	if (!is_on_core(h, p) || (u32)p->cpu == cpu || !host_may_run(p, cpu))
		return false;
	lift(h, p);
	dsq_remove(p);
	place_on(h, p, cpu, true);
	dsq_append(&c->local, p);
	if (!c->curr)
		look(h, cpu);
	else
		end_turn(h, cpu);
	h->decisions++;
	return true;
}

bool host_swap(struct host *h, struct host_task *a, struct host_task *b)
{
	u32 from = (u32)a->cpu, to = (u32)b->cpu;
	if (!is_on_core(h, a) || !is_on_core(h, b) || from == to || !host_may_run(a, to) || !host_may_run(b, from))
		return false;
	lift(h, a);
	lift(h, b);
	dsq_trade(a, b);
	place_on(h, a, to, true);
	place_on(h, b, from, true);
	h->decisions++;
	return true;
}

static void put_in(uint64_t *set, u32 cpu)
{
	set[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static void take_out(uint64_t *set, u32 cpu)
{
	set[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

/* Whether `cpus` are the cores of `threads`, which are heads, and idle ones, each once. */
static bool is_permutation(struct host *h, struct task_struct *const *threads, const s32 *cpus, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		struct host_task *p = host_task_of(threads[i]);
		if (cpus[i] < 0 || (u32)cpus[i] >= h->nr_cpus || !is_on_core(h, p) || p->cpu == cpus[i] ||
		    host_head(h, (u32)p->cpu) != p || !host_may_run(p, (u32)cpus[i]))
			return false;
	}
	/* No core is entered twice, and none that keeps its head. */
	uint64_t *entered = h->entered;
	bool ok = true;
	for (u32 i = 0; i < nr && ok; i++) {
		ok = !core_set_has(entered, (u32)cpus[i]);
		put_in(entered, (u32)cpus[i]);
	}
	for (u32 i = 0; i < nr; i++)
		put_in(h->left, (u32)host_task_of(threads[i])->cpu);
	for (u32 i = 0; i < nr && ok; i++)
		ok = core_set_has(h->left, (u32)cpus[i]) || !host_head(h, (u32)cpus[i]);
	for (u32 i = 0; i < nr; i++) {
		take_out(entered, (u32)cpus[i]);
		take_out(h->left, (u32)host_task_of(threads[i])->cpu);
	}
	return ok;
}

bool host_permute(struct host *h, struct task_struct *const *threads, const s32 *cpus, u32 nr)
{
	if (nr > h->nr_cpus || !is_permutation(h, threads, cpus, nr))
		return false;
	for (u32 i = 0; i < nr; i++) {
		struct host_task *p = host_task_of(threads[i]);
		lift(h, p);
		dsq_remove(p);
	}
	for (u32 i = 0; i < nr; i++) {
		struct host_task *p = host_task_of(threads[i]);
		place_on(h, p, (u32)cpus[i], true);
		dsq_prepend(&h->cpus[cpus[i]].local, p);
		look(h, (u32)cpus[i]);
	}
	h->decisions += nr;
	return true;
}

/* Changes of a thread's properties: it is taken back from where it waits, and enqueued again. */

static void take_back(struct host *h, struct host_task *p)
{
	if (p->owner == HOST_QUEUED)
		CALL_OP_IF(h, dequeue, &p->pub, SCX_DEQ_SAVE);
	if (p->node.dsq)
		dsq_remove(p);
	p->owner = HOST_NONE;
}

void host_set_weight(struct host *h, struct host_task *p, u32 weight)
{
	bool waits = p->is_runnable && !p->is_running;
	p->pub.scx.weight = weight;
	if (!p->is_present)
		return;
	if (waits && !h->has_queues)
		take_back(h, p);
	CALL_OP_IF(h, set_weight, &p->pub, weight);
	if (waits && !h->has_queues)
		enqueue(h, p, 0);
}

static u32 count_allowed(const struct host *h, const struct host_task *p)
{
	u32 nr = 0;
	for (u32 cpu = 0; cpu < h->nr_cpus; cpu++)
		nr += host_may_run(p, cpu);
	return nr;
}

void host_set_allowed(struct host *h, struct host_task *p, const uint64_t *allowed)
{
	p->mask.words = allowed;
	p->pub.nr_cpus_allowed = (s32)count_allowed(h, p);
	if (!p->is_present)
		return;
	bool has_to_go = p->is_running && !host_may_run(p, (u32)p->cpu);
	if (has_to_go)
		stop(h, (u32)p->cpu, true);
	bool waits = p->is_runnable && !p->is_running;
	if (waits)
		take_back(h, p);
	CALL_OP_IF(h, set_cpumask, &p->pub, &p->mask);
	h->is_changed = true;
	if (!host_may_run(p, (u32)p->cpu)) {
		h->decisions += p->has_run;
		place_on(h, p, h->has_queues ? emptiest_core(h, p) : first_allowed(h, p), false);
	}
	if (waits)
		enqueue(h, p, 0);
}

/* The watchdog */

static void describe(const struct host *h, const struct host_task *p, char text[160])
{
	if (!p->node.dsq)
		snprintf(text, 160,
			 "the policy has it and has put it in no queue since (enqueue() did not insert it, nor did "
			 "dispatch())");
	else if (p->node.dsq == &h->global)
		snprintf(text, 160, "it is in the global queue");
	else if (p->node.dsq->id & SCX_DSQ_FLAG_BUILTIN)
		snprintf(text, 160, "it is in the local queue of core %d behind others", p->cpu);
	else
		snprintf(text, 160, "it is in queue %llu, from which no core has taken it",
			 (unsigned long long)p->node.dsq->id);
}

static void fail_waiting(struct host *h, const struct host_task *p, const char *what)
{
	char where[160];
	u64 waited = h->now - p->ready_ns;
	describe(h, p, where);
	host_fail(h, SCX_EXIT_ERROR_STALL, "%s: thread %u (%s) has waited for %llu.%03llu ms, since %llu.%06llu ms: %s",
		  what, p->index, p->name, (unsigned long long)(waited / 1000000),
		  (unsigned long long)(waited / 1000 % 1000), (unsigned long long)(p->ready_ns / 1000000),
		  (unsigned long long)(p->ready_ns % 1000000), where);
}

/* Who waits longest, lowest index on a tie; NULL: nobody. */
static const struct host_task *longest_waiting(const struct host *h)
{
	const struct host_task *longest = NULL;
	for (u32 t = 0; t < h->nr_tasks; t++) {
		const struct host_task *p = h->tasks[t];
		if (p->is_runnable && !p->is_running && (!longest || p->ready_ns < longest->ready_ns))
			longest = p;
	}
	return longest;
}

void host_check_waits(struct host *h, u64 timeout_ns)
{
	const struct host_task *p = longest_waiting(h);
	if (p && h->now - p->ready_ns > timeout_ns)
		fail_waiting(h, p, "it starves a thread");
}

void host_check_stall(struct host *h)
{
	const struct host_task *p = longest_waiting(h);
	if (p)
		fail_waiting(h, p, "it has lost a thread, nothing else runs");
}

void host_check_lost(struct host *h, u64 run_ns)
{
	u64 least_ns = run_ns / 2 > LOST_TIMESTEPS * h->timestep_ns ? run_ns / 2 : LOST_TIMESTEPS * h->timestep_ns;
	for (u32 t = 0; t < h->nr_tasks; t++) {
		const struct host_task *p = h->tasks[t];
		if (p->is_runnable && !p->is_running && !p->node.dsq && h->now - p->ready_ns > least_ns)
			fail_waiting(h, p, "it has lost a thread");
	}
}

/* Beginning and end */

static enum sahm_status take_memory(struct host *h, const struct host_config *config, struct sahm_err *err)
{
	const struct sched_ext_ops *ops = h->ops;
	size_t task_bytes = (ops->sahm_task_state_bytes + 15) / 16 * 16;
	h->cpus = arena_alloc(h->arena, h->nr_cpus, sizeof(*h->cpus));
	h->inserts = arena_alloc(h->arena, h->max_batch, sizeof(*h->inserts));
	h->resched = arena_alloc(h->arena, bitset_words(h->nr_cpus), sizeof(*h->resched));
	h->entered = arena_alloc(h->arena, core_set_words(h->nr_cpus), sizeof(*h->entered));
	h->left = arena_alloc(h->arena, core_set_words(h->nr_cpus), sizeof(*h->left));
	h->state = arena_alloc(h->arena, 1, ops->sahm_state_bytes ? ops->sahm_state_bytes : 1);
	char *states = arena_alloc(h->arena, h->nr_tasks, task_bytes ? task_bytes : 1);
	if (!h->cpus || !h->inserts || !h->resched || !h->entered || !h->left || !h->state || !states)
		return sahm_fail_nomem(err);
	for (u32 t = 0; t < config->nr_tasks; t++) {
		struct host_task *p = h->tasks[t];
		p->index = t;
		p->observed = STATE_NONE;
		p->mask.nr_cpus = h->nr_cpus;
		p->pub.pid = (s32)t + 1;
		p->pub.cpus_ptr = &p->mask;
		p->pub.nr_cpus_allowed = (s32)count_allowed(h, p);
		snprintf(p->pub.comm, sizeof(p->pub.comm), "%s", p->name);
		p->state = states + t * task_bytes;
	}
	return SAHM_OK;
}

enum sahm_status host_init(struct host *h, struct arena *a, const struct host_config *config, struct sahm_err *err)
{
	const struct sched_ext_ops *ops = config->ops;
	*h = (struct host){
		.ops = ops,
		.engine = config->engine,
		.engine_data = config->engine_data,
		.chip = config->chip,
		.distances = config->distances,
		.warmup_ns = config->warmup_ns,
		.timestep_ns = config->timestep_ns,
		.inertia = config->inertia,
		.is_oracle = config->is_oracle,
		.has_queues = host_has_queues(ops),
		.tracks_idle = !ops->update_idle || ops->flags & SCX_OPS_KEEP_BUILTIN_IDLE,
		.dispatching = -1,
		.tasks = config->tasks,
		.nr_tasks = config->nr_tasks,
		.nr_cpus = config->chip->nr_cores,
		.max_batch = ops->dispatch_max_batch ? ops->dispatch_max_batch : SCX_DSP_DFL_MAX_BATCH,
		.global = {.id = SCX_DSQ_GLOBAL},
		.exit_kind = SCX_EXIT_DONE,
		.arena = a,
	};
	rng_init(&h->rng, config->seed, "policy", "random");
	enum sahm_status status = take_memory(h, config, err);
	if (status != SAHM_OK) {
		h->ops = NULL;
		return status;
	}
	for (u32 cpu = 0; cpu < h->nr_cpus; cpu++) {
		h->cpus[cpu] = (struct host_cpu){.local = {.id = SCX_DSQ_LOCAL_ON | cpu}};
		look(h, cpu);
	}
	if (ops->init) {
		h->op = HOST_OP_init;
		s32 code = ops->init();
		h->op = HOST_NO_OP;
		if (code < 0)
			host_fail(h, SCX_EXIT_ERROR, "init() failed: %d", code);
	}
	if (h->has_failed)
		return sahm_fail(err, h->err.status, "%s", h->err.msg);
	return SAHM_OK;
}

enum sahm_status host_conclude(struct host *h, enum sahm_status status, struct sahm_err *err)
{
	if (!h->ops)
		return status;
	for (u32 t = 0; t < h->nr_tasks; t++)
		if (h->tasks[t]->has_init)
			exit_task(h, h->tasks[t]);
	struct scx_exit_info info = {
		.kind = h->exit_kind,
		.exit_code = h->exit_code,
		.reason = h->exit_kind == SCX_EXIT_DONE		 ? "the run is over"
			  : h->exit_kind == SCX_EXIT_ERROR_STALL ? "a thread waited too long"
								 : "an error",
		.msg = h->has_failed ? h->err.msg : "",
	};
	CALL_OP_IF(h, exit, &info);
	if (status == SAHM_OK && h->has_failed)
		status = sahm_fail(err, h->err.status, "%s", h->err.msg);
	return status;
}
