#include "sched/seating.h"

#define NO_CPU (-1)

/* The sets of allowed cores that there are, each once: threads without a restriction have none. */
struct sets {
	const struct task_struct **threads; /* one for each */
	u32 nr;
};

static bool find_sets(struct sets *sets, struct arena *a, u32 nr_cores)
{
	const struct cpumask *last = NULL;
	sets->nr = 0;
	sets->threads = arena_alloc(a, sahm_nr_tasks(), sizeof(struct task_struct *));
	for (u32 t = 0; sets->threads && t < sahm_nr_tasks(); t++) {
		const struct task_struct *p = sahm_task(t);
		bool is_new = (u32)p->nr_cpus_allowed < nr_cores && p->cpus_ptr != last;
		/* Few, if they are shared; if they are not, it only takes longer. */
		for (u32 i = 0; i < sets->nr && i < 64 && is_new; i++)
			is_new = sets->threads[i]->cpus_ptr != p->cpus_ptr;
		if (is_new)
			sets->threads[sets->nr++] = p;
		last = p->cpus_ptr;
	}
	return sets->threads;
}

static bool is_flat(u32 nr_cores, u64 *cost_ns)
{
	*cost_ns = nr_cores > 1 ? sahm_move_cost_ns(0, 1) : 0;
	for (s32 from = 0; from < (s32)nr_cores; from++)
		for (s32 to = 0; to < (s32)nr_cores; to++)
			if (from != to && sahm_move_cost_ns(from, to) != *cost_ns)
				return false;
	return true;
}

static bool cost_alike(s32 a, s32 b, u32 nr_cores)
{
	for (s32 other = 0; other < (s32)nr_cores; other++) {
		if (other != a && other != b &&
		    (sahm_move_cost_ns(other, a) != sahm_move_cost_ns(other, b) ||
		     sahm_move_cost_ns(a, other) != sahm_move_cost_ns(b, other)))
			return false;
	}
	return true;
}

static bool are_alike(const struct seating *s, const struct sets *sets, s32 a, s32 b)
{
	for (u32 state = 0; state < NR_STATES; state++)
		if (sahm_speedup_ppm(a, state) != sahm_speedup_ppm(b, state) ||
		    sahm_serves(a, state) != sahm_serves(b, state) || sahm_matches(a, state) != sahm_matches(b, state))
			return false;
	for (u32 i = 0; i < sets->nr; i++)
		if (bpf_cpumask_test_cpu((u32)a, sets->threads[i]->cpus_ptr) !=
		    bpf_cpumask_test_cpu((u32)b, sets->threads[i]->cpus_ptr))
			return false;
	return s->is_flat || cost_alike(a, b, s->nr_cores);
}

/* Each core is compared with the first one of each class. That is enough: what is said of two cores and all others is
 * said of either with the first one, of all that are not of the class. */
static void find_classes(struct seating *s, const struct sets *sets)
{
	s->is_flat = is_flat(s->nr_cores, &s->cost_ns);
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		u32 k = 0;
		while (k < s->nr_classes && !are_alike(s, sets, s->first[k], c))
			k++;
		if (k == s->nr_classes)
			s->first[s->nr_classes++] = c;
		s->class_of[c] = k;
		s->capacity[k]++;
	}
}

/* Who is put out makes room for others along a way through all classes at most; so it must be worth more than what
 * these gain. */
static void fit(struct seating *s, s64 max_gain)
{
	s64 ways = 2 * ((s64)s->nr_classes + 2), room = transport_max_value(s->transport) / (ways + 1);
	while (max_gain >> s->shift >= room)
		s->shift++;
	s->offset = ways * ((max_gain >> s->shift) + 1);
}

bool seating_init(struct seating *s, struct arena *a, s64 max_gain)
{
	struct sets sets;
	u32 nr = scx_bpf_nr_cpu_ids();
	*s = (struct seating){
		.nr_cores = nr,
		.class_of = arena_alloc(a, nr, sizeof(*s->class_of)),
		.first = arena_alloc(a, nr, sizeof(*s->first)),
		.capacity = arena_alloc(a, nr, sizeof(*s->capacity)),
		.heads = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.was = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.holders = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.held_until = arena_alloc(a, nr, sizeof(*s->held_until)),
		.values = arena_alloc(a, nr, sizeof(*s->values)),
		.movers = arena_alloc(a, nr, sizeof(struct task_struct *)),
		.targets = arena_alloc(a, nr, sizeof(*s->targets)),
		.is_free = arena_alloc(a, nr, sizeof(*s->is_free)),
		.next_free = arena_alloc(a, 2 * (size_t)nr, sizeof(*s->next_free)),
	};
	if (!s->class_of || !s->first || !s->capacity || !s->heads || !s->was || !s->holders || !s->held_until ||
	    !s->values || !s->movers || !s->targets || !s->is_free || !s->next_free || !find_sets(&sets, a, nr))
		return false;
	find_classes(s, &sets);
	s->transport = transport_new(a, sahm_nr_tasks(), nr, s->nr_classes, s->capacity);
	if (!s->transport)
		return false;
	fit(s, max_gain);
	return true;
}

/* The thread that is to come to idle core `cpu`: of those that wait, from the longest queue, whoever gains most there;
 * the lowest core and the first in its queue on a tie. */
static struct task_struct *find_waiting(const struct seating *s, s32 cpu)
{
	struct task_struct *best = NULL;
	u32 longest = 1;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		s32 best_ppm = 0;
		if (sahm_nr_on(c) <= longest)
			continue;
		bool found = false;
		for (struct task_struct *p = sahm_next(sahm_head(c)); p; p = sahm_next(p)) {
			u32 state = sahm_observed_state(p);
			s32 ppm = state == STATE_NONE ? 0 : sahm_speedup_ppm(cpu, state);
			if (!bpf_cpumask_test_cpu((u32)cpu, p->cpus_ptr) || (found && ppm <= best_ppm))
				continue;
			found = true;
			best = p;
			best_ppm = ppm;
		}
		longest = found ? sahm_nr_on(c) : longest;
	}
	return best;
}

/* Keeps the seat of a thread that has fallen asleep at the head of core `cpu` for a while: nobody else is to have it.
 */
static void hold(struct seating *s, s32 cpu, u64 now)
{
	struct task_struct *p = s->heads[cpu];
	s->holders[cpu] = p;
	s->held_until[cpu] = now + s->hold_ns;
	for (u32 k = 0; k < s->nr_classes; k++)
		s->values[k] = k == s->class_of[cpu] ? s->offset : TRANSPORT_FORBIDDEN;
	transport_set(s->transport, (u32)p->pid - 1, s->values, s->class_of[cpu]);
}

/* Lets go of seats whose thread has woken, or that somebody else has, or that have been kept long enough. */
static void hold_seats(struct seating *s, u64 now)
{
	s->next_free_ns = SAHM_WHEN_CHANGED;
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->holders[c];
		if (p && (now >= s->held_until[c] || sahm_is_runnable(p) || sahm_head((s32)c))) {
			transport_drop(s->transport, (u32)p->pid - 1);
			s->holders[c] = NULL;
		} else if (!p && s->heads[c] && !sahm_head((s32)c) && !sahm_is_runnable(s->heads[c])) {
			hold(s, (s32)c, now);
		}
		if (s->holders[c] && s->held_until[c] < s->next_free_ns)
			s->next_free_ns = s->held_until[c];
	}
}

static bool is_idle(const struct seating *s, s32 cpu)
{
	return sahm_nr_on(cpu) == 0 && !s->holders[cpu];
}

bool seating_begin(struct seating *s, u64 now)
{
	bool some_wait = false, some_idle = false;
	if (s->hold_ns > 0)
		hold_seats(s, now);
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		some_wait |= sahm_nr_on(c) > 1;
		some_idle |= is_idle(s, c);
	}
	for (s32 c = 0; c < (s32)s->nr_cores && some_wait && some_idle; c++) {
		struct task_struct *p = is_idle(s, c) ? find_waiting(s, c) : NULL;
		if (p)
			sahm_move(p, c);
	}
	for (u32 c = 0; c < s->nr_cores; c++) {
		s->was[c] = s->heads[c];
		s->heads[c] = sahm_head((s32)c);
	}
	for (u32 c = 0; c < s->nr_cores; c++) {
		struct task_struct *p = s->was[c];
		if (p && p != s->heads[c] && p != s->holders[c] &&
		    (!sahm_is_runnable(p) || sahm_head(scx_bpf_task_cpu(p)) != p))
			transport_drop(s->transport, (u32)p->pid - 1);
	}
	return some_wait;
}

void seating_set(struct seating *s, struct task_struct *p, const s64 *gain)
{
	bool anywhere = (u32)p->nr_cpus_allowed == s->nr_cores;
	for (u32 k = 0; k < s->nr_classes; k++) {
		bool allowed = anywhere || bpf_cpumask_test_cpu((u32)s->first[k], p->cpus_ptr);
		s->values[k] =
			allowed && gain[k] != SEATING_NEVER ? s->offset + (gain[k] >> s->shift) : TRANSPORT_FORBIDDEN;
	}
	transport_set(s->transport, (u32)p->pid - 1, s->values, s->class_of[scx_bpf_task_cpu(p)]);
}

/* A list of free cores per class, lowest first; its head is behind those of the cores. */
static void list_free(struct seating *s, s32 cpu)
{
	s32 *head = &s->next_free[s->nr_cores + s->class_of[cpu]];
	s->next_free[cpu] = *head;
	*head = cpu;
}

/* Who is to move, and to which core: to the lowest free one of its class. Returns how many. */
static u32 find_movers(struct seating *s)
{
	u32 nr = 0;
	for (u32 c = 0; c < s->nr_cores; c++) {
		s->is_free[c] = !s->heads[c] && !s->holders[c];
		if (!s->heads[c])
			continue;
		u32 k = transport_class(s->transport, (u32)s->heads[c]->pid - 1);
		if (k == s->class_of[c] || k == TRANSPORT_NOWHERE)
			continue;
		s->movers[nr] = s->heads[c];
		s->targets[nr++] = (s32)k;
		s->is_free[c] = true;
	}
	if (nr == 0)
		return 0;
	for (u32 k = 0; k < s->nr_classes; k++)
		s->next_free[s->nr_cores + k] = NO_CPU;
	for (u32 c = s->nr_cores; c-- > 0;)
		if (s->is_free[c])
			list_free(s, (s32)c);
	for (u32 i = 0; i < nr; i++) {
		s32 *head = &s->next_free[s->nr_cores + (u32)s->targets[i]];
		s->targets[i] = *head;
		*head = s->next_free[*head];
	}
	return nr;
}

u32 seating_carry_out(struct seating *s)
{
	u32 nr = find_movers(s);
	if (nr == 0 || !sahm_permute(s->movers, s->targets, nr))
		return 0;
	for (u32 c = 0; c < s->nr_cores; c++)
		s->heads[c] = sahm_head((s32)c);
	return nr;
}
