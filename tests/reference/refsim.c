#include "tests/reference/refsim.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

#define UNITS_PER_NS 1000000 /* progress is counted in these: baseline speed, so that a rate is a whole number */
#define NR_PARTS 16	     /* of a warm-up, equally long */
#define SHORT_NS 1024	     /* warm-ups up to this are followed ns by ns */

struct thread {
	unsigned long long epoch; /* index into the trace */
	wide progress;		  /* units done of that epoch */
	wide completed;		  /* units done since the run began */
	wide debt_ns;
	unsigned inertia;
	int last_state; /* in which the last executed timestep began, or REF_UNKNOWN */
	int moved;	/* in the pass under way */
	int arrived;
	int ended;	 /* its trace is over, and it does not repeat it */
	int gone;	 /* it has ended and left its queue */
	int warming;	 /* a warm-up is under way */
	wide warmed_ns;	 /* of that, after it */
	wide arrived_ns; /* when the timestep in which it arrived began */
};

/* At which speed a core is. */
struct clocked {
	int place; /* of its slowest speed */
	int speed, wanted;
	int waits;	/* for the speed that is wanted, */
	wide begins_ns; /* which begins then */
	int executed;	/* in the timestep before */
};

struct system {
	const struct ref_config *config;
	struct clocked clocks[REF_MAX_CORES];
	unsigned long long demand[REF_MAX_SHARED]; /* in this timestep */
	struct ref_result *result;
	struct ref_thread_result *counts;
	struct thread threads[REF_MAX_THREADS];
	struct ref_queue queues[REF_MAX_CORES];
};

/* Core types */

static long long speedup(const struct ref_core *core, int state)
{
	long long best = 0;
	int found = 0;

	if (core->kind == REF_BASELINE)
		return 0;
	if (core->kind == REF_TABLE)
		return core->table_ppm[state];
	for (int c = 0; c < 4; c++) {
		int counts = (core->mask >> c & 1) && (state >> c & 1);
		if (counts && (!found || core->component_ppm[c] > best)) {
			best = core->component_ppm[c];
			found = 1;
		}
	}
	return best;
}

static int serves(const struct ref_core *core, int state)
{
	if (core->kind == REF_BASELINE)
		return 0;
	if (core->kind == REF_TABLE)
		return core->table_ppm[state] > 0;
	return (core->mask & (unsigned)state) != 0;
}

static int matches(const struct ref_core *core, int state)
{
	return serves(core, state) || (core->kind == REF_BASELINE && state == 0);
}

/* Speedup of a core at its present speed. */
static long long clocked_speedup(const struct system *s, int core, int state)
{
	const struct ref_core *type = &s->config->cores[core];

	return type->nr_speeds > 1 ? type->speeds[s->clocks[core].speed].ppm[state] : speedup(type, state);
}

/* Threads and queues */

static int current_state(const struct system *s, int t)
{
	return s->config->threads[t].states[s->threads[t].epoch];
}

static int observed(const struct system *s, int t)
{
	return s->config->oracle ? current_state(s, t) : s->threads[t].last_state;
}

static int may_run(const struct system *s, int t, int core)
{
	const unsigned char *allowed = s->config->threads ? s->config->threads[t].allowed : NULL;

	return allowed == NULL || allowed[core];
}

static void append(struct ref_queue *q, int t)
{
	q->threads[q->length++] = t;
}

/* Takes out number `place` of the queue. */
static int take(struct ref_queue *q, int place)
{
	int t = q->threads[place];

	q->length--;
	for (int i = place; i < q->length; i++)
		q->threads[i] = q->threads[i + 1];
	return t;
}

static void note(struct system *s, enum ref_event event)
{
	s->result->events[event]++;
}

/* Cost of a move between two cores. */
static wide cost_ns(const struct ref_config *config, int from, int to)
{
	if (config->matrix_ns != NULL)
		return config->matrix_ns[from * config->nr_cores + to];
	for (int i = 0; i < config->nr_levels; i++) {
		int first = from - from % config->levels[i].nr_cores; /* of the block that holds `from` */
		if (to >= first && to < first + config->levels[i].nr_cores)
			return config->levels[i].cost_ns;
	}
	return config->migration_ns;
}

static void has_moved(struct system *s, int t, int from, int to)
{
	const struct ref_config *config = s->config;
	struct thread *thread = &s->threads[t];
	wide cost = cost_ns(config, from, to);

	if (cost != config->migration_ns)
		note(s, config->matrix_ns ? REF_COST_BY_MATRIX : REF_COST_BY_LEVEL);
	if (cost != cost_ns(config, to, from))
		note(s, REF_COST_ONE_WAY);
	if (thread->warming && thread->warmed_ns > 0)
		note(s, REF_WARMUP_INTERRUPTED);
	thread->moved = 1;
	thread->inertia = config->inertia;
	thread->debt_ns += cost;
	thread->warming = config->warmup_ns > 0;
	thread->warmed_ns = 0;
	s->counts[t].migrations++;
}

static void move_head(struct system *s, int from, int to)
{
	int t = take(&s->queues[from], 0);

	append(&s->queues[to], t);
	has_moved(s, t, from, to);
	s->result->decisions++;
}

static void swap_heads(struct system *s, int a, int b)
{
	int t = s->queues[a].threads[0];
	int u = s->queues[b].threads[0];

	s->queues[a].threads[0] = u;
	s->queues[b].threads[0] = t;
	has_moved(s, t, a, b);
	has_moved(s, u, b, a);
	s->result->decisions++;
}

/* The scheduling pass */

/* Whether the head of `core` can be swapped to core `to`. */
static int is_victim(struct system *s, int core, int to)
{
	const struct ref_core *type = &s->config->cores[core];
	int t = s->queues[core].threads[0];
	int state = observed(s, t);

	if (state == REF_UNKNOWN || s->threads[t].moved)
		return 0;
	if (s->config->policy == REF_STRICT ? matches(type, state) : serves(type, state))
		return 0;
	if (s->threads[t].inertia > 0) {
		note(s, REF_VICTIM_HAD_INERTIA);
		return 0;
	}
	if (!may_run(s, t, to)) {
		note(s, REF_VICTIM_KEPT_BY_SET);
		return 0;
	}
	return 1;
}

/* The best of the other cores that match `state` and on which the head of `own` may run: the idle ones, or those whose
 * head can be swapped; -1 if none. */
static int best_core(struct system *s, int own, int state, int idle)
{
	int t = s->queues[own].threads[0];
	int best = -1;

	for (int c = 0; c < s->config->nr_cores; c++) {
		if (c == own || !matches(&s->config->cores[c], state))
			continue;
		if (idle ? s->queues[c].length > 0 : s->queues[c].length == 0 || !is_victim(s, c, own))
			continue;
		if (!may_run(s, t, c)) {
			note(s, idle ? REF_KEPT_FROM_IDLE : REF_KEPT_FROM_SWAP);
			continue;
		}
		if (best < 0) {
			best = c;
			continue;
		}
		long long gain = speedup(&s->config->cores[c], state) - speedup(&s->config->cores[best], state);
		if (gain == 0)
			note(s, REF_CHOSE_AMONG_EQUALS);
		if (gain > 0) {
			note(s, REF_CHOSE_FASTER);
			best = c;
		}
	}
	return best;
}

static int most_idle_core(struct system *s, int own)
{
	int t = s->queues[own].threads[0];
	int best = own;
	int fewest = s->queues[own].length - 1;

	for (int c = 0; c < s->config->nr_cores; c++) {
		if (c == own || s->queues[c].length >= fewest)
			continue;
		if (!may_run(s, t, c)) {
			note(s, REF_KEPT_FROM_SHORTER);
			continue;
		}
		best = c;
		fewest = s->queues[c].length;
	}
	return best;
}

static void consider_core(struct system *s, int core)
{
	if (s->queues[core].length == 0)
		return;
	int t = s->queues[core].threads[0];
	if (s->threads[t].moved) {
		note(s, REF_SKIPPED_MOVED);
		return;
	}
	if (s->threads[t].inertia > 0) { /* step 1 */
		s->threads[t].inertia--;
		note(s, REF_STAYED_BY_INERTIA);
		return;
	}
	int state = observed(s, t);
	if (state == REF_UNKNOWN || matches(&s->config->cores[core], state)) /* step 2 */
		return;
	int target = best_core(s, core, state, 1); /* step 3 */
	if (target >= 0) {
		move_head(s, core, target);
		note(s, REF_MOVED_TO_IDLE);
		return;
	}
	if (s->config->policy != REF_LISTING) { /* step 4 */
		target = best_core(s, core, state, 0);
		if (target >= 0) {
			swap_heads(s, core, target);
			note(s, REF_SWAPPED);
			return;
		}
	}
	target = most_idle_core(s, core); /* step 5 */
	if (target != core) {
		move_head(s, core, target);
		note(s, REF_MOVED_TO_SHORTER);
	}
}

static void scheduling_pass(struct system *s)
{
	for (int t = 0; t < s->config->nr_threads; t++)
		s->threads[t].moved = 0;
	if (s->config->policy == REF_STATIC)
		return;
	for (int core = 0; core < s->config->nr_cores; core++)
		consider_core(s, core);
}

/* Arrivals and departures */

static void let_leave(struct system *s)
{
	for (int core = 0; core < s->config->nr_cores; core++) {
		struct ref_queue *q = &s->queues[core];
		for (int i = q->length - 1; i >= 0; i--) {
			if (!s->threads[q->threads[i]].ended)
				continue;
			s->threads[take(q, i)].gone = 1;
			note(s, q->length == 0 ? REF_LEFT_CORE_IDLE : REF_LEFT_OTHERS);
		}
	}
}

static int shortest_queue(const struct system *s, int t, int any)
{
	int best = -1;

	for (int c = 0; c < s->config->nr_cores; c++) {
		if (!any && !may_run(s, t, c))
			continue;
		if (best < 0 || s->queues[c].length < s->queues[best].length)
			best = c;
	}
	return best;
}

static void let_arrive(struct system *s, wide now_ns)
{
	for (int t = 0; t < s->config->nr_threads; t++) {
		if (s->threads[t].arrived || s->config->threads[t].arrive_ns > now_ns)
			continue;
		int core = shortest_queue(s, t, 0);
		if (now_ns > 0)
			note(s, REF_ARRIVED_LATE);
		if (s->config->threads[t].arrive_ns < now_ns)
			note(s, REF_DUE_INSIDE);
		if (core != shortest_queue(s, t, 1))
			note(s, REF_PLACED_BY_SET);
		else if (core != t % s->config->nr_cores)
			note(s, REF_PLACED_ELSEWHERE);
		s->threads[t].arrived = 1;
		s->threads[t].arrived_ns = now_ns;
		append(&s->queues[core], t);
	}
}

static int nr_present(const struct system *s)
{
	int nr = 0;

	for (int t = 0; t < s->config->nr_threads; t++)
		nr += s->threads[t].arrived && !s->threads[t].gone;
	return nr;
}

static int all_have_left(const struct system *s)
{
	for (int t = 0; t < s->config->nr_threads; t++)
		if (!s->threads[t].gone)
			return 0;
	return 1;
}

/* Execution */

/* The part of its warm-up in which a thread is: the last that begins at or before it. Part i begins at i
 * sixteenths of the whole. */
static int warmup_part(const struct system *s, const struct thread *thread)
{
	int part = 0;

	for (int i = 1; i < NR_PARTS; i++)
		if (thread->warmed_ns * NR_PARTS >= (wide)i * s->config->warmup_ns)
			part = i;
	return part;
}

/* The speedup of a thread in a state on a core in the coming ns. A part has the mean of a straight line from nothing to
 * all over it: from i / 16 to (i + 1) / 16. */
static long long speedup_now(const struct system *s, int t, int core)
{
	long long full = clocked_speedup(s, core, current_state(s, t));
	long long size = full < 0 ? -full : full;

	if (!s->threads[t].warming)
		return full;
	int part = warmup_part(s, &s->threads[t]);
	size = size * (part + part + 1) / (2 * NR_PARTS);
	return full < 0 ? -size : size;
}

/* For how many ns the part of the warm-up stays what it is, or fewer. */
static wide same_part_ns(const struct system *s, const struct thread *thread)
{
	if (s->config->warmup_ns <= SHORT_NS)
		return 1;
	wide end_sixteenths = ((wide)warmup_part(s, thread) + 1) * s->config->warmup_ns;
	wide left_sixteenths = end_sixteenths - thread->warmed_ns * NR_PARTS;
	return left_sixteenths / NR_PARTS + (left_sixteenths % NR_PARTS > 0);
}

static void warm(struct system *s, struct thread *thread, wide ns, wide left_ns)
{
	int before = warmup_part(s, thread);

	thread->warmed_ns += ns;
	if (thread->warmed_ns >= s->config->warmup_ns) {
		thread->warming = 0;
		if (left_ns > 0)
			note(s, REF_WARM_INSIDE);
	} else if (warmup_part(s, thread) > before + 1) {
		note(s, REF_SKIPPED_PARTS);
	} else if (warmup_part(s, thread) > before) {
		note(s, REF_SEVERAL_PARTS);
	}
}

static void add_progress(struct ref_progress *sum, wide units)
{
	wide whole = ((wide)sum->high << 64) + sum->low + units;

	sum->high = (unsigned long long)(whole >> 64);
	sum->low = (unsigned long long)whole;
}

/* A rate, slower by the others with which the core shares. */
static wide shared_rate(const struct system *s, int t, int core, wide rate)
{
	int group = s->config->nr_shared > 0 ? s->config->shared_of[core] : -1;

	if (group < 0 || !(current_state(s, t) & 8) || s->demand[group] <= s->config->capacity[group])
		return rate;
	rate = rate * s->config->capacity[group] / s->demand[group];
	return rate > 0 ? rate : 1;
}

static int place_of(const struct system *s, int core)
{
	return s->clocks[core].place + s->clocks[core].speed;
}

/* Returns the ns that were left when the trace ended. */
static wide advance(struct system *s, int t, int core, wide left_ns)
{
	struct ref_progress *made = s->counts[t].progress[place_of(s, core)];
	const struct ref_thread *trace = &s->config->threads[t];
	struct thread *thread = &s->threads[t];
	wide length = (wide)trace->epoch_ns * UNITS_PER_NS;
	int crossings = 0;

	while (left_ns > 0) {
		wide rate = shared_rate(s, t, core, (wide)(UNITS_PER_NS + speedup_now(s, t, core)));
		wide boundary_ns = (length - thread->progress + rate - 1) / rate;
		wide ns = boundary_ns < left_ns ? boundary_ns : left_ns;
		int cold = thread->warming;

		if (cold && same_part_ns(s, thread) < ns)
			ns = same_part_ns(s, thread);
		wide room = length - thread->progress, units = rate * ns;
		add_progress(&made[current_state(s, t)], units < room ? units : room);
		thread->progress += units;
		thread->completed += units;
		left_ns -= ns;
		if (cold)
			warm(s, thread, ns, left_ns);
		if (thread->progress < length)
			continue;
		thread->progress -= length;
		thread->epoch++;
		crossings++;
		note(s, left_ns > 0 ? REF_CROSSED_INSIDE : REF_CROSSED_AT_END);
		if (cold)
			note(s, REF_CROSSED_WARMING);
		if (thread->progress > 0)
			note(s, REF_CARRIED_SURPLUS);
		else if (left_ns == 0)
			note(s, REF_CROSSED_EXACTLY);
		if (thread->epoch == trace->nr_epochs && trace->once) {
			note(s, left_ns > 0 ? REF_LEFT_INSIDE : REF_LEFT_AT_END);
			if (thread->progress > 0)
				note(s, REF_LEFT_WITH_SURPLUS);
			if (thread->warming)
				note(s, REF_LEFT_WHILE_COLD);
			thread->completed -= thread->progress; /* nothing follows the end */
			thread->ended = 1;
			break;
		}
		if (thread->epoch == trace->nr_epochs) {
			thread->epoch = 0;
			note(s, REF_RESTARTED);
		}
		add_progress(&made[current_state(s, t)], thread->progress); /* the surplus */
	}
	if (crossings > 1)
		note(s, REF_CROSSED_TWICE);
	return left_ns;
}

static void count(struct ref_counts *counts, const struct ref_core *type, int state)
{
	counts->executed++;
	counts->served += (unsigned)serves(type, state);
	counts->matched += (unsigned)matches(type, state);
}

static void execute_core(struct system *s, int core, wide now_ns)
{
	const struct ref_core *type = &s->config->cores[core];
	wide step_ns = s->config->timestep_ns;

	if (s->queues[core].length == 0)
		return;
	int t = take(&s->queues[core], 0);
	append(&s->queues[core], t);
	struct thread *thread = &s->threads[t];
	struct ref_thread_result *counts = &s->counts[t];
	int state = current_state(s, t);

	count(&counts->counts, type, state);
	counts->executed[place_of(s, core)][state]++;
	count(&s->result->cores[core], type, state);
	count(&s->result->states[state], type, state);
	counts->transitions += thread->last_state != REF_UNKNOWN && thread->last_state != state;
	thread->last_state = state;

	wide paid_ns = thread->debt_ns < step_ns ? thread->debt_ns : step_ns;
	thread->debt_ns -= paid_ns;
	counts->paid_ns += (unsigned long long)paid_ns;
	if (paid_ns > 0)
		note(s, paid_ns < step_ns ? REF_PAID_IN_PART : REF_PAID_WHOLE_STEP);
	if (paid_ns > 0 && paid_ns < step_ns && thread->warming)
		note(s, REF_PAID_THEN_WARMED);
	if (thread->debt_ns > 0)
		note(s, REF_CARRIED_DEBT);
	wide left_ns = advance(s, t, core, step_ns - paid_ns);
	if (thread->ended) {
		counts->left = 1;
		counts->present_ns = (unsigned long long)(now_ns + step_ns - left_ns - thread->arrived_ns);
	} else if (thread->warming && thread->warmed_ns > 0) {
		note(s, REF_STILL_COLD);
	}
}

/* Speeds and sharing */

static void want_speed(struct system *s, int core, int speed, wide now_ns)
{
	struct clocked *clock = &s->clocks[core];
	wide step_ns = s->config->timestep_ns, at_ns = now_ns + s->config->cores[core].transition_ns;

	if (!clock->waits && speed == clock->speed)
		return;
	if (clock->waits && speed != clock->wanted)
		note(s, REF_SPEED_REPLACED);
	clock->wanted = speed;
	if (clock->waits)
		return;
	if (at_ns == now_ns) {
		if (s->queues[core].length > 0)
			note(s, REF_SPEED_CHANGED);
		clock->speed = speed;
		return;
	}
	note(s, REF_SPEED_LATER);
	clock->waits = 1;
	clock->begins_ns = (at_ns + step_ns - 1) / step_ns * step_ns;
}

static void begin_speeds(struct system *s, wide now_ns)
{
	for (int core = 0; core < s->config->nr_cores; core++) {
		struct clocked *clock = &s->clocks[core];

		if (!clock->waits || clock->begins_ns > now_ns)
			continue;
		clock->speed = clock->wanted;
		clock->waits = 0;
	}
}

static void speeds_by_use(struct system *s, wide now_ns)
{
	for (int core = 0; core < s->config->nr_cores && now_ns > 0; core++) {
		const struct ref_core *type = &s->config->cores[core];
		int speed = 0;

		if (type->nr_speeds < 2)
			continue;
		long long used = s->clocks[core].executed ? type->speeds[s->clocks[core].speed].mhz : 0;
		while (speed + 1 < type->nr_speeds && 4 * type->speeds[speed].mhz < 5 * used)
			speed++;
		want_speed(s, core, speed, now_ns);
	}
}

static void speeds_by_state(struct system *s, wide now_ns)
{
	for (int core = 0; core < s->config->nr_cores; core++) {
		int nr_speeds = s->config->cores[core].nr_speeds;

		if (nr_speeds < 2 || s->queues[core].length == 0)
			continue;
		int state = observed(s, s->queues[core].threads[0]);
		if (state != REF_UNKNOWN)
			want_speed(s, core, state % nr_speeds, now_ns);
	}
}

static void add_demands(struct system *s)
{
	memset(s->demand, 0, sizeof(s->demand));
	for (int core = 0; core < s->config->nr_cores && s->config->nr_shared > 0; core++) {
		int group = s->config->shared_of[core];
		int t = s->queues[core].threads[0];

		if (group < 0 || s->queues[core].length == 0)
			continue;
		int state = current_state(s, t);
		wide rate = (wide)(UNITS_PER_NS + clocked_speedup(s, core, state));
		s->demand[group] += (unsigned long long)(s->config->threads[t].demand[state] * rate / UNITS_PER_NS);
	}
	for (int group = 0; group < s->config->nr_shared; group++) {
		if (s->demand[group] > s->config->capacity[group]) {
			note(s, REF_SLOWED);
			s->result->over[group]++;
		} else if (s->demand[group] == s->config->capacity[group])
			note(s, REF_AT_CAPACITY);
	}
}

/* When the run ends at the latest; sets `*until_left` if it ends when all threads have left. */
static wide end_of_run(const struct ref_config *config, int *until_left)
{
	wide last_end_ns = 0, latest_ns = 0, all_ns = 0, end_ns = 0;

	*until_left = config->duration_ns == 0;
	for (int t = 0; t < config->nr_threads; t++) {
		const struct ref_thread *trace = &config->threads[t];
		wide trace_ns = (wide)trace->nr_epochs * trace->epoch_ns;

		all_ns += trace_ns;
		if (trace->arrive_ns > latest_ns)
			latest_ns = trace->arrive_ns;
		if (trace->arrive_ns + trace_ns > last_end_ns)
			last_end_ns = trace->arrive_ns + trace_ns;
		if (!trace->once)
			*until_left = 0;
	}
	if (config->duration_ns > 0)
		end_ns = config->duration_ns;
	else if (*until_left)
		end_ns = 10 * (latest_ns + all_ns);
	else
		end_ns = last_end_ns;
	return end_ns < REF_MAX_RUN_NS ? end_ns : REF_MAX_RUN_NS;
}

void ref_run(const struct ref_config *config, struct ref_result *result, struct ref_thread_result *threads)
{
	struct system s = {.config = config, .result = result, .counts = threads};
	int until_left;
	wide end_ns = end_of_run(config, &until_left), now_ns = 0;

	memset(result, 0, sizeof(*result));
	memset(threads, 0, (size_t)config->nr_threads * sizeof(*threads));
	for (int t = 0; t < config->nr_threads; t++) {
		const struct ref_thread *trace = &config->threads[t];

		s.threads[t].epoch = trace->offset_ns / trace->epoch_ns;
		s.threads[t].progress = (wide)(trace->offset_ns % trace->epoch_ns) * UNITS_PER_NS;
		s.threads[t].last_state = REF_UNKNOWN;
	}
	for (int core = 0, place = 0; core < config->nr_cores; core++) {
		int nr = config->cores[core].nr_speeds > 1 ? config->cores[core].nr_speeds : 1;

		s.clocks[core].place = place;
		s.clocks[core].speed = nr - 1;
		place += nr;
	}
	for (now_ns = 0; now_ns < end_ns; now_ns += config->timestep_ns) {
		let_leave(&s);
		if (until_left && all_have_left(&s)) {
			note(&s, REF_ALL_LEFT);
			break;
		}
		let_arrive(&s, now_ns);
		begin_speeds(&s, now_ns);
		if (config->speed_rule == REF_SPEEDS_BY_USE)
			speeds_by_use(&s, now_ns);
		scheduling_pass(&s);
		if (config->speed_rule == REF_SPEEDS_BY_STATE)
			speeds_by_state(&s, now_ns);
		add_demands(&s);
		int present = nr_present(&s);
		if (present == 0)
			note(&s, REF_NOBODY_THERE);
		result->present_timesteps += (unsigned)present;
		result->capacity_timesteps += (unsigned)(present < config->nr_cores ? present : config->nr_cores);
		for (int core = 0; core < config->nr_cores; core++) {
			s.clocks[core].executed = s.queues[core].length > 0;
			result->residency[place_of(&s, core)]++;
			execute_core(&s, core, now_ns);
		}
		result->nr_timesteps++;
	}
	let_leave(&s);
	if (until_left && !all_have_left(&s))
		note(&s, REF_GIVEN_UP);
	for (int t = 0; t < config->nr_threads; t++) {
		threads[t].completed_ns = (unsigned long long)(s.threads[t].completed / UNITS_PER_NS);
		if (!s.threads[t].arrived)
			note(&s, REF_NEVER_ARRIVED);
		else if (!s.threads[t].ended)
			threads[t].present_ns = (unsigned long long)(now_ns - s.threads[t].arrived_ns);
	}
}

unsigned long long ref_pass(const struct ref_config *config, struct ref_pass *pass)
{
	struct ref_config alone = *config;
	struct ref_result result = {0};
	struct ref_thread_result counts[REF_MAX_THREADS] = {0};
	struct system s = {.config = &alone, .result = &result, .counts = counts};

	alone.oracle = 0;
	memcpy(s.queues, pass->queues, sizeof(s.queues));
	for (int t = 0; t < config->nr_threads; t++) {
		s.threads[t].last_state = pass->observed[t];
		s.threads[t].inertia = pass->inertia[t];
	}
	scheduling_pass(&s);
	memcpy(pass->queues, s.queues, sizeof(s.queues));
	pass->decisions = result.decisions;
	for (int t = 0; t < config->nr_threads; t++) {
		const wide most = ~0ULL;
		wide debt_ns = s.threads[t].debt_ns;
		pass->inertia[t] = s.threads[t].inertia;
		pass->moves[t] = counts[t].migrations;
		pass->debt_ns[t] = (unsigned long long)(debt_ns < most ? debt_ns : most);
		pass->warming[t] = s.threads[t].warming;
	}
	return result.events[REF_MOVED_TO_SHORTER];
}

/* Classification */

unsigned ref_state(const unsigned long long counts[8], const long long cuts_ppb[4])
{
	/* Positions of the numerator and the denominator of each component's metric. */
	static const int misses[4] = {2, 3, 5, 7};
	static const int per[4] = {1, 0, 4, 6};
	unsigned state = 0;

	for (int c = 0; c < 4; c++) {
		signed_wide left = (signed_wide)counts[misses[c]] * 1000000000;
		signed_wide right = (signed_wide)counts[per[c]] * cuts_ppb[c];

		if (counts[per[c]] > 0 && left > right)
			state |= 1u << c;
	}
	return state;
}
