/* An IPU beside a core, cycle by cycle: the speed of the core with the shipped program pics, as M instructions of the
 * core a second of processor time and as a ratio to a pass without, which is `sahm core time` of the same core and
 * stream. Also what the program takes: instructions of _main for one event of each kind, and what is lost (drop error,
 * missing PCs) beside the same program executed in zero time. The stream is of perl, recorded in QEMU; medians of
 * several runs, taken in turns. */
#include <inttypes.h>

#include "ipu/unit/load.h"
#include "results/studies/ipu_pics_study.h"
#include "sim/engine/core_probe.h"
#include "tests/bench/bench_streams.h"
#include "workloads/stream/core_run.h"

#define NR_TIMES 5u
#define PERL 1u /* of program_names[] */
#define PROGRAM "ipu/programs/prebuilt/pics.elf"
#define SPEC "ipu/abi/pics.cfg"
/* As the dissertation's, and for enough samples in a short stream. */
#define PERIOD "period=400000"
#define SHORT_PERIOD "period=5000"

struct bench {
	struct arena arena;
	struct abi abi;
	struct core_wiring wiring;
	struct ipu_program *program;
	struct core_probe *probe;
	struct ipu_samples samples[NR_IPU_PICS_UNITS];
	uint16_t signatures[BATCH_UOPS];
};

static void load(struct bench *b, const char *setting)
{
	const char *settings[] = {setting};
	struct sahm_err err;
	must(abi_read(&b->arena, SPEC, &b->abi, &err), &err);
	must(core_wire(&b->abi, &b->wiring, &err), &err);
	must(ipu_load_file(&b->program, PROGRAM, &b->abi, settings, 1, NULL, &err), &err);
}

static void drain(void *ctx, struct ipu_unit *u)
{
	struct ipu_packet packet;
	while (ipu_unit_take(u, &packet))
		ipu_samples_add(ctx, &packet);
}

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, struct sahm_err *err)
{
	struct bench *b = ctx;
	(void)core;
	return core_probe_run(b->probe, batch, stamps, b->signatures, err);
}

/* Runs the stream with units [first, first + nr) of the study beside the core. */
static double seconds(struct bench *b, const char *path, const struct core_model *m, unsigned first, unsigned nr)
{
	static const struct stream_sampling all;
	struct core_ipu ipus[NR_IPU_PICS_UNITS];
	const struct core_watch watch = {.signatures = b->signatures};
	const struct core_observer o = {.ctx = b, .batch = take_batch, .watches = &watch}, none = {0};
	struct core_counts counts;
	struct sahm_err err;
	struct stream *s;
	for (unsigned i = 0; i < nr; i++)
		ipus[i] = (struct core_ipu){.config = ipu_pics_config((enum ipu_pics_unit)(first + i)),
					    .program = b->program,
					    .drain = drain,
					    .ctx = &b->samples[first + i]};
	double began = now();
	uint64_t ready_at;
	must(stream_open(path, NULL, &s, &err), &err);
	must(core_ipus_align(ipus, nr, &ready_at, &err), &err);
	if (nr > 0)
		must(core_probe_new(&b->probe, &m->timing, &b->wiring, ipus, nr, &err), &err);
	must(core_run(s, &m, 1, LANES_BEST, &all, nr > 0 ? &o : &none, &counts, &err), &err);
	if (nr > 0) {
		must(core_probe_end(b->probe, &err), &err);
		if (core_probe_counts(b->probe).cycles != counts.timing.cycles)
			exit(1);
	}
	core_probe_free(b->probe);
	b->probe = NULL;
	stream_free(s);
	return now() - began;
}

static void forget(struct bench *b)
{
	for (unsigned i = 0; i < NR_IPU_PICS_UNITS; i++)
		ipu_samples_release(&b->samples[i]);
}

/* Each event in a unit that does nothing else: the instructions of _main, its return included. */
static void count_instructions(const struct bench *b)
{
	printf("\ninstructions of _main for one event: required 15, wanted 9\n");
	for (unsigned i = 0; i < b->wiring.nr; i++) {
		enum pics_signal s = b->wiring.of[i].signal;
		struct ipu_unit *u = NULL;
		uint64_t values[NR_IOREGS] = {0};
		struct sahm_err err;
		if (!(PICS_FLAGS >> s & 1))
			continue;
		must(ipu_unit_new(&u, ipu_pics_config(IPU_PICS_REFERENCE), &err), &err);
		ipu_unit_configure(u, 0, b->program);
		ipu_unit_resume(u, 0);
		ipu_unit_levels(u, 10, b->wiring.levels, values);
		uint64_t before = ipu_unit_counts(u).instructions;
		values[b->wiring.of[i].reg] = 1;
		ipu_unit_input(u, 10, UINT32_C(1) << b->wiring.of[i].reg, values);
		printf("  %-14s %2" PRIu64 "\n", pics_signal_name(s), ipu_unit_counts(u).instructions - before);
		ipu_unit_free(u);
	}
}

static void measure(struct bench *b, const char *path, const char *core)
{
	static const struct {
		const char *title;
		unsigned first, nr;
	} rows[] = {{"core time", 0, 0},
		    {"IPU, sub-sample", IPU_PICS_SUB_SAMPLE, 1},
		    {"IPU, window", IPU_PICS_WINDOW, 1},
		    {"IPU, zero time", IPU_PICS_REFERENCE, 1}};
	double times[ARRAY_SIZE(rows)][NR_TIMES];
	static struct core_model m;
	read_core(core, &m);
	for (unsigned k = 0; k < NR_TIMES; k++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			times[i][k] = seconds(b, path, &m, rows[i].first, rows[i].nr);
			forget(b);
		}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double time = median_of(times[i], NR_TIMES);
		printf("%-18s %-12s %8.2f %8.2f", rows[i].title, core, NR_EPOCHS * EPOCH_INSTRUCTIONS * 1e-6 / time,
		       median_of(times[0], NR_TIMES) / time);
		if (rows[i].nr > 0)
			printf(" %9.1f %7.1f", 3.0, 8.0);
		printf("\n");
	}
	fflush(stdout);
}

static void show_losses(struct bench *b, const char *path)
{
	static struct core_model m;
	read_core("tea", &m);
	seconds(b, path, &m, 0, NR_IPU_PICS_UNITS);
	for (unsigned u = 0; u < NR_IPU_PICS_UNITS; u++)
		if (!ipu_samples_end(&b->samples[u]))
			exit(1);
	printf("\nlosses on tea, in %%, %s; required 5 and 0.1, wanted 3 and 0.025\n%-18s %10s %10s %10s\n",
	       SHORT_PERIOD, "", "drop error", "missing", "by events");
	for (unsigned u = 0; u < NR_IPU_PICS_SETTINGS; u++) {
		double error, missing, rows, unused;
		const struct ipu_samples *reference = &b->samples[IPU_PICS_REFERENCE];
		ipu_pics_heights(reference, &b->samples[u], false, &error, &missing);
		ipu_pics_heights(reference, &b->samples[u], true, &rows, &unused);
		printf("%-18s %10.2f %10.4f %10.2f\n", ipu_pics_name((enum ipu_pics_unit)u), 100 * error, 100 * missing,
		       100 * rows);
	}
	forget(b);
}

int main(void)
{
	static const char *const cores[] = {"tea", "golden-cove"};
	static struct bench b;
	char path[] = "/tmp/sahm-bench-ipu-pics-XXXXXX";
	if (!has_recorder("ipu_pics"))
		return 0;
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	record_program(PERL, path);
	load(&b, PERIOD);
	printf("an IPU beside a core, medians of %u runs, M instructions of the core a second of processor time\n%-18s %-12s "
	       "%8s %8s %9s %7s\n",
	       NR_TIMES, "", "core", "MIPS", "ratio", "required", "wanted");
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		measure(&b, path, cores[i]);
	count_instructions(&b);
	ipu_program_free(b.program);
	load(&b, SHORT_PERIOD);
	show_losses(&b, path);
	ipu_program_free(b.program);
	arena_release(&b.arena);
	unlink(path);
	return 0;
}
