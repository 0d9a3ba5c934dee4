/* ab: tries an L1I prefetcher in the soft logic of an IPU_pro (l1i-entangling), beside a core that does not have it.
 *
 * A packet each `period` cycles of the HIT, and at the end: the soft logic's counters, 64 bits each, the low word
 * first, in the order of its registers: lines fetched, misses without the prefetcher, misses with it, lines prefetched,
 * first uses of these, those that came too early, lines that left unused; then the input sets that the soft logic
 * dropped. The program looks at nothing itself: _main returns at once. Source: dissertation, section 2.5. Settable,
 * before power-on: period, and the module's registers: prefetcher (0 none, 1 next-line, 2 entangling), latency,
 * latency_other, sets, ways, line_shift, entries.
 */
#include "introspect.h"

IPU_INPUT(fetch_pc, 0, 48)

#define NR_COUNTERS 7u
#define COUNTERS 0x40u
#define SOFT_DROPPED(word) (*(volatile uint32_t *)(0x90000018 + 4 * (word)))

uint32_t period = 0x80000000;
uint32_t prefetcher = 2, latency = 15, latency_other = 15, sets = 64, ways = 8, line_shift = 6, entries = 2048;

static void send_counters(void)
{
	for (uint32_t i = 0; i < 2 * NR_COUNTERS; i++)
		ipu_put32(IPU_SOFT_REGISTER(COUNTERS + 4 * i));
	ipu_put32(SOFT_DROPPED(0));
	ipu_put32(SOFT_DROPPED(1));
	ipu_send();
}

static __attribute__((noinline)) void begin(void)
{
	IPU_SOFT_REGISTER(0x00) = prefetcher;
	IPU_SOFT_REGISTER(0x04) = latency;
	IPU_SOFT_REGISTER(0x08) = latency_other;
	IPU_SOFT_REGISTER(0x0c) = sets;
	IPU_SOFT_REGISTER(0x10) = ways;
	IPU_SOFT_REGISTER(0x14) = line_shift;
	IPU_SOFT_REGISTER(0x18) = entries;
	IPU_SOFT_CONTROL = IPU_SOFT_RESET | IPU_SOFT_START;
	ipu_set_timer(period, send_counters);
}

void init(void)
{
	begin();
}

void _main(void)
{
}

/* finish() has room for 16 instructions, so it calls another function. */
static __attribute__((noinline)) void send_last(void)
{
	send_counters();
}

void finish(void)
{
	send_last();
}
