/* Some epochs of a stream, written as a stream. */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_SLICE_H
#define SAHM_WORKLOADS_STREAM_STREAM_SLICE_H

#include "workloads/stream/stream.h"

/* Writes epochs `from` to `to` - 1 of `s` (from < to, at most stream_nr_epochs()) to the file `path`, which must not be
 * the one that is read. An existing file is replaced. On failure nothing is left. SAHM_IO, SAHM_NOMEM, as
 * stream_next() fails. */
enum sahm_status stream_slice(struct stream *s, uint64_t from, uint64_t to, const char *path, struct sahm_err *err);

#endif
