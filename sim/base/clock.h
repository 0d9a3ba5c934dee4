/* Present time, for measuring durations: nothing that is simulated knows of it. */
#ifndef SAHM_SIM_BASE_CLOCK_H
#define SAHM_SIM_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "sim/base/units.h"

/* ns that `clock` shows. */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

#endif
