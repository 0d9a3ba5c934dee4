/* The plain engine: every timestep of every core, one after the other. It is the reference for the other one, so it
 * follows the text of sim.h and has no tricks. */
#include <string.h>

#include "sched/ordered/sahm_pass.h"
#include "sim/base/units.h"
#include "sim/engine/plain_internal.h"

enum sahm_status plain_init(struct plain *sim, struct arena *a, const struct sim_config *config, struct probes *probes,
			    struct sahm_err *err)
{
	uint32_t nr_threads = config->nr_threads, nr_cores = config->chip->nr_cores;
	*sim = (struct plain){
		.config = config,
		.probes = probes,
		.sched = {.chip = config->chip,
			  .queues = arena_alloc(a, nr_cores, sizeof(*sim->sched.queues)),
			  .threads = arena_alloc(a, nr_threads, sizeof(*sim->sched.threads)),
			  .nr_threads = nr_threads,
			  .inertia = config->inertia,
			  .distances = &config->distances,
			  .warmup_ns = config->warmup_ns},
		.cursors = arena_alloc(a, nr_threads, sizeof(*sim->cursors)),
		.threads = arena_alloc(a, nr_threads, sizeof(*sim->threads)),
		.cores = arena_alloc(a, nr_cores, sizeof(*sim->cores)),
		.began_in = arena_alloc(a, nr_threads, sizeof(*sim->began_in)),
		.ended = arena_alloc(a, nr_cores, sizeof(*sim->ended)),
	};
	if (!sim->sched.queues || !sim->sched.threads || !sim->cursors || !sim->threads || !sim->cores ||
	    !sim->began_in || !sim->ended)
		return sahm_fail_nomem(err);
	for (uint32_t c = 0; c < nr_cores; c++)
		sim->sched.queues[c] = (struct sched_queue){.head = NO_THREAD, .tail = NO_THREAD};
	for (uint32_t t = 0; t < nr_threads; t++) {
		const struct sim_thread *th = &config->threads[t];
		cursor_init(&sim->cursors[t], th->states, th->nr_epochs, th->epoch_ns, th->offset_ns);
		sim->cursors[t].once = th->once;
		sim->sched.threads[t].observed = STATE_NONE;
		sim->sched.threads[t].allowed = th->allowed;
		sim->began_in[t] = STATE_NONE;
	}
	if (config->timeline && plain_timeline_init(sim, a, err) != SAHM_OK)
		return SAHM_NOMEM;
	return arrivals_init(&sim->arrivals, a, config, err);
}

void plain_let_leave(struct plain *sim)
{
	for (uint32_t i = 0; i < sim->nr_ended; i++)
		sched_dequeue(&sim->sched, sim->ended[i]);
	sim->nr_present -= sim->nr_ended;
	sim->nr_ended = 0;
}

/* The core with the shortest queue on which thread `t` may run, lowest index on a tie. */
static uint32_t shortest_queue(const struct sched *s, uint32_t t)
{
	uint32_t best = NO_CORE;
	for (uint32_t c = 0; c < s->chip->nr_cores; c++)
		if (sched_may_run(s, t, c) && (best == NO_CORE || s->queues[c].length < s->queues[best].length))
			best = c;
	return best;
}

void plain_let_arrive(struct plain *sim)
{
	while (arrivals_step(&sim->arrivals, sim->config) <= sim->step) {
		uint32_t t = sim->arrivals.threads[sim->arrivals.next++];
		sched_enqueue(&sim->sched, t, shortest_queue(&sim->sched, t));
		sim->nr_present++;
	}
}

/* Lets policies see the state in which each thread's coming timestep begins. */
static void consult_oracle(struct plain *sim)
{
	for (uint32_t t = 0; t < sim->sched.nr_threads; t++)
		if (!sim->cursors[t].ended)
			sim->sched.threads[t].observed = (uint8_t)cursor_state(&sim->cursors[t]);
}

/* Lets policies see the states that the IPUs tell. */
static void take_words(struct plain *sim)
{
	uint32_t t;
	uint8_t state;
	probes_begin(sim->probes, sim->step);
	while (probes_take_word(sim->probes, &t, &state))
		sim->sched.threads[t].observed = state;
}

/* The state in which a timestep of thread `t` on `core` begins is there to be seen. */
static void show(struct plain *sim, uint32_t core, uint32_t t, unsigned state)
{
	if (!sim->probes) {
		sim->sched.threads[t].observed = (uint8_t)state;
		return;
	}
	const struct probe_inputs *inputs = &sim->config->threads[t].inputs;
	probes_set(sim->probes, core, t, inputs, sim->cursors[t].epoch);
	sim->probes->accurate[core] += sim->sched.threads[t].observed == state;
	probes_feed(sim->probes, core, inputs->valid);
}

/* Lets thread `th` make progress for `ns`, with its warm-up first; returns the ns left when its trace ended. */
static uint64_t advance(struct sched_thread *th, struct cursor *cursor, uint64_t ns, const int32_t *speedup_ppm,
			uint64_t warmup_ns)
{
	while (th->cold_ns > 0 && ns > 0 && !cursor->ended) {
		unsigned part = warmup_part(th->cold_ns, warmup_ns);
		uint64_t part_ns = warmup_part_left_ns(part, th->cold_ns, warmup_ns);
		if (part_ns > ns)
			part_ns = ns;
		uint64_t left_ns = cursor_advance_warming(cursor, part_ns, speedup_ppm, part);
		th->cold_ns -= part_ns;
		ns -= part_ns - left_ns;
	}
	return cursor_advance(cursor, ns, speedup_ppm);
}

static void count(struct sim_counts *counts, bool served, bool matched)
{
	counts->executed++;
	counts->served += served;
	counts->matched += matched;
}

void plain_execute(struct plain *sim, uint32_t core)
{
	uint32_t t = sim->sched.queues[core].head;
	if (t == NO_THREAD)
		return;
	struct sched_thread *th = &sim->sched.threads[t];
	struct sim_thread_result *r = &sim->threads[t];
	const struct core_type *type = sim->config->chip->cores[core];
	unsigned state = cursor_state(&sim->cursors[t]);
	bool served = core_serves(type, state), matched = core_matches(type, state);

	r->executed++;
	r->served += served;
	r->matched += matched;
	r->transitions += sim->began_in[t] != STATE_NONE && sim->began_in[t] != state;
	count(&sim->cores[core], served, matched);
	count(&sim->result.states[state], served, matched);
	sim->cursors[t].activity = activity_row(sim->config, t, core);
	if (sim->cursors[t].activity)
		sim->cursors[t].activity[state].executed++;
	sim->began_in[t] = (uint8_t)state;
	show(sim, core, t, state);

	uint64_t ns = sim->config->timestep_ns;
	uint64_t paid = th->debt_ns < ns ? th->debt_ns : ns;
	th->debt_ns -= paid;
	r->paid_ns += paid;
	uint64_t left_ns = advance(th, &sim->cursors[t], ns - paid, type->speedup_ppm, sim->config->warmup_ns);
	if (sim->cursors[t].ended) {
		r->left = true;
		r->present_ns = (sim->step + 1 - arrival_step(sim->config, t)) * ns - left_ns;
		sim->ended[sim->nr_ended++] = t;
	}
	sched_rotate(&sim->sched, core);
}

void plain_conclude(struct plain *sim, const struct sim_span *span, struct sim_result *result,
		    struct sim_thread_result *threads, struct sim_counts *cores)
{
	uint64_t timestep_ns = sim->config->timestep_ns;
	sim->result.nr_timesteps = sim->step;
	sim->result.simulated_ns = sim->step * timestep_ns;
	sim->result.decisions = sim->sched.decisions;
	for (uint32_t t = 0; t < sim->config->nr_threads; t++) {
		const struct sim_thread *th = &sim->config->threads[t];
		const struct cursor *cursor = &sim->cursors[t];
		uint64_t arrived = arrival_step(sim->config, t);
		threads[t] = sim->threads[t];
		threads[t].completed_ns =
			completed_ns(th, th->offset_ns / th->epoch_ns + cursor->nr_crossed, cursor->progress);
		threads[t].migrations = sim->sched.threads[t].migrations;
		if (!threads[t].left)
			threads[t].present_ns = arrived < sim->step ? (sim->step - arrived) * timestep_ns : 0;
		sim->result.given_up |= span->until_left && !threads[t].left;
	}
	*result = sim->result;
	if (cores)
		memcpy(cores, sim->cores, sim->config->chip->nr_cores * sizeof(*cores));
}

static void plain_pass(struct plain *sim)
{
	if (sim->config->policy->sahm_rules)
		sahm_pass(&sim->sched, sim->config->policy->sahm_rules->swaps);
	else if (sim->config->pass)
		sim->config->pass(&sim->sched);
}

enum sahm_status sim_run_plain(const struct sim_config *config, struct arena *a, const struct sim_span *span,
			       struct probes *probes, struct sim_result *result, struct sim_thread_result *threads,
			       struct sim_counts *cores, struct sahm_err *err)
{
	struct plain sim;
	enum sahm_status status = plain_init(&sim, a, config, probes, err);
	if (status != SAHM_OK)
		return status;
	for (sim.step = 0; sim.step < span->limit && (!probes || probes->failed == SAHM_OK); sim.step++) {
		plain_let_leave(&sim);
		plain_let_arrive(&sim);
		if (config->timeline)
			plain_timeline_arrive(&sim);
		if (span->until_left && plain_is_over(&sim))
			break;
		if (config->oracle)
			consult_oracle(&sim);
		if (probes)
			take_words(&sim);
		sim.sched.pass = sim.step + 1;
		plain_pass(&sim);
		if (config->timeline)
			plain_timeline_step(&sim);
		count_present(&sim.result, config, sim.nr_present, 1);
		for (uint32_t c = 0; c < config->chip->nr_cores; c++)
			plain_execute(&sim, c);
	}
	if (config->timeline)
		plain_timeline_end(&sim);
	if (probes)
		status = probes_conclude(probes, sim.step, config->probe_counts, err);
	if (status == SAHM_OK)
		plain_conclude(&sim, span, result, threads, cores);
	return status;
}
