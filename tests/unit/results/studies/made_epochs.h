/* Epoch tables for tests. */
#ifndef SAHM_TESTS_UNIT_RESULTS_STUDIES_MADE_EPOCHS_H
#define SAHM_TESTS_UNIT_RESULTS_STUDIES_MADE_EPOCHS_H

#include <string.h>

#include "results/studies/epoch_table.h"
#include "tests/unit/test.h"

/* Without programs; "base" and the other cores, which have a component each, in their order, or all. */
static inline void make_cores(struct epoch_table *t, unsigned nr_others)
{
	*t = (struct epoch_table){.made_by = "test", .command = "none", .is_synthetic = true};
	t->nr_cores = nr_others + 1;
	for (unsigned k = 0; k < t->nr_cores; k++) {
		struct table_core *c = &t->cores[k];
		snprintf(c->name, sizeof(c->name), k > 0 ? "core-%u" : "base", k);
		memset(c->hash, "0123456789abcdef"[k % 16], sizeof(c->hash) - 1);
		c->storage_bytes = 1024 + 1024 * k;
		c->components = k == 0 ? 0 : k <= NR_COMPONENTS ? 1u << (k - 1) : NR_STATES - 1;
	}
}

/* Adds a program with `nr` epochs, whose cycles are all `cycles` and which are in `state` by all thresholds. */
static inline struct table_epoch *add_program(struct epoch_table *t, const char *name, size_t nr, unsigned state,
					      uint64_t cycles)
{
	struct table_program p = {0};
	struct table_epoch rows[64] = {0};
	assert_true(nr <= ARRAY_SIZE(rows));
	snprintf(p.name, sizeof(p.name), "%s", name);
	memset(p.digest, 'd', sizeof(p.digest) - 1);
	for (size_t i = 0; i < nr; i++) {
		uint64_t *count = rows[i].counts.count;
		rows[i].number = i;
		count[COUNTER_INSTRUCTIONS] = 1000000;
		count[COUNTER_BRANCHES] = count[COUNTER_L1D_ACCESSES] = count[COUNTER_L2_ACCESSES] = 100000;
		count[COUNTER_BRANCH_MISSES] = state >> COMPONENT_BRANCH & 1 ? 50000 : 0;
		count[COUNTER_L1I_MISSES] = state >> COMPONENT_L1I & 1 ? 50000 : 0;
		count[COUNTER_L1D_MISSES] = state >> COMPONENT_L1D & 1 ? 50000 : 0;
		count[COUNTER_L2_MISSES] = state >> COMPONENT_L2 & 1 ? 50000 : 0;
		count[COUNTER_CYCLES] = cycles;
		for (unsigned k = 0; k < t->nr_cores; k++)
			rows[i].cycles[k] = cycles;
	}
	assert_int_equal(epoch_table_add_program(t, &p, NULL), SAHM_OK);
	assert_int_equal(epoch_table_insert(t, t->nr_programs - 1, rows, nr, NULL), SAHM_OK);
	return nr > 0 ? &t->rows[t->nr_rows - nr] : NULL;
}

#endif
