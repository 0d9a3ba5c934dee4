/* Words taken apart. */

#include "ipu/core/instruction.h"

const struct instruction_row instruction_rows[NR_INSTRUCTIONS] = {
#define RV32(symbol, text, match, mask, format, unless, operation)                                                     \
	[INSTRUCTION_##symbol] = {text, match, mask, FORMAT_##format, UNLESS_##unless, OPERATION_##operation},
#define RISCV(symbol, text, match, mask, format, unless, class, operation)                                             \
	RV32(symbol, text, match, mask, format, unless, operation)
#define RV64(symbol, text, match, mask, format, unless, class)
#include "cores/isa/riscv_list.h"
#undef RISCV
#undef RV32
#undef RV64
};

const uint8_t operation_properties[NR_OPERATIONS] = {
#define OPERATION(name, sizes, properties) [OPERATION_##name] = properties,
#include "ipu/core/operation_list.h"
#undef OPERATION
};

bool instruction_matches(const struct instruction_row *row, uint32_t word)
{
	return riscv_matches(row->match, row->mask, (enum riscv_unless)row->unless, word);
}

static void take_apart(enum riscv_format format, struct instruction *out)
{
	struct riscv_registers registers = riscv_registers(format, out->word);
	out->rd = registers.destination;
	out->rs1 = format == FORMAT_CSRI ? (uint8_t)riscv_bits(out->word, 15, 5) : registers.source[0];
	out->rs2 = registers.source[1];
	out->imm = riscv_immediate(format, out->word);
}

void instruction_decode(uint32_t word, struct instruction *out)
{
	bool wide = riscv_is_wide(word);
	/* The compressed ones stand at the end of the list. */
	unsigned first = wide ? 0 : INSTRUCTION_C_ADDI4SPN, end = wide ? INSTRUCTION_C_ADDI4SPN : NR_INSTRUCTIONS;
	*out = (struct instruction){.word = wide ? word : word & 0xffff, .id = INSTRUCTION_ILLEGAL};
	out->nr_bytes = wide ? 4 : 2;
	for (unsigned id = first; id < end; id++) {
		const struct instruction_row *row = &instruction_rows[id];
		if (!instruction_matches(row, out->word))
			continue;
		out->id = (uint8_t)id;
		take_apart((enum riscv_format)row->format, out);
		return;
	}
}
