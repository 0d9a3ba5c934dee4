/* Caches against what can be said of an access pattern beforehand, and against a slow model over random accesses. */
#include "cores/uarch/cache.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/reference/refcache.h"
#include "tests/unit/cores/uarch/made_cpu.h"

static void make(struct cache *c, const struct cache_spec *spec)
{
	struct sahm_err err;
	if (cache_spec_fault(spec))
		fail_msg("%s", cache_spec_fault(spec));
	assert_int_equal(cache_init(c, spec, &err), SAHM_OK);
}

/* Whether it missed. */
static bool touch(struct cache *c, uint64_t address)
{
	return !cache_access(c, cache_line(c, address));
}

/* Every cache of every processor that is shipped, and some that nobody builds. */
#define NR_CACHES (3 * NR_SHIPPED_CPUS + 4)

static void caches(struct cache_spec specs[NR_CACHES])
{
	static const struct cache_spec odd[4] = {
		{1024, 1, 64, REPLACE_LRU},	  /* direct-mapped */
		{4096, 64, 64, REPLACE_LRU},	  /* one set */
		{16, 1, 16, REPLACE_LRU},	  /* one line */
		{48 * 1024, 3, 128, REPLACE_LRU}, /* three ways of long lines */
	};
	for (size_t i = 0; i < NR_SHIPPED_CPUS; i++) {
		struct cpu cpu = shipped_cpu(shipped_cpu_names[i]);
		specs[3 * i] = cpu.l1i;
		specs[3 * i + 1] = cpu.l1d;
		specs[3 * i + 2] = cpu.l2;
	}
	for (size_t i = 0; i < 4; i++)
		specs[NR_CACHES - 4 + i] = odd[i];
}

static void test_specs(void **state)
{
	(void)state;
	static const struct {
		struct cache_spec spec;
		const char *fault;
	} rows[] = {
		{{32768, 8, 64, REPLACE_LRU}, NULL},
		{{49152, 12, 64, REPLACE_LRU}, NULL},
		{{1280 * 1024, 10, 64, REPLACE_LRU}, NULL},
		{{16, 1, 16, REPLACE_LRU}, NULL},
		{{MAX_CACHE_BYTES, 64, 4096, REPLACE_LRU}, NULL},
		{{32768, 8, 0, REPLACE_LRU}, "a line is a power of two of bytes, 16 to 4096"},
		{{32768, 8, 8, REPLACE_LRU}, "a line is a power of two of bytes, 16 to 4096"},
		{{32768, 8, 48, REPLACE_LRU}, "a line is a power of two of bytes, 16 to 4096"},
		{{32768, 1, 8192, REPLACE_LRU}, "a line is a power of two of bytes, 16 to 4096"},
		{{32768, 0, 64, REPLACE_LRU}, "ways are 1 to 64"},
		{{32768, 65, 64, REPLACE_LRU}, "ways are 1 to 64"},
		{{0, 8, 64, REPLACE_LRU}, "its size is 1 byte to 1 GiB"},
		{{MAX_CACHE_BYTES + 1, 1, 64, REPLACE_LRU}, "its size is 1 byte to 1 GiB"},
		{{32768 + 64, 8, 64, REPLACE_LRU}, "its size is no multiple of ways times a line"},
		{{256, 8, 64, REPLACE_LRU}, "its size is no multiple of ways times a line"},
		{{3 * 512, 8, 64, REPLACE_LRU}, "its size makes a number of sets that is no power of two"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *fault = cache_spec_fault(&rows[i].spec);
		print_message("%u %u %u\n", rows[i].spec.bytes, rows[i].spec.ways, rows[i].spec.line_bytes);
		assert_int_equal(!fault, !rows[i].fault);
		if (fault)
			assert_string_equal(fault, rows[i].fault);
	}
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	return b ? gcd(b, a % b) : a;
}

/* Sequential accesses by strides, twice over the same range. The first time misses once per line that is touched: a
 * line is touched ceil(line / stride) times in a row where the stride is below a line, once where it is above. The
 * second time: lines are `step` = max(1, stride / line) apart, so that they come to lie in sets / gcd(sets, step) sets,
 * evenly; where these have room for all of them nothing misses, and where they have not every line does, since the same
 * cyclic order under LRU throws each line out before its turn. */
static void test_stride(void **state)
{
	(void)state;
	static const uint64_t strides[] = {8, 64, 128, 4096}, parts[] = {1, 2, 4, 8}; /* range: parts/2 of the cache */
	struct cache_spec specs[NR_CACHES];
	caches(specs);
	for (size_t s = 0; s < NR_CACHES; s++)
		for (size_t i = 0; i < 4; i++)
			for (size_t p = 0; p < 4; p++) {
				uint64_t line = specs[s].line_bytes, sets = specs[s].bytes / line / specs[s].ways;
				uint64_t stride = strides[i], step = stride > line ? stride / line : 1;
				uint64_t used = sets / gcd(sets, step);
				/* Whole rounds of the sets, so that all of them get as many lines. */
				uint64_t rounds = (uint64_t)specs[s].bytes * parts[p] / 2 / (used * step * line);
				uint64_t lines = (rounds ? rounds : 1) * used, misses = 0;
				uint64_t bytes = lines * step * line;
				struct cache c;
				make(&c, &specs[s]);
				for (uint64_t a = 0; a < bytes; a += stride)
					misses += touch(&c, 0x7f0000000000 + a);
				assert_int_equal(misses, lines);
				for (uint64_t a = 0; a < bytes; a += stride)
					misses += touch(&c, 0x7f0000000000 + a);
				assert_int_equal(misses - lines, lines / used <= specs[s].ways ? 0 : lines);
				cache_release(&c);
			}
}

/* A working set of n lines in a row, again and again. Of as many lines as the cache has: no misses. `more` lines more:
 * each of these falls into a separate set, whose ways + 1 lines then miss every time (LRU throws out exactly the line
 * that comes next), the others never. Twice the size: all sets have too many lines, and everything misses. */
static void test_working_set(void **state)
{
	(void)state;
	struct cache_spec specs[NR_CACHES];
	caches(specs);
	for (size_t s = 0; s < NR_CACHES; s++) {
		uint64_t capacity = specs[s].bytes / specs[s].line_bytes, sets = capacity / specs[s].ways;
		uint64_t more[] = {0, 1, sets / 2, sets, capacity};
		for (size_t i = 0; i < 5; i++) {
			uint64_t beyond = more[i], lines = capacity + beyond, misses = 0;
			uint64_t expected = beyond < sets ? beyond * (specs[s].ways + 1) : lines;
			struct cache c;
			make(&c, &specs[s]);
			for (uint64_t l = 0; l < lines; l++)
				misses += !cache_access(&c, l);
			assert_int_equal(misses, lines);
			for (int pass = 0; pass < 3; pass++) {
				misses = 0;
				for (uint64_t l = 0; l < lines; l++)
					misses += !cache_access(&c, l);
				assert_int_equal(misses, expected);
			}
			cache_release(&c);
		}
	}
}

/* next[i]: a permutation of one cycle (S. Sattolo, 1986). */
static uint32_t *one_cycle(uint32_t nr, uint64_t *rng)
{
	uint32_t *next = malloc(nr * sizeof(*next));
	for (uint32_t i = 0; i < nr; i++)
		next[i] = i;
	for (uint32_t i = nr - 1; i > 0; i--) {
		uint32_t j = (uint32_t)between(rng, 0, i - 1), swapped = next[i];
		next[i] = next[j];
		next[j] = swapped;
	}
	return next;
}

/* A pointer chase: one line a node, in an order that is random and the same every time round. As with a working set in
 * order, what counts is how many lines a set has, in whatever order: at most its ways, and nothing misses after the
 * first round; more, and all of them do. Through L1D and then L2 of each processor: L2 is accessed where L1D missed. An
 * L2 after an L1D that all misses of a chase pass through sees the chase itself. */
static void test_pointer_chase(void **state)
{
	(void)state;
	uint64_t rng = 11;
	for (size_t i = 0; i < NR_SHIPPED_CPUS; i++) {
		struct cpu cpu = shipped_cpu(shipped_cpu_names[i]);
		uint32_t l1 = cpu.l1d.bytes / cpu.l1d.line_bytes, l2 = cpu.l2.bytes / cpu.l2.line_bytes;
		const struct {
			uint32_t nodes;
			uint32_t l1_misses, l2_misses; /* of a round */
		} rows[] = {
			{l1 / 2, 0, 0},	     {l1, 0, 0},  {l1 + 1, cpu.l1d.ways + 1, 0},
			{2 * l1, 2 * l1, 0}, {l2, l2, 0}, {2 * l2, 2 * l2, 2 * l2},
		};
		for (size_t r = 0; r < ARRAY_SIZE(rows); r++) {
			uint32_t nodes = rows[r].nodes, at = 0, *next = one_cycle(nodes, &rng);
			struct cache first, second;
			make(&first, &cpu.l1d);
			make(&second, &cpu.l2);
			for (int round = 0; round < 4; round++) {
				uint32_t l1_misses = 0, l2_misses = 0;
				for (uint32_t n = 0; n < nodes; n++, at = next[at]) {
					uint64_t address = 0x5500000000 + (uint64_t)at * cpu.l1d.line_bytes;
					if (!touch(&first, address))
						continue;
					l1_misses++;
					l2_misses += touch(&second, address);
				}
				assert_int_equal(l1_misses, round ? rows[r].l1_misses : nodes);
				assert_int_equal(l2_misses, round ? rows[r].l2_misses : nodes);
			}
			cache_release(&first);
			cache_release(&second);
			free(next);
		}
	}
}

/* Two streams that take turns, each by 8 bytes through separate memory, a multiple of the size of a way apart: both
 * are in the same set at any time. With two ways or more each misses once per line; with one way each throws out the
 * other's line at every access. */
static void test_two_streams(void **state)
{
	(void)state;
	struct cache_spec specs[NR_CACHES];
	caches(specs);
	for (size_t s = 0; s < NR_CACHES; s++) {
		uint64_t apart = (uint64_t)specs[s].bytes * 16, bytes = specs[s].line_bytes * UINT64_C(100), misses = 0;
		struct cache c;
		make(&c, &specs[s]);
		for (uint64_t a = 0; a < bytes; a += 8) {
			misses += touch(&c, a);
			misses += touch(&c, apart + a);
		}
		assert_int_equal(misses, specs[s].ways > 1 ? 2 * 100 : 2 * bytes / 8);
		cache_release(&c);
	}
}

/* Lines of one set in turn: as many as it has ways all stay, one more and none does. */
static void test_conflicts(void **state)
{
	(void)state;
	struct cache_spec specs[NR_CACHES];
	caches(specs);
	for (size_t s = 0; s < NR_CACHES; s++) {
		uint64_t way = specs[s].bytes / specs[s].ways;
		for (uint64_t lines = specs[s].ways; lines <= specs[s].ways + 1; lines++) {
			uint64_t misses = 0;
			struct cache c;
			make(&c, &specs[s]);
			for (uint64_t n = 0; n < 100 * lines; n++)
				misses += touch(&c, 0x12345678 + n % lines * way);
			assert_int_equal(misses, lines == specs[s].ways ? lines : 100 * lines);
			/* Another set has seen nothing of that: its lines are all still to come. */
			if (way > specs[s].line_bytes)
				assert_true(touch(&c, 0x12345678 ^ specs[s].line_bytes));
			cache_release(&c);
		}
	}
}

/* Random accesses over k times the cache, each line as likely as any other. Once its set is full, an access finds
 * `ways` of the k * ways lines that fall into the set, whichever they are: it hits with probability 1/k exactly,
 * independently of all others. Hits are binomial: mean n/k, deviation sqrt(n (1/k) (1 - 1/k)). Allowed are five of
 * these, which one run in a million passes; the seed is fixed. */
static void test_random(void **state)
{
	(void)state;
	static const uint64_t times[] = {2, 3, 8};
	struct cache_spec specs[NR_CACHES];
	uint64_t rng = 5;
	caches(specs);
	for (size_t s = 0; s < NR_CACHES; s++)
		for (size_t i = 0; i < 3; i++) {
			uint64_t k = times[i], lines = specs[s].bytes / specs[s].line_bytes * k, hits = 0;
			const uint64_t n = 200000;
			double chance = 1.0 / (double)k, mean = (double)n * chance;
			struct cache c;
			make(&c, &specs[s]);
			for (uint64_t l = 0; l < lines; l++)
				cache_access(&c, l);
			for (uint64_t j = 0; j < n; j++)
				hits += cache_access(&c, between(&rng, 0, lines - 1));
			assert_true(fabs((double)hits - mean) < 5 * sqrt(mean * (1 - chance)));
			cache_release(&c);
		}
}

/* Mattson's stack property of LRU: with as many sets, what hits in w ways hits in w + 1; and with one set, an access
 * hits if and only if fewer other lines than ways came since its line was last used. */
static void test_stack_property(void **state)
{
	(void)state;
	enum { LINES = 40, ACCESSES = 20000, WAYS = 32 };
	struct cache by_ways[WAYS];
	uint32_t last[LINES] = {0}; /* when; 0: never */
	uint64_t rng = 7, nr_hits[WAYS] = {0};
	for (uint32_t w = 0; w < WAYS; w++)
		make(&by_ways[w], &(struct cache_spec){(w + 1) * 64, w + 1, 64, REPLACE_LRU});
	for (uint32_t now = 1; now <= ACCESSES; now++) {
		uint64_t line = between(&rng, 0, LINES - 1);
		uint32_t distance = 0;
		for (uint32_t l = 0; l < LINES; l++)
			distance += last[l] > last[line];
		for (uint32_t w = 0; w < WAYS; w++) {
			bool hit = cache_access(&by_ways[w], line);
			assert_int_equal(hit, last[line] && distance < w + 1);
			nr_hits[w] += hit;
		}
		last[line] = now;
	}
	for (uint32_t w = 1; w < WAYS; w++)
		assert_true(nr_hits[w] > nr_hits[w - 1]);
	for (uint32_t w = 0; w < WAYS; w++)
		cache_release(&by_ways[w]);
}

/* Straight code in a loop, as L1I sees it: an access per instruction, of instructions that lie in one line. The first
 * round misses once per line; later ones as a working set does, however many instructions a line has. */
static void test_code(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_SHIPPED_CPUS; i++) {
		struct cpu cpu = shipped_cpu(shipped_cpu_names[i]);
		uint64_t line = cpu.l1i.line_bytes;
		static const uint64_t lengths[] = {2, 4, 8};
		for (size_t k = 0; k < 3; k++)
			for (uint64_t beyond = 0; beyond < 2; beyond++) {
				uint64_t bytes = cpu.l1i.bytes + beyond * line, misses = 0;
				struct cache c;
				make(&c, &cpu.l1i);
				for (int round = 0; round < 5; round++)
					for (uint64_t pc = 0; pc < bytes; pc += lengths[k])
						misses += touch(&c, 0x401000 + pc);
				assert_int_equal(misses, bytes / line + beyond * 4 * (cpu.l1i.ways + 1));
				cache_release(&c);
			}
	}
}

/* The end of the address space, and lines that differ only in the highest bit. */
static void test_high_addresses(void **state)
{
	(void)state;
	struct cache c;
	make(&c, &(struct cache_spec){4096, 4, 16, REPLACE_LRU});
	assert_int_equal(cache_line(&c, UINT64_MAX), UINT64_MAX / 16);
	assert_true(touch(&c, UINT64_MAX));
	assert_false(touch(&c, UINT64_MAX - 15));
	assert_true(touch(&c, UINT64_MAX - 16));
	assert_true(touch(&c, UINT64_MAX >> 1));
	assert_false(touch(&c, UINT64_MAX));
	/* Line 0 is a line like the others, not an empty place. */
	assert_true(touch(&c, 0));
	assert_false(touch(&c, 15));
	cache_release(&c);
}

static void test_agrees(void **state)
{
	(void)state;
	static const uint32_t policies[] = {REPLACE_LRU, REPLACE_RRIP, REPLACE_PDP};
	uint64_t rng = 3;
	for (int round = 0; round < 400; round++) {
		struct cache_spec spec = {.ways = (uint32_t)between(&rng, 1, 12),
					  .line_bytes = 16u << between(&rng, 0, 4),
					  .replacement = policies[round % 3]};
		spec.bytes = spec.ways * spec.line_bytes << between(&rng, 0, 4);
		uint64_t near = spec.bytes * between(&rng, 1, 4), at = 0;
		struct refcache *slow = refcache_new(&spec, 2000);
		struct cache c;
		assert_non_null(slow);
		make(&c, &spec);
		for (int i = 0; i < 2000; i++) {
			/* Runs of neighbours, jumps within a little more than the cache, and far ones. */
			switch (between(&rng, 0, 3)) {
			case 0:
				at = between(&rng, 0, near);
				break;
			case 1:
				at = one_in(&rng, 8) ? next_random(&rng) : at;
				break;
			default:
				at += between(&rng, 0, spec.line_bytes);
			}
			assert_int_equal(!touch(&c, at), refcache_access(slow, at));
		}
		cache_release(&c);
		refcache_free(slow);
	}
}

/* A tree over four ways, by hand: each use points the bits on its way elsewhere. */
static void test_plru(void **state)
{
	(void)state;
	struct cache c;
	make(&c, &(struct cache_spec){256, 4, 64, REPLACE_PLRU});
	for (uint64_t line = 1; line <= 4; line++)
		assert_false(cache_access(&c, line));
	/* Way 0 was used longest ago, and the tree points there. A use of it points to the other half: to way 2, since
	 * way 3 was used last there. */
	assert_true(cache_access(&c, 1));
	assert_false(cache_access(&c, 5));
	assert_false(cache_access(&c, 3));
	/* LRU would have evicted line 2 twice; the tree has evicted lines 3 and then 2, beside the recent line 1. */
	assert_true(cache_access(&c, 1));
	assert_true(cache_access(&c, 4));
	assert_true(cache_access(&c, 5));
	assert_false(cache_access(&c, 2));
	cache_release(&c);
}

/* Four ways, by hand: a scan does not evict the lines that were used again. */
static void test_rrip(void **state)
{
	(void)state;
	struct cache c;
	make(&c, &(struct cache_spec){256, 4, 64, REPLACE_RRIP});
	for (uint64_t line = 1; line <= 4; line++)
		assert_false(cache_access(&c, line));
	/* Lines 1 and 2 have the age 0, 3 and 4 the age 2. */
	assert_true(cache_access(&c, 1));
	assert_true(cache_access(&c, 2));
	/* All age by 1 and 3 leaves, the first of age 3; then 4. */
	assert_false(cache_access(&c, 5));
	assert_false(cache_access(&c, 6));
	/* Lines 1 and 2 have the age 1, 5 and 6 the age 2. All age again, and 5 leaves; then 6. */
	assert_false(cache_access(&c, 7));
	assert_false(cache_access(&c, 8));
	/* Now all have the age 2: the first way is that of line 1. */
	assert_false(cache_access(&c, 9));
	assert_true(cache_access(&c, 2));
	assert_true(cache_access(&c, 7));
	assert_true(cache_access(&c, 8));
	assert_false(cache_access(&c, 1));
	cache_release(&c);
}

/* Lines leave at random, and the same ones in each run; what was just used is there. */
static void test_random_replacement(void **state)
{
	(void)state;
	struct cache a, b;
	const struct cache_spec spec = {4096, 8, 64, REPLACE_RANDOM};
	uint64_t rng = 5, hits = 0;
	make(&a, &spec);
	make(&b, &spec);
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t line = between(&rng, 0, 127);
		bool hit = cache_access(&a, line);
		assert_int_equal(cache_access(&b, line), hit);
		assert_true(cache_access(&a, line) && cache_access(&b, line));
		hits += hit;
	}
	/* Half of the lines are in it. */
	assert_in_range(hits, 49000, 51000);
	cache_release(&a);
	cache_release(&b);
}

/* Facts stay with their line through moves, until it leaves. With each policy a line that leaves was in the cache. */
static void test_facts(void **state)
{
	(void)state;
	for (uint32_t policy = 0; policy < NR_REPLACEMENTS; policy++) {
		struct cache c;
		struct sahm_err err;
		struct cache_victim victim;
		bool in_it[64] = {false};
		uint64_t rng = 9;
		assert_int_equal(cache_init_facts(&c, &(struct cache_spec){1024, 4, 64, policy}, 1, &err), SAHM_OK);
		for (unsigned i = 0; i < 20000; i++) {
			uint64_t line = between(&rng, 0, 63), *facts = cache_find(&c, line);
			assert_int_equal(facts != NULL, in_it[line]);
			if (facts) {
				assert_int_equal(*facts, 7 * line);
				assert_ptr_equal(facts, cache_peek(&c, line));
				continue;
			}
			cache_fill(&c, line, 7 * line, &victim);
			in_it[line] = true;
			if (!victim.is_there)
				continue;
			assert_true(in_it[victim.line]);
			assert_int_equal(victim.facts, 7 * victim.line);
			in_it[victim.line] = false;
		}
		cache_release(&c);
	}
}

TEST_FILE(test_cache)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plru),
		cmocka_unit_test(test_rrip),
		cmocka_unit_test(test_random_replacement),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_specs),
		cmocka_unit_test(test_stride),
		cmocka_unit_test(test_working_set),
		cmocka_unit_test(test_pointer_chase),
		cmocka_unit_test(test_two_streams),
		cmocka_unit_test(test_conflicts),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_stack_property),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_high_addresses),
		cmocka_unit_test(test_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
