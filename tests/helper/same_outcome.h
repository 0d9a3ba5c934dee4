/* What a simulation says, and whether two say the same: every field of the run, its states, cores and threads. */
#ifndef SAHM_TESTS_HELPER_SAME_OUTCOME_H
#define SAHM_TESTS_HELPER_SAME_OUTCOME_H

#include "sim/engine/sim.h"

struct sim_outcome {
	const char *from; /* who says it, for messages */
	struct sim_result whole;
	struct sim_thread_result *threads; /* [nr_threads]; the caller that fills it keeps it */
	struct sim_counts *cores;	   /* [nr_cores] */
};

/* Whether both are the same; writes the first difference to stderr. */
bool same_outcome(const struct sim_outcome *a, const struct sim_outcome *b, uint32_t nr_threads, uint32_t nr_cores);

/* Lets `engine` run `config` into `out`, whose arrays have room; everything that it does not write is recognisable. */
enum sahm_status run_engine(const struct sim_config *config, enum sim_engine engine, struct sim_outcome *out,
			    struct sahm_err *err);

#endif
