/* Reshaping: resampling compared with a slow direct computation on random traces, its forbidden effects, and the moving
 * of whole epochs. */
#include "workloads/trace/reshape.h"

#include "sim/base/array.h"
#include "sim/base/units.h"
#include "tests/unit/trace_cases.h"

__extension__ typedef unsigned __int128 u128;

#define MS(ms) ((uint64_t)(ms)*NS_PER_MS)

/* splitmix64 */
static uint64_t next_random(uint64_t *rng)
{
	uint64_t z = *rng += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* low to high; not for the whole range of 64 bits. */
static uint64_t random_from(uint64_t *rng, uint64_t low, uint64_t high)
{
	return low + next_random(rng) % (high - low + 1);
}

/* Counts as tools report them, and at both ends of what fits, up to `bits` bits. */
static uint64_t random_count(uint64_t *rng, unsigned bits)
{
	uint64_t max = UINT64_MAX >> (64 - bits);
	switch (random_from(rng, 0, 5)) {
	case 0:
		return 0;
	case 1:
		return random_from(rng, 0, 9);
	case 2:
		return max - random_from(rng, 0, 2);
	default:
		return next_random(rng) >> (64 - bits) >> random_from(rng, 0, bits - 1);
	}
}

static struct epoch_counts random_epoch(uint64_t *rng, unsigned bits)
{
	struct epoch_counts e;
	for (int c = 0; c < NR_COUNTERS; c++)
		e.count[c] = random_count(rng, bits);
	for (int c = 0; c < NR_COUNTERS; c++) {
		uint64_t whole = e.count[counter_rows[c].part_of];
		if (e.count[c] > whole)
			e.count[c] = random_from(rng, 0, 1) ? whole : e.count[c] % (whole + 1);
	}
	return e;
}

static struct trace *build_of(const struct epoch_counts *epochs, uint64_t nr, uint64_t epoch_ns, bool has_cycles)
{
	struct sahm_err err = untouched;
	struct trace *trace = NULL;
	struct trace_builder *builder = trace_builder_new(has_cycles);
	struct provenance provenance = {.text = {[PROVENANCE_NAME] = "t"}};
	assert_non_null(builder);
	for (uint64_t e = 0; e < nr; e++)
		assert_int_equal(trace_builder_add(builder, &epochs[e], &err), SAHM_OK);
	if (trace_builder_finish(builder, "t.trc", epoch_ns, &provenance, &trace, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	trace_builder_free(builder);
	return trace;
}

#define MOST_EPOCHS 40

/* A source and what it is to become. */
struct sample {
	struct epoch_counts epochs[MOST_EPOCHS];
	uint64_t nr, epoch_ns;
	bool has_cycles, by_instructions;
	uint64_t size;
	u128 total; /* in ns or instructions */
};

static struct sample random_sample(uint64_t *rng)
{
	static const uint64_t lengths[] = {MIN_EPOCH_NS, MIN_EPOCH_NS + 1, MS(1), MS(100), MAX_EPOCH_NS};
	struct sample s = {.nr = random_from(rng, 1, MOST_EPOCHS)};
	unsigned bits = (unsigned)random_from(rng, 1, 16) * 4;
	s.epoch_ns = random_from(rng, 0, 1) ? lengths[random_from(rng, 0, 4)] : random_from(rng, 1000, 3000);
	s.has_cycles = random_from(rng, 0, 1);
	s.by_instructions = random_from(rng, 0, 1);
	bool rests = random_from(rng, 0, 1);
	for (uint64_t e = 0; e < s.nr; e++) {
		s.epochs[e] = random_epoch(rng, bits);
		if (!s.has_cycles)
			s.epochs[e].count[COUNTER_CYCLES] = 0;
		if (rests && random_from(rng, 0, 2) == 0)
			s.epochs[e].count[COUNTER_INSTRUCTIONS] = 0;
		s.total += s.by_instructions ? s.epochs[e].count[COUNTER_INSTRUCTIONS] : s.epoch_ns;
	}
	/* From one epoch to a few hundred; multiples, divisors and neither. */
	uint64_t parts = random_from(rng, 1, 200);
	u128 size = random_from(rng, 0, 2) ? s.total / parts + random_from(rng, 0, 2) : (u128)s.epoch_ns * parts;
	if (s.by_instructions && random_from(rng, 0, 2) == 0)
		size = s.epochs[0].count[COUNTER_INSTRUCTIONS] / random_from(rng, 1, 3);
	uint64_t least = s.by_instructions ? 1 : MIN_EPOCH_NS, most = s.by_instructions ? UINT64_MAX : MAX_EPOCH_NS;
	if (size < s.total / 1000 + 1)
		size = s.total / 1000 + 1;
	s.size = size < least ? least : size > most ? most : (uint64_t)size;
	return s;
}

/* How many of `v` events, spread over `weight`, lie in its first `x`: to the nearest, halves up. */
static uint64_t share(uint64_t v, u128 weight, u128 x)
{
	u128 quotient = (u128)v * x / weight, rest = (u128)v * x % weight;
	return (uint64_t)quotient + (rest >= weight - rest);
}

/* Of `v` events of a source epoch at `start`, those that belong to epoch k of the result. */
static uint64_t share_of(const struct sample *s, uint64_t v, u128 start, uint64_t weight, uint64_t k, uint64_t nr)
{
	u128 low = (u128)k * s->size, high = low + s->size;
	if (weight == 0) {
		u128 at = start / s->size;
		return k == (at < nr ? at : nr - 1) ? v : 0;
	}
	if (high <= start || low >= start + weight)
		return 0;
	return share(v, weight, high - start < weight ? high - start : weight) -
	       share(v, weight, low > start ? low - start : 0);
}

/* Epoch k of the result, worked out from scratch: parts beside what is left of their wholes. */
static void expect_counts(const struct sample *s, uint64_t k, uint64_t nr, u128 expected[NR_COUNTERS])
{
	u128 start = 0;
	memset(expected, 0, NR_COUNTERS * sizeof(expected[0]));
	for (uint64_t e = 0; e < s->nr; e++) {
		const uint64_t *v = s->epochs[e].count;
		uint64_t weight = s->by_instructions ? v[COUNTER_INSTRUCTIONS] : s->epoch_ns;
		uint64_t misses = share_of(s, v[COUNTER_BRANCH_MISSES], start, weight, k, nr);
		uint64_t l1d = share_of(s, v[COUNTER_L1D_MISSES], start, weight, k, nr);
		uint64_t l2 = share_of(s, v[COUNTER_L2_MISSES], start, weight, k, nr);
		expected[COUNTER_INSTRUCTIONS] += share_of(s, v[COUNTER_INSTRUCTIONS], start, weight, k, nr);
		expected[COUNTER_BRANCH_MISSES] += misses;
		expected[COUNTER_L1D_MISSES] += l1d;
		expected[COUNTER_L2_MISSES] += l2;
		expected[COUNTER_BRANCHES] +=
			misses + share_of(s, v[COUNTER_BRANCHES] - v[COUNTER_BRANCH_MISSES], start, weight, k, nr);
		expected[COUNTER_L1D_ACCESSES] +=
			l1d + share_of(s, v[COUNTER_L1D_ACCESSES] - v[COUNTER_L1D_MISSES], start, weight, k, nr);
		expected[COUNTER_L2_ACCESSES] +=
			l2 + share_of(s, v[COUNTER_L2_ACCESSES] - v[COUNTER_L2_MISSES], start, weight, k, nr);
		expected[COUNTER_L1I_MISSES] += share_of(s, v[COUNTER_L1I_MISSES], start, weight, k, nr);
		expected[COUNTER_CYCLES] += share_of(s, v[COUNTER_CYCLES], start, weight, k, nr);
		start += weight;
	}
}

/* Whether some epoch of the result cannot hold its counts. */
static bool is_too_much(const struct sample *s, uint64_t nr)
{
	u128 expected[NR_COUNTERS];
	for (uint64_t k = 0; k < nr; k++) {
		expect_counts(s, k, nr, expected);
		for (int c = 0; c < NR_COUNTERS; c++)
			if (expected[c] > UINT64_MAX)
				return true;
	}
	return false;
}

static void check_counts(const struct sample *s, struct trace *result, uint64_t nr, uint64_t round)
{
	u128 expected[NR_COUNTERS], total[NR_COUNTERS] = {0}, source[NR_COUNTERS] = {0};
	struct sahm_err err = untouched;
	for (uint64_t k = 0; k < nr; k++) {
		struct epoch_counts got;
		enum counter odd;
		assert_int_equal(trace_read(result, k, 1, &got, &err), SAHM_OK);
		expect_counts(s, k, nr, expected);
		if (counters_contradict(&got, &odd))
			fail_msg("round %" PRIu64 ", epoch %" PRIu64 ": %s", round, k, counter_rows[odd].name);
		for (int c = 0; c < NR_COUNTERS; c++) {
			total[c] += got.count[c];
			if (got.count[c] != expected[c])
				fail_msg("round %" PRIu64 ", epoch %" PRIu64 ": %s is %" PRIu64 ", not %" PRIu64, round,
					 k, counter_rows[c].name, got.count[c], (uint64_t)expected[c]);
		}
		if (s->by_instructions && k + 1 < nr)
			assert_true(got.count[COUNTER_INSTRUCTIONS] == s->size);
	}
	for (uint64_t e = 0; e < s->nr; e++)
		for (int c = 0; c < NR_COUNTERS; c++)
			source[c] += s->epochs[e].count[c];
	for (int c = 0; c < NR_COUNTERS; c++)
		if (total[c] != source[c])
			fail_msg("round %" PRIu64 ": the total of %s has changed", round, counter_rows[c].name);
}

static void test_against_direct(void **state)
{
	(void)state;
	enum { ROUNDS = 3000 };
	uint64_t rng = 20261121, nr_made = 0, nr_too_much = 0, nr_empty = 0;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct sample s = random_sample(&rng);
		struct sahm_err err = untouched;
		struct trace *result = NULL, *source = build_of(s.epochs, s.nr, s.epoch_ns, s.has_cycles);
		uint64_t last = 0, nr = (uint64_t)((s.total + s.size - 1) / s.size);
		enum sahm_status status =
			s.by_instructions
				? reshape_resample_instructions(source, s.size, MS(1), NULL, &result, &last, &err)
				: reshape_resample_time(source, s.size, NULL, &result, &last, &err);
		bool too_much = is_too_much(&s, nr);
		if (status != (nr == 0 || too_much ? SAHM_RANGE : SAHM_OK))
			fail_msg("round %" PRIu64 ": status %d, %s", round, status, err.msg);
		if (status == SAHM_OK) {
			assert_true(trace_nr_epochs(result) == nr);
			assert_true(trace_epoch_ns(result) == (s.by_instructions ? MS(1) : s.size));
			assert_true(trace_has_cycles(result) == s.has_cycles);
			assert_true(last == (uint64_t)(s.total - (u128)(nr - 1) * s.size));
			check_counts(&s, result, nr, round);
		} else {
			assert_null(result);
		}
		nr_made += status == SAHM_OK;
		nr_too_much += too_much;
		nr_empty += nr == 0;
		trace_free(result);
		trace_free(source);
	}
	/* Each outcome was met often enough to mean something. */
	assert_true(nr_made > ROUNDS / 2 && nr_too_much > ROUNDS / 100 && nr_empty > 0);
}

/* What split_flows() relies on. */
static void test_one_part_each(void **state)
{
	(void)state;
	unsigned nr_parts[NR_COUNTERS] = {0};
	for (int c = 0; c < NR_COUNTERS; c++) {
		int whole = (int)counter_rows[c].part_of;
		assert_int_equal(counter_rows[whole].part_of, whole);
		if (whole != c && nr_parts[whole]++)
			fail_msg("%s has several parts", counter_rows[whole].name);
	}
	assert_int_equal(counter_rows[COUNTER_INSTRUCTIONS].part_of, COUNTER_INSTRUCTIONS);
	assert_int_equal(nr_parts[COUNTER_INSTRUCTIONS], 0);
}

static struct trace *by_time(struct trace *source, uint64_t epoch_ns)
{
	struct sahm_err err = untouched;
	struct trace *result = NULL;
	uint64_t last;
	if (reshape_resample_time(source, epoch_ns, NULL, &result, &last, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return result;
}

static void assert_same(const char *name, const struct trace *a, const struct trace *b)
{
	if (memcmp(trace_hash(a), trace_hash(b), HASH_BYTES) != 0)
		fail_msg("%s: another content", name);
}

/* The same length changes nothing; shorter and back by a whole factor brings everything back; over several blocks. */
static void test_there_and_back(void **state)
{
	(void)state;
	struct trace *source = build(2 * BLOCK_EPOCHS + 1, true), *same = by_time(source, MS(1));
	assert_same("same length", source, same);
	assert_null(trace_provenance(same)->text[PROVENANCE_EPOCH]);
	trace_free(same);
	static const uint64_t factors[] = {2, 5, 8};
	for (size_t i = 0; i < ARRAY_SIZE(factors); i++) {
		struct trace *shorter = by_time(source, MS(1) / factors[i]), *back = by_time(shorter, MS(1));
		assert_true(trace_nr_epochs(shorter) == trace_nr_epochs(source) * factors[i]);
		assert_same("there and back", source, back);
		trace_free(shorter);
		trace_free(back);
	}
	trace_free(source);
}

/* Results written as CSV, after the heading. */
static void expect_rows(const char *name, struct trace *trace, const char *rows)
{
	char *csv = csv_of(trace), *at = strstr(csv, HEAD);
	if (!at || strcmp(at + strlen(HEAD), rows) != 0)
		fail_msg("%s:\n%s", name, csv);
	free(csv);
}

static void test_time_by_hand(void **state)
{
	(void)state;
	static const char rows[] = "10,4,1,0,5,5,3,0\n20,1,1,1,0,0,2,2\n7,0,0,0,0,0,0,0\n";
	static const struct {
		const char *name;
		uint64_t epoch_ns, last_ns;
		const char *rows;
	} cases[] = {
		{"halves", MS(1) / 2, MS(1) / 2,
		 /* 1 event in two halves: to the first, as halves are rounded up; 3 others: 2 and 1 */
		 "5,3,1,0,3,3,2,0\n5,1,0,0,2,2,1,0\n10,1,1,1,0,0,1,1\n10,0,0,0,0,0,1,1\n4,0,0,0,0,0,0,0\n"
		 "3,0,0,0,0,0,0,0\n"},
		{"twice", MS(2), MS(1), "30,5,2,1,5,5,5,2\n7,0,0,0,0,0,0,0\n"},
		{"all", MS(3), MS(3), "37,5,2,1,5,5,5,2\n"},
		{"more than all", MS(3) + 1, MS(3), "37,5,2,1,5,5,5,2\n"},
		{"one ns less than all", MS(3) - 1, 1, "37,5,2,1,5,5,5,2\n0,0,0,0,0,0,0,0\n"},
		/* 1 1/2 epochs: 10 and half of 20 */
		{"crooked", MS(3) / 2, MS(3) / 2, "20,5,2,1,5,5,4,1\n17,0,0,0,0,0,1,1\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char csv[512];
		struct sahm_err err = untouched;
		uint64_t last = 0;
		snprintf(csv, sizeof(csv), "%s%s%s", NAMED, HEAD, rows);
		struct trace *source = must_read(csv), *result = NULL;
		assert_int_equal(reshape_resample_time(source, cases[i].epoch_ns, NULL, &result, &last, &err), SAHM_OK);
		expect_rows(cases[i].name, result, cases[i].rows);
		if (last != cases[i].last_ns)
			fail_msg("%s: the last epoch holds %" PRIu64 " ns", cases[i].name, last);
		trace_free(source);
		trace_free(result);
	}
}

/* Epochs without instructions at the beginning, on a boundary of the result, within an epoch and at the end. */
static void test_instructions_by_hand(void **state)
{
	(void)state;
	static const char rows[] = "0,0,0,1,0,0,0,0\n10,0,0,0,0,0,0,0\n0,0,0,20,0,0,0,0\n5,0,0,0,0,0,0,0\n"
				   "0,0,0,300,0,0,0,0\n5,0,0,10,0,0,0,0\n0,0,0,4000,0,0,0,0\n";
	static const struct {
		const char *name;
		uint64_t size, epoch_ns, expected_ns, last;
		const char *rows;
	} cases[] = {
		/* 7 ms in 2 epochs */
		{"ends with its last epoch", 10, 0, 3500000, 10, "10,0,0,1,0,0,0,0\n10,0,0,4330,0,0,0,0\n"},
		{"length given", 10, 5000, 5000, 10, "10,0,0,1,0,0,0,0\n10,0,0,4330,0,0,0,0\n"},
		/* 7 ms in 3 epochs, rounded */
		{"rest", 8, 0, 2333333, 4, "8,0,0,1,0,0,0,0\n8,0,0,322,0,0,0,0\n4,0,0,4008,0,0,0,0\n"},
		{"all", 20, 0, 7000000, 20, "20,0,0,4331,0,0,0,0\n"},
		{"more than all", UINT64_MAX, 0, 7000000, 20, "20,0,0,4331,0,0,0,0\n"},
		{"one less than all", 19, 0, 3500000, 1, "19,0,0,329,0,0,0,0\n1,0,0,4002,0,0,0,0\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char csv[512];
		struct sahm_err err = untouched;
		uint64_t last = 0;
		snprintf(csv, sizeof(csv), "%s%s%s", NAMED, HEAD, rows);
		struct trace *source = must_read(csv), *result = NULL;
		if (reshape_resample_instructions(source, cases[i].size, cases[i].epoch_ns, NULL, &result, &last,
						  &err) != SAHM_OK)
			fail_msg("%s: %s", cases[i].name, err.msg);
		expect_rows(cases[i].name, result, cases[i].rows);
		if (last != cases[i].last || trace_epoch_ns(result) != cases[i].expected_ns)
			fail_msg("%s: the last epoch holds %" PRIu64 ", each lasts %" PRIu64 " ns", cases[i].name, last,
				 trace_epoch_ns(result));
		trace_free(source);
		trace_free(result);
	}
}

/* The source's time, shared out among the epochs and rounded to the nearest ns. */
static void test_nominal_length(void **state)
{
	(void)state;
	static const struct {
		const char *rows;
		uint64_t expected_ns;
	} cases[] = {
		{"4,0,0,0,0,0,0,0\n", 250000},
		{"3,0,0,0,0,0,0,0\n", 333333},
		{"2,0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n", 666667},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char csv[512];
		struct sahm_err err = untouched;
		uint64_t last;
		snprintf(csv, sizeof(csv), "%s%s%s", NAMED, HEAD, cases[i].rows);
		struct trace *source = must_read(csv), *result = NULL;
		assert_int_equal(reshape_resample_instructions(source, 1, 0, NULL, &result, &last, &err), SAHM_OK);
		assert_int_equal(trace_epoch_ns(result), cases[i].expected_ns);
		trace_free(source);
		trace_free(result);
	}
}

/* Both sides of each limit. `size` is in ns, or in instructions when `instructions` says so. */
static void test_limits(void **state)
{
	(void)state;
#define MAX64 "18446744073709551615"
	static const struct {
		const char *name, *head, *rows;
		bool instructions;
		uint64_t size, epoch_ns;
		const char *message; /* NULL: none */
	} cases[] = {
		{"fits 64 bits", NAMED, MAX64 ",0,0,1,0,0,0,0\n0,0,0,0,0,0,0,0\n", false, MS(2), 0, NULL},
		{"does not", NAMED, MAX64 ",0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n", false, MS(2), 0,
		 "t.csv: instructions of epoch 0 of the result do not fit 64 bits; take shorter epochs"},
		{"only the whole does not", NAMED,
		 "0,0,0,0,0,0,0,0\n1,9223372036854775808,9223372036854775808,0,0,0,0,0\n"
		 "0,9223372036854775808,0,0,0,0,0,0\n",
		 true, 1, MS(1), "t.csv: branches of epoch 0 of the result do not fit 64 bits; take shorter epochs"},
		{"most epochs", "# sahm trace 1\n# epoch_ns: 1000\n", "4294967297,0,0,0,0,0,0,0\n", true, 1, 0,
		 "t.csv: the result would have more than 4294967296 epochs, the most that a trace can"},
		{"far more epochs", NAMED, MAX64 ",0,0,0,0,0,0,0\n" MAX64 ",0,0,0,0,0,0,0\n", true, 1, MS(1),
		 "t.csv: the result would have more than 4294967296 epochs, the most that a trace can"},
		{"too many epochs by time", "# sahm trace 1\n# epoch_ns: 1000000000000\n", ROW ROW ROW ROW ROW, false,
		 MIN_EPOCH_NS, 0,
		 "t.csv: the result would have more than 4294967296 epochs, the most that a trace can"},
		{"no instructions", NAMED, "0,1,1,1,1,1,1,1\n", true, 1, MS(1), "t.csv: the trace has no instructions"},
		{"shortest time", NAMED, "1000,0,0,0,0,0,0,0\n", true, 1, 0, NULL},
		{"too short a time", NAMED, "1001,0,0,0,0,0,0,0\n", true, 1, 0,
		 "t.csv: epochs of 1 instruction last 0.000999001 ms on average, must last from 0.001 to 1000000 ms; "
		 "--epoch-ms can say another time"},
		{"longest time", "# sahm trace 1\n# epoch_ns: 1000000000000\n", "7,0,0,0,0,0,0,0\n", true, 7, 0, NULL},
		{"too long a time", "# sahm trace 1\n# epoch_ns: 1000000000000\n", ROW ROW, true, 2000, 0,
		 "t.csv: epochs of 2000 instructions last 2000000 ms on average, must last from 0.001 to 1000000 ms; "
		 "--epoch-ms can say another time"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char csv[1024];
		struct sahm_err err = untouched;
		uint64_t last;
		snprintf(csv, sizeof(csv), "%s%s%s", cases[i].head, HEAD, cases[i].rows);
		struct trace *source = must_read(csv), *result = NULL;
		enum sahm_status status =
			cases[i].instructions
				? reshape_resample_instructions(source, cases[i].size, cases[i].epoch_ns, NULL, &result,
								&last, &err)
				: reshape_resample_time(source, cases[i].size, NULL, &result, &last, &err);
		if (status != (cases[i].message ? SAHM_RANGE : SAHM_OK) ||
		    strcmp(err.msg, cases[i].message ? cases[i].message : "untouched") != 0)
			fail_msg("%s: status %d, '%s'", cases[i].name, status, err.msg);
		trace_free(source);
		trace_free(result);
	}
#undef MAX64
}

static struct trace *slice(struct trace *source, uint64_t first, uint64_t end)
{
	struct sahm_err err = untouched;
	struct trace *result = NULL;
	if (reshape_slice(source, first, end, NULL, &result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return result;
}

static struct trace *offset(struct trace *source, uint64_t nr)
{
	struct sahm_err err = untouched;
	struct trace *result = NULL;
	if (reshape_offset(source, nr, NULL, &result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return result;
}

static struct trace *concat(struct trace *a, struct trace *b, struct textbuf *notes)
{
	struct sahm_err err = untouched;
	struct trace *result = NULL, *sources[] = {a, b};
	if (reshape_concat(sources, 2, NULL, notes, &result, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return result;
}

/* Cut in two at any place, joined again either way round. */
static void test_cut_and_join(void **state)
{
	(void)state;
	enum { NR = BLOCK_EPOCHS + 300 };
	static const uint64_t cuts[] = {1, 2, 255, 256, 257, BLOCK_EPOCHS - 1, BLOCK_EPOCHS, BLOCK_EPOCHS + 1, NR - 1};
	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++) {
		struct trace *source = build(NR, i % 2), *front = slice(source, 0, cuts[i]);
		struct trace *back = slice(source, cuts[i], NR), *joined = concat(front, back, NULL);
		struct trace *turned = concat(back, front, NULL), *later = offset(source, cuts[i]);
		struct trace *again = offset(later, NR - cuts[i]), *around = offset(source, cuts[i] + 3 * (uint64_t)NR);
		struct epoch_counts expected = counts_at(cuts[i]);
		if (i % 2 == 0)
			expected.count[COUNTER_CYCLES] = 0;
		assert_int_equal(trace_nr_epochs(front), cuts[i]);
		expect_epoch("back", back, 0, &expected);
		expect_epoch("later", later, 0, &expected);
		assert_same("joined", source, joined);
		assert_same("turned", turned, later);
		assert_same("there and back", source, again);
		assert_same("around", later, around);
		assert_true(trace_has_cycles(joined) == (i % 2 == 1));
		struct trace *all[] = {source, front, back, joined, turned, later, again, around};
		for (size_t t = 0; t < ARRAY_SIZE(all); t++)
			trace_free(all[t]);
	}
}

static void expect_text(const struct trace *trace, enum provenance_key key, const char *expected)
{
	const char *got = trace_provenance(trace)->text[key];
	if (!expected != !got || (got && strcmp(got, expected) != 0))
		fail_msg("%s: '%s', not '%s'", provenance_key_name(key), got ? got : "", expected ? expected : "");
}

static void test_provenance(void **state)
{
	(void)state;
	struct sahm_err err = untouched;
	struct trace *source = must_read(FULL), *cut = slice(source, 1, 3), *later = offset(cut, 3), *named = NULL;
	expect_text(cut, PROVENANCE_NAME, "prog");
	expect_text(cut, PROVENANCE_SOURCE, "recorded");
	expect_text(cut, PROVENANCE_EPOCH, "a stretch");
	expect_text(cut, PROVENANCE_NOTE, "caf\xc3\xa9: yes; slice: 2 of 3 epochs, from epoch 1 on");
	expect_text(later, PROVENANCE_NOTE,
		    "caf\xc3\xa9: yes; slice: 2 of 3 epochs, from epoch 1 on; offset: begins at epoch 1 of 2, "
		    "those before it follow at the end");
	assert_string_equal(trace_provenance(cut)->event[COUNTER_CYCLES], "cyc");
	assert_int_equal(reshape_slice(source, 0, 1, "other", &named, &err), SAHM_OK);
	expect_text(named, PROVENANCE_NAME, "other");
	trace_free(named);

	uint64_t last;
	struct trace *halves = by_time(source, 1250000), *counted = NULL, *small = slice(source, 2, 3);
	expect_text(halves, PROVENANCE_EPOCH, "1.25 ms; in the source: a stretch");
	expect_text(halves, PROVENANCE_NOTE, "caf\xc3\xa9: yes; resample: from epochs of 2.5 ms to epochs of 1.25 ms");
	assert_int_equal(reshape_resample_instructions(small, 2, 0, "n", &counted, &last, &err), SAHM_OK);
	struct trace *timed = by_time(counted, MS(1));
	expect_text(counted, PROVENANCE_NAME, "n");
	expect_text(counted, PROVENANCE_EPOCH, "2 instructions; in the source: a stretch");
	expect_text(timed, PROVENANCE_EPOCH, "1 ms; in the source: a stretch");
	struct trace *all[] = {source, cut, later, halves, counted, small, timed};
	for (size_t t = 0; t < ARRAY_SIZE(all); t++)
		trace_free(all[t]);
}

/* A note that is full loses its end, not what was done, and no half of a character stays. */
static void test_full_note(void **state)
{
	(void)state;
	static const char did[] = "slice: 1 of 1 epochs, from epoch 0 on", cut[] = " [...]; ";
	/* "; " and what was done just fit, and do not. */
	for (size_t more = 0; more <= 2; more++) {
		struct textbuf csv;
		size_t len = MAX_PROVENANCE_BYTES - 2 - strlen(did) + more;
		textbuf_init(&csv);
		textbuf_puts(&csv, "# sahm trace 1\n# note: ");
		if (len % 2)
			textbuf_putc(&csv, 'n');
		for (size_t i = 0; i < len / 2; i++)
			textbuf_puts(&csv, "\xc3\xa9");
		textbuf_puts(&csv, "\n" HEAD ROW);
		struct trace *source = must_read(csv.text), *result = slice(source, 0, 1);
		const char *note = trace_provenance(result)->text[PROVENANCE_NOTE];
		assert_string_equal(note + strlen(note) - strlen(did), did);
		const char *joint = strstr(note, cut);
		if (more == 0) {
			assert_int_equal(strlen(note), MAX_PROVENANCE_BYTES);
			assert_null(joint);
		} else {
			assert_true(strlen(note) >= MAX_PROVENANCE_BYTES - 1 && strlen(note) <= MAX_PROVENANCE_BYTES);
			assert_non_null(joint);
			assert_memory_equal(joint - 2, "\xc3\xa9", 2);
		}
		trace_free(source);
		trace_free(result);
		textbuf_release(&csv);
	}
}

#define PART(name, rest) "# sahm trace 1\n# name: " name "\n" rest "# epoch_ns: 1000000\n"

static void test_concat_provenance(void **state)
{
	(void)state;
	struct textbuf notes;
	textbuf_init(&notes);
	struct trace *a = must_read(PART("a", "# source: recorded\n# tool: x\n# machine: m\n# event.branches: b\n"
					      "# event.cycles: cyc\n") COLUMNS ",cycles\n1,0,0,0,0,0,0,0,5\n");
	struct trace *b =
		must_read(PART("b", "# source: recorded\n# tool: x\n# machine: n\n# epoch: e\n") HEAD ROW ROW);
	struct trace *c = must_read(PART("c", "# source: synthetic\n") HEAD ROW);
	struct trace *u = must_read(PART("a", "") HEAD ROW), *ab = concat(a, b, &notes), *abc, *au;
	assert_string_equal(notes.text, "cycles are left out, since 't.csv' has none\n"
					"left out of the provenance, since the parts differ: epoch, event.branches\n");
	expect_rows("a and b", ab, "1,0,0,0,0,0,0,0\n" ROW ROW);
	expect_text(ab, PROVENANCE_NAME, "a+b");
	expect_text(ab, PROVENANCE_SOURCE, "recorded");
	expect_text(ab, PROVENANCE_TOOL, "x");
	expect_text(ab, PROVENANCE_MACHINE, NULL);
	expect_text(ab, PROVENANCE_EPOCH, "not the same in all parts");
	expect_text(ab, PROVENANCE_NOTE, "concat: a (1 epoch), b (2 epochs)");
	assert_null(trace_provenance(ab)->event[COUNTER_CYCLES]);
	textbuf_release(&notes);
	textbuf_init(&notes);
	struct trace *bb = concat(b, b, &notes);
	assert_string_equal(notes.text, "");
	expect_text(bb, PROVENANCE_NAME, "b");
	expect_text(bb, PROVENANCE_EPOCH, "e");
	abc = concat(ab, c, NULL);
	expect_text(abc, PROVENANCE_SOURCE, "synthetic");
	assert_true(provenance_is_nominal(trace_provenance(abc)));
	expect_text(abc, PROVENANCE_NOTE, "concat: a+b (3 epochs), c (1 epoch)");
	assert_string_equal(trace_name(abc), "a+b+c-synthetic");
	au = concat(a, u, NULL);
	expect_text(au, PROVENANCE_NAME, "a");
	expect_text(au, PROVENANCE_SOURCE, NULL);
	assert_false(provenance_is_nominal(trace_provenance(au)));
	struct trace *all[] = {a, b, c, u, ab, bb, abc, au};
	for (size_t t = 0; t < ARRAY_SIZE(all); t++)
		trace_free(all[t]);
	textbuf_release(&notes);
}

/* The weakest origin counts; a trace of old says in its event what was assumed. */
static void test_concat_origins(void **state)
{
	(void)state;
	struct trace *a =
		must_read(PART("a", "# event.l2_misses: 0 an epoch, assumed\n# origin.branches: measured\n"
				    "# origin.l1i_misses: modelled\n# origin.l1d_misses: measured\n") HEAD ROW);
	struct trace *b = must_read(PART("b", "# origin.branches: measured\n# origin.l1i_misses: assumed\n"
					      "# origin.l1d_misses: modelled\n") HEAD ROW);
	struct trace *ab = concat(a, b, NULL), *cut = slice(ab, 1, 2);
	const struct provenance *p = trace_provenance(cut);
	struct counter_origins o = provenance_origins(p);
	assert_int_equal(o.of[ORIGIN_ASSUMED], 1u << COUNTER_L2_MISSES | 1u << COUNTER_L1I_MISSES);
	assert_int_equal(o.of[ORIGIN_MODELLED], 1u << COUNTER_L1D_MISSES);
	assert_string_equal(p->origin[COUNTER_BRANCHES], "measured");
	assert_null(p->origin[COUNTER_INSTRUCTIONS]);
	struct trace *all[] = {a, b, ab, cut};
	for (size_t t = 0; t < ARRAY_SIZE(all); t++)
		trace_free(all[t]);
}

/* Names that are too long together are cut, with nothing written beyond. */
static void test_long_names(void **state)
{
	(void)state;
	for (int len = 1; len <= 120; len++) {
		char csv[512], expected[512];
		snprintf(csv, sizeof(csv), "# sahm trace 1\n# name: %.*s\n" HEAD ROW, len,
			 "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
			 "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn");
		struct trace *a = must_read(csv), *b = must_read(PART("b", "") HEAD ROW), *ab = NULL;
		struct trace *c = by_time(b, MS(100)), *parts[] = {a, c};
		struct sahm_err err = untouched;
		assert_int_equal(reshape_concat(parts, 2, NULL, NULL, &ab, &err), SAHM_OK);
		const char *name = trace_name(ab);
		snprintf(expected, sizeof(expected), "%s+b", trace_name(a));
		if (strcmp(name, expected) != 0)
			assert_true(len > 90 && strlen(name) <= 100 && strstr(name, "..."));
		trace_free(a);
		trace_free(b);
		trace_free(c);
		trace_free(ab);
	}
}

static void test_concat_refused(void **state)
{
	(void)state;
	struct sahm_err err = untouched;
	struct trace *a = must_read_as("a", NAMED HEAD ROW, "a.csv", NULL, NULL);
	struct trace *b = must_read_as("b", HEAD ROW, "b.csv", NULL, NULL), *parts[] = {a, a, b}, *result = NULL;
	assert_int_equal(reshape_concat(parts, 3, NULL, NULL, &result, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "epochs of 'a.csv' last 1 ms, those of 'b.csv' 100 ms; sahm trace resample "
				     "--epoch-ms makes them the same");
	struct trace *other_way[] = {b, a};
	assert_int_equal(reshape_concat(other_way, 2, NULL, NULL, &result, &err), SAHM_RANGE);
	assert_string_equal(err.msg, "epochs of 'b.csv' last 100 ms, those of 'a.csv' 1 ms; sahm trace resample "
				     "--epoch-ms makes them the same");
	assert_null(result);
	trace_free(a);
	trace_free(b);
}

/* A block that is damaged is found, wherever it stands. */
static void test_damage(void **state)
{
	(void)state;
	struct trace *whole = build(BLOCK_EPOCHS + 1, false), *source, *result = NULL;
	struct sahm_err err = untouched;
	uint64_t last;
	size_t len;
	uint8_t *image = image_of(whole, &len);
	image[len - 9] ^= 1;
	source = must_open(image, len);
	assert_int_equal(reshape_resample_time(source, MS(1) / 2, NULL, &result, &last, &err), SAHM_CHECKSUM);
	assert_int_equal(reshape_resample_instructions(source, UINT64_MAX, 0, NULL, &result, &last, &err),
			 SAHM_CHECKSUM);
	assert_int_equal(reshape_offset(source, 1, NULL, &result, &err), SAHM_CHECKSUM);
	assert_int_equal(reshape_slice(source, 0, BLOCK_EPOCHS + 1, NULL, &result, &err), SAHM_CHECKSUM);
	assert_int_equal(reshape_concat(&source, 1, NULL, NULL, &result, &err), SAHM_CHECKSUM);
	assert_null(result);
	trace_free(slice(source, 0, BLOCK_EPOCHS));
	free(image);
	trace_free(source);
	trace_free(whole);
}

TEST_FILE(test_reshape)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_direct),
		cmocka_unit_test(test_one_part_each),
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_time_by_hand),
		cmocka_unit_test(test_instructions_by_hand),
		cmocka_unit_test(test_nominal_length),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_cut_and_join),
		cmocka_unit_test(test_provenance),
		cmocka_unit_test(test_full_note),
		cmocka_unit_test(test_concat_provenance),
		cmocka_unit_test(test_concat_origins),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_concat_refused),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
