/* Speed of the RV32 engines, interpreter and translator: against qemu-riscv32, which translates, on the kernels of
 * tests/ipu/bench, the very same files, each by turns in the same run; what calling a short routine costs; and what
 * making a program ready costs. */
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipu/core/code.h"
#include "ipu/core/flat.h"
#include "ipu/core/hart.h"
#include "ipu/jit/translation.h"
#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/base/stats.h"
#include "tests/bench/bench.h"

#define QEMU "qemu-riscv32"
#define MAX_ELF_BYTES (1 << 20)
#define MAX_OUTPUT_BYTES 256
#define MAX_INSTRUCTIONS UINT64_C(100000000000)

/* Required and wanted speed of each engine, in parts of qemu's speed: on each kernel at least, on the
 * geometric mean, on the kernel that is like CoreMark (0: no more than on the others); and of a call. */
static const struct goals {
	double least, reach, wanted, reach_coremark, wanted_coremark, call_ns;
} goals[NR_HART_ENGINES] = {
	[HART_INTERP] = {.least = 0.15, .reach = 0.22, .wanted = 0.26, .call_ns = 10},
	[HART_JIT] = {.reach = 1.0, .wanted = 1.2, .reach_coremark = 1.0, .wanted_coremark = 1.4, .call_ns = 8},
};

#define NR_CALLS 20000000u
#define NR_CREATED 500
#define IMAGE_BYTES (8 << 10)
#define DATA_BYTES (32 << 10)
#define DATA_BASE UINT32_C(0x10000)

extern char **environ;

static void must(enum sahm_status status, const struct sahm_err *err)
{
	if (status == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err->msg);
	exit(1);
}

static _Noreturn void fail(const char *subject, const char *problem)
{
	fprintf(stderr, "%s: %s\n", subject, problem);
	exit(1);
}

/* A program that has ended. */
struct ended {
	char output[MAX_OUTPUT_BYTES];
	size_t nr_bytes;
	uint32_t exit_code;
	double seconds;
	uint64_t nr_instructions; /* where they are known */
};

static bool keep_output(void *context, int fd, const uint8_t *bytes, size_t nr_bytes)
{
	struct ended *ended = context;
	if (fd != STDOUT_FILENO || nr_bytes > sizeof(ended->output) - ended->nr_bytes)
		return false;
	memcpy(ended->output + ended->nr_bytes, bytes, nr_bytes);
	ended->nr_bytes += nr_bytes;
	return true;
}

/* From the file to the end of the program. */
static void run_here(const char *path, enum hart_engine engine, struct ended *ended)
{
	struct flat_options options = {
		.translator = engine == HART_JIT ? &host_translator : NULL, .write = keep_output, .context = ended};
	struct sahm_err err;
	struct elf_image *image;
	struct flat *flat;
	size_t nr_bytes;
	char *bytes;
	*ended = (struct ended){0};
	double start = now();
	must(file_read(path, MAX_ELF_BYTES, &bytes, &nr_bytes, &err), &err);
	must(elf_image_new(&image, path, bytes, nr_bytes, &err), &err);
	must(flat_new(&flat, image, &options, &err), &err);
	if (hart_run(flat_hart(flat), MAX_INSTRUCTIONS) != HART_EXITED)
		fail(path, hart_cause_text(flat_hart(flat)->cause));
	ended->nr_instructions = flat_hart(flat)->nr_retired;
	ended->exit_code = flat_exit_code(flat);
	flat_free(flat);
	elf_image_free(image);
	free(bytes);
	ended->seconds = now() - start;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* The same as a separate process. False: there is no qemu. */
static bool run_qemu(const char *path, struct ended *ended)
{
	char *arguments[] = {QEMU, (char *)path, NULL};
	posix_spawn_file_actions_t actions;
	struct rusage used;
	int ends[2], status, failed;
	ssize_t nr;
	pid_t child;
	*ended = (struct ended){0};
	if (pipe(ends) || posix_spawn_file_actions_init(&actions) ||
	    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) ||
	    posix_spawn_file_actions_addclose(&actions, ends[0]) ||
	    posix_spawn_file_actions_addclose(&actions, ends[1]))
		fail(QEMU, "cannot be prepared");
	failed = posix_spawnp(&child, QEMU, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while (!failed && ended->nr_bytes < sizeof(ended->output) &&
	       (nr = read(ends[0], ended->output + ended->nr_bytes, sizeof(ended->output) - ended->nr_bytes)) > 0)
		ended->nr_bytes += (size_t)nr;
	close(ends[0]);
	if (failed == ENOENT)
		return false;
	if (failed || wait4(child, &status, 0, &used) != child || !WIFEXITED(status))
		fail(path, "did not end under " QEMU);
	ended->exit_code = (uint32_t)WEXITSTATUS(status);
	ended->seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
	return true;
}

static const char *path_of(const char *kernel)
{
	static char path[4096];
	snprintf(path, sizeof(path), "%s/%s.elf", KERNEL_FOLDER, kernel);
	return path;
}

/* Million instructions per second. */
struct speed {
	double here[NR_HART_ENGINES], qemu;
	double nr_millions; /* of instructions */
	double qemu_seconds;
};

/* The engines of this host. */
static bool has_engine(unsigned engine)
{
	return engine == HART_INTERP || translation_is_available();
}

static struct speed measure_kernel(const char *kernel)
{
	const char *path = path_of(kernel);
	double here[NR_HART_ENGINES][RUNS], qemu[RUNS];
	struct ended ours, theirs;
	for (int i = 0; i < RUNS; i++) {
		if (!run_qemu(path, &theirs))
			fail(QEMU, "is gone");
		if (theirs.exit_code)
			fail(path, "does not find the results that it knows under " QEMU);
		qemu[i] = theirs.seconds;
		for (unsigned engine = 0; engine < NR_HART_ENGINES; engine++) {
			if (!has_engine(engine))
				continue;
			run_here(path, (enum hart_engine)engine, &ours);
			if (ours.exit_code)
				fail(path, "does not find the results that it knows");
			if (ours.nr_bytes != theirs.nr_bytes || memcmp(ours.output, theirs.output, ours.nr_bytes) != 0)
				fail(path, "writes something else here than under " QEMU);
			here[engine][i] = ours.seconds;
		}
	}
	struct speed s = {.nr_millions = 1e-6 * (double)ours.nr_instructions, .qemu_seconds = median(qemu)};
	s.qemu = s.nr_millions / s.qemu_seconds;
	for (unsigned engine = 0; engine < NR_HART_ENGINES; engine++)
		s.here[engine] = has_engine(engine) ? s.nr_millions / median(here[engine]) : 0;
	return s;
}

/* Seconds; below 0: there is no qemu. */
static double measure_start(void)
{
	double seconds[RUNS];
	struct ended ended;
	for (int i = 0; i < RUNS; i++) {
		if (!run_qemu(path_of("empty"), &ended))
			return -1;
		seconds[i] = ended.seconds;
	}
	return median(seconds);
}

/* A part of qemu's speed, and the required and wanted one; 0: nothing is. */
static void print_part(enum hart_engine engine, double here, double qemu, double reach, double wanted)
{
	char goal[32] = "";
	if (wanted > 0)
		snprintf(goal, sizeof(goal), "(%.2f, %.2f)", reach, wanted);
	else if (reach > 0)
		snprintf(goal, sizeof(goal), "(%.2f)", reach);
	if (here > 0)
		printf(" %8.0f %6.3f", here, here / qemu);
	else
		printf(" %8s %6s", "-", "-");
	if (engine != HART_JIT)
		printf(" %-12s", goal);
	else
		printf("%s%s\n", *goal ? " " : "", goal);
}

static void compare_with_qemu(void)
{
	static const char *const kernels[] = {"coremark_like", "dhrystone_like", "hash",
					      "histogram",     "matrix",	 "sha256"};
	enum { NR_KERNELS = ARRAY_SIZE(kernels) };
	double here[NR_HART_ENGINES][NR_KERNELS], qemu[NR_KERNELS], shortest = 0, start;
	if (access(path_of("empty"), R_OK)) {
		printf("skipped: speed against " QEMU
		       ": the kernels are not built, for lack of the compiler RISCV_CC\n");
		return;
	}
	start = measure_start();
	if (start < 0) {
		printf("skipped: speed against " QEMU ": it is not installed\n");
		return;
	}
	printf("RV32 engines and " QEMU
	       " on the same RV32IM programs: million instructions per second of processor time "
	       "from\nstart to end, medians of %d runs by turns; parts of qemu's; goals in brackets: to be reached, "
	       "wanted\n",
	       RUNS);
	printf("%-16s %8s %8s %8s %6s %-12s %8s %6s %s\n", "kernel", "million", "qemu", "interp", "part", "(goals)",
	       "jit", "part", "(goals)");
	for (int i = 0; i < NR_KERNELS; i++) {
		struct speed s = measure_kernel(kernels[i]);
		qemu[i] = s.qemu;
		if (i == 0 || s.qemu_seconds < shortest)
			shortest = s.qemu_seconds;
		printf("%-16s %8.0f %8.0f", kernels[i], s.nr_millions, s.qemu);
		for (unsigned engine = 0; engine < NR_HART_ENGINES; engine++) {
			const struct goals *g = &goals[engine];
			bool is_coremark = i == 0 && g->reach_coremark > 0;
			here[engine][i] = s.here[engine];
			print_part((enum hart_engine)engine, s.here[engine], s.qemu,
				   is_coremark ? g->reach_coremark : g->least, is_coremark ? g->wanted_coremark : 0);
		}
		fflush(stdout);
	}
	double mean_qemu = stats_geometric_mean(qemu, NR_KERNELS);
	printf("%-16s %8s %8.0f", "geometric mean", "", mean_qemu);
	for (unsigned engine = 0; engine < NR_HART_ENGINES; engine++)
		print_part((enum hart_engine)engine,
			   has_engine(engine) ? stats_geometric_mean(here[engine], NR_KERNELS) : 0, mean_qemu,
			   goals[engine].reach, goals[engine].wanted);
	printf("starting " QEMU " takes %.1f ms, at most %.1f %% of its times\n", 1e3 * start, 100 * start / shortest);
}

static const uint32_t routine[] = {
	0x00052603, /* lw a2, 0(a0) */
	0x00b60633, /* add a2, a2, a1 */
	0x00361693, /* slli a3, a2, 3 */
	0x00d64633, /* xor a2, a2, a3 */
	0x00c52023, /* sw a2, 0(a0) */
	0x00008067, /* ret */
};
#define ROUTINE_WORDS ARRAY_SIZE(routine)
enum { A1 = HART_A0 + 1, A2 };

/* The routine, over and over. */
static void make_image(uint8_t image[IMAGE_BYTES])
{
	for (size_t i = 0; i < IMAGE_BYTES / 4; i++)
		for (size_t byte = 0; byte < 4; byte++)
			image[4 * i + byte] = (uint8_t)(routine[i % ROUTINE_WORDS] >> 8 * byte);
}

/* The expected result of the routine. */
static uint32_t calls_result(void)
{
	uint32_t value = 0;
	for (uint32_t i = 0; i < NR_CALLS; i++) {
		value += i;
		value ^= value << 3;
	}
	return value;
}

/* An argument, a call, a result. */
static void measure_calls(const uint8_t image[IMAGE_BYTES], enum hart_engine engine)
{
	static uint8_t data[DATA_BYTES];
	double seconds[RUNS];
	uint32_t expected = calls_result();
	struct translation *translation = NULL;
	struct sahm_err err;
	struct code *code;
	must(code_new(&code, 0, image, IMAGE_BYTES, CODE_FIXED, &err), &err);
	for (int run = 0; run < RUNS; run++) {
		struct hart h;
		uint32_t result = 0;
		memset(data, 0, sizeof(data));
		hart_init(&h, code);
		hart_set_memory(&h, DATA_BASE, data, DATA_BYTES);
		hart_set_register(&h, HART_A0, DATA_BASE);
		if (engine == HART_JIT && !translation)
			translation = translation_new(&h);
		h.translation = translation;
		double start = now();
		for (uint32_t i = 0; i < NR_CALLS; i++) {
			hart_set_register(&h, A1, i);
			if (hart_call(&h, 0, 1000) != HART_RETURNED)
				fail("routine", hart_cause_text(h.cause));
			result = hart_register(&h, A2);
		}
		seconds[run] = now() - start;
		if (result != expected || h.nr_retired != (uint64_t)NR_CALLS * ROUTINE_WORDS)
			fail("routine", "returns something else than it should");
	}
	translation_free(translation);
	code_free(code);
	printf("%s: calling a routine of %zu instructions: %.2f ns (goal %.0f)\n", hart_engine_name(engine),
	       ROUTINE_WORDS, 1e9 * median(seconds) / NR_CALLS, goals[engine].call_ns);
}

/* Only code, or with its translation. */
static double measure_creation(const uint8_t image[IMAGE_BYTES], enum hart_engine engine,
			       struct translation_counts *counts)
{
	static uint8_t data[DATA_BYTES];
	double seconds[RUNS];
	struct sahm_err err;
	for (int run = 0; run < RUNS; run++) {
		double start = now();
		for (int i = 0; i < NR_CREATED; i++) {
			struct translation *translation = NULL;
			struct code *code;
			struct hart h;
			must(code_new(&code, 0, image, IMAGE_BYTES, CODE_FIXED, &err), &err);
			hart_init(&h, code);
			hart_set_memory(&h, DATA_BASE, data, DATA_BYTES);
			if (engine == HART_JIT) {
				translation = translation_new(&h);
				*counts =
					translation ? translation_counts(translation) : (struct translation_counts){0};
			}
			translation_free(translation);
			code_free(code);
		}
		seconds[run] = now() - start;
	}
	return 1e6 * median(seconds) / NR_CREATED;
}

static void measure_creations(const uint8_t image[IMAGE_BYTES])
{
	struct translation_counts counts;
	double decoded = measure_creation(image, HART_INTERP, &counts);
	printf("predecoding %d KB of instruction memory: %.1f us; a hart takes %zu bytes beside its data memory\n",
	       IMAGE_BYTES >> 10, decoded, sizeof(struct hart));
	if (!translation_is_available())
		return;
	double translated = measure_creation(image, HART_JIT, &counts);
	printf("translating them, all of them code: %.1f us more; %llu traces of %llu instructions, %llu bytes of the "
	       "host's\n",
	       translated - decoded, (unsigned long long)counts.nr_traces, (unsigned long long)counts.nr_instructions,
	       (unsigned long long)counts.nr_host_bytes);
}

int main(void)
{
	static uint8_t image[IMAGE_BYTES];
	compare_with_qemu();
	make_image(image);
	for (unsigned engine = 0; engine < NR_HART_ENGINES; engine++)
		if (has_engine(engine))
			measure_calls(image, (enum hart_engine)engine);
	if (!translation_is_available())
		printf("no %s: there is no translator for this host\n", hart_engine_name(HART_JIT));
	measure_creations(image);
	return 0;
}
