#include "cores/isa/riscv.h"

/* Fields of compressed instructions, as masks. */
#define FIELD_RD 0x0f80u
#define FIELD_RS2 0x007cu
#define FIELD_IMM6 0x107cu
#define FIELD_IMM8 0x1fe0u

/* The immediate of I formats. */
#define FIELD_IMM12 0xfff00000u

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

/* How immediates are put together. */
enum immediate {
	IMMEDIATE_NONE,
	IMMEDIATE_I,
	IMMEDIATE_SHIFT,
	IMMEDIATE_SHIFT64,
	IMMEDIATE_S,
	IMMEDIATE_B,
	IMMEDIATE_U,
	IMMEDIATE_J,
	IMMEDIATE_UPPER12,
	/* compressed */
	IMMEDIATE_CIW,
	IMMEDIATE_CL,
	IMMEDIATE_CLD,
	IMMEDIATE_CI,
	IMMEDIATE_C_SHIFT,
	IMMEDIATE_C_SHIFT64,
	IMMEDIATE_C_ADDI16SP,
	IMMEDIATE_C_LUI,
	IMMEDIATE_CJ,
	IMMEDIATE_CB,
	IMMEDIATE_C_LWSP,
	IMMEDIATE_C_LDSP,
	IMMEDIATE_C_SWSP,
	IMMEDIATE_C_SDSP,
	NR_IMMEDIATES
};

/* `nr` bits of the word from bit `at` on are those of the immediate from bit `to` on; the last part has no bits. */
#define MAX_PARTS 8
static const struct {
	uint8_t nr_signed_bits; /* 0: it has no sign */
	struct {
		uint8_t at, nr, to;
	} parts[MAX_PARTS + 1];
} immediates[NR_IMMEDIATES] = {
	[IMMEDIATE_I] = {12, {{20, 12, 0}}},
	[IMMEDIATE_SHIFT] = {0, {{20, 5, 0}}},
	[IMMEDIATE_SHIFT64] = {0, {{20, 6, 0}}},
	[IMMEDIATE_S] = {12, {{25, 7, 5}, {7, 5, 0}}},
	[IMMEDIATE_B] = {13, {{31, 1, 12}, {7, 1, 11}, {25, 6, 5}, {8, 4, 1}}},
	[IMMEDIATE_U] = {32, {{12, 20, 12}}},
	[IMMEDIATE_J] = {21, {{31, 1, 20}, {12, 8, 12}, {20, 1, 11}, {21, 10, 1}}},
	[IMMEDIATE_UPPER12] = {0, {{20, 12, 0}}},
	[IMMEDIATE_CIW] = {0, {{11, 2, 4}, {7, 4, 6}, {6, 1, 2}, {5, 1, 3}}},
	[IMMEDIATE_CL] = {0, {{10, 3, 3}, {6, 1, 2}, {5, 1, 6}}},
	[IMMEDIATE_CLD] = {0, {{10, 3, 3}, {5, 2, 6}}},
	[IMMEDIATE_CI] = {6, {{12, 1, 5}, {2, 5, 0}}},
	[IMMEDIATE_C_SHIFT] = {0, {{2, 5, 0}}},
	[IMMEDIATE_C_SHIFT64] = {0, {{12, 1, 5}, {2, 5, 0}}},
	[IMMEDIATE_C_ADDI16SP] = {10, {{12, 1, 9}, {6, 1, 4}, {5, 1, 6}, {3, 2, 7}, {2, 1, 5}}},
	[IMMEDIATE_C_LUI] = {18, {{12, 1, 17}, {2, 5, 12}}},
	[IMMEDIATE_CJ] = {12,
			  {{12, 1, 11}, {11, 1, 4}, {9, 2, 8}, {8, 1, 10}, {7, 1, 6}, {6, 1, 7}, {3, 3, 1}, {2, 1, 5}}},
	[IMMEDIATE_CB] = {9, {{12, 1, 8}, {10, 2, 3}, {5, 2, 6}, {3, 2, 1}, {2, 1, 5}}},
	[IMMEDIATE_C_LWSP] = {0, {{12, 1, 5}, {4, 3, 2}, {2, 2, 6}}},
	[IMMEDIATE_C_LDSP] = {0, {{12, 1, 5}, {5, 2, 3}, {2, 3, 6}}},
	[IMMEDIATE_C_SWSP] = {0, {{9, 4, 2}, {7, 2, 6}}},
	[IMMEDIATE_C_SDSP] = {0, {{10, 3, 3}, {7, 3, 6}}},
};

static const struct {
	uint8_t destination, source[RISCV_SOURCES], immediate;
} formats[NR_FORMATS] = {
#define RISCV_FORMAT(name, destination, first, second, third, immediate)                                               \
	[FORMAT_##name] = {PLACE_##destination, {PLACE_##first, PLACE_##second, PLACE_##third}, IMMEDIATE_##immediate},
#include "cores/isa/riscv_format_list.h"
#undef RISCV_FORMAT
};

bool riscv_is_excluded(enum riscv_unless unless, uint32_t word)
{
	switch (unless) {
	case UNLESS_NOTHING:
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
	case UNLESS_IMM12_IS_0:
		return (word & FIELD_IMM12) == 0;
	}
	return true;
}

static uint8_t register_at(unsigned place, uint32_t word)
{
	return (uint8_t)(riscv_bits(word, places[place].at, places[place].nr_bits) + places[place].add);
}

struct riscv_registers riscv_registers(enum riscv_format format, uint32_t word)
{
	struct riscv_registers r = {.destination = register_at(formats[format].destination, word)};
	for (unsigned i = 0; i < RISCV_SOURCES; i++)
		r.source[i] = register_at(formats[format].source[i], word);
	return r;
}

int32_t riscv_immediate(enum riscv_format format, uint32_t word)
{
	unsigned kind = formats[format].immediate, nr_signed_bits = immediates[kind].nr_signed_bits;
	uint32_t value = 0, sign = nr_signed_bits ? UINT32_C(1) << (nr_signed_bits - 1) : 0;
	for (unsigned i = 0; immediates[kind].parts[i].nr > 0; i++)
		value |= riscv_bits(word, immediates[kind].parts[i].at, immediates[kind].parts[i].nr)
			 << immediates[kind].parts[i].to;
	return (int32_t)((value ^ sign) - sign);
}
