/* The study's ordered pass, written through the public interface of policies, against the plain engine's own on random
 * systems: every field of every result must be the same. In the environment: SAHM_EXT_SYSTEMS, how many. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/helper/environment.h"
#include "tests/helper/random_system.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/test.h"

#define NR_SYSTEMS 4000u

struct mine {
	u32 inertia;
	u64 moved; /* pass in which it has moved */
};

static enum swap_rule rule;

static struct mine *mine(struct task_struct *p)
{
	return sahm_task_state(p);
}

static bool may_be_swapped(s32 cpu, s32 to, u64 pass)
{
	struct task_struct *p = sahm_head(cpu);
	u32 state = sahm_observed_state(p);
	if (state == STATE_NONE || mine(p)->inertia > 0 || mine(p)->moved == pass ||
	    !bpf_cpumask_test_cpu((u32)to, p->cpus_ptr))
		return false;
	return rule == SWAP_UNMATCHED ? !sahm_matches(cpu, state) : !sahm_serves(cpu, state);
}

static void have_moved(struct task_struct *p, u64 pass)
{
	*mine(p) = (struct mine){sahm_inertia(), pass};
}

static void place(struct task_struct *p, s32 own, u32 state, u64 pass)
{
	s32 idle = -1, busy = -1, shorter = own;
	u32 fewest = sahm_nr_on(own) - 1;
	for (s32 c = 0; c < (s32)scx_bpf_nr_cpu_ids(); c++) {
		if (c == own || !bpf_cpumask_test_cpu((u32)c, p->cpus_ptr))
			continue;
		if (sahm_nr_on(c) < fewest) {
			shorter = c;
			fewest = sahm_nr_on(c);
		}
		if (!sahm_matches(c, state))
			continue;
		s32 *best = sahm_nr_on(c) == 0					 ? &idle
			    : rule != SWAP_NEVER && may_be_swapped(c, own, pass) ? &busy
										 : NULL;
		if (best && (*best < 0 || sahm_speedup_ppm(c, state) > sahm_speedup_ppm(*best, state)))
			*best = c;
	}
	if (idle < 0 && busy >= 0) {
		have_moved(sahm_head(busy), pass);
		have_moved(p, pass);
		assert_true(sahm_swap(p, sahm_head(busy)));
	} else if (idle >= 0 || shorter != own) {
		have_moved(p, pass);
		assert_true(sahm_move(p, idle >= 0 ? idle : shorter));
	}
}

static u64 ordered_pass(u64 now)
{
	u64 pass = now / sahm_timestep_ns() + 1;
	for (s32 c = 0; c < (s32)scx_bpf_nr_cpu_ids(); c++) {
		struct task_struct *p = sahm_head(c);
		if (!p || mine(p)->moved == pass)
			continue;
		u32 state = sahm_observed_state(p);
		if (mine(p)->inertia > 0)
			mine(p)->inertia--;
		else if (state != STATE_NONE && !sahm_matches(c, state))
			place(p, c, state, pass);
	}
	return 0;
}

static const struct sched_ext_ops written = {
	.name = "written", .sahm_pass = ordered_pass, .sahm_task_state_bytes = sizeof(struct mine)};

struct room {
	struct sim_outcome outcome;
	struct sim_thread_result threads[RANDOM_TOP_THREADS];
	struct sim_counts cores[RANDOM_TOP_CORES];
	struct activity activity[RANDOM_TOP_THREADS * OUTCOME_CELLS];
};

static void check_system(uint64_t seed, uint64_t index)
{
	static struct random_system system;
	static struct product_system product;
	static struct room plain, ext;
	struct sahm_err err;
	random_system(&system, seed, index);
	product_system(&product, &system);
	if (!product.config.policy->sahm_rules)
		return;
	rule = product.config.policy->sahm_rules->swaps;
	plain.outcome =
		(struct sim_outcome){.threads = plain.threads, .cores = plain.cores, .activity = plain.activity};
	ext.outcome = (struct sim_outcome){.threads = ext.threads, .cores = ext.cores, .activity = ext.activity};
	assert_int_equal(run_engine(&product.config, SIM_PLAIN, &plain.outcome, &err), SAHM_OK);
	product.config.policy = &written;
	if (run_engine(&product.config, SIM_EVENT, &ext.outcome, &err) != SAHM_OK)
		fail_msg("system %" PRIu64 ": %s", index, err.msg);
	ext.outcome.from = "the interface";
	if (!same_outcome(&plain.outcome, &ext.outcome, product.config.nr_threads, product.chip.nr_cores)) {
		random_system_describe(&system);
		fail_msg("the pass through the interface does something else");
	}
}

static void test_random_systems(void **state)
{
	uint64_t nr = environment_number("SAHM_EXT_SYSTEMS", NR_SYSTEMS);
	(void)state;
	for (uint64_t i = 0; i < nr; i++)
		check_system(11, i);
}

TEST_FILE(test_ext_agree)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_systems),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
