/* Studies of the front end: an in-order core beside an out-of-order one, over streams.
 *
 * `bottlenecks`: the cycles of the critical path, by groups of causes (Calipers, figure 13). `frontend`: what ideal
 * fetch, ideal branches and both save, beside what the critical path promised: its cycles that are charged to causes
 * which the ideal part removes (figures 15 and 16). Both look whether the orderings hold that the paper reports
 * (sections 5.1 and 5.2): its cycles are those of other programs and cores, so only orderings and shares compare.
 */
#ifndef SAHM_RESULTS_STUDIES_CORE_STUDY_H
#define SAHM_RESULTS_STUDIES_CORE_STUDY_H

#include "results/cores/core_report.h"

#define CORE_STUDY_SCHEMA "sahm-core-study/1"

/* To add one: here, what core_study.c says of it, and its tables and figures. */
enum core_study_kind { STUDY_BOTTLENECKS, STUDY_FRONTEND, NR_CORE_STUDIES };

/* NULL at the end. */
extern const char *const core_study_names[];

/* The two cores. */
enum study_side { SIDE_IN_ORDER, SIDE_OUT_OF_ORDER, NR_STUDY_SIDES };

/* Sets of ideal parts: bits of fetch and branches. */
enum study_set { SET_NONE, SET_FETCH, SET_BRANCH, SET_BOTH, NR_STUDY_SETS };

/* As enum ideal has them, a bit for each. */
unsigned study_set_ideals(enum study_set set);

struct study_core {
	const char *core; /* as it was given */
	const struct core_model *model;
	const char *config_hash;
};

struct core_study {
	enum core_study_kind kind;
	struct study_core cores[NR_STUDY_SIDES];
	struct stream_sampling sampling;
};

/* The sets that a study computes: the first ones. */
unsigned core_study_nr_sets(enum core_study_kind kind);

/* A stream on a core. */
struct study_counts {
	uint64_t cycles[NR_STUDY_SETS]; /* of those that the study computes */
	struct path_counts path;	/* of the core as it is: its causes add up to its cycles */
};

struct core_study_result {
	const char *stream;
	uint64_t nr_sampled; /* as in struct core_result */
	uint64_t instructions;
	struct study_counts sides[NR_STUDY_SIDES];
};

/* ---- Definitions ---- */

enum path_group {
#define PATH_GROUP(suffix, name, help) GROUP_##suffix,
#include "results/studies/core_study_group_list.h"
#undef PATH_GROUP
	NR_PATH_GROUPS
};

const char *path_group_name(enum path_group group);

/* The group of a cause: each is in one. */
enum path_group path_group_of(unsigned cause);

/* Cycles of a path: groups[NR_PATH_GROUPS], which add up to all, and those charged to causes that the ideal parts of
 * `set` remove. */
void study_groups(const struct path_counts *path, uint64_t *groups);
uint64_t study_promised(const struct path_counts *path, enum study_set set);

/* Cycles that a set of ideal parts saves; what both save beyond what each does. They can be negative. */
int64_t study_gain(const struct study_counts *c, enum study_set set);
int64_t study_interaction(const struct study_counts *c);

/* Appends the counts of `more` to those of `sum`. */
void core_study_add(struct core_study_result *sum, const struct core_study_result *more);

enum study_verdict { ORDERING_HOLDS, ORDERING_FAILS, ORDERING_IS_SILENT };

struct study_ordering {
	enum core_study_kind kind;
	const char *name, *text, *silence; /* `silence`: when it says nothing; NULL: never */
	enum study_verdict (*look)(const struct core_study_result *r);
};

#define NR_STUDY_ORDERINGS 4u
extern const struct study_ordering study_orderings[NR_STUDY_ORDERINGS];

/* ---- Output ---- */

/* Append results[nr], of at least one stream; of several, with their sums. False when memory was short. */
bool core_study_text(const struct core_study *s, const struct core_study_result *results, size_t nr, bool bold,
		     struct textbuf *out);
void core_study_csv(const struct core_study *s, const struct core_study_result *results, size_t nr,
		    struct textbuf *out);
void core_study_json(const struct core_study *s, const struct core_study_result *results, size_t nr,
		     struct textbuf *out);

/* The names of a study's figures (results/chart/plot.h), NULL at the end. */
const char *const *core_study_figures(enum core_study_kind kind);

enum sahm_status core_study_plot_write(const struct core_study *s, const struct core_study_result *results, size_t nr,
				       const char *folder, struct sahm_err *err);
enum sahm_status core_study_plot_draw(const struct core_study *s, const char *folder, struct textbuf *notes,
				      struct sahm_err *err);

#endif
