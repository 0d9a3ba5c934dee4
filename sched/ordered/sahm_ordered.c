#include "sched/ordered/sahm_ordered.h"

#include <stdlib.h>

/* A pass under way. */
struct pass {
	struct sahm_ordered *st;
	u64 now;
	/* States matched by a core that is idle or whose head might be let go; more, if anything: who is not in here
	 * need not look. Known once somebody has looked. */
	u32 offered;
	bool knows_offered;
	bool has_moved;	 /* somebody has */
	bool is_crowded; /* some core has a queue */
	bool is_sought;	 /* some head does not match its core */
	u64 soonest;	 /* passes until some inertia that matters has run out; NEVER: there is none */
};

static int compare_keys(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;
	return (x > y) - (x < y);
}

s32 sahm_ordered_init(void)
{
	struct sahm_ordered *st = sahm_state();
	u64 keys[SAHM_ORDERED_TOP_CORES];

	st->nr_cores = scx_bpf_nr_cpu_ids();
	if (st->nr_cores > SAHM_ORDERED_TOP_CORES) {
		scx_bpf_error("%u cores, at most %u", st->nr_cores, SAHM_ORDERED_TOP_CORES);
		return -1;
	}
	st->timestep_ns = reciprocal_of(sahm_timestep_ns());
	st->inertia = sahm_inertia();
	for (u32 state = 0; state < NR_STATES; state++) {
		u32 nr = 0;
		for (u32 c = 0; c < st->nr_cores; c++) {
			st->cores[c].serves |= (uint16_t)(sahm_serves((s32)c, state) << state);
			if (!sahm_matches((s32)c, state))
				continue;
			st->cores[c].matches |= (uint16_t)(1u << state);
			keys[nr++] = (u64)((s64)INT32_MAX - sahm_speedup_ppm((s32)c, state)) << 16 | c;
		}
		qsort(keys, nr, sizeof(*keys), compare_keys);
		for (u32 i = 0; i < nr; i++)
			st->matching[state][i] = (uint16_t)keys[i];
		st->nr_matching[state] = nr;
	}
	sahm_ordered_init_sets(st);
	st->is_whole = !st->has_kinds;
	sahm_ordered_forget_all(st);
	return 0;
}

/* Passes before `now` that count for everybody, when that of the timestep that begins at `now` is still to come. */
static u64 counted_before(const struct sahm_ordered *st, u64 now)
{
	u64 rest, coming = reciprocal_divide(st->timestep_ns, now, &rest);
	coming += rest != 0;
	return st->counted + (coming > st->next ? coming - st->next : 0);
}

/* Inertia of a thread that was awake in all passes that count since it was last looked at; so far they are `counted`.
 */
static u32 settle(struct sahm_ordered_task *t, u64 counted)
{
	if (t->inertia > 0) {
		u64 passed = counted - t->seen;
		t->inertia -= passed < t->inertia ? (u32)passed : t->inertia;
		t->seen = counted;
	}
	return t->inertia;
}

void sahm_ordered_runnable(struct task_struct *p, u64 enq_flags)
{
	struct sahm_ordered *st = sahm_state();
	struct sahm_ordered_task *t = sahm_task_state(p);
	(void)enq_flags;
	t->seen = counted_before(st, scx_bpf_now());
	sahm_ordered_forget(st, (u32)scx_bpf_task_cpu(p));
}

void sahm_ordered_quiescent(struct task_struct *p, u64 deq_flags)
{
	struct sahm_ordered *st = sahm_state();
	(void)deq_flags;
	settle(sahm_task_state(p), counted_before(st, scx_bpf_now()));
	sahm_ordered_forget(st, (u32)scx_bpf_task_cpu(p));
}

void sahm_ordered_set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	(void)cpumask;
	/* It may have to go to another core, and we do not know which. */
	if (sahm_is_runnable(p))
		sahm_ordered_forget_all(sahm_state());
}

/* Whether the rule lets a thread in `state` leave core `cpu`. */
static bool is_released(const struct pass *pass, u32 cpu, u32 state)
{
	const struct sahm_ordered_core *core = &pass->st->cores[cpu];
	unsigned kept = pass->st->rule == SWAP_UNMATCHED ? core->matches : core->serves;
	return pass->st->rule != SWAP_NEVER && state != STATE_NONE && !(kept >> state & 1);
}

static bool has_moved(const struct pass *pass, const struct sahm_ordered_task *t)
{
	return t->moved == pass->now + 1;
}

static void find_offered(struct pass *pass)
{
	const struct sahm_ordered *st = pass->st;
	pass->knows_offered = true;
	for (u32 c = 0; c < st->nr_cores; c++) {
		const struct task_struct *p = sahm_head((s32)c);
		if ((st->cores[c].matches | pass->offered) == pass->offered)
			continue;
		/* an inertia of 1 may be gone by the time at which somebody asks */
		if (!p ||
		    (is_released(pass, c, sahm_observed_state(p)) && settle(sahm_task_state(p), st->counted) <= 1))
			pass->offered |= st->cores[c].matches;
	}
}

static void note_move(struct pass *pass, const struct task_struct *p)
{
	struct sahm_ordered_task *t = sahm_task_state(p);
	t->moved = pass->now + 1;
	t->inertia = pass->st->inertia;
	t->seen = pass->st->counted;
	pass->has_moved = true;
}

static bool move(struct pass *pass, struct task_struct *p, u32 own, u32 cpu)
{
	if (!sahm_move(p, (s32)cpu))
		return false;
	note_move(pass, p);
	pass->offered |= pass->st->cores[own].matches;
	return true;
}

/* Steps 3 and 4; false: there is no such core. */
static bool goes_to_match(struct pass *pass, struct task_struct *p, u32 own, u32 state)
{
	const struct sahm_ordered *st = pass->st;
	struct task_struct *other = NULL;
	for (u32 i = 0; i < st->nr_matching[state]; i++) {
		u32 c = st->matching[state][i];
		if (c == own || !sahm_ordered_may_run(st, p, c))
			continue;
		struct task_struct *head = sahm_head((s32)c);
		if (!head)
			return move(pass, p, own, c);
		if (other || !is_released(pass, c, sahm_observed_state(head)))
			continue;
		struct sahm_ordered_task *t = sahm_task_state(head);
		if (!has_moved(pass, t) && settle(t, st->counted) == 0 && sahm_ordered_may_run(st, head, own))
			other = head;
	}
	if (!other || !sahm_swap(p, other))
		return false;
	note_move(pass, p);
	note_move(pass, other);
	return true;
}

/* Step 5: where no core has a queue there is nothing to gain. */
static void go_to_most_idle(struct pass *pass, struct task_struct *p, u32 own)
{
	u32 best = own, fewest = sahm_nr_on((s32)own) - 1;
	for (u32 c = 0; c < pass->st->nr_cores && fewest > 0; c++) {
		u32 nr = sahm_nr_on((s32)c);
		if (c != own && nr < fewest && sahm_ordered_may_run(pass->st, p, c)) {
			best = c;
			fewest = nr;
		}
	}
	if (best != own)
		move(pass, p, own, best);
}

/* The turn of core `cpu` with its head `p`. */
static void take_turn(struct pass *pass, struct task_struct *p, u32 cpu)
{
	struct sahm_ordered_task *t = sahm_task_state(p);
	if (has_moved(pass, t))
		return;
	u32 state = sahm_observed_state(p);
	bool seeks = state != STATE_NONE && !(pass->st->cores[cpu].matches >> state & 1);
	pass->is_sought |= seeks;
	if (settle(t, pass->st->counted) > 0) {
		u64 left = --t->inertia ? t->inertia : 1;
		if ((seeks || is_released(pass, cpu, state)) && left < pass->soonest)
			pass->soonest = left;
		return;
	}
	if (!seeks)
		return;
	if (!pass->knows_offered)
		find_offered(pass);
	if (!(pass->offered >> state & 1) || !goes_to_match(pass, p, cpu, state))
		go_to_most_idle(pass, p, cpu);
}

/* Walks over all heads; passes until the next one, NEVER for none. Inertia falls at each head's turn, so that the
 * pass does not count for anybody else. */
static u64 pass_whole(struct sahm_ordered *st, u64 now)
{
	struct pass pass = {.st = st, .now = now, .soonest = NEVER};
	for (u32 c = 0; c < st->nr_cores; c++) {
		struct task_struct *p = sahm_head((s32)c);
		if (!p)
			continue;
		pass.is_crowded |= sahm_nr_on((s32)c) > 1;
		take_turn(&pass, p, c);
	}
	st->is_whole = pass.is_crowded || !st->has_kinds;
	if (!st->is_whole)
		sahm_ordered_forget_all(st);
	if (pass.has_moved || pass.is_crowded)
		return 1;
	return pass.is_sought ? pass.soonest : NEVER;
}

u64 sahm_ordered_pass(u64 now, enum swap_rule rule)
{
	struct sahm_ordered *st = sahm_state();
	u64 rest, timestep_ns = st->timestep_ns.by, step = reciprocal_divide(st->timestep_ns, now, &rest);

	st->counted += step - st->next;
	st->next = step + 1;
	if (!st->knows_rule || st->rule != rule)
		sahm_ordered_set_rule(st, rule);
	if (!st->is_whole && !bitset_is_empty(st->stale))
		st->is_whole = !sahm_ordered_catch_up(st);
	u64 nr = st->is_whole ? pass_whole(st, now) : sahm_ordered_pass_sets(st);
	u64 ns;
	return __builtin_mul_overflow(nr, timestep_ns, &ns) || __builtin_add_overflow(ns, now, &ns) ? SAHM_WHEN_CHANGED
												    : ns;
}
