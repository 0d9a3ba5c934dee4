/* specialist: threads follow their state to the cores that serve it, if that will pay.
 *
 * It has run queues: a thread stays on its core until the pass, once per timestep, moves it to an idle core or lets it
 * trade places with another. For each thread that runs, the pass looks for the move that gains most, counting both
 * threads of a trade, and carries it out if it gains more than it costs before either of them changes its state.
 *
 * How long that will be nobody knows. The policy remembers how long the states of each thread have lasted so far, as an
 * average that forgets, and takes a state that has lasted longer already to last as long again. An optimist at first
 * (FIRST_STAY), it learns within a few changes which threads change too often to be worth moving.
 *
 * Does badly: with threads whose stays are very uneven, since an average says little of the next; with more threads
 * than cores, as it looks only at those whose turn it is, and never evens queues out; where a chain of three moves
 * would help and no pair of them does.
 */
#include "sched/ext.h"

/* Assumed length of a state before any of a thread's has ended, in timesteps. */
#define FIRST_STAY 20
/* The average takes over this fraction of a new value. */
#define FORGETTING 4

struct task_state {
	u64 since;	/* when its present state was first observed */
	u64 stay;	/* average length of its states, in ns; 0: none has ended */
	bool was_known; /* it has been observed in some state */
};

/* A thread has been observed in another state than before: one more stay has ended. */
void BPF_STRUCT_OPS(specialist_observed, struct task_struct *p, u32 state)
{
	struct task_state *ts = sahm_task_state(p);
	u64 now = scx_bpf_now(), stay = now - ts->since;
	if (ts->was_known)
		ts->stay = ts->stay ? ts->stay - ts->stay / FORGETTING + stay / FORGETTING : stay;
	ts->was_known = true;
	ts->since = now;
}

/* How long the present state of `p` will go on, in ns. */
static u64 expected_stay(const struct task_struct *p)
{
	const struct task_state *ts = sahm_task_state(p);
	u64 so_far = scx_bpf_now() - ts->since, stay = ts->stay ? ts->stay : FIRST_STAY * sahm_timestep_ns();
	return so_far > stay ? so_far : stay;
}

/* What thread `p` gains by a move, in millionths of baseline speed; below 0 if it loses. NULL: nobody. */
static s32 gain_ppm(const struct task_struct *p, s32 from, s32 to)
{
	u32 state = p ? sahm_observed_state(p) : STATE_NONE;
	return state == STATE_NONE ? 0 : sahm_speedup_ppm(to, state) - sahm_speedup_ppm(from, state);
}

/* What both threads gain together by trading places, in ns, for as long as the state of neither changes. `q` NULL: `p`
 * moves to an idle core. */
static s64 gain_of(const struct task_struct *p, s32 from, const struct task_struct *q, s32 to)
{
	u64 stay = expected_stay(p), cost = sahm_move_cost_ns(from, to);
	if (q) {
		stay = expected_stay(q) < stay ? expected_stay(q) : stay;
		cost += sahm_move_cost_ns(to, from);
	}
	return sahm_add_ppm((s64)stay, gain_ppm(p, from, to) + gain_ppm(q, to, from)) - (s64)(stay + cost);
}

/* Finds the best place for thread `p` of core `from`, and takes it there. */
static void place(struct task_struct *p, s32 from)
{
	s32 nr = (s32)scx_bpf_nr_cpu_ids(), best = from;
	s64 most = 0;
	for (s32 cpu = 0; cpu < nr; cpu++) {
		struct task_struct *other = sahm_head(cpu);
		if (cpu == from || !bpf_cpumask_test_cpu((u32)cpu, p->cpus_ptr))
			continue;
		if (other && !bpf_cpumask_test_cpu((u32)from, other->cpus_ptr))
			continue;
		s64 gain = gain_of(p, from, other, cpu);
		if (gain > most) {
			most = gain;
			best = cpu;
		}
	}
	struct task_struct *other = sahm_head(best);
	if (best != from && other)
		sahm_swap(p, other);
	else if (best != from)
		sahm_move(p, best);
}

/* Once per timestep. What it decides depends on the time that has passed, so it wants to be asked in each; a policy
 * whose decisions depend only on observed states could return SAHM_WHEN_CHANGED where it has moved nobody. */
u64 BPF_STRUCT_OPS(specialist_pass, u64 now)
{
	s32 nr = (s32)scx_bpf_nr_cpu_ids();
	for (s32 cpu = 0; cpu < nr; cpu++) {
		struct task_struct *p = sahm_head(cpu);
		if (p)
			place(p, cpu);
	}
	return 0;
}

SCX_OPS_DEFINE(specialist_ops, .sahm_pass = specialist_pass, .sahm_observed = specialist_observed,
	       .sahm_task_state_bytes = sizeof(struct task_state), .name = "specialist",
	       .summary = "threads follow their state where that will pay");
