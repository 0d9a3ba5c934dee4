/* groups: cgroups share the CPUs by weight: that with the smallest time for its weight is next, and threads of one take
 * turns. Calls: cgroups, storage for each, objects, a tree, a list, locks. It checks that cgroups come and go in order.
 */
#include <scx/common.bpf.h>

char _license[] SEC("license") = "GPL";

struct group {
	struct bpf_rb_node node;
	u64 vtime, id;
};

struct group_ctx {
	struct group __kptr *out; /* while it is not in the tree */
	u32 weight;
	s64 nr_tasks, nr_runnable;
	u64 served_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_CGRP_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct group_ctx);
} groups SEC(".maps");

struct started {
	u64 at;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct started);
} tasks SEC(".maps");

private(GROUPS) struct bpf_spin_lock lock;
private(GROUPS) struct bpf_rb_root tree __contains(group, node);
u64 vtime_now, nr_groups, nr_gone;

static bool is_before(struct bpf_rb_node *a, const struct bpf_rb_node *b)
{
	return container_of(a, struct group, node)->vtime < container_of(b, struct group, node)->vtime;
}

static struct group_ctx *ctx_of(struct cgroup *cgrp)
{
	struct group_ctx *ctx = bpf_cgrp_storage_get(&groups, cgrp, 0, 0);
	if (!ctx)
		scx_bpf_error("no storage for cgroup %llu", cgrp->kn->id);
	return ctx;
}

void BPF_STRUCT_OPS(groups_enqueue, struct task_struct *p, u64 enq_flags)
{
	struct cgroup *cgrp = scx_bpf_task_cgroup(p);
	struct group_ctx *ctx = ctx_of(cgrp);
	scx_bpf_dsq_insert(p, cgrp->kn->id, SCX_SLICE_DFL, enq_flags);
	struct group *g = ctx ? bpf_kptr_xchg(&ctx->out, NULL) : NULL;
	if (g) {
		if (time_before(g->vtime, vtime_now))
			g->vtime = vtime_now;
		bpf_spin_lock(&lock);
		bpf_rbtree_add(&tree, &g->node, is_before);
		bpf_spin_unlock(&lock);
	}
	bpf_cgroup_release(cgrp);
	s32 cpu = scx_bpf_pick_idle_cpu(p->cpus_ptr, 0);
	if (cpu >= 0)
		scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
}

void BPF_STRUCT_OPS(groups_dispatch, s32 cpu, struct task_struct *prev)
{
	struct bpf_rb_node *node;
	struct group *passed[8];
	u32 nr_passed = 0, i;
	bool found = false;
	bpf_repeat(8)
	{
		bpf_spin_lock(&lock);
		node = bpf_rbtree_first(&tree);
		if (node)
			node = bpf_rbtree_remove(&tree, node);
		bpf_spin_unlock(&lock);
		if (!node)
			break;
		struct group *g = container_of(node, struct group, node);
		struct cgroup *cgrp = bpf_cgroup_from_id(g->id);
		struct group_ctx *ctx = cgrp ? ctx_of(cgrp) : NULL;
		if (!ctx) {
			scx_bpf_error("cgroup %llu is gone", g->id);
			return;
		}
		if (time_before(vtime_now, g->vtime))
			vtime_now = g->vtime;
		found = scx_bpf_dsq_move_to_local(g->id);
		if (found)
			g->vtime += SCX_SLICE_DFL * 100 / ctx->weight;
		if (scx_bpf_dsq_nr_queued(g->id) > 0)
			passed[nr_passed++] = g;
		else if (bpf_kptr_xchg(&ctx->out, g))
			scx_bpf_error("cgroup %llu is there twice", g->id);
		bpf_cgroup_release(cgrp);
		if (found)
			break;
	}
	bpf_for(i, 0, nr_passed) bpf_rbtree_add(&tree, &passed[i]->node, is_before);
}

void BPF_STRUCT_OPS(groups_runnable, struct task_struct *p, u64 enq_flags)
{
	struct group_ctx *ctx = ctx_of(p->cgroups->dfl_cgrp);
	if (ctx && ++ctx->nr_runnable > ctx->nr_tasks)
		scx_bpf_error("%s: %lld of %lld threads are runnable", p->comm, ctx->nr_runnable, ctx->nr_tasks);
}

void BPF_STRUCT_OPS(groups_quiescent, struct task_struct *p, u64 deq_flags)
{
	struct group_ctx *ctx = ctx_of(p->cgroups->dfl_cgrp);
	if (ctx && --ctx->nr_runnable < 0)
		scx_bpf_error("%s: fewer than no threads are runnable", p->comm);
}

void BPF_STRUCT_OPS(groups_running, struct task_struct *p)
{
	struct started *s = bpf_task_storage_get(&tasks, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (s)
		s->at = p->se.sum_exec_runtime;
}

void BPF_STRUCT_OPS(groups_stopping, struct task_struct *p, bool runnable)
{
	struct started *s = bpf_task_storage_get(&tasks, p, 0, 0);
	struct group_ctx *ctx = ctx_of(p->cgroups->dfl_cgrp);
	if (s && ctx)
		__sync_fetch_and_add(&ctx->served_ns, p->se.sum_exec_runtime - s->at);
}

s32 BPF_STRUCT_OPS(groups_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct group_ctx *ctx = ctx_of(args->cgroup);
	if (!ctx || args->cgroup != p->cgroups->dfl_cgrp)
		return -ENOENT;
	ctx->nr_tasks++;
	return 0;
}

void BPF_STRUCT_OPS(groups_exit_task, struct task_struct *p, struct scx_exit_task_args *args)
{
	struct group_ctx *ctx = ctx_of(p->cgroups->dfl_cgrp);
	if (ctx)
		ctx->nr_tasks--;
}

s32 BPF_STRUCT_OPS_SLEEPABLE(groups_cgroup_init, struct cgroup *cgrp, struct scx_cgroup_init_args *args)
{
	struct cgroup *root = bpf_cgroup_ancestor(cgrp, 0);
	struct group_ctx *ctx = bpf_cgrp_storage_get(&groups, cgrp, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	struct group *g = bpf_obj_new(struct group);
	if (!ctx || !g || !root || root->level != 0 || bpf_cgroup_ancestor(cgrp, cgrp->level + 1) ||
	    cgrp->kn->id != ++nr_groups || bpf_kptr_xchg(&ctx->out, g))
		return -EINVAL;
	g->id = cgrp->kn->id;
	ctx->weight = args->weight;
	return scx_bpf_create_dsq(g->id, -1);
}

void BPF_STRUCT_OPS(groups_cgroup_exit, struct cgroup *cgrp)
{
	struct group_ctx *ctx = ctx_of(cgrp);
	struct group *g = ctx ? bpf_kptr_xchg(&ctx->out, NULL) : NULL;
	bpf_printk("cgroup %s (weight %u) had %llu ms", cgrp->kn->name, ctx ? ctx->weight : 0,
		   ctx ? ctx->served_ns / 1000000 : 0);
	if (g)
		bpf_obj_drop(g);
	if (ctx && ctx->nr_tasks != 0)
		scx_bpf_error("cgroup %llu goes with %lld threads", cgrp->kn->id, ctx->nr_tasks);
	/* The root goes last. */
	if (cgrp->kn->id != (++nr_gone < nr_groups ? nr_gone + 1 : 1))
		scx_bpf_error("cgroup %llu goes before its turn", cgrp->kn->id);
	scx_bpf_destroy_dsq(cgrp->kn->id);
}

void BPF_STRUCT_OPS(groups_cgroup_move, struct task_struct *p, struct cgroup *from, struct cgroup *to)
{
	struct group_ctx *a = ctx_of(from), *b = ctx_of(to);
	if (a && b) {
		a->nr_tasks--;
		b->nr_tasks++;
	}
}

void BPF_STRUCT_OPS(groups_cgroup_set_weight, struct cgroup *cgrp, u32 weight)
{
	struct group_ctx *ctx = ctx_of(cgrp);
	if (ctx)
		ctx->weight = weight;
}

SCX_OPS_DEFINE(groups_ops, .enqueue = (void *)groups_enqueue, .dispatch = (void *)groups_dispatch,
	       .runnable = (void *)groups_runnable, .quiescent = (void *)groups_quiescent,
	       .running = (void *)groups_running, .stopping = (void *)groups_stopping,
	       .init_task = (void *)groups_init_task, .exit_task = (void *)groups_exit_task,
	       .cgroup_init = (void *)groups_cgroup_init, .cgroup_exit = (void *)groups_cgroup_exit,
	       .cgroup_move = (void *)groups_cgroup_move, .cgroup_set_weight = (void *)groups_cgroup_set_weight,
	       .timeout_ms = 5000, .name = "groups");
