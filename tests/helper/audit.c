/* Slow and plain: a thread's progress is computed again, piece by piece, from when it ran where; and so are levels,
 * from what the policy has asked for, and what cores that share slow down. */
#include "tests/helper/audit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/helper/chaos.h"

#define TOP_CORES 16
#define NOWHERE UINT32_MAX
#define L2 8

__extension__ typedef __int128 wide;

struct life {
	bool is_awake, has_left, is_waking, is_new, has_run;
	uint32_t on;	 /* core on which it runs, or NOWHERE */
	uint32_t core;	 /* where it is */
	uint8_t stretch; /* state in which its stretch began */
	uint64_t since, ready, woke, arrived;
	bool has_arrived;
	/* Progress, in units of 1/PROGRESS_PER_NS ns. */
	uint64_t epoch, crossed;
	int64_t progress, burst_left;
	uint64_t debt, cold;
	struct bursts bursts;
	uint64_t sleep, sleep_until;
	uint64_t nr_bursts; /* begun */
	uint64_t due[MAX_BURST_TIMERS];
	bool ended;
	/* Sums. */
	uint64_t executed, slept, waited, paid, migrations, present;
};

/* A core's level. */
struct clock {
	uint32_t level, wanted;
	uint64_t due;	 /* when the level that is wanted begins, NEVER: none is */
	uint64_t busy;	 /* in this timestep */
	bool is_policys; /* the policy has set it */
};

struct book {
	struct audit *audit;
	const struct sim_config *config;
	struct life *lives;
	struct clock clocks[TOP_CORES];
	uint32_t who[TOP_CORES]; /* runs there */
	uint64_t busy[TOP_CORES];
	uint64_t states[NR_STATES]; /* time in stretches that began in each */
	wide demand[TOP_CORES];	    /* by group that shares */
	uint64_t over[TOP_CORES];   /* time in which it exceeded the capacity */
	struct activity *activity;  /* as in the configuration */
	uint64_t *residency;
	const struct chaos_request *requests;
	size_t nr_requests, next_request;
	struct histogram latency, wait;
	uint64_t now;
	bool is_stepped;
	/* The policy has asked for a level when another, equal to the core's own, was due: nobody can say which came
	 * first. */
	bool is_guess;
};

static bool complain(struct book *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool complain(struct book *b, const char *fmt, ...)
{
	va_list args;
	if (*b->audit->complaint)
		return false;
	int len = snprintf(b->audit->complaint, sizeof(b->audit->complaint), "at %" PRIu64 " ns: ", b->now);
	va_start(args, fmt);
	vsnprintf(b->audit->complaint + len, sizeof(b->audit->complaint) - (size_t)len, fmt, args);
	va_end(args);
	return false;
}

static void take(struct timeline_sink *sink, const struct timeline_event *event)
{
	struct audit *a = (struct audit *)sink;
	if (a->nr == a->room) {
		a->room = a->room ? 2 * a->room : 1024;
		a->events = realloc(a->events, a->room * sizeof(*a->events));
		if (!a->events)
			abort();
	}
	a->events[a->nr++] = *event;
}

void audit_init(struct audit *a)
{
	*a = (struct audit){.sink.take = take};
}

void audit_release(struct audit *a)
{
	free(a->events);
}

/* Sets change with time: whether `t` may run on `core` from `ns` on. */
static bool may_run(const struct sim_config *config, uint32_t t, uint32_t core, uint64_t ns)
{
	const uint64_t *set = config->threads[t].allowed;
	for (uint32_t i = 0; i < config->nr_changes; i++) {
		const struct sim_change *change = &config->changes[i];
		if (change->thread == t && change->sets_allowed && change->at_ns <= ns)
			set = change->allowed;
	}
	return !set || (set[core / 64] >> core % 64 & 1);
}

static uint64_t cost(const struct sim_config *config, uint32_t from, uint32_t to)
{
	const struct distances *d = &config->distances;
	return d->matrix_ns ? d->matrix_ns[from * config->chip->nr_cores + to] : d->cost_ns;
}

static uint8_t state_of(const struct book *b, uint32_t t)
{
	return b->config->threads[t].states[b->lives[t].epoch];
}

static void next_burst(struct life *l)
{
	struct burst burst = bursts_next(&l->bursts);
	l->burst_left += (int64_t)burst.run_ns * PROGRESS_PER_NS;
	l->sleep = burst.sleep_ns;
	l->nr_bursts++;
}

static bool is_last_burst(const struct sim_thread *th, const struct life *l)
{
	return th->bursts->nr_rounds > 0 && l->nr_bursts == th->bursts->nr_rounds * th->bursts->nr;
}

static bool may_yield(const struct sim_thread *th, const struct life *l)
{
	const struct burst_model *m = th->bursts;
	return !m->ends || m->ends[(m->first + l->nr_bursts - 1) % m->nr].yields;
}

/* Until when the thread, whose burst ends at `now`, sleeps; its timer moves. */
static uint64_t sleeps_until(const struct sim_thread *th, struct life *l, uint64_t now)
{
	const struct burst_model *m = th->bursts;
	uint64_t until = now + l->sleep;
	if (!m->ends || m->ends[(m->first + l->nr_bursts - 1) % m->nr].period_ns == 0)
		return until;
	const struct burst_end *end = &m->ends[(m->first + l->nr_bursts - 1) % m->nr];
	uint64_t due = (l->due[end->timer] ? l->due[end->timer] : l->arrived) + end->period_ns;
	bool is_late = due <= until;
	l->due[end->timer] = is_late && !end->is_absolute ? until : due;
	return is_late ? until : due;
}

/* Cores */

static uint32_t nr_levels(const struct book *b, uint32_t core)
{
	return b->config->levels ? b->config->levels[core].nr : 1;
}

/* Its number among those of activity. */
static uint32_t group_of(const struct book *b, uint32_t core)
{
	return b->config->core_groups[core] - (nr_levels(b, core) - 1 - b->clocks[core].level);
}

static int64_t speedup_of(const struct book *b, uint32_t core, uint8_t state)
{
	if (nr_levels(b, core) == 1)
		return b->config->chip->cores[core]->speedup_ppm[state];
	return b->config->levels[core].levels[b->clocks[core].level].speedup_ppm[state];
}

/* The group that the core shares with; NOWHERE: it shares nothing. */
static uint32_t shared_of(const struct book *b, uint32_t core)
{
	return b->config->nr_shared && b->config->shared_of[core] < b->config->nr_shared ? b->config->shared_of[core]
											 : NOWHERE;
}

static void add_demands(struct book *b)
{
	memset(b->demand, 0, sizeof(b->demand));
	for (uint32_t c = 0; c < b->config->chip->nr_cores; c++) {
		if (b->who[c] == NOWHERE || shared_of(b, c) == NOWHERE)
			continue;
		uint8_t state = b->lives[b->who[c]].stretch;
		wide misses = b->config->threads[b->who[c]].demand[state];
		b->demand[shared_of(b, c)] += misses * (PROGRESS_PER_NS + speedup_of(b, c, state)) / PROGRESS_PER_NS;
	}
}

static int64_t slowed(const struct book *b, uint32_t core, uint8_t state, int64_t rate)
{
	uint32_t g = shared_of(b, core);
	if (g == NOWHERE || !(state & L2) || b->demand[g] <= (wide)b->config->capacity[g])
		return rate;
	rate = (int64_t)((wide)rate * (wide)b->config->capacity[g] / b->demand[g]);
	return rate > 0 ? rate : 1;
}

static void reach_level(struct clock *k)
{
	k->level = k->wanted;
	k->due = NEVER;
}

static void want_level(struct book *b, uint32_t core, uint32_t level)
{
	struct clock *k = &b->clocks[core];
	uint64_t step_ns = b->config->timestep_ns, at = b->now + b->config->levels[core].transition_ns;
	if (k->due == NEVER && level == k->level)
		return;
	k->wanted = level;
	if (at == b->now)
		reach_level(k);
	else if (k->due == NEVER)
		k->due = b->is_stepped ? (at + step_ns - 1) / step_ns * step_ns : at;
}

/* The slowest level of at least `quarters` / 4 / `of` MHz. */
static uint32_t level_for(const struct book *b, uint32_t core, wide quarters, wide of)
{
	uint32_t level = 0;
	while (level + 1 < nr_levels(b, core) && 4 * of * b->config->levels[core].levels[level].mhz < quarters)
		level++;
	return level;
}

static bool take_request(struct book *b, const struct chaos_request *r)
{
	struct clock *k = &b->clocks[r->core];
	k->is_policys = true;
	if (nr_levels(b, r->core) == 1)
		return true;
	if (k->due == b->now) {
		b->is_guess |= k->wanted == k->level;
		if (r->seen == k->wanted)
			reach_level(k);
	}
	if (r->seen != k->level)
		return complain(b, "the policy sees level %u of core %u, which is at %u", r->seen, r->core, k->level);
	uint32_t fastest = b->config->levels[r->core].levels[nr_levels(b, r->core) - 1].mhz;
	want_level(b, r->core,
		   r->is_target ? level_for(b, r->core, (wide)5 * r->wanted * fastest, SCX_CPUPERF_ONE) : r->wanted);
	return true;
}

static bool change_levels(struct book *b)
{
	for (; b->next_request < b->nr_requests && b->requests[b->next_request].ns == b->now; b->next_request++)
		if (!take_request(b, &b->requests[b->next_request]))
			return false;
	bool begins = b->now % b->config->timestep_ns == 0;
	for (uint32_t c = 0; c < b->config->chip->nr_cores && b->config->levels; c++) {
		struct clock *k = &b->clocks[c];
		if (k->due == b->now)
			reach_level(k);
		if (b->config->governor && begins && b->now > 0 && !k->is_policys) {
			wide mhz = b->config->levels[c].levels[k->level].mhz;
			want_level(b, c, level_for(b, c, 5 * mhz * k->busy, b->config->timestep_ns));
		}
		if (begins)
			k->busy = 0;
	}
	return true;
}

/* Time */

static void count_progress(struct book *b, uint32_t t, int64_t progress)
{
	uint32_t group = group_of(b, b->lives[t].on);
	b->activity[(t * b->config->nr_groups + group) * NR_STATES + state_of(b, t)].progress += (uint64_t)progress;
}

/* Lets thread `t` run for `ns` where it is: ns by ns where the rate could change, else in pieces. It must not run past
 * the end of its trace or burst. */
static bool execute(struct book *b, uint32_t t, uint64_t ns)
{
	struct life *l = &b->lives[t];
	const struct sim_thread *th = &b->config->threads[t];
	int64_t epoch_length = (int64_t)th->epoch_ns * PROGRESS_PER_NS;
	uint64_t pay = l->debt < ns ? l->debt : ns, end = b->now + ns;

	l->debt -= pay;
	l->paid += pay;
	ns -= pay;
	while (ns > 0) {
		int64_t speedup = speedup_of(b, l->on, state_of(b, t));
		uint64_t piece = ns;
		if (l->ended)
			return complain(b, "thread %u runs on after its trace", t);
		if (th->bursts && l->burst_left <= 0) {
			if (is_last_burst(th, l) || sleeps_until(th, l, end - ns) > end - ns)
				return complain(b, "thread %u runs on after its burst", t);
			next_burst(l); /* it goes on, or has yielded, and nobody else wanted the core */
		}
		if (l->cold > 0) {
			/* Part i of 16 begins at the first whole ns at or past i/16 of the warm-up. */
			uint64_t warm = b->config->warmup_ns - l->cold, part = warm * 16 / b->config->warmup_ns,
				 next = warm;
			while (next < b->config->warmup_ns && next * 16 / b->config->warmup_ns == part)
				next++;
			piece = next - warm < piece ? next - warm : piece;
			speedup = speedup * (2 * (int64_t)part + 1) / 32;
		}
		int64_t rate = slowed(b, l->on, state_of(b, t), PROGRESS_PER_NS + speedup);
		int64_t left = epoch_length - l->progress;
		uint64_t to_boundary = (uint64_t)((left + rate - 1) / rate);
		piece = to_boundary < piece ? to_boundary : piece;
		if (th->bursts) {
			uint64_t to_sleep = (uint64_t)((l->burst_left + rate - 1) / rate);
			piece = to_sleep < piece ? to_sleep : piece;
		}
		count_progress(b, t, (int64_t)piece * rate < left ? (int64_t)piece * rate : left);
		l->progress += (int64_t)piece * rate;
		l->burst_left -= (int64_t)piece * rate;
		l->cold -= l->cold < piece ? l->cold : piece;
		ns -= piece;
		while (l->progress >= epoch_length && !l->ended) {
			l->progress -= epoch_length;
			l->crossed++;
			l->epoch = l->epoch + 1 < th->nr_epochs ? l->epoch + 1 : 0;
			if (l->epoch == 0 && th->once) {
				l->ended = true;
				l->progress = 0;
			}
			count_progress(b, t, l->progress < epoch_length ? l->progress : epoch_length);
		}
	}
	return true;
}

/* Thread `t` runs for `ns` from now on. */
static bool account(struct book *b, uint32_t t, uint64_t ns)
{
	struct life *l = &b->lives[t];
	l->executed += ns;
	b->busy[l->on] += ns;
	b->clocks[l->on].busy += ns;
	b->states[l->stretch] += ns;
	b->activity[(t * b->config->nr_groups + group_of(b, l->on)) * NR_STATES + l->stretch].executed += ns;
	if (!b->is_stepped || !b->config->threads[t].once)
		return execute(b, t, ns);
	/* The rest of the timestep is empty. */
	for (uint64_t i = 1; i <= ns && !l->ended; i++) {
		if (!execute(b, t, 1))
			return false;
		if (l->ended)
			l->present = b->now + i - l->arrived;
	}
	return true;
}

static uint64_t next_time(const struct book *b, uint64_t to)
{
	uint64_t step_ns = b->config->timestep_ns, next = (b->now / step_ns + 1) * step_ns;
	next = to < next ? to : next;
	if (b->next_request < b->nr_requests && b->requests[b->next_request].ns < next)
		next = b->requests[b->next_request].ns;
	for (uint32_t c = 0; c < b->config->chip->nr_cores; c++)
		next = b->clocks[c].due < next ? b->clocks[c].due : next;
	return next;
}

/* Nobody starts or stops before `to`. */
static bool let_pass(struct book *b, uint64_t to)
{
	while (b->now < to) {
		uint64_t next = next_time(b, to);
		add_demands(b);
		for (uint32_t g = 0; g < b->config->nr_shared; g++)
			b->over[g] += b->demand[g] > (wide)b->config->capacity[g] ? next - b->now : 0;
		for (uint32_t c = 0; c < b->config->chip->nr_cores; c++) {
			b->residency[group_of(b, c)] += next - b->now;
			if (b->who[c] != NOWHERE && !account(b, b->who[c], next - b->now))
				return false;
		}
		b->now = next;
		for (uint32_t c = 0; c < b->config->chip->nr_cores && next % b->config->timestep_ns == 0; c++)
			if (b->who[c] != NOWHERE && !b->lives[b->who[c]].ended)
				b->lives[b->who[c]].stretch = state_of(b, b->who[c]);
		if (!change_levels(b))
			return false;
	}
	return true;
}

/* Events */

static bool run(struct book *b, const struct timeline_event *e)
{
	struct life *l = &b->lives[e->thread];
	if (!l->is_awake)
		return complain(b, "thread %u runs while it is not runnable", e->thread);
	if (l->on == e->core) /* in another state */
		return e->state == state_of(b, e->thread) || complain(b, "thread %u is in state %u, reported in %u",
								      e->thread, state_of(b, e->thread), e->state);
	if (l->on != NOWHERE)
		return complain(b, "thread %u runs on cores %u and %u", e->thread, l->on, e->core);
	if (b->who[e->core] != NOWHERE)
		return complain(b, "threads %u and %u run on core %u", b->who[e->core], e->thread, e->core);
	if (l->core != e->core && l->has_run)
		return complain(b, "thread %u runs on core %u, and is on %u", e->thread, e->core, l->core);
	if (!may_run(b->config, e->thread, e->core, b->now))
		return complain(b, "thread %u runs on core %u, on which it may not", e->thread, e->core);
	if (e->state != state_of(b, e->thread))
		return complain(b, "thread %u begins in state %u, reported in %u", e->thread, state_of(b, e->thread),
				e->state);
	l->waited += b->now - l->ready;
	if (l->is_waking)
		histogram_add(&b->latency, b->now - l->woke);
	if (l->is_waking || l->is_new || b->now > l->ready)
		histogram_add(&b->wait, b->now - l->ready);
	l->is_waking = l->is_new = false;
	l->has_run = true;
	l->on = l->core = e->core; /* the first one is free */
	l->stretch = e->state;
	b->who[e->core] = e->thread;
	return true;
}

static bool stop(struct book *b, const struct timeline_event *e)
{
	struct life *l = &b->lives[e->thread];
	const struct sim_thread *th = &b->config->threads[e->thread];
	if (l->on != e->core || b->who[e->core] != e->thread)
		return complain(b, "thread %u stops on core %u, and does not run there", e->thread, e->core);
	b->who[e->core] = NOWHERE;
	l->on = NOWHERE;
	l->ready = b->now;
	bool sleeps = th->bursts && l->burst_left <= 0 && !l->ended;
	if (e->reason == TIMELINE_LEAVE && sleeps && is_last_burst(th, l))
		l->ended = true;
	if (e->reason != TIMELINE_END && (e->reason == TIMELINE_LEAVE) != l->ended)
		return complain(b, "thread %u stops for reason %d, and its trace %s", e->thread, (int)e->reason,
				l->ended ? "is over" : "goes on");
	if (e->reason == TIMELINE_END)
		return true;
	if (l->ended) {
		l->is_awake = false;
		l->has_left = true;
		if (!b->is_stepped)
			l->present = b->now - l->arrived;
		return true;
	}
	if (sleeps && is_last_burst(th, l))
		return complain(b, "thread %u stops for reason %d after its last burst", e->thread, (int)e->reason);
	if (e->reason == TIMELINE_YIELD && sleeps && !may_yield(th, l))
		return complain(b, "thread %u yields after a burst that only ends", e->thread);
	uint64_t until = sleeps ? sleeps_until(th, l, b->now) : b->now;
	if ((e->reason == TIMELINE_SLEEP) != (until > b->now))
		return complain(b, "thread %u stops for reason %d, and its burst %s", e->thread, (int)e->reason,
				sleeps ? "is over" : "goes on");
	if (sleeps) {
		l->is_awake = until == b->now;
		l->sleep_until = until;
		next_burst(l);
	}
	return true;
}

static bool wake(struct book *b, const struct timeline_event *e)
{
	struct life *l = &b->lives[e->thread];
	const struct sim_thread *th = &b->config->threads[e->thread];
	uint64_t step_ns = b->config->timestep_ns;
	if (l->is_awake || l->has_left)
		return complain(b, "thread %u wakes, and is awake or has left", e->thread);
	l->is_awake = true;
	l->ready = b->now;
	if (!l->has_arrived) {
		l->has_arrived = l->is_new = true;
		l->arrived = b->now;
		l->core = e->core;
		return b->now == (th->arrive_ns + step_ns - 1) / step_ns * step_ns ||
		       complain(b, "thread %u arrives, and is due at %" PRIu64, e->thread, th->arrive_ns);
	}
	l->slept += b->now - l->since;
	l->is_waking = true;
	l->woke = b->now;
	return b->now == l->sleep_until ||
	       complain(b, "thread %u wakes, and should at %" PRIu64, e->thread, l->sleep_until);
}

static bool migrate(struct book *b, const struct timeline_event *e)
{
	struct life *l = &b->lives[e->thread];
	if (l->on != NOWHERE)
		return complain(b, "thread %u is moved while it runs", e->thread);
	if ((l->core != e->from && l->has_run) || e->from == e->core)
		return complain(b, "thread %u is moved from core %u to %u, and is on %u", e->thread, e->from, e->core,
				l->core);
	l->core = e->core;
	l->debt += cost(b->config, e->from, e->core);
	l->cold = b->config->warmup_ns;
	l->migrations++;
	return true;
}

/* Between two points in time. */
static bool look_between(struct book *b, bool conserves_work)
{
	for (uint32_t t = 0; t < b->config->nr_threads; t++) {
		const struct life *l = &b->lives[t];
		if (l->on != NOWHERE && !may_run(b->config, t, l->on, b->now))
			return complain(b, "thread %u goes on on core %u, on which it may not run", t, l->on);
		if (!l->is_awake || l->on != NOWHERE || !conserves_work)
			continue;
		for (uint32_t c = 0; c < b->config->chip->nr_cores; c++)
			if (b->who[c] == NOWHERE && may_run(b->config, t, c, b->now))
				return complain(b, "core %u idles while thread %u waits", c, t);
	}
	return true;
}

static bool replay(struct book *b, const struct sim_result *result, bool conserves_work)
{
	if (!change_levels(b))
		return false;
	for (size_t i = 0; i < b->audit->nr; i++) {
		const struct timeline_event *e = &b->audit->events[i];
		bool ok = true;
		if (e->ns < b->now)
			return complain(b, "an event at %" PRIu64, e->ns);
		if (e->ns > b->now && (!look_between(b, conserves_work) || !let_pass(b, e->ns)))
			return false;
		if (e->core >= b->config->chip->nr_cores || e->thread >= b->config->nr_threads)
			return complain(b, "there is no core %u or thread %u", e->core, e->thread);
		switch (e->kind) {
		case TIMELINE_RUN:
			ok = run(b, e);
			break;
		case TIMELINE_STOP:
			ok = stop(b, e);
			break;
		case TIMELINE_WAKE:
			ok = wake(b, e);
			break;
		default:
			ok = migrate(b, e);
		}
		if (!ok)
			return false;
		if (e->kind == TIMELINE_STOP)
			b->lives[e->thread].since = b->now;
	}
	return let_pass(b, result->simulated_ns);
}

static bool same(struct book *b, const char *what, uint32_t number, uint64_t from_results, uint64_t from_events)
{
	return from_results == from_events || complain(b, "%s %u is %" PRIu64 ", and %" PRIu64 " by the events", what,
						       number, from_results, from_events);
}

static bool compare_activity(struct book *b, uint64_t unit)
{
	const struct sim_config *config = b->config;
	bool ok = true;
	for (uint32_t g = 0; g < config->nr_groups && ok; g++)
		ok = same(b, "residency of group", g, config->residency[g], b->residency[g]);
	for (uint32_t g = 0; g < config->nr_shared && ok; g++)
		ok = same(b, "time above the capacity of group", g, config->over_ns[g], b->over[g]);
	for (uint32_t i = 0; i < config->nr_threads * config->nr_groups * NR_STATES && ok; i++) {
		const struct activity *from = &config->activity[i], *to = &b->activity[i];
		ok = same(b, "executed time in cell", i, from->executed * unit, to->executed) &&
		     same(b, "progress in cell", i, (uint64_t)from->progress, (uint64_t)to->progress) &&
		     same(b, "high progress in cell", i, (uint64_t)(from->progress >> 64),
			  (uint64_t)(to->progress >> 64));
	}
	return ok;
}

static bool compare(struct book *b, const struct sim_result *result, const struct sim_thread_result *threads,
		    const struct sim_counts *cores)
{
	uint64_t unit = result->is_continuous ? 1 : b->config->timestep_ns;
	bool ok = true;
	for (uint32_t c = 0; c < b->config->chip->nr_cores && ok; c++)
		ok = same(b, "executed time on core", c, cores[c].executed * unit, b->busy[c]);
	for (unsigned s = 0; s < NR_STATES && ok; s++)
		ok = same(b, "time in state", s, result->states[s].executed * unit, b->states[s]);
	for (uint32_t t = 0; t < b->config->nr_threads && ok; t++) {
		const struct sim_thread_result *r = &threads[t];
		const struct sim_thread *th = &b->config->threads[t];
		struct life *l = &b->lives[t];
		uint64_t epochs = th->offset_ns / th->epoch_ns + l->crossed;
		uint64_t completed = epochs * th->epoch_ns + (uint64_t)(l->progress / PROGRESS_PER_NS) - th->offset_ns;
		if (l->has_arrived && !l->is_awake && !l->has_left)
			l->slept += b->now - l->since;
		if (l->is_awake && l->on == NOWHERE && !l->ended)
			l->waited += b->now - l->ready;
		if (l->has_arrived && !l->ended)
			l->present = b->now - l->arrived;
		if (l->ended && l->present == 0)
			l->present = b->now - l->arrived;
		ok = same(b, "executed of thread", t, r->executed * unit, l->executed) &&
		     same(b, "completed_ns of thread", t, r->completed_ns, completed) &&
		     same(b, "migrations of thread", t, r->migrations, l->migrations) &&
		     same(b, "paid_ns of thread", t, r->paid_ns, l->paid) &&
		     same(b, "left of thread", t, r->left, l->ended) &&
		     same(b, "present_ns of thread", t, r->present_ns, l->present) &&
		     same(b, "slept_ns of thread", t, r->slept_ns, l->slept) &&
		     (!result->is_continuous ||
		      same(b, "time of life of thread", t, r->present_ns, l->executed + l->waited + l->slept));
	}
	if (ok && b->config->waits && result->is_continuous &&
	    (memcmp(&b->latency, &b->config->waits->latency, sizeof(b->latency)) != 0 ||
	     memcmp(&b->wait, &b->config->waits->wait, sizeof(b->wait)) != 0))
		ok = complain(b, "waits are others: %" PRIu64 " and %" PRIu64 ", %" PRIu64 " and %" PRIu64 " by events",
			      b->config->waits->latency.nr, b->config->waits->wait.nr, b->latency.nr, b->wait.nr);
	return ok && (!b->config->activity || compare_activity(b, unit));
}

const char *audit_run(struct audit *a, const struct sim_config *config, const struct sim_result *result,
		      const struct sim_thread_result *threads, const struct sim_counts *cores, bool conserves_work)
{
	struct book *b = calloc(1, sizeof(*b));
	struct life *lives = calloc(config->nr_threads, sizeof(*lives));
	struct activity *activity =
		calloc((size_t)config->nr_threads * config->nr_groups * NR_STATES, sizeof(*activity));
	uint64_t *residency = calloc(config->nr_groups, sizeof(*residency));
	if (!b || !lives || !activity || !residency)
		abort();
	*b = (struct book){.audit = a,
			   .config = config,
			   .lives = lives,
			   .activity = activity,
			   .residency = residency,
			   .is_stepped = !result->is_continuous};
	b->requests = chaos_requests(&b->nr_requests);
	for (uint32_t c = 0; c < TOP_CORES; c++)
		b->who[c] = NOWHERE;
	for (uint32_t c = 0; c < config->chip->nr_cores; c++)
		b->clocks[c] = (struct clock){.level = nr_levels(b, c) - 1, .due = NEVER};
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct sim_thread *th = &config->threads[t];
		lives[t].on = NOWHERE;
		lives[t].epoch = th->offset_ns / th->epoch_ns;
		lives[t].progress = (int64_t)(th->offset_ns % th->epoch_ns) * PROGRESS_PER_NS;
		if (th->bursts) {
			bursts_init(&lives[t].bursts, th->bursts, config->seed, t);
			next_burst(&lives[t]);
		}
	}
	if (replay(b, result, conserves_work))
		compare(b, result, threads, cores);
	if (b->is_guess)
		*a->complaint = 0;
	free(activity);
	free(residency);
	free(lives);
	free(b);
	return *a->complaint ? a->complaint : NULL;
}
