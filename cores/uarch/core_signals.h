/* Signals: what can be seen of a modelled core, cycle by cycle.
 *
 * They follow from the uops and their stamps. Cycles come in runs that are alike, in order and without gaps, so that a
 * long stall is one run. A cycle is final, and passed on, once no later uop can change it.
 */
#ifndef SAHM_CORES_UARCH_CORE_SIGNALS_H
#define SAHM_CORES_UARCH_CORE_SIGNALS_H

#include "cores/uarch/timing.h"

enum signal {
#define SIGNAL(suffix, name, width, help) SIGNAL_##suffix,
#include "cores/uarch/signal_list.h"
#undef SIGNAL
	NR_SIGNALS
};

enum signal_width { SIGNAL_ONE, SIGNAL_COMMIT, SIGNAL_ISSUE, SIGNAL_DISPATCH };

#define MAX_SIGNAL_LANES 64u

/* The instruction that a signal is about. */
struct signal_cause {
	uint64_t pc, address; /* address: of its first access; 0: it has none */
	uint64_t number;      /* of the instruction, in program order from 0 */
	bool has_address, is_taken;
};

/* Who caused what in a run, for those who sample. */
struct signal_causes {
	const struct signal_cause *retired; /* [lane]: as the lanes of SIGNAL_INSTRUCTION */
	struct signal_cause of[NR_SIGNALS]; /* of a signal that is high, of those of width ONE: the oldest such
					       instruction */
	struct signal_cause next;	    /* the next instruction to retire after this cycle; of the others */
};

/* Cycles [first, first + nr) are alike. */
struct signal_run {
	uint64_t first, nr;
	uint64_t lanes[NR_SIGNALS];	    /* bit j: lane j is high */
	uint64_t low;			    /* a bit for each of some signals that have no high lane, to save a look */
	const struct signal_causes *causes; /* NULL unless they were asked for; all cycles of a run have the same */
};

/* Instructions that retire in each cycle of a run. */
static inline unsigned signal_nr_retired(const struct signal_run *run)
{
	return (unsigned)__builtin_popcountll(run->lanes[SIGNAL_INSTRUCTION]);
}

/* "fetch-bubble", and what it is in words: constant storage. */
const char *signal_name(enum signal signal);
const char *signal_help(enum signal signal);
enum signal_width signal_width(enum signal signal);

/* Lanes that a core's signal has. A core with more than MAX_SIGNAL_LANES issue ports cannot be watched. */
unsigned signal_nr_lanes(const struct core_timing *t, enum signal signal);

/* Signals that such a core never raises, a bit each. */
uint64_t signals_lacked(const struct core_timing *t);

struct signal_options {
	unsigned wrong_path_issue_pct; /* of the uops of the wrong path that are dispatched, those that issue; 0: no
					  wrong path */
	bool has_no_multiply_add;      /* the stream has version 1: some of its multiplications are multiply-adds */
	/* A bit for each signal that is needed; 0: all are. The others stay low, which saves time. */
	uint64_t wanted;
	/* SIGNAL_INSTRUCTION is also passed on in cycles in which another signal is. With `wanted`, `next` is that of
	 * the run's last cycle only if a signal is high, or SIGNAL_INSTRUCTION is wanted. */
	bool has_causes;
	/* Gets the runs, in the order of time and without gaps from cycle 0. */
	void (*take)(void *ctx, const struct signal_run *run);
	void *ctx;
};

struct signal_pass;

/* NULL when memory is short. `t` is copied. */
struct signal_pass *signal_pass_new(const struct core_timing *t, const struct signal_options *options);
void signal_pass_free(struct signal_pass *p);

/* Takes the uops of a batch; the first batch is the stream's first. Passes on the cycles that are final. False when
 * memory is short; that never gets better. */
bool signal_pass_run(struct signal_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		     const struct timing_notes *notes);

/* With causes: whether from the next cycle on SIGNAL_INSTRUCTION is passed on in any case, which takes longer. take()
 * may call it for a run with a high signal. Where SIGNAL_INSTRUCTION is wanted, it always is passed on. */
void signal_pass_want_boundaries(struct signal_pass *p, bool wanted);

/* No uop follows: passes on all cycles up to the last commit. False when memory was short. */
bool signal_pass_end(struct signal_pass *p);

#endif
