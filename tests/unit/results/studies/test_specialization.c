/* Gains of specialised cores, from made-up epochs whose gains are known. */
#include "results/studies/specialization.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/helper/random.h"
#include "tests/unit/results/studies/made_epochs.h"

#define BRANCH (1u << COMPONENT_BRANCH)
#define L1D (1u << COMPONENT_L1D)
#define L2 (1u << COMPONENT_L2)

static const struct specialize_options usual = {.min_epochs = 4, .min_programs = 2, .nr_resamples = 200, .seed = 1};

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static void make(const struct epoch_table *t, const struct specialize_options *o, struct specialization *s)
{
	struct sahm_err err;
	assert_int_equal(specialization_make(t, o, s, &err), SAHM_OK);
}

/* Two epochs at 2x and 1x: with assumed time 1.5 of 2 epochs' time is left. With measured time the second, three times
 * as long, counts three times. */
static void test_mean_is_that_of_total_time(void **state)
{
	struct epoch_table t;
	struct specialization s;
	struct specialize_options o = usual;
	(void)state;
	make_cores(&t, 1);
	struct table_epoch *rows = add_program(&t, "p", 2, BRANCH, 100);
	rows[0].cycles[1] = 50;
	rows[1].cycles[0] = rows[1].cycles[1] = rows[1].counts.count[COUNTER_CYCLES] = 300;
	make(&t, &o, &s);
	assert_true(is_near(s.sets[0].cores[1].states[BRANCH].own.pct, 100 * (2 / 1.5 - 1)));
	assert_true(is_near(s.sets[0].cores[1].all.pct, 100 * (2 / 1.5 - 1)));
	assert_int_equal(s.sets[0].cores[1].all.nr_epochs, 2);
	specialization_release(&s);
	o.time = SPECIALIZE_MEASURED;
	make(&t, &o, &s);
	assert_true(is_near(s.sets[0].cores[1].states[BRANCH].own.pct, 100 * (400 / 350.0 - 1)));
	assert_true(isnan(s.sets[0].cores[1].states[L1D].own.pct));
	/* One program has no interval. */
	assert_true(isnan(s.sets[0].cores[1].all.low_pct));
	specialization_release(&s);
	epoch_table_release(&t);
}

static uint64_t any_cycles(uint64_t *rng)
{
	return between(rng, 500, 2000);
}

/* 12 programs of 8 epochs in random states, with random cycles. */
static void make_random(struct epoch_table *t, uint64_t seed)
{
	uint64_t rng = seed;
	make_cores(t, 5);
	for (unsigned p = 0; p < 12; p++) {
		char name[16];
		snprintf(name, sizeof(name), "p%u", p);
		unsigned state = (unsigned)between(&rng, 0, NR_STATES - 1);
		struct table_epoch *rows = add_program(t, name, 8, state, 1000);
		for (unsigned i = 0; i < 8; i++)
			for (unsigned k = 0; k < t->nr_cores; k++)
				rows[i].cycles[k] = any_cycles(&rng);
		for (unsigned i = 0; i < 8; i++)
			rows[i].counts.count[COUNTER_CYCLES] = rows[i].cycles[0];
	}
}

/* `sahm run` takes baseline time / (1 + speedup of the state) for an epoch: over all epochs that is the time that the
 * core took, whatever time is. */
static void test_table_reproduces_total_time(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 10; seed++) {
		struct epoch_table t;
		struct specialization s;
		struct specialize_options o = usual;
		o.min_epochs = o.min_programs = 0;
		o.time = seed % 2 ? SPECIALIZE_MEASURED : SPECIALIZE_ASSUMED;
		make_random(&t, seed);
		make(&t, &o, &s);
		for (unsigned k = 0; k < t.nr_cores; k++) {
			double run = 0, took = 0;
			for (size_t i = 0; i < t.nr_rows; i++) {
				const struct table_epoch *row = &t.rows[i];
				double w = o.time == SPECIALIZE_MEASURED ? (double)row->cycles[0] : 1;
				unsigned st = s.sets[1].states[i];
				run += w / (1 + s.sets[1].cores[k].states[st].table_pct / 100);
				took += w * (double)row->cycles[k] / (double)row->cycles[0];
			}
			assert_true(fabs(run - took) < 1e-9 * took);
		}
		specialization_release(&s);
		epoch_table_release(&t);
	}
}

/* Nothing gains more than the choice by epoch, and the best core is at least the baseline. */
static void test_choices_are_ordered(void **state)
{
	(void)state;
	for (uint64_t seed = 20; seed < 40; seed++) {
		struct epoch_table t;
		struct specialization s;
		struct specialize_options o = usual;
		o.min_epochs = o.min_programs = 0;
		make_random(&t, seed);
		make(&t, &o, &s);
		const double *pct = &s.sets[2].choices[t.nr_programs * NR_SPECIAL_CHOICES];
		assert_true(pct[CHOICE_ONE] >= 0 && pct[CHOICE_STATE] > pct[CHOICE_ONE] - 1e-9);
		assert_true(pct[CHOICE_EPOCH] > pct[CHOICE_STATE] - 1e-9);
		assert_true(pct[CHOICE_STATE] > pct[CHOICE_OTHERS] - 1e-9);
		specialization_release(&s);
		epoch_table_release(&t);
	}
}

/* Three programs in one state, in which core 1 gains only in the last, core 2 a little in all: by the table core 1 is
 * the best, but the table of the others does not know that for the last program. */
static void test_choice_by_the_others(void **state)
{
	static const uint64_t first[] = {1000, 1000, 400}, second[] = {950, 950, 950};
	struct epoch_table t;
	struct specialization s;
	(void)state;
	make_cores(&t, 2);
	for (unsigned p = 0; p < 3; p++) {
		char name[16];
		snprintf(name, sizeof(name), "p%u", p);
		struct table_epoch *rows = add_program(&t, name, 4, BRANCH, 1000);
		for (unsigned i = 0; i < 4; i++) {
			rows[i].cycles[1] = first[p];
			rows[i].cycles[2] = second[p];
		}
	}
	make(&t, &usual, &s);
	const double *last = &s.sets[2].choices[2 * NR_SPECIAL_CHOICES];
	assert_int_equal(s.sets[2].best[BRANCH], 1);
	assert_int_equal(s.sets[2].one, 1);
	assert_true(is_near(last[CHOICE_STATE], 150) && is_near(last[CHOICE_EPOCH], 150));
	assert_true(is_near(last[CHOICE_OTHERS], 100 * (1000 / 950.0 - 1)));
	assert_true(is_near(s.sets[2].choices[3 * NR_SPECIAL_CHOICES + CHOICE_EPOCH], 100 * (3000 / 2300.0 - 1)));
	specialization_release(&s);
	epoch_table_release(&t);
}

/* With `nr` epochs in each of `nr_programs` programs in Branch+L1D, where core 1 gains 300 %; 8 of 2 programs are in
 * Branch, where it gains 100 %. */
static void make_scarce(struct epoch_table *t, size_t nr, unsigned nr_programs)
{
	make_cores(t, 5);
	for (unsigned p = 0; p < 2 + nr_programs; p++) {
		char name[16];
		snprintf(name, sizeof(name), "p%u", p);
		size_t nr_epochs = p < 2 ? 4 : nr;
		struct table_epoch *rows = add_program(t, name, nr_epochs, p < 2 ? BRANCH : BRANCH | L1D, 1000);
		for (size_t i = 0; i < nr_epochs; i++)
			for (unsigned k = 1; k < t->nr_cores; k++)
				rows[i].cycles[k] = p < 2 ? 500 : 250;
	}
}

static void test_scarce_states(void **state)
{
	struct epoch_table t;
	struct specialization s;
	(void)state;
	/* Enough of both: 4 epochs of 2 programs. */
	make_scarce(&t, 2, 2);
	make(&t, &usual, &s);
	const struct special_state *x = s.sets[2].cores[1].states;
	assert_true(!x[BRANCH | L1D].is_scarce && !x[BRANCH].is_scarce && x[L1D].is_scarce && x[0].is_scarce);
	assert_true(is_near(x[BRANCH | L1D].table_pct, 300) && x[BRANCH | L1D].lenders == 0);
	/* Of core 1, specialised for Branch, a state in which that is HIGH has the total of the two that are known: 12
	 * epochs in 4 x 2 x 0.5 + 4 x 0.25. One in which that is not HIGH has nothing. */
	assert_true(is_near(x[BRANCH | L2].table_pct, 100 * (12 / 5.0 - 1)));
	assert_int_equal(x[BRANCH | L2].lenders, 1u << BRANCH | 1u << (BRANCH | L1D));
	assert_true(x[L2].table_pct == 0 && x[L2].lenders == 0 && x[0].table_pct == 0 && x[L1D].table_pct == 0);
	/* Core 3 is specialised for L1D, core 5 for everything. */
	x = s.sets[2].cores[3].states;
	assert_true(is_near(x[L1D | L2].table_pct, 300) && x[BRANCH | L2].table_pct == 0);
	x = s.sets[2].cores[5].states;
	assert_true(is_near(x[L1D | L2].table_pct, 300) && is_near(x[BRANCH | L2].table_pct, 100 * (12 / 5.0 - 1)));
	specialization_release(&s);
	epoch_table_release(&t);
}

/* An epoch too few, and a program too few: the state borrows, but its own gain is still reported. */
static void test_limits_of_scarcity(void **state)
{
	static const struct {
		const char *name;
		size_t nr;
		unsigned nr_programs;
		bool is_scarce;
	} rows[] = {{"enough", 2, 2, false}, {"epochs", 1, 3, true}, {"programs", 8, 1, true}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct epoch_table t;
		struct specialization s;
		make_scarce(&t, rows[i].nr, rows[i].nr_programs);
		make(&t, &usual, &s);
		const struct special_state *x = &s.sets[2].cores[1].states[BRANCH | L1D];
		if (x->is_scarce != rows[i].is_scarce)
			fail_msg("%s", rows[i].name);
		assert_true(is_near(x->table_pct, x->is_scarce ? 100 : 300) && is_near(x->own.pct, 300));
		specialization_release(&s);
		epoch_table_release(&t);
	}
}

/* A scarce state is marked in text, CSV, JSON and core types. */
static void test_scarce_states_are_marked(void **state)
{
	struct epoch_table t;
	struct specialization s;
	struct textbuf out;
	(void)state;
	make_scarce(&t, 1, 3);
	make(&t, &usual, &s);
	textbuf_init(&out);
	assert_true(specialization_text(&s, false, &out));
	assert_non_null(strstr(out.text, "+300.00*"));
	assert_null(strstr(out.text, "+100.00*"));
	assert_non_null(strstr(out.text, "States with fewer than 4 epochs or 2 programs are scarce"));
	assert_non_null(strstr(out.text, "Synthetic: "));
	textbuf_release(&out);
	textbuf_init(&out);
	specialization_csv_states(&s, 0, &out);
	assert_non_null(strstr(out.text, "synthetic,intuitive,core-1,L1D+Branch,300,,,3,3,yes,100,Branch\n"));
	assert_non_null(strstr(out.text, "synthetic,intuitive,core-1,Branch,100,,,8,2,no,100,\"\"\n"));
	textbuf_release(&out);
	textbuf_init(&out);
	for (const struct special_file *f = special_files; f->name; f++) {
		char name[64];
		snprintf(name, sizeof(name), "cores-%s.cfg", cut_set_names[f->set]);
		if (strcmp(f->name, name) == 0)
			f->write(&s, f->set, &out);
	}
	assert_non_null(strstr(out.text, "100.0000, # L1D+Branch: epochs 3, programs 3; scarce: from Branch\n"));
	assert_non_null(strstr(out.text, "100.0000, # Branch: epochs 8, programs 2\n"));
	assert_non_null(strstr(out.text, ", synthetic, of "));
	/* One of each set of thresholds. */
	for (unsigned i = 0; i < NR_CUT_SETS; i++) {
		char words[64];
		snprintf(words, sizeof(words), "thresholds %s;", cut_set_names[i]);
		assert_non_null(strstr(out.text, words));
	}
	textbuf_release(&out);
	specialization_release(&s);
	epoch_table_release(&t);
}

/* The last epoch of a program with fewer than 99 % of the instructions of the shortest other one is no epoch. */
static void test_programs_that_end_in_an_epoch(void **state)
{
	(void)state;
	for (unsigned short_one = 0; short_one < 2; short_one++) {
		struct epoch_table t;
		struct specialization s;
		make_cores(&t, 1);
		struct table_epoch *rows = add_program(&t, "p", 3, BRANCH, 1000);
		rows[2].counts.count[COUNTER_INSTRUCTIONS] = short_one ? 989999 : 990000;
		make(&t, &usual, &s);
		assert_int_equal(s.nr_left_out, short_one);
		assert_int_equal(s.sets[0].cores[1].all.nr_epochs, 3 - short_one);
		specialization_release(&s);
		epoch_table_release(&t);
	}
}

/* Gains of programs average to that of all; programs with more spread have wider intervals. */
static void test_intervals(void **state)
{
	struct epoch_table t;
	struct specialization s;
	uint64_t rng = 3;
	(void)state;
	make_cores(&t, 2);
	for (unsigned p = 0; p < 20; p++) {
		char name[16];
		snprintf(name, sizeof(name), "p%u", p);
		struct table_epoch *row = add_program(&t, name, 1, L2, 1000000);
		row->cycles[1] = between(&rng, 900000, 1000000);
		row->cycles[2] = between(&rng, 945000, 955000);
	}
	make(&t, &usual, &s);
	const struct special_gain *wide = &s.sets[1].cores[1].high[COMPONENT_L2],
				  *narrow = &s.sets[1].cores[2].high[COMPONENT_L2];
	assert_true(wide->low_pct < wide->pct && wide->pct < wide->high_pct);
	assert_true(narrow->high_pct - narrow->low_pct < (wide->high_pct - wide->low_pct) / 5);
	assert_int_equal(wide->nr_programs, 20);
	struct special_gain one = specialization_program(&s, 1, 7, 1, special_states_with(L2));
	assert_true(is_near(one.pct, 100 * (1e6 / (double)t.rows[7].cycles[1] - 1)) && one.nr_epochs == 1);
	specialization_release(&s);
	epoch_table_release(&t);
}

TEST_FILE(test_specialization)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_is_that_of_total_time),
		cmocka_unit_test(test_table_reproduces_total_time),
		cmocka_unit_test(test_choices_are_ordered),
		cmocka_unit_test(test_choice_by_the_others),
		cmocka_unit_test(test_scarce_states),
		cmocka_unit_test(test_limits_of_scarcity),
		cmocka_unit_test(test_scarce_states_are_marked),
		cmocka_unit_test(test_programs_that_end_in_an_epoch),
		cmocka_unit_test(test_intervals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
