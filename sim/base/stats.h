/* Statistics of a few values: means, percentiles, and how far a mean can be trusted.
 *
 * All of it gives the same bytes on every machine: plain + - * / in double precision in a fixed order, no function of
 * libm that rounds in its own way, no long double; and random numbers are drawn as integers. Values are finite.
 */
#ifndef SAHM_SIM_BASE_STATS_H
#define SAHM_SIM_BASE_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/base/err.h"

/* Puts values[nr] in ascending order. */
void stats_sort(double *values, size_t nr);

/* The percentile `pct` (0 to 100) of sorted[nr], nr at least 1: it lies pct % of nr - 1 places after the smallest;
 * between two places it is interpolated linearly (numpy's default). */
double stats_percentile(const double *sorted, size_t nr, double pct);

/* The arithmetic mean of values[nr], nr at least 1; that of equal values is exactly theirs. */
double stats_mean(const double *values, size_t nr);

/* The geometric mean of values[nr], nr at least 1, none below 0, and 0 when one of them is; the largest above 0 is less
 * than 2^1000 times the smallest. Found by bisection, since the logarithms of two machines may differ in their last
 * bits: the largest double whose nr-th power, with each of nr divisions and products rounded, is not above the values'
 * product. Equal values have exactly theirs. */
double stats_geometric_mean(const double *values, size_t nr);

/* A mean, and between which bounds it lies. */
struct stats_interval {
	double mean, low, high;
};

#define BOOTSTRAP_RESAMPLES 2000
#define BOOTSTRAP_PCT 95

/* Percentile bootstrap of the mean of values[nr], 1 <= nr < 2^32: as many values are drawn, with replacement,
 * BOOTSTRAP_RESAMPLES times, and BOOTSTRAP_PCT % of the means that these have, half of the others below and half above,
 * lie from `low` to `high`. What is drawn follows from `seed` and `what` (as in rng.h). Source: Efron and Tibshirani,
 * An Introduction to the Bootstrap, 1993, chapter 13. SAHM_NOMEM. */
enum sahm_status stats_bootstrap(const double *values, size_t nr, uint64_t seed, const char *what,
				 struct stats_interval *interval, struct sahm_err *err);

/* The same for the mean over strata of their means: strata[nr] have sizes[nr] values each, one after the other in
 * `values`, and each is resampled within itself. With one stratum it is stats_bootstrap(). */
enum sahm_status stats_bootstrap_strata(const double *values, const size_t *sizes, size_t nr, uint64_t seed,
					const char *what, struct stats_interval *interval, struct sahm_err *err);

#define MIN_DRAWN_SAMPLES 3    /* with the first, for an interval */
#define MIN_BOOTSTRAP_DRAWN 10 /* below, a percentile bootstrap covers clearly less */

/* The mean over strata of the means of samples, as above, of which the first of each stratum is not drawn; and the
 * interval of 95 % for the mean of drawn ones, the first samples left out. By stats_bootstrap_strata(), or, where a
 * stratum has fewer than MIN_BOOTSTRAP_DRAWN drawn samples, Student's t with the degrees of freedom of the smallest
 * stratum. A stratum of one sample adds no doubt. low and high are NAN when there is nothing drawn, or only one sample
 * of a stratum. SAHM_NOMEM. */
enum sahm_status stats_of_samples(const double *values, const size_t *sizes, size_t nr, uint64_t seed, const char *what,
				  struct stats_interval *interval, struct sahm_err *err);

/* The ratio of two sums, sum of parts[nr] / sum of wholes[nr], whose terms come in pairs that are drawn together, and
 * its interval of 95 %: `nr_resamples` times nr pairs are drawn. The quantiles of their ratios are further out than
 * those of stats_bootstrap(), by as much as a percentile interval of a mean of nr normal values is too narrow. Source:
 * T. C. Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69(4), 2015 (expanded
 * percentile interval). No quantile is beyond the smallest or largest ratio of a pair: of five pairs it covers 92 %,
 * and of skewed pairs with unequal weights less (test_stats.c: 85 % of 5, 92 % of 26).
 * With fewer than two pairs there is none: low and high are NAN. wholes are above 0. SAHM_NOMEM. */
enum sahm_status stats_bootstrap_ratio(const double *parts, const double *wholes, size_t nr, uint32_t nr_resamples,
				       uint64_t seed, const char *what, struct stats_interval *ratio,
				       struct sahm_err *err);

#endif
