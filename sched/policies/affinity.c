/* Every thread is pinned to the core that is best for it on the average of its whole trace, which no scheduler could
 * know: the most that placing threads once can give.
 *
 * The threads that arrive together are placed together, those before them stay where they are: first so that the
 * numbers of threads per core differ as little as they can, then with the largest sum of speedups (a thread's is that
 * of its trace from end to end). The assignment is exact: thread after thread comes in along the cheapest chain of
 * others that make room (successive shortest paths), up to a number of threads at a time; more are placed in portions.
 * A thread that does not arrive on its core pays for the one move that brings it there.
 *
 * Does badly: with threads that change what they stress, since only a part of their time can be spent on the right
 * core; with threads that leave, since those that stay do not fill the gap; with threads that sleep, since they count
 * as much as those that never do.
 */
#include "cores/chip/core.h"
#include "sched/policies/policies.h"
#include "sched/policies/tenants.h"

#define TOP_GAINS 32768u /* threads placed at a time, times cores */
#define TOP_BATCH 1024u	 /* threads placed at a time */

#define ALL_TENANTS (-1)
#define NOT_ALLOWED INT32_MIN
#define UNREACHED INT64_MAX
/* One more thread on a core outweighs all speedups. */
#define LEVEL (INT64_C(1) << 41)
#define ONE_PPM 1000000u

struct affinity {
	s32 tenant[MAX_CORES]; /* by core: the first one of its tenant */
	u32 nr_unplaced;       /* arrived, not yet placed */
	u32 load[MAX_CORES];   /* threads placed on a core */
	s64 cost[MAX_CORES];   /* of the cheapest chain that ends on a core; below, UNREACHED */
	u32 comes[MAX_CORES];  /* the thread that it brings there */
	s32 gain[TOP_GAINS];   /* by thread, then core: speedup in ppm, or NOT_ALLOWED */
	struct task_struct *batch[TOP_BATCH];
	u32 core[TOP_BATCH];
};

struct affinity_task {
	bool is_known, is_placed;
	u32 core;
};

/* Speedup in ppm of a trace, of which `share` says what part each state has, in ppm, from end to end on core `cpu`. */
static s32 speedup(const u64 share[NR_STATES], s32 cpu)
{
	u64 time = 0;
	for (u32 s = 0; s < NR_STATES; s++)
		if (share[s])
			time += share[s] * (UINT64_C(1000000000000) / (u64)(ONE_PPM + (s64)sahm_speedup_ppm(cpu, s)));
	/* millionths of millionths of the time on the baseline core, so below, in millionths of that, its inverse */
	u64 rate = sahm_scale(UINT64_C(1000000000000), ONE_PPM, time);
	return (s32)((s64)rate - ONE_PPM);
}

static void find_gains(const struct task_struct *p, s32 *gain, u32 nr_cores)
{
	u64 share[NR_STATES], whole = 0;
	for (u32 s = 0; s < NR_STATES; s++)
		whole += sahm_trace_epochs(p, s);
	for (u32 s = 0; s < NR_STATES; s++)
		share[s] = sahm_scale(sahm_trace_epochs(p, s), ONE_PPM, whole);
	for (u32 c = 0; c < nr_cores; c++)
		gain[c] = bpf_cpumask_test_cpu(c, p->cpus_ptr) ? speedup(share, (s32)c) : NOT_ALLOWED;
}

/* Lets the chain that ends on a core go on, thread `i` of the batch going from there to another. */
static bool extend_chains(struct affinity *st, u32 i, u32 nr_cores)
{
	const s32 *gain = &st->gain[i * nr_cores];
	s64 so_far = st->cost[st->core[i]];
	bool extends = false;
	if (so_far == UNREACHED)
		return false;
	so_far += gain[st->core[i]];
	for (u32 c = 0; c < nr_cores; c++) {
		if (gain[c] == NOT_ALLOWED || so_far - gain[c] >= st->cost[c])
			continue;
		st->cost[c] = so_far - gain[c];
		st->comes[c] = i;
		extends = true;
	}
	return extends;
}

/* Inserts thread `i` of the batch after those before it. */
static void insert_thread(struct affinity *st, u32 i, u32 nr_cores)
{
	u32 end = 0;
	bool extends = true;
	for (u32 c = 0; c < nr_cores; c++) {
		s32 gain = st->gain[i * nr_cores + c];
		st->cost[c] = gain == NOT_ALLOWED ? UNREACHED : -(s64)gain;
		st->comes[c] = i;
	}
	while (extends) {
		extends = false;
		for (u32 j = 0; j < i; j++)
			extends |= extend_chains(st, j, nr_cores);
	}
	s64 least = UNREACHED;
	for (u32 c = 0; c < nr_cores; c++) {
		if (st->cost[c] == UNREACHED || st->cost[c] + st->load[c] * LEVEL >= least)
			continue;
		least = st->cost[c] + st->load[c] * LEVEL;
		end = c;
	}
	st->load[end]++;
	for (u32 c = end, j = st->comes[c];; j = st->comes[c]) {
		u32 from = st->core[j];
		st->core[j] = c;
		if (j == i)
			break;
		c = from;
	}
}

static void place(struct affinity *st, u32 nr, u32 nr_cores)
{
	for (u32 i = 0; i < nr; i++) {
		find_gains(st->batch[i], &st->gain[i * nr_cores], nr_cores);
		insert_thread(st, i, nr_cores);
	}
	for (u32 i = 0; i < nr; i++) {
		struct affinity_task *t = sahm_task_state(st->batch[i]);
		s32 cpu = (s32)st->core[i];
		t->core = st->core[i];
		t->is_placed = scx_bpf_task_cpu(st->batch[i]) == cpu || sahm_move(st->batch[i], cpu);
		if (t->is_placed)
			st->nr_unplaced--;
		else
			st->load[t->core]--;
	}
}

/* Places the threads of a tenant, or of all, in portions of `top`. */
static void place_tenant(struct affinity *st, s32 tenant, u32 top)
{
	u32 nr = 0, nr_cores = scx_bpf_nr_cpu_ids();
	for (u32 i = 0; i < sahm_nr_tasks(); i++) {
		struct task_struct *p = sahm_task(i);
		const struct affinity_task *t = sahm_task_state(p);
		if (!t->is_known || t->is_placed || !sahm_is_runnable(p) ||
		    (tenant != ALL_TENANTS && st->tenant[scx_bpf_task_cpu(p)] != tenant))
			continue;
		st->batch[nr++] = p;
		if (nr == top) {
			place(st, nr, nr_cores);
			nr = 0;
		}
	}
	place(st, nr, nr_cores);
}

/* Tenants are placed together where one portion holds them all, since nothing of one depends on another then. */
static u64 pass(u64 now)
{
	struct affinity *st = sahm_state();
	u32 nr_cores = scx_bpf_nr_cpu_ids(), top = TOP_GAINS / nr_cores;
	(void)now;
	top = top < TOP_BATCH ? top : TOP_BATCH;
	if (st->nr_unplaced > 0 && st->nr_unplaced <= top) {
		place_tenant(st, ALL_TENANTS, top);
		return SAHM_WHEN_CHANGED;
	}
	for (s32 c = 0; c < (s32)nr_cores && st->nr_unplaced > 0; c++)
		if (st->tenant[c] == c)
			place_tenant(st, c, top);
	return SAHM_WHEN_CHANGED;
}

static void runnable(struct task_struct *p, u64 enq_flags)
{
	struct affinity *st = sahm_state();
	struct affinity_task *t = sahm_task_state(p);
	(void)enq_flags;
	st->nr_unplaced += !t->is_known;
	t->is_known = true;
}

static void exit_task(struct task_struct *p, struct scx_exit_task_args *args)
{
	struct affinity *st = sahm_state();
	struct affinity_task *t = sahm_task_state(p);
	(void)args;
	if (t->is_placed)
		st->load[t->core]--;
	else if (t->is_known)
		st->nr_unplaced--;
	t->is_known = false;
}

static void set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct affinity *st = sahm_state();
	(void)cpumask;
	tenants_link(st->tenant, p);
}

static s32 init(void)
{
	struct affinity *st = sahm_state();
	tenants_init(st->tenant);
	return 0;
}

extern const struct sched_ext_ops sched_policy_affinity;
const struct sched_ext_ops sched_policy_affinity = {
	.name = "affinity",
	.summary = "threads are pinned to the core that is best for their whole trace",
	.init = init,
	.set_cpumask = set_cpumask,
	.runnable = runnable,
	.exit_task = exit_task,
	.sahm_pass = pass,
	.sahm_state_bytes = sizeof(struct affinity),
	.sahm_task_state_bytes = sizeof(struct affinity_task),
};
