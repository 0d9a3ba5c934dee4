/* Results as records again: rows read back as written, to the bit, and nothing else is the same. */
#include "results/store/store_internal.h"
#include "results/studies/evaluate.h"
#include "sim/base/array.h"
#include "sim/engine/sim.h"
#include "tests/unit/made_store.h"
#include "tests/unit/results/store/run_sql.h"

static double flipped(double value, unsigned bit)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	bits ^= UINT64_C(1) << bit;
	memcpy(&value, &bits, sizeof(bits));
	return value;
}

/* A record with all that there can be in one. */
static struct record *make_full(struct made_record *m)
{
	make_record(m, 1);
	m->record.message = "given up: 2 threads\nwaits for ever";
	m->record.has_intervals = true;
	m->record.metrics[3] = 0;
	m->record.metrics[4] = INFINITY;
	for (int i = 0; i < NR_RUN_METRICS; i++)
		m->record.intervals[i] =
			i % 3 ? (struct stats_interval){i, i - 0.1, i + 0.3} : (struct stats_interval){NAN, NAN, NAN};
	return &m->record;
}

/* Of a full record. */
static void leave(struct record *r)
{
	(void)r;
}
static void make_plain(struct record *r)
{
	r->message = "";
	r->has_intervals = false;
}
static void make_failure(struct record *r)
{
	*r = (struct record){.failed = true, .message = "it was killed by signal 9"};
}
static void make_mute_failure(struct record *r)
{
	*r = (struct record){.failed = true, .message = ""};
}
static void make_untidy_failure(struct record *r)
{
	r->failed = true;
}
/* As the evaluator "limit" gives them. */
static void make_limit(struct record *r)
{
	make_plain(r);
	for (int i = 0; i < NR_RUN_METRICS; i++)
		r->metrics[i] = i == 1 ? 1.0 / 3 : NAN;
	for (uint32_t t = 0; t < r->nr_threads; t++)
		r->threads[t] =
			(struct record_thread){r->threads[t].name, t ? 0.1 * t : NAN, NAN, NAN, 0, 0, 0, NAN, NAN};
}
static void make_empty(struct record *r)
{
	make_plain(r);
	r->nr_threads = r->nr_groups = r->nr_cores = 0;
	for (int i = 0; i < NR_RUN_METRICS; i++)
		r->metrics[i] = NAN;
}
static void make_extreme(struct record *r)
{
	static const double values[] = {
		4.9e-324, -1.7976931348623157e308, 9007199254740993.0, 1e19, -9223372036854775808.0, -INFINITY, 0.1,
		-7};
	for (int i = 0; i < NR_RUN_METRICS; i++)
		r->metrics[i] = r->intervals[i].low = values[i % 8];
	r->nr_cores = r->chip[0].count = UINT32_MAX;
	r->message = "\xff\xfe no UTF-8, \"quoted\", '; \x1b[2J";
	r->threads[0] = (struct record_thread){"",     1e300,	-1, 0, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1,
					       1e-300, INFINITY};
}
static void make_odd_numbers(struct record *r)
{
	r->metrics[0] = r->threads[1].speedup = r->intervals[1].low = -0.0;
	r->metrics[1] = r->threads[1].matched_share = r->intervals[2].high = flipped(-NAN, 3);
}

static const struct {
	const char *name;
	void (*make)(struct record *r);
	bool failed;
} kinds[] = {
	{"full", leave, false},
	{"plain", make_plain, false},
	{"failed", make_failure, true},
	{"failed without words", make_mute_failure, true},
	{"failed, untidy", make_untidy_failure, true},
	{"limit", make_limit, false},
	{"empty", make_empty, false},
	{"extreme", make_extreme, false},
	{"zero below zero and such", make_odd_numbers, false},
};
#define NR_KINDS ARRAY_SIZE(kinds)

static bool is_same(struct store *store, int64_t run, const struct record *r)
{
	bool same = false;
	MUST_WORK(store_is_same(store, run, r, &same, ERR));
	return same;
}

/* Rows read back as written; it is so in a store that is read, and what was read can be put again. */
static void test_round_trip(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * NR_KINDS; i++) {
		bool threads = i % 2, has_threads;
		struct made_folder f = make_folder();
		struct arena a;
		struct made_record made;
		struct record found;
		struct record *r = make_full(&made);
		kinds[i / 2].make(r);
		arena_init(&a);
		struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
		MUST_WORK(store_put(store, 1, r, threads, ERR));
		bool same = is_same(store, 1, r);
		MUST_WORK(store_close(store, ERR));
		store = open_store(in_folder(&f, "s.db"), STORE_READ);
		MUST_WORK(store_result(store, 1, &a, &found, &has_threads, ERR));
		if (!same || !is_same(store, 1, r) || !is_same(store, 1, &found))
			fail_msg("%s, %s threads: it is not the same", kinds[i / 2].name, threads ? "with" : "without");
		assert_int_equal(found.failed, kinds[i / 2].failed);
		assert_int_equal(has_threads, threads || r->failed || r->nr_threads == 0);
		assert_int_equal(found.nr_threads, r->failed ? 0 : r->nr_threads);
		assert_string_equal(found.message, r->message);
		MUST_WORK(store_close(store, ERR));
		store = open_store(NULL, STORE_WRITE);
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
		MUST_WORK(store_put(store, 1, &found, has_threads, ERR));
		if (!is_same(store, 1, r))
			fail_msg("%s: put again it is not the same", kinds[i / 2].name);
		MUST_WORK(store_close(store, ERR));
		arena_release(&a);
		remove_folder(&f);
	}
}

/* Member by member, not by what store_is_same() makes of it. */
static void test_members(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct arena a;
	struct made_record made;
	struct record found;
	bool has_threads;
	(void)state;
	arena_init(&a);
	plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
	MUST_WORK(store_put(store, 1, make_full(&made), true, ERR));
	MUST_WORK(store_put(store, 2, make_full(&made), false, ERR));
	for (int64_t run = 1; run <= 2; run++) {
		MUST_WORK(store_result(store, run, &a, &found, &has_threads, ERR));
		assert_int_equal(has_threads, run == 1);
		assert_string_equal(found.message, made.record.message);
		assert_true(!found.failed && found.synthetic && found.nominal && found.has_intervals);
		assert_true(found.nr_cores == 9 && found.nr_groups == 2 && found.nr_threads == MADE_THREADS);
		assert_string_equal(found.chip[1].type, "l2+branch");
		assert_string_equal(found.chip[1].speedups, "20,30");
		assert_int_equal(found.chip[1].count, 8);
		assert_true(found.metrics[2] == 1.25 && isinf(found.metrics[4]) && isnan(found.metrics[6]));
		assert_true(isnan(found.intervals[1].mean) && found.intervals[1].low == 1 - 0.1 &&
			    found.intervals[1].high == 1 + 0.3 && isnan(found.intervals[3].low));
		assert_true(found.timing.started_unix_ms == 0 && found.timing.wall_ns == 0 &&
			    found.timing.cpu_ns == 0 && found.timing.worker == 0);
	}
	assert_string_equal(found.threads[2].name, "");
	assert_true(isnan(found.threads[2].speedup) && found.threads[2].completed_ns == 0);
	MUST_WORK(store_result(store, 1, &a, &found, &has_threads, ERR));
	assert_string_equal(found.threads[1].name, "a, \"quoted\" name");
	assert_true(isnan(found.threads[0].speedup) && found.threads[2].speedup == 0.25 &&
		    found.threads[2].served_share == 0.25 && found.threads[2].matched_share == 1 &&
		    found.threads[2].completed_ns == 1002 && found.threads[2].present_ns == 2000 &&
		    found.threads[2].migrations == 2);
	arena_release(&a);
	MUST_WORK(store_close(store, ERR));
}

#define CHANGE(name, what)                                                                                             \
	static void change_##name(struct record *r)                                                                    \
	{                                                                                                              \
		what;                                                                                                  \
	}
CHANGE(nothing, (void)r)
CHANGE(timing, r->timing = (struct record_timing){0})
CHANGE(failed, r->failed = true)
CHANGE(message, r->message = "given up: 2 threads\nwaits for eveR")
CHANGE(no_message, r->message = "")
CHANGE(synthetic, r->synthetic = false)
CHANGE(nominal, r->nominal = false)
CHANGE(cores, r->nr_cores++)
CHANGE(group, r->nr_groups--)
CHANGE(type, r->chip[1].type = "l2+branci")
CHANGE(speedups, r->chip[1].speedups = "20,31")
CHANGE(count, r->chip[0].count++)
CHANGE(last_bit, r->metrics[1] = flipped(r->metrics[1], 0))
CHANGE(first_bit, r->metrics[1] = flipped(r->metrics[1], 63))
CHANGE(last_metric, r->metrics[NR_RUN_METRICS - 1] = 0)
CHANGE(to_nan, r->metrics[0] = NAN)
CHANGE(from_nan, r->metrics[6] = 0)
CHANGE(other_nan, r->metrics[6] = flipped(NAN, 1))
CHANGE(below_zero, r->metrics[3] = -0.0)
CHANGE(not_zero, r->metrics[3] = 4.9e-324)
CHANGE(infinity, r->metrics[4] = -INFINITY)
CHANGE(no_intervals, r->has_intervals = false)
CHANGE(low, r->intervals[1].low = flipped(r->intervals[1].low, 0))
CHANGE(high, r->intervals[NR_RUN_METRICS - 1].high = 5)
CHANGE(mean, r->intervals[1].mean++)
CHANGE(fewer_threads, r->nr_threads--)
CHANGE(name, r->threads[2].name = "lbm (synthetid)")
CHANGE(speedup, r->threads[1].speedup = flipped(r->threads[1].speedup, 0))
CHANGE(served, r->threads[1].served_share = flipped(r->threads[1].served_share, 0))
CHANGE(matched, r->threads[1].matched_share = flipped(r->threads[1].matched_share, 0))
CHANGE(completed, r->threads[0].completed_ns ^= 1)
CHANGE(present, r->threads[2].present_ns ^= UINT64_C(1) << 40)
CHANGE(migrations, r->threads[2].migrations ^= 1)
CHANGE(energy, r->threads[2].energy_j = flipped(r->threads[2].energy_j, 0))
CHANGE(instruction, r->threads[0].instruction_nj = 0)

static void test_differences(void **state)
{
	static const struct {
		const char *name;
		void (*change)(struct record *r);
		bool same, same_without_threads;
	} rows[] = {
		{"nothing", change_nothing, true, true},
		{"timing", change_timing, true, true},
		{"failed", change_failed, false, false},
		{"a letter of the message", change_message, false, false},
		{"no message", change_no_message, false, false},
		{"synthetic", change_synthetic, false, false},
		{"nominal", change_nominal, false, false},
		{"cores", change_cores, false, false},
		{"a group less", change_group, false, false},
		{"type", change_type, false, false},
		{"speedups", change_speedups, false, false},
		{"count", change_count, false, false},
		{"last bit of a metric", change_last_bit, false, false},
		{"sign of a metric", change_first_bit, false, false},
		{"last metric", change_last_metric, false, false},
		{"no number where one was", change_to_nan, false, false},
		{"a number where none was", change_from_nan, false, false},
		{"no number in other bits", change_other_nan, true, true},
		{"zero below zero", change_below_zero, true, true},
		{"the least number for zero", change_not_zero, false, false},
		{"the other infinity", change_infinity, false, false},
		{"no intervals", change_no_intervals, false, false},
		{"last bit of a low", change_low, false, false},
		{"a high", change_high, false, false},
		{"a mean, which no store has", change_mean, true, true},
		{"a thread less", change_fewer_threads, false, false},
		{"thread's name", change_name, false, true},
		{"thread's speedup", change_speedup, false, true},
		{"thread's served share", change_served, false, true},
		{"thread's matched share", change_matched, false, true},
		{"thread's completed time", change_completed, false, true},
		{"thread's present time", change_present, false, true},
		{"thread's migrations", change_migrations, false, true},
		{"thread's energy", change_energy, false, true},
		{"thread's energy per instruction", change_instruction, false, true},
	};
	struct store *store = open_store(NULL, STORE_WRITE);
	struct made_record made;
	(void)state;
	plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
	MUST_WORK(store_put(store, 1, make_full(&made), true, ERR));
	MUST_WORK(store_put(store, 2, make_full(&made), false, ERR));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record *r = make_full(&made);
		rows[i].change(r);
		if (is_same(store, 1, r) != rows[i].same || is_same(store, 2, r) != rows[i].same_without_threads)
			fail_msg("%s: the same %d, without threads %d", rows[i].name, is_same(store, 1, r),
				 is_same(store, 2, r));
	}
	MUST_WORK(store_close(store, ERR));
}

/* Times are kept up to the maximum, and are the maximum beyond. */
static void test_huge_times(void **state)
{
	static const struct {
		const char *name;
		uint64_t one, other;
		bool same;
	} rows[] = {
		{"one below the greatest", INT64_MAX - 1, INT64_MAX, false},
		{"one above the greatest", INT64_MAX, (uint64_t)INT64_MAX + 1, true},
		{"all above", (uint64_t)INT64_MAX + 1, UINT64_MAX, true},
		{"the greatest and nothing", UINT64_MAX, 0, false},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (unsigned member = 0; member < 3; member++) {
			struct store *store = open_store(NULL, STORE_WRITE);
			struct made_record made;
			make_record(&made, 0);
			uint64_t *const members[] = {&made.threads[0].completed_ns, &made.threads[0].present_ns,
						     &made.threads[0].migrations};
			plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
			*members[member] = rows[i].one;
			MUST_WORK(store_put(store, 1, &made.record, true, ERR));
			assert_true(is_same(store, 1, &made.record));
			*members[member] = rows[i].other;
			if (is_same(store, 1, &made.record) != rows[i].same)
				fail_msg("%s, member %u", rows[i].name, member);
			MUST_WORK(store_close(store, ERR));
		}
	}
}

/* Of failures the message counts, and nothing else; a failure is no result. */
static void test_failures(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct made_record made;
	struct record *r = make_full(&made);
	(void)state;
	plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
	MUST_WORK(store_put(store, 1, &(struct record){.failed = true, .message = "too long"}, true, ERR));
	MUST_WORK(store_put(store, 2, &(struct record){.failed = true, .message = ""}, true, ERR));
	r->failed = true;
	r->message = "too long";
	assert_true(is_same(store, 1, r) && !is_same(store, 2, r));
	r->message = "too lon";
	assert_true(!is_same(store, 1, r) && !is_same(store, 2, r));
	r->message = "";
	assert_true(!is_same(store, 1, r) && is_same(store, 2, r));
	r->failed = false;
	assert_true(!is_same(store, 1, r) && !is_same(store, 2, r));
	MUST_WORK(store_close(store, ERR));
}

static void test_finds_runs(void **state)
{
	struct store *store = open_store(NULL, STORE_WRITE);
	struct made_record made;
	struct sahm_err err;
	struct arena a;
	struct record found;
	bool has_threads, same;
	(void)state;
	arena_init(&a);
	plan_sweep(store, &(struct made_sweep){.nr_x = 2, .step = 1});
	MUST_WORK(store_put(store, 2, make_record(&made, 0), true, ERR));
	MUST_WORK(store_put(store, 3, &(struct record){.failed = true, .message = "x"}, true, ERR));
	static const struct {
		const char *name;
		uint64_t number;
		bool found;
		int64_t run;
		enum run_state state;
	} rows[] = {{"planned", 0, true, 1, RUN_PLANNED},
		    {"done", 1, true, 2, RUN_DONE},
		    {"failed", 2, true, 3, RUN_FAILED},
		    {"not there", 99, false, 0, RUN_PLANNED}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t hash[HASH_BYTES];
		int64_t run = -1;
		enum run_state stands = RUN_FAILED;
		bool there = !rows[i].found;
		hash_of_number(rows[i].number, hash);
		MUST_WORK(store_find_run(store, hash, &run, &stands, &there, ERR));
		if (there != rows[i].found || run != rows[i].run || stands != rows[i].state)
			fail_msg("%s: found %d, run %lld, state %d", rows[i].name, there, (long long)run, stands);
	}
	expect_failure(store_result(store, 1, &a, &found, &has_threads, &err), &err, SAHM_RANGE,
		       "results file 'temporary' has no run 1 that is done or failed");
	expect_failure(store_is_same(store, 1, &made.record, &same, &err), &err, SAHM_RANGE,
		       "results file 'temporary' has no run 1 that is done or failed");
	expect_failure(store_is_same(store, 5, &made.record, &same, &err), &err, SAHM_RANGE,
		       "results file 'temporary' has no run 5");
	/* All that gives up nothing, and commits nothing. */
	expect_counts(store, 1, &(struct store_counts){4, 2, 1, 1, 0});
	store_undo(store);
	expect_counts(store, 1, &(struct store_counts){4, 4, 0, 0, 0});
	arena_release(&a);
	MUST_WORK(store_close(store, ERR));
}

/* Rows from elsewhere that are none. */
static void test_damaged(void **state)
{
	static const struct {
		const char *name, *sql, *what;
	} rows[] = {
		{"state beyond", "UPDATE run SET state = 3", "its state is invalid"},
		{"state below", "UPDATE run SET state = -1", "its state is invalid"},
		{"state in words", "UPDATE run SET state = 'done'", "its state is invalid"},
		{"message of bytes", "UPDATE run SET message = x'41'", "its message is not text"},
		{"message with a NUL", "UPDATE run SET message = CAST(x'610062' AS TEXT)", "its message is not text"},
		{"no chip", "UPDATE run SET chip = NULL", "its row is damaged"},
		{"cores below", "UPDATE run SET nr_cores = -1", "its row is damaged"},
		{"cores beyond", "UPDATE run SET nr_cores = 4294967296", "its row is damaged"},
		{"no threads", "UPDATE run SET nr_threads = NULL", "its row is damaged"},
		{"synthetic", "UPDATE run SET synthetic = 2", "its row is damaged"},
		{"nominal", "UPDATE run SET nominal_time = 'no'", "its row is damaged"},
		{"metric in words", "UPDATE run SET speedup_mean = 'much'", "its row is damaged"},
		{"a core less", "DELETE FROM chip_core WHERE row = 0", "its chip is damaged"},
		{"core's count", "UPDATE chip_core SET count = -1", "its chip is damaged"},
		{"core's type", "UPDATE chip_core SET type = x'41'", "its chip is damaged"},
		{"core's speedups", "UPDATE chip_core SET speedups_pct = CAST(x'0041' AS TEXT)", "its chip is damaged"},
		{"a thread less", "DELETE FROM thread WHERE thread = 2", "its threads are not all there"},
		{"a thread more", "UPDATE run SET nr_threads = 2", "its threads are not all there"},
		{"thread's number", "UPDATE thread SET thread = 7 WHERE thread = 2", "its threads are damaged"},
		{"thread's name", "DELETE FROM thread_name WHERE id = 1", "its threads are damaged"},
		{"thread's time", "UPDATE thread SET present_ns = -1", "its threads are damaged"},
		{"thread's migrations", "UPDATE thread SET migrations = 0.5", "its threads are damaged"},
		{"thread's energy", "UPDATE thread SET energy_j = 'much'", "its threads are damaged"},
		{"thread's share", "UPDATE thread SET served_share = x'00'", "its threads are damaged"},
		{"an interval less", "DELETE FROM interval WHERE metric = 'speedup_mean'", "its intervals are damaged"},
		{"an interval more", "INSERT INTO interval VALUES (1, 'x', 0, 0)", "its intervals are damaged"},
		{"unknown metric", "UPDATE interval SET metric = 'x' WHERE metric = 'speedup_mean'",
		 "its intervals are damaged"},
		{"interval in words", "UPDATE interval SET high = 'much'", "its intervals are damaged"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct made_folder f = make_folder();
		struct made_record made;
		struct sahm_err err = {0};
		struct record found;
		bool has_threads;
		struct arena a;
		char expected[256];
		arena_init(&a);
		struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
		MUST_WORK(store_put(store, 1, make_full(&made), true, ERR));
		MUST_WORK(store_close(store, ERR));
		run_sql(in_folder(&f, "s.db"), rows[i].sql);
		store = open_store(in_folder(&f, "s.db"), STORE_READ);
		snprintf(expected, sizeof(expected), "results file '%s' is damaged: run 1: %s", in_folder(&f, "s.db"),
			 rows[i].what);
		enum sahm_status status = store_result(store, 1, &a, &found, &has_threads, &err);
		if (status != SAHM_FORMAT || strcmp(err.msg, expected) != 0)
			fail_msg("%s: status %d, '%s'", rows[i].name, status, err.msg);
		store_abandon(store);
		arena_release(&a);
		remove_folder(&f);
	}
}

/* How many threads there were is believed, where they are not there, up to as many as there can be. */
static void test_many_threads(void **state)
{
	(void)state;
	for (uint32_t more = 0; more < 2; more++) {
		struct made_folder f = make_folder();
		struct made_record made;
		struct sahm_err err;
		struct record found;
		bool has_threads;
		struct arena a;
		char words[256];
		uint8_t hash[HASH_BYTES];
		int64_t run;
		enum run_state stands;
		arena_init(&a);
		struct store *store = open_store(in_folder(&f, "s.db"), STORE_WRITE);
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
		MUST_WORK(store_put(store, 1, make_full(&made), false, ERR));
		MUST_WORK(store_close(store, ERR));
		snprintf(words, sizeof(words),
			 "UPDATE run SET nr_threads = %u WHERE id = 1; UPDATE run SET state = 9 "
			 "WHERE id = 2",
			 MAX_THREADS + more);
		run_sql(in_folder(&f, "s.db"), words);
		store = open_store(in_folder(&f, "s.db"), STORE_READ);
		snprintf(words, sizeof(words), "results file '%s' is damaged: run 1: its threads are not all there",
			 in_folder(&f, "s.db"));
		if (more) {
			expect_failure(store_result(store, 1, &a, &found, &has_threads, &err), &err, SAHM_FORMAT,
				       words);
		} else {
			MUST_WORK(store_result(store, 1, &a, &found, &has_threads, ERR));
			assert_true(found.nr_threads == MAX_THREADS && !has_threads);
		}
		hash_of_number(1, hash);
		snprintf(words, sizeof(words), "results file '%s' is damaged: run 2: its state is invalid",
			 in_folder(&f, "s.db"));
		expect_failure(store_find_run(store, hash, &run, &stands, &has_threads, &err), &err, SAHM_FORMAT,
			       words);
		store_abandon(store);
		arena_release(&a);
		remove_folder(&f);
	}
}

/* Results of evaluators: evaluated a second time it is what the store has. */
static void test_evaluated(void **state)
{
	static const struct {
		const char *name;
		enum evaluator evaluator;
		const char *settings[2];
		bool has_intervals;
	} rows[] = {
		{"a run", EVALUATE_RUN, {"workload.duration_ms=50", "workload.seed=1"}, false},
		{"several samples", EVALUATE_RUN, {"workload.duration_ms=50", "workload.samples=3"}, true},
		{"the limit", EVALUATE_LIMIT, {"workload.duration_ms=50", "workload.seed=1"}, false},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct store *store = open_store(NULL, STORE_WRITE);
		struct run_config config;
		struct record first, again;
		struct arena a;
		arena_init(&a);
		MUST_WORK(run_config_load(&config, "configs/canonical.cfg", rows[i].settings, 2, NULL, ERR));
		MUST_WORK(evaluate(&config, rows[i].evaluator, &a, &first, ERR));
		MUST_WORK(evaluate(&config, rows[i].evaluator, &a, &again, ERR));
		plan_sweep(store, &(struct made_sweep){.nr_x = 1, .step = 1});
		MUST_WORK(store_put(store, 1, &first, true, ERR));
		MUST_WORK(store_put(store, 2, &first, false, ERR));
		if (first.failed || first.has_intervals != rows[i].has_intervals || !is_same(store, 1, &again) ||
		    !is_same(store, 2, &again))
			fail_msg("%s: it is not the same", rows[i].name);
		again.metrics[RUN_METRIC_speedup_mean] = flipped(again.metrics[RUN_METRIC_speedup_mean], 0);
		if (is_same(store, 1, &again) || is_same(store, 2, &again))
			fail_msg("%s: another bit is the same", rows[i].name);
		run_config_release(&config);
		arena_release(&a);
		MUST_WORK(store_close(store, ERR));
	}
}

TEST_FILE(test_store_result)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_members),
		cmocka_unit_test(test_differences),  cmocka_unit_test(test_huge_times),
		cmocka_unit_test(test_evaluated),    cmocka_unit_test(test_failures),
		cmocka_unit_test(test_finds_runs),   cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_many_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
