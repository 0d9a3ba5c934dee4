#include "results/limit.h"

#include "sim/base/units.h"

void limit_weights(const uint64_t in_state[NR_STATES], double weights[NR_STATES])
{
	for (unsigned s = 0; s < NR_STATES; s++)
		weights[s] = (double)in_state[s];
}

double limit_speedup(const double weights[NR_STATES], const int32_t speedup_ppm[NR_STATES])
{
	double baseline = 0, limit = 0;
	for (unsigned s = 0; s < NR_STATES; s++) {
		baseline += weights[s];
		limit += weights[s] * (double)PROGRESS_PER_NS / (double)(PROGRESS_PER_NS + speedup_ppm[s]);
	}
	return baseline / limit - 1;
}

struct box limit_breadth(const double weights[NR_STATES])
{
	double speedups[NR_SPACE_CONFIGS - 1];
	for (unsigned i = 1; i < NR_SPACE_CONFIGS; i++) {
		struct space_config config = space_config_at(i);
		int32_t speedup_ppm[NR_STATES];
		space_best_speedups(&config, speedup_ppm);
		speedups[i - 1] = limit_speedup(weights, speedup_ppm);
	}
	return box_of(speedups, NR_SPACE_CONFIGS - 1);
}
