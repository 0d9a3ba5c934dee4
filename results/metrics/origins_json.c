#include "results/metrics/origins_json.h"

static void write_array(struct jwriter *j, const char *key, uint16_t set)
{
	jwrite_begin_array(j, key, true);
	for (unsigned c = 0; c < NR_COUNTERS; c++)
		if (set >> c & 1)
			jwrite_string(j, NULL, counter_rows[c].name);
	jwrite_end_array(j);
}

void origins_write_json(struct counter_origins o, struct jwriter *j)
{
	write_array(j, "assumed_counters", o.assumed);
	write_array(j, "modelled_counters", o.modelled);
}
