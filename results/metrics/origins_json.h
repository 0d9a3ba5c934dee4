/* Which counters are assumed or modelled, in JSON; in text: trace_words.h. */
#ifndef SAHM_RESULTS_METRICS_ORIGINS_JSON_H
#define SAHM_RESULTS_METRICS_ORIGINS_JSON_H

#include "results/metrics/json.h"
#include "workloads/trace/provenance.h"

/* Writes a member for each kind, `assumed_counters` and the like: arrays of names. */
void origins_write_json(struct counter_origins o, struct jwriter *j);

#endif
