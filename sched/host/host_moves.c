/* Moves that a pass makes. */
#include "sched/host/host_internal.h"

struct host_task *host_head(const struct host *h, u32 cpu)
{
	const struct host_cpu *c = &h->cpus[cpu];
	return c->curr ? c->curr : c->local.first;
}

/* Stops `p`, which runs, and puts it at the front of the queue of `cpu`. */
static void lift_to(struct host *h, struct host_task *p, u32 cpu)
{
	dsq_prepend(&h->cpus[cpu].local, host_stop(h, (u32)p->cpu, true));
	p->cpu = (s32)cpu;
}

/* A thread that runs is put at the front of its queue, from where it can go elsewhere. */
static void lift(struct host *h, struct host_task *p)
{
	if (p->is_running)
		lift_to(h, p, (u32)p->cpu);
}

static bool is_on_core(const struct host *h, const struct host_task *p)
{
	return p->is_running || (p->node.dsq && p->node.dsq == &h->cpus[p->cpu].local);
}

bool host_move(struct host *h, struct host_task *p, u32 cpu)
{
	struct host_cpu *c = &h->cpus[cpu];
	if (!is_on_core(h, p) || (u32)p->cpu == cpu || !host_may_run(p, cpu))
		return false;
	lift(h, p);
	dsq_remove(p);
	host_charge(h, p, (u32)p->cpu, cpu);
	p->cpu = (s32)cpu;
	dsq_append(&c->local, p);
	if (!c->curr)
		host_look(h, cpu);
	else
		host_end_turn(h, cpu);
	h->decisions++;
	return true;
}

bool host_swap(struct host *h, struct host_task *a, struct host_task *b)
{
	u32 from = (u32)a->cpu, to = (u32)b->cpu;
	if (!is_on_core(h, a) || !is_on_core(h, b) || from == to || !host_may_run(a, to) || !host_may_run(b, from))
		return false;
	if (a->is_running && b->is_running) {
		lift_to(h, a, to);
		lift_to(h, b, from);
	} else {
		lift(h, a);
		lift(h, b);
		dsq_trade(a, b);
		a->cpu = (s32)to;
		b->cpu = (s32)from;
	}
	host_charge(h, a, from, to);
	host_charge(h, b, to, from);
	h->decisions++;
	return true;
}

static void put_in(uint64_t *set, u32 cpu)
{
	set[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static void take_out(uint64_t *set, u32 cpu)
{
	set[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

/* Whether `cpus` are the cores of `threads`, which are heads, and idle ones, each once. */
static bool is_permutation(struct host *h, struct task_struct *const *threads, const s32 *cpus, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		struct host_task *p = host_task_of(threads[i]);
		if (cpus[i] < 0 || (u32)cpus[i] >= h->nr_cpus || !is_on_core(h, p) || p->cpu == cpus[i] ||
		    host_head(h, (u32)p->cpu) != p || !host_may_run(p, (u32)cpus[i]))
			return false;
	}
	/* No core is entered or left twice, and none entered that keeps its head. */
	uint64_t *entered = h->entered;
	bool ok = true;
	for (u32 i = 0; i < nr && ok; i++) {
		ok = !core_set_has(entered, (u32)cpus[i]);
		put_in(entered, (u32)cpus[i]);
	}
	for (u32 i = 0; i < nr; i++) {
		u32 cpu = (u32)host_task_of(threads[i])->cpu;
		ok &= !core_set_has(h->left, cpu);
		put_in(h->left, cpu);
	}
	for (u32 i = 0; i < nr && ok; i++)
		ok = core_set_has(h->left, (u32)cpus[i]) || !host_head(h, (u32)cpus[i]);
	for (u32 i = 0; i < nr; i++) {
		take_out(entered, (u32)cpus[i]);
		take_out(h->left, (u32)host_task_of(threads[i])->cpu);
	}
	return ok;
}

bool host_permute(struct host *h, struct task_struct *const *threads, const s32 *cpus, u32 nr)
{
	if (nr > h->nr_cpus || !is_permutation(h, threads, cpus, nr))
		return false;
	for (u32 i = 0; i < nr; i++) {
		struct host_task *p = host_task_of(threads[i]);
		lift(h, p);
		dsq_remove(p);
	}
	for (u32 i = 0; i < nr; i++) {
		struct host_task *p = host_task_of(threads[i]);
		host_charge(h, p, (u32)p->cpu, (u32)cpus[i]);
		p->cpu = cpus[i];
		dsq_prepend(&h->cpus[cpus[i]].local, p);
		host_look(h, (u32)cpus[i]);
	}
	h->decisions += nr;
	return true;
}
