/* Models of cores: millions of instructions a second of processor time, from an opened stream to its cycles. Streams of
 * xz, perl and cc1 are recorded in QEMU; a pointer chase over 64 MiB stands beside them. Each is read only, read and
 * run through the functional pass of golden-cove, and timed as golden-cove and as rocket. Medians of several runs. The
 * geometric mean is that of the three programs. Peak memory is that of a process that times the stream. The CPI of four
 * cores follows, which should grow from left to right. */
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/bench/bench_streams.h"
#include "workloads/stream/core_run.h"
#include "workloads/stream/stream_uops.h"

enum { READ, FUNCTIONAL, OUT_OF_ORDER, IN_ORDER, NR_WAYS };
static const char *const way_names[NR_WAYS] = {"read", "functional", "golden-cove", "rocket"};
/* What is asked for, and wanted. */
static const double required[NR_WAYS] = {90, 28, 14, 28}, wanted[NR_WAYS] = {150, 45, 25, 45};

static struct core_model golden_cove, rocket;

/* Whose CPI is compared, the fastest first. */
static const char *const ordered[] = {"golden-cove", "boom-mega", "boom-small", "rocket"};

static uint64_t run_functional(struct stream *s)
{
	struct sahm_err err;
	struct functional_pass *p = functional_pass_new(&golden_cove.geometry, &err);
	struct uop_batch *b = malloc(sizeof(*b));
	uint64_t nr = 0;
	if (!p || !b)
		exit(1);
	do {
		must(stream_uops_read(s, UINT64_MAX, b, &err), &err);
		functional_pass_run(p, b);
		nr += b->nr_instructions;
	} while (b->nr_instructions > 0);
	functional_pass_free(p);
	free(b);
	return nr;
}

static uint64_t run(const char *path, int way, uint64_t *cycles)
{
	static const struct stream_sampling all;
	struct sahm_err err;
	struct stream *s;
	struct executed e;
	struct core_counts counts;
	uint64_t nr = 0;
	bool more = true;
	must(stream_open(path, NULL, &s, &err), &err);
	if (way == READ) {
		while (must(stream_next(s, &e, &more, &err), &err), more)
			nr++;
	} else if (way == FUNCTIONAL) {
		nr = run_functional(s);
	} else {
		const struct core_model *const models[] = {way == IN_ORDER ? &rocket : &golden_cove};
		must(core_run(s, models, 1, LANES_BEST, &all, NULL, &counts, &err), &err);
		nr = counts.timing.instructions;
		*cycles = counts.timing.cycles;
	}
	stream_free(s);
	return nr;
}

static double cpi_of(const char *path, const char *core)
{
	static const struct stream_sampling all;
	static struct core_model model;
	struct sahm_err err;
	struct stream *s;
	struct core_counts counts;
	const struct core_model *const models[] = {&model};
	read_core(core, &model);
	must(stream_open(path, NULL, &s, &err), &err);
	must(core_run(s, models, 1, LANES_BEST, &all, NULL, &counts, &err), &err);
	stream_free(s);
	return (double)counts.timing.cycles / (double)counts.timing.instructions;
}

static double peak_mib(const char *path)
{
	uint64_t cycles;
	struct rusage u;
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		run(path, OUT_OF_ORDER, &cycles);
		_exit(0);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid || status != 0)
		exit(1);
	return (double)u.ru_maxrss / 1024;
}

static void measure(const char *name, const char *path, double mips[NR_WAYS])
{
	double seconds[NR_WAYS][RUNS];
	uint64_t nr = 0, cycles = 0;
	for (int i = 0; i < RUNS; i++)
		for (int way = 0; way < NR_WAYS; way++) {
			double begin = now();
			nr = run(path, way, &cycles);
			seconds[way][i] = now() - begin;
		}
	printf("%-8s %8.1f", name, 1e-6 * (double)nr);
	for (int way = 0; way < NR_WAYS; way++) {
		mips[way] = 1e-6 * (double)nr / median(seconds[way]);
		printf(" %12.1f", mips[way]);
	}
	printf(" %9.1f\n", peak_mib(path));
	fflush(stdout);
}

int main(void)
{
	double mips[NR_WAYS], logs[NR_WAYS] = {0};
	double cpi[NR_PROGRAMS][ARRAY_SIZE(ordered)];
	char path[] = "/tmp/sahm-bench-core-XXXXXX";
	if (!has_recorder("core"))
		return 0;
	read_core("golden-cove", &golden_cove);
	read_core("rocket", &rocket);
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	printf("models of cores, medians of %d runs, M instructions a second of processor time\n", RUNS);
	printf("%-8s %8s %12s %12s %12s %12s %9s\n", "stream", "M instr.", way_names[READ], way_names[FUNCTIONAL],
	       way_names[OUT_OF_ORDER], way_names[IN_ORDER], "peak MiB");
	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		record_program(i, path);
		measure(program_names[i], path, mips);
		for (int way = 0; way < NR_WAYS; way++)
			logs[way] += log(mips[way]);
		for (size_t k = 0; k < ARRAY_SIZE(ordered); k++)
			cpi[i][k] = cpi_of(path, ordered[k]);
	}
	write_chase(path);
	measure("chase", path, mips);
	unlink(path);
	printf("%-17s", "geometric mean");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.1f", exp(logs[way] / NR_PROGRAMS));
	printf("\n%-17s", "share of reading");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.2f", exp((logs[way] - logs[READ]) / NR_PROGRAMS));
	printf("\n%-17s", "required");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.0f", required[way]);
	printf("\n%-17s", "wanted");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.0f", wanted[way]);
	printf("\n%-17s", "CPI");
	for (size_t k = 0; k < ARRAY_SIZE(ordered); k++)
		printf(" %12s", ordered[k]);
	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		printf("\n%-17s", program_names[i]);
		for (size_t k = 0; k < ARRAY_SIZE(ordered); k++)
			printf(" %12.3f", cpi[i][k]);
	}
	printf("\n");
	return 0;
}
