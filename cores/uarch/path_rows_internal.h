/* What timing models record for critical paths: the winners of the last uops, in rows of a value per lane, and what the
 * program says about these uops whatever the core. */
#ifndef SAHM_CORES_UARCH_PATH_ROWS_INTERNAL_H
#define SAHM_CORES_UARCH_PATH_ROWS_INTERNAL_H

#include "cores/uarch/critical_path.h"
#include "cores/uarch/timing.h"

/* Uops whose winners are kept: two windows. Misses and redirects are fewer; a window ends early before its own could be
 * overwritten. */
#define PATH_RING (2 * PATH_WINDOW)
#define MISS_RING PATH_WINDOW
#define WINDOW_MISSES (MISS_RING / 4)
#define REDIRECT_RING PATH_WINDOW
#define WINDOW_REDIRECTS (REDIRECT_RING / 4)
_Static_assert(WINDOW_MISSES + BATCH_UOPS + BATCH_PREFETCHES <= MISS_RING, "a window fits");
_Static_assert(WINDOW_REDIRECTS + 3 * BATCH_UOPS <= REDIRECT_RING, "a window fits");

/* ---- Winners ---- */

/* Of D, and of I in in-order cores: the reason of a stall, and more than that. Of E: BOUND_DISPATCH or one with detail.
 */
enum {
	BOUND_STALL = 15,			  /* mask */
	BOUND_ORDER = NR_STALLS,		  /* D before */
	BOUND_DISPATCH = 0,			  /* the uop's own D */
	BOUND_RESULT = STALL_OPERANDS | 4 << 4,	  /* X of the store that a load names */
	BOUND_DRAINED = STALL_OPERANDS | 5 << 4,  /* S + 1 of it */
	BOUND_STORES = STALL_OPERANDS | 6 << 4,	  /* the largest X of all older stores */
	BOUND_ISSUE_ORDER = BOUND_ORDER | 7 << 4, /* I before */
};
_Static_assert((int)NR_STALLS <= BOUND_STALL && STALL_FETCH == 0, "they fit");
#define BOUND_SOURCE(s) (STALL_OPERANDS | ((s) + 1u) << 4)
_Static_assert(MAX_SOURCES == 3, "sources are 1 to 3");

/* The word of a uop. Of F: */
enum { FETCH_AFTER, FETCH_FULL, FETCH_REDIRECT, FETCH_GROUP, FETCH_BUFFER, FETCH_LINE, WHY_FETCH = 7 };
#define WHY_DISPATCH(bound) ((bound) << 3)
#define WHY_ISSUE(bound) ((bound) << 8)
enum {
	WHY_DISPATCH_FULL = 1 << 7,
	WHY_ISSUE_BITS = 127,
	WHY_ISSUE_FULL = 1 << 15, /* the last cycle that it waited for had no issue slot; else, no unit */
	WHY_LINE = 1 << 16,	  /* X: its own line, or the one on its way */
	WHY_FORWARD = 1 << 17,
	WHY_COMMIT_ORDER = 1 << 18,
	WHY_COMMIT_FULL = 1 << 19,
	WHY_DRAIN_ORDER = 1 << 20,
	WHY_DRAIN_LINE = 1 << 21,
	WHY_DRAIN_FULL = 1 << 22,
	LONG_WAIT = 255, /* or more: WHY_WAIT() has no place for it */
};
#define WHY_WAIT(cycles) ((cycles) << 23) /* for a slot or a unit: E less the cycle from which it was searched */

/* Times that are those of the uop or instruction before, at no cost: most edges of a path. */
enum path_hop { HOP_FETCH, HOP_DISPATCH, HOP_COMMIT, NR_PATH_HOPS };

/* Of the start of a transfer. MISS_NOT: this lane has no such miss. */
enum { MISS_NOT, MISS_ACCESS, MISS_MSHR, MISS_BUS };

/* ---- The program ---- */

/* Uops, instructions, misses and redirects have numbers from 0 in program order, of which these are the last 32 bits.
 */
struct path_uop {
	uint64_t pc;
	uint32_t writer[MAX_SOURCES]; /* uop that last wrote the source */
	uint32_t instruction;
	uint32_t group_end;  /* last taken branch before */
	uint32_t fetch_line; /* uop that requested the line that `fetch_fill` names */
	uint32_t line;	     /* miss that `fill` names */
	/* Of older uops; nr_registers: with a destination of the same kind. */
	uint32_t nr_loads, nr_stores, nr_registers, nr_misses, nr_redirects;
	uint8_t class, flags, forward;
	uint8_t nr_before; /* uops of its instruction */
	unsigned fetch_lines : 2, fetch_level : 2, fetch_tlb : 2;
	unsigned fetch_line_level : 2, level : 2, tlb : 2; /* fetch_line_level 0: it was not prefetched */
	unsigned may_be_wrong : 1;			   /* it is predicted wrong in a lane */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct path_uop) == 64, "a line of a cache");

/* A load, store or prefetch that misses L1D, or a prefetch from memory into L2 or LLC. */
struct path_miss {
	uint32_t uop;
	enum path_miss_kind { MISS_DEMAND, MISS_PREFETCH, MISS_BUS_ONLY } kind;
	uint8_t level, row;
	bool releases;
};

/* In the order of the numbers of a uop's redirects. */
enum path_redirect { REDIRECT_BRANCH, REDIRECT_LOAD, REDIRECT_SYSTEM };

struct path_program {
	uint64_t nr;
	uint32_t nr_instructions, nr_loads, nr_stores, nr_int, nr_fp, nr_misses, nr_redirects;
	struct path_uop uops[PATH_RING];
	struct path_miss misses[MISS_RING];
	uint32_t redirects[REDIRECT_RING];    /* their uops */
	uint8_t redirect_kind[REDIRECT_RING]; /* enum path_redirect */
	uint32_t instructions[PATH_RING];     /* their first uops */
	uint32_t loads[PATH_RING], stores[PATH_RING], ints[PATH_RING], fps[PATH_RING];
	/* While uops are taken in. */
	uint32_t writer[256], group_end;
	uint32_t nr_fills, nr_fetch_fills;
	uint32_t fills[MAX_RECENT]; /* misses */
	struct {
		uint32_t uop;
		uint8_t level;
	} fetch_fills[MAX_RECENT];
};

/* The first uop of the instruction of uop `uop`. */
static inline uint32_t path_first(const struct path_program *p, uint32_t uop)
{
	return uop - p->uops[uop % PATH_RING].nr_before;
}

/* Adds the uops of a batch; NULL: no load is predicted. */
void path_program_add(struct path_program *p, const struct uop_batch *batch,
		      const struct load_predictions *predictions);

/* Redirects of a uop that are numbered before `kind`. */
static inline uint32_t path_redirects_before(const struct path_uop *x, unsigned kind)
{
	bool ends = (x->flags & UOP_LAST) && (x->flags & (UOP_SYSTEM | UOP_FENCE));
	bool may_restart = x->class == INSN_LOAD && (x->forward > 0 || x->may_be_wrong);
	return (kind > REDIRECT_BRANCH && (x->flags & UOP_BRANCH) && (x->flags & UOP_MISPREDICTED)) +
	       (uint32_t)(kind > REDIRECT_LOAD && may_restart) + (uint32_t)(kind > REDIRECT_SYSTEM && ends);
}

/* ---- Rows ---- */

/* Times of a lane count from an origin, which moves on. */
struct path_origin {
	uint32_t uop; /* the first one of that origin */
	uint64_t at[16];
};

/* A row holds a value of each lane: 32 bits each, or of a single lane 64. */
struct path_rows {
	const struct path_program *program;
	unsigned nr_lanes;		/* 1: values of 64 bits */
	void *issue, *why;		/* [PATH_RING]: E; winners */
	void *searched;			/* [PATH_RING]: after a LONG_WAIT, the cycle from which its slot was searched */
	void *fill, *fill_why;		/* [MISS_RING]: without an MSHR, the end of its transfer; MISS_... */
	void *redirect;			/* [REDIRECT_RING]: when fetch can go on; 0: it is not redirected */
	uint32_t miss;			/* number of the next miss of the uop that is timed */
	uint32_t (*hops)[NR_PATH_HOPS]; /* [PATH_RING]: a bit for each lane whose time is that before */
	/* [PATH_RING]: a bit for each lane whose path comes by, where the path can hop, and elsewhere */
	uint32_t (*due)[NR_PATH_HOPS + 1];
	unsigned nr_origins;
	struct path_origin *origins; /* [MAX_PATH_ORIGINS] */
};

/* One for each uop that is kept, and that of the uops before. Usually there is one: memory of the others is not
 * touched. */
#define MAX_PATH_ORIGINS (PATH_RING + 1)

/* NULL when memory is short. */
struct path_rows *path_rows_new(const struct path_program *program, unsigned nr_lanes);
void path_rows_free(struct path_rows *r);

/* From uop `uop` on, times of lane i count from at[i]. */
void path_rows_add_origin(struct path_rows *r, uint64_t uop, const uint64_t *at);

static inline void path_begin_uop(struct path_rows *r, uint64_t uop)
{
	r->miss = r->program->uops[uop % PATH_RING].nr_misses;
}

static inline uint64_t path_redirect_number(const struct path_rows *r, uint64_t uop, unsigned kind)
{
	const struct path_uop *x = &r->program->uops[uop % PATH_RING];
	return x->nr_redirects + path_redirects_before(x, kind);
}

/* ---- Walking ---- */

/* The path of a lane, and what is known of it so far. */
struct path_lane {
	const struct core_timing *t;
	uint64_t walked; /* cycles whose path has been walked */
	struct path_counts counts;
	struct path_table *edges;  /* NULL: they are not distinguished */
	struct load_set *critical; /* NULL: nobody asks */
};

/* Walks the paths of lanes[nr], of the rows' first ones, back from the last uop; cycles[i] are those of lane i so far.
 */
void path_walk(struct path_rows *r, struct path_lane *lanes, unsigned nr, const uint64_t *cycles);

/* ---- Edges ---- */

struct path_table;

/* NULL when memory is short. */
struct path_table *path_table_new(void);
void path_table_free(struct path_table *t);
/* Not counted if memory is short or there are MAX_PATH_EDGES, which is noted. */
void path_table_add(struct path_table *t, uint64_t from_pc, uint64_t to_pc, unsigned cause, uint64_t cycles);
/* Sorted; valid until the next one is added. */
struct path_edges path_table_edges(struct path_table *t);

#endif
