/* Limits against the walk that they stand for: epoch by epoch, each on the best core, times added up as integers. */
#include "results/studies/limit_study.h"
#include "tests/unit/made_chip.h"
#include "tests/unit/results/studies/limit_cases.h"

enum { NR_SYSTEMS = 400, MOST_EPOCHS = 5000 };

/* Relative to speed, which is what is divided: a core can be a thousand times as fast as another. */
static void expect_near(const char *name, double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-12 * (1 + fabs(expected))))
		fail_msg("%s: %.17g instead of %.17g", name, got, expected);
}

static double limit_of(const struct chip *chip, const uint64_t *allowed, const uint8_t *states, uint64_t nr)
{
	uint64_t in_state[NR_STATES] = {0};
	double weights[NR_STATES];
	int32_t ppm[NR_STATES];
	for (uint64_t e = 0; e < nr; e++)
		in_state[states[e]]++;
	limit_weights(in_state, weights);
	assert_true(limit_of_chip(chip, allowed, ppm));
	return limit_speedup(weights, ppm);
}

/* A core of any kind, slow ones included. */
static void random_type(uint64_t *rng, struct core_type *type)
{
	int32_t ppm[NR_STATES];
	for (unsigned s = 0; s < NR_STATES; s++)
		ppm[s] = one_in(rng, 8) ? (int32_t)between(rng, 0, 4000000) - 999999
					: ((int32_t)between(rng, 0, 10) - 3) * 10 * PPM_PER_PCT;
	switch (between(rng, 0, 3)) {
	case 0:
		core_type_baseline(type, "baseline");
		break;
	case 1:
		core_type_table(type, "table", ppm);
		break;
	default:
		core_type_specialised(type, "special", (unsigned)between(rng, 1, NR_STATES - 1), ppm);
	}
}

static void test_random_chips(void **state)
{
	(void)state;
	static uint8_t states[MOST_EPOCHS];
	for (uint64_t i = 0; i < NR_SYSTEMS; i++) {
		uint64_t rng = random_of_index(7, i), nr = one_in(&rng, 10) ? 1 : between(&rng, 1, MOST_EPOCHS);
		struct core_type types[TOP_CORES];
		const struct core_type *cores[TOP_CORES];
		struct chip chip = {(uint32_t)between(&rng, 1, TOP_CORES), cores};
		uint64_t set = between(&rng, 1, (UINT64_C(1) << chip.nr_cores) - 1);
		char name[32];
		for (uint32_t c = 0; c < chip.nr_cores; c++) {
			random_type(&rng, &types[c]);
			cores[c] = &types[c > 0 && one_in(&rng, 3) ? c - 1 : c];
		}
		random_states(&rng, (unsigned)next_random(&rng), 20, states, nr);
		snprintf(name, sizeof(name), "system %u", (unsigned)i);
		expect_near(name, limit_of(&chip, NULL, states, nr), walk(&chip, NULL, states, nr));
		expect_near(name, limit_of(&chip, &set, states, nr), walk(&chip, &set, states, nr));
	}
}

/* The whole space at once, on as many sequences as the study has programs. */
static void test_space(void **state)
{
	(void)state;
	enum { NR_TRACES = 39, NR_EPOCHS = 500 };
	static uint8_t states[NR_TRACES][NR_EPOCHS];
	struct limit_trace traces[NR_TRACES] = {{0}};
	struct limit_study study;
	struct sahm_err err;
	for (unsigned t = 0; t < NR_TRACES; t++) {
		uint64_t rng = random_of_index(8, t), in_state[NR_STATES] = {0};
		random_states(&rng, t == 0 ? 0 : (unsigned)next_random(&rng), 9, states[t], NR_EPOCHS);
		for (unsigned e = 0; e < NR_EPOCHS; e++)
			in_state[states[t][e]]++;
		traces[t] = (struct limit_trace){.name = "made", .nr_epochs = NR_EPOCHS};
		limit_weights(in_state, traces[t].weights);
	}
	assert_int_equal(limit_study_of_space(&study, traces, NR_TRACES, &err), SAHM_OK);
	for (unsigned i = 0; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(i);
		struct made_chip made;
		struct way ways[1 + NR_COMPONENTS] = {{BASE, 0}};
		uint32_t nr = 1;
		for (unsigned c = 0; c < NR_COMPONENTS; c++)
			if (config.components >> c & 1)
				ways[nr++] = (struct way){1u << c, config.speedup_ppm[c] / PPM_PER_PCT};
		make_chip(&made, ways, nr);
		for (unsigned t = 0; t < NR_TRACES; t++)
			expect_near("space", study.speedups[i * NR_TRACES + t],
				    walk(&made.chip, NULL, states[t], NR_EPOCHS));
	}
	limit_study_release(&study);
}

/* Written as a file, opened by a configuration, classified by cuts, from which no count is further than one away. */
static void test_files(void **state)
{
	(void)state;
	enum { NR_EPOCHS = 2000 };
	static uint8_t states[NR_EPOCHS];
	for (unsigned i = 0; i < 6; i++) {
		char path[] = "/tmp/sahm-limit-XXXXXX", text[512];
		uint64_t rng = random_of_index(9, i), nr = i == 0 ? 1 : between(&rng, 2, NR_EPOCHS);
		struct run_config config;
		struct record record;
		struct sahm_err err;
		struct arena a;
		arena_init(&a);
		random_states(&rng, NR_STATES - 1, 12, states, nr);
		write_states(states, nr, 100 * NS_PER_MS, i % 2 == 0, path);
		snprintf(text, sizeof(text),
			 "chip: { cores: ({ type=\"baseline\"; }, { type=\"l2+branch\"; speedup_pct=[30.0, 12.5]; },"
			 "{ type=\"l1d\"; speedup_pct=-10; count=2; }, { type=\"general\"; }); };"
			 "workload: { traces: (\"%s\"); };",
			 path);
		load(&config, text);
		assert_int_equal(record_of_limit(&a, &config, &record, &err), SAHM_OK);
		expect_near(path, record.threads[0].speedup, walk(&config.chip, NULL, states, nr));
		run_config_release(&config);
		arena_release(&a);
		remove(path);
	}
}

TEST_FILE(test_limit_walk)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_chips),
		cmocka_unit_test(test_space),
		cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
