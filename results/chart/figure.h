/* Figures before they are drawn: data, a script for gnuplot (results/chart/plot.h) and a text that stands for the
 * picture. */
#ifndef SAHM_RESULTS_FIGURE_H
#define SAHM_RESULTS_FIGURE_H

#include "sim/base/err.h"
#include "sim/base/textbuf.h"

struct figure {
	const char *name;	      /* letters, digits and _: of its files; the caller's */
	struct textbuf data;	      /* CSV with a row of headings */
	struct textbuf script;	      /* as plot_begin_script() and plot_end_script() have it */
	struct textbuf alt;	      /* what the picture shows, in sentences, for those who cannot see it */
	unsigned width_px, height_px; /* of the SVG */
};

/* Begins a figure without anything in it; release it with figure_release(). */
void figure_init(struct figure *f, const char *name);
void figure_release(struct figure *f);

/* Writes data and script into `folder`, as plot_write() does. */
enum sahm_status figure_write(const struct figure *f, const char *folder, struct sahm_err *err);

#endif
