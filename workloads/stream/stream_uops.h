/* Instructions of a stream as micro-ops, for core models (docs/cores.md, "What is modelled?"). */
#ifndef SAHM_WORKLOADS_STREAM_STREAM_UOPS_H
#define SAHM_WORKLOADS_STREAM_STREAM_UOPS_H

#include "cores/uarch/uop.h"
#include "workloads/stream/stream.h"

/* Uops of an instruction, at most. */
#define MAX_INSN_UOPS (MAX_ACCESSES + 1)

/* Appends the uops of `e`, for which there is room. */
void stream_uops_add(enum machine machine, const struct executed *e, struct uop_batch *batch);

/* Makes `batch` the next instructions of `s`: as many as there is room for, at most `max`. None are left when it is
 * empty. Fails as stream_next(). */
enum sahm_status stream_uops_read(struct stream *s, uint64_t max, struct uop_batch *batch, struct sahm_err *err);

#endif
