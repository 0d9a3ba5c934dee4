/* What-if: what a core would gain from ideal parts: one at a time, in pairs, and in all combinations as Shapley values.
 *
 * The gain of a set of parts is the number of cycles that it saves if all of its parts are ideal. The interaction cost
 * of two parts is the gain of both less the gain of each (Fields, Bodik and Hill, "Using interaction costs for
 * microarchitectural bottleneck analysis", MICRO 2003). The Shapley value of a part is the mean, over all orders in
 * which parts become ideal, of the cycles that it saves when its turn comes: the values of all parts add up to the gain
 * of all of them.
 */
#ifndef SAHM_RESULTS_CORES_CORE_WHATIF_H
#define SAHM_RESULTS_CORES_CORE_WHATIF_H

#include "cores/uarch/ideal.h"
#include "results/cores/core_report.h"

#define WHATIF_SCHEMA "sahm-core-whatif/1"
#define MAX_WHATIF_PARTS 8u
#define MAX_WHATIF_SUBSETS (1u << MAX_WHATIF_PARTS)

/* A set of parts: bit i is parts[i]. */
struct whatif {
	const char *core; /* as it was given */
	const struct core_model *model;
	const char *config_hash;
	struct stream_sampling sampling;
	unsigned nr_parts; /* from 1 to MAX_WHATIF_PARTS */
	enum ideal parts[MAX_WHATIF_PARTS];
	bool has_shapley; /* all sets are computed, else those of up to two parts */
	unsigned nr_sets;
	uint16_t sets[MAX_WHATIF_SUBSETS]; /* [nr_sets]: that are computed, smaller ones first */
};

/* A stream. */
struct whatif_result {
	const char *stream;
	uint64_t nr_sampled; /* as in struct core_result */
	uint64_t instructions;
	uint64_t cycles[MAX_WHATIF_SUBSETS]; /* by set: of those in `sets` */
};

/* Fills in `sets`, from the members before it. */
void whatif_choose_sets(struct whatif *w);

/* The parts of a set, a bit for each enum ideal. */
unsigned whatif_ideals(const struct whatif *w, unsigned set);

/* Cycles that a set of parts saves; what two parts save beyond what each does. They can be negative. */
int64_t whatif_gain(const struct whatif_result *r, unsigned set);
int64_t whatif_interaction(const struct whatif_result *r, unsigned a, unsigned b);

/* The Shapley value of a part. */
struct whatif_share {
	int64_t numerator; /* over the factorial of the number of parts: exact */
	int64_t cycles;	   /* whole: the sum over parts is exact, the value is off by less than 1 */
};

/* Shapley values of the parts: shares[nr_parts]. Of less than 2^47 cycles. */
void whatif_shapley(const struct whatif *w, const struct whatif_result *r, struct whatif_share *shares);

/* Append results[nr], of at least one stream; of several, with their sums. False when memory was short. */
bool whatif_text(const struct whatif *w, const struct whatif_result *results, size_t nr, bool bold,
		 struct textbuf *out);
void whatif_csv(const struct whatif *w, const struct whatif_result *results, size_t nr, struct textbuf *out);
void whatif_json(const struct whatif *w, const struct whatif_result *results, size_t nr, struct textbuf *out);

/* Figures (results/chart/plot.h) "whatif_interactions", of all streams together, and with Shapley values
 * "whatif_shapley", a bar per stream. */
#define NR_WHATIF_FIGURES 2u
extern const char *const whatif_figure_names[NR_WHATIF_FIGURES + 1]; /* NULL at the end */

enum sahm_status whatif_plot_write(const struct whatif *w, const struct whatif_result *results, size_t nr,
				   const char *folder, struct sahm_err *err);
enum sahm_status whatif_plot_draw(const struct whatif *w, const char *folder, struct textbuf *notes,
				  struct sahm_err *err);

#endif
