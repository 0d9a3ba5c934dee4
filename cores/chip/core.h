/* Core types and chips.
 *
 * A core type is, in general, a table of NR_STATES signed speedups over the baseline core, one per state, and two sets
 * of states: those that it *serves* and those that it *matches*. Component speedups, the `general` core and measured
 * tables are ways to write it:
 *   - baseline: speedup 0 everywhere, serves nothing, matches only Low;
 *   - specialised for components: serves and matches every state that stresses one of them, whatever the speedups are
 *     (a 0 % core still serves); where it serves several stressed components, the largest of their speedups counts;
 *   - measured table (and `general`, a table with one value): serves and matches the states with a speedup above 0.
 * Speedups are millionths (30 % = 300,000), above -1,000,000; see sim/base/units.h.
 * A chip is a list of cores in configuration order; core indices are positions in that list. Sets of states are 16-bit
 * masks, bit s for state s.
 * Source: first-order model of the dissertation, sections 4.3 and 4.5.
 */
#ifndef SAHM_CORES_CHIP_CORE_H
#define SAHM_CORES_CHIP_CORE_H

#include "cores/chip/state.h"

/* Largest number of cores in one chip. */
#define MAX_CORES 4096u

struct core_type {
	const char *name; /* display name, such as "L2+Branch"; owned by the creator of the type */
	int32_t speedup_ppm[NR_STATES];
	uint16_t serves;
	uint16_t matches;
};

/* Fills `type` with the baseline core. */
void core_type_baseline(struct core_type *type, const char *name);

/* Fills `type` with a core specialised for the components in `mask` (bits as in states, not 0); `speedup_ppm[c]` is
 * read for the components in the mask only. */
void core_type_specialised(struct core_type *type, const char *name, unsigned mask,
			   const int32_t speedup_ppm[NR_COMPONENTS]);

/* Fills `type` with a measured table of NR_STATES speedups, indexed by state. */
void core_type_table(struct core_type *type, const char *name, const int32_t speedup_ppm[NR_STATES]);

/* Whether a core of `type` serves / matches state `state` (0 to NR_STATES - 1). */
static inline bool core_serves(const struct core_type *type, unsigned state)
{
	return (type->serves >> state) & 1u;
}

static inline bool core_matches(const struct core_type *type, unsigned state)
{
	return (type->matches >> state) & 1u;
}

/* `cores[i]` is the type of core i; nr_cores is 1 to MAX_CORES. The chip owns neither the array nor the types. */
struct chip {
	uint32_t nr_cores;
	const struct core_type *const *cores;
};

#endif
