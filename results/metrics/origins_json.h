/* Which counters are assumed or modelled, in JSON; in text: trace_words.h. */
#ifndef SAHM_RESULTS_METRICS_ORIGINS_JSON_H
#define SAHM_RESULTS_METRICS_ORIGINS_JSON_H

#include "results/metrics/json.h"
#include "workloads/trace/provenance.h"

/* Writes two members, `assumed_counters` and `modelled_counters`: arrays of names. */
void origins_write_json(struct counter_origins o, struct jwriter *j);

#endif
