/* How long a run takes to start: the parts of `sahm run configs/synthetic-39.cfg`, in processor time, beside the
 * simulation that follows; and the whole of it as the program does it, where that is built. The traces are shipped
 * ones, synthetic. */
#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/zstd_stream.h"
#include "sim/engine/config/run.h"
#include "tests/bench/bench_suite.h"

#define CONFIG "configs/synthetic-39.cfg"
#define TRACES "workloads/suites/synthetic/spec2017/*.trc.zst"
#define STARTS 15
#define GOAL_MS 15

static double on_the_wall(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What reading cannot do without: bytes out of the files. */
static void decompress(const glob_t *found)
{
	static char bytes[65536];
	for (size_t i = 0; i < found->gl_pathc; i++) {
		FILE *in = fopen(found->gl_pathv[i], "r");
		struct zstd_reader *r = in ? zstd_reader_new(in, found->gl_pathv[i]) : NULL;
		if (!r)
			exit(1);
		while (fread(bytes, 1, sizeof(bytes), zstd_reader_stream(r)) > 0)
			;
		zstd_reader_free(r, SAHM_OK, NULL);
		fclose(in);
	}
}

/* Returns how much of it is for states, in s. */
static double open_one_by_one(const glob_t *found)
{
	struct sahm_err err;
	struct cuts cuts;
	double classifying = 0;
	if (!cuts_named(DEFAULT_CUTS, &cuts))
		exit(1);
	for (size_t i = 0; i < found->gl_pathc; i++) {
		struct trace *trace;
		must(trace_open(found->gl_pathv[i], NULL, &trace, &err), &err);
		must(trace_verify(trace, &err), &err);
		uint8_t *made = malloc(trace_nr_epochs(trace));
		if (!made)
			exit(1);
		double begun = now();
		must(trace_states(trace, &cuts, made, &err), &err);
		classifying += now() - begun;
		free(made);
		trace_free(trace);
	}
	return classifying;
}

/* Processor time of the program, in ms, and *wall; below 0 without it. */
static double time_program(char *const *args, double *wall)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - sizeof("/../sahm"));
	path[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(path, '/');
	struct rusage used;
	int status = 1;
	if (!slash)
		return -1;
	strcpy(slash, "/../sahm");
	posix_spawn_file_actions_t actions;
	pid_t child;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	double start = on_the_wall();
	/* A copy of this process, as fork() makes it, would count to the program. */
	bool has_begun = posix_spawn(&child, path, &actions, NULL, args, environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	if (!has_begun || wait4(child, &status, 0, &used) < 0 || status != 0)
		return -1;
	*wall = 1e3 * (on_the_wall() - start);
	return 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       1e-3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

enum { PROCESS, BYTES, OPEN, CLASSIFY, LOAD, EXECUTE, PROGRAM, PROGRAM_WALL, LOAD_WALL, NR_PARTS };

static void measure(const glob_t *found, double ms[NR_PARTS])
{
	char *version[] = {"sahm", "--version", NULL}, *run[] = {"sahm", "run", CONFIG, NULL};
	struct run_config config;
	struct run_result result;
	struct sahm_err err;
	double wall, start = now();
	decompress(found);
	double bytes = now();
	double classifying = open_one_by_one(found);
	double opened = now(), began = on_the_wall();
	must(run_config_load(&config, CONFIG, NULL, 0, ".", &err), &err);
	double loaded = now();
	ms[LOAD_WALL] = 1e3 * (on_the_wall() - began);
	must(run_execute(&config, SIM_EVENT, &result, &err), &err);
	ms[EXECUTE] = 1e3 * (now() - loaded - classifying);
	ms[BYTES] = 1e3 * (bytes - start);
	ms[OPEN] = 1e3 * (opened - bytes - classifying);
	ms[CLASSIFY] = 1e3 * classifying;
	ms[LOAD] = 1e3 * (loaded - opened);
	run_result_release(&result);
	run_config_release(&config);
	ms[PROCESS] = time_program(version, &wall);
	ms[PROGRAM] = time_program(run, &ms[PROGRAM_WALL]);
}

int main(void)
{
	double all[NR_PARTS][STARTS], ms[NR_PARTS];
	glob_t found;
	allow_own_includes();
	if (glob(TRACES, 0, NULL, &found) != 0)
		return 1;
	for (int i = 0; i < STARTS; i++) {
		double one[NR_PARTS];
		measure(&found, one);
		for (int p = 0; p < NR_PARTS; p++)
			all[p][i] = one[p];
	}
	for (int p = 0; p < NR_PARTS; p++)
		ms[p] = median_of(all[p], STARTS);
	printf("start-up of %s, medians of %d\n", CONFIG, STARTS);
	printf("%-58s %8.1f ms of processor time\n", "decompressing its traces", ms[BYTES]);
	printf("%-58s %8.1f ms, one after the other\n", "the same, reading and digesting them", ms[OPEN]);
	printf("%-58s %8.1f ms, %.1f on the wall\n", "the same in threads, and the configuration", ms[LOAD],
	       ms[LOAD_WALL]);
	printf("%-58s %8.1f ms\n", "classifying epochs", ms[CLASSIFY]);
	printf("%-58s %8.1f ms\n", "the simulation", ms[EXECUTE]);
	if (ms[PROGRAM] < 0) {
		printf("the program is not built\n");
		return 0;
	}
	printf("%-58s %8.1f ms\n", "sahm --version: the process and its libraries", ms[PROCESS]);
	printf("%-58s %8.1f ms, %.1f on the wall\n", "sahm run " CONFIG, ms[PROGRAM], ms[PROGRAM_WALL]);
	printf("%-58s %8.1f ms, %.1f on the wall; goal %d\n", "start-up: that without the simulation",
	       ms[PROGRAM] - ms[EXECUTE], ms[PROGRAM_WALL] - ms[EXECUTE], GOAL_MS);
	globfree(&found);
	return 0;
}
