/* Timing wheel: which threads have something to do in which timestep.
 *
 * A bucket per timestep of the coming WHEEL_BUCKETS; each holds a list of threads, in no particular order. Who is due
 * later is put into the last bucket and, when its turn comes, found not to be due yet. Putting in, taking out and
 * finding the next timestep cost the same whatever the number of threads. Inline: this is the inner loop of the event
 * engine.
 */
#ifndef SAHM_SIM_ENGINE_WHEEL_H
#define SAHM_SIM_ENGINE_WHEEL_H

#include "sim/base/arena.h"
#include "sim/base/bitset.h"
#include "sim/base/units.h"

#define WHEEL_BUCKETS 2048u
#define WHEEL_NOBODY UINT32_MAX

/* A thread's place in the ring of its bucket. Each bucket has a node of its own in its ring, so that a ring is never
 * empty and nothing depends on who else is in it. */
struct wheel_node {
	uint32_t next, prev; /* itself: in no bucket */
};

struct wheel {
	struct wheel_node *nodes; /* [WHEEL_BUCKETS + threads]: buckets first */
	uint64_t *used;		  /* set of buckets that are not empty */
};

static inline bool wheel_init(struct wheel *w, struct arena *a, uint32_t nr_threads)
{
	w->nodes = arena_alloc(a, (size_t)WHEEL_BUCKETS + nr_threads, sizeof(*w->nodes));
	w->used = arena_alloc(a, bitset_words(WHEEL_BUCKETS), sizeof(*w->used));
	if (!w->nodes || !w->used)
		return false;
	for (uint32_t i = 0; i < WHEEL_BUCKETS + nr_threads; i++)
		w->nodes[i] = (struct wheel_node){i, i};
	return true;
}

static inline bool wheel_has(const struct wheel *w, uint32_t t)
{
	return w->nodes[WHEEL_BUCKETS + t].next != WHEEL_BUCKETS + t;
}

/* Takes thread `t`, which is in, out. */
static inline void wheel_unlink(struct wheel *w, uint32_t t)
{
	uint32_t i = WHEEL_BUCKETS + t, next = w->nodes[i].next, prev = w->nodes[i].prev;
	w->nodes[next].prev = prev;
	w->nodes[prev].next = next;
	w->nodes[i] = (struct wheel_node){i, i};
	/* If it is the only one in the ring, next is the bucket; otherwise any bucket, here the first, is set as it is.
	 */
	uint32_t bucket = next == prev && next < WHEEL_BUCKETS ? next : 0;
	bitset_remove_if(w->used, bucket, w->nodes[bucket].next == bucket);
}

/* Takes thread `t` out, if it is in. */
static inline void wheel_remove(struct wheel *w, uint32_t t)
{
	if (wheel_has(w, t))
		wheel_unlink(w, t);
}

/* Puts thread `t`, which is not in, where timestep `due`, not before `now`, will find it. */
static inline void wheel_add(struct wheel *w, uint32_t t, uint64_t due, uint64_t now)
{
	uint64_t last = now + WHEEL_BUCKETS - 1;
	uint32_t bucket = (uint32_t)((due < last ? due : last) % WHEEL_BUCKETS), i = WHEEL_BUCKETS + t;
	uint32_t next = w->nodes[bucket].next;
	w->nodes[i] = (struct wheel_node){.next = next, .prev = bucket};
	w->nodes[next].prev = i;
	w->nodes[bucket].next = i;
	bitset_add(w->used, bucket);
}

/* The same, for a thread that may be in already, for the same timestep. */
static inline void wheel_ensure(struct wheel *w, uint32_t t, uint64_t due, uint64_t now)
{
	if (!wheel_has(w, t))
		wheel_add(w, t, due, now);
}

/* Takes a thread out of the bucket of timestep `now`; WHEEL_NOBODY when it is empty. */
static inline uint32_t wheel_take(struct wheel *w, uint64_t now)
{
	uint32_t bucket = (uint32_t)(now % WHEEL_BUCKETS), i = w->nodes[bucket].next;
	if (i == bucket)
		return WHEEL_NOBODY;
	uint32_t next = w->nodes[bucket].next = w->nodes[i].next;
	w->nodes[next].prev = bucket;
	w->nodes[i] = (struct wheel_node){i, i};
	bitset_remove_if(w->used, bucket, next == bucket);
	return i - WHEEL_BUCKETS;
}

/* The first timestep from `now` on whose bucket is not empty, NEVER when all are. */
static inline uint64_t wheel_next(const struct wheel *w, uint64_t now)
{
	uint32_t here = (uint32_t)(now % WHEEL_BUCKETS), b = bitset_next(w->used, here);
	if (b == BITSET_END) {
		b = bitset_first(w->used);
		return b == BITSET_END ? NEVER : now + WHEEL_BUCKETS - here + b;
	}
	return now + b - here;
}

#endif
