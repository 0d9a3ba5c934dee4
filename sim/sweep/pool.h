/* Worker processes: jobs, numbers for the caller, are carried out by processes that were forked from this one.
 *
 * A worker that dies takes nothing with it but the job that it was about: the caller that handed it out learns the
 * cause of its death, and its last words to standard error; another worker takes its place and the rest of its jobs.
 * Workers die with the process that forked them. In a sweep only the parent writes the results database, and code of
 * plug-ins runs only in workers (test_pool.c, test_sweep_plugins.c).
 */
#ifndef SAHM_SIM_SWEEP_POOL_H
#define SAHM_SIM_SWEEP_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* Most workers. */
#define MAX_POOL_WORKERS 1024u

/* Jobs that a worker is given at a time, at most. */
#define MAX_POOL_BATCH 256u

/* Hooks of a pool; `ctx` is passed to each. */
struct pool_ops {
	/* In a worker, once, before its first job; NULL: nothing. */
	void (*begin)(void *ctx, uint32_t worker);
	/* In a worker: carries out `job` and appends the answer. */
	void (*work)(void *ctx, uint64_t job, struct textbuf *answer);
	/* Here: puts up to `room` jobs into jobs[] and returns their number; 0: there are no more, now or, unless there
	 * is `wait`, later. */
	size_t (*next)(void *ctx, uint64_t *jobs, size_t room);
	/* Here: nobody has a job; waits until there may be one, and returns true, or false: there will be none. NULL:
	 * there will be none. */
	bool (*wait)(void *ctx);
	/* Here: the seconds that `job` may take until it is lost; 0: any. NULL: as the options say. */
	unsigned (*timeout_s)(void *ctx, uint64_t job);
	/* Here: takes the answer to `job`, in the order in which answers arrive. A failure ends the pool. */
	enum sahm_status (*take)(void *ctx, uint64_t job, const char *answer, size_t len, struct sahm_err *err);
	/* Here: `job` was not answered, because its worker died, `why` in words. `cause`: SAHM_NOMEM where it had no
	 * more memory, SAHM_RANGE where it took too long, else SAHM_TOOL. */
	enum sahm_status (*lost)(void *ctx, uint64_t job, enum sahm_status cause, const char *why,
				 struct sahm_err *err);
	/* Here: called several times a second, and whenever something happened; may be NULL. False: no more jobs are
	 * handed out, and what is under way is given up. */
	bool (*tick)(void *ctx);
};

struct pool_options {
	uint32_t nr_workers; /* 1 to MAX_POOL_WORKERS */
	uint32_t batch;	     /* jobs at a time at first; grows while jobs are short, up to MAX_POOL_BATCH */
	unsigned timeout_s;  /* a job that takes longer is lost; 0: none is */
	unsigned tries;	     /* of a job whose worker was killed from outside, until it is lost; 0: 3 */
};

/* Carries out all jobs. SAHM_IO when processes cannot be had, else what `take` or `lost` failed with; *stopped tells
 * whether `tick` ended it. No worker is left when it returns. */
enum sahm_status pool_run(const struct pool_ops *ops, const struct pool_options *options, void *ctx, bool *stopped,
			  struct sahm_err *err);

/* Bytes of address space that this process may have; UINT64_MAX: any number. */
uint64_t pool_memory(void);

/* In a worker: sets that. With a sanitizer, which reserves far more, nothing happens. */
void pool_limit_memory(uint64_t bytes);

/* Processors that this process may use, at least 1. */
uint32_t pool_nr_processors(void);

#endif
