/* What the figures of a characterisation show: means over traces, every trace weighing the same. Source: dissertation,
 * section 4.2, figures 4.2 to 4.6. */
#ifndef SAHM_RESULTS_METRICS_CHARACTERIZE_MEANS_H
#define SAHM_RESULTS_METRICS_CHARACTERIZE_MEANS_H

#include "results/metrics/trace_words.h"
#include "workloads/trace/characterize.h"

/* One trace and its counts. */
struct characterized {
	const char *name;
	uint64_t epoch_ns;
	bool synthetic, nominal; /* trace_words.h */
	struct counter_origins origins;
	struct characterization counts;
};

/* Traces characterised under one set of cuts. */
struct characterize_study {
	const struct characterized *rows;
	size_t nr; /* at least 1 */
	const struct cuts *cuts;
	const char *cuts_name; /* "p25,l2_pct=5": what made the cuts */
	bool cuts_from_traces; /* cuts are percentiles over these very traces */
};

/* Shares are fractions. */
struct characterize_means {
	double occupancy[NR_STATES];
	double occupancy_by_set[NR_CUT_SETS][NR_STATES];
	/* Of all transitions between epochs, those that stay in a state included; NAN where no trace has any. A trace
	 * of one epoch has none and no part in the mean. */
	double transitions[NR_STATES][NR_STATES];     /* [from][to] */
	double intervals_of_length[NR_INTERVAL_BINS]; /* share of a trace's intervals, */
	double time_of_length[NR_INTERVAL_BINS];      /* and of its time spent in them */
	unsigned nr_bins;			      /* bins up to the last one that holds an interval */
};

void characterize_means(const struct characterize_study *study, struct characterize_means *means);

/* How many traces are synthetic, and of an assumed time base. */
struct trace_counts characterize_count(const struct characterize_study *study);

/* Appends which traces' counters are assumed or modelled, a line for each set of counters. */
void characterize_write_origins(const struct characterize_study *study, struct textbuf *out);

/* Epoch length of the traces; 0 when they differ in it. */
uint64_t characterize_epoch_ns(const struct characterize_study *study);

/* The named set whose cuts are those in force, an index of cut_set_names[]; NR_CUT_SETS when there is none. */
unsigned characterize_set_of(const struct characterize_study *study);

#endif
