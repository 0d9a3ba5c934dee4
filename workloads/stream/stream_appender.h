/* Instructions put into a stream one by one: straight runs of them become its blocks. */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_APPENDER_H
#define SAHM_WORKLOADS_STREAM_STREAM_APPENDER_H

#include "workloads/stream/stream.h"

struct stream_appender;

/* Appends to `w`, which outlives it and stays the caller's; for stream_appender_free(). NULL: no memory. */
struct stream_appender *stream_appender_new(struct stream_writer *w);

/* Drops what was not flushed. NULL is fine. */
void stream_appender_free(struct stream_appender *a);

/* Adds an instruction with at most MAX_ACCESSES accesses. A branch, a successor that does not follow in memory, and
 * MAX_BLOCK_INSTRUCTIONS end a run. */
void stream_appender_add(struct stream_appender *a, const struct executed *e);

/* Ends the run, if there is one: before anything else is asked of the writer. */
void stream_appender_flush(struct stream_appender *a);

#endif
