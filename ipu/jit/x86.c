#include "ipu/jit/x86_internal.h"

enum { REX = 0x40, REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1 };

static bool fits_byte(int32_t value)
{
	return value >= -128 && value < 128;
}

/* ModRM, SIB and displacement. */
static void emit_place(struct x86_emitter *e, unsigned reg, struct x86_place p)
{
	unsigned low = p.base & 7, field = (reg & 7) << 3;
	if (!p.is_memory) {
		x86_byte(e, 0xc0 | field | low);
		return;
	}
	/* RBP and R13 have no form without displacement. */
	bool has_none = p.displacement == 0 && low != RBP, is_short = fits_byte(p.displacement);
	unsigned mode = has_none ? 0 : is_short ? 0x40 : 0x80;
	if (p.index != RSP || low == RSP) {
		x86_byte(e, mode | field | 4);
		x86_byte(e, (unsigned)p.log_scale << 6 | (p.index & 7u) << 3 | low);
	} else {
		x86_byte(e, mode | field | low);
	}
	if (mode == 0x40)
		x86_byte(e, (uint8_t)p.displacement);
	else if (mode == 0x80)
		x86_word(e, (uint32_t)p.displacement);
}

static unsigned rex_of(unsigned width, unsigned reg, struct x86_place p)
{
	unsigned rex = (width & X86_64_BITS ? REX_W : 0) | (reg >= 8 ? REX_R : 0) | (p.base >= 8 ? REX_B : 0);
	if (p.is_memory && p.index >= 8)
		rex |= REX_X;
	return rex;
}

void x86_operate(struct x86_emitter *e, unsigned width, unsigned opcode, unsigned reg, struct x86_place place)
{
	unsigned rex = rex_of(width, reg, place);
	if (width & X86_16_BITS)
		x86_byte(e, 0x66);
	if (rex || width & X86_BYTE_REGISTER)
		x86_byte(e, REX | rex);
	if (opcode > 0xff)
		x86_byte(e, 0x0f);
	x86_byte(e, opcode & 0xff);
	emit_place(e, reg, place);
}

void x86_operate_imm(struct x86_emitter *e, unsigned width, unsigned digit, struct x86_place place, int32_t imm)
{
	bool is_short = fits_byte(imm);
	x86_operate(e, width, is_short ? 0x83 : 0x81, digit, place);
	if (is_short)
		x86_byte(e, (uint8_t)imm);
	else
		x86_word(e, (uint32_t)imm);
}

void x86_shift(struct x86_emitter *e, unsigned width, unsigned digit, unsigned reg, unsigned nr)
{
	x86_operate(e, width, 0xc1, digit, x86_in(reg));
	x86_byte(e, nr);
}

void x86_move_imm(struct x86_emitter *e, unsigned reg, uint32_t imm)
{
	if (reg >= 8)
		x86_byte(e, REX | REX_B);
	x86_byte(e, 0xb8 | (reg & 7));
	x86_word(e, imm);
}

void x86_move_imm64(struct x86_emitter *e, unsigned reg, uint64_t imm)
{
	x86_byte(e, REX | REX_W | (reg >= 8 ? REX_B : 0u));
	x86_byte(e, 0xb8 | (reg & 7));
	x86_bytes(e, &imm, sizeof(imm));
}

void x86_scale(struct x86_emitter *e, unsigned reg, unsigned index, unsigned log_scale)
{
	unsigned rex = (reg >= 8 ? REX_R : 0) | (index >= 8 ? REX_X : 0);
	if (rex)
		x86_byte(e, REX | rex);
	x86_byte(e, X86_LEA);
	/* Without base there are always 4 bytes of displacement. */
	x86_byte(e, (reg & 7) << 3 | 4);
	x86_byte(e, log_scale << 6 | (index & 7) << 3 | RBP);
	x86_word(e, 0);
}

void x86_store_imm(struct x86_emitter *e, unsigned nr_bytes, struct x86_place place, uint32_t imm)
{
	x86_operate(e, nr_bytes == 2 ? X86_16_BITS : 0, nr_bytes == 1 ? 0xc6 : 0xc7, 0, place);
	x86_bytes(e, &imm, nr_bytes);
}

/* Three-byte VEX: `map` 2 for 0f38, 3 for 0f3a; `prefix` 1 for 66, 2 for f3, 3 for f2. */
static void emit_vex(struct x86_emitter *e, unsigned map, unsigned prefix, unsigned opcode, unsigned reg,
		     struct x86_place place, unsigned other)
{
	unsigned rex = rex_of(0, reg, place);
	x86_byte(e, 0xc4);
	x86_byte(e, (rex & REX_R ? 0u : 0x80u) | (rex & REX_X ? 0u : 0x40u) | (rex & REX_B ? 0u : 0x20u) | map);
	x86_byte(e, (~other & 15) << 3 | prefix);
	x86_byte(e, opcode);
	emit_place(e, reg, place);
}

void x86_rotate_into(struct x86_emitter *e, unsigned reg, struct x86_place place, unsigned nr)
{
	emit_vex(e, 3, 3, 0xf0, reg, place, 0);
	x86_byte(e, nr);
}

void x86_shift_into(struct x86_emitter *e, unsigned digit, unsigned reg, struct x86_place place, unsigned by)
{
	emit_vex(e, 2, digit == X86_S_SHL ? 1 : digit == X86_S_SAR ? 2 : 3, 0xf7, reg, place, by);
}

uint32_t x86_jump(struct x86_emitter *e)
{
	x86_byte(e, 0xe9);
	x86_word(e, 0);
	return e->at - 4;
}

uint32_t x86_jump_if(struct x86_emitter *e, enum x86_condition condition)
{
	x86_byte(e, 0x0f);
	x86_byte(e, 0x80u | (unsigned)condition);
	x86_word(e, 0);
	return e->at - 4;
}

void x86_patch(struct x86_emitter *e, uint32_t site, uint32_t target)
{
	uint32_t distance = target - (site + 4);
	memcpy(e->base + site, &distance, sizeof(distance));
}

void x86_jump_to(struct x86_emitter *e, uint32_t target)
{
	x86_patch(e, x86_jump(e), target);
}
