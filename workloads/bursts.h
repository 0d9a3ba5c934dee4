/* Bursts: when a thread runs and when it sleeps.
 *
 * A thread runs for a while, sleeps for a while, and so on. How long it runs is work, ns of baseline time: a faster
 * core is through with it earlier. How long it sleeps is ns of simulated time, from the moment at which it falls
 * asleep. A burst that is followed by a sleep of 0 ns ends with a yield: the thread stays runnable. Bursts go on for as
 * long as the thread is there, whatever its trace does.
 *
 * Bursts are a list, which begins anew at its end, or drawn: run and sleep time each from a distribution, by a stream
 * of random numbers of their own per thread, in integers alone (no libm).
 */
#ifndef SAHM_WORKLOADS_BURSTS_H
#define SAHM_WORKLOADS_BURSTS_H

#include "sim/base/rng.h"

/* Shortest run time of a burst and longest time of both kinds. */
#define MIN_BURST_RUN_NS UINT64_C(1000)
#define MAX_BURST_NS UINT64_C(1000000000000)

struct burst {
	uint64_t run_ns;   /* MIN_BURST_RUN_NS to MAX_BURST_NS */
	uint64_t sleep_ns; /* 0 to MAX_BURST_NS */
};

enum burst_shape {
	BURST_FIXED,	   /* `mean_ns` each time */
	BURST_UNIFORM,	   /* from min_ns to max_ns, each ns as likely as the others */
	BURST_EXPONENTIAL, /* of mean `mean_ns`; what exceeds the longest time is cut to it */
	BURST_PARETO,	   /* bounded Pareto from min_ns to max_ns of shape `alpha_milli` / 1000: heavy tails */
};

struct burst_times {
	enum burst_shape shape;
	uint64_t mean_ns, min_ns, max_ns;
	uint32_t alpha_milli;
};

/* A thread's bursts. Without a list both times are drawn. */
struct burst_model {
	const struct burst *list; /* [nr]; the caller's; NULL: drawn */
	uint64_t nr;
	uint64_t first; /* index in the list with which the thread begins */
	struct burst_times run, sleep;
};

/* Where a thread stands in its bursts. */
struct bursts {
	const struct burst_model *model;
	uint64_t next;
	struct rng run, sleep;
};

/* Begins the bursts of `model`, which stays the caller's; drawn ones follow from `seed` and `thread` alone. */
void bursts_init(struct bursts *b, const struct burst_model *model, uint64_t seed, uint32_t thread);

/* The next burst. */
struct burst bursts_next(struct bursts *b);

#endif
