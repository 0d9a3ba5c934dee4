/* Division as in BPF: x / 0 is 0, x % 0 is x, and the smallest number by -1 is itself. Programs for the kernel rely on
 * it; a division of x86 traps instead. */
#ifndef SAHM_SIM_CLI_BPF_DIVIDE_H
#define SAHM_SIM_CLI_BPF_DIVIDE_H

#include "sim/base/textbuf.h"

/* Writes what a compiler for x86 has written, assembly in AT&T's syntax, with a test before each division of integers.
 * Flags are undefined after a division, so that no other instruction minds the test. */
void bpf_divide_rewrite(const char *assembly, struct textbuf *out);

#endif
