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

#define NR_RUNS 2000u
#define TOP_STEPS 60u

/* What a policy without fault may run into: its choices can leave a thread aside. */
static bool is_bad_luck(const struct sahm_err *err)
{
	return strstr(err->msg, "it has lost a thread:") || strstr(err->msg, "it starves a thread");
}

struct room {
	struct random_run run;
	struct sim_outcome out;
	struct sim_thread_result threads[RUN_TOP_THREADS];
	struct sim_counts cores[RUN_TOP_CORES];
};

/* Draws run `index` of `seed`, and its policy's choices from `from`. */
static void draw(struct room *room, struct chaos_source *from, uint64_t seed, uint64_t index, unsigned illegal)
{
	*from = (struct chaos_source){.rng = random_of_index(seed, index)};
	random_run(&room->run, from, TOP_STEPS, illegal);
	/* Some runs last until all threads have left. */
	for (uint32_t t = 0; t < RUN_TOP_THREADS && index % 8 == 0; t++)
		room->run.threads[t].once = true;
	if (index % 8 == 0)
		room->run.config.duration_ns = 0;
	memset(room->threads, 0, sizeof(room->threads));
	room->out = (struct sim_outcome){.threads = room->threads, .cores = room->cores};
}

static enum sahm_status carry_out(struct room *room, const char *name, struct sahm_err *err)
{
	room->out.from = name;
	return sim_run(&room->run.config, &room->out.whole, room->threads, room->cores, err);
}

/* Carries `room` out, and compares; writes the difference to stderr. */
static bool is_same(struct room *room, const char *name, const struct room *as)
{
	struct sahm_err err;
	if (carry_out(room, name, &err) != SAHM_OK) {
		print_error("%s\n", err.msg);
		return false;
	}
	return same_outcome(&as->out, &room->out, room->run.config.nr_threads, room->run.chip.nr_cores) &&
	       memcmp(&as->run.waits, &room->run.waits, sizeof(as->run.waits)) == 0;
}

/* Nobody listens to the timeline: the engine may then look at threads later, and everything is the same. Nor does
 * anything change where no activity is asked for. */
static bool is_same_unheard(uint64_t seed, uint64_t index, unsigned illegal, const struct room *heard)
{
	static struct room room;
	struct chaos_source from;
	draw(&room, &from, seed, index, illegal);
	if (index % 2) {
		room.run.config.activity = NULL;
		room.run.config.residency = NULL;
	}
	return is_same(&room, "nobody heard", heard) &&
	       (index % 2 || (memcmp(heard->run.activity, room.run.activity, sizeof(room.run.activity)) == 0 &&
			      memcmp(heard->run.residency, room.run.residency, sizeof(room.run.residency)) == 0));
}

/* All levels of a core are as fast as it is. */
static void make_flat(struct random_run *run)
{
	for (uint32_t c = 0; c < run->chip.nr_cores; c++)
		for (unsigned l = 0; l < RUN_TOP_LEVELS; l++)
			memcpy(run->level_rows[c][l].speedup_ppm, run->types[c].speedup_ppm,
			       sizeof(run->types[c].speedup_ppm));
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

/* The groups can take all that a thread demands on each core at the highest speed. */
static void make_ample(struct random_run *run)
{
	for (uint32_t g = 0; g < run->config.nr_shared; g++)
		run->capacity[g] = MAX_MISSES_PER_S;
	for (uint32_t t = 0; t < run->config.nr_threads; t++)
		for (unsigned s = 0; s < NR_STATES; s++)
			run->demand[t][s] = at_most(run->demand[t][s], MAX_MISSES_PER_S / RUN_TOP_CORES / 1000);
}

/* Levels that are all the same, and capacities that are never reached, are as none. */
static bool is_same_without(uint64_t seed, uint64_t index, unsigned illegal)
{
	static struct room with, without;
	struct chaos_source from;
	struct sahm_err err;
	draw(&with, &from, seed, index, illegal);
	if (!with.run.config.levels && !with.run.config.nr_shared)
		return true;
	make_flat(&with.run);
	make_ample(&with.run);
	with.run.config.activity = NULL;
	with.run.config.residency = NULL;
	enum sahm_status status = carry_out(&with, "levels and sharing", &err);
	if (status != SAHM_OK)
		return status == SAHM_POLICY && (chaos_has_broken_rules() || is_bad_luck(&err));
	draw(&without, &from, seed, index, illegal);
	without.run.config.levels = NULL;
	without.run.config.nr_shared = 0;
	without.run.config.activity = NULL;
	without.run.config.residency = NULL;
	return is_same(&without, "none of them", &with);
}

static bool run_one(uint64_t seed, uint64_t index, unsigned illegal)
{
	static struct room room;
	struct sahm_err err;
	struct chaos_source from;
	struct audit audit;
	draw(&room, &from, seed, index, illegal);
	audit_init(&audit);
	room.run.config.timeline = &audit.sink;
	enum sahm_status status = carry_out(&room, "the timeline was heard", &err);
	const char *wrong = chaos_complaint();
	if (status == SAHM_OK && !wrong)
		wrong = audit_run(&audit, &room.run.config, &room.out.whole, room.threads, room.cores,
				  room.run.kind == CHAOS_DEFAULT);
	if (status != SAHM_OK && (status != SAHM_POLICY || (!chaos_has_broken_rules() && !is_bad_luck(&err))))
		wrong = err.msg;
	if (!wrong && status == SAHM_OK && !is_same_unheard(seed, index, illegal, &room))
		wrong = "it is another run when nobody listens";
	if (!wrong && !is_same_without(seed, index, illegal))
		wrong = "it is another run with levels or sharing that change nothing";
	if (wrong) {
		print_error("%s\n", wrong);
		fail_msg("SAHM_CHAOS_SEED=%" PRIu64 " SAHM_CHAOS_INDEX=%" PRIu64 " (policy %d%s)", seed, index,
			 (int)room.run.kind, illegal ? ", with broken rules" : "");
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
