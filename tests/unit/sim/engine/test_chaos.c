/* Random systems in continuous time under a policy that does anything: what the simulation tells of itself, what it
 * tells the policy, and what comes out agree; and a policy that breaks rules ends the run with a message.
 *
 * In the environment: SAHM_CHAOS_RUNS, how many runs; SAHM_CHAOS_SEED, another seed; SAHM_CHAOS_INDEX, one run alone;
 * SAHM_CHAOS_MESSAGES prints how runs that fail end.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/helper/audit.h"
#include "tests/helper/environment.h"
#include "tests/helper/random.h"
#include "tests/helper/random_run.h"
#include "tests/helper/same_outcome.h"
#include "tests/unit/test.h"

#define NR_RUNS 600u
#define TOP_STEPS 60u

/* What a policy without fault may run into: its choices can leave a thread aside. */
static bool is_bad_luck(const struct sahm_err *err)
{
	return strstr(err->msg, "it has lost a thread:") || strstr(err->msg, "it starves a thread");
}

/* Nobody listens to the timeline: the engine may then look at threads later, and everything is the same. */
static bool is_same_unheard(uint64_t seed, uint64_t index, unsigned illegal, const struct sim_outcome *heard,
			    const struct sim_waits *waits)
{
	static struct random_run run;
	struct sim_thread_result threads[RUN_TOP_THREADS] = {0};
	struct sim_counts cores[RUN_TOP_CORES];
	struct sim_outcome unheard = {.from = "nobody heard", .threads = threads, .cores = cores};
	struct chaos_source from = {.rng = random_of_index(seed, index)};
	struct sahm_err err;
	random_run(&run, &from, TOP_STEPS, illegal);
	if (sim_run(&run.config, &unheard.whole, threads, cores, &err) != SAHM_OK) {
		print_error("%s\n", err.msg);
		return false;
	}
	return same_outcome(heard, &unheard, run.config.nr_threads, run.config.chip->nr_cores) &&
	       memcmp(waits, &run.waits, sizeof(*waits)) == 0;
}

static bool run_one(uint64_t seed, uint64_t index, unsigned illegal)
{
	static struct random_run run;
	struct sim_thread_result threads[RUN_TOP_THREADS] = {0};
	struct sim_counts cores[RUN_TOP_CORES];
	struct sim_outcome out = {.from = "the timeline was heard", .threads = threads, .cores = cores};
	struct sahm_err err;
	struct chaos_source from = {.rng = random_of_index(seed, index)};
	struct audit audit;
	random_run(&run, &from, TOP_STEPS, illegal);
	audit_init(&audit);
	run.config.timeline = &audit.sink;
	enum sahm_status status = sim_run(&run.config, &out.whole, threads, cores, &err);
	const char *wrong = chaos_complaint();
	if (status == SAHM_OK && !wrong)
		wrong = audit_run(&audit, &run.config, &out.whole, threads, cores, run.kind == CHAOS_DEFAULT);
	if (status != SAHM_OK && (status != SAHM_POLICY || (!chaos_has_broken_rules() && !is_bad_luck(&err))))
		wrong = err.msg;
	if (!wrong && status == SAHM_OK && !is_same_unheard(seed, index, illegal, &out, &run.waits))
		wrong = "it is another run when nobody listens";
	if (wrong) {
		print_error("%s\n", wrong);
		fail_msg("SAHM_CHAOS_SEED=%" PRIu64 " SAHM_CHAOS_INDEX=%" PRIu64 " (policy %d%s)", seed, index,
			 (int)run.kind, illegal ? ", with broken rules" : "");
	}
	if (status != SAHM_OK && getenv("SAHM_CHAOS_MESSAGES"))
		print_message("%" PRIu64 ": %s\n", index, err.msg);
	audit_release(&audit);
	return status == SAHM_OK;
}

static void run_all(unsigned illegal, uint64_t least_of_100)
{
	uint64_t nr = environment_number("SAHM_CHAOS_RUNS", NR_RUNS), seed = environment_number("SAHM_CHAOS_SEED", 1),
		 nr_ok = 0;
	if (getenv("SAHM_CHAOS_INDEX")) {
		run_one(seed, environment_number("SAHM_CHAOS_INDEX", 0), illegal);
		return;
	}
	for (uint64_t i = 0; i < nr; i++)
		nr_ok += run_one(seed, i, illegal);
	print_message("%" PRIu64 " of %" PRIu64 " runs to the end\n", nr_ok, nr);
	assert_true(nr_ok * 100 >= nr * least_of_100);
}

static void test_legal_policies(void **state)
{
	(void)state;
	run_all(0, 80);
}

static void test_policies_that_break_rules(void **state)
{
	(void)state;
	run_all(300, 1);
}

TEST_FILE(test_chaos)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_legal_policies),
		cmocka_unit_test(test_policies_that_break_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
