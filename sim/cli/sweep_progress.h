/* Progress of a sweep on a terminal, and what interrupts it. */
#ifndef SAHM_SIM_CLI_SWEEP_PROGRESS_H
#define SAHM_SIM_CLI_SWEEP_PROGRESS_H

#include "sim/sweep/sweep.h"

/* Times and counts of the last seconds, from which the rate is taken. */
#define PROGRESS_MARKS 32u

struct sweep_progress_line {
	bool shown;	   /* on a terminal, unless quiet */
	bool planning;	   /* marks are of that */
	bool drawn;	   /* something stands there */
	bool quiet;	   /* nothing is reported */
	bool lonely;	   /* reported that no worker is there */
	const char *why;   /* the last reported reason why workers get nothing to do */
	uint64_t drawn_ns; /* when */
	struct {
		uint64_t ns, nr;
	} marks[PROGRESS_MARKS];
	unsigned nr_marks;
};

/* Makes a line ready; SIGINT, SIGTERM and SIGHUP interrupt from now on instead of ending the program; a second one ends
 * it. */
void sweep_progress_begin(struct sweep_progress_line *line, bool quiet);

/* For struct sweep_options: `ctx` is the line. False once a signal has come. */
bool sweep_progress_show(void *ctx, const struct sweep_progress *progress);

/* Plans as sweep_plan() does, with the line for progress, which `options` have from then on; prints notes as warnings.
 */
enum sahm_status sweep_progress_plan(struct sweep_progress_line *line, const struct sweep *sweep,
				     struct sweep_options *options, struct store *store, struct sweep_plan *plan,
				     struct sahm_err *err);

/* Takes the line away. */
void sweep_progress_end(struct sweep_progress_line *line);

/* The signal that has come, or 0. */
int sweep_progress_signal(void);

/* Appends "812", "12,345". */
void write_count(uint64_t count, struct textbuf *out);

/* Appends a time for people: "0.8 s", "3 min 20 s", "2 h 5 min", "3 days 4 h". */
void write_duration(double seconds, struct textbuf *out);

#endif
