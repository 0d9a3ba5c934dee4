/* Instructions of both machines as text: a mnemonic, a blank and operands, as their disassemblers write them. */
#ifndef SAHM_CORES_ISA_INSN_TEXT_H
#define SAHM_CORES_ISA_INSN_TEXT_H

#include "cores/isa/insn.h"

/* Longest text, with its closing NUL. */
#define INSN_TEXT_BYTES 200u

/* The text of the instruction at `pc`, of which `len` bytes (at least 1) are known, and how many of them it has. 0, and
 * an empty text, where these are not a whole instruction that the decoder knows. */

/* As objdump writes it without aliases (riscv_text.h): "addi a0,a0,-1". */
unsigned insn_text_rv64(uint64_t pc, const uint8_t *bytes, size_t len, char text[INSN_TEXT_BYTES]);

/* In Intel's syntax, as Capstone writes it: "mov rax, qword ptr [rbx + 8]". */
unsigned insn_text_x86(struct x86_decoder *d, uint64_t pc, const uint8_t *bytes, size_t len,
		       char text[INSN_TEXT_BYTES]);

#endif
