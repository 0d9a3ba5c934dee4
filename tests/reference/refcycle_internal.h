/* What the two ways of refcycle.h share: the program with its links, and the few rules in which no uop waits. */
#ifndef SAHM_TESTS_REFERENCE_REFCYCLE_INTERNAL_H
#define SAHM_TESTS_REFERENCE_REFCYCLE_INTERNAL_H

#include "tests/reference/refcycle.h"

/* A uop or ring entry: there is none, or it is older than the program and therefore complete. */
#define NONE SIZE_MAX

/* A time: not known yet. Later than every cycle. */
#define UNKNOWN UINT64_MAX

/* What the program says of a uop, whatever the core. */
struct refcycle_link {
	size_t instruction;
	size_t writer[MAX_SOURCES];  /* uop that last wrote the source */
	size_t store;		     /* uop that `forward` names */
	size_t nr_stores;	     /* older stores */
	size_t l1i, l1d;	     /* first entry that it adds to the ring: demand fills, then prefetches */
	size_t l1i_named, l1d_named; /* entry that `fetch_fill` or `fill` names */
	size_t prefetch;	     /* its first one */
	bool is_right, is_wrong;     /* how its value is predicted */
};

struct refcycle_program {
	const struct core_timing *t;
	struct uop *uops; /* without what ideal parts of the core remove */
	struct uop_prefetch *prefetches;
	size_t nr, nr_instructions, nr_stores;
	struct refcycle_link *links; /* [nr] */
	size_t *first;		     /* first uop of each instruction, and `nr` after the last one */
	size_t *stores;		     /* uops, in order */
	uint64_t *l1i, *l1d;	     /* rings of fills, of all entries that are ever added; UNKNOWN until requested */
	size_t nr_l1i, nr_l1d;
	struct uop_stamps *out;	   /* [nr]; UNKNOWN until it happens */
	struct refcycle_held held; /* of MSHRs, until all times are known */
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline bool is_load(const struct uop *u)
{
	return u->class == INSN_LOAD;
}

static inline bool is_store(const struct uop *u)
{
	return u->class == INSN_STORE;
}

/* Rule 3.8.3. */
static inline bool is_serializing(const struct core_timing *t, const struct uop *u)
{
	return u->flags & UOP_SYSTEM || (u->flags & UOP_FENCE && t->fence_flushes);
}

/* From the request to the fill: rule 3.5.8 without waiting. */
static inline uint64_t line_latency(const struct core_timing *t, unsigned level, unsigned row)
{
	return t->data_cycles[level] + (uint64_t)(level == LEVEL_MEMORY ? t->row_cycles[row] : 0);
}

/* Entries that the uop's demand fills add to the ring of L1D. */
static inline size_t nr_demand_fills(const struct uop *u)
{
	return u->level == LEVEL_L1 ? 0 : u->fills;
}

/* Copies and links uops[nr], whole instructions, and their prefetches; p->out is NULL. predictions: NULL, or as
 * refcycle_run_predicted() has them. False when memory is short. Close it in either case. */
bool refcycle_open(struct refcycle_program *p, const struct core_timing *t, const struct uop *uops, size_t nr,
		   const struct uop_prefetch *prefetches, const uint8_t *predictions);
void refcycle_close(struct refcycle_program *p);

/* Forgets all times, and what MSHRs held. */
void refcycle_reset(struct refcycle_program *p);

/* Rules 3.1.3, 3.1.4 and 3.5.13: fetches instruction k, whose turn comes at `start`. */
void refcycle_fetch(struct refcycle_program *p, size_t k, uint64_t start, struct refcycle_seen *seen);

/* Rule 3.1.1, first three bounds: the earliest turn of the instruction after k, but for redirects and the buffer. */
uint64_t refcycle_next_fetch(const struct refcycle_program *p, size_t k);

/* Enters the fill of uop i's own lines in the ring of L1D. */
void refcycle_enter_fill(struct refcycle_program *p, size_t i, uint64_t fill);

/* Steps an out-of-order core. *exact: these are the times of section 3; else misses wait for MSHRs. False when memory
 * is short. */
bool refcycle_step(struct refcycle_program *p, struct refcycle_seen *seen, bool *exact);

/* Computes any core in program order. False when memory is short. */
bool refcycle_order(struct refcycle_program *p, struct refcycle_seen *seen);

#endif
