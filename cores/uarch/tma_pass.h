/* Top-down analysis of a core as its uops come: windows of counts and slots (tma.h).
 *
 * The timing model passes its uops to the slots, and batches with their stamps and notes to the counts. Windows end
 * where the caller says so: at the last commit so far. */
#ifndef SAHM_CORES_UARCH_TMA_PASS_H
#define SAHM_CORES_UARCH_TMA_PASS_H

#include "cores/uarch/core_signals.h"
#include "cores/uarch/slots.h"
#include "cores/uarch/tma.h"

struct tma_options {
	enum event_family family;
	enum hpm_kind counters;	       /* a window reads distributed ones while they run, the last one when stopped */
	unsigned wrong_path_issue_pct; /* as in struct signal_options */
	bool only_exact;	       /* slots, without the counts of formulas */
};

/* Event counters that the formulas of a family which has some need on such a core. */
unsigned tma_nr_counters(const struct core_timing *t, enum event_family family, enum hpm_kind counters);

struct tma_pass;

/* NULL when memory is short. */
struct tma_pass *tma_pass_new(const struct core_timing *t, const struct tma_options *options);
void tma_pass_free(struct tma_pass *p);

/* What the timing model passes its uops to, from the first one on (timing_take_slots()): of `p`. */
struct slot_pass *tma_pass_slots(struct tma_pass *p);

/* Takes the uops of a batch, for the counts of formulas. False when memory is short; that never gets better. */
bool tma_pass_run(struct tma_pass *p, const struct uop_batch *batch, const struct uop_stamps *stamps,
		  const struct timing_notes *notes);

/* Ends a window. False when memory is short. */
bool tma_pass_end_window(struct tma_pass *p);

/* No uop follows. False when memory was short. */
bool tma_pass_end(struct tma_pass *p);

/* After tma_pass_end(): window `i` of those that were ended, in their order, and all of the run. */
struct tma_window tma_pass_window(const struct tma_pass *p, size_t i);
struct tma_window tma_pass_total(const struct tma_pass *p);

#endif
