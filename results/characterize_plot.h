/* Figures of a characterisation: occupancy_by_cuts, occupancy, occupancy_by_trace, transitions, intervals. Source:
 * dissertation, section 4.2, figures 4.2 to 4.6. */
#ifndef SAHM_RESULTS_CHARACTERIZE_PLOT_H
#define SAHM_RESULTS_CHARACTERIZE_PLOT_H

#include "results/characterize_means.h"
#include "sim/base/textbuf.h"

/* Writes data and script of every figure into `folder`, which is created unless it is there. Fails as
 * plot_make_folder() and plot_write() do. */
enum sahm_status characterize_plot_write(const struct characterize_study *study, const char *folder,
					 struct sahm_err *err);

/* Draws the figures that were written. Fails as plot_draw() does, which also says what `notes` are. */
enum sahm_status characterize_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
