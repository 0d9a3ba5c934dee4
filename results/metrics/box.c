#include "results/metrics/box.h"

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

struct box box_mean(const struct box *boxes, size_t nr)
{
	struct box mean = {0};
	for (size_t i = 0; i < nr; i++) {
		mean.least += boxes[i].least;
		mean.p25 += boxes[i].p25;
		mean.median += boxes[i].median;
		mean.p75 += boxes[i].p75;
		mean.most += boxes[i].most;
		mean.mean += boxes[i].mean;
	}
	mean.least /= (double)nr;
	mean.p25 /= (double)nr;
	mean.median /= (double)nr;
	mean.p75 /= (double)nr;
	mean.most /= (double)nr;
	mean.mean /= (double)nr;
	return mean;
}
