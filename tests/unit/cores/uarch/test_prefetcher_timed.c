/* Prefetchers that need time, berti and entangling: patterns worked by hand, slow references on random ones, and the
 * same in a functional pass. */
#include "cores/uarch/prefetcher.h"

#include <stdlib.h>
#include <string.h>

#include "cores/uarch/functional_pass.h"
#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/reference/refberti.h"
#include "tests/reference/refentangling.h"
#include "tests/reference/reffirst.h"
#include "tests/unit/made_batch.h"
#include "tests/unit/test.h"

static struct prefetch_request requests[MAX_PREFETCH_REQUESTS];

static struct prefetcher *make(enum prefetcher_kind kind, uint32_t entries)
{
	struct prefetcher *p = prefetcher_new(&(struct prefetcher_spec){.kind = kind, .entries = entries});
	assert_non_null(p);
	return p;
}

/* ---- Berti ---- */

/* A miss of a line of 64 bytes that takes `latency` cycles. */
static unsigned miss(struct prefetcher *p, uint64_t pc, uint64_t line, uint64_t clock, uint16_t latency)
{
	return prefetcher_watch(p,
				&(struct prefetch_trigger){.pc = pc,
							   .address = line * 64,
							   .sight = {.latency = latency, .is_new = true},
							   .clock = clock,
							   .line_shift = 6},
				requests);
}

/* A line every 10 cycles, 3 lines further each time. With a latency of 20, the access before is too late to request
 * this one, and the one before that is just in time: distance 6 is found, and 3 is not. Of 16 searches, distance 6 + 3k
 * is found in 16 - k: up to 11, more than 65 %, it goes into L1D, up to 6, more than 35 %, into L2. Only eight are
 * looked for. With one cycle more, everything is one access later. */
static void test_in_time_and_too_late(void **state)
{
	(void)state;
	for (unsigned late = 0; late <= 1; late++) {
		struct prefetcher *p = make(PREFETCHER_BERTI, 0);
		uint64_t line = 1000;
		unsigned nr = 0, first = 2 + late; /* access with the first search that finds a distance */
		for (unsigned i = 0; i < first + 16; i++, line += 3) {
			assert_int_equal(nr, 0);
			nr = miss(p, 0x400000, line, 10 * i, (uint16_t)(20 + late));
		}
		assert_int_equal(nr, 8);
		for (unsigned k = 0; k < 8; k++) {
			assert_int_equal(requests[k].line, line - 3 + 3 * (first + k));
			assert_int_equal(requests[k].is_beyond, k > 5);
		}
		prefetcher_free(p);
	}
}

/* Eleven steps of 5 lines, then five jumps too far for a distance: distance 5 was found in 11 of 16 searches, 10 in 10
 * and so on: 30 in 6, 35 in 5. Negative steps alike. */
static void test_coverage_limits(void **state)
{
	(void)state;
	for (int step = -5; step <= 5; step += 10) {
		struct prefetcher *p = make(PREFETCHER_BERTI, 0);
		uint64_t line = 1 << 20;
		unsigned nr = miss(p, 0x400000, line, 0, 0);
		for (unsigned i = 0; i < 16; i++) {
			assert_int_equal(nr, 0);
			line += i < 11 ? (uint64_t)step : 5000;
			nr = miss(p, 0x400000, line, 0, 0);
		}
		assert_int_equal(nr, 6);
		for (unsigned k = 0; k < nr; k++) {
			assert_int_equal(requests[k].line, line + (uint64_t)(step * (int)(k + 1)));
			assert_int_equal(requests[k].is_beyond, k > 0);
		}
		prefetcher_free(p);
	}
}

/* Distances of 13 bits with sign, of lines of 24 bits. */
static void test_far_distances(void **state)
{
	(void)state;
	static const struct {
		int64_t step;
		bool is_found;
	} rows[] = {{4095, true}, {4096, false}, {-4096, true}, {-4097, false}, {(1 << 24) + 7, true}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct prefetcher *p = make(PREFETCHER_BERTI, 0);
		uint64_t line = 1 << 28;
		unsigned nr = 0;
		for (unsigned k = 0; k < 17; k++, line += (uint64_t)rows[i].step)
			nr = miss(p, 0x400000, line, 0, 0);
		assert_int_equal(nr > 0, rows[i].is_found);
		prefetcher_free(p);
	}
}

/* Each access to a further line requests, also a hit; one to the same line does not. Others' distances are not a pc's,
 * and the sixteen pcs after it push it out. */
static void test_accesses_that_request(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_BERTI, 0);
	struct prefetch_trigger hit = {.pc = 0x400000, .address = 500 * 64, .clock = 1000, .line_shift = 6};
	for (unsigned i = 0; i < 10 + 16; i++)
		miss(p, 0x400000, 1000 + i, i, 10);
	assert_true(prefetcher_watch(p, &hit, requests) > 0);
	assert_int_equal(requests[0].line, 510);
	assert_int_equal(prefetcher_watch(p, &hit, requests), 0);
	hit.address += 32;
	assert_int_equal(prefetcher_watch(p, &hit, requests), 0);
	hit.address += 32;
	hit.pc += 2;
	assert_int_equal(prefetcher_watch(p, &hit, requests), 0);
	hit.pc -= 2;
	for (unsigned n = 1; n <= 16; n++, hit.address += 64) {
		assert_true(prefetcher_watch(p, &hit, requests) > 0);
		for (unsigned i = 0; i < 2; i++)
			miss(p, 0x400000 + 16 * n, 1000 + i, i, 1);
	}
	assert_int_equal(prefetcher_watch(p, &hit, requests), 0);
	prefetcher_free(p);
}

/* ---- Entangling ---- */

static unsigned fetch(struct prefetcher *p, uint64_t line, uint64_t clock, struct prefetch_sight sight)
{
	return prefetcher_watch(
		p, &(struct prefetch_trigger){.address = line * 64, .sight = sight, .clock = clock, .line_shift = 6},
		requests);
}

static const struct prefetch_sight hit = {.use = USE_OTHER}, missed = {.latency = 10, .is_new = true};

static void assert_requests(unsigned nr, const uint64_t *lines, size_t nr_lines)
{
	assert_int_equal(nr, nr_lines);
	for (size_t i = 0; i < nr_lines; i++)
		assert_int_equal(requests[i].line, lines[i]);
}

#define ASSERT_REQUESTS(nr, ...)                                                                                       \
	assert_requests(nr, (const uint64_t[]){__VA_ARGS__}, ARRAY_SIZE(((const uint64_t[]){__VA_ARGS__})))

/* Ten fetches. Blocks are 100 and 101; 200, 201 and 202; 300. Of 200's miss all heads are younger than the latency of
 * 10: the oldest is its source. Of 300's miss at 14, the head 200 of 4 is just old enough. */
static void test_ten_fetches(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_ENTANGLING, 32);
	static const struct {
		uint64_t line, clock;
	} rows[] = {{100, 0}, {101, 2}, {200, 4}, {201, 6}, {202, 8}, {300, 14}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(fetch(p, rows[i].line, rows[i].clock, missed), 0);
	ASSERT_REQUESTS(fetch(p, 100, 20, hit), 101, 200, 201, 202);
	uint32_t of_100 = requests[0].mark;
	struct prefetch_sight use = {.mark = of_100, .latency = 10, .use = USE_IN_TIME, .is_new = true};
	assert_int_equal(fetch(p, 101, 30, use), 0);
	ASSERT_REQUESTS(fetch(p, 200, 31, use), 201, 202, 300);
	uint32_t of_200 = requests[0].mark;
	assert_int_not_equal(of_100, of_200);
	assert_int_equal(requests[2].mark, of_200);
	/* A late use of 300 leaves confidence 1, and joins it to 100, the youngest head that is 10 old at 35. */
	fetch(p, 300, 35, (struct prefetch_sight){.mark = of_200, .latency = 10, .use = USE_LATE, .is_new = true});
	ASSERT_REQUESTS(fetch(p, 200, 40, hit), 201, 202, 300);
	/* Evicted unused: 200 has no destination any more. */
	prefetcher_evicted(p, 300, of_200);
	ASSERT_REQUESTS(fetch(p, 200, 45, hit), 201, 202);
	ASSERT_REQUESTS(fetch(p, 100, 50, hit), 101, 200, 201, 202, 300);
	prefetcher_free(p);
}

/* Confidence is 2 at first, at most 3, and counts uses of a destination only. Lines that another prefetcher requested
 * have no mark. */
static void test_confidence(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_ENTANGLING, 16);
	fetch(p, 100, 0, missed);
	fetch(p, 200, 20, missed);
	ASSERT_REQUESTS(fetch(p, 100, 30, hit), 200);
	uint32_t mark = requests[0].mark;
	for (unsigned i = 0; i < 3; i++)
		fetch(p, 200, 40, (struct prefetch_sight){.mark = mark, .use = USE_IN_TIME, .is_new = true});
	prefetcher_evicted(p, 201, mark);
	prefetcher_evicted(p, 200, 0);
	for (unsigned i = 0; i < 2; i++)
		prefetcher_evicted(p, 200, mark);
	ASSERT_REQUESTS(fetch(p, 100, 50, hit), 200);
	prefetcher_evicted(p, 200, mark);
	prefetcher_evicted(p, 200, mark);
	assert_int_equal(fetch(p, 100, 60, hit), 0);
	prefetcher_free(p);
}

/* Of a full list, the lowest confidence leaves, then the oldest; a destination that is there does not join again. */
static void test_destinations(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_ENTANGLING, 16);
	uint64_t clock = 0;
	static const uint64_t lines[] = {200, 300, 400, 300, 500};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		fetch(p, 100, clock += 100, hit);
		fetch(p, lines[i], clock += 10, missed);
	}
	ASSERT_REQUESTS(fetch(p, 100, clock += 100, hit), 200, 300, 400, 500);
	prefetcher_evicted(p, 300, requests[0].mark);
	fetch(p, 600, clock += 10, missed);
	ASSERT_REQUESTS(fetch(p, 100, clock += 100, hit), 200, 400, 500, 600);
	fetch(p, 700, clock += 10, missed);
	ASSERT_REQUESTS(fetch(p, 100, clock += 100, hit), 400, 500, 600, 700);
	prefetcher_free(p);
}

/* A block has 16 lines at most, and its size is the largest that it had. Only lines that share the upper bits with the
 * source can be destinations, and a head cannot join itself. */
static void test_blocks(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_ENTANGLING, 16);
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(fetch(p, 100 + i, i, i == 3 ? missed : hit), 0);
	assert_int_equal(fetch(p, 116, 20, hit), 0);
	assert_int_equal(fetch(p, 100, 100, hit), 15);
	assert_int_equal(requests[14].line, 115);
	fetch(p, 1 << 20, 110, missed);
	assert_int_equal(fetch(p, 100, 200, missed), 15);
	assert_int_equal(fetch(p, 100, 300, missed), 15);
	assert_int_equal(fetch(p, 100, 400, missed), 15);
	/* A block whose later lines all hit gets no entry. */
	fetch(p, 500, 500, hit);
	fetch(p, 501, 500, hit);
	fetch(p, 600, 500, hit);
	assert_int_equal(fetch(p, 500, 600, hit), 0);
	prefetcher_free(p);
}

/* Seventeen sources of one set: the least recently used leaves. Sets are the line modulo their number, 3 here. */
static void test_sets(void **state)
{
	(void)state;
	struct prefetcher *p = make(PREFETCHER_ENTANGLING, 48);
	uint64_t clock = 0;
	for (unsigned i = 0; i < 17; i++) {
		fetch(p, 3000 + 30 * i, clock += 100, hit);
		fetch(p, 10000 + 2 * i, clock += 10, missed);
		if (i == 15)
			assert_int_equal(fetch(p, 3000, clock += 10, hit), 1);
	}
	assert_int_equal(fetch(p, 3000, clock += 10, hit), 1);
	assert_int_equal(fetch(p, 3030, clock += 10, hit), 0);
	assert_int_equal(fetch(p, 3060, clock += 10, hit), 1);
	prefetcher_free(p);
}

/* ---- Both ---- */

/* Added up by hand. */
static void test_storage(void **state)
{
	(void)state;
	/* History: 8 sets of 16 times tag 7, line 24, time 16, valid 1, and a pointer of 4. Distances: 16 times pc 10,
	 * valid 1, searches 4, last line 24, and 16 times distance 13, coverage 4, use 2; a pointer of 4. Latencies: 3
	 * registers of 12. L1D of 768 lines: 2 each. */
	assert_int_equal(prefetcher_storage_bits(&(struct prefetcher_spec){.kind = PREFETCHER_BERTI}, 768),
			 8 * (16 * 48 + 4) + 16 * (39 + 16 * 19) + 4 + 36 + 1536);
	/* Entries: valid 1, tag 10, size 4, age 4, and 4 times line 20, confidence 2: 107. History: 16 times line 42,
	 * clock 20, valid 1; a pointer of 4. Block: head 42, size 4, two bits. L1I of 512 lines: 12 each. */
	const struct prefetcher_spec spec = {.kind = PREFETCHER_ENTANGLING, .entries = 3072};
	assert_int_equal(prefetcher_storage_bits(&spec, 512), 3072 * 107 + 16 * 63 + 4 + 48 + 512 * 12);
}

static void compare(const struct prefetch_request *slow, unsigned nr_slow, unsigned nr, uint64_t seed, unsigned n)
{
	if (nr != nr_slow)
		fail_msg("seed %u, access %u: %u requests, not %u", (unsigned)seed, n, nr, nr_slow);
	for (unsigned i = 0; i < nr; i++)
		if (requests[i].line != slow[i].line || requests[i].mark != slow[i].mark ||
		    requests[i].is_beyond != slow[i].is_beyond)
			fail_msg("seed %u, access %u: request %u differs", (unsigned)seed, n, i);
}

/* The latency of a random level. */
static uint16_t draw_latency(uint64_t *rng)
{
	static const uint16_t cycles[] = {0, 10, 65, 270};
	return PICK(rng, cycles);
}

/* Several pcs walk, each in steps that change at times. */
static unsigned compare_berti(uint64_t seed, unsigned nr)
{
	uint64_t rng = seed, at[40], step[40], clock = 0, ns = between(&rng, 1, 40);
	struct prefetcher *p = make(PREFETCHER_BERTI, 0);
	struct refberti *slow = refberti_new(nr);
	struct prefetch_request expected[MAX_PREFETCH_REQUESTS];
	unsigned total = 0;
	assert_non_null(slow);
	for (unsigned i = 0; i < ARRAY_SIZE(at); i++) {
		at[i] = between(&rng, 0, seed % 2 ? 1 << 24 : 3000);
		step[i] = between(&rng, 0, 40) - 10;
	}
	for (unsigned i = 0; i < nr; i++) {
		uint64_t n = between(&rng, 0, ns - 1);
		clock += between(&rng, 0, one_in(&rng, 500) ? 70000 : 30);
		step[n] = one_in(&rng, 60) ? between(&rng, 0, 10000) - 5000 : step[n];
		at[n] += one_in(&rng, 10) ? between(&rng, 0, 3) : step[n];
		struct prefetch_trigger t = {.pc = 0x400000 + n * 6,
					     .address = at[n] << 6,
					     .sight = {.latency = draw_latency(&rng), .is_new = !one_in(&rng, 5)},
					     .clock = clock,
					     .line_shift = 6};
		unsigned got = prefetcher_watch(p, &t, requests);
		compare(expected, refberti_watch(slow, &t, expected), got, seed, i);
		total += got;
	}
	prefetcher_free(p);
	refberti_free(slow);
	return total;
}

/* A line of code: mostly one of a few paths again. */
static uint64_t draw_fetch(uint64_t *rng, uint64_t *path, size_t nr, size_t *at)
{
	if (one_in(rng, 30))
		*at = between(rng, 0, nr - 1);
	if (one_in(rng, 100))
		path[*at] = between(rng, 0, 3000) + (one_in(rng, 4) ? 1 << 20 : 0);
	*at = (*at + 1) % nr;
	return path[*at];
}

static void draw_path(uint64_t *rng, uint64_t *path, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		path[i] = i == 0 || one_in(rng, 3) ? between(rng, 0, 3000) : path[i - 1] + 1;
}

static unsigned compare_entangling(uint64_t seed, unsigned nr)
{
	uint64_t rng = seed, path[200], clock = 0;
	size_t length = between(&rng, 2, ARRAY_SIZE(path)), at = 0;
	struct prefetcher_spec spec = {.kind = PREFETCHER_ENTANGLING, .entries = 16 * (uint32_t)between(&rng, 1, 5)};
	struct prefetcher *p = make(spec.kind, spec.entries);
	struct refentangling *slow = refentangling_new(&spec, nr);
	struct prefetch_request expected[MAX_PREFETCH_REQUESTS];
	unsigned total = 0;
	assert_non_null(slow);
	draw_path(&rng, path, length);
	for (unsigned i = 0; i < nr; i++) {
		clock += between(&rng, 0, one_in(&rng, 500) ? 2000000 : 60);
		struct prefetch_trigger t = {
			.address = draw_fetch(&rng, path, length, &at) << 6,
			.sight = {.latency = draw_latency(&rng), .use = (uint8_t)between(&rng, USE_OTHER, USE_LATE)},
			.clock = clock,
			.line_shift = 6};
		t.sight.is_new = t.sight.use != USE_OTHER || one_in(&rng, 2);
		t.sight.mark = (uint32_t)between(&rng, 0, spec.entries);
		unsigned got = prefetcher_watch(p, &t, requests);
		compare(expected, refentangling_watch(slow, &t, expected), got, seed, i);
		total += got;
		if (got > 0 && one_in(&rng, 3)) {
			const struct prefetch_request *r = &requests[between(&rng, 0, got - 1)];
			prefetcher_evicted(p, r->line, r->mark);
			refentangling_evicted(slow, r->line, r->mark);
		}
	}
	prefetcher_free(p);
	refentangling_free(slow);
	return total;
}

static void test_references(void **state)
{
	(void)state;
	unsigned berti = 0, entangling = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		berti += compare_berti(seed, 1500);
		entangling += compare_entangling(seed, 4000);
	}
	assert_true(berti > 1000 && entangling > 1000);
}

/* ---- In a functional pass ---- */

/* L1 of 16 lines, L2 of 64; TLBs of 2 pages, then 8. */
static struct core_geometry small_geometry(bool is_code)
{
	struct core_geometry g = {
		.l1i = {1024, 4, 64, REPLACE_LRU},
		.l1d = {1024, 4, 64, REPLACE_LRU},
		.l2 = {4096, 4, 64, REPLACE_LRU},
		.itlb = {2, 2},
		.dtlb = {2, 2},
		.second_tlb = {8, 8},
		.predictor = {.kind = PREDICTOR_GSHARE, .base_bits = 4, .return_stack = 2},
		.dram = {2, 1024},
		.clock = {1000, {0, 12, 40, 100}, {0, 10, 40, 90}},
	};
	if (is_code)
		g.l1i_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_ENTANGLING, .entries = 64};
	else
		g.l1d_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_BERTI};
	return g;
}

#define CODE 0x400000u
#define DATA 0x10000000u

static void check_uop(const struct uop *u, const struct uop_prefetch *p, bool is_code, struct reffirst *slow,
		      uint64_t clock, uint64_t seed)
{
	struct reffirst_prefetch expected[MAX_UOP_PREFETCHES];
	unsigned nr = 0;
	uint64_t line = (is_code ? u->pc : u->address) / 64 * 64;
	enum memory_level level = reffirst_access(slow, u->pc, line, clock, expected, &nr);
	if ((is_code ? u->fetch_level : u->level) != level || u->nr_prefetches != nr)
		fail_msg("seed %u, clock %u: level %u, %u prefetches, not %u, %u", (unsigned)seed, (unsigned)clock,
			 is_code ? u->fetch_level : u->level, u->nr_prefetches, level, nr);
	for (unsigned i = 0; i < nr; i++) {
		assert_int_equal(p[i].line, expected[i].address);
		assert_int_equal(p[i].target, expected[i].is_in_l2 ? PREFETCH_L2
					      : is_code		   ? PREFETCH_L1I
								   : PREFETCH_L1D);
		assert_int_equal(p[i].level, expected[i].is_from_memory ? LEVEL_MEMORY : LEVEL_L2);
	}
}

/* Batches of a random program through the pass and the slow one, with a clock that changes. How many prefetches. */
static unsigned compare_pass(bool is_code, uint64_t seed, unsigned nr_batches)
{
	uint64_t rng = seed, path[100], walk[5] = {0}, parts = 0, before = 0;
	size_t length = between(&rng, 30, ARRAY_SIZE(path)), at = 0;
	struct core_geometry g = small_geometry(is_code);
	struct sahm_err err;
	if (seed % 2)
		g.l2_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_NEXT_LINE, .degree = 1};
	struct functional_pass *p = functional_pass_new(&g, &err);
	struct reffirst *slow = reffirst_new(&g, is_code, nr_batches * BATCH_UOPS);
	unsigned total = 0;
	uint32_t cpi = 1000;
	assert_true(p && slow);
	draw_path(&rng, path, length);
	for (unsigned b = 0; b < nr_batches; b++) {
		batch->nr = batch->nr_instructions = 0;
		for (unsigned i = 0; i < 600; i++) {
			unsigned n = (unsigned)between(&rng, 0, ARRAY_SIZE(walk) - 1);
			struct uop *u = batch_add(is_code ? INSN_INTEGER : INSN_LOAD, CODE + 4 * n);
			if (is_code)
				u->pc = CODE + draw_fetch(&rng, path, length, &at) % 4096 * 64;
			walk[n] += one_in(&rng, 20) ? between(&rng, 0, 5000) * 8 : (n + 1) * 40;
			u->address = DATA + n * 0x100000 + walk[n] % 20000 / 8 * 8;
			u->bytes = is_code ? 0 : 8;
		}
		functional_pass_run(p, batch);
		const struct uop_prefetch *next = batch->prefetches;
		for (unsigned i = 0; i < batch->nr; i++) {
			const struct uop *u = &batch->uops[i];
			parts += cpi;
			/* The only line of code. */
			if (!is_code && parts == cpi)
				reffirst_other(slow, CODE);
			if (!is_code || u->pc / 64 != before)
				check_uop(u, next, is_code, slow, parts / 1000, seed);
			before = u->pc / 64;
			next += u->nr_prefetches;
		}
		total += batch->nr_prefetches;
		cpi = (uint32_t)between(&rng, 1, 3000);
		functional_pass_set_clock(p, cpi);
	}
	functional_pass_free(p);
	reffirst_free(slow);
	return total;
}

static void test_pass_reference(void **state)
{
	(void)state;
	unsigned code = 0, data = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		code += compare_pass(true, seed, 5);
		data += compare_pass(false, seed, 2);
	}
	assert_true(code > 1000 && data > 1000);
}

/* Code and data of 12 lines each, again and again. Once they are there, uops are what they are without prefetchers. */
static void test_without_misses(void **state)
{
	(void)state;
	struct core_geometry none = small_geometry(true), with = none;
	static struct uop plain[BATCH_UOPS];
	struct sahm_err err;
	none.l1i_prefetchers[0] = (struct prefetcher_spec){.kind = PREFETCHER_NONE};
	with.l1d_prefetchers[0] = small_geometry(false).l1d_prefetchers[0];
	for (unsigned has = 0; has <= 1; has++) {
		struct functional_pass *p = functional_pass_new(has ? &with : &none, &err);
		assert_non_null(p);
		for (unsigned b = 0; b < 4; b++) {
			batch->nr = batch->nr_instructions = 0;
			for (unsigned i = 0; i < 12 * 16; i++) {
				struct uop *u = batch_add(INSN_LOAD, CODE + 4 * i);
				u->address = DATA + i % 12 * 64;
				u->bytes = 8;
			}
			functional_pass_run(p, batch);
		}
		assert_int_equal(batch->nr_prefetches, 0);
		if (!has)
			memcpy(plain, batch->uops, batch->nr * sizeof(plain[0]));
		else
			assert_memory_equal(plain, batch->uops, batch->nr * sizeof(plain[0]));
		functional_pass_free(p);
	}
}

TEST_FILE(test_prefetcher_timed)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_time_and_too_late),
		cmocka_unit_test(test_coverage_limits),
		cmocka_unit_test(test_far_distances),
		cmocka_unit_test(test_accesses_that_request),
		cmocka_unit_test(test_ten_fetches),
		cmocka_unit_test(test_confidence),
		cmocka_unit_test(test_destinations),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_storage),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_pass_reference),
		cmocka_unit_test(test_without_misses),
	};
	return cmocka_run_group_tests(tests, batch_setup, batch_teardown);
}
