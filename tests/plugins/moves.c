/* A policy on run queues whose pass moves a thread that runs, swaps two, and lets two trade places at once. */
#include "sched/ext.h"

static u64 pass(u64 now)
{
	struct task_struct *first = sahm_task(0), *second = sahm_task(1);
	if (now == 0) {
		sahm_move(sahm_task(2), 1);
	} else if (now == sahm_timestep_ns()) {
		sahm_swap(first, second);
	} else {
		struct task_struct *heads[] = {sahm_head(0), sahm_head(1)};
		const s32 cpus[] = {1, 0};
		sahm_permute(heads, cpus, 2);
	}
	return 0;
}

static void stopping(struct task_struct *p, bool runnable)
{
	scx_bpf_task_cpu(p);
}

static void set_cpumask(struct task_struct *p, const struct cpumask *mask)
{
}

SCX_OPS_DEFINE(ops, .sahm_pass = pass, .stopping = stopping, .set_cpumask = set_cpumask, .name = "moves");
