/* Timing models: cycles of an out-of-order or an in-order core for uops that a functional pass has annotated.
 *
 * One forward pass in program order. Each time of a uop is the maximum of its bounds, in whole cycles from 0; nothing
 * is ever revised, and memory does not grow with the length of the stream. docs/cores.md gives the rules, and what is
 * exact and what is a choice. A model never looks into a cache: uops carry what the functional pass found there.
 */
#ifndef SAHM_CORES_UARCH_TIMING_H
#define SAHM_CORES_UARCH_TIMING_H

#include "cores/uarch/core_timing.h"

/* Why no uop is dispatched in a cycle, in the order of the rules: the bound on the next uop's dispatch that ends last,
 * of equal ones the later. Issue queues and units are asked last, and hold a uop up only if they are full once all
 * other bounds have ended. In-order cores dispatch a uop when it issues. */
enum stall {
#define STALL(suffix, name, help) STALL_##suffix,
#include "cores/uarch/stall_list.h"
#undef STALL
	NR_STALLS
};

/* "fetch", "rob": constant storage. */
const char *stall_name(enum stall stall);

struct timing_result {
	uint64_t uops, instructions,
		cycles; /* cycles: up to the last commit, and one more; those of an epoch are the difference of two */
	uint64_t stalls[NR_STALLS]; /* cycles in which nothing was dispatched, by reason */
	uint64_t busy_cycles;	    /* cycles in which a uop was: with the stalls, all cycles */
	/* Sums over cycles of the entries held. */
	uint64_t rob_held, queue_held[MAX_ISSUE_QUEUES], load_queue_held, store_queue_held, mshrs_held;
	uint64_t violations; /* of memory order */
};

/* What is known of a uop besides its stamps. */
struct uop_note {
	/* The largest bound on D (in-order: on I) besides the front end, the uop before, the issue queue and the width.
	 * 0: there is none. */
	uint64_t held;
	uint64_t begin, fill; /* its access takes an MSHR from cycle `begin` to `fill`, both included; fill 0: none */
	/* Cycles that were added to F: by a BTB miss before; beyond hits by the translation and then by the line. */
	uint16_t btb, tlb, line;
	uint8_t held_by;     /* enum stall, the first in its order of equal ones; QUEUE, in-order: same_cycle_memory */
	bool waits_in_queue; /* out-of-order: its issue queue was full when all other bounds had ended */
	bool forwards, violates;
};

struct prefetch_note {
	uint64_t begin, fill; /* as those of an access */
};

/* Of a batch. */
struct timing_notes {
	struct uop_note uops[BATCH_UOPS];
	struct prefetch_note prefetches[BATCH_PREFETCHES]; /* into L1D, in the order of the uops */
	uint32_t nr_prefetches;
};

/* Loads of a batch whose results are predicted: bit i is that of core i, and is in one of both at most. Only loads that
 * write a register count. */
struct load_predictions {
	uint32_t right[BATCH_UOPS]; /* nothing waits for the load */
	uint32_t wrong[BATCH_UOPS]; /* fetch is redirected after it, as after a violation of memory order */
};

struct timing;

/* NULL when memory is short. `t` must be within its bounds (core_model.h reads it so); it is copied. */
struct timing *timing_new(const struct core_timing *t);
void timing_free(struct timing *m);

struct path_rows;

/* From the first batch on, winners are recorded in `path` (path_rows_internal.h), whose program has the uops of a batch
 * before it is timed. */
void timing_record(struct timing *m, struct path_rows *path);

/* From the next batch on, each batch leaves its notes in `notes`; NULL: none. Not of a model that records. */
void timing_take_notes(struct timing *m, struct timing_notes *notes);

struct slot_pass;

/* From the first batch on, `slots` (slots.h) gets the uops. Not of a model that records. */
void timing_take_slots(struct timing *m, struct slot_pass *slots);

/* From the next batch on, the events of each uop of a batch (stack_signature.h) go to signatures[BATCH_UOPS]. Only of a
 * model that does nothing else of these. */
void timing_take_signatures(struct timing *m, uint16_t *signatures);

/* From the next batch on, `p` says what is predicted in each batch; this is core `core` there. NULL: nothing is. Not of
 * a model whose slots are taken. */
void timing_take_predictions(struct timing *m, const struct load_predictions *p, unsigned core);

/* Times the uops of a batch, which continues where the batch before it ended. The stamps go to stamps[batch->nr],
 * unless that is NULL. A fill or store that was not timed must not be named (functional_pass_gap()). */
void timing_batch(struct timing *m, const struct uop_batch *batch, struct uop_stamps *stamps);

/* The result so far. */
void timing_result(const struct timing *m, struct timing_result *out);

#endif
