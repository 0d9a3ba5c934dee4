/* Between the files that reproduce a study. */
#ifndef SAHM_SIM_SWEEP_REPRODUCE_INTERNAL_H
#define SAHM_SIM_SWEEP_REPRODUCE_INTERNAL_H

#include "results/chart/chart.h"
#include "results/metrics/characterize_means.h"
#include "results/store/run_record.h"
#include "sim/sweep/reproduce.h"
#include "sim/sweep/sweep_internal.h"

/* Timesteps of simulations beside a limit: the study's own, ten times and a tenth of it. */
#define MAX_BESIDE 3u

/* A study that was carried out. */
struct paper_result {
	bool there;
	struct sweep sweep;
	struct record *records; /* [nr_points] */
	uint64_t nr_points;
	uint32_t nr_threads; /* of every point */
	uint64_t beside_ns[MAX_BESIDE];
	unsigned nr_beside;
	double *beside;	     /* [nr_points][nr_threads][nr_beside]: speedups */
	uint32_t nr_samples; /* of a study of threads: samples with drawn offsets, which are all but the first */
	double *samples;     /* [nr_points][nr_samples]: mean speedups, in % */
};

struct budget_study;

struct reproducing {
	const struct reproduce_request *request;
	struct reproduction *r;
	struct run_cache *cache;
	const struct cfg_node *core_types, *cuts; /* of measured studies, or NULL: their own */
	struct paper_result results[NR_PAPER_STUDIES];
	struct budget_study *budget; /* of the study of budgets, or NULL */
	/* Of the characterisation. */
	struct run_config config;
	bool has_config;
	bool failed; /* memory was short where nobody could say so */
	struct characterize_study study;
	struct cuts p25, p50;
	unsigned known[2]; /* components whose 25th and 50th percentile there is, a bit each */
};

/* The speedups of what was carried out as numbers of claims, in the place of those that are in measured[]. */
enum sahm_status reproduce_measure(struct reproducing *p, struct claim_measured measured[NR_CLAIMS],
				   struct sahm_err *err);

/* Fills the figure and the table of `which`. */
enum sahm_status reproduce_figure(struct reproducing *p, enum reproduced which, struct sahm_err *err);

/* Appends tables of what was carried out with measured speedups, beside the assumed ones. */
enum sahm_status reproduce_side_by_side(struct reproducing *p, struct textbuf *out, struct sahm_err *err);

/* The study of chips within a budget: begin, take the core types of each point, evaluate all chips that can be made of
 * them, draw its figure; end, which is allowed without a begin. */
enum sahm_status reproduce_budget_begin(struct reproducing *p, struct sahm_err *err);
enum sahm_status reproduce_budget_point(struct reproducing *p, const struct paper_result *s, uint64_t position,
					const struct run_config *config, struct sahm_err *err);
enum sahm_status reproduce_budget(struct reproducing *p, struct sahm_err *err);
enum sahm_status reproduce_budget_figure(struct reproducing *p, const char *subtitle, struct figure *f,
					 struct sahm_err *err);
void reproduce_budget_end(struct reproducing *p);

/* Appends a sentence that names the scarce states of measured core types; there are some. */
void reproduction_write_scarce(const struct reproduction *r, struct textbuf *out);

/* The paper's values for what figure `which` shows: values[nr] from the arena, and a sentence for those who cannot see
 * them; empty without any. */
struct reproduce_paper {
	struct chart_paper *values;
	size_t nr;
	const char *alt;
};

enum sahm_status reproduce_paper(struct reproducing *p, enum reproduced which, struct reproduce_paper *paper,
				 struct sahm_err *err);

/* The point whose value on the first axis is called `name`; s->nr_points when there is none. */
uint64_t reproduce_point_called(const struct paper_result *s, const char *name);

/* Speedups of point `point`, in %: values[nr_threads]. */
void reproduce_speedups(const struct paper_result *s, uint64_t point, double *values);

/* Distributions of the speedups of `s`, in %: of each point over threads, of each thread over points that have a
 * specialised core. From the arena; NULL when memory is short. */
struct box *reproduce_boxes_of_points(struct reproducing *p, const struct paper_result *s);
struct box *reproduce_boxes_of_threads(struct reproducing *p, const struct paper_result *s);

/* Whether the chip of a point has anything but baseline cores. */
bool reproduce_is_specialised(const struct record *record);

#endif
