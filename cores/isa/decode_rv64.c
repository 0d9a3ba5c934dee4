/* RV64GC words taken apart, as far as a core model wants to know. Source: RISC-V unprivileged specification, version
 * 20191213. */
#include <string.h>

#include "cores/isa/insn.h"
#include "cores/isa/riscv.h"
#include "cores/isa/rv64_internal.h"

const struct rv64_row rv64_rows[NR_RV64] = {
#define RV64(symbol, text, match, mask, format, unless, class)                                                         \
	[RV64_##symbol] = {text, match, mask, FORMAT_##format, UNLESS_##unless, INSN_##class},
#define RISCV(symbol, text, match, mask, format, unless, class, operation)                                             \
	RV64(symbol, text, match, mask, format, unless, class)
#define RV32(symbol, text, match, mask, format, unless, operation)
#include "cores/isa/riscv_list.h"
#undef RISCV
#undef RV32
#undef RV64
};

bool rv64_matches(const struct rv64_row *row, uint32_t word)
{
	return riscv_matches(row->match, row->mask, (enum riscv_unless)row->unless, word);
}

enum rv64_id rv64_find(uint32_t word)
{
	/* The lower half of a short instruction tells it from all wide ones. */
	uint32_t known = riscv_is_wide(word) ? word : word & 0xffff;
	for (unsigned i = 0; i < NR_RV64; i++)
		if (rv64_matches(&rv64_rows[i], known))
			return (enum rv64_id)i;
	return NR_RV64;
}

/* x0 holds nothing, and is none. */
static uint8_t named(uint8_t reg)
{
	return reg == 0 ? NO_REGISTER : reg;
}

/* The registers that hold return addresses by the calling convention: ra and t0. */
static bool is_link(uint8_t reg)
{
	return reg == 1 || reg == 5;
}

/* Class of a jump by the hints of table 2.1: one that leaves its return address in a link register is a call, another
 * one that leads to where such a register says a return. */
static enum insn_class class_of_jump(enum insn_class class, const struct insn *in)
{
	if (class == INSN_JUMP)
		return is_link(in->destination) ? INSN_CALL : INSN_JUMP;
	if (class != INSN_INDIRECT_JUMP)
		return class;
	if (is_link(in->destination))
		return INSN_INDIRECT_CALL;
	return is_link(in->source[0]) ? INSN_RETURN : INSN_INDIRECT_JUMP;
}

bool decode_rv64(uint64_t pc, const uint8_t *bytes, size_t len, struct insn *out)
{
	insn_unknown(pc, len, out);
	if (len < 2)
		return false;
	uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8;
	if (riscv_is_wide(word) && len < 4)
		return false;
	if (riscv_is_wide(word))
		word |= (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	enum rv64_id id = rv64_find(word);
	if (id == NR_RV64)
		return false;
	enum riscv_format format = (enum riscv_format)rv64_rows[id].format;
	struct riscv_registers registers = riscv_registers(format, word);
	unsigned nr_sources = 0;
	out->length = riscv_is_wide(word) ? 4 : 2;
	out->destination = named(registers.destination);
	for (unsigned i = 0; i < RISCV_SOURCES; i++) {
		uint8_t reg = named(registers.source[i]);
		if (reg != NO_REGISTER && !memchr(out->source, reg, nr_sources))
			out->source[nr_sources++] = reg;
	}
	out->class = (uint8_t)class_of_jump((enum insn_class)rv64_rows[id].class, out);
	if (insn_has_target((enum insn_class)out->class))
		out->target = pc + (uint64_t)(int64_t)riscv_immediate(format, word);
	return true;
}
