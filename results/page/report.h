/* Reports of sweeps: a page (results/page/page.h) with figures about the results of a sweep, and everything needed to
 * repeat it, made only from a query (results/store/query.h).
 *
 * Page, data and scripts are a pure function of what the store has found, of its name, of where it lies as seen from
 * the folder, and of the options: no times, and nothing of the order in which points were done. Intervals of means take
 * the points as a sample of such configurations, which those of a whole space are not: the page says so. All values are
 * about points that are chosen (query_where()), are done, and have a value.
 */
#ifndef SAHM_RESULTS_PAGE_REPORT_H
#define SAHM_RESULTS_PAGE_REPORT_H

#include "results/store/query.h"

/* Most points that a report lists as the best ones. */
#define MAX_REPORT_BEST 100u

/* A file that the sweep read. */
struct report_input {
	const char *kind, *path, *hash; /* hash in hexadecimal */
};

/* What is known about the sweep from beside the query. All of it is the caller's, and lives as long as the report. */
struct report_origin {
	const char *store;	       /* name of its file, without folders */
	const char *path;	       /* of the same file */
	const char *results, *threads; /* digests of all results (store_digest()), without and with rows per thread */
	const char *manifest;	       /* name of the manifest beside the store, without folders; NULL: there is none */
	const char *identity;	       /* hash of the sweep that the manifest is of, in hexadecimal */
	const struct report_input *inputs; /* [nr_inputs], as the manifest has them */
	size_t nr_inputs;
};

struct report_options {
	enum run_metric metric;
	uint64_t nr_best;	  /* points that are listed, 1 to MAX_REPORT_BEST */
	const char *const *where; /* [nr_where]: what was chosen by query_where(), to be repeated */
	size_t nr_where;
	struct report_origin origin;
};

/* The subject of a report, in a few words. */
struct report_summary {
	uint64_t nr_points, nr_done, nr_failed, nr_missing; /* of the points that are chosen */
	bool synthetic, nominal;			    /* some trace is: trace_words.h */
	bool any;					    /* there is a best point: */
	uint64_t position;
	double value;	   /* of the metric */
	const char *words; /* its values on the axes, "a=1, b=2" */
};

struct report;

/* Makes a report in memory; `q` and what is in *options stay as they are until it is freed with report_free(). Fails as
 * queries do. */
enum sahm_status report_new(struct report **report, struct query *q, const struct report_options *options,
			    struct sahm_err *err);
void report_free(struct report *report); /* NULL is fine */

const struct report_summary *report_summary(const struct report *report);

/* Writes the report into `folder`, which is made if it is not there: first data and scripts, then, with `draw`,
 * pictures; the page comes last. page_folder.h lists which files may be replaced, and which of them only with `force`.
 * Where gnuplot is not installed the page has no pictures, which is a line of `notes`, as is what gnuplot remarks. As
 * page_folder_begin() fails, before anything is written; SAHM_IO; SAHM_NOMEM; SAHM_TOOL when gnuplot fails, and then
 * the page is there with the pictures that are. */
enum sahm_status report_write(struct report *report, const char *folder, bool force, bool draw, struct textbuf *notes,
			      struct sahm_err *err);

#endif
