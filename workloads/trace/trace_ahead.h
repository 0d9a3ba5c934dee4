/* Traces opened ahead of their use, several at a time.
 *
 * Reading a trace takes time that depends on no other trace, so a list of them is opened by as many threads as there
 * are processors. Each is then taken in the caller's order, with the notes and the error that trace_open() has for it:
 * the outcome does not depend on the number of threads. All of them have ended when trace_ahead_open() returns.
 */
#ifndef SAHM_WORKLOADS_TRACE_TRACE_AHEAD_H
#define SAHM_WORKLOADS_TRACE_TRACE_AHEAD_H

#include "workloads/trace/trace.h"

/* Zeros at first, but for `path`, which is the caller's and outlives it, and `is_late`. */
struct trace_ahead {
	const char *path;
	bool is_late; /* not to be opened before it is taken, if it is: the caller's */
	bool is_file; /* regular */
	bool is_open;
	enum sahm_status status; /* of opening it, with the members below */
	struct trace *trace;
	struct textbuf notes;
	struct sahm_err err;
};

/* Opens those of `ahead` that are regular files, and enough to be worth threads. */
void trace_ahead_open(struct trace_ahead *ahead, size_t nr);

/* The trace, which is the caller's from then on; opened now if it is not yet. As trace_open(), once for each. */
enum sahm_status trace_ahead_take(struct trace_ahead *ahead, struct textbuf *notes, struct trace **trace,
				  struct sahm_err *err);

/* Releases what was not taken. */
void trace_ahead_release(struct trace_ahead *ahead, size_t nr);

#endif
