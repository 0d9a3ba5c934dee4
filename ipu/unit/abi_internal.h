/* Between reading an ABI spec and what makes one of text in memory. */
#ifndef SAHM_IPU_UNIT_ABI_INTERNAL_H
#define SAHM_IPU_UNIT_ABI_INTERNAL_H

#include "ipu/unit/abi.h"
#include "sim/base/cfg.h"

/* The spec that the tree `root` is, whose strings it keeps. SAHM_CONFIG. */
enum sahm_status abi_of_tree(const struct cfg_node *root, struct abi *abi, struct sahm_err *err);

#endif
