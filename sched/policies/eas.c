/* After Linux's energy-aware scheduling (EAS): a thread that wakes goes where the chip's power is lowest with it.
 *
 * Utilisation. A thread's is the share of time for which it ran of late, times the capacity of the core at its level:
 * an average whose weights halve every 32 ms (PELT). A core's is the sum over the threads that are on it or slept there
 * last. Capacity is a core's speed, the mean over all states. A core's level is the slowest with a capacity of at least
 * 1.25 x its utilisation (schedutil), set when a thread joins it and at the beginning of each timestep.
 *
 * Placement. Of each kind of core, the one with the most spare capacity is a candidate, if the thread leaves a fifth of
 * it free; so is the core where the thread was, which wins ties. The thread goes to the candidate with which the power
 * of all cores (energy_model.h) is lowest. While a core is more than 80 % utilised, that is off: the thread stays if
 * its core is idle and fast enough, or goes to an idle core that is, or to the fastest idle one, and waits where it was
 * when there is none; idle cores take threads that wait, others even out numbers by capacity, and a thread that runs on
 * too slow a core goes to a faster idle one. A new thread goes to the fastest idle core. Threads of a core share it by
 * weight, in slices of 3 ms.
 *
 * Rules as of Linux since 2022 (LWN 899303): before, a move had to save 6.25 % of the power of the whole chip,
 * which none does with the threads of configs/sm8150.cfg. Sources:
 * Linux, Documentation/scheduler/sched-energy.rst; kernel/sched/fair.c (find_energy_efficient_cpu(),
 * select_idle_capacity()); kernel/sched/pelt.c; kernel/sched/cpufreq_schedutil.c.
 * Different from it: each core is a performance domain, since levels are set for each core, also where silicon has one
 * clock for several; there is no util_est, and no uclamp. Times are in proportion to the timestep: those above hold
 * where it is 10 ms. While a core is more than 80 % utilised, the kernel's load balancing is much more elaborate.
 *
 * Does badly: on a chip for which no powers are known, and wherever one thread never sleeps: placement is not by energy
 * there, as in the kernel. It ignores static power, what migrations cost, and what cores are specialised for. Three
 * threads that never sleep get unequal shares of two equal cores.
 */
#include <errno.h>
#include <string.h>

#include "cores/chip/core.h"
#include "cores/chip/level.h"
#include "sched/policies/energy_model.h"
#include "sched/policies/policies.h"
#include "sched/policies/tenants.h"
#include "sim/base/arena.h"

/* In tenths of a timestep. */
#define HALF_LIFE_TENTHS UINT64_C(32)
#define SLICE_TENTHS 3u
#define DEFAULT_WEIGHT 100u
/* A thread of less weight than this has shorter slices instead of longer waits. */
#define FULL_SLICE_WEIGHT 10u
/* Parts of a half-life down to which decay is exact: 2^-FRACTION_BITS. */
#define FRACTION_BITS 20u

/* Cores of equal tables. */
struct kind {
	struct energy_table table;
	/* While a thread is placed: the core with the most spare capacity, below 0: none, and how much that is. */
	s32 candidate;
	u64 spare;
};

struct eas_core {
	struct kind *kind;
	bool has_power; /* at each level */
	struct task_struct *curr;
	u64 util, at;	/* when it was that */
	u64 vtime;	/* that a new thread begins with */
	s32 pulls_from; /* a core whose first waiting thread it is to take; below 0: none */
	/* Of the tenant whose first core this is, as of the last pass: */
	bool is_over_utilised;
	s32 largest_idle; /* below 0: none */
	s32 emptiest;	  /* for its capacity */
};

struct eas {
	struct arena arena;
	u32 nr_cores, nr_kinds;
	u64 half_life_ns, slice_ns;
	struct eas_core *cores; /* [nr_cores] */
	struct kind *kinds;	/* [nr_kinds], with room for as many as cores */
	s32 *tenant;		/* [nr_cores]: the first core of its tenant */
};

struct eas_task {
	u64 util, at;
	u64 since; /* it runs: until then its vtime is accounted for */
	s32 cpu;
	bool is_on_core; /* it is part of a core's utilisation */
};

static struct eas_core *core_of(s32 cpu)
{
	const struct eas *st = sahm_state();
	return &st->cores[cpu];
}

static struct eas_core *tenant_of(s32 cpu)
{
	const struct eas *st = sahm_state();
	return &st->cores[st->tenant[cpu]];
}

/* Utilisation */

/* `value`, half of it after each half-life. */
static u64 decayed(u64 value, u64 ns)
{
	/* 2^32 x 2^-(1/2), 2^-(1/4), ... */
	static const u32 roots[FRACTION_BITS] = {
		0xb504f333u, 0xd744fccau, 0xeac0c6e7u, 0xf5257d15u, 0xfa83b2dbu, 0xfd3e0c0cu, 0xfe9e115cu,
		0xff4ecb59u, 0xffa75652u, 0xffd3a751u, 0xffe9d2b2u, 0xfff4e91bu, 0xfffa747eu, 0xfffd3a3bu,
		0xfffe9d1cu, 0xffff4e8eu, 0xffffa747u, 0xffffd3a3u, 0xffffe9d1u, 0xfffff4e8u,
	};
	const struct eas *st = sahm_state();
	u64 lives = sahm_scale(ns, UINT64_C(1) << FRACTION_BITS, st->half_life_ns);
	if (lives >> FRACTION_BITS >= 64)
		return 0;
	value >>= lives >> FRACTION_BITS;
	for (u32 i = 0; i < FRACTION_BITS; i++)
		if (lives >> (FRACTION_BITS - 1 - i) & 1)
			value = sahm_scale(value, roots[i], UINT64_C(1) << 32);
	return value;
}

/* Brings a utilisation up to now; it grows if a thread runs on `cpu`. */
static void advance(u64 *util, u64 *at, s32 cpu, bool runs)
{
	u64 now = scx_bpf_now(), ns = now - *at;
	if (ns == 0)
		return;
	*at = now;
	*util = decayed(*util, ns);
	if (!runs)
		return;
	u64 capacity = core_of(cpu)->kind->table.levels[sahm_level(cpu)].capacity;
	*util += capacity - decayed(capacity, ns);
}

static u64 core_util(s32 cpu)
{
	struct eas_core *c = core_of(cpu);
	advance(&c->util, &c->at, cpu, c->curr);
	return c->util;
}

static u64 task_util(const struct task_struct *p)
{
	struct eas_task *t = sahm_task_state(p);
	advance(&t->util, &t->at, t->cpu, t->is_on_core && core_of(t->cpu)->curr == p);
	return t->util;
}

static u64 capacity_of(s32 cpu)
{
	const struct energy_table *table = &core_of(cpu)->kind->table;
	return table->levels[table->nr - 1].capacity;
}

/* Whether `util` leaves a fifth of a core free; the kernel's fits_capacity(). */
static bool fits(u64 util, s32 cpu)
{
	return util * 1280 < capacity_of(cpu) * 1024;
}

/* Capacity that schedutil wants for a utilisation. */
static u64 wanted(u64 util)
{
	return util + util / 4;
}

static void set_level(s32 cpu)
{
	sahm_set_perf(cpu, energy_level_for(&core_of(cpu)->kind->table, wanted(core_util(cpu))));
}

/* Thread `p` is on `cpu` from now on: so are its utilisation, and its place in the order of vtimes. */
static void join(struct task_struct *p, s32 cpu)
{
	struct eas_task *t = sahm_task_state(p);
	struct eas_core *to = core_of(cpu);
	if (t->is_on_core && t->cpu == cpu)
		return;
	if (t->is_on_core) {
		struct eas_core *from = core_of(t->cpu);
		u64 util = task_util(p), sum = core_util(t->cpu);
		from->util = sum > util ? sum - util : 0;
		p->scx.dsq_vtime += to->vtime - from->vtime;
	} else {
		/* New: as the kernel does, it is taken to need half of what is free. */
		u64 capacity = capacity_of(cpu), sum = core_util(cpu);
		t->util = sum < capacity ? (capacity - sum) / 2 : 0;
		t->at = scx_bpf_now();
		p->scx.dsq_vtime = to->vtime;
	}
	t->is_on_core = true;
	t->cpu = cpu;
	to->util = core_util(cpu) + t->util;
}

/* Placement */

static u32 nr_on(s32 cpu)
{
	return sahm_nr_on(cpu) + (u32)scx_bpf_dsq_nr_queued((u64)cpu);
}

/* Threads of a core that gets one more; an idle core counts as empty even then. */
static u64 nr_with_another(s32 cpu)
{
	u64 nr = nr_on(cpu);
	return nr > 0 ? nr + 1 : 0;
}

/* Whether core `a` would have fewer threads for its capacity than `b`. */
static bool is_emptier(s32 a, s32 b)
{
	return nr_with_another(a) * capacity_of(b) < nr_with_another(b) * capacity_of(a);
}

static u64 core_power_uw(s32 cpu, u64 util)
{
	return energy_power_uw(&core_of(cpu)->kind->table, wanted(util), util);
}

/* What the core draws more with a thread of utilisation `util` than without it, when the other threads have `others`.
 */
static u64 added_uw(s32 cpu, u64 others, u64 util)
{
	return core_power_uw(cpu, others + util) - core_power_uw(cpu, others);
}

/* Utilisation of the core without `p`. */
static u64 others_util(const struct task_struct *p, s32 cpu)
{
	const struct eas_task *t = sahm_task_state(p);
	u64 sum = core_util(cpu), util = t->cpu == cpu ? task_util(p) : 0;
	return sum > util ? sum - util : 0;
}

/* Finds the candidate of each kind. */
static void find_candidates(const struct task_struct *p)
{
	struct eas *st = sahm_state();
	u64 util = task_util(p);
	for (u32 k = 0; k < st->nr_kinds; k++)
		st->kinds[k].candidate = -1;
	for (s32 c = 0; c < (s32)st->nr_cores; c++) {
		struct kind *kind = st->cores[c].kind;
		if (!bpf_cpumask_test_cpu((u32)c, p->cpus_ptr))
			continue;
		u64 with = others_util(p, c) + util;
		if (!fits(with, c) || (kind->candidate >= 0 && kind->spare >= capacity_of(c) - with))
			continue;
		kind->candidate = c;
		kind->spare = capacity_of(c) - with;
	}
}

static s32 efficient_core(const struct task_struct *p, s32 prev_cpu)
{
	struct eas *st = sahm_state();
	u64 util = task_util(p), least = UINT64_MAX, others = others_util(p, prev_cpu);
	s32 best = prev_cpu;
	find_candidates(p);
	if (fits(others + util, prev_cpu))
		least = added_uw(prev_cpu, others, util);
	for (u32 k = 0; k < st->nr_kinds; k++) {
		s32 c = st->kinds[k].candidate;
		u64 uw = c < 0 ? UINT64_MAX : added_uw(c, others_util(p, c), util);
		if (uw < least) {
			least = uw;
			best = c;
		}
	}
	return best;
}

/* Where energy does not count. */
static s32 capable_core(const struct task_struct *p, s32 prev_cpu, bool is_new)
{
	const struct eas *st = sahm_state();
	u64 util = task_util(p);
	s32 idle = -1, emptiest = prev_cpu;
	if (!is_new && nr_on(prev_cpu) == 0 && fits(util, prev_cpu))
		return prev_cpu;
	for (s32 c = 0; c < (s32)st->nr_cores; c++) {
		if (!bpf_cpumask_test_cpu((u32)c, p->cpus_ptr))
			continue;
		if (nr_on(c) == 0) {
			if (!is_new && fits(util, c))
				return c;
			if (idle < 0 || capacity_of(c) > capacity_of(idle))
				idle = c;
		} else if (is_emptier(c, emptiest)) {
			emptiest = c;
		}
	}
	return idle >= 0 ? idle : is_new ? emptiest : prev_cpu;
}

static s32 select_cpu(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	if (!bpf_cpumask_test_cpu((u32)prev_cpu, p->cpus_ptr))
		prev_cpu = (s32)bpf_cpumask_first(p->cpus_ptr);
	if (wake_flags & SCX_WAKE_FORK || tenant_of(prev_cpu)->is_over_utilised)
		return capable_core(p, prev_cpu, wake_flags & SCX_WAKE_FORK);
	return efficient_core(p, prev_cpu);
}

/* Queues */

static u64 slice_of(const struct task_struct *p)
{
	const struct eas *st = sahm_state();
	return p->scx.weight < FULL_SLICE_WEIGHT ? st->slice_ns * p->scx.weight / FULL_SLICE_WEIGHT : st->slice_ns;
}

/* Accounts for what the thread that runs on `cpu` has run. The core's vtime follows it, or the first that waits there
 * if that has had less; it never goes back. */
static void account(s32 cpu)
{
	struct eas_core *c = core_of(cpu);
	struct task_struct *p = c->curr;
	const struct task_struct *first = scx_bpf_dsq_peek((u64)cpu);
	if (!p)
		return;
	struct eas_task *t = sahm_task_state(p);
	u64 now = scx_bpf_now(), vtime = p->scx.dsq_vtime + sahm_scale(now - t->since, DEFAULT_WEIGHT, p->scx.weight);
	p->scx.dsq_vtime = vtime;
	t->since = now;
	if (first && time_before64(first->scx.dsq_vtime, vtime))
		vtime = first->scx.dsq_vtime;
	if (time_before64(c->vtime, vtime))
		c->vtime = vtime;
}

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	s32 cpu = scx_bpf_task_cpu(p);
	struct eas_core *c = core_of(cpu);
	account(cpu);
	join(p, cpu);
	/* A thread that slept has credit for a slice. */
	u64 earliest = c->vtime - slice_of(p), vtime = p->scx.dsq_vtime;
	scx_bpf_dsq_insert_vtime(p, (u64)cpu, slice_of(p), time_before64(vtime, earliest) ? earliest : vtime,
				 enq_flags);
	set_level(cpu);
	if (!fits(core_util(cpu), cpu))
		tenant_of(cpu)->is_over_utilised = true;
	if (!c->curr)
		scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
	else if (c->curr->scx.slice == SCX_SLICE_INF)
		scx_bpf_task_set_slice(c->curr, slice_of(c->curr));
}

/* Whether it evens out numbers of threads by capacity that `to` takes one from `from`; an idle core always may. */
static bool evens_out(s32 from, s32 to)
{
	return nr_with_another(to) * capacity_of(from) < nr_on(from) * capacity_of(to);
}

/* Takes a thread that waits on another core, the fullest by capacity, for a core that is idle. False: there is none. */
static bool pull(s32 cpu)
{
	const struct eas *st = sahm_state();
	s32 best = -1;
	for (s32 c = 0; c < (s32)st->nr_cores; c++) {
		if (st->tenant[c] != st->tenant[cpu] || !st->cores[c].curr)
			continue;
		const struct task_struct *first = scx_bpf_dsq_peek((u64)c);
		if (!first || !bpf_cpumask_test_cpu((u32)cpu, first->cpus_ptr))
			continue;
		if (best < 0 || is_emptier(best, c))
			best = c;
	}
	return best >= 0 && scx_bpf_dsq_move_to_local((u64)best, 0);
}

static void dispatch(s32 cpu, struct task_struct *prev)
{
	struct eas_core *c = core_of(cpu);
	const struct task_struct *first = scx_bpf_dsq_peek((u64)cpu);
	s32 from = c->pulls_from;
	c->pulls_from = -1;
	if (from >= 0 && scx_bpf_dsq_move_to_local((u64)from, 0))
		return;
	if (!prev && !first && tenant_of(cpu)->is_over_utilised && pull(cpu))
		return;
	account(cpu);
	if (!prev || (first && time_before64(first->scx.dsq_vtime, prev->scx.dsq_vtime)))
		scx_bpf_dsq_move_to_local((u64)cpu, 0);
	else
		scx_bpf_task_set_slice(prev, first ? slice_of(prev) : SCX_SLICE_INF);
}

static void running(struct task_struct *p)
{
	struct eas_task *t = sahm_task_state(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct eas_core *c = core_of(cpu);
	join(p, cpu);
	task_util(p);
	core_util(cpu);
	c->curr = p;
	t->since = scx_bpf_now();
	p->scx.slice = scx_bpf_dsq_nr_queued((u64)cpu) > 0 ? slice_of(p) : SCX_SLICE_INF;
}

static void stopping(struct task_struct *p, bool runnable)
{
	const struct eas_task *t = sahm_task_state(p);
	struct eas_core *c = core_of(t->cpu);
	(void)runnable;
	if (c->curr != p)
		return;
	account(t->cpu);
	task_util(p);
	core_util(t->cpu);
	c->curr = NULL;
}

/* It leaves no utilisation. */
static void exit_task(struct task_struct *p, struct scx_exit_task_args *args)
{
	struct eas_task *t = sahm_task_state(p);
	(void)args;
	if (!t->is_on_core)
		return;
	core_of(t->cpu)->util = others_util(p, t->cpu);
	t->is_on_core = false;
}

/* Timesteps */

/* Sets levels, and finds out about each tenant. */
static void look_at_cores(const struct eas *st)
{
	for (s32 c = 0; c < (s32)st->nr_cores; c++) {
		struct eas_core *core = &st->cores[c], *tenant = tenant_of(c);
		if (tenant == core) {
			core->is_over_utilised = false;
			core->largest_idle = -1;
			core->emptiest = c;
		}
		set_level(c);
		tenant->is_over_utilised |= !core->has_power || !fits(core->util, c);
		s32 idle = tenant->largest_idle;
		if (nr_on(c) == 0 && (idle < 0 || capacity_of(c) > capacity_of(idle)))
			tenant->largest_idle = c;
		if (is_emptier(c, tenant->emptiest))
			tenant->emptiest = c;
	}
}

/* The emptiest core that may take the first thread that waits on `from`; below 0: none, or nobody waits. */
static s32 find_taker(const struct eas *st, s32 from)
{
	const struct task_struct *first = scx_bpf_dsq_peek((u64)from);
	s32 best = -1;
	if (!first || !evens_out(from, tenant_of(from)->emptiest))
		return -1;
	for (s32 c = 0; c < (s32)st->nr_cores; c++)
		if (c != from && st->cores[c].pulls_from < 0 && bpf_cpumask_test_cpu((u32)c, first->cpus_ptr) &&
		    evens_out(from, c) && (best < 0 || is_emptier(c, best)))
			best = c;
	return best;
}

/* Where a core is more than 80 % utilised: a thread that runs on too slow a core goes to the largest idle one, and the
 * emptiest cores take threads that wait. */
static u64 pass(u64 now)
{
	const struct eas *st = sahm_state();
	(void)now;
	look_at_cores(st);
	for (s32 c = 0; c < (s32)st->nr_cores; c++) {
		struct eas_core *core = &st->cores[c], *tenant = tenant_of(c);
		if (!tenant->is_over_utilised)
			continue;
		s32 idle = tenant->largest_idle;
		if (core->curr && idle >= 0 && capacity_of(idle) > capacity_of(c) && !fits(task_util(core->curr), c) &&
		    sahm_move(core->curr, idle)) {
			tenant->largest_idle = -1;
			continue;
		}
		s32 taker = find_taker(st, c);
		if (taker >= 0) {
			st->cores[taker].pulls_from = c;
			scx_bpf_kick_cpu(taker, SCX_KICK_PREEMPT);
		}
	}
	return 0;
}

/* Chips */

static u32 read_levels(s32 cpu, struct energy_level levels[MAX_LEVELS])
{
	u32 nr = sahm_nr_levels(cpu);
	for (u32 l = 0; l < nr; l++) {
		for (u32 s = 0; s < NR_STATES; s++) {
			levels[l].capacity += (u64)(1000000 + sahm_level_ppm(cpu, l, s));
			levels[l].power_uw += sahm_level_power_uw(cpu, l, s);
		}
		levels[l].capacity = (levels[l].capacity + NR_STATES - 1) / NR_STATES;
		levels[l].power_uw /= NR_STATES;
	}
	energy_find_inefficient(levels, nr);
	return nr;
}

/* The kind of such cores; NULL: memory is short. */
static struct kind *find_kind(struct eas *st, const struct energy_level *levels, u32 nr)
{
	for (u32 k = 0; k < st->nr_kinds; k++) {
		const struct energy_table *table = &st->kinds[k].table;
		if (table->nr == nr && memcmp(table->levels, levels, nr * sizeof(*levels)) == 0)
			return &st->kinds[k];
	}
	struct energy_level *copy = arena_alloc(&st->arena, nr, sizeof(*copy));
	if (!copy)
		return NULL;
	memcpy(copy, levels, nr * sizeof(*copy));
	st->kinds[st->nr_kinds].table = (struct energy_table){nr, copy};
	return &st->kinds[st->nr_kinds++];
}

static s32 init_core(struct eas *st, s32 cpu)
{
	struct energy_level levels[MAX_LEVELS] = {{0}};
	struct eas_core *c = &st->cores[cpu];
	u32 nr = read_levels(cpu, levels);
	c->kind = find_kind(st, levels, nr);
	if (!c->kind)
		return -ENOMEM;
	c->pulls_from = -1;
	c->has_power = true;
	for (u32 l = 0; l < nr; l++)
		c->has_power = c->has_power && levels[l].power_uw > 0;
	return scx_bpf_create_dsq((u64)cpu, -1);
}

static s32 init(void)
{
	struct eas *st = sahm_state();
	arena_init(&st->arena);
	st->nr_cores = scx_bpf_nr_cpu_ids();
	st->half_life_ns = sahm_scale(sahm_timestep_ns(), HALF_LIFE_TENTHS, 10);
	st->slice_ns = sahm_scale(sahm_timestep_ns(), SLICE_TENTHS, 10);
	st->cores = arena_alloc(&st->arena, st->nr_cores, sizeof(*st->cores));
	st->kinds = arena_alloc(&st->arena, st->nr_cores, sizeof(*st->kinds));
	st->tenant = arena_alloc(&st->arena, st->nr_cores, sizeof(*st->tenant));
	if (!st->cores || !st->kinds || !st->tenant)
		return -ENOMEM;
	tenants_init(st->tenant);
	s32 error = 0;
	for (s32 c = 0; c < (s32)st->nr_cores && error == 0; c++)
		error = init_core(st, c);
	return error;
}

static void set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct eas *st = sahm_state();
	(void)cpumask;
	tenants_link(st->tenant, p);
}

static void finish(struct scx_exit_info *info)
{
	struct eas *st = sahm_state();
	(void)info;
	arena_release(&st->arena);
}

extern const struct sched_ext_ops sched_policy_eas;
const struct sched_ext_ops sched_policy_eas = {
	.name = "eas",
	.summary = "threads that wake go where the chip's power stays lowest, like Linux's EAS",
	.init = init,
	.exit = finish,
	.exit_task = exit_task,
	.select_cpu = select_cpu,
	.enqueue = enqueue,
	.dispatch = dispatch,
	.running = running,
	.stopping = stopping,
	.set_cpumask = set_cpumask,
	.sahm_pass = pass,
	.sahm_state_bytes = sizeof(struct eas),
	.sahm_task_state_bytes = sizeof(struct eas_task),
};
