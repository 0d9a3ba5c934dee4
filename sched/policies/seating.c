#include "sched/policies/seating.h"

#include "sched/policies/seating_classes.h"

#define NO_CPU (-1)

static void drop(struct seating *s, const struct task_struct *p)
{
	for (u32 i = 0; i < s->nr_plans; i++)
		transport_drop(s->plan[i], seating_rank(s, p));
}

/* Who is put out makes room for others along a way through all classes at most; so it must be worth more than what
 * these gain. */
static void fit(struct seating *s)
{
	s64 ways = 2 * ((s64)s->nr_cores + 2), room = transport_max_value(s->plan[0]) / (ways + 1);
	s->shift = 0;
	while (s->max_gain >> s->shift >= room)
		s->shift++;
	s->offset = ways * ((s->max_gain >> s->shift) + 1);
}

bool seating_init(struct seating *s, struct arena *a, s64 max_gain, u32 nr_plans)
{
	u32 nr = scx_bpf_nr_cpu_ids(), nr_tasks = sahm_nr_tasks();
	*s = (struct seating){
		.nr_cores = nr,
		.is_stale = true,
		.max_gain = max_gain,
		.class_of = arena_alloc(a, nr, sizeof(*s->class_of)),
		.first = arena_alloc(a, nr, sizeof(*s->first)),
		.second = arena_alloc(a, nr, sizeof(*s->second)),
		.capacity = arena_alloc(a, nr, sizeof(*s->capacity)),
		.like = arena_alloc(a, nr, sizeof(*s->like)),
		.group = arena_alloc(a, nr, sizeof(*s->group)),
		.tenant = arena_alloc(a, nr, sizeof(*s->tenant)),
		.part = arena_alloc(a, nr, sizeof(*s->part)),
		.heads = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.was = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.holders = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.held_until = arena_alloc(a, nr, sizeof(*s->held_until)),
		.hold_ns = arena_alloc(a, nr, sizeof(*s->hold_ns)),
		.values = arena_alloc(a, nr, sizeof(*s->values)),
		.movers = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.targets = arena_alloc(a, nr, sizeof(*s->targets)),
		.is_free = arena_alloc(a, nr, sizeof(*s->is_free)),
		.next_free = arena_alloc(a, 2 * (size_t)nr, sizeof(*s->next_free)),
		.rank = arena_alloc(a, nr_tasks, sizeof(*s->rank)),
		.asked_for = arena_alloc(a, nr_tasks, sizeof(*s->asked_for)),
		.nr_asked_of = arena_alloc(a, nr, sizeof(*s->nr_asked_of)),
		.has_idle = arena_alloc(a, nr, sizeof(*s->has_idle)),
		.has_asked = arena_alloc(a, nr, sizeof(*s->has_asked)),
		.plan_of = arena_alloc(a, nr, sizeof(*s->plan_of)),
		.nr_plans = nr_plans,
	};
	if (!s->class_of || !s->first || !s->second || !s->capacity || !s->like || !s->group || !s->tenant ||
	    !s->heads || !s->was || !s->holders || !s->held_until || !s->hold_ns || !s->values || !s->movers ||
	    !s->targets || !s->is_free || !s->next_free || !s->rank || !s->asked_for || !s->nr_asked_of ||
	    !s->has_idle || !s->has_asked || !s->plan_of)
		return false;
	for (u32 i = 0; i < nr_plans; i++) {
		s->plan[i] = transport_new_for(a, nr_tasks, nr, nr, nr);
		if (!s->plan[i])
			return false;
	}
	for (u32 t = 0; t < nr_tasks; t++)
		s->asked_for[t] = NO_CPU;
	s->is_flat = seating_is_flat(nr, &s->cost_ns);
	return true;
}

/* Earlier answers about its gains are void; but the owner of a kept seat has given none. */
void seating_allow(struct seating *s, const struct task_struct *p)
{
	if (s->rank[p->pid - 1] == 0)
		s->rank[p->pid - 1] = ++s->nr_ranks;
	if (s->holders[scx_bpf_task_cpu(p)] != p)
		drop(s, p);
	s->is_stale = s->is_stale || !seating_fits(s, p);
}

/* The thread that is to come to idle core `cpu`: of those that wait and have not been asked, from the longest queue,
 * the one with the largest gain there; the lowest core and the first in its queue on a tie. */
static struct task_struct *find_waiting(const struct seating *s, s32 cpu)
{
	struct task_struct *best = NULL;
	u32 longest = 1;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		s32 best_ppm = 0;
		u32 nr = sahm_nr_on(c) - s->nr_asked_of[c];
		if (nr <= longest)
			continue;
		bool found = false;
		for (struct task_struct *p = sahm_next(sahm_head(c)); p; p = sahm_next(p)) {
			u32 state = sahm_observed_state(p);
			s32 ppm = state == STATE_NONE ? 0 : sahm_speedup_ppm(cpu, state);
			if (!bpf_cpumask_test_cpu((u32)cpu, p->cpus_ptr) || s->asked_for[p->pid - 1] != NO_CPU ||
			    (found && ppm <= best_ppm))
				continue;
			found = true;
			best = p;
			best_ppm = ppm;
		}
		longest = found ? nr : longest;
	}
	return best;
}

/* Nobody else is to have the seat on core `cpu` than its holder. */
static void keep_seat(struct seating *s, u32 cpu)
{
	for (u32 k = 0; k < s->nr_classes; k++)
		s->values[k] = k == s->class_of[cpu] ? s->offset : TRANSPORT_FORBIDDEN;
	for (u32 i = 0; i < s->nr_plans; i++)
		transport_set(s->plan[i], seating_rank(s, s->holders[cpu]), s->values, s->class_of[cpu]);
}

/* Whether a sleeping thread is to wake on core `cpu`, as far as is known: its set may have sent it elsewhere. */
static bool will_wake_on(const struct task_struct *p, u32 cpu)
{
	return !sahm_is_runnable(p) && scx_bpf_task_cpu(p) == (s32)cpu;
}

/* Keeps the seats of threads that have fallen asleep at the heads of their queues for a while; and lets go of those
 * whose thread has woken, or that somebody else has, or that have been kept long enough. */
static void hold_seats(struct seating *s, u64 now)
{
	s->next_free_ns = SAHM_WHEN_CHANGED;
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->holders[c], *was = s->was[c];
		if (p && (now >= s->held_until[c] || !will_wake_on(p, c) || s->heads[c] || !seating_has(s, p))) {
			drop(s, p);
			s->holders[c] = NULL;
		} else if (!p && was && !s->heads[c] && will_wake_on(was, c)) {
			s->holders[c] = was;
			s->held_until[c] = now + s->hold_ns[c];
			keep_seat(s, c);
		}
		if (s->holders[c] && s->held_until[c] < s->next_free_ns)
			s->next_free_ns = s->held_until[c];
	}
}

void seating_leave(struct seating *s, const struct task_struct *p)
{
	s32 cpu = scx_bpf_task_cpu(p);
	if (s->heads[cpu] != p)
		return;
	s->heads[cpu] = NULL;
	if (seating_has(s, p))
		drop(s, p);
}

static bool is_idle(const struct seating *s, s32 cpu)
{
	return sahm_nr_on(cpu) == 0 && !s->holders[cpu];
}

/* Afterwards nobody has a seat but those for whom one is kept. */
static void find_classes(struct seating *s)
{
	seating_find_classes(s);
	for (u32 k = 0; k < s->nr_classes; k++)
		s->part[k] = (u32)s->tenant[s->first[k]];
	for (u32 i = 0; i < s->nr_plans; i++)
		transport_restart(s->plan[i], s->nr_classes, s->capacity, s->part);
	fit(s);
	for (u32 c = 0; c < s->nr_cores; c++)
		if (s->holders[c])
			keep_seat(s, c);
}

/* Asks one of those that wait for each idle core. */
static void ask(struct seating *s)
{
	for (u32 c = 0; c < s->nr_cores; c++)
		s->has_idle[s->class_of[c]] = s->has_asked[c] = false;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		if (!is_idle(s, c))
			continue;
		struct task_struct *p = find_waiting(s, c);
		s->has_idle[s->class_of[c]] = true;
		if (!p)
			continue;
		s->heads[c] = p;
		s->has_asked[s->tenant[c]] = true;
		s->asked_for[p->pid - 1] = c;
		s->nr_asked_of[scx_bpf_task_cpu(p)]++;
		s->nr_asked++;
	}
}

static bool is_asked(const struct seating *s, const struct task_struct *p)
{
	return s->asked_for[p->pid - 1] != NO_CPU;
}

bool seating_begin(struct seating *s, u64 now)
{
	bool some_wait = false, some_idle = false;
	s->are_new = s->is_stale;
	s->is_stale = false;
	if (s->are_new)
		find_classes(s);
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		s->was[c] = s->heads[c];
		s->heads[c] = sahm_head(c);
		some_wait |= s->heads[c] && sahm_nr_on(c) > 1;
	}
	if (s->holds)
		hold_seats(s, now);
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->was[c];
		some_idle |= !s->heads[c] && !s->holders[c];
		if (p && p != s->heads[c] && p != s->holders[c] &&
		    (!sahm_is_runnable(p) || sahm_head(scx_bpf_task_cpu(p)) != p))
			drop(s, p);
	}
	if (some_wait && some_idle)
		ask(s);
	return some_wait;
}

void seating_set(struct seating *s, u32 plan, struct task_struct *p, const s64 *gain)
{
	if (plan > 0 && is_asked(s, p))
		return;
	bool anywhere = (u32)p->nr_cpus_allowed == s->nr_cores;
	for (u32 k = 0; k < s->nr_classes; k++) {
		bool allowed = anywhere || bpf_cpumask_test_cpu((u32)s->first[k], p->cpus_ptr);
		s->values[k] =
			allowed && gain[k] != SEATING_NEVER ? s->offset + (gain[k] >> s->shift) : TRANSPORT_FORBIDDEN;
	}
	s32 home = is_asked(s, p) ? s->asked_for[p->pid - 1] : scx_bpf_task_cpu(p);
	transport_set(s->plan[plan], seating_rank(s, p), s->values, s->class_of[home]);
}

/* A list of free cores per class, lowest first; its head follows those of the cores. */
static void list_free(struct seating *s, s32 cpu)
{
	s32 *head = &s->next_free[s->nr_cores + s->class_of[cpu]];
	s->next_free[cpu] = *head;
	*head = cpu;
}

/* Targets below 0 are classes: whichever core of it is free. */
static s32 any_of(u32 k)
{
	return -1 - (s32)k;
}

/* No tenant follows a plan yet, but those of which somebody is asked, the first; and nobody has left a core. */
static void begin_plans(struct seating *s)
{
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->heads[c];
		s->is_free[c] = !s->holders[c] && (!p || is_asked(s, p));
		s->plan_of[c] = s->nr_asked > 0 && s->has_asked[c] ? 0 : SEATING_PLANS;
	}
}

/* Adds, to `nr` others, the heads that are to move by a plan, and the classes to which. Returns how many all are. */
static u32 find_movers(struct seating *s, u32 plan, u32 nr)
{
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->heads[c];
		u32 *plan_of = &s->plan_of[s->tenant[c]];
		if (!p || is_asked(s, p) || *plan_of < plan)
			continue;
		u32 k = transport_class(s->plan[plan], seating_rank(s, p));
		if (k == s->class_of[c] || k == TRANSPORT_NOWHERE)
			continue;
		*plan_of = plan;
		s->movers[nr] = p;
		s->targets[nr++] = any_of(k);
		s->is_free[c] = true;
	}
	return nr;
}

/* Of those who are asked those who move, after the `nr` heads. Returns how many both are. */
static u32 find_asked_movers(struct seating *s, u32 nr)
{
	for (u32 c = 0; c < s->nr_cores && s->nr_asked > 0; c++) {
		struct task_struct *p = s->heads[c];
		if (!p || !is_asked(s, p))
			continue;
		s32 own = scx_bpf_task_cpu(p);
		u32 k = transport_class(s->plan[0], seating_rank(s, p));
		/* Its head goes. */
		bool stays = k == s->class_of[own] && s->is_free[own];
		bool comes = k == s->class_of[c] && s->is_free[c] && !stays;
		if (stays)
			s->is_free[own] = false;
		if (comes)
			s->is_free[c] = false;
		if (stays || k == TRANSPORT_NOWHERE)
			continue;
		s->movers[nr] = p;
		s->targets[nr++] = comes ? (s32)c : any_of(k);
	}
	return nr;
}

/* Names the lowest free core of its class to each of the `nr` that move. */
static void find_targets(struct seating *s, u32 nr)
{
	for (u32 k = 0; k < s->nr_classes; k++)
		s->next_free[s->nr_cores + k] = NO_CPU;
	for (u32 c = s->nr_cores; c-- > 0;)
		if (s->is_free[c])
			list_free(s, (s32)c);
	for (u32 i = 0; i < nr; i++) {
		if (s->targets[i] >= 0)
			continue;
		s32 *head = &s->next_free[s->nr_cores + (u32)(-1 - s->targets[i])];
		s->targets[i] = *head;
		*head = s->next_free[*head];
	}
}

/* Lets a thread that waits go to core `cpu`, unless it would but wait there, too, and no less. */
static bool pull_waiting_thread(struct task_struct *p, s32 cpu)
{
	u32 nr = sahm_nr_on(cpu);
	return (nr == 0 || nr + 1 < sahm_nr_on(scx_bpf_task_cpu(p))) && sahm_move(p, cpu);
}

/* Lets those who have been asked go to their targets, and where a core is idle still, somebody else. Returns how many.
 */
static u32 fill(struct seating *s, u32 first, u32 end)
{
	u32 nr = 0;
	for (u32 i = first; i < end; i++) {
		struct task_struct *p = s->movers[i];
		if (pull_waiting_thread(p, s->targets[i])) {
			nr++;
			continue;
		}
		s->asked_for[p->pid - 1] = NO_CPU;
		drop(s, p);
	}
	for (u32 c = 0; c < s->nr_cores; c++)
		s->nr_asked_of[c] = 0;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		struct task_struct *p = s->has_asked[s->tenant[c]] && is_idle(s, c) ? find_waiting(s, c) : NULL;
		nr += p && sahm_move(p, c);
	}
	return nr;
}

/* They are heads like others from now on, or none at all: earlier answers about their gains are void. */
static void clear_asked(struct seating *s)
{
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->heads[c];
		if (!p || !is_asked(s, p))
			continue;
		s->asked_for[p->pid - 1] = NO_CPU;
		drop(s, p);
	}
	s->nr_asked = 0;
}

u32 seating_carry_out(struct seating *s)
{
	u32 nr_heads = 0;
	s->some_move = s->nr_asked > 0;
	for (u32 i = 0; i < s->nr_plans; i++)
		s->some_move |= transport_nr_away(s->plan[i]) > 0;
	if (!s->some_move)
		return 0;
	begin_plans(s);
	for (u32 i = 0; i < s->nr_plans; i++)
		nr_heads = find_movers(s, i, nr_heads);
	u32 nr = find_asked_movers(s, nr_heads);
	if (nr == 0 && s->nr_asked == 0)
		return 0;
	find_targets(s, nr);
	u32 nr_moved = nr_heads > 0 && sahm_permute(s->movers, s->targets, nr_heads) ? nr_heads : 0;
	if (s->nr_asked > 0) {
		nr_moved += fill(s, nr_heads, nr);
		clear_asked(s);
	}
	for (u32 c = 0; c < s->nr_cores; c++)
		s->heads[c] = sahm_head((s32)c);
	return nr_moved;
}

bool seating_trade(struct seating *s, struct task_struct *a, struct task_struct *b)
{
	s32 on_a = scx_bpf_task_cpu(a), on_b = scx_bpf_task_cpu(b);
	if (!sahm_swap(a, b))
		return false;
	drop(s, a);
	drop(s, b);
	s->heads[on_a] = sahm_head(on_a);
	s->heads[on_b] = sahm_head(on_b);
	return true;
}
