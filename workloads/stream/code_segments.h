/* Stretches of an ELF file that are loaded as code, as its program headers have them. */
#ifndef SAHM_WORKLOADS_STREAM_CODE_SEGMENTS_H
#define SAHM_WORKLOADS_STREAM_CODE_SEGMENTS_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_segment {
	uint64_t address, offset, bytes; /* in the file's own addresses; in the file */
};

/* (*segments)[*nr], which the caller frees. False when memory is short. */
bool code_segments_read(Elf *elf, struct code_segment **segments, size_t *nr);

/* That with the byte at `offset` of the file; NULL: none. */
const struct code_segment *code_segments_find(const struct code_segment *segments, size_t nr, uint64_t offset);

#endif
