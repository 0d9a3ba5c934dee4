/* Timing wheel: which threads have something to do in which timestep.
 *
 * A bucket per timestep of the coming WHEEL_BUCKETS; each holds a list of threads, in no particular order. Who is due
 * later is put into the last bucket and, when its turn comes, found not to be due yet. Putting in, taking out and
 * finding the next timestep cost the same whatever the number of threads. Inline: this is the inner loop of the event
 * engine.
 */
#ifndef SAHM_ENGINE_WHEEL_H
#define SAHM_ENGINE_WHEEL_H

#include "sim/base/arena.h"
#include "sim/base/bitset.h"

#define WHEEL_BUCKETS 2048u
#define WHEEL_NOBODY UINT32_MAX

struct wheel_node {
	uint32_t next, prev; /* in its bucket; WHEEL_NOBODY at the ends */
	uint32_t bucket;     /* WHEEL_BUCKETS: in none */
	uint32_t unused;     /* makes the size a power of 2 */
};

struct wheel {
	struct wheel_node *nodes; /* [threads] */
	uint32_t *first;	  /* [WHEEL_BUCKETS] */
	uint64_t *used;		  /* set of buckets that are not empty */
};

static inline bool wheel_init(struct wheel *w, struct arena *a, uint32_t nr_threads)
{
	w->nodes = arena_alloc(a, nr_threads, sizeof(*w->nodes));
	w->first = arena_alloc(a, WHEEL_BUCKETS, sizeof(*w->first));
	w->used = arena_alloc(a, bitset_words(WHEEL_BUCKETS), sizeof(*w->used));
	if (!w->nodes || !w->first || !w->used)
		return false;
	for (uint32_t t = 0; t < nr_threads; t++)
		w->nodes[t].bucket = WHEEL_BUCKETS;
	for (uint32_t b = 0; b < WHEEL_BUCKETS; b++)
		w->first[b] = WHEEL_NOBODY;
	return true;
}

/* Takes thread `t` out, if it is in. */
static inline void wheel_remove(struct wheel *w, uint32_t t)
{
	struct wheel_node *n = &w->nodes[t];
	if (n->bucket == WHEEL_BUCKETS)
		return;
	if (n->next != WHEEL_NOBODY)
		w->nodes[n->next].prev = n->prev;
	if (n->prev != WHEEL_NOBODY) {
		w->nodes[n->prev].next = n->next;
	} else {
		w->first[n->bucket] = n->next;
		if (n->next == WHEEL_NOBODY)
			bitset_remove(w->used, n->bucket);
	}
	n->bucket = WHEEL_BUCKETS;
}

/* Puts thread `t`, which is not in, where timestep `due`, not before `now`, will find it. */
static inline void wheel_add(struct wheel *w, uint32_t t, uint64_t due, uint64_t now)
{
	uint64_t last = now + WHEEL_BUCKETS - 1;
	uint32_t b = (uint32_t)((due < last ? due : last) % WHEEL_BUCKETS);
	struct wheel_node *n = &w->nodes[t];
	*n = (struct wheel_node){.next = w->first[b], .prev = WHEEL_NOBODY, .bucket = b};
	if (n->next != WHEEL_NOBODY)
		w->nodes[n->next].prev = t;
	else
		bitset_add(w->used, b);
	w->first[b] = t;
}

/* The same, for a thread that may be in already. */
static inline void wheel_set(struct wheel *w, uint32_t t, uint64_t due, uint64_t now)
{
	if (w->nodes[t].bucket == WHEEL_BUCKETS)
		wheel_add(w, t, due, now);
}

/* Takes a thread out of the bucket of timestep `now`; WHEEL_NOBODY when it is empty. */
static inline uint32_t wheel_take(struct wheel *w, uint64_t now)
{
	uint32_t b = (uint32_t)(now % WHEEL_BUCKETS), t = w->first[b];
	if (t == WHEEL_NOBODY)
		return t;
	uint32_t next = w->first[b] = w->nodes[t].next;
	if (next != WHEEL_NOBODY)
		w->nodes[next].prev = WHEEL_NOBODY;
	else
		bitset_remove(w->used, b);
	w->nodes[t].bucket = WHEEL_BUCKETS;
	return t;
}

/* The first timestep from `now` on whose bucket is not empty, UINT64_MAX when all are. */
static inline uint64_t wheel_next(const struct wheel *w, uint64_t now)
{
	uint32_t here = (uint32_t)(now % WHEEL_BUCKETS), b = bitset_next(w->used, here);
	if (b == BITSET_END) {
		b = bitset_first(w->used);
		return b == BITSET_END ? UINT64_MAX : now + WHEEL_BUCKETS - here + b;
	}
	return now + b - here;
}

#endif
