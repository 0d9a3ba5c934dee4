/* Recording in QEMU: millions of instructions a second with all models on, beside only QEMU, QEMU with a plug-in that
 * is called for each block and each access and does nothing, and the recorder that writes the instruction stream too.
 * Processor time of the command; of the same work in one thread and in four, the time that passes as well. Skips what
 * is not installed. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/clock.h"
#include "tests/bench/bench.h"
#include "workloads/record/record_qemu.h"

#define TIMES 3
#define STREAM "/tmp/sahm-bench-record.stream"

/* The output of a command is of no interest; ours is. */
static int quiet(void)
{
	fflush(stdout);
	int own = dup(STDOUT_FILENO);
	if (own < 0 || !freopen("/dev/null", "w", stdout))
		exit(1);
	return own;
}

static void loud(int own)
{
	fflush(stdout);
	if (dup2(own, STDOUT_FILENO) < 0)
		exit(1);
	close(own);
}

static double children(void)
{
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Runs a command that prints nothing of interest. */
static double run_plainly(char **command)
{
	double before = children();
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) == 127) {
		fprintf(stderr, "cannot run %s\n", command[0]);
		exit(1);
	}
	return children() - before;
}

static double record(char **command, const struct cpu *cpu, const char *stream, uint64_t *nr_instructions,
		     double *wall_seconds)
{
	struct qemu_request request = {
		.common = {.command = command, .provenance.text[PROVENANCE_NAME] = "bench"},
		.cpu = cpu,
		.epoch_instructions = DEFAULT_EPOCH_INSTRUCTIONS,
		.epoch_ns = 100000000,
		.stream_path = stream,
		.plugin_path = QEMU_PLUGIN,
	};
	struct recording r;
	struct sahm_err err;
	double before = children();
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	if (record_qemu(&request, &r, &err) != SAHM_OK) {
		fprintf(stderr, "%s\n", err.msg);
		exit(1);
	}
	*wall_seconds = 1e-9 * (double)(clock_ns(CLOCK_MONOTONIC) - began_ns);
	*nr_instructions = r.nr_instructions;
	recording_release(&r);
	return children() - before;
}

/* Returns the recorder's millions of instructions in a second of wall time. */
static double measure(const char *name, char **command, const struct cpu *cpu)
{
	char *bare[16] = {"qemu-x86_64"},
	     *called[16] = {"qemu-x86_64", "-plugin", "file=" COUNT_PLUGIN ",out=/dev/null,calls=on"};
	double seconds[4][TIMES], wall[TIMES], unused;
	uint64_t nr = 0;
	struct stat st = {0};
	for (int i = 0; command[i] && i < 12; i++)
		bare[i + 1] = called[i + 3] = command[i];
	int own = quiet();
	for (int t = 0; t < TIMES; t++) {
		seconds[0][t] = run_plainly(bare);
		seconds[1][t] = run_plainly(called);
		seconds[2][t] = record(command, cpu, NULL, &nr, &wall[t]);
		seconds[3][t] = record(command, cpu, STREAM, &nr, &unused);
	}
	loud(own);
	printf("%-10s %13.1f", name, 1e-6 * (double)nr);
	for (int i = 0; i < 4; i++)
		printf(" %9.1f", 1e-6 * (double)nr / median_of(seconds[i], TIMES));
	stat(STREAM, &st);
	printf(" %9.2f\n", (double)st.st_size / (double)nr);
	unlink(STREAM);
	return 1e-6 * (double)nr / median_of(wall, TIMES);
}

int main(void)
{
	static char *const work[] = {WORK_PROGRAM, "40", NULL};
	static char *const four[] = {WORK_PROGRAM, "40", "spread", NULL};
	static char *const xz[] = {"/usr/bin/xz", "-T1", "-k", "-c", QEMU_PLUGIN, NULL};
	static char *const perl[] = {
		"/usr/bin/perl", "-e",
		"$x=1; for (1..200000) { $x=($x*69069+1)%4294967296; $h{$x%5000}.=chr(65+$x%26); } print length "
		"join('',map{s/A+/b/gr}values %h)",
		NULL};
	static char *const *const commands[] = {work, four, xz, perl};
	static const char *const names[] = {"work", "4 threads", "xz", "perl"};
	double speed[ARRAY_SIZE(commands)] = {0};
	struct cpu cpu;
	struct sahm_err err;
	if (system("qemu-x86_64 -h 2>/dev/null | grep -q plugin") != 0) {
		printf("record   no qemu-x86_64 that takes plug-ins (Debian: qemu-user)\n");
		return 0;
	}
	if (cpu_read("configs/cpus/" DEFAULT_CPU ".cfg", &cpu, &err) != SAHM_OK) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	printf("recording in QEMU as %s, medians of %d runs, M instructions a second of processor time\n", cpu.name,
	       TIMES);
	printf("%-10s %13s %9s %9s %9s %9s %9s\n", "program", "M instr.", "QEMU", "called", "recorded", "+ stream",
	       "B/instr.");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (access(commands[i][0], X_OK) == 0)
			speed[i] = measure(names[i], (char **)(uintptr_t)commands[i], &cpu);
		else
			printf("%-10s is not installed\n", names[i]);
	printf("of wall time: 1 thread %.1f, 4 threads %.1f, ratio %.2f\n", speed[0], speed[1], speed[1] / speed[0]);
	return 0;
}
