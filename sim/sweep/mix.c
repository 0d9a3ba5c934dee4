#include "sim/sweep/mix.h"

#include <math.h>
#include <string.h>

#include "sim/base/cfg.h"

/* Prices and budgets are added up and compared in millionths of their units, so that three cores of 0.1 mm2 keep
 * within 0.3 mm2, which they would not in binary fractions. */
#define PARTS 1e6

/* The maximum that the types from one on can still take, however they are chosen: [i] is of types i and later ones. */
struct bounds {
	uint64_t least[MAX_MIX_TYPES + 1], most[MAX_MIX_TYPES + 1];
	bool has_area, has_power;
};

uint32_t mix_cores(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES])
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < space->nr_types; i++)
		sum += counts[i];
	return sum;
}

static uint64_t parts(double amount)
{
	return (uint64_t)llround(amount * PARTS);
}

/* Price of one core of a type, by what is budgeted. */
static uint64_t price(const struct mix_type *type, bool is_power)
{
	return parts(is_power ? type->power_w : type->area_mm2);
}

static uint64_t add_up(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES], bool is_power)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < space->nr_types; i++)
		sum += counts[i] * price(&space->types[i], is_power);
	return sum;
}

double mix_area_mm2(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES])
{
	return (double)add_up(space, counts, false) / PARTS;
}

double mix_power_w(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES])
{
	return (double)add_up(space, counts, true) / PARTS;
}

static bool is_within(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES], bool is_power)
{
	double budget = is_power ? space->max_power_w : space->max_area_mm2;
	return budget > MAX_MIX_BUDGET || add_up(space, counts, is_power) <= parts(budget);
}

bool mix_fits(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES])
{
	uint64_t cores = 0;
	for (uint32_t i = 0; i < space->nr_types; i++) {
		if (counts[i] < space->types[i].least || counts[i] > space->types[i].most)
			return false;
		cores += counts[i];
	}
	return cores >= space->least && cores <= space->most && is_within(space, counts, false) &&
	       is_within(space, counts, true);
}

static struct bounds bounds_of(const struct mix_space *space)
{
	struct bounds b = {.has_area = space->max_area_mm2 <= MAX_MIX_BUDGET,
			   .has_power = space->max_power_w <= MAX_MIX_BUDGET};
	for (uint32_t i = space->nr_types; i-- > 0;) {
		b.least[i] = b.least[i + 1] + space->types[i].least;
		b.most[i] = b.most[i + 1] + space->types[i].most;
	}
	return b;
}

/* What is budgeted; of two budgets also both together, area x budget of power + power x budget of area, since each may
 * be kept separately where no mix keeps both. */
enum budget { BUDGET_AREA, BUDGET_POWER, BUDGET_BOTH };

__extension__ typedef unsigned __int128 wide;

static wide price_by(const struct mix_space *space, const struct mix_type *type, enum budget budget)
{
	wide area = price(type, false), power = price(type, true);
	return budget == BUDGET_AREA	? area
	       : budget == BUDGET_POWER ? power
					: area * parts(space->max_power_w) + power * parts(space->max_area_mm2);
}

static wide budget_of(const struct mix_space *space, enum budget budget)
{
	return budget == BUDGET_AREA	? parts(space->max_area_mm2)
	       : budget == BUDGET_POWER ? parts(space->max_power_w)
					: (wide)2 * parts(space->max_area_mm2) * parts(space->max_power_w);
}

/* Whether no choice of the types after the first `nr`, whose counts make `cores`, keeps within a budget: the cores
 * that are still missing are taken as the cheapest that there are. */
static bool exceeds_budget(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES], uint32_t nr,
			   uint64_t cores, enum budget budget)
{
	wide sum = 0, prices[MAX_MIX_TYPES];
	bool taken[MAX_MIX_TYPES] = {false};
	for (uint32_t i = 0; i < space->nr_types; i++) {
		uint32_t count = i < nr ? counts[i] : space->types[i].least;
		prices[i] = price_by(space, &space->types[i], budget);
		sum += count * prices[i];
		cores += i < nr ? 0 : count;
	}
	uint64_t missing = cores < space->least ? space->least - cores : 0;
	while (missing > 0) {
		uint32_t cheapest = space->nr_types;
		for (uint32_t i = nr; i < space->nr_types; i++)
			if (!taken[i] && (cheapest == space->nr_types || prices[i] < prices[cheapest]))
				cheapest = i;
		if (cheapest == space->nr_types)
			return true;
		const struct mix_type *type = &space->types[cheapest];
		uint64_t room = type->most - type->least, more = room < missing ? room : missing;
		taken[cheapest] = true;
		sum += more * prices[cheapest];
		missing -= more;
	}
	return sum > budget_of(space, budget);
}

static bool cannot_fit(const struct mix_space *space, const struct bounds *b, const uint32_t counts[MAX_MIX_TYPES],
		       uint32_t nr, uint64_t cores)
{
	return (b->has_area && exceeds_budget(space, counts, nr, cores, BUDGET_AREA)) ||
	       (b->has_power && exceeds_budget(space, counts, nr, cores, BUDGET_POWER)) ||
	       (b->has_area && b->has_power && exceeds_budget(space, counts, nr, cores, BUDGET_BOTH));
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Puts the first mix whose counts before `at` are as they are and make `cores`, and whose count of type `at` is at
 * least `from`, into counts[]. Where there are no prices, the bounds of cores leave no useless choice. */
static bool complete(const struct mix_space *space, const struct bounds *b, uint32_t counts[MAX_MIX_TYPES], uint32_t at,
		     uint64_t cores, uint64_t from)
{
	if (at == space->nr_types)
		return mix_fits(space, counts);
	const struct mix_type *type = &space->types[at];
	uint64_t low = less(space->least, cores + b->most[at + 1]);
	uint64_t high = less(space->most, cores + b->least[at + 1]);
	if (cores + b->least[at + 1] > space->most)
		return false;
	low = low > type->least ? low : type->least;
	low = low > from ? low : from;
	high = high < type->most ? high : type->most;
	for (uint64_t count = low; count <= high; count++) {
		counts[at] = (uint32_t)count;
		if (!cannot_fit(space, b, counts, at + 1, cores + count) &&
		    complete(space, b, counts, at + 1, cores + count, 0))
			return true;
	}
	return false;
}

static bool is_empty(const struct mix_space *space)
{
	for (uint32_t i = 0; i < space->nr_types; i++)
		if (space->types[i].least > space->types[i].most)
			return true;
	return space->nr_types == 0;
}

bool mix_first(const struct mix_space *space, uint32_t counts[MAX_MIX_TYPES])
{
	struct bounds b = bounds_of(space);
	memset(counts, 0, MAX_MIX_TYPES * sizeof(*counts));
	return !is_empty(space) && complete(space, &b, counts, 0, 0, 0);
}

bool mix_next(const struct mix_space *space, uint32_t counts[MAX_MIX_TYPES])
{
	struct bounds b = bounds_of(space);
	uint64_t cores = mix_cores(space, counts);
	for (uint32_t at = space->nr_types; at-- > 0;) {
		uint64_t from = (uint64_t)counts[at] + 1;
		cores -= counts[at];
		if (complete(space, &b, counts, at, cores, from))
			return true;
	}
	return false;
}

/* Number of mixes only by numbers of cores, or `most`. */
static uint64_t count_by_cores(const struct mix_space *space, const struct bounds *b, uint64_t most)
{
	/* ways[n]: choices of the first types that make n cores and with which a mix can begin; each of them begins at
	 * least one, so that more choices than fit the type are more mixes than that, too. */
	uint64_t ways[MAX_CORES + 1] = {1}, sums[MAX_CORES + 2], sum = 0;
	for (uint32_t i = 0; i < space->nr_types; i++) {
		const struct mix_type *type = &space->types[i];
		sums[0] = 0;
		for (uint32_t n = 0; n <= space->most; n++)
			if (__builtin_add_overflow(sums[n], ways[n], &sums[n + 1]))
				return most;
		for (uint32_t n = 0; n <= space->most; n++) {
			bool begins = n + b->most[i + 1] >= space->least && n + b->least[i + 1] <= space->most;
			uint32_t from = n > type->most ? n - type->most : 0;
			ways[n] = begins && n >= type->least ? sums[n - type->least + 1] - sums[from] : 0;
		}
	}
	for (uint32_t n = space->least; n <= space->most; n++)
		if (__builtin_add_overflow(sum, ways[n], &sum))
			return most;
	return sum < most ? sum : most;
}

uint64_t mix_count(const struct mix_space *space, uint64_t most)
{
	struct bounds b = bounds_of(space);
	if (!b.has_area && !b.has_power)
		return is_empty(space) ? 0 : count_by_cores(space, &b, most);
	uint32_t counts[MAX_MIX_TYPES];
	uint64_t nr = 0;
	for (bool more = most > 0 && mix_first(space, counts); more; more = nr < most && mix_next(space, counts))
		nr++;
	return nr;
}

void mix_write_label(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES], struct textbuf *out)
{
	const char *between = "";
	for (uint32_t i = 0; i < space->nr_types; i++) {
		const struct mix_type *type = &space->types[i];
		if (counts[i] == 0)
			continue;
		textbuf_printf(out, "%s%u %s", between, counts[i], type->type);
		if (*type->speedups)
			textbuf_printf(out, " %s %%", type->speedups);
		between = " + ";
	}
}

void mix_write_cores(const struct mix_type *type, uint32_t count, struct textbuf *out)
{
	textbuf_puts(out, "{type=");
	cfg_write_string(out, type->type);
	if (*type->speedups) {
		bool is_several = strchr(type->speedups, ',') != NULL;
		textbuf_printf(out, is_several ? ";speedup_pct=(%s)" : ";speedup_pct=%s", type->speedups);
	}
	textbuf_printf(out, ";count=%u;}", count);
}

void mix_write_setting(const struct mix_space *space, const uint32_t counts[MAX_MIX_TYPES], struct textbuf *out)
{
	const char *between = "";
	textbuf_puts(out, "chip.cores=(");
	for (uint32_t i = 0; i < space->nr_types; i++) {
		if (counts[i] == 0)
			continue;
		textbuf_puts(out, between);
		mix_write_cores(&space->types[i], counts[i], out);
		between = ",";
	}
	textbuf_putc(out, ')');
}
