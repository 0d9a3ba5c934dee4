/* What the files of characterize_plot.h share. Each function fills all of a figure that is named, but for its text. */
#ifndef SAHM_RESULTS_CHARACTERIZE_PLOT_INTERNAL_H
#define SAHM_RESULTS_CHARACTERIZE_PLOT_INTERNAL_H

#include "results/report/characterize_plot.h"

struct plotted {
	const struct characterize_study *study;
	struct characterize_means means;
	const char *prefix; /* of headings of columns with data: trace_words_prefix() */
};

/* Sets the title: `what`, and below it of how many traces, how many of them synthetic or of nominal time, and, unless
 * NULL, the cuts. */
void plotted_title(const struct plotted *p, const char *what, const char *cuts, struct textbuf *script);

/* Begins the script of a figure of this size. */
void plotted_begin(struct figure *f, unsigned width_px, unsigned height_px);

void plot_transitions(const struct plotted *p, struct figure *f);
void plot_intervals(const struct plotted *p, struct figure *f);

/* Appends the text that stands for the picture of a figure. */
void plot_alt(const struct plotted *p, enum characterize_figure which, struct textbuf *alt);

#endif
