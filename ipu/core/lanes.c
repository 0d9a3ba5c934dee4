/* Histogram updates. */
#include "ipu/core/lanes_internal.h"

#include "ipu/core/bytes_internal.h"
#include "ipu/core/code_internal.h"

enum { DESCRIPTOR_BYTES = 16, COUNTER_BYTES = 4 };

struct lanes {
	uint32_t counters, nr_bins, limit;
	uint32_t nr, bits, shift, mode;
};

static enum hart_cause fault(struct hart *h, enum hart_cause cause, uint32_t address)
{
	h->address = address;
	return cause;
}

static bool makes_sense(const struct lanes *l, unsigned nr_bits, unsigned input)
{
	if (l->nr_bins < 1 || l->nr_bins > LANES_MAX_BINS || l->nr < 1 || l->nr > LANES_MAX)
		return false;
	if (l->mode == LANES_VALUES)
		return l->bits >= 1 && l->bits <= 32 && l->shift < l->bits && l->nr * l->bits <= nr_bits;
	return l->mode == LANES_FLAGS && l->bits == 1 && l->shift == 0 && l->nr <= l->nr_bins &&
	       (input == LANES_OF_VALUE || l->nr <= NR_INPUTS - input);
}

/* The descriptor, taken apart. */
static enum hart_cause read_descriptor(struct hart *h, uint32_t address, struct lanes *l)
{
	const uint8_t *bytes = hart_bytes(h, address, DESCRIPTOR_BYTES);
	if (!bytes)
		return fault(h, HART_LOAD_OUTSIDE, address);
	if (address % 4 != 0)
		return fault(h, HART_LOAD_MISALIGNED, address);
	uint32_t shape = peek(bytes + 8, 4);
	*l = (struct lanes){
		.counters = peek(bytes, 4),
		.nr_bins = peek(bytes + 4, 4),
		.limit = peek(bytes + 12, 4),
		.nr = shape & 255,
		.bits = shape >> 8 & 255,
		.shift = shape >> 16 & 255,
		.mode = shape >> 24,
	};
	return HART_NONE;
}

/* The counters, of which there are not too many, as host memory. Memory whose stores the host wants to see does not
 * count. */
static enum hart_cause find_counters(struct hart *h, const struct lanes *l, uint8_t **counters)
{
	uint32_t nr_bytes = COUNTER_BYTES * l->nr_bins, at = l->counters - h->stores.base;
	if (at > h->stores.limit[0] || nr_bytes > h->stores.limit[0] - at)
		return fault(h, HART_STORE_OUTSIDE, l->counters);
	if (l->counters % COUNTER_BYTES != 0)
		return fault(h, HART_STORE_MISALIGNED, l->counters);
	*counters = hart_bytes(h, l->counters, nr_bytes);
	return HART_NONE;
}

ALWAYS_INLINE void count(uint8_t *counter, uint32_t limit)
{
	uint32_t nr = peek(counter, COUNTER_BYTES);
	if (nr < limit)
		poke(counter, COUNTER_BYTES, nr + 1);
}

enum hart_cause lanes_count(struct hart *h, uint32_t descriptor, uint64_t value, unsigned nr_bits, unsigned input)
{
	struct lanes l;
	uint8_t *counters;
	enum hart_cause cause = read_descriptor(h, descriptor, &l);
	if (cause != HART_NONE)
		return cause;
	if (!makes_sense(&l, nr_bits, input))
		return fault(h, HART_HISTOGRAM_SHAPE, descriptor);
	cause = find_counters(h, &l, &counters);
	if (cause != HART_NONE)
		return cause;
	uint32_t mask = UINT32_MAX >> (32 - l.bits);
	for (uint32_t i = 0; i < l.nr; i++) {
		uint64_t from =
			l.mode == LANES_FLAGS && input != LANES_OF_VALUE ? h->inputs[input + i] : value >> i * l.bits;
		uint32_t lane = (uint32_t)from & mask, bin = lane >> l.shift;
		if (l.mode == LANES_FLAGS) {
			if (lane)
				count(counters + COUNTER_BYTES * i, l.limit);
			continue;
		}
		if (bin >= l.nr_bins)
			bin = l.nr_bins - 1;
		count(counters + COUNTER_BYTES * bin, l.limit);
	}
	h->nr_extra += (l.nr - 1) / LANES_A_CYCLE;
	return HART_NONE;
}
