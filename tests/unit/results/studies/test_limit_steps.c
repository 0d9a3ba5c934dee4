/* The simulation approaches the limit from below as its timestep shrinks, on all kinds of chips and traces. */
#include "results/studies/limit_steps.h"
#include "sim/base/array.h"
#include "sim/base/units.h"
#include "tests/unit/results/studies/limit_cases.h"

static const uint64_t timesteps_ns[] = {100 * NS_PER_MS, 10 * NS_PER_MS, NS_PER_MS, NS_PER_MS / 10};
enum { NR_TIMESTEPS = ARRAY_SIZE(timesteps_ns), TOP_SIMULATED = 40 };

#define CANONICAL                                                                                                      \
	"{ type=\"baseline\"; }, { type=\"branch\"; speedup_pct=30; }, { type=\"l1i\"; speedup_pct=30; },"             \
	"{ type=\"l1d\"; speedup_pct=30; }, { type=\"l2\"; speedup_pct=30; }"
#define SEVERAL                                                                                                        \
	"{ type=\"l2+branch\"; speedup_pct=[30.0, 7.5]; }, { type=\"baseline\"; count=2; }, { type=\"branch\"; "       \
	"speedup_pct=12; }, { type=\"l1i\"; speedup_pct=20; }, { type=\"l1d\"; speedup_pct=55; }, "                    \
	"{ type=\"general\"; }"
#define TABLES                                                                                                         \
	"{ type=\"table\"; speedup_pct=[-10,40,-25,0,5,-50,10,20,-30,90,-5,15,60,-1,2,3]; },"                          \
	"{ type=\"table\"; speedup_pct=[-20,-40,25,10,-5,50,-10,-20,30,-9,5,-15,-6,1,-2,-3]; }"
/* All that it has is slower than a baseline core. */
#define SLOW                                                                                                           \
	"{ type=\"table\"; speedup_pct=[-10,-20,-30,-5,-10,-20,-30,-5,-10,-20,-30,-5,-10,-20,-30,-5]; },"              \
	"{ type=\"table\"; speedup_pct=[-30,-5,-10,-20,-30,-5,-10,-20,-30,-5,-10,-20,-30,-5,-10,-20]; }"

static const struct {
	const char *name, *cores;
} chips[] = {{"canonical", CANONICAL}, {"several", SEVERAL}, {"tables", TABLES}, {"slow", SLOW}};
enum { NR_CHIPS = ARRAY_SIZE(chips) };

/* Rates of a chip: maximum and minimum of the best for each state, and minimum of all. */
struct rates {
	double best, least_best, least;
};

static struct rates rates_of(const struct chip *chip)
{
	struct rates r = {0, INFINITY, INFINITY};
	int32_t ppm[NR_STATES];
	assert_true(limit_of_chip(chip, NULL, ppm));
	for (unsigned s = 0; s < NR_STATES; s++) {
		r.best = fmax(r.best, 1 + ppm[s] * 1e-6);
		r.least_best = fmin(r.least_best, 1 + ppm[s] * 1e-6);
		for (uint32_t c = 0; c < chip->nr_cores; c++)
			r.least = fmin(r.least, 1 + chip->cores[c]->speedup_ppm[s] * 1e-6);
	}
	return r;
}

/* Time of the simulation past that of the limit, in ns. Never below 0 but for whole ns: within one of them, at each
 * boundary between epochs, the speed is still the one before. Never above a timestep for each change of state, as far
 * as the wrong core is slower than the right one; in a timestep of several epochs less. */
static double expect_gap(const char *name, const struct run_config *config, uint32_t thread, double limit,
			 double simulated, uint64_t timestep_ns)
{
	struct trace *trace = config->traces[config->threads[thread].trace].trace;
	uint64_t nr = trace_nr_epochs(trace), nr_changes = 0;
	uint8_t *states = malloc(nr);
	struct rates r = rates_of(&config->chip);
	struct sahm_err err;
	assert_int_equal(trace_states(trace, &config->cuts, states, &err), SAHM_OK);
	for (uint64_t e = 1; e < nr; e++)
		nr_changes += states[e] != states[e - 1];
	free(states);
	double baseline_ns = (double)nr * (double)trace_epoch_ns(trace);
	double gap_ns = baseline_ns / (1 + simulated) - baseline_ns / (1 + limit);
	double rounding_ns = (double)nr * (r.best / r.least_best - 1) + 1e-3, last_ns = 1 + (double)nr;
	double most_ns = (double)nr_changes * (double)timestep_ns * (1 - r.least / r.best) + last_ns + rounding_ns;
	if (!(gap_ns >= -rounding_ns && gap_ns <= most_ns))
		fail_msg("%s, thread %u, %g ms: %.17g against a limit of %.17g: %g ns instead of %g to %g", name,
			 thread, ms_of_ns(timestep_ns), simulated, limit, gap_ns, -rounding_ns, most_ns);
	return gap_ns;
}

/* Holds every thread of a configuration against its limit; sums of gaps over threads, by timestep. */
static void expect_approach(const char *name, const char *text, double gaps_ns[NR_TIMESTEPS])
{
	struct run_config config;
	struct record record;
	struct sahm_err err;
	struct arena a;
	double simulated[TOP_SIMULATED * NR_TIMESTEPS];
	arena_init(&a);
	load(&config, text);
	assert_true(config.nr_threads <= TOP_SIMULATED);
	assert_int_equal(record_of_limit(&a, &config, &record, &err), SAHM_OK);
	if (limit_simulate(&config, timesteps_ns, NR_TIMESTEPS, simulated, &err) != SAHM_OK)
		fail_msg("%s: %s", name, err.msg);
	for (unsigned i = 0; i < NR_TIMESTEPS; i++) {
		gaps_ns[i] = 0;
		for (uint32_t t = 0; t < config.nr_threads; t++)
			gaps_ns[i] += expect_gap(name, &config, t, record.threads[t].speedup,
						 simulated[t * NR_TIMESTEPS + i], timesteps_ns[i]);
	}
	run_config_release(&config);
	arena_release(&a);
}

/* Generated stays: many changes, so that what is lost is about half a timestep for each, and a tenth of the timestep
 * leaves about a tenth of the gap. Epochs of 100.003 ms end anywhere in a timestep. */
static void test_random_traces(void **state)
{
	(void)state;
	enum { NR_EPOCHS = 3000 };
	static uint8_t states[NR_EPOCHS];
	for (unsigned i = 0; i < NR_CHIPS; i++) {
		char path[] = "/tmp/sahm-limit-XXXXXX", text[1024];
		uint64_t rng = random_of_index(11, i);
		double gaps_ns[NR_TIMESTEPS];
		random_states(&rng, NR_STATES - 1, 4, states, NR_EPOCHS);
		write_states(states, NR_EPOCHS, 100003000, i % 2, path);
		snprintf(text, sizeof(text), "chip: { cores: (%s); }; workload: { traces: (\"%s\"); };", chips[i].cores,
			 path);
		expect_approach(chips[i].name, text, gaps_ns);
		for (unsigned k = 1; k < NR_TIMESTEPS; k++)
			if (!(gaps_ns[k] > gaps_ns[k - 1] / 15 && gaps_ns[k] < gaps_ns[k - 1] / 5))
				fail_msg("%s: %g ns at %g ms, %g ns at %g ms", chips[i].name, gaps_ns[k - 1],
					 ms_of_ns(timesteps_ns[k - 1]), gaps_ns[k], ms_of_ns(timesteps_ns[k]));
		remove(path);
	}
}

#define REAL                                                                                                           \
	"\"cc1.csv\", \"gzip.csv\", \"perl.csv\", \"python.csv\", \"sort.csv\", \"sqlite.csv\", \"xz.csv\", "          \
	"\"zstd.csv\""

/* The shipped traces of real programs, under cuts that change state more and less often. */
static void test_real_traces(void **state)
{
	(void)state;
	static const char *const sets[] = {"intuitive", "p50"};
	for (unsigned i = 0; i < NR_CHIPS; i++) {
		for (unsigned k = 0; k < ARRAY_SIZE(sets); k++) {
			char text[1024];
			double gaps_ns[NR_TIMESTEPS];
			snprintf(text, sizeof(text),
				 "chip: { cores: (%s); }; workload: { traces: (" REAL "); }; cuts: { set=\"%s\"; };",
				 chips[i].cores, sets[k]);
			expect_approach(chips[i].name, text, gaps_ns);
			if (!(gaps_ns[NR_TIMESTEPS - 1] <= gaps_ns[0] / 100))
				fail_msg("%s, %s: %g ns at 100 ms, still %g at 0.1 ms", chips[i].name, sets[k],
					 gaps_ns[0], gaps_ns[NR_TIMESTEPS - 1]);
		}
	}
}

/* A state that lasts loses nothing, however long the timestep: the first pass moves the thread before it runs. */
static void test_one_state(void **state)
{
	(void)state;
	static const uint8_t all[] = {8, 8, 8};
	for (uint64_t nr = 1; nr <= sizeof(all); nr++) {
		char path[] = "/tmp/sahm-limit-XXXXXX", text[1024];
		const uint64_t steps[] = {1000 * NS_PER_MS, 7 * NS_PER_MS, 1000};
		struct run_config config;
		struct sahm_err err;
		double simulated[3];
		write_states(all, nr, 130 * NS_PER_MS, true, path);
		snprintf(text, sizeof(text), "chip: { cores: (" CANONICAL "); }; workload: { traces: (\"%s\"); };",
			 path);
		load(&config, text);
		assert_int_equal(limit_simulate(&config, steps, 3, simulated, &err), SAHM_OK);
		for (unsigned i = 0; i < 3; i++)
			assert_true(fabs(simulated[i] - 0.3) < 1e-12);
		run_config_release(&config);
		remove(path);
	}
}

/* Threads with affinities stay on their cores; equal ones have equal results; one that may run nowhere has none. Costs,
 * time and scheduler of the configuration are left out. */
static void test_threads(void **state)
{
	(void)state;
	static const uint64_t none[1] = {0};
	const uint64_t step = 10 * NS_PER_MS;
	struct run_config config;
	struct sahm_err err;
	double simulated[5], plain[5];
	load(&config, "chip: { cores: (" CANONICAL "); }; migration: { cost_ms=9; warmup_ms=100; };"
		      "scheduler: { policy=\"static\"; inertia=50; timestep_ms=70; };"
		      "workload: { duration_ms=30; traces: (\"gzip.csv\", { file=\"gzip.csv\"; affinity=\"0\"; },"
		      "{ file=\"gzip.csv\"; affinity=\"0\"; offset_ms=500; }, { file=\"gzip.csv\"; arrive_ms=100; }, "
		      "\"gzip.csv\"); };");
	config.threads[4].allowed = none;
	assert_int_equal(limit_simulate(&config, &step, 1, simulated, &err), SAHM_OK);
	assert_true(simulated[0] > 0.29 && simulated[0] < 0.3);
	assert_true(simulated[1] == 0 && simulated[2] == 0);
	assert_true(simulated[3] == simulated[0]);
	assert_true(isnan(simulated[4]));
	run_config_release(&config);
	load(&config, "chip: { cores: (" CANONICAL "); }; workload: { traces: (\"gzip.csv\"); };");
	assert_int_equal(limit_simulate(&config, &step, 1, plain, &err), SAHM_OK);
	assert_true(plain[0] == simulated[0]);
	run_config_release(&config);
	/* A core on which nothing is done within ten times the baseline's time. */
	load(&config,
	     "chip: { cores: ({ type=\"general\"; speedup_pct=-95; }); }; workload: { traces: (\"gzip.csv\"); };");
	assert_int_equal(limit_simulate(&config, &step, 1, plain, &err), SAHM_OK);
	assert_true(isnan(plain[0]));
	run_config_release(&config);
}

TEST_FILE(test_limit_steps)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_traces),
		cmocka_unit_test(test_real_traces),
		cmocka_unit_test(test_one_state),
		cmocka_unit_test(test_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
