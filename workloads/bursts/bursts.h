/* Bursts: when a thread runs and when it sleeps.
 *
 * A thread runs for a while, sleeps for a while, and so on. How long it runs is work, ns of baseline time: a faster
 * core is through with it earlier. How long it sleeps is ns of simulated time, from the moment at which it falls
 * asleep. A burst that is followed by a sleep of 0 ns ends with a yield: the thread stays runnable. Bursts go on for as
 * long as the thread is there, whatever its trace does.
 *
 * Bursts are a list, which repeats at its end, or drawn: run and sleep time each from a distribution, by a separate
 * stream of random numbers per thread, only with integers (no libm). A drawn run time below MIN_BURST_RUN_NS is raised
 * to it.
 *
 * The bursts of a list can end in other ways (struct burst_end): by a timer of the thread, as in rt-app, or by nothing,
 * so that the thread goes on. A timer is due one period after it was last due, at first after the thread arrived. A
 * thread that comes too late for it does not sleep, and a relative timer counts from then on. After its last round
 * through a list, a thread leaves.
 *
 * Precision. A uniform random number u is a whole number of 2^-64 parts, from 1 to 2^64 of them. An exponential time is
 * -ln(u) times the mean, rounded down to whole ns; -ln(u) is right to 2^-36, and so never above 45. A bounded Pareto
 * time is that x at which the distribution function is 1 - u: min / y^(1/alpha) with y between (min/max)^alpha and 1;
 * it never leaves its bounds, and is right to 1 ns and one part in 2^30 but for times that fewer than one draw in 2^30
 * exceeds.
 * To add a distribution: enum burst_shape and draw() in bursts.c, its name and keys in run_config_bursts.c, a row
 * in test_bursts.c.
 */
#ifndef SAHM_WORKLOADS_BURSTS_BURSTS_H
#define SAHM_WORKLOADS_BURSTS_BURSTS_H

#include <stdbool.h>

#include "sim/base/rng.h"

/* Shortest run time of a burst and longest time of both kinds. */
#define MIN_BURST_RUN_NS UINT64_C(1000)
#define MAX_BURST_NS UINT64_C(1000000000000)

struct burst {
	uint64_t run_ns;   /* MIN_BURST_RUN_NS to MAX_BURST_NS */
	uint64_t sleep_ns; /* 0 to MAX_BURST_NS */
};

/* Timers of a thread. */
#define MAX_BURST_TIMERS 4u

/* How a burst of a list ends: after its sleep, the thread waits for a timer. */
struct burst_end {
	uint64_t period_ns; /* at most MAX_BURST_NS; 0: it waits for none */
	uint8_t timer;	    /* which of its timers, below MAX_BURST_TIMERS */
	bool is_absolute;   /* being late does not move the timer */
	bool yields;	    /* where it does not sleep; else it goes on */
};

/* The shape of a bounded Pareto distribution, in thousandths. */
#define MIN_BURST_ALPHA_MILLI 100u
#define MAX_BURST_ALPHA_MILLI 10000u

enum burst_shape {
	BURST_FIXED,	   /* `mean_ns` each time */
	BURST_UNIFORM,	   /* from min_ns to max_ns, each ns as likely as the others */
	BURST_EXPONENTIAL, /* of mean `mean_ns`; longer times are cut to the longest */
	BURST_PARETO,	   /* bounded Pareto from min_ns to max_ns of shape `alpha_milli` / 1000: heavy tails */
};

/* Times of one kind: of runs at least MIN_BURST_RUN_NS, of sleeps at least 0, for BURST_PARETO at least 1; at most
 * MAX_BURST_NS, min_ns not above max_ns. What a shape does not use says nothing. */
struct burst_times {
	enum burst_shape shape;
	uint64_t mean_ns, min_ns, max_ns;
	uint32_t alpha_milli; /* MIN_BURST_ALPHA_MILLI to MAX_BURST_ALPHA_MILLI */
};

/* A thread's bursts. Without a list both times are drawn. */
struct burst_model {
	const struct burst *list;     /* [nr]; the caller's; NULL: drawn */
	uint64_t nr;		      /* at least 1 */
	uint64_t first;		      /* index in the list with which the thread begins, below nr */
	const struct burst_end *ends; /* [nr]; NULL: each burst ends by its sleep */
	uint64_t nr_rounds;	      /* through the list, nr_rounds * nr below 2^64; 0: for ever */
	struct burst_times run, sleep;
};

/* Where a thread stands in its bursts. */
struct bursts {
	const struct burst_model *model;
	uint64_t next;
	uint64_t nr_left;  /* bursts after the one under way, where rounds are counted */
	uint64_t sleep_ns; /* after the burst under way */
	struct burst_end end;
	uint64_t due_ns[MAX_BURST_TIMERS]; /* when each timer was last due; 0: it was not used */
	struct rng run, sleep;
	uint64_t run_tail, sleep_tail; /* of BURST_PARETO: (min/max)^alpha, in parts of 2^-64 */
};

/* Begins the bursts of `model`, which stays the caller's; drawn ones follow only from `seed` and `thread`. */
void bursts_init(struct bursts *b, const struct burst_model *model, uint64_t seed, uint32_t thread);

/* The next burst. Where rounds are counted, not after the last. */
struct burst bursts_next(struct bursts *b);

/* Whether the burst under way is the thread's last. */
bool bursts_are_over(const struct bursts *b);

/* What follows the burst under way, which ends now: until when the thread sleeps, or, if that is now, whether it
 * yields. Sets its timer; once a burst. `arrived_ns` is when the thread arrived. */
struct burst_pause {
	uint64_t until_ns;
	bool yields;
};
struct burst_pause bursts_pause(struct bursts *b, uint64_t arrived_ns, uint64_t now_ns);

#endif
