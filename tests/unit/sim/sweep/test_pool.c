/* Worker processes: every job is answered once, whatever becomes of the workers. */
#include "sim/sweep/pool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

#define MOST_JOBS 20000u

/* No job in particular. */
#define ALL (UINT64_MAX - 1)

/* What a job does, by its number. */
enum deed {
	ANSWER,
	CRASH,
	LEAVE,
	COMPLAIN,
	CHATTER,
	KILLED_ONCE,
	KILLED,
	HANG,
	CLOSE,
	CLOSE_AND_HANG,
	FORK_AND_CRASH,
	TAKE_LONG,
	RUN_OUT_OF_MEMORY
};

struct bench {
	uint64_t nr_jobs, handed_out;
	uint64_t odd; /* the job that does `deed` */
	enum deed deed;
	uint64_t stop_after, fail_at; /* answers after which tick stops, and job whose taking fails; UINT64_MAX: none */
	uint64_t nr_answers, nr_lost;
	uint8_t *answered; /* [nr_jobs] */
	char why[512];
	enum sahm_status cause;
	volatile uint64_t *shared; /* counted by workers */
	bool dies_at_once;
	size_t answer_bytes; /* of each answer, beside the number */
	/* For pools that wait: jobs come `lot` at a time, up to `most`, after this number of empty waits before each
	 * lot. */
	uint64_t lot, most, vain, nr_waits;
	uint64_t timed; /* the job that may take `timed_s`, others any time */
	unsigned timed_s;
};

static void begin(void *ctx, uint32_t worker)
{
	const struct bench *b = ctx;
	(void)worker;
	if (b->dies_at_once)
		_exit(7);
}

static void do_deed(const struct bench *b)
{
	switch (b->deed) {
	case CRASH:
		raise(SIGSEGV);
		break;
	case LEAVE:
		_exit(3);
	case COMPLAIN:
		/* The thread sanitizer's _exit() writes what is buffered, and it would be the last word. */
		fflush(stdout);
		fputs("first line\nsahm: error: policy 'x' hangs\n", stderr);
		_exit(1);
	case KILLED_ONCE:
	case KILLED:
		if (++b->shared[1] == 1 || b->deed == KILLED)
			raise(SIGKILL);
		break;
	case CHATTER:
		for (int i = 0; i < 300000; i++)
			fputs("something that takes more room than a pipe has\n", stderr);
		fputs("sahm: error: policy 'x' crashes\n", stderr);
		raise(SIGSEGV);
		break;
	case CLOSE_AND_HANG:
	case CLOSE:
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
		for (; b->deed == CLOSE_AND_HANG;)
			pause();
		break;
	case FORK_AND_CRASH:
		/* It keeps all that is open. */
		if (fork() == 0)
			for (;;)
				pause();
		raise(SIGSEGV);
		break;
	case HANG:
		for (;;)
			pause();
	case TAKE_LONG:
		usleep(1600000);
		break;
	case RUN_OUT_OF_MEMORY:
	case ANSWER:
		break;
	}
}

/* The answer is the square of the job, and some bytes. */
static void work(void *ctx, uint64_t job, struct textbuf *answer)
{
	struct bench *b = ctx;
	if (job == b->odd || b->odd == ALL)
		do_deed(b);
	/* Output of jobs is no part of anything. */
	printf("job %llu\n", (unsigned long long)job);
	uint64_t square = job * job;
	textbuf_add(answer, (const char *)&square, sizeof(square));
	for (size_t i = 0; i < b->answer_bytes; i++)
		textbuf_putc(answer, (char)(job + i));
	answer->failed |= job == b->odd && b->deed == RUN_OUT_OF_MEMORY;
}

static size_t next(void *ctx, uint64_t *jobs, size_t room)
{
	struct bench *b = ctx;
	size_t nr = 0;
	for (; nr < room && b->handed_out < b->nr_jobs; nr++)
		jobs[nr] = b->handed_out++;
	return nr;
}

static enum sahm_status take(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err)
{
	struct bench *b = ctx;
	uint64_t square;
	if (job == b->fail_at)
		return sahm_fail(err, SAHM_IO, "no room");
	assert_int_equal(len, sizeof(square) + b->answer_bytes);
	memcpy(&square, answer, sizeof(square));
	assert_int_equal(square, job * job);
	for (size_t i = 0; i < b->answer_bytes; i++)
		assert_int_equal((uint8_t)answer[sizeof(square) + i], (uint8_t)(job + i));
	assert_int_equal(b->answered[job]++, 0);
	b->nr_answers++;
	return SAHM_OK;
}

static enum sahm_status lost(void *ctx, uint64_t job, enum sahm_status cause, const char *why, struct sahm_err *err)
{
	struct bench *b = ctx;
	(void)err;
	assert_true(job == b->odd || b->odd == ALL);
	assert_int_equal(b->answered[job]++, 0);
	snprintf(b->why, sizeof(b->why), "%s", why);
	b->cause = cause;
	b->nr_lost++;
	return SAHM_OK;
}

static bool tick(void *ctx)
{
	const struct bench *b = ctx;
	return b->nr_answers < b->stop_after;
}

/* Only when nobody has anything to do. */
static bool wait_for_jobs(void *ctx)
{
	struct bench *b = ctx;
	assert_int_equal(b->handed_out, b->nr_jobs);
	assert_int_equal(b->nr_answers + b->nr_lost, b->nr_jobs);
	b->nr_waits++;
	if (b->nr_waits % (b->vain + 1) != 0)
		return true;
	if (b->nr_jobs >= b->most)
		return false;
	b->nr_jobs += b->lot;
	return true;
}

static unsigned timeout_of(void *ctx, uint64_t job)
{
	const struct bench *b = ctx;
	return job == b->timed ? b->timed_s : 0;
}

/* The events waited for are enough. */
static bool tick_for_waits(void *ctx)
{
	const struct bench *b = ctx;
	return b->nr_waits < b->stop_after;
}

static const struct pool_ops ops = {
	.begin = begin, .work = work, .next = next, .take = take, .lost = lost, .tick = tick};
static const struct pool_ops waiting_ops = {.begin = begin,
					    .work = work,
					    .next = next,
					    .take = take,
					    .lost = lost,
					    .tick = tick_for_waits,
					    .wait = wait_for_jobs,
					    .timeout_s = timeout_of};

static struct bench make_bench(uint64_t nr_jobs)
{
	static uint8_t answered[MOST_JOBS];
	memset(answered, 0, sizeof(answered));
	void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(shared != MAP_FAILED);
	return (struct bench){.nr_jobs = nr_jobs,
			      .odd = UINT64_MAX,
			      .stop_after = UINT64_MAX,
			      .fail_at = UINT64_MAX,
			      .answered = answered,
			      .shared = shared};
}

/* No child is left, whatever happened. */
static enum sahm_status run(struct bench *b, uint32_t nr_workers, unsigned timeout_s, bool *stopped,
			    struct sahm_err *err)
{
	const struct pool_options options = {.nr_workers = nr_workers, .batch = 1, .timeout_s = timeout_s};
	enum sahm_status status = pool_run(b->most ? &waiting_ops : &ops, &options, b, stopped, err);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	munmap((void *)b->shared, 4096);
	return status;
}

static void must_answer_all(struct bench *b, uint32_t nr_workers, unsigned timeout_s)
{
	struct sahm_err err = {.msg = "untouched"};
	bool stopped = true;
	if (run(b, nr_workers, timeout_s, &stopped, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	assert_false(stopped);
	assert_string_equal(err.msg, "untouched");
	for (uint64_t i = 0; i < b->nr_jobs; i++)
		assert_int_equal(b->answered[i], 1);
}

static void test_all_are_answered(void **state)
{
	static const struct {
		uint64_t jobs;
		uint32_t workers;
		size_t bytes;
	} rows[] = {{0, 3, 0},	   {1, 1, 0},	  {1, 8, 0},	   {2, 8, 10},
		    {20000, 1, 0}, {20000, 3, 5}, {300, 16, 3000}, {40, 2, 300000}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bench b = make_bench(rows[i].jobs);
		b.answer_bytes = rows[i].bytes;
		must_answer_all(&b, rows[i].workers, 0);
		assert_int_equal(b.nr_answers, rows[i].jobs);
	}
}

static void test_deaths(void **state)
{
	static const struct {
		enum deed deed;
		uint64_t nr_lost;
		const char *why;
	} rows[] = {
		{CRASH, 1, "its process was ended by signal 11 (Segmentation fault)"},
		{LEAVE, 1, "its process ended with exit code 3"},
		{COMPLAIN, 1, "policy 'x' hangs"},
		{CHATTER, 1, "policy 'x' crashes"},
		{CLOSE, 1, "it closed files of its process that were not its own"},
		{CLOSE_AND_HANG, 1, "it closed files of its process that were not its own"},
		{FORK_AND_CRASH, 1, "its process was ended by signal 11 (Segmentation fault)"},
		{KILLED_ONCE, 0, ""},
		{KILLED, 1, "its process was ended by signal 9 (Killed)"},
		{HANG, 1, "it took longer than 1 s"},
		{RUN_OUT_OF_MEMORY, 1, "its process had no more memory"},
	};
	(void)state;
	signal(SIGSEGV, SIG_DFL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (uint32_t workers = 1; workers <= 3; workers += 2) {
			struct bench b = make_bench(500);
			b.odd = 250 + i;
			b.deed = rows[i].deed;
			volatile uint64_t *shared = b.shared;
			must_answer_all(&b, workers, rows[i].deed == HANG ? 1 : 0);
			(void)shared;
			assert_int_equal(b.nr_lost, rows[i].nr_lost);
			if (rows[i].nr_lost && !strstr(b.why, rows[i].why))
				fail_msg("%s is not said: '%s'", rows[i].why, b.why);
			if (rows[i].nr_lost)
				assert_int_equal(b.cause, rows[i].deed == RUN_OUT_OF_MEMORY ? SAHM_NOMEM
							  : rows[i].deed == HANG	    ? SAHM_RANGE
											    : SAHM_TOOL);
		}
}

/* Failures in a row are failures of jobs, not of the pool. */
static void test_all_crash(void **state)
{
	struct bench b = make_bench(100);
	(void)state;
	/* Else cmocka's handler has each of them go through the rest of the tests. */
	signal(SIGSEGV, SIG_DFL);
	b.odd = ALL;
	b.deed = CRASH;
	must_answer_all(&b, 3, 0);
	assert_int_equal(b.nr_lost, 100);
}

static void test_stopped(void **state)
{
	struct bench b = make_bench(MOST_JOBS);
	struct sahm_err err;
	bool stopped = false;
	(void)state;
	b.stop_after = 10;
	assert_int_equal(run(&b, 2, 0, &stopped, &err), SAHM_OK);
	assert_true(stopped);
	assert_true(b.nr_answers >= 10 && b.nr_answers < MOST_JOBS);
}

static void test_failures(void **state)
{
	struct bench b = make_bench(1000);
	struct sahm_err err;
	bool stopped;
	(void)state;
	b.fail_at = 100;
	assert_int_equal(run(&b, 2, 0, &stopped, &err), SAHM_IO);
	assert_string_equal(err.msg, "no room");

	b = make_bench(1000);
	b.dies_at_once = true;
	assert_int_equal(run(&b, 2, 0, &stopped, &err), SAHM_TOOL);
	assert_non_null(strstr(err.msg, "before they have done anything"));
	assert_int_equal(b.nr_answers, 0);
}

/* ---- Pools that wait ---- */

static void test_jobs_that_come_later(void **state)
{
	static const struct {
		uint64_t first, lot, most, vain;
		uint32_t workers;
		enum deed deed;
		uint64_t nr_waits;
	} rows[] = {
		{0, 5, 20, 0, 1, ANSWER, 5},	{0, 5, 20, 2, 3, ANSWER, 15},	   {7, 1, 12, 0, 2, ANSWER, 6},
		{100, 1, 100, 0, 2, ANSWER, 1}, {0, 5000, 15000, 0, 3, ANSWER, 4}, {0, 10, 30, 0, 2, KILLED_ONCE, 4},
		{0, 10, 30, 1, 1, CRASH, 8},
	};
	(void)state;
	signal(SIGSEGV, SIG_DFL);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bench b = make_bench(rows[i].first);
		b.lot = rows[i].lot;
		b.most = rows[i].most;
		b.vain = rows[i].vain;
		b.deed = rows[i].deed;
		b.odd = b.deed == ANSWER ? UINT64_MAX : 13;
		must_answer_all(&b, rows[i].workers, 0);
		assert_int_equal(b.nr_answers + b.nr_lost, rows[i].most);
		assert_int_equal(b.nr_lost, b.deed == CRASH);
		assert_int_equal(b.nr_waits, rows[i].nr_waits);
	}
}

static void test_stopped_while_it_waits(void **state)
{
	struct bench b = make_bench(3);
	struct sahm_err err;
	bool stopped = false;
	(void)state;
	b.lot = 1;
	b.most = 1000;
	b.vain = 999;
	b.stop_after = 20;
	assert_int_equal(run(&b, 2, 0, &stopped, &err), SAHM_OK);
	assert_true(stopped);
	assert_int_equal(b.nr_answers, 3);
	assert_int_equal(b.nr_waits, 20);
}

/* Each job has its own time; that of the options means nothing then. */
static void test_timeouts_of_jobs(void **state)
{
	static const struct {
		const char *name;
		enum deed deed;
		uint64_t timed;
		unsigned timed_s, pool_s;
		uint64_t nr_lost;
	} rows[] = {
		{"the one that hangs", HANG, 4, 1, 0, 1},	   {"the one that takes long", TAKE_LONG, 4, 1, 0, 1},
		{"long, but not too long", TAKE_LONG, 4, 3, 0, 0}, {"another one", TAKE_LONG, 3, 1, 0, 0},
		{"another one behind", TAKE_LONG, 5, 1, 0, 0},	   {"none, whatever the pool's", TAKE_LONG, 4, 0, 1, 0},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bench b = make_bench(9);
		b.lot = 1;
		b.most = 9;
		b.odd = 4;
		b.deed = rows[i].deed;
		b.timed = rows[i].timed;
		b.timed_s = rows[i].timed_s;
		must_answer_all(&b, 1, rows[i].pool_s);
		if (b.nr_lost != rows[i].nr_lost || (b.nr_lost && !strstr(b.why, "it took longer than 1 s")))
			fail_msg("%s: %llu lost, '%s'", rows[i].name, (unsigned long long)b.nr_lost, b.why);
	}
}

TEST_FILE(test_pool)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_answered),
		cmocka_unit_test(test_deaths),
		cmocka_unit_test(test_all_crash),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_jobs_that_come_later),
		cmocka_unit_test(test_stopped_while_it_waits),
		cmocka_unit_test(test_timeouts_of_jobs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
