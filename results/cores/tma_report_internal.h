/* What tables and figures of top-down analysis share. */
#ifndef SAHM_RESULTS_CORES_TMA_REPORT_INTERNAL_H
#define SAHM_RESULTS_CORES_TMA_REPORT_INTERNAL_H

#include "results/cores/tma_report.h"

/* Results, and of several streams their sums. */
struct tma_view {
	const struct tma_report *report;
	struct core_result *runs; /* [nr_cores]: of sums */
	struct tma_result *sums;  /* [nr_cores] */
	size_t nr_rows;		  /* streams, and one more for the sums of several */
	size_t nr_folders;	  /* characters of streams' names: folders that all are in */
};

/* Release it in any case. False when memory was short. */
bool tma_view_init(struct tma_view *v, const struct tma_report *report);
void tma_view_release(struct tma_view *v);

/* Of stream `row`, or of all streams if that is their number. */
const struct tma_result *tma_view_result(const struct tma_view *v, size_t row, size_t core);
const char *tma_view_stream(const struct tma_view *v, size_t row);

/* Whether the report shows this kind of this core. */
bool tma_shows_kind(const struct tma_report *r, const struct tma_window *w, enum tma_kind kind);

/* Whether any kind is shown of it. */
bool tma_shows_any(const struct tma_report *r, const struct tma_window *w);

/* What counters miss in a result. */
void tma_view_undercounts(const struct tma_view *v, const struct tma_result *r,
			  struct tma_undercount out[NR_TMA_EVENTS]);

/* Whether events are counted, for formulas or their lanes. */
static inline bool tma_has_counts(const struct tma_report *r)
{
	return r->per_lane || (r->kinds & TMA_FORMULA_KINDS);
}

/* Appends a remark on what Rocket's formulas see of a core, or nothing. They take the uops that issued and never
 * retired from uops issued and instructions retired; those of a stream whose instructions have several uops differ. */
void tma_view_remark(const struct tma_view *v, size_t core, struct textbuf *out);

/* Events that are counted by lane. */
struct tma_lanes {
	const char *name, *key; /* "fetch bubbles", "fetch_bubbles" */
	unsigned nr;
	const uint64_t *counts; /* [nr] */
};

#define NR_TMA_LANES 3u
void tma_lanes_of(const struct tma_counts *c, struct tma_lanes lanes[NR_TMA_LANES]);

#endif
