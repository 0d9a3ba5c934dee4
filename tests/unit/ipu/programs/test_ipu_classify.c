/* The classifiers that come with the program: states compared with an independent computation, thread by thread. */
#include "cores/chip/cuts.h"
#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/unit/introspection.h"

__extension__ typedef unsigned __int128 u128;

enum { THREAD = 9 };

/* By component: registers of numerator and denominator. */
static const unsigned numerators[NR_COMPONENTS] = {
	[COMPONENT_BRANCH] = 2, [COMPONENT_L1I] = 3, [COMPONENT_L1D] = 5, [COMPONENT_L2] = 7};
static const unsigned denominators[NR_COMPONENTS] = {
	[COMPONENT_BRANCH] = 1, [COMPONENT_L1I] = 0, [COMPONENT_L1D] = 4, [COMPONENT_L2] = 6};
static const char *const cut_names[NR_COMPONENTS] = {[COMPONENT_BRANCH] = "cut_branch",
						     [COMPONENT_L1I] = "cut_l1i",
						     [COMPONENT_L1D] = "cut_l1d",
						     [COMPONENT_L2] = "cut_l2"};

static void with_cuts(struct introspection *t, const char *program, const uint64_t cuts[NR_COMPONENTS])
{
	char text[NR_COMPONENTS][64];
	const char *settings[NR_COMPONENTS];
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		snprintf(text[c], sizeof(text[c]), "%s=%llu", cut_names[c], (unsigned long long)cuts[c]);
		settings[c] = text[c];
	}
	introspection_new(t, program, "core", settings, NR_COMPONENTS);
}

/* The product of four 32-bit halves is below 2^128, so nothing is lost here. */
static unsigned expected_state(const uint64_t inputs[NR_IOREGS], const uint64_t cuts[NR_COMPONENTS])
{
	unsigned state = 0;
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		uint64_t num = inputs[numerators[c]], den = inputs[denominators[c]];
		if (den != 0 && (u128)num * 1000000000u > (u128)den * cuts[c])
			state |= 1u << c;
	}
	return state;
}

static void must_classify(struct introspection *t, const uint64_t cuts[NR_COMPONENTS])
{
	unsigned nr = t->nr_packets, state = expected_state(t->inputs, cuts);
	introspection_main(t);
	assert_int_equal(t->nr_packets, nr + 1);
	assert_int_equal(t->nr_bytes, 4);
	uint32_t word = packet_number(t, 0, 4);
	if (word != (state | (uint32_t)t->inputs[THREAD] << 8))
		fail_msg("0x%08x, expected state %u: cuts %llu %llu %llu %llu", (unsigned)word, state,
			 (unsigned long long)cuts[0], (unsigned long long)cuts[1], (unsigned long long)cuts[2],
			 (unsigned long long)cuts[3]);
}

static uint64_t random_count(uint64_t *rng)
{
	static const uint64_t edges[] = {0,
					 1,
					 2,
					 UINT32_MAX,
					 UINT64_C(1) << 32,
					 (UINT64_C(1) << 32) + 1,
					 UINT64_MAX,
					 UINT64_MAX - 1,
					 UINT64_C(1) << 63};
	if (one_in(rng, 20))
		return PICK(rng, edges);
	return next_random(rng) >> between(rng, 0, 63);
}

/* What a program runs on mostly: 32 bits, and quotients near the cut, often equal to it. */
static void random_epoch(uint64_t *rng, const uint64_t cuts[NR_COMPONENTS], uint64_t inputs[NR_IOREGS])
{
	bool is_small = !one_in(rng, 4);
	for (unsigned i = 0; i < 9; i++)
		inputs[i] = random_count(rng) >> (is_small ? 32 : 0);
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		uint64_t *num = &inputs[numerators[c]], *den = &inputs[denominators[c]];
		u128 product = (u128)*den * cuts[c];
		if (one_in(rng, 3) || product / 1000000000u >= UINT64_MAX)
			continue;
		if (one_in(rng, 2))
			*den -= *den % 1000;
		*num = (uint64_t)((u128)*den * cuts[c] / 1000000000u);
		*num += one_in(rng, 3) ? 1 : 0;
		*num -= *num > 0 && one_in(rng, 3) ? 1 : 0;
	}
	inputs[THREAD] = next_random(rng) >> between(rng, 32, 63);
}

static void test_classify(void **state)
{
	(void)state;
	static const uint64_t rows[][NR_COMPONENTS] = {
		{10000000, 1000000, 20000000, 100000000},
		{0, 0, 0, 0},
		{1, 1, 1, 1},
		{1000000000, 1000000000, 1000000000, 1000000000},
		{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
		{10000000, UINT64_C(1) << 32, 20000000, 100000000},
		{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
		{UINT64_C(10000000000000), UINT64_C(1000000000000), 0, 3},
	};
	uint64_t rng = 1;
	unsigned nr_equal = 0, nr_states[NR_STATES] = {0};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct introspection t;
		with_cuts(&t, "classify", rows[i]);
		for (unsigned n = 0; n < 20000; n++) {
			random_epoch(&rng, rows[i], t.inputs);
			must_classify(&t, rows[i]);
			nr_states[packet_number(&t, 0, 1) & 15]++;
			for (unsigned c = 0; c < NR_COMPONENTS; c++) {
				uint64_t num = t.inputs[numerators[c]], den = t.inputs[denominators[c]];
				nr_equal += den && num && (u128)num * 1000000000u == (u128)den * rows[i][c];
			}
		}
		introspection_free(&t);
	}
	assert_true(nr_equal > 1000);
	for (unsigned s = 0; s < NR_STATES; s++)
		assert_true(nr_states[s] > 100);
}

/* Without settings: the simulator's default set of cuts, and its own classifier. */
static void test_default_cuts(void **state)
{
	(void)state;
	struct introspection t;
	struct cuts cuts;
	uint64_t rng = 2;
	assert_true(cuts_named(DEFAULT_CUTS, &cuts));
	introspection_new(&t, "classify", "core", NULL, 0);
	for (unsigned n = 0; n < 20000; n++) {
		struct epoch_counts e;
		random_epoch(&rng, cuts.ppb, t.inputs);
		for (unsigned c = 0; c < NR_COUNTERS; c++)
			e.count[c] = t.inputs[c];
		introspection_main(&t);
		assert_int_equal(packet_number(&t, 0, 4), cuts_classify(&cuts, &e) | (uint32_t)t.inputs[THREAD] << 8);
	}
	introspection_free(&t);
}

/* A set takes about 80 cycles where 32 bits do, else some hundreds. */
static void test_cycles(void **state)
{
	(void)state;
	struct introspection t;
	introspection_new(&t, "classify", "core", NULL, 0);
	for (unsigned i = 0; i < 8; i++)
		t.inputs[i] = UINT32_MAX;
	uint64_t before = t.ipu->hart.nr_retired;
	introspection_main(&t);
	assert_in_range(t.ipu->hart.nr_retired - before, 1, 79);
	t.inputs[7] = UINT64_MAX;
	before = t.ipu->hart.nr_retired;
	introspection_main(&t);
	assert_in_range(t.ipu->hart.nr_retired - before, 82, 400);
	introspection_free(&t);
}

/* What classify-ewma says it does, in another way: averages in 2^-8 thousand-millionths. */
struct smoothed {
	bool has_thread;
	uint32_t thread;
	unsigned state, smoothing;
	int64_t average[NR_COMPONENTS], cut[NR_COMPONENTS], enter[NR_COMPONENTS], leave[NR_COMPONENTS];
};

static int64_t scaled(u128 ppb, unsigned permille)
{
	return (int64_t)(ppb * 256 * permille / 1000);
}

static void smoothed_init(struct smoothed *m, const uint64_t cuts[NR_COMPONENTS], unsigned smoothing, unsigned permille)
{
	*m = (struct smoothed){.smoothing = smoothing};
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		m->cut[c] = scaled(cuts[c], 1000);
		m->enter[c] = scaled(cuts[c], 1000 + permille);
		m->leave[c] = scaled(cuts[c], 1000 - permille);
	}
}

/* Division that rounds down, as the arithmetic shift does. */
static int64_t shifted(int64_t value, unsigned by)
{
	int64_t unit = INT64_C(1) << by;
	return value / unit - (value % unit < 0 ? 1 : 0);
}

static unsigned smoothed_state(struct smoothed *m, const uint64_t inputs[NR_IOREGS])
{
	const uint64_t most = UINT64_C(1) << 40;
	bool is_first = !m->has_thread || m->thread != (uint32_t)inputs[THREAD];
	m->has_thread = true;
	m->thread = (uint32_t)inputs[THREAD];
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		uint64_t num = inputs[numerators[c]], den = inputs[denominators[c]];
		u128 q = den ? (u128)num * 1000000000u / den : 0;
		int64_t sample = (int64_t)((q > most ? most : (uint64_t)q) * 256);
		m->average[c] = is_first ? sample : m->average[c] + shifted(sample - m->average[c], m->smoothing);
		if (m->average[c] > (is_first ? m->cut[c] : m->enter[c]))
			m->state |= 1u << c;
		else if (is_first || m->average[c] < m->leave[c])
			m->state &= ~(1u << c);
	}
	return m->state;
}

static void test_ewma(void **state)
{
	(void)state;
	static const uint64_t cuts[] = {10000000, 1000000, 20000000, 100000000};
	static const struct {
		unsigned smoothing, permille;
	} rows[] = {{2, 250}, {0, 0}, {4, 1000}, {16, 10}};
	uint64_t rng = 3;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct introspection t;
		struct smoothed model;
		char one[32], two[48];
		const char *const settings[] = {one, two};
		snprintf(one, sizeof(one), "smoothing=%u", rows[i].smoothing);
		snprintf(two, sizeof(two), "hysteresis_permille=%u", rows[i].permille);
		introspection_new(&t, "classify-ewma", "core", settings, 2);
		smoothed_init(&model, cuts, rows[i].smoothing, rows[i].permille);
		for (unsigned n = 0; n < 10000; n++) {
			uint64_t thread = one_in(&rng, 20) ? between(&rng, 0, 3) : t.inputs[THREAD];
			for (unsigned c = 0; c < NR_COMPONENTS; c++) {
				uint64_t den = one_in(&rng, 30) ? 0 : between(&rng, 1, UINT32_MAX);
				t.inputs[denominators[c]] = den;
				t.inputs[numerators[c]] =
					(uint64_t)((u128)den * between(&rng, 0, 2 * cuts[c]) / 1000000000u);
				if (one_in(&rng, 100))
					t.inputs[numerators[c]] = next_random(&rng) >> 32;
			}
			t.inputs[THREAD] = thread;
			introspection_main(&t);
			assert_int_equal(packet_number(&t, 0, 4),
					 smoothed_state(&model, t.inputs) | (uint32_t)thread << 8);
		}
		introspection_free(&t);
	}
}

/* Counters beyond 32 bits lose only their lower bits. */
static void test_ewma_wide(void **state)
{
	(void)state;
	struct introspection t;
	introspection_new(&t, "classify-ewma", "core", NULL, 0);
	for (unsigned shift = 0; shift <= 44; shift += 4) {
		for (unsigned high = 0; high < NR_STATES; high++) {
			for (unsigned c = 0; c < NR_COMPONENTS; c++) {
				t.inputs[denominators[c]] = UINT64_C(1000000) << shift;
				t.inputs[numerators[c]] = (high & 1u << c ? UINT64_C(200000) : UINT64_C(500)) << shift;
			}
			t.inputs[THREAD]++;
			introspection_main(&t);
			assert_int_equal(packet_number(&t, 0, 4), high | (uint32_t)t.inputs[THREAD] << 8);
		}
	}
	t.inputs[denominators[0]] = 1;
	t.inputs[numerators[0]] = UINT64_MAX;
	t.inputs[THREAD]++;
	introspection_main(&t);
	assert_int_equal(packet_number(&t, 0, 1) & 1, 1);
	introspection_free(&t);
}

TEST_FILE(test_ipu_classify)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classify), cmocka_unit_test(test_default_cuts), cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_ewma),	 cmocka_unit_test(test_ewma_wide),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
