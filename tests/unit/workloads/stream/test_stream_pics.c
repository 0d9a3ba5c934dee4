/* What shipped cores, in-order and out-of-order, show of streams for cycle stacks, as the slow reference has it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/compared_pics.h"
#include "workloads/stream/core_run.h"

#define MAX_UOPS 65536u
#define MAX_PREFETCHES 8192u

static const char *const streams[] = {"x86-64", "rv64", "sort"};

static const char *const cores[] = {"rocket", "boom-large", "tea", "golden-cove"};

static struct captured {
	struct uop uops[MAX_UOPS];
	struct uop_prefetch prefetches[MAX_PREFETCHES];
	struct uop_stamps stamps[MAX_UOPS];
	uint16_t signatures[MAX_UOPS];
	uint16_t of_batch[BATCH_UOPS];
	size_t nr, nr_prefetches;
} c;

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *b, const struct uop_stamps *stamps,
				   struct sahm_err *err)
{
	(void)ctx, (void)core, (void)err;
	assert_true(c.nr + b->nr <= MAX_UOPS && c.nr_prefetches + b->nr_prefetches <= MAX_PREFETCHES);
	memcpy(c.uops + c.nr, b->uops, b->nr * sizeof(*b->uops));
	memcpy(c.stamps + c.nr, stamps, b->nr * sizeof(*stamps));
	memcpy(c.signatures + c.nr, c.of_batch, b->nr * sizeof(*c.of_batch));
	memcpy(c.prefetches + c.nr_prefetches, b->prefetches, b->nr_prefetches * sizeof(*b->prefetches));
	c.nr += b->nr;
	c.nr_prefetches += b->nr_prefetches;
	return SAHM_OK;
}

static void capture(const struct core_model *model, const char *stream, struct core_counts *out)
{
	struct sahm_err err;
	struct stream *s;
	const struct stream_sampling all = {0};
	const struct core_watch watch = {.signatures = c.of_batch};
	const struct core_observer o = {.batch = take_batch, .watches = &watch};
	c.nr = c.nr_prefetches = 0;
	assert_int_equal(stream_open(stream, NULL, &s, &err), SAHM_OK);
	assert_int_equal(core_run(s, &model, 1, LANES_BEST, &all, &o, out, &err), SAHM_OK);
	stream_free(s);
}

/* Batches of whole instructions, of `most` uops or a few more. */
static void compare(const struct core_timing *t, struct compared_pics *p, size_t most)
{
	struct pics_options options = compared_pics_options(p);
	struct pics_pass *pass = pics_pass_new(t, &options);
	struct uop_batch *b = calloc(1, sizeof(*b));
	assert_true(pass && b);
	for (size_t from = 0; from < c.nr; from += b->nr) {
		size_t nr = 0;
		do {
			b->uops[nr] = c.uops[from + nr];
			nr++;
		} while (from + nr < c.nr && (nr < most || !(b->uops[nr - 1].flags & UOP_LAST)));
		b->nr = (uint32_t)nr;
		assert_true(pics_pass_run(pass, b, c.stamps + from, c.signatures + from));
	}
	assert_true(pics_pass_end(pass));
	struct pics_counts counts = pics_pass_counts(pass);
	compare_pics_end(p, &counts);
	pics_pass_free(pass);
	free(b);
}

static void test_reference(void **state)
{
	(void)state;
	static const size_t sizes[NR_PICS_ROWS] = {1, 700, 33, BATCH_UOPS / 2};
	static struct core_model model;
	for (unsigned i = 0; i < ARRAY_SIZE(cores); i++) {
		char path[64];
		struct sahm_err err;
		snprintf(path, sizeof(path), "configs/cores/%s.cfg", cores[i]);
		assert_int_equal(core_model_read(path, NULL, 0, "configs/cpus", &model, &err), SAHM_OK);
		for (unsigned n = 0; n < ARRAY_SIZE(streams); n++) {
			char what[64];
			struct core_counts counts;
			snprintf(path, sizeof(path), "tests/data/streams/%s.stream", streams[n]);
			snprintf(what, sizeof(what), "%s on %s", streams[n], cores[i]);
			capture(&model, path, &counts);
			struct refpics *slow = refpics_new(&model.timing, c.uops, c.nr, c.prefetches, c.stamps);
			assert_non_null(slow);
			assert_int_equal(slow->counts.cycles, counts.timing.cycles);
			for (unsigned rows = 0; rows < NR_PICS_ROWS; rows++) {
				struct compared_pics p = {.what = what,
							  .slow = slow,
							  .rows = (enum pics_rows)rows,
							  .period = rows == PICS_ROWS_PERIOD ? 1000 : 300};
				compare(&model.timing, &p, sizes[rows]);
			}
			refpics_free(slow);
		}
	}
}

TEST_FILE(test_stream_pics)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
