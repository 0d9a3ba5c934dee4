/* newer: needs what the simulator does not have, one thing of each kind. It is never built. */
#include <lib/made_up.h>
#include <scx/common.bpf.h>

char _license[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

s32 BPF_STRUCT_OPS(newer_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	return p->wake_cpu;
}

void BPF_STRUCT_OPS(newer_enqueue, struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insrt(p, SCX_DSQ_GLOBAL, SCX_SLICE_DFL, enq_flags);
}

void BPF_STRUCT_OPS(newer_dispatch, s32 cpu, struct task_struct *prev)
{
	if (!scx_bpf_sub_dispatch(1))
		scx_bpf_dsq_move_to_local(0, SCX_ENQ_IMMED);
}

void BPF_STRUCT_OPS(newer_dump, struct scx_dump_ctx *ctx)
{
}

SCX_OPS_DEFINE(newer_ops, .dump = (void *)newer_dump, .set_cmask = (void *)newer_enqueue, .name = "newer");
