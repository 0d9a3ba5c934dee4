/* Chips within a budget: how much larger than a baseline core may another core be?
 *
 * Areas are relative to that of a baseline core, and so is the budget: with one of 8, 8 baseline cores fit, or 5
 * specialised ones of 1.6. What a chip does, its throughput (STP), depends on its cores and not on their areas; so each
 * chip is evaluated once, and what follows from areas is arithmetic. A chip of b baseline cores and s others fits a
 * budget B as long as the others are at most (B - b) / s in size: of all chips with at least some throughput, the
 * largest of these is the *break-even area*. In the same way all of this is about power, if that is what is limited.
 */
#ifndef SAHM_SIM_SWEEP_BUDGET_H
#define SAHM_SIM_SWEEP_BUDGET_H

#include <stddef.h>

#include "sim/sweep/mix.h"

/* The first two of a chip's types; all later ones are specialised. */
enum { BUDGET_TYPE_BASELINE, BUDGET_TYPE_GENERAL, BUDGET_NR_UNSPECIALISED };

/* Chips by what they are made of; a mixed one has specialised cores, and may have baseline ones. */
enum budget_family { BUDGET_BASELINE, BUDGET_GENERAL, BUDGET_SPECIALISED, BUDGET_MIXED, NR_BUDGET_FAMILIES };

struct budget_chip {
	uint32_t counts[MAX_MIX_TYPES];
	double stp;
};

struct budget_chips {
	struct budget_chip *chips; /* [nr] */
	size_t nr;
	uint32_t nr_types;
};

/* The chip of the family that has the highest throughput within max_area_mm2 and max_power_w of `prices`, of equal ones
 * that with the fewest cores, then the first; NULL: none fits. */
const struct budget_chip *budget_best(const struct budget_chips *c, const struct mix_space *prices,
				      enum budget_family family);

/* The same where each core but baseline ones has the area `area`. */
const struct budget_chip *budget_best_at(const struct budget_chips *c, double budget, double area,
					 enum budget_family family);

/* The largest area of cores, baseline ones apart, with which `chip` fits `budget`; below 0: with none. `chip` has such
 * cores. */
double budget_fits_up_to(const struct budget_chips *c, const struct budget_chip *chip, double budget);

/* The break-even area: the largest with which a chip of the family reaches `stp`; NAN: no chip does. */
double budget_break_even(const struct budget_chips *c, double budget, enum budget_family family, double stp);

/* The same for large chips, which are many copies of one of `cores` cores, so that nothing is left over of the budget:
 * the rival has the throughput `stp` per area of a baseline core. NAN: no chip has this number of cores. */
double budget_break_even_large(const struct budget_chips *c, uint32_t cores, enum budget_family family, double stp);

#endif
