/* The decoder of RV64 against the GNU tools: every instruction of a static program and of the C library that the cross
 * compiler links it with has the length, class, registers, target and text that objdump has. Skips (exit code 77) where
 * there is no cross compiler. */
#include "cores/isa/insn_text.h"
#include "tests/unit/cores/isa/objdump_lines.h"
#include "tests/unit/own_folder.h"
#include "tests/unit/test.h"

#define TOOLS "riscv64-linux-gnu-"

/* Of which class a mnemonic is: the first row with which it begins; how its first operand is used. */
enum first { WRITTEN, READ, BOTH, NONE };

static const struct {
	const char *begins;
	enum insn_class class;
	enum first first;
} mnemonics[] = {
	{"mul", INSN_MULTIPLY, WRITTEN},
	{"div", INSN_DIVIDE, WRITTEN},
	{"rem", INSN_DIVIDE, WRITTEN},
	{"lr.", INSN_ATOMIC, WRITTEN},
	{"sc.", INSN_ATOMIC, WRITTEN},
	{"amo", INSN_ATOMIC, WRITTEN},
	{"fld", INSN_LOAD, WRITTEN},
	{"flw", INSN_LOAD, WRITTEN},
	{"fsd", INSN_STORE, READ},
	{"fsw", INSN_STORE, READ},
	{"fadd", INSN_FP_ADD, WRITTEN},
	{"fsub", INSN_FP_ADD, WRITTEN},
	{"fmin", INSN_FP_ADD, WRITTEN},
	{"fmax", INSN_FP_ADD, WRITTEN},
	{"fmul", INSN_FP_MULTIPLY, WRITTEN},
	{"fmadd", INSN_FP_MULTIPLY_ADD, WRITTEN},
	{"fmsub", INSN_FP_MULTIPLY_ADD, WRITTEN},
	{"fnmadd", INSN_FP_MULTIPLY_ADD, WRITTEN},
	{"fnmsub", INSN_FP_MULTIPLY_ADD, WRITTEN},
	{"fdiv", INSN_FP_DIVIDE, WRITTEN},
	{"fsqrt", INSN_FP_DIVIDE, WRITTEN},
	{"fcvt", INSN_FP_CONVERT, WRITTEN},
	{"fence", INSN_FENCE, NONE},
	{"f", INSN_FP_OTHER, WRITTEN},
	{"csrr", INSN_SYSTEM, WRITTEN},
	{"ecall", INSN_SYSTEM, NONE},
	{"ebreak", INSN_SYSTEM, NONE},
	{"c.ebreak", INSN_SYSTEM, NONE},
	{"jalr", INSN_INDIRECT_JUMP, WRITTEN},
	{"jal", INSN_JUMP, WRITTEN},
	{"b", INSN_BRANCH, READ},
	{"lui", INSN_INTEGER, WRITTEN},
	{"l", INSN_LOAD, WRITTEN},
	{"sb", INSN_STORE, READ},
	{"sh", INSN_STORE, READ},
	{"sw", INSN_STORE, READ},
	{"sd", INSN_STORE, READ},
	{"c.beqz", INSN_BRANCH, READ},
	{"c.bnez", INSN_BRANCH, READ},
	{"c.jr", INSN_INDIRECT_JUMP, READ},
	{"c.jalr", INSN_INDIRECT_JUMP, READ},
	{"c.j", INSN_JUMP, NONE},
	{"c.lui", INSN_INTEGER, WRITTEN},
	{"c.li", INSN_INTEGER, WRITTEN},
	{"c.mv", INSN_INTEGER, WRITTEN},
	{"c.nop", INSN_INTEGER, NONE},
	{"c.addi4spn", INSN_INTEGER, WRITTEN},
	{"c.ld", INSN_LOAD, WRITTEN},
	{"c.lw", INSN_LOAD, WRITTEN},
	{"c.fld", INSN_LOAD, WRITTEN},
	{"c.sd", INSN_STORE, READ},
	{"c.sw", INSN_STORE, READ},
	{"c.fsd", INSN_STORE, READ},
	{"c.", INSN_INTEGER, BOTH},
	/* What is left of the integers: add, sub, and, or, xor, shifts, set, auipc */
	{"a", INSN_INTEGER, WRITTEN},
	{"o", INSN_INTEGER, WRITTEN},
	{"s", INSN_INTEGER, WRITTEN},
	{"x", INSN_INTEGER, WRITTEN},
};

#define NR_MNEMONICS ARRAY_SIZE(mnemonics)

static unsigned nr_by_class[NR_INSN_CLASSES], nr_with_target;

/* The registers of `text`, in order; zero is NO_REGISTER. */
static unsigned registers_of(const char *text, uint8_t *registers, unsigned room)
{
	unsigned nr = 0;
	while (*text) {
		size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");
		if (len == 4 && memcmp(text, "zero", 4) == 0 && nr < room)
			registers[nr++] = NO_REGISTER;
		for (unsigned r = 0; r < NR_INSN_REGISTERS && len > 0; r++) {
			const char *name = machine_register_name(MACHINE_RV64, r);
			if (name && strlen(name) == len && memcmp(name, text, len) == 0 && nr < room)
				registers[nr++] = (uint8_t)r;
		}
		text += len > 0 ? len : 1;
	}
	return nr;
}

static bool is_link(unsigned reg)
{
	return reg == 1 || reg == 5;
}

static enum insn_class class_of_jump(enum insn_class class, unsigned to, unsigned from)
{
	if (class == INSN_JUMP)
		return is_link(to) ? INSN_CALL : INSN_JUMP;
	return is_link(to) ? INSN_INDIRECT_CALL : is_link(from) ? INSN_RETURN : INSN_INDIRECT_JUMP;
}

static bool is_among(uint8_t reg, const uint8_t *registers, unsigned nr)
{
	return memchr(registers, reg, nr) != NULL;
}

/* Names that objdump has for CSRs of higher levels, and a mnemonic that it has for a fence, are not known here. */
static bool has_other_text(const struct objdump_line *line)
{
	return strncmp(line->mnemonic, "csr", 3) == 0 || strcmp(line->mnemonic, "pause") == 0;
}

static void check_text(const struct objdump_line *line, bool has_target)
{
	char theirs[256], ours[INSN_TEXT_BYTES];
	size_t len = strlen(line->operands);
	while (len > 0 && isspace((unsigned char)line->operands[len - 1]))
		len--;
	const char *last = strrchr(line->operands, ',');
	size_t front = !has_target ? len : last ? (size_t)(last + 1 - line->operands) : 0;
	snprintf(theirs, sizeof(theirs), "%s%s%.*s%s%.*s", line->mnemonic, len > 0 ? " " : "", (int)front,
		 line->operands, has_target ? "0x" : "", (int)(len - front), line->operands + front);
	assert_int_equal(insn_text_rv64(line->pc, line->bytes, line->nr_bytes, ours), line->nr_bytes);
	if (strcmp(ours, theirs) != 0 && !has_other_text(line))
		fail_msg("'%s' is '%s'", theirs, ours);
}

static void check(const struct objdump_line *line)
{
	uint8_t named[6], *sources = named;
	unsigned row = 0, nr = registers_of(line->operands, named, 6);
	uint8_t destination = NO_REGISTER;
	struct insn in;
	/* What is made to be none fills gaps. */
	if (strcmp(line->mnemonic, "c.unimp") == 0) {
		assert_false(decode_rv64(line->pc, line->bytes, line->nr_bytes, &in));
		return;
	}
	if (!decode_rv64(line->pc, line->bytes, line->nr_bytes, &in) || in.length != line->nr_bytes)
		fail_msg("%s %s: length %u", line->mnemonic, line->operands, in.length);
	while (row < NR_MNEMONICS && strncmp(line->mnemonic, mnemonics[row].begins, strlen(mnemonics[row].begins)) != 0)
		row++;
	if (row == NR_MNEMONICS)
		fail_msg("%s is in no row", line->mnemonic);
	enum insn_class class = mnemonics[row].class;
	enum first first = mnemonics[row].first;
	/* fence.tso, pause and their kin say in letters what is ordered */
	if (first == NONE)
		nr = 0;
	if ((first == WRITTEN || first == BOTH) && nr > 0)
		destination = named[0];
	if (first == WRITTEN && nr > 0) {
		sources++;
		nr--;
	}
	if (strcmp(line->mnemonic, "c.jalr") == 0)
		destination = 1;
	if (class == INSN_JUMP || class == INSN_INDIRECT_JUMP)
		class = class_of_jump(class, destination, nr > 0 ? sources[0] : NO_REGISTER);
	if (in.class != class)
		fail_msg("%s %s: %s", line->mnemonic, line->operands, insn_class_name((enum insn_class)in.class));
	if (in.destination != destination)
		fail_msg("%s %s: destination %u", line->mnemonic, line->operands, in.destination);
	for (unsigned i = 0; i < nr; i++)
		if (sources[i] != NO_REGISTER && !is_among(sources[i], in.source, MAX_SOURCES))
			fail_msg("%s %s: %u is no source", line->mnemonic, line->operands, sources[i]);
	for (unsigned i = 0; i < MAX_SOURCES; i++)
		if (in.source[i] != NO_REGISTER && !is_among(in.source[i], sources, nr))
			fail_msg("%s %s: source %u", line->mnemonic, line->operands, in.source[i]);
	uint64_t target = insn_has_target(class) ? objdump_target(line) : 0;
	if (in.target != target)
		fail_msg("%s %s: leads to 0x%llx", line->mnemonic, line->operands, (unsigned long long)in.target);
	check_text(line, insn_has_target(class));
	nr_by_class[class]++;
	nr_with_target += target != 0;
}

static void test_program(void **state)
{
	static const char source[] =
		"#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
		"int main(int argc, char **argv) { double x = atof(argv[argc - 1]);\n"
		"printf(\"%g %g %f\\n\", sin(x), pow(x, 0.3), sqrtf((float)fma(x, x, 1))); return 0; }\n";
	char command[512];
	(void)state;
	snprintf(command, sizeof(command), "%s/p.c", own_folder);
	FILE *f = fopen(command, "w");
	assert_non_null(f);
	fputs(source, f);
	fclose(f);
	/* And of what it would be linked with otherwise. */
	snprintf(command, sizeof(command),
		 TOOLS "gcc -O2 -static -o %s/p %s/p.c -lm && for f in %s/p $(" TOOLS
		       "gcc -print-file-name=libc.so.6) $(" TOOLS "gcc -print-file-name=libm.so.6); do " TOOLS
		       "objdump -d -z -w -M no-aliases $f; done",
		 own_folder, own_folder, own_folder);
	unsigned nr = for_objdump_lines(command, true, check);
	print_message("%u instructions, %u with a target\n", nr, nr_with_target);
	assert_true(nr > 200000 && nr_with_target > 40000);
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		if (nr_by_class[i] == 0 && i != INSN_VECTOR && i != INSN_UNKNOWN)
			fail_msg("no instruction was of class %s", insn_class_name((enum insn_class)i));
}

TEST_FILE(test_decode_rv64_objdump)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),
	};
	if (system("command -v " TOOLS "gcc > /dev/null && command -v " TOOLS "objdump > /dev/null") != 0) {
		printf("no " TOOLS "gcc, or no C library for it\n");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
