/* From counts to metrics: what a run's result says. Shares and speedups are fractions (0.18 is 18 %); NAN stands for
 * what there is nothing of. Metrics of the whole run are defined in run_metric_list.h. */
#ifndef SAHM_RESULTS_METRICS_RUN_METRICS_H
#define SAHM_RESULTS_METRICS_RUN_METRICS_H

#include "sim/engine/config/run.h"

/* Metrics that follow from energy; NAN where it is not known. */
struct energy_metrics {
	double energy_j, instruction_nj;
	double power_w;	  /* over the time: simulated, or in which the thread was present */
	double edp, ed2p; /* energy x time, energy x time^2, each per s of baseline time completed */
};

struct thread_metrics {
	double speedup;		/* baseline time completed / time present and not asleep - 1 */
	double served_share;	/* executed timesteps whose core serves the state in which the timestep began */
	double matched_share;	/* the same, with `Low` on a baseline core */
	uint64_t mismatched_ns; /* executed timesteps whose core does not match x timestep */
	struct energy_metrics energy;
};

enum run_metric {
#define RUN_METRIC(member, form, words) RUN_METRIC_##member,
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	NR_RUN_METRICS
};

/* How a metric is shown to people: in %, with its sign; in %; a number per second; a plain number; a time; a wait,
 * which is a time that only runs in continuous time have; a number of those that follow from energy, which only runs
 * with a table of costs have. */
enum run_form { RUN_SPEEDUP, RUN_SHARE, RUN_RATE, RUN_NUMBER, RUN_TIME, RUN_WAIT, RUN_ENERGY };

struct run_metric_row {
	const char *name;  /* as a member */
	const char *words; /* for people */
	enum run_form form;
};

extern const struct run_metric_row run_metric_rows[NR_RUN_METRICS];

struct run_metrics {
#define RUN_METRIC(member, form, words) double member;
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	double thread_mean;   /* arithmetic means over threads, of pooled counts: of their speedups, */
	double served_mean;   /* of their served shares, */
	double matched_mean;  /* and of their matched shares */
	uint64_t executed;    /* thread-timesteps executed, or, in continuous time, ns */
	uint64_t transitions; /* timesteps at state transitions */
	uint64_t migrations;
	double completed_ns; /* baseline time completed by all threads; can exceed 64 bits */
	double present_ns;   /* time for which threads were present, added up; likewise */
	double slept_ns;     /* of this */
	uint32_t nr_present; /* threads that were present at any time */
};

/* A core, or a state. */
struct part_metrics {
	double share;	      /* of a core: its timesteps in which a thread executed; of a state: of executed ones */
	double served_share;  /* of the timesteps executed there */
	double matched_share; /* likewise */
};

/* IPUs: one of them, or several together. */
struct probe_metrics {
	double instructions_per_invocation;
	double bytes_per_s;	/* in packets, per simulated second and IPU */
	double accurate_share;	/* of executed timesteps: the thread was observed in the state in which they began */
	double utilisation_ppm; /* of their cycles, millionths: those in which they executed; at most all */
};

void run_metrics_of_thread(const struct run_result *r, uint32_t thread, struct thread_metrics *m);
void run_metrics_of_core(const struct run_result *r, uint32_t core, struct part_metrics *m);
void run_metrics_of_state(const struct run_result *r, unsigned state, struct part_metrics *m);

/* Of `counts`, that of one core (`nr_ipus` 1), or the sum of all. The run has introspection. */
void run_metrics_of_probe(const struct run_config *config, const struct run_result *r,
			  const struct probe_counts *counts, uint32_t nr_ipus, struct probe_metrics *m);

/* Number of threads that were present and awake on average over the simulated time of `r`, whose metrics `m` are. Where
 * it exceeds the number of cores, threads share them. In mode `alone`, where none does, 0. */
double run_metrics_awake(const struct run_config *config, const struct run_metrics *m, const struct run_result *r);

/* SAHM_NOMEM. */
enum sahm_status run_metrics_of(const struct run_result *r, struct run_metrics *m, struct sahm_err *err);

/* Whether runs like `r` have the metric `which` at all. */
bool run_metric_applies(const struct run_result *r, enum run_metric which);

/* What is better of the metric `which`: 1 more of it, -1 less, 0 neither. */
int run_metric_direction(enum run_metric which);

/* A count of timesteps in `r`, in timesteps: whole ones, but for those of continuous time. */
double run_timesteps(const struct run_result *r, uint64_t count);

/* The metric `which` of `m`. */
double run_metric(const struct run_metrics *m, enum run_metric which);

#endif
