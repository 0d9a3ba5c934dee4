/* Threads move for the sake of moving: what that costs, and what a chip gives to a scheduler that knows nothing of it.
 *
 * Every N timesteps (one more than the inertia: as often as an inert thread could move) each core's turn comes,
 * in index order. Its head draws one of the cores on which it may run, its own among them: it moves there if that core
 * is idle, and trades places with its head otherwise, unless that one has already moved in this pass or may not run
 * here.
 *
 * Does badly: wherever a migration costs something, since where it brings a thread has nothing to do with what that
 * needs; where none does it gives every thread a little of every core. With queues only heads are moved, and it may be
 * the same ones each time.
 */
#include "cores/chip/core.h"
#include "sched/policies/policies.h"
#include "sched/policies/tenants.h"

struct random {
	u64 next;	       /* time of the next pass that moves */
	s32 tenant[MAX_CORES]; /* by core: the first one of its tenant */
	u64 rng[MAX_CORES];    /* by the first core of a tenant: where its random numbers stand */
};

struct random_task {
	u64 moved; /* time of the pass in which it last moved: never 0 */
};

/* A number below `end`. The tenant of the first core draws from the simulator, every other one from its own splitmix64
 * (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014): none notices how often others draw. */
static u64 draw_below(s32 tenant, u64 end)
{
	struct random *st = sahm_state();
	if (tenant == 0)
		return sahm_random(end);
	u64 z = st->rng[tenant] += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return ((z ^ (z >> 31)) >> 32) * end >> 32;
}

/* One of the cores on which `p` may run. */
static s32 draw(const struct task_struct *p, s32 tenant)
{
	u64 nr = draw_below(tenant, (u64)p->nr_cpus_allowed);
	u32 nr_cores = scx_bpf_nr_cpu_ids();
	if ((u32)p->nr_cpus_allowed == nr_cores)
		return (s32)nr;
	for (u32 c = 0; c < nr_cores; c++)
		if (bpf_cpumask_test_cpu(c, p->cpus_ptr) && nr-- == 0)
			return (s32)c;
	return scx_bpf_task_cpu(p);
}

static bool has_moved(const struct task_struct *p, u64 now)
{
	const struct random_task *t = sahm_task_state(p);
	return t->moved == now;
}

static void note_move(const struct task_struct *p, u64 now)
{
	struct random_task *t = sahm_task_state(p);
	t->moved = now;
}

static void take_turn(struct task_struct *p, s32 cpu, u64 now)
{
	const struct random *st = sahm_state();
	s32 to = draw(p, st->tenant[cpu]);
	struct task_struct *other = sahm_head(to);
	if (to == cpu || (other && has_moved(other, now)))
		return;
	if (!(other ? sahm_swap(p, other) : sahm_move(p, to)))
		return;
	note_move(p, now);
	if (other)
		note_move(other, now);
}

static u64 pass(u64 now)
{
	struct random *st = sahm_state();
	u64 period_ns = sahm_scale(sahm_timestep_ns(), (u64)sahm_inertia() + 1, 1);
	if (now >= st->next && now > 0)
		for (u32 c = 0; c < scx_bpf_nr_cpu_ids(); c++) {
			struct task_struct *p = sahm_head((s32)c);
			if (p && !has_moved(p, now))
				take_turn(p, (s32)c, now);
		}
	if (now >= st->next)
		st->next = period_ns < UINT64_MAX - now ? now + period_ns : SAHM_WHEN_CHANGED;
	return st->next;
}

static void set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct random *st = sahm_state();
	(void)cpumask;
	tenants_link(st->tenant, p);
}

static s32 init(void)
{
	struct random *st = sahm_state();
	u32 nr_cores = scx_bpf_nr_cpu_ids();
	bool are_several = false;
	tenants_init(st->tenant);
	for (u32 i = 0; i < sahm_nr_tasks(); i++)
		are_several |= (u32)sahm_task(i)->nr_cpus_allowed < nr_cores;
	/* Where there is one tenant, its numbers are the simulator's from the first on. */
	u64 seed = are_several ? sahm_random(UINT64_MAX) : 0;
	for (u32 c = 0; c < nr_cores; c++)
		st->rng[c] = seed ^ (u64)c << 32;
	return 0;
}

extern const struct sched_ext_ops sched_policy_random;
const struct sched_ext_ops sched_policy_random = {
	.name = "random",
	.summary = "threads move to random cores: shows the cost of pointless moves",
	.init = init,
	.set_cpumask = set_cpumask,
	.sahm_pass = pass,
	.sahm_state_bytes = sizeof(struct random),
	.sahm_task_state_bytes = sizeof(struct random_task),
};
