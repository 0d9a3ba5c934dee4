#include "sched/policies/exchange.h"

#include <errno.h>

static bool are_alike(s32 a, s32 b)
{
	for (u32 state = 0; state < NR_STATES; state++)
		if (sahm_speedup_ppm(a, state) != sahm_speedup_ppm(b, state))
			return false;
	return true;
}

static void find_kinds(struct exchange *x)
{
	for (s32 c = 0; c < (s32)x->nr_cores; c++) {
		u32 k = 0;
		while (k < x->nr_kinds && !are_alike(x->kind_first[k], c))
			k++;
		if (k == x->nr_kinds)
			x->kind_first[x->nr_kinds++] = c;
		x->kind_of[c] = k;
	}
}

s32 exchange_init(const struct exchange_rule *rule)
{
	struct exchange *x = sahm_state();
	u32 nr = scx_bpf_nr_cpu_ids();
	struct arena *a = &x->arena;
	arena_init(a);
	x->rule = rule;
	x->nr_cores = nr;
	x->is_stale = true;
	x->period_ns = sahm_scale(sahm_timestep_ns(), ((u64)sahm_inertia() + 1) * x->rule->periods, 1);
	x->kind_of = arena_alloc(a, nr, sizeof(*x->kind_of));
	x->class_of = arena_alloc(a, nr, sizeof(*x->class_of));
	x->kind_first = arena_alloc(a, nr, sizeof(*x->kind_first));
	x->class_first = arena_alloc(a, nr, sizeof(*x->class_first));
	x->capacity = arena_alloc(a, nr, sizeof(*x->capacity));
	x->set_of = arena_alloc(a, nr, sizeof(*x->set_of));
	x->traded = arena_alloc(a, sahm_nr_tasks(), sizeof(*x->traded));
	x->best = arena_alloc(a, nr, sizeof(*x->best));
	x->offer = arena_alloc(a, nr, sizeof(*x->offer));
	x->cores = arena_alloc(a, nr, sizeof(*x->cores));
	x->cores_at = arena_alloc(a, (size_t)nr + 1, sizeof(*x->cores_at));
	if (!x->kind_of || !x->class_of || !x->kind_first || !x->class_first || !x->capacity || !x->set_of ||
	    !x->traded || !x->best || !x->offer || !x->cores || !x->cores_at)
		return -ENOMEM;
	find_kinds(x);
	x->speedup_ppm = arena_alloc(a, (size_t)x->nr_kinds * NR_STATES, sizeof(*x->speedup_ppm));
	for (u32 i = 0; x->speedup_ppm && i < x->nr_kinds * NR_STATES; i++)
		x->speedup_ppm[i] = sahm_speedup_ppm(x->kind_first[i / NR_STATES], i % NR_STATES);
	return x->speedup_ppm ? 0 : -ENOMEM;
}

void exchange_exit(struct scx_exit_info *info)
{
	struct exchange *x = sahm_state();
	(void)info;
	arena_release(&x->arena);
}

void exchange_set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct exchange *x = sahm_state();
	(void)p;
	(void)cpumask;
	x->is_stale = true;
}

/* Threads that may run everywhere distinguish no cores. Should two hashes collide, a trade within a class can fail. */
static void hash_sets(struct exchange *x)
{
	for (u32 c = 0; c < x->nr_cores; c++)
		x->set_of[c] = 0;
	for (u32 t = 0; t < sahm_nr_tasks(); t++) {
		const struct task_struct *p = sahm_task(t);
		for (u32 c = 0; (u32)p->nr_cpus_allowed < x->nr_cores && c < x->nr_cores; c++)
			if (bpf_cpumask_test_cpu(c, p->cpus_ptr))
				x->set_of[c] = (x->set_of[c] ^ (t + 1)) * UINT64_C(0x9e3779b97f4a7c15);
	}
}

static void find_classes(struct exchange *x)
{
	s32 nr = 0;
	hash_sets(x);
	x->nr_classes = 0;
	for (u32 c = 0; c < x->nr_cores; c++) {
		u32 k = 0;
		while (k < x->nr_classes &&
		       (x->kind_of[x->class_first[k]] != x->kind_of[c] || x->set_of[x->class_first[k]] != x->set_of[c]))
			k++;
		if (k == x->nr_classes) {
			x->capacity[k] = 0;
			x->class_first[x->nr_classes++] = (s32)c;
		}
		x->capacity[k]++;
		x->class_of[c] = k;
	}
	for (u32 k = 0; k < x->nr_classes; k++) {
		x->cores_at[k] = nr;
		for (u32 c = (u32)x->class_first[k]; c < x->nr_cores; c++)
			if (x->class_of[c] == k)
				x->cores[nr++] = (s32)c;
	}
	x->cores_at[x->nr_classes] = nr;
	x->is_stale = false;
}

static bool has_traded(const struct exchange *x, const struct task_struct *p)
{
	return x->traded[p->pid - 1] == x->round;
}

static void account(const struct task_struct *p, u64 until)
{
	const struct exchange *x = sahm_state();
	struct exchange_stretch *s = sahm_task_state(p);
	if (s->is_awake && s->is_observed && until > s->since)
		x->rule->account(p, until - s->since);
	s->since = until;
}

/* It was in the state for the last timestep, if it was awake; under the oracle it begins now. */
void exchange_observed(struct task_struct *p, u32 state)
{
	struct exchange_stretch *s = sahm_task_state(p);
	u64 now = scx_bpf_now(), step_ns = sahm_is_oracle() ? 0 : sahm_timestep_ns();
	account(p, now > s->since && now - s->since > step_ns ? now - step_ns : s->since);
	s->is_observed = true;
	s->state = state;
}

void exchange_runnable(struct task_struct *p, u64 enq_flags)
{
	struct exchange_stretch *s = sahm_task_state(p);
	(void)enq_flags;
	s->since = scx_bpf_now();
	s->is_awake = true;
}

void exchange_quiescent(struct task_struct *p, u64 deq_flags)
{
	struct exchange_stretch *s = sahm_task_state(p);
	(void)deq_flags;
	account(p, scx_bpf_now());
	s->is_awake = false;
}

/* The best giver, or an idle core, in each class, for takers of class `a`. */
static void collect_offers(struct exchange *x, u32 a)
{
	for (u32 b = 0; b < x->nr_classes; b++) {
		struct exchange_pair *o = &x->offer[b];
		o->gain = EXCHANGE_NEVER;
		if (x->kind_of[x->class_first[a]] == x->kind_of[x->class_first[b]])
			continue;
		for (s32 i = x->cores_at[b]; i < x->cores_at[b + 1]; i++) {
			struct task_struct *p = sahm_head(x->cores[i]);
			if (!p && x->rule->idle > o->gain)
				*o = (struct exchange_pair){.gain = x->rule->idle, .to = x->cores[i]};
			for (; p; p = sahm_next(p)) {
				if (has_traded(x, p) || !exchange_may_run(x, p, a))
					continue;
				s64 score = x->rule->give(x, sahm_task_state(p), b, a);
				if (score > o->gain)
					*o = (struct exchange_pair){.gain = score, .giver = p, .to = x->cores[i]};
			}
		}
	}
}

static void find_best(struct exchange *x, u32 a)
{
	struct exchange_pair *best = &x->best[a];
	best->gain = 0;
	collect_offers(x, a);
	for (s32 i = x->cores_at[a]; i < x->cores_at[a + 1]; i++) {
		for (struct task_struct *p = sahm_head(x->cores[i]); p; p = sahm_next(p)) {
			if (has_traded(x, p))
				continue;
			const void *t = sahm_task_state(p);
			for (u32 b = 0; b < x->nr_classes; b++) {
				const struct exchange_pair *o = &x->offer[b];
				if (o->gain == EXCHANGE_NEVER || !exchange_may_run(x, p, b))
					continue;
				s64 score = x->rule->take(x, t, a, b);
				if (score == EXCHANGE_NEVER || score + o->gain <= best->gain)
					continue;
				*best = *o;
				best->gain += score;
				best->taker = p;
			}
		}
	}
}

/* Who on core `from` should go to `cpu`: the best taker, be it one that should not; NULL: nobody may. */
static struct task_struct *choose(const struct exchange *x, s32 from, s32 cpu)
{
	struct task_struct *found = NULL;
	s64 best = 0;
	for (struct task_struct *p = sahm_head(from); p; p = sahm_next(p)) {
		if (has_traded(x, p) || !bpf_cpumask_test_cpu((u32)cpu, p->cpus_ptr))
			continue;
		s64 score = x->rule->take(x, sahm_task_state(p), x->class_of[from], x->class_of[cpu]);
		if (found && score <= best)
			continue;
		found = p;
		best = score;
	}
	return found;
}

static void pull(struct exchange *x, s32 cpu)
{
	struct task_struct *found = NULL;
	u32 longest = sahm_nr_on(cpu) + 1;
	for (s32 c = 0; c < (s32)x->nr_cores; c++) {
		u32 nr = sahm_nr_on(c);
		struct task_struct *p = nr > longest ? choose(x, c, cpu) : NULL;
		if (!p)
			continue;
		found = p;
		longest = nr;
	}
	if (found && sahm_move(found, cpu))
		x->traded[found->pid - 1] = x->round;
}

static void even_out(struct exchange *x)
{
	u32 most = 0;
	for (s32 c = 0; c < (s32)x->nr_cores; c++) {
		u32 nr = sahm_nr_on(c);
		most = nr > most ? nr : most;
	}
	for (s32 c = 0; most > 1 && c < (s32)x->nr_cores; c++)
		if (sahm_nr_on(c) + 1 < most)
			pull(x, c);
}

static bool uses(const struct exchange_pair *pair, const struct exchange_pair *done)
{
	return pair->gain > 0 && (pair->taker == done->taker || pair->taker == done->giver ||
				  pair->giver == done->taker || pair->to == done->to);
}

static void trade(struct exchange *x, const struct exchange_pair *pair)
{
	if (pair->giver)
		sahm_swap(pair->taker, pair->giver);
	else
		sahm_move(pair->taker, pair->to);
	x->traded[pair->taker->pid - 1] = x->round;
	if (pair->giver)
		x->traded[pair->giver->pid - 1] = x->round;
}

static void carry_out(struct exchange *x)
{
	even_out(x);
	for (u32 a = 0; a < x->nr_classes; a++)
		find_best(x, a);
	for (;;) {
		u32 first = 0;
		for (u32 a = 1; a < x->nr_classes; a++)
			if (x->best[a].gain > x->best[first].gain)
				first = a;
		struct exchange_pair done = x->best[first];
		if (done.gain <= 0)
			return;
		trade(x, &done);
		/* A core that became idle is an offer to everybody. */
		for (u32 a = 0; a < x->nr_classes; a++)
			if (!done.giver || uses(&x->best[a], &done))
				find_best(x, a);
	}
}

u64 exchange_pass(u64 now)
{
	struct exchange *x = sahm_state();
	if (now < x->next)
		return x->next;
	x->next = x->period_ns < UINT64_MAX - now ? now + x->period_ns : SAHM_WHEN_CHANGED;
	x->round++;
	if (x->is_stale)
		find_classes(x);
	for (u32 i = 0; i < sahm_nr_tasks(); i++) {
		const struct task_struct *p = sahm_task(i);
		if (!sahm_is_runnable(p))
			continue;
		if (x->rule->account)
			account(p, now);
		x->rule->update(p);
	}
	carry_out(x);
	return x->next;
}
