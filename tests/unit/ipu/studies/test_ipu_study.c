/* The studies on synthetic signals: that their answers are known, and that a wrong one would be seen. From the top of
 * the source tree, with the programs that come with it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/studies/study_cost.h"
#include "ipu/studies/study_overlap.h"
#include "ipu/studies/study_values.h"
#include "ipu/unit/load.h"
#include "sim/base/array.h"
#include "tests/unit/engine.h"

static struct ipu_program *load(const char *path)
{
	struct ipu_program *program;
	struct sahm_err err;
	if (ipu_load_file(&program, path, NULL, NULL, 0, NULL, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	if (tested_engine == HART_INTERP)
		ipu_program_interpret(program);
	return program;
}

static struct ipu_program *overlap_program(void)
{
	return load("ipu/programs/prebuilt/overlap.elf");
}

static struct ipu_program *histogram_program(void)
{
	return load("ipu/programs/prebuilt/histogram.elf");
}

static void read_spec(struct arena *a, const char *path, struct abi *abi)
{
	struct sahm_err err;
	if (abi_read(a, path, abi, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
}

static void test_fp16(void **state)
{
	(void)state;
	const struct {
		int64_t value;
		unsigned fraction_bits;
		uint16_t bits;
	} cases[] = {
		{0, 16, 0},	     {1, 0, 0x3c00},
		{-2, 0, 0xc000},     {1 << 16, 16, 0x3c00},
		{65504, 0, 0x7bff},  {65519, 0, 0x7bff},
		{65520, 0, 0x7c00}, /* a tie, and the even one is infinity */
		{-65536, 0, 0xfc00}, {INT64_C(1) << 61, 0, 0x7c00},
		{2049, 0, 0x6800},		      /* ties to even */
		{2051, 0, 0x6802},   {1, 14, 0x0400}, /* the smallest normal one */
		{1, 24, 0x0001},     {1, 25, 0x0000},
		{3, 25, 0x0002},     {3, 26, 0x0001},
		{2047, 25, 0x0400}, /* rounds up to a normal one */
		{-1, 62, 0x8000},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(values_fp16(cases[i].value, cases[i].fraction_bits), cases[i].bits);
}

/* Every finite number is what it is made of. */
static void test_fp16_exact(void **state)
{
	(void)state;
	for (unsigned bits = 1; bits < 0x7c00; bits++) {
		unsigned exponent = bits >> 10, fraction = bits & 0x3ff;
		int64_t value = exponent ? (int64_t)(fraction | 0x400) << (exponent - 1) : (int64_t)fraction;
		assert_int_equal(values_fp16(value, 24), bits);
		assert_int_equal(values_fp16(-value, 24), bits | 0x8000);
	}
}

/* What the texts of the applications promise. */
static void test_draws(void **state)
{
	(void)state;
	enum { NR = 100000 };
	struct rng rng;
	unsigned nr_zero = 0, nr_negative[2] = {0}, nr_large[2] = {0};
	rng_init(&rng, 1, "test", "draws");
	for (int i = 0; i < NR; i++) {
		uint16_t v = values_draw(VALUES_RECTIFIED, &rng, 0);
		assert_true(v < 0x8000);
		nr_zero += v == 0;
		for (int tailed = 0; tailed < 2; tailed++) {
			v = values_draw(tailed ? VALUES_TAILED : VALUES_BELL, &rng, 0);
			nr_negative[tailed] += v >> 15;
			nr_large[tailed] += (v & 0x7fff) > values_fp16(9, 2); /* 2.25 */
		}
	}
	assert_in_range(nr_zero, NR * 49 / 100, NR * 51 / 100);
	assert_in_range(nr_negative[0], NR * 31 / 100, NR * 36 / 100);
	assert_in_range(nr_negative[1], NR * 49 / 100, NR * 51 / 100);
	assert_int_equal(nr_large[0], 0);
	assert_in_range(nr_large[1], NR / 200, NR / 20);
}

static struct overlap_result overlap(struct ipu_program *program, unsigned scenario, uint32_t hit_mhz, uint64_t seed)
{
	struct arena a;
	struct abi abi;
	struct sahm_err err;
	struct overlap_result r;
	const struct overlap_options o = {.seed = seed, .nr_windows = 20, .hit_mhz = hit_mhz, .ipu_mhz = 2000};
	arena_init(&a);
	read_spec(&a, "ipu/abi/gpu_activity.cfg", &abi);
	if (overlap_run(program, &abi, scenario, &o, &r, &err) != SAHM_OK)
		fail_msg("%s: %s", r.name, err.msg);
	arena_release(&a);
	return r;
}

static void test_overlap(void **state)
{
	(void)state;
	static const uint32_t clocks[] = {20, 1400, 2000, 2700};
	struct ipu_program *program = overlap_program();
	for (unsigned s = 0; s < NR_OVERLAP_SCENARIOS; s++) {
		for (size_t c = 0; c < ARRAY_SIZE(clocks); c++) {
			struct overlap_result r = overlap(program, s, clocks[c], 1);
			assert_int_equal(r.nr_wrong, 0);
			assert_int_equal(r.nr_windows, 20);
			assert_int_equal(r.counts.taken, 20 * (1 + OVERLAP_WINDOW));
			assert_int_equal(r.counts.bytes, 20 * OVERLAP_UNITS);
			assert_int_equal(r.bins[0] + r.bins[1] + r.bins[2] + r.bins[3], 20);
			/* Where the IPU is 100 times as fast, nothing drops, and where it is not slower, nothing within
			 * a window does. */
			assert_int_equal(r.counts.dropped == 0, clocks[c] == 20);
			if (clocks[c] <= 2000) {
				assert_memory_equal(r.least, r.expected, sizeof(r.least));
				assert_memory_equal(r.most, r.expected, sizeof(r.most));
			}
		}
	}
	ipu_program_free(program);
}

static bool are_same(const struct overlap_result *a, const struct overlap_result *b)
{
	return memcmp(a->least, b->least, sizeof(a->least)) == 0 && memcmp(a->most, b->most, sizeof(a->most)) == 0 &&
	       memcmp(a->bins, b->bins, sizeof(a->bins)) == 0 && a->hit_cycles == b->hit_cycles;
}

/* Every bin has a scenario, one of them has a count that a byte cannot hold, and the seed changes only the drawn
 * values.
 */
static void test_scenarios(void **state)
{
	(void)state;
	uint64_t bins[OVERLAP_UNITS + 1] = {0};
	unsigned nr_saturated = 0;
	struct ipu_program *program = overlap_program();
	for (unsigned s = 0; s < NR_OVERLAP_SCENARIOS; s++) {
		struct overlap_result a = overlap(program, s, 2000, 1), b = overlap(program, s, 2000, 1);
		assert_true(are_same(&a, &b));
		for (unsigned i = 0; i <= OVERLAP_UNITS; i++)
			bins[i] += a.bins[i];
		for (unsigned u = 0; u < OVERLAP_UNITS; u++)
			nr_saturated += a.expected[u] == OVERLAP_LIMIT;
		b = overlap(program, s, 2700, 2);
		a = overlap(program, s, 2700, 1);
		assert_int_equal(are_same(&a, &b), strcmp(a.name, "scattered") != 0);
	}
	for (unsigned i = 0; i <= OVERLAP_UNITS; i++)
		assert_true(bins[i] > 0);
	assert_true(nr_saturated > 0);
	ipu_program_free(program);
}

static struct values_result values(struct ipu_program *program, enum values_application application,
				   const struct values_options *o)
{
	struct arena a;
	struct abi abi;
	struct sahm_err err;
	struct values_result r;
	arena_init(&a);
	read_spec(&a, "ipu/abi/l1d_write.cfg", &abi);
	if (values_run(program, &abi, application, o, &r, &err) != SAHM_OK)
		fail_msg("%s: %s", r.name, err.msg);
	arena_release(&a);
	return r;
}

static void test_values(void **state)
{
	(void)state;
	struct ipu_program *program = histogram_program();
	for (unsigned i = 0; i < NR_VALUES_APPLICATIONS; i++) {
		enum values_application app = (enum values_application)i;
		struct values_options o = {1, 2, 70000, 1400, 2000, NULL};
		struct values_result r = values(program, app, &o);
		assert_int_equal(r.nr_wrong, 0);
		assert_int_equal(r.nr_lines, 140000);
		assert_int_equal(r.nr_taken + r.nr_dropped, r.nr_lines);
		assert_int_equal(r.bytes, r.nr_packets * VALUES_BYTES);
		assert_true(r.error > 0 && r.error < 0.3);
		/* More lines, less error; a slow HIT loses none. */
		o.nr_lines = 1000;
		struct values_result few = values(program, app, &o);
		assert_true(few.error > r.error);
		o.hit_mhz = 1;
		few = values(program, app, &o);
		assert_int_equal(few.nr_dropped, 0);
		assert_int_equal(few.nr_packets, 2);
		o.seed = 2;
		assert_true(values(program, app, &o).error != few.error);
	}
	ipu_program_free(program);
}

static void expect_error(const uint64_t *all, const uint64_t *sampled, double error, uint64_t nr_used)
{
	uint64_t nr = 0;
	assert_true(fabs(values_error(all, sampled, &nr) - error) < 1e-12);
	assert_int_equal(nr, nr_used);
}

/* By hand. */
static void test_error_of_histograms(void **state)
{
	(void)state;
	static const uint64_t all[VALUES_BUCKETS] = {[0] = 4, [3] = 8, [127] = 4};
	/* Times 4: 8 for 4, 4 for 8, 4 for 4. */
	static const uint64_t other[VALUES_BUCKETS] = {[0] = 2, [3] = 1, [127] = 1};
	/* Times 2: 0 for 4, 16 for 8, 0 for 4. */
	static const uint64_t one[VALUES_BUCKETS] = {[3] = 8};
	/* Times 8: 8 for 4, 0 for the others; other cycles count only in the total. */
	static const uint64_t stray[VALUES_BUCKETS] = {[0] = 1, [5] = 1};
	static const uint64_t quarter[VALUES_BUCKETS] = {[0] = 1, [3] = 2, [127] = 1}, none[VALUES_BUCKETS];
	expect_error(all, all, 0, 3);
	expect_error(all, quarter, 0, 3);
	expect_error(all, other, 1 + 0.5, 3);
	expect_error(all, one, 1 + 1 + 1, 3);
	expect_error(all, stray, 1 + 1 + 1, 3);
	expect_error(all, none, 0, 0);
	expect_error(none, none, 0, 0);
}

/* By hand: 3 x 4 = 12, 5 and 5 long. */
static void test_similarity(void **state)
{
	(void)state;
	static const uint64_t a[VALUES_BUCKETS] = {[0] = 3, [127] = 4}, b[VALUES_BUCKETS] = {[127] = 3, [5] = 4};
	static const uint64_t twice[VALUES_BUCKETS] = {[0] = 6, [127] = 8}, other[VALUES_BUCKETS] = {[1] = 7},
			      none[VALUES_BUCKETS];
	assert_true(fabs(values_similarity(a, b) - 12.0 / 25) < 1e-12);
	assert_true(fabs(values_similarity(a, twice) - 1) < 1e-12);
	assert_true(values_similarity(a, other) == 0);
	assert_true(isnan(values_similarity(a, none)) && isnan(values_similarity(none, a)));
}

/* The histograms of the figure are those of the packets: together they have all values that were taken. */
static void test_shown_histograms(void **state)
{
	(void)state;
	struct ipu_program *program = histogram_program();
	const struct values_options o = {1, VALUES_SHOWN + 1, 300, 1400, 2000, NULL};
	struct values_result r = values(program, VALUES_BELL, &o);
	uint64_t nr_shown = 0, nr = 0;
	assert_int_equal(r.nr_shown, VALUES_SHOWN);
	for (unsigned i = 0; i < VALUES_BUCKETS; i++) {
		nr += r.sum[i];
		for (unsigned t = 0; t < VALUES_SHOWN; t++)
			nr_shown += r.shown[t][i];
	}
	assert_int_equal(nr, VALUES_SEEN * r.nr_taken);
	assert_true(nr_shown < nr && nr_shown > nr / 2);
	ipu_program_free(program);
}

/* Two scenarios with windows, by hand: SIMT cores 64, 0 and 128, 64. */
static void test_points(void **state)
{
	(void)state;
	static const struct overlap_result results[NR_OVERLAP_SCENARIOS] = {
		[1] = {.shown = {{64, 32, 0}, {0, 255, 128}}, .nr_shown = 2},
		[3] = {.shown = {{128, 0, 0}, {64, 128, 0}}, .nr_shown = 2},
	};
	static const struct {
		unsigned scenario, window;
		double active[OVERLAP_UNITS], mean[OVERLAP_UNITS];
	} in_time[] =
		{
			{1, 0, {25, 12.5, 0}, {25, 12.5, 0}},
			{1, 1, {0, 99.609375, 50}, {12.5, 56.0546875, 25}},
			{3, 0, {50, 0, 0}, {25, 37.369791666666667, 16.666666666666667}},
			{3, 1, {25, 50, 0}, {25, 40.52734375, 12.5}},
		},
	  sorted[] = {
		  {1, 1, {0, 99.609375, 50}, {0, 99.609375, 50}},
		  {1, 0, {25, 12.5, 0}, {12.5, 56.0546875, 25}},
		  {3, 1, {25, 50, 0}, {16.666666666666667, 54.036458333333333, 16.666666666666667}},
		  {3, 0, {50, 0, 0}, {25, 40.52734375, 12.5}},
	  };
	static struct overlap_point points[MAX_OVERLAP_POINTS];
	for (unsigned order = 0; order < 2; order++) {
		assert_int_equal(overlap_points(results, order == 1, points), 4);
		for (unsigned i = 0; i < 4; i++) {
			assert_int_equal(points[i].scenario, (order ? sorted : in_time)[i].scenario);
			assert_int_equal(points[i].window, (order ? sorted : in_time)[i].window);
			for (unsigned u = 0; u < OVERLAP_UNITS; u++) {
				assert_true(points[i].active_pct[u] == (order ? sorted : in_time)[i].active[u]);
				assert_true(fabs(points[i].mean_pct[u] - (order ? sorted : in_time)[i].mean[u]) < 1e-9);
			}
		}
	}
}

/* The windows of the figure are the first ones. */
static void test_shown_windows(void **state)
{
	(void)state;
	struct ipu_program *program = overlap_program();
	struct overlap_result r = overlap(program, 2, 1400, 1);
	assert_int_equal(r.nr_shown, 20);
	for (unsigned w = 0; w < r.nr_shown; w++)
		for (unsigned u = 0; u < OVERLAP_UNITS; u++)
			assert_int_equal(r.shown[w][u], r.expected[u]);
	ipu_program_free(program);
}

/* Both sides of each rounding, and of bounds. */
static void test_cost_agreement(void **state)
{
	(void)state;
	const struct {
		enum cost_relation relation;
		double computed;
		const char *text;
		bool agrees;
	} cases[] = {
		{COST_EQUAL, 0.649, "0.6", true},  {COST_EQUAL, 0.651, "0.6", false},
		{COST_EQUAL, 0.551, "0.6", true},  {COST_EQUAL, 0.549, "0.6", false},
		{COST_EQUAL, 0.375, "0.38", true}, {COST_EQUAL, 0.375, "0.37", true},
		{COST_ABOUT, 2.51, "3", true},	   {COST_ABOUT, 2.49, "3", false},
		{COST_EQUAL, 2.04, "2.0", true},   {COST_EQUAL, 2.06, "2.0", false},
		{COST_BELOW, 1, "1", false},	   {COST_BELOW, 0.999, "1", true},
		{COST_AT_MOST, 2, "2.0", true},	   {COST_AT_MOST, 2.001, "2.0", false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(cost_agrees(cases[i].relation, cases[i].computed, cases[i].text), cases[i].agrees);
}

/* Some by hand: a share, one of several, a sum, rates, a size. */
static void test_cost_figures(void **state)
{
	(void)state;
	const struct {
		const char *kind, *name, *formula;
		double computed;
		bool agrees;
	} cases[] = {
		{"area", "IPU_pro, of a core complex", "0.22 mm2 / 31 mm2", 22.0 / 31, true},
		{"area", "one IPU_pro, of a CPU", "0.22 mm2 / (31 mm2 x 4)", 22.0 / 124, false},
		{"area", "5 IPU_pro and 10 IPU_lite, of a die", "(5 x 0.22 mm2 + 10 x 0.019 mm2) / 200 mm2", 0.645,
		 true},
		{"power", "IPU_lite (GPU), of a multiprocessor", "24.1 mW / 1 W", 2.41, false},
		{"power", "most power of an IPU", "24.1 mW", 24.1, true},
		{"bandwidth", "input, PICS", "215 bits x 1 GHz", 26.875, false},
		{"bandwidth", "output, PICS", "6 B x 1 GHz / 400000 cycles", 15, true},
		{"bandwidth", "output, value histograms", "384 B x 1.4 GHz / 32768 cycles", 16.40625, false},
		{"bandwidth", "histogram of values", "128 x 18 bits", 288, false},
	};
	size_t nr_found = 0;
	for (unsigned i = 0; i < NR_COST_FIGURES; i++) {
		struct cost_figure f = cost_figure(i);
		struct textbuf formula;
		textbuf_init(&formula);
		cost_write_formula(i, &formula);
		for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
			if (strcmp(f.kind, cases[k].kind) != 0 || strcmp(f.name, cases[k].name) != 0)
				continue;
			nr_found++;
			assert_string_equal(formula.text, cases[k].formula);
			assert_true(fabs(f.computed / cases[k].computed - 1) < 1e-12);
			assert_int_equal(f.agrees, cases[k].agrees);
		}
		/* A slip is explained, and nothing else. */
		if (f.agrees == (f.note != NULL))
			fail_msg("%s, %s: %s", f.kind, f.name, f.note ? f.note : "no note");
		textbuf_release(&formula);
	}
	assert_int_equal(nr_found, ARRAY_SIZE(cases));
}

/* Where nothing is lost, the sample is the first 4 values of each line: the error follows only from the draws. */
static void test_error_of_draws(void **state)
{
	(void)state;
	enum { NR_TENSORS = 3, NR_LINES = 500 };
	struct ipu_program *program = histogram_program();
	for (unsigned i = 0; i < NR_VALUES_APPLICATIONS; i++) {
		enum values_application app = (enum values_application)i;
		const struct values_options o = {7, NR_TENSORS, NR_LINES, 1, 2000, NULL};
		struct values_result r = values(program, app, &o);
		double sum = 0;
		uint64_t nr_used = 0;
		assert_int_equal(r.nr_taken, NR_TENSORS * NR_LINES);
		for (unsigned t = 0; t < NR_TENSORS; t++) {
			double all[128] = {0}, sampled[128] = {0};
			struct rng rng;
			char what[32];
			snprintf(what, sizeof(what), "tensor %u", t);
			rng_init(&rng, 7, r.name, what);
			unsigned scale = (unsigned)rng_below(&rng, VALUES_MAX_SCALE + 1);
			for (unsigned v = 0; v < NR_LINES * 16; v++) {
				/* Sign, exponent, and the first bit of the fraction. */
				unsigned bucket = values_draw(app, &rng, scale) / 512;
				all[bucket]++;
				sampled[bucket] += v % 16 < 4;
			}
			for (unsigned b = 0; b < 128; b++) {
				sum += all[b] > 0 ? fabs(all[b] - 4 * sampled[b]) / all[b] : 0;
				nr_used += all[b] > 0;
			}
		}
		assert_true(sum > 0 && fabs(r.error - sum / (NR_TENSORS * 128)) < 1e-12);
		assert_int_equal(r.nr_used_buckets, nr_used);
	}
	ipu_program_free(program);
}

/* Patience is with the clock that is slower; a program that sends nothing ends it. */
static void test_patience(void **state)
{
	(void)state;
	struct arena a;
	struct abi abi;
	struct sahm_err err;
	struct overlap_result r;
	static const uint32_t clocks[][2] = {{1000, 1}, {1, 1000000}};
	struct ipu_program *program = overlap_program();
	arena_init(&a);
	read_spec(&a, "ipu/abi/gpu_activity.cfg", &abi);
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		const struct overlap_options o = {1, 2, clocks[i][0], clocks[i][1], NULL};
		if (overlap_run(program, &abi, 1, &o, &r, &err) != SAHM_OK)
			fail_msg("%s", err.msg);
		assert_int_equal(r.nr_wrong, 0);
	}
	ipu_program_free(program);
	program = load("ipu/programs/prebuilt/watch.elf");
	assert_int_equal(overlap_run(program, &abi, 1, &(struct overlap_options){1, 1, 2000, 2000, NULL}, &r, &err),
			 SAHM_GUEST);
	assert_non_null(strstr(err.msg, "no packet came for 25600"));
	ipu_program_free(program);
	arena_release(&a);
}

/* Another program's packets are recognised. */
static void test_wrong_programs(void **state)
{
	(void)state;
	struct ipu_program *other = histogram_program();
	struct overlap_result r = overlap(other, 1, 2000, 1);
	assert_int_equal(r.nr_wrong, r.nr_windows);
	ipu_program_free(other);
	other = overlap_program();
	const struct values_options o = {1, 1, 1000, 1400, 2000, NULL};
	struct values_result v = values(other, VALUES_BELL, &o);
	assert_true(v.nr_packets > 0 && v.nr_wrong == v.nr_packets);
	ipu_program_free(other);
}

static void test_wrong_spec(void **state)
{
	(void)state;
	struct abi abi = {.name = "none", .file = "none.cfg"};
	struct sahm_err err;
	struct overlap_result r;
	struct values_result v;
	struct ipu_program *program = overlap_program();
	assert_int_equal(overlap_run(program, &abi, 0, &(struct overlap_options){1, 1, 1, 1, NULL}, &r, &err),
			 SAHM_FORMAT);
	assert_string_equal(err.msg, "none.cfg: it has no signal 'simt_active'");
	assert_int_equal(
		values_run(program, &abi, VALUES_BELL, &(struct values_options){1, 1, 1, 1, 1, NULL}, &v, &err),
		SAHM_FORMAT);
	assert_string_equal(err.msg, "none.cfg: it has no signal 'v0'");
	ipu_program_free(program);
}

TEST_FILE(test_ipu_study)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fp16),
		cmocka_unit_test(test_fp16_exact),
		cmocka_unit_test(test_draws),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_error_of_histograms),
		cmocka_unit_test(test_similarity),
		cmocka_unit_test(test_shown_histograms),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_shown_windows),
		cmocka_unit_test(test_cost_agreement),
		cmocka_unit_test(test_cost_figures),
		cmocka_unit_test(test_error_of_draws),
		cmocka_unit_test(test_patience),
		cmocka_unit_test(test_wrong_programs),
		cmocka_unit_test(test_wrong_spec),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
