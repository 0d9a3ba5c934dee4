/* The state of the thread that runs, from smoothed metrics and with hysteresis: it does not flicker where a metric
 * stays near its cut.
 *
 * Each of the four quotients is averaged exponentially: s += (q - s) / 2^smoothing. A component enters its state when
 * the average is above cut * (1 + hysteresis) and leaves it below cut * (1 - hysteresis). When another thread runs than
 * before, the average restarts with its first epoch, which is compared only with the threshold.
 *
 * Inputs: ABI spec "core", the counters and `thread`. Packets: one word for each set, as those of classify.c. Costs:
 * some 600 cycles for each set: the processor divides 32 bits, and quotients need 64.
 * Settable, before power-on: cut_branch, cut_l1i, cut_l1d, cut_l2, in thousand-millionths; smoothing, from 0 (none) to
 * 16; hysteresis_permille, from 0 to 1000.
 *
 * Averages have 8 bits after the thousand-millionth. Counters beyond 32 bits lose their lower bits, by which a
 * quotient q can become wrong by (1 + q) * 2^-31. Quotients and cuts end at 2^40 thousand-millionths. A denominator of
 * 0 makes a quotient of 0.
 */
#include "states.h"

uint32_t smoothing = 2;
uint32_t hysteresis_permille = 250;

#define NR_METRICS 4
#define FRACTION_BITS 8
#define MAX_PPB (UINT64_C(1) << 40)

struct metric {
	int64_t average, cut, enter, leave; /* in 2^-FRACTION_BITS thousand-millionths */
};

static struct metric metrics[NR_METRICS];
static uint32_t state, of_thread, has_thread;

static void set_cut(struct metric *m, uint64_t cut)
{
	uint32_t h = hysteresis_permille > 1000 ? 1000 : hysteresis_permille;
	uint64_t scaled = (cut > MAX_PPB ? MAX_PPB : cut) << FRACTION_BITS;
	m->cut = (int64_t)scaled;
	m->enter = (int64_t)(scaled * (1000 + h) / 1000);
	m->leave = (int64_t)(scaled * (1000 - h) / 1000);
}

void init(void)
{
	set_cut(&metrics[0], cut_branch);
	set_cut(&metrics[1], cut_l1i);
	set_cut(&metrics[2], cut_l1d);
	set_cut(&metrics[3], cut_l2);
	if (smoothing > 16)
		smoothing = 16;
}

/* num / den in thousand-millionths. */
static uint64_t quotient(uint64_t num, uint64_t den)
{
	while ((num | den) >> 32) {
		num >>= 1;
		den >>= 1;
	}
	if (den == 0)
		return num ? MAX_PPB : 0;
	uint64_t q = num * PPB_ONE / den;
	return q > MAX_PPB ? MAX_PPB : q;
}

static void update(unsigned i, uint64_t num, uint64_t den, uint32_t is_first)
{
	struct metric *m = &metrics[i];
	int64_t q = den ? (int64_t)(quotient(num, den) << FRACTION_BITS) : 0;
	uint32_t bit = UINT32_C(1) << i;
	m->average = is_first ? q : m->average + ((q - m->average) >> smoothing);
	if (m->average > (is_first ? m->cut : m->enter))
		state |= bit;
	else if (is_first || m->average < m->leave)
		state &= ~bit;
}

void _main(void)
{
	uint32_t now = thread(), is_first = !has_thread || now != of_thread;
	has_thread = 1;
	of_thread = now;
	update(0, branch_misses_64(), branches_64(), is_first);
	update(1, l1i_misses_64(), instructions_64(), is_first);
	update(2, l1d_misses_64(), l1d_accesses_64(), is_first);
	update(3, l2_misses_64(), l2_accesses_64(), is_first);
	send_state(state, now);
}
