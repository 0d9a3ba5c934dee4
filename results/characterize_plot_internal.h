/* What the files of characterize_plot.h share. A figure called `name` appends its data and its script. */
#ifndef SAHM_RESULTS_CHARACTERIZE_PLOT_INTERNAL_H
#define SAHM_RESULTS_CHARACTERIZE_PLOT_INTERNAL_H

#include "results/characterize_means.h"
#include "sim/base/textbuf.h"

struct plotted {
	const struct characterize_study *study;
	struct characterize_means means;
	const char *prefix; /* of headings of columns with data: "synthetic_" when any trace is */
};

/* Sets the title: `what`, and below it of how many traces, how many of them synthetic, and, unless NULL, the cuts. */
void plotted_title(const struct plotted *p, const char *what, const char *cuts, struct textbuf *script);

void plot_transitions(const struct plotted *p, const char *name, struct textbuf *data, struct textbuf *script);
void plot_intervals(const struct plotted *p, const char *name, struct textbuf *data, struct textbuf *script);

#endif
