#include "results/box.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static double percentile(const double *sorted, size_t nr, double pct)
{
	double place = (double)(nr - 1) * pct / 100;
	size_t rank = (size_t)place;
	if (rank + 1 >= nr)
		return sorted[nr - 1];
	return sorted[rank] + (sorted[rank + 1] - sorted[rank]) * (place - (double)rank);
}

struct box box_of(double *values, size_t nr)
{
	double sum = 0;
	qsort(values, nr, sizeof(*values), by_value);
	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return (struct box){
		.least = values[0],
		.p25 = percentile(values, nr, 25),
		.median = percentile(values, nr, 50),
		.p75 = percentile(values, nr, 75),
		.most = values[nr - 1],
		.mean = sum / (double)nr,
	};
}
