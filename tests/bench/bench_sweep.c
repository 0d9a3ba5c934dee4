/* Sweeps: the study's whole space with one process and with two, and a hundred thousand cheap runs. By the clock on the
 * wall, since several processes run: nothing else should. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sweep/pool.h"
#include "sim/sweep/sweep.h"
#include "tests/bench/bench_suite.h"

#define TIMES 3
#define STORE "/tmp/sahm-bench-sweep.sqlite"

static double wall(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void remove_store(void)
{
	unlink(STORE);
	unlink(STORE "-wal");
	unlink(STORE "-shm");
}

struct measured {
	double seconds, planning;
	uint64_t nr_points, nr_runs;
};

/* The whole of it: reading, planning, running, closing the store. */
static struct measured sweep_all(const struct sweep_request *request, uint32_t nr_workers, bool keep_threads)
{
	const struct sweep_options options = {.nr_workers = nr_workers, .keep_threads = keep_threads, .shard = {0, 1}};
	struct measured m;
	struct sweep sweep;
	struct sweep_plan plan;
	struct sweep_outcome outcome;
	struct store *store;
	struct sahm_err err;
	remove_store();
	double start = wall();
	must(sweep_read(&sweep, request, &err), &err);
	must(store_open(&store, STORE, STORE_WRITE, &err), &err);
	must(sweep_plan(&sweep, &options, store, &plan, &err), &err);
	m.planning = wall() - start;
	must(sweep_carry_out(&sweep, &options, store, &plan, &outcome, &err), &err);
	must(store_close(store, &err), &err);
	m.seconds = wall() - start;
	m.nr_points = plan.counts.points;
	m.nr_runs = outcome.done;
	if (outcome.failed > 0 || outcome.done != plan.counts.planned) {
		fprintf(stderr, "runs failed\n");
		exit(1);
	}
	sweep_plan_release(&plan);
	sweep_release(&sweep);
	return m;
}

static void measure_study(void)
{
	const struct sweep_request request = {.config = "configs/studies/space-39.cfg", .data_folder = "."};
	static const uint32_t workers[] = {1, 2};
	double seconds[2][TIMES];
	struct measured m = {0};
	for (int i = 0; i < TIMES; i++)
		for (int w = 0; w < 2; w++) {
			m = sweep_all(&request, workers[w], true);
			seconds[w][i] = m.seconds;
		}
	double one = median_of(seconds[0], TIMES), two = median_of(seconds[1], TIMES);
	printf("sweep    space-39: %" PRIu64 " points, %" PRIu64 " runs of 39 threads (synthetic), planning %.2f s\n",
	       m.nr_points, m.nr_runs, m.planning);
	printf("sweep    -j 1 %.2f s, -j 2 %.2f s, ratio %.2f; %.0f runs/s; medians of %d by turns, %" PRIu32
	       " processors\n",
	       one, two, one / two, (double)m.nr_runs / two, TIMES, pool_nr_processors());
}

/* In a separate process, so that its maximum size is its own. */
static void measure_cheap(void)
{
	const struct space_argument axes[] = {{"migration.cost_ms=0..9.99..0.01", false},
					      {"scheduler.inertia=0..99", false}};
	const char *settings[] = {"workload.duration_ms=100"};
	const struct sweep_request request = {.config = "configs/canonical.cfg",
					      .settings = settings,
					      .nr_settings = 1,
					      .axes = axes,
					      .nr_axes = 2,
					      .data_folder = "."};
	struct rusage self;
	struct stat st = {0};
	struct measured m = sweep_all(&request, 2, false);
	getrusage(RUSAGE_SELF, &self);
	stat(STORE, &st);
	printf("cheap    %" PRIu64 " runs in %.1f s with -j 2 (%.0f/s, planning %.1f s), at most %.0f MB of memory in "
	       "the main process, store %.1f MB without threads (%.0f bytes a run)\n",
	       m.nr_runs, m.seconds, (double)m.nr_runs / m.seconds, m.planning, (double)self.ru_maxrss / 1024,
	       (double)st.st_size / 1e6, (double)st.st_size / (double)m.nr_runs);
}

int main(void)
{
	allow_own_includes();
	measure_study();
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		measure_cheap();
		fflush(stdout);
		_exit(0);
	}
	int end = 0;
	waitpid(pid, &end, 0);
	remove_store();
	return pid > 0 && end == 0 ? 0 : 1;
}
