#include "sched/policies/tenants.h"

void tenants_init(s32 *of)
{
	for (s32 c = 0; c < (s32)scx_bpf_nr_cpu_ids(); c++)
		of[c] = c;
}

static s32 root_of(const s32 *of, s32 c)
{
	while (of[c] != c)
		c = of[c];
	return c;
}

void tenants_link(s32 *of, const struct task_struct *p)
{
	s32 nr_cores = (s32)scx_bpf_nr_cpu_ids(), first = (s32)bpf_cpumask_first(p->cpus_ptr);
	bool has_linked = false;
	for (s32 c = first; c < nr_cores; c++) {
		if (of[c] == of[first] || !bpf_cpumask_test_cpu((u32)c, p->cpus_ptr))
			continue;
		s32 a = root_of(of, first), b = root_of(of, c);
		of[a > b ? a : b] = a > b ? b : a;
		has_linked = true;
	}
	for (s32 c = 0; c < nr_cores && has_linked; c++)
		of[c] = of[of[c]];
}
