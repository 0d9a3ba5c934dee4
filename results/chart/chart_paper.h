/* Values of the paper in figures: a line in one colour across the row that it is about, and a label beside the row. */
#ifndef SAHM_RESULTS_CHART_CHART_PAPER_H
#define SAHM_RESULTS_CHART_CHART_PAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/textbuf.h"

/* Nothing else in a figure has this colour. */
#define CHART_PAPER "#D6006F"

struct chart_paper {
	size_t row;
	unsigned part;	   /* of the row: its series or state */
	double value;	   /* on the value axis */
	const char *words; /* "mean 15 %": of the label */
};

/* Width of the labels beside rows, in pixels; 0 without values. */
unsigned chart_paper_px(const struct chart_paper *paper, size_t nr);

/* Appends lines and labels to a script whose functions paper_at(row, part) and variable paper_half are the middle of a
 * part on the y axis and half of its height. Values of one place, which follow each other, share a label; a place is a
 * row or, if `by_part`, a part of it. */
void chart_paper_draw(const struct chart_paper *paper, size_t nr, bool by_part, struct textbuf *script);

/* Appends a line of the paper's from one position to another, as gnuplot writes them. */
void chart_paper_line(const char *from, const char *to, struct textbuf *script);

#endif
