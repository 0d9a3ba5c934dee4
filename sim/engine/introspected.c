/* The engine for introspection: as the plain one, whose parts it is made of, every timestep of every core, since the
 * IPUs look at every one. But
 *   - a pass looks only where something can happen (sched/ordered/sahm_watch.h);
 *   - a thread that has a core to itself, warm and without debt, and stays within an epoch, is on a *stretch*: its
 *     timesteps there are alike, and are counted and added to its progress all at once when the stretch is over.
 */
#include "sched/ordered/sahm_watch.h"
#include "sim/base/array.h"
#include "sim/engine/plain_internal.h"

/* Of one core. */
struct stretch {
	uint32_t thread;
	uint64_t nr_done, nr_accurate;
	uint64_t nr_left;	 /* timesteps still to come; 0: there is none, but for what is not added yet */
	uint32_t valid;		 /* as of the thread's inputs */
	int64_t per_step;	 /* progress */
	const uint8_t *observed; /* the thread's state as the scheduler knows it */
	uint8_t state;
};

struct introspected {
	struct plain plain;
	struct sahm_watch watch;
	struct stretch *stretches; /* [nr_cores] */
};

static enum sahm_status init(struct introspected *sim, struct arena *a, const struct sim_config *config,
			     struct probes *probes, struct sahm_err *err)
{
	const struct sahm_rules *rules = config->policy->sahm_rules;
	enum sahm_status status = plain_init(&sim->plain, a, config, probes, err);
	sim->stretches = arena_alloc(a, config->chip->nr_cores, sizeof(*sim->stretches));
	if (status == SAHM_OK &&
	    (!sim->stretches || (rules && !sahm_watch_init(&sim->watch, a, &sim->plain.sched, rules->swaps))))
		status = sahm_fail_nomem(err);
	return status;
}

/* Adds up the timesteps of a stretch that are done. */
static void settle(struct introspected *sim, uint32_t core)
{
	struct plain *p = &sim->plain;
	struct stretch *s = &sim->stretches[core];
	const struct core_type *type = p->config->chip->cores[core];
	uint64_t nr = s->nr_done;
	if (nr == 0)
		return;
	const struct sim_counts counts = {nr, core_serves(type, s->state) ? nr : 0,
					  core_matches(type, s->state) ? nr : 0};
	struct sim_counts *to[] = {&p->cores[core], &p->result.states[s->state]};
	for (size_t i = 0; i < ARRAY_SIZE(to); i++) {
		to[i]->executed += counts.executed;
		to[i]->served += counts.served;
		to[i]->matched += counts.matched;
	}
	p->threads[s->thread].executed += counts.executed;
	p->threads[s->thread].served += counts.served;
	p->threads[s->thread].matched += counts.matched;
	struct cursor *cursor = &p->cursors[s->thread];
	cursor->progress += (int64_t)nr * s->per_step;
	if (cursor->activity)
		cursor->activity[s->state].executed += nr;
	cursor_account(cursor, cursor->progress);
	p->probes->accurate[core] += s->nr_accurate;
	s->nr_done = s->nr_accurate = 0;
}

/* Begins a stretch with the coming timestep of `core`, if that can be. */
static void begin_stretch(struct introspected *sim, uint32_t core)
{
	struct plain *p = &sim->plain;
	const struct sched_queue *q = &p->sched.queues[core];
	uint32_t t = q->head;
	if (q->length != 1)
		return;
	const struct sched_thread *th = &p->sched.threads[t];
	const struct cursor *cursor = &p->cursors[t];
	unsigned state = cursor_state(cursor);
	if (th->debt_ns > 0 || th->cold_ns > 0 || cursor->ended || p->began_in[t] != state)
		return;
	int64_t rate = PROGRESS_PER_NS + p->config->chip->cores[core]->speedup_ppm[state];
	int64_t left = cursor->epoch_progress - 1 - cursor->progress, per_step;
	if (__builtin_mul_overflow(rate, (int64_t)p->config->timestep_ns, &per_step) || per_step > left)
		return;
	/* Its last timestep may have begun in another epoch. */
	const struct probe_inputs *inputs = &p->config->threads[t].inputs;
	probes_set(p->probes, core, t, inputs, cursor->epoch);
	sim->stretches[core] = (struct stretch){
		.thread = t,
		.nr_left = (uint64_t)(left / per_step),
		.valid = inputs->valid,
		.observed = &th->observed,
		.per_step = per_step,
		.state = (uint8_t)state,
	};
}

static inline void execute(struct introspected *sim, uint32_t core)
{
	struct plain *p = &sim->plain;
	struct stretch *s = &sim->stretches[core];
	if (s->nr_left > 0) {
		s->nr_left--;
		s->nr_done++;
		s->nr_accurate += *s->observed == s->state;
		probes_feed(p->probes, core, s->valid);
		return;
	}
	if (p->sched.queues[core].length == 0)
		return;
	settle(sim, core);
	plain_execute(p, core);
	begin_stretch(sim, core);
}

/* Threads have come, gone or moved: ends the stretches of those that have moved, or share their core. */
static void end_stretches(struct introspected *sim)
{
	for (uint32_t c = 0; c < sim->plain.config->chip->nr_cores; c++) {
		struct stretch *s = &sim->stretches[c];
		const struct sched_queue *q = &sim->plain.sched.queues[c];
		if (q->length == 1 && q->head == s->thread)
			continue;
		settle(sim, c);
		s->nr_left = 0;
	}
}

static void deliver_arrivals_and_exits(struct introspected *sim)
{
	struct plain *p = &sim->plain;
	if (p->nr_ended == 0 && arrivals_step(&p->arrivals, p->config) > p->step)
		return;
	plain_let_leave(p);
	plain_let_arrive(p);
	end_stretches(sim);
	if (p->config->policy->sahm_rules)
		sahm_watch_all(&sim->watch);
}

static void take_words(struct introspected *sim)
{
	struct plain *p = &sim->plain;
	uint32_t t;
	uint8_t state;
	probes_begin(p->probes, p->step);
	while (probes_take_word(p->probes, &t, &state)) {
		struct sched_thread *th = &p->sched.threads[t];
		th->observed = state;
		if (p->config->policy->sahm_rules && p->sched.queues[th->core].head == t)
			sahm_watch_core(&sim->watch, th->core);
	}
}

static void make_pass(struct introspected *sim)
{
	struct plain *p = &sim->plain;
	uint64_t decisions = p->sched.decisions;
	if (!p->config->policy->sahm_rules)
		return;
	sahm_watch_pass(&sim->watch);
	if (p->sched.decisions != decisions)
		end_stretches(sim);
}

enum sahm_status sim_run_introspected(const struct sim_config *config, struct arena *a, const struct sim_span *span,
				      struct probes *probes, struct sim_result *result,
				      struct sim_thread_result *threads, struct sim_counts *cores, struct sahm_err *err)
{
	struct introspected sim;
	enum sahm_status status = init(&sim, a, config, probes, err);
	struct plain *p = &sim.plain;
	if (status != SAHM_OK)
		return status;
	for (p->step = 0; p->step < span->limit && probes->failed == SAHM_OK; p->step++) {
		p->sched.pass = p->step + 1;
		deliver_arrivals_and_exits(&sim);
		if (span->until_left && plain_is_over(p))
			break;
		take_words(&sim);
		make_pass(&sim);
		count_present(&p->result, config, p->nr_present, 1);
		for (uint32_t c = 0; c < config->chip->nr_cores; c++)
			execute(&sim, c);
	}
	for (uint32_t c = 0; c < config->chip->nr_cores; c++)
		settle(&sim, c);
	status = probes_conclude(probes, p->step, config->probe_counts, err);
	if (status == SAHM_OK)
		plain_conclude(p, span, result, threads, cores);
	return status;
}
