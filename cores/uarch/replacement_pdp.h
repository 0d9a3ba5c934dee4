/* Replacement by protecting distance: a line that was used is kept for as many accesses to its set as pay off (N. Duong
 * et al., "Improving cache management policies using dynamic reuse distances", MICRO 2012; the variant without bypass).
 *
 * The reuse distance of a line is the number of accesses to its set from one use to the next. A sampler measures it in
 * some sets: every PDP_SAMPLE_PERIOD-th access enters its line into a list of recent ones, and a later access to that
 * line, if it comes within PDP_MAX_DISTANCE, counts at its distance. Every PDP_LEARN_PERIOD entries the protecting
 * distance d becomes the one, of at least the number of ways, with the most hits per access that lines are held for:
 *
 *     hits(d) / (sum of the distances of these + (entries - hits(d)) x (d + ways))
 *
 * A line that was filled or hit is protected for d accesses to its set. A line without protection leaves first, then
 * of those not used since they were filled the one that is protected longest, then of the others the same: while there
 * are more protected lines than ways, those that stay stay long enough. Ties go to the lowest way.
 *
 * Choices of ours: the sampled sets (64, evenly spread; the paper samples one in 64), tags of 16 bits of the sampled
 * lines, d in steps of 4, remaining protection in 4 bits, which count steps of d / 14 accesses, rounded up (so that a
 * line is protected for d accesses, at most two steps longer), and that counters are halved where d is found, so that
 * older behaviour fades. d begins with the number of ways. Without a reuse, it stays.
 *
 * Does badly where lines of a set differ in their distances by more than its ways, as one distance serves all, and
 * while it learns: for PDP_LEARN_PERIOD x PDP_SAMPLE_PERIOD accesses to sampled sets. */
#ifndef SAHM_CORES_UARCH_REPLACEMENT_PDP_H
#define SAHM_CORES_UARCH_REPLACEMENT_PDP_H

#include <stdint.h>

#define PDP_MAX_DISTANCE 256u
#define PDP_DISTANCE_STEP 4u
#define PDP_SAMPLE_PERIOD 8u
#define PDP_LEARN_PERIOD 256u
#define PDP_SAMPLED_SETS 64u
#define PDP_TAG_BITS 16u
#define PDP_REMAINING_BITS 4u

struct pdp;

/* Of a cache of `nr_sets`, a power of two. NULL when memory is short. */
struct pdp *pdp_new(uint32_t nr_sets, uint32_t ways);
void pdp_free(struct pdp *p);

/* The way of the line that leaves a set that is full. */
uint32_t pdp_victim(const struct pdp *p, uint64_t set);

/* Line number `line` was found in the way, or brought into it. Each is an access to the set. */
void pdp_hit(struct pdp *p, uint64_t set, uint32_t way, uint64_t line);
void pdp_fill(struct pdp *p, uint64_t set, uint32_t way, uint64_t line);

/* The protecting distance. */
uint32_t pdp_distance(const struct pdp *p);

/* All bits of its state. */
uint64_t pdp_bits(uint32_t nr_sets, uint32_t ways);

#endif
