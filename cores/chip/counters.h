/* Hardware-counter values of one epoch: counts, in events. */
#ifndef SAHM_CORES_CHIP_COUNTERS_H
#define SAHM_CORES_CHIP_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum counter {
#define COUNTER(suffix, name, required, part_of, help) COUNTER_##suffix,
#include "cores/chip/counter_list.h"
#undef COUNTER
	NR_COUNTERS
};

struct counter_row {
	const char *name;
	bool required;
	enum counter part_of;
	const char *help;
};

/* counter_rows[c] describes counter c. */
extern const struct counter_row counter_rows[NR_COUNTERS];

/* Counter whose column name is the `len` bytes at `name`; false when there is none. */
bool counter_find(const char *name, size_t len, enum counter *c);

struct epoch_counts {
	uint64_t count[NR_COUNTERS]; /* indexed by enum counter; cycles are 0 where unknown */
};

/* Finds a counter that exceeds the one that it is part of; false when there is none. */
bool counters_contradict(const struct epoch_counts *e, enum counter *c);

#endif
