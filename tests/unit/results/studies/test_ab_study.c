/* The A/B test of a prefetcher: the program and the module in an IPU_pro, fed by the bridge, find what a functional
 * pass with the prefetcher does, where nothing is in the way; and the verdict. */
#include "results/studies/ab_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/soft/modules/shipped_modules.h"
#include "ipu/unit/load.h"
#include "ipu/unit/pro.h"
#include "sim/base/array.h"
#include "sim/engine/fetch_probe.h"
#include "tests/helper/random.h"
#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"

#define CODE UINT64_C(0x400000)
#define PLACES 8192u /* of functions, four bytes each */
#define LATENCY 20u
#define NR_COUNTERS 8u

/* ---- The unit and the truth ---- */

static uint64_t sent[NR_COUNTERS]; /* by the last packet */
static unsigned nr_packets;

static void drain(void *ctx, struct ipu_unit *u)
{
	struct ipu_packet packet;
	(void)ctx;
	while (ipu_unit_take(u, &packet)) {
		assert_int_equal(packet.nr_bytes, sizeof(sent));
		memcpy(sent, packet.bytes, sizeof(sent));
		nr_packets++;
	}
}

/* A core whose lines of code all take as long, and whose pages are all translated. */
static void make_model(struct core_model *m)
{
	struct sahm_err err;
	assert_int_equal(core_model_read("configs/cores/golden-cove.cfg", NULL, 0, "configs/cpus", m, &err), SAHM_OK);
	m->geometry.l1i = (struct cache_spec){2048, 4, 64, REPLACE_LRU};
	for (unsigned i = LEVEL_L2; i < NR_MEMORY_LEVELS; i++)
		m->timing.icache_cycles[i] = LATENCY;
}

/* The uops of a call, and when they are fetched: an instruction a cycle, but for stalls. */
static void add_call(uint64_t *rng, uint64_t pc, struct uop_stamps *stamps, uint64_t *cycle)
{
	for (uint64_t left = between(rng, 1, 40); left > 0; left--, pc += one_in(rng, 8) ? 200 : 4) {
		*cycle += one_in(rng, 10) ? between(rng, 1, 30) : 1;
		stamps[batch->nr] = (struct uop_stamps){.fetch = *cycle};
		batch_add(INSN_INTEGER, pc);
	}
}

static void test_unit_and_truth(void **state)
{
	(void)state;
	static struct core_model model;
	static struct uop_stamps stamps[BATCH_UOPS];
	static struct timing_notes notes;
	const char *const settings[] = {"sets=8", "ways=4", "latency=20", "entries=64", "period=5000"};
	const struct prefetcher_spec spec = {.kind = PREFETCHER_ENTANGLING, .entries = 64};
	struct arena arena;
	struct abi abi;
	struct soft *soft;
	struct ipu_pro pro;
	struct ipu_program *program;
	struct fetch_wiring wiring;
	struct fetch_probe *probe;
	struct ab_truth *truth;
	struct sahm_err err;
	uint64_t rng = 7, calls[50], cycle = 0, base_misses = 0;
	make_model(&model);
	struct functional_pass *core = functional_pass_new_memory(&model.geometry, &err);
	assert_non_null(core);
	arena_init(&arena);
	assert_int_equal(abi_read(&arena, "ipu/abi/fetch.cfg", &abi, &err), SAHM_OK);
	assert_int_equal(soft_of_module(&soft, soft_module_l1i_entangling(), "l1i-entangling", &err), SAHM_OK);
	assert_int_equal(ipu_pro_init(&pro, soft, &abi, IPU_DEFAULT_SOFT_MHZ, &err), SAHM_OK);
	assert_int_equal(ipu_load_file(&program, "ipu/programs/prebuilt/ab.elf", &abi, settings, ARRAY_SIZE(settings),
				       NULL, &err),
			 SAHM_OK);
	assert_int_equal(fetch_wire(&abi, &wiring, &err), SAHM_OK);
	const struct ipu_unit_config config = {.maker = &pro.maker,
					       .hit_mhz = IPU_DEFAULT_SOFT_MHZ,
					       .ipu_mhz = IPU_DEFAULT_MHZ,
					       .mismatch = IPU_EVERY,
					       .mismatch_arg = 1,
					       .max_cycles = IPU_DEFAULT_MAX_CYCLES,
					       .fifo_bytes = IPU_DEFAULT_FIFO_BYTES};
	const struct core_ipu ipu = {.config = &config, .program = program, .drain = drain};
	assert_int_equal(fetch_probe_new(&probe, &model, &wiring, IPU_DEFAULT_SOFT_MHZ, &ipu, 1, &err), SAHM_OK);
	assert_int_equal(ab_truth_new(&truth, &model, &spec, &err), SAHM_OK);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		calls[i] = CODE + 4 * between(&rng, 0, PLACES - 1);
	for (unsigned n = 0; n < 3000; n++) {
		batch->nr = batch->nr_instructions = 0;
		if (n == 0) /* loads translate all pages */
			for (uint64_t page = 0; page < 4 * PLACES / PAGE_BYTES + 4; page++) {
				struct uop *u = batch_add(INSN_LOAD, CODE);
				u->address = CODE + page * PAGE_BYTES;
				u->bytes = 1;
			}
		else
			add_call(&rng, calls[one_in(&rng, 20) ? between(&rng, 0, 49) : n % 50], stamps, &cycle);
		bool warms = n == 0 || n % 100 > 90;
		functional_pass_run(core, batch);
		for (uint32_t i = 0; i < batch->nr; i++)
			base_misses += batch->uops[i].fetch_fills;
		assert_int_equal(fetch_probe_run(probe, batch, warms ? NULL : stamps, warms ? NULL : &notes, &err),
				 SAHM_OK);
		ab_truth_run(truth, batch, fetch_probe_times(probe));
	}
	assert_int_equal(fetch_probe_end(probe, &err), SAHM_OK);
	const struct ab_counts c = ab_truth_counts(truth, base_misses);
	const uint64_t expected[] = {c.lines, c.base_misses, c.misses, c.prefetches, c.used};
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_int_equal(sent[i], expected[i]);
	assert_int_equal(sent[7], 0);
	assert_int_equal(fetch_probe_sets(probe), c.lines);
	assert_true(c.used > 1000 && nr_packets > 5);
	fetch_probe_free(probe);
	ab_truth_free(truth);
	functional_pass_free(core);
	ipu_program_free(program);
	soft_close(soft);
	arena_release(&arena);
}

static void test_wrong_specs(void **state)
{
	(void)state;
	static const struct {
		struct abi_signal signal;
		const char *message;
	} rows[] = {
		{{.name = "pc", .bits = 48}, "has no signal 'pc'"},
		{{.name = "fetch_pc", .bits = 48, .rate = 1}, "must have rate = 0"},
		{{.name = "fetch_latency", .bits = 16}, "there is no signal 'fetch_pc'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abi abi = {.file = "x.cfg", .nr_signals = 1};
		struct fetch_wiring wiring;
		struct sahm_err err;
		abi.signals[0] = rows[i].signal;
		assert_int_equal(fetch_wire(&abi, &wiring, &err), SAHM_CONFIG);
		assert_non_null(strstr(err.msg, rows[i].message));
	}
}

/* ---- Metrics and verdict ---- */

static void test_metrics(void **state)
{
	(void)state;
	const struct ab_counts c = {.lines = 1000, .base_misses = 100, .misses = 20, .prefetches = 160, .used = 80};
	const struct ab_counts empty = {0};
	assert_float_equal(ab_metric_pct(&c, AB_MISS_RATE), 2, 1e-12);
	assert_float_equal(ab_metric_pct(&c, AB_COVERAGE), 80, 1e-12);
	assert_float_equal(ab_metric_pct(&c, AB_ACCURACY), 50, 1e-12);
	for (unsigned m = 0; m < NR_AB_METRICS; m++)
		assert_true(isnan(ab_metric_pct(&empty, (enum ab_metric)m)));
	struct ab_program p = {.has_truth = true, .truth = c, .units[AB_LATENCY] = c};
	p.units[AB_LATENCY].misses = 21;
	assert_float_equal(ab_error_pct(&p, AB_LATENCY, AB_MISS_RATE), 5, 1e-9);
	assert_true(ab_counts_for_means(&p));
	p.units[AB_LATENCY].base_misses = 2;
	assert_false(ab_counts_for_means(&p));
}

/* Packets of 1,000 lines each: b misses 10 times in each, a `less` times less, of which a part is chance. */
static void draw_packets(struct ab_packet *a, struct ab_packet *b, size_t nr, uint64_t less, uint64_t chance)
{
	uint64_t rng = 1, misses_a = 0, misses_b = 0;
	for (size_t i = 0; i < nr; i++) {
		misses_b += 100 + between(&rng, 0, chance);
		misses_a += 100 - less + between(&rng, 0, chance);
		a[i] = (struct ab_packet){1000000 * (i + 1), {.lines = 1000 * (i + 1), .misses = misses_a}};
		b[i] = (struct ab_packet){1000000 * (i + 1), {.lines = 1000 * (i + 1), .misses = misses_b}};
	}
}

static void test_verdict(void **state)
{
	(void)state;
	struct ab_packet a[200], b[200];
	struct ab_verdict v, swapped;
	struct sahm_err err;
	/* Clear from the first interval on. */
	draw_packets(a, b, ARRAY_SIZE(a), 20, 4);
	assert_int_equal(ab_judge(a, b, ARRAY_SIZE(a), &v, &err), SAHM_OK);
	assert_true(v.has_interval && v.is_certain && v.per_1000.high < 0);
	assert_int_equal(v.instructions, AB_BATCHES * 1000000);
	assert_true(fabs(v.per_1000.mean + 20) < 1);
	/* The other way round. */
	assert_int_equal(ab_judge(b, a, ARRAY_SIZE(a), &swapped, &err), SAHM_OK);
	assert_true(swapped.is_certain && swapped.per_1000.low > 0);
	/* Small beside chance: later. */
	draw_packets(a, b, ARRAY_SIZE(a), 8, 60);
	assert_int_equal(ab_judge(a, b, ARRAY_SIZE(a), &v, &err), SAHM_OK);
	assert_true(v.is_certain && v.instructions > AB_BATCHES * 1000000);
	/* None at all, and too few packets. */
	draw_packets(a, b, ARRAY_SIZE(a), 0, 60);
	assert_int_equal(ab_judge(a, b, ARRAY_SIZE(a), &v, &err), SAHM_OK);
	assert_true(v.has_interval && !v.is_certain);
	assert_int_equal(ab_judge(a, b, AB_BATCHES - 1, &v, &err), SAHM_OK);
	assert_true(!v.has_interval && !v.is_certain);
}

TEST_FILE(test_ab_study)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unit_and_truth),
		cmocka_unit_test(test_wrong_specs),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_verdict),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
