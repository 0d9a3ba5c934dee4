/* Which input sets an IPU takes: the modes for mismatched clocks, hardware loops. */
#include "tests/unit/ipu/unit/made_unit.h"

static struct made_unit active(enum ipu_mismatch mismatch, uint32_t arg, const struct made_routine *main)
{
	struct ipu_unit_config config = MADE_CONFIG;
	config.mismatch = mismatch;
	config.mismatch_arg = arg;
	return made_active_unit(config, made_unit_program(&(struct made_program){.main = *main}));
}

static const struct made_routine short_main = {0}, long_main = {.cycles = 51}, looping_main = {.end = LOOPS};

static uint64_t register_0(const struct made_unit *m)
{
	return ipu_unit_processor(m->u)->hart.inputs[0];
}

/* IORegs */

/* Sets of a few registers leave the others as they are, and a set that is not taken leaves all. */
static void test_registers_keep_their_values(void **state)
{
	uint64_t values[NR_IOREGS];
	(void)state;
	struct made_unit m = active(IPU_EVERY, 1, &long_main);
	const uint64_t *inputs = ipu_unit_processor(m.u)->hart.inputs;
	for (unsigned i = 0; i < NR_IOREGS; i++)
		values[i] = 100 + i;
	ipu_unit_input(m.u, 100, 0x80000003, values);
	for (unsigned i = 0; i < NR_IOREGS; i++)
		assert_int_equal(inputs[i], i < 2 || i == 31 ? 100 + i : 0);
	for (unsigned i = 0; i < NR_IOREGS; i++)
		values[i] = 200 + i;
	ipu_unit_input(m.u, 101, 0xffffffff, values);
	assert_int_equal(inputs[0], 100);
	ipu_unit_input(m.u, 200, 0x00010002, values);
	for (unsigned i = 0; i < NR_IOREGS; i++)
		assert_int_equal(inputs[i], i == 1 || i == 16 ? 200 + i : i == 0 || i == 31 ? 100 + i : 0);
	made_unit_end(&m);
}

/* Sub-sampling */

static void test_sub_sample(void **state)
{
	(void)state;
	for (uint32_t k = 1; k <= 3; k++) {
		struct made_unit m = active(IPU_SUB_SAMPLE, k, &short_main);
		for (uint64_t i = 0; i < 10; i++)
			made_input(m.u, 100 + 10 * i, i);
		uint64_t taken = (10 + k - 1) / k;
		assert_sets(&m, 0, 10 - taken, 0, taken, 0);
		assert_int_equal(register_0(&m), (taken - 1) * k);
		made_unit_end(&m);
	}
}

/* It counts what arrives while active, running or not; the first of k is lost if it is running then. */
static void test_sub_sample_counts_active_sets(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_SUB_SAMPLE, 3, &long_main);
	for (uint64_t i = 0; i < 5; i++) /* taken, skipped, skipped, dropped, skipped */
		made_input(m.u, 100 + i, i);
	assert_sets(&m, 0, 3, 1, 1, 0);
	ipu_unit_pause(m.u, 200);
	made_input(m.u, 201, 5);
	ipu_unit_resume(m.u, 202);
	made_input(m.u, 203, 6);
	assert_sets(&m, 1, 4, 1, 1, 0);
	made_input(m.u, 204, 7);
	assert_sets(&m, 1, 4, 1, 2, 0);
	made_unit_end(&m);
}

/* Phases */

static void test_phases(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_PHASES, 1000, &short_main);
	made_input(m.u, 100, 1);
	ipu_unit_set_hit_mhz(m.u, 200, 1001);
	made_input(m.u, 200, 2);
	assert_sets(&m, 0, 1, 0, 1, 0);
	ipu_unit_set_hit_mhz(m.u, 300, 1);
	made_input(m.u, 300, 3);
	assert_sets(&m, 0, 1, 0, 2, 0);
	made_unit_end(&m);
}

/* Windows */

/* One set: the window is closed until it has been worked off. */
static void test_window_of_1(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_WINDOW, 1, &long_main);
	made_input(m.u, 100, 1);
	made_input(m.u, 101, 2);
	made_input(m.u, 150, 3);
	assert_sets(&m, 0, 0, 2, 1, 0);
	made_input(m.u, 151, 4);
	assert_sets(&m, 0, 0, 2, 2, 0);
	assert_int_equal(register_0(&m), 4);
	made_unit_end(&m);
}

static void test_window_of_2(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_WINDOW, 2, &long_main);
	for (uint64_t i = 0; i < 4; i++)
		made_input(m.u, 100 + i, i);
	assert_sets(&m, 0, 0, 2, 1, 1);
	ipu_unit_advance(m.u, 150);
	assert_int_equal(register_0(&m), 0);
	made_input(m.u, 151, 4); /* the second one has begun, and the window is still closed */
	assert_int_equal(register_0(&m), 1);
	assert_sets(&m, 0, 0, 3, 2, 0);
	made_input(m.u, 201, 5);
	assert_sets(&m, 0, 0, 4, 2, 0);
	made_input(m.u, 202, 6);
	made_input(m.u, 203, 7);
	made_input(m.u, 204, 8);
	assert_sets(&m, 0, 0, 5, 3, 1);
	ipu_unit_settle(m.u);
	assert_int_equal(register_0(&m), 7);
	assert_sets(&m, 0, 0, 5, 4, 0);
	assert_int_equal(ipu_unit_counts(m.u).calls_main, 4);
	made_unit_end(&m);
}

/* The largest one: sets that come faster than they are processed arrive in the right order, up to the last. */
static void test_largest_window(void **state)
{
	(void)state;
	struct made_routine main = {.cycles = 5};
	struct made_unit m = active(IPU_WINDOW, IPU_MAX_WINDOW, &main);
	for (uint64_t i = 0; i < 5000; i++) {
		made_input(m.u, 100 + i, i);
		assert_int_equal(register_0(&m), i / 5);
	}
	assert_sets(&m, 0, 0, 5000 - IPU_MAX_WINDOW, 1000, IPU_MAX_WINDOW - 1000);
	ipu_unit_settle(m.u);
	assert_sets(&m, 0, 0, 5000 - IPU_MAX_WINDOW, IPU_MAX_WINDOW, 0);
	assert_int_equal(register_0(&m), IPU_MAX_WINDOW - 1);
	assert_int_equal(ipu_unit_hit_cycle(m.u), 100 + 5 * IPU_MAX_WINDOW);
	made_unit_end(&m);
}

/* Sets in the buffer wait for the end of a pause, are dropped by FINALIZE, and forgotten by the next image. */
static void test_buffer_and_commands(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_WINDOW, 4, &long_main);
	for (uint64_t i = 0; i < 4; i++)
		made_input(m.u, 100 + i, i);
	ipu_unit_pause(m.u, 110);
	ipu_unit_advance(m.u, 1000);
	assert_status(m.u, IPU_PAUSED);
	made_input(m.u, 1000, 9);
	assert_sets(&m, 1, 0, 0, 1, 3);
	ipu_unit_resume(m.u, 1001);
	assert_status(m.u, IPU_ACTIVE_RUNNING);
	assert_sets(&m, 1, 0, 0, 2, 2);
	ipu_unit_finalize(m.u, 1002);
	ipu_unit_advance(m.u, 1051);
	assert_sets(&m, 1, 0, 0, 2, 2);
	ipu_unit_advance(m.u, 1052);
	assert_status(m.u, IPU_FINALIZE);
	assert_sets(&m, 1, 0, 2, 2, 0);
	ipu_unit_resume(m.u, 1100);
	for (uint64_t i = 0; i < 5; i++)
		made_input(m.u, 1100 + i, i);
	assert_sets(&m, 1, 0, 3, 3, 3);
	ipu_unit_configure(m.u, 1110, m.program);
	ipu_unit_settle(m.u);
	assert_sets(&m, 0, 0, 0, 0, 0);
	made_unit_end(&m);
}

/* Sets that arrive while it runs, but is paused, or has left the range of its triggers, are not for later. */
static void test_window_takes_what_is_active(void **state)
{
	(void)state;
	for (unsigned is_trigger = 0; is_trigger < 2; is_trigger++) {
		struct made_unit m = active(IPU_WINDOW, 4, &long_main);
		ipu_unit_set_stop(m.u, 50, 1);
		made_input(m.u, 100, 1);
		if (is_trigger)
			ipu_unit_address(m.u, 101, 1);
		else
			ipu_unit_pause(m.u, 101);
		made_input(m.u, 102, 2);
		assert_sets(&m, 0, 0, 1, 1, 0);
		ipu_unit_resume(m.u, 103);
		made_input(m.u, 104, 3);
		assert_sets(&m, 0, 0, 1, 1, 1);
		ipu_unit_settle(m.u);
		assert_int_equal(register_0(&m), 3);
		made_unit_end(&m);
	}
}

/* Hardware loops: _main has 3 cycles before its loop waits, and the body one. */

static void test_loop_sees_every_cycle(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_EVERY, 1, &looping_main);
	for (uint64_t i = 0; i < 900; i++)
		made_input(m.u, 100 + i, i);
	/* Those in cycles 101 and 102 come before it waits. */
	assert_sets(&m, 0, 0, 2, 898, 0);
	assert_int_equal(ipu_unit_counts(m.u).calls_main, 1);
	assert_int_equal(made_register(m.u, RAN_BODY), 897);
	made_input(m.u, 999, 1); /* a second one in that cycle */
	assert_sets(&m, 0, 0, 3, 898, 0);
	made_unit_end(&m);
}

/* 1000 iterations, then it returns, and the next set is _main's. */
static void test_loop_ends(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_EVERY, 1, &looping_main);
	made_input(m.u, 100, 0);
	for (uint64_t i = 0; i < 1000; i++) {
		assert_status(m.u, IPU_ACTIVE_RUNNING);
		made_input(m.u, 200 + i, i);
	}
	ipu_unit_advance(m.u, 1201);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	made_input(m.u, 1202, 1);
	assert_int_equal(ipu_unit_counts(m.u).calls_main, 2);
	assert_int_equal(ipu_unit_counts(m.u).busy_cycles, 3 + 1000 + 1 + 3 + ipu_unit_free_at(m.u) - 1205 + 2);
	made_unit_end(&m);
}

/* Sets from the buffer: a cycle each, one after the other. */
static void test_loop_is_fed_from_the_buffer(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_WINDOW, 4, &looping_main);
	for (uint64_t i = 0; i < 6; i++)
		made_input(m.u, 100 + i, i);
	/* 0 in cycle 100, 1 to 3 in cycles 103 to 105, for the loop; the window was closed for 4 and 5. */
	assert_sets(&m, 0, 0, 2, 4, 0);
	assert_int_equal(register_0(&m), 3);
	assert_int_equal(made_register(m.u, RAN_BODY), 3);
	made_input(m.u, 106, 6); /* the next window */
	assert_sets(&m, 0, 0, 2, 5, 0);
	made_unit_end(&m);
}

/* A pause holds a loop that waits there and then; it goes on afterwards. FINALIZE and CONFIGURE end it. */
static void test_loop_and_commands(void **state)
{
	(void)state;
	struct made_unit m = active(IPU_EVERY, 1, &looping_main);
	made_input(m.u, 100, 0);
	ipu_unit_pause(m.u, 110);
	assert_status(m.u, IPU_PAUSED);
	made_input(m.u, 111, 1);
	assert_sets(&m, 1, 0, 0, 1, 0);
	ipu_unit_resume(m.u, 112);
	assert_status(m.u, IPU_ACTIVE_RUNNING);
	made_input(m.u, 113, 2);
	assert_sets(&m, 1, 0, 0, 2, 0);
	assert_int_equal(made_register(m.u, RAN_BODY), 1);
	ipu_unit_finalize(m.u, 120);
	assert_status(m.u, IPU_FINALIZE);
	ipu_unit_resume(m.u, 130);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	made_input(m.u, 140, 3);
	assert_int_equal(ipu_unit_counts(m.u).calls_main, 2);
	ipu_unit_configure(m.u, 150, m.program);
	ipu_unit_settle(m.u);
	assert_status(m.u, IPU_PAUSED);
	assert_int_equal(made_register(m.u, RAN_BODY), 0);
	made_unit_end(&m);
}

TEST_FILE(test_ipu_unit_inputs)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers_keep_their_values),
		cmocka_unit_test(test_sub_sample),
		cmocka_unit_test(test_sub_sample_counts_active_sets),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_window_of_1),
		cmocka_unit_test(test_window_of_2),
		cmocka_unit_test(test_largest_window),
		cmocka_unit_test(test_buffer_and_commands),
		cmocka_unit_test(test_window_takes_what_is_active),
		cmocka_unit_test(test_loop_sees_every_cycle),
		cmocka_unit_test(test_loop_ends),
		cmocka_unit_test(test_loop_is_fed_from_the_buffer),
		cmocka_unit_test(test_loop_and_commands),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
