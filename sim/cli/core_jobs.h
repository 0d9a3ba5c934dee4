/* Streams through models of cores on several threads: what `sahm core time` and others have in common. */
#ifndef SAHM_SIM_CLI_CORE_JOBS_H
#define SAHM_SIM_CLI_CORE_JOBS_H

#include "sim/base/options.h"
#include "workloads/stream/core_run.h"

#define MAX_CORE_JOBS 256u

struct core_jobs {
	const char *const *streams; /* [nr_streams]: paths */
	size_t nr_streams;
	const struct core_model *const *models; /* [nr_models] */
	size_t nr_models;
	/* [nr_models]: changes to the program, each NULL if there are none; NULL: for no model. Not with a measured
	 * clock. */
	const struct remedies *const *remedies;
	enum lane_form form;
	const struct stream_sampling *sampling;
	bool measures_clock; /* core_run_measured() instead of core_run() */
	uint32_t nr_threads; /* 0: as many as there are processors */
	uint64_t total;	     /* instructions of all streams, for the display of progress */
	/* As in struct core_observer, of a stream and a model. Each may be NULL. They are called by
	 * several threads, but by one for a pair. */
	void *ctx;
	enum sahm_status (*epoch)(void *ctx, size_t stream, size_t model, uint64_t epoch,
				  const struct core_counts *counts, struct sahm_err *err);
	enum sahm_status (*batch)(void *ctx, size_t stream, size_t model, const struct uop_batch *batch,
				  const struct uop_stamps *stamps, const struct timing_notes *notes,
				  struct sahm_err *err);
	enum sahm_status (*warm)(void *ctx, size_t stream, size_t model, const struct uop_batch *batch,
				 struct sahm_err *err);
	bool takes_notes; /* for `batch`, which gets NULL without */
	/* Before the stream is read: *watch, all NULL so far, can become what the observer has there. */
	enum sahm_status (*begin)(void *ctx, size_t stream, size_t model, struct core_watch *watch,
				  struct sahm_err *err);
	enum sahm_status (*epoch_end)(void *ctx, size_t stream, size_t model, uint64_t epoch, struct sahm_err *err);
	/* The stream has ended. */
	enum sahm_status (*end)(void *ctx, size_t stream, size_t model, struct sahm_err *err);
	/* As in struct core_observer; `edges` is called by several threads. */
	enum path_detail path;
	/* Of a stream and some models: bit i is that of models[i]; by several threads even then. */
	void (*predict)(void *ctx, size_t stream, const size_t *models, unsigned nr, const struct uop_batch *batch,
			uint64_t first_load, struct load_predictions *p);
	struct load_set *(*critical)(void *ctx, size_t stream, size_t model); /* NULL of a model: nobody asks */
	enum sahm_status (*edges)(void *ctx, size_t stream, size_t model, const struct path_edges *edges,
				  struct sahm_err *err);
};

/* Work on streams by several threads. */
struct core_crew {
	void *ctx;
	void (*work)(void *ctx, size_t job); /* called once for each job below `nr`, in any order */
	size_t nr;
	uint64_t (*done)(void *ctx); /* instructions so far, of `total`, for the display of progress; any thread's */
	uint64_t total;
	uint32_t nr_threads; /* 0: as many as there are processors */
};

void core_crew_run(const struct core_crew *c);

/* Whether this processor has the form: to be asked before work that takes long. SAHM_USAGE. */
enum sahm_status core_jobs_check_form(enum lane_form form, struct sahm_err *err);

/* Runs each stream on each model, in a form that is there: counts[i * nr_models + k] becomes that of stream i on model
 * k. The first failure in this order is reported. */
enum sahm_status core_jobs_run(const struct core_jobs *r, struct core_counts *counts, struct sahm_err *err);

#define CORE_JOBS_OPTION(member)                                                                                       \
	"jobs", 'j', "N", "cores and streams that run at once (as many as there are processors)", OPTION_WHOLE,        \
		AT(uint32_t, member), .least = 1, .most = MAX_CORE_JOBS

/* NULL at the end. */
extern const char *const lane_form_words[];

#define LANES_OPTION(member)                                                                                           \
	"lanes", 0, "FORM",                                                                                            \
		"how the cores of a stream are computed at once: avx512, avx2, c or 1, one after the other; the "      \
		"results are the same (best: what the processor has)",                                                 \
		OPTION_CHOICE, AT(unsigned, member), .what = "--lanes", .words = lane_form_words

#endif
