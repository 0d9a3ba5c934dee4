/* The configuration space of the study: which chips are compared.
 *
 * A configuration is one baseline core and at most one core per component, specialised for only that component. In the
 * space such a core gives one of SPACE_STEPS speedups: 10, 20 or 30 %. A configuration's index is a number in base
 * SPACE_STEPS + 1, one digit per component and the branch digit the lowest: digit 0 stands for no core, 1, 2 and 3 for
 * 10, 20 and 30 %. Index 0 is thus only the baseline core, SPACE_CANONICAL the canonical chip.
 * Source: dissertation, section 4.3.
 */
#ifndef SAHM_CORES_CHIP_STUDY_SPACE_H
#define SAHM_CORES_CHIP_STUDY_SPACE_H

#include "cores/chip/state.h"

/* Speedups to choose from. */
#define SPACE_STEPS 3u
/* Configurations in the space: every component has one of SPACE_STEPS cores or none. */
#define NR_SPACE_CONFIGS 256u
/* The configuration with all specialised cores at 30 %. */
#define SPACE_CANONICAL (NR_SPACE_CONFIGS - 1)

/* Any configuration of this form, in the space or not (a core of 0 % is in none). */
struct space_config {
	unsigned components;		    /* those that have a core, a bit each as in states */
	int32_t speedup_ppm[NR_COMPONENTS]; /* of their cores, in millionths; 0 where there is none */
};

/* The configuration at `index`, 0 to NR_SPACE_CONFIGS - 1. */
struct space_config space_config_at(unsigned index);

/* Fills speedup_ppm[s] with the speedup of the core that is best for state s, in millionths; the baseline core is one
 * of them, so it is never below 0. */
void space_best_speedups(const struct space_config *config, int32_t speedup_ppm[NR_STATES]);

#endif
