/* A part of a stream, written as a stream. */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_SLICE_H
#define SAHM_WORKLOADS_STREAM_STREAM_SLICE_H

#include "workloads/stream/sampling.h"
#include "workloads/stream/stream.h"

struct slice_request {
	/* Epochs of the file, from < to <= stream_nr_epochs(); of these, those whose numbers equal `first` modulo
	 * `every`. One that nothing warms for takes the last `warm` instructions of the epoch before it, if that is
	 * left out. */
	uint64_t from, to, every, first, warm;
	/* Of all epochs of a stream that is not sampled: what is taken of each `sampling.every` instructions becomes an
	 * epoch, whose number is that of this period. */
	struct stream_sampling sampling;
};

/* Writes the part of `s` to the file `path`, which may be the one that is read: it is replaced at the end. On failure
 * nothing is left. SAHM_IO, SAHM_NOMEM, as stream_next() fails. */
enum sahm_status stream_slice(struct stream *s, const struct slice_request *part, const char *path,
			      struct sahm_err *err);

#endif
