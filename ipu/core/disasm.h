/* Disassembly of one instruction, in the notation of the GNU tools without aliases (objdump -M no-aliases).
 *
 * Where that has a name of its own for an instruction it is used, though the row's is another: c.nop is a "c.addi",
 * compressed shifts by 0 are "c.slli64" and the like, a fence may be a "fence.tso", and a write of the cycle counter is
 * "unimp". Reserved fields of fences, which are executed as if they were 0, are not shown.
 */
#ifndef SAHM_IPU_CORE_DISASM_H
#define SAHM_IPU_CORE_DISASM_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/core/instruction.h"

/* Longest text, with its closing NUL. */
#define DISASM_BYTES 64

/* Writes mnemonic and operands of `in`, which stands at address `pc` ("addi\ta0,a0,-1", "beq\ta0,zero,0x8000001c");
 * what is no instruction as ".4byte\t0xffffffff" or ".2byte\t0x0". Targets of jumps are absolute addresses, and stand
 * last. */
void disasm(const struct instruction *in, uint32_t pc, char text[DISASM_BYTES]);

/* Whether the instruction names the address that it can jump to (jal and branches, not jalr), and which it is. */
bool disasm_target(const struct instruction *in, uint32_t pc, uint32_t *target);

/* "zero", "ra", "sp", ... of x0 to x31. */
const char *register_name(unsigned i);

/* "cycle", "instret", ..., or NULL for a CSR without a name. */
const char *csr_name(uint32_t csr);

#endif
