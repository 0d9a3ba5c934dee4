/* Chips in a few words, and the states as numbers, for the tests of scheduling. */
#ifndef SAHM_TESTS_UNIT_MADE_CHIP_H
#define SAHM_TESTS_UNIT_MADE_CHIP_H

#include "cores/chip/core.h"
#include "sim/base/units.h"
#include "tests/unit/test.h"

#define LOW 0u
#define BRANCH 1u
#define L1I 2u
#define L1D 4u
#define L2 8u

#define TOP_CORES 8
#define TOP_THREADS 8

/* A core: specialised for the components in `mask` at `pct` %, BASE, or TABLE with the same speedup in all states. */
#define BASE 0u
#define TABLE 0x100u
struct way {
	unsigned mask;
	int pct;
};

struct made_chip {
	struct core_type types[TOP_CORES];
	const struct core_type *cores[TOP_CORES];
	struct chip chip;
};

static inline void make_chip(struct made_chip *m, const struct way *ways, uint32_t nr)
{
	assert_true(nr <= TOP_CORES);
	for (uint32_t c = 0; c < nr; c++) {
		int32_t ppm[NR_STATES];
		for (unsigned s = 0; s < NR_STATES; s++)
			ppm[s] = ways[c].pct * PPM_PER_PCT;
		if (ways[c].mask == TABLE)
			core_type_table(&m->types[c], "table", ppm);
		else if (ways[c].mask)
			core_type_specialised(&m->types[c], "special", ways[c].mask, ppm);
		else
			core_type_baseline(&m->types[c], "baseline");
		m->cores[c] = &m->types[c];
	}
	m->chip = (struct chip){.nr_cores = nr, .cores = m->cores};
}

#endif
