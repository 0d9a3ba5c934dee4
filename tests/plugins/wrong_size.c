/* Its table of operations has another size than that of this version. */
#include "sched/ext.h"

static const struct sched_ext_ops ops = {.name = "wrong-size"};

SAHM_PUBLIC extern const struct sahm_plugin sahm_plugin;
SAHM_PUBLIC const struct sahm_plugin sahm_plugin = {SAHM_POLICY_ABI, sizeof(ops) - 8, &ops};
