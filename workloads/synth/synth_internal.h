/* The halves of the generator: which state for how long (stays, and the plan that puts them in order), and
 * counts in it. */
#ifndef SAHM_WORKLOADS_SYNTH_SYNTH_INTERNAL_H
#define SAHM_WORKLOADS_SYNTH_SYNTH_INTERNAL_H

#include "sim/base/rng.h"
#include "workloads/synth/synth.h"

enum stay_kind { STAY_SINGLE, STAY_SHORT, STAY_LONG, NR_STAY_KINDS };

struct stay {
	uint64_t length; /* epochs */
	unsigned state;
	enum stay_kind kind; /* that it was drawn as */
};

/* Stays in a row. */
struct plan {
	struct stay *stays;
	size_t nr, room;
	uint64_t displaced; /* epochs in another state than their share says */
};

enum sahm_status plan_add(struct plan *plan, struct stay stay, struct sahm_err *err);
void plan_release(struct plan *plan);

/* All stays of a trace, state by state; the first `left` of each have not been taken yet. */
struct stays {
	const struct profile *profile;
	const struct profile_row *row;
	struct rng rng;
	struct plan all;
	size_t first[NR_STATES], left[NR_STATES];
	unsigned state; /* that was taken last; NR_STATES at first */
};

/* Draws the lengths of all stays. SAHM_NOMEM, and nothing to release then. */
enum sahm_status stays_init(struct stays *s, const struct profile *p, const struct profile_row *row, uint64_t seed,
			    struct sahm_err *err);
void stays_release(struct stays *s);

/* Takes the next stay; false when none is left, or none that may follow. */
bool stays_next(struct stays *s, struct stay *stay);

/* Takes any stay in `state`; false when none is left. */
bool stays_take(struct stays *s, unsigned state, struct stay *stay);

/* The stays of a trace, in order. SAHM_NOMEM, and nothing to release then. */
enum sahm_status plan_make(struct plan *plan, const struct profile *p, const struct profile_row *row, uint64_t seed,
			   struct sahm_err *err);

/* Distributes `total` in proportion to shares[nr]: whole parts whose sum is `total`, none further than 1 from its exact
 * size; of equal remainders the first rounds up. The shares' sum is above 0 and below 2^64 / DECIMAL_ONE * DECIMAL_ONE.
 */
void synth_apportion(uint64_t total, const decimal *shares, size_t nr, uint64_t *parts);

struct counts {
	const struct profile *profile;
	const struct profile_row *row;
	struct rng rng;
	unsigned state;
	uint64_t instructions;	      /* of an epoch, before jitter */
	decimal level[NR_COMPONENTS]; /* in the unit of its metric */
};

void counts_init(struct counts *c, const struct profile *p, const struct profile_row *row, uint64_t seed);

/* Begins a stay in `state`. */
void counts_begin_stay(struct counts *c, unsigned state);

/* Counts of one epoch of the stay; they classify as its state. */
void counts_next(struct counts *c, struct epoch_counts *e);

#endif
