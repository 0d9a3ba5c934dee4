/* What the policies `assign` and `keen` do in random small systems in which threads come, go, sleep, wait and get other
 * sets of cores: nobody moves twice in a pass, and what `assign` makes of a pass is the best that can be had, as is
 * found out by trying everything.
 *
 * In the environment: SAHM_SEATING_RUNS, how many runs; SAHM_SEATING_SEED, another seed.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/helper/environment.h"
#include "tests/helper/random.h"
#include "tests/helper/random_run.h"
#include "tests/unit/test.h"

#define NR_RUNS 2000u
#define TOP_STEPS 80u

/* The pass under watch: policies learn only from the host, so this is in one place. */
static struct {
	u64 (*pass)(u64 now);
	bool is_best;		  /* it claims to be the best */
	uint64_t nr_best, nr_sat; /* passes that were, and moves to idle cores of threads that waited */
	char wrong[160];
} watch;

struct before {
	s32 cpu[RUN_TOP_THREADS];
	u64 debt_ns[RUN_TOP_THREADS];
	bool is_behind[RUN_TOP_THREADS];
	struct task_struct *heads[RUN_TOP_THREADS];
	u32 nr_heads;
	bool some_wait;
};

static void note(struct before *b)
{
	*b = (struct before){0};
	for (u32 t = 0; t < sahm_nr_tasks(); t++) {
		struct task_struct *p = sahm_task(t);
		b->cpu[t] = scx_bpf_task_cpu(p);
		b->debt_ns[t] = sahm_debt_ns(p);
		b->is_behind[t] = sahm_is_runnable(p) && sahm_head(b->cpu[t]) != p;
	}
	for (s32 c = 0; c < (s32)scx_bpf_nr_cpu_ids(); c++) {
		b->some_wait |= sahm_nr_on(c) > 1;
		if (sahm_head(c))
			b->heads[b->nr_heads++] = sahm_head(c);
	}
}

/* What a timestep brings thread `p` on core `to`. */
static s64 worth(const struct task_struct *p, s32 from, s32 to)
{
	u32 state = sahm_observed_state(p);
	s32 ppm = state == STATE_NONE ? 0 : sahm_speedup_ppm(to, state);
	u64 cost_ns = from == to ? 0 : sahm_move_cost_ns(from, to);
	return ((s64)sahm_timestep_ns() - (s64)cost_ns) * (1000000 + ppm);
}

/* The most that heads from the `i`-th on can bring when the cores of `taken` are. */
static s64 try(const struct before *b, u32 i, u64 taken)
{
	s64 best = INT64_MIN;
	if (i == b->nr_heads)
		return 0;
	for (u32 c = 0; c < scx_bpf_nr_cpu_ids(); c++) {
		const struct task_struct *p = b->heads[i];
		if (taken >> c & 1 || !bpf_cpumask_test_cpu(c, p->cpus_ptr))
			continue;
		s64 rest = try(b, i + 1, taken | UINT64_C(1) << c);
		s64 sum = rest == INT64_MIN ? rest : rest + worth(p, b->cpu[p->pid - 1], (s32)c);
		best = sum > best ? sum : best;
	}
	return best;
}

static void complain(const char *what, u64 now, u32 t)
{
	if (!watch.wrong[0])
		snprintf(watch.wrong, sizeof(watch.wrong), "%s, at %" PRIu64 " ns, thread %" PRIu32, what, now, t);
}

static u64 watched_pass(u64 now)
{
	struct before b;
	s64 sum = 0;
	note(&b);
	u64 next = watch.pass(now);
	for (u32 t = 0; t < sahm_nr_tasks(); t++) {
		const struct task_struct *p = sahm_task(t);
		s32 cpu = scx_bpf_task_cpu(p);
		u64 owes_ns = cpu == b.cpu[t] ? 0 : sahm_move_cost_ns(b.cpu[t], cpu);
		if (sahm_debt_ns(p) != b.debt_ns[t] + owes_ns)
			complain("it has paid for more than the way that it has gone", now, t);
		watch.nr_sat += b.is_behind[t] && cpu != b.cpu[t];
	}
	if (!watch.is_best || b.some_wait)
		return next;
	for (u32 i = 0; i < b.nr_heads; i++)
		sum += worth(b.heads[i], b.cpu[b.heads[i]->pid - 1], scx_bpf_task_cpu(b.heads[i]));
	if (sum != try(&b, 0, 0))
		complain("there is something better", now, 0);
	watch.nr_best++;
	return next;
}

static void run_one(const char *name, uint64_t seed, uint64_t index)
{
	static struct random_run run;
	struct sim_result result;
	struct sim_thread_result threads[RUN_TOP_THREADS];
	struct sim_counts cores[RUN_TOP_CORES];
	struct sahm_err err;
	struct chaos_source from = {.rng = random_of_index(seed, index)};
	random_run(&run, &from, TOP_STEPS, 0);
	/* A cost above two timesteps at full speed is out of the question for `assign`, whatever the gain. */
	uint64_t top_ns = run.config.timestep_ns;
	run.config.distances.cost_ns %= top_ns;
	for (uint32_t i = 0; i < RUN_TOP_CORES * RUN_TOP_CORES; i++)
		run.matrix_ns[i] %= top_ns;
	struct sched_ext_ops ops = *sched_policy_find(name);
	watch.pass = ops.sahm_pass;
	watch.wrong[0] = '\0';
	ops.sahm_pass = watched_pass;
	run.config.policy = &ops;
	enum sahm_status status = sim_run(&run.config, &result, threads, cores, &err);
	if (status != SAHM_OK || watch.wrong[0])
		fail_msg("%s: %s (seed %" PRIu64 ", run %" PRIu64 ")", name, status ? err.msg : watch.wrong, seed,
			 index);
}

static void run_all(const char *name)
{
	uint64_t seed = environment_number("SAHM_SEATING_SEED", 1),
		 nr = environment_number("SAHM_SEATING_RUNS", NR_RUNS);
	for (uint64_t i = 0; i < nr; i++)
		run_one(name, seed, i);
}

static void test_assign_is_best(void **state)
{
	(void)state;
	watch.is_best = true;
	watch.nr_best = 0;
	watch.nr_sat = 0;
	run_all("assign");
	assert_true(watch.nr_best > 1000);
	assert_true(watch.nr_sat > 100);
}

static void test_keen_moves_once(void **state)
{
	(void)state;
	watch.is_best = false;
	watch.nr_sat = 0;
	run_all("keen");
	assert_true(watch.nr_sat > 100);
}

TEST_FILE(test_seating)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_assign_is_best),
		cmocka_unit_test(test_keen_moves_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
