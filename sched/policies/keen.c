/* Looks ahead: what a thread would gain in each class of cores in the time to come, against what it costs everybody who
 * has to move for that.
 *
 * Model. From its own observed history, and a little from that of others of its tenant, follows what share each state
 * will have in a thread's time to come (outlook.h); the further away, the less it counts, with a half-life that grows
 * with the cost of a move: what costs nothing can be done again at once. A thread is worth, in a class of cores, the
 * speedups there, weighed by these shares; in another class than its own, less what the move costs, at the speed that
 * it would have. All heads of queues together are a transportation problem (seating.h), solved exactly and
 * warm-started: so a chain of moves is found where only a chain helps (a thread that gains on two kinds of cores makes
 * room for one that gains on one), every thread in it pays its cost in the sum, and a thread that would gain nothing,
 * as one in Low, is moved only if its core is wanted by more than that costs. A tie moves nobody. Each tenant is learnt
 * and decided as if there were no others.
 *
 * There are two plans, as under a short horizon, which suits the tenant's largest speedup, a small gain never earns a
 * move, however long it lasts. Where the short plan moves nobody of a tenant, the long one may: there costs are spread
 * over more time, and count twice. For each thread and class that is, whatever says more, the time under a longer
 * horizon, or as much time as the thread has spent where it is, if it goes on as it has since: what it would have
 * gained elsewhere has to pay for the move before it is made, as in the ski rental problem. A move must gain under the
 * short horizon, too: so nothing is done that would be undone at once.
 *
 * A thread's worth is worked out when it is observed in another state, and again whenever its stay has lasted as long
 * as one more of the most frequent stays: then it probably goes on, which is worth moves that a short stay is not. In
 * between nothing new is known, and nothing is done: this makes it stable, not inertia, which it ignores.
 * With more threads than cores heads change places with heads, in every timestep, and idle cores get threads from the
 * longest queues. When no head moves, the two threads that gain most by it trade places, even if they wait: heads that
 * alternate in step with others would never meet those. The core of a thread that sleeps is kept for it for a while,
 * the longer the more a move costs: most sleeps are short.
 *
 * Does badly: while it does not know a thread yet, in its first stays, and when a program changes its habits. Beyond
 * stays that repeat in the same order, it presumes that what comes next depends on the present state and on how long it
 * has lasted. Threads that wait after a head are not part of the optimum, gains count the same in long queues and in
 * short ones, and queues are balanced only for idle cores. It knows nothing of warm-up, and ignores inertia. Where
 * threads sleep, their progress is only estimated, and a thread that wakes waits for its core or for the next timestep,
 * however many cores idle: `fair` does better there. Its knowledge of sequences is worth most with programs that repeat
 * themselves, and nothing with those that never do. A thread takes twenty kilobytes.
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
/* What a move costs counts so much: it may have to be undone; in the long plan surely. */
#define COST_NUM 6
#define COST_DEN 5
#define LONG_COSTS 2
/* A stay is seen to end up to two timesteps late; this number of halves of one on top of a look. */
#define MARGIN_HALVES 3u
/* Gains are millionths of the time to come, in this number of parts. */
#define GAIN_BITS 16
/* Of more time than this, in units, half is forgotten: several minutes, if a timestep takes 10 ms. */
#define LONGEST_PAST UINT32_MAX
/* In a tenant of more classes than these, threads that wait do not trade places. */
#define MOST_TRADING 32u

enum { SHORT_PLAN, LONG_PLAN };

/* What is learnt of a tenant's threads: nothing that one tenant does may change what another gets. Its times are in
 * units of a timestep (UNIT_BITS), so that results are the same at every scale of time. */
struct keen_tenant {
	struct outlook_common outlook;
	u64 hold_ns;		/* how long seats are kept */
	u64 ahead[NR_HORIZONS]; /* what the time to come amounts to, weighed */
	u64 cost;		/* of a move, in units, if all cost the same */
	u32 *classes, nr_classes;
	struct keen_offer *offers; /* [nr_classes][nr_classes], from one to the other; NULL: nobody trades */
	u64 most;		   /* no gain is worth a higher cost than this */
};

struct keen {
	struct arena arena;
	struct seating seating;
	struct keen_tenant *tenants; /* [nr_cores], by the first core */
	u64 last_pass;
	struct keen_class *classes; /* [nr_classes]; there is room for as many as cores */
	s64 *gain[SEATING_PLANS];   /* [nr_classes] */
	/* What tenants get their share of: */
	u32 *lists;
	struct keen_offer *offers; /* [nr_offers] */
	size_t nr_offers;
};

struct keen_class {
	s32 speedup_ppm[NR_STATES];
	/* Speedups but 0, each once, with the states that have it. */
	u32 nr_steps;
	struct {
		s32 ppm;
		u32 states;
	} steps[NR_STATES];
	u32 rank;			  /* of its tenant's classes */
	u64 price[NR_STATES];		  /* worth of a unit of a move's cost */
	s64 cost[NR_HORIZONS][NR_STATES]; /* of a move there, if all cost the same */
};

/* Who gains most by leaving a class for another. */
struct keen_offer {
	s64 more;
	struct task_struct *p;
};

struct keen_task {
	struct outlook_thread history;
	u32 after[NR_HORIZONS][NR_STATES];  /* how what comes after its stay is divided */
	u32 stay[NR_HORIZONS];		    /* share of the stay in what is to come, as of the last look */
	u32 spent[NR_STATES], spent_in_all; /* on its core in stays that are over, in units */
	u64 came_ns;			    /* progress of the stay when it came to its core */
	u64 stay_ns;			    /* progress since its state was first seen */
	u32 stay_rest;			    /* and millionths of a ns */
	u64 debt_ns;			    /* by our own books */
	u64 next_look_ns;		    /* progress of the stay at which it is looked at again */
	u32 nr_looks;			    /* at this stay so far */
	u64 look_at;			    /* when that will be, if it runs on as it does */
	s32 cpu;
	u32 state;
	u32 seen;      /* a bit per state that it has ever been in */
	bool is_known; /* it has been seen before */
};

static u64 units(u64 ns)
{
	if (ns <= UINT64_MAX >> UNIT_BITS)
		return sahm_div(ns << UNIT_BITS, sahm_timestep_ns());
	return sahm_scale(ns, UINT64_C(1) << UNIT_BITS, sahm_timestep_ns());
}

static u64 cost_units(u64 cost_ns)
{
	u64 nr = units(cost_ns);
	return nr < LONGEST ? nr : LONGEST;
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
		return cost_units(s->cost_ns);
	for (u32 c = 0; c < s->nr_cores; c++)
		own += s->tenant[c] == tenant;
	const u32 stride = 1 + own / 64;
	for (u32 from = (u32)tenant; from < s->nr_cores; from++) {
		if (s->tenant[from] != tenant || rank_from++ % stride != 0)
			continue;
		for (u32 to = (u32)tenant, rank_to = 0; to < s->nr_cores; to++) {
			if (s->tenant[to] != tenant || rank_to++ % stride != 0 || from == to)
				continue;
			sum += cost_units(sahm_move_cost_ns((s32)from, (s32)to));
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
	u64 earning = sahm_scale(cost * HALF_LIFE_MOVES, 1000000, (u64)most_ppm);
	return (HALF_LIFE_HALVES << UNIT_BITS) / 2 + (earning < LONGEST ? earning : LONGEST);
}

/* Sets what follows from a tenant's cores. It may have other ones than before: then what it has learnt stays. */
static void adapt_tenant(struct keen *k, s32 tenant)
{
	struct keen_tenant *own = &k->tenants[tenant];
	const struct seating *s = &k->seating;
	s32 most_ppm = largest_speedup_ppm(s, tenant);
	u64 cost = mean_cost(s, tenant), first = half_life(cost, most_ppm);
	own->cost = cost;
	own->nr_classes = 0;
	own->most = (u64)(1000000 + most_ppm) << (GAIN_BITS + 1);
	own->hold_ns = time_of(HOLD_MOVES * cost);
	u64 look = own->outlook.look;
	outlook_init(&own->outlook, first, look > 0 ? look : FIRST_LOOK_TIMESTEPS << UNIT_BITS);
	for (u32 h = 0; h < NR_HORIZONS; h++)
		own->ahead[h] = sahm_scale(own->outlook.half_life[h], 1442695, 1000000);
}

static s32 keen_init(void)
{
	struct keen *k = sahm_state();
	struct seating *s = &k->seating;
	arena_init(&k->arena);
	s->nr_cores = scx_bpf_nr_cpu_ids();
	if (!seating_init(s, &k->arena, (s64)(1000000 + largest_speedup_ppm(s, -1)) << (GAIN_BITS + 2), SEATING_PLANS))
		return -ENOMEM;
	k->tenants = arena_alloc(&k->arena, s->nr_cores, sizeof(*k->tenants));
	for (u32 i = 0; i < SEATING_PLANS; i++)
		k->gain[i] = arena_alloc(&k->arena, s->nr_cores, sizeof(*k->gain[i]));
	k->classes = arena_alloc(&k->arena, s->nr_cores, sizeof(*k->classes));
	k->lists = arena_alloc(&k->arena, s->nr_cores, sizeof(*k->lists));
	k->offers = arena_alloc(&k->arena, (size_t)s->nr_cores * MOST_TRADING, sizeof(*k->offers));
	if (!k->tenants || !k->gain[SHORT_PLAN] || !k->gain[LONG_PLAN] || !k->classes || !k->lists || !k->offers)
		return -ENOMEM;
	s->holds = true;
	s->next_free_ns = SAHM_WHEN_CHANGED;
	return 0;
}

/* What a move that costs so much takes from a gain over some time; SEATING_NEVER: more than any gain is worth. */
static s64 cost_over(const struct keen_tenant *own, u64 price, u64 cost, u64 time)
{
	u64 less = time > 0 ? sahm_scale(cost, price, time) : UINT64_MAX;
	return less > own->most ? SEATING_NEVER : (s64)less;
}

/* The same over the time to come. */
static s64 cost_ahead(const struct keen_tenant *own, u64 price, u64 cost, u32 horizon)
{
	return cost_over(own, price, horizon > 0 ? cost * LONG_COSTS : cost, own->ahead[horizon]);
}

/* A class of cores from `first` on, of a tenant. */
static void tabulate_class(struct keen_class *class, s32 first, const struct keen_tenant *own)
{
	class->nr_steps = 0;
	for (u32 state = 0; state < NR_STATES; state++) {
		s32 ppm = class->speedup_ppm[state] = sahm_speedup_ppm(first, state);
		u32 step = 0;
		while (step < class->nr_steps && class->steps[step].ppm != ppm)
			step++;
		if (step == class->nr_steps && ppm != 0) {
			class->steps[step].ppm = ppm;
			class->steps[step].states = 0;
			class->nr_steps++;
		}
		if (ppm != 0)
			class->steps[step].states |= 1u << state;
		class->price[state] = sahm_scale((u64)(1000000 + ppm) << GAIN_BITS, COST_NUM, COST_DEN);
		for (u32 h = 0; h < NR_HORIZONS; h++)
			class->cost[h][state] = cost_ahead(own, class->price[state], own->cost, h);
	}
}

/* Gives each tenant the list of its classes, and room for their offers. */
static void share_out(struct keen *k)
{
	const struct seating *s = &k->seating;
	u32 *list = k->lists;
	k->nr_offers = 0;
	for (u32 i = 0; i < s->nr_classes; i++)
		k->classes[i].rank = k->tenants[s->part[i]].nr_classes++;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		struct keen_tenant *own = &k->tenants[c];
		if (s->tenant[c] != c)
			continue;
		bool trades = own->nr_classes <= MOST_TRADING;
		own->classes = list;
		own->offers = trades ? k->offers + k->nr_offers : NULL;
		list += own->nr_classes;
		k->nr_offers += trades ? (size_t)own->nr_classes * own->nr_classes : 0;
	}
	for (u32 i = 0; i < s->nr_classes; i++)
		k->tenants[s->part[i]].classes[k->classes[i].rank] = i;
}

/* Works the tables out for the classes that there are now. */
static void tabulate(struct keen *k)
{
	const struct seating *s = &k->seating;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		s32 tenant = s->tenant[c];
		if (c == tenant)
			adapt_tenant(k, tenant);
		s->hold_ns[c] = k->tenants[tenant].hold_ns;
	}
	for (u32 i = 0; i < s->nr_classes; i++)
		tabulate_class(&k->classes[i], s->first[i], &k->tenants[s->part[i]]);
	share_out(k);
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

static struct keen_tenant *tenant_of(const struct keen *k, s32 cpu)
{
	return &k->tenants[k->seating.tenant[cpu]];
}

/* Its speedups in a class, weighed: under each horizon, and over the time that it has spent on its core. */
struct outcome {
	s64 ahead[NR_HORIZONS], past;
};

/* sum / nr, in parts. */
static s64 mean_of(s64 sum, s64 nr)
{
	return nr > 0 ? (sum / nr * (1 << GAIN_BITS)) + (sum % nr * (1 << GAIN_BITS)) / nr : 0;
}

/* Time in units that thread `t` has spent on its core in the present stay; so much of it. */
static u64 spent_in_stay(const struct keen_task *t)
{
	u64 nr = units(t->stay_ns - t->came_ns);
	return nr < LONGEST_PAST ? nr : LONGEST_PAST;
}

static void gain_in(const struct keen_class *class, const struct keen_task *t, u64 in_stay, struct outcome *gain)
{
	s64 after[NR_HORIZONS] = {0}, now = class->speedup_ppm[t->state], past = (s64)in_stay * now;
	for (u32 step = 0; step < class->nr_steps; step++) {
		s64 ppm = class->steps[step].ppm, share[NR_HORIZONS] = {0}, spent = 0;
		for (u32 left = class->steps[step].states & t->seen; left != 0; left &= left - 1) {
			u32 state = (u32)__builtin_ctz(left);
			for (u32 h = 0; h < NR_HORIZONS; h++)
				share[h] += t->after[h][state];
			spent += t->spent[state];
		}
		for (u32 h = 0; h < NR_HORIZONS; h++)
			after[h] += share[h] * ppm;
		past += spent * ppm;
	}
	for (u32 h = 0; h < NR_HORIZONS; h++) {
		__extension__ __int128 later =
			(__int128)(after[h] >> (OUTLOOK_BITS - GAIN_BITS)) * (OUTLOOK_ONE - t->stay[h]);
		gain->ahead[h] = (s64)(later >> OUTLOOK_BITS) + ((s64)t->stay[h] * now >> (OUTLOOK_BITS - GAIN_BITS));
	}
	gain->past = mean_of(past, (s64)(t->spent_in_all + in_stay));
}

static s64 less_cost(s64 gain, s64 cost)
{
	return cost == SEATING_NEVER ? cost : gain - cost;
}

static s64 smaller(s64 a, s64 b)
{
	return a < b ? a : b;
}

static s64 larger(s64 a, s64 b)
{
	return a > b ? a : b;
}

/* Cost in units of a move from core `cpu` to a class. */
static u64 cost_of_move(const struct keen *k, s32 cpu, u32 to)
{
	const struct seating *s = &k->seating;
	return s->is_flat ? tenant_of(k, cpu)->cost : cost_units(seating_cost_ns(s, cpu, to));
}

/* Works out what thread `t` on core `cpu` gains in class `to`, less a move there, if it gains `here` where it is. */
static void gain_of_move(struct keen *k, const struct keen_task *t, s32 cpu, u32 to, u64 in_stay,
			 const struct outcome *here)
{
	const struct keen_tenant *own = tenant_of(k, cpu);
	const struct keen_class *class = &k->classes[to];
	u64 price = class->price[t->state], cost = cost_of_move(k, cpu, to);
	s64 less[NR_HORIZONS];
	struct outcome there;
	gain_in(class, t, in_stay, &there);
	for (u32 h = 0; h < NR_HORIZONS; h++)
		less[h] = k->seating.is_flat ? class->cost[h][t->state] : cost_ahead(own, price, cost, h);
	s64 base = here->ahead[0], more = there.ahead[0] - base, best = SEATING_NEVER;
	k->gain[SHORT_PLAN][to] = less_cost(base + more, less[0]);
	for (u32 h = 1; h < NR_HORIZONS; h++) {
		more = smaller(more, there.ahead[h] - here->ahead[h]);
		best = larger(best, less_cost(base + more, less[h]));
	}
	more = smaller(more, there.past - here->past);
	s64 less_of_past = cost_over(own, price, cost * LONG_COSTS, t->spent_in_all + in_stay);
	k->gain[LONG_PLAN][to] = larger(best, less_cost(base + more, less_of_past));
}

/* Who has not been seen yet would not move for nothing. */
static void gain_unseen(struct keen *k, u32 home, s32 cpu)
{
	const struct keen_tenant *own = tenant_of(k, cpu);
	for (u32 to = 0; to < k->seating.nr_classes; to++) {
		s64 less = cost_ahead(own, k->classes[to].price[0], cost_of_move(k, cpu, to), 0);
		s64 more = to == home ? 0 : less_cost(-1, less);
		k->gain[SHORT_PLAN][to] = k->gain[LONG_PLAN][to] = more;
	}
}

/* Works out what a thread on core `cpu` would gain where, in k->gain; at `home` it need not move. */
static void find_gains(struct keen *k, const struct keen_task *t, s32 cpu, u32 home)
{
	struct seating *s = &k->seating;
	if (t->state == STATE_NONE) {
		gain_unseen(k, home, cpu);
		return;
	}
	u64 in_stay = spent_in_stay(t);
	struct outcome here;
	gain_in(&k->classes[s->class_of[cpu]], t, in_stay, &here);
	for (u32 to = 0; to < s->nr_classes; to++) {
		if (to == home)
			k->gain[SHORT_PLAN][to] = k->gain[LONG_PLAN][to] = here.ahead[0];
		else
			gain_of_move(k, t, cpu, to, in_stay, &here);
	}
}

/* Says what thread `p` on core `cpu` would gain where. */
static void report(struct keen *k, struct task_struct *p, const struct keen_task *t, s32 cpu)
{
	find_gains(k, t, cpu, seating_home(&k->seating, p));
	for (u32 i = 0; i < SEATING_PLANS; i++)
		seating_set(&k->seating, i, p, k->gain[i]);
}

/* Rate of progress of a thread on its core, in millionths. */
static u64 rate(const struct keen *k, const struct keen_task *t)
{
	const struct keen_class *class = &k->classes[k->seating.class_of[t->cpu]];
	s32 ppm = t->state == STATE_NONE ? 0 : class->speedup_ppm[t->state];
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

/* Adds the time that a stay which is over has spent on the present core. */
static void add_spent(struct keen_task *t)
{
	u64 nr = spent_in_stay(t);
	if (t->spent_in_all + nr > LONGEST_PAST) {
		t->spent_in_all = 0;
		for (u32 i = 0; i < NR_STATES; i++)
			t->spent_in_all += t->spent[i] /= 2;
		nr /= 2;
	}
	t->spent[t->state] += (u32)nr;
	t->spent_in_all += (u32)nr;
}

/* Whether thread `t`, observed in `state`, is due for a look, and the look. */
static bool look(const struct keen *k, struct keen_task *t, u32 state)
{
	if (state == STATE_NONE)
		return false;
	struct outlook_common *common = &tenant_of(k, t->cpu)->outlook;
	bool is_new = state != t->state;
	if (is_new) {
		if (t->state != STATE_NONE) {
			outlook_learn(common, &t->history, t->state, state, units(t->stay_ns));
			add_spent(t);
		}
		t->seen |= 1u << state;
		outlook_after(common, &t->history, state, t->after);
		t->state = state;
		t->stay_ns = t->came_ns = 0;
		t->stay_rest = 0;
		t->nr_looks = 0;
	} else {
		if (t->stay_ns < t->next_look_ns)
			return false;
		t->nr_looks++;
	}
	t->next_look_ns = time_of((t->nr_looks + 1) * common->look + (MARGIN_HALVES << UNIT_BITS) / 2);
	outlook_stay(common, &t->history, state, t->nr_looks, t->stay);
	return true;
}

/* When thread `t` is due for a look, if it runs until then. */
static u64 find_look_at(const struct keen *k, const struct keen_task *t, u64 now)
{
	u64 left_ns = t->next_look_ns > t->stay_ns ? t->next_look_ns - t->stay_ns : 0;
	u64 ns = time_for(left_ns, rate(k, t));
	return t->state == STATE_NONE || t->debt_ns > LONGEST_NS ? SAHM_WHEN_CHANGED : now + t->debt_ns + ns;
}

/* Thread `t` has come to core `cpu`. */
static void arrive(struct keen_task *t, s32 cpu)
{
	t->debt_ns += sahm_move_cost_ns(t->cpu, cpu);
	t->cpu = cpu;
	t->came_ns = t->stay_ns;
	t->spent_in_all = 0;
	for (u32 i = 0; i < NR_STATES; i++)
		t->spent[i] = 0;
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
		if (has_moved)
			arrive(t, c);
		bool is_new = look(k, t, sahm_observed_state(p)) || has_moved || !seating_has(s, p);
		if (is_new)
			report(k, p, t, c);
		if (is_new || t->look_at <= now)
			t->look_at = find_look_at(k, t, now);
		first = t->look_at < first ? t->look_at : first;
	}
	return first;
}

/* What thread `p` on core `cpu`, whether it waits or not, would gain by leaving for each class of its tenant. */
static void offer(struct keen *k, const struct keen_tenant *own, s32 cpu, struct task_struct *p)
{
	const struct seating *s = &k->seating;
	const struct keen_task *t = sahm_task_state(p);
	u32 from = s->class_of[cpu];
	struct keen_offer *offers = own->offers + (size_t)k->classes[from].rank * own->nr_classes;
	if (!t->is_known || t->state == STATE_NONE)
		return;
	find_gains(k, t, cpu, from);
	for (u32 i = 0; i < own->nr_classes; i++) {
		u32 to = own->classes[i];
		s64 there = k->gain[SHORT_PLAN][to], more = there - k->gain[SHORT_PLAN][from];
		if (there != SEATING_NEVER && more > offers[i].more &&
		    bpf_cpumask_test_cpu((u32)s->first[to], p->cpus_ptr))
			offers[i] = (struct keen_offer){more, p};
	}
}

/* From each class to each other the thread that gains most. Tenants that have moved somebody offer nothing. */
static void find_offers(struct keen *k)
{
	const struct seating *s = &k->seating;
	for (size_t i = 0; i < k->nr_offers; i++)
		k->offers[i].more = SEATING_NEVER;
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		const struct keen_tenant *own = tenant_of(k, c);
		bool offers = own->offers && !seating_has_moved(s, c);
		for (struct task_struct *p = offers ? sahm_head(c) : NULL; p; p = sahm_next(p))
			offer(k, own, c, p);
	}
}

/* Of a tenant the two threads that gain most by trading places, if they gain anything, do so. */
static bool trade_best(struct keen *k, const struct keen_tenant *own)
{
	u32 nr = own->nr_classes;
	s64 best = 0;
	struct task_struct *one = NULL, *other = NULL;
	for (u32 a = 0; a < nr; a++) {
		for (u32 b = a + 1; b < nr; b++) {
			const struct keen_offer *to = &own->offers[a * nr + b], *fro = &own->offers[b * nr + a];
			if (to->more == SEATING_NEVER || fro->more == SEATING_NEVER || to->more + fro->more <= best)
				continue;
			best = to->more + fro->more;
			one = to->p;
			other = fro->p;
		}
	}
	if (!one || !seating_trade(&k->seating, one, other))
		return false;
	arrive(sahm_task_state(one), scx_bpf_task_cpu(one));
	arrive(sahm_task_state(other), scx_bpf_task_cpu(other));
	return true;
}

/* Whether threads of any tenant trade places. */
static bool trade(struct keen *k)
{
	const struct seating *s = &k->seating;
	bool some_do = false;
	find_offers(k);
	for (s32 c = 0; c < (s32)s->nr_cores; c++) {
		const struct keen_tenant *own = &k->tenants[c];
		if (s->tenant[c] == c && own->offers)
			some_do |= trade_best(k, own);
	}
	return some_do;
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
	have_moved |= some_wait && trade(k);
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
