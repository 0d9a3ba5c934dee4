/* What the cores of each phase of the study of value prediction predict, and what its points say. */
#include "results/studies/value_prediction_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"

/* Of each four uops: two loads of a register, one of none and no load. */
#define NR_BATCHES 50u
#define NR_LOADS (NR_BATCHES * BATCH_UOPS / 2)

static const struct value_study study = {.seed = 3, .accuracy = 1};
static struct value_program program;

static void make_batch(void)
{
	memset(batch, 0, sizeof(*batch));
	while (batch->nr < BATCH_UOPS) {
		unsigned k = batch->nr % 4;
		struct uop *u = batch_add(k == 3 ? INSN_INTEGER : INSN_LOAD, 0x1000);
		u->destination = k == 2 ? NO_REGISTER : 1;
	}
}

/* Counts the loads that each of `nr` cores from `first` on predicts, in all batches. */
static void count(struct value_loads *l, size_t first, unsigned nr, uint64_t *right, uint64_t *wrong)
{
	static struct load_predictions p;
	size_t cores[NR_UNAWARE_POINTS];
	memset(right, 0, nr * sizeof(*right));
	memset(wrong, 0, nr * sizeof(*wrong));
	for (unsigned k = 0; k < nr; k++)
		cores[k] = first + k;
	for (uint64_t b = 0; b < NR_BATCHES; b++) {
		value_loads_predict(l, cores, nr, batch, b * (BATCH_UOPS / 4 * 3), &p);
		for (unsigned i = 0; i < batch->nr; i++) {
			assert_true(i % 4 < 2 || (p.right[i] == 0 && p.wrong[i] == 0));
			assert_int_equal(p.right[i] & p.wrong[i], 0);
			for (unsigned k = 0; k < nr; k++) {
				right[k] += p.right[i] >> k & 1;
				wrong[k] += p.wrong[i] >> k & 1;
			}
		}
	}
}

static void begin(struct value_loads *l, enum value_phase phase)
{
	struct sahm_err err;
	assert_int_equal(value_loads_begin(l, phase, &program, &err), SAHM_OK);
}

/* Each tenth of the loads of a register; the cores can be of several jobs. */
static void test_unaware(void **state)
{
	(void)state;
	uint64_t right[NR_UNAWARE_POINTS], wrong[NR_UNAWARE_POINTS], later[4];
	struct value_loads *l = value_loads_new(&study);
	assert_non_null(l);
	make_batch();
	begin(l, VALUE_UNAWARE);
	count(l, 0, NR_UNAWARE_POINTS, right, wrong);
	count(l, 3, 4, later, wrong);
	assert_memory_equal(later, right + 3, sizeof(later));
	begin(l, VALUE_PATH);
	assert_int_equal(program.loads, NR_LOADS);
	for (unsigned k = 0; k < NR_UNAWARE_POINTS; k++)
		assert_int_equal(right[k], program.points[k].covered);
	assert_int_equal(right[0], 0);
	assert_int_equal(right[UNAWARE_STEPS], NR_LOADS);
	for (unsigned k = 1; k <= UNAWARE_STEPS; k++)
		assert_true(fabs((double)(right[k] - right[k - 1]) - NR_LOADS / 10.0) < 200);
	value_loads_free(l);
}

#define ALL_LOADS (NR_BATCHES * BATCH_UOPS / 4 * 3)

static void mark(struct value_loads *l, uint64_t step)
{
	for (uint64_t n = 0; n < ALL_LOADS; n += step)
		load_set_add(value_loads_critical(l), n);
}

/* The first of a group of four takes twice as long as the second. */
static void stamp(struct value_loads *l)
{
	static struct uop_stamps stamps[BATCH_UOPS];
	for (unsigned i = 0; i < BATCH_UOPS; i++)
		stamps[i].complete = stamps[i].issue + (i % 4 == 0 ? 8 : 4);
	for (unsigned b = 0; b < NR_BATCHES; b++)
		value_loads_stamp(l, batch, stamps);
}

/* Loads that two passes mark, some of them twice; then the others by latency. */
static void test_aware(void **state)
{
	(void)state;
	uint64_t kept[NR_VALUE_POINTS], wrong[NR_UNAWARE_POINTS], marked[AWARE_PASSES] = {0};
	struct value_loads *l = value_loads_new(&study);
	unsigned core, point;
	assert_non_null(l);
	make_batch();
	for (uint64_t n = 0; n < ALL_LOADS; n++) {
		marked[0] += n % 15 == 0;
		marked[1] += n % 15 == 0 || n % 24 == 0;
	}
	marked[2] = marked[1];
	for (enum value_phase phase = VALUE_UNAWARE; phase < NR_VALUE_PHASES; phase++) {
		uint64_t one;
		bool has_points = value_phase_point(phase, &point);
		begin(l, phase);
		count(l, 0, value_phase_cores(phase), has_points ? kept + point : &one, wrong);
		assert_true(value_phase_marks(phase, &core) == (phase >= VALUE_PATH && phase < VALUE_PASS + 2u));
		if (phase == VALUE_PATH)
			mark(l, 15);
		if (phase == VALUE_PASS)
			mark(l, 24);
		if (!has_points)
			assert_int_equal(one, phase == VALUE_PATH ? 0 : marked[2]);
		if (phase == VALUE_LATENCIES)
			stamp(l);
	}
	for (unsigned i = 0; i < NR_VALUE_POINTS; i++)
		assert_int_equal(kept[i], program.points[i].covered);
	for (unsigned pass = 0; pass < AWARE_PASSES; pass++)
		assert_int_equal(kept[NR_UNAWARE_POINTS + pass * AWARE_STEPS + AWARE_STEPS - 1], marked[pass]);
	uint64_t rest = NR_LOADS - marked[2];
	for (unsigned k = 1; k <= AWARE_STEPS; k++)
		assert_int_equal(kept[NR_VALUE_POINTS - AWARE_STEPS - 1 + k],
				 marked[2] + (rest * k + AWARE_STEPS - 1) / AWARE_STEPS);
	/* Of the first group of the second batch, the first load is of the longer ones, which come first. */
	static struct load_predictions p;
	const size_t first[] = {0}, last_but_one[] = {3};
	value_loads_predict(l, last_but_one, 1, batch, BATCH_UOPS / 4 * 3, &p);
	assert_int_equal(p.right[0], 1);
	value_loads_predict(l, first, 1, batch, BATCH_UOPS / 4 * 3, &p);
	assert_int_equal(p.right[1], 0);
	value_loads_free(l);
}

/* Some of them are wrong, and the others right: together as many. */
static void test_wrong(void **state)
{
	(void)state;
	static const struct value_study inaccurate = {.seed = 3, .accuracy = 0.75};
	uint64_t right[NR_UNAWARE_POINTS], wrong[NR_UNAWARE_POINTS];
	struct value_loads *l = value_loads_new(&inaccurate);
	assert_non_null(l);
	make_batch();
	begin(l, VALUE_UNAWARE);
	count(l, 0, NR_UNAWARE_POINTS, right, wrong);
	begin(l, VALUE_PATH);
	for (unsigned k = 0; k < NR_UNAWARE_POINTS; k++) {
		assert_int_equal(right[k] + wrong[k], program.points[k].covered);
		assert_true(fabs((double)right[k] - 0.75 * (double)(right[k] + wrong[k])) < 300);
	}
	value_loads_free(l);
}

/* A program whose points save up to 1,000 of 10,000 cycles. */
static struct value_program made(uint64_t saved_first, uint64_t saved_all)
{
	struct value_program p = {.stream = "made", .instructions = 5000, .loads = 1000};
	for (unsigned i = 0; i < NR_UNAWARE_POINTS; i++)
		p.points[i] = (struct value_point){i * 100, 10000 - saved_all * i / UNAWARE_STEPS};
	for (unsigned i = 0; i < NR_VALUE_POINTS - NR_UNAWARE_POINTS; i++)
		p.points[NR_UNAWARE_POINTS + i] =
			(struct value_point){150 + i * 50, 10000 - (i == 0 ? saved_first : saved_all)};
	return p;
}

static void test_claim(void **state)
{
	(void)state;
	struct value_program p = made(800, 1000);
	assert_true(value_most_pct(&p, false) == 80);
	assert_true(value_most_pct(&p, true) == 15);
	assert_int_equal(value_holds(&p), VALUE_HOLDS);
	assert_true(value_cpi(&p, 0) == 2 && fabs(value_gain_pct(&p, UNAWARE_STEPS) - 100.0 / 9) < 1e-9);
	p = made(799, 1000);
	assert_true(value_most_pct(&p, true) == 20);
	assert_int_equal(value_holds(&p), VALUE_HOLDS_NOT);
	p = made(99, 99);
	assert_true(isnan(value_most_pct(&p, true)));
	assert_int_equal(value_holds(&p), VALUE_SAYS_NOTHING);
	struct value_program two[] = {made(800, 1000), made(800, 1000)}, all = value_study_all(two, 2);
	assert_int_equal(all.loads, 2000);
	assert_int_equal(all.points[UNAWARE_STEPS].cycles, 18000);
	assert_int_equal(value_holds(&all), VALUE_HOLDS);
}

TEST_FILE(test_value_prediction_study)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unaware),
		cmocka_unit_test(test_aware),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_claim),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
