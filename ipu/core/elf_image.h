/* ELF executables for RV32: segments put into memory, symbols looked up.
 *
 * The file's bytes may be anything: what is not a little-endian 32-bit RISC-V executable, whole and linked to fixed
 * addresses, is refused with a message. Segments stand at their virtual addresses. Of the flags of the file, that for
 * RV32E is refused, whose environment calls are others; those for a floating-point ABI are not: such a file may well do
 * without, and an instruction that is not there faults when it is reached. Sections other than the symbol table are not
 * looked at. Reading is libelf's. Time and memory are bounded by the file's size: a second symbol
 * table is refused, and so are segments that together take more bytes of the file than it has.
 */
#ifndef SAHM_IPU_CORE_ELF_IMAGE_H
#define SAHM_IPU_CORE_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"

struct elf_image;

/* A segment that takes up memory (PT_LOAD, of size above 0). */
struct elf_segment {
	uint32_t address, memory_bytes, file_bytes;
	bool is_executable, is_writable;
	const uint8_t *bytes; /* file_bytes of them; the rest of the memory is 0 */
};

/* A named address; symbols without name or section are left out, and so are names that tools make up: of files and
 * sections, "$x" and "$d" where code and data begin, ".L..." within functions. */
struct elf_symbol {
	const char *name;
	uint32_t address, nr_bytes;
	bool is_function;
	uint8_t binding; /* enum elf_binding */
};

/* How far the name of a symbol reaches: the lower one is meant where several have the same name. */
enum elf_binding { ELF_GLOBAL, ELF_WEAK, ELF_LOCAL };

/* Symbols are ordered by this many bytes of their names. */
#define ELF_ORDERED_NAME_BYTES 256

/* Takes the `nr_bytes` at `bytes` apart, which the caller keeps until elf_image_free(); `file` is how messages call it.
 * SAHM_FORMAT, SAHM_NOMEM. */
enum sahm_status elf_image_new(struct elf_image **image, const char *file, char *bytes, size_t nr_bytes,
			       struct sahm_err *err);
void elf_image_free(struct elf_image *image);

const char *elf_image_file(const struct elf_image *image);

/* Where the program begins: an even address, which need not be that of a segment. */
uint32_t elf_image_entry(const struct elf_image *image);

/* Segments by rising address; they do not overlap, and each ends at 2^32 at the latest. */
const struct elf_segment *elf_image_segments(const struct elf_image *image, size_t *nr);

/* Symbols by rising address; of those of one address, functions first, then by the beginning of the name, then by where
 * the name stands in the file. */
const struct elf_symbol *elf_image_symbols(const struct elf_image *image, size_t *nr);

/* The symbol `name`, of several a global one, else a weak one, else a local one; of these the one with the lowest
 * address; or NULL. */
const struct elf_symbol *elf_image_find(const struct elf_image *image, const char *name);

/* The symbol that contains `address`: the last one at or below it in the same segment, a function if there is one
 * at that place; or NULL. */
const struct elf_symbol *elf_image_symbol_at(const struct elf_image *image, uint32_t address);

#endif
