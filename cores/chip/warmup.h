/* Warm-up: after a move a core's speedup is not there at once.
 *
 * Over the first `warmup_ns` in which the thread makes progress on its new core (debt is paid before that) the speedup
 * rises from nothing in WARMUP_PARTS equal parts: in part i it is (2 i + 1) / WARMUP_SHARES of the full one, the mean
 * of a straight ramp over that part. A slowdown comes on in the same way. Part i begins at the first whole ns at or
 * past i / WARMUP_PARTS of the time. Shares are cut towards 0 to whole millionths.
 */
#ifndef SAHM_CORES_CHIP_WARMUP_H
#define SAHM_CORES_CHIP_WARMUP_H

#include <stdint.h>

#define WARMUP_PARTS 16
#define WARMUP_SHARES (2 * WARMUP_PARTS)

/* Longest warm-up. */
#define MAX_WARMUP_NS UINT64_C(1000000000000)

/* Part in which a thread is that has `cold_ns` of a warm-up of `warmup_ns` ahead of it; 0 < cold_ns <= warmup_ns. */
static inline unsigned warmup_part(uint64_t cold_ns, uint64_t warmup_ns)
{
	return (unsigned)((warmup_ns - cold_ns) * WARMUP_PARTS / warmup_ns);
}

/* ns until the part after `part`, in which the thread is, or the end of the warm-up. */
static inline uint64_t warmup_part_left_ns(unsigned part, uint64_t cold_ns, uint64_t warmup_ns)
{
	return ((part + 1) * warmup_ns + WARMUP_PARTS - 1) / WARMUP_PARTS - (warmup_ns - cold_ns);
}

/* The share of `speedup_ppm` that is in force in part `part`; WARMUP_PARTS stands for warm. */
static inline int64_t warmup_speedup_ppm(int32_t speedup_ppm, unsigned part)
{
	return part == WARMUP_PARTS ? speedup_ppm : (int64_t)speedup_ppm * (2 * (int)part + 1) / WARMUP_SHARES;
}

#endif
