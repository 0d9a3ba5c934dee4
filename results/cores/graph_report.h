/* What the published graph says of a program: its length, and the cycles of its path by cause. */
#ifndef SAHM_RESULTS_CORES_GRAPH_REPORT_H
#define SAHM_RESULTS_CORES_GRAPH_REPORT_H

#include "cores/uarch/graph/graph.h"
#include "sim/base/textbuf.h"

struct graph_report {
	const char *trace, *config; /* how they are called; config is NULL if it was made from `core` */
	const char *core;	    /* that the costs are from; NULL: they are the trace's */
	enum graph_algorithm algorithm;
	bool is_seeded; /* something was drawn at random */
	uint64_t seed;
	struct graph_counts counts;
};

/* The text of the released program, for scripts: "Length: N", then a line "NAME cycles: P% (N)" for each cause. */
void graph_report_result(const struct graph_report *r, struct textbuf *out);

/* The same after the numbers of instructions and cycles per instruction. */
void graph_report_text(const struct graph_report *r, struct textbuf *out);

/* {"format": "sahm-core-graph/1", ...} */
void graph_report_json(const struct graph_report *r, struct textbuf *out);

/* A row per cause. */
void graph_report_csv(const struct graph_report *r, struct textbuf *out);

#endif
