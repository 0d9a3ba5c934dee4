/* Tenants: sets of cores between which no thread can move. Two cores are of one tenant when a thread may run on both,
 * or both are of one tenant with a third. A policy that keeps what it knows and decides for each tenant separately lets
 * none of them notice another (test_promises.c).
 *
 * Tenants only grow, unless they are found again: cores that a thread has linked stay linked when it goes, or when its
 * set changes.
 */
#ifndef SAHM_SCHED_POLICIES_TENANTS_H
#define SAHM_SCHED_POLICIES_TENANTS_H

#include "sched/host/ext.h"

/* `of`, for each core: the first core of its tenant. No core is linked to another. */
void tenants_init(s32 *of);

/* Links the cores on which `p` may run; so for set_cpumask(). */
void tenants_link(s32 *of, const struct task_struct *p);

#endif
