/* Performance impact estimation: what has been observed of a thread on its present core says how fast it would be on
 * each other kind of core, and the two threads trade places that gain most by that together.
 *
 * Model. A round comes every inertia + 1 timesteps. A thread's estimate for a kind of core is the mean of the kind's
 * speedups in the states in which the thread was observed since the last round, weighted by time; one that was not
 * observed keeps its estimate. The pair with the largest sum of gains trades places, then the next (exchange.h).
 *
 * Source: K. Van Craeynest, A. Jaleel, L. Eeckhout, P. Narvaez, J. Emer, Scheduling Heterogeneous Multi-Cores through
 * Performance Impact Estimation (PIE), ISCA 2012 (dynamic PIE, as its abstract describes it).
 * Different from it: the paper estimates from a CPI stack and profiles of memory-level and instruction-level
 * parallelism; here a core's speedup depends only on the state, so the share of the states takes their place, and the
 * estimate has no error but age. The paper has two kinds of cores, here there are any number. Several pairs may trade
 * in a round.
 *
 * Does badly: where a migration costs more than a state lasts, since it does not weigh costs, unless inertia slows it
 * down; right after a change of state, since the estimate is a mean over the time before; where only a chain of three
 * threads gains.
 */
#include "sched/policies/exchange.h"
#include "sched/policies/policies.h"

/* Shares of states are in this number of parts. */
#define WHOLE (UINT64_C(1) << 20)

struct pie_task {
	struct exchange_stretch stretch;
	u64 ns[NR_STATES];     /* observed since the last round */
	u32 weight[NR_STATES]; /* the estimate: share of the states, of WHOLE */
	u32 seen, has_weight;  /* states with ns, with weight: a bit each */
};

static s64 estimate(const struct exchange *x, const struct pie_task *t, u32 class)
{
	const s32 *ppm = exchange_speedups(x, class);
	s64 sum = 0;
	for (u32 left = t->has_weight; left; left &= left - 1) {
		u32 state = (u32)__builtin_ctz(left);
		sum += (s64)t->weight[state] * ppm[state];
	}
	return sum;
}

static s64 gain(const struct exchange *x, const void *task, u32 from, u32 to)
{
	const struct pie_task *t = task;
	return estimate(x, t, to) - estimate(x, t, from);
}

static void account(const struct task_struct *p, u64 ns)
{
	struct pie_task *t = sahm_task_state(p);
	t->ns[t->stretch.state] += ns;
	t->seen |= 1u << t->stretch.state;
}

/* Takes the estimate from what was observed since the last one. */
static void update(const struct task_struct *p)
{
	struct pie_task *t = sahm_task_state(p);
	u64 sum = 0;
	for (u32 left = t->seen; left; left &= left - 1)
		sum += t->ns[__builtin_ctz(left)];
	if (sum == 0)
		return;
	for (u32 left = t->seen; left; left &= left - 1) {
		u32 state = (u32)__builtin_ctz(left);
		t->weight[state] = (u32)(t->ns[state] == sum ? WHOLE : sahm_scale(t->ns[state], WHOLE, sum));
		t->ns[state] = 0;
	}
	t->has_weight = t->seen;
	t->seen = 0;
}

static s32 init(void)
{
	static const struct exchange_rule rule = {
		.periods = 1, .take = gain, .give = gain, .account = account, .update = update};
	return exchange_init(&rule);
}

extern const struct sched_ext_ops sched_policy_pie;
const struct sched_ext_ops sched_policy_pie = {
	.name = "pie",
	.summary = "estimates each thread's speed on other kinds of cores, swaps the pair that gains most (ISCA 2012)",
	.init = init,
	.exit = exchange_exit,
	.runnable = exchange_runnable,
	.quiescent = exchange_quiescent,
	.set_cpumask = exchange_set_cpumask,
	.sahm_observed = exchange_observed,
	.sahm_pass = exchange_pass,
	.sahm_state_bytes = sizeof(struct exchange),
	.sahm_task_state_bytes = sizeof(struct pie_task),
};
