/* Timing models of several cores of one geometry, which time the same uops side by side, in the lanes of vectors.
 *
 * Every lane gives exactly what timing.h gives for its core, in whatever form. A core whose counts per cycle do not fit
 * a word of 32 bits (it has many issue queues and unit groups) is timed by timing.h, beside the others.
 */
#ifndef SAHM_CORES_UARCH_TIMING_LANES_H
#define SAHM_CORES_UARCH_TIMING_LANES_H

#include "cores/uarch/critical_path.h"
#include "cores/uarch/timing.h"

#define MAX_LANES 32u

/* The vectors that lanes are computed with. LANES_BEST: the widest ones of this processor. */
enum lane_form { LANES_BEST, LANES_AVX512, LANES_AVX2, LANES_C, LANES_SCALAR, NR_LANE_FORMS };

/* Their names, in this order. */
#define LANE_FORM_NAMES "best", "avx512", "avx2", "c", "1"

/* Constant storage. */
const char *lane_form_name(enum lane_form form);

/* Whether this processor has that form. */
bool lane_form_is_there(enum lane_form form);

struct timing_lanes;

/* t[nr], 1 to MAX_LANES cores in any order, which are copied. The form must be there. NULL when memory is short. */
struct timing_lanes *timing_lanes_new(const struct core_timing *const *t, unsigned nr, enum lane_form form);
void timing_lanes_free(struct timing_lanes *l);

/* As timing_batch(); `stamps` is NULL but for a single lane with LANES_SCALAR. False if a time does not fit 31 bits
 * beyond the oldest one that matters, because prefetches that nobody waits for are that far ahead: what follows is
 * undefined. LANES_SCALAR has no such limit. */
bool timing_lanes_batch(struct timing_lanes *l, const struct uop_batch *batch, struct uop_stamps *stamps);

/* timing_take_notes() of a single lane with LANES_SCALAR. */
void timing_lanes_take_notes(struct timing_lanes *l, struct timing_notes *notes);

/* timing_take_slots() of such a lane. */
void timing_lanes_take_slots(struct timing_lanes *l, struct slot_pass *slots);

/* timing_take_signatures() of such a lane. */
void timing_lanes_take_signatures(struct timing_lanes *l, uint16_t *signatures);

/* timing_take_predictions(); bits[nr] are the numbers of the cores there. */
void timing_lanes_take_predictions(struct timing_lanes *l, const struct load_predictions *p, const unsigned *bits);

/* The result so far of core `lane`. */
void timing_lanes_result(const struct timing_lanes *l, unsigned lane, struct timing_result *out);

/* Records critical paths from the first batch on; before that. False when memory is short. */
bool timing_lanes_record(struct timing_lanes *l, enum path_detail detail);

/* With a path: from then on, the loads for whose registers the path of core `lane` waits are added to `set`. */
void timing_lanes_mark(struct timing_lanes *l, unsigned lane, struct load_set *set);

/* Ends the window, as at the end of an epoch: all of the path so far is in the counts and edges. */
void timing_lanes_end_window(struct timing_lanes *l);

/* The critical path of core `lane` in all windows that have ended; zeros if none is recorded. */
void timing_lanes_path(const struct timing_lanes *l, unsigned lane, struct path_counts *out);

/* Its edges, with PATH_EDGES; valid until the next batch. */
struct path_edges timing_lanes_edges(const struct timing_lanes *l, unsigned lane);

/* Whether vectors can time the core. Others are timed one by one in any form. */
bool timing_lanes_take(const struct core_timing *t);

#endif
