/* Blocks of an EDGE processor, made from the instructions that a program for another machine executed.
 *
 * Source: Golestani, Sen, Young and Gupta, "Calipers: A Criticality-aware Framework for Modeling Processor
 * Performance", sections 3.5 and 6. There is no EDGE compiler here: these blocks follow executed paths, and whatever is
 * computed from them is synthetic.
 *
 * Cuts. The stream is cut after calls, returns, indirect jumps and EDGE_SMALL_BLOCK (or EDGE_LARGE_BLOCK)
 * instructions, and before a load or store for which the load-store queue has no entry. READ, MOV and NULL come on top.
 * An instruction becomes one EDGE instruction. One that accesses memory and does something else (an atomic one, some of
 * x86-64), or accesses it more than once, becomes one for each access and one for the rest.
 *
 * READ. A block begins with one for each register that it reads before it writes it, in the order of their first use.
 * All registers that a block writes leave it: their last writers, stores, branches and NULLs are its outputs.
 *
 * MOV. A value with more than two consumers in its block gets one for every two beyond the second. The producer has two
 * targets and a MOV three. The first target of each is a consumer; the others are MOVs, as long as there are more.
 * Consumers with the longest chains of instructions after them in the block come first, as a compiler would have it.
 * MOVs follow the instruction whose value they pass on.
 *
 * NULL. With hammocks, a conditional branch is a test once what follows it has been seen on both sides, if the sides
 * meet again and have at most EDGE_HAMMOCK instructions together, of which none is a branch; jumps between them are no
 * instructions then. The instructions of the executed side read the test's result. So does a NULL for each store of the
 * other side; these follow the test. A side is remembered by the pc of its branch. Where the block has no room for the
 * side, the branch stays a branch.
 *
 * Encoding: 2 bytes with the first target; then, where needed, 2 bytes of further targets, 1 byte of further opcode
 * (unless it is an integer operation, a branch, a READ or a MOV; with a predicate always) and an immediate. Streams
 * have no immediates, so the bytes are our choice. READ: 1 (register). LOAD, STORE: 2, of a compressed instruction 1.
 * Integer operation: none with two source registers, 2 with one (compressed 1), 4 with none (compressed 1). Branch to a
 * known target: 1, 2, 4 or 8, as its distance needs.
 */
#ifndef SAHM_CORES_UARCH_GRAPH_EDGE_BLOCK_H
#define SAHM_CORES_UARCH_GRAPH_EDGE_BLOCK_H

#include "cores/isa/insn.h"

#define EDGE_SMALL_BLOCK 32u
#define EDGE_LARGE_BLOCK 128u
#define EDGE_LSQ 32u
#define EDGE_HAMMOCK 8u
#define EDGE_HEADER_BYTES 4u
#define EDGE_BASE_BYTES 2u
#define EDGE_BYTES_PER_CYCLE 32u

/* Accesses of an instruction, at most; further ones are ignored. */
#define EDGE_ACCESSES 16u

enum edge_kind {
#define EDGE_KIND(suffix, name, role) EDGE_##suffix,
#include "cores/uarch/graph/edge_kind_list.h"
#undef EDGE_KIND
	NR_EDGE_KINDS
};

/* "read"; constant storage. */
const char *edge_kind_name(enum edge_kind kind);

/* The order of a block's fields, after its header: instruction by instruction; all bases, then all other fields in
 * order; bases, further targets, further opcodes, immediates. */
enum edge_format { EDGE_CONTIGUOUS, EDGE_TWO_SEGMENT, EDGE_FOUR_SEGMENT, NR_EDGE_FORMATS };

/* "4-segment"; constant storage. */
const char *edge_format_name(enum edge_format format);

/* Instructions and operands of a block, at most: an instruction reads its sources, all its loads and a predicate. */
#define EDGE_MAX_PLAIN (EDGE_LARGE_BLOCK + EDGE_LSQ)
#define EDGE_MAX_OPERANDS (EDGE_MAX_PLAIN * (MAX_SOURCES + EDGE_ACCESSES + 1))
#define EDGE_MAX_INSNS (NR_INSN_REGISTERS + EDGE_MAX_PLAIN + EDGE_MAX_OPERANDS / 2)

struct edge_access {
	uint64_t address;
	uint32_t bytes; /* 0: unknown */
	bool is_store;
};

struct edge_insn {
	uint8_t kind;	    /* enum edge_kind */
	uint8_t class;	    /* enum insn_class of what it was made from; of READ, MOV and NULL INTEGER */
	uint8_t reg;	    /* that a READ reads, or of which it is the block's last writer; or NO_REGISTER */
	uint8_t nr_targets; /* instructions that it names, at most 3 */
	bool is_output;	    /* the block cannot commit without it */
	bool is_predicated;
	uint8_t immediate_bytes;
	uint16_t operands, nr_operands;		/* first of them in the block's operands[]; their number */
	uint16_t fetch_cycles[NR_EDGE_FORMATS]; /* until all its fields are fetched */
	struct edge_access access;		/* of LOAD and STORE */
};

struct edge_block {
	unsigned nr;
	struct edge_insn insns[EDGE_MAX_INSNS];	  /* [nr]; operands of each come before it */
	uint16_t operands[2 * EDGE_MAX_OPERANDS]; /* numbers of instructions */
	unsigned nr_operands;
	uint32_t bytes;
	unsigned nr_executed;  /* instructions of the stream */
	unsigned nr_registers; /* written */
	unsigned nr_stores;
	int branch; /* its last one, which can be mispredicted; -1: there is none */
};

/* Bytes of the fields after the base. */
unsigned edge_target_bytes(const struct edge_insn *in);
unsigned edge_opcode_bytes(const struct edge_insn *in);

struct edge_shape {
	unsigned max_insns; /* EDGE_SMALL_BLOCK or EDGE_LARGE_BLOCK; 17 to EDGE_LARGE_BLOCK */
	bool has_hammocks;
};

/* Takes each block; valid until it returns. */
typedef void edge_take(void *ctx, const struct edge_block *block);

struct edge_maker;

/* NULL when memory is short. */
struct edge_maker *edge_maker_new(const struct edge_shape *shape, edge_take *take, void *ctx);
void edge_maker_free(struct edge_maker *m);

/* The next instruction that was executed, with its accesses; `taken` of conditional branches. */
void edge_maker_add(struct edge_maker *m, const struct insn *in, const struct edge_access *accesses, unsigned nr,
		    bool taken);

/* The stream ends, or does not go on where the last instruction led: so does the block. */
void edge_maker_flush(struct edge_maker *m);

#endif
