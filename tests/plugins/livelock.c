/* Makes the core look again each time that it has looked, and brings nothing: time stands still. */
#include "sched/ext.h"

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SCX_SLICE_DFL, enq_flags);
}

static void stopping(struct task_struct *p, bool runnable)
{
	scx_bpf_kick_cpu(scx_bpf_task_cpu(p), SCX_KICK_PREEMPT);
}

static void running(struct task_struct *p)
{
	scx_bpf_kick_cpu(scx_bpf_task_cpu(p), SCX_KICK_PREEMPT);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .running = running, .stopping = stopping, .name = "livelock");
