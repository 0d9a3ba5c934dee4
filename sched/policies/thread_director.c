/* As with Intel's Thread Director: hardware classifies threads, a table says what each kind of core can do for each
 * class, and both come to the scheduler late, coarse and with errors.
 *
 * Model. A round comes every inertia + 1 timesteps. A thread's hardware class is the outermost component that it
 * stresses, or that it stresses none. A kind of core has, for each class, a capability from 0 to 255 for performance
 * (its speed in the state of that component, a core twice as fast as the baseline having 254) and one for efficiency,
 * which breaks ties: kinds that are fast for few classes are taken to be efficient. A class is seen one round late, and
 * of the states of a thread one in WRONG_ONE_IN is classified wrongly, as long as it lasts. The pair with the largest
 * sum of capability trades places, then the next (exchange.h).
 *
 * The errors follow from the states that a thread has been in, so that they do not depend on other threads; two threads
 * with the same past are misjudged in the same way.
 *
 * Source: Linux, Documentation/arch/x86/intel-hfi.rst (a capability from 0 to 255 for performance and one for energy
 * efficiency for each CPU, which may change every tens of milliseconds); patch series "classes of tasks", R. Neri, 2022
 * (a capability for each class). The classes, the delay and the rate of errors are assumptions: none are published.
 *
 * Does badly: with states that last no longer than two rounds; with threads that stress several components, since only
 * one of them makes the class; with states that last long, since one that is classified wrongly stays so until its end;
 * where a migration costs more than a state lasts, unless inertia slows it down.
 */
#include <errno.h>

#include "sched/policies/exchange.h"
#include "sched/policies/policies.h"

#define NR_CLASSES (1u + NR_COMPONENTS)
#define TOP_CAPABILITY 255u
/* For performance, of a baseline core: not relative to the fastest core, which may be another tenant's. */
#define BASE_CAPABILITY 127u
#define WRONG_ONE_IN 8u

/* Of a kind of core, by class. */
struct capability {
	u8 performance[NR_CLASSES], efficiency[NR_CLASSES];
};

struct thread_director {
	struct exchange exchange;
	struct capability *table; /* [nr_kinds] */
};

struct director_task {
	u64 past; /* hash of its states */
	u32 class;
	u32 late_class; /* as of the last round */
	u32 seen_class; /* what the scheduler sees */
};

static u32 class_of(u32 state)
{
	u32 class = 0;
	for (; state; state >>= 1)
		class ++;
	return class;
}

static const struct capability *capability_of(const struct exchange *x, u32 class)
{
	const struct thread_director *st = sahm_state();
	return &st->table[x->kind_of[x->class_first[class]]];
}

static s64 score(const struct exchange *x, const void *task, u32 from, u32 to)
{
	const struct director_task *t = task;
	const struct capability *here = capability_of(x, from), *there = capability_of(x, to);
	s64 performance = there->performance[t->seen_class] - here->performance[t->seen_class];
	s64 efficiency = there->efficiency[t->seen_class] - here->efficiency[t->seen_class];
	return performance * (2 * TOP_CAPABILITY + 1) + efficiency;
}

static void update(const struct task_struct *p)
{
	struct director_task *t = sahm_task_state(p);
	t->seen_class = t->late_class;
	t->late_class = t->class;
}

static void observed(struct task_struct *p, u32 state)
{
	struct director_task *t = sahm_task_state(p);
	t->past = (t->past ^ (state + 1)) * UINT64_C(0x9e3779b97f4a7c15);
	u32 draw = (u32)(t->past >> 32);
	t->class = class_of(state);
	if (draw % WRONG_ONE_IN == 0)
		t->class = (t->class + 1 + draw / WRONG_ONE_IN % (NR_CLASSES - 1)) % NR_CLASSES;
}

static void fill(struct thread_director *st)
{
	const struct exchange *x = &st->exchange;
	for (u32 k = 0; k < x->nr_kinds; k++) {
		u32 sum = 0;
		for (u32 class = 0; class < NR_CLASSES; class ++) {
			u32 state = class ? 1u << (class - 1) : STATE_LOW;
			u64 speed = (u64)(1000000 + x->speedup_ppm[k * NR_STATES + state]);
			u64 performance = speed * BASE_CAPABILITY / 1000000;
			st->table[k].performance[class] =
				(u8)(performance < TOP_CAPABILITY ? performance : TOP_CAPABILITY);
			sum += st->table[k].performance[class];
		}
		for (u32 class = 0; class < NR_CLASSES; class ++)
			st->table[k].efficiency[class] = (u8)(TOP_CAPABILITY - sum / NR_CLASSES);
	}
}

static s32 init(void)
{
	static const struct exchange_rule rule = {.periods = 1, .take = score, .give = score, .update = update};
	struct thread_director *st = sahm_state();
	s32 error = exchange_init(&rule);
	if (error < 0)
		return error;
	st->table = arena_alloc(&st->exchange.arena, st->exchange.nr_kinds, sizeof(*st->table));
	if (!st->table)
		return -ENOMEM;
	fill(st);
	return 0;
}

extern const struct sched_ext_ops sched_policy_thread_director;
const struct sched_ext_ops sched_policy_thread_director = {
	.name = "thread-director",
	.summary = "capabilities of cores by hardware class of thread, late and with errors, like Intel's",
	.init = init,
	.exit = exchange_exit,
	.set_cpumask = exchange_set_cpumask,
	.sahm_observed = observed,
	.sahm_pass = exchange_pass,
	.sahm_state_bytes = sizeof(struct thread_director),
	.sahm_task_state_bytes = sizeof(struct director_task),
};
