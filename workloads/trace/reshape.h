/* Reshaping: traces made of the epochs of other traces.
 *
 * Resampling changes where one epoch ends and the next begins; slice, concat and offset move whole epochs. The result
 * is a separate trace: the sources stay the caller's and may be released before it. It keeps their name and origin,
 * unless `name` (not empty; may be NULL) gives it another, and its note says what was done. In messages it is called
 * what its first source is called. Epochs stream through the builder in batches; nothing else grows with a trace.
 *
 * Resampling spreads the counts of a source epoch evenly over its time or its instructions, as workloads/trace/spread.h
 * says: every total is kept exactly.
 */
#ifndef SAHM_WORKLOADS_TRACE_RESHAPE_H
#define SAHM_WORKLOADS_TRACE_RESHAPE_H

#include "workloads/trace/trace.h"

/* Resamples to epochs of `epoch_ns` (MIN_EPOCH_NS to MAX_EPOCH_NS). The last one holds what is left; *last_ns is set to
 * how much time that is (1 to epoch_ns). SAHM_RANGE when there would be more than MAX_TRACE_EPOCHS or MAX_TRACE_NS, or
 * a sum of counts does not fit 64 bits; else fails as trace_read() and trace_builder_add() do. */
enum sahm_status reshape_resample_time(struct trace *source, uint64_t epoch_ns, const char *name, struct trace **result,
				       uint64_t *last_ns, struct sahm_err *err);

/* Resamples to epochs of `epoch_instructions` (1 or more) instructions each, the last one with what is left, which
 * *last_instructions is set to (1 to epoch_instructions). A source epoch without instructions is a point on this axis:
 * its counts go to the epoch that begins there or has begun before, at the end of the trace to the last one. Time is
 * nominal from then on: epochs have the nominal length `epoch_ns`, or, when it is 0, the source's time divided by their
 * number, rounded. SAHM_RANGE also when the trace has no instructions or that quotient is no length of an epoch. */
enum sahm_status reshape_resample_instructions(struct trace *source, uint64_t epoch_instructions, uint64_t epoch_ns,
					       const char *name, struct trace **result, uint64_t *last_instructions,
					       struct sahm_err *err);

/* Takes the epochs first to end - 1: first < end <= trace_nr_epochs(). Fails as trace_read() does, or SAHM_NOMEM. */
enum sahm_status reshape_slice(struct trace *source, uint64_t first, uint64_t end, const char *name,
			       struct trace **result, struct sahm_err *err);

/* Begins the trace `nr_epochs` later, modulo its length, and puts what was skipped at the end: since a trace repeats
 * when it ends, the same program caught at another moment. Fails as reshape_slice() does. */
enum sahm_status reshape_offset(struct trace *source, uint64_t nr_epochs, const char *name, struct trace **result,
				struct sahm_err *err);

/* Puts the `nr` (1 or more) traces sources[] one after the other. Cycles are kept when all have them, provenance where
 * all agree; the result is synthetic when any source is, its time nominal when that of any is, and it is called by all
 * their names, joined by '+', when these differ. What had to be left out of cycles, events and the meaning of an epoch
 * is appended to `notes` (may be NULL), a line each. SAHM_RANGE when epoch lengths differ or the result would be longer
 * than a trace can be; else fails as reshape_slice() does. */
enum sahm_status reshape_concat(struct trace *const *sources, unsigned nr, const char *name, struct textbuf *notes,
				struct trace **result, struct sahm_err *err);

#endif
