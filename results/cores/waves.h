/* Signals and events of a core, cycle by cycle, in a window of cycles: as value change dump (IEEE 1364, for GTKWave and
 * others), as CSV and in binary form as ipu/unit/signals.h has them, and as JSON.
 *
 * A column is a signal or an event. One with several lanes is a number, or a vector, whose bit j is lane j. A row is a
 * change: it has the values from its cycle on, up to the next row; the last one is that of the last cycle.
 */
#ifndef SAHM_RESULTS_CORES_WAVES_H
#define SAHM_RESULTS_CORES_WAVES_H

#include <stdio.h>

#include "cores/uarch/core_event.h"
#include "sim/base/err.h"

#define WAVES_SCHEMA "sahm-core-signals/1"

/* Columns, at most: all signals, and as many events. */
#define MAX_WAVES 128u
#define WAVE_NAME_BYTES 40u

enum waves_form { WAVES_CSV, WAVES_VCD, WAVES_JSON, WAVES_BINARY };

struct wave {
	char name[WAVE_NAME_BYTES]; /* lower case, digits and _ */
	const char *help;
	uint64_t signals; /* a bit each: lane j is high where lane j of any of them is */
	unsigned nr_lanes;
	bool is_any; /* high where any lane is */
};

struct waves {
	struct wave of[MAX_WAVES]; /* [nr] */
	unsigned nr;
};

/* All signals that core `t` can raise, without the classes of instructions that retire: as many as all forms take. */
void waves_usual(struct waves *w, const struct core_timing *t);

/* Appends what `names`, with commas between, are called: signals, events of the family, or "all" signals that the core
 * can raise. SAHM_USAGE, with a suggestion, or where one is named twice. */
enum sahm_status waves_add(struct waves *w, const char *names, const struct core_timing *t, enum event_family family,
			   struct sahm_err *err);

/* Refuses more columns than the form has room for. SAHM_USAGE. */
enum sahm_status waves_check(const struct waves *w, enum waves_form form, struct sahm_err *err);

struct waves_writer;

struct waves_window {
	uint64_t from, cycles; /* [from, from + cycles), at least one */
	const char *stream, *core;
};

/* Writes to `out`, whose failures are ferror()'s; all pointers must outlive the writer. NULL when memory is short. */
struct waves_writer *waves_writer_new(FILE *out, enum waves_form form, const struct waves *w,
				      const struct waves_window *window);
void waves_writer_free(struct waves_writer *w);

/* The runs of a core, in their order. */
void waves_take(struct waves_writer *w, const struct signal_run *run);

/* Whether all cycles of the window have come. */
bool waves_is_done(const struct waves_writer *w);

/* No run follows. Returns the cycles of the window that there were; 0: nothing was written. */
uint64_t waves_end(struct waves_writer *w);

#endif
