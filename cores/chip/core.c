#include "cores/chip/core.h"

#include <string.h>

void core_type_baseline(struct core_type *type, const char *name)
{
	*type = (struct core_type){.name = name, .matches = 1u << STATE_LOW};
}

void core_type_specialised(struct core_type *type, const char *name, unsigned mask,
			   const int32_t speedup_ppm[NR_COMPONENTS])
{
	*type = (struct core_type){.name = name};
	for (unsigned s = 0; s < NR_STATES; s++) {
		bool found = false;
		for (unsigned c = 0; c < NR_COMPONENTS; c++) {
			if (!((s & mask) >> c & 1u))
				continue;
			if (!found || speedup_ppm[c] > type->speedup_ppm[s])
				type->speedup_ppm[s] = speedup_ppm[c];
			found = true;
		}
		if (found)
			type->serves |= (uint16_t)(1u << s);
	}
	type->matches = type->serves;
}

void core_type_table(struct core_type *type, const char *name, const int32_t speedup_ppm[NR_STATES])
{
	*type = (struct core_type){.name = name};
	memcpy(type->speedup_ppm, speedup_ppm, sizeof(type->speedup_ppm));
	for (unsigned s = 0; s < NR_STATES; s++)
		if (speedup_ppm[s] > 0)
			type->serves |= (uint16_t)(1u << s);
	type->matches = type->serves;
}
