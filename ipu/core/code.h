/* Code: a stretch of instruction memory, predecoded for execution.
 *
 * Every half-word of it can be jumped to, so there is a slot for each (code_internal.h). Fixed code is decoded as a
 * whole when it is made and never changes: any number of harts, in any number of threads, can share it; `fence.i` does
 * nothing there. Changing code is decoded when it is first reached, and what has been decoded stays in force until
 * code_discard(), which `fence.i` does; it belongs to one hart. The bytes belong to the caller and outlive the code.
 */
#ifndef SAHM_IPU_CORE_CODE_H
#define SAHM_IPU_CORE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/err.h"

struct code;

enum code_flags {
	CODE_FIXED = 1,	  /* never changes */
	CODE_UNFUSED = 2, /* one executor per instruction, for comparison: pairs are not fused */
};

/* Most bytes of code: from any of them, the distance of a jump to any other can be encoded. */
#define CODE_MAX_BYTES (UINT32_C(1) << 31)

/* Predecodes `nr_bytes` (even, 2 to CODE_MAX_BYTES) at `bytes`, which the guest sees at address `base` (even), all of
 * it below 2^32. SAHM_RANGE, SAHM_NOMEM.
 */
enum sahm_status code_new(struct code **code, uint32_t base, const uint8_t *bytes, uint32_t nr_bytes, unsigned flags,
			  struct sahm_err *err);
void code_free(struct code *code);

/* Forgets what was decoded, unless it is fixed: the bytes have changed. */
void code_discard(struct code *code);

/* The address of its first byte. */
uint32_t code_base(const struct code *code);

/* The 4 bytes at `address` as a little-endian word, 0 for what is beyond the end; for reports and disassembly. */
uint32_t code_word(const struct code *code, uint32_t address);

/* Whether `address` is even and inside. */
bool code_holds(const struct code *code, uint32_t address);

#endif
