/* Built for another version of the interface. */
#include "sched/ext.h"

static const struct sched_ext_ops ops = {.name = "wrong-abi"};

SAHM_PUBLIC extern const struct sahm_plugin sahm_plugin;
SAHM_PUBLIC const struct sahm_plugin sahm_plugin = {SAHM_POLICY_ABI + 1, sizeof(ops), &ops};
