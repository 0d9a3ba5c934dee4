/* turns: CPU 0 decides for all, and a timer ends turns. Calls: timers, slices without end, local queues of other CPUs,
 * kicks, arrays that a loader would resize. It checks that timers are on time.
 */
#include <scx/common.bpf.h>

char _license[] SEC("license") = "GPL";

const volatile u32 nr_cpu_ids = 1;
const volatile u64 slice_ns;
const volatile u64 interval_ns = 1000000;
extern unsigned long CONFIG_HZ __kconfig;

u64 RESIZABLE_ARRAY(data, started_at);
bool RESIZABLE_ARRAY(data, wants);
u64 due_at, nr_ticks, nr_waiting;

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 4096);
	__type(value, s32);
} waiting SEC(".maps");

struct timers {
	u64 before;
	struct bpf_timer tick, never;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct timers);
} timers SEC(".maps");

s32 BPF_STRUCT_OPS(turns_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	return 0;
}

void BPF_STRUCT_OPS(turns_enqueue, struct task_struct *p, u64 enq_flags)
{
	s32 pid = p->pid;
	if (bpf_map_push_elem(&waiting, &pid, 0))
		scx_bpf_error("too many threads");
	__sync_fetch_and_add(&nr_waiting, 1);
	scx_bpf_kick_cpu(0, SCX_KICK_PREEMPT);
}

static bool give(s32 cpu)
{
	s32 pid, i;
	bpf_for(i, 0, nr_waiting)
	{
		if (bpf_map_pop_elem(&waiting, &pid))
			return false;
		struct task_struct *p = bpf_task_from_pid(pid);
		if (!p) {
			__sync_fetch_and_sub(&nr_waiting, 1);
			continue;
		}
		if (!bpf_cpumask_test_cpu(cpu, p->cpus_ptr)) {
			bpf_map_push_elem(&waiting, &pid, 0);
			continue;
		}
		__sync_fetch_and_sub(&nr_waiting, 1);
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL_ON | cpu, SCX_SLICE_INF, 0);
		if (cpu != 0)
			scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
		bpf_task_release(p);
		return true;
	}
	return false;
}

void BPF_STRUCT_OPS(turns_dispatch, s32 cpu, struct task_struct *prev)
{
	bool *want = ARRAY_ELEM_PTR(wants, cpu, nr_cpu_ids);
	s32 other;
	if (want)
		*want = true;
	if (cpu != 0) {
		scx_bpf_kick_cpu(0, SCX_KICK_PREEMPT);
		return;
	}
	bpf_for(other, 1, nr_cpu_ids)
	{
		want = ARRAY_ELEM_PTR(wants, other, nr_cpu_ids);
		if (want && *want && scx_bpf_dispatch_nr_slots() && give(other))
			*want = false;
	}
	give(0);
}

void BPF_STRUCT_OPS(turns_running, struct task_struct *p)
{
	u64 *at = ARRAY_ELEM_PTR(started_at, scx_bpf_task_cpu(p), nr_cpu_ids);
	if (at)
		*at = scx_bpf_now();
	if (bpf_get_smp_processor_id() != scx_bpf_task_cpu(p))
		scx_bpf_error("%s runs on CPU %d, not %u", p->comm, scx_bpf_task_cpu(p), bpf_get_smp_processor_id());
}

void BPF_STRUCT_OPS(turns_stopping, struct task_struct *p, bool runnable)
{
	u64 *at = ARRAY_ELEM_PTR(started_at, scx_bpf_task_cpu(p), nr_cpu_ids);
	if (at)
		*at = 0;
}

static int never(void *map, u32 *key, struct timers *value)
{
	scx_bpf_error("a timer runs that was stopped");
	return 0;
}

static int tick(void *map, u32 *key, struct timers *value)
{
	u64 now = scx_bpf_now();
	s32 cpu;
	if (now != due_at || *key != 0 || value != bpf_map_lookup_elem(&timers, key) || value->before != due_at)
		scx_bpf_error("a timer runs at %llu, due at %llu", now, due_at);
	bpf_for(cpu, 0, nr_cpu_ids)
	{
		u64 *at = ARRAY_ELEM_PTR(started_at, cpu, nr_cpu_ids);
		if (at && *at && now - *at >= slice_ns && nr_waiting)
			scx_bpf_kick_cpu(cpu, SCX_KICK_PREEMPT);
	}
	nr_ticks++;
	value->before = due_at = now + interval_ns;
	bpf_timer_start(&value->never, 1000000, 0);
	if (bpf_timer_cancel(&value->never) != 1 || bpf_timer_cancel(&value->never) != 0 ||
	    bpf_timer_start(&value->never, 1000, 0) != -EINVAL)
		scx_bpf_error("a timer that is stopped has no function");
	bpf_timer_set_callback(&value->never, never);
	/* Either way. */
	return nr_ticks % 2 ? bpf_timer_start(&value->tick, interval_ns, BPF_F_TIMER_CPU_PIN)
			    : bpf_timer_start(&value->tick, due_at, BPF_F_TIMER_ABS);
}

s32 BPF_STRUCT_OPS_SLEEPABLE(turns_init)
{
	u32 key = 0;
	struct timers *t = bpf_map_lookup_elem(&timers, &key);
	if (!t || nr_cpu_ids != scx_bpf_nr_cpu_ids() || slice_ns != SCX_SLICE_DFL || CONFIG_HZ != 100) {
		scx_bpf_error("constants are not those that a loader sets");
		return -EINVAL;
	}
	if (bpf_timer_start(&t->tick, 1, 0) != -EINVAL || bpf_timer_init(&t->tick, &timers, CLOCK_MONOTONIC) ||
	    bpf_timer_init(&t->tick, &timers, CLOCK_MONOTONIC) != -EBUSY ||
	    bpf_timer_init(&t->never, &timers, CLOCK_MONOTONIC)) {
		scx_bpf_error("timers are made ready once");
		return -EINVAL;
	}
	bpf_timer_set_callback(&t->tick, tick);
	bpf_timer_set_callback(&t->never, never);
	t->before = due_at = scx_bpf_now() + interval_ns;
	/* A timer stays where a value is overwritten. */
	struct timers others = {.before = t->before};
	if (bpf_map_update_elem(&timers, &key, &others, BPF_ANY))
		return -EINVAL;
	return bpf_timer_start(&t->tick, interval_ns, 0);
}

SCX_OPS_DEFINE(turns_ops, .flags = SCX_OPS_ENQ_LAST, .select_cpu = (void *)turns_select_cpu,
	       .enqueue = (void *)turns_enqueue, .dispatch = (void *)turns_dispatch, .running = (void *)turns_running,
	       .stopping = (void *)turns_stopping, .init = (void *)turns_init, .timeout_ms = 5000, .name = "turns");
