/* RV64's rows of the table of instructions, for the decoder and its tests. */
#ifndef SAHM_CORES_ISA_RV64_INTERNAL_H
#define SAHM_CORES_ISA_RV64_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

enum rv64_id {
#define RV64(symbol, name, match, mask, format, unless, class) RV64_##symbol,
#define RISCV(symbol, name, match, mask, format, unless, class, operation) RV64_##symbol,
#define RV32(symbol, name, match, mask, format, unless, operation)
#include "cores/isa/riscv_list.h"
#undef RISCV
#undef RV32
#undef RV64
	NR_RV64
};

struct rv64_row {
	const char *name;
	uint32_t match, mask;
	uint8_t format, unless, class;
};
extern const struct rv64_row rv64_rows[NR_RV64];

/* Whether `word` is the instruction of `row`, one of rv64_rows. */
bool rv64_matches(const struct rv64_row *row, uint32_t word);

/* Which row `word` is, of which the upper half is ignored when it takes 2 bytes; NR_RV64 when it is none. */
enum rv64_id rv64_find(uint32_t word);

#endif
