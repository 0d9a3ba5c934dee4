/* One RV32 instruction, taken apart: which row of cores/isa/riscv_list.h it is, and its operands.
 *
 * Compressed instructions come out with the operands of the full one that they stand for: `c.lwsp a0, 8(sp)` has rd 10,
 * rs1 2, imm 8, and operation OPERATION_lw. Source: RISC-V unprivileged specification, version 20191213.
 */
#ifndef SAHM_IPU_CORE_INSTRUCTION_H
#define SAHM_IPU_CORE_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/isa/riscv.h"

#define NR_REGISTERS 32

/* What is executed. */
enum operation {
#define OPERATION(name, sizes, properties) OPERATION_##name,
#include "ipu/core/operation_list.h"
#undef OPERATION
	NR_OPERATIONS
};

/* Properties of operations. */
enum {
	OP_ENDS_BLOCK = 1, /* the next instruction executed need not be the next one in memory */
	OP_RS2_FOR_RD = 2, /* two sources and no destination: predecoded, rs2 is where others have rd */
	OP_SYMMETRIC = 4,  /* its sources can be exchanged */
	OP_LOADS = 8,
	OP_STORES = 16,
	OP_SIGNED = 32, /* the loaded value is sign-extended */
};
#define OP_LOG_BYTES(log_bytes) ((log_bytes) << 6) /* of loads and stores */
extern const uint8_t operation_properties[NR_OPERATIONS];

/* Bytes that an operation loads or stores, as a power of 2, and as such; 1 for those that do neither. */
static inline unsigned operation_log_bytes(enum operation operation)
{
	return operation_properties[operation] >> 6;
}

static inline unsigned operation_bytes(enum operation operation)
{
	return 1u << operation_log_bytes(operation);
}

enum instruction_id {
#define RV32(symbol, name, match, mask, format, unless, operation) INSTRUCTION_##symbol,
#define RISCV(symbol, name, match, mask, format, unless, class, operation) INSTRUCTION_##symbol,
#define RV64(symbol, name, match, mask, format, unless, class)
#include "cores/isa/riscv_list.h"
#undef RISCV
#undef RV32
#undef RV64
	NR_INSTRUCTIONS,
	INSTRUCTION_ILLEGAL = NR_INSTRUCTIONS
};

/* A row of the list. */
struct instruction_row {
	const char *name;
	uint32_t match, mask;
	uint8_t format, unless, operation;
};
extern const struct instruction_row instruction_rows[NR_INSTRUCTIONS];

struct instruction {
	uint32_t word; /* as fetched; the upper half is 0 when nr_bytes is 2 */
	int32_t imm;   /* sign-extended; of U formats the value that is added or loaded; the address of a CSR */
	uint8_t id;    /* enum instruction_id */
	uint8_t nr_bytes;
	uint8_t rd, rs1, rs2; /* 0 where the format has none; rs1 of CSRI is the immediate */
};

/* Whether `word` is the instruction of `row`, one of instruction_rows. */
bool instruction_matches(const struct instruction_row *row, uint32_t word);

/* Takes `word` apart: the instruction at its address, of which the upper half is ignored when it takes 2 bytes. The id
 * is INSTRUCTION_ILLEGAL, and operands are 0, when it is none. Any word is fine. */
void instruction_decode(uint32_t word, struct instruction *out);

#endif
