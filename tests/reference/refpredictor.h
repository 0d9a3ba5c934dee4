/* Directions as predictor kind "tage-sc-l" predicts them, written down slowly: all outcomes are kept, tables are lists
 * of the entries that exist, and every one is searched. Usefulness does not fade: for fewer than 2^18 branches.
 *
 * The reference for conditional branches of cores/uarch/predictor*.c, which it shares only the specification with.
 */
#ifndef SAHM_TESTS_REFERENCE_REFPREDICTOR_H
#define SAHM_TESTS_REFERENCE_REFPREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/uarch/predictor.h"

struct refpredictor;

/* For `nr_branches` at most. NULL when memory is short. */
struct refpredictor *refpredictor_new(const struct predictor_spec *spec, uint32_t nr_branches);
void refpredictor_free(struct refpredictor *r);

/* Whether the conditional branch at `pc` is predicted. */
bool refpredictor_branch(struct refpredictor *r, uint64_t pc, bool taken);

#endif
