/* Limits as text: tables for people, JSON and CSV for programs. Schema and columns: sahm(1). */
#ifndef SAHM_RESULTS_REPORT_LIMIT_REPORT_H
#define SAHM_RESULTS_REPORT_LIMIT_REPORT_H

#include "results/studies/limit_study.h"
#include "sim/base/textbuf.h"

/* By what rows of configurations are sorted: a number of their box, best first, or their index. */
enum limit_sort {
	LIMIT_SORT_MEAN,
	LIMIT_SORT_LEAST,
	LIMIT_SORT_P25,
	LIMIT_SORT_MEDIAN,
	LIMIT_SORT_P75,
	LIMIT_SORT_MOST,
	LIMIT_SORT_INDEX,
	NR_LIMIT_SORTS
};

/* Their names ("mean"), NULL at the end. */
extern const char *const limit_sort_names[NR_LIMIT_SORTS + 1];

/* A study of the space (limit_study_of_space()), and how it is shown. */
struct limit_report {
	const struct limit_study *study;
	const char *cuts_name; /* what made the cuts */
	double against_pct;
	const struct limit_against *against; /* [NR_LIMIT_NAMED] */
	bool by_config;			     /* a row per configuration instead of one per trace */
	enum limit_sort sort;		     /* of these; equal ones by index */
};

/* Each appends to `out`; false when memory was short. `bold` sets headings in bold. */
bool limit_report_text(const struct limit_report *r, bool bold, struct textbuf *out);
bool limit_report_json(const struct limit_report *r, struct textbuf *out);
bool limit_report_csv(const struct limit_report *r, struct textbuf *out);

/* The limits of a configuration's threads, beside simulations. */
struct limit_threads {
	const struct run_config *config;
	const struct record *record; /* record_of_limit() */
	const uint64_t *timesteps_ns;
	size_t nr_timesteps;
	const double *simulated; /* [nr_threads][nr_timesteps], limit_simulate() */
};

bool limit_threads_text(const struct limit_threads *l, const char *title, bool bold, struct textbuf *out);
bool limit_threads_json(const struct limit_threads *l, struct textbuf *out);
bool limit_threads_csv(const struct limit_threads *l, struct textbuf *out);

/* Most simulations beside a limit: they have to fit into a table. */
#define MAX_LIMIT_TIMESTEPS 16u

#endif
