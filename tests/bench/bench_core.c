/* Models of cores: millions of instructions a second of processor time, from an opened stream to its cycles. Streams of
 * xz, perl and cc1 are recorded in QEMU; a pointer chase over 64 MiB stands beside them. Each is read only, read and
 * run through the functional pass of golden-cove, and timed as golden-cove and as rocket. Medians of several runs. The
 * geometric mean is that of the three programs. Peak memory is that of a process that times the stream. The CPI of four
 * cores follows, which should grow from left to right. */
#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "tests/bench/bench.h"
#include "workloads/record/record_qemu.h"
#include "workloads/stream/core_run.h"
#include "workloads/stream/stream_uops.h"

#define SOURCE "/tmp/sahm-bench-core.i"
#define EPOCH_INSTRUCTIONS 1000000u
#define NR_EPOCHS 20u
#define CHASE_LOADS 2000000u
#define CHASE_LINES (UINT32_C(1) << 20)

enum { READ, FUNCTIONAL, OUT_OF_ORDER, IN_ORDER, NR_WAYS };
static const char *const way_names[NR_WAYS] = {"read", "functional", "golden-cove", "rocket"};
/* What is asked for, and wanted. */
static const double required[NR_WAYS] = {90, 28, 14, 28}, wanted[NR_WAYS] = {150, 45, 25, 45};

static struct core_model golden_cove, rocket;

/* Whose CPI is compared, the fastest first. */
static const char *const ordered[] = {"golden-cove", "boom-mega", "boom-small", "rocket"};

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static void record(char **command, const char *path)
{
	struct recording r;
	struct sahm_err err;
	struct cpu cpu;
	must(cpu_read("configs/cpus/" DEFAULT_CPU ".cfg", &cpu, &err), &err);
	struct qemu_request q = {
		.common = {.command = command, .max_epochs = NR_EPOCHS, .provenance.text[PROVENANCE_NAME] = "bench"},
		.cpu = &cpu,
		.threads = QEMU_THREADS_MAIN,
		.epoch_instructions = EPOCH_INSTRUCTIONS,
		.epoch_ns = 100000000,
		.stream_path = path,
		.plugin_path = QEMU_PLUGIN,
	};
	/* The output of a command is of no interest. */
	int own = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	fflush(stdout);
	if (own < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0)
		exit(1);
	must(record_qemu(&q, &r, &err), &err);
	if (dup2(own, STDOUT_FILENO) < 0)
		exit(1);
	close(own);
	close(null);
	recording_release(&r);
}

/* A load whose address is the last load's data, and three instructions around it. */
static void write_chase(const char *path)
{
	static const struct insn loop[] = {
		{.pc = 0x401000, .length = 3, .class = INSN_LOAD, .source = {0, NO_REGISTER, NO_REGISTER}},
		{.pc = 0x401003,
		 .length = 4,
		 .class = INSN_INTEGER,
		 .source = {1, NO_REGISTER, NO_REGISTER},
		 .destination = 1},
		{.pc = 0x401007, .length = 3, .class = INSN_INTEGER, .source = {1, 2, NO_REGISTER}, .destination = 16},
		{.pc = 0x40100a,
		 .target = 0x401000,
		 .length = 2,
		 .class = INSN_BRANCH,
		 .source = {16, NO_REGISTER, NO_REGISTER},
		 .destination = NO_REGISTER},
	};
	struct sahm_err err = {0};
	struct stream_writer *w = stream_writer_new(path, MACHINE_X86_64, "pointer chase", &err);
	uint64_t at = 1;
	if (!w)
		must(err.status, &err);
	uint32_t block = stream_writer_block(w, loop, ARRAY_SIZE(loop));
	for (unsigned i = 0; i < CHASE_LOADS; i++) {
		stream_writer_enter(w, block);
		/* A full period over a power of two. */
		at = at * 0x5851f42d4c957f2d + 1;
		stream_writer_access(w, 0, 0x10000000 + (at >> 24) % CHASE_LINES * 64, 8, false);
	}
	must(stream_writer_finish(w, &err), &err);
}

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

static void read_core(const char *name, struct core_model *out)
{
	char path[128];
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cores/%s.cfg", name);
	must(core_model_read(path, NULL, 0, "configs/cpus", out, &err), &err);
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
	static char script[] = "$x=1; for (1..200000) { $x=($x*69069+1)%4294967296; $h{$x%5000}.=chr(65+$x%26); } "
			       "print length join('',map{s/A+/b/gr}values %h)";
	static char *const xz[] = {"/usr/bin/xz", "-T1", "-k", "-c", QEMU_PLUGIN, NULL};
	static char *const perl[] = {"/usr/bin/perl", "-e", script, NULL};
	/* The recorder follows exec, but not the children of the shell. */
	static char *const cc1[] = {"/bin/sh", "-c",
				    "gcc -E -I. -D_GNU_SOURCE cores/uarch/cpu.c -o $0 && "
				    "exec $(gcc -print-prog-name=cc1) -quiet -fpreprocessed -O2 -o /dev/null $0",
				    SOURCE, NULL};
	static char *const *const commands[] = {xz, perl, cc1};
	static const char *const names[] = {"xz", "perl", "cc1"};
	double mips[NR_WAYS], logs[NR_WAYS] = {0};
	double cpi[ARRAY_SIZE(commands)][ARRAY_SIZE(ordered)];
	char path[] = "/tmp/sahm-bench-core-XXXXXX";
	if (system("qemu-x86_64 -h 2>/dev/null | grep -q plugin") != 0) {
		printf("core     no qemu-x86_64 that takes plug-ins (Debian: qemu-user)\n");
		return 0;
	}
	read_core("golden-cove", &golden_cove);
	read_core("rocket", &rocket);
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	printf("models of cores, medians of %d runs, M instructions a second of processor time\n", RUNS);
	printf("%-8s %8s %12s %12s %12s %12s %9s\n", "stream", "M instr.", way_names[READ], way_names[FUNCTIONAL],
	       way_names[OUT_OF_ORDER], way_names[IN_ORDER], "peak MiB");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		record((char **)(uintptr_t)commands[i], path);
		measure(names[i], path, mips);
		for (int way = 0; way < NR_WAYS; way++)
			logs[way] += log(mips[way]);
		for (size_t k = 0; k < ARRAY_SIZE(ordered); k++)
			cpi[i][k] = cpi_of(path, ordered[k]);
	}
	write_chase(path);
	measure("chase", path, mips);
	unlink(path);
	unlink(SOURCE);
	printf("%-17s", "geometric mean");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.1f", exp(logs[way] / ARRAY_SIZE(commands)));
	printf("\n%-17s", "share of reading");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.2f", exp((logs[way] - logs[READ]) / ARRAY_SIZE(commands)));
	printf("\n%-17s", "required");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.0f", required[way]);
	printf("\n%-17s", "wanted");
	for (int way = 0; way < NR_WAYS; way++)
		printf(" %12.0f", wanted[way]);
	printf("\n%-17s", "CPI");
	for (size_t k = 0; k < ARRAY_SIZE(ordered); k++)
		printf(" %12s", ordered[k]);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		printf("\n%-17s", names[i]);
		for (size_t k = 0; k < ARRAY_SIZE(ordered); k++)
			printf(" %12.3f", cpi[i][k]);
	}
	printf("\n");
	return 0;
}
