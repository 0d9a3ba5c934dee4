/* A core that is only counted: its first caches and its branch predictor, fed with what a program executes.
 *
 * L1I and L1D are backed by an L2 that both share. Nothing takes time, and nothing is prefetched or executed
 * speculatively: the counts are those of the program's own demands. Instructions are fetched line by line: a line
 * counts when it is another than the one before. An access that touches two lines is two accesses.
 */
#ifndef SAHM_CORES_UARCH_COUNTED_CORE_H
#define SAHM_CORES_UARCH_COUNTED_CORE_H

#include "cores/chip/counters.h"
#include "cores/uarch/cpu.h"

struct counted_core {
	struct cache l1i, l1d, l2;
	struct predictor *predictor;
	uint64_t fetched; /* line that was fetched last */
	/* Of all counters but instructions and cycles, which are the caller's. May be another process's to read, too.
	 */
	struct epoch_counts *counts;
};

/* `counts` stay the caller's. SAHM_NOMEM. The specifications must have no fault. */
enum sahm_status counted_core_init(struct counted_core *c, const struct cpu *cpu, struct epoch_counts *counts,
				   struct sahm_err *err);
void counted_core_release(struct counted_core *c);

/* What missed in L1: the byte at `address`. */
void counted_core_l2(struct counted_core *c, uint64_t address);

/* Instructions from `first` to `last` (addresses of bytes) are fetched. */
static inline void counted_core_fetch(struct counted_core *c, uint64_t first, uint64_t last)
{
	uint64_t line = cache_line(&c->l1i, first), end = cache_line(&c->l1i, last);
	if (line == c->fetched)
		line++;
	for (; line <= end; line++) {
		c->fetched = line;
		if (!cache_access(&c->l1i, line)) {
			c->counts->count[COUNTER_L1I_MISSES]++;
			counted_core_l2(c, line << c->l1i.line_shift);
		}
	}
}

/* The line of data number `line` of L1D is accessed. */
static inline void counted_core_data(struct counted_core *c, uint64_t line)
{
	c->counts->count[COUNTER_L1D_ACCESSES]++;
	if (!cache_access(&c->l1d, line)) {
		c->counts->count[COUNTER_L1D_MISSES]++;
		counted_core_l2(c, line << c->l1d.line_shift);
	}
}

/* A branch was executed: see predictor_branch(). */
static inline void counted_core_branch(struct counted_core *c, enum insn_class class, uint64_t pc, uint64_t behind,
				       bool taken, uint64_t next)
{
	c->counts->count[COUNTER_BRANCHES]++;
	if (!predictor_branch(c->predictor, class, pc, behind, taken, next))
		c->counts->count[COUNTER_BRANCH_MISSES]++;
}

#endif
