/* @NAME@: starts the soft logic of @NAME@.v, and sends its registers in a packet for every `period` sets of inputs.
 *
 * The module watches the signal; this program only reads its registers. Packets: three words, the sets that the module
 * has seen, the mispredicted branches, and the sets with more than `limit` of them. The module sends packets, too.
 * Settable, before power-on: period, limit.
 */
#include "introspect.h"

/* Offsets of the registers, as in @NAME@.v. */
enum { SETS = 0x00, MISSES = 0x04, BURSTS = 0x0c, LIMIT = 0x10 };

IPU_INPUT(branch_misses, 2, 64)

uint32_t period = 4, limit = 8;

static uint32_t nr_sets;

static void send_registers(void)
{
	ipu_put32(IPU_SOFT_REGISTER(SETS));
	ipu_put32(IPU_SOFT_REGISTER(MISSES));
	ipu_put32(IPU_SOFT_REGISTER(BURSTS));
	ipu_send();
}

void init(void)
{
	IPU_SOFT_REGISTER(LIMIT) = limit;
	IPU_SOFT_CONTROL = IPU_SOFT_START;
}

void _main(void)
{
	if (++nr_sets % period == 0)
		send_registers();
}

/* finish() has room for 16 instructions, so it calls another function. */
static __attribute__((noinline)) void send_last(void)
{
	send_registers();
}

void finish(void)
{
	send_last();
}
