/* The paper's claims, compared with results of ours.
 *
 * Each claim (claim_list.h) is one number, measured in the claim's unit and compared with its expected value.
 * Of the space there is a count that needs no measuring. How claims about traces are measured, from traces that were
 * characterised here:
 *   - shares, speedups and their percentiles are means over traces, every trace weighing the same; speedups are limits
 *     (limit.h);
 *   - occupancy under cuts p25 is that under the cuts of the study with this name, whatever the percentiles here are;
 *   - a state is among the six most occupied when at most five others have as large a share;
 *   - a trace is called so when its name is the word, or the word followed by '_' or '-'; of several such traces the
 * one with the smallest share counts. Without any the claim is not known, and does not hold;
 *   - transitions are counted over all traces together. A pair of states is lopsided when its two directions differ in
 * count by more than four standard deviations of this number of fair coins: if both were equally likely, chance would
 * make less than one such pair in a hundred studies, though any matrix that is counted is a little asymmetric;
 *   - lengths of intervals are the bins of workloads/trace/characterize.h. Of the time in long intervals, bins count
 * that lie wholly at 10 s and more: where no bin begins at 10 s (as one does with epochs of 100 ms), this is too
 * little;
 *   - the difference of two traces is the total variation distance of their shares of time in states.
 *
 * Of thresholds, the effective number of states is 1 / the sum of squared mean shares, and the lead that over the other
 * sets.
 *
 * Claims about threads on the study's realistic chips (figure 4.10) are measured from records of these runs, each of
 * several samples with other offsets. Chips are All-30 %, Branch-10 % and Branch-0 % (limit_named_names[]) with 39
 * cores, and All-30 % with 32 and 64; settings are Oracle, Ideal, Cost, Inertia, Inertia+5ms and Inertia+9ms, and of
 * ours Cost+5ms and Cost+9ms, which configs/studies/paper/realistic.cfg describes. A speedup is the mean over threads
 * and samples. Intervals are of means over samples whose offsets were drawn: all but the first.
 *   - Differences of speedups are in points.
 *   - What inertia recovers of a cost is (Inertia - Cost) / (Ideal - Cost), both at that cost: sums over samples
 * divided by each other, not a mean of ratios, because the cost can be near 0 in one sample. Where it takes less than
 * 0.05 points there is nothing to recover, and the claim is not known.
 *   - The study gives one matched share for all pairs of chip and setting: that one counts here which is farthest from
 *     it, and it is known when all of them are.
 * Source: dissertation, sections 4.2 and 4.6, figures 4.2 to 4.10 and A.3, table 4.3.
 */
#ifndef SAHM_RESULTS_STUDIES_CLAIMS_H
#define SAHM_RESULTS_STUDIES_CLAIMS_H

#include "results/metrics/characterize_means.h"
#include "results/store/run_record.h"
#include "sim/base/err.h"
#include "sim/base/units.h"

enum claim {
#define CLAIM(suffix, id, whose, duty, basis, from, source, text, unit, expected, tolerance, judged, digits, known,    \
	      known_tolerance, row, part, why)                                                                         \
	CLAIM_##suffix,
#include "results/studies/claim_list.h"
#undef CLAIM
	NR_CLAIMS
};

/* Differences below CLAIM_ROUNDING, in any unit, are taken for rounding and count as none. */
#define CLAIM_ROUNDING 1e-9

enum claim_judged {
	JUDGED_WITHIN,	 /* differs from what is expected by the tolerance at most */
	JUDGED_RELATIVE, /* the same; the tolerance is in % of what is expected */
	JUDGED_EXACTLY,
	JUDGED_ABOVE,
	JUDGED_AT_LEAST,
	JUDGED_BELOW,
	JUDGED_AT_MOST
};

enum claim_whose {
	CLAIMS_PAPER, /* the study makes it */
	CLAIMS_OURS   /* it does not; traces are expected to meet it all the same */
};

/* The consequence of a claim when the paper's numbers are repeated. */
enum claim_duty {
	CLAIMS_REQUIRED, /* a reproduction fails with it */
	CLAIMS_REPORTED, /* it may fail, and says why we think that it does */
	CLAIMS_SHOWN	 /* there is a figure to look at */
};

/* How the shipped suite came to meet a claim, or not. */
enum claim_basis {
	CLAIMS_FITTED,	 /* the suite was made to agree with it (sim/fit, docs/synthetic.md) */
	CLAIMS_IMPLIED,	 /* it follows by arithmetic from definitions and fitted numbers */
	CLAIMS_PREDICTED /* nothing was fitted to it: it has a known value */
};

/* Data from which a claim is measured. */
enum claim_from { CLAIMS_OF_TRACES, CLAIMS_OF_RUNS, CLAIMS_OF_SPACE };

struct claim_row {
	const char *id; /* that of the figure or table, as "4.2" and "t4.3", or "ours" */
	enum claim_whose whose;
	enum claim_duty duty;
	enum claim_basis basis;
	enum claim_from from;
	const char *source; /* "figure 4.2 in section 4.2", "section 4.6 on figure 4.10" (its text); empty for ours */
	const char *text;
	const char *unit;		  /* may be empty */
	const char *expected, *tolerance; /* decimal text; the tolerance is empty where there is none */
	/* Of a predicted claim: what this version finds on the shipped suite, and how far a result may be from it, on
	 * either side; else empty. */
	const char *known, *known_tolerance;
	enum claim_judged judged;
	int digits; /* fraction digits of a measured value */
	/* Where the figure has the value: its row (set of cuts, program as claims_is_called(), state that is left,
	 * start of the first bin, chip, "mean") and part of the row (state, setting, p25; where an epoch stays in its
	 * state, that of the row). No row: nothing in the figure shows this value. */
	const char *row, *part;
	const char *why; /* of a reported claim: what it depends on, in sentences, for when it fails; else empty */
};

/* claim_rows[c] describes claim c. */
extern const struct claim_row claim_rows[NR_CLAIMS];

/* Long intervals last at least this. */
#define CLAIMS_LONG_NS (10 * NS_PER_S)

/* The states that the study finds most occupied (figure 4.3). */
#define NR_TOP_STATES 6
extern const unsigned claims_top_states[NR_TOP_STATES];

struct claims_input {
	const struct characterize_study *study; /* by characterize_trace(), under the cuts DEFAULT_CUTS */
	struct cuts p25, p50;			/* 25th and 50th percentiles over all epochs of the traces, pooled */
};

struct claim_result {
	double ours;	  /* in the claim's unit; NAN when it is not known */
	double low, high; /* interval of 95 %, in the same unit; NAN without samples */
	double served;	  /* %: served share of the run whose matched share this is; else NAN */
	bool known;	  /* the traces have what the claim is about */
	bool holds;	  /* only if it is known */
};

/* Other seeds of a generator of traces are compared with tolerances this much wider. */
#define CLAIMS_SEED_FACTOR 2u

/* Whether a claim holds when `ours` (not if NAN) was measured, tolerances widened by `tolerance_factor`. The factor is
 * 1 or more; only claims that are checked within a tolerance have one. */
bool claim_holds(enum claim claim, double ours, unsigned tolerance_factor);

/* Whether a predicted claim comes to its known value; false of NAN. */
bool claim_is_as_known(enum claim claim, double ours);

/* The same as claim_holds() as a result. */
struct claim_result claim_judge(enum claim claim, double ours, unsigned tolerance_factor);

/* Whether a trace called `name` is the program `word`: the name is the word, or goes on with '_' or '-'. */
bool claims_is_called(const char *name, const char *word);

/* Whether a suite of traces is to meet the claim by how it was made: it is measured from traces, and not predicted. */
bool claim_is_of_suite(enum claim claim);

/* How many claims are measured from `from`. */
unsigned claims_nr_from(enum claim_from from);

/* Measures claims 4.7 to 4.9, which depend only on residencies: weights[t][s] is the time that the t-th of `nr` traces,
 * at least 1, spends in state s (limit.h). `speedups` has room for nr; of ours[] only these claims are set. */
void claims_of_shares(const double (*weights)[NR_STATES], size_t nr, double *speedups, double ours[NR_CLAIMS]);

/* Measures and checks the claims CLAIMS_OF_TRACES; the results of all others become those of claims that are not known.
 * SAHM_CONFIG when the study was made under other cuts, SAHM_NOMEM; then nothing is written. */
enum sahm_status claims_evaluate(const struct claims_input *input, unsigned tolerance_factor,
				 struct claim_result results[NR_CLAIMS], struct sahm_err *err);

/* Names of the chips of other sizes: All-30 % with 32 and 64 cores. */
#define CLAIMS_32_CORES "32 cores"
#define CLAIMS_64_CORES "64 cores"
/* Not of the study: a chip of 32 cores of which each specialised one serves two components, at 30 and at 10 %. */
#define CLAIMS_TWO_COMPONENTS "two components"

/* Runs of every chip in every setting, found by their names; those that the claims do not speak of are ignored. */
struct claims_realistic {
	const char *const *chips; /* [nr_chips] */
	uint32_t nr_chips;
	const char *const *settings; /* [nr_settings] */
	uint32_t nr_settings;
	const struct record *records; /* [nr_chips][nr_settings] */
	const double *samples;	      /* [nr_chips][nr_settings][nr_samples]: mean speedups, in % */
	uint32_t nr_samples;	      /* samples with drawn offsets; 0 where there are none */
};

/* As in claim_result. */
struct claim_measured {
	double ours, low, high, served;
};

extern const struct claim_measured claim_not_measured; /* all NAN */

/* Measures the claims CLAIMS_OF_RUNS from r[nr], which have equally many samples; of measured[] only these are set: to
 * NAN where a run is missing, failed or has no such metric. Intervals are over samples, drawn with all of their runs at
 * once. SAHM_NOMEM. */
enum sahm_status claims_of_runs(const struct claims_realistic *r, size_t nr, struct claim_measured measured[NR_CLAIMS],
				struct sahm_err *err);

/* Whether the study names a setting so; of the eight that it counts it names six, and the others are ours. */
bool claims_setting_is_of_study(const char *name);

#endif
