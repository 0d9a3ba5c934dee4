/* Levels: which values a routine sees, and when a HIT has to give them. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/array.h"
#include "tests/helper/random.h"
#include "tests/helper/random_unit.h"
#include "tests/unit/ipu/unit/made_unit.h"

/* IOReg 1 is a level. Routines append what they see of it, as a digit, to a register each: 16 * register + level. */
enum { SEEN_INIT = 10, SEEN_MAIN = 11, SEEN_HANDLER = 12, SEEN_FINISH = 13, SEEN_VALID = 14, SEEN_DATA = 15 };
#define LEVEL 2u

static void append(struct unit_program *p, uint32_t rd, uint32_t csr)
{
	for (int i = 0; i < 4; i++)
		unit_program_put(p, encode_r(OP_REG, 0, 0, rd, rd, rd));
	unit_program_put(p, encode_i(OP_SYSTEM, 2, TEMPORARY, 0, csr));
	unit_program_put(p, encode_r(OP_REG, 0, 0, rd, rd, TEMPORARY));
}

/* Of a long _main, which waits after it has read the level. */
enum { MAIN_CYCLES = 107 };

static struct unit_program program(uint32_t period, bool is_long)
{
	struct unit_program p = {.main = MADE_MAIN, .has_init = true, .has_finish = true, .at = IPU_INIT};
	append(&p, SEEN_INIT, 0xcc1);
	if (period) {
		made_write_csr(&p, 0x803, MADE_HANDLER);
		made_write_csr(&p, 0x802, period);
	}
	unit_program_put(&p, RET);
	p.at = MADE_MAIN;
	append(&p, SEEN_MAIN, 0xcc1);
	if (is_long) {
		unit_program_put(&p, encode_addi(DELAY, 0, 49));
		unit_program_put(&p, encode_addi(DELAY, DELAY, UINT32_MAX));
		unit_program_put(&p, encode_b(1, DELAY, 0, UINT32_MAX - 3));
		unit_program_put(&p, encode_i(OP_SYSTEM, 2, SEEN_VALID, 0, 0x800));
	}
	unit_program_put(&p, RET);
	p.at = MADE_HANDLER;
	append(&p, SEEN_HANDLER, 0xcc1);
	append(&p, SEEN_DATA, 0xcc0);
	unit_program_put(&p, RET);
	p.at = IPU_FINISH;
	append(&p, SEEN_FINISH, 0xcc1);
	unit_program_put(&p, RET);
	return p;
}

static struct made_unit unit_of(struct ipu_unit_config config, const struct unit_program *p)
{
	return made_active_unit(config, unit_program_make(p));
}

static void set_level(struct ipu_unit *u, uint64_t hit_cycle, uint64_t value)
{
	ipu_unit_levels(u, hit_cycle, LEVEL, (uint64_t[NR_IOREGS]){[1] = value});
}

/* _main sees those of its set's cycle; they start nothing, and are in no valid bits. */
static void test_main(void **state)
{
	(void)state;
	struct unit_program p = program(0, true);
	struct made_unit m = unit_of(MADE_CONFIG, &p);
	uint64_t now = ipu_unit_hit_cycle(m.u) + 10;
	set_level(m.u, now, 1);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	made_input(m.u, now + 1, 9); /* set in the cycle before */
	set_level(m.u, now + 2, 2);  /* in the cycle after, while it runs */
	set_level(m.u, now + 300, 3);
	set_level(m.u, now + 301, 4);
	made_input(m.u, now + 301, 9); /* in the same cycle */
	ipu_unit_advance(m.u, now + 600);
	assert_int_equal(made_register(m.u, SEEN_MAIN), 0x14);
	assert_int_equal(made_register(m.u, SEEN_VALID), 1);
	assert_sets(&m, 0, 0, 0, 2, 0);
	made_unit_end(&m);
}

/* A level changes in the cycle before, of and after the period's end. */
static void test_handler(void **state)
{
	(void)state;
	for (uint64_t late = 0; late < 3; late++) {
		struct unit_program p = program(100, false);
		struct made_unit m = unit_of(MADE_CONFIG, &p);
		uint64_t ends = ipu_unit_hit_cycle(m.u) + 100;
		assert_int_equal(ipu_unit_next_look(m.u), ends);
		set_level(m.u, ends - 10, 1);
		set_level(m.u, ends - 1 + late, 2);
		ipu_unit_advance(m.u, ends + 50);
		assert_int_equal(made_register(m.u, SEEN_HANDLER), late < 2 ? 2 : 1);
		assert_int_equal(ipu_unit_next_look(m.u), ends + 100);
		made_unit_end(&m);
	}
}

/* It waits for _main: levels are those of the period's end, of the first where two end; data points are those of the
 * set that was taken last. */
static void test_handler_that_waits(void **state)
{
	(void)state;
	for (uint64_t late = 0; late < 2; late++) {
		struct unit_program p = program(60, true);
		struct made_unit m = unit_of(MADE_CONFIG, &p);
		uint64_t ends = ipu_unit_hit_cycle(m.u) + 60;
		set_level(m.u, ends - 5, 1);
		made_input(m.u, ends - 3, 7);
		set_level(m.u, ends + late, 2);
		for (uint64_t cycle = ends + 2; cycle < ends + MAIN_CYCLES; cycle++) {
			set_level(m.u, cycle, 3);
			assert_int_equal(ipu_unit_counts(m.u).calls_handler, cycle < ends - 3 + MAIN_CYCLES ? 0 : 1);
		}
		ipu_unit_advance(m.u, ends + MAIN_CYCLES);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
		assert_int_equal(ipu_unit_counts(m.u).missed_periods, 1);
		assert_int_equal(made_register(m.u, SEEN_HANDLER), late ? 1 : 2);
		assert_int_equal(made_register(m.u, SEEN_DATA), 7);
		/* What comes next sees the present ones. */
		made_input(m.u, ends + MAIN_CYCLES + 33, 7);
		assert_int_equal(made_register(m.u, SEEN_MAIN), 0x13);
		made_unit_end(&m);
	}
}

/* A level that has its first value after the period's end is 0 for the handler. */
static void test_first_value(void **state)
{
	(void)state;
	struct unit_program p = program(60, true);
	struct made_unit m = unit_of(MADE_CONFIG, &p);
	uint64_t ends = ipu_unit_hit_cycle(m.u) + 60;
	made_input(m.u, ends - 3, 7);
	set_level(m.u, ends + 1, 2);
	ipu_unit_advance(m.u, ends + 130);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 2);
	assert_int_equal(made_register(m.u, SEEN_HANDLER), 0x02);
	made_unit_end(&m);
}

/* The fast buffer keeps levels with their sets. */
static void test_window(void **state)
{
	(void)state;
	struct ipu_unit_config config = MADE_CONFIG;
	config.mismatch = IPU_WINDOW;
	config.mismatch_arg = 4;
	struct unit_program p = program(0, true);
	struct made_unit m = unit_of(config, &p);
	uint64_t now = ipu_unit_hit_cycle(m.u) + 10;
	for (uint64_t i = 0; i < 4; i++) {
		set_level(m.u, now + 2 * i, i + 1);
		made_input(m.u, now + 2 * i, i);
		set_level(m.u, now + 2 * i + 1, 9);
	}
	assert_int_equal(ipu_unit_buffered(m.u), 3);
	assert_int_equal(ipu_unit_next_look(m.u), ipu_unit_hit_cycle(m.u));
	ipu_unit_advance(m.u, now + 1000);
	made_input(m.u, now + 1000, 0);
	assert_int_equal(made_register(m.u, SEEN_MAIN), 0x12349);
	assert_int_equal(ipu_unit_next_look(m.u), UINT64_MAX);
	made_unit_end(&m);
}

/* Each turn of a loop sees those of its set, from the fast buffer as well. */
static void test_loop(void **state)
{
	(void)state;
	for (int windowed = 0; windowed < 2; windowed++) {
		struct ipu_unit_config config = MADE_CONFIG;
		config.mismatch = windowed ? IPU_WINDOW : IPU_EVERY;
		config.mismatch_arg = 3;
		struct unit_program p = {.main = MADE_MAIN, .at = MADE_MAIN};
		unit_program_put(&p, encode_addi(TEMPORARY, 0, 1000));
		unit_program_put(&p, encode_loop(TEMPORARY, 24));
		append(&p, SEEN_MAIN, 0xcc1);
		unit_program_put(&p, RET);
		struct made_unit m = unit_of(config, &p);
		uint64_t now = ipu_unit_hit_cycle(m.u) + 10;
		made_input(m.u, now, 0);
		for (uint64_t i = 0; i < 6; i++) { /* a turn takes 6 cycles */
			uint64_t cycle = now + 20 + (i < 3 && windowed ? i : 20 * i);
			set_level(m.u, cycle, i + 1);
			made_input(m.u, cycle, 0);
		}
		ipu_unit_advance(m.u, now + 1000);
		assert_int_equal(made_register(m.u, SEEN_MAIN), 0x123456);
		made_unit_end(&m);
	}
}

/* A new image sees the levels, which no reset forgets; `finish` that the host starts sees them, too. */
static void test_init_and_finish(void **state)
{
	(void)state;
	struct unit_program p = program(0, false);
	struct made_unit m = made_unit(MADE_CONFIG, unit_program_make(&p));
	set_level(m.u, 3, 1);
	ipu_unit_configure(m.u, 5, m.program);
	assert_int_equal(made_register(m.u, SEEN_INIT), 1);
	set_level(m.u, 100, 2);
	ipu_unit_finalize(m.u, 100);
	assert_int_equal(made_register(m.u, SEEN_FINISH), 2);
	ipu_unit_configure(m.u, 200, m.program);
	assert_int_equal(made_register(m.u, SEEN_INIT), 2);
	made_unit_end(&m);
}

/* `finish` waits for _main, which ends 1 IPU cycle before the level changes, or just then, or after: by the IPU's
 * clock, where the HIT's is slow, too. */
static void test_finish_that_waits(void **state)
{
	static const uint32_t ratios[][2] = {{1000, 1000}, {100, 1000}, {10, 1000}, {2000, 1000}, {1000, 1}};
	(void)state;
	for (size_t r = 0; r < ARRAY_SIZE(ratios); r++) {
		for (uint64_t late = 0; late < 4000 * ratios[r][0] / 1000; late += late < 1000 ? 1 : 7) {
			struct ipu_unit_config config = MADE_CONFIG;
			config.hit_mhz = ratios[r][0];
			config.ipu_mhz = ratios[r][1];
			struct unit_program p = program(0, true);
			struct made_unit m = unit_of(config, &p);
			uint64_t now = ipu_unit_hit_cycle(m.u) + 10;
			set_level(m.u, now, 1);
			made_input(m.u, now, 0);
			ipu_unit_finalize(m.u, now);
			uint64_t ends = ipu_unit_free_at(m.u);
			assert_int_equal(ipu_unit_next_look(m.u), now);
			/* HIT cycle c begins in IPU cycle c * ipu / hit, rounded up. */
			uint64_t change = now + 1 + late;
			uint64_t seen = (change * config.ipu_mhz + config.hit_mhz - 1) / config.hit_mhz;
			uint64_t before = ((change - 1) * config.ipu_mhz + config.hit_mhz - 1) / config.hit_mhz;
			set_level(m.u, change, 2);
			ipu_unit_settle(m.u);
			assert_int_equal(made_register(m.u, SEEN_FINISH), seen > ends || before >= ends ? 1 : 2);
			made_unit_end(&m);
		}
	}
}

/* A HIT that gives its levels only where somebody may look gets the same as one that gives them in every cycle. */

struct hit {
	struct ipu_unit *u;
	uint64_t nr_given;
};

static uint64_t value_in(uint64_t seed, uint64_t cycle, unsigned reg)
{
	uint64_t rng = random_of_index(seed, cycle * NR_IOREGS + reg);
	return next_random(&rng);
}

static void give_levels(struct hit *h, uint64_t seed, uint64_t cycle)
{
	const uint32_t mask = 0x00ff0ff5;
	uint64_t values[NR_IOREGS];
	for (unsigned i = 0; i < NR_IOREGS; i++)
		values[i] = value_in(seed, cycle, i);
	ipu_unit_levels(h->u, cycle, mask, values);
	h->nr_given++;
}

static void call_in_cycle(struct hit *h, uint64_t seed, uint64_t cycle, unsigned what)
{
	uint64_t values[NR_IOREGS];
	for (unsigned i = 0; i < NR_IOREGS; i++)
		values[i] = value_in(~seed, cycle, i);
	if (what == 0)
		ipu_unit_pause(h->u, cycle);
	else if (what < 4)
		ipu_unit_resume(h->u, cycle);
	else if (what == 4)
		ipu_unit_finalize(h->u, cycle);
	else
		ipu_unit_input(h->u, cycle, 0x8000000a, values);
}

static void compare_hits(uint64_t seed, struct hit *hits)
{
	struct ipu_counts a = ipu_unit_counts(hits[0].u), b = ipu_unit_counts(hits[1].u);
	const struct ipu *pa = ipu_unit_processor(hits[0].u), *pb = ipu_unit_processor(hits[1].u);
	struct ipu_packet x, y;
	if (memcmp(&a, &b, sizeof(a)) != 0 || memcmp(pa->scratchpad, pb->scratchpad, sizeof(pa->scratchpad)) != 0)
		fail_msg("seed %" PRIu64 ": counts or scratchpads differ", seed);
	for (unsigned i = 0; i < NR_REGISTERS; i++)
		if (hart_register(&pa->hart, i) != hart_register(&pb->hart, i))
			fail_msg("seed %" PRIu64 ": x%u differs", seed, i);
	while (ipu_unit_take(hits[0].u, &x)) {
		if (!ipu_unit_take(hits[1].u, &y) || x.sent_at != y.sent_at || x.nr_bytes != y.nr_bytes ||
		    memcmp(x.bytes, y.bytes, x.nr_bytes) != 0)
			fail_msg("seed %" PRIu64 ": packets differ", seed);
	}
	assert_int_equal(ipu_unit_status(hits[0].u), ipu_unit_status(hits[1].u));
}

static void test_levels_where_somebody_looks(void **state)
{
	enum { NR_SEEDS = 300, NR_CYCLES = 1500 };
	static const uint64_t densities[] = {3, 20, 200};
	uint64_t nr_given[2] = {0}, nr_handlers = 0;
	(void)state;
	for (uint64_t seed = 0; seed < NR_SEEDS; seed++) {
		uint64_t rng = random_of_index(37, seed),
			 density = densities[next_random(&rng) % ARRAY_SIZE(densities)];
		struct sahm_err err;
		struct ipu_unit_config config = random_unit_config(&rng);
		struct ipu_program *p = random_unit_program(&rng, seed % 4 > 0, false);
		struct hit hits[2] = {0};
		if (tested_engine == HART_JIT)
			ipu_program_translate(p, &host_translator);
		for (unsigned i = 0; i < 2; i++) {
			assert_int_equal(ipu_unit_new(&hits[i].u, &config, &err), SAHM_OK);
			give_levels(&hits[i], seed, 0);
			ipu_unit_configure(hits[i].u, 0, p);
			ipu_unit_resume(hits[i].u, 0);
		}
		for (uint64_t cycle = 1; cycle <= NR_CYCLES; cycle++) {
			unsigned what = (unsigned)between(&rng, 0, one_in(&rng, 10) ? 40 : 4);
			bool calls = cycle == NR_CYCLES || one_in(&rng, density);
			what = what <= 4 && one_in(&rng, 2) ? 5 : what;
			for (unsigned i = 0; i < 2; i++) {
				if (i == 0 || calls || ipu_unit_next_look(hits[i].u) <= cycle)
					give_levels(&hits[i], seed, cycle);
				if (calls)
					call_in_cycle(&hits[i], seed, cycle, what);
			}
		}
		compare_hits(seed, hits);
		nr_handlers += ipu_unit_counts(hits[0].u).calls_handler;
		for (unsigned i = 0; i < 2; i++) {
			nr_given[i] += hits[i].nr_given;
			ipu_unit_free(hits[i].u);
		}
		ipu_program_free(p);
	}
	assert_true(nr_given[1] < nr_given[0] * 3 / 4 && nr_handlers > NR_SEEDS);
}

TEST_FILE(test_ipu_unit_levels)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_main),
		cmocka_unit_test(test_handler),
		cmocka_unit_test(test_handler_that_waits),
		cmocka_unit_test(test_first_value),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_init_and_finish),
		cmocka_unit_test(test_finish_that_waits),
		cmocka_unit_test(test_levels_where_somebody_looks),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
