/* What `sahm ipu study` prints: tables for people, and arrays for programs. */
#ifndef SAHM_SIM_CLI_IPU_STUDY_REPORT_H
#define SAHM_SIM_CLI_IPU_STUDY_REPORT_H

#include <stdbool.h>

#include "ipu/studies/study_overlap.h"
#include "ipu/studies/study_values.h"
#include "results/metrics/json.h"

/* Clock of the dissertation's GPU. */
#define STUDY_GPU_MHZ 1400

/* NR_OVERLAP_SCENARIOS results, NR_VALUES_APPLICATIONS. Text: false when memory was short. JSON: a member of the object
 * that has begun. CSV: the data of figures 2.8(c) and (d), and every figure of the costs. */
bool study_overlap_text(const struct overlap_result *r, struct textbuf *out);
void study_overlap_json(const struct overlap_result *r, struct jwriter *j);
bool study_values_text(const struct values_result *r, struct textbuf *out);
void study_values_json(const struct values_result *r, struct jwriter *j);
bool study_overlap_csv(const struct overlap_result *r, struct textbuf *out);
void study_values_csv(const struct values_result *r, struct textbuf *out);
bool study_cost_text(struct textbuf *out);
void study_cost_json(struct jwriter *j);
void study_cost_csv(struct textbuf *out);

#endif
