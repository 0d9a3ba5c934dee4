/* What users can say of a unit's ipu_unit_config: modes for a HIT that is faster than its IPU, as they are written:
 * "every", "window=16" (mode_list.h), and bounds of numbers that have none of their own in unit.h. */
#ifndef SAHM_IPU_UNIT_MODE_H
#define SAHM_IPU_UNIT_MODE_H

#include <stdint.h>

#include "ipu/unit/unit.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

/* Largest max_cycles, and largest max_bytes_per_s. */
#define IPU_MOST_ROUTINE_CYCLES UINT64_C(1000000000000000)
#define IPU_MOST_BYTES_PER_S UINT64_C(1000000000000000)

struct ipu_mode {
	enum ipu_mismatch mismatch;
	uint32_t arg; /* 0 where the mode has none */
};

/* Reads `text`; `prefix` stands in front of "mode" in messages ("--"). SAHM_USAGE, with a suggestion. */
enum sahm_status ipu_mode_read(const char *text, const char *prefix, struct ipu_mode *mode, struct sahm_err *err);

/* Appends it as it is read. */
void ipu_mode_write(const struct ipu_mode *mode, struct textbuf *out);

#endif
