/* Remedies of a program, compared with a list of all its executions. */
#include "workloads/stream/remedies.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/test.h"
#include "workloads/stream/stream_uops.h"

#define STREAM "tests/data/streams/sort.stream"
#define ROOTS "tests/data/cases/roots.stream"
#define MAX_EXECUTIONS 65536u

/* All executions of instructions with a load. */
static struct {
	uint64_t pc[MAX_EXECUTIONS], address[MAX_EXECUTIONS];
	size_t nr;
} all;

static struct stream *open_stream(const char *path)
{
	struct stream *s;
	struct sahm_err err;
	assert_int_equal(stream_open(path, NULL, &s, &err), SAHM_OK);
	return s;
}

static void list_loads(void)
{
	struct stream *s = open_stream(STREAM);
	struct executed e;
	struct sahm_err err;
	bool more = true;
	for (all.nr = 0; more;) {
		assert_int_equal(stream_next(s, &e, &more, &err), SAHM_OK);
		for (unsigned i = 0; more && i < e.nr_accesses; i++)
			if (!e.accesses[i].is_store) {
				all.pc[all.nr] = e.instruction->pc;
				all.address[all.nr++] = e.accesses[i].address;
				break;
			}
		assert_true(all.nr < MAX_EXECUTIONS);
	}
	stream_free(s);
}

static size_t count(uint64_t pc)
{
	size_t nr = 0;
	for (size_t i = 0; i < all.nr; i++)
		nr += all.pc[i] == pc;
	return nr;
}

/* The address `distance` executions of the load after execution `i`. False: there is none. */
static bool find_ahead(size_t i, uint64_t distance, uint64_t *address)
{
	uint64_t pc = all.pc[i];
	for (; distance > 0; distance--) {
		do
			i++;
		while (i < all.nr && all.pc[i] != pc);
		if (i >= all.nr)
			return false;
	}
	*address = all.address[i];
	return true;
}

/* In batches of at most `most` instructions. */
static void check(const struct soft_prefetch *prefetches, size_t nr, uint64_t most)
{
	const struct remedies r = {.prefetches = prefetches, .nr_prefetches = nr};
	struct stream *s = open_stream(STREAM);
	struct uop_batch *b = calloc(1, sizeof(*b));
	struct remedy_pass *pass;
	struct sahm_err err;
	size_t at = 0, nr_soft = 0;
	assert_non_null(b);
	assert_int_equal(remedy_pass_new(s, &r, &pass, &err), SAHM_OK);
	do {
		uint32_t soft = 0;
		assert_int_equal(stream_uops_read(s, most, b, &err), SAHM_OK);
		assert_int_equal(remedy_pass_run(pass, b, &err), SAHM_OK);
		bool is_taken = false;
		for (uint32_t i = 0; i < b->nr; i++) {
			const struct uop *u = &b->uops[i];
			is_taken = is_taken && !(u->flags & UOP_FIRST);
			if (u->class != INSN_LOAD || u->bytes == 0 || is_taken)
				continue;
			is_taken = true;
			for (size_t k = 0; k < nr; k++) {
				uint64_t address;
				if (u->pc != prefetches[k].pc || !find_ahead(at, prefetches[k].distance, &address))
					continue;
				assert_true(soft < b->nr_soft);
				assert_int_equal(b->soft[soft].uop, i);
				assert_int_equal(b->soft[soft++].address, address);
				nr_soft++;
			}
			at++;
		}
		assert_int_equal(soft, b->nr_soft);
	} while (b->nr > 0);
	assert_int_equal(at, all.nr);
	/* The last executions prefetch nothing. */
	size_t expected = 0;
	for (size_t k = 0; k < nr; k++) {
		size_t times = count(prefetches[k].pc);
		expected += times > prefetches[k].distance ? times - prefetches[k].distance : 0;
	}
	assert_int_equal(nr_soft, expected);
	remedy_pass_free(pass);
	stream_free(s);
	free(b);
}

static void test_addresses_ahead(void **state)
{
	(void)state;
	list_loads();
	struct soft_prefetch few[3];
	for (size_t i = 0; i < 3; i++)
		few[i] = (struct soft_prefetch){all.pc[all.nr / 2 + 997 * i], 1 + 7 * i};
	assert_true(few[0].pc != few[1].pc && few[1].pc != few[2].pc && few[0].pc != few[2].pc);
	check(few, 3, UINT64_MAX);
	check(few, 3, 5);
	const struct soft_prefetch far = {few[0].pc, count(few[0].pc)}, last = {few[0].pc, count(few[0].pc) - 1};
	check(&far, 1, UINT64_MAX);
	check(&last, 1, UINT64_MAX);
}

static void test_unknown_load(void **state)
{
	(void)state;
	list_loads();
	uint64_t below = 0, above = UINT64_MAX, pc = all.pc[all.nr / 2] + 1;
	for (size_t i = 0; i < all.nr; i++) {
		below = all.pc[i] < pc && all.pc[i] > below ? all.pc[i] : below;
		above = all.pc[i] > pc && all.pc[i] < above ? all.pc[i] : above;
	}
	const struct soft_prefetch f = {pc, 1};
	const struct remedies r = {.prefetches = &f, .nr_prefetches = 1};
	struct stream *s = open_stream(STREAM);
	struct remedy_pass *pass;
	struct sahm_err err;
	char text[200];
	assert_int_equal(remedy_pass_new(s, &r, &pass, &err), SAHM_USAGE);
	snprintf(text, sizeof(text), "0x%llx is no load of '" STREAM "'; the nearest are at 0x%llx and 0x%llx",
		 (unsigned long long)pc, (unsigned long long)below, (unsigned long long)above);
	assert_string_equal(err.msg, text);
	stream_free(s);
}

/* Uops at the pc have no flag of a flush, and all others keep theirs. */
static void test_no_flush(void **state)
{
	(void)state;
	const uint64_t flush = 0x11082;
	const struct remedies r = {.no_flush = &flush, .nr_no_flush = 1};
	struct stream *s = open_stream(ROOTS), *other = open_stream(ROOTS);
	struct uop_batch *b = calloc(2, sizeof(*b));
	struct remedy_pass *pass;
	struct sahm_err err;
	size_t nr_changed = 0, nr_flushes = 0;
	assert_non_null(b);
	assert_int_equal(remedy_pass_new(s, &r, &pass, &err), SAHM_OK);
	do {
		assert_int_equal(stream_uops_read(s, UINT64_MAX, &b[0], &err), SAHM_OK);
		assert_int_equal(stream_uops_read(other, UINT64_MAX, &b[1], &err), SAHM_OK);
		assert_int_equal(remedy_pass_run(pass, &b[0], &err), SAHM_OK);
		for (uint32_t i = 0; i < b->nr; i++) {
			uint8_t flags = b[1].uops[i].flags;
			bool is_there = b[1].uops[i].pc == flush;
			nr_changed += is_there;
			nr_flushes += (flags & UOP_SYSTEM) != 0;
			assert_int_equal(b[0].uops[i].flags, is_there ? flags & ~UOP_SYSTEM : flags);
		}
	} while (b->nr > 0);
	assert_int_equal(nr_changed, 1024);
	assert_int_equal(nr_flushes, 2049);
	remedy_pass_free(pass);
	stream_free(other);
	stream_free(s);
	free(b);
}

static void test_unknown_flush(void **state)
{
	(void)state;
	const uint64_t flush = 0x11084;
	const struct remedies r = {.no_flush = &flush, .nr_no_flush = 1};
	struct stream *s = open_stream(ROOTS);
	struct remedy_pass *pass;
	struct sahm_err err;
	assert_int_equal(remedy_pass_new(s, &r, &pass, &err), SAHM_USAGE);
	assert_string_equal(err.msg, "0x11084 is no system instruction or fence of '" ROOTS
				     "'; the nearest are at 0x11082 and 0x1108a");
	stream_free(s);
}

TEST_FILE(test_remedies)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses_ahead),
		cmocka_unit_test(test_unknown_load),
		cmocka_unit_test(test_no_flush),
		cmocka_unit_test(test_unknown_flush),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
