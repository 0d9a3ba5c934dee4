/* Bias scheduling: a thread is biased towards the kinds of cores that help against its stalls, and balancing the load
 * follows that.
 *
 * Model. A round comes every inertia + 1 timesteps. A thread whose last stretch stalled outside the core, on the L2, is
 * biased towards the kinds that are faster in state L2; one that stalled inside it (branches, L1I, L1D) towards the
 * kinds that are faster in its state; one in Low is not biased. Where the load differs, a core takes, from the longest
 * queue, a thread that gets a bias by that, else one that keeps what it has, else any (exchange.h). Where the load is
 * even, two threads trade places if at least one gets to a kind towards which it is biased and neither loses one.
 *
 * Source: D. Koufaty, D. Reddy, S. Hahn, Bias Scheduling in Heterogeneous Multi-Core Architectures, EuroSys 2010 (its
 * abstract: the bias is the kind of core that suits a thread; only load balancing is changed).
 * Different from it: the paper measures stalls, and has big and small cores; here the observed state says where a
 * thread stalls, and there are any number of kinds. The paper's thresholds are not taken over.
 *
 * Does badly: where kinds differ in how much they help, since a bias has no size (a core of 5 % is as good as one of
 * 60 %); with threads that stall on the L2 and elsewhere, where only cores against the other stalls are left; where a
 * migration costs more than a state lasts, unless inertia slows it down.
 */
#include "sched/policies/exchange.h"
#include "sched/policies/policies.h"

struct bias_task {
	u32 stalls; /* the state against whose stalls a core should help; STATE_NONE: none observed */
};

static bool is_biased(const struct exchange *x, const struct bias_task *t, u32 class)
{
	return t->stalls != STATE_NONE && t->stalls != STATE_LOW && exchange_speedups(x, class)[t->stalls] > 0;
}

static s64 score(const struct exchange *x, const void *task, u32 from, u32 to)
{
	bool is_here = is_biased(x, task, from), is_there = is_biased(x, task, to);
	return is_here && !is_there ? EXCHANGE_NEVER : is_there - is_here;
}

static void update(const struct task_struct *p)
{
	static const u32 outside = 1u << COMPONENT_L2;
	struct bias_task *t = sahm_task_state(p);
	u32 state = sahm_observed_state(p);
	t->stalls = state != STATE_NONE && state & outside ? outside : state;
}

static s32 init(void)
{
	static const struct exchange_rule rule = {.periods = 1, .take = score, .give = score, .update = update};
	return exchange_init(&rule);
}

extern const struct sched_ext_ops sched_policy_bias;
const struct sched_ext_ops sched_policy_bias = {
	.name = "bias",
	.summary = "balances loads by which kind of core helps against a thread's stalls (EuroSys 2010)",
	.init = init,
	.exit = exchange_exit,
	.set_cpumask = exchange_set_cpumask,
	.sahm_pass = exchange_pass,
	.sahm_state_bytes = sizeof(struct exchange),
	.sahm_task_state_bytes = sizeof(struct bias_task),
};
