/* Transportation problem: threads to classes of cores, so that the sum of values is largest.
 *
 * Each active thread takes one seat of a class, a class has as many as its capacity, and a thread may also get nothing,
 * which is worth 0. A value says what a thread is worth in a class; TRANSPORT_FORBIDDEN keeps it out. The assignment is
 * always one of the largest total value, and among those one that leaves as many threads as possible in their homes:
 * a tie moves nobody.
 *
 * It is kept up to date: when the values of a thread change, the assignment and the prices of the classes' seats from
 * before are where the search begins. The thread gives up its seat and looks for the cheapest way to it: into
 * some class, out of which another thread goes into a third, and so on, until one takes the seat that is free. Seats
 * that nobody has are held by as many idle "threads" that are worth 0 everywhere, so that there is always exactly one
 * free seat. Ways lead over classes, not over threads: from each class to each other leads the thread with the smallest
 * loss. That is the Hungarian method with the columns of a class taken together (successive shortest augmenting paths
 * with potentials; R. Ahuja, T. Magnanti, J. Orlin, "Network Flows", section 9.7, and, for changes of single rows, G.
 * Mills-Tettey, A. Stentz, M. Dias, CMU-RI-TR-07-27).
 *
 * A change takes O(k^2 + s k) steps for k classes with s threads in those that the search comes through (n k at most,
 * for n active threads): a fraction of a microsecond for 39 threads and 5 classes, some ten microseconds for 4,096
 * threads and 5 classes, tens of milliseconds for 4,096 threads and as many classes. A problem is solved from nothing
 * by n changes. Memory is the arena's: O(n k) for values, all taken in the beginning; of what transport_new_for() takes
 * only that is touched which the classes that there are need. Results depend only on the sequence of calls.
 */
#ifndef SAHM_SCHED_POLICIES_TRANSPORT_H
#define SAHM_SCHED_POLICIES_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"

#define TRANSPORT_FORBIDDEN INT64_MIN
#define TRANSPORT_NOWHERE UINT32_MAX

struct transport;

/* A problem with threads 0 to nr_threads - 1, none of them active, of which at most `max_active` will be at a time, and
 * nr_classes classes (at least 1) of capacity[k] seats. It lives as long as the arena; NULL when memory is short. */
struct transport *transport_new(struct arena *a, uint32_t nr_threads, uint32_t max_active, uint32_t nr_classes,
				const uint32_t *capacity);

/* The same for whatever classes may come, at most `max_classes`, each of at least one seat and all of at most
 * `nr_seats`: there are none before transport_restart(). */
struct transport *transport_new_for(struct arena *a, uint32_t nr_threads, uint32_t max_active, uint32_t max_classes,
				    uint32_t nr_seats);

/* Restarts with other classes, at least 1, for which there must be room; no thread is active then. part[nr_classes]
 * says to which part of the problem a class belongs (NULL: there is one): threads that may be in classes of one part
 * only are assigned as if there were no others, ties included. Allocates nothing. */
void transport_restart(struct transport *tp, uint32_t nr_classes, const uint32_t *capacity, const uint32_t *part);

/* Values lie between minus and plus so much: with few threads and classes 2^48 and more, with MAX_CORES of both 2^34.
 */
int64_t transport_max_value(const struct transport *tp);

/* Gives thread `t`, active from now on, the values values[nr_classes], which are copied, and its home, a class or
 * TRANSPORT_NOWHERE; and brings the assignment up to date. */
void transport_set(struct transport *tp, uint32_t t, const int64_t *values, uint32_t home);

/* Makes thread `t` inactive, if it is active. */
void transport_drop(struct transport *tp, uint32_t t);

bool transport_is_active(const struct transport *tp, uint32_t t);

/* How many active threads have another class than their home. */
uint32_t transport_nr_away(const struct transport *tp);

/* The class of thread `t`; TRANSPORT_NOWHERE: it gets nothing, or is not active. */
uint32_t transport_class(const struct transport *tp, uint32_t t);

/* What a seat of `class` costs, rounded to the nearest unit of values: how much more the best assignment were worth
 * if there were one more, or a bound on that; never below 0. For free seats 0. */
int64_t transport_price(const struct transport *tp, uint32_t class);

/* Sum of the values of the assignment. */
int64_t transport_total(const struct transport *tp);

#endif
