/* Tenants as the kernel's cgroups: all below one root. */
#include "sched/host/bpf_calls.h"
#include "sched/host/host_calls_internal.h"
#include "sched/host/host_internal.h"

bool host_make_cgroups(struct host *h)
{
	h->nr_cgroups = h->nr_tenants + 1;
	h->cgroups = arena_alloc(h->arena, h->nr_cgroups, sizeof(*h->cgroups));
	for (u32 i = 0; h->cgroups && i < h->nr_cgroups; i++) {
		struct host_cgroup *g = &h->cgroups[i];
		g->kn = (struct kernfs_node){i + 1, i ? h->tenants[i - 1].name : "/"};
		g->pub = (struct cgroup){i > 0, &g->kn};
		g->weight = i ? h->tenants[i - 1].weight : DEFAULT_CGROUP_WEIGHT;
	}
	return h->cgroups != NULL;
}

void host_init_cgroups(struct host *h)
{
	for (u32 i = 0; i < h->nr_cgroups && h->ops->cgroup_init && !h->has_failed; i++) {
		struct host_cgroup *g = &h->cgroups[i];
		struct scx_cgroup_init_args args = {
			.weight = g->weight, .bw_period_us = 100000, .bw_quota_us = UINT64_MAX};
		s32 code;
		CALL_OP_FOR(h, code, cgroup_init, &g->pub, &args);
		if (code < 0)
			host_fail(h, SCX_EXIT_ERROR, "cgroup_init() refused tenant '%s': %d", g->kn.name, code);
		g->has_init = !h->has_failed;
	}
	for (u32 i = 0; i < h->nr_cgroups && !h->ops->cgroup_init && !h->has_failed; i++)
		h->cgroups[i].has_init = true;
}

void host_exit_cgroups(struct host *h)
{
	/* In the kernel's order: children as they were made, then the root. */
	for (u32 i = 1; i <= h->nr_cgroups; i++) {
		struct host_cgroup *g = &h->cgroups[i % h->nr_cgroups];
		if (g->has_init)
			CALL_OP_IF(h, cgroup_exit, &g->pub);
		g->has_init = false;
	}
}

void host_set_tenant_weight(struct host *h, u32 tenant, u32 weight)
{
	if (h->cgroups[tenant].weight == weight)
		return;
	h->cgroups[tenant].weight = weight;
	CALL_OP_IF(h, cgroup_set_weight, &h->cgroups[tenant].pub, weight);
}

/* As the kernel does around a move: a thread that runs keeps its core and slice, and is in no queue in between. */
static void take_off(struct host *h, struct host_task *p)
{
	if (p->is_running) {
		host_tell_slice(h, p);
		host_count_runtime(h, (u32)p->cpu);
		CALL_OP_IF(h, stopping, &p->pub, false);
	} else {
		host_take_back(h, p);
	}
	CALL_OP_IF(h, quiescent, &p->pub, SCX_DEQ_SAVE);
	p->pub.scx.flags &= ~SCX_TASK_QUEUED;
}

static void put_back(struct host *h, struct host_task *p)
{
	p->pub.scx.flags |= SCX_TASK_QUEUED;
	CALL_OP_IF(h, runnable, &p->pub, 0);
	if (p->is_running) {
		CALL_OP_IF(h, running, &p->pub);
		host_take_slice(h, p);
	} else {
		host_requeue(h, p);
	}
}

bool host_set_tenant(struct host *h, struct host_task *p, u32 tenant)
{
	struct cgroup *from = p->css.dfl_cgrp, *to = &h->cgroups[tenant].pub;
	p->tenant = tenant;
	if (!p->is_present || from == to)
		return true;
	if (h->ops->cgroup_prep_move) {
		s32 code;
		CALL_OP_FOR(h, code, cgroup_prep_move, &p->pub, from, to);
		if (code < 0) {
			p->tenant = (u32)(from->kn->id - 1);
			return false;
		}
	}
	bool is_taken = p->is_runnable && !h->has_queues;
	if (is_taken)
		take_off(h, p);
	CALL_OP_IF(h, cgroup_move, &p->pub, from, to);
	p->css.dfl_cgrp = to;
	if (is_taken)
		put_back(h, p);
	return true;
}

struct cgroup *scx_bpf_task_cgroup(struct task_struct *p)
{
	BEGIN(struct cgroup *, scx_bpf_task_cgroup, NULL, p);
	NEED_TASK(scx_bpf_task_cgroup, p, NULL);
	(void)h;
	return p->cgroups->dfl_cgrp;
}

struct cgroup *bpf_cgroup_from_id(u64 id)
{
	struct host *h = host_at_hand;
	return h && id >= 1 && id <= h->nr_cgroups ? &h->cgroups[id - 1].pub : NULL;
}

struct cgroup *bpf_cgroup_ancestor(struct cgroup *cgrp, s32 level)
{
	struct host *h = host_at_hand;
	if (!h || !cgrp || level < 0 || level > cgrp->level)
		return NULL;
	return level == cgrp->level ? cgrp : &h->cgroups[0].pub;
}
