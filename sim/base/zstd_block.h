/* Bytes in memory that are compressed by zstd, in one go. */
#ifndef SAHM_SIM_BASE_ZSTD_BLOCK_H
#define SAHM_SIM_BASE_ZSTD_BLOCK_H

#include <stdbool.h>

#include "sim/base/textbuf.h"

/* Appends `len` bytes to `out` as one frame, quickly rather than well. False when memory is short. */
bool zstd_pack(const void *bytes, size_t len, struct textbuf *out);

/* Unpacks a frame, which may be anything; the caller frees *out, which has a closing NUL. SAHM_FORMAT: it
 * is none, or `most` bytes are not enough for what it holds; SAHM_NOMEM. */
enum sahm_status zstd_unpack(const void *bytes, size_t len, size_t most, char **out, size_t *out_len,
			     struct sahm_err *err);

#endif
