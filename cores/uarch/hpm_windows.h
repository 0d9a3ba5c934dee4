/* What an event set counts in windows of a run, which begin and end at instruction boundaries: intervals of cycles,
 * epochs, or all visits to a region of the program together.
 */
#ifndef SAHM_CORES_UARCH_HPM_WINDOWS_H
#define SAHM_CORES_UARCH_HPM_WINDOWS_H

#include "cores/uarch/hpm_set.h"

struct pc_span {
	uint64_t begin, end; /* pc of [begin, end) */
};

struct hpm_windows_options {
	struct hpm_set *set;	  /* the caller's, who has started it */
	struct hpm_set *truth;	  /* another one of the same events, whose truth is taken; NULL: nobody asks */
	uint64_t interval_cycles; /* a window ends at the first boundary at or past each multiple; 0: at no cycle */
	/* The window is open while the next instruction to retire is in one of them; runs need their causes. NULL:
	 * always. Then there is one window. */
	const struct pc_span *spans; /* [nr_spans], the caller's */
	size_t nr_spans;
};

struct hpm_window {
	uint64_t epoch; /* the one given to hpm_windows_cut() */
	uint64_t end;	/* cycles of the run up to its end */
	uint64_t cycles, instructions;
	struct hpm_set_count *counts; /* [events of the set] */
};

struct hpm_windows;

/* NULL when memory is short. */
struct hpm_windows *hpm_windows_new(const struct hpm_windows_options *options);
void hpm_windows_free(struct hpm_windows *w);

/* Passes cycles to the sets. */
void hpm_windows_run(struct hpm_windows *w, const struct signal_run *run);

/* A window ends with the last of `instructions` more, after those of earlier calls; they have not all retired yet. Not
 * with an interval or spans. False when memory is short. */
bool hpm_windows_cut(struct hpm_windows *w, uint64_t instructions, uint64_t epoch);

/* No run follows: stops the sets, and ends the last window if it has a cycle. False when memory was short. */
bool hpm_windows_end(struct hpm_windows *w);

/* The windows, and the sum of all. */
size_t hpm_windows_nr(const struct hpm_windows *w);
const struct hpm_window *hpm_windows_at(const struct hpm_windows *w, size_t i);
const struct hpm_window *hpm_windows_total(const struct hpm_windows *w);

#endif
