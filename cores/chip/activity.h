/* Activity: on which cores, and in which states, a thread executed and made progress. Energy follows from it.
 *
 * Cores are in groups of equal ones; a thread has a row of NR_STATES cells per group. Executed time counts under the
 * state in which its timestep began, as in struct sim_counts; progress counts under the state of the epochs in which it
 * lies, so that the progress of all groups adds up to what the thread completed.
 */
#ifndef SAHM_CORES_CHIP_ACTIVITY_H
#define SAHM_CORES_CHIP_ACTIVITY_H

#include <stdint.h>

#include "cores/chip/state.h"

/* Wide: the progress of a long run exceeds 64 bits. */
__extension__ typedef unsigned __int128 activity_progress;

struct activity {
	activity_progress progress; /* baseline time, in units of sim/base/units.h */
	uint64_t executed;	    /* timesteps, debt included; in continuous time ns */
};

#endif
