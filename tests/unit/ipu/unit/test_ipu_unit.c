/* An IPU's state machine: for each row of transition_list.h an IPU is brought into the status, the event is made to
 * happen, and the next status and the visible effect of the action are looked at. */
#include "sim/base/array.h"
#include "tests/unit/ipu/unit/made_unit.h"

#define PERIOD 1000u
#define LONG_CYCLES 3001u /* longer than the timer's period */
#define BROUGHT 300u	  /* by then it is in the status */
#define TS 11u
#define TE 22u

/* Kind of an action, by its name in the table. */
enum action {
#define ACTION(symbol, what) symbol,
#include "ipu/unit/action_list.h"
#undef ACTION
};

#define IPU_REST NR_IPU_STATUSES

static const struct row {
	enum ipu_status status;
	enum ipu_event event;
	enum ipu_status next;
	enum action action;
	const char *text;
} rows[] = {
#define TRANSITION(status, event, next, action)                                                                        \
	{IPU_##status, IPU_EVENT_##event, IPU_##next, action, #status " " #event " " #action},
#include "ipu/unit/transition_list.h"
#undef TRANSITION
};
#define NR_ROWS ARRAY_SIZE(rows)

/* Where REST leads to in the cases below, and how the routine that is running ends. */
static const struct expectation {
	bool is_here;
	enum ipu_status rest;
	enum made_end end;
	bool runs_outside; /* the triggers have not been met, or have been left, before */
} expected[NR_IPU_STATUSES][NR_IPU_EVENTS] = {
#define ROW(status, event, ...) [IPU_##status][IPU_EVENT_##event] = {true, __VA_ARGS__}
#define PLAIN(status, event) ROW(status, event, IPU_REST, RETURNS, false)
#define CANNOT PLAIN
	/* clang-format off */
	CANNOT(UNDEFINED, RETURN), CANNOT(UNDEFINED, WAIT), CANNOT(UNDEFINED, FAULT),
	PLAIN(UNDEFINED, CONFIGURE), PLAIN(UNDEFINED, PAUSE), PLAIN(UNDEFINED, RESUME), PLAIN(UNDEFINED, FINALIZE),
	ROW(UNDEFINED, START, IPU_REST, RETURNS, true),
	PLAIN(UNDEFINED, STOP), PLAIN(UNDEFINED, INPUT),
	CANNOT(UNDEFINED, TIMER),

	CANNOT(PAUSED, RETURN), CANNOT(PAUSED, WAIT), CANNOT(PAUSED, FAULT),
	PLAIN(PAUSED, CONFIGURE), PLAIN(PAUSED, PAUSE),
	ROW(PAUSED, RESUME, IPU_ACTIVE_PAUSED, RETURNS, false),
	PLAIN(PAUSED, FINALIZE),
	ROW(PAUSED, START, IPU_ACTIVE_PAUSED, RETURNS, true),
	PLAIN(PAUSED, STOP), PLAIN(PAUSED, INPUT), PLAIN(PAUSED, TIMER),

	CANNOT(ACTIVE_PAUSED, RETURN), CANNOT(ACTIVE_PAUSED, WAIT), CANNOT(ACTIVE_PAUSED, FAULT),
	PLAIN(ACTIVE_PAUSED, CONFIGURE),
	ROW(ACTIVE_PAUSED, PAUSE, IPU_PAUSED, RETURNS, false),
	ROW(ACTIVE_PAUSED, RESUME, IPU_ACTIVE_PAUSED, RETURNS, false),
	PLAIN(ACTIVE_PAUSED, FINALIZE),
	ROW(ACTIVE_PAUSED, START, IPU_ACTIVE_PAUSED, RETURNS, false),
	ROW(ACTIVE_PAUSED, STOP, IPU_PAUSED, RETURNS, false),
	PLAIN(ACTIVE_PAUSED, INPUT), PLAIN(ACTIVE_PAUSED, TIMER),

	ROW(ACTIVE_RUNNING, RETURN, IPU_ACTIVE_PAUSED, RETURNS, false),
	ROW(ACTIVE_RUNNING, WAIT, IPU_ACTIVE_RUNNING, LOOPS, false),
	ROW(ACTIVE_RUNNING, FAULT, IPU_REST, FAULTS, false),
	ROW(ACTIVE_RUNNING, CONFIGURE, IPU_ACTIVE_RUNNING, RETURNS, false),
	ROW(ACTIVE_RUNNING, PAUSE, IPU_ACTIVE_RUNNING, RETURNS, false),
	ROW(ACTIVE_RUNNING, RESUME, IPU_ACTIVE_RUNNING, RETURNS, false),
	ROW(ACTIVE_RUNNING, FINALIZE, IPU_ACTIVE_RUNNING, RETURNS, false),
	ROW(ACTIVE_RUNNING, START, IPU_ACTIVE_RUNNING, RETURNS, true),
	ROW(ACTIVE_RUNNING, STOP, IPU_ACTIVE_RUNNING, RETURNS, false),
	PLAIN(ACTIVE_RUNNING, INPUT),
	ROW(ACTIVE_RUNNING, TIMER, IPU_ACTIVE_RUNNING, RETURNS, false),

	ROW(FINALIZE, RETURN, IPU_PAUSED, RETURNS, false),
	ROW(FINALIZE, WAIT, IPU_REST, LOOPS, false),
	ROW(FINALIZE, FAULT, IPU_REST, FAULTS, false),
	PLAIN(FINALIZE, CONFIGURE), PLAIN(FINALIZE, PAUSE), PLAIN(FINALIZE, RESUME), PLAIN(FINALIZE, FINALIZE),
	ROW(FINALIZE, START, IPU_REST, RETURNS, true),
	PLAIN(FINALIZE, STOP), PLAIN(FINALIZE, INPUT), PLAIN(FINALIZE, TIMER),

	CANNOT(ERROR, RETURN), CANNOT(ERROR, WAIT), CANNOT(ERROR, FAULT),
	PLAIN(ERROR, CONFIGURE), PLAIN(ERROR, PAUSE), PLAIN(ERROR, RESUME), PLAIN(ERROR, FINALIZE),
	ROW(ERROR, START, IPU_REST, RETURNS, true),
	PLAIN(ERROR, STOP), PLAIN(ERROR, INPUT), PLAIN(ERROR, TIMER),
	/* clang-format on */
};

static struct made_unit m;
static uint64_t now, init_end;
static const struct row *row;

static bool uses_triggers(void)
{
	return row->event == IPU_EVENT_START || row->event == IPU_EVENT_STOP;
}

static struct ipu_program *program_of_row(void)
{
	enum made_end end = expected[row->status][row->event].end;
	struct made_program p = {.main = {.cycles = LONG_CYCLES}, .finish = {.cycles = LONG_CYCLES}};
	p.period = row->event == IPU_EVENT_TIMER ? PERIOD : 0;
	if (row->status == IPU_ACTIVE_RUNNING)
		p.main.end = end;
	if (row->status == IPU_FINALIZE)
		p.finish.end = end;
	if (row->status == IPU_ERROR)
		p.main = (struct made_routine){.end = FAULTS};
	return made_unit_program(&p);
}

/* Brings it into the status: inside, but with triggers if the event is one. */
static void bring(void)
{
	m = made_unit(MADE_CONFIG, program_of_row());
	now = init_end = 0;
	if (uses_triggers()) {
		ipu_unit_set_start(m.u, 0, TS);
		ipu_unit_set_stop(m.u, 0, TE);
	}
	if (row->status == IPU_UNDEFINED) {
		if (row->event == IPU_EVENT_STOP)
			ipu_unit_address(m.u, 0, TS);
		return;
	}
	ipu_unit_configure(m.u, 0, m.program);
	init_end = ipu_unit_free_at(m.u);
	assert_true(init_end < 100);
	if (uses_triggers())
		ipu_unit_address(m.u, 100, TS);
	else if (row->status != IPU_PAUSED)
		ipu_unit_resume(m.u, 100);
	if (row->status == IPU_ACTIVE_RUNNING || row->status == IPU_ERROR)
		made_input(m.u, 200, 1);
	else if (row->status == IPU_FINALIZE)
		ipu_unit_finalize(m.u, 200);
	else if (row->status == IPU_PAUSED && row->event == IPU_EVENT_STOP)
		ipu_unit_pause(m.u, 200);
	if (expected[row->status][row->event].runs_outside)
		ipu_unit_address(m.u, 250, TE);
	now = BROUGHT;
	ipu_unit_advance(m.u, now);
}

/* The host's calls while `finish` runs show only in the image after it: its end holds the one that it belongs to.
 */
static void send_next_image(void)
{
	if (row->status == IPU_FINALIZE)
		ipu_unit_configure(m.u, now, m.program);
}

static void happen(enum ipu_event event)
{
	switch (event) {
	case IPU_EVENT_RETURN:
	case IPU_EVENT_WAIT:
	case IPU_EVENT_FAULT:
		ipu_unit_advance(m.u, now = ipu_unit_free_at(m.u));
		break;
	case IPU_EVENT_CONFIGURE:
		ipu_unit_configure(m.u, now, m.program);
		break;
	case IPU_EVENT_PAUSE:
		send_next_image();
		if (row->status == IPU_FINALIZE)
			ipu_unit_resume(m.u, now);
		ipu_unit_pause(m.u, now);
		break;
	case IPU_EVENT_RESUME:
		send_next_image();
		ipu_unit_resume(m.u, now);
		break;
	case IPU_EVENT_FINALIZE:
		ipu_unit_finalize(m.u, now);
		break;
	case IPU_EVENT_START:
		ipu_unit_address(m.u, now, TS);
		break;
	case IPU_EVENT_STOP:
		ipu_unit_address(m.u, now, TE);
		break;
	case IPU_EVENT_INPUT:
		made_input(m.u, now, 2);
		break;
	default: /* the timer comes last in its cycle, so it is over when the next one begins */
		ipu_unit_advance(m.u, now = init_end + PERIOD + 1);
		break;
	}
}

/* Lets all be over, and an IPU that has no image, or none that works, have one. */
static void revive(void)
{
	if (row->status == IPU_UNDEFINED || row->status == IPU_ERROR)
		ipu_unit_configure(m.u, ++now, m.program);
	ipu_unit_settle(m.u);
	now = ipu_unit_hit_cycle(m.u) + 1;
}

static void resume(void)
{
	ipu_unit_resume(m.u, ++now);
}

/* What cannot be seen from the status it leads to. */
static void check_nothing(const struct ipu_counts *before)
{
	struct ipu_counts after = ipu_unit_counts(m.u);
	assert_int_equal(after.arrived, before->arrived);
	assert_int_equal(after.calls_main + after.calls_handler, before->calls_main + before->calls_handler);
	if (row->event == IPU_EVENT_RETURN || row->event == IPU_EVENT_WAIT) {
		assert_int_equal(made_register(m.u, RAN_MAIN), 1);
		made_input(m.u, now, 2);
		assert_int_equal(ipu_unit_counts(m.u).taken, 2);
		assert_int_equal(ipu_unit_counts(m.u).calls_main, row->event == IPU_EVENT_RETURN ? 2 : 1);
		return;
	}
	/* It did not count: neither held nor resumed nor finishing, as soon as that can be seen. */
	revive();
	assert_int_equal(made_register(m.u, RAN_FINISH), row->status == IPU_FINALIZE);
	assert_status(m.u, IPU_PAUSED);
	resume();
	assert_status(m.u, IPU_ACTIVE_PAUSED);
}

static void check_load(void)
{
	revive();
	struct ipu_counts after = ipu_unit_counts(m.u);
	assert_int_equal(after.arrived + after.taken + after.calls_main, 0);
	assert_status(m.u, IPU_PAUSED);
	assert_int_equal(made_register(m.u, RAN_INIT), 1);
	assert_int_equal(made_register(m.u, RAN_MAIN) + made_register(m.u, RAN_FINISH), 0);
}

static void check_trigger(bool is_inside)
{
	revive();
	/* FINALIZE has held it. */
	if (row->status == IPU_FINALIZE || (row->status == IPU_PAUSED && row->event == IPU_EVENT_STOP))
		resume();
	assert_status(m.u, is_inside ? IPU_ACTIVE_PAUSED : IPU_PAUSED);
}

static void check_fault(void)
{
	struct ipu_fault f = ipu_unit_fault(m.u);
	assert_string_equal(f.routine, row->status == IPU_FINALIZE ? "finish" : "_main");
	assert_int_equal(f.cause, row->event == IPU_EVENT_FAULT ? HART_BREAKPOINT : HART_INPUT);
	resume();
	assert_status(m.u, IPU_ERROR);
}

static void check_finish(void)
{
	assert_int_equal(ipu_unit_counts(m.u).dropped, 0);
	revive();
	assert_status(m.u, IPU_PAUSED);
	assert_int_equal(made_register(m.u, RAN_FINISH), 1);
	resume();
	assert_status(m.u, IPU_ACTIVE_PAUSED);
}

static void check_effect(const struct ipu_counts *before)
{
	struct ipu_counts after = ipu_unit_counts(m.u);
	switch (row->action) {
	case NEVER:
		assert_int_equal(row->next, row->status);
		break;
	case NOTHING:
		check_nothing(before);
		break;
	case LOAD:
		check_load();
		break;
	case HOLD:
		revive();
		assert_status(m.u, IPU_PAUSED);
		resume();
		assert_status(m.u, IPU_ACTIVE_PAUSED);
		break;
	case RELEASE:
		revive();
		assert_status(m.u, IPU_ACTIVE_PAUSED);
		break;
	case ENTER:
	case LEAVE:
		check_trigger(row->action == ENTER);
		break;
	case IGNORE:
		assert_int_equal(after.ignored, before->ignored + 1);
		assert_int_equal(after.arrived, before->arrived + 1);
		break;
	case MISS:
		assert_int_equal(after.missed_periods, before->missed_periods + 1);
		assert_int_equal(after.calls_handler, 0);
		break;
	case RUN_MAIN:
		assert_int_equal(after.taken, before->taken + 1);
		assert_int_equal(after.calls_main, before->calls_main + 1);
		assert_int_equal(ipu_unit_processor(m.u)->hart.inputs[0], 2);
		break;
	case RUN_HANDLER:
		assert_int_equal(after.calls_handler, before->calls_handler + 1);
		assert_int_equal(after.missed_periods, 0);
		break;
	case RUN_FINISH:
		check_finish();
		break;
	case FEED:
		assert_int_equal(after.dropped, before->dropped + 1);
		assert_int_equal(after.taken, before->taken);
		break;
	case PEND_LOAD:
		assert_int_equal(after.arrived, before->arrived);
		assert_int_equal(made_register(m.u, RAN_INIT), 1);
		check_load();
		break;
	case PEND_FINISH:
		assert_int_equal(made_register(m.u, RAN_FINISH), 0);
		check_finish();
		assert_int_equal(made_register(m.u, RAN_MAIN), 1);
		break;
	case PEND_HANDLER:
		assert_int_equal(after.calls_handler, 0);
		ipu_unit_advance(m.u, ipu_unit_free_at(m.u));
		assert_status(m.u, IPU_ACTIVE_RUNNING);
		assert_int_equal(ipu_unit_counts(m.u).calls_handler, 1);
		break;
	case FINISHED:
		assert_int_equal(made_register(m.u, RAN_FINISH), 1);
		resume();
		assert_status(m.u, IPU_ACTIVE_PAUSED);
		break;
	case STOP_FOR_GOOD:
		check_fault();
		break;
	}
}

/* NEVER stands where nothing executes, so that nothing returns, waits or faults; where there is no timer, for want of
 * an image; and for START in ACTIVE_PAUSED, where it is inside already. */
static void check_never(void)
{
	bool executes = row->status == IPU_ACTIVE_RUNNING || row->status == IPU_FINALIZE;
	if (row->event == IPU_EVENT_TIMER)
		assert_int_equal(row->status, IPU_UNDEFINED);
	else if (row->event == IPU_EVENT_START)
		assert_int_equal(row->status, IPU_ACTIVE_PAUSED);
	else
		assert_true(!executes && row->event <= IPU_EVENT_FAULT);
	assert_int_equal(row->next, row->status);
}

static void test_row(void **state)
{
	row = *state;
	const struct expectation *e = &expected[row->status][row->event];
	assert_true(e->is_here);
	assert_int_equal(ipu_transition(row->status, row->event), row->next);
	if (row->action == NEVER) {
		check_never();
		return;
	}
	bring();
	assert_status(m.u, row->status);
	struct ipu_counts before = ipu_unit_counts(m.u);
	happen(row->event);
	assert_status(m.u, row->next == IPU_REST ? e->rest : row->next);
	check_effect(&before);
	made_unit_end(&m);
}

/* Every status and event has one row. */
static void test_table_is_complete(void **state)
{
	bool seen[NR_IPU_STATUSES][NR_IPU_EVENTS] = {{false}};
	(void)state;
	assert_int_equal(NR_ROWS, NR_IPU_STATUSES * NR_IPU_EVENTS);
	for (size_t i = 0; i < NR_ROWS; i++) {
		assert_false(seen[rows[i].status][rows[i].event]);
		seen[rows[i].status][rows[i].event] = true;
	}
}

TEST_FILE(test_ipu_unit)
{
	struct CMUnitTest tests[NR_ROWS + 1] = {cmocka_unit_test(test_table_is_complete)};
	for (size_t i = 0; i < NR_ROWS; i++)
		tests[i + 1] = (struct CMUnitTest){rows[i].text, test_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
	return RUN_BY_EACH_ENGINE(tests);
}
