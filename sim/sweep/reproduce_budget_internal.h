/* Between the study of chips within a budget and its report. */
#ifndef SAHM_SIM_SWEEP_REPRODUCE_BUDGET_INTERNAL_H
#define SAHM_SIM_SWEEP_REPRODUCE_BUDGET_INTERNAL_H

#include "cores/chip/core_costs.h"
#include "sim/sweep/budget.h"
#include "sim/sweep/reproduce_internal.h"

/* Numbers of threads with which chips are tried, up to a number of cores. */
#define NR_BUDGET_LOADS 4u
struct budget_load {
	uint32_t nr_threads, most_cores;
};

extern const struct budget_load budget_loads[NR_BUDGET_LOADS];

/* The chips that can be made of the core types of one point of the study. */
struct budget_set {
	const char *label;
	struct mix_space space; /* its types; their prices are those of the table of costs, or 0 */
	struct budget_chips chips[NR_BUDGET_LOADS];
	const char *missing[NR_CORE_COSTS]; /* a message that asks for a price; NULL: none is missing */
};

struct budget_study {
	struct budget_set *sets; /* [nr_sets] */
	uint64_t nr_sets;
	struct core_costs costs;
	bool has_costs;
};

/* Appends the tables for people, and every best chip as CSV; false when memory was short. */
bool reproduce_budget_text(struct reproducing *p, struct textbuf *out);
bool reproduce_budget_runs(struct reproducing *p, struct textbuf *out);

#endif
