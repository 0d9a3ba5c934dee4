/* Figures, drawn by the program gnuplot.
 *
 * A figure NAME in a folder is NAME.csv (the data, with a row of headings), NAME.gp (gnuplot's script, which names
 * files of its own folder only), NAME.svg and NAME.png. Data and scripts are the same bytes wherever they are written;
 * pictures depend on gnuplot and its fonts. Text from outside belongs in the data, made harmless by plot_label(), and
 * never in a script: gnuplot runs what stands in backquotes, even inside quotes.
 */
#ifndef SAHM_RESULTS_CHART_PLOT_H
#define SAHM_RESULTS_CHART_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* A figure before it is drawn. */
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

/* Bounds of a picture, in pixels of the SVG; the PNG has twice as many a side, and gnuplot draws up to 32,767. */
#define MAX_PLOT_PX 16000u

/* Longest label, in characters. */
#define MAX_LABEL 30

/* Begins and ends the script of figure `name` (letters, digits and _), `width_px` x `height_px`. What is drawn stands
 * between them and ends in one `plot` command; NAME.csv is in the script's variable `data`. */
void plot_begin_script(struct textbuf *script, const char *name, unsigned width_px, unsigned height_px);
void plot_end_script(struct textbuf *script);

/* Appends `text` as a string of gnuplot in which nothing is expanded; control characters become '?', single quotes
 * typographical ones. */
void plot_string(struct textbuf *script, const char *text);

/* Appends `text` as a label for a column of data: valid UTF-8 without control characters and without what gnuplot acts
 * on in data or writes wrongly ("quotes", commas, backslashes, %, brackets), at most MAX_LABEL characters; of what is
 * longer, the middle is left out. */
void plot_label(struct textbuf *out, const char *text);

/* Writes data and script of figure `name`, each complete or not at all, and removes pictures of former data. SAHM_IO,
 * SAHM_NOMEM. */
enum sahm_status plot_write(const char *folder, const char *name, const struct textbuf *data,
			    const struct textbuf *script, struct sahm_err *err);

/* The same, of a figure. */
enum sahm_status figure_write(const struct figure *f, const char *folder, struct sahm_err *err);

/* Removes the files of figure `name` from `folder`, where there are any: it was another one's. SAHM_IO, SAHM_NOMEM. */
enum sahm_status plot_remove(const char *folder, const char *name, struct sahm_err *err);

/* Whether there is a gnuplot in PATH. */
bool plot_is_installed(void);

/* Runs gnuplot (from PATH, in `folder`) on the script of figure `name`. Pictures appear complete or not at all. Output
 * of gnuplot in spite of success is appended to `notes`, a line each. SAHM_TOOL when it is not installed, fails (the
 * message gives its exit status and what it complains of) or leaves a picture unfinished; SAHM_IO; SAHM_NOMEM. */
enum sahm_status plot_draw(const char *folder, const char *name, struct textbuf *notes, struct sahm_err *err);

/* Refuses to replace a file of the figure `name` in `folder`: data, script, pictures. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status plot_refuse_existing(const char *folder, const char *name, struct sahm_err *err);

#endif
