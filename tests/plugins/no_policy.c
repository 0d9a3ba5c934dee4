/* It has the symbol, and no policy. */
#include "sched/ext.h"

SAHM_PUBLIC extern const struct sahm_plugin sahm_plugin;
SAHM_PUBLIC const struct sahm_plugin sahm_plugin = {SAHM_POLICY_ABI, sizeof(struct sched_ext_ops), NULL};
