/* What benchmarks share: a clock, medians of several runs, and what the program lets configurations include. */
#ifndef SAHM_TESTS_BENCH_BENCH_H
#define SAHM_TESTS_BENCH_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/base/cfg.h"

#define RUNS 5

/* Seconds of processor time: what else runs on the machine counts less than by the clock on the wall. */
static inline double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The median of values[nr], which are sorted. */
static inline double median_of(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare_doubles);
	return values[nr / 2];
}

/* The same for values[RUNS]. */
static inline double median(double *values)
{
	return median_of(values, RUNS);
}

/* As the program allows the configurations that come with it. */
static inline void allow_own_includes(void)
{
	struct sahm_err err;
	if (cfg_allow_includes("configs", &err) == SAHM_OK)
		return;
	fprintf(stderr, "%s\n", err.msg);
	exit(1);
}

#endif
