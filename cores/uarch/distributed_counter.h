/* Distributed counters (paper 000, section IV-B): one event of several sources is counted without adding up wires.
 *
 * Each of S sources has a local counter of N bits, 2^N >= S, and one global counter looks at one source a cycle, in
 * turn. A local counter that wraps sets its source's pending bit; the turn clears it and adds 1 to the global counter,
 * which therefore stands for 2^N events. With one source N is 0, and each event sets the pending bit. No pending bit is
 * lost, since a source wraps at most every 2^N cycles and has its turn every S.
 */
#ifndef SAHM_CORES_UARCH_DISTRIBUTED_COUNTER_H
#define SAHM_CORES_UARCH_DISTRIBUTED_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_DISTRIBUTED_SOURCES 64u

/* Everything but the global counter, which is the caller's, who adds to it what the functions return. */
struct distributed_counter {
	uint64_t pending; /* bit j: of source j */
	uint8_t nr_sources, local_bits, turn;
	uint8_t local[MAX_DISTRIBUTED_SOURCES];
};

/* 1 to MAX_DISTRIBUTED_SOURCES sources; nothing is counted, and the turn is source 0's. */
void distributed_counter_init(struct distributed_counter *d, unsigned nr_sources);

/* `nr` cycles, in each of which the sources of `high` have an event. The time that it takes depends only on the number
 * of sources. */
uint64_t distributed_counter_run(struct distributed_counter *d, uint64_t high, uint64_t nr);

/* More events of the last cycle, of other sources. */
void distributed_counter_add(struct distributed_counter *d, uint64_t high);

/* The S cycles without events in which the turn collects what is pending, after the counter was stopped. */
uint64_t distributed_counter_drain(struct distributed_counter *d);

/* The most events of `nr_sources` that it can have missed: while it runs, or once it is drained. */
uint64_t distributed_counter_bound(unsigned nr_sources, bool is_drained);

#endif
