/* Signals, a second time: what tma.md and hpm.md say of each cycle, slow and obvious.
 *
 * Whole programs, with a row for each cycle. Each signal is one function that goes through the uops and marks cycles.
 *
 * Readings, where the two leave a question open (more in refobserved.h):
 * - What happens after the last commit is in no cycle: the last stores' fills, say.
 * - The class of an instruction: SYSTEM or FENCE by its uops' flags, that of its branch, else that of its first uop
 *   that is neither a load nor a store. Without one, a load followed by a store to the same address is an ATOMIC (an
 * AMO of RISC-V) that is neither a load nor a store. x86-64's PUSH from memory loads and stores as well, but elsewhere:
 * it is a load and a store, as hpm.md has instructions of x86-64 with accesses. Anything else is what its first uop is;
 *   uops do not tell LR from a load, or SC from a store.
 * - The destination of a LOAD is that of its first uop, otherwise that of the uop of the instruction's class. Its
 *   sources are the registers that its uops read before any of them has written them. Temporaries are neither.
 * - Issue ports have the order of the core's queues. Ports beyond MAX_SIGNAL_LANES are refused.
 * - A forwarded load of level 1 or more is a D$ miss: the event counts levels. In-order it interlocks as one that hits.
 *   What it drives out, it does in its X.
 * - The wrong path takes ports that the program leaves free in the whole run, branches in program order.
 * - In-order, the interlocks and D$ blocked need D <= c; the full store buffer, which delays D, needs only that the uop
 *   is decoded.
 * - The unit of the mul/div and FP interlocks is that of a waiting multiplication or division, or FP uop.
 * - Causes: of branches, flushes, and misses, releases and walks the oldest such instruction. Of other signals of width
 *   ONE it is the next instruction to retire, and after the last one that.
 */
#ifndef SAHM_TESTS_REFERENCE_REFSIGNALS_H
#define SAHM_TESTS_REFERENCE_REFSIGNALS_H

#include <stddef.h>

#include "cores/uarch/core_signals.h"

struct refsignals_options {
	unsigned wrong_path_issue_pct; /* 0: no wrong path */
	bool has_no_multiply_add;      /* the stream has version 1: its multiplications may be multiply-adds */
};

/* In a cycle. Instructions by number; UINT32_MAX: none. */
struct refsignals_row {
	uint64_t lanes[NR_SIGNALS];
	uint32_t of[NR_SIGNALS]; /* of width ONE: as in struct signal_causes */
	uint32_t retired;	 /* the instruction of lane 0; those of the others follow */
	uint32_t next;
};

struct refobserved;

struct refsignals {
	struct refobserved *observed; /* refobserved.h */
	uint64_t nr_cycles;
	struct refsignals_row *rows; /* [nr_cycles] */
	uint64_t nr_wrong_path;	     /* uops of the wrong path that found a port */
	uint64_t mshrs_held;	     /* MSHRs taken, summed over cycles, those after the last commit included */
};

/* Of uops[nr], whole instructions, with all their prefetches and stamps; t is kept. NULL when memory is short. */
struct refsignals *refsignals_new(const struct core_timing *t, const struct uop *uops, size_t nr,
				  const struct uop_prefetch *prefetches, const struct uop_stamps *stamps,
				  const struct refsignals_options *options);
void refsignals_free(struct refsignals *s);

/* What a cause of a row stands for. */
struct signal_cause refsignals_cause(const struct refsignals *s, uint32_t instruction);

/* Lanes that the core's signal has. */
unsigned refsignals_nr_lanes(const struct core_timing *t, enum signal signal);

#endif
