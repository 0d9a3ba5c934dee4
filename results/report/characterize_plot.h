/* Figures of a characterisation. Source: dissertation, section 4.2, figures 4.2 to 4.6. */
#ifndef SAHM_RESULTS_REPORT_CHARACTERIZE_PLOT_H
#define SAHM_RESULTS_REPORT_CHARACTERIZE_PLOT_H

#include "results/chart/chart_paper.h"
#include "results/chart/plot.h"
#include "results/metrics/characterize_means.h"

/* In the order of the dissertation's. */
enum characterize_figure {
	CHARACTERIZE_BY_CUTS,
	CHARACTERIZE_OCCUPANCY,
	CHARACTERIZE_BY_TRACE,
	CHARACTERIZE_TRANSITIONS,
	CHARACTERIZE_INTERVALS,
	NR_CHARACTERIZE_FIGURES
};

/* Names of their files: "occupancy_by_cuts". */
extern const char *const characterize_figure_names[NR_CHARACTERIZE_FIGURES];

/* Fills `f`, begun by figure_init() with any name, with the figure `which`. Values of the paper, `paper`[`nr_paper`],
 * stand in rows (sets of cuts, states, traces, states that are left, bins of intervals) and parts (states; states that
 * are entered, which is the same state for all epochs that stay). textbuf_failed() of its texts tells when
 * memory was short. The text that stands for the picture can hold names of traces, made harmless by plot_label(). */
void characterize_figure(const struct characterize_study *study, enum characterize_figure which,
			 const struct chart_paper *paper, size_t nr_paper, struct figure *f);

/* Writes data and script of every figure into `folder`, which is created unless it is there. Fails as
 * file_make_folder() and figure_write() do. */
enum sahm_status characterize_plot_write(const struct characterize_study *study, const char *folder,
					 struct sahm_err *err);

/* Draws the figures that were written. Fails as plot_draw() does, which also says what `notes` are. */
enum sahm_status characterize_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

/* Refuses to replace a file of these figures in `folder`. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status characterize_plot_refuse_existing(const char *folder, struct sahm_err *err);

#endif
