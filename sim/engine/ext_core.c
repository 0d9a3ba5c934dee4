/* The engine in continuous time: levels of cores, and changes of demand (cores/chip/level.h). */
#include "cores/chip/state.h"
#include "sim/engine/ext_internal.h"

/* Rates */

/* Neighbours are mostly of one type, and then share their rates. */
static bool shares_rates(const struct sim_config *config, uint32_t a, uint32_t b)
{
	if (config->chip->cores[a] != config->chip->cores[b])
		return false;
	return !config->levels || config->levels[a].levels == config->levels[b].levels;
}

static void fill_rates(struct ext_rate *rates, const struct core_type *type, const int32_t *speedup_ppm)
{
	for (unsigned s = 0; s < NR_STATES; s++)
		rates[s] = (struct ext_rate){
			.per_ns = reciprocal_of((uint64_t)(PROGRESS_PER_NS + speedup_ppm[s])),
			.kind = (uint8_t)kind_of(type, s),
		};
}

/* Of core `c`, [levels][NR_STATES]; NULL: memory is short. */
static struct ext_rate *rates_of(const struct sim_config *config, uint32_t c, struct arena *a)
{
	const struct core_type *type = config->chip->cores[c];
	uint32_t nr = nr_levels_of(config, c);
	struct ext_rate *rates = arena_alloc(a, nr, NR_STATES * sizeof(*rates));
	for (uint32_t l = 0; l < nr && rates; l++)
		fill_rates(rates + l * NR_STATES, type,
			   nr > 1 ? config->levels[c].levels[l].speedup_ppm : type->speedup_ppm);
	return rates;
}

static bool has_levels(const struct sim_config *config)
{
	for (uint32_t c = 0; c < config->chip->nr_cores; c++)
		if (nr_levels_of(config, c) > 1)
			return true;
	return false;
}

static bool init_rates(struct ext *sim, struct arena *a)
{
	const struct sim_config *config = sim->config;
	uint32_t nr_cores = config->chip->nr_cores;
	sim->rates = arena_alloc(a, nr_cores, sizeof(*sim->rates));
	if (has_levels(config) && !(sim->levels = arena_alloc(a, nr_cores, sizeof(*sim->levels))))
		return false;
	for (uint32_t c = 0; c < nr_cores && sim->rates; c++) {
		uint32_t fastest = nr_levels_of(config, c) - 1;
		if (c > 0 && shares_rates(config, c, c - 1)) {
			sim->rates[c] = sim->rates[c - 1];
		} else {
			const struct ext_rate *rates = rates_of(config, c, a);
			if (!rates)
				return false;
			sim->rates[c] = rates + fastest * NR_STATES;
		}
		if (sim->levels)
			sim->levels[c] = (struct ext_core){.rates = sim->rates[c] - fastest * NR_STATES,
							   .level = fastest,
							   .wanted = fastest,
							   .busy_since = NEVER};
	}
	return sim->rates;
}

enum sahm_status ext_core_init(struct ext *sim, struct arena *a, struct sahm_err *err)
{
	if (!init_rates(sim, a) || (sim->config->nr_shared > 0 && !ext_shared_init(sim, a)))
		return sahm_fail_nomem(err);
	return SAHM_OK;
}

/* Sharing */

/* Backwards: a thread whose piece ends or begins takes the last place. */
static void charge(struct ext *sim, struct ext_shared *shared)
{
	bool matters = shared->demand != shared->charged &&
		       (shared->demand > shared->capacity || shared->charged > shared->capacity);
	shared->is_changed = false;
	if (!matters) {
		shared->charged = shared->demand;
		return;
	}
	for (uint32_t i = shared->nr_own_rates; i-- > 0;)
		ext_sync(sim, shared->own_rates[i]);
	ext_shared_charge(sim, shared);
	for (uint32_t i = shared->nr_own_rates; i-- > 0;)
		ext_change_rate(sim, shared->own_rates[i], (uint32_t)shared->own_rates[i]->task.cpu);
}

void ext_share(struct ext *sim)
{
	sim->is_shared_changed = false;
	for (uint32_t g = 0; g < sim->config->nr_shared; g++)
		if (sim->shared[g].is_changed)
			charge(sim, &sim->shared[g]);
}

/* Levels */

/* Up to `ns`. */
static void count_residency(struct ext *sim, uint32_t cpu, uint64_t ns)
{
	const struct sim_config *config = sim->config;
	struct ext_core *core = &sim->levels[cpu];
	if (config->residency)
		config->residency[config->core_groups[cpu] - (nr_levels_of(config, cpu) - 1 - core->level)] +=
			ns - core->since_ns;
	core->since_ns = ns;
}

void ext_reach_level(struct ext *sim, uint32_t cpu)
{
	struct ext_core *core = &sim->levels[cpu];
	/* While the policy hears that a thread stops, its stretch is over. */
	struct ext_thread *th = core->busy_since == NEVER ? NULL : ext_running(sim, cpu);
	agenda_set(&sim->agenda, ext_level_event(sim, cpu), NEVER);
	if (core->wanted == core->level)
		return;
	if (th) {
		ext_sync(sim, th);
		ext_split_stretch(sim, th, cpu);
	}
	count_residency(sim, cpu, sim->host.now);
	core->level = core->wanted;
	sim->rates[cpu] = core->rates + core->level * NR_STATES;
	if (!th)
		return;
	th->cursor.activity = ext_activity(sim, th, cpu);
	if (sim->shared)
		ext_demand_begin(sim, th, cpu);
	if (!th->cursor.ended)
		ext_change_rate(sim, th, cpu);
}

u32 ext_level(void *engine, u32 cpu)
{
	const struct ext *sim = engine;
	return sim->levels[cpu].level;
}

void ext_set_level(void *engine, u32 cpu, u32 level)
{
	struct ext *sim = engine;
	struct ext_core *core = &sim->levels[cpu];
	bool is_under_way = agenda_ns(&sim->agenda, ext_level_event(sim, cpu)) != NEVER;
	uint64_t at = sim->host.now + sim->config->levels[cpu].transition_ns;
	if (!is_under_way && level == core->level)
		return;
	core->wanted = level;
	if (at == sim->host.now)
		ext_reach_level(sim, cpu);
	else if (!is_under_way)
		agenda_set(&sim->agenda, ext_level_event(sim, cpu), sim->is_stepped ? ext_tick_from(sim, at) : at);
}

/* In the timestep that ends now. */
static uint64_t take_busy_ns(struct ext *sim, uint32_t cpu)
{
	struct ext_core *core = &sim->levels[cpu];
	uint64_t ns = core->busy_ns;
	if (core->busy_since != NEVER) {
		ns += sim->host.now - core->busy_since;
		core->busy_since = sim->host.now;
	}
	core->busy_ns = 0;
	return ns;
}

void ext_govern(struct ext *sim)
{
	for (uint32_t c = 0; c < sim->config->chip->nr_cores && sim->levels && sim->host.now > 0; c++) {
		const struct core_levels *levels = &sim->config->levels[c];
		uint64_t busy_ns = take_busy_ns(sim, c);
		uint32_t wanted = 0;
		if (levels->nr <= 1 || sim->host.cpus[c].has_set_level)
			continue;
		__extension__ unsigned __int128 enough =
			(unsigned __int128)5 * levels->levels[sim->levels[c].level].mhz * busy_ns;
		while (wanted + 1 < levels->nr &&
		       (unsigned __int128)4 * levels->levels[wanted].mhz * sim->timestep_ns < enough)
			wanted++;
		ext_set_level(sim, c, wanted);
	}
}

void ext_core_conclude(struct ext *sim)
{
	const struct sim_config *config = sim->config;
	for (uint32_t c = 0; c < config->chip->nr_cores; c++) {
		if (sim->levels) {
			/* In the rest of the timestep in which the last thread has left, levels change, too. */
			uint64_t at = agenda_ns(&sim->agenda, ext_level_event(sim, c));
			count_residency(sim, c, at < sim->host.now ? at : sim->host.now);
			sim->levels[c].level = sim->levels[c].wanted;
			count_residency(sim, c, sim->host.now);
		} else if (config->residency) {
			config->residency[config->core_groups[c]] += sim->host.now;
		}
	}
	for (uint32_t g = 0; g < config->nr_shared; g++)
		ext_shared_count_over(sim, &sim->shared[g]);
}
