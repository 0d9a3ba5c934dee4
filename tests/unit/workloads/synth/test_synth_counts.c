/* Counts in a stay: levels, jitter, digits, the ends of all ranges. */
#include "sim/base/array.h"
#include "tests/unit/workloads/synth/synth_cases.h"

static double as_double(decimal value)
{
	return (double)value / 1e9;
}

static void test_levels(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum component component;
		bool high;
		double typical, spread, low, top;
	} cases[] = {
		{"LOW", COMPONENT_BRANCH, false, 0.3, 2, 0.15, 0.6},
		{"LOW, up to the cut", COMPONENT_BRANCH, false, 0.8, 2, 0.4, 1},
		{"LOW, at the cut", COMPONENT_BRANCH, false, 1, 4, 0.25, 1},
		{"LOW, nothing", COMPONENT_BRANCH, false, 0, 4, 0, 0},
		{"HIGH", COMPONENT_BRANCH, true, 8, 3, 8.0 / 3, 24},
		{"HIGH, down to the cut", COMPONENT_BRANCH, true, 1.5, 2, 1, 3},
		{"HIGH, up to all", COMPONENT_BRANCH, true, 40, 10, 4, 100},
		{"HIGH, all", COMPONENT_BRANCH, true, 100, 10, 10, 100},
		{"no spread", COMPONENT_BRANCH, true, 8, 1, 8, 8},
		{"MPKI, LOW", COMPONENT_L1I, false, 0.2, 10, 0.02, 1},
		{"MPKI, HIGH", COMPONENT_L1I, true, 12, 4, 3, 48},
		{"MPKI has no 100 %", COMPONENT_L1I, true, 1000, 1000, 1, 1000000},
		{"L1D, LOW", COMPONENT_L1D, false, 1.5, 3, 0.5, 2},
		{"L1D, HIGH", COMPONENT_L1D, true, 5, 2, 2.5, 10},
		{"L2, LOW", COMPONENT_L2, false, 4, 2, 2, 8},
		{"L2, HIGH", COMPONENT_L2, true, 30, 2, 15, 60},
		{"L2, HIGH, both ends", COMPONENT_L2, true, 60, 100, 10, 100},
	};
	const unsigned nr = 20000;
	struct profile p;
	begin(&p);
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct counts counts;
		double low = cases[c].low, typical = cases[c].typical, top = cases[c].top;
		double least = 1e99, most = -1, sum_below = 0, sum_above = 0;
		unsigned nr_below = 0, nr_above = 0;
		set(&p, FEW, profile_metric_column(cases[c].component, cases[c].high), typical);
		set(&p, FEW, PROFILE_SPREAD, cases[c].spread);
		counts_init(&counts, &p, &p.rows[FEW], c);
		for (unsigned i = 0; i < nr; i++) {
			counts_begin_stay(&counts, (unsigned)cases[c].high << cases[c].component);
			double level = as_double(counts.level[cases[c].component]);
			least = fmin(level, least);
			most = fmax(level, most);
			nr_below += level < typical;
			nr_above += level > typical;
			sum_below += level < typical ? level : 0;
			sum_above += level > typical ? level : 0;
		}
		/* To the last of the nine decimals, and reached but for a hundredth of the way. */
		if (least < low - 1.1e-9 || most > top + 1.1e-9 || least > low + (typical - low) / 100 ||
		    most < top - (top - typical) / 100)
			fail_msg("%s: levels from %.10g to %.10g", cases[c].name, least, most);
		double half = nr / 2.0;
		if ((low < typical && fabs(nr_below / half - 1) > 0.03) ||
		    (top > typical && fabs(nr_above / half - 1) > 0.03))
			fail_msg("%s: %u below, %u above", cases[c].name, nr_below, nr_above);
		if ((low < typical && fabs(sum_below / nr_below - (low + typical) / 2) > (typical - low) / 50) ||
		    (top > typical && fabs(sum_above / nr_above - (typical + top) / 2) > (top - typical) / 50))
			fail_msg("%s: uneven", cases[c].name);
		profile_release(&p);
		begin(&p);
	}
	profile_release(&p);
}

static double per(const struct epoch_counts *e, enum counter num, enum counter den)
{
	return (double)e->count[num] / (double)e->count[den];
}

/* Levels are fixed (spread 1): only jitter varies. The parts of each epoch are drawn separately. */
static void test_jitter(void **state)
{
	(void)state;
	static const double jitters[] = {0, 5, 90};
	static const unsigned of_state[] = {LOW, L2 | L1D | L1I | BRANCH};
	for (size_t j = 0; j < ARRAY_SIZE(jitters); j++) {
		for (unsigned s = 0; s < 2; s++) {
			enum { INSTRUCTIONS, BRANCHES, ACCESSES, L2_ACCESSES, BRANCH_M, L1I_M, L1D_M, L2_M, NR };
			const double expected[2][NR] = {
				{250e9, 0.18, 0.35, 1.5, 0.001, 0.0001, 0.002, 0.01},
				{250e9 * 0.9 * 0.9 * 0.9 * 0.9, 0.18, 0.35, 1.5, 0.03, 0.012, 0.05, 0.3},
			};
			double least[NR], most[NR], jitter = jitters[j] / 100;
			struct epoch_counts e;
			struct counts counts;
			struct profile p;
			begin(&p);
			p.digits = 19;
			set(&p, FEW, PROFILE_MINSTR, 250000);
			set(&p, FEW, PROFILE_SPREAD, 1);
			set(&p, FEW, PROFILE_JITTER_PCT, jitters[j]);
			set(&p, FEW, PROFILE_BRANCH_LOW, 0.1);
			set(&p, FEW, PROFILE_L1I_LOW, 0.1);
			set(&p, FEW, PROFILE_L1D_LOW, 0.2);
			set(&p, FEW, PROFILE_L2_LOW, 1);
			counts_init(&counts, &p, &p.rows[FEW], 9);
			counts_begin_stay(&counts, of_state[s]);
			for (unsigned n = 0; n < 5000; n++) {
				counts_next(&counts, &e);
				uint64_t l1 = e.count[COUNTER_L1I_MISSES] + e.count[COUNTER_L1D_MISSES];
				const double got[NR] = {
					(double)e.count[COUNTER_INSTRUCTIONS],
					per(&e, COUNTER_BRANCHES, COUNTER_INSTRUCTIONS),
					per(&e, COUNTER_L1D_ACCESSES, COUNTER_INSTRUCTIONS),
					(double)e.count[COUNTER_L2_ACCESSES] / (double)l1,
					per(&e, COUNTER_BRANCH_MISSES, COUNTER_BRANCHES),
					per(&e, COUNTER_L1I_MISSES, COUNTER_INSTRUCTIONS),
					per(&e, COUNTER_L1D_MISSES, COUNTER_L1D_ACCESSES),
					per(&e, COUNTER_L2_MISSES, COUNTER_L2_ACCESSES),
				};
				for (unsigned i = 0; i < NR; i++) {
					least[i] = n == 0 || got[i] < least[i] ? got[i] : least[i];
					most[i] = n == 0 || got[i] > most[i] ? got[i] : most[i];
				}
			}
			for (unsigned i = 0; i < NR; i++) {
				/* Counts are whole, and instructions are numerous enough that this does not show. */
				double x = expected[s][i], low = x * (1 - jitter), top = x * (1 + jitter);
				double slack = jitter > 0.5 ? 0.05 : 0.004, cut = top;
				/* Jitter ends at the cut, too. */
				if (i >= BRANCH_M)
					cut = cuts_get(&p.cuts, (enum component)(i - BRANCH_M)) /
					      (i == L1I_M ? 1000 : 100);
				if (i >= BRANCH_M && s == 0 && top > cut)
					top = cut;
				if (i >= BRANCH_M && s == 1 && low < cut)
					low = cut;
				if (least[i] < low * (1 - 1e-3) || most[i] > top * (1 + 1e-3) ||
				    least[i] > low + x * slack || most[i] < top - x * slack)
					fail_msg("jitter %g, state %u, value %u: from %g to %g", jitters[j], s, i,
						 least[i], most[i]);
			}
			profile_release(&p);
		}
	}
}

/* Each jitter is drawn separately: the metrics do not go together. */
static void test_jitters_are_apart(void **state)
{
	(void)state;
	const unsigned nr = 4000;
	unsigned together[NR_COMPONENTS][NR_COMPONENTS] = {{0}};
	struct profile p;
	struct counts counts;
	struct epoch_counts e;
	begin(&p);
	p.digits = 19;
	set(&p, FEW, PROFILE_SPREAD, 1);
	counts_init(&counts, &p, &p.rows[FEW], 4);
	counts_begin_stay(&counts, NR_STATES - 1);
	for (unsigned n = 0; n < nr; n++) {
		bool above[NR_COMPONENTS];
		counts_next(&counts, &e);
		for (unsigned m = 0; m < NR_COMPONENTS; m++)
			above[m] = per(&e, metric_rows[m].numerator, metric_rows[m].denominator) *
					   (m == COMPONENT_L1I ? 1000 : 100) >
				   as_double(counts.level[m]);
		for (unsigned a = 0; a < NR_COMPONENTS; a++)
			for (unsigned b = 0; b < a; b++)
				together[a][b] += above[a] == above[b];
	}
	for (unsigned a = 0; a < NR_COMPONENTS; a++)
		for (unsigned b = 0; b < a; b++)
			assert_true(fabs(together[a][b] / (double)nr - 0.5) < 0.04);
	profile_release(&p);
}

static unsigned nr_digits(uint64_t count)
{
	unsigned nr = 0;
	while (count > 0 && count % 10 == 0)
		count /= 10;
	for (; count > 0; count /= 10)
		nr++;
	return nr;
}

/* The most misses that are LOW. */
static uint64_t most_low(const struct cuts *cuts, enum component c, uint64_t denominator)
{
	return (uint64_t)((decimal)denominator * cuts->ppb[c] / PPB_ONE);
}

static void test_digits(void **state)
{
	(void)state;
	static const enum counter free_ones[] = {COUNTER_INSTRUCTIONS, COUNTER_BRANCHES, COUNTER_L1D_ACCESSES,
						 COUNTER_L2_ACCESSES};
	static const unsigned digits[] = {2, 3, 4, 7};
	for (size_t d = 0; d < ARRAY_SIZE(digits); d++) {
		uint64_t nr_forced = 0, nr_of_all = 0;
		struct profile p;
		begin(&p);
		p.digits = digits[d];
		struct made m = make("digits", &p, ALL, 1);
		for (uint64_t e = 0; e < m.nr; e++) {
			const uint64_t *count = m.epochs[e].count;
			for (size_t i = 0; i < 4; i++) {
				assert_true(nr_digits(count[free_ones[i]]) <= digits[d]);
				nr_of_all += nr_digits(count[free_ones[i]]) == digits[d];
			}
			for (unsigned c = 0; c < NR_COMPONENTS; c++) {
				uint64_t misses = count[metric_rows[c].numerator];
				uint64_t denominator = count[metric_rows[c].denominator];
				if (nr_digits(misses) <= digits[d])
					continue;
				nr_forced++;
				uint64_t edge = most_low(&p.cuts, (enum component)c, denominator);
				bool high = ((unsigned)m.states[e] >> c) & 1u;
				assert_true(misses == (high ? edge + 1 : edge));
			}
		}
		/* Most counts use them all. */
		assert_true(nr_of_all > 2 * m.nr);
		assert_true(nr_forced < m.nr / 2);
		unmake(&m);
		profile_release(&p);
	}
}

/* Instructions of an epoch without jitter: the nearest with this number of digits, halves up. */
static void test_rounding(void **state)
{
	(void)state;
	static const struct {
		double minstr;
		unsigned digits;
		uint64_t instructions;
	} cases[] = {
		{0.001, 2, 1000},
		{0.001249, 2, 1200},
		{0.00125, 2, 1300},
		{0.001251, 2, 1300},
		{0.009949, 2, 9900},
		{0.00995, 2, 10000},
		{0.00125, 3, 1250},
		{0.00125, 4, 1250},
		{0.0012345, 19, 1234},
		{12.34567, 3, 12300000},
		{12.35, 3, 12400000},
		{1000000, 2, UINT64_C(1000000000000)},
		{999999, 19, UINT64_C(999999000000)},
	};
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct profile p;
		struct counts counts;
		struct epoch_counts e;
		begin(&p);
		p.digits = cases[c].digits;
		set(&p, FEW, PROFILE_MINSTR, cases[c].minstr);
		set(&p, FEW, PROFILE_JITTER_PCT, 0);
		counts_init(&counts, &p, &p.rows[FEW], 1);
		counts_begin_stay(&counts, LOW);
		counts_next(&counts, &e);
		if (e.count[COUNTER_INSTRUCTIONS] != cases[c].instructions)
			fail_msg("%.9g, %u digits: %" PRIu64, cases[c].minstr, cases[c].digits,
				 e.count[COUNTER_INSTRUCTIONS]);
		profile_release(&p);
	}
}

/* Each stressed component slows down; which one does not matter. */
static void test_slower(void **state)
{
	(void)state;
	static const struct {
		unsigned state;
		uint64_t instructions;
	} cases[] = {
		{LOW, 1000000000},
		{BRANCH, 800000000},
		{L1I, 800000000},
		{L1D, 800000000},
		{L2, 800000000},
		{L2 | BRANCH, 640000000},
		{L1D | L1I, 640000000},
		{L1D | L1I | L2, 512000000},
		{NR_STATES - 1, 409600000},
	};
	struct profile p;
	struct counts counts;
	struct epoch_counts e;
	begin(&p);
	p.digits = 19;
	set(&p, FEW, PROFILE_MINSTR, 1000);
	set(&p, FEW, PROFILE_SLOWER_PCT, 20);
	set(&p, FEW, PROFILE_JITTER_PCT, 0);
	counts_init(&counts, &p, &p.rows[FEW], 1);
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		counts_begin_stay(&counts, cases[c].state);
		counts_next(&counts, &e);
		assert_true(e.count[COUNTER_INSTRUCTIONS] == cases[c].instructions);
	}
	profile_release(&p);
}

/* Values from the ends of their ranges, in all combinations that chance brings: nothing overflows (which the sanitizers
 * would see), nothing contradicts itself, every epoch is in its state (make() looks). */
static void test_extremes(void **state)
{
	(void)state;
	struct rng r;
	rng_init(&r, 1, "test", "extremes");
	for (unsigned n = 0; n < 400; n++) {
		struct profile p;
		begin(&p);
		assert_true(cuts_named(cut_set_names[n % NR_CUT_SETS], &p.cuts));
		p.digits = n % 4 == 0 ? 2 : n % 4 == 1 ? 19 : 3;
		for (unsigned c = 0; c < NR_PROFILE_COLUMNS; c++) {
			decimal min, max;
			const struct profile_column_row *column = &profile_columns[c];
			decimal_read(column->min, strlen(column->min), &min);
			decimal_read(column->max, strlen(column->max), &max);
			/* The first two: all at their minimum, all at their maximum. */
			bool is_max = n < 2 ? n : rng_below(&r, 2);
			p.rows[ALL].value[c] = is_max ? max : min;
		}
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			decimal *low = &p.rows[ALL].value[profile_metric_column((enum component)c, false)];
			decimal *high = &p.rows[ALL].value[profile_metric_column((enum component)c, true)];
			decimal cut = (decimal)p.cuts.ppb[c] * DECIMAL_ONE / metric_rows[c].ppb_per_unit;
			*low = *low > cut ? cut : *low;
			*high = *high <= cut ? cut + 1 : *high;
		}
		if (p.rows[ALL].value[PROFILE_SINGLE_PCT] > 0)
			p.rows[ALL].value[PROFILE_LONG_PCT] = 0;
		set(&p, ALL, PROFILE_EPOCHS, 200);
		char name[32];
		snprintf(name, sizeof(name), "extremes %u", n);
		struct made m = make(name, &p, ALL, n);
		if (n == 0)
			/* The minimum of instructions, and 90 % fewer, four times: at least one is left. */
			assert_true(m.epochs[0].count[COUNTER_INSTRUCTIONS] >= 1);
		unmake(&m);
		profile_release(&p);
	}
}

/* The largest count there is: 1,000 accesses to the L2 for each of 1,000 misses for each of 10^12 instructions. */
static void test_largest(void **state)
{
	(void)state;
	struct profile p;
	struct counts counts;
	struct epoch_counts e;
	begin(&p);
	p.digits = 19;
	set(&p, FEW, PROFILE_MINSTR, 1000000);
	set(&p, FEW, PROFILE_SLOWER_PCT, 0);
	set(&p, FEW, PROFILE_SPREAD, 1);
	set(&p, FEW, PROFILE_L1I_HIGH, 1000);
	set(&p, FEW, PROFILE_L2_PER_MISS, 1000);
	set(&p, FEW, PROFILE_L1D_HIGH, 100);
	set(&p, FEW, PROFILE_L1D_ACCESSES_PKI, 1000);
	set(&p, FEW, PROFILE_JITTER_PCT, 0);
	counts_init(&counts, &p, &p.rows[FEW], 1);
	counts_begin_stay(&counts, NR_STATES - 1);
	counts.level[COMPONENT_L1I] = 1000000 * (decimal)DECIMAL_ONE; /* spread 1,000 */
	counts_next(&counts, &e);
	assert_true(e.count[COUNTER_L1I_MISSES] == UINT64_C(1000000000000000));
	assert_true(e.count[COUNTER_L1D_MISSES] == UINT64_C(1000000000000));
	assert_true(e.count[COUNTER_L2_ACCESSES] == UINT64_C(1001000000000000000));
	set(&p, FEW, PROFILE_JITTER_PCT, 90);
	uint64_t most = 0;
	for (unsigned n = 0; n < 20000; n++) {
		counts_next(&counts, &e);
		uint64_t l1 = e.count[COUNTER_L1I_MISSES] + e.count[COUNTER_L1D_MISSES];
		assert_true((double)e.count[COUNTER_L2_ACCESSES] <= 1900 * (double)l1 * (1 + 1e-12));
		assert_true((double)e.count[COUNTER_L2_ACCESSES] >= 100 * (double)l1 * (1 - 1e-12));
		most = e.count[COUNTER_L2_ACCESSES] > most ? e.count[COUNTER_L2_ACCESSES] : most;
	}
	assert_true(most > UINT64_C(4000000000000000000));
	profile_release(&p);
}

TEST_FILE(test_synth_counts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_jitter),
		cmocka_unit_test(test_jitters_are_apart),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_slower),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_largest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
