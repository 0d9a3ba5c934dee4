#include "sched/policies/policies.h"

#include <string.h>

#define POLICY(symbol) extern const struct sched_ext_ops sched_policy_##symbol;
#include "sched/policies/policy_list.h"
#undef POLICY

const struct sched_ext_ops *const sched_policies[] = {
#define POLICY(symbol) &sched_policy_##symbol,
#include "sched/policies/policy_list.h"
#undef POLICY
	NULL,
};

const struct sched_ext_ops *sched_policy_find(const char *name)
{
	for (const struct sched_ext_ops *const *p = sched_policies; *p; p++)
		if (strcmp((*p)->name, name) == 0)
			return *p;
	return NULL;
}
