/* A distributed counter as registers and wires, cycle by cycle and source by source: what the hardware of paper 000,
 * section IV-B, does at a clock edge.
 *
 * The reference for distributed_counter.c in cores/uarch, which it shares nothing with.
 */
#ifndef SAHM_TESTS_REFERENCE_REFDISTRIBUTED_H
#define SAHM_TESTS_REFERENCE_REFDISTRIBUTED_H

#include <stdbool.h>
#include <stdint.h>

struct refdistributed {
	unsigned nr_sources, width; /* width: of local counters, in bits */
	bool select[64];	    /* one-hot */
	bool overflow[64];
	bool local[64][8]; /* bits of the local counters, the lowest first */
	uint64_t global;
};

/* The first cycle looks at source `phase`. */
void refdistributed_init(struct refdistributed *r, unsigned nr_sources, unsigned phase);

/* A cycle in which event[j] says whether source j has one. */
void refdistributed_clock(struct refdistributed *r, const bool *event);

/* Cycles without events until all sources were looked at. */
void refdistributed_stop(struct refdistributed *r);

/* What software makes of the global counter. */
uint64_t refdistributed_value(const struct refdistributed *r);

#endif
