/* Disassembly of one instruction of the IPU, in the notation of cores/isa/riscv_text.h. */
#ifndef SAHM_IPU_CORE_DISASM_H
#define SAHM_IPU_CORE_DISASM_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/isa/riscv_text.h"
#include "ipu/core/instruction.h"

/* Longest text, with its closing NUL. */
#define DISASM_BYTES RISCV_TEXT_BYTES

/* Writes mnemonic and operands of `in`, which stands at address `pc` ("addi\ta0,a0,-1", "beq\ta0,zero,0x8000001c");
 * what is no instruction as ".4byte\t0xffffffff" or ".2byte\t0x0". Targets of jumps are absolute addresses, and stand
 * last. */
void disasm(const struct instruction *in, uint32_t pc, char text[DISASM_BYTES]);

/* Whether the instruction names the address that it can jump to (jal and branches, not jalr), and which it is. */
bool disasm_target(const struct instruction *in, uint32_t pc, uint32_t *target);

#endif
