#include "cores/isa/insn_text.h"

#include <string.h>

#include "cores/isa/riscv_text.h"
#include "cores/isa/rv64_internal.h"

_Static_assert(RISCV_TEXT_BYTES <= INSN_TEXT_BYTES, "every text has room");

unsigned insn_text_rv64(uint64_t pc, const uint8_t *bytes, size_t len, char text[INSN_TEXT_BYTES])
{
	struct insn in;
	uint32_t word = 0;
	text[0] = '\0';
	if (!decode_rv64(pc, bytes, len, &in))
		return 0;
	for (unsigned i = 0; i < in.length; i++)
		word |= (uint32_t)bytes[i] << 8 * i;
	const struct rv64_row *row = &rv64_rows[rv64_find(word)];
	riscv_text(row->name, (enum riscv_format)row->format, word, pc, true, text);
	char *tab = strchr(text, '\t');
	if (tab)
		*tab = ' ';
	return in.length;
}
