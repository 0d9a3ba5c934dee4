/* Policies against each other: each runs on each of some systems, with the same samples, and what they reach is
 * compared sample by sample. A sample has the same offsets under every policy, so that what a difference is of is the
 * policy. */
#ifndef SAHM_SIM_SWEEP_VERSUS_H
#define SAHM_SIM_SWEEP_VERSUS_H

#include "results/metrics/run_metrics.h"
#include "sim/base/cfg.h"
#include "sim/base/stats.h"

/* Systems that have a column of their own in the table for people. */
#define MAX_VERSUS_COLUMNS 8u

struct versus_system {
	const char *title;
	const struct cfg_node *root; /* the configuration; its policy is replaced */
	/* Filled in by versus_run(): */
	uint32_t nr_threads, nr_cores;
	uint32_t nr_samples; /* 1 where samples would all be alike */
	bool synthetic, nominal;
	bool can_be_sampled; /* some thread repeats its trace, or sleeps */
};

struct versus_request {
	struct versus_system *systems;
	const char *const *policies; /* names, or files of plug-ins */
	const char *const *settings; /* [nr_settings]: further changes of all systems */
	size_t nr_systems, nr_policies, nr_settings;
	const char *data_folder;
	enum run_metric metric;
	int direction;	     /* 1: more of it is better, -1: less */
	uint32_t nr_samples; /* of systems that do not say how many themselves */
	uint32_t nr_workers; /* processes; 1: this one */
	/* Both may be NULL. `worker_begin`: in each process. `progress`: in this one, now and then. */
	void (*worker_begin)(void);
	void (*progress)(void *ctx, uint64_t nr_done, uint64_t nr_runs);
	void *progress_ctx;
};

/* One policy on one system: the means over samples of some metrics. */
struct versus_cell {
	double value; /* of the metric asked for */
	double antt, jain, migrations_per_s;
	double nr_awake; /* threads, on average over the simulated time */
};

struct versus_rank {
	size_t policy; /* index among those asked for */
	double value;  /* mean over systems */
	struct stats_interval
		distance; /* to the best policy: mean over systems of their mean differences; of itself 0 */
};

struct versus {
	const struct versus_request *request; /* the caller's */
	const char **names;		      /* [nr_policies]: base names of plug-ins */
	struct versus_cell *cells;	      /* [policy][system] */
	double **values;		      /* [policy * nr_systems + system][sample]: of the metric */
	struct versus_rank *ranks;	      /* [nr_policies], the best first */
	uint64_t nr_pairs;		      /* samples of all systems: the data of intervals */
	struct textbuf notes;		      /* what had to be assumed, a line each */
	struct arena arena;		      /* all of that */
};

/* Runs everything. On success the caller releases `v`. As run_config_make() and run_execute() fail, with the system and
 * the policy in front. */
enum sahm_status versus_run(const struct versus_request *request, struct versus *v, struct sahm_err *err);
void versus_release(struct versus *v);

/* Appends the result for people, as CSV, as one JSON object: sahm(1). False when memory was short. */
bool versus_text(const struct versus *v, bool bold, struct textbuf *out);
bool versus_csv(const struct versus *v, struct textbuf *out);
bool versus_json(const struct versus *v, struct textbuf *out);

#endif
