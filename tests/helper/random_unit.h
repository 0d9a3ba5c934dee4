/* Random programs and configurations for an IPU in time. */
#ifndef SAHM_TESTS_HELPER_RANDOM_UNIT_H
#define SAHM_TESTS_HELPER_RANDOM_UNIT_H

#include "ipu/unit/unit.h"

/* Short routines that compute, read CSRs, send packets, set the timer, wait in hardware loops; some fault, some never
 * end but by the watchdog. Without `sets_timer` none starts the timer. With `has_soft` they use soft logic with the
 * registers of counting_module. */
struct ipu_program *random_unit_program(uint64_t *rng, bool sets_timer, bool has_soft);

/* Clocks, modes, limits, which are often so small that they are reached. */
struct ipu_unit_config random_unit_config(uint64_t *rng);
uint32_t random_mhz(uint64_t *rng);

#endif
