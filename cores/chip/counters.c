#include "cores/chip/counters.h"

#include <string.h>

const struct counter_row counter_rows[NR_COUNTERS] = {
#define COUNTER(suffix, name, required, part_of, help) {name, required, COUNTER_##part_of, help},
#include "cores/chip/counter_list.h"
#undef COUNTER
};

bool counter_find(const char *name, size_t len, enum counter *c)
{
	for (int i = 0; i < NR_COUNTERS; i++) {
		if (strlen(counter_rows[i].name) == len && memcmp(counter_rows[i].name, name, len) == 0) {
			*c = (enum counter)i;
			return true;
		}
	}
	return false;
}

bool counters_contradict(const struct epoch_counts *e, enum counter *c)
{
	/* Nearly always false: all rows at once, without a branch for each. */
#define COUNTER(suffix, name, required, part_of, help) | (e->count[COUNTER_##suffix] > e->count[COUNTER_##part_of])
	if (!(0
#include "cores/chip/counter_list.h"
	      ))
		return false;
#undef COUNTER
	for (int i = 0; i < NR_COUNTERS; i++) {
		if (e->count[i] > e->count[counter_rows[i].part_of]) {
			*c = (enum counter)i;
			return true;
		}
	}
	return false;
}
