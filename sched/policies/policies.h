/* The policies that come with sahm, by name. */
#ifndef SAHM_SCHED_POLICIES_POLICIES_H
#define SAHM_SCHED_POLICIES_POLICIES_H

#include "sched/host/ext.h"

/* Every built-in policy in the order of policy_list.h, NULL at the end. */
extern const struct sched_ext_ops *const sched_policies[];

/* The built-in policy called `name`, NULL when there is none. */
const struct sched_ext_ops *sched_policy_find(const char *name);

#endif
