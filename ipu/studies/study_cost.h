/* What an IPU costs: area, power and bandwidth as the dissertation publishes them (chapter 2), and the same computed
 * from the parts that it publishes. All figures are quoted: nothing here is synthesised or measured.
 *
 * A published figure agrees when the computed value rounds to its digits; of a bound, when the value keeps it.
 */
#ifndef SAHM_IPU_STUDIES_STUDY_COST_H
#define SAHM_IPU_STUDIES_STUDY_COST_H

#include <stdbool.h>

#include "sim/base/textbuf.h"

enum cost_part_id {
	NO_COST_PART,
#define PART(symbol, source, value, unit, name, place) COST_##symbol,
#include "ipu/studies/cost_part_list.h"
#undef PART
	NR_COST_PART_IDS
};

enum {
	NR_COST_PARTS = NR_COST_PART_IDS - 1,
	NR_COST_FIGURES = 0
#define FIGURE(...) +1
#include "ipu/studies/cost_figure_list.h"
#undef FIGURE
};

/* COST_INFERRED: the text leaves the part out, and its figures imply it. */
enum cost_source { COST_PUBLISHED, COST_INFERRED };

struct cost_part {
	const char *text; /* the value as it is published */
	const char *unit; /* may be "" */
	const char *name, *place;
	double value; /* in `unit` */
	enum cost_source source;
};

enum cost_relation { COST_EQUAL, COST_ABOUT, COST_BELOW, COST_AT_MOST };

struct cost_figure {
	const char *kind; /* "area", "power", "bandwidth" */
	const char *name, *unit, *place;
	const char *note;     /* why the published figure differs; NULL where it agrees */
	const char *text;     /* the published figure */
	const char *relation; /* words before it: "around"; "" where it is exact */
	double published;     /* in `unit` */
	double computed;      /* in `unit` */
	bool agrees;
};

/* Part `i`, below NR_COST_PARTS. */
struct cost_part cost_part(unsigned i);

/* Figure `i`, below NR_COST_FIGURES; figures of a kind follow each other. */
struct cost_figure cost_figure(unsigned i);

/* Appends how figure `i` is computed: "0.22 mm2 / (31 mm2 x 4)". */
void cost_write_formula(unsigned i, struct textbuf *out);

/* Whether `computed` is as published by `text`, a decimal number with as many digits as it is rounded to. */
bool cost_agrees(enum cost_relation relation, double computed, const char *text);

#endif
