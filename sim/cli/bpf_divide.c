#include "sim/cli/bpf_divide.h"

#include <string.h>

/* Divisions by the size of their operand: by 0 they leave the dividend as the remainder, and 0; by -1 the dividend
 * with its sign changed, and 0. */
static const struct {
	const char *suffix, *by_zero, *by_minus_one;
} sizes[] = {
	{"q", "\tmovq\t%rax, %rdx\n\txorl\t%eax, %eax\n", "\tnegq\t%rax\n\txorl\t%edx, %edx\n"},
	{"l", "\tmovl\t%eax, %edx\n\txorl\t%eax, %eax\n", "\tnegl\t%eax\n\txorl\t%edx, %edx\n"},
	{"w", "\tmovw\t%ax, %dx\n\txorl\t%eax, %eax\n", "\tnegw\t%ax\n\txorl\t%edx, %edx\n"},
	{"b", "\tmovb\t%al, %ah\n\tmovb\t$0, %al\n", "\tnegb\t%al\n\tmovb\t$0, %ah\n"},
};

/* Labels that compilers do not use. */
#define DIVIDES "9871"
#define IS_DONE "9872"
#define IS_OTHER "9873"

/* Which of the sizes the instruction at `line` divides, -1: it is no division; its operand begins at *operand. */
static int size_of_division(const char *line, size_t len, const char **operand)
{
	const char *at = line, *end = line + len;
	while (at < end && (*at == '\t' || *at == ' '))
		at++;
	at += at < end && *at == 'i';
	if (end - at < 5 || strncmp(at, "div", 3) != 0 || (at[4] != '\t' && at[4] != ' '))
		return -1;
	for (int i = 0; i < (int)(sizeof(sizes) / sizeof(sizes[0])); i++) {
		if (at[3] != *sizes[i].suffix)
			continue;
		*operand = at + 5;
		return i;
	}
	return -1;
}

/* Jumps past the division where the operand is 0, or -1, with which the smallest number overflows. */
static void write_tests(int size, const char *line, size_t len, const char *operand, struct textbuf *out)
{
	int operand_len = (int)(line + len - operand);
	textbuf_printf(out, "\tcmp%s\t$0, %.*s\n\tjne\t" IS_OTHER "f\n%s\tjmp\t" IS_DONE "f\n" IS_OTHER ":\n",
		       sizes[size].suffix, operand_len, operand, sizes[size].by_zero);
	if (line[strspn(line, "\t ")] == 'i')
		textbuf_printf(out, "\tcmp%s\t$-1, %.*s\n\tjne\t" DIVIDES "f\n%s\tjmp\t" IS_DONE "f\n" DIVIDES ":\n",
			       sizes[size].suffix, operand_len, operand, sizes[size].by_minus_one);
}

void bpf_divide_rewrite(const char *assembly, struct textbuf *out)
{
	while (*assembly) {
		size_t len = strcspn(assembly, "\n");
		const char *operand;
		int size = size_of_division(assembly, len, &operand);
		if (size >= 0)
			write_tests(size, assembly, len, operand, out);
		textbuf_printf(out, "%.*s\n", (int)len, assembly);
		if (size >= 0)
			textbuf_puts(out, IS_DONE ":\n");
		assembly += len;
		assembly += *assembly == '\n';
	}
}
