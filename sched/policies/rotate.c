/* Every thread moves on to the next core that it may run on, again and again: the same share of every core for
 * everybody.
 *
 * All threads, those that wait included, move at once, each paying for one move; where all may run everywhere, whole
 * queues go round in their order. They stay for one timestep more than the inertia, or for as much longer as it takes
 * each thread of every queue to get the same number of turns.
 *
 * Does badly: wherever a thread knows what it wants: it is on the best core no longer than on the worst. With sets of
 * cores that differ, threads meet, and there are queues beside idle cores. With very uneven queues the turns on a core
 * are not quite the same for all; a sleeping thread is left out.
 */
#include "sched/policies/policies.h"

struct rotate {
	u64 next; /* time of the next pass that moves */
};

struct rotate_task {
	u64 moved; /* time of the pass in which it last moved: never 0 */
};

/* Longest stay for the sake of equal turns, in timesteps. */
#define TOP_STAY 10000u

static u64 greatest_common_divisor(u64 a, u64 b)
{
	while (b) {
		u64 rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Timesteps until the next rotation: above the inertia, and a multiple of the length of every queue unless that is too
 * much. */
static u64 stay(void)
{
	u64 lap = 1, least = (u64)sahm_inertia() + 1;
	for (u32 c = 0; c < scx_bpf_nr_cpu_ids(); c++) {
		u64 nr = sahm_nr_on((s32)c);
		if (nr > 1)
			lap = lap / greatest_common_divisor(lap, nr) * nr;
		if (lap > TOP_STAY)
			return least;
	}
	return (least + lap - 1) / lap * lap;
}

/* The next core after `cpu` on which `p` may run; `cpu` if there is no other. */
static s32 next_core(const struct task_struct *p, s32 cpu)
{
	u32 nr_cores = scx_bpf_nr_cpu_ids(), c = (u32)cpu;
	do
		c = c + 1 < nr_cores ? c + 1 : 0;
	while (c != (u32)cpu && !bpf_cpumask_test_cpu(c, p->cpus_ptr));
	return (s32)c;
}

static void move_all(s32 cpu, u64 now)
{
	for (struct task_struct *p = sahm_head(cpu), *next; p; p = next) {
		struct rotate_task *t = sahm_task_state(p);
		next = sahm_next(p);
		/* the thread from the previous core is next */
		if (t->moved != now && sahm_move(p, next_core(p, cpu)))
			t->moved = now;
	}
}

static u64 pass(u64 now)
{
	struct rotate *st = sahm_state();
	if (now < st->next)
		return st->next;
	for (u32 c = 0; c < scx_bpf_nr_cpu_ids() && now > 0; c++)
		move_all((s32)c, now);
	u64 stay_ns = sahm_scale(sahm_timestep_ns(), stay(), 1);
	st->next = stay_ns < UINT64_MAX - now ? now + stay_ns : SAHM_WHEN_CHANGED;
	return st->next;
}

extern const struct sched_ext_ops sched_policy_rotate;
const struct sched_ext_ops sched_policy_rotate = {
	.name = "rotate",
	.summary = "threads rotate: each gets an equal share of every core",
	.sahm_pass = pass,
	.sahm_state_bytes = sizeof(struct rotate),
	.sahm_task_state_bytes = sizeof(struct rotate_task),
};
