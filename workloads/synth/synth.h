/* Synthetic traces: a semi-Markov chain over states per benchmark, and counts to go with it.
 *
 * Stays. A trace is a sequence of stays, each in one state, of three kinds: single epochs, short ones (2 epochs and a
 * geometric number more) and long ones (from half the mean length to half more than it, each length as likely). First
 * all of them are made: each state has as many epochs as its share says, of each kind as many as the kind's share says,
 * except that a state too rare for a long stay has none. The other states have the more of them, as far as their shares
 * go, and what is then missing of the long ones are short ones. The last stay of a state and kind is cut to what is
 * left.
 *
 * Then they are put in order, one after the other: the next one's state is drawn in proportion to the stays that are
 * left of each, times the factor `follow` of the state before; where all factors are 1, every order is as likely as any
 * other. A stay in the state of the one before prolongs its interval. Stays that may follow none of the others are put
 * between earlier stays, at random, where both neighbours allow it; several in one place become one. The rest prolongs
 * a stay in the same state or, if there is none, the last one: only these epochs are displaced, in another state than
 * the shares say. At last the trace is turned: it begins at an epoch drawn from all, and its beginning follows its end,
 * so that any part of it is like any other; unless a factor of 0 forbids that, when its ends can differ from what is
 * between.
 *
 * Counts. For each stay and component a level is drawn between typical / spread and typical x spread, half of the times
 * below typical and evenly on either side, but on the state's side of the cut. An epoch's ratios and densities are
 * these levels, and the profile's densities, times 1 +- jitter, each jitter drawn separately. L2 accesses are the
 * misses of both first-level caches times l2_per_miss. Counts are rounded to `digits` significant digits; where a
 * rounded count would put an epoch into another state, it is the nearest count that does not.
 *
 * All of it is integer arithmetic on random numbers of sim/base/rng.h, so that the same profile and seed give the same
 * bytes everywhere. A trace depends on its own row, the seed, and what the profile says for all; not on the other rows.
 * Source: the structure is after the dissertation's section 4.2 (shares of states, transitions, lengths of intervals).
 */
#ifndef SAHM_WORKLOADS_SYNTH_SYNTH_H
#define SAHM_WORKLOADS_SYNTH_SYNTH_H

#include "workloads/synth/profile.h"
#include "workloads/trace/trace.h"

/* Where a trace is not as its row says. */
struct synth_outcome {
	uint64_t displaced; /* epochs */
	unsigned unvisited; /* states, a bit each, whose share is less than an epoch */
};

/* Makes the trace of row `row` of the profile, below nr_rows, with `seed`; `outcome` may be NULL. The trace is called
 * after the row, and says that it is synthetic. SAHM_NOMEM; SAHM_FORMAT when the trace would last longer than
 * MAX_TRACE_NS. */
enum sahm_status synth_trace(const struct profile *p, size_t row, uint64_t seed, struct trace **trace,
			     struct synth_outcome *outcome, struct sahm_err *err);

#endif
