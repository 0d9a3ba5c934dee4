/* Frequency levels (operating points) of cores, and groups of cores that share a cache and memory.
 *
 * Levels are numbered from the slowest. At each, a core has the speedups that its table gives; the states that
 * it serves and matches are its type's at every level, and the table of the type itself is that of its fastest one. A
 * new level takes effect `transition_ns` after it was asked for; up to then the core goes on at the old one. A level
 * asked for meanwhile takes its place, at the time that was planned.
 *
 * The governor, where there is one, works as the kernel's schedutil does, without its history: at the beginning of each
 * timestep, each core goes to the slowest level whose frequency is at least 1.25 x the frequency that it had x the
 * share of the last timestep in which it was busy. A core whose level the policy has set keeps that. Source:
 * kernel/sched/cpufreq_schedutil.c ("C = 1.25 for the frequency tipping point at (util / max) = 0.8").
 *
 * Groups. The demand of a thread that executes is the rate of the L2 misses of its trace in the state in which its
 * stretch began (MISSES per s of baseline time), at the core's speed in that state. While the demands of a group add up
 * to more than its capacity, progress in states that stress the L2 is slower for all threads there by capacity /
 * demand; other progress is not slowed. So is the throughput of a closed queueing model above saturation: a processor
 * that waits for its accesses slows down by what was achieved over what was offered (M. Flynn, Computer Architecture,
 * 1995, ch. 6).
 */
#ifndef SAHM_CORES_CHIP_LEVEL_H
#define SAHM_CORES_CHIP_LEVEL_H

#include <stdint.h>

#include "cores/chip/state.h"

/* Most levels of a core. */
#define MAX_LEVELS 64u

/* Bounds of a level's frequency, in MHz. */
#define MIN_LEVEL_MHZ 1
#define MAX_LEVEL_MHZ 100000

/* Longest transition. */
#define MAX_TRANSITION_NS UINT64_C(1000000000)

/* Largest capacity of a group and demand of a thread at baseline speed, in L2 misses per s: products with rates and
 * sums over all cores stay below 2^64. */
#define MAX_MISSES_PER_S UINT64_C(1000000000000)

struct core_level {
	uint32_t mhz;
	int32_t speedup_ppm[NR_STATES];
	uint64_t power_uw[NR_STATES]; /* that a core which executes draws besides its static power; 0: not known */
};

struct core_levels {
	uint32_t nr; /* 1 to MAX_LEVELS */
	const struct core_level *levels;
	uint64_t transition_ns; /* at most MAX_TRANSITION_NS */
};

#endif
