#include "cores/instruction.h"

#include <string.h>

static const struct {
	const char *name, *help;
	bool is_branch;
} classes[NR_INSTRUCTION_CLASSES] = {
#define INSTRUCTION_CLASS(suffix, name, is_branch, help) [INSTRUCTION_##suffix] = {name, help, is_branch},
#include "cores/instruction_class_list.h"
#undef INSTRUCTION_CLASS
};

static const char *const machine_names[NR_MACHINES] = {[MACHINE_X86_64] = "x86-64", [MACHINE_RV64] = "riscv64"};

static const char *const register_names[NR_MACHINES][NR_REGISTERS] = {
#define REGISTER(machine, number, name) [MACHINE_##machine][number] = name,
#include "cores/register_name_list.h"
#undef REGISTER
};

const char *instruction_class_name(enum instruction_class class)
{
	return classes[class].name;
}

const char *instruction_class_help(enum instruction_class class)
{
	return classes[class].help;
}

bool instruction_is_branch(enum instruction_class class)
{
	return classes[class].is_branch;
}

bool instruction_has_target(enum instruction_class class)
{
	return class == INSTRUCTION_BRANCH || class == INSTRUCTION_JUMP || class == INSTRUCTION_CALL;
}

const char *machine_name(enum machine machine)
{
	return machine_names[machine];
}

const char *machine_register_name(enum machine machine, unsigned number)
{
	return number < NR_REGISTERS ? register_names[machine][number] : NULL;
}

void instruction_unknown(uint64_t pc, size_t len, struct instruction *out)
{
	*out = (struct instruction){.pc = pc,
				    .length = (uint8_t)(len < MAX_INSTRUCTION_BYTES ? len : MAX_INSTRUCTION_BYTES),
				    .class = INSTRUCTION_UNKNOWN,
				    .destination = NO_REGISTER};
	memset(out->source, NO_REGISTER, sizeof(out->source));
}
