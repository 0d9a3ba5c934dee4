/* Units and rounding: the one place that says how time, progress and speedups are represented.
 *
 * Simulated time is an integer number of ns. *Progress* of a thread is baseline time in units of 1/PROGRESS_PER_NS ns;
 * a *rate* is progress per ns of simulated time, so that baseline speed is PROGRESS_PER_NS and a speedup of 30 % is
 * 1,300,000: rates are millionths, and time x rate is exact. Progress is cut (never rounded up) to whole ns when it is
 * reported. Decimal inputs (ms, %) are rounded to the nearest representable value, halves away from zero.
 *
 * A boundary between epochs is reached at the first ns at which progress is at or past it. The surplus carries over,
 * and the rate changes there, not at the end of the timestep. A timestep that starts on a boundary starts in the new
 * epoch. A run lasts whole timesteps, and rates divide by that time. Metrics are compared with their cuts as integers,
 * in 128 bits. Floating point appears only where decimal inputs are rounded to these units and where counts are divided
 * for a report: plain + - * / and square roots in a fixed order, without logarithms, `long double` or fused operations
 * (check_objects.sh). Tests: test_cursor.c, test_agree.c, test_agree_classify.c, test_stats.c.
 */
#ifndef SAHM_SIM_BASE_UNITS_H
#define SAHM_SIM_BASE_UNITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define PROGRESS_PER_NS INT64_C(1000000)
#define PPM_PER_PCT 10000

/* A time (or timestep, or cycle) that does not come. */
#define NEVER UINT64_MAX

/* Longest time that a configuration can name, in ms; ns of it are exact in a double in both directions. */
#define MAX_TIME_MS 1e9

/* Bounds of an epoch length: progress within one epoch stays below 2^63, and one ns at the highest rate never completes
 * more than one epoch. */
#define MIN_EPOCH_NS (UINT64_C(1000))
#define MAX_EPOCH_NS (UINT64_C(1000) * NS_PER_S)

/* Speedups, in %. The lower bound is the smallest above -100 %, at which a core would never finish anything. */
#define MIN_SPEEDUP_PCT (-99.9999)
#define MAX_SPEEDUP_PCT 99900.0

/* ns of `ms` (0 to MAX_TIME_MS). */
static inline uint64_t ns_of_ms(double ms)
{
	return (uint64_t)llround(ms * (double)NS_PER_MS);
}

/* ms of `ns`, the nearest double. */
static inline double ms_of_ns(uint64_t ns)
{
	return (double)ns / (double)NS_PER_MS;
}

/* Millionths of a speedup in % (bounds above). */
static inline int32_t ppm_of_pct(double pct)
{
	return (int32_t)llround(pct * PPM_PER_PCT);
}

/* % of a speedup in millionths, the nearest double. */
static inline double pct_of_ppm(int32_t ppm)
{
	return (double)ppm / PPM_PER_PCT;
}

#endif
