/* Routines that are called by the million: where their host code is, looked up once. */
#ifndef SAHM_IPU_CORE_HOST_ROUTINE_INTERNAL_H
#define SAHM_IPU_CORE_HOST_ROUTINE_INTERNAL_H

#include "ipu/core/hart.h"

/* How host code has been left: the slot, and above it enum exit_reason (translation_internal.h); instructions left. */
struct host_exit {
	uint64_t slot_and_reason;
	int64_t left;
};
#define HOST_RETURNED 0u

/* Enters host code at `code` with `left` instructions; `memory` is where guest address 0 would be, `nr_at_end` what
 * will have retired when nothing is left. */
typedef struct host_exit host_enter(struct hart *h, const void *code, int64_t left, uintptr_t memory,
				    uint64_t nr_at_end);

struct host_routine {
	host_enter *enter;
	const void *code; /* NULL: there is none */
};

/* Finds the host code of the routine at `entry` in a translation of fixed code, where it stays. */
static inline struct host_routine host_routine_find(const struct translation *t, uint32_t entry)
{
	return t->ops->find(t, entry);
}

/* Makes the hart ready to call a routine, as hart_enter() does, but for the PC, which host code does not look at. */
static inline void hart_enter_anywhere(struct hart *h)
{
	hart_set_register(h, HART_RA, HART_RETURN_STUB);
	h->cause = HART_NONE;
	h->loop_left = 0;
}

/* Runs a hart that is at the beginning of the routine, and ready to run; `budget` is from 1 to INT64_MAX. */
static inline enum hart_cause host_routine_run(struct hart *h, struct host_routine r, uint64_t budget)
{
	uint64_t nr_at_end = h->nr_retired + budget;
	struct host_exit exit = r.enter(h, r.code, (int64_t)budget, (uintptr_t)h->data - h->data_base, nr_at_end);
	if (__builtin_expect(exit.slot_and_reason >> 32 != HOST_RETURNED, 0))
		return h->translation->ops->run_on(h, exit, nr_at_end);
	h->pc = HART_RETURN_STUB;
	h->nr_retired = nr_at_end - (uint64_t)exit.left;
	h->cause = HART_RETURNED;
	return HART_RETURNED;
}

#endif
