/* What files of reports share. */
#ifndef SAHM_RESULTS_PAGE_REPORT_INTERNAL_H
#define SAHM_RESULTS_PAGE_REPORT_INTERNAL_H

#include "results/chart/chart.h"
#include "results/page/page.h"
#include "results/page/report.h"
#include "results/store/query_internal.h"
#include "sim/base/stats.h"

/* Of an axis with more values, or of more threads, the extreme ones are shown. */
#define MAX_REPORT_VALUES 60u
#define NR_REPORT_EXTREMES 20u /* at either end */
#define MAX_REPORT_THREADS 100u
#define NR_REPORT_THREADS 40u /* at either end */

/* Rows of the figure with all axes, from which on axes show fewer values in it. */
#define MAX_REPORT_ROWS 300u
#define MAX_REPORT_FEW 20u
#define NR_REPORT_FEW 10u

/* Means of more values have an interval by their standard error, which is then as good, and is had at once. */
#define MAX_REPORT_BOOTSTRAP 500u

/* Figures: the distribution, the heat map, means by axis, threads, one for each axis. */
#define MAX_REPORT_FIGURES (MAX_QUERY_AXES + 4u)

/* Name of a figure: "axis_16" is longer than any number of them. */
#define REPORT_NAME_BYTES 24u

struct report_figure {
	char name[REPORT_NAME_BYTES];
	struct figure figure;
	struct textbuf caption;
	bool drawn;
};

/* A point with a value of the metric. */
struct report_value {
	uint64_t position;
	double value;
};

/* Points that have one value of an axis. */
struct report_group {
	uint64_t value; /* its number */
	double *values; /* [nr]: of the metric, in the order of positions; nr is not 0 */
	size_t nr;
	double mean;
};

/* An axis with its values that have points, in their order. */
struct report_axis {
	const struct query_axis *axis;
	struct report_group *groups; /* [nr] */
	size_t nr;
	struct report_figure *figure; /* boxes; NULL: none */
};

/* How a metric stands in figures. */
struct report_scale {
	double by;	  /* factor of values */
	const char *unit; /* after a value */
	char axis[128];	  /* "speedup, arithmetic mean (%)" */
	char key[64];	  /* "speedup_mean_pct" */
};

struct report {
	struct query *q;
	struct report_options options;
	struct arena arena;
	enum run_form form;
	int direction; /* 1: more is better, or nothing is; -1 */
	struct report_scale scale;
	struct query_tally tally;
	struct report_value *values; /* [nr], in the order of positions */
	size_t nr, room;
	double least_cores, most_cores; /* of these points */
	struct report_summary summary;
	double *sorted;			/* [nr]: the values */
	struct stats_interval interval; /* of their mean */
	struct report_axis *axes;	/* [nr_axes of q] */
	struct query_answer threads;	/* each thread; tables only when there are some */
	size_t nr_threads;
	struct textbuf identity, command, config;
	struct report_figure figures[MAX_REPORT_FIGURES];
	unsigned nr_figures;
	struct report_figure *distribution, *heat, *means, *by_thread; /* NULL: there is none */
};

/* The mean of values[nr], nr at least 1, with its interval of 95 %: by bootstrap, or, of more than
 * MAX_REPORT_BOOTSTRAP values, +- 1.96 standard errors. One value has none: `low` and `high` are NAN. */
enum sahm_status report_interval(const double *values, size_t nr, struct stats_interval *interval,
				 struct sahm_err *err);

/* Which of nr things to show, of more than `most`: the `ends` first and the `ends` last in the order of best[], a value
 * each, of which more is better where `direction` is 1. Indices go into order[nr], best first where some are left out,
 * else as they were; the return value is the number to show. */
size_t report_choose(const double *best, size_t nr, int direction, size_t most, size_t ends, size_t *order);

/* Begins a figure of the report. */
struct report_figure *report_add_figure(struct report *r, const char *name);

/* A chart of the metric, for a figure: `words` are those of rows. */
struct chart report_chart(const struct report *r, const char *title, const char *subtitle, const char *row_key,
			  const char *row_words);

/* Kind of the traces, " (synthetic)" or ", synthetic"; see trace_words.h. */
const char *report_in_brackets(const struct report *r);
const char *report_words(const struct report *r);

/* Parts of making a report: each reads, computes, and fills its figures. */
enum sahm_status report_read_axes(struct report *r, struct sahm_err *err);
enum sahm_status report_draw_axes(struct report *r, struct sahm_err *err);
enum sahm_status report_read_threads(struct report *r, struct sahm_err *err);

/* Parts of the page. Those that ask the store fail as queries do. */
void report_page_answer(struct report *r, struct page *p);
enum sahm_status report_page_summary(struct report *r, struct page *p, struct sahm_err *err);
void report_page_distribution(struct report *r, struct page *p);
enum sahm_status report_page_best(struct report *r, struct page *p, struct sahm_err *err);
enum sahm_status report_page_axes(struct report *r, struct page *p, struct sahm_err *err);
void report_page_threads(struct report *r, struct page *p);
enum sahm_status report_page_cores(struct report *r, struct page *p, struct sahm_err *err);
enum sahm_status report_page_rest(struct report *r, struct page *p, struct sahm_err *err);
enum sahm_status report_page_repeat(struct report *r, struct page *p, struct sahm_err *err);

/* The table `key` of an answer, and the column `key` of a table, which is there. */
const struct query_table *report_table(const struct query_answer *a, const char *key);
unsigned report_column(const struct query_table *t, const char *key);

/* Of the rows of a table leaves those that `keep` says. */
void report_keep_rows(struct query_table *t, const bool *keep);

#endif
