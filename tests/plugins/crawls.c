/* Sleeps a little in every dispatch() and gives slices that are as short as can be: operations return, and simulated
 * time all but stands still. */
#include <time.h>

#include "sched/ext.h"

static s32 init(void)
{
	return scx_bpf_create_dsq(1, -1);
}

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	scx_bpf_dsq_insert(p, 1, SAHM_SLICE_MIN_NS, enq_flags);
}

static void dispatch(s32 cpu, struct task_struct *prev)
{
	const struct timespec a_little = {.tv_nsec = 1000000};
	nanosleep(&a_little, NULL);
	scx_bpf_dsq_move_to_local(1, 0);
}

SCX_OPS_DEFINE(ops, .init = init, .enqueue = enqueue, .dispatch = dispatch, .name = "crawls");
