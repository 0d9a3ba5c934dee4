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
 * The engine owns the index and keeps it true; nothing here allocates after sahm_index_init().
 */
#ifndef SAHM_SCHED_SAHM_INDEX_H
#define SAHM_SCHED_SAHM_INDEX_H

#include "sched/sched.h"
#include "sim/base/arena.h"
#include "sim/base/bitset.h"

/* Of one length of queue and one phase. */
struct sahm_view {
	uint64_t *sets;	  /* NR_STATES sets of seekers, then a set of releasable heads per class */
	uint16_t seeks;	  /* states with seekers */
	uint16_t matched; /* states that some releasable head's core matches; more, if there are more than 64 classes */
	uint64_t released; /* classes with releasable heads, class modulo 64 */
};

/* Cores that match a state at the same speedup: classes first to first + nr - 1 of sahm_index.offers. */
struct sahm_tier {
	uint32_t first, nr;
};

struct sahm_index {
	const struct chip *chip;
	enum swap_rule rule;
	uint32_t nr_classes;
	uint32_t *class_of;		  /* [nr_cores] */
	const struct core_type **classes; /* [nr_classes] */
	uint32_t *offers;		  /* classes by state, best speedup first */
	struct sahm_tier *tiers[NR_STATES];
	uint32_t nr_tiers[NR_STATES];
	size_t set_words;
	struct sahm_view idle;	 /* idle cores, as if they had releasable heads */
	struct sahm_view *views; /* [nr_views] */
	uint32_t nr_views;
};

/* What a head is shown as. */
enum { SHOWN_SEEKING = 1, SHOWN_RELEASED = 2 };

/* Bytes of one view of a chip. */
size_t sahm_view_bytes(const struct sahm_index *index);

/* Finds the classes of `chip`; afterwards nr_classes and sahm_view_bytes() are known. False when memory is short. */
bool sahm_index_init(struct sahm_index *index, struct arena *a, const struct chip *chip, enum swap_rule rule);

/* Makes `nr` empty views. False when memory is short. */
bool sahm_index_add_views(struct sahm_index *index, struct arena *a, uint32_t nr);

/* What a head with observed state `state` is shown as on a core of type `type`: SHOWN_SEEKING, SHOWN_RELEASED. */
unsigned sahm_index_shows(enum swap_rule rule, const struct core_type *type, unsigned state);

/* Works out view->matched. */
void sahm_view_match(const struct sahm_index *index, struct sahm_view *view);

/* Set of seekers in `state`, and of releasable heads on cores of `class`. */
static inline uint64_t *sahm_view_seekers(const struct sahm_index *index, const struct sahm_view *view, unsigned state)
{
	return view->sets + state * index->set_words;
}

static inline uint64_t *sahm_view_released(const struct sahm_index *index, const struct sahm_view *view, uint32_t class)
{
	return view->sets + (NR_STATES + class) * index->set_words;
}

/* Shows the head of `core`, with observed state `state`, as `shown`: it has no inertia and has not moved. */
static inline void sahm_view_show(const struct sahm_index *index, struct sahm_view *view, uint32_t core, unsigned state,
				  unsigned shown)
{
	if (shown & SHOWN_SEEKING) {
		bitset_add(sahm_view_seekers(index, view, state), core);
		view->seeks |= (uint16_t)(1u << state);
	}
	if (shown & SHOWN_RELEASED) {
		uint32_t class = index->class_of[core];
		uint64_t before = view->released;
		bitset_add(sahm_view_released(index, view, class), core);
		view->released |= UINT64_C(1) << class % 64;
		if (view->released != before)
			sahm_view_match(index, view);
	}
}

/* Takes back what sahm_view_show() has done. With more than 64 classes a bit of view->released stands for several, and
 * once set stays so: it is only ever asked whether there can be anything. */
static inline void sahm_view_hide(const struct sahm_index *index, struct sahm_view *view, uint32_t core, unsigned state,
				  unsigned shown)
{
	if (shown & SHOWN_SEEKING) {
		uint64_t *set = sahm_view_seekers(index, view, state);
		bitset_remove(set, core);
		view->seeks &= (uint16_t) ~((unsigned)bitset_is_empty(set) << state);
	}
	if (shown & SHOWN_RELEASED) {
		uint32_t class = index->class_of[core];
		uint64_t *set = sahm_view_released(index, view, class);
		bitset_remove(set, core);
		if (bitset_is_empty(set) && index->nr_classes <= 64) {
			view->released &= ~(UINT64_C(1) << class);
			sahm_view_match(index, view);
		}
	}
}

void sahm_index_set_idle(struct sahm_index *index, uint32_t core, bool idle);

/* First seeker, at or above core `from`, in a state of `states`, in any of the views; BITSET_END when there is none. */
uint32_t sahm_index_next_seeker(const struct sahm_index *index, struct sahm_view *const *views, unsigned nr_views,
				unsigned states, uint32_t from);

/* A search for cores that match a state, best speedup first, then lowest index. */
struct sahm_search {
	unsigned state;
	uint32_t tier; /* the one that is being gone through */
	uint32_t from; /* core at which to go on */
};

/* The next core with a releasable head in one of the views; BITSET_END at the end. Begin with tier and from 0. */
uint32_t sahm_index_next_released(const struct sahm_index *index, struct sahm_view *const *views, unsigned nr_views,
				  struct sahm_search *search);

#endif
