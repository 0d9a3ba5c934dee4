/* Tenants: sets of cores between which no thread can move. Two cores are of one tenant when a thread may run on both,
 * or both are of one tenant with a third. A policy that keeps what it knows and decides for each tenant separately lets
 * none of them notice another (test_promises.c).
 *
 * Tenants here only grow (seating.h finds them again, and they may divide there): cores that a thread has linked stay
 * linked when it goes, or when its set changes.
 */
#ifndef SAHM_SCHED_POLICIES_TENANTS_H
#define SAHM_SCHED_POLICIES_TENANTS_H

#include "cores/chip/core.h"
#include "sched/host/ext.h"

struct tenants {
	u32 nr;
	u32 of[MAX_CORES]; /* by core: the first core of its tenant */
};

/* To be called in init(): no core is linked to another. */
void tenants_init(struct tenants *t);

/* To be called in set_cpumask(): links the cores on which `p` may run. */
void tenants_link(struct tenants *t, const struct task_struct *p);

#endif
