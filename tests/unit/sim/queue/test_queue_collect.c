/* What submitters do with a queue: results come, once and again, and what everybody has goes; on a real server. */
#include "results/store/run_record.h"
#include "sim/base/array.h"
#include "sim/base/zstd_block.h"
#include "tests/unit/sim/queue/made_queue.h"

static struct made_hand hand;

/* What came, in the order in which it did. */
struct arrival {
	uint64_t runs[MAX_ENQUEUE]; /* numbers of records of try_answer() */
	size_t nr, nr_given_up, nr_other;
	size_t fail_at; /* the result whose taking fails; SIZE_MAX: none */
	char why[MAX_QUEUE_ERROR + 1], worker[MAX_WORKER_NAME + 1];
	uint64_t tries;
	uint8_t hash[HASH_BYTES];
};

static enum sahm_status take(void *ctx, const struct queue_result *r, struct sahm_err *err)
{
	struct arrival *c = ctx;
	static const char beginning[] = "record of ";
	uint8_t hash[HASH_BYTES];
	if (c->nr + c->nr_given_up + c->nr_other == c->fail_at)
		return sahm_fail(err, SAHM_IO, "no room");
	memcpy(c->hash, r->hash, HASH_BYTES);
	snprintf(c->why, sizeof(c->why), "%s", r->why);
	snprintf(c->worker, sizeof(c->worker), "%s", r->worker);
	c->tries = r->tries;
	if (!r->record) {
		c->nr_given_up++;
	} else if (r->len < sizeof(beginning) || memcmp(r->record, beginning, sizeof(beginning) - 1) != 0) {
		c->nr_other++;
	} else {
		/* It is that of the run whose hash it has. */
		c->runs[c->nr] = strtoull(r->record + sizeof(beginning) - 1, NULL, 10);
		hash_of_number(c->runs[c->nr++], hash);
		assert_memory_equal(hash, r->hash, HASH_BYTES);
		assert_string_equal(r->why, "");
	}
	return SAHM_OK;
}

static struct queue_collecting begin_collecting(const char *id)
{
	struct queue_collecting c = {.id = id};
	textbuf_init(&c.ids);
	return c;
}

/* Looks once; returns how many entries came. */
static size_t collect(struct queue *q, struct queue_collecting *c, bool again, struct arrival *arrival)
{
	size_t nr = 77;
	*arrival = (struct arrival){.fail_at = SIZE_MAX};
	MUST_WORK(queue_collect(q, c, again, 0, take, arrival, &nr, ERR));
	return nr;
}

static void settle(struct queue *q, struct queue_collecting *c)
{
	MUST_WORK(queue_settle(q, c, ERR));
	assert_int_equal(c->nr_ids, 0);
	assert_int_equal(c->ids.len, 0);
}

/* Runs first to first + nr - 1 are done, each in a separate entry. */
static void do_runs(struct queue *q, uint64_t first, size_t nr)
{
	assert_int_equal(enqueue(q, first, nr, false), nr);
	for (size_t i = 0; i < nr; i++) {
		take_runs(q, "w", 1, 1, NULL, &hand);
		expect_hand(&hand, 1, first + i, 1);
		answer(q, "w", &hand);
	}
}

static void expect_come(const struct arrival *arrival, size_t nr, uint64_t first)
{
	assert_int_equal(arrival->nr, nr);
	assert_int_equal(arrival->nr_given_up + arrival->nr_other, 0);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(arrival->runs[i], first + i);
}

static void test_new_and_again(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 9);
	struct queue_collecting c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, false, &arrival), 0);
	assert_int_equal(collect(&q, &c, true, &arrival), 0);
	do_runs(&q, 0, 2);
	assert_int_equal(collect(&q, &c, false, &arrival), 2);
	expect_come(&arrival, 2, 0);
	assert_string_equal(arrival.worker, "w");
	assert_int_equal(collect(&q, &c, false, &arrival), 0);
	/* A collector that was interrupted before it was acknowledged gets it again, from the first. */
	for (int i = 0; i < 2; i++) {
		textbuf_release(&c.ids);
		c = begin_collecting("0a");
		assert_int_equal(collect(&q, &c, true, &arrival), 2);
		expect_come(&arrival, 2, 0);
	}
	settle(&q, &c);
	assert_int_equal(collect(&q, &c, true, &arrival), 0);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 0);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

static void test_many_in_an_entry(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", MAX_ENQUEUE);
	enqueue(&q, 0, MAX_ENQUEUE, false);
	take_runs(&q, "w", MAX_ENQUEUE, MAX_ENQUEUE, NULL, &hand);
	answer(&q, "w", &hand);
	struct queue_collecting c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, false, &arrival), 1);
	expect_come(&arrival, MAX_ENQUEUE, 0);
	assert_int_equal(c.nr_damaged, 0);
	settle(&q, &c);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 0);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

/* A result that could not be put anywhere comes again, those before it do not. */
static void test_taking_fails(void **state)
{
	struct arrival arrival = {.fail_at = 2};
	struct sahm_err err = {0};
	size_t nr;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 4);
	do_runs(&q, 0, 4);
	struct queue_collecting c = begin_collecting("0a");
	expect_failure(queue_collect(&q, &c, false, 0, take, &arrival, &nr, &err), &err, SAHM_IO, "no room");
	expect_come(&arrival, 2, 0);
	assert_int_equal(nr, 2);
	settle(&q, &c);
	assert_int_equal(collect(&q, &c, true, &arrival), 2);
	expect_come(&arrival, 2, 2);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

static void test_wait(void **state)
{
	struct arrival arrival = {.fail_at = SIZE_MAX};
	size_t nr;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 1);
	struct queue_collecting c = begin_collecting("0a");
	MUST_WORK(queue_collect(&q, &c, false, 20, take, &arrival, &nr, ERR));
	assert_int_equal(nr, 0);
	do_runs(&q, 5, 1);
	MUST_WORK(queue_collect(&q, &c, false, 10000, take, &arrival, &nr, ERR));
	assert_int_equal(nr, 1);
	expect_come(&arrival, 1, 5);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

static void test_unknown_submission(void **state)
{
	struct arrival arrival = {.fail_at = SIZE_MAX};
	struct sahm_err err = {0};
	size_t nr = 7;
	(void)state;
	struct queue q = open_queue(0);
	struct queue_collecting c = begin_collecting("0a");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(queue_collect(&q, &c, i == 0, 0, take, &arrival, &nr, &err), SAHM_TOOL);
		assert_string_equal(redis_link_error(q.link), "NOGROUP");
		assert_int_equal(nr, 0);
		/* Others are there. */
		submit(&q, "0b", 1);
	}
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

/* ---- Given up ---- */

static void test_given_up(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 1);
	enqueue(&q, 3, 1, false);
	for (unsigned i = 0; i < QUEUE_TRIES; i++) {
		take_left(&q, "w", 1, &hand);
		MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "a\tpolicy\n'x' hangs", ERR));
	}
	struct queue_collecting c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, false, &arrival), 1);
	assert_int_equal(arrival.nr_given_up, 1);
	assert_int_equal(arrival.tries, QUEUE_TRIES);
	assert_string_equal(arrival.why, "a?policy?'x' hangs");
	assert_string_equal(arrival.worker, "w");
	struct queue_run run = run_of(3);
	assert_memory_equal(arrival.hash, run.hash, HASH_BYTES);
	settle(&q, &c);
	/* The letter stays, and is known. */
	expect_runs(&q, 0, 0, 1);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 1);
	/* A worker that was late has it all the same: then it is no letter any more. */
	answer(&q, "v", &hand);
	assert_int_equal(collect(&q, &c, false, &arrival), 1);
	expect_come(&arrival, 1, 3);
	settle(&q, &c);
	expect_runs(&q, 0, 0, 0);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 0);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

/* ---- Settling ---- */

static void test_settled_by_all(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 3);
	submit(&q, "0b", 3);
	do_runs(&q, 0, 3);
	struct queue_collecting a = begin_collecting("0a"), b = begin_collecting("0b");
	assert_int_equal(collect(&q, &a, false, &arrival), 3);
	settle(&q, &a);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 3);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 3);
	/* One that comes late gets what is there still. */
	submit(&q, "0c", 3);
	struct queue_collecting late = begin_collecting("0c");
	assert_int_equal(collect(&q, &late, false, &arrival), 3);
	expect_come(&arrival, 3, 0);
	settle(&q, &late);
	assert_int_equal(collect(&q, &b, false, &arrival), 3);
	expect_come(&arrival, 3, 0);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 3);
	settle(&q, &b);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 0);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 0);
	assert_int_equal(ask_number(&q, "HEXISTS " KEY("meta") " result_bytes"), 0);
	textbuf_release(&a.ids);
	textbuf_release(&b.ids);
	textbuf_release(&late.ids);
	queue_disconnect(&q);
}

/* An unacknowledged entry of one keeps the later ones, too, and the earlier ones go. */
static void test_settled_in_part(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 8);
	submit(&q, "0b", 8);
	do_runs(&q, 0, 6);
	struct queue_collecting a = begin_collecting("0a"), b = begin_collecting("0b");
	assert_int_equal(collect(&q, &a, false, &arrival), 4);
	assert_int_equal(collect(&q, &a, false, &arrival), 2);
	settle(&q, &a);
	assert_int_equal(collect(&q, &b, false, &arrival), 4);
	/* Only its first two. */
	b.nr_ids = 2;
	settle(&q, &b);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 4);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 4);
	int64_t bytes = ask_number(&q, "HGET " KEY("meta") " result_bytes");
	assert_int_equal(collect(&q, &b, true, &arrival), 2);
	expect_come(&arrival, 2, 2);
	settle(&q, &b);
	/* It has not read the last two: */
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 2);
	int64_t less = ask_number(&q, "HGET " KEY("meta") " result_bytes");
	assert_true(bytes > less && less > 0);
	/* and if it goes, nobody waits for them. */
	MUST_WORK(queue_forget(&q, "0b", ERR));
	settle(&q, &a);
	do_runs(&q, 6, 1);
	assert_int_equal(collect(&q, &a, false, &arrival), 1);
	settle(&q, &a);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 0);
	textbuf_release(&a.ids);
	textbuf_release(&b.ids);
	queue_disconnect(&q);
}

/* More entries than are removed, and acknowledged, in one go. */
static void test_settle_many(void **state)
{
	struct arrival arrival;
	size_t nr;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 1100);
	for (uint64_t first = 0; first < 1100; first += 100)
		do_runs(&q, first, 100);
	struct queue_collecting c = begin_collecting("0a");
	for (size_t all = 0; (nr = collect(&q, &c, false, &arrival)) > 0; all += nr)
		expect_come(&arrival, nr, all);
	assert_int_equal(c.nr_ids, 1100);
	settle(&q, &c);
	assert_int_equal(ask_number(&q, "XLEN " KEY("results")), 0);
	assert_int_equal(ask_number(&q, "HLEN " KEY("runs")), 0);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

/* Between reading and acknowledging the server loses everything. */
static void test_settle_after_loss(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 2);
	do_runs(&q, 0, 2);
	struct queue_collecting c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, false, &arrival), 2);
	tell(&q, "FLUSHALL");
	settle(&q, &c);
	assert_int_equal(ask_number(&q, "DBSIZE"), 0);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

/* A run that was requested again, while its first result waited to be forgotten, is requested a second time at worst.
 */
static void test_second_answers(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 1);
	do_runs(&q, 0, 1);
	answer(&q, "v", &hand);
	struct queue_collecting c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, false, &arrival), 2);
	assert_int_equal(arrival.nr, 2);
	assert_int_equal(arrival.runs[0], 0);
	assert_int_equal(arrival.runs[1], 0);
	assert_string_equal(arrival.worker, "v");
	settle(&q, &c);
	assert_int_equal(enqueue(&q, 0, 1, false), 1);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

static void test_states(void **state)
{
	enum queue_state states[3] = {QUEUE_DEAD, QUEUE_DEAD, QUEUE_UNKNOWN};
	uint8_t hashes[3][HASH_BYTES];
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 2);
	enqueue(&q, 0, 2, false);
	take_runs(&q, "w", 1, 1, NULL, &hand);
	for (unsigned i = 0; i < QUEUE_TRIES; i++) {
		MUST_WORK(queue_fail_job(&q, "w", PROGRAM, &hand.jobs[0], "no", ERR));
		if (i + 1 < QUEUE_TRIES)
			take_left(&q, "w", 1, &hand);
	}
	hash_of_number(99, hashes[0]);
	hash_of_number(1, hashes[1]);
	hash_of_number(0, hashes[2]);
	MUST_WORK(queue_states(&q, hashes, 3, states, ERR));
	assert_int_equal(states[0], QUEUE_UNKNOWN);
	assert_int_equal(states[1], QUEUE_ON_ITS_WAY);
	assert_int_equal(states[2], QUEUE_DEAD);
	MUST_WORK(queue_states(&q, hashes, 0, states, ERR));
	queue_disconnect(&q);
}

/* ---- What no worker has put there ---- */

static void add_length(struct textbuf *b, uint32_t len)
{
	const char bytes[4] = {(char)(len & 0xff), (char)(len >> 8 & 0xff), (char)(len >> 16 & 0xff),
			       (char)(len >> 24)};
	textbuf_add(b, bytes, sizeof(bytes));
}

/* An entry of results with hashes of `nr_hash_bytes` bytes and `records`, packed. */
static void add_entry(struct queue *q, size_t nr_hash_bytes, const struct textbuf *records)
{
	struct textbuf hashes, packed;
	textbuf_init(&hashes);
	textbuf_init(&packed);
	for (size_t i = 0; i < nr_hash_bytes; i++)
		textbuf_putc(&hashes, (char)(i / HASH_BYTES));
	assert_true(zstd_pack(records->text, records->len, &packed));
	redis_words_begin(&q->words, "XADD " KEY("results") " * w nobody r");
	redis_word_bytes(&q->words, hashes.text, hashes.len);
	redis_word(&q->words, "z");
	redis_word_bytes(&q->words, packed.text, packed.len);
	MUST_WORK(queue_call(q, 0, NULL, ERR));
	textbuf_release(&hashes);
	textbuf_release(&packed);
}

/* The entry that was added comes as `nr` results, damaged or not, and can be acknowledged. */
static void expect_entry(struct queue *q, const char *name, size_t nr, bool damaged)
{
	struct arrival arrival;
	struct queue_collecting c = begin_collecting("0a");
	size_t nr_entries = collect(q, &c, false, &arrival);
	if (nr_entries != 1 || arrival.nr_other + arrival.nr_given_up != nr || c.nr_damaged != damaged)
		fail_msg("%s: %zu entries, %zu results, %llu damaged", name, nr_entries,
			 arrival.nr_other + arrival.nr_given_up, (unsigned long long)c.nr_damaged);
	settle(q, &c);
	assert_int_equal(ask_number(q, "XLEN " KEY("results")), 0);
	textbuf_release(&c.ids);
}

#define A32 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void test_strange_entries(void **state)
{
	static const struct {
		const char *name, *fields;
		size_t nr;
		bool damaged;
	} rows[] = {
		{"nothing of it", "x1 y", 0, true},
		{"hashes alone", "r " A32, 0, true},
		{"empty results", "r " A32 " z ", 0, true},
		{"no results of zstd", "r " A32 " z hello", 0, true},
		{"given up", "r " A32 " x why n 3 w me", 1, false},
		{"given up without a word", "r " A32 " x  n 3 w me", 1, false},
		{"given up by nobody", "r " A32 " x why", 1, false},
		{"given up after any number", "r " A32 " x why n -5", 1, false},
		{"given up, no run", "x why n 3", 0, true},
		{"given up, run too short", "r aaa x why n 3", 0, true},
		{"given up, run too long", "r " A32 "a x why n 3", 0, true},
		{"given up, empty run", "r  x why n 3", 0, true},
	};
	char command[512];
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q = open_queue(0);
		submit(&q, "0a", 1);
		snprintf(command, sizeof(command), "XADD " KEY("results") " * %s", rows[i].fields);
		tell(&q, command);
		expect_entry(&q, rows[i].name, rows[i].nr, rows[i].damaged);
		queue_disconnect(&q);
	}
}

static void test_strange_records(void **state)
{
	static const struct {
		const char *name;
		size_t hash_bytes;
		struct {
			uint32_t len, bytes; /* as it says, and as there are */
		} records[3];
		size_t nr_records, rest, nr;
		bool damaged;
	} rows[] = {
		{"one", 32, {{5, 5}}, 1, 0, 1, false},
		{"two", 64, {{5, 5}, {7, 7}}, 2, 0, 2, false},
		{"an empty one", 32, {{0, 0}}, 1, 0, 1, false},
		{"more hashes than records", 64, {{5, 5}}, 1, 0, 1, true},
		{"more records than hashes", 32, {{5, 5}, {7, 7}}, 2, 0, 1, true},
		{"something behind", 32, {{5, 5}}, 1, 1, 1, true},
		{"no record", 32, {{0, 0}}, 0, 3, 0, true},
		{"half of a length behind", 64, {{5, 5}}, 1, 3, 1, true},
		{"a byte more than there is", 32, {{6, 5}}, 1, 0, 0, true},
		{"the second a byte more", 64, {{5, 5}, {6, 5}}, 2, 0, 1, true},
		{"far beyond the end", 32, {{0x7fffffff, 5}}, 1, 0, 0, true},
		{"as far as can be", 32, {{0xffffffff, 5}}, 1, 0, 0, true},
		{"hashes of 31 bytes", 31, {{5, 5}}, 1, 0, 0, true},
		{"hashes of 33 bytes", 33, {{5, 5}}, 1, 0, 0, true},
		{"no hashes", 0, {{5, 5}}, 1, 0, 0, true},
		{"more hashes than may be", (MAX_RESULT_RUNS + 1) * HASH_BYTES, {{5, 5}}, 1, 0, 0, true},
		{"as many as may be", MAX_RESULT_RUNS * HASH_BYTES, {{5, 5}}, 1, 0, 1, true},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q = open_queue(0);
		struct textbuf records;
		submit(&q, "0a", 1);
		textbuf_init(&records);
		for (size_t r = 0; r < rows[i].nr_records; r++) {
			add_length(&records, rows[i].records[r].len);
			textbuf_add(&records, "0123456789", rows[i].records[r].bytes);
		}
		textbuf_add(&records, "rest", rows[i].rest);
		add_entry(&q, rows[i].hash_bytes, &records);
		expect_entry(&q, rows[i].name, rows[i].nr, rows[i].damaged);
		textbuf_release(&records);
		queue_disconnect(&q);
	}
}

/* Few bytes that become many: no more than can be taken. */
static void test_bombs(void **state)
{
	static const struct {
		const char *name;
		size_t mb;
		bool damaged;
	} rows[] = {{"nearly too much", 47, false}, {"too much", 49, true}, {"far too much", 400, true}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct queue q = open_queue(0);
		struct textbuf records;
		char *zeros = calloc(1024, 1024);
		assert_non_null(zeros);
		submit(&q, "0a", 1);
		textbuf_init(&records);
		add_length(&records, (uint32_t)(rows[i].mb << 20));
		for (size_t mb = 0; mb < rows[i].mb; mb++)
			textbuf_add(&records, zeros, 1 << 20);
		add_entry(&q, HASH_BYTES, &records);
		expect_entry(&q, rows[i].name, !rows[i].damaged, rows[i].damaged);
		textbuf_release(&records);
		free(zeros);
		queue_disconnect(&q);
	}
}

/* Names of workers and reasons are no way to write on a terminal. */
static void test_texts_are_cleaned(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 1);
	redis_words_begin(&q.words, "XADD " KEY("results") " * r " A32 " n 99999999999999999999 w");
	redis_word(&q.words, "a\x1b[2J\n\x7f");
	redis_word(&q.words, "x");
	redis_word_bytes(&q.words, "why\0not\r", 8);
	MUST_WORK(queue_call(&q, 0, NULL, ERR));
	struct queue_collecting c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, false, &arrival), 1);
	assert_string_equal(arrival.worker, "a?[2J??");
	assert_string_equal(arrival.why, "why");
	assert_int_equal(arrival.tries, 0);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

static void test_removed_meanwhile(void **state)
{
	struct arrival arrival;
	(void)state;
	struct queue q = open_queue(0);
	submit(&q, "0a", 1);
	tell(&q, "XADD " KEY("results") " 5-5 r " A32 " x why");
	struct queue_collecting c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, false, &arrival), 1);
	tell(&q, "XDEL " KEY("results") " 5-5");
	textbuf_release(&c.ids);
	c = begin_collecting("0a");
	assert_int_equal(collect(&q, &c, true, &arrival), 1);
	assert_int_equal(arrival.nr_given_up, 0);
	assert_int_equal(c.nr_damaged, 1);
	settle(&q, &c);
	assert_int_equal(collect(&q, &c, true, &arrival), 0);
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

static void test_wrong_type(void **state)
{
	struct arrival arrival = {.fail_at = SIZE_MAX};
	struct sahm_err err = {0};
	size_t nr;
	(void)state;
	struct queue q = open_queue(0);
	struct queue_collecting c = begin_collecting("0a");
	tell(&q, "SET " KEY("results") " 1");
	assert_int_equal(queue_collect(&q, &c, false, 0, take, &arrival, &nr, &err), SAHM_TOOL);
	assert_non_null(strstr(err.msg, "WRONGTYPE"));
	textbuf_release(&c.ids);
	queue_disconnect(&q);
}

TEST_FILE(test_queue_collect)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_and_again),
		cmocka_unit_test(test_many_in_an_entry),
		cmocka_unit_test(test_taking_fails),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_unknown_submission),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_settled_by_all),
		cmocka_unit_test(test_settled_in_part),
		cmocka_unit_test(test_settle_many),
		cmocka_unit_test(test_settle_after_loss),
		cmocka_unit_test(test_second_answers),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_strange_entries),
		cmocka_unit_test(test_strange_records),
		cmocka_unit_test(test_bombs),
		cmocka_unit_test(test_texts_are_cleaned),
		cmocka_unit_test(test_removed_meanwhile),
		cmocka_unit_test(test_wrong_type),
	};
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
