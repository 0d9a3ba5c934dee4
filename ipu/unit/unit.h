/* An IPU in time: processor, input registers (IORegs), triggers, timer, state machine, output FIFO, one beside each HIT
 * (hardware introspection target; in a simulation, a core). It reads signals and sends packets; nothing in it can reach
 * the HIT.
 *
 * Time is the HIT's, in cycles, and never goes backwards: every function that takes a cycle wants one that is at least
 * that of the call before. In one cycle, calls go in the order of enum ipu_event: host, ADDR, inputs; the timer always
 * comes last. Levels come before ADDR and inputs; what the host starts before them in a cycle sees the old ones. The
 * processor has a separate clock, one instruction a cycle (exceptions: introspect.h). What happens at the beginning of
 * a HIT cycle has a position in IPU cycles, exact by the ratio of the clocks, and is seen at the next whole one: there
 * it finds the processor busy or not, and a routine that it starts has its first cycle. So only the first of the sets
 * that come within one IPU cycle can be taken. Later queries see the events until then; the processor itself runs
 * ahead until it needs input that the HIT has not produced yet.
 *
 *	                 CONFIGURE                    RETURN
 *	 UNDEFINED ───────────────────▶ ┌──────────▶ REST ◀────────────┐
 *	                    init        │              │               │
 *	                         ACTIVE_RUNNING ◀──────┤ due, or fed   │ RESUME, START
 *	                          ▲     │              ├──▶ PAUSED ────┘   (and not held, and inside)
 *	               INPUT:     │     │ FAULT        │      ▲  │
 *	               _main      │     ▼              │      │  │ FINALIZE
 *	               TIMER:     │   ERROR ◀──────┐   │      │  ▼
 *	               handler    │           FAULT│   │      └─ FINALIZE (finish)
 *	                        ACTIVE_PAUSED ◀─────┼──┘          │
 *	                                            └─────────────┘
 *
 * The table (transition_list.h) has a row for every state and event. REST is where an IPU goes that has nothing to do:
 *   a routine is executing: ACTIVE_RUNNING;
 *   else FINALIZE was asked for: FINALIZE, which runs `finish`; a loop that waits ends without;
 *   else an image was sent: ACTIVE_RUNNING, in its `init`; a loop that waits ends without;
 *   else it is not active: PAUSED. It is active when it is not held (PAUSE, and the end of FINALIZE, hold it, RESUME
 *     releases it) and inside: from ADDR = TS to ADDR = TE; without TS from RESUME to ADDR = TE;
 *   else a loop waits for inputs: ACTIVE_RUNNING, where it goes on as soon as a set is there;
 *   else the timer is due: ACTIVE_RUNNING, in its handler;
 *   else a set is in the fast buffer: ACTIVE_RUNNING, in _main;
 *   else: ACTIVE_PAUSED.
 * Actions: LOAD resets the IPU (triggers, which belong to the host, stay) and runs `init`; RUN_* run a routine with sp
 * at the top of the scratchpad; FEED gives the set to the loop that waits, else drops it; PEND_* note what REST looks
 * at; ENTER, LEAVE, HOLD, RELEASE change what makes it active; IGNORE and MISS count a set or a period that nobody
 * looks at; STOP_FOR_GOOD keeps cause, PC and address for the host, drops what is in the fast buffer, and loads an
 * image that was sent before. A packet in the making is thrown away by LOAD and STOP_FOR_GOOD and kept otherwise;
 * packets in the FIFO, the bandwidth account and the clocks go on over LOAD.
 *
 * CONFIGURE itself, not the LOAD that may follow later, releases the previous image, and without TS ends a RESUME, so
 * that later PAUSE and RESUME are for the new image. Outside is outside in ACTIVE_RUNNING, too: sets that arrive there
 * and then are dropped, not buffered.
 *
 * A routine that the program does not have takes no cycle: it is over at once. An instruction that
 * faults takes none either. Only _main can wait for inputs; for `init`, handler and `finish` WAIT is a FAULT
 * (HART_INPUT).
 *
 * The timer's CSRs take effect at once, but the period restarts at the end of the routine that writes it (or where that
 * waits in a loop): from the first HIT cycle that begins there or later. Until then the old one goes on; a handler that
 * is due by then is not any more. Over a pause it stays due.
 *
 * Levels are signals that always have a value. They are no data points: no set comes of them, and CSR 0x800 never has
 * their bits. A program reads them in IORegs like data points, and they do not change while a routine executes:
 *   _main and each turn of a loop: those of the cycle in which their set arrived; the fast buffer keeps them with it;
 *   the timer's handler: those of the cycle in which its period ended, however long it waits, of several the first. In
 *     hardware the timer copies them into a second rank of registers, which is our choice. Without this rank
 *     (has_late_levels) it sees those of the cycle in which it starts;
 *   `init` and `finish`: those of the cycle in which they start.
 * Data points that a handler reads are those of the set that was taken last. LOAD keeps the levels.
 *
 * Source: dissertation, sections 2.2 and 2.3; details that these leave open are decided here.
 */
#ifndef SAHM_IPU_UNIT_UNIT_H
#define SAHM_IPU_UNIT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ipu/core/ipu.h"
#include "sim/base/err.h"

/* Input registers. */
#define NR_IOREGS 32

/* The window that the host shows in the IPU's address space. A store appends its bytes to the packet under
 * construction; one at IPU_WINDOW_SEND or after it closes and sends the packet, and its value is lost. Loads from it,
 * and bytes beyond IPU_MAX_PACKET_BYTES, are faults. */
#define IPU_WINDOW_BASE UINT32_C(0x80000000)
#define IPU_WINDOW_BYTES UINT32_C(0x10000)
#define IPU_WINDOW_SEND (IPU_WINDOW_BASE + IPU_WINDOW_BYTES - 4)
#define IPU_MAX_PACKET_BYTES (IPU_WINDOW_BYTES - 4)

/* The window of the soft logic of an IPU_pro: its controls (soft_control_list.h), then the module's registers. Accesses
 * are of aligned words, each takes IPU_SOFT_CYCLES. */
#define IPU_SOFT_BASE UINT32_C(0x90000000)
#define IPU_SOFT_MODULE (IPU_SOFT_BASE + 0x1000)
#define IPU_SOFT_CYCLES 4u

/* How far clocks run. */
#define IPU_MAX_CYCLE (UINT64_C(1) << 62)

/* Clocks, in MHz. */
#define IPU_MIN_MHZ 1u
#define IPU_MAX_MHZ 1000000u
#define IPU_DEFAULT_MHZ 2000u

enum ipu_status {
#define STATUS(symbol, value, text) IPU_##symbol = value,
#include "ipu/unit/unit_status_list.h"
#undef STATUS
	NR_IPU_STATUSES
};

/* What can happen to an IPU; of events in one cycle of the HIT, those that stand first come first. To add one, or a
 * status (unit_status_list.h): its rows in transition_list.h. */
enum ipu_event {
	IPU_EVENT_RETURN,    /* the running routine returns */
	IPU_EVENT_WAIT,	     /* the running routine's loop wants an input set */
	IPU_EVENT_FAULT,     /* the running routine faults */
	IPU_EVENT_CONFIGURE, /* host: IPU_CONFIG_IMAGE */
	IPU_EVENT_PAUSE,     /* host: IPU_PAUSE */
	IPU_EVENT_RESUME,    /* host: IPU_RESUME */
	IPU_EVENT_FINALIZE,  /* host: IPU_FINALIZE */
	IPU_EVENT_START,     /* ADDR equals TS */
	IPU_EVENT_STOP,	     /* ADDR equals TE */
	IPU_EVENT_INPUT,     /* an input set arrives */
	IPU_EVENT_TIMER,     /* the timer's period is over */
	NR_IPU_EVENTS
};

const char *ipu_status_text(enum ipu_status status);

/* How to handle a HIT that is faster than the IPU: the three modes of the dissertation, section 2.2, and none. */
enum ipu_mismatch {
	IPU_EVERY,	/* every set that finds the IPU ready is taken */
	IPU_SUB_SAMPLE, /* the first of every `mismatch_arg` sets that arrive while it is active; the rest is skipped */
	/* A fast buffer takes up to `mismatch_arg` sets in a row as they come; while the IPU works off that many,
	 * others are dropped; the next window begins as soon as it has worked off all that the buffer took. */
	IPU_WINDOW,
	IPU_PHASES, /* sets are taken only while the HIT's clock is at most `mismatch_arg` MHz; the rest is skipped */
};

#define IPU_MAX_WINDOW 4096u

struct ipu_unit_maker;

struct ipu_unit_config {
	const struct ipu_unit_maker *maker; /* NULL: it is an IPU_lite */
	uint32_t hit_mhz, ipu_mhz;	    /* IPU_MIN_MHZ to IPU_MAX_MHZ */
	enum ipu_mismatch mismatch;
	uint32_t mismatch_arg; /* at least 1; of a window at most IPU_MAX_WINDOW */
	uint64_t max_cycles;   /* a routine that runs longer, waiting left out, faults with HART_BUDGET; at least 1 */
	uint32_t fifo_bytes;   /* packets in the FIFO take no more, with IPU_PACKET_HEADER_BYTES for each, which is the
				  minimum; at most INT32_MAX */
	bool has_late_levels;  /* there is no second rank of registers for the timer's handler */
	uint64_t max_bytes_per_s; /* 0: no limit. Payload: the account fills at this rate, all the time, up to
				     IPU_MAX_PACKET_BYTES, with which it begins. */
};

#define IPU_PACKET_HEADER_BYTES 16u
#define IPU_DEFAULT_MAX_CYCLES UINT64_C(100000000)
#define IPU_DEFAULT_FIFO_BYTES UINT32_C(0x20000)

/* Since the last image was loaded; sets are counted once each: arrived = ignored + skipped + dropped + taken + those in
 * the fast buffer. */
struct ipu_counts {
	uint64_t arrived; /* input sets */
	uint64_t ignored; /* it was not active */
	uint64_t skipped; /* by the mode for mismatched clocks */
	uint64_t dropped; /* it was running, or the fast buffer was closed, or emptied by FINALIZE or a fault */
	uint64_t taken;	  /* latched, by _main or by a loop */
	uint64_t calls_main, calls_handler;
	uint64_t missed_periods;	   /* of the timer */
	uint64_t instructions;		   /* retired, up to where the processor has run ahead */
	uint64_t busy_cycles;		   /* IPU cycles in routines, waiting left out; as far */
	uint64_t packets, bytes;	   /* sent: into the FIFO */
	uint64_t lost_packets, lost_bytes; /* not sent: the FIFO was full, or the bandwidth used up */
};

/* Of the soft logic of an IPU_pro, since the last image was loaded: arrived = ignored + skipped + dropped + taken +
 * those in its fast buffer. */
struct ipu_soft_counts {
	uint64_t cycles;  /* of its clock, those in which that stood still left out */
	uint64_t arrived; /* sets with an input of the module */
	uint64_t ignored; /* it did not run */
	uint64_t skipped; /* by the mode for mismatched clocks */
	uint64_t dropped; /* another one came in the same soft cycle, or the buffer was closed, or emptied by a stop */
	uint64_t taken;
	uint64_t packets, bytes;	   /* sent: into its FIFO */
	uint64_t lost_packets, lost_bytes; /* not sent */
};

struct ipu_packet {
	uint64_t sent_at; /* IPU cycles that had passed when it was complete: at the end of the store that sent it */
	uint32_t nr_bytes;
	const uint8_t *bytes; /* until the next call for this unit */
};

/* Where and why an IPU is in ERROR. */
struct ipu_fault {
	enum hart_cause cause;
	uint32_t pc, address; /* the address is the PC where the cause concerns no other */
	const char *routine;  /* "init", "_main", "timer handler" or "finish" */
};

/* An IPU, of whatever implementation: its operations come first in it. Callers use the functions below the table. */
struct ipu_unit {
	const struct ipu_unit_ops *ops;
};

/* The functions of the same names say what each does. */
struct ipu_unit_ops {
	void (*free)(struct ipu_unit *u);
	void (*configure)(struct ipu_unit *u, uint64_t hit_cycle, const struct ipu_program *program);
	void (*set_start)(struct ipu_unit *u, uint64_t hit_cycle, uint64_t address);
	void (*set_stop)(struct ipu_unit *u, uint64_t hit_cycle, uint64_t address);
	void (*pause)(struct ipu_unit *u, uint64_t hit_cycle);
	void (*resume)(struct ipu_unit *u, uint64_t hit_cycle);
	void (*finalize)(struct ipu_unit *u, uint64_t hit_cycle);
	void (*address)(struct ipu_unit *u, uint64_t hit_cycle, uint64_t address);
	void (*input)(struct ipu_unit *u, uint64_t hit_cycle, uint32_t valid, const uint64_t values[NR_IOREGS]);
	void (*levels)(struct ipu_unit *u, uint64_t hit_cycle, uint32_t mask, const uint64_t values[NR_IOREGS]);
	uint64_t (*next_look)(const struct ipu_unit *u);
	void (*set_hit_mhz)(struct ipu_unit *u, uint64_t hit_cycle, uint32_t mhz);
	void (*advance)(struct ipu_unit *u, uint64_t hit_cycle);
	void (*settle)(struct ipu_unit *u);
	bool (*acts_alone)(const struct ipu_unit *u);
	uint64_t (*last_cycle)(const struct ipu_unit *u);
	enum ipu_status (*status)(const struct ipu_unit *u);
	struct ipu_counts (*counts)(const struct ipu_unit *u);
	struct ipu_fault (*fault)(const struct ipu_unit *u);
	uint64_t (*hit_cycle)(const struct ipu_unit *u);
	uint64_t (*ipu_cycle)(const struct ipu_unit *u);
	uint64_t (*free_at)(const struct ipu_unit *u);
	uint32_t (*buffered)(const struct ipu_unit *u);
	uint32_t (*waiting)(struct ipu_unit *u);
	const struct ipu *(*processor)(const struct ipu_unit *u);
	bool (*take)(struct ipu_unit *u, struct ipu_packet *packet);
	bool (*soft_counts)(const struct ipu_unit *u, struct ipu_soft_counts *counts);
	enum sahm_status (*check)(const struct ipu_unit *u, struct sahm_err *err);
};

/* Makes IPUs of another implementation than IPU_lite. */
struct ipu_unit_maker {
	/* As ipu_unit_new(). The config's maker is this one. */
	enum sahm_status (*make)(const struct ipu_unit_maker *m, struct ipu_unit **unit,
				 const struct ipu_unit_config *config, struct sahm_err *err);
};

/* A unit in UNDEFINED, at cycle 0 of both clocks, with neither TS nor TE. SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status ipu_unit_new(struct ipu_unit **unit, const struct ipu_unit_config *config, struct sahm_err *err);
static inline void ipu_unit_free(struct ipu_unit *unit)
{
	if (unit)
		unit->ops->free(unit);
}

/* Host. `program`, which has a _main if the unit needs one, outlives the unit or its next image. */
static inline void ipu_unit_configure(struct ipu_unit *u, uint64_t hit_cycle, const struct ipu_program *program)
{
	u->ops->configure(u, hit_cycle, program);
}

/* TS. */
static inline void ipu_unit_set_start(struct ipu_unit *u, uint64_t hit_cycle, uint64_t address)
{
	u->ops->set_start(u, hit_cycle, address);
}

/* TE. */
static inline void ipu_unit_set_stop(struct ipu_unit *u, uint64_t hit_cycle, uint64_t address)
{
	u->ops->set_stop(u, hit_cycle, address);
}

static inline void ipu_unit_pause(struct ipu_unit *u, uint64_t hit_cycle)
{
	u->ops->pause(u, hit_cycle);
}

static inline void ipu_unit_resume(struct ipu_unit *u, uint64_t hit_cycle)
{
	u->ops->resume(u, hit_cycle);
}

static inline void ipu_unit_finalize(struct ipu_unit *u, uint64_t hit_cycle)
{
	u->ops->finalize(u, hit_cycle);
}

/* HIT. ADDR has this value in this cycle: START if it is TS and the unit is not inside, STOP if it is TE and it was
 * inside before. (Where TS = TE, they take turns.) */
static inline void ipu_unit_address(struct ipu_unit *u, uint64_t hit_cycle, uint64_t address)
{
	u->ops->address(u, hit_cycle, address);
}

/* An input set: values[i] is that of IOReg i where bit i of `valid` is set, which it is somewhere. Other IORegs keep
 * what they hold. CSR 0x800 is the `valid` of the set that was taken last. */
static inline void ipu_unit_input(struct ipu_unit *u, uint64_t hit_cycle, uint32_t valid,
				  const uint64_t values[NR_IOREGS])
{
	u->ops->input(u, hit_cycle, valid, values);
}

/* From this cycle on the levels of `mask` have these values; it causes no event. It lets time pass first: a period of
 * the timer that ended before sees the old values, one that ends in this cycle the new ones. A register that `mask` has
 * named once is a level's, which was 0 until then; no `valid` ever names it. */
static inline void ipu_unit_levels(struct ipu_unit *u, uint64_t hit_cycle, uint32_t mask,
				   const uint64_t values[NR_IOREGS])
{
	u->ops->levels(u, hit_cycle, mask, values);
}

/* The HIT cycle in which, if nothing is called before, a routine starts that looks at levels: the end of the timer's
 * period; UINT64_MAX if no timer runs; the present cycle, or an earlier one, while something is pending of which that
 * cannot be said. A HIT that calls ipu_unit_levels() in cycles from this one on, and before input sets and calls of the
 * host in their cycles, gets the same results as one that calls it in every cycle. */
static inline uint64_t ipu_unit_next_look(const struct ipu_unit *u)
{
	return u->ops->next_look(u);
}

/* The HIT's clock changes with this cycle; a fraction of an IPU cycle that has passed is rounded up to what the new
 * ratio can tell. */
static inline void ipu_unit_set_hit_mhz(struct ipu_unit *u, uint64_t hit_cycle, uint32_t mhz)
{
	u->ops->set_hit_mhz(u, hit_cycle, mhz);
}

/* Lets time pass up to the beginning of this cycle. */
static inline void ipu_unit_advance(struct ipu_unit *u, uint64_t hit_cycle)
{
	u->ops->advance(u, hit_cycle);
}

/* Lets time pass until no routine is executing (loops may wait), to the first HIT cycle of which that is true. With a
 * timer whose handler is not over before it is due again, that may never be: then it gives up after a few of them. */
static inline void ipu_unit_settle(struct ipu_unit *u)
{
	u->ops->settle(u);
}

/* Whether it may do something before the next call that makes it: its timer runs, or something awaits the end of the
 * routine that is executing. Of any other unit, nobody can tell in how many steps time has passed. */
static inline bool ipu_unit_acts_alone(const struct ipu_unit *u)
{
	return u->ops->acts_alone(u);
}

/* Time ends: no call may name a HIT cycle after this one, in which, by the present ratio of the clocks, one of them
 * comes to IPU_MAX_CYCLE. (ipu_unit_settle() may exceed it by the duration of a routine.) */
static inline uint64_t ipu_unit_last_cycle(const struct ipu_unit *u)
{
	return u->ops->last_cycle(u);
}

/* As of the last call. */
static inline enum ipu_status ipu_unit_status(const struct ipu_unit *u)
{
	return u->ops->status(u);
}

static inline struct ipu_counts ipu_unit_counts(const struct ipu_unit *u)
{
	return u->ops->counts(u);
}

/* In ERROR. */
static inline struct ipu_fault ipu_unit_fault(const struct ipu_unit *u)
{
	return u->ops->fault(u);
}

static inline uint64_t ipu_unit_hit_cycle(const struct ipu_unit *u)
{
	return u->ops->hit_cycle(u);
}

/* Whole ones that have passed. */
static inline uint64_t ipu_unit_ipu_cycle(const struct ipu_unit *u)
{
	return u->ops->ipu_cycle(u);
}

/* IPU cycle at which the routine that is executing ends, faults or waits; the present one if none is. */
static inline uint64_t ipu_unit_free_at(const struct ipu_unit *u)
{
	return u->ops->free_at(u);
}

/* Sets in the fast buffer. */
static inline uint32_t ipu_unit_buffered(const struct ipu_unit *u)
{
	return u->ops->buffered(u);
}

/* Bytes in the FIFO, headers included: soft logic hands over first what it has sent. */
static inline uint32_t ipu_unit_waiting(struct ipu_unit *u)
{
	return u->ops->waiting(u);
}

static inline const struct ipu *ipu_unit_processor(const struct ipu_unit *u)
{
	return u->ops->processor(u);
}

/* Takes the oldest packet out of the FIFO; false when there is none. One is there as soon as the processor, which runs
 * ahead, has sent it: its time says when the host could have it. */
static inline bool ipu_unit_take(struct ipu_unit *u, struct ipu_packet *packet)
{
	return u->ops->take(u, packet);
}

/* Of its soft logic; false: it has none. */
static inline bool ipu_unit_soft_counts(const struct ipu_unit *u, struct ipu_soft_counts *counts)
{
	return u->ops->soft_counts(u, counts);
}

/* Whether the simulation of the unit has failed: SAHM_TOOL, a module of soft logic did (ipu/soft/soft.h). From then on
 * it does nothing useful; callers ask at the end, and before long waits. */
static inline enum sahm_status ipu_unit_check(const struct ipu_unit *u, struct sahm_err *err)
{
	return u->ops->check(u, err);
}

/* The table, for those who look at it: where an event leads; NR_IPU_STATUSES stands for REST. */
enum ipu_status ipu_transition(enum ipu_status from, enum ipu_event event);

#endif
