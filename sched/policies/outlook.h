/* What a thread will do next, from what it has done: the part of the policy `keen` that learns.
 *
 * Only what a scheduler sees goes in: a thread's observed states, one after the other, and how much progress it made in
 * each. A stay is the time between two changes. From stays that are over follow
 *   - how likely a stay is to go on, by how long it has lasted: in looks 1, 2, 3-4, 5-8, 9-16, 17-32 and more, of the
 *     thread in that state, eked out by those of the thread in any state, and these by those of all threads of its
 *     tenant;
 *   - which state comes after which, eked out by how often the thread enters each;
 *   - how the time after entering a state is divided among states: `ahead`, learnt by temporal differences (P. Dayan,
 *     "Improving generalization for temporal difference learning: the successor representation", 1993).
 * A program that repeats itself is foreseen stay by stay: a table says what followed the last PATTERN_STAYS stays when
 * they were last seen, how long the stay was and which state came then (as run-length Markov predictors do: T.
 * Sherwood, S. Sair, B. Calder, "Phase tracking and prediction", ISCA 2003). It is believed as long as it has been
 * right of late. Where it says nothing, the counts above speak. A trace that repeats is such a program.
 *
 * A look is the length of the most frequent stay: programs change at the ends of epochs, which are not announced, and
 * stays of one epoch are the most frequent. The distant future counts less: time is weighed by 2^-(time / half-life),
 * and an outlook is the share that each state has in all time to come. There are NR_HORIZONS of them, with different
 * half-lives. A stay that lasts longer than any before will go on: the time that it has lasted counts as time in which
 * no stay ended.
 *
 * Shares and chances are fixed point, OUTLOOK_ONE for 1. Memory per thread is bounded, and what is long ago is
 * forgotten: counts are halved when they become large.
 */
#ifndef SAHM_SCHED_POLICIES_OUTLOOK_H
#define SAHM_SCHED_POLICIES_OUTLOOK_H

#include "sched/host/ext.h"

#define OUTLOOK_BITS 20
#define OUTLOOK_ONE (1u << OUTLOOK_BITS)
#define NR_STAY_AGES 7
#define NR_HORIZONS 2
/* Each horizon reaches so much further than the one before. */
#define HORIZON_STEP 4

/* Of stays that reached an age, in units of a look: looks spent at that age, and stays that ended there. */
struct outlook_ages {
	uint16_t spent[NR_STAY_AGES], ended[NR_STAY_AGES];
};

#define NR_STAY_LENGTHS 256

/* What the threads of a tenant have in common. Times are in any unit, the same for all. */
struct outlook_common {
	u64 half_life[NR_HORIZONS];
	u64 look;		      /* length of the most frequent stay */
	u32 look_decay[NR_HORIZONS];  /* what is left of the weight of time a look later */
	u32 lengths[NR_STAY_LENGTHS]; /* stays by length, eight steps to each doubling */
	u64 lengths_sum[NR_STAY_LENGTHS];
	u32 spent[NR_STAY_AGES], ended[NR_STAY_AGES];
};

/* A table that is too small forgets, before a program repeats itself, what it did: several thousand stays have room.
 * After fewer stays than these, what comes next is often not clear: programs with few states do much that looks alike.
 */
#define NR_PATTERNS 4096
#define PATTERN_STAYS 6
#define MOST_PATTERN_LOOKS 4095u

/* The successor of a sequence of stays when it was last seen; in four bytes, for there are many. */
struct outlook_pattern {
	uint16_t tag;	     /* of the sequence; 0: none */
	uint16_t looks : 12; /* so long was the stay, MOST_PATTERN_LOOKS at most */
	uint16_t next : 4;   /* and then came that state */
};
_Static_assert(NR_STATES <= 16, "a state fits");

/* What is remembered of a thread. */
struct outlook_thread {
	struct outlook_pattern patterns[NR_PATTERNS];
	u8 last[PATTERN_STAYS]; /* the last stays, as tokens */
	u8 trust;		/* in patterns: how often they were right of late */
	u8 next;		/* the state that the pattern of the present stay says */
	uint16_t looks;		/* and its length; 0: nothing is known, or trusted */
	u32 key;		/* of that pattern */
	struct outlook_ages any, in[NR_STATES];
	uint16_t follows[NR_STATES][NR_STATES]; /* [state][next] */
	uint16_t nr_left[NR_STATES];		/* stays in it that are over */
	uint16_t entered[NR_STATES];
	u32 lived[NR_STATES];			      /* share of its past in each state, in OUTLOOK_ONE */
	u32 ahead[NR_HORIZONS][NR_STATES][NR_STATES]; /* [horizon][entered][share of], in OUTLOOK_ONE */
};

/* `half_life`, of the shortest horizon, at least 1; until stays say otherwise a look is `look` long. */
void outlook_init(struct outlook_common *common, u64 half_life, u64 look);

/* A stay of the thread in `state` is over after `stay` of progress; then comes `next`, another state. */
void outlook_learn(struct outlook_common *common, struct outlook_thread *th, u32 state, u32 next, u64 stay);

/* Share that the rest of a stay in `state` has in all time to come under each horizon, after `nr_looks` whole looks. */
void outlook_stay(const struct outlook_common *common, const struct outlook_thread *th, u32 state, u32 nr_looks,
		  u32 share[NR_HORIZONS]);

/* How what comes after a stay in `state` is divided, under each horizon; where nothing is known, it goes on. */
void outlook_after(const struct outlook_common *common, const struct outlook_thread *th, u32 state,
		   u32 share[NR_HORIZONS][NR_STATES]);

#endif
