/* The summary of an IPU after its run. */
#ifndef SAHM_SIM_CLI_IPU_SUMMARY_H
#define SAHM_SIM_CLI_IPU_SUMMARY_H

#include "ipu/core/elf_image.h"
#include "ipu/unit/unit.h"
#include "sim/base/textbuf.h"

struct ipu_summary {
	enum ipu_status status;
	uint64_t hit_cycles, ipu_cycles, time_ns;
	struct ipu_counts counts;
	uint32_t buffered;
	bool has_soft;
	struct ipu_soft_counts soft;
	struct ipu_fault fault; /* in IPU_ERROR */
	char symbol[128];	/* near the fault's PC, "" when there is none */
};

/* Whole ns that `cycles` take. */
uint64_t ns_of_cycles(uint64_t cycles, uint32_t mhz);

/* `ipu_mhz` is the unit's clock; `image` may be NULL. */
void ipu_summary_take(struct ipu_summary *s, const struct ipu_unit *u, uint32_t ipu_mhz, const struct elf_image *image);

void ipu_summary_text(const struct ipu_summary *s, struct textbuf *out);
void ipu_summary_json(const struct ipu_summary *s, struct textbuf *out);

/* SAHM_GUEST when the IPU is in ERROR, with cause and place. */
enum sahm_status ipu_summary_check(const struct ipu_summary *s, struct sahm_err *err);

#endif
