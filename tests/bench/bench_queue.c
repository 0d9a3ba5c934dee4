/* Sweeps through Redis against local ones: runs of 0.1 s and more, short runs, and what a hundred thousand queued runs
 * take of memory. A server of its own on this machine, two workers with a process each against a local sweep with two.
 * By the clock on the wall, since several processes run: nothing else should. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/queue/queue_worker.h"
#include "sim/queue/sweep_remote.h"
#include "sim/sweep/pool.h"
#include "tests/bench/bench_suite.h"

#define TIMES 3
#define NR_WORKERS 2
#define MB (1024.0 * 1024.0)

static char folder[] = "/tmp/sahm-bench-queue-XXXXXX";
static char url[64];
static pid_t server, workers[NR_WORKERS];

static double wall(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_briefly(void)
{
	const struct timespec t = {0, 20 * 1000 * 1000};
	nanosleep(&t, NULL);
}

static const char *path_of(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void finish(void)
{
	char command[64];
	for (int w = 0; w < NR_WORKERS; w++)
		if (workers[w] > 0)
			kill(workers[w], SIGKILL);
	if (server > 0)
		kill(server, SIGKILL);
	while (wait(NULL) > 0)
		;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	if (system(command) != 0)
		fprintf(stderr, "%s is left\n", folder);
}

/* ---- The server ---- */

static uint16_t free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		address.sin_port = htons(7379);
	close(fd);
	return ntohs(address.sin_port);
}

static void open_queue(struct queue *q)
{
	const struct queue_options options = {.url = url, .name = "bench"};
	struct sahm_err err;
	must(queue_connect(q, &options, &err), &err);
}

static void start_server(void)
{
	char port[8];
	struct sahm_err err;
	struct queue q;
	const struct queue_options options = {.url = url, .look = true};
	snprintf(port, sizeof(port), "%u", (unsigned)free_port());
	snprintf(url, sizeof(url), "redis://127.0.0.1:%s", port);
	server = fork();
	if (server == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!freopen(path_of("log"), "a", stdout))
			_exit(127);
		execlp("redis-server", "redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", folder,
		       "--appendonly", "yes", "--save", "", (char *)NULL);
		_exit(127);
	}
	enum sahm_status status = SAHM_IO;
	for (int i = 0; i < 500 && status != SAHM_OK; i++) {
		sleep_briefly();
		status = queue_connect(&q, &options, &err);
	}
	must(status, &err);
	queue_disconnect(&q);
}

/* ---- Workers ---- */

static volatile sig_atomic_t asked;

static void note(int number)
{
	asked = number;
}

static enum worker_stop stop(void *ctx)
{
	(void)ctx;
	return asked ? WORKER_FINISH : WORKER_GO_ON;
}

static void start_workers(void)
{
	fflush(stdout);
	for (int w = 0; w < NR_WORKERS; w++) {
		workers[w] = fork();
		if (workers[w] != 0)
			continue;
		const struct queue_worker_options options = {.queue = {.url = url, .name = "bench"},
							     .nr_processes = 1,
							     .cache = path_of("cache"),
							     .cache_bytes = UINT64_C(1) << 30,
							     .grace_s = 10,
							     .stop = stop};
		struct queue_worker_outcome outcome;
		struct sahm_err err;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGTERM, note);
		must(queue_work(&options, &outcome, &err), &err);
		_exit(0);
	}
}

/* Largest size that a process had, in MB. */
static double peak_of(pid_t pid)
{
	char path[64], line[128];
	double kb = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "VmHWM:", 6) == 0)
			kb = strtod(line + 6, NULL);
	if (f)
		fclose(f);
	return kb / 1024;
}

/* Returns the larger of their peaks. */
static double stop_workers(void)
{
	double peak = 0;
	for (int w = 0; w < NR_WORKERS; w++) {
		double mb = peak_of(workers[w]);
		peak = mb > peak ? mb : peak;
		kill(workers[w], SIGTERM);
		waitpid(workers[w], NULL, 0);
		workers[w] = 0;
	}
	return peak;
}

/* ---- Sweeps ---- */

struct kind {
	const char *name, *config;
	const char *settings[4];
	size_t nr_settings;
	struct space_argument axes[2];
	bool keep_threads;
};

enum where { LOCAL, QUEUE, DETACHED, COLLECT };

struct measured {
	double seconds; /* after the planning */
	double peak_mb; /* of the submitter */
	uint64_t nr_runs;
};

static void gather(struct store *store, struct queue *q, const struct store_submission *note,
		   const struct sweep_submission *submission)
{
	const struct gather_options how = {.note = note, .submission = submission, .wait = true};
	struct gathered g;
	struct sahm_err err;
	must(sweep_gather(&how, store, q, &g, &err), &err);
	if (g.failed > 0 || g.left > 0 || g.differing > 0 || !g.ended) {
		fprintf(stderr, "runs failed\n");
		exit(1);
	}
}

static void carry_out(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
		      const struct sweep_plan *plan, enum where where)
{
	struct sweep_outcome outcome;
	struct sweep_submission submission;
	struct queue q;
	struct sahm_err err;
	bool interrupted;
	if (where == LOCAL) {
		must(sweep_carry_out(sweep, options, store, plan, &outcome, &err), &err);
		return;
	}
	open_queue(&q);
	must(sweep_submit(sweep, options, store, plan, &q, &submission, &interrupted, &err), &err);
	if (where != DETACHED)
		gather(store, &q, &submission.note, &submission);
	sweep_submission_release(&submission);
	queue_disconnect(&q);
}

static struct measured sweep_all(const struct kind *kind, enum where where)
{
	const char *settings[4];
	memcpy(settings, kind->settings, sizeof(settings));
	const struct sweep_request request = {.config = kind->config,
					      .settings = settings,
					      .nr_settings = kind->nr_settings,
					      .axes = kind->axes,
					      .nr_axes = 2,
					      .data_folder = "."};
	const struct sweep_options options = {
		.nr_workers = NR_WORKERS, .keep_threads = kind->keep_threads, .shard = {0, 1}};
	struct measured m;
	struct sweep sweep;
	struct sweep_plan plan;
	struct store *store;
	struct sahm_err err;
	if (where != COLLECT)
		unlink(path_of("store"));
	must(sweep_read(&sweep, &request, &err), &err);
	must(store_open(&store, path_of("store"), STORE_WRITE, &err), &err);
	must(sweep_plan(&sweep, &options, store, &plan, &err), &err);
	m.nr_runs = sweep_nr_left(&plan);
	double start = wall();
	carry_out(&sweep, &options, store, &plan, where);
	must(store_close(store, &err), &err);
	m.seconds = wall() - start;
	sweep_plan_release(&plan);
	sweep_release(&sweep);
	m.peak_mb = peak_of(getpid());
	return m;
}

/* In a separate process, so that its maximum size is its own. */
static struct measured measure(const struct kind *kind, enum where where)
{
	struct measured m;
	int ends[2], end = 1;
	fflush(stdout);
	if (pipe(ends) != 0)
		exit(1);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		m = sweep_all(kind, where);
		_exit(write(ends[1], &m, sizeof(m)) == sizeof(m) ? 0 : 1);
	}
	close(ends[1]);
	bool got = pid > 0 && read(ends[0], &m, sizeof(m)) == sizeof(m);
	close(ends[0]);
	if (!got || waitpid(pid, &end, 0) != pid || end != 0)
		exit(1);
	return m;
}

static void compare(const struct kind *kind)
{
	double local[TIMES], queue[TIMES];
	struct measured m = {0};
	start_workers();
	for (int i = 0; i < TIMES; i++) {
		local[i] = measure(kind, LOCAL).seconds;
		m = measure(kind, QUEUE);
		queue[i] = m.seconds;
	}
	stop_workers();
	double l = median_of(local, TIMES), q = median_of(queue, TIMES), nr = (double)m.nr_runs;
	printf("queue    %s: %" PRIu64
	       " runs of %.2g ms; local -j %d %.2f s (%.0f/s), through redis %.2f s (%.0f/s): %.0f %% of "
	       "local speed; medians of %d by turns, %" PRIu32 " processors\n",
	       kind->name, m.nr_runs, 1e3 * NR_WORKERS * l / nr, NR_WORKERS, l, nr / l, q, nr / q, 100 * l / q, TIMES,
	       pool_nr_processors());
	fflush(stdout);
}

static struct queue_counts wait_until_done(struct queue *q)
{
	struct queue_counts counts;
	struct sahm_err err;
	do {
		sleep_briefly();
		must(queue_count(q, NULL, &counts, &err), &err);
	} while (counts.waiting + counts.claimed > 0);
	return counts;
}

/* Results of runs with rows of all their threads are larger. */
static void measure_results(const struct kind *kind)
{
	struct queue q;
	open_queue(&q);
	double nr = (double)measure(kind, DETACHED).nr_runs;
	start_workers();
	double bytes = (double)wait_until_done(&q).result_bytes / nr;
	stop_workers();
	measure(kind, COLLECT);
	printf("memory   results of %s, with rows of all threads: %.0f bytes each; workers stop at %.0f MB, which is "
	       "%.0f thousand of them\n",
	       kind->name, bytes, (double)QUEUE_MAX_RESULT_BYTES / MB, (double)QUEUE_MAX_RESULT_BYTES / bytes / 1e3);
	fflush(stdout);
	queue_disconnect(&q);
}

static void measure_memory(const struct kind *kind)
{
	uint64_t before, queued, answered;
	struct queue q;
	struct sahm_err err;
	open_queue(&q);
	must(queue_memory(&q, &before, &err), &err);
	struct measured submitted = measure(kind, DETACHED);
	must(queue_memory(&q, &queued, &err), &err);
	double nr = (double)submitted.nr_runs;
	printf("memory   %.0f runs queued in %.1f s (%.0f/s): server %.1f MB (%.1f MB before, %.0f bytes a run), "
	       "submitter at most %.0f MB\n",
	       nr, submitted.seconds, nr / submitted.seconds, (double)queued / MB, (double)before / MB,
	       (double)(queued - before) / nr, submitted.peak_mb);
	fflush(stdout);
	double start = wall();
	start_workers();
	const struct queue_counts counts = wait_until_done(&q);
	double seconds = wall() - start, peak = stop_workers();
	must(queue_memory(&q, &answered, &err), &err);
	printf("memory   all of them done in %.1f s (%.0f/s), none collected: server %.1f MB, of which %.1f MB are "
	       "results (%.0f bytes each; workers stop at %.0f MB, which is %.1f million), a worker at most %.0f MB\n",
	       seconds, nr / seconds, (double)answered / MB, (double)counts.result_bytes / MB,
	       (double)counts.result_bytes / nr, (double)QUEUE_MAX_RESULT_BYTES / MB,
	       (double)QUEUE_MAX_RESULT_BYTES / ((double)counts.result_bytes / nr) / 1e6, peak);
	fflush(stdout);
	struct measured collected = measure(kind, COLLECT);
	must(queue_memory(&q, &before, &err), &err);
	printf("memory   collected in %.1f s (%.0f/s), submitter at most %.0f MB; server %.1f MB then\n",
	       collected.seconds, nr / collected.seconds, collected.peak_mb, (double)before / MB);
	queue_disconnect(&q);
}

int main(void)
{
	static const struct kind kinds[] = {
		{.name = "realistic-39",
		 .config = "configs/realistic-39.cfg",
		 .settings = {"workload.duration_ms=600000", "scheduler.policy=keen"},
		 .nr_settings = 2,
		 .axes = {{"migration.cost_ms=0..9", false}, {"scheduler.inertia=0..11", false}},
		 .keep_threads = true},
		{.name = "canonical, short",
		 .config = "configs/canonical.cfg",
		 .settings = {"workload.duration_ms=100"},
		 .nr_settings = 1,
		 .axes = {{"migration.cost_ms=0..4.99..0.01", false}, {"scheduler.inertia=0..99", false}}},
	};
	static const struct kind many = {
		.config = "configs/canonical.cfg",
		.settings = {"workload.duration_ms=100"},
		.nr_settings = 1,
		.axes = {{"migration.cost_ms=0..9.99..0.01", false}, {"scheduler.inertia=0..99", false}}};
	if (system("command -v redis-server > /dev/null 2>&1") != 0 || !redis_is_built_in()) {
		printf("queue    nothing is measured: redis-server is not installed, or the program was built without "
		       "hiredis\n");
		return 0;
	}
	if (!mkdtemp(folder))
		return 1;
	atexit(finish);
	start_server();
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		compare(&kinds[i]);
	measure_results(&kinds[0]);
	measure_memory(&many);
	return 0;
}
