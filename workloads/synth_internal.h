/* The halves of the generator: which state for how long (urns that stays are drawn from, a plan of all stays), and
 * counts in it. */
#ifndef SAHM_WORKLOADS_SYNTH_INTERNAL_H
#define SAHM_WORKLOADS_SYNTH_INTERNAL_H

#include "sim/base/rng.h"
#include "workloads/synth.h"

enum stay_kind { STAY_SINGLE, STAY_SHORT, STAY_LONG, NR_STAY_KINDS };

struct stays {
	const struct profile *profile;
	const struct profile_row *row;
	struct rng rng;
	uint64_t left, left_of_kind[NR_STAY_KINDS], left_in_state[NR_STATES]; /* epochs */
	unsigned state;							      /* the present one; NR_STATES at first */
};

void stays_init(struct stays *s, const struct profile *p, const struct profile_row *row, uint64_t seed);

/* The next stay: its state, and its length in epochs; 0 when the urns are empty, or nothing in them may follow. */
uint64_t stays_next(struct stays *s, unsigned *state);

/* Length of another stay in `state`, whatever was there before; 0 when none of its epochs is left. */
uint64_t stays_take(struct stays *s, unsigned state);

struct stay {
	uint64_t length;
	unsigned state;
};

/* The stays of a trace, in order. */
struct plan {
	struct stay *stays;
	size_t nr, room;
	uint64_t displaced; /* epochs in another state than their share says */
};

/* Fills `plan`; SAHM_NOMEM, and nothing to release then. */
enum sahm_status plan_make(struct plan *plan, const struct profile *p, const struct profile_row *row, uint64_t seed,
			   struct sahm_err *err);
void plan_release(struct plan *plan);

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
