#include "cores/uarch/papi_preset.h"

#include <strings.h>

#include "sim/base/array.h"

#define B(bit) (UINT64_C(1) << (bit))
#define NOTHING                                                                                                        \
	{                                                                                                              \
		PAPI_NOTHING, 0                                                                                        \
	}
#define CYCLES                                                                                                         \
	{                                                                                                              \
		PAPI_CYCLES, 0                                                                                         \
	}
#define INSTRUCTIONS                                                                                                   \
	{                                                                                                              \
		PAPI_INSTRUCTIONS, 0                                                                                   \
	}
#define SET0(bits)                                                                                                     \
	{                                                                                                              \
		PAPI_EVENTS, (bits)                                                                                    \
	}
#define SET1(bits)                                                                                                     \
	{                                                                                                              \
		PAPI_EVENTS, (bits) | 1                                                                                \
	}
#define SET2(bits)                                                                                                     \
	{                                                                                                              \
		PAPI_EVENTS, (bits) | 2                                                                                \
	}

static const struct papi_preset presets[] = {
#define PAPI_PRESET(name, first, less, help) {name, help, first, less},
#include "cores/uarch/papi_preset_list.h"
#undef PAPI_PRESET
};

bool papi_has_presets(enum event_family family)
{
	return family == FAMILY_U74;
}

const struct papi_preset *papi_preset_at(unsigned i)
{
	return i < ARRAY_SIZE(presets) ? &presets[i] : NULL;
}

const struct papi_preset *papi_preset_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(presets); i++)
		if (strcasecmp(presets[i].name, name) == 0)
			return &presets[i];
	return NULL;
}

uint32_t papi_preset_code(const struct papi_preset *preset)
{
	return PAPI_PRESET_CODE + (uint32_t)(preset - presets);
}
