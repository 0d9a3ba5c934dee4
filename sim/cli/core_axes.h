/* Axes of `sahm core time` and others: keys of a model with several values. Each core is computed with every
 * combination. */
#ifndef SAHM_SIM_CLI_CORE_AXES_H
#define SAHM_SIM_CLI_CORE_AXES_H

#include "results/cores/core_report.h"
#include "sim/base/arena.h"
#include "sim/base/options.h"

#define MAX_CORE_AXES 8u

/* Cores and combinations of values, at most. */
#define MAX_CONFIGURATIONS 4096u

struct core_axis {
	const char *key;
	size_t nr;
	struct core_setting *values;  /* [nr] */
	const char *const *arguments; /* [nr]: "rob=64", as --set takes them */
};

struct core_axes {
	struct arena arena; /* of all below */
	unsigned nr;
	struct core_axis axes[MAX_CORE_AXES];
	size_t nr_points; /* combinations; 1 without axes */
};

/* Reads "KEY=V1,V2,...", "KEY=FIRST..LAST" and "KEY=FIRST..LAST..STEP", for `nr_cores` cores. Release it in any case.
 * SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status core_axes_read(struct core_axes *a, const struct option_list *arguments, size_t nr_cores,
				struct sahm_err *err);
void core_axes_release(struct core_axes *a);

/* The value of combination `point` on an axis: the first axis varies slowest. */
size_t core_axes_value(const struct core_axes *a, size_t point, unsigned axis);

#endif
