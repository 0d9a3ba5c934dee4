#include "tests/helper/chaos.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/helper/random.h"

#define NR_QUEUES 3u /* user queues 0 to 2; number 1 is ordered by vtime */
#define TOP_INSERTS 4u
#define TOP_REQUESTS 4096u

/* A thread's life as reported to the policy. */
enum life { UNKNOWN, MADE, QUIET, READY, RUNNING, GONE };

static struct {
	struct chaos_source *from;
	unsigned illegal;
	bool broken, is_over, reads_counters;
	char complaint[256];
	u64 now, ticked, passed; /* times of the last operation, tick and pass, plus 1 */
	enum life life[CHAOS_TOP_THREADS];
	bool has[CHAOS_TOP_THREADS]; /* the policy has it, in no queue */
	bool offered[CHAOS_TOP_THREADS];
	bool has_moved[CHAOS_TOP_THREADS]; /* to another cgroup, and not run since */
	bool idle[CHAOS_TOP_CORES], knows_idle[CHAOS_TOP_CORES];
	u64 next_pass;
	bool has_changed;
	u64 level_cores; /* whose levels it sets */
	struct chaos_request requests[TOP_REQUESTS];
	size_t nr_requests;
} me;

uint64_t chaos_choose(struct chaos_source *from, uint64_t end)
{
	uint64_t x = 0;
	if (!from->bytes)
		return next_random(&from->rng) % end;
	for (uint64_t room = end; room > 1; room >>= 8)
		x = x << 8 | (from->next < from->nr ? from->bytes[from->next++] : 0);
	return x % end;
}

static u64 choose(u64 end)
{
	return end ? chaos_choose(me.from, end) : 0;
}

static bool once_in(u64 n)
{
	return choose(n) == n - 1;
}

/* Whether to break a rule now. */
static bool misbehaves(void)
{
	if (!me.illegal || me.is_over || !once_in(me.illegal))
		return false;
	me.broken = true;
	return true;
}

static void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void complain(const char *fmt, ...)
{
	va_list args;
	/* Who broke a rule is not owed anything but a message. */
	if (*me.complaint || me.broken)
		return;
	int len = snprintf(me.complaint, sizeof(me.complaint), "at %llu ns: ", (unsigned long long)scx_bpf_now());
	va_start(args, fmt);
	vsnprintf(me.complaint + len, sizeof(me.complaint) - (size_t)len, fmt, args);
	va_end(args);
}

void chaos_reads_counters(struct sched_ext_ops *ops)
{
	ops->flags |= SAHM_OPS_COUNTERS;
	me.reads_counters = true;
}

void chaos_sets_levels(u64 cores)
{
	me.level_cores = cores;
}

const struct chaos_request *chaos_requests(size_t *nr)
{
	*nr = me.nr_requests;
	return me.requests;
}

const char *chaos_complaint(void)
{
	return *me.complaint ? me.complaint : NULL;
}

bool chaos_has_broken_rules(void)
{
	return me.broken;
}

static unsigned index_of(const struct task_struct *p)
{
	return (unsigned)p->pid - 1;
}

/* Every operation begins with it. */
static void enter(const char *op)
{
	u64 now = scx_bpf_now();
	/* A run that has failed has no time any more. */
	if (now < me.now && now != 0)
		complain("%s() after time %llu", op, (unsigned long long)me.now);
	me.now = now;
}

static void expect_life(const struct task_struct *p, const char *op, enum life a, enum life b)
{
	enum life is = me.life[index_of(p)];
	if (is != a && is != b)
		complain("%s() of thread %d, whose life is %d", op, p->pid, (int)is);
}

/* Choices */

static s32 some_core(void)
{
	return (s32)choose(scx_bpf_nr_cpu_ids() ? scx_bpf_nr_cpu_ids() : 1);
}

static s32 allowed_core(const struct task_struct *p)
{
	u32 nr = scx_bpf_nr_cpu_ids(), at = (u32)some_core();
	for (u32 i = 0; i < nr; i++)
		if (bpf_cpumask_test_cpu((at + i) % nr, p->cpus_ptr))
			return (s32)((at + i) % nr);
	complain("thread %d may run nowhere", p->pid);
	return 0;
}

static u64 some_slice(void)
{
	switch (choose(6)) {
	case 0:
		return SCX_SLICE_DFL;
	case 1:
		return 0;
	case 2:
		return 1 + choose(300);
	case 3:
		return once_in(8) ? SCX_SLICE_INF : SCX_SLICE_DFL;
	default:
		return 500 + choose(20000);
	}
}

static u64 some_flags(void)
{
	return (once_in(4) ? SCX_ENQ_HEAD : 0) | (once_in(6) ? SCX_ENQ_PREEMPT : 0);
}

static struct task_struct *some_task(void)
{
	u32 nr = sahm_nr_tasks();
	return nr ? sahm_task((u32)choose(nr)) : NULL;
}

/* Wakes every idle core on which `p` may run. */
static void wake_cores(const struct task_struct *p)
{
	for (u32 cpu = 0; cpu < scx_bpf_nr_cpu_ids(); cpu++)
		if (bpf_cpumask_test_cpu(cpu, p->cpus_ptr))
			scx_bpf_kick_cpu((s32)cpu, SCX_KICK_IDLE);
}

/* Calls that change nothing that anybody relies on. */
static void look_around(void)
{
	struct task_struct *p = some_task();
	s32 cpu = some_core();
	u32 state = (u32)choose(NR_STATES);
	if (!p)
		return;
	switch (choose(12)) {
	case 0:
		sahm_debt_ns(p);
		break;
	case 1:
		if (sahm_observed_state(p) != STATE_NONE && sahm_observed_state(p) >= NR_STATES)
			complain("thread %d is observed in state %u", p->pid, sahm_observed_state(p));
		break;
	case 2:
		sahm_trace_epochs(p, state);
		break;
	case 3:
		if (sahm_matches(cpu, state) && !sahm_serves(cpu, state) && state != 0)
			complain("core %d matches, and does not serve, state %u", cpu, state);
		break;
	case 4:
		sahm_speedup_ppm(cpu, state);
		break;
	case 5:
		sahm_move_cost_ns(cpu, some_core());
		break;
	case 6: {
		u32 nr = 0;
		for (struct task_struct *q = sahm_head(cpu); q && nr < 100; q = sahm_next(q))
			nr++;
		if (nr != sahm_nr_on(cpu))
			complain("%u threads on core %d, and %u of them linked", sahm_nr_on(cpu), cpu, nr);
		break;
	}
	case 7:
		scx_bpf_test_and_clear_cpu_idle(cpu);
		scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
		break;
	case 8:
		scx_bpf_dsq_peek(choose(NR_QUEUES));
		scx_bpf_dsq_nr_queued(choose(2) ? SCX_DSQ_GLOBAL : SCX_DSQ_LOCAL_ON | (u64)cpu);
		break;
	case 9:
		sahm_random(1 + choose(100));
		break;
	case 10:
		if (scx_bpf_task_running(p) && !sahm_is_runnable(p))
			complain("thread %d runs and is not runnable", p->pid);
		break;
	default:
		scx_bpf_kick_cpu(cpu, choose(3) ? SCX_KICK_IDLE : 0);
	}
}

/* A rule is broken. */
static void break_rule(void)
{
	struct task_struct *p = some_task();
	struct task_struct *pair[2] = {p, p};
	s32 cores[2] = {some_core(), (s32)choose(40)};
	if (!p)
		return;
	switch (choose(24)) {
	case 0:
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL_ON | choose(99), 5, choose(2) ? SCX_ENQ_PREEMPT : 0);
		break;
	case 1:
		scx_bpf_dsq_insert(p, choose(100), some_slice(), some_flags());
		break;
	case 2:
		scx_bpf_dsq_insert_vtime(p, choose(2) ? SCX_DSQ_GLOBAL : choose(4), some_slice(), choose(1000), 0);
		break;
	case 3:
		scx_bpf_dsq_move_to_local(choose(5), some_flags());
		break;
	case 4:
		scx_bpf_destroy_dsq(choose(5));
		break;
	case 5:
		scx_bpf_create_dsq(choose(2) ? SCX_DSQ_GLOBAL : choose(5), -1);
		break;
	case 6:
		scx_bpf_dispatch_cancel();
		break;
	case 7:
		scx_bpf_kick_cpu((s32)choose(40) - 4, choose(8));
		break;
	case 8:
		sahm_permute(pair, cores, 2);
		break;
	case 9:
		sahm_swap(p, some_task());
		break;
	case 10:
		sahm_move(p, (s32)choose(40) - 4);
		break;
	case 11:
		sahm_move(NULL, 0);
		break;
	case 12:
		sahm_task((u32)choose(1000));
		break;
	case 13:
		scx_bpf_error("it does not like %s", p->comm);
		break;
	case 14:
		scx_bpf_exit((s64)choose(5), "enough of %d", p->pid);
		break;
	case 15:
		if (choose(2))
			scx_bpf_cpuperf_set(0, SCX_CPUPERF_ONE + 1 + (u32)choose(200));
		else
			sahm_set_perf(some_core(), 4 + (u32)choose(99));
		break;
	case 16:
		sahm_observed_counter(p, (enum counter)choose(30));
		break;
	case 17:
		sahm_random(0);
		break;
	case 18:
		scx_bpf_task_set_slice(p, some_slice());
		break;
	case 19:
		p->scx.slice = some_slice();
		p->scx.dsq_vtime = choose(1000);
		break;
	case 20: /* preempts all the time */
		scx_bpf_kick_cpu(some_core(), SCX_KICK_PREEMPT);
		break;
	case 21:
		sahm_speedup_ppm(some_core(), (u32)choose(99));
		break;
	case 22:
		for (u32 i = 0; i < 40; i++)
			scx_bpf_dsq_insert(some_task(), SCX_DSQ_GLOBAL, 1, 0);
		break;
	default:
		scx_bpf_select_cpu_dfl(p, (s32)choose(20), 0, &(bool){false});
	}
}

static void ask_for_level(u32 core)
{
	struct chaos_request *r = &me.requests[me.nr_requests];
	u64 wanted = choose(SCX_CPUPERF_ONE + 1);
	if (!(me.level_cores >> core & 1) || me.nr_requests == TOP_REQUESTS)
		return;
	*r = (struct chaos_request){scx_bpf_now(), core, sahm_level((s32)core), once_in(3), (u32)wanted};
	me.nr_requests++;
	if (r->is_target) {
		scx_bpf_cpuperf_set((s32)core, r->wanted);
	} else {
		r->wanted %= sahm_nr_levels((s32)core);
		sahm_set_perf((s32)core, r->wanted);
	}
}

static void chance(void)
{
	if (misbehaves())
		break_rule();
	else if (once_in(3))
		look_around();
	if (me.level_cores && !me.is_over && once_in(4))
		ask_for_level((u32)some_core());
}

/* Inserts `p` somewhere that is legal, or keeps it. */
static void place(struct task_struct *p, u64 keep)
{
	u64 flags = some_flags(), slice = some_slice(), id = choose(NR_QUEUES);
	bool done = true;
	switch (choose(5 + keep)) {
	case 0:
		done = scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, slice, flags);
		break;
	case 1:
	case 2:
		done = id == 1 ? scx_bpf_dsq_insert_vtime(p, id, slice, choose(1000), flags)
			       : scx_bpf_dsq_insert(p, id, slice, flags);
		wake_cores(p);
		break;
	case 3:
	case 4:
		done = scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL_ON | (u64)allowed_core(p), slice, flags);
		break;
	default:
		me.has[index_of(p)] = true;
		wake_cores(p);
		return;
	}
	me.has[index_of(p)] = false;
	if (!done)
		complain("thread %d cannot be inserted", p->pid);
}

/* Operations */

static s32 chaos_select_cpu(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	enter("select_cpu");
	expect_life(p, "select_cpu", QUIET, QUIET);
	if (!(wake_flags & (SCX_WAKE_FORK | SCX_WAKE_TTWU)))
		complain("select_cpu() without a reason");
	chance();
	if (misbehaves())
		return (s32)choose(30) - 3;
	s32 cpu = choose(2) ? prev_cpu : allowed_core(p);
	if (once_in(3))
		cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);
	if (is_idle && scx_bpf_test_and_clear_cpu_idle(cpu))
		complain("core %d is idle after it has been taken", cpu);
	if (once_in(3) && bpf_cpumask_test_cpu((u32)cpu, p->cpus_ptr)) {
		if (!scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, some_slice(), some_flags()))
			complain("thread %d cannot be inserted in select_cpu()", p->pid);
		me.offered[index_of(p)] = true;
	}
	return cpu;
}

static void chaos_runnable(struct task_struct *p, u64 flags)
{
	(void)flags;
	enter("runnable");
	expect_life(p, "runnable", QUIET, QUIET);
	me.life[index_of(p)] = READY;
	me.has_changed = true;
	if (misbehaves())
		break_rule();
}

static void chaos_enqueue(struct task_struct *p, u64 flags)
{
	(void)flags;
	enter("enqueue");
	expect_life(p, "enqueue", READY, READY);
	if (me.has[index_of(p)] || me.offered[index_of(p)])
		complain("enqueue() of thread %d, which has a place", p->pid);
	chance();
	place(p, misbehaves() ? 20 : 1);
}

static void chaos_dequeue(struct task_struct *p, u64 flags)
{
	(void)flags;
	enter("dequeue");
	expect_life(p, "dequeue", READY, READY);
	me.has[index_of(p)] = false;
	chance();
}

/* With `may_cancel`, some are taken back at once. */
static void insert_kept(s32 cpu, bool may_cancel)
{
	u32 nr = sahm_nr_tasks(), at = (u32)choose(nr), done = 0;
	for (u32 i = 0; i < nr && done < TOP_INSERTS && scx_bpf_dispatch_nr_slots() > 0; i++) {
		struct task_struct *p = sahm_task((at + i) % nr);
		if (!me.has[(at + i) % nr])
			continue;
		done++;
		if (once_in(3) || !bpf_cpumask_test_cpu((u32)cpu, p->cpus_ptr)) {
			place(p, 0);
		} else {
			if (!scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, some_slice(), some_flags()))
				complain("thread %d cannot be inserted in dispatch()", p->pid);
			me.has[index_of(p)] = false;
			if (may_cancel && once_in(8)) {
				scx_bpf_dispatch_cancel();
				me.has[index_of(p)] = true;
			}
		}
	}
}

static void chaos_dispatch(s32 cpu, struct task_struct *prev)
{
	enter("dispatch");
	if (prev && (!scx_bpf_task_running(prev) || scx_bpf_task_cpu(prev) != cpu || prev->scx.slice != 0))
		complain("dispatch() of core %d with thread %d, which does not run there or has a slice of %llu", cpu,
			 prev->pid, (unsigned long long)prev->scx.slice);
	if (scx_bpf_dsq_nr_queued(SCX_DSQ_LOCAL) != 0 || sahm_nr_on(cpu) != (prev != NULL))
		complain("dispatch() of core %d, which has threads", cpu);
	chance();
	if (misbehaves())
		return;
	if (prev && once_in(4)) {
		if (choose(2))
			prev->scx.slice = 1 + choose(3000);
		else
			scx_bpf_task_set_slice(prev, 1 + choose(3000));
		return;
	}
	if (choose(2))
		insert_kept(cpu, true);
	u64 at = choose(NR_QUEUES);
	for (u64 i = 0; i < NR_QUEUES; i++)
		if (scx_bpf_dsq_move_to_local((at + i) % NR_QUEUES, some_flags() & SCX_ENQ_HEAD) && choose(4))
			return;
	insert_kept(cpu, false);
}

static void chaos_running(struct task_struct *p)
{
	enter("running");
	expect_life(p, "running", READY, READY);
	me.life[index_of(p)] = RUNNING;
	me.offered[index_of(p)] = false;
	if (me.has[index_of(p)])
		complain("thread %d runs although the policy has it", p->pid);
	if (!bpf_cpumask_test_cpu((u32)scx_bpf_task_cpu(p), p->cpus_ptr))
		complain("thread %d runs on core %d, where it may not", p->pid, scx_bpf_task_cpu(p));
	/* One that has moved goes on. */
	if (p->scx.slice == 0 && !me.has_moved[index_of(p)])
		complain("thread %d begins to run without a slice", p->pid);
	me.has_moved[index_of(p)] = false;
	chance();
	if (once_in(16))
		p->scx.slice = 1 + choose(5000);
}

static void chaos_stopping(struct task_struct *p, bool runnable)
{
	enter("stopping");
	expect_life(p, "stopping", RUNNING, RUNNING);
	me.life[index_of(p)] = runnable ? READY : QUIET;
	if (once_in(4))
		sahm_debt_ns(p);
	if (once_in(16))
		scx_bpf_task_set_slice(p, 1 + choose(5000));
	chance();
}

static void chaos_quiescent(struct task_struct *p, u64 flags)
{
	enter("quiescent");
	/* It waits, and moves to another cgroup. */
	if (flags & SCX_DEQ_SAVE && me.life[index_of(p)] == READY) {
		me.life[index_of(p)] = QUIET;
		me.offered[index_of(p)] = false;
	}
	expect_life(p, "quiescent", QUIET, QUIET);
	me.has_changed = true;
	chance();
}

static void chaos_tick(struct task_struct *p)
{
	enter("tick");
	expect_life(p, "tick", RUNNING, RUNNING);
	if (me.now % sahm_timestep_ns())
		complain("tick() within a timestep");
	if (me.ticked > me.now + 1)
		complain("tick() out of order");
	me.ticked = me.now + 1;
	chance();
	if (once_in(6))
		p->scx.slice = choose(2) ? 0 : choose(5000);
}

static bool chaos_yield(struct task_struct *from, struct task_struct *to)
{
	enter("yield");
	expect_life(from, "yield", RUNNING, RUNNING);
	if (to)
		complain("yield() to somebody");
	if (choose(2))
		from->scx.slice = 0;
	chance();
	return false;
}

static void chaos_set_weight(struct task_struct *p, u32 weight)
{
	enter("set_weight");
	me.offered[index_of(p)] = false; /* if it waits, it is taken back */
	if (p->scx.weight != weight || weight < 1 || weight > 10000)
		complain("set_weight() of %u, and the thread has %u", weight, p->scx.weight);
	chance();
}

static void chaos_set_cpumask(struct task_struct *p, const struct cpumask *mask)
{
	enter("set_cpumask");
	me.offered[index_of(p)] = false;
	if ((s32)bpf_cpumask_weight(mask) != p->nr_cpus_allowed || p->nr_cpus_allowed < 1)
		complain("set_cpumask() with %u cores, and the thread has %d", bpf_cpumask_weight(mask),
			 p->nr_cpus_allowed);
	me.has_changed = true;
	chance();
}

static s32 chaos_cgroup_prep_move(struct task_struct *p, struct cgroup *from, struct cgroup *to)
{
	enter("cgroup_prep_move");
	if (scx_bpf_task_cgroup(p) != from || from == to)
		complain("cgroup_prep_move() of thread %d from where it is not", p->pid);
	chance();
	return once_in(4) ? -1 : 0;
}

static void chaos_cgroup_move(struct task_struct *p, struct cgroup *from, struct cgroup *to)
{
	enter("cgroup_move");
	if (scx_bpf_task_cgroup(p) != from || from == to || me.has[index_of(p)])
		complain("cgroup_move() of thread %d from where it is not, or of one that the policy has", p->pid);
	me.has_moved[index_of(p)] = true;
	chance();
}

static void chaos_cgroup_set_weight(struct cgroup *cgrp, u32 weight)
{
	enter("cgroup_set_weight");
	if (weight < 1 || weight > 10000)
		complain("cgroup_set_weight() of %u for '%s'", weight, cgrp->kn->name);
	chance();
}

static void chaos_update_idle(s32 cpu, bool idle)
{
	enter("update_idle");
	if (me.knows_idle[cpu] && me.idle[cpu] == idle)
		complain("update_idle() of core %d says %d again", cpu, idle);
	me.knows_idle[cpu] = true;
	me.idle[cpu] = idle;
	chance();
}

static s32 chaos_init_task(struct task_struct *p, struct scx_init_task_args *args)
{
	(void)args;
	enter("init_task");
	expect_life(p, "init_task", UNKNOWN, UNKNOWN);
	if (misbehaves())
		return -1;
	me.life[index_of(p)] = MADE;
	return 0;
}

static void chaos_enable(struct task_struct *p)
{
	enter("enable");
	expect_life(p, "enable", MADE, MADE);
	me.life[index_of(p)] = QUIET;
}

static void chaos_disable(struct task_struct *p)
{
	enter("disable");
	if (me.life[index_of(p)] == UNKNOWN || me.life[index_of(p)] == GONE)
		complain("disable() of thread %d", p->pid);
}

static void chaos_exit_task(struct task_struct *p, struct scx_exit_task_args *args)
{
	(void)args;
	enter("exit_task");
	if (me.life[index_of(p)] == UNKNOWN || me.life[index_of(p)] == GONE)
		complain("exit_task() of thread %d", p->pid);
	me.life[index_of(p)] = GONE;
}

static s32 chaos_init(void)
{
	enter("init");
	for (u32 core = 0; core < scx_bpf_nr_cpu_ids() && me.level_cores; core++)
		ask_for_level(core);
	for (u64 id = 0; id < NR_QUEUES; id++)
		if (scx_bpf_create_dsq(id, -1))
			complain("queue %llu cannot be made", (unsigned long long)id);
	return misbehaves() ? -12 : 0;
}

static void chaos_exit(struct scx_exit_info *info)
{
	me.is_over = true;
	if (info->kind == SCX_EXIT_DONE && *info->msg)
		complain("the run is over, with the message '%s'", info->msg);
}

static void chaos_observed(struct task_struct *p, u32 state)
{
	enter("sahm_observed");
	if (state >= NR_STATES || sahm_observed_state(p) != state)
		complain("thread %d is observed in state %u, or %u", p->pid, state, sahm_observed_state(p));
	me.has_changed = true;
	if (me.reads_counters && sahm_observed_counter(p, (enum counter)1) % NR_COUNTERS != 1)
		complain("a counter of thread %d is %llu", p->pid,
			 (unsigned long long)sahm_observed_counter(p, (enum counter)1));
	chance();
}

/* A pass */

static void permute_some(void)
{
	struct task_struct *threads[CHAOS_TOP_CORES];
	s32 cores[CHAOS_TOP_CORES], heads[CHAOS_TOP_CORES];
	u32 nr = 0, nr_cores = scx_bpf_nr_cpu_ids();
	bool may = true;
	for (u32 cpu = 0; cpu < nr_cores; cpu++)
		if (sahm_head((s32)cpu) && choose(2))
			heads[nr++] = (s32)cpu;
	if (nr < 2)
		return;
	for (u32 i = 0; i < nr; i++) {
		threads[i] = sahm_head(heads[i]);
		cores[i] = heads[(i + 1) % nr];
		may &= bpf_cpumask_test_cpu((u32)cores[i], threads[i]->cpus_ptr);
	}
	if (sahm_permute(threads, cores, nr) != may)
		complain("sahm_permute() of %u heads in a circle: not %d", nr, may);
	for (u32 i = 0; i < nr && may; i++)
		if (sahm_head(cores[i]) != threads[i] || scx_bpf_task_cpu(threads[i]) != cores[i])
			complain("sahm_permute() has not put thread %d on core %d", threads[i]->pid, cores[i]);
}

static u64 chaos_pass(u64 now)
{
	enter("sahm_pass");
	if (now != me.now || now % sahm_timestep_ns())
		complain("sahm_pass() at %llu", (unsigned long long)now);
	if (me.passed == now + 1)
		complain("sahm_pass() twice at one time");
	if (now < me.next_pass && !me.has_changed)
		complain("sahm_pass() before %llu, and nothing has changed", (unsigned long long)me.next_pass);
	me.passed = now + 1;
	me.has_changed = false;
	for (u64 i = choose(4); i > 0; i--) {
		struct task_struct *a = some_task(), *b = some_task();
		s32 cpu = some_core();
		if (a && choose(2)) {
			bool may = sahm_is_runnable(a) && scx_bpf_task_cpu(a) != cpu &&
				   bpf_cpumask_test_cpu((u32)cpu, a->cpus_ptr);
			u32 nr = sahm_nr_on(cpu);
			if (sahm_move(a, cpu) != may)
				complain("sahm_move() of thread %d to core %d: not %d", a->pid, cpu, may);
			else if (may && (scx_bpf_task_cpu(a) != cpu || sahm_nr_on(cpu) != nr + 1 || sahm_next(a)))
				complain("sahm_move() has not put thread %d behind the %u of core %d", a->pid, nr, cpu);
		} else if (a && b) {
			s32 x = scx_bpf_task_cpu(a), y = scx_bpf_task_cpu(b);
			bool may = sahm_is_runnable(a) && sahm_is_runnable(b) && x != y &&
				   bpf_cpumask_test_cpu((u32)x, b->cpus_ptr) &&
				   bpf_cpumask_test_cpu((u32)y, a->cpus_ptr);
			if (sahm_swap(a, b) != may)
				complain("sahm_swap() of threads %d and %d: not %d", a->pid, b->pid, may);
			else if (may && (scx_bpf_task_cpu(a) != y || scx_bpf_task_cpu(b) != x))
				complain("sahm_swap() has not swapped threads %d and %d", a->pid, b->pid);
		}
	}
	if (once_in(3))
		permute_some();
	chance();
	me.next_pass = choose(3) == 0 ? SAHM_WHEN_CHANGED : choose(2) ? 0 : now + choose(6 * sahm_timestep_ns());
	return me.next_pass;
}

#define MAYBE(op)                                                                                                      \
	do {                                                                                                           \
		if (chaos_choose(from, 2))                                                                             \
			ops->op = NULL;                                                                                \
	} while (0)

void chaos_policy(struct sched_ext_ops *ops, struct chaos_source *from, enum chaos_kind kind, unsigned illegal)
{
	memset(&me, 0, sizeof(me));
	me.from = from;
	me.illegal = illegal;
	/* All that keep count of threads' lives stay. */
	*ops = (struct sched_ext_ops){
		.runnable = chaos_runnable,
		.running = chaos_running,
		.stopping = chaos_stopping,
		.quiescent = chaos_quiescent,
		.init_task = chaos_init_task,
		.exit_task = chaos_exit_task,
		.enable = chaos_enable,
		.disable = chaos_disable,
		.init = chaos_init,
		.exit = chaos_exit,
		.tick = chaos_tick,
		.yield = chaos_yield,
		.set_weight = chaos_set_weight,
		.set_cpumask = chaos_set_cpumask,
		.cgroup_prep_move = chaos_cgroup_prep_move,
		.cgroup_move = chaos_cgroup_move,
		.cgroup_set_weight = chaos_cgroup_set_weight,
		.update_idle = chaos_update_idle,
		.sahm_observed = chaos_observed,
		.name = "chaos",
		.sahm_state_bytes = 24,
		.sahm_task_state_bytes = 8,
		.flags = SCX_OPS_KEEP_BUILTIN_IDLE,
	};
	MAYBE(tick);
	MAYBE(yield);
	MAYBE(update_idle);
	if (kind == CHAOS_DEFAULT)
		ops->tick = NULL;
	if (kind == CHAOS_DISPATCH) {
		ops->select_cpu = chaos_select_cpu;
		ops->enqueue = chaos_enqueue;
		ops->dequeue = chaos_dequeue;
		ops->dispatch = chaos_dispatch;
		MAYBE(select_cpu);
		if (chaos_choose(from, 3) == 0)
			ops->flags |= SCX_OPS_ENQ_LAST;
		ops->dispatch_max_batch = (u32)chaos_choose(from, 3) * 5;
	} else if (kind == CHAOS_PASS) {
		ops->sahm_pass = chaos_pass;
	}
}
