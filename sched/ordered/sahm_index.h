/* Index of what a pass of the SAHM policies can do, so that a pass need not walk over all cores.
 *
 * A pass does nothing for a thread that has inertia, has moved, is not observed yet or matches its core. The other
 * heads *seek* another core (steps 3 to 5 of sahm_pass.h); heads that the swap rule releases can be swapped away. The
 * index holds, as sets of cores, the seekers by observed state and the releasable heads by class of core (cores of the
 * same speedups and sets are one class), and the idle cores by class.
 *
 * A core with a queue of n threads has another head in each of n timesteps. A *view* is what is the case in the
 * timesteps p, p + n, p + 2n, ... for the cores with queues of that length; at any timestep there is one view for each
 * length that occurs. The caller says which view a head belongs to.
 * The engine owns the index and keeps it true; nothing here allocates after sahm_index_add_views().
 */
#ifndef SAHM_SCHED_ORDERED_SAHM_INDEX_H
#define SAHM_SCHED_ORDERED_SAHM_INDEX_H

#include "sched/host/ext.h"
#include "sched/ordered/sched.h"
#include "sim/base/arena.h"
#include "sim/base/bitset.h"

/* Of one length of queue and one phase. */
struct sahm_view {
	uint64_t *sets; /* NR_STATES sets of seekers, then a set of releasable heads per class */
	uint16_t seeks; /* states with seekers */
	/* Classes with releasable heads, class modulo 64. With more than 64 classes a bit stands for several, and once
	 * set stays so: it is only ever asked whether there can be anything. */
	uint64_t released;
};

/* Cores that match a state at the same speedup: classes first to first + nr - 1 of sahm_index.offers. */
struct sahm_tier {
	uint32_t first, nr;
};

struct sahm_index {
	const struct chip *chip;
	uint32_t nr_classes;
	uint32_t *class_of;		  /* [nr_cores] */
	const struct core_type **classes; /* [nr_classes] */
	uint32_t *offers;		  /* classes by state, best speedup first */
	struct sahm_tier *tiers[NR_STATES];
	uint32_t nr_tiers[NR_STATES];
	size_t set_words;
	bool is_exact; /* no two classes share a bit of view->released */
	uint32_t nr_tables;
	uint16_t (*matched_by)[256]; /* states that the classes of byte i of view->released match */
	struct sahm_view idle;	     /* idle cores, as if they had releasable heads */
	struct sahm_view *views;     /* [nr_views] */
	uint32_t nr_views;
};

/* How a head is shown. */
enum { SHOWN_SEEKING = 1, SHOWN_RELEASED = 2 };

/* Bytes of one view of a chip. */
size_t sahm_view_bytes(const struct sahm_index *index);

/* Finds the classes of `chip`; afterwards nr_classes and sahm_view_bytes() are known. False when memory is short. */
bool sahm_index_init(struct sahm_index *index, struct arena *a, const struct chip *chip);

/* Makes `nr` empty views. False when memory is short. */
bool sahm_index_add_views(struct sahm_index *index, struct arena *a, uint32_t nr);

/* How a head with observed state `state` is shown on a core of type `type`: SHOWN_SEEKING, SHOWN_RELEASED. */
unsigned sahm_index_shows(enum swap_rule rule, const struct core_type *type, unsigned state);

/* Set of seekers in `state`, and of releasable heads on cores of `class`. */
static inline uint64_t *sahm_view_seekers(const struct sahm_index *index, const struct sahm_view *view, unsigned state)
{
	return view->sets + state * index->set_words;
}

static inline uint64_t *sahm_view_released(const struct sahm_index *index, const struct sahm_view *view, uint32_t class)
{
	return view->sets + (NR_STATES + class) * index->set_words;
}

/* Shows the head of `core`, of class `class`, with observed state `state` as `shown`, which may be 0: it has no inertia
 * and has not moved. */
static inline void sahm_view_show(const struct sahm_index *index, struct sahm_view *view, uint32_t core, uint32_t class,
				  unsigned state, unsigned shown)
{
	uint64_t seeks = shown & SHOWN_SEEKING, releases = shown / SHOWN_RELEASED;
	bitset_add_if(sahm_view_seekers(index, view, state), core, seeks);
	bitset_add_if(sahm_view_released(index, view, class), core, releases);
	view->seeks |= (uint16_t)(seeks << state);
	view->released |= releases << class % 64;
}

/* Takes back what sahm_view_show() has done. */
static inline void sahm_view_hide(const struct sahm_index *index, struct sahm_view *view, uint32_t core, uint32_t class,
				  unsigned state, unsigned shown)
{
	uint64_t seeks = shown & SHOWN_SEEKING, releases = shown / SHOWN_RELEASED;
	uint64_t *seekers = sahm_view_seekers(index, view, state), *released = sahm_view_released(index, view, class);
	bitset_remove_if(seekers, core, seeks);
	bitset_remove_if(released, core, releases);
	view->seeks &= (uint16_t) ~((unsigned)bitset_is_empty(seekers) << state);
	view->released &= ~((uint64_t)(bitset_is_empty(released) && index->is_exact) << class % 64);
}

/* States that the classes of `released` match, as in struct sahm_view; with more than 64 classes all, if there is any.
 */
static inline unsigned sahm_index_matched(const struct sahm_index *index, uint64_t released)
{
	unsigned matched = index->matched_by[0][released & 255];
	for (uint32_t i = 1; i < index->nr_tables; i++)
		matched |= index->matched_by[i][released >> 8 * i & 255];
	return matched;
}

/* Notes that `core` has no threads, or has some again. */
void sahm_index_set_idle(struct sahm_index *index, uint32_t core, bool idle);

/* First seeker, at or above core `from`, in a state of `states`, in any of the views; BITSET_END when there is none. */
uint32_t sahm_index_next_seeker(const struct sahm_index *index, struct sahm_view *const *views, unsigned nr_views,
				unsigned states, uint32_t from);

#endif
