/* Soft logic in time, beside the processor of an IPU_pro (pro.h): what unit_soft.c does for unit.c, unit_run.c and
 * pro.c. */
#ifndef SAHM_IPU_UNIT_UNIT_SOFT_INTERNAL_H
#define SAHM_IPU_UNIT_UNIT_SOFT_INTERNAL_H

#include "ipu/unit/pro.h"
#include "ipu/unit/unit_internal.h"

/* A set for a soft cycle that may not have come yet; its values are the module's, in their order. */
struct claim {
	uint64_t cycle;
	uint32_t valid;
	uint64_t values[SOFT_MAX_INPUTS];
};

struct unit_soft {
	const struct ipu_pro *pro;
	const struct soft_module *module;
	struct soft_block *block;
	enum sahm_status failed; /* to make it again for an image */
	/* At the beginning of IPU cycle `whole`, `cycle` soft cycles have passed, and rest / ipu of another; `soft`
	 * pass in `ipu` IPU cycles. */
	uint64_t whole, cycle, rest, soft;
	struct reciprocal ipu;
	bool is_started, is_halted, is_running;
	/* The module's clock, from the loading of the image on: while it runs, soft cycles less `gated`; else
	 * stopped_at. */
	uint64_t gated, stopped_at;
	uint64_t not_before; /* soft cycle of the latest change */
	uint64_t next_free;  /* soft cycle */
	uint64_t nr_seen;    /* sub-sampling: sets since it was loaded */
	uint32_t nr_in_window;
	struct claim *claims; /* a ring */
	uint32_t first_claim, nr_claims, max_claims;
	struct ipu_soft_counts counts; /* but for cycles, arrived and those of the FIFO */
	struct unit_fifo fifo;
};

/* Of zeros; released after a failure, too. */
enum sahm_status unit_soft_init(struct unit_soft *s, const struct ipu_pro *pro, const struct ipu_unit_config *config,
				struct sahm_err *err);
void unit_soft_release(struct unit_soft *s);

/* A set that the unit has let time pass for. */
void unit_soft_arrive(struct ipu_lite *u, uint32_t valid, const uint64_t *values);

/* Puts the packets that the module has sent by now into s->fifo. */
void unit_soft_take_packets(struct ipu_lite *u);

struct ipu_soft_counts unit_soft_counts(const struct ipu_lite *u);

#endif
