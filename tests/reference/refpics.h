/* What a core shows for cycle stacks, a second time: the signals of docs/introspection.md, slow and obvious.
 *
 * Derives the events of each uop again (refstacks.h), enters each in its cycle, and then goes through all cycles one by
 * one and looks in each for what the levels are.
 *
 * Readings, where the rules leave a question open:
 * - Events that share a PC signal are one kind: those of fetch, of accesses and of flushes. Of a kind, a cycle shows
 * all events of one instruction, the oldest.
 * - An event belongs to the uop that causes it: that of fetch to the first uop of its instruction, that of an exception
 *   to the last one. Each uop that loses its events in a cycle counts once.
 * - Every load and store sets the LSQ PC, forwarded loads too. Of several in a cycle the one whose events it shows
 *   counts, else the oldest.
 * - A store waits only for the store queue past the C of the uop before and not before it is decoded.
 * - Events past the last commit are not shown, but are lost all the same where an older one is in the same cycle.
 * - In-order, a mispredicted branch flushes at its X, whatever `resolve_cycles` is, as in refobserved.h.
 */
#ifndef SAHM_TESTS_REFERENCE_REFPICS_H
#define SAHM_TESTS_REFERENCE_REFPICS_H

#include "cores/uarch/pics_signals.h"

struct refpics {
	struct pics_row *cycles; /* [counts.cycles]: `changed` since the cycle before */
	struct pics_counts counts;
};

/* Of uops[nr], whole instructions, with all their prefetches and stamps. NULL when memory is short. */
struct refpics *refpics_new(const struct core_timing *t, const struct uop *uops, size_t nr,
			    const struct uop_prefetch *prefetches, const struct uop_stamps *stamps);
void refpics_free(struct refpics *s);

/* Whether cycle c has a row if all are passed on. */
bool refpics_has_row(const struct refpics *s, uint64_t c);

#endif
