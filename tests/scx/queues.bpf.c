/* queues: threads wait in one of three queues by weight, of which each CPU takes from the heaviest first. Calls:
 * queues, an array of maps, a stack, a hash, storage for each thread, threads by pid, iterators over a queue and moves
 * out of it. It checks answers, and ends the run where one is wrong.
 */
#include <scx/common.bpf.h>

char _license[] SEC("license") = "GPL";

enum { SHARED = 1, URGENT = 2, NR_QUEUES = 3 };

const volatile u64 slice_ns;
const volatile u32 urgent_weight = 500;
u64 nr_urgent, nr_lost;

/* Not known to be 0 before it runs. */
static volatile u64 no_u64;
static volatile s64 no_s64;
static volatile u32 no_u32;
static volatile s32 no_s32;
static volatile u16 no_u16;
static volatile u8 no_u8;

struct pids {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 4096);
	__type(value, u32);
} light SEC(".maps"), medium SEC(".maps"), heavy SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, NR_QUEUES);
	__type(key, int);
	__array(values, struct pids);
} queues SEC(".maps") = {
	.values = {&light, &medium, &heavy},
};

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 2);
	__type(value, u64);
} stack SEC(".maps");

/* Times at which threads were put into a queue, by pid. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, s32);
	__type(value, u64);
} queued_at SEC(".maps");

struct task_ctx {
	u64 nr_queued, ran_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_ctx);
} tasks SEC(".maps");

static struct task_ctx *ctx_of(struct task_struct *p)
{
	struct task_ctx *ctx = bpf_task_storage_get(&tasks, p, 0, 0);
	if (!ctx)
		scx_bpf_error("no storage for %s", p->comm);
	return ctx;
}

void BPF_STRUCT_OPS(queues_enqueue, struct task_struct *p, u64 enq_flags)
{
	int which = p->scx.weight < 100 ? 0 : p->scx.weight == 100 ? 1 : 2;
	struct task_ctx *ctx = ctx_of(p);
	void *queue = bpf_map_lookup_elem(&queues, &which);
	u64 now = bpf_ktime_get_ns();
	s32 pid = p->pid;
	if (!ctx || !queue) {
		scx_bpf_error("no queue %d", which);
		return;
	}
	ctx->nr_queued++;
	if (bpf_map_update_elem(&queued_at, &pid, &now, BPF_NOEXIST) == -EEXIST &&
	    bpf_map_update_elem(&queued_at, &pid, &now, BPF_EXIST) != 0)
		scx_bpf_error("pid %d cannot be set", pid);
	if (bpf_map_push_elem(queue, &pid, 0) != 0)
		scx_bpf_error("queue %d is full", which);
	/* A CPU that is idle looks. */
	s32 cpu = scx_bpf_pick_idle_cpu(p->cpus_ptr, 0);
	if (cpu >= 0)
		scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
}

/* Lets the heaviest of those in SHARED overtake, by weight: the heaviest has the smallest vtime. */
static void promote(void)
{
	struct task_struct *p;
	u64 last = 0;
	bpf_for_each(scx_dsq, p, SHARED, 0)
	{
		if (p->scx.weight < urgent_weight)
			continue;
		scx_bpf_dsq_move_set_slice(BPF_FOR_EACH_ITER, slice_ns / 2);
		scx_bpf_dsq_move_set_vtime(BPF_FOR_EACH_ITER, 10000 - p->scx.weight);
		if (scx_bpf_dsq_move_vtime(BPF_FOR_EACH_ITER, p, URGENT, 0))
			nr_urgent++;
		else
			scx_bpf_error("%s does not move", p->comm);
	}
	bpf_for_each(scx_dsq, p, URGENT, 0)
	{
		if (p->scx.dsq_vtime < last)
			scx_bpf_error("%s comes too late", p->comm);
		last = p->scx.dsq_vtime;
	}
}

void BPF_STRUCT_OPS(queues_dispatch, s32 cpu, struct task_struct *prev)
{
	struct task_struct *p;
	int which;
	promote();
	bpf_for(which, 0, NR_QUEUES)
	{
		int index = NR_QUEUES - 1 - which;
		void *queue = bpf_map_lookup_elem(&queues, &index);
		s32 pid;
		bpf_repeat(BPF_MAX_LOOPS)
		{
			if (!queue || !scx_bpf_dispatch_nr_slots() || bpf_map_pop_elem(queue, &pid))
				break;
			p = bpf_task_from_pid(pid);
			u64 *at = bpf_map_lookup_elem(&queued_at, &pid);
			if (!p || !at || *at > bpf_ktime_get_ns()) {
				__sync_fetch_and_add(&nr_lost, 1);
				continue;
			}
			if (bpf_map_delete_elem(&queued_at, &pid) != 0)
				scx_bpf_error("pid %d was not there", pid);
			scx_bpf_dsq_insert(p, SHARED, slice_ns, 0);
			bpf_task_release(p);
		}
	}
	if (scx_bpf_dsq_move_to_local(SHARED, 0))
		return;
	bpf_for_each(scx_dsq, p, URGENT, SCX_DSQ_ITER_REV)
	{
		if (bpf_cpumask_test_cpu(cpu, p->cpus_ptr) && scx_bpf_dsq_move(BPF_FOR_EACH_ITER, p, SCX_DSQ_LOCAL, 0))
			break;
	}
}

void BPF_STRUCT_OPS(queues_stopping, struct task_struct *p, bool runnable)
{
	struct task_ctx *ctx = ctx_of(p);
	if (!ctx)
		return;
	if (p->se.sum_exec_runtime < ctx->ran_ns || p->utime + p->stime != p->se.sum_exec_runtime)
		scx_bpf_error("%s has run %llu ns", p->comm, p->se.sum_exec_runtime);
	ctx->ran_ns = p->se.sum_exec_runtime;
}

s32 BPF_STRUCT_OPS(queues_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct task_ctx first = {.nr_queued = 0};
	if (bpf_task_storage_get(&tasks, p, 0, 0) ||
	    !bpf_task_storage_get(&tasks, p, &first, BPF_LOCAL_STORAGE_GET_F_CREATE))
		return -ENOMEM;
	return p->tgid == p->pid ? 0 : -EINVAL;
}

static long sum(struct bpf_map *map, const void *key, void *value, void *context)
{
	*(u64 *)context += *(u64 *)value;
	return 0;
}

/* In BPF, x / 0 is 0, and x % 0 is x. A compiler may take it for granted that nothing is divided by 0, so that results
 * are looked at only when they have been stored.
 */
#define DIVIDES(type, by, x)                                                                                           \
	({                                                                                                             \
		volatile type quotient_ = (type)(x) / (by), rest_ = (type)(x) % (by);                                  \
		(by) = 2;                                                                                              \
		volatile type half_ = (type)(x) / (by), odd_ = (type)(x) % (by);                                       \
		quotient_ == 0 && rest_ == (type)(x) && half_ == (x) / 2 && odd_ == (x) % 2;                           \
	})

/* The smallest number by -1 is itself. */
static bool divides_smallest(void)
{
	volatile s64 by = -1, smallest = (s64)(1ull << 63);
	volatile s32 by_s32 = -1, smallest_s32 = (s32)(1u << 31);
	volatile s64 quotient = smallest / by, rest = smallest % by;
	volatile s32 quotient_s32 = smallest_s32 / by_s32, rest_s32 = smallest_s32 % by_s32;
	return quotient == smallest && rest == 0 && quotient_s32 == smallest_s32 && rest_s32 == 0;
}

/* A loop without another end ends in the kernel, too. */
static u32 turns_of_a_loop(void)
{
	u32 nr = 0;
	while (can_loop)
		nr++;
	for (;;) {
		cond_break;
		nr++;
	}
	return nr;
}

static bool divides(void)
{
	return DIVIDES(u64, no_u64, 7) && DIVIDES(s64, no_s64, -7) && DIVIDES(u32, no_u32, 7) &&
	       DIVIDES(s32, no_s32, -7) && DIVIDES(u16, no_u16, 7) && DIVIDES(u8, no_u8, 7);
}

s32 BPF_STRUCT_OPS_SLEEPABLE(queues_init)
{
	u64 value, total = 0, i;
	if (turns_of_a_loop() >= BPF_MAX_LOOPS)
		return -EINVAL;
	if (!divides() || !divides_smallest()) {
		scx_bpf_error("division is not that of BPF");
		return -EINVAL;
	}
	s32 err = scx_bpf_create_dsq(SHARED, -1);
	if (!err)
		err = scx_bpf_create_dsq(URGENT, -1);
	if (err)
		return err;
	bpf_for(i, 1, 4)
	{
		s64 code = bpf_map_push_elem(&stack, &i, 0);
		if (code != (i == 3 ? -E2BIG : 0))
			scx_bpf_error("push %llu: %lld", i, code);
	}
	if (bpf_map_peek_elem(&stack, &value) || value != 2 || bpf_map_pop_elem(&stack, &value) || value != 2 ||
	    bpf_map_pop_elem(&stack, &value) || value != 1 || bpf_map_pop_elem(&stack, &value) != -ENOENT)
		scx_bpf_error("a stack is last in, first out");
	bpf_for(i, 0, 65)
	{
		s32 key = -(s32)i;
		s64 code = bpf_map_update_elem(&queued_at, &key, &i, BPF_ANY);
		if (code != (i == 64 ? -E2BIG : 0))
			scx_bpf_error("update %d: %lld", key, code);
	}
	if (bpf_for_each_map_elem(&queued_at, sum, &total, 0) != 64 || total != 63 * 64 / 2)
		scx_bpf_error("a hash has all that was put there: %llu", total);
	bpf_for(i, 0, 64)
	{
		s32 key = -(s32)i;
		if (bpf_map_delete_elem(&queued_at, &key) || bpf_map_lookup_elem(&queued_at, &key))
			scx_bpf_error("delete %d", key);
	}
	return 0;
}

SCX_OPS_DEFINE(queues_ops, .enqueue = (void *)queues_enqueue, .dispatch = (void *)queues_dispatch,
	       .stopping = (void *)queues_stopping, .init_task = (void *)queues_init_task, .init = (void *)queues_init,
	       .timeout_ms = 5000, .name = "queues");
