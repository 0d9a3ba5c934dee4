/* An IPU's two clocks, and its timer: to the cycle. */
#include "sim/base/array.h"
#include "tests/unit/ipu/unit/made_unit.h"

__extension__ typedef unsigned __int128 wide;

static struct made_unit active(uint32_t hit_mhz, uint32_t ipu_mhz, const struct made_program *p)
{
	struct ipu_unit_config config = MADE_CONFIG;
	config.hit_mhz = hit_mhz;
	config.ipu_mhz = ipu_mhz;
	config.max_cycles = UINT64_MAX;
	return made_active_unit(config, made_unit_program(p));
}

/* The first HIT cycle that the processor sees in this cycle of its clock, from 1 on: all of the one before has passed.
 */
static uint64_t hit_cycle_of(const struct made_unit *m, uint64_t ipu_cycle)
{
	return (uint64_t)((wide)(ipu_cycle - 1) * m->config.hit_mhz / m->config.ipu_mhz) + 1;
}

/* A second set just before, at and after the end of the routine that the first one starts. */
static void check_end(uint32_t hit_mhz, uint32_t ipu_mhz, uint32_t cycles, uint64_t first, int64_t distance)
{
	struct made_program p = {.main = {.cycles = cycles}};
	struct made_unit m = active(hit_mhz, ipu_mhz, &p);
	first += ipu_unit_hit_cycle(m.u);
	uint64_t begin = (uint64_t)(((wide)first * ipu_mhz + hit_mhz - 1) / hit_mhz);
	uint64_t end = hit_cycle_of(&m, begin + cycles);
	made_input(m.u, first, 1);
	assert_status(m.u, IPU_ACTIVE_RUNNING);
	assert_int_equal(ipu_unit_free_at(m.u), begin + cycles);
	made_input(m.u, end + (uint64_t)distance, 2);
	assert_int_equal(ipu_unit_ipu_cycle(m.u), (uint64_t)((wide)(end + (uint64_t)distance) * ipu_mhz / hit_mhz));
	struct ipu_counts c = ipu_unit_counts(m.u);
	assert_int_equal(c.taken, distance < 0 ? 1 : 2);
	assert_int_equal(c.dropped, distance < 0 ? 1 : 0);
	assert_int_equal(ipu_unit_processor(m.u)->hart.inputs[0], distance < 0 ? 1 : 2);
	made_unit_end(&m);
}

static void test_ends_of_routines(void **state)
{
	static const uint32_t ratios[][2] = {{1, 1},	   {3, 2},	 {2, 3},       {8, 5},	   {1, 1000},
					     {1000000, 1}, {3000, 2000}, {2000, 2000}, {999983, 7}};
	static const uint32_t cycles[] = {2, 5, 101, 3001};
	(void)state;
	for (size_t r = 0; r < ARRAY_SIZE(ratios); r++) {
		for (size_t c = 0; c < ARRAY_SIZE(cycles); c++) {
			for (uint64_t first = 0; first < 8; first++) {
				for (int64_t distance = -1; distance <= 1; distance++) {
					check_end(ratios[r][0], ratios[r][1], cycles[c], first, distance);
					check_end(ratios[r][0], ratios[r][1], cycles[c],
						  first + UINT64_C(1000000000000), distance);
				}
			}
		}
	}
}

/* A HIT at 1000 MHz that falls to 500 MHz while a routine of 101 cycles has 51 to go. */
static void test_clock_changes_in_a_routine(void **state)
{
	(void)state;
	for (uint64_t late = 0; late < 2; late++) {
		struct made_program p = {.main = {.cycles = 101}};
		struct made_unit m = active(1000, 1000, &p);
		made_input(m.u, 100, 1);
		ipu_unit_set_hit_mhz(m.u, 150, 500);
		assert_int_equal(ipu_unit_ipu_cycle(m.u), 150);
		made_input(m.u, 175 + late, 2);
		assert_int_equal(ipu_unit_ipu_cycle(m.u), 200 + 2 * late);
		assert_int_equal(ipu_unit_counts(m.u).dropped, 1 - late);
		made_unit_end(&m);
	}
}

/* Of the fraction of a cycle that has passed remains what the new ratio can tell, rounded up. */
static void test_fraction_when_the_clock_changes(void **state)
{
	struct made_unit m = made_unit(MADE_CONFIG, made_unit_program(&(struct made_program){0}));
	(void)state;
	ipu_unit_set_hit_mhz(m.u, 0, 1500);
	ipu_unit_set_hit_mhz(m.u, 1, 4000); /* 2/3, which are 3/4 */
	assert_int_equal(ipu_unit_ipu_cycle(m.u), 0);
	ipu_unit_advance(m.u, 2);
	assert_int_equal(ipu_unit_ipu_cycle(m.u), 1);
	ipu_unit_set_hit_mhz(m.u, 3, 1000); /* 1 1/4, which are 2 */
	assert_int_equal(ipu_unit_ipu_cycle(m.u), 2);
	ipu_unit_advance(m.u, 4);
	assert_int_equal(ipu_unit_ipu_cycle(m.u), 3);
	ipu_unit_set_hit_mhz(m.u, 4, 1500);
	for (uint64_t i = 5; i <= 304; i++)
		ipu_unit_set_hit_mhz(m.u, i, 1500); /* which changes nothing */
	assert_int_equal(ipu_unit_ipu_cycle(m.u), 3 + 200);
	made_unit_end(&m);
}

/* `cycle` is the clock of the IPU, whatever the program has done in it; `instret` is not. */
static void test_cycle_csr(void **state)
{
	struct unit_program p = {.main = MADE_MAIN, .at = MADE_MAIN};
	(void)state;
	unit_program_put(&p, encode_addi(0, 0, 0));
	unit_program_put(&p, encode_i(OP_SYSTEM, 2, HART_A0, 0, 0xc00));
	unit_program_put(&p, encode_i(OP_SYSTEM, 2, HART_A0 + 1, 0, 0xc80));
	unit_program_put(&p, encode_i(OP_SYSTEM, 2, HART_A0 + 2, 0, 0xc02));
	unit_program_put(&p, RET);
	struct made_unit m = made_active_unit(MADE_CONFIG, unit_program_make(&p));
	made_input(m.u, UINT64_C(0x300000064), 1);
	assert_int_equal(made_register(m.u, HART_A0), 0x65);
	assert_int_equal(made_register(m.u, HART_A0 + 1), 3);
	assert_int_equal(made_register(m.u, HART_A0 + 2), 3);
	made_unit_end(&m);
}

/* Timer. It starts when the routine ends that sets it. */

static void test_timer_by_init(void **state)
{
	struct made_program p = {.period = 100};
	(void)state;
	struct made_unit m = active(1000, 1000, &p);
	uint64_t started = ipu_unit_hit_cycle(m.u);
	for (uint64_t n = 1; n < 5; n++) {
		/* The timer comes last in its cycle. */
		ipu_unit_advance(m.u, started + 100 * n);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, n - 1);
		ipu_unit_advance(m.u, started + 100 * n + 1);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, n);
		assert_status(m.u, IPU_ACTIVE_RUNNING);
		ipu_unit_advance(m.u, started + 100 * n + 2);
		assert_status(m.u, IPU_ACTIVE_PAUSED);
	}
	assert_int_equal(made_register(m.u, RAN_HANDLER), 4);
	assert_int_equal(ipu_unit_counts(m.u).missed_periods, 0);
	made_unit_end(&m);
}

/* Periods are in cycles of the HIT. */
static void test_timer_counts_hit_cycles(void **state)
{
	static const uint32_t ratios[][2] = {{3, 2}, {2, 3}, {1, 1000}, {1000, 1}};
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ratios); i++) {
		struct made_program p = {.period = 10000};
		struct made_unit m = active(ratios[i][0], ratios[i][1], &p);
		uint64_t started = ipu_unit_hit_cycle(m.u);
		ipu_unit_advance(m.u, started + 10000);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, 0);
		ipu_unit_advance(m.u, started + 10001);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
		made_unit_end(&m);
	}
}

/* _main sets it each time, the handler puts it off. */
static void test_timer_by_main_and_handler(void **state)
{
	struct unit_program p = {.main = MADE_MAIN, .at = MADE_MAIN};
	(void)state;
	made_write_csr(&p, 0x802, 50);
	made_write_csr(&p, 0x803, MADE_HANDLER);
	unit_program_put(&p, encode_i(OP_SYSTEM, 2, HART_A0, 0, 0x802));
	unit_program_put(&p, encode_i(OP_SYSTEM, 2, HART_A0 + 1, 0, 0x803));
	unit_program_put(&p, RET); /* 9 cycles */
	p.at = MADE_HANDLER;
	unit_program_put(&p, encode_i(OP_SYSTEM, 1, 0, 0, 0x802));
	unit_program_put(&p, RET);
	struct made_unit m = made_active_unit(MADE_CONFIG, unit_program_make(&p));
	made_input(m.u, 100, 1);
	assert_int_equal(made_register(m.u, HART_A0), 50);
	assert_int_equal(made_register(m.u, HART_A0 + 1), MADE_HANDLER);
	made_input(m.u, 140, 2); /* again from cycle 149 on */
	ipu_unit_advance(m.u, 199);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 0);
	ipu_unit_advance(m.u, 200);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
	ipu_unit_advance(m.u, 1000000);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
	assert_int_equal(ipu_unit_counts(m.u).missed_periods, 0);
	made_unit_end(&m);
}

/* The processor is ahead of time when it writes the timer; neither a change of the HIT's clock nor what rings until the
 * routine ends is lost by that. */
static void test_timer_written_ahead_of_time(void **state)
{
	struct made_program p = {.period = 10};
	struct unit_program q = {.main = MADE_MAIN, .has_init = true};
	(void)state;
	made_routine(&q, IPU_INIT, &p.init, RAN_INIT);
	q.at -= 4;
	made_write_csr(&q, 0x803, MADE_HANDLER);
	made_write_csr(&q, 0x802, 10);
	unit_program_put(&q, RET); /* ends with cycle 8 */
	made_routine(&q, MADE_HANDLER, &p.handler, RAN_HANDLER);
	made_routine(&q, MADE_MAIN, &(struct made_routine){.cycles = 101}, RAN_MAIN);
	q.at = MADE_MAIN; /* instead of the count */
	unit_program_put(&q, encode_i(OP_SYSTEM, 5, 0, 20, 0x802));
	struct made_unit m = made_active_unit(MADE_CONFIG, unit_program_make(&q));
	assert_int_equal(ipu_unit_hit_cycle(m.u), 8);
	made_input(m.u, 10, 1); /* to cycle 111: the old period ends in 18, 28 to 108 */
	ipu_unit_set_hit_mhz(m.u, 61, 500);
	assert_int_equal(ipu_unit_counts(m.u).missed_periods, 4);
	ipu_unit_advance(m.u, 86); /* 61 + 50 / 2, where it has not quite ended; 58, 68 and 78 */
	assert_int_equal(ipu_unit_ipu_cycle(m.u), 111);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	assert_int_equal(ipu_unit_counts(m.u).missed_periods, 6);
	ipu_unit_advance(m.u, 106);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 0);
	ipu_unit_advance(m.u, 107);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
	made_unit_end(&m);
}

/* Due while _main runs: its handler begins in the cycle in which _main has ended. In the same cycle as an input: after
 * that. */
static void test_handler_behind_main(void **state)
{
	(void)state;
	for (uint64_t before = 0; before < 2; before++) {
		struct made_program p = {.period = 100, .main = {.cycles = 51}, .handler = {.cycles = 31}};
		struct made_unit m = active(1000, 1000, &p);
		uint64_t rings = ipu_unit_hit_cycle(m.u) + 100, first = rings - before;
		made_input(m.u, first, 1);
		assert_int_equal(ipu_unit_counts(m.u).calls_main, 1);
		ipu_unit_advance(m.u, first + 50);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, 0);
		ipu_unit_advance(m.u, first + 51);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
		assert_int_equal(ipu_unit_free_at(m.u), first + 51 + 31);
		made_input(m.u, first + 51 + 30, 2);
		assert_int_equal(ipu_unit_counts(m.u).dropped, 1);
		made_input(m.u, first + 51 + 31, 3);
		assert_int_equal(ipu_unit_counts(m.u).taken, 2);
		assert_int_equal(ipu_unit_counts(m.u).missed_periods, 0);
		made_unit_end(&m);
	}
}

/* One in a cycle with an input, one cycle earlier: the handler runs, and the input is dropped. */
static void test_input_behind_handler(void **state)
{
	struct made_program p = {.period = 100};
	(void)state;
	struct made_unit m = active(1000, 1000, &p);
	uint64_t rings = ipu_unit_hit_cycle(m.u) + 100;
	made_input(m.u, rings + 1, 1);
	assert_int_equal(ipu_unit_counts(m.u).dropped, 1);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
	made_input(m.u, rings + 2, 1);
	assert_int_equal(ipu_unit_counts(m.u).taken, 1);
	made_unit_end(&m);
}

/* Periods that end while one is due already. */
static void test_missed_periods(void **state)
{
	struct made_program p = {.period = 10, .main = {.cycles = 101}};
	(void)state;
	struct made_unit m = active(1000, 1000, &p);
	uint64_t started = ipu_unit_hit_cycle(m.u);
	made_input(m.u, started + 5, 1); /* to 106: 10, 20, ... 100 */
	ipu_unit_advance(m.u, started + 107);
	assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
	assert_int_equal(ipu_unit_counts(m.u).missed_periods, 9);
	made_unit_end(&m);
}

/* For a long time: where it is not active, in ERROR, while a loop waits. */
static void test_missed_periods_in_bulk(void **state)
{
	const uint64_t end = UINT64_C(1000000000000);
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct made_program p = {.period = 7, .main = {.end = i == 1 ? FAULTS : i > 1 ? LOOPS : RETURNS}};
		struct made_unit m = active(1000, 1000, &p);
		uint64_t started = ipu_unit_hit_cycle(m.u);
		made_input(m.u, started, 1);
		if (i == 0 || i == 3)
			ipu_unit_pause(m.u, started + 6);
		ipu_unit_advance(m.u, end);
		assert_status(m.u, i == 1 ? IPU_ERROR : i == 2 ? IPU_ACTIVE_RUNNING : IPU_PAUSED);
		uint64_t nr = (end - 1 - started) / 7;
		assert_int_equal(ipu_unit_counts(m.u).missed_periods, nr - (i == 2));
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, 0);
		made_unit_end(&m);
	}
}

/* A handler that is never done before it is due again does not block ipu_unit_settle(). */
static void test_settling_ends(void **state)
{
	struct made_program p = {.period = 2, .handler = {.cycles = 5}};
	(void)state;
	struct made_unit m = made_unit(MADE_CONFIG, made_unit_program(&p));
	ipu_unit_configure(m.u, 0, m.program);
	ipu_unit_resume(m.u, 0);
	ipu_unit_advance(m.u, 50);
	ipu_unit_settle(m.u);
	assert_true(ipu_unit_hit_cycle(m.u) > 50);
	assert_status(m.u, IPU_ACTIVE_RUNNING);
	made_unit_end(&m);
}

/* Neither clock comes to IPU_MAX_CYCLE in the last cycle, and one of them does after it. */
static void test_end_of_time(void **state)
{
	static const uint32_t ratios[][2] = {{1, 1}, {1, 1000000}, {1000000, 1}, {3000, 2000}, {8, 5}};
	(void)state;
	for (size_t r = 0; r < ARRAY_SIZE(ratios); r++) {
		uint32_t hit_mhz = ratios[r][0], ipu_mhz = ratios[r][1];
		struct made_program p = {.main = {.cycles = 5}};
		struct made_unit m = active(hit_mhz, ipu_mhz, &p);
		for (int twice = 0; twice < 2; twice++) {
			uint64_t last = ipu_unit_last_cycle(m.u);
			assert_true(last <= IPU_MAX_CYCLE);
			assert_true((wide)last * ipu_mhz / hit_mhz < IPU_MAX_CYCLE || last == IPU_MAX_CYCLE);
			assert_true(last == IPU_MAX_CYCLE || (wide)(last + 1) * ipu_mhz / hit_mhz >= IPU_MAX_CYCLE - 1);
			ipu_unit_advance(m.u, last / 3 + 7);
		}
		uint64_t last = ipu_unit_last_cycle(m.u);
		made_input(m.u, last, 1);
		ipu_unit_settle(m.u);
		assert_int_equal(ipu_unit_counts(m.u).calls_main, 1);
		assert_true(ipu_unit_hit_cycle(m.u) >= last);
		made_unit_end(&m);
	}
}

TEST_FILE(test_ipu_unit_clocks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_of_routines),
		cmocka_unit_test(test_clock_changes_in_a_routine),
		cmocka_unit_test(test_fraction_when_the_clock_changes),
		cmocka_unit_test(test_cycle_csr),
		cmocka_unit_test(test_timer_by_init),
		cmocka_unit_test(test_timer_counts_hit_cycles),
		cmocka_unit_test(test_timer_by_main_and_handler),
		cmocka_unit_test(test_timer_written_ahead_of_time),
		cmocka_unit_test(test_handler_behind_main),
		cmocka_unit_test(test_input_behind_handler),
		cmocka_unit_test(test_missed_periods),
		cmocka_unit_test(test_missed_periods_in_bulk),
		cmocka_unit_test(test_settling_ends),
		cmocka_unit_test(test_end_of_time),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
