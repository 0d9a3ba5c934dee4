/* An instruction as the published graph sees it: one record of Calipers' text, or of an instruction stream. */
#ifndef SAHM_CORES_UARCH_GRAPH_GRAPH_INSN_H
#define SAHM_CORES_UARCH_GRAPH_GRAPH_INSN_H

#include <stdbool.h>
#include <stdint.h>

enum graph_class {
#define GRAPH_CLASS(suffix, cause) GRAPH_##suffix,
#include "cores/uarch/graph/graph_class_list.h"
#undef GRAPH_CLASS
	NR_GRAPH_CLASSES
};

/* Ticks of a cycle in the text. */
#define GRAPH_TICKS 500u

/* Registers that an instruction reads. */
#define GRAPH_MAX_READS 3u

/* Registers are numbered 1 to NR_GRAPH_REGISTERS - 1, integer ones of RISC-V as there, f0 to f31 from 33 on; 0 is none.
 * Streams of x86-64 have more. */
#define NR_GRAPH_REGISTERS 96u

struct graph_insn {
	uint64_t pc;
	uint64_t address;	/* of the access; of an atomic one UINT64_MAX, as in the released program */
	uint32_t fetch_cycles;	/* used if the configuration takes them from the trace */
	uint32_t memory_cycles; /* the same */
	uint8_t class;		/* enum graph_class */
	uint8_t bytes;		/* of the instruction */
	uint8_t access_bytes;
	uint8_t reads[GRAPH_MAX_READS];
	uint8_t writes;
	bool predicts;	    /* a load whose register nothing waits for */
	bool loads, stores; /* whether it accesses memory; an atomic update does both and counts as a load */
	bool mispredicted;  /* the next instruction was fetched late */
};

/* Name of a register as in the text: "a0", "fs3"; NULL for 0 and for what RISC-V does not have. */
const char *graph_register_name(unsigned number);

#endif
