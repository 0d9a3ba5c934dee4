/* Evaluators: how a configuration becomes a record. */
#ifndef SAHM_RESULTS_STUDIES_EVALUATE_H
#define SAHM_RESULTS_STUDIES_EVALUATE_H

#include "results/store/run_record.h"

/* To add an evaluator: here, its name and its case in evaluate.c. */
enum evaluator {
	EVALUATE_RUN,	/* the simulation: run_execute() with the event-driven engine */
	EVALUATE_LIMIT, /* only from residencies: results/studies/limit.h */
};

/* Names of the evaluators ("run", "limit"), NULL at the end. */
extern const char *const evaluator_names[];

/* Evaluates `config` and fills `r`, timing included but for its worker; strings and arrays come from `a`. A failure is
 * one of the run, which record_of_failure() can keep, but for SAHM_NOMEM. */
enum sahm_status evaluate(const struct run_config *config, enum evaluator evaluator, struct arena *a, struct record *r,
			  struct sahm_err *err);

/* Identity of a record: a hash of the resolved configuration with the contents of its traces
 * (run_config_hash()), of what cores and threads are called, of the evaluator, and of the program's version
 * (model_version()). SAHM_NOMEM, and `hash` is untouched: half of one would be that of another run. */
enum sahm_status evaluate_hash(const struct run_config *config, enum evaluator evaluator, uint8_t hash[HASH_BYTES],
			       struct sahm_err *err);

#endif
