/* The classifier against the reference's, on random counts at and around the cuts: every state must be the same. */
#include <inttypes.h>
#include <stdlib.h>

#include "cores/chip/cuts.h"
#include "tests/helper/environment.h"
#include "tests/reference/refsim.h"
#include "tests/unit/test.h"

#define NR_EPOCHS 1000000u
#define PPB_PER_ONE 1000000000u

__extension__ typedef unsigned __int128 wide;

static const struct {
	const char *name;
	long long ppb[NR_COMPONENTS];
} sets[] = {
	{"p25", {300000, 4000, 5000000, 36400000}},
	{"p50", {3400000, 9000, 9900000, 184700000}},
	{"intuitive", {10000000, 1000000, 20000000, 100000000}},
};

#define NR_SETS ARRAY_SIZE(sets)

/* Counters in the order of the reference, and which of them make the metric of each component. */
static const enum counter order[8] = {
	COUNTER_INSTRUCTIONS, COUNTER_BRANCHES,	  COUNTER_BRANCH_MISSES, COUNTER_L1I_MISSES,
	COUNTER_L1D_ACCESSES, COUNTER_L1D_MISSES, COUNTER_L2_ACCESSES,	 COUNTER_L2_MISSES,
};
static const int numerators[NR_COMPONENTS] = {2, 3, 5, 7};
static const int denominators[NR_COMPONENTS] = {1, 0, 4, 6};

/* splitmix64 */
static uint64_t next_random(uint64_t *rng)
{
	uint64_t z = *rng += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Any magnitude: as many bits as a count can have, each number of them equally likely. */
static uint64_t random_count(uint64_t *rng)
{
	uint64_t x = next_random(rng);

	return x >> next_random(rng) % 64;
}

static uint64_t random_denominator(uint64_t *rng)
{
	switch (next_random(rng) % 8) {
	case 0:
		return 0;
	case 1:
		return (UINT64_C(1) << 63) - 2 + next_random(rng) % 5;
	case 2:
		return UINT64_MAX - next_random(rng) % 3;
	case 3:
	case 4: /* the border is a whole number more often */
		return PPB_PER_ONE * (1 + next_random(rng) % 1000);
	case 5:
		return 1000 * (1 + next_random(rng) % 1000000);
	default:
		return random_count(rng);
	}
}

static long long random_cut(uint64_t *rng, long long cut)
{
	switch (next_random(rng) % 8) {
	case 0:
		return 0;
	case 1: /* the largest that the product takes, in the unit in which a cut counts most */
		return (long long)MAX_CUT * 10000000 - (long long)(next_random(rng) % 3);
	case 2:
	case 3:
		return (long long)(random_count(rng) % (PPB_PER_ONE + 1));
	default:
		return cut;
	}
}

/* A numerator near the border that `cut` draws; `on_cut` tells whether it lies on it exactly. */
static uint64_t random_numerator(uint64_t *rng, uint64_t denominator, long long cut, bool *on_cut)
{
	wide product = (wide)denominator * (wide)cut;
	wide border = product / PPB_PER_ONE;

	*on_cut = false;
	switch (next_random(rng) % 6) {
	case 0:
		return random_count(rng);
	case 1:
		return 0;
	case 2:
		border += 1;
		break;
	case 3:
		border -= border > 0;
		break;
	default:
		*on_cut = denominator > 0 && product % PPB_PER_ONE == 0 && border <= UINT64_MAX;
	}
	return border > UINT64_MAX ? UINT64_MAX : (uint64_t)border;
}

static void test_random_epochs(void **state)
{
	uint64_t nr_on_cut = 0;
	uint64_t nr_zero = 0;
	uint64_t nr_states[NR_STATES] = {0};
	uint64_t rng = environment_number("SAHM_AGREE_SEED", 1);

	(void)state;
	for (unsigned i = 0; i < NR_EPOCHS; i++) {
		unsigned long long counts[8];
		long long ppb[NR_COMPONENTS];
		struct cuts cuts;
		struct epoch_counts epoch = {.count = {0}};
		size_t set = next_random(&rng) % NR_SETS;

		for (int c = 0; c < NR_COMPONENTS; c++) {
			bool on_cut;
			ppb[c] = random_cut(&rng, sets[set].ppb[c]);
			cuts.ppb[c] = (uint64_t)ppb[c];
			uint64_t denominator = random_denominator(&rng);
			counts[denominators[c]] = denominator;
			counts[numerators[c]] = random_numerator(&rng, denominator, ppb[c], &on_cut);
			nr_on_cut += on_cut;
			nr_zero += denominator == 0 && counts[numerators[c]] > 0;
		}
		for (int k = 0; k < 8; k++)
			epoch.count[order[k]] = counts[k];
		epoch.count[COUNTER_CYCLES] = random_count(&rng);

		unsigned expected = ref_state(counts, ppb);
		unsigned got = cuts_classify(&cuts, &epoch);
		nr_states[expected]++;
		if (got == expected)
			continue;
		for (int c = 0; c < NR_COMPONENTS; c++)
			print_error("component %d: %llu of %llu, cut %lld ppb\n", c, counts[numerators[c]],
				    counts[denominators[c]], ppb[c]);
		fail_msg("epoch %u: state %u from the product, %u from the reference", i, got, expected);
	}
	assert_true(nr_on_cut > NR_EPOCHS / 10);
	assert_true(nr_zero > NR_EPOCHS / 100);
	for (unsigned s = 0; s < NR_STATES; s++)
		assert_true(nr_states[s] > NR_EPOCHS / 1000);
}

static void test_named_cuts(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_SETS; i++) {
		struct cuts cuts;
		if (!cuts_named(sets[i].name, &cuts))
			fail_msg("no set of cuts '%s'", sets[i].name);
		for (int c = 0; c < NR_COMPONENTS; c++) {
			if (cuts.ppb[c] != (uint64_t)sets[i].ppb[c])
				fail_msg("'%s', component %d: %" PRIu64 " ppb", sets[i].name, c, cuts.ppb[c]);
		}
	}
}

TEST_FILE(test_agree_classify)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_epochs),
		cmocka_unit_test(test_named_cuts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
