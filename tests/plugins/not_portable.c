/* It can be used, and holds all that `sahm policy check` warns of. */
#include <stdlib.h>
#include <string.h>

#include "sched/ext.h"

static u64 nr_calls;
static struct task_struct *last[64] = {NULL};
static const u32 constant[4] = {1, 2, 3, 4};

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	char *copy = strdup(p->comm);
	nr_calls += constant[p->pid % 4];
	if (last[nr_calls % 64] == p)
		nr_calls++;
	last[nr_calls % 64] = p;
	if (sahm_observed_state(p) == STATE_LOW && scx_bpf_reenqueue_local() == 0)
		scx_bpf_error("thread %s", copy);
	free(copy);
	scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SCX_SLICE_DFL, enq_flags);
}

SCX_OPS_DEFINE(ops, .enqueue = enqueue, .name = "not-portable", .summary = "all that would not port");
