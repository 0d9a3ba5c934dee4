/* Micro-ops (uops): what a functional pass annotates and timing models read.
 *
 * A uop does at most one memory access. The maker of uops fills the members of the first group; functional_pass_run()
 * fills the second one, and timing models read only class, registers, flags and that second group. A batch of uops
 * therefore serves any number of timing models whose cores share a geometry.
 *
 * Loads are the uops of class LOAD and stores those of class STORE, with or without an access: a load without one
 * (a prefetch instruction, say) hits L1D.
 */
#ifndef SAHM_CORES_UARCH_UOP_H
#define SAHM_CORES_UARCH_UOP_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/isa/insn.h"

/* Registers of uops: those of insn.h, then temporaries between the uops of an instruction. */
#define MAX_TEMPORARIES 4u
#define INTEGER_TEMPORARY NR_INSN_REGISTERS
#define FP_TEMPORARY (INTEGER_TEMPORARY + MAX_TEMPORARIES)
#define NR_UOP_REGISTERS (FP_TEMPORARY + MAX_TEMPORARIES)

/* Whether `reg` counts against the floating-point and vector registers: numbers 32 to 79, and their temporaries. */
static inline bool uop_register_is_fp(unsigned reg)
{
	return (reg >= 32 && reg < INTEGER_TEMPORARY) || reg >= FP_TEMPORARY;
}

/* Where a line was found. */
enum memory_level { LEVEL_L1, LEVEL_L2, LEVEL_LLC, LEVEL_MEMORY, NR_MEMORY_LEVELS };

/* Where a translation was found. */
enum tlb_level { TLB_HIT, TLB_SECOND, TLB_WALK, NR_TLB_LEVELS };

/* State of the DRAM bank when a line is read: its row is open, no row is, or another one is. */
enum row_state { ROW_HIT, ROW_CLOSED, ROW_CONFLICT, NR_ROW_STATES };

/* Fills and stores are named by how recent they are, as far as this. */
#define MAX_RECENT 64u

enum {
	UOP_FIRST = 1,	       /* the first uop of its instruction: has the fields of the fetch */
	UOP_LAST = 2,	       /* the last one */
	UOP_BRANCH = 4,	       /* resolves the branch that its instruction is (x86-64's CALL has a store after it) */
	UOP_TAKEN = 8,	       /* that branch is taken */
	UOP_SYSTEM = 16,       /* of a SYSTEM instruction: each of its uops */
	UOP_FENCE = 32,	       /* of a FENCE: each of its uops */
	UOP_MISPREDICTED = 64, /* branch: wrong direction or target (functional) */
	UOP_BTB_MISS = 128,    /* branch: taken as predicted, but its target is not in the BTB (functional) */
};

struct uop {
	/* The program's. */
	uint64_t pc;	  /* of its instruction */
	uint64_t address; /* of its access */
	uint64_t next_pc; /* branches: where it went; 0: not known */
	uint16_t bytes;	  /* of its access; 0: none */
	/* In the order of struct insn. */
	uint8_t length;				  /* of its instruction, in bytes */
	uint8_t class;				  /* enum insn_class: LOAD, STORE, or that of its instruction */
	uint8_t source[MAX_SOURCES], destination; /* registers, NO_REGISTER: none */
	uint8_t flags;				  /* UOP_... */

	/* The functional pass's (UOP_MISPREDICTED and UOP_BTB_MISS too). Of the fetch, in first uops: */
	uint8_t fetch_lines; /* new lines that the instruction touches: 0 to 2; with 0 the next four are 0 */
	uint8_t fetch_level; /* enum memory_level: the farther one of two */
	uint8_t fetch_tlb;   /* enum tlb_level: the slower one of two */
	uint8_t fetch_fills; /* lines filled: entries in the ring of L1I fills */
	uint8_t fetch_fill;  /* 0, or the n-th last entry of that ring is the fill of a line that hit */
	/* Of the access: */
	uint8_t level;	       /* enum memory_level: the farthest of its lines */
	uint8_t tlb;	       /* enum tlb_level */
	uint8_t row;	       /* enum row_state, with LEVEL_MEMORY */
	uint8_t fill;	       /* as fetch_fill, of L1D */
	uint8_t forward;       /* loads: 0, or the n-th last store is the youngest older one that wrote a byte of it */
	bool covers;	       /* that store wrote all bytes of the load */
	bool releases;	       /* its fill evicts a dirty line from L1D */
	uint8_t nr_prefetches; /* of the batch's prefetches, after those of older uops */
	uint16_t fills;	       /* lines filled: entries in the ring of L1D fills */
};

/* The cache that a prefetch fills. */
enum prefetch_target { PREFETCH_L1I, PREFETCH_L1D, PREFETCH_L2, PREFETCH_LLC };

struct uop_prefetch {
	uint64_t line;	/* address of its first byte */
	uint8_t target; /* enum prefetch_target */
	uint8_t level;	/* enum memory_level: where it comes from, farther than its target */
	uint8_t row;	/* enum row_state, with LEVEL_MEMORY */
	bool is_code;	/* requested by a fetch; else by an access */
	bool is_soft;	/* an instruction's, and what it gives rise to follows; at LEVEL_L1 its line is there */
	uint8_t tlb;	/* enum tlb_level, with is_soft */
};

/* A prefetch instruction that is added after a load. */
struct soft_access {
	uint32_t uop; /* the load's place in its batch */
	uint64_t address;
};

/* Whether something can wait for the value that a load brings. */
static inline bool uop_can_be_predicted(const struct uop *u)
{
	return u->class == INSN_LOAD && u->destination != NO_REGISTER;
}

#define BATCH_UOPS 1024u
/* Prefetches that one uop can request, at most. */
#define MAX_UOP_PREFETCHES 32u
#define BATCH_PREFETCHES (BATCH_UOPS * MAX_UOP_PREFETCHES)

/* Whole instructions in program order. */
struct uop_batch {
	uint32_t nr, nr_prefetches, nr_instructions, nr_soft;
	struct uop uops[BATCH_UOPS];
	struct uop_prefetch prefetches[BATCH_PREFETCHES];
	struct soft_access soft[BATCH_UOPS]; /* [nr_soft], by uop, at most one each */
};

#endif
