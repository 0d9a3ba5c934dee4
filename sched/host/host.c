/* The order in which a policy's operations are called: threads come and go, time passes, the run begins and ends. */
#include <errno.h>
#include <stdio.h>

#include "sched/host/host_internal.h"
#include "sched/host/interface.h"

/* Where thread `p` is to wake; it may have been inserted on the way. */
static u32 select_core(struct host *h, struct host_task *p, u64 wake_flags)
{
	s32 prev = p->cpu, cpu = prev;
	bool is_idle = false;
	p->owner = HOST_QUEUEING;
	p->is_direct = false;
	if (h->has_queues)
		return wake_flags & SCX_WAKE_FORK ? host_emptiest_core(h, p) : (u32)prev;
	if (p->pub.nr_cpus_allowed == 1)
		return host_first_allowed(h, p);
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
		h->at_hand = p;
		CALL_OP_FOR(h, cpu, select_cpu, &p->pub, prev, wake_flags);
		h->at_hand = NULL;
	}
	if (cpu < 0 || (u32)cpu >= h->nr_cpus) {
		host_fail(h, SCX_EXIT_ERROR,
			  "select_cpu() chose core %d for thread %s (pid %d), which does not exist (cores 0 to %u)",
			  cpu, p->name, p->pub.pid, h->nr_cpus - 1);
		cpu = prev;
	}
	if (host_may_run(p, (u32)cpu))
		return (u32)cpu;
	h->events.SCX_EV_SELECT_CPU_FALLBACK++;
	return host_first_allowed(h, p);
}

/* Thread `p` becomes runnable. */
static void arrive(struct host *h, struct host_task *p, u64 wake_flags)
{
	u32 cpu = select_core(h, p, wake_flags);
	u64 enq_flags = SCX_ENQ_WAKEUP;
	if (!h->has_queues && p->pub.nr_cpus_allowed > 1)
		enq_flags |= SCX_ENQ_CPU_SELECTED;
	p->is_runnable = true;
	p->pub.scx.flags |= SCX_TASK_QUEUED;
	p->pub.__state = TASK_RUNNING;
	p->ready_ns = h->now;
	h->is_changed = true;
	p->cpu = (s32)cpu;
	CALL_OP_IF(h, runnable, &p->pub, enq_flags);
	if (p->is_direct) {
		const struct host_insert insert = {
			p, p->direct_id, p->direct_slice, p->direct_vtime, p->direct_flags, p->is_direct_vtime};
		host_commit(h, &insert, p->cpu);
	} else {
		host_enqueue(h, p, enq_flags);
	}
	/* Others who wake now are not to take it for idle. */
	host_take_idle(h, cpu);
	if (!h->cpus[cpu].curr)
		host_look(h, cpu);
}

void host_wake(struct host *h, struct host_task *p)
{
	p->is_waking = true;
	p->woke_ns = h->now;
	arrive(h, p, SCX_WAKE_TTWU);
}

static void init_task(struct host *h, struct host_task *p)
{
	p->is_present = true;
	p->pub.start_time = h->boot_ns + h->now;
	p->css.dfl_cgrp = &h->cgroups[p->tenant].pub;
	if (h->ops->init_task) {
		struct scx_init_task_args args = {.fork = true, .cgroup = p->css.dfl_cgrp};
		s32 code;
		CALL_OP_FOR(h, code, init_task, &p->pub, &args);
		if (code < 0)
			host_fail(h, SCX_EXIT_ERROR, "init_task() refused thread %s (pid %d): %d", p->name, p->pub.pid,
				  code);
	}
	p->has_init = !h->has_failed;
}

/* The core of a thread before it has run anywhere: the first on which the fewest have begun, so that threads are
 * spread. Those that may run on other cores make no difference. */
static u32 first_core(struct host *h, const struct host_task *p)
{
	u32 first = host_first_allowed(h, p);
	for (u32 c = first + 1; c < h->nr_cpus; c++)
		if (h->cpus[c].nr_begun < h->cpus[first].nr_begun && host_may_run(p, c))
			first = c;
	h->cpus[first].nr_begun++;
	return first;
}

void host_arrive(struct host *h, struct host_task *const *tasks, u32 nr)
{
	for (u32 i = 0; i < nr && !h->has_failed; i++)
		init_task(h, tasks[i]);
	for (u32 i = 0; i < nr && !h->has_failed; i++) {
		struct host_task *p = tasks[i];
		p->is_enabled = true;
		CALL_OP_IF(h, enable, &p->pub);
		CALL_OP_IF(h, set_weight, &p->pub, p->pub.scx.weight);
		CALL_OP_IF(h, set_cpumask, &p->pub, &p->mask);
	}
	for (u32 i = 0; i < nr && !h->has_failed; i++) {
		tasks[i]->cpu = (s32)first_core(h, tasks[i]);
		arrive(h, tasks[i], SCX_WAKE_FORK);
	}
}

static void become_quiescent(struct host *h, u32 cpu, u64 deq_flags, u32 state)
{
	h->cpus[cpu].curr->pub.__state = state;
	struct host_task *p = host_stop(h, cpu, false);
	p->is_runnable = false;
	h->is_changed = true;
	CALL_OP_IF(h, quiescent, &p->pub, deq_flags);
	p->pub.scx.flags &= ~SCX_TASK_QUEUED;
}

void host_block(struct host *h, u32 cpu)
{
	become_quiescent(h, cpu, SCX_DEQ_SLEEP, TASK_INTERRUPTIBLE);
}

static void exit_task(struct host *h, struct host_task *p)
{
	struct scx_exit_task_args args = {.cancelled = !p->has_run};
	if (p->is_enabled)
		CALL_OP_IF(h, disable, &p->pub);
	CALL_OP_IF(h, exit_task, &p->pub, &args);
	p->has_init = p->is_enabled = p->is_present = false;
}

void host_leave(struct host *h, u32 cpu)
{
	struct host_task *p = h->cpus[cpu].curr;
	become_quiescent(h, cpu, 0, TASK_DEAD);
	exit_task(h, p);
}

void host_yield(struct host *h, u32 cpu)
{
	struct host_task *p = h->cpus[cpu].curr;
	host_tell_slice(h, p);
	if (h->ops->yield) {
		CALL_OP(h, yield, &p->pub, NULL);
		host_take_slice(h, p);
	} else {
		host_use_up_slice(h, cpu);
	}
	if (h->has_queues)
		host_slice_over(h, cpu);
}

void host_slice_over(struct host *h, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	if (!h->has_queues) {
		host_look(h, cpu);
		return;
	}
	/* Turns; without others, a thread has turn after turn. */
	if (c->local.nr)
		host_enqueue(h, host_stop(h, cpu, true), 0);
	else
		host_begin_slice(h, cpu, h->timestep_ns);
}

void host_tick(struct host *h)
{
	for (u32 cpu = 0; cpu < h->nr_cpus && !h->has_failed; cpu++) {
		struct host_task *p = h->cpus[cpu].curr;
		if (!p)
			continue;
		host_tell_slice(h, p);
		host_count_runtime(h, cpu);
		CALL_OP(h, tick, &p->pub);
		host_take_slice(h, p);
	}
}

u64 host_pass(struct host *h)
{
	h->is_changed = false;
	u64 next;
	CALL_OP_FOR(h, next, sahm_pass, h->now);
	return next;
}

void host_observe(struct host *h, struct host_task *p, unsigned state)
{
	p->observed = (u8)state;
	h->is_changed |= !(h->ops->flags & SAHM_OPS_ASKS);
	CALL_OP_IF(h, sahm_observed, &p->pub, state);
}

/* Beginning and end */

static enum sahm_status take_memory(struct host *h, struct sahm_err *err)
{
	const struct sched_ext_ops *ops = h->ops;
	size_t task_bytes = (ops->sahm_task_state_bytes + 15) / 16 * 16;
	h->cpus = arena_alloc(h->arena, h->nr_cpus, sizeof(*h->cpus));
	h->inserts = arena_alloc(h->arena, h->max_batch, sizeof(*h->inserts));
	h->resched = arena_alloc(h->arena, bitset_words(h->nr_cpus), sizeof(*h->resched));
	h->entered = arena_alloc(h->arena, core_set_words(h->nr_cpus), sizeof(*h->entered));
	h->left = arena_alloc(h->arena, core_set_words(h->nr_cpus), sizeof(*h->left));
	h->free = arena_alloc(h->arena, core_set_words(h->nr_cpus), sizeof(*h->free));
	h->state = arena_alloc(h->arena, 1, ops->sahm_state_bytes ? ops->sahm_state_bytes : 1);
	char *states = arena_alloc(h->arena, h->nr_tasks, task_bytes ? task_bytes : 1);
	if (!h->cpus || !h->inserts || !h->resched || !h->entered || !h->left || !h->free || !host_make_cgroups(h) ||
	    !h->state || !states)
		return sahm_fail_nomem(err);
	for (u32 t = 0; t < h->nr_tasks; t++) {
		struct host_task *p = h->tasks[t];
		p->index = t;
		p->observed = STATE_NONE;
		p->mask.nr_cpus = h->nr_cpus;
		p->pub.pid = p->pub.tgid = (s32)t + 1;
		p->pub.group_leader = &p->pub;
		p->pub.cgroups = &p->css;
		p->pub.cpus_ptr = &p->mask;
		p->pub.nr_cpus_allowed = (s32)host_count_allowed(h, p);
		snprintf(p->pub.comm, sizeof(p->pub.comm), "%s", p->name);
		p->state = states + t * task_bytes;
	}
	h->free_mask = (struct cpumask){h->free, h->nr_cpus};
	h->all_mask = h->idle.mask = (struct cpumask){NULL, h->nr_cpus};
	h->idle.name = "idle";
	h->idle.index = h->nr_tasks;
	h->idle.pub = (struct task_struct){
		.comm = "swapper",
		.cpus_ptr = &h->idle.mask,
		.nr_cpus_allowed = (s32)h->nr_cpus,
		.flags = PF_IDLE | PF_KTHREAD,
		.group_leader = &h->idle.pub,
		.cgroups = &h->idle.css,
	};
	h->idle.css.dfl_cgrp = &h->cgroups[0].pub;
	return SAHM_OK;
}

/* Its list of arguments is empty, of which neither HOST_VALUES() nor RUN_OP() can make anything. */
static s32 run_init(struct host *h)
{
	h->op = HOST_OP_init;
	h->nr_calls++;
	s32 code = h->ops->init();
	h->op = HOST_NO_OP;
	return code;
}

enum sahm_status host_init(struct host *h, struct arena *a, u64 seed, struct sahm_err *err)
{
	const struct sched_ext_ops *ops = h->ops;
	h->has_queues = sched_ops_have_run_queues(ops);
	h->tracks_idle = !ops->update_idle || ops->flags & SCX_OPS_KEEP_BUILTIN_IDLE;
	h->is_marked = h->listener != NULL;
	h->dispatching = -1;
	h->nr_cpus = h->chip->nr_cores;
	h->max_batch = ops->dispatch_max_batch ? ops->dispatch_max_batch : SCX_DSP_DFL_MAX_BATCH;
	h->global.id = SCX_DSQ_GLOBAL;
	h->exit_kind = SCX_EXIT_DONE;
	h->arena = a;
	rng_init(&h->rng, seed, "policy", "random");
	enum sahm_status status = take_memory(h, err);
	if (status != SAHM_OK) {
		h->ops = NULL;
		return status;
	}
	for (u32 cpu = 0; cpu < h->nr_cpus; cpu++) {
		h->cpus[cpu] = (struct host_cpu){.local = {.id = SCX_DSQ_LOCAL_ON | cpu}};
		host_look(h, cpu);
	}
	if (ops->sahm_bpf) {
		h->boot_ns = SAHM_BPF_BOOT_NS;
		host_begin_program(h);
	}
	if (ops->init && !h->has_failed) {
		s32 code;
		if (h->listener)
			TELL_OP(h, init, HOST_VALUES(HOST_END), code = run_init(h), code);
		else
			code = run_init(h);
		if (code < 0)
			host_fail(h, SCX_EXIT_ERROR, "init() failed: %s%d%s", code == -ENOMEM ? "out of memory (" : "",
				  code, code == -ENOMEM ? ")" : "");
	}
	host_init_cgroups(h);
	if (h->has_failed)
		return sahm_fail(err, h->err.status, "%s", h->err.msg);
	return SAHM_OK;
}

enum sahm_status host_conclude(struct host *h, enum sahm_status status, struct sahm_err *err)
{
	if (!h->ops)
		return status;
	/* As in the kernel, nobody waits in them any more when the policy destroys its queues. */
	for (u32 t = 0; t < h->nr_tasks; t++)
		if (h->tasks[t]->node.dsq)
			dsq_remove(h->tasks[t]);
	for (u32 t = 0; t < h->nr_tasks; t++)
		if (h->tasks[t]->has_init)
			exit_task(h, h->tasks[t]);
	host_exit_cgroups(h);
	struct scx_exit_info info = {
		.kind = h->exit_kind,
		.exit_code = h->exit_code,
		.reason = h->exit_kind == SCX_EXIT_UNREG_BPF	 ? "the policy ends the run"
			  : h->exit_kind == SCX_EXIT_DONE	 ? "the run is over"
			  : h->exit_kind == SCX_EXIT_ERROR_STALL ? "a thread waited too long"
								 : "an error",
		.msg = h->has_failed ? h->err.msg : "",
	};
	CALL_OP_IF(h, exit, &info);
	if (status == SAHM_OK && h->has_failed)
		status = sahm_fail(err, h->err.status, "%s", h->err.msg);
	return status;
}
