/* The state of the thread that runs, from the eight counters of each epoch: the same as the simulator's own classifier
 * gives, for any counters and cuts, in whole numbers.
 *
 * Inputs: ABI spec "core", the counters and `thread`. Packets: one word for each set, the state in bits 0 to 3 (branch,
 * L1I, L1D, L2), the lower 24 bits of the thread in bits 8 to 31. Costs: 79 cycles for each set; up to 340 where a
 * counter or a cut needs more than 32 bits, or a denominator is 0. Settable, before power-on: cut_branch, cut_l1i,
 * cut_l1d, cut_l2, in thousand-millionths of the quotient.
 */
#include "states.h"

void init(void)
{
	states_init();
}

static __attribute__((noinline)) void classify_slowly(void)
{
	send_state(slow_state(), thread());
}

/* Not by state_now(): a call would cost the usual way, too, its registers on the stack. */
void _main(void)
{
	struct denominators d;
	if (is_slow(&d))
		classify_slowly();
	else
		send_state(quick_state(&d), thread());
}
