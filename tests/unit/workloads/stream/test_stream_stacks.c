/* Cycle stacks and samples of streams on shipped cores, which commit 1, 3, 4, 5 and 8 uops a cycle, as the slow
 * reference has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/uarch/stack_error.h"
#include "tests/unit/compared_stacks.h"
#include "tests/unit/test.h"
#include "workloads/stream/core_run.h"

#define MAX_UOPS 65536u
#define MAX_PREFETCHES 8192u

static const char *const streams[] = {"x86-64", "rv64", "sort"};

static const struct {
	const char *name;
	unsigned commit_width;
} cores[] = {{"rocket", 1}, {"boom-large", 3}, {"tea", 4}, {"boom-giga", 5}, {"golden-cove", 8}};

static struct captured {
	struct uop uops[MAX_UOPS];
	struct uop_prefetch prefetches[MAX_PREFETCHES];
	struct uop_stamps stamps[MAX_UOPS];
	size_t nr, nr_prefetches;
	struct stack_pass *pass;
} c;

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *b, const struct uop_stamps *stamps,
				   struct sahm_err *err)
{
	(void)ctx, (void)core, (void)err;
	assert_true(c.nr + b->nr <= MAX_UOPS && c.nr_prefetches + b->nr_prefetches <= MAX_PREFETCHES);
	memcpy(c.uops + c.nr, b->uops, b->nr * sizeof(*b->uops));
	memcpy(c.stamps + c.nr, stamps, b->nr * sizeof(*stamps));
	memcpy(c.prefetches + c.nr_prefetches, b->prefetches, b->nr_prefetches * sizeof(*b->prefetches));
	c.nr += b->nr;
	c.nr_prefetches += b->nr_prefetches;
	assert_true(stack_pass_run(c.pass, b, stamps));
	return SAHM_OK;
}

static void run(const struct core_model *model, const char *stream, struct core_counts *out)
{
	struct sahm_err err;
	struct stream *s;
	const struct stream_sampling all = {0};
	const struct core_watch watch = {.signatures = stack_pass_signatures(c.pass)};
	const struct core_observer o = {.batch = take_batch, .watches = &watch};
	c.nr = c.nr_prefetches = 0;
	assert_int_equal(stream_open(stream, NULL, &s, &err), SAHM_OK);
	assert_int_equal(core_run(s, &model, 1, LANES_BEST, &all, &o, out, &err), SAHM_OK);
	assert_true(stack_pass_end(c.pass));
	stream_free(s);
}

/* The error of a scheme by instruction. */
static double error_of(const struct stacks *s, const struct stack_samples *samples, enum stack_scheme scheme)
{
	struct stack_profile exact, sampled;
	double error = 1;
	assert_true(stack_profile_of_stacks(s, &exact));
	assert_true(stack_profile_of_samples(samples, stack_scheme_kind(scheme), &sampled));
	assert_true(stack_error(&exact, &sampled, NULL, stack_scheme_events(scheme), &error));
	stack_profile_release(&exact);
	stack_profile_release(&sampled);
	return error;
}

/* All cycles sampled, TEA has no error, and the others do. */
static void check_errors(const struct stacks *s, const struct stack_samples *all)
{
	assert_true(error_of(s, all, SCHEME_TEA) == 0);
	for (unsigned k = 0; k < NR_STACK_SCHEMES; k++)
		assert_true(k == SCHEME_TEA || error_of(s, all, (enum stack_scheme)k) > 0);
}

static void test_reference(void **state)
{
	(void)state;
	static const struct stack_sampling samplings[] = {
		{.period = 1}, {.period = 13}, {.period = 50, .has_jitter = true, .seed = 3}};
	static struct core_model model;
	for (unsigned i = 0; i < ARRAY_SIZE(cores); i++) {
		char path[64];
		struct sahm_err err;
		snprintf(path, sizeof(path), "configs/cores/%s.cfg", cores[i].name);
		assert_int_equal(core_model_read(path, NULL, 0, "configs/cpus", &model, &err), SAHM_OK);
		assert_int_equal(model.timing.commit_width, cores[i].commit_width);
		for (unsigned n = 0; n < ARRAY_SIZE(streams); n++) {
			char what[64];
			struct core_counts counts;
			snprintf(path, sizeof(path), "tests/data/streams/%s.stream", streams[n]);
			snprintf(what, sizeof(what), "%s on %s", streams[n], cores[i].name);
			c.pass = stack_pass_new(&model.timing, samplings, ARRAY_SIZE(samplings));
			assert_non_null(c.pass);
			run(&model, path, &counts);
			const struct stacks *fast = stack_pass_stacks(c.pass);
			struct refstacks *slow = refstacks_new(&model.timing, c.uops, c.nr, c.prefetches, c.stamps);
			assert_non_null(slow);
			assert_int_equal(fast->cycles, counts.timing.cycles);
			assert_int_equal(fast->instructions, counts.timing.instructions);
			compare_stacks(what, fast, slow);
			for (unsigned k = 0; k < ARRAY_SIZE(samplings); k++)
				compare_samples(what, stack_pass_samples(c.pass, k), fast, slow);
			check_errors(fast, stack_pass_samples(c.pass, 0));
			refstacks_free(slow);
			stack_pass_free(c.pass);
		}
	}
}

TEST_FILE(test_stream_stacks)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
