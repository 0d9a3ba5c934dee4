/* Limits of many traces on many chips: the matrix of figures 4.7 to 4.9, from 16 numbers a trace.
 *
 * A chip is here the best speedup that it has for each state, however many cores that takes (space_best_speedups(),
 * limit_of_chip()). Speedups that come out are fractions. Definition of an upper bound: limit.h. Source: dissertation,
 * section 4.6.
 */
#ifndef SAHM_RESULTS_STUDIES_LIMIT_STUDY_H
#define SAHM_RESULTS_STUDIES_LIMIT_STUDY_H

#include "results/studies/limit.h"

struct limit_trace {
	const char *name;
	uint64_t nr_epochs;
	bool synthetic, nominal;   /* trace_words.h */
	double weights[NR_STATES]; /* limit_weights() */
};

struct limit_study {
	const struct limit_trace *traces; /* [nr_traces], the caller's */
	size_t nr_traces, nr_chips;
	double *speedups;      /* [nr_chips][nr_traces], each as limit_speedup() has it */
	struct box *of_traces; /* [nr_traces]: over chips, those that are kept apart left out */
	struct box *of_chips;  /* [nr_chips]: over traces */
	struct box mean;       /* of `of_traces`: each number the mean over traces, every trace weighing the same */
};

/* Makes the study of `traces` (nr_traces, at least 1) on the chips speedup_ppm[nr_chips], millionths above -1,000,000.
 * The first `nr_apart` chips, fewer than nr_chips, are in no trace's box: figure 4.8 leaves out the chip of only a
 * baseline core. On success the caller releases it. SAHM_NOMEM. */
enum sahm_status limit_study_make(struct limit_study *study, const int32_t (*speedup_ppm)[NR_STATES], size_t nr_chips,
				  size_t nr_apart, const struct limit_trace *traces, size_t nr_traces,
				  struct sahm_err *err);

/* The same on the study's space: chip i is space_config_at(i), and the chip of only a baseline core is kept apart. */
enum sahm_status limit_study_of_space(struct limit_study *study, const struct limit_trace *traces, size_t nr_traces,
				      struct sahm_err *err);

void limit_study_release(struct limit_study *study);

/* The chips of figure 4.9: the canonical one, and the same with a branch core that gives less. To add one: here, and in
 * the tables of limit_study.c; claims and `sahm limit` follow. */
enum limit_named { LIMIT_ALL_30, LIMIT_BRANCH_10, LIMIT_BRANCH_0, NR_LIMIT_NAMED };

/* Their names ("All-30 %"), and what their best cores give. */
extern const char *const limit_named_names[NR_LIMIT_NAMED];
void limit_named_speedups(enum limit_named which, int32_t speedup_ppm[NR_STATES]);

/* A named chip against a core that is better everywhere. */
struct limit_against {
	struct box box; /* over traces */
	double ratio;	/* its 25th percentile over that core's, which has one speedup in all states */
};

/* Fills rows[] for a core that is `pct` % better everywhere, above 0. SAHM_NOMEM. */
enum sahm_status limit_against(const struct limit_trace *traces, size_t nr_traces, double pct,
			       struct limit_against rows[NR_LIMIT_NAMED], struct sahm_err *err);

#endif
