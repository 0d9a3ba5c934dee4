/* How a timing model passes its uops to a slot pass: first the slots that stay empty before one, then what later uops
 * may wait for. Nearly all of them need only what is here. */
#ifndef SAHM_CORES_UARCH_SLOTS_INTERNAL_H
#define SAHM_CORES_UARCH_SLOTS_INTERNAL_H

#include <stddef.h>
#include <string.h>

#include "cores/uarch/slots.h"

#define NO_SLOT 0xffu

/* Flags of uops that may flush. */
#define UOP_FLUSHES (UOP_MISPREDICTED | UOP_SYSTEM | UOP_FENCE)

/* An access that others wait for: the slot of its miss once it has issued, or NO_SLOT. */
struct access {
	uint64_t issue, result;
	uint8_t slot;
};

/* A uop that may still be in the core. */
struct waiting {
	uint64_t ready, issue, complete, commit; /* in the order of struct uop_stamps */
	uint16_t source[MAX_SOURCES];		 /* out-of-order: the low bits of the numbers of their last writers */
	uint8_t slot, class;
};
_Static_assert(offsetof(struct uop_stamps, commit) - offsetof(struct uop_stamps, ready) ==
		       offsetof(struct waiting, commit),
	       "they are copied at once");

enum flush { FLUSH_NONE, FLUSH_BRANCH, FLUSH_CLEAR };

struct slot_pass {
	struct core_timing t;
	unsigned width, longest[MAX_UNIT_GROUPS]; /* cycles for which a uop takes a unit of the group, at most */
	uint8_t queue[NR_INSN_CLASSES];
	uint64_t nr_uops; /* all of them retire; those before the one that is taken in */
	uint64_t cycle;	  /* of the last dispatch (in-order: issue) */
	uint64_t next;	  /* the first slot that is not charged; cycle c has slots from c * width on */
	uint64_t mark;	  /* the cycle of the next mark; UINT64_MAX: there is none */

	/* The last flush of the instruction before, or of this one so far. */
	enum flush flush;
	uint64_t flushed_at;

	struct waiting *ring; /* [nr_ring], a power of two: by number */
	uint64_t nr_ring;
	uint64_t head, queue_head[MAX_ISSUE_QUEUES]; /* no uop before is in the ROB, or waits in the queue */
	struct access blocker;			     /* in-order: whose fill blocks last, */
	uint64_t blocked_until;			     /* and when it arrives */

	/* Of registers. [NO_REGISTER] is nobody; what uops without a destination would write goes to the last. */
	struct access writers[NO_REGISTER + 2];	  /* in-order */
	uint16_t writer_numbers[NO_REGISTER + 2]; /* out-of-order: of uops, or of none that is in the ROB */
	struct tma_slots counts;

	struct slot_mark *marks; /* [nr_marks] */
	size_t nr_marks, nr_passed, room;
};

static inline struct waiting *waiting_at(struct slot_pass *p, uint64_t number)
{
	return &p->ring[number & (p->nr_ring - 1)];
}

/* To be called before each batch: keeps the numbers of writers unique, as long as a batch has at most BATCH_UOPS. */
void slot_pass_begin_batch(struct slot_pass *p);

/* Whether slots are left empty before `cycle`, in which the next uop is dispatched (in-order: issues). */
static inline bool slot_pass_has_gap(const struct slot_pass *p, uint64_t cycle)
{
	return cycle * p->width > p->next || cycle >= p->mark;
}

/* Charges them. The uop was fetched at `fetch`; of `n` only what held it up is known. */
void slot_pass_gap(struct slot_pass *p, const struct uop *u, uint64_t fetch, const struct uop_note *n, uint64_t cycle);

/* Takes the slot of that uop. */
static inline void slot_pass_take(struct slot_pass *p, uint64_t cycle)
{
	p->next++;
	p->cycle = cycle;
}

/* Whether slot_pass_flush() and slot_pass_access() must see the uop. */
static inline bool slot_pass_sees_flush(const struct slot_pass *p, const struct uop *u, bool violates)
{
	return (p->flush != FLUSH_NONE) | ((u->flags & UOP_FLUSHES) != 0) | violates;
}

static inline bool slot_pass_sees_access(const struct uop *u, bool is_in_order)
{
	/* Few uops can be waited for beyond a hit; which are accesses would be hard to predict. */
	_Static_assert(LEVEL_L1 == 0 && TLB_HIT == 0, "0: it hits");
	return ((u->level | u->tlb | u->fill) != 0) &
	       ((u->class == INSN_LOAD) | (is_in_order & (u->class == INSN_STORE)));
}

void slot_pass_flush(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at, const struct uop_note *n);

/* The class of slots in which others wait for `u`; NO_SLOT: they wait for no access. */
uint8_t slot_pass_access(struct slot_pass *p, const struct uop *u, const struct uop_stamps *at,
			 const struct uop_note *n);

/* Keeps what later uops can wait for; the uop is the last one now. */
static inline void slot_pass_keep(struct slot_pass *p, const struct uop *u, uint64_t ready, uint64_t issue,
				  uint64_t complete, uint64_t commit, uint8_t slot, bool is_in_order)
{
	struct waiting *w = waiting_at(p, p->nr_uops);
	bool is_predicted = core_predicts_value(&p->t, u);
	unsigned to = u->destination == NO_REGISTER ? NO_REGISTER + 1 : u->destination;
	w->ready = ready;
	w->issue = issue;
	w->complete = complete;
	w->commit = commit;
	w->slot = slot;
	w->class = u->class;
	if (is_in_order) {
		p->writers[to] =
			is_predicted ? (struct access){.slot = NO_SLOT} : (struct access){issue, complete, slot};
	} else {
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			w->source[s] = p->writer_numbers[u->source[s]];
		p->writer_numbers[to] = (uint16_t)(p->nr_uops - (is_predicted ? MAX_ROB : 0));
	}
	p->nr_uops++;
}

#endif
