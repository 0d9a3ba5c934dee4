/* In every timestep the assignment of the threads at the heads of the queues to cores with the largest total progress
 * in that timestep, net of what moving costs: a transportation problem over classes of cores (seating.h), warm-started.
 *
 * A thread is worth, in a class, timestep x (1 + speedup in its observed state), a move away from its class less the
 * time that it costs, at that speed. It is a per-step optimum, of what is known of states then, and no upper bound:
 * where migration costs, since it does not look beyond the step. Where it is free and the oracle tells the states, no
 * policy makes more progress in the same step; over a run others come close to that or, by luck with which states then
 * come when, a hair above.
 *
 * Does badly: where a move costs more than a timestep's gain, however long the gain would last: it then stands still.
 * With more threads than cores, since threads that wait after a head are not considered: heads are best placed for one
 * timestep, and those of the next find it as these have left it; the free solution is repeated. An idle core is
 * filled from the longest queues, whatever that costs. Inertia is ignored.
 */
#include <errno.h>

#include "sched/policies/policies.h"
#include "sched/policies/seating.h"

struct assign {
	struct arena arena;
	struct seating seating;
	u32 shift; /* of progress, so that it fits */
	s64 *gain; /* [nr_classes] */
	/* Room for as many classes as cores. The value of a thread in its present class, and, where all migrations cost
	 * the same, in others: [NR_STATES + 1][nr_classes], the last row with nothing observed. */
	s64 *stays, *moves;
};

/* Input from which a thread's values were computed. */
struct assign_task {
	s32 cpu;
	u32 state;
};

static u32 row_of(u32 state)
{
	return state == STATE_NONE ? NR_STATES : state;
}

/* Progress of a timestep of which `cost_ns` goes into a move, in millionths of a ns. Below 0: the next ones pay; a loss
 * of more than a timestep is out of the question. */
static s64 progress(const struct assign *as, u64 cost_ns, u32 state, u32 class)
{
	s32 ppm = state == STATE_NONE ? 0 : sahm_speedup_ppm(as->seating.first[class], state);
	__extension__ __int128 result = ((__int128)sahm_timestep_ns() - cost_ns) * (1000000 + ppm);
	return cost_ns / 2 > sahm_timestep_ns() ? SEATING_NEVER : (s64)(result >> as->shift);
}

static s32 largest_speedup_ppm(void)
{
	s32 ppm = 0;
	for (u32 c = 0; c < scx_bpf_nr_cpu_ids(); c++)
		for (u32 state = 0; state < NR_STATES; state++)
			if (sahm_speedup_ppm((s32)c, state) > ppm)
				ppm = sahm_speedup_ppm((s32)c, state);
	return ppm;
}

/* The most that a timestep can bring; units become coarser until it fits. */
static s64 largest_progress(struct assign *as)
{
	__extension__ __int128 most = (__int128)sahm_timestep_ns() * (1000000 + largest_speedup_ppm());
	while (most >> as->shift >= INT64_MAX / 4)
		as->shift++;
	return (s64)(most >> as->shift);
}

static s32 assign_init(void)
{
	struct assign *as = sahm_state();
	s64 most = largest_progress(as);
	arena_init(&as->arena);
	if (!seating_init(&as->seating, &as->arena, most, 1))
		return -ENOMEM;
	u32 nr = as->seating.nr_cores;
	as->gain = arena_alloc(&as->arena, nr, sizeof(*as->gain));
	as->stays = arena_alloc(&as->arena, (NR_STATES + 1) * (size_t)nr, sizeof(*as->stays));
	as->moves = arena_alloc(&as->arena, (NR_STATES + 1) * (size_t)nr, sizeof(*as->moves));
	if (!as->gain || !as->stays || !as->moves)
		return -ENOMEM;
	return 0;
}

/* Works the tables out for the classes that there are now. */
static void tabulate(struct assign *as)
{
	u32 nr = as->seating.nr_classes;
	for (u32 row = 0; row <= NR_STATES; row++) {
		for (u32 k = 0; k < nr; k++) {
			u32 state = row == NR_STATES ? STATE_NONE : row;
			as->stays[row * nr + k] = progress(as, 0, state, k);
			as->moves[row * nr + k] = progress(as, as->seating.cost_ns, state, k);
		}
	}
}

static void assign_set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct assign *as = sahm_state();
	(void)cpumask;
	seating_allow(&as->seating, p);
}

static void value(struct assign *as, struct task_struct *p, s32 cpu, u32 state)
{
	struct seating *s = &as->seating;
	u32 nr = s->nr_classes, home = seating_home(s, p);
	for (u32 k = 0; k < nr; k++)
		as->gain[k] = s->is_flat ? as->moves[row_of(state) * nr + k]
					 : progress(as, seating_cost_ns(s, cpu, k), state, k);
	if (home != TRANSPORT_NOWHERE)
		as->gain[home] = as->stays[row_of(state) * nr + home];
	seating_set(s, 0, p, as->gain);
}

/* Recomputes the gains of those heads whose core or state has changed. */
static void look(struct assign *as)
{
	struct seating *s = &as->seating;
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->heads[c];
		if (!p)
			continue;
		struct assign_task *t = sahm_task_state(p);
		s32 cpu = scx_bpf_task_cpu(p);
		u32 state = sahm_observed_state(p);
		if (t->cpu == cpu && t->state == state && seating_has(s, p))
			continue;
		*t = (struct assign_task){cpu, state};
		value(as, p, cpu, state);
	}
}

static u64 assign_pass(u64 now)
{
	struct assign *as = sahm_state();
	bool some_wait = seating_begin(&as->seating, now);
	if (as->seating.are_new)
		tabulate(as);
	look(as);
	/* From their new homes moves cost something else, so others may be best next time. */
	bool have_moved = seating_carry_out(&as->seating) > 0;
	if (have_moved)
		look(as);
	return some_wait || have_moved ? 0 : SAHM_WHEN_CHANGED;
}

static void assign_exit(struct scx_exit_info *info)
{
	struct assign *as = sahm_state();
	(void)info;
	arena_release(&as->arena);
}

extern const struct sched_ext_ops sched_policy_assign;
const struct sched_ext_ops sched_policy_assign = {
	.init = assign_init,
	.exit = assign_exit,
	.set_cpumask = assign_set_cpumask,
	.sahm_pass = assign_pass,
	.sahm_state_bytes = sizeof(struct assign),
	.sahm_task_state_bytes = sizeof(struct assign_task),
	.name = "assign",
	.summary = "in each timestep the assignment that is best for it, net of migration cost",
};
