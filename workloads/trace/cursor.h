/* Cursor: where a thread stands in its trace.
 *
 * Progress within an epoch is an integer (sim/base/units.h). A boundary is reached at the first ns at which progress is
 * at or past the epoch's length; the excess carries over, and from that ns on the thread is in the next epoch.
 * After the last epoch comes the first, or, for a thread that does not repeat its trace, nothing: it has ended. Inline
 * because the plain engine's loop consists of little else.
 */
#ifndef SAHM_WORKLOADS_TRACE_CURSOR_H
#define SAHM_WORKLOADS_TRACE_CURSOR_H

#include "cores/chip/activity.h"
#include "cores/chip/warmup.h"
#include "sim/base/units.h"

struct cursor {
	const uint8_t *states; /* of the epochs; the caller's */
	uint64_t nr_epochs;
	uint64_t epoch;		/* 0 to nr_epochs - 1 */
	int64_t progress;	/* in the epoch, below epoch_progress */
	int64_t epoch_progress; /* length of an epoch at baseline speed */
	uint64_t nr_crossed;	/* boundaries reached so far */
	bool once;		/* the trace is not repeated */
	bool ended;		/* it was not, and is over: there is no state any more */
	/* Where its progress is counted, [NR_STATES]; NULL: nowhere. */
	struct activity *activity;
	int64_t accounted; /* progress in the epoch that has been counted */
};

/* Puts the cursor `offset_ns` of baseline time into the trace (below its length). */
static inline void cursor_init(struct cursor *c, const uint8_t *states, uint64_t nr_epochs, uint64_t epoch_ns,
			       uint64_t offset_ns)
{
	*c = (struct cursor){
		.states = states,
		.nr_epochs = nr_epochs,
		.epoch = offset_ns / epoch_ns,
		.progress = (int64_t)(offset_ns % epoch_ns) * PROGRESS_PER_NS,
		.epoch_progress = (int64_t)epoch_ns * PROGRESS_PER_NS,
		.accounted = (int64_t)(offset_ns % epoch_ns) * PROGRESS_PER_NS,
	};
}

/* State of the epoch in which the cursor stands. */
static inline unsigned cursor_state(const struct cursor *c)
{
	return c->states[c->epoch];
}

/* Counts progress up to `progress`, measured from where the present epoch began, which is all in its state. */
static inline void cursor_account(struct cursor *c, int64_t progress)
{
	if (!c->activity)
		return;
	c->activity[cursor_state(c)].progress += (uint64_t)(progress - c->accounted);
	c->accounted = progress;
}

/* Lets `ns` of simulated time pass, in part `part` of a warm-up. `speedup_ppm[s]` is the core's full speedup in state
 * s: the rate changes at each boundary, not at the end of the step. Returns the ns that were left when the trace ended.
 */
static inline uint64_t cursor_advance_warming(struct cursor *c, uint64_t ns, const int32_t *speedup_ppm, unsigned part)
{
	while (ns > 0 && !c->ended) {
		int64_t rate = PROGRESS_PER_NS + warmup_speedup_ppm(speedup_ppm[cursor_state(c)], part);
		int64_t left = c->epoch_progress - c->progress;
		uint64_t boundary_ns = (uint64_t)((left + rate - 1) / rate);
		if (ns < boundary_ns) {
			c->progress += (int64_t)ns * rate;
			cursor_account(c, c->progress);
			return 0;
		}
		ns -= boundary_ns;
		c->progress += (int64_t)boundary_ns * rate;
		while (c->progress >= c->epoch_progress) {
			cursor_account(c, c->epoch_progress);
			c->accounted = 0;
			c->progress -= c->epoch_progress;
			c->nr_crossed++;
			if (++c->epoch == c->nr_epochs) {
				c->epoch = 0;
				if (c->once) {
					c->ended = true;
					c->progress = 0;
				}
			}
		}
		cursor_account(c, c->progress);
	}
	return ns;
}

/* The same on a core that is warm. */
static inline uint64_t cursor_advance(struct cursor *c, uint64_t ns, const int32_t *speedup_ppm)
{
	return cursor_advance_warming(c, ns, speedup_ppm, WARMUP_PARTS);
}

#endif
