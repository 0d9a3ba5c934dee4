/* nearby: a thread that wakes goes to an idle CPU that shares a cache with the one where it ran. Calls: sets of CPUs,
 * the built-in ones and those that a program makes, caches, who runs, random numbers. It checks sets against each
 * other.
 */
#include <scx/common.bpf.h>
#include <scx/percpu.bpf.h>

char _license[] SEC("license") = "GPL";

#define MAX_CPUS 256

const volatile u64 cpu_capacity[MAX_CPUS];
const volatile bool smt_enabled = true;

struct task_ctx {
	struct bpf_cpumask __kptr *near;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_ctx);
} tasks SEC(".maps");

struct cpu_ctx {
	struct bpf_cpumask __kptr *llc;
	u64 nr_starts;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct cpu_ctx);
} cpus SEC(".maps");

private(NEARBY) struct bpf_cpumask __kptr *odd;

static struct cpu_ctx *cpu_ctx(s32 cpu)
{
	const u32 zero = 0;
	return bpf_map_lookup_percpu_elem(&cpus, &zero, cpu);
}

s32 BPF_STRUCT_OPS(nearby_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	struct task_ctx *tctx = bpf_task_storage_get(&tasks, p, 0, 0);
	struct cpu_ctx *cctx = cpu_ctx(prev_cpu);
	s32 cpu;
	if (!tctx || !tctx->near || !cctx || !cctx->llc)
		return -ENOENT;
	bpf_rcu_read_lock();
	bpf_cpumask_and(tctx->near, p->cpus_ptr, cast_mask(cctx->llc));
	if (!bpf_cpumask_subset(cast_mask(tctx->near), p->cpus_ptr))
		scx_bpf_error("%s: an intersection is no subset", p->comm);
	bool has_idle = bpf_cpumask_intersects(cast_mask(tctx->near), scx_bpf_get_idle_cpumask());
	cpu = scx_bpf_select_cpu_and(p, prev_cpu, wake_flags, cast_mask(tctx->near), 0);
	if ((cpu >= 0) != has_idle || (cpu >= 0 && cpu_llc_id(cpu) != cpu_llc_id(prev_cpu)))
		scx_bpf_error("%s wakes on CPU %d, was on %d", p->comm, cpu, prev_cpu);
	if (cpu < 0)
		cpu = scx_bpf_pick_idle_cpu(p->cpus_ptr, SCX_PICK_IDLE_CORE);
	bpf_rcu_read_unlock();
	if (cpu < 0)
		return bpf_cpumask_any_distribute(p->cpus_ptr);
	if (bpf_cpumask_test_cpu(cpu, scx_bpf_get_idle_cpumask()))
		scx_bpf_error("CPU %d is idle and taken", cpu);
	scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SCX_SLICE_DFL, 0);
	return cpu;
}

void BPF_STRUCT_OPS(nearby_enqueue, struct task_struct *p, u64 enq_flags)
{
	struct task_struct *curr = scx_bpf_cpu_curr(scx_bpf_task_cpu(p));
	if (__COMPAT_is_enq_cpu_selected(enq_flags) != (enq_flags & SCX_ENQ_WAKEUP && p->nr_cpus_allowed > 1))
		scx_bpf_error("%s: flags %llu", p->comm, enq_flags);
	if (curr == p || scx_bpf_cpu_rq(scx_bpf_task_cpu(p))->curr != curr || (!curr->pid) != !!(curr->flags & PF_IDLE))
		scx_bpf_error("%s: %s runs", p->comm, curr->comm);
	scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, bpf_get_prandom_u32() % 2 ? SCX_SLICE_DFL : SCX_SLICE_DFL / 2, enq_flags);
	scx_bpf_kick_cpu(scx_bpf_task_cpu(p), SCX_KICK_IDLE);
}

void BPF_STRUCT_OPS(nearby_running, struct task_struct *p)
{
	const u32 zero = 0;
	struct cpu_ctx *cctx = bpf_map_lookup_elem(&cpus, &zero);
	if (!cctx || cctx != cpu_ctx(scx_bpf_task_cpu(p)))
		scx_bpf_error("%s: another CPU's values", p->comm);
	else
		cctx->nr_starts++;
	if (bpf_get_current_task_btf() != p || p->__state != TASK_RUNNING || !(p->scx.flags & SCX_TASK_QUEUED))
		scx_bpf_error("%s does not run", p->comm);
}

s32 BPF_STRUCT_OPS(nearby_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct task_ctx *tctx = bpf_task_storage_get(&tasks, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	struct bpf_cpumask *mask = bpf_cpumask_create();
	if (!tctx || !mask)
		return -ENOMEM;
	mask = bpf_kptr_xchg(&tctx->near, mask);
	if (mask)
		bpf_cpumask_release(mask);
	return 0;
}

void BPF_STRUCT_OPS(nearby_exit_task, struct task_struct *p, struct scx_exit_task_args *args)
{
	struct task_ctx *tctx = bpf_task_storage_get(&tasks, p, 0, 0);
	struct bpf_cpumask *mask = tctx ? bpf_kptr_xchg(&tctx->near, NULL) : NULL;
	if (mask)
		bpf_cpumask_release(mask);
}

static void check_sets(u32 nr)
{
	struct bpf_cpumask *all = bpf_cpumask_create(), *even = bpf_cpumask_create();
	u32 cpu;
	if (!all || !even || !odd)
		return;
	if (!bpf_cpumask_empty(cast_mask(all)) || bpf_cpumask_first(cast_mask(all)) < nr)
		scx_bpf_error("a new set is not empty");
	bpf_cpumask_setall(all);
	bpf_for(cpu, 0, nr) if (cpu % 2) bpf_cpumask_set_cpu(cpu, odd);
	bpf_cpumask_xor(even, cast_mask(all), cast_mask(odd));
	if (!bpf_cpumask_full(cast_mask(all)) || !bpf_cpumask_equal(cast_mask(all), scx_bpf_get_possible_cpumask()) ||
	    bpf_cpumask_weight(cast_mask(even)) + bpf_cpumask_weight(cast_mask(odd)) != nr ||
	    bpf_cpumask_intersects(cast_mask(even), cast_mask(odd)) || bpf_cpumask_first(cast_mask(odd)) != 1 ||
	    bpf_cpumask_first_zero(cast_mask(even)) != 1 || bpf_cpumask_first_and(cast_mask(all), cast_mask(odd)) != 1)
		scx_bpf_error("even and odd CPUs are not all");
	bpf_cpumask_or(even, cast_mask(even), cast_mask(odd));
	if (!bpf_cpumask_equal(cast_mask(even), cast_mask(all)) || !bpf_cpumask_test_and_clear_cpu(0, even) ||
	    bpf_cpumask_test_and_set_cpu(0, even) || !bpf_cpumask_test_cpu(0, cast_mask(even)))
		scx_bpf_error("CPU 0 is in every set");
	bpf_cpumask_copy(even, cast_mask(odd));
	if (!bpf_cpumask_equal(cast_mask(even), cast_mask(odd)))
		scx_bpf_error("a copy is not equal");
	bpf_cpumask_release(even);
	bpf_cpumask_release(all);
}

s32 BPF_STRUCT_OPS_SLEEPABLE(nearby_init)
{
	u32 nr = scx_bpf_nr_cpu_ids();
	s32 cpu, other;
	if (smt_enabled || scx_bpf_nr_node_ids() != 1 || nr < 2)
		return -EINVAL;
	bpf_for(cpu, 0, nr)
	{
		struct cpu_ctx *cctx = cpu_ctx(cpu);
		struct bpf_cpumask *mask = bpf_cpumask_create();
		if (!cctx || !mask)
			return -ENOMEM;
		bpf_for(other, 0, nr) if (cpu_llc_id(other) == cpu_llc_id(cpu)) bpf_cpumask_set_cpu(other, mask);
		if (bpf_cpumask_weight(cast_mask(mask)) != cpu_llc_size(cpu) ||
		    cpu_capacity[cpu] != scx_bpf_cpuperf_cap(cpu))
			scx_bpf_error("CPU %d has a cache of %d", cpu, cpu_llc_size(cpu));
		mask = bpf_kptr_xchg(&cctx->llc, mask);
		if (mask)
			return -EBUSY;
	}
	struct bpf_cpumask *mask = bpf_kptr_xchg(&odd, bpf_cpumask_create());
	if (mask)
		return -EBUSY;
	check_sets(nr);
	return 0;
}

SCX_OPS_DEFINE(nearby_ops, .select_cpu = (void *)nearby_select_cpu, .enqueue = (void *)nearby_enqueue,
	       .running = (void *)nearby_running, .init_task = (void *)nearby_init_task,
	       .exit_task = (void *)nearby_exit_task, .init = (void *)nearby_init, .timeout_ms = 5000,
	       .name = "nearby");
