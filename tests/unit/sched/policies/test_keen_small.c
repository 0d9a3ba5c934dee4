/* The policy `keen` against `sahm` on random small systems: 2 to 8 cores and threads, speedups of 0 to 60 %, costs of 0
 * to 9 ms. In a few it loses, as programs do what nobody foresees. Of 2,400 systems 0.2 % lose more than 0.3
 * points, and none more than 1.6; the bounds are for 200. In the environment: SAHM_KEEN_SYSTEMS, how many systems. */
#include <string.h>

#include "tests/helper/environment.h"
#include "tests/helper/random.h"
#include "tests/unit/made_run.h"

#define NR_SYSTEMS 200u
#define SEED 1u
#define TOP_EPOCHS 600u
/* Of a core's time. */
#define SMALL_LOSS_PCT 0.05
#define LOSS_PCT 0.3
#define TOP_LOSS_PCT 1.6
#define TOP_SHARE_PCT 1.0

struct small_system {
	struct made_chip made;
	struct sim_thread threads[TOP_THREADS];
	uint8_t states[TOP_THREADS][TOP_EPOCHS];
	struct sim_config config;
};

static uint8_t random_state(uint64_t *rng)
{
	uint64_t kind = between(rng, 0, 9);
	return (uint8_t)(kind < 3 ? LOW : kind < 7 ? 1u << between(rng, 0, 3) : between(rng, 0, 15));
}

static void random_type(uint64_t *rng, struct core_type *type)
{
	int32_t ppm[NR_STATES];
	uint64_t kind = between(rng, 0, 9), general = between(rng, 0, 600000);

	for (unsigned s = 0; s < NR_STATES; s++)
		ppm[s] = (int32_t)(kind == 8 ? general : between(rng, 0, 600000));
	if (kind < 2)
		core_type_baseline(type, "baseline");
	else if (kind < 8)
		core_type_specialised(type, "special", 1u << between(rng, 0, 3), ppm);
	else
		core_type_table(type, "table", ppm);
}

/* Short programs that repeat themselves, long ones that never do, and ones that never change. */
static void random_thread(uint64_t *rng, struct small_system *s, uint32_t t, const uint8_t *set, uint64_t nr)
{
	uint64_t kind = between(rng, 0, 2), mean = kind == 1 ? between(rng, 1, 40) : 2;
	struct sim_thread *thread = &s->threads[t];

	*thread = (struct sim_thread){.states = s->states[t], .epoch_ns = MS(100)};
	thread->nr_epochs = kind == 0 ? between(rng, 1, 12) : kind == 1 ? TOP_EPOCHS : 1;
	for (uint64_t e = 0; e < thread->nr_epochs; e++)
		s->states[t][e] = e > 0 && !one_in(rng, mean) ? s->states[t][e - 1] : set[between(rng, 0, nr - 1)];
	thread->offset_ns = between(rng, 0, thread->nr_epochs * thread->epoch_ns - 1);
}

static void random_small(struct small_system *s, uint64_t index)
{
	uint64_t rng = random_of_index(SEED, index), nr_states = between(&rng, 1, 5);
	uint32_t nr_cores = (uint32_t)between(&rng, 2, TOP_CORES);
	uint8_t set[5];

	memset(s, 0, sizeof(*s));
	for (uint32_t c = 0; c < nr_cores; c++) {
		random_type(&rng, &s->made.types[c]);
		if (c > 0 && one_in(&rng, 4))
			s->made.types[c] = s->made.types[between(&rng, 0, c - 1)];
		s->made.cores[c] = &s->made.types[c];
	}
	s->made.chip = (struct chip){.nr_cores = nr_cores, .cores = s->made.cores};
	for (uint64_t i = 0; i < nr_states; i++)
		set[i] = random_state(&rng);
	s->config = (struct sim_config){
		.chip = &s->made.chip,
		.threads = s->threads,
		.nr_threads = one_in(&rng, 2) ? nr_cores : (uint32_t)between(&rng, 2, TOP_THREADS),
		.timestep_ns = STEP_NS,
		.distances.cost_ns = MS(between(&rng, 0, 9)),
		.inertia = (uint32_t)between(&rng, 0, 6),
		.duration_ns = MS(1000 * between(&rng, 10, 60)),
	};
	for (uint32_t t = 0; t < s->config.nr_threads; t++)
		random_thread(&rng, s, t, set, nr_states);
}

/* Speedup over all cores that can be busy, in %. */
static double speedup(struct small_system *s, const char *policy)
{
	struct sim_thread_result threads[TOP_THREADS];
	struct sim_result result;
	struct sahm_err err;
	double sum = 0;
	uint32_t nr = s->config.nr_threads < s->config.chip->nr_cores ? s->config.nr_threads : s->config.chip->nr_cores;

	s->config.policy = sched_policy_find(policy);
	assert_int_equal(sim_run(&s->config, &result, threads, NULL, &err), SAHM_OK);
	for (uint32_t t = 0; t < s->config.nr_threads; t++)
		sum += (double)threads[t].completed_ns;
	return 100 * (sum / nr / (double)result.simulated_ns - 1);
}

static void test_small_systems(void **state)
{
	static struct small_system s;
	uint64_t nr = environment_number("SAHM_KEEN_SYSTEMS", NR_SYSTEMS), nr_lost = 0, nr_behind = 0;
	double worst = 0, more = 0;

	(void)state;
	for (uint64_t i = 0; i < nr; i++) {
		random_small(&s, i);
		double loss = speedup(&s, "sahm") - speedup(&s, "keen");
		nr_lost += loss > LOSS_PCT;
		nr_behind += loss > SMALL_LOSS_PCT;
		worst = loss > worst ? loss : worst;
		more -= loss / (double)nr;
	}
	print_message("of %u systems %u lose more than %.2f points, %u more than %.1f; worst %.3f, mean gain %.3f\n",
		      (unsigned)nr, (unsigned)nr_behind, SMALL_LOSS_PCT, (unsigned)nr_lost, LOSS_PCT, worst, more);
	assert_true((double)nr_lost <= TOP_SHARE_PCT / 100 * (double)nr);
	assert_true(worst <= TOP_LOSS_PCT);
	assert_true(more > 2);
}

TEST_FILE(test_keen_small)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_systems)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
