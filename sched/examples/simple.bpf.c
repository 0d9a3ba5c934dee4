/* simple, as a scheduler for the kernel: the same as simple.c, with the counters and the option that
 * such a scheduler has. Calls: a queue by vtime, a map for each CPU, constants that a loader sets.
 */
#include <scx/common.bpf.h>

char _license[] SEC("license") = "GPL";

const volatile bool fifo;
static u64 vtime_now;
UEI_DEFINE(uei);

enum counts { LOCAL, SHARED, NR_COUNTS };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u64));
	__uint(max_entries, NR_COUNTS);
} counts SEC(".maps");

static void count(u32 which)
{
	u64 *nr = bpf_map_lookup_elem(&counts, &which);
	if (nr)
		++*nr;
}

s32 BPF_STRUCT_OPS(simple_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);
	if (is_idle) {
		count(LOCAL);
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SCX_SLICE_DFL, 0);
	}
	return cpu;
}

void BPF_STRUCT_OPS(simple_enqueue, struct task_struct *p, u64 enq_flags)
{
	u64 vtime = p->scx.dsq_vtime;
	count(SHARED);
	if (fifo) {
		scx_bpf_dsq_insert(p, 0, SCX_SLICE_DFL, enq_flags);
		return;
	}
	if (time_before(vtime, vtime_now - SCX_SLICE_DFL))
		vtime = vtime_now - SCX_SLICE_DFL;
	scx_bpf_dsq_insert_vtime(p, 0, SCX_SLICE_DFL, vtime, enq_flags);
}

void BPF_STRUCT_OPS(simple_dispatch, s32 cpu, struct task_struct *prev)
{
	scx_bpf_dsq_move_to_local(0);
}

void BPF_STRUCT_OPS(simple_running, struct task_struct *p)
{
	if (!fifo && time_before(vtime_now, p->scx.dsq_vtime))
		vtime_now = p->scx.dsq_vtime;
}

void BPF_STRUCT_OPS(simple_stopping, struct task_struct *p, bool runnable)
{
	if (!fifo)
		p->scx.dsq_vtime += (SCX_SLICE_DFL - p->scx.slice) * 100 / p->scx.weight;
}

void BPF_STRUCT_OPS(simple_enable, struct task_struct *p)
{
	p->scx.dsq_vtime = vtime_now;
}

s32 BPF_STRUCT_OPS_SLEEPABLE(simple_init)
{
	/* As the file says, in every run of a process. */
	if (vtime_now != 0) {
		scx_bpf_error("vtime_now is %llu when the run begins", vtime_now);
		return -EINVAL;
	}
	return scx_bpf_create_dsq(0, -1);
}

void BPF_STRUCT_OPS(simple_exit, struct scx_exit_info *info)
{
	UEI_RECORD(uei, info);
}

SCX_OPS_DEFINE(simple_ops, .select_cpu = (void *)simple_select_cpu, .enqueue = (void *)simple_enqueue,
	       .dispatch = (void *)simple_dispatch, .running = (void *)simple_running,
	       .stopping = (void *)simple_stopping, .enable = (void *)simple_enable, .init = (void *)simple_init,
	       .exit = (void *)simple_exit, .name = "simple");
