/* An IPU in time: what unit.c (events), unit_run.c (routines) and unit_fifo.c (packets) share. */
#ifndef SAHM_IPU_UNIT_UNIT_INTERNAL_H
#define SAHM_IPU_UNIT_UNIT_INTERNAL_H

#include "ipu/core/host_routine_internal.h"
#include "ipu/unit/unit.h"
#include "sim/base/reciprocal.h"
#include "sim/base/units.h"

__extension__ typedef unsigned __int128 wide;

enum routine { ROUTINE_NONE, ROUTINE_INIT, ROUTINE_MAIN, ROUTINE_HANDLER, ROUTINE_FINISH };

/* Values that are not in the IORegs yet: data points and levels, a bit each. */
struct input_set {
	uint32_t valid, levels;
	uint64_t values[NR_IOREGS];
};

/* Both clocks at cycle `hit_cycle` of the HIT, at whose beginning `whole` IPU cycles have passed and part / hit of
 * another; the ratio is in lowest terms. */
struct unit_clock {
	uint64_t hit_cycle, whole, part, ipu;
	struct reciprocal hit;
	uint32_t hit_mhz;
};

/* A ring of packets, each a header (when it was sent, its bytes) and its bytes. */
struct unit_fifo {
	uint64_t ipu_hz, max_bytes_per_s;
	uint8_t *ring;
	uint32_t size, first, used;
	uint8_t *taken; /* the packet that the host looks at, in one piece where it is none in the ring */
	uint8_t *making;
	uint32_t nr_making;
	/* What may still be sent, in bytes / ipu_hz, as of IPU cycle `credit_at`. */
	uint64_t credit, credit_at;
	uint64_t packets, bytes, lost_packets, lost_bytes; /* since the last image */
};

/* What an IPU has to look at when it comes to rest. With none of these it is ready for inputs. */
enum {
	AGENDA_FINISH = 1,  /* FINALIZE was asked for */
	AGENDA_LOAD = 2,    /* an image was sent */
	AGENDA_HANDLER = 4, /* the timer is due */
	AGENDA_BUFFER = 8,  /* there are sets in the fast buffer */
	AGENDA_TIMER = 16,  /* the routine that executes has written the timer */
	AGENDA_ACCESS = 32, /* the routine that executes goes on with OUTCOME_ACCESS: nobody knows what it does then */
	AGENDA_TO_DO = 63,  /* of all these something begins as soon as a routine ends */
	AGENDA_LOOP = 64,   /* a loop waits for inputs */
	AGENDA_HELD = 128,  /* by the host */
	AGENDA_OUTSIDE = 256, /* of what the triggers mark */
};

/* As one word, too: there is a phase in which nearly every set finds a unit. */
union unit_phase {
	struct {
		uint8_t status;	      /* enum ipu_status */
		uint8_t outcome;      /* enum ipu_event: RETURN, WAIT or FAULT; or OUTCOME_ACCESS */
		uint8_t is_executing; /* until free_at; then comes `outcome` */
		uint8_t nothing;
	};
	uint32_t word;
};

/* The routine goes on at free_at, with an access to the soft logic: that has to have come as far first. */
#define OUTCOME_ACCESS NR_IPU_EVENTS

/* _main was started, and ends without a fault. */
static const union unit_phase unit_main_runs = {{IPU_ACTIVE_RUNNING, IPU_EVENT_RETURN, true, 0}};

struct ipu_lite {
	struct ipu_unit unit;
	unsigned agenda;
	union unit_phase phase;
	enum routine routine; /* the last one that was started */
	uint64_t at;	      /* IPU cycle in which what happens now can start a routine */
	uint64_t free_at;
	uint64_t used; /* busy cycles of the routine so far */
	struct unit_clock clock;

	bool has_start, has_stop;
	const struct ipu_program *pending; /* AGENDA_LOAD */
	uint64_t start, stop;

	uint32_t timer_period, timer_handler; /* as written */
	uint32_t period;		      /* that runs */
	uint64_t next_period;		      /* HIT cycle in which the period is over, NEVER: the timer is off */

	/* The processor runs a routine at once when that starts, so registers of levels hold the HIT's present ones
	 * except while a routine runs that sees others (exchange_levels()). */
	uint32_t valid, levels; /* data points of the last set, registers of levels */
	uint64_t ioregs[NR_IOREGS];
	struct input_set due; /* AGENDA_HANDLER: the levels when the period ended; no data points */

	uint32_t nr_seen;	  /* sub-sampling: active sets since the last one taken, that one included */
	struct input_set *buffer; /* a ring of mismatch_arg sets, NULL: there is none */
	uint32_t first_buffered, nr_buffered;
	/* Sets of the window under way that went into the buffer, not counting the first one, which a routine that is
	 * ready takes; -1 where none was ready. */
	int64_t nr_behind_first;

	uint32_t main;
	struct host_routine main_routine;
	uint64_t first_slice; /* instructions of _main before the watchdog looks at it */
	bool has_init, has_finish;
	struct ipu_unit_config config;
	struct ipu_counts counts; /* all but `arrived`, `taken`, `instructions` and those of the FIFO */
	uint64_t nr_turns;	  /* of loops, for which a set was latched; with the counts */
	struct ipu_fault fault;
	struct unit_fifo fifo;
	uint64_t last_whole;	 /* IPU cycle in which time ends */
	struct unit_soft *soft;	 /* of an IPU_pro; NULL: there is none */
	bool is_returning;	 /* with soft logic: a routine ends in cycle `at` */
	struct input_set access; /* OUTCOME_ACCESS: the levels that the routine sees */
	bool is_access_early;	 /* it stands in a place that outcome_of() is about to take back */
	struct ipu ipu;
};

static inline struct ipu_lite *lite_of(struct ipu_unit *u)
{
	return (struct ipu_lite *)u;
}

static inline const struct ipu_lite *lite_of_const(const struct ipu_unit *u)
{
	return (const struct ipu_lite *)u;
}

static inline uint32_t unit_common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Events: unit.c */

extern const struct ipu_unit_ops ipu_lite_ops;

/* Of zeros; released after a failure, too. */
enum sahm_status ipu_lite_init(struct ipu_lite *u, const struct ipu_unit_config *config, struct sahm_err *err);
void ipu_lite_release(struct ipu_lite *u);

/* Notes the present levels in `to`. */
static inline void unit_keep_levels(const struct ipu_lite *u, struct input_set *to)
{
	to->levels = u->levels;
	for (uint32_t left = u->levels; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		to->values[i] = u->ioregs[i];
	}
}

static inline bool unit_is_active(const struct ipu_lite *u)
{
	return !(u->agenda & (AGENDA_HELD | AGENDA_OUTSIDE));
}

/* Routines: unit_run.c */

/* The first cycle of the HIT, from the present one on, that the processor sees in `ipu_cycle` or later. */
uint64_t unit_hit_cycle_of(const struct ipu_lite *u, uint64_t ipu_cycle);

/* The first one, from the present one on, that begins in `ipu_cycle` or later. */
uint64_t unit_hit_cycle_from(const struct ipu_lite *u, uint64_t ipu_cycle);

/* Restarts the timer now, as it was written. */
void unit_start_timer(struct ipu_lite *u);

/* Puts the image into the IPU, everything as at power-on. */
void unit_load(struct ipu_lite *u, const struct ipu_program *program);

/* Starts _main in IPU cycle u->at and lets the processor run ahead as far as it can. */
void unit_call_main(struct ipu_lite *u);

/* The same for the other routines. One that the program does not have returns at once. */
void unit_call(struct ipu_lite *u, enum routine routine);

/* The same for the loop that waits: its next iteration. */
void unit_go_on(struct ipu_lite *u);

/* The same for a routine that stands before an access to the soft logic. */
void unit_go_on_with_access(struct ipu_lite *u);

/* Packets: unit_fifo.c */

bool unit_fifo_init(struct unit_fifo *f, const struct ipu_unit_config *config);
void unit_fifo_release(struct unit_fifo *f);
void unit_fifo_forget(struct unit_fifo *f); /* the packet in the making */

/* A store of the processor in its window. False: there is no room. */
bool unit_fifo_store(struct ipu_lite *u, uint32_t address, unsigned nr_bytes, uint32_t value);

/* Sends a packet that is complete in IPU cycle `now`, if there is room for it and the account has enough. */
void unit_fifo_send(struct unit_fifo *f, uint64_t now, const void *bytes, uint32_t nr_bytes);

/* When the oldest packet was sent; false: there is none. */
bool unit_fifo_peek(const struct unit_fifo *f, uint64_t *sent_at);

bool unit_fifo_take(struct unit_fifo *f, struct ipu_packet *packet);
/* The same of the processor's: an operation of the unit. */
bool unit_fifo_take_processors(struct ipu_unit *unit, struct ipu_packet *packet);

/* Soft logic: unit_soft.c. Each is for a unit that has it. */

/* An image is loaded now: the soft logic is as at power-on, and stands still. */
void unit_soft_load(struct ipu_lite *u);

/* It stands still from now on (`finish`, ERROR), or may run again. */
void unit_soft_halt(struct ipu_lite *u, bool is_halted);

/* The unit has become active, or inactive. */
void unit_soft_follow(struct ipu_lite *u);

/* An access of the processor to its window, in the hart's present cycle. */
enum soft_answer {
	SOFT_DONE,
	SOFT_NOTHING_THERE,
	SOFT_TOO_EARLY, /* input sets of earlier cycles may still come */
};
enum soft_answer unit_soft_load_word(struct ipu_lite *u, uint32_t address, unsigned nr_bytes, uint32_t *value);
enum soft_answer unit_soft_store_word(struct ipu_lite *u, uint32_t address, unsigned nr_bytes, uint32_t value);

#endif
