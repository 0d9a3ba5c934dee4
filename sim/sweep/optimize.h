/* Design-space search: the best chip under a budget.
 *
 * A chip is a mix of core types (mix.h); its objective is a number that something evaluates, usually a metric of the
 * workload of a configuration that gets this chip. Small spaces are searched *exhaustively*: every mix is evaluated, by
 * several processes if wanted, and the best is proven to be that. Larger ones are *annealed* (GSL's gsl_siman): walks
 * from mix to mix by adding, removing and exchanging cores, which at first also go on to worse ones, and later no more;
 * they find the best mix seen, which proves nothing. No mix is evaluated twice.
 * Of mixes with the same objective the better one has fewer cores, then less area, then comes first in the order of
 * mixes, so that what is best never depends on the method, the seed or the number of processes where all were
 * evaluated.
 */
#ifndef SAHM_SIM_SWEEP_OPTIMIZE_H
#define SAHM_SIM_SWEEP_OPTIMIZE_H

#include "results/studies/evaluate.h"
#include "sim/base/cfg.h"
#include "sim/engine/config/run_cache.h"
#include "sim/sweep/mix.h"

/* Most mixes that are searched exhaustively. */
#define MAX_OPTIMIZE_MIXES (UINT64_C(1) << 20)

/* Maximum number of chips in a report. */
#define MAX_OPTIMIZE_TOP 1000u

enum optimize_method { OPTIMIZE_AUTO, OPTIMIZE_EXHAUSTIVE, OPTIMIZE_ANNEAL };

/* Names of the methods ("auto", "exhaustive", "anneal"), NULL at the end. */
extern const char *const optimize_method_names[];

/* What is sought. */
struct optimize_problem {
	struct mix_space space;
	bool minimize;
	/* Puts the objective of a mix within the space into *value; infinite is allowed, NAN is not. The same mix has
	 * the same value whenever and in whichever process it is asked for. A failure ends the search. */
	enum sahm_status (*evaluate)(void *ctx, const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES],
				     double *value, struct sahm_err *err);
	void *ctx;
};

/* Annealing. Temperatures are parts of the spread of objectives that a random walk finds before the first restart, so
 * that they mean the same for every metric. Each restart begins at another mix, hot, and cools down. */
struct optimize_anneal {
	uint32_t nr_restarts;	 /* at least 1 */
	uint32_t nr_steps;	 /* at each temperature, at least 1 */
	double hottest, coldest; /* 0 < coldest <= hottest */
	double cooling;		 /* above 1: from one temperature to the next it is divided by this */
	uint64_t seed;
};

/* Defaults. */
#define OPTIMIZE_ANNEAL_DEFAULTS                                                                                       \
	{                                                                                                              \
		.nr_restarts = 4, .nr_steps = 50, .hottest = 0.5, .coldest = 0.005, .cooling = 1.15, .seed = 1         \
	}

struct optimize_options {
	enum optimize_method method;
	uint64_t exhaustive_limit; /* `auto` searches exhaustively up to this number of mixes; at most
				      MAX_OPTIMIZE_MIXES */
	struct optimize_anneal anneal;
	uint32_t top;	     /* chips in the result, 1 to MAX_OPTIMIZE_TOP */
	uint32_t nr_workers; /* processes that search exhaustively; 1: this one */
	/* Both may be NULL. `worker_begin`: in each process. `progress`: in this one, now and then; `total` is 0 where
	 * it is not known. */
	void (*worker_begin)(void);
	void (*progress)(void *ctx, uint64_t evaluated, uint64_t total);
	void *progress_ctx;
};

struct optimize_chip {
	uint32_t counts[MAX_MIX_TYPES];
	double value;
};

struct optimize_result {
	enum optimize_method method; /* that was taken: never `auto` */
	struct optimize_chip *best;  /* [nr_best], the best one first */
	uint32_t nr_best;
	uint64_t nr_evaluated; /* different mixes */
	uint64_t nr_mixes;     /* in the space; a lower bound when is_counted is false */
	bool is_counted;
	bool is_proven; /* all were evaluated */
};

/* Searches. On success the caller releases `result`. SAHM_RANGE: no chip keeps within the budgets, with a message that
 * names the cheapest one, or there are too many to search exhaustively; SAHM_NOMEM; else as `evaluate` fails, with the
 * mix in front. */
enum sahm_status optimize_search(const struct optimize_problem *problem, const struct optimize_options *options,
				 struct optimize_result *result, struct sahm_err *err);

void optimize_result_release(struct optimize_result *result);

/* A workload on which mixes are evaluated: a configuration whose chip gives way to each mix. */
struct optimize_workload {
	const struct cfg_node *root; /* the configuration, without `sweep` */
	const char **settings;	     /* [nr_settings + 1]: the last is of the search */
	size_t nr_settings;
	const char *data_folder; /* may be NULL */
	struct run_cache *cache;
	enum evaluator evaluator;
	enum run_metric metric;
	/* A chip on which this metric is worse than the bound, that is more of it where bound_direction is below 0, is
	 * infinitely bad. */
	bool has_bound, minimize;
	enum run_metric bound_metric;
	int bound_direction;
	double bound;
};

/* Leaves out the chips of `result` that break the bound. SAHM_RANGE where none is left. */
enum sahm_status optimize_keep_bound(const struct optimize_workload *w, struct optimize_result *result,
				     struct sahm_err *err);

/* `evaluate` of a problem whose ctx is a struct optimize_workload. */
enum sahm_status optimize_workload_value(void *workload, const struct mix_space *space,
					 const uint32_t counts[MAX_MIX_TYPES], double *value, struct sahm_err *err);

/* Puts the core types of the chip of `config` into `space`, each once, with bounds of 0 and MAX_CORES; strings come
 * from `a`. SAHM_RANGE when there are too many, SAHM_CONFIG when the chip or the workload says where cores are
 * (tenants, distances between cores, cores that share memory or that threads may run on), which no other chip can be
 * held to, or its cores have frequency levels; SAHM_NOMEM. */
enum sahm_status optimize_types_of(struct arena *a, const struct run_config *config, struct mix_space *space,
				   struct sahm_err *err);

/* The same from text: "baseline,branch:30,l2+branch:30/20,berti". SAHM_USAGE. */
enum sahm_status optimize_types_read(struct arena *a, const char *text, struct mix_space *space, struct sahm_err *err);

/* Makes a setting of a chip in such text, with numbers of cores: of "2*baseline,branch:30" it is
 * "chip.cores=(...)", from `a`. SAHM_USAGE, SAHM_NOMEM. */
enum sahm_status optimize_chip_read(struct arena *a, const char *text, const char **setting, struct sahm_err *err);

/* Whether the workload of `config` can be given any chip, as optimize_types_of() says. */
enum sahm_status optimize_check(const struct run_config *config, struct sahm_err *err);

/* What a report tells beside the result. */
struct optimize_report {
	const struct optimize_problem *problem;
	const struct optimize_options *options;
	const struct optimize_result *result;
	const char *title;   /* names the configuration */
	const char *command; /* that repeats the run of the best chip */
	enum run_metric metric;
	enum evaluator evaluator;
	const char *bound;	  /* as it was written; NULL: none */
	bool is_shared;		  /* more threads are awake on average than a chip may have cores */
	bool synthetic, nominal;  /* some trace is: trace_words.h */
	bool has_area, has_power; /* every type has this price */
	bool bold;
};

/* Each appends to `out`; false when memory was short. */
bool optimize_report_text(const struct optimize_report *report, struct textbuf *out);
bool optimize_report_json(const struct optimize_report *report, struct textbuf *out);
bool optimize_report_csv(const struct optimize_report *report, struct textbuf *out);

#endif
