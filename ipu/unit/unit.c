/* An IPU in time: clocks, the state machine, what the host and the HIT do to it. */
#include <assert.h>
#include <stdlib.h>

#include "ipu/unit/unit_internal.h"

enum action {
#define ACTION(symbol, what) ACTION_##symbol,
#include "ipu/unit/action_list.h"
#undef ACTION
};

#define REST NR_IPU_STATUSES
#define IPU_REST REST
static const struct transition {
	uint8_t next, action;
} transitions[NR_IPU_STATUSES][NR_IPU_EVENTS] = {
#define TRANSITION(status, event, next, action) [IPU_##status][IPU_EVENT_##event] = {IPU_##next, ACTION_##action},
#include "ipu/unit/transition_list.h"
#undef TRANSITION
};

static const char *const status_texts[NR_IPU_STATUSES] = {
#define STATUS(symbol, value, text) [value] = text,
#include "ipu/unit/unit_status_list.h"
#undef STATUS
};

static const char *const routine_names[] = {
	[ROUTINE_NONE] = "none",     [ROUTINE_INIT] = "init",
	[ROUTINE_MAIN] = "_main",    [ROUTINE_HANDLER] = "timer handler",
	[ROUTINE_FINISH] = "finish",
};

const char *ipu_status_text(enum ipu_status status)
{
	return status < NR_IPU_STATUSES ? status_texts[status] : "unknown";
}

enum ipu_status ipu_transition(enum ipu_status from, enum ipu_event event)
{
	return (enum ipu_status)transitions[from][event].next;
}

static inline void clear_agenda(struct ipu_lite *u, unsigned agenda)
{
	u->agenda &= ~agenda;
}

/* Input sets. */

struct arrival {
	uint32_t valid;
	const uint64_t *values;
};

static inline __attribute__((always_inline)) void latch(struct ipu_lite *u, uint32_t valid, const uint64_t *values)
{
	u->valid = valid;
	/* The registers from 0 on need not be looked for. (memcpy() would be slower: its wide loads wait for the narrow
	 * stores with which callers have just written the values.) */
	unsigned first = valid == UINT32_MAX ? NR_IOREGS : (unsigned)__builtin_ctz(~valid), i = 0;
	for (; i + 4 <= first; i += 4) {
		u->ioregs[i] = values[i];
		u->ioregs[i + 1] = values[i + 1];
		u->ioregs[i + 2] = values[i + 2];
		u->ioregs[i + 3] = values[i + 3];
	}
	for (; i < first; i++)
		u->ioregs[i] = values[i];
	for (valid = first < NR_IOREGS ? valid >> first << first : 0; valid; valid &= valid - 1) {
		i = (unsigned)__builtin_ctz(valid);
		u->ioregs[i] = values[i];
	}
}

/* Levels. */

/* Puts the levels that were kept into the IORegs, and keeps those that were there: once before a routine runs, and once
 * after. A level that had no value yet is 0. */
static void exchange_levels(struct ipu_lite *u, struct input_set *kept)
{
	for (uint32_t left = u->levels; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		uint64_t value = kept->levels >> i & 1 ? kept->values[i] : 0;
		kept->values[i] = u->ioregs[i];
		u->ioregs[i] = value;
	}
	kept->levels = u->levels;
}

static struct input_set *latch_buffered(struct ipu_lite *u)
{
	struct input_set *set = &u->buffer[u->first_buffered];
	u->first_buffered = u->first_buffered + 1 == u->config.mismatch_arg ? 0 : u->first_buffered + 1;
	if (--u->nr_buffered == 0)
		clear_agenda(u, AGENDA_BUFFER);
	latch(u, set->valid, set->values);
	exchange_levels(u, set);
	return set;
}

static void put_into_buffer(struct ipu_lite *u, const struct arrival *set)
{
	uint32_t at = u->first_buffered + u->nr_buffered++;
	struct input_set *to = &u->buffer[at - (at >= u->config.mismatch_arg ? u->config.mismatch_arg : 0)];
	to->valid = set->valid;
	for (uint32_t left = set->valid; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		to->values[i] = set->values[i];
	}
	unit_keep_levels(u, to);
	u->agenda |= AGENDA_BUFFER;
}

static void empty_buffer(struct ipu_lite *u)
{
	u->counts.dropped += u->nr_buffered;
	u->nr_buffered = 0;
	u->nr_behind_first = -1;
	clear_agenda(u, AGENDA_BUFFER);
}

/* A set for an IPU that is in ACTIVE_RUNNING. One that goes to a loop finds the fast buffer empty: like one that starts
 * _main, it is the first of a window. */
static void feed(struct ipu_lite *u, const struct arrival *set)
{
	if (u->agenda & AGENDA_LOOP) {
		latch(u, set->valid, set->values);
		unit_go_on(u);
	} else if (u->config.mismatch == IPU_WINDOW && unit_is_active(u) &&
		   u->nr_behind_first + 1 < (int64_t)u->config.mismatch_arg) {
		u->nr_behind_first++;
		put_into_buffer(u, set);
	} else {
		u->counts.dropped++;
	}
}

/* The state machine. */

static void run_main(struct ipu_lite *u)
{
	u->counts.calls_main++;
	unit_call_main(u);
}

/* Those of the end of the period are in u->due. */
static void run_handler(struct ipu_lite *u)
{
	u->counts.calls_handler++;
	clear_agenda(u, AGENDA_HANDLER);
	if (!(u->agenda & AGENDA_BUFFER))
		u->nr_behind_first = -1;
	if (u->config.has_late_levels) {
		unit_call(u, ROUTINE_HANDLER);
		return;
	}
	exchange_levels(u, &u->due);
	unit_call(u, ROUTINE_HANDLER);
	exchange_levels(u, &u->due);
}

static void run_finish(struct ipu_lite *u)
{
	clear_agenda(u, AGENDA_FINISH);
	empty_buffer(u);
	if (u->soft)
		unit_soft_halt(u, true);
	unit_call(u, ROUTINE_FINISH);
}

static void load(struct ipu_lite *u)
{
	unit_load(u, u->pending);
	clear_agenda(u, AGENDA_LOAD | AGENDA_FINISH);
	if (u->soft)
		unit_soft_load(u);
	unit_call(u, ROUTINE_INIT);
}

/* rest() where there is something on the agenda. */
static __attribute__((noinline)) enum ipu_status rest_with_agenda(struct ipu_lite *u)
{
	if (u->agenda & AGENDA_FINISH) {
		run_finish(u);
		return IPU_FINALIZE;
	}
	if (u->agenda & AGENDA_LOAD) {
		load(u);
		return IPU_ACTIVE_RUNNING;
	}
	if (!unit_is_active(u))
		return IPU_PAUSED;
	bool has_buffered = u->agenda & AGENDA_BUFFER;
	if (!has_buffered)
		u->nr_behind_first = 0;
	if (u->agenda & AGENDA_LOOP && has_buffered) {
		struct input_set *set = latch_buffered(u);
		unit_go_on(u);
		exchange_levels(u, set);
	} else if (u->agenda & AGENDA_LOOP) {
		/* It stays where it is. */
	} else if (u->agenda & AGENDA_HANDLER) {
		run_handler(u);
	} else {
		struct input_set *set = latch_buffered(u);
		run_main(u);
		exchange_levels(u, set);
	}
	return IPU_ACTIVE_RUNNING;
}

/* Where an IPU goes that has nothing to do. */
static inline enum ipu_status rest(struct ipu_lite *u)
{
	if (u->phase.is_executing)
		return IPU_ACTIVE_RUNNING;
	if (u->agenda)
		return rest_with_agenda(u);
	u->nr_behind_first = 0;
	return IPU_ACTIVE_PAUSED;
}

static void note_fault(struct ipu_lite *u)
{
	const struct hart *h = &u->ipu.hart;
	enum hart_cause cause = (enum hart_cause)h->cause;
	/* What ends a run without being a fault of the hart's leaves its address as it was. */
	uint32_t address = hart_cause_has_address(cause) ? h->address : h->pc;
	u->fault = (struct ipu_fault){cause, h->pc, address, routine_names[u->routine]};
	unit_fifo_forget(&u->fifo);
	empty_buffer(u);
	clear_agenda(u, AGENDA_LOOP);
	if (u->soft)
		unit_soft_halt(u, true);
}

/* Changes the bits that make it active. */
static void change_agenda(struct ipu_lite *u, unsigned sets, unsigned clears)
{
	u->agenda = (u->agenda | sets) & ~clears;
	if (u->soft)
		unit_soft_follow(u);
}

static inline __attribute__((always_inline)) void act(struct ipu_lite *u, enum action action, const struct arrival *set)
{
	switch (action) {
	case ACTION_NEVER:
		assert(action != ACTION_NEVER);
		break;
	case ACTION_NOTHING:
	case ACTION_PEND_LOAD: /* it is pending already */
		break;
	case ACTION_LOAD:
		load(u);
		break;
	case ACTION_HOLD:
		change_agenda(u, AGENDA_HELD, 0);
		break;
	case ACTION_RELEASE:
		change_agenda(u, 0, AGENDA_HELD | (u->has_start ? 0 : AGENDA_OUTSIDE));
		break;
	case ACTION_ENTER:
		change_agenda(u, 0, AGENDA_OUTSIDE);
		break;
	case ACTION_LEAVE:
		change_agenda(u, AGENDA_OUTSIDE, 0);
		break;
	case ACTION_IGNORE:
		u->counts.ignored++;
		break;
	case ACTION_MISS:
		u->counts.missed_periods++;
		break;
	case ACTION_RUN_MAIN:
		latch(u, set->valid, set->values);
		run_main(u);
		break;
	case ACTION_RUN_HANDLER:
		unit_keep_levels(u, &u->due);
		run_handler(u);
		break;
	case ACTION_RUN_FINISH:
		run_finish(u);
		break;
	case ACTION_FEED:
		feed(u, set);
		break;
	case ACTION_PEND_FINISH:
		u->agenda |= AGENDA_FINISH;
		break;
	case ACTION_PEND_HANDLER:
		if (u->agenda & AGENDA_HANDLER)
			u->counts.missed_periods++;
		else
			unit_keep_levels(u, &u->due);
		u->agenda |= AGENDA_HANDLER;
		break;
	case ACTION_FINISHED:
		u->agenda |= u->agenda & AGENDA_LOAD ? 0 : AGENDA_HELD;
		if (u->soft)
			unit_soft_halt(u, false);
		break;
	case ACTION_STOP_FOR_GOOD:
		note_fault(u);
		break;
	}
}

/* Inline: where status and event are known, the compiler looks them up in the table. */
static inline __attribute__((always_inline)) void apply_event_in(struct ipu_lite *u, enum ipu_status status,
								 enum ipu_event event, const struct arrival *set)
{
	const struct transition *t = &transitions[status][event];
	act(u, (enum action)t->action, set);
	u->phase.status = (uint8_t)(t->next == REST ? rest(u) : (enum ipu_status)t->next);
}

static __attribute__((noinline)) void apply_event_anywhere(struct ipu_lite *u, enum ipu_event event,
							   const struct arrival *set)
{
	apply_event_in(u, (enum ipu_status)u->phase.status, event, set);
	/* An image that was sent before a fault ended what ran is loaded nevertheless. */
	if (u->phase.status == IPU_ERROR && u->agenda & AGENDA_LOAD)
		apply_event_in(u, IPU_ERROR, IPU_EVENT_CONFIGURE, NULL);
}

/* Most of what happens is these two. */
static inline void apply_event(struct ipu_lite *u, enum ipu_event event, const struct arrival *set)
{
	if (event == IPU_EVENT_INPUT && u->phase.status == IPU_ACTIVE_PAUSED)
		apply_event_in(u, IPU_ACTIVE_PAUSED, IPU_EVENT_INPUT, set);
	else if (event == IPU_EVENT_RETURN && u->phase.status == IPU_ACTIVE_RUNNING)
		apply_event_in(u, IPU_ACTIVE_RUNNING, IPU_EVENT_RETURN, NULL);
	else
		apply_event_anywhere(u, event, set);
}

/* Time. */

static void set_ratio(struct unit_clock *c, uint32_t hit_mhz, uint32_t ipu_mhz)
{
	uint32_t a = unit_common_divisor(hit_mhz, ipu_mhz);
	uint64_t old = c->hit.by;
	c->hit_mhz = hit_mhz;
	c->ipu = ipu_mhz / a;
	c->hit = reciprocal_of(hit_mhz / a);
	if (old == 0)
		return;
	/* Up: what the processor has seen already must not lie ahead. */
	c->part = (uint64_t)(((wide)c->part * c->hit.by + old - 1) / old);
	if (c->part == c->hit.by) {
		c->whole++;
		c->part = 0;
	}
}

/* Distances that need no more than 64 bits. */
static inline bool is_near(const struct ipu_lite *u, uint64_t hit_cycle)
{
	return hit_cycle - u->clock.hit_cycle <= UINT64_MAX / IPU_MAX_MHZ - 1;
}

static inline void move_clock_near(struct ipu_lite *u, uint64_t hit_cycle)
{
	struct unit_clock *c = &u->clock;
	uint64_t distance = hit_cycle - c->hit_cycle;
	c->hit_cycle = hit_cycle;
	c->whole += reciprocal_divide(c->hit, distance * c->ipu + c->part, &c->part);
	/* Events now are seen by the processor's next whole cycle. */
	u->at = c->whole + (c->part > 0);
}

static inline void move_clock(struct ipu_lite *u, uint64_t hit_cycle)
{
	struct unit_clock *c = &u->clock;
	if (__builtin_expect(is_near(u, hit_cycle), 1)) {
		move_clock_near(u, hit_cycle);
		return;
	}
	wide sum = (wide)(hit_cycle - c->hit_cycle) * c->ipu + c->part;
	c->hit_cycle = hit_cycle;
	c->whole += (uint64_t)(sum / c->hit.by);
	c->part = (uint64_t)(sum % c->hit.by);
	u->at = c->whole + (c->part > 0);
}

/* The soft logic has come as far as the routine. */
static __attribute__((noinline)) void go_on_with_access(struct ipu_lite *u)
{
	struct input_set levels = u->access;
	clear_agenda(u, AGENDA_ACCESS);
	u->at = u->free_at;
	exchange_levels(u, &levels);
	unit_go_on_with_access(u);
	exchange_levels(u, &levels);
}

/* The HIT cycle that has to come for the routine to return, or to go on. */
static uint64_t returns_in(const struct ipu_lite *u)
{
	return u->phase.outcome == OUTCOME_ACCESS ? unit_hit_cycle_from(u, u->free_at)
						  : unit_hit_cycle_of(u, u->free_at);
}

/* Ends routines that are over when the processor sees the present. What that starts begins where they ended. */
static inline void let_return(struct ipu_lite *u)
{
	uint64_t at = u->at;
	while (u->phase.is_executing && u->free_at <= at) {
		if (__builtin_expect(u->phase.outcome == OUTCOME_ACCESS, 0)) {
			if (u->free_at > u->clock.whole)
				break;
			go_on_with_access(u);
			continue;
		}
		u->at = u->free_at;
		u->phase.is_executing = false;
		if (u->phase.outcome == IPU_EVENT_WAIT)
			u->agenda |= AGENDA_LOOP;
		if (__builtin_expect(u->agenda & AGENDA_TIMER, 0))
			unit_start_timer(u);
		u->is_returning = u->soft;
		apply_event(u, (enum ipu_event)u->phase.outcome, NULL);
		u->is_returning = false;
	}
	u->at = at;
}

/* Counts at once the periods before `hit_cycle` that change nothing: nobody looks at them, or one is due already. */
static void skip_periods(struct ipu_lite *u, uint64_t hit_cycle)
{
	bool is_missed = transitions[u->phase.status][IPU_EVENT_TIMER].action == ACTION_MISS;
	if (!is_missed && !(u->agenda & AGENDA_HANDLER && (u->phase.is_executing || u->agenda & AGENDA_LOOP)))
		return;
	if (u->phase.is_executing) {
		uint64_t free = returns_in(u);
		hit_cycle = free < hit_cycle ? free : hit_cycle;
	}
	if (u->next_period >= hit_cycle)
		return;
	uint64_t nr = (hit_cycle - 1 - u->next_period) / u->period + 1;
	u->counts.missed_periods += nr;
	u->next_period += nr * u->period;
}

/* Goes from one automatic action of the IPU to the next, all before `hit_cycle`. */
static __attribute__((noinline)) void let_run(struct ipu_lite *u, uint64_t hit_cycle)
{
	for (;;) {
		skip_periods(u, hit_cycle);
		uint64_t returns = u->phase.is_executing ? returns_in(u) : NEVER;
		uint64_t now = returns <= u->next_period ? returns : u->next_period;
		if (now >= hit_cycle)
			return;
		move_clock(u, now);
		let_return(u);
		if (u->next_period == now) {
			u->next_period += u->period;
			apply_event(u, IPU_EVENT_TIMER, NULL);
		}
	}
}

/* Up to the beginning of `hit_cycle`; the timer's period in that cycle, if one ends there, is still to come. */
static inline void pass_time(struct ipu_lite *u, uint64_t hit_cycle)
{
	assert(hit_cycle >= u->clock.hit_cycle);
	if (__builtin_expect(u->next_period < hit_cycle || u->agenda & AGENDA_TO_DO, 0))
		let_run(u, hit_cycle);
	move_clock(u, hit_cycle);
	let_return(u);
}

/* Something that the host or the HIT does; actions without duration are over at once. */
static void deliver_event(struct ipu_lite *u, enum ipu_event event)
{
	apply_event(u, event, NULL);
	let_return(u);
}

static enum sahm_status check(const struct ipu_unit_config *c, struct sahm_err *err)
{
	const uint32_t clocks[] = {c->hit_mhz, c->ipu_mhz};
	for (int i = 0; i < 2; i++)
		if (clocks[i] < IPU_MIN_MHZ || clocks[i] > IPU_MAX_MHZ)
			return sahm_fail(err, SAHM_RANGE, "a clock of %u MHz, must be from %u to %u", clocks[i],
					 IPU_MIN_MHZ, IPU_MAX_MHZ);
	if (c->mismatch != IPU_EVERY && c->mismatch_arg < 1)
		return sahm_fail(err, SAHM_RANGE, "the mode for mismatched clocks needs a number above 0");
	if (c->mismatch == IPU_WINDOW && c->mismatch_arg > IPU_MAX_WINDOW)
		return sahm_fail(err, SAHM_RANGE, "a window of %u input sets, at most %u", c->mismatch_arg,
				 IPU_MAX_WINDOW);
	if (c->max_cycles < 1)
		return sahm_fail(err, SAHM_RANGE, "routines may take no cycle at all");
	if (c->fifo_bytes < IPU_PACKET_HEADER_BYTES || c->fifo_bytes > INT32_MAX)
		return sahm_fail(err, SAHM_RANGE, "a FIFO of %u bytes, must be from %u to %d", c->fifo_bytes,
				 IPU_PACKET_HEADER_BYTES, INT32_MAX);
	return SAHM_OK;
}

enum sahm_status ipu_lite_init(struct ipu_lite *u, const struct ipu_unit_config *config, struct sahm_err *err)
{
	enum sahm_status status = check(config, err);
	if (status != SAHM_OK)
		return status;
	u->unit.ops = &ipu_lite_ops;
	u->config = *config;
	u->next_period = NEVER;
	u->last_whole = IPU_MAX_CYCLE;
	u->agenda = AGENDA_OUTSIDE;
	set_ratio(&u->clock, config->hit_mhz, config->ipu_mhz);
	if (config->mismatch == IPU_WINDOW)
		u->buffer = calloc(config->mismatch_arg, sizeof(*u->buffer));
	if (!unit_fifo_init(&u->fifo, config) || (config->mismatch == IPU_WINDOW && !u->buffer))
		return sahm_fail_nomem(err);
	return SAHM_OK;
}

void ipu_lite_release(struct ipu_lite *u)
{
	unit_fifo_release(&u->fifo);
	free(u->buffer);
}

enum sahm_status ipu_unit_new(struct ipu_unit **unit, const struct ipu_unit_config *config, struct sahm_err *err)
{
	if (config->maker)
		return config->maker->make(config->maker, unit, config, err);
	struct ipu_lite *u = calloc(1, sizeof(*u));
	if (!u)
		return sahm_fail_nomem(err);
	enum sahm_status status = ipu_lite_init(u, config, err);
	if (status != SAHM_OK) {
		ipu_lite_release(u);
		free(u);
		return status;
	}
	*unit = &u->unit;
	return SAHM_OK;
}

static void lite_free(struct ipu_unit *unit)
{
	ipu_lite_release(lite_of(unit));
	free(unit);
}

/* An image is released from what held the one before; without TS it waits for RESUME. */
static void lite_configure(struct ipu_unit *unit, uint64_t hit_cycle, const struct ipu_program *program)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	u->pending = program;
	change_agenda(u, AGENDA_LOAD | (u->has_start ? 0 : AGENDA_OUTSIDE), AGENDA_HELD);
	deliver_event(u, IPU_EVENT_CONFIGURE);
}

static void lite_set_start(struct ipu_unit *unit, uint64_t hit_cycle, uint64_t address)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	u->has_start = true;
	u->start = address;
}

static void lite_set_stop(struct ipu_unit *unit, uint64_t hit_cycle, uint64_t address)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	u->has_stop = true;
	u->stop = address;
}

static void lite_pause(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	deliver_event(u, IPU_EVENT_PAUSE);
}

static void lite_resume(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	deliver_event(u, IPU_EVENT_RESUME);
}

static void lite_finalize(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	deliver_event(u, IPU_EVENT_FINALIZE);
}

static void lite_address(struct ipu_unit *unit, uint64_t hit_cycle, uint64_t address)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	bool was_inside = !(u->agenda & AGENDA_OUTSIDE);
	if (u->has_start && address == u->start && !was_inside)
		deliver_event(u, IPU_EVENT_START);
	if (u->has_stop && address == u->stop && was_inside)
		deliver_event(u, IPU_EVENT_STOP);
}

/* Whether the mode for mismatched clocks leaves this set, which an active IPU sees, out. */
static bool is_skipped(struct ipu_lite *u)
{
	switch (u->config.mismatch) {
	case IPU_SUB_SAMPLE:
		if (u->nr_seen == u->config.mismatch_arg)
			u->nr_seen = 0;
		return u->nr_seen++ != 0;
	case IPU_PHASES:
		return u->clock.hit_mhz > u->config.mismatch_arg;
	default:
		return false;
	}
}

static __attribute__((noinline, flatten)) void input_anywhere(struct ipu_lite *u, uint64_t hit_cycle, uint32_t valid,
							      const uint64_t values[NR_IOREGS])
{
	pass_time(u, hit_cycle);
	if (u->config.mismatch != IPU_EVERY &&
	    (u->phase.status == IPU_ACTIVE_PAUSED || u->phase.status == IPU_ACTIVE_RUNNING) && unit_is_active(u) &&
	    is_skipped(u)) {
		u->counts.skipped++;
		return;
	}
	apply_event(u, IPU_EVENT_INPUT, &(struct arrival){valid, values});
}

/* Nearly always _main was started, has returned by now, and runs again: what happens then, in short. Whatever else
 * there is, time may pass twice, since the second time it stands still. */
static void lite_input(struct ipu_unit *unit, uint64_t hit_cycle, uint32_t valid, const uint64_t values[NR_IOREGS])
{
	struct ipu_lite *u = lite_of(unit);
	assert(hit_cycle >= u->clock.hit_cycle);
	if (__builtin_expect(u->phase.word == unit_main_runs.word && u->agenda == 0 && u->next_period >= hit_cycle &&
				     u->config.mismatch == IPU_EVERY && is_near(u, hit_cycle),
			     1)) {
		move_clock_near(u, hit_cycle);
		if (__builtin_expect(u->free_at <= u->at, 1)) {
			latch(u, valid, values);
			u->counts.calls_main++;
			unit_call_main(u);
			return;
		}
	}
	input_anywhere(u, hit_cycle, valid, values);
}

/* A return that is seen in this cycle can start `init` or `finish`: with the levels of the cycle before if the
 * processor is past it when this cycle begins, else with the new ones. */
static void lite_levels(struct ipu_unit *unit, uint64_t hit_cycle, uint32_t mask, const uint64_t values[NR_IOREGS])
{
	struct ipu_lite *u = lite_of(unit);
	assert(hit_cycle >= u->clock.hit_cycle);
	if (__builtin_expect(u->next_period < hit_cycle || u->agenda & AGENDA_TO_DO, 0))
		let_run(u, hit_cycle);
	move_clock(u, hit_cycle);
	if (__builtin_expect(u->agenda & AGENDA_TO_DO && u->at > 0, 0)) {
		u->at--;
		let_return(u);
		u->at++;
	}
	u->levels |= mask;
	for (; mask; mask &= mask - 1) {
		int i = __builtin_ctz(mask);
		u->ioregs[i] = values[i];
	}
	let_return(u);
}

static uint64_t lite_next_look(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return u->agenda & AGENDA_TO_DO ? u->clock.hit_cycle : u->next_period;
}

static void lite_set_hit_mhz(struct ipu_unit *unit, uint64_t hit_cycle, uint32_t mhz)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
	set_ratio(&u->clock, mhz, u->config.ipu_mhz);
	u->at = u->clock.whole + (u->clock.part > 0);
}

static void lite_advance(struct ipu_unit *unit, uint64_t hit_cycle)
{
	struct ipu_lite *u = lite_of(unit);
	pass_time(u, hit_cycle);
}

/* Each end of a routine can begin another one: those of the buffer, handler, `finish`, `init`. */
static void lite_settle(struct ipu_unit *unit)
{
	struct ipu_lite *u = lite_of(unit);
	uint32_t nr = u->nr_buffered + 4;
	while (u->phase.is_executing && nr > 0) {
		nr -= u->phase.outcome != OUTCOME_ACCESS;
		pass_time(u, returns_in(u));
	}
}

static bool lite_acts_alone(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return u->next_period != NEVER || u->agenda & AGENDA_TO_DO;
}

static uint64_t lite_last_cycle(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	const struct unit_clock *c = &u->clock;
	if (c->whole >= u->last_whole || c->hit_cycle >= IPU_MAX_CYCLE)
		return c->hit_cycle;
	wide distance = (wide)(u->last_whole - 1 - c->whole) * c->hit.by / c->ipu;
	return distance < IPU_MAX_CYCLE - c->hit_cycle ? c->hit_cycle + (uint64_t)distance : IPU_MAX_CYCLE;
}

static enum ipu_status lite_status(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return (enum ipu_status)u->phase.status;
}

/* Derived values are not counted separately: the processor counts from its image on, as this does, and there
 * is a set for each call of _main and each turn of a loop. */
static struct ipu_counts lite_counts(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	struct ipu_counts c = u->counts;
	c.instructions = u->ipu.hart.nr_retired;
	c.taken = c.calls_main + u->nr_turns;
	c.arrived = c.ignored + c.skipped + c.dropped + c.taken + u->nr_buffered;
	c.packets = u->fifo.packets;
	c.bytes = u->fifo.bytes;
	c.lost_packets = u->fifo.lost_packets;
	c.lost_bytes = u->fifo.lost_bytes;
	return c;
}

static struct ipu_fault lite_fault(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return u->fault;
}

static uint64_t lite_hit_cycle(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return u->clock.hit_cycle;
}

static uint64_t lite_ipu_cycle(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return u->clock.whole;
}

static uint64_t lite_free_at(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return u->phase.is_executing ? u->free_at : u->clock.whole;
}

static uint32_t lite_buffered(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return u->nr_buffered;
}

static const struct ipu *lite_processor(const struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of_const(unit);
	return &u->ipu;
}

static uint32_t lite_waiting(struct ipu_unit *unit)
{
	const struct ipu_lite *u = lite_of(unit);
	return u->fifo.used;
}

static bool lite_soft_counts(const struct ipu_unit *unit, struct ipu_soft_counts *counts)
{
	(void)unit;
	(void)counts;
	return false;
}

static enum sahm_status lite_check(const struct ipu_unit *unit, struct sahm_err *err)
{
	(void)unit;
	(void)err;
	return SAHM_OK;
}

const struct ipu_unit_ops ipu_lite_ops = {
	.free = lite_free,
	.configure = lite_configure,
	.set_start = lite_set_start,
	.set_stop = lite_set_stop,
	.pause = lite_pause,
	.resume = lite_resume,
	.finalize = lite_finalize,
	.address = lite_address,
	.input = lite_input,
	.levels = lite_levels,
	.next_look = lite_next_look,
	.set_hit_mhz = lite_set_hit_mhz,
	.advance = lite_advance,
	.settle = lite_settle,
	.acts_alone = lite_acts_alone,
	.last_cycle = lite_last_cycle,
	.status = lite_status,
	.counts = lite_counts,
	.fault = lite_fault,
	.hit_cycle = lite_hit_cycle,
	.ipu_cycle = lite_ipu_cycle,
	.free_at = lite_free_at,
	.buffered = lite_buffered,
	.waiting = lite_waiting,
	.processor = lite_processor,
	.take = unit_fifo_take_processors,
	.soft_counts = lite_soft_counts,
	.check = lite_check,
};
