/* What the files of characterize_plot.h share. */
#ifndef SAHM_RESULTS_REPORT_CHARACTERIZE_PLOT_INTERNAL_H
#define SAHM_RESULTS_REPORT_CHARACTERIZE_PLOT_INTERNAL_H

#include "results/report/characterize_plot.h"

struct plotted {
	const struct characterize_study *study;
	struct characterize_means means;
	const char *prefix; /* of headings of columns with data: trace_words_prefix() */
	const struct chart_paper *paper;
	size_t nr_paper;
};

/* Appends the text that stands for the picture of a figure. */
void plot_alt(const struct plotted *p, enum characterize_figure which, struct textbuf *alt);

#endif
