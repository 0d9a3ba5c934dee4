/* Samples and pooled results: what run_execute() makes of simulations, on configurations built in memory. */
#include "sim/engine/config/run.h"

#include <stdio.h>

#include "sim/base/rng.h"
#include "sim/base/units.h"
#include "tests/unit/made_chip.h"
#include "tests/unit/trace_cases.h"

/* Epochs that are Low, and epochs that stress only L2. */
#define CALM "1000,200,0,0,300,0,33,0\n"
#define BUSY "1000,200,0,0,300,0,33,30\n"

#define MS(ms) ((uint64_t)(ms)*NS_PER_MS)
#define LENGTH_NS MS(1000)

struct world {
	struct made_chip made;
	struct run_trace traces[1];
	struct run_thread threads[TOP_THREADS];
	struct run_config config;
};

/* Threads that replay a trace of ten epochs, which change their state one way and another, on a baseline core and one
 * that is twice as fast where L2 is stressed. */
static void make_world(struct world *w, uint32_t nr_threads)
{
	static const struct way ways[] = {{BASE, 0}, {L2, 100}};
	*w = (struct world){0};
	make_chip(&w->made, ways, 2);
	w->traces[0] = (struct run_trace){
		.path = "made",
		.trace = must_read(HEAD CALM BUSY BUSY CALM CALM CALM BUSY BUSY BUSY CALM),
	};
	for (uint32_t t = 0; t < nr_threads; t++)
		w->threads[t] = (struct run_thread){.name = "made", .offset_ns = MS(70) * t};
	w->config = (struct run_config){
		.chip = w->made.chip,
		.distances = {.cost_ns = MS(1)},
		.traces = w->traces,
		.nr_traces = 1,
		.threads = w->threads,
		.nr_threads = nr_threads,
		.duration_ns = MS(730),
		.seed = 11,
		.policy = sched_policy_find("sahm"),
		.inertia = 5,
		.timestep_ns = MS(10),
	};
	cuts_named(DEFAULT_CUTS, &w->config.cuts);
}

static void end_world(struct world *w)
{
	trace_free(w->traces[0].trace);
}

static struct run_result execute(const struct world *w)
{
	struct run_result result;
	struct sahm_err err = {0};
	if (run_execute(&w->config, SIM_EVENT, &result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return result;
}

static void expect_counts(const struct sim_counts *a, const struct sim_counts *b)
{
	assert_int_equal(a->executed, b->executed);
	assert_int_equal(a->served, b->served);
	assert_int_equal(a->matched, b->matched);
}

static void expect_thread(const struct run_thread_result *a, const struct run_thread_result *b)
{
	assert_int_equal(a->counts.completed_ns, b->counts.completed_ns);
	assert_int_equal(a->counts.executed, b->counts.executed);
	assert_int_equal(a->counts.matched, b->counts.matched);
	assert_int_equal(a->counts.transitions, b->counts.transitions);
	assert_int_equal(a->counts.migrations, b->counts.migrations);
	assert_int_equal(a->counts.paid_ns, b->counts.paid_ns);
	assert_int_equal(a->counts.present_ns, b->counts.present_ns);
	assert_int_equal(a->counts.left, b->counts.left);
	assert_int_equal(a->simulated_ns, b->simulated_ns);
	assert_int_equal(a->left_ns, b->left_ns);
}

static void expect_same(const struct run_result *a, const struct run_result *b)
{
	assert_int_equal(a->simulated_ns, b->simulated_ns);
	assert_int_equal(a->nr_timesteps, b->nr_timesteps);
	assert_int_equal(a->decisions, b->decisions);
	assert_int_equal(a->thread_timesteps, b->thread_timesteps);
	assert_true(a->capacity_ns == b->capacity_ns);
	for (uint32_t t = 0; t < a->nr_threads; t++)
		expect_thread(&a->threads[t], &b->threads[t]);
	for (uint32_t c = 0; c < a->nr_cores; c++)
		expect_counts(&a->cores[c], &b->cores[c]);
	for (unsigned s = 0; s < NR_STATES; s++)
		expect_counts(&a->states[s], &b->states[s]);
}

static bool is_same_work(const struct run_result *a, const struct run_result *b, uint32_t thread)
{
	return a->threads[thread].counts.completed_ns == b->threads[thread].counts.completed_ns;
}

/* Without the key there is one sample, and no list of them. */
static void test_one_sample(void **state)
{
	(void)state;
	struct world w;
	make_world(&w, 3);
	struct run_result none = execute(&w);
	w.config.nr_samples = 1;
	w.config.seed = 12;
	struct run_result one = execute(&w);
	assert_null(none.samples);
	assert_null(one.samples);
	assert_int_equal(none.nr_samples, 1);
	expect_same(&none, &one);
	run_result_release(&none);
	run_result_release(&one);
	end_world(&w);
}

/* Sample 0 is the run with the configured offsets; sample i the one in which each thread's offset is moved on by a draw
 * from the stream of its index and i, modulo the trace's length. */
static void test_offsets(void **state)
{
	(void)state;
	struct world w;
	for (unsigned alone = 0; alone < 2; alone++) {
		make_world(&w, 3);
		w.config.alone = alone;
		w.config.nr_samples = 6;
		struct run_result all = execute(&w);
		assert_int_equal(all.nr_samples, 6);
		assert_int_equal(all.nr_simulations, alone ? 18 : 6);
		assert_int_equal(all.samples[5].nr_simulations, alone ? 3 : 1);
		assert_int_equal(all.nr_given_up, 0);
		w.config.nr_samples = 1;
		for (uint32_t i = 0; i < 6; i++) {
			for (uint32_t t = 0; t < 3 && i > 0; t++) {
				char whose[32], what[32];
				struct rng r;
				snprintf(whose, sizeof(whose), "thread %u", t);
				snprintf(what, sizeof(what), "offset %u", i);
				rng_init(&r, 11, whose, what);
				w.threads[t].offset_ns = (MS(70) * t + rng_below(&r, LENGTH_NS)) % LENGTH_NS;
			}
			struct run_result one = execute(&w);
			expect_same(&all.samples[i], &one);
			run_result_release(&one);
		}
		run_result_release(&all);
		end_world(&w);
	}
}

/* Counts of samples add up. */
static void test_pooled(void **state)
{
	(void)state;
	struct world w;
	make_world(&w, 4);
	w.config.nr_samples = 5;
	struct run_result all = execute(&w), sum = {0};
	struct run_thread_result thread = {0};
	struct sim_counts core = {0}, low = {0};
	for (uint32_t i = 0; i < 5; i++) {
		const struct run_result *one = &all.samples[i];
		assert_null(one->samples);
		sum.simulated_ns += one->simulated_ns;
		sum.nr_timesteps += one->nr_timesteps;
		sum.decisions += one->decisions;
		sum.thread_timesteps += one->thread_timesteps;
		sum.capacity_ns += one->capacity_ns;
		thread.counts.completed_ns += one->threads[2].counts.completed_ns;
		thread.counts.executed += one->threads[2].counts.executed;
		thread.counts.matched += one->threads[2].counts.matched;
		thread.counts.transitions += one->threads[2].counts.transitions;
		thread.counts.migrations += one->threads[2].counts.migrations;
		thread.counts.paid_ns += one->threads[2].counts.paid_ns;
		thread.counts.present_ns += one->threads[2].counts.present_ns;
		thread.simulated_ns += one->threads[2].simulated_ns;
		core.executed += one->cores[1].executed;
		core.served += one->cores[1].served;
		core.matched += one->cores[1].matched;
		low.executed += one->states[LOW].executed;
		low.served += one->states[LOW].served;
		low.matched += one->states[LOW].matched;
	}
	expect_same(&(struct run_result){.simulated_ns = all.simulated_ns,
					 .nr_timesteps = all.nr_timesteps,
					 .decisions = all.decisions,
					 .thread_timesteps = all.thread_timesteps,
					 .capacity_ns = all.capacity_ns},
		    &(struct run_result){.simulated_ns = sum.simulated_ns,
					 .nr_timesteps = sum.nr_timesteps,
					 .decisions = sum.decisions,
					 .thread_timesteps = sum.thread_timesteps,
					 .capacity_ns = sum.capacity_ns});
	assert_int_equal(all.nr_timesteps, 5 * 73);
	expect_thread(&all.threads[2], &thread);
	expect_counts(&all.cores[1], &core);
	expect_counts(&all.states[LOW], &low);
	run_result_release(&all);
	end_world(&w);
}

/* Another seed draws other offsets; another thread after the others draws none of theirs. */
static void test_streams(void **state)
{
	(void)state;
	struct world w;
	make_world(&w, 3);
	w.config.alone = true;
	w.config.nr_samples = 4;
	struct run_result first = execute(&w);
	w.config.seed = 12;
	struct run_result other = execute(&w);
	unsigned nr_same = 0;
	for (uint32_t i = 1; i < 4; i++)
		for (uint32_t t = 0; t < 3; t++)
			nr_same += is_same_work(&first.samples[i], &other.samples[i], t);
	assert_true(nr_same < 5);
	w.config.seed = 11;
	w.config.nr_threads = 2;
	struct run_result fewer = execute(&w);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t t = 0; t < 2; t++)
			assert_true(is_same_work(&first.samples[i], &fewer.samples[i], t));
	run_result_release(&first);
	run_result_release(&other);
	run_result_release(&fewer);
	end_world(&w);
}

/* A thread that leaves has the same work to do in all samples. It arrives at 15 ms, so at 20, and has 860 ms of its
 * trace left; nobody shares its core, a baseline one. */
static void test_leaving(void **state)
{
	(void)state;
	struct world w;
	make_world(&w, 3);
	w.threads[1].once = true;
	w.threads[1].offset_ns = MS(140);
	w.threads[1].arrive_ns = MS(15);
	w.threads[2].arrive_ns = MS(5000);
	w.config.policy = sched_policy_find("static");
	w.made.cores[1] = w.made.cores[0];
	w.config.duration_ns = MS(2000);
	w.config.nr_samples = 3;
	struct run_result all = execute(&w);
	const struct run_thread_result *r = &all.threads[1];
	assert_int_equal(r->counts.completed_ns, 3 * MS(860));
	assert_int_equal(r->counts.present_ns, 3 * MS(860));
	assert_int_equal(r->arrived_ns, MS(20));
	assert_int_equal(r->left_ns, 3 * MS(880));
	assert_int_equal(r->nr_left, 3);
	assert_int_equal(r->nr_simulations, 3);
	assert_true(r->counts.left);
	assert_int_equal(all.threads[0].nr_left, 0);
	assert_false(all.threads[0].counts.left);
	assert_int_equal(all.threads[2].counts.present_ns, 0);
	run_result_release(&all);
	end_world(&w);
}

/* At a 25th of the baseline's speed, 1,000 ms of work take 25 s: longer than GIVE_UP_FACTOR times the traces of two
 * threads; 300 ms do not. In mode `alone` each thread's simulation counts separately, in each sample. */
static void test_given_up(void **state)
{
	(void)state;
	struct world w;
	int32_t ppm[NR_STATES];
	make_world(&w, 2);
	for (unsigned s = 0; s < NR_STATES; s++)
		ppm[s] = ppm_of_pct(-96);
	core_type_table(&w.made.types[0], "slow", ppm);
	w.made.cores[1] = w.made.cores[0];
	w.config.policy = sched_policy_find("static");
	w.config.duration_ns = 0;
	w.threads[0].once = w.threads[1].once = true;
	w.threads[1].offset_ns = MS(700);
	struct run_result result = execute(&w);
	assert_int_equal(result.nr_simulations, 1);
	assert_int_equal(result.nr_given_up, 1);
	assert_false(result.threads[0].counts.left);
	assert_true(result.threads[1].counts.left);
	run_result_release(&result);

	w.config.alone = true;
	result = execute(&w);
	assert_int_equal(result.nr_simulations, 2);
	assert_int_equal(result.nr_given_up, 1);
	run_result_release(&result);

	/* Who repeats cannot be given up. */
	w.threads[1].once = false;
	w.config.nr_samples = 3;
	result = execute(&w);
	assert_int_equal(result.nr_simulations, 6);
	assert_int_equal(result.nr_given_up, 3);
	assert_int_equal(result.samples[2].nr_given_up, 1);
	run_result_release(&result);
	end_world(&w);
}

/* At 1,000 times the baseline's speed, 10^15 ns of simulated time are 10^18 of the trace: 18 of these fit. */
static void test_sums_that_overflow(void **state)
{
	(void)state;
	struct world w;
	struct run_result result;
	struct sahm_err err = {0};
	int32_t ppm[NR_STATES];
	make_world(&w, 1);
	trace_free(w.traces[0].trace);
	w.traces[0].trace = must_read("# sahm trace 1\n# epoch_ns: 1000000000000\n" HEAD CALM);
	for (unsigned s = 0; s < NR_STATES; s++)
		ppm[s] = ppm_of_pct(MAX_SPEEDUP_PCT);
	core_type_table(&w.made.types[0], "table", ppm);
	w.config.policy = sched_policy_find("static");
	w.config.duration_ns = w.config.timestep_ns = MAX_RUN_NS;
	w.config.nr_samples = 18;
	result = execute(&w);
	assert_true(result.threads[0].counts.completed_ns == UINT64_C(18000000000000000000));
	run_result_release(&result);
	w.config.nr_samples = 19;
	assert_int_equal(run_execute(&w.config, SIM_EVENT, &result, &err), SAHM_RANGE);
	end_world(&w);
}

static void to_global(struct task_struct *p, u64 flags)
{
	scx_bpf_dsq_insert(p, SCX_DSQ_GLOBAL, SCX_SLICE_DFL, flags);
}

static const struct sched_ext_ops fifo = {.name = "fifo", .enqueue = to_global};

/* Time that a thread, a core and a state were executed. */
static uint64_t executed_ns(const struct run_result *r)
{
	uint64_t of_threads = 0, of_cores = 0, of_states = 0;
	for (uint32_t t = 0; t < r->nr_threads; t++)
		of_threads += r->threads[t].counts.executed;
	for (uint32_t c = 0; c < r->nr_cores; c++)
		of_cores += r->cores[c].executed;
	for (unsigned s = 0; s < NR_STATES; s++)
		of_states += r->states[s].executed;
	assert_int_equal(of_threads, of_cores);
	assert_int_equal(of_threads, of_states);
	return of_threads;
}

/* In continuous time counts are of ns, and waits are those of all simulations: three threads share two cores, turn by
 * turn, and one of them waits for as long as the slice of another lasts. */
static void test_continuous(void **state)
{
	struct world w;
	(void)state;
	make_world(&w, 3);
	w.config.policy = &fifo;
	w.config.nr_samples = 4;
	struct run_result all = execute(&w);
	assert_true(all.is_continuous);
	assert_int_equal(all.simulated_ns, 4 * MS(730));
	assert_int_equal(executed_ns(&all), 2 * all.simulated_ns);
	assert_int_equal(all.thread_timesteps, 3 * all.simulated_ns);
	assert_true(all.capacity_ns == 2.0 * (double)all.simulated_ns);
	assert_int_equal(all.latency.nr, 0); /* nobody sleeps */
	uint64_t nr = 0, longest_ns = 0;
	for (uint32_t i = 0; i < 4; i++) {
		const struct run_result *one = &all.samples[i];
		assert_true(one->is_continuous);
		assert_int_equal(executed_ns(one), 2 * MS(730));
		assert_true(one->wait.nr > 0);
		nr += one->wait.nr;
		longest_ns = one->wait.ns[WAIT_P99] > longest_ns ? one->wait.ns[WAIT_P99] : longest_ns;
	}
	assert_int_equal(all.wait.nr, nr);
	assert_true(all.wait.ns[WAIT_P50] <= all.wait.ns[WAIT_P95] && all.wait.ns[WAIT_P95] <= all.wait.ns[WAIT_P99]);
	assert_true(all.wait.ns[WAIT_P99] <= longest_ns && longest_ns <= SCX_SLICE_DFL);
	run_result_release(&all);

	/* With a core for each there is nothing to wait for; in mode alone, simulations are pooled as well. */
	w.config.nr_samples = 1;
	w.config.alone = true;
	struct run_result alone = execute(&w);
	assert_int_equal(alone.nr_simulations, 3);
	assert_int_equal(executed_ns(&alone), 3 * MS(730));
	assert_int_equal(alone.wait.nr, 3);
	assert_int_equal(alone.wait.ns[WAIT_P99], 0);
	run_result_release(&alone);

	/* Without such a policy nothing of this is there. */
	w.config.alone = false;
	w.config.policy = sched_policy_find("sahm");
	struct run_result stepped = execute(&w);
	assert_false(stepped.is_continuous);
	assert_int_equal(stepped.wait.nr, 0);
	assert_int_equal(executed_ns(&stepped), 2 * 73);
	run_result_release(&stepped);
	end_world(&w);
}

TEST_FILE(test_run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_sample),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_pooled),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_leaving),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_sums_that_overflow),
		cmocka_unit_test(test_continuous),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
