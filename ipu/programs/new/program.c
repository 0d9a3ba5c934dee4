/* @NAME@: counts mispredicted branches; a packet for every `period` sets of inputs.
 *
 * Inputs: branches and branch_misses of the ABI spec "core" (core.cfg). Packets: two words, branches and mispredicted
 * ones since the packet before.
 * Settable, before power-on: period.
 */
#include "introspect.h"

IPU_INPUT(branches, 1, 64)
IPU_INPUT(branch_misses, 2, 64)

uint32_t period = 4;

static uint32_t nr_sets, nr_branches, nr_misses;

static void send_counts(void)
{
	ipu_put32(nr_branches);
	ipu_put32(nr_misses);
	ipu_send();
	nr_sets = nr_branches = nr_misses = 0;
}

void _main(void)
{
	nr_branches += branches();
	nr_misses += branch_misses();
	if (++nr_sets >= period)
		send_counts();
}

/* What is left goes out at the end. finish() has room for 16 instructions, so it calls another function. */
static __attribute__((noinline)) void send_rest(void)
{
	if (nr_sets > 0)
		send_counts();
}

void finish(void)
{
	send_rest();
}
