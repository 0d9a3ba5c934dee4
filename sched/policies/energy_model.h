/* Energy model, as Linux's: what cores draw at each of their levels, and what a placement of threads would draw.
 *
 * A table has a row per level, from the slowest: capacity is how much work a core does there, power what it draws while
 * it does so. Cores whose levels change together are a performance domain: all run at the slowest level with the
 * capacity that the busiest of them wants, and each is busy for utilisation / capacity of the time. So a domain draws
 *   power x sum of utilisations / capacity
 * of that level. A level is inefficient, and never chosen, when a faster one draws less for the same work. Capacities
 * and utilisations are in one unit, any. Power of idle cores is not in it.
 *
 * Source: Linux, include/linux/energy_model.h (em_cpu_energy(), em_pd_get_efficient_state()),
 * Documentation/scheduler/sched-energy.rst.
 */
#ifndef SAHM_SCHED_POLICIES_ENERGY_MODEL_H
#define SAHM_SCHED_POLICIES_ENERGY_MODEL_H

#include "sched/host/ext.h"

struct energy_level {
	u64 capacity; /* at least 1 */
	u64 power_uw;
	bool is_inefficient;
};

struct energy_table {
	u32 nr; /* at least 1 */
	const struct energy_level *levels;
};

/* Finds the inefficient ones of `nr` levels. */
void energy_find_inefficient(struct energy_level *levels, u32 nr);

/* The slowest level with at least the capacity `wanted` that is not inefficient; the fastest, if none has it. */
u32 energy_level_for(const struct energy_table *table, u64 wanted);

/* uW that a domain draws on average, rounded down. */
u64 energy_power_uw(const struct energy_table *table, u64 wanted, u64 sum_of_utilisations);

#endif
