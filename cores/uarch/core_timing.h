/* Parameters of the timing models: everything that a model needs besides uops. All times are in cycles.
 *
 * They come from a file of configs/cores (core_model.h), whose keys have the same names and bounds.
 */
#ifndef SAHM_CORES_UARCH_CORE_TIMING_H
#define SAHM_CORES_UARCH_CORE_TIMING_H

#include "cores/uarch/uop.h"

#define MAX_LATENCY 4095u
#define MAX_WIDTH 16u
#define MAX_ROB 1024u
#define MAX_QUEUE_ENTRIES 256u /* also of load queue and store queue */
#define MAX_MSHRS 64u
#define MAX_FETCH_BUFFER 1024u
/* Registers that hold the program's own values: the others rename. */
#define ARCHITECTURAL_REGISTERS 32u
#define MAX_RENAME_REGISTERS 1024u
#define MAX_ISSUE_QUEUES 8u
#define MAX_UNIT_GROUPS 12u
#define CORE_PART_NAME_BYTES 24u

enum core_kind { CORE_OUT_OF_ORDER, CORE_IN_ORDER, NR_CORE_KINDS };
enum load_order { ORDER_PERFECT, ORDER_CONSERVATIVE, ORDER_SPECULATIVE, NR_MEMORY_ORDERS };
enum store_fill { FILL_AT_EXECUTE, FILL_AT_COMMIT, NR_STORE_FILLS };

/* Parts that cost nothing (ideal.h). */
enum ideal {
#define IDEAL(suffix, name, help) IDEAL_##suffix,
#include "cores/uarch/ideal_list.h"
#undef IDEAL
	NR_IDEALS
};

/* ORDER_SPECULATIVE: bits of the table of loads that violated, and after how many uops it is cleared. */
#define VIOLATION_BITS 1024u
#define VIOLATION_PERIOD 131072u

struct issue_queue {
	char name[CORE_PART_NAME_BYTES];
	uint16_t entries, issue;
};

struct unit_group {
	char name[CORE_PART_NAME_BYTES];
	uint16_t units;
	bool is_pipelined;
	uint8_t queue; /* of struct core_timing; out-of-order cores */
};

struct core_timing {
	uint8_t kind;	/* enum core_kind */
	uint16_t ideal; /* a bit for each enum ideal: models look only at IDEAL_BRANCH, _L1D and _VALUE_PREDICTION */

	/* fetch */
	uint16_t fetch_width, fetch_buffer; /* instructions */
	uint16_t icache_cycles[NR_MEMORY_LEVELS], itlb_cycles[NR_TLB_LEVELS];
	uint16_t btb_miss_cycles, decode_cycles, mispredict_cycles;

	/* out-of-order: dispatch and commit */
	uint16_t dispatch_width, dispatch_cycles, rob, int_registers, fp_registers, load_queue;
	uint16_t commit_cycles, flush_cycles;
	uint8_t memory_order; /* enum load_order */
	uint8_t nr_queues;
	struct issue_queue queues[MAX_ISSUE_QUEUES];

	/* in-order */
	uint16_t issue_width, same_cycle_memory, resolve_cycles;
	bool is_blocking;

	/* both; in an in-order core `store_queue` is the store buffer */
	uint16_t store_queue, commit_width, drain_width;
	bool fence_flushes;
	uint8_t store_fill; /* enum store_fill */
	uint8_t nr_groups;
	struct unit_group groups[MAX_UNIT_GROUPS];
	uint8_t group[NR_INSN_CLASSES]; /* of a class */
	uint16_t latency[NR_INSN_CLASSES];

	/* data */
	uint16_t l1d_cycles, dtlb_cycles[NR_TLB_LEVELS], forward_cycles;
	uint16_t data_cycles[NR_MEMORY_LEVELS]; /* LEVEL_L1: 0, unused */
	uint16_t row_cycles[NR_ROW_STATES], line_cycles, mshrs;
};

static inline bool core_is_ideal(const struct core_timing *t, enum ideal part)
{
	return t->ideal >> part & 1;
}

/* Whether nothing waits for the result of `u`, because the core predicts it. */
static inline bool core_predicts_value(const struct core_timing *t, const struct uop *u)
{
	return core_is_ideal(t, IDEAL_VALUE_PREDICTION) && uop_can_be_predicted(u);
}

/* Times of a uop, cores.md's F, D, R, E (in-order: I), X, C, S, counted from 0. */
struct uop_stamps {
	uint64_t fetch, dispatch, ready, issue, complete, commit;
	uint64_t drain; /* of a store; else NO_DRAIN */
};

#define NO_DRAIN UINT64_MAX

#endif
