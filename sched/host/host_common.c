/* What the files of the host share: how a policy fails, where a thread may run, and its queues by number. */
#include <stdarg.h>
#include <stdio.h>

#include "sched/host/host_internal.h"

void host_fail(struct host *h, enum scx_exit_kind kind, const char *fmt, ...)
{
	char text[SAHM_ERR_BYTES];
	va_list args;
	if (h->has_failed)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	h->has_failed = true;
	h->is_marked = true;
	h->exit_kind = kind;
	sahm_fail(&h->err, SAHM_POLICY, "policy '%s' at %llu.%06llu ms: %s", h->ops->name,
		  (unsigned long long)(h->now / 1000000), (unsigned long long)(h->now % 1000000), text);
}

void host_charge(struct host *h, struct host_task *p, u32 from, u32 to)
{
	p->debt_ns = debt_after_move_ns(p->debt_ns, distance_cost_ns(h->distances, h->nr_cpus, from, to));
	p->cold_ns = h->warmup_ns;
	p->migrations++;
	p->home = (s32)to;
	h->engine->moved(h->engine_data, p, from, to);
}

u32 host_emptiest_core(const struct host *h, const struct host_task *p)
{
	u32 best = UINT32_MAX, fewest = UINT32_MAX;
	for (u32 cpu = 0; cpu < h->nr_cpus; cpu++) {
		u32 nr = h->cpus[cpu].local.nr + (h->cpus[cpu].curr != NULL);
		if (nr < fewest && host_may_run(p, cpu)) {
			best = cpu;
			fewest = nr;
		}
	}
	return best;
}

u32 host_first_allowed(const struct host *h, const struct host_task *p)
{
	u32 cpu = 0;
	while (cpu + 1 < h->nr_cpus && !host_may_run(p, cpu))
		cpu++;
	return cpu;
}

u32 host_count_allowed(const struct host *h, const struct host_task *p)
{
	u32 nr = 0;
	for (u32 cpu = 0; cpu < h->nr_cpus; cpu++)
		nr += host_may_run(p, cpu);
	return nr;
}

struct dsq *host_find_queue(const struct host *h, u64 id)
{
	u32 from = 0, to = h->nr_user;
	while (from < to) {
		u32 middle = (from + to) / 2;
		if (h->user[middle]->id < id)
			from = middle + 1;
		else
			to = middle;
	}
	return from < h->nr_user && h->user[from]->id == id ? h->user[from] : NULL;
}
