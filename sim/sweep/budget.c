#include "sim/sweep/budget.h"

#include <math.h>

/* Throughputs are sums of quotients: those that are equal in theory may differ by this share. */
#define ROUNDING 1e-9

static uint32_t nr_cores(const struct budget_chips *c, const struct budget_chip *chip)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < c->nr_types; i++)
		sum += chip->counts[i];
	return sum;
}

static bool is_of(const struct budget_chips *c, const struct budget_chip *chip, enum budget_family family)
{
	uint32_t nr_baseline = chip->counts[BUDGET_TYPE_BASELINE], nr_general = chip->counts[BUDGET_TYPE_GENERAL];
	uint32_t nr_specialised = nr_cores(c, chip) - nr_baseline - nr_general;
	bool is[NR_BUDGET_FAMILIES] = {[BUDGET_BASELINE] = !nr_general && !nr_specialised,
				       [BUDGET_GENERAL] = nr_general && !nr_baseline && !nr_specialised,
				       [BUDGET_SPECIALISED] = nr_specialised && !nr_baseline && !nr_general,
				       [BUDGET_MIXED] = nr_specialised && !nr_general};
	return is[family];
}

const struct budget_chip *budget_best(const struct budget_chips *c, const struct mix_space *prices,
				      enum budget_family family)
{
	const struct budget_chip *best = NULL;
	for (size_t i = 0; i < c->nr; i++) {
		const struct budget_chip *chip = &c->chips[i];
		if (is_of(c, chip, family) && mix_fits(prices, chip->counts) &&
		    (!best || chip->stp > best->stp ||
		     (chip->stp == best->stp && nr_cores(c, chip) < nr_cores(c, best))))
			best = chip;
	}
	return best;
}

const struct budget_chip *budget_best_at(const struct budget_chips *c, double budget, double area,
					 enum budget_family family)
{
	struct mix_space prices = {.nr_types = c->nr_types,
				   .least = 1,
				   .most = MAX_CORES,
				   .max_area_mm2 = budget,
				   .max_power_w = INFINITY};
	for (uint32_t i = 0; i < c->nr_types; i++)
		prices.types[i] =
			(struct mix_type){.most = MAX_CORES, .area_mm2 = i == BUDGET_TYPE_BASELINE ? 1 : area};
	return budget_best(c, &prices, family);
}

double budget_fits_up_to(const struct budget_chips *c, const struct budget_chip *chip, double budget)
{
	uint32_t nr_baseline = chip->counts[BUDGET_TYPE_BASELINE];
	return (budget - nr_baseline) / (nr_cores(c, chip) - nr_baseline);
}

double budget_break_even(const struct budget_chips *c, double budget, enum budget_family family, double stp)
{
	double most = NAN;
	for (size_t i = 0; i < c->nr; i++) {
		const struct budget_chip *chip = &c->chips[i];
		if (is_of(c, chip, family) && chip->stp >= stp * (1 - ROUNDING))
			most = fmax(most, budget_fits_up_to(c, chip, budget));
	}
	return most;
}

/* c copies take c (b + s area), and so does a rival that has stp times this: they are equal where the throughput of one
 * is stp (b + s area), as if it had a budget of its throughput / stp. */
double budget_break_even_large(const struct budget_chips *c, uint32_t cores, enum budget_family family, double stp)
{
	double most = NAN;
	for (size_t i = 0; i < c->nr; i++)
		if (is_of(c, &c->chips[i], family) && nr_cores(c, &c->chips[i]) == cores)
			most = fmax(most, budget_fits_up_to(c, &c->chips[i], c->chips[i].stp / stp));
	return most;
}
