/* PAPI's presets: portable names of what counters count (papi_avail). Those of the U74 are the ones of the public port
 * that paper 003 uses; where it names a sum, the selectors are our choice.
 */
#ifndef SAHM_CORES_UARCH_PAPI_PRESET_H
#define SAHM_CORES_UARCH_PAPI_PRESET_H

#include "cores/uarch/core_event.h"

#define PAPI_PRESET_CODE 0x80000000u /* of the first */

enum papi_counts { PAPI_NOTHING, PAPI_CYCLES, PAPI_INSTRUCTIONS, PAPI_EVENTS };

struct papi_term {
	uint8_t counts;	   /* enum papi_counts */
	uint64_t selector; /* PAPI_EVENTS: one or several events of a set */
};

struct papi_preset {
	const char *name; /* "PAPI_TOT_CYC" */
	const char *help;
	struct papi_term first; /* PAPI_NOTHING: the preset is not available */
	struct papi_term less;	/* is subtracted; else PAPI_NOTHING */
};

/* Whether cores of the family have presets. */
bool papi_has_presets(enum event_family family);

/* The i-th preset from 0, whether it is available or not; NULL after the last. */
const struct papi_preset *papi_preset_at(unsigned i);

/* By name, letter case ignored; NULL: there is none. */
const struct papi_preset *papi_preset_find(const char *name);

uint32_t papi_preset_code(const struct papi_preset *preset);

#endif
