/* The shipped soft-logic modules that are part of the program. mk/build.mk gives them these names; as a plug-in each is
 * sahm_soft_module().
 */
#ifndef SAHM_IPU_SOFT_MODULES_SHIPPED_MODULES_H
#define SAHM_IPU_SOFT_MODULES_SHIPPED_MODULES_H

#include "ipu/soft/module.h"

/* All of them, each found by its name. Constant data. */
unsigned nr_shipped_modules(void);
const struct soft_module *shipped_module(unsigned i);

/* Constant data. */
const struct soft_module *soft_module_l1i_entangling(void);
const struct soft_module *soft_module_hash_counter(void);

#endif
