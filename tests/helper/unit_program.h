/* Programs for an IPU in time, written instruction by instruction: code at any address, symbols `init`, `_main` and
 * `finish` where wanted. */
#ifndef SAHM_TESTS_HELPER_UNIT_PROGRAM_H
#define SAHM_TESTS_HELPER_UNIT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/core/ipu.h"

/* Unwritten memory is 0, which is no instruction. */
struct unit_program {
	uint8_t code[IPU_CODE_BYTES];
	uint32_t at;   /* where the next instruction goes */
	uint32_t main; /* address of _main */
	bool has_init, has_finish;
};

/* Appends an instruction of 4 bytes; loads a constant, by two. */
void unit_program_put(struct unit_program *p, uint32_t word);
void unit_program_li(struct unit_program *p, uint32_t rd, uint32_t value);

/* The caller's, to be released with ipu_program_free(). */
struct ipu_program *unit_program_make(const struct unit_program *p);

#endif
