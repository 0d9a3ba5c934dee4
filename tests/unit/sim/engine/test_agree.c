/* The plain engine, the policies and the core types against the reference simulator, and the event engine against the
 * plain one, on random small systems: every field of every result must be the same. Larger systems, which the reference
 * is too slow for, are in test_engines.c.
 *
 * A system is a function of a seed and an index. In the environment: SAHM_AGREE_SYSTEMS, how many systems at most;
 * SAHM_AGREE_SEED, one seed instead of the list below; SAHM_AGREE_INDEX, with it, only one system, SAHM_AGREE_SPEEDS
 * one of those with levels; SAHM_AGREE_COVERAGE prints how many systems exercise each rule.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sched/ordered/sahm_pass.h"
#include "sim/base/units.h"
#include "tests/helper/environment.h"
#include "tests/helper/random_system.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/test.h"

#define NR_SYSTEMS 100000u
#define NR_PASSES 200000u
#define NR_SPEEDS 40000u

static const uint64_t seeds[] = {1, 42, 20170613, UINT64_C(0x9e3779b97f4a7c15)};

/* Coverage: in how many systems each rule was exercised. Rows after the reference's events are of our own. */

enum feature {
	FEWER_THREADS = REF_NR_EVENTS,
	AS_MANY_THREADS,
	MORE_THREADS,
	SEVERAL_WORDS, /* sets of cores with cores in more than one */
	WITH_ORACLE,
	NOTHING_NEW, /* all there from the start, for good, anywhere, at one cost, without warm-up */
	EVERYTHING,  /* the opposite */
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
	EVENT(REF_ARRIVED_LATE),
	EVENT(REF_DUE_INSIDE),
	EVENT(REF_NEVER_ARRIVED),
	EVENT(REF_PLACED_ELSEWHERE),
	EVENT(REF_PLACED_BY_SET),
	EVENT(REF_LEFT_INSIDE),
	EVENT(REF_LEFT_AT_END),
	EVENT(REF_LEFT_WITH_SURPLUS),
	EVENT(REF_LEFT_WHILE_COLD),
	EVENT(REF_LEFT_CORE_IDLE),
	EVENT(REF_LEFT_OTHERS),
	EVENT(REF_NOBODY_THERE),
	EVENT(REF_VICTIM_KEPT_BY_SET),
	EVENT(REF_KEPT_FROM_IDLE),
	EVENT(REF_KEPT_FROM_SWAP),
	EVENT(REF_KEPT_FROM_SHORTER),
	EVENT(REF_COST_BY_LEVEL),
	EVENT(REF_COST_BY_MATRIX),
	EVENT(REF_COST_ONE_WAY),
	EVENT(REF_CROSSED_WARMING),
	EVENT(REF_SEVERAL_PARTS),
	EVENT(REF_SKIPPED_PARTS),
	EVENT(REF_PAID_THEN_WARMED),
	EVENT(REF_STILL_COLD),
	EVENT(REF_WARM_INSIDE),
	EVENT(REF_WARMUP_INTERRUPTED),
	EVENT(REF_SPEED_CHANGED),
	EVENT(REF_SPEED_LATER),
	EVENT(REF_SPEED_REPLACED),
	EVENT(REF_SLOWED),
	EVENT(REF_AT_CAPACITY),
	EVENT(REF_ALL_LEFT),
	EVENT(REF_GIVEN_UP),
	EVENT(FEWER_THREADS),
	EVENT(AS_MANY_THREADS),
	EVENT(MORE_THREADS),
	EVENT(SEVERAL_WORDS),
	EVENT(WITH_ORACLE),
	EVENT(NOTHING_NEW),
	EVENT(EVERYTHING),
	EVENT(DURATION_ROUNDED),
	EVENT(DEBT_EVERY_MOVE_CARRIES),
	EVENT(PAST_64_BITS),
};

static void cover(uint64_t features[NR_FEATURES], const struct ref_config *config, const struct ref_result *result,
		  const struct ref_thread_result *threads)
{
	bool past = false, late = false, once = false, sets = false;
	bool distances = config->nr_levels > 0 || config->matrix_ns, warmup = config->warmup_ns > 0;

	for (int e = 0; e < REF_NR_EVENTS; e++)
		features[e] += result->events[e] > 0;
	for (int t = 0; t < config->nr_threads; t++) {
		past = past || threads[t].completed_ns > UINT64_MAX / (uint64_t)PROGRESS_PER_NS;
		late = late || config->threads[t].arrive_ns > 0;
		once = once || config->threads[t].once;
		sets = sets || config->threads[t].allowed;
	}
	features[FEWER_THREADS] += config->nr_threads < config->nr_cores;
	features[AS_MANY_THREADS] += config->nr_threads == config->nr_cores;
	features[MORE_THREADS] += config->nr_threads > config->nr_cores;
	features[SEVERAL_WORDS] += sets && config->nr_cores > 64;
	features[WITH_ORACLE] += config->oracle != 0;
	features[NOTHING_NEW] += !late && !once && !sets && !distances && !warmup;
	features[EVERYTHING] += late && once && sets && distances && warmup;
	features[DURATION_ROUNDED] += config->duration_ns % config->timestep_ns != 0;
	features[DEBT_EVERY_MOVE_CARRIES] +=
		config->migration_ns > config->timestep_ns && result->events[REF_CARRIED_DEBT] > 0;
	features[PAST_64_BITS] += past;
}

/* Whole systems */

static struct sim_counts counts_of(const struct ref_counts *from)
{
	return (struct sim_counts){from->executed, from->served, from->matched};
}

/* The reference's outcome in the product's terms, into `out`, whose arrays have room. */
static void outcome_of(const struct ref_config *config, const struct ref_result *result,
		       const struct ref_thread_result *threads, struct sim_outcome *out)
{
	out->from = "the reference";
	out->whole = (struct sim_result){
		.nr_timesteps = result->nr_timesteps,
		.simulated_ns = result->nr_timesteps * config->timestep_ns,
		.present_timesteps = result->present_timesteps,
		.capacity_timesteps = result->capacity_timesteps,
		.decisions = result->decisions,
		.given_up = result->events[REF_GIVEN_UP] > 0,
	};
	for (unsigned s = 0; s < NR_STATES; s++)
		out->whole.states[s] = counts_of(&result->states[s]);
	for (int c = 0; c < config->nr_cores; c++)
		out->cores[c] = counts_of(&result->cores[c]);
	for (int t = 0; t < config->nr_threads; t++) {
		const struct ref_thread_result *from = &threads[t];
		out->threads[t] = (struct sim_thread_result){
			.completed_ns = from->completed_ns,
			.executed = from->counts.executed,
			.served = from->counts.served,
			.matched = from->counts.matched,
			.transitions = from->transitions,
			.migrations = from->migrations,
			.paid_ns = from->paid_ns,
			.present_ns = from->present_ns,
			.left = from->left,
		};
	}
	const bool speeds = config->speed_rule != REF_SPEEDS_STAY;
	out->nr_groups = speeds ? OUTCOME_TOP_GROUPS : OUTCOME_GROUPS;
	memset(out->activity, 0, (size_t)config->nr_threads * out->nr_groups * NR_STATES * sizeof(*out->activity));
	memset(out->residency, 0, sizeof(out->residency));
	memset(out->over_ns, 0, sizeof(out->over_ns));
	for (int g = 0; g < config->nr_shared; g++)
		out->over_ns[g] = result->over[g] * config->timestep_ns;
	const unsigned nr_places = speeds ? OUTCOME_TOP_GROUPS : (unsigned)config->nr_cores;
	for (unsigned t = 0; t < (unsigned)config->nr_threads; t++) {
		for (unsigned p = 0; p < nr_places; p++) {
			for (unsigned s = 0; s < NR_STATES; s++) {
				unsigned cell = (t * out->nr_groups + p % out->nr_groups) * NR_STATES + s;
				const struct ref_progress *made = &threads[t].progress[p][s];
				out->activity[cell].executed += threads[t].executed[p][s];
				out->activity[cell].progress += ((activity_progress)made->high << 64) + made->low;
			}
		}
	}
	for (unsigned p = 0; p < nr_places; p++)
		out->residency[p % out->nr_groups] += result->residency[p] * config->timestep_ns;
}

struct room {
	struct sim_outcome outcome;
	struct sim_thread_result threads[RANDOM_TOP_THREADS];
	struct sim_counts cores[RANDOM_TOP_CORES];
	struct activity activity[RANDOM_TOP_THREADS * OUTCOME_TOP_GROUPS * NR_STATES];
};

static struct sim_outcome *outcome_in(struct room *room)
{
	room->outcome.threads = room->threads;
	room->outcome.cores = room->cores;
	room->outcome.activity = room->activity;
	return &room->outcome;
}

static void run(const struct random_system *system, const struct sim_config *config, enum sim_engine engine,
		struct sim_outcome *out)
{
	struct sahm_err err;

	if (run_engine(config, engine, out, &err) == SAHM_OK)
		return;
	print_error("%s\n", err.msg);
	random_system_describe(system);
	fail_msg("%s refuses a valid system", out->from);
}

static void check_system(uint64_t seed, uint64_t index, uint64_t features[NR_FEATURES])
{
	static struct random_system system;
	static struct product_system product;
	struct ref_result result;
	static struct ref_thread_result threads[RANDOM_TOP_THREADS];
	static struct room rooms[3];
	struct sim_outcome *reference = outcome_in(&rooms[0]), *plain = outcome_in(&rooms[1]),
			   *event = outcome_in(&rooms[2]);

	random_system(&system, seed, index);
	product_system(&product, &system);
	assert_non_null(product.config.policy);
	ref_run(&system.config, &result, threads);
	cover(features, &system.config, &result, threads);
	outcome_of(&system.config, &result, threads, reference);
	run(&system, &product.config, SIM_PLAIN, plain);
	run(&system, &product.config, SIM_EVENT, event);
	uint32_t nr_threads = product.config.nr_threads, nr_cores = product.chip.nr_cores;
	if (!same_outcome(reference, plain, nr_threads, nr_cores)) {
		random_system_describe(&system);
		fail_msg("the reference and the plain engine disagree");
	}
	if (!same_outcome(plain, event, nr_threads, nr_cores)) {
		random_system_describe(&system);
		fail_msg("the engines disagree");
	}
}

static bool is_of_speeds(int feature)
{
	return feature >= REF_SPEED_CHANGED && feature <= REF_AT_CAPACITY;
}

/* How many of `nr_systems` systems must have a feature. */
static uint64_t expected(int feature, uint64_t nr_systems)
{
	if (is_of_speeds(feature))
		return 0;
	switch (feature) {
	case REF_GIVEN_UP:
	case REF_SKIPPED_PARTS:
	case REF_COST_ONE_WAY:
	case REF_LEFT_WHILE_COLD:
	case REF_VICTIM_KEPT_BY_SET:
	case REF_KEPT_FROM_SHORTER:
	case SEVERAL_WORDS:
	case EVERYTHING:
		return nr_systems / 2000;
	default:
		return nr_systems / 200;
	}
}

static void test_random_systems(void **state)
{
	const bool one_seed = getenv("SAHM_AGREE_SEED") != NULL;
	uint64_t nr_systems = environment_number("SAHM_AGREE_SYSTEMS", NR_SYSTEMS);
	uint64_t nr_seeds = one_seed ? 1 : ARRAY_SIZE(seeds);
	uint64_t features[NR_FEATURES] = {0};

	(void)state;
	if (one_seed && getenv("SAHM_AGREE_INDEX")) {
		check_system(environment_number("SAHM_AGREE_SEED", 0), environment_number("SAHM_AGREE_INDEX", 0),
			     features);
		return;
	}
	for (uint64_t i = 0; i < nr_systems; i++) {
		uint64_t seed = environment_number("SAHM_AGREE_SEED", seeds[i % nr_seeds]);
		check_system(seed, i / nr_seeds, features);
	}
	for (int f = 0; f < NR_FEATURES; f++) {
		if (getenv("SAHM_AGREE_COVERAGE"))
			print_message("%-24s %" PRIu64 " of %" PRIu64 "\n", feature_names[f], features[f], nr_systems);
		else if (nr_systems >= 10000 && features[f] < expected(f, nr_systems))
			fail_msg("'%s' in %" PRIu64 " of %" PRIu64 " systems only", feature_names[f], features[f],
				 nr_systems);
	}
}

/* Systems whose cores have levels, or share: only the engine in continuous time carries them out. */

static void check_speeds(uint64_t seed, uint64_t index, uint64_t features[NR_FEATURES])
{
	static struct random_system system;
	static struct random_speeds speeds;
	static struct product_system product;
	static struct ref_thread_result threads[RANDOM_TOP_THREADS];
	static struct room rooms[2];
	struct ref_result result;
	struct sim_outcome *reference = outcome_in(&rooms[0]), *event = outcome_in(&rooms[1]);

	random_system(&system, seed, index);
	if (system.config.nr_cores > RANDOM_FEW_CORES)
		return;
	random_speeds(&system, &speeds);
	product_system(&product, &system);
	product_speeds(&product, &system);
	ref_run(&system.config, &result, threads);
	cover(features, &system.config, &result, threads);
	outcome_of(&system.config, &result, threads, reference);
	run(&system, &product.config, SIM_EVENT, event);
	if (!same_outcome(reference, event, product.config.nr_threads, product.chip.nr_cores)) {
		random_system_describe(&system);
		fail_msg("the reference and the engine disagree about levels or sharing");
	}
}

static void test_random_speeds(void **state)
{
	uint64_t most = environment_number("SAHM_AGREE_SYSTEMS", NR_SPEEDS);
	uint64_t nr_systems = most < NR_SPEEDS ? most : NR_SPEEDS;
	uint64_t features[NR_FEATURES] = {0};

	(void)state;
	if (getenv("SAHM_AGREE_SPEEDS")) {
		check_speeds(environment_number("SAHM_AGREE_SEED", 0), environment_number("SAHM_AGREE_SPEEDS", 0),
			     features);
		return;
	}
	for (uint64_t i = 0; i < nr_systems; i++)
		check_speeds(seeds[i % ARRAY_SIZE(seeds)], i / ARRAY_SIZE(seeds), features);
	for (int f = REF_SPEED_CHANGED; f <= REF_AT_CAPACITY; f++) {
		if (getenv("SAHM_AGREE_COVERAGE"))
			print_message("%-24s %" PRIu64 " of %" PRIu64 "\n", feature_names[f], features[f], nr_systems);
		else if (features[f] < nr_systems / 200)
			fail_msg("'%s' in %" PRIu64 " systems only", feature_names[f], features[f]);
	}
}

/* Single passes from placements, observations and counters that no run needs to reach. */

/* `number`: of the thread or queue that has the field, 0 for the whole. */
static bool equal(const char *field, uint32_t number, uint64_t product, uint64_t reference)
{
	if (product == reference)
		return true;
	print_error("'%s' number %u: %" PRIu64 " from the product, %" PRIu64 " from the reference\n", field, number,
		    product, reference);
	return false;
}

/* What the policies work on. */
struct product_pass {
	struct sched s;
	struct sched_queue queues[RANDOM_TOP_CORES];
	struct sched_thread threads[RANDOM_TOP_THREADS];
};

static void pass_in_product(const struct product_system *product, const struct ref_pass *from, struct product_pass *to)
{
	const struct sim_config *config = &product->config;
	struct sched *s = &to->s;

	*s = (struct sched){
		.chip = config->chip,
		.queues = to->queues,
		.threads = to->threads,
		.nr_threads = config->nr_threads,
		.inertia = config->inertia,
		.distances = &config->distances,
		.warmup_ns = config->warmup_ns,
		.pass = 1,
	};
	for (uint32_t c = 0; c < config->chip->nr_cores; c++)
		s->queues[c] = (struct sched_queue){.head = NO_THREAD, .tail = NO_THREAD};
	for (uint32_t t = 0; t < config->nr_threads; t++) {
		s->threads[t] = (struct sched_thread){
			.next = NO_THREAD,
			.prev = NO_THREAD,
			.inertia = from->inertia[t],
			.observed = (uint8_t)(from->observed[t] == REF_UNKNOWN ? (int)STATE_NONE : from->observed[t]),
			.allowed = config->threads[t].allowed,
		};
	}
	for (uint32_t c = 0; c < config->chip->nr_cores; c++) {
		for (int k = 0; k < from->queues[c].length; k++)
			sched_enqueue(s, (uint32_t)from->queues[c].threads[k], c);
	}
	if (config->policy->sahm_rules)
		sahm_pass(s, config->policy->sahm_rules->swaps);
}

static bool equal_passes(const struct product_system *product, const struct sched *s, const struct ref_pass *pass)
{
	bool ok = equal("decisions", 0, s->decisions, pass->decisions);

	for (uint32_t c = 0; ok && c < s->chip->nr_cores; c++) {
		const struct ref_queue *q = &pass->queues[c];
		uint32_t previous = NO_THREAD;
		uint32_t t = s->queues[c].head;
		ok = equal("length of queue", c, s->queues[c].length, (uint64_t)q->length);
		for (int k = 0; ok && k < q->length; k++) {
			ok = equal("queued thread", c, t, (uint64_t)q->threads[k]) &&
			     equal("core", t, s->threads[t].core, c) && equal("prev", t, s->threads[t].prev, previous);
			previous = t;
			t = ok ? s->threads[t].next : NO_THREAD;
		}
		ok = ok && equal("end of queue", c, t, NO_THREAD) &&
		     equal("tail of queue", c, s->queues[c].tail, previous);
	}
	for (uint32_t t = 0; ok && t < s->nr_threads; t++) {
		const struct sched_thread *th = &s->threads[t];
		ok = equal("inertia", t, th->inertia, pass->inertia[t]) &&
		     equal("migrations", t, th->migrations, pass->moves[t]) &&
		     equal("debt_ns", t, th->debt_ns, pass->debt_ns[t]) &&
		     equal("cold_ns", t, th->cold_ns, pass->warming[t] ? product->config.warmup_ns : 0) &&
		     equal("moved", t, sched_has_moved(s, t), pass->moves[t] > 0);
	}
	return ok;
}

static void describe_pass(const struct random_system *system, const struct ref_pass *pass)
{
	random_system_describe(system);
	for (int i = 0; i < system->config.nr_cores; i++) {
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
	static struct random_system system;
	static struct product_system product;
	static struct ref_pass before, after;
	static struct product_pass pass;
	uint64_t rng = environment_number("SAHM_AGREE_SEED", 1);
	uint64_t nr_step_5 = 0;

	(void)state;
	for (unsigned i = 0; i < NR_PASSES; i++) {
		uint64_t seed = rng; /* with this seed it comes first */

		random_pass(&system, &before, &rng);
		system.seed = seed;
		product_system(&product, &system);
		assert_non_null(product.config.policy);
		after = before;
		nr_step_5 += ref_pass(&system.config, &after) > 0;
		pass_in_product(&product, &before, &pass);
		if (!equal_passes(&product, &pass.s, &after)) {
			describe_pass(&system, &before);
			fail_msg("the policy and the reference disagree");
		}
	}
	assert_true(nr_step_5 > NR_PASSES / 20);
}

TEST_FILE(test_agree)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_passes),
		cmocka_unit_test(test_random_systems),
		cmocka_unit_test(test_random_speeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
