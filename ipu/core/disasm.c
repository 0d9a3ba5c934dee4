#include "ipu/core/disasm.h"

#include <stdio.h>

void disasm(const struct instruction *in, uint32_t pc, char text[DISASM_BYTES])
{
	if (in->id == INSTRUCTION_ILLEGAL) {
		snprintf(text, DISASM_BYTES, ".%ubyte\t0x%x", in->nr_bytes, (unsigned)in->word);
		return;
	}
	const struct instruction_row *row = &instruction_rows[in->id];
	riscv_text(row->name, (enum riscv_format)row->format, in->word, pc, false, text);
}

bool disasm_target(const struct instruction *in, uint32_t pc, uint32_t *target)
{
	if (in->id == INSTRUCTION_ILLEGAL || !riscv_names_target((enum riscv_format)instruction_rows[in->id].format))
		return false;
	*target = pc + (uint32_t)in->imm;
	return true;
}
