#include "ipu/soft/modules/shipped_modules.h"

static const struct soft_module *(*const modules[])(void) = {soft_module_l1i_entangling, soft_module_hash_counter};

unsigned nr_shipped_modules(void)
{
	return sizeof(modules) / sizeof(modules[0]);
}

const struct soft_module *shipped_module(unsigned i)
{
	return modules[i]();
}
