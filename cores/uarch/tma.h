/* Top-down analysis of a modelled core: in which classes its slots are.
 *
 * A cycle has as many slots as dispatch is wide (in-order: issue). Classes form a tree of three levels; those of the
 * first sum to all slots. There are formulas that estimate shares from counts (Icicle: paper and released code), and
 * the slots themselves, which the timing models count. Source of all: tma_list.h, and docs/top-down.md.
 */
#ifndef SAHM_CORES_UARCH_TMA_H
#define SAHM_CORES_UARCH_TMA_H

#include "cores/uarch/hpm.h"

enum tma_kind {
#define TMA_KIND(suffix, name, help) TMA_##suffix,
#include "cores/uarch/tma_list.h"
	NR_TMA_KINDS
};

/* Bits of all but exact: those with formulas. */
#define TMA_FORMULA_KINDS ((1u << TMA_EXACT) - 1)

enum tma_class {
#define TMA_CLASS(suffix, parent, level, name, help) TMA_##suffix,
#include "cores/uarch/tma_list.h"
	TMA_UNITS, /* + unit group: its units are taken; children of CORE_BOUND */
	NR_TMA_CLASSES = TMA_UNITS + MAX_UNIT_GROUPS,
	TMA_NONE = NR_TMA_CLASSES /* the parent of the first level */
};

#define NR_TMA_LEVELS 3u

/* The events of formulas that have several sources. */
enum tma_event {
	TMA_UOPS_RETIRED,
	TMA_FENCES_RETIRED,
	TMA_UOPS_ISSUED,
	TMA_FETCH_BUBBLES,
	TMA_DCACHE_BLOCKED,
	NR_TMA_EVENTS
};

/* What the counters of formulas' events read. Sums over lanes are what the counters report of them: less than the
 * lanes' own counts where a counter misses some. */
struct tma_counts {
	uint64_t width;	   /* slots of a cycle, 1 to MAX_WIDTH */
	uint64_t nr_ports; /* of issue, 1 to MAX_SIGNAL_LANES */
	uint64_t commit_width;
	uint64_t cycles, instructions, uops, fences, flushes, mispredictions, recovering, iblocked;
	uint64_t issued, bubbles, dblocked;			/* over all lanes */
	uint64_t issued_of[MAX_SIGNAL_LANES];			/* [nr_ports] */
	uint64_t bubbles_of[MAX_WIDTH], dblocked_of[MAX_WIDTH]; /* [width] */
	uint64_t truth[NR_TMA_EVENTS];				/* what counters that miss none would read */
};

/* What counters of a kind miss of an event in a whole run, or in several. */
struct tma_undercount {
	const char *name, *key; /* "uops issued", "uops_issued": constant storage */
	uint64_t sources, counted, truth;
	uint64_t bound; /* of truth - counted: hpm_kind_bound() */
};

void tma_undercounts_of(const struct tma_counts *c, enum hpm_kind counters, size_t nr_runs,
			struct tma_undercount out[NR_TMA_EVENTS]);

/* Slots by class. Each is counted in one class without children, and only there. */
struct tma_slots {
	uint64_t nr[NR_TMA_CLASSES];
};

/* A window of cycles of a core. */
struct tma_window {
	enum event_family family;
	struct tma_counts counts;
	struct tma_slots slots;
};

/* Parts of all slots, by class; NAN: this kind does not give it. */
struct tma_shares {
	double of[NR_TMA_CLASSES];
};

const char *tma_kind_name(enum tma_kind kind);
const char *tma_kind_help(enum tma_kind kind);

/* Whether cores that have the family's events have such formulas: Rocket has neither approximations nor formulas that
 * run differently, a core of one lane has no second one, and the U74 has no events of issue, fetch bubbles and
 * recovering, which all formulas need. */
bool tma_has_kind(enum event_family family, uint64_t width, enum tma_kind kind);

enum tma_class tma_parent(unsigned class);
unsigned tma_level(unsigned class); /* 1 to NR_TMA_LEVELS */
bool tma_has_children(unsigned class);

/* Whether core `t` has the class: it has that unit group. */
bool tma_class_is_there(const struct core_timing *t, unsigned class);

/* "Resteer", "units-alu", and "BadSpec/BranchMispredicts/Resteer". Both return `name`. */
#define TMA_NAME_BYTES (CORE_PART_NAME_BYTES + 40u)
const char *tma_class_name(const struct core_timing *t, unsigned class, char name[TMA_NAME_BYTES]);
const char *tma_class_path(const struct core_timing *t, unsigned class, char name[TMA_NAME_BYTES]);
const char *tma_class_help(unsigned class);

/* Slots of each class and all its children: totals[NR_TMA_CLASSES]. Returns those of all classes. */
uint64_t tma_slots_total(const struct tma_slots *s, uint64_t *totals);

/* Adds window `w` of the same core. */
void tma_window_add(struct tma_window *sum, const struct tma_window *w);

/* The shares as this kind prints them, of a window that has cycles. The same bits everywhere. */
void tma_evaluate(const struct tma_window *w, enum tma_kind kind, struct tma_shares *out);

/* Rows of formulas, as text. */
struct tma_formula {
	enum event_family family;
	unsigned kinds; /* bits */
	const char *symbol, *expression;
	unsigned class; /* that the symbol is of, or TMA_NONE */
};

struct tma_symbol {
	const char *symbol, *help;
};

extern const struct tma_formula tma_formulas[];
extern const unsigned nr_tma_formulas;
extern const struct tma_symbol tma_symbols[]; /* of counts */
extern const unsigned nr_tma_symbols;

#endif
