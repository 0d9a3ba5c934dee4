/* What policies call: each call says where it may be made from, and what it is given is checked. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "sched/host/host_calls_internal.h"

/* Queues */

s32 scx_bpf_create_dsq(u64 id, s32 node)
{
	BEGIN(s32, scx_bpf_create_dsq, -1, id, node);
	(void)node;
	if (id & SCX_DSQ_FLAG_BUILTIN || host_find_queue(h, id)) {
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_create_dsq() for queue %llu, which %s",
			  (unsigned long long)id,
			  id & SCX_DSQ_FLAG_BUILTIN ? "is no number of a user queue (below 2^63)" : "exists already");
		return -1;
	}
	if (h->nr_user == h->room_user) {
		u32 room = h->room_user ? 2 * h->room_user : 16;
		struct dsq **user = arena_alloc(h->arena, room, sizeof(struct dsq *));
		if (!user)
			return -1;
		for (u32 i = 0; i < h->nr_user; i++)
			user[i] = h->user[i];
		h->user = user;
		h->room_user = room;
	}
	struct dsq *q = arena_alloc(h->arena, 1, sizeof(*q));
	if (!q)
		return -1;
	q->id = id;
	u32 at = h->nr_user++;
	for (; at > 0 && h->user[at - 1]->id > id; at--)
		h->user[at] = h->user[at - 1];
	h->user[at] = q;
	return 0;
}

void scx_bpf_destroy_dsq(u64 id)
{
	BEGIN_VOID(scx_bpf_destroy_dsq, id);
	struct dsq *q = host_find_queue(h, id);
	if (!q || q->nr) {
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_destroy_dsq() for queue %llu, which %s",
			  (unsigned long long)id, q ? "is not empty" : "does not exist");
		return;
	}
	u32 at = 0;
	while (h->user[at] != q)
		at++;
	for (h->nr_user--; at < h->nr_user; at++)
		h->user[at] = h->user[at + 1];
}

bool scx_bpf_dsq_insert(struct task_struct *p, u64 id, u64 slice, u64 enq_flags)
{
	BEGIN(bool, scx_bpf_dsq_insert, false, p, id, slice, enq_flags);
	NEED_TASK(scx_bpf_dsq_insert, p, false);
	return host_insert(
		h, &(const struct host_insert){.p = host_task_of(p), .id = id, .slice = slice, .flags = enq_flags});
}

bool scx_bpf_dsq_insert_vtime(struct task_struct *p, u64 id, u64 slice, u64 vtime, u64 enq_flags)
{
	BEGIN(bool, scx_bpf_dsq_insert_vtime, false, p, id, slice, vtime, enq_flags);
	NEED_TASK(scx_bpf_dsq_insert_vtime, p, false);
	return host_insert(h, &(const struct host_insert){.p = host_task_of(p),
							  .id = id,
							  .slice = slice,
							  .vtime = vtime,
							  .flags = enq_flags,
							  .is_vtime = true});
}

bool scx_bpf_dsq_move_to_local(u64 id, u64 enq_flags)
{
	BEGIN(bool, scx_bpf_dsq_move_to_local, false, id, enq_flags);
	return host_move_to_local(h, id, enq_flags);
}

/* Any queue. */
static const struct dsq *find_any(const struct host *h, u64 id)
{
	u64 cpu = id & SCX_DSQ_LOCAL_CPU_MASK;
	if (id == SCX_DSQ_GLOBAL)
		return &h->global;
	if (id == SCX_DSQ_LOCAL)
		return h->dispatching >= 0 ? &h->cpus[h->dispatching].local
		       : h->at_hand	   ? &h->cpus[h->at_hand->cpu].local
					   : NULL;
	if ((id & SCX_DSQ_LOCAL_ON) == SCX_DSQ_LOCAL_ON)
		return cpu < h->nr_cpus ? &h->cpus[cpu].local : NULL;
	return host_find_queue(h, id);
}

s32 scx_bpf_dsq_nr_queued(u64 id)
{
	BEGIN(s32, scx_bpf_dsq_nr_queued, -1, id);
	const struct dsq *q = find_any(h, id);
	return q ? (s32)q->nr : -1;
}

struct task_struct *scx_bpf_dsq_peek(u64 id)
{
	BEGIN(struct task_struct *, scx_bpf_dsq_peek, NULL, id);
	struct dsq *q = host_find_queue(h, id);
	if (!q)
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_dsq_peek() for queue %llu, which does not exist",
			  (unsigned long long)id);
	return q && q->first ? &q->first->pub : NULL;
}

u32 scx_bpf_dispatch_nr_slots(void)
{
	BEGIN_BARE(u32, scx_bpf_dispatch_nr_slots, 0);
	return h->max_batch - h->nr_inserts;
}

void scx_bpf_dispatch_cancel(void)
{
	BEGIN_TOLD_BY(TELL(scx_bpf_dispatch_cancel, HOST_END, HOST_END), scx_bpf_dispatch_cancel, NOTHING,
		      scx_bpf_dispatch_cancel(), NOTHING);
	if (h->nr_inserts == 0)
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_dispatch_cancel() without an insert to take back");
	else
		h->inserts[--h->nr_inserts].p->owner = HOST_QUEUED;
}

/* Cores */

/* The functions that policies use to choose idle cores need to know them. */

s32 scx_bpf_select_cpu_dfl(struct task_struct *p, s32 prev_cpu, u64 wake_flags, bool *is_idle)
{
	*is_idle = false;
	BEGIN(s32, scx_bpf_select_cpu_dfl, prev_cpu, p, prev_cpu, wake_flags, is_idle);
	NEED_TASK(scx_bpf_select_cpu_dfl, p, prev_cpu);
	NEED_CPU(scx_bpf_select_cpu_dfl, prev_cpu, prev_cpu);
	(void)wake_flags;
	if (!host_check_idle_tracking(h, CALL_scx_bpf_select_cpu_dfl))
		return prev_cpu;
	return host_select_default(h, host_task_of(p), prev_cpu, is_idle);
}

s32 scx_bpf_pick_idle_cpu(const struct cpumask *mask, u64 flags)
{
	BEGIN(s32, scx_bpf_pick_idle_cpu, -EBUSY, mask, flags);
	(void)flags;
	return host_check_idle_tracking(h, CALL_scx_bpf_pick_idle_cpu) ? host_pick_idle(h, mask, NULL) : -EBUSY;
}

s32 scx_bpf_pick_any_cpu(const struct cpumask *mask, u64 flags)
{
	BEGIN(s32, scx_bpf_pick_any_cpu, -EBUSY, mask, flags);
	(void)flags;
	s32 cpu = h->tracks_idle ? host_pick_idle(h, mask, NULL) : -1;
	u32 first = bpf_cpumask_first(mask);
	return cpu >= 0 ? cpu : first < h->nr_cpus ? (s32)first : -EBUSY;
}

bool scx_bpf_test_and_clear_cpu_idle(s32 cpu)
{
	BEGIN(bool, scx_bpf_test_and_clear_cpu_idle, false, cpu);
	NEED_CPU(scx_bpf_test_and_clear_cpu_idle, cpu, false);
	if (!host_check_idle_tracking(h, CALL_scx_bpf_test_and_clear_cpu_idle))
		return false;
	return host_take_idle(h, (u32)cpu);
}

void scx_bpf_kick_cpu(s32 cpu, u64 flags)
{
	BEGIN_VOID(scx_bpf_kick_cpu, cpu, flags);
	NEED_CPU(scx_bpf_kick_cpu, cpu, NOTHING);
	if (flags & SCX_KICK_IDLE && flags & (SCX_KICK_PREEMPT | SCX_KICK_WAIT)) {
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_kick_cpu() with SCX_KICK_IDLE and another flag");
		return;
	}
	host_kick(h, (u32)cpu, flags);
}

u32 scx_bpf_nr_cpu_ids(void)
{
	BEGIN_BARE(u32, scx_bpf_nr_cpu_ids, 0);
	return h->nr_cpus;
}

/* Threads */

s32 scx_bpf_task_cpu(const struct task_struct *p)
{
	BEGIN(s32, scx_bpf_task_cpu, 0, p);
	NEED_TASK(scx_bpf_task_cpu, p, 0);
	return host_task_of(p)->cpu;
}

bool scx_bpf_task_running(const struct task_struct *p)
{
	BEGIN(bool, scx_bpf_task_running, false, p);
	NEED_TASK(scx_bpf_task_running, p, false);
	return host_task_of(p)->is_running;
}

bool scx_bpf_task_set_slice(struct task_struct *p, u64 slice)
{
	BEGIN(bool, scx_bpf_task_set_slice, false, p, slice);
	NEED_TASK(scx_bpf_task_set_slice, p, false);
	host_set_slice(h, host_task_of(p), slice);
	return true;
}

bool scx_bpf_task_set_dsq_vtime(struct task_struct *p, u64 vtime)
{
	BEGIN(bool, scx_bpf_task_set_dsq_vtime, false, p, vtime);
	NEED_TASK(scx_bpf_task_set_dsq_vtime, p, false);
	p->scx.dsq_vtime = vtime;
	return true;
}

u64 scx_bpf_now(void)
{
	BEGIN_BARE(u64, scx_bpf_now, 0);
	return h->boot_ns + h->now;
}

/* The end */

static void end_run(struct host *h, enum scx_exit_kind kind, const char *what, const char *fmt, va_list args)
{
	char text[512];
	const char *told = text;
	vsnprintf(text, sizeof(text), fmt, args);
	if (h->listener && kind == SCX_EXIT_UNREG_BPF)
		TELL(scx_bpf_exit, HOST_END, h->exit_code, told);
	else if (h->listener)
		TELL(scx_bpf_error, HOST_END, told);
	host_fail(h, kind, "%s%s", what, text);
}

void scx_bpf_error(const char *fmt, ...)
{
	va_list args;
	struct host *h = host_called(CALL_scx_bpf_error);
	if (!h)
		return;
	va_start(args, fmt);
	end_run(h, SCX_EXIT_ERROR_BPF, "it reports an error: ", fmt, args);
	va_end(args);
}

void scx_bpf_exit(s64 code, const char *fmt, ...)
{
	va_list args;
	char what[64];
	struct host *h = host_called(CALL_scx_bpf_exit);
	if (!h)
		return;
	snprintf(what, sizeof(what), "it ends the run with code %lld: ", (long long)code);
	h->exit_code = code;
	va_start(args, fmt);
	end_run(h, SCX_EXIT_UNREG_BPF, what, fmt, args);
	va_end(args);
}

/* Levels */

static u32 nr_levels(const struct host *h, s32 cpu)
{
	return h->levels ? h->levels[cpu].nr : 1;
}

static u32 level_of(const struct host *h, s32 cpu)
{
	return nr_levels(h, cpu) > 1 ? h->engine->level(h->engine_data, (u32)cpu) : 0;
}

static const struct core_level *fastest(const struct host *h, s32 cpu)
{
	return &h->levels[cpu].levels[h->levels[cpu].nr - 1];
}

static void set_level(struct host *h, s32 cpu, u32 level)
{
	h->cpus[cpu].has_set_level = true;
	if (nr_levels(h, cpu) > 1)
		h->engine->set_level(h->engine_data, (u32)cpu, level);
}

static bool check_level(struct host *h, enum call call, s32 cpu, u32 level)
{
	if (level < nr_levels(h, cpu))
		return true;
	host_fail(h, SCX_EXIT_ERROR, "it called %s() for level %u of core %d, which does not exist (levels 0 to %u)",
		  host_call_rows[call].name, level, cpu, nr_levels(h, cpu) - 1);
	return false;
}

#define NEED_LEVEL(name, cpu, level, otherwise)                                                                        \
	if (!check_level(h, CALL_##name, cpu, level))                                                                  \
	return otherwise

/* Progress per ns of a core at its fastest, added up over all states. */
static u64 speed_of(const struct host *h, u32 cpu)
{
	u64 speed = 0;
	for (u32 s = 0; s < NR_STATES; s++)
		speed += (u64)(PROGRESS_PER_NS + h->chip->cores[cpu]->speedup_ppm[s]);
	return speed;
}

u32 host_capacity(const struct host *h, u32 cpu)
{
	u64 most = 0;
	for (u32 c = 0; c < h->nr_cpus; c++)
		most = speed_of(h, c) > most ? speed_of(h, c) : most;
	u32 capacity = (u32)(speed_of(h, cpu) * SCX_CPUPERF_ONE / most);
	return capacity > 0 ? capacity : 1;
}

u32 scx_bpf_cpuperf_cap(s32 cpu)
{
	BEGIN(u32, scx_bpf_cpuperf_cap, 0, cpu);
	NEED_CPU(scx_bpf_cpuperf_cap, cpu, 0);
	return host_capacity(h, (u32)cpu);
}

u32 scx_bpf_cpuperf_cur(s32 cpu)
{
	BEGIN(u32, scx_bpf_cpuperf_cur, 0, cpu);
	NEED_CPU(scx_bpf_cpuperf_cur, cpu, 0);
	if (nr_levels(h, cpu) == 1)
		return SCX_CPUPERF_ONE;
	return (u32)((u64)h->levels[cpu].levels[level_of(h, cpu)].mhz * SCX_CPUPERF_ONE / fastest(h, cpu)->mhz);
}

/* As schedutil chooses a frequency: the first that leaves a fifth of it free. */
void scx_bpf_cpuperf_set(s32 cpu, u32 perf)
{
	BEGIN_VOID(scx_bpf_cpuperf_set, cpu, perf);
	NEED_CPU(scx_bpf_cpuperf_set, cpu, NOTHING);
	if (perf > SCX_CPUPERF_ONE) {
		host_fail(h, SCX_EXIT_ERROR, "it called scx_bpf_cpuperf_set() for a target of %u, must be from 0 to %u",
			  perf, SCX_CPUPERF_ONE);
		return;
	}
	u32 level = 0;
	while (level + 1 < nr_levels(h, cpu) &&
	       (u64)4 * SCX_CPUPERF_ONE * h->levels[cpu].levels[level].mhz < (u64)5 * perf * fastest(h, cpu)->mhz)
		level++;
	set_level(h, cpu, level);
}

u32 sahm_nr_levels(s32 cpu)
{
	BEGIN(u32, sahm_nr_levels, 1, cpu);
	NEED_CPU(sahm_nr_levels, cpu, 1);
	return nr_levels(h, cpu);
}

u32 sahm_level(s32 cpu)
{
	BEGIN(u32, sahm_level, 0, cpu);
	NEED_CPU(sahm_level, cpu, 0);
	return level_of(h, cpu);
}

void sahm_set_perf(s32 cpu, u32 level)
{
	BEGIN_VOID(sahm_set_perf, cpu, level);
	NEED_CPU(sahm_set_perf, cpu, NOTHING);
	NEED_LEVEL(sahm_set_perf, cpu, level, NOTHING);
	set_level(h, cpu, level);
}

s32 sahm_level_ppm(s32 cpu, u32 level, u32 state)
{
	BEGIN(s32, sahm_level_ppm, 0, cpu, level, state);
	NEED_CPU(sahm_level_ppm, cpu, 0);
	NEED_LEVEL(sahm_level_ppm, cpu, level, 0);
	NEED_STATE(sahm_level_ppm, state, 0);
	if (nr_levels(h, cpu) == 1)
		return h->chip->cores[cpu]->speedup_ppm[state];
	return h->levels[cpu].levels[level].speedup_ppm[state];
}

u64 sahm_level_power_uw(s32 cpu, u32 level, u32 state)
{
	BEGIN(u64, sahm_level_power_uw, 0, cpu, level, state);
	NEED_CPU(sahm_level_power_uw, cpu, 0);
	NEED_LEVEL(sahm_level_power_uw, cpu, level, 0);
	NEED_STATE(sahm_level_power_uw, state, 0);
	return h->levels ? h->levels[cpu].levels[level].power_uw[state] : 0;
}

/* What the kernel has and we have not */

static void unsupported(enum call call)
{
	struct host *h = host_called(call);
	if (h)
		host_fail(h, SCX_EXIT_ERROR, "it called %s() from %s, which is not simulated",
			  host_call_rows[call].name, host_op_name(h->op));
}

#define UNSUPPORTED(type, name, params, result)                                                                        \
	type name params                                                                                               \
	{                                                                                                              \
		unsupported(CALL_##name);                                                                              \
		return result;                                                                                         \
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
UNSUPPORTED(u32, scx_bpf_reenqueue_local, (void), 0)
#pragma GCC diagnostic pop

/* What the kernel has not */

u32 sahm_observed_state(const struct task_struct *p)
{
	BEGIN(u32, sahm_observed_state, STATE_NONE, p);
	NEED_TASK(sahm_observed_state, p, STATE_NONE);
	return host_task_of(p)->observed;
}

u64 sahm_observed_counter(const struct task_struct *p, enum counter which)
{
	BEGIN(u64, sahm_observed_counter, 0, p, which);
	NEED_TASK(sahm_observed_counter, p, 0);
	const u64 *counters = host_task_of(p)->counters;
	if (!(h->ops->flags & SAHM_OPS_COUNTERS) || (unsigned)which >= NR_COUNTERS) {
		host_fail(h, SCX_EXIT_ERROR, "it called sahm_observed_counter() %s",
			  (unsigned)which >= NR_COUNTERS ? "for a counter that does not exist"
							 : "without the flag SAHM_OPS_COUNTERS");
		return 0;
	}
	return counters ? counters[which] : 0;
}

u64 sahm_trace_epochs(const struct task_struct *p, u32 state)
{
	BEGIN(u64, sahm_trace_epochs, 0, p, state);
	NEED_TASK(sahm_trace_epochs, p, 0);
	NEED_STATE(sahm_trace_epochs, state, 0);
	if (!host_task_of(p)->epochs)
		h->engine->count_epochs(h->engine_data);
	return host_task_of(p)->epochs[state];
}

s32 sahm_speedup_ppm(s32 cpu, u32 state)
{
	BEGIN(s32, sahm_speedup_ppm, 0, cpu, state);
	NEED_CPU(sahm_speedup_ppm, cpu, 0);
	NEED_STATE(sahm_speedup_ppm, state, 0);
	return h->chip->cores[cpu]->speedup_ppm[state];
}

bool sahm_serves(s32 cpu, u32 state)
{
	BEGIN(bool, sahm_serves, false, cpu, state);
	NEED_CPU(sahm_serves, cpu, false);
	NEED_STATE(sahm_serves, state, false);
	return core_serves(h->chip->cores[cpu], state);
}

bool sahm_matches(s32 cpu, u32 state)
{
	BEGIN(bool, sahm_matches, false, cpu, state);
	NEED_CPU(sahm_matches, cpu, false);
	NEED_STATE(sahm_matches, state, false);
	return core_matches(h->chip->cores[cpu], state);
}

u64 sahm_move_cost_ns(s32 from, s32 to)
{
	BEGIN(u64, sahm_move_cost_ns, 0, from, to);
	NEED_CPU(sahm_move_cost_ns, from, 0);
	NEED_CPU(sahm_move_cost_ns, to, 0);
	return from == to ? 0 : distance_cost_ns(h->distances, h->nr_cpus, (u32)from, (u32)to);
}

u64 sahm_debt_ns(const struct task_struct *p)
{
	BEGIN(u64, sahm_debt_ns, 0, p);
	NEED_TASK(sahm_debt_ns, p, 0);
	if (host_task_of(p)->is_running)
		h->engine->update(h->engine_data, host_task_of(p));
	return host_task_of(p)->debt_ns;
}

u64 sahm_timestep_ns(void)
{
	BEGIN_BARE(u64, sahm_timestep_ns, 0);
	return h->timestep_ns;
}

u32 sahm_inertia(void)
{
	BEGIN_BARE(u32, sahm_inertia, 0);
	return h->inertia;
}

bool sahm_is_oracle(void)
{
	BEGIN_BARE(bool, sahm_is_oracle, false);
	return h->is_oracle;
}

u32 sahm_nr_tasks(void)
{
	BEGIN_BARE(u32, sahm_nr_tasks, 0);
	return h->nr_tasks;
}

struct task_struct *sahm_task(u32 index)
{
	BEGIN(struct task_struct *, sahm_task, NULL, index);
	if (index < h->nr_tasks)
		return &h->tasks[index]->pub;
	host_fail(h, SCX_EXIT_ERROR, "it called sahm_task() for index %u, which does not exist (0 to %u)", index,
		  h->nr_tasks - 1);
	return NULL;
}

bool sahm_is_runnable(const struct task_struct *p)
{
	BEGIN(bool, sahm_is_runnable, false, p);
	NEED_TASK(sahm_is_runnable, p, false);
	return host_task_of(p)->is_runnable;
}

struct task_struct *sahm_head(s32 cpu)
{
	BEGIN(struct task_struct *, sahm_head, NULL, cpu);
	NEED_CPU(sahm_head, cpu, NULL);
	struct host_task *p = host_head(h, (u32)cpu);
	return p ? &p->pub : NULL;
}

struct task_struct *sahm_next(const struct task_struct *p)
{
	BEGIN(struct task_struct *, sahm_next, NULL, p);
	NEED_TASK(sahm_next, p, NULL);
	const struct host_task *t = host_task_of(p);
	const struct dsq *local = &h->cpus[t->cpu].local;
	const struct host_task *next = t->is_running ? local->first : t->node.dsq == local ? t->node.next : NULL;
	return next ? (struct task_struct *)(uintptr_t)&next->pub : NULL;
}

u32 sahm_nr_on(s32 cpu)
{
	BEGIN(u32, sahm_nr_on, 0, cpu);
	NEED_CPU(sahm_nr_on, cpu, 0);
	return h->cpus[cpu].local.nr + (h->cpus[cpu].curr != NULL);
}

bool sahm_move(struct task_struct *p, s32 cpu)
{
	BEGIN(bool, sahm_move, false, p, cpu);
	NEED_TASK(sahm_move, p, false);
	NEED_CPU(sahm_move, cpu, false);
	return host_move(h, host_task_of(p), (u32)cpu);
}

bool sahm_swap(struct task_struct *a, struct task_struct *b)
{
	BEGIN(bool, sahm_swap, false, a, b);
	NEED_TASK(sahm_swap, a, false);
	NEED_TASK(sahm_swap, b, false);
	return host_swap(h, host_task_of(a), host_task_of(b));
}

bool sahm_permute(struct task_struct *const *threads, const s32 *cpus, u32 nr)
{
	BEGIN_TOLD_BY(host_trace_permute(host_at_hand, is_done, threads, cpus, nr), sahm_permute, false,
		      bool is_done = sahm_permute(threads, cpus, nr), is_done);
	for (u32 i = 0; i < nr; i++) {
		NEED_TASK(sahm_permute, threads[i], false);
		NEED_CPU(sahm_permute, cpus[i], false);
	}
	return host_permute(h, threads, cpus, nr);
}

void sahm_ask_for_pass(void)
{
	BEGIN_TOLD_BY(TELL(sahm_ask_for_pass, HOST_END, HOST_END), sahm_ask_for_pass, NOTHING, sahm_ask_for_pass(),
		      NOTHING);
	h->is_changed = true;
}

u64 sahm_random(u64 end)
{
	BEGIN(u64, sahm_random, 0, end);
	if (end == 0) {
		host_fail(h, SCX_EXIT_ERROR, "it called sahm_random() for a number below 0");
		return 0;
	}
	return rng_below(&h->rng, end);
}

/* The policy's own memory is there also when the run has failed: the last operations need it. */

void *sahm_state(void)
{
	struct host *h = host_at_hand;
	if (h && h->ops->sahm_state_bytes > 0)
		return h->state;
	if (h)
		host_fail(h, SCX_EXIT_ERROR, "it called sahm_state() and has asked for no memory (sahm_state_bytes)");
	return NULL;
}

void *sahm_task_state(const struct task_struct *p)
{
	struct host *h = host_at_hand;
	if (!h || !host_check_task(h, CALL_sahm_task_state, p))
		return NULL;
	if (h->ops->sahm_task_state_bytes > 0)
		return host_task_of(p)->state;
	host_fail(h, SCX_EXIT_ERROR, "it called sahm_task_state() and has asked for no memory (sahm_task_state_bytes)");
	return NULL;
}
