/* Sweeps: every point of a space evaluated, results in a store.
 *
 * A sweep has three steps. It is *read*: a configuration, whose section `sweep` and arguments of the command line span
 * a space (space.h). It is *planned*: every point is resolved and hashed by worker processes (pool.h), so that what is
 * wrong with any of them shows before the first run, and different runs stand in the store, each once; runs that the
 * results file has already are not repeated. It is *carried out*: worker processes evaluate planned runs, and only this
 * process writes the results file. Whatever ends it in the middle, the next one goes on from what was committed.
 */
#ifndef SAHM_SIM_SWEEP_SWEEP_H
#define SAHM_SIM_SWEEP_SWEEP_H

#include "results/store/store.h"
#include "results/studies/evaluate.h"
#include "sim/sweep/space.h"

struct sweep_request {
	const char *config; /* path, "-": standard input */
	const char **settings;
	size_t nr_settings; /* of the configuration, before axes */
	/* Takes the place of workload.traces, its paths absolute; lives as long as the sweep. NULL: nothing does. */
	const struct cfg_node *traces;
	const struct space_argument *axes;
	size_t nr_axes; /* axes after those of its section */
	/* Take the place of core_types and cuts; live as long. NULL: nothing does. */
	const struct cfg_node *core_types, *cuts;
	struct run_cache *cache; /* of traces; outlives the sweep. NULL: the sweep makes a separate one */
	const char *evaluator;	 /* NULL: as the section says */
	const char *data_folder; /* may be NULL */
};

struct sweep {
	struct arena arena;
	struct cfg_node *base;		 /* the configuration without its section, paths made absolute */
	const struct cfg_node *manifest; /* the section of this name, which was taken out; NULL: there is none */
	struct space space;
	enum evaluator evaluator;
	const char *name; /* of the configuration's file */
	const char *data_folder;
	struct run_cache *cache;
	bool owns_cache;
	char *text; /* with which `sahm sweep` does the same again */
	/* Where its files stand by numbers (bundle.h): left out of messages of failures, which must be the same
	 * anywhere. NULL: nothing is. */
	const char *folder;
};

/* Reads a sweep. On success the caller releases it. SAHM_CONFIG, SAHM_USAGE, SAHM_IO, SAHM_RANGE, SAHM_NOMEM. */
enum sahm_status sweep_read(struct sweep *sweep, const struct sweep_request *request, struct sahm_err *err);
void sweep_release(struct sweep *sweep);

/* A part of the points: those whose position modulo `nr` is `index`. */
struct sweep_shard {
	uint64_t index, nr; /* index below nr; { 0, 1 } is all of them */
};

/* Points that a shard of a sweep has. */
uint64_t sweep_shard_points(const struct sweep *sweep, const struct sweep_shard *shard);

/* A file that a sweep reads, but for configurations. */
struct sweep_input {
	const char *kind; /* in words */
	const char *path; /* absolute, or as it stands in the data folder */
	uint8_t hash[HASH_BYTES];
};

/* How far it is. */
struct sweep_progress {
	bool planning;			      /* counts are of points that are being resolved; else of runs */
	uint64_t total, before, done, failed; /* `before`: were done or failed when it began; `done`, `failed`: since */
	uint64_t elapsed_ns;
	bool remote;	  /* by workers elsewhere, */
	uint64_t workers; /* of which this number live */
	const char *why;  /* they get nothing to do; NULL: they do */
};

/* Longest time that a run can be given. */
#define MAX_TIMEOUT_S 1000000u
/* Bounds of the memory that a run can be given. */
#define MIN_MEMORY_BYTES (UINT64_C(16) << 20)
#define MAX_MEMORY_BYTES (UINT64_C(1) << 50)

struct sweep_options {
	uint32_t nr_workers;
	unsigned timeout_s;    /* of a run, to MAX_TIMEOUT_S; 0: none */
	uint64_t memory_bytes; /* address space of a process that runs them, to MAX_MEMORY_BYTES; 0: any */
	bool retry_failed, keep_threads, mix_versions;
	struct sweep_shard shard;
	/* Both in this process; either may be NULL. `progress` is called several times a second; false: give up. */
	bool (*progress)(void *ctx, const struct sweep_progress *progress);
	void (*worker_begin)(void); /* in each worker */
	void *ctx;
};

/* What a plan found. */
struct sweep_plan {
	struct arena arena;
	struct store_part part;	      /* of the store that is planned */
	uint8_t identity[HASH_BYTES]; /* of the whole space: axes, and the hashes of all points */
	struct sweep_input *inputs;   /* [nr_inputs], by path */
	size_t nr_inputs;
	struct textbuf notes;	    /* what had to be assumed of traces, a line each, in order */
	struct store_counts counts; /* of the part */
	uint64_t nr_retried;
	uint64_t elapsed_ns; /* that planning took */
	bool interrupted;    /* `progress` gave up: nothing was planned, and all above is empty */
};

/* How it ended. */
struct sweep_outcome {
	bool interrupted; /* `progress` wanted it */
	uint64_t done, failed;
	uint64_t mended; /* this number of those that had failed when it was planned have not */
	uint64_t elapsed_ns;
	char why[SAHM_ERR_BYTES]; /* the first that failed; "" when none has */
};

/* Resolves all points and plans those of the shard in `store`. On success the caller releases `plan`. SAHM_CONFIG with
 * the point in front where one cannot be resolved; SAHM_CONFIG when the store has another program's runs; else as the
 * store and the pool fail. */
enum sahm_status sweep_plan(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
			    struct sweep_plan *plan, struct sahm_err *err);
void sweep_plan_release(struct sweep_plan *plan);

/* Runs to carry out: those that are planned, and those that are done but for their threads. */
uint64_t sweep_nr_left(const struct sweep_plan *plan);

/* Carries out what is planned. Finished runs are committed when it returns; after a failure of the store what was not
 * committed before it is gone, and is run again by the next sweep. A run that fails is a result, but where the machine
 * is to blame (sahm_is_environment()), which ends this: SAHM_IO, SAHM_NOMEM. */
enum sahm_status sweep_carry_out(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
				 const struct sweep_plan *plan, struct sweep_outcome *outcome, struct sahm_err *err);

/* What an answer of sweep_evaluate() begins with; the record of the run follows, which of a failure is its message. */
struct sweep_answer {
	uint8_t hash[HASH_BYTES]; /* of the run; all 0 where it cannot be resolved */
	uint8_t status;		  /* of the evaluation (enum sahm_status) */
};

/* Whether a limit of this many bytes (0: none) lowers what the processes of runs may have: only then is lack of memory
 * the run's failure, else the machine's. */
bool sweep_limits_memory(uint64_t memory_bytes);

/* Says why a run failed that had no more memory under a limit. */
#define SWEEP_MEMORY_BYTES 80
void sweep_explain_memory(uint64_t memory_bytes, char why[SWEEP_MEMORY_BYTES]);

/* In a worker: evaluates the point at `position` and appends the answer. */
void sweep_evaluate(const struct sweep *sweep, uint64_t position, uint32_t worker, struct textbuf *answer);

/* What carrying out a plan would take, from runs of some of its points. */
struct sweep_estimate {
	bool interrupted;  /* `progress` gave up: all below is empty */
	uint64_t nr_tried; /* runs that were made for it */
	double seconds;	   /* with the given workers, planning included */
	double bytes;	   /* that the store would grow by */
	double new_bytes;  /* that a store without any sweep takes */
};

enum sahm_status sweep_estimate(const struct sweep *sweep, const struct sweep_options *options, struct store *store,
				const struct sweep_plan *plan, struct sweep_estimate *estimate, struct sahm_err *err);

#endif
