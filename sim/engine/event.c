/* The event-driven engine: goes from one timestep in which something happens to the next (event_internal.h). */
#include <stdlib.h>

#include "sim/engine/event_thread_internal.h"

/* Most progress per timestep for short arithmetic: added to what is left of a stay, at most MAX_STAY_PROGRESS, and to a
 * short debt it stays below 2^63. */
#define SHORT_PROGRESS (UINT64_C(1) << 61)

static bool make_rates(struct event_sim *sim, struct arena *a)
{
	const struct sahm_index *index = &sim->index;
	const struct sahm_rules *rules = sim->config->policy->sahm_rules;
	struct rate *rates = arena_alloc(a, index->nr_classes, NR_STATES * sizeof(*rates));
	if (!rates)
		return false;
	for (uint32_t k = 0; k < index->nr_classes; k++) {
		const struct core_type *type = index->classes[k];
		for (unsigned s = 0; s < NR_STATES; s++) {
			struct rate *rate = &rates[k * NR_STATES + s];
			uint64_t per_ns = (uint64_t)(PROGRESS_PER_NS + type->speedup_ppm[s]);
			rate->per_ns = reciprocal_of(per_ns);
			if (per_ns > SHORT_PROGRESS / sim->config->timestep_ns)
				sim->is_wide = true;
			else
				rate->per_step = reciprocal_of(per_ns * sim->config->timestep_ns);
			rate->kind = (uint8_t)kind_of(type, s);
			rate->shows = (uint8_t)(rules ? sahm_index_shows(rules->swaps, type, s) : 0);
		}
	}
	sim->rates = rates;
	return true;
}

/* Orders threads so that those that replay the same trace stand side by side. The order itself, which is one of
 * addresses, has no influence on anything. */
static int compare_traces(const void *a, const void *b)
{
	const struct sim_thread *x = *(const struct sim_thread *const *)a, *y = *(const struct sim_thread *const *)b;
	int order = ((uintptr_t)x->states > (uintptr_t)y->states) - ((uintptr_t)x->states < (uintptr_t)y->states);
	if (order == 0)
		order = (x->nr_epochs > y->nr_epochs) - (x->nr_epochs < y->nr_epochs);
	return order ? order : (x->epoch_ns > y->epoch_ns) - (x->epoch_ns < y->epoch_ns);
}

/* Turns every trace into stays, once for all threads that replay it. */
static bool make_stays(struct event_sim *sim, struct arena *a)
{
	const struct sim_config *config = sim->config;
	const struct sim_thread **sorted = arena_alloc(a, config->nr_threads, sizeof(*sorted));
	struct event_thread *same = NULL;
	bool ok = true;
	if (!sorted)
		return false;
	for (uint32_t t = 0; t < config->nr_threads; t++)
		sorted[t] = &config->threads[t];
	qsort(sorted, config->nr_threads, sizeof(*sorted), compare_traces);
	for (uint32_t i = 0; i < config->nr_threads && ok; i++) {
		struct event_thread *th = &sim->threads[sorted[i] - config->threads];
		if (i > 0 && compare_traces(&sorted[i], &sorted[i - 1]) == 0) {
			th->stays = same->stays;
			th->nr_stays = same->nr_stays;
		} else {
			th->stays = stays_make(a, sorted[i]->states, sorted[i]->nr_epochs, sorted[i]->epoch_ns,
					       &th->nr_stays);
			ok = th->stays;
		}
		same = th;
	}
	return ok;
}

static void init_thread(struct event_sim *sim, uint32_t t)
{
	const struct sim_thread *from = &sim->config->threads[t];
	struct event_thread *th = &sim->threads[t];
	uint64_t epoch = from->offset_ns / from->epoch_ns;
	while (epoch >= stay_epochs(th->stays[th->stay]))
		epoch -= stay_epochs(th->stays[th->stay++]);
	th->epoch_progress = (int64_t)from->epoch_ns * PROGRESS_PER_NS;
	th->progress =
		(int64_t)epoch * th->epoch_progress + (int64_t)(from->offset_ns % from->epoch_ns) * PROGRESS_PER_NS;
	th->length = stay_epochs(th->stays[th->stay]) * th->epoch_progress;
	th->state = (uint8_t)stay_state(th->stays[th->stay]);
	th->observed = STATE_NONE;
	th->began_in = STATE_NONE;
	th->once = from->once;
	th->activity = activity_of_thread(sim->config, t);
	th->accounted = th->progress;
	th->allowed = from->allowed;
	sim->has_sets |= from->allowed != NULL;
	sim->has_once |= from->once;
}

static enum sahm_status event_init(struct event_sim *sim, struct arena *a, const struct sim_config *config,
				   const struct sim_span *span, struct sahm_err *err)
{
	*sim = (struct event_sim){
		.config = config, .timestep_ns = config->timestep_ns, .oracle = config->oracle, .limit = span->limit};
	sim->threads = arena_alloc(a, config->nr_threads, sizeof(*sim->threads));
	if (!sim->threads || !sahm_index_init(&sim->index, a, config->chip) || !make_rates(sim, a) ||
	    !make_stays(sim, a) || !queues_init(sim, a) || !passes_init(sim, a) ||
	    !wheel_init(&sim->wheel, a, config->nr_threads))
		return sahm_fail_nomem(err);
	for (uint32_t t = 0; t < config->nr_threads; t++)
		init_thread(sim, t);
	enum sahm_status status = arrivals_init(&sim->arrivals, a, config, err);
	if (status == SAHM_OK)
		sim->next_arrival = arrivals_step(&sim->arrivals, config);
	return status;
}

/* Number of threads present from `now` on. */
static void note_present(struct event_sim *sim, uint32_t nr_present, uint64_t now)
{
	count_present(&sim->result, sim->config, sim->nr_present, now - sim->counted_to);
	sim->counted_to = now;
	sim->nr_present = nr_present;
}

/* Time from arrival to the end of the trace, which was in the last execution that is accounted for. */
static void note_end(struct event_sim *sim, uint32_t t)
{
	struct event_thread *th = &sim->threads[t];
	uint64_t last = th->next - th->place.stride;
	th->present_ns = (last + 1 - arrival_step(sim->config, t)) * sim->config->timestep_ns - th->rest_ns;
}

/* Takes out a thread whose trace has ended. */
static void let_leave(struct event_sim *sim, uint32_t t, uint64_t now)
{
	uint32_t core = sim->threads[t].place.core;
	note_end(sim, t);
	queue_open(sim, core, now);
	queue_remove(sim, core, t);
	queue_close(sim, core, now);
	sim->threads[t].is_present = false;
	note_present(sim, sim->nr_present - 1, now);
}

/* The core with the shortest queue on which thread `t` may run, lowest index on a tie. */
static uint32_t shortest_queue(struct event_sim *sim, uint32_t t)
{
	const struct event_thread *th = &sim->threads[t];
	uint32_t nr_cores = sim->config->chip->nr_cores, best = NO_CORE;
	if (!th->allowed) {
		while (sim->cores[sim->arrive_from].length != sim->shortest)
			sim->arrive_from++;
		return sim->arrive_from;
	}
	for (uint32_t c = 0; c < nr_cores; c++)
		if (core_set_has(th->allowed, c) && (best == NO_CORE || sim->cores[c].length < sim->cores[best].length))
			best = c;
	return best;
}

/* Lets all arrive that are due; queues are put in order once for all of them. */
static void let_arrive(struct event_sim *sim, uint64_t now)
{
	uint32_t core;
	while (sim->next_arrival <= now) {
		uint32_t t = sim->arrivals.threads[sim->arrivals.next++];
		sim->next_arrival = arrivals_step(&sim->arrivals, sim->config);
		core = shortest_queue(sim, t);
		queue_open(sim, core, now);
		bitset_add(sim->opened, core);
		queue_append(sim, core, t);
		sim->threads[t].is_present = true;
		note_present(sim, sim->nr_present + 1, now);
	}
	/* Of queues that are all as long as the others none is left for another. */
	sim->is_settled = sim->next_arrival == NEVER && !sim->has_once &&
			  (!sim->config->policy->sahm_rules || sim->shortest == sim->longest);
	while ((core = bitset_first(sim->opened)) != BITSET_END) {
		bitset_remove(sim->opened, core);
		queue_close(sim, core, now);
	}
}

/* Looks at thread `t`, due at `now`, as thread_schedule() says. */
static void look_at(struct event_sim *sim, uint32_t t, uint64_t now)
{
	struct event_thread *th = &sim->threads[t];
	bool oracle = sim->oracle;
	if (th->due > now) {
		wheel_add(&sim->wheel, t, th->due, now);
		return;
	}
	if (oracle || th->observed == th->state) {
		bool executed = th->once && !oracle;
		thread_sync(sim, th, now + executed);
		if (th->ended) {
			let_leave(sim, t, now + executed);
			return;
		}
		if (executed) {
			thread_schedule(sim, t, now);
			return;
		}
	}
	if (th->observed != th->state) {
		pass_hide(sim, t);
		th->observed = th->state;
		pass_show(sim, t, now);
	}
	thread_schedule(sim, t, now);
}

static void look_at_all(struct event_sim *sim, uint64_t now)
{
	uint32_t t;
	while ((t = wheel_take(&sim->wheel, now)) != WHEEL_NOBODY)
		look_at(sim, t, now);
}

static bool all_have_left(const struct event_sim *sim)
{
	return sim->nr_present == 0 && sim->arrivals.next == sim->arrivals.nr;
}

/* What comes before the pass; whether it can have changed what the pass finds. */
static bool before_pass(struct event_sim *sim, uint64_t now)
{
	if (sim->oracle)
		look_at_all(sim, now);
	if (sim->next_arrival == now)
		let_arrive(sim, now);
	else if (!sim->oracle)
		return false;
	return true;
}

/* Lets time run; returns the timestep in which the run ends. Everything inline, as in pass_run(). */
__attribute__((flatten)) static uint64_t let_run(struct event_sim *sim, const struct sim_span *span)
{
	for (uint64_t now = 0;; now++) {
		if (span->until_left && all_have_left(sim))
			return now;
		uint64_t pass = pass_next(sim, now);
		now = least(least(pass, wheel_next(&sim->wheel, now)), sim->next_arrival);
		if (now >= span->limit)
			return span->limit;
		sim->inert_from = now + 1;
		if (before_pass(sim, now))
			pass = pass_next(sim, now);
		if (sim->oracle && span->until_left && all_have_left(sim))
			return now;
		if (pass == now)
			pass_run(sim, now);
		sim->inert_from = now + 2;
		if (!sim->oracle)
			look_at_all(sim, now);
	}
}

/* Epochs since the beginning of its trace, laps included. */
static uint64_t epochs_behind(const struct event_thread *th, const struct sim_thread *from)
{
	uint64_t epochs = th->nr_laps * from->nr_epochs;
	for (uint32_t i = 0; i < th->stay; i++)
		epochs += stay_epochs(th->stays[i]);
	return epochs;
}

static void conclude_thread(struct event_sim *sim, uint32_t t, uint64_t end, struct sim_thread_result *result)
{
	const struct sim_thread *from = &sim->config->threads[t];
	struct event_thread *th = &sim->threads[t];
	if (th->is_present) {
		thread_sync(sim, th, end);
		th->present_ns = (end - arrival_step(sim->config, t)) * sim->config->timestep_ns;
		if (th->ended)
			note_end(sim, t);
	}
	struct sim_counts counts = sum_of_kinds(th->counts);
	*result = (struct sim_thread_result){
		.completed_ns = completed_ns(from, epochs_behind(th, from), th->progress),
		.executed = counts.executed,
		.served = counts.served,
		.matched = counts.matched,
		.transitions = th->transitions,
		.migrations = th->migrations,
		.paid_ns = th->paid_ns,
		.present_ns = th->present_ns,
		.left = th->ended,
	};
}

static void conclude(struct event_sim *sim, const struct sim_span *span, uint64_t end, struct sim_result *result,
		     struct sim_thread_result *threads, struct sim_counts *cores)
{
	for (uint32_t t = 0; t < sim->config->nr_threads; t++) {
		conclude_thread(sim, t, end, &threads[t]);
		sim->result.given_up |= span->until_left && !threads[t].left;
	}
	note_present(sim, 0, end);
	sim->result.nr_timesteps = end;
	sim->result.simulated_ns = end * sim->config->timestep_ns;
	for (unsigned s = 0; s < NR_STATES; s++)
		sim->result.states[s] = sum_of_kinds(sim->counts[s]);
	*result = sim->result;
	for (uint32_t c = 0; c < sim->config->chip->nr_cores && cores; c++)
		cores[c] = sum_of_kinds(sim->cores[c].counts);
}

enum sahm_status sim_run_event(const struct sim_config *config, struct arena *a, const struct sim_span *span,
			       struct sim_result *result, struct sim_thread_result *threads, struct sim_counts *cores,
			       struct sahm_err *err)
{
	struct event_sim *sim = arena_alloc(a, 1, sizeof(*sim));
	if (!sim)
		return sahm_fail_nomem(err);
	enum sahm_status status = event_init(sim, a, config, span, err);
	if (status == SAHM_OK)
		conclude(sim, span, let_run(sim, span), result, threads, cores);
	return status;
}
