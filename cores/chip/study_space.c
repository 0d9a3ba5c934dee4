#include "cores/chip/study_space.h"

#include "cores/chip/core.h"
#include "sim/base/units.h"

#define STEP_PPM (10 * PPM_PER_PCT)

struct space_config space_config_at(unsigned index)
{
	struct space_config config = {0};
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		unsigned digit = index % (SPACE_STEPS + 1);
		index /= SPACE_STEPS + 1;
		if (digit > 0)
			config.components |= 1u << c;
		config.speedup_ppm[c] = (int32_t)digit * STEP_PPM;
	}
	return config;
}

static void keep_better(const struct core_type *type, int32_t speedup_ppm[NR_STATES])
{
	for (unsigned s = 0; s < NR_STATES; s++)
		if (type->speedup_ppm[s] > speedup_ppm[s])
			speedup_ppm[s] = type->speedup_ppm[s];
}

void space_best_speedups(const struct space_config *config, int32_t speedup_ppm[NR_STATES])
{
	struct core_type type;
	core_type_baseline(&type, "baseline");
	for (unsigned s = 0; s < NR_STATES; s++)
		speedup_ppm[s] = type.speedup_ppm[s];
	for (unsigned c = 0; c < NR_COMPONENTS; c++) {
		if (!(config->components >> c & 1u))
			continue;
		core_type_specialised(&type, component_name((enum component)c), 1u << c, config->speedup_ppm);
		keep_better(&type, speedup_ppm);
	}
}
