/* Classes of cores of a seating. */
#ifndef SAHM_SCHED_POLICIES_SEATING_CLASSES_H
#define SAHM_SCHED_POLICIES_SEATING_CLASSES_H

#include "sched/policies/seating.h"

/* Finds the cores that differ in nothing but who may run there, which lasts. */
void seating_find_likes(struct seating *s);

/* Finds tenants and classes, as the sets of all threads are now: O(cores x (classes + threads that may not run
 * everywhere)). */
void seating_find_classes(struct seating *s);

/* Whether the cores of a class are all in the set of `p`, or none of them, for every class, and it links no
 * tenants. */
bool seating_fits(const struct seating *s, const struct task_struct *p);

#endif
