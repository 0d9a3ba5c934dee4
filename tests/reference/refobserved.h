/* What signals and slots need of a program besides its stamps: derived from them again, by the rules of cores.md.
 *
 * Goes through the program once in program order with everything in arrays, checks on the way that the stamps are those
 * of the rules, and keeps what each uop waited for, which lines, translations and BTB misses delayed its fetch, whether
 * it forwarded, violated memory order or hit a line on its way, the flushes, and when MSHRs were taken.
 *
 * Readings, where tma.md leaves a question open:
 * - Ideal parts of a core (ideal.h) change the program, as in refcycle.h: a branch that IDEAL_BRANCH makes predicted
 *   does not flush.
 * - What a line or the TLB adds to F is what it adds beyond an L1I hit and a TLB hit, for signals as for slots: a level
 *   with no more cycles than these adds nothing. If a fill on its way is later than all costs, the rest is the line's.
 * - What the BTB adds is by how much F's turn (3.1, step 1) would be earlier if btb_miss_cycles were 0.
 * - A mispredicted branch flushes at its X on an in-order core too, whatever `resolve_cycles` is: tma.md has the flush
 * in X for all cores, and `resolve_cycles` says only when fetch goes on, which F already has.
 * - In-order, the store buffer and serialisation, which bound D, are bounds of I as well. So are the store that
 *   `forward` names (its X, and S + 1 if it does not cover the load), as operands after the sources, and
 *   `same_cycle_memory`. "No free MSHR" never bounds I (cores.md, 4.8).
 * - Of equal bounds, the first in enum refbound counts: the order of 3.2, and in-order that of section 4. Of operands
 *   with the same X the first source; of blocking misses with the same fill the oldest.
 */
#ifndef SAHM_TESTS_REFERENCE_REFOBSERVED_H
#define SAHM_TESTS_REFERENCE_REFOBSERVED_H

#include "tests/reference/refcycle_internal.h"

/* Of D in an out-of-order core, of I in an in-order one. */
enum refbound {
	REFBOUND_ROB,
	REFBOUND_REGISTERS,
	REFBOUND_LOAD_QUEUE,
	REFBOUND_STORE_QUEUE,
	REFBOUND_SERIAL,
	REFBOUND_QUEUE,	  /* out-of-order, where it is full at the largest of the others: ends at D */
	REFBOUND_OPERAND, /* from here on: in-order */
	REFBOUND_BLOCKED, /* by a miss */
	REFBOUND_SLOT,	  /* same_cycle_memory */
	REFBOUND_UNIT,
	NR_REFBOUNDS
};

struct refobserved_uop {
	uint64_t btb, tlb, line;       /* what these add to F, in every uop of the instruction */
	uint64_t bounds[NR_REFBOUNDS]; /* first cycle in which it no longer holds the uop up; 0: it never does */
	size_t operand;		       /* in-order: producer of that bound, if it is a source's; else NONE */
	size_t blocker;		       /* in-order: the access of that bound, or NONE */
	bool forwards, violates;       /* loads */
	bool hits_on_its_way;	       /* a load that waits for a line which another uop requested */
	bool line_on_its_way;	       /* a first uop whose fetch waits for such a line beyond all costs */
	uint64_t fill;		       /* of its own lines, forwarded loads included; UNKNOWN: it fills none */
};

enum refflush { REFFLUSH_MISPREDICTION, REFFLUSH_VIOLATION, REFFLUSH_SYSTEM, REFFLUSH_FENCE };

struct refobserved_flush {
	enum refflush why;
	size_t uop; /* that caused it */
	uint64_t at;
};

/* From `start` through `fill`. */
struct refobserved_miss {
	uint64_t start, fill;
};

struct refobserved {
	const struct core_timing *t;
	struct refcycle_program p; /* uops without what ideal parts remove; links; stamps in p.out */
	bool is_in_order;
	struct refobserved_uop *of; /* [p.nr] */
	struct refobserved_flush *flushes;
	size_t nr_flushes; /* in program order */
	struct refobserved_miss *misses;
	size_t nr_misses;
	uint64_t nr_cycles; /* through the last commit */
};

/* Of uops[nr], whole instructions, with all their prefetches and stamps; t is kept. NULL when memory is short. */
struct refobserved *refobserved_new(const struct core_timing *t, const struct uop *uops, size_t nr,
				    const struct uop_prefetch *prefetches, const struct uop_stamps *stamps);
void refobserved_free(struct refobserved *o);

/* When a uop takes its slot of dispatch: D, in-order I. */
static inline uint64_t refobserved_taken(const struct refobserved *o, size_t i)
{
	return o->is_in_order ? o->p.out[i].issue : o->p.out[i].dispatch;
}

/* V: when the uop is decoded. */
static inline uint64_t refobserved_decoded(const struct refobserved *o, size_t i)
{
	return o->p.out[i].fetch + o->t->decode_cycles;
}

/* B: the largest bound, the queue's left out. */
uint64_t refobserved_bound(const struct refobserved *o, size_t i);

/* Of the bounds that end past cycle c, the one that ends last; NR_REFBOUNDS: there is none. */
enum refbound refobserved_last_bound(const struct refobserved *o, size_t i, uint64_t c);

/* Whether an access missed L1D and waited for its line, which a forwarded load does not. */
bool refobserved_misses(const struct refobserved *o, size_t i);

/* Slots of a cycle: dispatch_width, in-order issue_width. */
unsigned refobserved_width(const struct core_timing *t);

#endif
