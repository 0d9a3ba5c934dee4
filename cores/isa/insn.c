#include "cores/isa/insn.h"

#include <string.h>

static const char *const class_names[NR_INSN_CLASSES] = {
#define INSN_CLASS(suffix, name, is_branch, comprises) [INSN_##suffix] = name,
#include "cores/isa/insn_class_list.h"
#undef INSN_CLASS
};

static const char *const machine_names[NR_MACHINES] = {[MACHINE_X86_64] = "x86-64", [MACHINE_RV64] = "riscv64"};

/* By the numbers of insn.h, as the calling convention or the manual of the machine has them. */
static const char *const register_names[NR_MACHINES][NR_INSN_REGISTERS] = {
	[MACHINE_X86_64] =
		{
			"rax",	 "rcx",	  "rdx",   "rbx",   "rsp",   "rbp",   "rsi",   "rdi",	      "r8",    "r9",
			"r10",	 "r11",	  "r12",   "r13",   "r14",   "r15",   "flags", [32] = "xmm0", "xmm1",  "xmm2",
			"xmm3",	 "xmm4",  "xmm5",  "xmm6",  "xmm7",  "xmm8",  "xmm9",  "xmm10",	      "xmm11", "xmm12",
			"xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20",	      "xmm21", "xmm22",
			"xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30",	      "xmm31", "st0",
			"st1",	 "st2",	  "st3",   "st4",   "st5",   "st6",   "st7",   "k0",	      "k1",    "k2",
			"k3",	 "k4",	  "k5",	   "k6",    "k7",
		},
	[MACHINE_RV64] =
		{
			[1] = "ra", "sp",  "gp",   "tp",   "t0",  "t1",	 "t2",	 "s0",	 "s1",	"a0",	      "a1",
			"a2",	    "a3",  "a4",   "a5",   "a6",  "a7",	 "s2",	 "s3",	 "s4",	"s5",	      "s6",
			"s7",	    "s8",  "s9",   "s10",  "s11", "t3",	 "t4",	 "t5",	 "t6",	[32] = "ft0", "ft1",
			"ft2",	    "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",	 "fs1",	 "fa0", "fa1",	      "fa2",
			"fa3",	    "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",	 "fs4",	 "fs5", "fs6",	      "fs7",
			"fs8",	    "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
		},
};

const char *insn_class_name(enum insn_class class)
{
	return class_names[class];
}

bool insn_has_target(enum insn_class class)
{
	return class == INSN_BRANCH || class == INSN_JUMP || class == INSN_CALL;
}

const char *machine_name(enum machine machine)
{
	return machine_names[machine];
}

const char *machine_register_name(enum machine machine, unsigned number)
{
	return number < NR_INSN_REGISTERS ? register_names[machine][number] : NULL;
}

void insn_unknown(uint64_t pc, size_t len, struct insn *out)
{
	*out = (struct insn){.pc = pc,
			     .length = (uint8_t)(len < MAX_INSN_BYTES ? len : MAX_INSN_BYTES),
			     .class = INSN_UNKNOWN,
			     .destination = NO_REGISTER};
	memset(out->source, NO_REGISTER, sizeof(out->source));
}
