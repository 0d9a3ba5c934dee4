/* An instruction as core models see it, whatever machine it is for.
 *
 * Registers are numbered per machine: integer registers 0 to 31 (RISC-V: x0 to x31, of which x0 is never named, since
 * it holds no value; x86-64: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15 as 0 to 15, and the flags as 16),
 * floating-point and vector registers 32 to 63 (RISC-V: f0 to f31; x86-64: xmm0 to xmm31, whatever their width; x87 and
 * MMX registers as 64 to 71, mask registers k0 to k7 as 72 to 79). NO_REGISTER stands for none. An instruction that
 * reads more than MAX_SOURCES registers names the first ones that its decoder finds; one that writes several names the
 * first that is not the flags, and x86-64's flags only where it writes nothing else.
 */
#ifndef SAHM_CORES_ISA_INSN_H
#define SAHM_CORES_ISA_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"

enum insn_class {
#define INSN_CLASS(suffix, name, is_branch, comprises) INSN_##suffix,
#include "cores/isa/insn_class_list.h"
#undef INSN_CLASS
	NR_INSN_CLASSES
};

enum machine { MACHINE_X86_64, MACHINE_RV64, NR_MACHINES };

#define MAX_SOURCES 3u
#define NO_REGISTER 0xffu
#define NR_INSN_REGISTERS 80u
#define MAX_INSN_BYTES 15u

/* What does not change from one execution to the next. */
struct insn {
	uint64_t pc;
	uint64_t target; /* of a BRANCH, JUMP or CALL (insn_has_target()): where it leads; else 0 */
	uint8_t length;	 /* bytes, 1 to MAX_INSN_BYTES */
	uint8_t class;	 /* enum insn_class */
	uint8_t source[MAX_SOURCES];
	uint8_t destination;
};

/* Name of a class, as written in tables; constant storage. */
const char *insn_class_name(enum insn_class class);

/* Whether it ends a basic block by its nature. */
static inline bool insn_is_branch(enum insn_class class)
{
	_Static_assert(NR_INSN_CLASSES <= 32, "a bit each");
	const uint32_t branches = 0
#define INSN_CLASS(suffix, name, is_branch, comprises) | (uint32_t)(is_branch) << INSN_##suffix
#include "cores/isa/insn_class_list.h"
#undef INSN_CLASS
		;
	return branches >> class & 1;
}

/* Whether its target stands in the instruction: BRANCH, JUMP, CALL. */
bool insn_has_target(enum insn_class class);

/* "x86-64", "riscv64" */
const char *machine_name(enum machine machine);

/* Name of register `number`; constant storage. NULL for NO_REGISTER and for numbers that `machine` does not use. */
const char *machine_register_name(enum machine machine, unsigned number);

/* Makes *out what decoders say of `len` bytes at `pc` that they do not know. */
void insn_unknown(uint64_t pc, size_t len, struct insn *out);

/* Decodes the instruction at `pc`, of which `len` bytes (at least 1) are known: *out. False where these are not a whole
 * instruction that the decoder knows; *out is then of class UNKNOWN, without registers, and as long as `len` (at most
 * MAX_INSN_BYTES). RV64GC by a table of our own (riscv_list.h). A register that an instruction names twice is a
 * source once. */
bool decode_rv64(uint64_t pc, const uint8_t *bytes, size_t len, struct insn *out);

/* The same of x86-64, by Capstone, which is loaded then: a decoder holds its state. SAHM_TOOL when Capstone is not
 * there, SAHM_NOMEM. */
struct x86_decoder;
enum sahm_status x86_decoder_new(struct x86_decoder **d, struct sahm_err *err);
void x86_decoder_free(struct x86_decoder *d);
bool decode_x86(struct x86_decoder *d, uint64_t pc, const uint8_t *bytes, size_t len, struct insn *out);

#endif
