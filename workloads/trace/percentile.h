/* Empirical cuts: percentiles of the four metrics over the epochs of a set of traces.
 *
 * All epochs of all traces are pooled, so that a long trace weighs more than a short one; epochs in which a metric's
 * denominator is 0 have no value of it and are left out. A value is the quotient rounded to the nearest ppb; between
 * two order statistics the percentile is interpolated linearly, in integers. Source: dissertation, section 4.2, table
 * 4.3 (how it pools and interpolates is not said there).
 */
#ifndef SAHM_WORKLOADS_TRACE_PERCENTILE_H
#define SAHM_WORKLOADS_TRACE_PERCENTILE_H

#include "workloads/trace/trace.h"

/* Percentiles are kept in ppb, exclusive bounds 0 and PPB_ONE; this many are 1 %. */
#define PPB_PER_PCT UINT64_C(10000000)

/* The percentile `ppb` of values[nr], nr at least 1: the value at (nr - 1) x ppb of the way through their sorted order,
 * halves of a unit up. Takes time in proportion to nr. */
uint64_t percentile_of(const uint64_t *values, size_t nr, uint64_t ppb);

/* Sets the cut of each component in `components` (a bit each) to the percentile `ppb` of its metric over all epochs of
 * traces[nr]; the other cuts stay. Holds 8 bytes per epoch at a time. SAHM_RANGE when a metric has a value in no epoch,
 * or its percentile is above MAX_CUT; SAHM_NOMEM; else fails as trace_read() does. */
enum sahm_status percentile_cuts(struct trace *const *traces, size_t nr, uint64_t ppb, unsigned components,
				 struct cuts *cuts, struct sahm_err *err);

#endif
