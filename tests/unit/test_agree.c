/* The engine, its policies and its core types against the reference simulator, on random small systems: every field of
 * every result must be the same. The systems favour what goes wrong: ties at boundaries, equal speedups, debts about as
 * long as a timestep, epochs shorter than one.
 *
 * A system is a function of a seed and an index. In the environment: SAHM_AGREE_SYSTEMS, how many systems;
 * SAHM_AGREE_SEED, one seed instead of the list below; SAHM_AGREE_INDEX, with it, one system alone; SAHM_AGREE_COVERAGE
 * prints how many systems exercise each rule.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cores/core.h"
#include "sched/sched.h"
#include "sim/base/units.h"
#include "sim/engine/sim.h"
#include "tests/reference/refsim.h"
#include "tests/unit/test.h"

#define NR_SYSTEMS 60000u
#define NR_PASSES 200000u
#define TOP_CORES 7
#define TOP_THREADS 10
#define TOP_EPOCHS 12
#define TOP_TIMESTEPS 400u

static const uint64_t seeds[] = {1, 42, 20170613, UINT64_C(0x9e3779b97f4a7c15)};

static const char *const policy_names[] = {
	[REF_STATIC] = "static",
	[REF_LISTING] = "sahm-listing",
	[REF_SAHM] = "sahm",
	[REF_STRICT] = "sahm-strict",
};

struct sample {
	uint64_t seed, index;
	struct ref_config config;
	struct ref_core cores[TOP_CORES];
	struct ref_thread threads[TOP_THREADS];
	uint8_t states[TOP_THREADS][TOP_EPOCHS];
};

/* Random numbers: splitmix64. */

static uint64_t next_random(uint64_t *rng)
{
	uint64_t z = *rng += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* From `low` to `high`, both included. */
static uint64_t between(uint64_t *rng, uint64_t low, uint64_t high)
{
	return low + next_random(rng) % (high - low + 1);
}

static bool one_in(uint64_t *rng, uint64_t n)
{
	return next_random(rng) % n == 0;
}

#define PICK(rng, array) ((array)[next_random(rng) % (sizeof(array) / sizeof((array)[0]))])

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
	return x < low ? low : x > high ? high : x;
}

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

static void random_chip(uint64_t *rng, struct sample *sample, enum palette palette)
{
	int nr_cores = (int)between(rng, 1, TOP_CORES);

	for (int i = 0; i < nr_cores; i++) {
		if (i > 0 && one_in(rng, 4))
			sample->cores[i] = sample->cores[between(rng, 0, (uint64_t)i - 1)];
		else
			random_core(rng, &sample->cores[i], palette);
	}
	sample->config.cores = sample->cores;
	sample->config.nr_cores = nr_cores;
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

static void random_threads(uint64_t *rng, struct sample *sample, uint64_t base_ns)
{
	struct ref_config *config = &sample->config;
	uint64_t common_ns = random_epoch(rng, base_ns, config->timestep_ns);
	bool same_epochs = one_in(rng, 2);
	bool offsets = one_in(rng, 2);
	uint8_t states[5];
	uint64_t nr_states = between(rng, 1, 5);

	for (uint64_t i = 0; i < nr_states; i++)
		states[i] = random_state(rng);
	config->threads = sample->threads;
	config->nr_threads = one_in(rng, 4) ? config->nr_cores : (int)between(rng, 1, TOP_THREADS);
	for (int t = 0; t < config->nr_threads; t++) {
		struct ref_thread *thread = &sample->threads[t];

		if (t > 0 && one_in(rng, 5)) { /* in lockstep with another */
			*thread = sample->threads[between(rng, 0, (uint64_t)t - 1)];
			continue;
		}
		thread->states = sample->states[t];
		thread->nr_epochs = between(rng, 1, TOP_EPOCHS);
		thread->epoch_ns = same_epochs ? common_ns : random_epoch(rng, base_ns, config->timestep_ns);
		for (uint64_t e = 0; e < thread->nr_epochs; e++) {
			bool repeat = e > 0 && one_in(rng, 3);
			sample->states[t][e] =
				repeat ? sample->states[t][e - 1] : states[between(rng, 0, nr_states - 1)];
		}
		if (offsets) {
			uint64_t epoch = between(rng, 0, thread->nr_epochs - 1);
			uint64_t rest[] = {0, 1, thread->epoch_ns - 1, between(rng, 0, thread->epoch_ns - 1)};
			thread->offset_ns = epoch * thread->epoch_ns + PICK(rng, rest);
		}
	}
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

	if (one_in(rng, 64)) { /* never paid off: debts add up beyond 64 bits, and cut to those some would be small */
		uint64_t base = one_in(rng, 2) ? UINT64_C(1) << 63 : UINT64_MAX - timestep_ns;
		return base + between(rng, 0, timestep_ns);
	}
	return one_in(rng, 4) ? 0 : PICK(rng, costs);
}

static void random_duration(uint64_t *rng, struct ref_config *config, uint64_t top_timesteps)
{
	uint64_t longest_ns = 0;
	uint64_t top_ns = top_timesteps * config->timestep_ns;

	for (int t = 0; t < config->nr_threads; t++) {
		uint64_t ns = config->threads[t].nr_epochs * config->threads[t].epoch_ns;
		longest_ns = ns > longest_ns ? ns : longest_ns;
	}
	if (longest_ns <= top_ns && !one_in(rng, 3))
		return;
	config->duration_ns = clamp(between(rng, 1, longest_ns * 3), 1, top_ns);
	if (one_in(rng, 2)) { /* whole timesteps, and 1 ns more or less */
		config->duration_ns -= config->duration_ns % config->timestep_ns;
		config->duration_ns += config->timestep_ns + between(rng, 0, 2) - 1;
	}
	config->duration_ns = clamp(config->duration_ns, 1, UINT64_MAX);
}

static void random_sample(struct sample *sample, uint64_t seed, uint64_t index)
{
	static const uint64_t bases_ns[] = {1000,   1000,      1300,	     2600,	  10000,
					    100000, 100000000, MAX_EPOCH_NS, MAX_EPOCH_NS};
	struct ref_config *config = &sample->config;
	uint64_t seed_rng = seed;
	uint64_t rng = next_random(&seed_rng) ^ index;

	memset(sample, 0, sizeof(*sample));
	sample->seed = seed;
	sample->index = index;
	enum palette palette = one_in(&rng, 16) ? EXTREME : (enum palette)between(&rng, 0, EXTREME - 1);
	random_chip(&rng, sample, palette);
	uint64_t base_ns = PICK(&rng, bases_ns);
	config->timestep_ns = random_timestep(&rng, base_ns);
	random_threads(&rng, sample, base_ns);
	config->migration_ns = random_cost(&rng, config->timestep_ns);
	config->inertia = one_in(&rng, 3) ? 0 : (unsigned)between(&rng, 1, 6);
	config->policy = one_in(&rng, 2) ? REF_SAHM : (enum ref_policy)between(&rng, REF_STATIC, REF_STRICT);
	config->oracle = one_in(&rng, 3);
	random_duration(&rng, config, palette == EXTREME ? 20 : TOP_TIMESTEPS);
}

static void describe(const struct sample *sample)
{
	const struct ref_config *config = &sample->config;

	print_error("system SAHM_AGREE_SEED=%" PRIu64 " SAHM_AGREE_INDEX=%" PRIu64 "\n", sample->seed, sample->index);
	print_error("policy %s oracle %d inertia %u timestep_ns %llu migration_ns %llu duration_ns %llu\n",
		    policy_names[config->policy], config->oracle, config->inertia, config->timestep_ns,
		    config->migration_ns, config->duration_ns);
	for (int i = 0; i < config->nr_cores; i++) {
		const struct ref_core *core = &config->cores[i];
		print_error("core %d:", i);
		if (core->kind == REF_BASELINE)
			print_error(" baseline");
		for (int c = 0; core->kind == REF_COMPONENTS && c < 4; c++) {
			if (core->mask >> c & 1)
				print_error(" %s %lld ppm", component_key((enum component)c), core->component_ppm[c]);
		}
		if (core->kind == REF_TABLE)
			print_error(" table");
		for (int s = 0; core->kind == REF_TABLE && s < 16; s++)
			print_error(" %lld", core->table_ppm[s]);
		print_error("\n");
	}
	for (int t = 0; config->threads && t < config->nr_threads; t++) {
		const struct ref_thread *thread = &config->threads[t];
		print_error("thread %d: epoch_ns %llu offset_ns %llu states", t, thread->epoch_ns, thread->offset_ns);
		for (uint64_t e = 0; e < thread->nr_epochs; e++)
			print_error(" %d", thread->states[e]);
		print_error("\n");
	}
}

/* The chip in the product's terms; it points into itself. */
struct product_chip {
	struct chip chip;
	struct core_type types[TOP_CORES];
	const struct core_type *cores[TOP_CORES];
};

static void make_chip(const struct ref_config *from, struct product_chip *to)
{
	for (int i = 0; i < from->nr_cores; i++) {
		const struct ref_core *core = &from->cores[i];
		struct core_type *type = &to->types[i];
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
		to->cores[i] = type;
	}
	to->chip = (struct chip){.nr_cores = (uint32_t)from->nr_cores, .cores = to->cores};
}

/* Runs the engine on `sample`. */
static enum sahm_status run_engine(const struct sample *sample, struct sim_result *result,
				   struct sim_thread_result *results, struct sahm_err *err)
{
	const struct ref_config *from = &sample->config;
	struct product_chip chip;
	struct sim_thread threads[TOP_THREADS];

	make_chip(from, &chip);
	for (int t = 0; t < from->nr_threads; t++) {
		threads[t] = (struct sim_thread){
			.states = from->threads[t].states,
			.nr_epochs = from->threads[t].nr_epochs,
			.epoch_ns = from->threads[t].epoch_ns,
			.offset_ns = from->threads[t].offset_ns,
		};
	}
	struct sim_config config = {
		.chip = &chip.chip,
		.threads = threads,
		.nr_threads = (uint32_t)from->nr_threads,
		.policy = sched_policy_find(policy_names[from->policy]),
		.oracle = from->oracle,
		.inertia = from->inertia,
		.timestep_ns = from->timestep_ns,
		.distances.cost_ns = from->migration_ns,
		.duration_ns = from->duration_ns,
	};
	assert_non_null(config.policy);
	return sim_run(&config, result, results, NULL, err);
}

/* Coverage: in how many systems each rule was exercised. Rows after the reference's events are of our own. */

enum feature {
	FEWER_THREADS = REF_NR_EVENTS,
	AS_MANY_THREADS,
	MORE_THREADS,
	WITH_ORACLE,
	DURATION_ROUNDED,
	DEBT_EVERY_MOVE_CARRIES,
	PAST_64_BITS, /* progress of one thread, in units of 1/PROGRESS_PER_NS ns, beyond 2^64 */
	NR_FEATURES
};

#define EVENT(name) [name] = #name
static const char *const feature_names[NR_FEATURES] = {
	EVENT(REF_STAYED_BY_INERTIA),
	EVENT(REF_MOVED_TO_IDLE),
	EVENT(REF_SWAPPED),
	EVENT(REF_MOVED_TO_SHORTER),
	EVENT(REF_SKIPPED_MOVED),
	EVENT(REF_CHOSE_AMONG_EQUALS),
	EVENT(REF_CHOSE_FASTER),
	EVENT(REF_VICTIM_HAD_INERTIA),
	EVENT(REF_CROSSED_INSIDE),
	EVENT(REF_CROSSED_TWICE),
	EVENT(REF_CROSSED_AT_END),
	EVENT(REF_CROSSED_EXACTLY),
	EVENT(REF_CARRIED_SURPLUS),
	EVENT(REF_RESTARTED),
	EVENT(REF_PAID_IN_PART),
	EVENT(REF_PAID_WHOLE_STEP),
	EVENT(REF_CARRIED_DEBT),
	EVENT(FEWER_THREADS),
	EVENT(AS_MANY_THREADS),
	EVENT(MORE_THREADS),
	EVENT(WITH_ORACLE),
	EVENT(DURATION_ROUNDED),
	EVENT(DEBT_EVERY_MOVE_CARRIES),
	EVENT(PAST_64_BITS),
};

static void cover(uint64_t features[NR_FEATURES], const struct sample *sample, const struct ref_result *result,
		  const struct ref_thread_result *threads)
{
	const struct ref_config *config = &sample->config;
	bool past = false;

	for (int e = 0; e < REF_NR_EVENTS; e++)
		features[e] += result->events[e] > 0;
	for (int t = 0; t < config->nr_threads; t++)
		past = past || threads[t].completed_ns > UINT64_MAX / (uint64_t)PROGRESS_PER_NS;
	features[FEWER_THREADS] += config->nr_threads < config->nr_cores;
	features[AS_MANY_THREADS] += config->nr_threads == config->nr_cores;
	features[MORE_THREADS] += config->nr_threads > config->nr_cores;
	features[WITH_ORACLE] += config->oracle != 0;
	features[DURATION_ROUNDED] += config->duration_ns % config->timestep_ns != 0;
	features[DEBT_EVERY_MOVE_CARRIES] +=
		config->migration_ns > config->timestep_ns && result->events[REF_CARRIED_DEBT] > 0;
	features[PAST_64_BITS] += past;
}

/* Comparison */

/* `number`: of the thread, or queue, that has the field; -1 for the whole run. */
static bool equal(const char *field, int number, uint64_t engine, uint64_t reference)
{
	if (engine == reference)
		return true;
	print_error("'%s' number %d: %" PRIu64 " from the product, %" PRIu64 " from the reference\n", field, number,
		    engine, reference);
	return false;
}

static bool equal_results(const struct sample *sample, const struct sim_result *result,
			  const struct sim_thread_result *engine, const struct ref_result *ref_result,
			  const struct ref_thread_result *reference)
{
	bool ok =
		equal("nr_timesteps", -1, result->nr_timesteps, ref_result->nr_timesteps) &&
		equal("simulated_ns", -1, result->simulated_ns, ref_result->nr_timesteps * sample->config.timestep_ns);

	for (int t = 0; ok && t < sample->config.nr_threads; t++) {
		ok = equal("executed", t, engine[t].executed, reference[t].executed) &&
		     equal("migrations", t, engine[t].migrations, reference[t].migrations) &&
		     equal("transitions", t, engine[t].transitions, reference[t].transitions) &&
		     equal("served", t, engine[t].served, reference[t].served) &&
		     equal("matched", t, engine[t].matched, reference[t].matched) &&
		     equal("completed_ns", t, engine[t].completed_ns, reference[t].completed_ns);
	}
	return ok;
}

static void check_system(uint64_t seed, uint64_t index, uint64_t features[NR_FEATURES])
{
	struct sample sample;
	struct ref_result reference;
	struct ref_thread_result reference_threads[TOP_THREADS];
	struct sim_result engine;
	struct sim_thread_result engine_threads[TOP_THREADS];
	struct sahm_err err;

	random_sample(&sample, seed, index);
	ref_run(&sample.config, &reference, reference_threads);
	cover(features, &sample, &reference, reference_threads);
	if (run_engine(&sample, &engine, engine_threads, &err) != SAHM_OK) {
		print_error("%s\n", err.msg);
		describe(&sample);
		fail_msg("the engine refuses a valid system");
	}
	if (!equal_results(&sample, &engine, engine_threads, &reference, reference_threads)) {
		describe(&sample);
		fail_msg("the engine and the reference disagree");
	}
}

static void test_random_systems(void **state)
{
	const char *systems_text = getenv("SAHM_AGREE_SYSTEMS");
	const char *seed_text = getenv("SAHM_AGREE_SEED");
	const char *index_text = getenv("SAHM_AGREE_INDEX");
	uint64_t nr_systems = systems_text ? strtoull(systems_text, NULL, 0) : NR_SYSTEMS;
	uint64_t nr_seeds = seed_text ? 1 : sizeof(seeds) / sizeof(seeds[0]);
	uint64_t features[NR_FEATURES] = {0};

	(void)state;
	if (seed_text && index_text) {
		check_system(strtoull(seed_text, NULL, 0), strtoull(index_text, NULL, 0), features);
		return;
	}
	for (uint64_t i = 0; i < nr_systems; i++) {
		uint64_t seed = seed_text ? strtoull(seed_text, NULL, 0) : seeds[i % nr_seeds];
		check_system(seed, i / nr_seeds, features);
	}
	for (int f = 0; f < NR_FEATURES; f++) {
		if (getenv("SAHM_AGREE_COVERAGE"))
			print_message("%-24s %" PRIu64 " of %" PRIu64 "\n", feature_names[f], features[f], nr_systems);
		if (f == REF_MOVED_TO_SHORTER) /* out of reach: from round-robin placement lengths stay within one */
			assert_int_equal(features[f], 0);
		else if (nr_systems >= 1000 && features[f] < nr_systems / 200)
			fail_msg("'%s' in %" PRIu64 " of %" PRIu64 " systems only", feature_names[f], features[f],
				 nr_systems);
	}
}

/* Single passes from placements, observations and counters that no run needs to reach: the one way to step 5. */

static void random_pass(uint64_t *rng, struct sample *sample, struct ref_pass *pass)
{
	struct ref_config *config = &sample->config;
	uint8_t states[3];
	bool inertia = one_in(rng, 2);

	memset(pass, 0, sizeof(*pass));
	for (int i = 0; i < 3; i++)
		states[i] = random_state(rng);
	random_chip(rng, sample, (enum palette)between(rng, 0, NR_PALETTES - 1));
	config->nr_threads = (int)between(rng, 1, TOP_THREADS);
	config->policy = one_in(rng, 2) ? REF_SAHM : (enum ref_policy)between(rng, REF_STATIC, REF_STRICT);
	config->inertia = (unsigned)between(rng, 0, 6);
	config->migration_ns = between(rng, 0, 1000);
	for (int t = 0; t < config->nr_threads; t++) {
		struct ref_queue *q = &pass->queues[between(rng, 0, (uint64_t)config->nr_cores - 1)];
		q->threads[q->length++] = t;
		pass->observed[t] = one_in(rng, 8) ? REF_UNKNOWN : PICK(rng, states);
		pass->inertia[t] = inertia ? (unsigned)between(rng, 0, 2) : 0;
	}
}

static void pass_in_product(const struct sample *sample, const struct ref_pass *from, struct sched *s)
{
	const struct ref_config *config = &sample->config;
	struct product_chip chip;

	make_chip(config, &chip);
	s->chip = &chip.chip;
	s->nr_threads = (uint32_t)config->nr_threads;
	s->inertia = config->inertia;
	const struct distances distances = {.cost_ns = config->migration_ns};
	s->distances = &distances;
	s->pass = 1;
	for (int i = 0; i < config->nr_cores; i++)
		s->queues[i] = (struct sched_queue){.head = NO_THREAD, .tail = NO_THREAD};
	for (int t = 0; t < config->nr_threads; t++) {
		s->threads[t] = (struct sched_thread){
			.next = NO_THREAD,
			.prev = NO_THREAD,
			.inertia = from->inertia[t],
			.observed = (uint8_t)(from->observed[t] == REF_UNKNOWN ? (int)STATE_NONE : from->observed[t]),
		};
	}
	for (int i = 0; i < config->nr_cores; i++) {
		for (int k = 0; k < from->queues[i].length; k++)
			sched_enqueue(s, (uint32_t)from->queues[i].threads[k], (uint32_t)i);
	}
	const struct sched_policy *policy = sched_policy_find(policy_names[config->policy]);
	assert_non_null(policy);
	if (policy->pass)
		policy->pass(s);
	s->chip = NULL;
	s->distances = NULL;
}

static bool equal_passes(const struct ref_config *config, const struct sched *s, const struct ref_pass *pass)
{
	bool ok = true;

	for (int i = 0; ok && i < config->nr_cores; i++) {
		const struct ref_queue *q = &pass->queues[i];
		uint32_t previous = NO_THREAD;
		uint32_t t = s->queues[i].head;
		ok = equal("length of queue", i, s->queues[i].length, (uint64_t)q->length);
		for (int k = 0; ok && k < q->length; k++) {
			ok = equal("queued thread", i, t, (uint64_t)q->threads[k]) &&
			     equal("core", (int)t, s->threads[t].core, (uint64_t)i) &&
			     equal("prev", (int)t, s->threads[t].prev, previous);
			previous = t;
			t = ok ? s->threads[t].next : NO_THREAD;
		}
		ok = ok && equal("end of queue", i, t, NO_THREAD) &&
		     equal("tail of queue", i, s->queues[i].tail, previous);
	}
	for (int t = 0; ok && t < config->nr_threads; t++) {
		ok = equal("inertia", t, s->threads[t].inertia, pass->inertia[t]) &&
		     equal("migrations", t, s->threads[t].migrations, pass->moves[t]) &&
		     equal("debt_ns", t, s->threads[t].debt_ns, pass->moves[t] * config->migration_ns) &&
		     equal("moved", t, sched_has_moved(s, (uint32_t)t), pass->moves[t] > 0);
	}
	return ok;
}

static void describe_pass(const struct sample *sample, const struct ref_pass *pass)
{
	describe(sample);
	for (int i = 0; i < sample->config.nr_cores; i++) {
		print_error("queue %d:", i);
		for (int k = 0; k < pass->queues[i].length; k++) {
			int t = pass->queues[i].threads[k];
			print_error(" thread %d (observed %d, inertia %u)", t, pass->observed[t], pass->inertia[t]);
		}
		print_error("\n");
	}
}

static void test_random_passes(void **state)
{
	const char *seed_text = getenv("SAHM_AGREE_SEED");
	uint64_t rng = seed_text ? strtoull(seed_text, NULL, 0) : 1;
	uint64_t nr_step_5 = 0;

	(void)state;
	for (unsigned i = 0; i < NR_PASSES; i++) {
		struct sample sample = {.seed = rng}; /* with this seed it comes first */
		struct ref_pass before, after;
		struct sched_queue queues[TOP_CORES];
		struct sched_thread threads[TOP_THREADS];
		struct sched s = {.queues = queues, .threads = threads};

		random_pass(&rng, &sample, &before);
		after = before;
		nr_step_5 += ref_pass(&sample.config, &after) > 0;
		pass_in_product(&sample, &before, &s);
		if (!equal_passes(&sample.config, &s, &after)) {
			describe_pass(&sample, &before);
			fail_msg("the policy and the reference disagree");
		}
	}
	assert_true(nr_step_5 > NR_PASSES / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_passes),
		cmocka_unit_test(test_random_systems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
