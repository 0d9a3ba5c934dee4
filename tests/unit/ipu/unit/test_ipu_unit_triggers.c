/* When an IPU is active: ADDR, its triggers, and the host. */
#include "tests/unit/ipu/unit/made_unit.h"

#define TS UINT64_C(0x1234567890)
#define TE UINT64_C(0x1234567894)

static struct made_unit triggered(uint64_t start, uint64_t stop)
{
	struct made_unit m = made_unit(MADE_CONFIG, made_unit_program(&(struct made_program){0}));
	ipu_unit_set_start(m.u, 0, start);
	ipu_unit_set_stop(m.u, 0, stop);
	ipu_unit_configure(m.u, 0, m.program);
	ipu_unit_settle(m.u);
	assert_status(m.u, IPU_PAUSED);
	return m;
}

static void test_triggers(void **state)
{
	(void)state;
	struct made_unit m = triggered(TS, TE);
	ipu_unit_resume(m.u, 100); /* which does not replace TS */
	ipu_unit_address(m.u, 100, TE);
	ipu_unit_address(m.u, 101, (uint32_t)TS);
	assert_status(m.u, IPU_PAUSED);
	ipu_unit_address(m.u, 102, TS);
	made_input(m.u, 102, 1); /* in the cycle of TS: taken */
	assert_sets(&m, 0, 0, 0, 1, 0);
	ipu_unit_address(m.u, 110, TS);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	ipu_unit_address(m.u, 120, TE);
	made_input(m.u, 120, 2); /* in the cycle of TE: not any more */
	assert_sets(&m, 1, 0, 0, 1, 0);
	assert_status(m.u, IPU_PAUSED);
	made_unit_end(&m);
}

static void test_equal_triggers_take_turns(void **state)
{
	(void)state;
	struct made_unit m = triggered(TS, TS);
	for (uint64_t i = 0; i < 6; i++) {
		ipu_unit_address(m.u, 100 + i, TS);
		assert_status(m.u, i % 2 ? IPU_PAUSED : IPU_ACTIVE_PAUSED);
	}
	made_unit_end(&m);
}

/* The host comes first in a cycle. Its contents are inside all the same, as soon as it is released. */
static void test_trigger_in_the_cycle_of_a_pause(void **state)
{
	(void)state;
	struct made_unit m = triggered(TS, TE);
	ipu_unit_pause(m.u, 100);
	ipu_unit_address(m.u, 100, TS);
	made_input(m.u, 100, 1);
	assert_status(m.u, IPU_PAUSED);
	ipu_unit_resume(m.u, 101);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	ipu_unit_pause(m.u, 102);
	ipu_unit_address(m.u, 102, TE);
	ipu_unit_resume(m.u, 103);
	ipu_unit_address(m.u, 103, TS);
	made_input(m.u, 103, 2);
	assert_sets(&m, 1, 0, 0, 1, 0);
	made_unit_end(&m);
}

/* TE while a routine runs: it ends in peace. */
static void test_stop_while_running(void **state)
{
	(void)state;
	struct made_unit m = triggered(TS, TE);
	ipu_unit_address(m.u, 100, TS);
	made_input(m.u, 100, 1);
	ipu_unit_address(m.u, 101, TE);
	assert_status(m.u, IPU_ACTIVE_RUNNING);
	ipu_unit_advance(m.u, 102);
	assert_status(m.u, IPU_PAUSED);
	assert_int_equal(made_register(m.u, RAN_MAIN), 1);
	made_unit_end(&m);
}

/* Without TS, RESUME is what begins, the first time and after TE. */
static void test_no_start(void **state)
{
	(void)state;
	struct made_unit m = made_active_unit(MADE_CONFIG, made_unit_program(&(struct made_program){0}));
	ipu_unit_set_stop(m.u, 100, TE);
	ipu_unit_address(m.u, 100, TE);
	assert_status(m.u, IPU_PAUSED);
	ipu_unit_address(m.u, 101, 0); /* 0 is no TS that nobody has set */
	assert_status(m.u, IPU_PAUSED);
	ipu_unit_resume(m.u, 102);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	made_unit_end(&m);
}

/* Triggers stay where the image changes; what RESUME began does not. */
static void test_triggers_and_the_next_image(void **state)
{
	(void)state;
	struct made_unit m = triggered(TS, TE);
	ipu_unit_address(m.u, 100, TS);
	ipu_unit_pause(m.u, 101);
	ipu_unit_configure(m.u, 102, m.program);
	ipu_unit_settle(m.u);
	assert_status(m.u, IPU_ACTIVE_PAUSED);
	made_unit_end(&m);
	m = made_active_unit(MADE_CONFIG, made_unit_program(&(struct made_program){0}));
	ipu_unit_configure(m.u, 102, m.program);
	ipu_unit_settle(m.u);
	assert_status(m.u, IPU_PAUSED);
	made_unit_end(&m);
}

TEST_FILE(test_ipu_unit_triggers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_triggers),
		cmocka_unit_test(test_equal_triggers_take_turns),
		cmocka_unit_test(test_trigger_in_the_cycle_of_a_pause),
		cmocka_unit_test(test_stop_while_running),
		cmocka_unit_test(test_no_start),
		cmocka_unit_test(test_triggers_and_the_next_image),
	};
	return RUN_BY_EACH_ENGINE(tests);
}
