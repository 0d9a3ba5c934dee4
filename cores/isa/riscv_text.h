/* Words of RISC-V as text, in the notation of the GNU tools without aliases (objdump -M no-aliases).
 *
 * Where that has another name for an instruction than its row it is used: c.nop is a "c.addi", compressed shifts by 0
 * are "c.slli64" and the like, a fence may be a "fence.tso", a write of the cycle counter is "unimp", and atomics name
 * what they order ("amoadd.w.aqrl"). A rounding mode is shown unless it is the one of the floating-point status.
 * Reserved fields of fences are not shown.
 */
#ifndef SAHM_CORES_ISA_RISCV_TEXT_H
#define SAHM_CORES_ISA_RISCV_TEXT_H

#include "cores/isa/riscv.h"

/* Longest text, with its closing NUL. */
#define RISCV_TEXT_BYTES 64

/* Writes mnemonic and operands of `word` at `pc`, an instruction that is called `name` in its row and has its
 * `format`: "addi\ta0,a0,-1", "beq\ta0,zero,0x8000001c". Targets of jumps are absolute addresses, and stand last; they
 * have 32 bits unless `is_rv64`. */
void riscv_text(const char *name, enum riscv_format format, uint32_t word, uint64_t pc, bool is_rv64,
		char text[RISCV_TEXT_BYTES]);

/* Whether instructions of `format` name the address that they can jump to (jal and branches, not jalr). */
bool riscv_names_target(enum riscv_format format);

/* "zero", "ra", "sp", ... of x0 to x31, then "ft0", ... of f0 to f31 as numbers 32 to 63. */
const char *riscv_register_name(unsigned number);

/* "cycle", "instret", ..., or NULL for a CSR without a name. */
const char *riscv_csr_name(uint32_t csr);

#endif
