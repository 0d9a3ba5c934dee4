/* What an operating system gives today: fair shares of time by weight, and balanced cores, blind to what they are good
 * at.
 *
 * Each core runs the threads that are on it by earliest eligible virtual deadline first. A thread's virtual time is the
 * time that it has run, divided by its weight; the weighted average of those on a core is the position of a fair share,
 * and the distance of a thread to it is its lag. A thread asks for slices; one whose lag is not negative is eligible,
 * and of these the one runs that would get its slice earliest were its share given evenly (its virtual deadline). A
 * thread that wakes stands where its lag was when it fell asleep, too much of it cut off; its surplus is forgiven as
 * those that stayed catch up. It takes the core at once if its deadline is the earliest. It goes to an idle core if
 * there is one, its own first. A core without threads takes one from the core with the largest sum of weights; the
 * others do so now and then where it evens out the sums, and at times where it only exchanges them, so that three
 * threads on two cores get equal shares in the long run. Sources: I. Stoica, H. Abdel-Wahab, Earliest Eligible Virtual
 * Deadline First: A Flexible and Accurate Mechanism for Proportional Share Resource Allocation, Old Dominion
 * University, TR-95-22, 1995; Linux, Documentation/scheduler/sched-eevdf.rst and sched-domains.rst.
 *
 * Slices and periods are in proportion to the timestep.
 *
 * Does badly: on a chip of specialised cores, where it moves threads for the sake of even shares, and never for the
 * sake of speed; with sets of allowed cores and weights that no division of threads among cores does justice to.
 */
#include "cores/chip/core.h"
#include "sched/policies/policies.h"
#include "sched/policies/tenants.h"

/* In tenths of a timestep: 3 ms, as the kernel's, where that is 10 ms. */
#define SLICE_TENTHS 3u
#define TOP_LAG_SLICES 2u
/* How much longer than its request a slice is: this part of a timestep, at least a ns. */
#define MARGIN_DEN 10000000u
/* Virtual time of a thread of this weight, the largest, goes as time does. */
#define TOP_WEIGHT 10000u
/* The longest request in virtual time. A thread of little weight asks for less than a slice: beside those of the
 * largest it would get it as a whole, and then wait for half a minute. */
#define TOP_REQUEST_SLICES 1000u
/* How often a busy core looks whether another has more, and how long a thread stays where that has brought it. */
#define BALANCE_TIMESTEPS 4u
/* How long a core has the larger load that it took from another. */
#define EXCHANGE_TIMESTEPS (4 * BALANCE_TIMESTEPS)

/* The threads on a core: the one that runs, and those that wait, earliest deadline first. */
struct queue {
	struct task_struct *curr, *first;
	u64 waiting_weight;
	u64 vtime;	/* the average when there was one last */
	u64 balance_at; /* when it looks around next */
	u64 pulled_at;	/* when it took a thread from another core last */
};

struct fair {
	u32 nr_cores;
	u32 nr_waiting; /* on all cores */
	u64 slice_ns, margin_ns, balance_ns, exchange_ns;
	struct queue queues[MAX_CORES];
	s32 tenant[MAX_CORES]; /* by core: the first one of its tenant */
};

struct fair_task {
	struct task_struct *next, *prev;
	u64 vtime, deadline;
	u64 since;	/* it runs; until then its run time has been counted */
	s64 lag;	/* it has left a core: its lag there */
	u64 left_vtime; /* where the average stood then */
	u64 pulled_at;	/* another core took it */
	u32 weight;	/* of those that wait: as counted */
	s32 cpu;	/* whose queue it is, or was, in */
	bool is_there, waits;
	bool is_limited; /* its slice ends with its request */
};

__extension__ typedef __int128 wide;

/* The sum over the threads on a core of weight x (virtual time - base). */
struct average {
	wide sum;
	u64 weight, base;
};

static struct queue *queue_of(s32 cpu)
{
	struct fair *st = sahm_state();
	return &st->queues[cpu];
}

static u64 virtual_of(const struct task_struct *p, u64 ns)
{
	return sahm_scale(ns, TOP_WEIGHT, p->scx.weight);
}

/* What a thread asks for, in virtual time. */
static u64 request_of(const struct task_struct *p)
{
	const struct fair *st = sahm_state();
	u64 request = virtual_of(p, st->slice_ns), top = sahm_scale(st->slice_ns, TOP_REQUEST_SLICES, 1);
	return request < top ? request : top;
}

static void add_to_average(struct average *avg, const struct task_struct *p)
{
	const struct fair_task *t = sahm_task_state(p);
	avg->weight += p->scx.weight;
	avg->sum += (wide)p->scx.weight * (s64)(t->vtime - avg->base);
}

/* Of those that wait, and of `running` unless that is NULL. */
static struct average average_of(const struct queue *q, const struct task_struct *running)
{
	struct average avg = {.base = q->vtime};
	if (running)
		add_to_average(&avg, running);
	for (const struct task_struct *p = q->first; p;) {
		const struct fair_task *t = sahm_task_state(p);
		add_to_average(&avg, p);
		p = t->next;
	}
	return avg;
}

static u64 vtime_of(const struct average *avg)
{
	wide sum = avg->sum;
	if (avg->weight == 0)
		return avg->base;
	if (sum < 0)
		sum -= avg->weight - 1;
	return avg->base + (u64)(s64)(sum / (wide)avg->weight);
}

static bool is_eligible(const struct average *avg, const struct task_struct *p)
{
	const struct fair_task *t = sahm_task_state(p);
	return (wide)avg->weight * (s64)(t->vtime - avg->base) <= avg->sum;
}

/* Counts what `p` has run; a request that is fulfilled is followed by the next. */
static void update(struct task_struct *p)
{
	struct fair_task *t = sahm_task_state(p);
	u64 now = scx_bpf_now();
	t->vtime += virtual_of(p, now - t->since);
	t->since = now;
	if (!time_before64(t->vtime, t->deadline))
		t->deadline = t->vtime + request_of(p);
}

/* Of its request, in ns, and a little more: virtual times are rounded down. */
static u64 left_of(const struct task_struct *p)
{
	const struct fair *st = sahm_state();
	const struct fair_task *t = sahm_task_state(p);
	return (t->deadline - t->vtime) * p->scx.weight / TOP_WEIGHT + st->margin_ns;
}

/* Who should run: `running`, which may be NULL, or one of those that wait. */
static struct task_struct *pick(const struct queue *q, struct task_struct *running)
{
	struct average avg = average_of(q, running);
	const struct fair_task *r = running ? sahm_task_state(running) : NULL;
	struct task_struct *p = q->first;
	while (p && !is_eligible(&avg, p)) {
		const struct fair_task *t = sahm_task_state(p);
		p = t->next;
	}
	if (!p || !r || !is_eligible(&avg, running))
		return p ? p : running;
	const struct fair_task *t = sahm_task_state(p);
	return time_before64(t->deadline, r->deadline) ? p : running;
}

static void insert(struct task_struct *p, s32 cpu)
{
	struct fair *st = sahm_state();
	struct queue *q = queue_of(cpu);
	struct fair_task *t = sahm_task_state(p), *a = NULL;
	struct task_struct *after = NULL, *before = q->first;
	for (; before; before = a->next) {
		struct fair_task *b = sahm_task_state(before);
		if (time_before64(t->deadline, b->deadline))
			break;
		after = before;
		a = b;
	}
	t->prev = after;
	t->next = before;
	if (a)
		a->next = p;
	else
		q->first = p;
	if (before)
		((struct fair_task *)sahm_task_state(before))->prev = p;
	t->cpu = cpu;
	t->waits = true;
	t->weight = p->scx.weight;
	q->waiting_weight += t->weight;
	st->nr_waiting++;
}

static void take_out(struct task_struct *p)
{
	struct fair *st = sahm_state();
	struct fair_task *t = sahm_task_state(p);
	struct queue *q = queue_of(t->cpu);
	if (t->prev)
		((struct fair_task *)sahm_task_state(t->prev))->next = t->next;
	else
		q->first = t->next;
	if (t->next)
		((struct fair_task *)sahm_task_state(t->next))->prev = t->prev;
	t->waits = false;
	q->waiting_weight -= t->weight;
	st->nr_waiting--;
}

static s64 within(s64 value, s64 bound)
{
	return value > bound ? bound : value < -bound ? -bound : value;
}

/* Notes where `p` stands on its core, which it is about to leave; it runs there or waits. */
static void leave(struct task_struct *p)
{
	const struct fair *st = sahm_state();
	struct fair_task *t = sahm_task_state(p);
	struct queue *q = queue_of(t->cpu);
	struct average avg = average_of(q, t->waits ? q->curr : p);
	q->vtime = vtime_of(&avg);
	t->lag = within((s64)(q->vtime - t->vtime), (s64)virtual_of(p, TOP_LAG_SLICES * st->slice_ns));
	t->left_vtime = q->vtime;
	t->is_there = false;
}

/* Gives `p` its place in virtual time on core `cpu`: with it there, it has its lag. */
static void join(struct task_struct *p, s32 cpu)
{
	struct fair_task *t = sahm_task_state(p);
	struct queue *q = queue_of(cpu);
	struct average avg = average_of(q, q->curr);
	s64 lag = t->lag;
	if (avg.weight == 0)
		lag = 0;
	else
		lag = (s64)((wide)lag * (s64)(avg.weight + p->scx.weight) / (s64)avg.weight);
	q->vtime = vtime_of(&avg);
	t->vtime = q->vtime - (u64)lag;
	t->deadline = t->vtime + request_of(p);
	t->lag = 0;
	t->is_there = true;
}

/* The surplus of a thread that slept is forgiven as the average comes nearer. */
static void decay_lag(struct task_struct *p)
{
	struct fair_task *t = sahm_task_state(p);
	const struct queue *q = queue_of(t->cpu);
	struct average avg = average_of(q, q->curr);
	s64 gone = (s64)(vtime_of(&avg) - t->left_vtime);
	if (t->lag < 0 && gone > 0)
		t->lag = gone < -t->lag ? t->lag + gone : 0;
}

/* The thread that runs has company: its slice ends with its request. */
static void limit(struct queue *q)
{
	struct fair_task *t = sahm_task_state(q->curr);
	if (t->is_limited)
		return;
	scx_bpf_task_set_slice(q->curr, left_of(q->curr));
	t->is_limited = true;
}

/* The slice for `p`, which is about to run on the core of `q`: as long as it takes when nobody waits. */
static u64 slice_for(const struct queue *q, struct task_struct *p)
{
	struct fair_task *t = sahm_task_state(p);
	t->is_limited = q->first;
	return t->is_limited ? left_of(p) : SCX_SLICE_INF;
}

static u64 load_of(const struct queue *q)
{
	return q->waiting_weight + (q->curr ? q->curr->scx.weight : 0);
}

/* Why a core takes a thread that waits on another. */
enum purpose {
	TO_WORK,     /* it has none */
	TO_EVEN_OUT, /* the loads differ by less afterwards */
	TO_EXCHANGE, /* they do not, but others have the better of it then */
};

/* Whom core `cpu` may take from `q`, whose load is `excess` above its own: who has been there for longest, the last of
 * several; NULL: nobody. */
static struct task_struct *candidate(const struct queue *q, s32 cpu, u64 excess, enum purpose purpose)
{
	const struct fair *st = sahm_state();
	u64 now = scx_bpf_now(), longest = UINT64_MAX;
	struct task_struct *found = NULL;
	if (purpose == TO_EXCHANGE) {
		if (now - q->pulled_at < st->exchange_ns || !q->curr)
			return NULL;
		longest = ((struct fair_task *)sahm_task_state(q->curr))->pulled_at;
	}
	for (struct task_struct *p = q->first; p;) {
		const struct fair_task *t = sahm_task_state(p);
		bool can = bpf_cpumask_test_cpu((u32)cpu, p->cpus_ptr);
		if (purpose == TO_EVEN_OUT)
			can = can && t->weight <= excess / 2 && now - t->pulled_at >= st->balance_ns;
		else if (purpose == TO_EXCHANGE)
			can = can && t->weight <= excess;
		if (can && t->pulled_at <= longest) {
			longest = t->pulled_at;
			found = p;
		}
		p = t->next;
	}
	return found;
}

/* Whether no other core of the tenant with a load as small as that of `cpu` has waited longer for an exchange. */
static bool is_its_turn(s32 cpu)
{
	const struct fair *st = sahm_state();
	const struct queue *own = queue_of(cpu);
	for (u32 c = 0; c < st->nr_cores; c++)
		if (st->tenant[c] == st->tenant[cpu] && load_of(&st->queues[c]) <= load_of(own) &&
		    st->queues[c].pulled_at < own->pulled_at)
			return false;
	return true;
}

/* Brings a thread to the queue of `cpu`, from the core with the largest load that has one for it. False: there is none.
 */
static bool pull(s32 cpu, enum purpose purpose)
{
	struct fair *st = sahm_state();
	u64 own = load_of(queue_of(cpu)), most = 0, now = scx_bpf_now();
	struct task_struct *p = NULL;
	for (u32 c = 0; c < st->nr_cores && st->nr_waiting > 0; c++) {
		const struct queue *q = &st->queues[c];
		u64 load = load_of(q);
		if ((s32)c == cpu || !q->first || load <= most || load <= own)
			continue;
		struct task_struct *found = candidate(q, cpu, load - own, purpose);
		if (found) {
			p = found;
			most = load;
		}
	}
	if (!p)
		return false;
	struct fair_task *t = sahm_task_state(p);
	leave(p);
	take_out(p);
	join(p, cpu);
	insert(p, cpu);
	t->pulled_at = queue_of(cpu)->pulled_at = now;
	return true;
}

/* The core with the smallest load on which `p` may run. */
static s32 lightest_core(const struct task_struct *p, s32 cpu)
{
	const struct fair *st = sahm_state();
	u64 least = UINT64_MAX;
	for (u32 c = 0; c < st->nr_cores; c++) {
		u64 load = load_of(&st->queues[c]);
		if (load < least && bpf_cpumask_test_cpu(c, p->cpus_ptr)) {
			least = load;
			cpu = (s32)c;
		}
	}
	return cpu;
}

static s32 select_cpu(struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);
	return !is_idle && wake_flags & SCX_WAKE_FORK ? lightest_core(p, cpu) : cpu;
}

static void enqueue(struct task_struct *p, u64 enq_flags)
{
	struct fair_task *t = sahm_task_state(p);
	s32 cpu = scx_bpf_task_cpu(p);
	struct queue *q = queue_of(cpu);
	(void)enq_flags;
	if (q->curr)
		update(q->curr);
	if (t->is_there && t->cpu != cpu)
		leave(p);
	else if (!t->is_there)
		decay_lag(p);
	if (!t->is_there)
		join(p, cpu);
	insert(p, cpu);
	if (!q->curr) {
		scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
		return;
	}
	limit(q);
	if (pick(q, q->curr) == p)
		scx_bpf_kick_cpu(cpu, SCX_KICK_PREEMPT);
}

static void dequeue(struct task_struct *p, u64 deq_flags)
{
	struct fair_task *t = sahm_task_state(p);
	(void)deq_flags;
	if (t->waits)
		take_out(p);
}

static void dispatch(s32 cpu, struct task_struct *prev)
{
	struct queue *q = queue_of(cpu);
	if (prev && q->curr == prev)
		update(prev);
	if (!prev && !q->first)
		pull(cpu, TO_WORK);
	struct task_struct *p = pick(q, prev);
	if (!p)
		return;
	if (p == prev) {
		scx_bpf_task_set_slice(p, slice_for(q, p));
		return;
	}
	take_out(p);
	struct fair_task *t = sahm_task_state(p);
	u64 slice_ns = slice_for(q, p);
	if (prev && !t->is_limited) {
		slice_ns = left_of(p);
		t->is_limited = true;
	}
	scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, slice_ns, 0);
}

static void running(struct task_struct *p)
{
	struct fair_task *t = sahm_task_state(p);
	t->cpu = scx_bpf_task_cpu(p);
	t->since = scx_bpf_now();
	queue_of(t->cpu)->curr = p;
}

static void stopping(struct task_struct *p, bool runnable)
{
	struct fair_task *t = sahm_task_state(p);
	struct queue *q = queue_of(t->cpu);
	if (q->curr != p)
		return;
	update(p);
	if (!runnable)
		leave(p);
	q->curr = NULL;
}

/* A core that idles does not look around: where somebody waits who may run there, it is woken. */
static void wake_idle_core(const struct queue *q)
{
	for (const struct task_struct *p = q->first; p;) {
		s32 cpu = scx_bpf_pick_idle_cpu(p->cpus_ptr, 0);
		if (cpu >= 0) {
			scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);
			return;
		}
		p = ((const struct fair_task *)sahm_task_state(p))->next;
	}
}

/* Now and then a busy core looks whether another has more to do. */
static void tick(struct task_struct *p)
{
	const struct fair *st = sahm_state();
	s32 cpu = scx_bpf_task_cpu(p);
	struct queue *q = queue_of(cpu);
	u64 now = scx_bpf_now();
	if (now < q->balance_at || q->curr != p)
		return;
	q->balance_at = now + st->balance_ns;
	update(p);
	wake_idle_core(q);
	if (pull(cpu, TO_EVEN_OUT) || (is_its_turn(cpu) && pull(cpu, TO_EXCHANGE)))
		limit(q);
}

static bool yield(struct task_struct *from, struct task_struct *to)
{
	struct fair_task *t = sahm_task_state(from);
	(void)to;
	update(from);
	t->deadline += request_of(from);
	scx_bpf_task_set_slice(from, 0);
	return false;
}

static void exit_task(struct task_struct *p, struct scx_exit_task_args *args)
{
	dequeue(p, 0);
	(void)args;
}

static void set_cpumask(struct task_struct *p, const struct cpumask *cpumask)
{
	struct fair *st = sahm_state();
	(void)cpumask;
	tenants_link(st->tenant, p);
}

static s32 init(void)
{
	struct fair *st = sahm_state();
	st->nr_cores = scx_bpf_nr_cpu_ids();
	st->slice_ns = sahm_scale(sahm_timestep_ns(), SLICE_TENTHS, 10);
	st->margin_ns = sahm_timestep_ns() < MARGIN_DEN ? 1 : sahm_timestep_ns() / MARGIN_DEN;
	st->balance_ns = BALANCE_TIMESTEPS * sahm_timestep_ns();
	st->exchange_ns = EXCHANGE_TIMESTEPS * sahm_timestep_ns();
	tenants_init(st->tenant);
	return 0;
}

extern const struct sched_ext_ops sched_policy_fair;
const struct sched_ext_ops sched_policy_fair = {
	.name = "fair",
	.summary = "like today's operating systems: fair shares and balanced loads, ignoring core specialisation",
	.init = init,
	.exit_task = exit_task,
	.select_cpu = select_cpu,
	.enqueue = enqueue,
	.dequeue = dequeue,
	.dispatch = dispatch,
	.running = running,
	.stopping = stopping,
	.tick = tick,
	.yield = yield,
	.set_cpumask = set_cpumask,
	.sahm_state_bytes = sizeof(struct fair),
	.sahm_task_state_bytes = sizeof(struct fair_task),
};
