/* The processors that come with the program. Tests run where configs/ is. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_MADE_CPU_H
#define SAHM_TESTS_UNIT_CORES_UARCH_MADE_CPU_H

#include <stdio.h>

#include "cores/uarch/cpu.h"
#include "tests/unit/test.h"

#define NR_SHIPPED_CPUS 5

static const char *const shipped_cpu_names[NR_SHIPPED_CPUS] = {"golden-cove", "zen4", "neoverse-v2", "boom-large",
							       "rocket"};

static inline struct cpu shipped_cpu(const char *name)
{
	char path[128];
	struct cpu cpu;
	struct sahm_err err;
	snprintf(path, sizeof(path), "configs/cpus/%s.cfg", name);
	if (cpu_read(path, &cpu, &err) != SAHM_OK)
		fail_msg("%s", err.msg);
	return cpu;
}

#endif
