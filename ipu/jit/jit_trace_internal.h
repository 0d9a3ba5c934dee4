/* Traces: what is translated as one piece. A trace is a path through code that is entered only at its beginning: past
 * branches in the direction that they are expected to take, along jumps and calls, back from calls whose return address
 * is known. Where a branch goes the other way the path is left. A path that leads back to its beginning is a loop.
 *
 * Only decoded slots are on a path, and it says what the slots say, not what the bytes are by now.
 */
#ifndef SAHM_IPU_JIT_JIT_TRACE_INTERNAL_H
#define SAHM_IPU_JIT_JIT_TRACE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/core/code_internal.h"
#include "ipu/core/hart.h"

#define TRACE_MOST_STEPS 384u
#define TRACE_NO_SLOT UINT32_MAX

/* Later than all that is known. */
#define TRACE_NEVER UINT16_MAX

/* What a step does: an operation, or STEP_... */
enum {
	STEP_CONSTANT = NR_OPERATIONS, /* rd becomes imm */
	STEP_NOTHING,
	STEP_ROTATE, /* rd becomes rs1, rotated to the left by imm */
};

/* How an access finds that it is inside memory. */
enum step_access {
	ACCESS_CHECKED,	 /* by the check of this step */
	ACCESS_COVERED,	 /* an earlier step's check has seen to it */
	ACCESS_CONSTANT, /* address is known, and inside */
	ACCESS_OUTSIDE	 /* address is known, and outside, or misaligned */
};

struct step {
	uint32_t slot;
	uint32_t exit_slot; /* of branches: where the path is left to; TRACE_NO_SLOT else */
	int32_t imm;	    /* or the constant; of input registers the number */
	uint8_t operation;
	uint8_t rd, rs1, rs2; /* 0: x0, or none. What would be written to x0 has rd 0. */
	uint8_t nr_slots;
	bool exits_if_taken; /* of branches: else where it is not taken */
	uint8_t access;	     /* enum step_access */
	bool is_shared;	     /* ACCESS_CHECKED: later steps depend on the check */
	uint8_t log_align;   /* ACCESS_CHECKED: rs1 + align_at has to be a multiple of 1 << log_align */
	bool checks_stores;  /* ACCESS_CHECKED: the window is that for stores */
	int32_t low, high;   /* ACCESS_CHECKED: rs1 + low to rs1 + high - 1 have to be inside */
	int32_t align_at;
};

struct trace {
	uint32_t head;
	uint32_t nr_steps;
	uint32_t next; /* slot after the last step; TRACE_NO_SLOT: that is an indirect jump */
	bool is_loop;
	struct step steps[TRACE_MOST_STEPS];
	/* From each step on, that one included: the first that reads or writes a register; the first that can leave the
	 * path. Of loops, counted on into the next round. Of reads after the end: nr_steps + TRACE_SOON. */
	uint16_t next_read[TRACE_MOST_STEPS + 1][NR_REGISTERS];
	uint16_t next_write[TRACE_MOST_STEPS + 1][NR_REGISTERS];
	uint16_t next_exit[TRACE_MOST_STEPS + 1];
};
#define TRACE_SOON 32u

/* Known facts that forming a trace needs; slots in table[] below TRACE_HEATS are not translated, their
 * value is how often they were reached, or TRACE_NEVER_TRANSLATED. */
#define TRACE_HEATS 64u
#define TRACE_NEVER_TRANSLATED 63u

/* A set of slots; the rest is cut off. */
#define SLOT_SET_ROOM 16384u
struct slot_set {
	uint32_t nr;
	uint32_t entries[SLOT_SET_ROOM]; /* slot + 1, by hash */
};

static inline uint32_t *slot_set_find(struct slot_set *set, uint32_t slot)
{
	uint32_t at = slot * UINT32_C(0x9e3779b1) >> 18;
	while (set->entries[at] && set->entries[at] != slot + 1)
		at = (at + 1) % SLOT_SET_ROOM;
	return &set->entries[at];
}

static inline void slot_set_add(struct slot_set *set, uint32_t slot)
{
	uint32_t *entry = slot_set_find(set, slot);
	if (*entry || set->nr >= SLOT_SET_ROOM / 2)
		return;
	*entry = slot + 1;
	set->nr++;
}

/* Forms the trace that begins at slot `head`; without steps if that cannot be translated. `table` has the entry of each
 * slot of the code; where others begin, `ends`, it does not go on (NULL: it goes on anywhere). */
void trace_form(struct trace *t, const struct code *code, const uint32_t *table, struct slot_set *ends, uint32_t head);

/* Whether the instruction at the slot can be on a path. */
bool trace_can_hold(const struct code *code, uint32_t slot);

/* Finds constants, rotations, and what each access needs for harts like `like`; then fills next_*. */
void trace_plan(struct trace *t, const struct code *code, const struct hart *like);

/* Registers that a step reads, as a set; the one that it writes is rd. */
uint32_t step_reads(const struct step *s);
bool step_is_branch(const struct step *s);
bool step_is_access(const struct step *s);
bool step_is_store(const struct step *s);

#endif
