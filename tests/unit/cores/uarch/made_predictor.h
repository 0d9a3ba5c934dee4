/* Predictors of a specification without a fault, and their conditional branches. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_MADE_PREDICTOR_H
#define SAHM_TESTS_UNIT_CORES_UARCH_MADE_PREDICTOR_H

#include "cores/uarch/predictor.h"
#include "tests/unit/test.h"

static inline struct predictor *make(const struct predictor_spec *spec)
{
	if (predictor_spec_fault(spec))
		fail_msg("%s", predictor_spec_fault(spec));
	struct predictor *p = predictor_new(spec);
	assert_non_null(p);
	return p;
}

/* Whether the conditional branch at `pc` was missed. */
static inline bool miss(struct predictor *p, uint64_t pc, bool taken)
{
	return !predictor_branch(p, INSN_BRANCH, pc, pc + 4, taken, taken ? pc + 64 : pc + 4);
}

#endif
