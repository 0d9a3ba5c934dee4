/* Streams through the shipped models: every time of every uop as the second model computes it; epochs and samples. */
#include "workloads/stream/core_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/refcycle.h"
#include "tests/unit/test.h"

#define MAX_UOPS 1024u

static const char *const streams[] = {"tests/data/streams/x86-64.stream", "tests/data/streams/rv64.stream"};
static const char *const cores[] = {"rocket",	"boom-small", "boom-medium",  "boom-large", "boom-mega",   "boom-giga",
				    "tea",	"gem5-ooo",   "gem5-inorder", "u74",	    "golden-cove", "ns-8w",
				    "ns-6w-ls", "ns-rob",     "ns-lsq",	      "ns-4w-mem"};

struct captured {
	struct uop uops[MAX_UOPS];
	struct uop_prefetch prefetches[MAX_UOPS * MAX_UOP_PREFETCHES];
	struct uop_stamps stamps[MAX_UOPS], expected[MAX_UOPS];
	size_t nr, nr_prefetches;
	struct core_counts of_epochs; /* their sums */
	uint64_t nr_epochs;
};

static struct captured c;

static enum sahm_status take_batch(void *ctx, const struct uop_batch *b, const struct uop_stamps *stamps,
				   struct sahm_err *err)
{
	(void)ctx, (void)err;
	assert_true(c.nr + b->nr <= MAX_UOPS);
	memcpy(c.uops + c.nr, b->uops, b->nr * sizeof(*b->uops));
	memcpy(c.stamps + c.nr, stamps, b->nr * sizeof(*stamps));
	memcpy(c.prefetches + c.nr_prefetches, b->prefetches, b->nr_prefetches * sizeof(*b->prefetches));
	c.nr += b->nr;
	c.nr_prefetches += b->nr_prefetches;
	return SAHM_OK;
}

static enum sahm_status take_epoch(void *ctx, uint64_t epoch, const struct core_counts *counts, struct sahm_err *err)
{
	(void)ctx, (void)err;
	/* Every member is a count. */
	uint64_t *sums = (uint64_t *)&c.of_epochs;
	const uint64_t *own = (const uint64_t *)counts;
	assert_int_equal(epoch, c.nr_epochs);
	c.nr_epochs++;
	for (size_t i = 0; i < sizeof(*counts) / sizeof(*own); i++)
		sums[i] += own[i];
	return SAHM_OK;
}

static struct core_model model;

static void read_model(const char *core)
{
	char path[128];
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", core);
	assert_int_equal(core_model_read(path, NULL, 0, "configs/cpus", &model, &err), SAHM_OK);
}

static void run(const char *stream, const struct stream_sampling *sampling, struct core_counts *out)
{
	struct sahm_err err;
	struct stream *s;
	const struct core_observer o = {.batch = take_batch, .epoch = take_epoch};
	memset(&c, 0, sizeof(c));
	assert_int_equal(stream_open(stream, NULL, &s, &err), SAHM_OK);
	assert_int_equal(core_run(s, &model, sampling, &o, out, &err), SAHM_OK);
	stream_free(s);
}

static void test_second_model(void **state)
{
	(void)state;
	static const struct stream_sampling all;
	struct core_counts counts;
	struct refcycle_held held;
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++)
		for (size_t k = 0; k < ARRAY_SIZE(cores); k++) {
			struct refcycle_seen seen = {0};
			read_model(cores[k]);
			run(streams[i], &all, &counts);
			assert_true(refcycle_run(&model.timing, c.uops, c.nr, c.prefetches, c.expected, &held, &seen));
			if (memcmp(c.stamps, c.expected, c.nr * sizeof(*c.stamps)) != 0)
				fail_msg("%s: %s differs from the second model", streams[i], cores[k]);
			assert_true(refcycle_held_equal(&held, &counts.timing));
			/* Epochs add up: cycles, stalls, entries held, misses. */
			assert_int_equal(c.nr_epochs, 2);
			assert_memory_equal(&c.of_epochs, &counts, sizeof(counts));
			assert_int_equal(counts.timing.cycles, c.stamps[c.nr - 1].commit + 1);
		}
}

/* The same cores, out-of-order ones only, without what the second model cannot step cycle by cycle. */
static void test_second_model_stepped(void **state)
{
	(void)state;
	static const struct stream_sampling all;
	struct core_counts counts;
	struct refcycle_held held;
	size_t nr_runs = 0;
	struct refcycle_seen seen = {0};
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++)
		for (size_t k = 0; k < ARRAY_SIZE(cores); k++) {
			struct core_timing *t = &model.timing;
			read_model(cores[k]);
			if (t->kind == CORE_IN_ORDER)
				continue;
			for (unsigned g = 0; g < t->nr_groups; g++)
				t->groups[g].is_pipelined = true;
			t->line_cycles = 0;
			t->mshrs = MAX_MSHRS;
			for (unsigned order = 0; order < NR_MEMORY_ORDERS; order++) {
				t->memory_order = (uint8_t)order;
				run(streams[i], &all, &counts);
				assert_true(refcycle_run(t, c.uops, c.nr, c.prefetches, c.expected, &held, &seen));
				if (memcmp(c.stamps, c.expected, c.nr * sizeof(*c.stamps)) != 0)
					fail_msg("%s: %s differs from the second model, order %u", streams[i], cores[k],
						 order);
				nr_runs++;
			}
		}
	assert_int_equal(seen.stepped, nr_runs);
	assert_true(seen.forwards > 0 && seen.redirects > 0 && seen.queue > 0);
}

/* Skipped instructions have no effect; warmed ones change caches and predictors, but take no time. */
static void test_sampling(void **state)
{
	(void)state;
	static const struct stream_sampling all, rest = {.skip = 34}, warmed = {.every = 136, .take = 102, .warm = 34},
						 cold = {.every = 136, .take = 102};
	struct core_counts whole, skipped, warm, none;
	read_model("rocket");
	run(streams[1], &all, &whole);
	run(streams[1], &rest, &skipped);
	run(streams[1], &warmed, &warm);
	run(streams[1], &cold, &none);
	assert_int_equal(whole.timing.instructions, 136);
	assert_int_equal(skipped.timing.instructions, 102);
	assert_int_equal(warm.timing.instructions, 102);
	assert_int_equal(warm.functional.epoch.count[COUNTER_INSTRUCTIONS], 102);
	assert_int_equal(none.timing.cycles, skipped.timing.cycles);
	assert_true(warm.timing.cycles < skipped.timing.cycles);
}

TEST_FILE(test_core_run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_second_model),
		cmocka_unit_test(test_second_model_stepped),
		cmocka_unit_test(test_sampling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
