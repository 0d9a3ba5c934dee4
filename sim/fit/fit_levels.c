/* Typical values of the metrics.
 *
 * Where a metric is LOW, a program's typical value is exp(a + g x the mean of its four orders): under the study's
 * cuts p25 most epochs stress everything or little, so that what is low is low together. Where a metric is HIGH, it is
 * the cut x (1 + e x exp(HIGH_SLOPE x order)), but for mispredicted branches, of which the published ratio is taken.
 * The numbers are moved until the percentiles over all epochs of the generated suite are the study's. Both percentiles
 * of Branch, L1I and L1D are LOW values: they tell which order stands at them, and with that a and g. Of L2 the 25th is
 * LOW and gives a, the 50th is HIGH and gives e.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/fit/fit.h"

#define MAX_ROUNDS 40
/* Percentiles are close enough at this part of their value: the claims allow 10 %. */
#define CLOSE 0.01
/* Typical values keep away from the cut, to the given part of it. */
#define MOST_LOW 0.9
#define LEAST_HIGH 1.3
#define HIGH_SLOPE 0.7
#define L2_LOW_SLOPE 0.4

struct line {
	double a, g; /* LOW */
	double e;    /* HIGH */
};

static double cut_of(unsigned c)
{
	struct cuts cuts;
	cuts_named(DEFAULT_CUTS, &cuts);
	return cuts_get(&cuts, (enum component)c);
}

static double mean_order(const struct program *p)
{
	double sum = 0;
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		sum += p->order[c];
	return sum / NR_COMPONENTS;
}

static void set_levels(struct fit *f, const struct line lines[NR_COMPONENTS])
{
	for (size_t i = 0; i < f->nr; i++) {
		struct program *p = &f->programs[i];
		double of_all = mean_order(p);
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			double cut = cut_of(c);
			double high = c == COMPONENT_BRANCH ? p->branch_pct
							    : cut * (1 + lines[c].e * exp(HIGH_SLOPE * p->order[c]));
			p->low[c] = fmin(MOST_LOW * cut, exp(lines[c].a + lines[c].g * of_all));
			p->high[c] = fmin(90, fmax(LEAST_HIGH * cut, high));
		}
	}
}

/* Percentiles of component `c` that were published, and those that were measured. */
static void percentiles_of(unsigned c, const double ours[NR_CLAIMS], double wanted[2], double got[2])
{
	static const enum claim claims[NR_COMPONENTS][2] = {
#define METRIC(suffix, ...) [COMPONENT_##suffix] = {CLAIM_P25_##suffix, CLAIM_P50_##suffix},
#include "cores/chip/metric_list.h"
#undef METRIC
	};
	for (unsigned i = 0; i < 2; i++) {
		wanted[i] = strtod(claim_rows[claims[c][i]].expected, NULL);
		got[i] = ours[claims[c][i]];
	}
}

static void correct(unsigned c, const double wanted[2], const double got[2], struct line *l)
{
	if (wanted[1] < cut_of(c)) {
		double at25 = (log(got[0]) - l->a) / l->g, at50 = (log(got[1]) - l->a) / l->g;
		l->g = log(wanted[1] / wanted[0]) / fmax(at50 - at25, 0.05);
		l->a = log(wanted[0]) - l->g * at25;
	} else {
		l->a += log(wanted[0] / got[0]);
		l->e *= (wanted[1] - cut_of(c)) / fmax(got[1] - cut_of(c), 0.01 * cut_of(c));
	}
}

static void begin(struct line lines[NR_COMPONENTS])
{
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		lines[c] = (struct line){log(cut_of(c) / 4), c == COMPONENT_L2 ? L2_LOW_SLOPE : 1, 1};
}

void fit_begin_levels(struct fit *f)
{
	struct line lines[NR_COMPONENTS];
	begin(lines);
	set_levels(f, lines);
}

enum sahm_status fit_levels(struct fit *f, struct sahm_err *err)
{
	struct line lines[NR_COMPONENTS];
	double ours[NR_CLAIMS], wanted[2], got[2], worst = INFINITY;
	begin(lines);
	for (unsigned round = 0; round < MAX_ROUNDS; round++) {
		set_levels(f, lines);
		enum sahm_status status = fit_measure(f, ours, err);
		if (status != SAHM_OK)
			return status;
		worst = 0;
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			percentiles_of(c, ours, wanted, got);
			for (unsigned i = 0; i < 2; i++)
				worst = fmax(worst, fabs(got[i] / wanted[i] - 1));
		}
		if (worst < CLOSE)
			break;
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			percentiles_of(c, ours, wanted, got);
			correct(c, wanted, got, &lines[c]);
		}
	}
	fprintf(stderr, "levels: percentiles within %.2g %%\n", worst * 100);
	return worst < 0.1 ? SAHM_OK : sahm_fail(err, SAHM_TOOL, "no typical values give the percentiles");
}
