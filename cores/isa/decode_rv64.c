/* RV64GC words taken apart, as far as a core model wants to know. Source: RISC-V unprivileged specification, version
 * 20191213. */
#include <string.h>

#include "cores/isa/insn.h"
#include "cores/isa/rv64_internal.h"

/* Conditions under which a row's pattern is another instruction, or reserved. */
enum unless {
	UNLESS_NEVER,
	UNLESS_RD_IS_0,
	UNLESS_RS2_IS_0,
	UNLESS_IMM6_IS_0,
	UNLESS_IMM8_IS_0,
	UNLESS_RD_IS_2_OR_IMM6_IS_0,
};

/* The same fields of compressed instructions, as masks. */
#define FIELD_RD 0x0f80u
#define FIELD_RS2 0x007cu
#define FIELD_IMM6 0x107cu
#define FIELD_IMM8 0x1fe0u

/* Where a register's number stands. */
enum place {
	PLACE_NONE,
	PLACE_RD,
	PLACE_RS1,
	PLACE_RS2,
	PLACE_WORD2,
	PLACE_SHORT7,
	PLACE_SHORT2,
	PLACE_SP,
	PLACE_RA,
	/* of the floating-point file from here on */
	PLACE_FD,
	PLACE_FS1,
	PLACE_FS2,
	PLACE_FS3,
	PLACE_FWORD2,
	PLACE_FSHORT2,
	NR_PLACES
};

static const struct {
	uint8_t at, nr_bits, add;
} places[NR_PLACES] = {
	[PLACE_RD] = {7, 5, 0},	     [PLACE_RS1] = {15, 5, 0},	   [PLACE_RS2] = {20, 5, 0},  [PLACE_WORD2] = {2, 5, 0},
	[PLACE_SHORT7] = {7, 3, 8},  [PLACE_SHORT2] = {2, 3, 8},   [PLACE_SP] = {0, 0, 2},    [PLACE_RA] = {0, 0, 1},
	[PLACE_FD] = {7, 5, 32},     [PLACE_FS1] = {15, 5, 32},	   [PLACE_FS2] = {20, 5, 32}, [PLACE_FS3] = {27, 5, 32},
	[PLACE_FWORD2] = {2, 5, 32}, [PLACE_FSHORT2] = {2, 3, 40},
};

enum target { TARGET_NONE, TARGET_J, TARGET_B, TARGET_CJ, TARGET_CB };

enum format {
#define RV64_FORMAT(name, destination, first, second, third, target) FORMAT_##name,
#include "cores/isa/rv64_format_list.h"
#undef RV64_FORMAT
	NR_FORMATS
};

static const struct {
	uint8_t destination, source[MAX_SOURCES], target;
} formats[NR_FORMATS] = {
#define RV64_FORMAT(name, destination, first, second, third, target)                                                   \
	[FORMAT_##name] = {PLACE_##destination, {PLACE_##first, PLACE_##second, PLACE_##third}, TARGET_##target},
#include "cores/isa/rv64_format_list.h"
#undef RV64_FORMAT
};

const struct rv64_row rv64_rows[NR_RV64] = {
#define RV64(symbol, text, match, mask, format, unless, class)                                                         \
	[RV64_##symbol] = {text, match, mask, FORMAT_##format, UNLESS_##unless, INSN_##class},
#include "cores/isa/rv64_list.h"
#undef RV64
};

/* `nr` bits of `word` from bit `at` on. */
static uint32_t bits(uint32_t word, unsigned at, unsigned nr)
{
	return word >> at & ((1u << nr) - 1);
}

/* The number in the lowest `nr` bits of `value`, sign-extended to what is added to a pc. */
static uint64_t extend(uint32_t value, unsigned nr)
{
	uint64_t sign = UINT64_C(1) << (nr - 1);
	return (value ^ sign) - sign;
}

static bool is_wide(uint32_t word)
{
	return (word & 3) == 3;
}

static bool is_excluded(enum unless unless, uint32_t word)
{
	switch (unless) {
	case UNLESS_NEVER:
		return false;
	case UNLESS_RD_IS_0:
		return (word & FIELD_RD) == 0;
	case UNLESS_RS2_IS_0:
		return (word & FIELD_RS2) == 0;
	case UNLESS_IMM6_IS_0:
		return (word & FIELD_IMM6) == 0;
	case UNLESS_IMM8_IS_0:
		return (word & FIELD_IMM8) == 0;
	case UNLESS_RD_IS_2_OR_IMM6_IS_0:
		return (word & FIELD_RD) == 2u << 7 || (word & FIELD_IMM6) == 0;
	}
	return true;
}

bool rv64_matches(const struct rv64_row *row, uint32_t word)
{
	return (word & row->mask) == row->match && !is_excluded((enum unless)row->unless, word);
}

enum rv64_id rv64_find(uint32_t word)
{
	/* The lower half of a short instruction tells it from all wide ones. */
	uint32_t known = is_wide(word) ? word : word & 0xffff;
	for (unsigned i = 0; i < NR_RV64; i++)
		if (rv64_matches(&rv64_rows[i], known))
			return (enum rv64_id)i;
	return NR_RV64;
}

static uint64_t offset_of(enum target target, uint32_t w)
{
	switch (target) {
	case TARGET_NONE:
		break;
	case TARGET_J:
		return extend(bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 | bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1,
			      21);
	case TARGET_B:
		return extend(bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1,
			      13);
	case TARGET_CJ:
		return extend(bits(w, 12, 1) << 11 | bits(w, 11, 1) << 4 | bits(w, 9, 2) << 8 | bits(w, 8, 1) << 10 |
				      bits(w, 7, 1) << 6 | bits(w, 6, 1) << 7 | bits(w, 3, 3) << 1 | bits(w, 2, 1) << 5,
			      12);
	case TARGET_CB:
		return extend(bits(w, 12, 1) << 8 | bits(w, 10, 2) << 3 | bits(w, 5, 2) << 6 | bits(w, 3, 2) << 1 |
				      bits(w, 2, 1) << 5,
			      9);
	}
	return 0;
}

/* The register at `place`; x0 holds nothing, and is none. */
static uint8_t register_at(enum place place, uint32_t word)
{
	if (place == PLACE_NONE)
		return NO_REGISTER;
	uint32_t number = bits(word, places[place].at, places[place].nr_bits) + places[place].add;
	return number == 0 ? NO_REGISTER : (uint8_t)number;
}

/* The registers that hold return addresses by the calling convention: ra and t0. */
static bool is_link(uint8_t reg)
{
	return reg == 1 || reg == 5;
}

/* What a jump is by the hints of table 2.1: one that leaves its return address in a link register is a call, another
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
	if (is_wide(word) && len < 4)
		return false;
	if (is_wide(word))
		word |= (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	enum rv64_id id = rv64_find(word);
	if (id == NR_RV64)
		return false;
	unsigned format = rv64_rows[id].format, nr_sources = 0;
	out->length = is_wide(word) ? 4 : 2;
	out->destination = register_at((enum place)formats[format].destination, word);
	for (unsigned i = 0; i < MAX_SOURCES; i++) {
		uint8_t reg = register_at((enum place)formats[format].source[i], word);
		if (reg != NO_REGISTER && !memchr(out->source, reg, nr_sources))
			out->source[nr_sources++] = reg;
	}
	if (formats[format].target != TARGET_NONE)
		out->target = pc + offset_of((enum target)formats[format].target, word);
	out->class = (uint8_t)class_of_jump((enum insn_class)rv64_rows[id].class, out);
	return true;
}
