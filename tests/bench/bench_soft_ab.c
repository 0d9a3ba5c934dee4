/* A whole A/B test: a core with an IPU_pro beside it whose soft logic, the C module of an L1I with a prefetcher, runs
 * in a separate process, as plug-ins do. Millions of instructions that are fetched a second, and of input sets, which
 * are those that begin another line; and as ratios to the same core without an IPU. The stream is of perl, recorded in
 * QEMU; medians of several runs, taken in turns. */
#include "ipu/unit/load.h"
#include "ipu/unit/pro.h"
#include "sim/base/clock.h"
#include "sim/engine/fetch_probe.h"
#include "tests/bench/bench_streams.h"
#include "workloads/stream/core_run.h"

#define NR_TIMES 3u
#define PERL 1u /* of program_names[] */
#define CORE "golden-cove"
#define COMPILE "cc -std=c17 -O2 -I. -shared -fPIC -o %s ipu/soft/modules/l1i_entangling.c"

enum way { WAY_ALONE, WAY_IN_PROCESS, WAY_OWN_PROCESS, NR_WAYS };

struct bench {
	struct abi abi;
	struct fetch_wiring wiring;
	struct ipu_program *program;
	struct soft *soft[NR_WAYS];
	struct fetch_probe *probe;
	struct timing_notes notes;
	uint64_t sets;
};

/* Of the clock on the wall: the other process counts. */
static double wall_s(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) * 1e-9;
}

static void drain(void *ctx, struct ipu_unit *u)
{
	struct ipu_packet packet;
	(void)ctx;
	while (ipu_unit_take(u, &packet)) {
	}
}

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *batch,
				   const struct uop_stamps *stamps, struct sahm_err *err)
{
	struct bench *b = ctx;
	(void)core;
	return fetch_probe_run(b->probe, batch, stamps, &b->notes, err);
}

static double seconds(struct bench *b, const char *path, const struct core_model *m, enum way way)
{
	static const struct stream_sampling all;
	static const struct core_observer none;
	const struct core_observer o = {.ctx = b, .batch = take_batch, .notes = &b->notes};
	struct ipu_pro pro;
	const struct ipu_unit_config config = {.maker = &pro.maker,
					       .hit_mhz = IPU_DEFAULT_SOFT_MHZ,
					       .ipu_mhz = IPU_DEFAULT_MHZ,
					       .mismatch = IPU_WINDOW,
					       .mismatch_arg = 64,
					       .max_cycles = IPU_DEFAULT_MAX_CYCLES,
					       .fifo_bytes = IPU_DEFAULT_FIFO_BYTES};
	const struct core_ipu ipu = {.config = &config, .program = b->program, .drain = drain};
	struct core_counts counts;
	struct sahm_err err;
	struct stream *s;
	double began = wall_s();
	must(stream_open(path, NULL, &s, &err), &err);
	if (way != WAY_ALONE) {
		must(ipu_pro_init(&pro, b->soft[way], &b->abi, IPU_DEFAULT_SOFT_MHZ, &err), &err);
		must(fetch_probe_new(&b->probe, m, &b->wiring, IPU_DEFAULT_SOFT_MHZ, &ipu, 1, &err), &err);
	}
	must(core_run(s, &m, 1, LANES_SCALAR, &all, way == WAY_ALONE ? &none : &o, &counts, &err), &err);
	if (way != WAY_ALONE) {
		must(fetch_probe_end(b->probe, &err), &err);
		b->sets = fetch_probe_sets(b->probe);
	}
	fetch_probe_free(b->probe);
	b->probe = NULL;
	stream_free(s);
	return wall_s() - began;
}

int main(void)
{
	static const char *const names[NR_WAYS] = {"core time", "module in this process", "module in its own process"};
	static const char path[] = "/tmp/sahm-bench-soft-ab.stream", module[] = "/tmp/sahm-bench-soft-ab.so";
	static struct bench b;
	static struct core_model m;
	double times[NR_WAYS][NR_TIMES];
	char command[256];
	struct arena arena;
	struct sahm_err err;
	if (!has_recorder("soft_ab"))
		return 0;
	arena_init(&arena);
	snprintf(command, sizeof(command), COMPILE, module);
	if (system(command) != 0)
		return 1;
	read_core(CORE, &m);
	must(abi_read(&arena, "ipu/abi/fetch.cfg", &b.abi, &err), &err);
	must(fetch_wire(&b.abi, &b.wiring, &err), &err);
	must(ipu_load_file(&b.program, "ipu/programs/prebuilt/ab.elf", &b.abi, NULL, 0, NULL, &err), &err);
	must(soft_open(&b.soft[WAY_IN_PROCESS], module, module, SOFT_IN_PROCESS, &err), &err);
	must(soft_open(&b.soft[WAY_OWN_PROCESS], module, module, SOFT_IN_OWN_PROCESS, &err), &err);
	record_program(PERL, path);
	for (unsigned k = 0; k < NR_TIMES; k++)
		for (unsigned i = 0; i < NR_WAYS; i++)
			times[i][k] = seconds(&b, path, &m, (enum way)i);
	printf("whole A/B run, %s beside %s: required 5, wanted 10 million fetches a second\n", program_names[PERL],
	       CORE);
	for (unsigned i = 0; i < NR_WAYS; i++) {
		double time = median_of(times[i], NR_TIMES);
		printf("%-26s %6.2f million instructions a second", names[i],
		       NR_EPOCHS * EPOCH_INSTRUCTIONS * 1e-6 / time);
		if (i != WAY_ALONE)
			printf(", %5.2f million sets, %.2f of core time's speed", (double)b.sets * 1e-6 / time,
			       median_of(times[WAY_ALONE], NR_TIMES) / time);
		printf("\n");
	}
	for (unsigned i = 0; i < NR_WAYS; i++)
		soft_close(b.soft[i]);
	ipu_program_free(b.program);
	arena_release(&arena);
	unlink(path);
	unlink(module);
	return 0;
}
