/* Streams where memory is short: every allocation fails once, and all that was taken is given back. The linker puts the
 * functions below in the place of the library's (mk/test.mk). */
#include <stdlib.h>
#include <unistd.h>

#include "tests/helper/made_stream.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

static struct {
	uint64_t nr, nr_live, fails; /* number of the one that fails, from 0 */
	bool counts;		     /* those of the test itself are let through */
} heap;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t nr, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t nr, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *p);

static bool grants(void)
{
	if (heap.counts && heap.nr++ == heap.fails)
		return false;
	heap.nr_live++;
	return true;
}

void *__wrap_malloc(size_t bytes)
{
	return grants() ? __real_malloc(bytes) : NULL;
}

void *__wrap_calloc(size_t nr, size_t bytes)
{
	return grants() ? __real_calloc(nr, bytes) : NULL;
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return grants() ? __real_aligned_alloc(alignment, bytes) : NULL;
}

void *__wrap_realloc(void *p, size_t bytes)
{
	if (!grants())
		return NULL;
	heap.nr_live -= p != NULL;
	return __real_realloc(p, bytes);
}

void __wrap_free(void *p)
{
	heap.nr_live -= p != NULL;
	__real_free(p);
}

static char path[64], part[80];

static void count(bool counts)
{
	heap.counts = counts;
}

/* Blocks of a few shapes, an epoch or two. */
static enum sahm_status write_some(struct sahm_err *err)
{
	struct insn in[3];
	count(true);
	struct stream_writer *w = stream_writer_new(path, MACHINE_RV64, "p", err);
	if (!w) {
		count(false);
		return err->status;
	}
	for (unsigned n = 0; n < 2000; n++) {
		for (unsigned i = 0; i < 3; i++)
			in[i] = made_instruction(16 * n + i, 1, INSN_LOAD, 0);
		stream_writer_enter(w, stream_writer_block(w, in, 3));
		for (unsigned i = 0; i < 1 + n % 3; i++)
			for (unsigned a = 0; a <= n % 16; a++)
				stream_writer_access(w, i, 100 * a, 8, a % 2);
		if (n % 20 == 0)
			stream_writer_end_epoch(w);
	}
	/* One with more accesses than were ever seen */
	static struct insn many[400];
	for (unsigned i = 0; i < 400; i++)
		many[i] = made_instruction(i, 1, INSN_LOAD, 0);
	stream_writer_enter(w, stream_writer_block(w, many, 400));
	for (unsigned i = 0; i < 400; i++)
		stream_writer_access(w, i, 8 * i, 8, false);
	enum sahm_status status = stream_writer_finish(w, err);
	count(false);
	return status;
}

static enum sahm_status read_all(struct sahm_err *err)
{
	struct stream *s;
	struct executed e;
	bool more = true;
	count(true);
	enum sahm_status status = stream_open(path, NULL, &s, err);
	if (status == SAHM_OK) {
		while (status == SAHM_OK && more)
			status = stream_next(s, &e, &more, err);
		stream_free(s);
	}
	count(false);
	return status;
}

static enum sahm_status recover(struct sahm_err *err)
{
	count(true);
	enum sahm_status status = stream_recover(path, err);
	count(false);
	return status;
}

/* Lets each allocation of `action` fail, until it succeeds since no such number comes. */
static void expect_failures(enum sahm_status (*action)(struct sahm_err *err), unsigned least)
{
	struct sahm_err err;
	uint64_t step = 0;
	enum sahm_status status = SAHM_NOMEM;
	for (heap.fails = 0; status != SAHM_OK; heap.fails += 1 + step) {
		uint64_t live = heap.nr_live;
		heap.nr = 0;
		err = (struct sahm_err){0};
		status = action(&err);
		if (status != SAHM_OK && status != SAHM_NOMEM)
			fail_msg("allocation %llu: %s", (unsigned long long)heap.fails, err.msg);
		assert_int_equal(err.status, status);
		assert_int_equal(heap.nr_live, live);
		assert_true(status != SAHM_OK || heap.nr <= heap.fails);
		/* There are thousands of blocks. */
		step = heap.fails < 200 ? 0 : 37;
	}
	assert_true(heap.nr >= least);
	heap.fails = UINT64_MAX;
}

static void test_writing(void **state)
{
	(void)state;
	expect_failures(write_some, 1000);
	unlink(part);
}

static void test_reading(void **state)
{
	struct sahm_err err;
	(void)state;
	heap.fails = UINT64_MAX;
	assert_int_equal(write_some(&err), SAHM_OK);
	expect_failures(read_all, 50);
	/* Without an index, of which the file is then searched */
	assert_int_equal(rename(path, part), 0);
	assert_int_equal(truncate(part, 30000), 0);
	expect_failures(recover, 5);
}

TEST_FILE(test_stream_memory)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_writing),
		cmocka_unit_test(test_reading),
	};
	if (make_own_folder(NULL) != 0)
		return 1;
	snprintf(path, sizeof(path), "%s/a", own_folder);
	snprintf(part, sizeof(part), "%s/a.part", own_folder);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return remove_own_folder(NULL) | failed;
}
