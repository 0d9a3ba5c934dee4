#include "tests/helper/large_system.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/helper/random.h"

/* Timesteps x cores of one system, about: what the plain engine takes its time for. */
#define MOST_WORK 60000u

/* Chips */

static void random_type(uint64_t *rng, struct core_type *type)
{
	static const int32_t few[] = {100000, 200000, 300000}, many[] = {-300000, -50000, 0, 1, 70000, 123457, 2000000};
	bool paper = one_in(rng, 2);
	int32_t ppm[NR_STATES];
	uint64_t kind = between(rng, 0, 9);

	for (unsigned s = 0; s < NR_STATES; s++)
		ppm[s] = paper ? PICK(rng, few) : PICK(rng, many);
	if (kind < 2) {
		core_type_baseline(type, "baseline");
	} else if (kind < 8) {
		unsigned mask = 1u << between(rng, 0, NR_COMPONENTS - 1);
		if (kind == 7)
			mask |= 1u << between(rng, 0, NR_COMPONENTS - 1);
		core_type_specialised(type, "specialised", mask, ppm);
	} else {
		for (unsigned s = 0; s < NR_STATES; s++)
			ppm[s] = one_in(rng, 2) ? ppm[s] : 0;
		core_type_table(type, "table", ppm);
	}
}

static uint32_t random_nr_cores(uint64_t *rng)
{
	switch (between(rng, 0, 5)) {
	case 0:
		return (uint32_t)between(rng, 1, 4);
	case 1:
		return (uint32_t)between(rng, 5, 40);
	case 2:
		return (uint32_t)between(rng, 62, 66); /* about a word */
	case 3:
		return (uint32_t)between(rng, 126, 130);
	default:
		return (uint32_t)between(rng, 1, LARGE_TOP_CORES);
	}
}

static void random_chip(uint64_t *rng, struct large_system *system)
{
	uint32_t nr_cores = random_nr_cores(rng);
	uint64_t top = one_in(rng, 2) ? 4 : nr_cores;
	bool blocks = one_in(rng, 2); /* of one type, beside one another */

	system->nr_types = (uint32_t)between(rng, 1, top < nr_cores ? top : nr_cores);
	for (uint32_t i = 0; i < system->nr_types; i++)
		random_type(rng, &system->types[i]);
	for (uint32_t c = 0; c < nr_cores; c++) {
		uint64_t type =
			blocks ? (uint64_t)c * system->nr_types / nr_cores : between(rng, 0, system->nr_types - 1);
		system->cores[c] = &system->types[type];
	}
	system->chip = (struct chip){.nr_cores = nr_cores, .cores = system->cores};
}

/* Costs */

static uint64_t random_cost(uint64_t *rng, uint64_t timestep_ns)
{
	uint64_t costs[] = {
		0,
		1000,
		timestep_ns / 10,
		timestep_ns - 1,
		timestep_ns,
		timestep_ns * 5 / 2,
		between(rng, 0, timestep_ns),
	};

	return PICK(rng, costs);
}

static void random_distances(uint64_t *rng, struct large_system *system)
{
	struct distances *d = &system->config.distances;
	uint64_t timestep_ns = system->config.timestep_ns;
	uint32_t nr_cores = system->chip.nr_cores, block = 1;

	d->cost_ns = one_in(rng, 16) ? timestep_ns * between(rng, 20, 2000) : random_cost(rng, timestep_ns);
	if (one_in(rng, 6)) {
		for (uint32_t i = 0; i < nr_cores * nr_cores; i++)
			system->matrix_ns[i] = random_cost(rng, timestep_ns);
		d->matrix_ns = system->matrix_ns;
	}
	d->nr_levels = one_in(rng, 3) ? (uint32_t)between(rng, 1, 3) : 0;
	for (uint32_t i = 0; i < d->nr_levels; i++) {
		block *= (uint32_t)between(rng, 2, 5);
		d->levels[i] = (struct distance_level){block, random_cost(rng, timestep_ns)};
	}
}

static uint64_t random_warmup(uint64_t *rng, uint64_t timestep_ns)
{
	uint64_t warmups[] = {
		between(rng, 1, 20), timestep_ns / 3, timestep_ns, timestep_ns * 7 / 2, timestep_ns * 100000,
	};

	return one_in(rng, 2) ? 0 : clamp(PICK(rng, warmups), 1, MAX_WARMUP_NS);
}

/* Threads */

static uint8_t random_state(uint64_t *rng, const uint8_t *usual, uint64_t nr)
{
	return one_in(rng, 10) ? (uint8_t)between(rng, 0, NR_STATES - 1) : usual[between(rng, 0, nr - 1)];
}

/* Up to `top_epochs` epochs, in states that last for up to `top_run` of them. */
static void random_trace(uint64_t *rng, struct large_system *system, uint32_t t, uint64_t top_epochs, uint64_t top_run)
{
	struct sim_thread *th = &system->threads[t];
	uint8_t *states = system->states[t], usual[5];
	uint64_t nr_usual = between(rng, 1, 5);

	for (uint64_t i = 0; i < nr_usual; i++)
		usual[i] = (uint8_t)(one_in(rng, 3) ? STATE_LOW : 1u << between(rng, 0, NR_COMPONENTS - 1));
	th->nr_epochs = between(rng, 1, one_in(rng, 4) ? 20 : top_epochs);
	for (uint64_t e = 0; e < th->nr_epochs;) {
		uint64_t end = e + between(rng, 1, top_run);
		uint8_t state = random_state(rng, usual, nr_usual);
		for (; e < end && e < th->nr_epochs; e++)
			states[e] = state;
	}
	th->states = states;
}

static void allow(uint64_t *set, uint64_t core)
{
	set[core / 64] |= UINT64_C(1) << core % 64;
}

/* Threads that may run on only one core make its queue long; the rest may run on some cores or anywhere. */
static void random_sets(uint64_t *rng, struct large_system *system)
{
	uint32_t nr_cores = system->chip.nr_cores, nr_threads = system->config.nr_threads, next = 0;
	uint64_t nr_crowded = between(rng, 0, 5);

	for (uint64_t i = 0; i < nr_crowded; i++) {
		uint64_t core = between(rng, 0, nr_cores - 1);
		uint32_t nr = (uint32_t)between(rng, 2, LARGE_TOP_QUEUE), first = next;
		for (; next < nr_threads && next - first < nr; next++) {
			allow(system->allowed[next], core);
			system->threads[next].allowed = system->allowed[next];
		}
		system->longest_pinned = next - first > system->longest_pinned ? next - first : system->longest_pinned;
	}
	for (; next < nr_threads; next++) {
		uint64_t kind = between(rng, 0, 3), from = between(rng, 0, nr_cores - 1), one = from;
		uint64_t to = between(rng, from, nr_cores - 1), share = between(rng, 2, 20);
		if (kind == 0)
			continue;
		for (uint64_t c = 0; c < nr_cores; c++)
			if (c == one || (kind == 1   ? c >= from && c <= to
					 : kind == 2 ? one_in(rng, share)
						     : c % 64 == one % 64))
				allow(system->allowed[next], c);
		system->threads[next].allowed = system->allowed[next];
	}
}

static uint32_t random_nr_threads(uint64_t *rng, uint32_t nr_cores)
{
	switch (between(rng, 0, 3)) {
	case 0:
		return (uint32_t)between(rng, 1, nr_cores);
	case 1:
		return nr_cores;
	case 2:
		return (uint32_t)clamp(between(rng, nr_cores, (uint64_t)nr_cores * 8), 1, LARGE_TOP_THREADS);
	default:
		return (uint32_t)between(rng, 1, LARGE_TOP_THREADS);
	}
}

static uint64_t random_epoch(uint64_t *rng, uint64_t timestep_ns)
{
	uint64_t lengths[] = {
		timestep_ns,
		timestep_ns,
		timestep_ns * 10,
		timestep_ns * 10 + 1,
		timestep_ns * 13 / 10,
		timestep_ns / 7,
		between(rng, timestep_ns / 2, timestep_ns * 12),
	};

	return clamp(PICK(rng, lengths), MIN_EPOCH_NS, MAX_EPOCH_NS);
}

static void random_threads(uint64_t *rng, struct large_system *system, uint64_t nr_timesteps)
{
	uint64_t timestep_ns = system->config.timestep_ns, epoch_ns = random_epoch(rng, timestep_ns);
	bool same_epochs = one_in(rng, 2), offsets = one_in(rng, 2), late = one_in(rng, 3), leaving = one_in(rng, 3);
	bool all_leave = leaving && one_in(rng, 2);
	uint64_t top_epochs = all_leave ? 60 : LARGE_TOP_EPOCHS, top_run = one_in(rng, 4) ? between(rng, 1, 3) : 40;

	for (uint32_t t = 0; t < system->config.nr_threads; t++) {
		struct sim_thread *th = &system->threads[t];
		random_trace(rng, system, t, top_epochs, top_run);
		th->epoch_ns = same_epochs ? epoch_ns : random_epoch(rng, timestep_ns);
		if (offsets)
			th->offset_ns = between(rng, 0, th->nr_epochs * th->epoch_ns - 1);
		if (late && !one_in(rng, 3))
			th->arrive_ns = one_in(rng, 2) ? between(rng, 0, nr_timesteps) * timestep_ns
						       : between(rng, 0, nr_timesteps * timestep_ns);
		th->once = all_leave || (leaving && one_in(rng, 2));
	}
	if (one_in(rng, 2))
		random_sets(rng, system);
}

void large_system(struct large_system *system, uint64_t seed, uint64_t index)
{
	static const char *const policies[] = {"sahm", "sahm", "sahm", "sahm-strict", "sahm-listing", "static"};
	static const uint64_t timesteps_ns[] = {10 * NS_PER_MS, 10 * NS_PER_MS, NS_PER_MS, 7919, 1300};
	uint64_t rng = random_of_index(seed, index);
	struct sim_config *config = &system->config;

	memset(system, 0, sizeof(*system));
	system->seed = seed;
	system->index = index;
	random_chip(&rng, system);
	config->chip = &system->chip;
	config->policy = sched_policy_find(PICK(&rng, policies));
	config->threads = system->threads;
	config->nr_threads = random_nr_threads(&rng, system->chip.nr_cores);
	config->timestep_ns = PICK(&rng, timesteps_ns);
	config->oracle = one_in(&rng, 3);
	config->inertia = one_in(&rng, 8) ? 1000000 : one_in(&rng, 3) ? 0 : (uint32_t)between(&rng, 1, 20);
	config->warmup_ns = random_warmup(&rng, config->timestep_ns);
	random_distances(&rng, system);
	/* A few hundred to a few thousand timesteps, fewer on many cores; where traces are short, to their end. */
	uint64_t nr = clamp(MOST_WORK / system->chip.nr_cores, 300, 3000), end_ns = 0;
	nr = between(&rng, nr / 2, nr);
	random_threads(&rng, system, nr);
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		const struct sim_thread *th = &system->threads[t];
		uint64_t ns = th->arrive_ns + th->nr_epochs * th->epoch_ns;
		end_ns = ns > end_ns ? ns : end_ns;
	}
	bool long_debts = config->distances.cost_ns > 10 * config->timestep_ns;
	if (end_ns > nr * config->timestep_ns || long_debts || one_in(&rng, 4))
		config->duration_ns = nr * config->timestep_ns - between(&rng, 0, config->timestep_ns - 1);
}

void large_system_describe(const struct large_system *system)
{
	const struct sim_config *config = &system->config;
	uint32_t late = 0, once = 0, sets = 0;

	for (uint32_t t = 0; t < config->nr_threads; t++) {
		late += config->threads[t].arrive_ns > 0;
		once += config->threads[t].once;
		sets += config->threads[t].allowed != NULL;
	}
	fprintf(stderr, "system SAHM_ENGINES_SEED=%" PRIu64 " SAHM_ENGINES_INDEX=%" PRIu64 "\n", system->seed,
		system->index);
	fprintf(stderr,
		"%u cores of %u types, %u threads (%u arrive late, %u leave, %u with sets), policy %s, oracle %d, "
		"inertia %u, timestep_ns %" PRIu64 ", warmup_ns %" PRIu64 ", duration_ns %" PRIu64 ", cost_ns %" PRIu64
		", %u levels%s\n",
		system->chip.nr_cores, system->nr_types, config->nr_threads, late, once, sets, config->policy->name,
		config->oracle, config->inertia, config->timestep_ns, config->warmup_ns, config->duration_ns,
		config->distances.cost_ns, config->distances.nr_levels,
		config->distances.matrix_ns ? ", a matrix" : "");
}
