/* The fit: from published numbers to the profile of the synthetic suite.
 *
 *   character table  ->  shares  ->  stays  ->  levels  ->  profile
 *
 * A character table (workloads/suites/synthetic/spec2017.character) says what each program is like;
 * results/studies/claim_list.h says what is published of all together. Three steps each settle what they can measure,
 * and leave it to the next:
 *   - shares of states, from claims that depend only on residencies (fit_shares.c);
 *   - lengths of stays, so that as many epochs stay in their state as the study found (fit_stays.c);
 *   - typical values of the metrics, so that their percentiles are the study's (fit_levels.c).
 * The last two run the generator itself, on the profile as it would be written. Floating point and GSL decide what
 * stands in the profile, and nothing that is made from it: the profile is part of the project, and traces follow from
 * it in integers.
 */
#ifndef SAHM_SIM_FIT_FIT_H
#define SAHM_SIM_FIT_FIT_H

#include "results/studies/suite.h"

struct program {
	const char *name;
	/* As in the table; `order` by component. */
	double seconds, ipc, branches_pki, accesses_pki, branch_pct, order[NR_COMPONENTS], restless;
	unsigned mostly; /* NR_STATES: none */
	double mostly_share;
	/* Fitted. Shares are fractions; `low` and `high` are in the unit of the metric. */
	double share[NR_STATES], single_pct, long_pct, low[NR_COMPONENTS], high[NR_COMPONENTS];
};

struct fit {
	struct program *programs;
	size_t nr;
	double average[NR_STATES]; /* occupancy of an average program: fractions whose sum is 1 */
	double sharpness;	   /* by how much the orders of programs matter */
	double slower_pct;	   /* the profile's: instructions that a stressed component costs */
	struct textbuf head;	   /* lines for the profile */
	const char *file;	   /* the table */
	struct arena arena;
};

#define MAX_PROGRAMS 256u

/* Clock assumed for `ipc`, and the time an epoch lasts. */
#define FIT_HZ 5e9
#define FIT_EPOCH_S 0.1

/* Reads a character table. SAHM_IO; SAHM_FORMAT with file and line; SAHM_NOMEM. Release it if this succeeds. */
enum sahm_status fit_read(const char *path, struct fit *f, struct sahm_err *err);
void fit_release(struct fit *f);

/* The function to minimise. A cost that is not a number ends the search. */
struct fit_target {
	double (*cost)(const double *x, void *data);
	void *data;
	size_t nr;	    /* of numbers in x */
	double step;	    /* to begin with */
	double close;	    /* the search ends when the simplex is this small, */
	unsigned max_steps; /* or after this number of steps */
	const char *what;   /* "shares of states", for messages */
};

/* Moves x[target->nr] to where the cost is lowest. SAHM_TOOL when the search fails; SAHM_NOMEM. */
enum sahm_status fit_minimize(const struct fit_target *target, double *x, struct sahm_err *err);

/* Each fills its part of the programs. SAHM_TOOL when it finds no solution; else as suite_evaluate(). */
enum sahm_status fit_shares(struct fit *f, struct sahm_err *err);
enum sahm_status fit_stays(struct fit *f, struct sahm_err *err);
enum sahm_status fit_levels(struct fit *f, struct sahm_err *err);

/* Values to begin with, for measurements that do not depend on them. */
void fit_begin_levels(struct fit *f);

/* Appends the profile as it stands. */
void fit_write(const struct fit *f, struct textbuf *out);

/* Generates the suite of the profile as it is and checks it: SAHM_TOOL when a claim does not hold. Else as
 * suite_evaluate(). */
enum sahm_status fit_judge(const struct fit *f, struct sahm_err *err);

/* Generates the suite of the profile as it stands, with NR_FIT_SEEDS seeds from the profile's own on: ours[c] is what
 * claim c comes to on average. */
#define NR_FIT_SEEDS 3u
enum sahm_status fit_measure(const struct fit *f, double ours[NR_CLAIMS], struct sahm_err *err);

#endif
