/* The timing models beside the published graph, on the same uops with the same costs: the counterpart of Calipers'
 * figure 11, which has gem5 beside the graph.
 *
 * They are two models, so no difference is required; the study says how large it is, and what makes up the largest one.
 */
#ifndef SAHM_RESULTS_STUDIES_FIDELITY_STUDY_H
#define SAHM_RESULTS_STUDIES_FIDELITY_STUDY_H

#include "cores/uarch/graph/graph.h"
#include "results/cores/core_report.h"

#define FIDELITY_SCHEMA "sahm-core-fidelity/1"

/* A stream on a core. */
struct fidelity_result {
	const struct core_result *recurrence; /* with its critical path */
	const char *core;		      /* "gem5-ooo rob=64" */
	/* graph_feed_config() of the core; by algorithm, of in-order cores GRAPH_ONE_PASS, of others the other two.
	 * Their instructions are uops. */
	struct graph_counts graphs[NR_GRAPH_ALGORITHMS];
};

/* GRAPH_ONE_PASS or GRAPH_SLIDING_EXACT: what the recurrence is compared with. */
enum graph_algorithm fidelity_algorithm(const struct fidelity_result *r);

/* By how much a length is above that of the recurrence, in % of it. */
double fidelity_difference(const struct fidelity_result *r, enum graph_algorithm algorithm);

/* ---- Output: results[nr], at least one ---- */

bool fidelity_text(const struct fidelity_result *results, size_t nr, bool bold, struct textbuf *out);
void fidelity_csv(const struct fidelity_result *results, size_t nr, struct textbuf *out);
void fidelity_json(const struct fidelity_result *results, size_t nr, struct textbuf *out);

/* NULL at the end. */
extern const char *const fidelity_figures[];

enum sahm_status fidelity_plot_write(const struct fidelity_result *results, size_t nr, const char *folder,
				     struct sahm_err *err);
enum sahm_status fidelity_plot_draw(const char *folder, struct textbuf *notes, struct sahm_err *err);

#endif
