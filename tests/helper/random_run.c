#include "tests/helper/random_run.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"

static int32_t draw_speedup(struct chaos_source *from)
{
	static const int32_t speedups[] = {300000, 0, -250000, 100000, 999000000, -999000, 123457};
	return speedups[chaos_choose(from, chaos_choose(from, 8) ? 4 : 7)];
}

static void draw_chip(struct random_run *run, struct chaos_source *from)
{
	run->chip.nr_cores = 1 + (uint32_t)chaos_choose(from, 4);
	for (uint32_t c = 0; c < run->chip.nr_cores; c++) {
		int32_t ppm[NR_STATES];
		for (unsigned s = 0; s < NR_STATES; s++)
			ppm[s] = draw_speedup(from);
		switch (chaos_choose(from, 3)) {
		case 0:
			core_type_baseline(&run->types[c], "baseline");
			break;
		case 1:
			core_type_specialised(&run->types[c], "special", 1u << chaos_choose(from, 4), ppm);
			break;
		default:
			core_type_table(&run->types[c], "table", ppm);
		}
		run->cores[c] = &run->types[c];
	}
	run->chip.cores = run->cores;
}

static uint64_t draw_set(const struct random_run *run, struct chaos_source *from)
{
	uint64_t set = chaos_choose(from, UINT64_C(1) << run->chip.nr_cores);
	return set | UINT64_C(1) << chaos_choose(from, run->chip.nr_cores);
}

/* Timers, bursts after which the thread goes on, and a last round. */
static void draw_ends(struct random_run *run, struct chaos_source *from, uint32_t t)
{
	struct burst_model *m = &run->bursts[t];
	m->ends = run->ends[t];
	m->nr_rounds = chaos_choose(from, 3) ? 0 : 1 + chaos_choose(from, 10);
	for (uint64_t i = 0; i < m->nr; i++)
		run->ends[t][i] = (struct burst_end){
			.period_ns = chaos_choose(from, 2) ? 1 + chaos_choose(from, 12000) : 0,
			.timer = (uint8_t)chaos_choose(from, MAX_BURST_TIMERS),
			.is_absolute = chaos_choose(from, 2),
			.yields = chaos_choose(from, 2),
		};
}

static void draw_bursts(struct random_run *run, struct chaos_source *from, uint32_t t)
{
	struct burst_model *m = &run->bursts[t];
	uint64_t sleeps[] = {0, 1, 1000, 5000};
	run->threads[t].bursts = m;
	if (chaos_choose(from, 3)) {
		m->list = run->list[t];
		m->nr = 1 + chaos_choose(from, RUN_TOP_BURSTS);
		m->first = chaos_choose(from, m->nr);
		for (uint64_t i = 0; i < m->nr; i++) {
			uint64_t sleep = chaos_choose(from, 8);
			run->list[t][i] = (struct burst){
				MIN_BURST_RUN_NS + (chaos_choose(from, 4) ? chaos_choose(from, 6000) : 0),
				sleep < 4 ? sleeps[sleep] : chaos_choose(from, 9000),
			};
		}
		if (chaos_choose(from, 2))
			draw_ends(run, from, t);
		return;
	}
	m->run = (struct burst_times){BURST_EXPONENTIAL, 1000 + chaos_choose(from, 9000), 0, 0, 0};
	m->sleep = (struct burst_times){BURST_UNIFORM, 0, chaos_choose(from, 100), 100 + chaos_choose(from, 9000), 0};
}

static void draw_thread(struct random_run *run, struct chaos_source *from, uint32_t t, bool sleeps, bool changes)
{
	struct sim_thread *th = &run->threads[t];
	th->nr_epochs = 1 + chaos_choose(from, RUN_TOP_EPOCHS);
	th->epoch_ns = MIN_EPOCH_NS + (chaos_choose(from, 2) ? chaos_choose(from, 9000) : 0);
	for (uint64_t e = 0; e < th->nr_epochs; e++)
		run->states[t][e] =
			(uint8_t)(e && chaos_choose(from, 2) ? run->states[t][e - 1] : chaos_choose(from, 10));
	th->states = run->states[t];
	th->offset_ns = chaos_choose(from, 2) ? chaos_choose(from, th->nr_epochs * th->epoch_ns) : 0;
	th->arrive_ns = chaos_choose(from, 2) ? chaos_choose(from, 40000) : 0;
	th->once = chaos_choose(from, 3) == 0;
	th->name = "thread";
	if (chaos_choose(from, 3) == 0) {
		run->allowed[t] = draw_set(run, from);
		th->allowed = &run->allowed[t];
	}
	if (changes)
		th->weight = (uint32_t)chaos_choose(from, MAX_WEIGHT + 1);
	if (sleeps && chaos_choose(from, 4))
		draw_bursts(run, from, t);
}

static int compare_changes(const void *a, const void *b)
{
	const struct sim_change *x = a, *y = b;
	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static void draw_changes(struct random_run *run, struct chaos_source *from, uint64_t top_ns)
{
	struct sim_config *config = &run->config;
	config->nr_changes = (uint32_t)chaos_choose(from, RUN_TOP_CHANGES + 1);
	config->changes = run->changes;
	for (uint32_t i = 0; i < config->nr_changes; i++) {
		struct sim_change *change = &run->changes[i];
		change->at_ns = chaos_choose(from, top_ns);
		if (chaos_choose(from, 3) == 0)
			change->at_ns -= change->at_ns % config->timestep_ns;
		change->thread = (uint32_t)chaos_choose(from, config->nr_threads);
		if (chaos_choose(from, 3) == 0)
			change->weight = 1 + (uint32_t)chaos_choose(from, MAX_WEIGHT);
		change->sets_allowed = chaos_choose(from, 3) != 0;
		run->changed_allowed[i] = draw_set(run, from);
		change->allowed = chaos_choose(from, 4) ? &run->changed_allowed[i] : NULL;
	}
	qsort(run->changes, config->nr_changes, sizeof(run->changes[0]), compare_changes);
}

/* After the changes, of which some move threads between tenants. */
static void draw_tenants(struct random_run *run, struct chaos_source *from)
{
	struct sim_config *config = &run->config;
	config->nr_tenants = (uint32_t)chaos_choose(from, RUN_TOP_TENANTS + 1);
	config->tenants = run->tenants;
	for (uint32_t i = 0; i < config->nr_tenants; i++)
		run->tenants[i] = (struct host_tenant){"tenant", 1 + (uint32_t)chaos_choose(from, MAX_WEIGHT)};
	for (uint32_t t = 0; t < config->nr_threads && config->nr_tenants; t++)
		run->threads[t].tenant = (uint32_t)chaos_choose(from, config->nr_tenants + 1);
	for (uint32_t i = 0; i < config->nr_changes && config->nr_tenants; i++) {
		struct sim_change *change = &run->changes[i];
		change->tenant = (uint32_t)chaos_choose(from, config->nr_tenants + 1);
		change->is_of_tenant = change->tenant && change->weight && chaos_choose(from, 2);
		change->sets_allowed &= !change->is_of_tenant && !change->tenant;
	}
}

static void draw_costs(struct random_run *run, struct chaos_source *from)
{
	struct sim_config *config = &run->config;
	uint32_t nr = run->chip.nr_cores;
	if (chaos_choose(from, 2))
		config->distances.cost_ns = chaos_choose(from, 3000);
	if (chaos_choose(from, 4) == 0) {
		for (uint32_t i = 0; i < nr * nr; i++)
			run->matrix_ns[i] = chaos_choose(from, 3000);
		config->distances.matrix_ns = run->matrix_ns;
	}
	if (chaos_choose(from, 3) == 0)
		config->warmup_ns = 1 + chaos_choose(from, chaos_choose(from, 2) ? 40 : 20000);
}

static void draw_levels(struct random_run *run, struct chaos_source *from)
{
	struct sim_config *config = &run->config;
	uint64_t step_ns = config->timestep_ns;
	uint64_t transitions[] = {0, 0, 1, step_ns - 1, step_ns, step_ns + 1, 3 * step_ns, 0};
	for (uint32_t c = 0; c < run->chip.nr_cores; c++) {
		uint32_t nr = 1 + (uint32_t)chaos_choose(from, RUN_TOP_LEVELS);
		uint32_t mhz = 1 + (uint32_t)chaos_choose(from, 1000);
		transitions[7] = chaos_choose(from, 5000);
		run->levels[c] = (struct core_levels){nr, run->level_rows[c], transitions[chaos_choose(from, 8)]};
		for (uint32_t l = 0; l < nr; l++) {
			run->level_rows[c][l].mhz = mhz;
			mhz += 1 + (uint32_t)chaos_choose(from, 500);
			for (unsigned s = 0; s < NR_STATES; s++)
				run->level_rows[c][l].speedup_ppm[s] = draw_speedup(from);
		}
	}
	config->levels = run->levels;
	config->governor = chaos_choose(from, 2);
	chaos_sets_levels(chaos_choose(from, UINT64_C(1) << run->chip.nr_cores));
}

static void draw_sharing(struct random_run *run, struct chaos_source *from)
{
	struct sim_config *config = &run->config;
	uint64_t top = chaos_choose(from, 8) ? 1 + chaos_choose(from, 20) : MAX_MISSES_PER_S;
	config->nr_shared = 1 + (uint32_t)chaos_choose(from, RUN_TOP_SHARED);
	config->shared_of = run->shared_of;
	config->capacity = run->capacity;
	config->over_ns = run->over_ns;
	for (uint32_t c = 0; c < run->chip.nr_cores; c++)
		run->shared_of[c] = (uint32_t)chaos_choose(from, config->nr_shared + 1);
	for (uint32_t g = 0; g < config->nr_shared; g++)
		run->capacity[g] = 1 + chaos_choose(from, top);
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		run->threads[t].demand = run->demand[t];
		for (unsigned s = 0; s < NR_STATES; s++)
			run->demand[t][s] = chaos_choose(from, top + 1);
	}
}

/* Each core at each level is a group. */
static void count_activity(struct random_run *run)
{
	struct sim_config *config = &run->config;
	for (uint32_t c = 0; c < run->chip.nr_cores; c++) {
		config->nr_groups += config->levels ? config->levels[c].nr : 1;
		run->core_groups[c] = config->nr_groups - 1;
	}
	config->core_groups = run->core_groups;
	config->activity = run->activity;
	config->residency = run->residency;
}

void random_run(struct random_run *run, struct chaos_source *from, uint64_t top_steps, unsigned illegal)
{
	struct sim_config *config = &run->config;
	memset(run, 0, sizeof(*run));
	run->kind = (enum chaos_kind)chaos_choose(from, NR_CHAOS_KINDS);
	draw_chip(run, from);
	config->chip = &run->chip;
	config->timestep_ns = chaos_choose(from, 4) ? 1000 + chaos_choose(from, 4000) : 200 + chaos_choose(from, 50);
	config->threads = run->threads;
	config->nr_threads = 1 + (uint32_t)chaos_choose(from, RUN_TOP_THREADS);
	bool sleeps = chaos_choose(from, 4) != 0, changes = chaos_choose(from, 3) == 0;
	for (uint32_t t = 0; t < config->nr_threads; t++)
		draw_thread(run, from, t, sleeps, changes);
	uint64_t steps = 1 + chaos_choose(from, top_steps);
	config->duration_ns = steps * config->timestep_ns - chaos_choose(from, config->timestep_ns);
	if (changes)
		draw_changes(run, from, steps * config->timestep_ns);
	draw_costs(run, from);
	config->oracle = chaos_choose(from, 4) == 0;
	config->seed = chaos_choose(from, 256);
	config->inertia = (uint32_t)chaos_choose(from, 3);
	config->waits = &run->waits;
	chaos_policy(&run->ops, from, run->kind, illegal);
	config->policy = &run->ops;
	if (chaos_choose(from, 4) == 0) {
		chaos_reads_counters(&run->ops);
		for (uint32_t t = 0; t < config->nr_threads; t++)
			run->threads[t].counters = run->counters;
		for (uint32_t i = 0; i < RUN_TOP_EPOCHS * NR_COUNTERS; i++)
			run->counters[i] = i;
	}
	if (chaos_choose(from, 2))
		draw_levels(run, from);
	if (chaos_choose(from, 3) == 2)
		draw_sharing(run, from);
	if (changes)
		draw_tenants(run, from);
	count_activity(run);
}
