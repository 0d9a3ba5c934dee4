#include "sched/policies/seating_classes.h"

#include "sched/policies/tenants.h"

bool seating_is_flat(u32 nr_cores, u64 *cost_ns)
{
	*cost_ns = nr_cores > 1 ? sahm_move_cost_ns(0, 1) : 0;
	for (s32 from = 0; from < (s32)nr_cores; from++)
		for (s32 to = 0; to < (s32)nr_cores; to++)
			if (from != to && sahm_move_cost_ns(from, to) != *cost_ns)
				return false;
	return true;
}

static bool cost_alike(const struct seating *s, s32 a, s32 b)
{
	for (s32 other = 0; other < (s32)s->nr_cores; other++) {
		if (other != a && other != b && s->tenant[other] == s->tenant[a] &&
		    (sahm_move_cost_ns(other, a) != sahm_move_cost_ns(other, b) ||
		     sahm_move_cost_ns(a, other) != sahm_move_cost_ns(b, other)))
			return false;
	}
	return true;
}

static bool are_alike(const struct seating *s, s32 a, s32 b)
{
	for (u32 state = 0; state < NR_STATES; state++)
		if (sahm_speedup_ppm(a, state) != sahm_speedup_ppm(b, state) ||
		    sahm_serves(a, state) != sahm_serves(b, state) || sahm_matches(a, state) != sahm_matches(b, state))
			return false;
	return s->tenant[a] == s->tenant[b] && (s->is_flat || cost_alike(s, a, b));
}

/* Each core is compared only with the first one of each kind. */
static void find_likes(struct seating *s)
{
	s32 *kinds = s->first;
	u32 nr = 0;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		u32 i = 0;
		while (i < nr && !are_alike(s, kinds[i], c))
			i++;
		if (i == nr)
			kinds[nr++] = c;
		s->like[c] = kinds[i];
	}
}

/* Divides groups of which some cores are in the set and others are not: these become a separate group. */
static void divide(struct seating *s, const struct cpumask *set)
{
	s32 *other = s->targets; /* [group], the first core on the other side */
	bool *is_in = s->is_free;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		s32 first = s->group[c];
		is_in[c] = bpf_cpumask_test_cpu((u32)c, set);
		if (first == c)
			other[c] = c;
		if (is_in[c] == is_in[first])
			continue;
		if (other[first] == first)
			other[first] = c;
		s->group[c] = other[first];
	}
}

/* Whether cores of a group are of one class. They are alike to the first of their kind, and so, as moves to and from
 * all others go, to one another; but that one may be of another class. */
static bool are_one(const struct seating *s, s32 a, s32 b)
{
	s32 like = s->like[a];
	return s->is_flat || like == a || like == b ||
	       (sahm_move_cost_ns(like, a) == sahm_move_cost_ns(like, b) &&
		sahm_move_cost_ns(a, like) == sahm_move_cost_ns(b, like));
}

void seating_find_classes(struct seating *s)
{
	tenants_init(s->tenant);
	for (u32 t = 0; t < sahm_nr_tasks(); t++)
		tenants_link(s->tenant, sahm_task(t));
	find_likes(s);
	for (u32 c = 0; c < s->nr_cores; c++)
		s->group[c] = s->like[c];
	for (u32 t = 0; t < sahm_nr_tasks(); t++) {
		const struct task_struct *p = sahm_task(t);
		if ((u32)p->nr_cpus_allowed < s->nr_cores)
			divide(s, p->cpus_ptr);
	}
	s->nr_classes = 0;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		u32 k = 0;
		while (k < s->nr_classes && (s->group[s->first[k]] != s->group[c] || !are_one(s, s->first[k], c)))
			k++;
		if (k == s->nr_classes) {
			s->first[k] = s->second[k] = c;
			s->capacity[k] = 0;
			s->nr_classes++;
		}
		if (s->capacity[k]++ == 1)
			s->second[k] = c;
		s->class_of[c] = k;
	}
}

bool seating_fits(const struct seating *s, const struct task_struct *p)
{
	if ((u32)p->nr_cpus_allowed == s->nr_cores && s->tenant[s->nr_cores - 1] == 0)
		return true;
	s32 tenant = s->tenant[bpf_cpumask_first(p->cpus_ptr)];
	for (u32 c = 0; c < s->nr_cores; c++) {
		u32 first = (u32)s->first[s->class_of[c]];
		if (s->tenant[c] != tenant && bpf_cpumask_test_cpu(c, p->cpus_ptr))
			return false;
		if (first != c && bpf_cpumask_test_cpu(c, p->cpus_ptr) != bpf_cpumask_test_cpu(first, p->cpus_ptr))
			return false;
	}
	return true;
}
