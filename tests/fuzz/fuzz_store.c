/* Stores whose bytes are damaged: looking into them ends in an answer or a message. An input is a whole file if it
 * begins like one; else changes to a store that is made here: of 4 bytes each, in the last one what a byte becomes, in
 * the others at which place, modulo the length; the first byte says whether the file also is cut, there. */
#include <math.h>
#include <unistd.h>

#include "results/store/store_export.h"
#include "tests/fuzz/fuzz.h"

#define MOST_BYTES ((size_t)1 << 18)

static void plan(struct store *store)
{
	uint8_t hash[HASH_BYTES] = {0};
	int64_t id;
	MUST(store_set_program(store, "1", false, NULL) == SAHM_OK);
	MUST(store_plan_begin(store, &(struct store_sweep){"s", "run", "a = 1;", 8}, NULL) == SAHM_OK);
	MUST(store_plan_axis(store, &(struct store_axis){"x", 8, 1, false}, NULL) == SAHM_OK);
	for (unsigned i = 0; i < 8; i++)
		MUST(store_plan_value(store, i % 2 ? "5" : "fair", "x=5", NULL) == SAHM_OK);
	for (uint8_t i = 0; i < 8; i++) {
		hash[0] = i % 7;
		MUST(store_plan_point(store, i, hash, NULL) == SAHM_OK);
	}
	MUST(store_plan_end(store, hash, &id, NULL) == SAHM_OK);
}

static void put(struct store *store)
{
	struct record_core core = {"l2", "30", 2};
	struct record_thread threads[2] = {{"gcc", 0.5, 0.25, 1, 1000, 2000, 3, 4, 5},
					   {"lbm", NAN, 0, 0, 0, 0, 0, NAN, NAN}};
	struct record r = {.message = "remark",
			   .chip = &core,
			   .nr_groups = 1,
			   .nr_cores = 2,
			   .threads = threads,
			   .nr_threads = 2,
			   .has_intervals = true};
	for (int m = 0; m < NR_RUN_METRICS; m++)
		r.metrics[m] = m % 3 ? m / 8.0 : NAN;
	for (int64_t run = 1; run <= 5; run++) {
		r.has_intervals = run == 2;
		r.failed = run == 4;
		MUST(store_put(store, run, &r, true, NULL) == SAHM_OK);
	}
	MUST(store_commit(store, NULL) == SAHM_OK);
}

static const struct store_submission submission = {"0123456789abcdef0123456789abcdef", {.sweep = 1, .nr = 1}};

static void put_more(struct store *store)
{
	bool is_new;
	struct record r = {.failed = true, .message = "x"};
	MUST(store_put_second(store, 1, &r, "w", &is_new, NULL) == SAHM_OK);
	MUST(store_put_second(store, 4, &r, "w", &is_new, NULL) == SAHM_OK);
	MUST(store_note_submission(store, &submission, NULL) == SAHM_OK);
	MUST(store_add_origins(store, 1, (struct counter_origins){.of = {1, 6, 8}}, NULL) == SAHM_OK);
}

/* A store as it is on a disk. */
static size_t make_image(const char *path, uint8_t *image)
{
	struct store *store;
	unlink(path);
	MUST(store_open(&store, path, STORE_WRITE, NULL) == SAHM_OK);
	plan(store);
	put(store);
	put_more(store);
	MUST(store_close(store, NULL) == SAHM_OK);
	FILE *in = fopen(path, "rb");
	MUST(in);
	size_t len = fread(image, 1, MOST_BYTES, in);
	MUST(len < MOST_BYTES);
	fclose(in);
	return len;
}

static void write_image(const char *path, const uint8_t *image, size_t len)
{
	FILE *out = fopen(path, "wb");
	MUST(out && fwrite(image, 1, len, out) == len && fclose(out) == 0);
}

static bool is_well(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return true;
	must_explain(err, status, "");
	return false;
}

static void use_exports(struct store *store, int64_t sweep)
{
	struct export_counts counts;
	struct sahm_err err;
	FILE *out = fopen("/dev/null", "w");
	MUST(out);
	for (int kind = EXPORT_POINTS; kind <= EXPORT_TIMINGS; kind++)
		for (int form = EXPORT_CSV; form <= EXPORT_JSONL; form++)
			(void)is_well(store_export(store, sweep, (enum export_kind)kind, (enum export_form)form, out,
						   &counts, &err),
				      &err);
	fclose(out);
}

static void use_results(struct store *store)
{
	struct arena a;
	struct record found;
	struct store_submission *submissions;
	struct sahm_err err;
	bool has_threads, same;
	uint64_t nr_seconds;
	size_t nr;
	arena_init(&a);
	for (int64_t run = 1; run <= 7; run++)
		if (is_well(store_result(store, run, &a, &found, &has_threads, &err), &err) &&
		    is_well(store_is_same(store, run, &found, &same, &err), &err))
			MUST(same);
	(void)is_well(store_count_seconds(store, 1, &nr_seconds, &err), &err);
	if (is_well(store_submissions(store, &a, &submissions, &nr, &err), &err))
		for (size_t i = 0; i < nr; i++)
			MUST(strlen(submissions[i].id) == SUBMISSION_BYTES - 1 &&
			     submissions[i].part.index < submissions[i].part.nr);
	arena_release(&a);
}

static void use_reading(const char *path)
{
	struct store *store, *all;
	struct sahm_err err;
	struct store_counts counts;
	struct store_job jobs[16];
	int64_t sweep;
	size_t nr;
	if (!is_well(store_open(&store, path, STORE_READ, &err), &err))
		return;
	if (is_well(store_find_sweep(store, NULL, &sweep, &err), &err)) {
		(void)is_well(store_count(store, STORE_WHOLE(sweep), &counts, &err), &err);
		if (is_well(store_jobs(store, STORE_WHOLE(sweep), 0, jobs, 16, &nr, &err), &err))
			MUST(nr <= 16);
		use_exports(store, sweep);
	}
	use_results(store);
	store_abandon(store);
	MUST(store_open(&all, NULL, STORE_WRITE, NULL) == SAHM_OK);
	(void)is_well(store_merge(all, path, false, &err), &err);
	MUST(is_well(store_close(all, &err), &err));
}

static void use_writing(const char *path)
{
	struct store *store;
	struct sahm_err err;
	struct record r = {.failed = true, .message = "x"};
	uint64_t nr;
	bool is_new;
	if (!is_well(store_open(&store, path, STORE_WRITE, &err), &err))
		return;
	(void)is_well(store_put(store, 6, &r, true, &err), &err);
	(void)is_well(store_commit(store, &err), &err);
	(void)is_well(store_put_second(store, 5, &r, "w", &is_new, &err), &err);
	(void)is_well(store_put_over(store, 4, &r, true, &err), &err);
	(void)is_well(store_note_submission(store, &submission, &err), &err);
	(void)is_well(store_end_submission(store, submission.id, &err), &err);
	(void)is_well(store_retry(store, STORE_WHOLE(1), &nr, &err), &err);
	(void)is_well(store_close(store, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64], side[80];
	static uint8_t made[MOST_BYTES], image[MOST_BYTES];
	static size_t made_len;
	if (size == 0 || size > MOST_BYTES)
		return 0;
	snprintf(path, sizeof(path), "/tmp/sahm-fuzz-store-%ld.db", (long)getpid());
	if (made_len == 0)
		made_len = make_image(path, made);
	size_t len = size;
	if (size < 15 || memcmp(data, "SQLite format 3", 15) != 0) {
		memcpy(image, made, made_len);
		len = made_len;
		for (size_t i = 1; i + 4 <= size; i += 4) {
			size_t place = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % made_len;
			image[place] = data[i + 3];
			if (data[0] & 1 && i + 8 > size)
				len = place;
		}
	} else {
		memcpy(image, data, size);
	}
	write_image(path, image, len);
	use_reading(path);
	write_image(path, image, len);
	use_writing(path);
	unlink(path);
	for (int i = 0; i < 3; i++) {
		static const char *const behind[] = {"wal", "shm", "journal"};
		snprintf(side, sizeof(side), "%s-%s", path, behind[i]);
		unlink(side);
	}
	return 0;
}
