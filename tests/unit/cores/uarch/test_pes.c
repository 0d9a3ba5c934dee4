/* Precise event sampling: when samples are taken, what is in them, and what happens as the buffer fills. */
#include <string.h>

#include "tests/unit/cores/uarch/counted_run.h"

#define MEMORY 1024u
#define FP_ADDITION (UINT64_C(1) << 21)
#define DATA_MISS UINT64_C(0x202)
#define MULTIPLY_INTERLOCK (UINT64_C(1) << 17 | 1)

struct sampled {
	struct hpm *h;
	uint8_t memory[MEMORY];
	uint64_t cycle, number;
	unsigned fulls;
	bool empties; /* the handler does */
	bool by_lane; /* boundaries between instructions of a cycle are passed one by one */
	struct signal_cause retired[4];
	struct signal_causes causes;
};

/* Little-endian. */
static uint64_t get(const uint8_t *p, unsigned bytes)
{
	uint64_t value = 0;
	while (bytes-- > 0)
		value = value << 8 | p[bytes];
	return value;
}

/* Of sample i. */
enum field { PC = 0, CYCLE = 8, ADDRESS = 16, COUNTER = 24, FLAGS = 25, SKID = 26, LOST = 28 };

static uint64_t field(const struct sampled *s, unsigned i, enum field field)
{
	static const uint8_t bytes[] = {
		[PC] = 8, [CYCLE] = 8, [ADDRESS] = 8, [COUNTER] = 1, [FLAGS] = 1, [SKID] = 2, [LOST] = 4};
	return get(s->memory + i * PES_SAMPLE_BYTES + field, bytes[field]);
}

static void full(void *user, struct hpm *h)
{
	struct sampled *s = user;
	s->fulls++;
	if (s->empties)
		write_csr(h, CSR_MHPMMOFFSET, 0);
}

/* Counter 3 counts the events of a selector, from 0. The buffer is of `size` bytes, from the start of the memory. */
static void begin(struct sampled *s, uint64_t selector, uint64_t threshold, uint64_t size, unsigned skid)
{
	*s = (struct sampled){.h = counters(FAMILY_U74, HPM_PLAIN, 2), .cycle = 1000};
	struct hpm_sampling sampling = {.memory = s->memory, .bytes = MEMORY, .skid = skid, .full = full, .user = s};
	assert_int_equal(hpm_sample(s->h, &sampling, NULL), SAHM_OK);
	write_csr(s->h, CSR_MHPMEVENT, selector);
	write_csr(s->h, CSR_MHPMMTHRESHOLD, threshold);
	write_csr(s->h, CSR_MHPMMSIZE, size);
}

static uint64_t pc_of(uint64_t number)
{
	return 0x10000 + 4 * number;
}

/* A cycle, or several, in which `nr` instructions retire; lane j is high in `signal` if bit j of `lanes` is set. */
static void pass(struct sampled *s, unsigned nr, enum signal signal, uint64_t lanes, uint64_t cycles)
{
	struct signal_run run = {.first = s->cycle, .nr = cycles, .causes = &s->causes};
	for (unsigned i = 0; i < nr; i++)
		s->retired[i] = (struct signal_cause){.pc = pc_of(s->number + i), .number = s->number + i};
	s->causes.retired = s->retired;
	s->causes.next = (struct signal_cause){.pc = pc_of(s->number + nr), .number = s->number + nr};
	run.lanes[SIGNAL_INSTRUCTION] = (1u << nr) - 1;
	run.lanes[signal] |= lanes;
	for (unsigned i = 0; s->by_lane && i + 1 < nr; i++)
		hpm_run_lanes(s->h, &run, i, i + 1);
	hpm_run_lanes(s->h, &run, s->by_lane && nr > 0 ? nr - 1 : 0, MAX_SIGNAL_LANES);
	s->cycle += cycles;
	s->number += nr;
}

static void expect(const struct sampled *s, uint64_t written, uint64_t lost, uint64_t fulls)
{
	struct pes_totals totals;
	hpm_sample_totals(s->h, &totals);
	assert_int_equal(totals.written, written);
	assert_int_equal(totals.lost, lost);
	assert_int_equal(totals.fulls, fulls);
}

/* The demonstration of paper 003: 15 FP additions, every third is sampled. However many retire in a cycle, the pc is
 * that of the one that reached the threshold. */
static void test_every_third(void **state)
{
	(void)state;
	for (unsigned width = 1; width <= 3; width++) {
		struct sampled s;
		begin(&s, FP_ADDITION, 3, MEMORY, 0);
		for (unsigned left = 15; left > 0;) {
			unsigned nr = left < width ? left : width;
			pass(&s, nr, SIGNAL_FP_ADD, (1u << nr) - 1, 1);
			pass(&s, 1, SIGNAL_LOAD, 1, 1);
			pass(&s, 0, SIGNAL_RECOVERING, 1, 9);
			left -= nr;
		}
		expect(&s, 5, 0, 0);
		for (unsigned i = 0; i < 5; i++) {
			/* Before the n-th addition, from 0, as many loads have retired as groups of additions. */
			unsigned n = 3 * i + 2;
			assert_int_equal(field(&s, i, PC), pc_of(n + n / width));
			assert_int_equal(field(&s, i, CYCLE), 1000 + n / width * 11);
			assert_int_equal(field(&s, i, COUNTER), 3);
			assert_int_equal(field(&s, i, FLAGS), 0);
			assert_int_equal(field(&s, i, LOST), 0);
		}
		assert_int_equal(read_csr(s.h, CSR_MHPMCOUNTER), 0);
		assert_int_equal(read_csr(s.h, CSR_MHPMMOFFSET), 5 * PES_SAMPLE_BYTES);
		hpm_free(s.h);
	}
}

/* Threshold 1 and four at a time: one sample a cycle, the surplus stays, and is sampled when the counter grows again.
 */
static void test_surplus(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, FP_ADDITION, 1, MEMORY, 0);
	pass(&s, 4, SIGNAL_FP_ADD, 0xf, 1);
	expect(&s, 1, 0, 0);
	assert_int_equal(field(&s, 0, PC), pc_of(0));
	assert_int_equal(read_csr(s.h, CSR_MHPMCOUNTER), 3);
	pass(&s, 4, SIGNAL_LOAD, 0xf, 1);
	expect(&s, 1, 0, 0);
	pass(&s, 4, SIGNAL_FP_ADD, 0x4, 1);
	expect(&s, 2, 0, 0);
	assert_int_equal(field(&s, 1, PC), pc_of(8 + 2));
	assert_int_equal(read_csr(s.h, CSR_MHPMCOUNTER), 3);
	/* Inhibited, it does not sample; without a threshold neither. */
	write_csr(s.h, CSR_MCOUNTINHIBIT, 8);
	pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	write_csr(s.h, CSR_MCOUNTINHIBIT, 0);
	write_csr(s.h, CSR_MHPMMTHRESHOLD, 0);
	pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	expect(&s, 2, 0, 0);
	assert_int_equal(read_csr(s.h, CSR_MHPMCOUNTER), 4);
	hpm_free(s.h);
}

/* A stall of 1,000 cycles is one run. The threshold on either side of its end; who waits is the next to retire. */
static void test_long_run(void **state)
{
	(void)state;
	for (uint64_t threshold = 999; threshold <= 1001; threshold++) {
		struct sampled s;
		begin(&s, MULTIPLY_INTERLOCK, threshold, MEMORY, 0);
		pass(&s, 2, SIGNAL_INTERLOCK_MULTIPLY, 0, 5);
		pass(&s, 0, SIGNAL_INTERLOCK_MULTIPLY, 1, 1000);
		expect(&s, threshold <= 1000, 0, 0);
		if (threshold <= 1000) {
			assert_int_equal(field(&s, 0, PC), pc_of(2));
			assert_int_equal(field(&s, 0, CYCLE), 1005 + threshold - 1);
		}
		hpm_free(s.h);
	}
	struct sampled s;
	begin(&s, MULTIPLY_INTERLOCK, 300, MEMORY, 0);
	pass(&s, 0, SIGNAL_INTERLOCK_MULTIPLY, 1, 1000);
	expect(&s, 3, 0, 0);
	assert_int_equal(read_csr(s.h, CSR_MHPMCOUNTER), 100);
	hpm_free(s.h);
}

/* Of an access: pc, address and flags of the oldest instruction that had the event. */
static void test_access(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, DATA_MISS, 1, MEMORY, 0);
	s.causes.of[SIGNAL_DCACHE_MISS] = (struct signal_cause){0x400, 0xabcdef0123456789, 7, true, false};
	pass(&s, 0, SIGNAL_DCACHE_MISS, 1, 1);
	assert_int_equal(field(&s, 0, PC), 0x400);
	assert_int_equal(field(&s, 0, ADDRESS), 0xabcdef0123456789);
	assert_int_equal(field(&s, 0, FLAGS), PES_ADDRESS_VALID);
	/* Of two events in one counter the older instruction; a taken branch without an address. */
	write_csr(s.h, CSR_MHPMEVENT, 1 << 13 | 1 << 14 | 1);
	s.causes.of[SIGNAL_MISPREDICTED_BRANCH] = (struct signal_cause){0x500, 5, 9, false, false};
	s.causes.of[SIGNAL_MISPREDICTED_DIRECT] = (struct signal_cause){0x600, 6, 8, false, true};
	struct signal_run run = {.first = 5, .nr = 1, .causes = &s.causes};
	run.lanes[SIGNAL_MISPREDICTED_BRANCH] = run.lanes[SIGNAL_MISPREDICTED_DIRECT] = 1;
	hpm_run(s.h, &run);
	assert_int_equal(field(&s, 1, PC), 0x600);
	assert_int_equal(field(&s, 1, ADDRESS), 0);
	assert_int_equal(field(&s, 1, FLAGS), PES_TAKEN_BRANCH);
	hpm_free(s.h);
}

/* Two counters reach their thresholds in one cycle: the lower number first. */
static void test_two_counters(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, DATA_MISS, 1, MEMORY, 0);
	write_csr(s.h, CSR_MHPMEVENT + 1, FP_ADDITION);
	write_csr(s.h, CSR_MHPMMTHRESHOLD + 1, 2);
	struct signal_run run = {.first = 5, .nr = 1, .causes = &s.causes};
	struct signal_cause retired[2] = {{.pc = 0x70}, {.pc = 0x74, .number = 1}};
	s.causes.retired = retired;
	s.causes.of[SIGNAL_DCACHE_MISS].pc = 0x99;
	run.lanes[SIGNAL_DCACHE_MISS] = 1;
	run.lanes[SIGNAL_INSTRUCTION] = run.lanes[SIGNAL_FP_ADD] = 3;
	hpm_run(s.h, &run);
	expect(&s, 2, 0, 0);
	assert_int_equal(field(&s, 0, COUNTER), 3);
	assert_int_equal(field(&s, 0, PC), 0x99);
	assert_int_equal(field(&s, 1, COUNTER), 4);
	assert_int_equal(field(&s, 1, PC), 0x74);
	hpm_free(s.h);
}

/* A cycle in two parts is sampled once by each counter. */
static void test_parts_of_a_cycle(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, FP_ADDITION, 1, MEMORY, 0);
	struct signal_run run = {.nr = 1, .causes = &s.causes};
	struct signal_cause retired[4] = {{.pc = 0x70}, {.pc = 0x74}, {.pc = 0x78}, {.pc = 0x7c}};
	s.causes.retired = retired;
	run.lanes[SIGNAL_INSTRUCTION] = 0xf;
	run.lanes[SIGNAL_FP_ADD] = 0xe;
	hpm_run_lanes(s.h, &run, 0, 1);
	expect(&s, 0, 0, 0);
	hpm_run_lanes(s.h, &run, 1, 3);
	expect(&s, 1, 0, 0);
	assert_int_equal(field(&s, 0, PC), 0x74);
	hpm_run_lanes(s.h, &run, 3, 4);
	expect(&s, 1, 0, 0);
	assert_int_equal(read_csr(s.h, CSR_MHPMCOUNTER), 2);
	hpm_free(s.h);
}

/* One FP addition a cycle, sampled each, in buffers around one and two samples. Full is raised once, and the rest is
 * lost. */
static void test_sizes(void **state)
{
	(void)state;
	static const struct {
		uint64_t size, written;
	} sizes[] = {{0, 0}, {31, 0}, {32, 1}, {33, 1}, {63, 1}, {64, 2}, {MEMORY + 100, MEMORY / 32}};
	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		struct sampled s;
		begin(&s, FP_ADDITION, 1, sizes[k].size, 0);
		for (unsigned i = 0; i < MEMORY / 32 + 3; i++)
			pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
		expect(&s, sizes[k].written, MEMORY / 32 + 3 - sizes[k].written, 1);
		assert_int_equal(s.fulls, 1);
		assert_int_equal(read_csr(s.h, CSR_MHPMMOFFSET), 32 * sizes[k].written);
		hpm_free(s.h);
	}
}

/* The handler empties a buffer of one sample each time: none is lost. */
static void test_handler(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, FP_ADDITION, 2, 40, 0);
	s.empties = true;
	for (unsigned i = 0; i < 10; i++) {
		pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
		if (i % 2 == 1)
			assert_int_equal(field(&s, 0, PC), pc_of(i));
	}
	expect(&s, 5, 0, 5);
	assert_int_equal(s.fulls, 5);
	hpm_free(s.h);
}

/* Software sets the offset back in the middle: what was lost is counted in the next sample, and full is raised again.
 */
static void test_offset_set_back(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, FP_ADDITION, 1, 96, 0);
	for (unsigned i = 0; i < 5; i++)
		pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	expect(&s, 3, 2, 1);
	write_csr(s.h, CSR_MHPMMOFFSET, 32);
	for (unsigned i = 0; i < 3; i++)
		pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	expect(&s, 5, 3, 2);
	static const unsigned number[] = {0, 5, 6}, lost[] = {0, 2, 0};
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(field(&s, i, PC), pc_of(number[i]));
		assert_int_equal(field(&s, i, LOST), lost[i]);
	}
	/* An offset without room raises nothing again. */
	write_csr(s.h, CSR_MHPMMOFFSET, 65);
	pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	expect(&s, 5, 4, 2);
	hpm_free(s.h);
}

/* Samples go to mapped + offset, and nothing else is written. */
static void test_mapped(void **state)
{
	(void)state;
	struct sampled s;
	uint8_t untouched[MEMORY];
	begin(&s, FP_ADDITION, 1, 40, 0);
	memset(s.memory, 0xee, MEMORY);
	memset(untouched, 0xee, MEMORY);
	write_csr(s.h, CSR_MHPMMAPPED, 101);
	for (unsigned i = 0; i < 3; i++)
		pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	assert_int_equal(get(s.memory + 101, 8), pc_of(0));
	memcpy(untouched + 101, s.memory + 101, 32);
	assert_memory_equal(s.memory, untouched, MEMORY);
	hpm_free(s.h);
}

/* No number in a register makes a sample leave the memory. */
static void test_any_window(void **state)
{
	(void)state;
	static const uint64_t values[] = {
		0,	    1,		MEMORY - 32,	 MEMORY - 31,	  MEMORY,
		UINT32_MAX, UINT64_MAX, UINT64_MAX - 31, UINT64_MAX - 32, 1 - (uint64_t)MEMORY};
	for (size_t m = 0; m < ARRAY_SIZE(values); m++)
		for (size_t z = 0; z < ARRAY_SIZE(values); z++)
			for (size_t o = 0; o < ARRAY_SIZE(values); o++) {
				struct sampled s;
				struct pes_totals totals;
				begin(&s, FP_ADDITION, 1, values[z], (unsigned)(m % 2));
				write_csr(s.h, CSR_MHPMMAPPED, values[m]);
				write_csr(s.h, CSR_MHPMMOFFSET, values[o]);
				pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
				hpm_sample_totals(s.h, &totals);
				bool fits = values[m] <= MEMORY - 32 && values[o] <= MEMORY - 32 - values[m] &&
					    values[z] >= 32 && values[o] <= values[z] - 32;
				assert_int_equal(totals.written, fits);
				hpm_free(s.h);
			}
}

/* The pc of the n-th instruction after it, address and cycle of the event itself; also when a cycle is passed lane by
 * lane. */
static void test_skid(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 6; k++) {
		struct sampled s;
		unsigned skid = 1 + k / 2 * 4;
		begin(&s, FP_ADDITION, 3, MEMORY, skid);
		s.by_lane = k % 2;
		for (unsigned i = 0; i < 15; i++)
			pass(&s, i % 3 + 1, SIGNAL_FP_ADD, 1, 1);
		hpm_finish(s.h);
		expect(&s, 5, 0, 0);
		for (unsigned i = 0; i < 5; i++) {
			/* The third addition of each round of 6 instructions is the fourth of them, from 1. */
			uint64_t number = 6 * i + 3 + skid;
			assert_int_equal(field(&s, i, PC), pc_of(number < s.number ? number : s.number - 1));
			assert_int_equal(field(&s, i, CYCLE), 1000 + 3 * i + 2);
			assert_int_equal(field(&s, i, SKID), skid);
		}
		hpm_free(s.h);
	}
}

/* The cause of a miss after commit retired long ago, and the n-th after it, too; before those that are remembered, the
 * first of them stands in. */
static void test_skid_into_the_past(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, DATA_MISS, 1, MEMORY, 2);
	for (unsigned i = 0; i < 10; i++)
		pass(&s, 3, SIGNAL_STORE, 1, 1);
	s.causes.of[SIGNAL_DCACHE_MISS] = (struct signal_cause){.pc = pc_of(4), .number = 4};
	pass(&s, 1, SIGNAL_DCACHE_MISS, 1, 1);
	assert_int_equal(field(&s, 0, PC), pc_of(6));
	for (unsigned i = 0; i < PES_REMEMBERED; i++)
		pass(&s, 1, SIGNAL_STORE, 1, 1);
	pass(&s, 1, SIGNAL_DCACHE_MISS, 1, 1);
	assert_int_equal(field(&s, 1, PC), pc_of(s.number - 1 - PES_REMEMBERED));
	hpm_free(s.h);
}

/* With a skid, the buffer is full when its sample is written, and the interrupt comes when that has its pc. */
static void test_skid_and_full(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, FP_ADDITION, 1, 32, 2);
	s.empties = true;
	pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	expect(&s, 1, 1, 1);
	assert_int_equal(s.fulls, 0);
	pass(&s, 1, SIGNAL_LOAD, 1, 1);
	assert_int_equal(s.fulls, 1);
	assert_int_equal(field(&s, 0, PC), pc_of(2));
	/* At the end it comes in any case. */
	pass(&s, 1, SIGNAL_FP_ADD, 1, 1);
	assert_int_equal(s.fulls, 1);
	hpm_finish(s.h);
	assert_int_equal(s.fulls, 2);
	assert_int_equal(field(&s, 0, PC), pc_of(3));
	hpm_free(s.h);
}

/* Nothing retires while the buffer fills: the interrupt waits for a boundary. */
static void test_boundary(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, MULTIPLY_INTERLOCK, 1, 64, 0);
	s.empties = true;
	pass(&s, 0, SIGNAL_INTERLOCK_MULTIPLY, 1, 10);
	expect(&s, 2, 8, 1);
	assert_int_equal(s.fulls, 0);
	pass(&s, 1, SIGNAL_INTERLOCK_MULTIPLY, 0, 1);
	assert_int_equal(s.fulls, 1);
	pass(&s, 0, SIGNAL_INTERLOCK_MULTIPLY, 1, 1);
	assert_int_equal(field(&s, 0, LOST), 8);
	hpm_free(s.h);
}

/* Runs without causes have samples without pcs. */
static void test_no_causes(void **state)
{
	(void)state;
	struct sampled s;
	begin(&s, DATA_MISS, 4, MEMORY, 1);
	struct signal_run run = {.first = 20, .nr = 10};
	run.lanes[SIGNAL_DCACHE_MISS] = run.lanes[SIGNAL_INSTRUCTION] = 1;
	hpm_run(s.h, &run);
	hpm_finish(s.h);
	expect(&s, 2, 0, 0);
	assert_int_equal(field(&s, 1, PC), 0);
	assert_int_equal(field(&s, 1, CYCLE), 27);
	hpm_free(s.h);
}

TEST_FILE(test_pes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_third),
		cmocka_unit_test(test_surplus),
		cmocka_unit_test(test_long_run),
		cmocka_unit_test(test_access),
		cmocka_unit_test(test_two_counters),
		cmocka_unit_test(test_parts_of_a_cycle),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_handler),
		cmocka_unit_test(test_offset_set_back),
		cmocka_unit_test(test_mapped),
		cmocka_unit_test(test_any_window),
		cmocka_unit_test(test_skid),
		cmocka_unit_test(test_skid_into_the_past),
		cmocka_unit_test(test_skid_and_full),
		cmocka_unit_test(test_boundary),
		cmocka_unit_test(test_no_causes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
