/* Equal progress: the thread that is slowed down most gets the core that it needs.
 *
 * Model. A round comes every inertia + 1 timesteps. A thread's progress is the work that it got done, divided by the
 * work of a thread that always runs on the best core that it may use, both estimated from its observed states and the
 * speedups of cores; of several threads on a core each gets an equal part. Of all pairs in which the taker is faster on
 * the giver's core, those trade places whose progress differs most, as long as that is more than MARGIN (exchange.h);
 * where the giver gains too, or the core is idle, progress does not matter.
 *
 * Source: K. Van Craeynest, S. Akram, W. Heirman, A. Jaleel, L. Eeckhout, Fairness-Aware Scheduling on Single-ISA
 * Heterogeneous Multi-Cores, PACT 2013 (equal-progress scheduling, as its abstract describes it).
 * Different from it: the paper compares with a thread on a big core; here the best core changes with a thread's state.
 * The speedups of states take the place of its estimates.
 *
 * Does badly: for throughput. Where one thread gains much and others little, they take turns on the good core; and
 * progress is that of the whole run, so a thread that has been served well gives its core up to one that gains no more.
 * It ignores what migrations cost, in its choice and in its estimate of progress.
 */
#include "sched/policies/exchange.h"
#include "sched/policies/policies.h"

/* Progress, and units of time in a timestep: both independent of how long a timestep is. */
#define WHOLE INT64_C(1000000)
#define UNITS (UINT64_C(1) << 20)
/* Progress must differ by more than this part of WHOLE. */
#define MARGIN 10000
/* Sums are halved before they overflow. */
#define TOP_SUM (UINT64_C(1) << 62)

struct progress_task {
	struct exchange_stretch stretch;
	u64 done, possible; /* units of time x millionths of baseline speed */
	s64 progress;	    /* of WHOLE, as of this round */
};

static bool gains(const struct exchange *x, const struct progress_task *t, u32 from, u32 to)
{
	u32 state = t->stretch.state;
	return t->stretch.is_observed && exchange_speedups(x, to)[state] > exchange_speedups(x, from)[state];
}

static s64 take(const struct exchange *x, const void *task, u32 from, u32 to)
{
	const struct progress_task *t = task;
	return gains(x, t, from, to) ? -t->progress - MARGIN : EXCHANGE_NEVER;
}

static s64 give(const struct exchange *x, const void *task, u32 from, u32 to)
{
	const struct progress_task *t = task;
	return t->progress + (gains(x, t, from, to) ? 2 * WHOLE : 0);
}

static s32 best_ppm(const struct exchange *x, const struct task_struct *p, u32 state)
{
	s32 best = INT32_MIN;
	for (u32 k = 0; k < x->nr_classes; k++)
		if (exchange_speedups(x, k)[state] > best && exchange_may_run(x, p, k))
			best = exchange_speedups(x, k)[state];
	return best;
}

static void account(const struct task_struct *p, u64 ns)
{
	const struct exchange *x = sahm_state();
	struct progress_task *t = sahm_task_state(p);
	s32 cpu = scx_bpf_task_cpu(p);
	u64 units = sahm_scale(ns, UNITS, sahm_timestep_ns());
	if (units == 0 || x->nr_classes == 0)
		return;
	u32 state = t->stretch.state;
	s32 ppm = exchange_speedups(x, x->class_of[cpu])[state];
	u32 nr = sahm_nr_on(cpu);
	t->done += sahm_scale(units, (u64)(1000000 + ppm), nr > 1 ? nr : 1);
	t->possible += units * (u64)(1000000 + best_ppm(x, p, state));
	if (t->possible > TOP_SUM) {
		t->done /= 2;
		t->possible /= 2;
	}
}

static void update(const struct task_struct *p)
{
	struct progress_task *t = sahm_task_state(p);
	t->progress = t->possible ? (s64)sahm_scale(t->done, (u64)WHOLE, t->possible) : WHOLE;
}

static s32 init(void)
{
	static const struct exchange_rule rule = {
		.periods = 1,
		.take = take,
		.give = give,
		.idle = 4 * WHOLE,
		.account = account,
		.update = update,
	};
	return exchange_init(&rule);
}

extern const struct sched_ext_ops sched_policy_equal_progress;
const struct sched_ext_ops sched_policy_equal_progress = {
	.name = "equal-progress",
	.summary = "the thread that is slowed down most gets the core that it needs (PACT 2013)",
	.init = init,
	.exit = exchange_exit,
	.runnable = exchange_runnable,
	.quiescent = exchange_quiescent,
	.set_cpumask = exchange_set_cpumask,
	.sahm_observed = exchange_observed,
	.sahm_pass = exchange_pass,
	.sahm_state_bytes = sizeof(struct exchange),
	.sahm_task_state_bytes = sizeof(struct progress_task),
};
