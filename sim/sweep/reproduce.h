/* Reproducing the figures of the SAHM paper.
 *
 * A *study* is a configuration in DATA/configs/studies/, most with a section `sweep`; `sahm sweep` takes each as
 * it is. A *suite* (trace_suite.h) takes the place of its traces. A reproduction evaluates the points of the studies
 * that are wanted, in this process, makes tables and figures of what comes out (reproduce_list.h), and holds it against
 * the study's claims (results/studies/claims.h). On the suite that is shipped for it, the study's numbers are targets;
 * on any other they are context, and nothing is checked. All of it is a pure function of studies, traces and program.
 */
#ifndef SAHM_SIM_SWEEP_REPRODUCE_H
#define SAHM_SIM_SWEEP_REPRODUCE_H

#include "results/chart/plot.h"
#include "results/studies/claims.h"
#include "results/studies/claims_report.h"
#include "sim/base/hash.h"
#include "sim/sweep/trace_suite.h"

/* The suite whose traces are calibrated to the study's, and which is taken when none is asked for. */
#define REPRODUCE_SUITE "synthetic"

enum reproduced {
#define REPRODUCED(suffix, id, name, study, heading, says) REPRODUCED_##suffix,
#include "sim/sweep/reproduce_list.h"
#undef REPRODUCED
	NR_REPRODUCED
};

/* The studies, those of the paper and those with measured core types. */
enum paper_study {
	PAPER_CHARACTERIZATION,
	PAPER_LIMIT,
	PAPER_BREADTH,
	PAPER_GENERALIST,
	PAPER_REALISTIC,
	PAPER_CORES_32, /* the same on chips of other sizes, for claims of figure 4.10 */
	PAPER_CORES_64,
	PAPER_MEASURED_CHIPS,
	PAPER_MEASURED_SPACE,
	PAPER_MEASURED_THREADS,
	PAPER_BUDGET,
	NR_PAPER_STUDIES
};

struct reproduced_row {
	const char *id;	  /* "4.2" */
	const char *name; /* of its files: "figure_4_2" */
	enum paper_study study;
	const char *heading, *says;
};

extern const struct reproduced_row reproduced_rows[NR_REPRODUCED];

/* Names of the studies in results, and their files in the data folder. */
extern const char *const paper_study_names[NR_PAPER_STUDIES], *const paper_study_files[NR_PAPER_STUDIES];

/* Whether it has measured core types. */
static inline bool paper_study_is_measured(enum paper_study study)
{
	return study >= PAPER_MEASURED_CHIPS;
}

struct reproduce_request {
	bool wanted[NR_REPRODUCED];
	const char *suite;	 /* as trace_suite_read() takes it */
	const char *speedups;	 /* a file whose core_types take the place of the measured studies'; NULL: none does */
	const char *costs;	 /* a table of costs (core_costs.h) for the study of budgets; NULL: none */
	const char *data_folder; /* with the studies, and the suites that are shipped */
};

struct reproduced_input {
	const char *name, *path; /* of a trace; the path as it stands in the data folder, or absolute */
	uint8_t hash[HASH_BYTES];
};

struct reproduction {
	struct arena arena;
	struct trace_suite suite;
	const char *speedups, *costs; /* as in the request */
	bool is_target;		      /* the study's numbers are */
	bool wanted[NR_REPRODUCED];
	struct reproduced_input *traces; /* [nr_traces] */
	size_t nr_traces, nr_synthetic, nr_nominal;
	const char *origins; /* which counters are assumed or modelled, a line each; may be empty */
	/* Of those that are wanted. A figure is empty where there is but a table; a table, where there is none beside
	 * the figure's own data. Tables are CSV. */
	struct figure figures[NR_REPRODUCED];
	bool drawn[NR_REPRODUCED];     /* by reproduction_write() */
	bool has_paper[NR_REPRODUCED]; /* values of the paper are marked in the figure */
	struct textbuf tables[NR_REPRODUCED];
	uint8_t hashes[NR_PAPER_STUDIES]
		      [HASH_BYTES];	      /* of a study: its configuration's or, of several points, theirs */
	uint64_t nr_points[NR_PAPER_STUDIES]; /* 0: the study was not needed */
	const char *texts[NR_PAPER_STUDIES];  /* with which `sahm sweep` does the same; NULL likewise */
	bool chosen[NR_CLAIMS];		      /* claims about what is wanted */
	struct claim_result results[NR_CLAIMS];
	uint16_t scarce;	     /* states that measured core types call scarce, a bit each */
	struct textbuf side_by_side; /* tables of assumed and measured speedups, if measured ones are wanted */
	struct textbuf budget;	     /* tables of the study of budgets, if it is wanted */
	struct textbuf notes;	     /* what had to be assumed of traces, a line each */
};

/* Carries out what is wanted. On success the caller releases `r`; on failure there is nothing to release. SAHM_USAGE,
 * SAHM_CONFIG, SAHM_IO ...: as trace_suite_read(), sweep_read() and evaluate() fail. */
enum sahm_status reproduce(const struct reproduce_request *request, struct reproduction *r, struct sahm_err *err);
void reproduction_release(struct reproduction *r);

/* The claims, ready to be reported. */
struct claims_shown reproduction_claims(const struct reproduction *r);

/* Name of a sweep in the folder. */
#define REPRODUCTION_STUDY "study_%s.cfg"

/* Refuses to write what is wanted into `folder` where that would replace anything that page_folder.h leaves alone.
 * SAHM_USAGE, or as trace_suite_read() and page_folder_check() fail. */
enum sahm_status reproduction_check_folder(const char *folder, const struct reproduce_request *request, bool force,
					   struct sahm_err *err);

/* Writes into `folder`, which is made unless it is there: data and scripts of all figures, tables, claims.csv, the
 * studies with the suite in them, with `draws` pictures, and the page, last. page_folder.h lists which files may be
 * replaced, and which of them only with `force`. Where gnuplot is not installed the page has no pictures, which is a
 * line of `notes`, as is what gnuplot remarks. SAHM_USAGE, before anything is written; SAHM_IO; SAHM_NOMEM; SAHM_TOOL
 * when gnuplot fails, and then the page is there with the pictures that are. */
enum sahm_status reproduction_write(struct reproduction *r, const char *folder, bool force, bool draws,
				    struct textbuf *notes, struct sahm_err *err);

#endif
