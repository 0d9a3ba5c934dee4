/* Counts accesses to a range of addresses, as a watchpoint would stop at them.
 *
 * Inputs: address (64 bits, register 0) and is_write (1 bit, register 1) of the ABI spec "memory_access". Packets: two
 * words, how many accesses hit the range since the last packet, and how many of them were writes; one for every
 * `watch_period` hits, and one of finish() for what is left. Costs: up to 35 cycles for each access.
 * Settable, before power-on: watch_first and watch_end, the first address of the range and the first one after it;
 * watch_period, at least 1.
 */
#include "introspect.h"

IPU_INPUT(address, 0, 64)
IPU_INPUT(is_write, 1, 1)

uint64_t watch_first, watch_end;
uint32_t watch_period = 1000;

static uint32_t nr_hits, nr_writes;

static __attribute__((noinline)) void send_counts(void)
{
	ipu_put32(nr_hits);
	ipu_put32(nr_writes);
	ipu_send();
	nr_hits = nr_writes = 0;
}

void _main(void)
{
	uint64_t at = address_64();
	if (at < watch_first || at >= watch_end)
		return;
	nr_writes += is_write();
	if (++nr_hits >= watch_period)
		send_counts();
}

static __attribute__((noinline)) void send_rest(void)
{
	if (nr_hits)
		send_counts();
}

void finish(void)
{
	send_rest();
}
