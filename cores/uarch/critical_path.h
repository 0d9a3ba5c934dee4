/* The critical path of a timing model: the chain of waits that makes a program take as long as it does.
 *
 * Each time of a uop is the largest of its bounds. The bound that gave it is its winner, of equal ones the last in the
 * order of docs/cores.md. Walking the winners back from the last commit gives one critical path; every cycle of it is
 * charged to a cause. docs/critical-path.md lists the edges, and what they are charged to.
 *
 * A model that records keeps the winners of the last uops, and walks them back at the end of each window: PATH_WINDOW
 * uops, or fewer with very many misses. A window's path has as many cycles as there are from the last commit before the
 * window to its own last commit: the cycles of all causes add up to those of the program. Where a path leads back
 * beyond what is kept, it is cut, and the rest is charged to PATH_CUT.
 */
#ifndef SAHM_CORES_UARCH_CRITICAL_PATH_H
#define SAHM_CORES_UARCH_CRITICAL_PATH_H

#include "cores/uarch/core_timing.h"

#define PATH_WINDOW (UINT32_C(1) << 16)

enum path_cause {
#define PATH_CAUSE(suffix, name, is_front_end, help) PATH_##suffix,
#include "cores/uarch/path_cause_list.h"
#undef PATH_CAUSE
	PATH_QUEUE,				     /* + issue queue: one of its entries */
	PATH_ISSUE = PATH_QUEUE + MAX_ISSUE_QUEUES,  /* + issue queue: an issue slot of it; in-order: of the core */
	PATH_UNITS = PATH_ISSUE + MAX_ISSUE_QUEUES,  /* + unit group: a free unit */
	PATH_LATENCY = PATH_UNITS + MAX_UNIT_GROUPS, /* + class: the latency of an instruction of that class */
	NR_PATH_CAUSES = PATH_LATENCY + NR_INSN_CLASSES
};

#define PATH_CAUSE_NAME_BYTES (CORE_PART_NAME_BYTES + 8u)

/* "rob", "queue-int", "issue-int", "units-alu", "latency-divide": the name of a cause in core `t`. Returns `name`. */
const char *path_cause_name(const struct core_timing *t, unsigned cause, char name[PATH_CAUSE_NAME_BYTES]);

/* Whether the cause can occur in core `t`: it has that queue or group. */
bool path_cause_is_there(const struct core_timing *t, unsigned cause);

/* Whether the cycles are those of getting instructions into the core. */
bool path_cause_is_front_end(unsigned cause);

/* Only counts. The cycles of all causes add up to the cycles of the uops. */
struct path_counts {
	uint64_t cycles[NR_PATH_CAUSES];
	uint64_t windows, cuts; /* walked; of them, cut */
};

/* Cycles of all front-end causes. */
uint64_t path_front_end(const struct path_counts *p);

/* Cycles that the path took from one static instruction to another (or the same), for one cause. */
struct path_edge {
	uint64_t from_pc, to_pc; /* the instruction that is waited for, and the one that waits */
	uint32_t cause;		 /* enum path_cause */
	uint64_t cycles, times;
};

/* Loads, by their number in the order of the timed uops of class LOAD: those from `nr` on are in no set. */
struct load_set {
	uint64_t nr;
	uint64_t *bits; /* [nr / 64, rounded up] */
};

static inline bool load_set_has(const struct load_set *s, uint64_t number)
{
	return number < s->nr && s->bits[number / 64] >> number % 64 & 1;
}

static inline void load_set_add(struct load_set *s, uint64_t number)
{
	if (number < s->nr)
		s->bits[number / 64] |= UINT64_C(1) << number % 64;
}

/* Most edges that are distinguished; fewer if memory is short. Cycles of others are in the counts only. */
#define MAX_PATH_EDGES (UINT32_C(1) << 20)

/* What is recorded. */
enum path_detail { PATH_NOT, PATH_CAUSES, PATH_EDGES };

struct path_edges {
	uint32_t nr;
	bool is_part;		      /* there were others, for which there was no room */
	const struct path_edge *list; /* [nr], most cycles first; of equal ones by from_pc, to_pc, cause */
};

#endif
