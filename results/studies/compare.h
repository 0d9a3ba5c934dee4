/* Comparing policies: every policy of a study on each of its suites with each of its costs, and what follows of the
 * study's claims. Speedups and shares are fractions; NAN stands for what there is nothing of. Results are those of
 * single runs (sim/engine/config/run.h), one after the other; with several samples their means. */
#ifndef SAHM_RESULTS_STUDIES_COMPARE_H
#define SAHM_RESULTS_STUDIES_COMPARE_H

#include "results/metrics/run_metrics.h"
#include "results/metrics/trace_words.h"
#include "results/studies/study.h"
#include "sim/base/textbuf.h"

/* One run, or the means of its samples. */
struct compare_cell {
	struct run_metrics metrics;
	bool is_shared; /* more threads were awake on average than there are cores */
};

struct compare_verdict {
	bool holds;
	/* CLAIM_ABOVE: the smallest margin; CLAIM_LOSS: what is lost; CLAIM_SHARE: the share; CLAIM_BEST: the largest
	 * distance from the best policy. */
	double value;
	uint32_t worst; /* CLAIM_ABOVE, CLAIM_BEST: index of the cost with that margin or distance */
};

struct comparison {
	const struct study *study;	  /* the caller's */
	struct compare_cell *cells;	  /* [suite][policy][cost] */
	struct trace_counts *traces;	  /* [nr_suites]: all of a suite's, once for each policy */
	struct compare_verdict *verdicts; /* [nr_claims] */
	uint16_t scarce;		  /* states that some core of a suite calls scarce, a bit each */
	struct textbuf notes;		  /* what had to be assumed, and what went on oddly, a line each */
};

/* How often one policy was above another, over suites and costs. */
struct compare_record {
	uint32_t won, lost, even;
	double margin;	      /* the smallest */
	uint32_t suite, cost; /* where that was */
};

/* A policy over all suites and costs, every run weighing the same. */
struct compare_summary {
	double speedup, jain, migrations_per_s; /* means */
	/* How far it falls below the best policy that does not have the oracle, at most; and where that was. */
	double below_best;
	uint32_t suite, cost;
};

/* Called after each run with the number of finished ones. */
struct compare_watch {
	void (*progress)(void *ctx, uint64_t nr_done, uint64_t nr_runs);
	void *ctx;
};

/* Carries out `study`; `watch` may be NULL. The caller releases `c` with compare_release(); on failure there is nothing
 * to release. Fails with SAHM_CONFIG where a policy or a setting cannot be had, and as run_config_load(),
 * profile_read(), synth_trace() and run_execute() do. */
enum sahm_status compare_run(const struct study *study, const char *data_folder, const struct compare_watch *watch,
			     struct comparison *c, struct sahm_err *err);

/* Reads all that `study` runs, as compare_run() does, and runs nothing; fails as that does before its first run of a
 * policy on a suite. */
enum sahm_status compare_check(const struct study *study, const char *data_folder, struct sahm_err *err);

/* Makes a comparison whose cells the caller fills, and then checks; for tests. SAHM_NOMEM. */
enum sahm_status compare_init(const struct study *study, struct comparison *c, struct sahm_err *err);
void compare_judge(struct comparison *c);

void compare_release(struct comparison *c);

/* Appends a line per run that compare_run() would make, and their number. */
void compare_list(const struct study *study, struct textbuf *out);

struct compare_cell *compare_cell(const struct comparison *c, uint32_t suite, uint32_t policy, uint32_t cost);

/* The loss of speedup from the lowest to the highest cost. */
double compare_loss(const struct comparison *c, uint32_t suite, uint32_t policy);

/* The share of `of` that a policy reaches at the lowest cost; NAN where that is nothing. */
double compare_share(const struct comparison *c, uint32_t suite, uint32_t policy, uint32_t of);

/* The highest speedup of a policy that does not have the oracle, even if it knows whole traces; NAN when all have it.
 */
double compare_best(const struct comparison *c, uint32_t suite, uint32_t cost);

struct compare_summary compare_summarize(const struct comparison *c, uint32_t policy);

/* Whether on a suite there are moves, and what they cost makes no difference to any policy: all are such as
 * migration.levels of its configuration have a cost of their own for. False for a single cost. */
bool compare_costs_are_idle(const struct comparison *c, uint32_t suite);

/* `policy` against `other`, on suites first to first + nr - 1. */
struct compare_record compare_against(const struct comparison *c, uint32_t policy, uint32_t other, uint32_t first,
				      uint32_t nr);

/* Required claims that do not hold. */
uint32_t compare_nr_broken(const struct comparison *c);

/* Appends what a suite is called: ones that are synthetic, or of an assumed time base, say so. */
void compare_write_suite(const struct comparison *c, uint32_t suite, struct textbuf *out);

/* The comparison for people, as CSV, as one JSON object: sahm(1). Each appends to `out`; false when memory was short.
 */
bool compare_text(const struct comparison *c, const char *title, bool bold, struct textbuf *out);
bool compare_csv(const struct comparison *c, struct textbuf *out);
bool compare_json(const struct comparison *c, struct textbuf *out);

#endif
