/* Histogram updates, for execute.c: ipu.hist and ipu.histin.
 *
 * A descriptor is 16 bytes of data memory at a multiple of 4, four words, of which the third is four bytes:
 *
 *	0	address of the counters: 32-bit words, at a multiple of 4, all of them inside the store window
 *	4	nr_bins, how many counters there are
 *	8	nr_lanes, lane_bits, shift, mode
 *	12	limit: a counter that is there, or above, stays what it is
 *
 * Mode VALUES: lane i is the lane_bits bits of the value from bit i * lane_bits on; the counter of bin lane >> shift
 * goes up by one, the last one's where there is no such bin. Mode FLAGS: lane i is bit i of the value, or, of input
 * registers, bit 0 of the i-th from the one that is named on; where it is set, counter i goes up by one. Source:
 * dissertation, section 2.3, for what is counted; the descriptor is ours.
 */
#ifndef SAHM_IPU_CORE_LANES_INTERNAL_H
#define SAHM_IPU_CORE_LANES_INTERNAL_H

#include "ipu/core/hart.h"

#define LANES_MAX_BINS 8192u
#define LANES_MAX 32u
#define LANES_A_CYCLE 4u

enum lanes_mode { LANES_VALUES, LANES_FLAGS, NR_LANES_MODES };

/* In the place of an input register's number: the value comes from a register. */
#define LANES_OF_VALUE NR_INPUTS

/* Counts the lanes of `value`, which has `nr_bits`, in the histogram whose descriptor is at `descriptor`; `input` is
 * the number of the input register that holds the value, or LANES_OF_VALUE. Cycles beyond the first are added to
 * nr_extra. HART_NONE, or a fault, with h->address set and nothing else changed. */
enum hart_cause lanes_count(struct hart *h, uint32_t descriptor, uint64_t value, unsigned nr_bits, unsigned input);

#endif
