/* What the plain engine tells of a simulation: the places of threads are looked at once per timestep, after the pass,
 * and compared with the last report. */
#include "sim/engine/plain_internal.h"

enum sahm_status plain_timeline_init(struct plain *sim, struct arena *a, struct sahm_err *err)
{
	struct plain_timeline *tl = &sim->timeline;
	uint32_t nr_cores = sim->config->chip->nr_cores, nr_threads = sim->config->nr_threads;
	*tl = (struct plain_timeline){
		.running = arena_alloc(a, nr_cores, sizeof(*tl->running)),
		.cores = arena_alloc(a, nr_threads, sizeof(*tl->cores)),
		.leaving = arena_alloc(a, nr_cores, sizeof(*tl->leaving)),
	};
	if (!tl->running || !tl->cores || !tl->leaving)
		return sahm_fail_nomem(err);
	for (uint32_t c = 0; c < nr_cores; c++)
		tl->running[c] = NO_THREAD;
	for (uint32_t t = 0; t < nr_threads; t++)
		tl->cores[t] = NO_CORE;
	return SAHM_OK;
}

static void emit(const struct plain *sim, const struct timeline_event *event)
{
	sim->config->timeline->take(sim->config->timeline, event);
}

/* When the trace of a thread that leaves ended. */
static uint64_t left_ns(const struct plain *sim, uint32_t t)
{
	return arrival_step(sim->config, t) * sim->config->timestep_ns + sim->threads[t].present_ns;
}

static void emit_stop(struct plain *sim, uint32_t core, uint64_t ns, enum timeline_reason reason)
{
	uint32_t t = sim->timeline.running[core];
	sim->timeline.running[core] = NO_THREAD;
	emit(sim,
	     &(struct timeline_event){.ns = ns, .core = core, .thread = t, .kind = TIMELINE_STOP, .reason = reason});
}

/* Those whose traces ended before `now_ns`, within the timestep before, in the order in which they did. */
static void emit_leaving(struct plain *sim, uint64_t now_ns)
{
	struct plain_timeline *tl = &sim->timeline;
	uint32_t nr = 0;
	for (uint32_t c = 0; c < sim->config->chip->nr_cores; c++) {
		uint32_t t = tl->running[c], at = nr;
		if (t == NO_THREAD || !sim->threads[t].left || left_ns(sim, t) >= now_ns)
			continue;
		for (; at > 0 && left_ns(sim, tl->running[tl->leaving[at - 1]]) > left_ns(sim, t); at--)
			tl->leaving[at] = tl->leaving[at - 1];
		tl->leaving[at] = c;
		nr++;
	}
	for (uint32_t i = 0; i < nr; i++)
		emit_stop(sim, tl->leaving[i], left_ns(sim, tl->running[tl->leaving[i]]), TIMELINE_LEAVE);
}

void plain_timeline_arrive(struct plain *sim)
{
	for (uint32_t i = sim->timeline.nr_arrived; i < sim->arrivals.next; i++) {
		uint32_t t = sim->arrivals.threads[i];
		sim->timeline.cores[t] = sim->sched.threads[t].core;
	}
}

static void emit_migrations(struct plain *sim, uint64_t now_ns)
{
	struct plain_timeline *tl = &sim->timeline;
	if (tl->decisions == sim->sched.decisions)
		return;
	tl->decisions = sim->sched.decisions;
	for (uint32_t t = 0; t < sim->config->nr_threads; t++) {
		uint32_t from = tl->cores[t], core = sim->sched.threads[t].core;
		if (from == NO_CORE || from == core)
			continue;
		tl->cores[t] = core;
		emit(sim, &(struct timeline_event){
				  .ns = now_ns, .core = core, .thread = t, .kind = TIMELINE_MIGRATE, .from = from});
	}
}

void plain_timeline_step(struct plain *sim)
{
	struct plain_timeline *tl = &sim->timeline;
	uint32_t nr_cores = sim->config->chip->nr_cores;
	uint64_t now_ns = sim->step * sim->config->timestep_ns;
	emit_leaving(sim, now_ns);
	for (uint32_t c = 0; c < nr_cores; c++) {
		uint32_t t = tl->running[c];
		if (t != NO_THREAD && t != sim->sched.queues[c].head)
			emit_stop(sim, c, now_ns, sim->threads[t].left ? TIMELINE_LEAVE : TIMELINE_TURN);
	}
	for (; tl->nr_arrived < sim->arrivals.next; tl->nr_arrived++) {
		uint32_t t = sim->arrivals.threads[tl->nr_arrived];
		emit(sim,
		     &(struct timeline_event){.ns = now_ns, .core = tl->cores[t], .thread = t, .kind = TIMELINE_WAKE});
	}
	emit_migrations(sim, now_ns);
	for (uint32_t c = 0; c < nr_cores; c++) {
		uint32_t t = sim->sched.queues[c].head;
		if (t == NO_THREAD)
			continue;
		uint8_t state = (uint8_t)cursor_state(&sim->cursors[t]);
		if (tl->running[c] == t && sim->began_in[t] == state)
			continue;
		tl->running[c] = t;
		emit(sim, &(struct timeline_event){
				  .ns = now_ns, .core = c, .thread = t, .kind = TIMELINE_RUN, .state = state});
	}
}

void plain_timeline_end(struct plain *sim)
{
	uint64_t now_ns = sim->step * sim->config->timestep_ns;
	emit_leaving(sim, now_ns);
	for (uint32_t c = 0; c < sim->config->chip->nr_cores; c++) {
		uint32_t t = sim->timeline.running[c];
		if (t != NO_THREAD)
			emit_stop(sim, c, now_ns, sim->threads[t].left ? TIMELINE_LEAVE : TIMELINE_END);
	}
}
