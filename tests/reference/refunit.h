/* An IPU in time a second time, deliberately simple: the reference that ipu/unit/unit.h is compared with.
 *
 * It is written only from that header and transition_list.h. Time passes in order: one instruction at a time, one
 * period of the timer at a time, nothing is run ahead but the one instruction that has begun, nothing is put off.
 * From the product it takes the processor (hart.h, whose own reference is refhart.h), programs, and the types and
 * constants of unit.h.
 */
#ifndef SAHM_TESTS_REFERENCE_REFUNIT_H
#define SAHM_TESTS_REFERENCE_REFUNIT_H

#include "ipu/soft/module.h"
#include "ipu/unit/unit.h"

/* Soft logic beside it: a module and the registers of its inputs. */
struct refsoft {
	const struct soft_module *module;
	uint32_t soft_mhz;
	uint8_t regs[SOFT_MAX_INPUTS];
};

/* A unit like any other, but that its instructions, busy cycles and packets are counted by now: nothing runs ahead, and
 * `free_at` is for units in which no routine is executing. `soft` NULL: an IPU_lite. */
struct ipu_unit *refunit_new(const struct ipu_unit_config *config, const struct refsoft *soft);

/* For ipu_unit_config: such units instead of the product's. */
extern const struct ipu_unit_maker refunit_maker;

/* Whether a routine is executing, between its first cycle's being due and its end; not while its loop waits. */
bool refunit_is_executing(const struct ipu_unit *u);
/* With the levels that the last routine has seen. */
const uint64_t *refunit_inputs(const struct ipu_unit *u);

#endif
