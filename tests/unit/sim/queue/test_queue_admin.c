/* What operators see of a queue, and what they do to it; on a real server. */
#include "sim/base/array.h"
#include "tests/unit/sim/queue/made_run_queue.h"

#define CLAIM_MS "30000"

/* ---- Seeing ---- */

static void expect_counts_of(struct queue *q, const char *program, const struct queue_counts *expected)
{
	struct queue_counts c;
	MUST_WORK(queue_count(q, program, &c, ERR));
	if (memcmp(&c, expected, sizeof(c)) != 0)
		fail_msg("%s: waiting %llu, claimed %llu, abandoned %llu, dead %llu, results %llu (%llu bytes), "
			 "submissions %llu, workers %llu, %s",
			 program ? program : "all", (unsigned long long)c.waiting, (unsigned long long)c.claimed,
			 (unsigned long long)c.abandoned, (unsigned long long)c.dead, (unsigned long long)c.results,
			 (unsigned long long)c.result_bytes, (unsigned long long)c.submissions,
			 (unsigned long long)c.workers, c.draining ? "draining" : "not draining");
}

static void test_nothing_is_there(void **state)
{
	struct queue q = open_empty();
	struct arena a;
	struct queue_counts none;
	const char **programs;
	struct queue_submission *submissions;
	struct queue_worker_row *workers;
	struct queue_letter *letters;
	size_t nr;
	(void)state;
	arena_init(&a);
	memset(&none, 0, sizeof(none));
	expect_counts_of(&q, NULL, &none);
	expect_counts_of(&q, PROGRAM, &none);
	MUST_WORK(queue_programs(&q, &a, &programs, &nr, ERR));
	assert_int_equal(nr, 0);
	MUST_WORK(queue_submissions(&q, &a, &submissions, &nr, ERR));
	assert_int_equal(nr, 0);
	MUST_WORK(queue_workers(&q, &a, &workers, &nr, ERR));
	assert_int_equal(nr, 0);
	MUST_WORK(queue_letters(&q, &a, 10, &letters, &nr, ERR));
	assert_int_equal(nr, 0);
	/* Looking leaves nothing. */
	assert_int_equal(nr_keys(&q), 0);
	arena_release(&a);
	queue_disconnect(&q);
}

/* Milliseconds of the server's clock, as text. */
static const char *server_ms(struct queue *q, int64_t later)
{
	static char text[32];
	int64_t s = 0, us = 0;
	redis_words_begin(&q->words, "TIME");
	struct reply *reply = call(q);
	assert_true(reply_number(reply->elements[0], 0, INT64_MAX, &s) &&
		    reply_number(reply->elements[1], 0, INT64_MAX, &us));
	reply_free(reply);
	snprintf(text, sizeof(text), "%lld", (long long)(s * 1000 + us / 1000 + later));
	return text;
}

static void test_counts(void **state)
{
	struct queue q = open_empty();
	struct queue_counts mine, others, all;
	(void)state;
	for (unsigned i = 0; i < 7; i++)
		add_run(&q, PROGRAM, 'A', i);
	for (unsigned i = 7; i < 9; i++)
		add_run(&q, OTHER, 'A', i);
	take(&q, PROGRAM, "w1", "3");
	/* One of the three is as old as a claim gets. */
	queue_begin(&q, "XREADGROUP GROUP workers w2 COUNT 1 STREAMS", JOBS, "");
	redis_word(&q.words, ">");
	struct reply *reply = call(&q);
	const char *id = reply->elements[0]->elements[1]->elements[0]->elements[0]->bytes;
	DO(&q, "XCLAIM", JOBS, "workers", "w2", "0", id, "IDLE", CLAIM_MS, "JUSTID");
	reply_free(reply);
	add_letter(&q, PROGRAM, 'A', 20, NULL);
	add_letter(&q, PROGRAM, 'A', 21, NULL);
	add_letter(&q, OTHER, 'A', 22, NULL);
	add_submission(&q, "aa", 'A', "5");
	DO(&q, "XADD", "results", "*", "r", "x");
	DO(&q, "HSET", "meta", "result_bytes", "77");
	/* Heard of within two claims, or a little before. */
	DO(&q, "ZADD", "workers", server_ms(&q, -50000), "w1");
	DO(&q, "ZADD", "workers", server_ms(&q, -61000), "w2");
	memset(&mine, 0, sizeof(mine));
	memset(&others, 0, sizeof(others));
	memset(&all, 0, sizeof(all));
	mine.waiting = 3;
	mine.claimed = 4;
	mine.abandoned = 1;
	mine.dead = 2;
	mine.results = 1;
	mine.result_bytes = 77;
	mine.submissions = 1;
	mine.workers = 1;
	others = all = mine;
	others.waiting = 2;
	others.claimed = others.abandoned = 0;
	others.dead = 1;
	all.waiting = 5;
	all.dead = 3;
	expect_counts_of(&q, PROGRAM, &mine);
	expect_counts_of(&q, OTHER, &others);
	expect_counts_of(&q, NULL, &all);
	struct queue_counts each;
	struct queue_program *programs;
	struct queue_worker_row *w;
	struct arena a;
	size_t nr, nr_workers;
	arena_init(&a);
	DO(&q, "HSET", "worker:w1", "held", "99");
	MUST_WORK(queue_workers(&q, &a, &w, &nr_workers, ERR));
	MUST_WORK(queue_count_each(&q, &a, &each, &programs, &nr, w, nr_workers, ERR));
	assert_memory_equal(&each, &all, sizeof(all));
	assert_int_equal(nr, 2);
	for (size_t i = 0; i < nr; i++) {
		const struct queue_counts *expected = strcmp(programs[i].name, PROGRAM) == 0 ? &mine : &others;
		assert_string_equal(programs[i].name, expected == &mine ? PROGRAM : OTHER);
		assert_int_equal(programs[i].counts.waiting, expected->waiting);
		assert_int_equal(programs[i].counts.claimed, expected->claimed);
		assert_int_equal(programs[i].counts.abandoned, expected->abandoned);
		assert_int_equal(programs[i].counts.dead, expected->dead);
	}
	assert_string_not_equal(programs[0].name, programs[1].name);
	/* What workers tell of themselves may be old. */
	assert_int_equal(nr_workers, 2);
	assert_int_equal(w[0].claimed, 3);
	assert_int_equal(w[1].claimed, 1);
	/* Keys that belong to no program are there all the same. */
	DO(&q, "XADD", "dead", "99-1", "nothing", "of it");
	MUST_WORK(queue_count_each(&q, &a, &each, &programs, &nr, w, nr_workers, ERR));
	assert_int_equal(each.dead, 4);
	assert_int_equal(programs[0].counts.dead + programs[1].counts.dead, 3);
	arena_release(&a);
	queue_disconnect(&q);
}

/* More than are listed at a time. */
static void test_many_are_abandoned(void **state)
{
	struct queue q = open_empty();
	struct queue_counts c;
	(void)state;
	for (unsigned i = 0; i < 1100; i++)
		add_run(&q, PROGRAM, 'A', i);
	take(&q, PROGRAM, "w1", "1100");
	MUST_WORK(queue_count(&q, NULL, &c, ERR));
	assert_int_equal(c.claimed, 1100);
	assert_int_equal(c.abandoned, 0);
	q.claim_ms = 1;
	sleep_ms(20);
	MUST_WORK(queue_count(&q, NULL, &c, ERR));
	assert_int_equal(c.abandoned, 1100);
	assert_int_equal(c.waiting, 0);
	queue_disconnect(&q);
}

static void test_programs(void **state)
{
	struct queue q = open_empty();
	struct arena a;
	const char **programs;
	size_t nr;
	char longest[MAX_QUEUE_PROGRAM + 2];
	(void)state;
	arena_init(&a);
	DO(&q, "SADD", "programs", "0.2", "0.1", "\033[2J", "");
	memset(longest, 'x', sizeof(longest));
	longest[MAX_QUEUE_PROGRAM + 1] = '\0';
	DO(&q, "SADD", "programs", longest);
	longest[MAX_QUEUE_PROGRAM] = '\0';
	DO(&q, "SADD", "programs", longest);
	MUST_WORK(queue_programs(&q, &a, &programs, &nr, ERR));
	assert_int_equal(nr, 3);
	assert_string_equal(programs[0], "0.1");
	assert_string_equal(programs[1], "0.2");
	assert_string_equal(programs[2], longest);
	arena_release(&a);
	queue_disconnect(&q);
}

static void read_results(struct queue *q, const char *group, const char *count)
{
	redis_words_begin(&q->words, "XREADGROUP GROUP");
	redis_word(&q->words, group);
	redis_word(&q->words, "collector");
	redis_word(&q->words, "COUNT");
	redis_word(&q->words, count);
	redis_word(&q->words, "STREAMS");
	queue_key(q, "results", "");
	redis_word(&q->words, ">");
	reply_free(call(q));
}

static void test_submissions(void **state)
{
	struct queue q = open_empty();
	struct arena a;
	struct queue_submission *s;
	size_t nr;
	(void)state;
	arena_init(&a);
	add_submission(&q, "aa", 'A', "2000");
	add_submission(&q, "bb", 'B', "1000");
	add_submission(&q, "0c", 'B', "2000");
	DO(&q, "SADD", "submissions", "dd", "none: an id", "0123456789abcdef0123456789abcdef0", "AA");
	DO(&q, "HSET", "submission:dd", "submitted", "soon", "runs", "-3");
	for (unsigned i = 1; i <= 5; i++) {
		char entry[16];
		snprintf(entry, sizeof(entry), "%u-0", i);
		DO(&q, "XADD", "results", entry, "r", "x");
	}
	/* Of five entries "bb" has taken two, one of which is acknowledged. */
	read_results(&q, "bb", "2");
	DO(&q, "XACK", "results", "bb", "1-0");
	MUST_WORK(queue_submissions(&q, &a, &s, &nr, ERR));
	assert_int_equal(nr, 4);
	assert_string_equal(s[0].id, "dd");
	assert_string_equal(s[0].program, "");
	assert_string_equal(s[0].name, "");
	assert_int_equal(s[0].nr_runs, 0);
	assert_int_equal(s[0].submitted_unix_ms, 0);
	assert_int_equal(s[0].uncollected, 0);
	assert_string_equal(s[1].id, "bb");
	assert_string_equal(s[1].program, PROGRAM);
	assert_string_equal(s[1].name, "made ?[0m");
	assert_string_equal(s[1].host, "desk");
	assert_int_equal(s[1].nr_runs, 12);
	assert_int_equal(s[1].submitted_unix_ms, 1000);
	assert_int_equal(s[1].uncollected, 4);
	assert_string_equal(s[2].id, "0c");
	assert_int_equal(s[2].uncollected, 5);
	assert_string_equal(s[3].id, "aa");
	/* One that "bb" has not read is gone: the server does not know how many it has before it. */
	DO(&q, "XDEL", "results", "4-0");
	MUST_WORK(queue_submissions(&q, &a, &s, &nr, ERR));
	assert_int_equal(s[1].uncollected, 4);
	arena_release(&a);
	queue_disconnect(&q);
}

static void test_workers(void **state)
{
	struct queue q = open_empty();
	struct arena a;
	struct queue_worker_row *w;
	size_t nr;
	(void)state;
	arena_init(&a);
	DO(&q, "ZADD", "workers", server_ms(&q, -7000), "b:2");
	DO(&q, "ZADD", "workers", server_ms(&q, 60000), "a:1");
	DO(&q, "ZADD", "workers", "inf", "c");
	DO(&q, "ZADD", "workers", "5", "\033c");
	DO(&q, "HSET", "worker:a:1", "host", "node\t1", "pid", "12", "processes", "4", "started", "1700", "done", "5",
	   "failed", "x", "busy_ms", "-1", "held", "99999999999999999999");
	MUST_WORK(queue_workers(&q, &a, &w, &nr, ERR));
	assert_int_equal(nr, 2);
	assert_string_equal(w[0].name, "a:1");
	assert_string_equal(w[0].vitals.host, "node?1");
	assert_int_equal(w[0].vitals.pid, 12);
	assert_int_equal(w[0].vitals.processes, 4);
	assert_int_equal(w[0].vitals.started_unix_ms, 1700);
	assert_int_equal(w[0].vitals.done, 5);
	assert_int_equal(w[0].vitals.failed, 0);
	assert_int_equal(w[0].vitals.busy_ms, 0);
	assert_int_equal(w[0].vitals.held, 0);
	assert_int_equal(w[0].silent_ms, 0);
	assert_string_equal(w[1].name, "b:2");
	assert_string_equal(w[1].vitals.host, "");
	assert_in_range(w[1].silent_ms, 7000, 17000);
	arena_release(&a);
	queue_disconnect(&q);
}

static void test_letters(void **state)
{
	struct queue q = open_empty();
	struct arena a;
	struct queue_letter *l;
	size_t nr;
	char b[HASH_BYTES + 1];
	(void)state;
	arena_init(&a);
	fill('A', b);
	add_letter(&q, PROGRAM, 'A', 1, NULL);
	DO(&q, "XADD", "dead", "3-1", "nothing", "of it");
	DO(&q, "XADD", "dead", "4-1", "b", b, "p", "none", "r", b);
	DO(&q, "XADD", "dead", "5-1", "b", b, "p", "4", "r", "too short");
	DO(&q, "XADD", "dead", "6-1", "b", b, "p", "4", "r", b);
	add_letter(&q, OTHER, 'B', 9, NULL);
	MUST_WORK(queue_letters(&q, &a, 100, &l, &nr, ERR));
	assert_int_equal(nr, 3);
	assert_string_equal(l[0].id, "2-1");
	assert_memory_equal(l[0].run.hash, run_at(1), HASH_BYTES);
	assert_memory_equal(l[0].run.bundle, b, HASH_BYTES);
	assert_int_equal(l[0].run.position, 1);
	assert_string_equal(l[0].program, PROGRAM);
	assert_string_equal(l[0].why, "why ?[1m");
	assert_int_equal(l[0].tries, 3);
	assert_string_equal(l[1].id, "6-1");
	assert_string_equal(l[1].program, "");
	assert_string_equal(l[1].why, "");
	assert_int_equal(l[1].tries, 0);
	assert_string_equal(l[2].program, OTHER);
	MUST_WORK(queue_letters(&q, &a, 1, &l, &nr, ERR));
	assert_int_equal(nr, 1);
	assert_string_equal(l[0].id, "2-1");
	arena_release(&a);
	queue_disconnect(&q);
}

static void test_memory(void **state)
{
	struct queue q = open_empty();
	uint64_t before, after;
	char *large = calloc(1, 3000001);
	(void)state;
	assert_non_null(large);
	memset(large, 'x', 3000000);
	MUST_WORK(queue_memory(&q, &before, ERR));
	DO(&q, "SET", "file:x", large);
	MUST_WORK(queue_memory(&q, &after, ERR));
	assert_in_range(after, before + 2900000, before + 10000000);
	free(large);
	queue_disconnect(&q);
}

static void tell_server(struct queue *q, const char *words)
{
	redis_words_begin(&q->words, words);
	reply_free(call(q));
}

static void test_servers_that_evict(void **state)
{
	static const struct {
		const char *name, *limit, *policy;
		bool evicts;
	} rows[] = {
		{"no limit", "CONFIG SET maxmemory 0", "CONFIG SET maxmemory-policy noeviction", false},
		{"no limit that it could reach", "CONFIG SET maxmemory 0", "CONFIG SET maxmemory-policy allkeys-lru",
		 false},
		{"a limit", "CONFIG SET maxmemory 100mb", "CONFIG SET maxmemory-policy noeviction", false},
		{"a limit, any key", "CONFIG SET maxmemory 100mb", "CONFIG SET maxmemory-policy allkeys-lru", true},
		{"a limit, keys that end", "CONFIG SET maxmemory 100mb", "CONFIG SET maxmemory-policy volatile-ttl",
		 false},
	};
	struct queue q = open_empty();
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool evicts = !rows[i].evicts;
		tell_server(&q, rows[i].limit);
		tell_server(&q, rows[i].policy);
		MUST_WORK(queue_check_server(&q, &evicts, ERR));
		if (evicts != rows[i].evicts)
			fail_msg("%s: %s", rows[i].name, evicts ? "evicts" : "does not evict");
	}
	/* Who may not ask gets no answer, and can work all the same. */
	bool evicts = true;
	tell_server(&q, "ACL SETUSER default -info");
	MUST_WORK(queue_check_server(&q, &evicts, ERR));
	assert_false(evicts);
	tell_server(&q, "ACL SETUSER default +info");
	tell_server(&q, "CONFIG SET maxmemory 0");
	tell_server(&q, "CONFIG SET maxmemory-policy noeviction");
	queue_disconnect(&q);
}

/* ---- Doing ---- */

static void test_drain(void **state)
{
	struct queue q = open_empty();
	struct queue_counts c;
	(void)state;
	MUST_WORK(queue_drain(&q, true, ERR));
	MUST_WORK(queue_drain(&q, true, ERR));
	MUST_WORK(queue_count(&q, NULL, &c, ERR));
	assert_true(c.draining);
	assert_int_equal(DO(&q, "HEXISTS", "meta", META_DRAIN), 1);
	MUST_WORK(queue_drain(&q, false, ERR));
	MUST_WORK(queue_drain(&q, false, ERR));
	MUST_WORK(queue_count(&q, NULL, &c, ERR));
	assert_false(c.draining);
	queue_disconnect(&q);
}

static void test_retry(void **state)
{
	struct queue q = open_empty();
	struct queue_counts c;
	uint64_t nr = 99;
	(void)state;
	MUST_WORK(queue_retry(&q, &nr, ERR));
	assert_int_equal(nr, 0);
	add_letter(&q, PROGRAM, 'A', 1, NULL);
	/* A run that is in the stream again, one that has another letter, one that is forgotten. */
	add_letter(&q, PROGRAM, 'A', 2, "q");
	add_letter(&q, PROGRAM, 'A', 3, "d99-1");
	add_letter(&q, PROGRAM, 'A', 4, "");
	add_letter(&q, OTHER, 'A', 5, NULL);
	add_letter(&q, "\033[2J", 'A', 6, NULL);
	DO(&q, "XADD", "dead", "9-1", "nothing", "of it");
	MUST_WORK(queue_retry(&q, &nr, ERR));
	assert_int_equal(nr, 3);
	assert_int_equal(*state_of(&q, 1), 'q');
	assert_int_equal(*state_of(&q, 2), 'q');
	assert_string_equal(state_of(&q, 3), "d99-1");
	assert_int_equal(*state_of(&q, 4), 'q');
	assert_int_equal(*state_of(&q, 5), 'q');
	assert_string_equal(state_of(&q, 6), "d7-1");
	/* What belongs to no program stays. */
	assert_int_equal(DO(&q, "XLEN", "dead"), 2);
	MUST_WORK(queue_count(&q, PROGRAM, &c, ERR));
	assert_int_equal(c.waiting, 2);
	MUST_WORK(queue_count(&q, OTHER, &c, ERR));
	assert_int_equal(c.waiting, 1);
	assert_int_equal(DO(&q, "SISMEMBER", "programs", OTHER), 1);
	MUST_WORK(queue_retry(&q, &nr, ERR));
	assert_int_equal(nr, 0);
	queue_disconnect(&q);
}

/* A run that is put back is what it was, and has all its tries. */
static void test_retried_runs(void **state)
{
	struct queue q = open_empty();
	struct queue_taking taking = {.worker = "w1", .program = PROGRAM, .want = 10, .least = 10, .cursor = "0-0"};
	struct queue_job jobs[10];
	enum queue_answer answer;
	uint64_t nr;
	size_t nr_jobs;
	char b[HASH_BYTES + 1];
	(void)state;
	fill('A', b);
	add_letter(&q, PROGRAM, 'A', 41, NULL);
	MUST_WORK(queue_retry(&q, &nr, ERR));
	MUST_WORK(queue_drain(&q, true, ERR));
	MUST_WORK(queue_take(&q, &taking, jobs, &nr_jobs, &answer, ERR));
	assert_int_equal(answer, QUEUE_DRAINED);
	MUST_WORK(queue_drain(&q, false, ERR));
	MUST_WORK(queue_take(&q, &taking, jobs, &nr_jobs, &answer, ERR));
	assert_int_equal(answer, QUEUE_JOBS);
	assert_int_equal(nr_jobs, 1);
	assert_int_equal(jobs[0].deliveries, 1);
	assert_int_equal(jobs[0].run.position, 41);
	assert_memory_equal(jobs[0].run.hash, run_at(41), HASH_BYTES);
	assert_memory_equal(jobs[0].run.bundle, b, HASH_BYTES);
	queue_disconnect(&q);
}

#define MANY 1300u

static void test_many_letters(void **state)
{
	struct queue q = open_empty();
	struct queue_counts c;
	uint64_t nr;
	(void)state;
	for (unsigned i = 0; i < MANY; i++)
		add_letter(&q, i % 3 ? PROGRAM : OTHER, 'A', i, NULL);
	MUST_WORK(queue_count(&q, OTHER, &c, ERR));
	assert_int_equal(c.dead, (MANY + 2) / 3);
	MUST_WORK(queue_count(&q, PROGRAM, &c, ERR));
	assert_int_equal(c.dead, MANY - (MANY + 2) / 3);
	MUST_WORK(queue_retry(&q, &nr, ERR));
	assert_int_equal(nr, MANY);
	MUST_WORK(queue_count(&q, OTHER, &c, ERR));
	assert_int_equal(c.waiting, (MANY + 2) / 3);
	MUST_WORK(queue_count(&q, NULL, &c, ERR));
	assert_int_equal(c.waiting, MANY);
	assert_int_equal(c.dead, 0);
	DO(&q, "DEL", "dead");
	for (unsigned i = 0; i < MANY; i++)
		add_letter(&q, PROGRAM, 'A', i, NULL);
	MUST_WORK(queue_purge_dead(&q, &nr, ERR));
	assert_int_equal(nr, MANY);
	assert_int_equal(DO(&q, "HLEN", "runs"), 0);
	queue_disconnect(&q);
}

static void test_purge_dead(void **state)
{
	struct queue q = open_empty();
	uint64_t nr;
	(void)state;
	add_run(&q, PROGRAM, 'A', 0);
	add_letter(&q, PROGRAM, 'A', 1, NULL);
	add_letter(&q, PROGRAM, 'A', 2, "q");
	add_letter(&q, PROGRAM, 'A', 3, "d99-1");
	DO(&q, "XADD", "dead", "9-1", "nothing", "of it");
	MUST_WORK(queue_purge_dead(&q, &nr, ERR));
	assert_int_equal(nr, 4);
	assert_int_equal(DO(&q, "XLEN", "dead"), 0);
	/* The run can be requested again; what is under way, or given up again, stays. */
	assert_string_equal(state_of(&q, 1), "");
	assert_int_equal(*state_of(&q, 2), 'q');
	assert_string_equal(state_of(&q, 3), "d99-1");
	assert_int_equal(DO(&q, "XLEN", JOBS), 1);
	queue_disconnect(&q);
}

static void test_purge_submission(void **state)
{
	struct queue q = open_empty();
	struct sahm_err err;
	uint64_t nr;
	(void)state;
	add_submission(&q, "aa", 'A', "1");
	add_submission(&q, "bb", 'B', "2");
	for (unsigned i = 0; i < MANY; i++)
		add_run(&q, PROGRAM, i % 2 ? 'A' : 'B', i);
	add_run(&q, OTHER, 'A', MANY);
	add_letter(&q, PROGRAM, 'A', MANY + 1, NULL);
	add_letter(&q, PROGRAM, 'B', MANY + 2, NULL);
	take(&q, PROGRAM, "w1", "10");
	MUST_WORK(queue_purge_submission(&q, "aa", &nr, ERR));
	assert_int_equal(nr, MANY / 2 + 1);
	assert_int_equal(DO(&q, "XLEN", JOBS), MANY / 2);
	assert_int_equal(nr_pending(&q, PROGRAM), 5);
	assert_string_equal(state_of(&q, 1), "");
	assert_int_equal(*state_of(&q, 2), 'q');
	assert_int_equal(*state_of(&q, MANY), 'q');
	assert_string_equal(state_of(&q, MANY + 1), "");
	assert_string_equal(state_of(&q, MANY + 2), "d1303-1");
	assert_int_equal(DO(&q, "SISMEMBER", "submissions", "aa"), 0);
	assert_int_equal(DO(&q, "EXISTS", "submission:aa"), 0);
	assert_int_equal(DO(&q, "SISMEMBER", "submissions", "bb"), 1);
	assert_int_equal(queue_purge_submission(&q, "aa", &nr, &err), SAHM_CONFIG);
	assert_string_equal(err.msg, "queue 'tried' has no submission 'aa'");
	assert_int_equal(nr, 0);
	queue_disconnect(&q);
}

/* Two submissions with one bundle, as of two shards: which runs are whose is not known. */
static void test_shared_bundles_stay(void **state)
{
	struct queue q = open_empty();
	uint64_t nr;
	(void)state;
	add_submission(&q, "aa", 'A', "1");
	add_submission(&q, "ab", 'A', "2");
	add_run(&q, PROGRAM, 'A', 1);
	add_letter(&q, PROGRAM, 'A', 2, NULL);
	MUST_WORK(queue_purge_submission(&q, "aa", &nr, ERR));
	assert_int_equal(nr, 0);
	assert_int_equal(DO(&q, "XLEN", JOBS), 1);
	assert_int_equal(DO(&q, "XLEN", "dead"), 1);
	assert_int_equal(DO(&q, "EXISTS", "submission:aa"), 0);
	assert_int_equal(*state_of(&q, 1), 'q');
	/* With the last one everything goes. */
	MUST_WORK(queue_purge_submission(&q, "ab", &nr, ERR));
	assert_int_equal(nr, 2);
	assert_int_equal(DO(&q, "EXISTS", JOBS), 0);
	queue_disconnect(&q);
}

static void test_purge(void **state)
{
	struct queue q = open_empty(), neighbour = open_queue("tried2");
	uint64_t nr;
	(void)state;
	int64_t others = nr_keys(&q);
	redis_words_begin(&q.words, "MSET sahm:{tried} 1 sahm:{triedx: 2 xsahm:{tried}:a 3 sahm:tried:a 4");
	reply_free(call(&q));
	for (unsigned i = 0; i < MANY; i++) {
		char key[32];
		snprintf(key, sizeof(key), "file:%u", i);
		DO(&q, "SET", key, "x");
	}
	DO(&q, "SADD", "programs", "x");
	MUST_WORK(queue_purge(&q, &nr, ERR));
	assert_int_equal(nr, MANY + 1);
	assert_int_equal(nr_keys(&q), others + 4);
	MUST_WORK(queue_purge(&q, &nr, ERR));
	assert_int_equal(nr, 0);
	queue_disconnect(&neighbour);
	queue_disconnect(&q);
}

/* ---- What is none ---- */

typedef enum sahm_status look_fn(struct queue *q, struct arena *a, struct sahm_err *err);

static enum sahm_status look_counts(struct queue *q, struct arena *a, struct sahm_err *err)
{
	struct queue_counts counts;
	(void)a;
	return queue_count(q, NULL, &counts, err);
}

static enum sahm_status look_each(struct queue *q, struct arena *a, struct sahm_err *err)
{
	struct queue_counts all;
	struct queue_program *programs;
	size_t nr;
	return queue_count_each(q, a, &all, &programs, &nr, NULL, 0, err);
}

static enum sahm_status look_programs(struct queue *q, struct arena *a, struct sahm_err *err)
{
	const char **programs;
	size_t nr;
	return queue_programs(q, a, &programs, &nr, err);
}

static enum sahm_status look_submissions(struct queue *q, struct arena *a, struct sahm_err *err)
{
	struct queue_submission *submissions;
	size_t nr;
	return queue_submissions(q, a, &submissions, &nr, err);
}

static enum sahm_status look_workers(struct queue *q, struct arena *a, struct sahm_err *err)
{
	struct queue_worker_row *workers;
	size_t nr;
	return queue_workers(q, a, &workers, &nr, err);
}

static enum sahm_status look_letters(struct queue *q, struct arena *a, struct sahm_err *err)
{
	struct queue_letter *letters;
	size_t nr;
	return queue_letters(q, a, 10, &letters, &nr, err);
}

static enum sahm_status do_retry(struct queue *q, struct arena *a, struct sahm_err *err)
{
	uint64_t nr;
	(void)a;
	return queue_retry(q, &nr, err);
}

static enum sahm_status do_drain(struct queue *q, struct arena *a, struct sahm_err *err)
{
	(void)a;
	return queue_drain(q, true, err);
}

static enum sahm_status do_purge_dead(struct queue *q, struct arena *a, struct sahm_err *err)
{
	uint64_t nr;
	(void)a;
	return queue_purge_dead(q, &nr, err);
}

static enum sahm_status do_purge_submission(struct queue *q, struct arena *a, struct sahm_err *err)
{
	uint64_t nr;
	(void)a;
	return queue_purge_submission(q, "aa", &nr, err);
}

static enum sahm_status do_purge(struct queue *q, struct arena *a, struct sahm_err *err)
{
	uint64_t nr;
	(void)a;
	return queue_purge(q, &nr, err);
}

/* A key that is a string says so, wherever it is needed; everything can be purged all the same. */
static void test_keys_of_other_kinds(void **state)
{
	static const struct {
		const char *name, *key;
		look_fn *look;
	} rows[] = {
		{"programs, counted", "programs", look_counts},
		{"programs", "programs", look_programs},
		{"runs of a program", JOBS, look_counts},
		{"runs of each program", JOBS, look_each},
		{"dead letters of each program", "dead", look_each},
		{"results, counted", "results", look_counts},
		{"results of a submission", "results", look_submissions},
		{"submissions, counted", "submissions", look_counts},
		{"submissions", "submissions", look_submissions},
		{"a submission", "submission:aa", look_submissions},
		{"workers, counted", "workers", look_counts},
		{"workers", "workers", look_workers},
		{"a worker", "worker:w1", look_workers},
		{"what is known of the queue", "meta", look_counts},
		{"dead letters, counted", "dead", look_counts},
		{"dead letters", "dead", look_letters},
		{"draining", "meta", do_drain},
		{"dead letters, put back", "dead", do_retry},
		{"the stream that they go back to", JOBS, do_retry},
		{"states of runs that are put back", "runs", do_retry},
		{"dead letters, removed", "dead", do_purge_dead},
		{"states of runs that are removed", "runs", do_purge_dead},
		{"a submission, removed", "submission:aa", do_purge_submission},
		{"its stream", JOBS, do_purge_submission},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q = open_empty();
		struct sahm_err err = {0};
		struct arena a;
		arena_init(&a);
		add_submission(&q, "aa", 'A', "1");
		add_run(&q, PROGRAM, 'A', 1);
		add_letter(&q, PROGRAM, 'A', 2, NULL);
		DO(&q, "ZADD", "workers", "5", "w1");
		DO(&q, "SET", rows[i].key, "\033[31m");
		enum sahm_status status = rows[i].look(&q, &a, &err);
		if (status != SAHM_TOOL || strchr(err.msg, '\033') || !strstr(err.msg, "WRONGTYPE"))
			fail_msg("%s: status %d, '%s'", rows[i].name, status, err.msg);
		MUST_WORK(do_purge(&q, &a, ERR));
		assert_int_equal(nr_keys(&q), 0);
		arena_release(&a);
		queue_disconnect(&q);
	}
}

/* Entries that nobody of sahm has made are neither runs nor in the way. */
static void test_entries_that_are_none(void **state)
{
	struct queue q = open_empty();
	uint64_t nr;
	(void)state;
	add_submission(&q, "aa", 'A', "1");
	add_submission(&q, "bb", 'B', "1");
	add_run(&q, PROGRAM, 'A', 1);
	DO(&q, "XADD", JOBS, "*", "b", "short", "r", "short");
	DO(&q, "XADD", JOBS, "*", "x", "y");
	add_run(&q, PROGRAM, 'A', 2);
	DO(&q, "SADD", "submissions", "\033", "zz");
	MUST_WORK(queue_purge_submission(&q, "aa", &nr, ERR));
	assert_int_equal(nr, 2);
	assert_int_equal(DO(&q, "XLEN", JOBS), 2);
	/* One without a bundle has no runs. */
	MUST_WORK(queue_purge_submission(&q, "zz", &nr, ERR));
	assert_int_equal(nr, 0);
	assert_int_equal(DO(&q, "SISMEMBER", "submissions", "zz"), 0);
	queue_disconnect(&q);
}

static void test_lost_servers(void **state)
{
	struct queue q = open_empty();
	struct sahm_err err;
	struct arena a;
	uint64_t nr;
	(void)state;
	arena_init(&a);
	kill_redis(&redis);
	bool evicts;
	look_fn *const all[] = {look_counts, look_each, look_programs, look_submissions,    look_workers, look_letters,
				do_retry,    do_drain,	do_purge_dead, do_purge_submission, do_purge};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		assert_int_equal(all[i](&q, &a, &err), SAHM_IO);
	assert_int_equal(queue_memory(&q, &nr, &err), SAHM_IO);
	assert_int_equal(queue_check_server(&q, &evicts, &err), SAHM_IO);
	run_redis(&redis);
	arena_release(&a);
	queue_disconnect(&q);
}

TEST_FILE(test_queue_admin)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_there),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_many_are_abandoned),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_submissions),
		cmocka_unit_test(test_workers),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_servers_that_evict),
		cmocka_unit_test(test_drain),
		cmocka_unit_test(test_retry),
		cmocka_unit_test(test_retried_runs),
		cmocka_unit_test(test_many_letters),
		cmocka_unit_test(test_purge_dead),
		cmocka_unit_test(test_purge_submission),
		cmocka_unit_test(test_shared_bundles_stay),
		cmocka_unit_test(test_purge),
		cmocka_unit_test(test_keys_of_other_kinds),
		cmocka_unit_test(test_entries_that_are_none),
		cmocka_unit_test(test_lost_servers),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
