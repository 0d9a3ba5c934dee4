/* An IPU's routines: what the processor does, as far ahead as nothing from outside can matter to it. */
#include "ipu/core/lanes_internal.h"
#include "ipu/unit/unit_internal.h"

enum { CSR_VALID = 0x800, CSR_STATUS = 0x801, CSR_TIMER_PERIOD = 0x802, CSR_TIMER_HANDLER = 0x803 };

uint64_t unit_hit_cycle_of(const struct ipu_lite *u, uint64_t ipu_cycle)
{
	const struct unit_clock *c = &u->clock;
	if (ipu_cycle <= c->whole + (c->part > 0))
		return c->hit_cycle;
	/* The one before has to be past. */
	wide distance = (wide)(ipu_cycle - 1 - c->whole) * c->hit.by - c->part;
	return c->hit_cycle + (uint64_t)(distance / c->ipu) + 1;
}

uint64_t unit_hit_cycle_from(const struct ipu_lite *u, uint64_t ipu_cycle)
{
	const struct unit_clock *c = &u->clock;
	if (ipu_cycle <= c->whole)
		return c->hit_cycle;
	wide distance = (wide)(ipu_cycle - c->whole) * c->hit.by - c->part;
	return c->hit_cycle + (uint64_t)((distance + c->ipu - 1) / c->ipu);
}

/* Of what is no packet's: whether the soft logic has served it. One that comes too early ends as a fault, of which
 * outcome_of() makes a pause. */
static bool is_served(struct ipu_lite *u, enum soft_answer answer)
{
	u->is_access_early = answer == SOFT_TOO_EARLY;
	if (answer == SOFT_DONE)
		u->ipu.hart.nr_extra += IPU_SOFT_CYCLES - 1;
	return answer == SOFT_DONE;
}

static bool load(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t *value)
{
	struct ipu_lite *u = h->context;
	return u->soft && is_served(u, unit_soft_load_word(u, address, nr_bytes, value));
}

static bool store(struct hart *h, uint32_t address, unsigned nr_bytes, uint32_t value)
{
	struct ipu_lite *u = h->context;
	if (__builtin_expect(address - IPU_WINDOW_BASE < IPU_WINDOW_BYTES, 1))
		return unit_fifo_store(u, address, nr_bytes, value);
	return u->soft && is_served(u, unit_soft_store_word(u, address, nr_bytes, value));
}

static bool csr_read(struct hart *h, uint32_t csr, uint32_t *value)
{
	const struct ipu_lite *u = h->context;
	switch (csr) {
	case CSR_VALID:
		*value = u->valid;
		return true;
	case CSR_STATUS:
		*value = u->routine == ROUTINE_FINISH ? IPU_FINALIZE : IPU_ACTIVE_RUNNING;
		return true;
	case CSR_TIMER_PERIOD:
		*value = u->timer_period;
		return true;
	case CSR_TIMER_HANDLER:
		*value = u->timer_handler;
		return true;
	default:
		return false;
	}
}

void unit_start_timer(struct ipu_lite *u)
{
	u->agenda &= ~(unsigned)(AGENDA_TIMER | AGENDA_HANDLER);
	u->period = u->timer_period;
	u->next_period = u->period ? unit_hit_cycle_of(u, u->at) + u->period : NEVER;
}

/* The processor is ahead of time here: until the routine's end has come the timer goes on as it was. */
static bool csr_write(struct hart *h, uint32_t csr, uint32_t value)
{
	struct ipu_lite *u = h->context;
	if (csr == CSR_TIMER_PERIOD) {
		u->timer_period = value;
		u->agenda |= AGENDA_TIMER;
		return true;
	}
	if (csr == CSR_TIMER_HANDLER) {
		u->timer_handler = value;
		return true;
	}
	return false;
}

static const struct hart_host host = {.load = load, .store = store, .csr_read = csr_read, .csr_write = csr_write};

/* That an instruction takes: an update of a histogram with as many lanes as it can have. */
#define MOST_CYCLES (LANES_MAX / LANES_A_CYCLE)
_Static_assert(IPU_SOFT_CYCLES <= MOST_CYCLES, "an access takes no longer");

/* Instructions after which a routine that may still take `left` cycles is looked at: so few that it cannot have gone
 * far past them. */
static inline uint64_t slice(uint64_t left)
{
	return left > MOST_CYCLES ? left / MOST_CYCLES : left > 0;
}

void unit_load(struct ipu_lite *u, const struct ipu_program *program)
{
	u->counts = (struct ipu_counts){0};
	u->fifo.packets = u->fifo.bytes = u->fifo.lost_packets = u->fifo.lost_bytes = 0;
	u->nr_turns = 0;
	u->valid = 0;
	for (unsigned i = 0; i < NR_IOREGS; i++)
		if (!(u->levels >> i & 1))
			u->ioregs[i] = 0;
	u->timer_period = 0;
	u->timer_handler = 0;
	u->next_period = NEVER;
	u->agenda &= ~(unsigned)(AGENDA_HANDLER | AGENDA_BUFFER);
	u->nr_seen = 0;
	u->nr_buffered = 0;
	u->nr_behind_first = -1;
	unit_fifo_forget(&u->fifo);
	u->first_slice = u->config.max_cycles / MOST_CYCLES;
	ipu_program_main(program, &u->main);
	u->has_init = ipu_program_has_init(program);
	u->has_finish = ipu_program_has_finish(program);
	ipu_init(&u->ipu, program);
	u->ipu.hart.host = &host;
	u->ipu.hart.context = u;
	u->ipu.hart.inputs = u->ioregs;
	u->main_routine = (struct host_routine){NULL, NULL};
	if (u->ipu.hart.translation && u->first_slice - 1 < INT64_MAX)
		u->main_routine = host_routine_find(u->ipu.hart.translation, u->main);
}

static inline enum ipu_event outcome_of(struct ipu_lite *u, enum hart_cause cause)
{
	if (__builtin_expect(u->is_access_early, 0)) {
		u->is_access_early = false;
		u->ipu.hart.cause = HART_NONE;
		unit_keep_levels(u, &u->access);
		u->agenda |= AGENDA_ACCESS;
		return OUTCOME_ACCESS;
	}
	return cause == HART_RETURNED ? IPU_EVENT_RETURN : cause == HART_INPUT ? IPU_EVENT_WAIT : IPU_EVENT_FAULT;
}

/* Cycles that pass without an instruction are the hart's extra ones, so that its cycle counter is the IPU's clock. */
static inline void begin(struct ipu_lite *u)
{
	u->ipu.hart.nr_extra = u->at - u->ipu.hart.nr_retired;
}

/* The processor has come as far as it can, by now or some time ago. */
static inline void end(struct ipu_lite *u, enum ipu_event outcome)
{
	const struct hart *h = &u->ipu.hart;
	u->free_at = h->nr_retired + h->nr_extra;
	u->counts.busy_cycles += u->free_at - u->at;
	if (outcome == IPU_EVENT_RETURN && u->phase.word == unit_main_runs.word)
		return;
	/* In one store: it is loaded so, and would have to wait for several. */
	u->phase.word = (union unit_phase){{u->phase.status, (uint8_t)outcome, true, 0}}.word;
}

/* Runs on from where `cause`, the end of a slice that began in cycle `from`, has left the routine. */
static __attribute__((noinline)) void run_on(struct ipu_lite *u, uint64_t from, enum hart_cause cause)
{
	struct hart *h = &u->ipu.hart;
	const uint64_t max = u->config.max_cycles;
	for (;;) {
		uint64_t now = h->nr_retired + h->nr_extra;
		u->used += now - from;
		from = now;
		if (cause != HART_BUDGET || u->used >= max)
			break;
		cause = hart_run(h, slice(max - u->used));
	}
	if (u->used > max && !hart_cause_is_fault(cause)) {
		h->cause = HART_BUDGET;
		cause = HART_BUDGET;
	}
	end(u, outcome_of(u, cause));
}

static void run(struct ipu_lite *u)
{
	struct hart *h = &u->ipu.hart;
	uint64_t max = u->config.max_cycles;
	begin(u);
	/* A loop that has waited can have used up all. */
	run_on(u, u->at, hart_run(h, slice(max > u->used ? max - u->used : 0)));
}

void unit_call_main(struct ipu_lite *u)
{
	struct hart *h = &u->ipu.hart;
	enum hart_cause cause;
	u->routine = ROUTINE_MAIN;
	begin(u);
	hart_set_register(h, HART_SP, IPU_STACK_TOP);
	if (__builtin_expect(u->main_routine.code != NULL, 1)) {
		hart_enter_anywhere(h);
		cause = host_routine_run(h, u->main_routine, u->first_slice);
	} else {
		hart_enter(h, u->main);
		cause = hart_run(h, u->first_slice);
	}
	/* Nearly always this is all, and within the limit: that is what the slice is for. */
	if (cause == HART_RETURNED) {
		end(u, IPU_EVENT_RETURN);
		return;
	}
	u->used = 0;
	run_on(u, u->at, cause);
}

/* Only _main has inputs to wait for. */
static void refuse_wait(struct ipu_lite *u)
{
	if (u->phase.outcome == IPU_EVENT_WAIT && u->routine != ROUTINE_MAIN && u->routine != ROUTINE_FINISH)
		u->phase.outcome = IPU_EVENT_FAULT;
}

void unit_call(struct ipu_lite *u, enum routine routine)
{
	struct hart *h = &u->ipu.hart;
	uint32_t entry = routine == ROUTINE_INIT      ? IPU_INIT
			 : routine == ROUTINE_HANDLER ? u->timer_handler
						      : IPU_FINISH;
	u->routine = routine;
	u->agenda &= ~(unsigned)AGENDA_LOOP;
	u->used = 0;
	if ((routine == ROUTINE_INIT && !u->has_init) || (routine == ROUTINE_FINISH && !u->has_finish)) {
		u->free_at = u->at;
		u->phase.is_executing = true;
		u->phase.outcome = IPU_EVENT_RETURN;
		return;
	}
	hart_set_register(h, HART_SP, IPU_STACK_TOP);
	hart_enter(h, entry);
	run(u);
	refuse_wait(u);
}

void unit_go_on(struct ipu_lite *u)
{
	u->nr_turns++;
	u->agenda &= ~(unsigned)AGENDA_LOOP;
	run(u);
}

void unit_go_on_with_access(struct ipu_lite *u)
{
	run(u);
	refuse_wait(u);
}
