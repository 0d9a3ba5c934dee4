/* Disassembly of one instruction, in the notation of the GNU tools without aliases. */
#ifndef SAHM_IPU_DISASM_H
#define SAHM_IPU_DISASM_H

#include <stdint.h>

#include "ipu/instruction.h"

/* Longest text, with its closing NUL. */
#define DISASM_BYTES 64

/* Writes mnemonic and operands of `in`, which stands at address `pc` ("addi\ta0,a0,-1", "beq\ta0,zero,8000001c"); what
 * is no instruction as ".4byte\t0xffffffff" or ".2byte\t0x0". Targets of jumps are absolute addresses. */
void disasm(const struct instruction *in, uint32_t pc, char text[DISASM_BYTES]);

/* "zero", "ra", "sp", ... of x0 to x31. */
const char *register_name(unsigned i);

/* "cycle", "instret", ..., or NULL for a CSR without a name. */
const char *csr_name(uint32_t csr);

#endif
