#include "sim/cli/bpf_divide.h"

#include <string.h>

/* Divisions by the size of their operand, and what they leave where that is 0: the dividend as the remainder, and 0. */
static const struct {
	const char *suffix, *result;
} sizes[] = {
	{"q", "\tmovq\t%rax, %rdx\n\txorl\t%eax, %eax\n"},
	{"l", "\tmovl\t%eax, %edx\n\txorl\t%eax, %eax\n"},
	{"w", "\tmovw\t%ax, %dx\n\txorl\t%eax, %eax\n"},
	{"b", "\tmovb\t%al, %ah\n\tmovb\t$0, %al\n"},
};

/* Labels that compilers do not use. */
#define DIVIDES "9871"
#define IS_DONE "9872"

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

void bpf_divide_rewrite(const char *assembly, struct textbuf *out)
{
	while (*assembly) {
		size_t len = strcspn(assembly, "\n");
		const char *operand;
		int size = size_of_division(assembly, len, &operand);
		if (size >= 0) {
			textbuf_printf(
				out, "\tcmp%s\t$0, %.*s\n\tjne\t" DIVIDES "f\n%s\tjmp\t" IS_DONE "f\n" DIVIDES ":\n",
				sizes[size].suffix, (int)(assembly + len - operand), operand, sizes[size].result);
		}
		textbuf_printf(out, "%.*s\n", (int)len, assembly);
		if (size >= 0)
			textbuf_puts(out, IS_DONE ":\n");
		assembly += len;
		assembly += *assembly == '\n';
	}
}
