#include "sched/sahm_ordered.h"

#include <stdlib.h>

/* A pass under way. */
struct pass {
	struct sahm_ordered *st;
	u64 now;
	enum swap_rule rule;
	/* States matched by a core that is idle or whose head might be let go; more, if anything: who is not in here
	 * need not look. Known once somebody has looked. */
	u32 offered;
	bool knows_offered;
	bool has_moved;	 /* somebody has */
	bool is_crowded; /* some core has a queue */
	bool is_sought;	 /* some head does not match its core */
	u64 soonest;	 /* passes until some inertia that matters has run out; UINT64_MAX: there is none */
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
	for (u32 state = 0; state < NR_STATES; state++) {
		u32 nr = 0;
		for (u32 c = 0; c < st->nr_cores; c++) {
			st->serves[c] |= (uint16_t)(sahm_serves((s32)c, state) << state);
			if (!sahm_matches((s32)c, state))
				continue;
			st->matches[c] |= (uint16_t)(1u << state);
			keys[nr++] = (u64)((s64)INT32_MAX - sahm_speedup_ppm((s32)c, state)) << 16 | c;
		}
		qsort(keys, nr, sizeof(*keys), compare_keys);
		for (u32 i = 0; i < nr; i++)
			st->matching[state][i] = (uint16_t)keys[i];
		st->nr_matching[state] = nr;
	}
	return 0;
}

/* Passes left out before `now`: those made known, and those since the last one before that time. */
static u64 skipped_before(const struct sahm_ordered *st, u64 now)
{
	u64 timestep_ns = sahm_timestep_ns(), next = st->last / timestep_ns + 1;
	u64 coming = now / timestep_ns + (now % timestep_ns != 0);
	return st->skipped + (coming > next ? coming - next : 0);
}

/* Inertia of a thread that was a head in all passes left out since it was last looked at, `skipped` in all. */
static u32 settle(struct sahm_ordered_task *t, u64 skipped)
{
	if (t->inertia > 0) {
		u64 passed = skipped - t->seen;
		t->inertia -= passed < t->inertia ? (u32)passed : t->inertia;
		t->seen = skipped;
	}
	return t->inertia;
}

void sahm_ordered_runnable(struct task_struct *p, u64 enq_flags)
{
	struct sahm_ordered_task *t = sahm_task_state(p);
	(void)enq_flags;
	t->seen = skipped_before(sahm_state(), scx_bpf_now());
}

void sahm_ordered_quiescent(struct task_struct *p, u64 deq_flags)
{
	(void)deq_flags;
	settle(sahm_task_state(p), skipped_before(sahm_state(), scx_bpf_now()));
}

/* Whether the rule lets a thread in `state` leave core `cpu`. */
static bool is_released(const struct pass *pass, u32 cpu, u32 state)
{
	const uint16_t *kept = pass->rule == SWAP_UNMATCHED ? pass->st->matches : pass->st->serves;
	return pass->rule != SWAP_NEVER && state != STATE_NONE && !(kept[cpu] >> state & 1);
}

static bool has_moved(const struct pass *pass, const struct sahm_ordered_task *t)
{
	return t->moved == pass->now + 1;
}

static bool may_run(const struct task_struct *p, u32 cpu, u32 nr_cores)
{
	return (u32)p->nr_cpus_allowed == nr_cores || bpf_cpumask_test_cpu(cpu, p->cpus_ptr);
}

static void find_offered(struct pass *pass)
{
	const struct sahm_ordered *st = pass->st;
	pass->knows_offered = true;
	for (u32 c = 0; c < st->nr_cores; c++) {
		const struct task_struct *p = sahm_head((s32)c);
		if ((st->matches[c] | pass->offered) == pass->offered)
			continue;
		/* an inertia of 1 may be gone by the time at which somebody asks */
		if (!p ||
		    (is_released(pass, c, sahm_observed_state(p)) && settle(sahm_task_state(p), st->skipped) <= 1))
			pass->offered |= st->matches[c];
	}
}

static void note_move(struct pass *pass, const struct task_struct *p)
{
	struct sahm_ordered_task *t = sahm_task_state(p);
	t->moved = pass->now + 1;
	t->inertia = sahm_inertia();
	t->seen = pass->st->skipped;
	pass->has_moved = true;
}

static bool move(struct pass *pass, struct task_struct *p, u32 own, u32 cpu)
{
	if (!sahm_move(p, (s32)cpu))
		return false;
	note_move(pass, p);
	pass->offered |= pass->st->matches[own];
	return true;
}

/* Steps 3 and 4; false: there is no such core. */
static bool goes_to_match(struct pass *pass, struct task_struct *p, u32 own, u32 state)
{
	const struct sahm_ordered *st = pass->st;
	struct task_struct *other = NULL;
	for (u32 i = 0; i < st->nr_matching[state]; i++) {
		u32 c = st->matching[state][i];
		if (c == own || !may_run(p, c, st->nr_cores))
			continue;
		struct task_struct *head = sahm_head((s32)c);
		if (!head)
			return move(pass, p, own, c);
		if (other || !is_released(pass, c, sahm_observed_state(head)))
			continue;
		struct sahm_ordered_task *t = sahm_task_state(head);
		if (!has_moved(pass, t) && settle(t, st->skipped) == 0 && may_run(head, own, st->nr_cores))
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
		if (c != own && nr < fewest && may_run(p, c, pass->st->nr_cores)) {
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
	bool seeks = state != STATE_NONE && !(pass->st->matches[cpu] >> state & 1);
	pass->is_sought |= seeks;
	if (settle(t, pass->st->skipped) > 0) {
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

u64 sahm_ordered_pass(u64 now, enum swap_rule rule)
{
	struct sahm_ordered *st = sahm_state();
	struct pass pass = {.st = st, .now = now, .rule = rule, .soonest = UINT64_MAX};
	u64 timestep_ns = sahm_timestep_ns();

	st->skipped = skipped_before(st, now);
	st->last = now;
	for (u32 c = 0; c < st->nr_cores; c++) {
		struct task_struct *p = sahm_head((s32)c);
		if (!p)
			continue;
		pass.is_crowded |= sahm_nr_on((s32)c) > 1;
		take_turn(&pass, p, c);
	}
	if (pass.has_moved || pass.is_crowded)
		return 0;
	if (!pass.is_sought || pass.soonest > (UINT64_MAX - now) / timestep_ns)
		return SAHM_WHEN_CHANGED;
	return now + pass.soonest * timestep_ns;
}
