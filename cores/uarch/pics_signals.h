/* What a core shows an introspection unit beside it for cycle stacks: 17 signals, cycle by cycle (dissertation, tables
 * 2.1, 2.3 and 2.4). They follow from the uops, their stamps and their signatures. When each signal is high, and what
 * the PCs are, is in docs/introspection.md; widths and order are partly our reading.
 *
 * Each stage shows one PC and no more about the uop. Of events in one cycle that share a PC signal (those of fetch, of
 * accesses, of flushes), the oldest instruction's are shown; the others are lost, and counted.
 *
 * Memory does not grow with the length of the stream.
 */
#ifndef SAHM_CORES_UARCH_PICS_SIGNALS_H
#define SAHM_CORES_UARCH_PICS_SIGNALS_H

#include "cores/uarch/timing.h"

enum pics_signal {
#define PICS_SIGNAL(suffix, name) PICS_##suffix,
#include "cores/uarch/pics_signal_list.h"
#undef PICS_SIGNAL
	NR_PICS_SIGNALS
};

/* The flags, and those that are events of an instruction; the others are levels. */
#define PICS_FLAGS ((1u << PICS_ROB_EMPTY) - 1)
#define PICS_EVENTS ((1u << PICS_RECYCLE) - 1)
#define PICS_LEVELS (((1u << NR_PICS_SIGNALS) - 1) & ~PICS_FLAGS)

/* Uops between two `recycle` of an in-order core, which has no ROB (our choice). */
#define PICS_IN_ORDER_ROB 64u

/* "rob_empty": constant storage. */
const char *pics_signal_name(enum pics_signal signal);

/* A cycle. */
struct pics_row {
	uint64_t cycle;
	uint32_t flags;	  /* that are high, a bit each */
	uint32_t changed; /* levels with another value than in the row before, a bit each; in the first row all */
	uint64_t values[NR_PICS_SIGNALS]; /* of levels; PCs with all their bits */
};

struct pics_counts {
	uint64_t cycles;			      /* up to the last commit, and one more */
	uint64_t event_cycles;			      /* with an event */
	uint64_t lost_fetch, lost_access, lost_flush; /* uops whose events were lost to an older instruction */
};

struct pics_options {
	/* Pass on each cycle in which a level changes or a flag is high, the first and the last. Without, only cycles
	 * with a flag, and those that are asked for. */
	bool has_all;
	uint64_t asked; /* the first cycle that is asked for; UINT64_MAX: none is */
	/* Gets the rows in the order of time. Returns the next cycle that it asks for, which is later. */
	uint64_t (*take)(void *ctx, const struct pics_row *row);
	void *ctx;
};

struct pics_pass;

/* NULL when memory is short. */
struct pics_pass *pics_pass_new(const struct core_timing *t, const struct pics_options *options);
void pics_pass_free(struct pics_pass *p);

/* Takes the uops of a batch, with the signature bits of each uop (timing_take_signatures()); the first batch is the
 * stream's first. Passes on the cycles that are final. False when memory is short; that never gets better. */
bool pics_pass_run(struct pics_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		   const uint16_t *signatures);

/* No uop follows: passes on the cycles up to the last commit. False when memory was short. */
bool pics_pass_end(struct pics_pass *p);

/* After pics_pass_end(). */
struct pics_counts pics_pass_counts(const struct pics_pass *p);

#endif
