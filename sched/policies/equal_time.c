/* Equal time: every thread gets the same share of its time on each kind of core.
 *
 * Model. A round comes every ROUND_PERIODS x (inertia + 1) timesteps. A thread counts the rounds that find it on each
 * kind; divided by the number of cores of that kind, these should be equal. The two threads trade places that would
 * come nearest to that together, then the next two (exchange.h). Threads that wait in a queue count as those that run,
 * since they take turns.
 *
 * Source: K. Van Craeynest, S. Akram, W. Heirman, A. Jaleel, L. Eeckhout, Fairness-Aware Scheduling on Single-ISA
 * Heterogeneous Multi-Cores, PACT 2013 (equal-time scheduling, as its abstract describes it).
 * Different from it: any number of kinds, with any number of cores; threads with separate sets of cores get equal
 * shares of those.
 *
 * Does badly: wherever threads need different cores: it serves them no more often than chance. With dear migrations,
 * since it moves nearly everybody in each round. Equal time is equal progress only for threads that gain alike.
 */
#include <errno.h>

#include "sched/policies/exchange.h"
#include "sched/policies/policies.h"

#define ROUND_PERIODS 10u
/* Rounds per core are in this number of parts. */
#define WHOLE (UINT64_C(1) << 16)

struct equal_time {
	struct exchange exchange;
	u32 *rounds; /* [nr_tasks][nr_kinds] */
};

struct equal_time_task {
	u32 *rounds; /* [nr_kinds] */
};

static s64 time_in(const struct exchange *x, const struct equal_time_task *t, u32 class)
{
	return (s64)(t->rounds[x->kind_of[x->class_first[class]]] * WHOLE / x->capacity[class]);
}

static s64 score(const struct exchange *x, const void *task, u32 from, u32 to)
{
	return time_in(x, task, from) - time_in(x, task, to);
}

static void update(const struct task_struct *p)
{
	const struct equal_time *st = sahm_state();
	struct equal_time_task *t = sahm_task_state(p);
	t->rounds = st->rounds + (size_t)(p->pid - 1) * st->exchange.nr_kinds;
	t->rounds[st->exchange.kind_of[scx_bpf_task_cpu(p)]] += scx_bpf_now() > 0;
}

static s32 init(void)
{
	static const struct exchange_rule rule = {
		.periods = ROUND_PERIODS, .take = score, .give = score, .update = update};
	struct equal_time *st = sahm_state();
	s32 error = exchange_init(&rule);
	if (error < 0)
		return error;
	st->rounds =
		arena_alloc(&st->exchange.arena, (size_t)sahm_nr_tasks() * st->exchange.nr_kinds, sizeof(*st->rounds));
	return st->rounds ? 0 : -ENOMEM;
}

extern const struct sched_ext_ops sched_policy_equal_time;
const struct sched_ext_ops sched_policy_equal_time = {
	.name = "equal-time",
	.summary = "every thread spends the same share of its time on each kind of core (PACT 2013)",
	.init = init,
	.exit = exchange_exit,
	.set_cpumask = exchange_set_cpumask,
	.sahm_pass = exchange_pass,
	.sahm_state_bytes = sizeof(struct equal_time),
	.sahm_task_state_bytes = sizeof(struct equal_time_task),
};
