/* Records as bytes: records read back as written, and damage is refused or harmless. */
#include "results/store/run_record.h"

#include <math.h>
#include <string.h>

#include "tests/unit/made_store.h"

static struct textbuf encode(const struct record *r)
{
	struct textbuf b;
	textbuf_init(&b);
	record_encode(r, &b);
	assert_false(textbuf_failed(&b));
	return b;
}

static void expect_double(double a, double b)
{
	assert_true((isnan(a) && isnan(b)) || a == b);
}

static void expect_equal(const struct record *a, const struct record *b)
{
	assert_int_equal(a->failed, b->failed);
	assert_int_equal(a->synthetic, b->synthetic);
	assert_int_equal(a->nominal, b->nominal);
	assert_int_equal(a->has_intervals, b->has_intervals);
	assert_string_equal(a->message, b->message);
	assert_int_equal(a->nr_groups, b->nr_groups);
	assert_int_equal(a->nr_cores, b->nr_cores);
	assert_int_equal(a->nr_threads, b->nr_threads);
	for (uint32_t g = 0; g < a->nr_groups; g++) {
		assert_string_equal(a->chip[g].type, b->chip[g].type);
		assert_string_equal(a->chip[g].speedups, b->chip[g].speedups);
		assert_int_equal(a->chip[g].count, b->chip[g].count);
	}
	for (uint32_t t = 0; t < a->nr_threads; t++) {
		assert_string_equal(a->threads[t].name, b->threads[t].name);
		expect_double(a->threads[t].speedup, b->threads[t].speedup);
		expect_double(a->threads[t].served_share, b->threads[t].served_share);
		expect_double(a->threads[t].matched_share, b->threads[t].matched_share);
		assert_int_equal(a->threads[t].completed_ns, b->threads[t].completed_ns);
		assert_int_equal(a->threads[t].present_ns, b->threads[t].present_ns);
		assert_int_equal(a->threads[t].migrations, b->threads[t].migrations);
		expect_double(a->threads[t].energy_j, b->threads[t].energy_j);
		expect_double(a->threads[t].instruction_nj, b->threads[t].instruction_nj);
	}
	for (int m = 0; m < NR_RUN_METRICS; m++) {
		expect_double(a->metrics[m], b->metrics[m]);
		if (!a->has_intervals)
			continue;
		expect_double(a->intervals[m].mean, b->intervals[m].mean);
		expect_double(a->intervals[m].low, b->intervals[m].low);
		expect_double(a->intervals[m].high, b->intervals[m].high);
	}
	assert_int_equal(a->timing.started_unix_ms, b->timing.started_unix_ms);
	assert_int_equal(a->timing.wall_ns, b->timing.wall_ns);
	assert_int_equal(a->timing.cpu_ns, b->timing.cpu_ns);
	assert_int_equal(a->timing.worker, b->timing.worker);
}

/* With and without intervals; the extremes of all numbers. */
static const struct record *make_full(struct made_record *made, bool has_intervals)
{
	struct record *r = (struct record *)make_record(made, 3);
	r->message = "thread 'a' was given up\nand so on";
	r->threads[1].completed_ns = UINT64_MAX;
	r->has_intervals = has_intervals;
	r->nominal = has_intervals;
	for (int m = 0; m < NR_RUN_METRICS && has_intervals; m++)
		r->intervals[m] = (struct stats_interval){m, -m, m ? INFINITY : NAN};
	r->timing = (struct record_timing){UINT64_MAX, 1, UINT64_MAX - 1, UINT32_MAX};
	return r;
}

static void test_round_trip(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct made_record made;
		struct record again;
		struct arena a;
		arena_init(&a);
		const struct record *r = make_full(&made, i);
		struct textbuf b = encode(r), c;
		MUST_WORK(record_decode(&a, b.text, b.len, &again, ERR));
		expect_equal(r, &again);
		c = encode(&again);
		assert_int_equal(b.len, c.len);
		assert_memory_equal(b.text, c.text, b.len);
		textbuf_release(&b);
		textbuf_release(&c);
		arena_release(&a);
	}
}

static void test_failure(void **state)
{
	struct record r, again;
	struct arena a;
	(void)state;
	arena_init(&a);
	MUST_WORK(record_of_failure(&a, "policy 'x' gave up", &r, ERR));
	struct textbuf b = encode(&r);
	MUST_WORK(record_decode(&a, b.text, b.len, &again, ERR));
	expect_equal(&r, &again);
	assert_true(again.failed);
	assert_string_equal(again.message, "policy 'x' gave up");
	assert_int_equal(again.nr_threads, 0);
	textbuf_release(&b);
	arena_release(&a);
}

/* All but the timing is a function of the run: whatever NAN a machine has made, it is the same bytes. */
static void test_canonical(void **state)
{
	struct made_record one, other;
	uint64_t bits = UINT64_C(0xfff8000000000123);
	(void)state;
	make_full(&one, false);
	make_full(&other, false);
	for (int m = 0; m < NR_RUN_METRICS; m++)
		if (isnan(other.record.metrics[m]))
			memcpy(&other.record.metrics[m], &bits, sizeof(bits));
	memcpy(&other.threads[0].speedup, &bits, sizeof(bits));
	other.record.timing = (struct record_timing){5, 6, 7, 8};
	struct textbuf a = encode(&one.record), b = encode(&other.record);
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.text, b.text, a.len - RECORD_TIMING_BYTES);
	assert_memory_not_equal(a.text, b.text, a.len);
	textbuf_release(&a);
	textbuf_release(&b);
}

/* Bytes in memory of exactly their size, so that sanitizers see what is read beyond. */
static enum sahm_status decode(const char *bytes, size_t len)
{
	struct record r;
	struct sahm_err err = {0};
	struct arena a;
	char *copy = malloc(len ? len : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, len);
	arena_init(&a);
	enum sahm_status status = record_decode(&a, copy, len, &r, &err);
	if (status == SAHM_OK) {
		struct textbuf b = encode(&r);
		assert_int_equal(b.len, len);
		textbuf_release(&b);
	} else {
		expect_failure(status, &err, SAHM_FORMAT, "a record of a run is damaged");
	}
	arena_release(&a);
	free(copy);
	return status;
}

static void test_damage(void **state)
{
	struct made_record made;
	struct textbuf b = encode(make_full(&made, true));
	(void)state;
	assert_int_equal(decode(b.text, b.len), SAHM_OK);
	for (size_t len = 0; len < b.len; len++)
		assert_int_equal(decode(b.text, len), SAHM_FORMAT);
	for (size_t i = 0; i < b.len; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			b.text[i] = (char)(b.text[i] ^ 1 << bit);
			enum sahm_status status = decode(b.text, b.len);
			/* Its kind and version. */
			assert_true(i >= 8 || status == SAHM_FORMAT);
			b.text[i] = (char)(b.text[i] ^ 1 << bit);
		}
	textbuf_putc(&b, 'x');
	assert_int_equal(decode(b.text, b.len), SAHM_FORMAT);
	textbuf_release(&b);
}

TEST_FILE(test_run_record)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_canonical),
		cmocka_unit_test(test_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
