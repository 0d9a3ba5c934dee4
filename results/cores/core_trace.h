/* Epoch traces of what a core did with a stream. */
#ifndef SAHM_RESULTS_CORES_CORE_TRACE_H
#define SAHM_RESULTS_CORES_CORE_TRACE_H

#include "results/cores/core_report.h"
#include "workloads/trace/trace.h"

/* Makes the trace of r->epochs, of which there is at least one; `provenance` has a name. `file` stands in messages.
 *
 * With mhz 0 time is assumed: each epoch of the stream becomes one of `epoch_ns`. The last one is left out if it has
 * fewer than 99 % of the instructions of the shortest other one: the program ended in it. Otherwise cycles take their
 * time at that frequency. The trace then has about as many epochs as the stream, of equal length: the total time
 * divided by their number, rounded down to ns (at least MIN_EPOCH_NS). A boundary at t ns is in cycle t x mhz / 1000,
 * rounded down. The counts of an epoch of the stream are spread evenly over its cycles, and their sum up to a boundary
 * is rounded down. The rest after the last whole epoch is left out. *left_out becomes the number of instructions that
 * are not in the trace. SAHM_NOMEM, SAHM_RANGE, SAHM_FORMAT. */
enum sahm_status core_trace_make(const struct core_result *r, uint32_t mhz, uint64_t epoch_ns,
				 const struct provenance *provenance, const char *file, struct trace **out,
				 uint64_t *left_out, struct sahm_err *err);

#endif
