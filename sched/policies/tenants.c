#include "sched/policies/tenants.h"

void tenants_init(struct tenants *t)
{
	t->nr = scx_bpf_nr_cpu_ids();
	for (u32 c = 0; c < t->nr; c++)
		t->of[c] = c;
}

void tenants_link(struct tenants *t, const struct task_struct *p)
{
	u32 nr_cores = scx_bpf_nr_cpu_ids(), linked = nr_cores;
	for (u32 c = 0; c < nr_cores && t->nr > 1; c++) {
		u32 a = t->of[c], b = linked;
		if (a == b || !bpf_cpumask_test_cpu(c, p->cpus_ptr))
			continue;
		linked = a < b ? a : b;
		if (b == nr_cores)
			continue;
		for (u32 i = 0; i < nr_cores; i++)
			if (t->of[i] == a || t->of[i] == b)
				t->of[i] = linked;
		t->nr--;
	}
}
