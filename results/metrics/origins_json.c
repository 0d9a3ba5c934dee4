#include "results/metrics/origins_json.h"

#include <stdio.h>

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
	for (unsigned i = 0; i < NR_COUNTER_ORIGINS; i++) {
		char key[32];
		snprintf(key, sizeof(key), "%s_counters", counter_origin_name(i));
		write_array(j, key, o.of[i]);
	}
}
