#include "tests/helper/random_system.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/helper/random.h"

static const char *const policy_names[] = {
	[REF_STATIC] = "static",
	[REF_LISTING] = "sahm-listing",
	[REF_SAHM] = "sahm",
	[REF_STRICT] = "sahm-strict",
};

/* Chips */

enum palette {
	SAME,	 /* one speedup: ties */
	PAPER,	 /* 10, 20, 30 % */
	SIGNED,	 /* some of no use or worse */
	UNEVEN,	 /* any number of ppm: surpluses */
	EXTREME, /* the bounds of a rate */
	NR_PALETTES
};

static long long random_speedup(uint64_t *rng, enum palette palette)
{
	static const long long paper[] = {100000, 200000, 300000};
	static const long long mixed[] = {-250000, -100000, 0, 0, 50000, 300000};
	static const long long extreme[] = {-999999, -999000, 0, 999000000, 998999999};

	switch (palette) {
	case SAME:
		return 300000;
	case PAPER:
		return PICK(rng, paper);
	case SIGNED:
		return PICK(rng, mixed);
	case EXTREME:
		return PICK(rng, extreme);
	default:
		return (long long)between(rng, 0, 1499999) - 500000;
	}
}

static void random_core(uint64_t *rng, struct ref_core *core, enum palette palette)
{
	uint64_t kind = between(rng, 0, 9);

	memset(core, 0, sizeof(*core));
	if (kind < 3) {
		core->kind = REF_BASELINE;
	} else if (kind < 8) {
		core->kind = REF_COMPONENTS;
		core->mask = 1u << between(rng, 0, 3);
		if (kind == 7)
			core->mask |= 1u << between(rng, 0, 3) | 1u << between(rng, 0, 3);
		for (int c = 0; c < 4; c++)
			core->component_ppm[c] = random_speedup(rng, palette);
	} else {
		core->kind = REF_TABLE;
		long long general = random_speedup(rng, palette);
		for (int s = 0; s < 16; s++)
			core->table_ppm[s] = kind == 8 ? general : random_speedup(rng, palette);
	}
}

static void random_chip(uint64_t *rng, struct random_system *system, enum palette palette)
{
	bool many = one_in(rng, 64);
	int nr_cores = (int)(many ? between(rng, 60, RANDOM_TOP_CORES) : between(rng, 1, RANDOM_FEW_CORES));

	for (int i = 0; i < nr_cores; i++) {
		if (i > 0 && one_in(rng, 4))
			system->cores[i] = system->cores[between(rng, 0, (uint64_t)i - 1)];
		else
			random_core(rng, &system->cores[i], palette);
	}
	system->config.cores = system->cores;
	system->config.nr_cores = nr_cores;
}

/* Times: of the order of `base_ns`, which goes from the shortest to the longest epoch allowed. */

static uint64_t random_timestep(uint64_t *rng, uint64_t base_ns)
{
	switch (between(rng, 0, 5)) {
	case 0:
		return base_ns;
	case 1:
		return base_ns * between(rng, 2, 6);
	case 2:
		return between(rng, 1, base_ns);
	case 3:
		return clamp(between(rng, 1, 50), base_ns / 200, base_ns);
	default:
		return base_ns / between(rng, 2, 20);
	}
}

static uint64_t random_cost(uint64_t *rng, uint64_t timestep_ns)
{
	uint64_t costs[] = {
		0,
		1,
		timestep_ns / 10,
		timestep_ns / 2,
		timestep_ns - 1,
		timestep_ns,
		timestep_ns + 1,
		timestep_ns * 2,
		between(rng, 0, timestep_ns * 3),
	};

	return one_in(rng, 4) ? 0 : PICK(rng, costs);
}

/* Never paid off: debts add up beyond 64 bits, and cut to those some would be small. */
static uint64_t random_huge_cost(uint64_t *rng, uint64_t timestep_ns)
{
	uint64_t base = one_in(rng, 2) ? UINT64_C(1) << 63 : UINT64_MAX - timestep_ns;

	return base + between(rng, 0, timestep_ns);
}

static void random_distances(uint64_t *rng, struct random_system *system)
{
	struct ref_config *config = &system->config;
	uint64_t timestep_ns = config->timestep_ns;
	int block = 1;

	if (one_in(rng, 3)) {
		for (int i = 0; i < config->nr_cores * config->nr_cores; i++)
			system->matrix_ns[i] =
				one_in(rng, 1024) ? random_huge_cost(rng, timestep_ns) : random_cost(rng, timestep_ns);
		config->matrix_ns = system->matrix_ns;
	}
	config->nr_levels = (int)between(rng, 0, 3);
	for (int i = 0; i < config->nr_levels; i++) {
		block *= (int)between(rng, 2, 3);
		config->levels[i] = (struct ref_level){block, random_cost(rng, timestep_ns)};
	}
}

static uint64_t random_warmup(uint64_t *rng, uint64_t timestep_ns)
{
	uint64_t warmups[] = {
		1,
		between(rng, 1, 17), /* parts without a ns */
		between(rng, 15, 17),
		timestep_ns / 16,
		timestep_ns / 2,
		timestep_ns - 1,
		timestep_ns,
		timestep_ns + 1,
		timestep_ns * between(rng, 2, 5),
		between(rng, 1, timestep_ns * 3),
		timestep_ns * 10000, /* longer than any run */
	};

	return clamp(PICK(rng, warmups), 1, MAX_WARMUP_NS);
}

/* Threads */

static uint64_t random_epoch(uint64_t *rng, uint64_t base_ns, uint64_t timestep_ns)
{
	static const uint64_t factors[] = {1, 1, 2, 3, 5, 9, 10, 11, 12, 13, 26};
	static const uint64_t primes[] = {1009, 1013, 1499, 1999, 2503};
	uint64_t ns;

	switch (between(rng, 0, 5)) {
	case 0:
	case 1: /* ties at baseline speed and, with 13, at 30 % */
		ns = timestep_ns * PICK(rng, factors);
		break;
	case 2:
		ns = timestep_ns * PICK(rng, factors);
		ns += between(rng, 0, 2) - 1;
		break;
	case 3:
		ns = PICK(rng, primes);
		if (ns < base_ns / 64)
			ns = between(rng, base_ns / 2, base_ns * 2) | 1;
		break;
	case 4: /* several in a timestep */
		ns = timestep_ns / between(rng, 1, 5);
		break;
	default:
		ns = base_ns;
	}
	return clamp(ns, MIN_EPOCH_NS, MAX_EPOCH_NS);
}

static uint8_t random_state(uint64_t *rng)
{
	uint64_t kind = between(rng, 0, 9);

	if (kind < 3)
		return 0;
	if (kind < 7)
		return (uint8_t)(1u << between(rng, 0, 3));
	return (uint8_t)between(rng, 0, 15);
}

/* Some of the cores, at least one. */
static void random_set(uint64_t *rng, uint8_t *allowed, int nr_cores)
{
	uint64_t last = (uint64_t)nr_cores - 1, one = between(rng, 0, last), other = between(rng, 0, last);
	uint64_t kind = between(rng, 0, 4);

	for (uint64_t c = 0; c <= last; c++) {
		switch (kind) {
		case 0:
			allowed[c] = false;
			break;
		case 1:
			allowed[c] = c == other;
			break;
		case 2: /* all but one */
			allowed[c] = c != other;
			break;
		case 3: /* those from there on */
			allowed[c] = c > one;
			break;
		default:
			allowed[c] = one_in(rng, 2);
		}
	}
	allowed[one] = true;
}

/* At the beginning, beside the beginning of a timestep, within one, and after a run of `ns`. */
static uint64_t random_arrival(uint64_t *rng, uint64_t timestep_ns, uint64_t ns)
{
	uint64_t boundary_ns = between(rng, 1, ns / timestep_ns + 1) * timestep_ns;
	uint64_t arrivals[] = {
		0, 1, boundary_ns - 1, boundary_ns, boundary_ns + 1, between(rng, 0, ns), between(rng, 0, ns),
	};

	return one_in(rng, 16) ? ns * between(rng, 3, 5) : PICK(rng, arrivals);
}

/* Which of the rules that a system can do without it has. */
struct features {
	bool late, leaving, sets;
};

static void random_thread(uint64_t *rng, struct random_system *system, int t, const struct features *features)
{
	struct ref_thread *thread = &system->threads[t];
	uint64_t timestep_ns = system->config.timestep_ns;
	uint64_t trace_ns = thread->nr_epochs * thread->epoch_ns;

	if (features->late && !one_in(rng, 3))
		thread->arrive_ns = random_arrival(rng, timestep_ns, trace_ns);
	thread->once = features->leaving && !one_in(rng, 3);
	if (features->sets && !one_in(rng, 3)) {
		random_set(rng, system->allowed[t], system->config.nr_cores);
		thread->allowed = system->allowed[t];
	}
}

static void random_threads(uint64_t *rng, struct random_system *system, uint64_t base_ns,
			   const struct features *features)
{
	struct ref_config *config = &system->config;
	uint64_t common_ns = random_epoch(rng, base_ns, config->timestep_ns);
	bool same_epochs = one_in(rng, 2), offsets = one_in(rng, 2), all_leave = features->leaving && one_in(rng, 2);
	uint8_t states[5];
	uint64_t nr_states = between(rng, 1, 5);

	for (uint64_t i = 0; i < nr_states; i++)
		states[i] = random_state(rng);
	config->threads = system->threads;
	config->nr_threads = one_in(rng, 4) ? config->nr_cores : (int)between(rng, 1, RANDOM_TOP_THREADS);
	if (config->nr_threads > RANDOM_TOP_THREADS)
		config->nr_threads = RANDOM_TOP_THREADS;
	for (int t = 0; t < config->nr_threads; t++) {
		struct ref_thread *thread = &system->threads[t];

		if (t > 0 && one_in(rng, 5)) { /* in lockstep with another */
			*thread = system->threads[between(rng, 0, (uint64_t)t - 1)];
			continue;
		}
		thread->states = system->states[t];
		thread->nr_epochs = between(rng, 1, RANDOM_TOP_EPOCHS);
		thread->epoch_ns = same_epochs ? common_ns : random_epoch(rng, base_ns, config->timestep_ns);
		for (uint64_t e = 0; e < thread->nr_epochs; e++) {
			bool repeat = e > 0 && one_in(rng, 3);
			system->states[t][e] =
				repeat ? system->states[t][e - 1] : states[between(rng, 0, nr_states - 1)];
		}
		if (offsets) {
			uint64_t epoch = between(rng, 0, thread->nr_epochs - 1);
			uint64_t rest[] = {0, 1, thread->epoch_ns - 1, between(rng, 0, thread->epoch_ns - 1)};
			thread->offset_ns = epoch * thread->epoch_ns + PICK(rng, rest);
		}
		random_thread(rng, system, t, features);
		thread->once = thread->once || all_leave;
	}
}

/* Leaves the duration at 0 where the run is short then. */
static void random_duration(uint64_t *rng, struct ref_config *config, uint64_t top_timesteps)
{
	uint64_t longest_ns = 0, last_end_ns = 0, latest_ns = 0, sum_ns = 0;
	uint64_t top_ns = top_timesteps * config->timestep_ns;
	bool all_leave = true;

	for (int t = 0; t < config->nr_threads; t++) {
		const struct ref_thread *thread = &config->threads[t];
		uint64_t ns = thread->nr_epochs * thread->epoch_ns, end_ns = thread->arrive_ns + ns;
		longest_ns = ns > longest_ns ? ns : longest_ns;
		last_end_ns = end_ns > last_end_ns ? end_ns : last_end_ns;
		latest_ns = thread->arrive_ns > latest_ns ? thread->arrive_ns : latest_ns;
		sum_ns += ns;
		all_leave = all_leave && thread->once;
	}
	bool brief = all_leave ? latest_ns + sum_ns <= top_ns : last_end_ns <= top_ns;
	if (brief && !one_in(rng, all_leave ? 8 : 3))
		return;
	config->duration_ns = clamp(between(rng, 1, longest_ns * 3), 1, top_ns);
	if (one_in(rng, 2)) { /* whole timesteps, and 1 ns more or less */
		config->duration_ns -= config->duration_ns % config->timestep_ns;
		config->duration_ns += config->timestep_ns + between(rng, 0, 2) - 1;
	}
	config->duration_ns = clamp(config->duration_ns, 1, MAX_RUN_NS);
}

static void clear(struct random_system *system)
{
	memset(system, 0, offsetof(struct random_system, matrix_ns));
}

static enum ref_policy random_policy(uint64_t *rng)
{
	return one_in(rng, 2) ? REF_SAHM : (enum ref_policy)between(rng, REF_STATIC, REF_STRICT);
}

void random_system(struct random_system *system, uint64_t seed, uint64_t index)
{
	static const uint64_t bases_ns[] = {1000,   1000,      1300,	     2600,	  10000,
					    100000, 100000000, MAX_EPOCH_NS, MAX_EPOCH_NS};
	struct ref_config *config = &system->config;
	uint64_t rng = random_of_index(seed, index);
	bool more = !one_in(&rng, 4);
	struct features features = {more && one_in(&rng, 3), more && one_in(&rng, 3), more && one_in(&rng, 3)};

	clear(system);
	system->seed = seed;
	system->index = index;
	enum palette palette = one_in(&rng, 16) ? EXTREME : (enum palette)between(&rng, 0, EXTREME - 1);
	random_chip(&rng, system, palette);
	uint64_t base_ns = PICK(&rng, bases_ns);
	config->timestep_ns = random_timestep(&rng, base_ns);
	random_threads(&rng, system, base_ns, &features);
	config->migration_ns =
		one_in(&rng, 64) ? random_huge_cost(&rng, config->timestep_ns) : random_cost(&rng, config->timestep_ns);
	if (more && one_in(&rng, 3))
		random_distances(&rng, system);
	if (more && one_in(&rng, 3))
		config->warmup_ns = random_warmup(&rng, config->timestep_ns);
	config->inertia = one_in(&rng, 3) ? 0 : (unsigned)between(&rng, 1, 6);
	config->policy = random_policy(&rng);
	config->oracle = one_in(&rng, 3);
	random_duration(&rng, config, palette == EXTREME ? 20 : RANDOM_TOP_TIMESTEPS);
}

void random_pass(struct random_system *system, struct ref_pass *pass, uint64_t *rng)
{
	struct ref_config *config = &system->config;
	uint8_t states[3];
	bool inertia = one_in(rng, 2), sets = one_in(rng, 3);

	clear(system);
	memset(pass, 0, sizeof(*pass));
	for (int i = 0; i < 3; i++)
		states[i] = random_state(rng);
	random_chip(rng, system, (enum palette)between(rng, 0, NR_PALETTES - 1));
	config->threads = system->threads;
	config->nr_threads = (int)between(rng, 1, RANDOM_TOP_THREADS);
	config->policy = random_policy(rng);
	config->inertia = (unsigned)between(rng, 0, 6);
	config->timestep_ns = 1000;
	config->migration_ns = between(rng, 0, 1000);
	if (one_in(rng, 4))
		random_distances(rng, system);
	config->warmup_ns = one_in(rng, 4) ? between(rng, 1, 1000) : 0;
	for (int t = 0; t < config->nr_threads; t++) {
		uint64_t core = between(rng, 0, (uint64_t)config->nr_cores - 1);
		struct ref_queue *q = &pass->queues[core];
		q->threads[q->length++] = t;
		pass->observed[t] = one_in(rng, 8) ? REF_UNKNOWN : PICK(rng, states);
		pass->inertia[t] = inertia ? (unsigned)between(rng, 0, 2) : 0;
		if (sets && !one_in(rng, 3)) {
			random_set(rng, system->allowed[t], config->nr_cores);
			system->allowed[t][core] = true;
			system->threads[t].allowed = system->allowed[t];
		}
	}
}

static void describe_thread(const struct random_system *system, int t)
{
	const struct ref_thread *thread = &system->config.threads[t];

	fprintf(stderr, "thread %d: epoch_ns %llu offset_ns %llu arrive_ns %llu%s states", t, thread->epoch_ns,
		thread->offset_ns, thread->arrive_ns, thread->once ? " once" : "");
	for (uint64_t e = 0; e < thread->nr_epochs; e++)
		fprintf(stderr, " %d", thread->states[e]);
	if (thread->allowed) {
		fprintf(stderr, " cores");
		for (int c = 0; c < system->config.nr_cores; c++)
			if (thread->allowed[c])
				fprintf(stderr, " %d", c);
	}
	fprintf(stderr, "\n");
}

static void describe_core(const struct ref_core *core, int number)
{
	fprintf(stderr, "core %d:", number);
	if (core->kind == REF_BASELINE)
		fprintf(stderr, " baseline");
	for (int c = 0; core->kind == REF_COMPONENTS && c < 4; c++) {
		if (core->mask >> c & 1)
			fprintf(stderr, " %s %lld ppm", component_key((enum component)c), core->component_ppm[c]);
	}
	if (core->kind == REF_TABLE)
		fprintf(stderr, " table");
	for (int s = 0; core->kind == REF_TABLE && s < 16; s++)
		fprintf(stderr, " %lld", core->table_ppm[s]);
	fprintf(stderr, "\n");
}

void random_system_describe(const struct random_system *system)
{
	const struct ref_config *config = &system->config;

	fprintf(stderr, "system SAHM_AGREE_SEED=%" PRIu64 " SAHM_AGREE_INDEX=%" PRIu64 "\n", system->seed,
		system->index);
	fprintf(stderr,
		"policy %s oracle %d inertia %u timestep_ns %llu migration_ns %llu warmup_ns %llu duration_ns %llu\n",
		policy_names[config->policy], config->oracle, config->inertia, config->timestep_ns,
		config->migration_ns, config->warmup_ns, config->duration_ns);
	for (int i = 0; i < config->nr_levels; i++)
		fprintf(stderr, "within %d cores: %llu ns\n", config->levels[i].nr_cores, config->levels[i].cost_ns);
	for (int from = 0; config->matrix_ns && from < config->nr_cores; from++) {
		fprintf(stderr, "from core %d:", from);
		for (int to = 0; to < config->nr_cores; to++)
			fprintf(stderr, " %llu", config->matrix_ns[from * config->nr_cores + to]);
		fprintf(stderr, "\n");
	}
	for (int i = 0; i < config->nr_cores; i++)
		describe_core(&config->cores[i], i);
	for (int t = 0; t < config->nr_threads; t++)
		describe_thread(system, t);
}

/* Speeds and sharing */

static void random_core_speeds(uint64_t *rng, struct ref_core *core, struct ref_speed *speeds, enum palette palette,
			       uint64_t timestep_ns)
{
	uint64_t transitions[] = {0, 0, 1, timestep_ns - 1, timestep_ns, timestep_ns + 1, timestep_ns * 3};
	uint64_t mhz = between(rng, 1, 1000);
	int nr = (int)between(rng, 1, REF_MAX_SPEEDS);

	for (int i = 0; i < nr; i++) {
		speeds[i].mhz = (long long)mhz;
		mhz += one_in(rng, 4) ? 1 : between(rng, 1, 500);
		for (int s = 0; s < 16; s++)
			speeds[i].ppm[s] = random_speedup(rng, palette);
	}
	core->speeds = speeds;
	core->nr_speeds = nr;
	core->transition_ns = clamp(PICK(rng, transitions), 0, MAX_TRANSITION_NS);
}

/* A group's capacity: near what its first threads demand together, so that it is met exactly, too. */
static unsigned long long random_capacity(uint64_t *rng, const struct random_speeds *speeds)
{
	unsigned long long sum = 0;

	for (uint64_t t = 0; t < between(rng, 1, 3); t++)
		sum += speeds->demand[t][between(rng, 0, NR_STATES - 1)];
	sum += between(rng, 0, 2);
	return sum > 1 ? sum - 1 : 1;
}

void random_speeds(struct random_system *system, struct random_speeds *speeds)
{
	struct ref_config *config = &system->config;
	uint64_t rng = system->seed ^ (system->index * UINT64_C(0xd1342543de82ef95) + 1);
	enum palette palette = (enum palette)between(&rng, 0, NR_PALETTES - 1);
	bool has_speeds = !one_in(&rng, 4), shares = !has_speeds || one_in(&rng, 2);

	if (has_speeds) {
		config->speed_rule = one_in(&rng, 2) ? REF_SPEEDS_BY_USE : REF_SPEEDS_BY_STATE;
		if (config->speed_rule == REF_SPEEDS_BY_STATE)
			config->policy = REF_STATIC;
		for (int c = 0; c < config->nr_cores; c++)
			random_core_speeds(&rng, &system->cores[c], speeds->speeds[c], palette, config->timestep_ns);
	}
	if (!shares)
		return;
	uint64_t top = one_in(&rng, 8) ? MAX_MISSES_PER_S : between(&rng, 1, 20);
	config->nr_shared = (int)between(&rng, 1, 3);
	config->shared_of = speeds->shared_of;
	for (int c = 0; c < config->nr_cores; c++)
		speeds->shared_of[c] = (int)between(&rng, 0, (uint64_t)config->nr_shared) - 1;
	for (int t = 0; t < RANDOM_TOP_THREADS; t++)
		for (unsigned s = 0; s < NR_STATES; s++)
			speeds->demand[t][s] = between(&rng, 0, top);
	for (int t = 0; t < config->nr_threads; t++)
		system->threads[t].demand = speeds->demand[t];
	for (int g = 0; g < config->nr_shared; g++) {
		config->capacity[g] = random_capacity(&rng, speeds);
		if (config->capacity[g] > MAX_MISSES_PER_S)
			config->capacity[g] = MAX_MISSES_PER_S;
	}
}

/* In the product's terms */

static void make_type(struct core_type *type, const struct ref_core *core)
{
	int32_t ppm[NR_STATES];
	bool table = core->kind == REF_TABLE;

	for (unsigned s = 0; s < (table ? NR_STATES : NR_COMPONENTS); s++)
		ppm[s] = (int32_t)(table ? core->table_ppm[s] : core->component_ppm[s]);
	memset(type, 0xa5, sizeof(*type));
	if (core->kind == REF_BASELINE)
		core_type_baseline(type, "baseline");
	else if (table)
		core_type_table(type, "table", ppm);
	else
		core_type_specialised(type, "specialised", core->mask, ppm);
}

static void make_thread(struct product_system *product, uint32_t t, const struct ref_thread *from)
{
	uint64_t *set = product->allowed[t];

	product->threads[t] = (struct sim_thread){
		.states = from->states,
		.nr_epochs = from->nr_epochs,
		.epoch_ns = from->epoch_ns,
		.offset_ns = from->offset_ns,
		.arrive_ns = from->arrive_ns,
		.once = from->once,
		.allowed = from->allowed ? set : NULL,
	};
	/* bits past the last core say nothing */
	memset(set, t % 2 ? 0xff : 0, sizeof(product->allowed[t]));
	for (uint32_t c = 0; from->allowed && c < product->chip.nr_cores; c++) {
		uint64_t bit = UINT64_C(1) << c % 64;
		set[c / 64] = from->allowed[c] ? set[c / 64] | bit : set[c / 64] & ~bit;
	}
}

void product_system(struct product_system *product, const struct random_system *system)
{
	const struct ref_config *from = &system->config;
	uint32_t nr_cores = (uint32_t)from->nr_cores, nr_threads = (uint32_t)from->nr_threads;

	for (uint32_t c = 0; c < nr_cores; c++) {
		make_type(&product->types[c], &from->cores[c]);
		product->cores[c] = &product->types[c];
	}
	product->chip = (struct chip){.nr_cores = nr_cores, .cores = product->cores};
	for (uint32_t t = 0; t < nr_threads; t++)
		make_thread(product, t, &from->threads[t]);
	for (uint32_t i = 0; from->matrix_ns && i < nr_cores * nr_cores; i++)
		product->matrix_ns[i] = from->matrix_ns[i];
	product->config = (struct sim_config){
		.chip = &product->chip,
		.threads = product->threads,
		.nr_threads = nr_threads,
		.policy = sched_policy_find(policy_names[from->policy]),
		.oracle = from->oracle,
		.inertia = from->inertia,
		.timestep_ns = from->timestep_ns,
		.distances = {.cost_ns = from->migration_ns,
			      .nr_levels = (uint32_t)from->nr_levels,
			      .matrix_ns = from->matrix_ns ? product->matrix_ns : NULL},
		.warmup_ns = from->warmup_ns,
		.duration_ns = from->duration_ns,
	};
	for (uint32_t i = 0; i < product->config.distances.nr_levels; i++)
		product->config.distances.levels[i] =
			(struct distance_level){(uint32_t)from->levels[i].nr_cores, from->levels[i].cost_ns};
}

/* What REF_SPEEDS_BY_STATE does. */
static u64 levels_by_state(u64 now)
{
	(void)now;
	for (u32 cpu = 0; cpu < scx_bpf_nr_cpu_ids(); cpu++) {
		struct task_struct *p = sahm_head((s32)cpu);
		u32 state = p ? sahm_observed_state(p) : STATE_NONE;
		if (state != STATE_NONE && sahm_nr_levels((s32)cpu) > 1)
			sahm_set_perf((s32)cpu, state % sahm_nr_levels((s32)cpu));
	}
	return 0;
}

void product_speeds(struct product_system *product, const struct random_system *system)
{
	static const struct sched_ext_ops by_state = {.name = "by-state", .sahm_pass = levels_by_state};
	const struct ref_config *from = &system->config;
	struct sim_config *config = &product->config;

	if (from->speed_rule != REF_SPEEDS_STAY)
		config->levels = product->levels;
	config->governor = from->speed_rule == REF_SPEEDS_BY_USE;
	if (from->speed_rule == REF_SPEEDS_BY_STATE)
		config->policy = &by_state;
	for (int c = 0; c < from->nr_cores && config->levels; c++) {
		const struct ref_core *core = &from->cores[c];
		product->levels[c] =
			(struct core_levels){(uint32_t)core->nr_speeds, product->level_rows[c], core->transition_ns};
		for (int l = 0; l < core->nr_speeds; l++) {
			product->level_rows[c][l] = (struct core_level){.mhz = (uint32_t)core->speeds[l].mhz};
			for (unsigned s = 0; s < NR_STATES; s++)
				product->level_rows[c][l].speedup_ppm[s] = (int32_t)core->speeds[l].ppm[s];
		}
	}
	config->nr_shared = (uint32_t)from->nr_shared;
	config->shared_of = product->shared_of;
	config->capacity = product->capacity;
	for (int c = 0; c < from->nr_cores && from->nr_shared; c++)
		product->shared_of[c] = (uint32_t)(from->shared_of[c] < 0 ? from->nr_shared : from->shared_of[c]);
	for (int g = 0; g < from->nr_shared; g++)
		product->capacity[g] = from->capacity[g];
	for (int t = 0; t < from->nr_threads && from->nr_shared; t++) {
		for (unsigned s = 0; s < NR_STATES; s++)
			product->demand[t][s] = from->threads[t].demand[s];
		product->threads[t].demand = product->demand[t];
	}
}
