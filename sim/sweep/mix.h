/* Mixes: chips as numbers of cores of given types.
 *
 * A mix says of each of nr_types core types how many cores of it a chip has; a space of mixes is bounded by the number
 * of cores, per type and in all, and, where types have a price (cores/chip/core_costs.h), by area and power. Mixes are
 * ordered: the number of the last type varies fastest, from the lowest to the highest.
 */
#ifndef SAHM_SIM_SWEEP_MIX_H
#define SAHM_SIM_SWEEP_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/chip/core.h"
#include "sim/base/textbuf.h"

#define MAX_MIX_TYPES 16u

/* Highest budget of area or power; higher ones count as none. Prices and budgets count to a millionth of their unit. */
#define MAX_MIX_BUDGET 1e9

struct mix_type {
	const char *type;	  /* as in configurations */
	const char *speedups;	  /* in %, joined by commas; "" for properties of only the type */
	uint32_t least, most;	  /* cores of it */
	double area_mm2, power_w; /* of one core; 0 where there is no such budget */
};

struct mix_space {
	struct mix_type types[MAX_MIX_TYPES];
	uint32_t nr_types;
	uint32_t least, most;		  /* cores in all; from 1 to MAX_CORES */
	double max_area_mm2, max_power_w; /* INFINITY: no such budget */
};

/* Whether a mix keeps within all bounds. */
bool mix_fits(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES]);

/* Puts the first mix into counts[nr_types]; false when there is none. */
bool mix_first(const struct mix_space *space, uint32_t counts[MAX_MIX_TYPES]);

/* Goes on to the next mix; false when there is none. */
bool mix_next(const struct mix_space *space, uint32_t counts[MAX_MIX_TYPES]);

/* How many there are, or `most` if there are more. Without a budget they are counted without going through them. */
uint64_t mix_count(const struct mix_space *space, uint64_t most);

/* What a mix takes; sums in the order of types. */
uint32_t mix_cores(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES]);
double mix_area_mm2(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES]);
double mix_power_w(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES]);

/* Appends the mix in words ("2 baseline + 1 branch 30 %"), and as a setting ("chip.cores=(...)"); types of which it has
 * none are left out. */
void mix_write_label(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES], struct textbuf *out);
void mix_write_cores(const struct mix_type *type, uint32_t count, struct textbuf *out); /* one element of that */
void mix_write_setting(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES], struct textbuf *out);

#endif
