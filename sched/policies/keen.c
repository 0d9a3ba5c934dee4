/* Looks ahead: what a thread would gain in each class of cores in the time to come, against what it costs everybody who
 * has to move for that.
 *
 * Model. From its own observed history, and a little from that of others of its tenant, follows what share each state
 * will have in a thread's time to come (outlook.h); the further away, the less it counts, with a half-life that grows
 * with the cost of a move: what costs nothing can be done again at once. A thread is worth, in a class of cores, the
 * speedups there, weighed by these shares; in another class than its own, less what the move costs, at the speed that
 * it would have. How far ahead it looks is decided for each thread and pair of classes: under a short horizon, which
 * suits the tenant's largest speedup, a small gain never earns a move, however long it lasts; so for a move that gains
 * under that, a longer one may count instead: its cost is spread over more time, and counts twice. Each tenant is
 * learnt and decided as if there were no others. All heads of queues together are a transportation problem (seating.h),
 * solved exactly and warm-started: so a chain of moves is found where only a chain helps (a thread that gains on two
 * kinds of cores makes room for one that gains on one), every thread in it pays its cost in the sum, and a thread that
 * would gain nothing, as one in Low, is moved only if its core is wanted by more than that costs. A tie moves nobody.
 *
 * A thread's worth is worked out when it is observed in another state, and again whenever its stay has lasted as long
 * as one more of the most frequent stays: then it probably goes on, which is worth moves that a short stay is not. In
 * between nothing new is known, and nothing is done: this makes it stable, not inertia, which it ignores.
 * With more threads than cores heads change places with heads, in every timestep, and idle cores get threads from the
 * longest queues. The core of a thread that sleeps is kept for it for a while, the longer the more a move costs: most
 * sleeps are short.
 *
 * Does badly: while it does not know a thread yet, in its first stays, and when a program changes its habits. Beyond
 * stays that repeat in the same order, it presumes that what comes next depends on the present state and on how long it
 * has lasted. Threads that wait after a head are not part of the optimum, and queues are balanced only for idle cores.
 * It knows nothing of warm-up, and ignores inertia. With more threads than cores
 * and short stays it moves too often. Where threads sleep, their progress is only estimated, and a thread
 * that wakes waits for its core or for the next timestep, however many cores idle: `fair` does better there. Its
 * knowledge of sequences is worth most with programs that repeat themselves, and nothing with those that never do. A
 * thread takes eighteen kilobytes.
 */
#include <errno.h>

#include "sched/policies/outlook.h"
#include "sched/policies/policies.h"
#include "sched/policies/seating.h"

/* Half-life of what is to come, under the shortest horizon: this number of half timesteps, and as long as the largest
 * speedup takes to earn the cost of this number of migrations. */
#define HALF_LIFE_HALVES 3u
#define HALF_LIFE_MOVES 5u
/* A sleeping thread keeps its core for as long as this number of migrations cost: two threads there, and both back. */
#define HOLD_MOVES 4u
#define LONGEST_NS (UINT64_C(1) << 50)
/* A timestep in the units in which durations are learnt. */
#define UNIT_BITS 16
#define LONGEST (UINT64_C(1) << 40)
/* Until stays say otherwise, the most frequent one is so long. */
#define FIRST_LOOK_TIMESTEPS 10u
/* What a move costs counts so much: it may have to be undone; under longer horizons surely. */
#define COST_NUM 6
#define COST_DEN 5
#define LONG_COSTS 2
/* A stay is seen to end up to two timesteps late; this number of halves of one on top of a look. */
#define MARGIN_HALVES 3u
/* Gains are millionths of the time to come, in this number of parts. */
#define GAIN_BITS 16

/* What is learnt of a tenant's threads: nothing that one tenant does may change what another gets. Its times are in
 * units of a timestep (UNIT_BITS), so that results are the same at every scale of time. */
struct keen_tenant {
	struct outlook_common outlook;
	u64 hold_ns;		/* how long seats are kept */
	u64 ahead[NR_HORIZONS]; /* what the time to come amounts to, weighed */
	u64 most;		/* no gain is worth a higher cost than this */
};

struct keen {
	struct arena arena;
	struct seating seating;
	struct keen_tenant *tenants; /* [nr_cores], by the first core */
	u64 last_pass;
	s32 *speedup_ppm; /* [nr_classes][NR_STATES]; there is room for as many classes as cores */
	s64 *gain;	  /* [nr_classes] */
};

struct keen_task {
	struct outlook_thread history;
	u32 after[NR_HORIZONS][NR_STATES]; /* how what comes after its stay is divided */
	u32 stay[NR_HORIZONS];		   /* share of the stay in what is to come, as of the last look */
	u64 stay_ns;			   /* progress since its state was first seen */
	u32 stay_rest;			   /* and millionths of a ns */
	u64 debt_ns;			   /* by our own books */
	u64 next_look_ns;		   /* progress of the stay at which it is looked at again */
	u32 nr_looks;			   /* at this stay so far */
	u64 look_at;			   /* when that will be, if it runs on as it does */
	s32 cpu;
	u32 state;
	bool is_known; /* it has been seen before */
};

static u64 units(u64 ns)
{
	if (ns <= UINT64_MAX >> UNIT_BITS)
		return sahm_div(ns << UNIT_BITS, sahm_timestep_ns());
	return sahm_scale(ns, UINT64_C(1) << UNIT_BITS, sahm_timestep_ns());
}

/* The shortest time that is as long as this number of units. */
static u64 time_of(u64 nr)
{
	__extension__ unsigned __int128 ns = (unsigned __int128)nr * sahm_timestep_ns();
	ns = (ns + (1u << UNIT_BITS) - 1) >> UNIT_BITS;
	return ns < LONGEST_NS ? (u64)ns : LONGEST_NS;
}

/* Mean cost of a move within a tenant, of a sample where there are many cores. */
static u64 mean_cost(const struct seating *s, s32 tenant)
{
	u64 sum = 0, nr = 0;
	u32 own = 0, rank_from = 0;
	if (s->is_flat)
		return units(s->cost_ns);
	for (u32 c = 0; c < s->nr_cores; c++)
		own += s->tenant[c] == tenant;
	const u32 stride = 1 + own / 64;
	for (u32 from = (u32)tenant; from < s->nr_cores; from++) {
		if (s->tenant[from] != tenant || rank_from++ % stride != 0)
			continue;
		for (u32 to = (u32)tenant, rank_to = 0; to < s->nr_cores; to++) {
			if (s->tenant[to] != tenant || rank_to++ % stride != 0 || from == to)
				continue;
			u64 cost = units(sahm_move_cost_ns((s32)from, (s32)to));
			sum += cost < LONGEST ? cost : LONGEST;
			nr++;
		}
	}
	return sahm_div(sum, nr);
}

/* Of the cores of a tenant; below 0: of all. */
static s32 largest_speedup_ppm(const struct seating *s, s32 tenant)
{
	s32 most = 0;
	for (u32 c = 0; c < s->nr_cores; c++)
		for (u32 state = 0; state < NR_STATES && (tenant < 0 || s->tenant[c] == tenant); state++)
			if (sahm_speedup_ppm((s32)c, state) > most)
				most = sahm_speedup_ppm((s32)c, state);
	return most;
}

static u64 half_life(u64 cost, s32 most_ppm)
{
	u64 earning = sahm_scale(cost < LONGEST ? cost * HALF_LIFE_MOVES : LONGEST, 1000000, (u64)most_ppm);
	return (HALF_LIFE_HALVES << UNIT_BITS) / 2 + (earning < LONGEST ? earning : LONGEST);
}

/* Sets what follows from a tenant's cores. It may have other ones than before: then what it has learnt stays. */
static void adapt_tenant(struct keen *k, s32 tenant)
{
	struct keen_tenant *own = &k->tenants[tenant];
	const struct seating *s = &k->seating;
	s32 most_ppm = largest_speedup_ppm(s, tenant);
	u64 cost = mean_cost(s, tenant), first = half_life(cost, most_ppm);
	own->most = (u64)(1000000 + most_ppm) << (GAIN_BITS + 1);
	own->hold_ns = time_of(HOLD_MOVES * cost);
	u64 look = own->outlook.look_ns;
	outlook_init(&own->outlook, first, look > 0 ? look : FIRST_LOOK_TIMESTEPS << UNIT_BITS);
	for (u32 h = 0; h < NR_HORIZONS; h++)
		own->ahead[h] = sahm_scale(own->outlook.half_life_ns[h], 1442695, 1000000);
}

static s32 keen_init(void)
{
	struct keen *k = sahm_state();
	struct seating *s = &k->seating;
	arena_init(&k->arena);
	s->nr_cores = scx_bpf_nr_cpu_ids();
	if (!seating_init(s, &k->arena, (s64)(1000000 + largest_speedup_ppm(s, -1)) << (GAIN_BITS + 2)))
		return -ENOMEM;
	k->tenants = arena_alloc(&k->arena, s->nr_cores, sizeof(*k->tenants));
	k->gain = arena_alloc(&k->arena, s->nr_cores, sizeof(*k->gain));
	k->speedup_ppm = arena_alloc(&k->arena, (size_t)s->nr_cores * NR_STATES, sizeof(*k->speedup_ppm));
	if (!k->tenants || !k->gain || !k->speedup_ppm)
		return -ENOMEM;
	s->holds = true;
	s->next_free_ns = SAHM_WHEN_CHANGED;
	return 0;
}

/* Works the table out for the classes that there are now. */
static void tabulate(struct keen *k)
{
	const struct seating *s = &k->seating;
	for (u32 i = 0; i < s->nr_classes * NR_STATES; i++)
		k->speedup_ppm[i] = sahm_speedup_ppm(s->first[i / NR_STATES], i % NR_STATES);
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		s32 tenant = s->tenant[c];
		if (c == tenant)
			adapt_tenant(k, tenant);
		s->hold_ns[c] = k->tenants[tenant].hold_ns;
	}
}

static void keen_exit_task(struct task_struct *p, struct scx_exit_task_args *args)
{
	struct keen *k = sahm_state();
	(void)args;
	seating_leave(&k->seating, p);
}

static void keen_set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct keen *k = sahm_state();
	(void)cpumask;
	seating_allow(&k->seating, p);
}

static const s32 *speedups(const struct keen *k, u32 to)
{
	return k->speedup_ppm + (size_t)to * NR_STATES;
}

static struct keen_tenant *tenant_of(const struct keen *k, s32 cpu)
{
	return &k->tenants[k->seating.tenant[cpu]];
}

/* Its speedups in a class, weighed. */
static s64 gain_in(const struct keen *k, const struct keen_task *t, u32 horizon, u32 to)
{
	const s32 *ppm = speedups(k, to);
	s64 after = 0;
	u32 stay = t->stay[horizon];
	for (u32 state = 0; state < NR_STATES; state++)
		after += (s64)t->after[horizon][state] * ppm[state];
	after >>= OUTLOOK_BITS - GAIN_BITS;
	__extension__ __int128 sum = (__int128)after * (OUTLOOK_ONE - stay);
	return (s64)(sum >> OUTLOOK_BITS) + ((s64)stay * ppm[t->state] >> (OUTLOOK_BITS - GAIN_BITS));
}

/* What a move that costs `cost_ns` takes from a gain under a horizon; SEATING_NEVER: more than any gain is worth. */
static s64 cost_under(const struct keen *k, s32 cpu, u32 horizon, u64 cost_ns, s32 ppm)
{
	u64 cost = sahm_scale(units(cost_ns), sahm_scale((u64)(1000000 + ppm) << GAIN_BITS, COST_NUM, COST_DEN),
			      tenant_of(k, cpu)->ahead[horizon]);
	if (cost > tenant_of(k, cpu)->most)
		return SEATING_NEVER;
	return horizon > 0 ? (s64)cost * LONG_COSTS : (s64)cost;
}

/* What thread `t` gains by a move to class `to`, compared with here[NR_HORIZONS]: under the horizon that suits this
 * move best. It must gain under each shorter one, too: so nothing is done that would be undone at once. */
static s64 gain_of_move(const struct keen *k, const struct keen_task *t, u32 to, const s64 *here, u64 cost_ns)
{
	s32 ppm = speedups(k, to)[t->state];
	s64 least = gain_in(k, t, 0, to) - here[0], cost = cost_under(k, t->cpu, 0, cost_ns, ppm);
	s64 best = cost == SEATING_NEVER ? SEATING_NEVER : least - cost;
	for (u32 h = 1; h < NR_HORIZONS && least >= 0; h++) {
		s64 more = gain_in(k, t, h, to) - here[h];
		least = more < least ? more : least;
		cost = cost_under(k, t->cpu, h, cost_ns, ppm);
		if (cost != SEATING_NEVER && least - cost > best)
			best = least - cost;
	}
	return best;
}

/* Who has not been seen yet would not move for nothing. */
static void report_unseen(struct keen *k, u32 home, s32 cpu)
{
	for (u32 to = 0; to < k->seating.nr_classes; to++) {
		s64 cost = to == home ? 0 : cost_under(k, cpu, 0, seating_cost_ns(&k->seating, cpu, to), 0);
		k->gain[to] = cost == SEATING_NEVER ? cost : -cost - (to != home);
	}
}

/* Says what thread `p` on core `cpu` would gain where. */
static void report(struct keen *k, struct task_struct *p, const struct keen_task *t, s32 cpu)
{
	struct seating *s = &k->seating;
	u32 home = seating_home(s, p);
	s64 here[NR_HORIZONS];
	if (t->state == STATE_NONE) {
		report_unseen(k, home, cpu);
		seating_set(s, p, k->gain);
		return;
	}
	for (u32 h = 0; h < NR_HORIZONS; h++)
		here[h] = gain_in(k, t, h, s->class_of[cpu]);
	for (u32 to = 0; to < s->nr_classes; to++) {
		s64 more = to == home ? 0 : gain_of_move(k, t, to, here, seating_cost_ns(s, cpu, to));
		k->gain[to] = more == SEATING_NEVER ? more : here[0] + more;
	}
	seating_set(s, p, k->gain);
}

/* Rate of progress of a thread on its core, in millionths. */
static u64 rate(const struct keen *k, const struct keen_task *t)
{
	s32 ppm = t->state == STATE_NONE ? 0 : speedups(k, k->seating.class_of[t->cpu])[t->state];
	return (u64)(1000000 + ppm);
}

/* Adds the progress of `ns`; nothing is lost by rounding, however often this is called. */
static void progress(struct keen_task *t, u64 ns, u64 rate_ppm)
{
	if (ns < UINT32_MAX && rate_ppm < UINT32_MAX) {
		u64 done = ns * rate_ppm + t->stay_rest;
		t->stay_ns += done / 1000000;
		t->stay_rest = (u32)(done % 1000000);
		return;
	}
	__extension__ unsigned __int128 done = (unsigned __int128)ns * rate_ppm + t->stay_rest;
	t->stay_ns += (u64)(done / 1000000);
	t->stay_rest = (u32)(done % 1000000);
}

/* How long progress takes, or a little less. */
static u64 time_for(u64 progress_ns, u64 rate_ppm)
{
	return progress_ns < UINT32_MAX ? (progress_ns * 1000000 + rate_ppm - 1) / rate_ppm
					: sahm_scale(progress_ns, 1000000, rate_ppm);
}

/* Those who were at the heads of queues have run since the last pass. */
static void account(struct keen *k, u64 now)
{
	u64 ns = now - k->last_pass;
	k->last_pass = now;
	for (u32 c = 0; c < k->seating.nr_cores; c++) {
		if (!k->seating.heads[c])
			continue;
		struct keen_task *t = sahm_task_state(k->seating.heads[c]);
		u64 paid = t->debt_ns < ns ? t->debt_ns : ns;
		t->debt_ns -= paid;
		progress(t, ns - paid, rate(k, t));
	}
}

/* Whether thread `t`, observed in `state`, is due for a look, and the look. */
static bool look(const struct keen *k, struct keen_task *t, u32 state)
{
	if (state == STATE_NONE)
		return false;
	struct outlook_common *common = &tenant_of(k, t->cpu)->outlook;
	bool is_new = state != t->state;
	if (is_new) {
		if (t->state != STATE_NONE)
			outlook_learn(common, &t->history, t->state, state, units(t->stay_ns));
		for (u32 h = 0; h < NR_HORIZONS; h++)
			outlook_after(common, &t->history, h, state, t->after[h]);
		t->state = state;
		t->stay_ns = t->stay_rest = 0;
		t->nr_looks = 0;
	} else {
		if (t->stay_ns < t->next_look_ns)
			return false;
		t->nr_looks++;
	}
	t->next_look_ns = time_of((t->nr_looks + 1) * common->look_ns + (MARGIN_HALVES << UNIT_BITS) / 2);
	for (u32 h = 0; h < NR_HORIZONS; h++)
		t->stay[h] = outlook_stay(common, &t->history, h, state, t->nr_looks);
	return true;
}

/* When thread `t` is due for a look, if it runs until then. */
static u64 find_look_at(const struct keen *k, const struct keen_task *t, u64 now)
{
	u64 left_ns = t->next_look_ns > t->stay_ns ? t->next_look_ns - t->stay_ns : 0;
	u64 ns = time_for(left_ns, rate(k, t));
	return t->state == STATE_NONE || t->debt_ns > LONGEST_NS ? SAHM_WHEN_CHANGED : now + t->debt_ns + ns;
}

/* Looks at the heads, and recomputes the gains of those whose outlook or core has changed. Returns when the first of
 * them is due again. */
static u64 look_around(struct keen *k, u64 now)
{
	struct seating *s = &k->seating;
	u64 first = SAHM_WHEN_CHANGED;
	for (u32 i = 0; i < s->nr_cores; i++) {
		struct task_struct *p = s->heads[i];
		if (!p)
			continue;
		s32 c = scx_bpf_task_cpu(p);
		struct keen_task *t = sahm_task_state(p);
		if (!t->is_known)
			*t = (struct keen_task){.is_known = true, .state = STATE_NONE, .cpu = c};
		bool has_moved = t->cpu != c;
		if (has_moved) {
			t->debt_ns += sahm_move_cost_ns(t->cpu, c);
			t->cpu = c;
		}
		bool is_new = look(k, t, sahm_observed_state(p)) || has_moved || !seating_has(s, p);
		if (is_new)
			report(k, p, t, c);
		if (is_new || t->look_at <= now)
			t->look_at = find_look_at(k, t, now);
		first = t->look_at < first ? t->look_at : first;
	}
	return first;
}

static u64 keen_pass(u64 now)
{
	struct keen *k = sahm_state();
	account(k, now);
	bool some_wait = seating_begin(&k->seating, now);
	if (k->seating.are_new)
		tabulate(k);
	u64 next = look_around(k, now);
	/* From their new homes moves cost something else, so others may be best next time. */
	bool have_moved = seating_carry_out(&k->seating) > 0;
	if (have_moved)
		look_around(k, now);
	if (some_wait || have_moved)
		return 0;
	return next < k->seating.next_free_ns ? next : k->seating.next_free_ns;
}

static void keen_exit(struct scx_exit_info *info)
{
	struct keen *k = sahm_state();
	(void)info;
	arena_release(&k->arena);
}

extern const struct sched_ext_ops sched_policy_keen;
const struct sched_ext_ops sched_policy_keen = {
	.init = keen_init,
	.exit = keen_exit,
	.exit_task = keen_exit_task,
	.set_cpumask = keen_set_cpumask,
	.sahm_pass = keen_pass,
	.sahm_state_bytes = sizeof(struct keen),
	.sahm_task_state_bytes = sizeof(struct keen_task),
	.name = "keen",
	.summary = "foresees what threads will do, and weighs what migrations gain against what all of them cost",
};
