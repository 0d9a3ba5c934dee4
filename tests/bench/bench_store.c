/* Stores: a sweep of many cheap runs is planned, planned again, put, exported and merged; what a run takes on the disk,
 * with and without its threads. Seconds of processor time, and how much longer putting takes than
 * writing the same records to a plain file as bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store/store_export.h"
#include "tests/bench/bench.h"

#define NR_RUNS 100000u
#define NR_THREADS 39u
#define COMMIT_RUNS 256u

struct seconds {
	double plan, again, put, export, merge, plain;
	long long bytes;
};

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static void hash_of(uint64_t number, uint8_t hash[HASH_BYTES])
{
	struct hash h;
	hash_init(&h);
	hash_add_u64(&h, number);
	hash_end(&h, hash);
}

static int64_t plan(struct store *store, uint64_t nr_runs)
{
	struct sahm_err err;
	uint8_t hash[HASH_BYTES];
	int64_t sweep;
	char label[32];
	must(store_set_program(store, "bench", false, &err), &err);
	must(store_plan_begin(store, &(struct store_sweep){"bench", "run", "", nr_runs}, &err), &err);
	must(store_plan_axis(store, &(struct store_axis){"x", nr_runs, 1, false}, &err), &err);
	for (uint64_t i = 0; i < nr_runs; i++) {
		snprintf(label, sizeof(label), "%llu", (unsigned long long)i);
		must(store_plan_value(store, label, "", &err), &err);
	}
	for (uint64_t i = 0; i < nr_runs; i++) {
		hash_of(i, hash);
		must(store_plan_point(store, i, hash, &err), &err);
	}
	must(store_plan_end(store, hash, &sweep, &err), &err);
	return sweep;
}

static const struct record *record_of(uint64_t number)
{
	static struct record_core chip = {"l2", "30", 8};
	static struct record_thread threads[NR_THREADS];
	static struct record r;
	for (uint32_t t = 0; t < NR_THREADS; t++)
		threads[t] = (struct record_thread){
			"thread", (double)number / (3.0 + t), 0.1 * t, 1.0 / (t + 1), number * t, number, t, 0.2 * t,
			0.3 * t};
	r = (struct record){.message = "",
			    .synthetic = true,
			    .chip = &chip,
			    .nr_groups = 1,
			    .nr_cores = 8,
			    .threads = threads,
			    .nr_threads = NR_THREADS};
	for (int m = 0; m < NR_RUN_METRICS; m++)
		r.metrics[m] = (double)number / (m + 7.0);
	r.timing = (struct record_timing){1700000000000, number, number, 1};
	return &r;
}

static void put(struct store *store, int64_t sweep, bool keep_threads)
{
	struct store_job jobs[COMMIT_RUNS];
	struct sahm_err err;
	size_t nr;
	int64_t after = 0;
	do {
		must(store_jobs(store, STORE_WHOLE(sweep), after, jobs, COMMIT_RUNS, &nr, &err), &err);
		for (size_t i = 0; i < nr; i++) {
			after = jobs[i].run;
			must(store_put(store, after, record_of(jobs[i].position), keep_threads, &err), &err);
		}
		must(store_commit(store, &err), &err);
	} while (nr > 0);
}

static double write_plainly(uint64_t nr_runs)
{
	double before = now();
	FILE *out = tmpfile();
	struct textbuf b;
	if (!out)
		exit(1);
	for (uint64_t i = 0; i < nr_runs; i++) {
		textbuf_init(&b);
		record_encode(record_of(i), &b);
		fwrite(b.text, 1, b.len, out);
		textbuf_release(&b);
	}
	fflush(out);
	fclose(out);
	return now() - before;
}

/* The time since *before, which becomes now. */
static double lap(double *before)
{
	double present = now(), took = present - *before;
	*before = present;
	return took;
}

static struct seconds measure(uint64_t nr_runs, bool keep_threads)
{
	char path[] = "/tmp/sahm-bench-XXXXXX";
	struct seconds s = {.plain = write_plainly(nr_runs)};
	struct export_counts counts;
	struct sahm_err err;
	struct store *store, *all;
	struct stat st;
	int fd = mkstemp(path);
	FILE *nowhere = fopen("/dev/null", "w");
	if (fd < 0 || !nowhere)
		exit(1);
	close(fd);
	double before = now();
	must(store_open(&store, path, STORE_WRITE, &err), &err);
	int64_t sweep = plan(store, nr_runs);
	s.plan = lap(&before);
	plan(store, nr_runs);
	s.again = lap(&before);
	put(store, sweep, keep_threads);
	must(store_close(store, &err), &err);
	s.put = lap(&before);
	must(store_open(&store, path, STORE_READ, &err), &err);
	must(store_export(store, sweep, EXPORT_POINTS, EXPORT_CSV, nowhere, &counts, &err), &err);
	must(store_close(store, &err), &err);
	s.export = lap(&before);
	must(store_open(&all, NULL, STORE_WRITE, &err), &err);
	must(store_merge(all, path, false, &err), &err);
	must(store_close(all, &err), &err);
	s.merge = lap(&before);
	if (stat(path, &st) == 0)
		s.bytes = (long long)st.st_size;
	fclose(nowhere);
	unlink(path);
	return s;
}

int main(void)
{
	struct rusage usage;
	printf("store: %u runs of %u threads\n", NR_RUNS, NR_THREADS);
	printf("%-16s %8s %8s %8s %8s %8s %10s %12s\n", "", "plan", "again", "put", "export", "merge", "put/plain",
	       "bytes/run");
	for (int keep_threads = 0; keep_threads < 2; keep_threads++) {
		uint64_t nr = keep_threads ? NR_RUNS / 10 : NR_RUNS;
		struct seconds s = measure(nr, keep_threads);
		printf("%-16s %7.2fs %7.2fs %7.2fs %7.2fs %7.2fs %10.1f %12.0f\n",
		       keep_threads ? "threads, a tenth" : "no threads", s.plan, s.again, s.put, s.export, s.merge,
		       s.put / s.plain, (double)s.bytes / (double)nr);
		if (!keep_threads && getrusage(RUSAGE_SELF, &usage) == 0)
			printf("%-16s %7.0f MB in memory at most, with the merged store there\n", "",
			       (double)usage.ru_maxrss / 1024);
	}
	return 0;
}
