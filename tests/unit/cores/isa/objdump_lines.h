/* What objdump says of a program's instructions, one after the other. */
#ifndef SAHM_TESTS_UNIT_CORES_ISA_OBJDUMP_LINES_H
#define SAHM_TESTS_UNIT_CORES_ISA_OBJDUMP_LINES_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores/isa/insn.h"

struct objdump_line {
	uint64_t pc;
	uint8_t bytes[MAX_INSN_BYTES + 1];
	unsigned nr_bytes;
	char mnemonic[32];
	char operands[160];
};

/* Takes `text` apart; false when it is no instruction. `is_word`: bytes stand together, the highest first. */
static inline bool read_objdump_line(const char *text, bool is_word, struct objdump_line *line)
{
	char *end;
	*line = (struct objdump_line){.pc = strtoull(text, &end, 16)};
	if (end == text || end[0] != ':' || end[1] != '\t')
		return false;
	const char *p = end + 2, *tab = strchr(p, '\t');
	if (!tab)
		return false;
	while (isxdigit((unsigned char)p[0]) && isxdigit((unsigned char)p[1]) && line->nr_bytes <= MAX_INSN_BYTES) {
		const char digits[] = {p[0], p[1], '\0'};
		line->bytes[line->nr_bytes++] = (uint8_t)strtoul(digits, NULL, 16);
		p += 2;
		while (*p == ' ')
			p++;
	}
	for (unsigned i = 0; is_word && i < line->nr_bytes / 2; i++) {
		uint8_t low = line->bytes[line->nr_bytes - 1 - i];
		line->bytes[line->nr_bytes - 1 - i] = line->bytes[i];
		line->bytes[i] = low;
	}
	return line->nr_bytes > 0 && sscanf(tab + 1, "%31s %159[^\n#<]", line->mnemonic, line->operands) >= 1;
}

/* Runs `command`, which prints nothing where something is missing, on a program, and hands each of its instructions to
 * `check`. How many there were. */
static inline unsigned for_objdump_lines(const char *command, bool is_word, void (*check)(const struct objdump_line *))
{
	char text[1024];
	unsigned nr = 0;
	FILE *in = popen(command, "r");
	while (in && fgets(text, sizeof(text), in)) {
		struct objdump_line line;
		if (!read_objdump_line(text, is_word, &line))
			continue;
		nr++;
		check(&line);
	}
	if (in)
		pclose(in);
	return nr;
}

/* The last hexadecimal number of the operands: where a branch leads. */
static inline uint64_t objdump_target(const struct objdump_line *line)
{
	const char *p = strrchr(line->operands, ',');
	return strtoull(p ? p + 1 : line->operands, NULL, 16);
}

#endif
