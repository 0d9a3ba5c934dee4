/* The decoder of x86-64 against objdump on the machine's own C library, xz and this program: lengths, kinds of branches
 * and their targets. Skips (exit code 77) where there is no objdump, or the machine is another one. */
#include "tests/unit/cores/isa/objdump_lines.h"
#include "tests/unit/test.h"

static struct x86_decoder *d;
static unsigned nr_unknown, nr_with_target, nr_by_class[NR_INSN_CLASSES];

/* What Capstone does not know: AVX-512, which begins with 62 or works on masks, and protection keys. */
static bool may_be_unknown(const struct objdump_line *line)
{
	return line->bytes[0] == 0x62 || (line->mnemonic[0] == 'k' && line->bytes[0] >= 0xc4) ||
	       strstr(line->mnemonic, "pkru") || strstr(line->mnemonic, "(bad)");
}

static bool is_prefix(const char *word)
{
	static const char *const prefixes[] = {"bnd", "notrack", "rep",	   "repz",     "repnz",	   "lock", "cs", "ds",
					       "es",  "data16",	 "addr32", "xacquire", "xrelease", "fs",   "gs", "ss"};
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strcmp(word, prefixes[i]) == 0)
			return true;
	return strncmp(word, "rex", 3) == 0;
}

/* The mnemonic after prefixes, and its operands. */
static void strip(const struct objdump_line *line, char mnemonic[32], const char **operands)
{
	strcpy(mnemonic, line->mnemonic);
	*operands = line->operands;
	while (is_prefix(mnemonic) && sscanf(*operands, "%31s", mnemonic) == 1) {
		*operands = strstr(*operands, mnemonic) + strlen(mnemonic);
		while (**operands == ' ')
			(*operands)++;
	}
}

static enum insn_class branch_of(const char *mnemonic, const char *operands)
{
	bool is_indirect = operands[0] == '*';
	if (strncmp(mnemonic, "jmp", 3) == 0)
		return is_indirect ? INSN_INDIRECT_JUMP : INSN_JUMP;
	if (strncmp(mnemonic, "call", 4) == 0)
		return is_indirect ? INSN_INDIRECT_CALL : INSN_CALL;
	if (mnemonic[0] == 'j' || strncmp(mnemonic, "loop", 4) == 0)
		return INSN_BRANCH;
	return strncmp(mnemonic, "ret", 3) == 0 ? INSN_RETURN : INSN_UNKNOWN;
}

static void check(const struct objdump_line *line)
{
	struct insn in;
	char mnemonic[32];
	const char *operands;
	if (!decode_x86(d, line->pc, line->bytes, line->nr_bytes, &in)) {
		if (!may_be_unknown(line))
			fail_msg("0x%llx: %s %s is not known", (unsigned long long)line->pc, line->mnemonic,
				 line->operands);
		nr_unknown++;
		return;
	}
	strip(line, mnemonic, &operands);
	/* A wait for x87 before it is a separate instruction. */
	if (in.length != line->nr_bytes && !(mnemonic[0] == 'f' && line->bytes[0] == 0x9b))
		fail_msg("0x%llx: %s %s has length %u", (unsigned long long)line->pc, line->mnemonic, line->operands,
			 in.length);
	enum insn_class class = branch_of(mnemonic, operands);
	if (class != INSN_UNKNOWN ? in.class != class : insn_is_branch((enum insn_class)in.class))
		fail_msg("0x%llx: %s %s is %s", (unsigned long long)line->pc, line->mnemonic, line->operands,
			 insn_class_name((enum insn_class)in.class));
	uint64_t target = insn_has_target(class) ? strtoull(operands, NULL, 16) : 0;
	if (in.target != target)
		fail_msg("0x%llx: %s %s leads to 0x%llx", (unsigned long long)line->pc, line->mnemonic, line->operands,
			 (unsigned long long)in.target);
	nr_by_class[in.class]++;
	nr_with_target += target != 0;
}

static void test_programs(void **state)
{
	(void)state;
	assert_int_equal(x86_decoder_new(&d, NULL), SAHM_OK);
	unsigned nr = for_objdump_lines(
		"for f in $(sed -n 's/.* \\(\\/.*\\/lib\\)c[.]so[.]6$/\\1c.so.6 \\1m.so.6/p' "
		"/proc/self/maps | sort -u) /usr/bin/xz; do objdump -d -w -j .text --insn-width=16 \"$f\"; done "
		"2> /dev/null",
		false, check);
	x86_decoder_free(d);
	print_message("%u instructions, %u with a target, %u unknown\n", nr, nr_with_target, nr_unknown);
	assert_true(nr > 100000 && nr_with_target > 30000 && nr_unknown < nr / 50);
	for (unsigned i = 0; i < NR_INSN_CLASSES; i++)
		if (nr_by_class[i] == 0 && i != INSN_UNKNOWN)
			fail_msg("no instruction was of class %s", insn_class_name((enum insn_class)i));
}

TEST_FILE(test_decode_x86_objdump)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
	};
	if (system("command -v objdump > /dev/null && [ \"$(uname -m)\" = x86_64 ]") != 0) {
		printf("no objdump for x86-64\n");
		return TEST_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
