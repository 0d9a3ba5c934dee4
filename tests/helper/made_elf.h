/* Small ELF executables in memory, byte by byte as the format's description has them, whatever libelf thinks of it. */
#ifndef SAHM_TESTS_HELPER_MADE_ELF_H
#define SAHM_TESTS_HELPER_MADE_ELF_H

#include <stddef.h>
#include <stdint.h>

/* Sizes and offsets of 32-bit ELF. */
enum { MADE_HEADER_BYTES = 52, MADE_SEGMENT_BYTES = 32, MADE_SECTION_BYTES = 40, MADE_SYMBOL_BYTES = 16 };

/* Fields of the header, of program headers, section headers and symbols, by their offsets. */
enum {
	EH_CLASS = 4,
	EH_DATA = 5,
	EH_TYPE = 16,
	EH_MACHINE = 18,
	EH_VERSION = 20,
	EH_ENTRY = 24,
	EH_PHOFF = 28,
	EH_SHOFF = 32,
	EH_FLAGS = 36,
	EH_PHENTSIZE = 42,
	EH_PHNUM = 44,
	EH_SHENTSIZE = 46,
	EH_SHNUM = 48,
	PH_TYPE = 0,
	PH_OFFSET = 4,
	PH_VADDR = 8,
	PH_FILESZ = 16,
	PH_MEMSZ = 20,
	PH_FLAGS = 24,
	SH_TYPE = 4,
	SH_FLAGS = 8,
	SH_OFFSET = 16,
	SH_SIZE = 20,
	SH_LINK = 24,
	SH_ENTSIZE = 36,
	SYM_NAME = 0,
	SYM_INFO = 12,
	SYM_SHNDX = 14
};

/* What is loaded: `nr_bytes` at `bytes`, followed by `nr_more` bytes of 0. */
struct made_segment {
	uint32_t address;
	const void *bytes;
	uint32_t nr_bytes, nr_more;
	uint32_t type;	/* 0: PT_LOAD */
	uint32_t flags; /* 0: readable, writable, executable */
};

struct made_symbol {
	const char *name;
	uint32_t address, nr_bytes;
	uint8_t type;	  /* STT_NOTYPE 0, STT_OBJECT 1, STT_FUNC 2, STT_SECTION 3, STT_FILE 4; | MADE_LOCAL... */
	uint16_t section; /* 0: absolute; MADE_UNDEFINED: none */
};
#define MADE_UNDEFINED 0xf000
enum { MADE_LOCAL = 0x10, MADE_WEAK = 0x20 }; /* else a symbol is global */

struct made_elf {
	char *bytes; /* malloc'ed, of just this size */
	size_t nr_bytes;
	size_t segments; /* offset of the program headers */
	size_t symbols, names;
	size_t sections; /* offset of the section headers: none, symbols, names */
};

/* Header, program headers, the segments' bytes, symbols (the first one is empty), their names, section headers. */
void made_elf(struct made_elf *elf, uint32_t entry, const struct made_segment *segments, size_t nr_segments,
	      const struct made_symbol *symbols, size_t nr_symbols);
void made_elf_free(struct made_elf *elf);

/* Writes a little-endian number of `nr_bytes` bytes. */
void made_put(void *at, unsigned nr_bytes, uint64_t value);

#endif
