/* Figures of `sahm ipu study`: those of the dissertation, figure 2.8(c) and (d). */
#ifndef SAHM_SIM_CLI_IPU_STUDY_PLOT_H
#define SAHM_SIM_CLI_IPU_STUDY_PLOT_H

#include <stdbool.h>

#include "ipu/studies/study_overlap.h"
#include "ipu/studies/study_values.h"
#include "results/chart/plot.h"

#define STUDY_FIGURES 2u

/* Names of the figures of a study; NULL ends them. */
extern const char *const study_overlap_figures[];
extern const char *const study_values_figures[];

/* Fills figures[STUDY_FIGURES], which have begun with these names, from NR_OVERLAP_SCENARIOS or NR_VALUES_APPLICATIONS
 * results. False when memory was short. */
bool study_overlap_plot(const struct overlap_result *results, struct figure *figures);
bool study_values_plot(const struct values_result *results, struct figure *figures);

#endif
