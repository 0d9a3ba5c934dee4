/* Results databases in separate folders, and records in a few words, for the tests of stores. */
#ifndef SAHM_TESTS_UNIT_MADE_STORE_H
#define SAHM_TESTS_UNIT_MADE_STORE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store.h"
#include "tests/unit/test.h"

#define PROGRAM "0.1.0-feedbeef"

#define MADE_THREADS 3u

/* Whatever fails says why. */
#define MUST_WORK(call)                                                                                                \
	do {                                                                                                           \
		struct sahm_err err_of_call = {0};                                                                     \
		if ((call) != SAHM_OK)                                                                                 \
			fail_msg("%s: %s", #call, err_of_call.msg);                                                    \
	} while (0)
#define ERR (&err_of_call)

struct made_folder {
	char path[64];
};

static inline struct made_folder make_folder(void)
{
	struct made_folder f = {"/tmp/sahm-store-XXXXXX"};
	assert_non_null(mkdtemp(f.path));
	return f;
}

static inline void remove_folder(const struct made_folder *f)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", f->path);
	assert_int_equal(system(command), 0);
}

/* "<folder>/<name>", one of a few at a time. */
static inline const char *in_folder(const struct made_folder *f, const char *name)
{
	static _Thread_local char paths[4][128];
	static _Thread_local unsigned next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof(paths[0]), "%s/%s", f->path, name);
	return path;
}

static inline struct store *open_store(const char *path, enum store_access access)
{
	struct store *store = NULL;
	MUST_WORK(store_open(&store, path, access, ERR));
	if (access == STORE_WRITE)
		MUST_WORK(store_set_program(store, PROGRAM, false, ERR));
	return store;
}

static inline void hash_of_number(uint64_t number, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add_u64(&h, number);
	hash_end(&h, hash);
}

/* A sweep with axes x (0 to nr_x - 1) and policy (sahm, fair), of which points begin, begin + step ... are planned.
 * The run of a point is `first_run` + its position, but for the last ones, which share that of position 0. */
struct made_sweep {
	uint64_t nr_x, begin, step, first_run, nr_shared;
};

static inline int64_t plan_sweep(struct store *store, const struct made_sweep *m)
{
	struct store_sweep sweep = {"made", "run", "a = 1;\n", 2 * m->nr_x};
	uint8_t hash[HASH_BYTES];
	int64_t id = 0;
	MUST_WORK(store_plan_begin(store, &sweep, ERR));
	MUST_WORK(store_plan_axis(store, &(struct store_axis){"x", m->nr_x, 2, false}, ERR));
	for (uint64_t x = 0; x < m->nr_x; x++) {
		char label[32], setting[48];
		snprintf(label, sizeof(label), "%llu", (unsigned long long)x);
		snprintf(setting, sizeof(setting), "x=%s", label);
		MUST_WORK(store_plan_value(store, label, setting, ERR));
	}
	MUST_WORK(store_plan_axis(store, &(struct store_axis){"policy", 2, 1, false}, ERR));
	MUST_WORK(store_plan_value(store, "sahm", "scheduler.policy=\"sahm\"", ERR));
	MUST_WORK(store_plan_value(store, "fair, as ever", "scheduler.policy=\"fair\"", ERR));
	for (uint64_t p = m->begin; p < sweep.nr_points; p += m->step) {
		hash_of_number(m->first_run + (p + m->nr_shared >= sweep.nr_points ? 0 : p), hash);
		MUST_WORK(store_plan_point(store, p, hash, ERR));
	}
	hash_of_number(m->first_run << 32 | m->nr_x, hash);
	MUST_WORK(store_plan_end(store, hash, &id, ERR));
	return id;
}

struct made_record {
	struct record record;
	struct record_core chip[2];
	struct record_thread threads[MADE_THREADS];
};

/* The record of a run; all of it except the timing depends only on `number`. */
static inline const struct record *make_record(struct made_record *m, uint64_t number)
{
	m->record = (struct record){
		.message = "",
		.chip = m->chip,
		.nr_groups = number % 2 ? 2 : 1,
		.nr_cores = number % 2 ? 9 : 1,
		.threads = m->threads,
		.nr_threads = MADE_THREADS,
		.timing = {1700000000000, 12345 + number, 12000, 1},
	};
	m->chip[0] = (struct record_core){"baseline", "", 1};
	m->chip[1] = (struct record_core){"l2+branch", "20,30", 8};
	for (uint32_t t = 0; t < MADE_THREADS; t++) {
		static const char *const names[MADE_THREADS] = {"gcc", "a, \"quoted\" name", "lbm (synthetic)"};
		m->threads[t] =
			(struct record_thread){names[t], t ? 0.5 / t : NAN, 0.25,	    1, 1000 * number + t, 2000,
					       t,	 t ? 0.5 * t : NAN, t ? 0.125 : NAN};
	}
	m->record.synthetic = true;
	m->record.nominal = number % 2;
	for (int i = 0; i < NR_RUN_METRICS; i++)
		m->record.metrics[i] = i < 5 ? (double)number + i / 8.0 : i == 5 ? INFINITY : NAN;
	return &m->record;
}

/* Carries out what is planned, `limit` runs at most: the record of a run is that of its first point. */
static inline size_t do_jobs(struct store *store, int64_t sweep, size_t limit, bool keep_threads)
{
	struct store_job jobs[16];
	struct made_record made;
	size_t nr, done = 0;
	int64_t after = 0;
	do {
		MUST_WORK(store_jobs(store, STORE_WHOLE(sweep), after, jobs, limit - done < 16 ? limit - done : 16, &nr,
				     ERR));
		for (size_t i = 0; i < nr; i++, done++) {
			assert_true(jobs[i].run > after);
			after = jobs[i].run;
			MUST_WORK(store_put(store, after, make_record(&made, jobs[i].position), keep_threads, ERR));
		}
	} while (nr > 0 && done < limit);
	MUST_WORK(store_commit(store, ERR));
	return done;
}

static inline void expect_counts(struct store *store, int64_t sweep, const struct store_counts *expected)
{
	struct store_counts counts;
	MUST_WORK(store_count(store, STORE_WHOLE(sweep), &counts, ERR));
	if (memcmp(&counts, expected, sizeof(counts)) != 0)
		fail_msg("points %llu, planned %llu, done %llu, failed %llu", (unsigned long long)counts.points,
			 (unsigned long long)counts.planned, (unsigned long long)counts.done,
			 (unsigned long long)counts.failed);
}

static inline void expect_failure(enum sahm_status got, const struct sahm_err *err, enum sahm_status status,
				  const char *message)
{
	if (got != status || strcmp(err->msg, message) != 0)
		fail_msg("status %d, '%s'; expected %d, '%s'", got, err->msg, status, message);
}

#endif
