/* What a simulation says, and whether two say the same: every field of the run, its states, cores and threads. */
#ifndef SAHM_TESTS_HELPER_SAME_OUTCOME_H
#define SAHM_TESTS_HELPER_SAME_OUTCOME_H

#include "sim/engine/sim.h"

/* Activity is asked for by groups of cores: core c is in group c % OUTCOME_GROUPS or, where cores have levels, each
 * level of each core is a group, up to OUTCOME_TOP_GROUPS. */
#define OUTCOME_GROUPS 8
#define OUTCOME_TOP_GROUPS 40
#define OUTCOME_CELLS (OUTCOME_GROUPS * NR_STATES)

struct sim_outcome {
	const char *from; /* who says it, for messages */
	struct sim_result whole;
	struct sim_thread_result *threads; /* [nr_threads]; the caller that fills it keeps it */
	struct sim_counts *cores;	   /* [nr_cores] */
	struct activity *activity;	   /* [nr_threads][nr_groups][NR_STATES]; NULL: not asked for */
	uint32_t nr_groups;
	uint64_t residency[OUTCOME_TOP_GROUPS]; /* with activity, */
	uint64_t over_ns[OUTCOME_GROUPS];	/* likewise: of up to as many groups that share */
};

/* Whether both are the same; writes the first difference to stderr. */
bool same_outcome(const struct sim_outcome *a, const struct sim_outcome *b, uint32_t nr_threads, uint32_t nr_cores);

/* Lets `engine` run `config` into `out`, whose arrays have room; everything that it does not write is recognisable. */
enum sahm_status run_engine(const struct sim_config *config, enum sim_engine engine, struct sim_outcome *out,
			    struct sahm_err *err);

#endif
