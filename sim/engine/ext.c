/* The engine in continuous time: from one point in time at which something happens to the next (ext_internal.h). */

#include "sched/host/interface.h"
#include "sim/engine/ext_internal.h"

/* Threads come */

static void plan_arrivals(struct ext *sim)
{
	uint64_t step = arrivals_step(&sim->arrivals, sim->config);
	agenda_set(&sim->agenda, ext_arrival_event(sim),
		   step > MAX_RUN_NS / sim->timestep_ns ? NEVER : step * sim->timestep_ns);
}

static void let_arrive(struct ext *sim)
{
	uint64_t step = sim->host.now / sim->timestep_ns;
	uint32_t nr = 0;
	ext_count_present(sim);
	while (arrivals_step(&sim->arrivals, sim->config) <= step) {
		struct ext_thread *th = &sim->threads[sim->arrivals.threads[sim->arrivals.next++]];
		th->arrived_ns = sim->host.now;
		th->task.is_new = true;
		if (sim->config->oracle)
			th->task.observed = (u8)cursor_state(&th->cursor);
		sim->coming[nr++] = &th->task;
		sim->nr_present++;
		sim->nr_awake++;
	}
	host_arrive(&sim->host, sim->coming, nr);
	for (uint32_t i = 0; i < nr; i++)
		ext_report_wake(sim, (struct ext_thread *)sim->coming[i]);
	plan_arrivals(sim);
}

static void let_wake(struct ext *sim, uint32_t t)
{
	struct ext_thread *th = &sim->threads[t];
	ext_count_present(sim);
	agenda_set(&sim->agenda, ext_thread_event(sim, t), NEVER);
	th->result.slept_ns += sim->host.now - th->asleep_from;
	th->asleep_from = NEVER;
	sim->nr_awake++;
	host_wake(&sim->host, &th->task);
	ext_report_wake(sim, th);
}

/* Timesteps */

static bool has_pass(const struct ext *sim)
{
	return sim->host.ops->sahm_pass != NULL;
}

static void take_words(struct ext *sim)
{
	uint32_t t;
	uint8_t state;
	probes_begin(sim->probes, sim->host.now / sim->timestep_ns);
	while (probes_take_word(sim->probes, &t, &state))
		if (sim->threads[t].task.observed != state)
			host_observe(&sim->host, &sim->threads[t].task, state);
}

static void begin_timestep(struct ext *sim)
{
	uint64_t now = sim->host.now, next = now + sim->timestep_ns;
	sim->begun_ns = now;
	if (sim->config->governor)
		ext_govern(sim);
	if (sim->probes)
		take_words(sim);
	if (sim->host.ops->tick)
		host_tick(&sim->host);
	if (has_pass(sim) && !sim->host.has_failed && (now >= sim->next_pass_ns || sim->host.is_changed)) {
		uint64_t wanted = host_pass(&sim->host);
		sim->next_pass_ns = wanted <= next ? next : ext_tick_from(sim, wanted);
	}
	bool every = sim->probes || sim->host.ops->tick || sim->config->governor;
	sim->tick_ns = every ? next : has_pass(sim) ? sim->next_pass_ns : NEVER;
}

/* Changes since the last pass must be seen by one. */
static inline void plan_pass(struct ext *sim, uint64_t from_ns)
{
	if (!sim->host.is_changed || !has_pass(sim) || from_ns >= sim->tick_ns)
		return;
	uint64_t ns = ext_tick_from(sim, from_ns);
	/* A timestep begins once. */
	if (ns == sim->begun_ns && ns != NEVER)
		ns += sim->timestep_ns;
	sim->tick_ns = least(sim->tick_ns, ns);
}

static void watch(struct ext *sim)
{
	host_check_waits(&sim->host, sim->timeout_ns);
	sim->watchdog_ns = sim->host.now + (sim->timeout_ns + 1) / 2;
}

/* Whether nothing can happen any more although threads wait. */
static bool is_stalled(const struct ext *sim)
{
	if (sim->nr_running > 0 || sim->nr_awake == 0 || has_pass(sim) || sim->arrivals.next < sim->arrivals.nr ||
	    sim->next_change < sim->config->nr_changes || agenda_ns(&sim->agenda, ext_timer_event(sim)) != NEVER)
		return false;
	for (uint32_t t = 0; t < sim->nr_sleepers; t++)
		if (agenda_ns(&sim->agenda, ext_thread_event(sim, t)) != NEVER)
			return false;
	return true;
}

/* Properties change */

static void plan_changes(struct ext *sim)
{
	const struct sim_config *config = sim->config;
	agenda_set(&sim->agenda, ext_change_event(sim),
		   sim->next_change < config->nr_changes ? config->changes[sim->next_change].at_ns : NEVER);
}

static void let_change(struct ext *sim)
{
	const struct sim_change *change = &sim->config->changes[sim->next_change++];
	if (change->is_of_tenant) {
		host_set_tenant_weight(&sim->host, change->tenant, change->weight);
	} else {
		struct host_task *p = &sim->threads[change->thread].task;
		bool is_refused = change->tenant && !host_set_tenant(&sim->host, p, change->tenant);
		if (change->weight)
			host_set_weight(&sim->host, p, change->weight);
		if (change->sets_allowed && !is_refused)
			host_set_allowed(&sim->host, p, change->allowed);
	}
	plan_changes(sim);
}

/* Of a BPF program. */
static void plan_timer(void *engine, u64 at_ns)
{
	struct ext *sim = engine;
	agenda_set(&sim->agenda, ext_timer_event(sim), at_ns);
}

/* One point in time */

static void process_event(struct ext *sim, uint32_t event)
{
	uint32_t nr_cores = sim->config->chip->nr_cores;
	if (event < nr_cores)
		ext_look_at(sim, event);
	else if (event < nr_cores + sim->nr_sleepers)
		let_wake(sim, event - nr_cores);
	else if (event < ext_arrival_event(sim))
		ext_reach_level(sim, event - nr_cores - sim->nr_sleepers);
	else if (event == ext_arrival_event(sim))
		let_arrive(sim);
	else if (event == ext_change_event(sim))
		let_change(sim);
	else
		host_expire_timer(&sim->host);
	plan_pass(sim, sim->host.now);
}

/* All that happens now, but for the cores that look for work. */
static void process_due_events(struct ext *sim)
{
	uint64_t now = sim->host.now;
	while (!sim->host.has_failed) {
		if (agenda_first_ns(&sim->agenda) == now) {
			process_event(sim, agenda_first(&sim->agenda));
		} else if (sim->tick_ns == now) {
			begin_timestep(sim);
			plan_pass(sim, now + 1);
		} else if (sim->watchdog_ns == now) {
			watch(sim);
		} else {
			return;
		}
	}
}

static bool all_have_left(const struct ext *sim)
{
	return sim->nr_present == 0 && sim->arrivals.next == sim->arrivals.nr;
}

/* Lets time run; the run ends at sim->host.now. */
__attribute__((flatten)) static void let_run(struct ext *sim, const struct sim_span *span)
{
	/* Cores are idle before the first thread comes. */
	host_settle(&sim->host);
	while (!sim->host.has_failed && (!sim->probes || sim->probes->failed == SAHM_OK)) {
		uint64_t now = least(least(agenda_first_ns(&sim->agenda), sim->tick_ns), sim->watchdog_ns);
		if (now >= sim->end_ns) {
			sim->host.now = sim->end_ns;
			return;
		}
		sim->host.now = now;
		process_due_events(sim);
		if (!bitset_is_empty(sim->host.resched))
			host_settle(&sim->host);
		if (sim->is_shared_changed)
			ext_share(sim);
		plan_pass(sim, now + 1);
		if (sim->probes && now % sim->timestep_ns == 0)
			ext_feed(sim);
		if (is_stalled(sim))
			host_check_stall(&sim->host);
		if (span->until_left && all_have_left(sim) && !sim->host.has_failed) {
			sim->host.now = ext_tick_from(sim, now);
			return;
		}
	}
}

/* Beginning and end */

/* In several counts by turns: epochs in the same state follow each other, and would wait for each other. */
static void count_states(const struct sim_thread *from, uint64_t epochs[NR_STATES])
{
	enum { NR_TURNS = 4 };
	uint64_t counts[NR_TURNS][NR_STATES] = {{0}}, e = 0;
	for (; from->nr_epochs - e >= NR_TURNS; e += NR_TURNS)
		for (unsigned i = 0; i < NR_TURNS; i++)
			counts[i][from->states[e + i]]++;
	for (; e < from->nr_epochs; e++)
		epochs[from->states[e]]++;
	for (unsigned i = 0; i < NR_TURNS * NR_STATES; i++)
		epochs[i % NR_STATES] += counts[i / NR_STATES][i % NR_STATES];
}

/* How often each trace is in each state; one count for all threads that replay it. Few policies ask. */
static void count_epochs(void *engine)
{
	struct ext *sim = engine;
	for (uint32_t t = 0; t < sim->config->nr_threads; t++) {
		const struct sim_thread *from = &sim->config->threads[t];
		const uint64_t *epochs = NULL;
		for (uint32_t u = 0; u < t && !epochs; u++)
			if (sim->config->threads[u].states == from->states &&
			    sim->config->threads[u].nr_epochs == from->nr_epochs)
				epochs = sim->threads[u].task.epochs;
		if (!epochs) {
			count_states(from, sim->epochs[t]);
			epochs = sim->epochs[t];
		}
		sim->threads[t].task.epochs = epochs;
	}
}

static const struct host_engine callbacks = {
	.begin = ext_begin,
	.end = ext_end,
	.slice = ext_slice,
	.update = ext_update,
	.moved = ext_moved,
	.set_level = ext_set_level,
	.level = ext_level,
	.timer = plan_timer,
	.count_epochs = count_epochs,
};

static enum sahm_status take_memory(struct ext *sim, struct arena *a, struct sahm_err *err)
{
	uint32_t nr_threads = sim->config->nr_threads, nr_cores = sim->config->chip->nr_cores;
	sim->threads = arena_alloc(a, nr_threads, sizeof(*sim->threads));
	sim->tasks = arena_alloc(a, nr_threads, sizeof(*sim->tasks));
	sim->coming = arena_alloc(a, nr_threads, sizeof(*sim->coming));
	sim->cores = arena_alloc(a, nr_cores, sizeof(*sim->cores));
	sim->epochs = arena_alloc(a, nr_threads, sizeof(*sim->epochs));
	if (!sim->threads || !sim->tasks || !sim->coming || !sim->cores || !sim->epochs)
		return sahm_fail_nomem(err);
	enum sahm_status status = ext_core_init(sim, a, err);
	if (status != SAHM_OK)
		return status;
	if (!agenda_init(&sim->agenda, a, ext_nr_events(sim)))
		return sahm_fail_nomem(err);
	return arrivals_init(&sim->arrivals, a, sim->config, err);
}

static enum sahm_status init(struct ext *sim, struct arena *a, struct sahm_err *err)
{
	const struct sim_config *config = sim->config;
	enum sahm_status status = take_memory(sim, a, err);
	if (status != SAHM_OK)
		return status;
	sim->host = (struct host){
		.ops = config->policy,
		.engine = &callbacks,
		.engine_data = sim,
		.chip = config->chip,
		.levels = config->levels,
		.distances = &config->distances,
		.warmup_ns = config->warmup_ns,
		.timestep_ns = config->timestep_ns,
		.inertia = config->inertia,
		.is_oracle = config->oracle,
		.tasks = sim->tasks,
		.nr_tasks = config->nr_threads,
		.tenants = config->tenants,
		.nr_tenants = config->nr_tenants,
		.settings = config->settings,
		.nr_settings = config->nr_settings,
		.listener = config->listener,
	};
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct sim_thread *from = &config->threads[t];
		struct ext_thread *th = &sim->threads[t];
		th->task.name = from->name ? from->name : "?";
		th->task.mask.words = from->allowed;
		th->task.tenant = from->tenant;
		th->task.pub.scx.weight = from->weight ? from->weight : DEFAULT_WEIGHT;
		th->arrived_ns = NEVER;
		sim->tasks[t] = &th->task;
	}
	status = host_init(&sim->host, a, config->seed, err);
	for (uint32_t t = 0; t < config->nr_threads && status == SAHM_OK; t++)
		ext_thread_init(sim, t);
	if (status != SAHM_OK)
		return status;
	uint32_t timeout_ms = config->policy->timeout_ms ? config->policy->timeout_ms : SCX_OPS_TIMEOUT_MS;
	sim->timeout_ns = (uint64_t)timeout_ms * NS_PER_MS;
	/* A turn comes when all others have had theirs. */
	if (sim->host.has_queues && sim->timeout_ns / config->timestep_ns < 2 * (uint64_t)config->nr_threads)
		sim->timeout_ns = 2 * config->nr_threads * config->timestep_ns;
	plan_arrivals(sim);
	plan_changes(sim);
	sim->watchdog_ns = (sim->timeout_ns + 1) / 2;
	sim->tick_ns = has_pass(sim) || sim->probes || config->policy->tick || config->governor ? 0 : NEVER;
	return SAHM_OK;
}

static void note_waiting(struct ext *sim)
{
	const struct host_task *waiting = host_longest_waiting(&sim->host);
	if (waiting && !sim->is_stepped)
		sim->result.waiting = (struct sim_waiting){.thread = waiting->index,
							   .is_kept = !waiting->node.dsq,
							   .ns = sim->host.now - waiting->ready_ns};
}

/* In whole timesteps, or whatever `unit_ns` is. */
static struct sim_counts counts_in(const uint64_t kinds[NR_KINDS], uint64_t unit_ns)
{
	struct sim_counts counts = sum_of_kinds(kinds);
	counts.executed /= unit_ns;
	counts.served /= unit_ns;
	counts.matched /= unit_ns;
	return counts;
}

static void conclude(struct ext *sim, const struct sim_span *span, struct sim_result *result,
		     struct sim_thread_result *threads, struct sim_counts *cores)
{
	uint64_t unit_ns = sim->is_stepped ? sim->timestep_ns : 1;
	ext_count_present(sim);
	for (uint32_t t = 0; t < sim->config->nr_threads; t++) {
		struct sim_thread_result *r = &sim->threads[t].result;
		ext_thread_conclude(sim, t);
		struct sim_counts counts = counts_in(sim->threads[t].counts, unit_ns);
		r->executed = counts.executed;
		r->served = counts.served;
		r->matched = counts.matched;
		sim->result.given_up |= span->until_left && !r->left;
		threads[t] = *r;
	}
	ext_core_conclude(sim);
	size_t nr_cells = (size_t)sim->config->nr_threads * sim->config->nr_groups * NR_STATES;
	for (size_t i = 0; i < nr_cells && sim->config->activity; i++)
		sim->config->activity[i].executed /= unit_ns;
	for (unsigned s = 0; s < NR_STATES; s++)
		sim->result.states[s] = counts_in(sim->states[s], unit_ns);
	for (uint32_t c = 0; c < sim->config->chip->nr_cores && cores; c++)
		cores[c] = counts_in(sim->cores[c], unit_ns);
	sim->result.nr_timesteps = sim->host.now / sim->timestep_ns;
	sim->result.simulated_ns = sim->host.now;
	sim->result.decisions = sim->host.decisions;
	sim->result.nr_ignored = sim->host.nr_ignored;
	sim->result.is_continuous = !sim->is_stepped;
	*result = sim->result;
}

static bool never_sleeps(const struct sim_config *config)
{
	for (uint32_t t = 0; t < config->nr_threads; t++)
		if (config->threads[t].bursts)
			return false;
	return true;
}

/* Whether the simulation runs in continuous time: threads sleep, or the policy dispatches. */
static bool is_continuous(const struct sim_config *config)
{
	return !sched_ops_have_run_queues(config->policy) || !never_sleeps(config) || config->nr_changes > 0;
}

bool sim_needs_ext(const struct sim_config *config)
{
	const struct sched_ext_ops *ops = config->policy;
	/* Who listens to the policy is to hear of its pass. */
	return !config->pass && (is_continuous(config) || config->governor || config->nr_shared > 0 ||
				 (ops->sahm_pass && (!ops->sahm_rules || config->listener)));
}

enum sahm_status sim_run_ext(const struct sim_config *config, struct arena *a, const struct sim_span *span,
			     struct probes *probes, struct sim_result *result, struct sim_thread_result *threads,
			     struct sim_counts *cores, struct sahm_err *err)
{
	struct ext *sim = arena_alloc(a, 1, sizeof(*sim));
	if (!sim)
		return sahm_fail_nomem(err);
	sim->config = config;
	sim->probes = probes;
	sim->begun_ns = NEVER;
	sim->timestep_ns = config->timestep_ns;
	sim->timesteps = reciprocal_of(config->timestep_ns);
	sim->is_stepped = !is_continuous(config);
	sim->nr_sleepers = never_sleeps(config) ? 0 : config->nr_threads;
	sim->end_ns = span->limit * config->timestep_ns;
	struct host *before = host_enter(&sim->host);
	enum sahm_status status = init(sim, a, err);
	if (status == SAHM_OK) {
		let_run(sim, span);
		if (probes && !sim->host.has_failed)
			status = probes_conclude(probes, sim->host.now / sim->timestep_ns, config->probe_counts, err);
	}
	if (status == SAHM_OK)
		note_waiting(sim);
	status = host_conclude(&sim->host, status, err);
	if (status == SAHM_OK)
		conclude(sim, span, result, threads, cores);
	host_exit(before);
	return status;
}
