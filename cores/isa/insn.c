#include "cores/isa/insn.h"

#include <string.h>

static const struct {
	const char *name;
	bool is_branch;
} classes[NR_INSN_CLASSES] = {
#define INSN_CLASS(suffix, name, is_branch, comprises) [INSN_##suffix] = {name, is_branch},
#include "cores/isa/insn_class_list.h"
#undef INSN_CLASS
};

static const char *const machine_names[NR_MACHINES] = {[MACHINE_X86_64] = "x86-64", [MACHINE_RV64] = "riscv64"};

static const char *const register_names[NR_MACHINES][NR_INSN_REGISTERS] = {
#define REGISTER(machine, number, name) [MACHINE_##machine][number] = name,
#include "cores/isa/register_name_list.h"
#undef REGISTER
};

const char *insn_class_name(enum insn_class class)
{
	return classes[class].name;
}

bool insn_is_branch(enum insn_class class)
{
	return classes[class].is_branch;
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
