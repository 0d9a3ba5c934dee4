/* The other introspection programs that come with the program: their packets, compared with independent counts. */
#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/unit/introspection.h"

/* Sets of inputs for hardware loops: `nr_left` more, each made by `make`, which also counts them. */
struct feed {
	uint64_t rng;
	unsigned nr_left;
	void (*make)(struct introspection *t, struct feed *f);
	uint32_t counts[128];
};

static bool feed_next(struct introspection *t, void *context)
{
	struct feed *f = context;
	if (f->nr_left == 0)
		return false;
	f->nr_left--;
	f->make(t, f);
	return true;
}

/* `nr` sets: the first, with which _main begins and which it `uses` or not, and the others. */
static void feed_main(struct introspection *t, struct feed *f, unsigned nr, bool uses)
{
	uint32_t entry;
	assert_true(ipu_program_main(t->program, &entry));
	f->nr_left = nr - 1;
	f->make(t, f);
	if (!uses)
		memset(f->counts, 0, sizeof(f->counts));
	introspection_call(t, entry, feed_next, f);
	assert_int_equal(f->nr_left, 0);
}

static void make_values(struct introspection *t, struct feed *f)
{
	t->inputs[0] = one_in(&f->rng, 10) ? UINT64_C(0x3c003c003c003c00) : next_random(&f->rng);
	for (unsigned lane = 0; lane < 4; lane++)
		f->counts[(t->inputs[0] >> 16 * lane & 0xffff) >> 9]++;
}

static void must_be_buckets(struct introspection *t, struct feed *f, unsigned nr_packets)
{
	assert_int_equal(t->nr_packets, nr_packets);
	assert_int_equal(t->nr_bytes, 384);
	for (unsigned i = 0; i < 128; i++)
		assert_int_equal(packet_number(t, 3 * i, 3), f->counts[i]);
	memset(f->counts, 0, sizeof(f->counts));
}

static void test_histogram(void **state)
{
	(void)state;
	struct introspection t;
	struct feed f = {.rng = 1, .make = make_values};
	introspection_new(&t, "histogram", "l1d_write", NULL, 0);
	introspection_finish(&t);
	assert_int_equal(t.nr_packets, 0);
	for (unsigned window = 1; window <= 2; window++) {
		uint64_t before = t.ipu->hart.nr_retired;
		feed_main(&t, &f, 32768, true);
		must_be_buckets(&t, &f, window);
		assert_in_range(t.ipu->hart.nr_retired - before, 32768, 32768 + 650);
	}
	introspection_finish(&t);
	assert_int_equal(t.nr_packets, 2);
	feed_main(&t, &f, 1000, true);
	introspection_finish(&t);
	must_be_buckets(&t, &f, 3);
	introspection_free(&t);
}

static void make_flags(struct introspection *t, struct feed *f)
{
	for (unsigned i = 0; i < 3; i++) {
		/* The last unit is always busy, so that its count saturates. */
		t->inputs[i] = i == 2 || one_in(&f->rng, 2 + i);
		if (t->inputs[i] && f->counts[i] < 255)
			f->counts[i]++;
	}
}

static void must_be_counts(struct introspection *t, struct feed *f, unsigned nr_packets)
{
	assert_int_equal(t->nr_packets, nr_packets);
	assert_int_equal(t->nr_bytes, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(packet_number(t, i, 1), f->counts[i]);
	memset(f->counts, 0, sizeof(f->counts));
}

static void test_overlap(void **state)
{
	(void)state;
	struct introspection t;
	struct feed f = {.rng = 2, .make = make_flags};
	introspection_new(&t, "overlap", "gpu_activity", NULL, 0);
	introspection_finish(&t);
	assert_int_equal(t.nr_packets, 0);
	for (unsigned window = 1; window <= 50; window++) {
		uint64_t before = t.ipu->hart.nr_retired;
		feed_main(&t, &f, 257, false);
		must_be_counts(&t, &f, window);
		assert_in_range(t.ipu->hart.nr_retired - before, 256, 256 + 24);
	}
	feed_main(&t, &f, 100, false);
	introspection_finish(&t);
	must_be_counts(&t, &f, 51);
	introspection_free(&t);
}

/* A prediction by the counts of one thread, kept here for as long as it keeps its place there. */
struct markov {
	bool is_known;
	unsigned last;
	unsigned nr[16][16];
};

static unsigned predicted(struct markov *m, unsigned now, unsigned min_seen)
{
	unsigned best = now;
	if (m->is_known) {
		if (m->nr[m->last][now] == 255)
			for (unsigned i = 0; i < 16; i++)
				m->nr[m->last][i] /= 2;
		m->nr[m->last][now]++;
	}
	m->is_known = true;
	m->last = now;
	for (unsigned i = 0; i < 16; i++)
		if (m->nr[now][i] > m->nr[now][best])
			best = i;
	return m->nr[now][best] >= min_seen ? best : now;
}

static void set_state(struct introspection *t, unsigned state)
{
	static const unsigned numerators[] = {2, 3, 5, 7}, denominators[] = {1, 0, 4, 6};
	for (unsigned c = 0; c < 4; c++) {
		t->inputs[denominators[c]] = 1000000;
		t->inputs[numerators[c]] = state & 1u << c ? 500000 : 0;
	}
}

static void must_predict(struct introspection *t, uint32_t thread, unsigned now, unsigned expected)
{
	set_state(t, now);
	t->inputs[9] = thread;
	introspection_main(t);
	assert_int_equal(packet_number(t, 0, 4), expected | thread << 8);
}

/* One thread, with states that follow one another by habit. */
static void test_predict(void **state)
{
	(void)state;
	static const struct {
		const char *setting;
		unsigned min_seen;
	} rows[] = {{"min_seen=4", 4}, {"min_seen=1", 1}, {"min_seen=200", 200}};
	uint64_t rng = 3;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct introspection t;
		struct markov m = {0};
		unsigned now = 0, nr_right = 0;
		introspection_new(&t, "predict", "core", &rows[i].setting, i ? 1 : 0);
		for (unsigned n = 0; n < 20000; n++) {
			unsigned guess = predicted(&m, now, rows[i].min_seen);
			must_predict(&t, 77, now, guess);
			now = one_in(&rng, 10) ? (unsigned)between(&rng, 0, 15) : (now * 5 + 3) % 16;
			nr_right += now == guess;
		}
		/* A count of 200 is there for only part of the time: it is halved when it would pass 255. */
		assert_in_range(nr_right, i < 2 ? 17000 : 5000, 19000);
		introspection_free(&t);
	}
}

/* Places of two threads differ or are the same: either both keep their counts, or each restarts when it takes the place
 * of the other. Which of them is a matter of the hash; of 299 pairs on 64 places, both happen. */
static void test_predict_threads(void **state)
{
	(void)state;
	static const char *const settings[] = {"min_seen=1"};
	unsigned nr_kept = 0, nr_anew = 0;
	for (uint32_t other = 1; other < 300; other++) {
		struct introspection t;
		introspection_new(&t, "predict", "core", settings, 1);
		must_predict(&t, 0, 1, 1);
		must_predict(&t, 0, 2, 2);
		must_predict(&t, 0, 1, 2);
		must_predict(&t, other, 3, 3);
		must_predict(&t, other, 4, 4);
		must_predict(&t, other, 3, 4);
		/* If it has kept its counts, 2 has been followed by 1. */
		set_state(&t, 2);
		t.inputs[9] = 0;
		introspection_main(&t);
		unsigned guess = packet_number(&t, 0, 1) & 15;
		assert_true(guess == 1 || guess == 2);
		nr_kept += guess == 1;
		nr_anew += guess == 2;
		must_predict(&t, other, 4, guess == 1 ? 3 : 4);
		introspection_free(&t);
	}
	assert_true(nr_kept > 250 && nr_anew > 0);
}

static void access_at(struct introspection *t, uint64_t address, bool is_write)
{
	t->inputs[0] = address;
	t->inputs[1] = is_write;
	introspection_main(t);
}

static void must_be_hits(const struct introspection *t, unsigned nr_packets, uint32_t nr_hits, uint32_t nr_writes)
{
	assert_int_equal(t->nr_packets, nr_packets);
	assert_int_equal(t->nr_bytes, 8);
	assert_int_equal(packet_number(t, 0, 4), nr_hits);
	assert_int_equal(packet_number(t, 4, 4), nr_writes);
}

static void test_watch(void **state)
{
	(void)state;
	static const char *const settings[] = {"watch_first=0x7fffffff0", "watch_end=0x800000010", "watch_period=3"};
	struct introspection t;
	introspection_new(&t, "watch", "memory_access", settings, 3);
	introspection_finish(&t);
	assert_int_equal(t.nr_packets, 0);
	access_at(&t, UINT64_C(0x7ffffffef), true);
	access_at(&t, UINT64_C(0x800000010), true);
	access_at(&t, UINT64_C(0xfffffff0), true);
	access_at(&t, UINT64_C(0), true);
	access_at(&t, UINT64_MAX, true);
	access_at(&t, UINT64_C(0x7fffffff0), true);
	access_at(&t, UINT64_C(0x80000000f), false);
	assert_int_equal(t.nr_packets, 0);
	access_at(&t, UINT64_C(0x800000000), true);
	must_be_hits(&t, 1, 3, 2);
	access_at(&t, UINT64_C(0x7ffffffff), false);
	assert_int_equal(t.nr_packets, 1);
	introspection_finish(&t);
	must_be_hits(&t, 2, 1, 0);
	introspection_finish(&t);
	assert_int_equal(t.nr_packets, 2);
	introspection_free(&t);
}

TEST_FILE(test_ipu_programs)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watch),	cmocka_unit_test(test_histogram),	cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_predict), cmocka_unit_test(test_predict_threads),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
