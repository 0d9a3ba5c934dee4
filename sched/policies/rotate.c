/* Every thread moves on to the next core that it may run on, again and again: the same share of every core for
 * everybody.
 *
 * All threads of a tenant, those that wait included, move at once, each paying for one move; where all may run
 * everywhere, whole queues go round in their order. They stay for one timestep more than the inertia, or for as much
 * longer as it takes each thread of every queue of the tenant to get the same number of turns.
 *
 * Does badly: wherever a thread knows what it wants: it is on the best core no longer than on the worst. With sets of
 * cores that differ, threads meet, and there are queues beside idle cores. With very uneven queues the turns on a core
 * are not quite the same for all; a sleeping thread is left out.
 */
#include "cores/chip/core.h"
#include "sched/policies/policies.h"
#include "sched/policies/tenants.h"

struct rotate {
	s32 tenant[MAX_CORES]; /* by core: the first one of its tenant */
	/* By the first core of a tenant: */
	u64 next[MAX_CORES]; /* time of the next pass that moves */
	u64 lap[MAX_CORES];  /* timesteps until each thread of every queue has had the same number of turns */
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

/* Lets the laps of the tenants that are due be multiples of the lengths of all their queues. */
static void find_laps(struct rotate *st, u64 now)
{
	u32 nr_cores = scx_bpf_nr_cpu_ids();
	for (u32 c = 0; c < nr_cores; c++)
		st->lap[c] = 1;
	for (u32 c = 0; c < nr_cores; c++) {
		s32 tenant = st->tenant[c];
		u64 nr = sahm_nr_on((s32)c), lap = st->lap[tenant];
		if (nr > 1 && now >= st->next[tenant] && lap <= TOP_STAY)
			st->lap[tenant] = lap / greatest_common_divisor(lap, nr) * nr;
	}
}

/* Timesteps until the next rotation: above the inertia, and a multiple of the lap unless that is too long. */
static u64 stay(u64 lap)
{
	u64 least = (u64)sahm_inertia() + 1;
	return lap > TOP_STAY ? least : (least + lap - 1) / lap * lap;
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
	u32 nr_cores = scx_bpf_nr_cpu_ids();
	u64 first = SAHM_WHEN_CHANGED;
	for (u32 c = 0; c < nr_cores && now > 0; c++)
		if (now >= st->next[st->tenant[c]])
			move_all((s32)c, now);
	find_laps(st, now);
	for (s32 c = 0; c < (s32)nr_cores; c++) {
		if (st->tenant[c] != c)
			continue;
		if (now >= st->next[c]) {
			u64 stay_ns = sahm_scale(sahm_timestep_ns(), stay(st->lap[c]), 1);
			st->next[c] = stay_ns < UINT64_MAX - now ? now + stay_ns : SAHM_WHEN_CHANGED;
		}
		first = st->next[c] < first ? st->next[c] : first;
	}
	return first;
}

static void set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct rotate *st = sahm_state();
	(void)cpumask;
	tenants_link(st->tenant, p);
}

static s32 init(void)
{
	struct rotate *st = sahm_state();
	tenants_init(st->tenant);
	return 0;
}

extern const struct sched_ext_ops sched_policy_rotate;
const struct sched_ext_ops sched_policy_rotate = {
	.name = "rotate",
	.summary = "threads rotate: each gets an equal share of every core",
	.init = init,
	.set_cpumask = set_cpumask,
	.sahm_pass = pass,
	.sahm_state_bytes = sizeof(struct rotate),
	.sahm_task_state_bytes = sizeof(struct rotate_task),
};
