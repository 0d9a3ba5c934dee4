/* Streams through the shipped models: every time of every uop as the second model computes it; epochs and samples. */
#include "workloads/stream/core_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/refcycle.h"
#include "tests/unit/test.h"

#define MAX_UOPS 65536u
#define MAX_PREFETCHES 4096u

/* The last one is a part of a real program (tests/data/streams/README.md). */
enum { X86, RV64, REAL, NR_STREAMS };
static const char *const streams[NR_STREAMS] = {"tests/data/streams/x86-64.stream", "tests/data/streams/rv64.stream",
						"tests/data/streams/sort.stream"};
static const char *const cores[] = {"rocket",	"boom-small", "boom-medium",  "boom-large", "boom-mega",   "boom-giga",
				    "tea",	"gem5-ooo",   "gem5-inorder", "u74",	    "golden-cove", "ns-8w",
				    "ns-6w-ls", "ns-rob",     "ns-lsq",	      "ns-4w-mem"};
static const struct stream_sampling all;

struct captured {
	struct uop uops[MAX_UOPS];
	struct uop_prefetch prefetches[MAX_PREFETCHES];
	struct uop_stamps stamps[MAX_UOPS], expected[MAX_UOPS];
	size_t nr, nr_prefetches;
	uint64_t nr_across;	      /* loads that read from a store of a batch before theirs */
	struct core_counts of_epochs; /* their sums */
	uint64_t first_epoch, nr_epochs;
};

static struct captured c;

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *b, const struct uop_stamps *stamps,
				   struct sahm_err *err)
{
	uint64_t nr_stores = 0;
	(void)ctx, (void)core, (void)err;
	assert_true(c.nr + b->nr <= MAX_UOPS && c.nr_prefetches + b->nr_prefetches <= MAX_PREFETCHES);
	memcpy(c.uops + c.nr, b->uops, b->nr * sizeof(*b->uops));
	memcpy(c.stamps + c.nr, stamps, b->nr * sizeof(*stamps));
	memcpy(c.prefetches + c.nr_prefetches, b->prefetches, b->nr_prefetches * sizeof(*b->prefetches));
	for (uint32_t i = 0; i < b->nr; i++) {
		c.nr_across += b->uops[i].forward > nr_stores;
		nr_stores += b->uops[i].class == INSN_STORE;
	}
	c.nr += b->nr;
	c.nr_prefetches += b->nr_prefetches;
	return SAHM_OK;
}

static enum sahm_status take_epoch(void *ctx, unsigned core, uint64_t epoch, const struct core_counts *counts,
				   struct sahm_err *err)
{
	(void)ctx, (void)err;
	assert_int_equal(core, 0);
	/* Every member is a count. */
	uint64_t *sums = (uint64_t *)&c.of_epochs;
	const uint64_t *own = (const uint64_t *)counts;
	c.first_epoch = c.nr_epochs == 0 ? epoch : c.first_epoch;
	assert_int_equal(epoch, c.first_epoch + c.nr_epochs);
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

/* The path of an epoch or a run is as long as it. */
static void check_path(const struct core_counts *counts)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < NR_PATH_CAUSES; i++)
		sum += counts->path.cycles[i];
	assert_int_equal(sum, counts->timing.cycles);
	assert_true(counts->path.windows > 0 && counts->path.cuts == 0);
}

static void run(const char *stream, const struct stream_sampling *sampling, struct core_counts *out)
{
	struct sahm_err err;
	struct stream *s;
	const struct core_model *const models[] = {&model};
	const struct core_observer o = {.batch = take_batch, .epoch = take_epoch, .path = PATH_CAUSES};
	c.nr = c.nr_prefetches = c.nr_across = c.nr_epochs = 0;
	c.of_epochs = (struct core_counts){0};
	assert_int_equal(stream_open(stream, NULL, &s, &err), SAHM_OK);
	assert_int_equal(core_run(s, models, 1, LANES_BEST, sampling, &o, out, &err), SAHM_OK);
	stream_free(s);
}

/* Every time of every uop of `stream` on `model`, and the entries held. */
static void compare(const char *stream, const struct stream_sampling *sampling, struct core_counts *counts,
		    struct refcycle_seen *seen)
{
	struct refcycle_held held;
	run(stream, sampling, counts);
	assert_true(refcycle_run(&model.timing, c.uops, c.nr, c.prefetches, c.expected, &held, seen));
	for (size_t i = 0; i < c.nr; i++)
		if (memcmp(&c.stamps[i], &c.expected[i], sizeof(*c.stamps)) != 0)
			fail_msg("%s on %s, memory order %u: uop %zu differs from the second model", stream, model.name,
				 model.timing.memory_order, i);
	if (!refcycle_held_equal(&held, &counts->timing))
		fail_msg("%s on %s: entries held differ from the second model", stream, model.name);
}

static void test_second_model(void **state)
{
	(void)state;
	static const uint64_t first_epoch[NR_STREAMS] = {0, 0, 616}, nr_epochs[NR_STREAMS] = {2, 2, 4};
	struct core_counts counts;
	struct refcycle_seen seen = {0};
	for (size_t i = 0; i < NR_STREAMS; i++)
		for (size_t k = 0; k < ARRAY_SIZE(cores); k++) {
			read_model(cores[k]);
			compare(streams[i], &all, &counts, &seen);
			/* Epochs add up: cycles, stalls, entries held, misses. */
			assert_int_equal(c.first_epoch, first_epoch[i]);
			assert_int_equal(c.nr_epochs, nr_epochs[i]);
			assert_memory_equal(&c.of_epochs, &counts, sizeof(counts));
			assert_int_equal(counts.timing.cycles, c.stamps[c.nr - 1].commit + 1);
			assert_true(c.nr_across > 0 || i != REAL);
		}
	assert_true(seen.violations > 0 && seen.forwards > 0 && seen.in_flight > 0 && seen.prefetches > 0);
	assert_true(seen.rob > 0 && seen.queue > 0 && seen.registers > 0 && seen.load_queue > 0);
	assert_true(seen.mshr > 0 && seen.bus > 0 && seen.blocked > 0 && seen.serialized > 0);
}

/* No uop names a fill or store before the `take` timed instructions in a row that it is part of: those were not timed.
 */
static void check_names(uint64_t take)
{
	uint64_t nr_instructions = 0, l1i = 0, l1d = 0, stores = 0;
	const struct uop_prefetch *p = c.prefetches;
	for (size_t i = 0; i < c.nr; i++) {
		const struct uop *u = &c.uops[i];
		if (u->flags & UOP_FIRST && nr_instructions++ % take == 0)
			l1i = l1d = stores = 0;
		assert_true(u->fetch_fill <= l1i && u->fill <= l1d && u->forward <= stores);
		l1i += u->fetch_fills;
		l1d += u->fills;
		stores += u->class == INSN_STORE;
		for (const struct uop_prefetch *end = p + u->nr_prefetches; p < end; p++) {
			l1i += p->target == PREFETCH_L1I;
			l1d += p->target == PREFETCH_L1D;
		}
	}
}

/* A sample: the last 3000 of each 7000 instructions, after 2000 that only warm. */
static void test_second_model_sampled(void **state)
{
	(void)state;
	static const struct stream_sampling sample = {.skip = 1000, .every = 7000, .take = 3000, .warm = 2000};
	struct core_counts counts;
	struct refcycle_seen seen = {0};
	for (size_t k = 0; k < ARRAY_SIZE(cores); k++) {
		read_model(cores[k]);
		compare(streams[REAL], &sample, &counts, &seen);
		assert_int_equal(counts.timing.instructions, 15000);
		check_names(sample.take);
		assert_true(c.nr_across > 0);
		assert_memory_equal(&c.of_epochs, &counts, sizeof(counts));
	}
}

/* The same cores, out-of-order ones only, without what the second model cannot step cycle by cycle. */
static void test_second_model_stepped(void **state)
{
	(void)state;
	struct core_counts counts;
	size_t nr_runs = 0;
	struct refcycle_seen seen = {0};
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
			for (size_t i = 0; i < NR_STREAMS; i++)
				compare(streams[i], &all, &counts, &seen);
			nr_runs += NR_STREAMS;
		}
	}
	assert_int_equal(seen.stepped, nr_runs);
	assert_true(seen.forwards > 0 && seen.redirects > 0 && seen.queue > 0);
}

/* Skipped instructions have no effect; warmed ones change caches and predictors, but take no time. */
static void test_sampling(void **state)
{
	(void)state;
	static const struct stream_sampling rest = {.skip = 34}, warmed = {.every = 136, .take = 102, .warm = 34},
					    cold = {.every = 136, .take = 102};
	struct core_counts whole, skipped, warm, none;
	read_model("rocket");
	run(streams[RV64], &all, &whole);
	run(streams[RV64], &rest, &skipped);
	run(streams[RV64], &warmed, &warm);
	run(streams[RV64], &cold, &none);
	assert_int_equal(whole.timing.instructions, 136);
	assert_int_equal(skipped.timing.instructions, 102);
	assert_int_equal(warm.timing.instructions, 102);
	assert_int_equal(warm.functional.epoch.count[COUNTER_INSTRUCTIONS], 102);
	assert_int_equal(none.timing.cycles, skipped.timing.cycles);
	assert_true(warm.timing.cycles < skipped.timing.cycles);
}

/* Epochs of a core, as they were reported. */
struct told {
	struct core_counts counts;
	uint64_t nr, numbers[8];
	struct core_counts epochs[8];
};

static enum sahm_status tell_epoch(void *ctx, unsigned core, uint64_t epoch, const struct core_counts *counts,
				   struct sahm_err *err)
{
	struct told *t = (struct told *)ctx + core;
	(void)err;
	assert_true(t->nr < ARRAY_SIZE(t->epochs));
	check_path(counts);
	t->numbers[t->nr] = epoch;
	t->epochs[t->nr++] = *counts;
	return SAHM_OK;
}

typedef enum sahm_status run_fn(struct stream *s, const struct core_model *const *models, unsigned nr,
				enum lane_form form, const struct stream_sampling *sampling,
				const struct core_observer *observer, struct core_counts *out, struct sahm_err *err);

static void run_models(run_fn *run_on, enum lane_form form, const char *stream, const struct stream_sampling *sampling,
		       const struct core_model *const *models, unsigned nr, struct told *out)
{
	struct core_counts counts[MAX_LANES];
	struct sahm_err err;
	struct stream *s;
	const struct core_observer o = {.ctx = out, .epoch = tell_epoch, .path = PATH_CAUSES};
	memset(out, 0, nr * sizeof(*out));
	assert_int_equal(stream_open(stream, NULL, &s, &err), SAHM_OK);
	assert_int_equal(run_on(s, models, nr, form, sampling, &o, counts, &err), SAHM_OK);
	for (unsigned i = 0; i < nr; i++) {
		check_path(&counts[i]);
		out[i].counts = counts[i];
	}
	stream_free(s);
}

/* All shipped cores in one pass, with others of equal geometry between them: each gets the counts, critical path and
 * epochs of a separate run, whatever the order. */
static void test_many_cores(void **state)
{
	(void)state;
	static const struct stream_sampling sample = {.skip = 1000, .every = 7000, .take = 3000, .warm = 2000};
	static struct core_model own[MAX_LANES];
	static struct told together[MAX_LANES], single;
	for (unsigned i = 0; i < MAX_LANES; i++) {
		read_model(cores[i * 5 % ARRAY_SIZE(cores)]);
		own[i] = model;
		if (i >= ARRAY_SIZE(cores))
			own[i].timing.mshrs = (uint16_t)(1 + i % 7);
	}
	for (size_t k = 0; k < 2 * NR_STREAMS; k++) {
		const struct stream_sampling *sampling = k == REAL + NR_STREAMS ? &sample : &all;
		unsigned nr = k == RV64 ? 1 : k == X86 ? 17 : MAX_LANES;
		const struct core_model *models[MAX_LANES];
		for (unsigned i = 0; i < nr; i++)
			models[i] = &own[k < NR_STREAMS ? i : nr - 1 - i];
		run_models(core_run, LANES_BEST, streams[k % NR_STREAMS], sampling, models, nr, together);
		for (unsigned i = 0; i < nr; i++) {
			run_models(core_run, LANES_BEST, streams[k % NR_STREAMS], sampling, &models[i], 1, &single);
			if (memcmp(&single, &together[i], sizeof(single)) != 0)
				fail_msg("%s, core %u of %u: %s differs", streams[k % NR_STREAMS], i, nr,
					 models[i]->name);
		}
	}
}

/* Small caches, with prefetchers that need time and a clock that is far from the cycles that the core takes. */
static void add_timed_prefetchers(struct core_model *m, uint32_t clock_cpi)
{
	struct core_geometry *g = &m->geometry;
	g->l1i = g->l1d = (struct cache_spec){2048, 4, 64, REPLACE_LRU};
	g->l1i_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_ENTANGLING, .entries = 64};
	g->l1d_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_BERTI};
	g->clock = (struct clock_spec){clock_cpi, {0, 15, 70, 270}, {0, 10, 65, 270}};
}

static uint32_t cpi_of(const struct core_counts *counts)
{
	return (uint32_t)((2000 * counts->timing.cycles / counts->timing.instructions + 1) / 2);
}

/* The clock is what a core takes in its own first run, so that cores of one geometry get different ones. Others with
 * it, and the form of lanes, change nothing. A stream of one epoch is a run whose nominal clock is that CPI. */
static void test_measured_clock(void **state)
{
	(void)state;
	static const struct stream_sampling last = {.skip = 30022};
	static struct core_model own[4];
	static struct told nominal[4], together[4], single;
	const struct core_model *const models[] = {&own[0], &own[1], &own[2], &own[3]};
	for (unsigned i = 0; i < 4; i++) {
		read_model(i == 2 ? "rocket" : "golden-cove");
		own[i] = model;
		if (i < 2)
			add_timed_prefetchers(&own[i], 50);
	}
	own[1].timing.data_cycles[LEVEL_MEMORY] = 1000;
	run_models(core_run, LANES_BEST, streams[REAL], &all, models, 4, nominal);
	run_models(core_run_measured, LANES_BEST, streams[REAL], &all, models, 4, together);
	assert_memory_equal(&nominal[2], &together[2], 2 * sizeof(nominal[2]));
	for (unsigned i = 0; i < 4; i++) {
		run_models(core_run_measured, LANES_SCALAR, streams[REAL], &all, &models[i], 1, &single);
		assert_memory_equal(&single, &together[i], sizeof(single));
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_true(nominal[i].counts.functional.prefetches > 0);
		assert_memory_not_equal(&nominal[i].counts.functional, &together[i].counts.functional,
					sizeof(nominal[i].counts.functional));
	}
	run_models(core_run, LANES_BEST, streams[REAL], &last, models, 1, nominal);
	run_models(core_run_measured, LANES_BEST, streams[REAL], &last, models, 1, together);
	own[0].geometry.clock.cpi = cpi_of(&nominal[0].counts);
	run_models(core_run, LANES_BEST, streams[REAL], &last, models, 1, &single);
	assert_int_equal(single.nr, 1);
	assert_memory_not_equal(&nominal[0], &single, sizeof(single));
	assert_memory_equal(&together[0], &single, sizeof(single));
}

TEST_FILE(test_core_run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_second_model),	     cmocka_unit_test(test_second_model_sampled),
		cmocka_unit_test(test_second_model_stepped), cmocka_unit_test(test_sampling),
		cmocka_unit_test(test_many_cores),	     cmocka_unit_test(test_measured_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
