/* Introspection programs in memory, for tests of what the host does with them. */
#ifndef SAHM_TESTS_UNIT_MADE_IMAGE_H
#define SAHM_TESTS_UNIT_MADE_IMAGE_H

#include <stdio.h>
#include <string.h>

#include "ipu/unit/abi.h"
#include "ipu/unit/device.h"
#include "tests/helper/encode.h"
#include "tests/helper/made_elf.h"
#include "tests/unit/test.h"

/* What _main of the program below takes, in instructions. */
#define MADE_IMAGE_CYCLES 9u

/* A program that sends the word `number` of its data (`first` at power-on, and one more each time) and, with it, `more`
 * bytes of 0; it wants an input `input` of 8 bits in register 3. The caller frees it. */
static inline void made_image(struct made_elf *elf, uint32_t first, bool has_byte, const char *input)
{
	enum { T0 = 5, T1, T2, S0, S1 };
	const uint32_t words[] = {
		encode_lui(T0, 0x80000000),
		encode_lui(T1, 0x10000),
		encode_i(OP_LOAD, 2, T2, T1, 0),
		encode_addi(S0, T2, 1),
		encode_s(OP_STORE, 2, T1, S0, 0),
		encode_s(OP_STORE, 2, T0, T2, 0),
		has_byte ? encode_s(OP_STORE, 0, T0, 0, 0) : encode_lui(S1, 0x80010000),
		has_byte ? encode_lui(S1, 0x80010000) : encode_s(OP_STORE, 2, S1, 0, -4u),
		has_byte ? encode_s(OP_STORE, 2, S1, 0, -4u) : encode_jalr(0, 1, 0),
		encode_jalr(0, 1, 0),
	};
	static uint8_t code[sizeof(words)], data[4];
	static char need[64];
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		made_put(code + 4 * i, 4, words[i]);
	made_put(data, 4, first);
	snprintf(need, sizeof(need), ABI_NEED_PREFIX "%s", input);
	const struct made_segment segments[] = {
		{.address = 0, .bytes = code, .nr_bytes = sizeof(code), .flags = 5},
		{.address = IPU_SCRATCHPAD_BASE, .bytes = data, .nr_bytes = sizeof(data), .flags = 6},
	};
	const struct made_symbol symbols[] = {
		{"_main", 0, sizeof(code), 2, 1},
		{"number", IPU_SCRATCHPAD_BASE, 4, 1, 2},
		{need, ABI_NEED_MARK | 8 << 8 | 3, 0, 0, 0},
	};
	made_elf(elf, 0, segments, 2, symbols, 3);
}

/* A spec with that input, and the signal ADDR. */
static inline struct abi made_abi(const char *input)
{
	struct abi abi = {.name = "made", .file = "made.cfg", .nr_signals = 2};
	abi.signals[0] = (struct abi_signal){.name = input, .semantics = "a signal", .bits = 8, .reg = 3};
	abi.signals[1] = (struct abi_signal){.name = "pc", .semantics = "where", .bits = 64, .reg = 0};
	return abi;
}

#endif
