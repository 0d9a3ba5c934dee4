/* Counter registers of a U74 during a matrix multiplication (paper 003, table III): events that do not depend on the
 * core have the counts of its loops, misses those of the functional pass. */
#include "cores/uarch/hpm.h"

#include "tests/unit/test.h"
#include "workloads/stream/core_run.h"

/* As tests/data/cases/gemm.c. */
enum { N = 18, K = 22, M = 20 };

static struct core_model model;
static struct timing_notes notes;
static struct signal_pass *signals;

static void take(void *hpm, const struct signal_run *run)
{
	hpm_run(hpm, run);
}

static enum sahm_status take_batch(void *ctx, unsigned core, const struct uop_batch *b, const struct uop_stamps *stamps,
				   struct sahm_err *err)
{
	(void)ctx, (void)core, (void)err;
	assert_true(signal_pass_run(signals, b, stamps, &notes));
	return SAHM_OK;
}

/* Two counters, as a U74 has: one pair of events in each run. */
static void count(const char *const names[2], uint64_t counts[2], struct core_counts *out)
{
	struct sahm_err err;
	struct stream *s;
	const struct core_model *const models[] = {&model};
	const struct stream_sampling all = {0};
	const struct core_observer o = {.batch = take_batch, .notes = &notes};
	struct hpm *h = hpm_new(&(struct hpm_spec){FAMILY_U74, HPM_PLAIN, 2, &model.timing});
	assert_non_null(h);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t selector = core_event_selector(core_event_find(FAMILY_U74, names[i]));
		assert_int_equal(hpm_write(h, HPM_MACHINE, CSR_MHPMEVENT + i, selector, &err), SAHM_OK);
	}
	signals = signal_pass_new(&model.timing, &(struct signal_options){.take = take, .ctx = h});
	assert_non_null(signals);
	assert_int_equal(stream_open("tests/data/cases/gemm.stream", NULL, &s, &err), SAHM_OK);
	assert_int_equal(core_run(s, models, 1, LANES_BEST, &all, &o, out, &err), SAHM_OK);
	assert_true(signal_pass_end(signals));
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(hpm_read(h, HPM_MACHINE, CSR_MHPMCOUNTER + i, &counts[i], &err), SAHM_OK);
	stream_free(s);
	signal_pass_free(signals);
	hpm_free(h);
}

static void read_model(const char *path, const char *l1d_kib)
{
	struct sahm_err err;
	assert_int_equal(core_model_read(path, &l1d_kib, 1, "configs/cpus", &model, &err), SAHM_OK);
}

/* Another core, which retires several instructions in a cycle, has the same counts. */
static void test_instructions(void **state)
{
	(void)state;
	static const char *const cores[] = {"configs/cores/u74.cfg", "configs/cores/boom-large.cfg"};
	for (unsigned i = 0; i < ARRAY_SIZE(cores); i++) {
		struct core_counts c;
		uint64_t n[2];
		read_model(cores[i], "l1d.size_kib=32");
		count((const char *const[]){"FP_LOAD_RETIRED", "FP_STORE_RETIRED"}, n, &c);
		assert_int_equal(n[0], N * M * (2 * K + 1));
		assert_int_equal(n[1], N * K + K * M + 2 * N * M);
		count((const char *const[]){"FP_FUSEDMADD_RETIRED", "FP_MULTIPLICATION_RETIRED"}, n, &c);
		assert_int_equal(n[0], N * M * K);
		assert_int_equal(n[1], 0);
	}
}

/* The second cache is smaller than the matrices. */
static void test_caches(void **state)
{
	(void)state;
	static const char *const sizes[] = {"l1d.size_kib=32", "l1d.size_kib=4"};
	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct core_counts c;
		uint64_t n[2];
		read_model("configs/cores/u74.cfg", sizes[i]);
		count((const char *const[]){"ICACHE_RETIRED", "DCACHE_MISS_MMIO_ACCESSES"}, n, &c);
		assert_int_equal(n[0], c.functional.epoch.count[COUNTER_L1I_MISSES]);
		assert_int_equal(n[1], c.functional.epoch.count[COUNTER_L1D_MISSES]);
		count((const char *const[]){"INST_TLB_MISS", "DATA_TLB_MISS"}, n, &c);
		assert_int_equal(n[0], c.functional.itlb_misses);
		assert_int_equal(n[1], c.functional.dtlb_misses);
		/* The pass counts walks for instructions, too: one, as the code lies in one page. */
		count((const char *const[]){"UTLB_MISS", "DCACHE_WRITEBACK"}, n, &c);
		assert_int_equal(n[0] + 1, c.functional.walks);
		assert_int_equal(n[1], c.functional.l1d_write_backs);
		assert_int_equal(n[1] > 0, i == 1);
	}
}

TEST_FILE(test_gemm_counts)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions), cmocka_unit_test(test_caches)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
