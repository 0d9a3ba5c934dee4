/* Classes of cores of a seating. */
#ifndef SAHM_SCHED_POLICIES_SEATING_CLASSES_H
#define SAHM_SCHED_POLICIES_SEATING_CLASSES_H

#include "sched/policies/seating.h"

/* Whether all migrations cost the same, and how much. */
bool seating_is_flat(u32 nr_cores, u64 *cost_ns);

/* Finds tenants and classes, as the sets of all threads are now: O(cores x (classes + threads that may not run
 * everywhere)). */
void seating_find_classes(struct seating *s);

/* Whether the cores of a class are all in the set of `p`, or none of them, for every class, and it links no
 * tenants. */
bool seating_fits(const struct seating *s, const struct task_struct *p);

#endif
