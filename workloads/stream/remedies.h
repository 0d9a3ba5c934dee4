/* Remedies: changes to a program that cycle stacks suggest, tried without its source. A lane of a run applies them to
 * its copy of the uops.
 *
 * A soft prefetch makes each execution of a load prefetch the address that it will have some executions later, which a
 * second reader of the stream finds out; the last ones prefetch nothing. All executions in the stream count, also those
 * that a run skips. Of an instruction with several loads, the first one prefetches. --no-flush makes instructions at
 * chosen pcs neither flush nor serialise. (Paper TEA, section 6, has both for two programs.)
 */
#ifndef SAHM_WORKLOADS_STREAM_REMEDIES_H
#define SAHM_WORKLOADS_STREAM_REMEDIES_H

#include "cores/uarch/uop.h"
#include "workloads/stream/stream.h"

struct soft_prefetch {
	uint64_t pc;	   /* of the load; no two have the same */
	uint64_t distance; /* executions ahead, at least 1 */
};

struct remedies {
	const struct soft_prefetch *prefetches; /* [nr_prefetches] */
	size_t nr_prefetches;
	const uint64_t *no_flush; /* [nr_no_flush]: pcs of system instructions and fences */
	size_t nr_no_flush;
};

struct remedy_pass;

/* Of the stream that `s` reads, from its beginning. `r` must live as long. SAHM_USAGE: a pc is none of the kind, with
 * the nearest that are; SAHM_NOMEM, and as stream_open() and stream_next() fail. */
enum sahm_status remedy_pass_new(const struct stream *s, const struct remedies *r, struct remedy_pass **pass,
				 struct sahm_err *err);
void remedy_pass_free(struct remedy_pass *p);

/* Applies them to a batch, or only counts its executions if nothing runs it: batches come in the order of the stream,
 * without gaps. As stream_next() fails. */
enum sahm_status remedy_pass_run(struct remedy_pass *p, struct uop_batch *batch, struct sahm_err *err);

#endif
