#include "results/studies/value_prediction_study.h"

#include <math.h>

#include "results/studies/value_prediction_study_internal.h"

const struct value_published value_published[NR_VALUE_PUBLISHED] = {
	{"composite predictor, unaware", "published: composite", 40, 6.6},
	{"FVP, aware, 40 % of the main critical loads", "published: FVP", 19, 5.8},
	{"as much as FVP, by Calipers", "published: Calipers", 5, 5.8},
};

static bool is_aware_point(unsigned point)
{
	return point >= NR_UNAWARE_POINTS;
}

const char *value_point_way(unsigned point)
{
	return is_aware_point(point) ? "aware" : "unaware";
}

unsigned value_point_pass(unsigned point)
{
	return is_aware_point(point) ? (point - NR_UNAWARE_POINTS) / AWARE_STEPS + 1 : 0;
}

unsigned value_point_share_pct(unsigned point)
{
	if (!is_aware_point(point))
		return point * (100 / UNAWARE_STEPS);
	return ((point - NR_UNAWARE_POINTS) % AWARE_STEPS + 1) * (100 / AWARE_STEPS);
}

double value_cpi(const struct value_program *p, unsigned point)
{
	return p->instructions > 0 ? (double)p->points[point].cycles / (double)p->instructions : 0;
}

double value_gain_pct(const struct value_program *p, unsigned point)
{
	uint64_t cycles = p->points[point].cycles;
	return cycles > 0 ? 100 * ((double)p->points[0].cycles / (double)cycles - 1) : 0;
}

double value_coverage_pct(const struct value_program *p, unsigned point)
{
	return p->loads > 0 ? 100 * (double)p->points[point].covered / (double)p->loads : 0;
}

/* Cycles that a point saves. */
static double saved(const struct value_program *p, unsigned point)
{
	return (double)p->points[0].cycles - (double)p->points[point].cycles;
}

/* The cycles that the best point saves; 0: too few. */
static double whole_gain(const struct value_program *p)
{
	double most = 0;
	for (unsigned i = 0; i < NR_VALUE_POINTS; i++)
		most = fmax(most, saved(p, i));
	return p->loads > 0 && 100 * most >= VALUE_SMALL_PCT * (double)p->points[0].cycles ? most : 0;
}

double value_most_pct(const struct value_program *p, bool is_aware)
{
	double whole = whole_gain(p);
	unsigned first = is_aware ? NR_UNAWARE_POINTS : 0, end = is_aware ? NR_VALUE_POINTS : NR_UNAWARE_POINTS;
	for (unsigned i = first; i < end && whole > 0; i++)
		if (100 * saved(p, i) >= VALUE_MOST_PCT * whole)
			return value_coverage_pct(p, i);
	return NAN;
}

enum value_verdict value_holds(const struct value_program *p)
{
	if (!(whole_gain(p) > 0))
		return VALUE_SAYS_NOTHING;
	return value_most_pct(p, true) <= VALUE_PAPER_PCT ? VALUE_HOLDS : VALUE_HOLDS_NOT;
}

struct value_program value_study_all(const struct value_program *programs, size_t nr)
{
	struct value_program all = {.stream = "all streams"};
	for (size_t i = 0; i < nr; i++) {
		all.instructions += programs[i].instructions;
		all.loads += programs[i].loads;
		for (unsigned k = 0; k < NR_VALUE_POINTS; k++) {
			all.points[k].covered += programs[i].points[k].covered;
			all.points[k].cycles += programs[i].points[k].cycles;
		}
	}
	return all;
}
