/* Branch prediction: direction, targets of indirect branches, returns.
 *
 * Trace-driven: each branch is predicted, and updates the tables at once; delayed updates by branches in flight are not
 * modelled. Directions come from TAGE (A. Seznec and P. Michaud, "A case for (partially) TAgged GEometric history
 * length branch prediction", JILP 8, 2006), or from gshare (S. McFarling,
 * "Combining branch predictors", WRL TN-36, 1993); histories are hashed by multiplication instead of
 * folding. Indirect targets come from a table by pc, one with a short and one with a long history (as ITTAGE has
 * several), returns from a stack that wraps. Unconditional direct branches are always right: what a branch target
 * buffer forgets costs fetch, no misprediction.
 *
 * The kind "tage-sc-l" has the structure, not the details, of A. Seznec, "TAGE-SC-L branch predictors again" (5th
 * Championship Branch Prediction, 2016). A statistical corrector adds counters that are found by the branch, TAGE's
 * prediction and several lengths of global history, and TAGE's own counter. A sum of the other sign that exceeds an
 * adaptive threshold replaces TAGE's prediction. A loop predictor counts the iterations of loops of constant length,
 * and overrules both. Local histories are left out.
 *
 * The last kind is the predictor of cachegrind and callgrind as their manual describes it ("Cachegrind", section
 * "Branch Simulation Specifics"): 16,384 counters of 2 bits, found by low bits of the branch's address and the last few
 * conditional branches; 512 targets of indirect branches by the low 9 bits of the address, without tags; returns are
 * always right. The manual does not say how many conditional branches: CALLGRIND_HISTORY is what agrees best with
 * callgrind's counts (docs/models.md).
 */
#ifndef SAHM_CORES_UARCH_PREDICTOR_H
#define SAHM_CORES_UARCH_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/isa/insn.h"
#include "sim/base/err.h"

enum predictor_kind { PREDICTOR_TAGE, PREDICTOR_GSHARE, PREDICTOR_TAGE_SC_L, PREDICTOR_CALLGRIND, NR_PREDICTOR_KINDS };

#define MAX_TAGE_TABLES 16u
#define MAX_HISTORY_BITS 256u /* of global history */
#define MAX_TABLE_BITS 20u    /* log2 of entries */
#define MAX_RETURN_STACK 256u
#define MAX_GSHARE_HISTORY 32u
#define MIN_TAG_BITS 4u
#define MAX_TAG_BITS 15u
#define MIN_LOOP_BITS 2u /* log2 of entries */
#define MAX_LOOP_BITS 16u
#define MIN_CORRECTOR_TABLES 3u
#define MAX_CORRECTOR_TABLES 10u

struct tage_table_spec {
	uint16_t history_bits; /* longer from table to table, 1 to MAX_HISTORY_BITS */
	uint8_t entries_bits;  /* log2 of entries, 1 to MAX_TABLE_BITS */
	uint8_t tag_bits;      /* MIN_TAG_BITS to MAX_TAG_BITS */
};

struct predictor_spec {
	uint8_t kind;		 /* enum predictor_kind */
	uint8_t base_bits;	 /* log2 of counters, of 2 bits each: TAGE's base table by pc, gshare's table */
	uint16_t gshare_history; /* bits of history that gshare takes, at most MAX_GSHARE_HISTORY; 0 is a table indexed
				    only by pc */
	uint8_t nr_tables;	 /* of TAGE */
	uint8_t target_bits;	 /* log2 of entries of each table of indirect targets; 0: they are predicted only by pc,
				    with a table of 2^5 */
	bool targets_by_pc;	 /* there are no tables of targets by history, whatever target_bits are */
	uint16_t return_stack;	 /* entries, 1 to MAX_RETURN_STACK */
	struct tage_table_spec tables[MAX_TAGE_TABLES];
	uint8_t loop_bits; /* of tage-sc-l: log2 of entries of the loop predictor, MIN_LOOP_BITS to MAX_LOOP_BITS */
	uint8_t corrector_tables; /* of tage-sc-l: MIN_CORRECTOR_TABLES to MAX_CORRECTOR_TABLES */
	uint8_t corrector_bits;	  /* log2 of counters of each of them, 1 to MAX_TABLE_BITS */
};

static inline bool predictor_is_tage(const struct predictor_spec *spec)
{
	return spec->kind == PREDICTOR_TAGE || spec->kind == PREDICTOR_TAGE_SC_L;
}

/* "tage", "gshare", "tage-sc-l": as configurations say it; "callgrind", which they cannot. */
const char *predictor_kind_name(enum predictor_kind kind);

/* As with cache_spec_fault(). */
const char *predictor_spec_fault(const struct predictor_spec *spec);

/* Bits of all fields of all entries, and of histories and counters that there is one of; addresses have
 * STORAGE_ADDRESS_BITS. */
struct predictor_storage {
	uint64_t directions; /* counters, tagged tables, histories */
	uint64_t loops, corrector;
	uint64_t targets; /* of indirect branches */
	uint64_t returns;
};

/* `spec` must have no fault. */
struct predictor_storage predictor_storage(const struct predictor_spec *spec);

/* The sum of these. */
uint64_t predictor_storage_bits(const struct predictor_spec *spec);

/* Callgrind's predictor, of which there is only one size. */
struct predictor_spec predictor_callgrind(void);

struct predictor;

/* NULL when memory is short. `spec` must have no fault. */
struct predictor *predictor_new(const struct predictor_spec *spec);
void predictor_free(struct predictor *p);

/* The branch at `pc`, of class `class` (a branch's), went to `next`; `taken` unless a conditional one fell through.
 * `behind` is the address of the next instruction in memory: where a call returns to. Whether it was
 * predicted. */
bool predictor_branch(struct predictor *p, enum insn_class class, uint64_t pc, uint64_t behind, bool taken,
		      uint64_t next);

#endif
