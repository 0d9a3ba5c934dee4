/* Cores and runs of signals for the tests of counters. */
#ifndef SAHM_TESTS_UNIT_CORES_UARCH_COUNTED_RUN_H
#define SAHM_TESTS_UNIT_CORES_UARCH_COUNTED_RUN_H

#include "cores/uarch/hpm.h"
#include "tests/unit/test.h"

/* Retires and dispatches 4 a cycle, issues 5. */
static const struct core_timing counted_core = {
	.kind = CORE_OUT_OF_ORDER,
	.dispatch_width = 4,
	.commit_width = 4,
	.issue_width = 2,
	.nr_queues = 2,
	.queues = {{"a", 8, 2}, {"b", 8, 3}},
};

static inline struct hpm *counters(enum event_family family, enum hpm_kind kind, unsigned nr)
{
	struct hpm *h = hpm_new(&(struct hpm_spec){(uint8_t)family, (uint8_t)kind, (uint8_t)nr, &counted_core});
	assert_non_null(h);
	return h;
}

static inline uint64_t read_csr(const struct hpm *h, unsigned csr)
{
	uint64_t value = 0;
	assert_int_equal(hpm_read(h, HPM_MACHINE, csr, &value, NULL), SAHM_OK);
	return value;
}

static inline void write_csr(struct hpm *h, unsigned csr, uint64_t value)
{
	assert_int_equal(hpm_write(h, HPM_MACHINE, csr, value, NULL), SAHM_OK);
}

/* What the register holds after a write. */
static inline uint64_t rewritten(struct hpm *h, unsigned csr, uint64_t value)
{
	write_csr(h, csr, value);
	return read_csr(h, csr);
}

/* Cycles in which one signal has these lanes. */
static inline void pass_signal(struct hpm *h, enum signal signal, uint64_t lanes, uint64_t nr)
{
	struct signal_run run = {.nr = nr};
	run.lanes[signal] = lanes;
	hpm_run(h, &run);
}

#endif
