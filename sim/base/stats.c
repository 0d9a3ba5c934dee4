#include "sim/base/stats.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim/base/rng.h"

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

void stats_sort(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), by_value);
}

double stats_percentile(const double *sorted, size_t nr, double pct)
{
	double place = (double)(nr - 1) * pct / 100;
	size_t rank = (size_t)place;
	if (rank + 1 >= nr)
		return sorted[nr - 1];
	return sorted[rank] + (sorted[rank + 1] - sorted[rank]) * (place - (double)rank);
}

double stats_mean(const double *values, size_t nr)
{
	double above = 0;
	for (size_t i = 1; i < nr; i++)
		above += values[i] - values[0];
	return values[0] + above / (double)nr;
}

/* Whether the product of all values, each divided by `mean`, is at least 1. It is kept as mantissa and exponent, so
 * that it neither overflows nor vanishes. As `mean` grows, no quotient and no product grows, rounded or not. */
static bool reaches_one(const double *values, size_t nr, double mean)
{
	double mantissa = 0.5; /* from 0.5 to below 1 */
	int64_t exponent = 1;
	for (size_t i = 0; i < nr; i++) {
		int shift;
		mantissa = frexp(mantissa * (values[i] / mean), &shift);
		exponent += shift;
	}
	return exponent >= 1;
}

double stats_geometric_mean(const double *values, size_t nr)
{
	double low = values[0], high = values[0];
	for (size_t i = 1; i < nr; i++) {
		low = values[i] < low ? values[i] : low;
		high = values[i] > high ? values[i] : high;
	}
	if (low <= 0)
		return 0;
	/* It reaches one at `low`, and at `high` only if all are equal. */
	while (low < high) {
		double middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			break;
		if (reaches_one(values, nr, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

static double mean_of_strata(const double *values, const size_t *sizes, size_t nr)
{
	double sum = 0;
	for (size_t s = 0; s < nr; values += sizes[s++])
		sum += stats_mean(values, sizes[s]);
	return sum / (double)nr;
}

static void draw_strata(gsl_rng *generator, const double *values, const size_t *sizes, size_t nr, double *drawn)
{
	for (size_t s = 0, from = 0; s < nr; from += sizes[s++])
		for (size_t k = 0; k < sizes[s]; k++)
			drawn[from + k] = values[from + gsl_rng_uniform_int(generator, (unsigned long)sizes[s])];
}

enum sahm_status stats_bootstrap_strata(const double *values, const size_t *sizes, size_t nr, uint64_t seed,
					const char *what, struct stats_interval *interval, struct sahm_err *err)
{
	size_t total = 0;
	for (size_t s = 0; s < nr; s++)
		total += sizes[s];
	/* GSL's own allocation ends the program when it fails, unless the whole program's handler is changed. */
	gsl_rng generator = {gsl_rng_mt19937, malloc(gsl_rng_mt19937->size)};
	double *means = malloc(BOOTSTRAP_RESAMPLES * sizeof(*means));
	double *drawn = total <= SIZE_MAX / sizeof(*drawn) ? malloc(total * sizeof(*drawn)) : NULL;
	enum sahm_status status = generator.state && means && drawn ? SAHM_OK : sahm_fail_nomem(err);
	if (status == SAHM_OK) {
		const double beside = (100.0 - BOOTSTRAP_PCT) / 2;
		struct rng seeds;
		rng_init(&seeds, seed, "bootstrap", what);
		gsl_rng_set(&generator, (unsigned long)(rng_next(&seeds) >> 32));
		for (size_t i = 0; i < BOOTSTRAP_RESAMPLES; i++) {
			draw_strata(&generator, values, sizes, nr, drawn);
			means[i] = mean_of_strata(drawn, sizes, nr);
		}
		stats_sort(means, BOOTSTRAP_RESAMPLES);
		*interval = (struct stats_interval){
			.mean = mean_of_strata(values, sizes, nr),
			.low = stats_percentile(means, BOOTSTRAP_RESAMPLES, beside),
			.high = stats_percentile(means, BOOTSTRAP_RESAMPLES, 100 - beside),
		};
	}
	free(generator.state);
	free(means);
	free(drawn);
	return status;
}

enum sahm_status stats_bootstrap(const double *values, size_t nr, uint64_t seed, const char *what,
				 struct stats_interval *interval, struct sahm_err *err)
{
	return stats_bootstrap_strata(values, &nr, 1, seed, what, interval, err);
}

/* The interval of the mean of strata by Student's t, of as many degrees of freedom as the `fewest` values of a stratum
 * of several have, 2 to MIN_BOOTSTRAP_DRAWN - 1. */
static void student(const double *values, const size_t *sizes, size_t nr, size_t fewest,
		    struct stats_interval *interval)
{
	static const double quantiles[] = {0,	     12.706205, 4.302653, 3.182446, 2.776445,
					   2.570582, 2.446912,	2.364624, 2.306004};
	double mean = mean_of_strata(values, sizes, nr), variance = 0;
	for (size_t s = 0; s < nr; values += sizes[s++]) {
		double squares = 0, own = stats_mean(values, sizes[s]), size = (double)sizes[s];
		for (size_t i = 0; i < sizes[s]; i++)
			squares += (values[i] - own) * (values[i] - own);
		if (sizes[s] > 1)
			variance += squares / (size - 1) / size;
	}
	double within = quantiles[fewest - 1] * sqrt(variance) / (double)nr;
	interval->low = mean - within;
	interval->high = mean + within;
}

enum sahm_status stats_of_samples(const double *values, const size_t *sizes, size_t nr, uint64_t seed, const char *what,
				  struct stats_interval *interval, struct sahm_err *err)
{
	size_t total = 0, fewest = SIZE_MAX;
	for (size_t s = 0; s < nr; total += sizes[s++])
		fewest = sizes[s] > 1 && sizes[s] - 1 < fewest ? sizes[s] - 1 : fewest;
	*interval = (struct stats_interval){mean_of_strata(values, sizes, nr), NAN, NAN};
	if (fewest == SIZE_MAX || fewest + 1 < MIN_DRAWN_SAMPLES)
		return SAHM_OK;
	double *drawn = calloc(total, sizeof(*drawn));
	size_t *nr_drawn = calloc(nr, sizeof(*nr_drawn));
	enum sahm_status status = drawn && nr_drawn ? SAHM_OK : sahm_fail_nomem(err);
	size_t at = 0;
	for (size_t s = 0; s < nr && status == SAHM_OK; values += sizes[s++]) {
		size_t first = sizes[s] > 1;
		nr_drawn[s] = sizes[s] - first;
		for (size_t i = first; i < sizes[s]; i++)
			drawn[at++] = values[i];
	}
	struct stats_interval of_drawn = *interval;
	if (status == SAHM_OK && fewest < MIN_BOOTSTRAP_DRAWN)
		student(drawn, nr_drawn, nr, fewest, &of_drawn);
	else if (status == SAHM_OK)
		status = stats_bootstrap_strata(drawn, nr_drawn, nr, seed, what, &of_drawn, err);
	interval->low = of_drawn.low;
	interval->high = of_drawn.high;
	free(drawn);
	free(nr_drawn);
	return status;
}

/* Millionths beyond each end of an expanded percentile interval of 95 %: the standard normal distribution at
 * -t sqrt(n / (n - 1)), t being the quantile 0.975 of Student's distribution with n - 1 degrees of freedom. From the
 * table's end on, 25,000 - 187,000 / n is within 75 of it. */
static double expanded_tail_pct(size_t nr)
{
	static const uint16_t millionths[] = {
		0,     0,     0,     0,	    119,   954,	  2432,	 4109,	5738,  7225,  8551,  9722,  10757, 11671, 12483,
		13207, 13856, 14439, 14966, 15445, 15881, 16280, 16646, 16983, 17294, 17582, 17850, 18099, 18332, 18550,
	};
	double tail =
		nr < sizeof(millionths) / sizeof(*millionths) ? (double)millionths[nr] : 25000 - 187000 / (double)nr;
	return tail / 10000;
}

enum sahm_status stats_bootstrap_ratio(const double *parts, const double *wholes, size_t nr, uint32_t nr_resamples,
				       uint64_t seed, const char *what, struct stats_interval *ratio,
				       struct sahm_err *err)
{
	double part = 0, whole = 0, beside = expanded_tail_pct(nr);
	struct rng rng;
	for (size_t i = 0; i < nr; i++) {
		part += parts[i];
		whole += wholes[i];
	}
	*ratio = (struct stats_interval){part / whole, NAN, NAN};
	if (nr < 2)
		return SAHM_OK;
	double *drawn = malloc(nr_resamples * sizeof(*drawn));
	if (!drawn)
		return sahm_fail_nomem(err);
	rng_init(&rng, seed, "bootstrap", what);
	for (uint32_t i = 0; i < nr_resamples; i++) {
		part = whole = 0;
		for (size_t k = 0; k < nr; k++) {
			uint64_t at = rng_below(&rng, nr);
			part += parts[at];
			whole += wholes[at];
		}
		drawn[i] = part / whole;
	}
	stats_sort(drawn, nr_resamples);
	ratio->low = stats_percentile(drawn, nr_resamples, beside);
	ratio->high = stats_percentile(drawn, nr_resamples, 100 - beside);
	free(drawn);
	return SAHM_OK;
}
