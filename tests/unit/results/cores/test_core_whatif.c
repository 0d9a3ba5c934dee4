/* Gains, interactions and Shapley values of what-if, by hand and by their definition. */
#include "results/cores/core_whatif.h"

#include <string.h>

#include "tests/helper/random.h"
#include "tests/unit/test.h"

static struct whatif parts_of(unsigned nr, bool has_shapley)
{
	struct whatif w = {.nr_parts = nr, .has_shapley = has_shapley};
	for (unsigned i = 0; i < nr; i++)
		w.parts[i] = (enum ideal)((IDEAL_WIDTHS + NR_IDEALS - i) % NR_IDEALS); /* widths, queues, ... */
	whatif_choose_sets(&w);
	return w;
}

static void test_sets(void **state)
{
	(void)state;
	static const uint16_t pairs[] = {0, 1, 2, 4, 3, 5, 6}, all[] = {0, 1, 2, 4, 3, 5, 6, 7};
	struct whatif w = parts_of(3, false);
	assert_int_equal(w.nr_sets, ARRAY_SIZE(pairs));
	assert_memory_equal(w.sets, pairs, sizeof(pairs));
	assert_int_equal(whatif_ideals(&w, 5), 1u << w.parts[0] | 1u << w.parts[2]);
	w = parts_of(3, true);
	assert_int_equal(w.nr_sets, ARRAY_SIZE(all));
	assert_memory_equal(w.sets, all, sizeof(all));
	w = parts_of(1, false);
	assert_int_equal(w.nr_sets, 2);
	w = parts_of(MAX_WHATIF_PARTS, false);
	assert_int_equal(w.nr_sets, 1 + 8 + 28);
	w = parts_of(MAX_WHATIF_PARTS, true);
	assert_int_equal(w.nr_sets, MAX_WHATIF_SUBSETS);
}

/* 100 cycles. The first part saves 10, the second 20, both 45: 15 of them only together, half of which is each one's.
 */
static void test_two(void **state)
{
	(void)state;
	const struct whatif w = parts_of(2, true);
	const struct whatif_result r = {.cycles = {100, 90, 80, 55}};
	struct whatif_share shares[2];
	assert_int_equal(whatif_gain(&r, 1), 10);
	assert_int_equal(whatif_gain(&r, 3), 45);
	assert_int_equal(whatif_interaction(&r, 0, 1), 15);
	assert_int_equal(whatif_interaction(&r, 1, 0), 15);
	whatif_shapley(&w, &r, shares);
	assert_int_equal(shares[0].numerator, 35); /* of 2 */
	assert_int_equal(shares[1].numerator, 55);
	assert_int_equal(shares[0].cycles, 18);
	assert_int_equal(shares[1].cycles, 27);
}

/* Parts that save the same cycles share them; one that costs cycles has a share below 0, also when it is rounded. */
static void test_three(void **state)
{
	(void)state;
	const struct whatif w = parts_of(3, true);
	struct whatif_result r = {.cycles = {50, 40, 40, 40, 51, 41, 41, 41}};
	struct whatif_share shares[3];
	whatif_shapley(&w, &r, shares);
	assert_int_equal(shares[0].cycles, 5);
	assert_int_equal(shares[1].cycles, 5);
	assert_int_equal(shares[2].cycles, -1);
	/* One cycle, saved by all three only: a third each, which the first one gets. */
	r = (struct whatif_result){.cycles = {9, 9, 9, 9, 9, 9, 9, 8}};
	whatif_shapley(&w, &r, shares);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(shares[i].numerator, 2); /* of 6 */
		assert_int_equal(shares[i].cycles, i == 0);
	}
	/* The same cycle lost. */
	r.cycles[7] = 10;
	whatif_shapley(&w, &r, shares);
	assert_int_equal(shares[0].cycles + shares[1].cycles + shares[2].cycles, -1);
}

/* What part `part` saves when its turn comes, over all orders of the parts in `left` after `set`. */
static int64_t over_orders(const struct whatif_result *r, unsigned part, unsigned set, unsigned left)
{
	int64_t sum = 0;
	if (left == 0)
		return 0;
	for (unsigned i = 0; left >> i; i++) {
		if (!(left >> i & 1))
			continue;
		int64_t nr_orders = 1;
		for (unsigned k = 2; k < (unsigned)__builtin_popcount(left); k++)
			nr_orders *= k;
		if (i == part)
			sum += nr_orders * (int64_t)(r->cycles[set] - r->cycles[set | 1u << i]);
		else
			sum += over_orders(r, part, set | 1u << i, left & ~(1u << i));
	}
	return sum;
}

/* Random cycles, also such that ideal parts cost some: every order is tried. The sums are exact. */
static void test_orders(void **state)
{
	(void)state;
	for (unsigned nr = 1; nr <= 6; nr++)
		for (unsigned round = 0; round < 20; round++) {
			const struct whatif w = parts_of(nr, true);
			uint64_t rng = random_of_index(nr, round);
			struct whatif_result r = {0};
			struct whatif_share shares[MAX_WHATIF_PARTS];
			int64_t sum = 0, denominator = 1, numerators = 0;
			for (unsigned set = 0; set < 1u << nr; set++)
				r.cycles[set] = between(&rng, 1000, round < 10 ? 1010 : 2000000000);
			whatif_shapley(&w, &r, shares);
			for (unsigned i = 0; i < nr; i++) {
				denominator *= i + 1;
				sum += shares[i].cycles;
				numerators += shares[i].numerator;
				assert_int_equal(shares[i].numerator, over_orders(&r, i, 0, (1u << nr) - 1));
			}
			assert_int_equal(sum, whatif_gain(&r, (1u << nr) - 1));
			assert_int_equal(numerators, sum * denominator);
			for (unsigned i = 0; i < nr; i++)
				assert_true(llabs(shares[i].numerator - shares[i].cycles * denominator) < denominator);
		}
}

/* The sums of several streams are those of their rows, Shapley values included. */
static void test_csv(void **state)
{
	(void)state;
	static const struct core_model model;
	struct whatif w = parts_of(2, true);
	static const struct whatif_result results[] = {
		{.stream = "a", .instructions = 10, .cycles = {100, 90, 80, 55}},
		{.stream = "b", .instructions = 20, .cycles = {200, 201, 200, 190}},
	};
	struct textbuf out;
	w.core = "core";
	w.model = &model;
	w.config_hash = "hash";
	textbuf_init(&out);
	whatif_csv(&w, results, ARRAY_SIZE(results), &out);
	assert_string_equal(out.text, "stream,core,config_hash,sampled_epochs,ideal,instructions,cycles,gain_cycles,"
				      "interaction_cycles,shapley_cycles\n"
				      "a,core,hash,\"\",\"\",10,100,0,\"\",\"\"\n"
				      "a,core,hash,\"\",widths,10,90,10,\"\",18\n"
				      "a,core,hash,\"\",queues,10,80,20,\"\",27\n"
				      "a,core,hash,\"\",widths+queues,10,55,45,15,\"\"\n"
				      "b,core,hash,\"\",\"\",20,200,0,\"\",\"\"\n"
				      "b,core,hash,\"\",widths,20,201,-1,\"\",5\n"
				      "b,core,hash,\"\",queues,20,200,0,\"\",5\n"
				      "b,core,hash,\"\",widths+queues,20,190,10,11,\"\"\n"
				      "\"\",core,hash,\"\",\"\",30,300,0,\"\",\"\"\n"
				      "\"\",core,hash,\"\",widths,30,291,9,\"\",23\n"
				      "\"\",core,hash,\"\",queues,30,280,20,\"\",32\n"
				      "\"\",core,hash,\"\",widths+queues,30,245,55,26,\"\"\n");
	textbuf_release(&out);
}

TEST_FILE(test_core_whatif)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),   cmocka_unit_test(test_two), cmocka_unit_test(test_three),
		cmocka_unit_test(test_orders), cmocka_unit_test(test_csv),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
