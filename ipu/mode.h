/* Modes for a HIT that is faster than its IPU, as users write them: "every", "window=16" (mode_list.h). */
#ifndef SAHM_IPU_MODE_H
#define SAHM_IPU_MODE_H

#include <stdint.h>

#include "ipu/unit.h"
#include "sim/base/err.h"
#include "sim/base/textbuf.h"

struct ipu_mode {
	enum ipu_mismatch mismatch;
	uint32_t arg; /* 0 where the mode has none */
};

/* Reads `text`; `prefix` stands in front of "mode" in messages ("--"). SAHM_USAGE, with a suggestion. */
enum sahm_status ipu_mode_read(const char *text, const char *prefix, struct ipu_mode *mode, struct sahm_err *err);

/* Appends it as it is read. */
void ipu_mode_write(const struct ipu_mode *mode, struct textbuf *out);

#endif
