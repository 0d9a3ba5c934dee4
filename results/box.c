#include "results/box.h"

#include "sim/base/stats.h"

struct box box_of(double *values, size_t nr)
{
	double sum = 0;
	stats_sort(values, nr);
	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return (struct box){
		.least = values[0],
		.p25 = stats_percentile(values, nr, 25),
		.median = stats_percentile(values, nr, 50),
		.p75 = stats_percentile(values, nr, 75),
		.most = values[nr - 1],
		.mean = sum / (double)nr,
	};
}
