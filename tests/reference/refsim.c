#include "tests/reference/refsim.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

#define UNITS_PER_NS 1000000 /* progress is counted in these: baseline speed, so that a rate is a whole number */

struct thread {
	unsigned long long epoch; /* index into the trace */
	wide progress;		  /* units done of that epoch */
	wide completed;		  /* units done since the run began */
	wide debt_ns;
	unsigned inertia;
	int last_state; /* in which the last executed timestep began, or REF_UNKNOWN */
	int moved;	/* in the pass under way */
};

struct system {
	const struct ref_config *config;
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

/* Threads and queues */

static int current_state(const struct system *s, int t)
{
	return s->config->threads[t].states[s->threads[t].epoch];
}

static int observed(const struct system *s, int t)
{
	return s->config->oracle ? current_state(s, t) : s->threads[t].last_state;
}

static void append(struct ref_queue *q, int t)
{
	q->threads[q->length++] = t;
}

static int take_head(struct ref_queue *q)
{
	int t = q->threads[0];

	q->length--;
	memmove(q->threads, q->threads + 1, (size_t)q->length * sizeof(q->threads[0]));
	return t;
}

static void note(struct system *s, enum ref_event event)
{
	s->result->events[event]++;
}

static void has_moved(struct system *s, int t)
{
	s->threads[t].moved = 1;
	s->threads[t].inertia = s->config->inertia;
	s->threads[t].debt_ns += s->config->migration_ns;
	s->counts[t].migrations++;
}

static void move_head(struct system *s, int from, int to)
{
	int t = take_head(&s->queues[from]);

	append(&s->queues[to], t);
	has_moved(s, t);
}

static void swap_heads(struct system *s, int a, int b)
{
	int t = s->queues[a].threads[0];
	int u = s->queues[b].threads[0];

	s->queues[a].threads[0] = u;
	s->queues[b].threads[0] = t;
	has_moved(s, t);
	has_moved(s, u);
}

/* The scheduling pass */

static int is_victim(struct system *s, int core)
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
	return 1;
}

/* The best of the other cores that match `state`: the idle ones, or those whose head can be swapped; -1 if none. */
static int best_core(struct system *s, int own, int state, int idle)
{
	int best = -1;

	for (int c = 0; c < s->config->nr_cores; c++) {
		if (c == own || !matches(&s->config->cores[c], state))
			continue;
		if (idle ? s->queues[c].length > 0 : s->queues[c].length == 0 || !is_victim(s, c))
			continue;
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

static int most_idle_core(const struct system *s, int own)
{
	int best = own;
	int fewest = s->queues[own].length - 1;

	for (int c = 0; c < s->config->nr_cores; c++) {
		if (c != own && s->queues[c].length < fewest) {
			best = c;
			fewest = s->queues[c].length;
		}
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

/* Execution */

static void advance(struct system *s, int t, const struct ref_core *core, wide left_ns)
{
	const struct ref_thread *trace = &s->config->threads[t];
	struct thread *thread = &s->threads[t];
	wide length = (wide)trace->epoch_ns * UNITS_PER_NS;
	int crossings = 0;

	while (left_ns > 0) {
		wide rate = (wide)(UNITS_PER_NS + speedup(core, current_state(s, t)));
		wide boundary_ns = (length - thread->progress + rate - 1) / rate;
		wide ns = boundary_ns < left_ns ? boundary_ns : left_ns;

		thread->progress += rate * ns;
		thread->completed += rate * ns;
		left_ns -= ns;
		if (thread->progress < length)
			continue;
		thread->progress -= length;
		thread->epoch++;
		crossings++;
		note(s, left_ns > 0 ? REF_CROSSED_INSIDE : REF_CROSSED_AT_END);
		if (thread->progress > 0)
			note(s, REF_CARRIED_SURPLUS);
		else if (left_ns == 0)
			note(s, REF_CROSSED_EXACTLY);
		if (thread->epoch == trace->nr_epochs) {
			thread->epoch = 0;
			note(s, REF_RESTARTED);
		}
	}
	if (crossings > 1)
		note(s, REF_CROSSED_TWICE);
}

static void execute_core(struct system *s, int core)
{
	const struct ref_core *type = &s->config->cores[core];
	wide step_ns = s->config->timestep_ns;

	if (s->queues[core].length == 0)
		return;
	int t = take_head(&s->queues[core]);
	append(&s->queues[core], t);
	struct thread *thread = &s->threads[t];
	int state = current_state(s, t);

	s->counts[t].executed++;
	s->counts[t].served += (unsigned)serves(type, state);
	s->counts[t].matched += (unsigned)matches(type, state);
	s->counts[t].transitions += thread->last_state != REF_UNKNOWN && thread->last_state != state;
	thread->last_state = state;

	wide paid_ns = thread->debt_ns < step_ns ? thread->debt_ns : step_ns;
	thread->debt_ns -= paid_ns;
	if (paid_ns > 0)
		note(s, paid_ns < step_ns ? REF_PAID_IN_PART : REF_PAID_WHOLE_STEP);
	if (thread->debt_ns > 0)
		note(s, REF_CARRIED_DEBT);
	advance(s, t, type, step_ns - paid_ns);
}

void ref_run(const struct ref_config *config, struct ref_result *result, struct ref_thread_result *threads)
{
	struct system s = {.config = config, .result = result, .counts = threads};
	wide duration_ns = config->duration_ns;

	memset(result, 0, sizeof(*result));
	memset(threads, 0, (size_t)config->nr_threads * sizeof(*threads));
	for (int t = 0; t < config->nr_threads; t++) {
		const struct ref_thread *trace = &config->threads[t];
		wide trace_ns = (wide)trace->nr_epochs * trace->epoch_ns;

		if (config->duration_ns == 0 && trace_ns > duration_ns)
			duration_ns = trace_ns;
		s.threads[t].epoch = trace->offset_ns / trace->epoch_ns;
		s.threads[t].progress = (wide)(trace->offset_ns % trace->epoch_ns) * UNITS_PER_NS;
		s.threads[t].last_state = REF_UNKNOWN;
		append(&s.queues[t % config->nr_cores], t);
	}
	for (wide now_ns = 0; now_ns < duration_ns; now_ns += config->timestep_ns) {
		scheduling_pass(&s);
		for (int core = 0; core < config->nr_cores; core++)
			execute_core(&s, core);
		result->nr_timesteps++;
	}
	for (int t = 0; t < config->nr_threads; t++)
		threads[t].completed_ns = (unsigned long long)(s.threads[t].completed / UNITS_PER_NS);
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
	for (int t = 0; t < config->nr_threads; t++) {
		pass->inertia[t] = s.threads[t].inertia;
		pass->moves[t] = counts[t].migrations;
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
