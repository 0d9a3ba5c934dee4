/* Replacement by protecting distance: patterns with known answers, its storage added up by hand, and the slow version
 * in tests/reference. */
#include "cores/uarch/replacement_pdp.h"

#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/reference/refcache.h"
#include "tests/unit/test.h"

#define WAYS 8u
/* Accesses to a sampled set after which a distance is found; a few times over. */
#define LEARNING (4 * PDP_LEARN_PERIOD * PDP_SAMPLE_PERIOD)

static void make(struct cache *c, const struct cache_spec *spec)
{
	struct sahm_err err;
	assert_null(cache_spec_fault(spec));
	assert_int_equal(cache_init(c, spec, &err), SAHM_OK);
}

/* Hits in a set of WAYS ways of each round of `length` lines, after LEARNING accesses. The lines before `nr_again` come
 * in each round, the others never again. */
static unsigned hits_per_round(enum cache_replacement replacement, unsigned length, unsigned nr_again,
			       uint32_t *distance)
{
	struct cache c;
	uint64_t fresh = 1000;
	unsigned hits = 0, rounds = LEARNING / length + 1;
	make(&c, &(struct cache_spec){WAYS * 64, WAYS, 64, replacement});
	for (unsigned round = 0; round < rounds + 10; round++)
		for (unsigned i = 0; i < length; i++) {
			bool hit = cache_access(&c, i < nr_again ? i : fresh++);
			hits += hit && round >= rounds;
		}
	if (distance)
		*distance = pdp_distance(c.pdp);
	cache_release(&c);
	assert_int_equal(hits % 10, 0);
	return hits / 10;
}

/* Loops over more lines than ways: LRU misses all of them. Here the reuse distance is the loop's length, protection
 * keeps all ways but one, and each line that misses takes the place of the one before. What fits stays. */
static void test_loops(void **state)
{
	(void)state;
	for (unsigned length = 1; length <= 3 * WAYS; length++) {
		uint32_t distance;
		unsigned hits = hits_per_round(REPLACE_PDP, length, length, &distance);
		assert_int_equal(hits, length <= WAYS ? length : WAYS - 1);
		assert_int_equal(distance, length <= WAYS ? WAYS : (length + 3) / 4 * 4);
		assert_int_equal(hits_per_round(REPLACE_LRU, length, length, NULL), length <= WAYS ? length : 0);
	}
}

/* Five lines in use and a scan between their uses, which LRU does not survive. */
static void test_scans(void **state)
{
	(void)state;
	for (unsigned length = 12; length <= 40; length += 7) {
		assert_int_equal(hits_per_round(REPLACE_PDP, length, 5, NULL), 5);
		assert_int_equal(hits_per_round(REPLACE_LRU, length, 5, NULL), 0);
	}
}

/* Found of accesses to one set: a line that comes at access n for the first time comes again distances[n % nr] accesses
 * later (0: never), unless another one does there. */
static uint32_t found_distance(const unsigned *distances, unsigned nr)
{
	struct pdp *p = pdp_new(1, WAYS);
	uint64_t line_at[512] = {0}, fresh = 1;
	assert_non_null(p);
	for (unsigned n = 0; n < LEARNING; n++) {
		uint64_t line = line_at[n % ARRAY_SIZE(line_at)];
		line_at[n % ARRAY_SIZE(line_at)] = 0;
		/* A fresh one, if none comes again here. */
		unsigned d = line ? 0 : distances[n % nr];
		line = line ? line : fresh++;
		if (d > 0 && !line_at[(n + d) % ARRAY_SIZE(line_at)])
			line_at[(n + d) % ARRAY_SIZE(line_at)] = line;
		pdp_fill(p, 0, n % WAYS, line);
	}
	uint32_t distance = pdp_distance(p);
	pdp_free(p);
	return distance;
}

/* The distance that has most hits per access that lines are held for. Half of the first uses come again after 10, half
 * after 203: with 12 it has 1/2 / (12/2 + 20/2), with 204 1 / (12/2 + 204/2). Below the number of ways it is that
 * number. Beyond 256, and without any, it stays. */
static void test_distances(void **state)
{
	(void)state;
	static const unsigned near[] = {3}, near_and_far[] = {10, 203}, far[] = {203}, last[] = {256}, beyond[] = {257};
	static const unsigned never[] = {0};
	assert_int_equal(found_distance(near, 1), WAYS);
	assert_int_equal(found_distance(near_and_far, 2), 12);
	assert_int_equal(found_distance(far, 1), 204);
	assert_int_equal(found_distance(last, 1), 256);
	assert_int_equal(found_distance(beyond, 1), WAYS);
	assert_int_equal(found_distance(never, 1), WAYS);
}

/* After how many accesses to the set a line of two can leave; the other one is always younger. */
static unsigned protection_of(unsigned distance, unsigned phase)
{
	struct pdp *p = pdp_new(1, 2);
	unsigned n = 0;
	uint64_t line = 1;
	assert_non_null(p);
	while (n < LEARNING || n % (2 * distance) != phase) {
		/* Every line comes twice, `distance` apart. */
		pdp_fill(p, 0, 0, n / distance % 2 ? line - distance : line);
		n++;
		line++;
	}
	assert_int_equal(pdp_distance(p), (distance + 3) / 4 * 4);
	pdp_hit(p, 0, 1, UINT64_MAX);
	for (n = 0; pdp_victim(p, 0) != 1 && n < 1000; n++)
		pdp_hit(p, 0, 0, UINT64_MAX - 1);
	pdp_free(p);
	return n;
}

/* A line is protected for the distance, at most two steps of distance / 14 longer. */
static void test_protection(void **state)
{
	(void)state;
	static const unsigned distances[] = {4, 12, 16, 40, 100, 256};
	for (size_t i = 0; i < ARRAY_SIZE(distances); i++)
		for (unsigned phase = 0; phase < 8; phase++) {
			unsigned n = protection_of(distances[i], phase), step = (distances[i] + 13) / 14;
			if (n < distances[i] || n > distances[i] + (step > 1 ? 2 * step : 0))
				fail_msg("distance %u: %u", distances[i], n);
		}
}

static void test_storage(void **state)
{
	(void)state;
	/* Sets: 4 lines of 4 + 1 bits, a clock to 19. Sampled ones: 32 tags of 16 bits with a valid bit, the place of
	 * 256. Counters: 64 to 2 x 64 x 32 uses, 2 x 256 entries, 256 since the last time; the distance. */
	assert_int_equal(pdp_bits(128, 4), 128 * (4 * 5 + 5) + 64 * (32 * 17 + 8) + 64 * 12 + 9 + 8 + 7);
	assert_int_equal(pdp_bits(1, 16), 16 * 5 + 5 + 32 * 17 + 8 + 64 * 6 + 9 + 8 + 7);
}

/* Long enough for several distances; of a large cache, a few sets are used. */
static void compare_with_reference(uint64_t *rng, unsigned round)
{
	enum { NR_ACCESSES = 9000 };
	struct cache_spec spec = {.ways = (uint32_t)between(rng, 1, 6), .line_bytes = 64, .replacement = REPLACE_PDP};
	unsigned set_bits = round % 2 ? 8 : 0;
	spec.bytes = spec.ways * spec.line_bytes << set_bits;
	struct refcache *slow = refcache_new(&spec, NR_ACCESSES);
	struct cache c;
	uint64_t at = 0, loop = between(rng, 2, 40);
	assert_non_null(slow);
	make(&c, &spec);
	for (unsigned i = 0; i < NR_ACCESSES; i++) {
		/* A loop, at times of another length or left for a while; tags repeat after 2^16. */
		if (one_in(rng, 500))
			loop = between(rng, 2, 80);
		at = one_in(rng, 10) ? between(rng, 0, UINT32_MAX) : (at & UINT16_MAX) % loop + 1;
		uint64_t set = one_in(rng, 6) ? 2 : 4 * between(rng, 0, 1),
			 line = at << set_bits | (set_bits ? set : 0);
		if (cache_access(&c, line) != refcache_access(slow, line * 64))
			fail_msg("cache %u, access %u", round, i);
	}
	cache_release(&c);
	refcache_free(slow);
}

static void test_reference(void **state)
{
	(void)state;
	uint64_t rng = 17;
	for (unsigned i = 0; i < 12; i++)
		compare_with_reference(&rng, i);
}

TEST_FILE(test_replacement_pdp)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loops),	   cmocka_unit_test(test_scans),   cmocka_unit_test(test_distances),
		cmocka_unit_test(test_protection), cmocka_unit_test(test_storage), cmocka_unit_test(test_reference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
