/* Shares of states.
 *
 * A program's share of state s is proportional to f_s x exp(k x sum of its orders over the components that s stresses):
 * the log-linear model in which only the order of programs matters. The sharpness k, by how much programs differ, is
 * the table's: no published number tells it. The factors f_s follow from the average occupancy (iterative proportional
 * fitting: rows sum to 1, columns to the average). Where the table says what a program mostly does, that share stands.
 * The simplex method (Nelder and Mead, GSL) moves the average, from where the table begins, until the claims that
 * occupancies decide hold with room to spare.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/array.h"
#include "sim/fit/fit.h"

#define NR_SWEEPS 60
#define MAX_STEPS 2000

/* What the claims ask for, as the objective counts it: misses in tolerances, and room beyond a bound that other seeds,
 * rounding and later steps may use up. */
#define ROOM_POINTS 0.7
#define ROOM_RATIO 0.15
/* An average that is further than this factor from where the table begins costs as much as missing by a tolerance. */
#define FREE_FACTOR 1.3

static double raw_weight(const struct program *p, unsigned state, double sharpness)
{
	double score = 0;
	for (unsigned c = 0; c < NR_COMPONENTS; c++)
		score += (state >> c) & 1u ? p->order[c] : 0;
	return exp(sharpness * score);
}

static void set_shares(struct fit *f, const double average[NR_STATES])
{
	double factor[NR_STATES], room[NR_STATES];
	for (unsigned s = 0; s < NR_STATES; s++) {
		factor[s] = 1;
		room[s] = average[s] * (double)f->nr;
		for (size_t i = 0; i < f->nr; i++)
			room[s] -= f->programs[i].mostly == s ? f->programs[i].mostly_share : 0;
		/* Settled shares may take up all there is. */
		room[s] = fmax(room[s], 1e-3);
	}
	for (unsigned sweep = 0; sweep < NR_SWEEPS; sweep++) {
		double column[NR_STATES] = {0};
		for (size_t i = 0; i < f->nr; i++) {
			struct program *p = &f->programs[i];
			double sum = 0;
			for (unsigned s = 0; s < NR_STATES; s++) {
				p->share[s] = s == p->mostly ? 0 : factor[s] * raw_weight(p, s, f->sharpness);
				sum += p->share[s];
			}
			for (unsigned s = 0; s < NR_STATES; s++) {
				p->share[s] *= (1 - p->mostly_share) / sum;
				column[s] += p->share[s];
			}
		}
		for (unsigned s = 0; s < NR_STATES; s++)
			factor[s] *= room[s] / column[s];
	}
	for (size_t i = 0; i < f->nr; i++)
		if (f->programs[i].mostly < NR_STATES)
			f->programs[i].share[f->programs[i].mostly] = f->programs[i].mostly_share;
}

static double expected(enum claim c)
{
	return strtod(claim_rows[c].expected, NULL);
}

/* Square of a miss of `ours`, in tolerances of claim `c`. */
static double miss(enum claim c, double ours)
{
	double by = (ours - expected(c)) / strtod(claim_rows[c].tolerance, NULL);
	return by * by;
}

/* The same for a claim that only has a lower bound. */
static double miss_below(double ours, double bound, double room)
{
	double by = fmax(0, (bound + room - ours) / room);
	return by * by;
}

static double cost_of_claims(const struct fit *f, const double average[NR_STATES])
{
	static const enum claim ratios[] = {CLAIM_ALL_30, CLAIM_BRANCH_10, CLAIM_BRANCH_0};
	double shares[MAX_PROGRAMS][NR_STATES], speedups[MAX_PROGRAMS], ours[NR_CLAIMS], least = 1;
	for (size_t i = 0; i < f->nr; i++)
		memcpy(shares[i], f->programs[i].share, sizeof(shares[i]));
	claims_of_shares((const double(*)[NR_STATES])shares, f->nr, speedups, ours);
	double cost = miss(CLAIM_LOW_SHARE, average[STATE_LOW] * 100) + miss(CLAIM_LIMIT, ours[CLAIM_LIMIT]) +
		      miss(CLAIM_BREADTH_MEAN, ours[CLAIM_BREADTH_MEAN]) +
		      miss_below(ours[CLAIM_BREADTH_P25], expected(CLAIM_BREADTH_P25), ROOM_POINTS);
	for (unsigned i = 0; i < ARRAY_SIZE(ratios); i++)
		cost += miss_below(ours[ratios[i]], expected(ratios[i]), ROOM_RATIO);
	for (unsigned i = 0; i < NR_TOP_STATES; i++)
		least = fmin(least, average[claims_top_states[i]]);
	for (unsigned s = 0; s < NR_STATES; s++) {
		bool leads = false;
		for (unsigned i = 0; i < NR_TOP_STATES; i++)
			leads |= claims_top_states[i] == s;
		cost += leads ? 0 : miss_below(least * 100, average[s] * 100, ROOM_POINTS);
	}
	return cost;
}

/* The average that the parameters stand for: logarithms of what each state's is multiplied by. */
static void average_of(const struct fit *f, const double x[NR_STATES], double average[NR_STATES])
{
	double sum = 0;
	for (unsigned s = 0; s < NR_STATES; s++) {
		average[s] = f->average[s] * exp(x[s]);
		sum += average[s];
	}
	for (unsigned s = 0; s < NR_STATES; s++)
		average[s] /= sum;
}

static double cost_of(const double *x, void *data)
{
	struct fit *f = data;
	double average[NR_STATES], cost = 0;
	average_of(f, x, average);
	set_shares(f, average);
	for (unsigned s = 0; s < NR_STATES; s++) {
		double by = f->average[s] > 0 ? log(average[s] / f->average[s]) / log(FREE_FACTOR) : 0;
		cost += by * by;
	}
	return cost + cost_of_claims(f, average);
}

enum sahm_status fit_shares(struct fit *f, struct sahm_err *err)
{
	const struct fit_target target = {cost_of, f, NR_STATES, 0.1, 1e-4, MAX_STEPS, "shares of states"};
	double x[NR_STATES] = {0}, average[NR_STATES];
	enum sahm_status status = fit_minimize(&target, x, err);
	if (status != SAHM_OK)
		return status;
	fprintf(stderr, "shares: cost %.4g; occupancy of an average program:\n", cost_of(x, f));
	average_of(f, x, average);
	for (unsigned s = 0; s < NR_STATES; s++)
		fprintf(stderr, "  %-18s %5.2f %%\n", state_name(s), average[s] * 100);
	return SAHM_OK;
}
